package template

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"saldo/internal/platform/pdf"
)

// The kinds of placements.
const (
	PlacedText      = "text"
	PlacedCheck     = "check"
	PlacedSignature = "signature"
)

// The limits of placements: how many there are, their sizes in millimetres, and that of letters in points.
const (
	PlacementsMost = 300
	placedLeast    = 2.0
	signedWide     = 15.0
	signedHigh     = 6.0
	lettersMost    = 36.0
	tolerance      = 0.05
)

// Placement is where a value stands on a page of a partner's PDF: in millimetres from the left upper corner of the page as it is shown.
type Placement struct {
	Name string  `json:"name" maxLength:"60" doc:"placeholder, box to tick, or who signs"`
	Kind string  `json:"kind" enum:"text,check,signature"`
	Page int     `json:"page" minimum:"1" maximum:"40"`
	X    float64 `json:"x" doc:"mm from the left"`
	Y    float64 `json:"y" doc:"mm from the top"`
	W    float64 `json:"w"`
	H    float64 `json:"h"`
	Size float64 `json:"size" required:"false" doc:"of letters in points, at most; 0: 10"`
}

// Placements are kept as JSON.
type Placements []Placement

// Scan reads them back.
func (p *Placements) Scan(value any) error { return scanJSON(value, p) }

// Stored is how they are kept.
func (p Placements) Stored() string {
	text, err := json.Marshal(append([]Placement{}, p...))
	if err != nil {
		panic(err) // numbers that were checked, and texts
	}
	return string(text)
}

// PageLines are the lines of each page; they are kept as JSON too.
type PageLines [][]Line

// Scan reads them back.
func (l *PageLines) Scan(value any) error { return scanJSON(value, l) }

func scanJSON(value, into any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("this is stored as text, found %T", value)
	}
	return json.Unmarshal([]byte(text), into)
}

// Base is a partner's PDF.
type Base struct {
	Sheets *pdf.Sheets
	Lines  PageLines // what its pages say
}

// Line is a line of a page, with its left edge, the middle of its height and its width in millimetres.
type Line struct {
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
	W    float64 `json:"w,omitempty"` // 0: it was not kept, in PDFs until November 2026
	Text string  `json:"text"`
}

// Rounded is a placement in tenths of a millimetre and quarters of a point, as it is kept.
func (p Placement) Rounded() Placement {
	for _, n := range []*float64{&p.X, &p.Y, &p.W, &p.H} {
		*n = math.Round(*n*10) / 10
	}
	p.Size = math.Round(cmp.Or(p.Size, 10)*4) / 4
	return p
}

// Wrong names the part of a placement that cannot be on pages of these sizes, in millimetres; empty: none.
func (p Placement) Wrong(pages [][2]float64) string {
	least := [2]float64{placedLeast, placedLeast}
	known := Names
	switch p.Kind {
	case PlacedText:
	case PlacedCheck:
		known = Boxes
	case PlacedSignature:
		known, least = []string{string(Driver), string(Partner)}, [2]float64{signedWide, signedHigh}
	default:
		return "kind"
	}
	if !slices.Contains(known, p.Name) {
		return "name"
	}
	if p.Page < 1 || p.Page > len(pages) {
		return "page"
	}
	if !(p.Size >= pdf.LeastSize && p.Size <= lettersMost) {
		return "size"
	}
	page := pages[p.Page-1]
	inside := p.X >= 0 && p.Y >= 0 && p.X+p.W <= page[0]+tolerance && p.Y+p.H <= page[1]+tolerance
	if !(inside && p.W >= least[0] && p.H >= least[1]) { // what is no number is not inside
		return "box"
	}
	return ""
}

// Room finds a placement whose value does not fit into its box. -1: all fit.
func (d Document) Room() int {
	if d.Base == nil {
		return -1
	}
	measure := pdf.New(pdf.Heading{})
	return slices.IndexFunc(d.Placed, func(p Placement) bool {
		if p.Kind != PlacedText {
			return false
		}
		_, _, ok := measure.Fits(p.W, p.H, pdf.Style{Size: p.Size}, d.value(p))
		return !ok
	})
}

func (d Document) value(p Placement) string {
	return strings.Join(strings.Fields(d.Values.Texts[p.Name]), " ")
}

// placed writes values over the pages of a partner's PDF. The order is that of reading: pages, and on each from the top.
func (w writer) placed() {
	for n := range w.of.Base.Sheets.Pages() {
		w.Sheet(w.of.Base.Sheets, n)
		for _, p := range w.of.on(n + 1) {
			w.place(p)
		}
	}
}

func (d Document) on(page int) (all []Placement) {
	for _, p := range d.Placed {
		if p.Page == page {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b Placement) int { return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X)) })
	return all
}

func (w writer) place(p Placement) {
	switch p.Kind {
	case PlacedText:
		w.Fitted(p.X, p.Y, p.W, p.H, pdf.Style{Size: p.Size}, w.of.value(p))
	case PlacedCheck:
		if w.of.Values.Ticks[p.Name] {
			const cross = 0.72 // of the size: how high and about how wide it is
			side := min(p.W, p.H)
			s := pdf.Style{Size: side / cross * 72 / 25.4, Bold: true}
			wide := w.Measure(s, "X")
			if wide > p.W {
				s.Size, wide = s.Size*p.W/wide, p.W
			}
			high := s.Size * cross * 25.4 / 72
			// letters stand on a line that is 1.03 of their size below the top of their box
			w.Text(p.X+(p.W-wide)/2, p.Y+(p.H-high)/2+high-1.03*s.Size*25.4/72, wide+1, s, "X")
		}
	case PlacedSignature:
		picture := w.of.Signatures[Side(p.Name)]
		if picture == nil {
			picture = blank()
		}
		scale := min(p.W/BoxWidth, p.H/BoxHeight)
		wide, high := BoxWidth*scale, BoxHeight*scale
		w.Picture(picture, w.of.Signers[Side(p.Name)], p.X+(p.W-wide)/2, p.Y+(p.H-high)/2, wide, high)
	}
}

// sameRow is how far the middles of things on one row lie apart at most, in millimetres.
const sameRow = 2.0

// baseLines are the words of the pages with the values among them.
func (d Document) baseLines() (lines []string) {
	for n := range d.Base.Sheets.Pages() {
		var said, values []Line
		if n < len(d.Base.Lines) {
			said = d.Base.Lines[n]
		}
		for _, p := range d.on(n + 1) {
			if text := d.wordsOf(p); text != "" {
				values = append(values, Line{X: p.X, Y: p.Y + p.H/2, W: p.W, Text: text})
			}
		}
		lines = append(lines, inOrder(said, values)...)
	}
	return lines
}

func (d Document) wordsOf(p Placement) string {
	switch {
	case p.Kind == PlacedText:
		return d.value(p)
	case p.Kind == PlacedSignature:
		return d.Signers[Side(p.Name)]
	case d.Values.Ticks[p.Name]:
		return "☒"
	}
	return "☐"
}

// rows joins what stands beside each other, from the left.
func rows(all []Line) (lines []string) {
	slices.SortStableFunc(all, func(a, b Line) int { return cmp.Compare(a.Y, b.Y) })
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].Y-all[from].Y <= sameRow {
			to++
		}
		row := all[from:to]
		slices.SortStableFunc(row, func(a, b Line) int { return cmp.Compare(a.X, b.X) })
		words := make([]string, len(row))
		for i := range row {
			words[i] = row[i].Text
		}
		lines = append(lines, strings.Join(words, " "))
		from = to
	}
	return lines
}
