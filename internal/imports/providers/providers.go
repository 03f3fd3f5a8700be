// Package providers knows every layout of every provider, and which of them a file has.
package providers

import (
	"slices"

	"saldo/internal/imports/providers/bolt"
	"saldo/internal/imports/providers/boltfood"
	"saldo/internal/imports/providers/freenow"
	"saldo/internal/imports/providers/fuel"
	"saldo/internal/imports/providers/glovo"
	"saldo/internal/imports/providers/own"
	"saldo/internal/imports/providers/revolut"
	"saldo/internal/imports/providers/stuart"
	"saldo/internal/imports/providers/uber"
	"saldo/internal/imports/statement"
)

// HeadWithin is in how many of the first rows of a table its head is looked for.
const HeadWithin = 26

// layouts has one line for each folder. The first layout that recognises a head has it, so the pickier stand before the others.
var layouts = slices.Concat(
	bolt.Layouts,
	boltfood.Layouts,
	freenow.Layouts,
	glovo.Layouts,
	stuart.Layouts,
	uber.Layouts,
	revolut.Layouts,
	fuel.Layouts,
	own.Layouts,
)

// Layouts lists all of them.
func Layouts() []statement.Layout { return slices.Clone(layouts) }

// SuggestedReports lists the names of files to download instead of others, for the contract.
func SuggestedReports() (names []string) {
	for _, l := range layouts {
		if l.SuggestedReport != "" && !slices.Contains(names, l.SuggestedReport) {
			names = append(names, l.SuggestedReport)
		}
	}
	return names
}

// Found is a layout and the head that it recognised.
type Found struct {
	statement.Layout
	Head  statement.Head
	Above [][]string // rows above the head
}

// Finder looks for a head from the first row on.
type Finder struct {
	layouts []statement.Layout
	above   [][]string
}

// NewFinder looks for these layouts.
func NewFinder(layouts []statement.Layout) *Finder { return &Finder{layouts: layouts} }

// Row is asked with each row until it finds a head, or has seen enough.
func (f *Finder) Row(line int64, cells []string) (found Found, done bool) {
	head := statement.NewHead(line, cells)
	for _, l := range f.layouts {
		if l.Recognise(head) {
			return Found{l, head, f.above}, true
		}
	}
	f.above = append(f.above, slices.Clone(cells))
	return Found{}, len(f.above) >= HeadWithin
}
