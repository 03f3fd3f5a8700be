-- The keys with which every kept file is sealed. A key stands here once a look at all of them found none to seal; as long as the current one does not, files of
-- former versions and of former keys are looked for.
CREATE TABLE file_sealings (
	key_id TEXT PRIMARY KEY, -- tells nothing about the key
	ended_at TEXT NOT NULL
);
