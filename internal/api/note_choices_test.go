package api_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/mail"
	"saldo/internal/testkit"
)

const choicesPath = "/api/driver-accounts/note-choices"

type choicesBody struct {
	NoteMails, NotePush, MessageMails bool
	Language                          string
}

func (w *world) choices(t *testing.T) (c choicesBody) {
	t.Helper()
	if status, text := w.call(t, "driver", "GET", choicesPath, nil, &c); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	return c
}

// visit opens a page as a browser or a mail program does: nobody is signed in.
func (w *world) visit(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	rq, err := http.NewRequest(method, w.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		rq.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	resp, err := http.DefaultClient.Do(rq)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// A driver changes one choice and keeps the others.
func TestNoteChoices_AreChangedOneByOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.linked(t, w.earner(t))
		if c := w.choices(t); c != (choicesBody{NotePush: true, MessageMails: true}) {
			t.Errorf("%+v", c)
		}
		w.must(t, 204, "driver", "PUT", choicesPath, map[string]any{"noteMails": true})
		w.must(t, 204, "driver", "PUT", choicesPath, map[string]any{"notePush": false, "language": "uk"})
		if c := w.choices(t); c != (choicesBody{NoteMails: true, MessageMails: true, Language: "uk"}) {
			t.Errorf("%+v", c)
		}
		w.must(t, 204, "driver", "PUT", choicesPath, map[string]any{"language": ""})
		w.must(t, 422, "driver", "PUT", choicesPath, map[string]any{"language": "xx"})
		if c := w.choices(t); c != (choicesBody{NoteMails: true, MessageMails: true}) {
			t.Errorf("%+v", c)
		}
	})
}

// The address in a mail asks when it is opened and stops when it is posted to, as mail programs do with one click.
func TestUnsubscribing_AsksWhenOpenedAndStopsWithOneClick(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		w.linked(t, driver)
		testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE drivers SET email = 'd@mail.example' WHERE tenant_id = $1 AND id = $2`, driver)
			return err
		})
		body := messageTo(driver)
		body["channel"] = []string{"EMAIL"}
		w.sendMessage(t, body)
		var address string
		testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			sealed, err := db.One[string](tx, `SELECT sealed FROM mails WHERE tenant_id = $1 AND unique_key LIKE 'message|%'`)
			if err != nil {
				return err
			}
			plain, err := w.vault.Unseal("north", "mail", sealed)
			if err != nil {
				return err
			}
			var m mail.Message
			err = json.Unmarshal(plain, &m)
			address = strings.TrimPrefix(m.Unsubscribe, "http://localhost")
			if !strings.Contains(m.Text, m.Unsubscribe) || !strings.Contains(m.HTML, m.Unsubscribe) {
				t.Errorf("the mail does not show the address: %s", m.Text)
			}
			return err
		})
		for range 2 { // opened by a person or by a program that looks at links: nothing stops
			if status, page := w.visit(t, "GET", address, ""); status != 200 || !strings.Contains(page, `<form method="post">`) ||
				!strings.Contains(page, canary+"north?") || strings.Contains(page, "d@mail") || !w.choices(t).MessageMails {
				t.Fatalf("%d %s", status, page)
			}
		}
		for range 2 {
			if status, page := w.visit(t, "POST", address, "List-Unsubscribe=One-Click"); status != 200 || strings.Contains(page, "<form") {
				t.Fatalf("%d %s", status, page)
			}
		}
		if status, page := w.visit(t, "GET", address, ""); status != 200 || strings.Contains(page, "<form") || w.choices(t).MessageMails {
			t.Errorf("%d %s", status, page)
		}
		var p struct {
			Recipients int64
			LeftOut    []struct{ Code string }
		}
		if w.call(t, "partner", "POST", messagesPath+"/preview", body, &p); p.Recipients != 0 || len(p.LeftOut) != 1 || p.LeftOut[0].Code != "no_mails" {
			t.Errorf("%+v", p)
		}
		w.must(t, 204, "driver", "PUT", choicesPath, map[string]any{"messageMails": true})
		if w.call(t, "partner", "POST", messagesPath+"/preview", body, &p); p.Recipients != 1 {
			t.Errorf("%+v", p)
		}
		for _, method := range []string{"GET", "POST"} {
			for n := range 22 {
				status, page := w.visit(t, method, "/unsubscribe/x.y.z?lang=pl", "")
				if want := map[bool]int{true: 404, false: 429}[n < 20]; status != want || strings.Contains(page, "<form") || strings.Contains(page, canary) {
					t.Fatalf("%s %d: %d %s", method, n, status, page)
				}
			}
		}
		if !w.choices(t).MessageMails {
			t.Error("a guess stopped mails")
		}
	})
}
