package drivers

import (
	"fmt"

	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// NewDriver is one of many drivers that are added at once.
type NewDriver struct {
	Details
	Identities []Identity
	Tags       []string // ids
}

// AddMany writes many drivers down at once and gives their ids in the same
// order. Nobody is mailed: the partner sends activations when it is ready to
// answer questions. One wrong driver refuses all, by their place in the list.
func (b Service) AddMany(tx *db.Tx, added []NewDriver) ([]string, error) {
	ids := make([]string, len(added))
	for i := range added {
		n := &added[i]
		var err error
		if n.Details, err = n.checked(tx, b.Country); err != nil {
			return nil, fmt.Errorf("drivers: driver %d of those moving in: %w", i+1, err)
		}
		if n.Identities, err = checkedIdentities(n.Identities); err != nil {
			return nil, fmt.Errorf("drivers: driver %d of those moving in: %w", i+1, err)
		}
		ids[i] = tx.NewID()
	}
	if _, err := db.InsertAll(tx, "drivers", func(yield func(newDriver) bool) {
		for i, n := range added {
			if !yield(b.newDriver(tx, ids[i], n.Details)) {
				return
			}
		}
	}); err != nil {
		return nil, err
	}
	if _, err := tx.Insert("driver_identities", []string{"driver_id", "provider", "value", "created_at"}, func(yield func([]any) bool) {
		for i, n := range added {
			for _, one := range n.Identities {
				if !yield([]any{ids[i], one.Provider, one.Value, tx.Now}) {
					return
				}
			}
		}
	}); err != nil {
		return nil, err
	}
	if _, err := tx.Insert("driver_tags", []string{"driver_id", "tag_id"}, func(yield func([]any) bool) {
		for i, n := range added {
			for _, tag := range n.Tags {
				if !yield([]any{ids[i], tag}) {
					return
				}
			}
		}
	}); err != nil {
		return nil, err
	}
	for i, n := range added {
		if err := audit.Record(tx, audit.Change{Action: "drivers.add", Kind: AuditKind, ID: ids[i],
			After: n.AuditView(Details{})}); err != nil {
			return nil, err
		}
	}
	return ids, nil
}
