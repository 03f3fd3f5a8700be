package timeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/payouts"
	"saldo/internal/platform/mail"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
)

var at = time.Date(2026, 11, 9, 8, 0, 0, 0, time.UTC)

// short is a timeline in short: what is done, then what it waits for and why.
func short(steps []Step) string {
	parts := make([]string, len(steps))
	for i, s := range steps {
		parts[i] = string(s.Code)
		if !s.Done {
			parts[i] += "?"
		}
		if s.Reason != "" {
			parts[i] += "(" + string(s.Reason) + ")"
		}
	}
	return strings.Join(parts, " ")
}

func TestSteps_SayWhereTheMoneyIsAndWhyItStops(t *testing.T) {
	settled := settlements.Settlement{State: settlements.Settled, Payout: 100, Due: 100, SettledAt: at, LastOn: "2026-11-08"}
	with := func(change func(*settlements.Settlement)) *settlements.Settlement {
		s := settled
		change(&s)
		return &s
	}
	batch := payouts.Attempt{Number: 4, State: payouts.Released, Way: payouts.Domestic, PayOn: "2026-11-12", CreatedAt: at, ReleasedAt: at, Here: true}
	in := func(change func(*payouts.Attempt)) payouts.Attempt {
		a := batch
		change(&a)
		return a
	}
	shared := func(s *settlements.Settlement) { s.SharedAt = at }
	for want, f := range map[string]Facts{
		"settled shared?(not_shared) paid?(to_order)":        {Settlement: &settled},
		"imported calculated settled shared paid?(to_order)": {Settlement: with(shared), File: "uber.csv", ImportedAt: at, ShownAt: at},
		"settled shared sent paid?(to_order)":                {Settlement: with(shared), Mailed: true, Mail: mail.Sent},
		"settled shared sent?(mail_failed) paid?(to_order)":  {Settlement: with(shared), Mailed: true, Mail: mail.Failed},
		"settled shared sent?(mail_queued) paid?(to_order)":  {Settlement: with(shared), Mailed: true, Mail: mail.Queued},
		"settled shared paid?(no_account)":                   {Settlement: with(shared), Hindrance: payouts.NoAccount},
		"settled shared paid?(blocked)":                      {Settlement: with(shared), Hindrance: payouts.Blocked},
		"settled shared batched paid?(awaits_release)": {Settlement: with(shared), Attempts: []payouts.Attempt{in(func(a *payouts.Attempt) {
			a.State, a.ReleasedAt = payouts.Proposed, time.Time{}
		})}},
		"settled shared batched paid?(at_bank)": {Settlement: with(shared), Attempts: []payouts.Attempt{batch}},
		"settled shared batched released paid?(at_bank)": {Settlement: with(shared), Attempts: []payouts.Attempt{in(func(a *payouts.Attempt) {
			a.ReleasedAt = at.Add(time.Hour)
		})}},
		"settled shared batched paid?(in_cash)": {Settlement: with(shared), Attempts: []payouts.Attempt{in(func(a *payouts.Attempt) { a.Way = payouts.Cash })}},
		"settled shared batched returned(bank_returned) paid?(no_account)": {Settlement: with(shared), Hindrance: payouts.NoAccount,
			Attempts: []payouts.Attempt{in(func(a *payouts.Attempt) { a.Here, a.ReturnedOn = false, "2026-11-13" })}},
		"settled shared batched returned(given_up) paid?(to_order)": {Settlement: with(shared),
			Attempts: []payouts.Attempt{in(func(a *payouts.Attempt) { a.Here, a.GivenUpAt = false, at })}},
		"settled shared batched returned(bank_returned) paid?(returned_in_part)": {Settlement: with(shared),
			Attempts: []payouts.Attempt{in(func(a *payouts.Attempt) { a.ReturnedOn = "2026-11-13" })}},
		"settled shared batched returned(bank_returned) batched paid": {
			Settlement: with(func(s *settlements.Settlement) {
				shared(s)
				s.State, s.PaidOn, s.Batch = settlements.Paid, "2026-11-20", 5
			}),
			Attempts: []payouts.Attempt{in(func(a *payouts.Attempt) { a.Here, a.ReturnedOn = false, "2026-11-13" }), batch}},
		"settled shared paid": {Settlement: with(func(s *settlements.Settlement) { shared(s); s.State, s.PaidOn = settlements.Paid, "2026-11-20" })},
		"settled shared revoked": {Settlement: with(func(s *settlements.Settlement) { shared(s); s.State = settlements.Revoked }), Mailed: true,
			Mail: mail.Failed},
		"settled shared carried(below_minimum)":  {Settlement: with(func(s *settlements.Settlement) { shared(s); s.Payout = 0 })},
		"settled shared carried?(below_minimum)": {Settlement: with(func(s *settlements.Settlement) { shared(s); s.Payout, s.NotCarried = 0, 1 })},
		"settled shared carried(negative)":       {Settlement: with(func(s *settlements.Settlement) { shared(s); s.Payout, s.Due = 0, -1 })},
		"settled shared carried(nothing_due)":    {Settlement: with(func(s *settlements.Settlement) { shared(s); s.Payout, s.Due = 0, 0 })},

		"calculated settled?(not_settled)":  {Pending: &PendingFacts{Last: "2026-11-08", Units: 1}},
		"calculated settled?(licence)":      {Pending: &PendingFacts{Last: "2026-11-08"}},
		"calculated settled?(missing_file)": {Pending: &PendingFacts{Last: "2026-11-08", Units: 1, Missing: []string{"UBER"}}},
		"calculated settled?(unfinished)":   {Pending: &PendingFacts{Last: "2026-11-15", Units: 1, Missing: []string{"UBER"}}},
		"calculated settled?(negative)":     {Pending: &PendingFacts{Last: "2026-11-08", Units: 1, Refusal: engine.Negative}},
		"calculated settled?(blocked)":      {Pending: &PendingFacts{Last: "2026-11-08", Refusal: settlements.Blocked}},
		"settled?(nothing_due)":             {Pending: &PendingFacts{Last: "2026-11-08", Units: 1, Nothing: true}},
	} {
		f.Today = "2026-11-10"
		if got := short(Steps(&f)); got != want {
			t.Errorf("%s\nnot %s", got, want)
		}
		for _, s := range Steps(&f) {
			if s.Reason != "" && !slices.Contains(Reasons(), s.Reason) {
				t.Errorf("%s is not listed", s.Reason)
			}
		}
	}
}

func TestUsual_IsTheMedianWeekdayOfTheLastPeriods(t *testing.T) {
	// periods that ended on Sundays, the last one first, and how many days later they were paid
	paid := func(later ...int) (days []Payday) {
		last := calendar.Date("2026-11-08")
		for _, n := range later {
			days = append(days, Payday{LastOn: last, PaidOn: last.AddDays(n), Count: 10})
			last = last.AddDays(-7)
		}
		return days
	}
	for _, c := range []struct {
		days []Payday
		want int
	}{
		{nil, 0},
		{paid(3, 3), 0},           // too few
		{paid(3, 3, 3), 3},        // always on a Wednesday
		{paid(3, 3, 2, 30, 3), 3}, // once late
		{paid(7, 8, 7, 8, 7), 7},  // a week later: Sundays and Mondays
		{paid(2, 2, 2, 2, 2, 2, 2, 2, 5, 5, 5, 5, 5, 5, 5, 5, 5), 2},                             // only the last eight
		{append(paid(3, 3, 3), Payday{LastOn: "2026-11-08", PaidOn: "2026-11-14", Count: 1}), 3}, // one driver later
	} {
		if got := usual(c.days); got != c.want {
			t.Errorf("%v: %d, not %d", c.days, got, c.want)
		}
	}
}

func TestExpected_IsNeverBeforeTodayNorInsideThePeriod(t *testing.T) {
	for _, c := range []struct {
		today, last, want calendar.Date
		usual             int
	}{
		{"2026-11-09", "2026-11-08", "2026-11-11", 3},
		{"2026-11-11", "2026-11-08", "2026-11-11", 3},
		{"2026-11-12", "2026-11-08", "2026-11-18", 3},
		{"2026-11-06", "2026-11-08", "2026-11-11", 3},
		{"2026-11-12", "2026-11-08", "", 0},
	} {
		f := Facts{Today: c.today, Usual: c.usual}
		if got := f.expected(c.last); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestForDriver_HidesWhatIsThePartners(t *testing.T) {
	for _, r := range []Reason{LicenceEnded, Reason(payouts.PayerIncomplete), Reason(settlements.Uncomputed)} {
		shown := Timeline{Steps: []Step{{Code: Sent, Reason: MailFailed}, {Code: Paid, Reason: r, By: "Anna", Batch: 7}}}.ForDriver()
		if text := fmt.Sprintf("%+v", shown); len(shown.Steps) != 1 || strings.Contains(text, "Anna") || shown.Steps[0].Batch != 0 ||
			shown.Steps[0].Reason == r {
			t.Error(text)
		}
	}
}
