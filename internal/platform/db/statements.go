package db

import (
	linked "container/list"
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"strings"

	"modernc.org/sqlite"
)

// keptStatements is how many prepared statements a connection to SQLite keeps: those that it used last.
const keptStatements = 100

// keptText is how long the text of a kept statement may be: longer ones are put together for one question.
const keptText = 8 << 10

// keeping opens connections to SQLite that keep their statements prepared. The driver prepares a text anew each time it is asked, which
// takes longer than finding a row by its key; the one of PostgreSQL keeps statements by itself.
type keeping struct{ driver.Connector }

func keepingSQLite(dsn string) (driver.Connector, error) {
	c, err := sqlite.NewConnector(dsn)
	return keeping{c}, err
}

func (k keeping) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &keeper{sqliteConn: c.(sqliteConn), kept: map[string]*linked.Element{}, order: linked.New()}, nil
}

// sqliteConn is what the driver's connection can do and database/sql asks for.
type sqliteConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// sqliteRows is what the driver's rows can do and database/sql asks for.
type sqliteRows interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeLength
	driver.RowsColumnTypeNullable
	driver.RowsColumnTypePrecisionScale
	driver.RowsColumnTypeScanType
}

// keeper is a connection with the statements that nobody uses at the moment: who uses one has taken it out, so a text that is asked while
// its rows are still read gets a second statement. SQLite itself prepares a statement anew after the schema has changed. database/sql
// never calls into a connection and its rows at the same time.
type keeper struct {
	sqliteConn
	kept   map[string]*linked.Element
	order  *linked.List // of kept, the one used last in front
	closed bool
}

type kept struct {
	text string
	stmt driver.Stmt
}

// take gives a statement of this text to its one user, who gives it back or closes it.
func (k *keeper) take(ctx context.Context, text string) (driver.Stmt, error) {
	if at, ok := k.kept[text]; ok {
		delete(k.kept, text)
		return k.order.Remove(at).(kept).stmt, nil
	}
	return k.PrepareContext(ctx, text)
}

// give takes a statement back that was reset.
func (k *keeper) give(text string, stmt driver.Stmt) error {
	if _, ok := k.kept[text]; ok {
		return stmt.Close()
	}
	k.kept[text] = k.order.PushFront(kept{text, stmt})
	if k.order.Len() <= keptStatements {
		return nil
	}
	oldest := k.order.Remove(k.order.Back()).(kept)
	delete(k.kept, oldest.text)
	return oldest.stmt.Close()
}

// repeats says whether a text is likely to be asked again as it is, and is one statement that reads or writes rows.
func repeats(text string) bool {
	if len(text) > keptText {
		return false
	}
	verb := strings.TrimLeft(text, " \t\n")
	for _, known := range []string{"SELECT", "INSERT", "UPDATE", "DELETE", "WITH"} {
		if strings.HasPrefix(verb, known) {
			return true
		}
	}
	return false
}

// ExecContext is what database/sql calls.
func (k *keeper) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if !repeats(text) {
		return k.sqliteConn.ExecContext(ctx, text, args)
	}
	stmt, err := k.take(ctx, text)
	if err != nil {
		return nil, err
	}
	result, err := stmt.(driver.StmtExecContext).ExecContext(ctx, args)
	if err != nil {
		_ = stmt.Close() // answers the error of its last run again
		return nil, err
	}
	return result, k.give(text, stmt)
}

// QueryContext is what database/sql calls.
func (k *keeper) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if !repeats(text) {
		return k.sqliteConn.QueryContext(ctx, text, args)
	}
	stmt, err := k.take(ctx, text)
	if err != nil {
		return nil, err
	}
	rows, err := stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		_ = stmt.Close()
		return nil, err
	}
	return &keptRows{sqliteRows: rows.(sqliteRows), keeper: k, text: text, stmt: stmt}, nil
}

// Close ends the kept statements as well.
func (k *keeper) Close() error {
	k.closed = true
	var errs []error
	for at := k.order.Front(); at != nil; at = at.Next() {
		errs = append(errs, at.Value.(kept).stmt.Close())
	}
	k.kept, k.order = map[string]*linked.Element{}, linked.New()
	return errors.Join(append(errs, k.sqliteConn.Close())...)
}

// keptRows give their statement back when they are closed. One that failed is not kept.
type keptRows struct {
	sqliteRows
	keeper *keeper
	text   string
	stmt   driver.Stmt // none once it was given back
	failed bool
}

// Next is what database/sql calls.
func (r *keptRows) Next(values []driver.Value) error {
	err := r.sqliteRows.Next(values)
	if err != nil && !errors.Is(err, io.EOF) {
		r.failed = true
	}
	return err
}

// Close is what database/sql calls.
func (r *keptRows) Close() error {
	if r.stmt == nil || r.keeper.closed {
		return nil
	}
	stmt := r.stmt
	r.stmt = nil
	err := r.sqliteRows.Close() // resets the statement
	if err != nil || r.failed {
		_ = stmt.Close()
		return err
	}
	return r.keeper.give(r.text, stmt)
}
