package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// one is a single connection to a new SQLite file with a table of the numbers 1 to 3.
func one(t testing.TB) (*sql.Conn, *sql.DB) {
	t.Helper()
	connector, err := keepingSQLite("file:" + filepath.Join(t.TempDir(), "kept.db"))
	if err != nil {
		t.Fatal(err)
	}
	pool := sql.OpenDB(connector)
	t.Cleanup(func() { pool.Close() })
	conn, err := pool.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	run(t, conn, `CREATE TABLE numbers (n INTEGER PRIMARY KEY, name TEXT NOT NULL); INSERT INTO numbers VALUES (1, 'one'), (2, 'two'), (3, 'three')`)
	return conn, pool
}

func run(t testing.TB, conn *sql.Conn, text string, args ...any) int64 {
	t.Helper()
	result, err := conn.ExecContext(context.Background(), text, args...)
	if err != nil {
		t.Fatal(text, err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func numbers(t testing.TB, conn *sql.Conn, text string, args ...any) (found []int64) {
	t.Helper()
	rows, err := conn.QueryContext(context.Background(), text, args...)
	if err != nil {
		t.Fatal(text, err)
	}
	defer rows.Close()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			t.Fatal(err)
		}
		found = append(found, n)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}

// texts are those whose statements the connection keeps, the one used last in front.
func texts(t testing.TB, conn *sql.Conn) (found []string) {
	t.Helper()
	if err := conn.Raw(func(c any) error {
		k := c.(*keeper)
		for at := k.order.Front(); at != nil; at = at.Next() {
			found = append(found, at.Value.(kept).text)
		}
		if len(found) != len(k.kept) {
			return fmt.Errorf("%d in order, %d by text", len(found), len(k.kept))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

const from = `SELECT n FROM numbers WHERE n >= $1 ORDER BY n`

func TestAKeptStatementAnswersForItsOwnArguments(t *testing.T) {
	conn, _ := one(t)
	for _, least := range []int64{1, 3, 4, 2} {
		var want []int64
		for n := least; n <= 3; n++ {
			want = append(want, n)
		}
		if got := numbers(t, conn, from, least); !slices.Equal(got, want) {
			t.Errorf("from %d: %v", least, got)
		}
	}
	if got := texts(t, conn); !slices.Equal(got, []string{from}) {
		t.Errorf("kept: %q", got)
	}
	const rename = `UPDATE numbers SET name = $1 WHERE n >= $2`
	for least, want := range map[int64]int64{1: 3, 3: 1, 4: 0} {
		if n := run(t, conn, rename, "x", least); n != want {
			t.Errorf("from %d: %d changed", least, n)
		}
	}
	// what was bound before is not bound any more
	if _, err := conn.ExecContext(context.Background(), rename, "x"); err == nil {
		t.Error("a missing argument was found")
	}
}

func TestOneTextCanBeAskedWhileItsRowsAreRead(t *testing.T) {
	conn, _ := one(t)
	var deep func(least int64) (all []int64)
	deep = func(least int64) (all []int64) {
		rows, err := conn.QueryContext(context.Background(), from, least)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var n int64
			if err := rows.Scan(&n); err != nil {
				t.Fatal(err)
			}
			all = append(append(all, n), deep(n+1)...)
		}
		return all
	}
	for range 2 {
		if got := deep(1); !slices.Equal(got, []int64{1, 2, 3, 3, 2, 3, 3}) {
			t.Errorf("got %v", got)
		}
		if got := texts(t, conn); !slices.Equal(got, []string{from}) {
			t.Errorf("kept: %q", got)
		}
	}
	// rows that are left unread hold nothing back
	rows, err := conn.QueryContext(context.Background(), from, 1)
	if err != nil || !rows.Next() || rows.Close() != nil || rows.Close() != nil {
		t.Fatal(err)
	}
	run(t, conn, `DROP TABLE numbers`)
}

func TestAKeptStatementFollowsTheSchema(t *testing.T) {
	conn, pool := one(t)
	const all = `SELECT * FROM numbers WHERE n = 1`
	columns := func() []string {
		rows, err := conn.QueryContext(context.Background(), all)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		names, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	columns()
	run(t, conn, `ALTER TABLE numbers ADD COLUMN more TEXT`)
	if got := columns(); !slices.Equal(got, []string{"n", "name", "more"}) {
		t.Errorf("after a column came: %v", got)
	}
	// by another connection
	other, err := pool.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	run(t, other, `ALTER TABLE numbers DROP COLUMN name`)
	if got := columns(); !slices.Equal(got, []string{"n", "more"}) {
		t.Errorf("after a column went: %v", got)
	}
	run(t, other, `DROP TABLE numbers`)
	if _, err := conn.QueryContext(context.Background(), all); err == nil {
		t.Error("a table that is gone answered")
	}
	run(t, other, `CREATE TABLE numbers (n INTEGER)`)
	if got := columns(); !slices.Equal(got, []string{"n"}) {
		t.Errorf("after it came back: %v", got)
	}
}

func TestAStatementThatFailedIsNotKept(t *testing.T) {
	conn, _ := one(t)
	const add = `INSERT INTO numbers VALUES ($1, 'again')`
	for range 2 {
		if _, err := conn.ExecContext(context.Background(), add, 1); !Unique(err) {
			t.Errorf("got %v", err)
		}
		if got := texts(t, conn); len(got) != 0 {
			t.Errorf("kept: %q", got)
		}
	}
	if n := run(t, conn, add, 4); n != 1 {
		t.Errorf("%d added", n)
	}
	// one that fails between two rows
	const large = `SELECT ABS(n) FROM (SELECT 1 AS n UNION ALL SELECT -9223372036854775807 - 1)`
	rows, err := conn.QueryContext(context.Background(), large)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
	}
	if rows.Err() == nil {
		t.Error("no error")
	}
	rows.Close()
	if got := texts(t, conn); !slices.Equal(got, []string{add}) {
		t.Errorf("kept: %q", got)
	}
	// one whose caller went away
	gone, stop := context.WithCancel(context.Background())
	rows, err = conn.QueryContext(gone, from, 1)
	if err != nil || !rows.Next() {
		t.Fatal(err)
	}
	stop()
	for rows.Next() {
	}
	rows.Close()
	if got := numbers(t, conn, from, 3); !slices.Equal(got, []int64{3, 4}) {
		t.Errorf("got %v", got)
	}
	if _, err := conn.ExecContext(gone, add, 5); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestAConnectionKeepsTheStatementsItUsedLast(t *testing.T) {
	conn, _ := one(t)
	text := func(i int) string { return fmt.Sprintf(`SELECT n + %d FROM numbers WHERE n = 1`, i) }
	for i := range keptStatements + 10 {
		numbers(t, conn, text(0))
		numbers(t, conn, text(i))
	}
	got := texts(t, conn)
	if len(got) != keptStatements || got[0] != text(keptStatements+9) || !slices.Contains(got, text(0)) || slices.Contains(got, text(1)) {
		t.Errorf("%d kept, first %q", len(got), got[0])
	}
	// neither a script nor what is set
	run(t, conn, `PRAGMA user_version = 7; PRAGMA user_version = 8`)
	if after := texts(t, conn); !slices.Equal(after, got) {
		t.Errorf("kept: %q", after)
	}
	if n := numbers(t, conn, `PRAGMA user_version`); !slices.Equal(n, []int64{8}) {
		t.Errorf("got %v", n)
	}
}

func TestAClosedConnectionHasClosedItsStatements(t *testing.T) {
	conn, pool := one(t)
	numbers(t, conn, from, 1)
	var k *keeper
	open, err := pool.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	// rows that outlive their connection, which database/sql does not let happen
	if err := open.Raw(func(c any) error {
		k = c.(*keeper)
		rows, err := k.QueryContext(context.Background(), `SELECT 1`, nil)
		if err != nil {
			return err
		}
		if err := k.Close(); err != nil {
			return err
		}
		return errors.Join(rows.Close(), rows.Close())
	}); err != nil {
		t.Fatal(err)
	}
	if k.IsValid() {
		t.Error("a closed connection is good")
	}
	open.Close()
	if err := conn.Raw(func(c any) error { k = c.(*keeper); return nil }); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(conn.Close(), pool.Close()); err != nil {
		t.Fatal(err)
	}
	if len(k.kept) != 0 || !k.closed {
		t.Errorf("%d kept", len(k.kept))
	}
}

// BenchmarkStatements asks for a row by its key and for a list of a hundred, with kept statements and without.
func BenchmarkStatements(b *testing.B) {
	for name, text := range map[string]string{
		"point": `SELECT n FROM numbers WHERE n = $1`,
		"list": `SELECT m.n FROM numbers m JOIN numbers o ON o.n = m.n LEFT JOIN numbers p ON p.n = m.n + 1
			WHERE m.n >= $1 AND m.name <> '' AND (p.name IS NULL OR p.name <> o.name) ORDER BY m.name, m.n LIMIT 100`,
	} {
		conn, _ := one(b)
		run(b, conn, `WITH RECURSIVE more (n) AS (SELECT 4 UNION ALL SELECT n + 1 FROM more WHERE n < 100)
			INSERT INTO numbers SELECT n, 'number ' || n FROM more`)
		b.Run(name+"/kept", func(b *testing.B) {
			for b.Loop() {
				numbers(b, conn, text, 1)
			}
		})
		b.Run(name+"/anew", func(b *testing.B) {
			for b.Loop() {
				numbers(b, conn, "/* */"+text, 1) // not known as one that repeats
			}
		})
	}
}
