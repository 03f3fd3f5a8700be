package app

import (
	"context"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/reports/dedicated"
)

// PublishReport saves a report of the operator and says which version of it this is.
func (a *App) PublishReport(ctx context.Context, f dedicated.File) (version int64, err error) {
	err = a.db.Write(ctx, access.Program("operator"), func(tx *db.Tx) (err error) { version, err = a.reports.Publish(tx, f); return err })
	return version, err
}

// Reports lists the reports of the operator and of all partners.
func (a *App) Reports(ctx context.Context) (list []dedicated.Kept, err error) {
	err = a.db.Read(ctx, access.Program("operator"), func(tx *db.Tx) (err error) { list, err = dedicated.All(tx); return err })
	return list, err
}
