package mail

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	smtpserver "github.com/emersion/go-smtp"
)

func open(t *testing.T, address string) *SMTP {
	t.Helper()
	s, err := OpenSMTP(address)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAMailArrivesAsItWasWritten(t *testing.T) {
	srv := (&server{}).start(t)
	want := message()
	if err := open(t, "smtp://"+srv.address+"?starttls=never").Send(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	mails := srv.received()
	if len(mails) != 1 {
		t.Fatalf("%d mails arrived", len(mails))
	}
	got, err := readMail(strings.NewReader(mails[0]))
	if err != nil {
		t.Fatal(err)
	}
	if got.Subject != want.Subject {
		t.Errorf("subject %q", got.Subject)
	}
	if got.From != `Flota Żółw <biuro@flota.example>` && got.From != `"Flota Żółw" <biuro@flota.example>` {
		t.Errorf("from %q", got.From)
	}
	if got.To != `Олена Ґудзь <olena@example.com>` {
		t.Errorf("to %q", got.To)
	}
	if text := strings.ReplaceAll(got.Text, "\r\n", "\n"); text != want.Text {
		t.Errorf("text %q", text)
	}
	if strings.TrimSpace(got.HTML) != want.HTML {
		t.Errorf("HTML %q", got.HTML)
	}
	if got.Language != "pl" || !got.WrittenAt.Equal(want.WrittenAt) {
		t.Errorf("language %q, written at %v", got.Language, got.WrittenAt)
	}
	if len(got.Files) != 1 || got.Files[0].Name != want.Attachments[0].Name ||
		got.Files[0].Type != "application/pdf" || string(got.Files[0].Data) != string(want.Attachments[0].Data) {
		t.Errorf("attachments %q", got.Files)
	}
	for line := range strings.SplitSeq(mails[0], "\r\n") {
		if len(line) > 998 {
			t.Errorf("a line has %d characters", len(line))
		}
	}
}

func TestARepeatHasTheSameMessageID(t *testing.T) {
	var died atomic.Bool // each connection is a goroutine of the server
	srv := (&server{onData: func(*smtpserver.Conn) error {
		if died.CompareAndSwap(false, true) {
			return errDied
		}
		return nil
	}}).start(t)
	s := open(t, "smtp://"+srv.address+"?starttls=never")
	err := s.Send(t.Context(), message())
	if err == nil || Permanent(err) {
		t.Fatalf("a server that dies after accepting gives %v", err)
	}
	if err := s.Send(t.Context(), message()); err != nil {
		t.Fatal(err)
	}
	mails := srv.received()
	if len(mails) != 2 {
		t.Fatalf("%d mails arrived", len(mails))
	}
	first, second := header(t, mails[0], "Message-ID"), header(t, mails[1], "Message-ID")
	if first != second || first != "<0199c0de-7a11-7000-8000-000000000001@flota.example>" {
		t.Errorf("Message-IDs %s and %s", first, second)
	}
}

func TestAnAcceptedMailIsSentHoweverTheServerSaysGoodbye(t *testing.T) {
	s := open(t, "smtp://"+rudeServer(t)+"?starttls=never")
	if err := s.Send(t.Context(), message()); err != nil {
		t.Error(err)
	}
}

func TestTheServersRefusalsAreDistinguished(t *testing.T) {
	refuseRcpt := func(code int, text string) *server {
		return &server{onRcpt: func(string) error { return reply(code, text) }}
	}
	refuseData := func(code int, text string) *server {
		return &server{onData: func(*smtpserver.Conn) error { return reply(code, text) }}
	}
	for name, c := range map[string]struct {
		server    *server
		permanent bool
		says      string
	}{
		"recipient unknown":     {refuseRcpt(550, "no such user"), true, "no such user"},
		"recipient greylisted":  {refuseRcpt(451, "try later"), false, "try later"},
		"mailbox full":          {refuseRcpt(452, "mailbox full"), false, "mailbox full"},
		"content refused":       {refuseData(554, "looks like spam"), true, "looks like spam"},
		"content not now":       {refuseData(421, "shutting down"), false, "shutting down"},
		"password not supplied": {&server{password: "right"}, false, "authenticate"},
	} {
		t.Run(name, func(t *testing.T) {
			srv := c.server.start(t)
			err := open(t, "smtp://"+srv.address+"?starttls=never").Send(t.Context(), message())
			if err == nil || Permanent(err) != c.permanent || !strings.Contains(err.Error(), c.says) {
				t.Errorf("permanent %v: %v", Permanent(err), err)
			}
			if len(srv.received()) != 0 {
				t.Error("a refused mail arrived")
			}
		})
	}
}

func TestAServerThatIsDownIsTriedAgain(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	err = open(t, "smtp://"+address+"?starttls=never").Send(t.Context(), message())
	if err == nil || Permanent(err) {
		t.Errorf("a server that is down gives %v", err)
	}
}

func TestASlowServerIsGivenUpInTime(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	srv := (&server{onData: func(*smtpserver.Conn) error { <-release; return reply(451, "at last") }}).start(t)
	began := time.Now()
	err := open(t, "smtp://"+srv.address+"?starttls=never&timeout=150ms").Send(t.Context(), message())
	if err == nil || Permanent(err) {
		t.Errorf("a slow server gives %v", err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestCancellingStopsTheConversation(t *testing.T) {
	release, reached := make(chan struct{}), make(chan struct{})
	defer close(release)
	srv := (&server{onRcpt: func(string) error { close(reached); <-release; return nil }}).start(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-reached; cancel() }()
	err := open(t, "smtp://"+srv.address+"?starttls=never").Send(ctx, message())
	if !errors.Is(err, context.Canceled) || Permanent(err) {
		t.Errorf("a cancelled send gives %v", err)
	}
}

func TestThePasswordTravelsOnlyEncryptedAndNeverIntoAnError(t *testing.T) {
	tlsConfig, pool := certificate(t)
	for name, c := range map[string]struct {
		server *server
		scheme string
	}{
		"STARTTLS":     {&server{password: "s3cret+pass", tls: tlsConfig}, "smtp"},
		"implicit TLS": {&server{password: "s3cret+pass", tls: tlsConfig, implicit: true}, "smtps"},
	} {
		t.Run(name, func(t *testing.T) {
			srv := c.server.start(t)
			s := open(t, c.scheme+"://user:s3cret+pass@"+srv.address)
			s.tls.RootCAs = pool
			if err := s.Send(t.Context(), message()); err != nil {
				t.Fatal(err)
			}
			wrong := open(t, c.scheme+"://user:other+pass@"+srv.address)
			wrong.tls.RootCAs = pool
			err := wrong.Send(t.Context(), message())
			if err == nil || Permanent(err) || !strings.Contains(err.Error(), "535") || strings.Contains(err.Error(), "other") {
				t.Errorf("a wrong password gives %v", err)
			}
			stranger := open(t, c.scheme+"://user:s3cret+pass@"+srv.address)
			if err := stranger.Send(t.Context(), message()); err == nil || Permanent(err) {
				t.Errorf("an unknown certificate gives %v", err)
			}
		})
	}
}

func TestWithoutEncryptionNothingIsSentWhereItIsAskedFor(t *testing.T) {
	srv := (&server{}).start(t)
	err := open(t, "smtp://"+srv.address).Send(t.Context(), message())
	if err == nil || Permanent(err) || len(srv.received()) != 0 {
		t.Errorf("a server without STARTTLS gives %v", err)
	}
	if err := open(t, "smtp://"+srv.address+"?starttls=opportunistic").Send(t.Context(), message()); err != nil {
		t.Error(err)
	}
}

func TestInternationalDomainsAreWrittenInTheirPlainForm(t *testing.T) {
	srv := (&server{}).start(t)
	m := message()
	m.To.Address = "jan@żółw.example"
	if err := open(t, "smtp://"+srv.address+"?starttls=never").Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if got := srv.recipients; len(got) != 1 || got[0] != "jan@xn--w-uga1v8h.example" {
		t.Errorf("recipients %q", got)
	}
}

func TestServerAddressesAreReadOrExplained(t *testing.T) {
	for _, good := range []string{
		"smtp://mail.example", "smtp://user:pa%40ss@mail.example:2525?starttls=opportunistic&timeout=5s",
		"smtps://user:pass@mail.example", "smtp://user:pass@localhost:1025?starttls=never", "smtp://[::1]:1025?starttls=never",
	} {
		if _, err := OpenSMTP(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{
		"mail.example:587", "http://user:hush@mail.example", "smtp://", "smtp://user:hush@", "smtp://user:hush@mail.example:0",
		"smtp://user:hush@mail.example:99999", "smtp://user:hu%zzsh@mail.example", "smtp://user@mail.example",
		"smtp://user:hush@mail.example/path", "smtp://user:hush@mail.example?starttls=sometimes",
		"smtp://user:hush@mail.example?starttls=never", "smtps://user:hush@mail.example?starttls=always",
		"smtp://user:hush@mail.example?timeout=soon", "smtp://user:hush@mail.example?colour=blue",
		"smtp://user:hush@mail.exam ple", "smtp://user:hush@mail.example:port",
	} {
		_, err := OpenSMTP(bad)
		if err == nil {
			t.Errorf("%s is accepted", bad)
		} else if strings.Contains(err.Error(), "hush") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s gives %q", bad, err)
		}
	}
}
