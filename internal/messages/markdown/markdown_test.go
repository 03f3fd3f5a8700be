package markdown

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "write what is read today into testdata/cases.json, to be checked by hand")

// testCase is a text with its tree, or one that is shown as typed. The tests of the web application read the same file.
type testCase struct {
	Name    string `json:"name"`
	Before  string `json:"before,omitempty"`
	Text    string `json:"text"`
	Times   int    `json:"times,omitempty"` // how often the text is repeated, after what is before it
	Hostile bool   `json:"hostile,omitempty"`
	Typed   bool   `json:"typed,omitempty"` // one paragraph, as typed: no tree is given
	HTML    string `json:"html,omitempty"`
	Plain   string `json:"plain,omitempty"`
	Tree    Tree   `json:"tree,omitempty"`
}

func (c testCase) input() string { return c.Before + strings.Repeat(c.Text, max(1, c.Times)) }

const casesFile = "testdata/cases.json"

func cases(t *testing.T) []testCase {
	t.Helper()
	content, err := os.ReadFile(casesFile)
	if err != nil {
		t.Fatal(err)
	}
	var all []testCase
	if err := json.Unmarshal(content, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestParse_Cases(t *testing.T) {
	all := cases(t)
	ordinary, hostile := 0, 0
	for i, c := range all {
		if c.Hostile {
			hostile++
		} else {
			ordinary++
		}
		tree := Parse(c.input())
		if c.Typed {
			want := strings.TrimRight(c.input(), " ")
			if len(tree) != 1 || len(tree[0].Items[0]) != 1 || tree[0].Items[0][0].Kind != KindText || Text(tree) != want {
				t.Errorf("%s: not as typed", c.Name)
			}
			continue
		}
		if *update {
			all[i].Tree, all[i].HTML, all[i].Plain = tree, HTML(tree), Text(tree)
			continue
		}
		if got, want := asJSON(t, tree), asJSON(t, c.Tree); len(tree) != len(c.Tree) || len(tree) > 0 && got != want {
			t.Errorf("%s:\n got %s\nwant %s", c.Name, got, want)
		}
		if got := HTML(tree); got != c.HTML {
			t.Errorf("%s:\n got %s\nwant %s", c.Name, got, c.HTML)
		}
		if got := Text(tree); got != c.Plain {
			t.Errorf("%s:\n got %q\nwant %q", c.Name, got, c.Plain)
		}
	}
	if ordinary < 60 || hostile < 12 {
		t.Errorf("%d ordinary and %d hostile cases", ordinary, hostile)
	}
	if *update {
		rows := make([]string, len(all))
		for i, c := range all {
			rows[i] = asJSON(t, c)
		}
		if err := os.WriteFile(casesFile, []byte("[\n"+strings.Join(rows, ",\n")+"\n]\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func asJSON(t *testing.T, what any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(what); err != nil {
		t.Fatal(err)
	}
	// Characters that are not seen are written as numbers.
	return invisible.ReplaceAllStringFunc(strings.TrimSuffix(b.String(), "\n"), func(s string) string {
		r, _ := utf8.DecodeRuneInString(s)
		return fmt.Sprintf(`\u%04x`, r)
	})
}

// What is written for mails has these elements and attributes, and nothing else, whatever was typed.
var (
	allowed = regexp.MustCompile(`</?(?:p|strong|em|ul|li)>|<br>|<ol start="[0-9]+">|</ol>|` +
		`<a href="https://[a-z0-9.-]+\.[a-z0-9-]+(?::[0-9]+)?(?:[/?#][A-Za-z0-9._~:/?#@!$&;()+,=%-]*)?" rel="noopener noreferrer">|</a>`)
	leftOver = regexp.MustCompile(`[<>"']`)
)

func TestHTML_HasNothingButItsOwnElements(t *testing.T) {
	for _, c := range cases(t) {
		for _, text := range []string{c.input(), "**" + c.input() + "**", "- " + c.input(), "[" + c.input() + "](https://saldo.example)"} {
			written := HTML(Parse(text))
			if found := leftOver.FindString(allowed.ReplaceAllString(written, "")); found != "" {
				t.Errorf("%s: %s is left in %.300s", c.Name, found, written)
			}
			if invisible.MatchString(strings.ReplaceAll(written, "\n", "")) {
				t.Errorf("%s: there are characters that are not seen in %.300q", c.Name, written)
			}
		}
	}
}

func FuzzHTML_HasNothingButItsOwnElements(f *testing.F) {
	f.Add("**a *b [c](https://saldo.example/\"x)\n- d\n1. e")
	f.Fuzz(func(t *testing.T, text string) {
		tree := Parse(text)
		if found := leftOver.FindString(allowed.ReplaceAllString(HTML(tree), "")); found != "" {
			t.Errorf("%s is left", found)
		}
	})
}

func TestFill_ValuesAreText(t *testing.T) {
	tree := Parse("Cześć **{first_name}**, {payout} od [{partner}](https://saldo.example/a) za {period} {other} {{period}}")
	filled := Fill(tree, map[string]string{"first_name": "*Jan* <b>", "payout": "{period}",
		"partner": "saldo.example", "period": "a\n\n- b\u202e", "other": "x"})
	want := `<p>Cześć <strong>*Jan* &lt;b&gt;</strong>, {period} od ` +
		`<a href="https://saldo.example/a" rel="noopener noreferrer">saldo.example</a>` +
		" (saldo.example) za a  - b {other} {a  - b}</p>\n"
	if got := HTML(filled); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if strings.Contains(HTML(tree), "Jan") {
		t.Error("filling changed the tree that was read")
	}
	if got := FillText("Dla {first_name} {x}", map[string]string{"first_name": "Jan\r\nBcc: a", "x": "y"}); got != "Dla Jan Bcc: a {x}" {
		t.Errorf("got %q", got)
	}
}

func TestUnknown_NamesWhatIsNoPlaceholder(t *testing.T) {
	for _, c := range []struct {
		text    string
		unknown []string
		used    []string
	}{
		{"Cześć", []string{}, []string{}},
		{"{first_name} {period} {payout} {partner}", []string{}, []string{"first_name", "period", "payout", "partner"}},
		{"{imię} {First_Name} { payout } {} {imię} {period}{period}", []string{"imię", "First_Name", " payout ", ""}, []string{"period"}},
		{"{a\nb} {open", []string{}, []string{}},
		{"{{x}} [a](https://saldo.example/{id})", []string{"x", "id"}, []string{}},
		{"{first_\u200bname}", []string{}, []string{"first_name"}},
	} {
		if got := Unknown(c.text); !reflect.DeepEqual(got, c.unknown) {
			t.Errorf("%q: unknown %q", c.text, got)
		}
		if got := Used(c.text); !reflect.DeepEqual(got, c.used) {
			t.Errorf("%q: used %q", c.text, got)
		}
	}
}

// The web application fills the same placeholders as mails do.
func TestPlaceholders_AreThoseOfTheWebApplication(t *testing.T) {
	source, err := os.ReadFile("../../../ui/src/components/markdown-placeholders.ts")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Placeholders {
		if !strings.Contains(string(source), `  "`+name+`",`) {
			t.Errorf("%s is filled in mails and not on screens", name)
		}
	}
}
