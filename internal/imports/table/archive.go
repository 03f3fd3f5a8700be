package table

import (
	"archive/zip"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
)

// openArchive finds the tables of a workbook or of an archive of CSV files. Names of parts are shown and never used as paths.
func openArchive(content io.ReaderAt, size int64) ([]Table, error) {
	archive, err := zip.NewReader(content, size)
	if err != nil {
		return nil, ErrBroken
	}
	if slices.ContainsFunc(archive.File, func(f *zip.File) bool { return f.Name == "[Content_Types].xml" }) {
		return openWorkbook(content, size, archive)
	}
	var tables []Table
	left := int64(UnpackedMax)
	for _, f := range archive.File {
		if f.FileInfo().IsDir() || strings.HasPrefix(path.Base(f.Name), ".") || strings.Contains(f.Name, "__MACOSX/") {
			continue
		}
		if len(tables) == PartsMax {
			return nil, ErrTooMany
		}
		if !f.Mode().IsRegular() || f.Flags&1 != 0 {
			return nil, Refusal{ErrProtected, path.Base(f.Name), 0}
		}
		if f.UncompressedSize64 > uint64(left) {
			return nil, ErrTooLarge
		}
		left -= int64(f.UncompressedSize64)
		t, err := openCSV(path.Base(f.Name), func() (io.ReadCloser, error) { return unpack(f) })
		if err != nil {
			return nil, within(err, path.Base(f.Name))
		}
		tables = append(tables, t)
	}
	if len(tables) == 0 {
		return nil, ErrNotATable
	}
	return tables, nil
}

// unpack opens a part, which may not be larger than it says.
func unpack(f *zip.File) (io.ReadCloser, error) {
	r, err := f.Open()
	if err != nil {
		return nil, Refusal{ErrBroken, path.Base(f.Name), 0}
	}
	return &honest{r, int64(f.UncompressedSize64), path.Base(f.Name)}, nil
}

// honest reads a part of an archive up to the size that was counted.
type honest struct {
	io.ReadCloser
	left int64
	part string
}

func (h *honest) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	if h.left -= int64(n); h.left < 0 {
		return 0, Refusal{ErrTooLarge, h.part, 0}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = Refusal{ErrBroken, h.part, 0}
	}
	return n, err
}

// within names the part where a table of an archive went wrong.
func within(err error, part string) error {
	var reason Reason
	if errors.As(err, &reason) {
		return Refusal{reason, part, 0}
	}
	return err
}

// openWorkbook finds the sheets of a workbook. All its parts together may unpack to so much and no more, whatever they say.
func openWorkbook(content io.ReaderAt, size int64, archive *zip.Reader) ([]Table, error) {
	if len(archive.File) > 1000 {
		return nil, ErrTooMany
	}
	var unpacked uint64
	for _, f := range archive.File {
		if unpacked += f.UncompressedSize64; f.UncompressedSize64 > WorkbookMax || unpacked > WorkbookMax {
			return nil, ErrTooLarge
		}
	}
	book, err := excelize.OpenReader(io.NewSectionReader(content, 0, size), excelize.Options{RawCellValue: true, UnzipSizeLimit: WorkbookMax, UnzipXMLSizeLimit: WorkbookMax})
	if err != nil {
		return nil, ErrBroken
	}
	defer book.Close()
	sheets := book.GetSheetList()
	if len(sheets) > PartsMax {
		return nil, ErrTooMany
	}
	tables := make([]Table, 0, len(sheets))
	for _, sheet := range sheets {
		t := Table{Part: sheet}
		rows, err := sheetRows(book, sheet)
		if err != nil {
			return nil, within(err, sheet)
		}
		t.rows = func(yield func(Row, error) bool) {
			for _, row := range rows {
				if !yield(row, nil) {
					return
				}
			}
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// sheetRows reads a sheet whole: workbooks of providers have thousands of rows, not millions. Empty rows are left out, and keep
// their number.
func sheetRows(book *excelize.File, sheet string) (rows []Row, err error) {
	found, err := book.Rows(sheet)
	if err != nil {
		return nil, ErrBroken
	}
	defer found.Close()
	for line := int64(1); found.Next(); line++ {
		if line > 1<<20 {
			return nil, ErrTooLarge
		}
		cells, err := found.Columns()
		if err != nil {
			return nil, ErrBroken
		}
		if len(cells) > ColumnsMax {
			return nil, Refusal{ErrTooWide, sheet, line}
		}
		empty := true
		for i, cell := range cells {
			cells[i] = cleaned(cell)
			empty = empty && cells[i] == ""
		}
		if !empty {
			rows = append(rows, Row{line, cells})
		}
	}
	if err := found.Error(); err != nil {
		return nil, ErrBroken
	}
	return rows, nil
}
