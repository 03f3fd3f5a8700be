-- Which fetched invoice backs which invoice of a driver, as people decided. Each backs one.
CREATE TABLE purchase_matches (
	tenant_id TEXT NOT NULL,
	environment TEXT NOT NULL,
	ksef_number TEXT NOT NULL,
	invoice_id TEXT NOT NULL,
	matched_by TEXT NOT NULL, -- the person's name
	matched_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, environment, ksef_number),
	UNIQUE (tenant_id, environment, invoice_id),
	FOREIGN KEY (tenant_id, environment, ksef_number) REFERENCES purchases (tenant_id, environment, ksef_number),
	FOREIGN KEY (tenant_id, invoice_id) REFERENCES invoice_images (tenant_id, id)
);
CREATE INDEX invoice_images_in_ksef ON invoice_images (tenant_id, ksef_number) WHERE ksef_number <> '';
