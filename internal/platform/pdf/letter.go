package pdf

// Letterhead is the top of every document: a colour, a logo or name, and what it is.
func (d *Document) Letterhead(colour, name string, logo []byte, title string, below []string) {
	d.Bar(Left, 9, Width, 1.2, ParseColour(colour))
	d.Y = 15
	if w, _ := d.Picture(logo, name, Left, d.Y, 52, 17); w == 0 {
		d.Text(Left, d.Y+0.5, 85, Style{Size: 13, Bold: true}, name)
	}
	high := d.Text(Left+85, d.Y, Width-85, Style{Size: 16, Bold: true, Right: true, Head: 1}, title)
	for _, text := range below {
		high += d.Text(Left+85, d.Y+high, Width-85, Style{Size: 9.5, Colour: Grey, Right: true}, text)
	}
	d.Y += max(high, 19) + 5
}

// Party writes a heading, a name and lines under it, and says how high it became.
func (d *Document) Party(x, width float64, heading, name string, lines []string) float64 {
	high := d.Text(x, d.Y, width, Style{Size: 7.5, Colour: Grey, Head: 2}, heading)
	high += d.Text(x, d.Y+high, width, Style{Size: 10.5, Bold: true}, name)
	for _, text := range lines {
		if text != "" {
			high += d.Text(x, d.Y+high, width, Style{Size: 9}, text)
		}
	}
	return high
}

// LinkCode draws a code that leads to a link, with a title and the link beside it and a text below. What follows stands under it.
func (d *Document) LinkCode(link, title, below string) error {
	const side = 36
	d.Need(side + 14)
	d.Y += 5
	if err := d.Code(link, title, Left, d.Y, side); err != nil {
		return err
	}
	d.Text(Left+side+4, d.Y+4, Width-side-4, Style{Size: 9, Bold: true}, title)
	d.Text(Left+side+4, d.Y+9, Width-side-4, Style{Size: 7.5, Colour: Grey}, link)
	d.Text(Left, d.Y+side, 90, Style{Size: 9, Bold: true}, below)
	d.Y += side + 7
	return nil
}

// facturX is how the file inside of a hybrid invoice is called.
const facturX = "factur-x.xml"

// FacturX is the file inside of a hybrid invoice (ZUGFeRD), and what the PDF says of it. The file is the invoice, the page its other form.
func FacturX(about string, file []byte) (*Attachment, *Schema) {
	return &Attachment{Name: facturX, About: about, Type: "text/xml", Relation: "Alternative", Content: file},
		&Schema{Title: "Factur-X PDFA Extension Schema", Namespace: "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#", Prefix: "fx",
			Fields: []Field{
				{Name: "DocumentFileName", Value: facturX, About: "name of the invoice file inside"},
				{Name: "DocumentType", Value: "INVOICE", About: "what the document is"},
				{Name: "Version", Value: "1.0", About: "version of the standard of the file inside"},
				{Name: "ConformanceLevel", Value: "EN 16931", About: "profile of the file inside"},
			}}
}
