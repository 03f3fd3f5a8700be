-- A wish to send bills: whom it would reach, and what became of it.
CREATE TABLE summary_sendings (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('preview', 'waiting', 'running', 'done', 'cancelled')),
	again BOOLEAN NOT NULL, -- also whom a bill was sent before
	whole BOOLEAN NOT NULL, -- all of a filter
	recipients BIGINT NOT NULL, -- who gets one
	refused BIGINT NOT NULL, -- who does not
	place BIGINT NOT NULL, -- how far it is
	starts_at TEXT NOT NULL, -- until then it can be cancelled; empty: it was not started
	created_at TEXT NOT NULL,
	created_by TEXT NOT NULL,
	started_at TEXT NOT NULL,
	started_by TEXT NOT NULL,
	finished_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);

CREATE TABLE summary_recipients (
	tenant_id TEXT NOT NULL,
	sending_id TEXT NOT NULL,
	place BIGINT NOT NULL, -- from 1
	settlement_id TEXT NOT NULL,
	refusal TEXT NOT NULL CHECK (refusal IN ('', 'no_address', 'sent', 'revoked', 'absorbed')), -- empty: it is sent
	PRIMARY KEY (tenant_id, sending_id, place),
	FOREIGN KEY (tenant_id, sending_id) REFERENCES summary_sendings (tenant_id, id),
	FOREIGN KEY (tenant_id, settlement_id) REFERENCES settlements (tenant_id, id)
);

-- One bill that was sent: a mail with a link to the summary of a settlement. Where its mail stands is in mails.
CREATE TABLE summaries (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	sending_id TEXT NOT NULL,
	settlement_id TEXT NOT NULL,
	driver_id TEXT NOT NULL, -- whom it was sent to
	address TEXT NOT NULL, -- e-mail, as it was
	language TEXT NOT NULL,
	mail_id TEXT NOT NULL,
	token_sum TEXT NOT NULL, -- SHA-256; the token itself stands in the mail alone
	sent_by TEXT NOT NULL, -- the person's name
	created_at TEXT NOT NULL,
	expires_at TEXT NOT NULL,
	opened_at TEXT NOT NULL, -- for the first time; empty: not yet
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id, sending_id) REFERENCES summary_sendings (tenant_id, id),
	FOREIGN KEY (tenant_id, settlement_id) REFERENCES settlements (tenant_id, id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id)
);
CREATE UNIQUE INDEX summaries_by_token ON summaries (token_sum);
CREATE INDEX summaries_by_settlement ON summaries (tenant_id, settlement_id, id);
CREATE INDEX summaries_by_sending ON summaries (tenant_id, sending_id);
