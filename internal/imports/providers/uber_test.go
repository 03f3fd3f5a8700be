package providers_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/imports/providers"
	"saldo/internal/imports/statement"
	"saldo/internal/kernel/money"
)

const tree = "Driver UUID,Driver first name,Driver surname ,Paid to you,Paid to you : Your earnings,Paid to you : Trip balance : Payouts : Cash Collected,"

func TestUberKnowsLeavesByTheirBranch(t *testing.T) {
	got := take(t, providers.Layouts(), "20260921-20260928-payments_driver-Fleet (1).csv", tree+
		"Paid to you : Your earnings : Fare,Paid to you:Your earnings:Fare:Fare,Paid to you:Your earnings:Fare:Wait Time at Pick-up,Paid to you:Your earnings:Fare:Something new,"+
		"Paid to you:Your earnings:Promotion:Boost+,Paid to you:Your earnings:Something,Paid to you:Trip balance:Refunds:Order Value,Paid to you:Trip balance:Expenses:Instant Pay Fees,"+
		"Paid to you:Trip balance:Expenses:Toll adjustment,Paid to you:Trip balance:Expenses:Rental,Paid to you:Trip balance:Payouts:Voucher,Paid to you:Trip balance:Payouts:Cash in envelopes,Bag deposit,Note\n"+
		`u1,Jan,Nowak,"1 068,00",111,"-10,00",106,100.00,5,1,2,3,4,-1,-2,-4,-10,-20,7.50,12 rides`+"\n", "")
	got.says(t, "UBER payments_driver", "2 TRIP 100.00, 2 WAITING_TIME 5.00, 2 UNKNOWN 1.00, 2 PROMO 2.00, 2 REFUND 4.00, 2 PAYOUT_FEE -1.00, 2 ADJUSTMENT -2.00, 2 CHARGE -4.00, 2 PAYOUT -10.00, "+
		"2 UNKNOWN -20.00, 2 CASH_COLLECTED -10.00, 2 UNKNOWN 3.00, 2 UNKNOWN 1000.00, 2 UNKNOWN 7.50")
	if len(got.rowWarnings) != 1 || got.rowWarnings[0] != (statement.RowWarning{Line: 2, Column: "Paid to you", Says: 106800, Adds: 6800}) {
		t.Errorf("row warnings are %+v", got.rowWarnings)
	}
	if got.entries[12].Column != "Paid to you" || got.entries[13].Column != "Bag deposit" {
		t.Errorf("the unknown stands in %q and %q", got.entries[12].Column, got.entries[13].Column)
	}
	if got.span != (statement.Span{From: "2026-09-21", To: "2026-09-27"}) {
		t.Errorf("the days are %v", got.span)
	}
}

func TestUberInGermanSinceWeek40(t *testing.T) {
	got := take(t, providers.Layouts(), "x.csv", "Fahrer-UUID,Vorname des Fahrers,Nachname des Fahrers,An dich gezahlt,An dich gezahlt : Deine Umsätze,An dich gezahlt:Deine Umsätze:Fahrpreis:Zeit am Zwischenstopp,"+
		"An dich gezahlt:Deine Umsätze:Fahrpreis:Reservierungsgebühr,An dich gezahlt:Deine Umsätze:Steuern:Steuer auf Servicegebühr,An dich gezahlt:Deine Umsätze:Servicegebühr\n"+
		"u1,Ayşe,Yılmaz,9.00,9.00,3.00,10.00,-1.00,-3.00\n", "UBER_EATS")
	got.says(t, "UBER payments_driver", "2 WAITING_TIME 3.00, 2 DELIVERY 10.00, 2 FEE_TAX -1.00, 2 FEE -3.00")
	got.whole(t)
}

// Where the same path stands in both ways of writing, its money is not counted twice.
func TestUberDoesNotDoubleAPathThatIsWrittenTwice(t *testing.T) {
	got := take(t, providers.Layouts(), "x.csv", tree+"Paid to you:Your earnings:Tip,Paid to you:Trip balance:Payouts:Cash collected\nu1,Jan,Nowak,-5.00,15,-20,15,-20\n", "")
	got.says(t, "UBER payments_driver", "2 CASH_COLLECTED -20.00, 2 TIP 15.00")
	got.whole(t)
}

func TestUberGivesTheFleetWhatIsTheFleets(t *testing.T) {
	got := take(t, providers.Layouts(), "x.csv", tree+"Paid to you:Your earnings:Tip,Paid to you:Trip balance:Payouts:Transferred To Bank Account\n"+
		"o1,ANY,FLEET,-900.00,,,,-900.00\n"+ // nothing but a transfer
		"o1,ANY,FLEET Sp. z o.o.,-126648.63,,,,\n"+ // the leaf is not in the file
		"u1,Jan,Nowak,-5.00,,,,\n"+ // a driver of whom nobody knows why
		"u2,Ewa,Nowak,-5.00,5.00,,5.00,-10.00\n"+
		"u3,Jan,Lis,0.00,0,,0,\n"+
		",,,4.00,4.00,,4.00,\n", "")
	got.says(t, "UBER payments_driver", "2 PAYOUT -900.00 fleet, 3 UNKNOWN -126648.63 fleet, 4 UNKNOWN -5.00, 5 PAYOUT -10.00, 5 TIP 5.00")
	if got.skipped[6] != statement.SkippedEmpty || len(got.rowErrors) != 1 || got.rowErrors[0].Code != statement.NoDriver || got.rowErrors[0].Line != 7 {
		t.Errorf("skipped %v, row errors %+v", got.skipped, got.rowErrors)
	}
}

func TestUberImportsNothingOfARowWithAnError(t *testing.T) {
	got := take(t, providers.Layouts(), "x.csv", tree+"Paid to you:Your earnings:Tip\n"+
		"u1,Jan,Nowak,5.00,5.00,1.2.3,5.00\n"+
		"Driver UUID,Driver first name,Driver surname,Paid to you,Paid to you : Your earnings,Paid to you : Trip balance : Payouts : Cash Collected,Paid to you:Your earnings:Tip\n"+
		"u2,Ewa,Nowak,5.00,5.00,,5.00\nu3,Jan,Lis,abc,5.00,,5.00,,9\n", "")
	got.says(t, "UBER payments_driver", "4 TIP 5.00")
	want := []statement.RowError{
		{Code: statement.WrongAmount, Line: 2, Column: "Paid to you : Trip balance : Payouts : Cash Collected", Found: "1.2.3", Expected: "1234.56"},
		{Code: statement.TooManyCells, Line: 5, Found: "9", Expected: "Paid to you:Your earnings:Tip"},
		{Code: statement.WrongAmount, Line: 5, Column: "Paid to you", Found: "abc", Expected: "1234.56"},
	}
	if !slices.Equal(got.rowErrors, want) || got.skipped[3] != statement.SkippedHead {
		t.Errorf("row errors %+v, skipped %v", got.rowErrors, got.skipped)
	}
}

// The same movements have the same ids in every language, so that a file that was downloaded twice is seen to be the same.
func TestUberMovementsAreTheSameInEveryLanguage(t *testing.T) {
	var ids []string
	for _, head := range []string{
		"transaction UUID,Driver UUID,Driver first name,Driver last name,Trip UUID,Description,Organization name,Org alias,vs reporting,Paid to you,Paid to you : Your earnings,Paid to you : Your earnings : Fare,Paid to you:Your earnings:Fare:Fare,Paid to you:Trip balance:Refunds:Toll",
		"identyfikator UUID transakcji,Identyfikator UUID kierowcy,Imię kierowcy,Nazwisko kierowcy,Identyfikator UUID przejazdu,Opis,Nazwa organizacji,Alias organizacji,coś dziwnego,Wypłacono Ci,Wypłacono Ci : Twój przychód,Wypłacono Ci : Twój przychód : Opłata,Wypłacono Ci:Twój przychód:Opłata:Opłata,Wypłacono Ci:Bilans przejazdu:Zwroty:Opłata drogowa",
		"Transaktions-UUID,Fahrer-UUID,Vorname des Fahrers,Nachname des Fahrers,Fahrt-UUID,Beschreibung,Name des Unternehmens,Alias des Unternehmens,vs-Berichterstattung,An dich gezahlt,An dich gezahlt : Deine Umsätze,An dich gezahlt : Deine Umsätze : Fahrpreis,An dich gezahlt:Deine Umsätze:Fahrpreis:Fahrpreis,An dich gezahlt:Fahrtguthaben:Rückerstattungen:Mautgebühr",
	} {
		got := take(t, providers.Layouts(), "x.csv", head+"\n"+
			"t1,u1,Jan,Nowak,r1,trip completed order,Fleet,F,2026-10-25 02:30:00.000 +0200 CEST,12,10,9,9,2\n"+
			"t2,u1,Jan,Nowak,r2,trip completed order,Fleet,F,2026-10-25 02:30:00.000 +0100 CET,5,5,5,5,0\n"+
			"t3,,,,,anything,Fleet,F,,5,5,5,5,0\n", "")
		got.says(t, "UBER payments_order", "2 TRIP 9.00, 2 REFUND 2.00, 2 UNKNOWN 1.00, 3 TRIP 5.00, 4 TRIP 5.00 fleet")
		if later := got.entries[3].At.Sub(got.entries[0].At); later != time.Hour || !got.entries[4].At.IsZero() {
			t.Errorf("the hour that the clock shows twice is %v", later)
		}
		var these []string
		for _, e := range got.entries {
			these = append(these, e.ExternalID)
		}
		if ids == nil {
			ids = these
		}
		if !slices.Equal(ids, these) || len(slices.Compact(slices.Sorted(slices.Values(these)))) != len(these) {
			t.Errorf("ids are %v instead of %v", these, ids)
		}
	}
}

func TestUberNamesTheFileToDownloadInstead(t *testing.T) {
	for head, want := range map[string]string{
		"Trip UUID,Driver UUID,Driver first name,Driver last name,Vehicle UUID,License plate,Trip status":                                                          "uber.payments_driver",
		"Fahrt-UUID,Fahrer-UUID,Vorname des Fahrers,Nachname des Fahrers,Fahrzeug-UUID,Kennzeichen,Fahrtstatus":                                                    "uber.payments_driver",
		"Driver UUID,Driver first name,Driver surname,Hours online":                                                                                                "uber.payments_driver",
		"Organisation UUID,Organisation name,Balance at start,Balance at end,Paid to you,Paid to you : Your earnings,Paid to you:Your earnings:Tip":                "uber.payments_driver",
		"UUID del conductor,Nombre del conductor,Apellido del conductor,Importe que se te ha pagado,Importe que se te ha pagado : A,Importe que se te ha pagado:B": "uber.language",
		"UUID,Prenume,Nume,Câștiguri primite,Câștiguri primite : Câștigurile tale,Câștiguri primite:Câștigurile tale:Bacșiș":                                       "uber.language",
		// known words, but nothing by which movements are distinguished
		"Driver UUID,Driver first name,Driver surname,Trip UUID,Paid to you,Paid to you : Your earnings,Paid to you:Your earnings:Tip": "uber.language",
	} {
		if got := take(t, providers.Layouts(), "x.csv", head+"\nx\n", ""); got.suggested != want || !strings.HasPrefix(got.kind, "UBER ") {
			t.Errorf("%s: %s instead %q", head, got.kind, got.suggested)
		}
		found := 0
		for _, l := range providers.Layouts() {
			if l.Recognise(statement.NewHead(1, strings.Split(head, ","))) {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%s is recognised %d times", head, found)
		}
	}
}

func TestNamesOfUberFilesSayTheirDays(t *testing.T) {
	for name, want := range map[string]string{
		"20260824-20260825-payments_driver-DA_INVESTMENT.csv": "2026-08-24..2026-08-24",
		"20260921_20260928_payments_driver_Fleet (1).csv":     "2026-09-21..2026-09-27",
		"copy of 20261228-20270104-payments_order-Fleet.csv":  "2026-12-28..2027-01-03",
		"20260928-20260921-payments_driver-Fleet.csv":         "..",
		"20260921-20260921-payments_driver-Fleet.csv":         "..",
		"20261321-20261328-payments_driver-Fleet.csv":         "..",
		"120260921-202609280-payments_driver.csv":             "..",
		"payments_driver.csv":                                 "..",
	} {
		got := take(t, providers.Layouts(), name, tree+"Paid to you:Your earnings:Tip\n", "")
		if days := string(got.span.From) + ".." + string(got.span.To); days != want {
			t.Errorf("%s covers %s instead of %s", name, days, want)
		}
	}
}

// One file of Uber may have a million rows.
func BenchmarkUberMovements(b *testing.B) {
	var layout statement.Layout
	cells := []string{"t1", "u1", "Jan", "Nowak", "r1", "trip completed order", "Fleet", "F", "2026-10-25 02:30:00.000 +0200 CEST", "12.00", "10.00", "10.00", "10.00", "2.00"}
	head := statement.NewHead(1, strings.Split("transaction UUID,Driver UUID,Driver first name,Driver last name,Trip UUID,Description,Organization name,Org alias,vs reporting,Paid to you,Paid to you : Your earnings,Paid to you : Your earnings : Fare,Paid to you:Your earnings:Fare:Fare,Paid to you:Trip balance:Refunds:Toll", ","))
	for _, l := range providers.Layouts() {
		if l.Recognise(head) {
			layout = l
		}
	}
	read := layout.Open(head, statement.Given{Zone: time.UTC, Currency: money.PLN})
	found := 0
	out := statement.Out{Entries: func(statement.Entry) { found++ }, Warnings: func(statement.RowWarning) { b.Error("a row warning") }, Errors: func(tr statement.RowError) { b.Error(tr) }, Skipped: func(int64, string) {}}
	for b.Loop() {
		read(statement.Row{Line: 2, Cells: cells}, out)
	}
}
