// Package partners is the partners: each is a tenant, with its name and colours.
package partners

import (
	"errors"
	"regexp"
	"time"

	"saldo/internal/licences"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// Partner is a fleet, or an operator that settles for one.
type Partner struct {
	TenantID   string
	Code, Name string
	Color      string // primary colour as #RRGGBB
	Logo       string // key of the picture in the blob store; empty: none
	Demo       bool
	CreatedAt  time.Time
}

// ErrCodeTaken is the answer to a second partner with one code.
var ErrCodeTaken = errors.New("another partner has this code: choose a different one")

var code = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

var colour = regexp.MustCompile(`^#[0-9A-Fa-f]{6}$`)

// Found makes a partner with units of its licence to begin with. The unit of work acts for the new tenant.
func Found(tx *db.Tx, p Partner, units int64) error {
	switch {
	case !colour.MatchString(p.Color):
		return errors.New("a colour is written as #RRGGBB")
	case !code.MatchString(p.Code):
		return errors.New("a partner's code is 1 to 40 small letters, digits and dashes")
	case p.Name == "":
		return errors.New("a partner needs a name")
	}
	n, err := tx.Exec(`INSERT INTO partners (tenant_id, code, name, color, logo, demo, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`, p.Code, p.Name, p.Color, p.Logo, p.Demo, tx.Now)
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrCodeTaken
	}
	if err := licences.Open(tx, units); err != nil {
		return err
	}
	if err := foundProfile(tx); err != nil {
		return err
	}
	if err := foundSchema(tx); err != nil {
		return err
	}
	if p.Demo {
		if err := SetFeature(tx, LanguageSelector, true); err != nil {
			return err
		}
	}
	return audit.Record(tx, audit.Change{Action: "partners.found", Kind: "partner", ID: tx.Actor.Tenant, After: map[string]any{"partner": p,
		"units": units}})
}

const columns = `tenant_id, code, name, color, logo, demo, created_at`

// Own is the partner in whose tenant the unit of work runs.
func Own(tx *db.Tx) (Partner, error) {
	return db.One[Partner](tx, `SELECT `+columns+` FROM partners WHERE tenant_id = $1`)
}

// ByCode finds a partner of any tenant by its code, for what is public about
// it. An unknown code is db.ErrNone.
func ByCode(tx *db.Tx, code string) (Partner, error) {
	return db.One[Partner](tx.Across(), `SELECT `+columns+` FROM partners WHERE code = $1`, code)
}

// ByID finds a partner of any tenant by its id. An unknown id is db.ErrNone.
func ByID(tx *db.Tx, id string) (Partner, error) {
	return db.One[Partner](tx.Across(), `SELECT `+columns+` FROM partners WHERE tenant_id = $1`, id)
}

// All are every partner, by code.
func All(tx *db.Tx) ([]Partner, error) {
	return db.Select[Partner](tx.Across(), `SELECT `+columns+` FROM partners ORDER BY code`)
}
