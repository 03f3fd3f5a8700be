-- The key pair by which push services know this instance: one row, shared by all processes. Another pair ends every subscription.
CREATE TABLE push_keys (
	id TEXT PRIMARY KEY CHECK (id = 'vapid'),
	public_key TEXT NOT NULL,
	sealed TEXT NOT NULL, -- the private key
	created_at TEXT NOT NULL
);

-- The devices on which a driver (tenant_id is their account) wants to be told of notes. A device is one driver's: a browser
-- that somebody else signs in with is theirs from then on.
CREATE TABLE push_subscriptions (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	endpoint_hash TEXT NOT NULL UNIQUE, -- SHA-256 of the address at the push service
	sealed TEXT NOT NULL, -- that address and the keys of the browser
	device TEXT NOT NULL,
	created_at TEXT NOT NULL,
	last_ok_at TEXT NOT NULL,
	failures BIGINT NOT NULL CHECK (failures >= 0), -- since last_ok_at
	PRIMARY KEY (tenant_id, id)
);
