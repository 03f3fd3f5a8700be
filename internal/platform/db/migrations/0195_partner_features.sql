-- What the operator has switched on for a partner beside what every partner has.
CREATE TABLE partner_features (
	tenant_id TEXT NOT NULL,
	feature TEXT NOT NULL,
	set_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, feature),
	FOREIGN KEY (tenant_id) REFERENCES partners (tenant_id)
);

INSERT INTO partner_features (tenant_id, feature, set_at) SELECT tenant_id, 'language_selector', created_at FROM partners WHERE demo;
