package ppocr

import (
	"image"
	"math"
	"strings"
	"testing"

	"saldo/internal/invoices/ocr"
)

var recogniser = Recogniser{Symbols: Symbols("a\nb\nc\n")} // 0 is none, 4 the blank

// likely makes the steps of a line of the symbols that are likeliest, each with its probability.
func likely(symbols []int, probability float32) []float32 {
	steps := make([]float32, 5*len(symbols))
	for i, s := range symbols {
		steps[5*i+s] = probability
	}
	return steps
}

func text(line []symbol) string {
	var b strings.Builder
	for _, s := range line {
		b.WriteString(s.text)
	}
	return b.String()
}

func TestDecode_JoinsStepsAndKeepsDoubles(t *testing.T) {
	for want, steps := range map[string][]int{
		"":      {0, 0, 0},
		"a":     {0, 1, 1, 1, 0},
		"aa":    {1, 1, 0, 1},
		"ab":    {1, 2},
		"ab c":  {0, 1, 1, 2, 0, 4, 4, 0, 3},
		"a b":   {1, 4, 2, 0, 0},
		"abab ": {1, 2, 1, 2, 4},
	} {
		if got := text(recogniser.decode(likely(steps, 0.9), 5, 1)); got != want {
			t.Errorf("%v is %q instead of %q", steps, got, want)
		}
	}
}

func TestDecode_SaysWhereSymbolsStand(t *testing.T) {
	// half of the steps are filled up: what stands at a quarter of them is in the middle of the line
	line := recogniser.decode(likely([]int{0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, 0.8), 5, 0.5)
	if len(line) != 1 || math.Abs(line[0].at-0.5) > 1e-9 || math.Abs(line[0].sure-0.8) > 1e-6 {
		t.Errorf("%+v", line)
	}
	// what is read beyond the line is at its end
	line = recogniser.decode(likely([]int{0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 0.8), 5, 0.5)
	if len(line) != 1 || line[0].at != 1 {
		t.Errorf("%+v", line)
	}
}

func TestWords_AreSplitAtBlanksWithTheirPlaces(t *testing.T) {
	line := recogniser.decode(likely([]int{1, 0, 2, 0, 4, 0, 3, 0}, 0.9), 5, 1)
	found := words(line)
	if len(found) != 2 || found[0].text != "ab" || found[1].text != "c" {
		t.Fatalf("%+v", found)
	}
	if math.Abs(found[0].sure-0.81) > 1e-6 || math.Abs(found[1].sure-0.9) > 1e-6 {
		t.Errorf("both symbols are right with %v, the one with %v", found[0].sure, found[1].sure)
	}
	before := 0.0
	for _, w := range found {
		if w.from < before || w.to <= w.from || w.to > 1 {
			t.Errorf("%q stands from %.2f to %.2f", w.text, w.from, w.to)
		}
		before = w.to
	}
	if found[0].from > 1.0/16 || found[0].to < 5.0/16 || found[1].from > 13.0/16 || found[1].to < 13.0/16 {
		t.Errorf("%+v", found)
	}
	if found := words(nil); len(found) != 0 {
		t.Errorf("an empty line has %v", found)
	}
	if found := words([]symbol{{" ", 1, 0.5}, {"\u3000", 1, 0.6}}); len(found) != 0 {
		t.Errorf("blanks are %v", found)
	}
}

func TestGrow_MovesEveryEdgeOutwards(t *testing.T) {
	grown := grow(ocr.Quad{{X: 10, Y: 10}, {X: 110, Y: 10}, {X: 110, Y: 30}, {X: 10, Y: 30}}, 1.5)
	by := 100 * 20 * 1.5 / 240
	if math.Abs(grown.Width()-100-2*by) > 1e-9 || math.Abs(grown.Height()-20-2*by) > 1e-9 || math.Abs(grown[0].X-10+by) > 1e-9 {
		t.Errorf("%v", grown)
	}
}

// drawn is a map of probabilities with a line of text: a rectangle around a middle, turned by an angle.
func drawn(width, height int, middle ocr.Point, long, high, angle float64) []float32 {
	probability := make([]float32, width*height)
	for y := range height {
		for x := range width {
			dx, dy := float64(x)-middle.X, float64(y)-middle.Y
			along, across := dx*math.Cos(angle)+dy*math.Sin(angle), dy*math.Cos(angle)-dx*math.Sin(angle)
			if math.Abs(along) <= long/2 && math.Abs(across) <= high/2 {
				probability[y*width+x] = 0.9
			}
		}
	}
	return probability
}

func TestBoxes_FollowTheSlopeOfText(t *testing.T) {
	for _, degrees := range []float64{0, 3, -7, 20, 88} {
		angle := degrees * math.Pi / 180
		found := boxes(drawn(320, 320, ocr.Point{X: 160, Y: 150}, 200, 12, angle), 320, 320)
		if len(found) != 1 {
			t.Fatalf("at %v°: %d boxes", degrees, len(found))
		}
		q := found[0]
		long, high := max(q.Width(), q.Height()), min(q.Width(), q.Height())
		by := 200 * 12 * unclip / (2 * 212)
		if math.Abs(long-200-2*by) > 8 || math.Abs(high-12-2*by) > 5 {
			t.Errorf("at %v° it is %.0f long and %.0f high", degrees, long, high)
		}
		if sideways(found) != (degrees == 88) {
			t.Errorf("at %v° it is sideways: %v", degrees, sideways(found))
		}
		x, y := 0.0, 0.0
		for _, p := range q {
			x, y = x+p.X/4, y+p.Y/4
		}
		if math.Hypot(x-160, y-150) > 2 {
			t.Errorf("at %v° its middle is %.0f %.0f", degrees, x, y)
		}
	}
}

func TestBoxes_LeaveSpecksAndDoubtsOut(t *testing.T) {
	if found := boxes(drawn(64, 64, ocr.Point{X: 30, Y: 30}, 1, 1, 0), 64, 64); len(found) != 0 {
		t.Errorf("a speck is %v", found)
	}
	faint := drawn(128, 64, ocr.Point{X: 60, Y: 30}, 80, 10, 0)
	for i := range faint {
		faint[i] *= 0.4 / 0.9
	}
	if found := boxes(faint, 128, 64); len(found) != 0 {
		t.Errorf("what is hardly text is %v", found)
	}
	if found := boxes(drawn(64, 64, ocr.Point{X: 30, Y: 30}, 200, 200, 0), 64, 64); len(found) > 1 {
		t.Errorf("a page that is all text has %d boxes", len(found))
	}
}

func TestLeastRectangle_OfFewPoints(t *testing.T) {
	for _, points := range [][]ocr.Point{nil, {{X: 1, Y: 1}}, {{X: 1, Y: 1}, {X: 5, Y: 9}}, {{X: 1, Y: 1}, {X: 2, Y: 2}, {X: 3, Y: 3}}} {
		if q, ok := leastRectangle(points); ok {
			t.Errorf("%v has the rectangle %v", points, q)
		}
	}
}

func TestCrop_CutsTheLineUpright(t *testing.T) {
	page := image.NewGray(image.Rect(0, 0, 200, 200))
	for i := range page.Pix {
		page.Pix[i] = 255
	}
	page.Pix[100*page.Stride+60] = 0
	line := crop(page, ocr.Quad{{X: 50, Y: 90}, {X: 150, Y: 90}, {X: 150, Y: 110}, {X: 50, Y: 110}})
	if line.Rect.Dx() != 100 || line.Rect.Dy() != 20 || line.Pix[10*line.Stride+10] != 0 {
		t.Errorf("%v, %d", line.Rect, line.Pix[10*line.Stride+10])
	}
	// a quad of no size, and one beyond the page
	if line := crop(page, ocr.Quad{}); line.Rect.Dx() != 1 {
		t.Errorf("%v", line.Rect)
	}
	_ = crop(page, ocr.Quad{{X: -50, Y: -9}, {X: 350, Y: -9}, {X: 350, Y: 11}, {X: -50, Y: 11}})
}

// other is a model that answers with something else than was asked for.
type other struct{}

func (other) Run([]float32, []int) ([]float32, []int, error) { return []float32{1}, []int{1, 1}, nil }

func TestModels_ThatAnswerOtherwiseAreAnError(t *testing.T) {
	page := image.NewGray(image.Rect(0, 0, 100, 100))
	r := Reader{Detection: other{}, Orientation: other{}, Recogniser: Recogniser{Model: other{}, Symbols: Symbols("a")}}
	if words, _, err := r.Words(page); err == nil {
		t.Errorf("detection: %v", words)
	}
	if _, err := r.upsideDown(page, []ocr.Quad{ocr.Rectangle(50, 10)}); err == nil {
		t.Error("orientation was believed")
	}
	if lines, err := r.Recogniser.read([]*image.Gray{page}); err == nil {
		t.Errorf("recognition: %v", lines)
	}
}
