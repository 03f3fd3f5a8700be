package fuel

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
	f.Add("Nr karty,Data,Godzina,Nr rejestracyjny,Kierowca,Sieć,Produkt,Wartość netto,VAT,Wartość brutto,x", "1,21.09.2026,02:30,W,K,O,ON,1,1,2,3\nSuma,,,,,,,,,2")
	f.Add("Numer karty,Typ karty,Numer rejestracyjny / Użytkownik,Data transakcji,Produkt,J.m.,Wartość brutto", "1,S,WX1,46286,?,l,-5")
	f.Fuzz(func(t *testing.T, head, row string) {
		h := statement.NewHead(1, strings.Split(head, ","))
		for _, l := range Layouts {
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
