// Package rules is the rules by which a partner settles its drivers. One shape
// serves the store, the contract and the settlement: amounts in minor units,
// rates in basis points, null for what is not used.
package rules

import "saldo/internal/kernel/money"

// ContractType is what a driver works under.
type ContractType string

const (
	B2BNoVAT      ContractType = "B2B_NO_VAT"
	B2BVAT        ContractType = "B2B_VAT"
	CivilContract ContractType = "CIVIL_CONTRACT"
)

// VATMethod says how VAT is found in a gross amount.
type VATMethod string

const (
	Inside VATMethod = "INSIDE" // part of the gross: r/(100+r)
	On     VATMethod = "ON"     // taken on the gross: r/100
)

// InvoiceVAT is the rate of VAT on the invoices of drivers who pay it (B2B_VAT). Germany has a choice: 7 % for a taxi, 19 % for a
// Mietwagen,
// none for a Kleinunternehmer. Everywhere else it is the reduced one.
type InvoiceVAT string

const (
	Reduced  InvoiceVAT = "REDUCED"  // of the instance; also what the empty text of older rules means
	Standard InvoiceVAT = "STANDARD" // of the instance
	Exempt   InvoiceVAT = "EXEMPT"   // § 19 UStG
)

// PayoutOf is what the driver's share is taken of.
type PayoutOf string

const (
	OfRevenue PayoutOf = "REVENUE"
	OfIncome  PayoutOf = "INCOME"
)

// CostRateType says what the rate of a band is.
type CostRateType string

const (
	Percent  CostRateType = "PERCENT"  // basis points of the whole revenue
	Marginal CostRateType = "MARGINAL" // basis points of the part of the revenue inside the band
	Flat     CostRateType = "AMOUNT"   // minor units
)

// Rules are everything a settlement asks of a schema.
type Rules struct {
	Name         string       `json:"name" doc:"1 to 100 characters"`
	ContractType ContractType `json:"contractType" enum:"B2B_NO_VAT,B2B_VAT,CIVIL_CONTRACT"`

	WeeklyContractCost  money.Amount     `json:"weeklyContractCost" doc:"minor units, 0 to 100000000, as all here"`
	MonthlyContractCost money.Amount     `json:"monthlyContractCost"`
	SettlementCost      money.Amount     `json:"settlementCost" doc:"once per period with revenue"`
	AdditionalCosts     []AdditionalCost `json:"additionalCosts" nullable:"false" doc:"up to 20; each once per period with revenue"`

	DailyFee DailyFee      `json:"dailyFee" doc:"per working day in the app"`
	MaxFee1  *money.Amount `json:"maxFee1" doc:"most of daily fees with one app; null: no cap"`
	MaxFee2  *money.Amount `json:"maxFee2" doc:"the same for two apps"`
	MaxFee3  *money.Amount `json:"maxFee3" doc:"the same for three apps"`

	TripSettlementCost    money.Amount  `json:"tripSettlementCost" doc:"once per period with a tracked trip"`
	TripFee               money.Amount  `json:"tripFee" doc:"per tracked trip"`
	MaxTripSettlementCost *money.Amount `json:"maxTripSettlementCost" doc:"cap on both; null: no cap"`

	MinContractIncome *money.Amount `json:"minContractIncome" doc:"what the order contract pays first; null: not used"`
	VATMethod         VATMethod     `json:"vatMethod" enum:"INSIDE,ON"`
	InvoiceVAT        InvoiceVAT    `json:"invoiceVat" enum:"REDUCED,STANDARD,EXEMPT" doc:"of a B2B_VAT driver; in Poland REDUCED only"`
	VATSplit          bool          `json:"vatSplit" doc:"the invoice transfer names its VAT"`
	DeductionRate     money.Rate    `json:"deductionRateBp" doc:"of the VAT on costs, given back; basis points"`
	DepreciationRate  money.Rate    `json:"depreciationRateBp" doc:"of net income, as another transfer; basis points"`

	PayoutRate         money.Rate   `json:"payoutRateBp" doc:"the driver's; basis points to 10000"`
	PayoutOf           PayoutOf     `json:"payoutOf" enum:"REVENUE,INCOME"`
	PayoutIncludesCash bool         `json:"payoutIncludesCash" doc:"the driver holds cash as paid"`
	WeekStartDay       int64        `json:"weekStartDay" doc:"1 Monday to 7 Sunday"`
	MinTransfer        money.Amount `json:"minTransfer" doc:"smallest amount worth a transfer"`
	CostRates          []CostRate   `json:"costRates" nullable:"false" doc:"up to 50; bands of one type do not overlap"`
	AutoNextPeriod     bool         `json:"autoNextPeriod" doc:"the rest goes to the next period"`
}

// AdditionalCost is charged under its own name.
type AdditionalCost struct {
	Name   string       `json:"name" doc:"1 to 100 characters"`
	Amount money.Amount `json:"amount"`
}

// DailyFee is charged for each working day in an app.
type DailyFee struct {
	Uber    money.Amount `json:"UBER"`
	Bolt    money.Amount `json:"BOLT"`
	FreeNow money.Amount `json:"FREENOW"`
}

// CostRate is a cost that depends on the revenue, a band of it: it holds from IncomeFrom to less
// than IncomeTo, or without end.
type CostRate struct {
	Type       CostRateType  `json:"type" enum:"PERCENT,MARGINAL,AMOUNT"`
	IncomeFrom money.Amount  `json:"incomeFrom"`
	IncomeTo   *money.Amount `json:"incomeTo" doc:"null: no end"`
	Rate       int64         `json:"rate" doc:"basis points, 0 to 10000; of an AMOUNT minor units"`
}

// Default is what a new partner starts with, and what a field means that was
// never set: nothing is charged, and everything earned is the driver's.
func Default() Rules {
	return Rules{
		Name: "Standard", ContractType: CivilContract, AdditionalCosts: []AdditionalCost{}, VATMethod: Inside, InvoiceVAT: Reduced,
		DeductionRate: RateMax,
		PayoutRate:    RateMax, PayoutOf: OfIncome, PayoutIncludesCash: true, WeekStartDay: 1, CostRates: []CostRate{}, AutoNextPeriod: true,
	}
}
