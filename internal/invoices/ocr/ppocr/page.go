package ppocr

import (
	"fmt"
	"image"
	"math"
	"slices"

	"saldo/internal/invoices/layout"
	"saldo/internal/invoices/ocr"
)

const (
	// detectAt is the number of pixels at which lines are looked for: A4 with 110 dots per inch. They are read from the page as it is.
	detectAt = 1_200_000

	asked         = 15  // lines that are asked which way up they are
	agreement     = 0.8 // of them all, from 0 to 1, that is enough
	readBothWays  = 8   // lines where it is not
	upsideHeight  = 48  // pixels of such a line
	upsideWidth   = 192 // and its width, filled up
	leastLineSure = 0.5 // lines below are not text
)

// Reader has the three models.
type Reader struct {
	Detection   Model
	Orientation Model
	Recogniser  Recogniser
}

// Words reads a page. Turned is by how many quarter turns, clockwise, it must be turned to be upright; boxes are on the upright page.
func (r *Reader) Words(page *image.Gray) (found []layout.Word, turned int, err error) {
	lines, err := detect(r.Detection, page, detectAt)
	if err != nil || len(lines) == 0 {
		return nil, 0, err
	}
	if sideways(lines) {
		page, turned = ocr.Turn(page, 1), 1
		if lines, err = detect(r.Detection, page, detectAt); err != nil {
			return nil, 0, err
		}
	}
	upsideDown, err := r.upsideDown(page, lines)
	if err != nil {
		return nil, 0, err
	}
	if upsideDown {
		page, turned = ocr.Turn(page, 2), turned+2
		width, height := float64(page.Rect.Dx()), float64(page.Rect.Dy())
		for i, q := range lines {
			for k := range q {
				lines[i][k] = ocr.Point{X: width - q[(k+2)%4].X, Y: height - q[(k+2)%4].Y}
			}
		}
	}
	crops := make([]*image.Gray, len(lines))
	for i, q := range lines {
		crops[i] = crop(page, q)
	}
	read, err := r.Recogniser.read(crops)
	if err != nil {
		return nil, 0, err
	}
	for i, line := range read {
		if meanSure(line) < leastLineSure {
			continue
		}
		for _, w := range words(line) {
			found = append(found, layout.Word{Text: w.text, Page: 1, Sure: w.sure, Box: part(lines[i], w.from, w.to, page.Rect)})
		}
	}
	return found, turned, nil
}

func meanSure(line []symbol) float64 {
	if len(line) == 0 {
		return 0
	}
	sum := 0.0
	for _, s := range line {
		sum += s.sure
	}
	return sum / float64(len(line))
}

// part is the box around a part of a line, as parts of the page.
func part(line ocr.Quad, from, to float64, page image.Rectangle) layout.Box {
	width, height := float64(page.Dx()), float64(page.Dy())
	between := func(a, b ocr.Point, at float64) ocr.Point {
		return ocr.Point{X: a.X + (b.X-a.X)*at, Y: a.Y + (b.Y-a.Y)*at}
	}
	box := layout.Box{X0: 1, Y0: 1}
	for _, p := range []ocr.Point{between(line[0], line[1], from), between(line[0], line[1], to),
		between(line[3], line[2], from), between(line[3], line[2], to)} {
		x, y := min(max(p.X/width, 0), 1), min(max(p.Y/height, 0), 1)
		box.X0, box.X1 = min(box.X0, x), max(box.X1, x)
		box.Y0, box.Y1 = min(box.Y0, y), max(box.Y1, y)
	}
	return box
}

// sideways says that most of the text runs up or down.
func sideways(lines []ocr.Quad) bool {
	up, all := 0.0, 0.0
	for _, q := range lines {
		width, height := q.Width(), q.Height()
		if long := max(width, height); long >= 1.5*min(width, height) {
			all += long
			if height > width {
				up += long
			}
		}
	}
	return up > all/2
}

// upsideDown asks the longest lines which way up they are. Where blurred lines do not agree, some are read both ways: what is upside
// down reads badly.
func (r *Reader) upsideDown(page *image.Gray, lines []ocr.Quad) (bool, error) {
	longest := slices.Clone(lines)
	slices.SortStableFunc(longest, func(a, b ocr.Quad) int { return int(math.Copysign(1, b.Width()-a.Width())) })
	longest = longest[:min(asked, len(longest))]
	crops := make([]*image.Gray, len(longest))
	plane := upsideHeight * upsideWidth
	input := make([]float32, len(longest)*3*plane)
	for i, q := range longest {
		crops[i] = crop(page, q)
		width := min(upsideWidth, max(1, int(math.Ceil(upsideHeight*float64(crops[i].Rect.Dx())/float64(crops[i].Rect.Dy())))))
		normalise(ocr.Resize(crops[i], width, upsideHeight), input[i*3*plane:], upsideWidth, plane)
	}
	output, shape, err := r.Orientation.Run(input, []int{len(longest), 3, upsideHeight, upsideWidth})
	if err != nil {
		return false, err
	}
	if len(shape) != 2 || shape[0] != len(longest) || shape[1] != 2 || len(output) != 2*len(longest) {
		return false, fmt.Errorf("orientation answers with the shape %v", shape)
	}
	agreed := 0.0 // each line says how likely it is upright and how likely upside down
	for i := range longest {
		agreed += float64(output[2*i+1]-output[2*i]) / float64(len(longest))
	}
	if math.Abs(agreed) >= agreement {
		return agreed > 0, nil
	}
	return r.readsBetterTurned(crops[:min(readBothWays, len(crops))])
}

func (r *Reader) readsBetterTurned(lines []*image.Gray) (bool, error) {
	both := slices.Clone(lines)
	for _, line := range lines {
		both = append(both, ocr.Turn(line, 2))
	}
	read, err := r.Recogniser.read(both)
	if err != nil {
		return false, err
	}
	sum := 0.0
	for i, line := range read {
		if i < len(lines) {
			sum -= meanSure(line)
		} else {
			sum += meanSure(line)
		}
	}
	return sum > 0, nil
}
