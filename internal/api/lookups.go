package api

import (
	"context"
	"errors"

	"saldo/internal/accounts"
	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/official"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
	"saldo/internal/schemas"
)

func (s Settings) lookupsRoutes(r *web.Router) {
	web.Plain(r, web.Route{Method: get, Path: "/api/suggestions/cities", Name: "suggest-cities", Permission: access.LookupsRead,
		Summary: "Cities whose name begins with a text"}, s.suggestCities)
	web.Plain(r, web.Route{Method: get, Path: "/api/suggestions/dictionary", Name: "dictionary", Permission: access.LookupsRead,
		Summary: "What can be chosen in forms"}, dictionary)
	web.Plain(r, web.Route{Method: get, Path: "/api/providers", Name: "providers", Permission: access.LookupsRead,
		Summary: "Where earnings, costs and fuel come from"}, providerList)
	web.Plain(r, web.Route{Method: get, Path: "/api/validate/pesel", Name: "validate-pesel", Permission: access.LookupsRead,
		Summary: "Whether a PESEL can be one"}, validatePesel)
	web.Plain(r, web.Route{Method: post, Path: "/api/validate/pesel", Name: "validate-pesel-body",
		Permission: access.LookupsRead, BodyLimit: 4 << 10,
		Summary: "The same, with the number out of the address"}, validatePeselBody)
}

// CityList is cities to choose from.
type CityList struct {
	Cities []string `json:"cities" nullable:"false"`
}

const citiesMax = 10

func (s Settings) suggestCities(_ context.Context, _ web.Call, in *struct {
	Name string `query:"name" maxLength:"100" doc:"how the name begins"`
}) (CityList, error) {
	return CityList{drivers.SuggestCities(s.country(), in.Name, citiesMax)}, nil
}

// Dictionary is what can be chosen in forms.
type Dictionary struct {
	CarStatuses []string   `json:"carStatuses" nullable:"false"`
	Activities  []string   `json:"activities" nullable:"false"`
	Frequencies []int64    `json:"frequencies" nullable:"false" doc:"weeks"`
	Languages   []Language `json:"languages" nullable:"false"`
	Services    []string   `json:"services" nullable:"false" doc:"what a partner offers to drivers"`
}

var partnerOffers = []string{"settlements", "car_rental", "fuel_cards", "accounting", "insurance"}

func dictionary(context.Context, web.Call, *nothing) (Dictionary, error) {
	d := Dictionary{CarStatuses: accounts.CarStatuses, Activities: accounts.Activities, Frequencies: schemas.Frequencies,
		Services: partnerOffers}
	for _, l := range i18n.Languages {
		d.Languages = append(d.Languages, Language(l))
	}
	return d, nil
}

// Provider is a provider in JSON.
type Provider struct {
	Code         string `json:"code"`
	Name         string `json:"name"`
	HasDriverApp bool   `json:"hasDriverApp"`
}

// ProviderList is the providers that were asked for.
type ProviderList struct {
	Providers []Provider `json:"providers" nullable:"false"`
}

func providerList(_ context.Context, _ web.Call, in *struct {
	HasDriverApp string `query:"hasDriverApp" enum:",true,false" doc:"only those with such an app, or only those without"`
}) (ProviderList, error) {
	list := ProviderList{Providers: []Provider{}}
	for _, p := range kinds.Providers {
		if in.HasDriverApp == "" || (in.HasDriverApp == "true") == p.HasDriverApp {
			list.Providers = append(list.Providers, Provider{p.Code, p.Name, p.HasDriverApp})
		}
	}
	return list, nil
}

// Validity says whether an official number can be one.
type Validity struct {
	Valid  bool   `json:"valid"`
	Reason string `json:"reason" enum:",length,characters,form,check_digit,country,date,not_issued" doc:"empty when it is valid"`
}

func checkPesel(pesel string) (Validity, error) {
	_, err := official.ParsePESEL(pesel)
	var reason official.Reason
	if err != nil && !errors.As(err, &reason) {
		return Validity{}, err
	}
	return Validity{err == nil, string(reason)}, nil
}

// The number stands in the address only because the contract has it so; the
// web application uses the twin below. Log lines hold no addresses.
func validatePesel(_ context.Context, _ web.Call, in *struct {
	Pesel string `query:"pesel" maxLength:"50"`
}) (Validity, error) {
	return checkPesel(in.Pesel)
}

// PeselCheck is a number to look at.
type PeselCheck struct {
	Pesel string `json:"pesel" maxLength:"50"`
}

func validatePeselBody(_ context.Context, _ web.Call, in *struct{ Body PeselCheck }) (Validity, error) {
	return checkPesel(in.Body.Pesel)
}
