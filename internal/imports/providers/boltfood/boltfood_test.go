package boltfood

import (
	"strings"
	"testing"
	"time"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/money"
)

// heads are one of each kind.
var heads = []string{
	"Courier UID;First Name;Last Name;Phone;Courier Earnings (Without VAT);VAT;Currency;Cash received from clients;Balance after period",
}

// Whatever stands in the cells, nothing breaks and no entry is without amount, type or column.
func FuzzRead(f *testing.F) {
	f.Add(uint8(0), "700100;Jan;K;48500000101.0;540.00;1;PLN;2;3")
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
