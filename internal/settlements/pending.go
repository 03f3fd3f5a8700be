package settlements

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/settlements/engine"
)

// What should be looked at before money moves, besides the engine's own.
const (
	Differs        engine.WarningCode = "differs"         // payout more than half above or below the last period's
	AccountChanged engine.WarningCode = "account_changed" // lately
	SameAccount    engine.WarningCode = "same_account"    // as another driver
	DocumentsDue   engine.WarningCode = "documents"       // expired or missing
	MinimumRate    engine.WarningCode = "minimum_rate"    // a civil contract pays less for the tracked time than the law wants
)

// Refusals besides the engine's own.
const (
	Uncomputed engine.Refusal = "uncomputed" // it could not be computed; its figures are zero
	Blocked    engine.Refusal = "blocked"    // the driver is: what is due stays pending until they are unblocked
)

// changedLately is how long a new bank account is told of.
const changedLately = 14 * 24 * time.Hour

// Pending is one driver's period that could be settled.
type Pending struct {
	Driver   *Driver
	Schema   string // its name
	Before   int    // older negative periods that it carries
	Warnings []engine.Warning
	LastPaid *money.Amount // payout of the last period; nil: there was none
	*engine.Settlement

	failed error
}

// Refusal says why it cannot be settled now; empty: it can.
func (p *Pending) Refusal() engine.Refusal {
	return refusalOf(p.Driver, p.failed, p.Settlement)
}

// refusalOf says why a driver's period cannot be settled now; empty: it can.
func refusalOf(driver *Driver, failed error, s *engine.Settlement) engine.Refusal {
	switch {
	case driver.Blocked:
		return Blocked
	case failed != nil:
		return Uncomputed
	}
	return s.Refusal()
}

// Order of a list of pending settlements.
const (
	ByName    = "name"
	ByPayout  = "payout"
	ByRevenue = "revenue"
)

// PendingFilter chooses pending settlements of a period. What is empty filters nothing.
type PendingFilter struct {
	Period     calendar.Period
	Query      string // every word must be a part of what drivers are found by
	Tag        string
	Schema     int64
	Least      *money.Amount // of what is due
	Most       *money.Amount
	Warning    string // a code of a warning or refusal; "any": with some
	Sort       string
	Descending bool
	Page, Size int64
}

// Totals are sums of a filter, as an equation: revenue, less cash, fees and
// costs, with what comes from before, is due.
type Totals struct {
	Drivers, Settleable, Warned               int64
	Revenue, Cash, Fees, Costs, Previous, Due money.Amount
	Payout                                    money.Amount // of those that can be settled
	Providers                                 []string
}

// PendingPage is a page of pending settlements with the totals of the filter.
type PendingPage struct {
	Items  []Pending
	Totals Totals
	All    int64 // without the filter
}

// PendingPage computes what is pending in a period.
func (d *Service) PendingPage(tx *db.Tx, f PendingFilter) (PendingPage, error) {
	found, err := d.pending(tx, f.Period, all)
	if err != nil {
		return PendingPage{}, err
	}
	page := PendingPage{All: int64(len(found))}
	if found, err = f.chosen(tx, found); err != nil {
		return page, err
	}
	if page.Totals, err = totalsOf(found); err != nil {
		return page, err
	}
	f.sort(found)
	from := min(max(0, (f.Page-1)*f.Size), int64(len(found)))
	page.Items = found[from:min(from+f.Size, int64(len(found)))]
	return page, nil
}

// pending is what could be settled in a period, in any order.
func (d *Service) pending(tx *db.Tx, period calendar.Period, whose []string) ([]Pending, error) {
	b, err := d.book(tx)
	if err != nil {
		return nil, err
	}
	chains, err := d.chains(tx, b, period, whose)
	if err != nil {
		return nil, err
	}
	last, err := lastPayouts(tx, period, whose)
	if err != nil {
		return nil, err
	}
	accounts := map[string]int{}
	for _, c := range chains {
		accounts[c.IBANSum]++
	}
	documents := map[string]int{}
	if d.Documents != nil {
		if documents, err = d.Documents(tx, whose); err != nil {
			return nil, err
		}
	}
	worked, err := d.worked(tx, period)
	if err != nil {
		return nil, err
	}
	found := make([]Pending, 0, len(chains))
	for _, c := range chains {
		if c.failed != nil {
			found = append(found, c.uncomputed(b, period))
			continue
		}
		at := c.at(period)
		if at < 0 {
			continue
		}
		s := &c.periods[at]
		p := Pending{Driver: c.Driver, Schema: b.rulesOf(c.Driver).Name, Before: len(s.CarriedFrom), Warnings: s.Warnings, Settlement: s}
		if paid, ok := last[lastKey{c.ID, previous(period, s.Weeks)}]; ok {
			p.LastPaid = &paid
			if now := s.Figures[engine.Payout]; paid > 0 && (2*now > 3*paid || 2*now < paid) {
				p.Warnings = append(p.Warnings, engine.Warning{Code: Differs, Amount: paid})
			}
		}
		if !c.IBANChangedAt.IsZero() && tx.Now.Sub(c.IBANChangedAt) < changedLately {
			p.Warnings = append(p.Warnings, engine.Warning{Code: AccountChanged})
		}
		if c.IBANSum != "" && accounts[c.IBANSum] > 1 {
			p.Warnings = append(p.Warnings, engine.Warning{Code: SameAccount, Count: accounts[c.IBANSum]})
		}
		if least := d.leastPay(c.open.Rules.ContractType, s, worked[c.ID]); least > 0 {
			p.Warnings = append(p.Warnings, engine.Warning{Code: MinimumRate, Amount: least})
		}
		if n := documents[c.ID]; n > 0 {
			p.Warnings = append(p.Warnings, engine.Warning{Code: DocumentsDue, Count: n})
		}
		found = append(found, p)
	}
	return found, nil
}

// uncomputed is the period of a driver whose figures nobody knows.
func (c *chain) uncomputed(b *book, period calendar.Period) Pending {
	terms := c.open.Terms
	s := &engine.Settlement{Period: period, Weeks: terms.Weeks, Schema: terms.Schema}
	s.First, s.Last, _ = calendar.PeriodDays(period, int(terms.Rules.WeekStartDay), terms.Weeks)
	return Pending{Driver: c.Driver, Schema: b.rulesOf(c.Driver).Name, Settlement: s, failed: c.failed}
}

// previous is the code of the period before one of so many weeks.
func previous(period calendar.Period, weeks int) calendar.Period {
	for range weeks {
		period = period.Prev()
	}
	return period
}

type lastKey struct {
	driver string
	period calendar.Period
}

// lastPayouts are what drivers were paid for the period before, whatever their frequency: everybody, or one alone.
func lastPayouts(tx *db.Tx, period calendar.Period, whose []string) (map[lastKey]money.Amount, error) {
	of, args := "", []any{string(previous(period, 1)), string(previous(period, 2)), string(previous(period, 4))}
	if len(whose) == 1 {
		of, args = ` AND driver_id = $5`, append(args, whose[0])
	}
	rows, err := db.Select[struct {
		DriverID string
		Period   calendar.Period
		Payout   money.Amount
	}](tx, `SELECT driver_id, period, CAST(SUM(payout) AS BIGINT) AS payout FROM settlements
		WHERE tenant_id = $1 AND period IN ($2, $3, $4) AND state <> 'revoked' AND absorbed_into = ''`+of+` GROUP BY driver_id, period`, args...)
	last := make(map[lastKey]money.Amount, len(rows))
	for _, r := range rows {
		last[lastKey{r.DriverID, r.Period}] = r.Payout
	}
	return last, err
}

// chosen keeps what the filter asks for.
func (f PendingFilter) chosen(tx *db.Tx, found []Pending) ([]Pending, error) {
	var tagged map[string]bool
	if f.Tag != "" {
		ids, err := db.Select[string](tx, `SELECT driver_id FROM driver_tags WHERE tenant_id = $1 AND tag_id = $2`, f.Tag)
		if err != nil {
			return nil, err
		}
		tagged = make(map[string]bool, len(ids))
		for _, id := range ids {
			tagged[id] = true
		}
	}
	words := strings.Fields(i18n.Fold(f.Query))
	return slices.DeleteFunc(found, func(p Pending) bool {
		due := p.Figures[engine.Due]
		return tagged != nil && !tagged[p.Driver.ID] || f.Schema != 0 && p.Settlement.Schema.Number != f.Schema ||
			f.Least != nil && due < *f.Least || f.Most != nil && due > *f.Most || !p.warned(f.Warning) ||
			slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(p.Driver.SearchKey, word) })
	}), nil
}

// warned says whether a pending settlement has the warning or refusal.
func (p *Pending) warned(code string) bool {
	switch code {
	case "":
		return true
	case "any":
		return len(p.Warnings) > 0 || p.Refusal() != ""
	}
	return string(p.Refusal()) == code || slices.ContainsFunc(p.Warnings, func(w engine.Warning) bool { return string(w.Code) == code })
}

func (f PendingFilter) sort(found []Pending) {
	slices.SortStableFunc(found, func(a, b Pending) int {
		order := 0
		switch f.Sort {
		case ByPayout:
			order = cmp.Compare(a.Figures[engine.Due], b.Figures[engine.Due])
		case ByRevenue:
			order = cmp.Compare(a.Figures[engine.Revenue], b.Figures[engine.Revenue])
		default:
			order = cmp.Compare(a.Driver.SearchKey, b.Driver.SearchKey)
		}
		if f.Descending {
			order = -order
		}
		return cmp.Or(order, cmp.Compare(a.Driver.SearchKey, b.Driver.SearchKey), cmp.Compare(a.Driver.ID, b.Driver.ID))
	})
}

// totalsOf adds a filter up. What is neither revenue, cash nor a fee and not
// from before is a cost, so that the equation is exact.
func totalsOf(found []Pending) (t Totals, err error) {
	add := func(sum *money.Amount, amount money.Amount) {
		if err == nil {
			*sum, err = sum.Add(amount)
		}
	}
	providers := map[string]bool{}
	for i := range found {
		p := &found[i]
		f := &p.Figures
		t.Drivers++
		if len(p.Warnings) > 0 || p.Refusal() != "" {
			t.Warned++
		}
		if p.Refusal() == "" {
			t.Settleable++
			add(&t.Payout, f[engine.Payout])
		}
		add(&t.Revenue, f[engine.Revenue])
		add(&t.Cash, f[engine.CashDeducted])
		add(&t.Fees, f.Fees())
		add(&t.Costs, f.Costs())
		add(&t.Previous, f[engine.PreviousPeriod])
		add(&t.Due, f[engine.Due])
		for _, a := range p.Apps {
			providers[a.Provider] = true
		}
	}
	t.Providers = slices.AppendSeq([]string{}, maps.Keys(providers))
	slices.Sort(t.Providers)
	return t, err
}
