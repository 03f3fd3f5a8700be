package providers

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/imports/statement"
	"saldo/internal/imports/table"
	"saldo/internal/kernel/money"
)

var update = flag.Bool("update", false, "write the golden files anew; check each by hand afterwards")

// chosen is what a person chooses for files that do not say whose they are.
var chosen = map[string]string{"other": "OTHER", "partner": "PARTNER", "internal": "INTERNAL", "uber_eats": "UBER_EATS"}

// describe is all that a file says, one line each, and the sum of every driver at the end.
func describe(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	tables, err := table.Open(name, bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return fmt.Sprintln("refused:", err)
	}
	prefix, _, _ := strings.Cut(name, "-")
	zone, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		t.Fatal(err)
	}
	given := statement.Given{Zone: zone, Currency: money.PLN, Provider: chosen[prefix]}
	if strings.HasSuffix(strings.TrimSuffix(name, filepath.Ext(name)), "-de") {
		given.Currency = money.EUR
	}
	var out strings.Builder
	sums := map[string]money.Amount{}
	for _, tab := range tables {
		tell(t, &out, name, tab, given, sums)
	}
	for _, who := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&out, "sum %s: %s\n", who, sums[who])
	}
	return out.String()
}

func tell(t *testing.T, out *strings.Builder, name string, tab table.Table, given statement.Given, sums map[string]money.Amount) {
	t.Helper()
	finder, reader := NewFinder(Layouts()), statement.Reader(nil)
	sink := statement.Out{
		Entries: func(e statement.Entry) {
			who := strings.TrimSpace(e.Person.FirstName + " " + e.Person.LastName + e.Person.Name)
			when := string(e.On)
			if !e.At.IsZero() {
				when = e.At.UTC().Format(time.RFC3339)
			}
			if e.From != "" {
				when += fmt.Sprintf("%s..%s", e.From, e.To)
			}
			fmt.Fprintf(out, "%d %s | %s %v | %s %s %s %s | %s | %s | %s %s\n", e.Line, e.Column, who, e.Person.Keys, e.Provider, e.Type, e.Amount, e.Currency, when, e.Payment, e.ExternalID, e.Text)
			sum, err := sums[who].Add(e.Amount)
			if err != nil {
				t.Fatal(err)
			}
			sums[who] = sum
		},
		Errors:   func(tr statement.RowError) { fmt.Fprintf(out, "row error %+v\n", tr) },
		Warnings: func(d statement.RowWarning) { fmt.Fprintf(out, "row warning %+v\n", d) },
		Skipped:  func(line int64, why string) { fmt.Fprintf(out, "%d skipped: %s\n", line, why) },
	}
	for row, err := range tab.Rows() {
		if err != nil {
			fmt.Fprintln(out, "refused:", err)
			return
		}
		if reader != nil {
			reader(statement.Row(row), sink)
			continue
		}
		found, done := finder.Row(row.Line, row.Cells)
		if done && found.Refuses != nil {
			found.SuggestedReport = cmp.Or(found.Refuses(name), found.Refuses(tab.Part))
		}
		switch {
		case done && found.SuggestedReport != "":
			fmt.Fprintf(out, "%s %s %s: download %s instead\n", tab.Part, found.Provider, found.Kind, found.SuggestedReport)
			return
		case done && found.Open != nil:
			fmt.Fprintf(out, "%s %s %s, head in line %d", tab.Part, found.Provider, found.Kind, found.Head.Line)
			if found.Span != nil {
				if span, ok := found.Span(name, found.Above); ok {
					fmt.Fprintf(out, ", %s..%s", span.From, span.To)
				}
			}
			fmt.Fprintln(out)
			reader = found.Open(found.Head, given)
		case done:
			fmt.Fprintln(out, tab.Part, "not recognised")
			return
		}
	}
}

// Each golden file was checked by hand against what is known of the provider: types, signs, drivers, days and sums.
func TestEverySampleIsReadAsItsGoldenFileSays(t *testing.T) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		if strings.HasSuffix(file, ".golden") {
			continue
		}
		seen++
		got, golden := describe(t, filepath.Base(file)), file+".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s says\n%s\ninstead of\n%s", file, got, want)
		}
	}
	if seen == 0 {
		t.Error("there are no samples")
	}
}

func TestEveryFileToDownloadInsteadIsInTheContract(t *testing.T) {
	named := map[string]bool{}
	for _, l := range Layouts() {
		if l.SuggestedReport != "" {
			named[l.SuggestedReport] = true
		}
		if l.Refuses != nil {
			for _, name := range []string{"Earnings without VAT.csv", "earnings_without_vat.csv", "netto.csv"} {
				if suggested := l.Refuses(name); suggested != "" {
					named[suggested] = true
				}
			}
		}
	}
	for name := range named {
		if !slices.Contains(SuggestedReports(), name) {
			t.Errorf("%s is not listed", name)
		}
	}
	if len(named) < 3 {
		t.Errorf("only %v are named", named)
	}
}
