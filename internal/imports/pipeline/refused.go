package pipeline

import (
	"context"
	"io"
	"slices"
	"strings"

	"saldo/internal/imports/statement"
	"saldo/internal/imports/table"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/spreadsheet"
)

// ours is how the heads of columns start that Saldo adds to the file of refused rows. They are left out when it is read again.
const ours = "Saldo:"

// WriteRefused writes the rows of a file that were not imported, as the file has them, each once and with its reasons behind it, as a
// sheet. Corrected, it can be uploaded as it is. The file is read again for it: what was refused is kept nowhere else.
func (l Pipeline) WriteRefused(ctx context.Context, tx *db.Tx, f File, format spreadsheet.Format, language i18n.Language,
	to io.Writer) error {
	f.DuplicateOf = "" // no key of a row is asked for
	rd, err := l.reading(tx, f)
	if err != nil {
		return err
	}
	var out spreadsheet.Sheet
	width := 0
	open := func(head []string) (err error) {
		width = len(head)
		out, err = spreadsheet.New(format, to, "refused",
			append(slices.Clone(head), i18n.Of(language, "exports:refused.line"), i18n.Of(language, "exports:refused.reason")))
		return err
	}
	rd.row = func(p *Part, r table.Row, _ []Entry, rowErrors []statement.RowError) error {
		if len(rowErrors) == 0 {
			return nil
		}
		if out == nil {
			if err := open(p.Head); err != nil {
				return err
			}
		}
		cells := make([]spreadsheet.Cell, width, width+2)
		for n := range min(width, len(r.Cells)) {
			cells[n] = spreadsheet.Original(r.Cells[n])
		}
		return out.Row(append(cells, spreadsheet.Count(r.Line), spreadsheet.Text(reasons(language, rowErrors))))
	}
	if err := rd.run(ctx); err != nil {
		return err
	}
	if out == nil {
		if err := open(nil); err != nil {
			return err
		}
	}
	return out.Close()
}

// reasons say in sentences what is wrong with a row, where, and what was expected.
func reasons(language i18n.Language, rowErrors []statement.RowError) string {
	texts := make([]string, len(rowErrors))
	for n, t := range rowErrors {
		if t.Column != "" {
			texts[n] = i18n.Of(language, "exports:refused.at", "column", t.Column)
		}
		texts[n] += i18n.Of(language, "exports:refused."+t.Code)
		if t.Found != "" {
			texts[n] += i18n.Of(language, "exports:refused.found", "found", t.Found)
		}
		if t.Expected != "" {
			texts[n] += i18n.Of(language, "exports:refused.expected", "expected", t.Expected)
		}
	}
	return strings.Join(texts, " ")
}

// withoutOurs is how many columns of a head are the file's own.
func withoutOurs(head []string) int {
	n := slices.IndexFunc(head, func(name string) bool { return strings.HasPrefix(name, ours) })
	if n < 0 {
		return len(head)
	}
	return n
}
