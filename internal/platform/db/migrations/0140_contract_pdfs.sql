-- Contract documents made of a partner's own PDF: its pages, and where values stand on them.

CREATE TABLE template_files (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	name TEXT NOT NULL, -- as it was uploaded
	blob_key TEXT NOT NULL,
	content_hash TEXT NOT NULL,
	file_size BIGINT NOT NULL,
	pages TEXT NOT NULL, -- JSON: width and height of each in millimetres
	fields TEXT NOT NULL, -- JSON: placements that its form fields propose
	lines TEXT NOT NULL, -- JSON: what its pages say
	created_at TEXT NOT NULL,
	created_by TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);
CREATE INDEX template_files_by_age ON template_files (created_at);
CREATE GUARD template_files_stand BEFORE UPDATE ON template_files
	WHEN TRUE
	UNLESS FALSE;

-- Empty: the version is a text.
ALTER TABLE template_versions ADD COLUMN file_id TEXT NOT NULL DEFAULT '';
ALTER TABLE template_versions ADD COLUMN placements TEXT NOT NULL DEFAULT '[]';
CREATE INDEX template_versions_by_file ON template_versions (tenant_id, file_id) WHERE file_id <> '';
CREATE GUARD template_files_stay BEFORE DELETE ON template_files
	WHEN TRUE
	UNLESS NOT EXISTS (SELECT 1 FROM template_versions v WHERE v.tenant_id = OLD.tenant_id AND v.file_id = OLD.id);

ALTER TABLE contract_documents ADD COLUMN file_id TEXT NOT NULL DEFAULT '';
ALTER TABLE contract_documents ADD COLUMN placements TEXT NOT NULL DEFAULT '[]';
CREATE GUARD contract_documents_pdf_stands BEFORE UPDATE ON contract_documents
	WHEN TRUE
	UNLESS (NEW.file_id, NEW.placements) = (OLD.file_id, OLD.placements);
