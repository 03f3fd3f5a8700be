package messages_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"saldo/internal/drivers/merge"
	"saldo/internal/kernel/calendar"
	"saldo/internal/messages"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/testkit"
)

var mailOnly = []messages.Channel{messages.Mail}

func (w *fixture) choose(t *testing.T, driver string, change messages.ChoiceChange) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error { return messages.Choose(tx, driver, change) })
}

func (w *fixture) preview(t *testing.T, d messages.Draft) (p messages.Preview) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { p, err = w.Preview(tx, d); return err })
	return p
}

// signUp links drivers with accounts, as notes are mailed to whoever can read them on the board.
func (w *fixture) signUp(t *testing.T, ids ...string) {
	t.Helper()
	w.write(t, func(tx *db.Tx) (err error) {
		for _, id := range ids {
			if _, err = tx.Exec(`UPDATE drivers SET account_id = $3 WHERE tenant_id = $1 AND id = $2`, id, "account of "+id); err != nil {
				return err
			}
		}
		return nil
	})
}

var stops = regexp.MustCompile(`List-Unsubscribe: <https://saldo\.example/unsubscribe/([^?>]+)\?lang=pl>`)

// The mail of a message names an address that stops such mails of this partner: its board stays, and it can be turned on again.
func TestUnsubscribing_StopsMailsOfMessages(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.hired(t, "pl", "a@drivers.example", "b@drivers.example")
		w.work(t)
		w.commission(t, draft(mailOnly, ids[0]))
		testkit.Eventually(t, "sent", func() bool { return len(w.server.Taken()) == 1 })
		data := strings.ReplaceAll(w.server.Taken()[0].Data, "\r\n ", " ")
		found := stops.FindStringSubmatch(data)
		if found == nil || !strings.Contains(data, "List-Unsubscribe-Post: List-Unsubscribe=One-Click") || strings.Contains(found[1], ids[0]) {
			t.Fatalf("%s", data)
		}
		for _, wrong := range []string{"", "x", found[1] + "x", found[1][:len(found[1])-2]} {
			if _, err := w.Subscriber(wrong); err == nil {
				t.Errorf("%q opens something", wrong)
			}
		}
		who, err := w.Subscriber(found[1])
		if err != nil || who != (messages.Subscriber{Tenant: "north", Driver: ids[0]}) {
			t.Fatalf("%+v %v", who, err)
		}
		for range 2 { // again: nothing else happens
			testkit.Write(t, w.db, who.Actor(), who.Unsubscribe)
		}
		p := w.preview(t, draft(mailOnly, ids...))
		if p.Recipients != 1 || len(p.LeftOut) != 1 || p.LeftOut[0].Refusal != messages.NoMails || p.LeftOut[0].Drivers[0].ID != ids[0] {
			t.Errorf("%+v", p)
		}
		if p = w.preview(t, draft(both, ids...)); p.Recipients != 2 || p.ByMail != 1 || p.Unwilling.Count != 1 || p.WithoutAddress.Count != 0 {
			t.Errorf("%+v", p)
		}
		w.refused(t, messages.ErrNobody, func(tx *db.Tx) error { _, err := w.Commission(tx, draft(mailOnly, ids[0])); return err })
		m := w.commission(t, draft(both, ids...))
		testkit.Eventually(t, "decided", func() bool { return w.listed(t, m.ID).Waiting == 0 })
		if l := w.listed(t, m.ID); l.Delivered != 2 || l.Failed != 0 || l.Outcome != messages.Sent || len(w.board(t, ids[0])) != 1 {
			t.Errorf("%+v", l.Delivery)
		}
		w.refused(t, messages.ErrNoneFailed, func(tx *db.Tx) error { _, err := w.Retry(tx, m.ID, ""); return err })
		yes := true
		w.choose(t, ids[0], messages.ChoiceChange{MessageMails: &yes})
		if p = w.preview(t, draft(both, ids...)); p.ByMail != 2 {
			t.Errorf("%+v", p)
		}
	})
}

// What a driver chooses between the ordering and the sending of a message holds.
func TestChoices_HoldWhenAMessageIsSent(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.hired(t, "pl", "a@drivers.example", "b@drivers.example", "c@drivers.example")
		no, yes, uk := false, true, i18n.Language("uk")
		w.choose(t, ids[1], messages.ChoiceChange{MessageMails: &no})
		later := draft(both, ids...)
		later.LocalTime = w.clock.Now().In(w.Instance.Location()).Add(time.Hour).Format("2006-01-02T15:04")
		later.Translations = []messages.Text{{Language: "uk", Topic: "Свято", Content: "Не працюємо."}}
		m := w.commission(t, later)
		alone := later
		alone.Channels = mailOnly
		alone.To.Drivers = []string{ids[0], ids[2]}
		single := w.commission(t, alone)
		w.choose(t, ids[0], messages.ChoiceChange{MessageMails: &no})
		w.choose(t, ids[1], messages.ChoiceChange{MessageMails: &yes})
		w.choose(t, ids[2], messages.ChoiceChange{Language: &uk})
		w.work(t)
		w.clock.Pass(2 * time.Hour)
		testkit.Eventually(t, "both are sent", func() bool {
			return w.listed(t, m.ID).Outcome == messages.Sent && w.listed(t, single.ID).Outcome == messages.Sent
		})
		got := map[string]string{}
		for _, taken := range w.server.Taken() {
			got[taken.To] += regexp.MustCompile(`Content-Language: (\w+)`).FindStringSubmatch(taken.Data)[1] + " "
		}
		if got["a@drivers.example"] != "" || got["b@drivers.example"] != "pl " || got["c@drivers.example"] != "uk uk " {
			t.Errorf("%v", got)
		}
		if l := w.listed(t, single.ID); l.LeftOut != 1 || l.Recipients != 1 {
			t.Errorf("%+v", l)
		}
	})
}

// Notes of the program are mailed to whoever asked for it, in their language, with the amount; nobody else, and not after they changed it.
func TestNotes_AreMailedToWhoeverAsked(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.hired(t, "pl", "a@drivers.example", "b@drivers.example", "c@drivers.example", "d@drivers.example")
		w.signUp(t, ids...)
		no, yes, de := false, true, i18n.Language("de")
		w.choose(t, ids[1], messages.ChoiceChange{NoteMails: &yes, Language: &de})
		w.choose(t, ids[2], messages.ChoiceChange{NoteMails: &yes})
		w.choose(t, ids[3], messages.ChoiceChange{NoteMails: &yes})
		for _, id := range ids {
			w.tell(t, id, "s1")
		}
		w.choose(t, ids[2], messages.ChoiceChange{NoteMails: &no})                // meanwhile
		w.write(t, func(tx *db.Tx) error { return messages.ReadAll(tx, ids[3]) }) // is not new any more
		w.work(t)
		testkit.Eventually(t, "sent", func() bool { return len(w.server.Taken()) > 0 && w.jobsDone(t) })
		taken := w.server.Taken()
		if len(taken) != 1 || taken[0].To != "b@drivers.example" || !strings.Contains(taken[0].Data, "Content-Language: de") ||
			strings.Contains(taken[0].Data, "List-Unsubscribe") || !strings.Contains(taken[0].Data, "1.234,56") {
			t.Fatalf("%+v", taken)
		}
		w.clock.Pass(time.Hour)
		w.tell(t, ids[1], "s1") // paid again is mailed again
		testkit.Eventually(t, "sent again", func() bool { return len(w.server.Taken()) == 2 })
	})
}

func (w *fixture) jobsDone(t *testing.T) bool {
	t.Helper()
	var waiting int64
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
		waiting, err = db.One[int64](tx, `SELECT COUNT(*) FROM jobs WHERE tenant_id = $1 AND state IN ('waiting', 'running')`)
		return err
	})
	return waiting == 0
}

// Whoever of two merged drivers wanted no mails gets none, until they choose otherwise; undoing the merge keeps what they chose last.
func TestChoices_OfMergedDrivers(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.hired(t, "pl", "a@drivers.example", "b@drivers.example")
		no, yes := false, true
		w.choose(t, ids[1], messages.ChoiceChange{MessageMails: &no, NoteMails: &yes})
		w.write(t, func(tx *db.Tx) error {
			_, err := merge.Drivers(tx, w.book, merge.Order{Kept: ids[0], Other: ids[1], KeptVersion: 1, OtherVersion: 1, Reason: "the same"})
			return err
		})
		choices := func() (c messages.Choices) {
			testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { c, err = messages.ChoicesOf(tx, ids[0]); return err })
			return c
		}
		if c := choices(); c.MessageMails || !c.NoteMails {
			t.Errorf("%+v", c)
		}
		if p := w.preview(t, draft(mailOnly, ids[0])); p.Recipients != 0 || p.LeftOut[0].Refusal != messages.NoMails {
			t.Errorf("%+v", p)
		}
		w.choose(t, ids[0], messages.ChoiceChange{MessageMails: &yes})
		if p := w.preview(t, draft(mailOnly, ids[0])); p.Recipients != 1 || !choices().NoteMails {
			t.Errorf("%+v", p)
		}
		// a link that was mailed before the merge
		who := messages.Subscriber{Tenant: "north", Driver: ids[1]}
		testkit.Write(t, w.db, who.Actor(), who.Unsubscribe)
		if choices().MessageMails {
			t.Error("the link stopped nothing")
		}
	})
}

// The days and the payout of a week stand in the text of each driver; whoever has no settlement of it that they may see is left out, also
// where it goes between the ordering and the sending.
func TestAMessage_NamesThePayoutOfAWeek(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.hired(t, "pl", "a@drivers.example", "b@drivers.example", "c@drivers.example")
		settled := map[string]messages.Settled{ids[0]: {FirstOn: "2026-11-02", LastOn: "2026-11-08", Payout: 123456},
			ids[2]: {FirstOn: "2026-11-02", LastOn: "2026-11-08", Payout: 5}}
		w.Payouts = func(_ *db.Tx, period calendar.Period, _ []string) (map[string]messages.Settled, error) {
			if period != "2026-W45" {
				t.Errorf("%s", period)
			}
			return settled, nil
		}
		d := draft(both, ids...)
		d.Content = "Za {period}: **{payout}**"
		w.refused(t, messages.ErrInvalid, func(tx *db.Tx) error { _, err := w.Commission(tx, d); return err }) // of which week?
		d.Period = "2026-45"
		w.refused(t, messages.ErrInvalid, func(tx *db.Tx) error { _, err := w.Commission(tx, d); return err })
		d.Period = "2026-W45"
		if p := w.preview(t, d); p.Recipients != 2 || len(p.LeftOut) != 1 || p.LeftOut[0].Refusal != messages.Unsettled ||
			p.LeftOut[0].Drivers[0].ID != ids[1] {
			t.Errorf("%+v", p)
		}
		d.LocalTime = w.clock.Now().In(w.Instance.Location()).Add(time.Hour).Format("2006-01-02T15:04")
		m := w.commission(t, d)
		delete(settled, ids[2]) // revoked meanwhile
		w.work(t)
		w.clock.Pass(2 * time.Hour)
		testkit.Eventually(t, "sent", func() bool { return w.listed(t, m.ID).Outcome == messages.Sent })
		if l := w.listed(t, m.ID); l.Recipients != 1 || l.LeftOut != 2 || len(w.board(t, ids[2])) != 0 {
			t.Errorf("%+v", l)
		}
		taken := w.server.Taken()
		if len(taken) != 1 || !strings.Contains(taken[0].Data, "02.11.2026") || !strings.Contains(taken[0].Data, "234,56") {
			t.Fatalf("%+v", taken)
		}
		if got := w.boardTexts(t, ids[0], "pl")[""]; !strings.Contains(got, "Za 02.11.2026–08.11.2026: <strong>1\u00a0234,56\u00a0zł</strong>") {
			t.Errorf("%q", got)
		}
	})
}

// Reminders of documents are mailed without being asked for, each once and in the driver's language; their address for unsubscribing stops
// them, and the board goes on.
func TestReminders_AreMailedUntilADriverUnsubscribes(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		says := map[i18n.Language][]string{
			"pl": {"Dokument Prawo jazdy", "jest ważny tylko do", "Wypisz się"},
			"en": {"Driving licence", "is valid only until", "Unsubscribe"},
			"de": {"Führerschein", "Abmelden"},
			"uk": {"Документ Посвідчення водія", "дійсний лише до", "Відписатися"},
			"ru": {"Водительское удостоверение", "Отписаться"},
		}
		addresses := []string{}
		for _, language := range i18n.Languages {
			addresses = append(addresses, string(language)+"@drivers.example")
		}
		ids := w.hired(t, "pl", addresses...)
		w.signUp(t, ids...)
		for n, language := range i18n.Languages {
			w.choose(t, ids[n], messages.ChoiceChange{Language: &language})
		}
		expires := func(id string) {
			w.write(t, func(tx *db.Tx) error {
				return messages.Tell(tx, messages.Notice{Kind: messages.DocumentExpires, DriverID: id, ObjectID: id + "|driving_licence|",
					Params: map[string]string{"type": "driving_licence", "document": "driving_licence", "until": "2026-12-01"}})
			})
		}
		for _, id := range ids {
			expires(id)
		}
		w.work(t)
		testkit.Eventually(t, "sent", func() bool { return len(w.server.Taken()) == len(ids) && w.jobsDone(t) })
		stop := ""
		for _, m := range w.server.Taken() {
			language := i18n.Language(m.To[:2])
			text, head := testkit.PlainText(t, m.Data), strings.ReplaceAll(m.Data, "\r\n ", " ")
			for _, want := range says[language] {
				if !strings.Contains(text, want) {
					t.Errorf("%s: no %q in %s", language, want, text)
				}
			}
			address := regexp.MustCompile(`List-Unsubscribe: <https://saldo\.example/unsubscribe/([^?>]+)\?lang=` + string(language) + `>`).FindStringSubmatch(head)
			if address == nil || !strings.Contains(text, address[1]) || !strings.Contains(text, "https://saldo.example/app/driver/board") {
				t.Fatalf("%s: %s %s", language, head[:min(len(head), 1500)], text)
			}
			if language == "pl" {
				stop = address[1]
			}
		}
		who, err := w.Subscriber(stop)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Write(t, w.db, who.Actor(), who.Unsubscribe)
		w.clock.Pass(24 * time.Hour)
		expires(ids[0])
		expires(ids[1])
		testkit.Eventually(t, "the other is reminded", func() bool { return len(w.server.Taken()) == len(ids)+1 && w.jobsDone(t) })
		if last := w.server.Taken()[len(ids)]; last.To != addresses[1] {
			t.Errorf("a mail to %s", last.To)
		}
		if len(w.board(t, ids[0])) != 1 {
			t.Error("the board is empty")
		}
	})
}
