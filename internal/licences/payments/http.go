package payments

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"time"

	"saldo/internal/platform/rest"
)

const (
	patience   = 15 * time.Second // how long an answer may take
	answerMost = 4 << 20          // bytes of it that are read
)

// client is a provider's interface; its errors are those of this package.
type client struct{ rest.Client }

func newClient(base string, trust *tls.Config, auth func(*http.Request)) (client, error) {
	c, err := rest.New(base, trust, patience, answerMost, auth)
	if err != nil {
		return client{}, fmt.Errorf("payments: %w", err)
	}
	return client{c}, nil
}

// call gives the status and the JSON of an answer. Without an answer the error says whether the request may have arrived.
func (c client) call(ctx context.Context, r rest.Request, answer any) (status int, err error) {
	status, err = c.Call(ctx, r, answer)
	var lost *rest.Unanswered
	switch {
	case err == nil:
		return status, nil
	case errors.As(err, &lost):
		return status, unanswered(r.Method, lost.Status, lost.Arrived)
	}
	return 0, &Error{Outcome: Refused, Reason: Invalid}
}

// unanswered is the error of a call of which nothing is known. A question may always be asked again.
func unanswered(method string, status int, arrived bool) *Error {
	e := &Error{Outcome: Later, Reason: NoAnswer, Status: status}
	if arrived && method != http.MethodGet {
		e.Outcome = Unknown
	}
	return e
}

// byStatus says what an answer other than success means where only its status explains it.
func byStatus(method string, status int) *Error {
	e := &Error{Outcome: Refused, Reason: Other, Status: status}
	switch {
	case status == http.StatusTooManyRequests:
		e.Outcome, e.Reason = Later, Busy
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e.Reason = Unauthorized
	case status == http.StatusNotFound:
		e.Reason = NotFound
	case status == http.StatusBadRequest || status == http.StatusConflict || status == http.StatusUnprocessableEntity:
		e.Reason = Invalid
	case status >= 500: // the provider may have done it before it failed
		return unanswered(method, status, true)
	case status >= 300 && status < 400:
		e.Outcome = Later
	}
	return e
}

// ok says whether a status is success.
func ok(status int) bool { return status >= 200 && status < 300 }
