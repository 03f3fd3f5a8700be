// Package sheet writes tables as files that spreadsheets open. Every cell is
// text: whatever people typed is shown and never computed.
package sheet

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/unicode/norm"
)

// Format is a kind of file.
type Format string

// The formats.
const (
	CSV  Format = "csv"  // UTF-8 with a byte order mark, semicolons: as Excel opens it in Europe
	XLSX Format = "xlsx" // one sheet
)

// MediaType is what the format is called on the wire.
func (f Format) MediaType() string {
	if f == XLSX {
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	return "text/csv; charset=utf-8"
}

// Sheet is a table that is being written, row by row and without being held in
// memory.
type Sheet interface {
	Row(cells []string) error
	// Close finishes the file; without it there is none.
	Close() error
}

// New begins a table under its heads.
func New(f Format, to io.Writer, name string, heads []string) (Sheet, error) {
	if f == XLSX {
		return newWorkbook(to, name, heads)
	}
	if _, err := io.WriteString(to, "\ufeff"); err != nil {
		return nil, err
	}
	lines := csv.NewWriter(to)
	lines.Comma = ';'
	s := separated{lines}
	return s, s.Row(heads)
}

type separated struct{ lines *csv.Writer }

func (s separated) Row(cells []string) error {
	safe := make([]string, len(cells))
	for i, cell := range cells {
		safe[i] = guarded(cell)
	}
	return s.lines.Write(safe)
}

func (s separated) Close() error {
	s.lines.Flush()
	return s.lines.Error()
}

// guarded is a cell that no spreadsheet takes for a formula. CSV has no types:
// what begins like a formula, also behind signs that cannot be seen and with
// wide twins of the signs, gets an apostrophe before it. So does what begins with one.
// A reader who takes one leading apostrophe away therefore has exactly what was stored.
func guarded(cell string) string {
	if cell == "" {
		return cell
	}
	seen := strings.TrimLeftFunc(cell, func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Cc) })
	first, _ := utf8.DecodeRuneInString(seen)
	if strings.ContainsAny(cell[:1], "'\t\r\n") || seen != "" && strings.ContainsAny(norm.NFKC.String(string(first)), "=+-@") {
		return "'" + cell
	}
	return cell
}

// workbook has cells of the type text in the format text: they stay as they
// are, also when somebody edits one.
type workbook struct {
	to          io.Writer
	file        *excelize.File
	rows        *excelize.StreamWriter
	plain, bold int
	written     int
}

const (
	textFormat  = 49 // "@" in every spreadsheet
	columnWidth = 20
)

func newWorkbook(to io.Writer, name string, heads []string) (*workbook, error) {
	w := &workbook{to: to, file: excelize.NewFile()}
	err := w.file.SetSheetName("Sheet1", name)
	if err != nil {
		return nil, err
	}
	if w.plain, err = w.file.NewStyle(&excelize.Style{NumFmt: textFormat}); err != nil {
		return nil, err
	}
	if w.bold, err = w.file.NewStyle(&excelize.Style{NumFmt: textFormat, Font: &excelize.Font{Bold: true}}); err != nil {
		return nil, err
	}
	if w.rows, err = w.file.NewStreamWriter(name); err != nil {
		return nil, err
	}
	if err := w.rows.SetColWidth(1, len(heads), columnWidth); err != nil {
		return nil, err
	}
	if err := w.rows.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return nil, err
	}
	return w, w.row(heads, w.bold)
}

func (w *workbook) Row(cells []string) error { return w.row(cells, w.plain) }

func (w *workbook) row(cells []string, style int) error {
	w.written++
	values := make([]any, len(cells))
	for i, cell := range cells {
		values[i] = excelize.Cell{StyleID: style, Value: cell}
	}
	return w.rows.SetRow(fmt.Sprintf("A%d", w.written), values)
}

func (w *workbook) Close() error {
	defer w.file.Close()
	if err := w.rows.Flush(); err != nil {
		return err
	}
	return w.file.Write(w.to)
}
