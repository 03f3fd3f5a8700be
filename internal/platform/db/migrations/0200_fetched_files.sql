-- Files that were fetched for a partner, by their content, and what became of them.
CREATE TABLE fetched_files (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	connection_id TEXT NOT NULL, -- which may be gone
	kind TEXT NOT NULL,
	content_hash TEXT NOT NULL,
	import_id TEXT NOT NULL, -- empty: nothing in it was new
	decision TEXT NOT NULL CHECK (decision IN ('open', 'nothing', 'waits', 'confirmed')),
	reason TEXT NOT NULL, -- why it waits for a person
	fetched_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	UNIQUE (tenant_id, connection_id, content_hash),
	FOREIGN KEY (tenant_id) REFERENCES partners (tenant_id)
);
CREATE INDEX fetched_files_open ON fetched_files (tenant_id, id) WHERE decision = 'open';
-- How far a connection has been fetched.
CREATE TABLE fetches (
	tenant_id TEXT NOT NULL,
	connection_id TEXT NOT NULL,
	night TEXT NOT NULL, -- day on which it was last asked for by itself
	fetched_to TEXT NOT NULL, -- day up to which there is everything; empty: none
	row_count BIGINT NOT NULL, -- of the last answer
	new_count BIGINT NOT NULL, -- of those, which no import had brought
	PRIMARY KEY (tenant_id, connection_id),
	FOREIGN KEY (tenant_id) REFERENCES partners (tenant_id)
);
-- Where a file came from by itself; empty: a person uploaded it.
ALTER TABLE imports ADD COLUMN source TEXT NOT NULL DEFAULT '';
