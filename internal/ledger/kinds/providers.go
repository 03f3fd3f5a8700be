package kinds

// Provider is where earnings, costs and fuel come from.
type Provider struct {
	Code, Name   string
	HasDriverApp bool // drivers take trips or deliveries with it
}

// Providers lists all of them, in the order in which they are offered.
var Providers = []Provider{
	{"BOLT", "Bolt", true}, {"CIRCLEK", "Circle K", false}, {"FLOTEX", "Flotex", false}, {"FREENOW", "Free Now", true},
	{"GLOVO", "Glovo", true},
	{"ORLEN", "ORLEN", false}, {"OTHER", "Other", false}, {"PARTNER", "Partner", false}, {"UBER", "Uber", true},
	{"UBER_EATS", "Uber Eats", true},
	{"STUART", "Stuart", true}, {"BOLT_FOOD", "Bolt Food", true}, {"REVOLUT", "Revolut", false}, {"INTERNAL", "Internal", false},
}
