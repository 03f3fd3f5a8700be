-- The drivers of a partner, whether or not they have an account of their own.
CREATE TABLE drivers (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	first_name TEXT NOT NULL,
	last_name TEXT NOT NULL,
	search_key TEXT NOT NULL, -- last name, first name, e-mail, phone and contract number, folded
	email TEXT NOT NULL,
	phone TEXT NOT NULL,
	iban_sealed TEXT NOT NULL, -- empty: none
	iban_sum TEXT NOT NULL, -- fingerprint, to find the same account twice; empty: none
	iban_changed_at TEXT NOT NULL, -- when it last became another one; empty: it is the first
	account_holder TEXT NOT NULL,
	tax_id TEXT NOT NULL,
	schema_number BIGINT NOT NULL, -- 0: the partner's default schema
	contract_number TEXT NOT NULL,
	bailiff BOOLEAN NOT NULL,
	summary_language TEXT NOT NULL,
	settlement_frequency BIGINT NOT NULL CHECK (settlement_frequency IN (0, 1, 2, 4)), -- weeks; 0: as the partner has it
	active BOOLEAN NOT NULL,
	blocked BOOLEAN NOT NULL,
	account_id TEXT NOT NULL, -- the driver account it is linked with; empty: none
	verified_at TEXT NOT NULL, -- when the partner confirmed the profile
	activation_sent_at TEXT NOT NULL,
	settled_on TEXT NOT NULL, -- last settlement
	merged_into TEXT NOT NULL, -- the driver that took its place; empty: it stands for itself
	version BIGINT NOT NULL,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);
CREATE INDEX drivers_by_name ON drivers (tenant_id, search_key, id);
CREATE UNIQUE INDEX drivers_by_account ON drivers (tenant_id, account_id) WHERE account_id <> '';

-- What providers know a driver by: ids, card numbers, phones, addresses.
CREATE TABLE driver_identities (
	tenant_id TEXT NOT NULL,
	driver_id TEXT NOT NULL,
	provider TEXT NOT NULL,
	value TEXT NOT NULL,
	created_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, provider, value),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id)
);
CREATE INDEX driver_identities_by_driver ON driver_identities (tenant_id, driver_id);

CREATE TABLE driver_tags (
	tenant_id TEXT NOT NULL,
	driver_id TEXT NOT NULL,
	tag_id TEXT NOT NULL,
	PRIMARY KEY (tenant_id, driver_id, tag_id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id),
	FOREIGN KEY (tenant_id, tag_id) REFERENCES tags (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX driver_tags_by_tag ON driver_tags (tenant_id, tag_id);
