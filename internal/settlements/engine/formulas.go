package engine

import (
	"math/bits"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/schemas/rules"
)

// apps gives the figures of each app.
func (c *calc) apps() {
	apps := make([]App, 0, c.used)
	for _, i := range c.order() {
		slot := &c.space[i]
		if slot.counts[income]+slot.counts[bonus]+slot.counts[tips]+slot.counts[cash]+slot.counts[fee] == 0 {
			continue
		}
		apps = append(apps, App{Provider: c.s.providers[i], Income: slot.sums[income], Bonus: slot.sums[bonus], Tips: slot.sums[tips],
			CashCollected: c.sub(0, slot.sums[cash]), Fees: c.sub(0, slot.sums[fee]), WorkingDays: bits.OnesCount64(slot.days)})
		app := &apps[len(apps)-1]
		app.days, app.marks[Income] = slot.days, int32(c.start)
		for f := income; f <= fee; f++ { // the first five categories are the first five figures
			times := int32(1)
			if Figure(f) >= CashCollected {
				times = -1
			}
			c.ofRows(i, f, times)
			app.marks[f+1] = int32(len(c.s.parts))
		}
		c.ofRows(i, income, 0)
		c.start = len(c.s.parts)
		app.marks[appFigures] = int32(c.start)
	}
	c.s.Apps = apps
}

// earned is what came in and what of it is the driver's.
func (c *calc) earned() {
	f := &c.s.Figures
	for figure := Income; figure <= Fee; figure++ {
		var total money.Amount
		for i := range c.s.Apps {
			value := c.s.Apps[i].of(figure)
			total = c.sum(total, value)
			if value != 0 {
				p := c.add()
				p.kind, p.figure, p.app, p.amount, p.times, p.of = ofApp, figure, uint8(i), value, 1, 1
			}
		}
		c.set(figure, total)
	}

	c.ofFigure(Income, 1)
	c.ofFigure(Bonus, 1)
	c.ofFigure(Tips, 1)
	c.set(Revenue, c.sum(f[Income], f[Bonus], f[Tips]))

	c.ofFigure(Revenue, 1)
	c.ofFigure(Fee, -1)
	c.set(NetIncome, c.sub(f[Revenue], f[Fee]))

	share := NetIncome
	if c.in.Rules.PayoutOf == rules.OfRevenue {
		share = Revenue
	}
	c.shareOf(share, rulePayoutRate, rulePayoutOf, int64(c.in.Rules.PayoutRate), whole)
	c.set(PayoutBase, c.share(f[share], c.in.Rules.PayoutRate))

	deducted := f[CashCollected]
	if c.in.Rules.PayoutIncludesCash {
		c.ofFigure(CashCollected, 1)
	} else {
		deducted = 0
		c.because(CashDeducted, cashNotCounted)
	}
	c.set(CashDeducted, deducted)
}

// charges are what the partner takes for settling, each once per period.
func (c *calc) charges() {
	r, f := &c.in.Rules, &c.s.Figures
	withRevenue := c.sum(f[Revenue], c.settledRevenue) > 0

	base, additional := money.Amount(0), money.Amount(0)
	if withRevenue {
		base = r.SettlementCost
		c.ofRule(ruleSettlementCost, 0, base, 1)
	} else {
		c.because(BaseCost, noRevenue)
	}
	c.once(BaseCost, base, c.charged.BaseCost)

	c.once(AppFee, c.appFee(), c.charged.AppFee)

	trip := money.Amount(0)
	if trips := len(c.in.Trips) + c.settledTrips; trips > 0 {
		trip = c.sum(r.TripSettlementCost, c.times(r.TripFee, trips))
		c.ofRule(ruleTripSettlementCost, 0, r.TripSettlementCost, 1)
		c.ofRule(ruleTripFee, 0, r.TripFee, trips)
		if r.MaxTripSettlementCost != nil {
			trip = min(trip, *r.MaxTripSettlementCost)
			c.cap(TripCost, *r.MaxTripSettlementCost, ruleMaxTripSettlementCost)
		}
	} else {
		c.because(TripCost, noTrips)
	}
	c.once(TripCost, trip, c.charged.TripCost)

	c.ofFigure(BaseCost, 1)
	c.ofFigure(AppFee, 1)
	c.ofFigure(TripCost, 1)
	booked := c.category(settlement, -1)
	c.set(SettlementCost, c.sub(c.sum(f[BaseCost], f[AppFee], f[TripCost]), booked))

	if withRevenue {
		for i := range r.AdditionalCosts {
			additional = c.sum(additional, r.AdditionalCosts[i].Amount)
			c.ofRule(ruleAdditionalCosts, i, r.AdditionalCosts[i].Amount, 1)
		}
	} else {
		c.because(AdditionalSettlementCost, noRevenue)
	}
	c.once(AdditionalSettlementCost, additional, c.charged.AdditionalSettlementCost)
}

// appFee is taken for each day worked in one of three apps, settled days included.
func (c *calc) appFee() (fee money.Amount) {
	r := &c.in.Rules
	apps := 0
	for _, app := range [...]struct {
		provider string
		daily    money.Amount
		rule     rule
	}{{"UBER", r.DailyFee.Uber, ruleDailyUber}, {"BOLT", r.DailyFee.Bolt, ruleDailyBolt}, {"FREENOW", r.DailyFee.FreeNow, ruleDailyFreeNow}} {
		for i := range c.slots() {
			if days := bits.OnesCount64(c.space[i].allDays); c.s.providers[i] == app.provider && days > 0 {
				apps++
				fee = c.sum(fee, c.times(app.daily, days))
				c.ofRule(app.rule, 0, app.daily, days)
			}
		}
	}
	if apps > 0 {
		maximum := [...]*money.Amount{r.MaxFee1, r.MaxFee2, r.MaxFee3}[apps-1]
		if maximum != nil {
			fee = min(fee, *maximum)
			c.cap(AppFee, *maximum, ruleMaxFee1+rule(apps-1))
		}
	}
	return fee
}

// rates are costs that depend on the revenue.
func (c *calc) rates() {
	revenue := c.s.Figures[Revenue]
	if revenue <= 0 {
		c.because(RateCost, noRevenue)
		c.set(RateCost, 0)
		return
	}
	var exact money.Exact
	for i := range c.in.Rules.CostRates {
		b := &c.in.Rules.CostRates[i]
		within := revenue >= b.IncomeFrom && (b.IncomeTo == nil || revenue < *b.IncomeTo)
		switch {
		case b.Type == rules.Marginal && revenue > b.IncomeFrom:
			end := revenue
			if b.IncomeTo != nil {
				end = min(end, *b.IncomeTo)
			}
			inside := c.sub(end, b.IncomeFrom)
			exact.Add(inside, b.Rate, whole)
			c.ofBand(ofBand, i, inside, b.Rate)
		case b.Type == rules.Percent && within:
			exact.Add(revenue, b.Rate, whole)
			c.ofBand(ofFigure, i, revenue, b.Rate)
		case b.Type == rules.Flat && within:
			exact.Add(money.Amount(b.Rate), 1, 1)
			c.ofRule(ruleCostRates, i, money.Amount(b.Rate), 1)
		}
	}
	c.set(RateCost, c.round(&exact))
}

// ofBand explains a rate of the revenue, or of the part of it in a band.
func (c *calc) ofBand(kind partKind, index int, amount money.Amount, rate int64) {
	p := c.add()
	p.kind, p.figure, p.rule, p.index, p.amount, p.times, p.of = kind, Revenue, ruleCostRates, uint8(index), amount, int32(rate), whole
}

func (c *calc) contract() {
	r := &c.in.Rules
	ends := calendar.MonthEnds(c.s.First, c.s.Last)
	c.ofRule(ruleWeeklyContractCost, 0, r.WeeklyContractCost, c.in.Weeks)
	c.ofRule(ruleMonthlyContractCost, 0, r.MonthlyContractCost, ends)
	c.once(ContractBase, c.sum(c.times(r.WeeklyContractCost, c.in.Weeks), c.times(r.MonthlyContractCost, ends)), c.charged.ContractBase)

	c.ofFigure(ContractBase, 1)
	booked := c.category(contract, -1)
	c.set(ContractCost, c.sub(c.s.Figures[ContractBase], booked))
}

func (c *calc) fuelAndCosts() {
	f := &c.s.Figures
	c.set(FuelCost, c.sub(0, c.category(fuel, -1)))

	refund := money.Amount(0)
	if c.paysVAT() {
		c.because(FuelRefund, paysVAT)
	} else {
		rate, deduction := int64(c.in.VAT.Standard), int64(c.in.Rules.DeductionRate)
		c.shareOf(FuelCost, ruleStandardVAT, ruleDeductionRate, rate*deduction, (whole+rate)*whole)
		var exact money.Exact
		exact.Add(f[FuelCost], rate*deduction, (whole+rate)*whole)
		refund = c.round(&exact)
	}
	c.set(FuelRefund, refund)
	c.set(Costs, c.sub(0, c.category(cost, -1)))
	c.set(Credits, c.category(credit, 1))
}

func (c *calc) paysVAT() bool { return c.in.Rules.ContractType == rules.B2BVAT }

func (c *calc) taxes() {
	f := &c.s.Figures
	c.invoices()

	var exact money.Exact
	if c.paysVAT() {
		c.because(Tax, paysVAT)
	} else {
		for _, of := range [...]struct {
			figure Figure
			rate   money.Rate
			rule   rule
		}{{Income, c.in.VAT.Reduced, ruleReducedVAT}, {Bonus, c.in.VAT.Standard, ruleStandardVAT}} {
			below := int64(whole)
			if c.in.Rules.VATMethod == rules.Inside {
				below += int64(of.rate)
			}
			if f[of.figure] > 0 { // less than nothing gives no VAT back
				exact.Add(f[of.figure], int64(of.rate), below)
				c.shareOf(of.figure, of.rule, ruleVATMethod, int64(of.rate), below)
			}
		}
	}
	exact.Add(c.category(taxes, -1), -1, 1)
	c.set(Tax, c.round(&exact))

	c.ofFigure(VATReturn, 1)
	c.ofFigure(Provision, -1)
	c.set(TaxCredit, c.sum(c.sub(f[VATReturn], f[Provision]), c.category(overpayment, 1)))

	left := c.sub(f[Tax], f[TaxCredit])
	c.ofFigure(Tax, 1)
	c.ofFigure(TaxCredit, -1)
	c.notBelowZero(TaxAfterOptimisation)
	c.set(TaxAfterOptimisation, max(0, left))

	c.ofFigure(TaxCredit, 1)
	c.ofFigure(Tax, -1)
	c.notBelowZero(TaxExcess)
	c.set(TaxExcess, max(0, c.sub(f[TaxCredit], f[Tax])))
}

func (c *calc) invoices() {
	var gross, returned, provision money.Amount
	for i := range c.in.Invoices {
		gross = c.sum(gross, c.in.Invoices[i].Gross)
	}
	if n := int32(len(c.in.Invoices)); n > 0 {
		p := c.add()
		p.kind, p.app, p.from, p.to, p.amount, p.times, p.of = ofRows, noProvider, c.s.invoices, c.s.invoices+n, gross, 1, 1
	}
	c.set(InvoicesGross, gross)

	if c.paysVAT() {
		c.because(VATReturn, paysVAT)
		c.set(VATReturn, 0)
		c.because(Provision, paysVAT)
		c.set(Provision, 0)
		return
	}
	for i := range c.in.Invoices {
		vat := c.invoiceVAT(i)
		returned = c.sum(returned, c.share(vat, c.in.Rules.DeductionRate))
		p := c.ofInvoice(i, vat, c.in.Rules.DeductionRate)
		p.rule = ruleDeductionRate
	}
	c.set(VATReturn, returned)

	for i := range c.in.Invoices {
		if c.in.DescribedOnly && !c.in.Invoices[i].ByPartner {
			continue
		}
		back := c.share(c.invoiceVAT(i), c.in.Rules.DeductionRate)
		provision = c.sum(provision, c.share(back, c.in.Commission))
		p := c.ofInvoice(i, back, c.in.Commission)
		p.figure, p.rule, p.rule2 = VATReturn, ruleCommission, ruleProvisionCharge
	}
	c.set(Provision, provision)
}

// Returned is what a settlement makes of one invoice.
type Returned struct {
	VATReturn, Provision money.Amount
	Why                  Reason // why nothing comes back; empty: something does
}

// ReturnOf is what of an invoice's VAT comes back by some terms, and what the partner keeps of that: the same that a settlement adds up.
func ReturnOf(t Terms, v Invoice) (r Returned, err error) {
	if t.Rules.ContractType == rules.B2BVAT {
		return Returned{Why: PaysVAT}, nil
	}
	vat, err := v.VATStandard.Add(v.VATReduced)
	if err != nil {
		return r, err
	}
	if r.VATReturn, err = money.Share(vat, t.Rules.DeductionRate); err != nil || t.DescribedOnly && !v.ByPartner {
		return r, err
	}
	r.Provision, err = money.Share(r.VATReturn, t.Commission)
	return r, err
}

func (c *calc) ofInvoice(i int, amount money.Amount, rate money.Rate) *part {
	p := c.add()
	row := c.s.invoices + int32(i)
	p.kind, p.from, p.to, p.amount, p.times, p.of, p.rounded = ofInvoice, row, row+1, amount, int32(rate), whole, true
	return p
}

func (c *calc) invoiceVAT(i int) money.Amount {
	return c.sum(c.in.Invoices[i].VATStandard, c.in.Invoices[i].VATReduced)
}

// dueSigns are the lines of what a driver is due.
var dueSigns = [...]struct {
	figure Figure
	times  int32
}{{PayoutBase, 1}, {CashDeducted, -1}, {TaxAfterOptimisation, -1}, {SettlementCost, -1}, {AdditionalSettlementCost, -1}, {RateCost, -1},
	{ContractCost, -1},
	{FuelCost, -1}, {FuelRefund, 1}, {Costs, -1}, {Credits, 1}, {PreviousPeriod, 1}}

func (c *calc) due() {
	f := &c.s.Figures
	older := c.category(previous, 1)
	if c.in.CarryIn != 0 {
		p := c.add()
		p.kind, p.rule, p.amount, p.times, p.of = ofCarry, ruleAutoNextPeriod, c.in.CarryIn, 1, 1
	}
	c.set(PreviousPeriod, c.sum(older, c.in.CarryIn))

	for _, l := range dueSigns {
		c.ofFigure(l.figure, l.times)
	}
	taken := c.sum(f[CashDeducted], f[TaxAfterOptimisation], f[SettlementCost], f[AdditionalSettlementCost], f[RateCost], f[ContractCost],
		f[FuelCost], f[Costs])
	due := c.sub(c.sum(f[PayoutBase], f[FuelRefund], f[Credits], f[PreviousPeriod]), taken)
	c.set(Due, due)

	payout := money.Amount(0)
	switch {
	case due <= 0:
		c.because(Payout, notPositive)
	case due < c.in.Rules.MinTransfer:
		c.because(Payout, belowMinimum)
		c.cap(Payout, 0, ruleMinTransfer)
		c.ofFigure(Due, 1)
	default:
		payout = due
		c.ofFigure(Due, 1)
	}
	c.set(Payout, payout)

	c.ofFigure(Due, 1)
	c.ofFigure(Payout, -1)
	c.set(NextPeriodTransfer, c.sub(due, payout))
}

func (c *calc) transfers() {
	r, f := &c.in.Rules, &c.s.Figures
	payout := f[Payout]
	ordered := r.ContractType == rules.CivilContract && r.MinContractIncome != nil

	order := money.Amount(0)
	if ordered {
		order = min(payout, *r.MinContractIncome)
		c.ofFigure(Payout, 1)
		c.cap(Order, *r.MinContractIncome, ruleMinContractIncome)
	} else {
		c.because(Order, noOrderContract)
	}
	c.set(Order, order)

	afterOrder := c.sub(payout, order)
	c.shareOf(NetIncome, ruleDepreciationRate, noRule, int64(r.DepreciationRate), whole)
	c.cap(Deduction, afterOrder, noRule)
	c.notBelowZero(Deduction)
	c.set(Deduction, max(0, min(afterOrder, c.share(f[NetIncome], r.DepreciationRate))))

	c.ofFigure(Payout, 1)
	c.ofFigure(Order, -1)
	c.ofFigure(Deduction, -1)
	rest := c.sub(afterOrder, f[Deduction])
	c.set(Remainder, rest)

	vat := money.Amount(0)
	if c.paysVAT() {
		vat = c.vatOf(rest)
	}
	c.set(InvoiceVAT, vat)
	if payout == 0 || c.tooLarge {
		return
	}
	c.s.Transfers = make([]Transfer, 0, 3)
	c.transfer(Transfer{Purpose: DeductionCost, Amount: f[Deduction], Of: Deduction})
	switch {
	case ordered:
		c.transfer(Transfer{Purpose: OrderContract, Amount: order, Of: Order})
		c.transfer(Transfer{Purpose: LeaseContract, Amount: rest, Of: Remainder})
	case r.ContractType == rules.CivilContract:
		c.transfer(Transfer{Purpose: OrderContract, Amount: rest, Of: Remainder})
	default:
		c.transfer(Transfer{Purpose: InvoicePaid, Amount: rest, VAT: vat, NameVAT: c.paysVAT() && r.VATSplit, Of: Remainder})
	}
}

// vatOf is the VAT inside what is left for the invoice of a driver who pays VAT.
func (c *calc) vatOf(rest money.Amount) money.Amount {
	rate, from := int64(c.in.VAT.Reduced), ruleReducedVAT
	switch {
	case c.in.SmallBusiness || c.in.Rules.InvoiceVAT == rules.Exempt:
		c.because(InvoiceVAT, smallBusiness)
		return 0
	case c.in.Rules.InvoiceVAT == rules.Standard:
		rate, from = int64(c.in.VAT.Standard), ruleStandardVAT
	}
	var exact money.Exact
	exact.Add(rest, rate, whole+rate)
	c.shareOf(Remainder, from, noRule, rate, whole+rate)
	return c.round(&exact)
}

func (c *calc) transfer(t Transfer) {
	if t.Amount != 0 {
		c.s.Transfers = append(c.s.Transfers, t)
	}
}

func (c *calc) warn() {
	s := c.s
	s.Unknown.Code = UnknownRows
	for _, u := range s.unknown {
		for _, r := range s.rows[u.from:u.to] {
			s.Unknown.Count++
			// What is not counted must not stop what is: where the sum is too large, it stays at what could be added.
			if more, err := s.Unknown.Amount.Add(r.Amount); err == nil {
				s.Unknown.Amount = more
			}
		}
	}
	if s.Unknown.Count > 0 {
		s.Warnings = append(s.Warnings, s.Unknown)
	}
	for _, m := range [...]struct {
		missing bool
		code    WarningCode
	}{{c.in.Missing.Account, NoAccount}, {c.in.Missing.TaxID, NoTaxID}, {c.in.Missing.Schema, NoSchema}} {
		if m.missing {
			s.Warnings = append(s.Warnings, Warning{Code: m.code})
		}
	}
}
