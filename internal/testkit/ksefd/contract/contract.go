// Package contract checks calls of KSeF and their answers against the contract that its owner has published, of which it keeps the
// operations that Saldo uses.
package contract

import (
	"bytes"
	_ "embed" // the contract
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed ksef-2.7.0.json
var published []byte

// Contract is a set of operations.
type Contract struct {
	Operations map[string]*Operation // by method and path
	schemas    map[string]*schema
}

// Operation is what may be called.
type Operation struct {
	Name        string // method and path
	Parameters  []parameter
	RequestBody *body
	Responses   map[string]*answer
	Security    []map[string][]string // empty: no token is asked for
	Limits      Limits                `json:"x-rate-limits"`
	Permissions []string              `json:"x-required-permissions"` // one of them is needed

	of   *Contract
	path *regexp.Regexp
}

// Limits say how often an operation of a group may be called.
type Limits struct{ PerSecond, PerMinute, PerHour int }

type parameter struct {
	Name, In string
	Required bool
	Schema   *schema
}

type body struct {
	Content  map[string]struct{ Schema *schema }
	Required bool
}

type answer struct {
	body
	Headers map[string]struct{ Schema *schema }
	Codes   []int  `json:"x-codes"` // that errors may have; read out of the contract's words
	Group   string `json:"x-group"` // of limits; read out of the contract's words
}

// Published is the contract as Saldo was built for.
var Published = sync.OnceValue(func() *Contract {
	c, err := Parse(published)
	if err != nil {
		panic(err)
	}
	return c
})

// Parse reads a contract. One with a word that the checks do not know is refused.
func Parse(content []byte) (*Contract, error) {
	var file struct {
		Info       any
		Paths      map[string]map[string]*Operation
		Components struct{ Schemas map[string]*schema }
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return nil, err
	}
	c := &Contract{map[string]*Operation{}, file.Components.Schemas}
	for path, all := range file.Paths {
		for method, o := range all {
			o.Name, o.of = strings.ToUpper(method)+" "+path, c
			o.path = regexp.MustCompile("^" + regexp.MustCompile(`\\\{(\w+)\\\}`).ReplaceAllString(regexp.QuoteMeta(path), "(?P<$1>[^/]+)") + "$")
			c.Operations[o.Name] = o
		}
	}
	return c, nil
}

// Find is the operation that a call is for, with what its path says; nil: the contract has none.
func (c *Contract) Find(method, path string) (*Operation, map[string]string) {
	var found *Operation
	values := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(c.Operations)) {
		o := c.Operations[name]
		m := o.path.FindStringSubmatch(path)
		if m == nil || !strings.HasPrefix(name, method+" ") || found != nil && strings.Count(found.Name, "{") <= strings.Count(name, "{") {
			continue
		}
		found, values = o, map[string]string{}
		for n, key := range o.path.SubexpNames()[1:] {
			values[key] = m[n+1]
		}
	}
	return found, values
}

// Group is the group whose limits a call counts for.
func (o *Operation) Group() string { return o.Responses["429"].Group }

// Request lists how a call breaks the contract.
func (o *Operation) Request(r *http.Request, content []byte, inPath map[string]string) (breaches []string) {
	query := r.URL.Query()
	for _, p := range o.Parameters {
		var given []string
		switch p.In {
		case "query":
			given = query[p.Name]
			query.Del(p.Name)
		case "header":
			given = r.Header.Values(p.Name)
		case "path":
			given = []string{inPath[p.Name]}
		}
		if len(given) == 0 && p.Required || len(given) > 1 {
			breaches = append(breaches, fmt.Sprintf("%d times %s", len(given), p.Name))
		}
		for _, text := range given {
			breaches = append(breaches, o.of.check(p.Schema, fromText(o.of, p.Schema, text), p.Name)...)
		}
	}
	for name := range query {
		breaches = append(breaches, name+" is unknown")
	}
	if len(o.Security) > 0 && !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
		breaches = append(breaches, "no token")
	}
	if o.RequestBody == nil {
		if len(content) > 0 {
			breaches = append(breaches, "a body that none reads")
		}
	} else {
		breaches = append(breaches, o.of.body(*o.RequestBody, r.Header, content)...)
	}
	return named(o.Name, breaches)
}

// Answer lists how an answer breaks the contract.
func (o *Operation) Answer(status int, header http.Header, content []byte) (breaches []string) {
	name := fmt.Sprintf("%s answers %d", o.Name, status)
	a := o.Responses[strconv.Itoa(status)]
	if a == nil {
		return []string{name}
	}
	for field, h := range a.Headers {
		for _, text := range header.Values(field) {
			breaches = append(breaches, o.of.check(h.Schema, fromText(o.of, h.Schema, text), field)...)
		}
	}
	if status == http.StatusTooManyRequests && header.Get("Retry-After") == "" {
		breaches = append(breaches, "no Retry-After")
	}
	if len(a.Content) == 0 {
		if len(content) > 0 {
			breaches = append(breaches, "content where there is none")
		}
		return named(name, breaches)
	}
	breaches = append(breaches, o.of.body(a.body, header, content)...)
	if status == http.StatusBadRequest {
		for _, code := range codes(content) {
			if !slices.Contains(a.Codes, code) {
				breaches = append(breaches, fmt.Sprintf("the code %d", code))
			}
		}
	}
	return named(name, breaches)
}

// named are breaches without repetition: the contract says some things twice.
func named(name string, breaches []string) []string {
	slices.Sort(breaches)
	breaches = slices.Compact(breaches)
	for n := range breaches {
		breaches[n] = name + ": " + breaches[n]
	}
	return breaches
}

// codes are those of an error, in either of its forms.
func codes(content []byte) (found []int) {
	var e struct {
		Exception struct{ ExceptionDetailList []struct{ ExceptionCode int } }
		Errors    []struct{ Code int }
	}
	if json.Unmarshal(content, &e) != nil {
		return nil
	}
	for _, one := range e.Exception.ExceptionDetailList {
		found = append(found, one.ExceptionCode)
	}
	for _, one := range e.Errors {
		found = append(found, one.Code)
	}
	return found
}

func (c *Contract) body(b body, header http.Header, content []byte) []string {
	kind, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	media, known := b.Content[kind]
	if !known {
		return []string{fmt.Sprintf("content of the type %q", kind)}
	}
	if !strings.HasSuffix(kind, "json") {
		return nil
	}
	value, err := decoded(content)
	if err != nil {
		return []string{"no JSON"}
	}
	return c.check(media.Schema, value, "")
}

func decoded(content []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	if err = decoder.Decode(&value); err == nil && decoder.More() {
		err = fmt.Errorf("more than one value")
	}
	return value, err
}

// Unread lists the fields of a Go type, into which an answer is read or from which a call is written, that the contract does not have.
// Status 0 is the call.
func (c *Contract) Unread(operation string, status int, shape reflect.Type) []string {
	o := c.Operations[operation]
	if o == nil {
		return []string{operation + " is gone"}
	}
	b := o.RequestBody
	if a := o.Responses[strconv.Itoa(status)]; a != nil {
		b = &a.body
	}
	if b == nil || b.Content["application/json"].Schema == nil {
		return []string{fmt.Sprintf("%s %d has no JSON", operation, status)}
	}
	return named(operation, c.unread(b.Content["application/json"].Schema, shape, ""))
}

func (c *Contract) unread(s *schema, shape reflect.Type, at string) (gone []string) {
	s, known := c.whole(s)
	switch {
	case shape.Kind() == reflect.Pointer:
		return c.unread(s, shape.Elem(), at)
	case shape.Kind() == reflect.Slice && s.Items != nil:
		return c.unread(s.Items, shape.Elem(), at+"[]")
	case shape.Kind() != reflect.Struct || s.Format != "":
		return nil
	}
	for n := range shape.NumField() {
		field := shape.Field(n)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-" || !field.IsExported() && !field.Anonymous:
		case field.Anonymous && name == "":
			gone = append(gone, c.unread(s, field.Type, at)...)
		case known[name] == nil:
			gone = append(gone, fmt.Sprintf("%s/%s (%s) is gone", at, name, field.Name))
		default:
			gone = append(gone, c.unread(known[name], field.Type, at+"/"+name)...)
		}
	}
	return gone
}

// fromText is a text of a path, query or header as its type has it.
func fromText(c *Contract, s *schema, text string) any {
	whole, _ := c.whole(s)
	switch whole.Type {
	case "integer", "number":
		return json.Number(text)
	case "boolean":
		if b, err := strconv.ParseBool(text); err == nil {
			return b
		}
	case "string":
		if unescaped, err := url.PathUnescape(text); err == nil {
			return unescaped
		}
	}
	return text
}
