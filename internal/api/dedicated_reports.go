package api

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/accounts"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
	"saldo/internal/reports/dedicated"
	"saldo/internal/reports/query"
)

func (s Settings) dedicatedReportsRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/reports", Name: "reports", Permission: access.SettlementsRead,
		Summary: "The partner's reports; none: the menu leaves them out"}, s.reports)
	web.Driver(r, web.Route{Method: get, Path: "/api/reports/driver", Name: "driver-reports", Permission: access.AccountRead,
		Summary: "Those for drivers"}, s.driverReports)
	web.Plain(r, web.Route{Method: post, Path: "/api/reports/{id}", Name: "run-report", Permission: access.SettlementsRead,
		Summary: "What a report shows"}, s.runReport)
	web.Plain(r, web.Route{Method: post, Path: "/api/reports/generate/{id}", Name: "generate-report", Permission: access.SettlementsRead,
		Timeout: 2 * time.Minute, Summary: "It as a file"}, s.generateReport)
	web.Plain(r, web.Route{Method: post, Path: "/api/reports/driver/{id}", Name: "run-driver-report", Personal: true,
		Permission: access.AccountRead, Summary: "Of the driver's own"}, s.runReport)
	web.Plain(r, web.Route{Method: post, Path: "/api/reports/driver/generate/{id}", Name: "generate-driver-report", Personal: true,
		Permission: access.AccountRead, Timeout: 2 * time.Minute, Summary: "It as a file"}, s.generateReport)
	web.Read(r, web.Route{Method: get, Path: "/api/report-definitions", Name: "report-definitions", Permission: access.SettlementsRead,
		Summary: "What an editor needs"}, s.reportDefinitions)
	web.Write(r, web.Route{Method: post, Path: "/api/report-definitions", Name: "add-report", Permission: access.SettlementsWrite,
		Status: http.StatusCreated, Summary: "Add a report"}, s.addReport)
	web.Plain(r, web.Route{Method: post, Path: "/api/report-definitions/preview", Name: "preview-report", Permission: access.SettlementsRead,
		Summary: "Its first 20 rows"}, s.previewReport)
	web.Write(r, web.Route{Method: put, Path: "/api/report-definitions/{id}", Name: "save-report", Permission: access.SettlementsWrite,
		Summary: "Change it, on or off"}, s.saveReport)
	web.Write(r, web.Route{Method: del, Path: "/api/report-definitions/{id}", Name: "remove-report", Permission: access.SettlementsWrite,
		Summary: "Remove it with its schedules"}, s.removeReport)
	web.Read(r, web.Route{Method: get, Path: "/api/report-schedules", Name: "report-schedules", Permission: access.SettlementsRead,
		Summary: "Reports mailed by themselves"}, s.reportSchedules)
	web.Write(r, web.Route{Method: post, Path: "/api/report-schedules", Name: "add-report-schedule", Permission: access.SettlementsWrite,
		Status: http.StatusCreated, Summary: "Add one"}, s.addReportSchedule)
	web.Write(r, web.Route{Method: put, Path: "/api/report-schedules/{id}", Name: "save-report-schedule",
		Permission: access.SettlementsWrite, Summary: "Change, pause, resume"}, s.saveReportSchedule)
	web.Write(r, web.Route{Method: del, Path: "/api/report-schedules/{id}", Name: "remove-report-schedule",
		Permission: access.SettlementsWrite, Summary: "Remove it"}, s.removeReportSchedule)
}

// ReportTerm is something that a report names: a subject with its measures and, as values, its dimensions, which are its filters too; a
// column; what is asked for; a value that may be chosen. Subjects that are dated must ask for from and to.
type ReportTerm struct {
	Key      string       `json:"key"`
	Title    string       `json:"title"`
	Kind     query.Kind   `json:"kind,omitempty" enum:"text,count,money,minutes,percent,day,driver,tag,choice"`
	Many     bool         `json:"many,omitempty"`
	Required bool         `json:"required,omitempty"`
	Dated    bool         `json:"dated,omitempty"`
	Drivers  bool         `json:"drivers,omitempty" doc:"may have it"`
	Measures []ReportTerm `json:"measures,omitempty" nullable:"false"`
	Values   []ReportTerm `json:"values,omitempty" nullable:"false"`
}

// Report is a report that can be run, by its id or its code.
type Report struct {
	ID    string       `json:"id"`
	Code  string       `json:"code"`
	Title string       `json:"title"`
	Ask   []ReportTerm `json:"ask" nullable:"false"`
}

// Reports are those of somebody, by title.
type Reports struct {
	Items []Report `json:"items" nullable:"false"`
}

// ReportDays are days by name; the contract lists all of them.
type ReportDays string

// Schema lists them.
func (ReportDays) Schema(huma.Registry) *huma.Schema { return listed(query.AllDays()) }

// ReportParameters is what a report is about: its days, or their name, and what it asks for by name.
type ReportParameters struct {
	From   string              `json:"from,omitempty"`
	To     string              `json:"to,omitempty"`
	Days   ReportDays          `json:"days,omitempty"`
	Values map[string][]string `json:"values,omitempty"`
}

func (p *ReportParameters) parameters() query.Parameters {
	return query.Parameters{From: calendar.Date(p.From), To: calendar.Date(p.To), Days: query.Days(p.Days), Values: p.Values}
}

// ReportRun is a question to a report: for a page of 1,000 rows, a file of some format, or a preview of a definition.
type ReportRun struct {
	Parameters ReportParameters `json:"parameters"`
	Page       int              `json:"page,omitempty" minimum:"1" maximum:"50"`
	Language   Language         `json:"lang,omitempty"`
	Format     dedicated.Format `json:"format,omitempty" enum:"xlsx,csv,pdf"`
	Audience   query.Audience   `json:"audience,omitempty" enum:"partner,driver"`
	Definition ReportJSON       `json:"definition,omitempty"`
}

// ReportResult is what a report shows. Drivers has the ids of a column of drivers.
type ReportResult struct {
	Title       string       `json:"title"`
	From        string       `json:"from"`
	To          string       `json:"to"`
	Columns     []ReportTerm `json:"columns" nullable:"false"`
	Rows        [][]any      `json:"rows" nullable:"false" doc:"texts, whole numbers, null; percent in tenths"`
	Drivers     []string     `json:"drivers,omitempty" nullable:"false"`
	Totals      []any        `json:"totals" doc:"null: none"`
	TotalsOnce  bool         `json:"totalsOnce" doc:"they count each driver once"`
	ComputedAt  time.Time    `json:"computedAt"`
	RowsLeftOut int64        `json:"rowsLeftOut" doc:"after the page"`
}

// ReportJSON is a definition as somebody wrote it: docs/operate/reports.md has its language. It is read by internal/reports/query, which
// says where it is wrong.
type ReportJSON json.RawMessage

// Schema is any object.
func (ReportJSON) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

// MarshalJSON gives what was written.
func (j ReportJSON) MarshalJSON() ([]byte, error) { return json.RawMessage(j).MarshalJSON() }

// UnmarshalJSON keeps what is written.
func (j *ReportJSON) UnmarshalJSON(text []byte) error {
	return (*json.RawMessage)(j).UnmarshalJSON(text)
}

// ReportDefinition is a report as an editor sees and saves it. What only the program knows is not looked at when it is saved.
type ReportDefinition struct {
	Code       string         `json:"code"`
	Audience   query.Audience `json:"audience" enum:"partner,driver"`
	Enabled    bool           `json:"enabled"`
	Version    int64          `json:"version" doc:"that was edited; 0: a new one"`
	Definition ReportJSON     `json:"definition"`
	ID         string         `json:"id,omitempty"`
	Title      string         `json:"title,omitempty"`
	Own        bool           `json:"own,omitempty" doc:"else the operator's, not to be changed"`
	Place      string         `json:"place,omitempty" doc:"that is not understood any more"`
	ChangedAt  *time.Time     `json:"changedAt,omitempty"`
	ChangedBy  string         `json:"changedBy,omitempty"`
}

func (e *ReportDefinition) entry() dedicated.Entry {
	return dedicated.Entry{Code: e.Code, Audience: e.Audience, Enabled: e.Enabled, Version: e.Version, Definition: string(e.Definition)}
}

// ReportDefinitions are definitions by title, those that come with the program and can be added, and what definitions may name.
type ReportDefinitions struct {
	Items    []ReportDefinition `json:"items" nullable:"false"`
	Ready    []ReportDefinition `json:"ready" nullable:"false"`
	Subjects []ReportTerm       `json:"subjects" nullable:"false"`
}

// ReportSchedule says when which report is mailed to which people, and what became of it. Reason is why the program paused it.
type ReportSchedule struct {
	ReportID   string           `json:"reportId"`
	Parameters ReportParameters `json:"parameters"`
	Every      dedicated.Every  `json:"every" enum:"week,month"`
	Weekday    int64            `json:"weekday,omitempty" minimum:"1" maximum:"7"`
	Day        int64            `json:"day,omitempty" minimum:"1" maximum:"31"`
	Hour       int64            `json:"hour" minimum:"0" maximum:"23"`
	Format     dedicated.Format `json:"format" enum:"xlsx,csv,pdf"`
	Recipients []string         `json:"recipients" nullable:"false" maxItems:"50"`
	Paused     bool             `json:"paused"`
	Version    int64            `json:"version"`
	ID         string           `json:"id,omitempty"`
	Reason     dedicated.Reason `json:"reason,omitempty" enum:"definition,recipients,size"`
	Next       *time.Time       `json:"next,omitempty"`
	Last       *time.Time       `json:"last,omitempty"`
	Sent       int64            `json:"sent,omitempty"`
	Owner      string           `json:"owner,omitempty"`
}

func (e *ReportSchedule) plan() dedicated.Plan {
	return dedicated.Plan{ReportID: e.ReportID, Parameters: e.Parameters.parameters(), Every: e.Every, Weekday: e.Weekday,
		Day: e.Day, Hour: e.Hour, Format: e.Format, Recipients: e.Recipients, Paused: e.Paused, Version: e.Version}
}

// ReportSchedules are all schedules.
type ReportSchedules struct {
	Items []ReportSchedule `json:"items" nullable:"false"`
}

// languageAsked is the input of what is told in a language.
type languageAsked struct {
	Language Language `query:"lang"`
}

func (s Settings) reports(tx *db.Tx, in *languageAsked) (Reports, error) {
	list, err := s.Reports.Runnable(tx, query.ForPartner, s.wordsOf(in.Language))
	return reportsOf(list, s.wordsOf(in.Language)), err
}

func reportsOf(list []dedicated.Report, l i18n.Language) Reports {
	out := Reports{Items: make([]Report, len(list))}
	for i := range list {
		out.Items[i] = Report{ID: list[i].ID, Code: list[i].Code, Title: list[i].Parsed.TitleIn(l), Ask: termsOf(list[i].Parsed.Asks(l))}
	}
	return out
}

func termsOf(terms []query.Term) []ReportTerm {
	out := make([]ReportTerm, len(terms))
	for i, t := range terms {
		out[i] = ReportTerm{Key: t.Key, Title: t.Title, Kind: t.Kind, Many: t.Many, Required: t.Required}
		for _, v := range t.Values {
			out[i].Values = append(out[i].Values, ReportTerm{Key: v.Key, Title: v.Title})
		}
	}
	return out
}

func (s Settings) driverReports(tx *db.Tx, who access.Actor, in *languageAsked) (out Reports, err error) {
	out.Items = []Report{}
	partner, driver, err := accounts.OwnDriver(tx, who)
	if err != nil || driver == "" {
		return out, err
	}
	err = tx.As(who.In(partner), func() error {
		list, err := s.Reports.Runnable(tx, query.ForDriver, s.wordsOf(in.Language))
		out = reportsOf(list, s.wordsOf(in.Language))
		return err
	})
	return out, err
}

// asking is a question of whoever asks: a driver asks for their own.
func (s Settings) asking(c web.Call, id, driver string, in *ReportRun) dedicated.Asking {
	a := dedicated.Asking{Report: id, Audience: query.ForPartner, Parameters: in.Parameters.parameters(), Language: s.wordsOf(in.Language),
		Page: max(in.Page, 1), Size: query.PageMost}
	if c.Actor.Role == access.Driver {
		a.Audience, a.Driver = query.ForDriver, driver
	}
	return a
}

func (s Settings) runReport(ctx context.Context, c web.Call, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body ReportRun
}) (out ReportResult, err error) {
	err = s.Reports.Limited(ctx, c.Actor, func(ctx context.Context) error {
		return s.readAsSide(ctx, c, dedicated.ErrNotFound, func(tx *db.Tx, driver string) error {
			shown, err := s.Reports.Run(tx, s.asking(c, in.ID, driver, &in.Body))
			if err == nil {
				out = reportResult(shown, c.Actor.Role == access.Partner)
			}
			return err
		})
	})
	return out, err
}

func reportResult(r *dedicated.Shown, ids bool) ReportResult {
	out := ReportResult{Title: r.Title, From: string(r.From), To: string(r.To), Columns: termsOf(r.Columns), Rows: r.Rows, Totals: r.Totals,
		TotalsOnce: r.Once && r.Totals != nil, ComputedAt: r.At, RowsLeftOut: r.LeftOut}
	if ids {
		out.Drivers = r.Drivers
	}
	return out
}

func (s Settings) generateReport(ctx context.Context, c web.Call, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body ReportRun
}) (send func(huma.Context), err error) {
	a, format := s.asking(c, in.ID, "", &in.Body), cmp.Or(in.Body.Format, dedicated.XLSX)
	var made dedicated.Made
	e := export{mediaType: format.MediaType(), scope: scopeOf(c),
		write: func(tx *db.Tx, to io.Writer) error {
			return asSide(tx, c, dedicated.ErrNotFound, func(driver string) (err error) {
				a.Driver = driver
				made, err = s.Reports.Write(tx, a, format, to)
				return err
			})
		},
		record: func(tx *db.Tx) (string, error) {
			return made.FileName(), asSide(tx, c, dedicated.ErrNotFound, func(string) error { return made.Record(tx) })
		}}
	err = s.Reports.Limited(ctx, c.Actor, func(limited context.Context) error {
		send, err = s.serveExport(limited, c, e)
		return err
	})
	return send, err
}

func reportDefinitionsOf(list []dedicated.Report, l i18n.Language) []ReportDefinition {
	out := make([]ReportDefinition, len(list))
	for i := range list {
		r := &list[i]
		out[i] = ReportDefinition{Code: r.Code, Audience: r.Audience, Enabled: r.Enabled, Version: r.Version,
			Definition: ReportJSON(r.Definition), ID: r.ID, Title: r.Title(l), Own: r.Own, ChangedAt: instantOf(r.ChangedAt),
			ChangedBy: r.ChangedBy}
		if r.Refusal != nil {
			out[i].Place = r.Refusal.Place
		}
	}
	return out
}

func (s Settings) reportDefinitions(tx *db.Tx, in *languageAsked) (out ReportDefinitions, err error) {
	l := s.wordsOf(in.Language)
	list, err := s.Reports.Definitions(tx, l)
	out.Items, out.Ready = reportDefinitionsOf(list, l), reportDefinitionsOf(dedicated.Ready(l), l)
	for _, m := range query.Model(l) {
		out.Subjects = append(out.Subjects, ReportTerm{Key: m.Key, Title: m.Title, Dated: m.Dated, Drivers: m.Drivers,
			Measures: termsOf(m.Measures), Values: termsOf(m.Dimensions)})
	}
	return out, err
}

func (s Settings) addReport(tx *db.Tx, in *struct{ Body ReportDefinition }) (out Made, err error) {
	out.ID, err = s.Reports.Add(tx, in.Body.entry())
	return out, err
}

func (s Settings) previewReport(ctx context.Context, c web.Call, in *struct{ Body ReportRun }) (out ReportResult, err error) {
	a := s.asking(c, "", "", &in.Body)
	a.Audience = cmp.Or(in.Body.Audience, query.ForPartner)
	err = s.Reports.Limited(ctx, c.Actor, func(ctx context.Context) error {
		return s.DB.Read(ctx, c.Actor, func(tx *db.Tx) error {
			shown, err := s.Reports.Preview(tx, string(in.Body.Definition), a)
			if err == nil {
				out = reportResult(shown, true)
			}
			return err
		})
	})
	return out, err
}

func (s Settings) saveReport(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body ReportDefinition
}) (web.None, error) {
	return web.None{}, s.Reports.Save(tx, in.ID, in.Body.entry())
}

// versioned is something at the version that somebody saw.
type versioned struct {
	ID      string `path:"id" maxLength:"64"`
	Version int64  `query:"version" required:"true" minimum:"1"`
}

func (s Settings) removeReport(tx *db.Tx, in *versioned) (web.None, error) {
	return web.None{}, s.Reports.Remove(tx, in.ID, in.Version)
}

func (s Settings) reportSchedules(tx *db.Tx, _ *nothing) (ReportSchedules, error) {
	list, err := dedicated.Schedules(tx)
	out := ReportSchedules{Items: make([]ReportSchedule, len(list))}
	for i, k := range list {
		p := k.Parameters
		out.Items[i] = ReportSchedule{ReportID: k.ReportID, Every: k.Every, Weekday: k.Weekday, Day: k.Day, Hour: k.Hour, Format: k.Format,
			Parameters: ReportParameters{From: string(p.From), To: string(p.To), Days: ReportDays(p.Days), Values: p.Values},
			Recipients: k.Recipients, Paused: k.Paused, Version: k.Version, ID: k.ID, Reason: k.Reason, Next: instantOf(k.NextAt),
			Last: instantOf(k.LastAt), Sent: k.Sent, Owner: k.OwnerName}
	}
	return out, err
}

func (s Settings) addReportSchedule(tx *db.Tx, in *struct{ Body ReportSchedule }) (out Made, err error) {
	out.ID, err = s.Reports.AddSchedule(tx, in.Body.plan())
	return out, err
}

func (s Settings) saveReportSchedule(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body ReportSchedule
}) (web.None, error) {
	return web.None{}, s.Reports.SaveSchedule(tx, in.ID, in.Body.plan())
}

func (s Settings) removeReportSchedule(tx *db.Tx, in *versioned) (web.None, error) {
	return web.None{}, s.Reports.RemoveSchedule(tx, in.ID, in.Version)
}
