package dedicated

import (
	"errors"
	"fmt"

	"saldo/internal/partners"
	"saldo/internal/platform/db"
)

// Publish saves a report of the operator, or its next version, and says which it is. The system acts.
func (s *Service) Publish(tx *db.Tx, f File) (version int64, err error) {
	_, d, err := ParseFile([]byte(db.JSON(f)))
	if err != nil {
		return 0, err
	}
	for _, code := range f.Partners {
		if _, err := partners.ByCode(tx, code); errors.Is(err, db.ErrNone) {
			return 0, fmt.Errorf("there is no partner %q", code)
		} else if err != nil {
			return 0, err
		}
	}
	if err := tx.As(Scope("-"), func() error { return s.tried(tx, d) }); err != nil {
		return 0, err
	}
	codes := db.JSON(append([]string{}, f.Partners...))
	version, err = db.One[int64](tx.Across(), `SELECT version + 1 FROM report_definitions WHERE tenant_id = '' AND code = $1`, f.Code)
	if err == nil {
		_, err = tx.Across().Exec(`UPDATE report_definitions SET audience = $2, partners = $3, definition = $4, enabled = TRUE, version = $5,
			changed_at = $6 WHERE tenant_id = '' AND code = $1`, f.Code, string(f.Audience), codes, string(f.Definition), version, tx.Now)
		return version, err
	}
	if !errors.Is(err, db.ErrNone) {
		return 0, err
	}
	_, err = tx.Across().Exec(`INSERT INTO report_definitions (tenant_id, id, code, audience, partners, definition, enabled, version, made_at,
		made_by, changed_at, changed_by) VALUES ('', $1, $2, $3, $4, $5, TRUE, 1, $6, '', $6, '')`, tx.NewID(), f.Code, string(f.Audience),
		codes, string(f.Definition), tx.Now)
	return 1, err
}

// Kept is a report of anybody, as the operator lists them.
type Kept struct {
	TenantID string // empty: the operator's
	Report
	Place string // that is not understood any more
}

// All are the reports of the operator and of all partners. The system acts.
func All(tx *db.Tx) ([]Kept, error) {
	rows, err := db.Select[keptReport](tx.Across(), `SELECT `+reportColumns+` FROM report_definitions r ORDER BY r.tenant_id, r.code`)
	if err != nil {
		return nil, err
	}
	list := make([]Kept, len(rows))
	for i := range rows {
		list[i] = Kept{TenantID: rows[i].TenantID, Report: rows[i].Report}
		if err := list[i].parse(); err != nil {
			return nil, err
		}
		if list[i].Refusal != nil {
			list[i].Place = list[i].Refusal.Place
		}
	}
	return list, nil
}
