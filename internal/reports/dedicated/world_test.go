package dedicated

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/ledger/kinds"
	"saldo/internal/partners"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/reports/query"
	"saldo/internal/settlements/engine"
	"saldo/internal/testkit"
)

// world is a partner whose rows are known, and another one whose rows must never be seen.
type world struct {
	*Service
	clock       *testkit.Clock
	place       db.Settings
	server      *testkit.SMTP
	drivers     []driver
	tags        []string
	settlements []settlement
	rows        []row
}

type driver struct {
	id, name, into string // into: whom they were merged into
	tags           []string
}

type settlement struct {
	id, driver, period, state, contract string
	schema, rate                        int64
	lastOn                              calendar.Date
	shared                              bool
	revenue, fee, cash, payout, next    int64
	transactions                        int64
	figures                             map[string]int64
}

type row struct {
	driver, provider, kind, payment, source, settlement string
	on                                                  calendar.Date
	amount                                              int64
}

const (
	firstDay calendar.Date = "2025-12-01"
	spanDays int           = 120
)

var terms = []struct {
	id, contract string
	schema, rate int64
}{{"t1", "CIVIL_CONTRACT", 1, 10_000}, {"t2", "B2B_VAT", 1, 9_000}, {"t3", "B2B_NO_VAT", 2, 8_500}}

func newWorld(t *testing.T, engineName string) *world {
	t.Helper()
	place := testkit.Settings(t, engineName)
	clock := testkit.NewClock()
	place.Clock = clock.Now
	instance, err := config.InstanceOf("pl")
	if err != nil {
		t.Fatal(err)
	}
	server := testkit.NewSMTP(t)
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	sender, err := mail.Open(server.URL(), "")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{clock: clock, place: place, server: server}
	w.Service = &Service{DB: testkit.Open(t, place), Instance: instance, PublicURL: "https://saldo.example",
		Mails: mail.NewQueue(v, sender, mail.Address{Name: "Saldo", Address: "saldo@saldo.example"})}
	w.Mails.Attach(w.Attach)
	random := rand.New(rand.NewPCG(25, 11))
	for _, tenant := range []string{"south", "north"} {
		testkit.Write(t, w.DB, access.ProgramFor(tenant, "test"), func(tx *db.Tx) error {
			if err := partners.Found(tx, partners.Partner{Code: tenant, Name: "Fleet " + tenant, Color: "#0B5D68"}, 1000); err != nil {
				return err
			}
			if err := w.fill(tx, random); err != nil {
				return err
			}
			return testkit.Recounted(tx) // rows were written without the ledger
		})
	}
	for _, table := range []string{"settlements", "drivers", "transactions", "driver_tags", "tags", "settlement_terms"} {
		if err := w.DB.Refresh(background, table); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 2 {
		w.member(t, "north", fmt.Sprint("m", i+1), fmt.Sprintf("Person %d", i+1), "partner")
	}
	w.member(t, "south", "s1", "Stranger", "partner")
	return w
}

func (w *world) member(t *testing.T, tenant, id, name, role string) {
	t.Helper()
	testkit.Write(t, w.DB, access.ProgramFor(tenant, "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO members (tenant_id, id, issuer, subject, role, name, email, created_at, state, state_since, language)
			VALUES ($1, $2, 'test', $3, $4, $5, $6, $7, 'active', $7, 'de')`, id, tenant+id, role, name, id+"@"+tenant+".example", tx.Now)
		return err
	})
}

// fill leaves the tenant's rows in the world: those of the last one filled.
func (w *world) fill(tx *db.Tx, random *rand.Rand) error {
	tenant := tx.Actor.Tenant
	w.drivers, w.settlements, w.rows = nil, nil, nil
	w.tags = []string{tenant + "-red", tenant + "-blue", tenant + "-green"}
	for _, tag := range w.tags {
		if _, err := tx.Exec(`INSERT INTO tags (tenant_id, id, name, search_key, created_at) VALUES ($1, $2, $2, $2, $3)`, tag, tx.Now); err != nil {
			return err
		}
	}
	for i := range 24 {
		d := driver{id: fmt.Sprintf("%s-d%02d", tenant, i), name: fmt.Sprintf("Nowak%02d Jan", i)}
		if i >= 21 { // these were merged into the first three
			d.into = w.drivers[i-21].id
		}
		if _, err := tx.Exec(`INSERT INTO drivers (tenant_id, id, first_name, last_name, search_key, email, phone, iban_sealed, iban_sum, iban_changed_at,
			account_holder, tax_id, schema_number, contract_number, bailiff, summary_language, settlement_frequency, active, blocked, account_id,
			verified_at, activation_sent_at, settled_on, merged_into, version, created_at, updated_at)
			VALUES ($1, $2, 'Jan', $3, $4, '', '', '', '', '', '', '', 0, '', FALSE, 'pl', 0, TRUE, $5, '', '', '', '', $6, 1, $7, $7)`,
			d.id, d.name[:7], i18n.Fold(d.name), i%7 == 0, d.into, tx.Now); err != nil {
			return err
		}
		for _, tag := range w.tags {
			if d.into == "" && random.IntN(2) == 0 {
				d.tags = append(d.tags, tag)
				if _, err := tx.Exec(`INSERT INTO driver_tags (tenant_id, driver_id, tag_id) VALUES ($1, $2, $3)`, d.id, tag); err != nil {
					return err
				}
			}
		}
		w.drivers = append(w.drivers, d)
	}
	for _, term := range terms {
		if _, err := tx.Exec(`INSERT INTO settlement_terms (tenant_id, id, terms) VALUES ($1, $2, $3)`, term.id, db.JSON(map[string]any{
			"schema": map[string]any{"number": term.schema, "version": 1},
			"rules":  map[string]any{"contractType": term.contract, "payoutRateBp": term.rate, "name": "Schema"}})); err != nil {
			return err
		}
	}
	if err := w.settle(tx, random); err != nil {
		return err
	}
	return w.earn(tx, random)
}

func (w *world) settle(tx *db.Tx, random *rand.Rand) error {
	amount := func() int64 { return random.Int64N(900_00) - 100_00 }
	for i := range 300 {
		term := terms[random.IntN(len(terms))]
		s := settlement{id: fmt.Sprintf("%s-s%03d", tx.Actor.Tenant, i), driver: w.drivers[random.IntN(len(w.drivers))].id,
			state: []string{"settled", "paid", "revoked"}[random.IntN(3)], contract: term.contract, schema: term.schema, rate: term.rate,
			lastOn: firstDay.AddDays(random.IntN(spanDays)), shared: random.IntN(3) > 0, revenue: amount(), fee: amount(), cash: amount(),
			payout: random.Int64N(500_00), next: 0, transactions: random.Int64N(40), figures: map[string]int64{}}
		s.period = string(calendar.PeriodOf(s.lastOn, 1+random.IntN(7)))
		for _, f := range engine.AllFigures() {
			if v := amount(); random.IntN(3) > 0 && v != 0 {
				s.figures[f.String()] = v
			}
		}
		shared, paid, revoked := "", "", ""
		if s.shared {
			shared = db.Instant(tx.Now)
		}
		switch s.state {
		case "paid":
			paid = string(s.lastOn)
		case "revoked":
			revoked = db.Instant(tx.Now)
		}
		if _, err := tx.Exec(`INSERT INTO settlements (tenant_id, id, number, driver_id, run_id, period, ordinal, weeks, first_on, last_on, state, absorbed_into,
			terms_id, currency, transactions, carry_in, revenue, cash_collected, fee, due, payout, next_period_transfer, tax_excess, figures, apps,
			transfers, settled_at, settled_by, shared_at, paid_on, paid_at, paid_by, revoked_at, revoked_by, revoke_reason)
			VALUES ($1, $2, $3, $4, '', $5, $3, 1, $6, $7, $8, '', $9, 'PLN', $10, 0, $11, $12, $13, $14, $14, 0, 0, $15, '[]', '[]', $16, '', $17, $18, '', '',
			$19, '', '')`, s.id, i+1, s.driver, s.period, string(s.lastOn.AddDays(-6)), string(s.lastOn), s.state, term.id, s.transactions, s.revenue,
			s.cash, s.fee, s.payout, db.JSON(s.figures), tx.Now, shared, paid, revoked); err != nil {
			return err
		}
		w.settlements = append(w.settlements, s)
	}
	return nil
}

func (w *world) earn(tx *db.Tx, random *rand.Rand) error {
	types := kinds.Types()
	for i := range 600 {
		r := row{driver: w.drivers[random.IntN(len(w.drivers))].id, provider: kinds.Providers[random.IntN(len(kinds.Providers))].Code,
			kind: types[random.IntN(len(types))].Name, payment: []string{"", "cash", "card"}[random.IntN(3)], source: []string{"hand", "import"}[random.IntN(2)],
			on: firstDay.AddDays(random.IntN(spanDays)), amount: random.Int64N(800_00) - 300_00}
		if random.IntN(2) == 0 {
			r.settlement = w.settlements[random.IntN(len(w.settlements))].id
		}
		deleted := ""
		if i%20 == 0 {
			deleted = db.Instant(tx.Now)
		}
		if _, err := tx.Exec(`INSERT INTO transactions (tenant_id, id, driver_id, provider, type, amount, currency, occurred_at, occurred_on, span_from, span_to,
			name, description, search_key, payment, twin_id, source, import_id, source_file, source_row, source_column, external_id, came_unknown,
			evidence, evidence_type, evidence_name, reason, settlement_id, version, created_at, created_by, updated_at, deleted_at)
			VALUES ($1, $2, $3, $4, $5, $6, 'PLN', '', $7, '', '', '', '', '', $8, '', $9, '', '', 0, '', '', FALSE, '', '', '', '', $10, 1, $11, '', $11, $12)`,
			fmt.Sprintf("%s-t%04d", tx.Actor.Tenant, i), r.driver, r.provider, r.kind, r.amount, string(r.on), r.payment, r.source, r.settlement, tx.Now,
			deleted); err != nil {
			return err
		}
		if deleted == "" {
			w.rows = append(w.rows, r)
		}
	}
	return w.track(tx, random)
}

// track leaves a few rows of every other subject.
func (w *world) track(tx *db.Tx, random *rand.Rand) error {
	for i := range 40 {
		id, d, on := fmt.Sprintf("%s-x%02d", tx.Actor.Tenant, i), w.drivers[random.IntN(21)].id, firstDay.AddDays(random.IntN(spanDays))
		if _, err := tx.Exec(`INSERT INTO trips (tenant_id, id, driver_id, occurred_on, start_at, end_at, start_place, end_place, amount, payment, settlement_id,
			version, source, device, entered_at, clock_off, received_at, changed_at, refused_at, refuse_reason, deleted_at)
			VALUES ($1, $2, $3, $4, '', '', '', '', $5, $6, '', 1, 'web', '', '', 0, $7, $7, '', '', '')`, id, d, string(on), 1+random.Int64N(90_00),
			[]string{"cash", "card"}[i%2], tx.Now); err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO time_entries (tenant_id, id, driver_id, started_at, ended_at, minutes, break_minutes, mileage_start, mileage_end, plate,
			note, version, source, device, entered_at, clock_off, received_at, changed_at, refused_at, refuse_reason, deleted_at)
			VALUES ($1, $2, $3, $4, $5, $6, 15, 100, 180, '=WW 1', '', 1, 'web', '', '', 0, $7, $7, '', '', '')`, id, d, string(on)+"T08:00",
			string(on)+"T16:00", random.Int64N(480), tx.Now); err != nil {
			return err
		}
		gross := 100 + random.Int64N(500_00)
		state := []string{"to_verify", "approved", "rejected"}[i%3]
		if _, err := tx.Exec(`INSERT INTO invoice_images (tenant_id, id, driver_id, state, waits_for, uploaded_by, described_by, source, file_version, file_name,
			file_type, file_size, content_hash, pages, number, number_key, issued_on, sold_on, issuer_tax_id, issuer_name, buyer_tax_id, currency, net,
			gross, vat_standard, vat_reduced, vat_other, base_zero, registration, mileage, category, description, corrected_number, ksef_number,
			touched, accepted, feedback, reject_reason, twin_of, settlement_id, version, uploaded_at, changed_at, decided_at, decided_by, deleted_at)
			VALUES ($1, $2, $3, $4, '', 'driver', 'driver', 'none', 1, '', '', 0, $2, 1, $2, $2, $5, '', '123', 'Stacja', '', $6, $7, $8, $9, 0, 0, 0, '', 0,
			$10, '', '', '', '[]', '[]', '', '', '', '', 1, $11, $11, '', '', '')`, id, d, state, string(on), []string{"PLN", "EUR"}[i%8/7], gross-20, gross, 20,
			[]string{"fuel", "repair", ""}[i%3], tx.Now); err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO licence_entries (tenant_id, id, kind, units, order_id, note, created_at, created_by) VALUES ($1, $2, 'use', $3, '', '', $4, '')`,
			id, -1-random.Int64N(5), string(on)+"T10:00:00.000000Z"); err != nil {
			return err
		}
	}
	return w.pay(tx)
}

func (w *world) pay(tx *db.Tx) error {
	for number, state := range []string{"released", "cancelled", "proposed"} {
		if _, err := tx.Exec(`INSERT INTO payout_batches (tenant_id, number, id, way, state, profile, pay_on, currency, settlements, transfers, sum, payer_sealed,
			content_hash, created_at, created_by, created_by_id, released_at, released_by, cancelled_at, cancelled_by, cancel_reason)
			VALUES ($1, $2, $3, 'domestic', $4, '', $5, 'PLN', 1, 1, 1, '', '', $6, '', '', '', '', '', '', '')`, number+1,
			fmt.Sprint(tx.Actor.Tenant, number), state, string(firstDay.AddDays(number)), tx.Now); err != nil {
			return err
		}
		for place := range 20 {
			s := w.settlements[number*20+place]
			if _, err := tx.Exec(`INSERT INTO payout_transfers (tenant_id, batch, place, settlement_id, driver_id, purpose, amount, vat, reference, payee_sealed)
				VALUES ($1, $2, $3, $4, $5, 'INVOICE', $6, 5, $7, '')`, number+1, place+1, s.id, s.driver, 100+int64(place),
				fmt.Sprintf("%s-%d-%d", tx.Actor.Tenant, number, place)); err != nil {
				return err
			}
		}
	}
	return nil
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	for _, name := range testkit.Engines {
		t.Run(name, func(t *testing.T) { test(t, newWorld(t, name)) })
	}
}

var north = access.Actor{Role: access.Partner, Tenant: "north", ID: "m1", Name: "Person 1"}

// add saves a report of north.
func (w *world) add(t *testing.T, code string, audience query.Audience, definition string) (id string) {
	t.Helper()
	testkit.Write(t, w.DB, north, func(tx *db.Tx) (err error) {
		id, err = w.Add(tx, Entry{Code: code, Audience: audience, Enabled: true, Definition: definition})
		return err
	})
	return id
}

var wholeSpan = query.Parameters{From: firstDay, To: firstDay.AddDays(spanDays - 1)}

var background = context.Background()
