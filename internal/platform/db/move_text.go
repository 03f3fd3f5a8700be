package db

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"unicode/utf8"

	"saldo/internal/kernel/access"
)

// Unclean is a text that PostgreSQL cannot hold: former versions let NUL and bytes that are no UTF-8 into SQLite.
type Unclean struct{ Table, Column, Row string }

func (u Unclean) String() string { return u.Table + "." + u.Column + " of the row " + u.Row }

// uncleanNamed is how many are named; the others are counted.
const uncleanNamed = 50

// UncleanError names the texts that keep a database from being moved.
type UncleanError struct {
	Texts []Unclean
	Count int
}

func (e *UncleanError) Error() string {
	return fmt.Sprintf("%d texts hold NUL or bytes that are no UTF-8, which PostgreSQL cannot keep (the first: %s): nothing was copied",
		e.Count, e.Texts[0])
}

// Movable says whether PostgreSQL can hold every text of a SQLite database; the error names those that it cannot.
func Movable(ctx context.Context, from *DB) error {
	return from.Read(ctx, access.Program("move"), func(source *Tx) error {
		tables, err := tablesOf(source)
		if err != nil {
			return err
		}
		return clean(source, tables)
	})
}

func clean(source *Tx, tables []string) error {
	found := &UncleanError{}
	for _, table := range tables {
		if err := found.search(source, table); err != nil {
			return err
		}
	}
	if found.Count > 0 {
		return found
	}
	return nil
}

// search reads every text of a table.
func (e *UncleanError) search(source *Tx, table string) error {
	type column struct {
		Name string
		Pk   int64 // its place in the primary key; 0: none
	}
	columns, err := Select[column](source.Across(), `SELECT name, pk FROM pragma_table_info($1) WHERE type = 'TEXT' OR pk > 0 ORDER BY cid`,
		table)
	if err != nil || len(columns) == 0 {
		return err
	}
	names, values, targets := make([]string, len(columns)), make([]sql.RawBytes, len(columns)), make([]any, len(columns))
	for i, c := range columns {
		names[i], targets[i] = c.Name, &values[i]
	}
	rows, err := source.ask(`SELECT `+strings.Join(names, ", ")+` FROM `+table, nil)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return fmt.Errorf("db: reading %s: %w", table, err)
		}
		for i, value := range values {
			if isText(string(value)) {
				continue
			}
			if e.Count++; e.Count > uncleanNamed {
				continue
			}
			var row []string
			for j, c := range columns {
				if c.Pk > 0 {
					row = append(row, fmt.Sprintf("%s=%.80q", c.Name, values[j]))
				}
			}
			e.Texts = append(e.Texts, Unclean{table, names[i], strings.Join(row, " ")})
		}
	}
	return rows.Err()
}

func isText(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// mended is a text without NUL, and with the sign for what cannot be read in the place of bytes that are none.
func mended(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD")
}
