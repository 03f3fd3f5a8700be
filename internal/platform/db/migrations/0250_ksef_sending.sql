-- Sessions in which invoices go to KSeF. A row is there before KSeF is asked to open one.
CREATE TABLE ksef_sessions (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	environment TEXT NOT NULL, -- test, demo or production
	kind TEXT NOT NULL CHECK (kind IN ('online', 'batch')),
	reference TEXT NOT NULL, -- KSeF's; empty: as far as is known it was not opened
	state TEXT NOT NULL CHECK (state IN ('opening', 'open', 'closing', 'closed', 'done', 'lost')),
	begun_at TEXT NOT NULL,
	closed_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id) REFERENCES partners (tenant_id),
	CHECK (reference <> '' OR state IN ('opening', 'lost'))
);
CREATE UNIQUE INDEX ksef_sessions_reference ON ksef_sessions (environment, reference) WHERE reference <> '';
CREATE INDEX ksef_sessions_unfinished ON ksef_sessions (tenant_id, id) WHERE state NOT IN ('done', 'lost');
CREATE GUARD ksef_sessions_go_on BEFORE UPDATE ON ksef_sessions
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.id, NEW.environment, NEW.kind, NEW.begun_at) = (OLD.tenant_id, OLD.id, OLD.environment, OLD.kind, OLD.begun_at)
		AND (OLD.state = 'opening' AND NEW.state IN ('open', 'lost')
			OR NEW.reference = OLD.reference AND (OLD.state = 'open' AND NEW.state IN ('closing', 'lost')
				OR OLD.state = 'closing' AND NEW.state IN ('closed', 'lost')
				OR OLD.state = 'closed' AND NEW.state IN ('done', 'lost')));
CREATE GUARD ksef_sessions_stay BEFORE DELETE ON ksef_sessions
	WHEN TRUE
	UNLESS FALSE;

-- How far an edition of an invoice is on its way to KSeF. A session is named before anything goes in it.
CREATE TABLE ksef_sendings (
	tenant_id TEXT NOT NULL,
	document_id TEXT NOT NULL,
	edition BIGINT NOT NULL CHECK (edition > 0),
	state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'held', 'accepted', 'refused')),
	reason TEXT NOT NULL CHECK (reason IN ('', 'no_access', 'access_expired', 'no_grant', 'blocked')), -- why it is held
	seller TEXT NOT NULL, -- NIP
	sum TEXT NOT NULL, -- SHA-256 of the file, as KSeF names it
	session_id TEXT NOT NULL, -- in which it went or goes; empty: none
	reference TEXT NOT NULL, -- KSeF's; empty: not known yet
	code BIGINT NOT NULL, -- that KSeF gave last; 0: none
	details_sealed TEXT NOT NULL, -- KSeF's own words, JSON: they may name people
	tries BIGINT NOT NULL,
	since TEXT NOT NULL, -- in this state
	next_at TEXT NOT NULL, -- not before; empty: at once
	PRIMARY KEY (tenant_id, document_id, edition),
	FOREIGN KEY (tenant_id, document_id) REFERENCES billing_documents (tenant_id, id),
	CHECK ((state = 'held') = (reason <> '')),
	CHECK (state IN ('waiting', 'held') OR session_id <> ''),
	CHECK (state <> 'held' OR session_id = '')
);
CREATE UNIQUE INDEX ksef_sendings_once ON ksef_sendings (tenant_id, session_id, sum) WHERE session_id <> '';
CREATE INDEX ksef_sendings_unfinished ON ksef_sendings (tenant_id, state, document_id) WHERE state IN ('waiting', 'sent', 'held');
CREATE INDEX billing_documents_waiting ON billing_documents (tenant_id, id) WHERE authority_state = 'waiting';
CREATE GUARD ksef_sendings_arrows BEFORE UPDATE ON ksef_sendings
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.document_id, NEW.edition, NEW.seller, NEW.sum) = (OLD.tenant_id, OLD.document_id, OLD.edition, OLD.seller, OLD.sum)
		AND (OLD.state = 'waiting' AND NEW.state IN ('waiting', 'sent', 'held')
			OR OLD.state = 'held' AND NEW.state = 'waiting'
			OR OLD.state = 'sent' AND NEW.state IN ('accepted', 'refused', 'waiting', 'held'));
CREATE GUARD ksef_sendings_stay BEFORE DELETE ON ksef_sendings
	WHEN TRUE
	UNLESS FALSE;

-- What KSeF accepted: its number, and where its confirmation (UPO) is kept, which may be that of a whole session.
CREATE TABLE ksef_receipts (
	tenant_id TEXT NOT NULL,
	document_id TEXT NOT NULL,
	edition BIGINT NOT NULL,
	environment TEXT NOT NULL, -- connector: accepted before Saldo sent by itself
	number TEXT NOT NULL,
	acquired_at TEXT NOT NULL, -- when KSeF gave the number; empty: it did not say
	mode TEXT NOT NULL, -- Online or Offline; empty: KSeF did not say
	upo_key TEXT NOT NULL, -- empty: there is none
	upo_sum TEXT NOT NULL, -- SHA-256
	PRIMARY KEY (tenant_id, document_id),
	FOREIGN KEY (tenant_id, document_id) REFERENCES billing_documents (tenant_id, id)
);
INSERT INTO ksef_receipts (tenant_id, document_id, edition, environment, number, acquired_at, mode, upo_key, upo_sum)
	SELECT tenant_id, id, edition, 'connector', authority_number, authority_at, '', '', '' FROM billing_documents b
	WHERE authority_state = 'accepted' AND NOT EXISTS (SELECT 1 FROM billing_documents o WHERE o.authority_number = b.authority_number
		AND (o.tenant_id, o.id) < (b.tenant_id, b.id));
CREATE UNIQUE INDEX ksef_receipts_number ON ksef_receipts (environment, number);
CREATE GUARD ksef_receipts_stand BEFORE UPDATE ON ksef_receipts
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD ksef_receipts_stay BEFORE DELETE ON ksef_receipts
	WHEN TRUE
	UNLESS FALSE;

-- The job that handed one invoice to a connector. What still waits goes with the next job of its partner.
DELETE FROM jobs WHERE kind = 'billing.send';
