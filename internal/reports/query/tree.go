package query

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"saldo/internal/kernel/fault"
)

// What JSON may be before anything is made of it.
const (
	bytesMost = 16 << 10
	depthMost = 8
)

// Refusal says which place of a definition is wrong, and how. Places are written as measures[2] or columns.payout.title; that of the
// whole is $, and of what is no JSON the byte.
type Refusal struct {
	Place string
	Code  fault.FieldCode
	Found string // what stands there; empty: nothing, or no text
}

func (r *Refusal) Error() string {
	if r.Found == "" {
		return fmt.Sprintf("%s: %s", r.Place, r.Code)
	}
	return fmt.Sprintf("%s: %s: %q", r.Place, r.Code, r.Found)
}

const foundMost = 60

func refuse(place string, code fault.FieldCode, found string) *Refusal {
	found = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, found)
	if letters := []rune(found); len(letters) > foundMost {
		found = string(letters[:foundMost]) + "…"
	}
	if place == "" {
		place = "$"
	}
	return &Refusal{place, code, found}
}

// node is a value of JSON with its place.
type node struct {
	place string
	text  string // of a string or number
	is    byte   // { [ " 0 t n
	names []string
	nodes []node
}

// read takes JSON apart strictly: a name stands once, nothing follows, and nothing is too deep.
func read(raw string) (node, error) {
	switch {
	case len(raw) > bytesMost:
		return node{}, refuse("", fault.TooBig, "")
	case !utf8.ValidString(raw):
		return node{}, refuse("", fault.WrongFormat, "")
	}
	d := json.NewDecoder(strings.NewReader(raw))
	d.UseNumber()
	root, err := value(d, "", 0)
	if err != nil {
		return root, err
	}
	if _, err := d.Token(); err != io.EOF {
		return root, broken(d)
	}
	return root, nil
}

func broken(d *json.Decoder) error {
	return refuse(fmt.Sprintf("$%d", d.InputOffset()), fault.WrongFormat, "")
}

func value(d *json.Decoder, place string, depth int) (n node, err error) {
	if depth > depthMost {
		return n, refuse(place, fault.TooBig, "")
	}
	token, err := d.Token()
	if err != nil {
		return n, broken(d)
	}
	n.place = place
	switch t := token.(type) {
	case json.Delim:
		n.is = byte(t)
		return n, n.fill(d, depth)
	case string:
		n.is, n.text = '"', t
		if strings.ContainsFunc(t, unicode.IsControl) || strings.ContainsRune(t, utf8.RuneError) {
			return n, refuse(place, fault.WrongFormat, t)
		}
	case json.Number:
		n.is, n.text = '0', t.String()
	case bool:
		n.is = 't'
		if t {
			n.text = "true"
		}
	default:
		n.is = 'n'
	}
	return n, nil
}

func (n *node) fill(d *json.Decoder, depth int) error {
	for d.More() {
		place := fmt.Sprintf("%s[%d]", n.place, len(n.nodes))
		if n.is == '{' {
			token, err := d.Token()
			name, ok := token.(string)
			if err != nil || !ok {
				return broken(d)
			}
			if place = strings.TrimPrefix(n.place+"."+name, "."); slices.Contains(n.names, name) {
				return refuse(place, fault.Duplicate, name)
			}
			if len(name) > foundMost {
				return refuse(n.place, fault.Unknown, name)
			}
			n.names = append(n.names, name)
		}
		inner, err := value(d, place, depth+1)
		if err != nil {
			return err
		}
		n.nodes = append(n.nodes, inner)
	}
	if _, err := d.Token(); err != nil {
		return broken(d)
	}
	return nil
}

// object are the values of an object that has no other names.
func (n *node) object(names ...string) (map[string]*node, error) {
	if n.is != '{' {
		return nil, refuse(n.place, fault.WrongType, n.text)
	}
	found := make(map[string]*node, len(n.names))
	for i, name := range n.names {
		if !slices.Contains(names, name) {
			return nil, refuse(n.nodes[i].place, fault.Unknown, name)
		}
		found[name] = &n.nodes[i]
	}
	return found, nil
}

// list are the values of a list.
func (n *node) list(minimum, maximum int) ([]node, error) {
	switch {
	case n.is != '[':
		return nil, refuse(n.place, fault.WrongType, n.text)
	case len(n.nodes) < minimum:
		return nil, refuse(n.place, fault.Required, "")
	case len(n.nodes) > maximum:
		return nil, refuse(fmt.Sprintf("%s[%d]", n.place, maximum), fault.TooBig, "")
	}
	return n.nodes, nil
}

func (n *node) word(maximum int) (string, error) {
	switch {
	case n.is != '"':
		return "", refuse(n.place, fault.WrongType, n.text)
	case strings.TrimSpace(n.text) == "":
		return "", refuse(n.place, fault.Required, "")
	case utf8.RuneCountInString(n.text) > maximum:
		return "", refuse(n.place, fault.TooLong, n.text)
	}
	return n.text, nil
}

func (n *node) flag() (bool, error) {
	if n.is != 't' {
		return false, refuse(n.place, fault.WrongType, n.text)
	}
	return n.text == "true", nil
}
