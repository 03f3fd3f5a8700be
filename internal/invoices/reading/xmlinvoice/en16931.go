package xmlinvoice

import (
	"cmp"
	"errors"
	"strings"

	"saldo/internal/invoices/reading"
)

// The parts of a Cross Industry Invoice that are read.
type (
	cii struct {
		Document struct {
			ID     string `xml:"ID"`
			Type   string `xml:"TypeCode"`
			Issued string `xml:"IssueDateTime>DateTimeString"`
		} `xml:"ExchangedDocument"`
		Trade struct {
			Seller     ciiParty `xml:"ApplicableHeaderTradeAgreement>SellerTradeParty"`
			Buyer      ciiParty `xml:"ApplicableHeaderTradeAgreement>BuyerTradeParty"`
			Sold       string   `xml:"ApplicableHeaderTradeDelivery>ActualDeliverySupplyChainEvent>OccurrenceDateTime>DateTimeString"`
			Settlement struct {
				Currency string `xml:"InvoiceCurrencyCode"`
				Taxes    []struct {
					VAT      string `xml:"CalculatedAmount"`
					Type     string `xml:"TypeCode"`
					Net      string `xml:"BasisAmount"`
					Category string `xml:"CategoryCode"`
					Rate     string `xml:"RateApplicablePercent"`
				} `xml:"ApplicableTradeTax"`
				To   string `xml:"BillingSpecifiedPeriod>EndDateTime>DateTimeString"`
				Sums struct {
					Net string `xml:"TaxBasisTotalAmount"`
					VAT []struct {
						Currency string `xml:"currencyID,attr"`
						Amount   string `xml:",chardata"`
					} `xml:"TaxTotalAmount"`
					Gross string `xml:"GrandTotalAmount"`
				} `xml:"SpecifiedTradeSettlementHeaderMonetarySummation"`
			} `xml:"ApplicableHeaderTradeSettlement"`
		} `xml:"SupplyChainTradeTransaction"`
	}
	ciiParty struct {
		Name string `xml:"Name"`
		IDs  []struct {
			Scheme string `xml:"schemeID,attr"`
			ID     string `xml:",chardata"`
		} `xml:"SpecifiedTaxRegistration>ID"`
	}
)

// taxID is the VAT id of a party, else the number of its tax office.
func (p ciiParty) taxID() (id string) {
	for _, r := range p.IDs {
		if found := taxIDOf(r.ID); found != "" && r.Scheme != "FC" {
			return found
		}
	}
	for _, r := range p.IDs {
		if r.Scheme == "FC" {
			return strings.TrimSpace(r.ID)
		}
	}
	return ""
}

func readCII(content []byte) (m machine, err error) {
	var f cii
	if err := xmlDecoder(content).Decode(&f); err != nil {
		return m, ErrUnreadable
	}
	s := f.Trade.Settlement
	m = machine{number: f.Document.ID, currency: strings.TrimSpace(s.Currency), issued: xmlDay(f.Document.Issued),
		sellerID: f.Trade.Seller.taxID(), sellerName: f.Trade.Seller.Name, buyerID: f.Trade.Buyer.taxID(),
		sold: xmlDay(cmp.Or(strings.TrimSpace(f.Trade.Sold), s.To))}
	var rates []byRate
	for _, t := range s.Taxes {
		rates = append(rates, byRate{t.Net, t.VAT, t.Rate, t.Category})
	}
	var errs [3]error
	m.net, errs[0] = xmlMinor(s.Sums.Net)
	m.gross, errs[1] = xmlMinor(s.Sums.Gross)
	errs[2] = m.takeRates(rates)
	if err := errors.Join(errs[:]...); err != nil {
		return m, ErrUnreadable
	}
	vat := m.standard + m.reduced + m.otherVAT
	for _, total := range s.Sums.VAT {
		if n, err := xmlMinor(total.Amount); err != nil || total.Currency == m.currency && (m.net+n != m.gross || !m.noSums && n != vat) {
			return m, ErrUnreadable
		}
	}
	if f.Document.Type == "384" || f.Document.Type == "381" {
		m.findings = append(m.findings, reading.Correction)
	}
	return m, nil
}

// The parts of a UBL invoice or credit note that are read.
type (
	ubl struct {
		ID       string   `xml:"ID"`
		Issued   string   `xml:"IssueDate"`
		Currency string   `xml:"DocumentCurrencyCode"`
		To       string   `xml:"InvoicePeriod>EndDate"`
		Seller   ublParty `xml:"AccountingSupplierParty>Party"`
		Buyer    ublParty `xml:"AccountingCustomerParty>Party"`
		Sold     string   `xml:"Delivery>ActualDeliveryDate"`
		Taxes    []struct {
			Amount struct {
				Currency string `xml:"currencyID,attr"`
				Text     string `xml:",chardata"`
			} `xml:"TaxAmount"`
			Rates []struct {
				Net      string `xml:"TaxableAmount"`
				VAT      string `xml:"TaxAmount"`
				Category string `xml:"TaxCategory>ID"`
				Percent  string `xml:"TaxCategory>Percent"`
			} `xml:"TaxSubtotal"`
		} `xml:"TaxTotal"`
		Net   string `xml:"LegalMonetaryTotal>TaxExclusiveAmount"`
		Gross string `xml:"LegalMonetaryTotal>TaxInclusiveAmount"`
	}
	ublParty struct {
		Name  string `xml:"PartyName>Name"`
		Legal string `xml:"PartyLegalEntity>RegistrationName"`
		Taxes []struct {
			ID     string `xml:"CompanyID"`
			Scheme string `xml:"TaxScheme>ID"`
		} `xml:"PartyTaxScheme"`
	}
)

func (p ublParty) taxID() string {
	for _, t := range p.Taxes {
		if id := taxIDOf(t.ID); id != "" && strings.TrimSpace(t.Scheme) == "VAT" {
			return id
		}
	}
	for _, t := range p.Taxes {
		if strings.TrimSpace(t.Scheme) != "VAT" {
			return strings.TrimSpace(t.ID)
		}
	}
	return ""
}

func readUBL(content []byte) (m machine, err error) {
	var f ubl
	if err := xmlDecoder(content).Decode(&f); err != nil {
		return m, ErrUnreadable
	}
	root, _ := xmlRoot(content)
	m = machine{number: f.ID, currency: strings.TrimSpace(f.Currency), issued: xmlDay(f.Issued), sellerID: f.Seller.taxID(),
		sellerName: cmp.Or(f.Seller.Legal, f.Seller.Name), buyerID: f.Buyer.taxID(), sold: xmlDay(cmp.Or(strings.TrimSpace(f.Sold), f.To))}
	var rates []byRate
	var total *int64
	for _, t := range f.Taxes {
		if t.Amount.Currency != m.currency {
			continue // the VAT in another currency, again
		}
		n, err := xmlMinor(t.Amount.Text)
		if err != nil {
			return m, err
		}
		total = &n
		for _, r := range t.Rates {
			rates = append(rates, byRate{r.Net, r.VAT, r.Percent, r.Category})
		}
	}
	var errs [3]error
	m.net, errs[0] = xmlMinor(f.Net)
	m.gross, errs[1] = xmlMinor(f.Gross)
	errs[2] = m.takeRates(rates)
	if err := errors.Join(errs[:]...); err != nil {
		return m, ErrUnreadable
	}
	if total != nil && (m.net+*total != m.gross || !m.noSums && m.standard+m.reduced+m.otherVAT != *total) {
		return m, ErrUnreadable
	}
	if root == "CreditNote" { // its amounts are what is given back
		m.net, m.gross, m.standard, m.reduced = -m.net, -m.gross, -m.standard, -m.reduced
		m.zero, m.otherVAT = -m.zero, -m.otherVAT
		m.findings = append(m.findings, reading.Correction)
	}
	return m, nil
}
