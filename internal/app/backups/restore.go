package backups

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/backup"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/db"
)

// Place is where a backup is restored to.
type Place struct {
	Data        string // the data folder
	DatabaseURL string // empty: SQLite in it
	BlobURL     string // empty: files in it
	Sealer      blob.Sealer
	// Kept are files of the data folder that do not make it a place in use: the key.
	Kept []string
}

// Restored is what was restored.
type Restored struct {
	backup.Head
	Files   int
	Missing []string // files that rows name: the backup does not have them, as the instance did not
}

const (
	stage  = ".restore-"
	copied = "copy" // of the database, before it is one
)

// Restore makes an instance of a backup in an empty place: everything, or nothing, and then nothing is left behind.
func Restore(ctx context.Context, p Place, from string, key backup.Key) (done Restored, err error) {
	file, err := os.Open(from)
	if err != nil {
		return done, fmt.Errorf("the backup cannot be opened: nothing was restored; name a file that saldo backup made: %w", err)
	}
	defer file.Close()
	r, err := backup.Read(ctx, file, key)
	if err != nil {
		return done, err
	}
	defer r.Close()
	if err := p.fits(r.Head); err != nil {
		return done, err
	}
	made, err := p.empty(ctx)
	if err != nil {
		return done, err
	}
	defer func() {
		if err != nil && made {
			err = errors.Join(err, os.Remove(p.Data))
		}
	}()
	folder, err := os.MkdirTemp(p.Data, stage)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if done, err = p.build(ctx, r, folder); err == nil {
		err = p.publish(folder)
	}
	if err != nil && p.DatabaseURL != "" {
		err = errors.Join(err, db.Clear(context.WithoutCancel(ctx), p.DatabaseURL)) // it was empty
	}
	if err != nil {
		return Restored{}, err
	}
	return done, nil
}

// database says where the database is made.
func (p Place) database(folder string) db.Settings {
	return db.Settings{URL: p.DatabaseURL, Folder: folder}
}

// fits refuses a backup that this program, or this place, cannot take.
func (p Place) fits(h backup.Head) error {
	engine := "sqlite"
	if p.DatabaseURL != "" {
		engine = "postgres"
	}
	if h.Engine != engine {
		return fmt.Errorf("the backup is one of %s and SALDO_DATABASE_URL says %s: nothing was restored; "+
			"set it to an empty PostgreSQL for postgres, and to nothing for sqlite", h.Engine, engine)
	}
	known, err := db.Knows(h.Engine, h.Schema)
	if err != nil {
		return err
	}
	if !known {
		return fmt.Errorf("%w (%s)", backup.ErrNewer, h.Version)
	}
	if h.KeyID != p.Sealer.Current() {
		return fmt.Errorf("the backup belongs to an instance with another key, whose id is %s, and here is %s: nothing was restored; "+
			"put that instance's key in the place of this one", h.KeyID, p.Sealer.Current())
	}
	return nil
}

// empty refuses a place in which something is, and says whether it made the data folder.
func (p Place) empty(ctx context.Context) (made bool, err error) {
	if p.DatabaseURL != "" {
		free, err := db.IsEmpty(ctx, p.DatabaseURL)
		if err == nil && !free {
			err = errors.New("the PostgreSQL of SALDO_DATABASE_URL is not empty: nothing was restored; name a new database")
		}
		if err != nil {
			return false, err
		}
	}
	entries, err := os.ReadDir(p.Data)
	made = errors.Is(err, fs.ErrNotExist)
	if err != nil && !made {
		return false, err
	}
	for _, e := range entries {
		if !slices.Contains(p.Kept, e.Name()) {
			return false, fmt.Errorf("%s is not empty, it has %s: nothing was restored; "+
				"set SALDO_DATA to an empty folder, in which only the key may be", p.Data, e.Name())
		}
	}
	return made, db.MakeFolder(p.Data)
}

// build makes everything in a folder of its own, and checks it.
func (p Place) build(ctx context.Context, r *backup.Reader, folder string) (done Restored, err error) {
	store, err := blob.Open(p.BlobURL, filepath.Join(folder, "files"), p.Sealer)
	if err != nil {
		return done, err
	}
	if p.BlobURL != "" {
		for key, err := range store.List(ctx, "") {
			if err != nil {
				return done, p.failed(err)
			}
			return done, fmt.Errorf("the bucket of SALDO_BLOB_URL is not empty, it has %s: nothing was restored; name an empty bucket", key)
		}
	}
	there := map[string]bool{}
	defer func() {
		if err != nil && p.BlobURL != "" {
			for key := range there {
				err = errors.Join(err, store.Delete(context.WithoutCancel(ctx), key))
			}
		}
	}()
	for {
		key, content, err := r.Next()
		if err == io.EOF {
			break
		}
		if err == nil && key == "" {
			err = keep(filepath.Join(folder, copied), content)
		} else if err == nil {
			there[key] = true
			err = store.Keep(ctx, key, content)
		}
		if err != nil {
			return done, p.failed(err)
		}
	}
	if err := db.Load(ctx, p.database(folder), filepath.Join(folder, copied)); err != nil {
		return done, p.failed(err)
	}
	keys, err := p.check(ctx, folder, r.Head)
	if err != nil {
		return done, err
	}
	done = Restored{Head: r.Head, Missing: r.Missing}
	needed := map[string]bool{}
	for _, key := range keys {
		if !there[key] && !slices.Contains(r.Missing, key) {
			return done, fmt.Errorf("%w (%s is not in it)", backup.ErrDamaged, key)
		}
		needed[key] = true
	}
	for key := range there {
		if needed[key] {
			done.Files++
		} else if err := store.Delete(ctx, key); err != nil { // its row was deleted before the database was copied
			return done, p.failed(err)
		}
	}
	return done, nil
}

// failed says what an error means that does not say so itself.
func (p Place) failed(err error) error {
	for _, says := range []error{backup.ErrDamaged, backup.ErrNewer} {
		if errors.Is(err, says) {
			return err
		}
	}
	if db.Full(err) {
		return fmt.Errorf("there is no space left for the backup: nothing was restored; make room, or take a larger place: %w", err)
	}
	return fmt.Errorf("the backup could not be restored, and nothing of it was kept: %w", err)
}

// check brings the database up to date, looks whether it is whole, lists the files that its rows name, and notes that it is paused.
func (p Place) check(ctx context.Context, folder string, h backup.Head) (keys []string, err error) {
	if newest, err := db.SchemaOf(ctx, p.database(folder)); err != nil || newest != h.Schema {
		return nil, fmt.Errorf("%w (its database is not the one that it tells of: %v)", backup.ErrDamaged, err)
	}
	d, err := db.Open(ctx, p.database(folder))
	if err != nil {
		return nil, p.failed(err)
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := d.Whole(ctx); err != nil {
		return nil, fmt.Errorf("%w (its database cannot be read: %w)", backup.ErrDamaged, err)
	}
	if err := d.Write(ctx, access.Program("restore"), func(tx *db.Tx) (err error) {
		if keys, err = filesOf(tx); err != nil {
			return err
		}
		return paused(tx, h.MadeAt)
	}); err != nil {
		return nil, p.failed(err)
	}
	return keys, nil
}

// publish puts what was built in its place, over nothing. The database comes last: an instance has one or is none.
func (p Place) publish(folder string) error {
	files, named := filepath.Join(p.Data, "files"), false
	if p.BlobURL == "" {
		err := os.Rename(filepath.Join(folder, "files"), files)
		if err != nil {
			return p.failed(err)
		}
		named = true
	}
	var err error
	if p.DatabaseURL == "" {
		err = publish(filepath.Join(folder, db.File), filepath.Join(p.Data, db.File))
	}
	if err != nil && named {
		err = errors.Join(err, os.RemoveAll(files))
	}
	if err != nil {
		return p.failed(err)
	}
	return sync(p.Data)
}
