package testkit

import (
	"fmt"
	"io"
	"log"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// SMTP is a mail server on this machine that answers as the test says.
type SMTP struct {
	net.Listener
	mu      sync.Mutex
	down    bool
	open    []net.Conn
	answers map[string]*smtp.SMTPError
	dying   map[string]int
	pause   time.Duration
	taken   []Taken
}

// Taken is a mail that the server accepted.
type Taken struct{ From, To, Data string }

// NewSMTP starts a mail server that takes everything and ends with the test.
func NewSMTP(t testing.TB) *SMTP {
	t.Helper()
	return NewSMTPAt(t, "127.0.0.1:0")
}

// NewSMTPAt starts it at an address that somebody else has been told.
func NewSMTPAt(t testing.TB, address string) *SMTP {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	s := &SMTP{Listener: l, answers: map[string]*smtp.SMTPError{}, dying: map[string]int{}}
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) { return &session{server: s, conn: c}, nil }))
	server.Domain = "localhost"
	server.ErrorLog = log.New(io.Discard, "", 0) // whoever sends may be killed: that is the test's own doing
	go func() { _ = server.Serve(s) }()          // ends with the test
	t.Cleanup(func() { _ = server.Close() })
	return s
}

// Accept takes a connection while the server is up. While it is down, connections break at once; the address stays the test's own, as
// another program that came to listen there might keep whoever sends waiting.
func (s *SMTP) Accept() (net.Conn, error) {
	for {
		c, err := s.Listener.Accept()
		if err != nil {
			return nil, err
		}
		s.mu.Lock()
		down := s.down
		if !down {
			s.open = append(s.open, c)
		}
		s.mu.Unlock()
		if !down {
			return c, nil
		}
		_ = c.Close()
	}
}

// Down breaks every connection from now on, until Up.
func (s *SMTP) Down() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = true
	for _, c := range s.open {
		_ = c.Close() // it may have ended
	}
	s.open = nil
}

// Up lets the server answer again.
func (s *SMTP) Up() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = false
}

// URL is the setting that sends mail here.
func (s *SMTP) URL() string { return fmt.Sprintf("smtp://%s?starttls=never", s.Addr()) }

// Answer refuses a recipient with a code and a text; code 0 takes it again.
func (s *SMTP) Answer(recipient string, code int, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.answers, recipient)
	if code != 0 {
		s.answers[recipient] = &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 0, 0}, Message: text}
	}
}

// DieAfter takes so many mails to a recipient and goes silent before it says so.
func (s *SMTP) DieAfter(recipient string, times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dying[recipient] = times
}

// Slow lets every mail wait so long before it is taken.
func (s *SMTP) Slow(pause time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pause = pause
}

// Taken lists the accepted mails in order.
func (s *SMTP) Taken() []Taken {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Taken(nil), s.taken...)
}

type session struct {
	server *SMTP
	conn   *smtp.Conn
	mail   Taken
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.mail = Taken{From: from}
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if refusal, ok := s.server.answers[to]; ok {
		return refusal
	}
	s.mail.To = to
	return nil
}

func (s *session) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.mail.Data = string(data)
	s.server.mu.Lock()
	pause := s.server.pause
	s.server.mu.Unlock()
	time.Sleep(pause)
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.taken = append(s.server.taken, s.mail)
	if s.server.dying[s.mail.To] > 0 {
		s.server.dying[s.mail.To]--
		return s.conn.Conn().Close()
	}
	return nil
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }
