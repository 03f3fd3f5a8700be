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
	"saldo/internal/ledger/kinds"
)

var update = flag.Bool("update", false, "write the golden files anew; check each by hand afterwards")

// samplesOf are the files in the testdata of every folder whose names match, without those that say what is in them, by name.
func samplesOf(t testing.TB, pattern string) (files []string) {
	t.Helper()
	all, err := filepath.Glob("*/testdata/" + pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		if !strings.HasSuffix(file, ".golden") {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		t.Fatalf("there are no samples like %s", pattern)
	}
	slices.SortFunc(files, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
	return files
}

// chosen is what a person chooses for a sample whose layout does not say whose it is: the name of the sample starts with it.
func chosen(name string, l statement.Layout) string {
	prefix, _, _ := strings.Cut(name, "-")
	if code := strings.ToUpper(prefix); slices.Contains(l.Choices, code) && code != l.Provider {
		return code
	}
	return ""
}

// describe is all that a file says, one line each, and the sum of every driver at the end.
func describe(t *testing.T, file string) string {
	t.Helper()
	name := filepath.Base(file)
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := table.Open(name, bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return fmt.Sprintln("refused:", err)
	}
	zone, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		t.Fatal(err)
	}
	given := statement.Given{Zone: zone, Currency: money.PLN}
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
		suggested := cmp.Or(found.Instead(name), found.Instead(tab.Part))
		switch {
		case done && suggested != "":
			fmt.Fprintf(out, "%s %s %s: download %s instead\n", tab.Part, found.Provider, found.Kind, suggested)
			return
		case done && found.Open != nil:
			fmt.Fprintf(out, "%s %s %s, head in line %d", tab.Part, found.Provider, found.Kind, found.Head.Line)
			if found.Span != nil {
				if span, ok := found.Span(name, found.Above); ok {
					fmt.Fprintf(out, ", %s..%s", span.From, span.To)
				}
			}
			fmt.Fprintln(out)
			given.Provider = chosen(name, found.Layout)
			reader = found.Open(found.Head, given)
		case done:
			fmt.Fprintln(out, tab.Part, "not recognised")
			return
		}
	}
}

// Each golden file was checked by hand against what is known of the provider: types, signs, drivers, days and sums.
func TestEverySampleIsReadAsItsGoldenFileSays(t *testing.T) {
	for _, file := range samplesOf(t, "*.*") {
		got, golden := describe(t, file), file+".golden"
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
}

// A provider is a line in the table of providers and a folder here: neither is forgotten. A described layout is everybody's.
func TestEveryProviderHasALayoutAndEveryFolderASample(t *testing.T) {
	read := map[string]bool{}
	for _, l := range Layouts() {
		for _, code := range append(slices.Clone(l.Choices), l.Provider) {
			if _, known := kinds.ProviderOf(code); !known && code != "" {
				t.Errorf("the layout %s %s is of nobody", code, l.Kind)
			}
			read[code] = read[code] || l.Open != nil
		}
	}
	for _, p := range kinds.Providers {
		if !read[p.Code] {
			t.Errorf("no layout reads files of %s", p.Code)
		}
	}
	folders, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	samples := samplesOf(t, "*.*")
	for _, file := range folders {
		folder := filepath.Dir(file)
		if folder != "mapped" && !slices.ContainsFunc(samples, func(name string) bool { return strings.HasPrefix(name, folder+"/") }) {
			t.Errorf("%s has no sample", folder)
		}
	}
}

func TestEveryFileToDownloadInsteadIsInTheContract(t *testing.T) {
	for _, l := range Layouts() {
		if suggested := l.Instead("earnings_without_vat.csv"); suggested != "" && !slices.Contains(SuggestedReports(), suggested) {
			t.Errorf("%s is not listed", suggested)
		}
		if l.Refuses != nil && l.SuggestedReport == "" {
			t.Errorf("%s %s refuses files and names none instead", l.Provider, l.Kind)
		}
	}
}
