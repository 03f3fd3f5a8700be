-- A PDF goes when no text in force and no contract that is kept is made of it. Earlier versions of a text stay and name it.
CREATE GUARD template_files_stay BEFORE DELETE ON template_files
	WHEN TRUE
	UNLESS NOT EXISTS (SELECT 1 FROM document_templates t JOIN template_versions v ON v.tenant_id = t.tenant_id AND v.template_id = t.id
		AND v.version = t.version WHERE t.tenant_id = OLD.tenant_id AND t.deleted_at = '' AND v.file_id = OLD.id)
	AND NOT EXISTS (SELECT 1 FROM contract_documents d JOIN contracts c ON c.tenant_id = d.tenant_id AND c.id = d.contract_id
		WHERE d.tenant_id = OLD.tenant_id AND d.file_id = OLD.id AND c.erased_at = '' AND c.state <> 'deleted');
CREATE INDEX contract_documents_by_pdf ON contract_documents (tenant_id, file_id) WHERE file_id <> '';
