-- What files say of refuellings beside the amount, by the file that says it and the row: a row that several files contain has what the last
-- of them says.
CREATE TABLE refuellings (
	tenant_id TEXT NOT NULL,
	import_id TEXT NOT NULL,
	row_key TEXT NOT NULL,
	card TEXT NOT NULL, -- number without leading zeros
	card_kind TEXT NOT NULL CHECK (card_kind IN ('', 'S', 'K')), -- issued for a car, for a person
	plate TEXT NOT NULL,
	station TEXT NOT NULL,
	town TEXT NOT NULL,
	product TEXT NOT NULL,
	millilitres BIGINT NOT NULL, -- 0: not known
	unit_price BIGINT NOT NULL, -- thousandths of a minor unit for one litre; 0: not known
	odometer BIGINT NOT NULL, -- kilometres; 0: not known
	PRIMARY KEY (tenant_id, row_key, import_id),
	FOREIGN KEY (tenant_id, import_id) REFERENCES imports (tenant_id, id)
);
CREATE INDEX refuellings_by_import ON refuellings (tenant_id, import_id);

-- What a partner knows of fuel cards: limits that the issuer guards, and the car.
CREATE TABLE fuel_cards (
	tenant_id TEXT NOT NULL,
	provider TEXT NOT NULL,
	card TEXT NOT NULL, -- number without leading zeros
	version BIGINT NOT NULL,
	plate TEXT NOT NULL,
	tank BIGINT NOT NULL, -- millilitres, as all that follows in litres; 0: not known
	day_limit BIGINT NOT NULL, -- 0: none, as of all limits
	month_limit BIGINT NOT NULL,
	month_amount BIGINT NOT NULL, -- minor units
	discount BIGINT NOT NULL, -- minor units for one litre
	valid_from TEXT NOT NULL, -- days; empty: open
	valid_to TEXT NOT NULL,
	changed_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, provider, card),
	FOREIGN KEY (tenant_id) REFERENCES partners (tenant_id)
);
