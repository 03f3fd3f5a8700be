package saldo

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
)

// markdownLink finds the target of a link or picture: [text](target), with an optional title after the target.
var markdownLink = regexp.MustCompile(`\]\(([^()\s]+)(?:\s+"[^"]*")?\)`)

// anyLink finds these and the targets of HTML tags.
var anyLink = regexp.MustCompile(markdownLink.String() + `|\b(?:src|href)="([^"]+)"`)

// withoutCode is a document without fenced blocks and code spans, which may hold what only looks like a link or a heading.
func withoutCode(text string) string {
	var kept []string
	fenced := false
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		} else if !fenced {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

var codeSpan = regexp.MustCompile("`[^`\n]*`")

// anchors are the names by which GitHub links to the headings of a document.
func anchors(text string) (names []string) {
	for line := range strings.SplitSeq(withoutCode(text), "\n") {
		level := len(line) - len(strings.TrimLeft(line, "#"))
		if level == 0 || level > 6 || !strings.HasPrefix(line[level:], " ") {
			continue
		}
		heading := markdownLink.ReplaceAllString(strings.TrimSpace(line[level:]), "]")
		name := strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			}
			return -1
		}, heading)
		names = append(names, name)
	}
	return names
}

// brokenLinks lists the relative links of a document that lead to no file of the project, or to no heading of it.
func brokenLinks(files fs.FS, name string) (broken []string, err error) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	for _, found := range anyLink.FindAllStringSubmatch(codeSpan.ReplaceAllString(withoutCode(string(text)), ""), -1) {
		link := found[1] + found[2]
		target, err := url.Parse(link)
		if err != nil {
			broken = append(broken, link)
			continue
		}
		if target.Scheme != "" || target.Host != "" {
			continue
		}
		file := name
		if target.Path != "" {
			file = path.Join(path.Dir(name), target.Path)
		}
		there, err := fs.ReadFile(files, file)
		if err != nil && target.Fragment == "" {
			_, err = fs.Stat(files, file) // a folder
		}
		if err != nil || target.Fragment != "" && !slices.Contains(anchors(string(there)), target.Fragment) {
			broken = append(broken, link)
		}
	}
	return broken, nil
}

func TestDocuments_LinksLeadSomewhere(t *testing.T) {
	read := 0
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		skipped := []string{"node_modules", "data", "dist", "testdata", "test-results"}
		if entry.IsDir() && name != "." && (strings.HasPrefix(entry.Name(), ".") || slices.Contains(skipped, entry.Name())) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".md") {
			return nil
		}
		read++
		broken, err := brokenLinks(os.DirFS("."), filepath.ToSlash(name))
		for _, link := range broken {
			t.Errorf("%s: the link %s leads nowhere", name, link)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 10 {
		t.Errorf("only %d documents were found", read)
	}
}

func TestBrokenLinks_FindsWrongFilesAndHeadings(t *testing.T) {
	files := fstest.MapFS{
		"README.md": {Data: []byte("# Start\n[a](docs/a.md) [b](docs/b.md) [c](docs/a.md#two-words) [d](docs/a.md#three) [e](#start) [f](#end)\n" +
			"[g](https://example.com/x) ![h](docs) `[i](none.md)`\n```\n[j](none.md)\n# Not a heading\n```\n[k](#not-a-heading) [l](../outside.md) <img src=\"m.png\">\n")},
		"docs/a.md": {Data: []byte("## Two `words`\n[up](../README.md) [wrong](README.md)\n")},
	}
	for name, want := range map[string][]string{
		"README.md": {"docs/b.md", "docs/a.md#three", "#end", "#not-a-heading", "../outside.md", "m.png"},
		"docs/a.md": {"README.md"},
	} {
		broken, err := brokenLinks(files, name)
		if err != nil || !slices.Equal(broken, want) {
			t.Errorf("%s: found %v, %v; want %v", name, broken, err, want)
		}
	}
}
