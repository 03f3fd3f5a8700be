package api

import (
	"context"
	"io"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/spreadsheet"
	"saldo/internal/platform/web"
)

func (s Settings) driverExportRoutes(r *web.Router) {
	web.Plain(r, web.Route{Method: get, Path: "/api/drivers/export", Name: "export-drivers",
		Permission: access.DriversRead, Timeout: 2 * time.Minute,
		Summary: "All drivers of a filter as a file"}, s.exportDrivers)
}

// exportDrivers hands out all drivers of a filter as a file.
func (s Settings) exportDrivers(ctx context.Context, c web.Call, in *struct {
	DriverQuery
	Format   string   `query:"format" enum:"csv,xlsx" default:"csv"`
	Language Language `query:"lang"`
}) (func(huma.Context), error) {
	format := spreadsheet.Format(in.Format)
	e := drivers.Export{Filter: s.driverFilter(in.DriverQuery), Language: s.wordsOf(in.Language), Zone: s.Instance.Location()}
	var count int64
	return s.serveExport(ctx, c, export{mediaType: format.MediaType(),
		write: func(tx *db.Tx, to io.Writer) error {
			table, err := spreadsheet.New(format, to, e.Name(), e.Heads())
			if err != nil {
				return err
			}
			if count, err = e.Write(tx, s.Vault, table); err != nil {
				return err
			}
			return table.Close()
		},
		record: func(tx *db.Tx) (string, error) { return e.FileName(tx.Now, format), e.Record(tx, format, count) }})
}
