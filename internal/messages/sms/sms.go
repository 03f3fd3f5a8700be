// Package sms sends text messages through a provider of the partner's choice: SMSAPI or Twilio. It knows neither database nor jobs:
// its callers decide whom to send to, when, and how many parts a month may cost, and send outside of units of work.
//
// Phone numbers and texts are in no error and no log.
package sms

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"time"
)

// Gateway is a provider of SMS. It may be used by many goroutines.
type Gateway interface {
	// Send hands a message over, under an id of the caller's that stays the same in every attempt. An error is of type *Error.
	Send(ctx context.Context, id, to, text string) (Sent, error)
	// Resume ends a sending that ended Unknown, begun at an instant: it asks the provider, and sends only what the provider does
	// not have. It is called AskAfter that instant at the earliest, so that the provider has noted what it accepted.
	Resume(ctx context.Context, id, to, text string, begun time.Time) (Sent, error)
	// Report reads what a provider tells of messages, and refuses what is not from the provider with ErrForged.
	Report(r *http.Request) ([]Report, error)
}

// Sent is what a provider accepted.
type Sent struct {
	Ref   string // the provider's id; empty: it said only that it has the message
	Parts int
}

// Report is what became of a message.
type Report struct {
	ID     string // the caller's; empty if the provider did not repeat it
	Ref    string
	State  State
	Reason Reason // of what was not delivered
}

// State is how far a message is.
type State string

// States, in the order in which they follow each other; the last four are final.
const (
	Queued      State = "queued"
	Accepted    State = "accepted"
	Delivered   State = "delivered"
	Undelivered State = "undelivered"
	Failed      State = "failed"
	Expired     State = "expired"
)

// Final tells whether nothing follows.
func (s State) Final() bool { return s != Queued && s != Accepted && s != "" }

// Follows tells whether a report of a state changes what is known. Reports arrive in any order and more than once.
func (s State) Follows(known State) bool {
	return !known.Final() && s != known && (s.Final() || s == Accepted || known == "")
}

// AskAfter is how long to wait after a lost answer.
const AskAfter = 2 * time.Minute

// Outcome is what a failed attempt means for the message.
type Outcome string

// Refused: not sent, and the same attempt would be refused again. Later: not sent, try again. Unknown: perhaps sent; only Resume
// may follow.
const (
	Refused Outcome = "refused"
	Later   Outcome = "later"
	Unknown Outcome = "unknown"
)

// Reason is why a message was refused or not delivered, as a code.
type Reason string

// Reasons.
const (
	InvalidNumber Reason = "invalid_number"
	OptedOut      Reason = "opted_out"
	Unreachable   Reason = "unreachable"
	NotAllowed    Reason = "not_allowed" // by the provider: country, content, or an account for trying it out
	InvalidSender Reason = "invalid_sender"
	InvalidText   Reason = "invalid_text"
	Unauthorized  Reason = "unauthorized"
	NoCredit      Reason = "no_credit"
	Busy          Reason = "busy"
	NoAnswer      Reason = "no_answer"
	Other         Reason = "other"
)

// Error is why a message was not, or perhaps not, accepted.
type Error struct {
	Outcome Outcome
	Reason  Reason
	Status  int // of HTTP; 0: no answer
	Code    int // the provider's own; 0: none
}

// Error has nothing of the message.
func (e *Error) Error() string { return "sms: " + string(e.Outcome) + ": " + string(e.Reason) }

// ErrForged is returned for a report that is not from the provider.
var ErrForged = errors.New("sms: this report is not from the provider")

var e164 = regexp.MustCompile(`^\+[1-9][0-9]{7,14}$`)

// check refuses what every provider would refuse, and gives the number of parts.
func check(id, to, text string) (int, error) {
	parts, _ := Parts(text)
	switch {
	case id == "" || len(id) > 255:
		return 0, &Error{Outcome: Refused, Reason: Other}
	case !e164.MatchString(to):
		return 0, &Error{Outcome: Refused, Reason: InvalidNumber}
	case parts == 0 || parts > MostParts:
		return 0, &Error{Outcome: Refused, Reason: InvalidText}
	}
	return parts, nil
}
