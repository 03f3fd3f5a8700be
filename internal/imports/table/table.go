// Package table turns uploaded bytes into rows of text: CSV in the encodings and with the signs that people's programs
// write, workbooks, and archives of these. It believes nothing that a file says of its own size.
package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Limits of what is read. A settlement file is far below each of them.
const (
	RecordMax   = 1 << 20   // bytes of one record of a CSV
	ColumnsMax  = 1000      // of one row
	UnpackedMax = 512 << 20 // bytes that an archive may unpack to, its parts together
	PartsMax    = 64        // files of an archive, sheets of a workbook
	WorkbookMax = 64 << 20  // bytes that a workbook may unpack to
)

// Reason is why bytes are not a table.
type Reason string

// The reasons, each with a text of its own.
const (
	ErrEmpty     Reason = "empty"
	ErrNotATable Reason = "not_a_table"  // neither CSV nor workbook nor archive of these
	ErrEncoding  Reason = "encoding"     // bytes that are no text in its encoding
	ErrTooLong   Reason = "too_long"     // a record beyond its limit, as an unclosed quote makes it
	ErrTooWide   Reason = "too_wide"     // more columns than any layout has
	ErrTooLarge  Reason = "too_large"    // unpacks to more than is allowed
	ErrTooMany   Reason = "too_many"     // parts
	ErrBroken    Reason = "broken"       // an archive or a workbook that cannot be unpacked, a quote out of place
	ErrProtected Reason = "protected"    // with a password
	ErrOldFormat Reason = "old_workbook" // .xls of before 2007
)

func (r Reason) Error() string { return "table refused: " + string(r) }

// Refusal says where a table went wrong.
type Refusal struct {
	Reason
	Part string // of an archive or workbook; empty: the file itself
	Line int64  // 0: the whole part
}

func (r Refusal) Error() string {
	return fmt.Sprintf("%s (%s, line %d)", r.Reason.Error(), r.Part, r.Line)
}

// Unwrap makes errors.Is find the reason.
func (r Refusal) Unwrap() error { return r.Reason }

// Row is one row and where it stands. Its cells are good until the next row is asked for.
type Row struct {
	Line  int64 // of the file, or row of the sheet; from 1
	Cells []string
}

// Table is one table of a file.
type Table struct {
	Part      string // name inside an archive or of the sheet; empty: the file itself
	Encoding  string // of a CSV
	returns   bool   // lines end with a carriage return alone
	Delimiter rune   // of a CSV; 0: it has none
	rows      func(yield func(Row, error) bool)
}

// Rows reads the table from its start. After an error nothing follows.
func (t Table) Rows() iter.Seq2[Row, error] { return t.rows }

// Open finds the tables of a file. The content is read when their rows are, and must stay until then.
func Open(name string, content io.ReaderAt, size int64) ([]Table, error) {
	if size == 0 {
		return nil, ErrEmpty
	}
	start := make([]byte, min(size, 8))
	if _, err := content.ReadAt(start, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(start, []byte("PK\x03\x04")), bytes.HasPrefix(start, []byte("PK\x05\x06")):
		return openArchive(content, size)
	case bytes.HasPrefix(start, []byte{0xD0, 0xCF, 0x11, 0xE0}):
		// the same container holds old workbooks and new ones with a password
		if strings.EqualFold(path.Ext(name), ".xlsx") {
			return nil, ErrProtected
		}
		return nil, ErrOldFormat
	}
	one, err := openCSV("", func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(content, 0, size)), nil })
	if err != nil {
		return nil, err
	}
	return []Table{one}, nil
}

// cleaned is a cell as it is compared and kept: composed, without the signs that cannot be seen.
func cleaned(cell string) string {
	cell = strings.TrimSpace(cell)
	if len(cell) > 1 && cell[0] == '\'' && strings.IndexByte("+-=@'", cell[1]) >= 0 {
		cell = cell[1:] // as sheets of our own guard what begins like a formula
	}
	for i := 0; i < len(cell); i++ {
		if cell[i] >= utf8.RuneSelf {
			return norm.NFC.String(cell)
		}
	}
	return cell
}
