package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/invoices"
	"saldo/internal/invoices/checks"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/returns"
	"saldo/internal/tracking"
)

// invoiceBody is how large an upload may be: the file and what is said about it.
const invoiceBody = invoices.FileMax + 1<<20

func (s Settings) invoiceImagesRoutes(r *web.Router) {
	web.Plain(r, web.Route{Method: post, Path: "/api/invoice-images", Name: "add-invoice", Permission: access.InvoicesWrite,
		Status: http.StatusCreated, BodyLimit: invoiceBody, Timeout: 2 * time.Minute,
		Summary: "A driver uploads an invoice; with all fields it is described at once. The same file is one invoice"}, s.addInvoice)
	web.Plain(r, web.Route{Method: post, Path: "/api/invoice-images/partner", Name: "add-invoice-for-driver",
		Permission: access.InvoicesDecide, Status: http.StatusCreated, BodyLimit: invoiceBody, Timeout: 2 * time.Minute,
		Summary: "A partner uploads an invoice for a driver"}, s.addInvoiceForDriver)
	web.Plain(r, web.Route{Method: post, Path: "/api/ocr/invoices", Name: "read-invoice", Permission: access.InvoicesWrite,
		BodyLimit: invoiceBody, Timeout: time.Minute,
		Summary: "Read a file for a form that is not sent yet; waits up to 20 seconds, then ask for the reading"}, s.readInvoice)
	web.Plain(r, web.Route{Method: get, Path: "/api/ocr/invoices/{id}", Name: "invoice-reading", Permission: access.InvoicesRead,
		Summary: "What was read for a form"}, s.invoiceReading)
	web.Plain(r, web.Route{Method: get, Path: "/api/invoice-images", Name: "invoices", Permission: access.InvoicesRead,
		Summary: "A page of invoices with totals: a partner's of all its drivers, a driver's own"}, s.invoiceList)
	web.Plain(r, web.Route{Method: get, Path: "/api/invoice-images/provision", Name: "invoice-provision", Permission: access.InvoicesRead,
		Summary: "What approved invoices that no settlement has taken will bring, and what the partner keeps"}, s.invoiceProvision)
	web.Plain(r, web.Route{Method: get, Path: "/api/invoice-images/{id}", Name: "invoice", Permission: access.InvoicesRead,
		Summary: "One invoice with what was read, what to look at and what happened"}, s.invoice)
	web.Plain(r, web.Route{Method: get, Path: "/api/invoice-images/{id}/preview", Name: "invoice-preview", Permission: access.InvoicesRead,
		Timeout: time.Minute, Summary: "A page of the file as a picture that the program drew"}, s.invoicePreview)
	web.Plain(r, web.Route{Method: get, Path: "/api/invoice-images/{id}/file", Name: "invoice-file", Permission: access.InvoicesRead,
		Timeout: time.Minute, Summary: "The original file, to download"}, s.invoiceFile)
	web.Plain(r, web.Route{Method: put, Path: "/api/invoice-images/{id}", Name: "describe-invoice", Permission: access.InvoicesWrite,
		BodyLimit: invoiceBody, Timeout: 2 * time.Minute,
		Summary: "Save, submit, approve or reopen an invoice; with a file, replace it"}, s.describeInvoice)
	web.Plain(r, web.Route{Method: del, Path: "/api/invoice-images/{id}", Name: "delete-invoice", Permission: access.InvoicesWrite,
		Summary: "Take an invoice away: a driver until the partner has described it, the partner until it is approved"}, s.deleteInvoice)
	web.Write(r, web.Route{Method: post, Path: "/api/invoice-images/feedback/{id}", Name: "invoice-feedback",
		Permission: access.InvoicesDecide, Mails: true,
		Summary: "Tell the driver something about an invoice, or send it back to be described again"}, s.invoiceFeedback)
	web.Write(r, web.Route{Method: post, Path: "/api/invoice-images/reject/{id}", Name: "reject-invoice", Permission: access.InvoicesDecide,
		Mails: true, Summary: "Reject an invoice; the driver is told why"}, s.rejectInvoice)
	web.Write(r, web.Route{Method: post, Path: "/api/invoice-images/approve", Name: "approve-invoices", Permission: access.InvoicesDecide,
		Summary: "Approve those of the invoices that need no second look, and name the others"}, s.approveInvoices)
	web.Plain(r, web.Route{Method: post, Path: "/api/invoice-images/validate-number", Name: "validate-invoice-number",
		Permission: access.InvoicesWrite, Summary: "Whether the number of an issuer may be used"}, s.validateInvoiceNumber)
	web.Plain(r, web.Route{Method: post, Path: "/api/invoice-images/verify-details", Name: "verify-invoice-details",
		Permission: access.InvoicesWrite, Summary: "What saving these details would say"}, s.verifyInvoiceDetails)
}

// invoicePerson is whoever acts: a driver, or the partner.
func invoicePerson(driver string) invoices.Person {
	if driver == "" {
		return invoices.Partner
	}
	return invoices.Driver(driver)
}

// as reads as the partner, or as the driver in the tenant of the chosen partner.
func (s Settings) as(ctx context.Context, c web.Call, do func(tx *db.Tx, who invoices.Person) error) error {
	return s.readAsSide(ctx, c, invoices.ErrNotFound, func(tx *db.Tx, driver string) error { return do(tx, invoicePerson(driver)) })
}

// once does something as the partner or as the driver, once for the key of the request.
func once[Out any](s Settings, ctx context.Context, c web.Call, sum string, do func(tx *db.Tx, who invoices.Person) (Out, error)) (out Out,
	replayed bool, err error) {
	return writeAsSide(s, ctx, c, sum, invoices.ErrNotFound, func(tx *db.Tx, driver string) (Out, error) {
		return do(tx, invoicePerson(driver))
	})
}

// InvoiceState is where an invoice stands; the contract lists all of them.
type InvoiceState string

// Schema lists the states.
func (InvoiceState) Schema(huma.Registry) *huma.Schema { return listed(invoices.States) }

// InvoiceFields are what an invoice says. What is empty or zero is not known.
type InvoiceFields struct {
	Number          string       `json:"number" required:"false" maxLength:"200"`
	IssueDate       string       `json:"issueDate" required:"false" maxLength:"10"`
	SaleDate        string       `json:"saleDate" required:"false" maxLength:"10"`
	IssuerTaxID     string       `json:"issuerTaxId" required:"false" maxLength:"40"`
	IssuerName      string       `json:"issuerName" required:"false" maxLength:"400"`
	BuyerTaxID      string       `json:"buyerTaxId" required:"false" maxLength:"40"`
	Currency        string       `json:"currency" required:"false" maxLength:"3" doc:"empty: that of the instance"`
	Net             money.Amount `json:"net" required:"false"`
	Gross           money.Amount `json:"gross" required:"false"`
	VATStandard     money.Amount `json:"vatStandard" required:"false" doc:"VAT at the standard rate"`
	VATReduced      money.Amount `json:"vatReduced" required:"false" doc:"VAT at the reduced rate"`
	VATOther        money.Amount `json:"vatOther" required:"false" doc:"VAT at other rates; it never comes back"`
	VATZeroBase     money.Amount `json:"vatZeroBase" required:"false" doc:"what of the net amount bears no VAT"`
	Registration    string       `json:"registration" required:"false" maxLength:"40"`
	Mileage         int64        `json:"mileage" required:"false" doc:"0: none"`
	Category        string       `json:"category" required:"false" enum:",fuel,repair,lease,phone,wash,parking,insurance,other"`
	Description     string       `json:"description" required:"false" maxLength:"1000"`
	CorrectedNumber string       `json:"correctedNumber" required:"false" maxLength:"200" doc:"of the invoice that a correction is about"`
	KSeFNumber      string       `json:"ksefNumber" required:"false" maxLength:"60"`
}

func (f *InvoiceFields) details() invoices.Details {
	return invoices.Details{Number: f.Number, IssuedOn: calendar.Date(f.IssueDate), SoldOn: calendar.Date(f.SaleDate),
		IssuerTaxID: f.IssuerTaxID, IssuerName: f.IssuerName, BuyerTaxID: f.BuyerTaxID, Currency: money.Currency(f.Currency), Net: f.Net,
		Gross: f.Gross, VATStandard: f.VATStandard, VATReduced: f.VATReduced, VATOther: f.VATOther, BaseZero: f.VATZeroBase,
		Registration: f.Registration, Mileage: f.Mileage, Category: f.Category, Description: f.Description,
		CorrectedNumber: f.CorrectedNumber, KsefNumber: f.KSeFNumber}
}

func invoiceFields(d *invoices.Details) InvoiceFields {
	return InvoiceFields{d.Number, string(d.IssuedOn), string(d.SoldOn), d.IssuerTaxID, d.IssuerName, d.BuyerTaxID, string(d.Currency),
		d.Net, d.Gross, d.VATStandard, d.VATReduced, d.VATOther, d.BaseZero, d.Registration, d.Mileage, d.Category, d.Description,
		d.CorrectedNumber, d.KsefNumber}
}

// InvoiceImage is an invoice in JSON.
type InvoiceImage struct {
	ID               string        `json:"id"`
	State            InvoiceState  `json:"state"`
	WaitsFor         string        `json:"waitsFor" enum:",driver,partner" doc:"who has to describe it"`
	UploadedBy       string        `json:"uploadedBy" enum:"driver,partner"`
	DescribedBy      string        `json:"describedBy" enum:",driver,partner" doc:"who last changed what the provision depends on"`
	Source           string        `json:"source" enum:",xml,text,ocr,none" doc:"what the fields were read from; empty: it is not read yet"`
	DriverID         string        `json:"driverUUID"`
	FirstName        string        `json:"firstName"`
	LastName         string        `json:"lastName"`
	Fields           InvoiceFields `json:"fields"`
	FileName         string        `json:"fileName"`
	FileType         string        `json:"fileType"`
	FileSize         int64         `json:"fileSize"`
	FileVersion      int64         `json:"fileVersion"`
	Pages            int64         `json:"pages"`
	Feedback         string        `json:"feedback" doc:"what the partner wrote to the driver"`
	RejectReason     string        `json:"rejectReason" enum:",unreadable,not_ours,duplicate,not_allowed,wrong_data,too_old,other"`
	SettlementID     string        `json:"settlementId" doc:"that took it; empty: none"`
	SettlementNumber int64         `json:"settlementNumber"`
	Version          int64         `json:"version"`
	UploadedAt       time.Time     `json:"uploadedAt"`
	DecidedAt        *time.Time    `json:"decidedAt"`
	VATReturn        money.Amount  `json:"vatReturn" doc:"what of the VAT comes back to the driver"`
	Provision        money.Amount  `json:"provision" doc:"what the partner keeps of that"`
	Why              string        `json:"why" doc:"why nothing comes back; empty: something does, or there is no VAT"`
}

func invoiceImage(l *invoices.Listed, r engine.Returned) InvoiceImage {
	return InvoiceImage{ID: l.ID, State: InvoiceState(l.State), WaitsFor: string(l.WaitsFor), UploadedBy: string(l.UploadedBy),
		DescribedBy: string(l.DescribedBy), Source: string(l.Source), DriverID: l.Canonical, FirstName: l.FirstName, LastName: l.LastName,
		Fields: invoiceFields(&l.Details), FileName: l.FileName, FileType: l.FileType, FileSize: l.FileSize, FileVersion: l.FileVersion,
		Pages: l.Pages, Feedback: l.Feedback, RejectReason: string(l.RejectReason), SettlementID: l.SettlementID,
		SettlementNumber: l.SettlementNumber, Version: l.Version, UploadedAt: l.UploadedAt, DecidedAt: instantOf(l.DecidedAt),
		VATReturn: r.VATReturn, Provision: r.Provision, Why: string(r.Why)}
}

// oneInvoice is an invoice with what it brings.
func (s Settings) oneInvoice(tx *db.Tx, who invoices.Person, id string) (InvoiceImage, error) {
	l, err := invoices.ListedOf(tx, id, who.ID())
	if err != nil {
		return InvoiceImage{}, err
	}
	brings, err := returns.Of(tx, s.Settlements, []invoices.Asked{l.Asked()})
	return invoiceImage(&l, brings[l.ID]), err
}

// InvoiceUpload is what is said of an uploaded file. Typed are the fields that a person typed; without it, those whose values were not
// read from the file.
type InvoiceUpload struct {
	InvoiceFields
	Typed []string `json:"typed"`
}

// InvoiceForm is an upload: a file, and what is known of it.
type InvoiceForm struct {
	File huma.FormFile `form:"file" required:"true" contentType:"application/octet-stream" doc:"PDF to 10 MB, picture or XML to 1 MB"`
	Data string        `form:"data" required:"false" maxLength:"20000" doc:"the fields as JSON, and typed, their names; none: it is read"`
	PhoneForm
}

// InvoiceForDriver is an upload of a partner.
type InvoiceForDriver struct {
	File     huma.FormFile `form:"file" required:"true" contentType:"application/octet-stream"`
	Data     string        `form:"data" required:"false" maxLength:"20000"`
	DriverID string        `form:"driverUUID" required:"true" maxLength:"64"`
}

// parsed reads the fields that came beside a file.
func parsed[T any](text string) (*T, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	value := new(T)
	read := json.NewDecoder(strings.NewReader(text))
	read.DisallowUnknownFields()
	if err := read.Decode(value); err != nil {
		return nil, invoices.ErrInvalid.Field("data", fault.WrongFormat).Because(err)
	}
	return value, nil
}

func (s Settings) addInvoice(ctx context.Context, c web.Call, in *struct {
	RawBody huma.MultipartFormFiles[InvoiceForm]
}) (InvoiceImage, error) {
	form := in.RawBody.Data()
	defer form.File.Close()
	if c.Actor.Role != access.Driver {
		return InvoiceImage{}, web.ErrForbidden // a partner names the driver
	}
	return s.upload(ctx, c, form.File, "", form.Data, form.PhoneForm)
}

func (s Settings) addInvoiceForDriver(ctx context.Context, c web.Call, in *struct {
	RawBody huma.MultipartFormFiles[InvoiceForDriver]
}) (InvoiceImage, error) {
	form := in.RawBody.Data()
	defer form.File.Close()
	return s.upload(ctx, c, form.File, form.DriverID, form.Data, PhoneForm{})
}

// receive keeps a file for the tenant that the caller acts in. Whoever does not use it drops it.
func (s Settings) receive(ctx context.Context, c web.Call, file huma.FormFile) (r invoices.Received, err error) {
	tenant := ""
	if err := s.as(ctx, c, func(tx *db.Tx, _ invoices.Person) error { tenant = tx.Actor.Tenant; return nil }); err != nil {
		return r, err
	}
	return s.Invoices.Receive(ctx, tenant, file.Filename, file)
}

// unused deletes a received file that no row names, unless an error leaves this open.
func (s Settings) unused(ctx context.Context, r invoices.Received, used bool, err error) {
	if !stays(err, used) {
		s.Invoices.Drop(ctx, r)
	}
}

func (s Settings) upload(ctx context.Context, c web.Call, file huma.FormFile, driver, data string, sent PhoneForm) (InvoiceImage, error) {
	fields, err := parsed[InvoiceUpload](data)
	if err != nil {
		return InvoiceImage{}, err
	}
	tenant, err := s.sentFor(ctx, c, sent)
	if err != nil {
		return InvoiceImage{}, err
	}
	r, err := s.receive(ctx, c, file)
	if err != nil {
		return InvoiceImage{}, err
	}
	sum, err := web.Sum("add-invoice", []string{r.ContentHash, driver, data})
	if err != nil {
		return InvoiceImage{}, err
	}
	if sent.ID != "" {
		r.ID = sent.ID
	}
	used := false
	out, _, err := once(s, ctx, c, sum, func(tx *db.Tx, who invoices.Person) (InvoiceImage, error) {
		used = false
		if sent.ID != "" {
			if tx.Actor.Tenant != tenant {
				return InvoiceImage{}, tracking.ErrPartner
			}
			if there, err := invoices.Known(tx, who, sent.ID); err != nil {
				return InvoiceImage{}, err
			} else if there {
				return s.oneInvoice(tx, who, sent.ID)
			}
		}
		var form *invoices.Form
		if fields != nil {
			form = &invoices.Form{Details: fields.details(), Typed: fields.Typed}
		}
		i, err := s.Invoices.Add(tx, who, driver, r, form)
		if err != nil {
			return InvoiceImage{}, err
		}
		used = true
		return s.oneInvoice(tx, who, i.ID)
	})
	s.unused(ctx, r, used, err)
	return out, err
}

// ReadField is one value that was read.
type ReadField struct {
	Value      string    `json:"value"`
	Confidence float64   `json:"confidence" doc:"0 to 1; from 0.9 on it needs no second look"`
	Page       int       `json:"page" doc:"0: it has no place"`
	Box        []float64 `json:"box" nullable:"false" doc:"left, top, right, bottom in parts of the page"`
	Source     string    `json:"source"`
}

// InvoiceReading is what was read from a file.
type InvoiceReading struct {
	ReadingID string               `json:"readingId"`
	State     string               `json:"state" enum:",waiting,done" doc:"waiting: ask again; empty: nothing is read"`
	Source    string               `json:"source"`
	Engine    string               `json:"engine"`
	TookMs    int64                `json:"tookMs"`
	Pages     int                  `json:"pages"`
	Sharpness float64              `json:"sharpness" doc:"of a picture; below 1 it is blurred; 0: not measured"`
	Fields    map[string]ReadField `json:"fields" doc:"by the names of the fields of an invoice"`
	KSeF      string               `json:"ksefCode" doc:"the address in the QR code of KSeF; empty: none"`
	Findings  []string             `json:"findings" nullable:"false"`
	Proposed  *InvoiceDriver       `json:"proposed,omitempty" doc:"for a partner's form: whose vehicle it is; a person confirms it"`
}

func invoiceReading(r *invoices.Reading) InvoiceReading {
	out := InvoiceReading{ReadingID: r.ID, State: r.State, Source: string(r.Result.Source), Engine: r.Result.Engine, TookMs: r.TookMs,
		Pages: r.Result.Pages, Sharpness: r.Result.Sharp, Fields: map[string]ReadField{}, KSeF: r.Result.KSeFCode,
		Findings: append([]string{}, r.Result.Findings...)}
	for _, f := range r.Result.Fields {
		out.Fields[f.Name] = ReadField{f.Value, f.Sure, f.Page, []float64{f.Box.X0, f.Box.Y0, f.Box.X1, f.Box.Y1}, string(f.Source)}
	}
	return out
}

// readingWaits is how long a request waits for a reading.
const readingWaits = 20 * time.Second

func (s Settings) readInvoice(ctx context.Context, c web.Call, in *struct {
	RawBody huma.MultipartFormFiles[struct {
		File huma.FormFile `form:"file" required:"true" contentType:"application/octet-stream"`
	}]
}) (out InvoiceReading, err error) {
	file := in.RawBody.Data().File
	defer file.Close()
	r, err := s.receive(ctx, c, file)
	if err != nil {
		return out, err
	}
	sum, err := web.Sum("read-invoice", r.ContentHash)
	if err != nil {
		return out, err
	}
	asked, _, err := once(s, ctx, c, sum, func(tx *db.Tx, who invoices.Person) (NamedThing, error) {
		made, err := s.Invoices.ReadForForm(tx, who, r)
		return NamedThing{made.ID}, err
	})
	if err != nil {
		s.unused(ctx, r, false, err)
		return out, err
	}
	waiting, cancel := context.WithTimeout(ctx, readingWaits)
	defer cancel()
	for {
		found, err := s.readingByID(ctx, c, asked.ID)
		if err != nil || found.State == invoices.Done || waiting.Err() != nil {
			s.unused(ctx, r, found.BlobKey == r.BlobKey, err)
			return found.InvoiceReading, err
		}
		select {
		case <-waiting.Done():
		case <-time.After(150 * time.Millisecond):
		}
	}
}

// InvoiceFinding is something about an invoice that a person should know.
type InvoiceFinding struct {
	Code     FindingCode `json:"code"`
	Severity string      `json:"severity" enum:"refuse,confirm,note"`
	Field    string      `json:"field"`
	Expected string      `json:"expected"`
	Found    string      `json:"found"`
	OtherID  string      `json:"otherId" doc:"the invoice that it repeats or resembles; empty: none, or another driver's"`
}

// FindingCode names a finding; the contract lists all of them.
type FindingCode string

// Schema lists the codes.
func (FindingCode) Schema(huma.Registry) *huma.Schema { return listed(checks.Codes) }

func invoiceFindings(found []checks.Finding) []InvoiceFinding {
	out := make([]InvoiceFinding, len(found))
	for i, f := range found {
		out[i] = InvoiceFinding{FindingCode(f.Code), string(f.Severity), f.Field, f.Expected, f.Found, f.OtherID}
	}
	return out
}

// OpenedInvoice is an invoice with everything around it.
type OpenedInvoice struct {
	Invoice  InvoiceImage     `json:"invoice"`
	Reading  InvoiceReading   `json:"reading"`
	Findings []InvoiceFinding `json:"findings" nullable:"false"`
	Accepted []string         `json:"accepted" nullable:"false" doc:"findings that the partner confirmed"`
	Touched  []string         `json:"touched" nullable:"false" doc:"fields that a person typed"`
	Trail    []InvoiceEvent   `json:"trail" nullable:"false"`
}

func (s Settings) invoice(ctx context.Context, c web.Call, in *named) (out OpenedInvoice, err error) {
	err = s.as(ctx, c, func(tx *db.Tx, who invoices.Person) (err error) {
		out, err = s.openedInvoice(tx, who, in.ID)
		return err
	})
	return out, err
}

func (s Settings) openedInvoice(tx *db.Tx, who invoices.Person, id string) (out OpenedInvoice, err error) {
	i, err := invoices.Of(tx, id, who.ID())
	if err != nil {
		return out, err
	}
	if out.Invoice, err = s.oneInvoice(tx, who, id); err != nil {
		return out, err
	}
	read, err := invoices.ReadingOf(tx, &i)
	if err != nil {
		return out, err
	}
	out.Reading, out.Accepted, out.Touched = invoiceReading(&read), i.Accepted, i.Touched
	found, err := s.Invoices.Verify(tx, who, i.Details, id)
	if err != nil {
		return out, err
	}
	entries, err := invoices.Trail(tx, id)
	out.Findings, out.Trail = invoiceFindings(found), shownTrail(entries, who.Side == invoices.ByDriver)
	return out, err
}

// invoiceContent is the current file of an invoice.
func (s Settings) invoiceContent(ctx context.Context, c web.Call, id string) (content []byte, i invoices.Invoice, err error) {
	key := ""
	err = s.as(ctx, c, func(tx *db.Tx, who invoices.Person) (err error) {
		if i, err = invoices.Of(tx, id, who.ID()); err != nil {
			return err
		}
		key, err = invoices.BlobOf(tx, &i)
		return err
	})
	if err != nil {
		return nil, i, err
	}
	content, err = s.Invoices.Content(ctx, key)
	if err != nil {
		err = damage(err)
	}
	return content, i, err
}

func (s Settings) invoicePreview(ctx context.Context, c web.Call, in *struct {
	ID    string `path:"id" maxLength:"64"`
	Page  int    `query:"page" minimum:"1" maximum:"20" default:"1"`
	Width int    `query:"width" minimum:"64" maximum:"2400" default:"1200"`
}) (write func(huma.Context), err error) {
	content, _, err := s.invoiceContent(ctx, c, in.ID)
	if err != nil {
		return nil, err
	}
	picture, mediaType, err := s.Invoices.Reader.Preview(ctx, content, in.Page, in.Width)
	if err != nil {
		return nil, invoices.FileFault(err)
	}
	return shownPicture(picture, mediaType), nil
}

func (s Settings) invoiceFile(ctx context.Context, c web.Call, in *named) (write func(huma.Context), err error) {
	content, i, err := s.invoiceContent(ctx, c, in.ID)
	if err != nil {
		return nil, err
	}
	return download(io.NopCloser(bytes.NewReader(content)), int64(len(content)), "application/octet-stream", i.FileName), nil
}
