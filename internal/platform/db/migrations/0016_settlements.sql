-- Units that a partner was given or bought. How many there are and how many are used stands in partners, where one
-- statement guards both.
CREATE TABLE licences (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	units BIGINT NOT NULL CHECK (units > 0),
	note TEXT NOT NULL,
	created_at TEXT NOT NULL,
	created_by TEXT NOT NULL, -- the person's name; empty: the program
	PRIMARY KEY (tenant_id, id)
);

-- What drivers were settled by: the schema's rules, VAT, commission and frequency by value. Many settlements have the same.
CREATE TABLE settlement_terms (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL, -- sum of the text
	terms TEXT NOT NULL, -- JSON
	PRIMARY KEY (tenant_id, id)
);

-- The last number that a settlement of the partner got. It only grows.
CREATE TABLE settlement_numbers (
	tenant_id TEXT PRIMARY KEY REFERENCES partners (tenant_id),
	last BIGINT NOT NULL
);

-- A wish to settle: what was shown before it, and what became of it.
CREATE TABLE settlement_runs (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	period TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('preview', 'running', 'done', 'changed', 'short')),
	share BOOLEAN NOT NULL, -- the drivers see it at once
	as_many_as_fit BOOLEAN NOT NULL,
	drivers BIGINT NOT NULL, -- who can be settled
	payout BIGINT NOT NULL, -- theirs
	refused BIGINT NOT NULL, -- who cannot
	place BIGINT NOT NULL, -- how far it is
	reserved BIGINT NOT NULL CHECK (reserved >= 0), -- units of the licence that are kept for it
	settled BIGINT NOT NULL,
	settled_payout BIGINT NOT NULL,
	missing BIGINT NOT NULL, -- units, of one that is short of them
	shown TEXT NOT NULL, -- JSON: reasons, checks and missing files that were shown
	created_at TEXT NOT NULL,
	created_by TEXT NOT NULL,
	started_at TEXT NOT NULL,
	started_by TEXT NOT NULL,
	finished_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id)
);

CREATE TABLE settlement_run_drivers (
	tenant_id TEXT NOT NULL,
	run_id TEXT NOT NULL,
	place BIGINT NOT NULL, -- from 1
	driver_id TEXT NOT NULL,
	due BIGINT NOT NULL,
	payout BIGINT NOT NULL,
	shown TEXT NOT NULL, -- sum of all figures that were shown
	refusal TEXT NOT NULL, -- why it could not be settled when it was shown; empty: it could
	outcome TEXT NOT NULL CHECK (outcome IN ('', 'settled', 'refused', 'changed', 'limit', 'failed')), -- empty: not attempted
	reason TEXT NOT NULL,
	due_now BIGINT NOT NULL, -- of one that changed
	PRIMARY KEY (tenant_id, run_id, place),
	FOREIGN KEY (tenant_id, run_id) REFERENCES settlement_runs (tenant_id, id)
);

CREATE TABLE settlements (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	number BIGINT NOT NULL,
	driver_id TEXT NOT NULL,
	run_id TEXT NOT NULL,
	period TEXT NOT NULL,
	ordinal BIGINT NOT NULL, -- 0; of supplementary ones 1, 2 …
	weeks BIGINT NOT NULL,
	first_on TEXT NOT NULL,
	last_on TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('settled', 'paid', 'revoked')),
	absorbed_into TEXT NOT NULL, -- the settlement that took its debt over; empty: none
	terms_id TEXT NOT NULL,
	currency TEXT NOT NULL,
	transactions BIGINT NOT NULL, -- how many it took
	carry_in BIGINT NOT NULL,
	revenue BIGINT NOT NULL,
	cash_collected BIGINT NOT NULL,
	fee BIGINT NOT NULL,
	due BIGINT NOT NULL,
	payout BIGINT NOT NULL CHECK (payout >= 0),
	next_period_transfer BIGINT NOT NULL,
	tax_excess BIGINT NOT NULL,
	figures TEXT NOT NULL, -- JSON
	apps TEXT NOT NULL, -- JSON
	transfers TEXT NOT NULL, -- JSON
	settled_at TEXT NOT NULL,
	settled_by TEXT NOT NULL, -- the person's name
	shared_at TEXT NOT NULL, -- the driver sees it from then on; empty: not yet
	paid_on TEXT NOT NULL,
	paid_at TEXT NOT NULL,
	paid_by TEXT NOT NULL,
	revoked_at TEXT NOT NULL,
	revoked_by TEXT NOT NULL,
	revoke_reason TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	UNIQUE (tenant_id, number),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id),
	FOREIGN KEY (tenant_id, terms_id) REFERENCES settlement_terms (tenant_id, id),
	CHECK (payout + next_period_transfer = due),
	CHECK ((state = 'revoked') = (revoked_at <> '')),
	CHECK ((state = 'paid') = (paid_on <> ''))
);
-- nothing is settled twice, whatever runs at the same time
CREATE UNIQUE INDEX settlements_once ON settlements (tenant_id, driver_id, period, ordinal) WHERE state <> 'revoked';
CREATE INDEX settlements_by_driver ON settlements (tenant_id, driver_id, last_on);
CREATE INDEX settlements_by_period ON settlements (tenant_id, period, number);
CREATE INDEX settlements_by_run ON settlements (tenant_id, run_id);
CREATE INDEX settlements_absorbed ON settlements (tenant_id, absorbed_into) WHERE absorbed_into <> '';

-- Which settled settlements of the same weeks a supplementary one took into account. They are not revoked before it.
CREATE TABLE settlement_bases (
	tenant_id TEXT NOT NULL,
	settlement_id TEXT NOT NULL,
	base_id TEXT NOT NULL,
	PRIMARY KEY (tenant_id, settlement_id, base_id),
	FOREIGN KEY (tenant_id, settlement_id) REFERENCES settlements (tenant_id, id),
	FOREIGN KEY (tenant_id, base_id) REFERENCES settlements (tenant_id, id)
);
CREATE INDEX settlement_bases_by_base ON settlement_bases (tenant_id, base_id);

-- What a settlement left for the driver's next period.
CREATE TABLE settlement_carries (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	settlement_id TEXT NOT NULL,
	driver_id TEXT NOT NULL,
	type TEXT NOT NULL,
	amount BIGINT NOT NULL,
	occurred_on TEXT NOT NULL,
	from_period TEXT NOT NULL, -- whose amount it is: that settlement's, or one's it absorbed
	transaction_id TEXT NOT NULL, -- empty: not carried
	carried_at TEXT NOT NULL,
	carried_by TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id, settlement_id) REFERENCES settlements (tenant_id, id)
);
CREATE INDEX settlement_carries_by_settlement ON settlement_carries (tenant_id, settlement_id);
CREATE INDEX settlement_carries_waiting ON settlement_carries (tenant_id, driver_id) WHERE transaction_id = '';

-- What was settled does not change, whoever tries: a settlement only becomes paid, unpaid, shared or revoked, and what
-- it took is only freed, as it was, once it is revoked.
CREATE GUARD settlements_stand BEFORE UPDATE ON settlements
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.id, NEW.number, NEW.driver_id, NEW.run_id, NEW.period, NEW.ordinal, NEW.weeks, NEW.first_on, NEW.last_on, NEW.absorbed_into, NEW.terms_id, NEW.currency,
		NEW.transactions, NEW.carry_in, NEW.revenue, NEW.cash_collected, NEW.fee, NEW.due, NEW.payout, NEW.next_period_transfer, NEW.tax_excess, NEW.figures, NEW.apps, NEW.transfers,
		NEW.settled_at, NEW.settled_by)
		= (OLD.tenant_id, OLD.id, OLD.number, OLD.driver_id, OLD.run_id, OLD.period, OLD.ordinal, OLD.weeks, OLD.first_on, OLD.last_on, OLD.absorbed_into, OLD.terms_id, OLD.currency,
		OLD.transactions, OLD.carry_in, OLD.revenue, OLD.cash_collected, OLD.fee, OLD.due, OLD.payout, OLD.next_period_transfer, OLD.tax_excess, OLD.figures, OLD.apps, OLD.transfers,
		OLD.settled_at, OLD.settled_by)
		AND (OLD.state <> 'revoked' AND (NEW.state = OLD.state OR OLD.state = 'settled' OR NEW.state = 'settled'));
CREATE GUARD settlements_stay BEFORE DELETE ON settlements
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD settlement_terms_stand BEFORE UPDATE ON settlement_terms
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD settlement_terms_stay BEFORE DELETE ON settlement_terms
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD settled_transactions_stand BEFORE UPDATE ON transactions
	WHEN OLD.settlement_id <> ''
	UNLESS NEW.settlement_id = ''
		AND (NEW.tenant_id, NEW.id, NEW.driver_id, NEW.provider, NEW.type, NEW.amount, NEW.currency, NEW.occurred_at, NEW.occurred_on, NEW.span_from, NEW.span_to, NEW.name, NEW.description,
		NEW.payment, NEW.twin_id, NEW.source, NEW.import_id, NEW.source_file, NEW.source_row, NEW.source_column, NEW.external_id, NEW.evidence, NEW.reason, NEW.row_key, NEW.identity_id, NEW.deleted_at)
		= (OLD.tenant_id, OLD.id, OLD.driver_id, OLD.provider, OLD.type, OLD.amount, OLD.currency, OLD.occurred_at, OLD.occurred_on, OLD.span_from, OLD.span_to, OLD.name, OLD.description,
		OLD.payment, OLD.twin_id, OLD.source, OLD.import_id, OLD.source_file, OLD.source_row, OLD.source_column, OLD.external_id, OLD.evidence, OLD.reason, OLD.row_key, OLD.identity_id, OLD.deleted_at)
		AND EXISTS (SELECT 1 FROM settlements s WHERE s.tenant_id = OLD.tenant_id AND s.id = OLD.settlement_id AND s.state = 'revoked');
CREATE GUARD settled_transactions_stay BEFORE DELETE ON transactions
	WHEN OLD.settlement_id <> ''
	UNLESS FALSE;
CREATE GUARD settlement_carries_stand BEFORE UPDATE ON settlement_carries
	WHEN TRUE
	UNLESS OLD.transaction_id = '' AND (NEW.tenant_id, NEW.id, NEW.settlement_id, NEW.driver_id, NEW.type, NEW.amount, NEW.occurred_on, NEW.from_period)
		= (OLD.tenant_id, OLD.id, OLD.settlement_id, OLD.driver_id, OLD.type, OLD.amount, OLD.occurred_on, OLD.from_period);
CREATE GUARD settlement_carries_stay BEFORE DELETE ON settlement_carries
	WHEN TRUE
	UNLESS EXISTS (SELECT 1 FROM settlements s WHERE s.tenant_id = OLD.tenant_id AND s.id = OLD.settlement_id AND s.state = 'revoked');
CREATE GUARD schema_versions_stand BEFORE UPDATE ON schema_versions
	WHEN TRUE
	UNLESS FALSE;
CREATE GUARD schema_versions_stay BEFORE DELETE ON schema_versions
	WHEN TRUE
	UNLESS FALSE;

-- What a driver chose before the partner linked them, in weeks; 0: nothing.
ALTER TABLE driver_profiles ADD COLUMN settlement_frequency BIGINT NOT NULL DEFAULT 0;
