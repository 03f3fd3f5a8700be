-- What a partner changed in the texts of the program's notes, by kind and language. Every change is a version of its own: a note reads
-- as it did when it was told.
CREATE TABLE message_templates (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	kind TEXT NOT NULL,
	language TEXT NOT NULL,
	version BIGINT NOT NULL CHECK (version > 0),
	topic TEXT NOT NULL,
	content TEXT NOT NULL, -- empty: the program's own text again
	since TEXT NOT NULL,
	changed_by TEXT NOT NULL,
	PRIMARY KEY (tenant_id, kind, language, version)
);

CREATE GUARD message_templates_stand BEFORE UPDATE ON message_templates
	WHEN TRUE
	UNLESS FALSE;
