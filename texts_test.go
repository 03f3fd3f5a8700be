package saldo

import (
	"bytes"
	"encoding/json"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"saldo/internal/platform/i18n"
	"saldo/locales"
)

// textFiles are the files of a language by name, each with its texts by key.
func textFiles(t *testing.T, language i18n.Language) map[string]map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("locales", string(language), "*"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]map[string]string{}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var texts map[string]string
		if err := json.Unmarshal(content, &texts); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		files[strings.TrimSuffix(filepath.Base(path), ".json")] = texts
	}
	return files
}

func TestTexts_FilesAreFormattedAndTheSameInEveryLanguage(t *testing.T) {
	want := slices.Sorted(maps.Keys(textFiles(t, i18n.Default)))
	for _, language := range i18n.Languages {
		if got := slices.Sorted(maps.Keys(textFiles(t, language))); !slices.Equal(got, want) {
			t.Errorf("%s has the files %q, %s has %q", language, got, i18n.Default, want)
		}
		for _, name := range want {
			path := filepath.Join("locales", string(language), name+".json")
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var formatted bytes.Buffer
			if err := json.Indent(&formatted, content, "", "  "); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if !bytes.Equal(formatted.Bytes(), content) {
				t.Errorf("%s is not indented by two spaces", path)
			}
			for _, key := range keysWrittenTwice(content) {
				t.Errorf("%s has the key %s twice", path, key)
			}
		}
	}
}

// keysWrittenTwice are keys of which a reader of JSON keeps only the last text.
func keysWrittenTwice(content []byte) (twice []string) {
	seen := map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^  ("(?:[^"\\]|\\.)*"):`).FindAllSubmatch(content, -1) {
		key := string(line[1])
		if seen[key] {
			twice = append(twice, key)
		}
		seen[key] = true
	}
	return twice
}

// sharedFiles are those that the server and the web application read.
var sharedFiles = []string{"connections", "contract-events", "document-types", "driver-fields", "settlement-fields", "sign-in", "statement", "summary", "types"}

// serverFiles are the names of the files that the server reads, and whether the web application reads them too.
func serverFiles(t *testing.T) map[string]bool {
	t.Helper()
	entries, err := locales.Server.ReadDir(string(i18n.Default))
	if err != nil {
		t.Fatal(err)
	}
	chunks, err := filepath.Glob("ui/src/*/" + string(i18n.Default) + "/*.ts")
	if err != nil {
		t.Fatal(err)
	}
	var imports []byte
	for _, path := range append(chunks, "ui/src/link/"+string(i18n.Default)+".ts") {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		imports = append(imports, content...)
	}
	files := map[string]bool{}
	for _, entry := range entries {
		files[strings.TrimSuffix(entry.Name(), ".json")] = bytes.Contains(imports, []byte("/"+entry.Name()+`"`))
	}
	return files
}

func TestTexts_OfMailsAndDocumentsNeverGoToABrowser(t *testing.T) {
	for file, shared := range serverFiles(t) {
		if shared != slices.Contains(sharedFiles, file) {
			t.Errorf("the web application imports locales/*/%s.json: %v", file, shared)
		}
	}
}

// textKeys are the literals of Go files and templates that name a text, or the beginning of several, with the file
// that has each. Tests count if asked for.
func textKeys(t *testing.T, tests bool) map[string]string {
	t.Helper()
	named := regexp.MustCompile(`^(` + strings.Join(slices.Sorted(maps.Keys(serverFiles(t))), "|") + `):[\w.]+$`)
	asked := regexp.MustCompile(`\bi18n\.Of\([\w.()]+, "([\w.:-]+)"`) // whatever it looks like
	inTemplate := regexp.MustCompile(`\bt "([^"]+)"`)
	found := map[string]string{}
	add := func(literal, path string) {
		if named.MatchString(literal) {
			found[literal] = path
		}
	}
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && slices.Contains([]string{".git", "node_modules", "data", "testdata", "dist"}, e.Name()):
			return fs.SkipDir
		case strings.HasSuffix(path, "_test.go") && !tests:
			return nil
		case strings.HasSuffix(path, ".html"):
			content, err := os.ReadFile(path)
			for _, call := range inTemplate.FindAllSubmatch(content, -1) {
				add(string(call[1]), path)
			}
			return err
		case strings.HasSuffix(path, ".go"):
			content, err := os.ReadFile(path)
			for _, literal := range goStrings(content) {
				add(literal, path)
			}
			for _, call := range asked.FindAllSubmatch(content, -1) {
				found[string(call[1])] = path
			}
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// goStrings are the values of the string literals of a Go file.
func goStrings(content []byte) (values []string) {
	files := token.NewFileSet()
	var s scanner.Scanner
	s.Init(files.AddFile("", files.Base(), len(content)), content, nil, 0)
	for {
		_, tok, literal := s.Scan()
		if tok == token.EOF {
			return values
		}
		if value, err := strconv.Unquote(literal); tok == token.STRING && err == nil {
			values = append(values, value)
		}
	}
}

// names says whether a literal names a text, or is what the key of a text begins with.
func names(literal, key string) bool {
	if stem, counts := pluralStem(key); counts && literal == stem {
		return true
	}
	if strings.HasSuffix(literal, ".") || strings.HasSuffix(literal, "_") {
		return strings.HasPrefix(key, literal)
	}
	return literal == key || strings.HasPrefix(key, literal+".")
}

var pluralForms = regexp.MustCompile(`_(one|few|many|other)$`)

func pluralStem(key string) (string, bool) {
	stem := pluralForms.ReplaceAllString(key, "")
	return stem, stem != key
}

// The beginning of a key that ends with a code is found here; whether every code has a text, the tests of the packages
// that own the codes check with testkit.HasText.
func TestTexts_EveryKeyOfGoCodeExists(t *testing.T) {
	files := textFiles(t, i18n.Default)
	for literal, path := range textKeys(t, true) {
		file, _, _ := strings.Cut(literal, ":")
		if !slices.ContainsFunc(slices.Collect(maps.Keys(files[file])), func(key string) bool { return names(literal, file+":"+key) }) {
			t.Errorf("%s: there is no text %s", path, literal)
		}
	}
}

func TestTexts_EveryTextOfTheServerIsUsed(t *testing.T) {
	used := slices.Collect(maps.Keys(textKeys(t, false)))
	files := textFiles(t, i18n.Default)
	for file, shared := range serverFiles(t) {
		if shared {
			continue // ui/scripts/unused.mjs
		}
		for key := range files[file] {
			if !slices.ContainsFunc(used, func(literal string) bool { return names(literal, file+":"+key) }) {
				t.Errorf("locales/*/%s.json: text %s is used nowhere", file, key)
			}
		}
	}
}

// sameWords are texts of the server that are written like a text of the web application in all languages and mean
// something else, each with the reason.
var sameWords = map[string]string{
	"pack:head_number":                      "in the pack's tables; on screen of something else",
	"pack:kind_invoice":                     "as above",
	"pack:vat":                              "as above",
	"pack:sort_settlement":                  "as above",
	"pack:sum_revenue":                      "as above",
	"pack:sum_due":                          "as above",
	"pack:gross":                            "as above",
	"pack:net":                              "as above",
	"pack:state":                            "as above",
	"pack:sort_payment":                     "as above",
	"pack:change_changed":                   "as above",
	"pack:kind":                             "as above",
	"pack:head_change":                      "as above",
	"pack:change_added":                     "as above",
	"pack:sum_payout":                       "as above",
	"pack:change_removed":                   "as above",
	"report-model:dimension_month":          "what rows of a report may be made of; on screen the month of a pack",
	"billing:document.bill":                 "the title of the PDF; the titles of the two invoices differ from their names on screen",
	"billing:statement.days":                "days of work in a table; on screen the days of a bank statement",
	"billing:statement.app":                 "a heading of the PDF; on screen the head of a table of statistics",
	"billing:statement.driver":              "a heading of the PDF; many screens have a column of drivers",
	"billing:statement.partner":             "a heading of the PDF; on screen an entry of the menu",
	"billing:statement.total":               "the last row of a table",
	"exports:documents.document":            "a heading of the file; on screen a filter of the list",
	"notes:reason.other":                    "why an invoice is rejected; on screen why an SMS failed",
	"demo:issued":                           "on the paper of an invoice that the demo invents",
	"demo:seller":                           "as above",
	"exports:drivers.email":                 "the head of a column; the driver's form says it otherwise in two languages",
	"exports:drivers.no":                    "the content of a column",
	"exports:settlements.firstName":         "the head of a column; on screen a field of a form",
	"exports:settlements.kind":              "the head of a column; on screen the kind of a document or of a transaction",
	"exports:settlements.number":            "the head of a column; on screen the number of a document or of a batch",
	"exports:settlements.paidOn":            "the head of a column; on screen the day of a batch",
	"idp:cancel":                            "the sign-in pages have buttons of their own",
	"idp:field.address":                     "the sign-in pages have fields of their own",
	"idp:field.password":                    "as above",
	"idp:logout.button":                     "the sign-in pages have buttons of their own",
	"idp:unknown.title":                     "the sign-in pages have a page of their own for this",
	"contract-pages:frequency.2":            "in the text of a contract; on screen a choice",
	"contract-pages:frequency.4":            "as above",
	"contract-events:event_downloaded":      "what happened, on a PDF; on screen an event of a contract",
	"contract-pages:evidence.signed_at":     "when somebody signed, on a PDF; on screen that it is done",
	"report-model:dimension_week":           "what rows of a report may be made of; on screen the head of a table of statistics",
	"report-model:measure_active":           "a figure of reports; on screen the title of a chart",
	"exports:documents.validTo":             "the head of a column of a file; on screen a field of a contract",
	"billing:statement.contract":            "on a bill; on screen the title of a contract",
	"contract-events:role_partner":          "who acted, on a PDF; on screen the name of a provider",
	"contract-events:role_system":           "as above; on screen who booked a row",
	"contract-pages:evidence.document":      "the head of a column of a PDF; on screen a filter",
	"contract-pages:evidence.when":          "the head of a column of a PDF",
	"contract-pages:evidence.who":           "as above",
	"billing:statement.title":               "the title of a PDF; on screen a link to a settlement",
	"exports:payouts.total":                 "the last row of a file; on screen what trips come to",
	"billing:document.toPay":                "the total of a PDF; on screen that of a quote",
	"exports:settlements.firstOn":           "the head of a column of a file; on screen the filter of purchases",
	"exports:settlements.lastOn":            "as above",
	"payment-sandbox:amount":                "the sandbox has a page of its own, as a provider has",
	"payment-sandbox:pay":                   "as above",
	"licence-documents:document.buyer":      "a heading of the PDF",
	"licence-documents:document.ofOrder":    "on a PDF; on screen the title of a purchase",
	"licence-documents:export.package":      "the head of a column of a file",
	"licence-documents:document.difference": "the last row of a correction on a PDF",
	"licence-documents:document.invoice":    "the title of a PDF",
	"licence-documents:document.seller":     "a heading of the PDF",
	"licence-documents:document.total":      "the last row of a table on a PDF",
	"licence-documents:export.gross":        "the head of a column of a file",
	"licence-documents:export.invoice":      "as above",
	"licence-documents:export.net":          "as above",
	"licence-documents:export.units":        "as above",
	"exports:tracking.photo":                "the head of a column; on screen a field of a trip",
	"report-model:contract_CIVIL_CONTRACT":  "a value of a report; on screen a kind of document",
	"report-model:source_import":            "a value of a report; on screen a filter",
	"report-model:measure_gross":            "a column of a report; on screen a field of an invoice",
	"report-model:measure_net":              "as above",
	"report-model:subject_drivers":          "what a report is made of; on screen the caption of a table",
	"report-model:dimension_schema":         "a column of a report; on screen a field",
	"report-model:measure_minutes":          "a column of a report; on screen an entry of the menu",
	"report-model:dimension_driver":         "a column of a report; on screen that of a list",
	"report-model:dimension_day":            "as above",
	"report-model:dimension_city":           "a column of a report; on screen a field of an import",
	"report-model:dimension_tag":            "a column of a report; on screen a filter",
	"report-model:dimension_state":          "as above",
	"report-model:dimension_plate":          "a column of a report; on screen a field",
}

// A text that the server and the web application both need is in one of sharedFiles.
func TestTexts_StandOnce(t *testing.T) {
	all := map[i18n.Language]map[string]map[string]string{}
	for _, language := range i18n.Languages {
		all[language] = textFiles(t, language)
	}
	// written is a text, or all forms of one that counts, in all languages.
	written := func(file, key string) string {
		var texts []string
		for _, language := range i18n.Languages {
			texts = append(texts, all[language][file][key])
			if stem, counts := pluralStem(key); counts {
				for _, form := range []string{"_one", "_few", "_many", "_other"} {
					texts = append(texts, all[language][file][stem+form])
				}
			}
		}
		return strings.Join(texts, "\n")
	}
	server := serverFiles(t)
	screens := map[string]string{}
	for file, texts := range all[i18n.Default] {
		if shared, ofServer := server[file]; ofServer && !shared {
			continue
		}
		for key := range texts {
			screens[written(file, key)] = file + ":" + key
		}
	}
	for file, shared := range server {
		for key := range all[i18n.Default][file] {
			name := file + ":" + key
			twin, again := screens[written(file, key)]
			switch reason, known := sameWords[name]; {
			case shared:
			case again && !known:
				t.Errorf("%s is the same text as %s: name that one, or say in sameWords why both stand", name, twin)
			case known && !again:
				t.Errorf("%s is no longer written like another text: delete its reason %q", name, reason)
			}
		}
	}
	for name := range sameWords {
		file, key, _ := strings.Cut(name, ":")
		if all[i18n.Default][file][key] == "" {
			t.Errorf("there is no text %s", name)
		}
	}
}
