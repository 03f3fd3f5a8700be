package api

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/imports"
	"saldo/internal/imports/counts"
	"saldo/internal/imports/providers/own"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
	"saldo/internal/platform/spreadsheet"
	"saldo/internal/platform/web"
)

func (s Settings) importsRoutes(r *web.Router) {
	web.Plain(r, web.Route{Method: post, Path: "/api/imports", Name: "add-import",
		Permission: access.ImportsWrite, Status: http.StatusCreated, BodyLimit: imports.FileMax + 1<<20, Timeout: 10 * time.Minute,
		Summary: "Upload a provider's file; nothing of it is booked before it is confirmed"}, s.addImport)
	web.Read(r, web.Route{Method: get, Path: "/api/imports", Name: "imports", Permission: access.ImportsRead,
		Summary: "A page of uploaded files, newest first"}, importList)
	web.Plain(r, web.Route{Method: get, Path: "/api/imports/template", Name: "import-template", Permission: access.ImportsRead,
		Summary: "Saldo's own sheet, empty"}, importTemplate)
	web.Write(r, web.Route{Method: post, Path: "/api/imports/{id}/confirm", Name: "confirm-import",
		Permission: access.ImportsWrite, Status: http.StatusAccepted,
		Summary: "Import a previewed file, in a job; a second confirmation joins the first"}, s.confirmImport)
	web.Plain(r, web.Route{Method: post, Path: "/api/imports/{id}/cancel", Name: "cancel-import", Permission: access.ImportsWrite,
		Summary: "Give a file up before it is imported; nothing of it is left"}, s.cancelImport)
	web.Plain(r, web.Route{Method: del, Path: "/api/imports/{id}", Name: "remove-import",
		Permission: access.ImportsWrite, Timeout: 5 * time.Minute,
		Summary: "Take back all that an import brought, while none of it is settled"}, s.removeImport)
	web.Read(r, web.Route{Method: get, Path: "/api/imports/{id}/rows", Name: "import-rows", Permission: access.ImportsRead,
		Summary: "A page of the rows that an import brought, in the order of the file"}, importRows)
	web.Plain(r, web.Route{Method: get, Path: "/api/imports/{id}/file", Name: "import-file",
		Permission: access.ImportsRead, Timeout: 5 * time.Minute,
		Summary: "The original file"}, s.importFile)
	web.Plain(r, web.Route{Method: get, Path: "/api/imports/{id}/refused", Name: "import-refused",
		Permission: access.ImportsRead, Timeout: 5 * time.Minute,
		Summary: "The rows that were refused, with their reasons, as a file"}, s.refusedRows)
}

// ImportStatus is where an import stands; the contract lists all of them.
type ImportStatus string

// Schema lists the statuses.
func (ImportStatus) Schema(huma.Registry) *huma.Schema { return listed(imports.Statuses()) }

func listed[C ~string](codes []C) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, code := range codes {
		s.Enum = append(s.Enum, string(code))
	}
	return s
}

// ImportForm is an upload: a file and what the person says about it.
type ImportForm struct {
	File            huma.FormFile `form:"file" required:"true" contentType:"application/octet-stream" doc:"CSV, XLSX or a ZIP, up to 256 MB"`
	Provider        string        `form:"provider" required:"false" maxLength:"30" doc:"empty: as recognised"`
	City            string        `form:"city" required:"false" maxLength:"200"`
	DatesFrom       string        `form:"datesFrom" required:"false" maxLength:"10" doc:"first day, for rows that have no date"`
	DatesTo         string        `form:"datesTo" required:"false" maxLength:"10"`
	BonusFrom       string        `form:"bonusFrom" required:"false" maxLength:"10" doc:"first day, for bonuses that have no date"`
	BonusTo         string        `form:"bonusTo" required:"false" maxLength:"10"`
	AllowDuplicates bool          `form:"allowDuplicates" required:"false" doc:"import the same content again"`
	MergeByName     bool          `form:"mergeByName" required:"false" doc:"recognise drivers by a unique first and last name"`
}

// ImportMade is an import that was made or moved on.
type ImportMade struct {
	ID     string       `json:"id"`
	Status ImportStatus `json:"status"`
}

func (s Settings) addImport(ctx context.Context, c web.Call, in *struct {
	RawBody huma.MultipartFormFiles[ImportForm]
}) (made ImportMade, err error) {
	form := in.RawBody.Data()
	defer form.File.Close()
	_, err = s.Imports.Upload(ctx, c.Actor, imports.Upload{Name: form.File.Filename, Content: form.File, Size: form.File.Size,
		Order: imports.Order{Chosen: form.Provider, City: form.City, DatesFrom: calendar.Date(form.DatesFrom),
			DatesTo: calendar.Date(form.DatesTo), BonusFrom: calendar.Date(form.BonusFrom),
			BonusTo: calendar.Date(form.BonusTo), AllowDuplicates: form.AllowDuplicates, MergeByName: form.MergeByName},
		Once: func(tx *db.Tx, i imports.Import, accept func() error) (string, error) {
			sum, err := web.Sum("add-import", struct {
				Order     imports.Order
				Name, Sum string
			}{i.Order, i.FileName, i.ContentHash})
			if err != nil {
				return "", err
			}
			made, _, err = web.Once(tx, c.Key, sum, func() (ImportMade, error) { return ImportMade{i.ID, ImportStatus(i.Status)}, accept() })
			return made.ID, err
		}})
	return made, err
}

// Import is an uploaded file in JSON.
type Import struct {
	ID              string            `json:"id"`
	Status          ImportStatus      `json:"status"`
	Provider        string            `json:"provider" doc:"as recognised or chosen; empty: not known"`
	Kind            string            `json:"kind" doc:"type of file"`
	FileName        string            `json:"fileName"`
	Size            int64             `json:"size"`
	Encoding        string            `json:"encoding"`
	Delimiter       string            `json:"delimiter"`
	PeriodFrom      string            `json:"periodFrom" doc:"first day that the file covers; empty: not known"`
	PeriodTo        string            `json:"periodTo"`
	PeriodSource    string            `json:"periodSource" enum:",name,rows,picker"`
	Chosen          string            `json:"chosenProvider"`
	City            string            `json:"city"`
	DatesFrom       string            `json:"datesFrom"`
	DatesTo         string            `json:"datesTo"`
	BonusFrom       string            `json:"bonusFrom"`
	BonusTo         string            `json:"bonusTo"`
	AllowDuplicates bool              `json:"allowDuplicates"`
	MergeByName     bool              `json:"mergeByName"`
	DuplicateOf     string            `json:"duplicateOf" doc:"the import that brought the same content; empty: none"`
	BookedAs        string            `json:"bookedAs" enum:",money,detail"`
	Restated        string            `json:"restated" enum:",replace,beside" doc:"what was said about weeks that stood already"`
	Counts          ImportCounts      `json:"counts" doc:"before success: what the preview expects"`
	Sums            []ImportSum       `json:"totals" nullable:"false"`
	Fault           web.FaultCode     `json:"fault,omitempty" doc:"what it failed with; absent: it did not"`
	FaultParams     map[string]string `json:"faultParams" nullable:"false"`
	UploadedAt      time.Time         `json:"uploadedAt"`
	UploadedBy      string            `json:"uploadedBy"`
	Source          string            `json:"source" doc:"connection that fetched it; empty: a person uploaded it"`
	ConfirmedAt     *time.Time        `json:"confirmedAt" nullable:"true"`
	ConfirmedBy     string            `json:"confirmedBy"`
	FinishedAt      *time.Time        `json:"finishedAt" nullable:"true"`
	RemovedAt       *time.Time        `json:"removedAt" nullable:"true"`
	RemovedBy       string            `json:"removedBy"`
	Readings        int64             `json:"readings" doc:"how often it was read"`
}

// ImportCounts say what became of the people and the amounts of a file; all is the sum of the others.
type ImportCounts struct {
	Drivers      ImportPeople `json:"drivers"`
	Transactions ImportRows   `json:"transactions"`
	Skipped      int64        `json:"skipped" doc:"rows without money: totals, repeated heads"`
}

// ImportPeople count the people whom a file names.
type ImportPeople struct {
	All        int64 `json:"all"`
	New        int64 `json:"new" doc:"they match no driver and are stored as unmatched"`
	Unassigned int64 `json:"unassigned" doc:"are stored as unmatched already"`
	Ignored    int64 `json:"ignored"`
	Existing   int64 `json:"existing" doc:"drivers of the partner"`
}

// ImportRows count the amounts of a file, and its refused rows.
type ImportRows struct {
	All        int64 `json:"all"`
	New        int64 `json:"new"`
	Unassigned int64 `json:"unassigned"`
	Ignored    int64 `json:"ignored"`
	Existing   int64 `json:"existing" doc:"another import has brought them"`
	Failed     int64 `json:"failed" doc:"refused rows"`
	Fleet      int64 `json:"fleet" doc:"the partner's own, no driver's"`
	Replaced   int64 `json:"replaced" doc:"a later file says them anew"`
}

// ImportSum is what a file holds of one type, in minor units.
type ImportSum struct {
	Type     TypeCode `json:"type"`
	Count    int64    `json:"count"`
	Sum      int64    `json:"sum"`
	NewCount int64    `json:"newCount" doc:"that no other import has brought"`
	NewSum   int64    `json:"newSum"`
	Counted  bool     `json:"counted" doc:"whether it is part of what drivers are due; the rest only informs"`
}

func importOf(i imports.Import) Import {
	out := Import{ID: i.ID, Status: ImportStatus(i.Status), Provider: i.Provider, Kind: i.Kind, FileName: i.FileName, Size: i.Size,
		Encoding: i.Encoding, Delimiter: i.Delimiter,
		PeriodFrom: string(i.PeriodFrom), PeriodTo: string(i.PeriodTo), PeriodSource: i.PeriodSource, Chosen: i.Chosen, City: i.City,
		DatesFrom: string(i.DatesFrom),
		DatesTo:   string(i.DatesTo), BonusFrom: string(i.BonusFrom), BonusTo: string(i.BonusTo), AllowDuplicates: i.AllowDuplicates,
		MergeByName: i.MergeByName,
		DuplicateOf: i.DuplicateOf, BookedAs: i.BookedAs, Restated: i.Restated, Counts: countsOf(i.Counts), Sums: sumsOf(i.Totals),
		Fault: web.FaultCode(i.Fault), FaultParams: map[string]string{},
		UploadedAt: i.UploadedAt, UploadedBy: i.UploadedBy, Source: i.Source, ConfirmedAt: instantOf(i.ConfirmedAt), ConfirmedBy: i.ConfirmedBy,
		FinishedAt: instantOf(i.FinishedAt),
		RemovedAt:  instantOf(i.RemovedAt), RemovedBy: i.RemovedBy, Readings: i.Readings}
	for name, value := range i.FaultParams {
		out.FaultParams[name] = value
	}
	return out
}

func countsOf(c counts.Counts) ImportCounts {
	return ImportCounts{ImportPeople(c.Drivers), ImportRows(c.Transactions), c.Skipped}
}

func sumsOf(sums counts.Totals) []ImportSum {
	out := []ImportSum{}
	for _, s := range sums {
		out = append(out, ImportSum{TypeCode(s.Type), s.Count, int64(s.Sum), s.NewCount, int64(s.NewSum), kinds.Counted(s.Type)})
	}
	return out
}

func instantOf(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}

// ImportList is a page of imports, newest first.
type ImportList struct {
	Imports []Import `json:"imports" nullable:"false"`
	Next    string   `json:"next" doc:"what to ask for after this page; empty: it is the last"`
}

func importList(tx *db.Tx, in *struct {
	Status   ImportStatus `query:"status"`
	Provider string       `query:"provider" maxLength:"30"`
	After    string       `query:"after" maxLength:"64" doc:"next of the page before"`
	Limit    int          `query:"limit" minimum:"1" maximum:"100" default:"50"`
}) (list ImportList, err error) {
	page, err := imports.All(tx, imports.Filter{Status: string(in.Status), Provider: in.Provider, After: in.After, Limit: in.Limit})
	list = ImportList{Imports: []Import{}, Next: page.Next}
	for _, i := range page.Imports {
		list.Imports = append(list.Imports, importOf(i))
	}
	return list, err
}

// ImportRow is one amount that an import brought.
type ImportRow struct {
	ID           string   `json:"id"`
	State        string   `json:"state" enum:"transaction,unassigned,ignored,fleet,replaced"`
	SourceFile   string   `json:"sourceFile"`
	SourceRow    int64    `json:"sourceRow"`
	SourceColumn string   `json:"sourceColumn"`
	Provider     string   `json:"provider"`
	Type         TypeCode `json:"type"`
	Amount       int64    `json:"amount"`
	Currency     string   `json:"currency"`
	OccurredOn   string   `json:"occurredOn" format:"date"`
	SpanFrom     string   `json:"spanFrom"`
	SpanTo       string   `json:"spanTo"`
	Description  string   `json:"description"`
	DriverID     string   `json:"driverUUID" doc:"empty: no driver's"`
	IdentityID   string   `json:"identityId" doc:"of the unmatched driver; empty: none"`
	FirstName    string   `json:"firstName"`
	LastName     string   `json:"lastName"`
	SettlementID string   `json:"settlementUUID" doc:"empty: unsettled"`
	Corrects     string   `json:"corrects" doc:"the settled transaction whose amount is taken off, since a file says it anew; empty: none"`
}

// ImportRowList is a page of the rows of an import, in the order of the file.
type ImportRowList struct {
	Rows   []ImportRow `json:"rows" nullable:"false"`
	Before bool        `json:"before" doc:"there are rows before the first one"`
	Next   string      `json:"next"`
}

func importRows(tx *db.Tx, in *struct {
	ID    string `path:"id" maxLength:"64"`
	After string `query:"after" maxLength:"100" doc:"next of the page before"`
	At    string `query:"at" maxLength:"64" doc:"a row that the page contains, with a few before it; an unknown one: the first page"`
	Limit int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}) (list ImportRowList, err error) {
	page, err := imports.RowsOf(tx, in.ID, imports.RowsFrom{After: in.After, At: in.At}, in.Limit)
	list = ImportRowList{Rows: []ImportRow{}, Before: page.Before, Next: page.Next}
	for _, r := range page.Rows {
		list.Rows = append(list.Rows, ImportRow{r.ID, r.State, r.SourceFile, r.SourceRow, r.SourceColumn, r.Provider, TypeCode(r.Type),
			int64(r.Amount), string(r.Currency),
			string(r.OccurredOn), string(r.SpanFrom), string(r.SpanTo), r.Description, r.DriverID, r.IdentityID, r.FirstName, r.LastName,
			r.SettlementID, r.Corrects})
	}
	return list, err
}

// importFile hands out the original file to be saved, never to be shown.
func (s Settings) importFile(ctx context.Context, c web.Call, in *named) (write func(huma.Context), err error) {
	var i imports.Import
	err = s.DB.Read(ctx, c.Actor, func(tx *db.Tx) (err error) {
		i, err = imports.Of(tx, in.ID)
		return err
	})
	if err != nil {
		return nil, err
	}
	content, size, err := kept(s.Imports.Original(ctx, i))
	if err != nil {
		return nil, err
	}
	return download(content, size, "application/octet-stream", i.FileName), nil
}

// refusedRows hands out the rows that were not imported, with their reasons.
func (s Settings) refusedRows(ctx context.Context, c web.Call, in *struct {
	ID       string   `path:"id" maxLength:"64"`
	Format   string   `query:"format" enum:"csv,xlsx" default:"csv"`
	Language Language `query:"lang"`
}) (write func(huma.Context), err error) {
	file, err := tempFile()
	if err != nil {
		return nil, err
	}
	format := spreadsheet.Format(in.Format)
	if err := s.Imports.Refused(ctx, c.Actor, in.ID, format, s.wordsOf(in.Language), file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	size, err := file.Seek(0, io.SeekCurrent)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return download(file, size, format.MediaType(), "refused."+in.Format), nil
}

// importTemplate is our own sheet, empty, to be filled in.
func importTemplate(context.Context, web.Call, *nothing) (write func(huma.Context), err error) {
	text := "\ufeff" + strings.Join(own.Columns, ";") + "\r\n"
	return download(io.NopCloser(strings.NewReader(text)), int64(len(text)), spreadsheet.CSV.MediaType(), "saldo-template.csv"), nil
}

func download(content io.ReadCloser, size int64, mediaType, name string) func(huma.Context) {
	return func(hc huma.Context) {
		defer content.Close()
		hc.SetHeader("Content-Type", mediaType)
		hc.SetHeader("Content-Length", strconv.FormatInt(size, 10))
		hc.SetHeader("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
		hc.SetHeader("Content-Security-Policy", "default-src 'none'; sandbox")
		hc.SetHeader("Cache-Control", "no-store")
		hand(hc.Context(), hc.BodyWriter(), content)
	}
}

// ImportConfirmation says what to do with money that another file has brought too.
type ImportConfirmation struct {
	BookedAs string `json:"bookedAs" enum:",money,detail" required:"false" doc:"after a warning of same_money; detail books nothing"`
	Restated string `json:"restated" enum:",replace,beside" required:"false" doc:"where there are changes: replace these weeks, or book both"`
	Reading  int64  `json:"reading" minimum:"0" required:"false" doc:"readings of the import as it was seen; 0: whichever"`
}

func (s Settings) confirmImport(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body ImportConfirmation
}) (ImportMade, error) {
	options := imports.ConfirmOptions{BookedAs: in.Body.BookedAs, Restated: in.Body.Restated, Reading: in.Body.Reading}
	status, err := s.Imports.Confirm(tx, in.ID, options)
	return ImportMade{in.ID, ImportStatus(status)}, err
}

func (s Settings) cancelImport(ctx context.Context, c web.Call, in *named) (web.None, error) {
	s.Imports.Stop(c.Actor.Tenant, in.ID)
	return web.None{}, s.DB.Write(ctx, c.Actor, func(tx *db.Tx) error {
		_, _, err := web.Once(tx, c.Key, "cancel-import "+in.ID, func() (web.None, error) { return web.None{}, imports.Cancel(tx, in.ID) })
		return err
	})
}

// removeImport takes back what an import brought. Evidence that people
// attached to its rows goes after nobody names it.
func (s Settings) removeImport(ctx context.Context, c web.Call, in *named) (web.None, error) {
	var unneeded []string
	err := s.DB.Write(ctx, c.Actor, func(tx *db.Tx) error {
		_, _, err := web.Once(tx, c.Key, "remove-import "+in.ID, func() (none web.None, err error) {
			unneeded, err = imports.Remove(tx, in.ID)
			return none, err
		})
		return err
	})
	if err != nil {
		return web.None{}, err
	}
	for _, key := range unneeded {
		_ = s.Blobs.Delete(context.WithoutCancel(ctx), key) // one that stays behind costs its bytes and nothing else
	}
	return web.None{}, nil
}
