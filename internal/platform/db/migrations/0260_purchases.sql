-- How far invoices were fetched from KSeF for a company, by what it is on them.
CREATE TABLE ksef_fetches (
	tenant_id TEXT NOT NULL,
	environment TEXT NOT NULL, -- test, demo or production
	nip TEXT NOT NULL,
	role TEXT NOT NULL CHECK (role IN ('buyer', 'third')),
	from_at TEXT NOT NULL, -- everything that KSeF stored before is there
	slot TEXT NOT NULL, -- hour or night for which a fetch was last left
	asked_at TEXT NOT NULL, -- when KSeF was last asked for an export
	done_at TEXT NOT NULL, -- when the last export that was needed was read
	problem TEXT NOT NULL, -- what stands in the way; empty: nothing
	PRIMARY KEY (tenant_id, environment, nip, role),
	FOREIGN KEY (tenant_id) REFERENCES partners (tenant_id)
);

-- Packages that KSeF was asked for. The row is there before KSeF is asked.
CREATE TABLE ksef_exports (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	environment TEXT NOT NULL,
	nip TEXT NOT NULL,
	role TEXT NOT NULL CHECK (role IN ('buyer', 'third')),
	from_at TEXT NOT NULL,
	to_at TEXT NOT NULL, -- empty: up to what KSeF keeps for good
	reference TEXT NOT NULL, -- empty: KSeF has not answered
	key_sealed TEXT NOT NULL, -- what opens the package; empty: it is not needed any more
	state TEXT NOT NULL CHECK (state IN ('asked', 'running', 'done', 'nothing', 'lost')),
	tries BIGINT NOT NULL,
	found BIGINT NOT NULL, -- invoices in it
	fresh BIGINT NOT NULL, -- of those, which were not there before
	next_from TEXT NOT NULL,
	asked_at TEXT NOT NULL,
	changed_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id, environment, nip, role) REFERENCES ksef_fetches (tenant_id, environment, nip, role)
);
CREATE UNIQUE INDEX ksef_exports_open ON ksef_exports (tenant_id, environment, nip, role) WHERE state IN ('asked', 'running');

-- Invoices of others that KSeF has for a partner. Amounts are minor units and are read from the file.
CREATE TABLE purchases (
	tenant_id TEXT NOT NULL,
	environment TEXT NOT NULL,
	ksef_number TEXT NOT NULL,
	role TEXT NOT NULL CHECK (role IN ('buyer', 'third')),
	seller_tax_id TEXT NOT NULL,
	seller_name TEXT NOT NULL,
	buyer_tax_id TEXT NOT NULL,
	number TEXT NOT NULL,
	number_key TEXT NOT NULL, -- the number in its one form, as invoices of drivers have it
	issued_on TEXT NOT NULL,
	stored_at TEXT NOT NULL, -- by KSeF, for good
	form TEXT NOT NULL, -- such as FA (3)
	unread TEXT NOT NULL, -- why nothing was taken from the file; empty: it was read
	kind TEXT NOT NULL, -- as the form names it
	self_billed BOOLEAN NOT NULL,
	currency TEXT NOT NULL,
	net BIGINT NOT NULL,
	vat BIGINT NOT NULL,
	gross BIGINT NOT NULL,
	sum TEXT NOT NULL, -- SHA-256 of the file as printed codes have it
	size BIGINT NOT NULL,
	blob_key TEXT NOT NULL,
	corrects TEXT NOT NULL, -- JSON: numbers of KSeF, or of the seller where it has none
	checked TEXT NOT NULL CHECK (checked IN ('', 'open', 'ours', 'strange', 'known')), -- a self-billed one in the partner's name
	fetched_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, environment, ksef_number),
	FOREIGN KEY (tenant_id) REFERENCES partners (tenant_id)
);
CREATE INDEX purchases_by_day ON purchases (tenant_id, environment, issued_on, ksef_number);
CREATE INDEX purchases_by_seller ON purchases (tenant_id, environment, seller_tax_id, number_key);
CREATE INDEX purchases_by_sum ON purchases (tenant_id, environment, sum);
CREATE INDEX purchases_checked ON purchases (tenant_id, environment, checked) WHERE checked IN ('open', 'strange');

-- What KSeF gave stands: only what is decided about it changes.
CREATE GUARD purchases_stand BEFORE UPDATE ON purchases
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.environment, NEW.ksef_number, NEW.seller_tax_id, NEW.buyer_tax_id, NEW.number, NEW.issued_on, NEW.kind,
			NEW.self_billed, NEW.currency, NEW.net, NEW.vat, NEW.gross, NEW.sum, NEW.size, NEW.blob_key, NEW.corrects)
		= (OLD.tenant_id, OLD.environment, OLD.ksef_number, OLD.seller_tax_id, OLD.buyer_tax_id, OLD.number, OLD.issued_on, OLD.kind,
			OLD.self_billed, OLD.currency, OLD.net, OLD.vat, OLD.gross, OLD.sum, OLD.size, OLD.blob_key, OLD.corrects);
CREATE GUARD purchases_stay BEFORE DELETE ON purchases
	WHEN TRUE
	UNLESS FALSE;
