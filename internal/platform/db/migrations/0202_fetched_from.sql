-- First day that a fetched file was asked for; empty: it was not asked for by days.
ALTER TABLE fetched_files ADD COLUMN asked_from TEXT NOT NULL DEFAULT '';
