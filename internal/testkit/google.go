package testkit

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"

	"saldo/internal/platform/drive"
)

// Google is Google Drive at its other side, as far as Saldo uses it: made by its description, not tried against it.
type Google struct {
	*httptest.Server

	mu       sync.Mutex
	granted  map[string]string // challenge by code
	refresh  string            // the token that is good; empty: it was taken back
	access   int
	limit    string
	files    map[string]*googleFile
	sessions map[string]*googleFile
	requests int
	uploads  int
	made     int
	fault    func(w http.ResponseWriter, r *http.Request) bool
}

type googleFile struct {
	id, name, parent, kind string
	content                []byte
	size                   int64
}

// GoogleRefresh is the lasting token that it gives.
const GoogleRefresh = "1//refresh-hunter2-ł"

// NewGoogle starts one.
func NewGoogle(t testing.TB) *Google {
	t.Helper()
	g := &Google{granted: map[string]string{}, refresh: GoogleRefresh, limit: "16106127360", files: map[string]*googleFile{},
		sessions: map[string]*googleFile{}}
	g.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		g.requests++
		fault := g.fault
		g.mu.Unlock()
		if fault != nil && fault(w, r) {
			return
		}
		g.answer(w, r)
	}))
	t.Cleanup(g.Close)
	return g
}

// App is Saldo as somebody registered it there.
func (g *Google) App() drive.GoogleApp {
	return drive.GoogleApp{ID: "saldo.apps", Secret: "app-hunter2",
		Sites: drive.GoogleSites{Consent: g.URL + "/consent", Token: g.URL + "/token",
			API: g.URL + "/drive/v3", Upload: g.URL + "/upload/drive/v3"}}
}

// Agree is a person who lets Saldo in, and what Google leads back with.
func (g *Google) Agree(t testing.TB, consent string) (code, state string) {
	t.Helper()
	u, err := url.Parse(consent)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	if q.Get("client_id") != "saldo.apps" || q.Get("access_type") != "offline" || q.Get("code_challenge_method") != "S256" ||
		q.Get("scope") != "https://www.googleapis.com/auth/drive.file" || q.Get("response_type") != "code" {
		t.Errorf("%v", q)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	code = fmt.Sprint("code-", len(g.granted))
	g.granted[code] = q.Get("code_challenge")
	return code, q.Get("state")
}

// TakeBack is a person who no longer lets Saldo in.
func (g *Google) TakeBack() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refresh = ""
}

// When lets something else happen instead of an answer where it says so; nil: nothing.
func (g *Google) When(fault func(w http.ResponseWriter, r *http.Request) bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.fault = fault
}

// Unlimited is an account that does not tell what room it has.
func (g *Google) Unlimited() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.limit = ""
}

// Requests is how many there were, and Uploads how many files came.
func (g *Google) Requests() int { g.mu.Lock(); defer g.mu.Unlock(); return g.requests }

// Uploads is how many files came.
func (g *Google) Uploads() int { g.mu.Lock(); defer g.mu.Unlock(); return g.uploads }

// Files are the contents of all files by their paths.
func (g *Google) Files() map[string][]byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	found := map[string][]byte{}
	for _, f := range g.files {
		if f.kind == "application/vnd.google-apps.folder" {
			continue
		}
		path, above := f.name, g.files[f.parent]
		for above != nil {
			path, above = above.name+"/"+path, g.files[above.parent]
		}
		found[path] = f.content
	}
	return found
}

func (g *Google) answer(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the line broke: nothing came
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if r.URL.Path == "/token" {
		g.token(w, string(body))
		return
	}
	n, err := strconv.Atoi(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer access-"))
	if err != nil || n < 1 || n > g.access || g.refresh == "" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	path := strings.TrimPrefix(r.URL.Path, "/upload")
	switch {
	case path == "/drive/v3/about":
		send(w, map[string]any{"user": map[string]string{"emailAddress": "anna@fleet.example"},
			"storageQuota": map[string]string{"limit": g.limit, "usage": "1000"}})
	case path == "/drive/v3/files" && r.Method == http.MethodGet:
		g.list(w, r.URL.Query().Get("q"))
	case path == "/drive/v3/files" && r.Method == http.MethodPost:
		g.make(w, r, body)
	case strings.HasPrefix(path, "/session/") && r.Method == http.MethodPut:
		g.take(w, strings.TrimPrefix(path, "/session/"), body)
	case strings.HasPrefix(path, "/drive/v3/files/") && r.Method == http.MethodDelete:
		delete(g.files, strings.TrimPrefix(path, "/drive/v3/files/"))
		w.WriteHeader(http.StatusNoContent)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func send(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value)
}

func (g *Google) token(w http.ResponseWriter, body string) {
	form, _ := url.ParseQuery(body)
	sum := sha256.Sum256([]byte(form.Get("code_verifier")))
	code := form.Get("code")
	switch {
	case form.Get("client_id") != "saldo.apps" || form.Get("client_secret") != "app-hunter2":
		w.WriteHeader(http.StatusUnauthorized)
		return
	case form.Get("grant_type") == "refresh_token" && g.refresh != "" && form.Get("refresh_token") == g.refresh:
		g.access++
		send(w, map[string]any{"access_token": fmt.Sprint("access-", g.access), "expires_in": 3599})
		return
	case form.Get("grant_type") == "authorization_code" && g.granted[code] != "" &&
		g.granted[code] == base64.RawURLEncoding.EncodeToString(sum[:]):
		delete(g.granted, code)
		g.refresh = GoogleRefresh
		send(w, map[string]any{"refresh_token": GoogleRefresh, "access_token": "first", "expires_in": 3599})
		return
	}
	w.WriteHeader(http.StatusBadRequest)
	_, _ = io.WriteString(w, `{"error":"invalid_grant"}`)
}

var googleQuery = regexp.MustCompile(`^name = '((?:[^'\\]|\\.)*)' and '([^']*)' in parents and trashed = false$`)

func (g *Google) list(w http.ResponseWriter, query string) {
	m := googleQuery.FindStringSubmatch(query)
	if m == nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	name := strings.NewReplacer(`\'`, `'`, `\\`, `\`).Replace(m[1])
	found := []map[string]string{}
	for id, f := range g.files {
		if f.name != name || f.parent != m[2] {
			continue
		}
		sum := sha256.Sum256(f.content)
		found = append(found, map[string]string{"id": id, "mimeType": f.kind, "size": strconv.Itoa(len(f.content)),
			"sha256Checksum": hex.EncodeToString(sum[:])})
	}
	sort.Slice(found, func(i, j int) bool { return found[i]["id"] < found[j]["id"] })
	send(w, map[string]any{"files": found})
}

func (g *Google) make(w http.ResponseWriter, r *http.Request, body []byte) {
	var in struct {
		Name     string   `json:"name"`
		MimeType string   `json:"mimeType"`
		Parents  []string `json:"parents"`
	}
	if err := json.Unmarshal(body, &in); err != nil || len(in.Parents) != 1 || in.Parents[0] != "root" && g.files[in.Parents[0]] == nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	g.made++
	f := &googleFile{id: fmt.Sprintf("id%06d", g.made), name: in.Name, parent: in.Parents[0], kind: in.MimeType}
	if r.URL.Query().Get("uploadType") == "" {
		g.files[f.id] = f
		send(w, map[string]string{"id": f.id})
		return
	}
	var err error
	if f.size, err = strconv.ParseInt(r.Header.Get("X-Upload-Content-Length"), 10, 64); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	g.sessions[f.id] = f
	w.Header().Set("Location", g.URL+"/upload/session/"+f.id)
}

func (g *Google) take(w http.ResponseWriter, session string, body []byte) {
	f := g.sessions[session]
	if f == nil || int64(len(body)) != f.size {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	delete(g.sessions, session)
	f.content = body
	g.uploads++
	g.files[f.id] = f
	send(w, map[string]string{"id": f.id})
}
