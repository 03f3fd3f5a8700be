package files

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	printed "saldo/internal/platform/pdf"
	"saldo/internal/testkit"
)

// upright are pages as programs and scanners make them.
func upright() []testkit.PDFPage {
	return []testkit.PDFPage{
		{Lines: []string{"Plain page", "Second line"}, Fields: []testkit.PDFField{
			{Name: "driver.name", Kind: "Tx", Box: [4]float64{100, 700, 300, 720}},
			{Name: "agree", Kind: "Btn", Box: [4]float64{100, 650, 112, 662}},
			{Name: "sign here", Kind: "Sig", Box: [4]float64{100, 100, 300, 160}}}},
		{Width: 842, Height: 595, Lines: []string{"Landscape"}},
		{Rotate: 90, Lines: []string{"Turned right"}},
		{Rotate: 270, Crop: [4]float64{50, 60, 450, 560}, Lines: []string{"Turned left and cropped"}},
		{Rotate: 180, Lines: []string{"Upside down"}},
		{Width: 612, Height: 1008, Crop: [4]float64{100, 200, 500, 900}, Lines: []string{"Cropped legal"}},
	}
}

// taken are the pages of a PDF as documents draw them.
func taken(s Sheets) (*printed.Sheets, error) {
	sizes := make([][2]float64, len(s.Pages))
	for i, p := range s.Pages {
		sizes[i] = [2]float64{p.Width, p.Height}
	}
	return printed.TakeSheets(s.Content, sizes)
}

var pageSize = regexp.MustCompile(`Page +\d+ size: +([\d.]+) x ([\d.]+)`)

// Turned, cropped and large pages are drawn as they are shown, with our letters over them, the same each time.
func TestSheets_DrawWhatTheFileShows(t *testing.T) {
	r := New(Options{NoOCR: true, Cache: compiled})
	defer r.Close()
	for _, packed := range []bool{false, true} {
		s, err := r.Sheets(context.Background(), testkit.PDF(packed, upright()...), 40)
		if err != nil {
			t.Fatal(err)
		}
		read, err := taken(s)
		if err != nil {
			t.Fatal(err)
		}
		plain := read.Bytes()
		again, err := printed.ReadSheets(plain)
		if err != nil || !bytes.Equal(again.Bytes(), plain) {
			t.Fatalf("read again it is another file: %v", err)
		}
		made := func() []byte {
			d := printed.New(printed.Heading{Title: "Test", Language: "pl"})
			for i := range again.Pages() {
				d.Sheet(again, i)
				d.Text(20, 30, 50, printed.Style{Size: 12}, "Zażółć Жук")
			}
			d.Part()
			d.Paragraph(printed.Style{}, "Koniec")
			d.Across("DRAFT")
			return d.Bytes()
		}
		content := made()
		if !bytes.Equal(content, made()) {
			t.Error("the same pages are other bytes")
		}
		folder := os.Getenv("SALDO_PAPERS")
		if folder == "" {
			folder = t.TempDir()
		}
		name := filepath.Join(folder, "sheets.pdf")
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
		says, err := exec.Command("pdftotext", name, "-").CombinedOutput()
		for _, want := range []string{"Plain page", "Landscape", "Turned right", "Turned left and cropped", "Upside down", "Cropped legal", "Zażółć Жук", "Koniec"} {
			if err != nil || !strings.Contains(string(says), want) {
				t.Errorf("%s is not read: %v: %s", want, err, says)
			}
		}
		about, err := exec.Command("pdfinfo", "-l", "9", name).CombinedOutput()
		sizes := ""
		for _, m := range pageSize.FindAllSubmatch(about, -1) {
			sizes += fmt.Sprintf("%s×%s ", m[1], m[2])
		}
		if want := "595.28×841.89 842×595 841.89×595.28 500×400 595.28×841.89 400×700 595.28×841.89 "; err != nil || sizes != want {
			t.Errorf("%v: sizes are %s, not %s", err, sizes, want)
		}
		fields := s.Pages[0].Fields
		if len(fields) != 3 || fields[0].Name != "driver.name" || fields[1].Kind != "check" || fields[2].Kind != "signature" ||
			s.Pages[0].Lines[0].Text != "Plain page" || len(s.Pages[0].Lines) != 2 {
			t.Errorf("%+v, %+v", fields, s.Pages[0].Lines)
		}
	}
}

// What pages share is kept once, however many pages there are.
func TestSheets_ShareWhatPagesShare(t *testing.T) {
	r := New(Options{NoOCR: true, Cache: compiled})
	defer r.Close()
	pages := make([]testkit.PDFPage, 40)
	for i := range pages {
		pages[i].Lines = []string{fmt.Sprint("Number ", i+1)}
	}
	s, err := r.Sheets(context.Background(), testkit.PDF(true, pages...), 40)
	if err != nil {
		t.Fatal(err)
	}
	read, err := taken(s)
	if err != nil || read.Pages() != 40 {
		t.Fatal(err)
	}
	if fonts := bytes.Count(read.Bytes(), []byte("/BaseFont")); fonts != 1 {
		t.Errorf("%d fonts", fonts)
	}
	for i, p := range s.Pages {
		if p.Lines[0].Text != fmt.Sprint("Number ", i+1) {
			t.Fatalf("page %d says %q", i+1, p.Lines[0].Text)
		}
	}
}

// packedIn is a stream of so many packed bytes.
func packedIn(content io.Reader, about string) string {
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	if _, err := io.Copy(z, content); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return fmt.Sprintf("<<%s/Filter/FlateDecode/Length %d>>stream\n%s\nendstream", about, out.Len(), out.String())
}

// hostile are PDFs that nobody prints, and what is said of them; nothing: it may be taken or refused, and ends.
func hostile() map[string]struct {
	content []byte
	code    string
} {
	const catalog, tree, box = "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", "/MediaBox[0 0 595 842]"
	page := "<</Type/Page/Parent 2 0 R" + box + "/Contents 4 0 R>>"
	const drawn = "<</Length 4>>stream\nq Q\n\nendstream"
	chain := []string{catalog, tree, page, drawn}
	for n := range 3000 {
		chain = append(chain, fmt.Sprintf("<</Type/Pages/Kids[%d 0 R]/Count 1>>", n+6))
	}
	return map[string]struct {
		content []byte
		code    string
	}{
		"encrypted":            {testkit.PlainPDF("/Encrypt 5 0 R", catalog, tree, page, drawn, "<</Filter/Standard/V 1/R 2/O(x)/U(x)/P -4>>"), Encrypted},
		"a script when opened": {testkit.PlainPDF("", "<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>", tree, page, drawn), Scripted},
		"a script by name":     {testkit.PlainPDF("", "<</Type/Catalog/Pages 2 0 R/Names<</JavaScript<</Names[(a) 5 0 R]>>>>>>", tree, page, drawn, "<</S/#4AavaScript/J#53(1)>>"), Scripted},
		"a script that is packed": {testkit.PlainPDF("", catalog, tree, page, drawn,
			packedIn(strings.NewReader("6 0 <</S/JavaScript/JS(1)>>"), "/Type/ObjStm/N 1/First 4")), Scripted},
		"a form made of XML": {testkit.PlainPDF("", "<</Type/Catalog/Pages 2 0 R/AcroForm<</XFA 5 0 R>>>>", tree, page, drawn), Scripted},
		"no pages":           {testkit.PlainPDF("", catalog, "<</Type/Pages/Kids[]/Count 0>>"), Broken},
		"cut off":            {testkit.PDF(true, upright()...)[:700], Broken},
		"a head and nothing": {[]byte("%PDF-1.7\n"), Broken},
		"no PDF":             {[]byte("%!PS-Adobe-3.0"), UnknownType},
		"a page of nothing":  {testkit.PlainPDF("", catalog, tree, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 1 1]/Contents 4 0 R>>", drawn), Broken},
		"a page of a mile":   {testkit.PlainPDF("", catalog, tree, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 1000000 1000000]/Contents 4 0 R>>", drawn), Broken},
		"41 pages":           {testkit.PDF(true, make([]testkit.PDFPage, 41)...), TooManyPages},
		"one page twice":     {testkit.PlainPDF("", catalog, "<</Type/Pages/Kids[3 0 R 3 0 R]/Count 2>>", page, drawn), ""},
		"pages in a circle":  {testkit.PlainPDF("", catalog, "<</Type/Pages/Kids[2 0 R]/Count 1>>"), ""},
		"pages far below":    {testkit.PlainPDF("", append([]string{"<</Type/Catalog/Pages 5 0 R>>"}, chain[1:]...)...), ""},
		"a form in itself": {testkit.PlainPDF("", catalog, tree, "<</Type/Page/Parent 2 0 R"+box+"/Contents 4 0 R/Resources<</XObject<</A 5 0 R>>>>>>",
			"<</Length 5>>stream\n/A Do\nendstream",
			"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</A 5 0 R>>>>/Length 5>>stream\n/A Do\nendstream"), ""},
		"a quarter of a gigabyte of nothing": {testkit.PlainPDF("", catalog, tree, page, packedIn(&zeros{1 << 28}, "")), ""},
		"arrays in arrays": {testkit.PlainPDF("", catalog, tree, "<</Type/Page/Parent 2 0 R"+box+"/Contents 4 0 R/A "+strings.Repeat("[", 100_000)+
			strings.Repeat("]", 100_000)+">>", drawn), ""},
		"a picture of the same": {testkit.PlainPDF("", catalog, tree, "<</Type/Page/Parent 2 0 R"+box+"/Contents 4 0 R/Resources<</XObject<</A 5 0 R>>>>>>",
			"<</Length 5>>stream\n/A Do\nendstream",
			packedIn(&zeros{1 << 28}, "/Type/XObject/Subtype/Image/Width 16384/Height 16384/BitsPerComponent 8/ColorSpace/DeviceGray")), ""},
	}
}

// Hostile files are refused or taken, and end: each is opened by a process of its own, within its memory and time.
func TestSheets_OfHostileFilesEnd(t *testing.T) {
	r := New(Options{NoOCR: true, Cache: compiled, Self: os.Args[0]})
	for name, c := range hostile() {
		t.Run(name, func(t *testing.T) {
			s, err := r.Sheets(context.Background(), c.content, 40)
			var refused Refused
			switch {
			case c.code != "" && codeOf(err) != c.code:
				t.Errorf("%v, not %s", err, c.code)
			case err != nil && !errors.As(err, &refused):
				t.Error(err)
			case err == nil:
				read, err := taken(s)
				t.Logf("%d bytes of pages, %v", len(s.Content), err)
				if err == nil {
					if _, err := printed.ReadSheets(read.Bytes()); err != nil {
						t.Errorf("taken, and not read again: %v", err)
					}
				}
			}
		})
	}
}

// Files with changed bytes are refused or taken, and what is taken can be read again. The reader of kept pages survives them too.
func TestSheets_OfChangedFilesEnd(t *testing.T) {
	changes := 60
	if testkit.Soak() > 1 {
		changes = 2000
	}
	r := New(Options{NoOCR: true, Cache: compiled})
	defer r.Close()
	whole := testkit.PDF(false, upright()...)
	s, err := r.Sheets(context.Background(), whole, 40)
	if err != nil {
		t.Fatal(err)
	}
	read, err := taken(s)
	if err != nil {
		t.Fatal(err)
	}
	kept := read.Bytes()
	random := rand.New(rand.NewPCG(4, 5))
	for n := range changes {
		changed := bytes.Clone(whole)
		for range 1 + n%8 {
			changed[random.IntN(len(changed))] = byte(random.IntN(256))
		}
		if s, err := r.Sheets(context.Background(), changed, 40); err == nil {
			if read, err := taken(s); err == nil {
				if _, err := printed.ReadSheets(read.Bytes()); err != nil {
					t.Errorf("change %d: taken, and not read again: %v", n, err)
				}
			}
		}
		for range 50 {
			changed := bytes.Clone(kept)
			for range 1 + n%8 {
				changed[random.IntN(len(changed))] = byte(random.IntN(256))
			}
			if read, err := printed.ReadSheets(changed[:len(changed)-random.IntN(3)*random.IntN(len(changed))/3]); err == nil {
				d := printed.New(printed.Heading{})
				for i := range read.Pages() {
					d.Sheet(read, i)
				}
				d.Bytes()
			}
		}
	}
}
