package template_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"saldo/internal/contracts/template"
	"saldo/internal/platform/pdf"
	"saldo/internal/testkit"
)

func base(t testing.TB, pages int) *template.Base {
	t.Helper()
	sheets, err := pdf.ReadSheets(testkit.Sheets(pages))
	if err != nil {
		t.Fatal(err)
	}
	return &template.Base{Sheets: sheets, Lines: [][]template.Line{{{X: 10, Y: 15, Text: "Page 1"}}}}
}

// everyName has a row for each placeholder, a box for each tick and the two signatures, over three pages.
func everyName() (all []template.Placement) {
	for i, name := range template.Names {
		all = append(all, template.Placement{Name: name, Kind: template.PlacedText, Page: 1 + i/28, X: 18, Y: 20 + float64(i%28)*9.5, W: 174, H: 9, Size: 10})
	}
	for i, name := range template.Boxes {
		all = append(all, template.Placement{Name: name, Kind: template.PlacedCheck, Page: 3, X: 20 + float64(i%10)*12, Y: 20 + float64(i/10)*12, W: 4, H: 4, Size: 10})
	}
	for i, side := range []template.Side{template.Driver, template.Partner} {
		all = append(all, template.Placement{Name: string(side), Kind: template.PlacedSignature, Page: 3, X: 20 + float64(i)*80, Y: 200, W: 60, H: 30, Size: 10})
	}
	return all
}

func placed(of *template.Base, values template.Values, all []template.Placement) template.Document {
	return template.Document{Base: of, Placed: all, Title: "Umowa floty", Language: "pl", Values: values,
		Signers: map[template.Side]string{template.Driver: values.Texts["driver.name"], template.Partner: "Flota"}}
}

// 1,000 drivers in a long run, 60 otherwise: every value within its box, no letter missing, the same bytes again.
func TestPlacedValues_HoldEveryDriver(t *testing.T) {
	drivers := 60
	if testkit.Soak() > 1 {
		drivers = 1000
	}
	of, all := base(t, 3), everyName()
	began := time.Now()
	var making time.Duration
	for n := range drivers {
		d := placed(of, someone(rand.New(rand.NewPCG(23, uint64(n))), "pl"), all)
		if at := d.Room(); at >= 0 {
			t.Fatalf("driver %d: %s does not fit", n, all[at].Name)
		}
		start := time.Now()
		content, pages := template.Make(template.File{Author: "Flota"}, d)
		making += time.Since(start)
		if again, _ := template.Make(template.File{Author: "Flota"}, d); !bytes.Equal(content, again) || pages[0] != 3 {
			t.Fatalf("driver %d: other bytes, or %d pages", n, pages[0])
		}
		if n%20 > 0 {
			continue
		}
		text := extracted(t, content, "-bbox")
		if strings.Contains(text, "\ufffd") {
			t.Fatalf("driver %d: a letter is missing", n)
		}
		for page, part := range strings.Split(text, "<page ")[1:] {
			for _, w := range wordBox.FindAllStringSubmatch(part, -1) {
				var at [4]float64
				for i := range at {
					mm, err := strconv.ParseFloat(w[i+1], 64)
					if err != nil {
						t.Fatal(err)
					}
					at[i] = mm * 25.4 / 72
				}
				if w[5] == "Page" || w[5] == strconv.Itoa(page+1) {
					continue
				}
				if !slices.ContainsFunc(all, func(p template.Placement) bool { // heights are those of the font, beyond what is drawn
					middle := (at[1] + at[3]) / 2
					return p.Page == page+1 && at[0] >= p.X-0.2 && at[2] <= p.X+p.W+0.2 && middle >= p.Y && middle <= p.Y+p.H
				}) {
					t.Fatalf("driver %d: %q stands in no box: %v", n, w[5], at)
				}
			}
		}
	}
	t.Logf("%s for each, %s with reading some of them", making/time.Duration(drivers), time.Since(began)/time.Duration(drivers))
}

// What does not fit in the smallest size is named, and nothing is cut.
func TestRoom_NamesWhatDoesNotFit(t *testing.T) {
	values := template.Values{Texts: map[string]string{"driver.name": "Aleksandra", "driver.address": "ul. Piotrkowska 12/3, 90-001 Łódź", "driver.pesel": ""}}
	for name, c := range map[string]struct {
		p    template.Placement
		fits bool
	}{
		"in its size":             {template.Placement{Name: "driver.name", W: 40, H: 5, Size: 10}, true},
		"smaller":                 {template.Placement{Name: "driver.name", W: 10, H: 2.2, Size: 10}, true},
		"a word that is too wide": {template.Placement{Name: "driver.name", W: 7, H: 20, Size: 10}, false},
		"too low":                 {template.Placement{Name: "driver.name", W: 40, H: 2, Size: 10}, false},
		"on several lines":        {template.Placement{Name: "driver.address", W: 22, H: 16, Size: 10}, true},
		"too many lines":          {template.Placement{Name: "driver.address", W: 18, H: 4, Size: 10}, false},
		"nothing":                 {template.Placement{Name: "driver.pesel", W: 2, H: 2, Size: 10}, false},
	} {
		c.p.Kind, c.p.Page = template.PlacedText, 1
		if name == "nothing" {
			c.p.H, c.fits = 3, true
		}
		if got := placed(base(t, 1), values, []template.Placement{c.p}).Room() < 0; got != c.fits {
			t.Errorf("%s: fits is %v", name, got)
		}
	}
}

func TestWrong_NamesThePart(t *testing.T) {
	good := template.Placement{Name: "driver.name", Kind: "text", Page: 2, X: 0, Y: 0, W: 148.5, H: 210, Size: 10}
	pages := [][2]float64{{210, 297}, {148.5, 210}}
	for want, change := range map[string]func(*template.Placement){
		"": func(*template.Placement) {}, "kind": func(p *template.Placement) { p.Kind = "line" }, "name": func(p *template.Placement) { p.Name = "driver" },
		"page": func(p *template.Placement) { p.Page = 3 }, "size": func(p *template.Placement) { p.Size = 4 },
		"box": func(p *template.Placement) { p.X = 1 },
	} {
		p := good
		change(&p)
		if got := p.Rounded().Wrong(pages); got != want {
			t.Errorf("%q instead of %q", got, want)
		}
	}
	for _, n := range []float64{math.NaN(), math.Inf(1), -1, 1e300} {
		p := good
		p.W = n
		if got := p.Rounded().Wrong(pages); got != "box" {
			t.Errorf("%v: %q", n, got)
		}
		p = good
		p.Size = n
		if got := p.Rounded().Wrong(pages); got != "size" {
			t.Errorf("size %v: %q", n, got)
		}
	}
	p := good
	p.Kind, p.Name, p.W = "signature", "driver", 10
	if got := p.Wrong(pages); got != "box" {
		t.Errorf("a narrow signature: %q", got)
	}
}

// A page is the same whether it is signed or not, and its words are read with the values among them.
func TestPlacedPages_AreTheSameSigned(t *testing.T) {
	values := someone(rand.New(rand.NewPCG(1, 1)), "pl")
	d := placed(base(t, 3), values, everyName())
	shown, _ := template.Make(template.File{Author: "Flota"}, d)
	picture, err := pdf.Written("Żaneta", template.PictureWidth, template.PictureHeight)
	if err != nil {
		t.Fatal(err)
	}
	d.Signatures = map[template.Side][]byte{template.Driver: picture}
	d.Evidence = &template.Evidence{Title: "T", Heads: []string{"a", "b", "c", "d"}}
	signed, _ := template.Make(template.File{Author: "Flota"}, d)
	before, after := streams(t, shown), streams(t, signed)
	if len(before) != 3 || len(after) != 4 || !slices.Equal(before, after[:3]) {
		t.Errorf("%d and %d pages, or other ones", len(before), len(after))
	}
	lines := template.Lines(d)
	if !slices.Contains(lines, "Page 1") || !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, values.Texts["driver.name"]) }) ||
		!slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "☒") }) {
		t.Errorf("%q", lines)
	}
}

// columnOf are lines of running text below each other.
func columnOf(x, y float64, texts ...string) (lines []template.Line) {
	for i, text := range texts {
		lines = append(lines, template.Line{X: x, Y: y + 5*float64(i), W: 78, Text: text})
	}
	lines[len(lines)-1].W = 20 // the last of a paragraph ends early
	return lines
}

// Columns of text are read one after the other with what was placed in them; labels and values are read row by row.
func TestPlacedPages_AreReadColumnByColumn(t *testing.T) {
	values := template.Values{Texts: map[string]string{"driver.name": "Oleh Bondar"}}
	head := template.Line{X: 20, Y: 20, W: 170, Text: "Umowa / Договір"}
	foot := template.Line{X: 20, Y: 90, W: 170, Text: "Podpisy"}
	name := template.Placement{Name: "driver.name", Kind: template.PlacedText, Page: 1, X: 112, Y: 46, W: 60, H: 8, Size: 10}
	polish, ukrainian := columnOf(20, 40, "pl 1", "pl 2", "pl 3", "pl 4"), columnOf(110, 40, "uk 1", "uk 2", "uk 3", "uk 4")
	third := columnOf(195, 40, "ru 1", "ru 2", "ru 3")
	form := []template.Line{{X: 20, Y: 40, W: 12, Text: "Imię"}, {X: 20, Y: 45, W: 40, Text: "Adres zamieszkania"}, {X: 20, Y: 50, W: 9, Text: "Tel."},
		{X: 110, Y: 40, W: 30, Text: "Jan"}, {X: 110, Y: 45, W: 70, Text: "Długa 1"}, {X: 110, Y: 50, W: 20, Text: "600"}}
	old := slices.Concat(polish, ukrainian)
	for i := range old {
		old[i].W = 0
	}
	for what, c := range map[string]struct {
		lines []template.Line
		want  string
	}{
		"two columns": {slices.Concat([]template.Line{head}, polish, ukrainian, []template.Line{foot}),
			"Umowa / Договір|pl 1|pl 2|pl 3|pl 4|uk 1|uk 2|uk 3 Oleh Bondar|uk 4|Podpisy"},
		"three columns":  {slices.Concat(polish, ukrainian, third), "pl 1|pl 2|pl 3|pl 4|uk 1|uk 2|uk 3 Oleh Bondar|uk 4|ru 1|ru 2|ru 3"},
		"a form":         {form, "Imię Jan|Adres zamieszkania Długa 1|Tel. 600 Oleh Bondar"},
		"without widths": {old, "pl 1 uk 1|pl 2 uk 2|pl 3 uk 3 Oleh Bondar|pl 4 uk 4"},
		"two lines each": {slices.Concat(polish[:2], ukrainian[:2]), "pl 1 uk 1|pl 2 uk 2|Oleh Bondar"},
	} {
		of := base(t, 1)
		of.Lines = template.PageLines{c.lines}
		if got := strings.Join(template.Lines(placed(of, values, []template.Placement{name})), "|"); got != c.want {
			t.Errorf("%s: %s", what, got)
		}
	}
}

func TestProposals_KnowWhatFormsCallTheirFields(t *testing.T) {
	for name, want := range map[string]string{"Imię i nazwisko": "driver.name", "PESEL_2": "driver.pesel", "driver.email": "driver.email", "Kennzeichen": "vehicle.registration",
		"Uwagi": ""} {
		if got := template.Proposed("text", name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if template.Proposed("signature", "Podpis zleceniodawcy") != "partner" || template.Proposed("signature", "Podpis") != "driver" || template.Proposed("check", "x") != "" {
		t.Error("signatures or boxes are for others")
	}
}

func BenchmarkPlaced(b *testing.B) {
	d := placed(base(b, 3), someone(rand.New(rand.NewPCG(1, 1)), "pl"), everyName())
	for b.Loop() {
		template.Make(template.File{Author: "Flota"}, d)
	}
}
