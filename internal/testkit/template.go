package testkit

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"saldo/internal/platform/db"
)

// Applying every migration takes longer than most tests, and under the race detector longer than most packages on SQLite. It happens once
// for each server (PostgreSQL) or once beside one PostgreSQL (SQLite), else once for each process; tests get copies.
var (
	sqliteTemplate   = sync.OnceValues(makeSQLiteTemplate)
	postgresTemplate = sync.OnceValues(makePostgresTemplate)
)

// makeSQLiteTemplate gives the content of each file of a migrated database. Test processes that scripts/with-postgres started share it:
// the first makes it, the others wait.
func makeSQLiteTemplate() (map[string][]byte, error) {
	shared := os.Getenv("SALDO_TEST_TEMPLATES")
	if shared == "" {
		folder, err := os.MkdirTemp("", "saldo-template-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(folder)
		if err := migrated(db.Settings{Folder: folder}); err != nil {
			return nil, err
		}
		return filesIn(folder)
	}
	name, err := templateName()
	if err != nil {
		return nil, err
	}
	one, err := os.OpenFile(filepath.Join(shared, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	defer one.Close() // ends the lock as well
	if err := syscall.Flock(int(one.Fd()), syscall.LOCK_EX); err != nil {
		return nil, err
	}
	whole := filepath.Join(shared, name)
	if _, err := os.Stat(whole); err == nil {
		return filesIn(whole)
	}
	// one that a killed process left half made is made anew
	half := whole + "-half"
	if err := errors.Join(os.RemoveAll(half), os.Mkdir(half, 0o700)); err != nil {
		return nil, err
	}
	if err := migrated(db.Settings{Folder: half}); err != nil {
		return nil, err
	}
	if err := os.Rename(half, whole); err != nil {
		return nil, err
	}
	return filesIn(whole)
}

func filesIn(folder string) (files map[string][]byte, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	files = map[string][]byte{}
	for _, e := range entries {
		if files[e.Name()], err = os.ReadFile(filepath.Join(folder, e.Name())); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// makePostgresTemplate gives the name of a migrated database to copy. Test
// processes that share a server share it: the first makes it, the others wait.
func makePostgresTemplate() (name string, err error) {
	address, err := server()
	if err != nil {
		return "", err
	}
	if name, err = templateName(); err != nil {
		return "", err
	}
	admin, err := sql.Open("pgx", address)
	if err != nil {
		return "", err
	}
	defer admin.Close()
	ctx := context.Background()
	one, err := admin.Conn(ctx)
	if err != nil {
		return "", err
	}
	defer one.Close() // ends the lock as well
	if _, err := one.ExecContext(ctx, `SELECT pg_advisory_lock(7325361)`); err != nil {
		return "", err
	}
	var there bool
	err = one.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1 AND NOT datallowconn)`, name).Scan(&there)
	if err != nil || there {
		return name, err
	}
	return name, fillPostgresTemplate(ctx, one, address, name)
}

func fillPostgresTemplate(ctx context.Context, one *sql.Conn, address, name string) error {
	// one that a killed process left half made is made anew
	for _, statement := range []string{"DROP DATABASE IF EXISTS " + name + " WITH (FORCE)", "CREATE DATABASE " + name + emptyPolish} {
		if _, err := one.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	of, err := inServer(address, name)
	if err != nil {
		return err
	}
	if err := migrated(db.Settings{URL: of}); err != nil {
		return err
	}
	_, err = one.ExecContext(ctx, "ALTER DATABASE "+name+" ALLOW_CONNECTIONS false")
	return err
}

func migrated(s db.Settings) error {
	d, err := db.Open(context.Background(), s)
	if err != nil {
		return err
	}
	return d.Close()
}

// templateName changes with every change of a migration.
func templateName() (string, error) {
	top, err := root()
	if err != nil {
		return "", err
	}
	found, err := filepath.Glob(filepath.Join(top, "internal", "platform", "db", "migrations", "*.sql"))
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "", errors.New("testkit: no migrations found")
	}
	sum := sha256.New()
	for _, file := range found {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s\n%s", filepath.Base(file), text)
	}
	return "saldo_template_" + hex.EncodeToString(sum.Sum(nil))[:16], nil
}

// inServer is the address of a database of a server.
func inServer(address, name string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	u.Path = "/" + name
	return u.String(), nil
}
