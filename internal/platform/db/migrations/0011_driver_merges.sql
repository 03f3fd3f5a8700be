-- Two drivers that turned out to be one person: who stayed, who gave way, and what brings both back.
CREATE TABLE driver_merges (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	kept_id TEXT NOT NULL,
	merged_id TEXT NOT NULL,
	kept_version BIGINT NOT NULL, -- of the kept driver when it was done; orders the merges of one driver without a clock
	merged_at TEXT NOT NULL,
	merged_by TEXT NOT NULL, -- the person's name; empty: the program
	reason TEXT NOT NULL,
	state_sealed TEXT NOT NULL, -- both as they were and what the merge made of them; empty: undone
	undone_at TEXT NOT NULL, -- empty: it stands
	undone_by TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id, kept_id) REFERENCES drivers (tenant_id, id),
	FOREIGN KEY (tenant_id, merged_id) REFERENCES drivers (tenant_id, id),
	CHECK (kept_id <> merged_id)
);
CREATE INDEX driver_merges_by_kept ON driver_merges (tenant_id, kept_id);
-- nobody gives way to two at once
CREATE UNIQUE INDEX driver_merges_standing ON driver_merges (tenant_id, merged_id) WHERE undone_at = '';

-- Which transactions went from one driver to the other, so that exactly these can go back.
CREATE TABLE driver_merge_transactions (
	tenant_id TEXT NOT NULL,
	merge_id TEXT NOT NULL,
	transaction_id TEXT NOT NULL,
	PRIMARY KEY (tenant_id, merge_id, transaction_id),
	FOREIGN KEY (tenant_id, merge_id) REFERENCES driver_merges (tenant_id, id)
);

-- Who gave way to a driver.
CREATE INDEX drivers_by_standing ON drivers (tenant_id, merged_into) WHERE merged_into <> '';

-- Pairs that somebody looked at and called two different people.
CREATE TABLE drivers_told_apart (
	tenant_id TEXT NOT NULL,
	one_id TEXT NOT NULL, -- the smaller of the two ids
	two_id TEXT NOT NULL,
	told_at TEXT NOT NULL,
	told_by TEXT NOT NULL,
	PRIMARY KEY (tenant_id, one_id, two_id),
	FOREIGN KEY (tenant_id, one_id) REFERENCES drivers (tenant_id, id),
	FOREIGN KEY (tenant_id, two_id) REFERENCES drivers (tenant_id, id),
	CHECK (one_id < two_id)
);
