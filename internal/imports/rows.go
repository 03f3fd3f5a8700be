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

// knownRows says which of the rows stand already, with a driver or waiting.
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
