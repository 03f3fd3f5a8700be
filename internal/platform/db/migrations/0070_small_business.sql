-- A driver whose company has no VAT on its invoices, whatever the schema says: Kleinunternehmer after § 19 UStG. The German instance alone knows it.
ALTER TABLE drivers ADD COLUMN small_business BOOLEAN NOT NULL DEFAULT FALSE;
