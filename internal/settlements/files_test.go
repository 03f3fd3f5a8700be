package settlements_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/imports/pipeline"
	"saldo/internal/imports/statement"
	"saldo/internal/imports/unmatched"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
)

// TestWhatIsDueIsAlwaysWhatTheBookedFilesSay lives histories of importing, importing again corrected, replacing, booking beside, removing,
// assigning, settling and revoking: one for each person of many whose files come together. After every step what stands is what a small
// model says of the files, nothing is in two places, and in the end, all revoked and removed, there is nothing. Both engines say the same.
// SALDO_SOAK=67 lives 20,000 histories on each engine.
func TestWhatIsDueIsAlwaysWhatTheBookedFilesSay(t *testing.T) {
	rounds := 2
	if testkit.Soak() > 1 {
		rounds = 12 * testkit.Soak()
	}
	for round := range rounds {
		seed := uint64(20261116 + round)
		answers := make([][]string, len(testkit.Engines))
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			for n, engine := range testkit.Engines {
				t.Run(engine, func(t *testing.T) {
					answers[n] = newFiled(t, engine, seed).live(t)
				})
			}
		})
		if t.Failed() {
			return
		}
		for n := range answers {
			if answers[n] != nil && answers[0] != nil && !slices.Equal(answers[n], answers[0]) { // nil: only one engine was asked for
				t.Fatalf("seed %d: the engines differ:\n%v\n%v", seed, answers[0], answers[n])
			}
		}
	}
}

const (
	filedDrivers = 25
	filedSteps   = 14
)

// report is a file of the model: what it says of a week of each person.
type report struct {
	id      string
	week    calendar.Period
	says    map[int]map[string]int64 // person → type → amount
	order   int
	beside  bool
	stands  bool
	inWords int // 0 or 1: the language of its heading
}

// answers is one amount that reports speak of.
type saidRow struct {
	who    int
	week   calendar.Period
	typ    string
	amount int64
}

func (r *report) contains(s saidRow) bool {
	amount, there := r.says[s.who][s.typ]
	return r.week == s.week && there && amount == s.amount
}

// filed is a fleet and its files.
type filed struct {
	*fixture
	random   *rand.Rand
	files    *imports.Service
	drivers  []string // of persons; those of the last fifth are not known until somebody assigns them
	known    []bool
	reports  []*report
	order    int
	uploaded int
	answers  []string
}

// weekly reads a row for each person and kind of money of a week. Its heading has two languages.
var weekly = statement.Layout{Provider: "BOLT", Kind: "weekly",
	Recognise: func(h statement.Head) bool { return h.Has("person", "week from") },
	Open: func(h statement.Head, _ statement.Given) statement.Reader {
		return func(r statement.Row, out statement.Out) {
			amount, err := statement.Amount(r.At(h.Find("amount", "betrag")), money.AnyDecimal)
			if err != nil {
				panic(err)
			}
			out.Entries(statement.Entry{Line: r.Line, Column: h.Names[h.Find("amount", "betrag")], Type: r.At(h.Find("type")), Amount: amount,
				From: calendar.Date(r.At(h.Find("week from"))), To: calendar.Date(r.At(h.Find("to"))),
				Person: statement.Person{Keys: []statement.Key{{Kind: statement.ByID, Value: r.At(h.Find("person"))}}, Name: "Jan " + r.At(h.Find("person"))}})
		}
	}}

func (w *filed) unmatched() unmatched.Service { return unmatched.Service{Drivers: w.book} }

func newFiled(t *testing.T, engine string, seed uint64) *filed {
	t.Helper()
	w := &filed{fixture: newFixture(t, engine), random: rand.New(rand.NewPCG(seed, 16))}
	store, err := blob.Open("", t.TempDir(), w.book.Vault)
	if err != nil {
		t.Fatal(err)
	}
	w.files = &imports.Service{DB: w.db, Blobs: store, Instance: w.Instance, Layouts: []statement.Layout{weekly}}
	w.Imports = w.files
	added := make([]drivers.NewDriver, filedDrivers)
	for n := range added {
		added[n].Details = drivers.Details{FirstName: fmt.Sprintf("Jan %03d", n), LastName: "Nowak", SummaryLanguage: "pl"}
		known := n < filedDrivers*4/5
		w.known = append(w.known, known)
		if known {
			added[n].Identities = []drivers.Identity{{Provider: "BOLT", Value: fmt.Sprint("p-", n)}}
		}
	}
	w.write(t, func(tx *db.Tx) (err error) {
		w.drivers, err = w.book.AddMany(tx, added)
		return errors.Join(err, licences.Grant(tx, 100_000, "enough"))
	})
	// what drivers are due is then the plain sum of what reports say
	w.rules(t, func(r *rules.Rules) { *r = rules.Default(); r.Name, r.ContractType = "Plain", "B2B_VAT" })
	q := jobs.NewQueue(w.db, slog.New(slog.DiscardHandler))
	q.Poll = time.Millisecond
	q.Handle(imports.ConfirmKind, w.files.Import)
	running, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { defer close(ended); q.Run(running, 1) }()
	t.Cleanup(func() { cancel(); <-ended })
	return w
}

func (w *filed) live(t *testing.T) []string {
	t.Helper()
	for range filedSteps {
		w.clock.Pass(time.Minute)
		what := w.step(t)
		w.answers = append(w.answers, what)
		w.holds(t, what)
	}
	for {
		ids := w.settlements(t)
		if len(ids) == 0 {
			break
		}
		w.revoke(t, ids)
	}
	w.holds(t, "all revoked")
	standing := w.standing()
	w.random.Shuffle(len(standing), func(a, b int) { standing[a], standing[b] = standing[b], standing[a] })
	for _, r := range standing {
		if err := w.remove(r); err != nil {
			t.Fatal(err)
		}
		w.holds(t, "removed one of all")
	}
	for _, table := range []string{"transactions", "unmatched_rows", "replaced_rows", "row_replacements", "import_rows"} {
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			n, err := db.One[int64](tx, `SELECT COUNT(*) FROM `+table+` WHERE tenant_id = $1`)
			if n != 0 {
				t.Errorf("%d rows of %s are left of nothing", n, table)
			}
			return err
		})
	}
	return w.answers
}

func (w *filed) step(t *testing.T) string {
	t.Helper()
	standing := w.standing()
	choice := w.random.IntN(10)
	switch {
	case len(standing) == 0 || choice == 0:
		return w.bring(t, &report{week: periods[3+w.random.IntN(2)], says: w.saysAnything()})
	case choice <= 3:
		return w.bring(t, w.corrected(standing[w.random.IntN(len(standing))]))
	case choice == 4:
		former := standing[w.random.IntN(len(standing))]
		return w.bring(t, &report{week: former.week, says: former.says, inWords: w.random.IntN(2)})
	case choice == 5:
		err := w.remove(standing[w.random.IntN(len(standing))])
		if err != nil && !errors.Is(err, ledger.ErrInSettlements) {
			t.Fatal(err)
		}
		return fmt.Sprint("remove ", err != nil)
	case choice == 6:
		return w.assign(t)
	case choice <= 8:
		return w.settleSome(t)
	}
	ids := w.settlements(t)
	w.revoke(t, slices.DeleteFunc(ids, func(string) bool { return w.random.IntN(2) == 0 }))
	return "revoke"
}

var filedTypes = []string{"TRIP", "TIP", "BONUS", "FEE", "CASH_COLLECTED"}

func (w *filed) saysAnything() map[int]map[string]int64 {
	says := map[int]map[string]int64{}
	for who := range filedDrivers {
		if w.random.IntN(5) == 0 {
			continue
		}
		says[who] = map[string]int64{}
		for _, typ := range filedTypes {
			if w.random.IntN(3) > 0 {
				says[who][typ] = w.amountOf(typ)
			}
		}
		if len(says[who]) == 0 {
			says[who]["TRIP"] = w.amountOf("TRIP")
		}
	}
	return says
}

func (w *filed) amountOf(typ string) int64 {
	amount := int64(1+w.random.IntN(6)) * 1000
	if typ == "FEE" || typ == "CASH_COLLECTED" {
		return -amount
	}
	return amount
}

// corrected says a week anew: other amounts, kinds that come or go, people who are in it no more.
func (w *filed) corrected(former *report) *report {
	r := &report{week: former.week, says: map[int]map[string]int64{}, inWords: w.random.IntN(2)}
	for _, who := range slices.Sorted(maps.Keys(former.says)) {
		if w.random.IntN(8) == 0 && len(r.says) > 0 {
			continue
		}
		r.says[who] = maps.Clone(former.says[who])
		typ := filedTypes[w.random.IntN(len(filedTypes))]
		switch w.random.IntN(4) {
		case 0, 1:
			r.says[who][typ] = w.amountOf(typ)
		case 2:
			if len(r.says[who]) > 1 {
				delete(r.says[who], typ)
			}
		}
	}
	return r
}

func (r *report) content(serial int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "person;week from;to;type;%s\n", []string{"amount", "betrag"}[r.inWords])
	monday := r.week.Monday()
	for _, who := range slices.Sorted(maps.Keys(r.says)) {
		for _, typ := range filedTypes {
			if amount, there := r.says[who][typ]; there {
				fmt.Fprintf(&b, "p-%d;%s;%s;%s;%s\n", who, monday, monday.AddDays(6), typ, money.Amount(amount))
			}
		}
	}
	return b.String() + strings.Repeat("\n", serial) // other bytes each time
}

// bring uploads and confirms a report; where it says weeks anew, by one of the two words.
func (w *filed) bring(t *testing.T, r *report) string {
	t.Helper()
	w.uploaded++
	content := r.content(w.uploaded)
	i, err := w.files.Upload(ctx, anna, imports.Upload{Name: "week.csv", Content: strings.NewReader(content), Size: int64(len(content))})
	if err != nil || i.Status != imports.InPreview {
		t.Fatal(err, i.Status, i.Fault)
	}
	shown := i.Preview
	answers := imports.ConfirmOptions{}
	if shown.Changes.Count > 0 {
		w.refused(t, pipeline.ErrRestated, func(tx *db.Tx) error { _, err := w.files.Confirm(tx, i.ID, answers); return err })
		answers.Restated = pipeline.Replace
		if w.random.IntN(4) == 0 {
			answers.Restated, r.beside = pipeline.Beside, true
		}
	}
	w.write(t, func(tx *db.Tx) error { _, err := w.files.Confirm(tx, i.ID, answers); return err })
	var done imports.Import
	testkit.Eventually(t, "the report is written", func() bool {
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { done, err = imports.Of(tx, i.ID); return err })
		return done.Status != imports.Running
	})
	if done.Status != imports.Success {
		t.Fatal(done.Status, done.Fault, done.FaultParams)
	}
	w.order++
	r.id, r.order, r.stands = i.ID, w.order, true
	w.reports = append(w.reports, r)
	return fmt.Sprint("import ", answers.Restated, shown.Changes.Count, shown.Changes.Old, shown.Changes.New, done.Counts.Transactions)
}

func (w *filed) remove(r *report) error {
	err := w.db.Write(ctx, anna, func(tx *db.Tx) error { _, err := imports.Remove(tx, r.id); return err })
	if err == nil {
		r.stands = false
	}
	return err
}

func (w *filed) standing() []*report {
	return slices.DeleteFunc(slices.Clone(w.reports), func(r *report) bool { return !r.stands })
}

// assign gives unmatched people to their drivers, or takes that back.
func (w *filed) assign(t *testing.T) string {
	t.Helper()
	var box unmatched.UnmatchedDrivers
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
		box, err = unmatched.IdentitiesOf(tx, unmatched.IdentityFilter{Limit: 100})
		return err
	})
	slices.SortFunc(box.Identities, func(a, b unmatched.Identity) int { return strings.Compare(a.Name, b.Name) })
	moved := int64(0)
	for _, one := range box.Identities {
		if w.random.IntN(2) == 0 {
			continue
		}
		var who int
		if _, err := fmt.Sscanf(one.Name, "Jan p-%d", &who); err != nil {
			t.Fatal(err)
		}
		err := w.db.Write(ctx, anna, func(tx *db.Tx) (err error) {
			if one.State == unmatched.Unmatched {
				moved, err = w.unmatched().Assign(tx, one.ID, w.drivers[who])
			} else {
				moved, err = w.unmatched().Undo(tx, one.ID)
			}
			return err
		})
		if err != nil && !errors.Is(err, ledger.ErrInSettlements) {
			t.Fatal(err)
		}
	}
	return fmt.Sprint("assign ", moved)
}

func (w *filed) settlements(t *testing.T) (ids []string) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
		ids, err = db.Select[string](tx, `SELECT id FROM settlements WHERE tenant_id = $1 AND state = 'settled' AND absorbed_into = '' ORDER BY number DESC`)
		return err
	})
	return ids
}

func (w *filed) revoke(t *testing.T, ids []string) {
	t.Helper()
	for _, id := range ids {
		if err := refusable(w.db.Write(ctx, anna, func(tx *db.Tx) error { return w.Revoke(tx, id, "history") })); err != nil {
			t.Fatal(err)
		}
	}
}

func (w *filed) settleSome(t *testing.T) string {
	t.Helper()
	selection := of(periods[3+w.random.IntN(2)])
	for _, id := range w.drivers {
		if w.random.IntN(3) == 0 {
			selection.Drivers = append(selection.Drivers, id)
		}
	}
	var p settlements.Preview
	err := w.db.Read(ctx, anna, func(tx *db.Tx) (err error) { p, err = w.Preview(tx, selection); return err })
	if errors.Is(err, settlements.ErrNothing) || len(selection.Drivers) == 0 {
		return "nothing to settle"
	}
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, func(tx *db.Tx) error { return p.Keep(tx) })
	if p.Drivers == 0 {
		return "all negative"
	}
	r := w.start(t, p.ID, false)
	return fmt.Sprint("settle ", r.State, r.Settled, r.SettledPayout)
}

// due is what the model says of each person, week and type.
func (w *filed) model() map[string]int64 {
	due := map[string]int64{}
	seen := map[saidRow]bool{}
	for _, from := range w.standing() {
		for who, says := range from.says {
			for typ, amount := range says {
				row := saidRow{who, from.week, typ, amount}
				if seen[row] {
					continue
				}
				seen[row] = true
				contained, replaced := 0, 0
				for _, r := range w.standing() {
					switch _, speaks := r.says[who]; {
					case r.contains(row):
						contained = max(contained, r.order)
					case speaks && r.week == row.week && !r.beside:
						replaced = max(replaced, r.order)
					}
				}
				if contained > replaced {
					due[fmt.Sprint(who, " ", row.week, " ", typ)] += amount
				}
			}
		}
	}
	maps.DeleteFunc(due, func(_ string, sum int64) bool { return sum == 0 })
	return due
}

// holds compares what stands with the model, and looks for what is in two places.
func (w *filed) holds(t *testing.T, after string) {
	t.Helper()
	w.verified(t)
	due, perDriver := map[string]int64{}, map[string]int64{}
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		rows, err := db.Select[struct {
			DriverID, Keys, Type string
			OccurredOn           calendar.Date
			Sum                  int64
		}](tx, `SELECT driver_id, '' AS keys, type, occurred_on, CAST(SUM(amount) AS BIGINT) AS sum FROM transactions WHERE tenant_id = $1 AND source <> 'carry' GROUP BY driver_id, type, occurred_on
			UNION ALL SELECT '' AS driver_id, i.key_value AS keys, r.type, r.occurred_on, CAST(SUM(r.amount) AS BIGINT) AS sum FROM unmatched_rows r
			JOIN unmatched_drivers i ON i.tenant_id = r.tenant_id AND i.id = r.identity_id WHERE r.tenant_id = $1 GROUP BY i.key_value, r.type, r.occurred_on`)
		if err != nil {
			return err
		}
		for _, r := range rows {
			who := slices.Index(w.drivers, r.DriverID)
			if r.DriverID == "" {
				if _, err := fmt.Sscanf(r.Keys, "p-%d", &who); err != nil {
					return err
				}
			} else {
				perDriver[r.DriverID] += r.Sum
			}
			due[fmt.Sprint(who, " ", calendar.PeriodOf(r.OccurredOn, 1), " ", r.Type)] += r.Sum
		}
		twice, err := db.Select[string](tx, `SELECT row_key FROM (SELECT row_key FROM transactions WHERE tenant_id = $1 AND row_key <> '' UNION ALL SELECT row_key FROM unmatched_rows WHERE tenant_id = $1
			UNION ALL SELECT row_key FROM replaced_rows WHERE tenant_id = $1) AS r GROUP BY row_key HAVING COUNT(*) > 1`)
		if len(twice) > 0 {
			t.Errorf("after %s: %d rows are in two places", after, len(twice))
		}
		return errors.Join(err, w.paidOrOpen(t, tx, perDriver), w.counted(t, tx))
	})
	maps.DeleteFunc(due, func(_ string, sum int64) bool { return sum == 0 })
	if want := w.model(); !maps.Equal(due, want) {
		for _, key := range slices.Sorted(maps.Keys(want)) {
			if due[key] != want[key] {
				t.Errorf("after %s: %s is %d, the files say %d", after, key, due[key], want[key])
			}
		}
		for _, key := range slices.Sorted(maps.Keys(due)) {
			if _, there := want[key]; !there {
				t.Errorf("after %s: %s is %d, no file says it", after, key, due[key])
			}
		}
	}
	if t.Failed() {
		t.Fatal(w.answers)
	}
}

// paidOrOpen: what was paid and what is pending is all that stands.
func (w *filed) paidOrOpen(t *testing.T, tx *db.Tx, stands map[string]int64) error {
	t.Helper()
	paid, err := db.Select[struct {
		DriverID string
		Sum      int64
	}](tx, `SELECT driver_id, CAST(SUM(payout) AS BIGINT) AS sum FROM settlements WHERE tenant_id = $1 AND state <> 'revoked' GROUP BY driver_id
		UNION ALL SELECT driver_id, CAST(SUM(amount) AS BIGINT) AS sum FROM transactions WHERE tenant_id = $1 AND settlement_id = '' GROUP BY driver_id`)
	have := map[string]int64{}
	for _, p := range paid {
		have[p.DriverID] += p.Sum
	}
	for _, id := range w.drivers {
		if have[id] != stands[id] {
			t.Errorf("%d was paid or is pending of driver %d, %d stands", have[id], slices.Index(w.drivers, id), stands[id])
		}
	}
	return err
}

// counted: what every import says of its rows adds up to them.
func (w *filed) counted(t *testing.T, tx *db.Tx) error {
	t.Helper()
	for _, r := range w.standing() {
		i, err := imports.Of(tx, r.id)
		if err != nil {
			return err
		}
		rows := int64(0)
		for _, says := range r.says {
			rows += int64(len(says))
		}
		linked, err := db.One[int64](tx, `SELECT COUNT(*) FROM import_rows WHERE tenant_id = $1 AND import_id = $2`, r.id)
		if err != nil {
			return err
		}
		if c := i.Counts.Transactions; c.All != rows || c.Existing != linked {
			t.Errorf("a report of %d rows, %d of them of others too, says %+v", rows, linked, c)
		}
	}
	return nil
}
