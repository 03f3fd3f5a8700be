package settlements

import "saldo/internal/platform/db"

// Go does what the job of a run does next.
func (d *Service) Go(tx *db.Tx, id string) (Run, error) {
	r, err := RunOf(tx, id)
	if err != nil || r.State != RunRunning {
		return r, err
	}
	if r.Place < 0 {
		changed, err := d.changedSince(tx, &r)
		if err != nil {
			return r, err
		}
		return r, r.begin(tx, changed)
	}
	return r, d.advance(tx, &r, nil)
}
