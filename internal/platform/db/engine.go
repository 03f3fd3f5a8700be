package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// engine is everything that differs between SQLite and PostgreSQL, bulk insert aside.
type engine struct {
	name               string
	reader, writer     *sql.DB
	read, write, claim sql.TxOptions
	skipLocked         string
	aside              func() (*sql.DB, error) // a connection of its own to the file; only SQLite has one
	address            string                  // of a PostgreSQL
}

const (
	sqliteName   = "sqlite"
	postgresName = "postgres"
)

// File is the name of the SQLite database in the data folder.
const File = "saldo.db"

func open(ctx context.Context, s Settings) (engine, error) {
	if s.URL == "" {
		return openSQLite(ctx, s.Folder)
	}
	if strings.HasPrefix(s.URL, "postgres://") || strings.HasPrefix(s.URL, "postgresql://") {
		return openPostgres(ctx, s.URL)
	}
	return engine{},
		errors.New("SALDO_DATABASE_URL must be empty (SQLite in the data folder) or start with postgres://; correct it and start again")
}

// MakeFolder makes the data folder where it is missing and checks that this
// user may write to it.
func MakeFolder(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("the data folder %s cannot be made (%w): create it or set SALDO_DATA to a folder this user may write", folder,
			cause(err))
	}
	probe, err := os.CreateTemp(folder, ".write-probe-*")
	if err != nil {
		return fmt.Errorf("the data folder %s cannot be written (%w): change its owner or set SALDO_DATA to a folder this user may write", folder,
			cause(err))
	}
	probe.Close()
	os.Remove(probe.Name())
	// A volume may belong to somebody else, who alone can change this; the files in it are ours in any case.
	_ = os.Chmod(folder, 0o700)
	return nil
}

func openSQLite(ctx context.Context, folder string) (engine, error) {
	if err := MakeFolder(folder); err != nil {
		return engine{}, err
	}
	path, err := filepath.Abs(filepath.Join(folder, File))
	if err != nil {
		return engine{}, err
	}

	// synchronous=FULL: an acknowledged commit survives a power cut.
	// _txlock=immediate: a unit that will write takes the lock at its start;
	// otherwise two readers that turn into writers refuse each other.
	dsn := func(lock string, pragmas ...string) string {
		v := url.Values{"_txlock": {lock}, "_pragma": append([]string{
			"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "temp_store(MEMORY)"}, pragmas...)}
		return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: v.Encode()}).String()
	}
	// before SQLite makes it: the files beside it get its permissions
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return engine{}, fmt.Errorf("the database %s cannot be opened (%w): change its owner or set SALDO_DATA to a folder this user may write",
			path, cause(err))
	}
	if err := errors.Join(file.Chmod(0o600), file.Close()); err != nil {
		return engine{}, fmt.Errorf("the database %s belongs to another user (%w): change its owner and start again", path, cause(err))
	}
	// a cached page takes 8 KB of memory for its 4: a larger cache made imports no faster
	writing, err := keepingSQLite(dsn("immediate", "cache_size(-32768)"))
	if err != nil {
		return engine{}, err
	}
	writer := sql.OpenDB(writing)
	writer.SetMaxOpenConns(1)
	// the writer comes first: it makes the file and turns on the write-ahead log
	if err := pingBusy(ctx, writer); err != nil {
		writer.Close()
		return engine{}, fmt.Errorf("the database %s cannot be opened (%w): if it is not Saldo's, move it away and start again", path, err)
	}
	// small, as there are several: what readers cached is forgotten with every commit
	reading, err := keepingSQLite(dsn("deferred", "query_only(1)", "cache_size(-4096)"))
	if err != nil {
		writer.Close()
		return engine{}, err
	}
	reader := sql.OpenDB(reading)
	reader.SetMaxOpenConns(max(4, 2*runtime.NumCPU()))
	reader.SetMaxIdleConns(max(4, 2*runtime.NumCPU()))
	aside := func() (*sql.DB, error) { return sql.Open("sqlite", dsn("deferred")) }
	return engine{name: sqliteName, reader: reader, writer: writer, aside: aside}, nil
}

// pingBusy waits for another process that opens the same new file: SQLite does
// not wait by itself while the write-ahead log is turned on.
func pingBusy(ctx context.Context, pool *sql.DB) (err error) {
	for range 200 {
		if err = pool.PingContext(ctx); !isBusy(err) {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

func isBusy(err error) bool {
	var file *sqlite.Error
	return errors.As(err, &file) && file.Code()&0xff == sqlite3.SQLITE_BUSY
}

func openPostgres(ctx context.Context, address string) (engine, error) {
	pool, err := sql.Open("pgx", address)
	if err != nil {
		return engine{}, errors.New("SALDO_DATABASE_URL cannot be read: write it as postgres://user:password@host:5432/database and start again")
	}
	pool.SetMaxOpenConns(20)
	pool.SetMaxIdleConns(20)
	if err := pool.PingContext(ctx); err != nil {
		pool.Close()
		return engine{},
			fmt.Errorf(
				"the PostgreSQL of SALDO_DATABASE_URL does not answer (%s): check host, port, user, password and database name, then start again",
				plain(err))
	}
	return engine{
		name: postgresName, address: address, reader: pool, writer: pool,
		read:       sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true},
		write:      sql.TxOptions{Isolation: sql.LevelSerializable},
		claim:      sql.TxOptions{Isolation: sql.LevelReadCommitted},
		skipLocked: "FOR UPDATE SKIP LOCKED",
	}, nil
}

// plain is the reason of a failed connection without the address, which holds the password.
func plain(err error) string {
	var config *pgconn.ParseConfigError
	if errors.As(err, &config) {
		return "the address cannot be read"
	}
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return server.Message
	}
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	first, _, _ := strings.Cut(err.Error(), "\n") // one for each address of the host
	return first
}

// cause drops the operation and path from a file error: the sentence names them.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

func (e *engine) close() error {
	if e.reader == e.writer {
		return e.writer.Close()
	}
	return errors.Join(e.reader.Close(), e.writer.Close())
}

// text fills in what differs in a query.
func (e *engine) text(query string) string {
	if strings.Contains(query, "{skip_locked}") {
		query = strings.ReplaceAll(query, "{skip_locked}", e.skipLocked)
	}
	if strings.Contains(query, "{json_") {
		query = e.json(query)
	}
	if strings.Contains(query, "{each ") {
		query = e.each(query)
	}
	return query
}

var eachOf = regexp.MustCompile(`\{each (\w+) (\w+) ON ([^}]*)\}`)

// each spells {each rows t ON condition}: joined rows that are looked up for one row before them after the other. Left to itself
// PostgreSQL reads the rows of everybody each time where it takes those that match the rest of the condition for few, as it does
// of open rows after each import, until it has counted them.
func (e *engine) each(query string) string {
	join := `CROSS JOIN $1 $2 ON $3` // of SQLite, which keeps this order
	if e.name == postgresName {
		join = `CROSS JOIN LATERAL (SELECT $2.* FROM $1 $2 WHERE $3 OFFSET 0) $2`
	}
	return eachOf.ReplaceAllString(query, join)
}

var (
	jsonValue = regexp.MustCompile(`\{json_(number|text) (\w+\.\w+) (\w+(?:\.\w+)*)\}`)
	jsonFlat  = regexp.MustCompile(`\{json_flat (\w+\.\w+) (\w+)\}`)
	jsonEach  = regexp.MustCompile(`\{json_each (\w+\.\w+)\}`)
)

// json spells what is taken out of a column of JSON: {json_number t.column path} is a whole number, 0 where there is none, {json_text
// t.column path} a text, empty where there is none, and {json_each t.column} a table of key and value. {json_flat t.column key} is a
// number of what JSON wrote of whole numbers by name: PostgreSQL finds it in the text eight times as fast as it parses that.
func (e *engine) json(query string) string {
	each, flat := `json_each($1)`, `COALESCE(json_extract($1, '$$.$2'), 0)`
	if e.name == postgresName {
		each = `LATERAL jsonb_each_text(CAST($1 AS jsonb))`
		flat = `COALESCE(CAST(NULLIF(RTRIM(SPLIT_PART(SPLIT_PART($1, '"$2":', 2), ',', 1), '}'), '') AS BIGINT), 0)`
	}
	query = jsonFlat.ReplaceAllString(jsonEach.ReplaceAllString(query, each), flat)
	return jsonValue.ReplaceAllStringFunc(query, func(found string) string {
		m := jsonValue.FindStringSubmatch(found)
		of, none := "BIGINT", "0"
		if m[1] == "text" {
			of, none = "TEXT", "''"
		}
		if e.name == postgresName {
			return `COALESCE(CAST(CAST(` + m[2] + ` AS jsonb) #>> '{` + strings.ReplaceAll(m[3], ".", ",") + `}' AS ` + of + `), ` + none + `)`
		}
		return `COALESCE(CAST(json_extract(` + m[2] + `, '$.` + m[3] + `') AS ` + of + `), ` + none + `)`
	})
}

var (
	bigint  = regexp.MustCompile(`\b(BIGINT|BOOLEAN)\b`)
	textIs  = regexp.MustCompile(`\bTEXT\b`)
	tableIs = regexp.MustCompile(`(?m)^\);`)
	guardIs = regexp.MustCompile(`(?ms)^CREATE GUARD (\w+) BEFORE (UPDATE|DELETE) ON (\w+)\s+WHEN (.*?)\s+UNLESS (.*?);$`)
)

// guardCode is what PostgreSQL calls a refusal of a guard.
const guardCode = "SALDO"

// guarded spells CREATE GUARD for this engine: a trigger that refuses to change
// or delete a row for which WHEN holds and UNLESS does not. WHEN asks the row
// alone; UNLESS may ask other tables. This is the one thing besides bulk
// insert that has no common text.
func (e *engine) guarded(text string) string {
	return guardIs.ReplaceAllStringFunc(text, func(guard string) string {
		m := guardIs.FindStringSubmatch(guard)
		name, event, table, when, unless := m[1], m[2], m[3], m[4], m[5]
		if e.name == sqliteName {
			return fmt.Sprintf("CREATE TRIGGER %s BEFORE %s ON %s WHEN (%s) AND NOT (%s) BEGIN SELECT RAISE(ABORT, 'refused by %s'); END;", name,
				event, table, when, unless, name)
		}
		row := map[string]string{"UPDATE": "NEW", "DELETE": "OLD"}[event]
		// the plan of UNLESS outlives the time when its tables were small: it must use their indexes from the start
		return fmt.Sprintf(`CREATE FUNCTION %[1]s() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $guard$
			BEGIN IF NOT (%[5]s) THEN RAISE EXCEPTION 'refused by %[1]s' USING ERRCODE = '%[6]s'; END IF; RETURN %[7]s; END $guard$;
			CREATE TRIGGER %[1]s BEFORE %[2]s ON %[3]s FOR EACH ROW WHEN (%[4]s) EXECUTE FUNCTION %[1]s();`, name, event, table, when, unless,
			guardCode, row)
	})
}

// Guarded says whether a statement failed because it would have changed what
// must not change.
func Guarded(err error) bool {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return server.Code == guardCode
	}
	var file *sqlite.Error
	return errors.As(err, &file) && file.Code() == sqlite3.SQLITE_CONSTRAINT_TRIGGER
}

// ddl is a migration's text for this engine. SQLite takes any value in any
// column unless the table is STRICT, and a STRICT table knows only INTEGER.
// PostgreSQL compares texts as its database was told to, SQLite byte by byte:
// both do the latter, so that they put things in one order, and keys with one
// start stand side by side.
func (e *engine) ddl(text string) string {
	text = e.guarded(text)
	if e.name != sqliteName {
		return textIs.ReplaceAllString(text, `TEXT COLLATE "C"`)
	}
	return tableIs.ReplaceAllString(bigint.ReplaceAllString(text, "INTEGER"), ") STRICT;")
}

// lostRace says whether the unit failed only because of another unit.
func (e *engine) lostRace(err error) bool {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		// serialization failure, deadlock; and what PostgreSQL 15 calls an internal error where locks of references met
		// two units that change the row: it has undone the unit, as with the others
		return server.Code == "40001" || server.Code == "40P01" || server.Code == "XX000" && strings.Contains(server.Message, "multixact")
	}
	return isBusy(err)
}

// madeMeanwhile says whether CREATE TABLE IF NOT EXISTS failed because another
// instance made the table at the same moment: PostgreSQL looks first and
// creates after, and says so in three different ways.
func (e *engine) madeMeanwhile(err error) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && slices.Contains([]string{"23505", "42P07", "42710"}, server.Code)
}

// Full says whether something was not written because there is no space left.
func Full(err error) bool {
	var server *pgconn.PgError
	var file *sqlite.Error
	return errors.As(err, &server) && server.Code == "53100" ||
		errors.As(err, &file) && file.Code()&0xff == sqlite3.SQLITE_FULL || errors.Is(err, syscall.ENOSPC)
}

// Unique says whether a statement failed because such a row exists already.
// On PostgreSQL the unit is then lost: ask before, or insert ON CONFLICT DO NOTHING.
func Unique(err error) bool {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return server.Code == "23505"
	}
	var file *sqlite.Error
	return errors.As(err, &file) &&
		(file.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || file.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)
}

// Dangling says whether a statement failed because the row it refers to does
// not exist in this tenant.
func Dangling(err error) bool {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return server.Code == "23503"
	}
	var file *sqlite.Error
	return errors.As(err, &file) && file.Code() == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY
}

// pgConn gives the PostgreSQL connection of a unit of work to f.
func pgConn(conn *sql.Conn, f func(*stdlib.Conn) error) error {
	return conn.Raw(func(driver any) error { return f(driver.(*stdlib.Conn)) })
}
