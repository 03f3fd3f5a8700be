package dedicated

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"saldo/internal/platform/i18n"
	"saldo/internal/reports/query"
)

//go:embed ready/*.json
var readyFiles embed.FS

// File is a report as the operator writes it, and as those that come with the program are written.
type File struct {
	Code       string          `json:"code"`
	Audience   query.Audience  `json:"audience"`
	Partners   []string        `json:"partners"` // codes of those that get it; none: all
	Definition json.RawMessage `json:"definition"`
}

// ParseFile reads a file and says what it would show.
func ParseFile(text []byte) (f File, d *query.Definition, err error) {
	read := json.NewDecoder(strings.NewReader(string(text)))
	read.DisallowUnknownFields()
	if err := read.Decode(&f); err != nil {
		return f, nil, err
	}
	if !codeForm.MatchString(f.Code) || len(f.Code) > codeMost {
		return f, nil, fmt.Errorf("code: small letters, digits and dashes, %d at most", codeMost)
	}
	if f.Audience == "" {
		f.Audience = query.ForPartner
	}
	if f.Audience != query.ForPartner && f.Audience != query.ForDriver {
		return f, nil, fmt.Errorf("audience: %s or %s", query.ForPartner, query.ForDriver)
	}
	d, err = query.Parse(string(f.Definition), f.Audience)
	return f, d, err
}

// ready are those that come with the program.
var ready = sync.OnceValue(func() []Report {
	files, err := readyFiles.ReadDir("ready")
	if err != nil {
		panic(err)
	}
	list := make([]Report, len(files))
	for i, entry := range files {
		text, err := readyFiles.ReadFile("ready/" + entry.Name())
		if err != nil {
			panic(err)
		}
		f, d, err := ParseFile(text)
		if err != nil {
			panic(entry.Name() + ": " + err.Error())
		}
		list[i] = Report{Code: f.Code, Audience: f.Audience, Definition: string(f.Definition), Parsed: d}
	}
	return list
})

// Ready are the reports that come with the program, by title. A partner that wants one adds it.
func Ready(l i18n.Language) []Report {
	list := append([]Report{}, ready()...)
	byTitle(list, l)
	return list
}
