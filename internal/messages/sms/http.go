package sms

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

// patience is how long an answer may take.
const patience = 10 * time.Second

// mostAnswer is how much of an answer is read.
const mostAnswer = 1 << 20

// client speaks with one address that the settings name, and follows no redirection: it carries credentials.
type client struct {
	base string
	http *http.Client
	auth func(*http.Request)
}

func newClient(base string, trust *tls.Config, auth func(*http.Request)) (client, error) {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return client{}, errors.New("sms: the address of the provider must be https without user, query and fragment")
	}
	transport := &http.Transport{TLSClientConfig: trust, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 4,
		IdleConnTimeout: time.Minute, TLSHandshakeTimeout: patience, Proxy: http.ProxyFromEnvironment}
	return client{base: strings.TrimSuffix(base, "/"), auth: auth, http: &http.Client{Timeout: patience, Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}, nil
}

// call gives the status and the JSON of an answer. Without an answer the error says whether the request may have arrived. The errors of
// net/http name the address, with a phone number in it, so none of them is passed on.
func (c client) call(ctx context.Context, method, path string, form url.Values, answer any) (status int, err error) {
	var body io.Reader
	address := c.base + path
	if method == http.MethodPost {
		body = strings.NewReader(form.Encode())
	} else if len(form) > 0 {
		address += "?" + form.Encode()
	}
	// net/http repeats a POST only where nothing of it was written.
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	request, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return 0, &Error{Outcome: Refused, Reason: Other}
	}
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	request.Header.Set("Accept", "application/json")
	c.auth(request)
	response, err := c.http.Do(request)
	if err != nil {
		if !connected.Load() {
			return 0, &Error{Outcome: Later, Reason: NoAnswer}
		}
		return 0, &Error{Outcome: Unknown, Reason: NoAnswer}
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer))
	if err == nil {
		err = json.Unmarshal(content, answer)
	}
	if err != nil && response.StatusCode < 300 {
		return response.StatusCode, &Error{Outcome: Unknown, Reason: NoAnswer, Status: response.StatusCode}
	}
	return response.StatusCode, nil
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
