-- Backups that this instance was made of. It does not serve until somebody has looked at what waited in the last one.
CREATE TABLE restores (
	id TEXT PRIMARY KEY,
	made_at TEXT NOT NULL, -- when the backup was made
	restored_at TEXT NOT NULL,
	resumed_at TEXT NOT NULL -- empty: nobody has looked yet
);
