package summaries_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/billing"
	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/settlements"
	"saldo/internal/summaries"
	"saldo/internal/testkit"
)

var (
	ctx    = context.Background()
	anna   = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna"}
	system = access.Program("summaries")
)

// fixture is a partner with settled drivers and a mail server that the test scripts.
type fixture struct {
	*summaries.Service
	settling *settlements.Service
	db       *db.DB
	clock    *testkit.Clock
	server   *testkit.SMTP
	book     drivers.Service
}

func newFixture(t *testing.T, engine string) *fixture {
	t.Helper()
	f := testkit.NewFleet(t, engine)
	w := &fixture{db: f.DB, clock: f.Clock, server: testkit.NewSMTP(t), book: drivers.Service{Vault: f.Vault, Country: "PL"}}
	sender, err := mail.Open(w.server.URL(), "")
	if err != nil {
		t.Fatal(err)
	}
	box := mail.NewQueue(f.Vault, sender, mail.Address{Name: "Saldo", Address: "saldo@fleet.example"})
	w.book.Post = box
	w.settling = &settlements.Service{Instance: f.Instance, Imports: &imports.Service{DB: w.db, Instance: f.Instance}}
	w.Service = &summaries.Service{Mails: box, Instance: f.Instance, PublicURL: "https://saldo.example", Log: slog.New(slog.DiscardHandler)}
	office := &billing.Service{Instance: f.Instance, Vault: f.Vault, Settlements: w.settling}
	w.Statement = func(tx *db.Tx, settlement string, language i18n.Language) (func(context.Context) (mail.Attachment, error), error) {
		document, err := office.LinkedStatement(tx, settlement, language)
		return func(context.Context) (mail.Attachment, error) {
			content, err := document.PDF(nil)
			return mail.Attachment{Name: document.FileName(), Type: "application/pdf", Data: content}, err
		}, err
	}
	box.Attach(w.Attach)
	return w
}

func each(t *testing.T, test func(t *testing.T, w *fixture)) {
	t.Helper()
	testkit.EachFleet(t, newFixture, test)
}

// work runs the jobs until the test ends or stop is called.
func (w *fixture) work(t *testing.T) (stop func()) {
	t.Helper()
	return testkit.RunJobs(t, w.db, func(q *jobs.Queue) {
		q.Lease = 10_000 * time.Hour // hours that pass in a moment take no job from whoever is at it
		q.Handle(mail.SendKind, w.Mails.Deliver)
		q.Handle(summaries.SendKind, w.Send)
	})
}

func (w *fixture) write(t testing.TB, fn func(tx *db.Tx) error) {
	t.Helper()
	testkit.Write(t, w.db, anna, fn)
}

func (w *fixture) refused(t testing.TB, want error, fn func(tx *db.Tx) error) {
	t.Helper()
	if err := w.db.Write(ctx, anna, fn); !errors.Is(err, want) {
		t.Fatalf("%v, not %v", err, want)
	}
}

// settled are settlements of new drivers with these addresses, in their order.
func (w *fixture) settled(t testing.TB, language string, addresses ...string) (ids []string) {
	t.Helper()
	var driverIDs []string
	w.write(t, func(tx *db.Tx) error {
		added := make([]drivers.NewDriver, len(addresses))
		for i, address := range addresses {
			added[i] = drivers.NewDriver{Details: drivers.Details{FirstName: "Paweł", LastName: fmt.Sprint("Adamski", i), Email: address, SummaryLanguage: language}}
		}
		var err error
		if driverIDs, err = w.book.AddMany(tx, added); err != nil {
			return err
		}
		_, err = ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
			for _, driver := range driverIDs {
				if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: driver, Provider: "UBER", Type: "TRIP", OccurredOn: "2026-10-28", Amount: 1_234_56, Currency: "PLN", Source: "import"}) {
					return
				}
			}
		})
		return err
	})
	for part := range slices.Chunk(driverIDs, 50) {
		var p settlements.Preview
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
			p, err = w.settling.Preview(tx, settlements.Selection{Filter: settlements.PendingFilter{Period: calendar.Period("2026-W44")}, Drivers: part})
			return err
		})
		w.write(t, func(tx *db.Tx) error {
			if err := p.Keep(tx); err != nil {
				return err
			}
			_, err := w.settling.Start(tx, p.ID, settlements.StartOptions{Share: false, Partial: false})
			return err
		})
	}
	for _, driver := range driverIDs {
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			page, err := settlements.List(tx, settlements.Filter{DriverID: driver, Page: 1, Size: 1})
			if err == nil {
				ids = append(ids, page.Items[0].ID)
			}
			return err
		})
	}
	return ids
}

func (w *fixture) prepare(t testing.TB, request summaries.SendRequest) (s summaries.Sending) {
	t.Helper()
	w.write(t, func(tx *db.Tx) (err error) { s, err = w.Prepare(tx, request); return err })
	return s
}

// send sends bills of settlements, or of all.
func (w *fixture) send(t testing.TB, again bool, ids ...string) (s summaries.Sending) {
	t.Helper()
	s = w.prepare(t, summaries.SendRequest{Settlements: ids, Again: again})
	w.write(t, func(tx *db.Tx) (err error) { s, err = w.Start(tx, s.ID); return err })
	return s
}

func (w *fixture) sending(t testing.TB, id string) (s summaries.Sending) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { s, err = summaries.SendingOf(tx, id); return err })
	return s
}

func (w *fixture) of(t testing.TB, settlement string) (list []summaries.Summary) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { list, err = summaries.OfSettlement(tx, settlement); return err })
	return list
}

func (w *fixture) becomes(t testing.TB, settlement string, state summaries.State) {
	t.Helper()
	testkit.Eventually(t, string(state), func() bool { s := w.of(t, settlement); return len(s) > 0 && s[0].State == state })
}

var inMail = regexp.MustCompile(`driver-summary/([A-Za-z0-9_-]{43})`)

// tokens are those of the mails that the server took for an address, in order.
func (w *fixture) tokens(t testing.TB, address string) (tokens []string) {
	t.Helper()
	for _, m := range w.server.Taken() {
		if m.To != address {
			continue
		}
		text := strings.ReplaceAll(m.Data, "=\r\n", "")
		found := inMail.FindStringSubmatch(text)
		if found == nil || !strings.Contains(text, "https://saldo.example/api/driver-summaries/"+found[1]+"/statement\r\n") {
			t.Fatalf("a mail without its two links: %s", m.Data)
		}
		tokens = append(tokens, found[1])
	}
	return tokens
}

func (w *fixture) opens(token string) error {
	return w.db.Read(ctx, system, func(tx *db.Tx) error { _, err := summaries.ByToken(tx, token); return err })
}

// messages are how often the server took each Message-ID.
func (w *fixture) messages(t testing.TB) map[string]int {
	t.Helper()
	found := map[string]int{}
	for _, m := range w.server.Taken() {
		for line := range strings.Lines(m.Data) {
			if id, ok := strings.CutPrefix(line, "Message-ID: "); ok {
				found[strings.TrimSpace(id)]++
			}
		}
	}
	return found
}

func TestSummary_IsSentOnceAndItsLinkIsStoredNowhere(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		id := w.settled(t, "uk", "pawel@mail.example")[0]
		if s := w.send(t, false, id); s.State != summaries.Done || s.Recipients != 1 {
			t.Fatalf("%+v", s)
		}
		if s := w.of(t, id); len(s) != 1 || s[0].State != mail.Queued || s[0].Language != "uk" || s[0].SentBy != "Anna" || !s[0].OpenedAt.IsZero() {
			t.Fatalf("%+v", s)
		}
		w.work(t)
		w.becomes(t, id, mail.Sent)
		tokens := w.tokens(t, "pawel@mail.example")
		if len(tokens) != 1 || w.opens(tokens[0]) != nil {
			t.Fatalf("%v opens: %v", tokens, w.opens(tokens[0]))
		}
		testkit.Read(t, w.db, access.Program("test"), func(tx *db.Tx) error {
			stored, err := db.Select[string](tx.Across(), `SELECT token_sum FROM summaries UNION ALL SELECT sealed FROM mails UNION ALL SELECT after_state FROM audit_entries UNION ALL SELECT payload FROM jobs`)
			for _, text := range stored {
				if strings.Contains(text, tokens[0]) {
					t.Errorf("the link stands in %s", text)
				}
			}
			return err
		})
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			s, err := settlements.Of(tx, id)
			if s.SharedAt.IsZero() {
				t.Error("the driver does not see what was sent")
			}
			return err
		})
		testkit.Write(t, w.db, system, func(tx *db.Tx) error { return summaries.MarkOpened(tx, tokens[0]) })
		first := w.of(t, id)[0].OpenedAt
		w.clock.Pass(time.Hour)
		testkit.Write(t, w.db, system, func(tx *db.Tx) error { return summaries.MarkOpened(tx, tokens[0]) })
		if s := w.of(t, id)[0]; first.IsZero() || !s.OpenedAt.Equal(first) {
			t.Errorf("opened at %v, then %v", first, s.OpenedAt)
		}
	})
}

func TestTheMailSpeaksTheDriversLanguage(t *testing.T) {
	w := newFixture(t, "sqlite")
	for _, l := range i18n.Languages {
		w.send(t, false, w.settled(t, string(l), string(l)+"@mail.example")...)
	}
	w.send(t, false, w.settled(t, "", "none@mail.example")...)
	var mails []mail.Status
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { mails, err = w.Mails.Mails(tx, 10); return err })
	want := map[string]string{"pl@mail.example": "Rozliczenie 26.10.2026–01.11.2026 od Wrzos Mobility", "en@mail.example": "Settlement 26 Oct 2026–1 Nov 2026 from Wrzos Mobility",
		"de@mail.example": "Abrechnung 26.10.2026–01.11.2026 von Wrzos Mobility", "uk@mail.example": "Розрахунок 26.10.2026–01.11.2026 від Wrzos Mobility",
		"ru@mail.example": "Расчёт 26.10.2026–01.11.2026 от Wrzos Mobility", "none@mail.example": "Rozliczenie 26.10.2026–01.11.2026 od Wrzos Mobility"}
	if len(mails) != len(want) {
		t.Fatalf("%d mails", len(mails))
	}
	for _, m := range mails {
		if m.Subject != want[m.To.Address] {
			t.Errorf("%s: %s", m.To.Address, m.Subject)
		}
	}
}

func TestWhoGetsNoBillIsNamedWithTheReason(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.settled(t, "pl", "sent@mail.example", "", "revoked@mail.example", "new@mail.example")
		w.send(t, false, ids[0])
		w.write(t, func(tx *db.Tx) error { return w.settling.Revoke(tx, ids[2], "wrong file") })
		s := w.prepare(t, summaries.SendRequest{Settlements: ids})
		if s.Recipients != 1 || s.Refused != 3 {
			t.Fatalf("%+v", s)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			groups, err := summaries.RefusedOf(tx, s.ID)
			output := ""
			for _, g := range groups {
				output += fmt.Sprint(g.Refusal, " ", g.Count, " ", g.Drivers[0].LastName, "; ")
			}
			if output != "no_address 1 Adamski1; revoked 1 Adamski2; sent 1 Adamski0; " {
				t.Error(output)
			}
			return err
		})
		w.write(t, func(tx *db.Tx) error { _, err := w.Start(tx, s.ID); return err })
		for i, want := range []int{1, 0, 0, 1} {
			if got := len(w.of(t, ids[i])); got != want {
				t.Errorf("settlement %d has %d bills", i, got)
			}
		}
		none := w.prepare(t, summaries.SendRequest{Settlements: ids})
		w.refused(t, summaries.ErrNothing, func(tx *db.Tx) error { _, err := w.Start(tx, none.ID); return err })
		w.refused(t, settlements.ErrNotFound, func(tx *db.Tx) error {
			_, err := w.Prepare(tx, summaries.SendRequest{Settlements: []string{ids[3], "nobody's"}})
			return err
		})
	})
}

func TestSending_LeavesBlockedDriversOut(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.settled(t, "pl", "jan@mail.example", "ewa@mail.example")
		var driver string
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			s, err := settlements.Of(tx, ids[0])
			driver = s.DriverID
			return err
		})
		late := w.prepare(t, summaries.SendRequest{Settlements: ids})
		w.write(t, func(tx *db.Tx) error { return drivers.Block(tx, driver, true) })
		if s := w.prepare(t, summaries.SendRequest{Settlements: ids}); s.Recipients != 1 || s.Refused != 1 {
			t.Fatalf("%+v", s)
		}
		w.write(t, func(tx *db.Tx) error { _, err := w.Start(tx, late.ID); return err }) // blocked after it was shown
		if len(w.of(t, ids[0])) != 0 || len(w.of(t, ids[1])) != 1 {
			t.Error("the blocked driver was written to, or the other one was not")
		}
		w.write(t, func(tx *db.Tx) error { return drivers.Block(tx, driver, false) })
		w.send(t, false, ids[0])
		if len(w.of(t, ids[0])) != 1 {
			t.Error("after unblocking nothing was sent")
		}
	})
}

func TestSending_NamesWhomTheQuotaLeavesOut(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.settled(t, "pl", "office@mail.example", "office@mail.example", "ewa@mail.example")
		w.Mails.Within(mail.Quota{PerAddress: 1})
		s := w.send(t, false, ids...)
		if s.State != summaries.Done || s.Recipients != 2 || s.Refused != 1 || len(w.of(t, ids[1])) != 0 || len(w.of(t, ids[2])) != 1 {
			t.Fatalf("%+v", s)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			groups, err := summaries.RefusedOf(tx, s.ID)
			if len(groups) != 1 || groups[0].Refusal != summaries.OverQuota || groups[0].Count != 1 {
				t.Errorf("%+v", groups)
			}
			return err
		})
		w.clock.Pass(time.Hour)
		if s := w.send(t, false, ids[1]); s.Recipients != 1 || len(w.of(t, ids[1])) != 1 {
			t.Errorf("an hour later: %+v", s)
		}
	})
}

func TestResendingIsANewMailWithANewLinkAndTheOldLinkEnds(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		id := w.settled(t, "pl", "pawel@mail.example")[0]
		w.work(t)
		w.send(t, false, id)
		w.becomes(t, id, mail.Sent)
		w.send(t, true, id)
		testkit.Eventually(t, "both sent", func() bool { return len(w.server.Taken()) == 2 })
		tokens := w.tokens(t, "pawel@mail.example")
		if tokens[0] == tokens[1] || !errors.Is(w.opens(tokens[0]), summaries.ErrLink) || w.opens(tokens[1]) != nil || len(w.messages(t)) != 2 || len(w.of(t, id)) != 2 {
			t.Errorf("%v, %v", tokens, w.messages(t))
		}
	})
}

func TestALinkEndsWithItsTimeOrItsSettlementAndLooksLikeOneThatNeverWas(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.settled(t, "pl", "old@mail.example", "revoked@mail.example")
		w.work(t)
		w.send(t, false, ids...)
		w.becomes(t, ids[0], mail.Sent)
		w.becomes(t, ids[1], mail.Sent)
		old, revoked := w.tokens(t, "old@mail.example")[0], w.tokens(t, "revoked@mail.example")[0]
		w.write(t, func(tx *db.Tx) error { return w.settling.Revoke(tx, ids[1], "wrong file") })
		if err := w.opens(revoked); !errors.Is(err, summaries.ErrLink) {
			t.Errorf("of a revoked settlement: %v", err)
		}
		w.clock.Pass(summaries.Life - time.Hour)
		if err := w.opens(old); err != nil {
			t.Errorf("before its time: %v", err)
		}
		w.clock.Pass(time.Hour)
		for _, token := range []string{old, revoked, "", "unknown", strings.Repeat("x", 100_000)} {
			if err := w.opens(token); !errors.Is(err, summaries.ErrLink) {
				t.Errorf("%.50s: %v", token, err)
			}
			if err := w.db.Write(ctx, system, func(tx *db.Tx) error { return summaries.MarkOpened(tx, token) }); !errors.Is(err, summaries.ErrLink) {
				t.Errorf("marking %.50s: %v", token, err)
			}
		}
	})
}

func TestAllOfAFilterWaitsAndIsCancelledByOneClick(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.settled(t, "pl", "a@mail.example", "b@mail.example")
		w.work(t)
		s := w.send(t, false)
		if s.State != summaries.Waiting || s.Recipients != 2 || !s.StartsAt.Equal(w.clock.Now().Add(summaries.Window)) {
			t.Fatalf("%+v", s)
		}
		w.clock.Pass(summaries.Window - time.Second)
		w.write(t, func(tx *db.Tx) error { return summaries.Cancel(tx, s.ID) })
		w.write(t, func(tx *db.Tx) error { return summaries.Cancel(tx, s.ID) }) // a second click
		w.clock.Pass(time.Hour)
		again := w.send(t, false)
		w.clock.Pass(summaries.Window)
		testkit.Eventually(t, "sent", func() bool { return w.sending(t, again.ID).State == summaries.Done && len(w.server.Taken()) == 2 })
		w.refused(t, summaries.ErrTooLate, func(tx *db.Tx) error { return summaries.Cancel(tx, again.ID) })
		if w.sending(t, s.ID).State != summaries.Cancelled || len(w.of(t, ids[0])) != 1 || len(w.of(t, ids[1])) != 1 {
			t.Errorf("%+v, %d and %d bills", w.sending(t, s.ID), len(w.of(t, ids[0])), len(w.of(t, ids[1])))
		}
	})
}

func TestManyClicksSendEveryBillOnce(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		addresses := make([]string, 120)
		for i := range addresses {
			addresses[i] = fmt.Sprintf("driver%d@mail.example", i)
		}
		w.settled(t, "pl", addresses...)
		w.work(t)
		// the same sending started by many, and others of the same settlements beside it
		shown := w.prepare(t, summaries.SendRequest{})
		var all sync.WaitGroup
		for n := range 16 {
			all.Go(func() {
				err := w.db.Write(ctx, anna, func(tx *db.Tx) error {
					id := shown.ID
					if n%4 == 0 {
						s, err := w.Prepare(tx, summaries.SendRequest{})
						if err != nil {
							return err
						}
						id = s.ID
					}
					_, err := w.Start(tx, id)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		w.clock.Pass(summaries.Window)
		testkit.Eventually(t, "every sending is done", func() bool {
			left := int64(-1)
			testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
				left, err = db.One[int64](tx, `SELECT (SELECT COUNT(*) FROM summary_sendings WHERE tenant_id = $1 AND state IN ('waiting', 'running')) + (SELECT COUNT(*) FROM mails WHERE tenant_id = $1 AND state <> 'sent')`)
				return err
			})
			return left == 0
		})
		if n := len(w.server.Taken()); n != 120 || len(w.messages(t)) != 120 {
			t.Errorf("%d mails were taken, %d different", n, len(w.messages(t)))
		}
		var sum int64
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
			sum, err = db.One[int64](tx, `SELECT CAST(SUM(recipients) AS BIGINT) FROM summary_sendings WHERE tenant_id = $1 AND state = 'done'`)
			return err
		})
		if sum != 120 {
			t.Errorf("the sendings say that they sent %d", sum)
		}
	})
}
