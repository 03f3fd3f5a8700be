package template

import (
	"bytes"
	"cmp"
	"image"
	"image/png"
	"strings"
	"sync"
	"time"

	"saldo/internal/platform/pdf"
)

// Signatures stand in boxes of this size, in millimetres, and are pictures of this size, in pixels. One size for all: a page is the same
// whether it is signed or not.
const (
	BoxWidth, BoxHeight         = 50.0, 25.0
	PictureWidth, PictureHeight = 600, 300
)

// missing stands for a value that was not given.
const missing = "……………………"

// Values are what placeholders and boxes stand for.
type Values struct {
	Texts map[string]string
	Ticks map[string]bool
}

// Document is a text with everything that goes into its pages.
type Document struct {
	Template   *Template
	Title      string
	Language   string // two letters
	Values     Values
	Signers    map[Side]string // whose place to sign it is
	Signatures map[Side][]byte // pictures; nil: not signed
	Ticked     string          // what a box to tick says to whoever does not see that it is; nothing: X
	Empty      string          // and that it is not; nothing: a dash
	Gloss      string          // what it is about, in another language; empty: nothing
	GlossIn    string          // two letters
	Evidence   *Evidence       // the page after the last; nil: none

	Base   *Base // a partner's PDF instead of a text
	Placed []Placement
}

// File is what several documents have in common.
type File struct {
	Author string
	At     time.Time
	Foot   string
	Draft  string // stands across each page; empty: nothing
}

var blank = sync.OnceValue(func() []byte {
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewNRGBA(image.Rect(0, 0, PictureWidth, PictureHeight))); err != nil {
		panic(err) // memory takes everything
	}
	return out.Bytes()
})

// Make makes one PDF of documents, each with its own page numbers, and says how many pages each has, without its evidence.
func Make(f File, documents ...Document) (content []byte, pages []int) {
	first := documents[0]
	d := pdf.New(pdf.Heading{Title: first.Title, Author: f.Author, Language: first.Language, At: f.At, Foot: f.Foot})
	for i := range documents {
		if i > 0 {
			d.Part()
		}
		before := d.Pages() - 1
		w := writer{d, &documents[i]}
		w.all()
		pages = append(pages, d.Pages()-before)
		if documents[i].Evidence != nil {
			d.Part()
			documents[i].Evidence.write(d)
		}
	}
	if f.Draft != "" {
		d.Across(f.Draft)
	}
	return d.Bytes(), pages
}

type writer struct {
	*pdf.Document
	of *Document
}

var (
	body     = pdf.Style{Size: 9.5}
	small    = pdf.Style{Size: 8, Colour: pdf.Grey}
	headings = []pdf.Style{{Size: 15, Bold: true, Head: 1}, {Size: 11, Bold: true, Head: 2}, {Size: 9.5, Bold: true, Head: 3}}
)

const (
	lineHeight = 4.6            // of the body, in millimetres
	signHeight = BoxHeight + 14 // of a place to sign with its captions
)

func (w writer) all() {
	if w.of.Base != nil {
		w.placed()
		return
	}
	blocks := w.of.Template.blocks
	for i := 0; i < len(blocks); i++ {
		b := &blocks[i]
		switch b.kind {
		case heading:
			w.heading(b, i == 0)
			if i == 0 && w.of.Gloss != "" {
				w.Y++
				w.Runs(pdf.Left, pdf.Width, small, "", []pdf.Run{{Text: w.of.Gloss}})
				w.Y += 2
			}
		case paragraph:
			runs := w.runs(b.spans)
			if i+1 < len(blocks) && blocks[i+1].kind == signature { // no page has nothing but a place to sign
				w.Need(w.HeightOf(pdf.Width, body, runs) + 1.8 + signHeight)
			}
			w.Runs(pdf.Left, pdf.Width, body, "", runs)
			w.Y += 1.8
		case item:
			x := pdf.Left + 7 + float64(b.level)*7
			w.Runs(x, pdf.Right-x, body, b.label, w.runs(b.spans))
			w.Y += 0.9
		case check:
			w.check(b)
		case rule:
			w.Need(6)
			w.Y += 2
			w.Rule(pdf.Left, pdf.Right, w.Y, 0.2, pdf.Line)
			w.Y += 3
		case table:
			w.table(b)
		case newPage:
			w.NewPage()
		case signature:
			beside := i+1 < len(blocks) && blocks[i+1].kind == signature
			w.signature(b, pdf.Left, !beside)
			if beside {
				i++
				w.signature(&blocks[i], pdf.Right-80, true)
			}
		}
	}
}

// runs fills values in. What is not given is a dotted line.
func (w writer) runs(spans []span) []pdf.Run {
	runs := make([]pdf.Run, len(spans))
	for i, s := range spans {
		runs[i] = pdf.Run{Text: s.text, Bold: s.bold}
		if s.name != "" {
			if runs[i].Text = strings.Join(strings.Fields(w.of.Values.Texts[s.name]), " "); runs[i].Text == "" {
				runs[i].Text = missing
			}
		}
	}
	return runs
}

func text(runs []pdf.Run) string {
	var all strings.Builder
	for _, r := range runs {
		all.WriteString(r.Text)
	}
	return all.String()
}

func (w writer) heading(b *block, first bool) {
	s := headings[b.level-1]
	runs := w.runs(b.spans)
	if !first {
		w.Y += 2.2
	}
	w.Need(w.HeightOf(pdf.Width, s, runs) + 3*lineHeight) // a heading stays with what it is about
	w.Runs(pdf.Left, pdf.Width, s, "", runs)
	w.Y += 1.6
}

func (w writer) check(b *block) {
	const side, x = 3.2, pdf.Left + 7
	runs := w.runs(b.spans)
	w.Need(min(w.HeightOf(pdf.Right-x, body, runs), 3*lineHeight) + 1)
	says, ticked := cmp.Or(w.of.Empty, "–"), w.of.Values.Ticks[b.name]
	if ticked {
		says = cmp.Or(w.of.Ticked, "X")
	}
	w.Check(pdf.Left+1, w.Y+0.6, side, ticked, says)
	w.Runs(x, pdf.Right-x, body, "", runs)
	w.Y += 1.2
}

func (w writer) table(b *block) {
	if len(b.rows) == 0 {
		return
	}
	n := len(b.rows[0])
	columns := make([]pdf.Column, n)
	for i := range columns {
		columns[i] = pdf.Column{Title: text(w.runs(b.rows[0][i])), Width: pdf.Width / float64(n), Names: i == 0}
	}
	if n == 2 {
		columns[0].Width, columns[1].Width = pdf.Width*0.36, pdf.Width*0.64
	}
	var rows []pdf.Row
	for _, row := range b.rows[1:] {
		if w.unknown(row) {
			continue
		}
		cells := make([]pdf.Cell, n)
		for i, spans := range row {
			cells[i] = pdf.Cell{Text: text(w.runs(spans)), Style: pdf.Style{Size: 9, Bold: len(spans) > 0 && spans[0].bold}}
		}
		rows = append(rows, pdf.Row{Cells: cells})
	}
	if len(rows) > 0 {
		w.Y++
		w.Table(columns, rows)
		w.Y += 3
	}
}

// unknown says whether a row has placeholders and none of them a value.
func (w writer) unknown(row [][]span) bool {
	asked := false
	for _, spans := range row {
		for _, s := range spans {
			if s.name != "" {
				asked = true
				if strings.TrimSpace(w.of.Values.Texts[s.name]) != "" {
					return false
				}
			}
		}
	}
	return asked
}

// signature is a place to sign: a picture over a line, and under it whose it is. With the picture the page has the same marks as without.
func (w writer) signature(b *block, x float64, last bool) {
	const width = 80.0
	caption := text(w.runs(b.spans))
	if caption == "" {
		caption = w.of.Signers[b.side]
	}
	name := w.of.Signers[b.side]
	w.Need(signHeight)
	picture := w.of.Signatures[b.side]
	if picture == nil {
		picture = blank()
	}
	w.Picture(picture, caption+": "+name, x+(width-BoxWidth)/2, w.Y, BoxWidth, BoxHeight)
	w.Rule(x, x+width, w.Y+BoxHeight+0.5, 0.25, pdf.Ink)
	high := w.Text(x, w.Y+BoxHeight+1.5, width, pdf.Style{Size: 8.5}, caption)
	if caption != name && name != "" {
		high += w.Text(x, w.Y+BoxHeight+1.5+high, width, small, name)
	}
	if last {
		w.Y += BoxHeight + 4 + max(high, 8)
	}
}

// Lines are the words of a document without their pages, for who cannot see these; headings begin with #.
func Lines(d Document) (lines []string) {
	if d.Base != nil {
		return d.baseLines()
	}
	w := writer{nil, &d}
	for i := range d.Template.blocks {
		b := &d.Template.blocks[i]
		words := text(w.runs(b.spans))
		switch b.kind {
		case heading:
			lines = append(lines, strings.Repeat("#", b.level)+" "+words)
			if i == 0 && d.Gloss != "" {
				lines = append(lines, d.Gloss)
			}
		case paragraph:
			lines = append(lines, words)
		case item:
			lines = append(lines, b.label+" "+words)
		case check:
			box := "☐ "
			if d.Values.Ticks[b.name] {
				box = "☒ "
			}
			lines = append(lines, box+words)
		case table:
			for n, row := range b.rows {
				if n == 0 || w.unknown(row) {
					continue
				}
				cells := make([]string, len(row))
				for c, spans := range row {
					cells[c] = text(w.runs(spans))
				}
				lines = append(lines, strings.Join(cells, ": "))
			}
		case signature:
			lines = append(lines, strings.TrimSpace(words+" "+d.Signers[b.side]))
		case rule, newPage:
		}
	}
	return lines
}

// Evidence is the page that says how a document was signed. Its texts are in the language of the document.
type Evidence struct {
	Title   string
	Note    string
	Facts   [][2]string
	Signers []SignerFacts
	Heads   []string // of the events: when, what, who, from where
	Events  [][]string
	Sums    [][2]string // what can be compared, each on lines of its own
	Address string      // where the document can be checked; a code to scan has it too
	Scan    string      // what the code says to whoever does not see it
}

// SignerFacts is one who signed.
type SignerFacts struct {
	Name    string
	Picture []byte
	Says    string // of the picture
	Facts   [][2]string
}

func (e *Evidence) write(d *pdf.Document) {
	d.Runs(pdf.Left, pdf.Width-40, headings[0], "", []pdf.Run{{Text: e.Title}})
	if e.Address != "" {
		// an address of a few dozen letters always fits into a code
		_ = d.Code(e.Address, e.Scan, pdf.Right-32, 14, 32)
	}
	d.Y++
	d.Runs(pdf.Left, pdf.Width-40, small, "", []pdf.Run{{Text: e.Note}})
	d.Y = max(d.Y+3, 50)
	facts := func(x, width float64, all [][2]string) {
		for _, f := range all {
			d.Runs(x, width, pdf.Style{Size: 8.5}, "", []pdf.Run{{Text: f[0] + ": ", Bold: true}, {Text: f[1]}})
		}
	}
	facts(pdf.Left, pdf.Width, e.Facts)
	for _, s := range e.Signers {
		d.Y += 3
		d.Need(BoxHeight + 8)
		d.Runs(pdf.Left, pdf.Width, headings[1], "", []pdf.Run{{Text: s.Name}})
		top := d.Y
		if s.Picture != nil {
			d.Picture(s.Picture, s.Says, pdf.Right-BoxWidth, top, BoxWidth, BoxHeight)
		}
		facts(pdf.Left, pdf.Width-BoxWidth-4, s.Facts)
		if s.Picture != nil {
			d.Y = max(d.Y, top+BoxHeight)
		}
	}
	d.Y += 4
	for _, s := range e.Sums {
		d.Need(10)
		d.Runs(pdf.Left, pdf.Width, pdf.Style{Size: 8, Bold: true}, "", []pdf.Run{{Text: s[0]}})
		d.Runs(pdf.Left, pdf.Width, pdf.Style{Size: 8}, "", []pdf.Run{{Text: s[1]}})
		d.Y++
	}
	if len(e.Events) > 0 {
		d.Y += 4
		columns := []pdf.Column{{Width: 38}, {Width: 80}, {Width: 22}, {Width: pdf.Width - 140}}
		for i := range columns {
			columns[i].Title = e.Heads[i]
		}
		rows := make([]pdf.Row, len(e.Events))
		for i, event := range e.Events {
			rows[i].Cells = make([]pdf.Cell, len(columns))
			for n := range columns {
				rows[i].Cells[n] = pdf.Cell{Text: event[n], Style: pdf.Style{Size: 7.5}}
			}
		}
		d.Table(columns, rows)
	}
}
