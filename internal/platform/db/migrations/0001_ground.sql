-- A partner is a tenant: its id is the tenant_id of every row that belongs to it.
CREATE TABLE partners (
	tenant_id TEXT PRIMARY KEY,
	code TEXT NOT NULL UNIQUE,
	name TEXT NOT NULL,
	color TEXT NOT NULL,
	logo TEXT NOT NULL, -- key of the picture in the blob store; empty: none
	demo BOOLEAN NOT NULL,
	settlement_limit BIGINT NOT NULL,
	settlement_usage BIGINT NOT NULL,
	created_at TEXT NOT NULL,
	CHECK (settlement_usage >= 0),
	CHECK (settlement_usage <= settlement_limit)
);

-- Who may come in: a user of the identity provider in a role of one partner.
CREATE TABLE members (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	issuer TEXT NOT NULL,
	subject TEXT NOT NULL,
	role TEXT NOT NULL CHECK (role IN ('partner', 'driver')),
	name TEXT NOT NULL,
	email TEXT NOT NULL,
	created_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	UNIQUE (issuer, subject)
);
CREATE INDEX members_by_email ON members (email);

CREATE TABLE signing_keys (
	id TEXT PRIMARY KEY,
	sealed TEXT NOT NULL,
	created_at TEXT NOT NULL
);

CREATE TABLE sign_in_links (
	sum TEXT PRIMARY KEY, -- of the code; the code itself is not kept
	tenant_id TEXT NOT NULL,
	member_id TEXT NOT NULL,
	expires_at TEXT NOT NULL,
	FOREIGN KEY (tenant_id, member_id) REFERENCES members (tenant_id, id)
);

CREATE TABLE tags (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	name TEXT NOT NULL,
	search_key TEXT NOT NULL,
	created_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	UNIQUE (tenant_id, search_key)
);

-- tenant_id is empty for work of the program itself.
CREATE TABLE jobs (
	id TEXT PRIMARY KEY,
	tenant_id TEXT NOT NULL,
	kind TEXT NOT NULL,
	payload TEXT NOT NULL,
	unique_key TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'failed', 'done')),
	run_at TEXT NOT NULL,
	attempts BIGINT NOT NULL,
	max_attempts BIGINT NOT NULL,
	fence BIGINT NOT NULL, -- grows with every claim; only its holder may write
	lease_until TEXT NOT NULL,
	done BIGINT NOT NULL,
	total BIGINT NOT NULL,
	error TEXT NOT NULL,
	created_at TEXT NOT NULL,
	finished_at TEXT NOT NULL
);
CREATE INDEX jobs_by_turn ON jobs (state, run_at, id);
CREATE INDEX jobs_by_tenant ON jobs (tenant_id, id);
CREATE UNIQUE INDEX jobs_unfinished_once ON jobs (tenant_id, kind, unique_key)
	WHERE unique_key <> '' AND state IN ('waiting', 'running');

-- One row for each time that a scheduled job was due.
CREATE TABLE slots (
	schedule TEXT NOT NULL,
	slot_at TEXT NOT NULL,
	PRIMARY KEY (schedule, slot_at)
);

CREATE TABLE idempotency_keys (
	tenant_id TEXT NOT NULL,
	actor_id TEXT NOT NULL,
	key TEXT NOT NULL,
	request_sum TEXT NOT NULL,
	answer TEXT NOT NULL,
	created_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, actor_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

CREATE TABLE audit_entries (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	at TEXT NOT NULL,
	actor_role TEXT NOT NULL,
	actor_id TEXT NOT NULL,
	actor_name TEXT NOT NULL,
	action TEXT NOT NULL,
	object_kind TEXT NOT NULL,
	object_id TEXT NOT NULL,
	before_state TEXT NOT NULL, -- JSON
	after_state TEXT NOT NULL, -- JSON
	reason TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);
CREATE INDEX audit_entries_by_object ON audit_entries (tenant_id, object_kind, object_id, id);

-- One row for each recipient of each mail. What it says and to whom is sealed.
CREATE TABLE mails (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	unique_key TEXT NOT NULL,
	sealed TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'failed')),
	reason TEXT NOT NULL,
	created_at TEXT NOT NULL,
	decided_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX mails_once ON mails (tenant_id, unique_key) WHERE unique_key <> '';
