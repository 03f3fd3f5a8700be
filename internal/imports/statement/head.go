package statement

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Head is the row of a table that names its columns.
type Head struct {
	Line  int64
	Names []string // as the file has them
	keys  []string
}

// NewHead makes a head of a row.
func NewHead(line int64, names []string) Head {
	h := Head{Line: line, Names: slices.Clone(names), keys: make([]string, len(names))}
	for i, name := range names {
		h.keys[i] = Fold(name)
	}
	return h
}

// Fold is a column's name as names are compared: composed, in small letters, single spaces, none around a colon, and without
// the currency behind a bar.
func Fold(name string) string {
	name, _, _ = strings.Cut(name, "|")
	parts := strings.Split(strings.ToLower(norm.NFC.String(name)), ":")
	for i, part := range parts {
		parts[i] = strings.Join(strings.Fields(part), " ")
	}
	return strings.Join(parts, ":")
}

// Unit is what stands behind the bar of a column's name, such as ZŁ or €.
func Unit(name string) string {
	_, unit, _ := strings.Cut(name, "|")
	return strings.TrimSpace(unit)
}

// Find is the column with one of the names; below zero: there is none.
func (h Head) Find(names ...string) int {
	for _, name := range names {
		if i := slices.Index(h.keys, Fold(name)); i >= 0 {
			return i
		}
	}
	return -1
}

// Has says whether every name is a column's.
func (h Head) Has(names ...string) bool {
	for _, name := range names {
		if h.Find(name) < 0 {
			return false
		}
	}
	return true
}

// Keys are the folded names, in the order of the columns.
func (h Head) Keys() []string { return h.keys }

// Repeated says whether a row is the head again, as in files that were glued together.
func (h Head) Repeated(r Row) bool {
	if len(r.Cells) != len(h.Names) {
		return false
	}
	for i, name := range h.Names {
		if Fold(r.Cells[i]) != Fold(name) {
			return false
		}
	}
	return true
}

// Empty says whether a row has nothing in it.
func (r Row) Empty() bool {
	return !slices.ContainsFunc(r.Cells, func(cell string) bool { return cell != "" })
}

// totals are the words with which programs begin a row of sums.
var totals = []string{"razem", "razem:", "suma", "suma:", "total", "total:", "ogółem", "wszyscy kierowcy", "gesamt", "summe", "усього",
	"итого", "разом"}

// Total says whether a row only sums others up: one of its first cells is such a word.
func (r Row) Total() bool {
	for _, cell := range r.Cells[:min(3, len(r.Cells))] {
		if slices.Contains(totals, strings.ToLower(strings.TrimSpace(cell))) {
			return true
		}
	}
	return false
}
