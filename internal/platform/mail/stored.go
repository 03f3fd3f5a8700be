package mail

import (
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"net/textproto"
	"strings"
	"time"
)

// storedMail is a mail read back from its file.
type storedMail struct {
	ID, Subject, From, To, Language string
	WrittenAt                       time.Time
	Text, HTML                      string
	Files                           []Attachment
}

// readHead reads who wrote to whom about what, and leaves the rest of the mail unread.
func readHead(r io.Reader) (storedMail, *netmail.Message, error) {
	m, err := netmail.ReadMessage(r)
	if err != nil {
		return storedMail{}, nil, err
	}
	var words mime.WordDecoder
	plain := func(name string) string {
		value := m.Header.Get(name)
		if decoded, err := words.DecodeHeader(value); err == nil {
			return decoded
		}
		return value
	}
	l := storedMail{Subject: plain("Subject"), From: plain("From"), To: plain("To"), Language: m.Header.Get("Content-Language")}
	l.WrittenAt, _ = m.Header.Date()
	return l, m, nil
}

func readMail(r io.Reader) (storedMail, error) {
	l, m, err := readHead(r)
	if err != nil {
		return storedMail{}, err
	}
	return l, l.read(textproto.MIMEHeader(m.Header), m.Body, 0)
}

// maxDepth is far beyond what a mail program nests, and keeps a crafted file from exhausting the stack.
const maxDepth = 10

func (l *storedMail) read(header textproto.MIMEHeader, body io.Reader, depth int) error {
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return err
	}
	if strings.HasPrefix(kind, "multipart/") {
		if depth == maxDepth {
			return errors.New("the mail is nested too deeply")
		}
		parts := multipart.NewReader(body, params["boundary"])
		for {
			part, err := parts.NextRawPart()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if err := l.read(part.Header, part, depth+1); err != nil {
				return err
			}
		}
	}
	content, err := io.ReadAll(decoded(header, body))
	if err != nil {
		return err
	}
	disposition, place, _ := mime.ParseMediaType(header.Get("Content-Disposition"))
	switch {
	case disposition == "attachment":
		l.Files = append(l.Files, Attachment{Name: place["filename"], Type: kind, Data: content})
	case kind == "text/html":
		l.HTML = string(content)
	default:
		l.Text = string(content)
	}
	return nil
}

func decoded(header textproto.MIMEHeader, body io.Reader) io.Reader {
	switch strings.ToLower(header.Get("Content-Transfer-Encoding")) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		return quotedprintable.NewReader(body)
	}
	return body
}
