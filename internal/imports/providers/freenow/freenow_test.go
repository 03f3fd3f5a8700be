package freenow

import (
	"strings"
	"testing"
	"time"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/money"
)

// heads are one of each kind.
var heads = []string{
	"ID kierowcy;Kierowca;Suma zarobków;Prowizja;Zarobki przed odliczeniem prowizji",
	"BOOKING ID;BOOKING STATE;PICKUP DATE;CLOSED DATE;TOUR VALUE;TOUR TIP;TOLL VALUE;PAYMENT METHOD;DRIVER ID",
	"id_driver;driver_name;bonus_name;bonus_date;bonus_tax_value;bonus_gross_value",
}

// Whatever stands in the cells, nothing breaks and no entry is without amount, type or column.
func FuzzRead(f *testing.F) {
	f.Add(uint8(0), "1014CX;Jan;518.43;161.57;680.00")
	f.Add(uint8(1), "9;CANCELLED;2026-09-21T06:00:00+02:00;;18.00;1;2;CASH;1014CX")
	f.Add(uint8(2), "Partner;;Opłata ekasa;2026-09-21;-1.87;-9.99")
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
