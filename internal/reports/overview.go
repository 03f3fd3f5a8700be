package reports

import (
	"strings"

	"saldo/internal/connections"
	"saldo/internal/imports"
	"saldo/internal/imports/unmatched"
	"saldo/internal/kernel/calendar"
	"saldo/internal/licences"
	"saldo/internal/payouts"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
	"saldo/internal/summaries"
)

// Overview is what a fleet has to do now. What is pending is not in it: it is computed, and takes longer than all of this.
type Overview struct {
	Period       calendar.Period // the last week that has ended
	First, Last  calendar.Date
	MissingFiles []imports.MissingFile // of that week
	ToConfirm    int64                 // files that were read and neither confirmed nor discarded
	Unmatched    int64                 // drivers of files whom nobody was assigned to
	Unsent       int64                 // settlements that can be sent to their drivers and never were
	FailedMails  int64
	Payouts      payouts.Open
	Left         int64 // settlements in the licence
	Failing      int64 // connections to services of others that do not work
}

// OverviewOf reads what a fleet has to do now.
func OverviewOf(tx *db.Tx, s *settlements.Service) (o Overview, err error) {
	periods, err := s.Periods(tx)
	if err != nil {
		return o, err
	}
	ended := periods[1]
	o.Period, o.First, o.Last = ended.Code, ended.First, ended.Last
	if o.MissingFiles, err = s.Imports.MissingFiles(tx, o.Period); err != nil {
		return o, err
	}
	if o.ToConfirm, err = imports.ToConfirm(tx); err != nil {
		return o, err
	}
	if o.Unmatched, err = unmatched.Count(tx, strings.ToUpper(s.Instance.Code)); err != nil {
		return o, err
	}
	if o.Unsent, o.FailedMails, err = summaries.Open(tx); err != nil {
		return o, err
	}
	if o.Payouts, err = payouts.OpenOf(tx); err != nil {
		return o, err
	}
	if o.Left, err = licences.Left(tx); err != nil {
		return o, err
	}
	o.Failing, err = connections.CountFailing(tx)
	return o, err
}
