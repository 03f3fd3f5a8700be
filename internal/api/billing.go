package api

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/billing"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/ksef/sending"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/web"
	"saldo/internal/settlements"
)

func (s Settings) billingRoutes(r *web.Router) {
	web.Plain(r, web.Route{Method: get, Path: "/api/settlements/{id}/statement", Name: "settlement-statement",
		Permission: access.SettlementsRead,
		Summary:    "The statement of a settlement as a PDF, in the driver's language"}, s.settlementStatement)
	web.Read(r, web.Route{Method: get, Path: "/api/settlements/{id}/documents", Name: "billing-documents",
		Permission: access.SettlementsRead,
		Summary:    "The bill or invoice of a settlement, or what stands in its way"}, s.billingDocuments)
	web.Write(r, web.Route{Method: post, Path: "/api/settlements/{id}/documents", Name: "issue-document",
		Permission: access.SettlementsWrite, Status: http.StatusCreated,
		Summary: "Issue the bill or invoice of a settlement; asked again it is the same one"}, s.issueDocument)
	web.Plain(r, web.Route{Method: get, Path: "/api/billing-documents/{id}", Name: "billing-pdf", Permission: access.SettlementsRead,
		Summary: "A bill or invoice as a PDF"}, s.billingPDF)
	web.Plain(r, web.Route{Method: get, Path: "/api/billing-documents/{id}/xml", Name: "billing-file", Permission: access.SettlementsRead,
		Summary: "An invoice as machines read it: FA(3), in Germany EN 16931"}, s.billingFile)
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-accounts/settlements/{id}/statement", Name: "driver-statement",
		Permission: access.AccountRead, Personal: true,
		Summary: "Its statement as a PDF"}, s.driverStatement)
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-accounts/documents/{id}", Name: "driver-document",
		Permission: access.AccountRead, Personal: true,
		Summary: "A bill or invoice of one of them as a PDF"}, s.driverPDF)
	web.Driver(r, web.Route{Method: get, Path: "/api/driver-accounts/documents/{id}/xml", Name: "driver-document-file",
		Permission: access.AccountRead,
		Summary:    "An invoice of one of them as machines read it"}, s.driverFile)
}

// saved hands out a file to be saved, never to be run.
func saved(mediaType, name string, content []byte) func(huma.Context) {
	return func(hc huma.Context) {
		hc.SetHeader("Content-Type", mediaType)
		hc.SetHeader("Content-Length", strconv.Itoa(len(content)))
		hc.SetHeader("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
		hc.SetHeader("Content-Security-Policy", "default-src 'none'; sandbox")
		hc.SetHeader("Cache-Control", "no-store")
		_, _ = hc.BodyWriter().Write(content) // who went away needs no answer
	}
}

const mediaPDF = "application/pdf"

// logoUnder is the partner's picture.
func (s Settings) logoUnder(ctx context.Context, key string) ([]byte, error) {
	logo, err := partners.KeptLogo(ctx, s.Blobs, key)
	return logo, damage(err)
}

// statementOf makes the PDF of a settlement once the unit of work has ended: no connection waits for a picture or a page.
func (s Settings) statementOf(ctx context.Context, document *billing.Statement) (func(huma.Context), error) {
	content, err := s.printed(ctx, document)
	if err != nil {
		return nil, err
	}
	return saved(mediaPDF, document.FileName(), content), nil
}

func (s Settings) printed(ctx context.Context, document *billing.Statement) ([]byte, error) {
	logo, err := s.logoUnder(ctx, document.LogoKey)
	if err != nil {
		return nil, err
	}
	return document.PDF(logo)
}

// MailedStatement gathers what the statement behind a link says, and makes its pages once the unit of work has ended.
func (s Settings) MailedStatement(tx *db.Tx, settlement string, language i18n.Language) (
	func(context.Context) (mail.Attachment, error), error) {
	document, err := s.Billing.LinkedStatement(tx, settlement, language)
	return func(ctx context.Context) (mail.Attachment, error) {
		content, err := s.printed(ctx, document)
		return mail.Attachment{Name: document.FileName(), Type: mediaPDF, Data: content}, err
	}, err
}

func (s Settings) settlementStatement(ctx context.Context, c web.Call, in *named) (func(huma.Context), error) {
	var document *billing.Statement
	if err := s.DB.Read(ctx, c.Actor, func(tx *db.Tx) (err error) {
		document, err = s.Billing.Statement(tx, in.ID)
		return err
	}); err != nil {
		return nil, err
	}
	return s.statementOf(ctx, document)
}

func (s Settings) driverStatement(ctx context.Context, c web.Call, in *named) (func(huma.Context), error) {
	var document *billing.Statement
	if err := s.DB.Read(ctx, web.DriverScope(c.Actor), func(tx *db.Tx) error {
		return shared(tx, c.Actor, in.ID, func() (err error) { document, err = s.Billing.Statement(tx, in.ID); return err })
	}); err != nil {
		return nil, err
	}
	return s.statementOf(ctx, document)
}

// documentStates are those of documents and, the last four, of drafts.
var documentStates = []string{"issued", "waiting", "accepted", "refused", "corrected", "cancelled",
	"draft", "approval", "approved", "declined"}

// DocumentState is the state of a document or draft.
type DocumentState string

// Schema lists the states.
func (DocumentState) Schema(huma.Registry) *huma.Schema { return oneOf(documentStates...) }

// BillingDocument is a bill or an invoice that was issued.
type BillingDocument struct {
	ID              string        `json:"id"`
	Kind            string        `json:"kind" enum:"bill,invoice,correction"`
	State           DocumentState `json:"state" doc:"waiting, accepted and refused: at KSeF; the last four are drafts without a number"`
	Number          string        `json:"number"`
	IssuedOn        string        `json:"issuedOn"`
	Net             money.Amount  `json:"net"`
	VAT             money.Amount  `json:"vat"`
	Gross           money.Amount  `json:"gross"`
	IssuedBy        string        `json:"issuedBy"`
	CancelledAt     *time.Time    `json:"cancelledAt" doc:"its settlement was revoked then; null: it stands"`
	HasFile         bool          `json:"hasFile" doc:"machines can read it"`
	AuthorityState  string        `json:"authorityState" enum:",pending,waiting,accepted,refused,withdrawn" doc:"at KSeF; empty: not sent"`
	AuthorityNumber string        `json:"authorityNumber"`
	AuthorityReason string        `json:"authorityReason" doc:"why it was refused, in the office's words"`
	Corrects        string        `json:"corrects" doc:"number of the invoice that it corrects; empty: it is no correction"`
	CorrectedBy     string        `json:"correctedBy" doc:"number of its correction; empty: there is none"`
	OnTheWay        string        `json:"onTheWay,omitempty" enum:"sent,no_access,access_expired,no_grant,blocked" doc:"to KSeF"`
	HasUPO          bool          `json:"hasUpo,omitempty"`
}

func documentOf(d *billing.Document, at sending.Standing) BillingDocument {
	out := BillingDocument{d.ID, string(d.Kind), DocumentState(d.State), d.Number, string(d.IssuedOn), d.Net, d.VAT, d.Gross, d.IssuedBy,
		instantOf(d.CancelledAt), d.HasFile(),
		string(d.AuthorityState), d.AuthorityNumber, d.AuthorityReason, d.CorrectsNumber, d.CorrectedBy, string(at.Reason), at.UPO}
	if at.State == sending.Sent {
		out.OnTheWay = string(sending.Sent)
	}
	if len(at.Words) > 1 && d.AuthorityState == billing.Refused { // the first is in the reason
		out.AuthorityReason += ": " + strings.Join(at.Words[1:], "; ")
	}
	return out
}

// standings are where documents are on their way to KSeF.
func (s Settings) standings(tx *db.Tx, documents []billing.Document) (map[string]sending.Standing, error) {
	ids := make([]string, len(documents))
	for i := range documents {
		ids[i] = documents[i].ID
	}
	return s.Sending.Standings(tx, ids)
}

// BillingSeller is what a document says of the driver's company beyond what is written down of the driver.
type BillingSeller struct {
	Name   string `json:"name,omitempty" maxLength:"150" doc:"empty: as in the document before, else the driver's"`
	Street string `json:"street,omitempty" maxLength:"100" doc:"empty: as in the document before"`
	Place  string `json:"place,omitempty" maxLength:"100" doc:"post code and town; empty: as in the document before"`
}

// BillingDocuments are those of a settlement, and what could be issued.
type BillingDocuments struct {
	Documents []BillingDocument `json:"documents" nullable:"false"`
	Kind      string            `json:"kind" enum:"bill,invoice" doc:"what is issued of this settlement"`
	Missing   []web.FaultCode   `json:"missing" nullable:"false" doc:"why none can be issued; empty: one can, or was"`
	Seller    BillingSeller     `json:"seller" doc:"as it would stand on the document"`
	Draft     *BillingDraft     `json:"draft,omitempty" doc:"that waits for its driver's word, or was declined; absent: none"`
}

func (s Settings) billingDocuments(tx *db.Tx, in *named) (out BillingDocuments, err error) {
	o, err := s.Billing.Offered(tx, in.ID)
	if err != nil {
		return out, err
	}
	out = BillingDocuments{make([]BillingDocument, len(o.Documents)), string(o.Kind), make([]web.FaultCode, len(o.Missing)),
		BillingSeller(o.Seller), draftOf(o.Draft, string(o.Until))}
	at, err := s.standings(tx, o.Documents)
	if err != nil {
		return out, err
	}
	for i := range o.Documents {
		out.Documents[i] = documentOf(&o.Documents[i], at[o.Documents[i].ID])
	}
	for i, code := range o.Missing {
		out.Missing[i] = web.FaultCode(code)
	}
	return out, nil
}

// IssuedDocument names a document; who is on it is read with it.
type IssuedDocument struct {
	ID     string `json:"id" doc:"empty: the driver has to approve it first"`
	Number string `json:"number"`
	State  string `json:"state" enum:"issued,waiting,accepted,refused,corrected,cancelled,draft,approval"`
}

func (s Settings) issueDocument(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body BillingSeller
}) (IssuedDocument, error) {
	d, err := s.Billing.Issue(tx, in.ID, billing.Seller(in.Body))
	return IssuedDocument{d.ID, d.Number, string(d.State)}, err
}

func (s Settings) billingPDF(ctx context.Context, c web.Call, in *named) (func(huma.Context), error) {
	var document *billing.PDFDocument
	if err := s.DB.Read(ctx, c.Actor, func(tx *db.Tx) (err error) {
		document, err = s.Billing.PDFDocument(tx, in.ID)
		return err
	}); err != nil {
		return nil, err
	}
	return s.pdfOf(ctx, document)
}

// driverPDF is the same for its driver.
func (s Settings) driverPDF(ctx context.Context, c web.Call, in *named) (func(huma.Context), error) {
	var document *billing.PDFDocument
	if err := s.DB.Read(ctx, web.DriverScope(c.Actor), func(tx *db.Tx) error {
		return ownDocument(tx, c.Actor, in.ID, func() (err error) { document, err = s.Billing.PDFDocument(tx, in.ID); return err })
	}); err != nil {
		return nil, err
	}
	return s.pdfOf(ctx, document)
}

// ownDocument does something with a bill or invoice of a settlement that was shared with the driver who asks.
func ownDocument(tx *db.Tx, who access.Actor, id string, do func() error) error {
	err := sharedBy(tx, who, func() (string, error) { return billing.SettlementOf(tx, id) }, do)
	if errors.Is(err, settlements.ErrNotFound) {
		err = billing.ErrNotFound // what is not theirs is not there
	}
	return err
}

func (s Settings) pdfOf(ctx context.Context, document *billing.PDFDocument) (func(huma.Context), error) {
	logo, err := s.logoUnder(ctx, document.LogoKey)
	if err != nil {
		return nil, err
	}
	content, err := document.PDF(logo)
	if err != nil {
		return nil, err
	}
	return saved(mediaPDF, document.FileName(), content), nil
}

func (s Settings) billingFile(ctx context.Context, c web.Call, in *struct {
	ID  string `path:"id" maxLength:"64"`
	UPO bool   `query:"upo" doc:"KSeF's confirmation instead"`
}) (func(huma.Context), error) {
	var content []byte
	var name, key string
	if in.UPO {
		if err := s.DB.Read(ctx, c.Actor, func(tx *db.Tx) (err error) { key, name, err = sending.UPOKey(tx, in.ID); return err }); err != nil {
			return nil, err
		}
		content, err := s.Sending.UPO(ctx, key)
		return saved("application/xml", "UPO-"+name+".xml", content), err
	}
	if err := s.DB.Read(ctx, c.Actor, func(tx *db.Tx) (err error) {
		content, name, err = s.Billing.File(tx, in.ID)
		return err
	}); err != nil {
		return nil, err
	}
	return saved("application/xml", name, content), nil
}

// driverFile is the same for its driver.
func (s Settings) driverFile(tx *db.Tx, who access.Actor, in *named) (func(huma.Context), error) {
	var content []byte
	var name string
	if err := ownDocument(tx, who, in.ID, func() (err error) { content, name, err = s.Billing.File(tx, in.ID); return err }); err != nil {
		return nil, err
	}
	return saved("application/xml", name, content), nil
}
