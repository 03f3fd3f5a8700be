package billing

import "saldo/internal/platform/pdf"

// attached is the file that is attached to the PDF, and what the PDF says of it.
//
// A German invoice and its Storno are hybrids (ZUGFeRD, the same as Factur-X): the file inside is the invoice, the page its other
// form, and both are sent as one.
//
// In Poland the invoice is what KSeF took, and the PDF shows it. The file goes inside once KSeF has given its number: before
// that, or when it is refused, whoever found it would take for an invoice what is none. It is no part of EN 16931: the PDF says
// nothing of Factur-X then. A bill has no file.
func (p *PDFDocument) attached() (*pdf.Attachment, *pdf.Schema) {
	title := p.of("billing:document."+string(p.doc.Kind)) + " " + p.doc.Number
	switch {
	case len(p.file) == 0:
		return nil, nil
	case p.fixture.Instance.Code == "de":
		return pdf.FacturX(title, p.file)
	case p.doc.AuthorityState == Accepted:
		return &pdf.Attachment{Name: p.doc.AuthorityNumber + ".xml", About: title, Type: "text/xml", Relation: "Source", Content: p.file}, nil
	}
	return nil, nil
}
