package api_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"maps"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"saldo/internal/kernel/access"
)

// Each case spoils one thing of a token that would be accepted. Everything
// that is wrong is answered alike: 401, what to do about it, and not why.
func TestNoForgedTokenIsAccepted(t *testing.T) { each(t, noForgedTokenIsAccepted) }

func noForgedTokenIsAccepted(t *testing.T, w *world) {
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&w.mint.Key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})

	now := w.clock.Now()
	at := func(d time.Duration) int64 { return now.Add(d).Unix() }
	sign := func(method jwt.SigningMethod, key any, head, change map[string]any, drop ...string) string {
		claims := w.mint.Claims("np", access.Partner, time.Hour, change)
		for _, name := range drop {
			delete(claims, name)
		}
		token := jwt.NewWithClaims(method, jwt.MapClaims(claims))
		token.Header["kid"] = w.mint.ID
		maps.Copy(token.Header, head)
		text, err := token.SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	own := func(change map[string]any, drop ...string) string {
		return sign(jwt.SigningMethodRS256, w.mint.Key, nil, change, drop...)
	}
	set := func(name string, value any) string { return own(map[string]any{name: value}) }
	roles := func(value any) string { return set("realm_access", map[string]any{"roles": value}) }
	// signed by our key, with a payload that no map can hold
	raw := func(payload string) string {
		head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"RS256","typ":"JWT","kid":"` + w.mint.ID + `"}`))
		signed := head + "." + base64.RawURLEncoding.EncodeToString([]byte(payload))
		signature, err := jwt.SigningMethodRS256.Sign(signed, w.mint.Key)
		if err != nil {
			t.Fatal(err)
		}
		return signed + "." + base64.RawURLEncoding.EncodeToString(signature)
	}
	plain, err := json.Marshal(w.mint.Claims("np", access.Partner, time.Hour, nil))
	if err != nil {
		t.Fatal(err)
	}
	also := func(claim string) string { return raw(strings.TrimSuffix(string(plain), "}") + "," + claim + "}") }
	good := own(nil)
	parts := strings.Split(good, ".")
	embedded := map[string]any{"kty": "RSA", "n": base64.RawURLEncoding.EncodeToString(stranger.N.Bytes()), "e": "AQAB"}
	body := func(change func(map[string]any)) string {
		raw, err := base64.RawURLEncoding.DecodeString(parts[1])
		if err != nil {
			t.Fatal(err)
		}
		var claims map[string]any
		if err := json.Unmarshal(raw, &claims); err != nil {
			t.Fatal(err)
		}
		change(claims)
		text, err := json.Marshal(claims)
		if err != nil {
			t.Fatal(err)
		}
		return parts[0] + "." + base64.RawURLEncoding.EncodeToString(text) + "." + parts[2]
	}
	unsigned := func(alg string) string {
		head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"` + alg + `","typ":"JWT","kid":"` + w.mint.ID + `"}`))
		return head + "." + parts[1] + "."
	}

	ask := func(token string) (int, http.Header, string) {
		rq, err := http.NewRequest(http.MethodGet, w.URL+"/api/session", nil)
		if err != nil {
			t.Fatal(err)
		}
		rq.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(rq)
		if err != nil {
			return 0, nil, err.Error() // not even sent
		}
		defer answer.Body.Close()
		content, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, answer.Header, string(content)
	}
	for name, token := range map[string]string{
		"the good one":                good,
		"the same, put together":      raw(string(plain)),
		"with a claim we do not read": also(`"Locale":"pl"`),
		"an end with a fraction":      set("exp", float64(at(time.Hour))+0.5),
		"another claim than ours":     also(`"SUB":"sp"`),
		"one audience as a text":      set("aud", "app-api"),
		"a day long":                  set("exp", at(24*time.Hour)),
	} {
		if status, _, text := ask(token); status != 200 || !strings.Contains(text, `"id":"north-partner"`) {
			t.Fatalf("%s: %d %s", name, status, text)
		}
	}

	cases := map[string]string{
		"unsigned":                           sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nil, nil),
		"unsigned, None":                     unsigned("None"),
		"unsigned, NONE":                     unsigned("NONE"),
		"unsigned, empty algorithm":          unsigned(""),
		"signature cut off":                  parts[0] + "." + parts[1] + ".",
		"no signature at all":                parts[0] + "." + parts[1],
		"HS256 with the public key in PEM":   sign(jwt.SigningMethodHS256, public, nil, nil),
		"HS256 with the public key in DER":   sign(jwt.SigningMethodHS256, der, nil, nil),
		"HS256 with the modulus":             sign(jwt.SigningMethodHS256, w.mint.Key.N.Bytes(), nil, nil),
		"HS512 with the public key":          sign(jwt.SigningMethodHS512, public, nil, nil),
		"HS256 with nothing":                 sign(jwt.SigningMethodHS256, []byte{0}, nil, nil),
		"RS384":                              sign(jwt.SigningMethodRS384, w.mint.Key, nil, nil),
		"RS512":                              sign(jwt.SigningMethodRS512, w.mint.Key, nil, nil),
		"ES256 of a stranger under our key":  sign(jwt.SigningMethodES256, curve, nil, nil),
		"signed by a stranger":               sign(jwt.SigningMethodRS256, stranger, nil, nil),
		"signed by a stranger, PS256":        sign(jwt.SigningMethodPS256, stranger, nil, nil),
		"a stranger's key inside":            sign(jwt.SigningMethodRS256, stranger, map[string]any{"jwk": embedded}, nil),
		"a stranger's key by address":        sign(jwt.SigningMethodRS256, stranger, map[string]any{"jku": "https://evil.example/jwks"}, nil),
		"foreign key id":                     sign(jwt.SigningMethodRS256, w.mint.Key, map[string]any{"kid": "another"}, nil),
		"empty key id":                       sign(jwt.SigningMethodRS256, w.mint.Key, map[string]any{"kid": ""}, nil),
		"key id of another type":             sign(jwt.SigningMethodRS256, w.mint.Key, map[string]any{"kid": 7}, nil),
		"key id as a path":                   sign(jwt.SigningMethodRS256, w.mint.Key, map[string]any{"kid": "../../etc/passwd"}, nil),
		"key id as a query":                  sign(jwt.SigningMethodRS256, w.mint.Key, map[string]any{"kid": "' OR 1=1 --"}, nil),
		"another issuer":                     set("iss", "https://evil.example/auth/realms/saldo"),
		"another realm":                      set("iss", "http://localhost/auth/realms/master"),
		"issuer with a slash":                set("iss", w.mint.Issuer+"/"),
		"no issuer":                          own(nil, "iss"),
		"empty issuer":                       set("iss", ""),
		"several issuers":                    set("iss", []string{w.mint.Issuer}),
		"an issuer that is a number":         set("iss", 7),
		"an issuer in other letters":         set("iss", strings.ToUpper(w.mint.Issuer)),
		"another audience":                   set("aud", "account"),
		"audience that only begins alike":    set("aud", []string{"app-api-x"}),
		"no audience":                        own(nil, "aud"),
		"empty audience":                     set("aud", ""),
		"audience of nobody":                 set("aud", []string{}),
		"an audience that is null":           set("aud", nil),
		"an audience that is a number":       set("aud", 7),
		"an audience that is an object":      set("aud", map[string]any{"app-api": true}),
		"an audience with a number":          set("aud", []any{"app-api", 7}),
		"an audience within another":         set("aud", []any{[]string{"app-api"}}),
		"another client":                     set("azp", "app-backend"),
		"no client":                          own(nil, "azp"),
		"empty client":                       set("azp", ""),
		"several clients":                    set("azp", []string{"spa"}),
		"a client that is a number":          set("azp", 7),
		"an ID token":                        set("typ", "ID"),
		"an ID token for the application":    own(map[string]any{"typ": "ID", "aud": "spa"}),
		"a refresh token":                    set("typ", "Refresh"),
		"an offline token":                   set("typ", "Offline"),
		"a logout token":                     set("typ", "Logout"),
		"no type":                            own(nil, "typ"),
		"empty type":                         set("typ", ""),
		"a type in other letters":            set("typ", "bearer"),
		"several types":                      set("typ", []string{"Bearer"}),
		"a type that is a number":            set("typ", 7),
		"expired":                            set("exp", at(-31*time.Second)),
		"expired long ago":                   set("exp", 1),
		"no end":                             own(nil, "exp"),
		"an end that is no number":           set("exp", "tomorrow"),
		"an end that is a text of digits":    set("exp", strconv.FormatInt(at(time.Hour), 10)),
		"an end that is null":                set("exp", nil),
		"an end that is a list":              set("exp", []int64{at(time.Hour)}),
		"an end with a fraction, past":       set("exp", float64(at(-31*time.Second))-0.5),
		"an end before all time":             set("exp", -1),
		"an end in the year 9999":            set("exp", 253402300799),
		"an end that no clock reaches":       set("exp", int64(math.MaxInt64)),
		"an end larger than numbers are":     set("exp", 1e300),
		"longer than a day":                  set("exp", at(24*time.Hour+time.Second)),
		"not valid yet":                      set("nbf", at(31*time.Second)),
		"not valid yet, with a fraction":     set("nbf", float64(at(31*time.Second))+0.5),
		"not valid before all time has gone": set("nbf", 1e300),
		"a beginning that is a text":         set("nbf", strconv.FormatInt(at(-time.Hour), 10)),
		"made in the future":                 set("iat", at(31*time.Second)),
		"made after all time":                set("iat", 1e300),
		"made long ago for long":             set("iat", 1),
		"made at a text":                     set("iat", strconv.FormatInt(at(0), 10)),
		"made at no time":                    own(nil, "iat"),
		"signed in in the future":            set("auth_time", at(31*time.Second)),
		"signed in at a text":                set("auth_time", strconv.FormatInt(at(0), 10)),
		"no subject":                         own(nil, "sub"),
		"empty subject":                      set("sub", ""),
		"a subject that is null":             set("sub", nil),
		"a subject that is a number":         set("sub", 7),
		"several subjects":                   set("sub", []string{"np"}),
		"a subject that is an object":        set("sub", map[string]any{"id": "np"}),
		"a subject with a zero byte":         set("sub", "np\x00"),
		"a session with a zero byte":         set("sid", "s\x00"),
		"a session that is a number":         set("sid", 7),
		"a partner with a zero byte":         own(map[string]any{"sub": "nobody", "partner_code": "north\x00"}),
		"roles in a text":                    set("realm_access", "partner"),
		"roles in a list":                    set("realm_access", []string{"partner"}),
		"roles in a number":                  set("realm_access", 7),
		"a role as a text":                   roles("partner"),
		"a role as a number":                 roles([]int{7}),
		"roles and a number":                 roles([]any{"partner", 7}),
		"roles as an object":                 roles(map[string]any{"partner": true}),
		"a second subject":                   also(`"sub":"sp"`),
		"a subject in other letters":         own(map[string]any{"Sub": "np"}, "sub"),
		"an audience in other letters":       own(map[string]any{"AUD": "app-api"}, "aud"),
		"an end in other letters":            own(map[string]any{"Exp": at(time.Hour)}, "exp"),
		"not an object":                      raw(`["np"]`),
		"an object and more":                 raw(string(plain) + "{}"),
		"null":                               raw("null"),
		"subject changed afterwards":         body(func(c map[string]any) { c["sub"] = "sp" }),
		"role changed afterwards":            body(func(c map[string]any) { c["realm_access"] = map[string]any{"roles": []string{"partner", "admin"}} }),
		"end changed afterwards":             body(func(c map[string]any) { c["exp"] = at(24 * time.Hour) }),
		"one letter of the signature":        parts[0] + "." + parts[1] + "." + flip(parts[2]),
		"not a token":                        "not-a-token",
		"empty parts":                        "..",
		"four parts":                         good + ".x",
		"white space inside":                 parts[0] + ". " + parts[1] + "." + parts[2],
		"very long":                          strings.Repeat("a", 20_000),
		"the refresh token of this provider": "rt." + base64.RawURLEncoding.EncodeToString([]byte(`{"typ":"Refresh","jti":"x"}`)),
	}
	if len(cases) < 100 {
		t.Fatalf("%d cases", len(cases))
	}
	for name, token := range cases {
		status, head, text := ask(token)
		if status != 401 || !strings.Contains(head.Get("WWW-Authenticate"), "Bearer") || strings.Contains(text, "expired") || !strings.Contains(text, "identity.token_refused") {
			t.Errorf("%s: %d %v %s", name, status, head.Get("WWW-Authenticate"), text)
		}
	}

	// good tokens of people who are nobody here
	for name, token := range map[string]string{
		"role of another realm's client": own(map[string]any{"realm_access": map[string]any{}, "resource_access": map[string]any{"other": map[string]any{"roles": []string{"partner"}}}}),
		"no roles at all":                own(nil, "realm_access"),
		"roles that are null":            own(map[string]any{"realm_access": nil}),
		"a list of roles that is null":   roles(nil),
		"roles in other letters":         own(map[string]any{"Realm_Access": map[string]any{"roles": []string{"partner"}}}, "realm_access"),
		"a list in other letters":        set("realm_access", map[string]any{"Roles": []string{"partner"}}),
		"roles beside the realm":         own(map[string]any{"roles": []string{"partner"}}, "realm_access"),
		"no role":                        own(map[string]any{"realm_access": map[string]any{"roles": []string{}}}),
		"a role we do not know":          own(map[string]any{"realm_access": map[string]any{"roles": []string{"system", "admin", "Partner"}}}),
		"somebody else's subject":        own(map[string]any{"sub": "nobody"}),
		"the code of no partner":         own(map[string]any{"sub": "nobody", "partner_code": "no-such-partner"}),
	} {
		if status, _, text := ask(token); status != 403 || !strings.Contains(text, "identity.stranger") {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
}

// flip changes a letter in the middle.
func flip(text string) string {
	b := []byte(text)
	if b[len(b)/2] == 'A' {
		b[len(b)/2] = 'B'
	} else {
		b[len(b)/2] = 'A'
	}
	return string(b)
}
