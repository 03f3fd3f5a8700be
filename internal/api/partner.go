package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path"

	"github.com/google/uuid"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/licences"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) partnerRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/partners", Name: "partner", Permission: access.PartnerRead,
		Summary: "The partner's own profile"}, s.partner)
	web.Write(r, web.Route{Method: put, Path: "/api/partners", Name: "save-partner", Permission: access.PartnerWrite,
		Summary: "Replace the partner's own profile"}, s.savePartner)
	web.Read(r, web.Route{Method: get, Path: "/api/partners/driver-functions", Name: "driver-functions", Permission: access.PartnerRead,
		Summary: "What the partner's drivers see"}, driverFunctions)
	web.Write(r, web.Route{Method: put, Path: "/api/partners/driver-functions", Name: "set-driver-functions",
		Permission: access.PartnerWrite,
		Summary:    "Choose what the partner's drivers see"}, setDriverFunctions)
	web.Read(r, web.Route{Method: get, Path: "/api/partners/partner-settlement-frequency", Name: "partner-settlement-frequency",
		Permission: access.PartnerRead,
		Summary:    "How often the partner's drivers are settled"}, settlementFrequency)
	web.Plain(r, web.Route{Method: put, Path: "/api/partners/logo", Name: "set-logo", Permission: access.PartnerWrite,
		Summary: "Replace the partner's logo"}, s.setLogo)
	web.Plain(r, web.Route{Method: del, Path: "/api/partners/logo", Name: "remove-logo", Permission: access.PartnerWrite,
		Summary: "Take the partner's logo away"}, s.removeLogo)
}

// PartnerAddress is an address in JSON.
type PartnerAddress struct {
	Street          string `json:"street"`
	HouseNumber     string `json:"houseNumber"`
	ApartmentNumber string `json:"apartmentNumber"`
	City            string `json:"city"`
	PostCode        string `json:"postCode"`
	Country         string `json:"country" doc:"two letters; empty while there is no address"`
}

// PartnerChanges is what a partner may set for itself. Any other field is refused.
type PartnerChanges struct {
	Version                int64          `json:"version" doc:"that the change was made from; refused when somebody saved meanwhile"`
	Name                   string         `json:"name" doc:"1 to 150 characters"`
	Color                  string         `json:"color" doc:"primary colour as #RRGGBB"`
	Email                  string         `json:"email"`
	Phone                  string         `json:"phone"`
	WWW                    string         `json:"www" doc:"http or https"`
	TaxID                  string         `json:"taxId" doc:"NIP; on the German instance USt-IdNr, Steuer-ID or Steuernummer"`
	Cities                 []string       `json:"cities" nullable:"false"`
	Services               []string       `json:"services" nullable:"false"`
	Commission             int64          `json:"commission" doc:"basis points, 0 to 10000"`
	ProvisionCharge        string         `json:"provisionCharge" enum:"always,when_described"`
	DriversDescribe        bool           `json:"driversDescribe" doc:"drivers may describe their invoices themselves"`
	SettlementFrequency    int64          `json:"settlementFrequency" enum:"1,2,4" doc:"weeks"`
	DriversChooseFrequency bool           `json:"driversChooseFrequency"`
	Address                PartnerAddress `json:"address"`
	Account                string         `json:"account" doc:"IBAN for transfers; empty: none"`
	Notes                  string         `json:"notes"`
	Referral               string         `json:"referral" doc:"who referred the partner"`
}

// PartnerProfile is a partner as it sees itself.
type PartnerProfile struct {
	UUID            string `json:"uuid"`
	Code            string `json:"code"`
	Demo            bool   `json:"demo"`
	Logo            string `json:"logo" doc:"address of the picture; another one after each change; empty: none"`
	SettlementLimit int64  `json:"settlementLimit"`
	SettlementUsage int64  `json:"settlementUsage"`
	Remaining       int64  `json:"remaining"`
	PartnerChanges
}

func (s Settings) partner(tx *db.Tx, _ *nothing) (PartnerProfile, error) {
	p, err := partners.Own(tx)
	if err != nil {
		return PartnerProfile{}, err
	}
	f, err := partners.OwnProfile(tx, s.Vault)
	if err != nil {
		return PartnerProfile{}, err
	}
	units, err := licences.Of(tx)
	if err != nil {
		return PartnerProfile{}, err
	}
	return PartnerProfile{UUID: p.TenantID, Code: p.Code, Demo: p.Demo, Logo: logoAddress(p), SettlementLimit: units.Granted,
		SettlementUsage: units.Used, Remaining: units.Left(),
		PartnerChanges: PartnerChanges{Version: f.Version, Name: f.Name, Color: f.Color, Email: f.Email, Phone: f.Phone, WWW: f.WWW,
			TaxID:  f.TaxID,
			Cities: f.Cities, Services: f.Services, Commission: int64(f.Commission), ProvisionCharge: string(f.ProvisionCharge),
			DriversDescribe: f.DriversDescribe, SettlementFrequency: f.SettlementFrequency, DriversChooseFrequency: f.DriversChooseFrequency,
			Address: PartnerAddress(f.Address), Account: string(f.Account), Notes: f.Notes, Referral: f.Referral}}, nil
}

// savePartner answers nothing: answers are kept with their idempotency key,
// where an account number has no business.
func (s Settings) savePartner(tx *db.Tx, in *struct{ Body PartnerChanges }) (web.None, error) {
	b := in.Body
	return web.None{}, partners.SaveProfile(tx, s.Vault, s.country(),
		partners.Profile{Version: b.Version, Name: b.Name, Color: b.Color, Email: b.Email,
			Phone: b.Phone, WWW: b.WWW, TaxID: b.TaxID, Cities: b.Cities, Services: b.Services, Commission: money.Rate(b.Commission),
			ProvisionCharge: partners.Charge(b.ProvisionCharge), DriversDescribe: b.DriversDescribe, SettlementFrequency: b.SettlementFrequency,
			DriversChooseFrequency: b.DriversChooseFrequency, Address: partners.Address(b.Address), Account: official.Account(b.Account),
			Notes: b.Notes, Referral: b.Referral})
}

// DriverFunctions are the four numbered switches in JSON.
type DriverFunctions struct {
	Version   int64 `json:"version" doc:"that of the switches the change was made from"`
	Function1 bool  `json:"1" doc:"trips"`
	Function2 bool  `json:"2" doc:"time tracker and invoices; the first screen is the invoices, unless 3 is on"`
	Function3 bool  `json:"3" doc:"invoices and settlements; the first screen is the settlements"`
	Function4 bool  `json:"4" doc:"settlements"`
}

func driverFunctions(tx *db.Tx, _ *nothing) (DriverFunctions, error) {
	f, err := partners.OwnDriverFunctions(tx)
	return DriverFunctions{f.FunctionsVersion, f.Function1, f.Function2, f.Function3, f.Function4}, err
}

func setDriverFunctions(tx *db.Tx, in *struct{ Body DriverFunctions }) (web.None, error) {
	f := in.Body
	return web.None{}, partners.SetDriverFunctions(tx, partners.DriverFunctions{FunctionsVersion: f.Version,
		Function1: f.Function1, Function2: f.Function2, Function3: f.Function3, Function4: f.Function4})
}

// SettlementFrequency is how often a partner's drivers are settled, in JSON.
type SettlementFrequency struct {
	Frequency     int64 `json:"frequency" enum:"1,2,4" doc:"weeks, unless a driver chose otherwise"`
	DriversChoose bool  `json:"driversChoose"`
}

func settlementFrequency(tx *db.Tx, _ *nothing) (SettlementFrequency, error) {
	f, err := partners.OwnFrequency(tx)
	return SettlementFrequency{f.SettlementFrequency, f.DriversChooseFrequency}, err
}

// setLogo keeps a picture and makes it the logo. The blob is there before the
// row names it, and a former one is removed after no row names it.
func (s Settings) setLogo(ctx context.Context, c web.Call, in *struct {
	RawBody []byte `contentType:"application/octet-stream" doc:"PNG or JPEG, at most 1 MB"`
}) (web.None, error) {
	picture, err := partners.Logo(in.RawBody)
	if err != nil {
		return web.None{}, err
	}
	key := path.Join(c.Actor.Tenant, "logo", uuid.Must(uuid.NewV7()).String()+".png")
	if _, err := s.Blobs.Put(ctx, key, bytes.NewReader(picture), int64(len(picture))); err != nil {
		return web.None{}, err
	}
	sum := sha256.Sum256(in.RawBody)
	return web.None{}, s.changeLogo(ctx, c, key, "set-logo "+hex.EncodeToString(sum[:]))
}

func (s Settings) removeLogo(ctx context.Context, c web.Call, _ *nothing) (web.None, error) {
	return web.None{}, s.changeLogo(ctx, c, "", "remove-logo")
}

func (s Settings) changeLogo(ctx context.Context, c web.Call, key, sum string) error {
	var unneeded string
	err := s.DB.Write(ctx, c.Actor, func(tx *db.Tx) error {
		_, replayed, err := web.Once(tx, c.Key, sum, func() (none web.None, err error) {
			unneeded, err = partners.SetLogo(tx, key)
			return none, err
		})
		if replayed {
			unneeded = key
		}
		return err
	})
	if err == nil && unneeded != "" {
		_ = s.Blobs.Delete(context.WithoutCancel(ctx), unneeded) // one that stays behind costs its bytes and nothing else
	}
	return err
}

// logoAddress is where the partner's picture is; it changes with the picture,
// so that no old one is shown from memory.
func logoAddress(p partners.Partner) string {
	if p.Logo == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(p.Logo))
	return "/identification/" + p.Code + "/logo?v=" + hex.EncodeToString(sum[:4])
}
