-- Reports that are mailed by themselves.
CREATE TABLE report_schedules (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	report_id TEXT NOT NULL, -- of the partner or of the operator
	parameters TEXT NOT NULL, -- JSON
	every TEXT NOT NULL CHECK (every IN ('week', 'month')),
	weekday BIGINT NOT NULL CHECK (weekday BETWEEN 1 AND 7), -- 1 Monday; of a month: not used
	day BIGINT NOT NULL CHECK (day BETWEEN 1 AND 31), -- of the month, its last one where it is shorter; of a week: not used
	hour BIGINT NOT NULL CHECK (hour BETWEEN 0 AND 23), -- in the zone of the instance
	format TEXT NOT NULL CHECK (format IN ('xlsx', 'csv', 'pdf')),
	recipients TEXT NOT NULL, -- JSON: ids of members
	paused BOOLEAN NOT NULL,
	reason TEXT NOT NULL CHECK (reason IN ('', 'definition', 'recipients', 'size')), -- why the program paused it; empty: a person did, or it runs
	next_at TEXT NOT NULL, -- when it is due; empty: it is paused
	last_at TEXT NOT NULL, -- when it was last due and sent
	sent BIGINT NOT NULL, -- to how many people then
	version BIGINT NOT NULL CHECK (version > 0),
	owner TEXT NOT NULL, -- id of the member who made it
	owner_name TEXT NOT NULL,
	made_at TEXT NOT NULL,
	changed_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);
CREATE INDEX report_schedules_by_turn ON report_schedules (next_at) WHERE next_at <> '';
