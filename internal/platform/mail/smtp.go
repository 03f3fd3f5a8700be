package mail

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
)

// SMTP sends through a mail server. It keeps no connection between messages and may be used by many goroutines.
type SMTP struct {
	host           string
	port           int
	user, password string
	implicitTLS    bool
	startTLS       gomail.TLSPolicy
	timeout        time.Duration
	tls            *tls.Config
}

const exampleAddress = "write it as smtp://user:password@host:587 or smtps://user:password@host:465"

// OpenSMTP reads an address such as smtp://user:password@host:587?starttls=always&timeout=60s; it does not connect.
// starttls is always (the default), opportunistic or never; timeout bounds connecting and delivering, each.
func OpenSMTP(address string) (*SMTP, error) {
	// The parser's own error quotes the address, and with it the password.
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the mail address of the server cannot be read: " + exampleAddress)
	}
	s := &SMTP{host: u.Hostname(), user: u.User.Username(), timeout: time.Minute, startTLS: gomail.TLSMandatory}
	s.password, _ = u.User.Password()
	switch u.Scheme {
	case "smtp":
		s.port = 587
	case "smtps":
		s.port, s.implicitTLS = 465, true
	default:
		return nil, errors.New("the mail server's address must start with smtp:// or smtps://: " + exampleAddress)
	}
	if s.host == "" || strings.Trim(u.Path, "/") != "" {
		return nil, errors.New("the mail server's address needs a host and no path: " + exampleAddress)
	}
	if p := u.Port(); p != "" {
		if s.port, err = strconv.Atoi(p); err != nil || s.port < 1 || s.port > 65535 {
			return nil, errors.New("the mail server's port must be 1 to 65535: " + exampleAddress)
		}
	}
	if (s.user == "") != (s.password == "") {
		return nil, errors.New("the mail server's address needs both a user and a password, or neither: " + exampleAddress)
	}
	if err := s.configure(u.Query()); err != nil {
		return nil, err
	}
	s.tls = &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12}
	return s, nil
}

func (s *SMTP) configure(options url.Values) error {
	for name, values := range options {
		value := values[0]
		switch {
		case name == "starttls" && s.implicitTLS:
			return errors.New("smtps:// is encrypted from the start: leave starttls out, or use smtp://")
		case name == "starttls" && value == "always":
			s.startTLS = gomail.TLSMandatory
		case name == "starttls" && value == "opportunistic":
			s.startTLS = gomail.TLSOpportunistic
		case name == "starttls" && value == "never":
			if s.user != "" && !loopback(s.host) {
				return errors.New("starttls=never would send the mail password unprotected: use starttls=always or smtps://")
			}
			s.startTLS = gomail.NoTLS
		case name == "starttls":
			return errors.New("starttls in the mail server's address must be always, opportunistic or never")
		case name == "timeout":
			timeout, err := time.ParseDuration(value)
			if err != nil || timeout <= 0 {
				return errors.New("timeout in the mail server's address must be a duration such as 60s")
			}
			s.timeout = timeout
		default:
			return fmt.Errorf("the mail server's address has an unknown option %q: only starttls and timeout exist", name)
		}
	}
	return nil
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Send delivers the message in a connection of its own. It returns nil exactly when the server has accepted the mail;
// cancelling the context ends the conversation at once.
func (s *SMTP) Send(ctx context.Context, m Delivery) error {
	e, err := compose(m)
	if err != nil {
		return err
	}
	hangUp := func() {}
	defer func() { hangUp() }()
	client, err := gomail.NewClient(s.host, s.options(func(dialCtx context.Context, network, address string) (net.Conn, error) {
		conn, err := s.dial(dialCtx, network, address)
		if err != nil {
			return nil, err
		}
		// The library watches the context only while it dials, and leaves the connection open when the greeting fails.
		stop := context.AfterFunc(ctx, func() { conn.Close() })
		hangUp = func() { stop(); conn.Close() }
		return conn, nil
	})...)
	if err != nil {
		return postpone(err, "the mail server's settings do not fit together: %v", err)
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return s.explain(ctx, "cannot be used", err, false)
	}
	if err := session.UpdateDeadline(s.timeout); err != nil {
		return s.explain(ctx, "hung up", err, false)
	}
	if what, err := deliver(session, e); err != nil {
		return s.explain(ctx, what, err, true)
	}
	// The mail is accepted; how the server says goodbye changes nothing and is not worth a long wait.
	_ = session.UpdateDeadline(min(s.timeout, 5*time.Second))
	_ = session.Quit()
	return nil
}

func (s *SMTP) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if s.implicitTLS {
		return (&tls.Dialer{Config: s.tls}).DialContext(ctx, network, address)
	}
	return (&net.Dialer{}).DialContext(ctx, network, address)
}

func (s *SMTP) options(dial gomail.DialContextFunc) []gomail.Option {
	options := []gomail.Option{
		gomail.WithPort(s.port), gomail.WithTimeout(s.timeout), gomail.WithTLSPolicy(s.startTLS),
		gomail.WithTLSConfig(s.tls), gomail.WithDialContextFunc(dial),
	}
	if s.implicitTLS {
		options = append(options, gomail.WithSSL())
	}
	if s.user != "" {
		// Named one by one: automatic choice does not know that a connection we dialled is encrypted. PLAIN and LOGIN
		// still refuse to run on one that is not.
		options = append(options, gomail.WithUsername(s.user), gomail.WithPassword(s.password),
			gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthSCRAMSHA1,
				gomail.SMTPAuthCramMD5, gomail.SMTPAuthPlain, gomail.SMTPAuthLogin))
	}
	return options
}

// deliver holds the conversation about one mail; what it returns says which step went wrong.
func deliver(session *smtp.Client, e envelope) (what string, err error) {
	if err := session.Mail("<" + e.from + ">"); err != nil {
		return "did not accept the sender " + e.from, err
	}
	if err := session.Rcpt("<" + e.to + ">"); err != nil {
		return "did not accept the recipient " + e.to, err
	}
	w, err := session.Data()
	if err != nil {
		return "did not accept the mail", err
	}
	if _, err := w.Write(e.content); err != nil {
		return "broke off during the mail", err
	}
	return "did not accept the mail", w.Close()
}

// explain turns what went wrong into one line with the server's own words and without the password.
func (s *SMTP) explain(ctx context.Context, what string, cause error, aboutMessage bool) error {
	reason, permanent := cause.Error(), false
	if reply := (*textproto.Error)(nil); errors.As(cause, &reply) {
		reason = fmt.Sprintf("%d %s", reply.Code, reply.Msg)
		permanent = aboutMessage && reply.Code >= 500 && !aboutLogin(reply.Code)
	} else if ctx.Err() != nil {
		reason, cause = "sending was stopped", ctx.Err()
	}
	reason = s.withoutPassword(oneLine(reason))
	return &failure{permanent: permanent, reason: fmt.Sprintf("the mail server %s %s: %s", s.host, what, reason), cause: cause}
}

// aboutLogin: these refusals concern our account, not the message, and end once the setting is mended.
func aboutLogin(code int) bool { return code == 530 || code == 534 || code == 535 || code == 538 }

// oneLine keeps a foreign text fit for a log line and a screen.
func oneLine(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if runes := []rune(text); len(runes) > 300 {
		return string(runes[:300]) + "…"
	}
	return text
}

// withoutPassword guards against servers that quote what they were sent.
func (s *SMTP) withoutPassword(text string) string {
	if s.password == "" {
		return text
	}
	for _, secret := range []string{
		base64.StdEncoding.EncodeToString([]byte("\x00" + s.user + "\x00" + s.password)),
		base64.StdEncoding.EncodeToString([]byte(s.password)),
		s.password,
	} {
		text = strings.ReplaceAll(text, secret, "…")
	}
	return text
}
