// Package timeline says where the money of a settlement is: the steps it has passed, with their dates, and why it is not further.
package timeline

import (
	"slices"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/payouts"
	"saldo/internal/platform/mail"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
)

// Code names a step.
type Code string

// The steps, in their order.
const (
	Imported   Code = "imported"   // the last file that brought rows of it
	Calculated Code = "calculated" // shown to whoever settled it
	Settled    Code = "settled"
	Shared     Code = "shared" // the driver sees it
	Sent       Code = "sent"   // a mail server accepted the mail
	Batched    Code = "batched"
	Released   Code = "released" // by a second person
	Returned   Code = "returned" // the money came back
	Carried    Code = "carried"  // nothing is paid: it goes on to another period
	Paid       Code = "paid"
	Revoked    Code = "revoked"
)

// Reason is why a step is not reached, or what a reached one means. Those of payouts.Reason are reasons too.
type Reason string

// The reasons besides those of payouts.
const (
	Negative     Reason = "negative"      // the driver owes money
	BelowMinimum Reason = "below_minimum" // less than the smallest transfer
	NothingDue   Reason = "nothing_due"

	NotShared  Reason = "not_shared"
	MailQueued Reason = "mail_queued"
	MailFailed Reason = "mail_failed"

	ToOrder        Reason = "to_order" // nothing is in the way: the transfer has not been ordered
	AwaitsRelease  Reason = "awaits_release"
	AtBank         Reason = "at_bank"
	InCash         Reason = "in_cash"
	ReturnedInPart Reason = "returned_in_part" // people decide what to do with the rest
	BankReturned   Reason = "bank_returned"
	GivenUp        Reason = "given_up" // a person said that it came back

	Unfinished   Reason = "unfinished" // the period has not ended
	NotSettled   Reason = "not_settled"
	LicenceEnded Reason = "licence"
	MissingFile  Reason = "missing_file"
)

// Reasons lists all of them, for the contract.
func Reasons() []Reason {
	list := []Reason{Negative, BelowMinimum, NothingDue, NotShared, MailQueued, MailFailed, ToOrder, AwaitsRelease, AtBank, InCash,
		ReturnedInPart, BankReturned, GivenUp, Unfinished, NotSettled, LicenceEnded, MissingFile, Reason(settlements.Uncomputed)}
	for _, r := range payouts.HindranceReasons() {
		list = append(list, Reason(r))
	}
	return list
}

// Codes lists the steps in their order, for the contract.
func Codes() []Code {
	return []Code{Imported, Calculated, Settled, Shared, Sent, Batched, Released, Returned, Carried, Paid, Revoked}
}

// Step is one step of the money's way.
type Step struct {
	Code       Code
	Done       bool
	At         time.Time     // when it was reached; zero: not yet, or only the day is known
	On         calendar.Date // the day, where only that is known
	By         string        // who did it, for the partner
	Reason     Reason
	Batch      int64
	PayOn      calendar.Date // the day that the bank was told
	BankSays   string
	File       string // that was imported
	Provider   string // whose file is missing
	Period     calendar.Period
	ExpectedOn calendar.Date // by what usually happens, never a promise
}

// Facts are what a timeline is made of.
type Facts struct {
	Settlement *settlements.Settlement // nil: it is not settled
	Today      calendar.Date
	File       string // the last file that brought rows of it; empty: none did
	ImportedAt time.Time
	ShownAt    time.Time // when whoever settled it saw the figures; zero: nobody knows
	Mailed     bool      // a mail was written
	Mail       mail.State
	MailAt     time.Time
	Attempts   []payouts.Attempt
	Hindrance  payouts.Reason // what keeps it out of the next batch; of one that is not paid and in no batch
	Usual      int            // weekday on which the partner usually pays, Monday is 1; 0: nobody knows
	Pending    *PendingFacts  // of one that is not settled
}

// PendingFacts are what is known of a period that is not settled.
type PendingFacts struct {
	Last    calendar.Date  // of the period
	Refusal engine.Refusal // why it cannot be settled; empty: it can
	Missing []string       // providers whose file of the period is missing
	Units   int64          // settlements left in the licence
	Nothing bool           // there is nothing of the driver in the period
}

// Steps are the steps of a settlement up to where it stands, and the next one with what it waits for.
func Steps(f *Facts) []Step {
	steps := []Step{}
	if f.File != "" {
		steps = append(steps, Step{Code: Imported, Done: true, At: f.ImportedAt, File: f.File})
	}
	if f.Settlement == nil {
		return append(steps, f.pending()...)
	}
	s := f.Settlement
	if !f.ShownAt.IsZero() {
		steps = append(steps, Step{Code: Calculated, Done: true, At: f.ShownAt, By: s.SettledBy})
	}
	steps = append(steps, Step{Code: Settled, Done: true, At: s.SettledAt, By: s.SettledBy})
	steps = append(steps, f.shared()...)
	for i := range f.Attempts {
		steps = append(steps, attempted(&f.Attempts[i])...)
	}
	switch s.State {
	case settlements.Revoked:
		// what was not done will not be
		steps = slices.DeleteFunc(steps, func(one Step) bool { return !one.Done })
		return append(steps, Step{Code: Revoked, Done: true, At: s.RevokedAt, By: s.RevokedBy})
	case settlements.Paid:
		return append(steps, Step{Code: Paid, Done: true, On: s.PaidOn, Batch: s.Batch})
	}
	if s.Payout == 0 {
		return append(steps, f.carried())
	}
	return append(steps, f.waits())
}

// shared are whether the driver may see it, and what became of the mail.
func (f *Facts) shared() []Step {
	shared := Step{Code: Shared, Done: !f.Settlement.SharedAt.IsZero(), At: f.Settlement.SharedAt}
	if !shared.Done {
		shared.Reason = NotShared
	}
	switch {
	case !f.Mailed:
		return []Step{shared}
	case f.Mail == mail.Sent:
		return []Step{shared, {Code: Sent, Done: true, At: f.MailAt}}
	case f.Mail == mail.Failed:
		return []Step{shared, {Code: Sent, Reason: MailFailed}}
	}
	return []Step{shared, {Code: Sent, Reason: MailQueued}}
}

// attempted are the steps of one batch.
func attempted(a *payouts.Attempt) (steps []Step) {
	steps = append(steps, Step{Code: Batched, Done: true, At: a.CreatedAt, By: a.CreatedBy, Batch: a.Number, PayOn: a.PayOn})
	if !a.ReleasedAt.IsZero() && !a.ReleasedAt.Equal(a.CreatedAt) {
		steps = append(steps, Step{Code: Released, Done: true, At: a.ReleasedAt, By: a.ReleasedBy, Batch: a.Number, PayOn: a.PayOn})
	}
	switch {
	case a.ReturnedOn != "":
		steps = append(steps, Step{Code: Returned, Done: true, On: a.ReturnedOn, Reason: BankReturned, Batch: a.Number, BankSays: a.BankSays})
	case !a.GivenUpAt.IsZero():
		steps = append(steps, Step{Code: Returned, Done: true, At: a.GivenUpAt, By: a.GivenUpBy, Reason: GivenUp, Batch: a.Number})
	}
	return steps
}

// carried is the end of a settlement that pays nothing. Where the schema does not carry by itself, a person must.
func (f *Facts) carried() Step {
	s := f.Settlement
	step := Step{Code: Carried, Period: s.AbsorbedPeriod, Reason: NothingDue}
	if step.Done = s.NotCarried == 0; step.Done {
		step.At = s.SettledAt
	}
	switch {
	case s.Due < 0:
		step.Reason = Negative
	case s.Due > 0:
		step.Reason = BelowMinimum
	}
	return step
}

// waits is what a settlement that is to be paid waits for.
func (f *Facts) waits() Step {
	step := Step{Code: Paid}
	here := slices.IndexFunc(f.Attempts, func(a payouts.Attempt) bool { return a.Here })
	if here < 0 {
		if step.Reason = Reason(f.Hindrance); f.Hindrance == "" {
			step.Reason, step.ExpectedOn = ToOrder, f.expected(f.Settlement.LastOn)
		}
		return step
	}
	a := &f.Attempts[here]
	step.Batch, step.PayOn = a.Number, a.PayOn
	switch {
	case a.ReturnedOn != "" || !a.GivenUpAt.IsZero():
		step.Reason = ReturnedInPart
	case a.State == payouts.Proposed:
		step.Reason, step.ExpectedOn = AwaitsRelease, f.expected(f.Settlement.LastOn)
	case a.Way == payouts.Cash:
		step.Reason = InCash
	default:
		step.Reason = AtBank
	}
	if step.Reason == AtBank && a.PayOn >= f.Today {
		step.ExpectedOn = a.PayOn
	}
	return step
}

// pending is what a period waits for that is not settled.
func (f *Facts) pending() []Step {
	p := f.Pending
	next := Step{Code: Settled}
	switch {
	case p.Refusal != "" && p.Refusal != engine.NothingToSettle:
		next.Reason = Reason(p.Refusal)
	case p.Last >= f.Today:
		next.Reason, next.ExpectedOn = Unfinished, f.expected(p.Last)
	case len(p.Missing) > 0:
		next.Reason, next.Provider = MissingFile, p.Missing[0]
	case p.Nothing || p.Refusal != "":
		next.Reason = NothingDue
	case p.Units == 0:
		next.Reason = LicenceEnded
	default:
		next.Reason, next.ExpectedOn = NotSettled, f.expected(p.Last)
	}
	if p.Nothing {
		return []Step{next}
	}
	return []Step{{Code: Calculated, Done: true}, next}
}

// expected is the next day, after a period and not before today, on which the partner usually pays; empty: nobody knows.
func (f *Facts) expected(after calendar.Date) calendar.Date {
	if f.Usual == 0 {
		return ""
	}
	day := max(f.Today, after.AddDays(1))
	return day.AddDays((f.Usual - day.Weekday() + 7) % 7)
}

// paydaysMost and paydaysLeast are of how many periods the usual weekday is taken.
const (
	paydaysMost  = 8
	paydaysLeast = 3
)

// usual is the weekday on which a partner usually pays: the median of the last periods, by the days between the end of a period and the day
// on which most of it was paid. 0: too few were paid.
func usual(days []Payday) int {
	most := map[calendar.Date]Payday{} // by the end of the period
	for _, d := range days {
		if m, ok := most[d.LastOn]; !ok || d.Count > m.Count || d.Count == m.Count && d.PaidOn < m.PaidOn {
			most[d.LastOn] = d
		}
	}
	list := make([]Payday, 0, len(most))
	for _, d := range most {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b Payday) int { return b.LastOn.DaysSince(a.LastOn) })
	list = list[:min(len(list), paydaysMost)]
	if len(list) < paydaysLeast {
		return 0
	}
	slices.SortFunc(list, func(a, b Payday) int { return a.PaidOn.DaysSince(a.LastOn) - b.PaidOn.DaysSince(b.LastOn) })
	return list[(len(list)-1)/2].PaidOn.Weekday()
}

// own are the reasons that are the partner's alone, and what a driver is told instead.
var own = map[Reason]Reason{
	Reason(payouts.PayerIncomplete): ToOrder, Reason(payouts.Unwritable): ToOrder, Reason(payouts.NoSplit): ToOrder,
	LicenceEnded: NotSettled, Reason(settlements.Uncomputed): NotSettled,
}

// ForDriver leaves out what is the partner's alone: who did what, numbers of batches, mails, and reasons that only the partner can do
// something about.
func (t Timeline) ForDriver() Timeline {
	steps := make([]Step, 0, len(t.Steps))
	for _, s := range t.Steps {
		if s.Code == Sent {
			continue
		}
		s.By, s.Batch = "", 0
		if instead, ok := own[s.Reason]; ok {
			s.Reason = instead
		}
		steps = append(steps, s)
	}
	t.Steps = steps
	return t
}
