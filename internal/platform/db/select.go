package db

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// Select answers every row as a T: a struct whose fields are named like the
// columns (CreatedAt for created_at), or a single value for one column. A list of
// texts is read from its JSON.
func Select[T any](q Queries, text string, args ...any) ([]T, error) {
	rows, err := q.query(text, args)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, fmt.Errorf("db: %w", err)
	}
	found := []T{}
	targets := make([]any, len(columns))
	plan := planOf(reflect.TypeFor[T](), columns)
	for rows.Next() {
		var row T
		plan.aim(reflect.ValueOf(&row).Elem(), targets)
		if err := rows.Scan(targets...); err != nil {
			return nil, fmt.Errorf("db: %w", err)
		}
		found = append(found, row)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("db: %w", err)
	}
	return found, nil
}

// Each hands every row to fn as it comes, always in the same place: fn copies
// what it keeps. It is Select for rows by the hundred thousand.
func Each[T any](q Queries, fn func(*T) error, text string, args ...any) error {
	rows, err := q.query(text, args)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return fmt.Errorf("db: %w", err)
	}
	var row T
	targets := make([]any, len(columns))
	planOf(reflect.TypeFor[T](), columns).aim(reflect.ValueOf(&row).Elem(), targets)
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return fmt.Errorf("db: %w", err)
		}
		if err := fn(&row); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("db: %w", err)
	}
	return nil
}

// EachRow hands over the cells of every row, whole numbers and texts, for a statement that was put together for one question: nothing of
// it is kept for the next one.
func EachRow(tx *Tx, fn func(cells []any) error, text string, args ...any) error {
	if !comparison.MatchString(text) {
		panic("db: this query is not bound to its tenant ($1): " + text)
	}
	rows, err := tx.ask(text, append([]any{tx.tenant(text)}, args...))
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return fmt.Errorf("db: %w", err)
	}
	for rows.Next() {
		cells, targets := make([]any, len(columns)), make([]any, len(columns))
		for i := range cells {
			targets[i] = &cells[i]
		}
		if err := rows.Scan(targets...); err != nil {
			return fmt.Errorf("db: %w", err)
		}
		if err := fn(cells); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("db: %w", err)
	}
	return nil
}

// One answers the first row, or ErrNone.
func One[T any](q Queries, text string, args ...any) (T, error) {
	found, err := Select[T](q, text, args...)
	if err != nil || len(found) == 0 {
		var none T
		if err == nil {
			err = ErrNone
		}
		return none, err
	}
	return found[0], nil
}

// plan holds the field index of each column; nil means that T is one value.
type plan struct{ fields [][]int }

var plans sync.Map // type and columns → plan

func planOf(t reflect.Type, columns []string) plan {
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[time.Time]() {
		if len(columns) != 1 {
			panic(fmt.Sprintf("db: %d columns do not fit one %s", len(columns), t))
		}
		return plan{}
	}
	key := t.PkgPath() + "." + t.String() + "(" + strings.Join(columns, ",")
	if known, ok := plans.Load(key); ok {
		return known.(plan)
	}
	p := plan{fields: make([][]int, len(columns))}
	for i, column := range columns {
		field, ok := t.FieldByNameFunc(func(name string) bool {
			return strings.EqualFold(name, strings.ReplaceAll(column, "_", ""))
		})
		if !ok {
			panic(fmt.Sprintf("db: %s has no field for the column %s", t, column))
		}
		p.fields[i] = field.Index
	}
	plans.Store(key, p)
	return p
}

func (p plan) aim(row reflect.Value, targets []any) {
	if p.fields == nil {
		targets[0] = target(row)
		return
	}
	for i, index := range p.fields {
		targets[i] = target(row.FieldByIndex(index))
	}
}

func target(v reflect.Value) any {
	if at, ok := v.Addr().Interface().(*time.Time); ok {
		return &instant{at}
	}
	if isList(v) {
		return &list{v.Addr().Interface()}
	}
	return v.Addr().Interface()
}

// instant reads a stored instant.
type instant struct{ at *time.Time }

func (i *instant) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("an instant is stored as text, found %T", value)
	}
	if text == "" {
		*i.at = time.Time{}
		return nil
	}
	at, err := time.Parse(instantLayout, text)
	*i.at = at
	return err
}

// list reads a stored list of texts.
type list struct{ into any }

func (l *list) Scan(value any) error { return ScanJSON(value, l.into) }

// Among is the condition that a column holds one of some values, which are
// numbered from first on.
func Among[S ~string](first int, values []S) (in string, args []any) {
	marks, args := make([]string, len(values)), make([]any, len(values))
	for i, value := range values {
		marks[i], args[i] = fmt.Sprintf("$%d", first+i), string(value)
	}
	return ` IN (` + strings.Join(marks, ", ") + `)`, args
}

// Most is how many values Filled takes.
const Most = 100

// Filled is Among for one value or up to Most, of which the last is repeated until there are so many: two texts of a statement in all,
// so that the engine prepares few.
func Filled[S ~string](first int, values []S) (in string, args []any) {
	if len(values) > Most {
		panic("db: too many values for one statement")
	}
	if len(values) > 1 {
		values = append(slices.Clone(values), slices.Repeat(values[len(values)-1:], Most-len(values))...)
	}
	return Among(first, values)
}

// Columns is a list of columns, as Insert takes it.
func Columns(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(", \n\t", r) })
}

// Literal makes the signs that LIKE understands stand for themselves, in a condition that ends with ESCAPE '!'.
func Literal(text string) string { return likeSigns.Replace(text) }

var likeSigns = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")
