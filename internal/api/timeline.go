package api

import (
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/accounts"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/timeline"
)

func (s Settings) timelineRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/settlements/{id}/timeline", Name: "settlement-timeline",
		Permission: access.SettlementsRead, Summary: "Where the money of a settlement is, and why it is not further"}, s.settlementTimeline)
	web.Read(r, web.Route{Method: get, Path: "/api/drivers/{id}/pending-timeline", Name: "pending-timeline",
		Permission: access.SettlementsRead, Summary: "What a driver's period that is not settled waits for"}, s.pendingTimeline)
	web.Driver(r, web.Route{Method: get, Path: "/api/driver-accounts/settlements/{id}/timeline", Name: "driver-timeline",
		Permission: access.AccountRead, Summary: "Where the money of one of the driver's own settlements is"}, s.driverTimeline)
	web.Driver(r, web.Route{Method: get, Path: "/api/driver-accounts/next-payout", Name: "next-payout", Permission: access.AccountRead,
		Summary: "What the driver is paid next, and what it waits for"}, s.nextPayout)
}

// StepCode names a step.
type StepCode string

// Schema lists the steps.
func (StepCode) Schema(huma.Registry) *huma.Schema { return oneOf(texts(timeline.Codes())...) }

// StepReason is why a step is not reached, or what a reached one means.
type StepReason string

// Schema lists the reasons.
func (StepReason) Schema(huma.Registry) *huma.Schema {
	return oneOf(append([]string{""}, texts(timeline.Reasons())...)...)
}

func texts[T ~string](values []T) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return list
}

// TimelineStep is one step of the money's way.
type TimelineStep struct {
	Code       StepCode   `json:"code"`
	Done       bool       `json:"done" doc:"it was reached; else it is awaited"`
	At         *time.Time `json:"at" doc:"when it was reached; null: not yet, or only the day is known"`
	On         string     `json:"on" doc:"the day, where only that is known"`
	By         string     `json:"by" doc:"who did it, told to the partner"`
	Reason     StepReason `json:"reason"`
	Batch      int64      `json:"batch" doc:"number of the batch, told to the partner; 0: none"`
	PayOn      string     `json:"payOn" doc:"the day on which the bank is to pay; empty: none"`
	BankSays   string     `json:"bankSays" doc:"why money came back, in the bank's words"`
	File       string     `json:"file" doc:"the last file that brought rows of it"`
	Provider   string     `json:"provider" doc:"whose file is missing"`
	Period     string     `json:"period" doc:"of the settlement that took the debt over"`
	ExpectedOn string     `json:"expectedOn" doc:"by what usually happens, never a promise; empty: nobody knows"`
}

// MoneyTimeline is where the money of a settlement is.
type MoneyTimeline struct {
	Steps    []TimelineStep `json:"steps" nullable:"false" doc:"in their order; what is awaited is last"`
	Account  string         `json:"account" doc:"the end of the account that is or would be paid; empty: none"`
	UsualDay int            `json:"usualDay" minimum:"0" maximum:"7" doc:"weekday on which the partner usually pays, Monday is 1; 0: unknown"`
}

func timelineOf(t timeline.Timeline) MoneyTimeline {
	out := MoneyTimeline{Steps: make([]TimelineStep, len(t.Steps)), Account: t.Account, UsualDay: t.Usual}
	for i, s := range t.Steps {
		out.Steps[i] = TimelineStep{StepCode(s.Code), s.Done, instantOf(s.At), string(s.On), s.By, StepReason(s.Reason), s.Batch,
			string(s.PayOn), s.BankSays, s.File, s.Provider, string(s.Period), string(s.ExpectedOn)}
	}
	return out
}

func (s Settings) timelines() *timeline.Service {
	return &timeline.Service{Settlements: s.Settlements, Payouts: s.Payouts}
}

func (s Settings) settlementTimeline(tx *db.Tx, in *named) (MoneyTimeline, error) {
	t, err := s.timelines().Of(tx, in.ID)
	return timelineOf(t), err
}

func (s Settings) pendingTimeline(tx *db.Tx, in *struct {
	ID     string `path:"id" maxLength:"64"`
	Period string `query:"period" required:"true" maxLength:"8"`
}) (out MoneyTimeline, err error) {
	p, err := period(in.Period)
	if err != nil {
		return out, err
	}
	t, err := s.timelines().OfPending(tx, in.ID, p)
	return timelineOf(t), err
}

func (s Settings) driverTimeline(tx *db.Tx, who access.Actor, in *named) (out MoneyTimeline, err error) {
	err = shared(tx, who, in.ID, func() error {
		t, err := s.timelines().Of(tx, in.ID)
		out = timelineOf(t.ForDriver())
		return err
	})
	return out, err
}

// NextPayout is what a driver is paid next.
type NextPayout struct {
	SettlementID string        `json:"settlementId" doc:"empty: it is not settled yet"`
	Amount       money.Amount  `json:"amount" doc:"of a settlement; else 0"`
	FirstOn      string        `json:"firstOn" doc:"of the period; empty: the partner has not accepted the driver"`
	LastOn       string        `json:"lastOn"`
	Timeline     MoneyTimeline `json:"timeline"`
}

func (s Settings) nextPayout(tx *db.Tx, who access.Actor, _ *nothing) (out NextPayout, err error) {
	out.Timeline.Steps = []TimelineStep{}
	partner, driver, err := accounts.OwnDriver(tx, who)
	if err != nil || driver == "" {
		return out, err
	}
	err = tx.As(who.In(partner), func() error {
		n, err := s.timelines().NextOf(tx, driver)
		if err != nil {
			return err
		}
		out = NextPayout{FirstOn: string(n.First), LastOn: string(n.Last), Timeline: timelineOf(n.Timeline.ForDriver())}
		if n.Settlement != nil {
			out.SettlementID, out.Amount = n.Settlement.ID, n.Settlement.Payout
		}
		return nil
	})
	return out, err
}
