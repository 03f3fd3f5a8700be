package db

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"saldo/internal/kernel/access"
)

//go:embed migrations/*.sql
var files embed.FS

// migration is one step of the schema; its name begins with its number. One
// whose file ends in the name of an engine is that engine's alone.
type migration struct{ name, text, sum string }

func migrations(engine string) ([]migration, error) {
	entries, err := fs.ReadDir(files, "migrations")
	if err != nil {
		return nil, err
	}
	var steps []migration
	for _, e := range entries {
		name, only, some := strings.Cut(strings.TrimSuffix(e.Name(), ".sql"), ".")
		if some && only != engine {
			continue
		}
		text, err := fs.ReadFile(files, "migrations/"+e.Name())
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		steps = append(steps, migration{name, string(text), hex.EncodeToString(sum[:])})
	}
	return steps, nil
}

const ledger = `CREATE TABLE IF NOT EXISTS migrations (
	name TEXT PRIMARY KEY,
	sum TEXT NOT NULL,
	applied_at TEXT NOT NULL
);`

// migrate applies what is missing, each step in a transaction of its own.
// Several instances may start at once: the row of a step is written before its
// text, so the second waits, fails on the row, and looks again: as often as
// the others go on, for it may lose every single step to one of them.
func (d *DB) migrate(ctx context.Context) error {
	steps, err := migrations(d.engine.name)
	if err != nil {
		return err
	}
	for tries, seen := 0, -1; tries < attempts; tries++ {
		there, err := d.migrateOnce(ctx, steps)
		if there == len(steps) || (err != nil && !Unique(err)) {
			return err
		}
		if there > seen {
			tries, seen = 0, there
		}
	}
	return errors.New("the database is being upgraded by another instance that does not finish: stop the others and start again")
}

// migrateOnce says how many steps it found or applied before it stopped.
func (d *DB) migrateOnce(ctx context.Context, steps []migration) (int, error) {
	who := access.Program("migrations")
	var applied []struct{ Name, Sum string }
	err := d.Write(ctx, who, func(tx *Tx) (err error) {
		if _, err = tx.raw.ExecContext(ctx, d.engine.ddl(ledger)); err != nil {
			return fmt.Errorf("db: %w", err)
		}
		applied, err = Select[struct{ Name, Sum string }](tx.Across(), `SELECT name, sum FROM migrations ORDER BY name`)
		return err
	})
	if d.engine.madeMeanwhile(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	for _, a := range applied {
		i := slices.IndexFunc(steps, func(s migration) bool { return s.name == a.Name })
		if i < 0 {
			return 0, fmt.Errorf("the database was upgraded by a newer Saldo (%s): start that version or restore an older backup", a.Name)
		}
		if steps[i].sum != a.Sum {
			return 0, fmt.Errorf("the upgrade %s was changed after it was applied to this database: start the version that applied it", a.Name)
		}
	}
	for i, s := range steps[len(applied):] {
		err := d.Write(ctx, who, func(tx *Tx) error {
			if _, err := tx.Across().Exec(`INSERT INTO migrations (name, sum, applied_at) VALUES ($1, $2, $3)`, s.name, s.sum, tx.Now); err != nil {
				return err
			}
			if _, err := tx.raw.ExecContext(ctx, d.engine.ddl(s.text)); err != nil {
				return fmt.Errorf("the upgrade %s failed and was rolled back: %w", s.name, err)
			}
			return nil
		})
		if err != nil {
			return len(applied) + i, err
		}
	}
	return len(steps), nil
}
