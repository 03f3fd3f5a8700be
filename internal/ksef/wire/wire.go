// Package wire calls KSeF over HTTP, and nothing else: what is called when, and what is kept of it, is decided by others. It repeats
// nothing by itself but one call whose key KSeF has changed; net/http may ask a question (GET) twice whose connection has ended.
//
// Errors hold no names, numbers or contents, so that they may be logged. The errors of net/http name addresses, which may let in whoever
// has them: none of them is passed on.
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"saldo/internal/ksef"
)

// Client calls one environment, for one company once it has signed in.
type Client struct {
	ksef.Env
	HTTP *http.Client
	Pace Pace // nil: as often as one likes
	// Access is the token of whoever is signed in. It goes to Env.API and nowhere else.
	Access string
	// Pause waits between two questions whether a sign-in is through; nil: by the clock.
	Pause func(context.Context, time.Duration) error
}

// Pace says when a call may be made: KSeF counts calls by company and address, whatever process makes them.
type Pace interface {
	// May counts a call of a group of limits. It gives how long to wait where there were too many; then the call is not made.
	May(ctx context.Context, group string) (wait time.Duration, err error)
}

// String is for logs: it leaves out what lets in.
func (c Client) String() string { return "KSeF at " + c.API }

// As is the client of somebody who has signed in.
func (c Client) As(t Tokens) Client {
	c.Access = t.Access
	return c
}

// How long a call may take and how much of its answer is read. Files have sizes of their own.
const (
	within     = 30 * time.Second
	mostAnswer = 8 << 20
	mostFile   = 16 << 20 // an invoice has 3 MB at most, the UPO of 10,000 invoices about 6
)

// request is one call.
type request struct {
	method, path string
	group        string // of limits
	query        url.Values
	header       map[string]string
	body         any    // as JSON
	raw          []byte // as XML
	token        string // empty: Access; none where public
	public       bool
}

func (c Client) pause(ctx context.Context, d time.Duration) error {
	if c.Pause != nil {
		return c.Pause(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// do makes a call without following redirections, which would carry what is sent elsewhere.
func (c Client) do(r *http.Request) (*http.Response, error) {
	plain := http.Client{}
	if c.HTTP != nil {
		plain = *c.HTTP
	}
	plain.Jar = nil
	plain.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := plain.Do(r)
	if err != nil {
		return nil, &Said{cause: r.Context().Err()}
	}
	return answer, nil
}

// call gives the JSON of an answer; nil: there is none to read.
func (c Client) call(ctx context.Context, r request, answer any) error {
	content, _, err := c.content(ctx, r, mostAnswer)
	if err != nil || answer == nil {
		return err
	}
	if json.Unmarshal(content, answer) != nil {
		return &Said{HTTP: http.StatusOK, Reason: reasonUnreadable}
	}
	return nil
}

// reference asks for what KSeF calls something by, without which nothing can be done with it.
func (c Client) reference(ctx context.Context, r request) (string, error) {
	var got referenced
	err := c.call(ctx, r, &got)
	return got.Reference, given(err, got.Reference)
}

type referenced struct {
	Reference string `json:"referenceNumber"`
}

// given is an error also where KSeF left out what it must give.
func given(err error, texts ...string) error {
	if err == nil && slices.Contains(texts, "") {
		return &Said{HTTP: http.StatusOK, Reason: reasonUnreadable}
	}
	return err
}

// content gives what a call is answered.
func (c Client) content(ctx context.Context, r request, most int64) ([]byte, http.Header, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	if c.Pace != nil {
		wait, err := c.Pace.May(ctx, r.group)
		if err != nil {
			return nil, nil, err
		}
		if wait > 0 {
			return nil, nil, &Said{HTTP: http.StatusTooManyRequests, After: wait}
		}
	}
	request, err := c.request(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	answer, err := c.do(request)
	if err != nil {
		return nil, nil, err
	}
	return read(ctx, answer, most)
}

func (c Client) request(ctx context.Context, r request) (*http.Request, error) {
	if !strings.HasPrefix(c.API, "https://") {
		return nil, errAddress
	}
	body, kind := r.raw, "application/xml"
	if r.body != nil {
		var err error
		if body, err = json.Marshal(r.body); err != nil {
			return nil, err
		}
		kind = "application/json"
	}
	address := c.API + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	var reader io.Reader
	if len(body) > 0 {
		reader = bytes.NewReader(body)
	}
	request, err := http.NewRequestWithContext(ctx, r.method, address, reader)
	if err != nil {
		return nil, errAddress
	}
	if len(body) > 0 {
		request.Header.Set("Content-Type", kind)
	}
	request.Header.Set("Accept", "application/json, application/xml, application/problem+json")
	request.Header.Set("X-Error-Format", "problem-details")
	for name, value := range r.header {
		request.Header.Set(name, value)
	}
	token := r.token
	if token == "" {
		token = c.Access
	}
	if !r.public {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	return request, nil
}

// read gives an answer that is a success, and an error else.
func read(ctx context.Context, answer *http.Response, most int64) ([]byte, http.Header, error) {
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode/100 != 2 {
		return nil, nil, refusal(answer)
	}
	content, err := io.ReadAll(io.LimitReader(answer.Body, most+1))
	switch {
	case err != nil:
		return nil, nil, &Said{cause: ctx.Err()}
	case int64(len(content)) > most:
		return nil, nil, &Said{HTTP: answer.StatusCode, Reason: reasonTooLarge}
	}
	return content, answer.Header, nil
}

// refusal reads an error in either of its forms.
func refusal(answer *http.Response) *Said {
	s := &Said{HTTP: answer.StatusCode}
	if s.HTTP == http.StatusTooManyRequests || s.HTTP == http.StatusServiceUnavailable {
		s.After = retryAfter(answer.Header.Get("Retry-After"))
	}
	content, _ := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
	var e failure
	if json.Unmarshal(content, &e) != nil {
		return s
	}
	s.Trace, s.Reason = plain(e.TraceID), plain(e.ReasonCode)
	for _, one := range e.Errors {
		s.Codes, s.Words = append(s.Codes, one.Code), append(append(s.Words, one.Description), one.Details...)
	}
	if e.Exception != nil {
		for _, one := range e.Exception.List {
			s.Codes, s.Words = append(s.Codes, one.Code), append(append(s.Words, one.Description), one.Details...)
		}
	}
	return s
}

// retryAfter is how long to wait: seconds, or a date that is none of KSeF's forms.
func retryAfter(text string) time.Duration {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return min(time.Duration(n)*time.Second, 24*time.Hour)
	}
	return time.Minute
}

// plain is a word of the machine's own, which names nobody.
func plain(text string) string {
	for _, r := range text {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' {
			return ""
		}
	}
	return text[:min(len(text), 64)]
}

// outside is an address that KSeF gave, where files are put or fetched: of its own domain, or it is not called.
func (c Client) outside(address string) (*url.URL, error) {
	own, err := url.Parse(c.API)
	if err != nil {
		return nil, errAddress
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.User != nil || u.Port() != own.Port() || !sameDomain(own.Hostname(), u.Hostname()) {
		return nil, errAddress
	}
	return u, nil
}

// sameDomain says whether a host is of the domain of another: what follows its first part, if that leaves a domain of somebody's own.
func sameDomain(own, host string) bool {
	own, host = strings.ToLower(own), strings.ToLower(host)
	if own == host {
		return true
	}
	if _, err := netip.ParseAddr(own); err == nil {
		return false
	}
	_, domain, _ := strings.Cut(own, ".")
	return strings.Contains(domain, ".") && strings.HasSuffix(host, "."+domain)
}

// file fetches a file by an address of its own, without a token, and compares it with its hash.
func (c Client) file(ctx context.Context, address string, most int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	u, err := c.outside(address)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, errAddress
	}
	answer, err := c.do(request)
	if err != nil {
		return nil, err
	}
	content, header, err := read(ctx, answer, most)
	if err != nil {
		return nil, err
	}
	return whole(content, header)
}

// whole is a file unless it is not what its hash says.
func whole(content []byte, header http.Header) ([]byte, error) {
	if sum := header.Get("X-Ms-Meta-Hash"); sum != "" && sum != ksef.Hash(content) {
		return nil, &Said{HTTP: http.StatusOK, Reason: reasonHash}
	}
	return content, nil
}
