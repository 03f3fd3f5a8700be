-- A driver's name as the passport spells it in Latin letters. Bank files use it before any transliteration; empty: not given.
ALTER TABLE drivers ADD COLUMN passport_name TEXT NOT NULL DEFAULT '';
