// Package mailbox reads files out of a mailbox at somebody else's server, by IMAP over TLS. Server and senders are strangers: whatever
// they send is read up to a limit, in the goroutine of the caller, and nothing they send ends more than the one message or connection.
package mailbox

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"saldo/internal/platform/drive"
	"saldo/internal/platform/outbound"
)

const (
	commandWithin = time.Minute
	linesMost     = 4 << 20 // bytes of the answer to one command, apart from a message
	port          = "993"
)

// Account is a mailbox and how to come in.
type Account struct {
	Server         string // with a port or without one
	Name, Password string
	Folder         string
}

// Box is an open folder of a mailbox. Its errors are problems, which name no server and no secret, or ErrRefused.
type Box struct {
	conn     net.Conn
	in       *bufio.Reader
	left     int // bytes that the server may still send
	commands int
	folder   string // as the server calls it
	validity string
	unbind   func() bool
}

// Open signs in, once, and opens the folder for reading and marking.
func Open(ctx context.Context, dialer *net.Dialer, trust *tls.Config, a Account) (*Box, error) {
	host, at, err := net.SplitHostPort(a.Server)
	if err != nil {
		host, at = a.Server, port
	}
	plain, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(host, at))
	switch {
	case errors.Is(err, outbound.ErrPrivate):
		return nil, drive.Private
	case err != nil:
		return nil, drive.Away // the error names the server
	}
	settings := &tls.Config{}
	if trust != nil {
		settings = trust.Clone()
	}
	settings.ServerName, settings.NextProtos = host, nil
	conn := tls.Client(plain, settings)
	b := &Box{conn: conn, in: bufio.NewReader(conn), folder: encoded(a.Folder),
		unbind: context.AfterFunc(ctx, func() { _ = plain.Close() })}
	if err := b.begin(a); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

func (b *Box) begin(a Account) error {
	if err := b.allow(linesMost); err != nil {
		return err
	}
	if greeting, err := b.answer(); err != nil {
		return err
	} else if !strings.HasPrefix(greeting.text, "* OK") {
		return drive.Unexpected // also who is in before a password was asked
	}
	status, err := b.do(linesMost, nil, bare("LOGIN"), text(a.Name), text(a.Password))
	switch {
	case err != nil:
		return err
	case status.ok():
	case strings.Contains(status.text, "[UNAVAILABLE]") || strings.Contains(status.text, "[INUSE]") ||
		strings.Contains(status.text, "[LIMIT]"):
		return drive.Away
	default:
		return drive.Denied
	}
	status, err = b.do(linesMost, func(r response) {
		if m := validityForm.FindStringSubmatch(r.text); m != nil {
			b.validity = m[1]
		}
	}, bare("SELECT"), text(b.folder))
	switch {
	case err != nil:
		return err
	case !status.ok():
		return drive.NoFolder
	case strings.Contains(status.text, "[READ-ONLY]"):
		return drive.Denied
	}
	return nil
}

var (
	validityForm = regexp.MustCompile(`^\* OK \[UIDVALIDITY ([0-9]{1,20})\]`)
	numberForm   = regexp.MustCompile(`[ (]UID ([0-9]{1,10})[ )]`)
	sizeForm     = regexp.MustCompile(`[ (]RFC822\.SIZE ([0-9]{1,19})[ )]`)
)

// Close ends the connection; what was not answered is forgotten.
func (b *Box) Close() {
	b.unbind()
	_ = b.conn.Close()
}

// Unread are the numbers of the messages that nobody has read, oldest first.
func (b *Box) Unread() (numbers []uint32, err error) {
	status, err := b.do(linesMost, func(r response) {
		for field := range strings.FieldsSeq(strings.TrimPrefix(r.text, "* SEARCH")) {
			if n, err := strconv.ParseUint(field, 10, 32); err == nil && strings.HasPrefix(r.text, "* SEARCH ") {
				numbers = append(numbers, uint32(n))
			}
		}
	}, bare("UID SEARCH UNSEEN UNDELETED"))
	if err == nil && !status.ok() {
		err = drive.Unexpected
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), err
}

// Place names a message for as long as the server keeps its word. No sender can choose it.
func (b *Box) Place(number uint32) string {
	return fmt.Sprintf("%s/%s/%d", b.folder, b.validity, number)
}

// Read gives the files that are attached to a message, without marking it. A message that is too large or broken is ErrRefused.
func (b *Box) Read(number uint32) (Message, error) {
	size := uint64(0)
	status, err := b.do(linesMost, func(r response) {
		if m := sizeForm.FindStringSubmatch(r.text); m != nil && r.of(number) {
			size, _ = strconv.ParseUint(m[1], 10, 64)
		}
	}, bare(fmt.Sprintf("UID FETCH %d (UID RFC822.SIZE)", number)))
	switch {
	case err != nil:
		return Message{}, err
	case !status.ok() || size == 0 || size > messageMost: // it may have been deleted meanwhile
		return Message{}, ErrRefused
	}
	var raw []byte
	if status, err = b.do(messageMost+linesMost, func(r response) {
		if len(r.literals) == 1 && r.of(number) {
			raw = r.literals[0]
		}
	}, bare(fmt.Sprintf("UID FETCH %d (UID BODY.PEEK[])", number))); err != nil {
		return Message{}, err
	}
	if !status.ok() || raw == nil {
		return Message{}, ErrRefused
	}
	return Parse(raw)
}

// MarkRead marks a message as read.
func (b *Box) MarkRead(number uint32) error {
	status, err := b.do(linesMost, nil, bare(fmt.Sprintf(`UID STORE %d +FLAGS.SILENT (\Seen)`, number)))
	if err == nil && !status.ok() {
		return drive.Denied
	}
	return err
}

// response is a line of the server, its literals apart.
type response struct {
	text     string
	literals [][]byte
}

func (r response) ok() bool {
	_, rest, _ := strings.Cut(r.text, " ")
	return strings.HasPrefix(rest, "OK")
}

func (r response) of(number uint32) bool {
	m := numberForm.FindStringSubmatch(r.text)
	return m != nil && m[1] == strconv.FormatUint(uint64(number), 10)
}

// part is one of a command.
type part interface {
	// written is it as a command has it, or as it is where it has to be sent apart.
	written() (text string, plain bool)
}

// bare is sent as it is.
type bare string

func (b bare) written() (string, bool) { return string(b), true }

// text is sent between quotes.
type text string

func (t text) written() (string, bool) {
	for _, c := range []byte(t) {
		if c < ' ' || c >= 0x7f {
			return string(t), false
		}
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(string(t)) + `"`, true
}

// do sends a command and gives its status; each gets every other line. The server may send so many bytes.
func (b *Box) do(most int, each func(response), parts ...part) (response, error) {
	if err := b.allow(most); err != nil {
		return response{}, err
	}
	b.commands++
	tag := fmt.Sprintf("S%d", b.commands)
	line := tag
	for _, part := range parts {
		text, plain := part.written()
		line += " "
		if plain {
			line += text
			continue
		}
		if err := b.send(fmt.Sprintf("%s{%d}\r\n", line, len(text))); err != nil {
			return response{}, err
		}
		if status, err := b.wait(tag, each, true); err != nil || strings.HasPrefix(status.text, tag) {
			return status, err
		}
		line = text
	}
	if err := b.send(line + "\r\n"); err != nil {
		return response{}, err
	}
	return b.wait(tag, each, false)
}

// wait reads until the status of a command, or until the server asks for more where it should.
func (b *Box) wait(tag string, each func(response), more bool) (response, error) {
	for {
		r, err := b.answer()
		switch {
		case err != nil:
			return r, err
		case strings.HasPrefix(r.text, tag+" ") || more && strings.HasPrefix(r.text, "+"):
			return r, nil
		case strings.HasPrefix(r.text, "* BYE"):
			return r, drive.Away
		case each != nil:
			each(r)
		}
	}
}

func (b *Box) allow(most int) error {
	b.left = most
	if err := b.conn.SetDeadline(time.Now().Add(commandWithin)); err != nil {
		return drive.Away
	}
	return nil
}

func (b *Box) send(text string) error {
	if _, err := io.WriteString(b.conn, text); err != nil {
		return drive.Away
	}
	return nil
}

var literalForm = regexp.MustCompile(`\{([0-9]{1,10})\}$`)

// answer reads one line with its literals.
func (b *Box) answer() (r response, err error) {
	for {
		line, err := b.line()
		if err != nil {
			return r, err
		}
		r.text += line
		m := literalForm.FindStringSubmatch(line)
		if m == nil {
			return r, nil
		}
		n, err := strconv.Atoi(m[1])
		if err != nil || n > b.left {
			return r, drive.Unexpected
		}
		b.left -= n
		literal := make([]byte, n)
		if _, err := io.ReadFull(b.in, literal); err != nil {
			return r, drive.Away
		}
		r.literals = append(r.literals, literal)
	}
}

func (b *Box) line() (string, error) {
	var line []byte
	for {
		some, err := b.in.ReadSlice('\n')
		line = append(line, some...)
		if b.left -= len(some); b.left < 0 {
			return "", drive.Unexpected
		}
		if err == nil {
			return strings.TrimRight(string(line), "\r\n"), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return "", drive.Away
		}
	}
}
