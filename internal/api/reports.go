package api

import (
	"context"
	"io"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/spreadsheet"
	"saldo/internal/platform/web"
	"saldo/internal/reports"
)

func (s Settings) reportsRoutes(r *web.Router) {
	web.Plain(r, web.Route{Method: get, Path: "/api/reports/payout", Name: "payout-report",
		Permission: access.SettlementsRead, Timeout: 2 * time.Minute,
		Summary: "What was paid on some days as a file: by settlement and by driver, with totals"}, s.payoutReport)
}

// payoutReport hands out what was paid on some days as a file.
func (s Settings) payoutReport(ctx context.Context, c web.Call, in *struct {
	From     string   `query:"from" maxLength:"10" doc:"first day of payment, such as 2026-11-01"`
	To       string   `query:"to" maxLength:"10" doc:"last day of payment"`
	Language Language `query:"lang"`
}) (func(huma.Context), error) {
	p := reports.Payout{From: calendar.Date(in.From), To: calendar.Date(in.To), Language: s.wordsOf(in.Language),
		Currency: s.Instance.Currency}
	if err := p.Check(); err != nil {
		return nil, err
	}
	var count int64
	var paid money.Amount
	return s.serveExport(ctx, c, export{mediaType: spreadsheet.XLSX.MediaType(),
		write:  func(tx *db.Tx, to io.Writer) (err error) { count, paid, err = p.Write(tx, to); return err },
		record: func(tx *db.Tx) (string, error) { return p.FileName(), p.Record(tx, count, paid) }})
}
