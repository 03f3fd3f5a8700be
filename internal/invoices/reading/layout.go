package reading

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// token is a word, or a part of one that was glued to its label, with its place in units that are the same in both directions.
type token struct {
	raw, norm      string // norm: folded, and repaired where a picture was read
	page           int
	x0, y0, x1, y1 float64
	box            Box
	sure           float64
	row            int // of all pages
	cell           int // of all rows: a part of a row that stands apart
	value          bool
}

func (t token) height() float64 { return t.y1 - t.y0 }

// sheet is a document laid out in rows and cells. Tokens stand in the order of reading: row by row, from left to right.
type sheet struct {
	toks  []token
	rows  [][2]int // first token and the one behind the last
	cells [][2]int
	ocr   bool
	all   string // folded text of it all
	hints Hints
}

// fold makes text comparable: lower case, without marks. It keeps the number of runes, so that places stay known.
func fold(text string) string {
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

// newSheet lays words out. Upright words, such as those along a margin, are left out: they belong to no row.
func newSheet(words []Word, pages []Page, hints Hints) *sheet {
	s := &sheet{hints: hints}
	for _, w := range words {
		if w.Sure < 1 {
			s.ocr = true
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
		t := token{raw: text, page: w.Page, x0: w.Box.X0 * width, x1: w.Box.X1 * width, y0: w.Box.Y0 * height, y1: w.Box.Y1 * height,
			box: w.Box, sure: w.Sure}
		if runes := len([]rune(text)); runes >= 4 && t.height() > 1.8*(t.x1-t.x0) {
			continue
		}
		s.toks = append(s.toks, split(t)...)
	}
	s.intoRows()
	s.joinSpaced()
	for i := range s.toks {
		t := &s.toks[i]
		t.norm = fold(t.raw)
		if s.ocr {
			t.norm = repaired(t.norm)
		}
	}
	var all strings.Builder
	for i, t := range s.toks {
		if i > 0 && t.row != s.toks[i-1].row {
			all.WriteByte('\n')
		}
		all.WriteString(t.norm)
		all.WriteByte(' ')
	}
	s.all = all.String()
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
func split(t token) []token {
	for _, cut := range []*regexp.Regexp{gluedColon, gluedLabel, gluedAmount, gluedUnit, gluedRate} {
		m := cut.FindStringSubmatchIndex(t.raw)
		if m == nil || m[4] < 0 || strings.Contains(t.raw, "://") || m[3] == 0 {
			continue
		}
		if cut == gluedLabel && strings.ContainsAny(t.raw[:m[3]], "0123456789/-") && !strings.HasPrefix(fold(t.raw), "ust") {
			continue
		}
		share := float64(len([]rune(t.raw[:m[3]]))) / float64(len([]rune(t.raw)))
		a, b := t, t
		a.raw, b.raw = t.raw[:m[3]], t.raw[m[3]:]
		a.x1 = t.x0 + share*(t.x1-t.x0)
		a.box.X1 = t.box.X0 + share*(t.box.X1-t.box.X0)
		b.x0, b.box.X0 = a.x1, a.box.X1
		return append(split(a), split(b)...)
	}
	return []token{t}
}

// intoRows sorts tokens into rows, each followed from left to right so that it may slope, and rows into cells.
func (s *sheet) intoRows() {
	order := slices.Clone(s.toks)
	slices.SortStableFunc(order, func(a, b token) int {
		return cmp.Or(cmp.Compare(a.page, b.page), cmp.Compare(a.x0, b.x0), cmp.Compare(a.y0, b.y0))
	})
	type line struct {
		page int
		toks []token
	}
	var lines []*line
	for _, t := range order {
		var best *line
		near := math.Inf(1)
		for _, l := range lines {
			last := l.toks[len(l.toks)-1]
			if l.page != t.page || t.x0 < last.x0+0.3*math.Min(last.x1-last.x0, t.x1-t.x0) {
				continue
			}
			over := math.Min(last.y1, t.y1) - math.Max(last.y0, t.y0)
			apart := math.Abs(last.y0+last.y1-t.y0-t.y1) / 2
			if over >= 0.45*math.Min(last.height(), t.height()) && apart < near && apart < 0.75*math.Min(last.height(), t.height())+
				0.1*math.Max(last.height(), t.height()) {
				best, near = l, apart
			}
		}
		if best == nil {
			best = &line{page: t.page}
			lines = append(lines, best)
		}
		best.toks = append(best.toks, t)
	}
	middle := func(l *line) float64 { return (l.toks[0].y0 + l.toks[0].y1) / 2 }
	slices.SortStableFunc(lines, func(a, b *line) int {
		return cmp.Or(cmp.Compare(a.page, b.page), cmp.Compare(middle(a), middle(b)), cmp.Compare(a.toks[0].x0, b.toks[0].x0))
	})
	s.toks, s.rows, s.cells = s.toks[:0], nil, nil
	for row, l := range lines {
		begin, cell := len(s.toks), len(s.toks)
		for i, t := range l.toks {
			if i > 0 {
				last := l.toks[i-1]
				if t.x0-last.x1 > 1.5*math.Min(last.height(), t.height()) {
					s.cells = append(s.cells, [2]int{cell, len(s.toks)})
					cell = len(s.toks)
				}
			}
			t.row, t.cell = row, len(s.cells)
			s.toks = append(s.toks, t)
		}
		s.cells = append(s.cells, [2]int{cell, len(s.toks)})
		s.rows = append(s.rows, [2]int{begin, len(s.toks)})
	}
}

// joinSpaced joins headlines that are set with blanks between the letters: F A K T U R A.
func (s *sheet) joinSpaced() {
	for i := 0; i < len(s.toks); i++ {
		end := i
		for end < len(s.toks) && s.toks[end].cell == s.toks[i].cell && len([]rune(s.toks[end].raw)) == 1 &&
			unicode.IsLetter([]rune(s.toks[end].raw)[0]) {
			end++
		}
		if end-i >= 5 {
			var joined strings.Builder
			for k := i; k < end; k++ {
				joined.WriteString(s.toks[k].raw)
				if k > i {
					s.toks[k].raw = ""
				}
			}
			s.toks[i].raw = joined.String()
		}
		i = max(i, end-1)
	}
}

// span is some tokens that follow each other.
type span struct{ from, to int } // to: behind the last

func (s *sheet) text(p span) string {
	parts := make([]string, 0, p.to-p.from)
	for _, t := range s.toks[p.from:p.to] {
		if t.norm != "" {
			parts = append(parts, t.norm)
		}
	}
	return strings.Join(parts, " ")
}

func (s *sheet) raw(p span) string {
	parts := make([]string, 0, p.to-p.from)
	for _, t := range s.toks[p.from:p.to] {
		if t.raw != "" {
			parts = append(parts, t.raw)
		}
	}
	return strings.Join(parts, " ")
}

// place is the box around tokens and the lowest confidence of them.
func (s *sheet) place(p span) (page int, box Box, sure float64) {
	first := s.toks[p.from]
	page, box, sure = first.page, first.box, first.sure
	for _, t := range s.toks[p.from:p.to] {
		box.X0, box.Y0 = math.Min(box.X0, t.box.X0), math.Min(box.Y0, t.box.Y0)
		box.X1, box.Y1 = math.Max(box.X1, t.box.X1), math.Max(box.Y1, t.box.Y1)
		sure = math.Min(sure, t.sure)
	}
	return page, box, sure
}

// mark notes that tokens are a value: no label is looked for in them.
func (s *sheet) mark(p span) {
	for i := p.from; i < p.to; i++ {
		s.toks[i].value = true
	}
}

// before is the text in the same cell between the value before and this one.
func (s *sheet) before(p span) string { return s.text(s.beforeSpan(p)) }

func (s *sheet) beforeSpan(p span) span {
	from := p.from
	for from > s.cells[s.toks[p.from].cell][0] && !s.toks[from-1].value {
		from--
	}
	return span{from, p.from}
}

// left is the text of the cell to the left, behind its last value; cells that are only values are passed by where values is true.
func (s *sheet) left(p span, values bool) string {
	row := s.rows[s.toks[p.from].row]
	end := s.cells[s.toks[p.from].cell][0]
	for end > row[0] {
		begin := s.cells[s.toks[end-1].cell][0]
		from := end
		for from > begin && !s.toks[from-1].value {
			from--
		}
		if text := s.text(span{from, end}); from < end && !unitWord.MatchString(text) {
			return text
		}
		if !values && from == end {
			return ""
		}
		end = begin
	}
	return ""
}

// over is the text that stands above in the same column: the nearest cell with text, joined with the one above it where they stand
// close. Values are passed by where values is true, as under the head of a table.
func (s *sheet) over(p span, rows int, values bool) string {
	me := p
	first, last := s.toks[p.from], s.toks[p.to-1]
	x0, x1, y := first.x0, last.x1, first.y0
	height := first.height()
	found := ""
	for r := first.row - 1; r >= 0 && rows > 0; r-- {
		row := s.rows[r]
		if s.toks[row[0]].page != first.page {
			break
		}
		p, ok := s.byOrder(row, me)
		if !ok || r != first.row-1 || values || s.anyValue(span{row[0], row[1]}) {
			p, ok = s.inColumn(row, x0, x1, height)
		}
		if !ok {
			continue
		}
		rows--
		gap := y - s.toks[p.from].y1
		if gap < -0.5*height {
			continue // a row that stands beside
		}
		limit := 3.5 * height
		if found != "" {
			limit = 0.8 * height
		} else if values {
			limit = math.Inf(1)
		}
		if gap > limit {
			break
		}
		if s.isValue(p) || s.valueOver(p, x0, x1) || !values && s.anyValue(p) { // a label beside its own value is no head
			if values {
				y = s.toks[p.from].y0
				continue
			}
			break
		}
		text := s.text(p)
		if !values && p.overlaps(s, x0, x1) {
			text = s.mine(p, me)
		}
		if found != "" {
			return text + " " + found
		}
		found, y = text, s.toks[p.from].y0
	}
	return found
}

func (p span) overlaps(s *sheet, x0, x1 float64) bool {
	return math.Min(x1, s.toks[p.to-1].x1) > math.Max(x0, s.toks[p.from].x0)
}

// mine are the words of a head that stand nearer to these tokens than to others of their row: heads may stand close to each other.
func (s *sheet) mine(head, me span) string {
	row := s.rows[me.row(s)]
	var words []string
	for _, h := range s.toks[head.from:head.to] {
		nearest, gap, over := -1, math.Inf(1), 0.0
		for i := row[0]; i < row[1]; i++ {
			t := s.toks[i]
			shared := math.Min(h.x1, t.x1) - math.Max(h.x0, t.x0)
			apart := math.Max(0, -shared)
			if apart < gap || apart == gap && shared > over {
				nearest, gap, over = i, apart, shared
			}
		}
		if nearest >= me.from && nearest < me.to && h.norm != "" {
			words = append(words, h.norm)
		}
	}
	return strings.Join(words, " ")
}

// phrases are the parts of a row that stand apart by more than a blank.
func (s *sheet) phrases(row [2]int) (all []span) {
	for from := row[0]; from < row[1]; {
		to := from + 1
		for to < row[1] && s.toks[to].x0-s.toks[to-1].x1 < 0.75*s.toks[to].height() {
			to++
		}
		all = append(all, span{from, to})
		from = to
	}
	return all
}

// byOrder is the head of a value by its place in its row, where a row above has as many parts: they may be set to other edges.
func (s *sheet) byOrder(row [2]int, me span) (span, bool) {
	heads, values := s.phrases(row), s.phrases(s.rows[me.row(s)])
	if len(heads) != len(values) || len(heads) < 2 {
		return span{}, false
	}
	for i, v := range values {
		if v.from <= me.from && me.from < v.to {
			return heads[i], true
		}
	}
	return span{}, false
}

// valueOver says whether it is a value that stands over a column, with its own label beside it.
func (s *sheet) valueOver(p span, x0, x1 float64) bool {
	found := false
	for _, t := range s.toks[p.from:p.to] {
		if math.Min(x1, t.x1) > math.Max(x0, t.x0) {
			if !t.value {
				return false
			}
			found = true
		}
	}
	return found
}

// lineBefore is the end of the row before, where this value begins a row: a label that was wrapped.
func (s *sheet) lineBefore(p span) string {
	me := s.toks[p.from]
	if me.row == 0 || s.rows[me.row][0] != p.from {
		return ""
	}
	row := s.rows[me.row-1]
	last := s.toks[row[1]-1]
	from := row[1]
	for from > s.cells[last.cell][0] && !s.toks[from-1].value {
		from--
	}
	pairs := false // the row before holds values with their labels
	for i := row[0]; i < row[1]; i++ {
		pairs = pairs || s.toks[i].value
	}
	if last.page != me.page || !pairs || me.y0-last.y1 > 0.9*me.height() {
		return ""
	}
	return s.text(span{from, row[1]})
}

// inColumn is the phrase of a row that stands over a column, or right beside it: a head may be set to another edge.
func (s *sheet) inColumn(row [2]int, x0, x1, height float64) (best span, found bool) {
	most := 0.0
	all := s.phrases(row)
	for _, p := range all {
		if over := math.Min(x1, s.toks[p.to-1].x1) - math.Max(x0, s.toks[p.from].x0); over > most {
			best, found, most = p, true, over
		}
	}
	if found {
		return best, true
	}
	for _, p := range all {
		if gap := math.Max(s.toks[p.from].x0-x1, x0-s.toks[p.to-1].x1); gap < height {
			return p, true
		}
	}
	return best, false
}

func (s *sheet) isValue(p span) bool {
	for _, t := range s.toks[p.from:p.to] {
		letters := strings.TrimFunc(t.norm, func(r rune) bool { return !unicode.IsLetter(r) })
		if !t.value && len(letters) > 1 && !unitWord.MatchString(t.norm) { // a letter alone names a rate
			return false
		}
	}
	return true
}
