// Package backup is the form of a backup: a database, the files that its rows name, and the sums of all, in one file that
// is compressed and encrypted for a key of its own. The key of the instance is not in it, only its id.
package backup

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"
)

// format counts how backups are laid out; a reader refuses newer ones.
const format = 1

const (
	headName     = "saldo.json"
	databaseName = "database"
	fileFolder   = "files/"
	sumsName     = "sums.json"
	smallMost    = 1 << 30 // of head and sums
)

// Head stands at the start of a backup.
type Head struct {
	Format  int       `json:"format"`
	Version string    `json:"version"` // of the program that made it
	Engine  string    `json:"engine"`  // of the database
	Schema  string    `json:"schema"`  // its newest migration
	KeyID   string    `json:"key_id"`  // of the key that seals what is in it
	MadeAt  time.Time `json:"made_at"`
}

// sums stands at the end: what must be there, whole.
type sums struct {
	Entries map[string]sum `json:"entries"`
	Missing []string       `json:"missing"` // files that rows name and the store did not have
}

type sum struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Writer writes a backup.
type Writer struct {
	ctx    context.Context
	sealed io.WriteCloser
	packed *zstd.Encoder
	tar    *tar.Writer
	sums   sums
	madeAt time.Time
}

// Write begins a backup.
func Write(ctx context.Context, out io.Writer, to Recipient, h Head) (*Writer, error) {
	sealed, err := age.Encrypt(out, to.age)
	if err != nil {
		return nil, err
	}
	packed, err := zstd.NewWriter(sealed, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	w := &Writer{ctx: ctx, sealed: sealed, packed: packed, tar: tar.NewWriter(packed), madeAt: h.MadeAt,
		sums: sums{Entries: map[string]sum{}, Missing: []string{}}}
	h.Format = format
	return w, w.small(headName, h)
}

func (w *Writer) small(name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return w.add(name, int64(len(text)), strings.NewReader(string(text)))
}

// Database adds the copy of the database.
func (w *Writer) Database(content io.Reader, size int64) error {
	return w.add(databaseName, size, content)
}

// File adds a file as the store keeps it.
func (w *Writer) File(key string, content io.Reader, size int64) error {
	return w.add(fileFolder+key, size, content)
}

// Missing notes a file that a row names and the store does not have.
func (w *Writer) Missing(key string) { w.sums.Missing = append(w.sums.Missing, key) }

func (w *Writer) add(name string, size int64, content io.Reader) error {
	err := w.tar.WriteHeader(&tar.Header{Name: name, Size: size, Mode: 0o600, ModTime: w.madeAt, Format: tar.FormatPAX})
	if err != nil {
		return err
	}
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(w.tar, hash), &stoppable{w.ctx, content})
	if err != nil {
		return err
	}
	if n != size {
		return fmt.Errorf("%s ended after %d of %d bytes", name, n, size)
	}
	w.sums.Entries[name] = sum{n, hex.EncodeToString(hash.Sum(nil))}
	return nil
}

// Close ends the backup; without it what was written is no backup.
func (w *Writer) Close() error {
	if err := w.small(sumsName, w.sums); err != nil {
		return err
	}
	if err := w.tar.Close(); err != nil {
		return err
	}
	if err := w.packed.Close(); err != nil {
		return err
	}
	return w.sealed.Close()
}

// stoppable ends a long copy when nobody waits for it any more.
type stoppable struct {
	ctx context.Context
	io.Reader
}

func (s *stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.Reader.Read(p)
}

var (
	// ErrKey tells that a backup was made for another key.
	ErrKey = errors.New("the backup was made for another key: nothing was restored; name the key file that belongs to its recipient")
	// ErrNewer tells that a backup was made by a newer program.
	ErrNewer = errors.New("the backup was made by a newer Saldo: nothing was restored; use that version")
	// ErrDamaged tells that a backup is not as it was made.
	ErrDamaged = errors.New("the backup was cut off or changed: nothing was restored; take another copy of it, or an older backup")
	// ErrNone tells that something is no backup.
	ErrNone = errors.New("this is no backup of Saldo, or its beginning was changed: nothing was restored; name a file that saldo backup made")
)

// Reader reads a backup from its start to its end.
type Reader struct {
	Head    Head
	Missing []string // known at the end

	packed *zstd.Decoder
	rest   io.Reader
	tar    *tar.Reader
	seen   map[string]sum
}

// Read begins to read a backup. What it gives of it was made so by whoever had its recipient, or ends with an error.
func Read(ctx context.Context, in io.Reader, key Key) (*Reader, error) {
	source := &source{Reader: &stoppable{ctx, in}}
	plain, err := age.Decrypt(source, key.age)
	var other *age.NoIdentityMatchError
	switch {
	case source.failed != nil:
		return nil, source.failed
	case errors.As(err, &other):
		return nil, ErrKey
	case err != nil:
		return nil, fmt.Errorf("%w (%w)", ErrNone, err)
	}
	packed, err := zstd.NewReader(explaining{plain, source}, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, explained(err, source)
	}
	rest := explaining{packed, source}
	r := &Reader{packed: packed, rest: rest, tar: tar.NewReader(rest), seen: map[string]sum{}}
	name, content, err := r.next()
	if err == nil && name != headName {
		err = ErrNone
	}
	if err == nil {
		err = small(content, &r.Head)
	}
	if err == nil && r.Head.Format > format {
		err = ErrNewer
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Close lets go of what reading needs.
func (r *Reader) Close() { r.packed.Close() }

// Next gives the next file, or the database, whose key is empty. io.EOF: the backup has ended and is whole.
func (r *Reader) Next() (key string, content io.Reader, err error) {
	name, content, err := r.next()
	if err == io.EOF {
		return "", nil, fmt.Errorf("%w (its end is missing)", ErrDamaged)
	}
	if err != nil {
		return "", nil, err
	}
	if name == sumsName {
		return "", nil, r.end(content)
	}
	if key, ok := strings.CutPrefix(name, fileFolder); ok && key != "" {
		return key, content, nil
	}
	if name != databaseName {
		return "", nil, fmt.Errorf("%w (it holds %q)", ErrNewer, name)
	}
	return "", content, nil
}

// end compares what was read with what must be there.
func (r *Reader) end(content io.Reader) error {
	var s sums
	if err := small(content, &s); err != nil {
		return err
	}
	delete(r.seen, sumsName)
	for name, want := range s.Entries {
		if r.seen[name] != want {
			return fmt.Errorf("%w (%s is not as it was)", ErrDamaged, name)
		}
	}
	if len(r.seen) != len(s.Entries) || s.Entries[databaseName].Bytes == 0 {
		return fmt.Errorf("%w (it does not hold what it lists)", ErrDamaged)
	}
	// behind its last entry the encryption tells whether it was cut off
	if _, _, err := r.next(); err != io.EOF {
		return fmt.Errorf("%w (it goes on behind its end: %v)", ErrDamaged, err)
	}
	r.Missing = s.Missing
	return io.EOF
}

func (r *Reader) next() (string, io.Reader, error) {
	h, err := r.tar.Next()
	if err == io.EOF {
		// the archive ended; whether what holds it did is known once it was read to its end
		if _, err := io.Copy(io.Discard, r.rest); err != nil {
			return "", nil, err
		}
		return "", nil, io.EOF
	}
	if err != nil {
		return "", nil, err
	}
	if _, twice := r.seen[h.Name]; twice || h.Typeflag != tar.TypeReg {
		return "", nil, fmt.Errorf("%w (%s stands in it twice)", ErrDamaged, h.Name)
	}
	r.seen[h.Name] = sum{}
	return h.Name, &counted{r.tar, r, h.Name, sha256.New(), 0}, nil
}

func small(content io.Reader, value any) error {
	text, err := io.ReadAll(io.LimitReader(content, smallMost))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, value); err != nil {
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return nil
}
