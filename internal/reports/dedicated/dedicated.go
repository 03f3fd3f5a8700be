// Package dedicated keeps the reports that partners and the operator define, runs them, makes files of them and mails them by schedule.
// What they show is said by definitions in the language of reports/query.
package dedicated

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"time"

	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
	"saldo/internal/reports/query"
)

var (
	ErrNotFound = fault.Declare(fault.NotFound, "reports.not_found")
	// ErrDefinition is the answer to a definition that is not understood, with the place.
	ErrDefinition = fault.Declare(fault.Invalid, "reports.definition_invalid")
	ErrInvalid    = fault.Declare(fault.Invalid, "reports.invalid")
	ErrParameters = fault.Declare(fault.Invalid, "reports.parameters_invalid")
	ErrCodeTaken  = fault.Declare(fault.Conflict, "reports.code_taken")
	ErrChanged    = fault.Declare(fault.Conflict, "reports.changed")
	// ErrShared is the answer to changing what is the operator's.
	ErrShared  = fault.Declare(fault.Conflict, "reports.of_operator")
	ErrTooMany = fault.Declare(fault.Conflict, "reports.too_many")
	// ErrTooSlow is the answer to a question that takes longer than a report may take.
	ErrTooSlow = fault.Declare(fault.Invalid, "reports.too_slow")
	// ErrTooLarge is the answer to a file with more rows than a file may have.
	ErrTooLarge = fault.Declare(fault.Invalid, "reports.too_large")
	// ErrRunning is the answer to running more reports at once than a partner may.
	ErrRunning         = fault.Declare(fault.TooMany, "reports.running")
	ErrScheduleUnknown = fault.Declare(fault.NotFound, "reports.schedule_not_found")
	ErrSchedule        = fault.Declare(fault.Invalid, "reports.schedule_invalid")
)

// Limits of a partner.
const (
	reportsMost   = 100
	schedulesMost = 50
)

// kindOfReport is the kind of object in the trail.
const kindOfReport = "report"

// Service runs reports.
type Service struct {
	DB        *db.DB
	Instance  config.Instance
	Mails     *mail.Queue
	PublicURL string

	// Delivered is called in the unit of work that mails the report of a slot; nil: it goes nowhere else.
	Delivered func(tx *db.Tx, f SlotFile) error

	// Limit is how long a report may take; 0: 10 s, and 30 s in a job.
	Limit time.Duration
	turns turns
}

// Entry is a report as an editor saves it.
type Entry struct {
	Code       string
	Audience   query.Audience
	Enabled    bool
	Version    int64 // that was edited; 0: a new one
	Definition string
}

// Report is a definition as it is kept.
type Report struct {
	ID, Code          string
	Audience          query.Audience
	Partners          []string // codes, of the operator's: who has it; none: all
	Definition        string
	Enabled           bool
	Version           int64
	MadeAt, ChangedAt time.Time
	MadeBy, ChangedBy string
	Own               bool              `db:"-"`
	Parsed            *query.Definition `db:"-"` // nil: it is not understood any more
	Refusal           *query.Refusal    `db:"-"`
	Tenant            string            `db:"-"`
}

// Title is what the report is called, in a language.
func (r *Report) Title(l i18n.Language) string {
	if r.Parsed == nil {
		return r.Code
	}
	return r.Parsed.TitleIn(l)
}

type keptReport struct {
	TenantID string
	Report
}

const reportColumns = `r.tenant_id, r.id, r.code, r.audience, r.partners, r.definition, r.enabled, r.version, r.made_at, r.made_by,
	r.changed_at, r.changed_by`

// visible are the partner's own reports, and those of the operator that it has. One of its own takes the place of the operator's with
// the same code.
const visible = ` FROM report_definitions r WHERE (r.tenant_id = $1 OR r.tenant_id = '' AND NOT EXISTS (SELECT 1 FROM report_definitions o
	WHERE o.tenant_id = $1 AND o.code = r.code))`

// list are the reports that a partner sees, by a condition.
func list(tx *db.Tx, where string, args ...any) ([]Report, error) {
	code, err := db.One[string](tx, `SELECT code FROM partners WHERE tenant_id = $1`)
	if err != nil {
		return nil, err
	}
	rows, err := db.Select[keptReport](tx, `SELECT `+reportColumns+visible+where+` ORDER BY r.code, r.id`, args...)
	if err != nil {
		return nil, err
	}
	found := []Report{}
	for i := range rows {
		r := rows[i].Report
		r.Tenant, r.Own = rows[i].TenantID, rows[i].TenantID != ""
		if !r.Own && len(r.Partners) > 0 && !slices.Contains(r.Partners, code) {
			continue
		}
		if err := r.parse(); err != nil {
			return nil, err
		}
		found = append(found, r)
	}
	return found, nil
}

func (r *Report) parse() (err error) {
	r.Parsed, err = query.Parse(r.Definition, r.Audience)
	if errors.As(err, &r.Refusal) {
		r.Parsed, err = nil, nil
	}
	return err
}

// Runnable are the reports that an audience can run, by title.
func (s *Service) Runnable(tx *db.Tx, audience query.Audience, l i18n.Language) ([]Report, error) {
	all, err := list(tx, ` AND r.enabled AND r.audience = $2`, string(audience))
	all = slices.DeleteFunc(all, func(r Report) bool { return r.Parsed == nil })
	byTitle(all, l)
	return all, err
}

func byTitle(all []Report, l i18n.Language) {
	slices.SortStableFunc(all, func(a, b Report) int { return cmp.Compare(i18n.Fold(a.Title(l)), i18n.Fold(b.Title(l))) })
}

// Definitions are all reports of a partner, by title.
func (s *Service) Definitions(tx *db.Tx, l i18n.Language) ([]Report, error) {
	all, err := list(tx, ``)
	byTitle(all, l)
	return all, err
}

// find is the report with an id or a code.
func find(tx *db.Tx, id string) (r Report, err error) {
	all, err := list(tx, ` AND (r.id = $2 OR r.code = $2)`, id)
	if err != nil {
		return r, err
	}
	if len(all) == 0 {
		return r, ErrNotFound
	}
	at := slices.IndexFunc(all, func(r Report) bool { return r.ID == id })
	return all[max(at, 0)], nil
}

var codeForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

const codeMost = 60

// definitionFault says where a definition is wrong.
func definitionFault(err error) error {
	var r *query.Refusal
	if !errors.As(err, &r) {
		return err
	}
	return ErrDefinition.With("place", r.Place).With("found", r.Found).Field("definition."+r.Place, r.Code)
}

// checked is an entry that can be saved.
func (s *Service) checked(tx *db.Tx, e Entry) error {
	invalid := ErrInvalid
	switch {
	case e.Code == "":
		invalid = invalid.Field("code", fault.Required)
	case len(e.Code) > codeMost:
		invalid = invalid.Field("code", fault.TooLong)
	case !codeForm.MatchString(e.Code):
		invalid = invalid.Field("code", fault.WrongFormat)
	}
	if e.Audience != query.ForPartner && e.Audience != query.ForDriver {
		invalid = invalid.Field("audience", fault.NotOneOf)
	}
	if len(invalid.Fields) > 0 {
		return invalid
	}
	d, err := query.Parse(e.Definition, e.Audience)
	if err != nil {
		return definitionFault(err)
	}
	return s.tried(tx, d)
}

// tried runs a definition for no rows: the database says whether it can.
func (s *Service) tried(tx *db.Tx, d *query.Definition) error {
	today := s.today(tx)
	_, err := d.Run(tx, query.Question{From: today, To: today, Self: "-", Currency: s.Instance.Currency}, i18n.Default)
	return err
}

// Add saves a new report of the partner.
func (s *Service) Add(tx *db.Tx, e Entry) (id string, err error) {
	if err := s.checked(tx, e); err != nil {
		return "", err
	}
	n, err := db.One[int64](tx, `SELECT COUNT(*) FROM report_definitions WHERE tenant_id = $1`)
	if err != nil {
		return "", err
	}
	if n >= reportsMost {
		return "", ErrTooMany.With("most", reportsMost)
	}
	id = tx.NewID()
	stored, err := tx.Exec(`INSERT INTO report_definitions (tenant_id, id, code, audience, partners, definition, enabled, version, made_at,
		made_by, changed_at, changed_by) VALUES ($1, $2, $3, $4, '[]', $5, $6, 1, $7, $8, $7, $8) ON CONFLICT DO NOTHING`,
		id, e.Code, string(e.Audience), e.Definition, e.Enabled, tx.Now, tx.Actor.Name)
	if err == nil && stored == 0 {
		err = ErrCodeTaken.Field("code", fault.Duplicate)
	}
	if err != nil {
		return "", err
	}
	return id, audit.Record(tx, audit.Change{Action: "reports.add", Kind: kindOfReport, ID: id, After: view(e)})
}

// view is an entry in the trail.
func view(e Entry) map[string]any {
	return map[string]any{"code": e.Code, "audience": e.Audience, "enabled": e.Enabled, "definition": e.Definition}
}

func (r *Report) view() map[string]any {
	return view(Entry{Code: r.Code, Audience: r.Audience, Enabled: r.Enabled, Definition: r.Definition})
}

// own is a report of the partner at the version that somebody saw.
func own(tx *db.Tx, id string, version int64) (Report, error) {
	r, err := find(tx, id)
	switch {
	case err != nil:
		return r, err
	case !r.Own:
		return r, ErrShared
	case r.Version != version:
		return r, ErrChanged
	}
	return r, nil
}

// Save changes a report of the partner. The schedules of one that is switched off wait.
func (s *Service) Save(tx *db.Tx, id string, e Entry) error {
	before, err := own(tx, id, e.Version)
	if err != nil {
		return err
	}
	if err := s.checked(tx, e); err != nil {
		return err
	}
	taken, err := db.One[int64](tx, `SELECT COUNT(*) FROM report_definitions WHERE tenant_id = $1 AND code = $2 AND id <> $3`, e.Code,
		before.ID)
	if err != nil {
		return err
	}
	if taken > 0 {
		return ErrCodeTaken.Field("code", fault.Duplicate)
	}
	n, err := tx.Exec(`UPDATE report_definitions SET code = $3, audience = $4, definition = $5, enabled = $6, version = version + 1,
		changed_at = $7, changed_by = $8 WHERE tenant_id = $1 AND id = $2 AND version = $9`, before.ID, e.Code, string(e.Audience),
		e.Definition, e.Enabled, tx.Now, tx.Actor.Name, e.Version)
	if err == nil && n == 0 {
		err = ErrChanged
	}
	if err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "reports.save", Kind: kindOfReport, ID: before.ID, Before: before.view(), After: view(e)})
}

// Remove removes a report of the partner with its schedules.
func (s *Service) Remove(tx *db.Tx, id string, version int64) error {
	before, err := own(tx, id, version)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM report_schedules WHERE tenant_id = $1 AND report_id = $2`, before.ID); err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM report_definitions WHERE tenant_id = $1 AND id = $2`, before.ID); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "reports.remove", Kind: kindOfReport, ID: before.ID, Before: before.view()})
}
