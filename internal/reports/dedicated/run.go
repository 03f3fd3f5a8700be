package dedicated

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/reports"
	"saldo/internal/reports/query"
)

// Shown is a page of a report.
type Shown struct {
	*query.Result
	Title    string
	From, To calendar.Date
	At       time.Time
	LeftOut  int64 // rows after the page
}

// Asking is a question to a report.
type Asking struct {
	Report     string // id or code
	Audience   query.Audience
	Parameters query.Parameters
	Language   i18n.Language
	Driver     string // who asks, of a driver's report

	Page, Size int // the first page is 1
}

// runningMost is how many reports of a partner run at a time in an instance.
const runningMost = 2

// turns counts what runs, by partner.
type turns struct {
	mu      sync.Mutex
	running map[string]int
}

func (t *turns) take(tenant string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.running == nil {
		t.running = map[string]int{}
	}
	if t.running[tenant] >= runningMost {
		return false
	}
	t.running[tenant]++
	return true
}

func (t *turns) give(tenant string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.running[tenant]--; t.running[tenant] <= 0 {
		delete(t.running, tenant)
	}
}

// waitWhenRunning is after how long somebody may ask again.
const waitWhenRunning = 5 * time.Second

// Limited runs do while no more reports of a partner, or of a driver, run than may, and no longer than a report may take.
func (s *Service) Limited(ctx context.Context, who access.Actor, do func(ctx context.Context) error) error {
	tenant := cmp.Or(who.Person, who.Tenant) // drivers take no turn of their partner
	if !s.turns.take(tenant) {
		return ErrRunning.After(waitWhenRunning)
	}
	defer s.turns.give(tenant)
	return timed(ctx, cmp.Or(s.Limit, statementMost), do)
}

// statementMost is how long a report may take.
const statementMost = 10 * time.Second

func timed(ctx context.Context, limit time.Duration, do func(ctx context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := do(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return ErrTooSlow.With("seconds", int(limit.Seconds())).Because(err)
	}
	return err
}

func (s *Service) today(tx *db.Tx) calendar.Date {
	return calendar.DateOf(tx.Now, s.Instance.Location(), 0)
}

// question is what a definition is asked with parameters on a day.
func (s *Service) question(d *query.Definition, p query.Parameters, today calendar.Date, l i18n.Language) (q query.Question, err error) {
	q = query.Question{Currency: s.Instance.Currency, Values: map[string][]string{}}
	if d.Dated() {
		if q.From, q.To, err = days(p, today); err != nil {
			return q, err
		}
	}
	asks := d.Asks(l)
	wrong := ErrParameters
	for name := range p.Values {
		if !slices.ContainsFunc(asks, func(t query.Term) bool { return t.Key == name && t.Kind != query.Day }) {
			wrong = wrong.Field("values."+name, fault.Unknown)
		}
	}
	for _, t := range asks {
		if t.Kind == query.Day {
			continue
		}
		values := slices.Compact(slices.Sorted(slices.Values(p.Values[t.Key])))
		switch code := refused(t, values); {
		case code != "":
			wrong = wrong.Field("values."+t.Key, code)
		case len(values) > 0:
			q.Values[t.Key] = values
		}
	}
	if len(wrong.Fields) > 0 {
		return q, wrong
	}
	return q, nil
}

const (
	valuesMost = 100
	valueMost  = 64
)

func refused(t query.Term, values []string) fault.FieldCode {
	switch {
	case len(values) == 0 && t.Required:
		return fault.Required
	case len(values) > 1 && !t.Many, len(values) > valuesMost:
		return fault.TooBig
	}
	for _, v := range values {
		if len(v) > valueMost {
			return fault.TooLong
		}
		if len(t.Values) > 0 && !slices.ContainsFunc(t.Values, func(one query.Value) bool { return one.Key == v }) {
			return fault.NotOneOf
		}
	}
	return ""
}

// days are those of a report: its dates must be defined.
func days(p query.Parameters, today calendar.Date) (from, to calendar.Date, err error) {
	from, to = p.From, p.To
	if p.Days != "" {
		first, last, known := p.Days.Span(today)
		if !known || from != "" || to != "" {
			return "", "", reports.ErrDays.Field("days", fault.NotOneOf)
		}
		from, to = first, last
	}
	return from, to, reports.Payout{From: from, To: to}.Check()
}

// Run shows a page of a report, on the snapshot of a unit of work.
func (s *Service) Run(tx *db.Tx, a Asking) (*Shown, error) {
	r, err := find(tx, a.Report)
	if err != nil {
		return nil, err
	}
	return s.run(tx, &r, a, s.today(tx))
}

func (s *Service) run(tx *db.Tx, r *Report, a Asking, today calendar.Date) (*Shown, error) {
	if !r.Enabled || r.Audience != a.Audience {
		return nil, ErrNotFound
	}
	if r.Parsed == nil {
		return nil, definitionFault(r.Refusal)
	}
	return s.ask(tx, r.Parsed, a, today)
}

// previewMost is how many rows a preview has.
const previewMost = 20

// Preview shows the first rows of a definition that is not saved. Days that nobody named are the last four weeks.
func (s *Service) Preview(tx *db.Tx, definition string, a Asking) (*Shown, error) {
	d, err := query.Parse(definition, a.Audience)
	if err != nil {
		return nil, definitionFault(err)
	}
	if p := &a.Parameters; p.From == "" && p.To == "" && p.Days == "" {
		p.Days = query.Last4Weeks
	}
	a.Page, a.Size = 1, previewMost
	return s.ask(tx, d, a, s.today(tx))
}

func (s *Service) ask(tx *db.Tx, d *query.Definition, a Asking, today calendar.Date) (*Shown, error) {
	q, err := s.question(d, a.Parameters, today, a.Language)
	if err != nil {
		return nil, err
	}
	if d.Audience == query.ForDriver {
		q.Self = a.Driver
	}
	q.Offset, q.Limit = (a.Page-1)*a.Size, a.Size
	result, err := d.Run(tx, q, a.Language)
	if errors.Is(err, query.ErrTooLarge) {
		err = ErrTooLarge.With("rows", query.RowsMost)
	}
	if err != nil {
		return nil, err
	}
	left := max(0, result.Groups-int64(q.Offset+len(result.Rows)))
	return &Shown{Result: result, Title: d.TitleIn(a.Language), From: q.From, To: q.To, At: tx.Now, LeftOut: left}, nil
}

// Scope is who asks for a partner's report in a job.
func Scope(tenant string) access.Actor { return access.ProgramFor(tenant, "reports") }
