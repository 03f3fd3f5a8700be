-- What is open is read out of the index alone. It stands side by side there; PostgreSQL believed it scattered over the whole table and read that instead,
-- so that a list of what is pending cost more the longer a fleet was with us.
DROP INDEX transactions_unsettled;
CREATE INDEX transactions_unsettled ON transactions (tenant_id, driver_id, occurred_on) INCLUDE (provider, type, amount, span_from, span_to) WHERE settlement_id = '' AND deleted_at = '';
