-- What partners can buy, as the operator's file says. A row never changes: another price is another version, and what leaves the file
-- is retired.
CREATE TABLE licence_packages (
	id TEXT PRIMARY KEY,
	code TEXT NOT NULL,
	version BIGINT NOT NULL CHECK (version > 0),
	names TEXT NOT NULL, -- JSON by language
	units BIGINT NOT NULL CHECK (units > 0), -- of one piece
	min_quantity BIGINT NOT NULL CHECK (min_quantity > 0),
	max_quantity BIGINT NOT NULL,
	net_price BIGINT NOT NULL CHECK (net_price >= 0), -- of one piece
	vat_rate BIGINT NOT NULL CHECK (vat_rate BETWEEN 0 AND 10000), -- basis points
	currency TEXT NOT NULL,
	place BIGINT NOT NULL,
	valid_from TEXT NOT NULL, -- first day; empty: always
	valid_to TEXT NOT NULL, -- last day; empty: always
	made_at TEXT NOT NULL,
	retired_at TEXT NOT NULL,
	UNIQUE (code, version),
	CHECK (max_quantity >= min_quantity)
);
CREATE UNIQUE INDEX licence_packages_offered ON licence_packages (code) WHERE retired_at = '';
CREATE GUARD licence_packages_stay BEFORE UPDATE ON licence_packages
	WHEN TRUE
	UNLESS OLD.retired_at = '' AND (NEW.id, NEW.code, NEW.version, NEW.names, NEW.units, NEW.min_quantity,
			NEW.max_quantity, NEW.net_price, NEW.vat_rate, NEW.currency, NEW.valid_from, NEW.valid_to)
		= (OLD.id, OLD.code, OLD.version, OLD.names, OLD.units, OLD.min_quantity, OLD.max_quantity, OLD.net_price, OLD.vat_rate,
			OLD.currency, OLD.valid_from, OLD.valid_to);

-- What partners ordered, by value: a later price changes nothing of it.
CREATE TABLE licence_orders (
	tenant_id TEXT NOT NULL REFERENCES partners (tenant_id),
	id TEXT NOT NULL,
	place BIGINT NOT NULL, -- in the partner's numbers, from 1
	number TEXT NOT NULL, -- as people see it
	package_id TEXT NOT NULL REFERENCES licence_packages (id),
	package_names TEXT NOT NULL, -- JSON by language
	quantity BIGINT NOT NULL CHECK (quantity > 0),
	units BIGINT NOT NULL CHECK (units > 0), -- of it all
	net_price BIGINT NOT NULL, -- of one piece
	vat_rate BIGINT NOT NULL,
	reverse_charge BOOLEAN NOT NULL, -- the buyer owes the VAT in another country of the EU
	currency TEXT NOT NULL,
	net BIGINT NOT NULL,
	vat BIGINT NOT NULL,
	gross BIGINT NOT NULL,
	buyer_sealed TEXT NOT NULL,
	language TEXT NOT NULL, -- of who ordered
	state TEXT NOT NULL CHECK (state IN ('draft', 'started', 'success', 'failed', 'abandoned', 'review', 'refunded')),
	reason TEXT NOT NULL, -- why it failed, as a code
	attempts BIGINT NOT NULL,
	created_at TEXT NOT NULL,
	created_by TEXT NOT NULL,
	paid_at TEXT NOT NULL,
	paid_attempt TEXT NOT NULL, -- by which it was paid; empty: nothing was to pay
	refunded BIGINT NOT NULL, -- money that went back or is on its way
	refunded_units BIGINT NOT NULL,
	version BIGINT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	UNIQUE (tenant_id, place),
	CHECK (gross = net + vat),
	CHECK (refunded BETWEEN 0 AND gross),
	CHECK (refunded_units BETWEEN 0 AND units),
	CHECK ((paid_at <> '') = (state IN ('success', 'refunded')))
);
CREATE UNIQUE INDEX licence_orders_number ON licence_orders (number);
CREATE INDEX licence_orders_by_day ON licence_orders (tenant_id, created_at, id);
CREATE GUARD licence_orders_by_value BEFORE UPDATE ON licence_orders
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.id, NEW.number, NEW.package_id, NEW.package_names, NEW.quantity, NEW.units, NEW.net_price, NEW.vat_rate,
			NEW.reverse_charge, NEW.currency, NEW.net, NEW.vat, NEW.gross, NEW.buyer_sealed)
		= (OLD.tenant_id, OLD.id, OLD.number, OLD.package_id, OLD.package_names, OLD.quantity, OLD.units, OLD.net_price, OLD.vat_rate,
			OLD.reverse_charge, OLD.currency, OLD.net, OLD.vat, OLD.gross, OLD.buyer_sealed)
		AND (OLD.paid_at = '' OR (NEW.paid_at, NEW.paid_attempt) = (OLD.paid_at, OLD.paid_attempt));
CREATE GUARD licence_orders_stay BEFORE DELETE ON licence_orders
	WHEN TRUE
	UNLESS FALSE;

-- Who bought last, as typed, to fill the next form.
CREATE TABLE licence_buyers (
	tenant_id TEXT PRIMARY KEY REFERENCES partners (tenant_id),
	sealed TEXT NOT NULL,
	saved_at TEXT NOT NULL
);

-- Each try to pay an order. The row is there before the provider is called; its id is what the provider knows the payment by.
CREATE TABLE payment_attempts (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	order_id TEXT NOT NULL,
	n BIGINT NOT NULL CHECK (n > 0),
	provider TEXT NOT NULL,
	ref TEXT NOT NULL, -- the provider's id; empty: its answer is not here
	url TEXT NOT NULL, -- where it can be paid
	state TEXT NOT NULL CHECK (state IN ('created', 'pending', 'paid', 'failed', 'expired', 'review', 'overpaid')),
	reason TEXT NOT NULL,
	amount BIGINT NOT NULL, -- that was asked for
	currency TEXT NOT NULL,
	paid_amount BIGINT NOT NULL, -- what the provider says was paid
	paid_currency TEXT NOT NULL,
	created_at TEXT NOT NULL,
	decided_at TEXT NOT NULL,
	expires_at TEXT NOT NULL,
	ask_at TEXT NOT NULL, -- when the provider is asked next; empty: not again
	PRIMARY KEY (tenant_id, id),
	UNIQUE (tenant_id, order_id, n),
	FOREIGN KEY (tenant_id, order_id) REFERENCES licence_orders (tenant_id, id)
);
CREATE UNIQUE INDEX payment_attempts_by_ref ON payment_attempts (provider, ref) WHERE ref <> '';
CREATE UNIQUE INDEX payment_attempts_by_key ON payment_attempts (id);
CREATE UNIQUE INDEX payment_attempts_one_live ON payment_attempts (tenant_id, order_id) WHERE state IN ('created', 'pending');
CREATE INDEX payment_attempts_to_ask ON payment_attempts (ask_at) WHERE ask_at <> '';
CREATE GUARD payment_attempts_paid BEFORE UPDATE ON payment_attempts
	WHEN OLD.state IN ('paid', 'overpaid', 'review')
	UNLESS (NEW.state, NEW.order_id, NEW.amount, NEW.currency, NEW.ref) = (OLD.state, OLD.order_id, OLD.amount, OLD.currency, OLD.ref);

-- Money that goes back: by the operator, or of an order that was paid twice.
CREATE TABLE payment_refunds (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL, -- the key of the refund at the provider
	order_id TEXT NOT NULL,
	attempt_id TEXT NOT NULL,
	kind TEXT NOT NULL CHECK (kind IN ('order', 'overpaid', 'review')),
	amount BIGINT NOT NULL CHECK (amount > 0),
	currency TEXT NOT NULL,
	units BIGINT NOT NULL CHECK (units >= 0), -- taken back with it
	note TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('created', 'pending', 'paid', 'failed')),
	reason TEXT NOT NULL,
	created_at TEXT NOT NULL,
	created_by TEXT NOT NULL,
	decided_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	FOREIGN KEY (tenant_id, attempt_id) REFERENCES payment_attempts (tenant_id, id)
);
CREATE INDEX payment_refunds_by_order ON payment_refunds (tenant_id, order_id);
CREATE UNIQUE INDEX payment_refunds_overpaid ON payment_refunds (tenant_id, attempt_id) WHERE kind = 'overpaid';

-- What providers posted, each once. It says which payment to ask about and nothing else.
CREATE TABLE payment_events (
	provider TEXT NOT NULL,
	event_id TEXT NOT NULL,
	ref TEXT NOT NULL,
	payment_key TEXT NOT NULL,
	kind TEXT NOT NULL,
	received_at TEXT NOT NULL,
	applied_at TEXT NOT NULL, -- when the provider was asked; empty: it waits
	outcome TEXT NOT NULL CHECK (outcome IN ('', 'asked', 'unknown')),
	PRIMARY KEY (provider, event_id)
);
CREATE INDEX payment_events_by_age ON payment_events (received_at);

-- The last number of each series of the operator's documents, and of orders.
CREATE TABLE licence_series (
	tenant_id TEXT NOT NULL, -- empty: the operator's own
	series TEXT NOT NULL,
	last BIGINT NOT NULL,
	PRIMARY KEY (tenant_id, series)
);

-- Invoices of the operator and their corrections, by value. Each belongs to the partner who bought.
CREATE TABLE licence_documents (
	tenant_id TEXT NOT NULL,
	id TEXT NOT NULL,
	order_id TEXT NOT NULL,
	kind TEXT NOT NULL CHECK (kind IN ('invoice', 'correction')),
	refund_id TEXT NOT NULL, -- of a correction
	series TEXT NOT NULL,
	place BIGINT NOT NULL CHECK (place > 0),
	number TEXT NOT NULL,
	issued_on TEXT NOT NULL,
	currency TEXT NOT NULL,
	net BIGINT NOT NULL, -- of a correction below zero
	vat BIGINT NOT NULL,
	gross BIGINT NOT NULL,
	content_sealed TEXT NOT NULL,
	file_sealed TEXT NOT NULL, -- as machines read it; empty: a correction that waits for the KSeF number of its invoice
	authority_state TEXT NOT NULL CHECK (authority_state IN ('', 'pending', 'waiting', 'accepted', 'refused')),
	authority_number TEXT NOT NULL,
	authority_reason TEXT NOT NULL,
	authority_at TEXT NOT NULL,
	issued_at TEXT NOT NULL,
	PRIMARY KEY (tenant_id, id),
	UNIQUE (series, place),
	UNIQUE (number),
	FOREIGN KEY (tenant_id, order_id) REFERENCES licence_orders (tenant_id, id)
);
CREATE UNIQUE INDEX licence_documents_invoice_once ON licence_documents (tenant_id, order_id) WHERE kind = 'invoice';
CREATE UNIQUE INDEX licence_documents_correction_once ON licence_documents (tenant_id, refund_id) WHERE refund_id <> '';
CREATE GUARD licence_documents_by_value BEFORE UPDATE ON licence_documents
	WHEN TRUE
	UNLESS (NEW.tenant_id, NEW.id, NEW.order_id, NEW.kind, NEW.refund_id, NEW.series, NEW.place, NEW.number, NEW.issued_on, NEW.currency,
			NEW.net, NEW.vat, NEW.gross, NEW.content_sealed)
		= (OLD.tenant_id, OLD.id, OLD.order_id, OLD.kind, OLD.refund_id, OLD.series, OLD.place, OLD.number, OLD.issued_on, OLD.currency,
			OLD.net, OLD.vat, OLD.gross, OLD.content_sealed)
		AND (OLD.file_sealed = '' OR NEW.file_sealed = OLD.file_sealed);
CREATE GUARD licence_documents_stay BEFORE DELETE ON licence_documents
	WHEN TRUE
	UNLESS FALSE;
