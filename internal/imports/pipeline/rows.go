package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
)

// rowsAsked asks for each key by itself. As one condition on all of them, PostgreSQL would decide how to look while the table is
// small, and go on reading all of it however large the import makes it.
var rowsAsked = func() string {
	return `SELECT COALESCE((SELECT t.row_key FROM transactions t WHERE t.tenant_id = $1 AND t.row_key = k.column1 AND t.row_key <> ''),
		(SELECT w.row_key FROM unmatched_rows w WHERE w.tenant_id = $1 AND w.row_key = k.column1), '') FROM (VALUES ` + places(lookup) + `) AS k`
}()

// replacedAsked asks for keys among what was replaced.
var replacedAsked = `SELECT COALESCE((SELECT w.row_key FROM replaced_rows w WHERE w.tenant_id = $1 AND w.row_key = k.column1), '')
	FROM (VALUES ` + places(lookup) + `) AS k`

// namedAsked asks for the first key of each table from a start on: rows of one movement have the same start.
var namedAsked = func() string {
	var asked []string
	for _, table := range []string{"transactions", "unmatched_rows", "replaced_rows"} {
		asked = append(asked, `COALESCE((SELECT t.row_key FROM `+table+
			` t WHERE t.tenant_id = $1 AND t.row_key >= k.column1 AND t.row_key <> '' ORDER BY t.row_key LIMIT 1), '')`)
	}
	return `SELECT ` + strings.Join(asked, ` || ' ' || `) + ` FROM (VALUES ` + places(lookup) + `) AS k`
}()

func places(n int) string {
	keys := make([]string, n)
	for n := range keys {
		keys[n] = fmt.Sprintf("($%d)", n+2)
	}
	return strings.Join(keys, ", ")
}

// place is where a row stands: under which key, and whether it was replaced.
type place struct {
	key    string
	hidden bool
}

// found is what stands of rows of a file.
type found struct {
	known    map[rowKey]place
	versions map[rowKey][]bookedRow // what stands of a movement in other versions
}

// standingRows says which rows stand already, with a driver or waiting. It is
// for one unit of work, which writes no row that it asks for again.
type standingRows struct {
	tx       *db.Tx
	empty    map[[2]byte]bool // starts of keys, by whether no row stood that has it
	replaced *bool            // whether anything was replaced
	force    ledger.Force
}

// manyKeys is how many keys of one start make it worth asking for the start.
const manyKeys = 16

// find says which of the rows stand. Most rows of a file are of days of which nothing stands: their keys, which start with the day, are
// not asked for.
func (s *standingRows) find(block []Entry) (f found, err error) {
	starts := map[[2]byte]int{}
	for n := range block {
		if e := &block[n]; e.ExternalID == "" {
			starts[[2]byte(e.Key[:2])]++
		}
	}
	for start, n := range starts {
		if _, asked := s.empty[start]; asked || n < manyKeys {
			continue
		}
		stands, err := s.starts(start)
		if err != nil {
			return f, err
		}
		if s.empty == nil {
			s.empty = map[[2]byte]bool{}
		}
		s.empty[start] = !stands
	}
	f = found{map[rowKey]place{}, map[rowKey][]bookedRow{}}
	keys, named, byName := make([]rowKey, 0, len(block)), []rowKey{}, map[rowKey]*Entry{}
	for n := range block {
		switch e := &block[n]; {
		case e.ExternalID != "":
			named = append(named, e.Key)
			byName[e.Key] = e
		case !s.empty[[2]byte(e.Key[:2])]:
			keys = append(keys, e.Key)
		}
	}
	if s.replaced == nil {
		n, err := db.One[int64](s.tx, `SELECT COUNT(*) FROM (SELECT 1 FROM replaced_rows WHERE tenant_id = $1 LIMIT 1) AS x`)
		if err != nil {
			return f, err
		}
		some := n > 0
		s.replaced = &some
		if s.force, err = ledger.ForceOf(s.tx); err != nil {
			return f, err
		}
	}
	if err := s.known(rowsAsked, keys, func(key rowKey) { f.known[key] = place{key.String(), s.force.Replaced[key.String()]} }); err != nil {
		return f, err
	}
	if *s.replaced {
		left := slices.DeleteFunc(keys, func(key rowKey) bool { _, stands := f.known[key]; return stands })
		if err := s.known(replacedAsked, left, func(key rowKey) { f.known[key] = place{key.String(), true} }); err != nil {
			return f, err
		}
	}
	return f, s.named(named, byName, &f)
}

// named looks for movements that the provider names, in whichever version they stand.
func (s *standingRows) named(keys []rowKey, rows map[rowKey]*Entry, f *found) error {
	for some := range slices.Chunk(keys, lookup) {
		args, starts := make([]any, lookup), make(map[string]rowKey, len(some))
		for n := range args {
			key := some[min(n, len(some)-1)]
			start := key.String()[:namedLetters]
			args[n], starts[start] = start, key
		}
		firsts, err := db.Select[string](s.tx, namedAsked, args...)
		if err != nil {
			return err
		}
		for _, text := range firsts {
			for i, first := range strings.Split(text, " ") {
				key, ok := starts[first[:min(len(first), namedLetters)]]
				if !ok {
					continue
				}
				if _, done := f.known[key]; done {
					continue
				}
				if first == key.String() && i < 2 && !s.force.Replaced[first] {
					f.known[key] = place{first, false}
					delete(f.versions, key)
					continue
				}
				if _, done := f.versions[key]; done {
					continue
				}
				if err := s.versions(rows[key], f); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// versions reads all that stands of one movement.
func (s *standingRows) versions(e *Entry, f *found) error {
	start := e.Key.String()[:namedLetters]
	driver := ""
	if e.Who != nil {
		driver = e.Who.Driver
	}
	const of = ` WHERE r.tenant_id = $1 AND r.row_key >= $2 AND r.row_key < $3 AND r.row_key <> ''`
	all, err := db.Select[bookedRow](s.tx, `SELECT `+missedColumns+`, `+drivers.CanonicalID("d")+` AS
		driver_id, r.settlement_id, r.corrects, FALSE AS hidden
		FROM transactions r JOIN drivers d ON d.tenant_id = r.tenant_id AND d.id = r.driver_id`+of+` UNION ALL SELECT `+missedColumns+
		`, '' AS driver_id, '' AS settlement_id, '' AS corrects, FALSE AS hidden FROM unmatched_rows r`+of+`
		UNION ALL SELECT `+missedColumns+`, '' AS driver_id, '' AS settlement_id, '' AS corrects, TRUE AS hidden FROM replaced_rows r`+of, start,
		start+"~")
	if err != nil {
		return err
	}
	others := all[:0]
	for _, v := range all {
		v.weigh(s.force)
		same := v.Amount == e.Amount && v.OccurredOn == e.On && (v.DriverID == "" || driver == "" || v.DriverID == driver)
		if _, known := f.known[e.Key]; !known && (v.RowKey == e.Key.String() || same) {
			f.known[e.Key] = place{v.RowKey, v.Hidden}
			continue
		}
		others = append(others, v)
	}
	k, known := f.known[e.Key]
	if known && !k.hidden {
		others = nil // the file says what stands
	}
	f.versions[e.Key] = others
	return nil
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
	for _, table := range []string{"transactions", "unmatched_rows", "replaced_rows"} {
		asked = append(asked, `COALESCE((SELECT SUBSTR(row_key, 1, 0) FROM `+table+
			` WHERE tenant_id = $1 AND row_key <> '' LIMIT 1), '') || 'a' < 'B'`)
		for n := 2; n < 10; n += 2 {
			asked = append(asked, fmt.Sprintf(`COALESCE((SELECT row_key FROM %s WHERE tenant_id = $1 AND row_key <> '' AND row_key >= $%d
				ORDER BY row_key LIMIT 1) < $%d, FALSE)`, table, n, n+1))
		}
	}
	return `SELECT ` + strings.Join(asked, " OR ")
}()

// known tells which of the keys stand.
func (s *standingRows) known(text string, keys []rowKey, tell func(rowKey)) error {
	for some := range slices.Chunk(keys, lookup) {
		args, byText := make([]any, lookup), make(map[string]rowKey, len(some))
		for n := range args {
			key := some[min(n, len(some)-1)] // one text of the query, however many there are
			text := key.String()
			args[n], byText[text] = text, key
		}
		stand, err := db.Select[string](s.tx, text, args...)
		if err != nil {
			return err
		}
		for _, text := range stand {
			if text != "" {
				tell(byText[text])
			}
		}
	}
	return nil
}

// standing tells one state of what was imported from another: while it is the
// same, no row stands that did not stand before.
func standing(tx *db.Tx) (string, error) {
	found, err := db.Select[struct {
		Count  int64
		Latest string
	}](tx, `SELECT COUNT(*) AS count, COALESCE(MAX(finished_at), '') AS latest FROM imports WHERE tenant_id = $1 AND status = 'success'`)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(found[0].Count, " ", found[0].Latest), nil
}
