package uber

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
	f.Add("Driver UUID,Driver first name,Driver surname,Paid to you,Paid to you : Your earnings,Paid to you:Your earnings:Fare:Fare,Paid to you:Trip balance:Payouts:Cash collected,x", "u,a,b,5,10,10,-5,3\n,,,,,,1.2.3")
	f.Add("Transaction UUID,Driver UUID,Trip UUID,Description,vs reporting,Paid to you,Paid to you : Your earnings,Paid to you:Your earnings:Service fee", "t,u,r,so.payout,2026-09-21 08:01:15.836 +0200 CEST,-9,0,-9")
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
