package pdf

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Sheets are pages of somebody else that documents write on. Reading and writing them again gives the same.
type Sheets struct {
	sheets  []sheet
	objects []sheetObject // numbered from 1 in this order
	sizes   [][2]float64
}

// sheet is a page: the object that draws it, and its size in points.
type sheet struct {
	object     int
	wide, high float64
	size       [2]string // the same as it is written
}

// sheetObject is an object of which the numbers of others are left out.
type sheetObject struct {
	parts [][]byte // one more than there are numbers
	named []int
}

// Pages says how many there are.
func (s *Sheets) Pages() int { return len(s.sheets) }

// Size is how large a page is, in millimetres.
func (s *Sheets) Size(page int) (width, height float64) {
	return s.sheets[page].wide * point, s.sheets[page].high * point
}

// ReadSheets reads what Bytes gives.
func ReadSheets(content []byte) (*Sheets, error) { return TakeSheets(content, nil) }

// TakeSheets reads a file whose pages draw form objects, in the order of their names. Each becomes a sheet of a size in points; none: that
// of its page. What belongs to no form is left out.
func TakeSheets(content []byte, sizes [][2]float64) (*Sheets, error) {
	p, err := readPlain(content)
	if err != nil {
		return nil, err
	}
	root, _, err := p.object(p.root)
	if err != nil {
		return nil, err
	}
	s := &Sheets{sizes: sizes}
	c := &collector{p: p, numbers: map[int]int{}}
	if err := s.pages(c, root.at("/Pages"), 0); err != nil {
		return nil, err
	}
	for i := 0; i < len(c.queue); i++ {
		o, err := c.object(c.queue[i])
		if err != nil {
			return nil, err
		}
		s.objects = append(s.objects, o)
	}
	if len(s.sheets) == 0 || sizes != nil && len(sizes) != len(s.sheets) {
		return nil, errObjects
	}
	return s, nil
}

// collector numbers objects anew in the order in which they are met.
type collector struct {
	p       *plain
	numbers map[int]int
	queue   []int
}

func (c *collector) number(old int) int {
	if c.numbers[old] == 0 {
		c.queue = append(c.queue, old)
		c.numbers[old] = len(c.queue)
	}
	return c.numbers[old]
}

// dictionary follows a reference.
func (c *collector) dictionary(v *value) (value, error) {
	if v == nil {
		return value{}, errObjects
	}
	if v.is == 'r' {
		found, _, err := c.p.object(v.to)
		return found, err
	}
	return *v, nil
}

// pages walks the tree of pages.
func (s *Sheets) pages(c *collector, at *value, depth int) error {
	node, err := c.dictionary(at)
	if err != nil || depth > deepest || len(s.sheets) > objectsMost {
		return errObjects
	}
	if kids := node.at("/Kids"); kids != nil {
		all, err := c.dictionary(kids)
		if err != nil {
			return err
		}
		for i := range all.list {
			if err := s.pages(c, &all.list[i], depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	resources, err := c.dictionary(node.at("/Resources"))
	if err != nil {
		return err
	}
	forms, err := c.dictionary(resources.at("/XObject"))
	if err != nil {
		return err
	}
	// the names are a letter and a number; several stand in the order of letters
	slices.SortStableFunc(forms.pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.name, b.name))
	})
	for _, form := range forms.pairs {
		if form.is != 'r' {
			return errObjects
		}
		one := sheet{object: c.number(form.to)}
		if err := s.measure(&one, node.at("/MediaBox")); err != nil {
			return err
		}
		s.sheets = append(s.sheets, one)
	}
	return nil
}

// measure finds the size of a page: as it was given, else as the page says.
func (s *Sheets) measure(one *sheet, box *value) error {
	for i, to := range []*float64{&one.wide, &one.high} {
		switch {
		case len(s.sizes) > len(s.sheets):
			one.size[i] = strconv.FormatFloat(s.sizes[len(s.sheets)][i], 'f', 2, 64)
		case box != nil && len(box.list) == 4 && string(box.list[i].raw) == "0":
			one.size[i] = string(box.list[i+2].raw)
		}
		var err error
		if *to, err = strconv.ParseFloat(one.size[i], 64); err != nil || *to < 1 || *to > 20_000 {
			return errObjects
		}
	}
	return nil
}

// object is one with what its stream holds, packed where it was not.
func (c *collector) object(old int) (o sheetObject, err error) {
	v, content, err := c.p.object(old)
	if err != nil {
		return o, err
	}
	if content != nil {
		v.pairs = slices.DeleteFunc(v.pairs, func(p pair) bool { return p.name == "/Length" })
		if v.at("/Filter") == nil && len(content) > 200 {
			content = pack(content, best)
			v.pairs = append(v.pairs, pair{"/Filter", value{is: 'w', raw: []byte("/FlateDecode")}})
		}
		v.pairs = append(v.pairs, pair{"/Length", value{is: 'w', raw: strconv.AppendInt(nil, int64(len(content)), 10)}})
	}
	o.parts, o.named = v.split()
	for i, old := range o.named {
		o.named[i] = c.number(old)
	}
	if content != nil {
		last := &o.parts[len(o.parts)-1]
		*last = append(append(append(*last, "stream\n"...), content...), "\nendstream"...)
	}
	return o, nil
}

// write writes the object where those that it is numbered with begin after so many others.
func (o *sheetObject) write(b []byte, before int) []byte {
	for i, part := range o.parts {
		b = append(b, part...)
		if i < len(o.named) {
			b = strconv.AppendInt(append(b, ' '), int64(before+o.named[i]), 10)
		}
	}
	return b
}

// Bytes is the file that ReadSheets reads.
func (s *Sheets) Bytes() []byte {
	n := len(s.objects)
	draw, tree, root := n+1, n+2, n+3
	f := &file{content: []byte("%PDF-1.7\n%\xC2\xB5\xC2\xB6\n"), at: make([]place, root+1+len(s.sheets))}
	for i := range s.objects {
		f.object(i+1, s.objects[i].write(nil, 0))
	}
	f.object(draw, []byte("<</Length 5>>stream\n/S Do\nendstream"))
	var kids []byte
	for i := range s.sheets {
		page := &s.sheets[i]
		kids = append(reference(kids, root+1+i), ' ')
		f.object(root+1+i, fmt.Appendf(nil, "<</Type/Page/Parent %d 0 R/MediaBox[0 0 %s %s]/Resources<</XObject<</S %d 0 R>>>>/Contents %d 0 R>>",
			tree, page.size[0], page.size[1], page.object, draw))
	}
	f.object(tree, fmt.Appendf(nil, "<</Type/Pages/Kids[%s]/Count %d>>", kids, len(s.sheets)))
	f.object(root, fmt.Appendf(nil, "<</Type/Catalog/Pages %d 0 R>>", tree))
	start := len(f.content)
	b := fmt.Appendf(f.content, "xref\n0 %d\n0000000000 65535 f \n", len(f.at))
	for _, at := range f.at[1:] {
		b = fmt.Appendf(b, "%010d 00000 n \n", at.at)
	}
	return fmt.Appendf(b, "trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(f.at), root, start)
}

// Sheet goes on at a page of somebody else, which lies under what is written there. It has that page's size, and no foot. A page on
// which nothing stands yet is taken for it.
func (d *Document) Sheet(s *Sheets, number int) {
	if len(d.on.content) > 0 || d.on.under != nil {
		d.NewPage()
	}
	of := slices.Index(d.sheets, s)
	if of < 0 {
		of = len(d.sheets)
		d.sheets = append(d.sheets, s)
	}
	d.on.under, d.on.of, d.on.sheet = s, of, number
	d.on.wide, d.on.high = s.sheets[number].wide, s.sheets[number].high
	d.Y = 0
	d.begin(plainText)
	defer d.done()
	d.enter()
	d.on.content = fmt.Appendf(d.on.content, "q /S%d_%d Do Q\n", of, number)
}

// LeastSize is the smallest size of letters that Fitted takes, in points.
const LeastSize = 5.0

const (
	sizeStep  = 0.25
	inkHeight = 1.2 // of a line over its size, from the top of accents to below the line
)

// Fits says in which size a text fits into a box, at most in that of the style, and on which lines. No word is cut: where the smallest
// size is too large, it does not fit.
func (d *Document) Fits(width, height float64, s Style, text string) (size float64, lines []string, ok bool) {
	s = s.filled()
	text = Clean(text)
	for ; s.Size >= LeastSize; s.Size -= sizeStep {
		f := faceOf(s)
		wide := slices.ContainsFunc(strings.Fields(text), func(word string) bool { return millimetres(units(word, f), s) > width })
		if wide {
			continue
		}
		lines = wrapped(text, width, s)
		if float64(len(lines)-1)*s.height()+s.Size*point*inkHeight <= height {
			return s.Size, lines, true
		}
	}
	return 0, nil, false
}

// Fitted writes a text that fits into a box, in the middle of its height.
func (d *Document) Fitted(x, y, width, height float64, s Style, text string) bool {
	size, lines, ok := d.Fits(width, height, s, text)
	if !ok || text == "" {
		return ok
	}
	s = s.filled()
	s.Size = size
	high := float64(len(lines)-1)*s.height() + size*point*inkHeight
	d.begin(s.role())
	defer d.done()
	d.lines(x, y+(height-high)/2-0.07*size*point, width, s, lines)
	return true
}
