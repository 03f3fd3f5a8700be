package pipeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"saldo/internal/fuel/details"
	"saldo/internal/imports/unmatched"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
)

// Changes are what a file says otherwise than what stands of the same provider, kind, driver and days.
type Changes struct {
	Count   int64          `json:"count"`  // drivers
	Partly  int64          `json:"partly"` // of them: the file covers only some of the days of what stands
	Old     money.Amount   `json:"old"`
	New     money.Amount   `json:"new"`
	Drivers []DriverChange `json:"drivers"` // the first of them
	Rows    []RowChange    `json:"rows"`    // the first that the provider calls by the same name
}

// DriverChange is what one driver's days come to, as they stand and as the file has them. Only money that drivers are due is in it.
type DriverChange struct {
	Provider   string        `json:"provider"`
	DriverID   string        `json:"driverId"`   // empty: not assigned yet, or the fleet's own
	IdentityID string        `json:"identityId"` // of the unmatched driver
	Name       string        `json:"name"`
	From       calendar.Date `json:"from"`
	To         calendar.Date `json:"to"`
	Old        money.Amount  `json:"old"`
	New        money.Amount  `json:"new"`
	OldRows    int64         `json:"oldRows"` // that the file does not contain
	NewRows    int64         `json:"newRows"` // that do not stand yet
	Settled    int64         `json:"settled"` // of the old ones: they stay, and the difference is booked
	Partly     bool          `json:"partly"`  // the file covers only some of the days of the old ones: it cannot replace them
}

// RowChange is a movement that stands otherwise.
type RowChange struct {
	Line    int64         `json:"line"`
	Name    string        `json:"name"`
	Type    string        `json:"type"`
	Old     money.Amount  `json:"old"`
	New     money.Amount  `json:"new"`
	OldOn   calendar.Date `json:"oldOn"`
	NewOn   calendar.Date `json:"newOn"`
	Settled bool          `json:"settled"`
}

// changes are the finding as people see it.
func (c *comparison) changes(f finding) Changes {
	out := Changes{Count: int64(len(f.changed)), Drivers: []DriverChange{}, Rows: append([]RowChange{}, c.rows...)}
	for _, p := range f.changed {
		d := DriverChange{Provider: p.provider, From: p.from, To: p.to, Old: p.sharedSum + p.missingSum, New: p.sharedSum + p.freshSum,
			OldRows: int64(len(p.missing)), NewRows: p.fresh}
		if p.partly() {
			d.Partly = true
			out.Partly++
		}
		for _, m := range p.missing {
			if m.SettlementID != "" {
				d.Settled++
			}
		}
		for _, v := range p.versions {
			if p.missingOf[v.ID] || v.Hidden {
				continue
			}
			d.OldRows++
			if v.SettlementID != "" {
				d.Settled++
			}
			if kinds.Counted(v.Type) {
				d.Old += v.Amount
			}
		}
		if p.who != nil {
			d.DriverID, d.IdentityID, d.Name = p.who.Driver, p.who.Identity, cut(p.who.Person.FullName())
			if p.who.Driver != "" {
				d.IdentityID = ""
			}
		}
		out.Old, out.New = out.Old+d.Old, out.New+d.New
		out.Drivers = append(out.Drivers, d)
	}
	slices.SortStableFunc(out.Drivers, func(a, b DriverChange) int {
		return cmp.Or(cmp.Compare(magnitude(b.New-b.Old), magnitude(a.New-a.Old)), strings.Compare(a.Name, b.Name))
	})
	out.Drivers = out.Drivers[:min(len(out.Drivers), previewFirst)]
	return out
}

func magnitude(a money.Amount) money.Amount { return max(a, -a) }

// join makes rows that stand in other words rows of this file too, instead of those that were booked a moment ago.
func (c *comparison) join(f finding) error {
	if len(f.same) == 0 {
		return nil
	}
	own := map[string][]ownRow{}
	for _, table := range []string{"transactions", "unmatched_rows"} {
		driver := "''"
		if table == "transactions" {
			driver = "r.driver_id"
		}
		if err := db.Each(c.tx, func(r *ownRow) error {
			r.table = table
			key := fmt.Sprint(unmatched.NameOf(r.DriverID, r.IdentityID), r.sign())
			own[key] = append(own[key], *r)
			return nil
		}, `SELECT `+missedColumns+`, `+driver+` AS driver_id, r.source_file, r.source_row, r.source_column FROM `+table+
			` r WHERE r.tenant_id = $1 AND r.import_id = $2 AND r.import_id <> ''`, c.self); err != nil {
			return err
		}
	}
	links := []ledger.Containing{}
	gone := map[string][]string{}
	for _, p := range f.same {
		for _, m := range p.same {
			for _, name := range p.who.Names() {
				key := fmt.Sprint(name, m.sign())
				if len(own[key]) == 0 {
					continue
				}
				r := own[key][0]
				own[key] = own[key][1:]
				links = append(links, ledger.Containing{RowKey: m.RowKey, File: r.SourceFile, Line: r.SourceRow, Column: r.SourceColumn})
				gone[r.table] = append(gone[r.table], r.ID)
				if err := details.Move(c.tx, c.self, r.RowKey, m.RowKey); err != nil {
					return err
				}
				break
			}
		}
	}
	if err := ledger.DropRows(c.tx, gone); err != nil {
		return err
	}
	for _, p := range f.same {
		for _, one := range p.swapped {
			if err := ledger.ContainInOther(c.tx, c.self, one.from, one.to); err != nil {
				return err
			}
			if err := details.Move(c.tx, c.self, one.from, one.to); err != nil {
				return err
			}
		}
	}
	return ledger.Contains(c.tx, c.self, links)
}

// ownRow is a row that this file has just booked.
type ownRow struct {
	bookedRow
	SourceFile, SourceColumn string
	SourceRow                int64
	table                    string
}
