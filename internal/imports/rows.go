package imports

import (
	"fmt"
	"strings"

	"saldo/internal/db"
)

// rowsAsked asks for each key by itself. As one condition on all of them, PostgreSQL would decide how to look while the table is
// small, and go on reading all of it however large the import makes it.
var rowsAsked = func() string {
	keys := make([]string, lookup)
	for n := range keys {
		keys[n] = fmt.Sprintf("($%d)", n+2)
	}
	return `SELECT COALESCE((SELECT t.row_key FROM transactions t WHERE t.tenant_id = $1 AND t.row_key = k.column1 AND t.row_key <> ''),
		(SELECT w.row_key FROM waiting_rows w WHERE w.tenant_id = $1 AND w.row_key = k.column1), '') FROM (VALUES ` + strings.Join(keys, ", ") + `) AS k`
}()

// standingRows says which rows stand already, with a driver or waiting. It is
// for one unit of work, which writes no row that it asks for again.
type standingRows struct {
	tx    *db.Tx
	empty map[[2]byte]bool // starts of keys, by whether no row stood that has it
}

// crowded is how many keys of one start make it worth asking for the start.
const crowded = 16

// known are those of the keys that stand. Most rows of a file are of days of
// which nothing stands: their keys, which start with the day, are not asked for.
func (s *standingRows) known(keys []rowKey) (map[rowKey]bool, error) {
	starts := map[[2]byte]int{}
	for _, key := range keys {
		starts[[2]byte(key[:2])]++
	}
	for start, n := range starts {
		if _, asked := s.empty[start]; asked || n < crowded {
			continue
		}
		stands, err := s.starts(start)
		if err != nil {
			return nil, err
		}
		if s.empty == nil {
			s.empty = map[[2]byte]bool{}
		}
		s.empty[start] = !stands
	}
	asked := make([]rowKey, 0, len(keys))
	for _, key := range keys {
		if !s.empty[[2]byte(key[:2])] {
			asked = append(asked, key)
		}
	}
	return knownRows(s.tx, asked)
}

// starts says whether a row stands whose key starts so. Two bytes are two
// signs and two thirds of the next, so the third is one of four.
func (s *standingRows) starts(start [2]byte) (bool, error) {
	args := make([]any, 0, 8)
	for third := range byte(4) {
		first := rowKey{start[0], start[1], third << 6}.String()[:3]
		args = append(args, first, first[:2]+string(first[2]+1))
	}
	found, err := db.Select[bool](s.tx, startsAsked, args...)
	return err != nil || found[0], err
}

// startsAsked asks for the first key of each table from a start on, which is read off its index whatever size PostgreSQL takes it for.
// Where keys do not stand in the order of their bytes, as in databases of PostgreSQL that were made before their columns said so, a
// small letter is before a capital one, and every start is taken to stand.
var startsAsked = func() string {
	var asked []string
	for _, table := range []string{"transactions", "waiting_rows"} {
		asked = append(asked, `COALESCE((SELECT SUBSTR(row_key, 1, 0) FROM `+table+` WHERE tenant_id = $1 AND row_key <> '' LIMIT 1), '') || 'a' < 'B'`)
		for n := 2; n < 10; n += 2 {
			asked = append(asked, fmt.Sprintf(`COALESCE((SELECT row_key FROM %s WHERE tenant_id = $1 AND row_key <> '' AND row_key >= $%d ORDER BY row_key LIMIT 1) < $%d, FALSE)`, table, n, n+1))
		}
	}
	return `SELECT ` + strings.Join(asked, " OR ")
}()

// knownRows are those of the rows that stand.
func knownRows(tx *db.Tx, keys []rowKey) (map[rowKey]bool, error) {
	known := map[rowKey]bool{}
	for len(keys) > 0 {
		some := keys[:min(len(keys), lookup)]
		keys = keys[len(some):]
		args, byText := make([]any, lookup), make(map[string]rowKey, len(some))
		for n := range args {
			key := some[min(n, len(some)-1)] // one text of the query, however many there are
			text := key.String()
			args[n], byText[text] = text, key
		}
		found, err := db.Select[string](tx, rowsAsked, args...)
		if err != nil {
			return nil, err
		}
		for _, text := range found {
			if text != "" {
				known[byText[text]] = true
			}
		}
	}
	return known, nil
}
