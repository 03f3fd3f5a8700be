package api

import (
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/settlements"
)

func (s Settings) searchRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/search", Name: "search", Permission: access.DriversRead,
		Summary: "The first drivers, settlements and files that a text is in"}, search)
}

// foundMax is how many of each kind a search shows.
const foundMax = 6

// FoundDriver is a driver whom a search found.
type FoundDriver struct {
	ID        string `json:"id"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
	Blocked   bool   `json:"blocked"`
}

// FoundSettlement is a settlement that a search found.
type FoundSettlement struct {
	ID        string       `json:"id"`
	Number    int64        `json:"number"`
	DriverID  string       `json:"driverId"`
	FirstName string       `json:"firstName"`
	LastName  string       `json:"lastName"`
	FirstOn   string       `json:"firstOn"`
	LastOn    string       `json:"lastOn"`
	State     string       `json:"state" enum:"settled,paid,revoked"`
	Payout    money.Amount `json:"payout"`
}

// FoundFile is an imported file that a search found.
type FoundFile struct {
	ID         string    `json:"id"`
	FileName   string    `json:"fileName"`
	Provider   string    `json:"provider"`
	UploadedAt time.Time `json:"uploadedAt"`
}

// Found is what a search found, the first of each kind.
type Found struct {
	Drivers     []FoundDriver     `json:"drivers" nullable:"false"`
	Settlements []FoundSettlement `json:"settlements" nullable:"false"`
	Files       []FoundFile       `json:"files" nullable:"false"`
}

func search(tx *db.Tx, in *struct {
	Query string `query:"q" maxLength:"100"`
}) (Found, error) {
	out := Found{Drivers: []FoundDriver{}, Settlements: []FoundSettlement{}, Files: []FoundFile{}}
	query := strings.TrimSpace(in.Query)
	if query == "" {
		return out, nil
	}
	people, err := drivers.Find(tx, query, foundMax)
	if err != nil {
		return out, err
	}
	for _, d := range people {
		out.Drivers = append(out.Drivers, FoundDriver(d))
	}
	if tx.Actor.May(access.SettlementsRead) {
		page, err := settlements.List(tx, settlements.Filter{Query: query, Page: 1, Size: foundMax})
		if err != nil {
			return out, err
		}
		for i := range page.Items {
			s := &page.Items[i]
			out.Settlements = append(out.Settlements, FoundSettlement{s.ID, s.Number, s.CanonicalDriver(), s.FirstName, s.LastName,
				string(s.FirstOn), string(s.LastOn), string(s.State), s.Payout})
		}
	}
	if tx.Actor.May(access.ImportsRead) {
		files, err := imports.Find(tx, query, foundMax)
		if err != nil {
			return out, err
		}
		for _, f := range files {
			out.Files = append(out.Files, FoundFile{f.ID, f.FileName, f.Provider, f.UploadedAt})
		}
	}
	return out, nil
}
