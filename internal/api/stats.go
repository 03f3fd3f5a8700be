package api

import (
	"saldo/internal/accounts"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/reports/stats"
)

func (s Settings) statsRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/stats/partner", Name: "partner-stats", Permission: access.SettlementsRead, Tagged: true,
		Summary: "What a fleet earned, by week, app and driver"}, s.partnerStats)
	web.Driver(r, web.Route{Method: get, Path: "/api/stats/driver", Name: "driver-stats", Permission: access.AccountRead, Tagged: true,
		Summary: "What a driver earned, by week"}, s.driverStats)
}

// FleetStatistics is what a fleet earned.
type FleetStatistics struct {
	stats.Fleet
	Completeness []ImportProvider `json:"completeness" nullable:"false"`
}

func (s Settings) partnerStats(tx *db.Tx, in *struct {
	From string `query:"from" maxLength:"10" doc:"a day of the first week"`
	To   string `query:"to" maxLength:"10" doc:"a day of the last week; no days: 26 weeks"`
}) (out FleetStatistics, err error) {
	today := calendar.DateOf(tx.Now, s.Instance.Location(), 0)
	span, err := stats.SpanOf(calendar.Date(in.From), calendar.Date(in.To), today)
	if err != nil {
		return out, err
	}
	if out.Fleet, err = stats.OfFleet(tx, s.Instance, span, today); err != nil {
		return out, err
	}
	covered, err := s.importCoverage(tx, nil)
	out.Completeness = covered.Providers
	return out, err
}

func (s Settings) driverStats(tx *db.Tx, who access.Actor, in *struct {
	Weeks int `query:"weeks" minimum:"2" maximum:"53" default:"26"`
}) (out stats.DriverStatistics, err error) {
	partner, driver, err := accounts.OwnDriver(tx, who)
	if err != nil || driver == "" {
		return stats.DriverStatistics{Currency: s.Instance.Currency, Weeks: []stats.DriverWeek{}}, err
	}
	err = tx.As(who.In(partner), func() error {
		out, err = stats.OfDriver(tx, s.Instance, driver, in.Weeks, calendar.DateOf(tx.Now, s.Instance.Location(), 0))
		return err
	})
	return out, err
}
