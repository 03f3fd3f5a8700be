-- What is settled and not paid yet: few rows among all that ever were.
CREATE INDEX settlements_open ON settlements (tenant_id, batch, payout) WHERE state = 'settled';
