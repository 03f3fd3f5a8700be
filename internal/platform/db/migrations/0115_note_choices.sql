-- How a driver wants to be told, beside the board. No row: no mails of notes, everything else.
CREATE TABLE note_choices (
	tenant_id TEXT NOT NULL,
	driver_id TEXT NOT NULL,
	note_mails BOOLEAN NOT NULL, -- mails of what the program tells
	note_push BOOLEAN NOT NULL, -- devices learn of what the program tells
	message_mails BOOLEAN NOT NULL, -- mails of messages that the partner writes
	language TEXT NOT NULL, -- of mails and notifications; empty: that of the driver's card
	changed_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, driver_id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id)
);

-- One more reason to leave a driver out: no mails are wanted.
ALTER TABLE message_recipients RENAME TO message_recipients_before;
DROP INDEX message_recipients_once;
CREATE TABLE message_recipients (
	tenant_id TEXT NOT NULL,
	message_id TEXT NOT NULL,
	place BIGINT NOT NULL, -- from 1
	driver_id TEXT NOT NULL,
	refusal TEXT NOT NULL CHECK (refusal IN ('', 'blocked', 'inactive', 'no_address', 'no_phone', 'no_mails', 'no_settlement')), -- empty: gets it
	PRIMARY KEY (tenant_id, message_id, place),
	FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id)
);
INSERT INTO message_recipients (tenant_id, message_id, place, driver_id, refusal)
	SELECT tenant_id, message_id, place, driver_id, refusal FROM message_recipients_before;
DROP TABLE message_recipients_before;
CREATE UNIQUE INDEX message_recipients_once ON message_recipients (tenant_id, message_id, driver_id);

ALTER TABLE message_mails RENAME TO message_mails_before;
CREATE TABLE message_mails (
	tenant_id TEXT NOT NULL,
	message_id TEXT NOT NULL,
	driver_id TEXT NOT NULL,
	mail_id TEXT NOT NULL, -- empty: none was written
	refusal TEXT NOT NULL CHECK (refusal IN ('', 'no_address', 'quota', 'no_mails')), -- why none was written
	PRIMARY KEY (tenant_id, message_id, driver_id),
	FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id)
);
INSERT INTO message_mails (tenant_id, message_id, driver_id, mail_id, refusal)
	SELECT tenant_id, message_id, driver_id, mail_id, refusal FROM message_mails_before;
DROP TABLE message_mails_before;
