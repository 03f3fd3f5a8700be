package payouts_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/identity"
	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/ledger"
	"saldo/internal/partners"
	"saldo/internal/payouts"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
	"saldo/internal/schemas"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
)

var (
	ctx  = context.Background()
	anna = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna"}
	ewa  = access.Actor{Role: access.Partner, Tenant: "north", ID: "ewa", Name: "Ewa"}
)

const own = official.Account("PL49114020040000330200112177")

// fixture is a partner who pays, with settled drivers.
type fixture struct {
	*payouts.Service
	db    *db.DB
	clock *testkit.Clock
	book  drivers.Service
}

func newFixture(t *testing.T, engine string) *fixture {
	t.Helper()
	settings, clock := testkit.Settings(t, engine), testkit.NewClock()
	settings.Clock = clock.Now
	d := testkit.Open(t, settings)
	instance, err := config.InstanceOf("pl")
	if err != nil {
		t.Fatal(err)
	}
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	settlements := &settlements.Service{Instance: instance, Imports: &imports.Service{DB: d, Instance: instance}}
	w := &fixture{&payouts.Service{Instance: instance, Vault: v, Settlements: settlements}, d, clock, drivers.Service{Vault: v, Country: "PL"}}
	testkit.Write(t, d, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		if err := partners.Found(tx, partners.Partner{Code: "north", Name: "Flota Północ", Color: "#0B5D68"}, 1000); err != nil {
			return err
		}
		return errors.Join(addPerson(tx, anna), addPerson(tx, ewa))
	})
	w.write(t, func(tx *db.Tx) error {
		p, err := partners.OwnProfile(tx, v)
		if err != nil {
			return err
		}
		p.TaxID, p.Account, p.Address = "5260250274", own, partners.Address{Street: "Długa", HouseNumber: "7", City: "Gdańsk", PostCode: "80-001", Country: "PL"}
		tx.Actor.Proof.SignedInAt = tx.Now
		return partners.SaveProfile(tx, v, "PL", p)
	})
	return w
}

// addPerson makes somebody a person of the office.
func addPerson(tx *db.Tx, who access.Actor) error {
	return identity.AddMember(tx, identity.Member{ID: who.ID, Issuer: identity.Embedded, Subject: who.ID, Role: access.Partner, Name: who.Name, Email: who.ID + "@north.example"})
}

func each(t *testing.T, test func(t *testing.T, w *fixture)) {
	t.Helper()
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t, engine)
			test(t, w)
			w.holds(t)
		})
	}
}

func (w *fixture) write(t testing.TB, fn func(tx *db.Tx) error) {
	t.Helper()
	testkit.Write(t, w.db, anna, fn)
}

func (w *fixture) refused(t testing.TB, want error, fn func(tx *db.Tx) error) {
	t.Helper()
	if err := w.db.Write(ctx, anna, fn); !errors.Is(err, want) {
		t.Fatalf("%v, not %v", err, want)
	}
}

func (w *fixture) holds(t testing.TB) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		wrong, err := payouts.Verify(tx)
		more, other := w.Settlements.Verify(tx)
		if len(wrong)+len(more) > 0 {
			t.Error(wrong, more)
		}
		return errors.Join(err, other)
	})
}

// settled gives each of up to fifty drivers a settlement and says which.
func (w *fixture) settled(t testing.TB, details ...drivers.Details) (driverIDs, ids []string) {
	t.Helper()
	w.write(t, func(tx *db.Tx) (err error) {
		added := make([]drivers.NewDriver, len(details))
		for i, d := range details {
			d.SummaryLanguage = "pl"
			added[i].Details = d
		}
		driverIDs, err = w.book.AddMany(tx, added)
		if err != nil {
			return err
		}
		_, err = ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
			for i, id := range driverIDs {
				if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: id, Provider: "UBER", Type: "TRIP", OccurredOn: "2026-11-03", Amount: money.Amount(500_00 + i*7), Currency: "PLN", Source: "import"}) {
					return
				}
			}
		})
		return err
	})
	var p settlements.Preview
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
		p, err = w.Settlements.Preview(tx, settlements.Selection{Filter: settlements.PendingFilter{Period: "2026-W45"}, Drivers: driverIDs})
		return err
	})
	w.write(t, func(tx *db.Tx) error { return p.Keep(tx) })
	w.write(t, func(tx *db.Tx) error { _, err := w.Settlements.Start(tx, p.ID, settlements.StartOptions{}); return err })
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		ids = make([]string, len(driverIDs))
		for i, id := range driverIDs {
			found, err := db.One[string](tx, `SELECT id FROM settlements WHERE tenant_id = $1 AND driver_id = $2`, id)
			if err != nil {
				return err
			}
			ids[i] = found
		}
		return nil
	})
	return driverIDs, ids
}

func (w *fixture) rules(t testing.TB, change func(*rules.Rules)) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error {
		s, err := schemas.Get(tx, 1)
		if err != nil {
			return err
		}
		change(&s.Rules)
		_, err = schemas.Save(tx, 1, s.Version, s.Rules)
		return err
	})
}

func (w *fixture) plan(t testing.TB, request payouts.PayoutRequest) (p payouts.Plan) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { p, err = w.Plan(tx, request); return err })
	return p
}

func (w *fixture) made(t testing.TB, request payouts.PayoutRequest) (numbers []int64) {
	t.Helper()
	p := w.plan(t, request)
	w.write(t, func(tx *db.Tx) (err error) { numbers, err = w.Make(tx, request, p.Token); return err })
	return numbers
}

func (w *fixture) file(t testing.TB, number int64) (content []byte) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		f, err := w.File(tx, number)
		content = f.Content
		return err
	})
	return content
}

func TestABatchPaysEachSettlementOnceAndAsItWasShown(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		drivers, ids := w.settled(t,
			drivers.Details{FirstName: "Łukasz", LastName: "Żółć", IBAN: testkit.Account(1)},
			drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(2), AccountHolder: "Maria Nowak"},
			drivers.Details{FirstName: "Bez", LastName: "Konta"})
		request := payouts.PayoutRequest{Profile: "pko", PayOn: "2026-11-16"}
		p := w.plan(t, request)
		if len(p.Drafts) != 1 || p.Drafts[0].Settlements != 2 || len(p.Excluded) != 1 || p.Excluded[0].Reason != payouts.NoAccount || p.Excluded[0].SettlementID != ids[2] {
			t.Fatalf("%+v", p)
		}
		numbers := w.made(t, request)
		first := w.file(t, numbers[0])
		w.write(t, func(tx *db.Tx) error { // whatever changes at the driver
			_, err := tx.Exec(`UPDATE drivers SET account_holder = 'X', first_name = 'Y', iban_sealed = '' WHERE tenant_id = $1 AND id = $2`, drivers[0])
			return err
		})
		if again := w.file(t, numbers[0]); !bytes.Equal(first, again) {
			t.Errorf("%s\n%s", first, again)
		}
		for _, part := range []string{"110,20261116,", string(testkit.Account(1)[2:]), string(testkit.Account(2)[2:]), "Maria Nowak", fmt.Sprintf("P%d-", numbers[0])} {
			if !bytes.Contains(first, []byte(part)) {
				t.Errorf("%q is not in\n%s", part, first)
			}
		}
		p = w.plan(t, request)
		if len(p.Drafts) != 0 || len(p.Excluded) != 3 {
			t.Errorf("%+v", p)
		}
		for _, e := range p.Excluded {
			if e.SettlementID != ids[2] && (e.Reason != payouts.InBatch || e.Batch != numbers[0]) {
				t.Errorf("%+v", e)
			}
		}
		w.refused(t, payouts.ErrNothing, func(tx *db.Tx) error { _, err := w.Make(tx, request, p.Token); return err })
		w.refused(t, settlements.ErrInBatch, func(tx *db.Tx) error { return w.Settlements.Revoke(tx, ids[0], "no") })
		// cancelling frees them; the number is not used again
		w.refused(t, payouts.ErrInvalid, func(tx *db.Tx) error { return payouts.Cancel(tx, numbers[0], " ") })
		w.write(t, func(tx *db.Tx) error { return payouts.Cancel(tx, numbers[0], "wrong day") })
		w.refused(t, payouts.ErrCancelled, func(tx *db.Tx) error { return payouts.Cancel(tx, numbers[0], "again") })
		w.refused(t, payouts.ErrCancelled, func(tx *db.Tx) error { _, err := w.File(tx, numbers[0]); return err })
		w.write(t, func(tx *db.Tx) error { return w.Settlements.Revoke(tx, ids[0], "yes") })
		if next := w.made(t, request); len(next) != 1 || next[0] != numbers[0]+1 {
			t.Error(next)
		}
	})
}

func TestOnlyWhatWasChosenIsPaid(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		details := make([]drivers.Details, 6)
		for i := range details {
			details[i] = drivers.Details{FirstName: "Jan", LastName: fmt.Sprintf("Nowak %d", i), IBAN: testkit.Account(i)}
		}
		_, ids := w.settled(t, details...)
		for _, chosen := range [][]string{{ids[0]}, {ids[5]}, {ids[2], ids[4]}, {ids[3], ids[3]}} {
			p := w.plan(t, payouts.PayoutRequest{Profile: "elixir", Settlements: chosen})
			paid := map[string]bool{}
			for _, d := range p.Drafts {
				for _, one := range d.Transfers {
					paid[one.SettlementID] = true
				}
			}
			if len(p.Excluded) != 0 || len(paid) != len(slices.Compact(slices.Clone(chosen))) || slices.ContainsFunc(chosen, func(id string) bool { return !paid[id] }) {
				t.Errorf("%v: %v are paid, %+v are left out", chosen, paid, p.Excluded)
			}
		}
		if all := w.plan(t, payouts.PayoutRequest{Profile: "elixir"}); all.Drafts[0].Settlements != 6 {
			t.Errorf("%+v", all)
		}
	})
}

func TestWhoIsLeftOutAndWhy(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, func(r *rules.Rules) { r.ContractType = rules.B2BNoVAT })
		details := []drivers.Details{
			{FirstName: "A", LastName: "Good", IBAN: testkit.Account(1), TaxID: "1132191233"},
			{FirstName: "B", LastName: "Bailiff", IBAN: testkit.Account(2), TaxID: "1132191233", Bailiff: true},
			{FirstName: "C", LastName: "Untaxed", IBAN: testkit.Account(3)},
			{FirstName: "D", LastName: "Abroad", IBAN: "DE89370400440532013000", TaxID: "1132191233"},
			{FirstName: "E", LastName: "Changed", IBAN: testkit.Account(5), TaxID: "1132191233"},
			{FirstName: "F", LastName: "Accountless", TaxID: "1132191233"},
			{FirstName: "日本", LastName: "語", IBAN: testkit.Account(7), TaxID: "1132191233"},
		}
		drivers, ids := w.settled(t, details...)
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE drivers SET iban_changed_at = $3 WHERE tenant_id = $1 AND id = $2`, drivers[4], tx.Now.Add(-6*24*time.Hour))
			return err
		})
		reasons := func(p payouts.Plan) map[string]payouts.Reason {
			m := map[string]payouts.Reason{}
			for _, e := range p.Excluded {
				m[e.SettlementID] = e.Reason
			}
			return m
		}
		got := reasons(w.plan(t, payouts.PayoutRequest{Profile: "elixir", Settlements: append(slices.Clone(ids), "nobody")}))
		for i, want := range []payouts.Reason{"", payouts.Bailiff, payouts.NoTaxID, payouts.ForeignAccount, payouts.AccountChanged, payouts.NoAccount, payouts.Unwritable} {
			if got[ids[i]] != want {
				t.Errorf("%d: %q, not %q", i, got[ids[i]], want)
			}
		}
		if got["nobody"] != payouts.NotThere {
			t.Error(got)
		}
		p := w.plan(t, payouts.PayoutRequest{Profile: "elixir", ForeignProfile: "pain03", Cash: true, Accept: []string{ids[4]}})
		ways := map[payouts.Way]int64{}
		for _, d := range p.Drafts {
			ways[d.Way] = d.Settlements
		}
		if ways[payouts.Domestic] != 2 || ways[payouts.Foreign] != 1 || ways[payouts.Cash] != 1 || len(p.Excluded) != 3 {
			t.Errorf("%v %+v", ways, p.Excluded)
		}
		w.write(t, func(tx *db.Tx) error {
			own, err := partners.OwnProfile(tx, w.Vault)
			if err != nil {
				return err
			}
			own.Account, own.TaxID = "", ""
			tx.Actor.Proof.SignedInAt = tx.Now
			return partners.SaveProfile(tx, w.Vault, "PL", own)
		})
		p = w.plan(t, payouts.PayoutRequest{Profile: "elixir"})
		if !slices.Equal(p.Payer, []payouts.Reason{payouts.NoAccount, payouts.NoTaxID}) || len(p.Drafts) != 0 {
			t.Errorf("%+v", p)
		}
		w.refused(t, payouts.ErrPayer, func(tx *db.Tx) error {
			_, err := w.Make(tx, payouts.PayoutRequest{Profile: "elixir"}, p.Token)
			return err
		})
		w.refused(t, payouts.ErrInvalid, func(tx *db.Tx) error {
			_, err := w.Plan(tx, payouts.PayoutRequest{Profile: "nobody's", ForeignProfile: "elixir", PayOn: "2020-01-01"})
			return err
		})
	})
}

func TestNothingIsMadeOfWhatChangedMeanwhile(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		drivers, _ := w.settled(t, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(1)})
		request := payouts.PayoutRequest{Profile: "mbank"}
		p := w.plan(t, request)
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE drivers SET account_holder = 'Ktoś Inny' WHERE tenant_id = $1 AND id = $2`, drivers[0])
			return err
		})
		w.refused(t, payouts.ErrChanged, func(tx *db.Tx) error { _, err := w.Make(tx, request, p.Token); return err })
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			if _, n, err := payouts.List(tx, 1, 10); n != 0 || err != nil {
				t.Error(n, err)
			}
			return nil
		})
	})
}

func TestASecondPersonReleasesWhatTheFirstMade(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		_, ids := w.settled(t, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(1)})
		w.write(t, func(tx *db.Tx) error {
			return w.SaveSettings(tx, payouts.Settings{Profile: "millennium", SecondPerson: true})
		})
		w.refused(t, payouts.ErrSettingsChanged, func(tx *db.Tx) error { return w.SaveSettings(tx, payouts.Settings{Profile: "millennium"}) })
		n := w.made(t, payouts.PayoutRequest{Profile: "millennium"})[0]
		w.refused(t, payouts.ErrNotReleased, func(tx *db.Tx) error { _, err := w.File(tx, n); return err })
		w.refused(t, payouts.ErrNotReleased, func(tx *db.Tx) error { _, err := w.Pay(tx, n, "2026-11-15"); return err })
		w.refused(t, payouts.ErrSamePerson, func(tx *db.Tx) error { return payouts.Release(tx, n) })
		testkit.Write(t, w.db, ewa, func(tx *db.Tx) error { return payouts.Release(tx, n) })
		w.refused(t, payouts.ErrReleased, func(tx *db.Tx) error { return payouts.Release(tx, n) })
		if !strings.Contains(string(w.file(t, n)), "$$$P") {
			t.Error(string(w.file(t, n)))
		}
		w.write(t, func(tx *db.Tx) error {
			paid, err := w.Pay(tx, n, "2026-11-15")
			if paid != 1 {
				t.Error(paid)
			}
			return err
		})
		w.refused(t, payouts.ErrPaid, func(tx *db.Tx) error { return payouts.Cancel(tx, n, "late") })
		w.write(t, func(tx *db.Tx) error { return settlements.Unmark(tx, ids[0]) })
		w.write(t, func(tx *db.Tx) error { return payouts.Cancel(tx, n, "late") })
	})
}

// Thirty-two people make batches of the same settlements at the same moment: each settlement is in exactly one.
func TestParallelBatchesShareOutTheSettlements(t *testing.T) {
	const many, clients = 48, 32
	each(t, func(t *testing.T, w *fixture) {
		details := make([]drivers.Details, many)
		for i := range details {
			details[i] = drivers.Details{FirstName: "Jan", LastName: fmt.Sprintf("Nowak %d", i), IBAN: testkit.Account(i)}
		}
		_, ids := w.settled(t, details...)
		var made, refused sync.Map
		var all sync.WaitGroup
		for c := range clients {
			all.Go(func() {
				request := payouts.PayoutRequest{Profile: "alior", Settlements: ids[c%4*8 : c%4*8+24]}
				for try := range 3 {
					var p payouts.Plan
					if err := w.db.Read(ctx, anna, func(tx *db.Tx) (err error) { p, err = w.Plan(tx, request); return err }); err != nil {
						t.Error(err)
						return
					}
					var numbers []int64
					err := w.db.Write(ctx, anna, func(tx *db.Tx) (err error) { numbers, err = w.Make(tx, request, p.Token); return err })
					switch {
					case err == nil:
						for _, n := range numbers {
							made.Store(n, c)
						}
					case errors.Is(err, payouts.ErrChanged), errors.Is(err, payouts.ErrNothing):
						refused.Store([2]int{c, try}, err)
					default:
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			batches, _, err := payouts.List(tx, 1, 1000)
			if err != nil {
				return err
			}
			seen := map[string]int64{}
			for _, b := range batches {
				if _, outcomes := made.LoadAndDelete(b.Number); !outcomes {
					t.Errorf("batch %d stands, and nobody was told", b.Number)
				}
				transfers, err := w.TransfersOf(tx, b.Number)
				if err != nil {
					return err
				}
				for _, one := range transfers {
					if other := seen[one.SettlementID]; other != 0 && other != b.Number {
						t.Errorf("%s is in %d and %d", one.SettlementID, other, b.Number)
					}
					seen[one.SettlementID] = b.Number
				}
			}
			made.Range(func(n, _ any) bool { t.Errorf("batch %v was told and is not there", n); return true })
			if len(seen) != many {
				t.Errorf("%d of %d are in a batch", len(seen), many)
			}
			return nil
		})
	})
}

func TestALargeBatchIsCutWhereTheBankWantsIt(t *testing.T) {
	transfers := []payouts.Transfer{}
	for i := range 7 {
		for range 1 + i%3 {
			transfers = append(transfers, payouts.Transfer{SettlementID: fmt.Sprint(i)})
		}
	}
	for maximum := 3; maximum < 20; maximum++ {
		end := 0
		for _, piece := range payouts.Pieces(transfers, maximum) {
			if piece[0] != end || piece[1]-piece[0] > maximum || piece[1] <= piece[0] {
				t.Fatal(maximum, piece)
			}
			end = piece[1]
			if end < len(transfers) && transfers[end].SettlementID == transfers[end-1].SettlementID {
				t.Fatal(maximum, "cut through", piece)
			}
		}
		if end != len(transfers) {
			t.Fatal(maximum, end)
		}
	}
}

func TestPlan_LeavesBlockedDriversOut(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		driverIDs, ids := w.settled(t,
			drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(1)},
			drivers.Details{FirstName: "Ewa", LastName: "Lis", IBAN: testkit.Account(2)})
		block := func(blocked bool) {
			w.write(t, func(tx *db.Tx) error { return drivers.Block(tx, driverIDs[0], blocked) })
		}
		request := payouts.PayoutRequest{Profile: "pko", PayOn: "2026-11-16"}
		before := w.plan(t, request)
		block(true)
		p := w.plan(t, request)
		if p.Drafts[0].Settlements != 1 || len(p.Excluded) != 1 || p.Excluded[0].Reason != payouts.Blocked || p.Excluded[0].SettlementID != ids[0] {
			t.Fatalf("%+v", p)
		}
		w.refused(t, payouts.ErrChanged, func(tx *db.Tx) error { _, err := w.Make(tx, request, before.Token); return err })
		block(false)
		if p := w.plan(t, request); p.Drafts[0].Settlements != 2 || len(p.Excluded) != 0 {
			t.Errorf("after unblocking: %+v", p)
		}
	})
}
