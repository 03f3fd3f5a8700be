-- Units are kept in licence_balances.
ALTER TABLE partners DROP COLUMN settlement_limit, DROP COLUMN settlement_usage;
