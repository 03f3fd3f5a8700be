package billing

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"saldo/internal/billing/einvoice"
	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
	"saldo/internal/tracking"
)

var (
	ErrNotFound = fault.Declare(fault.NotFound, "billing.not_found")
	// ErrNothing is the answer to issuing a document of a settlement that pays nothing to bill.
	ErrNothing = fault.Declare(fault.Conflict, "billing.nothing")
	// The reasons why a driver cannot get a document.
	ErrNoTaxID          = fault.Declare(fault.Conflict, "billing.no_tax_id")
	ErrNoAccount        = fault.Declare(fault.Conflict, "billing.no_account")
	ErrNoPartnerTaxID   = fault.Declare(fault.Conflict, "billing.no_partner_tax_id")
	ErrNoPartnerAddress = fault.Declare(fault.Conflict, "billing.no_partner_address")
	// ErrNoAddress is the answer to issuing without an address where none was typed.
	ErrNoAddress = fault.Declare(fault.Conflict, "billing.no_address")
	// ErrInvalid names fields of the seller that an invoice must have.
	ErrInvalid = fault.Declare(fault.Invalid, "billing.invalid")
	// ErrRefused is the answer to a document that its form does not take.
	ErrRefused = fault.Declare(fault.Conflict, "billing.refused")
	// ErrNoFile is the answer to asking for the file of a document that has none.
	ErrNoFile = fault.Declare(fault.NotFound, "billing.no_file")
)

// Kind is what a document is.
type Kind string

// The kinds.
const (
	Bill    Kind = "bill"    // to a civil contract
	Invoice Kind = "invoice" // of a driver's company, written by the partner

	Correction Kind = "correction" // of such an invoice, whose settlement was revoked
)

// kindOfDocument names documents in the trail.
const kindOfDocument = "billing_document"

// contentPurpose and filePurpose are what documents are sealed for.
const (
	contentPurpose = "billing content"
	filePurpose    = "billing file"
)

// How long what is typed of a seller may be.
const (
	nameMax  = 150
	placeMax = 100
)

// payWithin is how many days after its issue a German invoice is due; EN 16931 wants a day where anything is (BR-CO-25).
const payWithin = 14

// Seller is what the partner says of a driver's company beyond what is written down of the driver. Empty: as in the document
// before.
type Seller struct{ Name, Street, Place string }

// content is a document by value. It is sealed: it names a person and where their money goes.
type content struct {
	Seller     Party            `json:"seller"`
	Buyer      Party            `json:"buyer"`
	Account    official.Account `json:"account"`
	From       calendar.Date    `json:"from"`
	To         calendar.Date    `json:"to"`
	Lines      []Line           `json:"lines"`
	Exempt     string           `json:"exempt"` // the law by which it has no VAT; empty: it has
	Split      bool             `json:"split"`
	Contract   string           `json:"contract"`   // the driver's
	Settlement int64            `json:"settlement"` // number
	Corrects   *corrected       `json:"corrects,omitempty"`
	Reason     string           `json:"reason,omitempty"` // of a correction
	PayBy      calendar.Date    `json:"payBy,omitempty"`  // empty: it says none

	Hours []tracking.MonthMinutes `json:"hours,omitempty"` // worked under the contract that a bill is to
}

// corrected names the invoice that a correction takes back.
type corrected struct {
	Number   string        `json:"number"`
	IssuedOn calendar.Date `json:"issuedOn"`
}

// Line is one service that is billed.
type Line struct {
	Text string        `json:"text"`
	Net  money.Amount  `json:"net"`
	VAT  money.Amount  `json:"vat"`
	Rate einvoice.Rate `json:"rate"` // of a bill Free
}

// readiness is a settlement with all that a document of it needs.
type readiness struct {
	kind      Kind
	settled   *settlements.Settlement
	terms     *snapshot.Terms
	driver    drivers.Driver
	partner   Party
	code      string // of the partner
	transfers []snapshot.Transfer
}

func (d *Service) ready(tx *db.Tx, id string) (r readiness, err error) {
	e, err := settlements.ExplainFigures(tx, id)
	if err != nil {
		return r, err
	}
	r.settled, r.terms, r.kind = e.Settled, &e.Terms, Invoice
	if e.Terms.Rules.ContractType == rules.CivilContract {
		r.kind = Bill
	}
	all, err := e.Settled.KeptTransfers()
	if err != nil {
		return r, err
	}
	for _, t := range all {
		if t.Purpose != engine.DeductionCost { // a refund of costs is no service
			r.transfers = append(r.transfers, t)
		}
	}
	if r.driver, err = d.driverOf(tx, e.Settled); err != nil {
		return r, err
	}
	partner, own, err := d.partner(tx)
	r.partner, r.code = partner, own.Code
	return r, err
}

// missing are the reasons why no document can be issued.
func (r *readiness) missing() (reasons []*fault.Fault) {
	switch {
	case r.settled.State == settlements.Revoked:
		return []*fault.Fault{settlements.ErrRevoked.With("number", r.settled.Number)}
	case len(r.transfers) == 0:
		return []*fault.Fault{ErrNothing}
	}
	if r.kind == Invoice && r.driver.TaxID == "" {
		reasons = append(reasons, ErrNoTaxID)
	}
	if r.kind == Invoice && r.driver.IBAN == "" { // who is paid in cash gets a bill too
		reasons = append(reasons, ErrNoAccount)
	}
	if r.partner.TaxID == "" {
		reasons = append(reasons, ErrNoPartnerTaxID)
	}
	if r.partner.Street == "" || r.partner.Place == "" {
		reasons = append(reasons, ErrNoPartnerAddress)
	}
	return reasons
}

// Issue gives a settlement its document: a bill to a civil contract, or the invoice of the driver's company. There is one for
// each settlement: asked again it is the same one, whatever else is said. An invoice that its driver has to approve first becomes a draft:
// the answer has no id and
// says where the draft stands.
func (d *Service) Issue(tx *db.Tx, id string, typed Seller) (Document, error) {
	r, err := d.ready(tx, id)
	if err != nil {
		return Document{}, err
	}
	if before, err := one(tx, ` AND b.settlement_id = $2 AND b.kind = $3`, id, string(r.kind)); !errors.Is(err, ErrNotFound) {
		if err == nil && before.correctable() && !before.CancelledAt.IsZero() { // revoked before revoking issued corrections
			return d.correct(tx, &before)
		}
		return before, err
	}
	if reasons := r.missing(); len(reasons) > 0 {
		return Document{}, reasons[0]
	}
	c, draft, waits, err := d.draft(tx, &r, typed)
	if err != nil {
		return Document{}, err
	}
	if waits {
		return Document{SettlementID: id, Kind: Invoice, State: draft.State, Gross: draft.Gross}, nil
	}
	today := calendar.DateOf(tx.Now, d.Instance.Location(), 0)
	doc := Document{ID: tx.NewID(), SettlementID: id, Kind: r.kind, IssuedOn: today, Currency: r.settled.Currency, IssuedAt: tx.Now,
		IssuedBy: tx.Actor.Name}
	if draft == nil {
		seller, err := d.seller(tx, &r, typed)
		if err != nil {
			return Document{}, err
		}
		c = d.contentOf(&r, seller, today)
		if c.Hours, err = d.hours(tx, &r); err != nil {
			return Document{}, err
		}
	} else if doc.IssuedBy = draft.MadeBy; c.PayBy != "" {
		c.PayBy = today.AddDays(payWithin)
	}
	return d.issue(tx, &r, doc, &c, draft)
}

// issue gives a document its number and writes it down. What its form does not take is refused before a number is taken: whoever goes on
// after the refusal leaves no gap.
func (d *Service) issue(tx *db.Tx, r *readiness, doc Document, c *content, draft *Draft) (Document, error) {
	for _, l := range c.Lines {
		doc.Net, doc.VAT, doc.Gross = doc.Net+l.Net, doc.VAT+l.VAT, doc.Gross+l.Net+l.VAT
	}
	probe := doc
	probe.Number = "1"
	if _, err := d.file(&probe, c, ""); err != nil {
		return Document{}, err
	}
	if err := d.number(tx, &doc, r.code, cmp.Or(map[Kind]string{Bill: r.driver.ID}[r.kind], c.Seller.TaxID)); err != nil {
		return Document{}, err
	}
	file, err := d.file(&doc, c, "")
	if err != nil {
		return Document{}, err
	}
	if err := d.keep(tx, &doc, c, file); err != nil {
		return Document{}, err
	}
	if draft != nil {
		if _, err := tx.Exec(`UPDATE billing_drafts SET state = 'issued', document_id = $3 WHERE tenant_id = $1 AND id = $2
			AND state = 'approved'`, draft.ID, doc.ID); err != nil {
			return Document{}, err
		}
	}
	if err := audit.Record(tx, audit.Change{Action: "billing.issue", Kind: kindOfDocument, ID: doc.ID,
		After: map[string]any{"kind": doc.Kind, "number": doc.Number, "gross": doc.Gross, "settlement": r.settled.Number}}); err != nil {
		return Document{}, err
	}
	return one(tx, ` AND b.id = $2`, doc.ID)
}

// number takes the next one of the series. A driver's company has a series with each partner: an office knows an invoice by
// the company's tax id and the number. Whose it is says the tax id, or the driver's id of a bill; code is the partner's.
func (d *Service) number(tx *db.Tx, doc *Document, code, whose string) (err error) {
	prefix := map[Kind]string{Bill: "R", Invoice: "SF", Correction: "SFK"}[doc.Kind]
	month := string(doc.IssuedOn[:4]) + "/" + string(doc.IssuedOn[5:7])
	doc.series = prefix + " " + whose + " " + month
	if doc.place, err = db.One[int64](tx, `INSERT INTO billing_series (tenant_id, series, last) VALUES ($1, $2, 1)
		ON CONFLICT (tenant_id, series) DO UPDATE SET last = billing_series.last + 1 RETURNING last`, doc.series); err != nil {
		return err
	}
	doc.Number = fmt.Sprintf("%s/%s/%s/%d", prefix, strings.ToUpper(code), month, doc.place)
	return nil
}

// seller is who stands on the document: what was typed, else what the document before says, else the driver.
func (d *Service) seller(tx *db.Tx, r *readiness, typed Seller) (Party, error) {
	before, err := d.sellerBefore(tx, r.driver.ID)
	if err != nil {
		return Party{}, err
	}
	p := Party{TaxID: r.driver.TaxID}
	var wrong *fault.Fault
	for _, f := range []struct {
		name, typed, before string
		into                *string
		maximum             int
	}{
		{"name", typed.Name, before.Name, &p.Name, nameMax},
		{"street", typed.Street, before.Street, &p.Street, placeMax},
		{"place", typed.Place, before.Place, &p.Place, placeMax},
	} {
		text := strings.Join(strings.Fields(f.typed), " ")
		if text == "" {
			text = f.before
		}
		*f.into = text
		switch {
		case text == "" && f.name != "name": // a bill has an address too
			wrong = refusal(wrong).Field(f.name, fault.Required)
		case len([]rune(text)) > f.maximum:
			wrong = refusal(wrong).Field(f.name, fault.TooLong, "max", fmt.Sprint(f.maximum))
		}
	}
	if wrong != nil {
		return p, wrong
	}
	if p.Name == "" {
		p.Name = r.driver.FirstName + " " + r.driver.LastName
	}
	return p, nil
}

func refusal(f *fault.Fault) *fault.Fault {
	if f == nil {
		return ErrInvalid
	}
	return f
}

// sellerBefore is how the newest document of a driver named them; empty: there is none.
func (d *Service) sellerBefore(tx *db.Tx, driver string) (s Seller, err error) {
	sealed, err := db.Select[string](tx, `SELECT b.content_sealed FROM billing_documents b JOIN settlements s ON s.tenant_id = b.tenant_id
		AND s.id = b.settlement_id
		JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id WHERE b.tenant_id = $1 AND `+drivers.SameDriver("d", "$2")+`
		ORDER BY b.id DESC LIMIT 1`, driver)
	if err == nil && len(sealed) == 0 { // what the driver was asked to approve first
		sealed, err = db.Select[string](tx, `SELECT f.content_sealed FROM billing_drafts f JOIN settlements s ON s.tenant_id = f.tenant_id
			AND s.id = f.settlement_id
			JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id WHERE f.tenant_id = $1 AND `+drivers.SameDriver("d", "$2")+`
			ORDER BY f.id DESC LIMIT 1`, driver)
	}
	if err != nil || len(sealed) == 0 {
		return s, err
	}
	c, err := d.opened(tx, sealed[0])
	return Seller{c.Seller.Name, c.Seller.Street, c.Seller.Place}, err
}

// hours are what a bill in Poland says of the time that was worked: law wants them confirmed for each month. A supplementary settlement is
// of days whose hours stand on the bill before.
func (d *Service) hours(tx *db.Tx, r *readiness) ([]tracking.MonthMinutes, error) {
	if r.kind != Bill || d.Instance.HourlyRateOn(r.settled.LastOn) == 0 || r.settled.Ordinal > 0 {
		return nil, nil
	}
	return tracking.Worked(tx, r.driver.ID, r.settled.FirstOn, r.settled.LastOn)
}

// contentOf makes a document of the transfers of a settlement. What is billed is what is paid: VAT is taken out of it, not put on it.
func (d *Service) contentOf(r *readiness, seller Party, issuedOn calendar.Date) content {
	language := i18n.Language(d.Instance.Language)
	days := i18n.Days(language, r.settled.FirstOn, r.settled.LastOn)
	c := content{Seller: seller, Buyer: r.partner, Account: r.driver.IBAN, From: r.settled.FirstOn, To: r.settled.LastOn,
		Contract: r.driver.ContractNumber, Settlement: r.settled.Number}
	if r.kind == Invoice && d.Instance.Code == "de" {
		c.PayBy = issuedOn.AddDays(payWithin)
	}
	split, gross := false, money.Amount(0)
	for _, t := range r.transfers {
		gross += t.Amount
		l := Line{Text: i18n.Of(language, "billing:service."+string(t.Purpose), "days", days), Net: t.Amount - t.VAT, VAT: t.VAT,
			Rate: einvoice.Free}
		if rate := r.terms.InvoiceRate(); rate > 0 {
			l.Rate = einvoice.Rate(rate / 100)
			split = split || t.NameVAT
		} else if r.kind == Invoice {
			c.Exempt = exemptBy[d.Instance.Code]
		}
		c.Lines = append(c.Lines, l)
	}
	c.Split = split && d.Instance.Code == "pl" && gross > splitOver(issuedOn)
	return c
}

// splitFrom are the gross amounts in PLN above which an invoice must say that it is paid by split payment (art. 106e of the VAT act), by
// the day from which each
// holds. A partner may pay any invoice that way: then the transfer is split, and the invoice says nothing.
var splitFrom = []struct {
	from calendar.Date
	over money.Amount
}{{"2019-11-01", 15_000_00}}

func splitOver(day calendar.Date) (over money.Amount) {
	for _, s := range splitFrom {
		if day >= s.from {
			over = s.over
		}
	}
	return over
}

// exemptBy names the law by which small companies have no VAT on their invoices.
var exemptBy = map[string]string{
	"pl": "art. 113 ust. 1 i 9 ustawy z dnia 11 marca 2004 r. o podatku od towarów i usług",
	"de": "Kleinunternehmer, steuerfrei nach § 19 UStG",
}

// file is the document as machines read it; of a bill there is none. The number at KSeF is that of the corrected invoice.
func (d *Service) file(doc *Document, c *content, ksef string) ([]byte, error) {
	if doc.Kind == Bill {
		return nil, nil
	}
	party := func(p Party) einvoice.Party {
		return einvoice.Party{Name: p.Name, TaxID: p.TaxID, Street: p.Street, Place: p.Place, Country: d.country()}
	}
	i := einvoice.Invoice{Number: doc.Number, IssuedOn: doc.IssuedOn, From: c.From, To: c.To, MadeAt: doc.IssuedAt, Currency: doc.Currency,
		Seller: party(c.Seller), Buyer: party(c.Buyer),
		Exempt: c.Exempt, Account: c.Account, Split: c.Split, Reason: c.Reason, PayBy: c.PayBy}
	if c.Corrects != nil {
		i.Corrects = &einvoice.Corrected{Number: c.Corrects.Number, IssuedOn: c.Corrects.IssuedOn, KSeFNumber: ksef}
	}
	for _, l := range c.Lines {
		i.Lines = append(i.Lines, einvoice.Line{Text: l.Text, Net: l.Net, VAT: l.VAT, Rate: l.Rate})
	}
	form := einvoice.FA3
	if d.Instance.Code == "de" {
		form = einvoice.CII
	}
	file, err := form(i)
	var why einvoice.Refusal
	if errors.As(err, &why) {
		return nil, ErrRefused.With("reason", string(why.Reason))
	}
	return file, err
}

// keep writes the document down, while its settlement stands.
func (d *Service) keep(tx *db.Tx, doc *Document, c *content, file []byte) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	doc.contentSealed = d.Vault.Seal(tx.Actor.Tenant, contentPurpose, text)
	if len(file) > 0 {
		doc.fileSealed = d.Vault.Seal(tx.Actor.Tenant, filePurpose, file)
	}
	if d.sends(doc) && doc.AuthorityState != Pending {
		doc.AuthorityState = Waiting
	}
	n, err := tx.Exec(`INSERT INTO billing_documents (tenant_id, id, settlement_id, kind, series, place, number, issued_on, currency, net,
		vat, gross, content_sealed, file_sealed, issued_at, issued_by,
		authority_state, corrects, edition, authority_number, authority_reason, authority_at)
		SELECT $1, $2, $3, $4, $5, $6, $7, $8, s.currency, $9, $10, $11, $12, $13, $14, $15, $16, $17, 1, '', '', '' FROM settlements s
		WHERE s.tenant_id = $1 AND s.id = $3 AND (s.state = 'revoked') = ($17 <> '')`,
		doc.ID, doc.SettlementID, string(doc.Kind), doc.series, doc.place, doc.Number, string(doc.IssuedOn), int64(doc.Net), int64(doc.VAT),
		int64(doc.Gross), doc.contentSealed, doc.fileSealed,
		doc.IssuedAt, doc.IssuedBy, string(doc.AuthorityState), doc.Corrects)
	if err != nil {
		return err
	}
	if n == 0 {
		return settlements.ErrRevoked.With("number", c.Settlement)
	}
	if doc.AuthorityState == Waiting {
		return EnqueueSend(tx)
	}
	return nil
}

func (d *Service) opened(tx *db.Tx, sealed string) (c content, err error) {
	text, err := d.Vault.Unseal(tx.Actor.Tenant, contentPurpose, sealed)
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(text, &c)
}
