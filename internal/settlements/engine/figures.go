package engine

import "saldo/internal/kernel/money"

// Figure is one of the figures of a settlement.
type Figure uint8

// The figures in the order in which they are computed. The first six exist for each app too, WorkingDays only there.
const (
	Income Figure = iota
	Bonus
	Tips
	CashCollected
	Fee
	WorkingDays
	Revenue
	NetIncome
	PayoutBase
	CashDeducted
	BaseCost
	AppFee
	TripCost
	SettlementCost
	AdditionalSettlementCost
	RateCost
	ContractBase
	ContractCost
	FuelCost
	FuelRefund
	Costs
	Credits
	InvoicesGross
	VATReturn
	Provision
	Tax
	TaxCredit
	TaxAfterOptimisation
	TaxExcess
	PreviousPeriod
	Due
	Payout
	NextPeriodTransfer
	Order      // of the payout, what the order contract must pay
	Deduction  // of the payout, the refund of costs
	Remainder  // of the payout, what is left then
	InvoiceVAT // inside the remainder
	figureCount
)

const appFigures = WorkingDays + 1

var figureNames = [figureCount]string{"income", "bonus", "tips", "cashCollected", "fee", "workingDays", "revenue", "netIncome",
	"payoutBase", "cashDeducted",
	"baseCost", "appFee", "tripCost", "settlementCost", "additionalSettlementCost", "rateCost", "contractBase", "contractCost", "fuelCost",
	"fuelRefund", "costs",
	"credits", "invoicesGross", "vatReturn", "provision", "tax", "taxCredit", "taxAfterOptimisation", "taxExcess", "previousPeriod", "due",
	"payout",
	"nextPeriodTransfer", "order", "deduction", "remainder", "invoiceVat"}

// String is the figure's name in JSON and in texts.
func (f Figure) String() string { return figureNames[f] }

// AllFigures lists those of a whole settlement.
func AllFigures() []Figure {
	all := make([]Figure, 0, figureCount)
	for f := range figureCount {
		if f != WorkingDays {
			all = append(all, f)
		}
	}
	return all
}

// Figures are the figures of one settlement.
type Figures [figureCount]money.Amount

// Of gives one of them.
func (f *Figures) Of(figure Figure) money.Amount { return f[figure] }

// Reason says why a part of a formula does not apply.
type Reason string

// The reasons.
const (
	NoRevenue       Reason = "no_revenue"        // the period has none
	PaysVAT         Reason = "pays_vat"          // the driver settles VAT with the office (B2B_VAT)
	CashNotCounted  Reason = "cash_not_counted"  // payoutIncludesCash is off
	NoTrips         Reason = "no_trips"          // in the period
	NotPositive     Reason = "not_positive"      // nothing is due
	BelowMinimum    Reason = "below_minimum"     // less than minTransfer
	NoOrderContract Reason = "no_order_contract" // another contract, or minContractIncome is empty
	SmallBusiness   Reason = "small_business"    // no VAT on the driver's invoices (§ 19 UStG)
)

// reasonCode keeps explanations free of pointers.
type reasonCode uint8

const (
	applies reasonCode = iota
	noRevenue
	paysVAT
	cashNotCounted
	noTrips
	notPositive
	belowMinimum
	noOrderContract
	smallBusiness
)

var reasonNames = [...]Reason{"", NoRevenue, PaysVAT, CashNotCounted, NoTrips, NotPositive, BelowMinimum, NoOrderContract, SmallBusiness}

// rule is what a number was taken from: a field of the schema, of the partner or of the instance.
type rule uint8

const (
	noRule rule = iota
	ruleWeeklyContractCost
	ruleMonthlyContractCost
	ruleSettlementCost
	ruleAdditionalCosts
	ruleDailyUber
	ruleDailyBolt
	ruleDailyFreeNow
	ruleMaxFee1
	ruleMaxFee2
	ruleMaxFee3
	ruleTripSettlementCost
	ruleTripFee
	ruleMaxTripSettlementCost
	ruleMinContractIncome
	ruleVATMethod
	ruleDeductionRate
	ruleDepreciationRate
	rulePayoutRate
	rulePayoutOf
	ruleMinTransfer
	ruleCostRates
	ruleAutoNextPeriod
	ruleCommission
	ruleProvisionCharge
	ruleStandardVAT
	ruleReducedVAT
)

var ruleNames = [...]string{"", "weeklyContractCost", "monthlyContractCost", "settlementCost", "additionalCosts", "dailyFee.UBER",
	"dailyFee.BOLT",
	"dailyFee.FREENOW", "maxFee1", "maxFee2", "maxFee3", "tripSettlementCost", "tripFee", "maxTripSettlementCost", "minContractIncome",
	"vatMethod",
	"deductionRateBp", "depreciationRateBp", "payoutRateBp", "payoutOf", "minTransfer", "costRates", "autoNextPeriod",
	"partner.commission", "partner.provisionCharge", "instance.standardVat", "instance.reducedVat"}

// Fees are what the partner charges for settling: of the period, of working days, of trips, and by rates.
func (f *Figures) Fees() money.Amount {
	return f[SettlementCost] + f[AdditionalSettlementCost] + f[RateCost] + f[ContractCost]
}

// Costs are what else stands between the revenue and what is due: the providers' fees and the partner's share, tax, fuel and costs.
func (f *Figures) Costs() money.Amount {
	return f[Revenue] - f[CashDeducted] - f.Fees() + f[PreviousPeriod] - f[Due]
}
