// Package spreadsheet writes tables as files that spreadsheets open. Whatever people
// typed is text: it is shown and never computed. Amounts, counts and days are
// what spreadsheets take them for, and can be added up.
package spreadsheet

import (
	"encoding/csv"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/unicode/norm"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
)

// Format is a kind of file.
type Format string

// The formats.
const (
	CSV  Format = "csv"  // UTF-8 with a byte order mark, semicolons: as Excel opens it in Europe
	XLSX Format = "xlsx" // a workbook
)

// MediaType is what the format is called on the wire.
func (f Format) MediaType() string {
	if f == XLSX {
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	return "text/csv; charset=utf-8"
}

type kind uint8

const (
	text kind = iota
	amount
	count
	day
	plain
)

// Cell is what stands in one place of a table. The zero cell is empty.
type Cell struct {
	kind   kind
	text   string
	number int64
}

// Text is a cell of words.
func Text(s string) Cell { return Cell{text: s} }

// Original is a cell of words as another file has them: an amount or a phone number stays what it is, so that the sheet can be read as
// that file was.
// Everything else that begins like a formula is guarded as ever.
func Original(s string) Cell {
	if plainNumber.MatchString(s) {
		return Cell{kind: plain, text: s}
	}
	return Text(s)
}

// plainNumber is what no spreadsheet computes anything from.
var plainNumber = regexp.MustCompile(`^[+-][0-9]{1,15}(?:[.,][0-9]+)?$|^\+[0-9]{1,4}(?: [0-9]{2,9}){1,5}$`)

// Amount is a cell of money, with two decimals.
func Amount(a money.Amount) Cell { return Cell{kind: amount, number: int64(a)} }

// Count is a cell of a whole number.
func Count(n int64) Cell { return Cell{kind: count, number: n} }

// Day is a cell of a date; no day is an empty cell.
func Day(d calendar.Date) Cell {
	if d == "" {
		return Cell{}
	}
	return Cell{kind: day, text: string(d)}
}

// Texts are cells of words.
func Texts(words []string) []Cell {
	cells := make([]Cell, len(words))
	for i, word := range words {
		cells[i] = Text(word)
	}
	return cells
}

// Sheet is a table that is being written, row by row and without being held in
// memory.
type Sheet interface {
	Row(cells []Cell) error
	// Foot is a row of totals, which stands out where the format can.
	Foot(cells []Cell) error
	// Close finishes the table; without it there is no file.
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
	return s, s.Row(Texts(heads))
}

type separated struct{ lines *csv.Writer }

func (s separated) Row(cells []Cell) error {
	written := make([]string, len(cells))
	for i, cell := range cells {
		switch cell.kind {
		case text:
			written[i] = guarded(cell.text)
		case amount: // as spreadsheets read it where semicolons divide
			written[i] = strings.Replace(money.Amount(cell.number).String(), ".", ",", 1)
		case count:
			written[i] = strconv.FormatInt(cell.number, 10)
		case day, plain:
			written[i] = cell.text
		}
	}
	return s.lines.Write(written)
}

func (s separated) Foot(cells []Cell) error { return s.Row(cells) }

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

// Book is an XLSX file of several tables, written one after the other.
type Book struct {
	to     io.Writer
	file   *excelize.File
	styles map[style]int
	sheets int
}

type style struct {
	kind kind
	bold bool
}

const (
	textFormat  = 49 // "@" in every spreadsheet
	countFormat = 1  // 0
	moneyFormat = 4  // #,##0.00, with the signs of the reader's language
	dayFormat   = "yyyy-mm-dd"
	columnWidth = 20

	// spreadsheets keep 15 digits of a number
	numberMost = 999_999_999_999_999

	// day 0 of spreadsheets; they agree on the days from the first one on
	dayZero, dayFirst calendar.Date = "1899-12-30", "1900-03-01"
)

// NewBook begins a file. Close ends it, also after a failure.
func NewBook(to io.Writer) (*Book, error) {
	b := &Book{to: to, file: excelize.NewFile(), styles: map[style]int{}}
	date := dayFormat
	for _, bold := range []bool{false, true} {
		font := &excelize.Font{Bold: bold}
		for _, s := range []struct { // in one order: the same table has the same bytes
			kind kind
			excelize.Style
		}{{text, excelize.Style{NumFmt: textFormat}}, {count, excelize.Style{NumFmt: countFormat}},
			{amount, excelize.Style{NumFmt: moneyFormat}}, {day, excelize.Style{CustomNumFmt: &date}}} {
			s.Font = font
			id, err := b.file.NewStyle(&s.Style)
			if err != nil {
				return nil, err
			}
			b.styles[style{s.kind, bold}] = id
		}
	}
	return b, nil
}

// Sheet begins the next table. The one before must be closed.
func (b *Book) Sheet(name string, heads []string) (Sheet, error) {
	if b.sheets++; b.sheets == 1 {
		if err := b.file.SetSheetName("Sheet1", name); err != nil {
			return nil, err
		}
	} else if _, err := b.file.NewSheet(name); err != nil {
		return nil, err
	}
	rows, err := b.file.NewStreamWriter(name)
	if err != nil {
		return nil, err
	}
	if err := rows.SetColWidth(1, len(heads), columnWidth); err != nil {
		return nil, err
	}
	if err := rows.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return nil, err
	}
	s := &page{book: b, rows: rows}
	return s, s.Foot(Texts(heads))
}

// Close writes the file.
func (b *Book) Close() error {
	defer b.file.Close()
	return b.file.Write(b.to)
}

// page is one table of a book. Words are of the type text in the format text:
// they stay as they are, also when somebody edits one.
type page struct {
	book    *Book
	rows    *excelize.StreamWriter
	written int
}

func (p *page) Row(cells []Cell) error  { return p.row(cells, false) }
func (p *page) Foot(cells []Cell) error { return p.row(cells, true) }
func (p *page) Close() error            { return p.rows.Flush() }

func (p *page) row(cells []Cell, bold bool) error {
	p.written++
	values := make([]any, len(cells))
	for i, cell := range cells {
		kind, value := cell.typed()
		values[i] = excelize.Cell{StyleID: p.book.styles[style{kind, bold}], Value: value}
	}
	return p.rows.SetRow(fmt.Sprintf("A%d", p.written), values)
}

// typed is a cell as spreadsheets keep it. What they would keep inexactly stays
// text. The quotient of an amount is the nearest to its digits, and is written
// with exactly these.
func (c Cell) typed() (kind, any) {
	switch {
	case c.kind == amount && (c.number > numberMost || c.number < -numberMost):
		return text, money.Amount(c.number).String()
	case c.kind == amount:
		return amount, float64(c.number) / 100
	case c.kind == count && (c.number > numberMost || c.number < -numberMost):
		return text, strconv.FormatInt(c.number, 10)
	case c.kind == count:
		return count, c.number
	case c.kind == day && calendar.Date(c.text) >= dayFirst:
		return day, calendar.Date(c.text).DaysSince(dayZero)
	}
	if c.text == "" { // nothing at all: an empty text would break sums
		return text, nil
	}
	return text, c.text
}

// workbook is a book of one table.
type workbook struct {
	Sheet
	book *Book
}

func newWorkbook(to io.Writer, name string, heads []string) (Sheet, error) {
	b, err := NewBook(to)
	if err != nil {
		return nil, err
	}
	s, err := b.Sheet(name, heads)
	return workbook{s, b}, err
}

func (w workbook) Close() error {
	if err := w.Sheet.Close(); err != nil {
		w.book.file.Close()
		return err
	}
	return w.book.Close()
}
