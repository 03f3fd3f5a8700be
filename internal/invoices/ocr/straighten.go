package ocr

import (
	"image"
	"math"
)

const (
	findAt      = 600   // pixels of the longer side at which the page is looked for
	leastPage   = 0.25  // part of the picture that a page covers at least
	stepReach   = 6     // pixels, there, on either side of an edge that are compared
	leastStep   = 0.08  // how much lighter it becomes at an edge, at least; a tenth is 0.1
	nearlyBest  = 0.7   // of the best edge: one that is further out and as good as that is the page's, the other a frame on it
	edgeSamples = 60    // places at which an edge of the page is looked at
	edgeReach   = 9     // pixels, where the page is looked for, to either side
	edgeDrop    = 0.85  // brightness outside, of that inside, that is darker
	edgeSeen    = 0.6   // part of an edge that must be one
	margin      = 0.015 // around the page, as parts of it: text at the edge stays whole
)

// straighten finds the page on the picture and undoes the perspective. Back takes the flat page to the picture, in pixels. Where no page
// is found, as on a scan, the picture is the page.
func straighten(picture *image.Gray) (flat *image.Gray, back Projection) {
	width, height := float64(picture.Rect.Dx()), float64(picture.Rect.Dy())
	unchanged, _ := Project(Rectangle(width, height), Rectangle(width, height))
	corners, found := findPage(picture)
	if !found {
		return picture, unchanged
	}
	w, h := math.Round(corners.Width()), math.Round(corners.Height())
	back, ok := Project(Rectangle(w, h), corners)
	if !ok {
		return picture, unchanged
	}
	dx, dy := math.Round(w*margin), math.Round(h*margin)
	back = back.After(Projection{1, 0, -dx, 0, 1, -dy, 0, 0, 1})
	return Warp(picture, back, int(w+2*dx), int(h+2*dy)), back
}

// findPage gives the corners of the page: where four straight edges meet at which it becomes dark outside. A side of which no edge is on
// the picture ends with it.
func findPage(picture *image.Gray) (Quad, bool) {
	if min(picture.Rect.Dx(), picture.Rect.Dy()) < 100 {
		return Quad{}, false
	}
	scale := float64(max(picture.Rect.Dx(), picture.Rect.Dy())) / findAt
	small := Resize(picture, int(float64(picture.Rect.Dx())/scale), int(float64(picture.Rect.Dy())/scale))
	width, height := small.Rect.Dx(), small.Rect.Dy()
	small = blur(small, 1)
	light := make([]float64, len(small.Pix)) // as a logarithm: a step is the same in shadow and in light
	for i, value := range small.Pix {
		light[i] = math.Log(float64(value) + 8)
	}
	across, down := steps(light, width, height, 1, width), steps(light, height, width, width, 1)
	left := edgeOf(func(along, in int) float64 { return across[along*width+in] }, height, width)
	right := edgeOf(func(along, in int) float64 { return -across[along*width+width-1-in] }, height, width)
	top := edgeOf(func(along, in int) float64 { return down[in*width+along] }, width, height)
	bottom := edgeOf(func(along, in int) float64 { return -down[(height-1-in)*width+along] }, width, height)
	w, h := float64(width), float64(height)
	sides := [4][2]Point{
		{{0, top[0]}, {w, top[1]}},
		{{w - right[0], 0}, {w - right[1], h}},
		{{w, h - bottom[1]}, {0, h - bottom[0]}},
		{{left[1], h}, {left[0], 0}},
	}
	var corners Quad
	for i := range corners {
		meet, ok := crossing(sides[(i+3)%4], sides[i])
		if !ok {
			return Quad{}, false
		}
		corners[i] = meet
	}
	if corners.area() < leastPage*w*h || !hasEdges(blur(small, 2), corners) {
		return Quad{}, false
	}
	for i, p := range corners {
		corners[i] = Point{p.X * scale, p.Y * scale}
	}
	if wholePicture(corners, float64(picture.Rect.Dx()), float64(picture.Rect.Dy())) {
		return Quad{}, false
	}
	return corners, true
}

// steps says for every pixel how much lighter it is after it than before it, along lines of so many pixels with that step between them.
func steps(light []float64, length, lines, step, next int) []float64 {
	result := make([]float64, len(light))
	sums := make([]float64, length+1)
	for line := range lines {
		start := line * next
		for i := range length {
			sums[i+1] = sums[i] + light[start+i*step]
		}
		for i := stepReach; i < length-stepReach; i++ {
			result[start+i*step] = (sums[i+stepReach] - 2*sums[i] + sums[i-stepReach]) / stepReach
		}
	}
	return result
}

// edgeOf finds the outermost straight edge of the page at one side: how far from the side of the picture it is at its start and at its end.
// Step gives how much lighter it becomes inwards. Zero is the side of the picture, where no edge is found.
func edgeOf(step func(along, in int) float64, length, depth int) [2]float64 {
	most := depth * 45 / 100
	score := func(from, to int, steepest float64) float64 {
		if from < 0 || to < 0 || from > most || to > most {
			return -1
		}
		sum := 0.0
		for k := range edgeSamples {
			at := (float64(k) + 0.5) / edgeSamples
			// print and frames have steep steps on a few pixels; an edge has one all along
			sum += min(max(step(int(at*float64(length)), from+int(at*float64(to-from))), -0.1), steepest)
		}
		return sum / edgeSamples
	}
	type line struct {
		from, to int
		score    float64
	}
	var lines []line
	best := 0.0
	slope := length / 3
	for from := 0; from <= most; from += 3 {
		for to := max(0, from-slope); to <= min(most, from+slope); to += 3 {
			if s := score(from, to, 0.4); s > leastStep {
				lines = append(lines, line{from, to, s})
				best = max(best, s)
			}
		}
	}
	outermost := line{score: -1, from: depth, to: depth}
	for _, l := range lines {
		if l.score >= nearlyBest*best && l.from+l.to < outermost.from+outermost.to {
			outermost = l
		}
	}
	if outermost.score < 0 {
		return [2]float64{}
	}
	outermost.score = score(outermost.from, outermost.to, 2)
	for better := true; better; { // to the middle of the step
		better = false
		for _, by := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}} {
			if s := score(outermost.from+by[0], outermost.to+by[1], 2); s > outermost.score {
				outermost, better = line{outermost.from + by[0], outermost.to + by[1], s}, true
			}
		}
	}
	return [2]float64{float64(outermost.from), float64(outermost.to)}
}

// crossing is where two lines meet.
func crossing(a, b [2]Point) (Point, bool) {
	first, second := a[1].minus(a[0]), b[1].minus(b[0])
	turn := first.cross(second)
	if math.Abs(turn) < 1e-9 {
		return Point{}, false
	}
	along := b[0].minus(a[0]).cross(second) / turn
	return Point{a[0].X + along*first.X, a[0].Y + along*first.Y}, true
}

// hasEdges says that it becomes dark where the page ends, at once, on all sides that are on the picture. A shadow, or light from one side,
// has no such edges; taken for the end of the page, it would cut print off.
func hasEdges(picture *image.Gray, corners Quad) bool {
	width, height := float64(picture.Rect.Dx()), float64(picture.Rect.Dy())
	for i, from := range corners {
		to := corners[(i+1)%4]
		length := from.distance(to)
		outwards := Point{(to.Y - from.Y) / length, (from.X - to.X) / length}
		seen, dark := 0, 0
		for k := range edgeSamples {
			at := (float64(k) + 0.5) / edgeSamples
			p := Point{from.X + at*(to.X-from.X), from.Y + at*(to.Y-from.Y)}
			outside := Point{p.X + edgeReach*outwards.X, p.Y + edgeReach*outwards.Y}
			if outside.X < 0 || outside.Y < 0 || outside.X > width-1 || outside.Y > height-1 {
				continue
			}
			seen++
			inside := sample(picture, p.X-edgeReach*outwards.X, p.Y-edgeReach*outwards.Y)
			if float64(sample(picture, outside.X, outside.Y)) < edgeDrop*float64(inside) {
				dark++
			}
		}
		if float64(dark) < edgeSeen*float64(seen) {
			return false
		}
	}
	return true
}

// wholePicture says that the corners found are those of the picture, more or less.
func wholePicture(corners Quad, width, height float64) bool {
	whole := Rectangle(width, height)
	for i, p := range corners {
		if p.distance(whole[i]) > 0.02*max(width, height) {
			return false
		}
	}
	return true
}
