package ledger

import (
	"saldo/internal/kernel/fault"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
)

var (
	// ErrNotUnknown is the answer to giving a type to what came with one.
	ErrNotUnknown = fault.Declare(fault.Conflict, "transactions.not_unknown")
	// ErrTypeRefused is the answer to a type that the provider of the row cannot bring.
	ErrTypeRefused = fault.Declare(fault.Conflict, "transactions.type_refused")
	ErrRetype      = fault.Declare(fault.Invalid, "transactions.retype_invalid")
)

// RetypeMax is how many rows are given a type at once.
const RetypeMax = 500

// Seen names a transaction in the version that a person saw.
type Seen struct {
	ID      string
	Version int64
}

// Outcome is what became of one of many. Fault is nil when it was done.
type Outcome struct {
	ID    string
	Fault *fault.Fault
}

// Retype gives a type to rows that came without one, and says of each what
// became of it. A row that is not there refuses all: nothing is done then. The
// type is remembered for the next file of the same layout, unless it is UNKNOWN:
// that forgets.
func Retype(tx *db.Tx, rows []Seen, typ string) ([]Outcome, error) {
	wanted, ok := kinds.Of(typ)
	switch {
	case !ok:
		return nil, ErrRetype.Field("type", fault.NotOneOf)
	case len(rows) == 0:
		return nil, ErrRetype.Field("transactions", fault.Required)
	case len(rows) > RetypeMax:
		return nil, ErrRetype.Field("transactions", fault.TooLong, "max", "500")
	}
	done := map[string]bool{}
	outcomes := make([]Outcome, 0, len(rows))
	for _, row := range rows {
		if done[row.ID] {
			return nil, ErrRetype.Field("transactions", fault.Duplicate)
		}
		done[row.ID] = true
		t, err := transaction(tx, row.ID)
		if err != nil {
			return nil, err
		}
		refused := t.refusesType(wanted, row.Version)
		outcomes = append(outcomes, Outcome{row.ID, refused})
		if refused != nil || t.Type == typ {
			continue
		}
		if err := t.retype(tx, typ); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

func (t Transaction) refusesType(wanted kinds.Type, version int64) *fault.Fault {
	switch {
	case t.Settled():
		return ErrSettled
	case !t.CameUnknown:
		return ErrNotUnknown
	case t.Version != version:
		return ErrChanged
	case !wanted.CarriedBy(t.Provider):
		return ErrTypeRefused
	}
	return nil
}

func (t Transaction) retype(tx *db.Tx, typ string) error {
	after := t
	after.Type = typ
	if err := recounted(tx, []string{t.ID}, func() error {
		_, err := tx.Exec(`UPDATE transactions SET type = $3, version = version + 1, updated_at = $4 WHERE tenant_id = $1 AND id = $2`, t.ID, typ,
			tx.Now)
		return err
	}); err != nil {
		return err
	}
	if err := recordChange(tx, "transactions.retype", &t, &after, ""); err != nil {
		return err
	}
	return rememberType(tx, t, typ)
}
