package saldo

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// bannedNames hide what a package is about.
var bannedNames = []string{"util", "utils", "common", "helper", "helpers", "base", "manager", "service", "services", "model", "models", "types", "misc"}

func TestNoPackageHasANameThatHidesItsPurpose(t *testing.T) {
	for name := range packages(t) {
		for part := range strings.SplitSeq(name, "/") {
			if slices.Contains(bannedNames, part) {
				t.Errorf("%s: name it after the trade", name)
			}
		}
	}
}

// bannedWords are terms that only this project used, with the usual word for
// each. Words that also have a usual meaning are banned in that sense only.
// Only lines that have one of the parts, in any case, are looked at: looking at
// all of them takes a hundred times as long.
var bannedWords = []struct {
	parts []string
	found *regexp.Regexp
	use   string
}{
	{[]string{"desk"}, regexp.MustCompile(`\b(new)?[Dd]esks?([A-Z]\w*)?\b`), "Service; fixture in tests"},
	{[]string{"wish"}, regexp.MustCompile(`\b\w*[Ww]ish(es|ed)?\b`), "Selection, PayoutRequest, SendRequest, request"},
	{[]string{"judg"}, regexp.MustCompile(`\b[Jj]udg(e|es|ed|ing)([A-Z]\w*)?\b`), "analyze, check"},
	{[]string{"troubl"}, regexp.MustCompile(`\b(\w*[a-z])?[Tt]roubled?s?(Kind|Code|Group)?\b`), "row error"},
	{[]string{"doubt"}, regexp.MustCompile(`\b\w*[Dd]oubt(s|ed|ful|Count)?\b`), "row warning, unclear"},
	{[]string{"instead"}, regexp.MustCompile(`\b(Insteads|RoleInstead|ImportInstead|insteads)\b`), "suggested report"},
	{[]string{"show"}, regexp.MustCompile(`\b(ShownOf|ShownRow|shownAs|nothingShown)\b`), "Preview, fingerprint"},
	{[]string{"standsfor", "way"}, regexp.MustCompile(`\b(StandsFor|[Gg](iv|av)e(s)?Way|(gives?|gave|given|giving) way)\b`), "MergedInto, canonical driver; Yield"},
	{[]string{"namesake"}, regexp.MustCompile(`\b\w*[Nn]amesake\w*\b`), "possible duplicates"},
	{[]string{"apart"}, regexp.MustCompile(`\b([Tt]ell|[Tt]old|tells)[ _-]?[Aa]part\b`), "dismiss; distinguish"},
	{[]string{"inbox"}, regexp.MustCompile(`\b\w*[Ii]nbox(es)?\b`), "unmatched drivers"},
	{[]string{"waiting"}, regexp.MustCompile(`\bwaiting[ _](identit\w+|rows?)\b`), "unmatched_drivers, unmatched_rows"},
	{[]string{"outbox"}, regexp.MustCompile(`\bplatform/outbox\b`), "platform/mail"},
	{[]string{"newcomer", "driverbook"}, regexp.MustCompile(`\b(\w*[Nn]ewcomers?|DriverBook)\b`), "NewDriver, Service"},
	{[]string{"gaveup"}, regexp.MustCompile(`\b\w*GaveUp\b`), "OnFailure"},
	{[]string{"crowd", "unhurried"}, regexp.MustCompile(`\b(Crowded|Unhurried|[Uu]nhurried|[Cc]rowd(s|ed)?)\b`), "HasInteractiveLoad, Background"},
	{[]string{"bury", "handout", "unnamedfile", "both", "asmanyasfit"}, regexp.MustCompile(`\b(bury|handOut|unnamedFile|readingBoth|writingBoth|asManyAsFit|AsManyAsFit)\b`),
		"requeueExpired, serveExport, tempFile, readAsDriver, writeAsDriver, partial"},
	{[]string{"("}, regexp.MustCompile(`\b(told|said|spoken)\(`), "auditView, pdfString, languageOr"},
	{[]string{"office"}, regexp.MustCompile(`\b([Oo]ffice(State|Number|Reason)|office_(state|number|reason|at)|AtOffice)\b`), "authority"},
	{[]string{"paper"}, regexp.MustCompile(`\b[Pp]apers?\b`), "PDF, document"},
	{[]string{"sum"}, regexp.MustCompile(`\b(file_sum|fileSum|FileSum)\b`), "content hash"},
}

// generated and vendored files, and texts that people read; those in locales are JSON, which is not searched.
var unread = regexp.MustCompile(`(^|/)(node_modules|dist|testdata|\.git)(/|$)|(schema|english)\.d\.ts$|^CHANGELOG\.md$|^internal/app/terms/|^words_test\.go$`)

// oldMigrations were applied before these words were agreed on; they never change.
const oldMigrations = "0101_plain_names.sql"

func TestWords_AreThoseOfTheField(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path = filepath.ToSlash(path)
		if unread.MatchString(path) {
			if e.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if e.IsDir() || !e.Type().IsRegular() {
			return nil
		}
		words := wordsOf(path)
		if words == nil {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for n, line := range words(string(content)) {
			for _, found := range bannedIn(line) {
				t.Errorf("%s:%d: %s", path, n+1, found)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// bannedIn names the banned words of a line, each with what to write instead.
func bannedIn(line string) (found []string) {
	lower := strings.ToLower(line)
	for _, w := range bannedWords {
		if !slices.ContainsFunc(w.parts, func(part string) bool { return strings.Contains(lower, part) }) {
			continue
		}
		if word := w.found.FindString(line); word != "" {
			found = append(found, fmt.Sprintf("%q: write %s", word, w.use))
		}
	}
	return found
}

// wordsOf is how the words of a file are found, line by line; nil: it is not searched.
func wordsOf(path string) func(string) []string {
	switch {
	case strings.HasSuffix(path, ".go"):
		return goWords
	case strings.HasPrefix(path, "ui/src/") || strings.HasPrefix(path, "ui/e2e/"):
		if strings.HasSuffix(path, ".ts") || strings.HasSuffix(path, ".tsx") {
			return scriptWords
		}
	case strings.HasSuffix(path, ".sql"):
		if filepath.Base(path) > oldMigrations {
			return lines
		}
	case strings.HasSuffix(path, ".md"):
		return lines
	}
	return nil
}

func lines(text string) []string { return strings.Split(text, "\n") }

// goWords are the identifiers and comments of Go, without its literals.
func goWords(text string) []string {
	found := make([]string, strings.Count(text, "\n")+1)
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	for {
		pos, tok, literal := s.Scan()
		switch tok {
		case token.EOF:
			return found
		case token.IDENT, token.COMMENT:
			at := files.Position(pos).Line - 1
			for n, line := range lines(literal) {
				found[at+n] += " " + line
			}
		case token.LPAREN:
			found[files.Position(pos).Line-1] += "("
		}
	}
}

var (
	scriptStrings = regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`[^`]*`")
	notNewline    = regexp.MustCompile(`[^\n]`)
)

// scriptWords are the identifiers and comments of TypeScript. An apostrophe in
// a comment may hide the rest of its line, but shows nothing that is not there.
func scriptWords(text string) []string {
	return lines(scriptStrings.ReplaceAllStringFunc(text, func(s string) string { return notNewline.ReplaceAllString(s, " ") }))
}

// TestWords_HaveTheirParts: a part that its word does not have would hide the word.
func TestWords_HaveTheirParts(t *testing.T) {
	for _, word := range []string{"newDesk", "wishes", "judgeRow", "rowTroubles", "doubtful", "RoleInstead", "shownAs", "StandsFor", "giveWay",
		"gave way", "namesakes", "tell_apart", "inboxes", "waiting_rows", "platform/outbox", "newcomer", "DriverBook", "onGaveUp", "Crowded",
		"unhurried", "bury", "handOut", "unnamedFile", "readingBoth", "asManyAsFit", "told(", "AtOffice", "office_at", "papers", "fileSum"} {
		if len(bannedIn(word)) == 0 {
			t.Errorf("%q is not found", word)
		}
	}
}
