-- Drivers are found by what providers know them by, whichever provider it is.
CREATE INDEX driver_identities_by_value ON driver_identities (tenant_id, value);

-- And by their tax id, which now ends the search key. It has only digits and the letters A to Z.
UPDATE drivers SET search_key = search_key || ' ' || LOWER(tax_id) WHERE tax_id <> '';
