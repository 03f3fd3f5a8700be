package billing_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/billing"
	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/schemas/rules"
	"saldo/internal/testkit"
)

// oleg is the driver whose word is waited for.
var oleg = access.Actor{Role: access.Partner, Tenant: "north", ID: "oleg", Name: "Oleg"}

func (w *fixture) agree(t testing.TB, a billing.Agreement) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error { return w.Agree(tx, a) })
}

func (w *fixture) answer(t testing.TB, settlement string, approve bool, reason string) error {
	t.Helper()
	draft := w.offered(t, settlement).Draft
	if draft == nil {
		t.Fatal("there is no draft")
	}
	return w.answerTo(settlement, draft.ID, approve, reason)
}

func (w *fixture) answerTo(settlement, draft string, approve bool, reason string) error {
	return w.db.Write(ctx, oleg, func(tx *db.Tx) error { return w.Answer(tx, settlement, draft, approve, reason) })
}

// passDays lets days pass and takes them for a word where that was agreed.
func (w *fixture) passDays(t testing.TB, days int) {
	t.Helper()
	w.clock.Pass(time.Duration(days) * 24 * time.Hour)
	testkit.Write(t, w.db, access.ProgramFor("north", "billing"), func(tx *db.Tx) error {
		more, err := w.ApproveOverdue(tx)
		if more {
			t.Error("more is left")
		}
		return err
	})
}

// where says where the invoice of a settlement stands.
func (w *fixture) where(t testing.TB, id string) string {
	t.Helper()
	o := w.offered(t, id)
	parts := []string{}
	if o.Draft != nil {
		parts = append(parts, string(o.Draft.State)+" "+o.Draft.Reason)
	}
	for _, doc := range o.Documents {
		parts = append(parts, doc.Number)
	}
	return strings.TrimSpace(strings.Join(parts, ", "))
}

func (w *fixture) wants(t testing.TB, what, id, want string) {
	t.Helper()
	if got := w.where(t, id); got != want {
		t.Errorf("%s: %q, not %q", what, got, want)
	}
}

func mustFail(t testing.TB, what string, err error, want *fault.Fault) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, not %v", what, err, want)
	}
}

var explicit = billing.Agreement{Approval: billing.Explicit}

// TestAnInvoiceThatItsDriverApproves_IsADraftUntilThen takes no number before, is paid by no split payment, and is issued as it was approved.
func TestAnInvoiceThatItsDriverApproves_IsADraftUntilThen(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		w.agree(t, explicit)
		id := w.settled(t, w.details("pl"))
		made := w.issue(t, id, company)
		if made.ID != "" || made.Number != "" || made.State != billing.Awaiting {
			t.Errorf("%+v", made)
		}
		w.wants(t, "made", id, "approval")
		if again := w.issue(t, id, company); again.ID != "" {
			t.Errorf("asked twice: %+v", again)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			issued, err := billing.UnpaidInvoices(tx)
			if len(issued) != 0 {
				t.Error("a draft is no issued invoice", issued)
			}
			return err
		})
		r, _ := w.register(t, billing.Filter{State: billing.Awaiting})
		if r.Total != 1 || r.Waiting != 1 || len(r.Drafts) != 1 || r.Drafts[0].SettlementID != id || r.Gross != r.Drafts[0].Gross {
			t.Errorf("%+v", r)
		}
		draft := w.offered(t, id).Draft.ID
		w.passDays(t, 400) // nobody agreed that silence is a word
		w.wants(t, "after a year", id, "approval")
		for range 2 {
			if err := w.answerTo(id, draft, true, ""); err != nil {
				t.Error(err)
			}
		}
		w.wants(t, "approved", id, "SF/NORTH/2027/12/1")
		doc := w.document(t, id)
		if doc.Gross != made.Gross || doc.IssuedBy != "Anna" {
			t.Errorf("%+v", doc)
		}
		mustSay(t, string(w.file(t, doc.ID)), "Oleg Transport", "<P_2>SF/NORTH/2027/12/1</P_2>")
		mustFail(t, "declined after approving", w.answerTo(id, draft, false, "no"), billing.ErrAnswered)
		if r, _ := w.register(t, billing.Filter{State: billing.Awaiting}); r.Total != 0 || r.Waiting != 0 {
			t.Errorf("%+v", r)
		}
	})
}

// TestADeclinedInvoice_SaysWhyAndIsMadeAnew is put right and approved; its number is the first.
func TestADeclinedInvoice_SaysWhyAndIsMadeAnew(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		w.agree(t, explicit)
		id := w.settled(t, w.details("pl"))
		w.issue(t, id, company)
		first := w.offered(t, id).Draft.ID
		mustFail(t, "without a reason", w.answer(t, id, false, "  "), billing.ErrInvalid)
		if err := w.answer(t, id, false, "The street is wrong"); err != nil {
			t.Fatal(err)
		}
		w.wants(t, "declined", id, "declined The street is wrong")
		mustFail(t, "approved after declining", w.answerTo(id, first, true, ""), billing.ErrAnswered)
		if r, _ := w.register(t, billing.Filter{State: billing.Declined}); r.Total != 1 || r.Drafts[0].Reason != "The street is wrong" {
			t.Errorf("%+v", r)
		}
		other := company
		other.Street = "Leśna 2"
		w.issue(t, id, other)
		w.wants(t, "made anew", id, "approval")
		mustFail(t, "the old draft", w.answerTo(id, first, true, ""), billing.ErrDraftChanged)
		if err := w.answer(t, id, true, ""); err != nil {
			t.Fatal(err)
		}
		w.wants(t, "issued", id, "SF/NORTH/2026/11/1")
		mustSay(t, string(w.file(t, w.document(t, id).ID)), "Leśna 2")
	})
}

// TestTacitApproval_AfterTheAgreedDays has the last day, the day after, a refusal that comes too late, an approval that does, and settings that changed meanwhile.
func TestTacitApproval_AfterTheAgreedDays(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		w.agree(t, billing.Agreement{Approval: billing.Tacit, Days: 5})
		one, two, three := w.settled(t, w.details("pl")), w.settled(t, w.details("pl")), w.settled(t, w.details("pl"))
		for _, id := range []string{one, two, three} {
			w.issue(t, id, company)
		}
		drafts := map[string]string{two: w.offered(t, two).Draft.ID}
		if until := w.offered(t, one).Until; until != "2026-11-20" {
			t.Error(until)
		}
		w.agree(t, billing.Agreement{Approval: billing.Tacit, Days: 1}) // what was made keeps what held then
		w.passDays(t, 5)
		w.wants(t, "the last day", one, "approval")
		if err := w.answer(t, three, false, "Too little"); err != nil {
			t.Error("declined on the last day", err)
		}
		w.clock.Pass(24 * time.Hour)
		mustFail(t, "declined a day late", w.answer(t, one, false, "no"), billing.ErrTooLate)
		if err := w.answerTo(two, drafts[two], true, ""); err != nil {
			t.Error("approved a day late", err)
		}
		w.passDays(t, 0)
		w.wants(t, "by word", two, "SF/NORTH/2026/11/1")
		w.wants(t, "by silence", one, "SF/NORTH/2026/11/2")
		w.wants(t, "declined", three, "declined Too little")
		w.passDays(t, 0)
		if err := w.answerTo(two, drafts[two], true, ""); err != nil {
			t.Error("approved what is issued", err)
		}
	})
}

// TestTacitApproval_NeedsADriverWhoCanSeeTheDraft has a settlement that is not shared and a blocked driver.
func TestTacitApproval_NeedsADriverWhoCanSeeTheDraft(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		w.agree(t, billing.Agreement{Approval: billing.Tacit, Days: 3})
		hidden, blocked := w.settled(t, w.details("pl")), w.settled(t, w.details("pl"))
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE settlements SET shared_at = '' WHERE tenant_id = $1 AND id = $2`, hidden)
			return err
		})
		w.issue(t, hidden, company)
		w.issue(t, blocked, company)
		block := func(yes bool) {
			w.write(t, func(tx *db.Tx) error { return drivers.Block(tx, w.kept(t, blocked).DriverID, yes) })
		}
		block(true)
		w.passDays(t, 30)
		w.wants(t, "not shared", hidden, "draft")
		w.wants(t, "blocked", blocked, "approval")
		mustFail(t, "answered unseen", w.answer(t, hidden, true, ""), billing.ErrNotFound)
		block(false)
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE settlements SET shared_at = $3 WHERE tenant_id = $1 AND id = $2`, hidden, tx.Now)
			return err
		})
		w.passDays(t, 0)
		w.wants(t, "unblocked", blocked, "SF/NORTH/2026/12/1")
		w.passDays(t, 3)
		w.wants(t, "the last day after sharing", hidden, "approval")
		w.passDays(t, 1)
		w.wants(t, "shared", hidden, "SF/NORTH/2026/12/2")
	})
}

// TestRevokingWhileADraftWaits_DropsIt leaves no document, no correction and no number, and the answer finds nothing.
func TestRevokingWhileADraftWaits_DropsIt(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		w.agree(t, explicit)
		id := w.settled(t, w.details("pl"))
		driver := w.kept(t, id).DriverID
		w.issue(t, id, company)
		draft := w.offered(t, id).Draft.ID
		w.revoke(t, id)
		w.wants(t, "revoked", id, "")
		mustFail(t, "approved after revoking", w.answerTo(id, draft, true, ""), billing.ErrNotFound)
		mustFail(t, "declined after revoking", w.answerTo(id, draft, false, "no"), billing.ErrNotFound)
		w.passDays(t, 400)
		again := w.settle(t, driver)
		w.issue(t, again, company)
		if err := w.answer(t, again, true, ""); err != nil {
			t.Fatal(err)
		}
		w.wants(t, "settled anew", again, "SF/NORTH/2027/12/1")
		w.revoke(t, again)
		w.wants(t, "revoked once issued", again, "SF/NORTH/2027/12/1, SFK/NORTH/2027/12/1")
	})
}

// TestAnAgreement_IsTheDriversOwnOrTheFleets has a driver without approval in a fleet with it, what stands in the way after approving, and an agreement that ended.
func TestAnAgreement_IsTheDriversOwnOrTheFleets(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		for _, wrong := range []billing.Agreement{{Approval: billing.Tacit}, {Approval: billing.Tacit, Days: 61}, {Approval: billing.AsFleet}, {Approval: "often"}} {
			mustFail(t, fmt.Sprint(wrong), w.db.Write(ctx, anna, func(tx *db.Tx) error { return w.Agree(tx, wrong) }), billing.ErrInvalid)
		}
		w.agree(t, explicit)
		free, bound := w.settled(t, w.details("pl")), w.settled(t, w.details("pl"))
		driver := w.kept(t, free).DriverID
		w.agree(t, billing.Agreement{DriverID: driver, Approval: billing.None})
		if doc := w.issue(t, free, company); doc.Number != "SF/NORTH/2026/11/1" {
			t.Errorf("%+v", doc)
		}
		w.issue(t, bound, company)
		iban := w.setIBAN(t, w.kept(t, bound).DriverID, "")
		if err := w.answer(t, bound, true, ""); err != nil {
			t.Fatal(err)
		}
		w.wants(t, "approved without an account", bound, "approved")
		w.refused(t, billing.ErrNoAccount, bound, company)
		w.setIBAN(t, w.kept(t, bound).DriverID, iban)
		if doc := w.issue(t, bound, billing.Seller{}); doc.Number != "SF/NORTH/2026/11/2" {
			t.Errorf("%+v", doc)
		}
		third := w.settled(t, w.details("pl"))
		w.issue(t, third, company)
		w.agree(t, billing.Agreement{Approval: billing.None})
		if doc := w.issue(t, third, company); doc.Number == "" {
			t.Errorf("nobody is asked any more: %+v", doc)
		}
	})
}

// TestASignedAgreement_IsAWayOfApproving has a driver who signed that invoices are written for them: silence approves after a week, until
// the agreement ends or another way was agreed on.
func TestASignedAgreement_IsAWayOfApproving(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		signed := w.settled(t, w.details("pl"))
		driver := w.kept(t, signed).DriverID
		w.write(t, func(tx *db.Tx) error { return billing.Signed(tx, driver, "contract-1", "2026-11-02") })
		if made := w.issue(t, signed, company); made.State != billing.Awaiting {
			t.Fatalf("%+v", made)
		}
		w.passDays(t, 7)
		w.wants(t, "on the last day", signed, "approval")
		w.passDays(t, 1)
		w.wants(t, "a day later", signed, "SF/NORTH/2026/11/1")

		own := w.settled(t, w.details("pl"))
		w.write(t, func(tx *db.Tx) error {
			if err := billing.Signed(tx, w.kept(t, own).DriverID, "contract-2", "2026-11-02"); err != nil {
				return err
			}
			return w.Agree(tx, billing.Agreement{DriverID: w.kept(t, own).DriverID, Approval: billing.None})
		})
		if doc := w.issue(t, own, company); doc.Number == "" {
			t.Errorf("a driver whose own agreement asks for nothing: %+v", doc)
		}

		ended := w.settled(t, w.details("pl"))
		w.write(t, func(tx *db.Tx) error {
			if err := billing.Signed(tx, w.kept(t, ended).DriverID, "contract-3", "2026-11-02"); err != nil {
				return err
			}
			return billing.SignedEnds(tx, "contract-3", "2026-11-10")
		})
		if doc := w.issue(t, ended, company); doc.Number == "" {
			t.Errorf("after the agreement ended: %+v", doc)
		}
	})
}

func (w *fixture) setIBAN(t testing.TB, driver, iban string) (before string) {
	t.Helper()
	who := anna
	who.Proof.SignedInAt = w.clock.Now()
	testkit.Write(t, w.db, who, func(tx *db.Tx) error {
		d, err := drivers.Get(tx, w.Vault, driver)
		if err != nil {
			return err
		}
		before, d.Email = string(d.IBAN), ""
		d.IBAN = ""
		if iban != "" {
			d.IBAN = w.details("pl").IBAN
		}
		return w.book.Save(tx, driver, d.Details, d.Version)
	})
	return before
}

// TestAnswersAtTheSameMoment_AreOne has people and the job at once: one answer holds, and there is one invoice or none.
func TestAnswersAtTheSameMoment_AreOne(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		w.agree(t, billing.Agreement{Approval: billing.Tacit, Days: 1})
		for range 5 {
			id := w.settled(t, w.details("pl"))
			w.issue(t, id, company)
			draft := w.offered(t, id).Draft.ID
			var all sync.WaitGroup
			for i := range 6 {
				all.Go(func() {
					switch i % 3 {
					case 0:
						_ = w.answerTo(id, draft, true, "")
					case 1:
						_ = w.answerTo(id, draft, false, "no")
					default:
						_ = w.db.Write(ctx, anna, func(tx *db.Tx) error { _, err := w.Issue(tx, id, company); return err })
					}
				})
			}
			all.Wait()
			documents, open := w.offered(t, id).Documents, w.offered(t, id).Draft
			if len(documents) > 1 || len(documents) == 1 && open != nil || len(documents) == 0 && open == nil {
				t.Errorf("%v %+v", documents, open)
			}
		}
	})
}

// TestTheJob_ApprovesForEveryPartner runs as the schedule does.
func TestTheJob_ApprovesForEveryPartner(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		w.agree(t, billing.Agreement{Approval: billing.Tacit, Days: 2})
		id := w.settled(t, w.details("pl"))
		w.issue(t, id, company)
		w.clock.Pass(3 * 24 * time.Hour)
		q := jobs.NewQueue(w.db, slog.New(slog.DiscardHandler))
		q.Poll = 5 * time.Millisecond
		q.Handle(billing.ApproveKind, w.ApproveTacit)
		testkit.Write(t, w.db, access.Program("schedule"), func(tx *db.Tx) error { return jobs.Enqueue(tx, jobs.Order{Kind: billing.ApproveKind, Key: "sweep"}) })
		running, cancel := context.WithCancel(ctx)
		ended := make(chan struct{})
		go func() { defer close(ended); q.Run(running, 1) }()
		defer func() { cancel(); <-ended }()
		testkit.Eventually(t, "the invoice is issued", func() bool { return w.where(t, id) == "SF/NORTH/2026/11/1" })
	})
}

// TestARefusedForm_TakesNoNumber goes on after the refusal, as issuing many does.
func TestARefusedForm_TakesNoNumber(t *testing.T) {
	german(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		details := w.details("de")
		details.TaxID = "86095742719"
		id := w.settled(t, details)
		w.write(t, func(tx *db.Tx) error {
			_, err := w.Issue(tx, id, berlin)
			mustFail(t, "a person's number", err, billing.ErrRefused)
			return nil
		})
	})
}
