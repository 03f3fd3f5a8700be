package settlements

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"

	"saldo/internal/invoices"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
	"saldo/internal/tracking"
)

// chain is what one driver has pending, oldest first.
type chain struct {
	*Driver
	open    engine.Open
	bases   []base // what open.Settled is made of
	periods []engine.Settlement
	failed  error // why they could not be computed: a mistake in the program or in its data, that no other try would heal
}

// at is the place of a period in the chain, or -1.
func (c *chain) at(period calendar.Period) int {
	for i := range c.periods {
		if c.periods[i].Period == period {
			return i
		}
	}
	return -1
}

// all asks for every driver.
var all []string

// booked is one row as the engine asks for it.
type booked struct {
	ID, DriverID, Provider, Type string
	SettlementID                 string // where it was asked for
	Amount                       money.Amount
	OccurredOn, SpanFrom, SpanTo calendar.Date
}

func (u *booked) transaction() engine.Transaction {
	return engine.Transaction{ID: u.ID, Provider: u.Provider, Type: u.Type, On: u.OccurredOn, SpanFrom: u.SpanFrom, SpanTo: u.SpanTo,
		Amount: u.Amount}
}

// many is how many ids one query names.
const many = db.Most

// chains computes what drivers have pending up to the end of a period, or all
// of it where none is given. Only drivers with something are in it, in any
// order; with a period only those whose own period ends in it. Of more than many, only the figures of that period are kept: no more
// rows are held at once than those of many drivers.
func (d *Service) chains(tx *db.Tx, b *book, upTo calendar.Period, whose []string) (found []*chain, err error) {
	if len(whose) == 0 {
		if whose, err = db.Select[string](tx, `SELECT id FROM drivers WHERE tenant_id = $1 AND merged_into = ''`); err != nil {
			return nil, err
		}
	}
	whose = slices.Compact(slices.Sorted(slices.Values(whose)))
	for some := range slices.Chunk(whose, many) {
		chains, err := d.someChains(tx, b, upTo, some)
		if err != nil {
			return nil, err
		}
		for _, c := range chains {
			if len(whose) > many {
				c.open, c.bases, c.periods = engine.Open{Terms: c.open.Terms}, nil, c.bare(upTo)
			}
		}
		found = append(found, chains...)
	}
	return found, nil
}

// bare is one period of a chain without what its figures are made of.
func (c *chain) bare(period calendar.Period) []engine.Settlement {
	if at := c.at(period); at >= 0 {
		return []engine.Settlement{c.periods[at].Bare()}
	}
	return nil
}

func (d *Service) someChains(tx *db.Tx, b *book, upTo calendar.Period, whose []string) ([]*chain, error) {
	in, ids := db.Filled(2, whose)
	drivers, err := db.Select[Driver](tx, `SELECT `+driverColumns+` FROM drivers WHERE tenant_id = $1 AND merged_into = '' AND id `+in, ids...)
	if err != nil {
		return nil, err
	}
	found := make(map[string]*chain, len(drivers))
	last := make(map[string]calendar.Date, len(drivers)) // whose rows count up to which day
	for i := range drivers {
		driver := &drivers[i]
		terms := b.terms(driver)
		if upTo != "" {
			_, to, closes := calendar.PeriodDays(upTo, int(terms.Rules.WeekStartDay), terms.Weeks)
			switch {
			case driver.SettledOn >= upTo.Monday() && driver.SettledOn >= to: // settled days keep their period: they may be of this one
				to = latest(upTo)
			case !closes:
				continue
			}
			last[driver.ID] = to
		}
		found[driver.ID] = &chain{Driver: driver, open: engine.Open{Terms: terms, VATOn: b.vatOn}}
	}
	if err := readInvoicesAndTrips(tx, upTo, whose, found, last); err != nil {
		return nil, err
	}
	withRows, err := readOpen(tx, upTo, whose, found, last)
	if err != nil {
		return nil, err
	}
	if err := readBefore(tx, withRows); err != nil {
		return nil, err
	}
	compute(withRows)
	if upTo != "" {
		for _, c := range withRows {
			c.periods = slices.DeleteFunc(c.periods, func(s engine.Settlement) bool { return s.Period > upTo })
		}
	}
	return withRows, nil
}

// readInvoicesAndTrips gives the chains their invoices, and their trips as far as their rows are read.
func readInvoicesAndTrips(tx *db.Tx, upTo calendar.Period, whose []string, found map[string]*chain, last map[string]calendar.Date) error {
	given, err := invoices.Open(tx, latest(upTo), whose)
	if err != nil {
		return err
	}
	driven, err := tracking.Open(tx, whose)
	for id, c := range found {
		if c.open.Invoices, c.open.Trips = given[id], driven[id]; len(c.open.Invoices) == 0 {
			to := cmp.Or(last[id], latest(upTo))
			c.open.Trips = slices.DeleteFunc(c.open.Trips, func(t engine.Trip) bool { return t.On > to })
		}
	}
	return err
}

const openOf = `t.driver_id, t.provider, t.type, t.amount, t.occurred_on, t.span_from, t.span_to FROM drivers d
	{each transactions t ON t.tenant_id = $1 AND t.driver_id = d.id AND t.settlement_id = '' AND t.deleted_at = ''`

// readOpen gives the chains their rows. An invoice goes into the first period with rows that ends on its day or later, so whoever has
// one is read to the end, whatever period was asked for.
func readOpen(tx *db.Tx, upTo calendar.Period, whose []string, found map[string]*chain, last map[string]calendar.Date) (withRows []*chain,
	err error) {
	id := ""
	if len(whose) == 1 {
		id = "t.id, " // whoever asks for one driver wants to see the rows
	}
	in, ids := db.Filled(3, whose)
	var now *chain
	err = db.Each(tx, func(row *booked) error {
		if now == nil || now.ID != row.DriverID {
			if now = found[row.DriverID]; now == nil {
				return nil
			}
		}
		if to, bound := last[row.DriverID]; bound && row.OccurredOn > to && len(now.open.Invoices) == 0 {
			return nil
		}
		if len(now.open.Transactions) == 0 {
			withRows = append(withRows, now)
		}
		now.open.Transactions = append(now.open.Transactions, row.transaction())
		return nil
	}, `SELECT `+id+openOf+` AND t.occurred_on <= $2} WHERE d.tenant_id = $1 AND d.id `+in, append([]any{string(latest(upTo))}, ids...)...)
	if err != nil {
		return nil, err
	}
	var invoiced []string
	for driver, c := range found {
		if len(c.open.Invoices) > 0 {
			invoiced = append(invoiced, driver)
		}
		if len(c.open.Transactions) == 0 && len(c.open.Invoices)+len(c.open.Trips) > 0 {
			withRows = append(withRows, c)
		}
	}
	if upTo == "" {
		return withRows, nil
	}
	slices.Sort(invoiced)
	for some := range slices.Chunk(invoiced, many) {
		in, ids := db.Filled(3, some)
		if err := db.Each(tx, func(row *booked) error {
			c := found[row.DriverID]
			c.open.Transactions = append(c.open.Transactions, row.transaction())
			return nil
		}, `SELECT `+id+openOf+` AND t.occurred_on > $2} WHERE d.tenant_id = $1 AND d.id `+in,
			append([]any{string(latest(upTo))}, ids...)...); err != nil {
			return nil, err
		}
	}
	return withRows, nil
}

// latest is the last day that any driver's period can have.
func latest(upTo calendar.Period) calendar.Date {
	if upTo == "" {
		return "9999"
	}
	return upTo.Monday().AddDays(12)
}

// since is the first day of the four weeks that a chain's oldest row may share
// with a settled period, whatever its frequency was; empty: no period of the chain has a settled day.
func (c *chain) since() calendar.Date {
	if c.SettledOn == "" {
		return ""
	}
	first := calendar.Date("9999")
	for _, t := range c.open.Transactions {
		first = min(first, t.On)
	}
	for _, v := range c.open.Invoices {
		first = min(first, v.On)
	}
	for _, t := range c.open.Trips {
		first = min(first, t.On)
	}
	own := calendar.PeriodOf(first, int(c.open.Rules.WeekStartDay)).Closing(c.open.Weeks)
	from, _, _ := calendar.PeriodDays(own, 1, c.open.Weeks)
	if from > c.SettledOn {
		return ""
	}
	from, _, _ = calendar.PeriodDays(own.Closing(4), 1, 4)
	return from
}

// readBefore gives chains what was settled of their weeks already, also for
// those who were merged into the driver. Only who has rows in a settled week is asked for: few, until a late file comes.
func readBefore(tx *db.Tx, chains []*chain) error {
	late, from := map[string]*chain{}, calendar.Date("")
	var ids []string
	for _, c := range chains {
		if since := c.since(); since != "" {
			late[c.ID], ids = c, append(ids, c.ID)
			if from == "" || since < from {
				from = since
			}
		}
	}
	for some := range slices.Chunk(ids, many) {
		in, args := db.Filled(3, some)
		// CROSS JOIN, or SQLite reads the settlements of all drivers
		found, err := db.Select[base](tx, `SELECT `+baseColumns+`, d.id AS standing FROM drivers d CROSS JOIN settlements s
			WHERE d.tenant_id = $1 AND s.tenant_id = d.tenant_id AND s.driver_id = d.id AND s.last_on >= $2 AND s.state <> 'revoked' AND d.id `+in+`
			UNION ALL SELECT `+baseColumns+`, d.merged_into AS standing FROM drivers d CROSS JOIN settlements s
			WHERE d.tenant_id = $1 AND s.tenant_id = d.tenant_id AND s.driver_id = d.id AND s.last_on >= $2 AND s.state <> 'revoked'
			AND d.merged_into <> '' AND d.merged_into `+in+` ORDER BY number`, append([]any{string(from)}, args...)...)
		if err != nil {
			return err
		}
		found = slices.DeleteFunc(found, func(b base) bool { return b.LastOn < late[b.Standing].since() })
		settled, err := settledOf(tx, found)
		if err != nil {
			return err
		}
		for i, b := range found {
			c := late[b.Standing]
			c.bases, c.open.Settled = append(c.bases, b), append(c.open.Settled, settled[i])
		}
	}
	return nil
}

// base is a settled settlement as a later one of the same weeks asks for it.
type base struct {
	ID, DriverID, Standing string
	Number                 int64
	Period                 calendar.Period
	Weeks                  int
	FirstOn, LastOn        calendar.Date
	Figures                string
}

const baseColumns = `s.id, s.driver_id, s.number, s.period, s.weeks, s.first_on, s.last_on, s.figures`

// settledOf is what bases charged and took. One base may stand in it several times.
func settledOf(tx *db.Tx, found []base) ([]engine.Settled, error) {
	before := make([]engine.Settled, len(found))
	places := make(map[string][]int, len(found))
	for i, s := range found {
		figures, err := snapshot.ParseFigures(s.Figures)
		if err != nil {
			return nil, err
		}
		before[i] = engine.Settled{Period: s.Period, Weeks: s.Weeks, First: s.FirstOn, Last: s.LastOn,
			Charged: engine.Charged{BaseCost: figures[engine.BaseCost], AdditionalSettlementCost: figures[engine.AdditionalSettlementCost],
				ContractBase: figures[engine.ContractBase], AppFee: figures[engine.AppFee], TripCost: figures[engine.TripCost]}}
		places[s.ID] = append(places[s.ID], i)
	}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(places)), many) {
		trips, err := tracking.TakenBy(tx, ids)
		if err != nil {
			return nil, err
		}
		for id, taken := range trips {
			for _, i := range places[id] {
				before[i].Trips = taken
			}
		}
		in, args := db.Filled(2, ids)
		// CROSS JOIN, or SQLite reads all transactions and asks for the settlement of each
		err = db.Each(tx, func(row *booked) error {
			for _, i := range places[row.SettlementID] {
				before[i].Transactions = append(before[i].Transactions, row.transaction())
			}
			return nil
		}, `SELECT t.id, t.driver_id, t.provider, t.type, t.amount, t.occurred_on, t.span_from, t.span_to, t.settlement_id
			FROM settlements s CROSS JOIN transactions t
			WHERE s.tenant_id = $1 AND s.id `+in+` AND t.tenant_id = s.tenant_id AND t.driver_id = s.driver_id
			AND t.occurred_on BETWEEN s.first_on AND s.last_on AND t.settlement_id = s.id`, args...)
		if err != nil {
			return nil, err
		}
	}
	return before, nil
}

// basesOf are those of a chain's bases that share a week with one of its periods.
func (c *chain) basesOf(s *engine.Settlement) (shared []string, samePeriod int64) {
	for _, b := range c.bases {
		if engine.SharesWeek(b.Period, b.Weeks, s.Period, s.Weeks) {
			shared = append(shared, b.ID)
		}
		if b.Period == s.Period {
			samePeriod++
		}
	}
	return shared, samePeriod
}

// compute fills in the periods, on all cores: the engine is pure. Whoever's
// cannot be computed keeps nobody else from being settled.
func compute(chains []*chain) {
	workers := min(runtime.GOMAXPROCS(0), 1+len(chains)/50)
	var working sync.WaitGroup
	for w := range workers {
		working.Go(func() {
			for i := w; i < len(chains); i += workers {
				c := chains[i]
				var err error
				if c.periods, err = engine.Pending(c.open); err != nil {
					c.periods, c.failed = nil, fmt.Errorf("settlement: driver %s: %w", c.ID, err)
				}
			}
		})
	}
	working.Wait()
}
