// Package own reads Saldo's own template: sheets that partners fill in for what no provider's file brings.
package own

import (
	"slices"
	"strings"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
)

// Columns are the heads of the template, in the order in which it is handed out.
var Columns = []string{"date", "driver_identifier", "driver_name", "app", "type", "amount", "currency", "payment_method", "description",
	"document_number"}

// Needed are those that no sheet can do without.
var needed = []string{"date", "driver_identifier", "type", "amount"}

// Choices are the providers whose rows a sheet may hold when it names none.
var Choices = []string{"PARTNER", "INTERNAL", "OTHER"}

// Layouts are what this package reads.
var Layouts = []statement.Layout{{
	Kind:      "template",
	Choices:   Choices,
	ByLabel:   true, // and none has one: each row of the template says its own type
	Recognise: func(h statement.Head) bool { return h.Has(needed...) },
	Open:      open,
}}

type columns struct {
	date, identifier, name, app, typ, amount, currency, payment, text, document int
}

func open(h statement.Head, given statement.Given) statement.Reader {
	c := columns{h.Find("date"), h.Find("driver_identifier"), h.Find("driver_name"), h.Find("app"), h.Find("type"), h.Find("amount"),
		h.Find("currency"),
		h.Find("payment_method"), h.Find("description"), h.Find("document_number")}
	unknown, twice := unknownColumns(h), repeatedColumns(h)
	checker := statement.Checker{Head: h}
	return func(r statement.Row, out statement.Out) {
		if r.Total() {
			out.Skipped(r.Line, statement.SkippedTotal)
			return
		}
		if !checker.Begin(r, out) {
			return
		}
		e := c.entry(&checker, r, given)
		for _, i := range twice {
			if r.At(i) != "" { // which of the two is meant?
				checker.Refuse(statement.TooManyCells, i, r.At(h.Find(h.Names[i])))
			}
		}
		if checker.Report(out) {
			return
		}
		e.Line, e.Column = r.Line, h.Names[c.amount]
		for _, i := range unknown {
			if text := r.At(i); text != "" {
				e.Text = strings.TrimSpace(e.Text + " " + h.Names[i] + ": " + text)
			}
		}
		if e.Amount == 0 {
			out.Skipped(r.Line, statement.SkippedEmpty)
			return
		}
		out.Entries(e)
		if cash, ok := cashOf(e); ok {
			cash.Column = h.Names[c.payment]
			out.Entries(cash)
		}
	}
}

// cashOf is what goes with an amount that was paid in cash: the driver has it already, or gave it already. What is cash itself, or is never
// counted, needs none. The cash of an unknown amount is unknown as well, so that neither counts before the other.
func cashOf(e statement.Entry) (statement.Entry, bool) {
	if e.Payment != "cash" || e.Type == kinds.CashCollected || e.Type != kinds.Unknown && !kinds.Counted(e.Type) {
		return e, false
	}
	if e.Amount = -e.Amount; e.Type != kinds.Unknown {
		e.Type = kinds.CashCollected
	}
	return e, true
}

// unknownColumns are those that the template does not have; what stands there is kept with the description.
func unknownColumns(h statement.Head) (found []int) {
	for i, key := range h.Keys() {
		if key != "" && !slices.Contains(Columns, key) {
			found = append(found, i)
		}
	}
	return found
}

// repeatedColumns are those that the template has and that stood in the head before.
func repeatedColumns(h statement.Head) (found []int) {
	for i, key := range h.Keys() {
		if slices.Contains(Columns, key) && slices.Index(h.Keys(), key) != i {
			found = append(found, i)
		}
	}
	return found
}

func (c columns) entry(checker *statement.Checker, r statement.Row, given statement.Given) (e statement.Entry) {
	e.Text = strings.TrimSpace(r.At(c.text) + " " + r.At(c.document))
	e.Provider = given.Provider
	if app := strings.ToUpper(r.At(c.app)); app != "" {
		if _, known := kinds.ProviderOf(app); !known {
			checker.Refuse(statement.WrongType, c.app, "BOLT, UBER, PARTNER, OTHER")
		}
		e.Provider = app
	}
	var ok bool
	if e.On, ok = statement.DayOf(r.At(c.date)); !ok {
		checker.Refuse(statement.WrongDate, c.date, statement.ExpectedDate(r.At(c.date), "2026-09-21"))
	}
	if identifier := r.At(c.identifier); identifier == "" {
		checker.Refuse(statement.NoDriver, c.identifier, "+48500000101")
	} else {
		e.Person = statement.Person{Keys: []statement.Key{{Kind: kindOf(identifier), Value: identifier}}, Name: r.At(c.name)}
	}
	e.Type = strings.ToUpper(r.At(c.typ))
	if t, known := kinds.Of(e.Type); !known || !t.CarriedBy(e.Provider) {
		checker.Refuse(statement.WrongType, c.typ, "TRIP, FEE, COST")
	}
	var err error
	if e.Amount, err = statement.Amount(r.At(c.amount), money.AnyDecimal); err != nil {
		checker.Refuse(statement.WrongAmount, c.amount, "-1234.56 / -1234,56")
	}
	if currency := r.At(c.currency); currency != "" && !strings.EqualFold(currency, string(given.Currency)) {
		checker.Refuse(statement.WrongCurrency, c.currency, string(given.Currency))
	}
	switch payment := strings.ToLower(r.At(c.payment)); payment {
	case "", "cash", "card":
		e.Payment = payment
	default:
		checker.Refuse(statement.WrongPayment, c.payment, "cash, card")
	}
	return e
}

// kindOf tells what an identifier is by its form: any that is known of the driver may stand in the sheet.
func kindOf(identifier string) string {
	switch {
	case strings.Contains(identifier, "@"):
		return statement.ByEmail
	case strings.HasPrefix(identifier, "+"):
		return statement.ByPhone
	}
	return statement.ByID
}
