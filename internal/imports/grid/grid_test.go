package grid

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/money"
)

var paid = Sheet{
	Keys:   []Key{{statement.ByID, []string{"Id"}}, {statement.ByPhone, []string{"Phone", "Telefon"}}},
	Name:   []string{"Name"},
	Nobody: []string{"—"},
	Fleet:  []string{"Partner"},
	Day:    []string{"Day"},
	From:   []string{"From"}, To: []string{"To"},
	Currency: []string{"Currency"},
	Text:     []string{"Note"},
	Money: []Money{
		{ID: "fare", Type: "TRIP", Names: []string{"Fare"}},
		{ID: "cash", Type: "CASH_COLLECTED", Minus: true, Names: []string{"Cash"}},
		{ID: "cut", Type: "FEE", Minus: true, Fleet: true, Names: []string{"Cut"}},
	},
	Rest:   Rest{ID: "kept", Type: "FEE", Minus: true, Less: nil, Names: []string{"Fees"}},
	Totals: []Total{{Of: []string{"fare", "cash", "kept"}, Names: []string{"Due"}}, {Of: []string{"fare", "vat"}, Names: []string{"Gross"}}, {Of: []string{All}, Names: []string{"Everything"}}},
	Info:   []Info{{ID: "vat", About: []string{"fare"}, Names: []string{"VAT"}}},
	Plain:  []string{"Rides"},
}

// read is what the sheet says of rows, the first of which is the head; cells are divided by bars that stand alone.
func read(s Sheet, rows ...string) []string {
	var stated []string
	out := statement.Out{
		Entries: func(e statement.Entry) {
			var keys []string
			for _, k := range e.Person.Keys {
				keys = append(keys, k.Value)
			}
			stated = append(stated, strings.TrimSpace(fmt.Sprintf("%d %s: %s %s %s%s %s %s", e.Line, e.Column, strings.Join(append(keys, e.Person.Name), ","), e.Type, e.Amount, e.On, e.From, e.Text)))
		},
		Errors: func(t statement.RowError) {
			stated = append(stated, fmt.Sprintf("%d error %s in %s: %s, expected %s", t.Line, t.Code, t.Column, t.Found, t.Expected))
		},
		Warnings: func(d statement.RowWarning) {
			stated = append(stated, fmt.Sprintf("%d warning %s: %s, not %s", d.Line, d.Column, d.Says, d.Adds))
		},
		Skipped: func(line int64, why string) { stated = append(stated, fmt.Sprintf("%d skipped %s", line, why)) },
	}
	var reader statement.Reader
	for i, row := range rows {
		cells := strings.Split(row, ";")
		if reader == nil {
			reader = s.Open(statement.NewHead(1, cells), statement.Given{Zone: time.UTC, Currency: money.PLN})
			continue
		}
		reader(statement.Row{Line: int64(i + 1), Cells: cells}, out)
	}
	return stated
}

func TestEveryAmountEndsSomewhere(t *testing.T) {
	for what, c := range map[string]struct {
		rows, want []string
	}{
		"money, information and totals that fit": {
			[]string{"Id;Name;Fare;Cash;Fees;VAT;Due;Gross", "7;Jan;100.00;30.00;5.00;8.00;65.02;108.00"},
			[]string{"2 Fare: 7,Jan TRIP 100.00  VAT: 8.00", "2 Cash: 7,Jan CASH_COLLECTED -30.00", "2 Fees: 7,Jan FEE -5.00"},
		},
		"a total that is off": {
			[]string{"Id;Fare;Due", "7;100,00;100,03"},
			[]string{"2 warning Due: 100.03, not 100.00", "2 Fare: 7, TRIP 100.00"},
		},
		"a total of everything, also of what is unknown": {
			[]string{"Id;Fare;New;Everything", "7;1 000,50;-0,50;1000,00"},
			[]string{"2 Fare: 7, TRIP 1000.50", "2 New: 7, UNKNOWN -0.50"},
		},
		"unknown numbers, unknown words, no name, the same name again": {
			[]string{"Id;Fare;Colour;New;;Fare;Rides;Speed|km;Pay|zł/h;Day seen", "7;1.00;red;2.00;3.00;4.00;20;30.00;40.00;2026-09-21"},
			[]string{"2 Fare: 7, TRIP 1.00", "2 New: 7, UNKNOWN 2.00", "2 #5: 7, UNKNOWN 3.00", "2 Fare: 7, UNKNOWN 4.00"},
		},
		"zeros of unknown columns": {[]string{"Id;Fare;New", "7;0.00;0.00"}, []string{"2 skipped empty"}},
		"a corrected amount": {
			[]string{"Id;Fare;Cash", "7;-12.00;-3.00"},
			[]string{"2 Fare: 7, TRIP -12.00", "2 Cash: 7, CASH_COLLECTED 3.00"},
		},
		"what cannot be read stops its row and no other": {
			[]string{"Id;Fare;Cash;Due", "7;ten;1.234;x", "8;1.00;;"},
			[]string{"2 error wrong_amount in Fare: ten, expected 1234.56", "2 error wrong_amount in Cash: 1.234, expected 1234.56", "2 error wrong_amount in Due: x, expected 1234.56", "3 Fare: 8, TRIP 1.00"},
		},
		"an amount beyond belief": {
			[]string{"Id;Fare;New", "7;99999999999999.00;99999999999999999"},
			[]string{"2 error wrong_amount in Fare: 99999999999999.00, expected 1234.56"},
		},
		"a number that would take long to count": {
			[]string{"Id;Fare;Cash", "7;1.000000e999999;1." + strings.Repeat("0", 100)},
			[]string{"2 error wrong_amount in Fare: 1.000000e999999, expected 1234.56", "2 error wrong_amount in Cash: 1." + strings.Repeat("0", 58) + "…, expected 1234.56"},
		},
		"a row that is cut off": {
			[]string{"Id;Fare;Cash;Due;Note", "7;5.00", "8;5.00;0.00;5.00", "9"},
			[]string{"2 error too_few_cells in Due: 2, expected 5", "3 Fare: 8, TRIP 5.00", "4 skipped empty"},
		},
		"a row with too much": {
			[]string{"Id;Fare", "7;5.00;6.00", "8;5.00;;"},
			[]string{"2 error too_many_cells in : 6.00, expected 2", "3 Fare: 8, TRIP 5.00"},
		},
		"totals of the file, heads and empty rows": {
			[]string{"Id;Fare", "Razem;5.00", " id ;FARE", ";"},
			[]string{"2 skipped total", "3 skipped repeated_head", "4 skipped empty"},
		},
		"nobody's money": {
			[]string{"Id;Name;Fare", ";—;5.00", ";;6.00", ";—;0.00"},
			[]string{"2 Fare:  UNKNOWN 5.00", "3 error no_driver in Id: , expected ", "4 skipped empty"},
		},
		"the fleet's money": {
			[]string{"Id;Name;Fare;Cut", "Partner;;5.00;0", "7;Jan;0;2.50"},
			[]string{"2 Fare:  TRIP 5.00", "3 Cut:  FEE -2.50  7"},
		},
		"phones and ids that a workbook made numbers of": {
			[]string{"Id;Phone;Fare", "7.0;48500000101.0;1.00", "8;4.8500000101E+10;1.00", "9;+48500000101;1.00", "10;500000101;1.00"},
			[]string{"2 Fare: 7,+48500000101, TRIP 1.00", "3 Fare: 8,+48500000101, TRIP 1.00", "4 Fare: 9,+48500000101, TRIP 1.00", "5 Fare: 10,500000101, TRIP 1.00"},
		},
		"other money": {
			[]string{"Id;Fare|€", "7;1.00", "8;0.00"},
			[]string{"2 error wrong_currency in Fare|€: €, expected PLN", "3 skipped empty"},
		},
		"other money in a row": {
			[]string{"Id;Fare|ZŁ;Currency", "7;1.00;EUR", "8;1.00;pln"},
			[]string{"2 error wrong_currency in Currency: EUR, expected PLN", "3 Fare|ZŁ: 8, TRIP 1.00"},
		},
		"days": {
			[]string{"Id;Fare;Day;From;To;Note", "7;1.00;21.09.2026;;;hello", "8;1.00;;2026-09-21;2026-09-27;", "9;1.00;soon;;;", "10;1.00;;2026-09-27;2026-09-21;", "11;1.00;;2026-09-27;;"},
			[]string{"2 Fare: 7, TRIP 1.002026-09-21  hello", "3 Fare: 8, TRIP 1.00 2026-09-21", "4 error wrong_date in Day: soon, expected 2026-09-21",
				"5 error wrong_date in To: 2026-09-27 – 2026-09-21, expected 2026-09-21 – 2026-09-27", "6 error wrong_date in To: 2026-09-27 – , expected 2026-09-21 – 2026-09-27"},
		},
	} {
		if got := read(paid, c.rows...); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\ninstead of\n%s", what, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

func TestSheetsTypedByHandMayEndEarly(t *testing.T) {
	typed := paid
	typed.Blanks = true
	if got := read(typed, "Id;Fare;Cash;Due", "7;5.00"); !slices.Equal(got, []string{"2 Fare: 7, TRIP 5.00"}) {
		t.Errorf("read %q", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("Id;Name;Fare;Cash;Fees;VAT;Due;New", "7;Jan;1 234,50;30.00;5.00;8.00;65.02;9")
	f.Fuzz(func(t *testing.T, head, row string) {
		reader := paid.Open(statement.NewHead(1, strings.Split(head, ";")), statement.Given{Zone: time.UTC, Currency: money.PLN})
		reader(statement.Row{Line: 2, Cells: strings.Split(row, ";")}, statement.Out{
			Entries: func(e statement.Entry) {
				if e.Amount == 0 || e.Type == "" || e.Column == "" {
					t.Errorf("%q under %q makes %+v", row, head, e)
				}
			},
			Errors: func(statement.RowError) {}, Warnings: func(statement.RowWarning) {}, Skipped: func(int64, string) {},
		})
	})
}

func BenchmarkRows(b *testing.B) {
	reader := paid.Open(statement.NewHead(1, strings.Split("Id;Name;Fare;Cash;Fees;VAT;Due;Gross;New", ";")), statement.Given{Zone: time.UTC, Currency: money.PLN})
	row := statement.Row{Line: 2, Cells: strings.Split("7;Jan;100.00;30.00;5.00;8.00;65.02;108.00;0.00", ";")}
	out := statement.Out{Entries: func(statement.Entry) {}, Errors: func(statement.RowError) {}, Warnings: func(statement.RowWarning) {}, Skipped: func(int64, string) {}}
	for b.Loop() {
		reader(row, out)
	}
}
