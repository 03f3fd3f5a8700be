-- What partners said of files whose layout nobody knows: one description for each head.
CREATE TABLE import_mappings (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	name TEXT NOT NULL,
	signature TEXT NOT NULL, -- of the head: the same for files with the same columns
	head TEXT NOT NULL, -- JSON: all columns, as the file had them
	rules TEXT NOT NULL, -- JSON: what each column holds and how it is written
	import_id TEXT NOT NULL, -- the file that it was made for
	version BIGINT NOT NULL,
	created_at TEXT NOT NULL,
	created_by TEXT NOT NULL, -- the person's name
	updated_at TEXT NOT NULL,
	updated_by TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX import_mappings_by_head ON import_mappings (tenant_id, signature);
