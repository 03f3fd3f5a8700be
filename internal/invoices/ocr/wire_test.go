package ocr

import (
	"bytes"
	"encoding/json"
	"image"
	"strings"
	"testing"

	"saldo/internal/invoices/layout"
)

func TestQuestion_RoundTrip(t *testing.T) {
	page := image.NewGray(image.Rect(0, 0, 30, 20))
	for i := range page.Pix {
		page.Pix[i] = uint8(i)
	}
	part := page.SubImage(image.Rect(0, 0, 21, 20)).(*image.Gray)
	var wire bytes.Buffer
	if err := ask(&wire, part); err != nil {
		t.Fatal(err)
	}
	got, err := Asked(&wire)
	if err != nil {
		t.Fatal(err)
	}
	if got.Rect != image.Rect(0, 0, 21, 20) || got.Pix[got.Stride] != page.Pix[page.Stride] {
		t.Errorf("came as %v, second row from %d", got.Rect, got.Pix[got.Stride])
	}
}

func TestQuestion_RefusesWhatIsNoPage(t *testing.T) {
	for _, wrong := range []string{
		"", "\n", "{}\n", "[]\n", strings.Repeat("x", 1<<20),
		`{"width":0,"height":4}` + "\n", `{"width":-2,"height":-2}` + "\n" + "1234", `{"width":100000,"height":100000}` + "\n",
		`{"width":4294967296,"height":4294967296}` + "\n", `{"width":2,"height":2}` + "\n123",
	} {
		if page, err := Asked(strings.NewReader(wrong)); err == nil {
			t.Errorf("%.40q is a page of %v", wrong, page.Rect)
		}
	}
}

func TestAnswer_TakesWordsAndRefusesRubbish(t *testing.T) {
	good := layout.Word{Text: "Faktura", Page: 1, Box: layout.Box{X0: 0.1, Y0: 0.2, X1: 0.3, Y1: 0.25}, Sure: 0.98}
	content, err := json.Marshal(Answer{Turned: 3, Words: []layout.Word{good}})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := answered(content)
	if err != nil || answer.Turned != 3 || len(answer.Words) != 1 || answer.Words[0] != good {
		t.Fatalf("%+v, %v", answer, err)
	}
	if answer, err := answered([]byte(`{"words":null,"turned":0}`)); err != nil || len(answer.Words) != 0 {
		t.Errorf("an empty page: %+v, %v", answer, err)
	}
	for name, change := range map[string]func(*Answer){
		"turned too far":   func(a *Answer) { a.Turned = 4 },
		"turned backwards": func(a *Answer) { a.Turned = -1 },
		"an error":         func(a *Answer) { a.Error = "no model" },
		"too many words":   func(a *Answer) { a.Words = make([]layout.Word, mostWords+1) },
		"no text":          func(a *Answer) { a.Words[0].Text = "" },
		"a blank":          func(a *Answer) { a.Words[0].Text = "a b" },
		"a line end":       func(a *Answer) { a.Words[0].Text = "a\nb" },
		"NUL":              func(a *Answer) { a.Words[0].Text = "a\x00" },
		"a long text":      func(a *Answer) { a.Words[0].Text = strings.Repeat("x", 1001) },
		"another page":     func(a *Answer) { a.Words[0].Page = 2 },
		"too sure":         func(a *Answer) { a.Words[0].Sure = 1.5 },
		"left of the page": func(a *Answer) { a.Words[0].Box.X0 = -0.1 },
		"turned over":      func(a *Answer) { a.Words[0].Box.Y1 = 0.1 },
		"below the page":   func(a *Answer) { a.Words[0].Box.Y1 = 1.1 },
	} {
		wrong := Answer{Words: []layout.Word{good}}
		change(&wrong)
		content, err := json.Marshal(wrong)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := answered(content); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}
