package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"saldo/internal/access"
)

// Moved says how many rows of a table were copied.
type Moved struct {
	Table string
	Rows  int64
}

// Move copies everything from a SQLite database to an empty PostgreSQL one:
// all of it, or nothing. Nobody may write to the source meanwhile.
func Move(ctx context.Context, from, to *DB) ([]Moved, error) {
	if from.engine.name != sqliteName || to.engine.name != postgresName {
		return nil, errors.New("db: a move goes from SQLite to PostgreSQL")
	}
	var moved []Moved
	err := from.Read(ctx, access.Program("move"), func(source *Tx) error {
		// in the order of their making, so that what is referred to comes first
		tables, err := Select[string](source.Across(), `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migrations' ORDER BY rowid`)
		if err != nil {
			return err
		}
		return to.Write(ctx, access.Program("move"), func(target *Tx) error {
			moved = nil
			for _, table := range tables {
				n, err := moveTable(source, target, table)
				if err != nil {
					return err
				}
				moved = append(moved, Moved{table, n})
			}
			return nil
		})
	})
	return moved, err
}

func moveTable(source, target *Tx, table string) (n int64, err error) {
	columns, flags, err := shapeOf(target, table)
	if err != nil {
		return 0, err
	}
	there, err := One[int64](target.Across(), `SELECT COUNT(*) FROM `+table)
	if err != nil {
		return 0, err
	}
	if there != 0 {
		return 0, fmt.Errorf("the PostgreSQL database is not empty (%s has rows): give a new one, nothing was copied", table)
	}
	rows, err := source.ask(`SELECT `+strings.Join(columns, ", ")+` FROM `+table, nil)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	err = pgConn(target.conn, func(c *stdlib.Conn) error {
		n, err = c.Conn().CopyFrom(target.ctx, pgx.Identifier{table}, columns, &mover{rows: rows, flags: flags})
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("db: copying %s: %w", table, err)
	}
	return n, nil
}

// shapeOf lists the columns of a table and which of them are flags, which
// SQLite keeps as numbers.
func shapeOf(target *Tx, table string) (columns []string, flags []bool, err error) {
	rows, err := target.ask(`SELECT * FROM `+table+` WHERE FALSE`, nil)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	kinds, err := rows.ColumnTypes()
	if err != nil {
		return nil, nil, err
	}
	for _, k := range kinds {
		columns, flags = append(columns, k.Name()), append(flags, k.DatabaseTypeName() == "BOOL")
	}
	return columns, flags, rows.Err()
}

// mover hands rows of one database to the other.
type mover struct {
	rows  *sql.Rows
	flags []bool
}

func (m *mover) Next() bool { return m.rows.Next() }
func (m *mover) Err() error { return m.rows.Err() }

func (m *mover) Values() ([]any, error) {
	values, targets := make([]any, len(m.flags)), make([]any, len(m.flags))
	for i := range values {
		targets[i] = &values[i]
	}
	if err := m.rows.Scan(targets...); err != nil {
		return nil, err
	}
	for i, flag := range m.flags {
		if n, ok := values[i].(int64); flag && ok {
			values[i] = n != 0
		}
	}
	return values, nil
}
