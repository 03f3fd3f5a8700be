package testkit

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Browser is a person's browser with the web application in it. It knows an
// identity provider only from outside, as Keycloak is known: by addresses and
// the names of fields.
type Browser struct {
	base, realm string
	http        *http.Client
}

// Tokens are what the application was given.
type Tokens struct {
	Access  string `json:"access_token"`
	ID      string `json:"id_token"`
	Refresh string `json:"refresh_token"`
}

// NewBrowser opens a browser that has no cookies. base is the address that
// people type.
func NewBrowser(t testing.TB, base, realm string) *Browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &Browser{base: base, realm: realm, http: &http.Client{Jar: jar}}
	b.http.CheckRedirect = func(rq *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(rq.URL.String(), base+"/app/") {
			return http.ErrUseLastResponse // the application itself takes the answer
		}
		return nil
	}
	return b
}

// From lets the browser come from an address of this machine, such as 127.0.0.2.
func (b *Browser) From(address string) *Browser {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	b.http.Transport = &http.Transport{DialContext: dialer.DialContext}
	return b
}

// Login signs a person in with a browser of its own.
func Login(t testing.TB, base, realm, email, password string) Tokens {
	t.Helper()
	return NewBrowser(t, base, realm).Login(t, email, password)
}

func (b *Browser) endpoint(name string) string {
	return b.base + "/auth/realms/" + b.realm + "/protocol/openid-connect/" + name
}

// SetCookie puts a cookie of the application's address into the browser.
func (b *Browser) SetCookie(t testing.TB, name, value string) {
	t.Helper()
	at, err := url.Parse(b.base)
	if err != nil {
		t.Fatal(err)
	}
	b.http.Jar.SetCookies(at, []*http.Cookie{{Name: name, Value: value, Path: "/"}})
}

// Ask is a request for a code that the application can trade.
type Ask struct{ Verifier, State, Nonce string }

// NewAsk makes the secrets of a request.
func NewAsk() Ask { return Ask{rand.Text() + rand.Text(), rand.Text(), rand.Text()} }

// Authorize opens the page of the provider to which the application sends
// people. more are further parameters, as prompt.
func (b *Browser) Authorize(t testing.TB, ask Ask, more url.Values) *http.Response {
	t.Helper()
	challenge := sha256.Sum256([]byte(ask.Verifier))
	query := url.Values{"client_id": {"spa"}, "redirect_uri": {b.base + "/app/"}, "response_type": {"code"}, "scope": {"openid"},
		"state": {ask.State}, "nonce": {ask.Nonce}, "code_challenge_method": {"S256"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(challenge[:])}}
	for name, values := range more {
		query[name] = values
	}
	return b.Open(t, b.endpoint("auth")+"?"+query.Encode())
}

// Open opens an address, as a link from a mail.
func (b *Browser) Open(t testing.TB, address string) *http.Response {
	t.Helper()
	answer, err := b.http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// Login goes the whole way: the form, the password, the code, the tokens.
func (b *Browser) Login(t testing.TB, email, password string) Tokens {
	t.Helper()
	ask := NewAsk()
	form := FormOf(t, b.Authorize(t, ask, nil), "kc-form-login")
	form.Fields.Set("username", email)
	form.Fields.Set("password", password)
	return b.Trade(t, ask, b.Submit(t, form))
}

// Trade takes the code from the answer that sends the person back and trades it.
func (b *Browser) Trade(t testing.TB, ask Ask, answer *http.Response) Tokens {
	t.Helper()
	text := Text(t, answer)
	back, err := url.Parse(answer.Header.Get("Location"))
	if err != nil || !strings.HasPrefix(back.String(), b.base+"/app/?") {
		t.Fatalf("not sent back to the application: %d %s\n%s", answer.StatusCode, back, text)
	}
	query := back.Query()
	if query.Get("state") != ask.State || query.Get("iss") != b.base+"/auth/realms/"+b.realm || query.Get("code") == "" {
		t.Fatalf("sent back with %v", query)
	}
	status, tokens, text := b.Token(t, url.Values{"grant_type": {"authorization_code"}, "code": {query.Get("code")},
		"redirect_uri": {b.base + "/app/"}, "code_verifier": {ask.Verifier}})
	if status != http.StatusOK {
		t.Fatalf("the code was refused: %d %s", status, text)
	}
	if Payload(t, tokens.ID)["nonce"] != ask.Nonce {
		t.Error("the ID token is not for this request")
	}
	return tokens
}

// Token asks the token endpoint as the application does and says what it answered.
func (b *Browser) Token(t testing.TB, form url.Values) (status int, tokens Tokens, text string) {
	t.Helper()
	form.Set("client_id", "spa")
	answer, err := b.http.PostForm(b.endpoint("token"), form)
	if err != nil {
		t.Fatal(err)
	}
	text = Text(t, answer)
	if err := json.Unmarshal([]byte(text), &tokens); err != nil {
		t.Fatalf("%d %s: %v", answer.StatusCode, text, err)
	}
	return answer.StatusCode, tokens, text
}

// Refresh trades a refresh token for new tokens and says the status.
func (b *Browser) Refresh(t testing.TB, refresh string) (status int, tokens Tokens) {
	t.Helper()
	status, tokens, _ = b.Token(t, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}})
	return status, tokens
}

// Logout ends the session as the application does and must be sent back to it.
func (b *Browser) Logout(t testing.TB, tokens Tokens) {
	t.Helper()
	query := url.Values{"client_id": {"spa"}, "id_token_hint": {tokens.ID}, "post_logout_redirect_uri": {b.base + "/app/"}}
	answer := b.Open(t, b.endpoint("logout")+"?"+query.Encode())
	text := Text(t, answer)
	if !strings.HasPrefix(answer.Header.Get("Location"), b.base+"/app/") {
		t.Fatalf("not sent back to the application: %d\n%s", answer.StatusCode, text)
	}
}

// Form is a form of a page, with what stands in it.
type Form struct {
	Action string
	Fields url.Values
}

// Submit sends a form as a browser does.
func (b *Browser) Submit(t testing.TB, f Form) *http.Response {
	t.Helper()
	rq, err := http.NewRequest(http.MethodPost, f.Action, strings.NewReader(f.Fields.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	rq.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	rq.Header.Set("Origin", b.base)
	rq.Header.Set("Sec-Fetch-Site", "same-origin")
	answer, err := b.http.Do(rq)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// FormOf finds a form by its id on the page that was answered.
func FormOf(t testing.TB, answer *http.Response, id string) Form {
	t.Helper()
	text := Text(t, answer)
	page, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for n := range page.Descendants() {
		if n.Type != html.ElementNode || n.Data != "form" || attribute(n, "id") != id {
			continue
		}
		action, err := answer.Request.URL.Parse(attribute(n, "action"))
		if err != nil {
			t.Fatal(err)
		}
		f := Form{Action: action.String(), Fields: url.Values{}}
		for i := range n.Descendants() {
			if i.Type == html.ElementNode && i.Data == "input" && attribute(i, "name") != "" && attribute(i, "type") != "submit" &&
				attribute(i, "type") != "checkbox" {
				f.Fields.Set(attribute(i, "name"), attribute(i, "value"))
			}
		}
		return f
	}
	t.Fatalf("no form %s on the page (%d):\n%s", id, answer.StatusCode, text)
	return Form{}
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// Text reads an answer to its end.
func Text(t testing.TB, answer *http.Response) string {
	t.Helper()
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Payload is what a token says, believed as it stands.
func Payload(t testing.TB, token string) map[string]any {
	t.Helper()
	return part(t, token, 1)
}

// Head is what a token says of itself.
func Head(t testing.TB, token string) map[string]any {
	t.Helper()
	return part(t, token, 0)
}

func part(t testing.TB, token string, n int) map[string]any {
	t.Helper()
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		t.Fatalf("not a signed token: %q", token)
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[n])
	if err != nil {
		t.Fatal(err)
	}
	var reply map[string]any
	if err := json.Unmarshal(text, &reply); err != nil {
		t.Fatal(err)
	}
	return reply
}
