package api_test

import (
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/questions"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
)

// thread is a question of a driver of north who is none of the principals.
func (w *world) thread(t *testing.T) (id string) {
	t.Helper()
	settlement := w.settled(t)
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		s, err := settlements.Of(tx, settlement)
		if err != nil {
			return err
		}
		asked, err := questions.Ask(tx, &settlements.Service{}, s.DriverID, questions.Subject{SettlementID: settlement}, canary+"north")
		id = asked.ID
		return err
	})
	return id
}

type questionBody struct {
	ID, State, Figure string
	Entries           int64
	Written           []struct {
		Kind, Author, Name, Text string
		Correction               *struct {
			ID      string
			Amount  int64
			Removed bool
		}
	}
}

// A driver asks about a line, the partner's bell counts it, an answer brings a correction, and the driver's bell counts the answer.
func TestQuestions_FromDriverToPartnerAndBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		w.linked(t, driver)
		settlement := w.settledOf(t, driver)
		open := func() int64 {
			var s struct{ Partner struct{ OpenQuestions int64 } }
			w.call(t, "partner", "GET", "/api/session", nil, &s)
			return s.Partner.OpenQuestions
		}
		unread := func() int64 {
			var s struct{ Driver struct{ UnreadNotes int64 } }
			w.call(t, "driver", "GET", "/api/session", nil, &s)
			return s.Driver.UnreadNotes
		}
		var asked struct{ ID string }
		ask := "/api/driver-accounts/settlements/" + settlement + "/questions"
		if status, text := w.call(t, "driver", "POST", ask, map[string]any{"figure": "revenue", "provider": "UBER", "text": "Why?"}, &asked); status != 201 {
			t.Fatalf("%d %s", status, text)
		}
		if open() != 1 {
			t.Fatalf("%d open", open())
		}
		w.must(t, 422, "driver", "POST", ask, map[string]any{"figure": "bribe", "text": "Why?"})
		w.must(t, 404, "stranger", "POST", ask, map[string]any{"text": "Why?"})
		var list struct {
			Items []questionBody
			Total int64
		}
		w.call(t, "partner", "GET", "/api/threads?state=open", nil, &list)
		if list.Total != 1 || list.Items[0].ID != asked.ID {
			t.Fatalf("%+v", list)
		}
		before := unread()
		reply := map[string]any{"text": "It came late, here it is.", "seen": 1, "correction": map[string]any{"kind": "internal", "amount": 50_00,
			"payment": "card", "occurredOn": "2026-11-03", "name": "Bonus"}}
		var answered questionBody
		if status, text := w.call(t, "partner", "POST", "/api/threads/"+asked.ID+"/entries", reply, &answered); status != 200 {
			t.Fatalf("%d %s", status, text)
		}
		if c := answered.Written[1].Correction; answered.State != "answered" || c == nil || c.Amount != 50_00 || answered.Written[1].Name == "" {
			t.Fatalf("%+v", answered)
		}
		w.must(t, 409, "partner", "POST", "/api/threads/"+asked.ID+"/entries", map[string]any{"text": "Late.", "seen": 1})
		if open() != 0 || unread() != before+1 {
			t.Fatalf("%d open, %d unread", open(), unread())
		}
		var board struct {
			Notes []struct{ Kind, Question, Settlement string }
		}
		w.call(t, "driver", "GET", "/api/direct-messages/board", nil, &board)
		if n := board.Notes[0]; n.Kind != "question_answered" || n.Question != asked.ID || n.Settlement != "" {
			t.Fatalf("%+v", board)
		}
		var own questionBody
		_, text := w.call(t, "driver", "GET", "/api/driver-accounts/questions/"+asked.ID, nil, &own)
		if len(own.Written) != 2 || own.Written[1].Name != "" || strings.Contains(text, principals["partner"].ID) {
			t.Fatalf("the driver reads %s", text)
		}
		w.must(t, 404, "stranger", "GET", "/api/driver-accounts/questions/"+asked.ID, nil)
		w.must(t, 204, "driver", "POST", "/api/driver-accounts/questions/"+asked.ID+"/entries", map[string]any{"text": "And the tips?"})
		if open() != 1 {
			t.Fatalf("%d open", open())
		}
		w.must(t, 204, "driver", "POST", "/api/driver-accounts/questions/"+asked.ID+"/close", nil)
		if open() != 0 {
			t.Fatalf("%d open", open())
		}
		w.call(t, "driver", "GET", "/api/driver-accounts/questions?settlement="+settlement, nil, &list)
		if len(list.Items) != 1 || list.Items[0].State != "closed" {
			t.Fatalf("%+v", list)
		}
	})
}
