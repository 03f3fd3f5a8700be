-- Whose account the driver was linked with when the bill was sent: its link ends when that account is linked no more. Empty: with none.
ALTER TABLE summaries ADD COLUMN account_id TEXT NOT NULL DEFAULT '';
