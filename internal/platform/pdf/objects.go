package pdf

import (
	"bytes"
	"errors"
	"strconv"
)

// errObjects is the answer to a file that is not as plain as pages for other documents must be.
var errObjects = errors.New("pdf: pages that cannot be read")

const (
	deepest     = 60      // how far objects may lie in one another
	objectsMost = 200_000 // in a file
)

// value is an object of a file: a word as it is written, a reference, a list or a dictionary.
type value struct {
	raw   []byte // of a number, a name, a string or a word
	to    int    // the object that is meant; 0: it is no reference
	list  []value
	pairs []pair // of a dictionary
	is    byte   // w, r, [ or <
}

type pair struct {
	name string // with its slash
	value
}

// at is a value of a dictionary.
func (v *value) at(name string) *value {
	for i := range v.pairs {
		if v.pairs[i].name == name {
			return &v.pairs[i].value
		}
	}
	return nil
}

// reader reads objects from a place on.
type reader struct {
	content []byte
	at      int
}

func blankByte(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func ends(c byte) bool { return blankByte(c) || bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }

func (r *reader) skip() {
	for r.at < len(r.content) {
		switch c := r.content[r.at]; {
		case blankByte(c):
			r.at++
		case c == '%':
			for r.at < len(r.content) && r.content[r.at] != '\n' && r.content[r.at] != '\r' {
				r.at++
			}
		default:
			return
		}
	}
}

// word reads to the end of a word.
func (r *reader) word() []byte {
	from := r.at
	if r.at < len(r.content) && r.content[r.at] == '/' {
		r.at++
	}
	for r.at < len(r.content) && !ends(r.content[r.at]) {
		r.at++
	}
	return r.content[from:r.at]
}

// whole is a number without a sign; -1: it is none.
func whole(word []byte) int {
	if len(word) == 0 || len(word) > 10 || word[0] < '0' || word[0] > '9' {
		return -1
	}
	n, err := strconv.Atoi(string(word))
	if err != nil {
		return -1
	}
	return n
}

func (r *reader) value(depth int) (v value, err error) {
	r.skip()
	if r.at >= len(r.content) || depth > deepest {
		return v, errObjects
	}
	rest := r.content[r.at:]
	switch {
	case bytes.HasPrefix(rest, []byte("<<")):
		r.at += 2
		return r.dictionary(depth)
	case rest[0] == '[':
		r.at++
		return r.array(depth)
	case rest[0] == '(':
		return r.literal()
	case rest[0] == '<':
		end := bytes.IndexByte(rest, '>')
		if end < 0 {
			return v, errObjects
		}
		r.at += end + 1
		return value{is: 'w', raw: rest[:end+1]}, nil
	}
	word := r.word()
	if len(word) == 0 {
		return v, errObjects
	}
	if n := whole(word); n > 0 { // three words may be a reference
		after := r.at
		r.skip()
		generation := r.word()
		r.skip()
		if whole(generation) >= 0 && string(r.word()) == "R" {
			return value{is: 'r', to: n}, nil
		}
		r.at = after
	}
	return value{is: 'w', raw: word}, nil
}

func (r *reader) dictionary(depth int) (v value, err error) {
	v.is = '<'
	for {
		r.skip()
		if bytes.HasPrefix(r.content[r.at:], []byte(">>")) {
			r.at += 2
			return v, nil
		}
		name := r.word()
		if len(name) < 2 || name[0] != '/' {
			return v, errObjects
		}
		of, err := r.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.pairs = append(v.pairs, pair{string(name), of})
	}
}

func (r *reader) array(depth int) (v value, err error) {
	v.is = '['
	for {
		r.skip()
		if r.at < len(r.content) && r.content[r.at] == ']' {
			r.at++
			return v, nil
		}
		of, err := r.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.list = append(v.list, of)
	}
}

// literal reads a string in brackets.
func (r *reader) literal() (value, error) {
	from, open := r.at, 0
	for ; r.at < len(r.content); r.at++ {
		switch r.content[r.at] {
		case '\\':
			r.at++
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				r.at++
				return value{is: 'w', raw: r.content[from:r.at]}, nil
			}
		}
	}
	return value{}, errObjects
}

// split is a value as it is written, and the objects that it names: their numbers stand between the parts.
func (v *value) split() (parts [][]byte, named []int) {
	var b []byte
	var walk func(v *value)
	walk = func(v *value) {
		switch v.is {
		case 'r':
			parts, named = append(parts, b), append(named, v.to)
			b = []byte(" 0 R")
		case '[':
			b = append(b, '[')
			for i := range v.list {
				walk(&v.list[i])
				b = append(b, ' ')
			}
			b = append(b, ']')
		case '<':
			b = append(b, "<<"...)
			for i := range v.pairs {
				b = append(append(b, v.pairs[i].name...), ' ')
				walk(&v.pairs[i].value)
			}
			b = append(b, ">>"...)
		default:
			b = append(b, v.raw...)
		}
	}
	walk(v)
	return append(parts, b), named
}

// plain is a file whose objects stand one after the other, found by a table at its end.
type plain struct {
	content []byte
	places  map[int]int
	root    int
}

// readPlain finds the objects of a file.
func readPlain(content []byte) (*plain, error) {
	p := &plain{content: content, places: map[int]int{}}
	start := bytes.LastIndex(content, []byte("startxref"))
	if start < 0 {
		return nil, errObjects
	}
	r := &reader{content, start + len("startxref")}
	r.skip()
	r.at = whole(r.word())
	if r.at < 0 || r.at >= len(content) || string(r.word()) != "xref" {
		return nil, errObjects
	}
	for {
		r.skip()
		first := r.word()
		if string(first) == "trailer" {
			break
		}
		r.skip()
		from, count := whole(first), whole(r.word())
		if from < 0 || count < 0 || from+count > objectsMost {
			return nil, errObjects
		}
		for n := from; n < from+count; n++ {
			r.skip()
			at := r.word()
			r.skip()
			r.word()
			r.skip()
			if string(r.word()) == "n" {
				p.places[n], _ = strconv.Atoi(string(at))
			}
		}
		if r.at >= len(content) {
			return nil, errObjects
		}
	}
	trailer, err := r.value(0)
	if err != nil {
		return nil, err
	}
	root := trailer.at("/Root")
	if root == nil || root.to == 0 {
		return nil, errObjects
	}
	p.root = root.to
	return p, nil
}

// object is one by its number, with its stream where it has one.
func (p *plain) object(n int) (v value, content []byte, err error) {
	at, ok := p.places[n]
	if !ok || at <= 0 || at >= len(p.content) {
		return v, nil, errObjects
	}
	r := &reader{p.content, at}
	if whole(r.word()) != n {
		return v, nil, errObjects
	}
	r.skip()
	r.word()
	r.skip()
	if string(r.word()) != "obj" {
		return v, nil, errObjects
	}
	if v, err = r.value(0); err != nil || v.is != '<' {
		return v, nil, err // a stream begins with a dictionary
	}
	r.skip()
	if string(r.word()) != "stream" {
		return v, nil, nil
	}
	if r.at < len(p.content) && p.content[r.at] == '\r' {
		r.at++
	}
	if r.at < len(p.content) && p.content[r.at] == '\n' {
		r.at++
	}
	length := v.at("/Length")
	if length != nil && length.is == 'r' {
		of, _, err := p.object(length.to)
		if err != nil || of.is != 'w' {
			return v, nil, errObjects
		}
		length = &of
	}
	if length == nil {
		return v, nil, errObjects
	}
	size := whole(length.raw)
	if size < 0 || r.at+size > len(p.content) {
		return v, nil, errObjects
	}
	return v, p.content[r.at : r.at+size : r.at+size], nil
}
