package mailbox

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"path"
	"slices"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/htmlindex"
)

const (
	// FileMost is how many bytes an attached file may have.
	FileMost    = 20 << 20
	messageMost = FileMost/3*4 + FileMost/10 // as base64, in lines, with the rest of the message
	partsMost   = 100
	filesMost   = 20
	deepMost    = 5 // messages and parts within each other
	idMost      = 300
)

// ErrRefused is the error of a message that is not read: it is too large, broken, or made to harm.
var ErrRefused = errors.New("mailbox: the message was refused")

// Message is what a message holds that may be a statement.
type Message struct {
	ID    string // as its sender wrote it
	Files []File
}

// File is an attached file.
type File struct {
	Name    string
	Content []byte
}

// tables are endings of files that may hold rows.
var tables = []string{".csv", ".txt", ".xlsx", ".zip"}

// Parse reads a message: attached files that may hold rows, also those of messages that it forwards as a whole.
func Parse(raw []byte) (Message, error) {
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return Message{}, ErrRefused
	}
	r := reading{}
	if err := r.part(textproto.MIMEHeader(m.Header), m.Body, 0); err != nil {
		return Message{}, ErrRefused
	}
	id := strings.TrimSpace(m.Header.Get("Message-Id"))
	return Message{ID: strings.ToValidUTF8(id[:min(len(id), idMost)], "_"), Files: r.files}, nil
}

type reading struct {
	parts int
	files []File
}

func (r *reading) part(header textproto.MIMEHeader, body io.Reader, deep int) error {
	if r.parts++; r.parts > partsMost || deep > deepMost {
		return ErrRefused
	}
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		kind, params = "application/octet-stream", nil
	}
	switch {
	case strings.HasPrefix(kind, "multipart/"):
		parts := multipart.NewReader(body, params["boundary"])
		for {
			one, err := parts.NextRawPart()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if err := r.part(one.Header, one, deep+1); err != nil {
				return err
			}
		}
	case kind == "message/rfc822":
		m, err := mail.ReadMessage(decoded(header, body))
		if err != nil {
			return err
		}
		return r.part(textproto.MIMEHeader(m.Header), m.Body, deep+1)
	}
	name := nameOf(header, params)
	if name == "" && kind == "text/csv" {
		name = "attachment.csv"
	}
	if !slices.Contains(tables, strings.ToLower(path.Ext(name))) {
		return nil
	}
	content, err := io.ReadAll(io.LimitReader(decoded(header, body), FileMost+1))
	if err != nil || len(content) > FileMost || len(r.files) == filesMost {
		return ErrRefused // half a file is none
	}
	r.files = append(r.files, File{name, content})
	return nil
}

func decoded(header textproto.MIMEHeader, body io.Reader) io.Reader {
	switch strings.ToLower(strings.TrimSpace(header.Get("Content-Transfer-Encoding"))) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		return quotedprintable.NewReader(body)
	}
	return body
}

var words = mime.WordDecoder{CharsetReader: func(charset string, in io.Reader) (io.Reader, error) {
	e, err := htmlindex.Get(charset)
	if err != nil {
		return nil, err
	}
	return e.NewDecoder().Reader(in), nil
}}

// nameOf is the name of an attached file, which programs write in many ways.
func nameOf(header textproto.MIMEHeader, params map[string]string) string {
	_, disposed, _ := mime.ParseMediaType(header.Get("Content-Disposition"))
	for _, name := range []string{disposed["filename"], params["name"]} {
		if read, err := words.DecodeHeader(name); err == nil {
			name = read
		}
		if name = strings.TrimSpace(name); name != "" {
			return name
		}
	}
	return ""
}

// encoded is the name of a folder as servers call it: modified UTF-7.
func encoded(folder string) string {
	var out strings.Builder
	var wide []rune
	flush := func() {
		if len(wide) == 0 {
			return
		}
		var units []byte
		for _, u := range utf16.Encode(wide) {
			units = append(units, byte(u>>8), byte(u))
		}
		out.WriteString("&" + strings.ReplaceAll(base64.RawStdEncoding.EncodeToString(units), "/", ",") + "-")
		wide = wide[:0]
	}
	for _, c := range folder {
		if c < ' ' || c > '~' {
			wide = append(wide, c)
			continue
		}
		flush()
		if c == '&' {
			out.WriteString("&-")
		} else {
			out.WriteRune(c)
		}
	}
	flush()
	return out.String()
}
