package template

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed ready/*.txt
var readyFiles embed.FS

// Form is how the law wants a document to be signed.
type Form string

// The forms.
const (
	Simple  Form = "simple"  // on the screen
	Written Form = "written" // by hand, on the printed document
)

// Ready is a text that comes with the program.
type Ready struct {
	ID, Name, Language, Kind string
	Form                     Form
	Order, Version           int64
	For                      []string // kinds of contracts; empty: all
	Required                 bool
	Body                     string
	Gloss                    map[string]string // what it is about, by language
}

// Kinds are what documents are about.
var Kinds = []string{"contract", "rental", "vehicle", "statement", "self_billing", "privacy", "bailiff", "other"}

// ReadyFor lists the texts for a country, in their order.
func ReadyFor(country string) []Ready { return ready()[strings.ToLower(country)] }

var ready = sync.OnceValue(func() map[string][]Ready {
	files, err := readyFiles.ReadDir("ready")
	if err != nil {
		panic(err) // they are part of the program
	}
	found := map[string][]Ready{}
	for _, f := range files {
		content, err := readyFiles.ReadFile(path.Join("ready", f.Name()))
		if err != nil {
			panic(err)
		}
		r, err := readReady(strings.TrimSuffix(f.Name(), ".txt"), string(content))
		if err != nil {
			panic(fmt.Sprintf("%s: %v", f.Name(), err)) // a test reads them all
		}
		found[r.Language] = append(found[r.Language], r)
	}
	for _, all := range found {
		slices.SortFunc(all, func(a, b Ready) int { return int(a.Order - b.Order) })
	}
	return found
})

func readReady(id, content string) (r Ready, err error) {
	head, body, ok := strings.Cut(content, "\n---\n")
	if !ok {
		return r, fmt.Errorf("no line between head and text")
	}
	r = Ready{ID: id, Body: body, Gloss: map[string]string{}}
	for line := range strings.SplitSeq(head, "\n") {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch name {
		case "name":
			r.Name = value
		case "language":
			r.Language = value
		case "kind":
			r.Kind = value
		case "form":
			r.Form = Form(value)
		case "for":
			r.For = strings.Fields(value)
		case "required":
			r.Required = value == "yes"
		case "order":
			r.Order, err = strconv.ParseInt(value, 10, 64)
		case "version":
			r.Version, err = strconv.ParseInt(value, 10, 64)
		default:
			in, isGloss := strings.CutPrefix(name, "gloss.")
			if !isGloss {
				return r, fmt.Errorf("unknown line %q", line)
			}
			r.Gloss[in] = value
		}
		if err != nil {
			return r, err
		}
	}
	return r, nil
}
