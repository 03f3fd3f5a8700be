package api

import (
	"saldo/internal/fuel"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) fuelRoutes(r *web.Router) {
	web.Driver(r, web.Route{Method: get, Path: "/api/driver-accounts/fuel", Name: "own-fuel", Permission: access.AccountRead,
		Summary: "The driver's own fuel"}, s.ownFuel)
	web.Read(r, web.Route{Method: get, Path: "/api/drivers/{id}/fuel", Name: "driver-fuel", Permission: access.DriversRead,
		Summary: "A driver's fuel, and what looks odd"}, s.driverFuel)
	web.Write(r, web.Route{Method: put, Path: "/api/drivers/{id}/fuel/cards/{card}", Name: "save-fuel-card", Permission: access.DriversWrite,
		Summary: "Set limits of a fuel card"}, s.saveFuelCard)
}

func (s Settings) fuel() *fuel.Service {
	return &fuel.Service{Vault: s.Vault, Instance: s.Instance, Settlements: s.Settlements}
}

type fuelDays struct {
	From string `query:"from" maxLength:"10"`
	To   string `query:"to" maxLength:"10"`
}

func (s Settings) fuelOf(tx *db.Tx, driver string, in fuelDays, side fuel.Side) (fuel.DriverFuel, error) {
	days, err := fuel.DaysOf(in.From, in.To, calendar.DateOf(tx.Now, s.Instance.Location(), 0))
	if err != nil {
		return fuel.DriverFuel{}, err
	}
	return s.fuel().Of(tx, driver, days, side)
}

func (s Settings) ownFuel(tx *db.Tx, who access.Actor, in *fuelDays) (out fuel.DriverFuel, err error) {
	err = asOwnDriver(tx, who, fuel.ErrOff, func(driver string) error {
		out, err = s.fuelOf(tx, driver, *in, fuel.Driver)
		return err
	})
	return out, err
}

func (s Settings) driverFuel(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	From string `query:"from" maxLength:"10"`
	To   string `query:"to" maxLength:"10"`
}) (fuel.DriverFuel, error) {
	return s.fuelOf(tx, in.ID, fuelDays{in.From, in.To}, fuel.Partner)
}

func (s Settings) saveFuelCard(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Card string `path:"card" maxLength:"64"`
	Body fuel.CardLimits
}) (web.None, error) {
	return web.None{}, s.fuel().Save(tx, in.ID, in.Card, in.Body)
}
