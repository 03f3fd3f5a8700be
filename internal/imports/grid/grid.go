// Package grid reads tables with one row for each driver or ride and one column for each kind of money, which most
// providers hand out. A layout says what its columns are; what it does not know is never lost.
package grid

import (
	"slices"
	"strconv"
	"strings"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
)

// Sheet says what the columns of a layout are, each with its names in every language. A column is read once: another with
// the same name counts as unknown, and every number of an unknown column becomes an UNKNOWN entry.
type Sheet struct {
	Keys              []Key // the surest first
	First, Last, Name []string
	Nobody            []string // names under which amounts stand that are nobody's: they become UNKNOWN
	Fleet             []string // what stands for the fleet itself in the place of the first key
	Instant, Day      []string
	From, To, Span    []string // days that a row covers, in two cells or in one
	Currency          []string
	Text              []string
	Money             []Money
	Rest              Rest
	Totals            []Total
	Info              []Info
	Plain             []string // columns without money: counts, places, cars
	Blanks            bool     // rows may end before their last amount, as sheets typed by hand do
}

// Key is a column by which a driver is known.
type Key struct {
	Kind  string
	Names []string
}

// Money is a column whose amounts become entries.
type Money struct {
	ID    string // by which totals name it
	Type  string
	Minus bool // the file writes as positive what the driver owes or has
	Fleet bool // it is the fleet's and not the driver's, whose first key stays in the text
	Names []string
}

// Rest is what a total holds beyond its parts where the file does not name it. It becomes an entry.
type Rest struct {
	ID    string
	Type  string
	Minus bool
	Less  []string // the parts that are named
	Names []string
}

// Total is a column that only adds others up. It is compared, with a warning where it is off.
type Total struct {
	Of    []string // ids of money, of information, or All
	Names []string
}

// All stands for every amount of the row, unknown ones too.
const All = "*"

// Info is a column that only explains amounts, such as the VAT that they contain. It is kept with the first of the
// entries that it is about.
type Info struct {
	ID    string
	About []string
	Names []string
}

// Open makes a reader for a table with this head.
func (s Sheet) Open(h statement.Head, given statement.Given) statement.Reader {
	rows := s.Rows(h, given)
	return func(r statement.Row, out statement.Out) {
		entries, ok := rows.Read(r, out)
		if ok && len(entries) == 0 {
			out.Skipped(r.Line, statement.SkippedEmpty)
		}
		for _, e := range entries {
			out.Entries(e)
		}
	}
}

// Rows reads the rows of one table, one after the other.
type Rows struct {
	sheet                                      Sheet
	head                                       statement.Head
	checker                                    statement.Checker
	given                                      statement.Given
	keys, money, totals, info, texts           []int
	first, last, name, instant, day            int
	from, to, span, currency, rest, lastAmount int
	unknown                                    []int
	parts                                      []part // what each total adds up
	less                                       []int  // of the rest
	about                                      [][]int
	foreign                                    *statement.RowError
	// of the row at hand
	amounts []money.Amount // of the money columns, the rest behind them
	stated  []money.Amount // by the totals
	known   []money.Amount // of the information
	entryOf []int          // index into entries; below zero: it made none
	entries []statement.Entry
}

type part struct {
	money, info []int
	all         bool
}

// Rows finds the columns once for all rows.
func (s Sheet) Rows(h statement.Head, given statement.Given) *Rows {
	taken := make([]bool, len(h.Names))
	find := func(names []string) int {
		i := h.Find(names...)
		if i < 0 || taken[i] {
			return -1
		}
		taken[i] = true
		return i
	}
	o := &Rows{sheet: s, head: h, checker: statement.Checker{Head: h}, given: given, lastAmount: -1}
	for _, k := range s.Keys {
		o.keys = append(o.keys, find(k.Names))
	}
	o.first, o.last, o.name = find(s.First), find(s.Last), find(s.Name)
	o.instant, o.day, o.from, o.to, o.span, o.currency = find(s.Instant), find(s.Day), find(s.From), find(s.To), find(s.Span), find(s.Currency)
	for _, name := range s.Text {
		o.texts = append(o.texts, find([]string{name}))
	}
	amount := func(names []string) int {
		i := find(names)
		o.lastAmount = max(o.lastAmount, i)
		if i >= 0 && o.foreign == nil {
			o.foreign = foreign(h.Names[i], given.Currency)
		}
		return i
	}
	for _, m := range s.Money {
		o.money = append(o.money, amount(m.Names))
	}
	o.rest = amount(s.Rest.Names)
	for _, t := range s.Totals {
		o.totals = append(o.totals, amount(t.Names))
	}
	for _, i := range s.Info {
		o.info = append(o.info, find(i.Names))
	}
	for _, name := range s.Plain {
		find([]string{name})
	}
	for i, is := range taken {
		if !is && !measure(statement.Unit(h.Names[i])) {
			o.unknown = append(o.unknown, i)
		}
	}
	o.relate()
	o.amounts, o.stated, o.known = make([]money.Amount, len(s.Money)+1), make([]money.Amount, len(s.Totals)), make([]money.Amount, len(s.Info))
	o.entryOf = make([]int, len(s.Money)+1)
	return o
}

// relate turns the ids of the sheet into places.
func (o *Rows) relate() {
	s := o.sheet
	moneyAt := func(id string) int {
		if id == s.Rest.ID {
			return len(s.Money)
		}
		return slices.IndexFunc(s.Money, func(m Money) bool { return m.ID == id })
	}
	for _, t := range s.Totals {
		var p part
		for _, id := range t.Of {
			at := moneyAt(id)
			switch {
			case id == All:
				p.all = true
			case at >= 0:
				p.money = append(p.money, at)
			default:
				p.info = append(p.info, slices.IndexFunc(s.Info, func(i Info) bool { return i.ID == id }))
			}
		}
		o.parts = append(o.parts, p)
	}
	for _, id := range s.Rest.Less {
		o.less = append(o.less, moneyAt(id))
	}
	for _, i := range s.Info {
		var about []int
		for _, id := range i.About {
			about = append(about, moneyAt(id))
		}
		o.about = append(o.about, about)
	}
}

// Read makes the entries of a row. It is not ok where the row was skipped or refused, which it has then reported. The
// entries are good until the next row is read.
func (o *Rows) Read(r statement.Row, out statement.Out) (entries []statement.Entry, ok bool) {
	o.entries = o.entries[:0]
	o.checker.Take(r)
	switch {
	case r.Empty():
		out.Skipped(r.Line, statement.SkippedEmpty)
		return nil, false
	case o.head.Repeated(r):
		out.Skipped(r.Line, statement.SkippedHead)
		return nil, false
	case r.Total():
		out.Skipped(r.Line, statement.SkippedTotal)
		return nil, false
	case len(r.Cells) > len(o.head.Names) && strings.Join(r.Cells[len(o.head.Names):], "") != "":
		o.checker.Add(statement.RowError{Code: statement.TooManyCells, Found: strings.Join(r.Cells[len(o.head.Names):], " "),
			Expected: strconv.Itoa(len(o.head.Names))})
	}
	person, nobody, fleet := o.person(r)
	base := statement.Entry{Line: r.Line, Person: person, Text: o.text(r)}
	o.when(r, &base)
	o.read(r, base, nobody)
	o.warnOfTotal(r, person.Nobody() && !nobody && !fleet)
	if o.checker.Report(out) {
		return nil, false
	}
	if len(o.entries) > 0 {
		o.inform(r)
	}
	o.compare(r, out)
	return o.entries, true
}

// warnOfTotal refuses rows that are cut off, in other money or of nobody. A driver without movement may be cut off: programs that
// write workbooks leave out empty cells.
func (o *Rows) warnOfTotal(r statement.Row, lost bool) {
	if len(o.entries) == 0 {
		o.nothingKnown(r)
		return
	}
	if len(r.Cells) <= o.lastAmount && !o.sheet.Blanks {
		o.checker.Add(statement.RowError{Code: statement.TooFewCells, Column: o.head.Names[o.lastAmount], Found: strconv.Itoa(len(r.Cells)),
			Expected: strconv.Itoa(len(o.head.Names))})
	}
	if o.foreign != nil {
		o.checker.Add(*o.foreign)
	}
	if currency := r.At(o.currency); currency != "" && !strings.EqualFold(currency, string(o.given.Currency)) {
		o.checker.Refuse(statement.WrongCurrency, o.currency, string(o.given.Currency))
	}
	if lost {
		o.checker.Add(statement.RowError{Code: statement.NoDriver, Column: o.driverColumn()})
	}
}

// nothingKnown refuses a row whose total is not zero although none of its amounts is: the columns that hold them are missing, or called in
// a way that
// nobody knows.
func (o *Rows) nothingKnown(r statement.Row) {
	for n, i := range o.totals {
		if o.stated[n] != 0 && len(o.sheet.Money) > 0 {
			o.checker.Add(statement.RowError{Code: statement.NotInFile, Column: o.head.Names[i], Found: r.At(i),
				Expected: strings.Join(o.sheet.Money[0].Names[:1], "")})
			return
		}
	}
}

// driverColumn is the head of the first column that could have named the driver.
func (o *Rows) driverColumn() string {
	for _, i := range append(slices.Clone(o.keys), o.name, o.last, o.first) {
		if i >= 0 {
			return o.head.Names[i]
		}
	}
	return ""
}

// person reads whose row it is. Nobody: the provider wrote a dash in the place of a name.
func (o *Rows) person(r statement.Row) (p statement.Person, nobody, fleet bool) {
	for n, i := range o.keys {
		value := cleaned(o.sheet.Keys[n].Kind, r.At(i))
		if value == "" {
			continue
		}
		if n == 0 && slices.ContainsFunc(o.sheet.Fleet, func(word string) bool { return strings.EqualFold(word, value) }) {
			return statement.Person{}, false, true
		}
		if p.Keys == nil {
			p.Keys = make([]statement.Key, 0, len(o.keys))
		}
		p.Keys = append(p.Keys, statement.Key{Kind: o.sheet.Keys[n].Kind, Value: value})
	}
	p.FirstName, p.LastName, p.Name = r.At(o.first), r.At(o.last), r.At(o.name)
	if slices.Contains(o.sheet.Nobody, p.Name) {
		p.Name, nobody = "", len(p.Keys) == 0
	}
	return p, nobody, false
}

// cleaned is a key as it is compared: workbooks make numbers of ids and phones, and some providers leave out the plus
// before the country of a phone.
func cleaned(kind, value string) string {
	switch kind {
	case statement.ByID:
		return statement.Plain(value)
	case statement.ByPhone:
		return phone(value)
	}
	return value
}

func phone(value string) string {
	if strings.ContainsAny(value, "eE") {
		if number, err := strconv.ParseFloat(value, 64); err == nil && number >= 1e9 && number < 1e15 {
			value = strconv.FormatInt(int64(number), 10)
		}
	}
	value = statement.Plain(value)
	if len(value) >= 10 && value[0] != '0' && strings.Trim(value, "0123456789") == "" {
		return "+" + value
	}
	return value
}

func (o *Rows) text(r statement.Row) string {
	var texts []string
	for _, i := range o.texts {
		if text := r.At(i); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}

// when reads the moment, the day and the span of a row, where it has them.
func (o *Rows) when(r statement.Row, e *statement.Entry) {
	if cell := r.At(o.instant); cell != "" {
		at, ok := statement.Instant(cell, o.given.Zone)
		if !ok {
			o.checker.Refuse(statement.WrongDate, o.instant, "2026-09-21 05:14")
		}
		e.At = at
	}
	e.On = o.date(r, o.day)
	e.From, e.To = o.date(r, o.from), o.date(r, o.to)
	if days, ok := Days(r.At(o.span)); ok {
		e.From, e.To = days.From, days.To
	}
	if o.checker.OK() && (e.To < e.From || e.From == "" && e.To != "") {
		o.checker.Add(statement.RowError{Code: statement.WrongDate, Column: o.head.Names[max(o.from, o.to)],
			Found: r.At(o.from) + " – " + r.At(o.to), Expected: "2026-09-21 – 2026-09-27"})
	}
}

func (o *Rows) date(r statement.Row, column int) calendar.Date {
	cell := r.At(column)
	if cell == "" {
		return ""
	}
	on, ok := statement.DayOf(cell)
	if !ok {
		o.checker.Refuse(statement.WrongDate, column, statement.ExpectedDate(cell, "2026-09-21"))
	}
	return on
}

// read makes an entry of every amount.
func (o *Rows) read(r statement.Row, base statement.Entry, nobody bool) {
	for n, m := range o.sheet.Money {
		o.amounts[n] = o.amount(o.money[n], m.Minus)
		o.entryOf[n] = o.add(base, o.money[n], m.Type, o.amounts[n], nobody)
		if at := o.entryOf[n]; at >= 0 && m.Fleet {
			o.entries[at].Person, o.entries[at].Text = statement.Person{}, r.At(o.keys[0])
		}
	}
	last := len(o.sheet.Money)
	o.amounts[last], o.entryOf[last] = 0, -1
	if r.At(o.rest) != "" {
		rest := o.amount(o.rest, o.sheet.Rest.Minus)
		for _, n := range o.less {
			rest -= o.amounts[n]
		}
		o.amounts[last] = rest
		o.entryOf[last] = o.add(base, o.rest, o.sheet.Rest.Type, rest, nobody)
	}
	for n, i := range o.totals {
		o.stated[n] = o.amount(i, false)
	}
	for n, i := range o.info {
		o.known[n] = 0
		if o.sheet.Info[n].ID != "" {
			o.known[n] = o.amount(i, false)
		}
	}
	for _, i := range o.unknown {
		if amount, is := statement.Number(r.At(i)); is {
			o.add(base, i, kinds.Unknown, amount, nobody)
		}
	}
}

// add makes an entry of an amount that is not zero, and says where it stands.
func (o *Rows) add(e statement.Entry, column int, kind string, amount money.Amount, nobody bool) int {
	if amount == 0 {
		return -1
	}
	if nobody {
		kind = kinds.Unknown
	}
	e.Type, e.Amount, e.Column = kind, amount, o.head.Names[column]
	if e.Column == "" {
		e.Column = "#" + strconv.Itoa(column+1)
	}
	o.entries = append(o.entries, e)
	return len(o.entries) - 1
}

// amount reads a cell; nothing in it is nothing.
func (o *Rows) amount(column int, minus bool) money.Amount {
	amount, _ := o.checker.Amount(column, money.AnyDecimal)
	if minus {
		return -amount
	}
	return amount
}

// inform keeps what explains an amount with it, or with the first of the row.
func (o *Rows) inform(r statement.Row) {
	for n, i := range o.info {
		cell := r.At(i)
		if len(o.about[n]) == 0 || cell == "" || strings.Trim(cell, "0.,") == "" {
			continue
		}
		at := 0
		for _, m := range o.about[n] {
			if o.entryOf[m] >= 0 {
				at = o.entryOf[m]
				break
			}
		}
		name, _, _ := strings.Cut(o.head.Names[i], "|")
		text := strings.TrimSpace(name) + ": " + cell
		if before := o.entries[at].Text; before != "" {
			text = before + "; " + text
		}
		o.entries[at].Text = text
	}
}

// compare adds up what the totals of the row say.
func (o *Rows) compare(r statement.Row, out statement.Out) {
	for n, i := range o.totals {
		if r.At(i) == "" {
			continue
		}
		says, adds := o.stated[n], money.Amount(0)
		for _, m := range o.parts[n].money {
			adds += o.amounts[m]
		}
		for _, m := range o.parts[n].info {
			adds += o.known[m]
		}
		if o.parts[n].all {
			for _, e := range o.entries {
				adds += e.Amount
			}
		}
		if off := says - adds; off > statement.Tolerance || off < -statement.Tolerance {
			out.Warnings(statement.RowWarning{Line: r.Line, Column: o.head.Names[i], Says: says, Adds: adds})
		}
	}
}

// signs are how heads write currencies.
var signs = map[string]money.Currency{"zł": money.PLN, "pln": money.PLN, "€": money.EUR, "eur": money.EUR}

// foreign says that a column is in other money than the instance's.
func foreign(name string, own money.Currency) *statement.RowError {
	unit := strings.ToLower(statement.Unit(name))
	if unit == "" || signs[unit] == own {
		return nil
	}
	return &statement.RowError{Code: statement.WrongCurrency, Column: name, Found: statement.Unit(name), Expected: string(own)}
}

// measure says that what stands behind the bar of a head is no money: kilometres, or money for each hour.
func measure(unit string) bool {
	return strings.Contains(unit, "/") || slices.Contains([]string{"km", "min", "h", "%"}, strings.ToLower(unit))
}
