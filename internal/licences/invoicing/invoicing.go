// Package invoicing writes the invoices of the operator for licences, and their corrections: with numbers without a gap, as PDFs and as
// machines read them. It decides about no amount.
package invoicing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"saldo/internal/billing/einvoice"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/licences/invoicing/connector"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
)

// ErrForm is the answer to an order of which no invoice could be written.
var ErrForm = fault.Declare(fault.Conflict, "licences.no_invoice")

// Seller is the operator, as invoices name it.
type Seller struct {
	Name, TaxID, Street, Place string
	Account                    official.Account // empty: invoices name none
	Series                     string           // how numbers begin; corrections have a K after it
	Email                      string           // that the operator is told at; empty: the log alone
}

var seriesForm = regexp.MustCompile(`^[A-Z0-9]{1,10}$`)

// SellerOf reads the operator from the settings; nil: none is set. The error is one sentence that says what to correct.
func SellerOf(o config.Operator, instance config.Instance) (*Seller, error) {
	if o == (config.Operator{Series: o.Series}) {
		return nil, nil
	}
	s := &Seller{Name: o.Name, Street: o.Street, Place: o.Place, Series: o.Series}
	for _, f := range []struct{ name, value string }{{"NAME", o.Name}, {"TAX_ID", o.TaxID}, {"STREET", o.Street}, {"PLACE", o.Place}} {
		if strings.TrimSpace(f.value) == "" {
			return nil, fmt.Errorf("SALDO_OPERATOR_%s is empty: name, tax id, street and place of the operator stand on every invoice, "+
				"so set all four or none", f.name)
		}
	}
	country := strings.ToUpper(instance.Code)
	id, err := official.ParseTaxID(o.TaxID, country)
	if err == nil && country == "DE" {
		if _, vat := official.ParseUStIdNr(id); vat != nil {
			if _, err = official.ParseSteuernummer(id); err != nil {
				err = official.ErrForm // a Steuer-ID is a person's and stands on no invoice
			}
		}
	}
	if err != nil {
		return nil, errors.New("SALDO_OPERATOR_TAX_ID is no tax id: write the NIP, in Germany the USt-IdNr or the Steuernummer")
	}
	s.TaxID = id
	if o.Account != "" {
		if s.Account, err = official.ParseAccount(o.Account); err != nil {
			return nil, errors.New("SALDO_OPERATOR_ACCOUNT is no bank account: write an IBAN")
		}
	}
	if !seriesForm.MatchString(o.Series) {
		return nil, fmt.Errorf("SALDO_OPERATOR_SERIES is %q: write 1 to 10 capital letters and digits, as FL", o.Series)
	}
	if o.Email != "" {
		email, err := official.ParseEmail(o.Email)
		if err != nil {
			return nil, errors.New("SALDO_OPERATOR_EMAIL is no e-mail address: correct it")
		}
		s.Email = string(email)
	}
	return s, nil
}

// KSeFClient is the way to the office, as billing has it.
type KSeFClient interface {
	Send(ctx context.Context, file []byte) (connector.Receipt, error)
}

// Service issues documents.
type Service struct {
	Instance   config.Instance
	Vault      *vault.Vault
	Mails      *mail.Queue
	Seller     *Seller    // nil: nothing is sold
	KSeFClient KSeFClient // nil: invoices are not sent
	// Refused tells the operator that the office refused a document.
	Refused func(tx *db.Tx, number string) error
}

// Language is that of the documents.
func (s *Service) Language() i18n.Language { return i18n.Language(s.Instance.Language) }

// OperatorAddress is where the operator is told of what a person must look at; empty: nowhere.
func (s *Service) OperatorAddress() string {
	if s.Seller == nil {
		return ""
	}
	return s.Seller.Email
}

func (s *Service) country() string { return strings.ToUpper(s.Instance.Code) }

// Sale is what was bought and paid.
type Sale struct {
	Order, Number, Text string
	Quantity            int64
	NetPrice            money.Amount // of one piece
	Net, VAT            money.Amount
	VATRate             money.Rate
	ReverseCharge       bool
	Currency            money.Currency
	Buyer               Party
	Email               string
	Language            i18n.Language // of the mail
}

// Party is whoever stands on a document.
type Party struct {
	Name    string `json:"name"`
	TaxID   string `json:"taxId"`
	Street  string `json:"street"`
	Place   string `json:"place"` // post code and town
	Country string `json:"country"`
}

// Line is what was sold.
type Line struct {
	Text     string        `json:"text"`
	Quantity int64         `json:"quantity"` // 0: what corrections left of it has no price of a piece
	Price    money.Amount  `json:"price"`
	Net      money.Amount  `json:"net"`
	VAT      money.Amount  `json:"vat"`
	Rate     einvoice.Rate `json:"rate"`
}

func (l Line) gross() money.Amount { return l.Net + l.VAT }

// content is a document by value. It is sealed: it names a person where a fleet is one.
type content struct {
	Seller   Party            `json:"seller"`
	Account  official.Account `json:"account"`
	Buyer    Party            `json:"buyer"`
	Email    string           `json:"email"`
	Language i18n.Language    `json:"language"`
	Order    string           `json:"order"` // number
	Line     Line             `json:"line"`  // of a correction: as it was
	PaidOn   calendar.Date    `json:"paidOn"`
	Exempt   string           `json:"exempt"` // why there is no VAT; empty: there is
	Left     *Line            `json:"left,omitempty"`
	Corrects *corrected       `json:"corrects,omitempty"`
	Reason   string           `json:"reason,omitempty"`
}

type corrected struct {
	Number   string        `json:"number"`
	IssuedOn calendar.Date `json:"issuedOn"`
}

const (
	contentPurpose = "licence document"
	filePurpose    = "licence document file"
)

// reverseWords stand on an invoice whose buyer owes the VAT, as the law of the seller and that of the Union have them.
var reverseWords = map[string]string{
	"PL": "Odwrotne obciążenie (reverse charge), art. 28b ustawy o VAT, art. 196 dyrektywy 2006/112/WE",
	"DE": "Steuerschuldnerschaft des Leistungsempfängers (reverse charge), Art. 196 MwStSystRL",
}

func (s *Service) contentOf(sale *Sale, day calendar.Date) content {
	c := content{Seller: Party{s.Seller.Name, s.Seller.TaxID, s.Seller.Street, s.Seller.Place, s.country()}, Account: s.Seller.Account,
		Buyer: sale.Buyer, Email: sale.Email, Language: sale.Language, Order: sale.Number, PaidOn: day,
		Line: Line{sale.Text, sale.Quantity, sale.NetPrice, sale.Net, sale.VAT, einvoice.Rate(sale.VATRate / 100)}}
	if sale.ReverseCharge {
		c.Line.Rate, c.Exempt = einvoice.Reversed, reverseWords[s.country()]
	}
	return c
}

// Check refuses a sale of which no invoice could be written, before anybody pays.
func (s *Service) Check(tx *db.Tx, sale Sale) error {
	day := calendar.DateOf(tx.Now, s.Instance.Location(), 0)
	c := s.contentOf(&sale, day)
	_, err := s.file(&Document{Kind: Invoice, Number: "1", IssuedOn: day, Currency: sale.Currency, IssuedAt: tx.Now}, &c, "")
	return err
}

// Issue writes the invoice of an order that was paid at this moment, and leaves the jobs that mail it and hand it to the office. Its
// number is the next one. The unit of work is the program's.
func (s *Service) Issue(tx *db.Tx, sale Sale) error {
	if s.Seller == nil {
		return nil // it was taken out of the settings while people paid: Missing finds the order
	}
	day := calendar.DateOf(tx.Now, s.Instance.Location(), 0)
	c := s.contentOf(&sale, day)
	doc := Document{ID: tx.NewID(), OrderID: sale.Order, Kind: Invoice, IssuedOn: day, Currency: sale.Currency, Net: sale.Net, VAT: sale.VAT,
		Gross: sale.Net + sale.VAT, IssuedAt: tx.Now}
	return s.issue(tx, &doc, &c, "")
}

// issue gives a document its number and writes it down.
func (s *Service) issue(tx *db.Tx, doc *Document, c *content, ksefNumber string) error {
	prefix := s.Seller.Series
	if doc.Kind == Correction {
		prefix += "K"
	}
	doc.Series = prefix + "/" + string(doc.IssuedOn[:4])
	var err error
	if doc.Place, err = db.One[int64](tx.Across(), `INSERT INTO licence_series (tenant_id, series, last) VALUES ('', $1, 1)
		ON CONFLICT (tenant_id, series) DO UPDATE SET last = licence_series.last + 1 RETURNING last`, doc.Series); err != nil {
		return err
	}
	doc.Number = fmt.Sprintf("%s/%d", doc.Series, doc.Place)
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	doc.ContentSealed = s.Vault.Seal(tx.Actor.Tenant, contentPurpose, text)
	if doc.AuthorityState != Pending {
		if err := s.write(tx, doc, c, ksefNumber); err != nil {
			return err
		}
	}
	if err := db.Insert(tx, "licence_documents", *doc); err != nil {
		return err
	}
	if doc.AuthorityState == Waiting {
		if err := enqueueSend(tx, doc.ID); err != nil {
			return err
		}
	}
	return s.mail(tx, doc, c)
}

// write makes the file. Money that was taken needs a document whatever its form takes: a refusal leaves it without a file and is told.
func (s *Service) write(tx *db.Tx, doc *Document, c *content, ksefNumber string) error {
	file, err := s.file(doc, c, ksefNumber)
	if errors.Is(err, ErrForm) {
		return s.Refused(tx, doc.Number)
	}
	if err != nil {
		return err
	}
	doc.FileSealed, doc.AuthorityState = s.Vault.Seal(tx.Actor.Tenant, filePurpose, file), NotSent
	if s.sends() {
		doc.AuthorityState = Waiting
	}
	return nil
}

// sends says whether documents go to the office.
func (s *Service) sends() bool { return s.KSeFClient != nil && s.Instance.Code == "pl" }

// file is the document as machines read it.
func (s *Service) file(doc *Document, c *content, ksefNumber string) ([]byte, error) {
	line := func(l Line) einvoice.Line {
		return einvoice.Line{Text: l.Text, Net: l.Net, VAT: l.VAT, Rate: l.Rate, Quantity: l.Quantity, Price: l.Price}
	}
	i := einvoice.Invoice{Number: doc.Number, IssuedOn: doc.IssuedOn, From: c.PaidOn, To: c.PaidOn, MadeAt: doc.IssuedAt,
		Currency: doc.Currency,
		Seller:   einvoice.Party(c.Seller), Buyer: einvoice.Party(c.Buyer), Lines: []einvoice.Line{line(c.Line)}, Exempt: c.Exempt,
		Account: c.Account, BySeller: true, PaidOn: c.PaidOn, Reason: c.Reason}
	if c.Corrects != nil {
		i.Corrects = &einvoice.Corrected{Number: c.Corrects.Number, IssuedOn: c.Corrects.IssuedOn, KSeFNumber: ksefNumber}
		if c.Left != nil {
			i.Corrects.Left = []einvoice.Line{line(*c.Left)}
		}
	}
	form := einvoice.FA3
	if s.Instance.Code == "de" {
		form = einvoice.CII
	}
	file, err := form(i)
	var why einvoice.Refusal
	if errors.As(err, &why) {
		return nil, ErrForm.With("reason", string(why.Reason))
	}
	return file, err
}

// mailPurpose begins what the file of a mail is made of, where it is a document of licences.
const mailPurpose = "licence-document:"

func (s *Service) mail(tx *db.Tx, doc *Document, c *content) error {
	amount := i18n.Amount(c.Language, max(doc.Gross, -doc.Gross)) + "\u00a0" + doc.Currency.Sign()
	_, err := s.Mails.Enqueue(tx, mail.Message{To: mail.Address{Name: c.Buyer.Name, Address: c.Email}, Language: string(c.Language),
		Counted: true,
		Subject: i18n.Of(c.Language, "licence-documents:mail."+string(doc.Kind)+".subject", "number", doc.Number),
		Text: i18n.Of(c.Language, "licence-documents:mail."+string(doc.Kind)+".text", "number", doc.Number, "order", c.Order,
			"amount", amount, "seller", c.Seller.Name),
		FileOf: mailPurpose + doc.ID, Key: mailPurpose + doc.ID})
	return err
}

// Attach is the PDF that goes with a mail. It is made at every try.
func (s *Service) Attach(ctx context.Context, run *jobs.Run, of string) (*mail.Attachment, error) {
	var p *PDFDocument
	if err := run.Read(ctx, func(tx *db.Tx) (err error) {
		p, err = s.PDFDocument(tx, strings.TrimPrefix(of, mailPurpose))
		return err
	}); err != nil {
		return nil, err
	}
	content, err := p.PDF()
	return &mail.Attachment{Name: p.FileName(), Type: "application/pdf", Data: content}, err
}

// Attaches says whether the file of a mail is made here.
func Attaches(of string) bool { return strings.HasPrefix(of, mailPurpose) }

func (s *Service) opened(tx *db.Tx, doc *Document) (c content, err error) {
	text, err := s.Vault.Unseal(tx.Actor.Tenant, contentPurpose, doc.ContentSealed)
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(text, &c)
}

// File is the document as machines read it, exactly as it was made, with the name to save it under.
func (s *Service) File(tx *db.Tx, id string) (content []byte, name string, err error) {
	doc, err := one(tx, ` AND id = $2`, id)
	if err != nil {
		return nil, "", err
	}
	if !doc.HasFile() {
		return nil, "", ErrNoFile
	}
	content, err = s.Vault.Unseal(tx.Actor.Tenant, filePurpose, doc.FileSealed)
	return content, doc.fileName("xml"), err
}
