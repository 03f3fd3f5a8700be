package api_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"strings"
	"sync"
	"testing"

	"saldo/internal/testkit"
)

type draftSeen struct {
	ID, State, Until, Reason string
	Gross                    int64
}

// drafted is a settlement whose invoice waits for the word of its driver, with both.
func (w *world) drafted(t *testing.T) (settlement, driver string) {
	t.Helper()
	w.must(t, 204, "partner", "PUT", "/api/billing-agreements", map[string]any{"approval": "explicit"})
	settlement = w.billable(t)
	driver = w.settlementOf(t, settlement).DriverID
	w.linked(t, driver)
	var made struct{ ID, State string }
	if status, text := w.call(t, "partner", "POST", "/api/settlements/"+settlement+"/documents", company, &made); status != 201 || made.ID != "" || made.State != "approval" {
		t.Fatalf("%d %s", status, text)
	}
	return settlement, driver
}

// draftOf is the draft as the partner sees it, and how many documents there are.
func (w *world) draftOf(t *testing.T, settlement string) (draft *draftSeen, documents int) {
	t.Helper()
	var offer struct {
		Documents []struct{ ID string }
		Draft     *draftSeen
	}
	w.call(t, "partner", "GET", "/api/settlements/"+settlement+"/documents", nil, &offer)
	return offer.Draft, len(offer.Documents)
}

func TestADraftIsApprovedByItsDriverAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id, _ := w.drafted(t)
		if r := w.register(t, "?state=approval"); len(r.Items) != 1 || r.Items[0].Number != "" || r.Items[0].SettlementID != id || r.Awaiting != 1 {
			t.Fatalf("%+v", r)
		}
		path := "/api/driver-accounts/settlements/" + id
		var shown struct {
			Draft *struct {
				draftSeen
				Lines  []struct{ Net, VAT int64 }
				Buyer  string
				Street string
			}
		}
		w.call(t, "driver", "GET", path, nil, &shown)
		if shown.Draft == nil || shown.Draft.Gross != 10_800_00 || len(shown.Draft.Lines) == 0 || shown.Draft.Street != "Polna 1" {
			t.Fatalf("%+v", shown)
		}
		yes := map[string]any{"draftId": shown.Draft.ID, "approve": true}
		for who, want := range map[string]int{"stranger": 404, "anonymous": 401, "partner": 403} {
			w.must(t, want, who, "POST", path+"/draft", yes)
		}
		w.must(t, 409, "driver", "POST", path+"/draft", map[string]any{"draftId": "another", "approve": true})
		if draft, documents := w.draftOf(t, id); draft == nil || documents != 0 {
			t.Fatalf("%+v, %d documents", draft, documents)
		}
		var both sync.WaitGroup // twice at the same moment
		for range 4 {
			both.Go(func() { w.must(t, 204, "driver", "POST", path+"/draft", yes) })
		}
		both.Wait()
		if draft, documents := w.draftOf(t, id); draft != nil || documents != 1 {
			t.Errorf("%+v, %d documents", draft, documents)
		}
		if r := w.register(t, ""); r.Total != 1 || r.Awaiting != 0 || r.Gross != 10_800_00 {
			t.Errorf("%+v", r)
		}
		w.must(t, 409, "driver", "POST", path+"/draft", map[string]any{"draftId": shown.Draft.ID, "approve": false, "reason": "za późno"})
	})
}

func TestADraftIsDeclinedThroughTheLinkAndMadeAnew(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id, driver := w.drafted(t)
		w.reached(t, driver)
		w.must(t, 202, "partner", "POST", "/api/summary-sendings/"+w.shownSending(t, id)+"/start", nil)
		var sent struct{ Items []struct{ ID string } }
		w.call(t, "partner", "GET", "/api/summaries?settlement="+id, nil, &sent)
		w.relink(t, sent.Items[0].ID, "draft-link")
		var page struct{ Draft *draftSeen }
		_, text := w.call(t, "anonymous", "GET", "/api/driver-summaries/draft-link", nil, &page)
		for _, secret := range []string{canary + "north Transport", "Polna", "1132191233"} {
			if strings.Contains(text, secret) {
				t.Errorf("the link shows %s: %s", secret, text)
			}
		}
		if page.Draft == nil || page.Draft.State != "approval" {
			t.Fatalf("%+v", page)
		}
		no := map[string]any{"draftId": page.Draft.ID, "approve": false, "reason": "Zła kwota"}
		w.must(t, 404, "anonymous", "POST", "/api/driver-summaries/no-such-link/draft", no)
		w.must(t, 422, "anonymous", "POST", "/api/driver-summaries/draft-link/draft", map[string]any{"draftId": page.Draft.ID, "approve": false})
		w.must(t, 204, "anonymous", "POST", "/api/driver-summaries/draft-link/draft", no)
		w.must(t, 204, "anonymous", "POST", "/api/driver-summaries/draft-link/draft", no) // the line broke, and it is sent again
		draft, documents := w.draftOf(t, id)
		if draft == nil || draft.State != "declined" || draft.Reason != "Zła kwota" || documents != 0 {
			t.Fatalf("%+v, %d documents", draft, documents)
		}
		if r := w.register(t, "?state=declined"); len(r.Items) != 1 || r.Items[0].AuthorityReason != "Zła kwota" {
			t.Errorf("%+v", r)
		}
		w.must(t, 201, "partner", "POST", "/api/settlements/"+id+"/documents", company) // a new draft, with a new name
		again, _ := w.draftOf(t, id)
		if again == nil || again.State != "approval" || again.ID == draft.ID {
			t.Fatalf("%+v", again)
		}
		w.must(t, 409, "anonymous", "POST", "/api/driver-summaries/draft-link/draft", map[string]any{"draftId": draft.ID, "approve": true})
		w.must(t, 204, "anonymous", "POST", "/api/driver-summaries/draft-link/draft", map[string]any{"draftId": again.ID, "approve": true})
		if _, documents := w.draftOf(t, id); documents != 1 {
			t.Errorf("%d documents", documents)
		}
	})
}

func TestAgreementsAreWrittenDownForAllAndForOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.silentDriver(t, "partner", canary+"north")
		w.must(t, 422, "partner", "PUT", "/api/billing-agreements", map[string]any{"approval": "tacit"})
		w.must(t, 204, "partner", "PUT", "/api/billing-agreements", map[string]any{"approval": "tacit", "days": 14})
		w.must(t, 204, "partner", "PUT", "/api/billing-agreements", map[string]any{"driverId": driver, "approval": "explicit"})
		w.must(t, 404, "other", "PUT", "/api/billing-agreements", map[string]any{"driverId": driver, "approval": "none"})
		var seen struct {
			Fleet   struct{ Approval string }
			Drivers []struct{ DriverID, Approval, LastName string }
		}
		w.call(t, "partner", "GET", "/api/billing-agreements", nil, &seen)
		if seen.Fleet.Approval != "tacit" || len(seen.Drivers) != 1 || seen.Drivers[0].DriverID != driver || seen.Drivers[0].Approval != "explicit" {
			t.Errorf("%+v", seen)
		}
		w.must(t, 204, "partner", "PUT", "/api/billing-agreements", map[string]any{"driverId": driver, "approval": ""})
		if text := w.must(t, 200, "partner", "GET", "/api/billing-agreements", nil); strings.Contains(text, driver) {
			t.Error(text)
		}
	})
}

// offlineCertificate is a certificate that may sign codes, and its key.
func offlineCertificate(t *testing.T) (certificate, private string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return testkit.Certificate(t, key, x509.KeyUsageContentCommitment)
}

func TestACertificateThatDoesNotFitItsKeyIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		certificate, key := offlineCertificate(t)
		_, other := offlineCertificate(t)
		for _, wrong := range []map[string]any{{"certificate": "", "key": ""}, {"certificate": "x", "key": "y"}, {"certificate": certificate, "key": other}} {
			if text := w.must(t, 422, "partner", "PUT", "/api/billing-certificate", wrong); !strings.Contains(text, "billing.certificate") {
				t.Error(text)
			}
		}
		for range 2 {
			w.must(t, 204, "partner", "PUT", "/api/billing-certificate", map[string]any{"certificate": certificate, "key": key})
		}
	})
}
