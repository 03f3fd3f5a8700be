// Package pipeline takes a provider's file to transactions: it reads the rows, recognises what they are, finds out whose they are and
// which of them stand already, and shows or books them. It knows nothing of uploads, jobs and the states of an import.
package pipeline

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
)

// Pipeline reads files.
type Pipeline struct {
	Instance config.Instance
	Layouts  []statement.Layout
}

// country is the code by which phone numbers are read.
func (l Pipeline) country() string { return strings.ToUpper(l.Instance.Code) }

// File is an uploaded file and what is known of it before it is read.
type File struct {
	ImportID     string
	Name         string
	Content      io.ReaderAt
	Size         int64
	Chosen       string         // provider, by a person; empty: as recognised
	Dates, Bonus statement.Span // for rows, and for bonuses, without a date
	MergeByName  bool           // a name that one driver has is enough to recognise them
	DuplicateOf  string         // the import that brought the same content; empty: none
	Mappings     []Mapping      // by which it may be read
	Recognised                  // when it was last read; nothing: nobody has read it
}

// Recognised is what a file was recognised as, and which days it covers.
type Recognised struct {
	Provider, Kind       string
	Encoding, Delimiter  string
	PeriodFrom, PeriodTo calendar.Date
	PeriodSource         string // name, rows or picker
}

// salt makes the rows of a file that was brought before, and may come again, other rows.
func (f File) salt() string {
	if f.DuplicateOf != "" {
		return f.ImportID
	}
	return ""
}

// reading prepares the way through a file.
func (l Pipeline) reading(tx *db.Tx, f File) (*reading, error) {
	remembered, err := rememberedTypes(tx)
	if err != nil {
		return nil, err
	}
	chosen := cmp.Or(f.Chosen, f.Provider) // as it was shown
	known, err := knownByProvider(tx, l.Layouts, chosen)
	if err != nil {
		return nil, err
	}
	layouts := slices.Clip(l.Layouts)
	for _, m := range f.Mappings {
		layouts = append(layouts, m.Rules.Remembered(m.Head))
	}
	return &reading{turns: tx.HasInteractiveLoad, file: f, chosen: chosen, layouts: layouts, remembered: remembered,
		known: known, given: statement.Given{Zone: l.Instance.Location(), Currency: l.Instance.Currency, Provider: chosen}}, nil
}

// standing tells one state of what was imported from another: while it is the
// same, no row stands that did not stand before.
func standing(tx *db.Tx) (string, error) {
	found, err := db.Select[struct {
		Count  int64
		Latest string
	}](tx, `SELECT COUNT(*) AS count, COALESCE(MAX(finished_at), '') AS latest FROM imports WHERE tenant_id = $1 AND status = 'success'`)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(found[0].Count, " ", found[0].Latest), nil
}
