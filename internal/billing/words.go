package billing

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/i18n"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements/engine"
)

// words put codes and numbers of explanations into a language.
type words struct {
	language i18n.Language
	rules    *rules.Rules
}

func (w words) of(key string, params ...any) string { return i18n.Of(w.language, key, params...) }

func (w words) amount(a money.Amount) string { return i18n.Amount(w.language, a) }

// signed has a plus too.
func (w words) signed(a money.Amount) string {
	if a > 0 {
		return "+" + w.amount(a)
	}
	return w.amount(a)
}

func (w words) week(p calendar.Period) string {
	week, _ := strconv.Atoi(string(p[6:]))
	return w.of("statement:week", "week", fmt.Sprint(week), "year", string(p[:4]))
}

func (w words) figure(name, app string) string {
	word := w.of("statement:figure_" + name)
	if app != "" {
		word += ", " + kinds.ProviderName(app, w.of)
	}
	return word
}

var listed = regexp.MustCompile(`^(\w+)\[(\d+)\]$`)

// rule is a field of the schema, of the partner or of the instance.
func (w words) rule(field string) string {
	m := listed.FindStringSubmatch(field)
	if m == nil {
		return w.of("statement:rule_" + strings.ReplaceAll(field, ".", "_"))
	}
	at, _ := strconv.Atoi(m[2])
	if m[1] == "additionalCosts" {
		if at < len(w.rules.AdditionalCosts) {
			return w.rules.AdditionalCosts[at].Name
		}
		return w.of("statement:rule_additionalCosts")
	}
	name := w.of("statement:rule_costRates")
	if at >= len(w.rules.CostRates) {
		return name
	}
	band := w.rules.CostRates[at]
	if band.IncomeTo == nil {
		return name + ", " + w.of("statement:bandFrom", "from", w.amount(band.IncomeFrom))
	}
	return name + ", " + w.of("statement:bandOf", "from", w.amount(band.IncomeFrom), "to", w.amount(*band.IncomeTo))
}

// part says what the number of a part is.
func (w words) part(p engine.Part) string {
	switch p.Kind {
	case engine.FromFigure, engine.FromApp:
		return w.figure(p.Figure, p.Provider)
	case engine.FromRows:
		name := w.of("statement:invoices")
		if p.Category != "" {
			name = w.of("types:category_"+p.Category) + ", " + kinds.ProviderName(p.Provider, w.of)
		}
		return name + " (" + w.of("statement:transactions", "count", len(p.Rows)) + ")"
	case engine.FromRule:
		return w.rule(p.Rules[0])
	case engine.FromBand:
		return w.of("statement:inBand")
	case engine.FromInvoice:
		if p.Figure != "" {
			return w.figure(p.Figure, "")
		}
		return w.of("statement:ofInvoice")
	case engine.FromCarry:
		weeks := make([]string, len(p.Periods))
		for i, period := range p.Periods {
			weeks[i] = w.week(period)
		}
		return strings.Join(weeks, ", ")
	}
	return string(p.Kind)
}

const whole = 10_000

// share is `8 %`, `8/108` or `23/123 × 50 %`: VAT inside an amount is a part of more than it.
func (w words) share(times, of int64) string {
	rate := func(n int64) string { return i18n.Percent(w.language, money.Rate(n)) }
	if of == whole {
		return rate(times) + "\u00a0%"
	}
	if of < whole*whole {
		return rate(times) + "/" + rate(of)
	}
	vat := of/whole - whole
	return rate(vat) + "/" + rate(of/whole) + " × " + rate(times/vat) + "\u00a0%"
}

// number is a part's as it goes into the sum, and whether it is taken off.
func (w words) number(p engine.Part) (text string, minus bool) {
	if p.Of == 1 && (p.Times == 1 || p.Times == -1) {
		if v := p.Amount * money.Amount(p.Times); v < 0 {
			return w.amount(-v), true
		}
		return w.amount(p.Amount * money.Amount(p.Times)), false
	}
	if p.Of == 1 {
		return fmt.Sprintf("%d × %s", p.Times, w.amount(p.Amount)), false
	}
	return w.amount(p.Amount) + " × " + w.share(p.Times, p.Of), false
}

// formula is how a figure came about, in words and numbers.
func (w words) formula(e engine.Explanation) (string, error) {
	if e.Formula == engine.Days {
		days := make([]string, len(e.Days))
		for i, day := range e.Days {
			days[i] = i18n.Day(w.language, day)
		}
		return strings.Join(days, ", "), nil
	}
	parts := []string{}
	if len(e.Parts) > 0 {
		sum, err := w.sum(e)
		if err != nil {
			return "", err
		}
		parts = append(parts, sum)
	}
	if e.Reason != "" {
		parts = append(parts, w.of("statement:reason_"+string(e.Reason)))
	}
	return strings.Join(parts, " "), nil
}

func (w words) sum(e engine.Explanation) (string, error) {
	var text strings.Builder
	for i, p := range e.Parts {
		number, minus := w.number(p)
		switch {
		case i == 0 && minus:
			number = "\u2212" + number
		case minus:
			text.WriteString(" \u2212 ")
		case i > 0:
			text.WriteString(" + ")
		}
		text.WriteString(w.part(p) + "\u00a0" + number)
	}
	bare := e
	bare.Cap, bare.Charged, bare.Floor = nil, 0, false
	total, err := bare.Sum()
	if err != nil {
		return "", err
	}
	if p := e.Parts[0]; len(e.Parts) > 1 || p.Of != 1 || p.Times != 1 && p.Times != -1 {
		text.WriteString(" =\u00a0" + w.amount(total))
	}
	if e.Cap != nil {
		limit := w.of("statement:payoutLeft")
		if e.Cap.Rule != "" {
			limit = w.rule(e.Cap.Rule)
		}
		text.WriteString("; " + w.of("billing:statement.atMost", "amount", w.amount(e.Cap.Amount), "rule", limit))
	}
	if e.Charged != 0 {
		text.WriteString("; \u2212\u00a0" + w.amount(e.Charged) + " (" + w.of("statement:alreadyCharged") + ")")
	}
	if total != e.Value {
		if e.Floor && e.Value == 0 {
			text.WriteString("; " + w.of("statement:floor"))
		}
		text.WriteString(" =\u00a0" + w.amount(e.Value))
	}
	return text.String(), nil
}
