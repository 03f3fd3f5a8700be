-- How a partner pays its drivers.
CREATE TABLE payout_settings (
	tenant_id TEXT PRIMARY KEY REFERENCES partners (tenant_id),
	profile TEXT NOT NULL, -- of the bank whose file is made; empty: none was chosen yet
	foreign_profile TEXT NOT NULL, -- for accounts abroad; empty: they are left out
	second_person BOOLEAN NOT NULL, -- a batch is made by one and released by another
	version BIGINT NOT NULL,
	updated_at TEXT NOT NULL
);

-- The last number that a batch of the partner got. It only grows.
CREATE TABLE payout_numbers (
	tenant_id TEXT PRIMARY KEY REFERENCES partners (tenant_id),
	last BIGINT NOT NULL
);

-- Transfers that a bank is told of together, or money that is handed over in cash.
CREATE TABLE payout_batches (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	number BIGINT NOT NULL,
	id TEXT NOT NULL, -- what banks know it by; never used again
	way TEXT NOT NULL CHECK (way IN ('domestic', 'foreign', 'cash')),
	state TEXT NOT NULL CHECK (state IN ('proposed', 'released', 'cancelled')), -- proposed: waits for a second person
	profile TEXT NOT NULL, -- of the file; empty: there is none, it is cash
	pay_on TEXT NOT NULL,
	currency TEXT NOT NULL,
	settlements BIGINT NOT NULL,
	transfers BIGINT NOT NULL,
	sum BIGINT NOT NULL CHECK (sum > 0),
	payer_sealed TEXT NOT NULL, -- JSON: name, address and account of the partner as they were
	file_sum TEXT NOT NULL, -- SHA-256 of the file
	created_at TEXT NOT NULL,
	created_by TEXT NOT NULL, -- the person's name
	created_by_id TEXT NOT NULL,
	released_at TEXT NOT NULL,
	released_by TEXT NOT NULL,
	cancelled_at TEXT NOT NULL,
	cancelled_by TEXT NOT NULL,
	cancel_reason TEXT NOT NULL,
	PRIMARY KEY (tenant_id, number),
	UNIQUE (id)
);

-- One transfer: whom, how much and what for, by value. It is paid as it was shown, whatever changes at the driver.
CREATE TABLE payout_transfers (
	tenant_id TEXT NOT NULL,
	batch BIGINT NOT NULL,
	place BIGINT NOT NULL, -- in the file, from 1
	settlement_id TEXT NOT NULL,
	driver_id TEXT NOT NULL, -- who is paid
	purpose TEXT NOT NULL,
	amount BIGINT NOT NULL CHECK (amount > 0),
	vat BIGINT NOT NULL, -- that is named as split payment; 0: none
	reference TEXT NOT NULL, -- what it is known by in a statement of the bank
	payee_sealed TEXT NOT NULL, -- JSON: name, account, tax id and title
	PRIMARY KEY (tenant_id, batch, place),
	UNIQUE (tenant_id, reference),
	FOREIGN KEY (tenant_id, batch) REFERENCES payout_batches (tenant_id, number),
	FOREIGN KEY (tenant_id, settlement_id) REFERENCES settlements (tenant_id, id)
);
CREATE INDEX payout_transfers_by_settlement ON payout_transfers (tenant_id, settlement_id);

-- The live batch that pays a settlement; 0: none. One statement takes it, so no settlement is in two.
ALTER TABLE settlements ADD COLUMN batch BIGINT NOT NULL DEFAULT 0;
CREATE INDEX settlements_by_batch ON settlements (tenant_id, batch) WHERE batch > 0;

-- What was told to a bank does not change: a batch is only released or cancelled, and only once.
CREATE GUARD payout_batches_stand BEFORE UPDATE ON payout_batches
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.number, NEW.id, NEW.way, NEW.profile, NEW.pay_on, NEW.currency, NEW.settlements, NEW.transfers, NEW.sum, NEW.payer_sealed, NEW.file_sum, NEW.created_at,
		NEW.created_by, NEW.created_by_id)
		= (OLD.tenant_id, OLD.number, OLD.id, OLD.way, OLD.profile, OLD.pay_on, OLD.currency, OLD.settlements, OLD.transfers, OLD.sum, OLD.payer_sealed, OLD.file_sum, OLD.created_at,
		OLD.created_by, OLD.created_by_id)
		AND (OLD.state = 'proposed' AND NEW.state IN ('released', 'cancelled') OR OLD.state = 'released' AND NEW.state = 'cancelled');
CREATE GUARD payout_batches_stay BEFORE DELETE ON payout_batches
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD payout_transfers_stand BEFORE UPDATE ON payout_transfers
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD payout_transfers_stay BEFORE DELETE ON payout_transfers
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD batched_settlements_stay BEFORE UPDATE ON settlements
	WHEN OLD.batch > 0
	UNLESS NEW.state <> 'revoked' AND NEW.batch IN (0, OLD.batch);
