package contract

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// schema has the words of JSON Schema that the contract uses.
type schema struct {
	Ref        string `json:"$ref"`
	AllOf      []*schema
	Type       string
	Format     string
	Nullable   bool
	Enum       []any
	Pattern    string
	Required   []string
	Properties map[string]*schema
	Additional *schema `json:"additionalProperties"`
	Items      *schema

	MinLength, MaxLength, MinItems, MaxItems *int
	Minimum, Maximum                         *json.Number
	ExclusiveMinimum                         bool

	Default              any
	ReadOnly, Deprecated bool // say nothing of what is right
}

// whole is a schema with what it refers to, and all properties that it knows.
func (c *Contract) whole(s *schema) (*schema, map[string]*schema) {
	known := maps.Clone(s.Properties)
	if known == nil {
		known = map[string]*schema{}
	}
	merged := *s
	for _, part := range append(slices.Clone(s.AllOf), c.named(s.Ref)...) {
		one, more := c.whole(part)
		maps.Copy(known, more)
		if merged.Type == "" {
			merged.Type, merged.Format, merged.Items = one.Type, one.Format, one.Items
		}
		if one.Additional != nil {
			merged.Additional = one.Additional
		}
	}
	return &merged, known
}

func (c *Contract) named(ref string) []*schema {
	if ref == "" {
		return nil
	}
	s := c.schemas[strings.TrimPrefix(ref, "#/components/schemas/")]
	if s == nil {
		panic("the contract has no " + ref)
	}
	return []*schema{s}
}

// check lists what is wrong with a value: where and why, never the value.
func (c *Contract) check(s *schema, value any, at string) []string {
	wrong := c.checked(s, value, at)
	if object, is := value.(map[string]any); is {
		if whole, known := c.whole(s); whole.Additional == nil && (whole.Type == "object" || len(known) > 0) {
			for name := range object {
				if known[name] == nil {
					wrong = append(wrong, at+"/"+name+" is unknown")
				}
			}
		}
	}
	return wrong
}

func (c *Contract) checked(s *schema, value any, at string) (wrong []string) {
	if value == nil {
		if !s.Nullable && (s.Type != "" || s.Ref != "" || len(s.AllOf) > 0) {
			return []string{at + " is null"}
		}
		return nil
	}
	add := func(why string) { wrong = append(wrong, at+" "+why) }
	for _, part := range append(slices.Clone(s.AllOf), c.named(s.Ref)...) {
		wrong = append(wrong, c.checked(part, value, at)...)
	}
	if s.Enum != nil && !slices.Contains(s.Enum, value) {
		add("is none of those listed")
	}
	switch value := value.(type) {
	case string:
		if s.Type != "" && s.Type != "string" {
			add("is a text")
		}
		c.text(s, value, add)
	case json.Number:
		number(s, value, add)
	case bool:
		if s.Type != "" && s.Type != "boolean" {
			add("is a boolean")
		}
	case []any:
		if s.Type != "" && s.Type != "array" {
			add("is a list")
		}
		if outside(len(value), s.MinItems, s.MaxItems) || !within(s, big.NewRat(int64(len(value)), 1)) {
			add(fmt.Sprintf("has %d items", len(value)))
		}
		for n, item := range value {
			if s.Items != nil {
				wrong = append(wrong, c.check(s.Items, item, fmt.Sprintf("%s/%d", at, n))...)
			}
		}
	case map[string]any:
		if s.Type != "" && s.Type != "object" {
			add("is an object")
		}
		for _, name := range s.Required {
			if _, there := value[name]; !there {
				wrong = append(wrong, at+"/"+name+" is missing")
			}
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if p := s.Properties[name]; p != nil {
				wrong = append(wrong, c.check(p, value[name], at+"/"+name)...)
			} else if s.Additional != nil {
				wrong = append(wrong, c.check(s.Additional, value[name], at+"/"+name)...)
			}
		}
	}
	return wrong
}

func outside(n int, from, to *int) bool { return from != nil && n < *from || to != nil && n > *to }

func (c *Contract) text(s *schema, value string, add func(string)) {
	if n := utf8.RuneCountInString(value); outside(n, s.MinLength, s.MaxLength) {
		add(fmt.Sprintf("has %d characters", n))
	}
	if s.Pattern != "" && !pattern(s.Pattern).MatchString(value) {
		add("does not fit " + s.Pattern)
	}
	var err error
	switch s.Format {
	case "date-time":
		_, err = time.Parse(time.RFC3339, value)
	case "date":
		_, err = time.Parse(time.DateOnly, value)
	case "byte":
		_, err = base64.StdEncoding.Strict().DecodeString(value)
	case "uri":
		var u *url.URL
		if u, err = url.Parse(value); err == nil && !u.IsAbs() {
			err = fmt.Errorf("relative")
		}
	}
	if err != nil {
		add("is no " + s.Format)
	}
}

var patterns sync.Map

// pattern is compiled once: answers have thousands of numbers.
func pattern(text string) *regexp.Regexp {
	if known, ok := patterns.Load(text); ok {
		return known.(*regexp.Regexp)
	}
	made := regexp.MustCompile(text)
	patterns.Store(text, made)
	return made
}

func number(s *schema, value json.Number, add func(string)) {
	if s.Type != "" && s.Type != "integer" && s.Type != "number" {
		add("is a number")
		return
	}
	n, ok := new(big.Rat).SetString(string(value))
	switch {
	case !ok:
		add("is no number")
	case s.Type == "integer" && !n.IsInt(),
		s.Format == "int32" && (!n.Num().IsInt64() || n.Num().Int64() != int64(int32(n.Num().Int64()))),
		s.Format == "int64" && !n.Num().IsInt64():
		add("is no " + s.Type + " " + s.Format)
	case !within(s, n):
		add("is out of bounds")
	}
}

// within says whether a number is within the bounds; the contract also gives them for lengths of lists.
func within(s *schema, n *big.Rat) bool {
	bound := func(text *json.Number) *big.Rat {
		r, ok := new(big.Rat).SetString(string(*text))
		if !ok {
			panic("the contract has a bound that is no number")
		}
		return r
	}
	if s.Minimum != nil {
		if c := n.Cmp(bound(s.Minimum)); c < 0 || c == 0 && s.ExclusiveMinimum {
			return false
		}
	}
	return s.Maximum == nil || n.Cmp(bound(s.Maximum)) <= 0
}
