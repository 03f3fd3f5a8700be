// Package uber reads what Uber pays, for rides and for deliveries: statements by driver and lists of movements. Money columns
// are paths of a tree whose leaves change from week to week.
package uber

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
)

// The providers whose files look the same, so that the person must say which it is.
const (
	rides = "UBER"
	eats  = "UBER_EATS"
)

// The kinds of files.
const (
	byDriver   = "payments_driver"
	byMovement = "payments_order"
)

// dayStarts is when Uber's day begins: its week ends on Monday at four in the morning.
const dayStarts = 4 * time.Hour

// What to download instead of other reports, and where the columns are in a language that is not known here.
const (
	reportStatement = "uber.payments_driver"
	reportLanguage  = "uber.language"
)

// Names of the columns that hold no money.
var (
	driverColumn       = []string{"Driver UUID", "Identyfikator UUID kierowcy", "Fahrer-UUID"}
	firstColumn        = []string{"Driver first name", "Imię kierowcy", "Vorname des Fahrers"}
	lastColumn         = []string{"Driver surname", "Driver last name", "Nazwisko kierowcy", "Nachname des Fahrers"}
	tripColumn         = []string{"Trip UUID", "Identyfikator UUID przejazdu", "Fahrt-UUID"}
	movementColumn     = []string{"Transaction UUID", "Identyfikator UUID transakcji", "Transaktions-UUID"}
	descriptionColumn  = []string{"Description", "Opis", "Beschreibung"}
	organisationColumn = []string{"Organization name", "Organisation name", "Nazwa organizacji", "Name des Unternehmens"}
	aliasColumn        = []string{"Org alias", "Organization alias", "Organisation alias", "Alias organizacji", "Alias des Unternehmens"}
)

// Layouts are what this package reads or knows to refuse. The last takes every tree of columns in other languages, so that
// they fail aloud.
var Layouts = []statement.Layout{
	{Provider: rides, Kind: byMovement, Choices: []string{rides, eats}, Details: []string{byDriver}, DayStarts: dayStarts,
		Recognise: isMovements, Span: span, Open: open(byMovement)},
	{Provider: rides, Kind: byDriver, Choices: []string{rides, eats}, Details: []string{byMovement}, DayStarts: dayStarts,
		Recognise: isStatement, Span: span, Open: open(byDriver)},
	{Provider: rides, Kind: "trip_activity", SuggestedReport: reportStatement, Recognise: isTrips},
	{Provider: rides, Kind: "payments_organization", SuggestedReport: reportStatement, Recognise: isOrganisation},
	{Provider: rides, Kind: "other", SuggestedReport: reportStatement, Recognise: isOther},
	{Provider: rides, Kind: "language", SuggestedReport: reportLanguage, Recognise: isForeign},
}

func hasTree(h statement.Head) bool   { return rootOf(h, roots...) >= 0 }
func hasDriver(h statement.Head) bool { return h.Find(driverColumn...) >= 0 }
func hasTrip(h statement.Head) bool   { return h.Find(tripColumn...) >= 0 }

func isMovements(h statement.Head) bool {
	return hasTree(h) && hasDriver(h) && h.Find(movementColumn...) >= 0
}

func isStatement(h statement.Head) bool {
	return hasTree(h) && hasDriver(h) && h.Find(movementColumn...) < 0 && !hasTrip(h)
}

func isTrips(h statement.Head) bool { return hasTrip(h) && hasDriver(h) && !branched(h) }

// isOther knows the reports on drivers' hours and manners, which hold no money.
func isOther(h statement.Head) bool {
	return hasDriver(h) && h.Find(firstColumn...) >= 0 && !hasTrip(h) && !branched(h)
}

// isOrganisation knows the report of the whole fleet, which names no driver.
func isOrganisation(h statement.Head) bool {
	return hasTree(h) && !hasDriver(h) && !hasTrip(h) &&
		slices.ContainsFunc(h.Keys(), func(key string) bool { return strings.Contains(key, "uuid") && strings.Contains(key, "organi") })
}

func isForeign(h statement.Head) bool {
	return branched(h) && !isMovements(h) && !isStatement(h) && !isOrganisation(h)
}

// branched says whether a head has the shape of Uber's tree in any language: ids, and columns of which one is the start of
// the paths of others.
func branched(h statement.Head) bool {
	uuid := slices.IndexFunc(h.Keys(), func(key string) bool { return strings.Contains(key, "uuid") })
	if uuid < 0 {
		return false
	}
	for _, key := range h.Keys()[uuid+1:] {
		if key == "" || strings.Contains(key, ":") {
			continue
		}
		paths := 0
		for _, path := range h.Keys() {
			if strings.HasPrefix(path, key+":") {
				paths++
			}
		}
		if paths >= 2 {
			return true
		}
	}
	return false
}

var days = regexp.MustCompile(`(?:^|[^0-9])([0-9]{8})[-_ ]([0-9]{8})(?:[^0-9]|$)`)

// span reads the days from the name that Uber gives a file; its second date is the first day that the file does not cover.
func span(name string, _ [][]string) (statement.Span, bool) {
	found := days.FindStringSubmatch(name)
	if found == nil {
		return statement.Span{}, false
	}
	from, ok := day(found[1])
	end, also := day(found[2])
	if !ok || !also || end <= from {
		return statement.Span{}, false
	}
	return statement.Span{From: from, To: end.AddDays(-1)}, true
}

func day(digits string) (calendar.Date, bool) {
	on, err := calendar.ParseDate(digits[:4] + "-" + digits[4:6] + "-" + digits[6:])
	return on, err == nil
}

// reader reads the rows of one table.
type reader struct {
	checker                                           statement.Checker
	kind, provider                                    string
	zone                                              *time.Location
	driver, first, last, trip, movement, text, moment int
	nodes                                             []node
	texts                                             []int // columns that are no money; one of them may be the moment
	sums                                              []money.Amount
	entries                                           []statement.Entry
}

func open(kind string) func(statement.Head, statement.Given) statement.Reader {
	return func(h statement.Head, given statement.Given) statement.Reader {
		o := &reader{checker: statement.Checker{Head: h}, kind: kind, zone: given.Zone, provider: cmp.Or(given.Provider, rides), moment: -1,
			driver: h.Find(driverColumn...), first: h.Find(firstColumn...), last: h.Find(lastColumn...),
			trip: h.Find(tripColumn...), movement: h.Find(movementColumn...), text: h.Find(descriptionColumn...)}
		o.nodes = growTree(h, rootOf(h, roots...))
		o.sums = make([]money.Amount, len(o.nodes))
		known := []int{o.driver, o.first, o.last, o.trip, o.movement, o.text, h.Find(organisationColumn...), h.Find(aliasColumn...)}
		for i := range o.nodes {
			known = append(known, o.nodes[i].column)
			if o.provider == eats && o.nodes[i].typ == kinds.Trip {
				o.nodes[i].typ = "DELIVERY"
			}
		}
		o.texts = h.Others(known)
		return o.read
	}
}

func (o *reader) read(r statement.Row, out statement.Out) {
	if !o.checker.Begin(r, out) {
		return
	}
	if r.Total() && r.At(o.driver) == "" && r.At(o.movement) == "" {
		out.Skipped(r.Line, statement.SkippedTotal)
		return
	}
	base := statement.Entry{Line: r.Line, Provider: o.provider, Person: o.person(r), At: o.at(r),
		Text: strings.TrimSpace(r.At(o.text) + " " + r.At(o.trip))}
	rowWarnings := o.amounts(r, base)
	for _, i := range o.texts {
		if i == o.moment {
			continue
		}
		if amount, is := statement.Number(r.At(i)); is {
			o.add(r, base, i, "other/"+o.checker.Head.Keys()[i], kinds.Unknown, amount)
		}
	}
	o.ownRow(r)
	if o.checker.Report(out) {
		return
	}
	if len(o.entries) == 0 {
		out.Skipped(r.Line, statement.SkippedEmpty)
	}
	for _, d := range rowWarnings {
		out.Warnings(d)
	}
	for _, e := range o.entries {
		out.Entries(e)
	}
}

func (o *reader) person(r statement.Row) statement.Person {
	p := statement.Person{FirstName: r.At(o.first), LastName: r.At(o.last)}
	if id := r.At(o.driver); id != "" {
		p.Keys = []statement.Key{{Kind: statement.ByID, Value: id}}
	}
	return p
}

// at reads the moment of a movement. Its column has another absurd name in every language, so it is known by what stands in
// it: instants with their distance from UTC.
func (o *reader) at(r statement.Row) time.Time {
	if o.kind != byMovement {
		return time.Time{}
	}
	if o.moment < 0 {
		o.moment = slices.IndexFunc(r.Cells, func(cell string) bool { return offset.MatchString(cell) })
	}
	cell := r.At(o.moment)
	if cell == "" {
		return time.Time{}
	}
	at, ok := statement.Instant(cell, o.zone)
	if !ok {
		o.checker.Refuse(statement.WrongDate, o.moment, "2026-09-21 08:01:15.836 +0200 CEST")
	}
	return at
}

var offset = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:.]+ ?[+-][0-9]{2}:?[0-9]{2}`)

// amounts makes an entry of every leaf, and an unknown one of what a total holds beyond its parts. So the entries of a row
// add up to what its root says.
func (o *reader) amounts(r statement.Row, base statement.Entry) (rowWarnings []statement.RowWarning) {
	o.entries = o.entries[:0]
	clear(o.sums)
	for i, n := range o.nodes {
		amount, there := o.checker.Amount(n.column, money.AnyDecimal)
		switch {
		case !n.total:
			o.add(r, base, n.column, n.id, n.typ, amount)
		case !there:
			amount = o.sums[i]
		default:
			if rest := amount - o.sums[i]; rest > statement.Tolerance || rest < -statement.Tolerance {
				rowWarnings = append(rowWarnings,
					statement.RowWarning{Line: r.Line, Column: o.checker.Head.Names[n.column], Says: amount, Adds: o.sums[i]})
				o.add(r, base, n.column, n.id, kinds.Unknown, rest)
			}
		}
		if n.parent >= 0 {
			o.sums[n.parent] += amount
		}
	}
	return rowWarnings
}

func (o *reader) add(r statement.Row, e statement.Entry, column int, id, typ string, amount money.Amount) {
	if amount == 0 {
		return
	}
	if id == serviceFee && amount > 0 {
		typ = "FEE_RETURN"
	}
	e.Column, e.Type, e.Amount = o.checker.Head.Names[column], typ, amount
	if movement := r.At(o.movement); movement != "" {
		e.ExternalID = movement + "/" + id
	}
	o.entries = append(o.entries, e)
}

// payout is how Uber describes its transfer to the fleet.
const payout = "so.payout"

// companies are words in the names of fleets and not of people.
var companies = regexp.MustCompile(
	`(?i)(^|\s)(sp\.|spółka|z o\.? ?o\.?|s\.a\.|gmbh|ug|kg|ohg|e\.k\.|ltd\.?|inc\.?|` +
		`fleet|flota|flotte|mietwagen|taxi|transport|logistics|group)(\s|$)`)

// ownRow takes the fleet's own money from whom the file names: in statements the fleet stands among its drivers by its company's name,
// with nothing
// but what was transferred to it. A driver to whom money was only transferred stays a driver. Every other row of a statement must name a
// driver.
func (o *reader) ownRow(r statement.Row) {
	if len(o.entries) == 0 {
		return
	}
	named := strings.TrimSpace(r.At(o.first) + " " + r.At(o.last))
	rest := true
	for _, e := range o.entries {
		is := e.Type == "PAYOUT" && e.Amount < 0
		rest = rest && (is || e.Type == kinds.Unknown && e.Column == o.checker.Head.Names[o.nodes[len(o.nodes)-1].column])
	}
	if rest && companies.MatchString(named) || strings.EqualFold(r.At(o.text), payout) {
		for i := range o.entries {
			o.entries[i].Person = statement.Person{}
			o.entries[i].Text = strings.TrimSpace(named + " " + o.entries[i].Text)
		}
		return
	}
	if o.kind == byDriver && o.entries[0].Person.Nobody() {
		o.checker.Refuse(statement.NoDriver, o.driver, "1aa198fc-15d9-5c84-bc9f-e8710c6ad556")
	}
}
