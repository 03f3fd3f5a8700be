package saldo

import (
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// owners lists the tables that more than one part of the program writes. Every other table is written by one part of the domain, or one
// package of the platform, alone.
var owners = map[string]string{
	"audit_entries": "platform/audit", "jobs": "platform/jobs", "mails": "platform/mail", "schemas": "schemas",
	"schema_versions": "schemas", "drivers": "drivers", "driver_profiles": "accounts",
	"transactions": "ledger", "push_subscriptions": "messages", "invoice_images": "invoices",
	"driver_documents": "documents", "contract_drafts": "contracts", "trips": "tracking", "time_entries": "tracking",
	"tracking_photos": "tracking",
}

// guests are the writers beside the owner, with the reason why they are.
var guests = map[string]map[string]string{
	"schemas":            {"partners": "a new partner gets its first schema in the same unit, and schemas know partners"},
	"schema_versions":    {"partners": "as above"},
	"drivers":            {"settlements": "settled_on is set for a hundred drivers in the statement that settles them", "accounts": "linking moves the account and the frequency of both at once"},
	"driver_profiles":    {"drivers": "whoever is blocked as a driver is blocked as a profile in the same statement"},
	"transactions":       {"settlements": "marks of what was settled are set and taken away with the settlement"},
	"audit_entries":      {"accounts": "whoever closes the account is no longer named"},
	"jobs":               {"accounts": "mails to whoever closes the account are not sent any more"},
	"mails":              {"accounts": "as above"},
	"invoice_images":     {"accounts": "vehicles of whoever closes the account are forgotten where no settlement needs them; accounts are below invoices"},
	"driver_documents":   {"accounts": "documents of whoever leaves or closes the account are erased later; accounts are below documents"},
	"contract_drafts":    {"accounts": "what whoever closes the account has filled in and not signed goes at once; accounts are below contracts"},
	"trips":              {"accounts": "places of whoever closes the account are forgotten where no settlement needs them; accounts are below tracking"},
	"time_entries":       {"accounts": "vehicles of whoever closes the account are forgotten; accounts are below tracking"},
	"tracking_photos":    {"accounts": "photos of whoever closes the account are erased; accounts are below tracking"},
	"push_subscriptions": {"accounts": "devices of whoever closes the account are told nothing any more; accounts are below messages"},
}

var writes = regexp.MustCompile(`\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+([a-z][a-z_]+)\b`)

// writersOf lists which parts write which tables, by the texts of their SQL.
func writersOf(sources map[string][]source) map[string]map[string]string {
	found := map[string]map[string]string{}
	for name, files := range sources {
		if isTestkit(name) {
			continue
		}
		part, below, _ := strings.Cut(strings.TrimPrefix(name, "internal/"), "/")
		if part == "platform" {
			part += "/" + below
		}
		note := func(table, at string) {
			if found[table] == nil {
				found[table] = map[string]string{}
			}
			found[table][part] = at
		}
		for _, s := range files {
			ast.Inspect(s.file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					if n.Kind == token.STRING {
						text, _ := strconv.Unquote(n.Value)
						for _, m := range writes.FindAllStringSubmatch(text, -1) {
							note(m[1], s.name)
						}
					}
				case *ast.CallExpr: // tx.Insert("table", …), db.Update(tx, "table", …)
					f, ok := n.Fun.(*ast.SelectorExpr)
					if !ok || !slices.Contains([]string{"Insert", "InsertAll", "Update"}, f.Sel.Name) {
						return true
					}
					for _, arg := range n.Args[:min(2, len(n.Args))] {
						if table, ok := arg.(*ast.BasicLit); ok && table.Kind == token.STRING {
							text, _ := strconv.Unquote(table.Value)
							note(text, s.name)
						}
					}
				}
				return true
			})
		}
	}
	return found
}

func TestTables_AreWrittenByTheirOwner(t *testing.T) {
	all := writersOf(packages(t))
	for _, table := range slices.Sorted(maps.Keys(all)) {
		parts := all[table]
		owner := owners[table]
		if owner == "" && len(parts) == 1 {
			continue
		}
		for part, at := range parts {
			if part != owner && guests[table][part] == "" {
				t.Errorf("%s writes %s, which belongs to %q", at, table, owner)
			}
		}
		for part := range guests[table] {
			if parts[part] == "" {
				t.Errorf("%s no longer writes %s: take it off the list", part, table)
			}
		}
	}
}
