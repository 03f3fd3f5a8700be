package payouts_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/payouts"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
	"saldo/internal/timeline"
)

func (w *fixture) secondPerson(t testing.TB, on bool) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error {
		s, err := w.SettingsOf(tx)
		if err != nil {
			return err
		}
		s.SecondPerson = on
		return w.SaveSettings(tx, s)
	})
}

func TestMarkPaid_IsRefusedForWhatIsInABatch(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.secondPerson(t, true)
		_, ids := w.settled(t, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(1)})
		number := w.made(t, payouts.PayoutRequest{Profile: "pko", PayOn: "2026-11-16"})[0]
		w.refused(t, settlements.ErrInBatch, func(tx *db.Tx) error { return w.Settlements.MarkPaid(tx, ids[0], 0, "2026-11-15") })
		testkit.Write(t, w.db, ewa, func(tx *db.Tx) error { return payouts.Release(tx, number) })
		w.refused(t, settlements.ErrInBatch, func(tx *db.Tx) error { return w.Settlements.MarkPaid(tx, ids[0], 0, "2026-11-15") })
		w.write(t, func(tx *db.Tx) error { _, err := w.Pay(tx, number, "2026-11-15"); return err })
		w.refused(t, settlements.ErrPaid, func(tx *db.Tx) error { return w.Settlements.MarkPaid(tx, ids[0], 0, "2026-11-15") })
	})
}

func TestRelease_ChecksEverySettlement(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.secondPerson(t, true)
		driverIDs, ids := w.settled(t,
			drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(1)},
			drivers.Details{FirstName: "Ewa", LastName: "Lis", IBAN: testkit.Account(2)})
		number := w.made(t, payouts.PayoutRequest{Profile: "pko", PayOn: "2026-11-16"})[0]
		block := func(blocked bool) func(tx *db.Tx) error {
			return func(tx *db.Tx) error { return drivers.Block(tx, driverIDs[1], blocked) }
		}
		// whatever became of a settlement meanwhile, by whichever way
		set := func(text string) func(tx *db.Tx) error {
			return func(tx *db.Tx) error {
				_, err := tx.Exec(`UPDATE settlements SET `+text+` WHERE tenant_id = $1 AND id = $2`, ids[1])
				return err
			}
		}
		for _, c := range []struct {
			what       string
			make, undo func(tx *db.Tx) error
		}{
			{"blocked", block(true), block(false)},
			{"paid", set(`state = 'paid', paid_on = '2026-11-15'`), set(`state = 'settled', paid_on = ''`)},
			{"in another batch", set(`batch = 0`), set(fmt.Sprint(`batch = `, number))},
		} {
			w.write(t, c.make)
			err := w.db.Write(ctx, ewa, func(tx *db.Tx) error { return payouts.Release(tx, number) })
			var refused *fault.Fault
			named := fmt.Sprint(w.one(t, ids[1]).Number)
			if !errors.As(err, &refused) || !errors.Is(err, payouts.ErrUnpayable) || refused.Params["settlements"] != named {
				t.Fatalf("%s: %v", c.what, err)
			}
			w.write(t, c.undo)
		}
		testkit.Write(t, w.db, ewa, func(tx *db.Tx) error { return payouts.Release(tx, number) })
	})
}

// comesBack confirms a bank's statement that says a transfer was made and came back.
func (w *fixture) comesBack(tx *db.Tx, batch, place int64) error {
	list, err := w.TransfersOf(tx, batch)
	if err != nil {
		return err
	}
	day, sent := string(w.today()), list[place-1]
	file := camt(own, movement{day, -sent.Amount, sent.Reference, ""}, movement{day, sent.Amount, sent.Reference, "Rachunek zamknięty"})
	p, err := w.PlanStatement(tx, file)
	if err != nil {
		return err
	}
	_, err = w.ConfirmStatement(tx, "wyciag.xml", file, p.Token, nil)
	return err
}

func TestRemove_PaysAnewOnlyWhatCameBack(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, func(r *rules.Rules) { r.DepreciationRate = 2000 }) // two transfers: DEDUCTION_COST and ORDER_CONTRACT
		_, ids := w.settled(t,
			drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(1)},
			drivers.Details{FirstName: "Ewa", LastName: "Lis", IBAN: testkit.Account(2)})
		request := payouts.PayoutRequest{Profile: "pko", PayOn: "2026-11-16"}
		first := w.made(t, request)[0]
		sent := w.transfers(t, first)
		ids[0], ids[1] = sent[0].SettlementID, sent[2].SettlementID
		w.refused(t, payouts.ErrNothingReturned, func(tx *db.Tx) error { return payouts.Remove(tx, first, ids[0], nil, "came back") })
		w.write(t, func(tx *db.Tx) error { return w.comesBack(tx, first, 2) })
		w.write(t, func(tx *db.Tx) error { _, err := w.Pay(tx, first, "2026-11-15"); return err })
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			s, err := settlements.Of(tx, ids[0])
			if s.State != settlements.Settled || s.Batch != first {
				t.Errorf("%+v", s)
			}
			return err
		})
		w.refused(t, payouts.ErrInvalid, func(tx *db.Tx) error { return payouts.Remove(tx, first, ids[0], nil, " ") })
		w.refused(t, payouts.ErrInvalid, func(tx *db.Tx) error { return payouts.Remove(tx, first, ids[0], []int64{99}, "came back") })
		w.refused(t, settlements.ErrPaid, func(tx *db.Tx) error { return payouts.Remove(tx, first, ids[1], nil, "came back") })
		w.write(t, func(tx *db.Tx) error { return payouts.Remove(tx, first, ids[0], nil, "the account was closed") })
		w.refused(t, payouts.ErrNotInBatch, func(tx *db.Tx) error { return payouts.Remove(tx, first, ids[0], nil, "again") })

		p := w.plan(t, request)
		if len(p.Drafts) != 1 || len(p.Drafts[0].Transfers) != 1 || p.Drafts[0].Transfers[0].Purpose != "ORDER_CONTRACT" {
			t.Fatalf("%+v", p)
		}
		next := w.made(t, request)[0]
		w.write(t, func(tx *db.Tx) error {
			n, err := w.Pay(tx, next, "2026-11-15")
			if n != 1 {
				t.Errorf("%d were paid", n)
			}
			return err
		})
		// and the other half comes back after all
		w.write(t, func(tx *db.Tx) error { return w.comesBack(tx, first, 1) })
		if s := w.one(t, ids[0]); s.State != settlements.Settled || s.Batch != next {
			t.Errorf("%+v", s)
		}
		w.write(t, func(tx *db.Tx) error { return payouts.Remove(tx, next, ids[0], nil, "the rest came back too") })
		if p := w.plan(t, request); len(p.Drafts[0].Transfers) != 1 || p.Drafts[0].Transfers[0].Purpose != "DEDUCTION_COST" {
			t.Fatalf("%+v", p)
		}
	})
}

func TestRemove_OfAProposedOrCancelledBatchIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.secondPerson(t, true)
		_, ids := w.settled(t, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(1)})
		number := w.made(t, payouts.PayoutRequest{Profile: "pko", PayOn: "2026-11-16"})[0]
		w.refused(t, payouts.ErrNotReleased, func(tx *db.Tx) error { return payouts.Remove(tx, number, ids[0], []int64{1}, "wrong") })
		w.write(t, func(tx *db.Tx) error { return payouts.Cancel(tx, number, "wrong") })
		w.refused(t, payouts.ErrCancelled, func(tx *db.Tx) error { return payouts.Remove(tx, number, ids[0], []int64{1}, "wrong") })
	})
}

// A random life of 500 settlements, or fewer in a plain run: batches, releases by two people, returns, removals, marks, cancellations and revokes in any
// order. What banks were told, less what came back, is what is marked as paid; nobody is ever in two live files.
func TestBankFiles_HoldExactlyWhatIsPaid(t *testing.T) {
	people := []access.Actor{anna, ewa}
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, func(r *rules.Rules) { r.DepreciationRate = 2000 })
		w.secondPerson(t, true)
		var driverIDs, ids []string
		for block := range min(10, testkit.Times(5, 10)) { // 250 settlements in a plain run
			details := make([]drivers.Details, 50)
			for i := range details {
				details[i] = drivers.Details{FirstName: fmt.Sprint("Jan", block), LastName: fmt.Sprint("Nowak", i), IBAN: testkit.Account(block*50 + i + 1)}
			}
			d, s := w.settled(t, details...)
			driverIDs, ids = append(driverIDs, d...), append(ids, s...)
		}
		dice := rand.New(rand.NewPCG(20261116, 500))
		outcomes := map[string]int{} // what became of each attempt, so that the test can see that it tried
		maximum := money.Amount(0)
		for step := range 400 * testkit.Soak() {
			if step%100 == 99 {
				maximum = max(maximum, w.agrees(t))
				w.traced(t, ids)
			}
			who := people[dice.IntN(2)]
			name, act := w.randomStep(t, dice, who, driverIDs, ids)
			err := w.db.Write(ctx, who, act)
			var refused *fault.Fault
			switch {
			case err == nil:
				outcomes[name]++
			case !errors.As(err, &refused):
				t.Fatalf("%s: %v", name, err)
			}
		}
		for _, name := range []string{"make", "release", "pay", "return", "remove", "cancel", "mark", "unmark", "revoke"} {
			if outcomes[name] == 0 {
				t.Errorf("%s never happened: %v", name, outcomes)
			}
		}
		for _, number := range w.released(t) { // every batch ends
			w.write(t, func(tx *db.Tx) error { _, err := w.Pay(tx, number, "2026-11-15"); return err })
		}
		if maximum = max(maximum, w.agrees(t)); maximum == 0 {
			t.Error("nothing was ever paid")
		}
		w.traced(t, ids)
	})
}

func (w *fixture) released(t testing.TB) (numbers []int64) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		list, _, err := payouts.List(tx, 1, 1000)
		for _, b := range list {
			if b.State == payouts.Released {
				numbers = append(numbers, b.Number)
			}
		}
		return err
	})
	return numbers
}

// randomStep is one thing that one of two people tries to do.
func (w *fixture) randomStep(t testing.TB, dice *rand.Rand, who access.Actor, driverIDs, ids []string) (name string, act func(tx *db.Tx) error) {
	t.Helper()
	id := ids[dice.IntN(len(ids))]
	number := int64(1 + dice.IntN(30))
	switch dice.IntN(11) {
	case 0, 1:
		some := make([]string, 1+dice.IntN(40))
		for i := range some {
			some[i] = ids[dice.IntN(len(ids))]
		}
		request := payouts.PayoutRequest{Profile: "pko", PayOn: "2026-11-16", Settlements: some}
		return "make", func(tx *db.Tx) error {
			p, err := w.Plan(tx, request)
			if err != nil {
				return err
			}
			_, err = w.Make(tx, request, p.Token)
			return err
		}
	case 2, 3:
		return "release", func(tx *db.Tx) error { return payouts.Release(tx, number) }
	case 4:
		return "pay", func(tx *db.Tx) error { _, err := w.Pay(tx, number, "2026-11-15"); return err }
	case 5:
		return "return", func(tx *db.Tx) error {
			b, err := payouts.Of(tx, number)
			if err != nil || b.State != payouts.Released {
				return errors.Join(err, payouts.ErrNotReleased)
			}
			return w.comesBack(tx, number, 1+dice.Int64N(b.Transfers))
		}
	case 6:
		return "remove", func(tx *db.Tx) error {
			list, err := db.Select[struct {
				ID    string
				Batch int64
			}](tx, `SELECT DISTINCT s.id, s.batch FROM payout_outcomes o JOIN payout_transfers t ON t.tenant_id = o.tenant_id AND t.batch = o.batch AND t.place = o.place
				JOIN settlements s ON s.tenant_id = t.tenant_id AND s.id = t.settlement_id WHERE o.tenant_id = $1 AND s.batch > 0 AND s.state = 'settled' ORDER BY s.id`)
			if err != nil || len(list) == 0 {
				return errors.Join(err, payouts.ErrNothing)
			}
			one := list[dice.IntN(len(list))]
			return payouts.Remove(tx, one.Batch, one.ID, nil, "came back")
		}
	case 7:
		return "cancel", func(tx *db.Tx) error { return payouts.Cancel(tx, number, "wrong") }
	case 8:
		return "mark", func(tx *db.Tx) error { return w.Settlements.MarkPaid(tx, id, 0, "2026-11-15") }
	case 9:
		if dice.IntN(2) == 0 {
			return "unmark", func(tx *db.Tx) error {
				page, err := settlements.List(tx, settlements.Filter{State: settlements.Paid, Page: 1, Size: 1000})
				if err != nil || len(page.Items) == 0 {
					return errors.Join(err, payouts.ErrNothing)
				}
				return settlements.Unmark(tx, page.Items[dice.IntN(len(page.Items))].ID)
			}
		}
		return "block", func(tx *db.Tx) error {
			return drivers.Block(tx, driverIDs[dice.IntN(len(driverIDs))], dice.IntN(2) == 0)
		}
	}
	if dice.IntN(4) > 0 {
		return "pay", func(tx *db.Tx) error { _, err := w.Pay(tx, number, "2026-11-15"); return err }
	}
	return "revoke", func(tx *db.Tx) error { return w.Settlements.Revoke(tx, id, "wrong") }
}

// agrees holds what bank files said against what is marked as paid, from the tables alone.
func (w *fixture) agrees(t testing.TB) (paid money.Amount) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		live := map[string][]int64{} // settlement → live batches with a transfer of it that stands
		stands := map[string]money.Amount{}
		batches, _, err := payouts.List(tx, 1, 10_000)
		if err != nil {
			return err
		}
		for _, b := range batches {
			if b.State == payouts.Cancelled {
				continue
			}
			transfers, err := w.TransfersOf(tx, b.Number)
			if err != nil {
				return err
			}
			for _, k := range transfers {
				if k.ReturnedOn == "" && !k.GivenUp {
					stands[k.SettlementID] += k.Amount
				}
				s, err := settlements.Of(tx, k.SettlementID)
				if err != nil {
					return err
				}
				if s.Batch == b.Number && !slices.Contains(live[s.ID], b.Number) {
					live[s.ID] = append(live[s.ID], b.Number)
				}
			}
		}
		var outcomes money.Amount
		page, err := settlements.List(tx, settlements.Filter{Page: 1, Size: 10_000})
		for _, s := range page.Items {
			if len(live[s.ID]) > 1 {
				t.Errorf("settlement %d is in batches %v", s.Number, live[s.ID])
			}
			if stands[s.ID] > s.Payout {
				t.Errorf("settlement %d pays %s and banks were told %s", s.Number, s.Payout, stands[s.ID])
			}
			if s.State == settlements.Paid && s.Batch > 0 {
				outcomes, paid = outcomes+stands[s.ID], paid+s.Payout
			}
		}
		if outcomes != paid {
			t.Errorf("banks were told %s and %s is marked as paid", outcomes, paid)
		}
		return err
	})
	return paid
}

// traced holds the timelines of settlements against their rows: the last step that is reached is what they are.
func (w *fixture) traced(t testing.TB, ids []string) {
	t.Helper()
	lines := timeline.Service{Settlements: w.Settlements, Payouts: w.Service}
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		for i, id := range ids {
			s, err := settlements.Of(tx, id)
			if err != nil {
				return err
			}
			if s.State == settlements.Settled && s.Batch == 0 && i%10 > 0 {
				continue // what keeps it from being paid takes a plan
			}
			line, err := lines.Of(tx, id)
			if err != nil {
				return err
			}
			if wrong := line.Contradicts(&s); wrong != "" {
				t.Errorf("settlement %d: %s: %+v", s.Number, wrong, line.Steps)
			}
		}
		return nil
	})
}
