package einvoice

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
)

// The parts of a Cross Industry Invoice that ours need, in the order that the schema has.
type (
	ciiInvoice struct {
		XMLName   xml.Name    `xml:"rsm:CrossIndustryInvoice"`
		RSM       string      `xml:"xmlns:rsm,attr"`
		RAM       string      `xml:"xmlns:ram,attr"`
		QDT       string      `xml:"xmlns:qdt,attr,omitempty"`
		UDT       string      `xml:"xmlns:udt,attr"`
		Guideline string      `xml:"rsm:ExchangedDocumentContext>ram:GuidelineSpecifiedDocumentContextParameter>ram:ID"`
		Document  ciiDocument `xml:"rsm:ExchangedDocument"`
		Trade     ciiTrade    `xml:"rsm:SupplyChainTradeTransaction"`
	}
	ciiDocument struct {
		ID       string  `xml:"ram:ID"`
		Type     int     `xml:"ram:TypeCode"`
		IssuedOn ciiDay  `xml:"ram:IssueDateTime>udt:DateTimeString"`
		Note     *string `xml:"ram:IncludedNote>ram:Content"` // nil: none
	}
	ciiDay struct {
		Format string `xml:"format,attr"`
		Day    string `xml:",chardata"`
	}
	ciiTrade struct {
		Lines      []ciiLine     `xml:"ram:IncludedSupplyChainTradeLineItem"`
		Seller     ciiParty      `xml:"ram:ApplicableHeaderTradeAgreement>ram:SellerTradeParty"`
		Buyer      ciiParty      `xml:"ram:ApplicableHeaderTradeAgreement>ram:BuyerTradeParty"`
		Delivery   struct{}      `xml:"ram:ApplicableHeaderTradeDelivery"`
		Settlement ciiSettlement `xml:"ram:ApplicableHeaderTradeSettlement"`
	}
	ciiLine struct {
		ID       int         `xml:"ram:AssociatedDocumentLineDocument>ram:LineID"`
		Name     string      `xml:"ram:SpecifiedTradeProduct>ram:Name"`
		Price    string      `xml:"ram:SpecifiedLineTradeAgreement>ram:NetPriceProductTradePrice>ram:ChargeAmount"`
		Quantity ciiQuantity `xml:"ram:SpecifiedLineTradeDelivery>ram:BilledQuantity"`
		Tax      ciiTax      `xml:"ram:SpecifiedLineTradeSettlement>ram:ApplicableTradeTax"`
		Net      string      `xml:"ram:SpecifiedLineTradeSettlement>ram:SpecifiedTradeSettlementLineMonetarySummation>ram:LineTotalAmount"`
	}
	ciiQuantity struct {
		Unit  string `xml:"unitCode,attr"`
		Count int64  `xml:",chardata"`
	}
	ciiTax struct {
		VAT      string `xml:"ram:CalculatedAmount,omitempty"`
		Type     string `xml:"ram:TypeCode"`
		Exempt   string `xml:"ram:ExemptionReason,omitempty"`
		Net      string `xml:"ram:BasisAmount,omitempty"`
		Category string `xml:"ram:CategoryCode"`
		Rate     string `xml:"ram:RateApplicablePercent"`
	}
	ciiParty struct {
		Name     string `xml:"ram:Name"`
		PostCode string `xml:"ram:PostalTradeAddress>ram:PostcodeCode,omitempty"`
		Street   string `xml:"ram:PostalTradeAddress>ram:LineOne,omitempty"`
		Town     string `xml:"ram:PostalTradeAddress>ram:CityName,omitempty"`
		Country  string `xml:"ram:PostalTradeAddress>ram:CountryID"`
		TaxID    *ciiID `xml:"ram:SpecifiedTaxRegistration>ram:ID"`
	}
	ciiID struct {
		Scheme string `xml:"schemeID,attr"`
		ID     string `xml:",chardata"`
	}
	ciiSettlement struct {
		Currency string       `xml:"ram:InvoiceCurrencyCode"`
		Means    *ciiMeans    `xml:"ram:SpecifiedTradeSettlementPaymentMeans"`
		Taxes    []ciiTax     `xml:"ram:ApplicableTradeTax"`
		From     ciiDay       `xml:"ram:BillingSpecifiedPeriod>ram:StartDateTime>udt:DateTimeString"`
		To       ciiDay       `xml:"ram:BillingSpecifiedPeriod>ram:EndDateTime>udt:DateTimeString"`
		PayBy    *ciiDay      `xml:"ram:SpecifiedTradePaymentTerms>ram:DueDateDateTime>udt:DateTimeString"`
		Sums     ciiSums      `xml:"ram:SpecifiedTradeSettlementHeaderMonetarySummation"`
		Corrects *ciiCorrects `xml:"ram:InvoiceReferencedDocument"`
	}
	ciiCorrects struct { // the preceding invoice, BG-3
		Number   string  `xml:"ram:IssuerAssignedID"`
		IssuedOn ciiQDay `xml:"ram:FormattedIssueDateTime>qdt:DateTimeString"`
	}
	ciiQDay  ciiDay
	ciiMeans struct {
		Type    int     `xml:"ram:TypeCode"`                                      // 58: a SEPA transfer; 68: through an online service
		Account *string `xml:"ram:PayeePartyCreditorFinancialAccount>ram:IBANID"` // nil: it names none
	}
	ciiSums struct {
		Lines string    `xml:"ram:LineTotalAmount"`
		Net   string    `xml:"ram:TaxBasisTotalAmount"`
		VAT   ciiAmount `xml:"ram:TaxTotalAmount"`
		Gross string    `xml:"ram:GrandTotalAmount"`
		Paid  string    `xml:"ram:TotalPrepaidAmount,omitempty"`
		Due   string    `xml:"ram:DuePayableAmount"`
	}
	ciiAmount struct {
		Currency string `xml:"currencyID,attr"`
		Amount   string `xml:",chardata"`
	}
)

// selfBilled is the type of an invoice that the buyer writes, bySeller that of any other.
const (
	selfBilled = 389
	bySeller   = 380
)

// corrected is the type of a corrected invoice, with negative amounts. EN 16931 knows a self-billed credit note too (261), but the German
// form does not take it.
const corrected = 384

var germanRates = []Rate{19, 7, Free, Reversed}

// CII is the invoice after EN 16931 as German law takes it. It calls itself Gutschrift, without which a self-billed one is none.
func CII(i Invoice) ([]byte, error) {
	sums, err := i.checked(germanRates, func(p Party) error {
		if i.BySeller && p.Country != "DE" {
			_, err := official.ParseVATID(p.TaxID, p.Country)
			return err
		}
		return germanTaxID(p.TaxID)
	})
	if err != nil {
		return nil, err
	}
	f := ciiInvoice{RSM: "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
		RAM: "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
		UDT: "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100", Guideline: "urn:cen.eu:en16931:2017",
		Document: ciiDocument{i.Number, selfBilled, day(i.IssuedOn), new("Gutschrift")}}
	if i.BySeller {
		f.Document.Type, f.Document.Note = bySeller, nil
	}
	f.Trade.Seller, f.Trade.Buyer = cii(i.Seller), cii(i.Buyer)
	if f.Trade.Buyer.TaxID.Scheme != vatScheme {
		f.Trade.Buyer.TaxID = nil // the standard has a VAT id of a buyer alone
	}
	s := &f.Trade.Settlement
	sign := money.Amount(1) // of the quantity: a price is never negative
	if i.Corrects != nil {
		sign, f.QDT = -1, "urn:un:unece:uncefact:data:standard:QualifiedDataType:100"
		f.Document.Type, f.Document.Note = corrected, new("Storno der Gutschrift "+i.Corrects.Number+". "+i.Reason)
		if i.BySeller {
			f.Document.Note = new("Korrektur der Rechnung " + i.Corrects.Number + ". " + i.Reason)
		}
		s.Corrects = &ciiCorrects{i.Corrects.Number, ciiQDay(day(i.Corrects.IssuedOn))}
	}
	var net, vat money.Amount
	for n, line := range i.Lines {
		if i.Corrects != nil && len(i.Corrects.Left) > 0 { // the difference alone, as one piece
			line.Net, line.Quantity = line.Net-i.Corrects.Left[n].Net, 0
		}
		f.Trade.Lines = append(f.Trade.Lines, ciiLine{ID: n + 1, Name: line.Text, Price: line.price().String(),
			Quantity: ciiQuantity{"C62", int64(sign) * line.quantity()}, Tax: taxed(line.Rate), Net: (sign * line.Net).String()})
	}
	s.Currency, s.From, s.To = string(i.Currency), day(i.From), day(i.To)
	switch {
	case i.PaidOn != "":
		s.Means = &ciiMeans{68, nil}
	case i.Account != "":
		s.Means = &ciiMeans{58, new(string(i.Account))}
	}
	if i.PayBy != "" {
		by := day(i.PayBy)
		s.PayBy = &by
	}
	for _, rate := range germanRates {
		if _, there := sums.net[rate]; !there {
			continue
		}
		tax := taxed(rate)
		tax.VAT, tax.Net = sums.vat[rate].String(), sums.net[rate].String()
		if rate < 0 {
			tax.Exempt = i.Exempt
		}
		s.Taxes = append(s.Taxes, tax)
		net, vat = net+sums.net[rate], vat+sums.vat[rate]
	}
	s.Sums = ciiSums{net.String(), net.String(), ciiAmount{s.Currency, vat.String()}, sums.gross.String(), "", sums.gross.String()}
	if i.PaidOn != "" {
		s.Sums.Paid, s.Sums.Due = sums.gross.String(), "0.00"
	}
	return marshalled(f)
}

// vatScheme and taxScheme tell a USt-IdNr from the number of a tax office.
const (
	vatScheme = "VA"
	taxScheme = "FC"
)

// germanTaxID refuses what may not stand on an invoice (§ 14 Abs. 4 UStG): it needs a USt-IdNr or a Steuernummer; a person's Steuer-ID is
// neither.
func germanTaxID(id string) error {
	if _, err := official.ParseSteuernummer(id); err == nil {
		return nil
	}
	_, err := official.ParseUStIdNr(id)
	return err
}

func taxed(rate Rate) ciiTax {
	switch rate {
	case Free:
		return ciiTax{Type: "VAT", Category: "E", Rate: "0"}
	case Reversed:
		return ciiTax{Type: "VAT", Category: "AE", Rate: "0"}
	}
	return ciiTax{Type: "VAT", Category: "S", Rate: fmt.Sprint(int(rate))}
}

func day(on calendar.Date) ciiDay { return ciiDay{"102", strings.ReplaceAll(string(on), "-", "")} }

// cii is a party; the number before its town is the post code.
func cii(p Party) ciiParty {
	id := &ciiID{vatScheme, p.TaxID}
	if vat, err := official.ParseUStIdNr(p.TaxID); err == nil {
		id.ID = string(vat)
	} else if prefix := official.VATPrefix(p.Country); p.Country != "DE" && prefix != "" && strings.HasPrefix(p.TaxID, prefix) {
		id.ID = p.TaxID
	} else {
		id.Scheme = taxScheme
	}
	c := ciiParty{Name: p.Name, Street: p.Street, Town: p.Place, Country: p.Country, TaxID: id}
	if code, town, ok := strings.Cut(p.Place, " "); ok && !slices.ContainsFunc([]rune(code), func(r rune) bool { return r < '0' || r > '9' }) {
		c.PostCode, c.Town = code, strings.TrimSpace(town)
	}
	return c
}
