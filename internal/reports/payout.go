// Package reports puts together what other packages keep: files for people who check the books, and what a fleet has to
// do now. It changes nothing.
package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/spreadsheet"
	"saldo/internal/settlements"
	"saldo/internal/settlements/export"
)

// Why there is no report.
var (
	ErrDays     = fault.Declare(fault.Invalid, "reports.days_invalid")
	ErrReversed = fault.Declare(fault.Invalid, "reports.days_reversed")
	ErrTooLong  = fault.Declare(fault.Invalid, "reports.too_long")
)

// DaysMost is how many days a report may be about.
const DaysMost = 400

// Payout is a report of what was paid on the days from the first to the last.
type Payout struct {
	From, To calendar.Date
	Language i18n.Language
	Currency money.Currency
}

// Check says why there cannot be such a report; nil: there can.
func (p Payout) Check() error {
	wrong := ErrDays
	if !p.From.Exists() {
		wrong = wrong.Field("from", fault.WrongFormat)
	}
	if !p.To.Exists() {
		wrong = wrong.Field("to", fault.WrongFormat)
	}
	switch {
	case len(wrong.Fields) > 0:
		return wrong
	case p.To < p.From:
		return ErrReversed.Field("to", fault.TooSmall)
	case p.To.DaysSince(p.From) >= DaysMost:
		return ErrTooLong.With("days", DaysMost).Field("to", fault.TooBig)
	}
	return nil
}

// sums are what was paid of several settlements.
type sums struct {
	settlements int64
	byPurpose   []money.Amount
	payout      money.Amount
}

func (s *sums) add(one *settlements.Settlement, byPurpose []*money.Amount) (err error) {
	if s.byPurpose == nil {
		s.byPurpose = make([]money.Amount, len(export.Purposes))
	}
	s.settlements++
	for i, amount := range byPurpose {
		if amount == nil {
			continue
		}
		if s.byPurpose[i], err = s.byPurpose[i].Add(*amount); err != nil {
			return err
		}
	}
	s.payout, err = s.payout.Add(one.Payout)
	return err
}

func (s *sums) cells() []spreadsheet.Cell {
	cells := make([]spreadsheet.Cell, len(export.Purposes), len(export.Purposes)+1)
	for i := range cells {
		cells[i] = spreadsheet.Amount(0)
	}
	for i, amount := range s.byPurpose {
		cells[i] = spreadsheet.Amount(amount)
	}
	return append(cells, spreadsheet.Amount(s.payout))
}

// payee is a driver of the report, with all that those earned whom they stand for.
type payee struct {
	id, lastName, firstName string
	sums
}

// Write writes the report: a table of the settlements and one of the drivers,
// each with its totals, from one snapshot. It gives the number of settlements
// and their sum.
func (p Payout) Write(tx *db.Tx, to io.Writer) (count int64, paid money.Amount, err error) {
	if err := p.Check(); err != nil {
		return 0, 0, err
	}
	book, err := spreadsheet.NewBook(to)
	if err != nil {
		return 0, 0, err
	}
	payees, total, err := p.settlements(tx, book)
	if err == nil {
		err = p.drivers(tx, book, payees, &total)
	}
	if err != nil {
		return 0, 0, err
	}
	return total.settlements, total.payout, book.Close()
}

func (p Payout) settlements(tx *db.Tx, book *spreadsheet.Book) (payees map[string]*payee, total sums, err error) {
	heads := p.heads("exports:settlements.paidOn", "exports:settlements.number", "driver-fields:lastName", "exports:settlements.firstName",
		"settlement-fields:period", "exports:settlements.firstOn", "exports:settlements.lastOn", "exports:settlements.currency")
	table, err := book.Sheet(p.word("settlement-fields:title"), p.amountHeads(heads))
	if err != nil {
		return nil, total, err
	}
	payees = map[string]*payee{}
	if err := settlements.EachPaid(tx, p.From, p.To, func(s *settlements.Settlement) error {
		if s.Currency != p.Currency {
			return fmt.Errorf("reports: settlement %d is in %s", s.Number, s.Currency)
		}
		byPurpose, err := export.ByPurpose(s)
		if err != nil {
			return fmt.Errorf("reports: settlement %d: %w", s.Number, err)
		}
		id := s.CanonicalDriver()
		if payees[id] == nil {
			payees[id] = &payee{id: id}
		}
		if s.MergedInto == "" {
			payees[id].lastName, payees[id].firstName = s.LastName, s.FirstName
		}
		if err := payees[id].add(s, byPurpose); err != nil {
			return err
		}
		if err := total.add(s, byPurpose); err != nil {
			return err
		}
		transfers, err := export.TransferCells(s)
		if err != nil {
			return err
		}
		cells := []spreadsheet.Cell{spreadsheet.Day(s.PaidOn), spreadsheet.Count(s.Number), spreadsheet.Text(s.LastName),
			spreadsheet.Text(s.FirstName), spreadsheet.Text(string(s.Period)), spreadsheet.Day(s.FirstOn), spreadsheet.Day(s.LastOn),
			spreadsheet.Text(string(s.Currency))}
		return table.Row(append(append(cells, transfers...), spreadsheet.Amount(s.Payout)))
	}); err != nil {
		return nil, total, err
	}
	foot := make([]spreadsheet.Cell, len(heads))
	foot[0], foot[1] = spreadsheet.Text(p.word("exports:payouts.total")), spreadsheet.Count(total.settlements)
	if err := table.Foot(append(foot, total.cells()...)); err != nil {
		return nil, total, err
	}
	return payees, total, table.Close()
}

func (p Payout) drivers(tx *db.Tx, book *spreadsheet.Book, payees map[string]*payee, total *sums) error {
	heads := p.heads("driver-fields:lastName", "exports:settlements.firstName", "exports:payouts.count")
	table, err := book.Sheet(p.word("driver-fields:title"), p.amountHeads(heads))
	if err != nil {
		return err
	}
	list := make([]*payee, 0, len(payees))
	for _, one := range payees {
		if one.lastName == "" && one.firstName == "" { // only those whom they stand for were paid
			name, err := db.One[struct{ FirstName, LastName string }](tx,
				`SELECT first_name, last_name FROM drivers WHERE tenant_id = $1 AND id = $2`, one.id)
			if err != nil {
				return err
			}
			one.lastName, one.firstName = name.LastName, name.FirstName
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b *payee) int {
		return cmp.Or(cmp.Compare(i18n.Fold(a.lastName+" "+a.firstName), i18n.Fold(b.lastName+" "+b.firstName)), cmp.Compare(a.id, b.id))
	})
	for _, one := range list {
		cells := []spreadsheet.Cell{spreadsheet.Text(one.lastName), spreadsheet.Text(one.firstName), spreadsheet.Count(one.settlements)}
		if err := table.Row(append(cells, one.cells()...)); err != nil {
			return err
		}
	}
	foot := []spreadsheet.Cell{spreadsheet.Text(p.word("exports:payouts.total")), {}, spreadsheet.Count(total.settlements)}
	if err := table.Foot(append(foot, total.cells()...)); err != nil {
		return err
	}
	return table.Close()
}

func (p Payout) word(key string) string { return i18n.Of(p.Language, key) }

func (p Payout) heads(keys ...string) []string {
	heads := make([]string, len(keys))
	for i, key := range keys {
		heads[i] = p.word(key)
	}
	return heads
}

func (p Payout) amountHeads(heads []string) []string {
	return append(append(slices.Clone(heads), export.TransferHeads(p.Language)...), p.word("exports:payouts.sum"))
}

// Record leaves in the trail that the report was handed out.
func (p Payout) Record(tx *db.Tx, settlements int64, paid money.Amount) error {
	return audit.Record(tx, audit.Change{Action: "reports.payout", Kind: "report", ID: "payout",
		After: map[string]any{"from": p.From, "to": p.To, "settlements": settlements, "payout": paid}})
}

// FileName is what the report is saved as.
func (p Payout) FileName() string { return fmt.Sprintf("payout-%s-%s.xlsx", p.From, p.To) }
