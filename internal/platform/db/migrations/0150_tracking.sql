-- Trips that drivers paid by cash or card write down. Their ids are made on the phone, which may send them days later and more than once:
-- the id and the version are what makes them once. What was deleted stays as a row, so that it does not come back.
CREATE TABLE trips (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	driver_id TEXT NOT NULL, -- who drove; who was merged into another is read through that driver
	occurred_on TEXT NOT NULL, -- local day as typed; a trip over midnight belongs to its start
	start_at TEXT NOT NULL, -- local minute as 23:59; empty: not written down
	end_at TEXT NOT NULL,
	start_place TEXT NOT NULL,
	end_place TEXT NOT NULL,
	amount BIGINT NOT NULL CHECK (amount > 0),
	payment TEXT NOT NULL CHECK (payment IN ('cash', 'card')),
	settlement_id TEXT NOT NULL, -- that took it; empty: none
	version BIGINT NOT NULL CHECK (version > 0),
	source TEXT NOT NULL CHECK (source IN ('phone', 'web', 'partner')), -- of the last change
	device TEXT NOT NULL, -- that it came from, as it calls itself
	entered_at TEXT NOT NULL, -- by the clock of the device, which may be wrong; empty: it said nothing
	clock_off BIGINT NOT NULL, -- seconds by which the clock of the device was ahead when it sent; 0: right, or not said
	received_at TEXT NOT NULL,
	changed_at TEXT NOT NULL,
	refused_at TEXT NOT NULL, -- by the partner: it is not settled; empty: it is not refused
	refuse_reason TEXT NOT NULL,
	deleted_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id),
	CHECK (settlement_id = '' OR deleted_at = '' AND refused_at = ''),
	CHECK ((refused_at = '') = (refuse_reason = ''))
);
CREATE INDEX trips_by_driver ON trips (tenant_id, driver_id, occurred_on, id);
CREATE INDEX trips_by_day ON trips (tenant_id, occurred_on, id) WHERE deleted_at = '';
CREATE INDEX trips_open ON trips (tenant_id, driver_id, occurred_on) WHERE settlement_id = '' AND deleted_at = '' AND refused_at = '';
CREATE INDEX trips_taken ON trips (tenant_id, settlement_id) WHERE settlement_id <> '';
CREATE INDEX trips_deleted ON trips (deleted_at) WHERE deleted_at <> '';
CREATE INDEX trips_received ON trips (tenant_id, driver_id, received_at);

-- What a settlement took stands until it is revoked.
CREATE GUARD trips_settled BEFORE UPDATE ON trips
	WHEN OLD.settlement_id <> ''
	UNLESS NEW.settlement_id = ''
		AND (NEW.tenant_id, NEW.id, NEW.driver_id, NEW.occurred_on, NEW.start_at, NEW.end_at, NEW.start_place, NEW.end_place, NEW.amount,
			NEW.payment, NEW.refused_at, NEW.deleted_at)
		= (OLD.tenant_id, OLD.id, OLD.driver_id, OLD.occurred_on, OLD.start_at, OLD.end_at, OLD.start_place, OLD.end_place, OLD.amount,
			OLD.payment, OLD.refused_at, OLD.deleted_at)
		AND EXISTS (SELECT 1 FROM settlements s WHERE s.tenant_id = OLD.tenant_id AND s.id = OLD.settlement_id AND s.state = 'revoked');
CREATE GUARD trips_stay BEFORE DELETE ON trips
	WHEN TRUE
	UNLESS FALSE;

-- Working time of drivers.
CREATE TABLE time_entries (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	driver_id TEXT NOT NULL,
	started_at TEXT NOT NULL, -- local minute as 2026-11-18T23:59
	ended_at TEXT NOT NULL, -- the same; empty: it runs
	minutes BIGINT NOT NULL CHECK (minutes >= 0), -- worked, without breaks; 0 while it runs
	break_minutes BIGINT NOT NULL CHECK (break_minutes >= 0),
	mileage_start BIGINT NOT NULL CHECK (mileage_start >= 0), -- 0: none
	mileage_end BIGINT NOT NULL CHECK (mileage_end >= 0),
	plate TEXT NOT NULL,
	note TEXT NOT NULL,
	version BIGINT NOT NULL CHECK (version > 0),
	source TEXT NOT NULL CHECK (source IN ('phone', 'web', 'partner')),
	device TEXT NOT NULL,
	entered_at TEXT NOT NULL,
	clock_off BIGINT NOT NULL, -- seconds by which the clock of the device was ahead when it sent; 0: right, or not said
	received_at TEXT NOT NULL,
	changed_at TEXT NOT NULL,
	refused_at TEXT NOT NULL,
	refuse_reason TEXT NOT NULL,
	deleted_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id),
	CHECK (ended_at = '' OR ended_at >= started_at),
	CHECK (minutes + break_minutes <= 1440),
	CHECK (ended_at <> '' OR minutes = 0),
	CHECK (mileage_start = 0 OR mileage_end = 0 OR mileage_end >= mileage_start),
	CHECK ((refused_at = '') = (refuse_reason = ''))
);
CREATE UNIQUE INDEX time_entries_running ON time_entries (tenant_id, driver_id) WHERE ended_at = '' AND deleted_at = '';
CREATE INDEX time_entries_by_driver ON time_entries (tenant_id, driver_id, started_at, id);
CREATE INDEX time_entries_by_day ON time_entries (tenant_id, started_at, id) WHERE deleted_at = '';
CREATE INDEX time_entries_by_plate ON time_entries (tenant_id, plate, started_at) WHERE plate <> '' AND deleted_at = '';
CREATE INDEX time_entries_deleted ON time_entries (deleted_at) WHERE deleted_at <> '';
CREATE INDEX time_entries_received ON time_entries (tenant_id, driver_id, received_at);
CREATE GUARD time_entries_stay BEFORE DELETE ON time_entries
	WHEN TRUE
	UNLESS FALSE;

-- Photos of entries, drawn anew before they are kept.
CREATE TABLE tracking_photos (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	driver_id TEXT NOT NULL, -- of the entry
	kind TEXT NOT NULL CHECK (kind IN ('trip', 'time')),
	entry_id TEXT NOT NULL,
	side TEXT NOT NULL CHECK (side IN ('payment', 'start', 'end')),
	file_type TEXT NOT NULL,
	file_size BIGINT NOT NULL,
	received_hash TEXT NOT NULL, -- of what came, by which the same photo is known when it comes again
	blob_key TEXT NOT NULL,
	added_at TEXT NOT NULL,
	gone_at TEXT NOT NULL, -- replaced, taken away or erased: its file is deleted next; empty: it is there
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id),
	CHECK ((kind = 'trip') = (side = 'payment'))
);
CREATE UNIQUE INDEX tracking_photos_side ON tracking_photos (tenant_id, kind, entry_id, side) WHERE gone_at = '';
CREATE INDEX tracking_photos_by_driver ON tracking_photos (tenant_id, driver_id);
CREATE INDEX tracking_photos_gone ON tracking_photos (gone_at) WHERE gone_at <> '';
CREATE GUARD tracking_photos_gone_stay BEFORE UPDATE ON tracking_photos
	WHEN OLD.gone_at <> ''
	UNLESS FALSE;
