package saldo

import (
	"go/ast"
	"slices"
	"strings"
)

// pure packages, and all below them, decide about money, time and rights: no clock, no files, no network, no database. They import
// only each other and what is listed.
var pure = []string{"internal/kernel", "internal/ledger/kinds", "internal/ksef/deadlines", "internal/ksef/numbers", "internal/schemas/rules",
	"internal/imports/statement", "internal/imports/grid",
	"internal/imports/providers", "internal/settlements/engine", "internal/payouts/bankfile", "internal/payouts/bankstatement", "internal/payouts/titles",
	"internal/billing/einvoice", "internal/invoices/checks", "internal/invoices/layout", "internal/invoices/reading",
	"internal/messages/markdown"}

func isPure(name string) bool {
	return slices.ContainsFunc(pure, func(p string) bool { return name == p || strings.HasPrefix(name, p+"/") })
}

var pureMayImport = []string{
	"bytes", "cmp", "crypto/sha256", "encoding", "encoding/base64", "encoding/hex", "encoding/xml", "errors", "fmt", "html", "io", "iter", "maps", "math",
	"math/big", "math/bits", "regexp", "slices", "sort", "strconv", "strings", "sync", "time", "unicode", "unicode/utf8",
	"golang.org/x/text/unicode/norm", "golang.org/x/text/encoding/charmap",
}

// pureMayNotCall are the ways to the clock and the machine inside allowed packages.
var pureMayNotCall = []string{"time.Now", "time.Since", "time.Until", "time.Sleep", "time.After", "time.AfterFunc", "time.NewTimer",
	"time.NewTicker", "time.Tick", "time.LoadLocation", "time.Local", "fmt.Print", "fmt.Println", "fmt.Printf", "fmt.Scan", "fmt.Scanln", "fmt.Scanf"}

// impure lists what a file uses that a pure package may not.
func impure(s source) (wrong []string) {
	for _, i := range s.imports {
		if !slices.Contains(pureMayImport, i) && !isPure(strings.TrimPrefix(i, "saldo/")) {
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
