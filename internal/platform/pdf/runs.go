package pdf

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	pixels "golang.org/x/image/math/fixed"
)

// Run is a part of a paragraph.
type Run struct {
	Text string
	Bold bool
}

// part is a piece of a line in one font.
type part struct {
	text string
	bold bool
	wide float64
}

// Runs writes a paragraph with plain and bold parts from Y on, within a width. A label stands before its first line, to the left of x.
func (d *Document) Runs(x, width float64, s Style, label string, runs []Run) {
	s = s.filled()
	d.begin(s.role())
	defer d.done()
	for i, line := range broken(runs, width, s) {
		d.Need(s.height())
		if i == 0 && label != "" {
			d.lines(x-d.Measure(s, label)-1.6, d.Y, width, s, []string{Clean(label) + " "})
		}
		at := x
		for _, p := range line {
			face := s
			face.Bold = p.bold || s.Bold
			d.lines(at, d.Y, width, face, []string{p.text})
			at += p.wide
		}
		d.Y += s.height()
	}
}

// HeightOf says how high Runs would become.
func (d *Document) HeightOf(width float64, s Style, runs []Run) float64 {
	s = s.filled()
	return float64(len(broken(runs, width, s))) * s.height()
}

func (p part) measured(s Style) part {
	s.Bold = s.Bold || p.bold
	p.wide = millimetres(units(p.text, faceOf(s)), s)
	return p
}

// wordsOf are what lines are made of: parts without a space between them.
func wordsOf(runs []Run) (all [][]part) {
	glued := false // the next part belongs to the word before it
	for _, r := range runs {
		text := strings.ReplaceAll(Clean(r.Text), "\n", " ")
		for i, word := range strings.Split(text, " ") {
			if i > 0 {
				glued = false
			}
			if word == "" {
				continue
			}
			if glued {
				all[len(all)-1] = append(all[len(all)-1], part{text: word, bold: r.Bold})
			} else {
				all = append(all, []part{{text: word, bold: r.Bold}})
			}
			glued = true
		}
	}
	return all
}

// broken are the lines of a paragraph. A word that is wider than a line is cut.
func broken(runs []Run, width float64, s Style) (lines [][]part) {
	var line []part
	used := 0.0
	end := func() { lines, line, used = append(lines, line), nil, 0 }
	add := func(p part) {
		if last := len(line) - 1; last >= 0 && line[last].bold == p.bold {
			line[last].text += p.text
			line[last] = line[last].measured(s)
		} else {
			line = append(line, p.measured(s))
		}
		used = 0
		for _, p := range line {
			used += p.wide
		}
	}
	for _, word := range wordsOf(runs) {
		wide := 0.0
		for i := range word {
			word[i] = word[i].measured(s)
			wide += word[i].wide
		}
		if len(line) > 0 {
			space := part{text: " ", bold: line[len(line)-1].bold}.measured(s)
			add(space)
			if used+wide > width {
				end()
			}
		}
		for _, p := range word {
			for used+p.wide > width {
				face := s
				face.Bold = s.Bold || p.bold
				room := width - used
				n, _ := maximum(p.text, faceOf(face), func(units int) bool { return millimetres(units, face) <= room })
				if n == len(p.text) {
					break
				}
				if first := (part{text: p.text[:n]}).measured(face); len(line) > 0 && first.wide > room {
					end()
					continue
				}
				add(part{text: p.text[:n], bold: p.bold})
				end()
				p = part{text: p.text[n:], bold: p.bold}.measured(s)
			}
			add(p)
		}
	}
	if len(line) > 0 || len(lines) == 0 {
		end()
	}
	return lines
}

// Part ends a part of the document: what follows stands on a new page and has page numbers of its own.
func (d *Document) Part() {
	d.parts = append(d.parts, len(d.pages))
	d.NewPage()
}

// numbered says which page of its part a page is, and how many the part has; both count from 1.
func (d *Document) numbered(page int) (number, of int) {
	from, to := 0, len(d.pages)
	for _, end := range d.parts {
		if page > end {
			from = end
		} else {
			to = end
			break
		}
	}
	return page - from, to - from
}

// Pages says how many there are.
func (d *Document) Pages() int { return len(d.pages) }

// Across writes a word in large pale letters across each page so far. It is no content.
func (d *Document) Across(word string) {
	word = Clean(word)
	s := Style{Size: 96, Bold: true, Colour: Colour{0xE4, 0xE7, 0xEB}}
	wide := float64(units(word, faceOf(s))) * s.Size / 1000
	whole, wholeWide := s, wide
	for _, p := range d.pages {
		s, wide = whole, wholeWide
		if most := min(p.wide/paperWidth, p.high/paperHeight) * 720; wide > most {
			s.Size, wide = s.Size*most/wide, most
		}
		drawn := page{content: append([]byte(nil), decoration...)}
		drawn.content = append(drawn.content, "q\n"...)
		if p.under != nil {
			drawn.content = append(drawn.content, "/M gs\n"...) // over the page, and nothing of it is covered
		}
		drawn.pick(s)
		drawn.content = append(drawn.content, "BT "...)
		angle := math.Pi / 3.4
		cos, sin := math.Cos(angle), math.Sin(angle)
		for _, n := range []float64{cos, sin, -sin, cos} {
			drawn.content = append(number(drawn.content, n), ' ')
		}
		for _, n := range []float64{p.wide/2 - cos*wide/2 + sin*s.Size/3, p.high/2 - sin*wide/2 - cos*s.Size/3} {
			drawn.content = append(number(drawn.content, n), ' ')
		}
		drawn.content = append(drawn.content, "Tm("...)
		for _, r := range word {
			r = code(r)
			drawn.content = literal(literal(drawn.content, byte(r>>8)), byte(r))
			d.needs[1] = max(d.needs[1], faceOf(s).wider[r])
		}
		drawn.content = append(drawn.content, ")Tj ET\nQ\nEMC\n"...)
		if p.under == nil {
			p.content = append(drawn.content, p.content...)
		} else {
			p.leave()
			p.content = append(p.content, drawn.content...)
		}
	}
}

// Written is a text as a picture of a size in pixels, on nothing: as large as it fits, in the middle.
func Written(text string, width, height int) ([]byte, error) {
	read, err := opentype.Parse(regular)
	if err != nil {
		return nil, err
	}
	text = strings.ReplaceAll(Clean(text), "\n", " ")
	const trial = 100
	s := Style{Size: trial}
	wide := float64(units(text, faceOf(s))) * trial / 1000
	size := min(float64(height)*0.5, float64(width)*0.94*trial/max(wide, 1))
	drawn, err := opentype.NewFace(read, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil, err
	}
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	at := pixels.Point26_6{X: pixels.I((width - int(wide*size/trial)) / 2), Y: pixels.I(height/2 + int(size/3))}
	pen := font.Drawer{Dst: picture, Src: image.NewUniform(color.NRGBA{Ink.R, Ink.G, Ink.B, 0xFF}), Face: drawn, Dot: at}
	pen.DrawString(text)
	var out bytes.Buffer
	err = png.Encode(&out, picture)
	return out.Bytes(), err
}
