-- An issued invoice is never taken back: revoking its settlement issues a correcting invoice with a number of its own series. What the tax office refused can be
-- put right and sent again; what was sent before stays in billing_editions.
ALTER TABLE billing_documents RENAME TO billing_documents_before;
CREATE TABLE billing_documents (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	settlement_id TEXT NOT NULL,
	kind TEXT NOT NULL CHECK (kind IN ('bill', 'invoice', 'correction')),
	corrects TEXT NOT NULL, -- id of the corrected invoice; empty: it is no correction
	edition BIGINT NOT NULL CHECK (edition > 0), -- how often it was made for the office
	series TEXT NOT NULL,
	place BIGINT NOT NULL CHECK (place > 0), -- in the series
	number TEXT NOT NULL,
	issued_on TEXT NOT NULL,
	currency TEXT NOT NULL,
	net BIGINT NOT NULL,
	vat BIGINT NOT NULL,
	gross BIGINT NOT NULL CHECK (gross = net + vat AND gross <> 0 AND (gross < 0) = (kind = 'correction')),
	content_sealed TEXT NOT NULL, -- JSON: parties, account, lines
	file_sealed TEXT NOT NULL, -- XML as offices read it; empty: a bill has none, a correction that is pending has none yet
	issued_at TEXT NOT NULL,
	issued_by TEXT NOT NULL, -- the person's name
	office_state TEXT NOT NULL CHECK (office_state IN ('', 'pending', 'waiting', 'accepted', 'refused', 'withdrawn')), -- empty: it is not sent
	office_number TEXT NOT NULL,
	office_reason TEXT NOT NULL,
	office_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	UNIQUE (tenant_id, settlement_id, kind),
	UNIQUE (tenant_id, series, place),
	FOREIGN KEY (tenant_id, settlement_id) REFERENCES settlements (tenant_id, id),
	CHECK ((kind = 'correction') = (corrects <> '')),
	CHECK ((office_state = 'accepted') = (office_number <> '')),
	CHECK (office_state NOT IN ('pending', 'withdrawn') OR kind = 'correction')
);
INSERT INTO billing_documents (tenant_id, id, settlement_id, kind, corrects, edition, series, place, number, issued_on, currency, net, vat, gross, content_sealed, file_sealed, issued_at, issued_by,
	office_state, office_number, office_reason, office_at)
	SELECT tenant_id, id, settlement_id, kind, '', 1, series, place, number, issued_on, currency, net, vat, gross, content_sealed, file_sealed, issued_at, issued_by,
	office_state, office_number, office_reason, office_at FROM billing_documents_before;
DROP TABLE billing_documents_before;
CREATE INDEX billing_documents_issued ON billing_documents (tenant_id, issued_on);

-- A refused document as the office got it, before it was made anew.
CREATE TABLE billing_editions (
	tenant_id TEXT NOT NULL,
	document_id TEXT NOT NULL,
	edition BIGINT NOT NULL,
	content_sealed TEXT NOT NULL,
	file_sealed TEXT NOT NULL,
	reason TEXT NOT NULL, -- why the office refused it
	replaced_at TEXT NOT NULL,
	replaced_by TEXT NOT NULL, -- the person's name
	PRIMARY KEY (tenant_id, document_id, edition),
	FOREIGN KEY (tenant_id, document_id) REFERENCES billing_documents (tenant_id, id)
);

-- What was issued does not change, whoever tries. The office's answer is added once; a pending correction gets its file when the corrected invoice has its number;
-- a refused document may be made anew under its number.
CREATE GUARD billing_documents_issued_stand BEFORE UPDATE ON billing_documents
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.id, NEW.settlement_id, NEW.kind, NEW.corrects, NEW.series, NEW.place, NEW.number, NEW.issued_on, NEW.currency, NEW.net, NEW.vat, NEW.gross, NEW.issued_at, NEW.issued_by)
		= (OLD.tenant_id, OLD.id, OLD.settlement_id, OLD.kind, OLD.corrects, OLD.series, OLD.place, OLD.number, OLD.issued_on, OLD.currency, OLD.net, OLD.vat, OLD.gross, OLD.issued_at, OLD.issued_by)
		AND ((OLD.office_state = 'waiting' AND NEW.edition = OLD.edition AND NEW.content_sealed = OLD.content_sealed AND NEW.file_sealed = OLD.file_sealed)
			OR (OLD.office_state = 'pending' AND NEW.office_state IN ('waiting', 'withdrawn') AND NEW.edition = OLD.edition AND OLD.file_sealed = '')
			OR (OLD.office_state = 'refused' AND NEW.office_state = 'waiting' AND NEW.edition = OLD.edition + 1));
CREATE GUARD billing_documents_issued_stay BEFORE DELETE ON billing_documents
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD billing_editions_stand BEFORE UPDATE ON billing_editions
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD billing_editions_stay BEFORE DELETE ON billing_editions
	WHEN TRUE
	UNLESS FALSE;
