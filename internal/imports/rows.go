package imports

import (
	"fmt"
	"strings"

	"saldo/internal/db"
	"saldo/internal/fleet"
	"saldo/internal/imports/statement"
)

// ruleLabel is what a type of an unknown column is remembered by.
func ruleLabel(e statement.Entry) string { return fleet.RuleLabel(e.Column, e.Text) }

var marks = func() string {
	all := make([]string, lookup)
	for n := range all {
		all[n] = fmt.Sprintf("$%d", n+2)
	}
	return strings.Join(all, ", ")
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
		for _, table := range []string{"transactions", "waiting_rows"} {
			found, err := db.Select[string](tx, `SELECT row_key FROM `+table+` WHERE tenant_id = $1 AND row_key <> '' AND row_key IN (`+marks+`)`, args...)
			if err != nil {
				return nil, err
			}
			for _, text := range found {
				known[byText[text]] = true
			}
		}
	}
	return known, nil
}
