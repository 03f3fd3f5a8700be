package template_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"saldo/internal/contracts/template"
	"saldo/internal/platform/pdf"
	"saldo/internal/testkit"
)

func everyReady(t *testing.T) (all []template.Ready) {
	t.Helper()
	all = slices.Concat(template.ReadyFor("pl"), template.ReadyFor("de"))
	if len(all) != 13 {
		t.Fatalf("%d ready texts, not 13", len(all))
	}
	return all
}

func TestReadyTexts_AreComplete(t *testing.T) {
	for _, r := range everyReady(t) {
		parsed, err := template.Parse(r.Body)
		if err != nil {
			t.Errorf("%s: %v", r.ID, err)
			continue
		}
		if !parsed.Signed(template.Driver) || r.Name == "" || r.Version < 1 || !slices.Contains(template.Kinds, r.Kind) {
			t.Errorf("%s is not complete: %+v", r.ID, r)
		}
		if r.Form != template.Simple && r.Form != template.Written {
			t.Errorf("%s has the form %q", r.ID, r.Form)
		}
		for _, language := range []string{"pl", "de", "en", "uk", "ru"} {
			if has := r.Gloss[language] != ""; has == (language == r.Language) {
				t.Errorf("%s has a summary in %s: %t", r.ID, language, has)
			}
		}
	}
}

// In passenger transport the terms of employment need ink (§ 2 NachwG with § 2a SchwarzArbG).
func TestTheGermanEmploymentContract_IsSignedByHand(t *testing.T) {
	for _, r := range template.ReadyFor("de") {
		if written := r.Form == template.Written; written != (r.ID == "de-arbeitsvertrag") {
			t.Errorf("%s is signed by hand: %t", r.ID, written)
		}
	}
}

func TestParse_RefusesWhatItDoesNotKnow(t *testing.T) {
	for _, c := range []struct {
		text         string
		line, column int
		code         string
	}{
		{"# Title\n\nDear {{driver.nmae}},", 3, 6, template.UnknownPlaceholder},
		{"zażółć **gruba", 1, 8, template.Unclosed},
		{"text {{driver.name", 1, 6, template.Unclosed},
		{"text }} more", 1, 6, template.Unclosed},
		{"an *italic* word", 1, 4, template.UnknownMark},
		{"some `code`", 1, 6, template.UnknownMark},
		{"a [link](http://x)", 1, 8, template.UnknownMark},
		{"#### too deep", 1, 1, template.UnknownMark},
		{"> quoted", 1, 1, template.UnknownMark},
		{"[signature:nobody]", 1, 1, template.UnknownMark},
		{"[check:nothing] x", 1, 1, template.UnknownPlaceholder},
		{"a <b>bold</b>", 1, 3, template.UnknownMark},
		{"| a | b |\n|---|---|\n| c |", 3, 1, template.WrongTable},
		{" \n", 1, 1, template.Empty},
	} {
		_, err := template.Parse(c.text)
		var found template.Mistakes
		if !errors.As(err, &found) {
			t.Errorf("%q is taken", c.text)
			continue
		}
		if m := found[0]; m.Line != c.line || m.Column != c.column || m.Code != c.code {
			t.Errorf("%q: %+v, not %d:%d %s", c.text, m, c.line, c.column, c.code)
		}
	}
}

func make1(t testing.TB, body string, v template.Values) []byte {
	t.Helper()
	parsed, err := template.Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	content, _ := template.Make(template.File{Author: "Flota"}, template.Document{Template: parsed, Title: "T", Language: "pl", Values: v})
	return content
}

// extracted is the text of a PDF; it needs pdftotext.
func extracted(t testing.TB, content []byte, options ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pdftotext", append(options, name, "-")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestWhatADriverTypes_IsTextAndNothingElse(t *testing.T) {
	typed := "# Max **Fett** {{driver.pesel}} | [page] [signature:driver] \\ `x` <b>"
	got := extracted(t, make1(t, "Name: {{driver.name}} end\n\n| a | b |\n|---|---|\n| x | {{driver.name}} |",
		template.Values{Texts: map[string]string{"driver.name": typed, "driver.pesel": "44051401359"}}))
	flat := strings.Join(strings.Fields(got), " ")
	if strings.Count(flat, typed) != 2 || strings.Contains(flat, "44051401359") {
		t.Errorf("became %q", flat)
	}
	if pages := strings.Count(got, "\f"); pages != 1 {
		t.Errorf("%d pages", pages)
	}
}

func TestSamePagesWithAndWithoutSignature(t *testing.T) {
	for _, r := range everyReady(t) {
		parsed, err := template.Parse(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		values := someone(rand.New(rand.NewPCG(7, 7)), r.Language)
		d := template.Document{Template: parsed, Title: r.Name, Language: r.Language, Values: values,
			Signers: map[template.Side]string{template.Driver: "A", template.Partner: "B"}}
		at := time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC)
		shown, pages := template.Make(template.File{Author: "Flota", At: at}, d)
		again, _ := template.Make(template.File{Author: "Flota", At: at}, d)
		if !bytes.Equal(shown, again) {
			t.Fatalf("%s: the same input gives other bytes", r.ID)
		}
		picture, err := pdf.Written("Zażółć Олександр", template.PictureWidth, template.PictureHeight)
		if err != nil {
			t.Fatal(err)
		}
		d.Signatures = map[template.Side][]byte{template.Driver: picture, template.Partner: picture}
		d.Evidence = &template.Evidence{Title: "Olek Олек", Heads: []string{"", "", "", ""}, Address: "https://saldo.example.com/app/verify/x"}
		signed, _ := template.Make(template.File{Author: "Flota", At: at}, d)
		before, after := streams(t, shown), streams(t, signed)
		if len(after) <= len(before) || len(before) != pages[0] {
			t.Fatalf("%s: %d pages became %d", r.ID, len(before), len(after))
		}
		for i := range before {
			if before[i] != after[i] {
				t.Errorf("%s: page %d is another one when it is signed", r.ID, i+1)
			}
		}
	}
}

var contents = regexp.MustCompile(`/Contents (\d+) 0 R`)

// streams are what is drawn on the pages of a PDF that this program made, packed.
func streams(t *testing.T, file []byte) (all []string) {
	t.Helper()
	for _, m := range contents.FindAllSubmatch(file, -1) {
		from := bytes.Index(file, []byte("\n"+string(m[1])+" 0 obj"))
		if from < 0 {
			t.Fatal("no such object")
		}
		rest := file[from:]
		start, end := bytes.Index(rest, []byte("stream\n")), bytes.Index(rest, []byte("endstream"))
		all = append(all, string(rest[start:end]))
	}
	return all
}

// Whoever does not see a box to tick hears whether it is ticked.
func TestBoxes_SayWhatTheyAre(t *testing.T) {
	var statements template.Ready
	for _, r := range everyReady(t) {
		if r.ID == "pl-oswiadczenie" {
			statements = r
		}
	}
	parsed, err := template.Parse(statements.Body)
	if err != nil {
		t.Fatal(err)
	}
	content, _ := template.Make(template.File{Author: "Flota"}, template.Document{Template: parsed, Title: statements.Name, Language: "pl",
		Values: template.Values{Ticks: map[string]bool{"student": true}},
		Ticked: "zaznaczone", Empty: "niezaznaczone"})
	says := func(text string) string {
		var b strings.Builder
		for _, u := range utf16.Encode([]rune(text)) {
			fmt.Fprintf(&b, "%04X", u)
		}
		return "/Alt<FEFF" + b.String() + ">"
	}
	tagged := unpacked(t, content)
	if ticked, empty := strings.Count(tagged, says("zaznaczone")), strings.Count(tagged, says("niezaznaczone")); ticked != 1 || empty < 15 {
		t.Errorf("%d boxes are ticked, %d are not", ticked, empty)
	}
}

// A place to sign has the line before it on its page, wherever that ends.
func TestPlacesToSign_AreNotAloneOnAPage(t *testing.T) {
	for lines := 25; lines < 45; lines++ {
		content := make1(t, strings.Repeat("Zdanie.\n\n", lines)+"Łódź, 18.11.2026\n\n[signature:driver] Kierowca\n", template.Values{})
		all := strings.Split(strings.TrimSuffix(extracted(t, content), "\f"), "\f")
		if last := all[len(all)-1]; !strings.Contains(last, "18.11.2026") || !strings.Contains(last, "Kierowca") {
			t.Errorf("%d lines: the last of %d pages says %q", lines, len(all), last)
		}
	}
}

// unpacked is what the streams of a PDF hold.
func unpacked(t *testing.T, content []byte) string {
	t.Helper()
	var all strings.Builder
	for _, part := range bytes.Split(content, []byte("stream\n"))[1:] {
		z, err := zlib.NewReader(bytes.NewReader(part))
		if err != nil {
			continue // is not packed
		}
		if _, err := io.Copy(&all, z); err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

var alphabets = []string{"aąbcćdeęłńóśźżz", "aäbcdefghoöuüß", "абвгґдеєжзиіїйклмн", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
	"aáčďéěíňóřšťúůýžâêôőűșțğış"}

func word(r *rand.Rand, letters []rune, n int) string {
	out := make([]rune, n)
	for i := range out {
		out[i] = letters[r.IntN(len(letters))]
	}
	return strings.ToUpper(string(out[:1])) + string(out[1:])
}

// someone is an invented driver. Everything that need not be given is missing in a third of them; a name may have 60 letters.
func someone(r *rand.Rand, language string) template.Values {
	letters := []rune(alphabets[r.IntN(len(alphabets))])
	v := template.Values{Texts: map[string]string{}, Ticks: map[string]bool{}}
	for _, name := range template.Names {
		if r.IntN(3) == 0 {
			continue
		}
		v.Texts[name] = word(r, letters, 1+r.IntN(60))
		if r.IntN(4) == 0 {
			v.Texts[name] += " " + word(r, letters, 1+r.IntN(60)) + "-" + word(r, letters, 12) + " {{driver.name}} **x** | #"
		}
	}
	v.Texts["driver.name"] = word(r, letters, 60) + " " + word(r, letters, 60)
	for _, box := range template.Boxes {
		v.Ticks[box] = r.IntN(2) == 0
	}
	return v
}

var wordBox = regexp.MustCompile(`<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)</word>`)

// 1,000 drivers in a long run, 20 otherwise: every text of every driver within the frame, no placeholder left, no letter missing.
func TestReadyTexts_HoldEveryDriver(t *testing.T) {
	drivers := 20
	if testkit.Soak() > 1 {
		drivers = 1000
	}
	began, made := time.Now(), 0
	for n := range drivers {
		r := rand.New(rand.NewPCG(22, uint64(n)))
		for _, ready := range everyReady(t) {
			parsed, err := template.Parse(ready.Body)
			if err != nil {
				t.Fatal(err)
			}
			values := someone(r, ready.Language)
			gloss := ready.Gloss["uk"]
			content, _ := template.Make(template.File{Author: "Flota", Foot: ready.Name}, template.Document{Template: parsed, Title: ready.Name,
				Language: ready.Language, Values: values, Gloss: gloss, Signers: map[template.Side]string{template.Driver: values.Texts["driver.name"],
					template.Partner: values.Texts["partner.name"]}})
			made++
			if n%20 > 0 && n%7 != int(ready.Order)%7 { // reading a PDF takes longer than making a hundred
				continue
			}
			text := extracted(t, content, "-bbox")
			plain := strings.ReplaceAll(text, "{{driver.name}}", "") // what a driver typed stays as it was typed
			if strings.Contains(plain, "{{") || strings.Contains(plain, "}}") || strings.Contains(text, "\ufffd") {
				t.Fatalf("driver %d, %s: a placeholder is left or a letter is missing", n, ready.ID)
			}
			for _, w := range wordBox.FindAllStringSubmatch(text, -1) {
				left, _ := strconv.ParseFloat(w[1], 64)
				right, _ := strconv.ParseFloat(w[3], 64)
				low, _ := strconv.ParseFloat(w[4], 64)
				if left < pdf.Left/25.4*72-0.6 || right > pdf.Right/25.4*72+0.6 || low > 841.89-20 {
					t.Fatalf("driver %d, %s: %q stands outside of the frame: %v", n, ready.ID, w[5], w[1:5])
				}
			}
		}
	}
	t.Logf("%d documents, %s each with reading some of them", made, time.Since(began)/time.Duration(made))
}

func BenchmarkReadyText(b *testing.B) {
	parsed, err := template.Parse(template.ReadyFor("pl")[0].Body)
	if err != nil {
		b.Fatal(err)
	}
	values := someone(rand.New(rand.NewPCG(1, 1)), "pl")
	for b.Loop() {
		template.Make(template.File{Author: "Flota"}, template.Document{Template: parsed, Title: "T", Language: "pl", Values: values})
	}
}

// SALDO_PAPERS=folder leaves the PDFs there, to be looked at.
func TestReadyTexts_CanBeLookedAt(t *testing.T) {
	folder := os.Getenv("SALDO_PAPERS")
	if folder == "" {
		folder = t.TempDir()
	}
	for _, r := range everyReady(t) {
		parsed, err := template.Parse(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		v := template.Values{Texts: map[string]string{"driver.name": "Олександр Шевченко-Коваленко", "partner.name": "Flota Żółta sp. z o.o.",
			"contract.date": "18.11.2026", "contract.place": "Łódź", "driver.address": "ul. Piotrkowska 12/3, 90-001 Łódź"},
			Ticks: map[string]bool{"student": true, "sickness": true, "vatPayer": true}}
		content, _ := template.Make(template.File{Author: "Flota", Foot: fmt.Sprint(r.Name, " · Flota Żółta"), Draft: "PROJEKT"},
			template.Document{Template: parsed, Title: r.Name, Language: r.Language, Values: v, Gloss: r.Gloss["uk"],
				Signers: map[template.Side]string{template.Driver: v.Texts["driver.name"], template.Partner: v.Texts["partner.name"]}})
		if err := os.WriteFile(filepath.Join(folder, r.ID+".pdf"), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
