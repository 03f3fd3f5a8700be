// Package schemas keeps the settlement schemas of a partner, each in versions, and who is settled by them.
package schemas

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
)

var (
	ErrNotFound  = fault.Declare(fault.NotFound, "schemas.not_found")
	ErrNameTaken = fault.Declare(fault.Conflict, "schemas.name_taken")
	ErrTooMany   = fault.Declare(fault.Conflict, "schemas.too_many")
	ErrInvalid   = fault.Declare(fault.Invalid, "schemas.invalid")
	// ErrChanged is the answer to an edit of a version that is no longer the newest.
	ErrChanged   = fault.Declare(fault.Conflict, "schemas.changed")
	ErrIsDefault = fault.Declare(fault.Conflict, "schemas.is_default")
	// ErrAttached tells how many drivers would be left without their schema.
	ErrAttached = fault.Declare(fault.Conflict, "schemas.attached")
)

// Limits of schemas. The list is short enough to be shown whole.
const (
	Max           = 200
	AttachedShown = 50
	versionsShown = 100
)

// Schema is the rules by which drivers are settled, as they are now.
type Schema struct {
	Number    int64
	Version   int64
	IsDefault bool
	Drivers   int64 // who is settled by it; of the default also those who have none of their own
	CreatedAt time.Time
	UpdatedAt time.Time
	UpdatedBy string
	Rules     rules.Rules
}

// row is a schema as it is stored.
type row struct {
	Number, Version      int64
	IsDefault            bool
	Drivers              int64
	CreatedAt, UpdatedAt time.Time
	UpdatedBy            string
	Rules                string
}

func (r row) schema() (Schema, error) {
	s := Schema{r.Number, r.Version, r.IsDefault, r.Drivers, r.CreatedAt, r.UpdatedAt, r.UpdatedBy, rules.Default()}
	err := json.Unmarshal([]byte(r.Rules), &s.Rules)
	return s, err
}

// settledBy are the drivers d of a schema s. One that was merged into another is
// not settled any more.
const settledBy = `d.tenant_id = s.tenant_id AND d.merged_into = ''
	AND (d.schema_number = s.number OR d.schema_number = 0 AND s.is_default)`

const query = `SELECT s.number, v.version, s.is_default, (SELECT COUNT(*) FROM drivers d WHERE ` + settledBy + `) AS drivers,
	s.created_at, v.created_at AS updated_at, v.created_by AS updated_by, v.rules FROM schemas s
	JOIN schema_versions v ON v.tenant_id = s.tenant_id AND v.schema_number = s.number AND v.version = s.current_version
	WHERE s.tenant_id = $1 AND s.deleted_at = ''`

// List lists the partner's schemas, the default one first, then by name.
func List(tx *db.Tx) ([]Schema, error) {
	rows, err := db.Select[row](tx, query+` ORDER BY s.is_default DESC, s.name_key, s.number`)
	if err != nil {
		return nil, err
	}
	list := make([]Schema, len(rows))
	for i, r := range rows {
		if list[i], err = r.schema(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Get is one of the partner's schemas.
func Get(tx *db.Tx, number int64) (Schema, error) {
	r, err := db.One[row](tx, query+` AND s.number = $2`, number)
	if errors.Is(err, db.ErrNone) {
		return Schema{}, ErrNotFound
	}
	if err != nil {
		return Schema{}, err
	}
	return r.schema()
}

// Version is what a schema said from one edit to the next.
type Version struct {
	Version   int64
	CreatedAt time.Time
	CreatedBy string
	Rules     rules.Rules
}

type versionRow struct {
	Version          int64
	CreatedAt        time.Time
	CreatedBy, Rules string
}

func (r versionRow) version() (Version, error) {
	v := Version{r.Version, r.CreatedAt, r.CreatedBy, rules.Default()}
	err := json.Unmarshal([]byte(r.Rules), &v.Rules)
	return v, err
}

const versionQuery = `SELECT version, created_at, created_by, rules FROM schema_versions WHERE tenant_id = $1 AND schema_number = $2`

// History are the newest versions of a schema, the newest first.
func History(tx *db.Tx, number int64) ([]Version, error) {
	if _, err := Get(tx, number); err != nil {
		return nil, err
	}
	rows, err := db.Select[versionRow](tx, versionQuery+fmt.Sprintf(` ORDER BY version DESC LIMIT %d`, versionsShown), number)
	if err != nil {
		return nil, err
	}
	versions := make([]Version, len(rows))
	for i, r := range rows {
		if versions[i], err = r.version(); err != nil {
			return nil, err
		}
	}
	return versions, nil
}

// At is a schema as it was in a version, also of one that is deleted.
func At(tx *db.Tx, number, version int64) (Version, error) {
	r, err := db.One[versionRow](tx, versionQuery+` AND version = $3`, number, version)
	if errors.Is(err, db.ErrNone) {
		return Version{}, ErrNotFound
	}
	if err != nil {
		return Version{}, err
	}
	return r.version()
}

// CheckedRules are rules whose texts are in canonical form, or a fault that
// names every wrong field.
func CheckedRules(r rules.Rules) (rules.Rules, error) {
	line := func(text string) string { return strings.Join(strings.Fields(norm.NFC.String(text)), " ") }
	r.Name = line(r.Name)
	costs := make([]rules.AdditionalCost, len(r.AdditionalCosts))
	for i, c := range r.AdditionalCosts {
		costs[i] = rules.AdditionalCost{Name: line(c.Name), Amount: c.Amount}
	}
	r.AdditionalCosts = costs
	if r.CostRates == nil {
		r.CostRates = []rules.CostRate{}
	}
	wrong := rules.Check(r)
	if len(wrong) == 0 {
		return r, nil
	}
	err := *ErrInvalid
	err.Fields = wrong
	return r, &err
}

// Add makes a schema under the partner's next number. Two names that
// differ only in case or in spaces are the same name.
func Add(tx *db.Tx, r rules.Rules) (Schema, error) {
	return add(tx, "schemas.add", r)
}

// Copy makes a schema with the rules of another and a name of its own.
func Copy(tx *db.Tx, number int64, name string) (Schema, error) {
	from, err := Get(tx, number)
	if err != nil {
		return Schema{}, err
	}
	from.Rules.Name = name
	return add(tx, "schemas.copy", from.Rules)
}

func add(tx *db.Tx, action string, r rules.Rules) (Schema, error) {
	r, err := CheckedRules(r)
	if err != nil {
		return Schema{}, err
	}
	count, err := db.One[int64](tx, `SELECT COUNT(*) FROM schemas WHERE tenant_id = $1 AND deleted_at = ''`)
	if err != nil {
		return Schema{}, err
	}
	if count >= Max {
		return Schema{}, ErrTooMany.With("max", Max)
	}
	number, err := db.One[int64](tx, `SELECT COALESCE(MAX(number), 0) + 1 FROM schemas WHERE tenant_id = $1`)
	if err != nil {
		return Schema{}, err
	}
	// In a serial unit only the name can be there already.
	n, err := tx.Exec(`INSERT INTO schemas (tenant_id, number, name_key, is_default, current_version, created_at, deleted_at)
		VALUES ($1, $2, $3, FALSE, 1, $4, '') ON CONFLICT DO NOTHING`, number, strings.ToLower(r.Name), tx.Now)
	if err != nil {
		return Schema{}, err
	}
	if n == 0 {
		return Schema{}, nameTaken(r.Name)
	}
	if err := addVersion(tx, number, 1, r); err != nil {
		return Schema{}, err
	}
	s, err := Get(tx, number)
	if err != nil {
		return Schema{}, err
	}
	return s, audit.Record(tx, audit.Change{Action: action, Kind: "schema", ID: fmt.Sprint(number), After: s.Rules})
}

func nameTaken(name string) error {
	return ErrNameTaken.With("name", name).Field("name", fault.Duplicate)
}

func addVersion(tx *db.Tx, number, version int64, r rules.Rules) error {
	encoded, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO schema_versions (tenant_id, schema_number, version, rules, created_at, created_by)
		VALUES ($1, $2, $3, $4, $5, $6)`,
		number, version, string(encoded), tx.Now, tx.Actor.Name)
	return err
}

// Save replaces a schema's rules by a new version, if the edited version
// is still the newest. Saving what is there already makes no version.
func Save(tx *db.Tx, number, version int64, r rules.Rules) (Schema, error) {
	before, err := Get(tx, number)
	if err != nil {
		return Schema{}, err
	}
	if before.Version != version {
		return Schema{}, ErrChanged
	}
	if r, err = CheckedRules(r); err != nil {
		return Schema{}, err
	}
	if reflect.DeepEqual(before.Rules, r) {
		return before, nil
	}
	key := strings.ToLower(r.Name)
	taken, err := db.One[int64](tx, `SELECT COUNT(*) FROM schemas WHERE tenant_id = $1 AND name_key = $2 AND number <> $3 AND deleted_at = ''`,
		key, number)
	if err != nil {
		return Schema{}, err
	}
	if taken > 0 {
		return Schema{}, nameTaken(r.Name)
	}
	if err := addVersion(tx, number, version+1, r); err != nil {
		return Schema{}, err
	}
	if _, err := tx.Exec(`UPDATE schemas SET name_key = $3, current_version = $4 WHERE tenant_id = $1 AND number = $2`, number, key,
		version+1); err != nil {
		return Schema{}, err
	}
	if err := audit.Record(tx, audit.Change{Action: "schemas.save", Kind: "schema", ID: fmt.Sprint(number), Before: before.Rules,
		After: r}); err != nil {
		return Schema{}, err
	}
	return Get(tx, number)
}

// SetDefault makes a schema the one default of the partner.
func SetDefault(tx *db.Tx, number int64) error {
	s, err := Get(tx, number)
	if err != nil || s.IsDefault {
		return err
	}
	// Whoever changes the default changes the row of the former one: of several at once all but one start again.
	former, err := db.Select[int64](tx, `UPDATE schemas SET is_default = FALSE WHERE tenant_id = $1 AND is_default RETURNING number`)
	if err != nil {
		return err
	}
	if len(former) != 1 {
		return fmt.Errorf("schemas: %d default schemas of one partner", len(former))
	}
	if _, err := tx.Exec(`UPDATE schemas SET is_default = TRUE WHERE tenant_id = $1 AND number = $2`, number); err != nil {
		return err
	}
	type chosen struct {
		Default int64 `json:"default"`
	}
	return audit.Record(tx, audit.Change{Action: "schemas.set_default", Kind: "schema", ID: fmt.Sprint(number), Before: chosen{former[0]},
		After: chosen{number}})
}

// Remove deletes a schema that nobody is settled by. Its versions stay
// readable for the settlements made by them; its number is not used again.
func Remove(tx *db.Tx, number int64) error {
	s, err := Get(tx, number)
	switch {
	case err != nil:
		return err
	case s.IsDefault:
		return ErrIsDefault
	case s.Drivers > 0:
		return ErrAttached.With("drivers", s.Drivers)
	}
	if _, err := tx.Exec(`UPDATE schemas SET deleted_at = $3 WHERE tenant_id = $1 AND number = $2`, number, tx.Now); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "schemas.remove", Kind: "schema", ID: fmt.Sprint(number), Before: s.Rules})
}

// SettledDriver is a driver as a schema's list names them.
type SettledDriver struct{ ID, FirstName, LastName string }

// Drivers are the first of those who are settled by a schema, by name,
// and how many there are in all.
func Drivers(tx *db.Tx, number int64) (first []SettledDriver, all int64, err error) {
	s, err := Get(tx, number)
	if err != nil {
		return nil, 0, err
	}
	first, err = db.Select[SettledDriver](tx, `SELECT d.id, d.first_name, d.last_name FROM schemas s JOIN drivers d ON `+settledBy+`
		WHERE s.tenant_id = $1 AND s.number = $2 ORDER BY d.search_key, d.id`+fmt.Sprintf(` LIMIT %d`, AttachedShown), number)
	return first, s.Drivers, err
}
