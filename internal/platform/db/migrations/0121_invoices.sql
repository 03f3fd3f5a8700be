-- Cost invoices of drivers: the VAT in them comes back to the driver in a settlement. What a person has not confirmed (uploaded,
-- to_describe) is a draft and may hold anything that was read.
CREATE TABLE invoice_images (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	driver_id TEXT NOT NULL, -- for whom it was uploaded; who was merged into another is read through that driver
	state TEXT NOT NULL CHECK (state IN ('uploaded', 'to_describe', 'to_verify', 'approved', 'rejected')),
	waits_for TEXT NOT NULL CHECK (waits_for IN ('', 'driver', 'partner')),
	uploaded_by TEXT NOT NULL CHECK (uploaded_by IN ('driver', 'partner')),
	described_by TEXT NOT NULL CHECK (described_by IN ('', 'driver', 'partner')), -- who last changed what the provision depends on
	source TEXT NOT NULL CHECK (source IN ('', 'xml', 'text', 'ocr', 'none')), -- of what was read; empty: it was not read yet
	file_version BIGINT NOT NULL,
	file_name TEXT NOT NULL,
	file_type TEXT NOT NULL,
	file_size BIGINT NOT NULL,
	content_hash TEXT NOT NULL,
	pages BIGINT NOT NULL,
	number TEXT NOT NULL,
	number_key TEXT NOT NULL, -- the number in its one form, by which a repeat is found
	issued_on TEXT NOT NULL,
	sold_on TEXT NOT NULL,
	issuer_tax_id TEXT NOT NULL,
	issuer_name TEXT NOT NULL,
	buyer_tax_id TEXT NOT NULL,
	currency TEXT NOT NULL,
	net BIGINT NOT NULL,
	gross BIGINT NOT NULL,
	vat_standard BIGINT NOT NULL,
	vat_reduced BIGINT NOT NULL,
	vat_other BIGINT NOT NULL, -- of other rates; never comes back
	base_zero BIGINT NOT NULL, -- what of the net amount bears no VAT
	registration TEXT NOT NULL,
	mileage BIGINT NOT NULL, -- 0: none
	category TEXT NOT NULL CHECK (category IN ('', 'fuel', 'repair', 'lease', 'phone', 'wash', 'parking', 'insurance', 'other')),
	description TEXT NOT NULL,
	corrected_number TEXT NOT NULL, -- of the invoice that a correction is about
	ksef_number TEXT NOT NULL,
	touched TEXT NOT NULL, -- JSON: fields that a person typed; a late reading leaves them alone
	accepted TEXT NOT NULL, -- JSON: findings that the partner confirmed
	feedback TEXT NOT NULL,
	reject_reason TEXT NOT NULL CHECK (reject_reason IN ('', 'unreadable', 'not_ours', 'duplicate', 'not_allowed', 'wrong_data', 'too_old',
		'other')),
	twin_of TEXT NOT NULL, -- another with the same issuer, day and amount that is not the same invoice
	settlement_id TEXT NOT NULL, -- that took it; empty: none
	version BIGINT NOT NULL,
	uploaded_at TEXT NOT NULL,
	changed_at TEXT NOT NULL,
	decided_at TEXT NOT NULL,
	decided_by TEXT NOT NULL,
	deleted_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id),
	CHECK (state NOT IN ('to_verify', 'approved') OR number_key <> '' AND issued_on <> '' AND issuer_tax_id <> '' AND gross <> 0 AND described_by <> ''
		AND gross = net + vat_standard + vat_reduced + vat_other),
	CHECK (settlement_id = '' OR state = 'approved' AND deleted_at = '')
);
CREATE UNIQUE INDEX invoice_images_number ON invoice_images (tenant_id, issuer_tax_id, number_key)
	WHERE state IN ('to_verify', 'approved') AND deleted_at = '';
CREATE UNIQUE INDEX invoice_images_amount ON invoice_images (tenant_id, issuer_tax_id, issued_on, gross)
	WHERE state IN ('to_verify', 'approved') AND deleted_at = '' AND twin_of = '';
CREATE UNIQUE INDEX invoice_images_file ON invoice_images (tenant_id, content_hash) WHERE state <> 'rejected' AND deleted_at = '';
CREATE INDEX invoice_images_open ON invoice_images (tenant_id, driver_id)
	WHERE state = 'approved' AND settlement_id = '' AND deleted_at = '';
CREATE INDEX invoice_images_taken ON invoice_images (tenant_id, settlement_id) WHERE settlement_id <> '';
CREATE INDEX invoice_images_waiting ON invoice_images (tenant_id, waits_for) WHERE state IN ('to_describe', 'to_verify') AND deleted_at = '';
CREATE INDEX invoice_images_by_driver ON invoice_images (tenant_id, driver_id, uploaded_at);
CREATE INDEX invoice_images_newest ON invoice_images (tenant_id, uploaded_at, id);

-- What a settlement took stands until it is revoked.
CREATE GUARD invoice_images_settled BEFORE UPDATE ON invoice_images
	WHEN OLD.settlement_id <> ''
	UNLESS NEW.settlement_id = ''
		AND (NEW.tenant_id, NEW.id, NEW.driver_id, NEW.state, NEW.described_by, NEW.number, NEW.issued_on, NEW.sold_on, NEW.issuer_tax_id,
			NEW.currency, NEW.net, NEW.gross, NEW.vat_standard, NEW.vat_reduced, NEW.vat_other, NEW.content_hash, NEW.deleted_at)
		= (OLD.tenant_id, OLD.id, OLD.driver_id, OLD.state, OLD.described_by, OLD.number, OLD.issued_on, OLD.sold_on, OLD.issuer_tax_id,
			OLD.currency, OLD.net, OLD.gross, OLD.vat_standard, OLD.vat_reduced, OLD.vat_other, OLD.content_hash, OLD.deleted_at);
-- An approved one changes its amounts only after it was opened again.
CREATE GUARD invoice_images_approved BEFORE UPDATE ON invoice_images
	WHEN OLD.state = 'approved' AND NEW.state = 'approved'
	UNLESS (NEW.described_by, NEW.number, NEW.issued_on, NEW.sold_on, NEW.issuer_tax_id, NEW.net, NEW.gross, NEW.vat_standard,
			NEW.vat_reduced, NEW.vat_other, NEW.content_hash, NEW.deleted_at)
		= (OLD.described_by, OLD.number, OLD.issued_on, OLD.sold_on, OLD.issuer_tax_id, OLD.net, OLD.gross, OLD.vat_standard,
			OLD.vat_reduced, OLD.vat_other, OLD.content_hash, OLD.deleted_at);
CREATE GUARD invoice_images_stay BEFORE DELETE ON invoice_images
	WHEN TRUE
	UNLESS FALSE;

-- Every version of the file of an invoice.
CREATE TABLE invoice_files (
	tenant_id TEXT NOT NULL,
	invoice_id TEXT NOT NULL,
	version BIGINT NOT NULL, -- from 1
	file_name TEXT NOT NULL,
	file_type TEXT NOT NULL,
	file_size BIGINT NOT NULL,
	content_hash TEXT NOT NULL,
	pages BIGINT NOT NULL,
	blob_key TEXT NOT NULL,
	uploaded_by TEXT NOT NULL CHECK (uploaded_by IN ('driver', 'partner')),
	uploaded_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, invoice_id, version),
	FOREIGN KEY (tenant_id, invoice_id) REFERENCES invoice_images (tenant_id, id)
);

-- What was read from a file, for the invoice that has the file or for a form that is not sent yet.
CREATE TABLE invoice_readings (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	driver_id TEXT NOT NULL, -- whose form asked; empty: the partner's
	content_hash TEXT NOT NULL,
	blob_key TEXT NOT NULL,
	temporary BOOLEAN NOT NULL, -- the blob is the reading's own and goes with it
	state TEXT NOT NULL CHECK (state IN ('waiting', 'done')),
	source TEXT NOT NULL,
	engine TEXT NOT NULL,
	took_ms BIGINT NOT NULL,
	result TEXT NOT NULL, -- JSON
	created_at TEXT NOT NULL,
	done_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);
-- One file is read by one worker at a time.
CREATE UNIQUE INDEX invoice_readings_waiting ON invoice_readings (tenant_id, content_hash) WHERE state = 'waiting';
CREATE INDEX invoice_readings_by_sum ON invoice_readings (tenant_id, content_hash, created_at);
CREATE INDEX invoice_readings_old ON invoice_readings (created_at) WHERE temporary;

-- What people made of what was read, by which the confidence is measured. Nothing personal: no invoice, no driver.
CREATE TABLE invoice_corrections (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	field TEXT NOT NULL,
	source TEXT NOT NULL,
	engine TEXT NOT NULL,
	sure BIGINT NOT NULL, -- per mille
	kept BOOLEAN NOT NULL, -- the person left what was read
	created_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);
