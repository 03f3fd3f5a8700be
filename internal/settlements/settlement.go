// Package settlements settles drivers: what is pending is computed from what is
// unsettled now, what is settled is kept as it was and explained from exactly
// what it took. Where the rules leave a choice, docs/develop/architecture.md
// says which was made.
package settlements

import (
	"saldo/internal/imports"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/tracking"
)

var (
	ErrNotFound = fault.Declare(fault.NotFound, "settlements.not_found")
	// ErrNothing is the answer to settling where nobody has anything to settle.
	ErrNothing = fault.Declare(fault.Conflict, "settlements.nothing")
	// ErrNegative is the answer to settling only drivers who owe more than is due.
	ErrNegative = fault.Declare(fault.Conflict, "settlements.negative")
	// ErrBlocked is the answer to settling only blocked drivers.
	ErrBlocked = fault.Declare(fault.Conflict, "settlements.blocked")
	// ErrUnfinished is the answer to settling a period that has not ended, unless a person confirmed it.
	ErrUnfinished = fault.Declare(fault.Conflict, "settlements.unfinished")
	ErrPeriod     = fault.Declare(fault.Invalid, "settlements.period_invalid")
	ErrInvalid    = fault.Declare(fault.Invalid, "settlements.invalid")
	// ErrRemoving is the answer to settling while the rows of a large import are being taken back.
	ErrRemoving    = fault.Declare(fault.Conflict, "settlements.import_removing")
	ErrRunNotFound = fault.Declare(fault.NotFound, "settlements.run_not_found")
	// ErrPaid is the answer to revoking what is paid: it must be unmarked first.
	ErrPaid    = fault.Declare(fault.Conflict, "settlements.paid")
	ErrNotPaid = fault.Declare(fault.Conflict, "settlements.not_paid")
	ErrRevoked = fault.Declare(fault.Conflict, "settlements.revoked")
	// ErrAbsorbed is the answer to an action on a period that closed with a later one: that one must be taken.
	ErrAbsorbed = fault.Declare(fault.Conflict, "settlements.absorbed")
	// ErrCarried is the answer to revoking what a later settlement builds on: that one must be revoked first.
	ErrCarried = fault.Declare(fault.Conflict, "settlements.carried")
	// ErrInBatch is the answer to revoking, or paying in another batch, what a bank may have been told to pay.
	ErrInBatch    = fault.Declare(fault.Conflict, "settlements.in_batch")
	ErrNotWaiting = fault.Declare(fault.Conflict, "settlements.nothing_to_carry")
)

// Kinds of objects in the trail.
const (
	kindOfSettlement = "settlement"
	kindOfRun        = "settlement_run"
)

// Service settles drivers.
type Service struct {
	Instance config.Instance
	Imports  *imports.Service // says which files of a period are missing
	// AfterRevoke is called in the unit of work that revokes, with the settlement and those that it had absorbed; nil: nothing depends on
	// them.
	AfterRevoke func(tx *db.Tx, ids []string) error
	// Documents counts the documents of drivers that have expired or are missing and warn before settling; nil: nobody keeps them.
	Documents func(tx *db.Tx, drivers []string) (map[string]int, error)
}

// Invoice is what was issued of a settlement, as whoever pays it must know.
type Invoice struct {
	Number     string
	KSeFNumber string // empty: it has none
	Refused    bool   // by KSeF
}

func (d *Service) today(tx *db.Tx) calendar.Date {
	return calendar.DateOf(tx.Now, d.Instance.Location(), 0)
}

// Period is a week that can be settled.
type Period struct {
	Code        calendar.Period
	First, Last calendar.Date // from Monday to Sunday
}

// How many weeks a list of periods holds at least and at most.
const (
	periodsLeast = 12
	periodsMost  = 160
)

// Periods lists the weeks back to the oldest one with something unsettled, newest first, from the running one on.
func (d *Service) Periods(tx *db.Tx) ([]Period, error) {
	today := d.today(tx)
	oldest, err := db.One[calendar.Date](tx, `SELECT COALESCE(MIN(occurred_on), '') FROM transactions WHERE tenant_id = $1
		AND settlement_id = '' AND deleted_at = ''`)
	if err != nil {
		return nil, err
	}
	trip, err := tracking.OldestOpen(tx)
	if err != nil {
		return nil, err
	}
	if trip != "" && (oldest == "" || trip < oldest) {
		oldest = trip
	}
	weeks := periodsLeast
	if oldest != "" && oldest < today {
		weeks = min(max(weeks, today.DaysSince(oldest)/7+2), periodsMost)
	}
	list := make([]Period, 0, weeks)
	for _, code := range calendar.Recent(today, weeks) {
		list = append(list, Period{code, code.Monday(), code.Monday().AddDays(6)})
	}
	return list, nil
}
