package api

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/documents"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
	"saldo/internal/platform/spreadsheet"
	"saldo/internal/platform/web"
)

func (s Settings) documentBoardRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/driver-documents/matrix", Name: "document-matrix", Permission: access.DocumentsDecide,
		Summary: "A page of drivers with their required documents and those that are there"}, s.documentMatrix)
	web.Read(r, web.Route{Method: get, Path: "/api/driver-documents/expiring", Name: "expiring-documents", Permission: access.DocumentsDecide,
		Summary: "What has expired, does so soon or is missing, the most urgent first"}, s.expiringDocuments)
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-documents/expiring/export", Name: "export-expiring-documents",
		Permission: access.DocumentsDecide, Timeout: 2 * time.Minute, Summary: "The same as a file, without numbers"}, s.exportExpiring)
	web.Write(r, web.Route{Method: post, Path: "/api/driver-documents/remind", Name: "remind-documents", Permission: access.DocumentsDecide,
		Mails: true, Summary: "Remind drivers of documents, at most once a day each"}, s.remindDocuments)
	web.Read(r, web.Route{Method: get, Path: "/api/document-types", Name: "document-types", Permission: access.DocumentsDecide,
		Summary: "All types of documents, those that are not used any more too"}, s.documentTypes)
	web.Write(r, web.Route{Method: post, Path: "/api/document-types", Name: "add-document-type", Permission: access.DocumentsDecide,
		Status: http.StatusCreated, Summary: "Add a type of the partner's own"}, s.addDocumentType)
	web.Write(r, web.Route{Method: put, Path: "/api/document-types/{id}", Name: "change-document-type", Permission: access.DocumentsDecide,
		Summary: "Change a type; one that is not active is not asked for"}, s.changeDocumentType)
}

// matrixPage is how many drivers a page of the matrix has.
const matrixPage = 50

// MatrixRow is a driver with the places of documents.
type MatrixRow struct {
	DriverID  string       `json:"driverUUID"`
	FirstName string       `json:"firstName"`
	LastName  string       `json:"lastName"`
	Linked    bool         `json:"linked" doc:"the driver has an account and can upload"`
	Cells     []MatrixCell `json:"cells" nullable:"false"`
}

// MatrixCell is the place of one document.
type MatrixCell struct {
	TypeID     string           `json:"typeId"`
	Vehicle    string           `json:"vehicle"`
	State      DocumentStanding `json:"state"`
	DocumentID string           `json:"documentId" doc:"what waits, else what is there; empty: nothing"`
	ValidTo    calendar.Date    `json:"validTo"`
}

func matrixCell(slot *documents.Slot) MatrixCell {
	cell := MatrixCell{TypeID: slot.Type.ID, Vehicle: slot.Vehicle, State: DocumentStanding(slot.State)}
	for _, d := range []*documents.Document{slot.Refused, slot.Current, slot.Waiting} {
		if d != nil {
			cell.DocumentID = d.ID
		}
	}
	if slot.Current != nil {
		cell.ValidTo = slot.Current.ValidTo
	}
	return cell
}

// DocumentMatrix is a page of drivers with their documents.
type DocumentMatrix struct {
	Types  []DocumentType   `json:"types" nullable:"false" doc:"those that are used"`
	Rows   []MatrixRow      `json:"rows" nullable:"false"`
	Total  int64            `json:"total"`
	Counts map[string]int64 `json:"counts" doc:"of places by state, of all drivers"`
}

func (s Settings) documentMatrix(tx *db.Tx, in *struct {
	Query string           `query:"query" maxLength:"100"`
	State DocumentStanding `query:"state"`
	Type  string           `query:"type" maxLength:"64"`
	Page  int64            `query:"page" minimum:"1" maximum:"100000" default:"1"`
}) (DocumentMatrix, error) {
	out := DocumentMatrix{Types: []DocumentType{}, Rows: []MatrixRow{}, Counts: map[string]int64{}}
	rows, types, err := s.Documents.Rows(tx, documents.Filter{Query: in.Query, State: documents.State(in.State), Type: in.Type})
	if err != nil {
		return out, err
	}
	for i := range types {
		out.Types = append(out.Types, documentType(&types[i]))
	}
	out.Total = int64(len(rows))
	for _, r := range rows {
		for _, slot := range r.Slots {
			out.Counts[string(slot.State)]++
		}
	}
	from := min((in.Page-1)*matrixPage, out.Total)
	for _, r := range rows[from:min(from+matrixPage, out.Total)] {
		row := MatrixRow{r.ID, r.FirstName, r.LastName, r.Linked, []MatrixCell{}}
		for i := range r.Slots {
			row.Cells = append(row.Cells, matrixCell(&r.Slots[i]))
		}
		out.Rows = append(out.Rows, row)
	}
	return out, nil
}

// DueDocument is a place of a document that somebody has to do something about.
type DueDocument struct {
	DriverID   string     `json:"driverUUID"`
	FirstName  string     `json:"firstName"`
	LastName   string     `json:"lastName"`
	Linked     bool       `json:"linked"`
	Cell       MatrixCell `json:"cell"`
	Group      string     `json:"group" enum:"expired,7,14,30,later,missing"`
	Days       int        `json:"days" doc:"to the last day; below 0: it is over"`
	RemindedAt *time.Time `json:"remindedAt"`
}

// DueDocuments is the expiry board.
type DueDocuments struct {
	Types  []DocumentType   `json:"types" nullable:"false"`
	Items  []DueDocument    `json:"items" nullable:"false" doc:"up to 500 of each group"`
	Counts map[string]int64 `json:"counts" doc:"by group"`
}

// dueMost is how much of a group is listed; the file has all of it.
const dueMost = 500

func (s Settings) expiringDocuments(tx *db.Tx, in *struct {
	Within int `query:"within" minimum:"0" maximum:"366" default:"30" doc:"days"`
}) (DueDocuments, error) {
	out := DueDocuments{Types: []DocumentType{}, Items: []DueDocument{}, Counts: map[string]int64{}}
	types, err := s.Documents.Types(tx)
	if err != nil {
		return out, err
	}
	for i := range types {
		out.Types = append(out.Types, documentType(&types[i]))
	}
	due, err := s.Documents.Expiring(tx, in.Within)
	for i := range due {
		d := &due[i]
		if out.Counts[d.Group]++; out.Counts[d.Group] <= dueMost {
			out.Items = append(out.Items, DueDocument{d.ID, d.FirstName, d.LastName, d.Linked, matrixCell(&d.Slot), d.Group, d.Days,
				instantOf(d.Reminded)})
		}
	}
	return out, err
}

func (s Settings) exportExpiring(ctx context.Context, c web.Call, in *struct {
	Within   int      `query:"within" minimum:"0" maximum:"366" default:"30"`
	Format   string   `query:"format" enum:"csv,xlsx" default:"csv"`
	Language Language `query:"lang"`
}) (func(huma.Context), error) {
	format := spreadsheet.Format(in.Format)
	e := documents.Export{Within: in.Within, Language: s.wordsOf(in.Language), Zone: s.Instance.Location()}
	return s.serveExport(ctx, c, export{mediaType: format.MediaType(),
		write: func(tx *db.Tx, to io.Writer) error {
			table, err := spreadsheet.New(format, to, e.Name(), e.Heads())
			if err != nil {
				return err
			}
			if err := e.Write(tx, s.Documents, table); err != nil {
				return err
			}
			return table.Close()
		},
		record: func(tx *db.Tx) (string, error) { return e.FileName(tx.Now, format), e.Record(tx) }})
}

// DocumentReminder names what drivers are reminded of.
type DocumentReminder struct {
	Items []struct {
		DriverID string `json:"driverUUID" maxLength:"64"`
		TypeID   string `json:"typeId" maxLength:"64"`
		Vehicle  string `json:"vehicle,omitempty" maxLength:"40"`
	} `json:"items" minItems:"1" maxItems:"500"`
}

// DocumentsReminded says of how many drivers' documents reminders were given.
type DocumentsReminded struct {
	Reminded int `json:"reminded" doc:"less than asked: reminded today already, without an account, or uploaded meanwhile"`
}

func (s Settings) remindDocuments(tx *db.Tx, in *struct{ Body DocumentReminder }) (DocumentsReminded, error) {
	var chosen []documents.Chosen
	for _, i := range in.Body.Items {
		chosen = append(chosen, documents.Chosen{DriverID: i.DriverID, TypeID: i.TypeID, Vehicle: i.Vehicle})
	}
	n, err := s.Documents.RemindChosen(tx, chosen)
	return DocumentsReminded{n}, err
}

// DocumentTypes are all types of a partner.
type DocumentTypes struct {
	Types []DocumentType `json:"types" nullable:"false"`
}

func (s Settings) documentTypes(tx *db.Tx, _ *nothing) (DocumentTypes, error) {
	out := DocumentTypes{[]DocumentType{}}
	types, err := s.Documents.Types(tx)
	for i := range types {
		out.Types = append(out.Types, documentType(&types[i]))
	}
	return out, err
}

// DocumentTypeForm is a type as it is to be.
type DocumentTypeForm struct {
	Names      map[string]string `json:"names,omitempty" doc:"by language"`
	Subject    string            `json:"subject" enum:"driver,vehicle"`
	Sides      int64             `json:"sides" minimum:"1" maximum:"2"`
	Required   bool              `json:"required"`
	Expires    bool              `json:"expires"`
	Warns      bool              `json:"warns"`
	RemindDays []int64           `json:"remindDays" nullable:"false" maxItems:"6"`
	Active     bool              `json:"active"`
	Version    int64             `json:"version,omitempty" minimum:"0"`
}

func (s Settings) saveType(tx *db.Tx, id string, f *DocumentTypeForm) (DocumentType, error) {
	t, err := s.Documents.SaveType(tx, documents.Type{ID: id, Names: f.Names, Subject: f.Subject, Sides: f.Sides, Required: f.Required,
		Expires: f.Expires, Warns: f.Warns, RemindDays: f.RemindDays, Active: f.Active, Version: f.Version})
	return documentType(&t), err
}

func (s Settings) addDocumentType(tx *db.Tx, in *struct{ Body DocumentTypeForm }) (DocumentType, error) {
	in.Body.Version = 0
	return s.saveType(tx, "", &in.Body)
}

func (s Settings) changeDocumentType(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body DocumentTypeForm
}) (DocumentType, error) {
	return s.saveType(tx, in.ID, &in.Body)
}
