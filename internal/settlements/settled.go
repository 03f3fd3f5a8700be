package settlements

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/settlements/engine"
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
	ID                               string
	Number                           int64
	DriverID, FirstName, LastName    string
	MergedInto                       string // the canonical driver; empty: the driver is it
	Period                           calendar.Period
	Ordinal, Weeks                   int64
	FirstOn, LastOn                  calendar.Date
	State                            State
	AbsorbedInto                     string
	AbsorbedPeriod                   calendar.Period // of the settlement that absorbed it
	TermsID                          string
	Currency                         money.Currency
	Transactions                     int64
	CarryIn                          money.Amount
	Revenue, CashCollected, Fee, Due money.Amount
	Payout, NextPeriodTransfer       money.Amount
	TaxExcess                        money.Amount
	Figures, Apps, Transfers         string // JSON
	SettledAt                        time.Time
	SettledBy                        string
	SharedAt                         time.Time
	PaidOn                           calendar.Date
	RevokedAt                        time.Time
	RevokedBy, RevokeReason          string
	NotCarried                       int64 // amounts that wait to be carried
	Batch                            int64 // number of the live batch that pays it; 0: none
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
func (s *Settlement) KeptFigures() (engine.Figures, error) { return figuresOf(s.Figures) }

// KeptApps are the apps as they were kept.
func (s *Settlement) KeptApps() (apps []App, err error) {
	err = json.Unmarshal([]byte(s.Apps), &apps)
	return apps, err
}

// KeptTransfers are the transfers as they were kept.
func (s *Settlement) KeptTransfers() (transfers []Transfer, err error) {
	err = json.Unmarshal([]byte(s.Transfers), &transfers)
	return transfers, err
}

// Filter chooses settled settlements. What is empty filters nothing.
type Filter struct {
	State      State
	Period     calendar.Period
	DriverID   string // also of those who were merged into them
	Query, Tag string
	RunID      string
	Sort       string
	Descending bool
	Page, Size int64
}

// Sums are totals of a filter. Amounts leave revoked settlements out.
type Sums struct {
	Count, Revoked                      int64
	Revenue, CashCollected, Due, Payout money.Amount
	NotCarried                          int64
}

// Page is a page of settled settlements with the sums of the filter.
type Page struct {
	Items []Settlement
	Sums  Sums
}

// where is the filter as conditions on settlements s and drivers d, with their
// arguments from $2 on.
func (f Filter) where() (where string, args []any) {
	put := func(value any) string {
		args = append(args, value)
		return fmt.Sprintf("$%d", len(args)+1)
	}
	if f.State != "" {
		where += ` AND s.state = ` + put(string(f.State))
	}
	if f.Period != "" {
		where += ` AND s.period = ` + put(string(f.Period))
	}
	if f.RunID != "" {
		where += ` AND s.run_id = ` + put(f.RunID)
	}
	if f.DriverID != "" {
		at := put(f.DriverID)
		where += ` AND ` + drivers.SameDriver("d", at)
	}
	if f.Tag != "" {
		where += ` AND EXISTS (SELECT 1 FROM driver_tags t WHERE t.tenant_id = s.tenant_id AND t.driver_id = s.driver_id AND t.tag_id = ` +
			put(f.Tag) + `)`
	}
	for _, word := range strings.Fields(i18n.Fold(f.Query)) {
		where += ` AND d.search_key LIKE ` + put("%"+db.Literal(word)+"%") + ` ESCAPE '!'`
	}
	return where, args
}

func (f Filter) order() string {
	order := map[string]string{ByName: "d.search_key", ByPayout: "s.payout", ByRevenue: "s.revenue"}[f.Sort]
	way := map[bool]string{true: " DESC"}[f.Descending]
	if order == "" {
		order, way = "s.number", " DESC"
	}
	return ` ORDER BY ` + order + way + `, s.number DESC`
}

// standingSum adds a column up over what was not revoked.
func standingSum(column string) string {
	return `CAST(COALESCE(SUM(CASE WHEN s.state <> 'revoked' THEN s.` + column + ` END), 0) AS BIGINT) AS ` + column
}

// List is a page of what is settled.
func List(tx *db.Tx, f Filter) (p Page, err error) {
	where, args := f.where()
	p.Sums, err = db.One[Sums](tx, `SELECT COUNT(*) AS count, COUNT(CASE WHEN s.state = 'revoked' THEN 1 END) AS revoked, `+
		standingSum("revenue")+`, `+standingSum("cash_collected")+`,
		`+standingSum("due")+`, `+standingSum("payout")+`,
		COUNT(CASE WHEN s.state <> 'revoked' AND EXISTS (SELECT 1 FROM settlement_carries c WHERE c.tenant_id = s.tenant_id
		AND c.settlement_id = s.id AND c.transaction_id = '') THEN 1 END) AS not_carried
		FROM settlements s JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id WHERE s.tenant_id = $1`+where, args...)
	if err != nil {
		return p, err
	}
	limit := fmt.Sprintf(` LIMIT $%d OFFSET $%d`, len(args)+2, len(args)+3)
	p.Items, err = db.Select[Settlement](tx, settlementQuery+where+f.order()+limit, append(args, f.Size, (f.Page-1)*f.Size)...)
	return p, err
}

// EachPaid hands over every settlement that was paid on the days from the first
// to the last, by day and number, always in the same place.
func EachPaid(tx *db.Tx, first, last calendar.Date, fn func(*Settlement) error) error {
	return db.Each(tx, fn, settlementQuery+` AND s.state = 'paid' AND s.paid_on BETWEEN $2 AND $3 ORDER BY s.paid_on, s.number`, string(first),
		string(last))
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

// MarkPaid says on which day a settlement was paid outside of every batch. What
// is in one is paid by it, or the bank would be told to pay it again.
func (d *Service) MarkPaid(tx *db.Tx, id string, on calendar.Date) error {
	return d.markPaid(tx, id, 0, on)
}

// MarkPaidBy says on which day a batch paid a settlement.
func (d *Service) MarkPaidBy(tx *db.Tx, id string, batch int64, on calendar.Date) error {
	return d.markPaid(tx, id, batch, on)
}

func (d *Service) markPaid(tx *db.Tx, id string, batch int64, on calendar.Date) error {
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
	return audit.Record(tx, audit.Change{Action: "settlements.share", Kind: kindOfSettlement, ID: id})
}

// ReasonMax is how long a reason may be, in characters.
const ReasonMax = 500

// Undoing is what revoking a settlement takes back.
type Undoing struct {
	Settlement
	Absorbed []calendar.Period // periods that are open again
	Carries  []Carry           // that are deleted
	Refusal  error             // why it cannot be revoked; nil: it can
}

// Carry is an amount that a settlement left for the next period.
type Carry struct {
	ID            string
	SettlementID  string
	DriverID      string
	Type          string
	Amount        money.Amount
	OccurredOn    calendar.Date
	FromPeriod    calendar.Period
	TransactionID string
	CarriedAt     time.Time
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

// UndoingOf shows what revoking would take back.
func UndoingOf(tx *db.Tx, id string) (u Undoing, err error) {
	if u.Settlement, err = Of(tx, id); err != nil {
		return u, err
	}
	closed, err := absorbedBy(tx, id)
	if err != nil {
		return u, err
	}
	for _, a := range closed {
		u.Absorbed = append(u.Absorbed, a.Period)
	}
	if u.Carries, err = CarriesOf(tx, id); err != nil {
		return u, err
	}
	u.Refusal, err = u.refusal(tx)
	return u, err
}

// refusal says why a settlement cannot be revoked: because of what it is, or
// because a later one builds on it, by what it carried or by what it charged.
func (s *Settlement) refusal(tx *db.Tx) (refusal, err error) {
	if s.State == Paid {
		return ErrPaid.With("number", s.Number), nil
	}
	if refusal := s.actable(); refusal != nil {
		return refusal, nil
	}
	if s.Batch > 0 {
		return ErrInBatch.With("batch", s.Batch), nil
	}
	later, err := db.Select[numbered](tx, `SELECT l.id, l.number FROM settlement_carries c JOIN transactions t ON t.tenant_id = c.tenant_id
		AND t.id = c.transaction_id
		JOIN settlements l ON l.tenant_id = t.tenant_id AND l.id = t.settlement_id WHERE c.tenant_id = $1 AND c.settlement_id = $2
		AND c.transaction_id <> '' ORDER BY l.number`, s.ID)
	if err != nil {
		return nil, err
	}
	if len(later) > 0 {
		return ErrCarried.With("settlement", later[0].ID).With("number", later[0].Number), nil
	}
	if later, err = db.Select[numbered](tx, `SELECT DISTINCT l.id, l.number FROM settlement_bases b
		JOIN settlements l ON l.tenant_id = b.tenant_id AND l.id = b.settlement_id
		WHERE b.tenant_id = $1 AND b.base_id IN (SELECT id FROM settlements WHERE tenant_id = $1 AND absorbed_into = $2 AND absorbed_into <> ''
		UNION ALL SELECT $2) AND l.state <> 'revoked' ORDER BY l.number`, s.ID); err != nil {
		return nil, err
	}
	if len(later) > 0 {
		return ErrCarried.With("settlement", later[0].ID).With("number", later[0].Number), nil
	}
	return nil, nil
}

type numbered struct {
	ID     string
	Number int64
}

// Revoke takes a settlement back: what it took is unsettled again, what it
// carried is deleted, what it absorbed is open, and its unit of the licence is
// given back. Its number is not used again.
func (d *Service) Revoke(tx *db.Tx, id, reason string) error {
	reason = strings.TrimSpace(reason)
	switch {
	case reason == "":
		return ErrInvalid.Field("reason", fault.Required)
	case len([]rune(reason)) > ReasonMax:
		return ErrInvalid.Field("reason", fault.TooLong)
	}
	u, err := UndoingOf(tx, id)
	if err != nil {
		return err
	}
	if u.Refusal != nil {
		return u.Refusal
	}
	closed, err := absorbedBy(tx, id)
	if err != nil {
		return err
	}
	ids := []string{}
	for _, one := range append(closed, absorbed{id, u.DriverID, u.Period, u.Weeks, u.FirstOn, u.LastOn}) {
		if err := free(tx, one, reason); err != nil {
			return err
		}
		ids = append(ids, one.ID)
	}
	const carried = `SELECT transaction_id FROM settlement_carries WHERE tenant_id = $1 AND settlement_id = $2 AND transaction_id <> ''`
	if _, err := tx.Exec(`DELETE FROM driver_merge_transactions WHERE tenant_id = $1 AND transaction_id IN (`+carried+`)`, id); err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM transactions WHERE tenant_id = $1 AND id IN (`+carried+`)`, id); err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM settlement_carries WHERE tenant_id = $1 AND settlement_id = $2`, id); err != nil {
		return err
	}
	if err := licences.GiveBack(tx, 1); err != nil {
		return err
	}
	if err := settledOn(tx, u.DriverID, u.MergedInto); err != nil {
		return err
	}
	if err := ledger.FollowMerge(tx, u.DriverID); err != nil {
		return err
	}
	// what a later file said anew could only be corrected while it was settled
	if err := imports.Reconcile(tx); err != nil {
		return err
	}
	if d.AfterRevoke != nil {
		if err := d.AfterRevoke(tx, ids); err != nil {
			return err
		}
	}
	return audit.Record(tx, audit.Change{Action: "settlements.revoke", Kind: kindOfSettlement, ID: id,
		Before: map[string]any{"number": u.Number, "period": u.Period, "payout": u.Payout}, Reason: reason})
}

// free revokes one settlement and lets go of what it took.
func free(tx *db.Tx, one absorbed, reason string) error {
	if _, err := tx.Exec(`UPDATE settlements SET state = 'revoked', revoked_at = $3, revoked_by = $4, revoke_reason = $5 WHERE tenant_id = $1
		AND id = $2`, one.ID, tx.Now, tx.Actor.Name, reason); err != nil {
		return err
	}
	_, err := tx.Exec(`UPDATE transactions SET settlement_id = '' WHERE tenant_id = $1 AND driver_id = $2 AND occurred_on BETWEEN $3 AND $4
		AND settlement_id = $5`,
		one.DriverID, string(one.FirstOn), string(one.LastOn), one.ID)
	return err
}

// settledOn finds anew which day of a driver is the last settled one.
func settledOn(tx *db.Tx, ids ...string) error {
	for _, id := range ids {
		if id == "" {
			continue
		}
		if _, err := tx.Exec(`UPDATE drivers SET settled_on = COALESCE((SELECT MAX(s.last_on) FROM settlements s WHERE s.tenant_id = $1
			AND s.driver_id IN (SELECT id FROM drivers WHERE tenant_id = $1 AND merged_into = $2 AND merged_into <> '' UNION ALL SELECT $2)
			AND s.state <> 'revoked'), '') WHERE tenant_id = $1 AND id = $2`, id); err != nil {
			return err
		}
	}
	return nil
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
