-- Contract documents: texts that partners write, what drivers fill in, and what was signed with its evidence.

-- Texts of a partner. One that comes with the program stands here once the partner changed something about it.
CREATE TABLE document_templates (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	name TEXT NOT NULL,
	language TEXT NOT NULL,
	kind TEXT NOT NULL,
	form TEXT NOT NULL CHECK (form IN ('simple', 'written')),
	position BIGINT NOT NULL,
	contract_kinds TEXT NOT NULL, -- JSON: contracts that it belongs to; none: all
	required BOOLEAN NOT NULL,
	active BOOLEAN NOT NULL,
	version BIGINT NOT NULL, -- of its text
	revision BIGINT NOT NULL, -- of this row
	changed_at TEXT NOT NULL,
	deleted_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);

CREATE TABLE template_versions (
	tenant_id TEXT NOT NULL,
	template_id TEXT NOT NULL,
	version BIGINT NOT NULL, -- from 1
	body TEXT NOT NULL,
	placeholders TEXT NOT NULL, -- JSON
	content_hash TEXT NOT NULL,
	created_at TEXT NOT NULL,
	created_by TEXT NOT NULL,
	PRIMARY KEY (tenant_id, template_id, version),
	FOREIGN KEY (tenant_id, template_id) REFERENCES document_templates (tenant_id, id)
);
CREATE GUARD template_versions_stand BEFORE UPDATE ON template_versions
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD template_versions_stay BEFORE DELETE ON template_versions
	WHEN TRUE
	UNLESS FALSE;

CREATE TABLE contract_settings (
	tenant_id TEXT NOT NULL PRIMARY KEY REFERENCES partners (tenant_id),
	standing BOOLEAN NOT NULL, -- what drivers sign is countersigned at once
	signatory TEXT NOT NULL, -- who signs for the partner
	prefix TEXT NOT NULL, -- of contract numbers
	version BIGINT NOT NULL,
	updated_at TEXT NOT NULL
);

-- What a driver, or a partner for a driver, has filled in and not signed yet. Neither reads the other's.
CREATE TABLE contract_drafts (
	tenant_id TEXT NOT NULL,
	driver_id TEXT NOT NULL,
	side TEXT NOT NULL CHECK (side IN ('driver', 'partner')),
	step BIGINT NOT NULL,
	data_sealed TEXT NOT NULL,
	events TEXT NOT NULL, -- JSON: which fields were saved when, no values
	version BIGINT NOT NULL,
	updated_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, driver_id, side),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id)
);

CREATE TABLE contracts (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	driver_id TEXT NOT NULL, -- with whom it was signed; who was merged into another is read through that driver
	account_id TEXT NOT NULL, -- of the driver who signed; empty: on a device of the partner
	state TEXT NOT NULL CHECK (state IN ('signed_by_driver', 'printed', 'scan_uploaded', 'active', 'ended', 'withdrawn', 'replaced', 'deleted')),
	data_sealed TEXT NOT NULL,
	kinds TEXT NOT NULL, -- JSON
	from_on TEXT NOT NULL,
	to_on TEXT NOT NULL,
	number TEXT NOT NULL, -- taken when it becomes active
	replaces TEXT NOT NULL,
	version BIGINT NOT NULL,
	created_at TEXT NOT NULL,
	signed_at TEXT NOT NULL, -- empty: all of it is signed by hand
	countersigned_at TEXT NOT NULL,
	ended_at TEXT NOT NULL,
	ended_why TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id),
	CHECK (state <> 'active' OR number <> '' AND countersigned_at <> ''),
	CHECK (state = 'deleted' OR data_sealed <> '')
);
CREATE UNIQUE INDEX contracts_number ON contracts (tenant_id, number) WHERE number <> '';
CREATE INDEX contracts_by_driver ON contracts (tenant_id, driver_id, created_at);
CREATE INDEX contracts_waiting ON contracts (tenant_id, state) WHERE state IN ('signed_by_driver', 'printed', 'scan_uploaded');
-- What was signed is never edited; a contract goes on and never back.
CREATE GUARD contracts_stand BEFORE UPDATE ON contracts
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.id, NEW.driver_id, NEW.account_id, NEW.kinds, NEW.from_on, NEW.to_on, NEW.replaces, NEW.created_at, NEW.signed_at)
		= (OLD.tenant_id, OLD.id, OLD.driver_id, OLD.account_id, OLD.kinds, OLD.from_on, OLD.to_on, OLD.replaces, OLD.created_at, OLD.signed_at)
		AND (NEW.data_sealed = OLD.data_sealed OR NEW.state = 'deleted' AND NEW.data_sealed = '')
		AND (NEW.number = OLD.number OR OLD.number = '')
		AND (NEW.countersigned_at = OLD.countersigned_at OR OLD.countersigned_at = '');
CREATE GUARD contracts_end BEFORE UPDATE ON contracts
	WHEN OLD.state IN ('ended', 'withdrawn', 'replaced', 'deleted')
	UNLESS NEW.state = OLD.state;
CREATE GUARD contracts_active_stay BEFORE UPDATE ON contracts
	WHEN OLD.state = 'active'
	UNLESS NEW.state IN ('active', 'ended', 'withdrawn', 'replaced');
CREATE GUARD contracts_stay BEFORE DELETE ON contracts
	WHEN TRUE
	UNLESS FALSE;

-- The documents of a contract with their texts by value.
CREATE TABLE contract_documents (
	tenant_id TEXT NOT NULL,
	contract_id TEXT NOT NULL,
	position BIGINT NOT NULL, -- from 1
	template_id TEXT NOT NULL,
	template_version BIGINT NOT NULL,
	name TEXT NOT NULL,
	language TEXT NOT NULL,
	kind TEXT NOT NULL,
	form TEXT NOT NULL CHECK (form IN ('simple', 'written')),
	required BOOLEAN NOT NULL,
	body TEXT NOT NULL,
	gloss TEXT NOT NULL,
	pages BIGINT NOT NULL,
	shown_hash TEXT NOT NULL, -- of the PDF as it was shown before it was signed
	verify_code TEXT NOT NULL,
	removed_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, contract_id, position),
	FOREIGN KEY (tenant_id, contract_id) REFERENCES contracts (tenant_id, id)
);
CREATE UNIQUE INDEX contract_documents_code ON contract_documents (verify_code);
CREATE GUARD contract_documents_stand BEFORE UPDATE ON contract_documents
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.contract_id, NEW.position, NEW.template_id, NEW.template_version, NEW.name, NEW.language, NEW.kind, NEW.form,
			NEW.required, NEW.body, NEW.gloss, NEW.pages, NEW.shown_hash, NEW.verify_code)
		= (OLD.tenant_id, OLD.contract_id, OLD.position, OLD.template_id, OLD.template_version, OLD.name, OLD.language, OLD.kind, OLD.form,
			OLD.required, OLD.body, OLD.gloss, OLD.pages, OLD.shown_hash, OLD.verify_code)
		AND OLD.removed_at = '';
CREATE GUARD contract_documents_stay BEFORE DELETE ON contract_documents
	WHEN TRUE
	UNLESS FALSE;

-- The files of a document: as the driver signed it, as the partner countersigned it, printed, scanned. A seal is added once.
CREATE TABLE contract_files (
	tenant_id TEXT NOT NULL,
	contract_id TEXT NOT NULL,
	position BIGINT NOT NULL,
	edition BIGINT NOT NULL, -- from 1; the last one counts
	kind TEXT NOT NULL CHECK (kind IN ('signed', 'print', 'scan')),
	blob_key TEXT NOT NULL,
	content_hash TEXT NOT NULL,
	file_size BIGINT NOT NULL,
	sealed_key TEXT NOT NULL,
	sealed_hash TEXT NOT NULL,
	sealed_size BIGINT NOT NULL,
	sealed_at TEXT NOT NULL,
	stamp TEXT NOT NULL CHECK (stamp IN ('none', 'done', 'failed')),
	created_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, contract_id, position, edition),
	FOREIGN KEY (tenant_id, contract_id, position) REFERENCES contract_documents (tenant_id, contract_id, position),
	CHECK ((sealed_key = '') = (sealed_hash = '') AND (sealed_key = '') = (sealed_at = ''))
);
CREATE INDEX contract_files_unsealed ON contract_files (tenant_id, contract_id) WHERE sealed_key = '' AND kind = 'signed';
CREATE GUARD contract_files_stand BEFORE UPDATE ON contract_files
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.contract_id, NEW.position, NEW.edition, NEW.kind, NEW.blob_key, NEW.content_hash, NEW.file_size, NEW.created_at)
		= (OLD.tenant_id, OLD.contract_id, OLD.position, OLD.edition, OLD.kind, OLD.blob_key, OLD.content_hash, OLD.file_size, OLD.created_at)
		AND OLD.sealed_key = '' AND NEW.sealed_key <> '' AND OLD.kind = 'signed';
CREATE GUARD contract_files_stay BEFORE DELETE ON contract_files
	WHEN TRUE
	UNLESS FALSE;

-- What happened around a signature, each with the sum of all before it.
CREATE TABLE signing_events (
	tenant_id TEXT NOT NULL,
	contract_id TEXT NOT NULL,
	n BIGINT NOT NULL, -- from 1
	at TEXT NOT NULL,
	role TEXT NOT NULL CHECK (role IN ('driver', 'partner', 'system')),
	who TEXT NOT NULL, -- id of the person or the part of the program
	kind TEXT NOT NULL,
	address TEXT NOT NULL,
	agent TEXT NOT NULL,
	detail TEXT NOT NULL, -- JSON without values of fields
	previous TEXT NOT NULL,
	sum TEXT NOT NULL,
	PRIMARY KEY (tenant_id, contract_id, n),
	FOREIGN KEY (tenant_id, contract_id) REFERENCES contracts (tenant_id, id)
);
CREATE GUARD signing_events_stand BEFORE UPDATE ON signing_events
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD signing_events_stay BEFORE DELETE ON signing_events
	WHEN TRUE
	UNLESS FALSE;

CREATE TABLE contract_signatures (
	tenant_id TEXT NOT NULL,
	contract_id TEXT NOT NULL,
	role TEXT NOT NULL CHECK (role IN ('driver', 'partner')),
	kind TEXT NOT NULL CHECK (kind IN ('drawn', 'typed')),
	person TEXT NOT NULL, -- id of the account or of the partner's person
	signature_sealed TEXT NOT NULL, -- JSON: the name and the picture
	consent_hash TEXT NOT NULL,
	signed_in_at TEXT NOT NULL,
	device TEXT NOT NULL CHECK (device IN ('own', 'partner')),
	at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, contract_id, role),
	FOREIGN KEY (tenant_id, contract_id) REFERENCES contracts (tenant_id, id)
);
CREATE GUARD contract_signatures_stand BEFORE UPDATE ON contract_signatures
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.contract_id, NEW.role, NEW.kind, NEW.person, NEW.consent_hash, NEW.signed_in_at, NEW.device, NEW.at)
		= (OLD.tenant_id, OLD.contract_id, OLD.role, OLD.kind, OLD.person, OLD.consent_hash, OLD.signed_in_at, OLD.device, OLD.at)
		AND NEW.signature_sealed = '';
CREATE GUARD contract_signatures_stay BEFORE DELETE ON contract_signatures
	WHEN TRUE
	UNLESS FALSE;

CREATE TABLE contract_numbers (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	year BIGINT NOT NULL,
	last BIGINT NOT NULL,
	PRIMARY KEY (tenant_id, year)
);

-- What files are sealed with. Old ones stay: what they sealed is checked with them.
CREATE TABLE seal_authorities (
	id TEXT NOT NULL PRIMARY KEY,
	certificate TEXT NOT NULL, -- DER as base64
	key_sealed TEXT NOT NULL,
	created_at TEXT NOT NULL
);
CREATE TABLE seal_keys (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	name TEXT NOT NULL, -- of the partner when it was made
	certificate TEXT NOT NULL,
	key_sealed TEXT NOT NULL,
	created_at TEXT NOT NULL,
	renew_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);
