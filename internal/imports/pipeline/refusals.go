package pipeline

import (
	"errors"

	"saldo/internal/imports/table"
	"saldo/internal/kernel/fault"
)

// Why a file cannot be read. Each has a text that says what to do.
var (
	ErrEmpty         = fault.Declare(fault.Invalid, "imports.empty")
	ErrNotATable     = fault.Declare(fault.Invalid, "imports.not_a_table")
	ErrEncoding      = fault.Declare(fault.Invalid, "imports.encoding")
	ErrTooLong       = fault.Declare(fault.Invalid, "imports.too_long")
	ErrTooWide       = fault.Declare(fault.Invalid, "imports.too_wide")
	ErrTooLarge      = fault.Declare(fault.Invalid, "imports.too_large")
	ErrTooMany       = fault.Declare(fault.Invalid, "imports.too_many")
	ErrBroken        = fault.Declare(fault.Invalid, "imports.broken")
	ErrProtected     = fault.Declare(fault.Invalid, "imports.protected")
	ErrOldWorkbook   = fault.Declare(fault.Invalid, "imports.old_workbook")
	ErrNotRecognised = fault.Declare(fault.Invalid, "imports.not_recognised")
	// ErrWrongFile is the answer to a file that is no statement; its parameter says which to download instead.
	ErrWrongFile = fault.Declare(fault.Invalid, "imports.wrong_file")
	// ErrProviderNeeded is the answer to a sheet of our own of which nobody said whose rows it holds.
	ErrProviderNeeded = fault.Declare(fault.Invalid, "imports.provider_needed")
)

var refusals = map[table.Reason]*fault.Fault{
	table.ErrEmpty: ErrEmpty, table.ErrNotATable: ErrNotATable, table.ErrEncoding: ErrEncoding, table.ErrTooLong: ErrTooLong,
	table.ErrTooWide:  ErrTooWide,
	table.ErrTooLarge: ErrTooLarge, table.ErrTooMany: ErrTooMany, table.ErrBroken: ErrBroken, table.ErrProtected: ErrProtected,
	table.ErrOldFormat: ErrOldWorkbook,
}

// refusal makes a fault of what a table was refused with, and leaves every
// other error as it is.
func refusal(err error) error {
	var reason table.Reason
	if !errors.As(err, &reason) {
		return err
	}
	f := refusals[reason].With("part", "").With("line", "")
	var place table.Refusal
	if errors.As(err, &place) {
		f = f.With("part", place.Part)
		if place.Line > 0 {
			f = f.With("line", place.Line)
		}
	}
	return f
}
