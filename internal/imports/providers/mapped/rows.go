package mapped

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/calendar"
	"saldo/internal/ledger/kinds"
)

type reader struct {
	m                                                  Mapping
	checker                                            statement.Checker
	given                                              statement.Given
	keys                                               []int
	name, date, clock, amount, currency, typ, document int
	texts                                              []int
	form                                               string
	fuel                                               bool
}

func (m Mapping) open(h statement.Head, given statement.Given) statement.Reader {
	find := func(role Role) int {
		if header := m.header(role); header != "" {
			return h.Find(header)
		}
		return -1
	}
	o := &reader{m: m, checker: statement.Checker{Head: h}, given: given, form: forms[m.DateForm],
		name: find(Name), date: find(Date), clock: find(Time), amount: find(Amount), currency: find(Currency), typ: find(Type),
		document: find(Document)}
	for _, k := range keys {
		o.keys = append(o.keys, find(k.role))
	}
	for _, c := range m.Columns {
		if c.Role == Description {
			o.texts = append(o.texts, h.Find(c.Header))
		}
	}
	provider, _ := kinds.ProviderOf(m.Provider)
	o.fuel = provider.Group == kinds.FuelCards
	return o.read
}

func (o *reader) read(r statement.Row, out statement.Out) {
	if !o.checker.Begin(r, out) {
		return
	}
	if o.total(r) {
		out.Skipped(r.Line, statement.SkippedTotal)
		return
	}
	e := statement.Entry{Line: r.Line, Person: o.person(r)}
	var there bool
	if e.Amount, there = o.checker.Amount(o.amount, o.m.decimal()); !there && r.At(o.amount) == "" {
		o.checker.Refuse(statement.WrongAmount, o.amount, "1234.56")
	}
	if o.m.Sign == Negated {
		e.Amount = -e.Amount
	}
	o.when(r, &e)
	o.sort(r, &e)
	if e.Person.Nobody() {
		o.checker.Refuse(statement.NoDriver, o.whose(), "")
	}
	if cell := r.At(o.currency); cell != "" && currencyOf(cell) != o.given.Currency {
		o.checker.Refuse(statement.WrongCurrency, o.currency, string(o.given.Currency))
	}
	switch {
	case o.checker.Report(out):
	case e.Amount == 0:
		out.Skipped(r.Line, statement.SkippedEmpty)
	default:
		e.Column = o.checker.Head.Names[o.amount]
		out.Entries(e)
	}
}

// total says whether a row only sums others up. Brands and drivers may be called by the words for it, so a row with a day is
// none; without days the word must come first.
func (o *reader) total(r statement.Row) bool {
	if o.date >= 0 {
		_, dated := o.day(r.At(o.date))
		return !dated && r.Total()
	}
	first := slices.IndexFunc(r.Cells, func(cell string) bool { return cell != "" })
	return statement.Row{Cells: r.Cells[first : first+1]}.Total()
}

// whose is the first column that could have said whose a row is.
func (o *reader) whose() int {
	for _, i := range o.keys {
		if i >= 0 {
			return i
		}
	}
	return o.name
}

func (o *reader) person(r statement.Row) (p statement.Person) {
	for n, i := range o.keys {
		value := r.At(i)
		switch keys[n].role {
		case DriverID, Phone:
			value = statement.Plain(value)
		case Card:
			value = statement.Card(value)
		}
		if value != "" {
			p.Keys = append(p.Keys, statement.Key{Kind: keys[n].kind, Value: value})
		}
	}
	if name := r.At(o.name); !statement.Bearer(name) {
		p.Name = name
	}
	return p
}

// when is the moment of a row, its day where no column has a time, or nothing where the mapping has no day.
func (o *reader) when(r statement.Row, e *statement.Entry) {
	if o.date < 0 {
		return
	}
	cell := r.At(o.date)
	on, ok := o.day(cell)
	if !ok || on < statement.FirstDay || on > statement.LastDay {
		o.checker.Refuse(statement.WrongDate, o.date, statement.ExpectedDate(string(cmp.Or(on, calendar.Date(cell))), o.example()))
		return
	}
	e.On = on
	column, clock := o.clock, r.At(o.clock)
	if o.clock < 0 {
		column = o.date
		_, clock, _ = strings.Cut(strings.Replace(cell, "T", " ", 1), " ")
	}
	if clock, ok = statement.Clock(clock); !ok {
		o.checker.Refuse(statement.WrongDate, column, "06:10")
		return
	}
	if clock != "" {
		e.At, _ = statement.Instant(string(on)+" "+clock, o.given.Zone)
		e.On = ""
	}
}

// day reads a day in the form of the mapping, also with a time behind it. Workbooks count days, whatever they show.
func (o *reader) day(cell string) (calendar.Date, bool) {
	if o.form == "" || strings.Trim(cell, "0123456789.") == "" && strings.Count(cell, ".") < 2 && len(cell) != 8 {
		return statement.Date(cell)
	}
	day, _, _ := strings.Cut(cell, " ")
	day, _, _ = strings.Cut(day, "T")
	t, err := time.Parse(o.form, day)
	if err != nil {
		return "", false
	}
	return statement.Date(t.Format("2006-01-02"))
}

func (o *reader) example() string {
	if o.form == "" {
		return "2026-09-21"
	}
	return time.Date(2026, 9, 21, 0, 0, 0, 0, time.UTC).Format(o.form)
}

// sort gives a row its type: that of the mapping, what its column says, or by what the product of a fuel card is. Whatever is
// none of these comes unknown, with its words.
func (o *reader) sort(r statement.Row, e *statement.Entry) {
	var texts []string
	cell := r.At(o.typ)
	if cell != "" {
		texts = append(texts, cell)
	}
	for _, i := range o.texts {
		if text := r.At(i); text != "" {
			texts = append(texts, text)
		}
	}
	e.Label = strings.Join(texts, " ")
	e.Text, e.Type = strings.TrimSpace(e.Label+" "+r.At(o.document)), o.m.Type
	if e.Type != "" {
		return
	}
	if typ, known := kinds.Of(strings.ToUpper(cell)); known && typ.CarriedBy(o.m.Provider) {
		e.Type = typ.Name
		return
	}
	e.Type = kinds.Unknown
	if o.fuel {
		e.Type = statement.ProductType(cell)
	}
}
