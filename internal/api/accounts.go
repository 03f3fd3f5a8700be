package api

import (
	"errors"
	"net/http"
	"strings"

	"saldo/internal/accounts"
	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/vault"
	"saldo/internal/platform/web"
)

func (s Settings) accountsRoutes(r *web.Router) {
	web.Driver(r, web.Route{Method: get, Path: "/api/driver-accounts", Name: "driver-account", Permission: access.AccountRead,
		Summary: "The driver's own account"}, s.driverAccount)
	web.Write(r, web.Route{Method: post, Path: "/api/driver-accounts", Name: "open-driver-account",
		Permission: access.AccountWrite, Personal: true, Status: http.StatusCreated,
		Summary: "Fill in the account for the first time"}, s.openAccount)
	web.Driver(r, web.Route{Method: put, Path: "/api/driver-accounts", Name: "save-driver-account", Permission: access.AccountWrite,
		Summary: "Change the account; a chosen partner sees changes of name, e-mail and phone"}, s.saveAccount)
	web.Driver(r, web.Route{Method: del, Path: "/api/driver-accounts", Name: "close-driver-account", Fresh: true,
		Permission: access.AccountWrite,
		Summary:    "Delete the account"}, closeAccount)
	web.Write(r, web.Route{Method: post, Path: "/api/driver-accounts/keycloak/{id}", Name: "link-driver-account",
		Permission: access.AccountWrite, Personal: true,
		Summary: "Make the account of the user who is signed in, and remember who brought them"}, linkAccount)
	web.Driver(r, web.Route{Method: get, Path: "/api/driver-accounts/partners", Name: "partner-choices", Permission: access.AccountRead,
		Summary: "Partners that a driver may choose"}, s.partnerChoices)
	web.Driver(r, web.Route{Method: get, Path: "/api/driver-accounts/partner-profile", Name: "partner-card",
		Permission: access.AccountRead,
		Summary:    "The chosen partner, as its drivers see it"}, partnerCard)
	web.Driver(r, web.Route{Method: get, Path: "/api/driver-accounts/settlement-frequency", Name: "driver-frequency",
		Permission: access.AccountRead,
		Summary:    "How often the driver is settled"}, frequency)
	web.Driver(r, web.Route{Method: put, Path: "/api/driver-accounts/settlement-frequency", Name: "set-driver-frequency",
		Permission: access.AccountWrite,
		Summary:    "Choose how often to be settled"}, setFrequency)
	web.Driver(r, web.Route{Method: get, Path: "/api/driver-accounts/partner-settlement-frequency", Name: "partner-frequency",
		Permission: access.AccountRead,
		Summary:    "How often the chosen partner settles"}, partnerFrequency)
	web.Driver(r, web.Route{Method: post, Path: "/api/driver-accounts/partners/invites", Name: "invite-partner", Mails: true,
		Permission: access.AccountWrite,
		Summary:    "Choose a partner, or invite one that is not here"}, s.invitePartner)
	web.Driver(r, web.Route{Method: del, Path: "/api/driver-accounts/partners", Name: "leave-partner", Permission: access.AccountWrite,
		Summary: "Leave the chosen partner"}, leavePartner)
}

// Address is where a driver lives.
type Address struct {
	Street          string `json:"street" required:"false" maxLength:"200"`
	HouseNumber     string `json:"houseNumber" required:"false" maxLength:"50"`
	ApartmentNumber string `json:"apartmentNumber" required:"false" maxLength:"50"`
	City            string `json:"city" required:"false" maxLength:"200"`
	PostCode        string `json:"postCode" required:"false" maxLength:"50"`
	Country         string `json:"country" required:"false" maxLength:"2" doc:"two letters; empty: the country of the instance"`
}

// NewDriverAccount is what a driver fills in.
type NewDriverAccount struct {
	FirstName       string   `json:"firstName" maxLength:"500"`
	LastName        string   `json:"lastName" maxLength:"500"`
	Email           string   `json:"email" maxLength:"500"`
	Phone           string   `json:"phone" maxLength:"100"`
	Cities          []string `json:"cities" nullable:"false" maxItems:"50" doc:"where they drive, at least one"`
	TaxID           string   `json:"taxId" required:"false" maxLength:"50" doc:"of their company; empty: none"`
	Newsletter      bool     `json:"newsletter" required:"false"`
	CarStatus       string   `json:"carStatus" required:"false" enum:",want_to_rent,own,rented"`
	Activity        string   `json:"activity" required:"false" enum:"unknown,active,plan_to,self,with_partner"`
	Address         Address  `json:"address" required:"false"`
	Pesel           *string  `json:"pesel,omitempty" maxLength:"50" doc:"absent: stays as it is; empty: none"`
	SummaryLanguage Language `json:"summaryLanguage" required:"false"`
	BailiffSeizure  bool     `json:"bailiffSeizure" required:"false"`
}

func (n NewDriverAccount) details() accounts.Details {
	a := n.Address
	return accounts.Details{FirstName: n.FirstName, LastName: n.LastName, Email: n.Email, Phone: n.Phone, Cities: n.Cities, TaxID: n.TaxID,
		Newsletter: n.Newsletter, CarStatus: n.CarStatus, Activity: n.Activity, Street: a.Street, HouseNumber: a.HouseNumber,
		ApartmentNumber: a.ApartmentNumber, City: a.City, PostCode: a.PostCode, Country: a.Country, Pesel: n.Pesel,
		SummaryLanguage: string(n.SummaryLanguage), Bailiff: n.BailiffSeizure}
}

// DriverAccountEdit is an account with its changes.
type DriverAccountEdit struct {
	NewDriverAccount
	Version int64 `json:"version" doc:"what was edited; an account that changed meanwhile is refused"`
}

// DriverAccount is an account as its driver sees it.
type DriverAccount struct {
	ID                  string   `json:"id"`
	Completed           bool     `json:"completed"`
	Version             int64    `json:"version"`
	PartnerUUID         string   `json:"partnerUuid" doc:"empty: none is chosen"`
	PartnerDescription  string   `json:"partnerDescription"`
	ReferenceID         string   `json:"referenceId"`
	IsLinked            bool     `json:"isLinked" doc:"whether the partner has accepted the driver"`
	DriverFunctions     []int64  `json:"driverFunctions" nullable:"false" doc:"the numbers of what the partner shows, of 1 to 4"`
	FirstName           string   `json:"firstName"`
	LastName            string   `json:"lastName"`
	Email               string   `json:"email"`
	Phone               string   `json:"phone"`
	Cities              []string `json:"cities" nullable:"false"`
	TaxID               string   `json:"taxId"`
	Newsletter          bool     `json:"newsletter"`
	CarStatus           string   `json:"carStatus" enum:",want_to_rent,own,rented"`
	Activity            string   `json:"activity" enum:"unknown,active,plan_to,self,with_partner"`
	Address             Address  `json:"address"`
	HasPesel            bool     `json:"hasPesel"`
	Pesel               string   `json:"pesel" doc:"only its end can be read"`
	SettlementFrequency int64    `json:"settlementFrequency" enum:"0,1,2,4" doc:"weeks; 0: as the partner has it"`
	SummaryLanguage     string   `json:"summaryLanguage"`
	BailiffSeizure      bool     `json:"bailiffSeizure"`
}

func shownAccount(a accounts.Account, b accounts.Bond, v *vault.Vault) (DriverAccount, error) {
	d := a.Details
	pesel, err := a.Pesel(v)
	return DriverAccount{ID: a.TenantID, Completed: a.Completed(), Version: a.Version, PartnerUUID: a.PartnerID,
		PartnerDescription: b.Partner.Name,
		ReferenceID:        a.ReferenceID, IsLinked: b.Linked, DriverFunctions: b.Functions, FirstName: d.FirstName, LastName: d.LastName,
		Email: d.Email,
		Phone: d.Phone, Cities: d.Cities, TaxID: d.TaxID, Newsletter: d.Newsletter, CarStatus: d.CarStatus, Activity: d.Activity,
		Address:  Address{d.Street, d.HouseNumber, d.ApartmentNumber, d.City, d.PostCode, d.Country},
		HasPesel: pesel != "", Pesel: pesel, SettlementFrequency: a.SettlementFrequency, SummaryLanguage: d.SummaryLanguage,
		BailiffSeizure: d.Bailiff}, err
}

// country is the country of the instance as official numbers name it.
func (s Settings) country() string { return strings.ToUpper(s.Instance.Code) }

// languageOr is the language that a request names, or the instance's.
func (s Settings) languageOr(asked Language) i18n.Language {
	return i18n.ParseOr(string(asked), i18n.Language(s.Instance.Language))
}

func (s Settings) driverAccount(tx *db.Tx, who access.Actor, _ *nothing) (out DriverAccount, err error) {
	var a accounts.Account
	if err = tx.As(who.AsDriver(), func() error { a, err = accounts.Own(tx); return err }); err != nil {
		return out, err
	}
	b, err := accounts.BondOf(tx, who, a)
	if err != nil && !errors.Is(err, accounts.ErrNoPartner) {
		return out, err
	}
	return shownAccount(a, b, s.Vault)
}

// Made is the id of what was made. Answers of changes are kept for repeats, so
// they hold nothing personal.
type Made struct {
	ID string `json:"id"`
}

func (s Settings) openAccount(tx *db.Tx, in *struct{ Body NewDriverAccount }) (Made, error) {
	return Made{tx.Actor.Person}, accounts.Open(tx, s.Vault, s.country(), in.Body.details())
}

func (s Settings) saveAccount(tx *db.Tx, who access.Actor, in *struct{ Body DriverAccountEdit }) (web.None, error) {
	return web.None{}, accounts.Save(tx, who, s.Vault, s.country(), in.Body.details(), in.Body.Version)
}

func closeAccount(tx *db.Tx, who access.Actor, _ *nothing) (web.None, error) {
	return web.None{}, accounts.Close(tx, who)
}

func linkAccount(tx *db.Tx, in *struct {
	ID            string `path:"id" maxLength:"255"`
	ReferenceID   string `cookie:"reference_id"`
	ReferenceLink string `cookie:"reference_link"`
}) (web.None, error) {
	return web.None{}, accounts.LinkAccount(tx, in.ID, accounts.Reference{ID: in.ReferenceID, Link: in.ReferenceLink})
}

// PartnerChoice is a partner that a driver may choose.
type PartnerChoice struct {
	UUID    string   `json:"uuid"`
	Code    string   `json:"code"`
	Name    string   `json:"name"`
	Cities  []string `json:"cities" nullable:"false"`
	Consent string   `json:"consent" doc:"what a driver agrees to by choosing it; these words are kept"`
}

// PartnerChoices are the first partners that match, by name.
type PartnerChoices struct {
	Partners []PartnerChoice `json:"partners" nullable:"false"`
}

const choicesMax = 50

func (s Settings) partnerChoices(tx *db.Tx, _ access.Actor, in *struct {
	Query    string   `query:"q" maxLength:"100" doc:"a part of the name, the code or a city"`
	Language Language `query:"lang" doc:"of what a driver agrees to"`
}) (out PartnerChoices, err error) {
	found, err := partners.Choices(tx, in.Query, choicesMax)
	out.Partners = make([]PartnerChoice, len(found))
	for i, c := range found {
		out.Partners[i] = PartnerChoice{c.TenantID, c.Code, c.Name, c.Cities, accounts.ConsentText(s.languageOr(in.Language), c.Name)}
	}
	return out, err
}

// PartnerInvite chooses a partner, or invites one that is not here.
type PartnerInvite struct {
	PartnerUUID  string   `json:"partnerUuid" required:"false" maxLength:"64" doc:"the partner to choose; empty: the one below is invited"`
	PartnerName  string   `json:"partnerName" required:"false" maxLength:"500"`
	PartnerEmail string   `json:"partnerEmail" required:"false" maxLength:"500"`
	Consent      bool     `json:"consentToSendContactDetails" doc:"must be true"`
	Language     Language `json:"language" required:"false" doc:"in which the consent was shown"`
}

func (s Settings) invitePartner(tx *db.Tx, who access.Actor, in *struct{ Body PartnerInvite }) (web.None, error) {
	consent := accounts.Consent{Given: in.Body.Consent, Language: s.languageOr(in.Body.Language)}
	if in.Body.PartnerUUID != "" {
		return web.None{}, accounts.ChoosePartner(tx, who, in.Body.PartnerUUID, consent)
	}
	explained := s.PublicURL + "/about?lang=" + s.Instance.Language
	return web.None{}, accounts.InvitePartner(tx, who, s.Mails, explained, i18n.Language(s.Instance.Language),
		accounts.Invitation{Name: in.Body.PartnerName, Email: in.Body.PartnerEmail, Consent: consent})
}

func leavePartner(tx *db.Tx, who access.Actor, _ *nothing) (web.None, error) {
	return web.None{}, accounts.LeavePartner(tx, who)
}

// PartnerCard is what a driver sees of their partner.
type PartnerCard struct {
	UUID   string   `json:"uuid"`
	Code   string   `json:"code"`
	Name   string   `json:"name"`
	Phone  string   `json:"phone"`
	Email  string   `json:"email"`
	WWW    string   `json:"www"`
	Cities []string `json:"cities" nullable:"false"`
	Linked bool     `json:"isLinked" doc:"whether the partner has accepted the driver"`
}

func partnerCard(tx *db.Tx, who access.Actor, _ *nothing) (out PartnerCard, err error) {
	var a accounts.Account
	if err = tx.As(who.AsDriver(), func() error { a, err = accounts.Own(tx); return err }); err != nil {
		return out, err
	}
	b, err := accounts.BondOf(tx, who, a)
	if err != nil || b.Blocked {
		return PartnerCard{UUID: b.Partner.TenantID, Name: b.Partner.Name, Cities: []string{}}, err
	}
	err = tx.As(who.In(a.PartnerID), func() error {
		c, err := partners.OwnCard(tx)
		out = PartnerCard{c.TenantID, c.Code, c.Name, c.Phone, c.Email, c.WWW, c.Cities, b.Linked}
		return err
	})
	return out, err
}

// Frequency is how often a driver is settled.
type Frequency struct {
	Frequency int64 `json:"frequency" enum:"1,2,4" doc:"weeks"`
	Chosen    bool  `json:"chosen" doc:"by the driver; else it is the partner's"`
	MayChoose bool  `json:"mayChoose"`
}

func frequency(tx *db.Tx, who access.Actor, _ *nothing) (Frequency, error) {
	f, err := accounts.FrequencyOf(tx, who)
	return Frequency{f.Weeks, f.Chosen, f.MayChoose}, err
}

// NewFrequency is how often a driver wants to be settled.
type NewFrequency struct {
	Frequency int64 `json:"frequency" enum:"1,2,4" doc:"weeks"`
}

func setFrequency(tx *db.Tx, who access.Actor, in *struct{ Body NewFrequency }) (web.None, error) {
	return web.None{}, accounts.SetFrequency(tx, who, in.Body.Frequency)
}

// PartnerFrequency is what the partner has for its drivers.
type PartnerFrequency struct {
	Frequency     int64 `json:"frequency" enum:"1,2,4" doc:"weeks"`
	DriversChoose bool  `json:"driversChoose"`
}

func partnerFrequency(tx *db.Tx, who access.Actor, _ *nothing) (PartnerFrequency, error) {
	f, err := accounts.FrequencyOf(tx, who)
	return PartnerFrequency{f.Partner, f.MayChoose}, err
}
