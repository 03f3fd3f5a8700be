-- What contracts bring to others, how long they are kept, and seals that were bought.

-- Vehicles that drivers drive by their contracts.
CREATE TABLE driver_vehicles (
	tenant_id TEXT NOT NULL,
	contract_id TEXT NOT NULL,
	driver_id TEXT NOT NULL, -- who signed; who was merged into another is read through that driver
	registration TEXT NOT NULL,
	from_on TEXT NOT NULL,
	to_on TEXT NOT NULL, -- the last day; empty: until it is ended
	PRIMARY KEY (tenant_id, contract_id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id)
);
CREATE INDEX driver_vehicles_by_driver ON driver_vehicles (tenant_id, driver_id);
CREATE INDEX driver_vehicles_by_registration ON driver_vehicles (tenant_id, registration);

-- Agreements that drivers signed on invoices that the partner writes for them.
CREATE TABLE billing_contracts (
	tenant_id TEXT NOT NULL,
	contract_id TEXT NOT NULL,
	driver_id TEXT NOT NULL,
	signed_on TEXT NOT NULL,
	ended_on TEXT NOT NULL, -- empty: it holds
	PRIMARY KEY (tenant_id, contract_id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id)
);
CREATE INDEX billing_contracts_by_driver ON billing_contracts (tenant_id, driver_id);

-- Years after its end a contract is erased: that there was one stays.
ALTER TABLE contracts ADD COLUMN erased_at TEXT NOT NULL DEFAULT '';
CREATE INDEX contracts_ended ON contracts (ended_at) WHERE ended_at <> '' AND erased_at = '' AND state <> 'deleted';
CREATE INDEX contracts_with_a_last_day ON contracts (to_on) WHERE state = 'active' AND to_on <> '';
CREATE GUARD contracts_stand BEFORE UPDATE ON contracts
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.id, NEW.driver_id, NEW.account_id, NEW.kinds, NEW.from_on, NEW.to_on, NEW.replaces, NEW.created_at, NEW.signed_at)
		= (OLD.tenant_id, OLD.id, OLD.driver_id, OLD.account_id, OLD.kinds, OLD.from_on, OLD.to_on, OLD.replaces, OLD.created_at, OLD.signed_at)
		AND (NEW.data_sealed = OLD.data_sealed OR NEW.state = 'deleted' AND NEW.data_sealed = ''
			OR OLD.erased_at = '' AND NEW.erased_at <> '' AND OLD.ended_at <> '' AND NEW.data_sealed = 'erased')
		AND (NEW.erased_at = OLD.erased_at OR OLD.erased_at = '')
		AND (NEW.number = OLD.number OR OLD.number = '')
		AND (NEW.countersigned_at = OLD.countersigned_at OR OLD.countersigned_at = '');
CREATE GUARD signing_events_stay BEFORE DELETE ON signing_events
	WHEN TRUE
	UNLESS EXISTS (SELECT 1 FROM contracts c WHERE c.tenant_id = OLD.tenant_id AND c.id = OLD.contract_id AND c.erased_at <> '');

-- A seal that the partner bought is used until its certificate ends.
ALTER TABLE seal_keys ADD COLUMN imported BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE seal_keys ADD COLUMN chain TEXT NOT NULL DEFAULT ''; -- the certificates above it: DER as base64, one per line
