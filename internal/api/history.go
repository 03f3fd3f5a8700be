package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"saldo/internal/platform/audit"
)

// HistoryChange is one field that changed.
type HistoryChange struct {
	Field  string `json:"field"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// changesOf lists the fields of a line of the trail that are not as they were, by name.
func changesOf(e audit.Entry) ([]HistoryChange, error) {
	before, err := recorded(e.BeforeState)
	if err != nil {
		return nil, err
	}
	after, err := recorded(e.AfterState)
	if err != nil {
		return nil, err
	}
	var fields []string
	for _, side := range []map[string]any{before, after} {
		for field := range side {
			fields = append(fields, field)
		}
	}
	slices.Sort(fields)
	changes := []HistoryChange{}
	for _, field := range slices.Compact(fields) {
		if was, is := spelled(before[field]), spelled(after[field]); was != is {
			changes = append(changes, HistoryChange{field, was, is})
		}
	}
	return changes, nil
}

func recorded(text string) (state map[string]any, err error) {
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber() // an amount is no float
	err = decoder.Decode(&state)
	return state, err
}

// spelled is a value of the trail as a text; what says nothing is empty.
func spelled(value any) string {
	switch v := value.(type) {
	case nil, map[string]any:
		return ""
	case string:
		return v
	case bool:
		if !v {
			return ""
		}
	case json.Number:
		if v == "0" {
			return ""
		}
	case []any:
		words := make([]string, len(v))
		for i, w := range v {
			words[i] = spelled(w)
		}
		return strings.Join(words, ", ")
	}
	return fmt.Sprint(value)
}
