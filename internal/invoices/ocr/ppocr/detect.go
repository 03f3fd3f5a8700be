// Package ppocr finds and reads lines of text as PP-OCR does: one model says where text stands, one which way up it is, one what it
// says. The models are given; everything around them is here.
package ppocr

import (
	"fmt"
	"image"
	"math"
	"slices"

	"saldo/internal/invoices/ocr"
)

// Model is a network with one input and one output.
type Model interface {
	Run(input []float32, shape []int) (output []float32, outputShape []int, err error)
}

const (
	textFrom   = 0.3  // probability from which a pixel belongs to text
	boxFrom    = 0.5  // mean probability from which a box is text
	unclip     = 1.6  // the model marks the core of a line; by this it grows to the whole line
	leastSide  = 3.0  // pixels of a core
	mostBoxes  = 1000 // on a page
	blackWhite = 255.0 / 2
)

// detect finds lines of text. The page is looked at with so many pixels.
func detect(model Model, page *image.Gray, pixels int) ([]ocr.Quad, error) {
	scale := min(1, math.Sqrt(float64(pixels)/float64(page.Rect.Dx()*page.Rect.Dy())))
	width, height := multiple(float64(page.Rect.Dx())*scale), multiple(float64(page.Rect.Dy())*scale)
	small := ocr.Resize(page, width, height)
	input := make([]float32, 3*width*height)
	normalise(small, input, width, width*height)
	output, shape, err := model.Run(input, []int{1, 3, height, width})
	if err != nil {
		return nil, err
	}
	if len(shape) != 4 || shape[2] != height || shape[3] != width || len(output) != width*height {
		return nil, fmt.Errorf("detection answers with the shape %v", shape)
	}
	quads := boxes(output, width, height)
	across, down := float64(page.Rect.Dx())/float64(width), float64(page.Rect.Dy())/float64(height)
	for i := range quads {
		for k, p := range quads[i] {
			quads[i][k] = ocr.Point{X: p.X * across, Y: p.Y * down}
		}
	}
	return quads, nil
}

// multiple rounds to what the model takes: multiples of 32.
func multiple(size float64) int { return max(32, int(math.Round(size/32))*32) }

// normalise writes brightness from -1 to 1 for three equal channels, each a plane, with rows of stride values.
func normalise(picture *image.Gray, to []float32, stride, plane int) {
	width := picture.Rect.Dx()
	for y := range picture.Rect.Dy() {
		for x, value := range picture.Pix[y*picture.Stride:][:width] {
			level := float32(value)/blackWhite - 1
			i := y*stride + x
			to[i], to[plane+i], to[2*plane+i] = level, level, level
		}
	}
}

// boxes makes rectangles, turned as the text is, of the probabilities of pixels.
func boxes(probability []float32, width, height int) []ocr.Quad {
	text := make([]bool, width*height)
	for y := range height {
		for x := range width {
			if probability[y*width+x] <= textFrom {
				continue
			}
			// one pixel to the right and down as well: what hangs together only by a corner is one line
			for _, i := range [4]int{y*width + x, y*width + min(x+1, width-1), min(y+1, height-1)*width + x,
				min(y+1, height-1)*width + min(x+1, width-1)} {
				text[i] = true
			}
		}
	}
	var found []ocr.Quad
	for _, outline := range outlines(text, width, height) {
		core, ok := leastRectangle(outline)
		if !ok || min(core.Width(), core.Height()) < leastSide || meanWithin(probability, width, height, core) < boxFrom {
			continue
		}
		whole := grow(core, unclip)
		if min(whole.Width(), whole.Height()) < leastSide+2 {
			continue
		}
		found = append(found, whole)
		if len(found) == mostBoxes {
			break
		}
	}
	return found
}

// outlines are the first and last pixels in each row of every region; pixels touch at edges and corners.
func outlines(mask []bool, width, height int) [][]ocr.Point {
	seen := make([]bool, len(mask))
	var found [][]ocr.Point
	var queue []int
	for start := range mask {
		if !mask[start] || seen[start] {
			continue
		}
		seen[start] = true
		queue = append(queue[:0], start)
		first, last := map[int]int{}, map[int]int{}
		for at := 0; at < len(queue); at++ {
			x, y := queue[at]%width, queue[at]/width
			if from, ok := first[y]; !ok || x < from {
				first[y] = x
			}
			last[y] = max(last[y], x)
			for ny := max(0, y-1); ny <= min(height-1, y+1); ny++ {
				for nx := max(0, x-1); nx <= min(width-1, x+1); nx++ {
					if i := ny*width + nx; mask[i] && !seen[i] {
						seen[i] = true
						queue = append(queue, i)
					}
				}
			}
		}
		outline := make([]ocr.Point, 0, 2*len(first))
		for y, x := range first {
			outline = append(outline, ocr.Point{X: float64(x), Y: float64(y)}, ocr.Point{X: float64(last[y]), Y: float64(y)})
		}
		found = append(found, outline)
	}
	return found
}

// leastRectangle is the smallest rectangle, turned as needed, around the points: one of its edges lies on their hull.
func leastRectangle(points []ocr.Point) (ocr.Quad, bool) {
	hull := convexHull(points)
	if len(hull) < 3 {
		return ocr.Quad{}, false
	}
	best, least := ocr.Quad{}, math.Inf(1)
	for i, p := range hull {
		q := hull[(i+1)%len(hull)]
		length := math.Hypot(q.X-p.X, q.Y-p.Y)
		ux, uy := (q.X-p.X)/length, (q.Y-p.Y)/length
		lowAlong, highAlong, lowAcross, highAcross := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for _, r := range hull {
			along, across := r.X*ux+r.Y*uy, r.Y*ux-r.X*uy
			lowAlong, highAlong = min(lowAlong, along), max(highAlong, along)
			lowAcross, highAcross = min(lowAcross, across), max(highAcross, across)
		}
		if area := (highAlong - lowAlong) * (highAcross - lowAcross); area < least {
			at := func(along, across float64) ocr.Point {
				return ocr.Point{X: along*ux - across*uy, Y: along*uy + across*ux}
			}
			least = area
			best = ocr.Quad{at(lowAlong, lowAcross), at(highAlong, lowAcross), at(highAlong, highAcross), at(lowAlong, highAcross)}
		}
	}
	return ordered(best), true
}

// ordered begins with the upper of the two left corners and goes clockwise.
func ordered(q ocr.Quad) ocr.Quad {
	points := slices.Clone(q[:])
	slices.SortStableFunc(points, func(a, b ocr.Point) int {
		if a.X < b.X {
			return -1
		}
		return 1
	})
	left, right := points[:2], points[2:]
	if left[0].Y > left[1].Y {
		left[0], left[1] = left[1], left[0]
	}
	if right[0].Y > right[1].Y {
		right[0], right[1] = right[1], right[0]
	}
	return ocr.Quad{left[0], right[0], right[1], left[1]}
}

// meanWithin is the mean probability inside a quad.
func meanWithin(probability []float32, width, height int, q ocr.Quad) float64 {
	top, bottom := math.Inf(1), math.Inf(-1)
	for _, p := range q {
		top, bottom = min(top, p.Y), max(bottom, p.Y)
	}
	sum, count := 0.0, 0
	for y := max(0, int(math.Floor(top))); y <= min(height-1, int(math.Ceil(bottom))); y++ {
		from, to := math.Inf(1), math.Inf(-1)
		at := min(max(float64(y), top), bottom)
		for i, p := range q {
			r := q[(i+1)%4]
			if (p.Y < at && r.Y < at) || (p.Y > at && r.Y > at) {
				continue
			}
			if p.Y == r.Y {
				from, to = min(from, p.X, r.X), max(to, p.X, r.X)
				continue
			}
			x := p.X + (at-p.Y)/(r.Y-p.Y)*(r.X-p.X)
			from, to = min(from, x), max(to, x)
		}
		for x := max(0, int(math.Round(from))); x <= min(width-1, int(math.Round(to))); x++ {
			sum += float64(probability[y*width+x])
			count++
		}
	}
	if count == 0 {
		return 0
	}
	return sum / float64(count)
}

// grow moves the edges of a rectangle outwards by its area times the factor over its circumference.
func grow(q ocr.Quad, factor float64) ocr.Quad {
	width, height := q.Width(), q.Height()
	by := width * height * factor / (2 * (width + height))
	ax, ay := (q[1].X-q[0].X)/width, (q[1].Y-q[0].Y)/width // along the top
	dx, dy := (q[3].X-q[0].X)/height, (q[3].Y-q[0].Y)/height
	move := func(p ocr.Point, along, down float64) ocr.Point {
		return ocr.Point{X: p.X + by*(along*ax+down*dx), Y: p.Y + by*(along*ay+down*dy)}
	}
	return ocr.Quad{move(q[0], -1, -1), move(q[1], 1, -1), move(q[2], 1, 1), move(q[3], -1, 1)}
}

// convexHull goes around the points clockwise, as the eye sees them.
func convexHull(points []ocr.Point) []ocr.Point {
	points = slices.Clone(points)
	slices.SortFunc(points, func(a, b ocr.Point) int {
		if a.X != b.X {
			return int(math.Copysign(1, a.X-b.X))
		}
		return int(math.Copysign(1, a.Y-b.Y))
	})
	points = slices.Compact(points)
	if len(points) < 3 {
		return points
	}
	half := func(of []ocr.Point) []ocr.Point {
		var chain []ocr.Point
		for _, p := range of {
			for len(chain) >= 2 && !turnsRight(chain[len(chain)-2], chain[len(chain)-1], p) {
				chain = chain[:len(chain)-1]
			}
			chain = append(chain, p)
		}
		return chain[:len(chain)-1]
	}
	forward := half(points)
	slices.Reverse(points)
	return append(forward, half(points)...)
}

// turnsRight says that the way from a over b to c turns right, as the eye sees it.
func turnsRight(a, b, c ocr.Point) bool { return (b.X-a.X)*(c.Y-b.Y)-(b.Y-a.Y)*(c.X-b.X) > 0 }
