package blob

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path"
	"strings"
	"syscall"
	"time"
)

// folder keeps each blob as a file. os.Root guarantees that nothing outside the folder is ever touched.
type folder struct{ root *os.Root }

const (
	incoming = "incoming" // unfinished files
	suffix   = ".blob"
	// maxPart keeps file names inside the 255 bytes that file systems allow.
	maxPart = 200
	// abandonedAfter: no upload takes a day, so an older unfinished file is left from a crash.
	abandonedAfter = 24 * time.Hour
)

func openFolder(name string) (shelf, error) {
	if name == "" {
		return nil, errors.New("there is no folder to keep files in: set the data folder or the address of a bucket")
	}
	if err := os.MkdirAll(name, 0o700); err != nil {
		return nil, fmt.Errorf("the folder for files cannot be made, check the rights of the data folder: %w", err)
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("the folder for files cannot be opened, check its rights: %w", err)
	}
	f := &folder{root: root}
	if err := errors.Join(root.MkdirAll(incoming, 0o700), f.sweep(time.Now().Add(-abandonedAfter))); err != nil {
		return nil, fmt.Errorf("the folder for files cannot be written, check its rights: %w", errors.Join(err, root.Close()))
	}
	return f, nil
}

// sweep removes what writers that died before the given time left unfinished.
func (f *folder) sweep(before time.Time) error {
	entries, err := fs.ReadDir(f.root.FS(), incoming)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || info.ModTime().After(before) {
			continue
		}
		if err := f.root.Remove(path.Join(incoming, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (f *folder) put(_ context.Context, key string, sealed io.Reader) error {
	_, err := f.write(sealed, place(key), nil)
	return err
}

func (f *folder) replace(_ context.Context, key string, was version, sealed io.Reader) (bool, error) {
	return f.write(sealed, place(key), was.(fs.FileInfo))
}

// write makes a whole file of the bytes, or none; one that shall replace another does so only while that one stands.
func (f *folder) write(sealed io.Reader, name string, was fs.FileInfo) (done bool, err error) {
	unfinished := path.Join(incoming, rand.Text())
	file, err := f.root.OpenFile(unfinished, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false, err
	}
	_, err = io.Copy(file, sealed)
	if err == nil {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		done, err = f.finish(unfinished, name, was)
	}
	if !done {
		_ = f.root.Remove(unfinished)
	}
	return done, err
}

func (f *folder) finish(unfinished, name string, was fs.FileInfo) (bool, error) {
	unlock := f.lock(was != nil)
	defer unlock()
	if was != nil {
		now, err := f.root.Stat(name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(was, now) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	err := f.publish(unfinished, name)
	return err == nil, err
}

// lock lets one process alone replace a file by its sealed form, while none stores or deletes one. A file system
// without locks leaves this to the processes' own care.
func (f *folder) lock(alone bool) (unlock func()) {
	dir, err := f.root.Open(incoming)
	if err != nil {
		return func() {}
	}
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	for err = syscall.EINTR; errors.Is(err, syscall.EINTR); {
		err = syscall.Flock(int(dir.Fd()), how)
	}
	return func() { _ = dir.Close() } // and with it the lock
}

// publish gives a finished file its name, in a way that survives a power cut.
func (f *folder) publish(unfinished, name string) error {
	dir := path.Dir(name)
	_, err := f.root.Stat(dir)
	isNew := errors.Is(err, fs.ErrNotExist)
	if isNew {
		if err := f.root.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if err := f.root.Rename(unfinished, name); err != nil {
		return err
	}
	if err := f.syncFolder(dir); err != nil {
		return err
	}
	// A new folder is an entry in its parent, which must reach the disk too.
	for isNew && dir != "." {
		dir = path.Dir(dir)
		if err := f.syncFolder(dir); err != nil {
			return err
		}
	}
	return nil
}

func (f *folder) syncFolder(name string) error {
	dir, err := f.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func (f *folder) get(_ context.Context, key string) (*taken, error) {
	file, err := f.root.Open(place(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &taken{ReadCloser: file, at: file, size: info.Size(), version: info}, nil
}

func (f *folder) Delete(ctx context.Context, key string) error {
	if err := errors.Join(checkKey(key), ctx.Err()); err != nil {
		return err
	}
	name := place(key)
	unlock := f.lock(false)
	defer unlock()
	err := f.root.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = f.syncFolder(path.Dir(name))
	}
	if err != nil {
		return fmt.Errorf("the blob %s cannot be deleted: %w", key, err)
	}
	return nil
}

func (f *folder) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if err := checkText(prefix); err != nil {
			yield("", err)
			return
		}
		err := fs.WalkDir(f.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
			if err = errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			if entry.IsDir() {
				if name == incoming || !within(name, prefix) {
					return fs.SkipDir
				}
				return nil
			}
			key, ok := keyAt(name)
			if ok && strings.HasPrefix(key, prefix) && !yield(key, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield("", fmt.Errorf("the blobs cannot be listed: %w", err))
		}
	}
}

// place names the file of a key: a shard by hash, so that no folder grows large, and below it the key itself with
// everything unusual escaped. A part too long for a file name goes on in a folder below, marked by "+".
func place(key string) string {
	hash := sha256.Sum256([]byte(key))
	var name strings.Builder
	name.WriteString(hex.EncodeToString(hash[:1]))
	for part := range strings.SplitSeq(key, "/") {
		part = escape(part)
		name.WriteByte('/')
		for len(part) > maxPart {
			name.WriteString(part[:maxPart] + "+/")
			part = part[maxPart:]
		}
		name.WriteString(part)
	}
	return name.String() + suffix
}

// escape leaves no dot and no plus, which therefore can mark the end of a key and the middle of a part.
func escape(part string) string {
	return strings.NewReplacer("+", "%20", ".", "%2E", "~", "%7E").Replace(url.QueryEscape(part))
}

// keyAt is the inverse of place; other files in the folder are not blobs.
func keyAt(name string) (string, bool) {
	escaped, isBlob := strings.CutSuffix(name, suffix)
	if !isBlob {
		return "", false
	}
	key, ok := unescape(escaped)
	return key, ok && checkKey(key) == nil && place(key) == name
}

func unescape(name string) (string, bool) {
	_, escaped, ok := strings.Cut(name, "/")
	if !ok {
		return "", false
	}
	key, err := url.PathUnescape(strings.ReplaceAll(escaped, "+/", ""))
	return key, err == nil
}

// within tells whether keys with the prefix can be below a folder.
func within(dir, prefix string) bool {
	_, escaped, ok := strings.Cut(dir, "/")
	if !ok {
		return true
	}
	// Compared escaped and without marks: a long part may be cut in the middle of an escape.
	begins := strings.TrimSuffix(strings.ReplaceAll(escaped, "+/", ""), "+")
	parts := strings.Split(prefix, "/")
	for i, part := range parts {
		parts[i] = escape(part)
	}
	wanted := strings.Join(parts, "/")
	return strings.HasPrefix(begins, wanted) || strings.HasPrefix(wanted, begins)
}
