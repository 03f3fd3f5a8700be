package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

const messagesPath = "/api/direct-messages"

func messageTo(drivers ...string) map[string]any {
	return map[string]any{"topic": canary + "north", "content": "Cześć {first_name}, **jutro** przegląd.", "channel": []string{"BOARD"},
		"driverUUIDs": drivers}
}

// sendMessage writes a message as north.
func (w *world) sendMessage(t *testing.T, body map[string]any) (id string) {
	t.Helper()
	var made struct{ ID string }
	if status, text := w.call(t, "partner", "POST", messagesPath, body, &made); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	return made.ID
}

// message is one of north to a driver who has no account.
func (w *world) message(t *testing.T) string {
	t.Helper()
	return w.sendMessage(t, messageTo(w.silentDriver(t, "partner", canary+"north")))
}

// waitingMessage is one that can be cancelled.
func (w *world) waitingMessage(t *testing.T) string {
	t.Helper()
	body := messageTo(w.silentDriver(t, "partner", canary+"north"))
	body["sendAt"] = w.clock.Now().Add(48 * time.Hour).Format("2006-01-02T15:04")
	return w.sendMessage(t, body)
}

type boardBody struct {
	Unread int64
	Values map[string]string
	Notes  []struct {
		ID, Kind, Settlement, Topic, Content, Language string
		Pinned, Confirm                                bool
		ReadAt, ConfirmedAt                            *time.Time
		Values                                         map[string]string
	}
}

func (w *world) board(t *testing.T, query string) (b boardBody) {
	t.Helper()
	if status, text := w.call(t, "driver", "GET", messagesPath+"/board"+query, nil, &b); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	return b
}

func (w *world) sessionNotes(t *testing.T) (unread int64, any bool) {
	t.Helper()
	var s struct {
		Driver struct {
			UnreadNotes int64
			Notes       bool
		}
	}
	w.call(t, "driver", "GET", "/api/session", nil, &s)
	return s.Driver.UnreadNotes, s.Driver.Notes
}

func TestAMessage_IsReadPinnedAndDeletedByItsDriver(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		if unread, any := w.sessionNotes(t); unread != 0 || any {
			t.Error("a driver without a link has notes")
		}
		w.linked(t, driver)
		var shown struct {
			Recipients, ByMail, WithoutAccount int64
			LeftOut                            []struct{ Code string }
		}
		body := messageTo(driver)
		body["confirm"], body["translations"] = true, []any{map[string]string{"language": "uk", "topic": "Огляд", "content": "Привіт {first_name}"}}
		if status, text := w.call(t, "partner", "POST", messagesPath+"/preview", body, &shown); status != 200 || shown.Recipients != 1 {
			t.Fatalf("%d %s", status, text)
		}
		id := w.sendMessage(t, body)
		if unread, any := w.sessionNotes(t); unread != 1 || !any {
			t.Errorf("%d unread, %v", unread, any)
		}
		b := w.board(t, "?lang=uk")
		if b.Unread != 1 || len(b.Notes) != 1 || b.Notes[0].Topic != "Огляд" || b.Notes[0].Language != "uk" || b.Values["first_name"] == "" {
			t.Fatalf("%+v", b)
		}
		if b := w.board(t, ""); b.Notes[0].Topic != canary+"north" || b.Notes[0].Content != "Cześć {first_name}, **jutro** przegląd." {
			t.Fatalf("%+v", b)
		}
		note := messagesPath + "/" + b.Notes[0].ID
		for range 2 {
			w.must(t, 204, "driver", "PUT", note, nil)
		}
		w.must(t, 204, "driver", "POST", note+"/confirm", nil)
		w.must(t, 204, "driver", "PUT", messagesPath+"/pinned/"+b.Notes[0].ID+"?pinned=true", nil)
		if b := w.board(t, ""); b.Unread != 0 || b.Notes[0].ReadAt == nil || b.Notes[0].ConfirmedAt == nil || !b.Notes[0].Pinned {
			t.Errorf("%+v", b)
		}
		var one struct{ Note struct{ Topic string } }
		if status, text := w.call(t, "driver", "GET", note+"?lang=uk", nil, &one); status != 200 || one.Note.Topic != "Огляд" {
			t.Errorf("%d %s", status, text)
		}
		var whole struct {
			Message struct {
				State                      string
				Delivered, Read, Confirmed int64
			}
			Text         struct{ Content string }
			Translations []struct{ Language string }
		}
		if status, text := w.call(t, "partner", "GET", messagesPath+"/"+id, nil, &whole); status != 200 || whole.Message.State != "sent" ||
			whole.Message.Delivered != 1 || whole.Message.Read != 1 || whole.Message.Confirmed != 1 || len(whole.Translations) != 1 {
			t.Errorf("%d %s", status, text)
		}
		var list struct {
			Total int64
			Items []struct{ ID string }
		}
		for query, want := range map[string]int64{"?q=PRZEGLAD": 1, "?q=nobody": 0, "?channel=EMAIL": 0, "?channel=BOARD": 1,
			"?from=2026-11-15&to=2026-11-15": 1, "?from=2026-11-16": 0, "?to=2026-11-14": 0} {
			if status, text := w.call(t, "partner", "GET", messagesPath+query, nil, &list); status != 200 || list.Total != want {
				t.Errorf("%s: %d %s", query, status, text)
			}
		}
		w.must(t, 422, "partner", "GET", messagesPath+"?from=2026-02-31", nil)
		w.must(t, 204, "driver", "PUT", messagesPath+"/delete/"+b.Notes[0].ID, nil)
		if b := w.board(t, ""); len(b.Notes) != 0 {
			t.Errorf("%+v", b)
		}
		w.must(t, 404, "driver", "PUT", note, nil)
		w.must(t, 404, "stranger", "PUT", note, nil)
	})
}

// What happens to a settlement is told once the driver may see it, and what is revoked is not told any more.
func TestTheBoard_TellsWhatBecameOfASettlement(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		w.linked(t, driver)
		id := w.settledOf(t, driver)
		if b := w.board(t, ""); len(b.Notes) != 1 { // it was shared when it was settled
			t.Fatalf("%+v", b)
		}
		act := func(what string, more map[string]any) {
			t.Helper()
			body := map[string]any{"ids": []string{id}}
			for k, v := range more {
				body[k] = v
			}
			w.must(t, 200, "partner", "POST", "/api/settlements/"+what, body)
		}
		act("share", nil) // again: nothing new
		act("pay", map[string]any{"paidOn": "2026-11-15"})
		b := w.board(t, "?lang=pl")
		if len(b.Notes) != 2 || b.Unread != 2 || b.Notes[0].Settlement != id {
			t.Fatalf("%+v", b)
		}
		told := fmt.Sprint(b.Notes)
		for _, want := range []string{"10 000,00 zł", "Wypłata wysłana", "Nowe rozliczenie"} {
			if !strings.Contains(strings.ReplaceAll(told, "\u00a0", " "), want) {
				t.Errorf("%q is missing: %s", want, told)
			}
		}
		w.must(t, 204, "driver", "PUT", messagesPath+"/board/read", nil)
		if b := w.board(t, ""); len(b.Notes) != 2 || b.Unread != 0 {
			t.Errorf("%+v", b)
		}
		act("unpay", nil)
		if b := w.board(t, ""); len(b.Notes) != 1 || b.Notes[0].Kind != "settlement_shared" {
			t.Errorf("%+v", b)
		}
		act("revoke", map[string]any{"reason": "wrong file"})
		if b := w.board(t, ""); len(b.Notes) != 0 || b.Unread != 0 {
			t.Errorf("%+v", b)
		}
	})
}

// Ten thousand notes do not make the bell slower: the index of unread notes alone answers.
func TestTheBell_IsCountedByItsIndex(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		w.linked(t, driver)
		testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			_, err := tx.Insert("notes", db.Columns("id, driver_id, message_id, kind, object_id, params, pinned, placed_at, read_at, confirmed_at, hidden_at"),
				func(yield func([]any) bool) {
					for i := range 10_000 {
						read := ""
						if i%100 != 0 {
							read = db.Instant(tx.Now)
						}
						if !yield([]any{tx.NewID(), driver, "", "settlement_paid", fmt.Sprint(i), "{}", false, db.Instant(tx.Now), read, "", ""}) {
							return
						}
					}
				})
			return err
		})
		if unread, _ := w.sessionNotes(t); unread != 100 {
			t.Errorf("%d unread", unread)
		}
		if b := w.board(t, ""); len(b.Notes) != 200 || b.Unread != 100 {
			t.Errorf("%d notes, %d unread", len(b.Notes), b.Unread)
		}
	})
}

// An invitation goes once a day to an address, leads to the partner with the code of who invites, and says nothing about accounts.
func TestInvitations_ArriveOnceAndTellNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		w.linked(t, driver)
		path, known := messagesPath+"/reference-link", principals["driver"].Subject+"@mail.example"
		invite := func(who string, mails ...string) int {
			status, _ := w.call(t, who, "POST", path, map[string]any{"mails": mails}, nil)
			return status
		}
		written := func() (n int64) {
			testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) (err error) {
				n, err = db.One[int64](tx, `SELECT COUNT(*) FROM mails WHERE tenant_id = $1 AND unique_key LIKE 'reference|%'`)
				return err
			})
			return n
		}
		for range 2 {
			if status := invite("partner", "new@mail.example", "NEW@mail.example", known); status != 204 {
				t.Fatalf("%d", status)
			}
		}
		if invite("driver", "friend@mail.example") != 204 || written() != 3 {
			t.Errorf("%d mails", written())
		}
		if invite("partner", "nobody") != 422 || invite("partner") != 422 || written() != 3 {
			t.Errorf("%d mails", written())
		}
		w.must(t, 404, "driver", "POST", messagesPath+"/register-new-driver?partnerUUID=south", nil)
		w.must(t, 204, "driver", "POST", messagesPath+"/register-new-driver?partnerUUID=north", nil)
	})
}

// A message names what each driver is paid out for a week, of settlements that they may see.
func TestAMessage_NamesThePayoutOfAWeek(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		w.linked(t, driver)
		body := messageTo(driver)
		body["content"], body["channel"] = "Za {period}: {payout}", []string{"BOARD"}
		if status, text := w.call(t, "partner", "POST", messagesPath+"/preview", body, nil); status != 422 || !strings.Contains(text, "period") {
			t.Errorf("%d %s", status, text)
		}
		body["period"] = "2026-W44"
		var p struct {
			Recipients int64
			LeftOut    []struct{ Code string }
		}
		if w.call(t, "partner", "POST", messagesPath+"/preview", body, &p); p.Recipients != 0 || len(p.LeftOut) != 1 || p.LeftOut[0].Code != "no_settlement" {
			t.Errorf("%+v", p)
		}
		w.settledOf(t, driver) // and shared
		w.sendMessage(t, body)
		n := w.board(t, "?lang=pl").Notes[0]
		if n.Content != "Za {period}: {payout}" || n.Values["payout"] != "10\u00a0000,00\u00a0zł" || n.Values["period"] == "" {
			t.Errorf("%+v", n)
		}
	})
}
