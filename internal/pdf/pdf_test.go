package pdf_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"saldo/internal/pdf"
)

var pangrams = []string{
	"Zażółć gęślą jaźń, ŹDŹBŁO 1 234,56 zł − 12",
	"Falsches Üben von Xylophonmusik quält jeden größeren Zwerg, 5 €",
	"Щастям б'єш жук їх глицю в фон й ґедзь пріч, № 7",
	"Съешь ещё этих мягких французских булок, да выпей чаю",
	"Pack my box with five dozen liquor jugs – “quoted” × 8/108",
}

func sample(t *testing.T) []byte {
	t.Helper()
	d := pdf.New(pdf.Heading{Title: "Próba", Author: "Saldo", Language: "pl", At: time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC), Foot: "stopka"})
	for _, text := range pangrams {
		d.Paragraph(pdf.Style{}, text)
		d.Paragraph(pdf.Style{Bold: true, Size: 12}, text)
	}
	rows := []pdf.Row{}
	for i := range 120 {
		if i%40 == 0 {
			rows = append(rows, pdf.Row{Heading: fmt.Sprint("Grupa ", i/40)})
		}
		rows = append(rows, pdf.Row{Cells: []pdf.Cell{{Text: fmt.Sprint("wiersz ", i), Note: strings.Repeat("uwaga ", 20)}, {Text: fmt.Sprintf("%d,00", i)}}})
	}
	d.Table([]pdf.Column{{Title: "Pozycja", Width: 120}, {Title: "Kwota", Width: 54, Right: true}}, rows)
	d.Need(40)
	if err := d.Code("https://example.com/x", pdf.Left, d.Y, 30); err != nil {
		t.Fatal(err)
	}
	content, err := d.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// textOf is what a reader copies out of a document.
func textOf(t *testing.T, content []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.pdf")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pdftotext", "-layout", file, "-").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

func TestTextComesBackInFiveLanguages(t *testing.T) {
	text := textOf(t, sample(t))
	for _, want := range append(pangrams, "Pozycja", "wiersz 119", "119,00", "stopka", "Grupa 2") {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if n := strings.Count(text, "\f"); n < 3 || strings.Count(text, "Kwota") < n-1 {
		t.Errorf("%d pages, the heads stand %d times", n, strings.Count(text, "Kwota"))
	}
	if !strings.Contains(text, fmt.Sprintf("1/%d", strings.Count(text, "\f"))) {
		t.Error("the first page does not say of how many")
	}
}

func TestTheSameInputGivesTheSameBytes(t *testing.T) {
	if !bytes.Equal(sample(t), sample(t)) {
		t.Error("two documents of the same differ")
	}
}

func TestWhatTheFontsDoNotHaveIsMarkedAndNothingIsWrittenBeyond(t *testing.T) {
	for in, want := range map[string]string{"a\u200bb": "ab", "日本": "\ufffd\ufffd", "😀": "\ufffd", "a\tb": "a\u00a0b", "e\u0301": "é", "−5 ₴": "−5 ₴", "x\x00y": "xy"} {
		if got := pdf.Clean(in); got != want {
			t.Errorf("%q becomes %q", in, got)
		}
	}
	d := pdf.New(pdf.Heading{})
	d.Text(pdf.Left, 50, 20, pdf.Style{}, strings.Repeat("W", 100))
	d.Text(pdf.Left, 50, 0.1, pdf.Style{}, "WW")
	if content, err := d.Bytes(); err != nil || strings.Count(strings.ReplaceAll(textOf(t, content), "\n", ""), "W") < 101 {
		t.Error("letters are lost", err)
	}
}

func TestAPictureKeepsItsShapeAndWhatIsNoneIsLeftOut(t *testing.T) {
	d := pdf.New(pdf.Heading{})
	if w, h := d.Picture([]byte("no picture"), 10, 10, 40, 16); w != 0 || h != 0 {
		t.Error(w, h)
	}
	picture := image.NewRGBA(image.Rect(0, 0, 200, 100))
	for x := range 200 {
		picture.Set(x, x/2, color.RGBA{R: 200, A: 255})
	}
	var content bytes.Buffer
	if err := png.Encode(&content, picture); err != nil {
		t.Fatal(err)
	}
	if w, h := d.Picture(content.Bytes(), 10, 10, 40, 16); h != 16 || w != 32 {
		t.Error(w, h)
	}
	if _, err := d.Bytes(); err != nil {
		t.Error(err)
	}
}

func TestColours(t *testing.T) {
	if got := pdf.ParseColour("#0B5D68"); got != (pdf.Colour{R: 0x0B, G: 0x5D, B: 0x68}) || pdf.ParseColour("red") != pdf.Ink {
		t.Error(got)
	}
}

func BenchmarkDocument(b *testing.B) {
	for b.Loop() {
		d := pdf.New(pdf.Heading{Title: "x", Language: "pl"})
		for _, text := range pangrams {
			d.Paragraph(pdf.Style{}, text)
			d.Paragraph(pdf.Style{Bold: true}, text)
		}
		if _, err := d.Bytes(); err != nil {
			b.Fatal(err)
		}
	}
}
