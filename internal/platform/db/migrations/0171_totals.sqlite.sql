-- What stands of transactions as sums, kept with the rows: by day, and of each driver by week. Statistics read a year of them at once.
CREATE TABLE day_totals (
	tenant_id TEXT NOT NULL,
	occurred_on TEXT NOT NULL,
	provider TEXT NOT NULL,
	type TEXT NOT NULL,
	amount INTEGER NOT NULL,
	n INTEGER NOT NULL, -- rows
	PRIMARY KEY (tenant_id, occurred_on, provider, type)
) WITHOUT ROWID, STRICT;
CREATE TABLE driver_weeks (
	tenant_id TEXT NOT NULL,
	driver_id TEXT NOT NULL, -- whose the rows are; who was merged into another is read through that driver
	week INTEGER NOT NULL, -- from Monday to Sunday; 0 is that of 1970-01-01
	revenue INTEGER NOT NULL,
	n INTEGER NOT NULL, -- rows of revenue
	PRIMARY KEY (tenant_id, driver_id, week)
) WITHOUT ROWID, STRICT;

INSERT INTO day_totals (tenant_id, occurred_on, provider, type, amount, n)
	SELECT tenant_id, occurred_on, provider, type, SUM(amount), COUNT(*) FROM transactions WHERE deleted_at = ''
	GROUP BY tenant_id, occurred_on, provider, type;
INSERT INTO driver_weeks (tenant_id, driver_id, week, revenue, n)
	SELECT tenant_id, driver_id, CAST(julianday(occurred_on) - 2440584.5 AS INTEGER) / 7, SUM(amount), COUNT(*) FROM transactions WHERE deleted_at = ''
	AND (type IN ('TRIP', 'DELIVERY', 'WAITING_TIME', 'CANCELLATION', 'CLEANING_REPAIR', 'INCREASE', 'BONUS', 'PROMO', 'TIP')
		OR type IN ('ADJUSTMENT', 'REFUND') AND provider IN ('BOLT', 'FREENOW', 'GLOVO', 'UBER', 'UBER_EATS', 'STUART', 'BOLT_FOOD', 'INTERNAL'))
	GROUP BY tenant_id, driver_id, CAST(julianday(occurred_on) - 2440584.5 AS INTEGER) / 7;

-- Trips of the tracker in the sums of transactions, as settlements count them: income and, paid in cash, cash.
INSERT INTO day_totals (tenant_id, occurred_on, provider, type, amount, n)
	SELECT tenant_id, occurred_on, 'INTERNAL', 'TRACKED_TRIP', CAST(SUM(amount) AS INTEGER), COUNT(*) FROM trips
	WHERE deleted_at = '' AND refused_at = '' GROUP BY tenant_id, occurred_on;
INSERT INTO day_totals (tenant_id, occurred_on, provider, type, amount, n)
	SELECT tenant_id, occurred_on, 'INTERNAL', 'TRACKED_CASH', CAST(-SUM(amount) AS INTEGER), COUNT(*) FROM trips
	WHERE deleted_at = '' AND refused_at = '' AND payment = 'cash' GROUP BY tenant_id, occurred_on;
INSERT INTO driver_weeks (tenant_id, driver_id, week, revenue, n)
	SELECT tenant_id, driver_id, CAST(julianday(occurred_on) - 2440584.5 AS INTEGER) / 7, CAST(SUM(amount) AS INTEGER), COUNT(*) FROM trips
	WHERE deleted_at = '' AND refused_at = '' GROUP BY tenant_id, driver_id, CAST(julianday(occurred_on) - 2440584.5 AS INTEGER) / 7
	ON CONFLICT (tenant_id, driver_id, week) DO UPDATE SET revenue = driver_weeks.revenue + excluded.revenue, n = driver_weeks.n + excluded.n;
