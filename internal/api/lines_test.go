package api_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/ledger/kinds"
	"saldo/internal/licences"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/schemas"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements/engine"
	"saldo/internal/testkit"
)

// earlier is by how many days the worked cases are moved back, so that the week after each is over too: whoever owes is settled there.
// Four weeks keep the boundaries of every frequency.
const earlier = 28

// workedCase is one of the worked cases, as far as rows and rules go.
type workedCase struct {
	Name                              string
	Period                            calendar.Period
	Driver                            struct{ FrequencyWeeks int }
	Schema                            json.RawMessage
	Transactions, SettledTransactions []workedRow
	Trips                             []struct {
		Date          calendar.Date
		Amount        money.Amount
		PaymentMethod string
	}
}

type workedRow struct {
	Provider, Type         string
	Date, SpanFrom, SpanTo calendar.Date
	Amount                 money.Amount
}

func workedCases(t *testing.T) (all []workedCase) {
	t.Helper()
	text, err := os.ReadFile("../settlements/engine/testdata/cases.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil || len(all) != 8 {
		t.Fatalf("%d cases, %v", len(all), err)
	}
	for i := range all {
		one := &all[i]
		for _, trip := range one.Trips { // a tracked trip is income of INTERNAL, and its cash
			one.Transactions = append(one.Transactions, workedRow{Provider: "INTERNAL", Type: kinds.Trip, Date: trip.Date, Amount: trip.Amount})
			if trip.PaymentMethod == "cash" {
				one.Transactions = append(one.Transactions, workedRow{Provider: "INTERNAL", Type: kinds.CashCollected, Date: trip.Date, Amount: -trip.Amount})
			}
		}
		for _, rows := range [][]workedRow{one.Transactions, one.SettledTransactions} {
			for j := range rows {
				for _, day := range []*calendar.Date{&rows[j].Date, &rows[j].SpanFrom, &rows[j].SpanTo} {
					if *day != "" {
						*day = day.AddDays(-earlier)
					}
				}
			}
		}
		for range earlier / 7 {
			one.Period = one.Period.Prev()
		}
	}
	// what no worked case has: fuel that is refunded, a credit, and more than one app with cash
	return append(all, workedCase{Name: "fuel, a credit and a start balance", Period: "2026-W41", Schema: json.RawMessage(`{"deductionRateBp": 5000, "payoutRateBp": 9000}`),
		Transactions: []workedRow{
			{Provider: "UBER", Type: "TRIP", Date: "2026-10-06", Amount: 900_00}, {Provider: "UBER", Type: "TIP", Date: "2026-10-06", Amount: 10_00},
			{Provider: "BOLT", Type: "TRIP", Date: "2026-10-07", Amount: 700_00}, {Provider: "BOLT", Type: "CASH_COLLECTED", Date: "2026-10-07", Amount: -120_00},
			{Provider: "UBER", Type: "CASH_COLLECTED", Date: "2026-10-08", Amount: -80_00}, {Provider: "UBER", Type: "FEE", Date: "2026-10-08", Amount: -30_00},
			{Provider: "ORLEN", Type: "FUEL", Date: "2026-10-08", Amount: -123_00}, {Provider: "PARTNER", Type: "COST", Date: "2026-10-08", Amount: -15_00},
			{Provider: "PARTNER", Type: kinds.Invoice, Date: "2026-10-09", Amount: 25_00}, {Provider: "INTERNAL", Type: kinds.PreviousPeriod, Date: "2026-10-05", Amount: -12_34},
		}})
}

// hasCash says whether any row of the case is cash.
func (c *workedCase) hasCash() bool {
	return slices.ContainsFunc(c.Transactions, func(r workedRow) bool { return r.Type == kinds.CashCollected })
}

// TestLines_AreTheSameOnScreenLinkPDFAndExport settles every worked case by every type of contract, with cash that is counted or that is
// not, by turns (both in a longer run), and compares the lines that the partner's screen, the driver's, the page of the link, both PDFs
// and the export give.
func TestLines_AreTheSameOnScreenLinkPDFAndExport(t *testing.T) {
	w := newWorld(t, "sqlite")
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		if err := licences.Grant(tx, 200, "test"); err != nil {
			return err
		}
		_, err := tx.Exec(`UPDATE partner_profiles SET drivers_choose_frequency = TRUE WHERE tenant_id = $1`)
		return err
	})
	compared, groups := 0, map[engine.Group]int{}
	for i, one := range workedCases(t) {
		for j, contract := range []rules.ContractType{rules.B2BNoVAT, rules.B2BVAT, rules.CivilContract} {
			for _, cashCounts := range []bool{true, false} {
				turn := (i+j)%2 == 0
				if !one.hasCash() && !cashCounts || one.hasCash() && cashCounts != turn && testkit.Soak() == 1 {
					continue
				}
				t.Run(fmt.Sprint(one.Name, ", ", contract, ", cash counts: ", cashCounts), func(t *testing.T) {
					driver := w.workedDriver(t, one, func(r *rules.Rules) { r.ContractType, r.PayoutIncludesCash = contract, cashCounts })
					for _, s := range w.settledCase(t, driver, one) {
						lines := w.linesOf(t, driver, s)
						for _, l := range lines {
							groups[l.Group]++
						}
						compared++
					}
				})
			}
		}
	}
	if compared < 3*9 || len(groups) != 5 {
		t.Errorf("%d settlements were compared, lines of %v", compared, groups)
	}
}

// workedDriver is a new driver who is settled by the rules of a case, changed.
func (w *world) workedDriver(t *testing.T, one workedCase, change func(*rules.Rules)) (id string) {
	t.Helper()
	id = w.addDriver(t, "partner", map[string]any{"firstName": "Łukasz", "lastName": "Żółkiewski", "taxId": "1132191233", "summaryLanguage": "pl", "iban": polishIBAN})
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		r := rules.Default()
		if err := json.Unmarshal(one.Schema, &r); err != nil {
			return err
		}
		r.Name = id
		change(&r)
		made, err := schemas.Add(tx, r)
		if err != nil {
			return err
		}
		_, err = tx.Exec(`UPDATE drivers SET schema_number = $3, settlement_frequency = $4, email = 'pawel-' || id || '@mail.example' WHERE tenant_id = $1 AND id = $2`,
			id, made.Number, one.Driver.FrequencyWeeks)
		return err
	})
	w.linkOnly(t, id)
	return id
}

// linkOnly makes the driver who signs in this one and no other.
func (w *world) linkOnly(t *testing.T, driver string) {
	t.Helper()
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE drivers SET account_id = '' WHERE tenant_id = $1 AND account_id <> ''`)
		return err
	})
	w.linked(t, driver)
}

// brings gives a driver rows of a case.
func (w *world) brings(t *testing.T, driver string, rows []workedRow) {
	t.Helper()
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		_, err := ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
			for i, r := range rows {
				if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: driver, Provider: r.Provider, Type: r.Type, Amount: r.Amount, Currency: "PLN", OccurredOn: r.Date,
					SpanFrom: r.SpanFrom, SpanTo: r.SpanTo, Source: "import", SourceFile: "week.csv", SourceRow: int64(i + 2)}) {
					return
				}
			}
		})
		return err
	})
}

// settledCase settles a case: what was settled before, then the rest; what the driver owes, with the week after it. What was pending has
// the lines of what is settled.
func (w *world) settledCase(t *testing.T, driver string, one workedCase) []settledSeen {
	t.Helper()
	settle := func(period calendar.Period) []engine.Line {
		var pending struct {
			Refusal string
			Lines   []engine.Line
		}
		if status, text := w.call(t, "partner", "GET", fmt.Sprintf("/api/drivers/%s/pending-settlement?period=%s", driver, period), nil, &pending); status != 200 {
			t.Fatalf("%d %s", status, text)
		}
		if pending.Refusal == "negative" {
			return nil
		}
		var made struct{ ID string }
		if status, text := w.call(t, "partner", "POST", "/api/settlement-runs", map[string]any{"period": period, "drivers": []string{driver}}, &made); status != 201 {
			t.Fatalf("%d %s", status, text)
		}
		w.must(t, 202, "partner", "POST", "/api/settlement-runs/"+made.ID+"/start", map[string]any{"share": true})
		return pending.Lines
	}
	if len(one.SettledTransactions) > 0 {
		w.brings(t, driver, one.SettledTransactions)
		settle(one.Period)
	}
	w.brings(t, driver, one.Transactions)
	pending := settle(one.Period)
	if pending == nil {
		next := one.Period.Next()
		w.brings(t, driver, []workedRow{{Provider: "BOLT", Type: kinds.Trip, Date: next.Monday(), Amount: 5000_00}})
		pending = settle(next)
	}
	var list struct{ Items []settledSeen }
	w.call(t, "partner", "GET", "/api/settlements?driver="+driver, nil, &list)
	newest := slices.MaxFunc(list.Items, func(a, b settledSeen) int { return int(a.Number - b.Number) })
	var screen struct{ Lines []engine.Line }
	if w.call(t, "partner", "GET", "/api/settlements/"+newest.ID, nil, &screen); !reflect.DeepEqual(screen.Lines, pending) {
		t.Errorf("pending:\n%+v\nsettled:\n%+v", pending, screen.Lines)
	}
	return list.Items
}

type settledSeen struct {
	ID, AbsorbedInto string
	Number           int64
	Due              money.Amount
}

// linesOf are the lines of a settlement, after everything that gives them was compared.
func (w *world) linesOf(t *testing.T, driver string, s settledSeen) []engine.Line {
	t.Helper()
	var screen, own, page struct{ Lines []engine.Line }
	w.call(t, "partner", "GET", "/api/settlements/"+s.ID, nil, &screen)
	if last := screen.Lines[len(screen.Lines)-1]; last.Balance != s.Due {
		t.Errorf("the lines come to %s, due is %s", last.Balance, s.Due)
	}
	w.pdfSays(t, "partner", "/api/settlements/"+s.ID+"/statement", screen.Lines)
	w.exportSays(t, s.Number, screen.Lines)

	asOne := cashAsOne(screen.Lines)
	w.call(t, "driver", "GET", "/api/driver-accounts/settlements/"+s.ID, nil, &own)
	if !reflect.DeepEqual(own.Lines, asOne) {
		t.Errorf("the driver sees\n%+v\nthe partner\n%+v", own.Lines, asOne)
	}
	if s.AbsorbedInto != "" {
		return screen.Lines // it is told of in the mail of the settlement that absorbed it
	}
	w.must(t, 202, "partner", "POST", "/api/summary-sendings/"+w.shownSending(t, s.ID)+"/start", nil)
	var sent struct{ Items []struct{ ID string } }
	w.call(t, "partner", "GET", "/api/summaries?settlement="+s.ID, nil, &sent)
	w.relink(t, sent.Items[0].ID, "lines-"+s.ID)
	w.call(t, "anonymous", "GET", "/api/driver-summaries/lines-"+s.ID, nil, &page)
	if !reflect.DeepEqual(page.Lines, asOne) {
		t.Errorf("the link shows\n%+v\nthe partner sees\n%+v", page.Lines, asOne)
	}
	w.pdfSays(t, "anonymous", "/api/driver-summaries/lines-"+s.ID+"/statement?lang=pl", screen.Lines)
	return screen.Lines
}

// cashAsOne are lines with the cash of all apps in one, as drivers see them.
func cashAsOne(lines []engine.Line) (all []engine.Line) {
	var cash money.Amount
	for _, l := range lines {
		if l.Group == engine.CashGroup {
			cash += l.Amount
		}
	}
	listed := cash == 0
	for _, l := range lines {
		switch {
		case l.Group != engine.CashGroup:
			all = append(all, l)
		case !listed:
			listed = true
			all = append(all, engine.Line{Group: l.Group, Name: "cashDeducted", Terms: []engine.LineTerm{{Figure: "cashDeducted", Amount: cash}}, Amount: cash,
				Balance: l.Balance - l.Amount + cash})
		}
	}
	return all
}

// rowOfPDF is a row of the table of lines: a name, an amount and a balance.
var rowOfPDF = regexp.MustCompile(`^ *(\S.*?) {2,}([+\x{2212}]?[\d ]+,\d\d) {2,}(\x{2212}?[\d ]+,\d\d)$`)

// pdfSays compares the table of lines in a PDF with lines.
func (w *world) pdfSays(t *testing.T, who, path string, lines []engine.Line) {
	t.Helper()
	_, content := w.fetched(t, who, path)
	file := t.TempDir() + "/x.pdf"
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pdftotext", "-layout", file, "-").CombinedOutput()
	if err != nil {
		t.Fatalf("%v %s", err, out)
	}
	text := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(string(out))
	_, table, _ := strings.Cut(text, i18n.Of(i18n.Polish, "billing:statement.chain"))
	table, _, _ = strings.Cut(table, i18n.Of(i18n.Polish, "statement:carried"))
	var said, want []string
	for line := range strings.Lines(table) {
		if found := rowOfPDF.FindStringSubmatch(strings.TrimRight(line, "\n")); found != nil {
			said = append(said, strings.Join(found[1:], " | "))
		}
	}
	shown := func(a money.Amount) string {
		return strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(i18n.Amount(i18n.Polish, a))
	}
	for _, l := range lines {
		name, amount := kinds.ProviderName(l.Provider, polish), shown(l.Amount)
		if l.Provider == "" {
			name = i18n.Of(i18n.Polish, "statement:line_"+l.Name)
		}
		if l.Amount > 0 {
			amount = "+" + amount
		}
		want = append(want, name+" | "+amount+" | "+shown(l.Balance))
	}
	if !slices.Equal(said, want) {
		t.Errorf("the PDF says\n%s\nthe lines are\n%s\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"), table)
	}
}

func polish(key string, params ...any) string { return i18n.Of(i18n.Polish, key, params...) }

// exportSays compares every term of the lines with the column of the export that has the figure.
func (w *world) exportSays(t *testing.T, number int64, lines []engine.Line) {
	t.Helper()
	rows := csv.NewReader(strings.NewReader(strings.TrimPrefix(w.must(t, 200, "partner", "GET", "/api/settlements/export?format=csv&lang=pl", nil), "\ufeff")))
	rows.Comma = ';'
	all, err := rows.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(under(t, all, polish("exports:settlements.number")), fmt.Sprint(number))
	cell := func(head string) (a money.Amount) {
		if a, err = money.Parse(under(t, all, head)[at], money.CommaDecimal); err != nil {
			t.Fatalf("%s: %v", head, err)
		}
		return a
	}
	var balance money.Amount
	for _, l := range lines {
		for _, term := range l.Terms {
			head := polish("statement:figure_" + term.Figure)
			if term.Provider != "" {
				head = polish("exports:settlements.app", "app", kinds.ProviderName(term.Provider, polish), "figure", head)
			}
			value := cell(head)
			if balance += term.Amount; term.Amount != value && term.Amount != -value {
				t.Errorf("%s is %s in the export, %s in the line %s", head, value, term.Amount, l.Name)
			}
		}
		if balance != l.Balance {
			t.Errorf("the terms come to %s after %s, its balance is %s", balance, l.Name, l.Balance)
		}
	}
	if due := cell(polish("statement:figure_due")); due != balance {
		t.Errorf("due is %s in the export, the lines come to %s", due, balance)
	}
}
