package providers_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/imports/providers"
	"saldo/internal/imports/statement"
	"saldo/internal/imports/table"
	"saldo/internal/kernel/money"
)

// taken is everything that the reader of a text said.
type taken struct {
	kind, suggested string
	entries         []statement.Entry
	rowErrors       []statement.RowError
	rowWarnings     []statement.RowWarning
	skipped         map[int64]string
	span            statement.Span
}

func warsaw(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// take reads a file as the importer does.
func take(t *testing.T, layouts []statement.Layout, name, content, provider string) (got taken) {
	t.Helper()
	tables, err := table.Open(name, strings.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	got.skipped = map[int64]string{}
	out := statement.Out{
		Entries:  func(e statement.Entry) { got.entries = append(got.entries, e) },
		Errors:   func(tr statement.RowError) { got.rowErrors = append(got.rowErrors, tr) },
		Warnings: func(d statement.RowWarning) { got.rowWarnings = append(got.rowWarnings, d) },
		Skipped:  func(line int64, why string) { got.skipped[line] = why },
	}
	finder, reader := providers.NewFinder(layouts), statement.Reader(nil)
	for row, err := range tables[0].Rows() {
		if err != nil {
			t.Fatal(err)
		}
		if reader != nil {
			reader(statement.Row(row), out)
			continue
		}
		found, done := finder.Row(row.Line, row.Cells)
		if !done {
			continue
		}
		got.kind, got.suggested = found.Provider+" "+found.Kind, found.Instead(name)
		if found.Open == nil {
			return got
		}
		if found.Span != nil {
			got.span, _ = found.Span(name, found.Above)
		}
		reader = found.Open(found.Head, statement.Given{Zone: warsaw(t), Currency: money.PLN, Provider: provider})
	}
	return got
}

// report is the types and amounts of entries, with the line of each.
func (got taken) report() string {
	var lines []string
	for _, e := range got.entries {
		who := ""
		if e.Person.Nobody() {
			who = " fleet"
		}
		lines = append(lines, fmt.Sprintf("%d %s %s%s", e.Line, e.Type, e.Amount, who))
	}
	return strings.Join(lines, ", ")
}

func (got taken) says(t *testing.T, kind, want string) {
	t.Helper()
	if got.kind != kind || got.report() != want {
		t.Errorf("%s:\n%s\nwant %s:\n%s\nrow errors %+v", got.kind, got.report(), kind, want, got.rowErrors)
	}
}

// whole fails where anything was refused or got a warning.
func (got taken) whole(t *testing.T) {
	t.Helper()
	if len(got.rowErrors)+len(got.rowWarnings) > 0 {
		t.Errorf("row errors %+v, row warnings %+v", got.rowErrors, got.rowWarnings)
	}
}

// pick are the samples whose names begin so, by name.
func pick(t *testing.T, prefixes ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	files, err := filepath.Glob("*/testdata/*.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if !slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found[name] = string(content)
	}
	if len(found) == 0 {
		t.Fatal("there are no samples")
	}
	return found
}

// records reads a sample without the code that is tested: cells as they are, by line.
func records(t *testing.T, content string, comma rune) (rows [][]string, lines []int64) {
	t.Helper()
	reader := csv.NewReader(bytes.NewReader(bytes.TrimPrefix([]byte(content), []byte("\xEF\xBB\xBF"))))
	reader.Comma, reader.FieldsPerRecord = comma, -1
	for {
		row, err := reader.Read()
		if err != nil {
			return rows, lines
		}
		line, _ := reader.FieldPos(0)
		rows, lines = append(rows, row), append(lines, int64(line))
	}
}

// grosze reads an amount with two decimals, or none, without the code that is tested.
func grosze(t *testing.T, cell string) int64 {
	t.Helper()
	cell = strings.Replace(cell, ",", ".", 1)
	if cell == "" {
		return 0
	}
	if !strings.Contains(cell, ".") {
		cell += ".00"
	}
	var n int64
	if _, err := fmt.Sscan(strings.Replace(cell, ".", "", 1), &n); err != nil {
		t.Fatalf("%q: %v", cell, err)
	}
	return n
}

func (got taken) byLine() map[int64]int64 {
	sums := map[int64]int64{}
	for _, e := range got.entries {
		sums[e.Line] += int64(e.Amount)
	}
	return sums
}

func chosenFor(name string) string {
	if strings.HasPrefix(name, "uber_eats") {
		return "UBER_EATS"
	}
	return ""
}

func TestEveryRowOfUberAddsUpToWhatItSaysWasPaid(t *testing.T) {
	for name, content := range pick(t, "uber-payments", "uber_eats-payments") {
		got := take(t, providers.Layouts(), name, content, chosenFor(name))
		got.whole(t)
		rows, lines := records(t, content, ',')
		root := slices.IndexFunc(rows[0], func(head string) bool { return head == "Wypłacono Ci" || head == "An dein Unternehmen gezahlt" })
		sums, checked := got.byLine(), 0
		for i, row := range rows[1:] {
			if want := grosze(t, row[root]); sums[lines[i+1]] != want {
				t.Errorf("%s line %d adds up to %d instead of %d", name, lines[i+1], sums[lines[i+1]], want)
			} else if want != 0 {
				checked++
			}
		}
		if checked < 8 {
			t.Errorf("%s: only %d rows were checked", name, checked)
		}
	}
}

func TestFuelCardsAddUpToTheSumBelowThem(t *testing.T) {
	for name, want := range map[string]int64{"orlen-transactions-pl.csv": 156448, "flotex-transactions-pl.csv": 155627, "circlek-transactions-pl.csv": 0} {
		content := pick(t, name)[name]
		got := take(t, providers.Layouts(), name, content, "")
		got.whole(t)
		var sum, file int64
		for _, e := range got.entries {
			sum -= int64(e.Amount)
		}
		if name == "circlek-transactions-pl.csv" {
			rows, _ := records(t, content, ';')
			for _, row := range rows[1:] {
				file += grosze(t, row[14])
			}
			want = file
		}
		if sum != want || len(got.entries) != 10 {
			t.Errorf("%s adds up to %d in %d entries instead of %d", name, sum, len(got.entries), want)
		}
	}
}

// Between two balances of an account lies exactly what the row between them moved.
func TestAccountsOfRevolutMoveAsTheirBalances(t *testing.T) {
	for name, at := range map[string]struct {
		balance int
		newest  bool
		kept    string
	}{"revolut-business-en.csv": {19, true, "EXCHANGE"}, "revolut-retail-pl.csv": {9, false, "Wymiana"}} {
		content := pick(t, name)[name]
		got := take(t, providers.Layouts(), name, content, "")
		got.whole(t)
		rows, lines := records(t, content, ',')
		sums, checked, before := got.byLine(), 0, int64(0)
		order := make([]int, 0, len(rows))
		for i := range rows[1:] {
			order = append(order, i+1)
		}
		if at.newest {
			slices.Reverse(order)
		}
		for _, i := range order {
			if rows[i][at.balance] == "" {
				if sums[lines[i]] != 0 {
					t.Errorf("%s line %d moved nothing and is imported", name, lines[i])
				}
				continue
			}
			balance := grosze(t, rows[i][at.balance])
			if moved := balance - before; before != 0 && !slices.Contains(rows[i], at.kept) {
				checked++
				if sums[lines[i]] != moved {
					t.Errorf("%s line %d moved %d instead of %d", name, lines[i], sums[lines[i]], moved)
				}
			}
			before = balance
		}
		if checked != 6 {
			t.Errorf("%s: %d rows were checked", name, checked)
		}
	}
}
