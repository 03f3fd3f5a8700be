package api

import (
	"context"
	"time"

	"saldo/internal/billing"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/summaries"
)

func (s Settings) approvalRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/billing-agreements", Name: "billing-agreements", Permission: access.SettlementsRead,
		Summary: "How drivers approve invoices that the partner writes for them"}, billingAgreements)
	web.Write(r, web.Route{Method: put, Path: "/api/billing-agreements", Name: "save-billing-agreement",
		Permission: access.SettlementsWrite,
		Summary:    "Write down how all drivers, or one, approve invoices; drafts that wait keep what held"}, s.agree)
	web.Write(r, web.Route{Method: put, Path: "/api/billing-certificate", Name: "save-billing-certificate", Fresh: true,
		Permission: access.PartnerWrite,
		Summary:    "Keep the certificate that signs the second code of invoices which KSeF has not accepted yet"}, s.setCertificate)
	web.Plain(r, web.Route{Method: post, Path: "/api/driver-summaries/{token}/draft", Name: "answer-linked-draft",
		Permission: access.Public, MissesPerMinute: 20, BodyLimit: 4 << 10,
		Summary: "Approve or decline the invoice that the partner drew up, without signing in"}, s.answerLinked)
	web.Driver(r, web.Route{Method: post, Path: "/api/driver-accounts/settlements/{id}/draft", Name: "answer-draft",
		Permission: access.AccountWrite,
		Summary:    "Approve or decline the invoice that the partner drew up; approved, it is issued"}, s.answerDraft)
}

// BillingDraft is an invoice that waits for its driver's word.
type BillingDraft struct {
	ID         string       `json:"id"`
	State      string       `json:"state" enum:"draft,approval,approved,declined" doc:"draft: not shared yet; approved: not issued yet"`
	Gross      money.Amount `json:"gross"`
	MadeAt     time.Time    `json:"madeAt"`
	Until      string       `json:"until" doc:"last day to object, after which silence approves; empty: it does not"`
	AnsweredAt *time.Time   `json:"answeredAt"`
	Reason     string       `json:"reason" doc:"why the driver declined it"`
}

func draftOf(d *billing.Draft, until string) *BillingDraft {
	if d == nil {
		return nil
	}
	return &BillingDraft{d.ID, string(d.State), d.Gross, d.MadeAt, until, instantOf(d.AnsweredAt), d.Reason}
}

// DraftLine is one service of a draft.
type DraftLine struct {
	Text string       `json:"text"`
	Net  money.Amount `json:"net"`
	VAT  money.Amount `json:"vat"`
	Rate int          `json:"rate" doc:"percent; -1: exempt"`
}

// DriverDraft is an invoice as its driver is asked to approve it.
type DriverDraft struct {
	BillingDraft
	Seller string       `json:"seller"`
	Street string       `json:"street"`
	Place  string       `json:"place"`
	TaxID  string       `json:"taxId"`
	Buyer  string       `json:"buyer"`
	Net    money.Amount `json:"net"`
	VAT    money.Amount `json:"vat"`
	Exempt string       `json:"exempt" doc:"the law by which it has no VAT"`
	Lines  []DraftLine  `json:"lines" nullable:"false"`
}

// driverDraft is the draft of a settlement for its driver; nil: there is none.
func (s Settings) driverDraft(tx *db.Tx, settlement string) (*DriverDraft, error) {
	d, err := s.Billing.DraftOf(tx, settlement)
	if err != nil || d == nil {
		return nil, err
	}
	out := &DriverDraft{*draftOf(&d.Draft, string(d.Until)), d.Seller.Name, d.Seller.Street, d.Seller.Place, d.Seller.TaxID, d.Buyer.Name,
		d.Net, d.VAT, d.Exempt, []DraftLine{}}
	for _, l := range d.Lines {
		out.Lines = append(out.Lines, DraftLine{l.Text, l.Net, l.VAT, int(l.Rate)})
	}
	return out, nil
}

// DraftAnswer is a driver's word about an invoice.
type DraftAnswer struct {
	DraftID string `json:"draftId" maxLength:"64" doc:"the one that was shown"`
	Approve bool   `json:"approve" doc:"false: declined"`
	Reason  string `json:"reason,omitempty" maxLength:"500" doc:"why it is declined"`
}

func (s Settings) answerDraft(tx *db.Tx, who access.Actor, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body DraftAnswer
}) (web.None, error) {
	return web.None{}, shared(tx, who, in.ID, func() error {
		return s.Billing.Answer(tx, in.ID, in.Body.DraftID, in.Body.Approve, in.Body.Reason)
	})
}

// answerLinked is the same for whoever has the link. The same answer again changes nothing, so it needs no key.
func (s Settings) answerLinked(ctx context.Context, _ web.Call, in *struct {
	Token string `path:"token"`
	Body  DraftAnswer
}) (out web.None, err error) {
	return out, s.DB.Write(ctx, access.Program("summaries"), func(tx *db.Tx) error {
		link, err := summaries.ByToken(tx, in.Token)
		if err != nil {
			return err
		}
		return tx.As(access.ProgramFor(link.TenantID, "summaries"), func() error {
			return s.Billing.Answer(tx, link.SettlementID, in.Body.DraftID, in.Body.Approve, in.Body.Reason)
		})
	})
}

// BillingAgreement says how a driver approves invoices.
type BillingAgreement struct {
	DriverID string `json:"driverId,omitempty" maxLength:"64" doc:"empty: of all who have none of their own"`
	Approval string `json:"approval" enum:",none,tacit,explicit" doc:"empty, of a driver: as the fleet's"`
	Days     int64  `json:"days,omitempty" minimum:"0" maximum:"60" doc:"after which silence approves; of tacit alone"`
}

// DriverAgreement is that of one driver.
type DriverAgreement struct {
	BillingAgreement
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
}

// BillingAgreements are the fleet's and those of drivers who have their own.
type BillingAgreements struct {
	Fleet   BillingAgreement  `json:"fleet"`
	Drivers []DriverAgreement `json:"drivers" nullable:"false"`
}

func billingAgreements(tx *db.Tx, _ *nothing) (out BillingAgreements, err error) {
	all, own, err := billing.Agreements(tx)
	out = BillingAgreements{BillingAgreement{"", string(all.Approval), all.Days}, make([]DriverAgreement, len(own))}
	for i, a := range own {
		out.Drivers[i] = DriverAgreement{BillingAgreement{a.DriverID, string(a.Approval), a.Days}, a.FirstName, a.LastName}
	}
	return out, err
}

func (s Settings) agree(tx *db.Tx, in *struct{ Body BillingAgreement }) (web.None, error) {
	return web.None{}, s.Billing.Agree(tx,
		billing.Agreement{DriverID: in.Body.DriverID, Approval: billing.Approval(in.Body.Approval), Days: in.Body.Days})
}

// BillingCertificate is the partner's certificate of KSeF's type Offline, and its key: both as PEM.
type BillingCertificate struct {
	Certificate string `json:"certificate" maxLength:"20000"`
	Key         string `json:"key" maxLength:"20000" doc:"not encrypted; it is sealed and never handed out"`
}

func (s Settings) setCertificate(tx *db.Tx, in *struct{ Body BillingCertificate }) (web.None, error) {
	return web.None{}, s.Billing.SetCertificate(tx, in.Body.Certificate, in.Body.Key)
}
