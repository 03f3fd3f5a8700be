// Package kinds knows the types of a driver's transactions: where each is counted, which amounts it has, and who may
// write it. Amounts are minor units.
package kinds

import "slices"

// Category is where a settlement counts a transaction.
type Category string

// The categories, in the order in which a settlement shows them.
const (
	Income        Category = "income"
	Bonus         Category = "bonus"
	Tips          Category = "tips"
	Cash          Category = "cash"
	Fee           Category = "fee"
	Fuel          Category = "fuel"
	Cost          Category = "cost"
	Credit        Category = "credit"
	Tax           Category = "tax"
	Contract      Category = "contract"
	Settlement    Category = "settlement"
	Overpayment   Category = "overpayment"
	Previous      Category = "previous"
	Informational Category = "informational" // shown, never counted
	Unsorted      Category = "unknown"       // never counted until it is given a type
)

// Categories lists all of them in that order.
func Categories() []Category {
	return []Category{Income, Bonus, Tips, Cash, Fee, Fuel, Cost, Credit, Tax, Contract, Settlement, Overpayment, Previous, Informational,
		Unsorted}
}

// Counted says whether the category is part of what a driver is due.
func (c Category) Counted() bool { return c != Informational && c != Unsorted }

// Sign is which amounts a type has, as seen by the driver.
type Sign string

// The signs. A provider corrects itself with the opposite sign, so a sign
// binds only what people write by hand.
const (
	Either Sign = "either"
	Plus   Sign = "plus"
	Minus  Sign = "minus"
)

// Writer is who may bring a type besides the program itself.
type Writer string

// Every provider's file may carry most types; the partner's own sheets may
// carry all.
const (
	EveryProvider Writer = "every"
	OwnSheets     Writer = "own" // files that partners fill in themselves
)

// Type is one line of the table.
type Type struct {
	Name     string
	Category Category // from a provider of rides or deliveries; CategoryOf knows the others
	Sign     Sign
	ByHand   bool // one of the three kinds that a partner enters is booked so
	From     Writer
}

// Names of the types that the program itself writes.
const (
	Trip          = "TRIP"
	CostOf        = "COST"
	Invoice       = "INVOICE"
	CashCollected = "CASH_COLLECTED"
	Unknown       = "UNKNOWN"

	PreviousPeriod = "PREV_PERIOD_TRANSFER"
	TaxOverpayment = "TAX_OVERPAYMENT"
)

const byHand = true

var table = []Type{
	{Trip, Income, Either, byHand, EveryProvider},
	{"DELIVERY", Income, Plus, false, EveryProvider},
	{"WAITING_TIME", Income, Plus, false, EveryProvider},
	{"CANCELLATION", Income, Plus, false, EveryProvider},
	{"CLEANING_REPAIR", Income, Plus, false, EveryProvider},
	{"INCREASE", Income, Plus, false, EveryProvider},
	{"ADJUSTMENT", Income, Either, false, EveryProvider},
	{"REFUND", Income, Either, false, EveryProvider},
	{"BONUS", Bonus, Plus, false, EveryProvider},
	{"PROMO", Bonus, Plus, false, EveryProvider},
	{"TIP", Tips, Plus, false, EveryProvider},
	{CashCollected, Cash, Either, false, EveryProvider}, // plus where a cost was paid in cash
	{"FEE", Fee, Minus, false, EveryProvider},
	{"FEE_TAX", Fee, Minus, false, EveryProvider},
	{"FEE_RETURN", Fee, Plus, false, EveryProvider},
	{"DELIVERY_FEE", Fee, Minus, false, EveryProvider},
	{"CHARGE", Fee, Minus, false, EveryProvider},
	{"CHARGE_TAX", Fee, Minus, false, EveryProvider},
	{"PAYOUT_FEE", Fee, Minus, false, EveryProvider},
	{"ZONE_FEE", Fee, Minus, false, EveryProvider},
	{"SUBSCRIPTION", Fee, Minus, false, EveryProvider},
	{"CARD_FEE", Fee, Minus, false, EveryProvider},
	{"FUEL", Fuel, Minus, false, EveryProvider},
	{CostOf, Cost, Minus, byHand, EveryProvider},
	{"DEPOSIT", Cost, Either, false, EveryProvider}, // minus when it is taken, plus when it is given back
	{Invoice, Credit, Plus, byHand, OwnSheets},
	{"TAX", Tax, Minus, false, EveryProvider},
	{"CONTRACT_COST", Contract, Minus, false, OwnSheets},
	{"SETTLEMENT_COST", Settlement, Minus, false, OwnSheets},
	{TaxOverpayment, Overpayment, Plus, false, OwnSheets},
	{PreviousPeriod, Previous, Either, false, EveryProvider},
	{"PAYOUT", Informational, Either, false, EveryProvider},
	{"BANKABLE", Informational, Either, false, EveryProvider},
	{Unknown, Unsorted, Either, false, EveryProvider},
}

// Types lists every type, in the order of the categories.
func Types() []Type { return slices.Clone(table) }

var byName = func() map[string]Type {
	all := make(map[string]Type, len(table))
	for _, t := range table {
		all[t.Name] = t
	}
	return all
}()

// Of finds a type by its name.
func Of(name string) (Type, bool) {
	t, ok := byName[name]
	return t, ok
}

// CategoryOf is where a transaction is counted. Three types depend on who
// brought them: corrections are income only from a provider of rides or
// deliveries, and a card's fee is fuel from a fuel card, a cost from the rest.
func CategoryOf(name, provider string, amount int64) Category {
	t, ok := Of(name)
	if !ok {
		return Unsorted
	}
	group := byCode[provider].Group
	switch {
	case group == Rides:
		return t.Category
	case name == "CARD_FEE" && group == FuelCards:
		return Fuel
	case name == "CARD_FEE":
		return Cost
	case name != "ADJUSTMENT" && name != "REFUND":
		return t.Category
	case amount < 0:
		return Cost
	}
	return Credit
}

// Counted says whether transactions of a type are part of what a driver is
// due. Where they are counted may depend on who brought them, whether does not.
func Counted(name string) bool { return CategoryOf(name, "", 0).Counted() }

// Allows says whether an amount written by hand has the type's sign. Nothing
// is never booked.
func (t Type) Allows(amount int64) bool {
	switch t.Sign {
	case Plus:
		return amount > 0
	case Minus:
		return amount < 0
	}
	return amount != 0
}

// CarriedBy says whether a row of the provider's file may have the type.
func (t Type) CarriedBy(provider string) bool {
	p, known := byCode[provider]
	return known && (t.From == EveryProvider || p.OwnSheets)
}
