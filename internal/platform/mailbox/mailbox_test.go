package mailbox_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/platform/drive"
	"saldo/internal/platform/mailbox"
	"saldo/internal/platform/outbound"
	"saldo/internal/testkit"
)

func open(t *testing.T, m *testkit.Mailbox, a mailbox.Account) (*mailbox.Box, error) {
	t.Helper()
	if a.Server == "" {
		a.Server = m.Address
	}
	return mailbox.Open(t.Context(), outbound.Dialer(testkit.Nearby, 10*time.Second), m.Trust(), a)
}

func anna() mailbox.Account {
	return mailbox.Account{Name: "anna", Password: testkit.DrivePassword, Folder: testkit.MailFolder}
}

const simple = "From: k@orlen.example\r\nMessage-ID: <1@orlen.example>\r\nContent-Type: text/csv; name=\"a.csv\"\r\n\r\na;b\r\n1;2\r\n"

func TestBox_ReadsWithoutMarking(t *testing.T) {
	m := testkit.NewMailbox(t)
	m.Deliver(t, simple)
	m.Deliver(t, strings.ReplaceAll(simple, "a.csv", "b.csv"))
	for range 2 {
		b, err := open(t, m, anna())
		if err != nil {
			t.Fatal(err)
		}
		unread, err := b.Unread()
		if err != nil || len(unread) != 2 {
			t.Fatal(unread, err)
		}
		got, err := b.Read(unread[1])
		if err != nil || got.ID != "<1@orlen.example>" || len(got.Files) != 1 || got.Files[0].Name != "b.csv" || string(got.Files[0].Content) != "a;b\r\n1;2\r\n" {
			t.Errorf("%+v %v", got, err)
		}
		b.Close()
	}
	if len(m.Read(t)) != 0 {
		t.Error("a message was marked")
	}
	b, err := open(t, m, anna())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.MarkRead(1); err != nil || !slices.Equal(m.Read(t), []uint32{1}) {
		t.Error(m.Read(t), err)
	}
	if unread, err := b.Unread(); err != nil || !slices.Equal(unread, []uint32{2}) {
		t.Error(unread, err)
	}
	if _, err := b.Read(77); !errors.Is(err, mailbox.ErrRefused) {
		t.Errorf("a message that is not there: %v", err)
	}
}

func TestOpen_SaysWhatIsWrong(t *testing.T) {
	m := testkit.NewMailbox(t)
	plain := testkit.Listener(t)
	closed := plain.Addr().String()
	if err := plain.Close(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(a *mailbox.Account)
		want   drive.Problem
	}{
		"password": {func(a *mailbox.Account) { a.Password = "hunter3" }, drive.Denied},
		"folder":   {func(a *mailbox.Account) { a.Folder = "Zestawienia" }, drive.NoFolder},
		"nobody":   {func(a *mailbox.Account) { a.Server = closed }, drive.Away},
		"private":  {func(a *mailbox.Account) { a.Server = "10.0.0.1:993" }, drive.Private},
	} {
		a := anna()
		c.change(&a)
		if _, err := open(t, m, a); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := m.Logins("hunter3"); n != 1 {
		t.Errorf("a wrong password was tried %d times", n)
	}
	if _, err := mailbox.Open(t.Context(), outbound.Dialer(testkit.Nearby, time.Second), nil, mailbox.Account{Server: m.Address}); !errors.Is(err, drive.Away) {
		t.Errorf("a certificate that nobody vouches for: %v", err)
	}
	if n := m.Logins(""); n != 0 {
		t.Error("somebody signed in at a server that nobody vouches for")
	}
}

// hostile is a server that answers each command with the next text; %s is the tag.
func hostile(t *testing.T, answers ...string) *testkitServer {
	t.Helper()
	certified := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(certified.Close)
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: certified.TLS.Certificates})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				in := bufio.NewReader(c)
				for n, answer := range answers {
					if n > 0 {
						line, err := in.ReadString('\n')
						if err != nil {
							return
						}
						tag, _, _ := strings.Cut(line, " ")
						answer = strings.ReplaceAll(answer, "%s", tag)
					}
					if _, err := io.WriteString(c, answer); err != nil {
						return
					}
				}
				_, _ = io.Copy(io.Discard, in)
			}()
		}
	}()
	return &testkitServer{listener.Addr(), certified.Client().Transport.(*http.Transport).TLSClientConfig}
}

type testkitServer struct {
	net.Addr
	trust *tls.Config
}

// No line of a server ends more than the connection.
func TestBox_OutlivesHostileServers(t *testing.T) {
	const in, chosen = "%s OK\r\n", "* OK [UIDVALIDITY 1]\r\n%s OK [READ-WRITE]\r\n"
	for name, answers := range map[string][]string{
		"no mail server":     {"HTTP/1.1 400 Bad Request\r\n\r\n"},
		"in before asked":    {"* PREAUTH\r\n"},
		"endless line":       {"* OK " + strings.Repeat("x", 5<<20)},
		"huge literal":       {"* OK\r\n", "* X {4294967295}\r\n"},
		"literal of no size": {"* OK\r\n", "* X {99999999999999999999}\r\n%s NO\r\n"},
		"goes":               {"* OK\r\n", "* BYE\r\n"},
		"read only":          {"* OK\r\n", in, "%s OK [READ-ONLY]\r\n"},
		"half a fetch":       {"* OK\r\n", in, chosen, "* 1 FETCH\r\n* EXISTS\r\n* SEARCH\r\n" + strings.Repeat("+\r\n", 1000) + "%s OK\r\n"},
		"nested":             {"* OK\r\n", in, chosen, "* 1 FETCH " + strings.Repeat("(", 1<<20) + "\r\n%s OK\r\n"},
		"numbers":            {"* OK\r\n", in, chosen, "* SEARCH 0 -1 99999999999 x\r\n%s OK\r\n", "%s OK\r\n"},
		"other message":      {"* OK\r\n", in, chosen, "* SEARCH 1\r\n%s OK\r\n", "* 1 FETCH (UID 2 RFC822.SIZE 5)\r\n%s OK\r\n"},
		"lies of its size": {"* OK\r\n", in, chosen, "* SEARCH 1\r\n%s OK\r\n", "* 1 FETCH (UID 1 RFC822.SIZE 5)\r\n%s OK\r\n",
			"* 1 FETCH (UID 1 BODY[] {60000000}\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s := hostile(t, answers...)
			b, err := mailbox.Open(t.Context(), outbound.Dialer(testkit.Nearby, 10*time.Second), s.trust, mailbox.Account{Server: s.String(), Name: "a", Password: "b", Folder: "INBOX"})
			if err != nil {
				if problem := drive.Problem(""); !errors.As(err, &problem) {
					t.Error(err)
				}
				return
			}
			defer b.Close()
			unread, err := b.Unread()
			if err == nil && len(unread) > 0 {
				_, err = b.Read(unread[0])
			}
			if problem := drive.Problem(""); err != nil && !errors.As(err, &problem) && !errors.Is(err, mailbox.ErrRefused) {
				t.Error(err)
			}
		})
	}
}

func TestBox_ASilentServerEndsWithItsCaller(t *testing.T) {
	s := hostile(t, "* OK\r\n", "") // it says nothing to the password
	ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	if _, err := mailbox.Open(ctx, outbound.Dialer(testkit.Nearby, 10*time.Second), s.trust, mailbox.Account{Server: s.String(), Name: "a", Password: "b"}); !errors.Is(err, drive.Away) {
		t.Error(err)
	}
}

func multi(parts ...string) string {
	return "Message-ID: <m>\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\n" + strings.Join(parts, "\r\n--B\r\n") + "\r\n--B--\r\n"
}

func attached(name, encoding, content string) string {
	return fmt.Sprintf("Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=%s\r\nContent-Transfer-Encoding: %s\r\n\r\n%s", name, encoding, content)
}

func TestParse_FindsWhatMayHoldRows(t *testing.T) {
	csv := base64.StdEncoding.EncodeToString([]byte("a;b\n"))
	raw := multi(
		"Content-Type: text/plain\r\n\r\nW załączeniu.",
		attached(`"=?windows-1250?Q?paliwo_=A3=F3d=9F.csv?="`, "base64", csv),
		attached(`"rachunek.pdf"`, "base64", csv),
		attached(`"DANE.XLSX"`, "8bit", "PK"),
		attached("t.csv", "quoted-printable", "a=3Bb=\r\n;c"),
		"Content-Type: text/csv\r\n\r\nx",
		"Content-Type: application/zip\r\nContent-Disposition: attachment; filename*=UTF-8''paliwo%20%C5%81%C3%B3d%C5%BA.zip\r\n\r\nz",
		"Content-Type: message/rfc822\r\n\r\n"+simple,
	)
	m, err := mailbox.Parse([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range m.Files {
		found = append(found, f.Name+"="+string(f.Content))
	}
	want := []string{"paliwo Łódź.csv=a;b\n", "DANE.XLSX=PK", "t.csv=a;b;c", "attachment.csv=x", "paliwo Łódź.zip=z", "a.csv=a;b\r\n1;2\r\n"}
	if !slices.Equal(found, want) {
		t.Errorf("%q", found)
	}
}

func TestParse_RefusesWhatIsMadeToHarm(t *testing.T) {
	deep := simple
	for range 20 {
		deep = "Content-Type: message/rfc822\r\n\r\n" + deep
	}
	many := make([]string, 21)
	for i := range many {
		many[i] = attached("a.csv", "8bit", "x")
	}
	parts := make([]string, 200)
	for i := range parts {
		parts[i] = "Content-Type: text/plain\r\n\r\nx"
	}
	large := make([]byte, mailbox.FileMost+1)
	for name, raw := range map[string]string{
		"no message":     "\x00\x01",
		"deep":           deep,
		"many files":     multi(many...),
		"many parts":     multi(parts...),
		"no boundary":    "Content-Type: multipart/mixed\r\n\r\n--B\r\n\r\nx",
		"cut":            multi(attached("a.csv", "base64", "YTti!!!")),
		"never ends":     "Content-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\nContent-Type: text/csv\r\n\r\nx",
		"20 MB and more": multi(attached("a.csv", "8bit", string(large))),
	} {
		if m, err := mailbox.Parse([]byte(raw)); !errors.Is(err, mailbox.ErrRefused) {
			t.Errorf("%s: %d files, %v", name, len(m.Files), err)
		}
	}
	if m, err := mailbox.Parse([]byte(multi(attached("a.csv", "8bit", string(large[1:]))))); err != nil || len(m.Files) != 1 {
		t.Error("20 MB:", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(simple))
	f.Add([]byte(multi(attached("a.csv", "base64", "YTti"))))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := mailbox.Parse(raw)
		if err == nil && len(m.Files) > 20 {
			t.Error(len(m.Files))
		}
	})
}
