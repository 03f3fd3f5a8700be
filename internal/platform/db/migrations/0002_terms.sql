-- The operator's terms, one row for each language of a version.
CREATE TABLE terms (
	version TEXT NOT NULL,
	language TEXT NOT NULL,
	title TEXT NOT NULL,
	body TEXT NOT NULL,
	published_at TEXT NOT NULL,
	PRIMARY KEY (version, language)
);

-- Who accepted which version for their partner, and when.
CREATE TABLE terms_acceptances (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	version TEXT NOT NULL,
	member_id TEXT NOT NULL,
	member_name TEXT NOT NULL,
	accepted_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, version)
);
