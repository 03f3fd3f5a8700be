package testkit

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"sort"
	"sync"
	"testing"

	"golang.org/x/net/webdav"
)

// WebDAV is a drive at its other side: a real server of the protocol with one account, whose faults a test sets.
type WebDAV struct {
	*httptest.Server
	Dir webdav.Dir

	mu       sync.Mutex
	password string
	logins   map[string]int // requests by password
	fault    func(w http.ResponseWriter, r *http.Request) bool
}

// DrivePassword is the password of the account anna.
const DrivePassword = "hunter2-ł"

// NewWebDAV starts one with a certificate of its own.
func NewWebDAV(t testing.TB) *WebDAV {
	t.Helper()
	w := &WebDAV{Dir: webdav.Dir(t.TempDir()), password: DrivePassword, logins: map[string]int{}}
	h := &webdav.Handler{FileSystem: w.Dir, LockSystem: webdav.NewMemLS()}
	w.Server = httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		account, password, _ := r.BasicAuth()
		w.mu.Lock()
		w.logins[password]++
		fault, right := w.fault, account == "anna" && password == w.password
		w.mu.Unlock()
		switch {
		case !right:
			rw.WriteHeader(http.StatusUnauthorized)
		case fault == nil || !fault(rw, r):
			h.ServeHTTP(rw, r)
		}
	}))
	t.Cleanup(w.Close)
	return w
}

// Address is that of its folder.
func (w *WebDAV) Address() string { return w.URL + "/files" }

// LocalTrust believes the servers that tests start: all have the same certificate.
func LocalTrust(t testing.TB) *x509.CertPool {
	t.Helper()
	s := httptest.NewTLSServer(http.NotFoundHandler())
	defer s.Close()
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return pool
}

// Trust is what a client needs to believe it.
func (w *WebDAV) Trust() *tls.Config {
	return w.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
}

// Nearby lets a program connect to services that tests start, and to nothing else.
func Nearby(to netip.AddrPort) bool { return to.Addr().Unmap().IsLoopback() }

// SetPassword is somebody who changes the password at the other side.
func (w *WebDAV) SetPassword(password string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.password = password
}

// Logins is how many requests came with a password.
func (w *WebDAV) Logins(password string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.logins[password]
}

// When lets something else happen instead of an answer where it says so; nil: nothing.
func (w *WebDAV) When(fault func(w http.ResponseWriter, r *http.Request) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault = fault
}

// Fail answers uploads with a status; zero: it takes them.
func (w *WebDAV) Fail(status int) {
	if status == 0 {
		w.When(nil)
		return
	}
	w.When(func(rw http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut {
			return false
		}
		_, _ = io.Copy(io.Discard, r.Body)
		rw.WriteHeader(status)
		return true
	})
}

// MakeFolder makes a folder, as the account's owner does.
func (w *WebDAV) MakeFolder(t testing.TB, path string) {
	t.Helper()
	if err := w.Dir.Mkdir(context.Background(), path, 0o700); err != nil {
		t.Fatal(err)
	}
}

// Files are the paths of all files below a folder.
func (w *WebDAV) Files(t testing.TB, path string) (paths []string) {
	t.Helper()
	root := string(w.Dir) + path
	var walk func(folder, name string)
	walk = func(folder, name string) {
		entries, err := os.ReadDir(folder)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.IsDir() {
				walk(folder+"/"+e.Name(), name+e.Name()+"/")
			} else {
				paths = append(paths, name+e.Name())
			}
		}
	}
	walk(root, "")
	sort.Strings(paths)
	return paths
}

// File is what stands at a path.
func (w *WebDAV) File(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(string(w.Dir) + path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Put is somebody who puts a file there.
func (w *WebDAV) Put(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(string(w.Dir)+path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
