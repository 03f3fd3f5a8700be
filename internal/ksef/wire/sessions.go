package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"saldo/internal/ksef"
)

type (
	formCode struct {
		System  string `json:"systemCode"`
		Version string `json:"schemaVersion"`
		Value   string `json:"value"`
	}
	encryption struct {
		Key   string `json:"encryptedSymmetricKey"`
		IV    []byte `json:"initializationVector"`
		KeyID string `json:"publicKeyId,omitempty"`
	}
	onlineOpening struct {
		Form       formCode   `json:"formCode"`
		Encryption encryption `json:"encryption"`
	}
	invoiceSending struct {
		Hash          string `json:"invoiceHash"`
		Size          int    `json:"invoiceSize"`
		EncryptedHash string `json:"encryptedInvoiceHash"`
		EncryptedSize int    `json:"encryptedInvoiceSize"`
		Content       []byte `json:"encryptedInvoiceContent"`
		Offline       bool   `json:"offlineMode"`
		Corrected     string `json:"hashOfCorrectedInvoice,omitempty"`
	}
	batchOpening struct {
		Form       formCode   `json:"formCode"`
		File       batchFile  `json:"batchFile"`
		Encryption encryption `json:"encryption"`
		Offline    bool       `json:"offlineMode"`
	}
	batchFile struct {
		Size        int64       `json:"fileSize"`
		Hash        string      `json:"fileHash"`
		Compression string      `json:"compressionType"`
		Parts       []batchPart `json:"fileParts"`
	}
	batchPart struct {
		Ordinal int    `json:"ordinalNumber"`
		Size    int    `json:"fileSize"`
		Hash    string `json:"fileHash"`
	}
	opened struct {
		Reference string    `json:"referenceNumber"`
		Until     time.Time `json:"validUntil"`
	}
	batchOpened struct {
		Reference string   `json:"referenceNumber"`
		Uploads   []Upload `json:"partUploadRequests"`
	}
	sessionAnswer struct {
		Status Status     `json:"status"`
		Until  *time.Time `json:"validUntil"`
		UPO    *struct {
			Pages []struct {
				URL string `json:"downloadUrl"`
			} `json:"pages"`
		} `json:"upo"`
		Invoices int `json:"invoiceCount"`
		Good     int `json:"successfulInvoiceCount"`
		Failed   int `json:"failedInvoiceCount"`
	}
	invoicesAnswer struct {
		Next     string `json:"continuationToken"`
		Invoices []Sent `json:"invoices"`
	}
)

// fa3 is the form of all invoices that are sent.
var fa3 = formCode{"FA (3)", "1-0E", "FA"}

func encrypted(e ksef.Envelope) encryption { return encryption{e.Sealed, e.IV, e.KeyID} }

func at(parts ...string) string {
	for n := range parts {
		parts[n] = url.PathEscape(parts[n])
	}
	return "/" + strings.Join(parts, "/")
}

// OpenOnline opens a session for single invoices. It ends by itself at the time given.
func (c Client) OpenOnline(ctx context.Context, e ksef.Envelope) (reference string, until time.Time, err error) {
	var got opened
	err = c.call(ctx, request{method: http.MethodPost, path: "/sessions/online", group: "onlineSession", body: onlineOpening{fa3,
		encrypted(e)}}, &got)
	return got.Reference, got.Until, given(err, got.Reference)
}

// Send sends an invoice, offline where its code says so. Corrected is the hash of the refused offline invoice that it replaces. Taken is
// not accepted: Invoices says what became of it.
func (c Client) Send(ctx context.Context, session string, s ksef.Sealed, offline bool, corrected string) (reference string, err error) {
	return c.reference(ctx, request{method: http.MethodPost, path: at("sessions", "online", session, "invoices"), group: "invoiceSend",
		body: invoiceSending{s.PlainHash, s.PlainSize, s.Hash, len(s.Content), s.Content, offline, corrected}})
}

// Close ends a session for single invoices, whose UPO KSeF then makes.
func (c Client) Close(ctx context.Context, session string) error {
	return c.call(ctx, request{method: http.MethodPost, path: at("sessions", "online", session, "close"), group: "onlineSession"}, nil)
}

// Upload is where a part of a batch goes.
type Upload struct {
	Ordinal int               `json:"ordinalNumber"`
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Size    int64             `json:"-"`
}

// OpenBatch opens a session for many invoices. Its parts are put where the uploads say, in any order.
func (c Client) OpenBatch(ctx context.Context, e ksef.Envelope, p ksef.Package, offline bool) (reference string, uploads []Upload,
	err error) {
	in := batchOpening{Form: fa3, Encryption: encrypted(e), Offline: offline, File: batchFile{Size: p.Size, Hash: p.Hash,
		Compression: "TarGz"}}
	for n, part := range p.Parts {
		in.File.Parts = append(in.File.Parts, batchPart{n + 1, len(part.Content), part.Hash})
	}
	var got batchOpened
	if err = c.call(ctx, request{method: http.MethodPost, path: "/sessions/batch", group: "batchSession", body: in}, &got); err != nil {
		return "", nil, err
	}
	for n := range got.Uploads {
		if o := got.Uploads[n].Ordinal; o < 1 || o > len(p.Parts) || len(got.Uploads) != len(p.Parts) {
			return "", nil, &Said{HTTP: http.StatusOK, Reason: reasonUnreadable}
		}
		got.Uploads[n].Size = int64(len(p.Parts[got.Uploads[n].Ordinal-1].Content))
	}
	return got.Reference, got.Uploads, given(nil, got.Reference)
}

var errUpload = errors.New("ksef: this is no way to put a file")

// Put puts a part of a batch. It takes as long as the context lets it.
func (c Client) Put(ctx context.Context, to Upload, content io.Reader) error {
	u, err := c.outside(to.URL)
	if err != nil {
		return err
	}
	if to.Method != http.MethodPut && to.Method != http.MethodPost {
		return errUpload
	}
	r, err := http.NewRequestWithContext(ctx, to.Method, u.String(), content)
	if err != nil {
		return errAddress
	}
	r.ContentLength = to.Size
	for name, value := range to.Headers {
		if lower := strings.ToLower(name); lower != "content-type" && !strings.HasPrefix(lower, "x-") {
			return errUpload
		}
		r.Header.Set(name, value)
	}
	answer, err := c.do(r)
	if err != nil {
		return err
	}
	_, _, err = read(ctx, answer, mostAnswer)
	return err
}

// CloseBatch says that all parts are there. KSeF then takes the invoices.
func (c Client) CloseBatch(ctx context.Context, session string) error {
	return c.call(ctx, request{method: http.MethodPost, path: at("sessions", "batch", session, "close"), group: "batchSession"}, nil)
}

// Session is one of either kind.
type Session struct {
	Status
	Until                  time.Time
	Invoices, Good, Failed int
	UPO                    []string // addresses of its pages, for UPO
}

// Session says how far KSeF is with a session.
func (c Client) Session(ctx context.Context, session string) (Session, error) {
	var got sessionAnswer
	if err := c.call(ctx, request{method: http.MethodGet, path: at("sessions", session), group: "sessionMisc"}, &got); err != nil {
		return Session{}, err
	}
	s := Session{Status: got.Status, Invoices: got.Invoices, Good: got.Good, Failed: got.Failed}
	if got.Until != nil {
		s.Until = *got.Until
	}
	if got.UPO != nil {
		for _, page := range got.UPO.Pages {
			s.UPO = append(s.UPO, page.URL)
		}
	}
	return s, nil
}

// Sent is an invoice of a session.
type Sent struct {
	Ordinal   int           `json:"ordinalNumber"`
	Reference string        `json:"referenceNumber"`
	Hash      string        `json:"invoiceHash"`
	Number    string        `json:"invoiceNumber"` // the issuer's; empty where KSeF could not read it
	KSeF      string        `json:"ksefNumber"`    // empty: it is not accepted
	Acquired  time.Time     `json:"acquisitionDate"`
	Mode      string        `json:"invoicingMode"` // Online or Offline
	UPO       string        `json:"upoDownloadUrl"`
	Status    InvoiceStatus `json:"status"`
}

// InvoiceStatus is how far KSeF is with an invoice.
type InvoiceStatus struct {
	Status
	// Extensions of a duplicate name what KSeF has: originalKsefNumber, originalSessionReferenceNumber.
	Extensions map[string]string `json:"extensions"`
}

// Invoices are a thousand of a session at most, from the continuation of the page before on; empty: there are no more.
func (c Client) Invoices(ctx context.Context, session, continued string) (invoices []Sent, next string, err error) {
	r := request{method: http.MethodGet, path: at("sessions", session, "invoices"), group: "sessionInvoiceList",
		query: url.Values{"pageSize": {strconv.Itoa(1000)}}}
	if continued != "" {
		r.header = map[string]string{"x-continuation-token": continued}
	}
	var got invoicesAnswer
	err = c.call(ctx, r, &got)
	return got.Invoices, got.Next, err
}

// Invoice is one of a session.
func (c Client) Invoice(ctx context.Context, session, reference string) (got Sent, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: at("sessions", session, "invoices", reference), group: "invoiceStatus"}, &got)
	return got, err
}

// UPO fetches the confirmation of an invoice or a page of a session's by its own address.
func (c Client) UPO(ctx context.Context, address string) ([]byte, error) {
	return c.file(ctx, address, mostFile)
}

// InvoiceUPO fetches the confirmation of an invoice, also where its address has expired.
func (c Client) InvoiceUPO(ctx context.Context, session, reference string) ([]byte, error) {
	content, header, err := c.content(ctx, request{method: http.MethodGet, path: at("sessions", session, "invoices", reference, "upo"),
		group: "sessionMisc"}, mostFile)
	if err != nil {
		return nil, err
	}
	return whole(content, header)
}
