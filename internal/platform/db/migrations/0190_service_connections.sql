-- Connections of a partner to services of others: fuel cards and drives.
CREATE TABLE service_connections (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	kind TEXT NOT NULL,
	version BIGINT NOT NULL,
	public TEXT NOT NULL, -- JSON: what is shown again
	sealed TEXT NOT NULL, -- the password; it is never shown again
	state TEXT NOT NULL CHECK (state IN ('untested', 'working', 'failing', 'stopped')),
	reason TEXT NOT NULL,
	since TEXT NOT NULL, -- in this state
	last_try_at TEXT NOT NULL,
	last_ok_at TEXT NOT NULL,
	failures BIGINT NOT NULL,
	next_at TEXT NOT NULL,
	free BIGINT NOT NULL, -- bytes on a drive; -1: not known
	made_by TEXT NOT NULL,
	changed_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	UNIQUE (tenant_id, kind),
	FOREIGN KEY (tenant_id) REFERENCES partners (tenant_id)
);
