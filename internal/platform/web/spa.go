package web

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

// file is one file of the web application in every form it can be sent in.
type file struct {
	kind, tag string
	forms     map[string][]byte // content coding → bytes; "" is the file itself
}

// App serves a built single-page application under the prefix: its files with
// the compressions made when it was built, and its index for every other
// address, since the application routes by itself. Files under assets/ are
// named after their content and may be kept for ever.
func App(prefix string, built fs.FS) (http.Handler, error) {
	files, err := load(built)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		name := strings.TrimPrefix(path.Clean(rq.URL.Path), strings.TrimSuffix(prefix, "/"))
		name = strings.TrimPrefix(name, "/")
		f, found := files[name]
		asset := strings.HasPrefix(name, "assets/")
		switch {
		case rq.Method != http.MethodGet && rq.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
			return
		case asset && !found:
			// never the index: an old page asking for a script that is gone must see that
			http.NotFound(w, rq)
			return
		case !found:
			page := "index.html"
			if strings.HasPrefix(name, linkedPrefix) {
				page = linkedPage
				w.Header().Set("X-Robots-Tag", "noindex, nofollow")
			}
			if f, found = files[page]; !found {
				http.Error(w, "this binary was built without the web application: build it with make", http.StatusNotImplemented)
				return
			}
		}
		if asset {
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		} else {
			w.Header().Set("Cache-Control", "no-cache")
		}
		if name == framedPage {
			w.Header().Set("Content-Security-Policy", framedPolicy)
			w.Header().Set("X-Frame-Options", "SAMEORIGIN")
		}
		f.send(w, rq)
	}), nil
}

func (f file) send(w http.ResponseWriter, rq *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("ETag", f.tag)
	h.Add("Vary", "Accept-Encoding")
	if rq.Header.Get("If-None-Match") == f.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.forms[""]
	for _, coding := range []string{"br", "gzip"} {
		if form, ok := f.forms[coding]; ok && accepts(rq.Header.Get("Accept-Encoding"), coding) {
			h.Set("Content-Encoding", coding)
			body = form
			break
		}
	}
	if rq.Method == http.MethodGet {
		_, _ = w.Write(body) // a client that left does not read it
	}
}

// framedPage is the one page that stands in a frame: the application's own,
// hidden, in which it asks the identity provider who is signed in.
const (
	framedPage   = "silent-check-sso.html"
	framedPolicy = "default-src 'none'; script-src 'self'; frame-ancestors 'self'"
)

// linkedPage is the light page of mailed links, whatever stands behind the prefix.
const (
	linkedPage   = "driver-summary.html"
	linkedPrefix = "driver-summary/"
)

func accepts(header, coding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), coding) {
			return strings.ReplaceAll(q, " ", "") != "q=0"
		}
	}
	return false
}

func load(built fs.FS) (map[string]file, error) {
	codings := map[string]string{".br": "br", ".gz": "gzip"}
	files := map[string]file{}
	at := func(name string) file {
		if f, ok := files[name]; ok {
			return f
		}
		return file{forms: map[string][]byte{}}
	}
	err := fs.WalkDir(built, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(built, name)
		if err != nil {
			return err
		}
		if coding, packed := codings[path.Ext(name)]; packed {
			f := at(strings.TrimSuffix(name, path.Ext(name)))
			f.forms[coding] = content
			files[strings.TrimSuffix(name, path.Ext(name))] = f
			return nil
		}
		f := at(name)
		sum := sha256.Sum256(content)
		f.tag, f.forms[""] = `"`+hex.EncodeToString(sum[:12])+`"`, content
		if f.kind = mime.TypeByExtension(path.Ext(name)); f.kind == "" {
			f.kind = "application/octet-stream"
		}
		files[name] = f
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return files, nil // not built: App says so when asked
	}
	return files, err
}

// Health answers /healthz while the process lives.
func Health() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answerText(w, http.StatusOK, "ok") })
}

// Ready answers /readyz: whether requests should be sent here.
func (r *Router) Ready(stopping, hasRoom func() bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		switch {
		case stopping():
			answerText(w, http.StatusServiceUnavailable, "stopping")
		case r.settings.DB.Ping(rq.Context()) != nil:
			answerText(w, http.StatusServiceUnavailable, "the database does not answer")
		case !hasRoom():
			answerText(w, http.StatusServiceUnavailable, "there is no space left")
		default:
			answerText(w, http.StatusOK, "ready")
		}
	})
}

func answerText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
}
