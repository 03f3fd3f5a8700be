-- Access tokens made until then are refused: "sid:…" those of a session, "sub:…" those of a user.
CREATE TABLE revocations (
	id TEXT PRIMARY KEY,
	revoked_at TEXT NOT NULL
);

-- The embedded identity provider: whom it knows. Whoever has no password yet sets one through a mailed link.
CREATE TABLE idp_users (
	id TEXT PRIMARY KEY,
	email TEXT NOT NULL UNIQUE, -- in small letters
	verified BOOLEAN NOT NULL,
	first_name TEXT NOT NULL,
	last_name TEXT NOT NULL,
	language TEXT NOT NULL,
	password TEXT NOT NULL, -- argon2id in PHC form; empty: none yet
	password_changed_at TEXT NOT NULL,
	enabled BOOLEAN NOT NULL,
	created_at TEXT NOT NULL
);

CREATE TABLE idp_roles (
	user_id TEXT NOT NULL REFERENCES idp_users (id) ON DELETE CASCADE,
	role TEXT NOT NULL CHECK (role IN ('partner', 'driver')),
	PRIMARY KEY (user_id, role)
);

CREATE TABLE idp_attributes (
	user_id TEXT NOT NULL REFERENCES idp_users (id) ON DELETE CASCADE,
	name TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (user_id, name)
);

-- Of every secret below only the sum is kept.
CREATE TABLE idp_sessions (
	id TEXT PRIMARY KEY,
	cookie_sum TEXT NOT NULL UNIQUE,
	user_id TEXT NOT NULL REFERENCES idp_users (id) ON DELETE CASCADE,
	signed_in_at TEXT NOT NULL,
	seen_at TEXT NOT NULL,
	expires_at TEXT NOT NULL,
	ended_at TEXT NOT NULL
);
CREATE INDEX idp_sessions_by_user ON idp_sessions (user_id);

-- What one sign-in of one client may do; code_sum is empty once there is no code to trade.
CREATE TABLE idp_grants (
	id TEXT PRIMARY KEY,
	session_id TEXT NOT NULL REFERENCES idp_sessions (id) ON DELETE CASCADE,
	data TEXT NOT NULL,
	code_sum TEXT NOT NULL,
	code_expires_at TEXT NOT NULL,
	code_used_at TEXT NOT NULL,
	created_at TEXT NOT NULL,
	revoked_at TEXT NOT NULL
);
CREATE UNIQUE INDEX idp_grants_by_code ON idp_grants (code_sum) WHERE code_sum <> '';
CREATE INDEX idp_grants_by_session ON idp_grants (session_id);

CREATE TABLE idp_refresh_tokens (
	sum TEXT PRIMARY KEY,
	grant_id TEXT NOT NULL REFERENCES idp_grants (id) ON DELETE CASCADE,
	issued_at TEXT NOT NULL,
	expires_at TEXT NOT NULL,
	used_at TEXT NOT NULL
);
CREATE INDEX idp_refresh_tokens_by_grant ON idp_refresh_tokens (grant_id);

-- Mailed links: one live link for each purpose of a user.
CREATE TABLE idp_links (
	user_id TEXT NOT NULL REFERENCES idp_users (id) ON DELETE CASCADE,
	purpose TEXT NOT NULL CHECK (purpose IN ('reset', 'activate', 'verify')),
	sum TEXT NOT NULL UNIQUE,
	redirect TEXT NOT NULL,
	expires_at TEXT NOT NULL,
	PRIMARY KEY (user_id, purpose)
);

CREATE TABLE idp_keys (
	id TEXT PRIMARY KEY,
	sealed TEXT NOT NULL,
	created_at TEXT NOT NULL,
	active_at TEXT NOT NULL, -- signs from then on; verifies from its making
	retired_at TEXT NOT NULL
);

CREATE TABLE idp_throttles (
	id TEXT PRIMARY KEY, -- fingerprint of an address or an account
	failures BIGINT NOT NULL,
	since_at TEXT NOT NULL,
	blocked_until TEXT NOT NULL
);

CREATE TABLE idp_events (
	id TEXT PRIMARY KEY,
	at TEXT NOT NULL,
	kind TEXT NOT NULL,
	user_id TEXT NOT NULL,
	session_id TEXT NOT NULL
);
CREATE INDEX idp_events_by_user ON idp_events (user_id, id);

-- Whoever came in by a sign-in link keeps coming in: they set a password through "forgotten password".
INSERT INTO idp_users (id, email, verified, first_name, last_name, language, password, password_changed_at, enabled, created_at)
	SELECT subject, email, TRUE, name, '', '', '', '', TRUE, created_at FROM members WHERE issuer = 'urn:saldo' AND email <> ''
	ON CONFLICT DO NOTHING;
INSERT INTO idp_roles (user_id, role)
	SELECT u.id, m.role FROM idp_users u JOIN members m ON m.issuer = 'urn:saldo' AND m.subject = u.id;
