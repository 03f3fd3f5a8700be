package ocr

import (
	"image"
	"math"
)

// Point is a place on a picture, in pixels.
type Point struct{ X, Y float64 }

func (p Point) minus(q Point) Point      { return Point{p.X - q.X, p.Y - q.Y} }
func (p Point) cross(q Point) float64    { return p.X*q.Y - p.Y*q.X }
func (p Point) distance(q Point) float64 { return math.Hypot(p.X-q.X, p.Y-q.Y) }

// Quad has four corners: top left, top right, bottom right, bottom left.
type Quad [4]Point

// Rectangle is the quad of a rectangle that starts at the top left.
func Rectangle(width, height float64) Quad {
	return Quad{{0, 0}, {width, 0}, {width, height}, {0, height}}
}

// Width is the longer of the top and the bottom edge.
func (q Quad) Width() float64 { return max(q[0].distance(q[1]), q[3].distance(q[2])) }

// Height is the longer of the left and the right edge.
func (q Quad) Height() float64 { return max(q[0].distance(q[3]), q[1].distance(q[2])) }

func (q Quad) area() float64 { return polygonArea(q[:]) }

// polygonArea is positive where the corners go clockwise as the eye sees them.
func polygonArea(points []Point) float64 {
	sum := 0.0
	for i, p := range points {
		sum += p.cross(points[(i+1)%len(points)])
	}
	return sum / 2
}

// Projection maps one plane to another, as a photo does with a page.
type Projection [9]float64

// Project is the projection that takes the corners of one quad to those of another. Not every pair of quads has one.
func Project(from, to Quad) (Projection, bool) {
	var m [8][9]float64
	for i := range from {
		x, y, u, v := from[i].X, from[i].Y, to[i].X, to[i].Y
		m[2*i] = [9]float64{x, y, 1, 0, 0, 0, -u * x, -u * y, u}
		m[2*i+1] = [9]float64{0, 0, 0, x, y, 1, -v * x, -v * y, v}
	}
	for column := range 8 {
		pivot := column
		for row := column + 1; row < 8; row++ {
			if math.Abs(m[row][column]) > math.Abs(m[pivot][column]) {
				pivot = row
			}
		}
		if math.Abs(m[pivot][column]) < 1e-9 {
			return Projection{}, false
		}
		m[column], m[pivot] = m[pivot], m[column]
		for row := range 8 {
			if row == column {
				continue
			}
			factor := m[row][column] / m[column][column]
			for k := column; k < 9; k++ {
				m[row][k] -= factor * m[column][k]
			}
		}
	}
	var p Projection
	for i := range 8 {
		p[i] = m[i][8] / m[i][i]
	}
	p[8] = 1
	return p, true
}

// At is where a point comes to lie.
func (p Projection) At(x, y float64) Point {
	w := p[6]*x + p[7]*y + p[8]
	if math.Abs(w) < 1e-12 {
		w = math.Copysign(1e-12, w)
	}
	return Point{(p[0]*x + p[1]*y + p[2]) / w, (p[3]*x + p[4]*y + p[5]) / w}
}

// After is the projection that does first, then p.
func (p Projection) After(first Projection) Projection {
	var r Projection
	for row := range 3 {
		for column := range 3 {
			for k := range 3 {
				r[3*row+column] += p[3*row+k] * first[3*k+column]
			}
		}
	}
	return r
}

// Warp draws a picture of that size; back says where each of its pixels stands on the source. Beyond the source its edge goes on.
func Warp(source *image.Gray, back Projection, width, height int) *image.Gray {
	result := image.NewGray(image.Rect(0, 0, width, height))
	for y := range height {
		row := result.Pix[y*result.Stride : y*result.Stride+width]
		for x := range row {
			at := back.At(float64(x)+0.5, float64(y)+0.5)
			row[x] = sample(source, at.X-0.5, at.Y-0.5)
		}
	}
	return result
}

// sample is the brightness between four pixels.
func sample(source *image.Gray, x, y float64) uint8 {
	width, height := source.Rect.Dx(), source.Rect.Dy()
	x, y = min(max(x, 0), float64(width-1)), min(max(y, 0), float64(height-1))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, width-1), min(y0+1, height-1)
	fx, fy := x-float64(x0), y-float64(y0)
	upper, lower := source.Pix[y0*source.Stride:], source.Pix[y1*source.Stride:]
	above := float64(upper[x0])*(1-fx) + float64(upper[x1])*fx
	below := float64(lower[x0])*(1-fx) + float64(lower[x1])*fx
	return uint8(above*(1-fy) + below*fy + 0.5)
}

// Turn turns a picture clockwise by so many quarter turns.
func Turn(source *image.Gray, quarters int) *image.Gray {
	width, height := source.Rect.Dx(), source.Rect.Dy()
	switch quarters = (quarters%4 + 4) % 4; quarters {
	case 0:
		return source
	case 2:
		result := image.NewGray(image.Rect(0, 0, width, height))
		for y := range height {
			for x := range width {
				result.Pix[(height-1-y)*result.Stride+width-1-x] = source.Pix[y*source.Stride+x]
			}
		}
		return result
	}
	result := image.NewGray(image.Rect(0, 0, height, width))
	for y := range height {
		for x := range width {
			if quarters == 1 {
				result.Pix[x*result.Stride+height-1-y] = source.Pix[y*source.Stride+x]
			} else {
				result.Pix[(width-1-x)*result.Stride+y] = source.Pix[y*source.Stride+x]
			}
		}
	}
	return result
}

// turnBack takes a place of a page that was turned by so many quarter turns to the page as it was. All are parts of their pages.
func turnBack(p Point, quarters int) Point {
	switch (quarters%4 + 4) % 4 {
	case 1:
		return Point{p.Y, 1 - p.X}
	case 2:
		return Point{1 - p.X, 1 - p.Y}
	case 3:
		return Point{1 - p.Y, p.X}
	}
	return p
}
