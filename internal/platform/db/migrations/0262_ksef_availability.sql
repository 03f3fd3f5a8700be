-- Whether KSeF works, as it says itself. It belongs to no tenant.
CREATE TABLE ksef_availability (
	tenant_id TEXT NOT NULL,
	environment TEXT NOT NULL,
	status TEXT NOT NULL CHECK (status IN ('AVAILABLE', 'MAINTENANCE', 'FAILURE', 'TOTAL_FAILURE')),
	since TEXT NOT NULL,
	asked_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, environment)
);

-- Times in which it did not, or will not, as it announced them. Deadlines depend on them.
CREATE TABLE ksef_outages (
	tenant_id TEXT NOT NULL,
	environment TEXT NOT NULL,
	event BIGINT NOT NULL, -- by which KSeF names it
	kind TEXT NOT NULL CHECK (kind IN ('unavailable', 'failure', 'total_failure')),
	from_at TEXT NOT NULL,
	to_at TEXT NOT NULL, -- empty: it goes on
	version BIGINT NOT NULL,
	PRIMARY KEY (tenant_id, environment, event)
);
