package invoices

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"saldo/internal/invoices/checks"
	"saldo/internal/invoices/reading"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/messages"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// Action is what a person does with the form of an invoice.
type Action string

// The actions.
const (
	Save    Action = "save"    // keep what is typed
	Submit  Action = "submit"  // it is described: the partner verifies it
	Approve Action = "approve" // the partner alone
	Reopen  Action = "reopen"  // an approved one is verified again; the partner alone
)

// Change is a form as it was sent.
type Change struct {
	Version int64
	Details Details
	Typed   []string // as in Form
	Action  Action
	Accept  []string  // findings that the partner confirms
	File    *Received // a better one; the form was filled in beside the one before
	// NotTheSame is another invoice with the same issuer, day and amount, of which the partner says that it is not this one, and Reason why.
	NotTheSame, Reason string
}

// Person is who acts on an invoice.
type Person struct {
	Side
	driver string // of a driver: theirs alone
}

// ID is the driver who acts; empty: the partner does.
func (p Person) ID() string { return p.driver }

// Partner acts as the partner.
var Partner = Person{Side: ByPartner}

// Driver acts as a driver.
func Driver(id string) Person { return Person{ByDriver, id} }

// Describe saves the form of an invoice and moves it on. Whoever last changed what the provision depends on has described it.
func (d *Service) Describe(tx *db.Tx, who Person, id string, c Change) (Invoice, error) {
	i, err := Of(tx, id, who.driver)
	if err != nil {
		return i, err
	}
	seen := i.Details
	if c.File != nil {
		if i, err = d.Replace(tx, who, id, c.Version, *c.File); err != nil {
			return i, err
		}
		c.Version = i.Version
	}
	if err := i.changeable(c.Version); err != nil {
		return i, err
	}
	if err := i.mayDescribe(tx, who, c.Action); err != nil {
		return i, err
	}
	if c.Action == Reopen {
		return i, i.reopen(tx)
	}
	before := i
	f := validate.New(ErrInvalid)
	details := c.Details.Normal(f, d.country(), Categories)
	if details.Currency == "" {
		details.Currency = d.Instance.Currency
	}
	if c.NotTheSame != "" {
		if err := i.notTheSame(tx, f, who, &details, c.NotTheSame); err != nil {
			return i, err
		}
		c.Reason = f.Text("reason", c.Reason, FeedbackMax, true)
	}
	if c.Action != Save || i.State == ToVerify {
		details.Complete(f)
	}
	if err := f.Err(); err != nil {
		return i, err
	}
	changed := differing(&seen, &details)
	if c.NotTheSame == "" && !alike(&i.Details, &details) {
		i.TwinOf = "" // what was said of two invoices does not hold for other amounts
	}
	if slices.ContainsFunc(changed, decisive) || i.DescribedBy == "" && c.Action != Save {
		i.DescribedBy = who.Side
	}
	typed, err := d.typedOf(tx, &i, Form{details, c.Typed}, changed)
	if err != nil {
		return i, err
	}
	i.Details, i.Touched = details, union(i.Touched, typed)
	if err := d.move(tx, &i, who, c); err != nil {
		return i, err
	}
	if c.File != nil && i.State == ToDescribe { // the form shows what was read from the file before
		if known, err := readingOf(tx, i.ContentHash); err != nil {
			return i, err
		} else if known.State == Done {
			d.fill(&i, &known)
		}
	}
	if reflect.DeepEqual(before, i) {
		return i, nil
	}
	if before.State != i.State {
		if err := noteCorrections(tx, &i); err != nil {
			return i, err
		}
	}
	if err := i.store(tx); err != nil {
		if db.Unique(err) {
			err = ErrChanged // somebody saved the same invoice at the same moment
		}
		return i, err
	}
	return i, audit.Record(tx, audit.Change{Action: "invoices." + string(c.Action), Kind: kindOfInvoice, ID: i.ID, Before: before.view(),
		After: i.view(), Reason: c.Reason})
}

// notTheSame notes that another invoice with the same issuer, day and amount is not this one. Only the partner can say so.
func (i *Invoice) notTheSame(tx *db.Tx, f *validate.Form, who Person, details *Details, id string) error {
	other, err := Of(tx, id, who.driver)
	if err != nil {
		return err
	}
	if who.Side != ByPartner || !alike(&other.Details, details) {
		f.Wrong("notTheSame", fault.NotOneOf)
	}
	i.TwinOf = id
	return nil
}

// alike says whether two invoices are by the same issuer, of the same day and amount.
func alike(a, b *Details) bool {
	return a.IssuerTaxID == b.IssuerTaxID && a.IssuedOn == b.IssuedOn && a.Gross == b.Gross
}

// mayDescribe says why the form cannot be sent, or nil.
func (i *Invoice) mayDescribe(tx *db.Tx, who Person, action Action) error {
	wrongState := ErrState.With("state", string(i.State))
	if who.Side == ByPartner {
		if (action == Reopen) != (i.State == Approved) || i.State == Rejected {
			return wrongState
		}
		return nil
	}
	switch {
	case action != Save && action != Submit:
		return ErrState.With("state", string(i.State))
	case i.State != Uploaded && i.State != ToDescribe && i.State != Rejected:
		return wrongState
	case i.WaitsFor == ByDriver:
		return nil
	}
	return describesOwn(tx)
}

// describesOwn refuses drivers whose partner describes invoices itself.
func describesOwn(tx *db.Tx) error {
	p, err := partners.OwnProvision(tx)
	if err == nil && !p.DriversDescribe {
		err = ErrNotDriver
	}
	return err
}

// move says where the form leads, and refuses what cannot go there.
func (d *Service) move(tx *db.Tx, i *Invoice, who Person, c Change) error {
	switch c.Action {
	case Save:
		if i.State == Rejected || i.State == Uploaded {
			i.State = ToDescribe // a person is at it: what is read later fills what is still empty
			if err := i.await(tx, who.Side); err != nil {
				return err
			}
		}
		if i.State != ToVerify {
			return nil
		}
	case Submit:
		i.State, i.WaitsFor = ToVerify, ""
	case Approve:
		i.State, i.WaitsFor, i.DecidedAt, i.DecidedBy = Approved, "", tx.Now, tx.Actor.Name
	}
	i.RejectReason = ""
	found, err := d.findings(tx, i)
	if err != nil {
		return err
	}
	if f, refused := checks.Refused(found); refused {
		return refusal(f)
	}
	if c.Action != Approve {
		return nil
	}
	open := []string{}
	for _, f := range found {
		if code := string(f.Code); f.Severity == checks.Confirm && !slices.Contains(c.Accept, code) && !slices.Contains(i.Accepted, code) {
			open = append(open, code)
		}
	}
	if len(open) > 0 {
		return ErrConfirm.With("findings", strings.Join(open, ","))
	}
	for _, f := range found {
		if f.Severity == checks.Confirm {
			i.Accepted = union(i.Accepted, []string{string(f.Code)})
		}
	}
	return nil
}

// await says who has to describe an invoice.
func (i *Invoice) await(tx *db.Tx, uploader Side) error {
	i.WaitsFor = ByPartner
	if uploader == ByDriver {
		p, err := partners.OwnProvision(tx)
		if err != nil {
			return err
		}
		if p.DriversDescribe {
			i.WaitsFor = ByDriver
		}
	}
	return nil
}

// refusal is a finding as the answer to saving.
func refusal(f checks.Finding) error {
	switch f.Code {
	case checks.NumberDuplicate:
		return ErrSameNumber.With("other", f.OtherID)
	case checks.AmountDateDuplicate:
		return ErrSameAmount.With("other", f.OtherID)
	case checks.SameFile:
		return ErrSameFile.With("other", f.OtherID)
	}
	return ErrInvalid.Field(f.Field, fault.Wrong)
}

func (i *Invoice) reopen(tx *db.Tx) error {
	before := i.view()
	i.State, i.DecidedBy, i.DecidedAt, i.Accepted = ToVerify, "", time.Time{}, []string{} // what was found is confirmed anew
	if err := i.store(tx); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "invoices.reopen", Kind: kindOfInvoice, ID: i.ID, Before: before, After: i.view()})
}

// ApproveClean approves an invoice that a driver described, where everything was read surely, nobody changed it and there is nothing to
// look at. Otherwise it says why a person has to: state, not_described, unsure or findings.
func (d *Service) ApproveClean(tx *db.Tx, id string) (why string, err error) {
	i, err := Of(tx, id, "")
	if err != nil {
		return "", err
	}
	switch {
	case i.State != ToVerify || i.SettlementID != "":
		return "state", nil
	case i.DescribedBy != ByDriver:
		return "not_described", nil
	}
	r, err := readingOf(tx, i.ContentHash)
	if err != nil {
		return "", err
	}
	if !sure(&i, &r) {
		return "unsure", nil
	}
	found, err := d.findings(tx, &i)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(found, func(f checks.Finding) bool { return f.Severity != checks.Note }) {
		return "findings", nil
	}
	_, err = d.Describe(tx, Partner, id, Change{Version: i.Version, Details: i.Details, Action: Approve})
	return "", err
}

// sure says whether what decides about the money is what was read, and was read surely.
func sure(i *Invoice, r *Reading) bool {
	if r.State != Done {
		return false
	}
	for _, name := range []string{reading.Number, reading.IssueDate, reading.IssuerTaxID, reading.Net, reading.Gross} {
		f, ok := r.Result.Field(name)
		if !ok || f.Sure < reading.SureFrom {
			return false
		}
	}
	for _, f := range r.Result.Fields {
		if !decisive(f.Name) {
			continue
		}
		read, ok := withText(i.Details, f.Name, f.Value)
		read = read.Normal(validate.New(ErrInvalid), "", Categories)
		if !ok || len(differing(&i.Details, &read)) > 0 || f.Sure < reading.SureFrom {
			return false
		}
	}
	return true
}

// Reject refuses an invoice with a reason that the driver is told.
func (d *Service) Reject(tx *db.Tx, id string, reason Reason, text string) (Invoice, error) {
	i, err := Of(tx, id, "")
	if err != nil {
		return i, err
	}
	f := validate.New(ErrInvalid)
	if !slices.Contains(Reasons, reason) {
		f.Wrong("reason", fault.NotOneOf)
	}
	text = multiline(f, "text", text, reason == "other")
	if err := f.Err(); err != nil {
		return i, err
	}
	switch {
	case i.SettlementID != "":
		return i, ErrSettled
	case i.State == Approved:
		return i, ErrState.With("state", string(i.State))
	case i.State == Rejected && i.RejectReason == reason && i.Feedback == text:
		return i, nil
	}
	before := i.view()
	i.State, i.WaitsFor, i.RejectReason, i.Feedback, i.DecidedAt, i.DecidedBy = Rejected, "", reason, text, tx.Now, tx.Actor.Name
	if err := i.store(tx); err != nil {
		return i, err
	}
	if err := audit.Record(tx, audit.Change{Action: "invoices.reject", Kind: kindOfInvoice, ID: id, Before: before, After: i.view(),
		Reason: string(reason)}); err != nil {
		return i, err
	}
	return i, i.tell(tx, messages.InvoiceRejected)
}

// Feedback tells the driver something about an invoice; sent back, the driver describes it again.
func (d *Service) Feedback(tx *db.Tx, id, text string, sendBack bool) (Invoice, error) {
	i, err := Of(tx, id, "")
	if err != nil {
		return i, err
	}
	f := validate.New(ErrInvalid)
	text = multiline(f, "text", text, true)
	if err := f.Err(); err != nil {
		return i, err
	}
	if i.SettlementID != "" {
		return i, ErrSettled
	}
	if sendBack && i.State != ToVerify && i.State != ToDescribe && i.State != Uploaded {
		return i, ErrState.With("state", string(i.State))
	}
	before, kind := i.view(), messages.InvoiceFeedback
	if i.Feedback = text; sendBack {
		i.State, i.WaitsFor, kind = ToDescribe, ByDriver, messages.InvoiceReturned
	}
	if err := i.store(tx); err != nil {
		return i, err
	}
	if err := audit.Record(tx, audit.Change{Action: "invoices.feedback", Kind: kindOfInvoice, ID: id, Before: before,
		After: i.view()}); err != nil {
		return i, err
	}
	return i, i.tell(tx, kind)
}

// Delete takes an invoice away: a driver until the partner has described it, the partner until it is approved. The row stays for the trail.
func (d *Service) Delete(tx *db.Tx, who Person, id string) error {
	i, err := Of(tx, id, who.driver)
	if err != nil {
		return err
	}
	switch {
	case i.SettlementID != "":
		return ErrSettled
	case i.State == Approved, who.Side == ByDriver && i.DescribedBy == ByPartner, who.Side == ByDriver && i.UploadedBy == ByPartner:
		return ErrState.With("state", string(i.State))
	}
	i.DeletedAt = tx.Now
	if err := i.store(tx); err != nil {
		return err
	}
	if err := messages.TakeBack(tx, id, messages.InvoiceRejected, messages.InvoiceReturned, messages.InvoiceFeedback); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "invoices.delete", Kind: kindOfInvoice, ID: id, Before: i.view()})
}

// Trail is what happened to an invoice, oldest first.
func Trail(tx *db.Tx, id string) ([]audit.Entry, error) { return audit.Of(tx, kindOfInvoice, id) }

// tell puts on the driver's board what became of an invoice.
func (i *Invoice) tell(tx *db.Tx, kind messages.Kind) error {
	driver, err := canonical(tx, i.DriverID)
	if err != nil {
		return err
	}
	return messages.Tell(tx, messages.Notice{Kind: kind, DriverID: driver, ObjectID: i.ID,
		Params: map[string]string{"invoice": i.name(), "reason": string(i.RejectReason), "text": i.Feedback}})
}

// name is what a person knows an invoice by.
func (i *Invoice) name() string {
	if i.Number != "" {
		return i.Number
	}
	return i.FileName
}

// view is an invoice as the trail keeps it.
func (i *Invoice) view() map[string]any {
	return map[string]any{"state": i.State, "describedBy": i.DescribedBy, "number": i.Number, "issueDate": i.IssuedOn, "saleDate": i.SoldOn,
		"issuerTaxId": i.IssuerTaxID, "buyerTaxId": i.BuyerTaxID, "net": i.Net, "gross": i.Gross, "vatStandard": i.VATStandard,
		"vatReduced": i.VATReduced, "vatOther": i.VATOther, "vatZeroBase": i.BaseZero, "category": i.Category, "file": i.FileVersion,
		"accepted": i.Accepted, "rejectReason": i.RejectReason}
}

// decisive says whether a field decides what an invoice brings: whoever changes one describes it.
func decisive(field string) bool {
	switch field {
	case reading.Number, reading.IssueDate, reading.SaleDate, reading.IssuerTaxID, reading.BuyerTaxID, reading.Net, reading.Gross,
		reading.VATStandard, reading.VATReduced, reading.VATZeroBase, "vatOther":
		return true
	}
	return false
}

func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// multiline is a text of several lines to a driver.
func multiline(f *validate.Form, field, text string, required bool) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	switch n := len([]rune(text)); {
	case n == 0 && required:
		f.Wrong(field, fault.Required)
	case n > FeedbackMax:
		f.Wrong(field, fault.TooLong, "max", "1000")
	}
	return text
}

// taken says whether the partner lets drivers send invoices.
func taken(tx *db.Tx) error {
	f, err := partners.OwnDriverFunctions(tx)
	if err == nil && !f.Invoices() {
		err = ErrOff
	}
	return err
}
