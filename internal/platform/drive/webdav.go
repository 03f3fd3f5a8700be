package drive

import (
	"context"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"saldo/internal/platform/outbound"
)

// WebDAV is a folder on a server of that protocol, such as Nextcloud. The folder of the address must be there; those below it are made.
type WebDAV struct {
	base              *url.URL
	account, password string
	http              *http.Client

	mu   sync.Mutex
	made map[string]bool // folders that are there

	making sync.Mutex // of folders: servers lock the one that somebody makes, and refuse the second
}

// NewWebDAV connects a folder at an address that outbound.Address read.
func NewWebDAV(base *url.URL, account, password string, client *http.Client) *WebDAV {
	u := *base
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), ""
	return &WebDAV{base: &u, account: account, password: password, http: client, made: map[string]bool{}}
}

// at is the address of a path below the folder, escaped part by part.
func (w *WebDAV) at(path string) string {
	u := *w.base
	if path != "" {
		u.Path += "/" + path
	}
	return u.String()
}

func (w *WebDAV) send(ctx context.Context, method, path string, size int64, body io.Reader, header http.Header) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, w.at(path), body)
	if err != nil {
		return nil, Unexpected
	}
	if header != nil {
		r.Header = header
	}
	r.SetBasicAuth(w.account, w.password)
	if body != nil {
		r.ContentLength = size // some refuse bodies of unknown length
	}
	answer, err := w.http.Do(r)
	switch {
	case errors.Is(err, outbound.ErrPrivate):
		return nil, Private
	case err != nil:
		return nil, Away // the error names the address
	}
	return answer, nil
}

// do sends a request whose answer is only its status.
func (w *WebDAV) do(ctx context.Context, method, path string, size int64, body io.Reader, header http.Header) (int, error) {
	answer, err := w.send(ctx, method, path, size, body, header)
	if err != nil {
		return 0, err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<16)) // so that the connection can be used again
	_ = answer.Body.Close()
	return answer.StatusCode, nil
}

func problemOf(status int) error {
	switch {
	case status < 300:
		return nil
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return Denied
	case status == http.StatusInsufficientStorage || status == http.StatusRequestEntityTooLarge:
		return NoSpace
	case status == http.StatusNotFound || status == http.StatusConflict || status == http.StatusGone:
		return NoFolder
	case status == http.StatusLocked || status == http.StatusTooManyRequests:
		return Busy
	case status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout ||
		status == http.StatusInternalServerError:
		return Away
	}
	return Unexpected
}

// Put uploads to another name and moves: people and programs at the other side never see half a file.
func (w *WebDAV) Put(ctx context.Context, f File) error {
	if i := strings.LastIndexByte(f.Path, '/'); i >= 0 {
		if err := w.folder(ctx, f.Path[:i]); err != nil {
			return err
		}
	}
	there, err := w.compare(ctx, f)
	if there || err != nil {
		return err
	}
	// The same name at each try: what a broken connection left is written over.
	part := f.Path + "." + hex.EncodeToString(f.Sum[:4]) + ".part"
	if err := w.upload(ctx, part, f); err != nil {
		w.remove(ctx, part)
		return err
	}
	status, err := w.do(ctx, "MOVE", part, 0, nil, http.Header{"Destination": {w.at(f.Path)}, "Overwrite": {"F"}})
	if err == nil && status == http.StatusPreconditionFailed { // somebody put a file there meanwhile, or the answer to this move was lost
		w.remove(ctx, part)
		if there, err = w.compare(ctx, f); there || err != nil {
			return err
		}
		return Busy
	}
	if err == nil {
		err = problemOf(status)
	}
	if err != nil {
		w.remove(ctx, part)
	}
	return err
}

func (w *WebDAV) upload(ctx context.Context, part string, f File) error {
	content, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }()
	status, err := w.do(ctx, http.MethodPut, part, f.Size, io.LimitReader(content, f.Size), http.Header{"Content-Type": {f.Type}})
	if err != nil {
		return err
	}
	if status == http.StatusNotFound || status == http.StatusConflict {
		w.forget() // somebody removed a folder: it is made again with the next try
		return Busy
	}
	return problemOf(status)
}

// remove takes away what is no file yet, if it can.
func (w *WebDAV) remove(ctx context.Context, part string) {
	if ctx.Err() == nil {
		_, _ = w.do(ctx, http.MethodDelete, part, 0, nil, nil)
	}
}

// compare says whether the file is there. Another one at its path is an error.
func (w *WebDAV) compare(ctx context.Context, f File) (bool, error) {
	answer, err := w.send(ctx, http.MethodGet, f.Path, 0, nil, nil)
	if err != nil {
		return false, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode == http.StatusNotFound {
		return false, nil
	}
	if err := problemOf(answer.StatusCode); err != nil {
		return false, err
	}
	same, err := f.same(answer.Body)
	switch {
	case err != nil:
		return false, Away
	case !same:
		return false, ErrOther
	}
	return true, nil
}

// folder makes a folder and those above it.
func (w *WebDAV) folder(ctx context.Context, path string) error {
	w.mu.Lock()
	there := w.made[path]
	w.mu.Unlock()
	if there {
		return nil
	}
	w.making.Lock()
	defer w.making.Unlock()
	for i := 0; i <= len(path); i++ {
		if i < len(path) && path[i] != '/' {
			continue
		}
		one := path[:i]
		w.mu.Lock()
		there := w.made[one]
		w.mu.Unlock()
		if there {
			continue
		}
		status, err := w.do(ctx, "MKCOL", one, 0, nil, nil)
		if err != nil {
			return err
		}
		if status != http.StatusMethodNotAllowed { // it is there
			if err := problemOf(status); err != nil {
				return err
			}
		}
		w.mu.Lock()
		w.made[one] = true
		w.mu.Unlock()
	}
	return nil
}

func (w *WebDAV) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.made)
}

const askFree = `<?xml version="1.0" encoding="utf-8"?>
<propfind xmlns="DAV:"><prop><resourcetype/><quota-available-bytes/></prop></propfind>`

// Free asks the server. Many tell nothing or a negative number, which both mean that it is not known.
func (w *WebDAV) Free(ctx context.Context) (int64, error) {
	answer, err := w.send(ctx, "PROPFIND", "", int64(len(askFree)), strings.NewReader(askFree),
		http.Header{"Depth": {"0"}, "Content-Type": {"application/xml; charset=utf-8"}})
	if err != nil {
		return Unknown, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusMultiStatus {
		if err := problemOf(answer.StatusCode); err != nil {
			return Unknown, err
		}
		return Unknown, Unexpected // a page of some other server
	}
	var found struct {
		Responses []struct {
			Props []struct {
				Status string `xml:"DAV: status"`
				Free   string `xml:"DAV: prop>quota-available-bytes"`
			} `xml:"DAV: propstat"`
		} `xml:"DAV: response"`
	}
	if err := xml.NewDecoder(io.LimitReader(answer.Body, 1<<20)).Decode(&found); err != nil {
		return Unknown, Unexpected
	}
	for _, one := range found.Responses {
		for _, p := range one.Props {
			if n, err := strconv.ParseInt(strings.TrimSpace(p.Free), 10, 64); err == nil && n >= 0 && strings.Contains(p.Status, " 200 ") {
				return n, nil
			}
		}
	}
	return Unknown, nil
}

// Test asks for the folder, and writes and removes a small file there: only a full drive and one that may just be read show it so.
func (w *WebDAV) Test(ctx context.Context) error {
	if free, err := w.Free(ctx); err != nil {
		return err
	} else if free == 0 {
		return NoSpace
	}
	const name, text = ".saldo-test.part", "Saldo can write here.\n"
	status, err := w.do(ctx, http.MethodPut, name, int64(len(text)), strings.NewReader(text),
		http.Header{"Content-Type": {"text/plain"}})
	if err != nil {
		return err
	}
	if err := problemOf(status); err != nil {
		return err
	}
	w.remove(ctx, name)
	return nil
}
