package api

import (
	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/settlements"
)

func (s Settings) placesRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/settlements/{id}/place", Name: "settlement-place", Permission: access.SettlementsRead,
		Summary: "Where a settlement stands in a list, and those before and after it"}, settlementPlace)
	web.Read(r, web.Route{Method: get, Path: "/api/drivers/{id}/place", Name: "driver-place", Permission: access.DriversRead,
		Summary: "Where a driver stands in a list, and those before and after them"}, s.driverPlace)
}

// Neighbour is what stands before or after something in a list.
type Neighbour struct {
	_         struct{} `nullable:"true"`
	ID        string   `json:"id"`
	DriverID  string   `json:"driverId"`
	FirstName string   `json:"firstName"`
	LastName  string   `json:"lastName"`
}

// ListPlace is where something stands in the list that it was opened from.
type ListPlace struct {
	Previous *Neighbour `json:"previous" doc:"null: it is the first"`
	Next     *Neighbour `json:"next" doc:"null: it is the last"`
	Position int64      `json:"position" doc:"0: the list no longer contains it"`
	Total    int64      `json:"total"`
}

func settlementPlace(tx *db.Tx, in *struct {
	ID string `path:"id" maxLength:"64"`
	SettledQuery
}) (out ListPlace, err error) {
	f, err := in.filter()
	if err != nil {
		return out, err
	}
	place, err := settlements.PlaceOf(tx, f, in.ID)
	if err != nil {
		return out, err
	}
	out = ListPlace{Position: place.Position, Total: place.Total}
	beside, err := settlements.Some(tx, []string{place.Previous, place.Next})
	for i := range beside {
		s := &beside[i]
		one := &Neighbour{ID: s.ID, DriverID: s.CanonicalDriver(), FirstName: s.FirstName, LastName: s.LastName}
		if s.ID == place.Previous {
			out.Previous = one
		} else {
			out.Next = one
		}
	}
	return out, err
}

func (s Settings) driverPlace(tx *db.Tx, in *struct {
	ID string `path:"id" maxLength:"64"`
	DriverQuery
}) (out ListPlace, err error) {
	place, err := drivers.PlaceOf(tx, s.driverFilter(in.DriverQuery), in.ID)
	if err != nil {
		return out, err
	}
	out = ListPlace{Position: place.Position, Total: place.Total}
	if out.Previous, err = driverBeside(tx, place.Previous); err != nil {
		return out, err
	}
	out.Next, err = driverBeside(tx, place.Next)
	return out, err
}

func driverBeside(tx *db.Tx, id string) (*Neighbour, error) {
	if id == "" {
		return nil, nil
	}
	name, err := drivers.Named(tx, id)
	return &Neighbour{ID: id, DriverID: id, FirstName: name.FirstName, LastName: name.LastName}, err
}
