-- What a partner writes to drivers.
CREATE TABLE messages (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	topic TEXT NOT NULL,
	content TEXT NOT NULL,
	language TEXT NOT NULL,
	channels TEXT NOT NULL, -- JSON list of board, mail
	pinned BOOLEAN NOT NULL, -- first on the board
	confirm BOOLEAN NOT NULL, -- drivers are asked to say that they have read it
	everybody BOOLEAN NOT NULL, -- all drivers, not some
	recipients BIGINT NOT NULL, -- who gets it
	left_out BIGINT NOT NULL, -- who does not
	state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'cancelled')),
	place BIGINT NOT NULL, -- how far it is
	local_time TEXT NOT NULL, -- when it is to be sent, as it was written on the instance's clock; empty: at once
	starts_at TEXT NOT NULL, -- until then it can be cancelled
	created_at TEXT NOT NULL,
	created_by TEXT NOT NULL,
	finished_at TEXT NOT NULL,
	withdrawn_at TEXT NOT NULL, -- taken off every board; empty: not
	search_key TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);

-- The same message in other languages.
CREATE TABLE message_texts (
	tenant_id TEXT NOT NULL,
	message_id TEXT NOT NULL,
	language TEXT NOT NULL,
	topic TEXT NOT NULL,
	content TEXT NOT NULL,
	PRIMARY KEY (tenant_id, message_id, language),
	FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id)
);

-- To whom a message goes, as it was when it was ordered, and who of them is left out.
CREATE TABLE message_recipients (
	tenant_id TEXT NOT NULL,
	message_id TEXT NOT NULL,
	place BIGINT NOT NULL, -- from 1
	driver_id TEXT NOT NULL,
	refusal TEXT NOT NULL CHECK (refusal IN ('', 'blocked', 'inactive', 'no_address')), -- empty: gets it
	PRIMARY KEY (tenant_id, message_id, place),
	FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id)
);
CREATE UNIQUE INDEX message_recipients_once ON message_recipients (tenant_id, message_id, driver_id);

-- The mail with which a driver gets a message. Where it stands is in mails.
CREATE TABLE message_mails (
	tenant_id TEXT NOT NULL,
	message_id TEXT NOT NULL,
	driver_id TEXT NOT NULL,
	mail_id TEXT NOT NULL, -- empty: none was written
	refusal TEXT NOT NULL CHECK (refusal IN ('', 'no_address', 'quota')), -- why none was written
	PRIMARY KEY (tenant_id, message_id, driver_id),
	FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id)
);

-- What stands on the board of a driver: the copy of a message, or a note of the program.
CREATE TABLE notes (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	driver_id TEXT NOT NULL,
	message_id TEXT NOT NULL, -- empty: the program's
	kind TEXT NOT NULL, -- what it is about
	object_id TEXT NOT NULL, -- of what: a settlement, a question; empty for messages
	params TEXT NOT NULL, -- what its text says, as JSON
	pinned BOOLEAN NOT NULL,
	placed_at TEXT NOT NULL,
	read_at TEXT NOT NULL,
	confirmed_at TEXT NOT NULL,
	hidden_at TEXT NOT NULL, -- the driver deleted it, or it was taken back; empty: it is seen
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id)
);
CREATE UNIQUE INDEX notes_of_messages ON notes (tenant_id, message_id, driver_id) WHERE message_id <> '';
CREATE UNIQUE INDEX notes_of_objects ON notes (tenant_id, object_id, kind, driver_id) WHERE message_id = '';
CREATE INDEX notes_unread ON notes (tenant_id, driver_id) WHERE read_at = '' AND hidden_at = '';
CREATE INDEX notes_by_driver ON notes (tenant_id, driver_id, placed_at);

-- What was sent reads as it was sent.
CREATE GUARD messages_stand BEFORE UPDATE ON messages
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.id, NEW.topic, NEW.content, NEW.language, NEW.channels, NEW.confirm, NEW.created_at, NEW.created_by)
		= (OLD.tenant_id, OLD.id, OLD.topic, OLD.content, OLD.language, OLD.channels, OLD.confirm, OLD.created_at, OLD.created_by);
CREATE GUARD message_texts_stand BEFORE UPDATE ON message_texts
	WHEN TRUE
	UNLESS FALSE;
