package testkit

import (
	"encoding/xml"
	"math/big"
	"strings"
	"testing"
)

// en16931 is what the rules of EN 16931 ask of a Cross Industry Invoice.
type en16931 struct {
	Type  string `xml:"ExchangedDocument>TypeCode"`
	Lines []struct {
		Price    string     `xml:"SpecifiedLineTradeAgreement>NetPriceProductTradePrice>ChargeAmount"`
		Quantity string     `xml:"SpecifiedLineTradeDelivery>BilledQuantity"`
		Tax      en16931Tax `xml:"SpecifiedLineTradeSettlement>ApplicableTradeTax"`
		Net      string     `xml:"SpecifiedLineTradeSettlement>SpecifiedTradeSettlementLineMonetarySummation>LineTotalAmount"`
	} `xml:"SupplyChainTradeTransaction>IncludedSupplyChainTradeLineItem"`
	SellerTaxIDs []en16931ID `xml:"SupplyChainTradeTransaction>ApplicableHeaderTradeAgreement>SellerTradeParty>SpecifiedTaxRegistration>ID"`
	BuyerTaxIDs  []en16931ID `xml:"SupplyChainTradeTransaction>ApplicableHeaderTradeAgreement>BuyerTradeParty>SpecifiedTaxRegistration>ID"`
	Settled      struct {
		Taxes   []en16931Tax `xml:"ApplicableTradeTax"`
		Terms   string       `xml:"SpecifiedTradePaymentTerms>Description"`
		DueOn   string       `xml:"SpecifiedTradePaymentTerms>DueDateDateTime>DateTimeString"`
		Lines   string       `xml:"SpecifiedTradeSettlementHeaderMonetarySummation>LineTotalAmount"`
		Net     string       `xml:"SpecifiedTradeSettlementHeaderMonetarySummation>TaxBasisTotalAmount"`
		VAT     string       `xml:"SpecifiedTradeSettlementHeaderMonetarySummation>TaxTotalAmount"`
		Gross   string       `xml:"SpecifiedTradeSettlementHeaderMonetarySummation>GrandTotalAmount"`
		Prepaid string       `xml:"SpecifiedTradeSettlementHeaderMonetarySummation>TotalPrepaidAmount"`
		Due     string       `xml:"SpecifiedTradeSettlementHeaderMonetarySummation>DuePayableAmount"`
		Before  string       `xml:"InvoiceReferencedDocument>IssuerAssignedID"`
	} `xml:"SupplyChainTradeTransaction>ApplicableHeaderTradeSettlement"`
}

type en16931ID struct {
	Scheme string `xml:"schemeID,attr"`
}

// scheme is that of the first id; empty: there is none.
func (en16931) scheme(ids []en16931ID) string {
	if len(ids) == 0 {
		return ""
	}
	return ids[0].Scheme
}

type en16931Tax struct {
	VAT      string `xml:"CalculatedAmount"`
	Reason   string `xml:"ExemptionReason"`
	Net      string `xml:"BasisAmount"`
	Category string `xml:"CategoryCode"`
	Rate     string `xml:"RateApplicablePercent"`
}

// EN16931 checks the arithmetic rules of EN 16931 that an invoice or its correction can break, by their names.
func EN16931(t testing.TB, content []byte) {
	t.Helper()
	var i en16931
	if err := xml.Unmarshal(content, &i); err != nil {
		t.Fatal(err)
	}
	number := func(text string) *big.Rat {
		n, ok := new(big.Rat).SetString(strings.TrimSpace(text))
		if text == "" {
			return new(big.Rat)
		}
		if !ok {
			t.Fatalf("%q is no number", text)
		}
		return n
	}
	rule := func(name string, holds bool) {
		t.Helper()
		if !holds {
			t.Errorf("%s does not hold in %s", name, content)
		}
	}
	plus := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
	lines, vat := new(big.Rat), new(big.Rat)
	byRate := map[string]*big.Rat{}
	for _, l := range i.Lines {
		rule("BR-27: a price is not negative", number(l.Price).Sign() >= 0)
		rule("a line is price times quantity", number(l.Net).Cmp(new(big.Rat).Mul(number(l.Price), number(l.Quantity))) == 0)
		key := l.Tax.Category + " " + l.Tax.Rate
		if byRate[key] == nil {
			byRate[key] = new(big.Rat)
		}
		byRate[key].Add(byRate[key], number(l.Net))
		lines.Add(lines, number(l.Net))
	}
	s := i.Settled
	rule("BR-16: there is a line", len(i.Lines) > 0)
	rule("BR-CO-18: there is a group of VAT", len(s.Taxes) == len(byRate))
	for _, tax := range s.Taxes {
		basis := byRate[tax.Category+" "+tax.Rate]
		rule("BR-S-08, BR-E-08: a group of VAT is the sum of its lines", basis != nil && number(tax.Net).Cmp(basis) == 0)
		exact := new(big.Rat).Quo(new(big.Rat).Mul(number(tax.Net), number(tax.Rate)), big.NewRat(100, 1))
		apart := new(big.Rat).Abs(new(big.Rat).Sub(exact, number(tax.VAT)))
		switch tax.Category {
		case "S":
			rule("BR-S-05: a standard rate is above zero", number(tax.Rate).Sign() > 0)
			rule("BR-S-09, BR-CO-17: VAT is the rate's share", apart.Cmp(big.NewRat(1, 100)) <= 0)
			rule("BR-S-10: a taxed group has no reason of exemption", tax.Reason == "")
		case "E":
			rule("BR-E-05, BR-E-09: what is exempt has no VAT", number(tax.Rate).Sign() == 0 && number(tax.VAT).Sign() == 0)
			rule("BR-E-10: an exempt group says why", tax.Reason != "")
		case "AE":
			rule("BR-AE-05, BR-AE-09: where the buyer owes the VAT there is none", number(tax.Rate).Sign() == 0 && number(tax.VAT).Sign() == 0)
			rule("BR-AE-10: a reverse charge says so", tax.Reason != "")
			rule("BR-AE-02: both have a VAT id", i.scheme(i.SellerTaxIDs) == "VA" && i.scheme(i.BuyerTaxIDs) == "VA")
		default:
			rule("a category of VAT is S, E or AE", false)
		}
		vat.Add(vat, number(tax.VAT))
	}
	rule("BR-S-02, BR-E-02: the seller has a tax id", len(i.SellerTaxIDs) > 0)
	rule("BR-CO-10: the lines add up", number(s.Lines).Cmp(lines) == 0)
	rule("BR-CO-13: net is the sum of the lines", number(s.Net).Cmp(lines) == 0)
	rule("BR-CO-14: VAT is the sum of its groups", number(s.VAT).Cmp(vat) == 0)
	rule("BR-CO-15: gross is net and VAT", number(s.Gross).Cmp(plus(number(s.Net), number(s.VAT))) == 0)
	rule("BR-CO-16: due is gross less what is paid", number(s.Due).Cmp(new(big.Rat).Sub(number(s.Gross), number(s.Prepaid))) == 0)
	rule("BR-CO-25: what is due says by when", number(s.Due).Sign() <= 0 || s.DueOn != "" || s.Terms != "")
	rule("BR-55, BG-3: a correction names what it corrects", (i.Type == "384" || i.Type == "381") == (s.Before != ""))
}
