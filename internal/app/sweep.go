package app

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/licences/orders"
	"saldo/internal/messages"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/web"
	"saldo/internal/settlements"
	"saldo/internal/summaries"
)

const (
	sweepKind = "program.sweep"
	jobsKept  = 7 * 24 * time.Hour

	previewsKept = 24 * time.Hour // dry runs that nobody started
)

// sweep forgets what has served its time.
func (a *App) sweep(ctx context.Context, run *jobs.Run) error {
	return run.Write(ctx, func(tx *db.Tx) error {
		if err := jobs.Sweep(tx, tx.Now.Add(-jobsKept)); err != nil {
			return err
		}
		if err := web.SweepKeys(tx, tx.Now.Add(-web.KeysKept)); err != nil {
			return err
		}
		if err := settlements.SweepRuns(tx, tx.Now.Add(-previewsKept)); err != nil {
			return err
		}
		if err := summaries.Sweep(tx, tx.Now.Add(-previewsKept)); err != nil {
			return err
		}
		if err := messages.Sweep(tx); err != nil {
			return err
		}
		if err := identity.SweepRevocations(tx); err != nil {
			return err
		}
		if err := mail.SweepQuotas(tx); err != nil {
			return err
		}
		if err := orders.SweepEvents(tx); err != nil {
			return err
		}
		if own := a.provider.embedded; own != nil {
			if err := own.Sweep(tx); err != nil {
				return err
			}
		}
		return run.Finish(tx)
	})
}

// jobCount shows the queue to Prometheus, counted when it asks.
type jobCount struct{ db *db.DB }

var jobsHelp = prometheus.NewDesc("saldo_jobs", "Jobs by state.", []string{"state"}, nil)

func (c jobCount) Describe(out chan<- *prometheus.Desc) { out <- jobsHelp }

func (c jobCount) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var counts map[jobs.State]int64
	err := c.db.Read(ctx, access.Program("metrics"), func(tx *db.Tx) (err error) {
		counts, err = jobs.Counts(tx)
		return err
	})
	if err != nil {
		out <- prometheus.NewInvalidMetric(jobsHelp, err)
		return
	}
	for _, s := range []jobs.State{jobs.Waiting, jobs.Running, jobs.Failed} {
		out <- prometheus.MustNewConstMetric(jobsHelp, prometheus.GaugeValue, float64(counts[s]), string(s))
	}
}
