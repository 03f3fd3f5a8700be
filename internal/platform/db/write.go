package db

import (
	"fmt"
	"iter"
	"reflect"
	"strings"
	"sync"
	"time"
	"unicode"
)

// ColumnsOf are the columns that the fields of T are named like: created_at for CreatedAt, those of embedded structs in their place.
// A field tagged db:"-" is no column, and fields that are not exported are none. A list of texts is kept as one JSON text.
func ColumnsOf[T any]() []string { return shapeOfRow(reflect.TypeFor[T]()).columns }

// Insert stores one row of the tenant. Every field of T is a column.
func Insert[T any](tx *Tx, table string, row T) error {
	_, err := insert(tx, table, row, "")
	return err
}

// InsertNew is Insert, unless a row that it would collide with is there; it says how many rows were stored.
func InsertNew[T any](tx *Tx, table string, row T) (int64, error) {
	return insert(tx, table, row, " ON CONFLICT DO NOTHING")
}

func insert[T any](tx *Tx, table string, row T, otherwise string) (int64, error) {
	s := shapeOfRow(reflect.TypeFor[T]())
	marks := make([]string, len(s.columns))
	for i := range marks {
		marks[i] = fmt.Sprintf("$%d", i+2)
	}
	return tx.Exec(`INSERT INTO `+table+` (tenant_id, `+strings.Join(s.columns, ", ")+`) VALUES ($1, `+strings.Join(marks, ", ")+`)`+otherwise,
		s.values(row)...)
}

// InsertAll is Insert for many rows, by the engine's fast way: after an error the unit of work cannot be committed.
func InsertAll[T any](tx *Tx, table string, rows iter.Seq[T]) (int64, error) {
	s := shapeOfRow(reflect.TypeFor[T]())
	return tx.Insert(table, s.columns, func(yield func([]any) bool) {
		for row := range rows {
			if !yield(s.values(row)) {
				return
			}
		}
	})
}

// Update writes every field of T over the rows of the tenant that a condition names, and says how many these were. The arguments of
// the condition are numbered from $2 on. A column that T does not name stays.
func Update[T any](tx *Tx, table string, row T, where string, args ...any) (int64, error) {
	s := shapeOfRow(reflect.TypeFor[T]())
	sets := make([]string, len(s.columns))
	for i, column := range s.columns {
		sets[i] = fmt.Sprintf("%s = $%d", column, len(args)+i+2)
	}
	return tx.Exec(`UPDATE `+table+` SET `+strings.Join(sets, ", ")+` WHERE tenant_id = $1 AND `+where, append(args, s.values(row)...)...)
}

// rowShape is the columns of a struct and where its fields are.
type rowShape struct {
	columns []string
	fields  [][]int
}

var shapes sync.Map // type → *rowShape

func shapeOfRow(t reflect.Type) *rowShape {
	if known, ok := shapes.Load(t); ok {
		return known.(*rowShape)
	}
	s := &rowShape{}
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous || !f.IsExported() || f.Tag.Get("db") == "-" || inside(t, f.Index) {
			continue
		}
		s.columns, s.fields = append(s.columns, columnOf(f.Name)), append(s.fields, f.Index)
	}
	if len(s.columns) == 0 {
		panic(fmt.Sprintf("db: %s has no column", t))
	}
	known, _ := shapes.LoadOrStore(t, s)
	return known.(*rowShape)
}

// inside says whether a field lies in an embedded struct that is no column.
func inside(t reflect.Type, index []int) bool {
	for i := 1; i < len(index); i++ {
		if t.FieldByIndex(index[:i]).Tag.Get("db") == "-" {
			return true
		}
	}
	return false
}

func (s *rowShape) values(row any) []any {
	v := reflect.ValueOf(row)
	values := make([]any, len(s.fields))
	for i, index := range s.fields {
		field := v.FieldByIndex(index)
		switch at, isTime := field.Interface().(time.Time); {
		case isTime:
			values[i] = Instant(at)
		case isList(field):
			values[i] = listText(field)
		case isStored(field):
			values[i] = field.Interface().(Stored).Stored()
		case field.Kind() == reflect.String:
			values[i] = field.String()
		case field.CanInt():
			values[i] = field.Int()
		case field.Kind() == reflect.Bool:
			values[i] = field.Bool()
		default:
			panic(fmt.Sprintf("db: a column cannot hold %s (%s)", field.Type(), s.columns[i]))
		}
	}
	return values
}

// isList says whether a field is kept as a JSON text.
func isList(field reflect.Value) bool {
	return field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.String
}

func listText(field reflect.Value) string {
	if field.Len() == 0 {
		return "[]"
	}
	return JSON(field.Interface())
}

// columnOf is the column of a field: iban_sealed for IBANSealed.
func columnOf(field string) string {
	var b strings.Builder
	letters := []rune(field)
	for i, r := range letters {
		begins := i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1]))
		if begins {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
