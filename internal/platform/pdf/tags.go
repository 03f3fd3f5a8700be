package pdf

import (
	"fmt"
	"strconv"
)

// role is what a part of a document is to whoever does not see it.
type role uint8

const (
	wholeDocument role = iota
	heading1
	heading2
	heading3
	plainText
	figure
	table
	tableRow
	columnHead
	rowHead
	groupHead // of the rows below it, over all columns
	dataCell
)

var roleNames = [...]string{"Document", "H1", "H2", "H3", "P", "Figure", "Table", "TR", "TH", "TH", "TH", "TD"}

// What is drawn beside the content: lines and bars, the foot of each page, heads of a table that stand again.
const (
	decoration = "/Artifact BMC\n"
	footer     = "/Artifact<</Type/Pagination/Subtype/Footer>>BDC\n"
	repetition = "/Artifact<</Type/Pagination/Subtype/Header>>BDC\n"
)

// element is a part of the document in the order in which it is read. Elements name one another by their places in the list.
type element struct {
	parent, next int32 // next: that the parent has after it; 0: none
	first, last  int32 // of its own; 0: none
	marks, to    int32 // which of the document's marks are its content
	n            int32 // of a group's head the columns, of a figure its place
	role         role
	language     string // empty: the document's
}

// mark is content on a page that belongs to an element.
type mark struct{ page, id int32 }

// shown is a figure: what it says to whoever does not see it, and where it stands, in points.
type shown struct {
	says string
	box  [4]float64
}

// begin opens an element inside of the open one.
func (d *Document) begin(r role) *element {
	at := int32(len(d.elements))
	parent := &d.elements[d.open]
	if parent.first == 0 {
		parent.first = at
	} else {
		d.elements[parent.last].next = at
	}
	parent.last = at
	d.elements = append(d.elements, element{parent: d.open, role: r})
	d.open = at
	return &d.elements[at]
}

// done closes the open element.
func (d *Document) done() { d.open = d.elements[d.open].parent }

// enter makes what is drawn next the content of the open element, or what stands beside the content.
func (d *Document) enter() {
	p := d.on
	if d.beside != "" {
		p.enterBeside(d.beside)
		return
	}
	if p.in == d.open && p.beside == "" {
		return
	}
	p.leave()
	p.in = d.open
	e, id := &d.elements[d.open], len(p.owners)
	p.content = append(append(append(p.content, '/'), roleNames[e.role]...), "<</MCID "...)
	p.content = append(strconv.AppendInt(p.content, int64(id), 10), ">>BDC\n"...)
	p.owners = append(p.owners, d.open)
	if e.to == 0 {
		e.marks = int32(len(d.marks))
	}
	d.marks = append(d.marks, mark{p.number, int32(id)})
	e.to = int32(len(d.marks))
}

func (p *page) enterBeside(what string) {
	if p.beside != what {
		p.leave()
		p.beside = what
		p.content = append(p.content, what...)
	}
}

// leave ends what was entered.
func (p *page) leave() {
	if p.in != 0 || p.beside != "" {
		p.content = append(p.content, "EMC\n"...)
	}
	p.in, p.beside = 0, ""
}

// figure begins a picture that says something; without words it is decoration. What it returns ends it.
func (d *Document) figure(says string, x, y, width, height float64) (end func()) {
	if says == "" {
		d.on.enterBeside(decoration)
		return func() {}
	}
	d.begin(figure).n = int32(len(d.figures))
	left, low := d.on.x(x), d.on.y(y+height)
	d.figures = append(d.figures, shown{says, [4]float64{left, low, left + width/point, low + height/point}})
	d.enter()
	return d.done
}

// reference writes the number of an object.
func reference(b []byte, n int) []byte { return append(strconv.AppendInt(b, int64(n), 10), " 0 R"...) }

// element writes one as an object of a file, whose pages and elements are numbered from some numbers on.
func (d *Document) element(b []byte, e *element, pagesFrom, elementsFrom int) []byte {
	b = append(append(append(b, "<</S/"...), roleNames[e.role]...), "/P "...)
	if e.role == wholeDocument {
		b = reference(b, tree)
	} else {
		b = reference(b, elementsFrom+int(e.parent))
	}
	if e.language != "" {
		b = append(append(append(b, "/Lang("...), e.language...), ')')
	}
	switch e.role {
	case columnHead:
		b = append(b, "/A<</O/Table/Scope/Column>>"...)
	case rowHead:
		b = append(b, "/A<</O/Table/Scope/Row>>"...)
	case groupHead:
		b = fmt.Appendf(b, "/A<</O/Table/Scope/Row/ColSpan %d>>", e.n)
	case figure:
		is := d.figures[e.n]
		b = append(append(b, "/Alt"...), pdfString(is.says)...)
		b = fmt.Appendf(b, "/A<</O/Layout/Placement/Block/BBox[%.2f %.2f %.2f %.2f]>>", is.box[0], is.box[1], is.box[2], is.box[3])
	}
	switch marks := d.marks[e.marks:e.to]; {
	case len(marks) == 1:
		b = reference(append(b, "/Pg "...), pagesFrom+2*int(marks[0].page))
		b = strconv.AppendInt(append(b, "/K "...), int64(marks[0].id), 10)
	case len(marks) > 1:
		b = append(b, "/K["...)
		for _, m := range marks {
			b = reference(append(b, "<</Type/MCR/Pg "...), pagesFrom+2*int(m.page))
			b = append(strconv.AppendInt(append(b, "/MCID "...), int64(m.id), 10), ">>"...)
		}
		b = append(b, ']')
	case e.first != 0:
		b = append(b, "/K["...)
		for kid := e.first; kid != 0; kid = d.elements[kid].next {
			b = append(reference(b, elementsFrom+int(kid)), ' ')
		}
		b = append(b, ']')
	}
	return append(b, ">>"...)
}

// owners says of each mark of each page which element it is of.
func (d *Document) owners(elementsFrom int) []byte {
	b := []byte("<</Nums[")
	for i, p := range d.pages {
		b = append(strconv.AppendInt(b, int64(i), 10), '[')
		for _, of := range p.owners {
			b = append(reference(b, elementsFrom+int(of)), ' ')
		}
		b = append(b, ']')
	}
	return append(b, "]>>"...)
}
