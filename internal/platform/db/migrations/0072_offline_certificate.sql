-- The certificate of KSeF's type Offline with which a partner signs the second code on invoices that KSeF has not accepted yet. It signs nothing else.
CREATE TABLE billing_certificates (
	tenant_id TEXT PRIMARY KEY REFERENCES partners (tenant_id),
	subject TEXT NOT NULL,
	serial TEXT NOT NULL, -- 16 hexadecimal digits
	valid_from TEXT NOT NULL, -- day
	valid_to TEXT NOT NULL, -- day
	key_sealed TEXT NOT NULL,
	added_at TEXT NOT NULL,
	added_by TEXT NOT NULL -- the person's name
);
