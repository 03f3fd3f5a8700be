-- Files that partners uploaded, one row each, whatever became of them.
CREATE TABLE imports (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	provider TEXT NOT NULL, -- as recognised or chosen; empty: not known yet
	chosen TEXT NOT NULL, -- provider that the person said; empty: none
	kind TEXT NOT NULL, -- of file, as its layout calls it
	status TEXT NOT NULL CHECK (status IN ('judging', 'preview', 'running', 'success', 'failed', 'duplicated', 'removed', 'cancelled')),
	file_name TEXT NOT NULL,
	blob_key TEXT NOT NULL,
	sum TEXT NOT NULL, -- SHA-256 of the content
	size BIGINT NOT NULL,
	encoding TEXT NOT NULL,
	delimiter TEXT NOT NULL,
	period_from TEXT NOT NULL, -- days that it covers
	period_to TEXT NOT NULL,
	period_source TEXT NOT NULL CHECK (period_source IN ('', 'name', 'rows', 'picker')),
	city TEXT NOT NULL,
	dates_from TEXT NOT NULL, -- chosen for rows without a date
	dates_to TEXT NOT NULL,
	bonus_from TEXT NOT NULL, -- chosen for bonuses without a date
	bonus_to TEXT NOT NULL,
	allow_duplicates BOOLEAN NOT NULL,
	merge_by_name BOOLEAN NOT NULL,
	duplicate_of TEXT NOT NULL, -- the import of the same content; empty: there is none
	booked_as TEXT NOT NULL CHECK (booked_as IN ('', 'money', 'detail')), -- what the person said about money that another file has too
	counts TEXT NOT NULL, -- JSON
	sums TEXT NOT NULL, -- JSON, by type
	preview TEXT NOT NULL, -- JSON: what was shown before it was confirmed
	fault TEXT NOT NULL, -- why it failed
	fault_params TEXT NOT NULL, -- JSON
	uploaded_at TEXT NOT NULL,
	uploaded_by TEXT NOT NULL, -- the person's name
	confirmed_at TEXT NOT NULL,
	confirmed_by TEXT NOT NULL,
	finished_at TEXT NOT NULL,
	removed_at TEXT NOT NULL,
	removed_by TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);
CREATE INDEX imports_by_content ON imports (tenant_id, sum);

-- What makes a row of a file the same row in another file, and which identity of the inbox it came by.
ALTER TABLE transactions ADD COLUMN row_key TEXT NOT NULL DEFAULT '';
ALTER TABLE transactions ADD COLUMN identity_id TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX transactions_by_row ON transactions (tenant_id, row_key) WHERE row_key <> '';
CREATE INDEX transactions_by_import ON transactions (tenant_id, import_id, source_row, id) WHERE import_id <> '';
CREATE INDEX transactions_by_identity ON transactions (tenant_id, identity_id) WHERE identity_id <> '';

-- Whom files name and nobody knew: the inbox, and what people decided about them.
CREATE TABLE waiting_identities (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	provider TEXT NOT NULL,
	key_kind TEXT NOT NULL, -- of the surest key; name: the file knows nothing else
	key_value TEXT NOT NULL, -- as keys are compared
	keys TEXT NOT NULL, -- JSON: all of them, the surest first
	first_name TEXT NOT NULL,
	last_name TEXT NOT NULL,
	name TEXT NOT NULL, -- where the file does not say which part is which
	state TEXT NOT NULL CHECK (state IN ('waiting', 'assigned', 'ignored')),
	driver_id TEXT NOT NULL, -- of an assigned one
	taught TEXT NOT NULL, -- JSON: identities that the driver got by it
	created_at TEXT NOT NULL,
	decided_at TEXT NOT NULL,
	decided_by TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	CHECK ((state = 'assigned') = (driver_id <> ''))
);
CREATE UNIQUE INDEX waiting_identities_by_key ON waiting_identities (tenant_id, provider, key_kind, key_value);

-- Rows of files that belong to no driver: because nobody knows whose they are, or because they are the fleet's own.
CREATE TABLE waiting_rows (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	identity_id TEXT NOT NULL, -- empty: the fleet's own
	provider TEXT NOT NULL,
	type TEXT NOT NULL,
	amount BIGINT NOT NULL,
	currency TEXT NOT NULL,
	occurred_at TEXT NOT NULL,
	occurred_on TEXT NOT NULL,
	span_from TEXT NOT NULL,
	span_to TEXT NOT NULL,
	name TEXT NOT NULL,
	description TEXT NOT NULL,
	search_key TEXT NOT NULL,
	payment TEXT NOT NULL CHECK (payment IN ('', 'cash', 'card')),
	import_id TEXT NOT NULL,
	source_file TEXT NOT NULL,
	source_row BIGINT NOT NULL,
	source_column TEXT NOT NULL,
	external_id TEXT NOT NULL,
	came_unknown BOOLEAN NOT NULL,
	evidence TEXT NOT NULL,
	evidence_type TEXT NOT NULL,
	evidence_name TEXT NOT NULL,
	reason TEXT NOT NULL,
	row_key TEXT NOT NULL,
	created_at TEXT NOT NULL,
	created_by TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id, import_id) REFERENCES imports (tenant_id, id)
);
CREATE UNIQUE INDEX waiting_rows_by_row ON waiting_rows (tenant_id, row_key);
CREATE INDEX waiting_rows_by_identity ON waiting_rows (tenant_id, identity_id);
CREATE INDEX waiting_rows_by_import ON waiting_rows (tenant_id, import_id, source_row, id);
