package api

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/billing"
	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/ledger/kinds"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/summaries"
)

func (s Settings) summariesRoutes(r *web.Router) {
	web.Write(r, web.Route{Method: post, Path: "/api/summary-sendings", Name: "prepare-summaries",
		Permission: access.SettlementsWrite, Status: http.StatusCreated, Timeout: time.Minute,
		Summary: "A dry run of sending bills: who gets one, who does not and why; nothing is sent"}, s.prepareSummaries)
	web.Read(r, web.Route{Method: get, Path: "/api/summary-sendings/{id}", Name: "summary-sending", Permission: access.SettlementsRead,
		Summary: "A sending, and where its mails stand once it was started"}, summarySending)
	web.Write(r, web.Route{Method: post, Path: "/api/summary-sendings/{id}/start", Name: "start-summaries", Mails: true,
		Permission: access.SettlementsWrite, Status: http.StatusAccepted, Timeout: time.Minute,
		Summary: "Send exactly what was shown; many wait half a minute in which they can be cancelled; a second start joins the first"},
		s.startSummaries)
	web.Write(r, web.Route{Method: post, Path: "/api/summary-sendings/{id}/cancel", Name: "cancel-summaries",
		Permission: access.SettlementsWrite,
		Summary:    "Take a sending back while it waits; nobody is mailed"}, cancelSummaries)
	web.Read(r, web.Route{Method: get, Path: "/api/summaries", Name: "summaries", Permission: access.SettlementsRead,
		Summary: "Bills that were sent of a settlement, newest first; without one, those that failed and wait to be tried again"},
		listSummaries)
	web.Read(r, web.Route{Method: get, Path: "/api/summaries/{id}", Name: "summary", Permission: access.SettlementsRead,
		Summary: "One bill that was sent: to whom, when, whether it arrived and was opened"}, oneSummary)
	web.Write(r, web.Route{Method: post, Path: "/api/summaries/{id}/retry", Name: "retry-summary", Mails: true,
		Permission: access.SettlementsWrite,
		Summary:    "Try a failed bill again"}, s.retrySummary)
	web.Write(r, web.Route{Method: post, Path: "/api/summaries/{id}/end-link", Name: "end-summary-link",
		Permission: access.SettlementsWrite,
		Summary:    "Let the link of a bill open nothing any more"}, endSummary)
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-summaries/{token}", Name: "driver-summary",
		Permission: access.Public, MissesPerMinute: 20,
		Summary: "What a mailed link shows, without signing in"}, s.driverSummary)
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-summaries/{token}/statement", Name: "linked-statement",
		Permission: access.Public, MissesPerMinute: 20, Page: summaryPage,
		Summary: "The statement of its settlement as a PDF, without signing in"}, s.linkedStatement)
	web.Plain(r, web.Route{Method: post, Path: "/api/driver-summaries/{token}/opened", Name: "open-driver-summary",
		Permission: access.Public, MissesPerMinute: 20, BodyLimit: 1 << 10,
		Summary: "The page says that a person has opened it"}, s.openDriverSummary)
	web.Driver(r, web.Route{Method: post, Path: "/api/driver-accounts/settlements/{id}/end-links", Name: "end-driver-links",
		Permission: access.AccountWrite,
		Summary:    "Let no mailed link open it any more"}, endLinks)
}

// SettlementBill is where the newest bill of a settlement stands.
type SettlementBill struct {
	_        struct{}   `nullable:"true"`
	ID       string     `json:"id"`
	State    string     `json:"state" enum:"queued,sent,failed"`
	Reason   string     `json:"reason" doc:"why it failed, or waits for another try, in the mail server's words"`
	At       time.Time  `json:"at" doc:"sent or failed; else written"`
	OpenedAt *time.Time `json:"openedAt"`
	Times    int64      `json:"times" doc:"how many were sent"`
}

func addBills(tx *db.Tx, items []SettledSettlement) error {
	ids := make([]string, len(items))
	for i := range items {
		ids[i] = items[i].ID
	}
	standings, err := summaries.Standings(tx, ids)
	for i := range items {
		if b, ok := standings[items[i].ID]; ok {
			items[i].Bill = &SettlementBill{ID: b.ID, State: string(b.State), Reason: b.Reason, At: b.At, OpenedAt: instantOf(b.OpenedAt),
				Times: b.Times}
		}
	}
	return err
}

// SummarySendRequest says of which settlements bills are sent.
type SummarySendRequest struct {
	IDs    []string `json:"ids,omitempty" maxItems:"20000" doc:"empty: all of the filter"`
	State  string   `json:"state,omitempty" enum:",settled,paid"`
	Period string   `json:"period,omitempty" maxLength:"8"`
	Query  string   `json:"query,omitempty" maxLength:"200"`
	Tag    string   `json:"tag,omitempty" maxLength:"64"`
	Again  bool     `json:"again,omitempty" doc:"also of those of which one was sent before"`
}

func (s Settings) prepareSummaries(tx *db.Tx, in *struct{ Body SummarySendRequest }) (Made, error) {
	b := &in.Body
	w := summaries.SendRequest{Settlements: b.IDs, Again: b.Again,
		Filter: settlements.Filter{State: settlements.State(b.State), Query: b.Query, Tag: b.Tag}}
	if b.Period != "" {
		var err error
		if w.Filter.Period, err = period(b.Period); err != nil {
			return Made{}, err
		}
	}
	made, err := s.Summaries.Prepare(tx, w)
	return Made{made.ID}, err
}

// SummaryRefusal is why some get no bill.
type SummaryRefusal struct {
	Code    string        `json:"code" enum:"no_address,sent,revoked,absorbed,blocked,quota"`
	Count   int64         `json:"count"`
	Drivers []NamedDriver `json:"drivers" nullable:"false" doc:"the first five"`
}

// SummarySending is a request to send bills, and what became of it.
type SummarySending struct {
	ID         string           `json:"id"`
	State      string           `json:"state" enum:"preview,waiting,running,done,cancelled"`
	Again      bool             `json:"again"`
	Recipients int64            `json:"recipients" doc:"who gets one"`
	Refused    int64            `json:"refused" doc:"who does not"`
	Refusals   []SummaryRefusal `json:"refusals" nullable:"false"`
	StartsAt   *time.Time       `json:"startsAt" doc:"until then it can be cancelled"`
	Now        time.Time        `json:"now" doc:"the server's clock"`
	Queued     int64            `json:"queued" doc:"written down, not yet taken by a mail server"`
	Sent       int64            `json:"sent"`
	Failed     int64            `json:"failed"`
	FinishedAt *time.Time       `json:"finishedAt"`
}

func summarySending(tx *db.Tx, in *named) (out SummarySending, err error) {
	s, err := summaries.SendingOf(tx, in.ID)
	if err != nil {
		return out, err
	}
	out = SummarySending{ID: s.ID, State: string(s.State), Again: s.Again, Recipients: s.Recipients, Refused: s.Refused,
		Refusals: []SummaryRefusal{}, StartsAt: instantOf(s.StartsAt),
		Now: tx.Now, FinishedAt: instantOf(s.FinishedAt)}
	groups, err := summaries.RefusedOf(tx, in.ID)
	if err != nil {
		return out, err
	}
	for _, g := range groups {
		one := SummaryRefusal{string(g.Refusal), g.Count, []NamedDriver{}}
		for _, d := range g.Drivers {
			one.Drivers = append(one.Drivers, NamedDriver(d))
		}
		out.Refusals = append(out.Refusals, one)
	}
	d, err := summaries.DeliveryOf(tx, in.ID)
	out.Queued, out.Sent, out.Failed = d.Queued, d.Sent, d.Failed
	return out, err
}

// StartedSending is what starting a sending answers.
type StartedSending struct {
	State    string     `json:"state" enum:"preview,waiting,running,done,cancelled"`
	StartsAt *time.Time `json:"startsAt"`
}

func (s Settings) startSummaries(tx *db.Tx, in *named) (StartedSending, error) {
	started, err := s.Summaries.Start(tx, in.ID)
	return StartedSending{string(started.State), instantOf(started.StartsAt)}, err
}

func cancelSummaries(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, summaries.Cancel(tx, in.ID)
}

// SentSummary is a bill that was sent.
type SentSummary struct {
	ID           string       `json:"id"`
	SettlementID string       `json:"settlementId"`
	Number       int64        `json:"number"`
	Period       string       `json:"period"`
	FirstOn      string       `json:"firstOn"`
	LastOn       string       `json:"lastOn"`
	Payout       money.Amount `json:"payout"`
	DriverID     string       `json:"driverId"`
	FirstName    string       `json:"firstName"`
	LastName     string       `json:"lastName"`
	Address      string       `json:"address" doc:"e-mail, as it was"`
	Language     Language     `json:"language"`
	State        string       `json:"state" enum:"queued,sent,failed"`
	Reason       string       `json:"reason"`
	SentBy       string       `json:"sentBy"`
	WrittenAt    time.Time    `json:"writtenAt"`
	DecidedAt    *time.Time   `json:"decidedAt" doc:"sent or failed"`
	OpenedAt     *time.Time   `json:"openedAt"`
	ExpiresAt    time.Time    `json:"expiresAt"`
	Works        bool         `json:"works" doc:"whether its link opens the summary"`
	Newest       bool         `json:"newest" doc:"of its settlement"`
}

func sentSummaryOf(tx *db.Tx, s *summaries.Summary) SentSummary {
	return SentSummary{s.ID, s.SettlementID, s.Number, string(s.Period), string(s.FirstOn), string(s.LastOn), s.Payout, s.DriverID,
		s.FirstName, s.LastName, s.Address, Language(s.Language),
		string(s.State), s.Reason, s.SentBy, s.CreatedAt, instantOf(s.DecidedAt), instantOf(s.OpenedAt), s.ExpiresAt,
		s.Works && tx.Now.Before(s.ExpiresAt), s.Newest}
}

// SentSummaries are bills, newest first.
type SentSummaries struct {
	Items []SentSummary `json:"items" nullable:"false"`
}

func listSummaries(tx *db.Tx, in *struct {
	Settlement string `query:"settlement" maxLength:"64" doc:"empty: those that failed"`
}) (out SentSummaries, err error) {
	var found []summaries.Summary
	if in.Settlement == "" {
		found, err = summaries.Failed(tx)
	} else {
		found, err = summaries.OfSettlement(tx, in.Settlement)
	}
	out.Items = make([]SentSummary, len(found))
	for i := range found {
		out.Items[i] = sentSummaryOf(tx, &found[i])
	}
	return out, err
}

func oneSummary(tx *db.Tx, in *named) (SentSummary, error) {
	s, err := summaries.Of(tx, in.ID)
	if err != nil {
		return SentSummary{}, err
	}
	return sentSummaryOf(tx, &s), nil
}

func (s Settings) retrySummary(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, s.Summaries.Retry(tx, in.ID)
}

func endSummary(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, summaries.End(tx, in.ID)
}

// endLinks is what a driver does to links to their own settlement.
func endLinks(tx *db.Tx, who access.Actor, in *named) (web.None, error) {
	return web.None{}, shared(tx, who, in.ID, func() error { return summaries.EndAll(tx, in.ID) })
}

// SummaryPartner is the partner on a public page.
type SummaryPartner struct {
	Name  string `json:"name"`
	Color string `json:"color" doc:"primary colour as #RRGGBB"`
	Logo  string `json:"logo" doc:"address of the picture; empty: none"`
	Phone string `json:"phone"`
}

// DriverSummary is what whoever has the link sees: no surname, no account, no id
// of anything.
type DriverSummary struct {
	Name         string                  `json:"name" doc:"first name and initial"`
	Language     Language                `json:"language" doc:"the driver's"`
	Partner      SummaryPartner          `json:"partner"`
	Currency     string                  `json:"currency" enum:"PLN,EUR"`
	FirstOn      string                  `json:"firstOn"`
	LastOn       string                  `json:"lastOn"`
	State        string                  `json:"state" enum:"settled,paid"`
	PaidOn       string                  `json:"paidOn"`
	SettledOn    string                  `json:"settledOn"`
	ExpiresOn    string                  `json:"expiresOn" doc:"the last day of the link"`
	Figures      map[string]money.Amount `json:"figures" doc:"all of them, also those of zero"`
	Lines        []SettlementLine        `json:"lines" nullable:"false" doc:"the steps from the start balance to what is due"`
	Providers    map[string]string       `json:"providers" doc:"what they are called"`
	Explanations []engine.Explanation    `json:"explanations" nullable:"false" doc:"rows have numbers instead of ids"`
	Draft        *DriverDraft            `json:"draft,omitempty" doc:"the invoice that the driver is asked to approve; absent: none"`
}

// behind reads what a link leads to, in its partner's tenant. Every link that opens nothing is answered alike: what is unknown,
// expired or revoked is asked by the same question, and nothing follows it.
func (s Settings) behind(ctx context.Context, token string, read func(*db.Tx, summaries.Opened) error) error {
	return s.DB.Read(ctx, access.Program("summaries"), func(tx *db.Tx) error {
		link, err := summaries.ByToken(tx, token)
		if err != nil {
			return err
		}
		return tx.As(access.ProgramFor(link.TenantID, "summaries"), func() error { return read(tx, link) })
	})
}

func (s Settings) driverSummary(ctx context.Context, _ web.Call, in *struct {
	Token string `path:"token"`
}) (out DriverSummary, err error) {
	err = s.behind(ctx, in.Token, func(tx *db.Tx, link summaries.Opened) (err error) {
		out, err = s.shownSummary(tx, link)
		return err
	})
	return out, err
}

// summaryPage says in the driver's language why a link opens nothing.
func summaryPage(r *http.Request) string {
	return "/app/driver-summary/" + url.PathEscape(r.PathValue("token"))
}

// linkedStatement is the PDF for whoever has the link. It masks the name and personal numbers; reading it opens nothing.
func (s Settings) linkedStatement(ctx context.Context, _ web.Call, in *struct {
	Token    string   `path:"token"`
	Language Language `query:"lang" doc:"none: that of the mail"`
}) (func(huma.Context), error) {
	var document *billing.Statement
	if err := s.behind(ctx, in.Token, func(tx *db.Tx, link summaries.Opened) (err error) {
		document, err = s.Billing.LinkedStatement(tx, link.SettlementID, i18n.Language(cmp.Or(string(in.Language), link.Language)))
		return err
	}); err != nil {
		return nil, err
	}
	return s.statementOf(ctx, document)
}

func (s Settings) shownSummary(tx *db.Tx, link summaries.Opened) (out DriverSummary, err error) {
	e, err := s.Settlements.Explain(tx, link.SettlementID)
	if err != nil {
		return out, err
	}
	whole, err := explainedOf(&e, engine.CashAsOne)
	if err != nil {
		return out, err
	}
	partner, err := partners.Own(tx)
	if err != nil {
		return out, err
	}
	card, err := partners.OwnCard(tx)
	if err != nil {
		return out, err
	}
	on := func(at time.Time) string { return string(calendar.DateOf(at, s.Instance.Location(), 0)) }
	draft, err := s.driverDraft(tx, link.SettlementID)
	if err != nil {
		return out, err
	}
	if draft != nil { // whoever has the link sees it: surname, street and tax number only after signing in
		draft.Seller, draft.Street, draft.TaxID = drivers.MaskedName(whole.FirstName, whole.LastName), "", billing.Masked(draft.TaxID)
	}
	return DriverSummary{Draft: draft, Name: drivers.MaskedName(whole.FirstName, whole.LastName), Language: Language(link.Language),
		Partner:  SummaryPartner{partner.Name, partner.Color, logoAddress(partner), official.Phone(card.Phone).Display()},
		Currency: string(e.Settled.Currency), FirstOn: whole.FirstOn, LastOn: whole.LastOn, State: string(e.Settled.State),
		PaidOn:    string(e.Settled.PaidOn),
		SettledOn: on(e.Settled.SettledAt), ExpiresOn: on(link.ExpiresAt), Figures: whole.Figures, Lines: whole.Lines,
		Providers:    providerNames(i18n.Language(link.Language)),
		Explanations: nameless(whole.Explanations)}, nil
}

// providerNames are the names of all providers in the language of the link.
func providerNames(language i18n.Language) map[string]string {
	names, text := map[string]string{}, func(key string, params ...any) string { return i18n.Of(language, key, params...) }
	for _, p := range kinds.Providers {
		names[p.Code] = kinds.ProviderName(p.Code, text)
	}
	return names
}

// nameless gives rows numbers instead of ids: the same row has the same one.
func nameless(of []engine.Explanation) []engine.Explanation {
	numbers := map[string]string{}
	for i := range of {
		for j := range of[i].Parts {
			rows := slices.Clone(of[i].Parts[j].Rows)
			of[i].Parts[j].Rows = rows
			for k := range rows {
				number, known := numbers[rows[k].ID]
				if !known {
					number = strconv.Itoa(len(numbers) + 1)
					numbers[rows[k].ID] = number
				}
				rows[k].ID = number
			}
		}
	}
	return of
}

func (s Settings) openDriverSummary(ctx context.Context, _ web.Call, in *struct {
	Token string `path:"token"`
}) (out web.None, err error) {
	return out, s.DB.Write(ctx, access.Program("summaries"), func(tx *db.Tx) error { return summaries.MarkOpened(tx, in.Token) })
}
