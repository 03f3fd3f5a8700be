package providers_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/imports/providers/mapped"
	"saldo/internal/imports/statement"
)

func e100() mapped.Mapping {
	return mapped.Mapping{Provider: "FLOTEX", Decimal: ",", DateForm: "DD.MM.YYYY", Sign: mapped.Negated, Columns: []mapped.Column{
		{Header: "Card", Role: mapped.Card}, {Header: "Day", Role: mapped.Date}, {Header: "Hour", Role: mapped.Time}, {Header: "Car", Role: mapped.Plate}, {Header: "Who", Role: mapped.Name},
		{Header: "Sum", Role: mapped.Amount}, {Header: "Fuel type", Role: mapped.Type}, {Header: "Cur", Role: mapped.Currency}, {Header: "Brand", Role: mapped.Description}, {Header: "Town", Role: mapped.Description},
		{Header: "Paper", Role: mapped.Document}, {Header: "Mail", Role: mapped.Email}, {Header: "Phone", Role: mapped.Phone}, {Header: "No", Role: mapped.DriverID}}}
}

func TestAMappingReadsWhatItDescribes(t *testing.T) {
	m := e100()
	if problems := m.Check(); len(problems) > 0 {
		t.Fatal(problems)
	}
	got := take(t, []statement.Layout{m.Layout()}, "x.csv", "Card sheet;of September\n\n CARD ;Day;Hour;Car;Who;Sum;Fuel type;Cur;Brand;Town;Paper;Mail;Phone;No;Litres\n"+
		"0012;21.09.2026;6:10;WX1;Okaziciel;1.000,50;LPG;zł;Shell;Łódź;WZ1;a@b.pl;48500000101;7;30\n"+
		"0012;21.09.2026;;;;-5,00;car wash;PLN;;;;;;;\n"+
		"0012;21.09.2026;;;;5,00;strange;;;;;;;;\n"+
		"0012;21.09.2026;;;;5,00;TIP;;;;;;;;\n"+
		"0012;2026-09-21;;;;5,00;ON;;;;;;;;\n"+
		"0012;21.09.2026;99;;;5;ON;EUR;;;;;;;\n"+
		";21.09.2026;;;;x;ON;;;;;;;;\n"+
		"0012;21.09.2026;;;;0,00;ON;;;;;;;;\n"+
		"Razem;;;;;9,00;;;;;;;;;\n", "")
	got.says(t, "FLOTEX mapped", "4 FUEL -1000.50, 5 COST 5.00, 6 UNKNOWN -5.00, 7 TIP -5.00")
	e := got.entries[0]
	want := []statement.Key{{Kind: "id", Value: "7"}, {Kind: "card", Value: "0012"}, {Kind: "email", Value: "a@b.pl"}, {Kind: "phone", Value: "48500000101"}, {Kind: "plate", Value: "WX1"}}
	if !slices.Equal(e.Person.Keys, want) || e.Person.Name != "" || e.Text != "LPG Shell Łódź WZ1" || e.Column != "Sum" || !e.At.Equal(time.Date(2026, 9, 21, 4, 10, 0, 0, time.UTC)) {
		t.Errorf("the first is %+v", e)
	}
	var wrong []string
	for _, tr := range got.rowErrors {
		wrong = append(wrong, tr.Code+" "+tr.Found)
	}
	if want := []string{"wrong_date 2026-09-21", "wrong_date 99", "wrong_currency EUR", "wrong_amount x", "no_driver "}; !slices.Equal(wrong, want) {
		t.Errorf("row errors are %q", wrong)
	}
	if got.skipped[11] != statement.SkippedEmpty || got.skipped[12] != statement.SkippedTotal {
		t.Errorf("skipped %v", got.skipped)
	}
}

// A brand that is called as sums are does not make a sum of a row.
func TestAMappingDoesNotTakeABrandForASum(t *testing.T) {
	m := mapped.Mapping{Provider: "ORLEN", Sign: mapped.Negated, Type: "FUEL", Columns: []mapped.Column{{Header: "card", Role: mapped.Card}, {Header: "sum", Role: mapped.Amount}}}
	content := "card;brand;sum;day\n1;TOTAL;5,00;21.09.2026\nTOTAL;;5,00;\n;Total;5,00;\n"
	got := take(t, []statement.Layout{m.Layout()}, "x.csv", content, "")
	got.says(t, "ORLEN mapped", "2 FUEL -5.00")
	if got.skipped[3] != statement.SkippedTotal || got.skipped[4] != statement.SkippedTotal {
		t.Errorf("skipped %v", got.skipped)
	}
	m.Columns = append(m.Columns, mapped.Column{Header: "day", Role: mapped.Date})
	take(t, []statement.Layout{m.Layout()}, "x.csv", content, "").says(t, "ORLEN mapped", "2 FUEL -5.00")
}

func TestAMappingReadsDaysInItsForm(t *testing.T) {
	for form, cell := range map[string]string{"MM/DD/YYYY": "09/07/2026", "DD/MM/YYYY": "7/9/2026", "YYYYMMDD": "20260907", "": "2026-09-07", "DD.MM.YYYY": "46272", "YYYY-MM-DD": "2026-09-07"} {
		m := mapped.Mapping{Provider: "OTHER", DateForm: form, Sign: mapped.AsIs, Type: "COST", Columns: []mapped.Column{{Header: "d", Role: mapped.Date}, {Header: "a", Role: mapped.Amount}, {Header: "n", Role: mapped.Name}}}
		if problems := m.Check(); len(problems) > 0 {
			t.Fatal(problems)
		}
		for behind, want := range map[string]bool{"": true, " 06:10": false} {
			if cell == "46272" && behind != "" {
				continue
			}
			got := take(t, []statement.Layout{m.Layout()}, "x.csv", "n;a;d\nJan;-1.50;"+cell+behind+"\n", "")
			got.says(t, "OTHER mapped", "2 COST -1.50")
			if e := got.entries[0]; (e.On == "2026-09-07") != want || !want && e.At.Format("2006-01-02 15:04") != "2026-09-07 06:10" {
				t.Errorf("%s %q is %s %v", form, cell+behind, e.On, e.At)
			}
		}
	}
}

func TestAMappingSaysWhatIsWrongWithIt(t *testing.T) {
	for want, change := range map[string]func(*mapped.Mapping){
		"provider required":           func(m *mapped.Mapping) { m.Provider = "" },
		"provider not_allowed":        func(m *mapped.Mapping) { m.Provider = "LYFT" },
		"decimal not_allowed":         func(m *mapped.Mapping) { m.Decimal = "'" },
		"dateForm not_allowed":        func(m *mapped.Mapping) { m.DateForm = "YY" },
		"sign not_allowed":            func(m *mapped.Mapping) { m.Sign = "" },
		"type duplicate":              func(m *mapped.Mapping) { m.Type = "FUEL" },
		"type not_allowed":            func(m *mapped.Mapping) { m.Type = "INVOICE"; m.Columns[6].Role = mapped.Description },
		"type required":               func(m *mapped.Mapping) { m.Columns[6].Role = mapped.Description },
		"columns.1.header duplicate":  func(m *mapped.Mapping) { m.Columns[1].Header = " card " },
		"columns.1.header required":   func(m *mapped.Mapping) { m.Columns[1].Header = " " },
		"columns.10.role duplicate":   func(m *mapped.Mapping) { m.Columns[10].Role = mapped.Amount },
		"columns.10.role not_allowed": func(m *mapped.Mapping) { m.Columns[10].Role = "colour" },
		"amount required":             func(m *mapped.Mapping) { m.Columns[5].Role = mapped.Description },
		"driver required":             func(m *mapped.Mapping) { m.Columns = []mapped.Column{m.Columns[1], m.Columns[5], m.Columns[6]} },
		"date required":               func(m *mapped.Mapping) { m.Columns[1].Role = mapped.Description },
		"columns too_long":            func(m *mapped.Mapping) { m.Columns = append(make([]mapped.Column, 100), m.Columns...) },
	} {
		m := e100()
		change(&m)
		var got []string
		for _, p := range m.Check() {
			got = append(got, p.Name+" "+string(p.Code))
		}
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%q instead of %q", got, want)
		}
	}
}

// What a partner said of the columns they saw says nothing of a file that has others.
func TestARememberedMappingReadsOnlyTheHeadThatWasSeen(t *testing.T) {
	m := mapped.Mapping{Provider: "ORLEN", Sign: mapped.Negated, Type: "FUEL",
		Columns: []mapped.Column{{Header: "Karta", Role: mapped.Card}, {Header: "Data", Role: mapped.Date}, {Header: "Brutto", Role: mapped.Amount}}}
	l := m.Remembered([]string{"Karta", "Data", "Brutto", "Litry", ""})
	for names, want := range map[string]bool{
		"Karta,Data,Brutto,Litry": true, " KARTA ,Litry,data,brutto,,": true, "Karta,Data,Brutto": false, "Karta,Data,Brutto,Litry,Rabat": false, "Data,Brutto,Litry,Auto": false,
	} {
		if got := l.Recognise(statement.NewHead(1, strings.Split(names, ","))); got != want {
			t.Errorf("%q is recognised: %v", names, got)
		}
	}
	got := []string{}
	for _, p := range m.CheckHead([]string{"Karta", "Brutto", " brutto"}) {
		got = append(got, p.Name+" "+string(p.Code))
	}
	if want := []string{"columns.1.header not_allowed", "columns.2.header duplicate"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestAMappingIsTheSameAfterItWasKept(t *testing.T) {
	kept, err := json.Marshal(e100())
	if err != nil {
		t.Fatal(err)
	}
	var again mapped.Mapping
	if err := json.Unmarshal(kept, &again); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again, e100()) {
		t.Errorf("%s became %+v", kept, again)
	}
}
