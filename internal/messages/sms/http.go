package sms

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"saldo/internal/platform/rest"
)

// patience is how long an answer may take.
const patience = 10 * time.Second

// mostAnswer is how much of an answer is read.
const mostAnswer = 1 << 20

// client is a provider's interface; its errors are those of this package.
type client struct{ rest.Client }

func newClient(base string, trust *tls.Config, auth func(*http.Request)) (client, error) {
	c, err := rest.New(base, trust, patience, mostAnswer, auth)
	if err != nil {
		return client{}, fmt.Errorf("sms: %w", err)
	}
	return client{c}, nil
}

// call posts a form, or asks with it, and gives the status and the JSON of an answer.
func (c client) call(ctx context.Context, method, path string, form url.Values, answer any) (status int, err error) {
	r := rest.Request{Method: method, Path: path}
	if method == http.MethodPost {
		r.Body, r.Header = form.Encode(), map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	} else {
		r.Query = form
	}
	status, err = c.Call(ctx, r, answer)
	var lost *rest.Unanswered
	switch {
	case err == nil:
		return status, nil
	case !errors.As(err, &lost):
		return 0, &Error{Outcome: Refused, Reason: Other}
	case !lost.Arrived:
		return 0, &Error{Outcome: Later, Reason: NoAnswer}
	}
	return status, &Error{Outcome: Unknown, Reason: NoAnswer, Status: lost.Status}
}

// byStatus says what an answer means that only its status explains.
func byStatus(status, code int) *Error {
	e := &Error{Outcome: Refused, Reason: Other, Status: status, Code: code}
	switch {
	case status == http.StatusTooManyRequests:
		e.Outcome, e.Reason = Later, Busy
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e.Reason = Unauthorized
	case status == http.StatusPaymentRequired:
		e.Reason = NoCredit
	case status >= 500: // the provider may have accepted it before it failed
		e.Outcome, e.Reason = Unknown, NoAnswer
	case status >= 300 && status < 400:
		e.Outcome = Later
	}
	return e
}
