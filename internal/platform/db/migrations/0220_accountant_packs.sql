-- The accountant's packs: everything of a month in one file, kept as it was made.
CREATE TABLE accountant_packs (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	month TEXT NOT NULL,
	version BIGINT NOT NULL, -- from 1; a new one is made only of a month in which something changed
	state TEXT NOT NULL CHECK (state IN ('making', 'ready', 'failed')),
	fingerprint TEXT NOT NULL, -- SHA-256 of what the month held
	figures TEXT NOT NULL, -- JSON: its sums
	changes TEXT NOT NULL, -- JSON: how it differs from the version before
	sum TEXT NOT NULL, -- SHA-256 of the file
	bytes BIGINT NOT NULL,
	files BIGINT NOT NULL,
	asked_by TEXT NOT NULL,
	asked_at TEXT NOT NULL,
	made_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	UNIQUE (tenant_id, month, version),
	FOREIGN KEY (tenant_id) REFERENCES partners (tenant_id)
);
CREATE GUARD accountant_packs_by_value BEFORE UPDATE ON accountant_packs
	WHEN OLD.state = 'ready'
	UNLESS FALSE;

-- Packs and reports go to drives too.
ALTER TABLE drive_items RENAME TO drive_items_before;
DROP INDEX drive_items_waiting;
CREATE TABLE drive_items (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	connection_id TEXT NOT NULL, -- which may be gone: what was delivered stays in the history
	sort TEXT NOT NULL CHECK (sort IN ('statements', 'invoices', 'reports', 'packs')),
	object TEXT NOT NULL,
	part TEXT NOT NULL CHECK (part IN ('pdf', 'xml', 'csv', 'xlsx', 'zip')),
	path TEXT NOT NULL,
	copy BIGINT NOT NULL, -- which file of this path it is; 1: the first
	sum TEXT NOT NULL, -- SHA-256 of what was delivered
	bytes BIGINT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('waiting', 'stored', 'given_up')),
	reason TEXT NOT NULL,
	tries BIGINT NOT NULL,
	next_at TEXT NOT NULL,
	made_at TEXT NOT NULL,
	stored_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	UNIQUE (tenant_id, connection_id, sort, object, part),
	FOREIGN KEY (tenant_id) REFERENCES partners (tenant_id)
);
INSERT INTO drive_items (tenant_id, id, connection_id, sort, object, part, path, copy, sum, bytes, state, reason, tries, next_at, made_at, stored_at)
	SELECT tenant_id, id, connection_id, sort, object, part, path, copy, sum, bytes, state, reason, tries, next_at, made_at, stored_at
	FROM drive_items_before;
DROP TABLE drive_items_before;
CREATE INDEX drive_items_waiting ON drive_items (tenant_id, connection_id, state, next_at);
