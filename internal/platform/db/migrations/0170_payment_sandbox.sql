-- Payments at the provider that comes with the program, for trying out and for tests. No money moves there. They belong to no tenant, as
-- payments at any other provider.
CREATE TABLE sandbox_payments (
	ref TEXT NOT NULL PRIMARY KEY,
	unique_key TEXT NOT NULL UNIQUE, -- the caller's: the same key is the same payment
	order_number TEXT NOT NULL,
	text TEXT NOT NULL,
	amount BIGINT NOT NULL CHECK (amount > 0),
	currency TEXT NOT NULL,
	language TEXT NOT NULL,
	return_url TEXT NOT NULL,
	events_url TEXT NOT NULL,
	created_at TEXT NOT NULL,
	expires_at TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('pending', 'paid', 'failed', 'expired')),
	paid_at TEXT NOT NULL, -- when the money arrives, which may be later; empty: it was not paid
	paid_amount BIGINT NOT NULL CHECK (paid_amount >= 0),
	paid_currency TEXT NOT NULL,
	CHECK ((state = 'paid') = (paid_at <> ''))
);
CREATE INDEX sandbox_payments_made ON sandbox_payments (created_at);

-- What was given back.
CREATE TABLE sandbox_refunds (
	unique_key TEXT NOT NULL PRIMARY KEY,
	payment_ref TEXT NOT NULL REFERENCES sandbox_payments (ref),
	amount BIGINT NOT NULL CHECK (amount > 0),
	created_at TEXT NOT NULL
);
CREATE INDEX sandbox_refunds_of ON sandbox_refunds (payment_ref);
