package ocr

import (
	"image"
	"math/rand/v2"
	"testing"
)

func near(a, b Point, within float64) bool { return a.distance(b) <= within }

func TestProjection_TakesCornersToCornersAndBack(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		from := Rectangle(100+900*random.Float64(), 100+900*random.Float64())
		to := from
		for i := range to {
			to[i].X += 30 * random.Float64()
			to[i].Y += 30 * random.Float64()
		}
		there, ok := Project(from, to)
		back, ok2 := Project(to, from)
		if !ok || !ok2 {
			t.Fatalf("no projection from %v to %v", from, to)
		}
		for i, p := range from {
			if !near(there.At(p.X, p.Y), to[i], 1e-6) {
				t.Fatalf("corner %d comes to %v instead of %v", i, there.At(p.X, p.Y), to[i])
			}
		}
		p := Point{from.Width() * random.Float64(), from.Height() * random.Float64()}
		q := there.At(p.X, p.Y)
		both := back.After(there)
		if !near(back.At(q.X, q.Y), p, 1e-6) || !near(both.At(p.X, p.Y), p, 1e-6) {
			t.Fatalf("%v came back as %v", p, back.At(q.X, q.Y))
		}
	}
}

func TestProjection_IsRefusedWhereCornersAreOnALine(t *testing.T) {
	if _, ok := Project(Quad{{0, 0}, {1, 0}, {2, 0}, {3, 0}}, Rectangle(10, 10)); ok {
		t.Error("a line was projected to a rectangle")
	}
}

func TestTurn_AndItsWayBack(t *testing.T) {
	const width, height = 7, 4
	for quarters := range 4 {
		page := image.NewGray(image.Rect(0, 0, width, height))
		page.Pix[1*page.Stride+5] = 200
		turned := Turn(page, quarters)
		w, h := turned.Rect.Dx(), turned.Rect.Dy()
		for y := range h {
			for x := range w {
				if turned.Pix[y*turned.Stride+x] != 200 {
					continue
				}
				back := turnBack(Point{(float64(x) + 0.5) / float64(w), (float64(y) + 0.5) / float64(h)}, quarters)
				if !near(Point{back.X * width, back.Y * height}, Point{5.5, 1.5}, 1e-9) {
					t.Errorf("after %d quarter turns the place comes back to %v", quarters, back)
				}
			}
		}
	}
}

func TestResize_KeepsTheMeanAndPlaces(t *testing.T) {
	page := image.NewGray(image.Rect(0, 0, 100, 60))
	for y := range 60 {
		for x := range 100 {
			page.Pix[y*page.Stride+x] = uint8(x + 2*y)
		}
	}
	for _, size := range [][2]int{{50, 30}, {33, 20}, {200, 120}, {100, 60}, {1, 1}} {
		resized := Resize(page, size[0], size[1])
		sum := 0
		for _, value := range resized.Pix {
			sum += int(value)
		}
		if mean := float64(sum) / float64(len(resized.Pix)); mean < 106.5 || mean > 110.5 {
			t.Errorf("at %v the mean is %.1f", size, mean)
		}
		if middle := resized.Pix[size[1]/2*resized.Stride+size[0]/2]; middle < 100 || middle > 120 {
			t.Errorf("at %v the middle is %d", size, middle)
		}
	}
}
