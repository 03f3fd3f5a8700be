package messages_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/drivers/merge"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/messages"
	"saldo/internal/messages/sms"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

var bySMS = []messages.Channel{messages.SMS}

// settingsOf turn a provider on.
var settingsOf = map[string]messages.SMSChange{
	messages.SMSAPI: {Provider: messages.SMSAPI, Sender: "Wrzos", Token: testkit.SMSAPIToken, PartCost: 9, MonthParts: 500},
	messages.Twilio: {Provider: messages.Twilio, Sender: "+48111222333", Account: testkit.TwilioSID, Token: testkit.TwilioToken, PartCost: 20,
		MonthParts: 500},
}

// eachProvider runs a test with a partner who sends SMS through each provider.
func eachProvider(t *testing.T, test func(t *testing.T, w *fixture, p *testkit.SMSProvider, provider string)) {
	t.Helper()
	t.Parallel()
	for _, engine := range testkit.Engines {
		for _, provider := range []string{messages.SMSAPI, messages.Twilio} {
			t.Run(engine+" "+provider, func(t *testing.T) {
				t.Parallel()
				w := newFixture(t, engine)
				test(t, w, w.texting(t, provider), provider)
			})
		}
	}
}

// texting starts a provider and turns it on.
func (w *fixture) texting(t *testing.T, provider string) (p *testkit.SMSProvider) {
	t.Helper()
	if provider == messages.Twilio {
		p = testkit.NewTwilio(t)
		w.Gateways.Twilio = p.URL()
	} else {
		p = testkit.NewSMSAPI(t)
		w.Gateways.SMSAPI = p.URL()
	}
	p.Now, w.Gateways.Trust = w.clock.Now, p.Trust()
	w.set(t, settingsOf[provider])
	return p
}

func (w *fixture) set(t testing.TB, c messages.SMSChange) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error { return w.SetSMS(tx, c) })
}

// phoned are new drivers with phone numbers of these last digits, in their order; empty: without one.
func (w *fixture) phoned(t testing.TB, language string, digits ...string) (ids []string) {
	t.Helper()
	w.write(t, func(tx *db.Tx) (err error) {
		added := make([]drivers.NewDriver, len(digits))
		for i, number := range digits {
			added[i].Details = drivers.Details{FirstName: "Paweł", LastName: fmt.Sprint("Adamski", i), SummaryLanguage: language}
			if number != "" {
				added[i].Phone = "+48500100" + number
			}
		}
		ids, err = w.book.AddMany(tx, added)
		return err
	})
	return ids
}

// phones are so many last digits.
func phones(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("%03d", i))
	}
	return all
}

func (w *fixture) used(t testing.TB) (used int64) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { _, used, err = w.SMSSettingsOf(tx); return err })
	return used
}

// wantUsed waits until so many parts of the month are used.
func (w *fixture) wantUsed(t testing.TB, want int64) {
	t.Helper()
	if used := w.used(t); used != want {
		t.Errorf("%d parts are used, not %d", used, want)
	}
}

// smsOf is what is kept of the SMS of a message, by driver.
func (w *fixture) smsOf(t testing.TB, message string) map[string]keptSMS {
	t.Helper()
	found := map[string]keptSMS{}
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		rows, err := db.Select[keptSMS](tx, `SELECT driver_id, id, state, reason, parts, cost, phone, sealed, provider_ref, tries, attempted_at
			FROM message_sms WHERE tenant_id = $1 AND message_id = $2`, message)
		for _, r := range rows {
			found[r.DriverID] = r
		}
		return err
	})
	return found
}

type keptSMS struct {
	DriverID, ID, State, Reason string
	Parts, Cost                 int64
	Phone, Sealed, ProviderRef  string
	Tries                       int64
	AttemptedAt                 time.Time
}

func (w *fixture) eventually(t testing.TB, message, driver, state, reason string) {
	t.Helper()
	testkit.Eventually(t, state+" "+reason, func() bool {
		s := w.smsOf(t, message)[driver]
		return s.State == state && s.Reason == reason
	})
}

// answerIsLost waits until an SMS was attempted, its answer was lost and its next attempt is noted: the clock may pass from then on.
func (w *fixture) answerIsLost(t testing.TB, message, driver string) {
	t.Helper()
	testkit.Eventually(t, "a lost answer that is noted", func() bool {
		attempted := w.smsOf(t, message)[driver].AttemptedAt
		var later int64
		w.write(t, func(tx *db.Tx) (err error) {
			later, err = db.One[int64](tx, `SELECT count(*) FROM jobs WHERE tenant_id = $1 AND kind = $2 AND state = 'waiting' AND run_at > $3`,
				messages.SMSKind, tx.Now)
			return err
		})
		return !attempted.IsZero() && later == 1
	})
}

// reportTo makes a provider tell of an SMS that it accepted.
func (w *fixture) reportTo(provider string, a testkit.AcceptedSMS, state string) error {
	return w.hear(provider, func() *http.Request { return reportOf(provider, a, state) })
}

// hear does with a report what the address for reports does.
func (w *fixture) hear(provider string, report func() *http.Request) error {
	var reports messages.SMSReports
	if err := w.db.Read(ctx, access.Program("test"), func(tx *db.Tx) (err error) {
		reports, err = w.SMSReports(tx, provider, report())
		return err
	}); err != nil {
		return err
	}
	return w.db.Write(ctx, access.ProgramFor(reports.Tenant, "test"), reports.Keep)
}

// reportOf is a report in the provider's words.
func reportOf(provider string, a testkit.AcceptedSMS, state string) *http.Request {
	if provider == messages.Twilio {
		return testkit.SignedReport(testkit.TwilioToken, a.Report, url.Values{"MessageSid": {a.Ref}, "MessageStatus": {state}, "ErrorCode": {"30003"}})
	}
	number := map[string]string{"queued": "409", "sent": "403", "delivered": "404", "undelivered": "405", "failed": "407"}[state]
	u, _ := url.Parse(a.Report)
	form := url.Values{"MsgId": {a.Ref}, "status": {number}, "idx": {a.ID}}
	r := httptest.NewRequest(http.MethodPost, u.Path+"?"+u.RawQuery, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

func TestSMS_AreOffUntilTheyAreSet(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.phoned(t, "pl", "200")
		w.refused(t, messages.ErrSMSOff, func(tx *db.Tx) error { _, err := w.Commission(tx, draft(bySMS, ids...)); return err })
		w.refused(t, messages.ErrSMSOff, func(tx *db.Tx) error { _, err := w.Preview(tx, draft(bySMS, ids...)); return err })
		for name, change := range map[string]func(*messages.SMSChange){
			"provider": func(c *messages.SMSChange) { c.Provider = "pigeon" },
			"token":    func(c *messages.SMSChange) { c.Token = "" },
			"account":  func(c *messages.SMSChange) { c.Account = "AC1" },
			"sender":   func(c *messages.SMSChange) { c.Sender = "" },
			"parts":    func(c *messages.SMSChange) { c.MonthParts = -1 },
			"cost":     func(c *messages.SMSChange) { c.PartCost = 10_001 },
			"letters":  func(c *messages.SMSChange) { c.Token = "with a space" },
		} {
			c := settingsOf[messages.Twilio]
			change(&c)
			if err := w.db.Write(ctx, anna, func(tx *db.Tx) error { return w.SetSMS(tx, c) }); !strings.HasPrefix(fmt.Sprint(err), "messages.invalid") {
				t.Errorf("%s: %v", name, err)
			}
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			settings, used, err := w.SMSSettingsOf(tx)
			if settings.On || settings.MonthParts != messages.MonthParts || used != 0 {
				t.Errorf("%+v", settings)
			}
			return err
		})
	})
}

// The secrets are sealed, and in no trail. Without a token the one that is there stays.
func TestSMSCredentials_AreSealed(t *testing.T) {
	eachProvider(t, func(t *testing.T, w *fixture, p *testkit.SMSProvider, provider string) {
		c := settingsOf[provider]
		c.Token, c.Account, c.PartCost = "", "", 33
		w.set(t, c)
		for _, query := range []string{`SELECT sealed FROM sms_settings WHERE tenant_id = $1`, `SELECT after_state FROM audit_entries WHERE tenant_id = $1`} {
			testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
				all, err := db.Select[string](tx, query)
				if text := strings.Join(all, " "); text == "" || strings.Contains(text, "token-of") || strings.Contains(text, testkit.TwilioSID) {
					t.Errorf("%s: %s", query, text)
				}
				return err
			})
		}
		w.work(t)
		m := w.commission(t, draft(bySMS, w.phoned(t, "pl", "200")...))
		testkit.Eventually(t, "accepted", func() bool { return len(p.Accepted()) == 1 })
		testkit.Eventually(t, "noted", func() bool { return w.listed(t, m.ID).Waiting == 1 && w.used(t) == 1 })
	})
}

func TestSMS_ReachDriversWithoutFormatting(t *testing.T) {
	eachProvider(t, func(t *testing.T, w *fixture, p *testkit.SMSProvider, provider string) {
		ids := w.phoned(t, "pl", "200", "201", "")
		w.work(t)
		m := w.commission(t, draft([]messages.Channel{messages.Board, messages.SMS}, ids...))
		testkit.Eventually(t, "accepted", func() bool {
			s := w.smsOf(t, m.ID)
			return s[ids[0]].State == "accepted" && s[ids[1]].State == "accepted"
		})
		if l := w.listed(t, m.ID); l.Waiting != 2 || l.Failed != 1 || l.Delivered != 0 || l.Outcome != messages.Commissioned {
			t.Errorf("%+v %s", l.Delivery, l.Outcome)
		}
		for _, a := range p.Accepted() {
			if a.Text != "Cześć Paweł, w poniedziałek nie pracujemy." {
				t.Errorf("%q", a.Text)
			}
			if err := w.reportTo(provider, a, "delivered"); err != nil {
				t.Error(err)
			}
		}
		if l := w.listed(t, m.ID); l.Waiting != 0 || l.Failed != 1 || l.Delivered != 2 || l.Outcome != messages.Sent {
			t.Errorf("%+v %s", l.Delivery, l.Outcome)
		}
		s := w.smsOf(t, m.ID)
		if one := s[ids[0]]; one.Phone != "…200" || one.Sealed != "" || one.Parts != 1 || one.Cost != settingsOf[provider].PartCost || one.ProviderRef == "" {
			t.Errorf("%+v", one)
		}
		if s[ids[2]].State != "failed" || s[ids[2]].Reason != string(messages.NoPhone) {
			t.Errorf("%+v", s[ids[2]])
		}
		w.wantUsed(t, 2)
		all := w.recipients(t, m.ID)
		if len(all) != 3 || all[0].SMSReason != messages.NoPhone || all[1].SMSState != sms.Delivered || all[1].Phone != "…200" || !all[0].Placed {
			t.Errorf("%+v", all)
		}
	})
}

func TestSMSPreview_CountsPartsByLanguage(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.texting(t, messages.SMSAPI)
		ids := slices.Concat(w.phoned(t, "pl", "200", "201", ""), w.phoned(t, "uk", "300"), w.phoned(t, "de", "400"))
		w.write(t, func(tx *db.Tx) error { return drivers.Block(tx, ids[4], true) })
		d := draft([]messages.Channel{messages.Board, messages.SMS}, ids...)
		d.Content = strings.Repeat("Wypłata jutro. ", 6) // 90 letters
		d.Translations = []messages.Text{{Language: "uk", Content: "Завтра"}}
		ask := func() (p messages.Preview) {
			testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { p, err = w.Preview(tx, d); return err })
			return p
		}
		p := ask()
		want := []messages.SMSLanguage{{"pl", 2, 2, true}, {"uk", 1, 1, true}}
		slices.SortFunc(p.SMS.Languages, func(a, b messages.SMSLanguage) int { return strings.Compare(string(a.Language), string(b.Language)) })
		if p.SMS.Parts != 5 || p.SMS.Cost != 45 || p.SMS.Recipients != 3 || p.SMS.Left != 500 || !slices.Equal(p.SMS.Languages, want) {
			t.Errorf("%+v", p.SMS)
		}
		if p.WithoutPhone.Count != 1 || p.WithoutPhone.Drivers[0].ID != ids[2] || len(p.LeftOut) != 1 || p.LeftOut[0].Refusal != messages.Blocked {
			t.Errorf("%+v", p)
		}
		if d.Plain = true; ask().SMS.Parts != 3 {
			t.Errorf("without Polish letters %+v", ask().SMS)
		}
		d.Channels = bySMS
		if p := ask(); p.Recipients != 3 || len(p.LeftOut) != 2 || p.LeftOut[1].Refusal != messages.NoNumber {
			t.Errorf("%+v", p)
		}
		d.Content = strings.Repeat("ł", 67*sms.MostParts+1)
		d.Plain = false
		w.refused(t, messages.ErrSMSTooLong, func(tx *db.Tx) error { _, err := w.Preview(tx, d); return err })
		w.wantUsed(t, 0)
	})
}

// Two people send at once: one statement decides, and nobody passes the cap.
func TestSMSCap_IsNotPassedByTwoAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.texting(t, messages.SMSAPI)
		c := settingsOf[messages.SMSAPI]
		c.MonthParts = 10
		w.set(t, c)
		ids := w.phoned(t, "pl", phones(3)...)
		var ended sync.WaitGroup
		faults := make([]error, 8)
		for i := range faults {
			ended.Go(func() {
				faults[i] = w.db.Write(ctx, anna, func(tx *db.Tx) error { _, err := w.Commission(tx, draft(bySMS, ids...)); return err })
			})
		}
		ended.Wait()
		sent := 0
		for _, err := range faults {
			if err == nil {
				sent++
				continue
			}
			refusal, _ := err.(*fault.Fault)
			if refusal == nil || refusal.Code != "messages.sms_cap" || refusal.Params["left"] != "1" || refusal.Params["parts"] != "3" || refusal.Params["max"] != "10" {
				t.Errorf("%v %+v", err, refusal)
			}
		}
		if sent != 3 {
			t.Errorf("%d were sent", sent)
		}
		w.wantUsed(t, 9)
		// What does not fit at all is refused in an empty month too.
		d := draft(bySMS, w.phoned(t, "pl", "101", "102", "103", "104", "105", "106", "107", "108", "109", "110", "111")...)
		d.LocalTime = "2026-12-10T12:00"
		w.refused(t, messages.ErrSMSCap, func(tx *db.Tx) error { _, err := w.Commission(tx, d); return err })
		// Each month has its own, and cancelling gives back.
		d.To.Drivers = d.To.Drivers[:10]
		m := w.commission(t, d)
		w.refused(t, messages.ErrSMSCap, func(tx *db.Tx) error { _, err := w.Commission(tx, d); return err })
		w.write(t, func(tx *db.Tx) error { return messages.Cancel(tx, m.ID) })
		if len(w.smsOf(t, m.ID)) != 0 {
			t.Error("a cancelled message keeps SMS")
		}
		w.commission(t, d)
		w.wantUsed(t, 9)
	})
}

// The answer is lost: the provider is asked after a while, under the same id, and has it once.
func TestSMS_ALostAnswerIsAskedFor(t *testing.T) {
	eachProvider(t, func(t *testing.T, w *fixture, p *testkit.SMSProvider, provider string) {
		ids := w.phoned(t, "pl", "200", "201")
		p.Fail("lost")
		w.work(t)
		m := w.commission(t, draft(bySMS, ids[0]))
		testkit.Eventually(t, "accepted there", func() bool { return len(p.Accepted()) == 1 })
		w.answerIsLost(t, m.ID, ids[0])
		w.clock.Pass(sms.AskAfter - time.Second)
		time.Sleep(30 * time.Millisecond)
		if calls := p.Calls(); calls != 1 {
			t.Errorf("%d calls", calls)
		}
		// the driver has another number and name by then: what is asked for is what was attempted
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE drivers SET phone = '+48600600600', first_name = 'Jan' WHERE tenant_id = $1 AND id = $2`, ids[0])
			return err
		})
		w.clock.Pass(time.Minute)
		w.eventually(t, m.ID, ids[0], "accepted", "")
		if all := p.Accepted(); len(all) != 1 || !strings.HasSuffix(all[0].To, "48500100200") {
			t.Errorf("%+v", all)
		}
		w.wantUsed(t, 1)
		// A report ends the question too.
		p.Fail("lost", "502", "502", "502")
		m = w.commission(t, draft(bySMS, ids[1]))
		w.answerIsLost(t, m.ID, ids[1])
		a := p.Accepted()[1]
		a.ID = w.smsOf(t, m.ID)[ids[1]].ID
		if err := w.reportTo(provider, a, "sent"); err != nil {
			t.Fatal(err)
		}
		w.eventually(t, m.ID, ids[1], "accepted", "")
		w.clock.Pass(time.Hour)
		time.Sleep(30 * time.Millisecond)
		if len(p.Accepted()) != 2 {
			t.Errorf("%+v", p.Accepted())
		}
	})
}

// From 21 to 7 everything waits; who is blocked in the night gets none, and who is merged gets one.
func TestSMS_WaitForTheMorning(t *testing.T) {
	eachProvider(t, func(t *testing.T, w *fixture, p *testkit.SMSProvider, _ string) {
		w.clock.Pass(9 * time.Hour) // 22:00 in Warsaw
		ids := w.phoned(t, "pl", phones(5)...)
		w.work(t)
		m := w.commission(t, draft(bySMS, ids...))
		w.write(t, func(tx *db.Tx) error { return drivers.Block(tx, ids[0], true) })
		w.write(t, func(tx *db.Tx) error {
			_, err := merge.Drivers(tx, w.book, merge.Order{Kept: ids[1], Other: ids[2], KeptVersion: 1, OtherVersion: 1, Reason: "the same"})
			return err
		})
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE drivers SET phone = '' WHERE tenant_id = $1 AND id = $2`, ids[3])
			return err
		})
		w.clock.Pass(8*time.Hour + 59*time.Minute)
		time.Sleep(30 * time.Millisecond)
		if p.Calls() != 0 {
			t.Errorf("%d calls in the night", p.Calls())
		}
		w.clock.Pass(time.Minute)
		w.eventually(t, m.ID, ids[4], "accepted", "")
		w.eventually(t, m.ID, ids[1], "accepted", "")
		w.eventually(t, m.ID, ids[0], "failed", "blocked")
		w.eventually(t, m.ID, ids[3], "failed", "no_phone")
		testkit.Eventually(t, "the merged one has none", func() bool { return len(w.smsOf(t, m.ID)) == 4 })
		if len(p.Accepted()) != 2 {
			t.Errorf("%+v", p.Accepted())
		}
		w.wantUsed(t, 2)
	})
}

// What a provider refuses gives its parts back, and is tried again under another id with the number that the driver has then.
func TestSMS_RefusedOnesAreTriedAgain(t *testing.T) {
	eachProvider(t, func(t *testing.T, w *fixture, p *testkit.SMSProvider, provider string) {
		ids := w.phoned(t, "pl", "200", "201")
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE drivers SET phone = '+48000000000' WHERE tenant_id = $1 AND id = $2`, ids[0])
			return err
		})
		w.work(t)
		m := w.commission(t, draft(bySMS, ids...))
		w.eventually(t, m.ID, ids[0], "failed", "invalid_number")
		w.eventually(t, m.ID, ids[1], "accepted", "")
		w.wantUsed(t, 1)
		if err := w.reportTo(provider, withID(p.Accepted()[0], w.smsOf(t, m.ID)[ids[1]].ID), "undelivered"); err != nil {
			t.Fatal(err)
		}
		if l := w.listed(t, m.ID); l.Outcome != messages.Failed || l.Failed != 2 {
			t.Errorf("%s %+v", l.Outcome, l.Delivery)
		}
		before := w.smsOf(t, m.ID)
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE drivers SET phone = '+48500100202' WHERE tenant_id = $1 AND id = $2`, ids[0])
			return err
		})
		var ended sync.WaitGroup
		tried := make([]int64, 3)
		for i := range tried { // three people at once
			ended.Go(func() {
				_ = w.db.Write(ctx, anna, func(tx *db.Tx) (err error) { tried[i], err = w.Retry(tx, m.ID, ""); return err })
			})
		}
		ended.Wait()
		if tried[0]+tried[1]+tried[2] != 2 {
			t.Errorf("tried %v", tried)
		}
		w.eventually(t, m.ID, ids[0], "accepted", "")
		w.eventually(t, m.ID, ids[1], "accepted", "")
		if after := w.smsOf(t, m.ID); after[ids[0]].ID == before[ids[0]].ID || len(p.Accepted()) != 3 {
			t.Errorf("%+v, accepted %d", after, len(p.Accepted()))
		}
		w.wantUsed(t, 3) // the undelivered one was paid for
		w.refused(t, messages.ErrNoneFailed, func(tx *db.Tx) error { _, err := w.Retry(tx, m.ID, ""); return err })
		// A report of the first attempt says nothing of the second.
		if err := w.reportTo(provider, withID(p.Accepted()[0], before[ids[1]].ID), "delivered"); err != nil {
			t.Fatal(err)
		}
		if s := w.smsOf(t, m.ID)[ids[1]]; s.State != "accepted" {
			t.Errorf("%+v", s)
		}
	})
}

// withID is what a provider accepted, under the id that the address for reports has with Twilio too.
func withID(a testkit.AcceptedSMS, id string) testkit.AcceptedSMS {
	a.ID = id
	if a.Report != "" && strings.Contains(a.Report, "id=") {
		u, _ := url.Parse(a.Report)
		q := u.Query()
		q.Set("id", id)
		u.RawQuery = q.Encode()
		a.Report = u.String()
	}
	return a
}

// A busy provider is tried again, and given up after a while.
func TestSMS_ABusyProviderIsTriedAgain(t *testing.T) {
	eachProvider(t, func(t *testing.T, w *fixture, p *testkit.SMSProvider, _ string) {
		ids := w.phoned(t, "pl", "200")
		p.Fail("429", "redirect")
		w.work(t)
		m := w.commission(t, draft(bySMS, ids...))
		testkit.Eventually(t, "it is sent", func() bool {
			w.clock.Pass(time.Minute)
			return w.smsOf(t, m.ID)[ids[0]].State == "accepted"
		})
		if len(p.Accepted()) != 1 {
			t.Errorf("%+v", p.Accepted())
		}
		p.Fail(slices.Repeat([]string{"429"}, 40)...)
		m = w.commission(t, draft(bySMS, ids...))
		testkit.Eventually(t, "it is given up", func() bool {
			w.clock.Pass(time.Hour)
			s := w.smsOf(t, m.ID)[ids[0]]
			return s.State == "failed" && s.Reason == "busy"
		})
		if len(p.Accepted()) != 1 {
			t.Errorf("%+v", p.Accepted())
		}
	})
}

// Without credentials nothing is sent: what waits fails and says why, and what was perhaps sent is never sent again.
func TestSMS_TurnedOffWhileSomethingWaits(t *testing.T) {
	eachProvider(t, func(t *testing.T, w *fixture, p *testkit.SMSProvider, provider string) {
		ids := w.phoned(t, "pl", "200", "201", "202")
		p.Fail("lost")
		w.work(t)
		lost := w.commission(t, draft(bySMS, ids[0]))
		w.answerIsLost(t, lost.ID, ids[0])
		w.clock.Pass(9 * time.Hour)
		night := w.commission(t, draft(bySMS, ids[1]))
		d := draft(bySMS, ids[2])
		d.LocalTime = "2026-11-17T12:00"
		later := w.commission(t, d)
		w.wantUsed(t, 3)
		for range 2 {
			w.write(t, func(tx *db.Tx) error { return messages.RemoveSMS(tx) })
		}
		if s := w.smsOf(t, night.ID)[ids[1]]; s.State != "failed" || s.Reason != "turned_off" {
			t.Errorf("%+v", s)
		}
		if s := w.smsOf(t, lost.ID)[ids[0]]; s.State != "failed" || s.Reason != "unclear" || s.Sealed != "" {
			t.Errorf("%+v", s)
		}
		if err := w.reportTo(provider, p.Accepted()[0], "delivered"); err == nil {
			t.Error("a report without credentials is believed")
		}
		w.refused(t, messages.ErrSMSOff, func(tx *db.Tx) error { _, err := w.Retry(tx, night.ID, ""); return err })
		w.clock.Pass(48 * time.Hour)
		w.eventually(t, later.ID, ids[2], "failed", "turned_off")
		if l := w.listed(t, later.ID); l.Outcome != messages.Failed {
			t.Errorf("%s", l.Outcome)
		}
		w.wantUsed(t, 1)
		w.set(t, settingsOf[provider])
		w.refused(t, messages.ErrNoneFailed, func(tx *db.Tx) error { _, err := w.Retry(tx, lost.ID, ""); return err })
		w.write(t, func(tx *db.Tx) error { _, err := w.Retry(tx, night.ID, ""); return err })
		w.clock.Pass(12 * time.Hour) // it is night again
		w.eventually(t, night.ID, ids[1], "accepted", "")
		if len(p.Accepted()) != 2 {
			t.Errorf("%+v", p.Accepted())
		}
	})
}

// Another account cannot be asked what the first one sent.
func TestSMS_OtherCredentialsAreNotAskedForAnAttempt(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		p := w.texting(t, messages.SMSAPI)
		other := w.texting(t, messages.Twilio)
		w.set(t, settingsOf[messages.SMSAPI])
		w.Gateways.Trust = p.Trust()
		ids := w.phoned(t, "pl", "200")
		p.Fail("lost")
		w.work(t)
		m := w.commission(t, draft(bySMS, ids...))
		w.answerIsLost(t, m.ID, ids[0])
		w.set(t, settingsOf[messages.Twilio])
		w.clock.Pass(time.Hour)
		w.eventually(t, m.ID, ids[0], "failed", "unclear")
		if other.Calls() != 0 || len(p.Accepted()) != 1 {
			t.Errorf("%d calls", other.Calls())
		}
		w.wantUsed(t, 1)
	})
}

func TestSMS_OfAWithdrawnMessageAreNotSent(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		p := w.texting(t, messages.SMSAPI)
		w.clock.Pass(10 * time.Hour)
		ids := w.phoned(t, "pl", "200", "201")
		w.work(t)
		m := w.commission(t, draft([]messages.Channel{messages.Board, messages.SMS}, ids...))
		for range 2 {
			w.write(t, func(tx *db.Tx) error { return messages.Withdraw(tx, m.ID) })
		}
		w.wantUsed(t, 0)
		w.clock.Pass(12 * time.Hour)
		time.Sleep(30 * time.Millisecond)
		if s := w.smsOf(t, m.ID)[ids[0]]; p.Calls() != 0 || s.Reason != "withdrawn" {
			t.Errorf("%+v", s)
		}
		w.refused(t, messages.ErrNoneFailed, func(tx *db.Tx) error { _, err := w.Retry(tx, m.ID, ""); return err })
	})
}

// What waits for the morning can be cancelled: it is not sent then, nor when others are tried again.
func TestSMS_CancelledInTheNight(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		p := w.texting(t, messages.SMSAPI)
		w.clock.Pass(10 * time.Hour)
		ids := w.phoned(t, "pl", "200", "201")
		w.work(t)
		m := w.commission(t, draft(bySMS, ids...))
		if l := w.listed(t, m.ID); l.Unsent != 2 || l.Waiting != 2 {
			t.Errorf("%+v", l)
		}
		w.write(t, func(tx *db.Tx) error { return messages.Cancel(tx, m.ID) })
		w.refused(t, messages.ErrTooLate, func(tx *db.Tx) error { return messages.Cancel(tx, m.ID) })
		w.wantUsed(t, 0)
		w.clock.Pass(12 * time.Hour)
		time.Sleep(30 * time.Millisecond)
		if l := w.listed(t, m.ID); p.Calls() != 0 || l.Failed != 2 || l.Unsent != 0 || l.Outcome != messages.Failed {
			t.Errorf("%d calls, %+v", p.Calls(), l)
		}
		w.refused(t, messages.ErrNoneFailed, func(tx *db.Tx) error { _, err := w.Retry(tx, m.ID, ""); return err })
	})
}

// Whoever is blocked before a message to many begins is left out, and the parts come back.
func TestSMS_WhoeverIsBlockedBeforeItBegins(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		p := w.texting(t, messages.SMSAPI)
		ids := w.phoned(t, "pl", phones(60)...)
		m := w.commission(t, draft(bySMS, ids...))
		w.wantUsed(t, 60)
		w.write(t, func(tx *db.Tx) error { return drivers.Block(tx, ids[7], true) })
		w.work(t)
		w.clock.Pass(messages.Window)
		testkit.Eventually(t, "all are sent", func() bool { return len(p.Accepted()) == 59 })
		testkit.Eventually(t, "noted", func() bool {
			for _, s := range w.smsOf(t, m.ID) {
				if s.State != "accepted" {
					return false
				}
			}
			return w.listed(t, m.ID).Waiting == 59
		})
		w.wantUsed(t, 59)
		// No report within three days: it counts as mails do, which nobody reports either.
		w.clock.Pass(73 * time.Hour)
		if l := w.listed(t, m.ID); l.Delivered != 59 || l.Outcome != messages.Sent || l.LeftOut != 1 {
			t.Errorf("%+v %s", l.Delivery, l.Outcome)
		}
	})
}

func TestSMSReports_InAnyOrder(t *testing.T) {
	eachProvider(t, func(t *testing.T, w *fixture, p *testkit.SMSProvider, provider string) {
		ids := w.phoned(t, "pl", "200", "201", "202")
		w.work(t)
		m := w.commission(t, draft(bySMS, ids...))
		testkit.Eventually(t, "accepted", func() bool {
			s := w.smsOf(t, m.ID)
			return s[ids[0]].State == "accepted" && s[ids[1]].State == "accepted" && s[ids[2]].State == "accepted"
		})
		of := func(driver string) testkit.AcceptedSMS {
			row := w.smsOf(t, m.ID)[driver]
			all := p.Accepted()
			return withID(all[slices.IndexFunc(all, func(a testkit.AcceptedSMS) bool { return a.Ref == row.ProviderRef })], row.ID)
		}
		for _, state := range []string{"delivered", "sent", "undelivered", "delivered", "queued", "failed"} {
			if err := w.reportTo(provider, of(ids[0]), state); err != nil {
				t.Errorf("%s: %v", state, err)
			}
		}
		for _, state := range []string{"queued", "failed", "failed", "delivered"} {
			if err := w.reportTo(provider, of(ids[1]), state); err != nil {
				t.Errorf("%s: %v", state, err)
			}
		}
		s := w.smsOf(t, m.ID)
		if s[ids[0]].State != "delivered" || s[ids[1]].State != "failed" || s[ids[1]].Reason == "" || s[ids[1]].Cost != 0 {
			t.Errorf("%+v", s)
		}
		w.wantUsed(t, 2) // what failed was not sent, once
		unknown := withID(of(ids[2]), "nobody-knows-it")
		unknown.Ref = "nor-this"
		if err := w.reportTo(provider, unknown, "delivered"); err != nil {
			t.Error(err)
		}
		// What is not from the provider, or from another's, changes nothing.
		forged := reportOf(provider, of(ids[2]), "delivered")
		forged.Header.Set("X-Twilio-Signature", "AAAA")
		q := forged.URL.Query()
		if provider == messages.SMSAPI {
			q.Set("secret", "guessed")
		}
		forged.URL.RawQuery = q.Encode()
		other := map[string]string{messages.SMSAPI: messages.Twilio, messages.Twilio: messages.SMSAPI}[provider]
		for name, err := range map[string]error{
			"forged":              w.hear(provider, func() *http.Request { return forged }),
			"of another provider": w.hear(other, func() *http.Request { return reportOf(provider, of(ids[2]), "delivered") }),
			"without a secret":    w.hear(provider, func() *http.Request { return httptest.NewRequest(http.MethodPost, "/", nil) }),
		} {
			if err == nil || !strings.HasPrefix(err.Error(), "messages.sms_report") {
				t.Errorf("%s: %v", name, err)
			}
		}
		// A second partner's provider tells of an SMS of the first.
		south := access.Actor{Role: access.Partner, Tenant: "south", ID: "piotr", Name: "Piotr"}
		testkit.Write(t, w.db, access.ProgramFor("south", "test"), func(tx *db.Tx) error {
			return partners.Found(tx, partners.Partner{Code: "south", Name: "South", Color: "#0B5D68"}, 1000)
		})
		testkit.Write(t, w.db, south, func(tx *db.Tx) error { return w.SetSMS(tx, settingsOf[provider]) })
		var d []string
		testkit.Write(t, w.db, south, func(tx *db.Tx) (err error) {
			d, err = w.book.AddMany(tx, []drivers.NewDriver{{Details: drivers.Details{FirstName: "Ewa", LastName: "Nowak", Phone: "+48500100999"}}})
			return err
		})
		testkit.Write(t, w.db, south, func(tx *db.Tx) error { _, err := w.Commission(tx, draft(bySMS, d...)); return err })
		testkit.Eventually(t, "theirs is accepted", func() bool { return len(p.Accepted()) == 4 })
		theirs := p.Accepted()[3]
		theirs = withID(theirs, w.smsOf(t, m.ID)[ids[2]].ID)
		theirs.Ref = of(ids[2]).Ref
		if err := w.reportTo(provider, theirs, "delivered"); err != nil {
			t.Error(err)
		}
		if s := w.smsOf(t, m.ID)[ids[2]]; s.State != "accepted" {
			t.Errorf("%+v", s)
		}
	})
}

// Two drivers of one first name get each their own payout, as it is when the SMS is sent; whose settlement was revoked meanwhile gets none.
func TestSMS_NameEachDriversOwnPayout(t *testing.T) {
	eachProvider(t, func(t *testing.T, w *fixture, p *testkit.SMSProvider, _ string) {
		ids := w.phoned(t, "pl", "200", "201", "202")
		week := func(payout money.Amount) messages.Settled {
			return messages.Settled{FirstOn: "2026-11-02", LastOn: "2026-11-08", Payout: payout}
		}
		var guard sync.Mutex
		settled := map[string]messages.Settled{ids[0]: week(1_234_56), ids[1]: week(7_00), ids[2]: week(9_99)}
		w.Payouts = func(*db.Tx, calendar.Period, []string) (map[string]messages.Settled, error) {
			guard.Lock()
			defer guard.Unlock()
			return maps.Clone(settled), nil
		}
		d := draft(bySMS, ids...)
		d.Content, d.Period = "Do wypłaty {payout}", "2026-W45"
		d.LocalTime = w.clock.Now().In(w.Instance.Location()).Add(time.Hour).Format("2006-01-02T15:04")
		m := w.commission(t, d)
		guard.Lock()
		delete(settled, ids[2])
		settled[ids[1]] = week(8_00) // settled anew
		guard.Unlock()
		w.work(t)
		w.clock.Pass(2 * time.Hour)
		testkit.Eventually(t, "accepted", func() bool {
			s := w.smsOf(t, m.ID)
			return s[ids[0]].State == "accepted" && s[ids[1]].State == "accepted"
		})
		got := map[string]string{}
		for _, a := range p.Accepted() {
			got[a.To[len(a.To)-3:]] = a.Text
		}
		if len(got) != 2 || got["200"] != "Do wypłaty 1\u00a0234,56\u00a0zł" || got["201"] != "Do wypłaty 8,00\u00a0zł" {
			t.Errorf("%q", got)
		}
	})
}
