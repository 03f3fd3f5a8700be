package revolut

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
	f.Add("Date started (UTC),Date completed (UTC),ID,Type,State,Description,Payer,Card number,Payment currency,Amount,Total amount,Fee,Account,MCC", "2026-09-21,2026-09-21,m,CARD_PAYMENT,COMPLETED,x,y,51***9,PLN,-5,-6,1,a,5541")
	f.Add("Date started (UTC),ID,Type,Payment currency,Amount", "2026-09-21,m,TRANSFER,PLN,7")
	f.Add("Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance", "Card Payment,Current,2025-08-06,,Shell,-7.19,0.10,PLN,COMPLETED,100")
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
