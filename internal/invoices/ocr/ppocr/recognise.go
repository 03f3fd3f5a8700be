package ppocr

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"unicode"

	"saldo/internal/invoices/ocr"
)

const (
	lineHeight  = 48   // pixels of a line as the model sees it
	together    = 1000 // pixels of lines that are read at once, filled up to the longest: the model answers each with much memory
	widestLine  = 3200 // pixels: longer ones are squeezed
	leastWidth  = 320  // what shorter lines are filled up to
	blankSymbol = 0    // of the model: nothing new here
)

// Recogniser reads lines.
type Recogniser struct {
	Model   Model
	Symbols []string // by the number that the model gives, without the first, which is none
}

// Symbols reads the list that a model carries: one symbol in each line. The model has a blank after them.
func Symbols(list string) []string {
	return append(strings.Split(strings.TrimSuffix(list, "\n"), "\n"), " ")
}

// symbol is one that was read: which, how sure, and where in the line, as a part of its width.
type symbol struct {
	text string
	sure float64
	at   float64
}

// crop cuts a line out of a page, upright if it is not higher than wide.
func crop(page *image.Gray, q ocr.Quad) *image.Gray {
	width, height := max(1, math.Round(q.Width())), max(1, math.Round(q.Height()))
	back, ok := ocr.Project(ocr.Rectangle(width, height), q)
	if !ok {
		return image.NewGray(image.Rect(0, 0, 1, 1))
	}
	return ocr.Warp(page, back, int(width), int(height))
}

// lineWidth is how wide a line is for the model.
func lineWidth(line *image.Gray) int {
	return min(widestLine, max(8, int(math.Ceil(lineHeight*float64(line.Rect.Dx())/float64(line.Rect.Dy())))))
}

// read reads lines, those of similar width together.
func (r *Recogniser) read(lines []*image.Gray) ([][]symbol, error) {
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return lineWidth(lines[a]) - lineWidth(lines[b]) })
	result := make([][]symbol, len(lines))
	for len(order) > 0 {
		count := 1
		for count < len(order) && (count+1)*max(leastWidth, lineWidth(lines[order[count]])) <= together {
			count++
		}
		some := order[:count]
		order = order[count:]
		width := max(leastWidth, lineWidth(lines[some[count-1]]))
		plane := lineHeight * width
		input := make([]float32, count*3*plane)
		for i, line := range some {
			normalise(ocr.Resize(lines[line], lineWidth(lines[line]), lineHeight), input[i*3*plane:], width, plane)
		}
		output, shape, err := r.Model.Run(input, []int{count, 3, lineHeight, width})
		if err != nil {
			return nil, err
		}
		if len(shape) != 3 || shape[0] != count || shape[2] != len(r.Symbols)+1 || len(output) != shape[0]*shape[1]*shape[2] {
			return nil, fmt.Errorf("recognition answers with the shape %v for %d symbols", shape, len(r.Symbols))
		}
		for i, line := range some {
			steps := output[i*shape[1]*shape[2] : (i+1)*shape[1]*shape[2]]
			filled := float64(lineWidth(lines[line])) / float64(width)
			result[line] = r.decode(steps, shape[2], filled)
		}
	}
	return result, nil
}

// decode takes the likeliest symbol of each step; what stays the same over several steps is one symbol, unless a blank is between. Filled
// is the part of the steps that shows the line.
func (r *Recogniser) decode(steps []float32, classes int, filled float64) []symbol {
	var found []symbol
	before := blankSymbol
	count := len(steps) / classes
	for i := range count {
		likely := steps[i*classes : (i+1)*classes]
		best := 0
		for k, p := range likely {
			if p > likely[best] {
				best = k
			}
		}
		if best != blankSymbol && best != before {
			at := (float64(i) + 0.5) / (float64(count) * filled)
			found = append(found, symbol{r.Symbols[best-1], float64(likely[best]), min(at, 1)})
		}
		before = best
	}
	return found
}

// word is a part of a line without blanks.
type word struct {
	text     string
	sure     float64
	from, to float64 // parts of the line's width
}

// words splits a line at blanks. How sure a word is: that all of its symbols are right.
func words(line []symbol) []word {
	var found []word
	half := 0.5 / float64(max(len(line), 1)) // of a symbol, about
	open := false
	for i, s := range line {
		if strings.TrimFunc(s.text, unicode.IsSpace) == "" {
			open = false
			continue
		}
		from, to := max(0, s.at-half), min(1, s.at+half)
		if i > 0 {
			from = max(from, (line[i-1].at+s.at)/2)
		}
		if i+1 < len(line) {
			to = min(to, (line[i+1].at+s.at)/2)
		}
		if !open {
			found = append(found, word{sure: 1, from: from})
			open = true
		}
		last := &found[len(found)-1]
		last.text += s.text
		last.sure *= s.sure
		last.to = to
	}
	return found
}
