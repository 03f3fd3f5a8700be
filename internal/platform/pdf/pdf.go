// Package pdf makes pages: text that can be copied out again, tables, lines, pictures and codes to scan. It knows no trade
// and no clock: the same input gives the same bytes.
//
// Every document is PDF/A-3 of level A and PDF/UA-1: it holds its fonts and colours, and it is tagged. What is written is a
// heading, a paragraph, a table or a figure in a tree, in the order in which it is written; lines, bars, feet and the heads of
// a table that goes on are marked as no content.
package pdf

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"rsc.io/qr"
)

const (
	// Left and Right are where the content begins and ends, in millimetres of an A4 page.
	Left, Right = 18.0, 192.0
	// Width is between them.
	Width = Right - Left

	top, bottom = 16.0, 278.0
	point       = 25.4 / 72
	leading     = 1.36 // height of a line over the size of its letters
)

// Colour is red, green and blue.
type Colour struct{ R, G, B uint8 }

// The colours of a page, beside the accent of whoever sends it.
var (
	Ink    = Colour{0x12, 0x17, 0x1D}
	Grey   = Colour{0x5F, 0x69, 0x77}
	Line   = Colour{0xD5, 0xDA, 0xE0}
	Danger = Colour{0xB4, 0x23, 0x18}
)

// ParseColour reads #RRGGBB; anything else is Ink.
func ParseColour(text string) (c Colour) {
	if n, err := fmt.Sscanf(text, "#%02x%02x%02x", &c.R, &c.G, &c.B); n != 3 || err != nil {
		return Ink
	}
	return c
}

// Style is how a text looks. The zero value is small, plain ink.
type Style struct {
	Size   float64 // points; 0: 9
	Bold   bool
	Colour Colour // zero: Ink
	Right  bool   // ends at the right of its box
	Head   int    // it is a heading of this level, 1 to 3; 0: a paragraph
}

func (s Style) height() float64 { return s.Size * point * leading }

// face is which of the two fonts it is.
func (s Style) face() int {
	if s.Bold {
		return 1
	}
	return 0
}

// role is what a text of this style is.
func (s Style) role() role {
	if s.Head > 0 {
		return heading1 + role(min(s.Head, 3)-1)
	}
	return plainText
}

// Heading is what a document says of itself.
type Heading struct {
	Title, Author string
	Language      string // two letters
	At            time.Time
	Foot          string // at the bottom of every page, beside its number
	Attached      *Attachment
	Schema        *Schema // what else it says; nil: nothing
}

// Document is made from top to bottom: Y is where the next thing stands.
type Document struct {
	Y        float64
	head     Heading
	pages    []*page
	on       *page       // what is drawn goes here
	needs    [2]alphabet // of each font
	pictures []*picture
	sheets   []*Sheets
	parts    []int // the last page of each part but the last

	elements []element // the first is the document
	open     int32     // what is written goes into this one
	beside   string    // how what is written is marked that is no content; empty: it is content
	marks    []mark
	figures  []shown
}

// New begins a document with its first page.
func New(h Heading) *Document {
	d := &Document{head: h, elements: make([]element, 1, 256)}
	d.NewPage()
	return d
}

// NewPage goes on at the top of a new one.
func (d *Document) NewPage() {
	d.on = &page{content: make([]byte, 0, 16<<10), number: int32(len(d.pages)), wide: paperWidth, high: paperHeight}
	d.pages = append(d.pages, d.on)
	d.Y = top
}

// Need goes on a new page where less than so many millimetres are left, and says whether it did.
func (d *Document) Need(height float64) bool {
	if d.Y+height <= bottom {
		return false
	}
	d.NewPage()
	return true
}

// foot writes what stands at the bottom of each page.
func (d *Document) foot(number int) {
	d.on, d.beside = d.pages[number-1], footer
	s := Style{Size: 7.5, Colour: Grey}
	d.Rule(Left, Right, bottom+4, 0.2, Line)
	d.write(Left, bottom+5.5, Width-25, s, d.head.Foot)
	s.Right = true
	n, of := d.numbered(number)
	d.write(Right-25, bottom+5.5, 25, s, fmt.Sprintf("%d/%d", n, of))
	d.on.leave()
}

// Text writes within a box of a width and says how high it became. Y stays.
func (d *Document) Text(x, y, width float64, s Style, text string) float64 {
	if text != "" {
		d.begin(s.role())
		defer d.done()
	}
	return d.write(x, y, width, s, text)
}

// write is Text within the open element.
func (d *Document) write(x, y, width float64, s Style, text string) float64 {
	s = s.filled()
	return d.lines(x, y, width, s, wrapped(Clean(text), width, s))
}

// Paragraph writes over the whole width from Y on.
func (d *Document) Paragraph(s Style, text string) {
	s = s.filled()
	d.begin(s.role())
	defer d.done()
	for _, line := range wrapped(Clean(text), Width, s) {
		d.Need(s.height())
		d.Y += d.lines(Left, d.Y, Width, s, []string{line})
	}
}

func (s Style) filled() Style {
	if s.Size == 0 {
		s.Size = 9
	}
	if s.Colour == (Colour{}) {
		s.Colour = Ink
	}
	return s
}

// units is how wide a clean text is, in thousandths of its size.
func units(text string, f *face) (total int) {
	for _, r := range text {
		total += int(f.advance[code(r)])
	}
	return total
}

func millimetres(units int, s Style) float64 { return float64(units) * s.Size * point / 1000 }

// Measure says how wide a text is on one line.
func (d *Document) Measure(s Style, text string) float64 {
	s = s.filled()
	return millimetres(units(Clean(text), faceOf(s)), s)
}

func (d *Document) lines(x, y, width float64, s Style, lines []string) float64 {
	if len(lines) == 0 || len(lines) == 1 && lines[0] == "" {
		return float64(len(lines)) * s.height()
	}
	f := faceOf(s)
	d.enter()
	d.on.pick(s)
	for i, line := range lines {
		at := x
		if s.Right {
			at = x + width - millimetres(units(strings.TrimSuffix(line, " "), f), s)
		}
		d.on.text(at, y+float64(i)*s.height()+s.Size*point*1.03, line)
		need := &d.needs[s.face()]
		for _, r := range line {
			*need = max(*need, f.wider[code(r)])
		}
	}
	return float64(len(lines)) * s.height()
}

// wrapped breaks a clean text at its spaces, never at those that must not be broken; a word wider than the box is cut. A line
// keeps the space at which it was broken: who copies the text out gets words.
func wrapped(text string, width float64, s Style) (lines []string) {
	f := faceOf(s)
	space := int(f.advance[' '])
	fits := func(units int) bool { return millimetres(units, s) <= width }
	for paragraph := range strings.SplitSeq(text, "\n") {
		if len(lines) > 0 {
			lines[len(lines)-1] += " "
		}
		from, to, wide := 0, 0, 0 // the line so far
		for at := 0; at <= len(paragraph); {
			end := len(paragraph)
			if n := strings.IndexByte(paragraph[at:], ' '); n >= 0 {
				end = at + n
			}
			word := units(paragraph[at:end], f)
			for !fits(word) {
				if to > from {
					lines = append(lines, paragraph[from:to+1])
				}
				n, part := maximum(paragraph[at:end], f, fits)
				from, to = at+n, at+n
				if at+n == end {
					from, to = at, at
					break // a single sign
				}
				lines = append(lines, paragraph[at:at+n])
				at, word = at+n, word-part
			}
			switch {
			case from == to:
				from, to, wide = at, end, word
			case fits(wide + space + word):
				to, wide = end, wide+space+word
			default:
				lines = append(lines, paragraph[from:to+1])
				from, to, wide = at, end, word
			}
			at = end + 1
		}
		lines = append(lines, paragraph[from:to])
	}
	return lines
}

// maximum is how many bytes of a word fit, and how wide they are: one letter at least.
func maximum(word string, f *face, fits func(int) bool) (n, wide int) {
	for at, r := range word {
		next := wide + int(f.advance[code(r)])
		if at > 0 && !fits(next) {
			return at, wide
		}
		wide = next
	}
	return len(word), wide
}

// Rule draws a horizontal line of a thickness.
func (d *Document) Rule(from, to, y, thick float64, c Colour) {
	d.on.enterBeside(cmp.Or(d.beside, decoration))
	d.on.rule(from, to, y, thick, c)
}

// Bar fills a rectangle.
func (d *Document) Bar(x, y, width, height float64, c Colour) {
	d.on.enterBeside(decoration)
	d.on.bar(x, y, width, height, c)
}

// Check draws a box of a side with or without a cross. What it says is for whoever does not see which of both it is.
func (d *Document) Check(x, y, side float64, crossed bool, says string) {
	const thick = 0.25
	defer d.figure(says, x, y, side, side)()
	for _, edge := range [][4]float64{{0, 0, side, thick}, {0, side - thick, side, thick}, {0, 0, thick, side},
		{side - thick, 0, thick, side}} {
		d.on.bar(x+edge[0], y+edge[1], edge[2], edge[3], Ink)
	}
	if crossed {
		s := Style{Size: side / point * 0.937, Bold: true, Colour: Ink}
		d.lines(x+0.234*side, y-0.094*side, side, s, []string{"X"})
	}
}

// Picture shows a PNG within a box, as large as it fits, at its left upper corner, and says how large it became. What is no
// picture is left out. What it says to whoever does not see it goes with it; nothing: it is decoration.
func (d *Document) Picture(png []byte, says string, x, y, width, height float64) (w, h float64) {
	p := pictureOf(png)
	if p == nil {
		return 0, 0
	}
	scale := min(width/float64(p.width), height/float64(p.height))
	w, h = float64(p.width)*scale, float64(p.height)*scale
	defer d.figure(says, x, y, w, h)()
	d.on.picture(len(d.pictures), x, y, w, h)
	d.pictures = append(d.pictures, p)
	return w, h
}

// Code draws a QR code of a side, with the white edge that readers need inside of it, and with words for whoever does not see it.
func (d *Document) Code(text, says string, x, y, side float64) error {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return fmt.Errorf("pdf: %w", err)
	}
	defer d.figure(says, x, y, side, side)()
	const edge = 4
	dot := side / float64(code.Size+2*edge)
	for row := range code.Size {
		for from := 0; from < code.Size; from++ {
			to := from
			for to < code.Size && code.Black(to, row) {
				to++
			}
			if to > from {
				d.on.bar(x+float64(from+edge)*dot, y+float64(row+edge)*dot, float64(to-from)*dot, dot, Colour{})
				from = to
			}
		}
	}
	return nil
}

// Bytes ends the document.
func (d *Document) Bytes() []byte {
	for i, p := range d.pages {
		if p.under == nil {
			d.foot(i + 1)
		} else {
			p.leave()
		}
	}
	return d.file()
}

// Clean is a text as the fonts can show it: signs that nobody sees are left out, letters that the fonts do not have become
// U+FFFD. Line breaks stay.
func Clean(text string) string {
	clean := true // none of the fonts' letters is joined with another by a normal form
	for _, r := range text {
		if r != '\n' && !has(r) {
			clean = false
			break
		}
	}
	if clean {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t' || r == '\u2009' || r == '\u202f':
			return '\u00a0'
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		case !has(r):
			return missing
		}
		return r
	}, norm.NFC.String(text))
}
