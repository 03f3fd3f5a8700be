package providers_test

import (
	"bytes"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/imports/providers"
	"saldo/internal/imports/statement"
	"saldo/internal/imports/table"
	"saldo/internal/kernel/money"
)

// result is what one file makes of itself.
type result struct {
	heads       []string // provider, kind, and the days if there are any
	entries     []statement.Entry
	rowErrors   []statement.RowError
	rowWarnings []statement.RowWarning
	skipped     []string
}

// gather reads a file as the import does. Names of parts say their days before the name of the file does.
func gather(t *testing.T, name, content string, currency money.Currency) (s result) {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		t.Fatal(err)
	}
	tables, err := table.Open(name, strings.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	out := statement.Out{
		Entries:  func(e statement.Entry) { s.entries = append(s.entries, e) },
		Errors:   func(tr statement.RowError) { s.rowErrors = append(s.rowErrors, tr) },
		Warnings: func(d statement.RowWarning) { s.rowWarnings = append(s.rowWarnings, d) },
		Skipped:  func(line int64, why string) { s.skipped = append(s.skipped, fmt.Sprint(line, " ", why)) },
	}
	for _, tab := range tables {
		finder, reader := providers.NewFinder(providers.Layouts()), statement.Reader(nil)
		for row, err := range tab.Rows() {
			if err != nil {
				t.Fatal(err)
			}
			if reader != nil {
				reader(statement.Row(row), out)
				continue
			}
			found, done := finder.Row(row.Line, row.Cells)
			if !done {
				continue
			}
			head := found.Provider + " " + found.Kind
			if found.Open == nil {
				s.heads = append(s.heads, strings.TrimSpace(head+" "+found.Instead(name)))
				break
			}
			if found.Span != nil {
				if span, ok := found.Span(name, found.Above); ok {
					head += fmt.Sprintf(" %s..%s", span.From, span.To)
				}
			}
			s.heads = append(s.heads, head)
			reader = found.Open(found.Head, statement.Given{Zone: zone, Currency: currency})
		}
	}
	return s
}

// lines are the entries, one text each.
func (s result) lines() (lines []string) {
	for _, e := range s.entries {
		who := e.Person.Name
		if e.Person.FirstName != "" {
			who = e.Person.FirstName + " " + e.Person.LastName
		}
		lines = append(lines, fmt.Sprintf("%d %s %s %s", e.Line, who, e.Type, e.Amount))
	}
	return lines
}

func expect(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\ninstead of\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestBoltInOtherLanguagesAndWithMoreColumns(t *testing.T) {
	pt := `"Motorista","Email","Telemóvel","Ganhos brutos (total)|€","Ganhos brutos (pagamentos na app)|€","IVA sobre os ganhos brutos (pagamentos na app)|€","Ganhos brutos (pagamentos em dinheiro)|€","IVA sobre os ganhos brutos (pagamentos em dinheiro)|€","Dinheiro recebido|€","Gorjetas dos passageiros|€","Ganhos da campanha|€","Reembolsos de despesas|€","Taxas de cancelamento|€","IVA das taxas de cancelamento|€","Portagens|€","Taxas de reserva|€","IVA das taxas de reserva|€","Total de taxas|€","Comissões|€","Reembolsos aos passageiros|€","Outras taxas|€","Ganhos líquidos|€","Pagamento previsto|€","Ganhos brutos por hora|€/h","Ganhos líquidos por hora|€/h","Desconto de comissão (in-app)|€","Desconto da comissão (dinheiro)|€","Identificador do motorista","Identificador individual"
"João","j@example.com","+351910000001","3153.71","3072.62","174.00","0.00","0.00","0.00","14.50","44.84","0.00","21.75","1.20","3.00","5.00","0.28","735.70","730.70","0.00","0.00","2418.02","2418.02","20.00","15.00","11.00","2.00","d1","i1"
`
	s := gather(t, "Ganhos por motorista-30 dez 2025-31 mai 2026-Empresa.csv", pt, money.EUR)
	expect(t, "Portuguese", append(s.heads, s.lines()...), []string{"BOLT earnings 2025-12-30..2026-05-31",
		"2 João TRIP 3072.62", "2 João TIP 14.50", "2 João BONUS 44.84", "2 João CANCELLATION 21.75", "2 João FEE -730.70", "2 João FEE -5.00"})
	if len(s.rowErrors)+len(s.rowWarnings) > 0 {
		t.Errorf("a real row has a warning: %v %v", s.rowErrors, s.rowWarnings)
	}
	for i, text := range []string{
		"Portagens: 3.00; Taxas de reserva: 5.00; IVA das taxas de reserva: 0.28; IVA sobre os ganhos brutos (pagamentos na app): 174.00", "", "",
		"IVA das taxas de cancelamento: 1.20", "Desconto de comissão (in-app): 11.00; Desconto da comissão (dinheiro): 2.00", "",
	} {
		if s.entries[i].Text != text {
			t.Errorf("%s is explained by %q instead of %q", s.entries[i].Column, s.entries[i].Text, text)
		}
	}
	if other := gather(t, "x.csv", pt, money.PLN); len(other.entries) > 0 || len(other.rowErrors) != 1 || other.rowErrors[0].Code != statement.WrongCurrency {
		t.Errorf("euros in złoty: %v %v", other.entries, other.rowErrors)
	}

	en := "Driver,Email,Driver's Phone,Gross earnings (total)|€,Gross earnings (in-app payment)|€,Gross earnings (cash payment)|€,Collected cash|€,Rider tips|€,Fuel card|€,Total fees|€,Net earnings|€,Projected payout|€,Gross earnings per hour|€/h,Distance|km\n" +
		"Ann,a@example.com,+49171,100.00,60.00,40.00,40.00,0.00,-7.00,20.00,80.00,40.00,12.00,55.10\n" +
		"—,,,5.00,5.00,0.00,0.00,0.00,0.00,0.00,5.00,5.00,0.00,0.00\n" +
		"Driver,Email,Driver's Phone,Gross earnings (total)|€,Gross earnings (in-app payment)|€,Gross earnings (cash payment)|€,Collected cash|€,Rider tips|€,Fuel card|€,Total fees|€,Net earnings|€,Projected payout|€,Gross earnings per hour|€/h,Distance|km\n" +
		"Bob,b@example.com,+49172,100.00,60.00,0.00,0.00,0.00,0.00,0.00,100.00,100.00,0.00,0.00\n" +
		"Cid,c@example.com,+49173,n/a,60.00,0.00,0.00,0.00,0.00,0.00,60.00,60.00,0.00,0.00\n"
	s = gather(t, "Earnings per driver-2026W39-Fleet (1).csv", en, money.EUR)
	expect(t, "English, with a new column, nobody's row, glued, with a warning and broken", append(s.heads, s.lines()...), []string{"BOLT earnings 2026-09-21..2026-09-27",
		"2 Ann TRIP 60.00", "2 Ann TRIP 40.00", "2 Ann CASH_COLLECTED -40.00", "2 Ann FEE -20.00", "2 Ann UNKNOWN -7.00", "3  UNKNOWN 5.00", "5 Bob TRIP 60.00"})
	expect(t, "skipped", s.skipped, []string{"4 repeated_head"})
	if len(s.rowWarnings) != 3 || len(s.rowErrors) != 1 || s.rowErrors[0] != (statement.RowError{Code: statement.WrongAmount, Line: 6, Column: "Gross earnings (total)|€", Found: "n/a", Expected: "1234.56"}) {
		t.Errorf("row warnings %v, row errors %v", s.rowWarnings, s.rowErrors)
	}
}

const boltTrips = "Data,Stawka sfinalizowana,Utworzono przez,Kierowca,Numer rejestracyjny ,Model samochodu,Trasa,Kategoria,Status,Odległość|km,Napiwki od pasażerów|ZŁ,Cena przejazdu|ZŁ,Rodzaj płatności,Opłata rezerwacyjna|ZŁ,Opłaty drogowe|ZŁ,Opłaty za anulowanie|ZŁ,Telefon,Indywidualny numer identyfikacyjny,Typ\n"

func TestBoltTripsWithoutANumberAreKnownByWhatTheySay(t *testing.T) {
	row := func(when, status, price, payment string) string {
		return when + ",,,Jan," + "WX 1,Auto,A → B,Bolt," + status + ",1.00,0.00," + price + "," + payment + ",0.00,0.00,0.00,+48500000101,u1,S\n"
	}
	s := gather(t, "trips.csv", boltTrips+
		row("2026-10-25 02:30", "Ukończone", "10.00", "W aplikacji")+
		row("2026-10-25 02:31", "Ukończone", "10.00", "Gotówką")+
		row("2026-10-25 02:31", "Ukończone", "10.00", "Muszelki")+
		row("kiedyś", "Ukończone", "10.00", "Gotówką")+
		row("", "Ukończone", "10.00", "Gotówką")+
		row("2026-10-25 04:00", "Anulowane przez pasażera", "10.00", "Gotówką")+
		row("2026-10-25 04:00", "Ukończone", "0.00", "W aplikacji"), money.PLN)
	expect(t, "trips", s.lines(), []string{"2 Jan TRIP 10.00", "3 Jan TRIP 10.00", "3 Jan CASH_COLLECTED -10.00", "7 Jan UNKNOWN 10.00"})
	expect(t, "skipped", s.skipped, []string{"8 empty"})
	var codes []string
	for _, tr := range s.rowErrors {
		codes = append(codes, fmt.Sprint(tr.Line, tr.Code))
	}
	expect(t, "row errors", codes, []string{"4wrong_payment", "5wrong_date", "6wrong_date"})
	if at := s.entries[0].At; !at.Equal(time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC)) {
		t.Errorf("an hour that the clock shows twice is %s instead of the first", at)
	}
	again := gather(t, "other.csv", boltTrips+row("2026-10-25 02:30", "Ukończone", "10.00", "W aplikacji"), money.PLN)
	if again.entries[0].ExternalID != s.entries[0].ExternalID || !strings.HasSuffix(again.entries[0].ExternalID, "/trip") {
		t.Errorf("the same trip is %q and %q", s.entries[0].ExternalID, again.entries[0].ExternalID)
	}
	excel := gather(t, "excel.csv", strings.ReplaceAll(boltTrips, ",", ";")+strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(row("25.10.2026 02:30", "Ukończone", "10.00", "W aplikacji"), ",", ";"), "10.00", "10,00"), "0.00", "0,00"), money.PLN)
	if excel.entries[0].ExternalID != s.entries[0].ExternalID {
		t.Errorf("saved anew the trip is %q instead of %q", excel.entries[0].ExternalID, s.entries[0].ExternalID)
	}
	seen := map[string]bool{}
	for _, e := range s.entries {
		if seen[e.ExternalID] {
			t.Errorf("%q stands for two amounts", e.ExternalID)
		}
		seen[e.ExternalID] = true
	}
	german := gather(t, "Fahrtenübersicht.csv", "Datum,Fahrer:in,Kfz-Kennzeichen,Fahrtpreis|€,Status,Individueller Identifikator\n2026-09-21 05:14,Jörg,B-X 1,20.00,Beendet,u1\n", money.EUR)
	expect(t, "a language whose states are not known", append(german.heads, german.lines()...), []string{"BOLT trips", "2 Jörg UNKNOWN 20.00"})
}

func TestFilesThatSettleNothingNameTheOneThatDoes(t *testing.T) {
	for content, want := range map[string]string{
		"Numer faktury,Data,Adres odbioru,Metoda płatności,Data przejazdu,Odbiorca,Adres odbiorcy,Numer REGON,NIP odbiorcy,Nazwa Firmy (Kierowca),REGON Firmy,NIP Firmy,Cena (bez VAT),VAT,Suma\n": "BOLT rider_invoices bolt.earnings",
		"Name Fahrer:in,Name der Kampagne,Erzielter Umsatz,Zeitraum Beginn\n": "BOLT campaigns bolt.earnings",
	} {
		expect(t, content, gather(t, "x.csv", content, money.PLN).heads, []string{want})
	}
	earnings := slices.IndexFunc(providers.Layouts(), func(l statement.Layout) bool { return l.Provider == "FREENOW" && l.Kind == "earnings" })
	for name, want := range map[string]string{
		"earnings_2026-09-21_2026-09-27_without_VAT.csv": "freenow.earnings_with_vat", "earnings 2026-09-21 without VAT (1).csv": "freenow.earnings_with_vat",
		"earnings_2026-09-21_2026-09-27_with_VAT.csv": "", "earnings.csv": "", "earnings_2026-09-21_2026-09-27.zip": "",
	} {
		if got := providers.Layouts()[earnings].Instead(name); got != want {
			t.Errorf("%s: download %q instead of %q", name, got, want)
		}
	}
}

func TestFreeNowInUkrainianAndItsBookings(t *testing.T) {
	s := gather(t, "earnings_2026-09-21_2026-09-27_with_VAT (1).csv", "ID водія,Водій,Усього поїздок,Загальний дохід,Замовлення від Freenow,Щось,Чайові,Комісія,Дохід до вирахування комісії\n"+
		"1014CX,Ян,20,527.43,680.00,3.00,9.00,161.57,680.00\n", money.PLN)
	expect(t, "Ukrainian", append(s.heads, s.lines()...), []string{"FREENOW earnings 2026-09-21..2026-09-27", "2 Ян TRIP 680.00", "2 Ян FEE -161.57", "2 Ян TIP 9.00", "2 Ян UNKNOWN 3.00"})
	if len(s.rowWarnings) > 0 {
		t.Errorf("row warnings %v", s.rowWarnings)
	}
	head := "BOOKING ID,BOOKING STATE,PICKUP DATE,CLOSED DATE,TOUR VALUE,TOUR TIP,TOLL VALUE,TAX PERCENTAGE,PAYMENT METHOD,DRIVER FIRST NAME,DRIVER LAST NAME,LICENCE PLATE\n"
	s = gather(t, "trips.csv", head+
		"1,ACCOMPLISHED,2026-10-25T02:30:00+02:00,2026-10-25T02:40:00+02:00,16.00,1.50,4.00,8,CASH,Jan,K,WX1\n"+
		"2,ACCOMPLISHED,2026-10-25T02:30:00+01:00,2026-10-25T02:40:00+01:00,16.00,0.00,0.00,8,CARD,Jan,K,WX1\n"+
		"3,CANCELLED,,2026-10-25T09:00:00+01:00,8.00,0.00,0.00,8,APP,Jan,K,WX1\n"+
		"4,CANCELLED,,,0.00,0.00,0.00,8,APP,Jan,K,WX1\n"+
		"5,ACCOMPLISHED,,,9.00,0.00,0.00,8,APP,Jan,K,WX1\n"+
		"6,OFFERED,2026-10-25T09:00:00+01:00,,9.00,0.00,0.00,8,CASH,Jan,K,WX1\n", money.PLN)
	expect(t, "bookings", s.lines(), []string{"2 Jan K TRIP 16.00", "2 Jan K TIP 1.50", "2 Jan K REFUND 4.00", "2 Jan K CASH_COLLECTED -20.00", "3 Jan K TRIP 16.00",
		"4 Jan K CANCELLATION 8.00", "7 Jan K UNKNOWN 9.00"})
	if first, second := s.entries[0].At, s.entries[4].At; second.Sub(first) != time.Hour {
		t.Errorf("the same hour of two offsets is %s and %s", first, second)
	}
	if s.entries[4].Text != "CARD" || s.entries[3].ExternalID != "1/cash" || s.entries[0].ExternalID != "1/tour value" {
		t.Errorf("%q, %q, %q", s.entries[4].Text, s.entries[3].ExternalID, s.entries[0].ExternalID)
	}
	expect(t, "skipped", s.skipped, []string{"5 cancelled"})
	if len(s.rowErrors) != 1 || s.rowErrors[0].Code != statement.WrongDate || s.rowErrors[0].Line != 6 {
		t.Errorf("row errors %v", s.rowErrors)
	}
}

func TestGlovoBelievesOnlyWeeksAboveTheHead(t *testing.T) {
	for title, want := range map[string]string{
		"29.06-05.07.2026": "GLOVO payment_old 2026-06-29..2026-07-05", "28.12.2026 – 03.01.2027": "GLOVO payment_old 2026-12-28..2027-01-03",
		"28.12-03.01.2027": "GLOVO payment_old 2026-12-28..2027-01-03", "29.06-05.06.2026": "GLOVO payment_old", "29.06-05.08.2026": "GLOVO payment_old",
		"31.06-05.07.2026": "GLOVO payment_old", "lipiec": "GLOVO payment_old",
	} {
		s := gather(t, "glovo.csv", "Period:;"+title+"\n\nCourier ID;Name;First Name;Email;Phone;Orders;Total earned;Tips\nG1;K;Jan;;;3;10,00;abc\nG2;K;Jan;;;3;10,00\n", money.PLN)
		expect(t, title, append(s.heads, s.lines()...), []string{want, "5 Jan K DELIVERY 10.00"})
		if len(s.rowErrors) != 1 || s.rowErrors[0].Found != "abc" || s.rowErrors[0].Column != "Tips" {
			t.Errorf("row errors %v", s.rowErrors)
		}
	}
}

// Every head of every sample belongs to one layout, whatever their order.
func TestNoHeadBelongsToTwoLayouts(t *testing.T) {
	for name, content := range samples(t) {
		tables, err := table.Open(name, bytes.NewReader(content), int64(len(content)))
		if err != nil {
			t.Fatal(name, err)
		}
		recognised := 0
		for _, tab := range tables {
			for row, err := range tab.Rows() {
				if err != nil {
					t.Fatal(name, err)
				}
				var by []string
				for _, l := range providers.Layouts() {
					if l.Recognise(statement.NewHead(row.Line, row.Cells)) {
						by = append(by, l.Provider+" "+l.Kind)
					}
				}
				if len(by) > 1 {
					t.Errorf("line %d of %s is a head of %v", row.Line, name, by)
				}
				recognised += len(by)
			}
		}
		if recognised == 0 {
			t.Errorf("%s has no head", name)
		}
	}
}

func samples(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("*/testdata/*.*")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]byte{}
	for _, file := range files {
		if strings.HasSuffix(file, ".golden") {
			continue
		}
		if found[filepath.Base(file)], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// minor reads an amount as exactly as a fraction can, apart from the code that is tested.
func minor(t *testing.T, cell string) money.Amount {
	t.Helper()
	if cell == "" {
		return 0
	}
	exact, ok := new(big.Rat).SetString(strings.ReplaceAll(strings.ReplaceAll(cell, " ", ""), ",", "."))
	if !ok {
		t.Fatalf("%q is no number", cell)
	}
	hundredths, _ := new(big.Float).SetRat(exact.Mul(exact, big.NewRat(100, 1))).Float64()
	if hundredths < 0 {
		return money.Amount(hundredths - 0.5)
	}
	return money.Amount(hundredths + 0.5)
}

// What a driver's entries add up to is what the file itself says, row by row, and nothing is left over.
func TestRowsAddUpToTheTotalsOfTheirFiles(t *testing.T) {
	but := func(types ...string) func(statement.Entry) bool {
		return func(e statement.Entry) bool { return !slices.Contains(types, e.Type) }
	}
	all := but("UNKNOWN")
	for _, c := range []struct {
		file, total string
		of          func(statement.Entry) bool
	}{
		{"bolt-earnings-pl.csv", "Przewidywana wypłata|ZŁ", all},
		{"bolt-earnings-pl.csv", "Zarobki netto|ZŁ", but("CASH_COLLECTED")},
		{"bolt-earnings-pl.csv", "Zarobki brutto (ogółem)|ZŁ", but("CASH_COLLECTED", "FEE", "ADJUSTMENT", "CHARGE")},
		{"bolt-earnings-de.csv", "Voraussichtliche Auszahlung|€", all},
		{"bolt-weekly_legacy-pl.csv", "Tygodniowy bilans", but()},
		{"bolt_food-earnings-en.csv", "Balance after period", all},
		{"bolt_food-earnings-en.csv", "Adjusted Earnings with Courier Tips (Without VAT)", but("CASH_COLLECTED", "REFUND", "PREV_PERIOD_TRANSFER")},
		{"bolt_food-fleet_courier_earnings_and_balances_2026_W39_2.xlsx", "Balance after period", all},
		{"freenow-earnings-pl.csv", "Suma zarobków", but("CASH_COLLECTED", "UNKNOWN")},
		{"freenow-bonus-en.csv", "bonus_gross_value", all},
		{"freenow-trips-en.csv", "TOUR VALUE", but("CASH_COLLECTED", "TIP", "REFUND")},
		{"bolt-trips-pl.csv", "Cena przejazdu|ZŁ", but("CASH_COLLECTED", "TIP", "CANCELLATION")},
		{"glovo-settlement-pl.csv", "Kwota do zapłaty", all},
		{"glovo-payment-en.xlsx", "NET PARTNER EARNINGS", but("TIP")},
		{"glovo-payment-en.xlsx", "TOTAL COURIER EARNINGS", but("TIP", "FEE")},
		{"stuart-payments-en.csv", "Total net", all},
		{"stuart-payments-en.csv", "Total gross", all},
	} {
		currency := money.PLN
		if strings.Contains(c.total, "€") {
			currency = money.EUR
		}
		content := samples(t)[c.file]
		s := gather(t, c.file, string(content), currency)
		if len(s.rowErrors)+len(s.rowWarnings) > 0 {
			t.Errorf("%s: row errors %v, row warnings %v", c.file, s.rowErrors, s.rowWarnings)
		}
		adds := map[int64]money.Amount{}
		for _, e := range s.entries {
			if c.of(e) {
				adds[e.Line] += e.Amount
			}
		}
		says, sum := totals(t, c.file, content, c.total)
		for line, amount := range says {
			if off := amount - adds[line]; off > 1 || off < -1 {
				t.Errorf("%s, line %d: %s is %s, the entries add up to %s", c.file, line, c.total, amount, adds[line])
			}
			delete(adds, line)
		}
		for line, amount := range adds {
			t.Errorf("%s, line %d: %s out of nothing", c.file, line, amount)
		}
		var together money.Amount
		for _, amount := range says {
			together += amount
		}
		if sum != 0 && sum != together {
			t.Errorf("%s: %s is %s for all, the rows add up to %s", c.file, c.total, sum, together)
		}
	}
}

// totals are the amounts of a column by line, and that of the row that sums all up.
func totals(t *testing.T, file string, content []byte, column string) (says map[int64]money.Amount, sum money.Amount) {
	t.Helper()
	tables, err := table.Open(file, bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	says = map[int64]money.Amount{}
	at := -1
	for row, err := range tables[0].Rows() {
		if err != nil {
			t.Fatal(err)
		}
		switch i := slices.Index(row.Cells, column); {
		case i >= 0:
			at = i
		case at < 0 || at >= len(row.Cells):
		case slices.Contains([]string{"Razem", "TOTAL", "Wszyscy Kierowcy"}, row.Cells[0]):
			sum = minor(t, row.Cells[at])
		default:
			says[row.Line] = minor(t, row.Cells[at])
		}
	}
	if len(says) == 0 {
		t.Fatalf("%s has no column %s", file, column)
	}
	return says, sum
}
