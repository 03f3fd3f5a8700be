-- How drivers approve invoices that the partner writes for them (art. 106d of the VAT act, § 14 Abs. 2 UStG): the fleet's rule, and those of drivers who agreed
-- to another.
CREATE TABLE billing_agreements (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	driver_id TEXT NOT NULL, -- empty: of all who have none of their own
	approval TEXT NOT NULL CHECK (approval IN ('none', 'tacit', 'explicit')),
	days BIGINT NOT NULL CHECK ((approval = 'tacit') = (days > 0)), -- after which silence approves
	updated_at TEXT NOT NULL,
	updated_by TEXT NOT NULL, -- the person's name
	PRIMARY KEY (tenant_id, driver_id)
);

-- Invoices that wait for their driver's word. A draft has no number: none is taken before it is issued. What the driver approved is what is issued.
CREATE TABLE billing_drafts (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	settlement_id TEXT NOT NULL,
	place BIGINT NOT NULL CHECK (place > 0), -- how often one was made of the settlement
	state TEXT NOT NULL CHECK (state IN ('waiting', 'approved', 'declined', 'issued', 'dropped')),
	days BIGINT NOT NULL, -- after which silence approves; 0: it never does
	net BIGINT NOT NULL,
	vat BIGINT NOT NULL,
	gross BIGINT NOT NULL CHECK (gross = net + vat),
	content_sealed TEXT NOT NULL,
	made_at TEXT NOT NULL,
	made_by TEXT NOT NULL, -- the person's name
	answered_at TEXT NOT NULL,
	answered_by TEXT NOT NULL, -- who approved or declined; empty with an answer: nobody objected in time
	reason TEXT NOT NULL, -- of a declined one, in the driver's words
	document_id TEXT NOT NULL, -- the invoice that was issued of it
	PRIMARY KEY (tenant_id, id),
	UNIQUE (tenant_id, settlement_id, place),
	FOREIGN KEY (tenant_id, settlement_id) REFERENCES settlements (tenant_id, id),
	CHECK ((state = 'issued') = (document_id <> ''))
);
-- a settlement has one draft that can still become its invoice
CREATE UNIQUE INDEX billing_drafts_open ON billing_drafts (tenant_id, settlement_id) WHERE state IN ('waiting', 'approved');
CREATE INDEX billing_drafts_waiting ON billing_drafts (tenant_id, state, made_at);

CREATE GUARD billing_drafts_stand BEFORE UPDATE ON billing_drafts
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.id, NEW.settlement_id, NEW.place, NEW.days, NEW.net, NEW.vat, NEW.gross, NEW.content_sealed, NEW.made_at, NEW.made_by)
		= (OLD.tenant_id, OLD.id, OLD.settlement_id, OLD.place, OLD.days, OLD.net, OLD.vat, OLD.gross, OLD.content_sealed, OLD.made_at, OLD.made_by)
		AND (OLD.state = 'waiting' AND NEW.state IN ('approved', 'declined', 'dropped') OR OLD.state = 'approved' AND NEW.state IN ('issued', 'dropped'));
CREATE GUARD billing_drafts_stay BEFORE DELETE ON billing_drafts
	WHEN TRUE
	UNLESS FALSE;
