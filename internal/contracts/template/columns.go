package template

import (
	"cmp"
	"math"
	"slices"
)

const (
	columnLeast = 3   // lines
	columnGap   = 2.0 // millimetres between two columns at least
)

// region is a part of a page that is set in columns, from the left.
type region struct {
	top, bottom float64
	columns     [][]Line
}

// regionsOf finds what is set in columns. A file holds the lines of a column one after the other, and then those of the next: a line that
// stands higher than the one before it, and to the right of what is beside it, begins a column. Lines of a form, whose ends are ragged,
// are read row by row: their columns are labels and values.
func regionsOf(lines []Line) (found []region, rest []Line) {
	taken := make([]bool, len(lines))
	var last int // where the column began that was found last
	for i := 1; i < len(lines); i++ {
		first := lines[i]
		if first.Y >= lines[i-1].Y-sameRow {
			continue
		}
		from, to := i, i+1
		for from > 0 && lines[from-1].Y >= first.Y-sameRow && lines[from-1].end() <= first.X-columnGap &&
			(from == i || lines[from-1].Y <= lines[from].Y+sameRow) {
			from--
		}
		for to < len(lines) && lines[to].X >= first.X-columnGap && lines[to].Y >= lines[to-1].Y-sameRow {
			to++
		}
		left, right := lines[from:i], lines[i:to]
		if !flows(left) || !flows(right) {
			continue
		}
		if n := len(found) - 1; n >= 0 && taken[from] && from == last {
			found[n].columns = append(found[n].columns, right)
		} else {
			found = append(found, region{columns: [][]Line{left, right}})
		}
		for k := from; k < to; k++ {
			taken[k] = true
		}
		last = i
	}
	for i := range found {
		r := &found[i]
		r.top, r.bottom = math.Inf(1), math.Inf(-1)
		for _, column := range r.columns {
			r.top, r.bottom = min(r.top, column[0].Y), max(r.bottom, column[len(column)-1].Y)
		}
	}
	for i, l := range lines {
		if !taken[i] {
			rest = append(rest, l)
		}
	}
	slices.SortStableFunc(found, func(a, b region) int { return cmp.Compare(a.top, b.top) })
	return found, rest
}

func (l Line) end() float64 { return l.X + l.W }

// flows says whether lines are running text: most of them go on nearly to the end.
func flows(lines []Line) bool {
	if len(lines) < columnLeast {
		return false
	}
	widest, full := 0.0, 0
	for _, l := range lines {
		widest = max(widest, l.W)
	}
	for _, l := range lines {
		if l.W > 0.75*widest {
			full++
		}
	}
	return 2*full > len(lines)
}

// inOrder is what a page says in the order of reading: columns one after the other, with the values that were placed in them, everything
// else row by row.
func inOrder(lines, values []Line) (all []string) {
	regions, rest := regionsOf(lines)
	rest = append(rest, values...)
	for _, r := range regions {
		columns := make([][]Line, len(r.columns))
		for n := range r.columns {
			columns[n] = slices.Clone(r.columns[n])
		}
		var above, below []Line
		for _, l := range rest {
			switch {
			case l.Y < r.top-sameRow:
				above = append(above, l)
			case l.Y > r.bottom+sameRow:
				below = append(below, l)
			default:
				n := len(columns) - 1
				for n > 0 && l.X < r.columns[n][0].X-columnGap {
					n--
				}
				columns[n] = append(columns[n], l)
			}
		}
		all = append(all, rows(above)...)
		for _, column := range columns {
			all = append(all, rows(column)...)
		}
		rest = below
	}
	return append(all, rows(rest)...)
}
