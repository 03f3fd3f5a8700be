package providers

import (
	"bytes"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"saldo/internal/imports/statement"
	"saldo/internal/imports/table"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
)

// seed is a table of a sample as CSV, cut behind its head.
type seed struct {
	name       string
	head, body []byte
}

// seeds are one for each table of each sample; workbooks and archives are written as the CSV that they hold.
func seeds(t testing.TB) (all []seed) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.*")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		tables, err := table.Open(name, bytes.NewReader(content), int64(len(content)))
		if err != nil || strings.HasSuffix(name, ".golden") {
			continue
		}
		for _, tab := range tables {
			s := seed{name: name}
			finder, done, found := NewFinder(Layouts()), false, Found{}
			var written bytes.Buffer
			out := csv.NewWriter(&written)
			out.Comma = ';'
			for row, err := range tab.Rows() {
				if err := errors.Join(err, out.Write(row.Cells)); err != nil {
					t.Fatal(err)
				}
				if !done {
					if found, done = finder.Row(row.Line, row.Cells); done {
						out.Flush()
						s.head = bytes.Clone(written.Bytes())
						written.Reset()
					}
				}
			}
			out.Flush()
			if found.Open != nil {
				known[found.Provider+" "+found.Kind] = true
				s.body = written.Bytes()
				all = append(all, s)
			}
		}
	}
	for _, l := range Layouts() {
		if l.Open != nil && !known[l.Provider+" "+l.Kind] {
			t.Errorf("no sample is a seed for %s %s", l.Provider, l.Kind)
		}
	}
	return all
}

// Whatever stands below the head of any layout: reading it breaks nothing; every row ends in entries, errors or a reason to
// skip it; and each of these names its row, and is of a size and a type that can be booked.
func FuzzEveryLayout(f *testing.F) {
	all := seeds(f)
	for n, s := range all {
		f.Add(uint8(n), s.body)
	}
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		s := all[int(which)%len(all)]
		content := append(bytes.Clone(s.head), body...)
		tables, err := table.Open(s.name, bytes.NewReader(content), int64(len(content)))
		var reason table.Reason
		if err != nil {
			if !errors.As(err, &reason) {
				t.Fatal(err)
			}
			return
		}
		for _, currency := range []money.Currency{money.PLN, money.EUR} {
			for _, tab := range tables {
				check(t, s.name, tab, currency)
			}
		}
	})
}

// A download that broke off anywhere is read up to there or refused; no cut makes a row that breaks a promise.
func TestASampleCutAnywhereIsReadOrRefused(t *testing.T) {
	cuts := 0
	cut := func(name string, whole []byte) {
		for end := range whole {
			tables, err := table.Open(name, bytes.NewReader(whole[:end]), int64(end))
			var reason table.Reason
			if err != nil && !errors.As(err, &reason) {
				t.Fatalf("%s cut at %d: %v", name, end, err)
			}
			for _, tab := range tables {
				check(t, name, tab, money.PLN)
			}
			cuts++
		}
	}
	for _, s := range seeds(t) {
		rows := bytes.SplitAfterN(s.body, []byte("\n"), 3)
		cut(s.name, append(bytes.Clone(s.head), bytes.Join(rows[:min(2, len(rows))], nil)...))
	}
	for _, pattern := range []string{"testdata/*.xlsx", "testdata/*.zip"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			whole, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			cut(file, whole)
		}
	}
	t.Logf("%d cuts", cuts)
}

func check(t *testing.T, name string, tab table.Table, currency money.Currency) {
	t.Helper()
	var line int64
	reported := 0
	out := statement.Out{
		Entries: func(e statement.Entry) {
			reported++
			_, known := kinds.Of(e.Type)
			if e.Line != line || e.Amount == 0 || e.Amount > 100*statement.MaxAmount || e.Amount < -100*statement.MaxAmount || e.Column == "" || e.Type != "" && !known {
				t.Errorf("%s line %d makes %+v", name, line, e)
			}
		},
		Errors: func(tr statement.RowError) {
			reported++
			if tr.Line != line || tr.Code == "" || len(tr.Found) > 1000 {
				t.Errorf("%s line %d has row error %+v", name, line, tr)
			}
		},
		Warnings: func(d statement.RowWarning) {
			if d.Line != line || d.Says == d.Adds {
				t.Errorf("%s line %d has row warning %+v", name, line, d)
			}
		},
		Skipped: func(at int64, why string) {
			reported++
			if at != line || why == "" {
				t.Errorf("%s line %d is skipped as line %d for %q", name, line, at, why)
			}
		},
	}
	finder, reader := NewFinder(Layouts()), statement.Reader(nil)
	for row, err := range tab.Rows() {
		var reason table.Reason
		if err != nil {
			if !errors.As(err, &reason) {
				t.Fatal(err)
			}
			return
		}
		if row.Line <= line {
			t.Fatalf("%s: line %d follows line %d", name, row.Line, line)
		}
		line = row.Line
		if reader != nil {
			reported = 0
			if reader(statement.Row(row), out); reported == 0 {
				t.Errorf("%s: nothing is said of line %d: %q", name, line, row.Cells)
			}
			continue
		}
		found, done := finder.Row(row.Line, row.Cells)
		switch {
		case done && found.Open != nil:
			if found.Span != nil {
				found.Span(name, found.Above)
			}
			reader = found.Open(found.Head, statement.Given{Zone: time.UTC, Currency: currency, Provider: "PARTNER"})
		case done:
			return
		}
	}
}
