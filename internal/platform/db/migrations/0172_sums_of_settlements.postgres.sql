-- What a settlement comes to as columns: figures are JSON, which cannot be added up alike on both engines. Those of revoked ones stay zero
-- where they were revoked before: nobody adds them up.
ALTER TABLE settlements ADD COLUMN cash_deducted BIGINT NOT NULL DEFAULT 0;
ALTER TABLE settlements ADD COLUMN partner_fees BIGINT NOT NULL DEFAULT 0; -- what the partner earns
ALTER TABLE settlements ADD COLUMN tax_kept BIGINT NOT NULL DEFAULT 0; -- without the provision for invoices
ALTER TABLE settlements ADD COLUMN costs BIGINT NOT NULL DEFAULT 0; -- less credits
ALTER TABLE settlements ADD COLUMN brought_forward BIGINT NOT NULL DEFAULT 0;

-- What the settlements of a week come to that are not revoked, kept with them.
CREATE TABLE settlement_weeks (
	tenant_id TEXT NOT NULL,
	period TEXT NOT NULL,
	n BIGINT NOT NULL,
	revenue BIGINT NOT NULL,
	fee BIGINT NOT NULL,
	cash_deducted BIGINT NOT NULL,
	partner_fees BIGINT NOT NULL,
	tax_kept BIGINT NOT NULL,
	costs BIGINT NOT NULL,
	brought_forward BIGINT NOT NULL,
	carried_forward BIGINT NOT NULL,
	due BIGINT NOT NULL,
	payout BIGINT NOT NULL,
	PRIMARY KEY (tenant_id, period)
);

UPDATE settlements SET
	cash_deducted = COALESCE((figures::jsonb->>'cashDeducted')::bigint, 0),
	partner_fees = revenue - fee - COALESCE((figures::jsonb->>'payoutBase')::bigint, 0) + COALESCE((figures::jsonb->>'settlementCost')::bigint, 0) + COALESCE((figures::jsonb->>'additionalSettlementCost')::bigint, 0) + COALESCE((figures::jsonb->>'rateCost')::bigint, 0) + COALESCE((figures::jsonb->>'provision')::bigint, 0),
	tax_kept = COALESCE((figures::jsonb->>'taxAfterOptimisation')::bigint, 0) - COALESCE((figures::jsonb->>'provision')::bigint, 0),
	costs = COALESCE((figures::jsonb->>'contractCost')::bigint, 0) + COALESCE((figures::jsonb->>'fuelCost')::bigint, 0) - COALESCE((figures::jsonb->>'fuelRefund')::bigint, 0) + COALESCE((figures::jsonb->>'costs')::bigint, 0) - COALESCE((figures::jsonb->>'credits')::bigint, 0),
	brought_forward = COALESCE((figures::jsonb->>'previousPeriod')::bigint, 0)
	WHERE state <> 'revoked';
INSERT INTO settlement_weeks (tenant_id, period, n, revenue, fee, cash_deducted, partner_fees, tax_kept, costs, brought_forward, carried_forward,
	due, payout)
	SELECT tenant_id, period, COUNT(*), CAST(SUM(revenue) AS BIGINT), CAST(SUM(fee) AS BIGINT), CAST(SUM(cash_deducted) AS BIGINT),
		CAST(SUM(partner_fees) AS BIGINT), CAST(SUM(tax_kept) AS BIGINT), CAST(SUM(costs) AS BIGINT), CAST(SUM(brought_forward) AS BIGINT),
		CAST(SUM(next_period_transfer) AS BIGINT), CAST(SUM(due) AS BIGINT), CAST(SUM(payout) AS BIGINT)
	FROM settlements WHERE state <> 'revoked' GROUP BY tenant_id, period;

-- What drivers owe from settled periods, until the next settlement takes it.
CREATE INDEX transactions_carried ON transactions (tenant_id, driver_id) WHERE source = 'carry' AND settlement_id = '';
