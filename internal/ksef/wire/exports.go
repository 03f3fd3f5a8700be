package wire

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"hash"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"saldo/internal/ksef"
	"saldo/internal/ksef/numbers"
)

// Role is what a company is on the invoices that it asks for.
type Role string

// The roles.
const (
	Seller Role = "Subject1"
	Buyer  Role = "Subject2"
	Third  Role = "Subject3"
)

// Range are invoices by the time from which on KSeF keeps them for good.
type Range struct {
	Role Role
	From time.Time
	To   time.Time // zero: up to what is kept for good; a range may have three months
}

type (
	exportRequest struct {
		Filters     exportFilters `json:"filters"`
		Encryption  encryption    `json:"encryption"`
		Compression string        `json:"compressionType"`
	}
	exportFilters struct {
		Subject Role      `json:"subjectType"`
		Dates   dateRange `json:"dateRange"`
	}
	dateRange struct {
		Type     string     `json:"dateType"`
		From     time.Time  `json:"from"`
		To       *time.Time `json:"to,omitempty"`
		Restrict bool       `json:"restrictToPermanentStorageHwmDate,omitempty"`
	}
	exportAnswer struct {
		Status  Status         `json:"status"`
		Package *exportPackage `json:"package"`
	}
	exportPackage struct {
		Invoices  int        `json:"invoiceCount"`
		Size      int64      `json:"size"`
		Truncated bool       `json:"isTruncated"`
		Last      *time.Time `json:"lastPermanentStorageDate"`
		Mark      *time.Time `json:"permanentStorageHwmDate"`
		Parts     []Part     `json:"parts"`
	}
	metadataAnswer struct {
		More     bool       `json:"hasMore"`
		Invoices []Metadata `json:"invoices"`
	}
	collectRequest struct {
		Invoices []collected `json:"invoices"`
	}
	collected struct {
		Number string `json:"ksefNumber"`
	}
	collectAnswer struct {
		Number string `json:"collectiveIdentifierNumber"`
	}
)

// instant is a time as KSeF has it: of seven places, in an offset that is said, as it takes others for Warsaw's.
func instant(t time.Time) time.Time { return t.UTC().Truncate(100 * time.Nanosecond) }

// Export asks for all invoices of a range as a package for the envelope.
func (c Client) Export(ctx context.Context, e ksef.Envelope, r Range) (reference string, err error) {
	in := exportRequest{Encryption: encrypted(e), Compression: "TarGz",
		Filters: exportFilters{r.Role, dateRange{Type: "PermanentStorage", From: instant(r.From), Restrict: true}}}
	if !r.To.IsZero() {
		until := instant(r.To)
		in.Filters.Dates.To = &until
	}
	return c.reference(ctx, request{method: http.MethodPost, path: "/invoices/exports", group: "invoiceExport", body: in})
}

// Parcel is what an export gave.
type Parcel struct {
	Status
	Invoices int
	Parts    []Part
	Next     time.Time // from where the next export goes on; zero: KSeF does not say
	More     bool      // there was more than one package holds
}

// Part is a part of a parcel.
type Part struct {
	Ordinal    int       `json:"ordinalNumber"`
	Method     string    `json:"method"`
	URL        string    `json:"url"`
	Size       int64     `json:"partSize"`
	Hash       string    `json:"partHash"`
	SealedSize int64     `json:"encryptedPartSize"`
	SealedHash string    `json:"encryptedPartHash"`
	Until      time.Time `json:"expirationDate"`
}

// Exported says how far KSeF is with an export. After a week it does not know it any more.
func (c Client) Exported(ctx context.Context, reference string) (Parcel, error) {
	var got exportAnswer
	err := c.call(ctx, request{method: http.MethodGet, path: at("invoices", "exports", reference), group: "invoiceExportStatus"}, &got)
	p := Parcel{Status: got.Status}
	if got.Package == nil || err != nil {
		return p, err
	}
	p.Invoices, p.Parts, p.More = got.Package.Invoices, got.Package.Parts, got.Package.Truncated
	next := got.Package.Mark
	if p.More {
		next = got.Package.Last
	}
	if next != nil {
		p.Next = *next
	}
	return p, nil
}

// mostPart is what a sealed part of a parcel may have: KSeF makes them of 50 MB.
const mostPart = 64 << 20

// Part fetches a sealed part. Reading it ends with an error where it is not the part that KSeF named.
func (c Client) Part(ctx context.Context, p Part) (io.ReadCloser, error) {
	if p.SealedSize > mostPart || p.SealedSize <= 0 || p.Method != http.MethodGet {
		return nil, &Said{HTTP: http.StatusOK, Reason: reasonTooLarge}
	}
	u, err := c.outside(p.URL)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, errAddress
	}
	answer, err := c.do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		defer func() { _ = answer.Body.Close() }()
		return nil, refusal(answer)
	}
	return &partReader{answer.Body, io.LimitReader(answer.Body, p.SealedSize+1), p, sha256.New(), 0}, nil
}

type partReader struct {
	io.Closer
	from io.Reader
	part Part
	sum  hash.Hash
	n    int64
}

func (r *partReader) Read(into []byte) (int, error) {
	n, err := r.from.Read(into)
	r.n += int64(n)
	r.sum.Write(into[:n])
	switch {
	case r.n > r.part.SealedSize:
		return 0, &Said{HTTP: http.StatusOK, Reason: reasonTooLarge}
	case err == io.EOF && (r.n < r.part.SealedSize || base64.StdEncoding.EncodeToString(r.sum.Sum(nil)) != r.part.SealedHash):
		return 0, &Said{HTTP: http.StatusOK, Reason: reasonHash}
	case err != nil && err != io.EOF:
		return 0, &Said{}
	}
	return n, err
}

// Metadata is what KSeF says of an invoice without its file. Amounts are read from the file alone.
type Metadata struct {
	Number     string    `json:"ksefNumber"`
	Hash       string    `json:"invoiceHash"`
	IssuedOn   string    `json:"issueDate"`
	Stored     time.Time `json:"permanentStorageDate"`
	SelfBilled bool      `json:"isSelfInvoicing"`
}

// Metadata are invoices of a range up to a time, 250 to a page from 0 on.
func (c Client) Metadata(ctx context.Context, r Range, to time.Time, page int) (invoices []Metadata, more bool, err error) {
	until := instant(to)
	var got metadataAnswer
	err = c.call(ctx, request{method: http.MethodPost, path: "/invoices/query/metadata", group: "invoiceMetadata",
		query: url.Values{"pageSize": {"250"}, "pageOffset": {strconv.Itoa(page)}, "sortOrder": {"Asc"}},
		body:  exportFilters{r.Role, dateRange{Type: "PermanentStorage", From: instant(r.From), To: &until}}}, &got)
	return got.Invoices, got.More, err
}

// File fetches an invoice by its number.
func (c Client) File(ctx context.Context, number string) ([]byte, error) {
	if !numbers.IsInvoice(number) && !numbers.IsFormer(number) {
		return nil, errNumber
	}
	content, header, err := c.content(ctx, request{method: http.MethodGet, path: at("invoices", "ksef", number), group: "invoiceDownload"},
		mostFile)
	if err != nil {
		return nil, err
	}
	return whole(bytes.Clone(content), header)
}

// Collective gives the identifier for several invoices of one seller, which a transfer names.
func (c Client) Collective(ctx context.Context, invoices []string) (string, error) {
	in := collectRequest{}
	for _, n := range invoices {
		in.Invoices = append(in.Invoices, collected{n})
	}
	var got collectAnswer
	err := c.call(ctx, request{method: http.MethodPost, path: "/collective-identifiers", group: "collectiveIdentifier", body: in}, &got)
	if err == nil && !numbers.IsCollective(got.Number) {
		err = errNumber
	}
	return got.Number, err
}
