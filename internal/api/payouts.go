package api

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/partners"
	"saldo/internal/payouts"
	"saldo/internal/payouts/bankfile"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) payoutsRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/payout-settings", Name: "payout-settings", Permission: access.PayoutsRead,
		Summary: "How the partner pays its drivers, and which files banks take"}, s.payoutSettings)
	web.Write(r, web.Route{Method: put, Path: "/api/payout-settings", Name: "save-payout-settings", Fresh: true,
		Permission: access.PayoutsWrite,
		Summary:    "Choose the bank's file, and whether a second person releases batches; turning that off takes two people"},
		s.savePayoutSettings)
	web.Plain(r, web.Route{Method: post, Path: "/api/payout-batches/plan", Name: "plan-payouts",
		Permission: access.PayoutsRead, Timeout: time.Minute,
		Summary: "A dry run: which batches would be made, who is left out and why; nothing is made"}, s.planPayouts)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-batches", Name: "make-payouts",
		Permission: access.PayoutsWrite, Status: http.StatusCreated, Timeout: time.Minute,
		Summary: "Make exactly the batches that a dry run showed, or none"}, s.makePayouts)
	web.Read(r, web.Route{Method: get, Path: "/api/payout-batches", Name: "payout-batches", Permission: access.PayoutsRead,
		Summary: "A page of batches, newest first"}, payoutBatches)
	web.Read(r, web.Route{Method: get, Path: "/api/payout-batches/{batchNumber}", Name: "payout-batch", Permission: access.PayoutsRead,
		Summary: "One batch with its transfers as the bank was told"}, s.payoutBatch)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-batches/{batchNumber}/release", Name: "release-payouts",
		Permission: access.PayoutsWrite,
		Summary:    "Let a batch that somebody else made go to the bank"}, releasePayouts)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-batches/{batchNumber}/cancel", Name: "cancel-payouts",
		Permission: access.PayoutsWrite,
		Summary:    "Give a batch up; its settlements can be paid in another one"}, cancelPayouts)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-batches/{batchNumber}/settlements/{id}/remove", Name: "remove-from-payouts",
		Permission: access.PayoutsWrite,
		Summary:    "Take a settlement out of a batch: what came back is paid anew, what was paid stays paid"}, removeFromPayouts)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-batches/{batchNumber}/pay", Name: "pay-payouts",
		Permission: access.PayoutsWrite, Status: http.StatusOK, Timeout: time.Minute,
		Summary: "Mark everything in a batch as paid on a day"}, s.payBatch)
	web.Plain(r, web.Route{Method: get, Path: "/api/payout-batches/{batchNumber}/file", Name: "payout-file",
		Permission: access.PayoutsRead, Timeout: time.Minute,
		Summary: "The file for the bank; the same bytes each time"}, s.payoutFile)
}

// BankProfile is a file that a bank takes.
type BankProfile struct {
	Key      string `json:"key"`
	Bank     string `json:"bank" doc:"empty: any that takes the standard"`
	Standard string `json:"standard" enum:"elixir,santander,pain.001.001.03,pain.001.001.09"`
	Foreign  bool   `json:"foreign" doc:"it holds accounts abroad"`
}

// PayoutSettings are how a partner pays.
type PayoutSettings struct {
	Profile        string        `json:"profile"`
	ForeignProfile string        `json:"foreignProfile" doc:"empty: accounts abroad are left out"`
	SecondPerson   bool          `json:"secondPerson" doc:"a batch is made by one and released by another"`
	Version        int64         `json:"version"`
	Profiles       []BankProfile `json:"profiles" nullable:"false"`
	Account        string        `json:"account" doc:"of the partner, covered; empty: none"`
	TaxID          bool          `json:"taxId" doc:"the partner has one"`
}

func (s Settings) payoutSettings(tx *db.Tx, _ *nothing) (out PayoutSettings, err error) {
	found, err := s.Payouts.SettingsOf(tx)
	if err != nil {
		return out, err
	}
	own, err := partners.OwnProfile(tx, s.Vault)
	if err != nil {
		return out, err
	}
	out = PayoutSettings{found.Profile, found.ForeignProfile, found.SecondPerson, found.Version, []BankProfile{},
		drivers.MaskIBAN(own.Account),
		own.TaxID != ""}
	for _, p := range s.Payouts.Profiles() {
		out.Profiles = append(out.Profiles, BankProfile{p.Key, p.Bank, p.Standard, p.Foreign()})
	}
	return out, nil
}

func (s Settings) savePayoutSettings(tx *db.Tx, in *struct {
	Body struct {
		Profile        string `json:"profile" maxLength:"40"`
		ForeignProfile string `json:"foreignProfile" maxLength:"40"`
		SecondPerson   bool   `json:"secondPerson"`
		Version        int64  `json:"version"`
	}
}) (web.None, error) {
	return web.None{}, s.Payouts.SaveSettings(tx, payouts.Settings(in.Body))
}

// PayoutRequest says what to pay and how.
type PayoutRequest struct {
	Settlements    []string `json:"settlements,omitempty" maxItems:"20000" doc:"empty: all that are settled and in no batch"`
	Period         string   `json:"period,omitempty" maxLength:"8"`
	Profile        string   `json:"profile" maxLength:"40"`
	ForeignProfile string   `json:"foreignProfile,omitempty" maxLength:"40"`
	Cash           bool     `json:"cash,omitempty" doc:"who has no account gets cash"`
	Accept         []string `json:"accept,omitempty" maxItems:"20000" doc:"settlements that are paid to an account that changed lately"`
	PayRefused     []string `json:"payRefused,omitempty" maxItems:"20000" doc:"settlements that are paid although KSeF refused the invoice"`
	PayOn          string   `json:"payOn,omitempty" maxLength:"10" doc:"empty: today"`
}

func (b *PayoutRequest) request() (w payouts.PayoutRequest, err error) {
	w = payouts.PayoutRequest{Settlements: b.Settlements, Profile: b.Profile, ForeignProfile: b.ForeignProfile, Cash: b.Cash, Accept: b.Accept,
		PayRefused: b.PayRefused, PayOn: calendar.Date(b.PayOn)}
	if b.Period != "" {
		w.Period, err = period(b.Period)
	}
	return w, err
}

// PayoutDraft is a batch that would be made.
type PayoutDraft struct {
	Way         string         `json:"way" enum:"domestic,foreign,cash"`
	Profile     string         `json:"profile"`
	Settlements int64          `json:"settlements"`
	Transfers   int64          `json:"transfers"`
	Sum         money.Amount   `json:"sum"`
	Changes     []PayoutChange `json:"changes" nullable:"false" doc:"names and titles that the file holds otherwise; the first fifty"`
	Changed     int64          `json:"changed" doc:"how many there are"`
}

// PayoutChange is a text that the bank's file holds otherwise.
type PayoutChange struct {
	Field string `json:"field" enum:"name,street,place,title,invoice"`
	Was   string `json:"was"`
	Is    string `json:"is"`
}

// SkipReason is why a settlement is not in a batch.
type SkipReason string

// Schema lists the reasons.
func (SkipReason) Schema(huma.Registry) *huma.Schema {
	return oneOf("not_there", "revoked", "absorbed", "paid", "nothing", "in_batch", "blocked", "bailiff", "no_tax_id", "no_account",
		"account_changed", "foreign_account", "unwritable", "no_invoice", "invoice_refused", "no_split", "outside_sepa")
}

// PayoutExcluded is a settlement that would not be paid, and why.
type PayoutExcluded struct {
	SettlementID string       `json:"settlementId"`
	DriverID     string       `json:"driverId"`
	FirstName    string       `json:"firstName"`
	LastName     string       `json:"lastName"`
	Number       int64        `json:"number"`
	FirstOn      string       `json:"firstOn" doc:"first day of the settlement"`
	LastOn       string       `json:"lastOn"`
	Payout       money.Amount `json:"payout"`
	Reason       SkipReason   `json:"reason"`
	Batch        int64        `json:"batch" doc:"that has it"`
	ChangedAt    *time.Time   `json:"changedAt" doc:"of the account"`
	Found        string       `json:"found" doc:"the sign that cannot be written, or the country of the account"`
}

// PayoutPlan is what a request would do.
type PayoutPlan struct {
	Drafts   []PayoutDraft    `json:"drafts" nullable:"false"`
	Excluded []PayoutExcluded `json:"excluded" nullable:"false"`
	Payer    []string         `json:"payer" nullable:"false" enum:"no_account,foreign_account,no_tax_id,unwritable" doc:"what is missing"`
	Warnings []PayoutWarning  `json:"warnings" nullable:"false" doc:"to be looked at; they keep nobody from being paid"`
	PayOn    string           `json:"payOn" doc:"the day that was wanted, or the first one after it on which banks work"`
	Token    string           `json:"token" doc:"to be given back when it is made"`
}

// PayoutWarning is something to look at before a bank is told.
type PayoutWarning struct {
	Code    string        `json:"code" enum:"own_account,shared_account,pay_date_moved,no_ksef_number"`
	Drivers []NamedDriver `json:"drivers" nullable:"false" doc:"the first twenty"`
	Count   int64         `json:"count"`
}

// warningsMax is how many drivers a warning names.
const warningsMax = 20

// changesMax is how many changed texts a plan names.
const changesMax = 50

func (s Settings) planPayouts(ctx context.Context, c web.Call, in *struct{ Body PayoutRequest }) (out PayoutPlan, err error) {
	w, err := in.Body.request()
	if err != nil {
		return out, err
	}
	var p payouts.Plan
	if err := s.DB.Read(ctx, c.Actor, func(tx *db.Tx) (err error) { p, err = s.Payouts.Plan(tx, w); return err }); err != nil {
		return out, err
	}
	out = PayoutPlan{[]PayoutDraft{}, []PayoutExcluded{}, []string{}, []PayoutWarning{}, string(p.PayOn), p.Token}
	for _, warning := range p.Warnings {
		one := PayoutWarning{string(warning.Code), []NamedDriver{}, int64(len(warning.Drivers))}
		for _, d := range warning.Drivers[:min(len(warning.Drivers), warningsMax)] {
			one.Drivers = append(one.Drivers, NamedDriver(d))
		}
		out.Warnings = append(out.Warnings, one)
	}
	for _, d := range p.Drafts {
		one := PayoutDraft{string(d.Way), d.Profile, d.Settlements, int64(len(d.Transfers)), d.Sum, []PayoutChange{}, int64(len(d.Changes))}
		for _, change := range d.Changes[:min(len(d.Changes), changesMax)] {
			one.Changes = append(one.Changes, PayoutChange{string(change.Field), change.Was, change.Is})
		}
		out.Drafts = append(out.Drafts, one)
	}
	for _, e := range p.Excluded {
		out.Excluded = append(out.Excluded, PayoutExcluded{e.SettlementID, e.DriverID, e.FirstName, e.LastName, e.Number,
			string(e.FirstOn), string(e.LastOn), e.Payout, SkipReason(e.Reason), e.Batch, instantOf(e.ChangedAt), e.Found})
	}
	for _, reason := range p.Payer {
		out.Payer = append(out.Payer, string(reason))
	}
	return out, nil
}

// MadeBatches are numbers of batches that were made.
type MadeBatches struct {
	Numbers []int64 `json:"numbers" nullable:"false"`
}

func (s Settings) makePayouts(tx *db.Tx, in *struct {
	Body struct {
		PayoutRequest
		Token string `json:"token" maxLength:"64"`
	}
}) (out MadeBatches, err error) {
	w, err := in.Body.request()
	if err != nil {
		return out, err
	}
	out.Numbers, err = s.Payouts.Make(tx, w, in.Body.Token)
	return out, err
}

// PayoutBatch is transfers that a bank is told of together, or cash.
type PayoutBatch struct {
	Number       int64        `json:"number"`
	Way          string       `json:"way" enum:"domestic,foreign,cash"`
	State        string       `json:"state" enum:"proposed,released,cancelled"`
	Profile      string       `json:"profile" doc:"of the file; empty: it is cash"`
	Bank         string       `json:"bank"`
	PayOn        string       `json:"payOn"`
	Settlements  int64        `json:"settlements"`
	Transfers    int64        `json:"transfers"`
	Sum          money.Amount `json:"sum"`
	Paid         int64        `json:"paid" doc:"settlements that are marked as paid"`
	Returned     int64        `json:"returned" doc:"settlements whose money came back, all or in part"`
	FileID       string       `json:"fileId" doc:"what the bank knows it by"`
	ContentHash  string       `json:"contentHash" doc:"SHA-256 of the file"`
	CreatedAt    time.Time    `json:"createdAt"`
	CreatedBy    string       `json:"createdBy"`
	Own          bool         `json:"own" doc:"whoever asks has made it"`
	ReleasedAt   *time.Time   `json:"releasedAt"`
	ReleasedBy   string       `json:"releasedBy"`
	CancelledAt  *time.Time   `json:"cancelledAt"`
	CancelledBy  string       `json:"cancelledBy"`
	CancelReason string       `json:"cancelReason"`
}

func batchOf(tx *db.Tx, b payouts.Batch) PayoutBatch {
	profile, _ := bankfile.Of(b.Profile)
	return PayoutBatch{b.Number, string(b.Way), string(b.State), b.Profile, profile.Bank, string(b.PayOn), b.Settlements, b.Transfers, b.Sum,
		b.Paid, b.Returned, b.ID, b.ContentHash, b.CreatedAt, b.CreatedBy,
		b.CreatedByID == tx.Actor.ID, instantOf(b.ReleasedAt), b.ReleasedBy, instantOf(b.CancelledAt), b.CancelledBy, b.CancelReason}
}

// PayoutBatches is a page of batches, newest first.
type PayoutBatches struct {
	Items []PayoutBatch `json:"items" nullable:"false"`
	Total int64         `json:"total"`
}

func payoutBatches(tx *db.Tx, in *struct {
	Page int64 `query:"page" minimum:"1" maximum:"1000000" default:"1"`
	Size int64 `query:"size" minimum:"1" maximum:"200" default:"50"`
}) (out PayoutBatches, err error) {
	found, total, err := payouts.List(tx, in.Page, in.Size)
	out = PayoutBatches{make([]PayoutBatch, len(found)), total}
	for n, b := range found {
		out.Items[n] = batchOf(tx, b)
	}
	return out, err
}

// PayoutTransfer is one payment of a batch.
type PayoutTransfer struct {
	Place        int64        `json:"place"`
	SettlementID string       `json:"settlementId"`
	Number       int64        `json:"number" doc:"of the settlement"`
	DriverID     string       `json:"driverId"`
	FirstName    string       `json:"firstName"`
	LastName     string       `json:"lastName"`
	Holder       string       `json:"holder" doc:"whose account the bank was told"`
	Account      string       `json:"account" doc:"covered"`
	Title        string       `json:"title"`
	Purpose      string       `json:"purpose" enum:"DEDUCTION_COST,INVOICE,LEASE_CONTRACT,ORDER_CONTRACT"`
	Amount       money.Amount `json:"amount"`
	VAT          money.Amount `json:"vat" doc:"that is named for split payment; 0: none"`
	Reference    string       `json:"reference"`
	Paid         bool         `json:"paid" doc:"its settlement is marked as paid"`
	PaidOn       string       `json:"paidOn"`
	BookedOn     string       `json:"bookedOn" doc:"as a statement of the bank says; empty: none does"`
	ReturnedOn   string       `json:"returnedOn" doc:"when it came back"`
	Reason       string       `json:"reason" doc:"why it came back, in the bank's words"`
	Changed      bool         `json:"changed" doc:"the driver has another account now"`
	GivenUp      bool         `json:"givenUp" doc:"a person said that it came back: it is paid anew"`
	Here         bool         `json:"here" doc:"its settlement is in this batch now"`
}

// PayoutBatchWhole is a batch with its transfers.
type PayoutBatchWhole struct {
	Batch     PayoutBatch      `json:"batch"`
	Transfers []PayoutTransfer `json:"transfers" nullable:"false"`
}

// batchNumber is the input of an operation on one batch.
type batchNumber struct {
	Number int64 `path:"batchNumber" minimum:"1"`
}

func (s Settings) payoutBatch(tx *db.Tx, in *batchNumber) (out PayoutBatchWhole, err error) {
	b, err := payouts.Of(tx, in.Number)
	if err != nil {
		return out, err
	}
	kept, err := s.Payouts.TransfersOf(tx, in.Number)
	out = PayoutBatchWhole{batchOf(tx, b), make([]PayoutTransfer, len(kept))}
	for n, k := range kept {
		out.Transfers[n] = PayoutTransfer{k.Place, k.SettlementID, k.Number, k.DriverID, k.FirstName, k.LastName, k.Name,
			drivers.MaskIBAN(k.Account), k.Title, string(k.Purpose), k.Amount, k.VAT,
			k.Reference, k.PaidOn != "" && b.State != payouts.Cancelled, string(k.PaidOn), string(k.BookedOn), string(k.ReturnedOn), k.Reason,
			k.Changed && b.State != payouts.Cancelled, k.GivenUp, k.Here}
	}
	return out, err
}

// removeFromPayouts takes a settlement out of a batch: what came back is paid anew, what was paid stays paid.
func removeFromPayouts(tx *db.Tx, in *struct {
	Number     int64  `path:"batchNumber" minimum:"1"`
	Settlement string `path:"id" maxLength:"64"`
	Body       struct {
		Reason   string  `json:"reason" maxLength:"2000"`
		Returned []int64 `json:"returned,omitempty" maxItems:"10" doc:"places of transfers that came back without a statement saying so"`
	}
}) (web.None, error) {
	return web.None{}, payouts.Remove(tx, in.Number, in.Settlement, in.Body.Returned, in.Body.Reason)
}

func releasePayouts(tx *db.Tx, in *batchNumber) (web.None, error) {
	return web.None{}, payouts.Release(tx, in.Number)
}

func cancelPayouts(tx *db.Tx, in *struct {
	Number int64 `path:"batchNumber" minimum:"1"`
	Body   struct {
		Reason string `json:"reason" maxLength:"2000"`
	}
}) (web.None, error) {
	return web.None{}, payouts.Cancel(tx, in.Number, in.Body.Reason)
}

// PaidBatch says how many settlements of a batch were marked as paid.
type PaidBatch struct {
	Paid int64 `json:"paid"`
}

func (s Settings) payBatch(tx *db.Tx, in *struct {
	Number int64 `path:"batchNumber" minimum:"1"`
	Body   struct {
		PaidOn string `json:"paidOn" maxLength:"10"`
	}
}) (out PaidBatch, err error) {
	out.Paid, err = s.Payouts.Pay(tx, in.Number, calendar.Date(in.Body.PaidOn))
	return out, err
}

// payoutFile hands the file of a batch out, to be saved and taken to the bank.
func (s Settings) payoutFile(ctx context.Context, c web.Call, in *batchNumber) (write func(huma.Context), err error) {
	var f bankfile.File
	if err := s.DB.Read(ctx, c.Actor, func(tx *db.Tx) (err error) { f, err = s.Payouts.File(tx, in.Number); return err }); err != nil {
		return nil, err
	}
	return download(io.NopCloser(bytes.NewReader(f.Content)), int64(len(f.Content)), f.Type, f.Name), nil
}
