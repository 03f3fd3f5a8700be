package sms

import (
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"
)

// provider is the HTTP side of a provider: it keeps what it accepted and fails in the ways of the real ones. Each fault is used once.
type provider struct {
	t      *testing.T
	server *httptest.Server
	speak  func(w http.ResponseWriter, r *http.Request, p *provider)

	mu       sync.Mutex
	accepted []acceptedMessage
	faults   []string
	calls    int
}

type acceptedMessage struct{ id, to, text, ref, report string }

func start(t *testing.T, speak func(http.ResponseWriter, *http.Request, *provider)) *provider {
	p := &provider{t: t, speak: speak}
	p.server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.calls++
		p.speak(w, r, p)
	}))
	p.server.Config.ErrorLog = nil
	t.Cleanup(p.server.Close)
	return p
}

func (p *provider) trust() *tls.Config {
	return p.server.Client().Transport.(*http.Transport).TLSClientConfig
}

func (p *provider) fault() string {
	if len(p.faults) == 0 {
		return ""
	}
	f := p.faults[0]
	p.faults = p.faults[1:]
	return f
}

func (p *provider) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.accepted)
}

// general are the faults that any HTTP server may have. After "lost" the connection breaks without an answer.
func general(w http.ResponseWriter, fault string) bool {
	switch fault {
	case "500", "502", "503", "429":
		var status int
		_, _ = fmt.Sscan(fault, &status)
		w.WriteHeader(status)
		_, _ = w.Write([]byte("<html>no JSON</html>"))
	case "lost":
		panic(http.ErrAbortHandler)
	case "redirect":
		w.Header().Set("Location", "https://127.0.0.1:1/elsewhere")
		w.WriteHeader(http.StatusTemporaryRedirect)
	case "garbage":
		_, _ = w.Write([]byte(`{"list": [`))
	default:
		return false
	}
	return true
}

const (
	smsAPIToken  = "token-of-smsapi"
	twilioSID    = "AC00000000000000000000000000000000"
	twilioToken  = "token-of-twilio"
	someone      = "+48500100200"
	reportsTo    = "https://saldo.example/api/sms/x/status"
	reportSecret = "very-secret"
)

func answerJSON(w http.ResponseWriter, status int, what any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(what)
}

func speakSMSAPI(w http.ResponseWriter, r *http.Request, p *provider) {
	refuse := func(code int) {
		answerJSON(w, http.StatusOK, map[string]any{"error": code, "message": "about " + r.FormValue("to")})
	}
	if r.Method != http.MethodPost || r.URL.Path != "/sms.do" || r.URL.RawQuery != "" || r.FormValue("format") != "json" {
		p.t.Errorf("%s %s", r.Method, r.URL)
	}
	if r.Header.Get("Authorization") != "Bearer "+smsAPIToken {
		answerJSON(w, http.StatusUnauthorized, map[string]any{"error": 101, "message": "Authorization failed"})
		return
	}
	fault := p.fault()
	var code int
	if _, err := fmt.Sscanf(fault, "code %d", &code); err == nil {
		refuse(code)
		return
	}
	if fault != "lost" && fault != "garbage" && general(w, fault) {
		return
	}
	if strings.HasPrefix(r.FormValue("to"), "+") || r.FormValue("to") == "48000000000" {
		refuse(13)
		return
	}
	for _, m := range p.accepted {
		if m.id == r.FormValue("idx") && r.FormValue("check_idx") == "1" {
			refuse(53)
			return
		}
	}
	ref := fmt.Sprintf("ref%d", len(p.accepted)+1)
	if r.FormValue("test") != "1" {
		p.accepted = append(p.accepted, acceptedMessage{r.FormValue("idx"), r.FormValue("to"), r.FormValue("message"), ref,
			r.FormValue("notify_url")})
	}
	if general(w, fault) {
		return
	}
	answerJSON(w, http.StatusOK, map[string]any{"count": 1, "length": 3, "parts": 1, "message": r.FormValue("message"),
		"list": []any{map[string]any{"id": ref, "points": 0.16, "number": r.FormValue("to"), "status": "QUEUE", "error": nil,
			"idx": r.FormValue("idx")}}})
}

func speakTwilio(w http.ResponseWriter, r *http.Request, p *provider) {
	refuse := func(status, code int) {
		answerJSON(w, status, map[string]any{"code": code, "message": "The number " + r.FormValue("To"), "status": status})
	}
	if r.URL.Path != "/2010-04-01/Accounts/"+twilioSID+"/Messages.json" {
		refuse(http.StatusNotFound, 20404)
		return
	}
	if user, password, _ := r.BasicAuth(); user != twilioSID || password != twilioToken {
		refuse(http.StatusUnauthorized, 20003)
		return
	}
	fault := p.fault()
	var status, code int
	if _, err := fmt.Sscanf(fault, "code %d %d", &status, &code); err == nil {
		refuse(status, code)
		return
	}
	if fault != "lost" && fault != "garbage" && general(w, fault) {
		return
	}
	if r.Method == http.MethodGet {
		list := []any{}
		for _, m := range p.accepted {
			if m.to == r.FormValue("To") {
				list = append(list, map[string]any{"sid": m.ref, "body": m.text, "direction": "outbound-api", "num_segments": "1",
					"date_created": time.Now().UTC().Format(time.RFC1123Z)})
			}
		}
		answerJSON(w, http.StatusOK, map[string]any{"messages": list})
		return
	}
	if !strings.HasPrefix(r.FormValue("To"), "+") || r.FormValue("To") == "+48000000000" {
		refuse(http.StatusBadRequest, 21211)
		return
	}
	ref := fmt.Sprintf("SM%d", len(p.accepted)+1)
	p.accepted = append(p.accepted, acceptedMessage{"", r.FormValue("To"), r.FormValue("Body"), ref, r.FormValue("StatusCallback")})
	if general(w, fault) {
		return
	}
	answerJSON(w, http.StatusCreated, map[string]any{"sid": ref, "status": "queued", "num_segments": "1", "body": r.FormValue("Body")})
}

func gateways(t *testing.T) map[string]func(change func(*SMSAPISettings, *TwilioSettings)) (Gateway, *provider) {
	return map[string]func(func(*SMSAPISettings, *TwilioSettings)) (Gateway, *provider){
		"smsapi": func(change func(*SMSAPISettings, *TwilioSettings)) (Gateway, *provider) {
			p := start(t, speakSMSAPI)
			s := SMSAPISettings{Address: p.server.URL, Token: smsAPIToken, Sender: "Flota", ReportAddress: reportsTo,
				ReportSecret: reportSecret, Trust: p.trust()}
			if change != nil {
				change(&s, &TwilioSettings{})
			}
			g, err := NewSMSAPI(s)
			if err != nil {
				t.Fatal(err)
			}
			return g, p
		},
		"twilio": func(change func(*SMSAPISettings, *TwilioSettings)) (Gateway, *provider) {
			p := start(t, speakTwilio)
			s := TwilioSettings{Address: p.server.URL, Account: twilioSID, Token: twilioToken, Sender: "+48111222333",
				ReportAddress: reportsTo, Trust: p.trust()}
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
		if err != nil || sent.Ref == "" || sent.Parts != 1 || p.count() != 1 {
			t.Fatalf("%s: %+v %v", name, sent, err)
		}
		m := p.accepted[0]
		if m.text != secretText || strings.TrimPrefix(m.to, "+") != "48500100200" || !strings.HasPrefix(m.report, reportsTo+"?") {
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
		if p.calls != 0 {
			t.Errorf("%s: %d calls", name, p.calls)
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
			p.faults = []string{c.fault}
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
		if p.count() != 0 {
			t.Errorf("%s accepted it", name)
		}
	}
}

func TestSend_NobodyAnswers(t *testing.T) {
	for name, gateway := range gateways(t) {
		g, p := gateway(nil)
		p.server.Close()
		_, err := g.Send(t.Context(), "id", someone, secretText)
		wantError(t, name, err, Later, NoAnswer)
	}
}

func TestSend_AnswerTakesTooLong(t *testing.T) {
	for name, gateway := range gateways(t) {
		g, p := gateway(nil)
		ctx, cancel := context.WithCancel(t.Context())
		speak := p.speak
		p.speak = func(w http.ResponseWriter, r *http.Request, p *provider) {
			speak(httptest.NewRecorder(), r, p) // accepted, and the answer never leaves
			cancel()
			<-r.Context().Done()
		}
		_, err := g.Send(ctx, "id", someone, secretText)
		wantError(t, name, err, Unknown, NoAnswer)
		p.mu.Lock()
		p.speak = speak
		p.mu.Unlock()
		sent, err := g.Resume(t.Context(), "id", someone, secretText, time.Now())
		if err != nil || sent.Parts != 1 || p.count() != 1 {
			t.Errorf("%s: %+v %v, accepted %d", name, sent, err, p.count())
		}
	}
}

func TestResume_NeverSendsTwice(t *testing.T) {
	for name, gateway := range gateways(t) {
		g, p := gateway(nil)
		begun := time.Now()
		p.faults = []string{"lost"}
		_, err := g.Send(t.Context(), "id", someone, secretText)
		wantError(t, name, err, Unknown, NoAnswer)
		if p.count() != 1 {
			t.Fatalf("%s accepted %d", name, p.count())
		}
		// The question fails too: still unknown.
		p.faults = []string{"502"}
		_, err = g.Resume(t.Context(), "id", someone, secretText, begun)
		wantError(t, name, err, Unknown, NoAnswer)
		for range 3 {
			sent, err := g.Resume(t.Context(), "id", someone, secretText, begun)
			if err != nil || sent.Parts != 1 || p.count() != 1 {
				t.Errorf("%s: %+v %v, accepted %d", name, sent, err, p.count())
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
		p.faults = []string{"500"} // fails before it accepts
		_, err := g.Send(t.Context(), "id", someone, secretText)
		wantError(t, name, err, Unknown, NoAnswer)
		sent, err := g.Resume(t.Context(), "id", someone, secretText, time.Now())
		if err != nil || sent.Ref == "" || p.count() != 2 {
			t.Errorf("%s: %+v %v, accepted %d", name, sent, err, p.count())
		}
	}
}

// The same text of last week is another message.
func TestTwilioResume_LooksOnlySinceTheAttempt(t *testing.T) {
	g, p := gateways(t)["twilio"](nil)
	if _, err := g.Send(t.Context(), "old", someone, secretText); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Resume(t.Context(), "new", someone, secretText, time.Now().Add(time.Hour)); err != nil || p.count() != 2 {
		t.Errorf("%v, accepted %d", err, p.count())
	}
}

func TestSMSAPI_SameIDIsAcceptedOnce(t *testing.T) {
	g, p := gateways(t)["smsapi"](nil)
	for range 3 {
		if _, err := g.Send(t.Context(), "id", someone, secretText); err != nil {
			t.Fatal(err)
		}
	}
	if p.count() != 1 {
		t.Errorf("accepted %d", p.count())
	}
}

func TestSMSAPI_TestModeSendsNothing(t *testing.T) {
	g, p := gateways(t)["smsapi"](func(s *SMSAPISettings, _ *TwilioSettings) { s.Test = true })
	if sent, err := g.Send(t.Context(), "id", someone, secretText); err != nil || sent.Ref == "" || p.count() != 0 {
		t.Errorf("%+v %v, accepted %d", sent, err, p.count())
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

func signed(token, address string, fields url.Values) *http.Request {
	u, _ := url.Parse(address)
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8080"+u.Path+"?"+u.RawQuery, strings.NewReader(fields.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		address += name + fields.Get(name)
	}
	mac := hmac.New(sha1.New, []byte(token))
	mac.Write([]byte(address))
	r.Header.Set("X-Twilio-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return r
}

func TestTwilioReport_ChecksTheSignature(t *testing.T) {
	g, _ := gateways(t)["twilio"](nil)
	fields := url.Values{"MessageSid": {"SM1"}, "MessageStatus": {"undelivered"}, "ErrorCode": {"30003"}, "To": {someone},
		"AccountSid": {twilioSID}}
	got, err := g.Report(signed(twilioToken, reportsTo+"?id=a%20b", fields))
	if err != nil || len(got) != 1 || got[0] != (Report{"a b", "SM1", Undelivered, Unreachable}) {
		t.Errorf("%+v %v", got, err)
	}
	for name, r := range map[string]*http.Request{
		"another token":   signed("other", reportsTo+"?id=a", fields),
		"another address": signed(twilioToken, "https://evil.example/api/sms/x/status?id=a", fields),
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
		r := signed(twilioToken, reportsTo+"?id=a", fields)
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
