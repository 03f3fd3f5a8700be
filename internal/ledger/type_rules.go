package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"saldo/internal/kernel/fault"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// ErrTypeRuleNotFound is the answer to removing a remembered type that is not there.
var ErrTypeRuleNotFound = fault.Declare(fault.NotFound, "transactions.type_rule_not_found")

// TypeRule is what a type is remembered by: a provider, the layout of its file,
// and what a person saw there of what came unknown.
type TypeRule struct{ Provider, Layout, Label string }

// NewTypeRule is the rule for a column or description as a file has it. Where
// no type is remembered, it is empty.
func NewTypeRule(provider, layout, seen string) TypeRule {
	label := i18n.Fold(seen)
	if layout == "" || label == "" {
		return TypeRule{}
	}
	return TypeRule{provider, layout, label}
}

// ID names the rule in addresses.
func (r TypeRule) ID() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{r.Provider, r.Layout, r.Label}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

func (r TypeRule) auditID() string { return r.Provider + " " + r.Layout + " " + r.Label }

// rememberType keeps the type of a row for later rows of the same rule. UNKNOWN forgets.
func rememberType(tx *db.Tx, t Transaction, typ string) error {
	rule := NewTypeRule(t.Provider, t.RuleLayout, t.RuleLabel)
	if rule == (TypeRule{}) {
		return nil
	}
	if typ == kinds.Unknown {
		_, err := forgetType(tx, rule)
		return err
	}
	former, err := db.Select[string](tx, `SELECT type FROM remembered_types WHERE tenant_id = $1 AND provider = $2 AND layout = $3
		AND label = $4`,
		rule.Provider, rule.Layout, rule.Label)
	if err != nil || len(former) > 0 && former[0] == typ {
		return err
	}
	change := audit.Change{Action: "transactions.remember_type", Kind: "type_rule", ID: rule.auditID(), After: typ}
	if len(former) > 0 {
		change.Before = former[0]
	}
	if _, err = tx.Exec(`INSERT INTO remembered_types (tenant_id, provider, layout, label, seen, type, updated_at, updated_by)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (tenant_id, provider, layout, label) DO UPDATE SET seen = excluded.seen, type = excluded.type, updated_at =
		excluded.updated_at, updated_by = excluded.updated_by`,
		rule.Provider, rule.Layout, rule.Label, t.RuleLabel, typ, tx.Now, tx.Actor.Name); err != nil {
		return err
	}
	return audit.Record(tx, change)
}

// forgetType says whether there was something to forget.
func forgetType(tx *db.Tx, rule TypeRule) (bool, error) {
	former, err := db.Select[string](tx, `SELECT type FROM remembered_types WHERE tenant_id = $1 AND provider = $2 AND layout = $3
		AND label = $4`,
		rule.Provider, rule.Layout, rule.Label)
	if err != nil || len(former) == 0 {
		return false, err
	}
	if _, err := tx.Exec(`DELETE FROM remembered_types WHERE tenant_id = $1 AND provider = $2 AND layout = $3 AND label = $4`, rule.Provider,
		rule.Layout, rule.Label); err != nil {
		return false, err
	}
	return true, audit.Record(tx, audit.Change{Action: "transactions.remember_type", Kind: "type_rule", ID: rule.auditID(), Before: former[0]})
}

// RememberedType is a type that a person gave to what came unknown, for later files.
type RememberedType struct {
	TypeRule
	Seen      string // column or description as the file has it
	Type      string
	UpdatedAt time.Time
	UpdatedBy string
}

// RememberedTypes lists them.
func RememberedTypes(tx *db.Tx) ([]RememberedType, error) {
	return db.Select[RememberedType](tx, `SELECT provider, layout, label, seen, type, updated_at, updated_by FROM remembered_types
		WHERE tenant_id = $1
		ORDER BY provider, layout, label`)
}

// RemoveTypeRule forgets a remembered type. Rows that have taken it keep it.
func RemoveTypeRule(tx *db.Tx, id string) error {
	all, err := RememberedTypes(tx)
	if err != nil {
		return err
	}
	for _, r := range all {
		if r.ID() == id {
			_, err := forgetType(tx, r.TypeRule)
			return err
		}
	}
	return ErrTypeRuleNotFound
}
