// Package payments takes money online through a payment provider. It knows neither database nor jobs nor what is bought: its callers
// decide what to ask for and when, and call it outside of units of work.
//
// What a provider tells by itself is never believed: an event only says which payment to ask about. State is the only truth.
//
// Names, addresses and keys are in no error and no log.
package payments

import (
	"context"
	"errors"
	"net/http"
	"time"

	"saldo/internal/kernel/money"
)

// Gateway is a payment provider. It may be used by many goroutines.
type Gateway interface {
	// Start makes a payment that a person can pay at URL. The same Key gives the same payment, however often it is called, so an answer
	// that was lost is asked for again. An error is of type *Error.
	Start(ctx context.Context, p Payment) (Started, error)
	// State asks what became of a payment.
	State(ctx context.Context, ref string) (Status, error)
	// Expire ends a payment, so that nobody can pay any longer, where the provider can: at Przelewy24 it ends by itself at ExpiresAt.
	// It is no error where nothing is left to end. A payment that was paid stays paid, and money that is on its way may still come: ask
	// for its State afterwards.
	Expire(ctx context.Context, ref string) error
	// Refund gives money back. The same key refunds once; called again it says how far that refund is now.
	Refund(ctx context.Context, ref string, amount money.Amount, currency money.Currency, key string) (Refunded, error)
	// List gives the payments that were made from an instant on and before another, for comparing with what is known here. It may lack
	// Refunded.
	List(ctx context.Context, from, to time.Time) ([]Status, error)
	// Event reads what a provider posts, and refuses with ErrForged what is not from the provider, too old, or from its test mode
	// where money is real.
	Event(header http.Header, body []byte, now time.Time) (Event, error)
}

// Payment is what to ask a person for.
type Payment struct {
	Key       string // ours, the same in every call for the same payment
	Order     string // number that the person sees
	Text      string // what it is for
	Amount    money.Amount
	Currency  money.Currency
	Email     string    // of who pays
	Language  string    // pl, en, de, uk, ru
	Return    string    // address of the page that the person comes back to, whatever happened
	Events    string    // address for events
	CreatedAt time.Time // of the try to pay, the same in every call
	// ExpiresAt is more than 30 minutes and less than 24 hours away in the first call, the same in every call. A provider may end it earlier.
	ExpiresAt time.Time
}

// Started is a payment at the provider.
type Started struct {
	Ref       string // the provider's id
	URL       string // where the person pays
	ExpiresAt time.Time
}

// State is how far a payment is.
type State string

// The states. Pending: nothing is decided yet, or the money is on its way. Whoever is refused by a bank may mostly try again on the
// provider's page, so a payment stays Pending then. Failed and Expired may still become Paid.
const (
	Pending State = "pending"
	Paid    State = "paid"
	Failed  State = "failed"
	Expired State = "expired"
)

// Status is what the provider knows of a payment now.
type Status struct {
	Ref      string
	Key      string // ours, as the provider repeats it
	State    State
	Reason   Reason       // of a payment that failed
	Amount   money.Amount // that came where it is Paid, else that was asked for, or 0
	Currency money.Currency
	Refunded money.Amount // of Amount, with what is on its way back
	At       time.Time    // when it was made at the provider
}

// Refunded is what became of a refund.
type Refunded struct {
	Ref   string
	State State // Pending, Paid (the money is on its way back) or Failed
}

// Event says that something happened to a payment. Without Ref and Key it is about something else at the provider, not ours.
type Event struct {
	ID   string // the provider's, the same in every delivery
	Ref  string // the provider's id of the payment; empty: Key names it
	Key  string // ours, where the provider repeats it
	Kind string // the provider's word
}

// Outcome is what a failed call means. Refused: nothing was done, and the same call would be refused again. Later: nothing was done,
// try again. Unknown: perhaps it was done; call again with the same key.
type Outcome string

// The outcomes.
const (
	Refused Outcome = "refused"
	Later   Outcome = "later"
	Unknown Outcome = "unknown"
)

// Reason is why a payment or a call failed, as a code.
type Reason string

// The reasons.
const (
	Declined     Reason = "declined" // by the bank or the card
	NoFunds      Reason = "no_funds"
	Cancelled    Reason = "cancelled" // by the person
	TimedOut     Reason = "timed_out"
	Returned     Reason = "returned"  // the provider gave the money back by itself
	NotFound     Reason = "not_found" // the provider does not know this payment
	Unauthorized Reason = "unauthorized"
	Invalid      Reason = "invalid" // what was asked for
	Busy         Reason = "busy"
	NoAnswer     Reason = "no_answer"
	Other        Reason = "other"
)

// Error is why a call was not, or perhaps not, carried out.
type Error struct {
	Outcome Outcome
	Reason  Reason
	Status  int // of HTTP; 0: no answer
}

// Error has nothing of the payment.
func (e *Error) Error() string { return "payments: " + string(e.Outcome) + ": " + string(e.Reason) }

// ErrForged is returned for an event that is not from the provider.
var ErrForged = errors.New("payments: this event is not from the provider")
