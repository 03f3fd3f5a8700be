package pdf

import (
	"math"
	"strconv"
)

// page is what is drawn on one, in the words of PDF. What is chosen for the page is remembered, so that no choice is written twice.
type page struct {
	content     []byte
	fill, draws Colour // zero: black, with which every page begins
	thick       float64
	size        float64
	bold        bool

	number int32
	in     int32   // the element that is entered; 0: none
	beside string  // how what is entered is marked that is no content; empty: it is content
	owners []int32 // the element of each mark

	wide, high float64 // points
	under      *Sheets // whose page lies below; nil: none
	of, sheet  int     // of these pages, and which
}

const paperWidth, paperHeight = 595.28, 841.89 // A4 in points

// number writes hundredths.
func number(b []byte, v float64) []byte {
	n := int64(math.Round(v * 100))
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendInt(b, n/100, 10)
	switch n %= 100; {
	case n == 0:
	case n%10 == 0:
		b = append(b, '.', byte('0'+n/10))
	default:
		b = append(b, '.', byte('0'+n/10), byte('0'+n%10))
	}
	return b
}

// say writes numbers, in points, and what to do with them.
func (p *page) say(does string, numbers ...float64) {
	for _, n := range numbers {
		p.content = append(number(p.content, n), ' ')
	}
	p.content = append(append(p.content, does...), '\n')
}

func (p *page) colour(does string, c Colour) {
	for _, n := range [3]uint8{c.R, c.G, c.B} {
		p.content = append(strconv.AppendFloat(p.content, float64(n)/255, 'f', 3, 64), ' ')
	}
	p.content = append(append(p.content, does...), '\n')
}

func (p *page) fillWith(c Colour) {
	if c != p.fill {
		p.fill = c
		p.colour("rg", c)
	}
}

// x and y of millimetres from the left upper corner.
func (p *page) x(mm float64) float64 { return mm / point }
func (p *page) y(mm float64) float64 { return p.high - mm/point }

func (p *page) pick(s Style) {
	p.fillWith(s.Colour)
	if s.Size == p.size && s.Bold == p.bold {
		return
	}
	p.size, p.bold = s.Size, s.Bold
	name := "/R "
	if s.Bold {
		name = "/B "
	}
	p.content = append(p.content, name...)
	p.say("Tf", s.Size)
}

// text writes a line from a point on, with what was picked.
func (p *page) text(x, y float64, line string) {
	if line == "" {
		return
	}
	p.content = append(p.content, "BT "...)
	p.content = append(number(p.content, p.x(x)), ' ')
	p.content = append(number(p.content, p.y(y)), " Td("...)
	for _, r := range line {
		r = code(r)
		p.content = literal(literal(p.content, byte(r>>8)), byte(r))
	}
	p.content = append(p.content, ")Tj ET\n"...)
}

// literal writes a byte of a text in brackets.
func literal(b []byte, c byte) []byte {
	switch c {
	case '(', ')', '\\':
		return append(b, '\\', c)
	case '\r': // readers make a line feed of it
		return append(b, '\\', 'r')
	}
	return append(b, c)
}

func (p *page) rule(from, to, y, thick float64, c Colour) {
	if c != p.draws {
		p.draws = c
		p.colour("RG", c)
	}
	if thick != p.thick {
		p.thick = thick
		p.say("w", thick/point)
	}
	p.say("m", p.x(from), p.y(y))
	p.say("l S", p.x(to), p.y(y))
}

func (p *page) bar(x, y, width, height float64, c Colour) {
	p.fillWith(c)
	p.say("re f", p.x(x), p.y(y), width/point, -height/point)
}

func (p *page) picture(number int, x, y, width, height float64) {
	p.content = append(p.content, "q "...)
	p.say("cm", width/point, 0, 0, height/point, p.x(x), p.y(y+height))
	p.content = append(append(append(p.content, "/I"...), strconv.Itoa(number)...), " Do Q\n"...)
}
