package mapped

import (
	"strings"
	"testing"
	"time"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
)

// Whatever stands in a file, reading it neither fails nor makes an amount of nothing, and each row ends somewhere.
func FuzzRead(f *testing.F) {
	f.Add("d,c,a,t,n", "21.09.2026 06:10,1,5.00,ON,x\nRazem,,,,")
	f.Add("d,c,a,t,n,more", "46286.25,,-5,TIP,Okaziciel,9")
	f.Fuzz(func(t *testing.T, head, row string) {
		h := statement.NewHead(1, strings.Split(head, ","))
		for _, l := range []statement.Layout{described.Layout()} {
			if !l.Recognise(h) || l.Open == nil {
				continue
			}
			read := l.Open(h, statement.Given{Zone: time.UTC, Currency: money.PLN})
			reported := 0
			out := statement.Out{
				Entries: func(e statement.Entry) {
					reported++
					if _, known := kinds.Of(e.Type); e.Amount == 0 || !known || e.Line == 0 {
						t.Errorf("entry %+v", e)
					}
				},
				Errors: func(tr statement.RowError) {
					reported++
					if tr.Code == "" || tr.Line == 0 {
						t.Errorf("row error %+v", tr)
					}
				},
				Warnings: func(statement.RowWarning) {},
				Skipped:  func(int64, string) { reported++ },
			}
			for line, cells := range strings.Split(row, "\n") {
				reported = 0
				read(statement.Row{Line: int64(line) + 2, Cells: strings.Split(cells, ",")}, out)
				if reported == 0 {
					t.Errorf("nothing is said of %q", cells)
				}
			}
		}
	})
}

var described = Mapping{Provider: "ORLEN", Sign: Negated, Columns: []Column{{"d", Date}, {"c", Card}, {"a", Amount}, {"t", Type}, {"n", Name}}}

// What is expected in the place of a wrong amount is written as the file writes amounts, and the column of the amount is named.
func TestWrongAmount_SaysHowTheFileWritesThem(t *testing.T) {
	for decimal, want := range map[string]string{",": "1234,56", ".": "1234.56"} {
		m := described
		m.Decimal = decimal
		h := statement.NewHead(1, []string{"d", "c", "a", "t", "n"})
		var rowErrors []statement.RowError
		out := statement.Out{
			Entries:  func(statement.Entry) { t.Error("an entry") },
			Errors:   func(one statement.RowError) { rowErrors = append(rowErrors, one) },
			Warnings: func(statement.RowWarning) {},
			Skipped:  func(int64, string) {},
		}
		read := m.Layout().Open(h, statement.Given{Zone: time.UTC, Currency: money.PLN})
		read(statement.Row{Line: 2, Cells: []string{"21.09.2026", "1", "five", "ON", "x"}}, out)
		if len(rowErrors) != 1 || rowErrors[0].Column != "a" || rowErrors[0].Found != "five" || rowErrors[0].Expected != want {
			t.Errorf("%q: %+v", decimal, rowErrors)
		}
	}
}
