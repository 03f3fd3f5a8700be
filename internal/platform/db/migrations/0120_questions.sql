-- What a driver asks about a settlement: about all of it, a line, or a row behind the line. About the same thing there is one thread.
CREATE TABLE threads (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	settlement_id TEXT NOT NULL,
	driver_id TEXT NOT NULL, -- who asked
	figure TEXT NOT NULL, -- the line; empty: the whole settlement
	provider TEXT NOT NULL, -- the app, of a line that each app has
	row_id TEXT NOT NULL, -- a transaction behind the line; empty: the line itself
	row_type TEXT NOT NULL,
	row_on TEXT NOT NULL,
	amount BIGINT NOT NULL, -- what it was when it was asked about
	state TEXT NOT NULL CHECK (state IN ('open', 'answered', 'closed')),
	entries BIGINT NOT NULL, -- how many there are
	waiting_since TEXT NOT NULL, -- the driver waits for an answer since then; empty: they do not
	changed_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id, settlement_id) REFERENCES settlements (tenant_id, id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id)
);
CREATE UNIQUE INDEX threads_once ON threads (tenant_id, settlement_id, figure, provider, row_id);
CREATE INDEX threads_open ON threads (tenant_id, waiting_since) WHERE state = 'open';
CREATE INDEX threads_by_driver ON threads (tenant_id, driver_id);

CREATE TABLE thread_entries (
	tenant_id TEXT NOT NULL,
	thread_id TEXT NOT NULL,
	place BIGINT NOT NULL, -- from 1
	kind TEXT NOT NULL CHECK (kind IN ('text', 'closed')),
	author TEXT NOT NULL CHECK (author IN ('driver', 'partner')),
	author_name TEXT NOT NULL,
	content TEXT NOT NULL, -- may be empty where the thread was closed
	transaction_id TEXT NOT NULL, -- the correction that came with an answer; empty: none
	created_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, thread_id, place),
	FOREIGN KEY (tenant_id, thread_id) REFERENCES threads (tenant_id, id)
);

-- What was asked and answered reads as it was written.
CREATE GUARD threads_stand BEFORE UPDATE ON threads
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.id, NEW.settlement_id, NEW.driver_id, NEW.figure, NEW.provider, NEW.row_id, NEW.row_type, NEW.row_on, NEW.amount)
		= (OLD.tenant_id, OLD.id, OLD.settlement_id, OLD.driver_id, OLD.figure, OLD.provider, OLD.row_id, OLD.row_type, OLD.row_on, OLD.amount);
CREATE GUARD thread_entries_stand BEFORE UPDATE ON thread_entries
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD thread_entries_stay BEFORE DELETE ON thread_entries
	WHEN TRUE
	UNLESS FALSE;
