package purchases

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"saldo/internal/ksef"
	"saldo/internal/ksef/numbers"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// How much a package may hold. KSeF makes them of 10,000 invoices or 1 GB, in parts of 50 MB; an invoice has 3 MB at most.
const (
	partsMost    = 64
	filesMost    = 20_000
	fileMost     = 4_000_000
	unpackedMost = 8 << 30

	// How many invoices are stored together, and how many bytes of them are held for it.
	storeAtOnce = 200
	holdAtOnce  = 4 << 20
)

const aboutName = "_metadata.json"

// damage is a package that is not what KSeF said it is. What it says names nobody.
type damage struct{ why string }

func (d *damage) Error() string { return "purchases: " + d.why }

// taking is what came of a package.
type taking struct {
	found, fresh int64
	last         time.Time // when KSeF stored the last of them
}

// about is what KSeF says of an invoice beside its file.
type about struct {
	Number     string    `json:"ksefNumber"`
	Invoice    string    `json:"invoiceNumber"`
	IssuedOn   string    `json:"issueDate"`
	Stored     time.Time `json:"permanentStorageDate"`
	Hash       string    `json:"invoiceHash"`
	SelfBilled bool      `json:"isSelfInvoicing"`
	Seller     struct {
		Name string `json:"name"`
	} `json:"seller"`
	Buyer struct {
		Identifier struct {
			Value string `json:"value"`
		} `json:"identifier"`
	} `json:"buyer"`
	Form struct {
		System string `json:"systemCode"`
	} `json:"formCode"`
}

// spool is a package as it came: sealed, in a file without a name.
type spool struct {
	file     *os.File
	parts    []wire.Part
	envelope ksef.Envelope
}

func (s *spool) close() { _ = s.file.Close() }

// take brings a package and stores what it holds, each invoice once however often it comes.
func (s *Service) take(ctx context.Context, run *jobs.Run, c wire.Client, x *export, e ksef.Envelope, p *wire.Parcel) (taking, error) {
	var t taking
	if p.Invoices == 0 && len(p.Parts) == 0 {
		return t, nil
	}
	if len(p.Parts) == 0 || len(p.Parts) > partsMost || p.Invoices > filesMost {
		return t, &damage{"so many parts or invoices are none"}
	}
	held, err := brought(ctx, c, e, p)
	if err != nil {
		return t, err
	}
	defer held.close()
	all := map[string]about{}
	if err := held.each(ctx, func(name string, _ int64, from io.Reader) error { return listed(all, name, from) }); err != nil {
		return t, err
	}
	store := storing{Service: s, run: run, export: x, about: all}
	err = held.each(ctx, func(name string, size int64, from io.Reader) error {
		number, is := strings.CutSuffix(name, ".xml")
		if !is || !numbers.IsInvoice(number) && !numbers.IsFormer(number) {
			return nil
		}
		if size > fileMost {
			return &damage{"an invoice is too large"}
		}
		content, err := io.ReadAll(from)
		if err != nil {
			return err
		}
		return store.add(ctx, number, content)
	})
	if err == nil {
		err = store.flush(ctx)
	}
	if err == nil && int(store.found) != p.Invoices {
		err = &damage{"it has another number of invoices than KSeF says"}
	}
	for _, a := range all {
		if a.Stored.After(store.last) {
			store.last = a.Stored
		}
	}
	return store.taking, err
}

// brought fetches the parts into a file that goes when it is closed. They stay sealed.
func brought(ctx context.Context, c wire.Client, e ksef.Envelope, p *wire.Parcel) (*spool, error) {
	file, err := os.CreateTemp("", "saldo-*")
	if err != nil {
		return nil, err
	}
	s := &spool{file, slices.SortedFunc(slices.Values(p.Parts), func(a, b wire.Part) int { return a.Ordinal - b.Ordinal }), e}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	for n, part := range s.parts {
		if part.Ordinal != n+1 {
			s.close()
			return nil, &damage{"a part is missing"}
		}
		if err := s.part(ctx, c, part); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

func (s *spool) part(ctx context.Context, c wire.Client, p wire.Part) (err error) {
	from, err := c.Part(ctx, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	_, err = io.Copy(s.file, from)
	return err
}

// each gives every file of the package. Parts are opened while they are read, and compared with their hashes.
func (s *spool) each(ctx context.Context, take func(name string, size int64, from io.Reader) error) error {
	var readers []io.Reader
	at := int64(0)
	for _, p := range s.parts {
		plain, err := s.envelope.Unsealed(io.NewSectionReader(s.file, at, p.SealedSize))
		if err != nil {
			return err
		}
		readers = append(readers, &hashed{from: plain, sum: sha256.New(), part: p})
		at += p.SealedSize
	}
	unzipped, err := gzip.NewReader(io.MultiReader(readers...))
	if err != nil {
		return broken(err)
	}
	limited := &io.LimitedReader{R: unzipped, N: unpackedMost}
	archive := tar.NewReader(limited)
	for n := 0; ; n++ {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			_, err = io.Copy(io.Discard, limited) // to the end, where the last hash is compared
			return broken(err)
		}
		if err != nil {
			return broken(err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if n > filesMost {
			return &damage{"it has too many files"}
		}
		if head.Typeflag != tar.TypeReg {
			continue
		}
		if err := take(head.Name, head.Size, archive); err != nil {
			return broken(err)
		}
	}
}

// broken is an error of reading as damage; others stay what they are.
func broken(err error) error {
	var known *damage
	for _, is := range []error{io.ErrUnexpectedEOF, io.EOF, gzip.ErrHeader, gzip.ErrChecksum, tar.ErrHeader} {
		if errors.Is(err, is) && !errors.As(err, &known) {
			return &damage{"it cannot be unpacked"}
		}
	}
	return err
}

// hashed is a part that is compared with its hash at its end.
type hashed struct {
	from io.Reader
	sum  hash.Hash
	n    int64
	part wire.Part
}

func (h *hashed) Read(into []byte) (int, error) {
	n, err := h.from.Read(into)
	h.n += int64(n)
	h.sum.Write(into[:n])
	switch {
	case errors.Is(err, io.EOF) && (h.n != h.part.Size || base64.StdEncoding.EncodeToString(h.sum.Sum(nil)) != h.part.Hash):
		return 0, &damage{"a part is another than KSeF says"}
	case err != nil && !errors.Is(err, io.EOF):
		return 0, &damage{"a part cannot be opened"}
	}
	return n, err
}

// listed reads what KSeF says of the invoices, one after the other.
func listed(into map[string]about, name string, from io.Reader) error {
	if path.Base(name) != aboutName {
		return nil
	}
	unreadable := &damage{"its list cannot be read"}
	d := json.NewDecoder(from)
	for {
		token, err := d.Token()
		if err != nil {
			return unreadable
		}
		if token == "invoices" {
			break
		}
	}
	if token, err := d.Token(); err != nil || token != json.Delim('[') {
		return unreadable
	}
	for d.More() {
		var a about
		if d.Decode(&a) != nil || len(into) > filesMost {
			return unreadable
		}
		a.Seller.Name, a.Invoice, a.Form.System = plain(a.Seller.Name, nameMost), plain(a.Invoice, numberMost), plain(a.Form.System, formMost)
		into[a.Number] = a
	}
	return nil
}

// storing stores invoices as they come, some at a time.
type storing struct {
	*Service
	run    *jobs.Run
	export *export
	about  map[string]about
	taking

	waiting []fetched
	held    int
}

type fetched struct {
	number  string
	content []byte
}

func (s *storing) add(ctx context.Context, number string, content []byte) error {
	s.found++
	s.waiting, s.held = append(s.waiting, fetched{number, content}), s.held+len(content)
	if len(s.waiting) < storeAtOnce && s.held < holdAtOnce {
		return nil
	}
	return s.flush(ctx)
}

// flush stores what waits: the files first, so that no row is without one. What is there already is left alone.
func (s *storing) flush(ctx context.Context) error {
	if len(s.waiting) == 0 {
		return nil
	}
	known := map[string]Role{}
	if err := s.run.Read(ctx, func(tx *db.Tx) error {
		of := make([]string, len(s.waiting))
		for n, f := range s.waiting {
			of[n] = f.number
		}
		in, args := db.Among(3, of)
		found, err := db.Select[struct {
			KsefNumber string
			Role       Role
		}](tx, `SELECT ksef_number, role FROM purchases WHERE tenant_id = $1 AND environment = $2 AND ksef_number`+in,
			append([]any{s.export.Environment}, args...)...)
		for _, f := range found {
			known[f.KsefNumber] = f.Role
		}
		return err
	}); err != nil {
		return err
	}
	var rows []row
	var files [][]byte
	for _, f := range s.waiting {
		if _, there := known[f.number]; there {
			continue
		}
		r := read(f, s.about[f.number], s.export)
		r.BlobKey = path.Join(s.run.TenantID, "purchases", s.export.Environment, f.number+".xml")
		rows, files = append(rows, r), append(files, f.content)
	}
	if err := s.put(ctx, rows, files); err != nil {
		return err
	}
	s.waiting, s.held = s.waiting[:0], 0
	fresh := int64(0)
	if err := s.run.Write(ctx, func(tx *db.Tx) error {
		fresh = 0
		for _, r := range rows {
			r.FetchedAt = tx.Now
			n, err := db.InsertNew(tx, "purchases", r)
			if err != nil {
				return err
			}
			fresh += n
		}
		for number, role := range known {
			if role == Third && s.export.Role == Buyer {
				if _, err := tx.Exec(`UPDATE purchases SET role = 'buyer' WHERE tenant_id = $1 AND environment = $2 AND ksef_number = $3`,
					s.export.Environment, number); err != nil {
					return err
				}
			}
		}
		return nil
	}); err != nil {
		return err
	}
	s.fresh += fresh
	return nil
}

// putAtOnce is how many files are on their way to the store at a time: each waits for a disk or a bucket.
const putAtOnce = 8

func (s *storing) put(ctx context.Context, rows []row, files [][]byte) error {
	failed := make([]error, putAtOnce)
	var stored atomic.Int64
	var all sync.WaitGroup
	for worker := range putAtOnce {
		all.Go(func() {
			for n := worker; n < len(rows) && failed[worker] == nil; n += putAtOnce {
				if _, failed[worker] = s.Blobs.Put(ctx, rows[n].BlobKey, bytes.NewReader(files[n]), int64(len(files[n]))); failed[worker] == nil {
					stored.Add(1)
				}
			}
		})
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil || int(stored.Load()) != len(rows) {
		return errors.Join(err, errors.New("purchases: not every file was stored"))
	}
	return nil
}
