package mail

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	smtpserver "github.com/emersion/go-smtp"
)

// server is a mail server whose faults a test scripts; the zero script accepts everything.
type server struct {
	onRcpt     func(to string) error
	onData     func(c *smtpserver.Conn) error
	password   string // when set, AUTH is offered and needed
	tls        *tls.Config
	implicit   bool
	address    string // host:port
	mu         sync.Mutex
	taken      []string // whole mails, as received
	recipients []string
}

func (s *server) start(t *testing.T) *server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := smtpserver.NewServer(smtpserver.BackendFunc(func(c *smtpserver.Conn) (smtpserver.Session, error) {
		return &session{server: s, conn: c}, nil
	}))
	srv.Domain, srv.AllowInsecureAuth, srv.TLSConfig = "localhost", true, s.tls
	srv.ErrorLog = discard{}
	if s.implicit {
		listener = tls.NewListener(listener, s.tls)
	}
	s.address = listener.Addr().String()
	go srv.Serve(listener)
	t.Cleanup(func() { srv.Close() })
	return s
}

func (s *server) received() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.taken...)
}

type discard struct{}

func (discard) Printf(string, ...any) {}
func (discard) Println(...any)        {}

type session struct {
	server *server
	conn   *smtpserver.Conn
	in     bool
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

func (s *session) AuthMechanisms() []string {
	if s.server.password == "" {
		return nil
	}
	return []string{sasl.Plain}
}

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, _, password string) error {
		if s.in = password == s.server.password; !s.in {
			return &smtpserver.SMTPError{Code: 535, EnhancedCode: smtpserver.EnhancedCode{5, 7, 8}, Message: "wrong: " + password}
		}
		return nil
	}), nil
}

func (s *session) Mail(string, *smtpserver.MailOptions) error {
	if s.server.password != "" && !s.in {
		return reply(530, "please authenticate first")
	}
	return nil
}

func (s *session) Rcpt(to string, _ *smtpserver.RcptOptions) error {
	if s.server.onRcpt != nil {
		if err := s.server.onRcpt(to); err != nil {
			return err
		}
	}
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.recipients = append(s.server.recipients, to)
	return nil
}

func (s *session) Data(r io.Reader) error {
	content, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if s.server.onData != nil {
		err = s.server.onData(s.conn)
	}
	if err != nil && !errors.Is(err, errDied) {
		return err
	}
	s.server.mu.Lock()
	s.server.taken = append(s.server.taken, string(content))
	s.server.mu.Unlock()
	if err != nil { // after the mail is noted: who sent it looks as soon as the line is cut
		s.conn.Conn().Close()
	}
	return nil
}

var errDied = errors.New("the server took the mail and died")

func reply(code int, text string) error {
	return &smtpserver.SMTPError{Code: code, EnhancedCode: smtpserver.EnhancedCode{code / 100, 1, 1}, Message: text}
}

// rudeServer accepts one mail and closes the line without an answer to QUIT.
func rudeServer(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		fmt.Fprint(conn, "220 rude\r\n")
		inMail := false
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			line := lines.Text()
			switch {
			case inMail && line != ".":
			case line == "DATA":
				inMail = true
				fmt.Fprint(conn, "354 go on\r\n")
			case line == "QUIT":
				return
			default:
				inMail = false
				fmt.Fprint(conn, "250 fine\r\n")
			}
		}
	}()
	return listener.Addr().String()
}

// certificate makes a server certificate for 127.0.0.1 and the pool that trusts it.
func certificate(t *testing.T) (*tls.Config, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, pool
}

func message() Delivery {
	return Delivery{
		ID:   "0199c0de-7a11-7000-8000-000000000001",
		From: Address{Name: "Flota Żółw", Address: "biuro@flota.example"},
		To:   Address{Name: "Олена Ґудзь", Address: "olena@example.com"},
		// Longer than one encoded word may be.
		Subject:   "Rozliczenie za tydzień 45: zażółć gęślą jaźń, Überweisung, Абрис ґанку – 1 234,50 zł",
		Text:      "Dzień dobry,\nоплата 1 234,50 zł.\n.\nKoniec",
		HTML:      "<!doctype html><p>Dzień dobry</p>",
		Language:  "pl",
		WrittenAt: time.Date(2026, 11, 9, 8, 15, 0, 0, time.UTC),
		Attachments: []Attachment{
			{Name: "rozliczenie za tydzień 45 – Żółć, Абрис.pdf", Type: "application/pdf", Data: []byte("%PDF-1.7\x00\xff\r\n.\r\n")},
		},
	}
}

func header(t *testing.T, content, name string) string {
	t.Helper()
	for line := range strings.SplitSeq(content, "\n") {
		if value, ok := strings.CutPrefix(line, name+": "); ok {
			return strings.TrimSpace(value)
		}
	}
	t.Fatalf("the mail has no %s", name)
	return ""
}
