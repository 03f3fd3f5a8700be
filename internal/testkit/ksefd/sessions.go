package ksefd

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

var ofSessions = map[string]func(*call) reply{
	"POST /sessions/online": (*call).openOnline, "POST /sessions/online/{referenceNumber}/invoices": (*call).send,
	"POST /sessions/online/{referenceNumber}/close": (*call).closeOnline, "POST /sessions/batch": (*call).openBatch,
	"POST /sessions/batch/{referenceNumber}/close": (*call).closeBatch, "GET /sessions/{referenceNumber}": (*call).sessionStatus,
	"GET /sessions/{referenceNumber}/invoices":                              (*call).sessionInvoices,
	"GET /sessions/{referenceNumber}/invoices/{invoiceReferenceNumber}":     (*call).sessionInvoice,
	"GET /sessions/{referenceNumber}/invoices/{invoiceReferenceNumber}/upo": (*call).invoiceUPO,
}

// mostInvoices are those of one session.
const mostInvoices = 10_000

// session is one of either kind.
type session struct {
	reference, nip   string
	online           bool
	encryption       encryption
	opened, till     time.Time
	updated          time.Time
	code             int
	closed, offline  bool
	steps            int
	invoices         []*invoice
	parts            []*file // of a batch
	fileHash, packed string
	fileSize         int64
	upo              *file
}

// file is something at the storage.
type file struct {
	path    string
	upload  bool
	size    int64 // that an upload must have
	hash    string
	content []byte // nil: not there yet
	till    time.Time
}

type (
	formCode struct{ SystemCode, SchemaVersion, Value string }
	opening  struct {
		FormCode    formCode
		Encryption  encryption
		OfflineMode bool
		BatchFile   struct {
			FileSize        int64
			FileHash        string
			CompressionType string
			FileParts       []struct {
				OrdinalNumber int
				FileSize      int64
				FileHash      string
			}
		}
	}
)

// opens begins a session; the key of which cannot be read shows in its state alone.
func (c *call) opens(in opening, kind string) (*session, *reply) {
	if in.FormCode != (formCode{"FA (3)", "1-0E", "FA"}) {
		r := c.bad(21405)
		return nil, &r
	}
	s := &session{reference: c.id(kind), nip: c.who.nip, opened: c.now(), updated: c.now(), code: 100, steps: c.Steps,
		encryption: in.Encryption, offline: in.OfflineMode}
	switch err := s.encryption.open(c.Server); {
	case errors.Is(err, errKey):
		r := c.bad(21470)
		return nil, &r
	case err != nil:
		s.code, s.closed = 415, true
	}
	c.sessions[s.reference] = s
	return s, nil
}

func (c *call) openOnline() reply {
	s, wrong := c.opens(read[opening](c), "SO")
	if wrong != nil {
		return *wrong
	}
	s.online, s.till = true, c.now().Add(12*time.Hour)
	return reply{status: http.StatusCreated, value: object{"referenceNumber": s.reference, "validUntil": stamp(s.till)}}
}

// session finds one of whoever calls.
func (c *call) session() *session {
	s := c.sessions[c.path["referenceNumber"]]
	if s == nil || s.nip != c.who.nip {
		return nil
	}
	if !s.closed && !c.now().Before(s.till) { // by its clock
		c.finish(s)
	}
	return s
}

func (c *call) send() reply {
	in := read[struct {
		InvoiceHash, EncryptedInvoiceHash string
		InvoiceSize, EncryptedInvoiceSize int64
		EncryptedInvoiceContent           []byte
		OfflineMode                       bool
		HashOfCorrectedInvoice            string
	}](c)
	s := c.session()
	switch {
	case s == nil || !s.online:
		return c.bad(21173)
	case s.closed:
		return c.bad(21180)
	case len(s.invoices) >= mostInvoices:
		return c.bad(21155)
	case int64(len(in.EncryptedInvoiceContent)) != in.EncryptedInvoiceSize:
		return c.bad(21402)
	case hash(in.EncryptedInvoiceContent) != in.EncryptedInvoiceHash:
		return c.bad(21403)
	}
	if in.HashOfCorrectedInvoice != "" {
		if code := c.correctable(in.HashOfCorrectedInvoice); code != 0 {
			return c.bad(code)
		}
	}
	i := &invoice{reference: c.id("EE"), session: s, ordinal: len(s.invoices) + 1, hash: in.InvoiceHash, sent: c.now(),
		offline:  in.OfflineMode,
		replaces: in.HashOfCorrectedInvoice, steps: c.Steps}
	s.invoices = append(s.invoices, i)
	plain, err := s.encryption.decrypt(in.EncryptedInvoiceContent)
	switch {
	case err != nil:
		i.code = 435
	case int64(len(plain)) != in.InvoiceSize || hash(plain) != in.InvoiceHash:
		i.code = 430
	default:
		c.process(i, plain)
	}
	return reply{status: http.StatusAccepted, value: object{"referenceNumber": i.reference}}
}

// correctable says why a technical correction of the file with the hash is refused; 0: it is not.
func (c *call) correctable(sum string) int {
	code := 21167
	for _, s := range c.sessions {
		for _, i := range s.invoices {
			switch {
			case i.replaces == sum && i.code == 200:
				return 21166
			case i.hash == sum && i.code != 200 && i.code != 410 && i.offline && s.nip == c.who.nip:
				code = 0
			}
		}
	}
	return code
}

func (c *call) closeOnline() reply {
	s := c.session()
	switch {
	case s == nil || !s.online:
		return c.bad(21173)
	case s.closed:
		return c.bad(21180)
	}
	c.finish(s)
	return reply{status: http.StatusNoContent}
}

// finish ends a session.
func (c *call) finish(s *session) {
	good, kind := 0, "batch"
	if s.online {
		kind = "online"
	}
	for _, i := range s.invoices {
		if i.code == 200 {
			good++
		}
	}
	s.closed, s.updated = true, c.now()
	switch end := c.ending(kind); {
	case end != 200:
		s.code = end
	case len(s.invoices) == 0 && s.code == 100:
		s.code = 440
	case good == 0 && s.code == 100:
		s.code = 445
	case s.code == 100:
		s.code = 200
		s.upo = c.keep("session-upo/"+s.reference, c.upo(s, s.invoices), 3*24*time.Hour)
	}
}

// keep puts a file into the storage.
func (s *Server) keep(name string, content []byte, within time.Duration) *file {
	f := &file{path: "/storage/" + name, content: content, hash: hash(content), till: s.now().Add(within)}
	s.files[f.path] = f
	return f
}

// address of a file at the storage: it lets in whoever has it.
func (s *Server) address(f *file) string {
	return "https://" + storageHost + f.path + "?se=" + url.QueryEscape(stamp(f.till)) + "&sig=" + url.QueryEscape(hash([]byte(f.path)))
}

// storage takes and gives files by their own addresses, which no token may go to.
func (s *Server) storage(r *http.Request, content []byte) reply {
	f := s.files[r.URL.Path]
	switch {
	case r.Header.Get("Authorization") != "":
		s.breaches = append(s.breaches, "the storage is shown a token")
		return reply{status: http.StatusForbidden}
	case f == nil || r.URL.Query().Get("sig") != hash([]byte(r.URL.Path)) || !s.now().Before(f.till):
		return reply{status: http.StatusForbidden}
	case r.Method == http.MethodPut && f.upload:
		if r.Header.Get("X-Ms-Blob-Type") != "BlockBlob" {
			s.breaches = append(s.breaches, "an upload without the headers that it was to have")
			return reply{status: http.StatusBadRequest}
		}
		f.content = content
		return reply{status: http.StatusCreated}
	case r.Method == http.MethodGet && !f.upload:
		return reply{status: http.StatusOK, header: http.Header{"X-Ms-Meta-Hash": {f.hash}, "Content-Type": {"application/octet-stream"}},
			raw: f.content}
	}
	return reply{status: http.StatusMethodNotAllowed}
}

func (c *call) openBatch() reply {
	in := read[opening](c)
	for n, p := range in.BatchFile.FileParts {
		if p.OrdinalNumber != n+1 {
			return c.bad(21405)
		}
	}
	s, wrong := c.opens(in, "SB")
	if wrong != nil {
		return *wrong
	}
	s.fileHash, s.fileSize, s.packed = in.BatchFile.FileHash, in.BatchFile.FileSize, in.BatchFile.CompressionType
	within := time.Duration(len(in.BatchFile.FileParts)) * 20 * time.Minute
	s.till = c.now().Add(within)
	uploads := []object{}
	for n, p := range in.BatchFile.FileParts {
		f := &file{path: fmt.Sprintf("/storage/%s/batch-parts/%d", s.reference, n+1), upload: true, size: p.FileSize, hash: p.FileHash,
			till: s.till}
		c.files[f.path] = f
		s.parts = append(s.parts, f)
		uploads = append(uploads, object{"ordinalNumber": n + 1, "method": "PUT", "url": c.address(f),
			"headers": object{"x-ms-blob-type": "BlockBlob"}})
	}
	return reply{status: http.StatusCreated, value: object{"referenceNumber": s.reference, "partUploadRequests": uploads}}
}

func (c *call) closeBatch() reply {
	s := c.sessions[c.path["referenceNumber"]]
	switch {
	case s == nil || s.online || s.nip != c.who.nip:
		return c.bad(21173)
	case s.closed:
		return c.bad(21180)
	case !c.now().Before(s.till):
		s.closed, s.code = true, 440
		return c.bad(21208)
	}
	for _, p := range s.parts {
		switch {
		case p.content == nil:
			return c.bad(21205)
		case int64(len(p.content)) != p.size:
			return c.bad(21157)
		}
	}
	files, code := c.unpack(s)
	if code != 0 {
		s.closed, s.code, s.updated = true, code, c.now()
		return reply{status: http.StatusNoContent}
	}
	for _, f := range files {
		i := &invoice{reference: c.id("EE"), session: s, ordinal: len(s.invoices) + 1, hash: hash(f.content), sent: s.opened,
			offline: s.offline, name: f.name}
		s.invoices = append(s.invoices, i)
		c.process(i, f.content)
	}
	c.finish(s)
	return reply{status: http.StatusNoContent}
}

type packed struct {
	name    string
	content []byte
}

// unpack puts the parts of a batch together and says by which code the session fails; 0: it does not.
func (c *call) unpack(s *session) (files []packed, code int) {
	var whole []byte
	for _, p := range s.parts {
		if hash(p.content) != p.hash {
			return nil, 405
		}
		plain, err := s.encryption.decrypt(p.content)
		if err != nil {
			return nil, 435
		}
		whole = append(whole, plain...)
	}
	if int64(len(whole)) != s.fileSize || hash(whole) != s.fileHash {
		return nil, 405
	}
	files, err := unpacked(whole, s.packed)
	if err != nil {
		return nil, 430
	}
	if len(files) > mostInvoices {
		return nil, 420
	}
	return files, 0
}

func unpacked(whole []byte, kind string) (files []packed, err error) {
	if kind != "TarGz" {
		archive, err := zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
		if err != nil {
			return nil, err
		}
		for _, f := range archive.File {
			r, err := f.Open()
			if err != nil {
				return nil, err
			}
			content, err := io.ReadAll(r)
			if err != nil {
				return nil, err
			}
			files = append(files, packed{f.Name, content})
		}
		return files, nil
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(whole))
	if err != nil {
		return nil, err
	}
	for archive := tar.NewReader(unzipped); ; {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			return nil, err
		}
		files = append(files, packed{head.Name, content})
	}
}

func (c *call) sessionStatus() reply {
	s := c.session()
	if s == nil {
		return c.bad(21173)
	}
	code := s.code
	switch {
	case s.closed && s.steps > 0 && s.online:
		s.steps--
		code = 170
	case s.closed && s.steps > 0:
		s.steps--
		code = 150
	}
	out := object{"status": status(code), "dateCreated": stamp(s.opened), "dateUpdated": stamp(s.updated), "validUntil": stamp(s.till)}
	good := 0
	for _, i := range s.invoices {
		if i.code == 200 {
			good++
		}
	}
	out["invoiceCount"], out["successfulInvoiceCount"], out["failedInvoiceCount"] = len(s.invoices), good, len(s.invoices)-good
	if code == 200 {
		out["upo"] = object{"pages": []object{{"referenceNumber": s.reference, "downloadUrl": c.address(s.upo),
			"downloadUrlExpirationDate": stamp(s.upo.till)}}}
	}
	return ok(out)
}

func (c *call) sessionInvoices() reply {
	s := c.session()
	if s == nil {
		return c.bad(21173)
	}
	from, size := 0, 10
	if n, err := strconv.Atoi(c.r.URL.Query().Get("pageSize")); err == nil {
		size = n
	}
	if token := c.r.Header.Get("X-Continuation-Token"); token != "" {
		n, err := strconv.Atoi(strings.TrimPrefix(token, "from "))
		if err != nil || n > len(s.invoices) {
			return c.bad(21418)
		}
		from = n
	}
	to := min(from+size, len(s.invoices))
	list := []object{}
	for _, i := range s.invoices[from:to] {
		list = append(list, c.shown(i))
	}
	out := object{"invoices": list}
	if to < len(s.invoices) {
		out["continuationToken"] = "from " + strconv.Itoa(to)
	}
	return ok(out)
}

// sent finds an invoice of a session.
func (c *call) sent() *invoice {
	if s := c.session(); s != nil {
		for _, i := range s.invoices {
			if i.reference == c.path["invoiceReferenceNumber"] {
				return i
			}
		}
	}
	return nil
}

func (c *call) sessionInvoice() reply {
	i := c.sent()
	if i == nil {
		return c.bad(21405)
	}
	return ok(c.shown(i))
}

func (c *call) invoiceUPO() reply {
	i := c.sent()
	if i == nil || i.code != 200 {
		return c.bad(21405)
	}
	content := c.upo(i.session, []*invoice{i})
	return reply{status: http.StatusOK, header: http.Header{"Content-Type": {"application/xml"}, "X-Ms-Meta-Hash": {hash(content)}},
		raw: content}
}

// shown is an invoice with its state.
func (c *call) shown(i *invoice) object {
	code := i.code
	if i.steps > 0 {
		i.steps--
		code = 150
	}
	st := status(code)
	if code == 440 {
		st["extensions"] = object{"originalKsefNumber": i.original.number, "originalSessionReferenceNumber": i.original.inSession()}
	}
	out := object{"ordinalNumber": i.ordinal, "referenceNumber": i.reference, "invoiceHash": i.hash, "invoicingDate": stamp(i.sent),
		"status": st}
	if i.read.Number != "" {
		out["invoiceNumber"] = i.read.Number
	}
	if i.name != "" {
		out["invoiceFileName"] = i.name
	}
	if code == 200 {
		if i.upo == nil {
			i.upo = c.keep("invoice-upo/"+i.number, c.upo(i.session, []*invoice{i}), 3*24*time.Hour)
		}
		out["ksefNumber"], out["acquisitionDate"], out["permanentStorageDate"] = i.number, stamp(i.acquired), stamp(i.stored)
		out["upoDownloadUrl"], out["upoDownloadUrlExpirationDate"], out["invoicingMode"] = c.address(i.upo), stamp(i.upo.till), i.mode()
	}
	return out
}
