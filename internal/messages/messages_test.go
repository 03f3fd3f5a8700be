package messages_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/drivers/merge"
	"saldo/internal/kernel/access"
	"saldo/internal/messages"
	"saldo/internal/messages/push"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/testkit"
)

var (
	ctx  = context.Background()
	anna = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna", Proof: access.Proof{SignedInAt: time.Now().AddDate(10, 0, 0)}}
	both = []messages.Channel{messages.Board, messages.Mail}
)

// fixture is a partner with drivers and a mail server that the test scripts.
type fixture struct {
	*messages.Service
	db     *db.DB
	clock  *testkit.Clock
	server *testkit.SMTP
	book   drivers.Service
	place  string // folder or address of the database
}

func newFixture(t *testing.T, engine string) *fixture {
	t.Helper()
	f := testkit.NewFleet(t, engine)
	w := &fixture{place: f.Settings.Folder + f.Settings.URL, db: f.DB, clock: f.Clock, server: testkit.NewSMTP(t), book: drivers.Service{Vault: f.Vault, Country: "PL"}}
	sender, err := mail.Open(w.server.URL(), "")
	if err != nil {
		t.Fatal(err)
	}
	box := mail.NewQueue(f.Vault, sender, mail.Address{Name: "Saldo", Address: "saldo@fleet.example"})
	w.book.Post = box
	w.Service = &messages.Service{Mails: box, Push: push.New(w.db, f.Vault, "saldo@fleet.example"), Instance: f.Instance, Vault: f.Vault, PublicURL: "https://saldo.example"}
	return w
}

func each(t *testing.T, test func(t *testing.T, w *fixture)) {
	t.Helper()
	testkit.EachFleet(t, newFixture, test)
}

// work runs the jobs until the test ends.
func (w *fixture) work(t testing.TB) {
	t.Helper()
	testkit.RunJobs(t, w.db, func(q *jobs.Queue) {
		q.Lease = 10_000 * time.Hour
		q.Handle(mail.SendKind, w.Mails.Deliver)
		q.Handle(messages.SendKind, w.Send)
		q.Handle(messages.PushKind, w.Remind)
		q.Handle(messages.SMSKind, w.SendSMS)
		q.OnFailure(messages.SMSKind, messages.OnSMSFailure)
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

// hired are new drivers with these addresses, in their order.
func (w *fixture) hired(t testing.TB, language string, addresses ...string) (ids []string) {
	t.Helper()
	w.write(t, func(tx *db.Tx) (err error) {
		added := make([]drivers.NewDriver, len(addresses))
		for i, address := range addresses {
			added[i] = drivers.NewDriver{Details: drivers.Details{FirstName: "Paweł", LastName: fmt.Sprint("Adamski", i), Email: address, SummaryLanguage: language}}
		}
		ids, err = w.book.AddMany(tx, added)
		return err
	})
	return ids
}

// addresses are so many addresses.
func addresses(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("p%04d@drivers.example", i))
	}
	return all
}

func draft(channels []messages.Channel, to ...string) messages.Draft {
	return messages.Draft{Text: messages.Text{Language: "pl", Topic: "Święto", Content: "Cześć {first_name}, w poniedziałek **nie** pracujemy."},
		Channels: channels, To: messages.Audience{Drivers: to}}
}

func (w *fixture) commission(t testing.TB, d messages.Draft) (m messages.Message) {
	t.Helper()
	w.write(t, func(tx *db.Tx) (err error) { m, err = w.Commission(tx, d); return err })
	return m
}

func (w *fixture) listed(t testing.TB, id string) (l messages.Listed) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { l, err = messages.ListedOf(tx, id); return err })
	return l
}

func (w *fixture) board(t testing.TB, driver string) (notes []messages.Note) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { notes, err = messages.OnBoard(tx, driver, "pl", time.Time{}); return err })
	return notes
}

func (w *fixture) unread(t testing.TB, driver string) (n int64) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { n, err = messages.Unread(tx, driver); return err })
	return n
}

func (w *fixture) recipients(t testing.TB, id string) (all []messages.Recipient) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { all, err = messages.Recipients(tx, id, 1); return err })
	return all
}

func TestAMessage_ReachesBoardAndMail(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.hired(t, "pl", "a@drivers.example", "")
		w.work(t)
		m := w.commission(t, draft(both, ids...))
		if m.State != messages.Done || m.Recipients != 2 {
			t.Fatalf("%+v", m)
		}
		testkit.Eventually(t, "sent", func() bool { return len(w.server.Taken()) == 1 })
		testkit.Eventually(t, "decided", func() bool { return w.listed(t, m.ID).Outcome == messages.Sent })
		l := w.listed(t, m.ID)
		if l.Delivered != 1 || l.Failed != 1 || l.Waiting != 0 { // one has no address: the note is there, the mail is not
			t.Errorf("%+v", l.Delivery)
		}
		text := strings.ReplaceAll(w.server.Taken()[0].Data, "=\r\n", "")
		for _, want := range []string{"Wrzos Mobility", "<strong>nie</strong>", "https://saldo.example/app/driver/board"} {
			if !strings.Contains(text, want) {
				t.Errorf("the mail lacks %q:\n%s", want, text)
			}
		}
		for _, id := range ids {
			notes := w.board(t, id)
			if len(notes) != 1 || notes[0].Text.Topic != "Święto" || w.unread(t, id) != 1 {
				t.Fatalf("%+v", notes)
			}
			for range 2 { // reading twice is reading once
				w.write(t, func(tx *db.Tx) error { return messages.Read(tx, id, notes[0].ID) })
			}
			if w.unread(t, id) != 0 {
				t.Error("it is still unread")
			}
		}
		if l := w.listed(t, m.ID); l.Read != 2 {
			t.Errorf("%d read it", l.Read)
		}
		all := w.recipients(t, m.ID)
		if len(all) != 2 || all[0].Refusal != messages.NoAddress || all[1].MailState != mail.Sent || !all[1].Placed || all[1].ReadAt.IsZero() {
			t.Errorf("%+v", all)
		}
	})
}

func TestAMessage_IsInTheLanguageOfItsDriver(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		uk, de := w.hired(t, "uk", "uk@drivers.example")[0], w.hired(t, "de", "de@drivers.example")[0]
		w.work(t)
		d := draft(both, uk, de)
		d.Translations = []messages.Text{{Language: "uk", Topic: "Свято", Content: "У понеділок не працюємо."}}
		w.commission(t, d)
		testkit.Eventually(t, "sent", func() bool { return len(w.server.Taken()) == 2 })
		for _, m := range w.server.Taken() {
			if want := map[string]string{"uk@drivers.example": "Content-Language: uk", "de@drivers.example": "Content-Language: pl"}[m.To]; !strings.Contains(m.Data, want) {
				t.Errorf("the mail to %s is not in %s", m.To, want)
			}
		}
		for language, topic := range map[i18n.Language]string{"uk": "Свято", "de": "Święto"} {
			testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
				notes, err := messages.OnBoard(tx, uk, language, time.Time{})
				if err == nil && (len(notes) != 1 || notes[0].Text.Topic != topic) {
					t.Errorf("%s: %+v", language, notes)
				}
				return err
			})
		}
	})
}

// Seven of a hundred are refused: the list says so in the server's words, and trying again sends these seven as the same mails.
func TestRefusedMails_AreTriedAgainUnderTheSameMessageID(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		people := addresses(100)
		ids := w.hired(t, "pl", people...)
		for _, a := range people[:7] {
			w.server.Answer(a, 550, "5.1.1 mailbox unknown")
		}
		w.work(t)
		m := w.commission(t, draft(both, ids...))
		if m.State != messages.Waiting {
			t.Fatalf("%s", m.State)
		}
		if l := w.listed(t, m.ID); l.Outcome != messages.Commissioned || l.Waiting != 100 {
			t.Errorf("%+v", l.Delivery)
		}
		w.clock.Pass(messages.Window)
		testkit.Eventually(t, "all are decided", func() bool { return w.listed(t, m.ID).Waiting == 0 })
		l := w.listed(t, m.ID)
		if l.Delivered != 93 || l.Failed != 7 || l.Outcome != messages.Sent {
			t.Fatalf("%+v %s", l.Delivery, l.Outcome)
		}
		failed := w.recipients(t, m.ID)[:7]
		for _, r := range failed {
			if r.MailState != mail.Failed || !strings.Contains(r.Reason, "mailbox unknown") {
				t.Errorf("%+v", r)
			}
		}
		for _, a := range people[:7] {
			w.server.Answer(a, 0, "")
		}
		before := map[string]bool{}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			found, err := db.Select[string](tx, `SELECT id FROM mails WHERE tenant_id = $1`)
			for _, id := range found {
				before[id] = true
			}
			return err
		})
		var tried int64
		w.write(t, func(tx *db.Tx) (err error) { tried, err = w.Retry(tx, m.ID, ""); return err })
		testkit.Eventually(t, "nobody is left", func() bool { return w.listed(t, m.ID).Delivered == 100 })
		if tried != 7 || len(w.server.Taken()) != 100 {
			t.Errorf("%d tried, %d taken", tried, len(w.server.Taken()))
		}
		for _, taken := range w.server.Taken() {
			if id := regexp.MustCompile(`(?m)^Message-ID: <([^@>]+)@`).FindStringSubmatch(taken.Data); id == nil || !before[id[1]] {
				t.Errorf("another mail than before: %v", id)
			}
		}
		w.refused(t, messages.ErrNoneFailed, func(tx *db.Tx) error { _, err := w.Retry(tx, m.ID, ""); return err })
	})
}

func TestCancelling_AndTheJobAreDecidedByOneStatement(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.hired(t, "pl", addresses(51)...)
		m := w.commission(t, draft(both, ids...))
		var ended sync.WaitGroup
		faults := make([]error, 4)
		for i := range faults {
			ended.Go(func() {
				faults[i] = w.db.Write(ctx, anna, func(tx *db.Tx) error { return messages.Cancel(tx, m.ID) })
			})
		}
		ended.Wait()
		for _, err := range faults {
			if err != nil {
				t.Error(err)
			}
		}
		w.work(t)
		w.clock.Pass(time.Hour)
		other := w.commission(t, draft(both, ids...))
		w.clock.Pass(time.Hour)
		testkit.Eventually(t, "the other is sent", func() bool { return w.listed(t, other.ID).Outcome == messages.Sent })
		if got := len(w.server.Taken()); got != 51 {
			t.Errorf("%d mails", got)
		}
		if notes := w.board(t, ids[0]); len(notes) != 1 || notes[0].MessageID != other.ID {
			t.Errorf("%+v", notes)
		}
		if l := w.listed(t, m.ID); l.Outcome != messages.TakenBack || l.Delivery != (messages.Delivery{}) {
			t.Errorf("%+v", l)
		}
		w.refused(t, messages.ErrTooLate, func(tx *db.Tx) error { return messages.Cancel(tx, other.ID) })
	})
}

// What happens between ordering and sending: one is blocked, one is merged into another who gets it too, one is deactivated.
func TestWhoeverIsBlockedMeanwhile_GetsNothing(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.hired(t, "pl", addresses(60)...)
		m := w.commission(t, draft(both, ids...))
		w.write(t, func(tx *db.Tx) error { return drivers.Block(tx, ids[0], true) })
		w.write(t, func(tx *db.Tx) error {
			_, err := merge.Drivers(tx, w.book, merge.Order{Kept: ids[1], Other: ids[2], KeptVersion: 1, OtherVersion: 1, Reason: "the same"})
			return err
		})
		w.work(t)
		w.clock.Pass(messages.Window)
		testkit.Eventually(t, "it is sent", func() bool { return w.listed(t, m.ID).Outcome == messages.Sent })
		if len(w.board(t, ids[0])) != 0 || len(w.board(t, ids[1])) != 1 {
			t.Errorf("%d, %d notes", len(w.board(t, ids[0])), len(w.board(t, ids[1])))
		}
		if got := len(w.server.Taken()); got != 58 {
			t.Errorf("%d mails", got)
		}
		w.write(t, func(tx *db.Tx) error { return drivers.Block(tx, ids[0], false) })
		var p messages.Preview
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
			p, err = w.Preview(tx, messages.Draft{Text: draft(nil).Text, Channels: both, To: messages.Audience{Everybody: true}})
			return err
		})
		if p.Recipients != 59 || p.ByMail != 59 || p.WithoutAccount != 59 || len(p.LeftOut) != 0 {
			t.Errorf("%+v", p)
		}
	})
}

// A note that was deleted or read as one of two drivers stays so when they become one.
func TestNotes_OfMergedDriversAreCountedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.hired(t, "pl", "a@drivers.example", "b@drivers.example")
		board := []messages.Channel{messages.Board}
		deleted, read, open := w.commission(t, draft(board, ids...)), w.commission(t, draft(board, ids...)), w.commission(t, draft(board, ids...))
		of := func(driver, message string) string {
			notes := w.board(t, driver)
			return notes[slices.IndexFunc(notes, func(n messages.Note) bool { return n.MessageID == message })].ID
		}
		w.write(t, func(tx *db.Tx) error { return messages.Hide(tx, ids[0], of(ids[0], deleted.ID)) })
		w.write(t, func(tx *db.Tx) error { return messages.Read(tx, ids[1], of(ids[1], read.ID)) })
		var merged string
		w.write(t, func(tx *db.Tx) (err error) {
			merged, err = merge.Drivers(tx, w.book, merge.Order{Kept: ids[0], Other: ids[1], KeptVersion: 1, OtherVersion: 1, Reason: "the same"})
			return err
		})
		if notes := w.board(t, ids[0]); len(notes) != 2 || w.unread(t, ids[0]) != 1 {
			t.Errorf("%d unread of %+v", w.unread(t, ids[0]), notes)
		}
		w.write(t, func(tx *db.Tx) error { return messages.Read(tx, ids[0], of(ids[0], open.ID)) })
		if w.unread(t, ids[0]) != 0 {
			t.Error("a copy is unread")
		}
		w.write(t, func(tx *db.Tx) error { return merge.Undo(tx, w.book, merged) })
		if w.unread(t, ids[1]) != 1 { // what the other one had deleted, this one had not
			t.Errorf("%d unread", w.unread(t, ids[1]))
		}
	})
}

func TestWithdrawing_TakesAMessageOffEveryBoard(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.hired(t, "pl", "", "")
		m := w.commission(t, draft([]messages.Channel{messages.Board}, ids...))
		for range 2 {
			w.write(t, func(tx *db.Tx) error { return messages.Withdraw(tx, m.ID) })
		}
		if len(w.board(t, ids[0])) != 0 || w.unread(t, ids[0]) != 0 {
			t.Error("it is still there")
		}
		waiting := w.commission(t, messages.Draft{Text: draft(nil).Text, Channels: both, To: messages.Audience{Everybody: true}, Expects: 2})
		w.write(t, func(tx *db.Tx) error { return messages.Withdraw(tx, waiting.ID) })
		w.work(t)
		w.clock.Pass(time.Hour)
		if l := w.listed(t, waiting.ID); l.State != messages.Cancelled {
			t.Errorf("%s", l.State)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			items, total, err := messages.List(tx, messages.Filter{Page: 1, Size: 10})
			if len(items) != 0 || total != 0 {
				t.Errorf("%+v", items)
			}
			return err
		})
	})
}

func TestConfirming_IsAskedForByThePartner(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.hired(t, "pl", "", "")
		d := draft([]messages.Channel{messages.Board}, ids...)
		plain := w.commission(t, d)
		d.Confirm = true
		asked := w.commission(t, d)
		notes := w.board(t, ids[0])
		w.refused(t, messages.ErrNothingToConfirm, func(tx *db.Tx) error { return messages.Confirm(tx, ids[0], notes[1].ID) })
		for range 2 {
			w.write(t, func(tx *db.Tx) error { return messages.Confirm(tx, ids[0], notes[0].ID) })
		}
		w.refused(t, messages.ErrNotFound, func(tx *db.Tx) error { return messages.Confirm(tx, ids[1], notes[0].ID) }) // another driver's
		if l := w.listed(t, asked.ID); l.Confirmed != 1 || l.Read != 1 || w.listed(t, plain.ID).Confirmed != 0 {
			t.Errorf("%+v", l.Delivery)
		}
	})
}

func TestADraft_IsChecked(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.hired(t, "pl", "a@drivers.example")
		for name, change := range map[string]func(*messages.Draft){
			"no content":                  func(d *messages.Draft) { d.Content = " \n " },
			"too long":                    func(d *messages.Draft) { d.Content = strings.Repeat("ż", messages.ContentMax+1) },
			"long topic":                  func(d *messages.Draft) { d.Topic = strings.Repeat("ż", messages.TopicMax+1) },
			"unknown placeholder":         func(d *messages.Draft) { d.Content = "Cześć {imię}" },
			"no channel":                  func(d *messages.Draft) { d.Channels = nil },
			"a language twice":            func(d *messages.Draft) { d.Translations = []messages.Text{{Language: "pl", Content: "Cześć"}} },
			"an empty translation":        func(d *messages.Draft) { d.Translations = []messages.Text{{Language: "uk"}} },
			"yesterday":                   func(d *messages.Draft) { d.LocalTime = "2020-01-01T10:00" },
			"in ten years":                func(d *messages.Draft) { d.LocalTime = "2040-01-01T10:00" },
			"no time":                     func(d *messages.Draft) { d.LocalTime = "tomorrow" },
			"payout without a settlement": func(d *messages.Draft) { d.Content = "Do wypłaty {payout}" },
		} {
			d := draft(both, ids...)
			change(&d)
			if err := w.db.Write(ctx, anna, func(tx *db.Tx) error { _, err := w.Commission(tx, d); return err }); !errors.Is(err, messages.ErrInvalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
		w.refused(t, drivers.ErrNotFound, func(tx *db.Tx) error { _, err := w.Commission(tx, draft(both, ids[0], "nobody")); return err })
		w.refused(t, messages.ErrNobody, func(tx *db.Tx) error { _, err := w.Commission(tx, draft(both)); return err })
		everybody := messages.Draft{Text: draft(nil).Text, Channels: both, To: messages.Audience{Everybody: true}}
		w.refused(t, messages.ErrAudienceChanged, func(tx *db.Tx) error { _, err := w.Commission(tx, everybody); return err })
		everybody.Expects = 2
		w.refused(t, messages.ErrAudienceChanged, func(tx *db.Tx) error { _, err := w.Commission(tx, everybody); return err })
		// a topic of several lines is one line: nothing gets into the head of a mail
		d := draft(both, ids...)
		d.Topic = "Święto\r\nBcc: everybody@example.com"
		if m := w.commission(t, d); m.Topic != "Święto Bcc: everybody@example.com" {
			t.Errorf("%q", m.Topic)
		}
		d.Topic, d.Content = "", "**Uwaga**\nJutro przegląd."
		if m := w.commission(t, d); m.Topic != "Uwaga" {
			t.Errorf("%q", m.Topic)
		}
	})
}

// The clock of the instance counts: 2:30 does not exist on 28 March 2027 and comes twice on 31 October: the later one counts.
func TestAMessage_IsSentAtItsTime(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.hired(t, "pl", "a@drivers.example")
		w.work(t)
		for local, want := range map[string]string{
			"2027-01-08T10:00": "2027-01-08T09:00:00Z", "2027-07-08T10:00": "2027-07-08T08:00:00Z",
			"2027-03-28T02:30": "2027-03-28T01:30:00Z", "2027-10-31T02:30": "2027-10-31T01:30:00Z",
		} {
			d := draft(both, ids...)
			d.LocalTime = local
			m := w.commission(t, d)
			if got := m.StartsAt.UTC().Format(time.RFC3339); got != want || m.State != messages.Waiting {
				t.Errorf("%s is sent at %s (%s)", local, got, m.State)
			}
			w.write(t, func(tx *db.Tx) error { return messages.Cancel(tx, m.ID) })
		}
		d := draft(both, ids...)
		d.LocalTime = w.clock.Now().In(w.Instance.Location()).Add(48 * time.Hour).Format("2006-01-02T15:04")
		m := w.commission(t, d)
		w.clock.Pass(47 * time.Hour)
		time.Sleep(50 * time.Millisecond)
		if len(w.board(t, ids[0])) != 0 {
			t.Error("it is early")
		}
		w.clock.Pass(2 * time.Hour)
		testkit.Eventually(t, "it is sent", func() bool { return w.listed(t, m.ID).Outcome == messages.Sent })
	})
}

func TestLargeMessages_AreCountedWithinADay(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.hired(t, "pl", addresses(101)...)
		everybody := messages.Draft{Text: draft(nil).Text, Channels: []messages.Channel{messages.Board}, To: messages.Audience{Everybody: true}, Expects: 101}
		for range 5 {
			w.commission(t, everybody)
		}
		w.refused(t, messages.ErrTooMany, func(tx *db.Tx) error { _, err := w.Commission(tx, everybody); return err })
		w.clock.Pass(24 * time.Hour)
		w.commission(t, everybody)
	})
}

// What the program tells is told again where it happens again, and is gone where it no longer holds.
func TestNotices_AreToldOnceForEachEvent(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		driver := w.hired(t, "pl", "a@drivers.example")[0]
		paid := messages.Notice{Kind: messages.SettlementPaid, DriverID: driver, ObjectID: "s1", Params: map[string]string{"amount": "120000"}}
		for range 2 {
			w.write(t, func(tx *db.Tx) error { return messages.Tell(tx, paid) })
		}
		notes := w.board(t, driver)
		if len(notes) != 1 || notes[0].Params["amount"] != "120000" || w.unread(t, driver) != 1 {
			t.Fatalf("%+v", notes)
		}
		w.write(t, func(tx *db.Tx) error { return messages.Read(tx, driver, notes[0].ID) })
		w.write(t, func(tx *db.Tx) error { return messages.TakeBack(tx, "s1", messages.SettlementPaid) })
		if len(w.board(t, driver)) != 0 {
			t.Error("it is still there")
		}
		w.write(t, func(tx *db.Tx) error { return messages.Tell(tx, paid) })
		if len(w.board(t, driver)) != 1 || w.unread(t, driver) != 1 {
			t.Error("it was not told again")
		}
	})
}

func TestOldNotes_AreForgotten(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.hired(t, "pl", "a@drivers.example")
		d := draft(both, ids...)
		d.Translations = []messages.Text{{Language: "uk", Content: "Привіт"}}
		old := w.commission(t, d)
		w.clock.Pass((3*366*24 + 1) * time.Hour)
		fresh := w.commission(t, d)
		testkit.Write(t, w.db, access.Program("sweep"), func(tx *db.Tx) error { return messages.Sweep(tx) })
		if notes := w.board(t, ids[0]); len(notes) != 1 || notes[0].MessageID != fresh.ID {
			t.Errorf("%+v", notes)
		}
		w.refused(t, messages.ErrNotFound, func(tx *db.Tx) error { _, err := messages.Of(tx, old.ID); return err })
	})
}
