// Package details keeps what provider files say of refuellings beside the amount: litres, price, station, odometer, card. It is shown and
// never counted. Each file has its own: of a row that several files contain the last one speaks, and removing a file removes what it says.
package details

import (
	"fmt"
	"slices"
	"strings"

	"saldo/internal/platform/db"
)

// Facts are what a file says of a refuelling. Zero and empty: nothing.
type Facts struct {
	Card        string // number without leading zeros
	CardKind    string // S: issued for a car, K: for a person
	Plate       string
	Station     string
	Town        string
	Product     string
	Millilitres int64 // minus: taken back
	UnitPrice   int64 // thousandths of a minor unit for one litre
	Odometer    int64 // kilometres
}

// Refuelling is what a file says of one of its rows.
type Refuelling struct {
	RowKey string
	Facts
}

// columns of a row, in the order of their values.
const columns = `tenant_id, import_id, row_key, card, card_kind, plate, station, town, product, millilitres, unit_price, odometer`

// Join is, in SQL, the facts of a row of transactions, joined under a name: those of the file that was imported last. Rows without any have
// NULL.
func Join(row, as string) string {
	return strings.NewReplacer("row.", row+".", "said", as).Replace(` LEFT JOIN refuellings said ON said.tenant_id = row.tenant_id
		AND said.row_key = row.row_key AND row.row_key <> '' AND said.import_id = (SELECT f.import_id FROM refuellings f
		JOIN imports i ON i.tenant_id = f.tenant_id AND i.id = f.import_id WHERE f.tenant_id = row.tenant_id AND f.row_key = row.row_key
		AND i.status = 'success' ORDER BY i.booked_order DESC LIMIT 1)`)
}

// atOnce is how many rows one statement writes.
const atOnce = 50

// Add writes what a file says. A row that it says twice has what it says first.
func Add(tx *db.Tx, importID string, all []Refuelling) error {
	for some := range slices.Chunk(all, atOnce) {
		places, args := make([]string, len(some)), []any{importID}
		for i, one := range some {
			n := len(args) + 2
			places[i] = fmt.Sprintf("($1, $2, $%d, $%d, $%d, $%d, $%d, $%d, $%d, $%d, $%d, $%d)", n, n+1, n+2, n+3, n+4, n+5, n+6, n+7, n+8, n+9)
			args = append(args, one.RowKey, one.Card, one.CardKind, one.Plate, one.Station, one.Town, one.Product, one.Millilitres, one.UnitPrice,
				one.Odometer)
		}
		if _, err := tx.Exec(`INSERT INTO refuellings (`+columns+`) VALUES `+strings.Join(places, ", ")+` ON CONFLICT DO NOTHING`,
			args...); err != nil {
			return err
		}
	}
	return nil
}

// Move gives what a file says of a row to another one, which is the same in other words.
func Move(tx *db.Tx, importID, from, to string) error {
	_, err := tx.Exec(`UPDATE refuellings SET row_key = $4 WHERE tenant_id = $1 AND import_id = $2 AND row_key = $3
		AND NOT EXISTS (SELECT 1 FROM refuellings o WHERE o.tenant_id = $1 AND o.import_id = $2 AND o.row_key = $4)`, importID, from, to)
	return err
}

// Remove forgets all that a file says.
func Remove(tx *db.Tx, importID string) error {
	_, err := tx.Exec(`DELETE FROM refuellings WHERE tenant_id = $1 AND import_id = $2`, importID)
	return err
}
