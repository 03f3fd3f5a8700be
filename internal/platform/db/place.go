package db

import "fmt"

// Listed is a list of rows: what it reads, what it leaves of that, and its order.
type Listed struct {
	ID    string // the column by which a row is named
	From  string
	Where string // with the tenant as $1 and Args from $2 on
	Args  []any
	Own   string // the condition on the tenant alone, without the filter
	By    Order
	// what it is refused with where there is no such row
	Missing error
}

// Order is that of a list. Its second column is unlike in each row, so that a row has one place.
type Order [2]Sorted

// SQL is the order with the words that begin it.
func (o Order) SQL() string { return ` ORDER BY ` + o[0].String() + `, ` + o[1].String() }

// Sorted is a column of an order.
type Sorted struct {
	Column     string
	Descending bool
}

// String is the column as ORDER BY takes it.
func (s Sorted) String() string {
	if s.Descending {
		return s.Column + " DESC"
	}
	return s.Column
}

// Place is where a row stands in a list. A row that the filter leaves out no longer still has its place between others; its position is 0.
type Place struct {
	Previous, Next  string // empty: none
	Position, Total int64
}

// PlaceOf finds the row before and the row after one, and counts, in one statement.
func PlaceOf(tx *Tx, l Listed, id string) (Place, error) {
	at := fmt.Sprintf("$%d", len(l.Args)+2)
	way := func(s Sorted, reverse bool) Sorted { return Sorted{s.Column, s.Descending != reverse} }
	// the first column alone bounds the part of an index that is read; the rest decides among equal ones
	beside := func(after bool) string {
		sign := func(s Sorted) string { return map[bool]string{true: ">", false: "<"}[after != s.Descending] }
		a, b := l.By[0], l.By[1]
		return fmt.Sprintf(`%[1]s %[2]s= (SELECT a FROM own) AND (%[1]s %[2]s (SELECT a FROM own) OR %[3]s %[4]s (SELECT b FROM own))`,
			a.Column, sign(a), b.Column, sign(b))
	}
	nearest := func(after bool) string {
		return fmt.Sprintf(`COALESCE((SELECT %s FROM %s WHERE %s AND %s%s LIMIT 1), '')`, l.ID, l.From, l.Where, beside(after),
			Order{way(l.By[0], !after), way(l.By[1], !after)}.SQL())
	}
	found, err := One[struct {
		Place
		Known, Earlier, Here int64
	}](tx, fmt.Sprintf(`WITH own AS (SELECT %s AS a, %s AS b FROM %s WHERE %s AND %s = %s)
		SELECT COUNT(*) AS total, COUNT(CASE WHEN %s THEN 1 END) AS earlier, COUNT(CASE WHEN %s = %s THEN 1 END) AS here,
		(SELECT COUNT(*) FROM own) AS known, %s AS previous, %s AS next FROM %s WHERE %s`,
		l.By[0].Column, l.By[1].Column, l.From, l.Own, l.ID, at, beside(false), l.ID, at, nearest(false), nearest(true), l.From, l.Where),
		append(append([]any{}, l.Args...), id)...)
	if err == nil && found.Known == 0 {
		err = l.Missing
	}
	if found.Here > 0 {
		found.Position = found.Earlier + 1
	}
	return found.Place, err
}
