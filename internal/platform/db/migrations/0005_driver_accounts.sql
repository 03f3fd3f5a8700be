-- What is a driver's alone. tenant_id is the driver, not a partner: nobody else's unit of work sees the row.
CREATE TABLE driver_accounts (
	tenant_id TEXT PRIMARY KEY,
	issuer TEXT NOT NULL,
	subject TEXT NOT NULL,
	email TEXT NOT NULL,
	first_name TEXT NOT NULL,
	last_name TEXT NOT NULL,
	phone TEXT NOT NULL,
	cities TEXT NOT NULL, -- JSON, a list of names
	tax_id TEXT NOT NULL,
	newsletter BOOLEAN NOT NULL,
	car_status TEXT NOT NULL CHECK (car_status IN ('', 'want_to_rent', 'own', 'rented')),
	activity TEXT NOT NULL CHECK (activity IN ('unknown', 'active', 'plan_to', 'self', 'with_partner')),
	street TEXT NOT NULL,
	house_number TEXT NOT NULL,
	apartment_number TEXT NOT NULL,
	city TEXT NOT NULL,
	post_code TEXT NOT NULL,
	country TEXT NOT NULL,
	pesel_sealed TEXT NOT NULL, -- empty: none given
	settlement_frequency BIGINT NOT NULL CHECK (settlement_frequency IN (0, 1, 2, 4)), -- weeks; 0: as the partner has it
	summary_language TEXT NOT NULL,
	bailiff BOOLEAN NOT NULL,
	reference_id TEXT NOT NULL,
	reference_link TEXT NOT NULL,
	partner_id TEXT NOT NULL, -- the chosen partner; empty: none
	version BIGINT NOT NULL, -- grows with every edit
	completed_at TEXT NOT NULL, -- empty: signed in, but nothing filled in yet
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL,
	deleted_at TEXT NOT NULL -- everything personal is gone from then on
);

-- What a partner sees of a driver who chose it.
CREATE TABLE driver_profiles (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	account_id TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('new', 'linked', 'blocked')),
	first_name TEXT NOT NULL,
	last_name TEXT NOT NULL,
	email TEXT NOT NULL,
	phone TEXT NOT NULL,
	consented_at TEXT NOT NULL,
	consent_text TEXT NOT NULL, -- what the driver agreed to, in the words that were shown
	left_at TEXT NOT NULL, -- empty: the driver is with the partner
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	UNIQUE (tenant_id, account_id)
);
CREATE INDEX driver_profiles_by_account ON driver_profiles (account_id);

-- Mails in which a driver asked a partner that is not here to come. tenant_id is the driver.
CREATE TABLE partner_invitations (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	partner_name TEXT NOT NULL,
	email TEXT NOT NULL,
	message TEXT NOT NULL, -- what was sent, with the driver's consent
	sent_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);
CREATE INDEX partner_invitations_by_time ON partner_invitations (tenant_id, sent_at);
