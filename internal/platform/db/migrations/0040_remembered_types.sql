-- By what a remembered type may be found again for a row that came unknown: the layout of its file, and what a person saw of it there, its column
-- or its description. Empty: no type is remembered for such a row, as in our own template.
ALTER TABLE transactions ADD COLUMN rule_layout TEXT NOT NULL DEFAULT '';
ALTER TABLE transactions ADD COLUMN rule_label TEXT NOT NULL DEFAULT '';
ALTER TABLE waiting_rows ADD COLUMN rule_layout TEXT NOT NULL DEFAULT '';
ALTER TABLE waiting_rows ADD COLUMN rule_label TEXT NOT NULL DEFAULT '';
ALTER TABLE replaced_rows ADD COLUMN rule_layout TEXT NOT NULL DEFAULT '';
ALTER TABLE replaced_rows ADD COLUMN rule_label TEXT NOT NULL DEFAULT '';

-- Which type people gave to what came unknown, for the next file of the same layout.
CREATE TABLE remembered_types (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	provider TEXT NOT NULL,
	layout TEXT NOT NULL, -- kind of the file; of a described file with its mapping
	label TEXT NOT NULL, -- column or description, folded
	seen TEXT NOT NULL, -- the same as the file has it
	type TEXT NOT NULL,
	updated_at TEXT NOT NULL,
	updated_by TEXT NOT NULL,
	PRIMARY KEY (tenant_id, provider, layout, label)
);

-- Of the old ones those stay of which it is certain where they belong: columns of a provider of whom people typed rows of one layout only. The template,
-- fuel cards, accounts and described files have one column of amounts, by which nothing can be told apart: what was remembered by it is forgotten.
INSERT INTO remembered_types (tenant_id, provider, layout, label, seen, type, updated_at, updated_by)
	SELECT r.tenant_id, r.provider, k.kind, r.label, r.label, r.type, r.updated_at, r.updated_by FROM type_rules r
	JOIN (SELECT t.tenant_id, t.provider, MIN(i.kind) AS kind, MAX(i.kind) AS other FROM transactions t JOIN imports i ON i.tenant_id = t.tenant_id AND i.id = t.import_id
		WHERE t.came_unknown AND t.type <> 'UNKNOWN' AND i.kind <> 'template' GROUP BY t.tenant_id, t.provider) k ON k.tenant_id = r.tenant_id AND k.provider = r.provider
	WHERE k.kind = k.other AND k.kind NOT IN ('', 'template', 'mapped', 'transactions', 'business', 'personal') AND r.label <> 'amount';
DROP TABLE type_rules;
