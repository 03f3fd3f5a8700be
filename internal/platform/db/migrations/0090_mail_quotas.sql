-- How many mails were asked for within a window: by a partner on a day, to an address in an hour. Addresses stand here as fingerprints.
CREATE TABLE mail_quotas (
	tenant_id TEXT NOT NULL,
	subject TEXT NOT NULL, -- 'day', or 'to:' and whom the mails are for
	window_start TEXT NOT NULL,
	used BIGINT NOT NULL CHECK (used >= 0),
	PRIMARY KEY (tenant_id, subject, window_start)
);

-- One more reason for leaving a driver out of sending: no more mails may be sent now.
ALTER TABLE summary_recipients RENAME TO summary_recipients_before;

CREATE TABLE summary_recipients (
	tenant_id TEXT NOT NULL,
	sending_id TEXT NOT NULL,
	place BIGINT NOT NULL, -- from 1
	settlement_id TEXT NOT NULL,
	refusal TEXT NOT NULL CHECK (refusal IN ('', 'no_address', 'sent', 'revoked', 'absorbed', 'blocked', 'quota')), -- empty: it is sent
	PRIMARY KEY (tenant_id, sending_id, place),
	FOREIGN KEY (tenant_id, sending_id) REFERENCES summary_sendings (tenant_id, id),
	FOREIGN KEY (tenant_id, settlement_id) REFERENCES settlements (tenant_id, id)
);

INSERT INTO summary_recipients (tenant_id, sending_id, place, settlement_id, refusal)
	SELECT tenant_id, sending_id, place, settlement_id, refusal FROM summary_recipients_before;

DROP TABLE summary_recipients_before;
