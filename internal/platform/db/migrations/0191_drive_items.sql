-- Files that go to drives of a partner. What a file is made of is its object; the same goes to a drive once.
CREATE TABLE drive_items (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	connection_id TEXT NOT NULL, -- which may be gone: what was delivered stays in the history
	sort TEXT NOT NULL CHECK (sort IN ('statements', 'invoices')),
	object TEXT NOT NULL,
	part TEXT NOT NULL CHECK (part IN ('pdf', 'xml')),
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
CREATE INDEX drive_items_waiting ON drive_items (tenant_id, connection_id, state, next_at);

-- What is made before this day is delivered only where a partner asks for it.
ALTER TABLE service_connections ADD COLUMN deliver_from TEXT NOT NULL DEFAULT '';
