// Package export writes settlements as tables: every figure, app and transfer in a column of its own.
package export

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/spreadsheet"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
)

// File says which settlements are exported, and in whose words.
type File struct {
	Filter   settlements.Filter // all of its pages
	Language i18n.Language
	Zone     *time.Location
}

// exportedApp are the figures of one app, in the order of their columns.
var exportedApp = []engine.Figure{engine.Income, engine.Bonus, engine.Tips, engine.CashCollected, engine.Fee, engine.WorkingDays}

// Write writes the settlements of the filter as a file with every figure in a
// column of its own, and says how many they are. They are read twice on the
// snapshot of the unit, once for the apps that have columns, and held one at a
// time: any number of them needs little memory.
func (e File) Write(tx *db.Tx, format spreadsheet.Format, to io.Writer) (count int64, err error) {
	providers, err := e.providers(tx)
	if err != nil {
		return 0, err
	}
	table, err := spreadsheet.New(format, to, e.word("settlement-fields:title"), e.heads(providers))
	if err != nil {
		return 0, err
	}
	if err := settlements.Each(tx, e.Filter, func(s *settlements.Settlement) error {
		cells, err := e.cells(s, providers)
		if err != nil {
			return fmt.Errorf("settlement %d: %w", s.Number, err)
		}
		count++
		return table.Row(cells)
	}); err != nil {
		return 0, err
	}
	return count, table.Close()
}

// providers are those of the filter's settlements, in the order in which they
// are offered.
func (e File) providers(tx *db.Tx) (codes []string, err error) {
	found := map[string]bool{}
	if err := settlements.EachApps(tx, e.Filter, func(apps []snapshot.App) {
		for _, app := range apps {
			found[app.Provider] = true
		}
	}); err != nil {
		return nil, err
	}
	for _, p := range kinds.Providers {
		if found[p.Code] {
			codes = append(codes, p.Code)
			delete(found, p.Code)
		}
	}
	for code := range found { // left by an older release
		codes = append(codes, code)
	}
	slices.Sort(codes[len(codes)-len(found):])
	return codes, nil
}

func (e File) word(key string, params ...any) string {
	return i18n.Of(e.Language, key, params...)
}

func (e File) heads(providers []string) (heads []string) {
	for _, key := range []string{"exports:settlements.number", "driver-fields:lastName", "exports:settlements.firstName",
		"settlement-fields:period", "exports:settlements.firstOn", "exports:settlements.lastOn", "exports:settlements.weeks",
		"exports:settlements.kind", "settlement-fields:state", "exports:settlements.absorbedPeriod", "exports:settlements.currency",
		"exports:settlements.settledOn", "exports:settlements.settledBy"} {
		heads = append(heads, e.word(key))
	}
	for _, code := range providers {
		for _, f := range exportedApp {
			figure := e.word("statement:figure_" + f.String())
			heads = append(heads, e.word("exports:settlements.app", "app", kinds.ProviderName(code, e.word), "figure", figure))
		}
	}
	for _, f := range engine.AllFigures() {
		heads = append(heads, e.word("statement:figure_"+f.String()))
	}
	heads = append(heads, TransferHeads(e.Language)...)
	for _, key := range []string{"exports:settlements.paidOn", "exports:settlements.revokedOn", "exports:settlements.revokeReason"} {
		heads = append(heads, e.word(key))
	}
	return heads
}

func (e File) cells(s *settlements.Settlement, providers []string) ([]spreadsheet.Cell, error) {
	kind := "exports:settlements.regular"
	if s.Ordinal > 0 {
		kind = "settlement-fields:supplementary"
	}
	cells := []spreadsheet.Cell{spreadsheet.Count(s.Number), spreadsheet.Text(s.LastName), spreadsheet.Text(s.FirstName),
		spreadsheet.Text(string(s.Period)), spreadsheet.Day(s.FirstOn), spreadsheet.Day(s.LastOn), spreadsheet.Count(s.Weeks),
		spreadsheet.Text(e.word(kind)), spreadsheet.Text(e.word("exports:settlements.state." + string(s.State))),
		spreadsheet.Text(string(s.AbsorbedPeriod)),
		spreadsheet.Text(string(s.Currency)), e.day(s.SettledAt), spreadsheet.Text(s.SettledBy)}
	apps, err := s.KeptApps()
	if err != nil {
		return nil, err
	}
	for _, code := range providers {
		at := slices.IndexFunc(apps, func(a snapshot.App) bool { return a.Provider == code })
		if at < 0 {
			cells = append(cells, make([]spreadsheet.Cell, len(exportedApp))...)
			continue
		}
		a := apps[at]
		for _, amount := range []money.Amount{a.Income, a.Bonus, a.Tips, a.CashCollected, a.Fee} {
			cells = append(cells, spreadsheet.Amount(amount))
		}
		cells = append(cells, spreadsheet.Count(int64(a.WorkingDays)))
	}
	figures, err := s.KeptFigures()
	if err != nil {
		return nil, err
	}
	for _, f := range engine.AllFigures() {
		cells = append(cells, spreadsheet.Amount(figures[f]))
	}
	transfers, err := TransferCells(s)
	if err != nil {
		return nil, err
	}
	return append(append(cells, transfers...), spreadsheet.Day(s.PaidOn), e.day(s.RevokedAt), spreadsheet.Text(s.RevokeReason)), nil
}

// day is the local day of an instant.
func (e File) day(at time.Time) spreadsheet.Cell {
	if at.IsZero() {
		return spreadsheet.Cell{}
	}
	return spreadsheet.Day(calendar.DateOf(at, e.Zone, 0))
}

// Purposes are what transfers are for, in the order of their columns.
var Purposes = []engine.Purpose{engine.DeductionCost, engine.OrderContract, engine.LeaseContract, engine.InvoicePaid}

// TransferHeads are the heads of a column for each purpose.
func TransferHeads(language i18n.Language) []string {
	heads := make([]string, len(Purposes))
	for i, p := range Purposes {
		heads[i] = i18n.Of(language, "exports:settlements.transfer", "purpose", i18n.Of(language, "statement:purpose_"+string(p)))
	}
	return heads
}

// ByPurpose are the amounts of the transfers for each purpose; nil: none.
// They are the whole payout, or it is an error.
func ByPurpose(s *settlements.Settlement) ([]*money.Amount, error) {
	transfers, err := s.KeptTransfers()
	if err != nil {
		return nil, err
	}
	amounts, sum := make([]*money.Amount, len(Purposes)), money.Amount(0)
	for _, t := range transfers {
		at := slices.Index(Purposes, t.Purpose)
		if at < 0 {
			return nil, fmt.Errorf("a transfer for %q", t.Purpose)
		}
		if amounts[at] == nil {
			amounts[at] = new(money.Amount)
		}
		if *amounts[at], err = amounts[at].Add(t.Amount); err != nil {
			return nil, err
		}
		if sum, err = sum.Add(t.Amount); err != nil {
			return nil, err
		}
	}
	if sum != s.Payout {
		return nil, fmt.Errorf("transfers of %s for a payout of %s", sum, s.Payout)
	}
	return amounts, nil
}

// TransferCells are the amounts of the transfers as cells under their heads.
func TransferCells(s *settlements.Settlement) ([]spreadsheet.Cell, error) {
	amounts, err := ByPurpose(s)
	cells := make([]spreadsheet.Cell, len(amounts))
	for i, amount := range amounts {
		if amount != nil {
			cells[i] = spreadsheet.Amount(*amount)
		}
	}
	return cells, err
}

// Record leaves in the trail that settlements were exported: how many, as what,
// and by which filter. Words that were searched for can be a person's name, so
// the trail knows only that there were some.
func (e File) Record(tx *db.Tx, format spreadsheet.Format, count int64) error {
	f := e.Filter
	return audit.Record(tx, audit.Change{Action: "settlements.export", Kind: "settlements", ID: "all",
		After: map[string]any{"format": format, "settlements": count,
			"searched": strings.TrimSpace(f.Query) != "", "state": f.State, "period": f.Period, "driver": f.DriverID, "run": f.RunID, "tag": f.Tag}})
}

// FileName is what an export of today is saved as.
func (e File) FileName(now time.Time, format spreadsheet.Format) string {
	return fmt.Sprintf("settlements-%s.%s", calendar.DateOf(now, e.Zone, 0), format)
}
