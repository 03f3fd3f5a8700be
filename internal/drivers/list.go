package drivers

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/validate"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/vault"
)

// PageMax is the most that one page of drivers holds.
const PageMax = 100

// wordsMax is how many words of a search count; more only say the same again.
const wordsMax = 6

// IncomeDays is how far back somebody must have earned to be one with income;
// today is the last of them.
const IncomeDays = 28

// Filter chooses drivers. Its zero value chooses all of them, by name.
type Filter struct {
	// every word of it must be a part of the name, e-mail, phone, contract number or tax id; or it is what a provider knows them by
	Query      string
	Tag        string
	Income     *time.Location // only those with income in the last days there; nil: also the others
	State      string         // active, inactive; otherwise both
	Blocked    bool           // only blocked ones
	Missing    string         // iban, tax_id, schema, account: only those without one
	Newest     bool           // by when they were added, instead of by name
	Descending bool
	Page, Size int64 // pages begin with 1
}

// Counts say how many drivers a search, a tag and the income filter
// leave, by what may be asked of them besides.
type Counts struct {
	Everyone, Active, Inactive, Blocked, WithoutIBAN, WithoutTaxID, WithoutSchema int64
}

// Page is one page of drivers.
type Page struct {
	Drivers []Driver
	Total   int64 // of the whole filter
	Counts  Counts
}

var missing = map[string]string{"iban": `iban_sealed = ''`, "tax_id": `tax_id = ''`, "schema": `schema_number = 0`,
	"account": `account_id = ''`}

// List is a page of the partner's drivers.
func List(tx *db.Tx, v *vault.Vault, f Filter) (p Page, err error) {
	searched, args := f.search(tx)
	count := func(when string) string {
		return `CAST(COALESCE(SUM(CASE WHEN ` + when + ` THEN 1 ELSE 0 END), 0) AS BIGINT)`
	}
	found, err := db.One[struct {
		Counts
		Total int64
	}](tx, `SELECT COUNT(*) AS everyone, `+count(`active`)+` AS active, `+count(`NOT active`)+` AS inactive, `+
		count(`blocked`)+` AS blocked, `+count(missing["iban"])+` AS without_iban, `+count(missing["tax_id"])+` AS without_tax_id, `+
		count(missing["schema"])+` AS without_schema, `+count(f.chosen())+` AS total FROM drivers WHERE `+searched, args...)
	if err != nil {
		return p, err
	}
	p.Counts, p.Total = found.Counts, found.Total
	size := min(max(f.Size, 1), PageMax)
	from := (max(f.Page, 1) - 1) * size
	p.Drivers, err = chosenDrivers(tx, v, fmt.Sprintf(`%s AND %s%s LIMIT $%d OFFSET $%d`, searched, f.chosen(), f.by().SQL(),
		len(args)+2, len(args)+3),
		append(slices.Clone(args), size, from)...)
	return p, err
}

// IDs are the ids of all drivers of a filter, by id.
func IDs(tx *db.Tx, f Filter) ([]string, error) {
	searched, args := f.search(tx)
	return db.Select[string](tx, `SELECT id FROM drivers WHERE `+searched+` AND `+f.chosen()+` ORDER BY id`, args...)
}

// Found is a driver whom a search found.
type Found struct {
	ID, FirstName, LastName string
	Blocked                 bool
}

// Find are the first drivers, by name, of whom every word of a query is a part, as in Filter.Query.
func Find(tx *db.Tx, query string, limit int64) ([]Found, error) {
	where, args := Filter{Query: query}.search(tx)
	return db.Select[Found](tx, fmt.Sprintf(`SELECT id, first_name, last_name, blocked FROM drivers WHERE %s
		ORDER BY search_key, id LIMIT $%d`, where, len(args)+2), append(args, limit)...)
}

// chosenDrivers are the drivers of a condition, whole.
func chosenDrivers(tx *db.Tx, v *vault.Vault, where string, args ...any) ([]Driver, error) {
	rows, err := db.Select[row](tx, `SELECT `+columns+` FROM drivers WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	drivers := make([]Driver, len(rows))
	for i, r := range rows {
		if drivers[i], err = r.open(tx, v); err != nil {
			return nil, err
		}
	}
	return drivers, describe(tx, drivers)
}

// search is the part of the filter that the counts hold to.
func (f Filter) search(tx *db.Tx) (where string, args []any) {
	where = `tenant_id = $1 AND merged_into = ''`
	put := func(value any) string {
		args = append(args, value)
		return fmt.Sprintf("$%d", len(args)+1)
	}
	if f.Tag != "" {
		where += ` AND id IN (SELECT driver_id FROM driver_tags WHERE tenant_id = $1 AND tag_id = ` + put(f.Tag) + `)`
	}
	if f.Income != nil {
		today := calendar.DateOf(tx.Now, f.Income, 0)
		// found once, driver by driver: asked of each row in the order of names, the last page of 100,000 took twice as long
		days := ` AND t.occurred_on BETWEEN ` + put(string(today.AddDays(1-IncomeDays))) + ` AND ` + put(string(today))
		where += ` AND id IN (SELECT d.id FROM drivers d WHERE d.tenant_id = $1 AND EXISTS (SELECT 1 FROM transactions t
			WHERE t.tenant_id = d.tenant_id AND t.driver_id = d.id AND t.deleted_at = ''` + days + ` AND (` + income + `))
			UNION SELECT ` + CanonicalID("d") + ` FROM trips t JOIN drivers d ON d.tenant_id = t.tenant_id AND d.id = t.driver_id
			WHERE t.tenant_id = $1 AND t.deleted_at = '' AND t.refused_at = ''` + days + `)`
	}
	words := strings.Fields(i18n.Fold(f.Query))
	if len(words) == 0 {
		return where, args
	}
	parts := make([]string, 0, wordsMax)
	for _, word := range words[:min(len(words), wordsMax)] {
		parts = append(parts, `search_key LIKE `+put("%"+db.Literal(word)+"%")+` ESCAPE '!'`)
	}
	typed := validate.Line(f.Query)
	return where + ` AND (` + strings.Join(parts, " AND ") + ` OR id IN (SELECT driver_id FROM driver_identities WHERE tenant_id = $1
		AND value IN (` + put(typed) + `, ` + put(strings.ToLower(typed)) + `, ` + put(strings.ToUpper(typed)) + `)))`, args
}

// income is true of a transaction t that a settlement counts as income.
var income = incomeCondition()

// incomeCondition asks the table of types of every type and provider. No sign
// makes an income of what is none.
func incomeCondition() string {
	quoted := func(names []string) string { return `('` + strings.Join(names, `', '`) + `')` }
	always, conditions := []string{}, []string{}
	for _, t := range kinds.Types() {
		from := []string{}
		for _, p := range kinds.Providers {
			if kinds.CategoryOf(t.Name, p.Code, 1) == kinds.Income {
				from = append(from, p.Code)
			}
		}
		switch len(from) {
		case 0:
		case len(kinds.Providers):
			always = append(always, t.Name)
		default:
			conditions = append(conditions, `t.type = '`+t.Name+`' AND t.provider IN `+quoted(from))
		}
	}
	return strings.Join(append(conditions, `t.type IN `+quoted(always)), ` OR `)
}

// chosen is the rest of the filter.
func (f Filter) chosen() (where string) {
	where = `TRUE`
	switch f.State {
	case "active":
		where += ` AND active`
	case "inactive":
		where += ` AND NOT active`
	}
	if f.Blocked {
		where += ` AND blocked`
	}
	if without, ok := missing[f.Missing]; ok {
		where += ` AND ` + without
	}
	return where
}

// by ends with the id, so that no driver is on two pages.
func (f Filter) by() db.Order {
	return db.Order{{Column: f.sortedBy(), Descending: f.Descending}, {Column: "id", Descending: f.Descending}}
}

// PlaceOf is where a driver stands in the list of a filter, also where they are no longer in it.
func PlaceOf(tx *db.Tx, f Filter, id string) (db.Place, error) {
	searched, args := f.search(tx)
	return db.PlaceOf(tx, db.Listed{ID: "id", From: "drivers", Own: `tenant_id = $1`, Where: searched + ` AND ` + f.chosen(), Args: args,
		By: f.by(), Missing: ErrNotFound}, id)
}

func (f Filter) sortedBy() string {
	if f.Newest {
		return "created_at"
	}
	return "search_key"
}

// describe fills in the identities and the tags of drivers.
func describe(tx *db.Tx, drivers []Driver) error {
	if len(drivers) == 0 {
		return nil
	}
	at, ids := map[string]int{}, make([]string, len(drivers))
	for i, d := range drivers {
		at[d.ID], ids[i] = i, d.ID
	}
	// by driver first: otherwise SQLite reads all identities of the partner in order
	in, args := db.Among(2, ids)
	identities, err := db.Select[struct{ DriverID, Provider, Value string }](tx,
		`SELECT driver_id, provider, value FROM driver_identities WHERE tenant_id = $1 AND driver_id`+in+` ORDER BY driver_id, provider, value`,
		args...)
	if err != nil {
		return err
	}
	for _, i := range identities {
		d := &drivers[at[i.DriverID]]
		d.Identities = append(d.Identities, Identity{i.Provider, i.Value})
	}
	tags, err := tagsOf(tx, ids)
	for _, t := range tags {
		d := &drivers[at[t.DriverID]]
		d.Tags = append(d.Tags, t.Tag)
	}
	return err
}

// driverTag is a tag that a driver has.
type driverTag struct {
	DriverID string
	Tag
}

// tagsOf are the tags of drivers, by name.
func tagsOf(tx *db.Tx, drivers []string) ([]driverTag, error) {
	in, args := db.Among(2, drivers)
	return db.Select[driverTag](tx, `SELECT d.driver_id, t.id, t.name, t.created_at FROM driver_tags d
		JOIN tags t ON t.tenant_id = d.tenant_id AND t.id = d.tag_id
		WHERE d.tenant_id = $1 AND d.driver_id`+in+` ORDER BY d.driver_id, t.search_key, t.id`, args...)
}
