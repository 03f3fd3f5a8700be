package api

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/documents"
	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/tracking"
)

// documentBody is how large an upload may be: two sides and what is said about them.
const documentBody = 2*documents.FileMax + 1<<20

func (s Settings) driverDocumentsRoutes(r *web.Router) {
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-documents", Name: "driver-documents", Permission: access.DocumentsRead,
		Summary: "The documents of a driver by type: a driver's own, or those of the named one"}, s.driverDocuments)
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-documents/driver/{id}", Name: "documents-of-driver",
		Permission: access.DocumentsDecide, Summary: "The documents of a driver by type"}, s.documentsOfDriver)
	web.Plain(r, web.Route{Method: post, Path: "/api/driver-documents", Name: "add-driver-document", Permission: access.DocumentsWrite,
		Status: http.StatusCreated, BodyLimit: documentBody, Timeout: 2 * time.Minute,
		Summary: "Upload a document: a driver's waits for the partner, a partner's is accepted"}, s.addDriverDocument)
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-documents/{id}", Name: "open-driver-document", Permission: access.DocumentsRead,
		Summary: "One document with what happened to it"}, s.driverDocument)
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-documents/{id}/document-image/{image}/preview", Name: "driver-document-image",
		Permission: access.DocumentsRead, Timeout: time.Minute,
		Summary: "A side of a document as a picture; that a partner looked at it is written down"}, s.driverDocumentImage)
	// zip is a parameter, as a fixed word there and the fixed driver/ above would both match driver/zip
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-documents/{id}/{as}", Name: "driver-documents-zip",
		Permission: access.DocumentsDecide, Timeout: time.Minute,
		Summary: "All pictures of a driver's documents, or those of one document, as a ZIP"}, s.driverDocumentsZip)
	web.Write(r, web.Route{Method: post, Path: "/api/driver-documents/{id}/accept", Name: "accept-driver-document",
		Permission: access.DocumentsDecide, Summary: "Accept a document with what was read on it; an older one is replaced"}, s.acceptDocument)
	web.Write(r, web.Route{Method: post, Path: "/api/driver-documents/{id}/reject", Name: "reject-driver-document",
		Permission: access.DocumentsDecide, Mails: true, Summary: "Reject a document; the driver is told why"}, s.rejectDocument)
	web.Write(r, web.Route{Method: post, Path: "/api/driver-documents/{id}/keep", Name: "keep-driver-document",
		Permission: access.DocumentsDecide, Summary: "Say why a document is not erased when its time comes, or that it is"}, s.keepDocument)
	web.Plain(r, web.Route{Method: del, Path: "/api/driver-documents/{id}", Name: "remove-driver-document", Permission: access.DocumentsWrite,
		Summary: "Take a document away: a driver what waits, the partner any"}, s.removeDocument)
	s.documentBoardRoutes(r)
}

// DocumentStanding is where a document or the place of one stands; the contract lists all of them.
type DocumentStanding string

// Schema lists the states.
func (DocumentStanding) Schema(huma.Registry) *huma.Schema { return listed(documents.Standings) }

// DocumentType is a kind of document that drivers show.
type DocumentType struct {
	ID         string            `json:"id"`
	Ready      bool              `json:"ready" doc:"it comes with the program and its name is among the texts"`
	Names      map[string]string `json:"names" doc:"by language, of a type of the partner's own"`
	Subject    string            `json:"subject" enum:"driver,vehicle"`
	Sides      int64             `json:"sides" minimum:"1" maximum:"2"`
	Required   bool              `json:"required"`
	Expires    bool              `json:"expires"`
	Warns      bool              `json:"warns" doc:"before settling, where it is missing or expired"`
	RemindDays []int64           `json:"remindDays" nullable:"false" maxItems:"6" doc:"days before the last one"`
	Active     bool              `json:"active"`
	Version    int64             `json:"version" doc:"0: it is as it came"`
}

func documentType(t *documents.Type) DocumentType {
	names := map[string]string{}
	for language, name := range t.Names {
		names[language] = name
	}
	return DocumentType{t.ID, t.Ready, names, t.Subject, t.Sides, t.Required, t.Expires, t.Warns, append([]int64{}, t.RemindDays...), t.Active,
		t.Version}
}

// ShownDocument is a document of a driver or of their vehicle.
type ShownDocument struct {
	ID         string          `json:"id"`
	TypeID     string          `json:"typeId"`
	Vehicle    string          `json:"vehicle" doc:"registration; empty: a document of the driver"`
	State      string          `json:"state" enum:"waiting,accepted,expiring,expired,rejected,replaced"`
	Number     string          `json:"number" doc:"empty in answers to changes"`
	ValidTo    calendar.Date   `json:"validTo" doc:"the last day; empty: without an end"`
	Note       string          `json:"note" doc:"why it was rejected"`
	UploadedBy string          `json:"uploadedBy" enum:"driver,partner"`
	EnteredAt  time.Time       `json:"enteredAt"`
	DecidedAt  *time.Time      `json:"decidedAt"`
	EraseAt    *time.Time      `json:"eraseAt" doc:"when its pictures and its number go; none: it is in use"`
	KeptFor    string          `json:"keptFor" doc:"why it is not erased all the same"`
	Erased     bool            `json:"erased"`
	Images     []DocumentImage `json:"images" nullable:"false"`
	Version    int64           `json:"version"`
}

// DocumentImage is one side of a document.
type DocumentImage struct {
	ID    string `json:"id"`
	Side  string `json:"side" enum:"front,back"`
	Type  string `json:"fileType"`
	Pages int64  `json:"pages"`
}

// DocumentPlace is the place of one document of a driver.
type DocumentPlace struct {
	TypeID  string           `json:"typeId"`
	Vehicle string           `json:"vehicle"`
	State   DocumentStanding `json:"state" doc:"what is to be done"`
	Current *ShownDocument   `json:"current,omitempty" doc:"accepted"`
	Waiting *ShownDocument   `json:"waiting,omitempty" doc:"uploaded and not decided"`
	Refused *ShownDocument   `json:"refused,omitempty" doc:"rejected, with nothing uploaded since"`
}

// DocumentsOfDriver are the documents of one driver.
type DocumentsOfDriver struct {
	DriverID  string          `json:"driverUUID"`
	FirstName string          `json:"firstName"`
	LastName  string          `json:"lastName"`
	Types     []DocumentType  `json:"types" nullable:"false"`
	Places    []DocumentPlace `json:"places" nullable:"false" doc:"in the order of the types"`
}

// documentPerson is whoever acts: a driver, or the partner.
func documentPerson(driver string) documents.Person {
	if driver == "" {
		return documents.Partner
	}
	return documents.Driver(driver)
}

func (s Settings) driverDocuments(ctx context.Context, c web.Call, in *struct {
	DriverUUID string `query:"driverUUID" maxLength:"64" doc:"whose, where a partner asks"`
}) (out DocumentsOfDriver, err error) {
	return s.documentsOf(ctx, c, in.DriverUUID)
}

func (s Settings) documentsOfDriver(ctx context.Context, c web.Call, in *named) (DocumentsOfDriver, error) {
	return s.documentsOf(ctx, c, in.ID)
}

func (s Settings) documentsOf(ctx context.Context, c web.Call, asked string) (out DocumentsOfDriver, err error) {
	err = s.readAsSide(ctx, c, documents.ErrNotFound, func(tx *db.Tx, driver string) error {
		if driver == "" {
			driver = asked
		}
		d, err := drivers.Named(tx, driver)
		if err != nil {
			return err
		}
		out = DocumentsOfDriver{DriverID: d.ID, FirstName: d.FirstName, LastName: d.LastName, Types: []DocumentType{}, Places: []DocumentPlace{}}
		slots, err := s.Documents.OfDriver(tx, driver)
		if err != nil {
			return err
		}
		for i := range slots {
			if n := len(out.Types); n == 0 || out.Types[n-1].ID != slots[i].Type.ID {
				out.Types = append(out.Types, documentType(slots[i].Type))
			}
		}
		out.Places, err = s.documentPlaces(tx, slots)
		return err
	})
	return out, err
}

// documentPlaces are slots with their documents and pictures.
func (s Settings) documentPlaces(tx *db.Tx, slots []documents.Slot) ([]DocumentPlace, error) {
	var ids []string
	for i := range slots {
		for _, d := range []*documents.Document{slots[i].Current, slots[i].Waiting, slots[i].Refused} {
			if d != nil {
				ids = append(ids, d.ID)
			}
		}
	}
	images, err := documents.ImagesOf(tx, ids...)
	if err != nil {
		return nil, err
	}
	places := []DocumentPlace{}
	for i := range slots {
		slot := &slots[i]
		place := DocumentPlace{TypeID: slot.Type.ID, Vehicle: slot.Vehicle, State: DocumentStanding(slot.State)}
		for into, d := range map[**ShownDocument]*documents.Document{&place.Current: slot.Current, &place.Waiting: slot.Waiting,
			&place.Refused: slot.Refused} {
			if d == nil {
				continue
			}
			made, err := s.shownDocument(tx, d, images)
			if err != nil {
				return nil, err
			}
			*into = &made
		}
		places = append(places, place)
	}
	return places, nil
}

func (s Settings) shownDocument(tx *db.Tx, d *documents.Document, images []documents.Image) (ShownDocument, error) {
	number, err := s.Documents.Number(tx, d)
	out := ShownDocument{ID: d.ID, TypeID: d.TypeID, Vehicle: d.Vehicle, State: string(d.Standing(s.Documents.Today(tx))), Number: number,
		ValidTo: d.ValidTo, Note: d.Note, UploadedBy: string(d.UploadedBy), EnteredAt: d.EnteredAt, DecidedAt: instantOf(d.DecidedAt),
		EraseAt: instantOf(d.EraseAt), KeptFor: d.KeptFor, Erased: !d.ErasedAt.IsZero(), Images: []DocumentImage{}, Version: d.Version}
	for _, i := range images {
		if i.DocumentID == d.ID && !out.Erased {
			out.Images = append(out.Images, DocumentImage{i.ID, i.Side, i.FileType, i.Pages})
		}
	}
	return out, err
}

// changedDocument is a document as a change answers it: without its number, since answers are kept for a while.
func (s Settings) changedDocument(tx *db.Tx, d *documents.Document) (ShownDocument, error) {
	images, err := documents.ImagesOf(tx, d.ID)
	if err != nil {
		return ShownDocument{}, err
	}
	without := *d
	without.NumberSealed = ""
	return s.shownDocument(tx, &without, images)
}

// DocumentForm is an upload: the sides, and what stands on the document.
type DocumentForm struct {
	Front   huma.FormFile `form:"front" required:"true" contentType:"application/octet-stream" doc:"picture to 1 MB, PDF to 10 MB"`
	Back    huma.FormFile `form:"back" required:"false" contentType:"application/octet-stream"`
	Type    string        `form:"type" required:"true" maxLength:"64"`
	Vehicle string        `form:"vehicle" required:"false" maxLength:"40"`
	Number  string        `form:"number" required:"false" maxLength:"100"`
	ValidTo string        `form:"validTo" required:"false" maxLength:"10"`
	NoEnd   bool          `form:"noEnd" required:"false" doc:"it is valid without an end"`
	PhoneForm
}

func (s Settings) addDriverDocument(ctx context.Context, c web.Call, in *struct {
	DriverUUID string `query:"driverUUID" maxLength:"64" doc:"whose, where a partner uploads"`
	RawBody    huma.MultipartFormFiles[DocumentForm]
}) (out ShownDocument, err error) {
	form := in.RawBody.Data()
	sentFor, err := s.sentFor(ctx, c, form.PhoneForm)
	if err != nil {
		return out, err
	}
	if sentFor == "" {
		form.ID = ""
	}
	tenant := ""
	err = s.readAsSide(ctx, c, documents.ErrNotFound, func(tx *db.Tx, _ string) error { tenant = tx.Actor.Tenant; return nil })
	if err != nil {
		return out, err
	}
	r := documents.Received{ID: form.ID}
	used := false
	defer func() {
		if !used {
			s.Documents.Drop(ctx, r)
		}
	}()
	for _, side := range []struct {
		name string
		file huma.FormFile
	}{{documents.Front, form.Front}, {documents.Back, form.Back}} {
		if !side.file.IsSet {
			continue
		}
		defer side.file.Close()
		if err := s.Documents.Receive(ctx, tenant, side.name, side.file, &r); err != nil {
			return out, err
		}
	}
	said := []string{in.DriverUUID, form.Type, form.Vehicle, form.Number, form.ValidTo}
	for _, i := range r.Images {
		said = append(said, i.Side, i.ContentHash)
	}
	sum, err := web.Sum("add-driver-document", said)
	if err != nil {
		return out, err
	}
	out, _, err = writeAsSide(s, ctx, c, sum, documents.ErrNotFound, func(tx *db.Tx, driver string) (ShownDocument, error) {
		used = false
		if form.ID != "" {
			if tx.Actor.Tenant != sentFor {
				return ShownDocument{}, tracking.ErrPartner
			}
			if d, there, err := documents.Known(tx, documentPerson(driver), form.ID); err != nil {
				return ShownDocument{}, err
			} else if there {
				return s.changedDocument(tx, &d)
			}
		}
		d, err := s.Documents.Add(tx, documentPerson(driver), in.DriverUUID, documents.Details{TypeID: form.Type, Vehicle: form.Vehicle,
			Number: form.Number, ValidTo: calendar.Date(form.ValidTo), NoEnd: form.NoEnd}, r)
		if err != nil {
			return ShownDocument{}, err
		}
		used = true
		return s.changedDocument(tx, &d)
	})
	used = stays(err, used)
	return out, err
}

// OpenedDocument is a document with everything around it.
type OpenedDocument struct {
	Document ShownDocument  `json:"document"`
	DriverID string         `json:"driverUUID"`
	Trail    []InvoiceEvent `json:"trail" nullable:"false"`
}

func (s Settings) driverDocument(ctx context.Context, c web.Call, in *named) (out OpenedDocument, err error) {
	err = s.readAsSide(ctx, c, documents.ErrNotFound, func(tx *db.Tx, driver string) error {
		d, err := documents.Of(tx, documentPerson(driver), in.ID)
		if err != nil {
			return err
		}
		images, err := documents.ImagesOf(tx, d.ID)
		if err != nil {
			return err
		}
		if out.Document, err = s.shownDocument(tx, &d, images); err != nil {
			return err
		}
		out.DriverID = d.DriverID
		entries, err := documents.Trail(tx, in.ID)
		out.Trail = shownTrail(entries, driver != "")
		return err
	})
	return out, err
}

func (s Settings) driverDocumentImage(ctx context.Context, c web.Call, in *struct {
	ID      string `path:"id" maxLength:"64"`
	Image   string `path:"image" maxLength:"64"`
	Page    int    `query:"page" minimum:"1" maximum:"20" default:"1"`
	Width   int    `query:"width" minimum:"64" maximum:"2400" default:"1200"`
	Blurred bool   `query:"blurred" doc:"only so much that one sees what it is; leaves no line in the trail"`
}) (write func(huma.Context), err error) {
	var found documents.Image
	look := func(tx *db.Tx) error {
		return asSide(tx, c, documents.ErrNotFound, func(driver string) (err error) {
			if _, found, err = documents.ImageOf(tx, documentPerson(driver), in.ID, in.Image); err != nil || driver != "" || in.Blurred {
				return err
			}
			return documents.Looked(tx, "documents.view", in.ID)
		})
	}
	if c.Actor.Role == access.Driver || in.Blurred {
		err = s.DB.Read(ctx, scopeOf(c), look)
	} else {
		err = s.DB.Write(ctx, scopeOf(c), look)
	}
	if err != nil {
		return nil, err
	}
	content, err := s.Documents.Content(ctx, found.BlobKey)
	if err != nil {
		return nil, damage(err)
	}
	if in.Blurred {
		in.Width = blurredWidth
	}
	picture, mediaType, err := s.Documents.Draw(ctx, content, in.Page, in.Width)
	if err != nil {
		return nil, err
	}
	return shownPicture(picture, mediaType), nil
}

// blurredWidth is the width of a picture on which nothing can be read.
const blurredWidth = 24

// shownPicture is a picture that the program drew, for a page.
func shownPicture(picture []byte, mediaType string) func(huma.Context) {
	return func(hc huma.Context) {
		hc.SetHeader("Content-Type", mediaType)
		hc.SetHeader("Content-Security-Policy", "default-src 'none'; sandbox")
		hc.SetHeader("X-Content-Type-Options", "nosniff")
		hc.SetHeader("Cache-Control", "no-store")
		hand(hc.Context(), hc.BodyWriter(), bytes.NewReader(picture))
	}
}

// driverDocumentsZip packs the pictures of a driver's current documents, or of one document. That they were taken is written down first.
func (s Settings) driverDocumentsZip(ctx context.Context, c web.Call, in *struct {
	ID string `path:"id" maxLength:"64"`
	As string `path:"as" enum:"zip"`
}) (send func(huma.Context), err error) {
	var packed []documents.Packed
	if err := s.DB.Write(ctx, c.Actor, func(tx *db.Tx) (err error) {
		packed, err = s.Documents.ToPack(tx, in.ID)
		return err
	}); err != nil {
		return nil, err
	}
	file, err := tempFile()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	if err := s.Documents.Pack(ctx, file, packed); err != nil {
		return nil, damage(err)
	}
	size, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return download(file, size, "application/zip", "documents.zip"), nil
}

// DocumentAcceptance is what the partner read on a document.
type DocumentAcceptance struct {
	Version int64         `json:"version" minimum:"1"`
	Number  string        `json:"number,omitempty" maxLength:"100"`
	ValidTo calendar.Date `json:"validTo,omitempty" maxLength:"10"`
	NoEnd   bool          `json:"noEnd,omitempty"`
}

func (s Settings) acceptDocument(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body DocumentAcceptance
}) (ShownDocument, error) {
	b := in.Body
	d, err := s.Documents.Accept(tx, in.ID, documents.Acceptance{Version: b.Version, Number: b.Number, ValidTo: b.ValidTo, NoEnd: b.NoEnd})
	if err != nil {
		return ShownDocument{}, err
	}
	return s.changedDocument(tx, &d)
}

// DocumentText is a text about a document as it was seen.
type DocumentText struct {
	Version int64  `json:"version" minimum:"1"`
	Text    string `json:"text" maxLength:"2000"`
}

func (s Settings) rejectDocument(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body DocumentText
}) (ShownDocument, error) {
	d, err := s.Documents.Reject(tx, in.ID, in.Body.Version, in.Body.Text)
	if err != nil {
		return ShownDocument{}, err
	}
	return s.changedDocument(tx, &d)
}

func (s Settings) keepDocument(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body DocumentText
}) (ShownDocument, error) {
	d, err := documents.Keep(tx, in.ID, in.Body.Version, in.Body.Text)
	if err != nil {
		return ShownDocument{}, err
	}
	return s.changedDocument(tx, &d)
}

func (s Settings) removeDocument(ctx context.Context, c web.Call, in *struct {
	ID      string `path:"id" maxLength:"64"`
	Version int64  `query:"version" minimum:"1" required:"true"`
}) (web.None, error) {
	sum, err := web.Sum("remove-driver-document", []any{in.ID, in.Version})
	if err != nil {
		return web.None{}, err
	}
	_, _, err = writeAsSide(s, ctx, c, sum, documents.ErrNotFound, func(tx *db.Tx, driver string) (web.None, error) {
		return web.None{}, s.Documents.Remove(tx, documentPerson(driver), in.ID, in.Version)
	})
	return web.None{}, err
}
