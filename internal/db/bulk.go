package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"saldo/internal/access"
)

// How many rows of SQLite are looked at together, and how many values one
// statement binds, about: 80 rows of 10 were faster than 1, 8, 24, 200 and 500.
const (
	blockRows   = 1000
	chunkValues = 800
)

// Insert adds many rows of the tenant by the engine's fast way and says how
// many. Columns come without tenant_id. Rows must not be kept by their maker's
// caller: each is used before the next is asked for.
func (tx *Tx) Insert(table string, columns []string, rows iter.Seq[[]any]) (int64, error) {
	tx.alive()
	if tx.Actor.Tenant == "" {
		panic("db: " + tx.Actor.ID + " has no tenant to insert into " + table)
	}
	columns = append([]string{"tenant_id"}, columns...)
	if tx.Actor.Role == access.System {
		rows = tx.givingWay(rows)
	}
	insert := tx.insertBlocks
	if tx.engine.name == postgresName {
		insert = tx.copyIn
	}
	n, err := insert(table, columns, rows)
	if err != nil {
		return 0, fmt.Errorf("db: inserting into %s: %w", table, err)
	}
	return n, nil
}

// givingWay are the rows, with a pause after some hundreds of them for as long
// as units of people are going on, but no longer than those rows took: who
// looks something up while a large file comes in waits little, and the file
// goes on at half its speed at least. Units of jobs do not count: on PostgreSQL
// the one that keeps the lease of an import waits for the import.
func (tx *Tx) givingWay(rows iter.Seq[[]any]) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		at, n := time.Now(), 0
		for row := range rows {
			if !yield(row) {
				return
			}
			if n++; n%250 != 0 {
				continue
			}
			for least := time.Now().Add(time.Since(at)); tx.people.Load() > 0 && time.Now().Before(least); {
				time.Sleep(time.Millisecond)
			}
			at = time.Now()
		}
	}
}

// copyRows is how many rows one COPY brings: at its end PostgreSQL looks their
// references up, and nobody can make it pause.
const copyRows = 2000

func (tx *Tx) copyIn(table string, columns []string, rows iter.Seq[[]any]) (n int64, err error) {
	next, stop := iter.Pull(rows)
	defer stop()
	whole := make([]any, len(columns))
	whole[0] = tx.Actor.Tenant
	more := true
	err = pgConn(tx.conn, func(c *stdlib.Conn) error {
		for more {
			left := copyRows
			copied, err := c.Conn().CopyFrom(tx.ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(func() ([]any, error) {
				var row []any
				if left--; left < 0 {
					return nil, nil
				}
				if row, more = next(); !more {
					return nil, nil
				}
				copy(whole[1:], stored(row))
				return whole, nil
			}))
			if err != nil {
				return err
			}
			n += copied
		}
		return nil
	})
	return n, err
}

func (tx *Tx) insertBlocks(table string, columns []string, rows iter.Seq[[]any]) (n int64, err error) {
	head := fmt.Sprintf("INSERT INTO %s (%s) VALUES ", table, strings.Join(columns, ","))
	block := make([][]any, len(columns)) // by column
	for i := range block {
		block[i] = make([]any, 0, blockRows)
	}
	err = tx.conn.Raw(func(c any) (err error) {
		through := statement{conn: c.(driver.ConnPrepareContext)}
		defer func() { err = errors.Join(err, through.close()) }()
		for row := range rows {
			block[0] = append(block[0], tx.Actor.Tenant)
			for i, value := range stored(row) {
				block[i+1] = append(block[i+1], value)
			}
			if n++; len(block[0]) < blockRows {
				continue
			}
			if err := through.insert(tx.ctx, head, block); err != nil {
				return err
			}
			for i := range block {
				block[i] = block[i][:0]
			}
		}
		return through.insert(tx.ctx, head, block)
	})
	return n, err
}

// statement is one that stays prepared while its text is the same. It goes past
// database/sql, which costs as much as two rows do.
type statement struct {
	conn driver.ConnPrepareContext
	text string
	stmt driver.Stmt
}

func (s *statement) close() error {
	if s.stmt == nil {
		return nil
	}
	defer func() { s.stmt = nil }()
	return s.stmt.Close()
}

func (s *statement) prepare(ctx context.Context, text string) (err error) {
	if s.stmt != nil && s.text == text {
		return nil
	}
	if err := s.close(); err != nil {
		return err
	}
	s.text = text
	s.stmt, err = s.conn.PrepareContext(ctx, text)
	return err
}

// insert writes rows that stand by column. A column that has one value in all
// of them stands in the text of the statement: binding is what costs.
func (s *statement) insert(ctx context.Context, head string, block [][]any) error {
	rows := len(block[0])
	values, bound := make([]string, len(block)), make([][]any, 0, len(block))
	for i, column := range block {
		if text, ok := literal(column); ok && rows > 8 {
			values[i] = text
			continue
		}
		// `?` alone: the driver looks named and numbered ones up in a list
		values[i], bound = "?", append(bound, column)
	}
	one := "(" + strings.Join(values, ",") + ")"
	for from := 0; from < rows; {
		n := min(max(1, chunkValues/max(1, len(bound))), rows-from)
		for rows == blockRows && rows%n != 0 {
			n--
		}
		if err := s.prepare(ctx, head+one+strings.Repeat(","+one, n-1)); err != nil {
			return err
		}
		args := make([]driver.NamedValue, n*len(bound))
		for ; from+n <= rows; from += n {
			for row := range n {
				for i, column := range bound {
					arg := &args[row*len(bound)+i]
					arg.Ordinal = row*len(bound) + i + 1
					var err error
					if arg.Value, err = driver.DefaultParameterConverter.ConvertValue(column[from+row]); err != nil {
						return err
					}
				}
			}
			// a context that can end costs a goroutine a statement
			if _, err := s.stmt.(driver.StmtExecContext).ExecContext(context.Background(), args); err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// literal is the value of a column as SQL has it, if all its rows have the same.
func literal(column []any) (text string, ok bool) {
	for _, value := range column {
		if value != column[0] {
			return "", false
		}
	}
	if len(column) == 0 {
		return "", false
	}
	switch value := column[0].(type) {
	case string:
		return "'" + strings.ReplaceAll(value, "'", "''") + "'", !strings.Contains(value, "\x00")
	case bool, int64:
		return fmt.Sprint(value), true
	}
	return "", false
}
