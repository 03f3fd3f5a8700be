package web

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"
)

// file is one file of the web application in every form it can be sent in. Each form is read when it is first asked for, and kept: most
// people need few of the thousand files, and a program that starts should not wait for all.
type file struct {
	kind  string
	tag   func() (string, error)
	forms map[string]func() ([]byte, error) // by content coding; "" is the file itself
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
			if prefix, _, below := strings.Cut(name, "/"); below && lightPages[prefix] != "" {
				page = lightPages[prefix]
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
	coding := f.coding(rq.Header.Get("Accept-Encoding"))
	tag, err := f.tag()
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	body, err := f.forms[coding]()
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("ETag", tag)
	h.Add("Vary", "Accept-Encoding")
	if rq.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	if rq.Method == http.MethodGet {
		_, _ = w.Write(body) // a client that left does not read it
	}
}

// coding is the smallest form that the other side accepts.
func (f file) coding(accepted string) string {
	for _, coding := range []string{"br", "gzip"} {
		if f.forms[coding] != nil && accepts(accepted, coding) {
			return coding
		}
	}
	return ""
}

// framedPage is the one page that stands in a frame: the application's own,
// hidden, in which it asks the identity provider who is signed in.
const (
	framedPage   = "silent-check-sso.html"
	framedPolicy = "default-src 'none'; script-src 'self'; frame-ancestors 'self'"
)

// lightPages are those of mailed links and of codes on documents, whatever stands behind their prefix.
var lightPages = map[string]string{"driver-summary": "driver-summary.html", "verify": "verify.html"}

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
	err := fs.WalkDir(built, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		coding, original := codings[path.Ext(name)], name
		if coding != "" {
			original = strings.TrimSuffix(name, path.Ext(name))
		}
		f, known := files[original]
		if !known {
			f.forms = map[string]func() ([]byte, error){}
		}
		content := sync.OnceValues(func() ([]byte, error) { return fs.ReadFile(built, name) })
		f.forms[coding] = content
		if coding == "" {
			f.kind = kindOf(name)
			f.tag = sync.OnceValues(func() (string, error) {
				bytes, err := content()
				sum := sha256.Sum256(bytes)
				return `"` + hex.EncodeToString(sum[:12]) + `"`, err
			})
		}
		files[original] = f
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return files, nil // not built: App says so when asked
	}
	maps.DeleteFunc(files, func(_ string, f file) bool { return f.tag == nil }) // a compression of nothing
	return files, err
}

// kindOf is the media type of a file.
func kindOf(name string) string {
	kind := mime.TypeByExtension(path.Ext(name))
	switch {
	case path.Ext(name) == ".webmanifest":
		return "application/manifest+json" // not every machine knows it
	case kind == "":
		return "application/octet-stream"
	}
	return kind
}

// Shell is the head of a built page, for a page that the server draws and the same scripts take over. Its styles stand in the page
// itself: on a slow line a second round for them is most of the waiting.
type Shell struct{ head string }

var stylesheet = regexp.MustCompile(`<link rel="stylesheet"[^>]* href="/app/([^"]+)">`)

// ShellOf reads a built page; one that is not built has an empty head.
func ShellOf(built fs.FS, page string) (Shell, error) {
	content, err := fs.ReadFile(built, page)
	if errors.Is(err, fs.ErrNotExist) {
		return Shell{}, nil
	}
	if err != nil {
		return Shell{}, err
	}
	_, head, _ := strings.Cut(string(content), "<head>")
	head, _, _ = strings.Cut(head, "</head>")
	before, rest, _ := strings.Cut(head, "<title>")
	_, after, _ := strings.Cut(rest, "</title>")
	head = stylesheet.ReplaceAllStringFunc(before+after, func(link string) string {
		style, failed := fs.ReadFile(built, stylesheet.FindStringSubmatch(link)[1])
		err = errors.Join(err, failed)
		return "<style>" + string(style) + "</style>"
	})
	return Shell{head}, err
}

var script = regexp.MustCompile(`<script[^>]*></script>|<link rel="modulepreload"[^>]*>`)

// Head is what stands in the page's head beside its title, with scripts or without.
func (s Shell) Head(scripts bool) string {
	if scripts {
		return s.head
	}
	return script.ReplaceAllString(s.head, "")
}

// Page registers a page that the server draws for whoever opens its address. Opening what is not there is limited for one address as
// it is for operations: over says that the limit is reached, and draw whether it found something.
func (r *Router) Page(pattern string, missesPerMinute int, draw func(w http.ResponseWriter, rq *http.Request, over bool) (found bool)) {
	r.Handle(pattern, http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		requestOf(rq.Context()).route = pattern
		who := pattern + " " + Visitor(rq, r.settings.Proxies)
		over := r.misses.over(who, missesPerMinute, time.Now())
		if over {
			w.Header().Set("Retry-After", "60")
		}
		if found := draw(w, rq, over); !found && !over {
			r.misses.add(who, time.Now())
		}
	}))
}

// SendPage writes a page that was drawn for one request and is kept nowhere, compressed for whoever reads it so.
func SendPage(w http.ResponseWriter, rq *http.Request, status int, language string, page []byte) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", language)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	h.Set("Vary", "Accept-Encoding, Accept-Language")
	if !accepts(rq.Header.Get("Accept-Encoding"), "gzip") {
		w.WriteHeader(status)
		_, _ = w.Write(page)
		return
	}
	h.Set("Content-Encoding", "gzip")
	w.WriteHeader(status)
	packed := gzip.NewWriter(w)
	_, _ = packed.Write(page) // a client that left does not read it
	_ = packed.Close()
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
