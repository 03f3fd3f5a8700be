package testkit

import (
	"fmt"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
)

// SMTP is a mail server on this machine that answers as the test says.
type SMTP struct {
	address string
	mu      sync.Mutex
	answers map[string]*smtp.SMTPError
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
	s := &SMTP{address: l.Addr().String(), answers: map[string]*smtp.SMTPError{}}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &session{server: s}, nil }))
	server.Domain = "localhost"
	go func() { _ = server.Serve(l) }() // ends with Close
	t.Cleanup(func() { _ = server.Close() })
	return s
}

// URL is the setting that sends mail here.
func (s *SMTP) URL() string { return fmt.Sprintf("smtp://%s?starttls=never", s.address) }

// Answer refuses a recipient with a code and a text; code 0 takes it again.
func (s *SMTP) Answer(recipient string, code int, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.answers, recipient)
	if code != 0 {
		s.answers[recipient] = &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 0, 0}, Message: text}
	}
}

// Taken lists the accepted mails in order.
func (s *SMTP) Taken() []Taken {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Taken(nil), s.taken...)
}

type session struct {
	server *SMTP
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
	defer s.server.mu.Unlock()
	s.server.taken = append(s.server.taken, s.mail)
	return nil
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }
