package db

import (
	"fmt"
	"iter"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// chunk is how many rows one SQLite statement inserts: 200 was the fastest of
// 1, 50, 200 and 1000.
const chunk = 200

// Insert adds many rows of the tenant by the engine's fast way and says how
// many. Columns come without tenant_id. Rows must not be kept by their maker's
// caller: each is used before the next is asked for.
func (tx *Tx) Insert(table string, columns []string, rows iter.Seq[[]any]) (int64, error) {
	tx.alive()
	if tx.Actor.Tenant == "" {
		panic("db: " + tx.Actor.ID + " has no tenant to insert into " + table)
	}
	if tx.engine.name == postgresName {
		return tx.copyIn(table, columns, rows)
	}
	return tx.insertChunks(table, columns, rows)
}

func (tx *Tx) copyIn(table string, columns []string, rows iter.Seq[[]any]) (n int64, err error) {
	next, stop := iter.Pull(rows)
	defer stop()
	source := pgx.CopyFromFunc(func() ([]any, error) {
		row, ok := next()
		if !ok {
			return nil, nil
		}
		return append([]any{tx.Actor.Tenant}, stored(row)...), nil
	})
	err = pgConn(tx.conn, func(c *stdlib.Conn) error {
		n, err = c.Conn().CopyFrom(tx.ctx, pgx.Identifier{table}, append([]string{"tenant_id"}, columns...), source)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("db: copying into %s: %w", table, err)
	}
	return n, nil
}

func (tx *Tx) insertChunks(table string, columns []string, rows iter.Seq[[]any]) (int64, error) {
	// `?`, not `$n`: SQLite looks a numbered name up in a list, which made 200 rows 18 times slower
	one := "(?" + strings.Repeat(",?", len(columns)) + ")"
	head := fmt.Sprintf("INSERT INTO %s (tenant_id,%s) VALUES ", table, strings.Join(columns, ","))
	full, err := tx.raw.PrepareContext(tx.ctx, head+one+strings.Repeat(","+one, chunk-1))
	if err != nil {
		return 0, fmt.Errorf("db: %w", err)
	}
	defer full.Close()
	var inserted int64
	args := make([]any, 0, chunk*(len(columns)+1))
	pending := 0
	for row := range rows {
		args = append(append(args, tx.Actor.Tenant), stored(row)...)
		if pending++; pending < chunk {
			continue
		}
		if _, err := full.ExecContext(tx.ctx, args...); err != nil {
			return inserted, fmt.Errorf("db: inserting into %s: %w", table, err)
		}
		inserted, pending, args = inserted+chunk, 0, args[:0]
	}
	if pending > 0 {
		if _, err := tx.raw.ExecContext(tx.ctx, head+one+strings.Repeat(","+one, pending-1), args...); err != nil {
			return inserted, fmt.Errorf("db: inserting into %s: %w", table, err)
		}
	}
	return inserted + int64(pending), nil
}
