-- Imports: the hash of the content, totals by type, and a status that is called analyzing.
DROP INDEX imports_by_content;
ALTER TABLE imports RENAME COLUMN sum TO content_hash;
CREATE INDEX imports_by_content ON imports (tenant_id, content_hash);
ALTER TABLE imports RENAME COLUMN sums TO totals;
ALTER TABLE imports RENAME COLUMN status TO status_before;
ALTER TABLE imports ADD COLUMN status TEXT NOT NULL DEFAULT 'analyzing'
	CHECK (status IN ('analyzing', 'preview', 'running', 'success', 'failed', 'duplicated', 'removed', 'cancelled'));
UPDATE imports SET status = CASE status_before WHEN 'judging' THEN 'analyzing' ELSE status_before END,
	fault_params = REPLACE(fault_params, '"instead":', '"suggestedReport":'),
	preview = REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(preview, '"sums":', '"totals":'), '"doubts":', '"rowWarnings":'), '"troubles":', '"rowErrors":'),
		'"instead":', '"suggestedReport":'), '"role":"instead"', '"role":"wrong_report"');
ALTER TABLE imports DROP COLUMN status_before;
UPDATE jobs SET kind = 'imports.analyze' WHERE kind = 'imports.judge';

-- Drivers of files that match no driver of the partner, and rows that belong to no driver.
DROP INDEX waiting_identities_by_key;
ALTER TABLE waiting_identities RENAME TO unmatched_drivers;
CREATE UNIQUE INDEX unmatched_drivers_by_key ON unmatched_drivers (tenant_id, provider, key_kind, key_value);
DROP INDEX waiting_rows_by_row;
DROP INDEX waiting_rows_by_identity;
DROP INDEX waiting_rows_by_import;
ALTER TABLE waiting_rows RENAME TO unmatched_rows;
CREATE UNIQUE INDEX unmatched_rows_by_row ON unmatched_rows (tenant_id, row_key);
CREATE INDEX unmatched_rows_by_identity ON unmatched_rows (tenant_id, identity_id);
CREATE INDEX unmatched_rows_by_import ON unmatched_rows (tenant_id, import_id, source_row, id);

-- Pairs of drivers that a person dismissed as duplicates.
ALTER TABLE drivers_told_apart RENAME TO dismissed_duplicates;
ALTER TABLE dismissed_duplicates RENAME COLUMN told_at TO dismissed_at;
ALTER TABLE dismissed_duplicates RENAME COLUMN told_by TO dismissed_by;

-- Settlement runs: what the preview contained, and a fingerprint of each driver's figures in it.
ALTER TABLE settlement_runs RENAME COLUMN shown TO preview;
ALTER TABLE settlement_runs RENAME COLUMN as_many_as_fit TO partial;
ALTER TABLE settlement_run_drivers RENAME COLUMN shown TO fingerprint;

-- Bank files and statements: the hash of the file.
ALTER TABLE payout_batches RENAME COLUMN file_sum TO content_hash;
DROP INDEX bank_statements_by_file;
ALTER TABLE bank_statements RENAME COLUMN file_sum TO content_hash;
CREATE INDEX bank_statements_by_file ON bank_statements (tenant_id, content_hash);
CREATE GUARD payout_batches_stand BEFORE UPDATE ON payout_batches
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.number, NEW.id, NEW.way, NEW.profile, NEW.pay_on, NEW.currency, NEW.settlements, NEW.transfers, NEW.sum, NEW.payer_sealed, NEW.content_hash,
		NEW.created_at, NEW.created_by, NEW.created_by_id)
		= (OLD.tenant_id, OLD.number, OLD.id, OLD.way, OLD.profile, OLD.pay_on, OLD.currency, OLD.settlements, OLD.transfers, OLD.sum, OLD.payer_sealed, OLD.content_hash,
		OLD.created_at, OLD.created_by, OLD.created_by_id)
		AND (OLD.state = 'proposed' AND NEW.state IN ('released', 'cancelled') OR OLD.state = 'released' AND NEW.state = 'cancelled');

-- Documents: what the tax authority answered.
ALTER TABLE billing_documents RENAME COLUMN office_state TO authority_state;
ALTER TABLE billing_documents RENAME COLUMN office_number TO authority_number;
ALTER TABLE billing_documents RENAME COLUMN office_reason TO authority_reason;
ALTER TABLE billing_documents RENAME COLUMN office_at TO authority_at;
CREATE GUARD billing_documents_issued_stand BEFORE UPDATE ON billing_documents
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.id, NEW.settlement_id, NEW.kind, NEW.corrects, NEW.series, NEW.place, NEW.number, NEW.issued_on, NEW.currency, NEW.net, NEW.vat, NEW.gross, NEW.issued_at, NEW.issued_by)
		= (OLD.tenant_id, OLD.id, OLD.settlement_id, OLD.kind, OLD.corrects, OLD.series, OLD.place, OLD.number, OLD.issued_on, OLD.currency, OLD.net, OLD.vat, OLD.gross, OLD.issued_at, OLD.issued_by)
		AND ((OLD.authority_state = 'waiting' AND NEW.edition = OLD.edition AND NEW.content_sealed = OLD.content_sealed AND NEW.file_sealed = OLD.file_sealed)
			OR (OLD.authority_state = 'pending' AND NEW.authority_state IN ('waiting', 'withdrawn') AND NEW.edition = OLD.edition AND OLD.file_sealed = '')
			OR (OLD.authority_state = 'refused' AND NEW.authority_state = 'waiting' AND NEW.edition = OLD.edition + 1));
