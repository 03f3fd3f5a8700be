// Package query has the language of dedicated reports: what a definition may name, how it is read, and the statement that is made of it.
// A statement is put together of the fixed texts of this package; what a person wrote is only ever an argument.
package query

import (
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/platform/i18n"
)

// Audience is who sees a report.
type Audience string

// The audiences.
const (
	ForPartner Audience = "partner"
	ForDriver  Audience = "driver" // each sees their own rows alone
)

// Kind is what values are.
type Kind string

// The kinds. A choice, a driver and a tag are chosen from; the others are read.
const (
	Text    Kind = "text"
	Count   Kind = "count"
	Money   Kind = "money"   // minor units
	Minutes Kind = "minutes" // whole ones
	Percent Kind = "percent" // tenths
	Day     Kind = "day"
	Driver  Kind = "driver"
	Tag     Kind = "tag"
	Choice  Kind = "choice"
)

// Kinds lists them.
func Kinds() []Kind { return []Kind{Text, Count, Money, Minutes, Percent, Day, Driver, Tag, Choice} }

// Value is one of those that may be chosen.
type Value struct{ Key, Title string }

// Term is something that a definition or its result names, in a language.
type Term struct {
	Key, Title     string
	Kind           Kind
	Many, Required bool
	Values         []Value
}

// What a definition is held to.
const (
	DimensionsMost = 4
	MeasuresMost   = 12
	DaysMost       = 400
	RowsMost       = 50_000 // of a file
	PageMost       = 1000   // on screen

	filtersMost = 12
	asksMost    = 8
	valuesMost  = 100
)

// subject is what rows a report is made of: tables under fixed names, of which x has the day and the driver.
type subject struct {
	key      string
	from     string // after FROM
	where    string // beside the tenant
	tenant   string // table whose tenant is compared
	day      string // of a row; empty: it has none
	driver   string // id of its driver; empty: it has none
	shared   string // what a driver may see of it; empty: drivers have no report of it
	currency string // of a row; empty: of no row
	foreign  bool   // rows of another currency may be there, and are left out

	measures   []measure
	dimensions []dimension
}

// joins are the tables that a fragment needs beside those of its subject.
type joins uint8

const (
	ofRow     joins = 1 << iota // d is the row's driver
	canonical                   // k is the driver whom that one stands for; needs d
	ofSchema                    // n is the schema of k by default
	ofTerms                     // r is what a settlement was made by
	ofTag                       // g are the tags of k
	ofImport                    // i is the file that brought a transaction
	notShared                   // no table: drivers are not shown it
)

const ofDriver = ofRow | canonical

type measure struct {
	key      string
	kind     Kind
	sql      string
	text     string // its title; empty: that of its key
	needs    joins
	distinct bool // rows do not add up to the total
	figures  bool // adds up only within one figure
}

type dimension struct {
	key    string
	kind   Kind
	sql    string   // what rows are grouped by
	labels []string // aggregates that name it; none: it names itself
	by     string   // order; empty: sql
	needs  joins
	time   bool // a span of days: no filter, and not compared with an earlier span
	values []string
	names  string // of texts for values: what their keys begin with; empty: a value is shown as it is
	codes  bool   // values are of the partner, and named by it
	show   func(any) string
}

func sum(sql string) string { return `CAST(COALESCE(SUM(` + sql + `), 0) AS BIGINT)` }

func counted(condition string) string { return sum(`CASE WHEN ` + condition + ` THEN 1 ELSE 0 END`) }

func figure(name string) string { return `{json_flat s.figures ` + name + `}` }

var count = measure{key: "count", kind: Count, sql: `COUNT(*)`}

// Whoever was merged into another counts as that one.
var people = measure{key: "drivers", kind: Count, sql: `COUNT(DISTINCT ` + drivers.CanonicalID("d") + `)`, needs: ofRow, distinct: true}

var (
	byDriver = dimension{key: "driver", kind: Driver, sql: `k.id`, labels: []string{`MIN(k.last_name)`, `MIN(k.first_name)`},
		by: `MIN(k.search_key)`, needs: ofDriver}
	byTag = dimension{key: "tag", kind: Tag, sql: `COALESCE(g.tag_id, '')`, labels: []string{`COALESCE(MIN(gt.name), '')`},
		by:    `COALESCE(MIN(gt.search_key), '')`,
		needs: ofDriver | ofTag | notShared}
	bySchema = dimension{key: "schema", kind: Choice, needs: ofDriver | ofSchema | notShared, codes: true,
		sql: `CAST(CASE WHEN k.schema_number = 0 THEN COALESCE(n.number, 0) ELSE k.schema_number END AS TEXT)`}
)

// byDays are the spans of days of a row.
func byDays(day string) []dimension {
	return []dimension{
		{key: "day", kind: Day, sql: day, time: true},
		{key: "week", kind: Text, sql: weekOf(day), time: true, show: weekCode},
		{key: "month", kind: Text, sql: `SUBSTR(` + day + `, 1, 7)`, time: true},
	}
}

// joined are the tables that fragments need.
func (s *subject) joined(needs joins) string {
	var text strings.Builder
	if needs&ofDriver != 0 && s.driver != "k.id" {
		text.WriteString(` JOIN drivers d ON d.tenant_id = ` + s.tenant + `.tenant_id AND d.id = ` + s.driver)
		if needs&canonical != 0 {
			text.WriteString(` JOIN drivers k ON k.tenant_id = d.tenant_id AND k.id = ` + drivers.CanonicalID("d"))
		}
	}
	if needs&ofSchema != 0 {
		text.WriteString(` LEFT JOIN schemas n ON n.tenant_id = k.tenant_id AND n.is_default`)
	}
	if needs&ofTerms != 0 {
		text.WriteString(` JOIN (SELECT m.id, {json_text m.terms rules.contractType} AS contract, {json_number m.terms schema.number} AS schema,
			{json_number m.terms rules.payoutRateBp} AS rate FROM settlement_terms m WHERE m.tenant_id = $1) r ON r.id = s.terms_id`)
	}
	if needs&ofImport != 0 {
		text.WriteString(` LEFT JOIN imports i ON i.tenant_id = x.tenant_id AND i.id = x.import_id AND x.import_id <> ''`)
	}
	if needs&ofTag != 0 {
		text.WriteString(` LEFT JOIN driver_tags g ON g.tenant_id = k.tenant_id AND g.driver_id = k.id
			LEFT JOIN tags gt ON gt.tenant_id = g.tenant_id AND gt.id = g.tag_id`)
	}
	return text.String()
}

// Subject is what a report may be made of, in a language.
type Subject struct {
	Key, Title           string
	Dated, Drivers       bool
	Measures, Dimensions []Term
}

// Model is everything that definitions may name.
func Model(l i18n.Language) []Subject {
	list := make([]Subject, len(subjects))
	for i := range subjects {
		s := &subjects[i]
		list[i] = Subject{Key: s.key, Title: i18n.Of(l, "report-model:subject_"+s.key), Dated: s.day != "", Drivers: s.shared != ""}
		for _, m := range s.measures {
			list[i].Measures = append(list[i].Measures, Term{Key: m.key, Title: m.title(l), Kind: m.kind})
		}
		for j := range s.dimensions {
			list[i].Dimensions = append(list[i].Dimensions, s.dimensions[j].term(l))
		}
	}
	return list
}

func subjectOf(key string) *subject {
	for i := range subjects {
		if subjects[i].key == key {
			return &subjects[i]
		}
	}
	return nil
}

func (s *subject) measure(key string) *measure {
	for i := range s.measures {
		if s.measures[i].key == key {
			return &s.measures[i]
		}
	}
	return nil
}

func (s *subject) dimension(key string) *dimension {
	for i := range s.dimensions {
		if s.dimensions[i].key == key {
			return &s.dimensions[i]
		}
	}
	return nil
}

func (m *measure) title(l i18n.Language) string {
	if m.text != "" {
		return i18n.Of(l, m.text)
	}
	return i18n.Of(l, "report-model:measure_"+m.key)
}

func (d *dimension) title(l i18n.Language) string { return i18n.Of(l, "report-model:dimension_"+d.key) }

// term is a dimension as something to choose of.
func (d *dimension) term(l i18n.Language) Term {
	t := Term{Key: d.key, Title: d.title(l), Kind: d.kind}
	for _, v := range d.values {
		t.Values = append(t.Values, Value{v, d.named(l, v)})
	}
	return t
}
