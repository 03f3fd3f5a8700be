-- The days on which a partner pays, by the end of the period: few groups, read without the rows.
CREATE INDEX settlements_paydays ON settlements (tenant_id, paid_on, last_on) WHERE state = 'paid';
