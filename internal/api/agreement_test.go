package api_test

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/schemas"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/testkit"
)

// TestWhatIsSettledSaysTheSameEverywhere settles 40 drivers, 500 in a longer run, and compares every figure of each in the database, in the
// PDF, in the bank's file, on the page of the mailed link and in the export.
func TestWhatIsSettledSaysTheSameEverywhere(t *testing.T) {
	const atOnce = 20
	drivers := min(40*testkit.Soak(), 500)
	w := newWorld(t, "sqlite")
	w.pays(t)
	random := rand.New(rand.NewPCG(2026, 11))
	ids := make([]string, drivers)
	for i := range ids {
		ids[i] = w.addDriver(t, "partner", map[string]any{"firstName": "Łukasz", "lastName": fmt.Sprintf("Żółkiewski %d", i), "taxId": "1132191233", "summaryLanguage": "pl",
			"iban": string(testkit.Account(i))})
	}
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		if err := licences.Grant(tx, int64(drivers), "test"); err != nil {
			return err
		}
		if _, err := tx.Exec(`UPDATE drivers SET email = 'pawel-' || id || '@mail.example' WHERE tenant_id = $1`); err != nil {
			return err
		}
		s, err := schemas.Get(tx, 1)
		if err != nil {
			return err
		}
		r := &s.Rules
		r.ContractType, r.SettlementCost, r.WeeklyContractCost, r.PayoutRate, r.DepreciationRate, r.DeductionRate = rules.CivilContract, 30_00, 25_00, 9_500, 700, 5_000
		r.DailyFee = rules.DailyFee{Uber: 5_00, Bolt: 4_00}
		order := money.Amount(300_00)
		r.MinContractIncome = &order
		if _, err := schemas.Save(tx, 1, s.Version, *r); err != nil {
			return err
		}
		_, err = ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
			for _, id := range ids {
				for _, one := range []struct {
					provider, typ string
					sign          money.Amount
				}{{"UBER", "TRIP", 1}, {"BOLT", "TRIP", 1}, {"BOLT", "BONUS", 1}, {"UBER", "TIP", 1}, {"UBER", "FEE", -1}, {"UBER", "CASH_COLLECTED", -1}, {"ORLEN", "FUEL", -1}, {"PARTNER", "COST", -1}} {
					amount := money.Amount(20_01 + random.IntN(200_00))
					if one.typ == "TRIP" {
						amount *= 30
					}
					if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: id, Provider: one.provider, Type: one.typ, Amount: one.sign * amount, Currency: "PLN",
						OccurredOn: calendar.Date("2026-10-26").AddDays(random.IntN(7)), Source: "import", SourceFile: "week.csv", SourceRow: 7}) {
						return
					}
				}
			}
		})
		return err
	})
	for some := range slices.Chunk(ids, atOnce) {
		w.must(t, 202, "partner", "POST", "/api/settlement-runs/"+w.shownRun(t, some...)+"/start", map[string]any{"share": true})
	}
	var settled []settlements.Settlement
	testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		page, err := settlements.List(tx, settlements.Filter{State: settlements.Settled, Page: 1, Size: int64(2 * drivers)})
		settled = slices.DeleteFunc(page.Items, func(s settlements.Settlement) bool { return !slices.Contains(ids, s.DriverID) })
		return err
	})
	if len(settled) != drivers {
		t.Fatalf("%d are settled", len(settled))
	}

	exported := w.exportedFigures(t)
	paid := w.bankPays(t, settled)
	pages := w.linkedFigures(t, settled)
	var working sync.WaitGroup
	for part := range slices.Chunk(settled, drivers/2) {
		working.Go(func() {
			for i := range part {
				s := &part[i]
				w.agrees(t, s, exported[s.Number], pages[s.ID], paid[s.Number])
			}
		})
	}
	working.Wait()
}

// agrees compares a settlement with what its PDF, the export, the page of its link and the bank's file say.
func (w *world) agrees(t *testing.T, s *settlements.Settlement, exported engine.Figures, page map[string]money.Amount, paid []money.Amount) {
	t.Helper()
	figures, err := s.KeptFigures()
	if err != nil {
		t.Error(err)
		return
	}
	document, _ := w.document(t, "partner", "/api/settlements/"+s.ID+"/statement")
	plain := strings.Join(strings.Fields(document), " ")
	for _, f := range engine.AllFigures() {
		reply := strings.Join(strings.Fields(i18n.Amount(i18n.Polish, figures[f])), " ")
		if figures[f] != 0 && !strings.Contains(plain, reply) {
			t.Errorf("settlement %d: the paper does not say %s of %s", s.Number, f, reply)
		}
		if exported[f] != figures[f] {
			t.Errorf("settlement %d: the export has %s of %s, not %s", s.Number, f, exported[f], figures[f])
		}
		if page[f.String()] != figures[f] {
			t.Errorf("settlement %d: the page has %s of %s, not %s", s.Number, f, page[f.String()], figures[f])
		}
	}
	transfers, err := s.KeptTransfers()
	if err != nil {
		t.Error(err)
	}
	var want []money.Amount
	for _, one := range transfers {
		want = append(want, one.Amount)
	}
	if !slices.Equal(paid, want) || figures[engine.Payout] != s.Payout {
		t.Errorf("settlement %d: the bank pays %v, not %v", s.Number, paid, want)
	}
}

// A week is settled, the provider's report comes again with 10.00 more and replaces it, the difference is settled, both are paid, and one transfer comes back
// and is paid anew: all of it says the same everywhere, and the banks were told exactly what the driver has.
func TestACorrectedWeekAndAReturnedTransferSayTheSameEverywhere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.pays(t)
		driver := w.addDriver(t, "partner", map[string]any{"firstName": "Łukasz", "lastName": "Żółkiewski", "taxId": "1132191233", "summaryLanguage": "pl",
			"email": "lukasz.z@example.com", "iban": polishIBAN})
		testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error { return licences.Grant(tx, 10, "test") })
		report := boltWeek(t)
		corrected := report
		for _, change := range [][2]string{{"4970.90", "4980.90"}, {"4210.40", "4220.40"}, {"3756.30", "3766.30"}, {"3181.50", "3191.50"}} {
			corrected = strings.Replace(corrected, change[0], change[1], 1)
		}
		bring := func(content, restated string) {
			id := w.send(t, "partner", "Zarobki na kierowcę-2026W44-Demo.csv", []byte(content)).ID
			w.must(t, 202, "partner", "POST", "/api/imports/"+id+"/confirm", map[string]any{"restated": restated})
			w.drain(t, id)
		}
		bring(report, "")
		w.settledOf(t, driver)
		bring(corrected, "replace")
		w.settledOf(t, driver)
		settled := w.settledNow(t, driver)
		if len(settled) != 2 || settled[0].Revenue+settled[1].Revenue != 4980_90 || min(settled[0].Revenue, settled[1].Revenue) != 10_00 {
			t.Fatalf("%+v", settled)
		}
		exported, paid, pages := w.exportedFigures(t), w.bankPays(t, settled), w.linkedFigures(t, settled)
		for i := range settled {
			w.agrees(t, &settled[i], exported[settled[i].Number], pages[settled[i].ID], paid[settled[i].Number])
		}

		// the correction's transfer comes back, and is paid in another batch
		back := slices.MinFunc(settled, func(a, b settlements.Settlement) int { return int(a.Payout - b.Payout) })
		w.must(t, 204, "partner", "POST", fmt.Sprint(batchesPath, "/1/settlements/", back.ID, "/remove"), map[string]any{"reason": "Rachunek zamknięty", "returned": []int64{w.placeOf(t, back.ID)}})
		anew := w.bankPays(t, []settlements.Settlement{back})
		if !slices.Equal(anew[back.Number], paid[back.Number]) || len(anew) != 1 {
			t.Errorf("paid anew: %v, came back: %v", anew, paid[back.Number])
		}
		for i := range settled {
			w.agrees(t, &settled[i], w.exportedFigures(t)[settled[i].Number], pages[settled[i].ID], paid[settled[i].Number])
		}
	})
}

// boltWeek is the report of one driver as Bolt gives it.
func boltWeek(t *testing.T) string {
	t.Helper()
	file, err := os.ReadFile("../imports/providers/bolt/testdata/bolt-earnings-pl.csv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfterN(string(file), "\n", 3)
	return lines[0] + lines[1]
}

// settledNow are the settlements of a driver that stand.
func (w *world) settledNow(t *testing.T, driver string) (all []settlements.Settlement) {
	t.Helper()
	testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		page, err := settlements.List(tx, settlements.Filter{State: settlements.Settled, DriverID: driver, Page: 1, Size: 100})
		all = page.Items
		return err
	})
	return all
}

// placeOf is where the transfer of a settlement stands in the first batch.
func (w *world) placeOf(t *testing.T, settlement string) int64 {
	t.Helper()
	var seen struct {
		Transfers []struct {
			SettlementID string `json:"settlementId"`
			Place        int64
		}
	}
	w.call(t, "partner", "GET", fmt.Sprint(batchesPath, "/1"), nil, &seen)
	for _, one := range seen.Transfers {
		if one.SettlementID == settlement {
			return one.Place
		}
	}
	t.Fatalf("%s is not in the first batch", settlement)
	return 0
}

// exportedFigures are the figures of every settlement in the CSV, by number.
func (w *world) exportedFigures(t *testing.T) map[int64]engine.Figures {
	t.Helper()
	rows := csv.NewReader(strings.NewReader(strings.TrimPrefix(w.must(t, 200, "partner", "GET", "/api/settlements/export?format=csv&lang=pl", nil), "\ufeff")))
	rows.Comma = ';'
	all, err := rows.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	word := func(key string) int {
		at := slices.Index(all[0], i18n.Of(i18n.Polish, key))
		if at < 0 {
			t.Fatalf("no column %s in %q", key, all[0])
		}
		return at
	}
	found := map[int64]engine.Figures{}
	for _, row := range all[1:] {
		number, err := strconv.ParseInt(row[word("exports:settlements.number")], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		var figures engine.Figures
		for _, f := range engine.AllFigures() {
			if figures[f], err = money.Parse(row[word("statement:figure_"+f.String())], money.CommaDecimal); err != nil {
				t.Fatal(f, err)
			}
		}
		found[number] = figures
	}
	return found
}

// bankPays has all of them paid in one file and reads it: the amounts of each settlement in their order.
func (w *world) bankPays(t *testing.T, settled []settlements.Settlement) map[int64][]money.Amount {
	t.Helper()
	ids := make([]string, len(settled))
	for i := range settled {
		ids[i] = settled[i].ID
	}
	paid := map[int64][]money.Amount{}
	for line := range strings.Lines(w.must(t, 200, "partner", "GET", fmt.Sprint(batchesPath, "/", w.batched(t, ids...), "/file"), nil)) {
		row, err := csv.NewReader(strings.NewReader(line)).Read()
		if err != nil || len(row) != 16 {
			t.Fatalf("%v: %q", err, line)
		}
		minor, err := strconv.ParseInt(row[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		var number int64
		if _, err := fmt.Sscanf(strings.ReplaceAll(row[11], "|", "")[strings.Index(strings.ReplaceAll(row[11], "|", ""), "nr ")+3:], "%d", &number); err != nil {
			t.Fatalf("%v: %q", err, row[11])
		}
		paid[number] = append(paid[number], money.Amount(minor))
	}
	return paid
}

// linkedFigures are the figures that the mailed link of each settlement shows.
func (w *world) linkedFigures(t *testing.T, settled []settlements.Settlement) map[string]map[string]money.Amount {
	t.Helper()
	found := map[string]map[string]money.Amount{}
	for some := range slices.Chunk(settled, 50) {
		ids := make([]string, len(some))
		for i := range some {
			ids[i] = some[i].ID
		}
		w.must(t, 202, "partner", "POST", "/api/summary-sendings/"+w.shownSending(t, ids...)+"/start", nil)
		for _, id := range ids {
			var sent struct{ Items []struct{ ID string } }
			w.call(t, "partner", "GET", "/api/summaries?settlement="+id, nil, &sent)
			token := "agreed-" + id
			w.relink(t, sent.Items[0].ID, token)
			var page struct{ Figures map[string]money.Amount }
			if status, text := w.call(t, "anonymous", "GET", "/api/driver-summaries/"+token, nil, &page); status != 200 {
				t.Fatalf("%d %s", status, text)
			}
			found[id] = page.Figures
		}
	}
	return found
}
