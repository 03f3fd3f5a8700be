-- What a partner needs to tie the drivers who chose it to those it wrote down.
ALTER TABLE driver_profiles ADD COLUMN search_key TEXT NOT NULL DEFAULT ''; -- last name, first name, e-mail and phone, folded; empty: not made yet, or forgotten
ALTER TABLE driver_profiles ADD COLUMN email_confirmed BOOLEAN NOT NULL DEFAULT FALSE; -- the identity provider knows the address to be the driver's
ALTER TABLE driver_profiles ADD COLUMN linked_at TEXT NOT NULL DEFAULT ''; -- empty: not linked
CREATE INDEX driver_profiles_by_state ON driver_profiles (tenant_id, state, search_key, id);
CREATE INDEX driver_profiles_by_email ON driver_profiles (tenant_id, email);

-- Whom the activation mail of a driver reached; empty: nobody yet.
ALTER TABLE drivers ADD COLUMN activated_account TEXT NOT NULL DEFAULT '';
CREATE INDEX drivers_by_email ON drivers (tenant_id, email) WHERE email <> '';
