-- What a partner changed about the kinds of documents that are ready, and kinds of its own.
CREATE TABLE document_types (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL, -- of a ready kind its name, such as driving_licence
	names TEXT NOT NULL, -- JSON by language; of a ready kind empty
	subject TEXT NOT NULL CHECK (subject IN ('driver', 'vehicle')),
	sides BIGINT NOT NULL CHECK (sides IN (1, 2)),
	required BOOLEAN NOT NULL,
	expires BOOLEAN NOT NULL,
	warns BOOLEAN NOT NULL, -- before settling, where it is missing or expired
	remind_days TEXT NOT NULL, -- JSON: days before the last day of validity
	active BOOLEAN NOT NULL,
	position BIGINT NOT NULL,
	version BIGINT NOT NULL,
	changed_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);

-- Documents of drivers and of their vehicles. Whether one has expired follows from its last day and is not kept.
CREATE TABLE driver_documents (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	driver_id TEXT NOT NULL, -- for whom it was uploaded; who was merged into another is read through that driver
	type_id TEXT NOT NULL,
	vehicle TEXT NOT NULL, -- registration; empty: a document of the driver
	number_sealed TEXT NOT NULL,
	valid_to TEXT NOT NULL, -- the last day; empty: without an end
	state TEXT NOT NULL CHECK (state IN ('waiting', 'accepted', 'rejected', 'replaced')),
	uploaded_by TEXT NOT NULL CHECK (uploaded_by IN ('driver', 'partner')),
	note TEXT NOT NULL, -- to the driver, why it was rejected
	entered_at TEXT NOT NULL,
	decided_at TEXT NOT NULL,
	decided_by TEXT NOT NULL,
	erase_at TEXT NOT NULL, -- when its pictures and its number go; empty: it is in use
	kept_for TEXT NOT NULL, -- why it is not erased all the same; empty: nothing
	erased_at TEXT NOT NULL,
	version BIGINT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id),
	CHECK (erased_at = '' OR number_sealed = '')
);
CREATE UNIQUE INDEX driver_documents_waiting ON driver_documents (tenant_id, driver_id, type_id, vehicle) WHERE state = 'waiting';
CREATE UNIQUE INDEX driver_documents_accepted ON driver_documents (tenant_id, driver_id, type_id, vehicle) WHERE state = 'accepted';
CREATE INDEX driver_documents_by_driver ON driver_documents (tenant_id, driver_id, entered_at);
CREATE INDEX driver_documents_ending ON driver_documents (tenant_id, valid_to) WHERE state = 'accepted' AND valid_to <> '';
CREATE INDEX driver_documents_erased ON driver_documents (erase_at) WHERE erase_at <> '' AND erased_at = '' AND kept_for = '';
CREATE GUARD driver_documents_erased_once BEFORE UPDATE ON driver_documents
	WHEN OLD.erased_at <> ''
	UNLESS (NEW.erased_at, NEW.number_sealed) = (OLD.erased_at, OLD.number_sealed);
CREATE GUARD driver_documents_stay BEFORE DELETE ON driver_documents
	WHEN TRUE
	UNLESS FALSE;

CREATE TABLE driver_document_images (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	document_id TEXT NOT NULL,
	side TEXT NOT NULL CHECK (side IN ('front', 'back')),
	file_type TEXT NOT NULL,
	file_size BIGINT NOT NULL,
	pages BIGINT NOT NULL,
	content_hash TEXT NOT NULL, -- of what is kept; the uploaded picture is drawn anew
	blob_key TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id, document_id) REFERENCES driver_documents (tenant_id, id)
);
CREATE UNIQUE INDEX driver_document_images_side ON driver_document_images (tenant_id, document_id, side);

-- Which reminders were given: each once.
CREATE TABLE document_reminders (
	tenant_id TEXT NOT NULL,
	driver_id TEXT NOT NULL,
	type_id TEXT NOT NULL,
	vehicle TEXT NOT NULL,
	valid_to TEXT NOT NULL, -- of the document; empty: it is missing
	slot TEXT NOT NULL, -- days before the last one, expired, or the day on which the partner reminded
	reminded_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, driver_id, type_id, vehicle, valid_to, slot),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id)
);
