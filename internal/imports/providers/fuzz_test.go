package providers

import (
	"bytes"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"saldo/internal/imports/statement"
	"saldo/internal/imports/table"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
)

// seed is a table of a sample as CSV, cut behind its head.
type seed struct {
	name       string
	head, body []byte
}

// seeds are one for each table of each sample; workbooks and archives are written as the CSV that they hold.
func seeds(t testing.TB) (all []seed) {
	t.Helper()
	known := map[string]bool{}
	for _, file := range samplesOf(t, "*.*") {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		tables, err := table.Open(name, bytes.NewReader(content), int64(len(content)))
		if err != nil {
			continue
		}
		for _, tab := range tables {
			s := seed{name: name}
			finder, done, found := NewFinder(Layouts()), false, Found{}
			var written bytes.Buffer
			out := csv.NewWriter(&written)
			out.Comma = ';'
			for row, err := range tab.Rows() {
				if err := errors.Join(err, out.Write(row.Cells)); err != nil {
					t.Fatal(err)
				}
				if !done {
					if found, done = finder.Row(row.Line, row.Cells); done {
						out.Flush()
						s.head = bytes.Clone(written.Bytes())
						written.Reset()
					}
				}
			}
			out.Flush()
			if found.Open != nil {
				known[found.Provider+" "+found.Kind] = true
				s.body = written.Bytes()
				all = append(all, s)
			}
		}
	}
	for _, l := range Layouts() {
		if l.Open != nil && !known[l.Provider+" "+l.Kind] {
			t.Errorf("no sample is a seed for %s %s", l.Provider, l.Kind)
		}
	}
	return all
}

// Whatever stands below the head of any layout: reading it breaks nothing; every row ends in entries, errors or a reason to
// skip it; and each of these names its row, and is of a size and a type that can be booked.
func FuzzEveryLayout(f *testing.F) {
	all := seeds(f)
	for n, s := range all {
		f.Add(uint8(n), s.body)
	}
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		s := all[int(which)%len(all)]
		content := append(bytes.Clone(s.head), body...)
		tables, err := table.Open(s.name, bytes.NewReader(content), int64(len(content)))
		var reason table.Reason
		if err != nil {
			if !errors.As(err, &reason) {
				t.Fatal(err)
			}
			return
		}
		for _, currency := range []money.Currency{money.PLN, money.EUR} {
			for _, tab := range tables {
				check(t, s.name, tab, currency)
			}
		}
	})
}

// oddRows are heads with rows that layouts once read wrongly or that are easily read wrongly.
var oddRows = [][2]string{
	{"Kierowca;Adres e-mail;Numer telefonu;Zarobki brutto (ogółem)|ZŁ;Zarobki brutto (płatności w aplikacji)|ZŁ;Zarobki brutto (płatności gotówkowe)|ZŁ;Pobrana gotówka|ZŁ;Opłaty ogółem|ZŁ;Prowizje|ZŁ;Przewidywana wypłata|ZŁ;Nowe|ZŁ",
		"Jan;j@example.com;+48500000101;10.00;5.00;5.00;4.00;2.00;1.00;4.00;x"},
	{"Data;Kierowca;Numer rejestracyjny ;Trasa;Status;Cena przejazdu|ZŁ;Rodzaj płatności;Opłata rezerwacyjna|ZŁ;Opłaty za anulowanie|ZŁ;Telefon;Indywidualny numer identyfikacyjny",
		"2026-09-21 05:14;Jan;WX 1;A → B;Ukończone;46.90;Gotówką;1.00;0.00;+48500000101;c3ed"},
	{"Kierowca;Telefon;Okres;Wartość brutto;Opłata Bolt;Tygodniowy bilans",
		"Jan;48500000101;2023W10;\"1110,35;-280,58;1"},
	{"Courier UID;First Name;Last Name;Phone;Courier Earnings (Without VAT);VAT;Currency;Cash received from clients;Balance after period",
		"700100;Jan;K;48500000101.0;540.00;1;PLN;2;3"},
	{"ID kierowcy;Kierowca;Suma zarobków;Prowizja;Zarobki przed odliczeniem prowizji",
		"1014CX;Jan;518.43;161.57;680.00"},
	{"BOOKING ID;BOOKING STATE;PICKUP DATE;CLOSED DATE;TOUR VALUE;TOUR TIP;TOLL VALUE;PAYMENT METHOD;DRIVER ID",
		"9;CANCELLED;2026-09-21T06:00:00+02:00;;18.00;1;2;CASH;1014CX"},
	{"id_driver;driver_name;bonus_name;bonus_date;bonus_tax_value;bonus_gross_value",
		"Partner;;Opłata ekasa;2026-09-21;-1.87;-9.99"},
	{"RIDER ID;COURIER ID;COMPLETE NAME;TIPS;TOTAL COURIER EARNINGS;COMMISSION;NET PARTNER EARNINGS",
		"9900100;G880100;Jan;6.5;586.6999999999999;29.33;1"},
	{"Courier ID;Name;First Name;Total earned;Tips",
		"G1;K;J;#REF!;1"},
	{"ID kuriera;Imię i nazwisko;Okres od;Okres do;Opłata za zamówienia;Kwota do zapłaty",
		"G1;J;2026-09-07;2026-09-20;720,00;-1"},
	{"Courier ID;Courier name;Period start;Period end;Deliveries amount;VAT;Total net;Total gross",
		"1;J;2026-09-21;2026-09-27;1;2;3;4"},
	{"Driver UUID,Driver first name,Driver surname,Paid to you,Paid to you : Your earnings,Paid to you:Your earnings:Fare:Fare,Paid to you:Trip balance:Payouts:Cash collected,x",
		"u,a,b,5,10,10,-5,3\n,,,,,,1.2.3"},
	{"Transaction UUID,Driver UUID,Trip UUID,Description,vs reporting,Paid to you,Paid to you : Your earnings,Paid to you:Your earnings:Service fee",
		"t,u,r,so.payout,2026-09-21 08:01:15.836 +0200 CEST,-9,0,-9"},
	{"Nr karty,Data,Godzina,Nr rejestracyjny,Kierowca,Sieć,Produkt,Wartość netto,VAT,Wartość brutto,x",
		"1,21.09.2026,02:30,W,K,O,ON,1,1,2,3\nSuma,,,,,,,,,2"},
	{"Numer karty,Typ karty,Numer rejestracyjny / Użytkownik,Data transakcji,Produkt,J.m.,Wartość brutto",
		"1,S,WX1,46286,?,l,-5"},
	{"Date started (UTC),Date completed (UTC),ID,Type,State,Description,Payer,Card number,Payment currency,Amount,Total amount,Fee,Account,MCC",
		"2026-09-21,2026-09-21,m,CARD_PAYMENT,COMPLETED,x,y,51***9,PLN,-5,-6,1,a,5541"},
	{"Date started (UTC),ID,Type,Payment currency,Amount",
		"2026-09-21,m,TRANSFER,PLN,7"},
	{"Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance",
		"Card Payment,Current,2025-08-06,,Shell,-7.19,0.10,PLN,COMPLETED,100"},
}

// Whatever the head is, too: columns that are missing, doubled or have other names.
func FuzzEveryHead(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s.head, s.body)
	}
	for _, odd := range oddRows {
		f.Add([]byte(odd[0]+"\n"), []byte(odd[1]))
	}
	f.Fuzz(func(t *testing.T, head, body []byte) {
		content := append(bytes.Clone(head), body...)
		tables, err := table.Open("a.csv", bytes.NewReader(content), int64(len(content)))
		var reason table.Reason
		if err != nil && !errors.As(err, &reason) {
			t.Fatal(err)
		}
		for _, tab := range tables {
			check(t, "a.csv", tab, money.PLN)
		}
	})
}

// A download that broke off anywhere is read up to there or refused; no cut makes a row that breaks a promise.
func TestASampleCutAnywhereIsReadOrRefused(t *testing.T) {
	cuts := 0
	cut := func(name string, whole []byte) {
		for end := range whole {
			tables, err := table.Open(name, bytes.NewReader(whole[:end]), int64(end))
			var reason table.Reason
			if err != nil && !errors.As(err, &reason) {
				t.Fatalf("%s cut at %d: %v", name, end, err)
			}
			for _, tab := range tables {
				check(t, name, tab, money.PLN)
			}
			cuts++
		}
	}
	for _, s := range seeds(t) {
		rows := bytes.SplitAfterN(s.body, []byte("\n"), 3)
		cut(s.name, append(bytes.Clone(s.head), bytes.Join(rows[:min(2, len(rows))], nil)...))
	}
	for _, pattern := range []string{"*.xlsx", "*.zip"} {
		for _, file := range samplesOf(t, pattern) {
			whole, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			cut(file, whole)
		}
	}
	t.Logf("%d cuts", cuts)
}

func check(t *testing.T, name string, tab table.Table, currency money.Currency) {
	t.Helper()
	var line int64
	reported := 0
	out := statement.Out{
		Entries: func(e statement.Entry) {
			reported++
			_, known := kinds.Of(e.Type)
			if e.Line != line || e.Amount == 0 || e.Amount > 100*statement.MaxAmount || e.Amount < -100*statement.MaxAmount || e.Column == "" || e.Type != "" && !known {
				t.Errorf("%s line %d makes %+v", name, line, e)
			}
		},
		Errors: func(tr statement.RowError) {
			reported++
			if tr.Line != line || tr.Code == "" || len(tr.Found) > 1000 {
				t.Errorf("%s line %d has row error %+v", name, line, tr)
			}
		},
		Warnings: func(d statement.RowWarning) {
			if d.Line != line || d.Says == d.Adds {
				t.Errorf("%s line %d has row warning %+v", name, line, d)
			}
		},
		Skipped: func(at int64, why string) {
			reported++
			if at != line || why == "" {
				t.Errorf("%s line %d is skipped as line %d for %q", name, line, at, why)
			}
		},
	}
	finder, reader := NewFinder(Layouts()), statement.Reader(nil)
	for row, err := range tab.Rows() {
		var reason table.Reason
		if err != nil {
			if !errors.As(err, &reason) {
				t.Fatal(err)
			}
			return
		}
		if row.Line <= line {
			t.Fatalf("%s: line %d follows line %d", name, row.Line, line)
		}
		line = row.Line
		if reader != nil {
			reported = 0
			if reader(statement.Row(row), out); reported == 0 {
				t.Errorf("%s: nothing is said of line %d: %q", name, line, row.Cells)
			}
			continue
		}
		found, done := finder.Row(row.Line, row.Cells)
		switch {
		case done && found.Open != nil:
			if found.Span != nil {
				found.Span(name, found.Above)
			}
			reader = found.Open(found.Head, statement.Given{Zone: time.UTC, Currency: currency, Provider: "PARTNER"})
		case done:
			return
		}
	}
}
