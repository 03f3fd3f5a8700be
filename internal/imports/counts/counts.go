// Package counts says what became of the people and the amounts of a file, as an import stores it.
package counts

import (
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
)

// Counts say what became of a file's people and amounts. All is the sum of the others.
type Counts struct {
	Drivers      People `json:"drivers"`
	Transactions Rows   `json:"transactions"`
	Skipped      int64  `json:"skipped"` // rows without money: totals, repeated heads
}

// People count the people whom a file names.
type People struct {
	All        int64 `json:"all"`
	New        int64 `json:"new"`        // they match no driver and are stored as unmatched
	Unassigned int64 `json:"unassigned"` // are stored as unmatched already
	Ignored    int64 `json:"ignored"`
	Existing   int64 `json:"existing"` // drivers of the partner
}

// Rows count the amounts of a file, and the rows that were refused.
type Rows struct {
	All        int64 `json:"all"`
	New        int64 `json:"new"`
	Unassigned int64 `json:"unassigned"`
	Ignored    int64 `json:"ignored"`
	Existing   int64 `json:"existing"`
	Failed     int64 `json:"failed"`
	Fleet      int64 `json:"fleet"`    // the partner's own, no driver's
	Replaced   int64 `json:"replaced"` // a later file says them anew
}

// Bookable says whether there is a row to book, or one that is booked already.
func (c Rows) Bookable() bool { return c.All > c.Failed }

// Add makes All the sum of the others.
func (c *Rows) Add() {
	c.All = c.New + c.Unassigned + c.Ignored + c.Existing + c.Failed + c.Fleet + c.Replaced
}

// Sum is what a file holds of one type.
type Sum struct {
	Type     string       `json:"type"`
	Count    int64        `json:"count"`
	Sum      money.Amount `json:"sum"`
	NewCount int64        `json:"newCount"` // of rows that no other import has brought
	NewSum   money.Amount `json:"newSum"`
}

// Totals are those of all types, in the order of types.
type Totals []Sum

// InOrder are sums by type, in the order of types.
func InOrder(sums map[string]*Sum) Totals {
	ordered := Totals{}
	for _, t := range kinds.Types() {
		if s, ok := sums[t.Name]; ok {
			ordered = append(ordered, *s)
		}
	}
	return ordered
}

// Counted is what the sums hold of the money that drivers are due. Whoever added the amounts up took care that they fit.
func (s Totals) Counted() (all money.Amount) {
	for _, one := range s {
		if kinds.Counted(one.Type) {
			all += one.Sum
		}
	}
	return all
}

// Scan reads the counts back.
func (c *Counts) Scan(value any) error { return db.ScanJSON(value, c) }

// Scan reads the sums back.
func (s *Totals) Scan(value any) error { return db.ScanJSON(value, s) }
