package db

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"saldo/internal/kernel/access"
)

// dumpFile is the name of a copy of a PostgreSQL.
const dumpFile = "saldo.dump"

// dump runs fn in a unit of work and then has pg_dump write what that unit sees.
func (d *DB) dump(ctx context.Context, folder string, fn func(*Tx) error) (file string, err error) {
	file = filepath.Join(folder, dumpFile)
	return file, d.Read(ctx, access.Program("backup"), func(tx *Tx) error {
		snapshot, err := One[string](tx.Across(), `SELECT pg_export_snapshot()`)
		if err != nil {
			return err
		}
		if err := fn(tx); err != nil {
			return err
		}
		return tool(ctx, d.engine.address, "pg_dump", "--format=custom", "--compress=0", "--no-owner", "--no-privileges",
			"--snapshot="+snapshot, "--file="+file)
	})
}

// Load fills an empty database with a copy that Copy made: SQLite in the folder, else PostgreSQL. All of it, or nothing.
func Load(ctx context.Context, s Settings, file string) error {
	if s.URL == "" {
		return os.Rename(file, filepath.Join(s.Folder, File))
	}
	return tool(ctx, s.URL, "pg_restore", "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", file)
}

// made lists what people may have made in a PostgreSQL, as statements that drop it.
const made = `SELECT 'DROP TABLE IF EXISTS ' || CAST(c.oid AS regclass) || ' CASCADE' FROM pg_class c
	JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg_toast%'
	UNION ALL SELECT 'DROP FUNCTION IF EXISTS ' || CAST(p.oid AS regprocedure) || ' CASCADE' FROM pg_proc p
	JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname NOT IN ('pg_catalog', 'information_schema')
	AND NOT EXISTS (SELECT 1 FROM pg_depend x WHERE x.objid = p.oid AND x.deptype = 'e')`

// IsEmpty says whether a PostgreSQL has neither tables nor functions.
func IsEmpty(ctx context.Context, address string) (empty bool, err error) {
	return empty, bare(ctx, address, func(tx *Tx) error {
		there, err := Select[string](tx.Across(), made)
		empty = len(there) == 0
		return err
	})
}

// Clear empties a PostgreSQL that was empty before it was loaded.
func Clear(ctx context.Context, address string) error {
	return bare(ctx, address, func(tx *Tx) error {
		drops, err := Select[string](tx.Across(), made)
		for _, drop := range drops {
			if err == nil {
				_, err = tx.Across().Exec(drop)
			}
		}
		return err
	})
}

// bare runs fn in a PostgreSQL whatever is in it.
func bare(ctx context.Context, address string, fn func(*Tx) error) error {
	e, err := open(ctx, Settings{URL: address})
	if err != nil {
		return err
	}
	d := &DB{engine: e, clock: time.Now}
	return errors.Join(d.Write(ctx, access.Program("restore"), fn), d.Close())
}

// tool runs a program of PostgreSQL on a database. The password is in no argument, which others could see.
func tool(ctx context.Context, address, name string, args ...string) error {
	path, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("%s is not installed: install the client programs of PostgreSQL, of the version of the server or a newer one", name)
	}
	target, err := url.Parse(address)
	if err != nil {
		return errors.New("SALDO_DATABASE_URL cannot be read")
	}
	query := target.Query()
	for option := range query { // those of this program's driver, which the others do not know
		if strings.HasPrefix(option, "pool_") || strings.HasSuffix(option, "_cache_capacity") || option == "default_query_exec_mode" {
			query.Del(option)
		}
	}
	target.RawQuery = query.Encode()
	run := exec.CommandContext(ctx, path)
	run.Env = os.Environ()
	if password, some := target.User.Password(); some {
		run.Env = append(run.Env, "PGPASSWORD="+password)
		target.User = url.User(target.User.Username())
	}
	run.Args = append(append(run.Args, "--dbname="+target.String()), args...)
	var says bytes.Buffer
	run.Stderr = &says
	if err := run.Run(); err != nil {
		text, _, _ := strings.Cut(strings.TrimSpace(says.String()), "\n")
		return fmt.Errorf("%s failed (%w): %.300s", name, err, text)
	}
	return nil
}
