package table

import (
	"archive/zip"
	"errors"
	"io"
	"math"
	"path"
	"slices"
	"strings"
)

// openArchive finds the tables of a workbook or of an archive of CSV files. Names of parts are shown and never used as paths.
func openArchive(content io.ReaderAt, size int64) ([]Table, error) {
	directory := &directory{content, directoryMax}
	archive, err := zip.NewReader(directory, size)
	if errors.Is(err, ErrTooMany) {
		return nil, ErrTooMany
	}
	if err != nil {
		return nil, ErrBroken
	}
	directory.left = math.MaxInt64
	if slices.ContainsFunc(archive.File, func(f *zip.File) bool { return f.Name == "[Content_Types].xml" }) {
		return openWorkbook(archive)
	}
	var tables []Table
	left := int64(UnpackedMax)
	for _, f := range archive.File {
		name := nameOf(f)
		if f.FileInfo().IsDir() || strings.HasPrefix(name, "._") || name == ".DS_Store" || strings.Contains(f.Name, "__MACOSX/") {
			continue
		}
		if len(tables) == PartsMax {
			return nil, ErrTooMany
		}
		if !f.Mode().IsRegular() || f.Flags&1 != 0 {
			return nil, Refusal{ErrProtected, name, 0}
		}
		if f.UncompressedSize64 > uint64(left) {
			return nil, ErrTooLarge
		}
		left -= int64(f.UncompressedSize64)
		t, err := openCSV(name, func() (io.ReadCloser, error) { return unpack(f) })
		if err != nil {
			return nil, within(err, name)
		}
		tables = append(tables, t)
	}
	if len(tables) == 0 {
		return nil, ErrNotATable
	}
	return tables, nil
}

// nameOf is what a part is called, without the folders that it stood in.
func nameOf(f *zip.File) string { return path.Base(strings.ReplaceAll(f.Name, `\`, "/")) }

// directoryMax is how many bytes may be read to learn what an archive holds: enough for some thousand parts. All that an archive
// says of its parts is held in memory, and how many it says they are need not be true.
const directoryMax = 1 << 20

// directory reads an archive only so far while its list of parts is read.
type directory struct {
	io.ReaderAt
	left int64
}

func (d *directory) ReadAt(p []byte, at int64) (int, error) {
	if d.left < int64(len(p)) {
		return 0, ErrTooMany
	}
	if d.left < math.MaxInt64 {
		d.left -= int64(len(p))
	}
	return d.ReaderAt.ReadAt(p, at)
}

// unpack opens a part, which may not be larger than it says.
func unpack(f *zip.File) (io.ReadCloser, error) {
	r, err := f.Open()
	if err != nil {
		return nil, Refusal{ErrBroken, nameOf(f), 0}
	}
	return &honest{r, int64(f.UncompressedSize64), nameOf(f)}, nil
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
