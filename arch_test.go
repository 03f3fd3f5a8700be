// Package saldo holds only the test of the architecture.
package saldo

import (
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// Four layers: kernel, platform, domain, application. A package imports from its own layer and from lower ones; what a package of the
// domain may import from the domain is listed in knows.
var layers = []string{"kernel", "platform", "domain", "application"}

func layerOf(name string) int {
	switch first := strings.Split(strings.TrimPrefix(name, "internal/"), "/")[0]; {
	case !strings.HasPrefix(name, "internal/"):
		return map[string]int{"ui": 1, "locales": 1, "cmd/saldo": 3, "cmd/saldo-reader": 3}[name]
	case first == "kernel", first == "platform":
		return slices.Index(layers, first)
	case first == "api", first == "app":
		return 3
	case knows[domainOf(name)] == nil:
		return -1
	}
	return 2
}

// domainOf is the part of the domain that a package belongs to: its own entry of knows, else that of its first folder.
func domainOf(name string) string {
	name = strings.TrimPrefix(name, "internal/")
	if knows[name] != nil {
		return name
	}
	return strings.Split(name, "/")[0]
}

// knows lists the parts of the domain and what each may import of the others.
var knows = map[string][]string{
	"ledger/kinds":                 {},
	"schemas/rules":                {},
	"partners":                     {"licences", "schemas/rules"},
	"identity":                     {"partners"},
	"licences":                     {},
	"licences/payments":            {},
	"licences/payments/sandbox":    {"licences/payments"},
	"licences/invoicing":           {"billing/einvoice", "licences/invoicing/connector", "ksef"},
	"licences/invoicing/connector": {"ksef/numbers"},
	"licences/orders":              {"licences", "licences/invoicing", "licences/payments", "partners"},
	"schemas":                      {"schemas/rules"},
	"connections":                  {"identity", "partners"},
	"feeds":                        {"connections", "imports"},
	"deliveries":                   {"billing", "connections", "pack", "partners", "reports/dedicated"},
	"pack":                         {"billing", "partners", "reports", "settlements"},
	"drivers":                      {"identity", "ledger/kinds", "partners", "schemas"},
	"messages":                     {"drivers", "partners"},
	"ledger":                       {"drivers", "ledger/kinds"},
	"accounts":                     {"drivers", "identity", "partners", "schemas"},
	"drivers/merge":                {"drivers", "ledger", "ledger/kinds", "schemas"},
	"fuel/details":                 {},
	"fuel":                         {"drivers", "fuel/details", "ledger/kinds", "partners", "settlements", "settlements/engine"},
	"imports":                      {"drivers", "fuel/details", "ledger", "ledger/kinds"},
	"settlements":                  {"drivers", "imports", "invoices", "ledger", "ledger/kinds", "licences", "messages", "partners", "schemas/rules", "settlements/engine", "tracking"},
	"payouts":                      {"drivers", "identity", "ksef/numbers", "partners", "settlements", "settlements/engine"},
	"ksef":                         {},
	"ksef/availability":            {"ksef", "ksef/deadlines", "ksef/wire"},
	"ksef/deadlines":               {},
	"ksef/numbers":                 {},
	"ksef/wire":                    {"ksef", "ksef/numbers"},
	"ksef/login":                   {"ksef", "ksef/wire", "partners"},
	"ksef/renewal":                 {"billing", "ksef", "ksef/login", "ksef/wire"},
	"ksef/sending":                 {"billing", "drivers", "ksef", "ksef/availability", "ksef/deadlines", "ksef/login", "ksef/numbers", "ksef/wire", "messages", "settlements"},
	"billing/einvoice":             {"ksef/numbers"},
	"invoices/layout":              {},
	"invoices/reading":             {"billing/einvoice", "invoices/layout", "ksef/numbers"},
	"invoices/files":               {"invoices/layout", "invoices/ocr", "invoices/reading", "invoices/reading/xmlinvoice"},
	"invoices/checks":              {"ksef/numbers"},
	"invoices":                     {"drivers", "invoices/checks", "invoices/files", "invoices/reading", "messages", "partners", "settlements/engine"},
	"documents":                    {"drivers", "invoices/files", "messages"},
	"tracking":                     {"drivers", "invoices/files", "ledger", "messages", "partners", "settlements/engine"},
	"settlements/engine":           {"ledger/kinds", "schemas/rules"},
	"billing": {"billing/einvoice", "drivers", "ksef", "ledger/kinds", "partners", "schemas/rules", "settlements", "settlements/engine",
		"tracking"},
	"purchases": {"billing", "drivers", "identity", "invoices", "invoices/checks", "invoices/reading", "invoices/reading/xmlinvoice", "ksef", "ksef/login",
		"ksef/numbers", "ksef/wire", "partners"},
	"contracts/template":          {},
	"contracts/seal":              {},
	"contracts/sealkeys":          {"contracts/seal"},
	"contracts/answers":           {"schemas"},
	"contracts/chain":             {},
	"contracts/pdfs":              {"contracts/template", "invoices/files"},
	"contracts/values":            {"contracts/answers", "contracts/template", "partners"},
	"contracts":                   {"billing", "contracts/answers", "contracts/chain", "contracts/pdfs", "contracts/seal", "contracts/sealkeys", "contracts/template", "contracts/values", "drivers", "invoices/files", "partners"},
	"questions":                   {"drivers", "ledger", "ledger/kinds", "messages", "settlements", "settlements/engine"},
	"reports":                     {"connections", "drivers", "imports", "ledger", "ledger/kinds", "licences", "licences/orders", "messages", "payouts", "settlements", "settlements/engine", "summaries"},
	"reports/query":               {"drivers", "ledger/kinds", "settlements/engine"},
	"reports/dedicated":           {"identity", "partners", "reports", "reports/query"},
	"summaries":                   {"drivers", "messages", "partners", "settlements", "settlements/engine"},
	"timeline":                    {"drivers", "imports", "ledger", "licences", "payouts", "settlements", "settlements/engine", "summaries"},
	"invoices/ocr":                {"invoices/layout"},
	"invoices/ocr/onnx":           {},
	"invoices/ocr/ppocr":          {"invoices/layout", "invoices/ocr"},
	"invoices/reading/xmlinvoice": {"invoices/reading", "ksef/numbers"},
}

// isTestkit says whether a package is for tests alone.
func isTestkit(name string) bool {
	return name == "internal/testkit" || strings.HasPrefix(name, "internal/testkit/")
}

// wrongImport says why a package may not import another, or nothing.
func wrongImport(from, to string) string {
	to, ours := strings.CutPrefix(to, "saldo/")
	switch {
	case !ours:
		return ""
	case isTestkit(to):
		return "only tests use testkit"
	case layerOf(to) < 0:
		return to + " is in no layer"
	case layerOf(to) > layerOf(from):
		return to + " is in a higher layer"
	case layerOf(to) == 2 && layerOf(from) == 2 && domainOf(from) != domainOf(to) && !slices.Contains(knows[domainOf(from)], domainOf(to)):
		return domainOf(from) + " does not know " + domainOf(to)
	}
	return ""
}

func TestImportsPointDown(t *testing.T) {
	for name, sources := range packages(t) {
		if isTestkit(name) || strings.HasPrefix(name, "bench") {
			continue // used by tests alone, from any layer
		}
		if layerOf(name) < 0 {
			t.Errorf("%s is in no layer", name)
		}
		for _, s := range sources {
			for _, i := range s.imports {
				if why := wrongImport(name, i); why != "" {
					t.Errorf("%s imports %s: %s", s.name, i, why)
				}
			}
			for _, wrong := range impure(s) {
				if isPure(name) {
					t.Errorf("%s is pure and uses %s", s.name, wrong)
				}
			}
		}
	}
}

func TestArchitectureNamesEveryPackage(t *testing.T) {
	page, err := os.ReadFile("docs/develop/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range packages(t) {
		short := strings.TrimPrefix(name, "internal/")
		if strings.HasPrefix(name, "internal/") && !strings.HasPrefix(short, "imports/providers/") && !strings.Contains(string(page), "`"+short+"`") {
			t.Errorf("docs/develop/architecture.md does not name %s", name)
		}
	}
}

// Each rule must catch what it is there for.
func TestTheRulesCatchWrongImports(t *testing.T) {
	for _, c := range []struct{ from, to string }{
		{"internal/kernel/money", "saldo/internal/platform/db"},
		{"internal/platform/db", "saldo/internal/drivers"},
		{"internal/drivers", "saldo/internal/api"},
		{"internal/drivers", "saldo/internal/payouts"},
		{"internal/drivers", "saldo/internal/utils"},
		{"internal/app", "saldo/internal/testkit"},
	} {
		if wrongImport(c.from, c.to) == "" {
			t.Errorf("%s may import %s", c.from, c.to)
		}
	}
	if why := wrongImport("internal/drivers", "saldo/internal/platform/db"); why != "" {
		t.Errorf("drivers may not import db: %s", why)
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
