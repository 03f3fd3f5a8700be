package einvoice_test

import (
	"errors"
	"strings"
	"testing"

	"saldo/internal/billing/einvoice"
	"saldo/internal/kernel/money"
	"saldo/internal/testkit"
)

func german() map[string]einvoice.Invoice {
	plain := sample()
	plain.Number, plain.Currency = "GS-2026-11-0001", money.EUR
	plain.Seller = einvoice.Party{Name: "Max Mustermann Fahrdienst", TaxID: "DE136695976", Street: "Hauptstr. 1", Place: "10115 Berlin", Country: "DE"}
	plain.Buyer = einvoice.Party{Name: "Flotte Beispiel GmbH", TaxID: "DE111111125", Street: "Nebenstr. 2", Place: "80331 München", Country: "DE"}
	plain.Lines = []einvoice.Line{{Text: "Personenbeförderung 09.-15.11.2026", Net: 1000_00, VAT: 190_00, Rate: 19}}
	full, free := plain, plain
	full.Lines = append([]einvoice.Line{{Text: "Taxifahrten", Net: 93_46, VAT: 6_54, Rate: 7}}, plain.Lines...)
	full.PayBy, full.Account = "2026-11-23", "DE75512108001245126199"
	free.Lines, free.Exempt = []einvoice.Line{{Text: "Kurierfahrten & <mehr>", Net: 523_45, Rate: einvoice.Free}}, "Kleinunternehmer nach § 19 UStG"
	return map[string]einvoice.Invoice{"plain": plain, "with everything": full, "exempt": free}
}

func TestCIISaysWhatTheInvoiceSays(t *testing.T) {
	for name, want := range map[string]map[string]string{
		"plain":           {"TypeCode": "389 VAT VAT", "Content": "Gutschrift", "LineTotalAmount": "1000.00 1000.00", "TaxTotalAmount": "190.00", "GrandTotalAmount": "1190.00", "DuePayableAmount": "1190.00", "PostcodeCode": "10115 80331", "CityName": "Berlin München", "IBANID": ""},
		"with everything": {"CalculatedAmount": "190.00 6.54", "BasisAmount": "1000.00 93.46", "TaxBasisTotalAmount": "1093.46", "TaxTotalAmount": "196.54", "GrandTotalAmount": "1290.00", "IBANID": "DE75512108001245126199", "RateApplicablePercent": "7 19 19 7"},
		"exempt":          {"CategoryCode": "E E", "ExemptionReason": "Kleinunternehmer nach § 19 UStG", "TaxTotalAmount": "0.00", "GrandTotalAmount": "523.45", "Name": "Kurierfahrten & <mehr> Max Mustermann Fahrdienst Flotte Beispiel GmbH"},
	} {
		content, err := einvoice.CII(german()[name])
		if err != nil {
			t.Fatal(err)
		}
		got := fields(t, content)
		for field, text := range want {
			if strings.Join(got[field], " ") != text {
				t.Errorf("%s: %s is %q, not %q", name, field, got[field], text)
			}
		}
	}
	polish := sample()
	var refusal einvoice.Refusal
	if _, err := einvoice.CII(polish); !errors.As(err, &refusal) || refusal.Reason != einvoice.WrongTaxID {
		t.Error(err)
	}
}

func TestCIIIsValidAgainstTheSchema(t *testing.T) {
	for name, invoice := range german() {
		content, err := einvoice.CII(invoice)
		if err != nil {
			t.Fatal(name, err)
		}
		testkit.Valid(t, "facturx/Factur-X_EN16931.xsd", content)
		if invoice.PayBy != "" {
			testkit.EN16931(t, content)
		}
	}
}

// TestCII_CorrectionTakesEverythingBack has each kind of invoice corrected: type 384, the same prices, quantities below zero and the invoice that it corrects.
func TestCII_CorrectionTakesEverythingBack(t *testing.T) {
	for name, invoice := range german() {
		invoice.PayBy = ""
		invoice.Corrects, invoice.Reason, invoice.Number = &einvoice.Corrected{Number: invoice.Number, IssuedOn: "2026-11-09"}, "Rücknahme", "ST-1"
		content, err := einvoice.CII(invoice)
		if err != nil {
			t.Fatal(name, err)
		}
		testkit.Valid(t, "facturx/Factur-X_EN16931.xsd", content)
		testkit.EN16931(t, content)
		got := fields(t, content)
		if got["TypeCode"][0] != "384" || got["IssuerAssignedID"][0] != "GS-2026-11-0001" || !strings.HasPrefix(got["GrandTotalAmount"][0], "-") {
			t.Errorf("%s: %v", name, got)
		}
	}
}
