package table

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// Limits of a workbook, besides that of its size.
const (
	workbookParts = 1000
	sharedMax     = 1 << 20 // texts that cells share
	rowsMax       = 1 << 20 // of a sheet: what programs can show
	cellsMax      = 1 << 24 // of a sheet, with the empty ones between others: some bytes can make a thousand of these
	nestingMax    = 50      // of elements
)

// book is a workbook: an archive whose parts name each other. It is read by this package itself, one row at a time: a reader that takes
// a sheet cut off in the middle for a shorter one would lose money, and one that holds a sheet whole can be made to hold anything.
type book struct {
	parts  map[string]*zip.File
	shared []string
}

// openWorkbook finds the sheets of a workbook. All its parts together may unpack to so much and no more, whatever they say.
func openWorkbook(archive *zip.Reader) ([]Table, error) {
	if len(archive.File) > workbookParts {
		return nil, ErrTooMany
	}
	w := &book{parts: map[string]*zip.File{}}
	var unpacked uint64
	for _, f := range archive.File {
		if unpacked += f.UncompressedSize64; f.UncompressedSize64 > WorkbookMax || unpacked > WorkbookMax {
			return nil, ErrTooLarge
		}
		if f.Flags&1 != 0 {
			return nil, ErrProtected
		}
		name := strings.ToLower(f.Name)
		if w.parts[name] != nil {
			return nil, ErrBroken // which of the two is meant?
		}
		w.parts[name] = f
	}
	return w.tables()
}

func (w *book) tables() ([]Table, error) {
	root, err := w.relations("")
	if err != nil {
		return nil, err
	}
	var main relation
	for _, r := range root {
		if r.is("officeDocument") {
			main = r
		}
	}
	named, err := w.relations(main.Target)
	if err != nil {
		return nil, err
	}
	for _, r := range named {
		if !r.is("sharedStrings") {
			continue
		}
		if w.shared != nil {
			return nil, ErrBroken
		}
		if err := w.share(r.Target); err != nil {
			return nil, err
		}
	}
	var tables []Table
	read := map[string]bool{}
	err = w.each(main.Target, func(_ *part, e xml.StartElement) error {
		if e.Name.Local != "sheet" {
			return nil
		}
		r, ok := named[attribute(e, "id")]
		switch {
		case !ok || attribute(e, "name") == "" || read[r.Target]: // one part as many sheets would be work without end
			return ErrBroken
		case !r.is("worksheet"):
			return nil // a chart
		case len(tables) == PartsMax:
			return ErrTooMany
		}
		read[r.Target] = true
		t := Table{Part: attribute(e, "name")}
		t.rows = func(yield func(Row, error) bool) { w.rows(t.Part, r.Target, yield) }
		tables = append(tables, t)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(tables) == 0 {
		return nil, ErrBroken
	}
	return tables, nil
}

// relation says where one part of a workbook finds another.
type relation struct{ kind, Target string }

func (r relation) is(kind string) bool { return path.Base(r.kind) == kind }

// relations are those of a part, by id; those of no part are the workbook's own.
func (w *book) relations(of string) (map[string]relation, error) {
	folder, name := path.Split(of)
	found := map[string]relation{}
	err := w.each(folder+"_rels/"+name+".rels", func(_ *part, e xml.StartElement) error {
		if e.Name.Local != "Relationship" || attribute(e, "TargetMode") == "External" {
			return nil
		}
		target := attribute(e, "Target")
		if !strings.HasPrefix(target, "/") {
			target = "/" + folder + target
		}
		if len(found) == workbookParts {
			return ErrTooMany
		}
		found[attribute(e, "Id")] = relation{attribute(e, "Type"), strings.TrimPrefix(path.Clean(target), "/")}
		return nil
	})
	return found, err
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// share reads the texts that cells share.
func (w *book) share(name string) error {
	w.shared = []string{}
	return w.each(name, func(p *part, e xml.StartElement) error {
		if e.Name.Local != "si" {
			return nil
		}
		if len(w.shared) == sharedMax {
			return ErrTooLarge
		}
		text, err := p.text()
		w.shared = append(w.shared, text)
		return err
	})
}

// part is a part of a workbook that is being read.
type part struct {
	*xml.Decoder
	fuse  *fuse
	depth int // of elements that are open
}

// each calls back at each element of a part, which must be whole and in order to its last byte.
func (w *book) each(name string, found func(*part, xml.StartElement) error) error {
	f := w.parts[strings.ToLower(name)]
	if f == nil {
		return ErrBroken
	}
	content, err := unpack(f)
	if err != nil {
		return err
	}
	defer content.Close()
	fuse := &fuse{from: content}
	p := &part{xml.NewDecoder(fuse), fuse, 0}
	for {
		token, err := p.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if e, is := token.(xml.StartElement); is {
			err = found(p, e)
		}
		if err != nil {
			return err
		}
	}
}

// next is the next token. None is longer than a record may be.
func (p *part) next() (xml.Token, error) {
	p.fuse.left = RecordMax + sampled
	token, err := p.Token()
	var reason Reason
	switch {
	case errors.Is(err, errFuse):
		return nil, ErrTooLong
	case err != nil && !errors.Is(err, io.EOF) && !errors.As(err, &reason):
		return nil, ErrBroken
	}
	switch token.(type) {
	case xml.StartElement:
		if p.depth++; p.depth > nestingMax {
			return nil, ErrBroken
		}
	case xml.EndElement:
		p.depth--
	case xml.Directive:
		return nil, ErrBroken // programs that write workbooks declare no document types
	}
	return token, err
}

// inside calls back at each token inside the element that was just opened, with how deep inside it stands: its own children
// are 1 deep.
func (p *part) inside(found func(token xml.Token, deep int) error) error {
	for outer := p.depth - 1; ; {
		token, err := p.next()
		if err != nil {
			return err
		}
		if p.depth == outer {
			return nil
		}
		if err := found(token, p.depth-outer-1); err != nil {
			return err
		}
	}
}

// text is what an element with runs of text says, without hints on how to pronounce it.
func (p *part) text() (string, error) {
	var b strings.Builder
	inText, spoken := false, 0
	err := p.inside(func(token xml.Token, _ int) error {
		switch e := token.(type) {
		case xml.StartElement:
			inText = e.Name.Local == "t"
			if e.Name.Local == "rPh" {
				spoken++
			}
		case xml.EndElement:
			inText = false
			if e.Name.Local == "rPh" {
				spoken--
			}
		case xml.CharData:
			if inText && spoken == 0 {
				b.Write(e)
			}
		}
		if b.Len() > RecordMax {
			return ErrTooLong
		}
		return nil
	})
	return unescaped(b.String()), err
}

var escape = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// unescaped is a text with the signs that workbooks cannot hold as they are.
func unescaped(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	return escape.ReplaceAllStringFunc(text, func(escaped string) string {
		n, _ := strconv.ParseUint(escaped[2:6], 16, 16)
		return string(rune(n))
	})
}

// errEnough stops the reading of a sheet whose rows nobody asks for any more.
var errEnough = errors.New("table: no more rows are wanted")

// rows yields the rows of a sheet. Empty ones are left out, and keep their number. Rows and cells that are not in order are
// refused: one would hide another.
func (w *book) rows(sheet, name string, yield func(Row, error) bool) {
	var line int64
	var cells []string
	left := cellsMax
	err := w.each(name, func(p *part, e xml.StartElement) (err error) {
		if e.Name.Local != "row" || p.depth != 3 {
			return nil
		}
		before := line
		line++
		if number := attribute(e, "r"); number != "" {
			if line, err = strconv.ParseInt(number, 10, 64); err != nil || line <= before {
				return ErrBroken
			}
		}
		if line > rowsMax {
			return ErrTooLarge
		}
		if cells, err = w.cells(p, line, cells[:0]); err != nil {
			return err
		}
		if left -= len(cells); left < 0 {
			return ErrTooLarge
		}
		if len(cells) > 0 && !yield(Row{line, cells}, nil) {
			return errEnough
		}
		return nil
	})
	var reason Reason
	if errors.As(err, &reason) {
		err = Refusal{reason, sheet, line}
	}
	if err != nil && !errors.Is(err, errEnough) {
		yield(Row{}, err)
	}
}

// cells reads the row that was just opened, up to its last cell with something in it.
func (w *book) cells(p *part, line int64, cells []string) ([]string, error) {
	column, size := 0, 0
	err := p.inside(func(token xml.Token, deep int) (err error) {
		e, is := token.(xml.StartElement)
		if !is || e.Name.Local != "c" || deep != 1 {
			return nil
		}
		before := column
		column++
		if at := attribute(e, "r"); at != "" {
			if column = columnOf(at, line); column <= before {
				return ErrBroken
			}
		}
		value, err := w.value(p, attribute(e, "t"))
		if value = cleaned(value); value == "" || err != nil {
			return err
		}
		if column > ColumnsMax {
			return ErrTooWide
		}
		if size += len(value); size > RecordMax {
			return ErrTooLong
		}
		for len(cells) < column-1 {
			cells = append(cells, "")
		}
		cells = append(cells, value)
		return nil
	})
	return cells, err
}

// columnOf is the column of a place such as AB12, from 1; 0: it is none of the line.
func columnOf(at string, line int64) (column int) {
	digits := strings.TrimLeft(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	letters := at[:len(at)-len(digits)]
	if len(letters) > 3 || digits != strconv.FormatInt(line, 10) {
		return 0
	}
	for _, letter := range letters {
		column = column*26 + int(letter-'A') + 1
	}
	return column
}

// value reads the cell that was just opened: what was typed or calculated, as it is stored. Formulas are not looked at.
func (w *book) value(p *part, kind string) (string, error) {
	var b strings.Builder
	inValue, text := false, ""
	err := p.inside(func(token xml.Token, deep int) (err error) {
		switch e := token.(type) {
		case xml.StartElement:
			inValue = e.Name.Local == "v" && deep == 1
			if e.Name.Local == "is" && deep == 1 {
				text, err = p.text()
			}
		case xml.EndElement:
			inValue = false
		case xml.CharData:
			if inValue {
				b.Write(e)
			}
		}
		return err
	})
	stored := b.String()
	switch {
	case err != nil:
		return "", err
	case kind == "inlineStr":
		return text, nil
	case kind == "str":
		return unescaped(stored), nil
	case kind == "s" && stored != "":
		n, err := strconv.Atoi(strings.TrimSpace(stored))
		if err != nil || n < 0 || n >= len(w.shared) {
			return "", ErrBroken
		}
		return w.shared[n], nil
	}
	return stored, nil
}
