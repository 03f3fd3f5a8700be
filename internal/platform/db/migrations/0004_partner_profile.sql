-- What a partner says of itself and how it wants to work. name, color and logo stay in partners, where the frame of
-- every screen reads them; version counts the saved changes of both.
CREATE TABLE partner_profiles (
	tenant_id TEXT PRIMARY KEY REFERENCES partners (tenant_id),
	version BIGINT NOT NULL,
	email TEXT NOT NULL,
	phone TEXT NOT NULL,
	www TEXT NOT NULL,
	tax_id TEXT NOT NULL,
	cities TEXT NOT NULL, -- JSON list
	services TEXT NOT NULL, -- JSON list
	commission BIGINT NOT NULL CHECK (commission BETWEEN 0 AND 10000), -- basis points
	provision_charge TEXT NOT NULL CHECK (provision_charge IN ('always', 'when_described')),
	drivers_describe BOOLEAN NOT NULL,
	settlement_frequency BIGINT NOT NULL CHECK (settlement_frequency IN (1, 2, 4)), -- weeks
	drivers_choose_frequency BOOLEAN NOT NULL,
	street TEXT NOT NULL,
	house_number TEXT NOT NULL,
	apartment_number TEXT NOT NULL,
	city TEXT NOT NULL,
	post_code TEXT NOT NULL,
	country TEXT NOT NULL, -- two letters
	account_sealed TEXT NOT NULL, -- the IBAN; empty: none
	notes TEXT NOT NULL,
	referral TEXT NOT NULL,
	functions_version BIGINT NOT NULL, -- counts the changes of the four below
	function1 BOOLEAN NOT NULL,
	function2 BOOLEAN NOT NULL,
	function3 BOOLEAN NOT NULL,
	function4 BOOLEAN NOT NULL,
	updated_at TEXT NOT NULL
);
INSERT INTO partner_profiles (tenant_id, version, email, phone, www, tax_id, cities, services, commission, provision_charge, drivers_describe,
	settlement_frequency, drivers_choose_frequency, street, house_number, apartment_number, city, post_code, country, account_sealed, notes, referral,
	functions_version, function1, function2, function3, function4, updated_at)
	SELECT tenant_id, 1, '', '', '', '', '[]', '[]', 0, 'always', TRUE, 1, TRUE, '', '', '', '', '', '', '', '', '', 1, TRUE, TRUE, TRUE, TRUE, created_at
	FROM partners;
