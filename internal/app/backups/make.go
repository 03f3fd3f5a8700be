// Package backups makes backups of an instance while it runs, and makes an instance of a backup.
package backups

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/backup"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/db"
)

// Instance is what is backed up.
type Instance struct {
	DB      *db.DB
	Blobs   blob.Store
	KeyID   string // of the key that seals what is in it
	Version string
	Temp    string // a folder for the copy of the database while the backup is made
}

// Made is a backup that was made.
type Made struct {
	Path    string
	Bytes   int64
	Files   int
	Missing []string // files that rows name and the store did not have, also when it was asked again
	At      time.Time
}

// copies is how often the database is copied because files of the copy before were deleted meanwhile.
const copies = 5

// Make writes a backup of everything that was committed before it began, and of nothing in part, into a new file. to is its
// name, or a folder in which it gets a name by its instant. After an error there is no such file.
func (i Instance) Make(ctx context.Context, to string, recipient backup.Recipient) (made Made, err error) {
	at := i.DB.Now()
	if info, err := os.Stat(to); err == nil && info.IsDir() {
		to = filepath.Join(to, Name(at))
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return made, fmt.Errorf("%s is there already, or cannot be looked at: nothing was written; name a new file or a folder", to)
	}
	if err := db.MakeFolder(i.Temp); err != nil {
		return made, err
	}
	if made, err = i.write(ctx, to, recipient, at); err != nil {
		return Made{}, fmt.Errorf("the backup was not made, nothing is left of it: %w", err)
	}
	return made, nil
}

// Name is what a backup of that instant is called in a folder of backups.
func Name(at time.Time) string { return prefix + at.UTC().Format("20060102T150405Z") + suffix }

const (
	prefix = "saldo-"
	suffix = ".backup"
)

func (i Instance) write(ctx context.Context, to string, recipient backup.Recipient, at time.Time) (made Made, err error) {
	schema, err := i.DB.Schema(ctx)
	if err != nil {
		return made, err
	}
	out, err := os.CreateTemp(filepath.Dir(to), ".saldo-backup-")
	if err != nil {
		return made, err
	}
	defer func() {
		err = errors.Join(err, out.Close())
		if left := os.Remove(out.Name()); !errors.Is(left, fs.ErrNotExist) {
			err = errors.Join(err, left)
		}
	}()
	w, err := backup.Write(ctx, out, recipient, backup.Head{Version: i.Version, Engine: i.DB.Engine(), Schema: schema, KeyID: i.KeyID,
		MadeAt: at})
	if err != nil {
		return made, err
	}
	c := &contents{Instance: i, out: w, there: map[string]bool{}, gone: map[string]bool{}}
	missing, err := c.write(ctx)
	if err != nil {
		return made, err
	}
	if err := errors.Join(w.Close(), out.Sync()); err != nil {
		return made, err
	}
	info, err := out.Stat()
	if err != nil {
		return made, err
	}
	if err := publish(out.Name(), to); err != nil {
		return made, err
	}
	return Made{to, info.Size(), len(c.there), missing, at}, sync(filepath.Dir(to))
}

// contents writes what a backup holds.
type contents struct {
	Instance
	out         *backup.Writer
	there, gone map[string]bool // files by their keys
}

// write adds the files that rows name now, then a copy of the database, and the files that only the copy names. Most files are in
// the backup before the copy is made, so that deleting one does not make the copy worthless: a restore leaves out what the copy does
// not name. A file that only the copy names and that is deleted at that moment leads to another copy. What was gone before a copy that
// still names it was not deleted with its row: it is lost.
func (c *contents) write(ctx context.Context) (missing []string, err error) {
	var keys []string
	if err := c.DB.Read(ctx, access.Program("backup"), func(tx *db.Tx) (err error) { keys, err = filesOf(tx); return err }); err != nil {
		return nil, err
	}
	if _, _, err := c.files(ctx, keys); err != nil {
		return nil, err
	}
	for range copies - 1 {
		if missing, err = c.copied(ctx); !errors.Is(err, errVanished) {
			return missing, err
		}
	}
	return c.held(ctx)
}

// held makes the last copy. Whoever writes to SQLite waits for it, so that nobody deletes what it names. PostgreSQL lets others write.
func (c *contents) held(ctx context.Context) (missing []string, err error) {
	if c.DB.Engine() == "sqlite" {
		err = c.DB.Write(ctx, access.Program("backup"), func(*db.Tx) (err error) { missing, err = c.copied(ctx); return err })
	} else {
		missing, err = c.copied(ctx)
	}
	if errors.Is(err, errVanished) {
		err = errors.New("files are deleted faster than it is made; try again later")
	}
	return missing, err
}

// errVanished tells that a file was deleted after the database was copied.
var errVanished = errors.New("a file was deleted meanwhile")

// copied adds a copy of the database and the files that it names, or ends with errVanished and has added files alone.
func (c *contents) copied(ctx context.Context) (missing []string, err error) {
	folder, err := os.MkdirTemp(c.Temp, "backup-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	name, err := c.DB.Copy(ctx, folder, func(tx *db.Tx) error {
		keys, err := filesOf(tx)
		if err != nil {
			return err
		}
		fresh := false
		if missing, fresh, err = c.files(ctx, keys); err == nil && fresh {
			err = errVanished
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, key := range missing {
		c.out.Missing(key)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return missing, c.out.Database(file, info.Size())
}

// files adds those that are not there yet. fresh says whether one is missing that was not known to be.
func (c *contents) files(ctx context.Context, keys []string) (missing []string, fresh bool, err error) {
	for _, key := range keys {
		if c.there[key] {
			continue
		}
		switch err := c.file(ctx, c.out, key); {
		case errors.Is(err, blob.ErrNotFound):
			missing, fresh = append(missing, key), fresh || !c.gone[key]
			c.gone[key] = true
		case err != nil:
			return nil, false, err
		default:
			c.there[key] = true
		}
	}
	return missing, fresh, nil
}

func (i Instance) file(ctx context.Context, w *backup.Writer, key string) error {
	content, size, err := i.Blobs.Kept(ctx, key)
	if err != nil {
		return err
	}
	return errors.Join(w.File(key, content, size), content.Close())
}

// publish gives a finished file its name, never over another file. Where a file cannot have two names, one that comes in that
// instant is lost.
func publish(file, name string) error {
	err := os.Link(file, name)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, there := os.Lstat(name); !errors.Is(there, fs.ErrNotExist) {
		return err
	}
	return os.Rename(file, name)
}

// sync makes what was done to a folder survive a power cut.
func sync(folder string) error {
	dir, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func keep(path string, content io.Reader) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Sync(), file.Close())
}
