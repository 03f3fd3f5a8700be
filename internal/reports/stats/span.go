package stats

import (
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/reports"
)

// weeksUnasked is how many whole weeks statistics are about unless somebody says otherwise.
const weeksUnasked = 26

// SpanOf is the whole weeks around two days; without days, the last ones before the week of today.
func SpanOf(from, to, today calendar.Date) (s Span, err error) {
	if from == "" && to == "" {
		monday := calendar.PeriodOf(today, 1).Monday()
		return Span{monday.AddDays(-7 * weeksUnasked), monday.AddDays(-1)}, nil
	}
	wrong := reports.ErrDays
	if !from.Exists() {
		wrong = wrong.Field("from", fault.WrongFormat)
	}
	if !to.Exists() {
		wrong = wrong.Field("to", fault.WrongFormat)
	}
	switch {
	case len(wrong.Fields) > 0:
		return s, wrong
	case to < from:
		return s, reports.ErrReversed.Field("to", fault.TooSmall)
	case to.DaysSince(from) >= reports.DaysMost:
		return s, reports.ErrTooLong.With("days", reports.DaysMost).Field("to", fault.TooBig)
	}
	return Span{calendar.PeriodOf(from, 1).Monday(), calendar.PeriodOf(to, 1).Monday().AddDays(6)}, nil
}

// before is as many weeks right before.
func (s Span) before() Span {
	return Span{s.From.AddDays(s.From.DaysSince(s.To) - 1), s.From.AddDays(-1)}
}

// weeks lists the weeks of the span, oldest first.
func (s Span) weeks() (weeks []calendar.Period) {
	for monday := s.From; monday < s.To; monday = monday.AddDays(7) {
		weeks = append(weeks, calendar.PeriodOf(monday, 1))
	}
	return weeks
}
