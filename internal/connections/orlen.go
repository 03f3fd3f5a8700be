package connections

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/drive"
	"saldo/internal/platform/outbound"
)

const (
	answerWithin = time.Minute
	// FileMost is how many bytes a fetched file may have.
	FileMost = 20 << 20
)

// Transactions asks the connector for a fleet's transactions of some days, with one sign-in: a file as the issuer's portal gives it. Its
// errors are problems, which name no address and no secret.
func (s *Service) Transactions(ctx context.Context, o Open, from, to calendar.Date) ([]byte, error) {
	if o.Kind != Orlen || s.FuelURL == nil {
		return nil, drive.Unexpected
	}
	return s.transactions(ctx, &o.Public, o.password, from, to)
}

func (s *Service) transactions(ctx context.Context, p *Public, password string, from, to calendar.Date) ([]byte, error) {
	u := s.FuelURL.JoinPath("fuel", "orlen", "transactions")
	u.RawQuery = url.Values{"fleet": {p.FleetNumber}, "from": {string(from)}, "to": {string(to)}}.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, drive.Unexpected
	}
	r.SetBasicAuth(p.Account, password)
	answer, err := s.connector().Do(r)
	switch {
	case errors.Is(err, outbound.ErrPrivate):
		return nil, drive.Private
	case err != nil:
		return nil, drive.Away // the error names the address
	}
	defer func() { _ = answer.Body.Close() }()
	if p := problemOf(answer); p != "" {
		return nil, p
	}
	content, err := io.ReadAll(io.LimitReader(answer.Body, FileMost+1))
	switch {
	case len(content) > FileMost:
		return nil, drive.TooLarge
	case err != nil:
		return nil, drive.Away // half a file is none
	}
	return content, nil
}

// connector is a client for one question: a password goes with it, so no connection of it is used for another partner's.
func (s *Service) connector() *http.Client {
	c := outbound.Client(s.Allowed, s.Trust, answerWithin)
	c.Transport.(*http.Transport).DisableKeepAlives = true
	return c
}

func problemOf(answer *http.Response) drive.Problem {
	switch status := answer.StatusCode; {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return drive.Denied
	case status == http.StatusTooManyRequests:
		return drive.Busy
	case status >= http.StatusInternalServerError:
		return drive.Away
	case status != http.StatusOK:
		return drive.Unexpected // also a redirection: the password goes nowhere else
	}
	if answer.ContentLength > FileMost {
		return drive.TooLarge
	}
	if kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); kind == "text/html" {
		return drive.Unexpected
	}
	return ""
}
