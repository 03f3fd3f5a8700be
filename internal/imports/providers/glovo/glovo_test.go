package glovo

import (
	"strings"
	"testing"
	"time"

	"saldo/internal/imports/statement"
	"saldo/internal/money"
)

// Whatever stands in the cells, nothing breaks and no entry is without amount, type or column.
func FuzzRead(f *testing.F) {
	f.Add("RIDER ID;COURIER ID;COMPLETE NAME;TIPS;TOTAL COURIER EARNINGS;COMMISSION;NET PARTNER EARNINGS", "9900100;G880100;Jan;6.5;586.6999999999999;29.33;1")
	f.Add("Courier ID;Name;First Name;Total earned;Tips", "G1;K;J;#REF!;1")
	f.Add("ID kuriera;Imię i nazwisko;Okres od;Okres do;Opłata za zamówienia;Kwota do zapłaty", "G1;J;2026-09-07;2026-09-20;720,00;-1")
	f.Fuzz(func(t *testing.T, head, row string) {
		out := statement.Out{
			Entries: func(e statement.Entry) {
				if e.Amount == 0 || e.Type == "" || e.Column == "" || e.Line != 2 {
					t.Errorf("%q under %q makes %+v", row, head, e)
				}
			},
			Troubles: func(statement.Trouble) {}, Doubts: func(statement.Doubt) {}, Skipped: func(int64, string) {},
		}
		h := statement.NewHead(1, strings.Split(head, ";"))
		for _, l := range Layouts {
			if l.Span != nil {
				l.Span(head, [][]string{strings.Split(row, ";")})
			}
			if l.Recognise(h) && l.Open != nil {
				l.Open(h, statement.Given{Zone: time.UTC, Currency: money.PLN})(statement.Row{Line: 2, Cells: strings.Split(row, ";")}, out)
			}
		}
	})
}
