-- Units are kept in licence_balances. SQLite drops no column that a CHECK names, and a table that others refer to is not made anew:
-- only the words that describe the table lose the checks, none of its rows changes, as SQLite's manual of ALTER TABLE has it.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = REPLACE(sql, ',
	CHECK (settlement_usage >= 0),
	CHECK (settlement_usage <= settlement_limit)', '') WHERE type = 'table' AND name = 'partners';
PRAGMA writable_schema = RESET;
ALTER TABLE partners DROP COLUMN settlement_usage;
ALTER TABLE partners DROP COLUMN settlement_limit;
