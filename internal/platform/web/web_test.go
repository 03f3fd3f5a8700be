package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/testkit"
)

var errClosed = fault.Declare(fault.Conflict, "test.closed")

type note struct {
	Text  string   `json:"text" minLength:"1" maxLength:"20"`
	Count int      `json:"count,omitempty" minimum:"0" maximum:"9"`
	Kinds []string `json:"kinds,omitempty" enum:"a,b"`
}

// fixture is a router over small operations, with two people: anna may
// everything a partner may, oleh is a driver.
type fixture struct {
	*httptest.Server
	log *bytes.Buffer
	db  *db.DB
}

func serve(t *testing.T, d *db.DB) fixture {
	t.Helper()
	var mu sync.Mutex
	log := &bytes.Buffer{}
	r := web.NewRouter(web.Settings{DB: d, Log: slog.New(slog.NewJSONHandler(lockedWriter{&mu, log}, nil)), Metrics: prometheus.NewRegistry(),
		Authenticate: func(_ context.Context, token string) (access.Actor, error) {
			switch token {
			case "anna", "bernd":
				return access.Actor{Role: access.Partner, Tenant: "fleet of " + token, ID: token, Name: token}, nil
			case "oleh":
				return access.Actor{Role: access.Driver, Tenant: "fleet of anna", ID: token}, nil
			}
			return access.Actor{}, web.ErrUnauthenticated
		}})
	web.Write(r, web.Route{Method: "POST", Path: "/api/notes", Name: "add", Permission: access.TagsWrite, Status: 201, BodyLimit: 2000},
		func(tx *db.Tx, in *struct{ Body note }) (map[string]string, error) {
			id := tx.NewID()
			if in.Body.Text == "closed" {
				return nil, errClosed.With("period", "2026-W45")
			}
			_, err := tx.Exec(`INSERT INTO audit_entries (tenant_id, id, at, actor_role, actor_id, actor_name, action, object_kind, object_id, before_state, after_state, reason)
				VALUES ($1, $2, '', '', '', '', '', '', '', '', '', '')`, id)
			return map[string]string{"id": id}, err
		})
	web.Write(r, web.Route{Method: "POST", Path: "/api/lists", Name: "add-list", Permission: access.TagsWrite},
		func(*db.Tx, *struct{ Body note }) (web.None, error) { return web.None{}, nil })
	web.Write(r, web.Route{Method: "POST", Path: "/api/texts", Name: "add-text", Permission: access.TagsWrite},
		func(*db.Tx, *struct {
			Body struct {
				Text  string   `json:"text"`
				Names []string `json:"names,omitempty"`
				Inner struct {
					City string `json:"city,omitempty"`
				} `json:"inner,omitempty"`
			}
		}) (web.None, error) {
			return web.None{}, nil
		})
	web.Read(r, web.Route{Method: "GET", Path: "/api/notes", Name: "list", Permission: access.TagsRead},
		func(tx *db.Tx, in *struct {
			Limit int `query:"limit" minimum:"1"`
		}) (map[string]int64, error) {
			n, err := db.One[int64](tx, `SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1`)
			return map[string]int64{"count": n}, err
		})
	web.Read(r, web.Route{Method: "GET", Path: "/api/broken", Name: "broken", Permission: access.TagsRead},
		func(*db.Tx, *struct{}) (web.None, error) { return web.None{}, errors.New("password=hunter2") })
	web.Read(r, web.Route{Method: "GET", Path: "/api/panics", Name: "panics", Permission: access.TagsRead},
		func(*db.Tx, *struct{}) (web.None, error) { panic("hunter2") })
	web.Plain(r, web.Route{Method: "GET", Path: "/api/slow", Name: "slow", Permission: access.Public, Timeout: 20 * time.Millisecond},
		func(ctx context.Context, _ web.Call, _ *struct{}) (web.None, error) {
			<-ctx.Done()
			return web.None{}, ctx.Err()
		})
	web.Plain(r, web.Route{Method: "POST", Path: "/api/files", Name: "upload", Permission: access.TagsWrite, BodyLimit: 50_000},
		func(ctx context.Context, c web.Call, in *struct {
			RawBody huma.MultipartFormFiles[struct {
				Photo huma.FormFile `form:"photo" required:"true" contentType:"image/png"`
			}]
		}) (size map[string]int64, err error) {
			photo := in.RawBody.Data().Photo
			err = d.Write(ctx, c.Actor, func(tx *db.Tx) error {
				size, _, err = web.Once(tx, c.Key, photo.Filename, func() (map[string]int64, error) { return map[string]int64{"size": photo.Size}, nil })
				return err
			})
			return size, err
		})
	s := httptest.NewServer(r.Handler())
	t.Cleanup(s.Close)
	return fixture{s, log, d}
}

type lockedWriter struct {
	mu *sync.Mutex
	w  io.Writer
}

func (l lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

type answered struct {
	status  int
	header  http.Header
	body    string
	problem web.Problem
}

func (f fixture) do(t *testing.T, method, path, token, body string, headers ...string) answered {
	t.Helper()
	rq, err := http.NewRequest(method, f.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		rq.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		rq.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(rq)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := answered{status: resp.StatusCode, header: resp.Header, body: string(content)}
	if resp.StatusCode >= 400 {
		if kind := resp.Header.Get("Content-Type"); kind != "application/problem+json" {
			t.Errorf("%s %s answers %d as %s: %s", method, path, resp.StatusCode, kind, content)
		}
		if err := json.Unmarshal(content, &a.problem); err != nil {
			t.Errorf("%s %s: %v", method, path, err)
		}
		if a.problem.RequestID == "" || a.problem.RequestID != resp.Header.Get("X-Request-Id") || a.problem.Status != resp.StatusCode {
			t.Errorf("%s %s: problem and answer disagree: %s", method, path, content)
		}
	}
	return a
}

const key = "Idempotency-Key"

func TestAReplayedKeyDoesNothingTwice(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		f := serve(t, d)
		first := f.do(t, "POST", "/api/notes", "anna", `{"text":"hi"}`, key, "k1")
		if first.status != 201 || first.header.Get("Idempotency-Replayed") != "" {
			t.Fatalf("%d %s", first.status, first.body)
		}
		again := f.do(t, "POST", "/api/notes", "anna", `{"text":"hi"}`, key, "k1")
		if again.status != 201 || again.body != first.body || again.header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("the replay answers %d %s, the first %d %s", again.status, again.body, first.status, first.body)
		}
		if other := f.do(t, "POST", "/api/notes", "anna", `{"text":"ho"}`, key, "k1"); other.status != 422 || other.problem.Code != "idempotency.key_reused" {
			t.Errorf("the same key with another body: %d %s", other.status, other.body)
		}
		if theirs := f.do(t, "POST", "/api/notes", "bernd", `{"text":"hi"}`, key, "k1"); theirs.status != 201 || theirs.body == first.body {
			t.Errorf("another person's key answers %d %s", theirs.status, theirs.body)
		}
		if list := f.do(t, "GET", "/api/notes", "anna", ""); list.body != "{\"count\":1}\n" {
			t.Errorf("written: %s", list.body)
		}
	})
}

func TestTwinsAtTheSameMomentDoItOnce(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		f := serve(t, d)
		bodies := make([]string, 16)
		var all sync.WaitGroup
		for i := range bodies {
			all.Go(func() { bodies[i] = f.do(t, "POST", "/api/notes", "anna", `{"text":"hi"}`, key, "twin").body })
		}
		all.Wait()
		for _, b := range bodies {
			if b != bodies[0] {
				t.Errorf("twins disagree: %s and %s", b, bodies[0])
			}
		}
		if list := f.do(t, "GET", "/api/notes", "anna", ""); list.body != "{\"count\":1}\n" {
			t.Errorf("written: %s", list.body)
		}
	})
}

func TestAKeyOfAFailedRequestCanBeUsedAgain(t *testing.T) {
	f := serve(t, testkit.Open(t, testkit.Settings(t, testkit.Engine)))
	for range 2 {
		a := f.do(t, "POST", "/api/notes", "anna", `{"text":"closed"}`, key, "k")
		if a.status != 409 || a.problem.Code != "test.closed" || a.problem.Params["period"] != "2026-W45" {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	if a := f.do(t, "POST", "/api/notes", "anna", `{"text":"open"}`, key, "k"); a.status != 201 {
		t.Errorf("nothing was done with the key, yet it answers %d %s", a.status, a.body)
	}
}

func TestBadInputIsRefusedWithTheNameOfTheField(t *testing.T) {
	f := serve(t, testkit.Open(t, testkit.Settings(t, testkit.Engine)))
	secret := "hunter2-is-my-secret"
	for name, c := range map[string]struct {
		body, kind  string
		status      int
		code, field string
		fieldCode   web.FieldCode
	}{
		"a malformed body":    {`{"text":`, "", 400, "request.malformed", "body", "invalid"},
		"no body":             {``, "", 400, "request.malformed", "body", "invalid"},
		"an unknown field":    {`{"text":"x","admin":"` + secret + `"}`, "", 422, "request.invalid", "admin", "unknown"},
		"a wrong type":        {`{"text":["` + secret + `"]}`, "", 422, "request.invalid", "text", "wrong_type"},
		"a missing field":     {`{"count":1}`, "", 422, "request.invalid", "text", "required"},
		"too long":            {`{"text":"` + secret + secret + `"}`, "", 422, "request.invalid", "text", "too_long"},
		"too short":           {`{"text":""}`, "", 422, "request.invalid", "text", "too_short"},
		"too large a number":  {`{"text":"x","count":10}`, "", 422, "request.invalid", "count", "too_large"},
		"not in the list":     {`{"text":"x","kinds":["a","` + secret + `"]}`, "", 422, "request.invalid", "kinds[1]", "not_allowed"},
		"an oversized body":   {`{"text":"` + strings.Repeat(secret, 200) + `"}`, "", 413, "request.too_large", "body", "too_large"},
		"another media type":  {`<text/>`, "application/xml", 415, "request.unsupported_media_type", "", ""},
		"a null":              {`{"text":null}`, "", 422, "request.invalid", "text", "wrong_type"},
		"an array for a note": {`[1]`, "", 422, "request.invalid", "body", "wrong_type"},
	} {
		t.Run(name, func(t *testing.T) {
			kind := c.kind
			if kind == "" {
				kind = "application/json"
			}
			a := f.do(t, "POST", "/api/notes", "anna", c.body, key, "k", "Content-Type", kind)
			if a.status != c.status || string(a.problem.Code) != c.code {
				t.Fatalf("%d %s", a.status, a.body)
			}
			if c.field != "" && (len(a.problem.Fields) == 0 || a.problem.Fields[0].Name != c.field || a.problem.Fields[0].Code != c.fieldCode) {
				t.Errorf("fields: %s", a.body)
			}
			if strings.Contains(a.body, secret) {
				t.Errorf("the value comes back: %s", a.body)
			}
		})
	}
	for path, field := range map[string]string{"/api/notes?limit=many": "limit", "/api/notes?limit=0": "limit"} {
		if a := f.do(t, "GET", path, "anna", ""); a.status != 422 || len(a.problem.Fields) != 1 || a.problem.Fields[0].Name != field {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if a := f.do(t, "GET", "/api/notes?limit=1&colour=red&%zz", "anna", ""); a.status != 422 || a.problem.Params["unknownParameters"] != "2" {
		t.Errorf("unknown parameters: %d %s", a.status, a.body)
	}
	if strings.Contains(f.log.String(), secret) {
		t.Error("the log holds a value of a request")
	}
}

// form is a body with one file.
func form(t *testing.T, field, name, kind string, size int) (body, contentType string) {
	t.Helper()
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name=%q; filename=%q`, field, name)}, "Content-Type": {kind}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(bytes.Repeat([]byte{0x89}, size)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String(), w.FormDataContentType()
}

func TestAnUploadIsLimitedAndRepeatable(t *testing.T) {
	f := serve(t, testkit.Open(t, testkit.Settings(t, testkit.Engine)))
	upload := func(key string, field, name, kind string, size int) answered {
		body, contentType := form(t, field, name, kind, size)
		return f.do(t, "POST", "/api/files", "anna", body, "Idempotency-Key", key, "Content-Type", contentType)
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	for range 2 { // too large for memory
		if a := upload("k1", "photo", "a.png", "image/png", 20_000); a.status != 200 || a.body != "{\"size\":20000}\n" {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	for name, c := range map[string]struct {
		answer answered
		status int
		field  string
	}{
		"oversized":             {upload("k2", "photo", "b.png", "image/png", 60_000), 413, "body"},
		"under another name":    {upload("k3", "picture", "b.png", "image/png", 10), 422, "photo"},
		"of another kind":       {upload("k4", "photo", "b.exe", "application/x-msdownload", 10), 422, "photo"},
		"another with that key": {upload("k1", "photo", "c.png", "image/png", 10), 422, ""},
		"without a key":         {f.do(t, "POST", "/api/files", "anna", "x"), 400, ""},
	} {
		if c.answer.status != c.status || (c.field != "" && (len(c.answer.problem.Fields) != 1 || c.answer.problem.Fields[0].Name != c.field)) {
			t.Errorf("%s: %d %s", name, c.answer.status, c.answer.body)
		}
	}
	// the answer may come before the last file is gone
	testkit.Eventually(t, "nothing that was uploaded stays behind", func() bool {
		left, err := os.ReadDir(temp)
		return err == nil && len(left) == 0
	})
}

func TestWhoIsNotAllowedGetsNoFurther(t *testing.T) {
	f := serve(t, testkit.Open(t, testkit.Settings(t, testkit.Engine)))
	for name, c := range map[string]struct {
		token, key string
		status     int
		code       web.FaultCode
	}{
		"no token":      {"", "k", 401, "access.unauthenticated"},
		"a wrong token": {"mallory", "k", 401, "access.unauthenticated"},
		"a driver":      {"oleh", "k", 403, "access.forbidden"},
		"no key":        {"anna", "", 400, "idempotency.key_required"},
		"a huge key":    {"anna", strings.Repeat("k", 256), 400, "idempotency.key_required"},
	} {
		t.Run(name, func(t *testing.T) {
			headers := []string{}
			if c.key != "" {
				headers = []string{key, c.key}
			}
			// the body is nonsense: permission comes before it is looked at
			a := f.do(t, "POST", "/api/notes", c.token, `nonsense`, headers...)
			if a.status != c.status || a.problem.Code != c.code {
				t.Errorf("%d %s", a.status, a.body)
			}
			if c.status == 401 && a.header.Get("WWW-Authenticate") == "" {
				t.Error("401 without WWW-Authenticate")
			}
		})
	}
}

func TestARequestFromAnotherSiteIsRefused(t *testing.T) {
	f := serve(t, testkit.Open(t, testkit.Settings(t, testkit.Engine)))
	a := f.do(t, "POST", "/api/notes", "anna", `{"text":"x"}`, key, "k", "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example")
	if a.status != 403 || a.problem.Code != "access.cross_origin" {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestWhatIsOursIsLoggedAndNotShown(t *testing.T) {
	f := serve(t, testkit.Open(t, testkit.Settings(t, testkit.Engine)))
	for _, path := range []string{"/api/broken", "/api/panics"} {
		a := f.do(t, "GET", path, "anna", "", "X-Request-Id", "request-1234")
		if a.status != 500 || a.problem.Code != "internal" || strings.Contains(a.body, "hunter2") {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if log := f.log.String(); strings.Count(log, "hunter2") != 2 || !strings.Contains(log, "request-1234") {
		t.Errorf("the log does not say what happened: %s", log)
	}
}

func TestAnOperationThatTakesTooLongIsStopped(t *testing.T) {
	f := serve(t, testkit.Open(t, testkit.Settings(t, testkit.Engine)))
	if a := f.do(t, "GET", "/api/slow", "", ""); a.status != 503 || a.problem.Code != "request.timeout" || a.header.Get("Retry-After") == "" {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestAnAddressOrMethodThatIsNotThereIsAProblem(t *testing.T) {
	f := serve(t, testkit.Open(t, testkit.Settings(t, testkit.Engine)))
	if a := f.do(t, "GET", "/api/nowhere", "anna", ""); a.status != 404 || a.problem.Code != "request.not_found" {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := f.do(t, "PUT", "/api/notes", "anna", ""); a.status != 405 || a.problem.Code != "request.method_not_allowed" {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestEveryAnswerCarriesTheSecurityHeaders(t *testing.T) {
	f := serve(t, testkit.Open(t, testkit.Settings(t, testkit.Engine)))
	h := f.do(t, "GET", "/api/notes", "anna", "").header
	for name, value := range map[string]string{
		"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
	} {
		if h.Get(name) != value {
			t.Errorf("%s is %q, want %q", name, h.Get(name), value)
		}
	}
	policy := h.Get("Content-Security-Policy")
	if !strings.Contains(policy, "script-src 'self';") || !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("policy: %s", policy)
	}
}

func TestTheLogNamesTheRouteAndNeverTheAddress(t *testing.T) {
	f := serve(t, testkit.Open(t, testkit.Settings(t, testkit.Engine)))
	f.do(t, "GET", "/api/notes?limit=1", "anna", "", "Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	log := f.log.String()
	if strings.Contains(log, "limit") || !strings.Contains(log, `"route":"GET /api/notes"`) || !strings.Contains(log, `"trace":"0af7651916cd43dd8448eb211c80319c"`) {
		t.Errorf("log: %s", log)
	}
}

func TestARouteWithoutAPermissionCannotBeRegistered(t *testing.T) {
	r := web.NewRouter(web.Settings{Log: slog.Default(), Metrics: prometheus.NewRegistry()})
	read := func(*db.Tx, *struct{}) (web.None, error) { return web.None{}, nil }
	for name, register := range map[string]func(){
		"no permission": func() { web.Read(r, web.Route{Method: "GET", Path: "/api/a", Name: "a"}, read) },
		"an unknown one": func() {
			web.Read(r, web.Route{Method: "GET", Path: "/api/b", Name: "b", Permission: "everything"}, read)
		},
		"a change that reads": func() {
			web.Read(r, web.Route{Method: "POST", Path: "/api/c", Name: "c", Permission: access.TagsWrite}, read)
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it was registered")
				}
			}()
			register()
		})
	}
}

func TestTheApplicationIsServedCompressedAndKept(t *testing.T) {
	h, err := web.App("/app/", fstest.MapFS{
		"index.html":           {Data: []byte("<html>index</html>")},
		"driver-summary.html":  {Data: []byte("<html>linked</html>")},
		"verify.html":          {Data: []byte("<html>verify</html>")},
		"manifest.webmanifest": {Data: []byte("{}")},
		"assets/main-1.js":     {Data: []byte("script")},
		"assets/main-1.js.br":  {Data: []byte("BR")},
		"assets/main-1.js.gz":  {Data: []byte("GZ")},
	})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(path, encoding string) *httptest.ResponseRecorder {
		rq := httptest.NewRequest("GET", path, nil)
		rq.Header.Set("Accept-Encoding", encoding)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, rq)
		return w
	}
	for _, c := range []struct{ path, encoding, body, coding, cache string }{
		{"/app/assets/main-1.js", "gzip, deflate, br", "BR", "br", "immutable"},
		{"/app/assets/main-1.js", "gzip, br;q=0", "GZ", "gzip", "immutable"},
		{"/app/assets/main-1.js", "", "script", "", "immutable"},
		{"/app/", "br", "<html>index</html>", "", "no-cache"},
		{"/app/drivers/42", "br", "<html>index</html>", "", "no-cache"},
		{"/app/../app/tags", "br", "<html>index</html>", "", "no-cache"},
		{"/app/driver-summary/a-token", "br", "<html>linked</html>", "", "no-cache"},
		{"/app/verify/a-code", "br", "<html>verify</html>", "", "no-cache"},
	} {
		w := ask(c.path, c.encoding)
		if w.Code != 200 || w.Body.String() != c.body || w.Header().Get("Content-Encoding") != c.coding || !strings.Contains(w.Header().Get("Cache-Control"), c.cache) {
			t.Errorf("%s with %q: %d %q %v", c.path, c.encoding, w.Code, w.Body, w.Header())
		}
	}
	if w := ask("/app/driver-summary/a-token", ""); w.Header().Get("X-Robots-Tag") != "noindex, nofollow" {
		t.Errorf("a mailed link may be listed: %v", w.Header())
	}
	if w := ask("/app/manifest.webmanifest", ""); w.Code != 200 || w.Header().Get("Content-Type") != "application/manifest+json" {
		t.Errorf("the manifest: %d %v", w.Code, w.Header())
	}
	if w := ask("/app/assets/gone.js", "br"); w.Code != 404 {
		t.Errorf("a script that is gone answers %d", w.Code)
	}
}

// allocated is how many bytes a request costs the server, headers and client included.
func allocated(t *testing.T, ask func()) uint64 {
	t.Helper()
	ask() // what is made once
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	ask()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// The cost of what a stranger sends grows with its size and no faster. Memory
// is measured, since time differs from run to run; what copies all earlier
// errors for each new one allocates with the square of their number.
func TestManyErrors_CostNoMoreThanTheirSize(t *testing.T) {
	s := serve(t, testkit.Open(t, testkit.Settings(t, testkit.Engine)))
	query := func(n int) func() {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "&%04x", i)
		}
		return func() {
			a := s.do(t, "GET", "/api/notes?limit=1"+b.String(), "anna", "")
			if a.status != 422 || a.problem.Params["unknownParameters"] != fmt.Sprint(n) || len(a.problem.Fields) != 0 {
				t.Fatal(a.status, a.problem)
			}
		}
	}
	body := func(n int) func() {
		list := `{"text":"x","kinds":["c"` + strings.Repeat(`,"c"`, n-1) + `]}`
		return func() {
			a := s.do(t, "POST", "/api/lists", "anna", list, key, "k", "Content-Type", "application/json")
			if a.status != 422 || a.problem.Params["more"] != fmt.Sprint(n-fault.MaxFields) || len(a.problem.Fields) != fault.MaxFields {
				t.Fatal(a.status, a.problem.Params, len(a.problem.Fields))
			}
		}
	}
	for what, of := range map[string]func(int) func(){"parameters": query, "items": body} {
		few, many := allocated(t, of(1000)), allocated(t, of(8000))
		if many > 12*few {
			t.Errorf("8,000 wrong %s allocate %d bytes, 1,000 of them %d", what, many, few)
		}
	}
}

// Text that one engine cannot store is refused before it gets there, wherever it stands.
func TestTextThatIsNone_IsRefusedWithTheNameOfItsField(t *testing.T) {
	f := serve(t, testkit.Open(t, testkit.Settings(t, testkit.Engine)))
	for name, c := range map[string]struct{ body, field string }{
		"an escaped NUL":            {`{"text":"a\u0000b"}`, "text"},
		"a byte that is no UTF-8":   {"{\"text\":\"a\xffb\"}", "text"},
		"half a character":          {"{\"text\":\"a\xc3\"}", "text"},
		"in the item of a list":     {`{"text":"x","names":["a","b\u0000"]}`, "names[1]"},
		"in an inner field":         {`{"text":"x","inner":{"city":"\u0000"}}`, "inner.city"},
		"in the name of an unknown": {`{"text":"x","\u0000":"a"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := f.do(t, "POST", "/api/texts", "anna", c.body, key, "k"+name, "Content-Type", "application/json")
			if a.status != 422 || c.field != "" && (len(a.problem.Fields) != 1 || a.problem.Fields[0].Name != c.field) {
				t.Errorf("%d %s", a.status, a.body)
			}
		})
	}
	for path, field := range map[string]string{"/api/notes?limit=%00": "limit", "/api/notes?limit=%ff": "limit", "/api/notes?%00=1": "query", "/api/%00": "path", "/app/%ff": "path"} {
		if a := f.do(t, "GET", path, "anna", ""); a.status != 422 || len(a.problem.Fields) != 1 || a.problem.Fields[0].Name != field {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if a := f.do(t, "POST", "/api/notes", "anna", `{"text":"x"}`, key, "k\xff", "Content-Type", "application/json"); a.status != 422 || a.problem.Fields[0].Name != key {
		t.Errorf("a header: %d %s", a.status, a.body)
	}
	body, kind := form(t, "photo", "a.png", "image/png", 10)
	body = strings.Replace(body, "a.png", "a\xff.png", 1)
	if a := f.do(t, "POST", "/api/files", "anna", body, key, "file", "Content-Type", kind); a.status != 422 || a.problem.Fields[0].Name != "photo" {
		t.Errorf("the name of a file: %d %s", a.status, a.body)
	}
	body, kind = form(t, "photo", "a.png", "image/png", 10)
	_, edge, _ := strings.Cut(kind, "boundary=")
	body = "--" + edge + "\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\na\x00\r\n" + body
	if a := f.do(t, "POST", "/api/files", "anna", body, key, "value", "Content-Type", kind); a.status != 422 || a.problem.Fields[0].Name != "note" {
		t.Errorf("a value beside a file: %d %s", a.status, a.body)
	}
}

func TestForms_AreReadWithinLimits(t *testing.T) {
	seen := make(chan string, 10) // room for what should be refused
	s := httptest.NewServer(web.Forms(http.HandlerFunc(func(_ http.ResponseWriter, rq *http.Request) { seen <- rq.PostFormValue("name") }), 100, 300*time.Millisecond))
	t.Cleanup(s.Close)
	post := func(body string) int {
		resp, err := http.Post(s.URL, "application/x-www-form-urlencoded", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	if status := post("name=Anna"); status != 200 || <-seen != "Anna" {
		t.Error("a form is not handed on", status)
	}
	for body, status := range map[string]int{"name=%00": 422, "name=%ff": 422, "name=%zz": 400, "name=" + strings.Repeat("a", 200): 413} {
		if got := post(body); got != status {
			t.Errorf("%.20s answers %d", body, got)
		}
	}
	// one that sends a byte and waits is let go
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 50\r\n\r\nn")
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.Contains(string(answer), " 503 ") {
		t.Errorf("%v %s", err, answer)
	}
	if len(seen) > 0 {
		t.Error("what was refused was handed on")
	}
}

func TestDiskFull_IsReportedAndEndsByItself(t *testing.T) {
	d := testkit.Open(t, testkit.Settings(t, "sqlite"))
	f := serve(t, d)
	pages := func(maximum int64) {
		testkit.Write(t, d, access.Program("test"), func(tx *db.Tx) error {
			_, err := tx.Across().Exec(fmt.Sprintf("PRAGMA max_page_count = %d", maximum))
			return err
		})
	}
	pages(1) // what it has is all it gets
	var refused answered
	for n := range 2000 {
		a := f.do(t, "POST", "/api/notes", "anna", `{"text":"x"}`, key, fmt.Sprint("full-", n), "Content-Type", "application/json")
		if a.status != 201 {
			refused = a
			break
		}
	}
	if refused.status != 503 || refused.problem.Code != "overload.disk_full" || refused.header.Get("Retry-After") == "" {
		t.Fatalf("%d %s", refused.status, refused.body)
	}
	if a := f.do(t, "GET", "/api/notes?limit=1", "anna", ""); a.status != 200 {
		t.Errorf("reading answers %d", a.status)
	}
	pages(1 << 30)
	if a := f.do(t, "POST", "/api/notes", "anna", `{"text":"x"}`, key, "again", "Content-Type", "application/json"); a.status != 201 {
		t.Errorf("with space again: %d %s", a.status, a.body)
	}
}
