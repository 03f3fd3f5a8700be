package reading

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"saldo/internal/invoices/layout"
)

// set makes words of lines of text, as a page in a font whose letters are all 0.6 as wide as a line is high.
func set(text string) ([]layout.Word, []layout.Size) {
	const letter, line = 6.0, 10.0
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	width := 0
	for _, l := range lines {
		width = max(width, utf8.RuneCountInString(l))
	}
	page := layout.Size{Width: letter * float64(width+8), Height: 1.35 * line * float64(len(lines)+6)}
	var words []layout.Word
	for n, l := range lines {
		y := 1.35 * line * float64(n+3)
		column := 0
		for part := range strings.SplitSeq(l, " ") {
			size := utf8.RuneCountInString(part)
			if part != "" {
				x := letter * float64(column+4)
				words = append(words, layout.Word{Text: part, Page: 1, Sure: 1, Box: layout.Box{X0: x / page.Width, Y0: y / page.Height,
					X1: (x + letter*float64(size)) / page.Width, Y1: (y + line) / page.Height}})
			}
			column += size + 1
		}
	}
	return words, []layout.Size{page}
}

var elevenFields = []string{Number, IssueDate, SaleDate, IssuerTaxID, BuyerTaxID, Net, Gross, VATStandard, VATReduced, Registration, Mileage}

// layouts are invented invoices, each a file of testdata/layouts: lines "name value" of what it says, an empty line, the page.
func layouts(t *testing.T) map[string]sample {
	t.Helper()
	files, err := os.ReadDir("testdata/layouts")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]sample{}
	for _, f := range files {
		content, err := os.ReadFile("testdata/layouts/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		head, page, _ := strings.Cut(string(content), "\n\n")
		l := sample{fields: map[string]string{}, page: page}
		for line := range strings.Lines(head) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			l.fields[name] = value
		}
		all[strings.TrimSuffix(f.Name(), ".txt")] = l
	}
	return all
}

type sample struct {
	fields map[string]string
	page   string
}

const (
	ownPolish = "8789328790"
	ownGerman = "DE781453845"
)

// Every layout is read with the partner's tax id and without any hint.
func TestFromWords_ReadsLayoutsNeverSeen(t *testing.T) {
	right, all := 0, 0
	for name, l := range layouts(t) {
		t.Run(name, func(t *testing.T) {
			words, pages := set(l.page)
			own := map[string]string{"pl": ownPolish, "de": ownGerman}[name[:2]]
			for _, hints := range []Hints{{Country: strings.ToUpper(name[:2]), OwnTaxID: own, Today: "2026-11-18"}, {Today: "2026-11-18"}} {
				r := FromWords(words, pages, hints)
				for _, field := range elevenFields {
					f, _ := r.Field(field)
					all++
					switch want := l.fields[field]; {
					case f.Value == want:
						right++
						if want != "" && f.Sure < SureFrom && want != "0" && l.fields["unsure"] != field {
							t.Logf("%s %q is right and only %.3f sure (%s)", field, want, f.Sure, f.Rule)
						}
					case f.Sure >= SureFrom:
						t.Errorf("%s (own %v): %q and SURE %.3f, want %q (%s)", field, hints.OwnTaxID != "", f.Value, f.Sure, want, f.Rule)
					default:
						t.Errorf("%s (own %v): %q, want %q (%.3f %s)", field, hints.OwnTaxID != "", f.Value, want, f.Sure, f.Rule)
					}
				}
				for finding := range strings.FieldsSeq(l.fields["findings"]) {
					if !strings.Contains(strings.Join(r.Findings, " "), finding) {
						t.Errorf("findings %v without %s", r.Findings, finding)
					}
				}
			}
		})
	}
	t.Logf("%d of %d fields", right, all)
}
