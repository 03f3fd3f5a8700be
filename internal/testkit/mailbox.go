package testkit

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-imap"
	"github.com/emersion/go-imap/backend"
	"github.com/emersion/go-imap/backend/memory"
	imapserver "github.com/emersion/go-imap/server"
)

// Mailbox is a mailbox at its other side: a real IMAP server over TLS with one account, whose faults a test sets.
type Mailbox struct {
	Address string

	mu       sync.Mutex
	user     backend.User
	password string
	logins   map[string]int
	left     int // bytes until the connection breaks; negative: it holds
	trust    *tls.Config
}

// MailFolder is a folder of the account anna.
const MailFolder = "Paliwo & Łódź"

// NewMailbox starts one with a certificate of its own.
func NewMailbox(t testing.TB) *Mailbox {
	t.Helper()
	m := &Mailbox{password: DrivePassword, logins: map[string]int{}, left: -1}
	var err error
	if m.user, err = memory.New().Login(nil, "username", "password"); err != nil {
		t.Fatal(err)
	}
	if err := m.user.CreateMailbox(MailFolder); err != nil {
		t.Fatal(err)
	}
	certified := httptest.NewTLSServer(http.NotFoundHandler())
	defer certified.Close()
	m.trust = certified.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m.Address = plain.Addr().String()
	s := imapserver.New(m)
	s.ErrorLog = log.New(io.Discard, "", 0)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.Serve(tls.NewListener(&breaking{plain, m}, &tls.Config{Certificates: certified.TLS.Certificates}))
	}()
	t.Cleanup(func() { _ = s.Close(); <-ended })
	return m
}

// Login is what the server asks.
func (m *Mailbox) Login(_ *imap.ConnInfo, account, password string) (backend.User, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.logins[password]++
	if account != "anna" || password != m.password {
		return nil, errors.New("no")
	}
	return m.user, nil
}

// Logins is how often somebody signed in with a password, or tried to.
func (m *Mailbox) Logins(password string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.logins[password]
}

// SetPassword is somebody who changes the password at the other side.
func (m *Mailbox) SetPassword(password string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.password = password
}

// Trust is what a client needs to believe it.
func (m *Mailbox) Trust() *tls.Config { return m.trust.Clone() }

// Deliver puts a message into the folder.
func (m *Mailbox) Deliver(t testing.TB, raw string) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	box, err := m.user.GetMailbox(MailFolder)
	if err == nil {
		err = box.CreateMessage(nil, time.Now(), bytes.NewBufferString(raw))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Read are the numbers of messages of the folder that are marked as read.
func (m *Mailbox) Read(t testing.TB) (numbers []uint32) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	box, err := m.user.GetMailbox(MailFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range box.(*memory.Mailbox).Messages {
		if slices.Contains(one.Flags, imap.SeenFlag) {
			numbers = append(numbers, one.Uid)
		}
	}
	return numbers
}

// Cut breaks every connection once so many bytes were sent; negative: they hold.
func (m *Mailbox) Cut(after int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.left = after
}

// breaking gives connections that break.
type breaking struct {
	net.Listener
	m *Mailbox
}

func (b *breaking) Accept() (net.Conn, error) {
	c, err := b.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &breakable{c, b.m}, nil
}

type breakable struct {
	net.Conn
	m *Mailbox
}

func (b *breakable) Write(p []byte) (int, error) {
	b.m.mu.Lock()
	broken := b.m.left >= 0 && len(p) > b.m.left
	if b.m.left >= 0 && !broken {
		b.m.left -= len(p)
	}
	b.m.mu.Unlock()
	if broken {
		_ = b.Close()
		return 0, io.ErrClosedPipe
	}
	return b.Conn.Write(p)
}
