package layout

import (
	"math"
	"regexp"
	"strings"
	"unicode"
)

// UnitWord is what stands beside an amount and names nothing.
var UnitWord = regexp.MustCompile(`^(?:zl|zl\.|pln|eur|euro|€)[.,;]?$`)

// Text is the folded text of tokens.
func (s *Sheet) Text(p Span) string {
	parts := make([]string, 0, p.To-p.From)
	for _, t := range s.Tokens[p.From:p.To] {
		if t.Norm != "" {
			parts = append(parts, t.Norm)
		}
	}
	return strings.Join(parts, " ")
}

// Raw is their text as it stands on the page.
func (s *Sheet) Raw(p Span) string {
	parts := make([]string, 0, p.To-p.From)
	for _, t := range s.Tokens[p.From:p.To] {
		if t.Raw != "" {
			parts = append(parts, t.Raw)
		}
	}
	return strings.Join(parts, " ")
}

// Place is the box around tokens and the lowest confidence of them.
func (s *Sheet) Place(p Span) (page int, box Box, sure float64) {
	first := s.Tokens[p.From]
	page, box, sure = first.Page, first.Box, first.Sure
	for _, t := range s.Tokens[p.From:p.To] {
		box.X0, box.Y0 = math.Min(box.X0, t.Box.X0), math.Min(box.Y0, t.Box.Y0)
		box.X1, box.Y1 = math.Max(box.X1, t.Box.X1), math.Max(box.Y1, t.Box.Y1)
		sure = math.Min(sure, t.Sure)
	}
	return page, box, sure
}

// Mark notes that tokens are a value: no label is looked for in them.
func (s *Sheet) Mark(p Span) {
	for i := p.From; i < p.To; i++ {
		s.Tokens[i].Value = true
	}
}

// Before is the text in the same cell between the value before and this one.
func (s *Sheet) Before(p Span) string { return s.Text(s.beforeSpan(p)) }

func (s *Sheet) beforeSpan(p Span) Span {
	from := p.From
	for from > s.Cells[s.Tokens[p.From].Cell].From && !s.Tokens[from-1].Value {
		from--
	}
	return Span{from, p.From}
}

// Left is the text of the cell to the left, behind its last value; cells that are only values are passed by where values is true.
func (s *Sheet) Left(p Span, values bool) string {
	row := s.Rows[s.Tokens[p.From].Row]
	end := s.Cells[s.Tokens[p.From].Cell].From
	for end > row.From {
		begin := s.Cells[s.Tokens[end-1].Cell].From
		from := end
		for from > begin && !s.Tokens[from-1].Value {
			from--
		}
		if text := s.Text(Span{from, end}); from < end && !UnitWord.MatchString(text) {
			return text
		}
		if !values && from == end {
			return ""
		}
		end = begin
	}
	return ""
}

// Over is the text that stands above in the same column: the nearest cell with text, joined with the one above it where they stand
// close. Values are passed by where values is true, as under the head of a table.
func (s *Sheet) Over(p Span, rows int, values bool) string {
	me := p
	first, last := s.Tokens[p.From], s.Tokens[p.To-1]
	x0, x1, y := first.X0, last.X1, first.Y0
	height := first.Height()
	found := ""
	for r := first.Row - 1; r >= 0 && rows > 0; r-- {
		row := s.Rows[r]
		if s.Tokens[row.From].Page != first.Page {
			break
		}
		p, ok := s.byOrder(row, me)
		if !ok || r != first.Row-1 || values || s.AnyValue(row) {
			p, ok = s.InColumn(row, x0, x1, height)
		}
		if !ok {
			continue
		}
		rows--
		gap := y - s.Tokens[p.From].Y1
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
		if s.isValue(p) || s.valueOver(p, x0, x1) || !values && s.AnyValue(p) { // a label beside its own value is no head
			if values {
				y = s.Tokens[p.From].Y0
				continue
			}
			break
		}
		text := s.Text(p)
		if !values && p.overlaps(s, x0, x1) {
			text = s.mine(p, me)
		}
		if found != "" {
			return text + " " + found
		}
		found, y = text, s.Tokens[p.From].Y0
	}
	return found
}

func (p Span) overlaps(s *Sheet, x0, x1 float64) bool {
	return math.Min(x1, s.Tokens[p.To-1].X1) > math.Max(x0, s.Tokens[p.From].X0)
}

// mine are the words of a head that stand nearer to these tokens than to others of their row: heads may stand close to each other.
func (s *Sheet) mine(head, me Span) string {
	row := s.Rows[me.Row(s)]
	var words []string
	for _, h := range s.Tokens[head.From:head.To] {
		nearest, gap, over := -1, math.Inf(1), 0.0
		for i := row.From; i < row.To; i++ {
			t := s.Tokens[i]
			shared := math.Min(h.X1, t.X1) - math.Max(h.X0, t.X0)
			apart := math.Max(0, -shared)
			if apart < gap || apart == gap && shared > over {
				nearest, gap, over = i, apart, shared
			}
		}
		if nearest >= me.From && nearest < me.To && h.Norm != "" {
			words = append(words, h.Norm)
		}
	}
	return strings.Join(words, " ")
}

// phrases are the parts of a row that stand apart by more than a blank.
func (s *Sheet) phrases(row Span) (all []Span) {
	for from := row.From; from < row.To; {
		to := from + 1
		for to < row.To && s.Tokens[to].X0-s.Tokens[to-1].X1 < 0.75*s.Tokens[to].Height() {
			to++
		}
		all = append(all, Span{from, to})
		from = to
	}
	return all
}

// byOrder is the head of a value by its place in its row, where a row above has as many parts: they may be set to other edges.
func (s *Sheet) byOrder(row Span, me Span) (Span, bool) {
	heads, values := s.phrases(row), s.phrases(s.Rows[me.Row(s)])
	if len(heads) != len(values) || len(heads) < 2 {
		return Span{}, false
	}
	for i, v := range values {
		if v.From <= me.From && me.From < v.To {
			return heads[i], true
		}
	}
	return Span{}, false
}

// valueOver says whether it is a value that stands over a column, with its own label beside it.
func (s *Sheet) valueOver(p Span, x0, x1 float64) bool {
	found := false
	for _, t := range s.Tokens[p.From:p.To] {
		if math.Min(x1, t.X1) > math.Max(x0, t.X0) {
			if !t.Value {
				return false
			}
			found = true
		}
	}
	return found
}

// LineBefore is the end of the row before, where this value begins a row: a label that was wrapped.
func (s *Sheet) LineBefore(p Span) string {
	me := s.Tokens[p.From]
	if me.Row == 0 || s.Rows[me.Row].From != p.From {
		return ""
	}
	row := s.Rows[me.Row-1]
	last := s.Tokens[row.To-1]
	from := row.To
	for from > s.Cells[last.Cell].From && !s.Tokens[from-1].Value {
		from--
	}
	pairs := false // the row before holds values with their labels
	for i := row.From; i < row.To; i++ {
		pairs = pairs || s.Tokens[i].Value
	}
	if last.Page != me.Page || !pairs || me.Y0-last.Y1 > 0.9*me.Height() {
		return ""
	}
	return s.Text(Span{from, row.To})
}

// InColumn is the phrase of a row that stands over a column, or right beside it: a head may be set to another edge.
func (s *Sheet) InColumn(row Span, x0, x1, height float64) (best Span, found bool) {
	most := 0.0
	all := s.phrases(row)
	for _, p := range all {
		if over := math.Min(x1, s.Tokens[p.To-1].X1) - math.Max(x0, s.Tokens[p.From].X0); over > most {
			best, found, most = p, true, over
		}
	}
	if found {
		return best, true
	}
	for _, p := range all {
		if gap := math.Max(s.Tokens[p.From].X0-x1, x0-s.Tokens[p.To-1].X1); gap < height {
			return p, true
		}
	}
	return best, false
}

func (s *Sheet) isValue(p Span) bool {
	for _, t := range s.Tokens[p.From:p.To] {
		letters := strings.TrimFunc(t.Norm, func(r rune) bool { return !unicode.IsLetter(r) })
		if !t.Value && len(letters) > 1 && !UnitWord.MatchString(t.Norm) { // a letter alone names a rate
			return false
		}
	}
	return true
}

// AnyValue says whether one of the tokens is a value.
func (s *Sheet) AnyValue(p Span) bool {
	for _, t := range s.Tokens[p.From:p.To] {
		if t.Value {
			return true
		}
	}
	return false
}

// Near says whether words stand as close as parts of one value do.
func (s *Sheet) Near(p Span) bool {
	for i := p.From + 1; i < p.To; i++ {
		if s.Tokens[i].X0-s.Tokens[i-1].X1 > 0.9*s.Tokens[i].Height() {
			return false
		}
	}
	return true
}
