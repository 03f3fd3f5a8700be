package testkit

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"
)

// SMSProvider is the HTTP side of a provider of SMS: it keeps what it accepted and fails in the ways of the real ones.
type SMSProvider struct {
	// Hung is sent to when a fault "hang" was met, which accepts the message and never answers, or "stuck", which accepts nothing.
	Hung chan struct{}
	// Now is its clock.
	Now func() time.Time

	t      *testing.T
	server *httptest.Server
	speak  func(w http.ResponseWriter, r *http.Request, p *SMSProvider)

	mu       sync.Mutex
	accepted []AcceptedSMS
	faults   []string
	calls    int
}

// AcceptedSMS is a message that a provider would send.
type AcceptedSMS struct {
	ID     string // the sender's; Twilio takes none
	To     string
	Text   string
	Ref    string // the provider's
	Report string // where to tell what became of it

	at time.Time
}

// What the providers of tests know their customer by.
const (
	SMSAPIToken = "token-of-smsapi"
	TwilioSID   = "AC00000000000000000000000000000000"
	TwilioToken = "token-of-twilio"
)

// NewSMSAPI is an SMSAPI.pl, and NewTwilio a Twilio.
func NewSMSAPI(t *testing.T) *SMSProvider { return newSMSProvider(t, speakSMSAPI) }
func NewTwilio(t *testing.T) *SMSProvider { return newSMSProvider(t, speakTwilio) }

func newSMSProvider(t *testing.T, speak func(http.ResponseWriter, *http.Request, *SMSProvider)) *SMSProvider {
	p := &SMSProvider{Hung: make(chan struct{}, 10), Now: time.Now, t: t, speak: speak}
	p.server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.calls++
		if len(p.faults) > 0 && (p.faults[0] == "hang" || p.faults[0] == "stuck") {
			accepts := p.faults[0] == "hang"
			p.faults = p.faults[1:]
			_ = r.ParseForm() // a server notices that its client went only once the body is read
			if accepts {
				p.speak(httptest.NewRecorder(), r, p)
			}
			p.Hung <- struct{}{}
			p.mu.Unlock()
			<-r.Context().Done()
			p.mu.Lock()
			return
		}
		p.speak(w, r, p)
	}))
	p.server.Config.ErrorLog = nil
	t.Cleanup(p.server.Close)
	return p
}

// URL is where the provider answers.
func (p *SMSProvider) URL() string { return p.server.URL }

// Close ends it: nobody answers any more.
func (p *SMSProvider) Close() { p.server.Close() }

// Trust is what a client needs to believe its certificate.
func (p *SMSProvider) Trust() *tls.Config {
	return p.server.Client().Transport.(*http.Transport).TLSClientConfig
}

// Certificate is the provider's own.
func (p *SMSProvider) Certificate() *x509.Certificate { return p.server.Certificate() }

// Fail sets the faults of the next calls, each used once: a status of HTTP, "lost" (the connection breaks without an answer), "hang",
// "stuck", "redirect", "garbage", or "code" with what the provider itself says.
func (p *SMSProvider) Fail(faults ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = faults
}

// Accepted lists the messages that it accepted, in their order.
func (p *SMSProvider) Accepted() []AcceptedSMS {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.accepted)
}

// Calls is how often it was called.
func (p *SMSProvider) Calls() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls
}

func (p *SMSProvider) fault() string {
	if len(p.faults) == 0 {
		return ""
	}
	f := p.faults[0]
	p.faults = p.faults[1:]
	return f
}

// generalFault has the faults that any HTTP server may have. After "lost" the connection breaks without an answer.
func generalFault(w http.ResponseWriter, fault string) bool {
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

func answerSMS(w http.ResponseWriter, status int, what any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(what)
}

func speakSMSAPI(w http.ResponseWriter, r *http.Request, p *SMSProvider) {
	refuse := func(code int) {
		answerSMS(w, http.StatusOK, map[string]any{"error": code, "message": "about " + r.FormValue("to")})
	}
	if r.Method != http.MethodPost || r.URL.Path != "/sms.do" || r.URL.RawQuery != "" || r.FormValue("format") != "json" {
		p.t.Errorf("%s %s", r.Method, r.URL)
	}
	if r.Header.Get("Authorization") != "Bearer "+SMSAPIToken {
		answerSMS(w, http.StatusUnauthorized, map[string]any{"error": 101, "message": "Authorization failed"})
		return
	}
	fault := p.fault()
	var code int
	if _, err := fmt.Sscanf(fault, "code %d", &code); err == nil {
		refuse(code)
		return
	}
	if fault != "lost" && fault != "garbage" && generalFault(w, fault) {
		return
	}
	if strings.HasPrefix(r.FormValue("to"), "+") || r.FormValue("to") == "48000000000" {
		refuse(13)
		return
	}
	for _, m := range p.accepted {
		if m.ID == r.FormValue("idx") && r.FormValue("check_idx") == "1" {
			refuse(53)
			return
		}
	}
	ref := fmt.Sprintf("ref%d", len(p.accepted)+1)
	if r.FormValue("test") != "1" {
		p.accepted = append(p.accepted, AcceptedSMS{r.FormValue("idx"), r.FormValue("to"), r.FormValue("message"), ref,
			r.FormValue("notify_url"), p.Now()})
	}
	if generalFault(w, fault) {
		return
	}
	answerSMS(w, http.StatusOK, map[string]any{"count": 1, "length": 3, "message": r.FormValue("message"),
		"list": []any{map[string]any{"id": ref, "points": 0.16, "number": r.FormValue("to"), "status": "QUEUE", "error": nil,
			"idx": r.FormValue("idx")}}})
}

func speakTwilio(w http.ResponseWriter, r *http.Request, p *SMSProvider) {
	refuse := func(status, code int) {
		answerSMS(w, status, map[string]any{"code": code, "message": "The number " + r.FormValue("To"), "status": status})
	}
	if r.URL.Path != "/2010-04-01/Accounts/"+TwilioSID+"/Messages.json" {
		refuse(http.StatusNotFound, 20404)
		return
	}
	if user, password, _ := r.BasicAuth(); user != TwilioSID || password != TwilioToken {
		refuse(http.StatusUnauthorized, 20003)
		return
	}
	fault := p.fault()
	var status, code int
	if _, err := fmt.Sscanf(fault, "code %d %d", &status, &code); err == nil {
		refuse(status, code)
		return
	}
	if fault != "lost" && fault != "garbage" && generalFault(w, fault) {
		return
	}
	if r.Method == http.MethodGet {
		list := []any{}
		for _, m := range p.accepted {
			if m.To == r.FormValue("To") {
				list = append(list, map[string]any{"sid": m.Ref, "body": m.Text, "direction": "outbound-api", "num_segments": "1",
					"date_created": m.at.UTC().Format(time.RFC1123Z)})
			}
		}
		answerSMS(w, http.StatusOK, map[string]any{"messages": list})
		return
	}
	if !strings.HasPrefix(r.FormValue("To"), "+") || r.FormValue("To") == "+48000000000" {
		refuse(http.StatusBadRequest, 21211)
		return
	}
	ref := fmt.Sprintf("SM%d", len(p.accepted)+1)
	p.accepted = append(p.accepted, AcceptedSMS{"", r.FormValue("To"), r.FormValue("Body"), ref, r.FormValue("StatusCallback"), p.Now()})
	if generalFault(w, fault) {
		return
	}
	answerSMS(w, http.StatusCreated, map[string]any{"sid": ref, "status": "queued", "num_segments": "0", "body": r.FormValue("Body")})
}

// SignedReport is a report of Twilio to an address, signed with a token; it arrives at a server behind a proxy.
func SignedReport(token, address string, fields url.Values) *http.Request {
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
