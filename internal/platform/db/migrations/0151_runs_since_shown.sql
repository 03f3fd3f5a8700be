-- The newest entry of the audit trail when a run was shown: with none after it, everything is as it was shown.
ALTER TABLE settlement_runs ADD COLUMN trail TEXT NOT NULL DEFAULT '';
