package api_test

import (
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/messages"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

const templatesPath = "/api/message-templates"

func templateOf(content string, version int64) map[string]any {
	return map[string]any{"kind": "settlement_paid", "language": "pl", "topic": "Kasa", "content": content, "version": version}
}

// A partner's own text comes to the driver with the values of the note; the default is shown beside it and comes back.
func TestTemplates_ReachTheBoard(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		w.linked(t, driver)
		type text struct {
			Kind, Topic, Content, DefaultContent string
			Own                                  bool
			Version                              int64
			Placeholders                         []string
		}
		paid := func() (found text) {
			var list struct{ Items []text }
			w.call(t, "partner", "GET", templatesPath+"?lang=pl", nil, &list)
			for _, one := range list.Items {
				if one.Kind == "settlement_paid" {
					found = one
				}
			}
			return found
		}
		if got := paid(); got.Own || got.Content != got.DefaultContent || !strings.Contains(got.Content, "**{payout}**") ||
			strings.Join(got.Placeholders, " ") != "first_name partner period payout paid_on" {
			t.Fatalf("%+v", got)
		}
		if status, answer := w.call(t, "partner", "PUT", templatesPath, templateOf("{iban}", 0), nil); status != 422 ||
			!strings.Contains(answer, `"name":"content"`) || !strings.Contains(answer, "iban") {
			t.Errorf("%d %s", status, answer)
		}
		w.must(t, 204, "partner", "PUT", templatesPath, templateOf("Masz {payout}", 0))
		if status, answer := w.call(t, "partner", "PUT", templatesPath, templateOf("Inny", 0), nil); status != 409 ||
			!strings.Contains(answer, "messages.text_changed") {
			t.Errorf("%d %s", status, answer)
		}
		time.Sleep(2 * time.Millisecond)
		testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			return messages.Tell(tx, messages.Notice{Kind: messages.SettlementPaid, DriverID: driver, ObjectID: "x",
				Params: map[string]string{"first": "2026-11-02", "last": "2026-11-08", "paid": "2026-11-11", "amount": "5000"}})
		})
		var board struct {
			Notes []struct {
				Kind, Topic, Content string
				Values               map[string]string
			}
		}
		w.call(t, "driver", "GET", messagesPath+"/board?lang=pl", nil, &board)
		if n := board.Notes[0]; n.Topic != "Kasa" || n.Content != "Masz {payout}" || n.Values["payout"] != "50,00\u00a0zł" {
			t.Errorf("%+v", n)
		}
		w.must(t, 204, "partner", "DELETE", templatesPath+"?kind=settlement_paid&lang=pl&version=1", nil)
		if got := paid(); got.Own || got.Version != 2 || got.Content != got.DefaultContent {
			t.Errorf("%+v", got)
		}
	})
}
