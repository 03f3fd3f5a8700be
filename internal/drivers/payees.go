package drivers

import (
	"cmp"
	"slices"
	"time"

	"saldo/internal/kernel/official"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
)

// Payee is a driver as whoever pays them must know them.
type Payee struct {
	ID, FirstName, LastName string
	Holder                  string           // whose the account is
	Account                 official.Account // empty: none
	AccountChangedAt        time.Time        // zero: it is the first
	TaxID                   string
	Bailiff, Blocked        bool
}

// payeesAtOnce is how many drivers are asked for by their ids at once.
const payeesAtOnce = 500

// Payees are drivers of the partner by their ids; an id may be there more than once.
func Payees(tx *db.Tx, v *vault.Vault, ids []string) (map[string]Payee, error) {
	payees := make(map[string]Payee, len(ids))
	for some := range slices.Chunk(slices.Compact(slices.Sorted(slices.Values(ids))), payeesAtOnce) {
		in, args := db.Among(2, some)
		rows, err := db.Select[row](tx, `SELECT id, first_name, last_name, account_holder, passport_name, iban_sealed, iban_changed_at,
			tax_id, bailiff, blocked FROM drivers WHERE tenant_id = $1 AND merged_into = '' AND id`+in, args...)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			d, err := row.open(tx, v)
			if err != nil {
				return nil, err
			}
			p := Payee{ID: d.ID, FirstName: d.FirstName, LastName: d.LastName, Holder: d.AccountHolder, Account: d.IBAN,
				AccountChangedAt: d.IBANChangedAt, TaxID: d.TaxID, Bailiff: d.Bailiff, Blocked: d.Blocked}
			// whose account it is, else as the passport spells the driver
			p.Holder = cmp.Or(p.Holder, d.PassportName, d.FullName())
			payees[d.ID] = p
		}
	}
	return payees, nil
}

// AccountOf is the bank account of a driver; empty: none is known.
func AccountOf(tx *db.Tx, v *vault.Vault, id string) (official.Account, error) {
	r, err := db.One[row](tx, `SELECT id, iban_sealed FROM drivers WHERE tenant_id = $1 AND id = $2`, id)
	if err != nil {
		return "", err
	}
	d, err := r.open(tx, v)
	return d.IBAN, err
}
