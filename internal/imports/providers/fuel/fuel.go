// Package fuel reads the transactions of fuel cards. No provider's real file has been seen and contracts differ, so every row is
// added up, the file's own sum is compared, and a partner may describe another layout instead.
package fuel

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
)

// card says what the columns of a provider's file are. Columns that the file does not have are empty.
type card struct {
	number, kind, user, plate, name string
	date, clock                     string
	product, unit                   string
	net, vat, gross                 string
	currency                        string
	texts                           []string // kept with the amount: station, document
	quantity, price, odometer       string
	station, town                   []string // parts of their names
	plain                           []string // without money of their own: discount, codes, rates
}

var orlen = card{
	number: "Numer karty", kind: "Typ karty", user: "Numer rejestracyjny / Użytkownik", date: "Data transakcji", clock: "Godzina",
	product: "Produkt", unit: "J.m.", net: "Wartość netto", vat: "Kwota VAT", gross: "Wartość brutto",
	texts:    []string{"Produkt", "Miejscowość", "Numer WZ"},
	quantity: "Ilość", price: "Cena jedn. brutto", odometer: "Stan licznika",
	station: []string{"Numer stacji"}, town: []string{"Miejscowość"},
	plain: []string{"Data księgowania", "Rabat brutto", "Stawka VAT"},
}

var circleK = card{
	number: "Numer karty", name: "Nazwa na karcie", plate: "Numer rejestracyjny", date: "Data transakcji", clock: "Godzina transakcji",
	product: "Produkt", net: "Kwota netto", vat: "VAT", gross: "Kwota brutto", currency: "Waluta",
	texts:    []string{"Produkt", "Stacja", "Numer faktury"},
	quantity: "Ilość", price: "Cena brutto", odometer: "Przebieg", station: []string{"Stacja"},
	plain: []string{"Kod produktu", "Rabat"},
}

var flotex = card{
	number: "Nr karty", name: "Kierowca", plate: "Nr rejestracyjny", date: "Data", clock: "Godzina",
	product: "Produkt", net: "Wartość netto", vat: "VAT", gross: "Wartość brutto",
	texts:    []string{"Produkt", "Sieć", "Stacja"},
	quantity: "Ilość", price: "Cena jednostkowa brutto", odometer: "Stan licznika", station: []string{"Sieć", "Stacja"},
}

// Layouts are what this package reads. Each asks for a column that the others do not have.
var Layouts = []statement.Layout{
	orlen.layout("ORLEN", "Typ karty"),
	circleK.layout("CIRCLEK", "Nazwa na karcie"),
	flotex.layout("FLOTEX", "Sieć"),
}

func (c card) layout(provider, own string) statement.Layout {
	return statement.Layout{Provider: provider, Kind: "transactions", ByLabel: true, Span: span, Open: c.open,
		Recognise: func(h statement.Head) bool { return h.Has(c.number, c.date, c.product, c.gross, own) }}
}

var dates = regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}`)

// span reads the days from a title that names two of them, or from the name of the file.
func span(name string, above [][]string) (statement.Span, bool) {
	for _, row := range above {
		if found, ok := twoDates(strings.Join(row, " ")); ok {
			return found, true
		}
	}
	return twoDates(name)
}

func twoDates(text string) (statement.Span, bool) {
	found := dates.FindAllString(text, -1)
	if len(found) != 2 {
		return statement.Span{}, false
	}
	from, ok := statement.Date(found[0])
	to, also := statement.Date(found[1])
	return statement.Span{From: from, To: to}, ok && also && from <= to
}

type reader struct {
	card
	checker                                                                          statement.Checker
	zone                                                                             *time.Location
	own                                                                              money.Currency
	numberAt, kindAt, userAt, plateAt, nameAt, dateAt, clockAt, unitAt, netAt, vatAt int
	grossAt, productAt, currencyAt, quantityAt, priceAt, odometerAt                  int
	textsAt, stationAt, townAt, others                                               []int
	// of the amounts since the last sum of the file
	sum money.Amount
}

func (c card) open(h statement.Head, given statement.Given) statement.Reader {
	var known []int
	find := func(name string) int {
		i := -1
		if name != "" {
			i = h.Find(name)
		}
		known = append(known, i)
		return i
	}
	o := &reader{card: c, checker: statement.Checker{Head: h}, zone: given.Zone, own: given.Currency,
		numberAt: find(c.number), kindAt: find(c.kind), userAt: find(c.user), plateAt: find(c.plate), nameAt: find(c.name), dateAt: find(c.date),
		clockAt:   find(c.clock),
		productAt: find(c.product), unitAt: find(c.unit), netAt: find(c.net), vatAt: find(c.vat), grossAt: find(c.gross),
		currencyAt: find(c.currency), quantityAt: find(c.quantity), priceAt: find(c.price), odometerAt: find(c.odometer)}
	for _, part := range []struct {
		names []string
		at    *[]int
	}{{c.texts, &o.textsAt}, {c.station, &o.stationAt}, {c.town, &o.townAt}} {
		for _, name := range part.names {
			*part.at = append(*part.at, find(name))
		}
	}
	for _, name := range c.plain {
		find(name)
	}
	o.others = h.Others(known)
	return o.read
}

func (o *reader) read(r statement.Row, out statement.Out) {
	if !o.checker.Begin(r, out) {
		return
	}
	if _, dated := statement.Date(r.At(o.dateAt)); !dated && r.Total() {
		o.compare(r, out)
		out.Skipped(r.Line, statement.SkippedTotal)
		return
	}
	e := statement.Entry{Line: r.Line, Column: o.checker.Head.Names[o.grossAt], Person: o.person(r), Text: o.text(r), Label: r.At(o.productAt)}
	o.when(r, &e)
	gross, there := o.checker.Amount(o.grossAt, money.AnyDecimal)
	if !there && r.At(o.grossAt) == "" {
		o.checker.Refuse(statement.WrongAmount, o.grossAt, "203,16")
	}
	if sum, err := o.sum.Add(gross); err == nil {
		o.sum = sum
	}
	e.Type = o.typeOf(r)
	if gross != 0 && e.Person.Nobody() && e.Type != cardFee {
		o.checker.Refuse(statement.NoDriver, o.numberAt, "7017830000001234")
	}
	if currency := r.At(o.currencyAt); currency != "" && !strings.EqualFold(currency, string(o.own)) {
		o.checker.Refuse(statement.WrongCurrency, o.currencyAt, string(o.own))
	}
	rowWarning, warned := o.parts(r, gross)
	if o.checker.Report(out) {
		return
	}
	if warned {
		out.Warnings(rowWarning)
	}
	made := gross != 0
	if made {
		e.Amount, e.Fuel = -gross, o.details(r)
		out.Entries(e)
		e.Fuel = nil
	}
	for _, i := range o.others {
		if amount, is := statement.Number(r.At(i)); is && amount != 0 {
			made = true
			e.Column, e.Type, e.Amount = o.checker.Head.Names[i], kinds.Unknown, amount
			e.Label = e.Column
			out.Entries(e)
		}
	}
	if !made {
		out.Skipped(r.Line, statement.SkippedEmpty)
	}
}

// compare warns of the total below the rows where it is not theirs: a file that was cut or changed.
func (o *reader) compare(r statement.Row, out statement.Out) {
	says, there := o.checker.Amount(o.grossAt, money.AnyDecimal)
	if there && (says-o.sum > statement.Tolerance || o.sum-says > statement.Tolerance) {
		out.Warnings(statement.RowWarning{Line: r.Line, Column: o.checker.Head.Names[o.grossAt], Says: says, Adds: o.sum})
	}
	o.sum = 0
}

// parts compares the amount with its net and VAT, which only explain it.
func (o *reader) parts(r statement.Row, gross money.Amount) (statement.RowWarning, bool) {
	net, there := o.checker.Amount(o.netAt, money.AnyDecimal)
	vat, also := o.checker.Amount(o.vatAt, money.AnyDecimal)
	off := gross - net - vat
	return statement.RowWarning{Line: r.Line, Column: o.checker.Head.Names[o.grossAt], Says: gross, Adds: net + vat},
		there && also && (off > statement.Tolerance || off < -statement.Tolerance)
}

// cardFee is what the provider takes for cards. Where it names none it is the fleet's.
const cardFee = "CARD_FEE"

// litres are the units in which only fuel is left once the products that are none are known by name.
var litres = []string{"l", "l.", "litr", "litry", "liter", "litre", "litres", "m3", "kwh"}

// flowing is how many of the units are litres.
const flowing = 7

func (o *reader) typeOf(r statement.Row) string {
	typ := statement.ProductType(r.At(o.productAt))
	if typ == kinds.Unknown && slices.Contains(litres, strings.ToLower(r.At(o.unitAt))) {
		return "FUEL"
	}
	return typ
}

// person is who holds the card. The number stays a text as the file has it: it is longer than numbers can be.
func (o *reader) person(r statement.Row) (p statement.Person) {
	if number := statement.Card(r.At(o.numberAt)); number != "" {
		p.Keys = append(p.Keys, statement.Key{Kind: statement.ByCard, Value: number})
	}
	plate, name := r.At(o.plateAt), r.At(o.nameAt)
	if user := r.At(o.userAt); user != "" {
		if forCar(r.At(o.kindAt), user) {
			plate = user
		} else {
			name = user
		}
	}
	if plate != "" {
		p.Keys = append(p.Keys, statement.Key{Kind: statement.ByPlate, Value: plate})
	}
	if !statement.Bearer(name) {
		p.Name = name
	}
	return p
}

// details are what is shown of the purchase beside its amount. Only litres are kept as such: other units are not fuel that flows.
func (o *reader) details(r statement.Row) *statement.Fuel {
	f := statement.Fuel{Card: strings.TrimLeft(statement.Card(r.At(o.numberAt)), "0"), Plate: r.At(o.plateAt),
		Product: short(r.At(o.productAt)),
		Station: o.joined(r, o.stationAt), Town: o.joined(r, o.townAt), Odometer: max(0, statement.Scaled(r.At(o.odometerAt), 1))}
	if kind := strings.ToUpper(r.At(o.kindAt)); kind == "S" || kind == "K" {
		f.CardKind = kind
	}
	if user := r.At(o.userAt); user != "" && forCar(r.At(o.kindAt), user) {
		f.Plate = user
	}
	f.Plate = short(f.Plate)
	if unit := strings.ToLower(r.At(o.unitAt)); unit == "" || slices.Contains(litres[:flowing], unit) {
		f.Millilitres = statement.Scaled(r.At(o.quantityAt), 1000)
		f.UnitPrice = max(0, statement.Scaled(r.At(o.priceAt), 100_000))
	}
	return &f
}

func (o *reader) joined(r statement.Row, columns []int) string {
	var parts []string
	for _, i := range columns {
		if text := r.At(i); text != "" {
			parts = append(parts, text)
		}
	}
	return short(strings.Join(parts, " "))
}

// shownMax is how much of a text is kept to be shown.
const shownMax = 120

func short(text string) string {
	if runes := []rune(text); len(runes) > shownMax {
		return string(runes[:shownMax])
	}
	return text
}

// forCar says whether a card was issued for a car (S) and not for a driver (K). Where the file says neither, plates are short
// and have digits.
func forCar(kind, user string) bool {
	switch strings.ToUpper(kind) {
	case "S":
		return true
	case "K":
		return false
	}
	return len(user) <= 10 && strings.ContainsAny(user, "0123456789")
}

// text is what was bought, where, by which document, and what of the amount is net and VAT: that only explains it.
func (o *reader) text(r statement.Row) string {
	texts := make([]string, 0, len(o.textsAt)+2)
	for _, i := range o.textsAt {
		if text := r.At(i); text != "" {
			texts = append(texts, text)
		}
	}
	for _, i := range []int{o.netAt, o.vatAt} {
		if text := r.At(i); text != "" {
			texts = append(texts, o.checker.Head.Names[i]+": "+text)
		}
	}
	return strings.Join(texts, "; ")
}

// when is the moment at the till, or the day where the file has no time.
func (o *reader) when(r statement.Row, e *statement.Entry) {
	on, ok := statement.DayOf(r.At(o.dateAt))
	if !ok {
		o.checker.Refuse(statement.WrongDate, o.dateAt, statement.ExpectedDate(r.At(o.dateAt), "16.09.2026"))
		return
	}
	e.On = on
	clock, ok := statement.Clock(r.At(o.clockAt))
	if !ok {
		o.checker.Refuse(statement.WrongDate, o.clockAt, "06:10")
	}
	if clock != "" && ok {
		e.At, _ = statement.Instant(string(on)+" "+clock, o.zone)
		e.On = ""
	}
}
