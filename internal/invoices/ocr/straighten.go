package ocr

import (
	"image"
	"math"
	"slices"
)

const (
	findAt      = 600   // pixels of the longer side at which the page is looked for
	leastPage   = 0.25  // part of the picture that a page covers at least
	leastFilled = 0.88  // part of its four corners that the page fills at least, or it is something else
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

// findPage gives the corners of the page: the largest light region that covers a quarter of the picture and has four corners.
func findPage(picture *image.Gray) (Quad, bool) {
	long := max(picture.Rect.Dx(), picture.Rect.Dy())
	if min(picture.Rect.Dx(), picture.Rect.Dy()) < 100 {
		return Quad{}, false
	}
	scale := float64(long) / findAt
	small := Resize(picture, int(float64(picture.Rect.Dx())/scale), int(float64(picture.Rect.Dy())/scale))
	width, height := small.Rect.Dx(), small.Rect.Dy()
	small = blur(small, 3)
	threshold := otsu(small)
	light := make([]bool, width*height)
	for i, value := range small.Pix {
		light[i] = value > threshold
	}
	light = closed(light, width, height, 6)
	region := largest(light, width, height)
	if float64(len(region)) < leastPage*float64(width*height) {
		return Quad{}, false
	}
	hull := ConvexHull(region)
	corners, ok := fourCorners(hull)
	if !ok {
		return Quad{}, false
	}
	area := corners.area()
	if polygonArea(hull) < leastFilled*area || float64(len(region)) < 0.8*leastFilled*area {
		return Quad{}, false
	}
	if !hasEdges(small, corners) {
		return Quad{}, false
	}
	for i := range corners {
		// pixels have their middle at a half
		corners[i] = Point{(corners[i].X + 0.5) * scale, (corners[i].Y + 0.5) * scale}
	}
	if wholePicture(corners, float64(picture.Rect.Dx()), float64(picture.Rect.Dy())) {
		return Quad{}, false
	}
	return corners, true
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

// otsu is the brightness that best parts light from dark.
func otsu(picture *image.Gray) uint8 {
	var count [256]float64
	for _, value := range picture.Pix {
		count[value]++
	}
	total, sum := float64(len(picture.Pix)), 0.0
	for value, n := range count {
		sum += float64(value) * n
	}
	best, threshold := -1.0, uint8(0)
	dark, darkSum := 0.0, 0.0
	for value := range 255 {
		dark += count[value]
		darkSum += float64(value) * count[value]
		light := total - dark
		if dark == 0 || light == 0 {
			continue
		}
		apart := darkSum/dark - (sum-darkSum)/light
		if between := dark * light * apart * apart; between > best {
			best, threshold = between, uint8(value)
		}
	}
	return threshold
}

// closed fills gaps that are narrower than twice the reach, such as print on the page.
func closed(mask []bool, width, height, reach int) []bool {
	grown := spread(mask, width, height, reach, true)
	return spread(grown, width, height, reach, false)
}

// spread makes every pixel the value that stands within reach of it, in a square.
func spread(mask []bool, width, height, reach int, value bool) []bool {
	line := func(from []bool, start, step, length int, to []bool) {
		last := -reach - 1 // the last place with the value
		next := 0
		for i := range length {
			for next < length && next <= i+reach {
				if from[start+next*step] == value {
					last = next
				}
				next++
			}
			if last >= i-reach && last >= 0 {
				to[start+i*step] = value
			} else {
				to[start+i*step] = !value
			}
		}
	}
	across, result := make([]bool, len(mask)), make([]bool, len(mask))
	for y := range height {
		line(mask, y*width, 1, width, across)
	}
	for x := range width {
		line(across, x, width, height, result)
	}
	return result
}

// largest is the largest region of marked pixels that touch.
func largest(mask []bool, width, height int) []Point {
	seen := make([]bool, len(mask))
	var best, queue []int
	for start := range mask {
		if !mask[start] || seen[start] {
			continue
		}
		seen[start] = true
		queue = append(queue[:0], start)
		for at := 0; at < len(queue); at++ {
			x, y := queue[at]%width, queue[at]/width
			for _, to := range [4][2]int{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
				if to[0] < 0 || to[1] < 0 || to[0] >= width || to[1] >= height {
					continue
				}
				if i := to[1]*width + to[0]; mask[i] && !seen[i] {
					seen[i] = true
					queue = append(queue, i)
				}
			}
		}
		if len(queue) > len(best) {
			best = slices.Clone(queue)
		}
	}
	points := make([]Point, len(best))
	for i, at := range best {
		points[i] = Point{float64(at % width), float64(at / width)}
	}
	return points
}

// ConvexHull goes around the points clockwise, as the eye sees them.
func ConvexHull(points []Point) []Point {
	points = slices.Clone(points)
	slices.SortFunc(points, func(a, b Point) int {
		if a.X != b.X {
			return int(math.Copysign(1, a.X-b.X))
		}
		return int(math.Copysign(1, a.Y-b.Y))
	})
	points = slices.Compact(points)
	if len(points) < 3 {
		return points
	}
	half := func(of []Point) []Point {
		var chain []Point
		for _, p := range of {
			for len(chain) >= 2 && chain[len(chain)-1].minus(chain[len(chain)-2]).cross(p.minus(chain[len(chain)-1])) <= 0 {
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

// fourCorners takes edges away from a hull until four are left: each time the one whose neighbours, made longer, add the least area. So
// corners that the light or a fold rounded become corners again.
func fourCorners(hull []Point) (Quad, bool) {
	hull = slices.Clone(hull)
	for len(hull) > 4 {
		best, least, corner := -1, math.Inf(1), Point{}
		for i := range hull {
			n := len(hull)
			a, b, c, d := hull[(i+n-1)%n], hull[i], hull[(i+1)%n], hull[(i+2)%n]
			meet, ok := crossing(a, b, d, c)
			if !ok {
				continue
			}
			if added := math.Abs(polygonArea([]Point{b, meet, c})); added < least {
				best, least, corner = i, added, meet
			}
		}
		if best < 0 {
			return Quad{}, false
		}
		hull[best] = corner
		hull = slices.Delete(hull, (best+1)%len(hull), (best+1)%len(hull)+1)
	}
	if len(hull) < 4 {
		return Quad{}, false
	}
	return Ordered(Quad(hull)), true
}

// crossing is where the line from a over b meets that from d over c, beyond b and c.
func crossing(a, b, d, c Point) (Point, bool) {
	first, second := b.minus(a), c.minus(d)
	turn := first.cross(second)
	if math.Abs(turn) < 1e-9 {
		return Point{}, false
	}
	along := d.minus(a).cross(second) / turn
	other := d.minus(a).cross(first) / turn
	if along < 1 || other < 1 {
		return Point{}, false
	}
	return Point{a.X + along*first.X, a.Y + along*first.Y}, true
}

// Ordered puts four corners that go clockwise into the order of Quad: the one nearest to the top left of all comes first.
func Ordered(corners Quad) Quad {
	if corners.area() < 0 {
		slices.Reverse(corners[:])
	}
	first := 0
	for i, p := range corners {
		if p.X+p.Y < corners[first].X+corners[first].Y {
			first = i
		}
	}
	var ordered Quad
	for i := range ordered {
		ordered[i] = corners[(first+i)%4]
	}
	return ordered
}
