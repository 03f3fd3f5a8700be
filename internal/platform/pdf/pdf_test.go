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

	"saldo/internal/platform/pdf"
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
	if err := d.Code("https://example.com/x", "kod", pdf.Left, d.Y, 30); err != nil {
		t.Fatal(err)
	}
	return d.Bytes()
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
	if n := strings.Count(textOf(t, d.Bytes()), "W"); n != 102 {
		t.Error("letters are lost:", n)
	}
}

// seen is the first page as a reader shows it, 72 points to the inch.
func seen(t *testing.T, content []byte) image.Image {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "x.pdf"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("pdftoppm", "-r", "72", "-png", "-singlefile", filepath.Join(folder, "x.pdf"), filepath.Join(folder, "x")).CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v: %s", err, out)
	}
	shown, err := os.Open(filepath.Join(folder, "x.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer shown.Close()
	picture, err := png.Decode(shown)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func TestAPictureKeepsItsShapeAndWhatIsNoneIsLeftOut(t *testing.T) {
	d := pdf.New(pdf.Heading{})
	if w, h := d.Picture([]byte("no picture"), "", 10, 10, 40, 16); w != 0 || h != 0 {
		t.Error(w, h)
	}
	red := color.NRGBA{R: 200, A: 255}
	picture := image.NewNRGBA(image.Rect(0, 0, 200, 100)) // its left half is red, through the other the page is seen
	for x := range 100 {
		for y := range 100 {
			picture.Set(x, y, red)
		}
	}
	var content bytes.Buffer
	if err := png.Encode(&content, picture); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if w, h := d.Picture(content.Bytes(), "Logo", 10, 10, 40, 16); h != 16 || w != 32 {
			t.Error(w, h)
		}
	}
	page := seen(t, d.Bytes())
	for mm, want := range map[image.Point]color.Color{{X: 12, Y: 12}: red, {X: 25, Y: 25}: red, {X: 28, Y: 18}: color.White, {X: 12, Y: 28}: color.White, {X: 8, Y: 12}: color.White} {
		at := color.NRGBAModel.Convert(page.At(mm.X*72*10/254, mm.Y*72*10/254))
		if at != color.NRGBAModel.Convert(want) {
			t.Error(mm, at)
		}
	}
}

func TestEveryLetterOfTheFontsComesBackAndIsSeen(t *testing.T) {
	d := pdf.New(pdf.Heading{Title: "(Ŧ)", Author: `\`})
	var lines []string
	line := ""
	for r := rune(0x21); r < 0x3000; r++ {
		if text := string(r); text == "\u00a0" || pdf.Clean(text) != text {
			continue
		}
		line += string(r)
		if strings.Count(line, "") > 40 {
			lines, line = append(lines, line), ""
		}
	}
	lines = append(lines, line)
	if len(lines) < 17 {
		t.Fatal("only", len(lines), "lines of letters")
	}
	for _, line := range lines {
		d.Paragraph(pdf.Style{}, line)
		d.Paragraph(pdf.Style{Bold: true}, line)
	}
	text := textOf(t, d.Bytes())
	for _, line := range lines {
		if strings.Count(text, line) != 2 {
			t.Errorf("%q stands %d times", line, strings.Count(text, line))
		}
	}
}

// Most documents hold the pictures of few letters; a name with others is drawn as well as any.
func TestALetterBeyondTheUsualOnesIsDrawnFromTheWholeFont(t *testing.T) {
	ink := func(text string) (content []byte, dark int) {
		d := pdf.New(pdf.Heading{})
		d.Text(pdf.Left, 50, pdf.Width, pdf.Style{Size: 40}, text)
		content = d.Bytes()
		page := seen(t, content)
		for y := range 300 {
			for x := range page.Bounds().Dx() {
				if r, _, _, _ := page.At(x, y).RGBA(); r < 0x8000 {
					dark++
				}
			}
		}
		return content, dark
	}
	size := 0
	for _, text := range []string{"Ło", "Їя", "Őő", "ǅӁ", "日"} {
		content, dark := ink(text)
		if dark < 100 {
			t.Errorf("%q is hardly seen: %d", text, dark)
		}
		if text == "日" {
			if size < len(content) {
				t.Error("a letter that no font has needs no font")
			}
			continue
		}
		if size > len(content) {
			t.Errorf("%q embeds less than the letters before it: %d after %d", text, len(content), size)
		}
		size = len(content)
	}
}

func TestReadersFindFontsAndTitle(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.pdf")
	if err := os.WriteFile(file, sample(t), 0o600); err != nil {
		t.Fatal(err)
	}
	fonts, err := exec.Command("pdffonts", file).CombinedOutput()
	if err != nil || strings.Count(string(fonts), "CID TrueType      Identity-H       yes yes yes") != 2 {
		t.Errorf("%v: %s", err, fonts)
	}
	about, err := exec.Command("pdfinfo", file).CombinedOutput()
	for _, want := range []string{"Title:           Próba\n", "Author:          Saldo\n", "Producer:        Saldo\n", "Page size:       595.28 x 841.89 pts (A4)"} {
		if err != nil || !strings.Contains(string(about), want) || strings.Contains(string(about), "rror") {
			t.Errorf("%v: %q is not in %s", err, want, about)
		}
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
		d.Bytes()
	}
}
