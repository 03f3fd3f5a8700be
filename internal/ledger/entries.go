package ledger

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

var (
	ErrInvalid = fault.Declare(fault.Invalid, "transactions.invalid")
	// ErrSettled is the answer to changing what went into a settlement.
	ErrSettled = fault.Declare(fault.Conflict, "transactions.settled")
	ErrChanged = fault.Declare(fault.Conflict, "transactions.changed")
	// ErrNotByHand is the answer to changing what a file, a trip or a settlement
	// brought, or the cash that follows its transaction by itself.
	ErrNotByHand = fault.Declare(fault.Conflict, "transactions.not_by_hand")
	// ErrNotDeleted is the answer to bringing back what stands.
	ErrNotDeleted = fault.Declare(fault.Conflict, "transactions.not_deleted")
)

// Limits of what is entered by hand.
const (
	EntryNameMax                 = 100
	EntryTextMax                 = 500
	EntryAmountMax money.Amount  = 1_000_000_00
	entryDateMin   calendar.Date = "2000-01-01"
)

// The kinds of transactions that a partner enters.
const (
	KindCost     = "cost"
	KindInternal = "internal"
	KindInvoice  = "invoice"
)

// entryKinds says how each is booked.
var entryKinds = map[string]struct {
	typ, provider string
	negative      bool // entered positive, booked negative
}{
	KindCost:     {kinds.CostOf, "PARTNER", true},
	KindInternal: {kinds.Trip, "INTERNAL", false},
	KindInvoice:  {kinds.Invoice, "PARTNER", false},
}

// Kind is what the partner entered the transaction as; empty for all that was
// not entered by hand.
func (t Transaction) Kind() string {
	for name, k := range entryKinds {
		if t.Source == byHand && t.Type == k.typ && t.Provider == k.provider {
			return name
		}
	}
	return ""
}

// Entry is a transaction as a partner writes it down.
type Entry struct {
	Kind        string
	Amount      money.Amount // as entered: a cost is positive
	Payment     string       // cash or card
	OccurredOn  string
	Name        string
	Description string
	Reason      string // a cost needs one
}

// FutureDate warns of a day that has not come yet.
const FutureDate = "future_date"

// checked is the entry in canonical form with the amount as booked, or a fault
// that names every wrong field.
func (e Entry) checked() (Entry, error) {
	wrong := ErrInvalid
	refuse := func(field string, code fault.FieldCode, params ...string) {
		wrong = wrong.Field(field, code, params...)
	}
	kind, known := entryKinds[e.Kind]
	if !known {
		refuse("kind", fault.NotOneOf)
	}
	line := func(field, value string, maximum int, required bool) string {
		value = strings.Join(strings.Fields(norm.NFC.String(value)), " ")
		switch n := utf8.RuneCountInString(value); {
		case n == 0 && required:
			refuse(field, fault.Required)
		case n > maximum:
			refuse(field, fault.TooLong, "max", fmt.Sprint(maximum))
		case !utf8.ValidString(value) || strings.ContainsFunc(value, unicode.IsControl):
			refuse(field, fault.WrongFormat)
		}
		return value
	}
	e.Name = line("name", e.Name, EntryNameMax, true)
	e.Description = line("description", e.Description, EntryTextMax, false)
	e.Reason = line("reason", e.Reason, EntryTextMax, e.Kind == KindCost)
	if e.Payment != "cash" && e.Payment != "card" {
		refuse("payment", fault.NotOneOf)
	}
	if on, err := calendar.ParseDate(e.OccurredOn); err != nil {
		refuse("occurredOn", fault.WrongFormat)
	} else if on < entryDateMin {
		refuse("occurredOn", fault.TooSmall, "min", string(entryDateMin))
	}
	switch lowest := money.Amount(1); {
	case e.Amount > EntryAmountMax:
		refuse("amount", fault.TooBig, "max", EntryAmountMax.String())
	case e.Kind == KindInternal && e.Amount < -EntryAmountMax:
		refuse("amount", fault.TooSmall, "min", (-EntryAmountMax).String())
	case e.Amount == 0:
		refuse("amount", fault.Required)
	case e.Kind != KindInternal && e.Amount < lowest:
		refuse("amount", fault.TooSmall, "min", lowest.String())
	}
	if len(wrong.Fields) > 0 {
		return e, wrong
	}
	if kind.negative {
		e.Amount = -e.Amount
	}
	if t, ok := kinds.Of(kind.typ); !ok || !t.ByHand || !t.Allows(int64(e.Amount)) {
		return e, fmt.Errorf("ledger: %s cannot be booked as %d", e.Kind, e.Amount)
	}
	return e, nil
}

// warnings are what a person should look at again; nothing is refused for them.
func (e Entry) warnings(tx *db.Tx, in config.Instance) []string {
	if calendar.Date(e.OccurredOn) > calendar.DateOf(tx.Now, in.Location(), 0) {
		return []string{FutureDate}
	}
	return []string{}
}

// Add enters a transaction of a driver by hand. What was paid in
// cash gets its twin: the cash that the driver already holds, or already gave.
func Add(tx *db.Tx, in config.Instance, driverID string, e Entry) (t Transaction, warnings []string, err error) {
	if e, err = e.checked(); err != nil {
		return t, nil, err
	}
	standing, err := db.Select[string](tx, `SELECT id FROM drivers WHERE tenant_id = $1 AND id = $2 AND merged_into = ''`, driverID)
	if err != nil {
		return t, nil, err
	}
	if len(standing) == 0 {
		return t, nil, ErrNoSuchDriver
	}
	t = Transaction{ID: tx.NewID(), DriverID: driverID, Provider: entryKinds[e.Kind].provider, Type: entryKinds[e.Kind].typ,
		Currency: in.Currency, Source: byHand, Version: 1, CreatedAt: tx.Now}
	t.fill(e)
	if e.Payment == "cash" {
		t.TwinID = tx.NewID()
		if err := insert(tx, t.cash(), ""); err != nil {
			return t, nil, err
		}
	}
	if err := insert(tx, t, ""); err != nil {
		return t, nil, err
	}
	return t, e.warnings(tx, in), recordChange(tx, actionAdd, nil, &t, e.Reason)
}

func (t *Transaction) fill(e Entry) {
	t.Amount, t.OccurredOn, t.Payment = e.Amount, calendar.Date(e.OccurredOn), e.Payment
	t.Name, t.Description, t.Reason = e.Name, e.Description, e.Reason
}

// cash is the twin of what was paid in cash: minus its amount, same provider
// and date.
func (t Transaction) cash() Transaction {
	twin := t
	twin.ID, twin.TwinID = t.TwinID, t.ID
	twin.Type, twin.Amount = kinds.CashCollected, -t.Amount
	twin.Evidence, twin.EvidenceName, twin.EvidenceType = "", "", ""
	return twin
}

// SearchKey is where a transaction is found by.
func (t *Transaction) SearchKey() string {
	return i18n.Fold(strings.Join([]string{t.Name, t.Description, t.ExternalID, t.SourceFile}, " "))
}

// stored is a transaction as the table has it.
type stored struct {
	Transaction
	ImportID, SearchKey, CreatedBy string
	UpdatedAt                      time.Time
}

// insert writes a new transaction that no row of a file brought.
func insert(tx *db.Tx, t Transaction, importID string) error {
	if err := db.Insert(tx, "transactions", stored{t, importID, t.SearchKey(), tx.Actor.ID, tx.Now}); err != nil {
		return err
	}
	totals := NewTotals()
	totals.add(t.DriverID, t.OccurredOn, t.Provider, t.Type, t.Amount, 1)
	return totals.Keep(tx)
}

// editable finds a transaction that people may change, in the version they saw.
func editable(tx *db.Tx, id string, version int64) (Transaction, error) {
	t, err := transaction(tx, id)
	if err != nil {
		return t, err
	}
	return t, t.mayChange(version)
}

func (t Transaction) mayChange(version int64) error {
	switch {
	case t.Settled():
		return ErrSettled
	case !t.Editable():
		return ErrNotByHand
	case t.Version != version:
		return ErrChanged
	}
	return nil
}

// Save replaces what was entered by hand; its kind and its driver
// stay. The twin moves with it, comes or goes.
func Save(tx *db.Tx, in config.Instance, id string, version int64, e Entry) (t Transaction, warnings []string, err error) {
	before, err := editable(tx, id, version)
	if err != nil {
		return before, nil, err
	}
	e.Kind = before.Kind()
	if e, err = e.checked(); err != nil {
		return before, nil, err
	}
	t = before
	t.fill(e)
	t.Version++
	if err := moveTwin(tx, &t); err != nil {
		return t, nil, err
	}
	if err := recounted(tx, []string{t.ID}, func() error { return t.save(tx) }); err != nil {
		return t, nil, err
	}
	return t, e.warnings(tx, in), recordChange(tx, "transactions.save", &before, &t, e.Reason)
}

func (t *Transaction) save(tx *db.Tx) error {
	type entered struct {
		Amount                             money.Amount
		OccurredOn                         calendar.Date
		Payment, Name, Description, Reason string
		SearchKey, TwinID                  string
		Version                            int64
		UpdatedAt                          time.Time
	}
	_, err := db.Update(tx, "transactions", entered{t.Amount, t.OccurredOn, t.Payment, t.Name, t.Description, t.Reason, t.SearchKey(),
		t.TwinID, t.Version, tx.Now}, "id = $2", t.ID)
	return err
}

// moveTwin makes the cash of a changed transaction what it must be now.
func moveTwin(tx *db.Tx, t *Transaction) error {
	if t.TwinID == "" && t.Payment == "cash" {
		t.TwinID = tx.NewID()
		return insert(tx, t.cash(), "")
	}
	if t.TwinID == "" {
		return nil
	}
	if err := freeTwin(tx, t.TwinID); err != nil {
		return err
	}
	twin, gone := t.cash(), time.Time{}
	if t.Payment != "cash" {
		t.TwinID, gone = "", tx.Now
	}
	return recounted(tx, []string{twin.ID}, func() error {
		_, err := tx.Exec(`UPDATE transactions SET amount = $3, occurred_on = $4, name = $5, description = $6, reason = $7, search_key = $8,
			version = version + 1, updated_at = $9, deleted_at = $10 WHERE tenant_id = $1 AND id = $2`,
			twin.ID, int64(twin.Amount), string(twin.OccurredOn), twin.Name, twin.Description, twin.Reason, twin.SearchKey(), tx.Now, gone)
		return err
	})
}

// freeTwin refuses when the twin is already part of a settlement.
func freeTwin(tx *db.Tx, id string) error {
	settled, err := db.One[string](tx, `SELECT settlement_id FROM transactions WHERE tenant_id = $1 AND id = $2`, id)
	if err == nil && settled != "" {
		return ErrSettled
	}
	return err
}

// Remove deletes what was entered by hand, with its twin. The row
// stays behind, out of every list and sum.
func Remove(tx *db.Tx, id string, version int64) error {
	t, err := editable(tx, id, version)
	if err != nil {
		return err
	}
	if t.TwinID != "" {
		if err := freeTwin(tx, t.TwinID); err != nil {
			return err
		}
	}
	if err := setDeleted(tx, t, tx.Now); err != nil {
		return err
	}
	return recordChange(tx, "transactions.remove", &t, nil, "")
}

// Restore brings back what was deleted, with its twin.
func Restore(tx *db.Tx, id string) error {
	t, err := db.One[Transaction](tx, `SELECT `+columns+` FROM transactions WHERE tenant_id = $1 AND id = $2`, id)
	switch {
	case errors.Is(err, db.ErrNone):
		return ErrNotFound
	case err != nil:
		return err
	case t.DeletedAt.IsZero():
		return ErrNotDeleted
	case !t.Editable():
		return ErrNotByHand
	}
	if err := setDeleted(tx, t, time.Time{}); err != nil {
		return err
	}
	return recordChange(tx, "transactions.restore", nil, &t, "")
}

func setDeleted(tx *db.Tx, t Transaction, at time.Time) error {
	ids := []string{t.ID}
	if t.TwinID != "" {
		ids = append(ids, t.TwinID)
	}
	return recounted(tx, ids, func() error {
		return eachChunk(tx, `UPDATE transactions SET deleted_at = $2, version = version + 1, updated_at = $3 WHERE tenant_id = $1 AND id`, ids,
			db.Instant(at), db.Instant(tx.Now))
	})
}

// trace is what the trail keeps of a transaction: what people can change.
type trace struct {
	Type        string `json:"type"`
	Amount      int64  `json:"amount"`
	OccurredOn  string `json:"occurredOn"`
	Payment     string `json:"payment"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Reason      string `json:"reason"`
	Evidence    string `json:"evidence"`
}

func recordChange(tx *db.Tx, action string, before, after *Transaction, reason string) error {
	change := audit.Change{Action: action, Kind: auditKind, Reason: reason}
	for _, side := range []struct {
		t  *Transaction
		to *any
	}{{before, &change.Before}, {after, &change.After}} {
		if t := side.t; t != nil {
			change.ID = t.ID
			*side.to = trace{t.Type, int64(t.Amount), string(t.OccurredOn), t.Payment, t.Name, t.Description, t.Reason, t.EvidenceName}
		}
	}
	return audit.Record(tx, change)
}

const (
	auditKind = "transaction"
	actionAdd = "transactions.add"
)

// History is who changed a transaction, when and how, oldest first.
// It can be read of a deleted one too.
func History(tx *db.Tx, id string) ([]audit.Entry, error) {
	known, err := db.Select[string](tx, `SELECT id FROM transactions WHERE tenant_id = $1 AND id = $2`, id)
	if err != nil {
		return nil, err
	}
	if len(known) == 0 {
		return nil, ErrNotFound
	}
	return audit.Of(tx, auditKind, id)
}
