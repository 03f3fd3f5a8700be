package api_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/summaries"
	"saldo/internal/testkit"
)

// settledWithAddress is a settlement of a new driver of north who can be mailed.
func (w *world) settledWithAddress(t *testing.T) string {
	t.Helper()
	return w.settledAt(t, "pawel@mail.example")
}

// settledAt is a settlement of a new driver with an address.
func (w *world) settledAt(t *testing.T, address string) string {
	t.Helper()
	id := w.settled(t)
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE drivers SET email = $3, first_name = 'Paweł' WHERE tenant_id = $1 AND id = (SELECT driver_id FROM settlements WHERE tenant_id = $1 AND id = $2)`, id, address)
		return err
	})
	return id
}

func (w *world) shownSending(t *testing.T, settlements ...string) string {
	t.Helper()
	var made struct{ ID string }
	if status, text := w.call(t, "partner", "POST", "/api/summary-sendings", map[string]any{"ids": settlements}, &made); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	return made.ID
}

// waitingSending is one that can be cancelled.
func (w *world) waitingSending(t *testing.T) string {
	t.Helper()
	w.settledWithAddress(t)
	var made struct{ ID string }
	if status, text := w.call(t, "partner", "POST", "/api/summary-sendings", map[string]any{"state": "settled"}, &made); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	w.must(t, 202, "partner", "POST", "/api/summary-sendings/"+made.ID+"/start", nil)
	return made.ID
}

// sentSummary is a bill that waits to be delivered.
func (w *world) sentSummary(t *testing.T) string {
	t.Helper()
	id := w.settledWithAddress(t)
	w.must(t, 202, "partner", "POST", "/api/summary-sendings/"+w.shownSending(t, id)+"/start", nil)
	var list struct{ Items []struct{ ID string } }
	w.call(t, "partner", "GET", "/api/summaries?settlement="+id, nil, &list)
	return list.Items[0].ID
}

// relink gives a bill a link that the test knows.
func (w *world) relink(t *testing.T, summary, token string) {
	t.Helper()
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE summaries SET token_sum = $3 WHERE tenant_id = $1 AND id = $2`, summary, sha256Hex(token))
		return err
	})
}

func TestBillsAreShownSentCancelledAndListedOverHTTP(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		with, without := w.settledWithAddress(t), w.settledAt(t, "")
		var sending struct {
			State                                     string
			Recipients, Refused, Queued, Sent, Failed int64
			Refusals                                  []struct {
				Code    string
				Count   int64
				Drivers []struct{ LastName string }
			}
			StartsAt *time.Time
		}
		id := w.shownSending(t, with, without)
		w.call(t, "partner", "GET", "/api/summary-sendings/"+id, nil, &sending)
		if sending.State != "preview" || sending.Recipients != 1 || sending.Refused != 1 || sending.Refusals[0].Code != "no_address" || len(sending.Refusals[0].Drivers) != 1 || sending.Queued != 0 {
			t.Fatalf("%+v", sending)
		}
		w.must(t, 202, "partner", "POST", "/api/summary-sendings/"+id+"/start", nil)
		w.must(t, 202, "partner", "POST", "/api/summary-sendings/"+id+"/start", nil) // joins
		w.call(t, "partner", "GET", "/api/summary-sendings/"+id, nil, &sending)
		if sending.State != "done" || sending.Queued != 1 || sending.Sent != 0 {
			t.Errorf("nobody took it yet: %+v", sending)
		}
		var list struct {
			Items []struct {
				ID   string
				Bill *struct {
					State string
					Times int64
				}
			}
		}
		w.call(t, "partner", "GET", "/api/settlements", nil, &list)
		for _, one := range list.Items {
			if (one.ID == with) != (one.Bill != nil) || one.Bill != nil && (one.Bill.State != "queued" || one.Bill.Times != 1) {
				t.Errorf("%+v", one)
			}
		}
		var bill struct {
			Address, State, SentBy string
			Works, Newest          bool
		}
		var bills struct{ Items []struct{ ID string } }
		w.call(t, "partner", "GET", "/api/summaries?settlement="+with, nil, &bills)
		w.call(t, "partner", "GET", "/api/summaries/"+bills.Items[0].ID, nil, &bill)
		if bill.Address != "pawel@mail.example" || bill.State != "queued" || !bill.Works || !bill.Newest || bill.SentBy == "" {
			t.Errorf("%+v", bill)
		}
		waiting := w.waitingSending(t)
		w.must(t, 204, "partner", "POST", "/api/summary-sendings/"+waiting+"/cancel", nil)
		w.must(t, 204, "partner", "POST", "/api/summary-sendings/"+waiting+"/cancel", nil)
		if status, text := w.call(t, "partner", "POST", "/api/summary-sendings/"+id+"/cancel", nil, nil); status != 409 || !strings.Contains(text, "summaries.too_late") {
			t.Errorf("%d %s", status, text)
		}
		if status, text := w.call(t, "partner", "POST", "/api/summary-sendings", map[string]any{"period": "2020-W01"}, nil); status != 409 || !strings.Contains(text, "summaries.nothing") {
			t.Errorf("%d %s", status, text)
		}
	})
}

func TestALinkShowsTheSummaryToWhoeverHasItAndNothingThatIsPersonal(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		settled := w.settledWithAddress(t)
		w.must(t, 202, "partner", "POST", "/api/summary-sendings/"+w.shownSending(t, settled)+"/start", nil)
		var bills struct {
			Items []struct {
				ID, DriverID string
				OpenedAt     *time.Time
			}
		}
		w.call(t, "partner", "GET", "/api/summaries?settlement="+settled, nil, &bills)
		bill := bills.Items[0]
		w.relink(t, bill.ID, "known")
		var shown struct {
			Name, Language, State, FirstOn, ExpiresOn, Currency string
			Figures                                             map[string]int64
			Lines                                               []engine.Line
			Explanations                                        []struct {
				Parts []struct{ Rows []struct{ ID string } }
			}
			Partner struct{ Name, Color string }
		}
		status, text := w.call(t, "anonymous", "GET", "/api/driver-summaries/known", nil, &shown)
		if status != 200 || shown.Name != "Paweł c." || shown.FirstOn != "2026-10-26" || shown.Figures["payout"] != 10_000_00 || len(shown.Lines) != 3 || len(shown.Explanations) == 0 || shown.Currency != "PLN" || shown.ExpiresOn == "" {
			t.Fatalf("%d %s", status, text)
		}
		rows := 0
		for _, e := range shown.Explanations {
			for _, p := range e.Parts {
				for _, r := range p.Rows {
					rows++
					if r.ID != "1" {
						t.Errorf("a row is called %s", r.ID)
					}
				}
			}
		}
		if rows == 0 {
			t.Error("no row stands behind anything")
		}
		for _, secret := range []string{settled, bill.ID, bill.DriverID, "pawel@mail.example", "week.csv"} {
			if strings.Contains(text, secret) {
				t.Errorf("the page shows %s", secret)
			}
		}
		if w.call(t, "partner", "GET", "/api/summaries?settlement="+settled, nil, &bills); bills.Items[0].OpenedAt != nil {
			t.Error("fetching a link has opened it")
		}
		w.must(t, 204, "anonymous", "POST", "/api/driver-summaries/known/opened", nil)
		if w.call(t, "partner", "GET", "/api/summaries?settlement="+settled, nil, &bills); bills.Items[0].OpenedAt == nil {
			t.Error("what was opened is not marked")
		}
		resp, err := http.Get(w.URL + "/api/driver-summaries/known")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.Header.Get("Cache-Control") != "no-store" || resp.Header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%v %v", resp.Header, err)
		}
	})
}

func TestALinkGivesTheStatementInTheLanguageOfItsMail(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.settledWithAddress(t)
		speaks := func(language string) {
			testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
				_, err := tx.Exec(`UPDATE drivers SET summary_language = $3, tax_id = '84051700274' WHERE tenant_id = $1 AND id = (SELECT driver_id FROM settlements WHERE tenant_id = $1 AND id = $2)`, id, language)
				return err
			})
		}
		speaks("uk")
		w.must(t, 202, "partner", "POST", "/api/summary-sendings/"+w.shownSending(t, id)+"/start", nil)
		var bills struct {
			Items []struct {
				ID, DriverID string
				OpenedAt     *time.Time
			}
		}
		w.call(t, "partner", "GET", "/api/summaries?settlement="+id, nil, &bills)
		w.relink(t, bills.Items[0].ID, "known")
		speaks("en")
		var kept engine.Figures
		testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			s, err := settlements.Of(tx, id)
			if err != nil {
				return err
			}
			kept, err = s.KeptFigures()
			return err
		})
		for query, want := range map[string]struct {
			language i18n.Language
			word     string
		}{"": {i18n.Ukrainian, "До виплати"}, "?lang=de": {i18n.German, "Auszahlung"}} {
			document, head := w.document(t, "anonymous", "/api/driver-summaries/known/statement"+query)
			if !strings.Contains(document, want.word) || head.Get("Content-Type") != "application/pdf" || head.Get("Cache-Control") != "no-store" || head.Get("Referrer-Policy") != "no-referrer" ||
				!strings.HasPrefix(head.Get("Content-Disposition"), "attachment") {
				t.Errorf("%q: %s %v", query, document, head)
			}
			for _, f := range engine.AllFigures() {
				if reply := strings.Join(strings.Fields(i18n.Amount(want.language, kept[f])), " "); kept[f] != 0 && !strings.Contains(document, reply) {
					t.Errorf("%q does not say %s of %s", query, f, reply)
				}
			}
			for _, secret := range []string{id, bills.Items[0].ID, bills.Items[0].DriverID, "pawel@mail.example", "84051700274", "Paweł " + w.driver(t, "partner", bills.Items[0].DriverID).LastName} {
				if strings.Contains(document, secret) {
					t.Errorf("the paper shows %s", secret)
				}
			}
			if !strings.Contains(document, "••• 0274") || !strings.Contains(document, "Paweł c.") {
				t.Error("the number or the name is not there at all")
			}
		}
		if w.call(t, "partner", "GET", "/api/summaries?settlement="+id, nil, &bills); bills.Items[0].OpenedAt != nil {
			t.Error("fetching the paper has opened the summary")
		}
	})
}

func TestEveryLinkThatOpensNothingGetsOneAnswerAndGuessersWait(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		revoked, expired := w.settledWithAddress(t), w.settledWithAddress(t)
		w.must(t, 202, "partner", "POST", "/api/summary-sendings/"+w.shownSending(t, revoked, expired)+"/start", nil)
		for id, token := range map[string]string{revoked: "revoked", expired: "expired"} {
			var bills struct{ Items []struct{ ID string } }
			w.call(t, "partner", "GET", "/api/summaries?settlement="+id, nil, &bills)
			w.relink(t, bills.Items[0].ID, token)
		}
		w.must(t, 200, "partner", "POST", "/api/settlements/revoke", map[string]any{"ids": []string{revoked}, "reason": "wrong file"})
		w.clock.Pass(summaries.Life)
		_, unknown := w.call(t, "anonymous", "GET", "/api/driver-summaries/unknown", nil, nil)
		for _, asked := range []string{"", "/statement"} {
			for _, token := range []string{"unknown", "revoked", "expired", strings.Repeat("x", 2000), "a%2Fb"} {
				if status, text := w.call(t, "anonymous", "GET", "/api/driver-summaries/"+token+asked, nil, nil); status != 404 || shape(text) != shape(unknown) {
					t.Errorf("%.20s%s: %d %s", token, asked, status, text)
				}
			}
			if asked != "" { // somebody who opened it from the mail is shown the page that says so
				page, err := http.NewRequest("GET", w.URL+"/api/driver-summaries/unknown"+asked, nil)
				if err != nil {
					t.Fatal(err)
				}
				page.Header.Set("Accept", "text/html,*/*")
				resp, err := http.DefaultTransport.RoundTrip(page)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				if resp.StatusCode != 303 || resp.Header.Get("Location") != "/app/driver-summary/unknown" {
					t.Errorf("a browser gets %d %s", resp.StatusCode, resp.Header.Get("Location"))
				}
			}
			limited := false
			for range 50 { // a minute may end between them
				status, text := w.call(t, "anonymous", "GET", "/api/driver-summaries/guess"+asked, nil, nil)
				limited = limited || status == 429 && strings.Contains(text, "request.too_many")
			}
			if !limited {
				t.Error("guessing goes on and on")
			}
		}
	})
}

func TestALinkEndsWithTheNextMailByAPersonsWordAndWithTheDriversAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		own := w.settledOf(t, driver)
		set := func(column, value string) {
			testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
				_, err := tx.Exec(`UPDATE drivers SET `+column+` = $3 WHERE tenant_id = $1 AND id = $2`, driver, value)
				return err
			})
		}
		set("email", "pawel@mail.example")
		w.linked(t, driver)
		sends := 0
		send := func() (summary, token string) {
			t.Helper()
			var made struct{ ID string }
			w.call(t, "partner", "POST", "/api/summary-sendings", map[string]any{"ids": []string{own}, "again": true}, &made)
			w.must(t, 202, "partner", "POST", "/api/summary-sendings/"+made.ID+"/start", nil)
			var bills struct{ Items []struct{ ID string } }
			w.call(t, "partner", "GET", "/api/summaries?settlement="+own, nil, &bills)
			sends++
			token = fmt.Sprint("token", sends)
			w.relink(t, bills.Items[0].ID, token)
			return bills.Items[0].ID, token
		}
		works := func(summary, token string, want bool) {
			t.Helper()
			status := map[bool]int{true: 200, false: 404}[want]
			w.must(t, status, "anonymous", "GET", "/api/driver-summaries/"+token, nil)
			w.must(t, status, "anonymous", "GET", "/api/driver-summaries/"+token+"/statement", nil)
			var entries struct{ Works bool }
			if w.call(t, "partner", "GET", "/api/summaries/"+summary, nil, &entries); entries.Works != want {
				t.Errorf("the partner is told %v", entries.Works)
			}
			var seen struct{ LinkUntil *time.Time }
			if status, _ := w.call(t, "driver", "GET", "/api/driver-accounts/settlements/"+own, nil, &seen); status == 200 && (seen.LinkUntil != nil) != want {
				t.Errorf("the driver is told %v", seen.LinkUntil)
			}
		}
		first, old := send()
		works(first, old, true)
		second, newer := send()
		w.must(t, 404, "anonymous", "GET", "/api/driver-summaries/"+old, nil)
		works(second, newer, true)

		w.must(t, 404, "other", "POST", "/api/summaries/"+second+"/end-link", nil)
		w.must(t, 204, "partner", "POST", "/api/summaries/"+second+"/end-link", nil)
		works(second, newer, false)
		w.must(t, 204, "partner", "POST", "/api/summaries/"+second+"/end-link", nil) // it is over already

		third, token := send()
		w.must(t, 404, "stranger", "POST", "/api/driver-accounts/settlements/"+own+"/end-links", nil)
		works(third, token, true)
		w.must(t, 204, "driver", "POST", "/api/driver-accounts/settlements/"+own+"/end-links", nil)
		works(third, token, false)

		fourth, token := send()
		set("account_id", "")
		works(fourth, token, false)

		fifth, token := send() // to somebody without an account
		works(fifth, token, true)
		w.linked(t, driver)
		works(fifth, token, true)
	})
}

func sha256Hex(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
