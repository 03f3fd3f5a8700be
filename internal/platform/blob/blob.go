// Package blob keeps files: uploads, documents, pictures. A store is a folder on disk or a bucket of an S3-compatible
// service; both keep the same promises, and one test suite holds them to it. What it keeps is sealed.
package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrNotFound tells that there is no blob with the key.
var ErrNotFound = errors.New("there is no such blob")

// Store keeps blobs under keys such as "tenant/imports/0199.csv". A key holds up to 512 bytes of printable text; its
// parts, divided by "/", are neither empty nor "." nor "..". Stores may be used by many goroutines.
type Store interface {
	// Put stores the content under the key, replacing what was there, and returns its SHA-256 in hexadecimal. Readers see
	// the old content or the whole new one, never a part; after an error the old one stands. A content that is not
	// exactly size bytes long is refused; size -1 means that the length is not known.
	Put(ctx context.Context, key string, content io.Reader, size int64) (sha256 string, err error)
	// Get opens the blob and tells its size; the caller closes it. A missing blob is ErrNotFound. What was changed at
	// rest, cut off or put under another key is an error, here or where reading comes to it.
	Get(ctx context.Context, key string) (content io.ReadCloser, size int64, err error)
	// Fetch gives the blob to be read anywhere; the caller closes it. It is as Get in everything else.
	Fetch(ctx context.Context, key string) (*File, error)
	// Seal seals a blob that is not, or not with the current key, and says whether it did. Whoever reads, replaces or
	// deletes the blob meanwhile does not notice, and is not undone.
	Seal(ctx context.Context, key string) (done bool, err error)
	// Kept gives the bytes that are kept of a blob, sealed as they are, and how many. A missing blob is ErrNotFound.
	Kept(ctx context.Context, key string) (sealed io.ReadCloser, size int64, err error)
	// Keep puts the bytes that were kept of a blob under its key again, whole or not at all.
	Keep(ctx context.Context, key string, sealed io.Reader) error
	// Delete removes the blob; a missing one is no error.
	Delete(ctx context.Context, key string) error
	// List yields all keys that start with the prefix, in no particular order; an error ends it.
	List(ctx context.Context, prefix string) iter.Seq2[string, error]
}

// Whole is a blob of at most so many bytes; of a longer one it is the beginning and one byte more.
func Whole(ctx context.Context, s Store, key string, most int64) (content []byte, err error) {
	from, _, err := s.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	return io.ReadAll(io.LimitReader(from, most+1))
}

// Open gives the store for an s3:// address, or for the folder when the address is empty. It does not connect.
// Its errors never hold the credentials.
func Open(address, folder string, sealer Sealer) (Store, error) {
	var bare shelf
	var err error
	if address == "" {
		bare, err = openFolder(folder)
	} else {
		bare, err = openBucket(address)
	}
	if err != nil {
		return nil, err
	}
	return &store{bare, sealer}, nil
}

const maxKey = 512

func checkKey(key string) error {
	if key == "" || len(key) > maxKey {
		return fmt.Errorf("a blob's key must have 1 to %d bytes, not %d", maxKey, len(key))
	}
	if err := checkText(key); err != nil {
		return err
	}
	for part := range strings.SplitSeq(key, "/") {
		if part == "" || part == "." || part == ".." {
			return fmt.Errorf("the blob's key %q has an empty part or one that leaves its place", key)
		}
	}
	return nil
}

func checkText(text string) error {
	if !utf8.ValidString(text) || strings.ContainsRune(text, '\\') ||
		strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("the blob's key %q holds something that is not printable text", text)
	}
	return nil
}

// intake reads a content once, up to its promised size, and knows its hash in the end.
type intake struct {
	ctx    context.Context
	source io.Reader
	size   int64 // -1: not known
	taken  int64
	hash   hash.Hash // nil: nobody asks for it
}

func newIntake(ctx context.Context, source io.Reader, size int64) *intake {
	return &intake{ctx: ctx, source: source, size: size, hash: sha256.New()}
}

func (in *intake) Read(p []byte) (int, error) {
	if err := in.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := in.source.Read(p)
	if in.hash != nil {
		in.hash.Write(p[:n])
	}
	in.taken += int64(n)
	switch {
	case in.size >= 0 && in.taken > in.size:
		return 0, fmt.Errorf("the content is longer than the %d bytes announced", in.size)
	case err == io.EOF && in.taken < in.size:
		return 0, fmt.Errorf("the content ended after %d of %d bytes", in.taken, in.size)
	case err != nil && err != io.EOF:
		// Wrapped, because an upload that breaks off gives io.ErrUnexpectedEOF, which readers downstream take for the end.
		return 0, fmt.Errorf("the content cannot be read: %w", err)
	}
	return n, err
}

func (in *intake) sum() string { return hex.EncodeToString(in.hash.Sum(nil)) }
