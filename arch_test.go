// Package saldo holds only the test that is the architecture.
package saldo

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors, lowest first. A package imports only from floors below its own;
// packages on one floor do not know each other.
var floors = [][]string{
	{"internal/money", "internal/calendar", "internal/fault", "internal/access", "internal/official", "internal/colour", "internal/ledger", "internal/relay"},
	{"internal/schema", "internal/imports/statement"},
	{"internal/imports/grid", "internal/settlement/engine", "internal/payouts/bankfile", "internal/payouts/bankstatement", "internal/billing/einvoice"},
	{"internal/imports/providers/own",
		"internal/imports/providers/bolt", "internal/imports/providers/boltfood", "internal/imports/providers/freenow", "internal/imports/providers/glovo", "internal/imports/providers/stuart",
		"internal/imports/providers/uber", "internal/imports/providers/revolut", "internal/imports/providers/fuel", "internal/imports/providers/mapped"},
	{"internal/imports/providers"},
	{"internal/config", "internal/texts", "internal/mail", "internal/vault", "internal/blob", "internal/sheet", "internal/pdf", "internal/db", "internal/imports/table", "ui"},
	{"internal/jobs", "internal/audit", "internal/web"},
	{"internal/outbox"},
	{"internal/tenancy", "internal/identity"},
	{"internal/idp", "internal/keycloak"},
	{"internal/fleet"},
	{"internal/imports", "internal/licences"},
	{"internal/settlement"},
	{"internal/payouts", "internal/billing"},
	{"internal/reports", "internal/summaries"},
	{"internal/api"},
	{"internal/app"},
	{"cmd/saldo"},
}

// purpose has the one line that says what a package is for.
var purpose = map[string]string{
	"internal/money":                 "amounts, rates and rounding",
	"internal/calendar":              "days, weeks and periods",
	"internal/fault":                 "what can go wrong, by code",
	"internal/access":                "who acts and what each role may",
	"internal/official":              "numbers of tax offices, registers and banks",
	"internal/schema":                "the rules by which drivers are settled",
	"internal/config":                "settings and what differs between countries",
	"internal/texts":                 "the server's own texts in five languages",
	"internal/mail":                  "handing a mail to a server or a folder",
	"internal/vault":                 "sealing secrets and personal data",
	"internal/blob":                  "files, in a folder or a bucket",
	"internal/sheet":                 "tables as files that spreadsheets open",
	"internal/pdf":                   "pages to print, whose text can be copied out",
	"internal/db":                    "units of work on both engines",
	"internal/jobs":                  "durable work in the background",
	"internal/audit":                 "who changed what, when and why",
	"internal/web":                   "from a request to a unit of work and back",
	"internal/outbox":                "mails that are sent truthfully",
	"internal/tenancy":               "partners and their terms",
	"internal/identity":              "tokens and members",
	"internal/colour":                "partners' colours that can be read",
	"internal/relay":                 "filling blocks beside the one who takes them",
	"internal/ledger":                "types of transactions and where each is counted",
	"internal/imports/providers/own": "Saldo's own template",
	"internal/imports/providers":     "every layout, and which a file has",
	"internal/imports/statement":     "what providers' files say, in our words",
	"internal/imports/table":         "rows of text out of uploaded bytes",
	"internal/idp":                   "the identity provider inside the program",
	"internal/keycloak":              "people who sign in at a Keycloak",
	"internal/fleet":                 "drivers and what describes them",
	"internal/imports":               "from providers' files to transactions",
	"internal/licences":              "how many settlements a partner may make",
	"internal/payouts":               "batches of transfers to drivers",
	"internal/settlement":            "settling, carrying, paying and revoking",
	"internal/reports":               "files for people who check the books",
	"internal/billing":               "statements, bills and self-billed invoices, with their numbers",
	"internal/summaries":             "bills that are mailed, and what their links show",
	"internal/api":                   "the table of operations and their JSON",
	"internal/app":                   "wiring, schedule, demo",
	"cmd/saldo":                      "the commands",
	"ui":                             "the built web application, embedded",

	"internal/settlement/engine":          "figures of a settlement, each explained",
	"internal/payouts/bankfile":           "files that tell a bank whom to pay",
	"internal/payouts/bankstatement":      "what a bank says has happened on an account",
	"internal/billing/einvoice":           "invoices as machines of tax offices and buyers read them",
	"internal/imports/grid":               "tables with a column for each kind of money",
	"internal/imports/providers/bolt":     "Bolt's rides",
	"internal/imports/providers/boltfood": "Bolt Food's couriers",
	"internal/imports/providers/freenow":  "FreeNow's rides",
	"internal/imports/providers/glovo":    "Glovo's couriers",
	"internal/imports/providers/stuart":   "Stuart's couriers",
	"internal/imports/providers/uber":     "Uber's rides and deliveries",
	"internal/imports/providers/revolut":  "accounts at Revolut",
	"internal/imports/providers/fuel":     "fuel cards",
	"internal/imports/providers/mapped":   "layouts that partners describe themselves",
}

// pure packages decide about money, time and rights: no clock, no files, no
// network, no database. What they may import is listed whole.
var pure = []string{"internal/money", "internal/calendar", "internal/fault", "internal/access", "internal/official", "internal/colour", "internal/ledger", "internal/schema", "internal/imports/statement", "internal/settlement/engine", "internal/payouts/bankfile", "internal/payouts/bankstatement", "internal/billing/einvoice",
	"internal/imports/providers/own", "internal/imports/providers", "internal/imports/grid",
	"internal/imports/providers/bolt", "internal/imports/providers/boltfood", "internal/imports/providers/freenow", "internal/imports/providers/glovo", "internal/imports/providers/stuart",
	"internal/imports/providers/uber", "internal/imports/providers/revolut", "internal/imports/providers/fuel", "internal/imports/providers/mapped"}

var pureMayImport = []string{
	"cmp", "crypto/sha256", "encoding", "encoding/hex", "errors", "fmt", "iter", "maps", "math", "math/big", "math/bits", "regexp", "slices", "sort", "strconv", "strings",
	"sync", "time", "unicode", "unicode/utf8", "bytes", "encoding/base64", "encoding/xml", "golang.org/x/text/unicode/norm", "golang.org/x/text/encoding/charmap",
}

// pureMayNotCall are the ways to the clock and the machine inside allowed packages.
var pureMayNotCall = []string{"time.Now", "time.Since", "time.Until", "time.Sleep", "time.After", "time.AfterFunc", "time.NewTimer",
	"time.NewTicker", "time.Tick", "time.LoadLocation", "time.Local", "fmt.Print", "fmt.Println", "fmt.Printf", "fmt.Scan", "fmt.Scanln", "fmt.Scanf"}

// only names the one place that may import a package of others.
var only = map[string][]string{
	"database/sql":                  {"internal/db", "internal/testkit"},
	"modernc.org/sqlite":            {"internal/db"},
	"github.com/jackc/pgx":          {"internal/db", "internal/testkit"},
	"github.com/wneessen/go-mail":   {"internal/mail"},
	"github.com/minio/minio-go":     {"internal/blob"},
	"github.com/golang-jwt/jwt":     {"internal/identity", "internal/testkit"},
	"github.com/luikyv/go-oidc":     {"internal/idp"},
	"github.com/go-jose/go-jose":    {"internal/idp", "internal/identity"},
	"golang.org/x/crypto":           {"internal/idp"},
	"github.com/danielgtaylor/huma": {"internal/web", "internal/api"},
	"github.com/MicahParks/jwkset":  {"internal/keycloak"},
	"golang.org/x/time":             {"internal/keycloak"},
	"github.com/xuri/excelize":      {"internal/sheet"},
	"rsc.io/qr":                     {"internal/pdf"},
	"crypto/cipher":                 {"internal/vault"},
	"filippo.io/age":                {"internal/vault"},
}

// bannedNames hide what a package is about.
var bannedNames = []string{"util", "utils", "common", "helper", "helpers", "base", "manager", "service", "services", "model", "models", "types", "misc"}

type source struct {
	name    string // path of the file
	file    *ast.File
	imports []string
}

func packages(t *testing.T) map[string][]source {
	t.Helper()
	found := map[string][]source{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && name != "." || slices.Contains([]string{"node_modules", "data", "testdata", "tools"}, entry.Name())) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || path.Dir(name) == "." {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		s := source{name: name, file: file}
		for _, i := range file.Imports {
			what, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			s.imports = append(s.imports, what)
		}
		dir := filepath.ToSlash(filepath.Dir(name))
		found[dir] = append(found[dir], s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func floorOf(name string) int {
	return slices.IndexFunc(floors, func(floor []string) bool { return slices.Contains(floor, name) })
}

// wrongImport says why a package may not import another, or nothing.
func wrongImport(from, to string) string {
	if !strings.HasPrefix(to, "saldo/") {
		return ""
	}
	to = strings.TrimPrefix(to, "saldo/")
	switch below, own := floorOf(to), floorOf(from); {
	case to == "internal/testkit":
		return "only tests use testkit"
	case below < 0:
		return to + " has no floor"
	case below > own:
		return to + " is above it"
	case below == own:
		return to + " is on the same floor"
	}
	return ""
}

func TestImportsPointDown(t *testing.T) {
	for name, sources := range packages(t) {
		if name == "internal/testkit" || strings.HasPrefix(name, "bench") {
			continue // used by tests alone, from any floor
		}
		if floorOf(name) < 0 || purpose[name] == "" {
			t.Errorf("%s has no floor or no purpose: give it both here and in ARCHITECTURE.md", name)
			continue
		}
		for _, s := range sources {
			for _, i := range s.imports {
				if why := wrongImport(name, i); why != "" {
					t.Errorf("%s imports %s: %s", s.name, i, why)
				}
			}
		}
	}
}

func TestPurePackagesTouchNothing(t *testing.T) {
	all := packages(t)
	for _, name := range pure {
		for _, s := range all[name] {
			for _, wrong := range impure(s) {
				t.Errorf("%s is pure and uses %s", s.name, wrong)
			}
		}
	}
}

// impure lists what a file uses that a pure package may not.
func impure(s source) (wrong []string) {
	for _, i := range s.imports {
		if !slices.Contains(pureMayImport, i) && !slices.Contains(pure, strings.TrimPrefix(i, "saldo/")) {
			wrong = append(wrong, i)
		}
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && slices.Contains(pureMayNotCall, x.Name+"."+sel.Sel.Name) {
				wrong = append(wrong, x.Name+"."+sel.Sel.Name)
			}
		}
		return true
	})
	return wrong
}

func TestEachForeignPackageHasItsPlace(t *testing.T) {
	for name, sources := range packages(t) {
		for _, s := range sources {
			for _, i := range s.imports {
				for foreign, places := range only {
					if (i == foreign || strings.HasPrefix(i, foreign+"/")) && !slices.Contains(places, name) {
						t.Errorf("%s imports %s, which belongs to %v", s.name, i, places)
					}
				}
			}
		}
	}
}

func TestNoPackageHasANameThatHidesItsPurpose(t *testing.T) {
	for name := range packages(t) {
		for part := range strings.SplitSeq(name, "/") {
			if slices.Contains(bannedNames, part) {
				t.Errorf("%s: name it after the trade", name)
			}
		}
	}
}

func TestEveryPackageStandsInTheArchitecture(t *testing.T) {
	page, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range purpose {
		if !strings.Contains(string(page), "`"+strings.TrimPrefix(name, "internal/")+"`") {
			t.Errorf("ARCHITECTURE.md does not name %s", name)
		}
	}
}

// The rules themselves: each must catch what it is there for.
func TestTheArchitectureTestBites(t *testing.T) {
	for _, c := range []struct{ from, to string }{
		{"internal/db", "saldo/internal/web"},      // upwards
		{"internal/jobs", "saldo/internal/audit"},  // sideways
		{"internal/fleet", "saldo/internal/api"},   // upwards
		{"internal/fleet", "saldo/internal/utils"}, // no floor
		{"internal/app", "saldo/internal/testkit"}, // tests only
	} {
		if wrongImport(c.from, c.to) == "" {
			t.Errorf("%s may import %s", c.from, c.to)
		}
	}
	if why := wrongImport("internal/fleet", "saldo/internal/db"); why != "" {
		t.Errorf("fleet may not import db: %s", why)
	}
	planted, err := parser.ParseFile(token.NewFileSet(), "planted.go", `package money
import ("os"; "time")
func now() time.Time { _, _ = os.Open("x"); return time.Now() }`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if wrong := impure(source{name: "planted.go", file: planted, imports: []string{"os", "time"}}); !slices.Equal(wrong, []string{"os", "time.Now"}) {
		t.Errorf("found %v in a file that opens files and reads the clock", wrong)
	}
}
