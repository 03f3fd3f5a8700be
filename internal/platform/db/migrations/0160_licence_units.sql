-- How many units a partner has and how many of them are used. One statement guards both; why they are what they are is in
-- licence_entries.
CREATE TABLE licence_balances (
	tenant_id TEXT PRIMARY KEY REFERENCES partners (tenant_id),
	granted BIGINT NOT NULL,
	used BIGINT NOT NULL,
	full_units BIGINT NOT NULL, -- what was left after units were last given or bought
	CHECK (used >= 0),
	CHECK (used <= granted)
);

-- Everything that changed a balance: what was given, bought, taken back with its money, used and given back unused. Settling many
-- drivers is one row.
CREATE TABLE licence_entries (
	tenant_id TEXT NOT NULL REFERENCES licence_balances (tenant_id),
	id TEXT NOT NULL,
	kind TEXT NOT NULL CHECK (kind IN ('grant', 'order', 'refund', 'use')),
	units BIGINT NOT NULL CHECK (units <> 0), -- below zero: taken from what is left
	order_id TEXT NOT NULL, -- of an order or its refund; empty: of none
	note TEXT NOT NULL,
	created_at TEXT NOT NULL,
	created_by TEXT NOT NULL, -- the person's name; empty: the program
	PRIMARY KEY (tenant_id, id),
	CHECK (kind NOT IN ('grant', 'order') OR units > 0),
	CHECK ((kind IN ('order', 'refund')) = (order_id <> ''))
);
CREATE UNIQUE INDEX licence_entries_order_once ON licence_entries (tenant_id, order_id) WHERE kind = 'order';
CREATE INDEX licence_entries_by_kind ON licence_entries (tenant_id, kind, created_at);
CREATE GUARD licence_entries_stay BEFORE UPDATE ON licence_entries
	WHEN TRUE
	UNLESS FALSE;

-- What the people of a partner are told of its units, until there are more again.
CREATE TABLE licence_notes (
	tenant_id TEXT NOT NULL REFERENCES licence_balances (tenant_id),
	id TEXT NOT NULL,
	kind TEXT NOT NULL CHECK (kind IN ('low', 'empty')),
	units_left BIGINT NOT NULL, -- when it was told
	told_at TEXT NOT NULL,
	seen_at TEXT NOT NULL,
	ended_at TEXT NOT NULL, -- when there were more units
	PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX licence_notes_once ON licence_notes (tenant_id, kind) WHERE ended_at = '';

INSERT INTO licence_balances (tenant_id, granted, used, full_units)
	SELECT tenant_id, settlement_limit, settlement_usage, settlement_limit - settlement_usage FROM partners;
INSERT INTO licence_entries (tenant_id, id, kind, units, order_id, note, created_at, created_by)
	SELECT tenant_id, id, 'grant', units, '', note, created_at, created_by FROM licences;
-- what a partner had from its first day on was written down nowhere else
INSERT INTO licence_entries (tenant_id, id, kind, units, order_id, note, created_at, created_by)
	SELECT p.tenant_id, 'first-' || p.tenant_id, 'grant', p.settlement_limit - CAST(COALESCE((SELECT SUM(l.units) FROM licences l
		WHERE l.tenant_id = p.tenant_id), 0) AS BIGINT), '', '', p.created_at, ''
	FROM partners p WHERE p.settlement_limit > CAST(COALESCE((SELECT SUM(l.units) FROM licences l WHERE l.tenant_id = p.tenant_id), 0) AS BIGINT);
INSERT INTO licence_entries (tenant_id, id, kind, units, order_id, note, created_at, created_by)
	SELECT p.tenant_id, 'used-' || p.tenant_id, 'use', -p.settlement_usage, '', '', p.created_at, '' FROM partners p WHERE p.settlement_usage > 0;
DROP TABLE licences;
