//go:build bench

package bench

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"saldo/internal/billing"
	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/vault"
	"saldo/internal/schemas"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
)

// statementPDFs is how many statements a round makes; SALDO_BENCH_PAPERS makes it another number. Chromium makes as many.
func statementPDFs() int {
	if n, err := strconv.Atoi(os.Getenv("SALDO_BENCH_PAPERS")); err == nil && n > 0 {
		return n
	}
	return 1000
}

// statements are settlements of drivers in five languages, and the service that prints them.
func statements(t *testing.T, d *db.DB, count int) (*billing.Service, []string) {
	t.Helper()
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	instance, err := config.InstanceOf("pl")
	if err != nil {
		t.Fatal(err)
	}
	service := &billing.Service{Instance: instance, Vault: v, Settlements: &settlements.Service{Instance: instance, Imports: &imports.Service{DB: d, Instance: instance}}}
	found(t, d)
	var ids []string
	testkit.Write(t, d, north, func(tx *db.Tx) error {
		if err := licences.Grant(tx, 1_000_000, "bench"); err != nil {
			return err
		}
		s, err := schemas.Get(tx, 1)
		if err != nil {
			return err
		}
		s.Rules.SettlementCost, s.Rules.WeeklyContractCost, s.Rules.DailyFee = 20_00, 50_00, rules.DailyFee{Uber: 5_00, Bolt: 5_00}
		s.Rules.AdditionalCosts = []rules.AdditionalCost{{Name: "Terminal", Amount: 5_00}}
		if _, err := schemas.Save(tx, 1, s.Version, s.Rules); err != nil {
			return err
		}
		added := make([]drivers.NewDriver, count)
		for i := range added {
			added[i].Details = drivers.Details{FirstName: "Łukasz", LastName: fmt.Sprintf("Жук %04d", i), SummaryLanguage: string(i18n.Languages[i%len(i18n.Languages)])}
		}
		people, err := (drivers.Service{Vault: v, Country: "PL"}).AddMany(tx, added)
		if err != nil {
			return err
		}
		_, err = ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
			for i, id := range people {
				for n, k := range []struct {
					provider, typ string
					amount        money.Amount
				}{{"UBER", "TRIP", 1310_11}, {"UBER", "CASH_COLLECTED", -180_50}, {"UBER", "FEE", -260_03}, {"BOLT", "TRIP", 840_20}, {"BOLT", "BONUS", 55_00}, {"BOLT", "FEE", -150_77}, {"BOLT", "TIP", 12_00}, {"ORLEN", "FUEL", -170_45}, {"PARTNER", "COST", -9_00}} {
					if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: id, Provider: k.provider, Type: k.typ, Amount: k.amount + money.Amount(i%90), Currency: "PLN", OccurredOn: settledPeriod.Monday().AddDays(n % 7), Source: "import"}) {
						return
					}
				}
			}
		})
		return err
	})
	for len(ids) < count { // up to fifty are settled in the unit that asks
		testkit.Write(t, d, clerk, func(tx *db.Tx) error {
			page, err := service.Settlements.PendingPage(tx, settlements.PendingFilter{Period: settledPeriod, Page: 1, Size: 50})
			if err != nil {
				return err
			}
			selection := settlements.Selection{Filter: settlements.PendingFilter{Period: settledPeriod}}
			for _, p := range page.Items {
				selection.Drivers = append(selection.Drivers, p.Driver.ID)
			}
			p, err := service.Settlements.Preview(tx, selection)
			if err != nil {
				return err
			}
			if err := p.Keep(tx); err != nil {
				return err
			}
			_, err = service.Settlements.Start(tx, p.ID, settlements.StartOptions{Share: true})
			return err
		})
		testkit.Read(t, d, clerk, func(tx *db.Tx) (err error) {
			ids, err = db.Select[string](tx, `SELECT id FROM settlements WHERE tenant_id = $1 ORDER BY number`)
			return err
		})
	}
	return service, ids
}

var gaps = regexp.MustCompile(`\s{2,}`)

// asHTML is the text of a PDF as a table, for Chromium to print.
func asHTML(t *testing.T, content []byte, to string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.pdf")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command("pdftotext", "-layout", file, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	page.WriteString(`<!doctype html><meta charset="utf-8"><style>@page{size:A4;margin:15mm}body{font:9pt "Noto Sans"}td{border-bottom:1px solid #ddd;padding:3px}</style><table>`)
	for line := range strings.Lines(string(text)) {
		page.WriteString("<tr>")
		for _, cell := range gaps.Split(strings.TrimSpace(line), -1) {
			page.WriteString("<td>" + html.EscapeString(cell) + "</td>")
		}
		page.WriteString("</tr>")
	}
	page.WriteString("</table>")
	if err := os.WriteFile(to, []byte(page.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Ours: settlements read, explained again and printed, on all cores. Anchor: page.pdf of Chromium, started before, as many
// pages at once as there are cores, of the same texts as HTML that is ready.
func TestStatements(t *testing.T) {
	n := statementPDFs()
	d := testkit.Open(t, testkit.Settings(t, "sqlite"))
	service, ids := statements(t, d, n)
	make1 := func(id string) ([]byte, error) {
		var s *billing.Statement
		if err := d.Read(ctx, clerk, func(tx *db.Tx) (err error) { s, err = service.Statement(tx, id); return err }); err != nil {
			return nil, err
		}
		return s.PDF(nil)
	}
	folder := t.TempDir()
	for i := range min(n, 50) {
		content, err := make1(ids[i])
		if err != nil {
			t.Fatal(err)
		}
		asHTML(t, content, filepath.Join(folder, fmt.Sprintf("%04d.html", i)))
	}
	compare(t, fmt.Sprintf("statements as PDF per second, %d in five languages; anchor: Chromium page.pdf", n), "/s", func() float64 {
		var next atomic.Int64
		var working sync.WaitGroup
		at := time.Now()
		for range runtime.NumCPU() {
			working.Go(func() {
				for i := next.Add(1) - 1; int(i) < n; i = next.Add(1) - 1 {
					if _, err := make1(ids[i]); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		working.Wait()
		return float64(n) / time.Since(at).Seconds()
	}, func() float64 {
		out, err := exec.Command("node", "pdf.mjs", folder, strconv.Itoa(n), strconv.Itoa(runtime.NumCPU())).CombinedOutput()
		perSecond, wrong := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil || wrong != nil {
			t.Fatalf("%v %s", err, out)
		}
		return perSecond
	})
}
