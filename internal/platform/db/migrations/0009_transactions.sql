-- What drivers earned, paid and owe, one row each. By the million: an index here must earn its keep.
CREATE TABLE transactions (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	driver_id TEXT NOT NULL,
	provider TEXT NOT NULL,
	type TEXT NOT NULL,
	amount BIGINT NOT NULL, -- minor units; minus: less for the driver
	currency TEXT NOT NULL,
	occurred_at TEXT NOT NULL, -- empty: only the day is known
	occurred_on TEXT NOT NULL, -- local date that it belongs to
	span_from TEXT NOT NULL, -- first and last day that the row sums up; empty: its own day
	span_to TEXT NOT NULL,
	name TEXT NOT NULL,
	description TEXT NOT NULL,
	search_key TEXT NOT NULL, -- name, description, external id and file, folded
	payment TEXT NOT NULL CHECK (payment IN ('', 'cash', 'card')),
	twin_id TEXT NOT NULL, -- of what was paid in cash: the cash; of the cash: what was paid
	source TEXT NOT NULL CHECK (source IN ('hand', 'import', 'trip', 'carry')),
	import_id TEXT NOT NULL,
	source_file TEXT NOT NULL,
	source_row BIGINT NOT NULL, -- 0: none
	source_column TEXT NOT NULL, -- head of the column that the amount stood in
	external_id TEXT NOT NULL, -- what the provider calls it
	came_unknown BOOLEAN NOT NULL, -- nobody knew its type when it came; people may give it another until it is settled
	evidence TEXT NOT NULL, -- key of the blob; empty: none
	evidence_type TEXT NOT NULL,
	evidence_name TEXT NOT NULL,
	reason TEXT NOT NULL,
	settlement_id TEXT NOT NULL, -- empty: unsettled
	version BIGINT NOT NULL, -- grows with every edit
	created_at TEXT NOT NULL,
	created_by TEXT NOT NULL,
	updated_at TEXT NOT NULL,
	deleted_at TEXT NOT NULL, -- empty: it stands
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id)
);
CREATE INDEX transactions_by_driver ON transactions (tenant_id, driver_id, occurred_on, id);
-- stays small however many years are settled
CREATE INDEX transactions_unsettled ON transactions (tenant_id, driver_id, occurred_on) WHERE settlement_id = '' AND deleted_at = '';

-- Which type people gave to what came unknown, for the next file.
CREATE TABLE type_rules (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	provider TEXT NOT NULL,
	label TEXT NOT NULL, -- head of the column, or the description, folded
	type TEXT NOT NULL,
	updated_at TEXT NOT NULL,
	updated_by TEXT NOT NULL,
	PRIMARY KEY (tenant_id, provider, label)
);
