package billing

import (
	"cmp"
	"fmt"
	"strings"

	"saldo/internal/billing/einvoice"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/pdf"
)

// PDFDocument is everything that a printed document says.
type PDFDocument struct {
	LogoKey string // of the partner's picture among the files; empty: none

	words
	fixture *Service
	doc     Document
	c       content
	colour  string
	link    string // what its code leads to; empty: it has none
	second  string // what the second code of an offline invoice leads to; empty: it has none
	file    []byte // as machines read it; empty: there is none

	correctsKSeF string // number at KSeF of the invoice that it corrects; empty: none
}

// PDFDocument gathers what a document says, in the language of the instance's offices.
func (d *Service) PDFDocument(tx *db.Tx, id string) (*PDFDocument, error) {
	doc, err := one(tx, ` AND b.id = $2`, id)
	if err != nil {
		return nil, err
	}
	c, err := d.opened(tx, doc.contentSealed)
	if err != nil {
		return nil, err
	}
	_, own, err := d.partner(tx)
	if err != nil {
		return nil, err
	}
	number := ""
	if doc.Corrects != "" {
		corrected, err := one(tx, ` AND b.id = $2`, doc.Corrects)
		if err != nil {
			return nil, err
		}
		number = corrected.AuthorityNumber
	}
	p := &PDFDocument{correctsKSeF: number, LogoKey: own.Logo, words: words{language: i18n.Language(d.Instance.Language)}, fixture: d,
		doc:    doc,
		c:      c,
		colour: own.Color}
	if !doc.HasFile() {
		return p, nil
	}
	if p.file, err = d.Vault.Unseal(tx.Actor.Tenant, filePurpose, doc.fileSealed); err != nil {
		return nil, err
	}
	if d.Instance.Code == "pl" {
		nip, err := official.ParseNIP(c.Seller.TaxID)
		if err != nil {
			return nil, err
		}
		p.link = d.codes().InvoiceLink(nip, doc.IssuedOn, p.file)
		if p.second, err = d.secondLink(tx, &doc, &c, p.file); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Codes are what the codes on the PDF lead to: of an invoice that KSeF has one, of an offline one two where a certificate signs the
// second.
func (p *PDFDocument) Codes() (links []string) {
	for _, link := range []string{p.link, p.second} {
		if link != "" {
			links = append(links, link)
		}
	}
	return links
}

// FileName is what the PDF is saved as.
func (p *PDFDocument) FileName() string { return p.doc.FileName("pdf") }

// PDF is the printed document. The same document gives the same bytes.
func (p *PDFDocument) PDF(logo []byte) ([]byte, error) {
	title := p.of("billing:document." + string(p.doc.Kind))
	kind := "billing:document.invoice"
	if p.doc.Kind == Bill {
		kind = "billing:document.bill"
	}
	about := pdf.Heading{Title: title + " " + p.doc.Number, Author: p.c.Buyer.Name, Language: string(p.language), At: p.doc.IssuedAt,
		Foot: title + " " + p.doc.Number + " · " + p.of("billing:document.ofSettlement", "number", fmt.Sprint(p.c.Settlement))}
	about.Attached, about.Schema = p.attached()
	d := pdf.New(about)
	d.Letterhead(p.colour, p.c.Buyer.Name, logo, title,
		[]string{p.of("statement:number", "number", p.doc.Number), p.of("billing:document.issuedOn", "day", i18n.Day(p.language, p.doc.IssuedOn)),
			p.of("billing:document.days", "days", i18n.Days(p.language, p.c.From, p.c.To))})
	p.cancelled(d)
	half := pdf.Width/2 - 4
	high := max(d.Party(pdf.Left, half, p.of(kind+".seller"), p.c.Seller.Name, p.about(p.c.Seller)),
		d.Party(pdf.Left+half+8, half, p.of(kind+".buyer"), p.c.Buyer.Name, p.about(p.c.Buyer)))
	d.Y += high + 7
	p.corrects(d)
	if p.doc.Kind == Bill && p.c.Contract != "" {
		d.Paragraph(pdf.Style{Size: 9.5}, p.of("billing:document.toContract", "number", p.c.Contract))
		d.Y += 3
	}
	for _, worked := range p.c.Hours {
		d.Paragraph(pdf.Style{Size: 9.5}, p.of("billing:document.hours", "month", worked.Month[5:]+"."+worked.Month[:4],
			"hours", fmt.Sprint(worked.Minutes/60), "minutes", fmt.Sprintf("%02d", worked.Minutes%60)))
		d.Y += 2
	}
	p.lines(d)
	p.total(d)
	p.notes(d)
	if err := p.code(d); err != nil {
		return nil, err
	}
	if p.doc.Kind == Bill {
		p.signatures(d)
	}
	return d.Bytes(), nil
}

func (p *PDFDocument) about(of Party) []string {
	lines := []string{of.Street, of.Place}
	if strings.HasPrefix(of.TaxID, "DE") {
		lines = append(lines, p.of("billing:document.vatId", "id", of.TaxID))
	} else if _, err := official.ParseSteuernummer(of.TaxID); err == nil && p.fixture.Instance.Code == "de" {
		lines = append(lines, p.of("billing:document.taxNumber", "id", of.TaxID))
	} else if of.TaxID != "" {
		lines = append(lines, p.of("billing:statement.taxId", "id", p.fixture.shownTaxID(of.TaxID)))
	}
	return lines
}

// cancelled says at the top that the document no longer holds, and what took its place.
func (p *PDFDocument) cancelled(d *pdf.Document) {
	var heading, why string
	day := i18n.Day(p.language, calendar.DateOf(p.doc.CancelledAt, p.fixture.Instance.Location(), 0))
	switch {
	case p.doc.AuthorityState == Withdrawn:
		heading, why = p.of("billing:document.withdrawn"), p.of("billing:document.withdrawnWhy", "number", p.doc.CorrectsNumber)
	case p.doc.CancelledAt.IsZero():
		return
	case p.doc.CorrectedBy != "":
		heading, why = p.of("billing:document.corrected"), p.of("billing:document.correctedWhy", "day", day, "number", p.doc.CorrectedBy)
	default:
		heading, why = p.of("billing:document.cancelled"), p.of("billing:document.cancelledWhy", "day", day)
	}
	d.Rule(pdf.Left, pdf.Right, d.Y, 0.5, pdf.Danger)
	d.Y += 2
	d.Paragraph(pdf.Style{Size: 13, Bold: true, Colour: pdf.Danger, Head: 2}, heading)
	d.Paragraph(pdf.Style{Size: 9, Colour: pdf.Danger}, why)
	d.Y += 2
	d.Rule(pdf.Left, pdf.Right, d.Y, 0.5, pdf.Danger)
	d.Y += 5
}

// corrects names the invoice that a correction takes back, and why.
func (p *PDFDocument) corrects(d *pdf.Document) {
	if p.c.Corrects == nil {
		return
	}
	parts := []string{p.of("billing:document.corrects", "number", p.c.Corrects.Number, "day", i18n.Day(p.language, p.c.Corrects.IssuedOn))}
	if p.correctsKSeF != "" {
		parts = append(parts, p.of("billing:document.correctsKsef", "number", p.correctsKSeF))
	}
	for _, text := range append(parts, p.of("billing:document.correctionWhy", "reason", p.c.Reason)) {
		d.Paragraph(pdf.Style{Size: 9.5}, text)
		d.Y += 1
	}
	d.Y += 3
}

func (p *PDFDocument) rate(r einvoice.Rate) string {
	if r == einvoice.Free {
		return p.of("billing:document.free")
	}
	return fmt.Sprintf("%d\u00a0%%", int(r))
}

func (p *PDFDocument) lines(d *pdf.Document) {
	sign := p.doc.Currency.Sign()
	if p.doc.Kind == Bill {
		rows := []pdf.Row{}
		for i, l := range p.c.Lines {
			rows = append(rows, pdf.Row{Cells: []pdf.Cell{{Text: fmt.Sprint(i + 1)}, {Text: l.Text}, {Text: p.amount(l.Net)}}})
		}
		rows = append(rows, pdf.Row{Total: true, Cells: []pdf.Cell{{}, {Text: p.of("billing:statement.total")}, {Text: p.amount(p.doc.Gross)}}})
		d.Table([]pdf.Column{{Title: p.of("billing:document.place"), Width: 10},
			{Title: p.of("billing:document.service"), Width: 124, Names: true},
			{Title: p.of("statement:amountIn", "currency", sign), Width: 40, Right: true}}, rows)
		return
	}
	rows, quantity, factor := []pdf.Row{}, "1", money.Amount(1)
	if p.doc.Kind == Correction {
		quantity, factor = "\u22121", -1
	}
	for i, l := range p.c.Lines {
		rows = append(rows, pdf.Row{Cells: []pdf.Cell{{Text: fmt.Sprint(i + 1)}, {Text: l.Text}, {Text: quantity},
			{Text: p.amount(factor * l.Net)}, {Text: p.rate(l.Rate)}, {Text: p.amount(factor * l.VAT)},
			{Text: p.amount(factor * (l.Net + l.VAT))}}})
	}
	rows = append(rows, pdf.Row{Total: true,
		Cells: []pdf.Cell{{}, {Text: p.of("billing:statement.total")}, {}, {Text: p.amount(p.doc.Net)}, {}, {Text: p.amount(p.doc.VAT)},
			{Text: p.amount(p.doc.Gross)}}})
	d.Table([]pdf.Column{{Title: p.of("billing:document.place"), Width: 9}, {Title: p.of("billing:document.service"), Width: 60, Names: true},
		{Title: p.of("billing:document.quantity"), Width: 13, Right: true},
		{Title: p.of("billing:document.net", "currency", sign), Width: 26, Right: true},
		{Title: p.of("billing:document.rate"), Width: 16, Right: true},
		{Title: p.of("billing:document.vat", "currency", sign), Width: 22, Right: true},
		{Title: p.of("billing:document.gross", "currency", sign), Width: 28, Right: true}}, rows)
}

func (p *PDFDocument) total(d *pdf.Document) {
	d.Need(24)
	d.Y += 7
	amount := p.amount(p.doc.Gross) + "\u00a0" + p.doc.Currency.Sign()
	label := p.of("billing:document.toPay")
	if p.doc.Kind == Correction {
		label = p.of("billing:document.correctsHowMuch")
	}
	d.Text(pdf.Left, d.Y+1, 80, pdf.Style{Size: 11, Bold: true, Head: 2}, label)
	if p.language == i18n.Polish && p.doc.Gross > 0 {
		d.Text(pdf.Left, d.Y+6.5, 100, pdf.Style{Size: 9, Colour: pdf.Grey}, p.of("billing:document.inWords", "words", inPolish(p.doc.Gross)))
	}
	d.Text(pdf.Left+80, d.Y-0.5, pdf.Width-80, pdf.Style{Size: 20, Bold: true, Right: true}, amount)
	wide := d.Measure(pdf.Style{Size: 20, Bold: true}, amount)
	d.Rule(pdf.Right-wide, pdf.Right, d.Y+9.6, 0.35, pdf.Ink)
	d.Rule(pdf.Right-wide, pdf.Right, d.Y+10.5, 0.35, pdf.Ink)
	d.Y += 18
}

// notes are the words that the law wants, and where the money goes.
func (p *PDFDocument) notes(d *pdf.Document) {
	parts := []string{}
	switch {
	case p.doc.Kind == Correction:
	case p.c.Account == "":
		parts = append(parts, p.of("billing:document.cash"))
	default:
		parts = append(parts, p.of("billing:document.account", "account", p.c.Account.Display()))
	}
	if p.c.PayBy != "" {
		parts = append(parts, p.of("billing:document.payBy", "day", i18n.Day(p.language, p.c.PayBy)))
	}
	if p.doc.Kind != Bill {
		parts = append(parts, p.of("billing:document.selfBilled"))
		if p.c.Exempt != "" {
			parts = append(parts, p.of("billing:document.exempt", "law", p.c.Exempt))
		}
		if p.c.Split {
			parts = append(parts, p.of("billing:document.split"))
		}
	}
	for _, text := range parts {
		d.Paragraph(pdf.Style{Size: 9.5}, text)
		d.Y += 1
	}
}

// code leads whoever holds the printout to the invoice at the tax authority; without a number from there it says OFFLINE.
func (p *PDFDocument) code(d *pdf.Document) error {
	if p.doc.AuthorityState == Pending {
		d.Paragraph(pdf.Style{Size: 9, Colour: pdf.Grey}, p.of("billing:document.pendingCode"))
	}
	if p.link == "" {
		return nil
	}
	if err := d.LinkCode(p.link, p.of("billing:document.code"), cmp.Or(p.doc.AuthorityNumber, "OFFLINE")); err != nil {
		return err
	}
	if p.second == "" {
		return nil
	}
	const large = 50 // the signature makes it dense
	d.Need(large + 14)
	if err := d.Code(p.second, p.of("billing:document.secondCode"), pdf.Left, d.Y, large); err != nil {
		return err
	}
	d.Text(pdf.Left+large+4, d.Y+4, pdf.Width-large-4, pdf.Style{Size: 9, Bold: true}, p.of("billing:document.secondCode"))
	d.Text(pdf.Left, d.Y+large, 90, pdf.Style{Size: 9, Bold: true}, "CERTYFIKAT")
	d.Y += large + 7
	return nil
}

func (p *PDFDocument) signatures(d *pdf.Document) {
	d.Need(30)
	d.Y += 22
	for i, key := range []string{"billing:document.bill.seller", "billing:document.bill.buyer"} {
		from := pdf.Left + float64(i)*100
		d.Rule(from, from+74, d.Y, 0.2, pdf.Grey)
		d.Text(from, d.Y+1, 74, pdf.Style{Size: 7.5, Colour: pdf.Grey}, p.of("billing:document.signature")+", "+p.of(key))
	}
	d.Y += 8
}
