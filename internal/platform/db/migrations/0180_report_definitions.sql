-- What a report shows. tenant_id is empty for those of the operator, which all partners have, or those of some codes.
CREATE TABLE report_definitions (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	code TEXT NOT NULL, -- of its address
	audience TEXT NOT NULL CHECK (audience IN ('partner', 'driver')),
	partners TEXT NOT NULL, -- JSON: codes of partners that have it; none: all, or the one that made it
	definition TEXT NOT NULL, -- JSON as it was written
	enabled BOOLEAN NOT NULL,
	version BIGINT NOT NULL CHECK (version > 0),
	made_at TEXT NOT NULL,
	made_by TEXT NOT NULL, -- the person's name; empty: the operator
	changed_at TEXT NOT NULL,
	changed_by TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	UNIQUE (tenant_id, code)
);
