package pipeline

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"saldo/internal/imports/providers/mapped"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
)

// RememberedRows are rows of a file that took a type which a person gave to such rows before.
type RememberedRows struct {
	Provider string       `json:"provider"`
	Layout   string       `json:"layout"`
	Seen     string       `json:"seen"` // column or description
	Type     string       `json:"type"`
	Count    int64        `json:"count"`
	Sum      money.Amount `json:"sum"`
	Lines    []int64      `json:"lines"` // the first of them
}

// shownLines is how many rows of a remembered type are named.
const shownLines = 20

// labelMax is how much of a description a type is remembered by.
const labelMax = 300

func rememberedTypes(tx *db.Tx) (map[ledger.TypeRule]string, error) {
	all, err := ledger.RememberedTypes(tx)
	remembered := make(map[ledger.TypeRule]string, len(all))
	for _, r := range all {
		remembered[r.TypeRule] = r.Type
	}
	return remembered, err
}

// rulesOf is the layout of a part by which types are remembered. Every described file is a layout of its own.
func (rd *reading) rulesOf(p *Part) string {
	if p.Kind != mapped.Kind {
		return p.Kind
	}
	signature := mapped.Signature(p.Head)
	if n := slices.IndexFunc(rd.file.Mappings, func(m Mapping) bool { return m.Signature == signature }); n >= 0 {
		return p.Kind + ":" + rd.file.Mappings[n].ID
	}
	return ""
}

// recall gives what came unknown the type that a person gave to such rows before. Label is then what a type that a person gives to it
// is remembered by.
func (rd *reading) recall(e *Entry) {
	seen := e.Label
	e.Label = ""
	if e.Type != kinds.Unknown && e.Guess == "" {
		return
	}
	e.CameUnknown = true
	if seen == "" && !e.Part.layout.ByLabel {
		seen = e.Column
	}
	if letters := []rune(seen); len(letters) > labelMax {
		seen = string(letters[:labelMax])
	}
	e.Booked = cmp.Or(e.Guess, e.Booked)
	rule := ledger.NewTypeRule(e.Provider, e.Part.rules, seen)
	if rule == (ledger.TypeRule{}) {
		return
	}
	e.Label = seen
	if typ, ok := rd.remembered[rule]; ok {
		e.Booked, e.Guess, e.Recalled = typ, "", true
	}
}

// remembered notes that a row took a type that was remembered, or guessed.
func (j *analysis) remembered(e *Entry) error {
	if !e.Recalled && e.Guess == "" {
		return nil
	}
	into, rule := j.recalled, ledger.NewTypeRule(e.Provider, e.Part.rules, e.Label)
	if e.Guess != "" {
		into = j.guesses
	}
	rows := into[rule]
	if rows == nil {
		rows = &RememberedRows{Provider: e.Provider, Layout: e.ruleLayout(), Seen: e.Label, Type: e.Booked, Lines: []int64{}}
		into[rule] = rows
	}
	if rows.Count++; rows.Count <= shownLines {
		rows.Lines = append(rows.Lines, e.Line)
	}
	return total(&rows.Sum, e.Amount)
}

func inOrderOfRules(found map[ledger.TypeRule]*RememberedRows) []RememberedRows {
	ordered := []RememberedRows{}
	for _, rule := range slices.SortedFunc(maps.Keys(found), func(a, b ledger.TypeRule) int {
		return strings.Compare(a.Provider+"\x00"+a.Layout+"\x00"+a.Label, b.Provider+"\x00"+b.Layout+"\x00"+b.Label)
	}) {
		ordered = append(ordered, *found[rule])
	}
	return ordered
}

// rules are the remembered types by which the file was shown.
func (s Preview) rules() map[ledger.TypeRule]string {
	rules := make(map[ledger.TypeRule]string, len(s.Remembered))
	for _, r := range s.Remembered {
		rules[ledger.NewTypeRule(r.Provider, r.Layout, r.Seen)] = r.Type
	}
	return rules
}
