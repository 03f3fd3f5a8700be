package api

import (
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/reports"
)

func (s Settings) overviewRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/overview", Name: "overview", Permission: access.SettlementsRead,
		Summary: "What a fleet has to do now, except for what is pending, which is computed"}, s.overview)
}

// Overview is what a fleet has to do now.
type Overview struct {
	Period       SettlementPeriod `json:"period" doc:"the last week that has ended"`
	MissingFiles []MissingFile    `json:"missingFiles" nullable:"false" doc:"of that week; of providers that earlier weeks have"`
	ToConfirm    int64            `json:"toConfirm" doc:"files that were read and neither confirmed nor discarded"`
	Unmatched    int64            `json:"unmatched" doc:"drivers of files to whom no driver was assigned"`
	Unsent       int64            `json:"unsent" doc:"settlements, not paid yet, that can be sent to their drivers and never were"`
	FailedMails  int64            `json:"failedMails" doc:"settlements, not paid yet, whose mail no server took"`
	Unpaid       int64            `json:"unpaid" doc:"settlements with a payout that are neither paid nor in a batch"`
	UnpaidSum    money.Amount     `json:"unpaidSum"`
	Proposed     int64            `json:"proposed" doc:"batches that wait for a second person"`
	Released     int64            `json:"released" doc:"batches with settlements that are not marked as paid"`
	Returned     int64            `json:"returned" doc:"settlements of which money came back and that are not paid"`
	Left         int64            `json:"left" doc:"settlements in the licence"`
	Failing      int64            `json:"failing"`
	Strange      int64            `json:"strange"`
}

func (s Settings) overview(tx *db.Tx, _ *nothing) (Overview, error) {
	o, err := reports.OverviewOf(tx, s.Settlements)
	out := Overview{Period: SettlementPeriod{string(o.Period), string(o.First), string(o.Last)}, MissingFiles: []MissingFile{},
		ToConfirm: o.ToConfirm, Unmatched: o.Unmatched, Unsent: o.Unsent, FailedMails: o.FailedMails, Unpaid: o.Payouts.Unpaid,
		UnpaidSum: o.Payouts.UnpaidSum, Proposed: o.Payouts.Proposed, Released: o.Payouts.Released, Returned: o.Payouts.Returned, Left: o.Left,
		Failing: o.Failing}
	if err == nil {
		var more int64
		more, err = s.ksefNeedsALook(tx)
		out.Failing += more
	}
	if err == nil {
		out.Strange, err = s.Purchases.CountStrange(tx)
	}
	for _, m := range o.MissingFiles {
		out.MissingFiles = append(out.MissingFiles, MissingFile(m))
	}
	return out, err
}
