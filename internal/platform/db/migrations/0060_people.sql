-- Where a person of a partner's office stands. Drivers among the members are always active.
ALTER TABLE members ADD COLUMN state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('invited', 'active', 'blocked', 'withdrawn'));
ALTER TABLE members ADD COLUMN state_since TEXT NOT NULL DEFAULT '';
ALTER TABLE members ADD COLUMN first_name TEXT NOT NULL DEFAULT ''; -- of an invitation
ALTER TABLE members ADD COLUMN last_name TEXT NOT NULL DEFAULT '';
ALTER TABLE members ADD COLUMN language TEXT NOT NULL DEFAULT ''; -- of its mail
ALTER TABLE members ADD COLUMN invited_at TEXT NOT NULL DEFAULT '';
ALTER TABLE members ADD COLUMN sent_at TEXT NOT NULL DEFAULT ''; -- when its mail was last asked for
ALTER TABLE members ADD COLUMN sendings BIGINT NOT NULL DEFAULT 0;
ALTER TABLE members ADD COLUMN problem TEXT NOT NULL DEFAULT '' CHECK (problem IN ('', 'taken', 'unsent')); -- why its mail did not go out

UPDATE members SET state_since = created_at;
CREATE INDEX driver_accounts_by_email ON driver_accounts (email) WHERE email <> '';

-- Requests to release batches by one person again. One person asks, another decides.
CREATE TABLE two_person_requests (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('pending', 'confirmed', 'rejected', 'withdrawn', 'lapsed')), -- lapsed: who asked has lost their access
	requested_at TEXT NOT NULL,
	requested_by TEXT NOT NULL, -- the person's name
	requested_by_id TEXT NOT NULL,
	decided_at TEXT NOT NULL,
	decided_by TEXT NOT NULL,
	decided_by_id TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	CHECK (state NOT IN ('confirmed', 'rejected') OR decided_by_id <> requested_by_id)
);
CREATE UNIQUE INDEX two_person_requests_pending_once ON two_person_requests (tenant_id) WHERE state = 'pending';

CREATE GUARD two_person_requests_stand BEFORE UPDATE ON two_person_requests
	WHEN TRUE
	UNLESS OLD.state = 'pending' AND NEW.state <> 'pending' AND (NEW.tenant_id, NEW.id, NEW.requested_at, NEW.requested_by, NEW.requested_by_id)
		= (OLD.tenant_id, OLD.id, OLD.requested_at, OLD.requested_by, OLD.requested_by_id);
CREATE GUARD two_person_requests_stay BEFORE DELETE ON two_person_requests
	WHEN TRUE
	UNLESS FALSE;

-- Batches need two people until a second person has confirmed, in the same unit of work, that they need no more.
CREATE GUARD payout_settings_two_people BEFORE UPDATE ON payout_settings
	WHEN OLD.second_person AND NOT NEW.second_person
	UNLESS EXISTS (SELECT 1 FROM two_person_requests r WHERE r.tenant_id = NEW.tenant_id AND r.state = 'confirmed' AND r.decided_at = NEW.updated_at);
CREATE GUARD payout_settings_stay BEFORE DELETE ON payout_settings
	WHEN OLD.second_person
	UNLESS FALSE;
