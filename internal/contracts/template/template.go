// Package template makes pages of the texts that partners write for their drivers' contracts: headings, paragraphs, lists, tables, boxes
// to tick and places to sign, with placeholders for what differs between drivers. It knows no clock and no database: the same text with
// the same values gives the same bytes.
//
// What is filled in is text and nothing else: no sign of a driver's name becomes a heading, a placeholder or a line of its own.
package template

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Mistake is a place in a text that cannot be made into pages.
type Mistake struct {
	Line, Column int    // from 1, in letters
	Code         string // one of the codes below
	What         string // the letters that are wrong
}

// The codes of mistakes.
const (
	UnknownMark        = "mark"        // a sign of Markdown that means nothing here
	UnknownPlaceholder = "placeholder" // {{…}} that no value is known for
	Unclosed           = "unclosed"    // ** or {{ without its end
	WrongTable         = "table"       // a row with more or fewer cells than the head
	Empty              = "empty"       // nothing to show
)

func (m Mistake) Error() string {
	return fmt.Sprintf("line %d, column %d: %s %q", m.Line, m.Column, m.Code, m.What)
}

// Mistakes are all that are wrong with a text, in its order.
type Mistakes []Mistake

func (m Mistakes) Error() string { return m[0].Error() }

// Side is who signs.
type Side string

// The sides.
const (
	Driver  Side = "driver"
	Partner Side = "partner"
)

// Template is a text that was read.
type Template struct {
	blocks       []block
	placeholders []string
	checks       []string
}

// Placeholders lists the names that it fills in, each once.
func (t *Template) Placeholders() []string { return t.placeholders }

// Checks lists the boxes that it ticks, each once.
func (t *Template) Checks() []string { return t.checks }

// Signed says whether a side signs it.
func (t *Template) Signed(by Side) bool {
	return slices.ContainsFunc(t.blocks, func(b block) bool { return b.kind == signature && b.side == by })
}

type kind int

const (
	paragraph kind = iota
	heading
	item
	check
	rule
	table
	signature
	newPage
)

type block struct {
	kind  kind
	level int    // of a heading, from 1; of an item, from 0
	label string // of an item
	name  string // of a box to tick
	side  Side
	spans []span
	rows  [][][]span // of a table; the first is its head
}

// span is a text, or the name of a value.
type span struct {
	text, name string
	bold       bool
}

var (
	headingMark   = regexp.MustCompile(`^(#+)\s+`)
	itemMark      = regexp.MustCompile(`^( *)(\d+(?:\.\d+)*[.)]|[a-z]\)|-)\s+`)
	directive     = regexp.MustCompile(`^\[([a-z]+)(?::([A-Za-z0-9.]+))?\]\s*`)
	tableLine     = regexp.MustCompile(`^\|(\s*:?-{3,}:?\s*\|)+$`)
	unknownStarts = regexp.MustCompile("^(>|\\* |\\+ |!\\[|```|~~~|={3,}$|\\[\\^)")
)

type parser struct {
	t        *Template
	mistakes Mistakes
	words    []string // of the paragraph that is being read
	from     []int    // their lines
}

// Parse reads a text. The error, if any, is Mistakes.
func Parse(text string) (*Template, error) {
	p := &parser{t: &Template{}}
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\t", " "), "\n")
	for n := 0; n < len(lines); n++ {
		line := strings.TrimRight(lines[n], " ")
		if strings.HasPrefix(strings.TrimSpace(line), "|") {
			p.flush()
			n = p.table(lines, n)
			continue
		}
		p.line(line, n+1)
	}
	p.flush()
	if len(p.t.blocks) == 0 && len(p.mistakes) == 0 {
		p.wrong(1, 1, Empty, "")
	}
	if len(p.mistakes) > 0 {
		return nil, p.mistakes
	}
	return p.t, nil
}

func (p *parser) wrong(line, column int, code, what string) {
	p.mistakes = append(p.mistakes, Mistake{line, column, code, what})
}

func (p *parser) add(b block) { p.t.blocks = append(p.t.blocks, b) }

// flush ends the paragraph that is being read.
func (p *parser) flush() {
	if len(p.words) == 0 {
		return
	}
	var spans []span
	for i, text := range p.words {
		if i > 0 {
			spans = append(spans, span{text: " "})
		}
		spans = append(spans, p.spans(text, p.from[i], 1)...)
	}
	p.add(block{kind: paragraph, spans: spans})
	p.words, p.from = nil, nil
}

func (p *parser) line(line string, n int) {
	trimmed := strings.TrimSpace(line)
	mark := directive.FindStringSubmatch(trimmed)
	switch {
	case trimmed == "":
		p.flush()
	case strings.Trim(trimmed, "-") == "" && len(trimmed) >= 3:
		p.flush()
		p.add(block{kind: rule})
	case strings.HasPrefix(trimmed, "#"):
		p.flush()
		p.heading(trimmed, n)
	case mark != nil:
		p.flush()
		p.directive(trimmed, mark, n)
	case unknownStarts.MatchString(trimmed):
		p.flush()
		p.wrong(n, column(line, strings.Index(line, trimmed)), UnknownMark, unknownStarts.FindString(trimmed))
	case itemMark.MatchString(line):
		p.flush()
		m := itemMark.FindStringSubmatch(line)
		label := m[2]
		if label == "-" {
			label = "–"
		}
		p.add(block{kind: item, level: min(len(m[1])/2, 2), label: label, spans: p.spans(line[len(m[0]):], n, column(line, len(m[0])))})
	default:
		if last := len(p.t.blocks) - 1; len(p.words) == 0 && last >= 0 && p.t.blocks[last].kind == item && strings.HasPrefix(line, "  ") {
			more := p.spans(trimmed, n, column(line, strings.Index(line, trimmed)))
			p.t.blocks[last].spans = append(append(p.t.blocks[last].spans, span{text: " "}), more...)
			return
		}
		p.words, p.from = append(p.words, trimmed), append(p.from, n)
	}
}

// column is which letter stands at a byte, from 1.
func column(line string, at int) int { return utf8.RuneCountInString(line[:max(at, 0)]) + 1 }

func (p *parser) heading(line string, n int) {
	m := headingMark.FindStringSubmatch(line)
	if m == nil || len(m[1]) > 3 {
		p.wrong(n, 1, UnknownMark, line[:len(line)-len(strings.TrimLeft(line, "#"))])
		return
	}
	p.add(block{kind: heading, level: len(m[1]), spans: p.spans(line[len(m[0]):], n, column(line, len(m[0])))})
}

func (p *parser) directive(line string, m []string, n int) {
	rest := line[len(m[0]):]
	switch {
	case m[1] == "page" && m[2] == "" && rest == "":
		p.add(block{kind: newPage})
	case m[1] == "signature" && (m[2] == string(Driver) || m[2] == string(Partner)):
		p.add(block{kind: signature, side: Side(m[2]), spans: p.spans(rest, n, column(line, len(m[0])))})
	case m[1] == "check":
		if !slices.Contains(Boxes, m[2]) {
			p.wrong(n, 1, UnknownPlaceholder, m[2])
			return
		}
		if !slices.Contains(p.t.checks, m[2]) {
			p.t.checks = append(p.t.checks, m[2])
		}
		p.add(block{kind: check, name: m[2], spans: p.spans(rest, n, column(line, len(m[0])))})
	default:
		p.wrong(n, 1, UnknownMark, strings.TrimSpace(m[0]))
	}
}

// table reads the rows that begin at a line and gives the last of them.
func (p *parser) table(lines []string, from int) int {
	b := block{kind: table}
	n := from
	for ; n < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[n]), "|"); n++ {
		line := strings.TrimSpace(lines[n])
		if n == from+1 && tableLine.MatchString(line) {
			continue
		}
		if !strings.HasSuffix(line, "|") || len(line) < 2 {
			p.wrong(n+1, column(line, len(line)), WrongTable, line)
			continue
		}
		var row [][]span
		at := 1
		for _, cell := range strings.Split(line[1:len(line)-1], "|") {
			row = append(row, p.spans(strings.TrimSpace(cell), n+1, column(line, at)))
			at += len(cell) + 1
		}
		if len(b.rows) > 0 && len(row) != len(b.rows[0]) {
			p.wrong(n+1, 1, WrongTable, line)
			continue
		}
		b.rows = append(b.rows, row)
	}
	if len(b.rows) > 0 && len(b.rows[0]) > 6 {
		p.wrong(from+1, 1, WrongTable, lines[from])
	}
	p.add(b)
	return n - 1
}

const (
	escapable = "*{}[]|#`<>\\-_.!"
	open      = "{{"
	closing   = "}}"
)

// spans reads the marks within a line. Column is that of its first letter.
func (p *parser) spans(text string, line, first int) (all []span) {
	bold, boldAt := false, 0
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			all = append(all, span{text: plain.String(), bold: bold})
			plain.Reset()
		}
	}
	for at := 0; at < len(text); {
		here := first + utf8.RuneCountInString(text[:at])
		rest := text[at:]
		switch {
		case rest[0] == '\\' && len(rest) > 1 && strings.IndexByte(escapable, rest[1]) >= 0:
			plain.WriteByte(rest[1])
			at += 2
		case strings.HasPrefix(rest, "**"):
			flush()
			bold, boldAt = !bold, here
			at += 2
		case strings.HasPrefix(rest, open):
			end := strings.Index(rest, closing)
			if end < 0 {
				p.wrong(line, here, Unclosed, open)
				return all
			}
			name := strings.TrimSpace(rest[2:end])
			if !slices.Contains(Names, name) {
				p.wrong(line, here, UnknownPlaceholder, name)
			} else if !slices.Contains(p.t.placeholders, name) {
				p.t.placeholders = append(p.t.placeholders, name)
			}
			flush()
			all = append(all, span{name: name, bold: bold})
			at += end + 2
		case strings.HasPrefix(rest, closing):
			p.wrong(line, here, Unclosed, closing)
			return all
		case rest[0] == '*', rest[0] == '`', strings.HasPrefix(rest, "](") || strings.HasPrefix(rest, "!["), isTag(rest):
			p.wrong(line, here, UnknownMark, string([]rune(rest)[:min(2, utf8.RuneCountInString(rest))]))
			return all
		default:
			_, size := utf8.DecodeRuneInString(rest)
			plain.WriteString(rest[:size])
			at += size
		}
	}
	flush()
	if bold {
		p.wrong(line, boldAt, Unclosed, "**")
	}
	return all
}

// isTag says whether a text begins as HTML does.
func isTag(rest string) bool {
	letter := func(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
	return len(rest) > 1 && rest[0] == '<' && (rest[1] == '/' || rest[1] == '!' || letter(rest[1]))
}
