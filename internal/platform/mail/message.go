package mail

import (
	"bytes"
	"fmt"
	"mime"
	netmail "net/mail"
	"regexp"
	"strings"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"
	"golang.org/x/net/idna"
)

// Address is a person or office that writes or receives mail: a name and an e-mail address.
type Address = netmail.Address

// Message is one mail to one recipient, in one language.
type Delivery struct {
	// ID becomes the left side of the Message-ID, so a repeated send can be told from a second mail.
	// It holds 1 to 100 letters, digits, dots, dashes and underscores.
	ID          string
	From        Address
	ReplyTo     Address // whom an answer reaches; empty: the sender
	To          Address
	Subject     string
	Text        string // always present: the mail must be readable without HTML
	HTML        string // optional
	Language    string // two letters, such as "pl"
	Attachments []Attachment
	Unsubscribe string // address at which mails of its sort are stopped; empty: nowhere
	// WrittenAt is the date of the mail, the same in a repeat; zero means the moment of sending.
	WrittenAt time.Time
}

// Attachment is a file that travels with a message.
type Attachment struct {
	Name string // as the recipient sees it; up to 200 bytes
	Type string // media type, such as "application/pdf"
	Data []byte
}

var (
	validID       = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$`)
	validLanguage = regexp.MustCompile(`^[a-z]{2}$`)
)

// maxFileName keeps the encoded name inside the 998 characters a header line may have.
const maxFileName = 200

// envelope is a message ready for transport: the two bare addresses and the text of the mail.
type envelope struct {
	from, to string
	content  []byte
}

// compose checks the message and turns it into transportable text; its errors are permanent.
func compose(m Delivery) (envelope, error) {
	if err := check(m); err != nil {
		return envelope{}, err
	}
	from, err := bareAddress("sender", m.From.Address)
	if err != nil {
		return envelope{}, err
	}
	to, err := bareAddress("recipient", m.To.Address)
	if err != nil {
		return envelope{}, err
	}
	_, domain, _ := strings.Cut(from, "@")

	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.FromMailAddress(&Address{Name: m.From.Name, Address: from})
	msg.ToMailAddress(&Address{Name: m.To.Name, Address: to})
	// An address that no mail server accepts is left out: the mail itself must arrive.
	if answers, err := bareAddress("partner", m.ReplyTo.Address); err == nil {
		if err := msg.ReplyToFormat(m.ReplyTo.Name, answers); err != nil {
			return envelope{}, refuse("the mail cannot be composed: %v", err)
		}
	}
	msg.Subject(m.Subject)
	msg.SetMessageIDWithValue(m.ID + "@" + domain)
	msg.SetGenHeader("Content-Language", m.Language)
	// Holiday replies must not answer a machine.
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	if m.Unsubscribe != "" { // RFC 2369, and RFC 8058: one click in the mail program is enough
		msg.SetGenHeader("List-Unsubscribe", "<"+m.Unsubscribe+">")
		msg.SetGenHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	}
	if m.WrittenAt.IsZero() {
		msg.SetDate()
	} else {
		msg.SetDateWithValue(m.WrittenAt)
	}
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	for _, a := range m.Attachments {
		msg.AttachReadSeeker(safeFileName.Replace(a.Name), bytes.NewReader(a.Data),
			gomail.WithFileContentType(gomail.ContentType(a.Type)), withFileNameParameter)
	}
	var content bytes.Buffer
	if _, err := msg.WriteTo(&content); err != nil {
		return envelope{}, refuse("the mail cannot be composed: %v", err)
	}
	return envelope{from: from, to: to, content: content.Bytes()}, nil
}

func check(m Delivery) error {
	switch {
	case !validID.MatchString(m.ID):
		return refuse("the mail id must be 1 to 100 letters, digits, dots, dashes or underscores")
	case !validLanguage.MatchString(m.Language):
		return refuse("the language of the mail must be two small letters, such as pl")
	case strings.TrimSpace(m.Subject) == "":
		return refuse("the mail has no subject")
	case strings.TrimSpace(m.Text) == "":
		return refuse("the mail has no text")
	}
	lines := []struct{ what, value string }{
		{"the subject", m.Subject}, {"the sender's name", m.From.Name}, {"the recipient's name", m.To.Name},
		{"the name for answers", m.ReplyTo.Name}, {"the address for unsubscribing", m.Unsubscribe},
	}
	for _, a := range m.Attachments {
		if a.Name == "" || len(a.Name) > maxFileName {
			return refuse("an attachment's name must have 1 to %d bytes", maxFileName)
		}
		if _, _, err := mime.ParseMediaType(a.Type); err != nil || !strings.Contains(a.Type, "/") {
			return refuse("an attachment needs a media type, such as application/pdf")
		}
		lines = append(lines, struct{ what, value string }{"an attachment's name", a.Name})
		lines = append(lines, struct{ what, value string }{"an attachment's media type", a.Type})
	}
	for _, l := range lines {
		if strings.ContainsFunc(l.value, unicode.IsControl) {
			return refuse("%s holds a line break or another control character", l.what)
		}
	}
	return nil
}

// bareAddress accepts one plain address and gives the form every mail server understands.
func bareAddress(whose, address string) (string, error) {
	if strings.ContainsFunc(address, unicode.IsControl) {
		return "", refuse("the %s's address holds a line break or another control character", whose)
	}
	parsed, err := netmail.ParseAddress(address)
	if err != nil || parsed.Address != address {
		return "", refuse("the %s's address %q is not an e-mail address", whose, address)
	}
	at := strings.LastIndexByte(address, '@')
	local := address[:at]
	domain, err := idna.Lookup.ToASCII(address[at+1:])
	if err != nil || strings.ContainsFunc(local, notPlain) {
		return "", refuse("the %s's address %q is not one that mail servers accept", whose, address)
	}
	return local + "@" + domain, nil
}

func notPlain(r rune) bool {
	return r <= ' ' || r > '~' || strings.ContainsRune(`"<>()[],;:\@`, r)
}

var safeFileName = strings.NewReplacer(`"`, "_", "/", "_", ":", "_", "<", "_", ">", "_", "?", "_", `\`, "_", "|", "_")

// withFileNameParameter writes the name the way RFC 2231 says; the library's own way is only a habit of mail programs,
// which it keeps in Content-Type for the old ones.
func withFileNameParameter(f *gomail.File) {
	f.Header.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.Name}))
}

func refuse(format string, args ...any) error {
	return &failure{permanent: true, reason: fmt.Sprintf(format, args...)}
}
