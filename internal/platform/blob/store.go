package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
)

// Sealer makes of contents what is kept of them, and back; the vault is one.
type Sealer interface {
	SealFile(name string, plain io.Reader) (sealed io.Reader, err error)
	OpenFile(name string, sealed io.ReaderAt, size int64) (plain io.ReaderAt, plainSize int64, err error)
	ReadFile(name string, sealed io.Reader, size int64) (plain io.Reader, plainSize int64, err error)
	// FileKey is the id of the key that sealed what starts so; empty: it is not sealed. Current is that of the key that
	// seals now.
	FileKey(head []byte) string
	Current() string
}

// headSize is more than a sealer needs to see of a file.
const headSize = 128

// shelf keeps bytes under keys and does not ask what they are. Its errors say neither key nor deed.
type shelf interface {
	put(ctx context.Context, key string, sealed io.Reader) error
	get(ctx context.Context, key string) (*taken, error)
	// replace puts the bytes in the place of what has that version, or says that it is gone.
	replace(ctx context.Context, key string, was version, sealed io.Reader) (done bool, err error)
	Delete(ctx context.Context, key string) error
	List(ctx context.Context, prefix string) iter.Seq2[string, error]
}

// version tells a blob from whatever stood or will stand under the same key.
type version any

// taken is what stands on a shelf.
type taken struct {
	io.ReadCloser
	at      io.ReaderAt // nil: it can be read only once
	size    int64
	version version
	keyID   string // that sealed it; empty: not sealed
}

// store seals what it puts on a shelf.
type store struct {
	shelf
	sealer Sealer
}

func (s *store) Put(ctx context.Context, key string, content io.Reader, size int64) (string, error) {
	if err := checkKey(key); err != nil {
		return "", err
	}
	in := newIntake(ctx, content, size)
	sealed, err := s.sealer.SealFile(key, in)
	if err == nil {
		err = s.put(ctx, key, sealed)
	}
	if err != nil {
		return "", fmt.Errorf("the blob %s cannot be stored: %w", key, err)
	}
	return in.sum(), nil
}

// take opens a blob and looks at its start.
func (s *store) take(ctx context.Context, key string) (*taken, error) {
	if err := errors.Join(checkKey(key), ctx.Err()); err != nil {
		return nil, err
	}
	raw, err := s.get(ctx, key)
	if errors.Is(err, ErrNotFound) {
		return nil, fmt.Errorf("%w: %s", ErrNotFound, key)
	}
	if err != nil {
		return nil, fmt.Errorf("the blob %s cannot be opened: %w", key, err)
	}
	head := make([]byte, headSize)
	n, err := io.ReadFull(raw, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, fmt.Errorf("the blob %s cannot be opened: %w", key, errors.Join(err, raw.Close()))
	}
	raw.keyID = s.sealer.FileKey(head[:n])
	raw.ReadCloser = &again{io.MultiReader(bytes.NewReader(head[:n]), raw.ReadCloser), raw.ReadCloser}
	return raw, nil
}

// again is a content whose start was read before.
type again struct {
	io.Reader
	io.Closer
}

// plain is the content of what was taken, once.
func (s *store) plain(key string, raw *taken) (content io.Reader, size int64, err error) {
	switch {
	case raw.keyID == "":
		return raw, raw.size, nil
	case raw.at == nil:
		return s.sealer.ReadFile(key, raw, raw.size)
	}
	at, size, err := s.sealer.OpenFile(key, raw.at, raw.size)
	if err != nil {
		return nil, 0, err
	}
	return io.NewSectionReader(at, 0, size), size, nil
}

func (s *store) Get(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	raw, err := s.take(ctx, key)
	if err != nil {
		return nil, 0, err
	}
	content, size, err := s.plain(key, raw)
	if err != nil {
		return nil, 0, fmt.Errorf("the blob %s cannot be opened: %w", key, errors.Join(err, raw.Close()))
	}
	return &again{content, raw}, size, nil
}

func (s *store) Kept(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	raw, err := s.take(ctx, key)
	if err != nil {
		return nil, 0, err
	}
	return raw, raw.size, nil
}

func (s *store) Keep(ctx context.Context, key string, sealed io.Reader) error {
	if err := checkKey(key); err != nil {
		return err
	}
	if err := s.put(ctx, key, &intake{ctx: ctx, source: sealed, size: -1}); err != nil {
		return fmt.Errorf("the blob %s cannot be stored: %w", key, err)
	}
	return nil
}

// File is a blob that can be read anywhere.
type File struct {
	io.ReaderAt
	io.Closer
	Size int64
}

// Fetch reads a blob of a folder where it stands. One of a bucket is brought to a file without a name first, as it is
// kept there: sealed.
func (s *store) Fetch(ctx context.Context, key string) (*File, error) {
	raw, err := s.take(ctx, key)
	if err != nil {
		return nil, err
	}
	if raw.at == nil {
		if err := raw.bring(ctx); err != nil {
			return nil, fmt.Errorf("the blob %s cannot be opened: %w", key, errors.Join(err, raw.Close()))
		}
	}
	if raw.keyID == "" {
		return &File{raw.at, raw, raw.size}, nil
	}
	at, size, err := s.sealer.OpenFile(key, raw.at, raw.size)
	if err != nil {
		return nil, fmt.Errorf("the blob %s cannot be opened: %w", key, errors.Join(err, raw.Close()))
	}
	return &File{at, raw, size}, nil
}

// bring makes of what can be read only once a file that can be read anywhere.
func (t *taken) bring(ctx context.Context) error {
	file, err := os.CreateTemp("", "saldo-*")
	if err != nil {
		return err
	}
	if err := os.Remove(file.Name()); err != nil {
		return errors.Join(err, file.Close())
	}
	size, err := io.Copy(file, &intake{ctx: ctx, source: t, size: t.size})
	if err = errors.Join(err, t.Close()); err != nil {
		return errors.Join(err, file.Close())
	}
	t.ReadCloser, t.at, t.size = file, file, size
	return nil
}

func (s *store) Seal(ctx context.Context, key string) (done bool, err error) {
	raw, err := s.take(ctx, key)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer raw.Close()
	if raw.keyID == s.sealer.Current() {
		return false, nil
	}
	content, size, err := s.plain(key, raw)
	var sealed io.Reader
	if err == nil {
		sealed, err = s.sealer.SealFile(key, &intake{ctx: ctx, source: content, size: size})
	}
	if err == nil {
		done, err = s.replace(ctx, key, raw.version, sealed)
	}
	if err != nil {
		return false, fmt.Errorf("the blob %s cannot be sealed: %w", key, err)
	}
	return done, nil
}
