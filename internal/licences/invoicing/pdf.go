package invoicing

import (
	"cmp"
	"fmt"

	"saldo/internal/billing/einvoice"
	"saldo/internal/kernel/colour"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/ksef"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/pdf"
)

// PDFDocument is everything that a printed document says.
type PDFDocument struct {
	instance config.Instance
	language i18n.Language
	doc      Document
	c        content
	file     []byte
	link     string // what its code leads to; empty: it has none
	ksef     string // number at KSeF of the invoice that it corrects; empty: none
}

// PDFDocument gathers what a document says, in the language of the instance.
func (s *Service) PDFDocument(tx *db.Tx, id string) (*PDFDocument, error) {
	doc, err := one(tx, ` AND id = $2`, id)
	if err != nil {
		return nil, err
	}
	p := &PDFDocument{instance: s.Instance, language: s.Language(), doc: doc}
	if p.c, err = s.opened(tx, &doc); err != nil {
		return nil, err
	}
	if doc.Kind == Correction {
		invoice, err := one(tx, ` AND order_id = $2 AND kind = 'invoice'`, doc.OrderID)
		if err != nil {
			return nil, err
		}
		p.ksef = invoice.AuthorityNumber
	}
	if !doc.HasFile() {
		return p, nil
	}
	if p.file, err = s.Vault.Unseal(tx.Actor.Tenant, filePurpose, doc.FileSealed); err != nil {
		return nil, err
	}
	if nip, err := official.ParseNIP(p.c.Seller.TaxID); err == nil && s.Instance.Code == "pl" {
		p.link = ksef.Production.InvoiceLink(nip, doc.IssuedOn, p.file)
	}
	return p, nil
}

// FileName is what the PDF is saved as.
func (p *PDFDocument) FileName() string { return p.doc.fileName("pdf") }

func (p *PDFDocument) of(key string, params ...any) string {
	return i18n.Of(p.language, key, params...)
}

func (p *PDFDocument) amount(a money.Amount) string { return i18n.Amount(p.language, a) }

// attached is the file inside of the PDF: in Germany the invoice itself, in Poland what KSeF took, once it has.
func (p *PDFDocument) attached(title string) (*pdf.Attachment, *pdf.Schema) {
	switch {
	case len(p.file) == 0:
		return nil, nil
	case p.instance.Code == "de":
		return pdf.FacturX(title, p.file)
	case p.doc.AuthorityState == Accepted:
		return &pdf.Attachment{Name: p.doc.AuthorityNumber + ".xml", About: title, Type: "text/xml", Relation: "Source", Content: p.file}, nil
	}
	return nil, nil
}

// PDF is the printed document. The same document gives the same bytes.
func (p *PDFDocument) PDF() ([]byte, error) {
	kind := p.of("licence-documents:document." + string(p.doc.Kind))
	about := pdf.Heading{Title: kind + " " + p.doc.Number, Author: p.c.Seller.Name, Language: string(p.language), At: p.doc.IssuedAt,
		Foot: kind + " " + p.doc.Number + " · " + p.of("licence-documents:document.ofOrder", "number", p.c.Order)}
	about.Attached, about.Schema = p.attached(about.Title)
	d := pdf.New(about)
	d.Letterhead(string(colour.Petrol), p.c.Seller.Name, nil, kind, []string{p.of("licence-documents:document.number", "number", p.doc.Number),
		p.of("licence-documents:document.issuedOn", "day", i18n.Day(p.language, p.doc.IssuedOn)),
		p.of("licence-documents:document.paidOn", "day", i18n.Day(p.language, p.c.PaidOn))})
	half := pdf.Width/2 - 4
	high := max(d.Party(pdf.Left, half, p.of("licence-documents:document.seller"), p.c.Seller.Name, p.about(p.c.Seller)),
		d.Party(pdf.Left+half+8, half, p.of("licence-documents:document.buyer"), p.c.Buyer.Name, p.about(p.c.Buyer)))
	d.Y += high + 7
	p.corrects(d)
	p.lines(d)
	p.total(d)
	p.notes(d)
	if err := p.code(d); err != nil {
		return nil, err
	}
	return d.Bytes(), nil
}

// about is how a party stands under its name: to another country with its number for trade within the Union.
func (p *PDFDocument) about(of Party) []string {
	lines, abroad := []string{of.Street, of.Place}, p.c.Buyer.Country != p.c.Seller.Country
	if abroad {
		lines[1] += ", " + of.Country
	}
	nip, err := official.ParseNIP(of.TaxID)
	_, number := official.ParseSteuernummer(of.TaxID)
	switch {
	case of.Country == "PL" && err == nil && abroad:
		return append(lines, p.of("licence-documents:document.vatId", "id", "PL"+string(nip)))
	case of.Country == "PL" && err == nil:
		return append(lines, p.of("licence-documents:document.taxId", "id", nip.Display()))
	case of.Country == "DE" && number == nil:
		return append(lines, p.of("licence-documents:document.taxNumber", "id", of.TaxID))
	}
	return append(lines, p.of("licence-documents:document.vatId", "id", of.TaxID))
}

// corrects names the invoice that a correction changes, and why.
func (p *PDFDocument) corrects(d *pdf.Document) {
	if p.c.Corrects == nil {
		return
	}
	parts := []string{p.of("licence-documents:document.corrects", "number", p.c.Corrects.Number, "day", i18n.Day(p.language,
		p.c.Corrects.IssuedOn))}
	if p.ksef != "" {
		parts = append(parts, p.of("licence-documents:document.correctsKsef", "number", p.ksef))
	}
	for _, text := range append(parts, p.of("licence-documents:document.reason", "reason", p.c.Reason)) {
		d.Paragraph(pdf.Style{Size: 9.5}, text)
		d.Y += 1
	}
	d.Y += 3
}

func (p *PDFDocument) rate(r einvoice.Rate) string {
	if r == einvoice.Reversed {
		return map[string]string{"pl": "np.", "de": "0\u00a0%"}[p.instance.Code]
	}
	return fmt.Sprintf("%d\u00a0%%", int(r))
}

// lines are what was sold; of a correction as it was, as it is now, and the difference.
func (p *PDFDocument) lines(d *pdf.Document) {
	sign := p.doc.Currency.Sign()
	row := func(text string, l Line, factor money.Amount) pdf.Row {
		quantity, price := fmt.Sprint(l.Quantity), p.amount(l.Price)
		if l.Quantity == 0 {
			quantity, price = "", ""
		}
		return pdf.Row{Cells: []pdf.Cell{{Text: text}, {Text: quantity}, {Text: price}, {Text: p.amount(factor * l.Net)}, {Text: p.rate(l.Rate)},
			{Text: p.amount(factor * l.VAT)}, {Text: p.amount(factor * l.gross())}}}
	}
	rows := []pdf.Row{row(p.c.Line.Text, p.c.Line, 1)}
	total := p.of("licence-documents:document.total")
	if p.doc.Kind == Correction {
		rows = []pdf.Row{row(p.of("licence-documents:document.before", "text", p.c.Line.Text), p.c.Line, 1)}
		left := Line{Text: p.c.Line.Text, Rate: p.c.Line.Rate}
		if p.c.Left != nil {
			left = *p.c.Left
		}
		rows = append(rows, row(p.of("licence-documents:document.after", "text", p.c.Line.Text), left, 1))
		total = p.of("licence-documents:document.difference")
	}
	rows = append(rows, pdf.Row{Total: true, Cells: []pdf.Cell{{Text: total}, {}, {}, {Text: p.amount(p.doc.Net)}, {},
		{Text: p.amount(p.doc.VAT)},
		{Text: p.amount(p.doc.Gross)}}})
	d.Table([]pdf.Column{{Title: p.of("licence-documents:document.item"), Width: 58, Names: true},
		{Title: p.of("licence-documents:document.quantity"), Width: 13, Right: true},
		{Title: p.of("licence-documents:document.price", "currency", sign), Width: 23, Right: true},
		{Title: p.of("licence-documents:document.net", "currency", sign), Width: 24, Right: true},
		{Title: p.of("licence-documents:document.rate"), Width: 13, Right: true},
		{Title: p.of("licence-documents:document.vat", "currency", sign), Width: 20, Right: true},
		{Title: p.of("licence-documents:document.gross", "currency", sign), Width: 23, Right: true}}, rows)
}

func (p *PDFDocument) total(d *pdf.Document) {
	d.Need(24)
	d.Y += 7
	amount, label := p.doc.Gross, p.of("licence-documents:document.paid")
	if p.doc.Kind == Correction {
		amount, label = -amount, p.of("licence-documents:document.refunded")
	}
	text := p.amount(amount) + "\u00a0" + p.doc.Currency.Sign()
	d.Text(pdf.Left, d.Y+1, 80, pdf.Style{Size: 11, Bold: true, Head: 2}, label)
	d.Text(pdf.Left+80, d.Y-0.5, pdf.Width-80, pdf.Style{Size: 20, Bold: true, Right: true}, text)
	wide := d.Measure(pdf.Style{Size: 20, Bold: true}, text)
	d.Rule(pdf.Right-wide, pdf.Right, d.Y+9.6, 0.35, pdf.Ink)
	d.Rule(pdf.Right-wide, pdf.Right, d.Y+10.5, 0.35, pdf.Ink)
	d.Y += 18
}

// notes are the words that the law wants, and how it was paid.
func (p *PDFDocument) notes(d *pdf.Document) {
	parts := []string{p.of("licence-documents:document.ofOrder", "number", p.c.Order)}
	if p.doc.Kind == Invoice {
		parts = append(parts, p.of("licence-documents:document.online"))
	}
	if p.c.Account != "" {
		parts = append(parts, p.of("licence-documents:document.account", "account", p.c.Account.Display()))
	}
	if p.c.Exempt != "" {
		parts = append(parts, p.c.Exempt)
	}
	for _, text := range parts {
		d.Paragraph(pdf.Style{Size: 9.5}, text)
		d.Y += 1
	}
}

// code leads whoever holds the printout to the invoice at the tax authority; without a number from there it says OFFLINE.
func (p *PDFDocument) code(d *pdf.Document) error {
	if p.doc.AuthorityState == Pending {
		d.Paragraph(pdf.Style{Size: 9, Colour: pdf.Grey}, p.of("licence-documents:document.pendingCode"))
	}
	if p.link == "" {
		return nil
	}
	return d.LinkCode(p.link, p.of("licence-documents:document.code"), cmp.Or(p.doc.AuthorityNumber, "OFFLINE"))
}
