package imports

import (
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
)

// What is there of a provider's week.
const (
	WeekComplete = "complete"
	WeekLate     = "late" // complete, but a week or more after it ended
	WeekPartial  = "partial"
	WeekMissing  = "missing"
)

// coveredWeeks is how many weeks that are over are looked at.
const coveredWeeks = 12

// lateDays is how long after the end of a week its files are in time.
const lateDays = 7

// WeekCover is what is there of one week.
type WeekCover struct {
	Week    calendar.Period
	State   string
	Days    int // of seven
	Imports []string
}

// Coverage is what is there of one provider.
type Coverage struct {
	Provider string
	Weeks    []WeekCover // the newest first
}

// CoverageOf says which weeks of which providers are there, by the days that
// imports with booked rows cover: of every provider whose file was ever imported, over the last
// weeks that have ended. Sheets of our own come when somebody fills one in, so
// none is missing.
func (d *Service) CoverageOf(tx *db.Tx) ([]Coverage, error) {
	imports, err := db.Select[struct {
		ID, Provider         string
		PeriodFrom, PeriodTo calendar.Date
		UploadedAt           time.Time
	}](tx, `SELECT id, provider, period_from, period_to, uploaded_at FROM imports WHERE tenant_id = $1 AND status = 'success'
		AND booked_as <> 'detail' AND period_to <> '' ORDER BY uploaded_at, id`)
	if err != nil {
		return nil, err
	}
	zone := d.Instance.Location()
	weeks := calendar.Recent(calendar.DateOf(tx.Now, zone, 0), coveredWeeks+1)[1:]
	covered := []Coverage{}
	for _, p := range kinds.Providers {
		if p.OwnSheets {
			continue
		}
		c := Coverage{Provider: p.Code}
		known := false
		for _, week := range weeks {
			cover := WeekCover{Week: week, State: WeekMissing, Imports: []string{}}
			monday := week.Monday()
			var there [7]bool
			for _, i := range imports {
				if i.Provider != p.Code {
					continue
				}
				known = true
				if i.PeriodTo < monday || i.PeriodFrom > monday.AddDays(6) {
					continue
				}
				cover.Imports = append(cover.Imports, i.ID)
				before := cover.Days
				for n := range there {
					if day := monday.AddDays(n); !there[n] && i.PeriodFrom <= day && day <= i.PeriodTo {
						there[n] = true
						cover.Days++
					}
				}
				if before < 7 && cover.Days == 7 {
					cover.State = WeekComplete
					if calendar.DateOf(i.UploadedAt, zone, 0).DaysSince(monday.AddDays(6)) > lateDays {
						cover.State = WeekLate
					}
				}
			}
			if cover.Days > 0 && cover.Days < 7 {
				cover.State = WeekPartial
			}
			c.Weeks = append(c.Weeks, cover)
		}
		if known {
			covered = append(covered, c)
		}
	}
	return covered, nil
}

// MissingFile is a provider whose week is not there, or only a part of it.
type MissingFile struct {
	Provider, State string
}

// MissingFiles are the files of a week that other weeks have.
func (d *Service) MissingFiles(tx *db.Tx, period calendar.Period) (missing []MissingFile, err error) {
	covered, err := d.CoverageOf(tx)
	for _, c := range covered {
		for _, w := range c.Weeks {
			if w.Week == period && (w.State == WeekMissing || w.State == WeekPartial) {
				missing = append(missing, MissingFile{c.Provider, w.State})
			}
		}
	}
	return missing, err
}
