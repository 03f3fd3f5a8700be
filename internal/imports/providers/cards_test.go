package providers_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/imports/providers"
	"saldo/internal/imports/statement"
)

const (
	oldest = "Date started (UTC),Date completed (UTC),ID,Type,Description,Reference,Payer,Card number,Orig currency,Orig amount,Payment currency,Amount,Fee,Balance,Account,Beneficiary account number,Beneficiary sort code or routing number,Beneficiary IBAN,Beneficiary BIC\n"
	middle = "Date started (UTC),Date completed (UTC),ID,Type,State,Description,Reference,Payer,Card number,Card label,Card state,Orig currency,Orig amount,Payment currency,Amount,Total amount,Exchange rate,Fee,Fee currency,Balance,Account,Beneficiary account number,Beneficiary sort code or routing number,Beneficiary IBAN,Beneficiary BIC,MCC,Related transaction id,Spend program"
)

func TestTheOldestAccountsOfRevolutHaveFeesOnTop(t *testing.T) {
	got := take(t, providers.Layouts(), "x.csv", oldest+
		"2026-09-24 22:30:00,2026-09-25 08:00:00,m1,CARD_PAYMENT,Shell Berlin,,Jan Nowak,516760******4003,EUR,60.00,PLN,-258.00,1.20,100.00,PLN Main,,,,\n"+
		"24/09/2026 10:00:00,,m2,CARD_PAYMENT,Shell,,Jan Nowak,516760******4003,PLN,60.00,PLN,-60.00,0.00,,PLN Main,,,,\n"+
		"2026-09-23 10:00:00,2026-09-23 10:00:00,m3,TRANSFER,To Ewa Lis,W38,,,PLN,50.00,PLN,-50.00,5.00,50.00,PLN Main,,,PL61 1090,\n", "")
	got.says(t, "REVOLUT business", "2 COST -258.00, 2 CARD_FEE -1.20, 4 PAYOUT -50.00, 4 CARD_FEE -5.00 fleet")
	got.whole(t)
	if got.skipped[3] != statement.SkippedCancelled {
		t.Errorf("skipped %v", got.skipped)
	}
	if at := got.entries[0].At; !at.Equal(time.Date(2026, 9, 24, 22, 30, 0, 0, time.UTC)) {
		t.Errorf("it was at %v", at)
	}
	if p := got.entries[2].Person; p.Name != "Ewa Lis" || !slices.Equal(p.Keys, []statement.Key{{Kind: statement.ByID, Value: "PL611090"}}) {
		t.Errorf("it was %+v", p)
	}
}

func TestRevolutAccounts_KeepUnknownRows(t *testing.T) {
	row := func(id, typ, state, text, currency, amount, total, fee, mcc, more string) string {
		return "2026-09-24,2026-09-25," + id + "," + typ + "," + state + "," + text + ",,,,,,PLN,1.00," + currency + "," + amount + "," + total + ",," + fee + "," + currency + ",0.00,PLN Main,,,,," + mcc + ",,," + more + "\n"
	}
	got := take(t, providers.Layouts(), "transactions_2026-09-01_2026-09-30.csv", middle+",Cashback\n"+
		row("m1", "CARD_PAYMENT", "COMPLETED", "Orlen", "PLN", "-100.00", "-101.00", "1.00", "5542", "0.50")+
		row("m2", "ATM", "COMPLETED", "Cash", "PLN", "-200.00", "-200.00", "0.00", "", "")+
		row("m3", "TRANSFER", "COMPLETED", "To EUR Main", "PLN", "-300.00", "-300.00", "0.00", "", "")+
		row("m4", "TRANSFER", "COMPLETED", "To Ewa Lis", "PLN", "-400.00", "-400.00", "0.00", "", "")+
		row("m5", "TRANSFER", "COMPLETED", "From Ewa Lis", "PLN", "40.00", "40.00", "0.00", "", "")+
		row("m6", "CARD_PAYMENT", "COMPLETED", "Shell", "EUR", "-9.00", "-9.00", "0.00", "5541", "")+
		row("m7", "CARD_PAYMENT", "THINKING", "Shell", "PLN", "-9.00", "-9.00", "0.00", "5541", "")+
		row("m8", "EXCHANGE", "COMPLETED", "PLN → EUR", "PLN", "-9.00", "-9.10", "-0.10", "", "")+
		row("m9", "CARD_PAYMENT", "COMPLETED", "Shell", "PLN", "-9.00", "-10.00", "-0.10", "5541", "")+
		row("m10", "CARD_PAYMENT", "REVERTED", "Shell", "PLN", "-9.00", "-9.00", "0.00", "5541", "")+
		row("m11", "CARD_PAYMENT", "COMPLETED", "Shell", "PLN", "", "", "", "5541", ""), "")
	got.says(t, "REVOLUT business", "2 FUEL -100.00 fleet, 2 CARD_FEE -1.00 fleet, 2 UNKNOWN 0.50 fleet, 3 UNKNOWN -200.00 fleet, 5 PAYOUT -400.00, 6 UNKNOWN 40.00, 9 CARD_FEE -0.10 fleet, 10 FUEL -9.00 fleet, 10 CARD_FEE -1.00 fleet")
	var wrong []string
	for _, tr := range got.rowErrors {
		wrong = append(wrong, tr.Code+" "+tr.Found)
	}
	if want := []string{"wrong_currency EUR", "wrong_type THINKING", "wrong_amount "}; !slices.Equal(wrong, want) {
		t.Errorf("row errors are %q", wrong)
	}
	if len(got.rowWarnings) != 1 || got.rowWarnings[0].Line != 10 || got.skipped[4] != statement.SkippedInternal || got.skipped[11] != statement.SkippedCancelled {
		t.Errorf("row warnings %+v, skipped %v", got.rowWarnings, got.skipped)
	}
	if got.span != (statement.Span{From: "2026-09-01", To: "2026-09-30"}) {
		t.Errorf("the days are %v", got.span)
	}
	ids := map[string]bool{}
	for _, e := range got.entries {
		ids[e.ExternalID] = true
	}
	if len(ids) != len(got.entries) {
		t.Errorf("ids are %v", ids)
	}
}

func TestPersonalAccountsInThreeLanguagesAndThroughExcel(t *testing.T) {
	var ids []string
	for _, content := range []string{
		"Rodzaj,Produkt,Data rozpoczęcia,Data zrealizowania,Opis,Kwota,Opłata,Waluta,State,Saldo\nPłatność kartą,Bieżące,2025-08-06 12:24:00,2025-08-06 12:25:00,Shell,-7.19,0.10,PLN,ZAKOŃCZONO,100.00\n",
		"Rodzaj;Produkt;Data rozpoczęcia;Data zrealizowania;Opis;Kwota;Opłata;Waluta;State;Saldo\nPłatność kartą;Bieżące;06.08.2025 12:24;06.08.2025 12:25;Shell;\"-7,19\";0,10;PLN;ZAKOŃCZONO;100,00\n",
		"Art,Produkt,Datum des Beginns,Datum des Abschlusses,Beschreibung,Betrag,Gebühr,Währung,Status,Kontostand\nKartenzahlung,Aktuell,2025-08-06 12:24:00,,Shell,-7.19,0.10,PLN,ABGESCHLOSSEN,100.00\n",
		"Art,Produkt,Startdatum,Abschlussdatum,Beschreibung,Betrag,Gebühr,Währung,Status,Saldo\nKartenzahlung,Aktuell,2025-08-06 12:24:00,,Shell,-7.19,0.10,PLN,ABGESCHLOSSEN,100.00\n",
		"Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\nCARD_PAYMENT,Current,2025-08-06 12:24:00,,Shell,-7.19,0.10,PLN,COMPLETED,100.00\n",
	} {
		got := take(t, providers.Layouts(), "account-statement_2025-08-01_2025-08-31_pl-pl_39cfdd.csv", content, "")
		got.says(t, "REVOLUT personal", "2 FUEL -7.19 fleet, 2 CARD_FEE -0.10 fleet")
		got.whole(t)
		if got.span != (statement.Span{From: "2025-08-01", To: "2025-08-31"}) || !got.entries[0].At.Equal(time.Date(2025, 8, 6, 10, 24, 0, 0, time.UTC)) {
			t.Errorf("%v at %v", got.span, got.entries[0].At)
		}
		these := []string{got.entries[0].ExternalID, got.entries[1].ExternalID}
		if ids == nil {
			ids = these
		}
		if !slices.Equal(ids, these) || ids[0] == ids[1] {
			t.Errorf("ids are %v instead of %v", these, ids)
		}
	}
}

func TestPersonalAccountsRefuseWhatTheyCannotRead(t *testing.T) {
	got := take(t, providers.Layouts(), "x.csv", "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\n"+
		"Card Payment,Current,someday,,Orlen Paczka,-7.19,0.00,PLN,COMPLETED,100.00\n"+
		"Card Payment,Current,2025-08-06,,Orlen Paczka,-7.19,0.00,PLN,COMPLETED,100.00\n"+
		"Card Payment,Current,2025-08-06,,Shell,-7.19,0.00,EUR,COMPLETED,100.00\n"+
		"Rev Points,Current,2025-08-06,,Gift,1.00,0.00,PLN,COMPLETED,100.00\n"+
		"Exchange,Current,2025-08-06,,To EUR,1.00,0.00,PLN,COMPLETED,100.00\n"+
		"Transfer,Current,2025-08-06,,To X,,0.00,PLN,COMPLETED,100.00\n", "")
	got.says(t, "REVOLUT personal", "3 COST -7.19 fleet, 5 UNKNOWN 1.00 fleet")
	var wrong []string
	for _, tr := range got.rowErrors {
		wrong = append(wrong, tr.Code+" "+tr.Found)
	}
	if want := []string{"wrong_date someday", "wrong_currency EUR", "wrong_amount "}; !slices.Equal(wrong, want) || got.skipped[6] != statement.SkippedInternal {
		t.Errorf("row errors %q, skipped %v", wrong, got.skipped)
	}
}

const flotex = "Nr karty;Data;Godzina;Nr rejestracyjny;Kierowca;Sieć;Stacja;Produkt;Ilość;Cena jednostkowa brutto;Wartość netto;VAT;Wartość brutto;Stan licznika"

func TestFuelCardsThroughOtherPrograms(t *testing.T) {
	got := take(t, providers.Layouts(), "flotex 16.09.2026 - 30.09.2026 (1).csv", flotex+";Kaucja;NIP\n"+
		"0001;25.10.2026;02:30;;Okaziciel;X;Y;ON;1;1;;;\"1 000,00\";7;;5252248481\n"+ // the first of two such times
		"0002;46286;0.25694444;;Jan Lis;X;Y;Kawa;1;1;8,00;2,00;10,00;;5,00;\n"+ // a workbook's day and time
		"0003;2026-09-21;;WX1;;X;Y;Coś;1;1;;;-10,00;;;\n"+
		";2026-09-21;;;;X;Y;Opłata za kartę;1;1;;;9,99;;;\n"+
		"7,01783E+15;2026-09-21;;;OKAZICIEL;X;Y;ON;1;1;;;9,99;;;\n"+
		"0004;32.09.2026;25:00;;;X;Y;ON;1;1;;;9,99;;;\n"+
		"0004;21.09.2026;25:00;;;X;Y;ON;1;1;;;;;;\n"+
		"0005;21.09.2026;;;;X;Y;ON;1;1;5,00;1,00;7,00;;;\n"+
		flotex+";Kaucja;NIP\n"+
		"0006;21.09.2026;;;;X;Y;ON;1;1;;;0,00;;;\n"+
		";;;;;;;;;;;;;;;\n"+
		"Suma;;;;;;;;;;;;1 000,00;;;\n", "")
	got.says(t, "FLOTEX transactions", "2 FUEL -1000.00, 3 COST -10.00, 3 UNKNOWN 5.00, 4 UNKNOWN 10.00, 5 CARD_FEE -9.99 fleet, 9 FUEL -7.00")
	if !got.entries[0].At.Equal(time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC)) || !got.entries[1].At.Equal(time.Date(2026, 9, 21, 4, 10, 0, 0, time.UTC)) {
		t.Errorf("times are %v and %v", got.entries[0].At, got.entries[1].At)
	}
	if e := got.entries[3]; e.On != "2026-09-21" || !e.At.IsZero() {
		t.Errorf("the day is %v %v", e.On, e.At)
	}
	if p := got.entries[0].Person; p.Name != "" || !slices.Equal(p.Keys, []statement.Key{{Kind: statement.ByCard, Value: "0001"}}) {
		t.Errorf("a bearer's card is %+v", p)
	}
	var wrong []string
	for _, tr := range got.rowErrors {
		wrong = append(wrong, tr.Code+" "+tr.Found)
	}
	if want := []string{"no_driver 7,01783E+15", "wrong_date 32.09.2026", "wrong_date 25:00", "wrong_amount "}; !slices.Equal(wrong, want) {
		t.Errorf("row errors are %q", wrong)
	}
	if len(got.rowWarnings) != 2 || got.rowWarnings[0].Line != 9 || got.rowWarnings[1].Line != 13 || got.skipped[10] != statement.SkippedHead || got.skipped[12] != statement.SkippedEmpty || got.skipped[13] != statement.SkippedTotal {
		t.Errorf("row warnings %+v, skipped %v", got.rowWarnings, got.skipped)
	}
	if got.span != (statement.Span{From: "2026-09-16", To: "2026-09-30"}) {
		t.Errorf("the days are %v", got.span)
	}
}

func TestProductsOfStations(t *testing.T) {
	for typ, names := range map[string]string{
		"FUEL":     "Verva ON|Efecta 95|LPG|miles 95|miles Diesel|PB95|ON|Olej napędowy|Benzyna bezołowiowa 98|Super E10|Superplus|Autogas|Dieselkraftstoff|Unleaded 95|Shell V-Power|CNG|Ładowanie pojazdu|EV charging",
		"COST":     "Myjnia bezdotykowa|MYJNIA|AdBlue|ADBLUE|Ad Blue 10 l|Olej silnikowy 5W30|Płyn do spryskiwaczy|Sklep|Autowäsche|Waschanlage|Motoröl|Maut|Car wash|Engine oil|Shop goods|Opłata drogowa A4|Parking|Hot dog",
		"CARD_FEE": "Opłata za kartę|Opłata miesięczna|Abonament|Kartengebühr|Card fee|Monthly fee|Wydanie karty",
		"UNKNOWN":  "|Coś|Onet|Gazeta|Supermarket",
	} {
		for name := range strings.SplitSeq(names, "|") {
			if got := statement.ProductType(name); got != typ {
				t.Errorf("%q is %s instead of %s", name, got, typ)
			}
		}
	}
}

func TestCardsAreComparedWithoutTheirZeros(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{{"0000206980000", "206980000", true}, {"70 8920 1", "0708 9201", true}, {"7089201.0", "7089201", true}, {"1", "10", false}, {"", "000", false}} {
		if statement.SameCard(c.a, c.b) != c.same {
			t.Errorf("%q and %q", c.a, c.b)
		}
	}
}

func TestNumbersOfUnknownColumns(t *testing.T) {
	for cell, want := range map[string]string{"12.50": "12.50", "-3": "-3.00", "1 234,50": "1234.50", "+48500000101": "", "20260921": "", "": "", "abc": "", "12 rides": "", "1234567": "1234567.00", "2026-09-21": "", "99999999999999999999.00": ""} {
		got := ""
		if amount, is := statement.Number(cell); is {
			got = amount.String()
		}
		if got != want {
			t.Errorf("%q is %q instead of %q", cell, got, want)
		}
	}
}
