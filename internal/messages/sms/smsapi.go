package sms

import (
	"context"
	"crypto/subtle"
	"crypto/tls"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// SMSAPIAddress is where SMSAPI.pl answers.
const SMSAPIAddress = "https://api.smsapi.pl"

// SMSAPISettings are a partner's settings for SMSAPI.pl.
type SMSAPISettings struct {
	Address string // SMSAPIAddress; another one only in tests
	Token   string
	Sender  string // the name that phones show; empty: the account's own
	// ReportAddress is the address of ours that reports come to, and ReportSecret what it has as its query parameter "secret": SMSAPI
	// signs nothing. Without an address there are no reports.
	ReportAddress, ReportSecret string
	Test                        bool // messages are checked and not sent

	Trust *tls.Config // nil: the certificates of the system
}

type smsAPI struct {
	SMSAPISettings
	client
}

// NewSMSAPI gives a gateway to SMSAPI.pl.
//
// It takes the caller's id (idx) and refuses a second message with the same one (check_idx, error 53), so repeating an attempt asks
// whether the first was accepted, and sends only if it was not.
func NewSMSAPI(s SMSAPISettings) (Gateway, error) {
	c, err := newClient(s.Address, s.Trust, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+s.Token) })
	return smsAPI{s, c}, err
}

// smsAPIAnswer is an accepted message or an error: SMSAPI answers most errors with status 200.
type smsAPIAnswer struct {
	Error json.Number `json:"error"`
	Parts int         `json:"parts"`
	List  []struct {
		ID     string      `json:"id"`
		Status string      `json:"status"`
		Error  json.Number `json:"error"`
		Parts  int         `json:"parts"`
	} `json:"list"`
}

const smsAPIDuplicate = 53

func (g smsAPI) Send(ctx context.Context, id, to, text string) (Sent, error) {
	parts, err := check(id, to, text)
	if err != nil {
		return Sent{}, err
	}
	form := url.Values{"to": {strings.TrimPrefix(to, "+")}, "message": {text}, "encoding": {"utf-8"}, "format": {"json"}, "details": {"1"},
		"idx": {id}, "check_idx": {"1"}}
	if g.Sender != "" {
		form.Set("from", g.Sender)
	}
	if g.ReportAddress != "" {
		form.Set("notify_url", g.ReportAddress+"?"+url.Values{"secret": {g.ReportSecret}}.Encode())
	}
	if g.Test {
		form.Set("test", "1")
	}
	var answer smsAPIAnswer
	status, err := g.call(ctx, http.MethodPost, "/sms.do", form, &answer)
	if err != nil {
		return Sent{}, err
	}
	code := intOf(answer.Error)
	if code == 0 && len(answer.List) == 1 {
		code = intOf(answer.List[0].Error)
	}
	switch {
	case code == smsAPIDuplicate:
		return Sent{Parts: parts}, nil
	case code != 0:
		return Sent{}, smsAPIError(status, code)
	case status < 200 || status > 299:
		return Sent{}, byStatus(status, 0)
	case len(answer.List) != 1 || answer.List[0].ID == "":
		return Sent{}, &Error{Outcome: Unknown, Reason: NoAnswer, Status: status}
	}
	if n := max(answer.Parts, answer.List[0].Parts); n > 0 {
		parts = n
	}
	return Sent{Ref: answer.List[0].ID, Parts: parts}, nil
}

func (g smsAPI) Resume(ctx context.Context, id, to, text string, _ time.Time) (Sent, error) {
	sent, err := g.Send(ctx, id, to, text)
	// Only what the message itself is refused for was refused the first time too: credit, a token and a queue may have changed since.
	var e *Error
	if errors.As(err, &e) && (e.Outcome == Later || e.Reason != InvalidNumber && e.Reason != InvalidText) {
		err = &Error{Outcome: Unknown, Reason: e.Reason, Status: e.Status, Code: e.Code}
	}
	return sent, err
}

func smsAPIError(status, code int) *Error {
	e := &Error{Outcome: Refused, Reason: Other, Status: status, Code: code}
	switch code {
	case 11, 12, 19:
		e.Reason = InvalidText
	case 13:
		e.Reason = InvalidNumber
	case 14:
		e.Reason = InvalidSender
	case 52: // ten messages to one number within a minute
		e.Outcome, e.Reason = Later, Busy
	case 57:
		e.Reason = OptedOut
	case 94, 110:
		e.Reason = NotAllowed
	case 101, 102, 105:
		e.Reason = Unauthorized
	case 103:
		e.Reason = NoCredit
	case 202, 203:
		e.Outcome, e.Reason = Later, Busy
	case 201, 999: // its own failure
		e.Outcome, e.Reason = Unknown, NoAnswer
	}
	return e
}

// smsAPIStates are the numbers of states. 401 (not found) and 408 (no report) say nothing.
var smsAPIStates = map[string]State{"402": Expired, "403": Accepted, "404": Delivered, "405": Undelivered, "406": Failed, "407": Failed,
	"409": Queued, "410": Accepted, "411": Accepted, "412": Failed}

// Report reads the lists of ids and states that SMSAPI sends by GET or POST, several messages divided by commas.
func (g smsAPI) Report(r *http.Request) ([]Report, error) {
	r.Body = http.MaxBytesReader(nil, r.Body, mostAnswer)
	given := r.URL.Query().Get("secret")
	if g.ReportSecret == "" || subtle.ConstantTimeCompare([]byte(given), []byte(g.ReportSecret)) != 1 {
		return nil, ErrForged
	}
	if err := r.ParseForm(); err != nil {
		return nil, ErrForged
	}
	refs, states, ids := split(r.Form.Get("MsgId")), split(r.Form.Get("status")), split(r.Form.Get("idx"))
	reports := []Report{}
	for i, ref := range refs {
		if i >= len(states) || smsAPIStates[states[i]] == "" {
			continue
		}
		report := Report{Ref: ref, State: smsAPIStates[states[i]]}
		if len(ids) == len(refs) {
			report.ID = ids[i]
		}
		switch report.State {
		case Undelivered, Expired:
			report.Reason = Unreachable
		case Failed:
			report.Reason = Other
		}
		reports = append(reports, report)
	}
	return reports, nil
}

func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

func intOf(n json.Number) int {
	i, _ := n.Int64()
	return int(i)
}
