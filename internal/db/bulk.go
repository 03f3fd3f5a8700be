package db

import (
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// How many rows of SQLite are looked at together, and how many values one
// statement inserts, about: 8 rows of 34 columns and 60 of 5 were faster than
// one by one and than hundreds.
const (
	blockRows   = 1000
	chunkValues = 300
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

func (tx *Tx) copyIn(table string, columns []string, rows iter.Seq[[]any]) (n int64, err error) {
	next, stop := iter.Pull(rows)
	defer stop()
	whole := make([]any, len(columns))
	whole[0] = tx.Actor.Tenant
	source := pgx.CopyFromFunc(func() ([]any, error) {
		row, ok := next()
		if !ok {
			return nil, nil
		}
		copy(whole[1:], stored(row))
		return whole, nil
	})
	err = pgConn(tx.conn, func(c *stdlib.Conn) error {
		n, err = c.Conn().CopyFrom(tx.ctx, pgx.Identifier{table}, columns, source)
		return err
	})
	return n, err
}

func (tx *Tx) insertBlocks(table string, columns []string, rows iter.Seq[[]any]) (n int64, err error) {
	head := fmt.Sprintf("INSERT INTO %s (%s) VALUES ", table, strings.Join(columns, ","))
	block := make([][]any, len(columns)) // by column
	for i := range block {
		block[i] = make([]any, 0, blockRows)
	}
	for row := range rows {
		block[0] = append(block[0], tx.Actor.Tenant)
		for i, value := range stored(row) {
			block[i+1] = append(block[i+1], value)
		}
		if n++; len(block[0]) < blockRows {
			continue
		}
		if err := tx.insertBlock(head, block); err != nil {
			return 0, err
		}
		for i := range block {
			block[i] = block[i][:0]
		}
	}
	return n, tx.insertBlock(head, block)
}

// insertBlock writes rows that stand by column. A column that has one value in
// all of them stands in the text of the statement: binding is what costs.
func (tx *Tx) insertBlock(head string, block [][]any) error {
	rows, chunk := len(block[0]), max(1, chunkValues/len(block))
	values, bound := make([]string, len(block)), make([][]any, 0, len(block))
	for i, column := range block {
		if text, ok := literal(column); ok && rows > chunk {
			values[i] = text
			continue
		}
		// `?` alone: the driver looks named and numbered ones up in a list, which made 200 rows 18 times slower
		values[i], bound = "?", append(bound, column)
	}
	one := "(" + strings.Join(values, ",") + ")"
	args := make([]any, 0, chunk*len(bound))
	insert := func(from, n int, through *sql.Stmt) error {
		args = args[:0]
		for row := from; row < from+n; row++ {
			for _, column := range bound {
				args = append(args, column[row])
			}
		}
		_, err := through.ExecContext(tx.ctx, args...)
		return err
	}
	for from := 0; from < rows; {
		n := min(chunk, rows-from)
		through, err := tx.raw.PrepareContext(tx.ctx, head+one+strings.Repeat(","+one, n-1))
		if err != nil {
			return err
		}
		for ; err == nil && from+n <= rows; from += n {
			err = insert(from, n, through)
		}
		if err := errors.Join(err, through.Close()); err != nil {
			return err
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
