package dedicated

import (
	"errors"
	"slices"
	"time"

	"saldo/internal/identity"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/reports/query"
)

// Every is how often a report is mailed.
type Every string

// How often.
const (
	Weekly  Every = "week"
	Monthly Every = "month"
)

// Format is what file a report is made as.
type Format string

// The formats.
const (
	XLSX Format = "xlsx"
	CSV  Format = "csv"
	PDF  Format = "pdf"
)

// Reason is why the program paused a schedule.
type Reason string

// The reasons.
const (
	Definition Reason = "definition" // the report is gone, switched off, or not understood any more
	Recipients Reason = "recipients" // none of them is a member any more
	Size       Reason = "size"       // the report has too many rows, or takes too long
)

// Plan says when which report is mailed to whom.
type Plan struct {
	ReportID   string
	Parameters query.Parameters
	Every      Every
	Weekday    int64
	Day        int64
	Hour       int64
	Format     Format
	Recipients []string
	Paused     bool
	Version    int64
}

// Schedule is a plan as it is kept, with what became of it.
type Schedule struct {
	Plan
	ID             string
	Reason         Reason
	NextAt, LastAt time.Time
	Sent           int64
	Owner          string // id of a member
	OwnerName      string
}

// keptSchedule is one row.
type keptSchedule struct {
	ID, ReportID       string
	Parameters         string
	Every              Every
	Weekday, Day, Hour int64
	Format             Format
	Recipients         []string
	Paused             bool
	Reason             Reason
	NextAt, LastAt     time.Time
	Sent, Version      int64
	Owner, OwnerName   string
	MadeAt, ChangedAt  time.Time
}

const scheduleColumns = `id, report_id, parameters, every, weekday, day, hour, format, recipients, paused, reason, next_at, last_at, sent,
	version, owner, owner_name, made_at, changed_at`

func (k *keptSchedule) schedule() (Schedule, error) {
	s := Schedule{Plan: Plan{ReportID: k.ReportID, Every: k.Every, Weekday: k.Weekday, Day: k.Day, Hour: k.Hour, Format: k.Format,
		Recipients: k.Recipients, Paused: k.Paused, Version: k.Version}, ID: k.ID, Reason: k.Reason, NextAt: k.NextAt, LastAt: k.LastAt,
		Sent: k.Sent, Owner: k.Owner, OwnerName: k.OwnerName}
	return s, db.ScanJSON(k.Parameters, &s.Parameters)
}

// Schedules are those of a partner, the one that is due next first.
func Schedules(tx *db.Tx) ([]Schedule, error) {
	rows, err := db.Select[keptSchedule](tx, `SELECT `+scheduleColumns+` FROM report_schedules WHERE tenant_id = $1
		ORDER BY paused, next_at, id`)
	if err != nil {
		return nil, err
	}
	list := make([]Schedule, len(rows))
	for i := range rows {
		if list[i], err = rows[i].schedule(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func keptByID(tx *db.Tx, id string) (keptSchedule, error) {
	k, err := db.One[keptSchedule](tx, `SELECT `+scheduleColumns+` FROM report_schedules WHERE tenant_id = $1 AND id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		err = ErrScheduleUnknown
	}
	return k, err
}

// due is the last instant at or before, or the first one after, at which a plan is due. An hour that a day does not have is the one that
// the clock shows then; one that a day has twice is due once.
func (p *Plan) due(at time.Time, zone *time.Location, next bool) time.Time {
	step := 1
	if !next {
		step = -1
	}
	for day := calendar.DateOf(at, zone, 0); ; day = day.AddDays(step) {
		if instant := p.on(day, zone); !instant.IsZero() && instant.After(at) == next {
			return instant
		}
	}
}

// on is when a plan is due on a day; zero: not on that day.
func (p *Plan) on(day calendar.Date, zone *time.Location) time.Time {
	n, _ := time.Parse(time.DateOnly, string(day))
	last := n.AddDate(0, 1, -n.Day()).Day()
	if p.Every == Weekly && int64(day.Weekday()) != p.Weekday || p.Every == Monthly && int64(n.Day()) != min(p.Day, int64(last)) {
		return time.Time{}
	}
	return time.Date(n.Year(), n.Month(), n.Day(), int(p.Hour), 0, 0, 0, zone).UTC()
}

// checked is a plan that can be kept.
func (s *Service) checkedPlan(tx *db.Tx, p *Plan) error {
	invalid := ErrSchedule
	p.Weekday, p.Day = max(p.Weekday, 1), max(p.Day, 1)
	p.Recipients = slices.Compact(slices.Sorted(slices.Values(p.Recipients)))
	r, err := find(tx, p.ReportID)
	switch {
	case errors.Is(err, ErrNotFound), err == nil && (r.Audience != query.ForPartner || r.Parsed == nil || !r.Enabled):
		return invalid.Field("reportId", fault.Unknown)
	case err != nil:
		return err
	}
	p.ReportID = r.ID
	if p.Parameters.Days == "" && r.Parsed.Dated() {
		invalid = invalid.Field("parameters.days", fault.Required)
	} else if _, err := s.question(r.Parsed, p.Parameters, s.today(tx), ""); err != nil {
		return err
	}
	if len(p.Recipients) == 0 {
		invalid = invalid.Field("recipients", fault.Required)
	}
	members, err := activeMembers(tx)
	if err != nil {
		return err
	}
	for _, id := range p.Recipients {
		if !slices.ContainsFunc(members, func(m identity.Person) bool { return m.ID == id }) {
			invalid = invalid.Field("recipients", fault.Unknown)
			break
		}
	}
	if len(invalid.Fields) > 0 {
		return invalid
	}
	return nil
}

// activeMembers are the people of the partner's office who can sign in.
func activeMembers(tx *db.Tx) ([]identity.Person, error) {
	people, err := identity.People(tx)
	return slices.DeleteFunc(people, func(p identity.Person) bool { return p.State != identity.Active }), err
}

// kindOfSchedule is the kind of object in the trail.
const kindOfSchedule = "report_schedule"

func (s *Service) kept(p Plan, now time.Time) keptSchedule {
	k := keptSchedule{ReportID: p.ReportID, Parameters: db.JSON(p.Parameters), Every: p.Every, Weekday: p.Weekday, Day: p.Day, Hour: p.Hour,
		Format: p.Format, Recipients: p.Recipients, Paused: p.Paused, Version: p.Version + 1, ChangedAt: now}
	if !p.Paused {
		k.NextAt = p.due(now, s.Instance.Location(), true)
	}
	return k
}

// AddSchedule mails a report by itself from now on.
func (s *Service) AddSchedule(tx *db.Tx, p Plan) (id string, err error) {
	if err := s.checkedPlan(tx, &p); err != nil {
		return "", err
	}
	n, err := db.One[int64](tx, `SELECT COUNT(*) FROM report_schedules WHERE tenant_id = $1`)
	if err != nil {
		return "", err
	}
	if n >= schedulesMost {
		return "", ErrTooMany.With("most", schedulesMost)
	}
	p.Version = 0
	k := s.kept(p, tx.Now)
	k.ID, k.MadeAt, k.Owner, k.OwnerName = tx.NewID(), tx.Now, tx.Actor.ID, tx.Actor.Name
	if err := db.Insert(tx, "report_schedules", k); err != nil {
		return "", err
	}
	return k.ID, audit.Record(tx, audit.Change{Action: "reports.schedule", Kind: kindOfSchedule, ID: k.ID, After: k.view()})
}

func (k *keptSchedule) view() map[string]any {
	return map[string]any{"report": k.ReportID, "parameters": k.Parameters, "every": k.Every, "weekday": k.Weekday, "day": k.Day,
		"hour": k.Hour, "format": k.Format, "recipients": k.Recipients, "paused": k.Paused, "reason": k.Reason}
}

// SaveSchedule changes, pauses or resumes a schedule.
func (s *Service) SaveSchedule(tx *db.Tx, id string, p Plan) error {
	before, err := keptByID(tx, id)
	switch {
	case err != nil:
		return err
	case before.Version != p.Version:
		return ErrChanged
	}
	if !p.Paused { // what is paused may stay as it is
		if err := s.checkedPlan(tx, &p); err != nil {
			return err
		}
	}
	k := s.kept(p, tx.Now)
	if p.Paused {
		k = before
		k.Paused, k.Reason, k.NextAt, k.Version, k.ChangedAt = true, "", time.Time{}, before.Version+1, tx.Now
	}
	k.ID, k.MadeAt, k.Owner, k.OwnerName = before.ID, before.MadeAt, before.Owner, before.OwnerName
	k.LastAt, k.Sent = before.LastAt, before.Sent
	n, err := db.Update(tx, "report_schedules", k, `id = $2 AND version = $3`, id, p.Version)
	if err == nil && n == 0 {
		err = ErrChanged
	}
	if err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "reports.reschedule", Kind: kindOfSchedule, ID: id, Before: before.view(), After: k.view()})
}

// RemoveSchedule ends a schedule.
func (s *Service) RemoveSchedule(tx *db.Tx, id string, version int64) error {
	before, err := keptByID(tx, id)
	switch {
	case err != nil:
		return err
	case before.Version != version:
		return ErrChanged
	}
	if _, err := tx.Exec(`DELETE FROM report_schedules WHERE tenant_id = $1 AND id = $2`, id); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "reports.unschedule", Kind: kindOfSchedule, ID: id, Before: before.view()})
}
