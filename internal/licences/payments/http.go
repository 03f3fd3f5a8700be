package payments

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

const (
	patience   = 15 * time.Second // how long an answer may take
	answerMost = 4 << 20          // bytes of it that are read
)

// client speaks with one address that the settings name, and follows no redirection: it carries credentials.
type client struct {
	base string
	http *http.Client
	auth func(*http.Request)
}

func newClient(base string, trust *tls.Config, auth func(*http.Request)) (client, error) {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return client{}, errors.New("payments: the address of the provider must be https without user, query and fragment")
	}
	transport := &http.Transport{TLSClientConfig: trust, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 4,
		IdleConnTimeout: time.Minute, TLSHandshakeTimeout: patience, Proxy: http.ProxyFromEnvironment}
	return client{base: strings.TrimSuffix(base, "/"), auth: auth, http: &http.Client{Timeout: patience, Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}, nil
}

// request is one call of a provider.
type request struct {
	method, path string
	query        url.Values
	body         string
	header       map[string]string
}

// call gives the status and the JSON of an answer. Without an answer the error says whether the request may have arrived. The errors of
// net/http name the address, with the id of a payment in it, so none of them is passed on.
func (c client) call(ctx context.Context, r request, answer any) (status int, err error) {
	address := c.base + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	var body io.Reader
	if r.method != http.MethodGet {
		body = strings.NewReader(r.body)
	}
	// net/http repeats a request with a body only where nothing of it was written.
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	request, err := http.NewRequestWithContext(ctx, r.method, address, body)
	if err != nil {
		return 0, &Error{Outcome: Refused, Reason: Invalid}
	}
	request.Header.Set("Accept", "application/json")
	for name, value := range r.header {
		request.Header.Set(name, value)
	}
	c.auth(request)
	response, err := c.http.Do(request)
	if err != nil {
		return 0, unanswered(r.method, 0, connected.Load())
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(io.LimitReader(response.Body, answerMost))
	if err == nil {
		err = json.Unmarshal(content, answer)
	}
	if err != nil && response.StatusCode < 300 {
		return response.StatusCode, unanswered(r.method, response.StatusCode, true)
	}
	return response.StatusCode, nil
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
