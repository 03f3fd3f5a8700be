-- How partners sign in at KSeF: one certificate for each environment.
CREATE TABLE ksef_access (
	tenant_id TEXT NOT NULL,
	environment TEXT NOT NULL, -- test, demo or production
	id TEXT NOT NULL, -- another one for each certificate
	version BIGINT NOT NULL,
	nip TEXT NOT NULL, -- as which it signs in
	subject TEXT NOT NULL, -- whom the certificate names, without numbers
	certificate_sealed TEXT NOT NULL, -- it may name a person's PESEL
	key_sealed TEXT NOT NULL,
	serial TEXT NOT NULL,
	valid_to TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('working', 'away', 'denied', 'refused', 'blocked', 'expired')),
	since TEXT NOT NULL, -- in this state
	tried_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, environment),
	FOREIGN KEY (tenant_id) REFERENCES partners (tenant_id)
);

-- Where signing in got to. One process signs in at a time.
CREATE TABLE ksef_login (
	tenant_id TEXT NOT NULL,
	environment TEXT NOT NULL,
	access_id TEXT NOT NULL, -- the certificate that it was signed in with
	refresh_sealed TEXT NOT NULL, -- the token that gets tokens; empty: none
	until TEXT NOT NULL,
	lease TEXT NOT NULL, -- of who signs in now
	leased_until TEXT NOT NULL,
	not_before TEXT NOT NULL, -- KSeF asked to be left alone until then
	PRIMARY KEY (tenant_id, environment),
	FOREIGN KEY (tenant_id, environment) REFERENCES ksef_access (tenant_id, environment)
);

-- Calls of the last hour. Those that KSeF counts by address alone belong to no tenant.
CREATE TABLE ksef_calls (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	environment TEXT NOT NULL,
	place TEXT NOT NULL, -- the group of limits
	at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);
CREATE INDEX ksef_calls_at ON ksef_calls (tenant_id, environment, place, at);
