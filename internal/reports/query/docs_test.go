package query

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"saldo/internal/testkit"
)

// What the document lists is what definitions may name, and its example is understood.
func TestTheDocument_NamesEverything(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", "operate", "reports.md"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for i := range subjects {
		s := &subjects[i]
		cells := ""
		for _, line := range lines {
			if strings.HasPrefix(line, "| `"+s.key+"`") {
				cells = line
			}
		}
		named := func(key string, needs joins, time bool) string {
			if key = "`" + key + "`"; needs&notShared != 0 {
				key += " °"
			}
			if time {
				key += " ·"
			}
			return key
		}
		measures, dimensions := []string{}, []string{}
		for _, m := range s.measures {
			measures = append(measures, named(m.key, m.needs, false))
		}
		for _, d := range s.dimensions {
			dimensions = append(dimensions, named(d.key, d.needs, d.time))
		}
		want := "| " + named(s.key, 0, false) + map[bool]string{true: " °"}[s.shared == ""] + " | " + strings.Join(measures, ", ") + " | " + strings.Join(dimensions, ", ") + " |"
		if cells != want {
			t.Errorf("the document has\n%s, not\n%s", cells, want)
		}
	}
	_, after, _ := strings.Cut(string(text), "```json\n")
	example, _, _ := strings.Cut(after, "```")
	var file struct{ Definition json.RawMessage }
	if err := json.Unmarshal([]byte(example), &file); err != nil {
		t.Fatal(err)
	}
	if _, err := Parse(string(file.Definition), ForPartner); err != nil {
		t.Error(err)
	}
}
