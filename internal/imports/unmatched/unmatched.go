package unmatched

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/imports/statement"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

var (
	ErrIdentityNotFound = fault.Declare(fault.NotFound, "imports.identity_not_found")
	// ErrDecided is the answer to deciding what somebody has decided already.
	ErrDecided = fault.Declare(fault.Conflict, "imports.identity_decided")
	// ErrUndecided is the answer to taking back what nobody decided.
	ErrUndecided = fault.Declare(fault.Conflict, "imports.identity_undecided")
	// ErrNoSuchDriver is the answer to assigning to somebody who is no driver of the partner.
	ErrNoSuchDriver = fault.Declare(fault.NotFound, "imports.driver_not_found")
)

// The states of an unmatched driver.
const (
	Unmatched = "waiting"
	Assigned  = "assigned"
	Ignored   = "ignored"
)

// Service decides about unmatched drivers.
type Service struct {
	Drivers drivers.Service
}

const identityKind = "import_identity"

// Keys are kept as one text.
type Keys []statement.Key

// Scan reads them back.
func (k *Keys) Scan(value any) error { return db.ScanJSON(value, k) }

// Identities are kept as one text.
type Identities []drivers.Identity

// Scan reads them back.
func (i *Identities) Scan(value any) error { return db.ScanJSON(value, i) }

// Identity is somebody whom files name and nobody knew.
type Identity struct {
	ID, Provider                    string
	Keys                            Keys
	FirstName, LastName, Name       string
	State                           string
	DriverID                        string
	DriverFirstName, DriverLastName string
	Taught                          Identities
	CreatedAt                       time.Time
	DecidedAt                       time.Time
	DecidedBy                       string
	Rows                            int64
	Sum                             money.Amount
	FirstOn, LastOn                 string // days of the rows
}

// FullName is what the file calls them.
func (i Identity) FullName() string {
	return statement.Person{FirstName: i.FirstName, LastName: i.LastName, Name: i.Name}.FullName()
}

// an assigned one's rows are transactions, those of the others wait
const identitySelect = `SELECT i.id, i.provider, i.keys, i.first_name, i.last_name, i.name, i.state, i.driver_id, COALESCE(d.first_name,
	'') AS driver_first_name,
	COALESCE(d.last_name, '') AS driver_last_name, i.taught, i.created_at, i.decided_at, i.decided_by,
	(SELECT COUNT(*) FROM unmatched_rows r WHERE r.tenant_id = i.tenant_id AND r.identity_id = i.id)
		+ (SELECT COUNT(*) FROM transactions t WHERE t.tenant_id = i.tenant_id AND t.identity_id = i.id AND t.identity_id <> '') AS rows,
	CAST(COALESCE((SELECT SUM(r.amount) FROM unmatched_rows r WHERE r.tenant_id = i.tenant_id AND r.identity_id = i.id), 0)
		+ COALESCE((SELECT SUM(t.amount) FROM transactions t WHERE t.tenant_id = i.tenant_id AND t.identity_id = i.id
		AND t.identity_id <> ''), 0) AS BIGINT) AS sum,
	COALESCE((SELECT MIN(r.occurred_on) FROM unmatched_rows r WHERE r.tenant_id = i.tenant_id AND r.identity_id = i.id), '') AS first_on,
	COALESCE((SELECT MAX(r.occurred_on) FROM unmatched_rows r WHERE r.tenant_id = i.tenant_id AND r.identity_id = i.id), '') AS last_on
	FROM unmatched_drivers i LEFT JOIN drivers d ON d.tenant_id = i.tenant_id AND d.id = i.driver_id WHERE i.tenant_id = $1`

// IdentityFilter says which are wanted. What is empty filters nothing.
type IdentityFilter struct {
	State, Provider string
	After           string
	Limit           int
}

// UnmatchedDrivers is a page of them, newest first, and how many there are in each state.
type UnmatchedDrivers struct {
	Identities []Identity
	Next       string
	Counts     map[string]int64
}

// IdentitiesOf lists unmatched drivers.
func IdentitiesOf(tx *db.Tx, f IdentityFilter) (box UnmatchedDrivers, err error) {
	box.Counts = map[string]int64{}
	counts, err := db.Select[struct {
		State string
		N     int64
	}](tx, `SELECT state, COUNT(*) AS n FROM unmatched_drivers WHERE tenant_id = $1 GROUP BY state`)
	if err != nil {
		return box, err
	}
	for _, c := range counts {
		box.Counts[c.State] = c.N
	}
	text, args := identitySelect, []any{}
	for _, c := range []struct{ condition, value string }{{"i.state = $%d", f.State}, {"i.provider = $%d", f.Provider},
		{"i.id < $%d", f.After}} {
		if c.value != "" {
			args = append(args, c.value)
			text += fmt.Sprintf(" AND "+c.condition, len(args)+1)
		}
	}
	box.Identities, err = db.Select[Identity](tx, fmt.Sprintf("%s ORDER BY i.id DESC LIMIT %d", text, f.Limit+1), args...)
	if len(box.Identities) > f.Limit {
		box.Identities = box.Identities[:f.Limit]
		box.Next = box.Identities[f.Limit-1].ID
	}
	return box, err
}

// IdentityOf finds one.
func IdentityOf(tx *db.Tx, id string) (Identity, error) {
	i, err := db.One[Identity](tx, identitySelect+` AND i.id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		return i, ErrIdentityNotFound
	}
	return i, err
}

// Assign gives an identity to a driver: what the files know them by is
// remembered, and the rows that wait become the driver's at once. It says how many.
func (d Service) Assign(tx *db.Tx, id, driverID string) (int64, error) {
	i, err := IdentityOf(tx, id)
	if err != nil {
		return 0, err
	}
	if i.State != Unmatched {
		return 0, ErrDecided
	}
	taught, err := d.Drivers.Teach(tx, driverID, i.lessons())
	if errors.Is(err, drivers.ErrNotFound) {
		return 0, ErrNoSuchDriver
	}
	if err != nil {
		return 0, err
	}
	if err := i.decide(tx, Assigned, driverID, taught); err != nil {
		return 0, err
	}
	moved, err := rowsOf(tx, id, false)
	if err != nil {
		return 0, err
	}
	n, err := ledger.AssignUnmatched(tx, id, driverID)
	if err != nil {
		return 0, err
	}
	if err := moveCounts(tx, moved, Unmatched, Assigned); err != nil {
		return 0, err
	}
	email, phone := i.contact(d.Drivers.Country)
	if err := d.Drivers.FillContact(tx, driverID, email, phone); err != nil {
		return 0, err
	}
	return n, audit.Record(tx, audit.Change{Action: "import_identities.assign", Kind: identityKind, ID: id,
		After: map[string]any{"driver": driverID, "rows": n}})
}

// lessons are the keys that a driver is known by from now on. A plate is of a
// car that several may drive: it is remembered only where there is nothing
// surer. A name is no key.
func (i Identity) lessons() []drivers.Identity {
	lessons := []drivers.Identity{}
	for n, k := range i.Keys {
		value := strings.Join(strings.Fields(k.Value), " ")
		if k.Kind == statement.ByCard {
			value = k.Compared()
		}
		if (k.Kind == statement.ByPlate && n > 0) || value == "" || len([]rune(value)) > lessonMax {
			continue
		}
		lessons = append(lessons, drivers.Identity{Provider: i.Provider, Value: value})
	}
	return lessons
}

// lessonMax is how long an identity of a driver may be.
const lessonMax = 100

// decide moves an unmatched driver on, once.
func (i Identity) decide(tx *db.Tx, state, driverID string, taught []drivers.Identity) error {
	n, err := tx.Exec(`UPDATE unmatched_drivers SET state = $3, driver_id = $4, taught = $5, decided_at = $6, decided_by = $7
		WHERE tenant_id = $1 AND id = $2 AND state = 'waiting'`,
		i.ID, state, driverID, db.JSON(taught), tx.Now, tx.Actor.Name)
	if err == nil && n == 0 {
		return ErrDecided
	}
	return err
}

// NewDriver is what is written down of somebody whom a person makes a driver of. What is empty is taken from the files.
type NewDriver struct {
	Name
	Email, Phone string
}

// Create writes a new driver down and gives identities to them, all of which are that person.
func (d Service) Create(tx *db.Tx, ids []string, n NewDriver) (driverID string, rows int64, err error) {
	people, err := undecided(tx, ids)
	if err != nil {
		return "", 0, err
	}
	if driverID, err = d.writeDown(tx, people, n); err != nil {
		return "", 0, err
	}
	rows, err = d.AssignAll(tx, ids, driverID)
	return driverID, rows, err
}

// AssignAll gives identities, all of which are one person, to a driver, or none of them.
func (d Service) AssignAll(tx *db.Tx, ids []string, driverID string) (rows int64, err error) {
	for _, id := range ids {
		n, err := d.Assign(tx, id, driverID)
		if err != nil {
			return 0, err
		}
		rows += n
	}
	return rows, nil
}

// undecided are identities of which all still wait.
func undecided(tx *db.Tx, ids []string) ([]Identity, error) {
	people := make([]Identity, len(ids))
	for n, id := range ids {
		i, err := IdentityOf(tx, id)
		if err != nil {
			return nil, err
		}
		if i.State != Unmatched {
			return nil, ErrDecided
		}
		people[n] = i
	}
	return people, nil
}

// writeDown makes a driver of what files say of identities, and of what a person says.
func (d Service) writeDown(tx *db.Tx, people []Identity, n NewDriver) (driverID string, err error) {
	who := (&Matcher{country: d.Drivers.Country}).person(people, familyFirst(people))
	if n.First == "" && n.Last == "" {
		n.Name = who.Name
	}
	return d.Drivers.WriteDown(tx, drivers.Details{FirstName: n.First, LastName: n.Last, Email: cmp.Or(n.Email, who.Email),
		Phone: cmp.Or(n.Phone, who.Phone)})
}

// IgnoreAll ignores identities, all of which are one person, or none of them.
func IgnoreAll(tx *db.Tx, ids []string) error {
	for _, id := range ids {
		if err := Ignore(tx, id); err != nil {
			return err
		}
	}
	return nil
}

// Ignore lets the rows of an identity wait for nobody, in this file and in later ones.
func Ignore(tx *db.Tx, id string) error {
	i, err := IdentityOf(tx, id)
	if err != nil {
		return err
	}
	if i.State != Unmatched {
		return ErrDecided
	}
	if err := i.decide(tx, Ignored, "", []drivers.Identity{}); err != nil {
		return err
	}
	moved, err := rowsOf(tx, id, false)
	if err != nil {
		return err
	}
	if err := moveCounts(tx, moved, Unmatched, Ignored); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "import_identities.ignore", Kind: identityKind, ID: id})
}

// Undo takes a decision back: the rows wait again, also those of later files,
// and the driver is no longer known by what the decision taught. A driver who
// was made for it stays. What is settled keeps it as it is.
func (d Service) Undo(tx *db.Tx, id string) (int64, error) {
	i, err := IdentityOf(tx, id)
	if err != nil {
		return 0, err
	}
	if i.State == Unmatched {
		return 0, ErrUndecided
	}
	moved, err := rowsOf(tx, id, i.State == Assigned)
	if err != nil {
		return 0, err
	}
	var n int64
	if i.State == Assigned {
		if n, err = ledger.ReturnUnmatched(tx, id); err != nil {
			return 0, err
		}
		if err := d.Drivers.Unteach(tx, i.DriverID, i.Taught); err != nil {
			return 0, err
		}
	}
	done, err := tx.Exec(`UPDATE unmatched_drivers SET state = 'waiting', driver_id = '', taught = '[]', decided_at = '', decided_by = ''
		WHERE tenant_id = $1 AND id = $2 AND state = $3`, id, i.State)
	if err != nil {
		return 0, err
	}
	if done == 0 {
		return 0, ErrUndecided
	}
	if err := moveCounts(tx, moved, i.State, Unmatched); err != nil {
		return 0, err
	}
	return n, audit.Record(tx, audit.Change{Action: "import_identities.undo", Kind: identityKind, ID: id,
		Before: map[string]any{"state": i.State, "driver": i.DriverID}, After: map[string]any{"rows": n}})
}

// Add stores people who match no driver.
func Add(tx *db.Tx, people []*Match) error {
	if len(people) == 0 {
		return nil
	}
	_, err := tx.Insert("unmatched_drivers",
		[]string{"id", "provider", "key_kind", "key_value", "keys", "first_name", "last_name", "name", "state", "driver_id", "taught",
			"created_at",
			"decided_at", "decided_by"}, func(yield func([]any) bool) {
			for _, m := range people {
				if !yield([]any{m.Identity, m.Provider, m.Surest.Kind, m.Surest.Value, db.JSON(m.Person.Keys), m.Person.FirstName,
					m.Person.LastName, m.Person.Name, Unmatched, "", "[]", tx.Now, "", ""}) {
					return
				}
			}
		})
	return err
}

// Forget removes unmatched drivers of whom no row is left and about whom nobody decided.
func Forget(tx *db.Tx) error {
	_, err := tx.Exec(`DELETE FROM unmatched_drivers WHERE tenant_id = $1 AND state = 'waiting'
		AND NOT EXISTS (SELECT 1 FROM unmatched_rows r WHERE r.tenant_id = unmatched_drivers.tenant_id AND r.identity_id = unmatched_drivers.id)
		AND NOT EXISTS (SELECT 1 FROM replaced_rows r WHERE r.tenant_id = unmatched_drivers.tenant_id AND r.identity_id = unmatched_drivers.id)`)
	return err
}

// KnownTo are the values by which people of a provider are known, drivers and unmatched ones.
func KnownTo(tx *db.Tx, provider string) ([]string, error) {
	return db.Select[string](tx, `SELECT value FROM driver_identities WHERE tenant_id = $1 AND provider = $2
		UNION ALL SELECT key_value FROM unmatched_drivers WHERE tenant_id = $1 AND provider = $2 AND key_kind = 'id'`, provider)
}
