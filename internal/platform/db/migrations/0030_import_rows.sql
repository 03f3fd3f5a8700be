-- A row belongs to every file that contains it. The row itself names one of them; these are the others.
CREATE TABLE import_rows (
	tenant_id TEXT NOT NULL,
	import_id TEXT NOT NULL,
	row_key TEXT NOT NULL,
	source_file TEXT NOT NULL, -- where the row stands in this file
	source_row BIGINT NOT NULL,
	source_column TEXT NOT NULL,
	PRIMARY KEY (tenant_id, import_id, row_key),
	FOREIGN KEY (tenant_id, import_id) REFERENCES imports (tenant_id, id)
);
CREATE INDEX import_rows_by_row ON import_rows (tenant_id, row_key);

-- Rows that a later file said anew: not counted, and brought back when that file is removed.
CREATE TABLE replaced_rows (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	driver_id TEXT NOT NULL, -- empty: it waited for somebody to say whose it is
	identity_id TEXT NOT NULL,
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
CREATE UNIQUE INDEX replaced_rows_by_row ON replaced_rows (tenant_id, row_key);
CREATE INDEX replaced_rows_by_import ON replaced_rows (tenant_id, import_id, source_row, id);
CREATE INDEX replaced_rows_by_identity ON replaced_rows (tenant_id, identity_id);

-- Which import replaced which row. A row counts while a file that contains it was booked after every file that replaced it.
CREATE TABLE row_replacements (
	tenant_id TEXT NOT NULL,
	row_id TEXT NOT NULL,
	import_id TEXT NOT NULL,
	PRIMARY KEY (tenant_id, row_id, import_id),
	FOREIGN KEY (tenant_id, import_id) REFERENCES imports (tenant_id, id)
);
CREATE INDEX row_replacements_by_import ON row_replacements (tenant_id, import_id);

-- The settled transaction whose amount is taken off this one: what is settled never changes, so the difference is booked.
ALTER TABLE transactions ADD COLUMN corrects TEXT NOT NULL DEFAULT '';
CREATE INDEX transactions_correcting ON transactions (tenant_id, corrects) WHERE corrects <> '';

ALTER TABLE imports ADD COLUMN booked_order BIGINT NOT NULL DEFAULT 0; -- grows with every booked import of the partner
ALTER TABLE imports ADD COLUMN restated TEXT NOT NULL DEFAULT '' CHECK (restated IN ('', 'replace', 'beside')); -- what the person said about weeks that stand already
ALTER TABLE imports ADD COLUMN removing BOOLEAN NOT NULL DEFAULT FALSE; -- a job takes its rows back
