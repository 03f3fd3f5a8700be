-- Drivers who were told how to let the partner issue invoices at KSeF, while some of theirs are held for want of it.
CREATE TABLE ksef_grant_notices (
	tenant_id TEXT NOT NULL,
	environment TEXT NOT NULL,
	driver_id TEXT NOT NULL,
	told_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, environment, driver_id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id)
);
