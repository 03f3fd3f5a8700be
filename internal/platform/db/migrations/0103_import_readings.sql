-- How often a file was read: who confirms says which reading they have seen.
ALTER TABLE imports ADD COLUMN readings BIGINT NOT NULL DEFAULT 1;
