package api

import (
	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/feeds"
	"saldo/internal/imports"
	"saldo/internal/imports/pipeline"
	"saldo/internal/imports/providers"
	"saldo/internal/imports/statement"
	"saldo/internal/imports/unmatched"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) importPreviewRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/imports/{id}", Name: "import", Permission: access.ImportsRead,
		Summary: "One file: its preview, how far its job is, and what became of it"}, s.oneImport)
}

// RowErrorCode is why a row was refused; the contract lists all of them.
type RowErrorCode string

// Schema lists the codes.
func (RowErrorCode) Schema(huma.Registry) *huma.Schema { return listed(pipeline.RowErrorCodes()) }

// ImportWarningCode is what to look at before confirming; the contract lists all of them.
type ImportWarningCode string

// Schema lists the codes.
func (ImportWarningCode) Schema(huma.Registry) *huma.Schema { return listed(pipeline.Warnings()) }

// SuggestedReport is which file to download instead of one that is no statement; the contract lists all of them.
type SuggestedReport string

// Schema lists the names.
func (SuggestedReport) Schema(huma.Registry) *huma.Schema {
	return listed(append([]string{""}, providers.SuggestedReports()...))
}

// ImportPart is one table of a file, as it was recognised.
type ImportPart struct {
	Name            string          `json:"name" doc:"inside an archive or of the sheet; empty: the file itself"`
	Role            string          `json:"role" enum:"money,detail,wrong_report,unknown"`
	Provider        string          `json:"provider"`
	Kind            string          `json:"kind"`
	SuggestedReport SuggestedReport `json:"suggestedReport" doc:"which file to download instead; empty: none"`
	Encoding        string          `json:"encoding"`
	Delimiter       string          `json:"delimiter"`
	Head            []string        `json:"head" nullable:"false"`
	HeadLine        int64           `json:"headLine" doc:"where the head stands; of an unknown part: where it seems to stand"`
}

// ImportCells is a row as the file has it.
type ImportCells struct {
	Part  string   `json:"part"`
	Line  int64    `json:"line"`
	Cells []string `json:"cells" nullable:"false"`
}

// ImportRowWarning is a row whose total is not what its parts add up to.
type ImportRowWarning struct {
	Line   int64  `json:"line"`
	Column string `json:"column"`
	Says   int64  `json:"says"`
	Adds   int64  `json:"adds"`
}

// ImportRowError is something in a row that could not be understood.
type ImportRowError struct {
	Line     int64  `json:"line" doc:"0: the whole file"`
	Column   string `json:"column"`
	Found    string `json:"found"`
	Expected string `json:"expected" doc:"an example or a list"`
}

// ImportRowErrors is all row errors of one code.
type ImportRowErrors struct {
	Code  RowErrorCode     `json:"code"`
	Count int64            `json:"count"`
	First []ImportRowError `json:"first" nullable:"false"`
}

// ImportKey is one thing by which a file knows somebody.
type ImportKey struct {
	Kind  string `json:"kind" enum:"id,card,email,phone,plate,name"`
	Value string `json:"value"`
}

// ImportPair is somebody whom a file names and a driver of the same name.
type ImportPair struct {
	Provider string    `json:"provider"`
	Key      ImportKey `json:"key"`
	Name     string    `json:"name"`
	DriverID string    `json:"driverUUID"`
	Driver   string    `json:"driver"`
	Rows     int64     `json:"rows"`
}

// ImportStranger is somebody whom a file names and nobody knows.
type ImportStranger struct {
	Provider string      `json:"provider"`
	Keys     []ImportKey `json:"keys" nullable:"false"`
	Name     string      `json:"name"`
	Rows     int64       `json:"rows"`
	Sum      int64       `json:"sum"`
}

// ImportMatches say how the people of a file were recognised.
type ImportMatches struct {
	ByIdentity int64            `json:"byIdentity"`
	ByEmail    int64            `json:"byEmail"`
	ByPhone    int64            `json:"byPhone"`
	ByName     int64            `json:"byName"`
	Pairs      []ImportPair     `json:"pairs" nullable:"false" doc:"everybody who is recognised by name alone"`
	Unassigned []ImportStranger `json:"unassigned" nullable:"false" doc:"the first hundred"`
}

// ImportWarning is something to look at before confirming.
type ImportWarning struct {
	Code     ImportWarningCode `json:"code"`
	Count    int64             `json:"count"`
	ImportID string            `json:"importId" doc:"that it is about; empty: none"`
	Found    string            `json:"found"`
	Expected string            `json:"expected"`
}

// ImportDriverChange is what one driver's days come to, in minor units, as they stand and as the file has them.
type ImportDriverChange struct {
	Provider   string `json:"provider"`
	DriverID   string `json:"driverUUID" doc:"empty: not assigned yet, or the partner's own"`
	IdentityID string `json:"identityId"`
	Name       string `json:"name" doc:"as the file has it"`
	From       string `json:"from"`
	To         string `json:"to"`
	Old        int64  `json:"old"`
	New        int64  `json:"new"`
	OldRows    int64  `json:"oldRows" doc:"that the file does not contain"`
	NewRows    int64  `json:"newRows" doc:"that do not stand yet"`
	Settled    int64  `json:"settled" doc:"of the old ones: they stay, and the difference is booked"`
	Partly     bool   `json:"partly" doc:"the file covers only some of the days of what stands, and cannot replace it"`
}

// ImportRowChange is a movement that stands otherwise.
type ImportRowChange struct {
	Line    int64    `json:"line"`
	Name    string   `json:"name"`
	Type    TypeCode `json:"type"`
	Old     int64    `json:"old"`
	New     int64    `json:"new"`
	OldOn   string   `json:"oldOn"`
	NewOn   string   `json:"newOn"`
	Settled bool     `json:"settled"`
}

// ImportChanges are weeks that stand already and that a file says anew.
type ImportChanges struct {
	Count   int64                `json:"count" doc:"drivers"`
	Partly  int64                `json:"partly" doc:"of them: the file covers only some of the days of what stands; replacing is refused"`
	Old     int64                `json:"old"`
	New     int64                `json:"new"`
	Drivers []ImportDriverChange `json:"drivers" nullable:"false" doc:"the first hundred, the largest difference first"`
	Rows    []ImportRowChange    `json:"rows" nullable:"false" doc:"the first hundred movements that the provider calls by the same name"`
}

func restatedOf(c pipeline.Changes) ImportChanges {
	out := ImportChanges{c.Count, c.Partly, int64(c.Old), int64(c.New), []ImportDriverChange{}, []ImportRowChange{}}
	for _, d := range c.Drivers {
		out.Drivers = append(out.Drivers, ImportDriverChange{d.Provider, d.DriverID, d.IdentityID, d.Name, string(d.From), string(d.To),
			int64(d.Old), int64(d.New), d.OldRows, d.NewRows, d.Settled, d.Partly})
	}
	for _, r := range c.Rows {
		out.Rows = append(out.Rows, ImportRowChange{r.Line, r.Name, TypeCode(r.Type), int64(r.Old), int64(r.New), string(r.OldOn),
			string(r.NewOn), r.Settled})
	}
	return out
}

// ImportRemembered is rows that take a type which a person gave to such rows before.
type ImportRemembered struct {
	Provider string  `json:"provider"`
	Seen     string  `json:"seen" doc:"column or description"`
	Type     string  `json:"type"`
	Count    int64   `json:"count"`
	Sum      int64   `json:"sum"`
	Lines    []int64 `json:"lines" nullable:"false" doc:"the first twenty"`
}

// ImportPreview is what a person sees of a file before confirming it.
type ImportPreview struct {
	Parts           []ImportPart       `json:"parts" nullable:"false"`
	Rows            []ImportCells      `json:"rows" nullable:"false" doc:"the first below the head; of an unknown part: the first of all"`
	Counts          ImportCounts       `json:"counts" doc:"as expected before confirming"`
	Sums            []ImportSum        `json:"totals" nullable:"false"`
	RowWarningCount int64              `json:"rowWarningCount"`
	RowWarnings     []ImportRowWarning `json:"rowWarnings" nullable:"false" doc:"the first hundred rows whose own total does not add up"`
	RowErrors       []ImportRowErrors  `json:"rowErrors" nullable:"false"`
	Matches         ImportMatches      `json:"matches"`
	Warnings        []ImportWarning    `json:"warnings" nullable:"false"`
	Changes         ImportChanges      `json:"changes" doc:"weeks that the file says anew: confirming needs a decision on them"`

	Remembered []ImportRemembered `json:"remembered" nullable:"false" doc:"rows that take a remembered type"`
	Guessed    []ImportRemembered `json:"guessed" nullable:"false" doc:"rows whose type is told by a name, such as a petrol station's"`
}

// ImportProgress is how far the job of an import is, in rows.
type ImportProgress struct {
	State string `json:"state" enum:",waiting,running,failed,done" doc:"empty: no job runs"`
	Done  int64  `json:"done"`
	Total int64  `json:"total" doc:"0: not known"`
}

// OneImport is an import with its preview and its progress.
type OneImport struct {
	Import   Import         `json:"import"`
	Preview  ImportPreview  `json:"preview"`
	Progress ImportProgress `json:"progress"`
	WaitsFor string         `json:"waitsFor" enum:",not_allowed,unread,unclear,unknown,no_history,unusual,replaced"`
}

func (s Settings) oneImport(tx *db.Tx, in *named) (out OneImport, err error) {
	i, err := imports.Of(tx, in.ID)
	if err != nil {
		return out, err
	}
	shown, err := imports.PreviewOf(tx, in.ID)
	if err != nil {
		return out, err
	}
	out = OneImport{Import: importOf(i), Preview: previewOf(shown)}
	if out.WaitsFor, err = feeds.WhyOf(tx, in.ID); err != nil {
		return out, err
	}
	progress, err := s.Imports.ProgressOf(tx, i)
	if progress != nil {
		out.Progress = ImportProgress{string(progress.State), progress.Done, progress.Total}
	}
	return out, err
}

func previewOf(shown pipeline.Preview) ImportPreview {
	p := ImportPreview{Parts: []ImportPart{}, Rows: []ImportCells{}, Counts: countsOf(shown.Counts), Sums: sumsOf(shown.Totals),
		RowWarningCount: shown.RowWarnings.Count, RowWarnings: []ImportRowWarning{},
		RowErrors: []ImportRowErrors{}, Remembered: rememberedRows(shown.Remembered), Guessed: rememberedRows(shown.Guessed),
		Warnings: []ImportWarning{}, Changes: restatedOf(shown.Changes),
		Matches: ImportMatches{ByIdentity: shown.Matches.By[unmatched.ByIdentity], ByEmail: shown.Matches.By[unmatched.ByEmail],
			ByPhone: shown.Matches.By[unmatched.ByPhone], ByName: shown.Matches.By[unmatched.ByName], Pairs: []ImportPair{},
			Unassigned: []ImportStranger{}}}
	for _, one := range shown.Parts {
		p.Parts = append(p.Parts, ImportPart{one.Name, one.Role, one.Provider, one.Kind, SuggestedReport(one.SuggestedReport), one.Encoding,
			one.Delimiter,
			append([]string{}, one.Head...), one.HeadLine})
	}
	for _, r := range shown.Rows {
		p.Rows = append(p.Rows, ImportCells{r.Part, r.Line, append([]string{}, r.Cells...)})
	}
	for _, d := range shown.RowWarnings.First {
		p.RowWarnings = append(p.RowWarnings, ImportRowWarning{d.Line, d.Column, int64(d.Says), int64(d.Adds)})
	}
	for _, kind := range shown.RowErrors {
		group := ImportRowErrors{RowErrorCode(kind.Code), kind.Count, []ImportRowError{}}
		for _, t := range kind.First {
			group.First = append(group.First, ImportRowError{t.Line, t.Column, t.Found, t.Expected})
		}
		p.RowErrors = append(p.RowErrors, group)
	}
	for _, pair := range shown.Matches.Pairs {
		p.Matches.Pairs = append(p.Matches.Pairs,
			ImportPair{pair.Provider, ImportKey(pair.Key), pair.Name, pair.DriverID, pair.Driver, pair.Rows})
	}
	for _, st := range shown.Matches.Unassigned {
		p.Matches.Unassigned = append(p.Matches.Unassigned, ImportStranger{st.Provider, keysOf(st.Keys), st.Name, st.Rows, int64(st.Sum)})
	}
	for _, w := range shown.Warnings {
		p.Warnings = append(p.Warnings, ImportWarning{ImportWarningCode(w.Code), w.Count, w.ImportID, w.Found, w.Expected})
	}
	return p
}

func rememberedRows(found []pipeline.RememberedRows) []ImportRemembered {
	rows := []ImportRemembered{}
	for _, r := range found {
		rows = append(rows, ImportRemembered{r.Provider, r.Seen, r.Type, r.Count, int64(r.Sum), append([]int64{}, r.Lines...)})
	}
	return rows
}

func keysOf(keys []statement.Key) []ImportKey {
	out := []ImportKey{}
	for _, k := range keys {
		out = append(out, ImportKey(k))
	}
	return out
}
