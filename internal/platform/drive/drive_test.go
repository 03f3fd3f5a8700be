package drive_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"golang.org/x/net/webdav"

	"saldo/internal/platform/drive"
	"saldo/internal/platform/outbound"
	"saldo/internal/testkit"
)

// service is a drive at its other side, with faults.
type service struct {
	*httptest.Server
	requests atomic.Int64
	puts     atomic.Int64 // uploads that were taken
	fault    atomic.Pointer[func(w http.ResponseWriter, r *http.Request) bool]
	dir      webdav.Dir       // of WebDAV
	objects  gofakes3.Backend // of S3
	google   *testkit.Google
	connect  func() drive.Drive // anew, as after a start of the program
}

// when lets something happen instead of an answer, where it says so.
func (s *service) when(fault func(w http.ResponseWriter, r *http.Request) bool) {
	s.fault.Store(&fault)
}

func (s *service) answers(status int, method string, code string) {
	s.when(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != method {
			return false
		}
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, "<Error><Code>%s</Code><Message>no</Message></Error>", code)
		return true
	})
}

func (s *service) serve(t *testing.T, next http.Handler) {
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		if fault := s.fault.Load(); fault != nil && (*fault)(w, r) {
			return
		}
		if r.Method == http.MethodPut {
			s.puts.Add(1)
		}
		next.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
}

// near is how tests reach the services that they start.
func near(to netip.AddrPort) bool { return to.Addr().IsLoopback() }

const patience = time.Second

func newWebDAV(t *testing.T) *service {
	s := &service{dir: webdav.Dir(t.TempDir())}
	h := &webdav.Handler{FileSystem: s.dir, LockSystem: webdav.NewMemLS()}
	s.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if account, password, _ := r.BasicAuth(); account != "anna" || password != "hunter2-ł" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	}))
	s.connect = func() drive.Drive { return s.webdav(t, "hunter2-ł", near) }
	return s
}

func (s *service) webdav(t *testing.T, password string, allowed func(netip.AddrPort) bool) drive.Drive {
	return drive.NewWebDAV(address(t, s.URL+"/"), "anna", password, outbound.Client(allowed, nil, patience))
}

func newS3(t *testing.T) *service {
	backend := s3mem.New()
	if err := backend.CreateBucket("files"); err != nil {
		t.Fatal(err)
	}
	s := &service{objects: backend}
	s.serve(t, gofakes3.New(backend).Server())
	s.connect = func() drive.Drive { return s.s3(t, near) }
	return s
}

func (s *service) s3(t *testing.T, allowed func(netip.AddrPort) bool) drive.Drive {
	d, err := drive.NewS3(address(t, s.URL+"/files/in a folder"), "eu-central-1", "KEY", "hunter2-ł", slow{outbound.Transport(allowed, nil, patience)})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func newGoogle(t *testing.T) *service {
	s := &service{google: testkit.NewGoogle(t)}
	s.Server = s.google.Server
	s.google.When(func(w http.ResponseWriter, r *http.Request) bool {
		s.requests.Add(1)
		if fault := s.fault.Load(); fault != nil && (*fault)(w, r) {
			return true
		}
		if r.Method == http.MethodPut {
			s.puts.Add(1)
		}
		return false
	})
	s.connect = func() drive.Drive {
		trust := s.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
		return drive.NewGoogle(s.google.App(), testkit.GoogleRefresh, outbound.Client(near, trust, patience))
	}
	return s
}

// slow gives up on answers that take long.
type slow struct{ *http.Transport }

func (s slow) RoundTrip(r *http.Request) (*http.Response, error) {
	s.ResponseHeaderTimeout = patience
	return s.Transport.RoundTrip(r)
}

// content is what stands at a path on the other side; nil: nothing.
func (s *service) content(t *testing.T, path string) []byte {
	t.Helper()
	if s.google != nil {
		return s.google.Files()[path]
	}
	if s.objects != nil {
		o, err := s.objects.GetObject("files", "in a folder/"+path, nil)
		if err != nil {
			return nil
		}
		b, err := io.ReadAll(o.Contents)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	f, err := s.dir.OpenFile(context.Background(), "/"+path, 0, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func file(path, content string) drive.File {
	return drive.File{Path: path, Size: int64(len(content)), Sum: sha256.Sum256([]byte(content)), Type: "application/pdf",
		Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}
}

func services(t *testing.T, run func(t *testing.T, s *service)) {
	for name, start := range map[string]func(*testing.T) *service{"webdav": newWebDAV, "s3": newS3, "google": newGoogle} {
		t.Run(name, func(t *testing.T) { t.Parallel(); run(t, start(t)) })
	}
}

func TestDrive_KeepsNamesAndContent(t *testing.T) {
	services(t, func(t *testing.T, s *service) {
		d := s.connect()
		if err := d.Test(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"a.pdf", "Saldo/Żółta Łódź/2026/W46/rozliczenia/1 50% #1 Ż.Ł..pdf", "Saldo/Żółta Łódź/2026/W46/[x]&+='!$/ü.xml"} {
			if err := d.Put(t.Context(), file(path, "content of "+path)); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if got := s.content(t, path); string(got) != "content of "+path {
				t.Errorf("%s: %q", path, got)
			}
		}
	})
}

func TestDrive_LeavesTheSameBytesAndReplacesNoOthers(t *testing.T) {
	services(t, func(t *testing.T, s *service) {
		for range 2 {
			if err := s.connect().Put(t.Context(), file("w/1.pdf", "one")); err != nil {
				t.Fatal(err)
			}
		}
		if before := s.puts.Load(); before != 1 {
			t.Errorf("%d uploads of one file", before)
		}
		for _, other := range []string{"two", "one more", ""} {
			if err := s.connect().Put(t.Context(), file("w/1.pdf", other)); !errors.Is(err, drive.ErrOther) {
				t.Errorf("%q: %v", other, err)
			}
		}
		if got := s.content(t, "w/1.pdf"); string(got) != "one" {
			t.Errorf("%q", got)
		}
	})
}

func TestDrive_PutsAFileOfSomebodyElseAway(t *testing.T) {
	services(t, func(t *testing.T, s *service) {
		// It appears between the look and the upload.
		var came atomic.Bool
		other := s.connect()
		s.when(func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodPut {
				if !came.Swap(true) {
					if err := other.Put(t.Context(), file("1.pdf", "theirs")); err != nil {
						t.Error(err)
					}
				}
			}
			return false
		})
		err := s.connect().Put(t.Context(), file("1.pdf", "ours"))
		if s.google != nil { // it lets several files have one name: nothing is replaced
			if err != nil || s.google.Uploads() != 2 {
				t.Error(err)
			}
			return
		}
		if s.objects != nil { // the server of the test does not know the condition; those of the field do
			return
		}
		if !errors.Is(err, drive.ErrOther) || string(s.content(t, "1.pdf")) != "theirs" {
			t.Errorf("%v, %q", err, s.content(t, "1.pdf"))
		}
	})
}

func TestDrive_SaysWhyNothingWasTaken(t *testing.T) {
	services(t, func(t *testing.T, s *service) {
		for _, c := range []struct {
			status int
			code   string
			want   drive.Problem
		}{
			{401, "InvalidAccessKeyId", drive.Denied}, {403, "AccessDenied", drive.Denied}, {507, "XMinioStorageFull", drive.NoSpace},
			{404, "NoSuchBucket", drive.NoFolder}, {423, "OperationAborted", drive.Busy}, {429, "SlowDown", drive.Busy},
			{503, "ServiceUnavailable", drive.Away}, {301, "Odd", drive.Unexpected}, {418, "Odd", drive.Unexpected},
		} {
			s.answers(c.status, http.MethodPut, c.code)
			want := c.want
			if s.objects == nil && c.status == 404 {
				want = drive.Busy // the folder was made a moment ago: somebody removed it
			}
			if err := s.connect().Put(t.Context(), file("w/1.pdf", "one")); drive.ProblemOf(err) != want {
				t.Errorf("%d: %v", c.status, err)
			}
			if err := s.connect().Test(t.Context()); drive.ProblemOf(err) != c.want {
				t.Errorf("a test with %d: %v", c.status, err)
			}
			if s.content(t, "w/1.pdf") != nil {
				t.Errorf("%d: something is there", c.status)
			}
		}
		s.when(func(http.ResponseWriter, *http.Request) bool { return false })
		s.Close()
		for name, err := range map[string]error{"put": s.connect().Put(t.Context(), file("1.pdf", "one")), "test": s.connect().Test(t.Context())} {
			if drive.ProblemOf(err) != drive.Away || strings.Contains(err.Error(), "127.0.0.1") || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestDrive_AsksOnceWithAWrongPassword(t *testing.T) {
	services(t, func(t *testing.T, s *service) {
		for name, ask := range map[string]func(drive.Drive) error{
			"test": func(d drive.Drive) error { return d.Test(t.Context()) },
			"put":  func(d drive.Drive) error { return d.Put(t.Context(), file("w/1.pdf", "one")) },
		} {
			s.when(func(w http.ResponseWriter, r *http.Request) bool {
				w.WriteHeader(http.StatusForbidden)
				if r.Method != http.MethodHead {
					_, _ = io.WriteString(w, "<Error><Code>SignatureDoesNotMatch</Code></Error>")
				}
				return true
			})
			s.requests.Store(0)
			if err := ask(s.connect()); drive.ProblemOf(err) != drive.Denied || s.requests.Load() != 1 {
				t.Errorf("%s: %v after %d requests", name, err, s.requests.Load())
			}
		}
	})
}

func TestDrive_GivesUpOnASlowServiceAndLeavesNoHalfFile(t *testing.T) {
	services(t, func(t *testing.T, s *service) {
		open := make(chan struct{})
		t.Cleanup(func() { close(open) })
		s.when(func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodPut {
				_, _ = io.CopyN(io.Discard, r.Body, 1000)
				<-open
				return true
			}
			return false
		})
		big := strings.Repeat("x", 1<<20)
		if err := s.connect().Put(t.Context(), file("w/1.pdf", big)); drive.ProblemOf(err) != drive.Away {
			t.Error(err)
		}
		if s.content(t, "w/1.pdf") != nil {
			t.Error("half a file is there")
		}
	})
}

func TestDrive_ABrokenConnectionLeavesNoHalfFile(t *testing.T) {
	services(t, func(t *testing.T, s *service) {
		content := bytes.Repeat([]byte("0123456789"), 1<<17)
		broken := file("w/1.pdf", string(content))
		broken.Open = func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(bytes.NewReader(content[:1<<19]), failing{})), nil
		}
		if err := s.connect().Put(t.Context(), broken); err == nil {
			t.Error("half a file was taken")
		}
		if s.content(t, "w/1.pdf") != nil {
			t.Error("half a file is there")
		}
		for range 2 { // after a start of the program, and again
			if err := s.connect().Put(t.Context(), file("w/1.pdf", string(content))); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(s.content(t, "w/1.pdf"), content) {
			t.Error("the file is another one")
		}
	})
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("the line broke") }

func TestDrive_TakesManyFilesOnceThoughItIsInterrupted(t *testing.T) {
	services(t, func(t *testing.T, s *service) {
		files := testkit.Times(2_000, 10_000/testkit.Soak())
		put := func(d drive.Drive, from, to int) {
			var all sync.WaitGroup
			for k := range 4 {
				all.Go(func() {
					for i := from + k; i < to; i += 4 {
						if err := d.Put(t.Context(), file(fmt.Sprintf("w/%d/%d.pdf", i%10, i), fmt.Sprint("no ", i))); err != nil {
							t.Error(err)
						}
					}
				})
			}
			all.Wait()
		}
		put(s.connect(), 0, files/2)
		put(s.connect(), files/4, files)
		if n := s.puts.Load(); n != int64(files) {
			t.Errorf("%d uploads of %d files", n, files)
		}
	})
}

func TestDrive_DoesNotKnowTheRoomWhereNobodyTellsIt(t *testing.T) {
	services(t, func(t *testing.T, s *service) {
		if s.google != nil {
			s.google.Unlimited()
		}
		if free, err := s.connect().Free(t.Context()); free != drive.Unknown || err != nil {
			t.Error(free, err)
		}
	})
}

func TestGoogle_ReadsWhatARefusalMeans(t *testing.T) {
	t.Parallel()
	s := newGoogle(t)
	for reason, want := range map[string]drive.Problem{"storageQuotaExceeded": drive.NoSpace, "userRateLimitExceeded": drive.Busy,
		"rateLimitExceeded": drive.Busy, "insufficientFilePermissions": drive.Denied} {
		s.when(func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPost || r.URL.Path == "/token" {
				return false
			}
			w.WriteHeader(http.StatusForbidden)
			_, _ = fmt.Fprintf(w, `{"error":{"code":403,"errors":[{"domain":"usageLimits","reason":%q}],"message":"no"}}`, reason)
			return true
		})
		if err := s.connect().Put(t.Context(), file("1.pdf", "one")); !errors.Is(err, want) {
			t.Errorf("%s: %v", reason, err)
		}
	}
	s.when(func(http.ResponseWriter, *http.Request) bool { return false })
	s.google.TakeBack()
	s.requests.Store(0)
	if err := s.connect().Put(t.Context(), file("1.pdf", "one")); !errors.Is(err, drive.Denied) || s.requests.Load() != 1 {
		t.Errorf("%v after %d requests", err, s.requests.Load())
	}
}

func TestGoogle_TellsTheRoomAndWhoseItIs(t *testing.T) {
	t.Parallel()
	s := newGoogle(t)
	d := s.connect().(*drive.Google)
	free, err := d.Free(t.Context())
	account, wrong := d.Account(t.Context())
	if free != 16106127360-1000 || account != "anna@fleet.example" || err != nil || wrong != nil {
		t.Error(free, account, err, wrong)
	}
}

func TestGoogle_SendsFilesToGoogleAlone(t *testing.T) {
	t.Parallel()
	s, other := newGoogle(t), newGoogle(t)
	s.when(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("uploadType") != "resumable" {
			return false
		}
		w.Header().Set("Location", other.URL+"/upload/session/1")
		return true
	})
	if err := s.connect().Put(t.Context(), file("1.pdf", "one")); !errors.Is(err, drive.Unexpected) || other.requests.Load() != 0 {
		t.Errorf("%v, %d requests elsewhere", err, other.requests.Load())
	}
}

func TestWebDAV_TellsTheRoom(t *testing.T) {
	t.Parallel()
	s := newWebDAV(t)
	for text, want := range map[string]int64{"4096": 4096, "-3": drive.Unknown, "": drive.Unknown, "0": 0} {
		s.when(func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != "PROPFIND" {
				return false
			}
			w.WriteHeader(http.StatusMultiStatus)
			_, _ = fmt.Fprintf(w, `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:"><d:response><d:href>/</d:href><d:propstat><d:prop>
				<d:quota-available-bytes>%s</d:quota-available-bytes></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`, text)
			return true
		})
		if free, err := s.connect().Free(t.Context()); free != want || err != nil {
			t.Errorf("%q: %d, %v", text, free, err)
		}
		if err := s.connect().Test(t.Context()); (want == 0) != errors.Is(err, drive.NoSpace) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestWebDAV_DeniesAWrongPassword(t *testing.T) {
	t.Parallel()
	s := newWebDAV(t)
	if err := s.webdav(t, "hunter3", near).Test(t.Context()); !errors.Is(err, drive.Denied) || s.requests.Load() != 1 {
		t.Errorf("%v after %d requests", err, s.requests.Load())
	}
}

func TestWebDAV_MakesFoldersAgainThatSomebodyRemoved(t *testing.T) {
	t.Parallel()
	s := newWebDAV(t)
	d := s.connect()
	if err := d.Put(t.Context(), file("2026/W46/1.pdf", "one")); err != nil {
		t.Fatal(err)
	}
	if err := s.dir.RemoveAll(t.Context(), "/2026"); err != nil {
		t.Fatal(err)
	}
	err := d.Put(t.Context(), file("2026/W46/2.pdf", "two"))
	if !drive.ProblemOf(err).Passing() {
		t.Fatal(err)
	}
	if err := d.Put(t.Context(), file("2026/W46/2.pdf", "two")); err != nil {
		t.Error(err)
	}
}

func TestDrives_AreNotInThePrivateNetwork(t *testing.T) {
	dav, s3 := newWebDAV(t), newS3(t)
	for name, d := range map[string]drive.Drive{"webdav": dav.webdav(t, "hunter2-ł", outbound.Public), "s3": s3.s3(t, outbound.Public)} {
		if err := d.Test(t.Context()); !errors.Is(err, drive.Private) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if dav.requests.Load()+s3.requests.Load() != 0 {
		t.Error("a private address was reached")
	}
}

func TestClean(t *testing.T) {
	for name, want := range map[string]string{
		"Łódź/1": "Łódź_1", `a\b:c*d?e"f<g>h|i`: "a_b_c_d_e_f_g_h_i", "..": "_", "": "_", "x. ": "x", "e\u0301": "é", "a\x00b\nc": "a_b_c",
		"\xff": "_", strings.Repeat("ż", 200) + ".pdf": strings.Repeat("ż", 88) + ".pdf",
	} {
		if got := drive.Clean(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
	for n, want := range map[int]string{1: "a.b/c.pdf", 2: "a.b/c (2).pdf"} {
		if got := drive.Numbered("a.b/c.pdf", n); got != want {
			t.Error(got)
		}
	}
	if got := drive.Numbered("a.b/c", 3); got != "a.b/c (3)" {
		t.Error(got)
	}
}

// address is one of a service of a test, which has no certificate.
func address(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
