package mail

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed mailbox.html mailbox.css
var mailboxFiles embed.FS

var mailboxPages = template.Must(template.New("").Funcs(template.FuncMap{
	"day":    func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") },
	"stamp":  func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"pieces": pieces,
	"size":   func(data []byte) string { return strconv.Itoa((len(data)+1023)/1024) + " KB" },
}).ParseFS(mailboxFiles, "mailbox.html"))

const (
	// pagePolicy: our own pages have no script at all and may frame only the HTML of a mail.
	pagePolicy = "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	// mailPolicy: a mail is foreign text; it may look like a mail and open links in new windows, nothing else.
	mailPolicy = "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:; " +
		"style-src 'unsafe-inline'; frame-ancestors 'self'"
	// listed bounds what one page reads; a folder of many thousand mails stays usable.
	listed = 200
)

// Mailbox shows the mails of a Folder in a browser, newest first, for development. It is read-only, knows no users
// and uses relative links only: mount it under any prefix with http.StripPrefix("/prefix", …).
func Mailbox(folder string) http.Handler {
	b := mailbox{folder: folder}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", b.list)
	mux.HandleFunc("GET /mailbox.css", b.style)
	mux.HandleFunc("GET /mail/{id}", b.show)
	mux.HandleFunc("GET /mail/{id}/html", b.html)
	mux.HandleFunc("GET /mail/{id}/files/{n}", b.file)
	return mux
}

type mailbox struct{ folder string }

func (b mailbox) list(w http.ResponseWriter, _ *http.Request) {
	mails, total, err := b.newest(listed)
	if err != nil {
		http.Error(w, "The mail folder cannot be read: "+err.Error(), http.StatusInternalServerError)
		return
	}
	render(w, "list", map[string]any{"Mails": mails, "Total": total})
}

// newest reads the heads of the last n mails written, and counts all of them.
func (b mailbox) newest(n int) ([]storedMail, int, error) {
	entries, err := os.ReadDir(b.folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	type file struct {
		id        string
		writtenAt time.Time
	}
	var files []file
	for _, e := range entries {
		id, isMail := strings.CutSuffix(e.Name(), ".eml")
		info, err := e.Info()
		if !isMail || !validID.MatchString(id) || err != nil {
			continue
		}
		files = append(files, file{id, info.ModTime()})
	}
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(b.writtenAt.Compare(a.writtenAt), cmp.Compare(b.id, a.id))
	})
	mails := make([]storedMail, 0, min(n, len(files)))
	for _, f := range files[:min(n, len(files))] {
		mails = append(mails, b.head(f.id, f.writtenAt))
	}
	return mails, len(files), nil
}

func (b mailbox) head(id string, writtenAt time.Time) storedMail {
	broken := storedMail{ID: id, Subject: "(this file is not a mail)", Language: "en", WrittenAt: writtenAt}
	f, err := os.Open(filepath.Join(b.folder, id+".eml"))
	if err != nil {
		return broken
	}
	defer f.Close()
	l, _, err := readHead(f)
	if err != nil {
		return broken
	}
	l.ID = id
	return l
}

// storedMail reads the mail a request names; without one it has already answered 404.
func (b mailbox) storedMail(w http.ResponseWriter, r *http.Request) (storedMail, bool) {
	id := r.PathValue("id")
	if !validID.MatchString(id) {
		http.NotFound(w, r)
		return storedMail{}, false
	}
	content, err := os.ReadFile(filepath.Join(b.folder, id+".eml"))
	if err != nil {
		http.NotFound(w, r)
		return storedMail{}, false
	}
	l, err := readMail(bytes.NewReader(content))
	if err != nil {
		http.Error(w, "This file cannot be read as a mail: "+err.Error(), http.StatusUnprocessableEntity)
		return storedMail{}, false
	}
	l.ID = id
	return l, true
}

func (b mailbox) show(w http.ResponseWriter, r *http.Request) {
	if l, ok := b.storedMail(w, r); ok {
		render(w, "mail", l)
	}
}

func (b mailbox) html(w http.ResponseWriter, r *http.Request) {
	l, ok := b.storedMail(w, r)
	if !ok {
		return
	}
	secure(w, mailPolicy, "text/html; charset=utf-8")
	// Whatever wraps this handler may forbid frames and isolate windows; this page lives in a frame, and browsers refuse
	// to open a sandboxed page that is isolated too.
	w.Header().Set("X-Frame-Options", "SAMEORIGIN")
	w.Header().Set("Cross-Origin-Opener-Policy", "unsafe-none")
	_, _ = w.Write([]byte(l.HTML))
}

func (b mailbox) file(w http.ResponseWriter, r *http.Request) {
	l, ok := b.storedMail(w, r)
	if !ok {
		return
	}
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 0 || n >= len(l.Files) {
		http.NotFound(w, r)
		return
	}
	f := l.Files[n]
	secure(w, pagePolicy, f.Type)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.Name}))
	_, _ = w.Write(f.Data)
}

func (b mailbox) style(w http.ResponseWriter, r *http.Request) {
	secure(w, pagePolicy, "text/css; charset=utf-8")
	http.ServeFileFS(w, r, mailboxFiles, "mailbox.css")
}

func render(w http.ResponseWriter, page string, data any) {
	var out bytes.Buffer
	if err := mailboxPages.ExecuteTemplate(&out, page, data); err != nil {
		http.Error(w, "This page cannot be shown.", http.StatusInternalServerError)
		return
	}
	secure(w, pagePolicy, "text/html; charset=utf-8")
	_, _ = w.Write(out.Bytes())
}

func secure(w http.ResponseWriter, policy, contentType string) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
}

// piece is a stretch of plain text, or an address in it that can be followed.
type piece struct{ Text, URL string }

var webAddress = regexp.MustCompile(`https?://[^\s<>"]+[^\s<>".,;:!?)\]]`)

// pieces cuts a text at its web addresses, so that a link in a plain mail can be followed.
func pieces(text string) []piece {
	var out []piece
	for {
		at := webAddress.FindStringIndex(text)
		if at == nil {
			return append(out, piece{Text: text})
		}
		found := text[at[0]:at[1]]
		out = append(out, piece{Text: text[:at[0]]}, piece{Text: found, URL: found})
		text = text[at[1]:]
	}
}
