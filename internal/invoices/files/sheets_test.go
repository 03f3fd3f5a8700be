package files

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	printed "saldo/internal/platform/pdf"
	"saldo/internal/testkit"
)

// upright are pages as programs and scanners make them.
func upright() []testkit.PDFPage {
	return []testkit.PDFPage{
		{Lines: []string{"Plain page", "Second line"}, Fields: []testkit.PDFField{{Name: "driver.name", Kind: "Tx", Box: [4]float64{100, 700, 300, 720}},
			{Name: "agree", Kind: "Btn", Box: [4]float64{100, 650, 112, 662}}, {Name: "sign here", Kind: "Sig", Box: [4]float64{100, 100, 300, 160}}}},
		{Width: 842, Height: 595, Lines: []string{"Landscape"}},
		{Rotate: 90, Lines: []string{"Turned right"}},
		{Rotate: 270, Crop: [4]float64{50, 60, 450, 560}, Lines: []string{"Turned left and cropped"}},
		{Rotate: 180, Lines: []string{"Upside down"}},
		{Width: 612, Height: 1008, Crop: [4]float64{100, 200, 500, 900}, Lines: []string{"Cropped legal"}},
	}
}

func TestSheets_DrawWhatTheFileShows(t *testing.T) {
	r := New(Options{NoOCR: true, Cache: compiled})
	defer r.Close()
	for _, packed := range []bool{false, true} {
		content := testkit.PDF(packed, upright()...)
		began := time.Now()
		s, err := r.Sheets(context.Background(), content, 40)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(time.Since(began), len(content), len(s.Content))
		sizes := [][2]float64{}
		for _, p := range s.Pages {
			sizes = append(sizes, [2]float64{p.Width, p.Height})
		}
		read, err := printed.TakeSheets(s.Content, sizes)
		if err != nil {
			t.Fatalf("%v\n%s", err, s.Content)
		}
		plain := read.Bytes()
		again, err := printed.ReadSheets(plain)
		if err != nil || !bytes.Equal(again.Bytes(), plain) {
			t.Fatalf("read again it is another file: %v", err)
		}
		d := printed.New(printed.Heading{Title: "Test", Language: "pl"})
		for i := range again.Pages() {
			d.Sheet(again, i)
			d.Text(20, 30, 50, printed.Style{Size: 12}, "Zażółć Жук")
		}
		d.Part()
		d.Paragraph(printed.Style{}, "Koniec")
		d.Across("DRAFT")
		folder := os.Getenv("SALDO_PAPERS")
		if folder == "" {
			folder = t.TempDir()
		}
		for name, content := range map[string][]byte{"in.pdf": content, "sheets.pdf": plain, "out.pdf": d.Bytes()} {
			if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		says, err := exec.Command("pdftotext", filepath.Join(folder, "out.pdf"), "-").CombinedOutput()
		if err != nil || !strings.Contains(string(says), "Turned left and cropped") || !strings.Contains(string(says), "Zażółć Жук") {
			t.Errorf("%v: %s", err, says)
		}
		t.Logf("%+v", s.Pages[0].Fields)
	}
}
