package api

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
)

func (s Settings) driversRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/drivers", Name: "drivers", Permission: access.DriversRead,
		Summary: "A page of the partner's drivers"}, s.drivers)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers", Name: "add-driver", Mails: true,
		Permission: access.DriversWrite, Status: http.StatusCreated,
		Summary: "Write a driver down; one with an e-mail address is sent an activation"}, s.addDriver)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/tags", Name: "tag-drivers", Permission: access.DriversWrite,
		Summary: "Add tags to drivers and take others away"}, tagDrivers)
	web.Read(r, web.Route{Method: get, Path: "/api/drivers/{id}", Name: "driver", Permission: access.DriversRead,
		Summary: "One driver, whole"}, s.driver)
	web.Write(r, web.Route{Method: put, Path: "/api/drivers/{id}", Name: "save-driver", Mails: true, Permission: access.DriversWrite,
		Summary: "Replace what is written down of a driver"}, s.saveDriver)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/{id}/block", Name: "block-driver", Permission: access.DriversWrite,
		Summary: "Shut a driver out of settlements"}, blockDriver)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/{id}/unblock", Name: "unblock-driver", Permission: access.DriversWrite,
		Summary: "Let a blocked driver in again"}, unblockDriver)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/{id}/activate", Name: "activate-driver", Permission: access.DriversWrite,
		Summary: "Say that somebody drives for the partner"}, activateDriver)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/{id}/deactivate", Name: "deactivate-driver", Permission: access.DriversWrite,
		Summary: "Say that somebody no longer drives for the partner"}, deactivateDriver)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/{id}/activation", Name: "send-activation", Mails: true,
		Permission: access.DriversWrite,
		Summary:    "Mail a driver the link to their own account, once"}, s.sendActivation)
	web.Write(r, web.Route{Method: put, Path: "/api/drivers/{id}/identities", Name: "set-identities", Permission: access.DriversWrite,
		Summary: "Replace what providers know a driver by"}, s.setIdentities)
	web.Write(r, web.Route{Method: put, Path: "/api/drivers/{id}/tags", Name: "tag-driver", Permission: access.DriversWrite,
		Summary: "Replace a driver's tags"}, tagDriver)
	web.Read(r, web.Route{Method: get, Path: "/api/drivers/{id}/history", Name: "driver-history", Permission: access.DriversRead,
		Summary: "Who changed what of a driver, newest first"}, s.driverHistory)
}

// DriverData is what a partner may write down of a driver. Any other field is refused.
type DriverData drivers.Details

// DriverEdit is a driver with changes.
type DriverEdit struct {
	Version int64 `json:"version" doc:"that of the driver the change was made from; refused when somebody saved meanwhile"`
	DriverData
}

// DriverIdentity is what a provider knows a driver by.
type DriverIdentity struct {
	Provider string `json:"provider" doc:"a code of the list of providers"`
	Value    string `json:"value" doc:"1 to 100 characters"`
}

// DriverTag is a tag that a driver has.
type DriverTag struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// DriverState is what holds of a driver besides what is written down.
type DriverState struct {
	ID             string           `json:"id"`
	Active         bool             `json:"active"`
	Blocked        bool             `json:"blocked"`
	Linked         bool             `json:"linked" doc:"with an account of the driver's own"`
	Verified       bool             `json:"verified"`
	ActivationSent bool             `json:"activationSent"`
	Tags           []DriverTag      `json:"tags" nullable:"false"`
	Identities     []DriverIdentity `json:"identities" nullable:"false"`
	CreatedAt      time.Time        `json:"createdAt"`
}

func stateOf(d drivers.Driver) DriverState {
	s := DriverState{ID: d.ID, Active: d.Active, Blocked: d.Blocked, Linked: d.AccountID != "", Verified: !d.VerifiedAt.IsZero(),
		ActivationSent: !d.ActivationSentAt.IsZero(), Tags: []DriverTag{}, Identities: []DriverIdentity{}, CreatedAt: d.CreatedAt}
	for _, t := range d.Tags {
		s.Tags = append(s.Tags, DriverTag{t.ID, t.Name})
	}
	for _, i := range d.Identities {
		s.Identities = append(s.Identities, DriverIdentity(i))
	}
	return s
}

// Driver is one driver, whole.
type Driver struct {
	DriverState
	DriverEdit
	IBANChangedAt *time.Time `json:"ibanChangedAt" doc:"null: it is the first"`
}

func (s Settings) driver(tx *db.Tx, in *named) (Driver, error) {
	d, err := drivers.Get(tx, s.Vault, in.ID)
	if err != nil {
		return Driver{}, err
	}
	out := Driver{DriverState: stateOf(d), DriverEdit: DriverEdit{d.Version, DriverData(d.Details)}}
	if !d.IBANChangedAt.IsZero() {
		out.IBANChangedAt = &d.IBANChangedAt
	}
	return out, nil
}

// DriverRow is a driver in a list: of their account only its end.
type DriverRow struct {
	DriverState
	FirstName           string `json:"firstName"`
	LastName            string `json:"lastName"`
	Email               string `json:"email"`
	Phone               string `json:"phone"`
	IBANEnd             string `json:"ibanEnd" doc:"the last four digits; empty: none"`
	TaxID               string `json:"taxId" doc:"empty: none"`
	ContractNumber      string `json:"contractNumber"`
	BailiffSeizure      bool   `json:"bailiffSeizure"`
	SummaryLanguage     string `json:"summaryLanguage" doc:"empty: that of the instance"`
	SettlementFrequency int64  `json:"settlementFrequency" doc:"weeks; 0: as the partner has it"`
	SchemaNumber        int64  `json:"schemaNumber" doc:"0: the partner's default"`
	SettledOn           string `json:"settledOn" doc:"date of the last settlement; empty: never"`
}

// DriverCounts say how many drivers the search, the tag and the income filter leave.
type DriverCounts struct {
	All           int64 `json:"all"`
	Active        int64 `json:"active"`
	Inactive      int64 `json:"inactive"`
	Blocked       int64 `json:"blocked"`
	WithoutIBAN   int64 `json:"withoutIban"`
	WithoutTaxID  int64 `json:"withoutTaxId"`
	WithoutSchema int64 `json:"withoutSchema" doc:"settled by the default because nobody chose another"`
}

// DriverList is one page of drivers.
type DriverList struct {
	Drivers []DriverRow  `json:"drivers" nullable:"false"`
	Total   int64        `json:"total" doc:"of the whole filter"`
	Counts  DriverCounts `json:"counts"`
}

// DriverQuery chooses drivers and their order.
type DriverQuery struct {
	Query   string `query:"q" maxLength:"100" doc:"words of the name, e-mail, phone, contract or tax id; or a whole identity"`
	State   string `query:"state" enum:"active,inactive,all" default:"all"`
	Blocked bool   `query:"blocked" doc:"only blocked ones"`
	Tag     string `query:"tag" maxLength:"64" doc:"only those who have it"`
	Missing string `query:"missing" enum:"iban,tax_id,schema,account" doc:"only those without one"`
	Income  bool   `query:"income" doc:"only those with income in the last 28 days"`
	Sort    string `query:"sort" enum:"name,-name,createdAt,-createdAt" default:"name"`
}

func (s Settings) driverFilter(q DriverQuery) drivers.Filter {
	f := drivers.Filter{Query: q.Query, Tag: q.Tag, State: q.State, Blocked: q.Blocked, Missing: q.Missing,
		Newest: strings.HasSuffix(q.Sort, "createdAt"), Descending: strings.HasPrefix(q.Sort, "-")}
	if q.Income {
		f.Income = s.Instance.Location()
	}
	return f
}

func (s Settings) drivers(tx *db.Tx, in *struct {
	DriverQuery
	Page int64 `query:"page" minimum:"1" maximum:"1000000" default:"1"`
	Size int64 `query:"size" minimum:"1" maximum:"100" default:"50"`
}) (out DriverList, err error) {
	f := s.driverFilter(in.DriverQuery)
	f.Page, f.Size = in.Page, in.Size
	p, err := drivers.List(tx, s.Vault, f)
	out = DriverList{Drivers: make([]DriverRow, len(p.Drivers)), Total: p.Total,
		Counts: DriverCounts{p.Counts.Everyone, p.Counts.Active, p.Counts.Inactive, p.Counts.Blocked, p.Counts.WithoutIBAN, p.Counts.WithoutTaxID,
			p.Counts.WithoutSchema}}
	for i, d := range p.Drivers {
		out.Drivers[i] = DriverRow{DriverState: stateOf(d), FirstName: d.FirstName, LastName: d.LastName, Email: d.Email, Phone: d.Phone,
			IBANEnd: string(d.IBAN[max(len(d.IBAN)-4, 0):]), TaxID: d.TaxID, ContractNumber: d.ContractNumber, BailiffSeizure: d.Bailiff,
			SummaryLanguage: d.SummaryLanguage, SettlementFrequency: d.SettlementFrequency, SchemaNumber: d.SchemaNumber, SettledOn: d.SettledOn}
	}
	return out, err
}

func (s Settings) driverBook() drivers.Service {
	return drivers.Service{Vault: s.Vault, Post: s.Mails, Country: s.country(), Language: i18n.Language(s.Instance.Language)}
}

func (s Settings) addDriver(tx *db.Tx, in *struct{ Body DriverData }) (Made, error) {
	id, err := s.driverBook().Add(tx, drivers.Details(in.Body))
	return Made{id}, err
}

func (s Settings) saveDriver(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body DriverEdit
}) (web.None, error) {
	return web.None{}, s.driverBook().Save(tx, in.ID, drivers.Details(in.Body.DriverData), in.Body.Version)
}

func blockDriver(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, drivers.Block(tx, in.ID, true)
}

func unblockDriver(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, drivers.Block(tx, in.ID, false)
}

func activateDriver(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, drivers.Activate(tx, in.ID, true)
}

func deactivateDriver(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, drivers.Activate(tx, in.ID, false)
}

func (s Settings) sendActivation(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, s.driverBook().SendActivation(tx, in.ID)
}

// DriverIdentities are all that providers know a driver by.
type DriverIdentities struct {
	Version    int64            `json:"version" doc:"that of the driver the change was made from"`
	Identities []DriverIdentity `json:"identities" nullable:"false"`
}

func (s Settings) setIdentities(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body DriverIdentities
}) (web.None, error) {
	identities := make([]drivers.Identity, len(in.Body.Identities))
	for i, one := range in.Body.Identities {
		identities[i] = drivers.Identity(one)
	}
	return web.None{}, drivers.SetIdentities(tx, s.Vault, in.ID, identities, in.Body.Version)
}

// DriverTags are all tags of a driver.
type DriverTags struct {
	Tags []string `json:"tags" nullable:"false" maxItems:"500" doc:"ids"`
}

func tagDriver(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body DriverTags
}) (web.None, error) {
	return web.None{}, drivers.TagDriver(tx, in.ID, in.Body.Tags)
}

// DriversTags is a change of the tags of many drivers.
type DriversTags struct {
	DriverIDs []string `json:"driverIds" nullable:"false" doc:"1 to 500"`
	Add       []string `json:"add" nullable:"false" required:"false" maxItems:"500" doc:"ids of tags"`
	Remove    []string `json:"remove" nullable:"false" required:"false" maxItems:"500" doc:"ids of tags, none of which is added"`
}

// TaggedDriver is what became of one driver.
type TaggedDriver struct {
	ID     string `json:"id"`
	Result string `json:"result" enum:"changed,unchanged,not_found"`
}

// TaggedDrivers say what became of each driver, in the order in which they were asked for.
type TaggedDrivers struct {
	Drivers []TaggedDriver `json:"drivers" nullable:"false"`
}

func tagDrivers(tx *db.Tx, in *struct{ Body DriversTags }) (out TaggedDrivers, err error) {
	results, err := drivers.TagDrivers(tx, in.Body.DriverIDs, in.Body.Add, in.Body.Remove)
	out.Drivers = make([]TaggedDriver, len(results))
	for i, r := range results {
		out.Drivers[i] = TaggedDriver{r.DriverID, r.Result}
	}
	return out, err
}

// DriverEvent is one line of a driver's history.
type DriverEvent struct {
	At      time.Time       `json:"at"`
	Who     string          `json:"who" doc:"empty: Saldo itself"`
	Action  string          `json:"action"`
	Changes []HistoryChange `json:"changes" nullable:"false"`
	About   string          `json:"about" doc:"who gave way to the driver and whom the line is about; empty: the driver"`
}

// DriverHistory is who changed what of a driver, newest first.
type DriverHistory struct {
	Events []DriverEvent `json:"events" nullable:"false"`
}

func (s Settings) driverHistory(tx *db.Tx, in *named) (out DriverHistory, err error) {
	entries, err := drivers.History(tx, s.Vault, in.ID)
	out.Events = []DriverEvent{}
	if err != nil {
		return out, err
	}
	whose, err := drivers.WithMerged(tx, in.ID)
	about := map[string]string{}
	for _, d := range whose {
		if d.ID != in.ID {
			about[d.ID] = d.FirstName + " " + d.LastName
		}
	}
	for _, e := range slices.Backward(entries) {
		changes, err := changesOf(e)
		if err != nil {
			return out, err
		}
		out.Events = append(out.Events, DriverEvent{At: e.At, Who: e.ActorName, Action: e.Action, Changes: changes, About: about[e.ObjectID]})
	}
	return out, err
}
