package bolt

import (
	"strings"
	"testing"
	"time"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/money"
)

// heads are one of each kind.
var heads = []string{
	"Kierowca;Adres e-mail;Numer telefonu;Zarobki brutto (ogółem)|ZŁ;Zarobki brutto (płatności w aplikacji)|ZŁ;Zarobki brutto (płatności gotówkowe)|ZŁ;Pobrana gotówka|ZŁ;Opłaty ogółem|ZŁ;Prowizje|ZŁ;Przewidywana wypłata|ZŁ;Nowe|ZŁ",
	"Data;Kierowca;Numer rejestracyjny ;Trasa;Status;Cena przejazdu|ZŁ;Rodzaj płatności;Opłata rezerwacyjna|ZŁ;Opłaty za anulowanie|ZŁ;Telefon;Indywidualny numer identyfikacyjny",
	"Kierowca;Telefon;Okres;Wartość brutto;Opłata Bolt;Tygodniowy bilans",
}

// Whatever stands in the cells, nothing breaks and no entry is without amount, type or column.
func FuzzRead(f *testing.F) {
	f.Add(uint8(0), "Jan;j@example.com;+48500000101;10.00;5.00;5.00;4.00;2.00;1.00;4.00;x")
	f.Add(uint8(1), "2026-09-21 05:14;Jan;WX 1;A → B;Ukończone;46.90;Gotówką;1.00;0.00;+48500000101;c3ed")
	f.Add(uint8(2), "Jan;48500000101;2023W10;\"1110,35;-280,58;1")
	f.Fuzz(func(t *testing.T, which uint8, row string) {
		head, read := heads[int(which)%len(heads)], false
		out := statement.Out{
			Entries: func(e statement.Entry) {
				if e.Amount == 0 || e.Type == "" || e.Column == "" || e.Line != 2 {
					t.Errorf("%q under %q makes %+v", row, head, e)
				}
			},
			Errors: func(statement.RowError) {}, Warnings: func(statement.RowWarning) {}, Skipped: func(int64, string) {},
		}
		h := statement.NewHead(1, strings.Split(head, ";"))
		for _, l := range Layouts {
			if l.Span != nil {
				l.Span(row, [][]string{strings.Split(row, ";")})
			}
			if l.Recognise(h) {
				read = true
				l.Open(h, statement.Given{Zone: time.UTC, Currency: money.PLN})(statement.Row{Line: 2, Cells: strings.Split(row, ";")}, out)
			}
		}
		if !read {
			t.Fatalf("%q is nobody's head", head)
		}
	})
}
