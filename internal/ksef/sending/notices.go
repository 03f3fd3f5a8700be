package sending

import (
	"time"

	"saldo/internal/drivers"
	"saldo/internal/messages"
	"saldo/internal/platform/db"
)

// tellAgain is how long a driver who was told is left alone.
const tellAgain = 7 * 24 * time.Hour

// tellSellers tells drivers whose invoices are held for want of a permission how to give it, once a week. What was told is taken back from
// those of whom nothing is held any more.
func (s *Service) tellSellers(tx *db.Tx) error {
	a, err := s.Login.Of(tx)
	if err != nil {
		return err
	}
	held, err := db.Select[string](tx, `SELECT DISTINCT `+drivers.CanonicalID("d")+` FROM ksef_sendings k
		JOIN billing_documents b ON b.tenant_id = k.tenant_id AND b.id = k.document_id
		JOIN settlements s ON s.tenant_id = b.tenant_id AND s.id = b.settlement_id
		JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id
		WHERE k.tenant_id = $1 AND k.state = 'held' AND k.reason = 'no_grant' ORDER BY 1`)
	if err != nil {
		return err
	}
	told, err := db.Select[struct {
		DriverID string
		ToldAt   time.Time
	}](tx, `SELECT driver_id, told_at FROM ksef_grant_notices WHERE tenant_id = $1 AND environment = $2 ORDER BY driver_id`,
		s.Login.Environment)
	if err != nil {
		return err
	}
	recently, waits := map[string]bool{}, map[string]bool{}
	for _, t := range told {
		recently[t.DriverID] = tx.Now.Before(t.ToldAt.Add(tellAgain))
	}
	for _, driver := range held {
		waits[driver] = true
		if recently[driver] {
			continue
		}
		if err := messages.Tell(tx, messages.Notice{Kind: messages.KSeFPermission, DriverID: driver, ObjectID: driver,
			Params: map[string]string{"nip": string(a.NIP)}}); err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO ksef_grant_notices (tenant_id, environment, driver_id, told_at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (tenant_id, environment, driver_id) DO UPDATE SET told_at = excluded.told_at`, s.Login.Environment, driver,
			tx.Now); err != nil {
			return err
		}
	}
	for _, t := range told {
		if waits[t.DriverID] {
			continue
		}
		if err := messages.TakeBack(tx, t.DriverID, messages.KSeFPermission); err != nil {
			return err
		}
		if _, err := tx.Exec(`DELETE FROM ksef_grant_notices WHERE tenant_id = $1 AND environment = $2 AND driver_id = $3`,
			s.Login.Environment, t.DriverID); err != nil {
			return err
		}
	}
	return nil
}
