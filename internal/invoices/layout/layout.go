// Package layout lays the words of a page out as a reader sees them: in rows, in cells that stand apart, and under heads of columns. It
// knows the words that stand beside values on invoices, but not what any value means.
package layout

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Box is a place on a page, in parts of its width and height, from the top left.
type Box struct {
	X0 float64 `json:"x0"`
	Y0 float64 `json:"y0"`
	X1 float64 `json:"x1"`
	Y1 float64 `json:"y1"`
}

// Word is a piece of text without blanks.
type Word struct {
	Text string  `json:"text"`
	Page int     `json:"page"` // counts from 1
	Box  Box     `json:"box"`
	Sure float64 `json:"sure"` // 1 for the text of a PDF, what the engine says for a picture
}

// Size is that of a page, in points or pixels.
type Size struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Token is a word, or a part of one that was glued to its label, with its place in units that are the same in both directions.
type Token struct {
	Raw, Norm      string // Norm: folded, and repaired where a picture was read
	Page           int
	X0, Y0, X1, Y1 float64
	Box            Box
	Sure           float64
	Row            int // of all pages
	Cell           int // of all rows: a part of a row that stands apart
	Value          bool
}

// Height is that of its letters.
func (t Token) Height() float64 { return t.Y1 - t.Y0 }

// Span is some tokens that follow each other.
type Span struct{ From, To int } // To: behind the last

// Between is the tokens from one on, up to before another.
func Between(from, to int) Span { return Span{from, to} }

// Cell is the one that the first of the tokens stands in.
func (p Span) Cell(s *Sheet) int { return s.Tokens[p.From].Cell }

// Row is the one that they stand in.
func (p Span) Row(s *Sheet) int { return s.Tokens[p.From].Row }

// Sheet is a document laid out in rows and cells. Tokens stand in the order of reading: row by row, from left to right.
type Sheet struct {
	Tokens []Token
	Rows   []Span
	Cells  []Span
	OCR    bool   // some words are of a picture
	All    string // folded text of it all
}

// Fold makes text comparable: lower case, without marks. It keeps the number of runes, so that places stay known.
func Fold(text string) string {
	return strings.Map(func(r rune) rune {
		switch r = unicode.ToLower(r); r {
		case 'ą', 'ä', 'á', 'à', 'â':
			return 'a'
		case 'ć', 'č':
			return 'c'
		case 'ę', 'é', 'è', 'ë':
			return 'e'
		case 'ł':
			return 'l'
		case 'ń':
			return 'n'
		case 'ó', 'ö', 'ô':
			return 'o'
		case 'ś', 'ß', 'š':
			return 's'
		case 'ü', 'ú', 'ů':
			return 'u'
		case 'ź', 'ż', 'ž':
			return 'z'
		case '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212':
			return '-'
		case '\u00a0', '\u202f', '\u2009':
			return ' '
		}
		return r
	}, text)
}

// Of lays words out. Upright words, such as those along a margin, are left out: they belong to no row.
func Of(words []Word, pages []Size) *Sheet {
	s := &Sheet{}
	for _, w := range words {
		if w.Sure < 1 {
			s.OCR = true
		}
	}
	for _, w := range words {
		text := strings.TrimSpace(w.Text)
		if text == "" || w.Page < 1 || !(w.Box.X1 > w.Box.X0) || !(w.Box.Y1 > w.Box.Y0) { // also refuses what is no number
			continue
		}
		width, height := 1.0, 1.414
		if w.Page <= len(pages) && pages[w.Page-1].Width > 0 && pages[w.Page-1].Height > 0 {
			height = pages[w.Page-1].Height / pages[w.Page-1].Width
		}
		t := Token{Raw: text, Page: w.Page, X0: w.Box.X0 * width, X1: w.Box.X1 * width, Y0: w.Box.Y0 * height, Y1: w.Box.Y1 * height,
			Box: w.Box, Sure: w.Sure}
		if runes := len([]rune(text)); runes >= 4 && t.Height() > 1.8*(t.X1-t.X0) {
			continue
		}
		s.Tokens = append(s.Tokens, split(t)...)
	}
	s.intoRows()
	s.joinSpaced()
	for i := range s.Tokens {
		t := &s.Tokens[i]
		t.Norm = Fold(t.Raw)
		if s.OCR {
			t.Norm = repaired(t.Norm)
		}
	}
	var all strings.Builder
	for i, t := range s.Tokens {
		if i > 0 && t.Row != s.Tokens[i-1].Row {
			all.WriteByte('\n')
		}
		all.WriteString(t.Norm)
		all.WriteByte(' ')
	}
	s.All = all.String()
	return s
}

var (
	// A label and its value without a blank between them, as some engines and some programs leave them.
	gluedColon = regexp.MustCompile(`^(.*\p{L}[.)]?[:=])([\p{L}\d€*-].*)$`)
	gluedLabel = regexp.MustCompile(`(?i)^((?:.*?(?:nip|nr\.?|numer|no\.|data|dnia|den|vom|datum|ust-?id-?nr\.?|przebieg|pln|eur|zł|` +
		`€))[.:]?)(\d.*)$`)
	gluedUnit = regexp.MustCompile(`(?i)^([-+]?[\d.,\s']*\d)(zł\.?|zl\.?|pln|eur|euro|€|km)([.,;]?)$`)
	// The name of an amount and the amount: cells of a table may stand close.
	gluedAmount = regexp.MustCompile(`^(\p{L}{3}[\p{L}.-]*)([-+]?\d{1,3}(?:[.']?\d{3})*,\d{2})$`)
	gluedRate   = regexp.MustCompile(`^(\d{1,2}(?:[.,]\d{1,2})?%)(\p{L}.*|\d.*)$`)
)

// split cuts a word where a label and a value, or an amount and its unit, are glued.
func split(t Token) []Token {
	for _, cut := range []*regexp.Regexp{gluedColon, gluedLabel, gluedAmount, gluedUnit, gluedRate} {
		m := cut.FindStringSubmatchIndex(t.Raw)
		if m == nil || m[4] < 0 || strings.Contains(t.Raw, "://") || m[3] == 0 {
			continue
		}
		if cut == gluedLabel && strings.ContainsAny(t.Raw[:m[3]], "0123456789/-") && !strings.HasPrefix(Fold(t.Raw), "ust") {
			continue
		}
		share := float64(len([]rune(t.Raw[:m[3]]))) / float64(len([]rune(t.Raw)))
		a, b := t, t
		a.Raw, b.Raw = t.Raw[:m[3]], t.Raw[m[3]:]
		a.X1 = t.X0 + share*(t.X1-t.X0)
		a.Box.X1 = t.Box.X0 + share*(t.Box.X1-t.Box.X0)
		b.X0, b.Box.X0 = a.X1, a.Box.X1
		return append(split(a), split(b)...)
	}
	return []Token{t}
}

// intoRows sorts tokens into rows, each followed from left to right so that it may slope, and rows into cells.
func (s *Sheet) intoRows() {
	order := slices.Clone(s.Tokens)
	slices.SortStableFunc(order, func(a, b Token) int {
		return cmp.Or(cmp.Compare(a.Page, b.Page), cmp.Compare(a.X0, b.X0), cmp.Compare(a.Y0, b.Y0))
	})
	type line struct {
		page int
		toks []Token
	}
	var lines []*line
	for _, t := range order {
		var best *line
		near := math.Inf(1)
		for _, l := range lines {
			last := l.toks[len(l.toks)-1]
			if l.page != t.Page || t.X0 < last.X0+0.3*math.Min(last.X1-last.X0, t.X1-t.X0) {
				continue
			}
			over := math.Min(last.Y1, t.Y1) - math.Max(last.Y0, t.Y0)
			apart := math.Abs(last.Y0+last.Y1-t.Y0-t.Y1) / 2
			if over >= 0.45*math.Min(last.Height(), t.Height()) && apart < near && apart < 0.75*math.Min(last.Height(), t.Height())+
				0.1*math.Max(last.Height(), t.Height()) {
				best, near = l, apart
			}
		}
		if best == nil {
			best = &line{page: t.Page}
			lines = append(lines, best)
		}
		best.toks = append(best.toks, t)
	}
	middle := func(l *line) float64 { return (l.toks[0].Y0 + l.toks[0].Y1) / 2 }
	slices.SortStableFunc(lines, func(a, b *line) int {
		return cmp.Or(cmp.Compare(a.page, b.page), cmp.Compare(middle(a), middle(b)), cmp.Compare(a.toks[0].X0, b.toks[0].X0))
	})
	s.Tokens, s.Rows, s.Cells = s.Tokens[:0], nil, nil
	for row, l := range lines {
		begin, cell := len(s.Tokens), len(s.Tokens)
		for i, t := range l.toks {
			if i > 0 {
				last := l.toks[i-1]
				if t.X0-last.X1 > 1.5*math.Min(last.Height(), t.Height()) {
					s.Cells = append(s.Cells, Span{cell, len(s.Tokens)})
					cell = len(s.Tokens)
				}
			}
			t.Row, t.Cell = row, len(s.Cells)
			s.Tokens = append(s.Tokens, t)
		}
		s.Cells = append(s.Cells, Span{cell, len(s.Tokens)})
		s.Rows = append(s.Rows, Span{begin, len(s.Tokens)})
	}
}

// joinSpaced joins headlines that are set with blanks between the letters: F A K T U R A.
func (s *Sheet) joinSpaced() {
	for i := 0; i < len(s.Tokens); i++ {
		end := i
		for end < len(s.Tokens) && s.Tokens[end].Cell == s.Tokens[i].Cell && len([]rune(s.Tokens[end].Raw)) == 1 &&
			unicode.IsLetter([]rune(s.Tokens[end].Raw)[0]) {
			end++
		}
		if end-i >= 5 {
			var joined strings.Builder
			for k := i; k < end; k++ {
				joined.WriteString(s.Tokens[k].Raw)
				if k > i {
					s.Tokens[k].Raw = ""
				}
			}
			s.Tokens[i].Raw = joined.String()
		}
		i = max(i, end-1)
	}
}
