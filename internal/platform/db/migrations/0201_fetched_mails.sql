-- Messages of partners' mailboxes that were looked at: each is read once.
CREATE TABLE fetched_mails (
	tenant_id TEXT NOT NULL,
	connection_id TEXT NOT NULL,
	place TEXT NOT NULL, -- folder, its validity and the number in it: the server gives them, not the sender
	message_id TEXT NOT NULL, -- as the sender wrote it
	state TEXT NOT NULL CHECK (state IN ('taken', 'nothing', 'refused')),
	at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, connection_id, place),
	FOREIGN KEY (tenant_id) REFERENCES partners (tenant_id)
);
