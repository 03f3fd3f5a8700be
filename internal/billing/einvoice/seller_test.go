package einvoice_test

import (
	"errors"
	"strings"
	"testing"

	"saldo/internal/billing/einvoice"
	"saldo/internal/testkit"
)

// sold are invoices that their seller writes, paid at once: at home and to another country of the Union.
func sold() (pl, de map[string]einvoice.Invoice) {
	home := sample()
	home.BySeller, home.PaidOn, home.From, home.To = true, home.IssuedOn, home.IssuedOn, home.IssuedOn
	home.Lines = []einvoice.Line{{Text: "Licencja", Quantity: 3, Price: 33_33, Net: 99_99, VAT: 23_00, Rate: 23}}
	abroad := home
	abroad.Buyer = einvoice.Party{Name: "Flotte GmbH", TaxID: "DE136695976", Street: "Hafenstr. 1", Place: "20457 Hamburg", Country: "DE"}
	abroad.Lines, abroad.Exempt = []einvoice.Line{{Text: "Licencja", Quantity: 3, Price: 33_33, Net: 99_99, Rate: einvoice.Reversed}}, "odwrotne obciążenie"
	pl = map[string]einvoice.Invoice{"at home": home, "abroad": abroad}
	german := german()["plain"]
	german.BySeller, german.PaidOn, german.From, german.To = true, german.IssuedOn, german.IssuedOn, german.IssuedOn
	german.Lines = []einvoice.Line{{Text: "Lizenz", Quantity: 3, Price: 33_33, Net: 99_99, VAT: 19_00, Rate: 19}}
	foreign := german
	foreign.Buyer = einvoice.Party{Name: "Flota", TaxID: "PL5213017228", Street: "Prosta 1", Place: "00-838 Warszawa", Country: "PL"}
	foreign.Lines, foreign.Exempt = []einvoice.Line{{Text: "Lizenz", Quantity: 3, Price: 33_33, Net: 99_99, Rate: einvoice.Reversed}}, "Steuerschuldnerschaft"
	return pl, map[string]einvoice.Invoice{"at home": german, "abroad": foreign}
}

func TestSeller_WritesInvoicesOfItsOwn(t *testing.T) {
	pl, de := sold()
	for name, i := range pl {
		content, err := einvoice.FA3(i)
		if err != nil {
			t.Fatal(name, err)
		}
		testkit.Valid(t, "ksef/FA3.xsd", content)
		got := fields(t, content)
		if got["P_17"][0] != "2" || got["P_8B"][0] != "3" || got["P_9A"][0] != "33.33" || got["P_11"][0] != "99.99" || got["Zaplacono"][0] != "1" ||
			len(got["P_6_Od"]) != 0 || (len(got["P_13_9"]) == 1) != (name == "abroad") || (got["P_18"][0] == "1") != (name == "abroad") {
			t.Errorf("%s: %v", name, got)
		}
	}
	for name, i := range de {
		content, err := einvoice.CII(i)
		if err != nil {
			t.Fatal(name, err)
		}
		testkit.Valid(t, "facturx/Factur-X_EN16931.xsd", content)
		testkit.EN16931(t, content)
		if got := fields(t, content); got["TypeCode"][0] != "380" || got["DuePayableAmount"][0] != "0.00" || got["BilledQuantity"][0] != "3" {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestSeller_CorrectsAPart leaves half of a line, and says only the difference.
func TestSeller_CorrectsAPart(t *testing.T) {
	pl, de := sold()
	for _, c := range []struct {
		form func(einvoice.Invoice) ([]byte, error)
		i    einvoice.Invoice
		left einvoice.Line
		sum  string
		xsd  string
	}{
		{einvoice.FA3, pl["at home"], einvoice.Line{Text: "Licencja", Net: 50_00, VAT: 11_50, Rate: 23}, "-61.49", "ksef/FA3.xsd"},
		{einvoice.CII, de["at home"], einvoice.Line{Text: "Lizenz", Net: 50_00, VAT: 9_50, Rate: 19}, "-59.49", "facturx/Factur-X_EN16931.xsd"},
	} {
		c.i.Corrects, c.i.Reason, c.i.Number = &einvoice.Corrected{Number: c.i.Number, IssuedOn: c.i.IssuedOn, Left: []einvoice.Line{c.left}}, "Reklamacja", "K/1"
		content, err := c.form(c.i)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Valid(t, c.xsd, content)
		if !strings.Contains(string(content), ">"+c.sum+"<") {
			t.Errorf("%s is not in %s", c.sum, content)
		}
		var refusal einvoice.Refusal
		c.i.Corrects.Left = append(c.i.Corrects.Left, c.left)
		if _, err := c.form(c.i); !errors.As(err, &refusal) {
			t.Errorf("more is left than there was: %v", err)
		}
		c.i.Corrects.Left = nil
		c.i.Lines[0].Quantity = 2
		if _, err := c.form(c.i); !errors.As(err, &refusal) {
			t.Errorf("quantity times price is another amount: %v", err)
		}
	}
}
