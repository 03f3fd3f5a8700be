package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/imports"
	"saldo/internal/imports/pipeline"
	"saldo/internal/imports/providers/mapped"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) mappingsRoutes(r *web.Router) {
	web.Write(r, web.Route{Method: post, Path: "/api/imports/{id}/read-again", Name: "read-import-again",
		Permission: access.ImportsWrite, Status: http.StatusAccepted,
		Summary: "Analyze an uploaded file again, in a job"}, readImportAgain)
	web.Read(r, web.Route{Method: get, Path: "/api/import-mappings", Name: "import-mappings", Permission: access.ImportsRead,
		Summary: "What the partner said of files whose layout nobody knows"}, importMappings)
	web.Write(r, web.Route{Method: post, Path: "/api/import-mappings", Name: "add-import-mapping",
		Permission: access.ImportsWrite, Status: http.StatusCreated,
		Summary: "Remember what the columns of a file hold; files with these columns are read again"}, s.addMapping)
	web.Plain(r, web.Route{Method: post, Path: "/api/import-mappings/try", Name: "try-import-mapping", Permission: access.ImportsRead,
		Summary: "Read the first rows of a file with a mapping that is not saved"}, s.tryMapping)
	web.Write(r, web.Route{Method: put, Path: "/api/import-mappings/{id}", Name: "save-import-mapping", Permission: access.ImportsWrite,
		Summary: "Replace what a mapping says; files that wait for confirmation are read again"}, s.saveMapping)
	web.Write(r, web.Route{Method: del, Path: "/api/import-mappings/{id}", Name: "remove-import-mapping", Permission: access.ImportsWrite,
		Summary: "Forget a mapping; what it has read stays"}, removeMapping)
}

// ColumnRole is what a column of a file holds; the contract lists all of them.
type ColumnRole string

// Schema lists the roles.
func (ColumnRole) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, role := range mapped.Roles() {
		s.Enum = append(s.Enum, string(role))
	}
	return s
}

// DateForm is how days are written in a file; the contract lists all of them.
type DateForm string

// Schema lists the forms.
func (DateForm) Schema(huma.Registry) *huma.Schema { return listed(mapped.DateForms()) }

// DecimalSign is what stands before the minor units of an amount.
type DecimalSign string

// Schema lists the signs.
func (DecimalSign) Schema(huma.Registry) *huma.Schema { return listed([]string{"", ".", ","}) }

// MappedColumn gives a column, by its head, a role.
type MappedColumn struct {
	Header string     `json:"header"`
	Role   ColumnRole `json:"role"`
}

// MappingRules say what the columns of a file hold and how they are written.
type MappingRules struct {
	Provider string         `json:"provider"`
	Columns  []MappedColumn `json:"columns" nullable:"false" doc:"those that hold something; the others are left out"`
	Decimal  DecimalSign    `json:"decimal" doc:"empty: whichever is clear"`
	DateForm DateForm       `json:"dateForm" doc:"empty: whichever is clear"`
	Sign     string         `json:"sign" enum:"as_is,negated" doc:"negated: positive is what the driver owes"`
	Type     string         `json:"type" doc:"of all rows; empty: a column has it"`
}

func rulesOf(m mapped.Mapping) MappingRules {
	out := MappingRules{m.Provider, []MappedColumn{}, DecimalSign(m.Decimal), DateForm(m.DateForm), m.Sign, m.Type}
	for _, c := range m.Columns {
		out.Columns = append(out.Columns, MappedColumn{c.Header, ColumnRole(c.Role)})
	}
	return out
}

func (r MappingRules) rules() mapped.Mapping {
	m := mapped.Mapping{Provider: r.Provider, Columns: []mapped.Column{}, Decimal: string(r.Decimal), DateForm: string(r.DateForm),
		Sign: r.Sign, Type: r.Type}
	for _, c := range r.Columns {
		m.Columns = append(m.Columns, mapped.Column{Header: c.Header, Role: mapped.Role(c.Role)})
	}
	return m
}

// ImportMapping is what a partner said of the files with one head.
type ImportMapping struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Version   int64     `json:"version" doc:"grows with every edit"`
	Head      []string  `json:"head" nullable:"false" doc:"all columns of these files"`
	ImportID  string    `json:"importId" doc:"the file that it was made for"`
	CreatedAt time.Time `json:"createdAt"`
	CreatedBy string    `json:"createdBy"`
	UpdatedAt time.Time `json:"updatedAt"`
	UpdatedBy string    `json:"updatedBy"`
	MappingRules
}

// ImportMappingList is all that a partner described, by name.
type ImportMappingList struct {
	Mappings []ImportMapping `json:"mappings" nullable:"false"`
}

func importMappings(tx *db.Tx, _ *nothing) (list ImportMappingList, err error) {
	found, err := imports.Mappings(tx)
	list.Mappings = []ImportMapping{}
	for _, m := range found {
		list.Mappings = append(list.Mappings, ImportMapping{m.ID, m.Name, m.Version, append([]string{}, m.Head...), m.ImportID, m.CreatedAt,
			m.CreatedBy, m.UpdatedAt, m.UpdatedBy, rulesOf(m.Rules.Mapping)})
	}
	return list, err
}

// MappedFile says which rows of which file a mapping is made for.
type MappedFile struct {
	ImportID string `json:"importId" minLength:"1" maxLength:"64"`
	Part     string `json:"part" maxLength:"500" doc:"of the file; empty: the file itself"`
	HeadLine int64  `json:"headLine" doc:"the row that names the columns"`
}

// NewImportMapping is what a mapping is made of.
type NewImportMapping struct {
	Name string `json:"name" doc:"1 to 100 characters"`
	MappedFile
	MappingRules
}

// ImportMappingMade is a mapping that was made.
type ImportMappingMade struct {
	ID string `json:"id"`
}

func (s Settings) addMapping(tx *db.Tx, in *struct{ Body NewImportMapping }) (ImportMappingMade, error) {
	id, err := s.Imports.AddMapping(tx, imports.NewMapping{Name: in.Body.Name, ImportID: in.Body.ImportID, Part: in.Body.Part,
		HeadLine: in.Body.HeadLine, Rules: in.Body.rules()})
	return ImportMappingMade{id}, err
}

// ImportMappingChanges replaces what a mapping says.
type ImportMappingChanges struct {
	Version int64  `json:"version" doc:"that of the mapping the change was made from; refused when somebody saved meanwhile"`
	Name    string `json:"name" doc:"1 to 100 characters"`
	MappingRules
}

func (s Settings) saveMapping(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body ImportMappingChanges
}) (web.None, error) {
	return web.None{}, s.Imports.SaveMapping(tx, in.ID, in.Body.Version, in.Body.Name, in.Body.rules())
}

func removeMapping(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, imports.RemoveMapping(tx, in.ID)
}

// ImportOrder is what a person says about an uploaded file.
type ImportOrder struct {
	Provider        string `json:"provider" maxLength:"30" doc:"empty: as recognised"`
	City            string `json:"city" maxLength:"200"`
	DatesFrom       string `json:"datesFrom" maxLength:"10" doc:"first day, for rows that have no date"`
	DatesTo         string `json:"datesTo" maxLength:"10"`
	BonusFrom       string `json:"bonusFrom" maxLength:"10" doc:"first day, for bonuses that have no date"`
	BonusTo         string `json:"bonusTo" maxLength:"10"`
	AllowDuplicates bool   `json:"allowDuplicates" doc:"import the same content again"`
	MergeByName     bool   `json:"mergeByName" doc:"recognise drivers by a unique first and last name"`
}

// readImportAgain may be sent without a body: what was said about the file then holds on.
func readImportAgain(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body *ImportOrder
}) (ImportMade, error) {
	var order *imports.Order
	if o := in.Body; o != nil {
		order = &imports.Order{Chosen: o.Provider, City: o.City, DatesFrom: calendar.Date(o.DatesFrom), DatesTo: calendar.Date(o.DatesTo),
			BonusFrom: calendar.Date(o.BonusFrom), BonusTo: calendar.Date(o.BonusTo), AllowDuplicates: o.AllowDuplicates,
			MergeByName: o.MergeByName}
	}
	status, err := imports.ReadAgain(tx, in.ID, order)
	return ImportMade{in.ID, ImportStatus(status)}, err
}

// MappingTrial is a mapping that is being made for a file.
type MappingTrial struct {
	MappedFile
	MappingRules
}

// TriedRowError is why a row would be refused.
type TriedRowError struct {
	Code     RowErrorCode `json:"code"`
	Column   string       `json:"column"`
	Found    string       `json:"found"`
	Expected string       `json:"expected"`
}

// TriedRow is a row as a mapping would read it.
type TriedRow struct {
	Line      int64           `json:"line"`
	On        string          `json:"on" doc:"a day; empty: the row is refused or skipped"`
	Clock     string          `json:"clock" doc:"hours and minutes; empty: the row has none"`
	Name      string          `json:"name"`
	Keys      []ImportKey     `json:"keys" nullable:"false"`
	Type      string          `json:"type"`
	Amount    int64           `json:"amount"`
	RowErrors []TriedRowError `json:"rowErrors" nullable:"false" doc:"why it would be refused"`
	Skipped   string          `json:"skipped" enum:",total,repeated_head,empty" doc:"why it holds no money; empty: it does"`
}

// TriedRows are the first rows of a file as a mapping would read them.
type TriedRows struct {
	Rows []TriedRow `json:"rows" nullable:"false"`
}

func (s Settings) tryMapping(ctx context.Context, c web.Call, in *struct{ Body MappingTrial }) (out TriedRows, err error) {
	var tried []pipeline.Tried
	err = s.DB.Read(ctx, c.Actor, func(tx *db.Tx) (err error) {
		tried, err = s.Imports.Try(tx, imports.NewMapping{ImportID: in.Body.ImportID, Part: in.Body.Part, HeadLine: in.Body.HeadLine,
			Rules: in.Body.rules()})
		return err
	})
	out.Rows = []TriedRow{}
	for _, t := range tried {
		row := TriedRow{Line: t.Line, On: string(t.On), Clock: t.Clock, Name: t.FullName(), Keys: keysOf(t.Person.Keys), Type: t.Type,
			Amount: int64(t.Amount), RowErrors: []TriedRowError{}, Skipped: t.Skipped}
		for _, e := range t.RowErrors {
			row.RowErrors = append(row.RowErrors, TriedRowError{RowErrorCode(e.Code), e.Column, e.Found, e.Expected})
		}
		out.Rows = append(out.Rows, row)
	}
	return out, err
}
