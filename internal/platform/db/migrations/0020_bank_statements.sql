-- A bank's statement that somebody confirmed. The file itself is not kept: it speaks of others' money too.
CREATE TABLE bank_statements (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	file_name TEXT NOT NULL,
	file_sum TEXT NOT NULL, -- SHA-256
	first_day TEXT NOT NULL, -- of its entries
	last_day TEXT NOT NULL,
	entries BIGINT NOT NULL,
	paid BIGINT NOT NULL, -- transfers that it says were made
	returned BIGINT NOT NULL, -- and came back
	confirmed_at TEXT NOT NULL,
	confirmed_by TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);
CREATE INDEX bank_statements_by_file ON bank_statements (tenant_id, file_sum);

-- What became of a transfer, as a statement says. It is said once.
CREATE TABLE payout_outcomes (
	tenant_id TEXT NOT NULL,
	batch BIGINT NOT NULL,
	place BIGINT NOT NULL,
	outcome TEXT NOT NULL CHECK (outcome IN ('paid', 'returned')),
	day TEXT NOT NULL, -- of booking
	reason_sealed TEXT NOT NULL, -- why it came back, in the bank's words; empty: none
	statement_id TEXT NOT NULL,
	PRIMARY KEY (tenant_id, batch, place, outcome),
	FOREIGN KEY (tenant_id, batch, place) REFERENCES payout_transfers (tenant_id, batch, place),
	FOREIGN KEY (tenant_id, statement_id) REFERENCES bank_statements (tenant_id, id)
);
CREATE GUARD payout_outcomes_stand BEFORE UPDATE ON payout_outcomes
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD payout_outcomes_stay BEFORE DELETE ON payout_outcomes
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD bank_statements_stand BEFORE UPDATE ON bank_statements
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD bank_statements_stay BEFORE DELETE ON bank_statements
	WHEN TRUE
	UNLESS FALSE;
