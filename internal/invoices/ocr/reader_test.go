package ocr_test

import (
	"image"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"saldo/internal/invoices/ocr"
	"saldo/internal/testkit"
)

// reader is the real program where make reader has built it. The models are not ours to ship: where they are not, these tests are left
// out, by name.
func reader(t *testing.T) ocr.Program {
	t.Helper()
	path := filepath.Join(testkit.Root(t), "bin", "reader", "saldo-reader")
	if _, err := os.Stat(path); err != nil {
		t.Skip("bin/reader is not here: make reader builds it")
	}
	return ocr.Program{Path: path}
}

func picture(t *testing.T, name string) image.Image {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	decoded, err := jpeg.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// A dark, blurred photo of a receipt: its words are found, and where they stand on the photo.
func TestReceipt_WithTheReader(t *testing.T) {
	program := reader(t)
	page, err := ocr.Read(t.Context(), program, picture(t, "receipt.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	places := map[string][2]float64{ // the middle of the word on the photo, in pixels
		"F/2026/074623": {422, 314},
		"3582439504":    {426, 247},
		"377,82":        {646, 917},
	}
	for _, word := range page.Words {
		for want, place := range places {
			if !strings.Contains(strings.ReplaceAll(word.Text, "-", ""), want) {
				continue
			}
			box := page.OnPicture(word.Box)
			x, y := (box.X0+box.X1)/2*814, (box.Y0+box.Y1)/2*1742
			if math.Hypot(x-place[0], y-place[1]) < 15 {
				delete(places, want)
			} else {
				t.Logf("%s is shown at %.0f %.0f", want, x, y)
			}
		}
	}
	if len(places) > 0 {
		t.Errorf("not found where they stand: %v", places)
	}
}

// A page that lies on its side is read as if it were upright, whichever way it is turned.
func TestTurnedPages_WithTheReader(t *testing.T) {
	program := reader(t)
	prepared, err := ocr.Prepare(picture(t, "turned.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	first := -1
	for quarters := range 4 {
		words, turned, err := program.Words(t.Context(), ocr.Turn(prepared.Flat, quarters))
		if err != nil {
			t.Fatal(err)
		}
		if first < 0 {
			first = turned
		}
		if (turned+quarters)%4 != first || turned == quarters%2 {
			t.Errorf("turned by %d more, it must be turned by %d instead of %d", quarters, turned, first)
		}
		sure := 0
		for _, word := range words {
			if word.Sure > 0.8 {
				sure++
			}
		}
		if sure < 15 {
			t.Errorf("turned by %d: %d of %d words are sure", quarters, sure, len(words))
		}
	}
}

// A page without words has none, and nothing else happens.
func TestEmptyPage_WithTheReader(t *testing.T) {
	program := reader(t)
	for _, size := range []image.Rectangle{image.Rect(0, 0, 16, 16), image.Rect(0, 0, 2400, 40), image.Rect(0, 0, 2400, 2400)} {
		page := image.NewGray(size)
		for i := range page.Pix {
			page.Pix[i] = 255
		}
		if words, _, err := program.Words(t.Context(), page); err != nil || len(words) > 0 {
			t.Errorf("%v: %v, %v", size, words, err)
		}
	}
}
