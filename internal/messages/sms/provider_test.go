package sms

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"saldo/internal/testkit"
)

func gateways(t *testing.T) map[string]func(change func(*SMSAPISettings, *TwilioSettings)) (Gateway, *testkit.SMSProvider) {
	return map[string]func(func(*SMSAPISettings, *TwilioSettings)) (Gateway, *testkit.SMSProvider){
		"smsapi": func(change func(*SMSAPISettings, *TwilioSettings)) (Gateway, *testkit.SMSProvider) {
			p := testkit.NewSMSAPI(t)
			s := SMSAPISettings{Address: p.URL(), Token: testkit.SMSAPIToken, Sender: "Flota", ReportAddress: reportsTo,
				ReportSecret: reportSecret, Trust: p.Trust()}
			if change != nil {
				change(&s, &TwilioSettings{})
			}
			g, err := NewSMSAPI(s)
			if err != nil {
				t.Fatal(err)
			}
			return g, p
		},
		"twilio": func(change func(*SMSAPISettings, *TwilioSettings)) (Gateway, *testkit.SMSProvider) {
			p := testkit.NewTwilio(t)
			s := TwilioSettings{Address: p.URL(), Account: testkit.TwilioSID, Token: testkit.TwilioToken, Sender: "+48111222333",
				ReportAddress: reportsTo, ReportSecret: reportSecret, Trust: p.Trust()}
			if change != nil {
				change(&SMSAPISettings{}, &s)
			}
			g, err := NewTwilio(s)
			if err != nil {
				t.Fatal(err)
			}
			return g, p
		},
	}
}

const (
	someone      = "+48500100200"
	reportsTo    = "https://saldo.example/api/sms/x/status"
	reportSecret = "very-secret"
)

const secretText = "Cześć Anno, tajne 123"

func wantError(t *testing.T, what string, err error, outcome Outcome, reason Reason) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Outcome != outcome || e.Reason != reason {
		t.Errorf("%s: %v, not %s %s", what, err, outcome, reason)
	}
	if err != nil && (strings.Contains(fmt.Sprintf("%+v", err), "500100200") || strings.Contains(fmt.Sprintf("%+v", err), "tajne")) {
		t.Errorf("%s: the error tells of the message: %+v", what, err)
	}
}

func TestSend_HandsOverOnce(t *testing.T) {
	for name, gateway := range gateways(t) {
		g, p := gateway(nil)
		sent, err := g.Send(t.Context(), "id-1", someone, secretText)
		if err != nil || sent.Ref == "" || sent.Parts != 1 || len(p.Accepted()) != 1 {
			t.Fatalf("%s: %+v %v", name, sent, err)
		}
		m := p.Accepted()[0]
		if m.Text != secretText || strings.TrimPrefix(m.To, "+") != "48500100200" || !strings.HasPrefix(m.Report, reportsTo+"?") {
			t.Errorf("%s: accepted %+v", name, m)
		}
	}
}

func TestSend_RefusesBeforeTheNetwork(t *testing.T) {
	for name, gateway := range gateways(t) {
		g, p := gateway(nil)
		for _, to := range []string{"", "500100200", "48500100200", "+0500100200", "+4850010020a", "+48 500 100 200", "+48500100200&to=x"} {
			_, err := g.Send(t.Context(), "id", to, "a")
			wantError(t, name, err, Refused, InvalidNumber)
		}
		for _, text := range []string{"", strings.Repeat("a", 153*MostParts+1)} {
			_, err := g.Send(t.Context(), "id", someone, text)
			wantError(t, name, err, Refused, InvalidText)
		}
		if p.Calls() != 0 {
			t.Errorf("%s: %d calls", name, p.Calls())
		}
	}
}

func TestSend_ClassifiesAnswers(t *testing.T) {
	for name, cases := range map[string][]struct {
		fault   string
		outcome Outcome
		reason  Reason
	}{
		"smsapi": {
			{"code 11", Refused, InvalidText}, {"code 13", Refused, InvalidNumber}, {"code 14", Refused, InvalidSender},
			{"code 57", Refused, OptedOut}, {"code 94", Refused, NotAllowed}, {"code 101", Refused, Unauthorized},
			{"code 103", Refused, NoCredit}, {"code 8", Refused, Other}, {"code 52", Later, Busy}, {"code 203", Later, Busy},
			{"code 201", Unknown, NoAnswer}, {"code 999", Unknown, NoAnswer},
			{"429", Later, Busy}, {"500", Unknown, NoAnswer}, {"503", Unknown, NoAnswer}, {"redirect", Later, Other},
			{"lost", Unknown, NoAnswer}, {"garbage", Unknown, NoAnswer},
		},
		"twilio": {
			{"code 400 21211", Refused, InvalidNumber}, {"code 400 21614", Refused, InvalidNumber}, {"code 400 21610", Refused, OptedOut},
			{"code 400 21408", Refused, NotAllowed}, {"code 400 21606", Refused, InvalidSender}, {"code 400 21617", Refused, InvalidText},
			{"code 401 20003", Refused, Unauthorized}, {"code 403 20005", Refused, NoCredit}, {"code 400 99999", Refused, Other},
			{"code 429 20429", Later, Busy}, {"code 400 21611", Later, Busy}, {"code 500 20500", Unknown, NoAnswer},
			{"429", Later, Busy}, {"502", Unknown, NoAnswer}, {"redirect", Later, Other},
			{"lost", Unknown, NoAnswer}, {"garbage", Unknown, NoAnswer},
		},
	} {
		g, p := gateways(t)[name](nil)
		for i, c := range cases {
			p.Fail(c.fault)
			_, err := g.Send(t.Context(), fmt.Sprint("id-", i), someone, secretText)
			wantError(t, name+" "+c.fault, err, c.outcome, c.reason)
		}
	}
}

func TestSend_WrongCredentials(t *testing.T) {
	for name, gateway := range gateways(t) {
		g, p := gateway(func(s *SMSAPISettings, tw *TwilioSettings) { s.Token, tw.Token = "other", "other" })
		_, err := g.Send(t.Context(), "id", someone, secretText)
		wantError(t, name, err, Refused, Unauthorized)
		if len(p.Accepted()) != 0 {
			t.Errorf("%s accepted it", name)
		}
	}
}

func TestSend_NobodyAnswers(t *testing.T) {
	for name, gateway := range gateways(t) {
		g, p := gateway(nil)
		p.Close()
		_, err := g.Send(t.Context(), "id", someone, secretText)
		wantError(t, name, err, Later, NoAnswer)
	}
}

func TestSend_AnswerTakesTooLong(t *testing.T) {
	for name, gateway := range gateways(t) {
		g, p := gateway(nil)
		ctx, cancel := context.WithCancel(t.Context())
		p.Fail("hang")
		go func() { <-p.Hung; cancel() }()
		_, err := g.Send(ctx, "id", someone, secretText)
		wantError(t, name, err, Unknown, NoAnswer)
		sent, err := g.Resume(t.Context(), "id", someone, secretText, time.Now())
		if err != nil || sent.Parts != 1 || len(p.Accepted()) != 1 {
			t.Errorf("%s: %+v %v, accepted %d", name, sent, err, len(p.Accepted()))
		}
	}
}

func TestResume_NeverSendsTwice(t *testing.T) {
	for name, gateway := range gateways(t) {
		g, p := gateway(nil)
		begun := time.Now()
		p.Fail("lost")
		_, err := g.Send(t.Context(), "id", someone, secretText)
		wantError(t, name, err, Unknown, NoAnswer)
		if len(p.Accepted()) != 1 {
			t.Fatalf("%s accepted %d", name, len(p.Accepted()))
		}
		// The question fails too: still unknown.
		p.Fail("502")
		_, err = g.Resume(t.Context(), "id", someone, secretText, begun)
		wantError(t, name, err, Unknown, NoAnswer)
		for range 3 {
			sent, err := g.Resume(t.Context(), "id", someone, secretText, begun)
			if err != nil || sent.Parts != 1 || len(p.Accepted()) != 1 {
				t.Errorf("%s: %+v %v, accepted %d", name, sent, err, len(p.Accepted()))
			}
		}
	}
}

func TestResume_SendsWhatTheProviderDoesNotHave(t *testing.T) {
	for name, gateway := range gateways(t) {
		g, p := gateway(nil)
		if _, err := g.Send(t.Context(), "other", someone, "another text"); err != nil {
			t.Fatal(err)
		}
		p.Fail("500") // fails before it accepts
		_, err := g.Send(t.Context(), "id", someone, secretText)
		wantError(t, name, err, Unknown, NoAnswer)
		sent, err := g.Resume(t.Context(), "id", someone, secretText, time.Now())
		if err != nil || sent.Ref == "" || len(p.Accepted()) != 2 {
			t.Errorf("%s: %+v %v, accepted %d", name, sent, err, len(p.Accepted()))
		}
	}
}

// The same text of last week is another message.
func TestTwilioResume_LooksOnlySinceTheAttempt(t *testing.T) {
	g, p := gateways(t)["twilio"](nil)
	if _, err := g.Send(t.Context(), "old", someone, secretText); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Resume(t.Context(), "new", someone, secretText, time.Now().Add(time.Hour)); err != nil || len(p.Accepted()) != 2 {
		t.Errorf("%v, accepted %d", err, len(p.Accepted()))
	}
}

// The first attempt may have used up the credit; a token that is refused now was good then.
func TestSMSAPIResume_IsNotToldOfTheFirstAttemptByARefusalOfNow(t *testing.T) {
	g, p := gateways(t)["smsapi"](nil)
	p.Fail("lost", "code 103", "code 101", "code 52", "429", "redirect")
	_, err := g.Send(t.Context(), "id", someone, secretText)
	wantError(t, "lost", err, Unknown, NoAnswer)
	for _, reason := range []Reason{NoCredit, Unauthorized, Busy, Busy, Other} {
		_, err := g.Resume(t.Context(), "id", someone, secretText, time.Now())
		wantError(t, string(reason), err, Unknown, reason)
	}
	if sent, err := g.Resume(t.Context(), "id", someone, secretText, time.Now()); err != nil || sent.Parts != 1 || len(p.Accepted()) != 1 {
		t.Errorf("%+v %v, accepted %d", sent, err, len(p.Accepted()))
	}
	// What the request itself is refused for was refused then too.
	p.Fail("code 13")
	_, err = g.Resume(t.Context(), "other", someone, secretText, time.Now())
	wantError(t, "number", err, Refused, InvalidNumber)
}

func TestSMSAPI_SameIDIsAcceptedOnce(t *testing.T) {
	g, p := gateways(t)["smsapi"](nil)
	for range 3 {
		if _, err := g.Send(t.Context(), "id", someone, secretText); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.Accepted()) != 1 {
		t.Errorf("accepted %d", len(p.Accepted()))
	}
}

func TestSMSAPI_TestModeSendsNothing(t *testing.T) {
	g, p := gateways(t)["smsapi"](func(s *SMSAPISettings, _ *TwilioSettings) { s.Test = true })
	if sent, err := g.Send(t.Context(), "id", someone, secretText); err != nil || sent.Ref == "" || len(p.Accepted()) != 0 {
		t.Errorf("%+v %v, accepted %d", sent, err, len(p.Accepted()))
	}
}

func TestNew_TakesOnlyHTTPS(t *testing.T) {
	for _, address := range []string{"", "http://api.smsapi.pl", "https://", "https://a@b.pl", "https://b.pl?x=y", "file:///etc",
		"api.smsapi.pl"} {
		if _, err := NewSMSAPI(SMSAPISettings{Address: address}); err == nil {
			t.Errorf("SMSAPI at %q", address)
		}
		if _, err := NewTwilio(TwilioSettings{Address: address}); err == nil {
			t.Errorf("Twilio at %q", address)
		}
	}
}

func TestSMSAPIReport_ReadsLists(t *testing.T) {
	g, _ := gateways(t)["smsapi"](nil)
	query := url.Values{"secret": {reportSecret}, "MsgId": {"a,b,c,d"}, "status": {"404,405,408,406"}, "idx": {"1,2,3,4"},
		"to": {"48500100200"}}
	want := []Report{{"1", "a", Delivered, ""}, {"2", "b", Undelivered, Unreachable}, {"4", "d", Failed, Other}}
	body := url.Values{"MsgId": {"a,b,c,d"}, "status": {"404,405,408,406"}, "idx": {"1,2,3,4"}}.Encode()
	post := httptest.NewRequest(http.MethodPost, "/?secret="+reportSecret, strings.NewReader(body))
	post.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, r := range []*http.Request{httptest.NewRequest(http.MethodGet, "/?"+query.Encode(), nil), post} {
		got, err := g.Report(r)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %+v %v", r.Method, got, err)
		}
	}
	for _, secret := range []string{"", "other", reportSecret + "x"} {
		query.Set("secret", secret)
		if _, err := g.Report(httptest.NewRequest(http.MethodGet, "/?"+query.Encode(), nil)); !errors.Is(err, ErrForged) {
			t.Errorf("secret %q: %v", secret, err)
		}
	}
	// Without a secret of ours nothing is believed, not even an empty one.
	open, _ := gateways(t)["smsapi"](func(s *SMSAPISettings, _ *TwilioSettings) { s.ReportSecret = "" })
	if _, err := open.Report(httptest.NewRequest(http.MethodGet, "/?MsgId=a&status=404&secret=", nil)); !errors.Is(err, ErrForged) {
		t.Error(err)
	}
	query = url.Values{"secret": {reportSecret}, "MsgId": {"a,b"}, "status": {"404"}, "idx": {"1"}}
	if got, err := g.Report(httptest.NewRequest(http.MethodGet, "/?"+query.Encode(), nil)); err != nil || len(got) != 1 || got[0].ID != "" {
		t.Errorf("%+v %v", got, err)
	}
}

func TestTwilioReport_ChecksTheSignature(t *testing.T) {
	g, _ := gateways(t)["twilio"](nil)
	fields := url.Values{"MessageSid": {"SM1"}, "MessageStatus": {"undelivered"}, "ErrorCode": {"30003"}, "To": {someone},
		"AccountSid": {testkit.TwilioSID}}
	got, err := g.Report(testkit.SignedReport(testkit.TwilioToken, reportsTo+"?id=a%20b", fields))
	if err != nil || len(got) != 1 || got[0] != (Report{"a b", "SM1", Undelivered, Unreachable}) {
		t.Errorf("%+v %v", got, err)
	}
	for name, r := range map[string]*http.Request{
		"another token":   testkit.SignedReport("other", reportsTo+"?id=a", fields),
		"another address": testkit.SignedReport(testkit.TwilioToken, "https://evil.example/api/sms/x/status?id=a", fields),
	} {
		if _, err := g.Report(r); !errors.Is(err, ErrForged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, change := range map[string]func(*http.Request){
		"no signature":    func(r *http.Request) { r.Header.Del("X-Twilio-Signature") },
		"empty signature": func(r *http.Request) { r.Header.Set("X-Twilio-Signature", "") },
		"another id":      func(r *http.Request) { r.URL.RawQuery = "id=b" },
		"another state": func(r *http.Request) {
			fields := url.Values{"MessageSid": {"SM1"}, "MessageStatus": {"delivered"}}
			r.Body = http.NoBody
			r.PostForm, r.Form = fields, fields
		},
	} {
		r := testkit.SignedReport(testkit.TwilioToken, reportsTo+"?id=a", fields)
		change(r)
		if _, err := g.Report(r); !errors.Is(err, ErrForged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The example of Twilio's own documentation.
func TestTwilioSignature_OfTheDocumentation(t *testing.T) {
	fields := url.Values{"CallSid": {"CA1234567890ABCDE"}, "Caller": {"+14158675310"}, "Digits": {"1234"}, "From": {"+14158675310"},
		"To": {"+18005551212"}}
	got := base64.StdEncoding.EncodeToString(twilioSignature("12345", "https://example.com/myapp.php?foo=1&bar=2", fields))
	if got != "L/OH5YylLD5NRKLltdqwSvS0BnU=" {
		t.Errorf("got %s", got)
	}
}

func TestStates_FollowInAnyOrder(t *testing.T) {
	for _, c := range []struct {
		known, told State
		follows     bool
	}{
		{"", Queued, true}, {Queued, Queued, false}, {Queued, Accepted, true}, {Accepted, Queued, false}, {Accepted, Delivered, true},
		{Delivered, Accepted, false}, {Delivered, Undelivered, false}, {Undelivered, Delivered, false}, {Queued, Expired, true},
		{"", Failed, true},
	} {
		if got := c.told.Follows(c.known); got != c.follows {
			t.Errorf("%s after %s: %v", c.told, c.known, got)
		}
	}
}
