package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"saldo/internal/platform/relay"
)

// How many rows of SQLite are looked at together, and how many values one
// statement binds, about: 80 rows of 10 were faster than 1, 8, 24, 200 and 500.
const (
	blockRows   = 1000
	chunkValues = 800
)

// Insert adds many rows of the tenant by the engine's fast way and says how
// many. After an error the unit of work cannot be committed: some of the rows
// may stand. Columns come without tenant_id. Rows must not be kept by their maker's
// caller: each is used before the next is asked for.
func (tx *Tx) Insert(table string, columns []string, rows iter.Seq[[]any]) (int64, error) {
	tx.alive()
	if tx.Actor.Tenant == "" {
		panic("db: " + tx.Actor.ID + " has no tenant to insert into " + table)
	}
	columns = append([]string{"tenant_id"}, columns...)
	insert := tx.insertBlocks
	if tx.engine.name == postgresName {
		insert = tx.copyIn
	}
	n, err := insert(table, columns, rows)
	if err != nil {
		tx.half = fmt.Errorf("db: inserting into %s: %w", table, err)
		return 0, tx.half
	}
	return n, nil
}

// politeRows is after how many rows a unit of a job yields to people.
const politeRows = 100

// copyRows is how many rows one COPY brings: at its end PostgreSQL looks their
// references up, and nobody can make it pause.
const copyRows = 2000

func (tx *Tx) copyIn(table string, columns []string, rows iter.Seq[[]any]) (n int64, err error) {
	width := len(columns)
	err = pgConn(tx.conn, func(c *stdlib.Conn) error {
		return relay.Blocks(tx.HasInteractiveLoad, 2, copyRows*width, tx.values(rows), func(values []any) error {
			at := 0
			copied, err := c.Conn().CopyFrom(tx.ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(func() ([]any, error) {
				if at == len(values) {
					return nil, nil
				}
				if at += width; at/width%politeRows == 0 {
					tx.Yield()
				}
				return values[at-width : at], nil
			}))
			n += copied
			return err
		})
	})
	return n, err
}

func (tx *Tx) insertBlocks(table string, columns []string, rows iter.Seq[[]any]) (n int64, err error) {
	width := len(columns)
	err = tx.conn.Raw(func(c any) (err error) {
		// OR FAIL: SQLite need not remember what a statement changed to undo it alone; an error undoes the unit
		through := statement{conn: c.(driver.ConnPrepareContext),
			head: fmt.Sprintf("INSERT OR FAIL INTO %s (%s) VALUES ", table, strings.Join(columns, ",")), width: width, polite: tx.Yield}
		defer func() { err = errors.Join(err, through.close()) }()
		return relay.Blocks(tx.HasInteractiveLoad, 2, blockRows*width, tx.values(rows), func(values []any) error {
			n += int64(len(values) / width)
			return through.insert(tx.ctx, values)
		})
	})
	return n, err
}

// values are those of the tenant's rows, one after the other. They are made
// ready beside those that are being written.
func (tx *Tx) values(rows iter.Seq[[]any]) func(add func(any) error) error {
	return func(add func(any) error) error {
		for row := range rows {
			if err := add(tx.Actor.Tenant); err != nil {
				return err
			}
			for _, value := range stored(row) {
				value, err := driver.DefaultParameterConverter.ConvertValue(value)
				if err != nil {
					return err
				}
				if err := add(value); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// statement is one that stays prepared while its text is the same. It goes past
// database/sql, which costs as much as two rows do.
type statement struct {
	conn   driver.ConnPrepareContext
	head   string // up to its values
	width  int    // of a row
	text   string
	stmt   driver.Stmt
	polite func()
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

// insert writes rows, whose values stand one after the other. A column that has
// one value in all of them stands in the text of the statement: binding is what
// costs.
func (s *statement) insert(ctx context.Context, values []any) error {
	rows := len(values) / s.width
	texts, bound := make([]string, s.width), make([]int, 0, s.width)
	for i := range s.width {
		if text, ok := literal(values, i, s.width); ok && rows > 8 {
			texts[i] = text
			continue
		}
		// `?` alone: the driver looks named and numbered ones up in a list
		texts[i], bound = "?", append(bound, i)
	}
	one := "(" + strings.Join(texts, ",") + ")"
	for from := 0; from < rows; {
		n := min(max(1, chunkValues/max(1, len(bound))), rows-from)
		for rows == blockRows && rows%n != 0 {
			n--
		}
		if err := s.prepare(ctx, s.head+one+strings.Repeat(","+one, n-1)); err != nil {
			return err
		}
		args := make([]driver.NamedValue, n*len(bound))
		for ; from+n <= rows; from += n {
			for row := range n {
				for i, column := range bound {
					at := row*len(bound) + i
					args[at] = driver.NamedValue{Ordinal: at + 1, Value: values[(from+row)*s.width+column]}
				}
			}
			// a context that can end costs a goroutine a statement
			if _, err := s.stmt.(driver.StmtExecContext).ExecContext(context.Background(), args); err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			s.polite()
		}
	}
	return nil
}

// literal is the value of a column as SQL has it, if all its rows have the same.
func literal(values []any, column, width int) (text string, ok bool) {
	for at := column; at < len(values); at += width {
		if values[at] != values[column] {
			return "", false
		}
	}
	if len(values) == 0 {
		return "", false
	}
	switch value := values[column].(type) {
	case string:
		return "'" + strings.ReplaceAll(value, "'", "''") + "'", !strings.Contains(value, "\x00")
	case bool, int64:
		return fmt.Sprint(value), true
	}
	return "", false
}
