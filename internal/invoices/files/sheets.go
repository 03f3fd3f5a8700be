package files

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"saldo/internal/invoices/layout"
)

// Sheets are the pages of a PDF, made ready to be parts of other PDFs.
type Sheets struct {
	Content []byte // a PDF whose form objects X1, X2… are the pages: upright, from their left lower corner, nothing but what is printed
	Pages   []Sheet
}

// Sheet is a page with what it says. Boxes are fractions of the page from its left upper corner.
type Sheet struct {
	Width, Height float64 // points, as it is shown
	Lines         []SheetLine
	Fields        []FormField
}

// SheetLine is a line of text, with its left edge, the middle of its height and its width.
type SheetLine struct {
	X, Y, W float64
	Text    string
}

// FormField is a field that a form asks to be filled in.
type FormField struct {
	Name string
	Kind string // text, check or signature
	Box  layout.Box
}

// Scripted is the refusal of a PDF that has a program or a form made by one.
const Scripted = "scripted"

const (
	sheetSide   = 14_400.0 // points: the largest page that PDF knows
	sheetLeast  = 36.0
	formFields  = 300 // of a page
	sheetsBytes = 24 << 20
)

// Sheets makes the pages of a PDF ready to be parts of others. It is refused where it has more than so many pages, is encrypted, holds a
// program, or cannot be read.
func (r *Reader) Sheets(ctx context.Context, content []byte, most int) (Sheets, error) {
	switch {
	case typeOf(content) != PDF:
		return Sheets{}, Refused{UnknownType}
	case len(content) > PDFMost:
		return Sheets{}, Refused{TooLarge}
	case encryptedBy.Match(content):
		return Sheets{}, Refused{Encrypted}
	case hasScript(content):
		return Sheets{}, Refused{Scripted}
	}
	found, err := r.open(ctx, content, job{Sheets: true, Most: most, Longest: 3 * r.longest})
	return found.Sheets, err
}

// script is what PDFs name programs and forms made of XML by.
var script = regexp.MustCompile(`/(JavaScript|JS|XFA)\b[\s(<\[/\d]`)

// hasScript looks for programs, also among packed objects.
func hasScript(content []byte) bool {
	if script.Match(content) {
		return true
	}
	unpacked := 0
	for _, at := range packed.FindAllIndex(content, 500) {
		begin := streamStart.FindIndex(content[at[1]:])
		if begin == nil || unpacked > 4*unpackMost {
			break
		}
		z, err := zlib.NewReader(bytes.NewReader(content[at[1]+begin[1]:]))
		if err != nil {
			continue
		}
		objects, _ := io.ReadAll(io.LimitReader(z, 4<<20)) // what was unpacked before an error counts
		unpacked += len(objects)
		if script.Match(objects) {
			return true
		}
	}
	return false
}

// sheets reads each page, prints its annotations onto it, and puts it as one object into a new PDF: what is not printed stays behind.
func (d document) sheets() (all Sheets, err error) {
	if n, err := d.in.FPDFDoc_GetJavaScriptActionCount(&requests.FPDFDoc_GetJavaScriptActionCount{Document: d.ref}); err == nil &&
		n.JavaScriptActionCount > 0 {
		return all, Refused{Scripted}
	}
	for i := range d.pages {
		page, err := d.sheet(i)
		if err != nil {
			return all, err
		}
		all.Pages = append(all.Pages, page)
	}
	// With two on a page of the new file, each becomes a form object, and what pages share, such as fonts, is copied once. With one, pages
	// would stay as they are: turned and cut.
	to, err := d.in.FPDF_ImportNPagesToOne(&requests.FPDF_ImportNPagesToOne{Source: d.ref, OutputWidth: 595, OutputHeight: 842,
		NumPagesOnXAxis: 2, NumPagesOnYAxis: 1})
	if err != nil {
		return all, Refused{Broken}
	}
	saved, err := d.in.FPDF_SaveAsCopy(&requests.FPDF_SaveAsCopy{Document: to.Document})
	if err != nil || saved.FileBytes == nil {
		return all, Refused{Broken}
	}
	if all.Content = *saved.FileBytes; len(all.Content) > sheetsBytes {
		return all, Refused{TooLarge}
	}
	return all, nil
}

// sheet reads a page and prints its annotations onto it.
func (d document) sheet(index int) (s Sheet, err error) {
	size, err := d.size(index)
	if err != nil {
		return s, err
	}
	s.Width, s.Height = size.Width, size.Height
	if min(s.Width, s.Height) < sheetLeast || max(s.Width, s.Height) > sheetSide {
		return s, Refused{Broken}
	}
	words, err := d.words(index)
	if err != nil {
		return s, err
	}
	s.Lines = linesOf(words)
	loaded, err := d.in.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d.ref, Index: index})
	if err != nil {
		return s, Refused{Broken}
	}
	defer func() { _, _ = d.in.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page}) }()
	page := requests.Page{ByReference: &loaded.Page}
	if s.Fields, err = d.fields(page); err != nil {
		return s, err
	}
	if _, err := d.in.FPDFPage_Flatten(&requests.FPDFPage_Flatten{Page: page, Usage: requests.FPDFPage_FlattenUsagePrint}); err != nil {
		return s, Refused{Broken}
	}
	return s, nil
}

var fieldKinds = map[string]string{"Tx": "text", "Ch": "text", "Btn": "check", "Sig": "signature"}

const (
	linesMost  = 300 // of a page
	lettersMax = 300 // of a line
)

// linesOf joins words that follow each other on a line.
func linesOf(words []layout.Word) (lines []SheetLine) {
	var before layout.Box
	for i, w := range words {
		middle, high := (w.Box.Y0+w.Box.Y1)/2, w.Box.Y1-w.Box.Y0
		last := len(lines) - 1
		if i > 0 && math.Abs(middle-(before.Y0+before.Y1)/2) < high/2 && w.Box.X0 >= before.X0 && w.Box.X0-before.X1 < 4*high &&
			len(lines[last].Text)+len(w.Text) < lettersMax {
			lines[last].Text += " " + w.Text
			lines[last].W = w.Box.X1 - lines[last].X
		} else if len(lines) < linesMost {
			lines = append(lines, SheetLine{w.Box.X0, middle, w.Box.X1 - w.Box.X0, w.Text})
		} else {
			break
		}
		before = w.Box
	}
	return lines
}

// fields are the fields of forms on a page. One without a name or a kind of its own is left out.
func (d document) fields(page requests.Page) (all []FormField, err error) {
	count, err := d.in.FPDFPage_GetAnnotCount(&requests.FPDFPage_GetAnnotCount{Page: page})
	if err != nil {
		return nil, Refused{Broken}
	}
	for i := range min(count.Count, 10*formFields) {
		a, err := d.in.FPDFPage_GetAnnot(&requests.FPDFPage_GetAnnot{Page: page, Index: i})
		if err != nil {
			continue
		}
		if f, ok := d.field(page, a.Annotation); ok && len(all) < formFields {
			all = append(all, f)
		}
		if _, err := d.in.FPDFPage_CloseAnnot(&requests.FPDFPage_CloseAnnot{Annotation: a.Annotation}); err != nil {
			return nil, errors.Join(Refused{Broken}, err)
		}
	}
	return all, nil
}

func (d document) field(page requests.Page, of references.FPDF_ANNOTATION) (f FormField, ok bool) {
	is, err := d.in.FPDFAnnot_GetSubtype(&requests.FPDFAnnot_GetSubtype{Annotation: of})
	if err != nil || is.Subtype != enums.FPDF_ANNOT_SUBTYPE_WIDGET {
		return f, false
	}
	valueOf := func(key string) string {
		v, err := d.in.FPDFAnnot_GetStringValue(&requests.FPDFAnnot_GetStringValue{Annotation: of, Key: key})
		if err != nil {
			return ""
		}
		return strings.TrimSpace(strings.ToValidUTF8(strings.Trim(v.Value, "\x00"), ""))
	}
	f.Name, f.Kind = valueOf("T"), fieldKinds[valueOf("FT")]
	if r := []rune(f.Name); len(r) > 120 {
		f.Name = string(r[:120])
	}
	rect, err := d.in.FPDFAnnot_GetRect(&requests.FPDFAnnot_GetRect{Annotation: of})
	if err != nil || f.Name == "" || f.Kind == "" {
		return f, false
	}
	f.Box, err = d.box(page, float64(rect.Rect.Left), float64(rect.Rect.Top), float64(rect.Rect.Right), float64(rect.Rect.Bottom))
	in := []float64{f.Box.X0, f.Box.Y0, 1 - f.Box.X1, 1 - f.Box.Y1, f.Box.X1 - f.Box.X0, f.Box.Y1 - f.Box.Y0}
	return f, err == nil && slices.Min(in) >= 0
}
