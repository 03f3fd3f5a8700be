package summaries_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"strings"
	"testing"

	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
	"saldo/internal/settlements"
	"saldo/internal/summaries"
	"saldo/internal/testkit"
)

// carried is the form of a mail, the name of its file and the file.
func carried(t testing.TB, data string) (form, name string, content []byte) {
	t.Helper()
	m, err := netmail.ReadMessage(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var read func(header func(string) string, body io.Reader) string
	read = func(header func(string) string, body io.Reader) string {
		kind, params, err := mime.ParseMediaType(header("Content-Type"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(kind, "multipart/") {
			if place, given, _ := mime.ParseMediaType(header("Content-Disposition")); place == "attachment" {
				name = given["filename"]
				if content, err = io.ReadAll(base64.NewDecoder(base64.StdEncoding, body)); err != nil {
					t.Fatal(err)
				}
				if said := header("Content-Disposition"); strings.Contains(said, "*") {
					t.Errorf("a plain name is written as %s", said)
				}
			}
			return kind
		}
		parts, inside := multipart.NewReader(body, params["boundary"]), ""
		for {
			part, err := parts.NextRawPart()
			if err == io.EOF {
				return kind + "(" + strings.TrimSpace(inside) + ")"
			}
			if err != nil {
				t.Fatal(err)
			}
			inside += read(part.Header.Get, part) + " "
		}
	}
	return read(m.Header.Get, m.Body), name, content
}

const (
	withFile    = "multipart/mixed(multipart/alternative(text/plain text/html) application/pdf)"
	withoutFile = "multipart/alternative(text/plain text/html)"
)

// linked is the file that the link of a settlement gives.
func (w *fixture) linked(t testing.TB, settlement string, language i18n.Language) (file mail.Attachment) {
	t.Helper()
	var printed func(context.Context) (mail.Attachment, error)
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { printed, err = w.Statement(tx, settlement, language); return err })
	file, err := printed(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestMail_CarriesTheStatementInTheDriversLanguage(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		files := map[i18n.Language]string{i18n.Polish: "rozliczenie-1-2026-W44.pdf", i18n.English: "settlement-2-2026-W44.pdf", i18n.German: "abrechnung-3-2026-W44.pdf",
			i18n.Ukrainian: "rozrakhunok-4-2026-W44.pdf", i18n.Russian: "raschet-5-2026-W44.pdf"}
		ids := map[string]string{}
		for _, l := range []i18n.Language{i18n.Polish, i18n.English, i18n.German, i18n.Ukrainian, i18n.Russian} {
			ids[string(l)] = w.settled(t, string(l), string(l)+"@mail.example")[0]
		}
		for _, id := range ids {
			w.send(t, false, id)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			stored, err := db.Select[string](tx, `SELECT sealed FROM mails WHERE tenant_id = $1`)
			for _, sealed := range stored {
				if len(sealed) > 20_000 {
					t.Errorf("a mail of %d bytes waits in the database", len(sealed))
				}
			}
			return err
		})
		w.work(t)
		testkit.Eventually(t, "all sent", func() bool { return len(w.server.Taken()) == len(ids) })
		for _, m := range w.server.Taken() {
			language := i18n.Language(m.To[:2])
			form, name, content := carried(t, m.Data)
			if want := w.linked(t, ids[string(language)], language); form != withFile || name != files[language] || name != want.Name || !bytes.Equal(content, want.Data) {
				t.Errorf("%s: %s, %s of %d bytes, not %s of %d", language, form, name, len(content), want.Name, len(want.Data))
			}
			if !bytes.HasPrefix(content, []byte("%PDF")) {
				t.Errorf("%s: %.20q", language, content)
			}
		}
	})
}

func TestMail_IsTriedAgainWithItsStatement(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		id := w.settled(t, "pl", "pawel@mail.example")[0]
		w.server.DieAfter("pawel@mail.example", 1)
		w.work(t)
		w.send(t, false, id)
		w.passing(t, "the second try", func() bool { return w.of(t, id)[0].State == mail.Sent })
		taken := w.server.Taken()
		if len(taken) != 2 || len(w.messages(t)) != 1 {
			t.Fatalf("%d mails, %v", len(taken), w.messages(t))
		}
		_, _, first := carried(t, taken[0].Data)
		form, _, second := carried(t, taken[1].Data)
		if form != withFile || !bytes.Equal(first, second) {
			t.Errorf("%s, %d and %d bytes", form, len(first), len(second))
		}
	})
}

// What came to be between the writing of a mail and its sending: a revoked settlement, an ended link, a newer mail.
func TestMail_IsNotSentWhenItsLinkOpensNothing(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.settled(t, "pl", "revoked@mail.example", "ended@mail.example", "newer@mail.example", "fine@mail.example")
		w.send(t, false, ids...)
		w.write(t, func(tx *db.Tx) error { return w.settling.Revoke(tx, ids[0], "wrong file") })
		w.write(t, func(tx *db.Tx) error { return summaries.End(tx, w.of(t, ids[1])[0].ID) })
		w.send(t, true, ids[2])
		w.work(t)
		w.becomes(t, ids[0], mail.Failed)
		w.becomes(t, ids[1], mail.Failed)
		w.becomes(t, ids[2], mail.Sent)
		w.becomes(t, ids[3], mail.Sent)
		testkit.Eventually(t, "the older one is decided", func() bool { return w.of(t, ids[2])[1].State == mail.Failed })
		if tokens := w.tokens(t, "newer@mail.example"); len(w.server.Taken()) != 2 || len(tokens) != 1 || w.opens(tokens[0]) != nil {
			t.Errorf("%d mails, %v", len(w.server.Taken()), tokens)
		}
		w.refused(t, settlements.ErrRevoked, func(tx *db.Tx) error { return w.Retry(tx, w.of(t, ids[0])[0].ID) })
		// who sends the other one again wants a link that opens it
		w.write(t, func(tx *db.Tx) error { return w.Retry(tx, w.of(t, ids[1])[0].ID) })
		w.becomes(t, ids[1], mail.Sent)
		if tokens := w.tokens(t, "ended@mail.example"); len(tokens) != 1 || w.opens(tokens[0]) != nil || len(w.of(t, ids[1])) != 2 {
			t.Errorf("%v, %+v", tokens, w.of(t, ids[1]))
		}
	})
}

func TestMail_IsSentWithItsLinkWhenNoStatementCanBeMade(t *testing.T) {
	for name, statement := range map[string]func(*db.Tx, string, i18n.Language) (func(context.Context) (mail.Attachment, error), error){
		"unread": func(*db.Tx, string, i18n.Language) (func(context.Context) (mail.Attachment, error), error) {
			return nil, errors.New("no figures")
		},
		"unprinted": printing(func() (mail.Attachment, error) { return mail.Attachment{}, errors.New("no letters") }),
		"panic":     printing(func() (mail.Attachment, error) { panic("no pages") }),
		"huge": printing(func() (mail.Attachment, error) {
			return mail.Attachment{Name: "x.pdf", Type: "application/pdf", Data: make([]byte, 6<<20)}, nil
		}),
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, "sqlite")
			var log bytes.Buffer
			w.Statement, w.Log = statement, slog.New(slog.NewTextHandler(&log, nil))
			id := w.settled(t, "pl", "pawel@mail.example")[0]
			w.send(t, false, id)
			w.work(t)
			w.becomes(t, id, mail.Sent)
			form, _, _ := carried(t, w.server.Taken()[0].Data)
			if tokens := w.tokens(t, "pawel@mail.example"); form != withoutFile || len(tokens) != 1 || w.opens(tokens[0]) != nil {
				t.Errorf("%s, %v", form, tokens)
			}
			if said := log.String(); strings.Count(said, "without its statement") != 1 || strings.Contains(said, "pawel") {
				t.Errorf("the log says %q", said)
			}
		})
	}
}

func printing(print func() (mail.Attachment, error)) func(*db.Tx, string, i18n.Language) (func(context.Context) (mail.Attachment, error), error) {
	return func(*db.Tx, string, i18n.Language) (func(context.Context) (mail.Attachment, error), error) {
		return func(context.Context) (mail.Attachment, error) { return print() }, nil
	}
}

// A program that stops while pages are made keeps the mail for the next one.
func TestMail_WaitsWhenTheProgramStopsBeforeItsStatementIsMade(t *testing.T) {
	w := newFixture(t, "sqlite")
	made := w.Statement
	started, again := make(chan struct{}, 8), make(chan struct{})
	w.Statement = func(tx *db.Tx, id string, l i18n.Language) (func(context.Context) (mail.Attachment, error), error) {
		printed, err := made(tx, id, l)
		return func(ctx context.Context) (mail.Attachment, error) {
			select {
			case <-again:
				return printed(ctx)
			default:
			}
			started <- struct{}{}
			<-ctx.Done()
			return mail.Attachment{}, ctx.Err()
		}, err
	}
	id := w.settled(t, "pl", "pawel@mail.example")[0]
	w.send(t, false, id)
	stop := w.work(t)
	<-started
	stop()
	if len(w.server.Taken()) != 0 || w.of(t, id)[0].State != mail.Queued {
		t.Fatalf("%d mails, %+v", len(w.server.Taken()), w.of(t, id)[0])
	}
	close(again)
	w.work(t)
	w.passing(t, "sent", func() bool { return w.of(t, id)[0].State == mail.Sent })
	if form, _, _ := carried(t, w.server.Taken()[0].Data); form != withFile || len(w.server.Taken()) != 1 {
		t.Errorf("%s, %d mails", form, len(w.server.Taken()))
	}
}
