package kinds

// Group is what a provider sells.
type Group string

// The groups of providers.
const (
	Rides     Group = "rides" // and deliveries
	FuelCards Group = "fuel"
	Rest      Group = "rest"
)

// Provider is where earnings, costs and fuel come from.
type Provider struct {
	Code         string
	Name         string // the same in all languages
	Group        Group  // decides where some types are counted
	HasDriverApp bool   // drivers take trips or deliveries with it
	OwnSheets    bool   // partners fill its files in themselves
}

// Providers lists all of them, in the order in which they are offered. What their files look like is in imports/providers.
var Providers = []Provider{
	{Code: "BOLT", Name: "Bolt", Group: Rides, HasDriverApp: true},
	{Code: "CIRCLEK", Name: "Circle K", Group: FuelCards},
	{Code: "FLOTEX", Name: "Flotex", Group: FuelCards},
	{Code: "FREENOW", Name: "Free Now", Group: Rides, HasDriverApp: true},
	{Code: "GLOVO", Name: "Glovo", Group: Rides, HasDriverApp: true},
	{Code: "ORLEN", Name: "ORLEN", Group: FuelCards},
	{Code: "OTHER", Name: "Other", Group: Rest, OwnSheets: true},
	{Code: "PARTNER", Name: "Partner", Group: Rest, OwnSheets: true},
	{Code: "UBER", Name: "Uber", Group: Rides, HasDriverApp: true},
	{Code: "UBER_EATS", Name: "Uber Eats", Group: Rides, HasDriverApp: true},
	{Code: "STUART", Name: "Stuart", Group: Rides, HasDriverApp: true},
	{Code: "BOLT_FOOD", Name: "Bolt Food", Group: Rides, HasDriverApp: true},
	{Code: "REVOLUT", Name: "Revolut", Group: Rest},
	{Code: "INTERNAL", Name: "Internal", Group: Rides, OwnSheets: true},
}

var byCode = func() map[string]Provider {
	all := make(map[string]Provider, len(Providers))
	for _, p := range Providers {
		all[p.Code] = p
	}
	return all
}()

// ProviderOf finds a provider by its code.
func ProviderOf(code string) (Provider, bool) {
	p, known := byCode[code]
	return p, known
}

// ProviderName is what a provider is called: a brand in all languages, but what partners keep themselves by a word of the language,
// which text gives.
func ProviderName(code string, text func(key string, params ...any) string) string {
	p, known := byCode[code]
	switch {
	case p.OwnSheets:
		return text("types:provider_" + code)
	case known:
		return p.Name
	}
	return code
}
