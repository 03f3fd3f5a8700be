// Package rest calls JSON interfaces of other companies over HTTPS, with credentials. It repeats nothing: whoever calls knows what may be
// asked twice.
//
// The errors of net/http name the address, which may hold a phone number or the id of a payment, so none of them is passed on.
package rest

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

// Client speaks with one address that the settings name, and follows no redirection: it carries credentials.
type Client struct {
	Base string
	HTTP *http.Client
	Auth func(*http.Request)
	Most int64 // bytes of an answer that are read
}

// New makes a client for an https address. An answer may take so long.
func New(base string, trust *tls.Config, within time.Duration, most int64, auth func(*http.Request)) (Client, error) {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return Client{}, errors.New("the address of the provider must be https without user, query and fragment")
	}
	transport := &http.Transport{TLSClientConfig: trust, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 4,
		IdleConnTimeout: time.Minute, TLSHandshakeTimeout: within, Proxy: http.ProxyFromEnvironment}
	return Client{Base: strings.TrimSuffix(base, "/"), Auth: auth, Most: most, HTTP: &http.Client{Timeout: within, Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}, nil
}

// Request is one call. A question (GET) has no body.
type Request struct {
	Method, Path string
	Query        url.Values
	Body         string
	Header       map[string]string
}

// Unanswered is the error of a call to which no answer came that can be read.
type Unanswered struct {
	Status  int  // of HTTP; 0: nothing came
	Arrived bool // the other side may have carried it out
}

func (u *Unanswered) Error() string { return "rest: there is no answer" }

var errRequest = errors.New("rest: this is no request")

// Call gives the status and the JSON of an answer. Of answers that are no success, what is no JSON is left out.
func (c Client) Call(ctx context.Context, r Request, answer any) (status int, err error) {
	address := c.Base + r.Path
	if len(r.Query) > 0 {
		address += "?" + r.Query.Encode()
	}
	var body io.Reader
	if r.Method != http.MethodGet {
		body = strings.NewReader(r.Body)
	}
	// net/http repeats a request with a body only where nothing of it was written.
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	request, err := http.NewRequestWithContext(ctx, r.Method, address, body)
	if err != nil {
		return 0, errRequest
	}
	request.Header.Set("Accept", "application/json")
	for name, value := range r.Header {
		request.Header.Set(name, value)
	}
	c.Auth(request)
	response, err := c.HTTP.Do(request)
	if err != nil {
		return 0, &Unanswered{Arrived: connected.Load()}
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(io.LimitReader(response.Body, c.Most))
	if err == nil {
		err = json.Unmarshal(content, answer)
	}
	if err != nil && response.StatusCode < 300 {
		return response.StatusCode, &Unanswered{Status: response.StatusCode, Arrived: true}
	}
	return response.StatusCode, nil
}
