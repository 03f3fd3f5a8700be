package billing

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/settlements"
)

var (
	// ErrAwaitsApproval is the answer to issuing an invoice that its driver has not approved yet.
	ErrAwaitsApproval = fault.Declare(fault.Conflict, "billing.awaits_approval")
	// ErrAnswered is the answer to a second, different answer to a draft.
	ErrAnswered = fault.Declare(fault.Conflict, "billing.draft_answered")
	// ErrDraftChanged is the answer to a word about a draft in whose place another stands.
	ErrDraftChanged = fault.Declare(fault.Conflict, "billing.draft_changed")
	// ErrTooLate is the answer to declining after the days in which silence approves.
	ErrTooLate = fault.Declare(fault.Conflict, "billing.draft_too_late")
)

// The states of a draft in the register, beside those of documents.
const (
	Drafted  State = "draft"    // its driver cannot see it yet: the settlement is not shared
	Awaiting State = "approval" // of the driver
	Approved State = "approved" // and not issued, as something stands in the way
	Declined State = "declined" // by the driver
)

func (s State) ofDraft() bool {
	return s == Drafted || s == Awaiting || s == Approved || s == Declined
}

const kindOfDraft = "billing_draft"

// reasonMax is how long a driver's words may be.
const reasonMax = 500

// Draft is an invoice that waits for its driver's word.
type Draft struct {
	ID, SettlementID string
	SettlementNumber int64
	Period           calendar.Period
	DriverID         string
	FirstName        string
	LastName         string
	State            State
	Days             int64
	Currency         money.Currency
	Net, VAT, Gross  money.Amount
	MadeAt           time.Time
	MadeBy           string
	SharedAt         time.Time
	AnsweredAt       time.Time
	AnsweredBy       string // empty with an answer: silence
	Reason           string
	DocumentID       string

	stored, sealed string
	blocked        bool
}

// stateOfDraft finds the state of draft f with settlement s.
const stateOfDraft = `CASE WHEN f.state = 'waiting' AND s.shared_at = '' THEN 'draft'
	WHEN f.state = 'waiting' THEN 'approval' ELSE f.state END`

// fromDrafts are the newest drafts f of their settlements s, with drivers d.
const fromDrafts = ` FROM billing_drafts f JOIN settlements s ON s.tenant_id = f.tenant_id AND s.id = f.settlement_id
	JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id
	WHERE f.tenant_id = $1 AND f.place = (SELECT MAX(n.place) FROM billing_drafts n WHERE n.tenant_id = f.tenant_id
	AND n.settlement_id = f.settlement_id)`

type draftRow struct {
	Draft
	Stored, ContentSealed string
	Blocked               bool
}

func drafts(tx *db.Tx, where string, args ...any) ([]Draft, error) {
	rows, err := db.Select[draftRow](tx, `SELECT f.id, f.settlement_id, s.number AS settlement_number, s.period, d.id AS driver_id,
		d.first_name, d.last_name, d.blocked, `+stateOfDraft+` AS state,
		f.state AS stored, f.days, s.currency, f.net, f.vat, f.gross, f.made_at, f.made_by, s.shared_at, f.answered_at, f.answered_by, f.reason,
		f.document_id, f.content_sealed`+fromDrafts+where, args...)
	list := make([]Draft, len(rows))
	for i, r := range rows {
		list[i] = r.Draft
		list[i].stored, list[i].sealed, list[i].blocked = r.Stored, r.ContentSealed, r.Blocked
	}
	return list, err
}

// DraftOf is the newest draft of a settlement's invoice; nil: there is none, or it was issued or dropped.
func DraftOf(tx *db.Tx, settlement string) (*Draft, error) {
	found, err := drafts(tx, ` AND f.settlement_id = $2 AND f.state IN ('waiting', 'approved', 'declined') AND s.revoked_at = ''`, settlement)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// Until is the last day on which the driver may object; empty: silence approves nothing, or the driver cannot see it yet.
func (d *Draft) Until(at *time.Location) calendar.Date {
	if d.Days == 0 || d.SharedAt.IsZero() {
		return ""
	}
	from := d.MadeAt
	if d.SharedAt.After(from) {
		from = d.SharedAt
	}
	return calendar.DateOf(from, at, 0).AddDays(int(d.Days))
}

// silent says whether nobody objected in time.
func (d *Draft) silent(now time.Time, at *time.Location) bool {
	until := d.Until(at)
	return d.stored == "waiting" && until != "" && calendar.DateOf(now, at, 0) > until
}

// draft makes the invoice of a settlement for its driver to approve, or says where the one stands that was made. It says false where it
// may be issued.
func (d *Service) draft(tx *db.Tx, r *readiness, typed Seller) (content, *Draft, bool, error) {
	none := content{}
	before, err := DraftOf(tx, r.settled.ID)
	if err != nil || r.kind != Invoice {
		return none, nil, false, err
	}
	if before != nil && before.stored == "approved" {
		c, err := d.opened(tx, before.sealed)
		return c, before, false, err
	}
	a, err := d.agreed(tx, r.driver.ID)
	if err != nil {
		return none, nil, false, err
	}
	if a.Approval == None {
		return none, nil, false, dropDrafts(tx, r.settled.ID)
	}
	if before != nil && before.stored == "waiting" {
		return none, before, true, nil
	}
	seller, err := d.seller(tx, r, typed)
	if err != nil {
		return none, nil, false, err
	}
	c := d.contentOf(r, seller, calendar.DateOf(tx.Now, d.Instance.Location(), 0))
	if _, err := d.file(&Document{Kind: Invoice, Number: "1", IssuedOn: calendar.DateOf(tx.Now, d.Instance.Location(), 0), IssuedAt: tx.Now,
		Currency: r.settled.Currency}, &c, ""); err != nil {
		return none, nil, false, err // nobody is asked to approve what cannot be issued
	}
	made, err := d.keepDraft(tx, r, &c, a.Days)
	return none, made, true, err
}

func (d *Service) keepDraft(tx *db.Tx, r *readiness, c *content, days int64) (*Draft, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	var net, vat money.Amount
	for _, l := range c.Lines {
		net, vat = net+l.Net, vat+l.VAT
	}
	id := tx.NewID()
	n, err := tx.Exec(`INSERT INTO billing_drafts (tenant_id, id, settlement_id, place, state, days, net, vat, gross, content_sealed, made_at,
		made_by, answered_at, answered_by, reason, document_id)
		SELECT $1, $2, $3, 1 + (SELECT COUNT(*) FROM billing_drafts f WHERE f.tenant_id = $1
		AND f.settlement_id = $3), 'waiting', $4, $5, $6, $7, $8, $9, $10, '', '', '', ''
		FROM settlements s WHERE s.tenant_id = $1 AND s.id = $3 AND s.state <> 'revoked'`,
		id, r.settled.ID, days, int64(net), int64(vat), int64(net+vat), d.Vault.Seal(tx.Actor.Tenant, contentPurpose, text), tx.Now,
		tx.Actor.Name)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, settlements.ErrRevoked.With("number", c.Settlement)
	}
	if err := audit.Record(tx, audit.Change{Action: "billing.draft", Kind: kindOfDraft, ID: id,
		After: map[string]any{"gross": net + vat, "settlement": c.Settlement, "days": days}}); err != nil {
		return nil, err
	}
	return DraftOf(tx, r.settled.ID)
}

// dropDrafts ends drafts that will never be issued. There is nothing to correct: none had a number.
func dropDrafts(tx *db.Tx, settlement string) error {
	_, err := tx.Exec(`UPDATE billing_drafts SET state = 'dropped', answered_at = CASE WHEN answered_at = '' THEN $3 ELSE answered_at END
		WHERE tenant_id = $1 AND settlement_id = $2 AND state IN ('waiting', 'approved')`, settlement, tx.Now)
	return err
}

// DraftDetails is what a driver is asked to approve.
type DraftDetails struct {
	Draft
	Seller, Buyer Party
	Lines         []Line
	Exempt        string
	From, To      calendar.Date
	Until         calendar.Date // last day to object where silence approves; empty: it does not
}

// DraftOf is the draft of a settlement as its driver sees it; nil: there is none that waits.
func (d *Service) DraftOf(tx *db.Tx, settlement string) (*DraftDetails, error) {
	draft, err := DraftOf(tx, settlement)
	if err != nil || draft == nil {
		return nil, err
	}
	c, err := d.opened(tx, draft.sealed)
	if err != nil {
		return nil, err
	}
	return &DraftDetails{*draft, c.Seller, c.Buyer, c.Lines, c.Exempt, c.From, c.To, draft.Until(d.Instance.Location())}, nil
}

// Answer is a driver's word about the draft of a settlement: approved, it is issued in the same unit of work. The same answer again
// changes nothing.
func (d *Service) Answer(tx *db.Tx, settlement, id string, approve bool, reason string) error {
	reason = strings.Join(strings.Fields(reason), " ")
	switch {
	case !approve && reason == "":
		return ErrInvalid.Field("reason", fault.Required)
	case len([]rune(reason)) > reasonMax:
		return ErrInvalid.Field("reason", fault.TooLong, "max", fmt.Sprint(reasonMax))
	}
	found, err := drafts(tx, ` AND f.id = $2 AND f.settlement_id = $3 AND s.revoked_at = ''`, id, settlement)
	if err != nil {
		return err
	}
	if len(found) == 0 || found[0].stored == "dropped" || found[0].State == Drafted {
		if another, err := DraftOf(tx, settlement); err != nil || another != nil && another.State != Drafted {
			return cmp.Or(err, error(ErrDraftChanged))
		}
		return ErrNotFound
	}
	draft := &found[0]
	if draft.stored != "waiting" {
		if approved := draft.stored != "declined"; approved == approve {
			return nil
		}
		return ErrAnswered
	}
	by := cmp.Or(tx.Actor.Name, draft.FirstName+" "+draft.LastName) // who came by a link has no other name
	if approve {
		return d.approve(tx, draft, by)
	}
	if draft.silent(tx.Now, d.Instance.Location()) {
		return ErrTooLate
	}
	if _, err := tx.Exec(`UPDATE billing_drafts SET state = 'declined', answered_at = $3, answered_by = $4, reason = $5 WHERE tenant_id = $1
		AND id = $2 AND state = 'waiting'`,
		id, tx.Now, by, reason); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "billing.decline", Kind: kindOfDraft, ID: id,
		After: map[string]any{"reason": reason, "settlement": draft.SettlementNumber}})
}

// approve notes who approved a draft (nobody: silence), and issues it. What stands in the way of issuing leaves it approved: the office
// sees why and issues it later.
func (d *Service) approve(tx *db.Tx, draft *Draft, by string) error {
	n, err := tx.Exec(`UPDATE billing_drafts SET state = 'approved', answered_at = $3, answered_by = $4 WHERE tenant_id = $1 AND id = $2
		AND state = 'waiting'`, draft.ID, tx.Now, by)
	if err != nil || n == 0 {
		return err
	}
	if err := audit.Record(tx, audit.Change{Action: "billing.approve", Kind: kindOfDraft, ID: draft.ID,
		After: map[string]any{"by": by, "settlement": draft.SettlementNumber}}); err != nil {
		return err
	}
	_, err = d.Issue(tx, draft.SettlementID, Seller{})
	if why := new(fault.Fault); errors.As(err, &why) {
		return nil
	}
	return err
}

// ApproveKind is the job that takes silence for a word.
const ApproveKind = "billing.approve"

// approvedAtOnce is how many drafts a unit of work approves.
const approvedAtOnce = 50

// ApproveTacit approves the drafts of all partners to which nobody objected in time. The silence of a blocked driver counts for nothing:
// they are told of nothing.
func (d *Service) ApproveTacit(ctx context.Context, run *jobs.Run) error {
	var tenants []string
	if err := run.Read(ctx, func(tx *db.Tx) (err error) {
		tenants, err = db.Select[string](tx.Across(), `SELECT DISTINCT tenant_id FROM billing_drafts WHERE state = 'waiting' AND days > 0
			ORDER BY tenant_id`)
		return err
	}); err != nil {
		return err
	}
	for _, tenant := range tenants {
		for more := true; more; {
			if err := run.Write(ctx, func(tx *db.Tx) error {
				return tx.As(access.ProgramFor(tenant, "billing"), func() (err error) { more, err = d.ApproveOverdue(tx); return err })
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// ApproveOverdue does it for one partner; there is more where it could not do all of it at once.
func (d *Service) ApproveOverdue(tx *db.Tx) (more bool, err error) {
	waiting,
		err := drafts(tx, ` AND f.state = 'waiting' AND f.days > 0 AND s.shared_at <> '' AND s.revoked_at = '' AND NOT d.blocked ORDER BY f.id`)
	if err != nil {
		return false, err
	}
	done := 0
	for i := range waiting {
		if !waiting[i].silent(tx.Now, d.Instance.Location()) {
			continue
		}
		if done == approvedAtOnce {
			return true, nil
		}
		if err := d.approve(tx, &waiting[i], ""); err != nil {
			return false, err
		}
		done++
	}
	return false, nil
}
