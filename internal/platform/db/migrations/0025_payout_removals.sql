-- A transfer of a settlement that was taken out of its batch: what came back is paid anew, what was paid stays paid.
CREATE TABLE payout_removals (
	tenant_id TEXT NOT NULL,
	batch BIGINT NOT NULL,
	place BIGINT NOT NULL,
	settlement_id TEXT NOT NULL,
	returned BOOLEAN NOT NULL, -- it came back or was not made, as a bank or a person says
	reason TEXT NOT NULL,
	removed_at TEXT NOT NULL,
	removed_by TEXT NOT NULL,
	PRIMARY KEY (tenant_id, batch, place),
	FOREIGN KEY (tenant_id, batch, place) REFERENCES payout_transfers (tenant_id, batch, place),
	FOREIGN KEY (tenant_id, settlement_id) REFERENCES settlements (tenant_id, id)
);
CREATE GUARD payout_removals_stand BEFORE UPDATE ON payout_removals
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD payout_removals_stay BEFORE DELETE ON payout_removals
	WHEN TRUE
	UNLESS FALSE;
