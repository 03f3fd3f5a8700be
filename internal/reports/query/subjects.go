package query

import (
	"fmt"
	"slices"
	"strings"

	"saldo/internal/kernel/calendar"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/i18n"
	"saldo/internal/settlements/engine"
)

// subjects are all that reports may be made of.
var subjects = []subject{settlements(), settlementFigures(), transactions(), trips(), timeEntries(), invoices(), payouts(), fleet(),
	licences()}

const sharedSettlement = `s.shared_at <> ''`

func ofSettlements() subject {
	return subject{from: `settlements s`, tenant: "s", where: `s.state <> 'revoked'`, day: "s.last_on", driver: "s.driver_id",
		shared: sharedSettlement, currency: "s.currency", dimensions: slices.Concat([]dimension{
			{key: "period", kind: Text, sql: "s.period", time: true},
			// the week of a settlement is the one that it was settled for, whatever day the schema begins weeks with
			{key: "week", kind: Text, sql: "s.period", time: true},
			{key: "day", kind: Day, sql: "s.last_on", time: true},
			{key: "month", kind: Text, sql: "SUBSTR(s.last_on, 1, 7)", time: true},
			byDriver, byTag,
			{key: "schema", kind: Choice, sql: "CAST(r.schema AS TEXT)", needs: ofTerms | notShared, codes: true},
			{key: "contract", kind: Choice, sql: "r.contract", needs: ofTerms, values: contracts, names: "report-model:contract_"},
			{key: "state", kind: Choice, sql: "s.state", values: []string{"settled", "paid"}, names: "exports:settlements.state."},
		})}
}

var contracts = []string{"B2B_NO_VAT", "B2B_VAT", "CIVIL_CONTRACT"}

func settlements() subject {
	s := ofSettlements()
	s.key = "settlements"
	kept := func(key, column string) measure {
		return measure{key: key, kind: Money, sql: sum(column), text: "statement:figure_" + key}
	}
	of := func(key string) measure { return kept(key, figure(key)) }
	fees := figure("settlementCost") + ` + ` + figure("additionalSettlementCost") + ` + ` + figure("rateCost")
	s.measures = []measure{count, people,
		{key: "transactions", kind: Count, sql: sum("s.transactions")},
		kept("revenue", "s.revenue"), of("income"), of("bonus"), of("tips"), kept("fee", "s.fee"), kept("cashCollected", "s.cash_collected"),
		kept("payout", "s.payout"), kept("nextPeriodTransfer", "s.next_period_transfer"),
		of("taxAfterOptimisation"), of("vatReturn"), of("provision"), of("fuelCost"), of("costs"), of("credits"), of("contractCost"),
		of("settlementCost"), of("additionalSettlementCost"), of("rateCost"),
		{key: "partnerFees", kind: Money, sql: sum(fees), needs: notShared},
		// what a share below the whole leaves with the partner is its own; of a whole share nothing is
		{key: "earned", kind: Money, needs: ofTerms | notShared, sql: sum(fees + ` + ` + figure("provision") +
			` + CASE WHEN r.rate < 10000 THEN s.revenue - s.fee - ` + figure("payoutBase") + ` ELSE 0 END`)},
	}
	return s
}

func settlementFigures() subject {
	s := ofSettlements()
	s.key, s.from = "settlement_figures", `settlements s CROSS JOIN {json_each s.figures} f`
	names := []string{}
	for _, f := range engine.AllFigures() {
		names = append(names, f.String())
	}
	s.measures = []measure{{key: "amount", kind: Money, sql: sum(`CAST(f.value AS BIGINT)`), figures: true}, count, people}
	s.dimensions = append(s.dimensions, dimension{key: "figure", kind: Choice, sql: "f.key", values: names, names: "statement:figure_"})
	return s
}

func quoted(names []string) string { return `('` + strings.Join(names, `', '`) + `')` }

// typesOf are the types that a transaction of a ride or delivery has in some categories.
func typesOf(categories ...kinds.Category) (names []string) {
	for _, t := range kinds.Types() {
		if slices.Contains(categories, t.Category) {
			names = append(names, t.Name)
		}
	}
	return names
}

func providersOf(group kinds.Group) (codes []string) {
	for _, p := range kinds.Providers {
		if p.Group == group {
			codes = append(codes, p.Code)
		}
	}
	return codes
}

// fromRides says whether a provider of rides or deliveries brought a row: some types are counted elsewhere then.
var fromRides = `x.provider IN ` + quoted(providersOf(kinds.Rides))

// category is where a transaction is counted, as kinds.CategoryOf says it.
func category() string {
	text := `CASE WHEN x.type IN ('ADJUSTMENT', 'REFUND') AND NOT ` + fromRides + ` THEN CASE WHEN x.amount < 0 THEN 'cost' ELSE 'credit' END
		WHEN x.type = 'CARD_FEE' AND x.provider IN ` + quoted(providersOf(kinds.FuelCards)) + ` THEN 'fuel'
		WHEN x.type = 'CARD_FEE' AND NOT ` + fromRides + ` THEN 'cost'`
	for _, c := range kinds.Categories() {
		text += ` WHEN x.type IN ` + quoted(typesOf(c)) + ` THEN '` + string(c) + `'`
	}
	return text + ` ELSE 'unknown' END`
}

func transactions() subject {
	types, categoryNames, providers := []string{}, []string{}, []string{}
	for _, t := range kinds.Types() {
		types = append(types, t.Name)
	}
	for _, c := range kinds.Categories() {
		categoryNames = append(categoryNames, string(c))
	}
	for _, p := range kinds.Providers {
		providers = append(providers, p.Code)
	}
	revenue := `x.type IN ` + quoted(typesOf(kinds.Income, kinds.Bonus, kinds.Tips)) + ` AND (x.type NOT IN ('ADJUSTMENT', 'REFUND') OR ` +
		fromRides + `)`
	fee := `x.type IN ` + quoted(typesOf(kinds.Fee)) + ` AND (x.type <> 'CARD_FEE' OR ` + fromRides + `)`
	counts := `x.type IN ` + quoted(typesOf(slices.DeleteFunc(kinds.Categories(), func(c kinds.Category) bool { return !c.Counted() })...))
	when := func(condition, amount string) string {
		return sum(`CASE WHEN ` + condition + ` THEN ` + amount + ` ELSE 0 END`)
	}
	return subject{key: "transactions", from: `transactions x`, tenant: "x", where: `x.deleted_at = ''`, day: "x.occurred_on",
		driver: "x.driver_id", currency: "x.currency",
		shared: `x.settlement_id IN (SELECT s.id FROM settlements s WHERE s.tenant_id = x.tenant_id AND s.state <> 'revoked' AND ` +
			sharedSettlement + `)`,
		measures: []measure{count, people, {key: "amount", kind: Money, sql: sum("x.amount")},
			{key: "revenue", kind: Money, sql: when(revenue, "x.amount"), text: "statement:figure_revenue"},
			{key: "fee", kind: Money, sql: when(fee, "-x.amount"), text: "statement:figure_fee"},
			{key: "counted", kind: Money, sql: when(counts, "x.amount")}},
		dimensions: slices.Concat(byDays("x.occurred_on"), []dimension{byDriver, byTag, bySchema,
			{key: "app", kind: Choice, sql: "x.provider", values: providers},
			{key: "city", kind: Text, sql: "COALESCE(i.city, '')", needs: ofImport},
			{key: "type", kind: Choice, sql: "x.type", values: types, names: "types:type_"},
			{key: "category", kind: Choice, sql: category(), values: categoryNames, names: "types:category_"},
			payment("x.payment", "", "cash", "card"),
			settled("x.settlement_id"),
			{key: "source", kind: Choice, sql: "x.source", values: []string{"hand", "import", "carry"}, names: "report-model:source_"},
		})}
}

func payment(sql string, values ...string) dimension {
	return dimension{key: "payment", kind: Choice, sql: sql, values: values, names: "report-model:payment_"}
}

// settled says whether a settlement took the row.
func settled(column string) dimension {
	return dimension{key: "settled", kind: Choice, sql: `CASE WHEN ` + column + ` = '' THEN 'open' ELSE 'taken' END`,
		values: []string{"open", "taken"}, names: "report-model:settled_"}
}

func trips() subject {
	return subject{key: "trips", from: `trips x`, tenant: "x", where: `x.deleted_at = '' AND x.refused_at = ''`, day: "x.occurred_on",
		driver: "x.driver_id", shared: `1 = 1`,
		measures: []measure{count, people, {key: "amount", kind: Money, sql: sum("x.amount")},
			{key: "cash", kind: Money, sql: sum(`CASE WHEN x.payment = 'cash' THEN x.amount ELSE 0 END`)},
			{key: "card", kind: Money, sql: sum(`CASE WHEN x.payment = 'card' THEN x.amount ELSE 0 END`)}},
		dimensions: slices.Concat(byDays("x.occurred_on"), []dimension{byDriver, byTag, bySchema, payment("x.payment", "cash", "card"),
			settled("x.settlement_id")})}
}

func timeEntries() subject {
	const day = "SUBSTR(x.started_at, 1, 10)"
	return subject{key: "time_entries", from: `time_entries x`, tenant: "x",
		where: `x.deleted_at = '' AND x.refused_at = '' AND x.ended_at <> ''`, day: day, driver: "x.driver_id", shared: `1 = 1`,
		measures: []measure{count, people, {key: "minutes", kind: Minutes, sql: sum("x.minutes")},
			{key: "breakMinutes", kind: Minutes, sql: sum("x.break_minutes")},
			{key: "distance", kind: Count, sql: sum(`CASE WHEN x.mileage_start > 0 AND x.mileage_end > 0
				THEN x.mileage_end - x.mileage_start ELSE 0 END`)}},
		dimensions: slices.Concat(byDays(day), []dimension{byDriver, byTag, bySchema, {key: "plate", kind: Text, sql: "x.plate"}})}
}

func invoices() subject {
	// rejected ones are counted and bring nothing, as on screen
	standing := func(sql string) string { return sum(`CASE WHEN x.state <> 'rejected' THEN ` + sql + ` ELSE 0 END`) }
	return subject{key: "invoices", from: `invoice_images x`, tenant: "x", where: `x.deleted_at = '' AND x.issued_on <> ''`,
		day: "x.issued_on", driver: "x.driver_id", shared: `1 = 1`, currency: "x.currency", foreign: true,
		measures: []measure{count, people, {key: "rejected", kind: Count, sql: counted(`x.state = 'rejected'`)},
			{key: "gross", kind: Money, sql: standing("x.gross")}, {key: "net", kind: Money, sql: standing("x.net")},
			{key: "vat", kind: Money, sql: standing("x.vat_standard + x.vat_reduced + x.vat_other")}},
		dimensions: slices.Concat(byDays("x.issued_on"), []dimension{byDriver, byTag, bySchema,
			{key: "state", kind: Choice, sql: "x.state", values: []string{"uploaded", "to_describe", "to_verify", "approved", "rejected"},
				names: "report-model:invoice_"},
			{key: "category", kind: Choice, sql: "x.category", names: "report-model:cost.",
				values: []string{"", "fuel", "repair", "lease", "phone", "wash", "parking", "insurance", "other"}},
			{key: "issuer", kind: Text, sql: "x.issuer_tax_id", labels: []string{"MIN(x.issuer_name)"}},
			settled("x.settlement_id")})}
}

func payouts() subject {
	return subject{key: "payouts", tenant: "x", day: "b.pay_on", driver: "x.driver_id", currency: "b.currency",
		from: `payout_transfers x JOIN payout_batches b ON b.tenant_id = x.tenant_id AND b.number = x.batch
			JOIN settlements s ON s.tenant_id = x.tenant_id AND s.id = x.settlement_id`,
		where: `b.state <> 'cancelled' AND NOT EXISTS (SELECT 1 FROM payout_removals o WHERE o.tenant_id = x.tenant_id AND o.batch = x.batch
			AND o.place = x.place)`,
		shared: `b.state = 'released' AND ` + sharedSettlement,
		measures: []measure{count, people, {key: "amount", kind: Money, sql: sum("x.amount")},
			{key: "vat", kind: Money, sql: sum("x.vat")}},
		dimensions: slices.Concat(byDays("b.pay_on"), []dimension{byDriver, byTag, bySchema,
			{key: "batch", kind: Text, sql: "CAST(b.number AS TEXT)", by: "MIN(b.number)", needs: notShared},
			{key: "way", kind: Choice, sql: "b.way", values: []string{"domestic", "foreign", "cash"}, names: "report-model:way_"},
			{key: "state", kind: Choice, sql: "b.state", values: []string{"proposed", "released"}, names: "report-model:batch_"},
			{key: "purpose", kind: Choice, sql: "x.purpose", names: "statement:purpose_", values: []string{string(engine.DeductionCost),
				string(engine.OrderContract), string(engine.LeaseContract), string(engine.InvoicePaid)}}})}
}

func fleet() subject {
	return subject{key: "drivers", from: `drivers k`, tenant: "k", where: `k.merged_into = ''`, driver: "k.id",
		measures: []measure{count,
			{key: "active", kind: Count, sql: counted(`k.active AND NOT k.blocked`)},
			{key: "blocked", kind: Count, sql: counted(`k.blocked`)},
			{key: "linked", kind: Count, sql: counted(`k.account_id <> ''`)},
			{key: "settledEver", kind: Count, sql: counted(`k.settled_on <> ''`)}},
		dimensions: []dimension{byDriver, byTag, bySchema,
			{key: "state", kind: Choice, sql: `CASE WHEN k.blocked THEN 'blocked' WHEN k.active THEN 'active' ELSE 'inactive' END`,
				values: []string{"active", "inactive", "blocked"}, names: "report-model:driver_"},
			{key: "settledOn", kind: Day, sql: "k.settled_on", time: true},
			{key: "language", kind: Text, sql: "k.summary_language"}}}
}

func licences() subject {
	const day = "SUBSTR(x.created_at, 1, 10)"
	return subject{key: "licences", from: `licence_entries x`, tenant: "x", where: `1 = 1`, day: day,
		measures: []measure{count, {key: "units", kind: Count, sql: sum("x.units")},
			{key: "granted", kind: Count, sql: sum(`CASE WHEN x.kind IN ('grant', 'order') THEN x.units ELSE 0 END`)},
			{key: "used", kind: Count, sql: sum(`CASE WHEN x.kind = 'use' THEN -x.units ELSE 0 END`)}},
		dimensions: slices.Concat(byDays(day), []dimension{{key: "kind", kind: Choice, sql: "x.kind",
			values: []string{"grant", "order", "refund", "use"}, names: "report-model:units_"}})}
}

// named is a value as people read it.
func (d *dimension) named(l i18n.Language, value string) string {
	switch {
	case d.key == "app":
		return kinds.ProviderName(value, func(key string, params ...any) string { return i18n.Of(l, key, params...) })
	case d.names == "":
		return value
	case !slices.Contains(d.values, value):
		return value // of a former version
	}
	if value == "" {
		value = "none"
	}
	return i18n.Of(l, d.names+value)
}

// firstMonday is where weeks are counted from.
const firstMonday calendar.Date = "1900-01-01"

// weekOf is, in SQL, how many whole weeks lie between the first Monday and a day: what both engines compute in whole numbers.
func weekOf(day string) string {
	part := func(from, letters int) string {
		return fmt.Sprintf(`CAST(SUBSTR(%s, %d, %d) AS BIGINT)`, day, from, letters)
	}
	year, month, n := part(1, 4), part(6, 2), part(9, 2)
	// years begin in March, so that a leap day is the last one
	y := `(` + year + ` - CASE WHEN ` + month + ` < 3 THEN 1 ELSE 0 END)`
	m := `(` + month + ` + CASE WHEN ` + month + ` < 3 THEN 9 ELSE -3 END)`
	const before = 693901 // the number of the first Monday
	return fmt.Sprintf(`((365 * %[1]s + %[1]s / 4 - %[1]s / 100 + %[1]s / 400 + (153 * %[2]s + 2) / 5 + %[3]s - 1 - %[4]d) / 7)`, y, m, n,
		before)
}

// weekCode is a week that weekOf counted.
func weekCode(weeks any) string {
	n, _ := weeks.(int64)
	return string(calendar.PeriodOf(firstMonday.AddDays(int(n)*7), 1))
}
