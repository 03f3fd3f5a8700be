-- By whom and with what a partner sends SMS. SMS are off where there is no row, or no credentials.
CREATE TABLE sms_settings (
	tenant_id TEXT PRIMARY KEY REFERENCES partners (tenant_id),
	provider TEXT NOT NULL CHECK (provider IN ('smsapi', 'twilio')),
	sender TEXT NOT NULL, -- what phones show
	part_cost BIGINT NOT NULL CHECK (part_cost >= 0), -- of one part, as the partner pays it
	month_parts BIGINT NOT NULL CHECK (month_parts >= 0), -- the most that are sent in a month
	sealed TEXT NOT NULL, -- the credentials, and the secret of report addresses; empty: off
	credentials_id TEXT NOT NULL, -- another one whenever it may be another account at the provider
	report_hash TEXT NOT NULL, -- SHA-256 of the secret of report addresses; empty: off
	changed_at TEXT NOT NULL,
	changed_by TEXT NOT NULL
);
CREATE UNIQUE INDEX sms_settings_reports ON sms_settings (report_hash) WHERE report_hash <> '';

-- How many parts of a month are reserved or sent.
CREATE TABLE sms_months (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	month TEXT NOT NULL, -- YYYY-MM on the instance's clock
	parts BIGINT NOT NULL CHECK (parts >= 0),
	PRIMARY KEY (tenant_id, month)
);

-- The SMS with which a driver gets a message.
CREATE TABLE message_sms (
	tenant_id TEXT NOT NULL,
	message_id TEXT NOT NULL,
	driver_id TEXT NOT NULL,
	id TEXT NOT NULL, -- by which the provider is asked; another one when it is tried again
	state TEXT NOT NULL CHECK (state IN ('reserved', 'queued', 'accepted', 'delivered', 'undelivered', 'failed', 'expired')),
	reason TEXT NOT NULL, -- why it was not delivered
	month TEXT NOT NULL, -- of which parts are reserved
	parts BIGINT NOT NULL CHECK (parts >= 0), -- of its text
	cost BIGINT NOT NULL CHECK (cost >= 0),
	phone TEXT NOT NULL, -- its last digits
	sealed TEXT NOT NULL, -- number and text, from the first attempt until it is known what became of it
	credentials_id TEXT NOT NULL, -- of the attempt
	provider_ref TEXT NOT NULL, -- the provider's id
	tries BIGINT NOT NULL CHECK (tries >= 0),
	created_at TEXT NOT NULL,
	attempted_at TEXT NOT NULL, -- set before the provider is called; queued and attempted: perhaps sent
	accepted_at TEXT NOT NULL,
	decided_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, message_id, driver_id),
	FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id)
);
CREATE UNIQUE INDEX message_sms_by_id ON message_sms (tenant_id, id);
CREATE INDEX message_sms_by_ref ON message_sms (tenant_id, provider_ref) WHERE provider_ref <> '';
CREATE INDEX message_sms_open ON message_sms (tenant_id, id) WHERE state IN ('reserved', 'queued');

ALTER TABLE messages ADD COLUMN plain BOOLEAN NOT NULL DEFAULT FALSE; -- SMS are written without Polish letters

-- One more reason to leave a driver out: no phone number.
ALTER TABLE message_recipients RENAME TO message_recipients_before;
DROP INDEX message_recipients_once;
CREATE TABLE message_recipients (
	tenant_id TEXT NOT NULL,
	message_id TEXT NOT NULL,
	place BIGINT NOT NULL, -- from 1
	driver_id TEXT NOT NULL,
	refusal TEXT NOT NULL CHECK (refusal IN ('', 'blocked', 'inactive', 'no_address', 'no_phone')), -- empty: gets it
	PRIMARY KEY (tenant_id, message_id, place),
	FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id)
);
INSERT INTO message_recipients (tenant_id, message_id, place, driver_id, refusal)
	SELECT tenant_id, message_id, place, driver_id, refusal FROM message_recipients_before;
DROP TABLE message_recipients_before;
CREATE UNIQUE INDEX message_recipients_once ON message_recipients (tenant_id, message_id, driver_id);
