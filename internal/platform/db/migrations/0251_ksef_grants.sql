-- Sellers who let the partner issue invoices in their name at KSeF, as last read there.
CREATE TABLE ksef_grants (
	tenant_id TEXT NOT NULL,
	environment TEXT NOT NULL,
	seller TEXT NOT NULL, -- NIP
	permission_id TEXT NOT NULL,
	since TEXT NOT NULL,
	seen_at TEXT NOT NULL, -- when the reading began that saw it last
	gone_at TEXT NOT NULL, -- empty: it is there
	PRIMARY KEY (tenant_id, environment, seller),
	FOREIGN KEY (tenant_id) REFERENCES partners (tenant_id)
);

CREATE INDEX ksef_sendings_by_seller ON ksef_sendings (tenant_id, seller);

-- When all of them were read last.
CREATE TABLE ksef_grant_readings (
	tenant_id TEXT NOT NULL,
	environment TEXT NOT NULL,
	read_at TEXT NOT NULL,
	readable BOOLEAN NOT NULL, -- FALSE: KSeF does not show them to the partner
	PRIMARY KEY (tenant_id, environment),
	FOREIGN KEY (tenant_id) REFERENCES partners (tenant_id)
);
