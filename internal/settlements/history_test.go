package settlements_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/drivers/merge"
	"saldo/internal/invoices"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/testkit"
	"saldo/internal/tracking"
)

const steps = 10

// world is a fleet whose drivers each live a history of their own, by one seed.
type world struct {
	*fixture
	random      *rand.Rand
	driverCount int // histories that are lived side by side, one driver each
	drivers     []string
	names       map[string]int  // place of a driver among them
	added       []money.Amount  // everything that was ever booked for each, less what was taken back
	gone        map[string]bool // who is merged into another now
	person      []int           // the least place of those who were ever one person with each
	merges      []merged
	imports     int
	invoices    int
	trips       int
	answers     []string // what every step answered, without ids
}

// merged is a merge that was not undone.
type merged struct{ id, other string }

// TestNoHistoryLosesOrDoublesAnything lives random histories of importing, adding, settling, revoking, carrying, paying and of
// changing schemas and frequencies, of drivers who are merged and taken apart,
// of invoices that are sent, approved, rejected and opened again, and of trips that are written down, changed, deleted and refused. After each step everything that must hold does, and both engines say the same.
func TestNoHistoryLosesOrDoublesAnything(t *testing.T) {
	driverCount, rounds := 100, testkit.Soak()
	if rounds > 1 {
		driverCount = 1000
	}
	for round := range rounds {
		seed := uint64(20261115 + round)
		answers := make([][]string, len(testkit.Engines))
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			for i, name := range testkit.Engines {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					w := &world{fixture: newFixture(t, name), random: rand.New(rand.NewPCG(seed, 6)), driverCount: driverCount, names: map[string]int{}}
					w.people(t)
					for step := range steps {
						w.step(t, step)
					}
					w.holds(t)
					answers[i] = w.answers
				})
			}
		})
		for i := range answers {
			if !slices.Equal(answers[i], answers[0]) {
				t.Fatalf("seed %d: the engines differ:\n%v\n%v", seed, answers[0], answers[i])
			}
		}
	}
}

func (w *world) people(t *testing.T) {
	t.Helper()
	w.write(t, func(tx *db.Tx) (err error) {
		added := make([]drivers.NewDriver, w.driverCount)
		for i := range added {
			added[i].Details = drivers.Details{FirstName: fmt.Sprintf("Jan %03d", i), LastName: "Nowak", SummaryLanguage: "pl"}
		}
		w.drivers, err = w.book.AddMany(tx, added)
		return err
	})
	for i, id := range w.drivers {
		w.names[id] = i
	}
	w.added, w.person, w.gone = make([]money.Amount, w.driverCount), make([]int, w.driverCount), map[string]bool{}
	for i := range w.person {
		w.person[i] = i
	}
	w.write(t, func(tx *db.Tx) error {
		return licences.Grant(tx, int64(w.driverCount*len(periods)), "a unit for every period of everybody")
	})
	w.newRules(t)
}

// step does one thing, for everybody or for some.
func (w *world) step(t *testing.T, step int) {
	t.Helper()
	w.clock.Pass(time.Hour)
	w.bookSome(t)
	w.counted(t)
	switch w.random.IntN(13) {
	case 11, 12:
		w.tripSome(t)
	case 8:
		w.mergeSome(t)
	case 0:
		w.newRules(t)
	case 1:
		w.newFrequency(t)
	case 2, 3:
		w.settleSome(t)
	case 4:
		w.revokeSome(t)
	case 5:
		w.payAndCarry(t)
	case 6:
		w.thereAndBack(t)
	case 7:
		w.importAndRemove(t)
	default:
		w.invoiceSome(t)
	}
	w.settleSome(t)
	if step == steps/2 {
		w.holds(t)
	}
	w.answers = append(w.answers, w.looks(t))
}

func (w *world) amount() money.Amount { return money.Amount(w.random.IntN(90_000) - 20_000) }

// row is anything that a file, a person or a provider could bring.
func (w *world) row() row {
	kinds := []struct{ provider, typ string }{{"UBER", "TRIP"}, {"UBER", "TRIP"}, {"BOLT", "TRIP"}, {"BOLT", "BONUS"}, {"UBER", "TIP"}, {"UBER", "CASH_COLLECTED"}, {"BOLT", "FEE"}, {"ORLEN", "FUEL"}, {"PARTNER", "COST"},
		{"PARTNER", "INVOICE"}, {"UBER", "TAX"}, {"OTHER", "REFUND"}, {"UBER", "UNKNOWN"}, {"UBER", "PAYOUT"}, {"PARTNER", "SETTLEMENT_COST"}, {"PARTNER", "TAX_OVERPAYMENT"}, {"PARTNER", "CONTRACT_COST"}}
	k := kinds[w.random.IntN(len(kinds))]
	amount := w.amount()
	switch k.typ {
	case "CASH_COLLECTED", "FEE", "FUEL", "COST":
		amount = -max(amount, -amount)
	case "TRIP", "BONUS", "TIP", "INVOICE", "TAX_OVERPAYMENT":
		amount = max(amount, -amount)
	}
	return row{k.provider, k.typ, calendar.Date("2026-10-05").AddDays(w.random.IntN(41)), amount}
}

// bookSome gives most drivers a few rows.
func (w *world) bookSome(t *testing.T) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error {
		_, err := ledger.AddMany(tx, "", w.rows(tx))
		return err
	})
}

// rows makes them ahead: a unit of work may run twice.
func (w *world) rows(tx *db.Tx) func(func(*ledger.Transaction) bool) {
	made := []*ledger.Transaction{}
	for i, id := range w.drivers {
		if w.gone[id] {
			continue
		}
		for range w.random.IntN(4) {
			r := w.row()
			w.added[i] += r.amount
			made = append(made, &ledger.Transaction{ID: tx.NewID(), DriverID: id, Provider: r.provider, Type: r.typ, OccurredOn: r.on, Amount: r.amount, Currency: "PLN", Source: "import"})
		}
	}
	return slices.Values(made)
}

func (w *world) newRules(t *testing.T) {
	t.Helper()
	w.rules(t, func(r *rules.Rules) {
		pick := func(maximum int) money.Amount { return money.Amount(w.random.IntN(maximum)) }
		r.ContractType = []rules.ContractType{rules.B2BNoVAT, rules.B2BVAT, rules.CivilContract}[w.random.IntN(3)]
		r.AutoNextPeriod, r.PayoutIncludesCash = w.random.IntN(3) > 0, w.random.IntN(4) > 0
		r.SettlementCost, r.WeeklyContractCost, r.MonthlyContractCost, r.MinTransfer = pick(30_00), pick(60_00), pick(40_00), pick(200_00)
		r.DailyFee = rules.DailyFee{Uber: pick(15_00), Bolt: pick(15_00), FreeNow: pick(10_00)}
		r.PayoutRate, r.DepreciationRate = money.Rate(5_000+w.random.IntN(5_001)), money.Rate(w.random.IntN(3_000))
		r.WeekStartDay = int64(1 + w.random.IntN(7))
		r.TripSettlementCost, r.TripFee, r.MaxTripSettlementCost = pick(20_00), pick(3_00), nil
		if most := pick(30_00); w.random.IntN(2) == 0 {
			r.MaxTripSettlementCost = &most
		}
	})
}

func (w *world) newFrequency(t *testing.T) {
	t.Helper()
	weeks := []int64{1, 2, 4}[w.random.IntN(3)]
	if w.random.IntN(2) == 0 {
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE partner_profiles SET settlement_frequency = $2 WHERE tenant_id = $1`, weeks)
			return err
		})
		return
	}
	some := w.some()
	w.write(t, func(tx *db.Tx) error {
		for _, id := range some {
			if _, err := tx.Exec(`UPDATE drivers SET settlement_frequency = $3 WHERE tenant_id = $1 AND id = $2`, id, weeks); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *world) some() (some []string) {
	for _, id := range w.drivers {
		if w.random.IntN(3) == 0 && !w.gone[id] {
			some = append(some, id)
		}
	}
	return some
}

var periods = []calendar.Period{"2026-W41", "2026-W42", "2026-W43", "2026-W44", "2026-W45", "2026-W46"}

func (w *world) period() calendar.Period { return periods[w.random.IntN(len(periods))] }

// settleSome settles some or all of a period, at once or as its job would.
func (w *world) settleSome(t *testing.T) (made []string) {
	t.Helper()
	selection := of(w.period())
	if w.random.IntN(2) == 0 {
		if selection.Drivers = w.some(); len(selection.Drivers) == 0 {
			return nil
		}
	}
	var p settlements.Preview
	err := w.db.Read(ctx, anna, func(tx *db.Tx) (err error) { p, err = w.Preview(tx, selection); return err })
	if errors.Is(err, settlements.ErrNothing) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, func(tx *db.Tx) error { return p.Keep(tx) })
	if p.Drivers == 0 {
		w.refused(t, settlements.ErrNegative, func(tx *db.Tx) error { _, err := w.Start(tx, p.ID, settlements.StartOptions{}); return err })
		return nil
	}
	r := w.start(t, p.ID, false)
	for r.State == settlements.RunRunning { // as its job does
		w.write(t, func(tx *db.Tx) (err error) { r, err = w.Go(tx, p.ID); return err })
	}
	if r.State != settlements.RunDone || r.Settled != p.Drivers || r.SettledPayout != p.Payout {
		t.Fatalf("%+v of %+v", r, p.Run)
	}
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
		made, err = db.Select[string](tx, `SELECT id FROM settlements WHERE tenant_id = $1 AND run_id = $2 AND absorbed_into = '' ORDER BY number DESC`, p.ID)
		return err
	})
	return made
}

// standing are live settlements that could be acted on, newest first.
func (w *world) standing(t *testing.T, state string) (ids []string) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
		ids, err = db.Select[string](tx, `SELECT id FROM settlements WHERE tenant_id = $1 AND state = $2 AND absorbed_into = '' ORDER BY number DESC`, state)
		return err
	})
	return ids
}

// refusable does something that may be refused with a fault, and with nothing else.
func refusable(err error) error {
	if f := new(fault.Fault); err != nil && !errors.As(err, &f) {
		return err
	}
	return nil
}

// few are some of a list, decided ahead: a unit of work may run twice.
func (w *world) few(of []string, oneIn int) []string {
	return slices.DeleteFunc(of, func(string) bool { return w.random.IntN(oneIn) > 0 })
}

func (w *world) revokeSome(t *testing.T) {
	t.Helper()
	few := w.few(w.standing(t, "settled"), 4)
	w.write(t, func(tx *db.Tx) error {
		for _, id := range few {
			if err := refusable(w.Revoke(tx, id, "history")); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *world) payAndCarry(t *testing.T) {
	t.Helper()
	paid, carried, unpaid := w.few(w.standing(t, "settled"), 6), w.few(w.standing(t, "settled"), 3), w.few(w.standing(t, "paid"), 2)
	w.write(t, func(tx *db.Tx) error {
		for _, id := range unpaid {
			if err := refusable(settlements.Unmark(tx, id)); err != nil {
				return err
			}
		}
		for _, id := range carried {
			if err := refusable(w.CarryOver(tx, id)); err != nil {
				return err
			}
		}
		for _, id := range paid {
			if err := refusable(w.MarkPaid(tx, id, 0, "2026-11-15")); err != nil {
				return err
			}
		}
		return nil
	})
}

// thereAndBack settles and revokes all of it: nothing but the trail knows.
func (w *world) thereAndBack(t *testing.T) {
	t.Helper()
	before := w.everything(t)
	made := w.settleSome(t)
	w.write(t, func(tx *db.Tx) error {
		for _, id := range made {
			if err := w.Revoke(tx, id, "there and back"); err != nil {
				return err
			}
		}
		return nil
	})
	if w.everything(t) != before {
		t.Fatal("revoking what was just settled did not give back what was")
	}
}

// importAndRemove brings rows as an import and takes them back, which is refused once something of them is settled.
func (w *world) importAndRemove(t *testing.T) {
	t.Helper()
	w.imports++
	id := fmt.Sprint("import-", w.imports)
	added := slices.Clone(w.added)
	w.write(t, func(tx *db.Tx) error {
		_, err := ledger.AddMany(tx, id, w.rows(tx))
		return err
	})
	if w.random.IntN(2) == 0 {
		w.settleSome(t)
	}
	w.write(t, func(tx *db.Tx) error {
		if err := ledger.CanBeRemoved(tx, id); errors.Is(err, ledger.ErrInSettlements) {
			return nil
		} else if err != nil {
			return err
		}
		copy(w.added, added)
		_, err := ledger.Release(tx, id, 10_000)
		return err
	})
}

// invoiceSome sends invoices for some drivers, of which most are approved, and changes its mind about some that no settlement has taken.
func (w *world) invoiceSome(t *testing.T) {
	t.Helper()
	service := &invoices.Service{DB: w.db, Instance: w.Instance}
	type sent struct {
		driver  string
		details invoices.Details
		approve bool
	}
	list, minds := []sent{}, w.random.IntN(4)
	for _, driver := range w.some() {
		w.invoices++
		net := money.Amount(1_00 + w.random.IntN(500_00))
		vat := net * 23 / 100
		on := calendar.Date("2026-10-01").AddDays(w.random.IntN(45))
		list = append(list, sent{driver, invoices.Details{Number: fmt.Sprintf("FV/%06d", w.invoices), IssuedOn: on, IssuerTaxID: "5260250274",
			Net: net, VATStandard: vat, Gross: net + vat}, w.random.IntN(4) > 0})
	}
	w.write(t, func(tx *db.Tx) error {
		for n, one := range list {
			who := []invoices.Person{invoices.Partner, invoices.Driver(one.driver)}[n%2]
			i, err := service.Add(tx, who, one.driver, invoices.Received{ID: tx.NewID(), BlobKey: "none", File: invoices.File{FileVersion: 1,
				FileName: "a.png", FileType: "image/png", ContentHash: fmt.Sprint("hash ", one.details.Number)}},
				&invoices.Form{Details: one.details})
			if err == nil && one.approve {
				_, err = service.Describe(tx, invoices.Partner, i.ID, invoices.Change{Version: i.Version, Details: i.Details, Action: invoices.Approve,
					Accept: []string{"LOOKS_LIKE", "FUTURE_DATE", "VAT_RATE"}})
			}
			if errors.Is(err, invoices.ErrSameAmount) {
				continue // two of one day and amount
			}
			if err != nil {
				return err
			}
		}
		open, err := db.Select[struct {
			ID, State string
			Version   int64
		}](tx, `SELECT id, state, version FROM invoice_images WHERE tenant_id = $1 AND settlement_id = '' AND deleted_at = ''
			AND state IN ('approved', 'to_verify') ORDER BY number`)
		if err != nil {
			return err
		}
		for n, one := range open {
			if n%5 != minds {
				continue
			}
			if one.State == "approved" {
				_, err = service.Describe(tx, invoices.Partner, one.ID, invoices.Change{Version: one.Version, Action: invoices.Reopen})
			} else {
				_, err = service.Reject(tx, one.ID, "wrong_data", "")
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// tripSome writes trips down for some drivers, and changes, deletes and refuses some that no settlement has taken. One that is
// settled is never changed.
func (w *world) tripSome(t *testing.T) {
	t.Helper()
	service := &tracking.Service{DB: w.db, Instance: w.Instance}
	details := func() tracking.TripDetails {
		return tracking.TripDetails{OccurredOn: calendar.Date("2026-10-05").AddDays(w.random.IntN(41)), Amount: money.Amount(1 + w.random.IntN(90_00)),
			Payment: []tracking.Payment{tracking.Cash, tracking.Card}[w.random.IntN(2)]}
	}
	type change struct {
		driver, id string
		details    tracking.TripDetails
	}
	var added []change
	for _, driver := range w.some() {
		for range 1 + w.random.IntN(3) {
			w.trips++
			added = append(added, change{driver, fmt.Sprintf("00000000-0000-4000-8000-%012d", w.trips), details()})
		}
	}
	others := make([]tracking.TripDetails, 7)
	for i := range others {
		others[i] = details()
	}
	turn := w.random.IntN(5)
	w.write(t, func(tx *db.Tx) error {
		for _, one := range added {
			if _, _, err := service.SaveTrip(tx, tracking.Driver(one.driver), one.id, one.details, tracking.Said{}); err != nil {
				return err
			}
			// the answer was lost: it comes again
			if _, same, err := service.SaveTrip(tx, tracking.Driver(one.driver), one.id, one.details, tracking.Said{}); err != nil || !same {
				return fmt.Errorf("the same trip again: %v, %w", same, err)
			}
		}
		all, err := db.Select[struct {
			ID, DriverID, SettlementID, DeletedAt, RefusedAt string
			Version                                          int64
		}](tx, `SELECT id, driver_id, settlement_id, deleted_at, refused_at, version FROM trips WHERE tenant_id = $1 ORDER BY id`)
		if err != nil {
			return err
		}
		for n, one := range all {
			who, said := tracking.Driver(one.DriverID), tracking.Said{Version: one.Version}
			if one.SettlementID != "" {
				_, same, err := service.SaveTrip(tx, who, one.ID, others[n%len(others)], said)
				if !errors.Is(err, tracking.ErrSettled) && !same {
					return fmt.Errorf("a settled trip was changed: %w", err)
				}
				continue
			}
			switch (n + turn) % 5 {
			case 0:
				_, _, err = service.SaveTrip(tx, who, one.ID, others[n%len(others)], said)
			case 1:
				if one.DeletedAt == "" {
					_, err = tracking.DeleteTrip(tx, who, one.ID, one.Version)
				}
			case 2:
				if one.DeletedAt == "" {
					_, err = tracking.RefuseTrip(tx, one.ID, one.Version, map[bool]string{true: "not ours"}[one.RefusedAt == ""])
				}
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// mergeSome merges a few drivers into others and takes a few apart again, which is refused once something that moved is settled.
func (w *world) mergeSome(t *testing.T) {
	t.Helper()
	apart := []merged{}
	w.merges = slices.DeleteFunc(w.merges, func(m merged) bool {
		if w.random.IntN(3) > 0 {
			return false
		}
		apart = append(apart, m)
		return true
	})
	for _, m := range apart {
		var err error
		w.write(t, func(tx *db.Tx) error { err = merge.Undo(tx, w.book, m.id); return refusable(err) })
		if err == nil {
			delete(w.gone, m.other)
		}
	}
	pairs := w.few(slices.DeleteFunc(slices.Clone(w.drivers), func(id string) bool { return w.gone[id] }), 10)
	for pair := range slices.Chunk(pairs, 2) {
		if len(pair) < 2 {
			break
		}
		o, id := merge.Order{Kept: pair[0], Other: pair[1]}, ""
		w.write(t, func(tx *db.Tx) (err error) {
			for id, version := range map[string]*int64{o.Kept: &o.KeptVersion, o.Other: &o.OtherVersion} {
				if *version, err = db.One[int64](tx, `SELECT version FROM drivers WHERE tenant_id = $1 AND id = $2`, id); err != nil {
					return err
				}
			}
			id, err = merge.Drivers(tx, w.book, o)
			return err
		})
		w.gone[o.Other] = true
		w.merges = append(w.merges, merged{id, o.Other})
		a, b := w.person[w.names[o.Kept]], w.person[w.names[o.Other]]
		for i, p := range w.person {
			if p == a || p == b {
				w.person[i] = min(a, b)
			}
		}
	}
}

// holds checks what must always hold.
func (w *world) holds(t *testing.T) {
	t.Helper()
	w.verified(t)
	w.figures(t)
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		// nothing is lost: everything that was booked is there once, besides what settlements carried
		booked, err := db.Select[struct {
			DriverID string
			Sum      money.Amount
		}](tx, `SELECT driver_id, CAST(SUM(amount) AS BIGINT) AS sum FROM transactions WHERE tenant_id = $1 AND source <> 'carry' AND deleted_at = '' GROUP BY driver_id`)
		if err != nil {
			return err
		}
		missing := make([]money.Amount, w.driverCount)
		for i, sum := range w.added {
			missing[w.person[i]] += sum
		}
		for _, b := range booked {
			missing[w.person[w.names[b.DriverID]]] -= b.Sum
		}
		for i, sum := range missing {
			if sum != 0 {
				t.Errorf("driver %d: of what was booked %v is not there", i, sum)
			}
		}
		drawn, err := db.One[int](tx, `SELECT COUNT(*) FROM trips WHERE tenant_id = $1`)
		if drawn != w.trips {
			t.Errorf("%d trips are there, %d were written down", drawn, w.trips)
		}
		if err != nil {
			return err
		}
		// every invoice that is settled is in the figures of one live settlement
		off, err := db.Select[string](tx, `SELECT s.id FROM settlements s LEFT JOIN invoice_images i ON i.tenant_id = s.tenant_id
			AND i.settlement_id = s.id AND i.settlement_id <> '' WHERE s.tenant_id = $1 GROUP BY s.id, s.state HAVING s.state = 'revoked'
			AND COUNT(i.id) > 0`)
		if len(off) > 0 {
			t.Errorf("revoked settlements hold invoices: %v", off)
		}
		if err != nil {
			return err
		}
		return w.conserved(t, tx)
	})
	if t.Failed() {
		t.FailNow()
	}
}

// conserved: what settlements made of their own rows and charges is what they paid and what is still to be carried.
func (w *world) conserved(t *testing.T, tx *db.Tx) error {
	t.Helper()
	page, err := settlements.List(tx, settlements.Filter{Page: 1, Size: 1_000_000})
	if err != nil {
		return err
	}
	own, paid := map[int]money.Amount{}, map[int]money.Amount{}
	var gross, fares money.Amount
	for i := range page.Items {
		s := &page.Items[i]
		if s.State == settlements.Revoked {
			continue
		}
		f, err := s.KeptFigures()
		if err != nil {
			return err
		}
		own[w.person[w.names[s.DriverID]]] += f[engine.Due] - f[engine.PreviousPeriod]
		paid[w.person[w.names[s.DriverID]]] += s.Payout
		gross += f[engine.InvoicesGross]
		apps, err := s.KeptApps()
		if err != nil {
			return err
		}
		for _, a := range apps {
			if a.Provider == "INTERNAL" {
				fares += a.Income
			}
		}
	}
	taken, err := db.One[money.Amount](tx, `SELECT CAST(COALESCE(SUM(gross), 0) AS BIGINT) FROM invoice_images WHERE tenant_id = $1
		AND settlement_id <> ''`)
	if err != nil {
		return err
	}
	if taken != gross {
		t.Errorf("settlements count invoices over %v, and took such over %v", gross, taken)
	}
	driven, err := db.One[money.Amount](tx, `SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM trips WHERE tenant_id = $1
		AND settlement_id <> ''`)
	if err != nil {
		return err
	}
	if driven != fares {
		t.Errorf("settlements count trips over %v, and took such over %v", fares, driven)
	}
	open, err := db.Select[struct {
		DriverID string
		Sum      money.Amount
	}](tx, `SELECT c.driver_id, CAST(SUM(c.amount) AS BIGINT) AS sum FROM settlement_carries c LEFT JOIN transactions t ON t.tenant_id = c.tenant_id AND t.id = c.transaction_id
		WHERE c.tenant_id = $1 AND c.type = 'PREV_PERIOD_TRANSFER' AND (c.transaction_id = '' OR t.settlement_id = '') GROUP BY c.driver_id`)
	for _, o := range open {
		paid[w.person[w.names[o.DriverID]]] += o.Sum
	}
	for driver, sum := range own {
		if paid[driver] != sum {
			t.Errorf("driver %d: settlements made %v, but %v was paid or is left", driver, sum, paid[driver])
		}
	}
	return err
}

// looks is what a person sees of everybody, without ids.
func (w *world) looks(t *testing.T) string {
	t.Helper()
	sum, seen := sha256.New(), []calendar.Period{w.period(), "2026-W46"}
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		for _, period := range seen {
			page, err := w.PendingPage(tx, settlements.PendingFilter{Period: period, Page: 1, Size: 1000})
			if err != nil {
				return err
			}
			for _, p := range page.Items {
				fmt.Fprintln(sum, period, w.names[p.Driver.ID], p.Figures, p.Apps, p.Transfers, p.Refusal(), len(p.Warnings))
			}
			fmt.Fprintln(sum, page.Totals)
		}
		list, err := settlements.List(tx, settlements.Filter{Page: 1, Size: 100_000, Sort: settlements.ByName})
		for _, s := range list.Items {
			fmt.Fprintln(sum, w.names[s.DriverID], s.Number, s.Period, s.State, s.Figures, s.Apps, s.Transfers, s.Due, s.Payout, s.NotCarried)
		}
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)[:8])
}
