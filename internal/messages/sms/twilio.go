package sms

import (
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// TwilioAddress is where Twilio answers.
const TwilioAddress = "https://api.twilio.com"

// TwilioSettings are a partner's settings for Twilio.
type TwilioSettings struct {
	Address string // TwilioAddress; another one only in tests
	Account string // its SID
	Token   string // signs reports too
	Sender  string // a number, a name, or the SID of a messaging service (MG…)
	// ReportAddress is the address of ours that reports come to, as Twilio sees it: it is part of what is signed. Its query has
	// ReportSecret, by which it is known whose report it is.
	ReportAddress, ReportSecret string

	Trust *tls.Config // nil: the certificates of the system
}

type twilio struct {
	TwilioSettings
	client
}

// NewTwilio gives a gateway to Twilio.
//
// Twilio knows no id of the caller's when it takes a message. After a lost answer its messages to that number are looked through for the
// same text, created since the attempt began; and the address for reports has the id, so a report tells of an attempt too.
func NewTwilio(s TwilioSettings) (Gateway, error) {
	c, err := newClient(s.Address, s.Trust, func(r *http.Request) { r.SetBasicAuth(s.Account, s.Token) })
	return twilio{s, c}, err
}

type twilioMessage struct {
	SID         string      `json:"sid"`
	Body        string      `json:"body"`
	Direction   string      `json:"direction"`
	DateCreated string      `json:"date_created"`
	NumSegments json.Number `json:"num_segments"`
	Code        int         `json:"code"` // of an error
}

func (g twilio) path() string {
	return "/2010-04-01/Accounts/" + url.PathEscape(g.Account) + "/Messages.json"
}

func (g twilio) Send(ctx context.Context, id, to, text string) (Sent, error) {
	parts, err := check(id, to, text)
	if err != nil {
		return Sent{}, err
	}
	form := url.Values{"To": {to}, "Body": {text}}
	if strings.HasPrefix(g.Sender, "MG") && len(g.Sender) == 34 {
		form.Set("MessagingServiceSid", g.Sender)
	} else {
		form.Set("From", g.Sender)
	}
	if g.ReportAddress != "" {
		form.Set("StatusCallback", g.ReportAddress+"?"+url.Values{"id": {id}, "secret": {g.ReportSecret}}.Encode())
	}
	var answer twilioMessage
	status, err := g.call(ctx, http.MethodPost, g.path(), form, &answer)
	switch {
	case err != nil:
		return Sent{}, err
	case status < 200 || status > 299:
		return Sent{}, twilioError(status, answer.Code)
	case answer.SID == "":
		return Sent{}, &Error{Outcome: Unknown, Reason: NoAnswer, Status: status}
	}
	return answer.sent(parts), nil
}

// sent takes Twilio's number of parts, which is 0 where a messaging service decides it later.
func (m twilioMessage) sent(parts int) Sent {
	if n := intOf(m.NumSegments); n > 0 {
		parts = n
	}
	return Sent{Ref: m.SID, Parts: parts}
}

// clocksDiffer is how far Twilio's clock may be behind.
const clocksDiffer = time.Minute

func (g twilio) Resume(ctx context.Context, id, to, text string, begun time.Time) (Sent, error) {
	parts, err := check(id, to, text)
	if err != nil {
		return Sent{}, err
	}
	var answer struct {
		Messages []twilioMessage `json:"messages"`
		Code     int             `json:"code"`
	}
	status, err := g.call(ctx, http.MethodGet, g.path(), url.Values{"To": {to}, "PageSize": {"100"}}, &answer)
	if err != nil || status < 200 || status > 299 || answer.Messages == nil {
		// The question failed, so it is as unknown as before.
		return Sent{}, &Error{Outcome: Unknown, Reason: NoAnswer, Status: status, Code: answer.Code}
	}
	for _, m := range answer.Messages {
		created, err := time.Parse(time.RFC1123Z, m.DateCreated)
		if err == nil && !created.Before(begun.Add(-clocksDiffer)) && m.Body == text && strings.HasPrefix(m.Direction, "outbound") {
			return m.sent(parts), nil
		}
	}
	return g.Send(ctx, id, to, text)
}

var twilioReasons = map[int]Reason{
	21211: InvalidNumber, 21214: InvalidNumber, 21217: InvalidNumber, 21614: InvalidNumber, 30005: InvalidNumber, 30006: InvalidNumber,
	21610: OptedOut, 30004: OptedOut,
	30003: Unreachable, 30008: Unreachable,
	21408: NotAllowed, 21608: NotAllowed, 30007: NotAllowed, 30034: NotAllowed,
	21212: InvalidSender, 21603: InvalidSender, 21606: InvalidSender, 21659: InvalidSender,
	21602: InvalidText, 21617: InvalidText,
	20003: Unauthorized, 20404: Unauthorized,
	20005: NoCredit, 30002: NoCredit, // an account without credit is suspended
}

func twilioError(status, code int) *Error {
	switch code {
	case 20429, 21611, 14107, 63038: // too fast, queue full, day's limit
		return &Error{Outcome: Later, Reason: Busy, Status: status, Code: code}
	}
	e := byStatus(status, code)
	if reason := twilioReasons[code]; reason != "" && status < 500 {
		e.Outcome, e.Reason = Refused, reason
	}
	return e
}

var twilioStates = map[string]State{"accepted": Queued, "scheduled": Queued, "queued": Queued, "sending": Queued, "sent": Accepted,
	"delivered": Delivered, "read": Delivered, "undelivered": Undelivered, "failed": Failed, "canceled": Failed}

// Report checks the signature: HMAC-SHA1 of the address as Twilio called it, followed by all fields in the order of their names.
func (g twilio) Report(r *http.Request) ([]Report, error) {
	r.Body = http.MaxBytesReader(nil, r.Body, mostAnswer)
	if err := r.ParseForm(); err != nil || g.Token == "" {
		return nil, ErrForged
	}
	address := g.ReportAddress
	if r.URL.RawQuery != "" {
		address += "?" + r.URL.RawQuery
	}
	given, err := base64.StdEncoding.DecodeString(r.Header.Get("X-Twilio-Signature"))
	if err != nil || !hmac.Equal(given, twilioSignature(g.Token, address, r.PostForm)) {
		return nil, ErrForged
	}
	state := twilioStates[r.PostForm.Get("MessageStatus")]
	if state == "" {
		return []Report{}, nil
	}
	report := Report{ID: r.URL.Query().Get("id"), Ref: r.PostForm.Get("MessageSid"), State: state}
	if state == Undelivered || state == Failed {
		code, _ := strconv.Atoi(r.PostForm.Get("ErrorCode"))
		if report.Reason = twilioReasons[code]; report.Reason == "" {
			report.Reason = Other
		}
	}
	return []Report{report}, nil
}

func twilioSignature(token, address string, fields url.Values) []byte {
	mac := hmac.New(sha1.New, []byte(token))
	mac.Write([]byte(address))
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		values := slices.Clone(fields[name])
		slices.Sort(values)
		for _, value := range slices.Compact(values) {
			mac.Write([]byte(name + value))
		}
	}
	return mac.Sum(nil)
}
