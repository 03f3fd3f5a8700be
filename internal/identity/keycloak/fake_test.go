package keycloak_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"saldo/internal/testkit"
)

const (
	public = "https://saldo.example"
	secret = "an invented secret"
)

// fake speaks the part of Keycloak's REST that Saldo uses, with the statuses
// and bodies that Keycloak 26.7.2 was seen to give.
type fake struct {
	*httptest.Server
	mu       sync.Mutex
	token    string
	tokens   int // how many were given
	asked    int
	users    map[string]map[string]any // by id
	roles    map[string][]string
	sessions map[string]int
	mails    []testkit.Taken
	mailless bool // the realm has no mail server
	mayNot   bool // the service account lacks its roles
	raced    bool // somebody gives every role a moment before Saldo does
}

func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{users: map[string]map[string]any{}, roles: map[string][]string{}, sessions: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /auth/realms/saldo/protocol/openid-connect/token", f.giveToken)
	admin := func(pattern string, h http.HandlerFunc) {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" /auth/admin/realms/saldo"+path, func(w http.ResponseWriter, rq *http.Request) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.asked++
			switch {
			case f.token == "" || rq.Header.Get("Authorization") != "Bearer "+f.token:
				say(w, 401, `{"error":"HTTP 401 Unauthorized"}`)
			case f.mayNot:
				say(w, 403, `{"error":"HTTP 403 Forbidden"}`)
			case rq.PathValue("id") != "" && f.users[rq.PathValue("id")] == nil:
				say(w, 404, `{"error":"User not found"}`)
			default:
				h(w, rq)
			}
		})
	}
	admin("GET /users", f.find)
	admin("POST /users", f.create)
	admin("GET /users/{id}", func(w http.ResponseWriter, rq *http.Request) { show(w, f.users[rq.PathValue("id")]) })
	admin("PUT /users/{id}", f.change)
	admin("DELETE /users/{id}", func(w http.ResponseWriter, rq *http.Request) {
		delete(f.users, rq.PathValue("id"))
		w.WriteHeader(204)
	})
	admin("POST /users/{id}/logout", func(w http.ResponseWriter, rq *http.Request) {
		f.sessions[rq.PathValue("id")] = 0
		w.WriteHeader(204)
	})
	admin("PUT /users/{id}/execute-actions-email", f.mail)
	admin("GET /roles/{role}", func(w http.ResponseWriter, rq *http.Request) {
		if role := rq.PathValue("role"); role == "driver" || role == "partner" {
			show(w, map[string]any{"id": "r-" + role, "name": role, "composite": false, "clientRole": false})
			return
		}
		say(w, 404, `{"error":"Could not find role"}`)
	})
	admin("POST /users/{id}/role-mappings/realm", func(w http.ResponseWriter, rq *http.Request) {
		var roles []struct{ ID, Name string }
		if json.NewDecoder(rq.Body).Decode(&roles) != nil || len(roles) != 1 || roles[0].ID != "r-"+roles[0].Name {
			say(w, 404, `{"error":"Role not found"}`)
			return
		}
		f.roles[rq.PathValue("id")] = append(f.roles[rq.PathValue("id")], roles[0].Name)
		if f.raced {
			say(w, 400, `{"error":"Could not add user role mappings!"}`)
			return
		}
		w.WriteHeader(204)
	})
	admin("GET /users/{id}/role-mappings/realm", func(w http.ResponseWriter, rq *http.Request) {
		shown := []any{map[string]any{"id": "r-default-roles-saldo", "name": "default-roles-saldo"}}
		for _, role := range f.roles[rq.PathValue("id")] {
			shown = append(shown, map[string]any{"id": "r-" + role, "name": role})
		}
		show(w, shown)
	})
	admin("GET /users/{id}/role-mappings/realm/composite", func(w http.ResponseWriter, rq *http.Request) {
		shown := []any{map[string]any{"name": "default-roles-saldo"}, map[string]any{"name": "offline_access"}}
		seen := map[string]bool{}
		for _, role := range append([]string{"driver"}, f.roles[rq.PathValue("id")]...) {
			if !seen[role] {
				shown, seen[role] = append(shown, map[string]any{"name": role}), true
			}
		}
		show(w, shown)
	})
	f.Server = httptest.NewServer(mux)
	t.Cleanup(f.Close)
	return f
}

func say(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

func show(w http.ResponseWriter, what any) {
	body, err := json.Marshal(what)
	if err != nil {
		panic(err)
	}
	say(w, 200, string(body))
}

func (f *fake) giveToken(w http.ResponseWriter, rq *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case rq.PostFormValue("client_id") != "app-backend":
		say(w, 401, `{"error":"invalid_client","error_description":"Invalid client or Invalid client credentials"}`)
	case rq.PostFormValue("client_secret") != secret:
		say(w, 401, `{"error":"unauthorized_client","error_description":"Invalid client or Invalid client credentials"}`)
	default:
		f.tokens++
		f.token = fmt.Sprintf("token-%d", f.tokens)
		say(w, 200, `{"access_token":"`+f.token+`","expires_in":300,"refresh_expires_in":0,"token_type":"Bearer","not-before-policy":0,"scope":"email profile"}`)
	}
}

// forget makes the token that was given worthless.
func (f *fake) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.token = ""
}

func (f *fake) find(w http.ResponseWriter, rq *http.Request) {
	found := []any{}
	wanted := rq.URL.Query().Get("email")
	for _, u := range f.users { // an empty address means no condition
		if wanted == "" || u["email"] == strings.ToLower(wanted) {
			found = append(found, u)
		}
	}
	show(w, found)
}

// declared is what the realm's user profile knows; all else is dropped without a word.
var declared = []string{"partner_code", "reference_id", "reference_link", "locale"}

func (f *fake) create(w http.ResponseWriter, rq *http.Request) {
	var u map[string]any
	if err := json.NewDecoder(rq.Body).Decode(&u); err != nil {
		say(w, 400, `{"error":"unknown_error"}`)
		return
	}
	email, _ := u["email"].(string)
	if !strings.Contains(email, "@") {
		say(w, 400, `{"field":"email","errorMessage":"error-invalid-email","params":["email"]}`)
		return
	}
	for _, other := range f.users {
		if other["email"] == strings.ToLower(email) {
			say(w, 409, `{"errorMessage":"User exists with same email"}`)
			return
		}
	}
	id := uuid.NewString()
	u["id"], u["email"], u["username"], u["emailVerified"], u["totp"] = id, strings.ToLower(email), strings.ToLower(email), false, false
	keepDeclared(u)
	f.users[id] = u
	w.Header().Set("Location", f.URL+"/auth/admin/realms/saldo/users/"+id)
	w.WriteHeader(201)
}

func keepDeclared(u map[string]any) {
	all, _ := u["attributes"].(map[string]any)
	kept := map[string]any{}
	for _, name := range declared {
		if value, ok := all[name]; ok {
			kept[name] = value
		}
	}
	u["attributes"] = kept
	if len(kept) == 0 {
		delete(u, "attributes")
	}
}

func (f *fake) change(w http.ResponseWriter, rq *http.Request) {
	var u map[string]any
	if err := json.NewDecoder(rq.Body).Decode(&u); err != nil || u["email"] == nil {
		say(w, 400, `{"field":"email","errorMessage":"error-user-attribute-required","params":["email"]}`)
		return
	}
	keepDeclared(u)
	f.users[rq.PathValue("id")] = u
	w.WriteHeader(204)
}

func (f *fake) mail(w http.ResponseWriter, rq *http.Request) {
	var actions []string
	query := rq.URL.Query()
	switch {
	case json.NewDecoder(rq.Body).Decode(&actions) != nil || len(actions) != 2:
		say(w, 400, `{"errorMessage":"Provided invalid required actions"}`)
	case query.Get("client_id") != "spa" || query.Get("redirect_uri") != public+"/app/":
		say(w, 400, `{"errorMessage":"Invalid redirect uri."}`)
	case f.mailless:
		say(w, 500, `{"errorMessage":"Failed to send execute actions email: Error when attempting to send the email to the server. More information is available in the server log."}`)
	default:
		f.mails = append(f.mails, testkit.Taken{From: "saldo@saldo.example", To: f.users[rq.PathValue("id")]["email"].(string),
			Data: "Content-Type: text/plain; charset=utf-8\r\n\r\nOpen " + public + "/auth/realms/saldo/login-actions/action-token?key=k&client_id=spa\r\n"})
		w.WriteHeader(204)
	}
}
