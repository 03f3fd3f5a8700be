// Package mail sends mails: a queue in the database, quotas, and transport to a mail server or, in development, to a folder
// that can be read in a browser.
package mail

import (
	"context"
	"errors"
	"fmt"
)

// Sender delivers one message. A nil error means that the other side has taken responsibility for it;
// after any other error the same message may be sent again and then has the same Message-ID.
type Sender interface {
	Send(ctx context.Context, m Delivery) error
}

// Open gives the sender for an smtp:// or smtps:// address, or for the folder when the address is empty.
// Its errors never hold the password.
func Open(address, folder string) (Sender, error) {
	if address == "" {
		return OpenFolder(folder)
	}
	return OpenSMTP(address)
}

// Permanent tells whether sending the same message again is pointless: the message or its recipient was refused.
// Every other failure (no connection, busy server, wrong password) can mend itself or be mended.
func Permanent(err error) bool {
	var f *failure
	return errors.As(err, &f) && f.permanent
}

// failure says in one line why a message was not sent.
type failure struct {
	permanent bool
	reason    string
	cause     error
}

func (f *failure) Error() string { return f.reason }

func (f *failure) Unwrap() error { return f.cause }

func postpone(cause error, format string, args ...any) error {
	return &failure{reason: fmt.Sprintf(format, args...), cause: cause}
}
