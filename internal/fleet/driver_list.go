package fleet

import (
	"fmt"
	"slices"
	"strings"

	"saldo/internal/db"
	"saldo/internal/texts"
	"saldo/internal/vault"
)

// DriversMax is the most that one page of drivers holds.
const DriversMax = 100

// wordsMax is how many words of a search count; more only say the same again.
const wordsMax = 6

// DriverFilter chooses drivers. Its zero value chooses all of them, by name.
type DriverFilter struct {
	Query      string // every word of it must be a part of the name, e-mail, phone or contract number
	Tag        string
	State      string // active, inactive; otherwise both
	Blocked    bool   // only blocked ones
	Missing    string // iban, tax_id, schema, account: only those without one
	Newest     bool   // by when they were added, instead of by name
	Descending bool
	Page, Size int64 // pages begin with 1
}

// DriverCounts say how many drivers a search and a tag leave, by what may be
// asked of them besides.
type DriverCounts struct {
	Everyone, Active, Inactive, Blocked, WithoutIBAN, WithoutTaxID int64
}

// DriverPage is one page of drivers.
type DriverPage struct {
	Drivers []Driver
	Total   int64 // of the whole filter
	Counts  DriverCounts
}

var missing = map[string]string{"iban": `iban_sealed = ''`, "tax_id": `tax_id = ''`, "schema": `schema_number = 0`, "account": `account_id = ''`}

// Drivers is a page of the partner's drivers.
func Drivers(tx *db.Tx, v *vault.Vault, f DriverFilter) (p DriverPage, err error) {
	searched, args := f.search()
	count := func(when string) string {
		return `CAST(COALESCE(SUM(CASE WHEN ` + when + ` THEN 1 ELSE 0 END), 0) AS BIGINT)`
	}
	p.Counts, err = db.One[DriverCounts](tx, `SELECT COUNT(*) AS everyone, `+count(`active`)+` AS active, `+count(`NOT active`)+` AS inactive, `+
		count(`blocked`)+` AS blocked, `+count(`iban_sealed = ''`)+` AS without_iban, `+count(`tax_id = ''`)+` AS without_tax_id FROM drivers WHERE `+searched, args...)
	if err != nil {
		return p, err
	}
	where := searched + f.chosen()
	if p.Total, err = db.One[int64](tx, `SELECT COUNT(*) FROM drivers WHERE `+where, args...); err != nil {
		return p, err
	}
	size := min(max(f.Size, 1), DriversMax)
	from := (max(f.Page, 1) - 1) * size
	rows, err := db.Select[driverRow](tx, fmt.Sprintf(`SELECT %s FROM drivers WHERE %s ORDER BY %s LIMIT $%d OFFSET $%d`, driverColumns, where, f.order(), len(args)+2, len(args)+3),
		append(slices.Clone(args), size, from)...)
	if err != nil {
		return p, err
	}
	p.Drivers = make([]Driver, len(rows))
	for i, r := range rows {
		if p.Drivers[i], err = r.open(tx, v); err != nil {
			return p, err
		}
	}
	return p, describe(tx, p.Drivers)
}

// search is the part of the filter that the counts hold to.
func (f DriverFilter) search() (where string, args []any) {
	where = `tenant_id = $1 AND merged_into = ''`
	if f.Tag != "" {
		args = append(args, f.Tag)
		where += fmt.Sprintf(` AND id IN (SELECT driver_id FROM driver_tags WHERE tenant_id = $1 AND tag_id = $%d)`, len(args)+1)
	}
	words := strings.Fields(texts.Fold(f.Query))
	for _, word := range words[:min(len(words), wordsMax)] {
		args = append(args, "%"+literal.Replace(word)+"%")
		where += fmt.Sprintf(` AND search_key LIKE $%d ESCAPE '!'`, len(args)+1)
	}
	return where, args
}

// literal makes the signs that LIKE understands stand for themselves.
var literal = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")

func (f DriverFilter) chosen() (where string) {
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

// order ends with the id, so that no driver is on two pages.
func (f DriverFilter) order() string {
	column, direction := "search_key", ""
	if f.Newest {
		column = "created_at"
	}
	if f.Descending {
		direction = " DESC"
	}
	return column + direction + ", id" + direction
}

// describe fills in the identities and the tags of drivers.
func describe(tx *db.Tx, drivers []Driver) error {
	if len(drivers) == 0 {
		return nil
	}
	at, ids, marks := map[string]int{}, []any{}, []string{}
	for i, d := range drivers {
		at[d.ID] = i
		ids = append(ids, d.ID)
		marks = append(marks, fmt.Sprintf("$%d", i+2))
	}
	in := ` IN (` + strings.Join(marks, ", ") + `)`
	identities, err := db.Select[struct{ DriverID, Provider, Value string }](tx,
		`SELECT driver_id, provider, value FROM driver_identities WHERE tenant_id = $1 AND driver_id`+in+` ORDER BY provider, value`, ids...)
	if err != nil {
		return err
	}
	for _, i := range identities {
		d := &drivers[at[i.DriverID]]
		d.Identities = append(d.Identities, Identity{i.Provider, i.Value})
	}
	tags, err := db.Select[struct {
		DriverID string
		Tag
	}](tx, `SELECT d.driver_id, t.id, t.name, t.created_at FROM driver_tags d JOIN tags t ON t.tenant_id = d.tenant_id AND t.id = d.tag_id
		WHERE d.tenant_id = $1 AND d.driver_id`+in+` ORDER BY t.search_key, t.id`, ids...)
	for _, t := range tags {
		d := &drivers[at[t.DriverID]]
		d.Tags = append(d.Tags, t.Tag)
	}
	return err
}
