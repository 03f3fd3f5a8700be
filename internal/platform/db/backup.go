package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"saldo/internal/kernel/access"
)

// Knows says whether this program has the migration, or a newer one, and so can open a database that ends with it.
func Knows(engine, newest string) (bool, error) {
	steps, err := migrations(engine)
	return slices.ContainsFunc(steps, func(s migration) bool { return s.name == newest }), err
}

// Schema is the newest migration of the database.
func (d *DB) Schema(ctx context.Context) (newest string, err error) {
	err = d.Read(ctx, access.Program("schema"), func(tx *Tx) error {
		newest, err = One[string](tx.Across(), `SELECT MAX(name) FROM migrations`)
		return err
	})
	return newest, err
}

// SchemaOf is the newest migration of a database that is not opened: what it is, before it is brought up to date.
func SchemaOf(ctx context.Context, s Settings) (newest string, err error) {
	e, err := open(ctx, s)
	if err != nil {
		return "", err
	}
	d := &DB{engine: e, clock: time.Now}
	newest, err = d.Schema(ctx)
	return newest, errors.Join(err, d.Close())
}

// current refuses a database that is not exactly this program's, and changes nothing.
func (d *DB) current(ctx context.Context) error {
	steps, err := migrations(d.engine.name)
	if err != nil {
		return err
	}
	newest, err := d.Schema(ctx)
	if err != nil || newest != steps[len(steps)-1].name {
		return errors.New("the database is of another version, or empty: nothing was done; use the version of Saldo that serves it")
	}
	return nil
}

// Copy writes the database, as it stands at one instant, into a new file of the folder while others write, and runs fn on
// what the copy holds, as early as that is known. PostgreSQL's own program makes the copy there.
func (d *DB) Copy(ctx context.Context, folder string, fn func(*Tx) error) (file string, err error) {
	if d.engine.name != sqliteName {
		return d.dump(ctx, folder, fn)
	}
	file = filepath.Join(folder, File)
	// readers of the engine may write nothing, and its writer would make others wait
	aside, err := d.engine.aside()
	if err != nil {
		return "", err
	}
	_, err = aside.ExecContext(ctx, `VACUUM INTO ?`, file)
	if err = errors.Join(err, aside.Close()); err != nil {
		return "", fmt.Errorf("db: copying: %w", err)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		return "", err
	}
	to, err := Open(ctx, Settings{Folder: folder, Clock: d.clock, AsIs: true})
	if err != nil {
		return "", err
	}
	return file, errors.Join(to.Read(ctx, access.Program("backup"), fn), to.Close())
}

// Whole says whether the database can be read to its last page.
func (d *DB) Whole(ctx context.Context) error {
	if d.engine.name != sqliteName {
		return nil
	}
	return d.Read(ctx, access.Program("restore"), func(tx *Tx) error {
		says, err := One[string](tx.Across(), `PRAGMA quick_check(1)`)
		if err == nil && says != "ok" {
			err = errors.New(says)
		}
		return err
	})
}
