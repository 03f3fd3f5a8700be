package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"saldo/internal/kernel/access"
)

// Moved says how many rows of a table were copied, and how many of their texts
// were mended.
type Moved struct {
	Table        string
	Rows, Mended int64
}

// Move copies everything from a SQLite database to an empty PostgreSQL one:
// all of it, or nothing. Nobody may write to the source meanwhile. Texts that
// PostgreSQL cannot hold are mended on the way where that is wanted, and named
// by an UncleanError before anything is copied where it is not.
func Move(ctx context.Context, from, to *DB, mend bool) ([]Moved, error) {
	if from.engine.name != sqliteName || to.engine.name != postgresName {
		return nil, errors.New("db: a move goes from SQLite to PostgreSQL")
	}
	var moved []Moved
	err := from.Read(ctx, access.Program("move"), func(source *Tx) error {
		tables, err := tablesOf(source)
		if err == nil && !mend {
			err = clean(source, tables)
		}
		if err != nil {
			return err
		}
		return to.Write(ctx, access.Program("move"), func(target *Tx) error {
			moved = nil
			for _, table := range tables {
				n, mended, err := moveTable(source, target, table)
				if err != nil {
					return err
				}
				moved = append(moved, Moved{table, n, mended})
			}
			return nil
		})
	})
	return moved, err
}

// tablesOf are in the order of their making, so that what is referred to comes first.
func tablesOf(source *Tx) ([]string, error) {
	return Select[string](source.Across(), `SELECT name FROM sqlite_master
		WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migrations' ORDER BY rowid`)
}

func moveTable(source, target *Tx, table string) (n, mended int64, err error) {
	columns, flags, err := shapeOf(target, table)
	if err != nil {
		return 0, 0, err
	}
	there, err := One[int64](target.Across(), `SELECT COUNT(*) FROM `+table)
	if err != nil {
		return 0, 0, err
	}
	if there != 0 {
		return 0, 0, fmt.Errorf("the PostgreSQL database is not empty (%s has rows): give a new one, nothing was copied", table)
	}
	rows, err := source.ask(`SELECT `+strings.Join(columns, ", ")+` FROM `+table, nil)
	if err != nil {
		return 0, 0, err
	}
	defer rows.Close()
	from := &mover{rows: rows, flags: flags}
	err = pgConn(target.conn, func(c *stdlib.Conn) error {
		n, err = c.Conn().CopyFrom(target.ctx, pgx.Identifier{table}, columns, from)
		return err
	})
	if err != nil {
		return 0, 0, fmt.Errorf("db: copying %s: %w", table, err)
	}
	return n, from.mended, nil
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
	rows   *sql.Rows
	flags  []bool
	mended int64 // texts
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
		if text, ok := values[i].(string); ok && !isText(text) {
			values[i] = mended(text)
			m.mended++
		}
	}
	return values, nil
}
