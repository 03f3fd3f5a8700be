// Package pdf makes pages: text that can be copied out again, tables, lines, pictures and codes to scan. It knows no trade
// and no clock: the same input gives the same bytes.
package pdf

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/text/unicode/norm"
	"rsc.io/qr"
)

//go:embed font/NotoSans-Regular.ttf
var regular []byte

//go:embed font/NotoSans-Bold.ttf
var bold []byte

const (
	family = "noto"

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

// The colours of paper, beside the accent of whoever sends it.
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
}

func (s Style) height() float64 { return s.Size * point * leading }

// Heading is what a document says of itself.
type Heading struct {
	Title, Author string
	Language      string // two letters
	At            time.Time
	Foot          string // at the bottom of every page, beside its number
}

// Document is made from top to bottom: Y is where the next thing stands.
type Document struct {
	Y      float64
	f      *fpdf.Fpdf
	head   Heading
	picked Style // what the page writes with; zero: not known
}

// New begins a document with its first page.
func New(h Heading) *Document {
	f := fpdf.New("P", "mm", "A4", "")
	f.SetCatalogSort(true)
	f.SetCreationDate(h.At.UTC())
	f.SetModificationDate(h.At.UTC())
	f.SetProducer("Saldo", true)
	f.SetTitle(Clean(h.Title), true)
	f.SetAuthor(Clean(h.Author), true)
	f.SetLang(h.Language)
	f.SetAutoPageBreak(false, 0)
	f.AddUTF8FontFromBytes(family, "", regular)
	f.AddUTF8FontFromBytes(family, "B", bold)
	d := &Document{f: f, head: h}
	d.NewPage()
	return d
}

// NewPage goes on at the top of a new one.
func (d *Document) NewPage() {
	d.f.AddPage()
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
func (d *Document) foot(page, of int) {
	d.f.SetPage(page)
	d.picked = Style{}
	s := Style{Size: 7.5, Colour: Grey}
	d.Rule(Left, Right, bottom+4, 0.2, Line)
	d.Text(Left, bottom+5.5, Width-25, s, d.head.Foot)
	s.Right = true
	d.Text(Right-25, bottom+5.5, 25, s, fmt.Sprintf("%d/%d", page, of))
}

// Text writes within a box of a width and says how high it became. Y stays.
func (d *Document) Text(x, y, width float64, s Style, text string) float64 {
	s = s.filled()
	return d.lines(x, y, width, s, d.wrapped(Clean(text), width, s))
}

// Paragraph writes over the whole width from Y on.
func (d *Document) Paragraph(s Style, text string) {
	s = s.filled()
	for _, line := range d.wrapped(Clean(text), Width, s) {
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

// pick chooses font and colour for what is written next. Every choice is written into the page, so none is made twice.
func (d *Document) pick(s Style) {
	s.Right = false
	if s == d.picked {
		return
	}
	style := ""
	if s.Bold {
		style = "B"
	}
	d.f.SetFont(family, style, s.Size)
	d.f.SetTextColor(int(s.Colour.R), int(s.Colour.G), int(s.Colour.B))
	d.picked = s
}

// last is the last letter that the fonts have, but for U+FFFD.
const last = 0x2212

// advances are how far each letter goes, in thousandths of the size: of the regular font and of the bold one.
var advances = sync.OnceValue(func() *[2][last + 1]uint16 {
	all := &[2][last + 1]uint16{}
	f := fpdf.New("P", "mm", "A4", "")
	f.AddUTF8FontFromBytes(family, "", regular)
	f.AddUTF8FontFromBytes(family, "B", bold)
	for i, style := range []string{"", "B"} {
		f.SetFont(family, style, 10)
		for r := range rune(last + 1) {
			if shown(r) {
				all[i][r] = uint16(f.GetStringSymbolWidth(string(r)))
			}
		}
		all[i][0] = uint16(f.GetStringSymbolWidth("\ufffd"))
	}
	return all
})

// width is of a clean text.
func (d *Document) width(text string, s Style) float64 {
	font := &advances()[0]
	if s.Bold {
		font = &advances()[1]
	}
	total := 0
	for _, r := range text {
		if r > last {
			r = 0
		}
		total += int(font[r])
	}
	return float64(total) * s.Size * point / 1000
}

// Measure says how wide a text is on one line.
func (d *Document) Measure(s Style, text string) float64 { return d.width(Clean(text), s.filled()) }

func (d *Document) lines(x, y, width float64, s Style, lines []string) float64 {
	d.pick(s)
	for i, line := range lines {
		at := x
		if s.Right {
			at = x + width - d.width(line, s)
		}
		d.f.Text(at, y+float64(i)*s.height()+s.Size*point*1.03, line)
	}
	return float64(len(lines)) * s.height()
}

// wrapped breaks a text at its spaces, never at those that must not be broken; a word wider than the box is cut.
func (d *Document) wrapped(text string, width float64, s Style) (lines []string) {
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for word := range strings.SplitSeq(paragraph, " ") {
			for d.width(word, s) > width {
				runes := []rune(word)
				n := len(runes) - 1
				for n > 1 && d.width(string(runes[:n]), s) > width {
					n--
				}
				if line != "" {
					lines, line = append(lines, line), ""
				}
				if n < 1 {
					break // a single sign
				}
				lines, word = append(lines, string(runes[:n])), string(runes[n:])
			}
			switch joined := line + " " + word; {
			case line == "":
				line = word
			case d.width(joined, s) <= width:
				line = joined
			default:
				lines, line = append(lines, line), word
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// Rule draws a horizontal line of a thickness.
func (d *Document) Rule(from, to, y, thick float64, c Colour) {
	d.f.SetDrawColor(int(c.R), int(c.G), int(c.B))
	d.f.SetLineWidth(thick)
	d.f.Line(from, y, to, y)
}

// Bar fills a rectangle.
func (d *Document) Bar(x, y, width, height float64, c Colour) {
	d.f.SetFillColor(int(c.R), int(c.G), int(c.B))
	d.f.Rect(x, y, width, height, "F")
}

// Picture shows a PNG within a box, as large as it fits, at its left upper corner, and says how large it became. What is no
// picture is left out.
func (d *Document) Picture(png []byte, x, y, width, height float64) (w, h float64) {
	if len(png) == 0 || d.f.Err() {
		return 0, 0
	}
	options := fpdf.ImageOptions{ImageType: "PNG"}
	info := d.f.RegisterImageOptionsReader("picture", options, bytes.NewReader(png))
	if d.f.Err() || info == nil || info.Width() == 0 || info.Height() == 0 {
		d.f.ClearError()
		return 0, 0
	}
	scale := min(width/info.Width(), height/info.Height())
	w, h = info.Width()*scale, info.Height()*scale
	d.f.ImageOptions("picture", x, y, w, h, false, options, 0, "")
	return w, h
}

// Code draws a QR code of a side, with the white edge that readers need inside of it.
func (d *Document) Code(text string, x, y, side float64) error {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return fmt.Errorf("pdf: %w", err)
	}
	const edge = 4
	dot := side / float64(code.Size+2*edge)
	d.f.SetFillColor(0, 0, 0)
	for row := range code.Size {
		for from := 0; from < code.Size; from++ {
			to := from
			for to < code.Size && code.Black(to, row) {
				to++
			}
			if to > from {
				d.f.Rect(x+float64(from+edge)*dot, y+float64(row+edge)*dot, float64(to-from)*dot, dot, "F")
				from = to
			}
		}
	}
	return nil
}

// Bytes ends the document.
func (d *Document) Bytes() ([]byte, error) {
	for last, page := d.f.PageNo(), 1; page <= last; page++ {
		d.foot(page, last)
	}
	var out bytes.Buffer
	if err := d.f.Output(&out); err != nil {
		return nil, fmt.Errorf("pdf: %w", err)
	}
	return out.Bytes(), nil
}

// Clean is a text as the fonts can show it: signs that nobody sees are left out, letters that the fonts do not have become
// U+FFFD. Line breaks stay.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t' || r == '\u2009' || r == '\u202f':
			return '\u00a0'
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		case !shown(r):
			return '\ufffd'
		}
		return r
	}, norm.NFC.String(text))
}

// shown says whether the fonts have a letter; font/make.py has the same list.
func shown(r rune) bool {
	switch {
	case r >= 0x20 && r <= 0x7E, r >= 0xA0 && r <= 0x24F, r >= 0x400 && r <= 0x45F, r >= 0x490 && r <= 0x4FF, r >= 0x2010 && r <= 0x2015, r >= 0x2018 && r <= 0x201E:
		return true
	}
	switch r {
	case 0x2020, 0x2021, 0x2022, 0x2026, 0x2030, 0x2032, 0x2033, 0x2039, 0x203A, 0x20AC, 0x20B4, 0x2116, 0x2122, 0x2212, 0xFFFD:
		return true
	}
	return false
}
