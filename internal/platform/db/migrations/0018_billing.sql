-- The last number of each series of documents. It only grows, in the unit of work that issues: no number is missing or used twice.
CREATE TABLE billing_series (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	series TEXT NOT NULL, -- kind, seller, year and month
	last BIGINT NOT NULL,
	PRIMARY KEY (tenant_id, series)
);

-- Bills and self-billed invoices as they were issued. One is cancelled when its settlement is revoked, which is asked of the
-- settlement; its number stays used.
CREATE TABLE billing_documents (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	settlement_id TEXT NOT NULL,
	kind TEXT NOT NULL CHECK (kind IN ('bill', 'invoice')),
	series TEXT NOT NULL,
	place BIGINT NOT NULL CHECK (place > 0), -- in the series
	number TEXT NOT NULL,
	issued_on TEXT NOT NULL,
	currency TEXT NOT NULL,
	net BIGINT NOT NULL,
	vat BIGINT NOT NULL,
	gross BIGINT NOT NULL CHECK (gross = net + vat AND gross > 0),
	content_sealed TEXT NOT NULL, -- JSON: parties, account, lines
	file_sealed TEXT NOT NULL, -- XML as offices read it; empty: a bill has none
	issued_at TEXT NOT NULL,
	issued_by TEXT NOT NULL, -- the person's name
	office_state TEXT NOT NULL CHECK (office_state IN ('', 'waiting', 'accepted', 'refused')), -- empty: it is not sent
	office_number TEXT NOT NULL,
	office_reason TEXT NOT NULL,
	office_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	UNIQUE (tenant_id, settlement_id, kind),
	UNIQUE (tenant_id, series, place),
	FOREIGN KEY (tenant_id, settlement_id) REFERENCES settlements (tenant_id, id),
	CHECK ((office_state = 'accepted') = (office_number <> ''))
);

-- What was issued does not change, whoever tries: only what the office says of it is added, once.
CREATE GUARD billing_documents_stand BEFORE UPDATE ON billing_documents
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.id, NEW.settlement_id, NEW.kind, NEW.series, NEW.place, NEW.number, NEW.issued_on, NEW.currency, NEW.net, NEW.vat, NEW.gross, NEW.content_sealed, NEW.file_sealed,
		NEW.issued_at, NEW.issued_by)
		= (OLD.tenant_id, OLD.id, OLD.settlement_id, OLD.kind, OLD.series, OLD.place, OLD.number, OLD.issued_on, OLD.currency, OLD.net, OLD.vat, OLD.gross, OLD.content_sealed, OLD.file_sealed,
		OLD.issued_at, OLD.issued_by)
		AND OLD.office_state = 'waiting';
CREATE GUARD billing_documents_stay BEFORE DELETE ON billing_documents
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD billing_series_grow BEFORE UPDATE ON billing_series
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.series, NEW.last) = (OLD.tenant_id, OLD.series, OLD.last + 1);
CREATE GUARD billing_series_stay BEFORE DELETE ON billing_series
	WHEN TRUE
	UNLESS FALSE;
