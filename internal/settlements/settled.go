package settlements

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/messages"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
)

// State is where a settlement stands.
type State string

// The states.
const (
	Settled State = "settled"
	Paid    State = "paid"
	Revoked State = "revoked"
)

// Settlement is a settled one as it was kept.
type Settlement struct {
	ID                                                                               string
	Number                                                                           int64
	DriverID, FirstName, LastName                                                    string
	MergedInto                                                                       string // the canonical driver; empty: the driver is it
	Period                                                                           calendar.Period
	Ordinal, Weeks                                                                   int64
	FirstOn, LastOn                                                                  calendar.Date
	State                                                                            State
	AbsorbedInto                                                                     string
	AbsorbedPeriod                                                                   calendar.Period // of the settlement that absorbed it
	TermsID                                                                          string
	Currency                                                                         money.Currency
	Transactions                                                                     int64
	CarryIn, Revenue, CashCollected, Fee, Due, Payout, NextPeriodTransfer, TaxExcess money.Amount
	Figures, Apps, Transfers                                                         string // JSON
	SettledAt, SharedAt, RevokedAt                                                   time.Time
	PaidOn                                                                           calendar.Date
	SettledBy, RevokedBy, RevokeReason                                               string
	NotCarried                                                                       int64 // amounts that wait to be carried
	Batch                                                                            int64 // number of the live batch that pays it; 0: none
}

// CanonicalDriver is the driver whose settlement it is now, after any merge.
func (s *Settlement) CanonicalDriver() string { return cmp.Or(s.MergedInto, s.DriverID) }

const settlementQuery = `SELECT s.id, s.number, s.driver_id, d.first_name, d.last_name, d.merged_into, s.period, s.ordinal,
	s.weeks, s.first_on, s.last_on, s.state, s.absorbed_into,
	COALESCE((SELECT a.period FROM settlements a WHERE a.tenant_id = s.tenant_id
	AND a.id = s.absorbed_into), '') AS absorbed_period, s.terms_id,
	s.currency, s.transactions, s.carry_in, s.revenue, s.cash_collected, s.fee, s.due, s.payout, s.next_period_transfer, s.tax_excess,
	s.figures, s.apps, s.transfers, s.settled_at, s.settled_by,
	s.shared_at, s.paid_on, s.revoked_at, s.revoked_by, s.revoke_reason, s.batch,
	(SELECT COUNT(*) FROM settlement_carries c WHERE c.tenant_id = s.tenant_id AND c.settlement_id = s.id
	AND c.transaction_id = '') AS not_carried
	FROM settlements s JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id WHERE s.tenant_id = $1`

// Of is one settlement.
func Of(tx *db.Tx, id string) (Settlement, error) {
	s, err := db.One[Settlement](tx, settlementQuery+` AND s.id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	return s, err
}

// someAtOnce is how many settlements are asked for by their ids at once.
const someAtOnce = 500

// Some are the settlements with the ids that are there, in no order.
func Some(tx *db.Tx, ids []string) (found []Settlement, err error) {
	for some := range slices.Chunk(ids, someAtOnce) {
		in, args := db.Among(2, some)
		list, err := db.Select[Settlement](tx, settlementQuery+` AND s.id`+in, args...)
		if err != nil {
			return nil, err
		}
		found = append(found, list...)
	}
	return found, nil
}

// KeptFigures are the figures as they were kept.
func (s *Settlement) KeptFigures() (engine.Figures, error) { return snapshot.ParseFigures(s.Figures) }

// KeptApps are the apps as they were kept.
func (s *Settlement) KeptApps() ([]snapshot.App, error) { return snapshot.ParseApps(s.Apps) }

// KeptTransfers are the transfers as they were kept.
func (s *Settlement) KeptTransfers() ([]snapshot.Transfer, error) {
	return snapshot.ParseTransfers(s.Transfers)
}

// actable says why nothing can be done with a settlement; nil: something can.
func (s *Settlement) actable() error {
	switch {
	case s.State == Revoked:
		return ErrRevoked.With("number", s.Number)
	case s.AbsorbedInto != "":
		return ErrAbsorbed.With("settlement", s.AbsorbedInto).With("period", string(s.AbsorbedPeriod))
	}
	return nil
}

// MarkPaid says on which day a batch paid a settlement, or what is outside of every batch, with 0. What is in another one is paid by
// that one, or the bank would be told to pay it again.
func (d *Service) MarkPaid(tx *db.Tx, id string, batch int64, on calendar.Date) error {
	s, err := Of(tx, id)
	if err != nil {
		return err
	}
	if err := s.actable(); err != nil {
		return err
	}
	settledOn := calendar.DateOf(s.SettledAt, d.Instance.Location(), 0)
	switch {
	case s.State == Paid:
		return ErrPaid.With("number", s.Number)
	case s.Batch != batch:
		return ErrInBatch.With("batch", s.Batch)
	case !on.Exists() || on > d.today(tx) || on < settledOn:
		return ErrInvalid.Field("paidOn", fault.WrongFormat)
	}
	n, err := tx.Exec(`UPDATE settlements SET state = 'paid', paid_on = $3, paid_at = $4, paid_by = $5 WHERE tenant_id = $1 AND id = $2
		AND state = 'settled' AND batch = $6`,
		id, string(on), tx.Now, tx.Actor.Name, batch)
	if err != nil {
		return err
	}
	if n != 1 {
		return ErrInBatch.With("batch", s.Batch)
	}
	s.PaidOn = on
	if err := s.tell(tx, messages.SettlementPaid); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "settlements.pay", Kind: kindOfSettlement, ID: id,
		After: map[string]any{"paidOn": on, "payout": s.Payout}})
}

// Unmark takes back that a settlement was paid.
func Unmark(tx *db.Tx, id string) error {
	s, err := Of(tx, id)
	if err != nil {
		return err
	}
	if s.State != Paid {
		return ErrNotPaid.With("number", s.Number)
	}
	if _, err := tx.Exec(`UPDATE settlements SET state = 'settled', paid_on = '', paid_at = '', paid_by = '' WHERE tenant_id = $1 AND id = $2`,
		id); err != nil {
		return err
	}
	if err := messages.TakeBack(tx, id, messages.SettlementPaid); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "settlements.unpay", Kind: kindOfSettlement, ID: id,
		Before: map[string]any{"paidOn": s.PaidOn}})
}

// Batch takes a settlement for a batch of payouts, if it is to be paid and no
// other batch has it.
func Batch(tx *db.Tx, id string, batch int64) error {
	n, err := tx.Exec(`UPDATE settlements SET batch = $3 WHERE tenant_id = $1 AND id = $2 AND batch = 0 AND state = 'settled'
		AND absorbed_into = '' AND payout > 0`, id, batch)
	if err != nil || n == 1 {
		return err
	}
	s, err := Of(tx, id)
	if err != nil {
		return err
	}
	switch {
	case s.actable() != nil:
		return s.actable()
	case s.Batch > 0:
		return ErrInBatch.With("batch", s.Batch)
	case s.State == Paid:
		return ErrPaid.With("number", s.Number)
	}
	return ErrNothing
}

// Unbatch frees the settlements of a batch.
func Unbatch(tx *db.Tx, batch int64) error {
	_, err := tx.Exec(`UPDATE settlements SET batch = 0 WHERE tenant_id = $1 AND batch = $2`, batch)
	return err
}

// GiveBack takes a settlement that is not paid out of its batch: the money came
// back, so it can be paid in another one.
func GiveBack(tx *db.Tx, id string) error {
	_, err := tx.Exec(`UPDATE settlements SET batch = 0 WHERE tenant_id = $1 AND id = $2 AND state = 'settled'`, id)
	return err
}

// Share lets the driver see a settlement.
func Share(tx *db.Tx, id string) error {
	s, err := Of(tx, id)
	if err != nil {
		return err
	}
	if err := s.actable(); err != nil || !s.SharedAt.IsZero() {
		return err
	}
	if _, err := tx.Exec(`UPDATE settlements SET shared_at = $3 WHERE tenant_id = $1 AND id = $2`, id, tx.Now); err != nil {
		return err
	}
	s.SharedAt = tx.Now
	if err := s.tell(tx, messages.SettlementShared); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "settlements.share", Kind: kindOfSettlement, ID: id})
}

// TellReturned tells the driver that money of the settlement came back from the bank.
func (s *Settlement) TellReturned(tx *db.Tx) error { return s.tell(tx, messages.PayoutReturned) }

// tell puts on the driver's board what became of a settlement that they may see.
func (s *Settlement) tell(tx *db.Tx, kind messages.Kind) error {
	if s.SharedAt.IsZero() {
		return nil
	}
	n := notice(kind, s.ID, s.DriverID, s.FirstOn, s.LastOn, s.Payout)
	n.Params["paid"] = string(s.PaidOn)
	return messages.Tell(tx, n)
}

func notice(kind messages.Kind, settlement, driver string, first, last calendar.Date, payout money.Amount) messages.Notice {
	return messages.Notice{Kind: kind, DriverID: driver, ObjectID: settlement,
		Params: map[string]string{"first": string(first), "last": string(last), "amount": fmt.Sprint(int64(payout))}}
}

// Carry is an amount that a settlement left for the next period.
type Carry struct {
	ID, SettlementID, DriverID, Type string
	Amount                           money.Amount
	OccurredOn                       calendar.Date
	FromPeriod                       calendar.Period
	TransactionID                    string
	CarriedAt                        time.Time
}

// CarriesOf are the amounts that a settlement left.
func CarriesOf(tx *db.Tx, id string) ([]Carry, error) {
	return db.Select[Carry](tx, `SELECT id, settlement_id, driver_id, type, amount, occurred_on, from_period, transaction_id, carried_at
		FROM settlement_carries
		WHERE tenant_id = $1 AND settlement_id = $2 ORDER BY from_period, type`, id)
}

type absorbed struct {
	ID, DriverID    string
	Period          calendar.Period
	Weeks           int64
	FirstOn, LastOn calendar.Date
}

func absorbedBy(tx *db.Tx, id string) ([]absorbed, error) {
	// sorted here: for an ORDER BY SQLite would read the settlements of the whole fleet
	found, err := db.Select[absorbed](tx, `SELECT id, driver_id, period, weeks, first_on, last_on FROM settlements WHERE tenant_id = $1
		AND absorbed_into = $2 AND absorbed_into <> ''`, id)
	slices.SortFunc(found, func(a, b absorbed) int { return cmp.Compare(a.Period, b.Period) })
	return found, err
}

// CarryOver writes what a settlement left into the driver's next period, where
// its schema does not do so by itself.
func (d *Service) CarryOver(tx *db.Tx, id string) error {
	s, err := Of(tx, id)
	if err != nil {
		return err
	}
	if err := s.actable(); err != nil {
		return err
	}
	carries, err := CarriesOf(tx, id)
	if err != nil {
		return err
	}
	driver := s.CanonicalDriver()
	made := []*ledger.Transaction{}
	for _, c := range carries {
		if c.TransactionID != "" {
			continue
		}
		t := carried(tx.NewID(), driver, c.Type, c.Amount, c.OccurredOn, c.FromPeriod, s.Currency)
		made = append(made, t)
		if _, err := tx.Exec(`UPDATE settlement_carries SET transaction_id = $3, carried_at = $4, carried_by = $5 WHERE tenant_id = $1
			AND id = $2 AND transaction_id = ''`, c.ID, t.ID, tx.Now, tx.Actor.Name); err != nil {
			return err
		}
	}
	if len(made) == 0 {
		return ErrNotWaiting.With("number", s.Number)
	}
	if _, err := ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
		for _, t := range made {
			if !yield(t) {
				return
			}
		}
	}); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "settlements.carry", Kind: kindOfSettlement, ID: id,
		After: map[string]any{"amounts": len(made)}})
}
