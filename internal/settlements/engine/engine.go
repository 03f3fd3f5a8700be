// Package engine computes settlements: everything in, figures out, each with its explanation. It is a pure function of its
// input. What it returns has been checked: every figure is what its explanation adds up to, or there is an error and no
// settlement.
//
// Where the text that it follows leaves a choice:
//
//   - A row belongs to the period of its own date. The days it sums up only count as working days, those inside the period.
//   - Any unsettled row makes a period, also an unknown or informational one, and a period is charged its contract cost whatever
//     is in it: the text has no condition there.
//   - Every income row makes its day a working day, whatever its amount.
//   - An app is any provider with income, bonus, tips, cash or fees: cash that went with a partner's cost stands under PARTNER.
//   - Unknown rows are never taken by a settlement: they stay open, can still be given a type, and are settled then, in a
//     supplementary settlement of their period where it is settled already. Informational rows are taken.
//   - A chain is carried through every older negative period that stands right before; one that is not negative ends it.
//   - There is something to settle where a transaction that is counted, a trip or an invoice is there.
//   - What an invoice gives back is rounded for each invoice, and its provision is a share of that rounded amount. Where
//     nothing is given back (B2B_VAT) there is no provision.
//   - In a supplementary settlement the whole period has revenue when settled and new revenue together are above zero.
//     Cost rates are taken of the new revenue alone, as the text names only five figures that are charged once.
//   - What a period was charged is found by weeks: a settled settlement counts where it shares a week with the period,
//     also when the driver's frequency has changed since. A change can make a charge smaller, never double it.
//   - A day inside a settled period stays in that period whatever boundaries hold now. A period by new boundaries has only the
//     days that no other settled period covers. Where the code of such a period is that of a settled one (weeks that begin later
//     leave a rest of the old code), both are one period: its weeks are charged once, its days each once.
//   - VAT is taken at the rates in force on the last day of the period.
//   - An invoice goes into the oldest period with transactions or trips that ends on its day or later. Only where there is
//     none it makes a period of its own, that of its day: an old invoice must not charge an old week again.
//   - Carry-overs are rows of INTERNAL on the day after the settled period.
//   - Transfers stand in the order in which the text names them: DEDUCTION_COST, then ORDER_CONTRACT, LEASE_CONTRACT or INVOICE.
//   - A transfer's VAT is known with B2B_VAT in any case; NameVAT says whether the title names it.
package engine

import (
	"errors"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
	"saldo/internal/schemas/rules"
)

// Why nothing is computed. All are mistakes of the caller or of this package, none of a person.
var (
	ErrTerms       = errors.New("the terms of a settlement are not complete")
	ErrNotClosing  = errors.New("no period of the driver closes in that week")
	ErrOutside     = errors.New("a row is not of the period")
	ErrCarry       = errors.New("only what a driver owes is carried while it is pending")
	ErrUnexplained = errors.New("a figure is not what its explanation adds up to")
)

// VAT are the rates of the instance.
type VAT struct{ Standard, Reduced money.Rate }

// SchemaVersion says which text of a schema the rules are.
type SchemaVersion struct {
	Number  int64 `json:"number"`
	Version int64 `json:"version"`
}

// Terms are what a driver is settled by.
type Terms struct {
	Rules         rules.Rules // without a problem by schema.Check
	Schema        SchemaVersion
	Weeks         int // how often: 1, 2 or 4
	VAT           VAT
	Commission    money.Rate
	SmallBusiness bool // the driver has no VAT on invoices, whatever the rules say
	DescribedOnly bool // the provision is charged only for invoices that the partner described
	Missing       Missing
}

// Missing is what a driver must have before money can move, and has not.
type Missing struct{ Account, TaxID, Schema bool }

// Frequency gives the weeks that a driver is settled by: their own choice, where they may choose and did (0: they did not).
func Frequency(partner, driver int, mayChoose bool) int {
	if mayChoose && driver != 0 {
		return driver
	}
	return partner
}

// Transaction is what a settlement asks of one.
type Transaction struct {
	ID, Provider, Type string
	On                 calendar.Date
	SpanFrom, SpanTo   calendar.Date // empty: its own day
	Amount             money.Amount
}

// Trip is one of the trip tracker: income of INTERNAL and, paid in cash, the cash too. It is not given as a transaction.
type Trip struct {
	ID     string
	On     calendar.Date
	Amount money.Amount
	Cash   bool
}

// Invoice is an approved one that no settlement has taken.
type Invoice struct {
	ID                      string
	On                      calendar.Date // of sale, or of issue where there is none
	Gross                   money.Amount
	VATStandard, VATReduced money.Amount
	ByPartner               bool // who described it
}

// Charged is what settled settlements took of the figures that a period is charged once.
type Charged struct {
	BaseCost, AdditionalSettlementCost, ContractBase, AppFee, TripCost money.Amount
}

// Settled is a settled settlement, or one that was absorbed, as far as a later one of the same period asks for it.
type Settled struct {
	Period       calendar.Period
	Weeks        int
	First, Last  calendar.Date // empty: the days of the code by the terms that hold now
	Charged      Charged
	Transactions []Transaction
	Trips        []Trip
}

// Input is everything that one settlement depends on.
type Input struct {
	Terms
	Period       calendar.Period
	First, Last  calendar.Date // empty: the days of the code by the terms
	Transactions []Transaction // unsettled, of the period
	Trips        []Trip        // the same
	Invoices     []Invoice     // of the period or before
	Before       []Settled     // what of the period is settled; some: this one is supplementary
	CarryIn      money.Amount  // due of the older negative periods, 0 or below
	CarriedFrom  []calendar.Period
}

// App is what a driver did with one provider.
type App struct {
	Provider                                 string
	Income, Bonus, Tips, CashCollected, Fees money.Amount
	WorkingDays                              int

	days  uint64                // worked, by day of the period
	marks [appFigures + 1]int32 // the parts of each figure begin at its mark and end at the next one
}

// Purpose is what a transfer is for.
type Purpose string

// The purposes.
const (
	DeductionCost Purpose = "DEDUCTION_COST"
	OrderContract Purpose = "ORDER_CONTRACT"
	LeaseContract Purpose = "LEASE_CONTRACT"
	InvoicePaid   Purpose = "INVOICE"
)

// Transfer is a part of the payout.
type Transfer struct {
	Purpose Purpose
	Amount  money.Amount
	VAT     money.Amount // inside the amount
	NameVAT bool         // in the title: split payment
	Of      Figure       // whose explanation is that of the amount
}

// Warning is what somebody should see before settling.
type Warning struct {
	Code   WarningCode
	Count  int
	Amount money.Amount
}

// WarningCode names a warning.
type WarningCode string

// The warnings.
const (
	UnknownRows WarningCode = "unknown_rows"
	NoAccount   WarningCode = "no_account"
	NoTaxID     WarningCode = "no_tax_id"
	NoSchema    WarningCode = "no_schema" // of their own: they are settled by the default one
)

// Settlement is one driver's period, computed and explained.
type Settlement struct {
	Period        calendar.Period
	Weeks         int
	First, Last   calendar.Date
	Schema        SchemaVersion
	SmallBusiness bool // of the terms
	Supplementary bool
	Figures       Figures
	Apps          []App // by provider
	Transfers     []Transfer
	Unknown       Warning
	Warnings      []Warning
	CarriedFrom   []calendar.Period
	Days          []calendar.Date // with rows; nil: every day from the first to the last is its own

	autoNextPeriod bool
	anything       bool // to settle
	derivations    [figureCount]derivation
	parts          []part
	rows           []Row // of each provider and category together, invoices last
	unknown        []span
	invoices       int32 // where they begin
	providers      []string
}

type span struct{ from, to int32 }

// Charged gives what this settlement took of the figures that a period is charged once.
func (s *Settlement) Charged() Charged {
	f := &s.Figures
	return Charged{BaseCost: f[BaseCost], AdditionalSettlementCost: f[AdditionalSettlementCost], ContractBase: f[ContractBase],
		AppFee: f[AppFee], TripCost: f[TripCost]}
}

// Ordered is what the order contract pays: a lease and a refund of costs are no pay.
func (s *Settlement) Ordered() (amount money.Amount) {
	for _, t := range s.Transfers {
		if t.Purpose == OrderContract {
			amount += t.Amount
		}
	}
	return amount
}

// Bare is the settlement without what its figures are made of: it can be shown and compared, and neither explained nor kept.
func (s *Settlement) Bare() Settlement {
	bare := *s
	bare.derivations, bare.parts, bare.rows, bare.unknown, bare.providers = [figureCount]derivation{}, nil, nil, nil, nil
	return bare
}

// Takes lists what settling takes out of what is open: everything given but unknown rows.
func (s *Settlement) Takes() []Row {
	taken := make([]Row, 0, len(s.rows))
	from := int32(0)
	for _, u := range s.unknown {
		taken, from = append(taken, s.rows[from:u.from]...), u.to
	}
	taken = append(taken, s.rows[from:]...)
	// A trip in cash stands twice among the rows, as income and as cash.
	kept := taken[:0]
	for _, r := range taken {
		if r.Kind != tripCash {
			kept = append(kept, r)
		}
	}
	return kept
}

// RowKind says what a row of an explanation is.
type RowKind string

// The kinds.
const (
	OfTransaction RowKind = "transaction"
	OfTrip        RowKind = "trip"
	OfInvoice     RowKind = "invoice"
	tripCash      RowKind = "trip_cash"
)

// Row is a transaction, trip or invoice behind a figure. The amount of a trip's cash is negative, that of an invoice its
// gross.
type Row struct {
	Kind   RowKind      `json:"kind" enum:"transaction,trip,trip_cash,invoice"`
	ID     string       `json:"id"`
	Amount money.Amount `json:"amount"`
}

// position of a category in its list.
func position(c kinds.Category) int {
	switch c {
	case kinds.Income:
		return income
	case kinds.Bonus:
		return bonus
	case kinds.Tips:
		return tips
	case kinds.Cash:
		return cash
	case kinds.Fee:
		return fee
	case kinds.Fuel:
		return fuel
	case kinds.Cost:
		return cost
	case kinds.Credit:
		return credit
	case kinds.Tax:
		return taxes
	case kinds.Contract:
		return contract
	case kinds.Settlement:
		return settlement
	case kinds.Overpayment:
		return overpayment
	case kinds.Previous:
		return previous
	case kinds.Informational:
		return informational
	}
	return unsorted
}

// The categories as numbers, in the order of ledger.Categories.
const (
	income = iota
	bonus
	tips
	cash
	fee
	fuel
	cost
	credit
	taxes
	contract
	settlement
	overpayment
	previous
	informational
	unsorted
	categoryCount
)

var categoryNames = kinds.Categories()
