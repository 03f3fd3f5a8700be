package messages_test

import (
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/messages"
	"saldo/internal/messages/markdown"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/testkit"
)

var week = map[string]string{"first": "2026-11-02", "last": "2026-11-08", "paid": "2026-11-11", "amount": "123456",
	"invoice": "FV/17/2026", "document": "driving_licence", "until": "2026-12-31", "reason": "unreadable", "text": "Za ciemno.", "entry": "trip", "day": "2026-11-05",
	"nip": "5213017228"}

// tell tells a driver that a settlement is paid.
func (w *fixture) tell(t *testing.T, driver, object string) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error {
		return messages.Tell(tx, messages.Notice{Kind: messages.SettlementPaid, DriverID: driver, ObjectID: object, Params: week})
	})
}

// boardTexts are the notes of a driver as they read, by object.
func (w *fixture) boardTexts(t *testing.T, driver string, language i18n.Language) map[string]string {
	t.Helper()
	found := map[string]string{}
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		notes, err := messages.OnBoard(tx, driver, language, time.Time{})
		if err != nil {
			return err
		}
		for i := range notes {
			values, err := messages.ValuesFor(tx, driver)
			if err != nil {
				return err
			}
			maps.Copy(values, notes[i].Values(language, "PLN"))
			found[notes[i].ObjectID] = markdown.FillText(notes[i].Text.Topic, values) + "|" +
				markdown.HTML(markdown.Fill(markdown.Parse(notes[i].Text.Content), values))
		}
		return nil
	})
	return found
}

func (w *fixture) templateOf(t *testing.T, kind messages.Kind, language i18n.Language) (found messages.Template) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		all, err := messages.Templates(tx, language)
		for _, one := range all {
			if one.Kind == kind {
				found = one
			}
		}
		return err
	})
	return found
}

// Every kind of note has a text in every language, with a value for everything that it names.
func TestNotes_ReadInEveryLanguage(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		driver := w.hired(t, "pl", "a@drivers.example")[0]
		for _, kind := range messages.Kinds {
			w.write(t, func(tx *db.Tx) error {
				return messages.Tell(tx, messages.Notice{Kind: kind, DriverID: driver, ObjectID: string(kind), Params: week})
			})
		}
		for _, language := range i18n.Languages {
			said := w.boardTexts(t, driver, language)
			for _, kind := range messages.Kinds {
				if text := said[string(kind)]; len(text) < 20 || strings.ContainsAny(text, "{}") || strings.Contains(text, string(kind)) {
					t.Errorf("%s %s: %q", language, kind, text)
				}
			}
		}
		if got := w.boardTexts(t, driver, "pl")["settlement_paid"]; !strings.Contains(got, "<strong>1\u00a0234,56\u00a0zł</strong>") {
			t.Errorf("%q", got)
		}
	})
}

// A text of the partner holds for what is told from then on, in its language; what was told before reads as it did, also after the
// default text is back. Told again, a note has the text of now.
func TestTemplates_HoldFromWhenTheyAreWritten(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		driver := w.hired(t, "pl", "a@drivers.example")[0]
		set := func(content string, version int64) {
			t.Helper()
			w.clock.Pass(time.Minute)
			w.write(t, func(tx *db.Tx) error {
				return messages.SetTemplate(tx, messages.SettlementPaid, messages.Text{Language: "pl", Topic: "Kasa {period}", Content: content}, version)
			})
			w.clock.Pass(time.Minute)
		}
		w.tell(t, driver, "before")
		first := w.boardTexts(t, driver, "pl")["before"]
		german := w.boardTexts(t, driver, "de")["before"]
		set("Dla {first_name} **{payout}** dnia {paid_on}, {partner}", 0)
		w.tell(t, driver, "own")
		set("Drugi tekst: {payout}", 1)
		w.tell(t, driver, "second")
		w.clock.Pass(time.Minute)
		w.write(t, func(tx *db.Tx) error { return messages.ResetTemplate(tx, messages.SettlementPaid, "pl", 2) })
		w.clock.Pass(time.Minute)
		w.tell(t, driver, "after")
		said := w.boardTexts(t, driver, "pl")
		if said["before"] != first || said["after"] != first {
			t.Errorf("%q", said)
		}
		if got := said["own"]; !strings.HasPrefix(got, "Kasa 02.11.2026–08.11.2026|") || !strings.Contains(got, "<p>Dla Paweł <strong>") || !strings.Contains(got, "Wrzos Mobility") {
			t.Errorf("%q", got)
		}
		if !strings.Contains(said["second"], "Drugi tekst") {
			t.Errorf("%q", said["second"])
		}
		if got := w.boardTexts(t, driver, "de"); got["own"] != german {
			t.Errorf("another language changed: %q", got["own"])
		}
		w.tell(t, driver, "own")
		if got := w.boardTexts(t, driver, "pl")["own"]; got != first {
			t.Errorf("%q", got)
		}
		if now := w.templateOf(t, messages.SettlementPaid, "pl"); now.Own || now.Version != 3 || now.Text != now.Default || now.ChangedBy != "Anna" {
			t.Errorf("%+v", now)
		}
	})
}

// Values are text: what a driver is called formats nothing and is no placeholder.
func TestTemplates_ValuesAreText(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		driver := w.hired(t, "pl", "a@drivers.example")[0]
		w.write(t, func(tx *db.Tx) error {
			if _, err := tx.Exec(`UPDATE drivers SET first_name = $3 WHERE tenant_id = $1 AND id = $2`, driver, "**<b>{payout}"); err != nil {
				return err
			}
			return messages.SetTemplate(tx, messages.SettlementPaid, messages.Text{Language: "pl", Topic: "{first_name}", Content: "A {first_name} z"}, 0)
		})
		w.clock.Pass(time.Minute)
		w.tell(t, driver, "s")
		if got := w.boardTexts(t, driver, "pl")["s"]; got != "**<b>{payout}|<p>A **&lt;b&gt;{payout} z</p>\n" {
			t.Errorf("%q", got)
		}
	})
}

func TestTemplates_Refused(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		set := func(kind messages.Kind, topic, content string, version int64) func(*db.Tx) error {
			return func(tx *db.Tx) error {
				return messages.SetTemplate(tx, kind, messages.Text{Language: "pl", Topic: topic, Content: content}, version)
			}
		}
		for _, text := range [][2]string{{"", "text"}, {"topic", ""}, {"topic", " \n "}, {"topic", "{iban}"}, {"topic", "{}"}, {"{payout}", "text"},
			{"{other}", "text"}, {strings.Repeat("a", 121), "text"}, {"topic", strings.Repeat("a", 5001)}} {
			w.refused(t, messages.ErrInvalid, set(messages.SettlementPaid, text[0], text[1], 0))
		}
		w.refused(t, messages.ErrInvalid, set(messages.PayoutReturned, "topic", "{payout}", 0)) // is not known of a transfer that came back
		w.refused(t, messages.ErrNotFound, set("message", "topic", "text", 0))
		w.refused(t, messages.ErrNotFound, func(tx *db.Tx) error { return messages.ResetTemplate(tx, "message", "pl", 0) })
		w.write(t, func(tx *db.Tx) error { return messages.ResetTemplate(tx, messages.SettlementPaid, "pl", 0) }) // is so already
		w.write(t, set(messages.SettlementPaid, "topic", "text", 0))
		w.write(t, set(messages.SettlementPaid, "topic", "text", 0)) // the same again
		w.refused(t, messages.ErrTextChanged, set(messages.SettlementPaid, "topic", "other", 0))
		w.refused(t, messages.ErrTextChanged, func(tx *db.Tx) error { return messages.ResetTemplate(tx, messages.SettlementPaid, "pl", 0) })
		if got := w.templateOf(t, messages.SettlementPaid, "pl"); got.Version != 1 || got.Text.Content != "text" {
			t.Errorf("%+v", got)
		}
		testkit.Write(t, w.db, access.ProgramFor("south", "test"), func(tx *db.Tx) error {
			if err := partners.Found(tx, partners.Partner{Code: "south", Name: "South", Color: "#0B5D68"}, 10); err != nil {
				return err
			}
			all, err := messages.Templates(tx, "pl")
			if all[1].Own || all[1].Version != 0 {
				t.Errorf("%+v", all[1])
			}
			return err
		})
	})
}

// Of two people who change a text at once, one is told to look again.
func TestTemplates_TwoAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		var group sync.WaitGroup
		results := make([]error, 2)
		for i := range results {
			group.Go(func() {
				results[i] = w.db.Write(ctx, anna, func(tx *db.Tx) error {
					return messages.SetTemplate(tx, messages.SettlementPaid,
						messages.Text{Language: "pl", Topic: "topic", Content: strings.Repeat("x", i+1)}, 0)
				})
			})
		}
		group.Wait()
		if (results[0] == nil) == (results[1] == nil) {
			t.Fatalf("%v", results)
		}
		if got := w.templateOf(t, messages.SettlementPaid, "pl"); got.Version != 1 {
			t.Errorf("%+v", got)
		}
	})
}
