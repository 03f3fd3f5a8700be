-- Certificates that Saldo asks KSeF for, with keys that never leave. A row is there before KSeF is asked, and goes when its certificate has
-- taken its place.
CREATE TABLE ksef_renewals (
	tenant_id TEXT NOT NULL,
	environment TEXT NOT NULL, -- test, demo or production
	purpose TEXT NOT NULL CHECK (purpose IN ('Authentication', 'Offline')),
	id TEXT NOT NULL, -- in the certificate's name, by which a lost answer is found again
	key_sealed TEXT NOT NULL,
	request_sealed TEXT NOT NULL, -- it may name a person's PESEL
	reference TEXT NOT NULL, -- KSeF's; empty: as far as is known it was not asked
	begun_at TEXT NOT NULL,
	asked_at TEXT NOT NULL, -- when the request was last sent; empty: never
	refused_at TEXT NOT NULL, -- empty: it was not
	code BIGINT NOT NULL, -- by which KSeF refused; 0: it gave none
	PRIMARY KEY (tenant_id, environment, purpose),
	FOREIGN KEY (tenant_id) REFERENCES partners (tenant_id)
);

-- A whole name may have a person's PESEL.
UPDATE billing_certificates SET subject = '' WHERE subject LIKE '%SERIALNUMBER=%';
