package statement

import "strings"

// Checker reads the cells of one row after the other and keeps what is wrong with the row at hand: all of it is told, and
// nothing of a row with an error is imported.
type Checker struct {
	Head   Head
	row    Row
	errors []RowError
}

// Take takes up a row, with nothing wrong so far.
func (j *Checker) Take(r Row) { j.row, j.errors = r, j.errors[:0] }

// Begin says whether a row can hold money, and takes it up. What holds none is skipped with its reason.
func (j *Checker) Begin(r Row, out Out) bool {
	j.Take(r)
	switch {
	case r.Empty():
		out.Skipped(r.Line, SkippedEmpty)
		return false
	case j.Head.Repeated(r):
		out.Skipped(r.Line, SkippedHead)
		return false
	case len(r.Cells) > len(j.Head.Names):
		if beyond := strings.TrimSpace(strings.Join(r.Cells[len(j.Head.Names):], " ")); beyond != "" {
			j.Add(RowError{Code: TooManyCells, Found: beyond, Expected: j.Head.Names[len(j.Head.Names)-1]})
		}
	}
	return true
}

// Refuse says that a cell of the row cannot be read.
func (j *Checker) Refuse(code string, column int, expected string) {
	t := RowError{Code: code, Found: j.row.At(column), Expected: expected}
	if column >= 0 && column < len(j.Head.Names) {
		t.Column = j.Head.Names[column]
	}
	j.Add(t)
}

// Add keeps something that is wrong with the row; of what was found only the start is shown again.
func (j *Checker) Add(t RowError) {
	t.Found = cut(t.Found)
	j.errors = append(j.errors, t)
}

// OK says whether nothing was found wrong with the row so far.
func (j *Checker) OK() bool { return len(j.errors) == 0 }

// foundMax is how much of a cell is shown again.
const foundMax = 60

func cut(found string) string {
	if runes := []rune(found); len(runes) > foundMax {
		return string(runes[:foundMax]) + "…"
	}
	return found
}

// Report tells everything that was refused of the row, and whether there was any.
func (j *Checker) Report(out Out) bool {
	for _, t := range j.errors {
		t.Line = j.row.Line
		out.Errors(t)
	}
	return len(j.errors) > 0
}

// Others are the columns that are not among the known. Some have no name and may still hold money.
func (h Head) Others(known []int) (others []int) {
	is := make([]bool, len(h.Names))
	for _, i := range known {
		if i >= 0 {
			is[i] = true
		}
	}
	for i := range is {
		if !is[i] {
			others = append(others, i)
		}
	}
	return others
}
