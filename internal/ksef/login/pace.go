package login

import (
	"context"
	"errors"
	"fmt"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
)

// limits are those of production, which all environments are asked by: calls in a second, a minute and an hour; 0: no limit.
var limits = map[string][3]int{
	public: {60, 0, 0}, "other": {10, 30, 120},
	"onlineSession": {10, 30, 120}, "batchSession": {10, 20, 60}, "invoiceSend": {10, 30, 180}, "invoiceStatus": {30, 120, 1200},
	"sessionInvoiceList": {10, 20, 200}, "sessionMisc": {10, 120, 1200}, "invoiceMetadata": {8, 16, 20}, "invoiceExport": {8, 16, 20},
	"invoiceExportStatus": {10, 60, 600}, "invoiceDownload": {8, 16, 64}, "collectiveIdentifier": {10, 60, 120},
}

// public are calls that KSeF counts by address alone, whoever makes them.
const public = "public"

// spans are longer than KSeF's: calls may reach it closer together than they were made.
var spans = [3]time.Duration{1200 * time.Millisecond, 61 * time.Second, time.Hour + 5*time.Second}

// pace counts calls in the database, so that all instances keep the limits together and a restart forgets none. It takes all instances
// for one address.
type pace struct {
	*Service
	tenant string
}

// May counts a call that may be made now, or says how long to wait.
func (p pace) May(ctx context.Context, group string) (wait time.Duration, err error) {
	most, known := limits[group]
	if !known {
		return 0, fmt.Errorf("ksef: the limits of %q are unknown", group)
	}
	who := access.ProgramFor(p.tenant, "ksef")
	if group == public {
		who = access.Program("ksef")
	}
	err = p.DB.Write(ctx, who, func(tx *db.Tx) (err error) {
		var q db.Queries = tx
		of := func(args ...any) []any { return append([]any{p.Environment, group}, args...) }
		if group == public { // they belong to no tenant
			q, of = tx.Across(), func(args ...any) []any { return append([]any{"", p.Environment, group}, args...) }
		}
		if wait, err = tooFast(q, most, tx.Now, of); err != nil || wait > 0 {
			return err
		}
		if _, err := q.Exec(`DELETE FROM ksef_calls WHERE tenant_id = $1 AND environment = $2 AND place = $3 AND at <= $4`,
			of(tx.Now.Add(-spans[2]))...); err != nil {
			return err
		}
		_, err = q.Exec(`INSERT INTO ksef_calls (tenant_id, environment, place, id, at) VALUES ($1, $2, $3, $4, $5)`,
			of(tx.NewID(), tx.Now)...)
		return err
	})
	return wait, err
}

// tooFast is how long it takes until one call more is not too many.
func tooFast(q db.Queries, most [3]int, now time.Time, of func(...any) []any) (wait time.Duration, err error) {
	for n, span := range spans {
		if most[n] == 0 {
			continue
		}
		at, err := db.One[time.Time](q, `SELECT at FROM ksef_calls WHERE tenant_id = $1 AND environment = $2 AND place = $3
			ORDER BY at DESC LIMIT 1 OFFSET $4`, of(most[n]-1)...)
		if errors.Is(err, db.ErrNone) {
			continue
		}
		if err != nil {
			return 0, err
		}
		wait = max(wait, at.Add(span).Sub(now))
	}
	return wait, nil
}
