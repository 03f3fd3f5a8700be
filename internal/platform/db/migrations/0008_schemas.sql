-- The rules by which a partner settles its drivers. A schema keeps its number for ever, also when it is deleted, since
-- settlements name it.
CREATE TABLE schemas (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	number BIGINT NOT NULL CHECK (number > 0), -- counts per partner
	name_key TEXT NOT NULL, -- the name in small letters
	is_default BOOLEAN NOT NULL,
	current_version BIGINT NOT NULL,
	created_at TEXT NOT NULL,
	deleted_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, number),
	CHECK (deleted_at = '' OR NOT is_default)
);
CREATE UNIQUE INDEX schemas_one_default ON schemas (tenant_id) WHERE is_default;
CREATE UNIQUE INDEX schemas_by_name ON schemas (tenant_id, name_key) WHERE deleted_at = '';

-- What a schema said, from one edit to the next. A version is never changed.
CREATE TABLE schema_versions (
	tenant_id TEXT NOT NULL,
	schema_number BIGINT NOT NULL,
	version BIGINT NOT NULL,
	rules TEXT NOT NULL, -- JSON, schema.Rules
	created_at TEXT NOT NULL,
	created_by TEXT NOT NULL, -- the person's name; empty: the program
	PRIMARY KEY (tenant_id, schema_number, version),
	FOREIGN KEY (tenant_id, schema_number) REFERENCES schemas (tenant_id, number)
);

-- Who is settled by a schema.
CREATE INDEX drivers_by_schema ON drivers (tenant_id, schema_number);

-- Partners that are here already start as new ones do.
INSERT INTO schemas (tenant_id, number, name_key, is_default, current_version, created_at, deleted_at)
	SELECT tenant_id, 1, 'standard', TRUE, 1, created_at, '' FROM partners;
INSERT INTO schema_versions (tenant_id, schema_number, version, rules, created_at, created_by)
	SELECT tenant_id, 1, 1, '{"name":"Standard","contractType":"CIVIL_CONTRACT","weeklyContractCost":0,"monthlyContractCost":0,"settlementCost":0,"additionalCosts":[],"dailyFee":{"UBER":0,"BOLT":0,"FREENOW":0},"maxFee1":null,"maxFee2":null,"maxFee3":null,"tripSettlementCost":0,"tripFee":0,"maxTripSettlementCost":null,"minContractIncome":null,"vatMethod":"INSIDE","vatSplit":false,"deductionRateBp":10000,"depreciationRateBp":0,"payoutRateBp":10000,"payoutOf":"INCOME","payoutIncludesCash":true,"weekStartDay":1,"minTransfer":0,"costRates":[],"autoNextPeriod":true}', created_at, '' FROM partners;
