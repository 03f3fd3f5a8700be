package ppocr

import (
	"image"
	"math"
	"slices"

	"saldo/internal/invoices/ocr"
	"saldo/internal/invoices/reading"
)

const (
	// detectAt is the longer side at which lines are looked for. They are read from the page as it is.
	detectAt = 1280

	asked         = 15  // lines that are asked which way up they are
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
func (r *Reader) Words(page *image.Gray) (found []reading.Word, turned int, err error) {
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
		if len(line) == 0 || meanSure(line) < leastLineSure {
			continue
		}
		for _, w := range words(line) {
			found = append(found, reading.Word{Text: w.text, Page: 1, Sure: w.sure, Box: part(lines[i], w.from, w.to, page.Rect)})
		}
	}
	return found, turned, nil
}

func meanSure(line []symbol) float64 {
	sum := 0.0
	for _, s := range line {
		sum += s.sure
	}
	return sum / float64(len(line))
}

// part is the box around a part of a line, as parts of the page.
func part(line ocr.Quad, from, to float64, page image.Rectangle) reading.Box {
	width, height := float64(page.Dx()), float64(page.Dy())
	between := func(a, b ocr.Point, at float64) ocr.Point {
		return ocr.Point{X: a.X + (b.X-a.X)*at, Y: a.Y + (b.Y-a.Y)*at}
	}
	box := reading.Box{X0: 1, Y0: 1}
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

// upsideDown asks the longest lines which way up they are.
func (r *Reader) upsideDown(page *image.Gray, lines []ocr.Quad) (bool, error) {
	longest := slices.Clone(lines)
	slices.SortStableFunc(longest, func(a, b ocr.Quad) int { return int(math.Copysign(1, b.Width()-a.Width())) })
	longest = longest[:min(asked, len(longest))]
	plane := upsideHeight * upsideWidth
	input := make([]float32, len(longest)*3*plane)
	for i, q := range longest {
		line := crop(page, q)
		width := min(upsideWidth, max(1, int(math.Ceil(upsideHeight*float64(line.Rect.Dx())/float64(line.Rect.Dy())))))
		normalise(ocr.Resize(line, width, upsideHeight), input[i*3*plane:], upsideWidth, plane)
	}
	output, _, err := r.Orientation.Run(input, []int{len(longest), 3, upsideHeight, upsideWidth})
	if err != nil {
		return false, err
	}
	sum := 0.0 // each line says how likely it is upright and upside down
	for i := 0; i+1 < len(output); i += 2 {
		sum += float64(output[i+1] - output[i])
	}
	return sum > 0, nil
}
