package pipeline

import (
	"slices"
	"strconv"

	"saldo/internal/imports/counts"
	"saldo/internal/imports/providers/mapped"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
)

// Warning is something to look at before confirming.
type Warning struct {
	Code     string `json:"code"`
	Count    int64  `json:"count"`
	ImportID string `json:"importId"` // that it is about; empty: none
	Found    string `json:"found"`
	Expected string `json:"expected"`
}

// The codes of warnings.
const (
	WarnFuture        = "future_dates"
	WarnPeriod        = "period_differs"     // from the days that were chosen
	WarnDuplicate     = "same_content"       // as another import
	WarnSameMoney     = "same_money"         // as another import, in another form
	WarnOverlap       = "same_period"        // as another import of the same kind, whose rows are other ones
	WarnOtherProvider = "other_provider"     // than was chosen
	WarnProvider      = "provider_as_before" // the file does not say which of two it is
	WarnPart          = "part_not_read"      // a table of the file that no layout has
	WarnNothing       = "nothing_new"
	WarnNothingToBook = "nothing_to_book" // no row has an amount, or all were refused
	WarnMoney         = "money_differs"   // by more than half from the file of the days before
	WarnSettled       = "period_settled"  // drivers are settled for these days: what is new makes supplementary settlements
)

// Warnings lists the codes, for the contract.
func Warnings() []string {
	return []string{WarnFuture, WarnPeriod, WarnDuplicate, WarnSameMoney, WarnOverlap, WarnOtherProvider, WarnProvider, WarnPart, WarnNothing,
		WarnNothingToBook, WarnMoney, WarnSettled}
}

func (j *analysis) warn(l Pipeline, i File) error {
	warn := func(w Warning) { j.preview.Warnings = append(j.preview.Warnings, w) }
	if j.future > 0 {
		warn(Warning{Code: WarnFuture, Count: j.future})
	}
	if i.Dates.To != "" && i.PeriodTo != "" && i.PeriodSource != "picker" && (i.PeriodFrom < i.Dates.From || i.PeriodTo > i.Dates.To) {
		warn(Warning{Code: WarnPeriod, Found: string(i.PeriodFrom + "–" + i.PeriodTo), Expected: string(i.Dates.From + "–" + i.Dates.To)})
	}
	if i.DuplicateOf != "" {
		warn(Warning{Code: WarnDuplicate, ImportID: i.DuplicateOf})
	}
	if i.Chosen != "" && i.Chosen != i.Provider {
		warn(Warning{Code: WarnOtherProvider, Found: i.Provider, Expected: i.Chosen})
	}
	for _, p := range j.rd.parts {
		if p.asBefore {
			warn(Warning{Code: WarnProvider, Found: p.Provider})
		}
		if p.Role == RoleUnknown || p.Role == RoleWrongReport {
			warn(Warning{Code: WarnPart, Found: cut(p.Name)})
		}
	}
	others, err := l.sameMoneyAs(j.tx, i, j.rd.parts)
	if err != nil {
		return err
	}
	for _, id := range others {
		warn(Warning{Code: WarnSameMoney, ImportID: id})
	}
	c := j.preview.Counts.Transactions
	if c.Existing == c.All && c.All > 0 {
		warn(Warning{Code: WarnNothing})
	}
	if !c.Bookable() {
		warn(Warning{Code: WarnNothingToBook, Count: c.Failed})
	}
	if i.DuplicateOf == "" && c.Existing == 0 {
		same, err := overlapping(j.tx, i, l.kindsBeside(i))
		if err != nil {
			return err
		}
		for _, id := range same {
			warn(Warning{Code: WarnOverlap, ImportID: id})
		}
	}
	if i.PeriodTo != "" && c.New+c.Unassigned > 0 {
		settled, err := db.One[int64](j.tx, `SELECT COUNT(DISTINCT driver_id) FROM settlements WHERE tenant_id = $1 AND state <> 'revoked'
			AND first_on <= $3 AND last_on >= $2 AND last_on <= $4`,
			string(i.PeriodFrom), string(i.PeriodTo), string(i.PeriodTo.AddDays(27)))
		if err != nil {
			return err
		}
		if settled > 0 {
			warn(Warning{Code: WarnSettled, Count: settled, Found: string(i.PeriodFrom + "–" + i.PeriodTo)})
		}
	}
	if before, money, err := moneyBefore(j.tx, i); err != nil {
		return err
	} else if now := j.preview.Totals.Counted(); before != "" && differs(now, money) {
		warn(Warning{Code: WarnMoney, ImportID: before, Found: strconv.FormatInt(int64(now), 10), Expected: strconv.FormatInt(int64(money), 10)})
	}
	return nil
}

// differs says whether one amount is more than half away from another.
func differs(now, before money.Amount) bool {
	half := max(before, -before) / 2
	return before != 0 && (now > before+half || now < before-half)
}

// moneyBefore is the last standing import of the same provider and kind that
// ended before this one begins and covers as many days, and what it held. A
// week is not compared with a month.
func moneyBefore(tx *db.Tx, i File) (id string, held money.Amount, err error) {
	if i.PeriodTo == "" || i.Provider == "" {
		return "", 0, nil
	}
	others, err := db.Select[struct {
		ID                   string
		PeriodFrom, PeriodTo calendar.Date
		Totals               counts.Totals
	}](tx, `SELECT id, period_from, period_to, totals FROM imports WHERE tenant_id = $1 AND provider = $2 AND kind = $3 AND status = 'success'
		AND booked_as <> 'detail'
		AND period_to <> '' AND period_to < $4 ORDER BY period_to DESC, id DESC LIMIT 20`, i.Provider, i.Kind, string(i.PeriodFrom))
	for _, o := range others {
		if o.PeriodTo.DaysSince(o.PeriodFrom) == i.PeriodTo.DaysSince(i.PeriodFrom) {
			return o.ID, o.Totals.Counted(), err
		}
	}
	return "", 0, err
}

// sameMoneyAs are the imports that brought the same money in another form.
func (l Pipeline) sameMoneyAs(tx *db.Tx, i File, parts []*Part) ([]string, error) {
	kinds := []string{}
	for _, p := range parts {
		if p.Role != RoleMoney {
			continue
		}
		kinds = append(kinds, p.layout.Details...)
		for _, other := range l.Layouts {
			if other.Provider == p.layout.Provider && slices.Contains(other.Details, p.Kind) {
				kinds = append(kinds, other.Kind)
			}
		}
	}
	return overlapping(tx, i, kinds)
}

// overlapping are the standing imports of the same provider and of these kinds
// whose days overlap, apart from those that brought no money.
func overlapping(tx *db.Tx, i File, kinds []string) ([]string, error) {
	found := []string{}
	if i.PeriodTo == "" || i.Provider == "" {
		return found, nil
	}
	others, err := db.Select[struct{ ID, Kind string }](tx, `SELECT id, kind FROM imports WHERE tenant_id = $1 AND id <> $2 AND provider = $3
		AND status = 'success' AND booked_as <> 'detail'
		AND period_to <> '' AND period_from <= $4 AND period_to >= $5 ORDER BY id`, i.ImportID, i.Provider,
		string(i.PeriodTo), string(i.PeriodFrom))
	for _, o := range others {
		if slices.Contains(kinds, o.Kind) {
			found = append(found, o.ID)
		}
	}
	return found, err
}

// kindsBeside are the kinds whose files may hold the same rows in another form: a described file may be any kind of its provider.
func (l Pipeline) kindsBeside(i File) []string {
	kinds := []string{i.Kind, mapped.Kind}
	if i.Kind == mapped.Kind {
		for _, l := range l.Layouts {
			kinds = append(kinds, l.Kind)
		}
	}
	return kinds
}
