package settlements

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/settlements/snapshot"
)

// Filter chooses settled settlements. What is empty filters nothing.
type Filter struct {
	State             State
	Since, Period     calendar.Period // those from Since to Period; without Since those of Period
	EndsFrom, EndsTo  calendar.Date   // their last day is one of these; both or neither
	DriverID          string          // also of those who were merged into them
	Query, Tag, RunID string
	Sort              string
	Descending        bool
	Page, Size        int64
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

// where is the filter as conditions on settlements s and drivers d, with their arguments from $2 on.
func (f Filter) where() (where string, args []any) {
	put := func(value any) string {
		args = append(args, value)
		return fmt.Sprintf("$%d", len(args)+1)
	}
	if f.State != "" {
		where += ` AND s.state = ` + put(string(f.State))
	}
	if f.Period != "" {
		where += ` AND s.period BETWEEN ` + put(string(cmp.Or(f.Since, f.Period))) + ` AND ` + put(string(f.Period))
	}
	if f.EndsTo != "" {
		where += ` AND s.last_on BETWEEN ` + put(string(f.EndsFrom)) + ` AND ` + put(string(f.EndsTo))
	}
	if f.RunID != "" {
		where += ` AND s.run_id = ` + put(f.RunID)
	}
	if f.DriverID != "" {
		where += ` AND s.driver_id` + drivers.Those(put(f.DriverID))
	}
	if f.Tag != "" {
		where += ` AND EXISTS (SELECT 1 FROM driver_tags t WHERE t.tenant_id = s.tenant_id AND t.driver_id = s.driver_id AND t.tag_id = ` +
			put(f.Tag) + `)`
	}
	named := ` AND (1 = 1`
	for _, word := range strings.Fields(i18n.Fold(f.Query)) {
		named += ` AND d.search_key LIKE ` + put("%"+db.Literal(word)+"%") + ` ESCAPE '!'`
	}
	if number, err := strconv.ParseInt(strings.TrimPrefix(f.Query, "#"), 10, 64); err == nil {
		named += ` OR s.number = ` + put(number)
	}
	return where + named + `)`, args
}

// by is the order: what was asked for, then the newest first.
func (f Filter) by() db.Order {
	column, known := map[string]string{ByName: "d.search_key", ByPayout: "s.payout", ByRevenue: "s.revenue"}[f.Sort]
	if !known {
		return db.Order{{Column: "s.number", Descending: true}, {Column: "s.id"}}
	}
	return db.Order{{Column: column, Descending: f.Descending}, {Column: "s.number", Descending: true}}
}

// PlaceOf is where a settlement stands in the list of a filter, also where it was revoked or paid meanwhile and is no longer in it.
func PlaceOf(tx *db.Tx, f Filter, id string) (db.Place, error) {
	where, args := f.where()
	return db.PlaceOf(tx, db.Listed{From: `settlements s JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id`, ID: "s.id",
		Own: `s.tenant_id = $1`, Where: `s.tenant_id = $1` + where, Args: args, By: f.by(), Missing: ErrNotFound}, id)
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
	p.Items, err = db.Select[Settlement](tx, settlementQuery+where+f.by().SQL()+limit, append(args, f.Size, (f.Page-1)*f.Size)...)
	return p, err
}

// Each hands over every settlement of a filter in its order, always in the same place.
func Each(tx *db.Tx, f Filter, fn func(*Settlement) error) error {
	where, args := f.where()
	return db.Each(tx, fn, settlementQuery+where+f.by().SQL(), args...)
}

// EachApps hands over the apps of every settlement of a filter.
func EachApps(tx *db.Tx, f Filter, fn func([]snapshot.App)) error {
	where, args := f.where()
	return db.Each(tx, func(kept *string) error {
		apps, err := snapshot.ParseApps(*kept)
		fn(apps)
		return err
	}, `SELECT s.apps FROM settlements s JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id WHERE s.tenant_id = $1`+where,
		args...)
}

// EachPaid hands over every settlement that was paid on the days from the first to the last, by day and number, always in the same place.
func EachPaid(tx *db.Tx, first, last calendar.Date, fn func(*Settlement) error) error {
	return db.Each(tx, fn, settlementQuery+` AND s.state = 'paid' AND s.paid_on BETWEEN $2 AND $3 ORDER BY s.paid_on, s.number`, string(first),
		string(last))
}

// SharedWith are a driver's settlements that they may see, newest first: of periods that end on a day or later, so many at most.
func SharedWith(tx *db.Tx, driver string, from calendar.Date, maximum int64) ([]Settlement, error) {
	return db.Select[Settlement](tx, settlementQuery+
		` AND s.driver_id`+drivers.Those("$2")+` AND s.shared_at <> '' AND s.last_on >= $3 AND s.state <> 'revoked'
		ORDER BY s.last_on DESC, s.number DESC LIMIT $4`, driver, string(from), maximum)
}

// IsShared is an error unless the driver may see the settlement.
func IsShared(tx *db.Tx, id, driver string) error {
	found, err := db.Select[string](tx, `SELECT s.id FROM settlements s JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id
		WHERE s.tenant_id = $1 AND s.id = $2 AND `+drivers.SameDriver("d", "$3")+` AND s.shared_at <> '' AND s.state <> 'revoked'`, id, driver)
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	return err
}
