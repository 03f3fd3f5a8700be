package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/invoices"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

// InvoiceChange is the form of an invoice as it is sent.
type InvoiceChange struct {
	Fields     InvoiceFields `json:"fields"`
	Version    int64         `json:"version"`
	Typed      []string      `json:"typed,omitempty" doc:"fields that a person typed; absent: those that were not read from the file"`
	Action     string        `json:"action" enum:"save,submit,approve,reopen"`
	Accept     []string      `json:"accept,omitempty" doc:"findings that the partner confirms"`
	NotTheSame string        `json:"notTheSame,omitempty" doc:"another invoice with the same issuer, day and amount that is not this one"`
	Reason     string        `json:"reason,omitempty" doc:"why it is not"`
}

// InvoiceChangeForm is a change, with a better file or without one.
type InvoiceChangeForm struct {
	Data string        `form:"data" required:"true" maxLength:"20000" doc:"the change as JSON, see InvoiceChange"`
	File huma.FormFile `form:"file" required:"false" contentType:"application/octet-stream"`
}

func (s Settings) describeInvoice(ctx context.Context, c web.Call, in *struct {
	ID      string `path:"id" maxLength:"64"`
	RawBody huma.MultipartFormFiles[InvoiceChangeForm]
}) (OpenedInvoice, error) {
	form := in.RawBody.Data()
	change, err := parsed[InvoiceChange](form.Data)
	if err != nil || change == nil {
		return OpenedInvoice{}, invoices.ErrInvalid.Field("data", fault.WrongFormat).Because(err)
	}
	var r invoices.Received
	if form.File.IsSet {
		defer form.File.Close()
		if r, err = s.receive(ctx, c, form.File); err != nil {
			return OpenedInvoice{}, err
		}
	}
	sum, err := web.Sum("describe-invoice", []string{in.ID, form.Data, r.ContentHash})
	if err != nil {
		return OpenedInvoice{}, err
	}
	out, replayed, err := once(s, ctx, c, sum, func(tx *db.Tx, who invoices.Person) (OpenedInvoice, error) {
		if err := s.describe(tx, who, in.ID, change, r); err != nil {
			return OpenedInvoice{}, err
		}
		return s.openedInvoice(tx, who, in.ID)
	})
	s.unused(ctx, r, err == nil && !replayed, err)
	return out, err
}

func (s Settings) describe(tx *db.Tx, who invoices.Person, id string, change *InvoiceChange, r invoices.Received) error {
	if change.Action != "save" && change.Action != "submit" && !tx.Actor.May(access.InvoicesDecide) {
		return web.ErrForbidden
	}
	var better *invoices.Received
	if r.ContentHash != "" {
		if better = &r; change.Action == string(invoices.Save) && change.Fields == (InvoiceFields{}) {
			_, err := s.Invoices.Replace(tx, who, id, change.Version, r)
			return err
		}
	}
	_, err := s.Invoices.Describe(tx, who, id, invoices.Change{Version: change.Version, Details: change.Fields.details(),
		Typed: change.Typed, File: better, Action: invoices.Action(change.Action), Accept: change.Accept, NotTheSame: change.NotTheSame,
		Reason: change.Reason})
	return err
}

func (s Settings) deleteInvoice(ctx context.Context, c web.Call, in *named) (web.None, error) {
	_, _, err := once(s, ctx, c, "delete-invoice "+in.ID, func(tx *db.Tx, who invoices.Person) (web.None, error) {
		return web.None{}, s.Invoices.Delete(tx, who, in.ID)
	})
	return web.None{}, err
}

// InvoiceFeedback is what a partner writes to the driver.
type InvoiceFeedback struct {
	Text     string `json:"text" maxLength:"2000"`
	Field    string `json:"field,omitempty" maxLength:"40" doc:"what it is about"`
	SendBack bool   `json:"sendBack,omitempty" doc:"the driver describes it again"`
}

func (s Settings) invoiceFeedback(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body InvoiceFeedback
}) (InvoiceImage, error) {
	if _, err := s.Invoices.Feedback(tx, in.ID, in.Body.Text, in.Body.SendBack); err != nil {
		return InvoiceImage{}, err
	}
	return s.oneInvoice(tx, invoices.Partner, in.ID)
}

// InvoiceRejection is why an invoice is not taken.
type InvoiceRejection struct {
	Reason string `json:"reason" enum:"unreadable,not_ours,duplicate,not_allowed,wrong_data,too_old,other"`
	Text   string `json:"text,omitempty" maxLength:"2000" doc:"for the driver; needed with other"`
}

func (s Settings) rejectInvoice(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body InvoiceRejection
}) (InvoiceImage, error) {
	if _, err := s.Invoices.Reject(tx, in.ID, invoices.Reason(in.Body.Reason), in.Body.Text); err != nil {
		return InvoiceImage{}, err
	}
	return s.oneInvoice(tx, invoices.Partner, in.ID)
}

// InvoiceNames are invoices by their ids.
type InvoiceNames struct {
	IDs []string `json:"ids" minItems:"1" maxItems:"200" nullable:"false"`
}

// ApprovedInvoices says which invoices were approved and which need a person.
type ApprovedInvoices struct {
	Approved []string          `json:"approved" nullable:"false"`
	Left     map[string]string `json:"left" doc:"why the others were left: unsure, findings, state or not_described"`
}

func (s Settings) approveInvoices(tx *db.Tx, in *struct{ Body InvoiceNames }) (out ApprovedInvoices, err error) {
	out = ApprovedInvoices{Approved: []string{}, Left: map[string]string{}}
	for _, id := range in.Body.IDs {
		why, err := s.Invoices.ApproveClean(tx, id)
		if err != nil {
			return out, err
		}
		if why == "" {
			out.Approved = append(out.Approved, id)
		} else {
			out.Left[id] = why
		}
	}
	return out, nil
}

// InvoiceNumber is the number of an issuer.
type InvoiceNumber struct {
	Number      string `json:"number" maxLength:"200"`
	IssuerTaxID string `json:"issuerTaxId" maxLength:"40"`
	ExceptID    string `json:"exceptId,omitempty" maxLength:"64" doc:"the invoice that has the number itself"`
}

// InvoiceNumberCheck says whether a number may be used.
type InvoiceNumberCheck struct {
	OK          bool   `json:"ok"`
	Reason      string `json:"reason" enum:",empty,too_long,duplicate"`
	DuplicateOf string `json:"duplicateOf" doc:"the invoice that has it; empty: none, or another driver's"`
	UploadedAt  string `json:"uploadedAt"`
	Mine        bool   `json:"mine" doc:"whoever asks may open it"`
}

func (s Settings) validateInvoiceNumber(ctx context.Context, c web.Call, in *struct{ Body InvoiceNumber }) (out InvoiceNumberCheck,
	err error) {
	err = s.as(ctx, c, func(tx *db.Tx, who invoices.Person) error {
		n, err := s.Invoices.CheckNumber(tx, who, in.Body.Number, in.Body.IssuerTaxID, in.Body.ExceptID)
		out = InvoiceNumberCheck{n.Reason == "", n.Reason, n.DuplicateOf, n.UploadedAt, n.Mine}
		return err
	})
	return out, err
}

// InvoiceDetails are details to verify.
type InvoiceDetails struct {
	Fields   InvoiceFields `json:"fields"`
	ExceptID string        `json:"exceptId,omitempty" maxLength:"64" doc:"the invoice that the details are of"`
}

// VerifiedDetails says what saving the details would say.
type VerifiedDetails struct {
	OK       bool             `json:"ok" doc:"nothing is refused"`
	Findings []InvoiceFinding `json:"findings" nullable:"false"`
}

func (s Settings) verifyInvoiceDetails(ctx context.Context, c web.Call, in *struct{ Body InvoiceDetails }) (out VerifiedDetails,
	err error) {
	err = s.as(ctx, c, func(tx *db.Tx, who invoices.Person) error {
		found, err := s.Invoices.Verify(tx, who, in.Body.Fields.details(), in.Body.ExceptID)
		out = VerifiedDetails{true, invoiceFindings(found)}
		for _, f := range found {
			out.OK = out.OK && f.Severity != "refuse"
		}
		return err
	})
	return out, err
}

// InvoiceDriver is the driver to whom an invoice seems to belong.
type InvoiceDriver struct {
	ID        string `json:"id"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
}

// formReading is what was read for a form, and where its file is.
type formReading struct {
	InvoiceReading
	BlobKey string
}

func (s Settings) readingByID(ctx context.Context, c web.Call, id string) (out formReading, err error) {
	err = s.as(ctx, c, func(tx *db.Tx, who invoices.Person) error {
		found, err := invoices.ReadingByID(tx, who, id)
		out = formReading{invoiceReading(&found), found.BlobKey}
		if err != nil || who.Side != invoices.ByPartner {
			return err
		}
		driver, err := s.Invoices.DriverOf(tx, &found)
		if err == nil && driver != nil {
			out.Proposed = &InvoiceDriver{driver.ID, driver.FirstName, driver.LastName}
		}
		return err
	})
	return out, err
}

func (s Settings) invoiceReading(ctx context.Context, c web.Call, in *named) (InvoiceReading, error) {
	found, err := s.readingByID(ctx, c, in.ID)
	return found.InvoiceReading, err
}
