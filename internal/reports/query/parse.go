package query

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"saldo/internal/kernel/fault"
	"saldo/internal/platform/i18n"
)

// Definition is a definition that was understood.
type Definition struct {
	Audience Audience
	subject  *subject
	titles   titles
	columns  []column // measures
	by       []*dimension
	filters  []filter
	asks     []ask
	sorts    []order
	limit    int
	limited  bool // by the definition: it shows the first rows alone
	total    bool
	named    map[string]titles
}

type titles map[i18n.Language]string

// in is the title in a language, else in one that has it.
func (t titles) in(l i18n.Language) string {
	for _, l := range append([]i18n.Language{l, i18n.Fallback}, i18n.Languages...) {
		if t[l] != "" {
			return t[l]
		}
	}
	return ""
}

// compared says what is shown of a measure.
type compared string

const (
	itself compared = ""
	share  compared = "share"  // of the total
	change compared = "change" // against the span before
)

type column struct {
	*measure
	as compared
}

// key is what the column is called in the definition and its result.
func (c column) key() string {
	if c.as != itself {
		return string(c.as) + ":" + c.measure.key
	}
	return c.measure.key
}

type filter struct {
	*dimension
	values []string
	ask    string // whose values are taken; empty: values
}

type ask struct {
	name           string
	of             *dimension // nil: a day
	many, required bool
	titles         titles
}

type order struct {
	column     int // of measures; below zero: dimension -1-column
	descending bool
}

const titleMost = 120

// Parse reads a definition for an audience. What it does not understand is a Refusal.
func Parse(raw string, audience Audience) (*Definition, error) {
	root, err := read(raw)
	if err != nil {
		return nil, err
	}
	top, err := root.object("subject", "title", "measures", "by", "filter", "ask", "sort", "limit", "total", "columns")
	if err != nil {
		return nil, err
	}
	d := &Definition{Audience: audience, limit: RowsMost, named: map[string]titles{}}
	if err := d.readSubject(top["subject"]); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		name     string
		read     func(*node) error
		required bool
	}{{"title", func(n *node) (err error) { d.titles, err = readTitles(n); return err }, true}, {"by", d.readBy, false},
		{"measures", d.readMeasures, true}, {"ask", d.readAsks, false}, {"filter", d.readFilters, false}, {"sort", d.readSort, false},
		{"limit", d.readLimit, false}, {"total", func(n *node) (err error) { d.total, err = n.flag(); return err }, false},
		{"columns", d.readColumns, false}} {
		switch n := top[part.name]; {
		case n != nil:
			if err := part.read(n); err != nil {
				return nil, err
			}
		case part.required:
			return nil, refuse(part.name, fault.Required, "")
		}
	}
	return d, d.check()
}

func (d *Definition) readSubject(n *node) error {
	if n == nil {
		return refuse("subject", fault.Required, "")
	}
	key, err := n.word(titleMost)
	if err != nil {
		return err
	}
	switch d.subject = subjectOf(key); {
	case d.subject == nil:
		return refuse(n.place, fault.Unknown, key)
	case d.Audience == ForDriver && d.subject.shared == "":
		return refuse(n.place, fault.NotOneOf, key)
	}
	return nil
}

func readTitles(n *node) (titles, error) {
	languages := make([]string, len(i18n.Languages))
	for i, l := range i18n.Languages {
		languages[i] = string(l)
	}
	found, err := n.object(languages...)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, refuse(n.place, fault.Required, "")
	}
	t := titles{}
	for _, language := range languages {
		if found[language] == nil {
			continue
		}
		text, err := found[language].word(titleMost)
		if err != nil {
			return nil, err
		}
		t[i18n.Language(language)] = strings.TrimSpace(text)
	}
	return t, nil
}

// open says whether the audience may see what needs these.
func (d *Definition) open(needs joins) bool { return d.Audience == ForPartner || needs&notShared == 0 }

func (d *Definition) dimension(n *node) (*dimension, error) {
	key, err := n.word(titleMost)
	if err != nil {
		return nil, err
	}
	switch found := d.subject.dimension(key); {
	case found == nil:
		return nil, refuse(n.place, fault.Unknown, key)
	case !d.open(found.needs):
		return nil, refuse(n.place, fault.NotOneOf, key)
	default:
		return found, nil
	}
}

func (d *Definition) readBy(n *node) error {
	all, err := n.list(0, DimensionsMost)
	if err != nil {
		return err
	}
	for i := range all {
		found, err := d.dimension(&all[i])
		if err != nil {
			return err
		}
		if slices.Contains(d.by, found) {
			return refuse(all[i].place, fault.Duplicate, found.key)
		}
		d.by = append(d.by, found)
	}
	return nil
}

func (d *Definition) readMeasures(n *node) error {
	all, err := n.list(1, MeasuresMost)
	if err != nil {
		return err
	}
	for i := range all {
		key, err := all[i].word(titleMost)
		if err != nil {
			return err
		}
		c := column{}
		before, after, found := strings.Cut(key, ":")
		if found {
			c.as = compared(before)
			if c.as != share && c.as != change {
				return refuse(all[i].place, fault.Unknown, key)
			}
			before = after
		}
		switch c.measure = d.subject.measure(before); {
		case c.measure == nil:
			return refuse(all[i].place, fault.Unknown, key)
		case !d.open(c.measure.needs), c.as == share && c.distinct, c.as == change && (d.subject.day == "" || d.timed()):
			return refuse(all[i].place, fault.NotOneOf, key)
		case slices.Contains(d.columns, c):
			return refuse(all[i].place, fault.Duplicate, key)
		}
		d.columns = append(d.columns, c)
	}
	return nil
}

// timed says whether rows are of certain days, so that those of another span are others.
func (d *Definition) timed() bool {
	return slices.ContainsFunc(d.by, func(b *dimension) bool { return b.time })
}

var askName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]{0,29}$`)

const (
	from = "from"
	to   = "to"
)

func (d *Definition) readAsks(n *node) error {
	all, err := n.list(0, asksMost)
	if err != nil {
		return err
	}
	for i := range all {
		found, err := all[i].object("name", "kind", "many", "required", "title")
		if err != nil {
			return err
		}
		if err := d.readAsk(all[i].place, found); err != nil {
			return err
		}
	}
	return nil
}

func (d *Definition) readAsk(place string, found map[string]*node) (err error) {
	for _, name := range []string{"name", "kind"} {
		if found[name] == nil {
			return refuse(place+"."+name, fault.Required, "")
		}
	}
	var a ask
	if a.name, err = found["name"].word(titleMost); err != nil {
		return err
	}
	if !askName.MatchString(a.name) {
		return refuse(place+".name", fault.WrongFormat, a.name)
	}
	if slices.ContainsFunc(d.asks, func(other ask) bool { return other.name == a.name }) {
		return refuse(place+".name", fault.Duplicate, a.name)
	}
	kind, err := found["kind"].word(titleMost)
	if err != nil {
		return err
	}
	if isDay := a.name == from || a.name == to; isDay || kind == string(Day) {
		if !isDay || kind != string(Day) || d.subject.day == "" {
			return refuse(place+".kind", fault.NotOneOf, kind)
		}
		a.required = true
	} else if a.of, err = d.filtered(found["kind"]); err != nil {
		return err
	}
	for name, flag := range map[string]*bool{"many": &a.many, "required": &a.required} {
		if found[name] == nil {
			continue
		}
		if *flag, err = found[name].flag(); err != nil {
			return err
		}
		if a.of == nil && *flag != (name == "required") {
			return refuse(place+"."+name, fault.NotOneOf, "")
		}
	}
	if found["title"] != nil {
		if a.titles, err = readTitles(found["title"]); err != nil {
			return err
		}
	}
	d.asks = append(d.asks, a)
	return nil
}

// filtered is a dimension that rows may be chosen by.
func (d *Definition) filtered(n *node) (*dimension, error) {
	found, err := d.dimension(n)
	if err == nil && found.time || err == nil && d.Audience == ForDriver && found.kind == Driver {
		return nil, refuse(n.place, fault.NotOneOf, found.key)
	}
	return found, err
}

func (d *Definition) readFilters(n *node) error {
	all, err := n.list(0, filtersMost)
	if err != nil {
		return err
	}
	for i := range all {
		found, err := all[i].object("field", "is")
		if err != nil {
			return err
		}
		for _, name := range []string{"field", "is"} {
			if found[name] == nil {
				return refuse(all[i].place+"."+name, fault.Required, "")
			}
		}
		var f filter
		if f.dimension, err = d.filtered(found["field"]); err != nil {
			return err
		}
		if err := d.readValues(&f, found["is"]); err != nil {
			return err
		}
		d.filters = append(d.filters, f)
	}
	return nil
}

func (d *Definition) readValues(f *filter, n *node) error {
	values, err := n.list(1, valuesMost)
	if err != nil {
		return err
	}
	for i := range values {
		v := &values[i]
		if v.is != '"' {
			return refuse(v.place, fault.WrongType, v.text)
		}
		if name, asked := strings.CutPrefix(v.text, "$"); asked {
			at := slices.IndexFunc(d.asks, func(a ask) bool { return a.name == name })
			switch {
			case at < 0:
				return refuse(v.place, fault.Unknown, v.text)
			case len(values) > 1 || d.asks[at].of != f.dimension:
				return refuse(v.place, fault.NotOneOf, v.text)
			}
			f.ask = name
			return nil
		}
		if code := f.refused(v.text); code != "" {
			return refuse(v.place, code, v.text)
		}
		if slices.Contains(f.values, v.text) {
			return refuse(v.place, fault.Duplicate, v.text)
		}
		f.values = append(f.values, v.text)
	}
	return nil
}

const valueMost = 64

// refused says why a value is none of a dimension; empty: it may be one.
func (d *dimension) refused(value string) fault.FieldCode {
	switch {
	case len(d.values) > 0 && !slices.Contains(d.values, value):
		return fault.NotOneOf
	case len(value) > valueMost:
		return fault.TooLong
	}
	return ""
}

func (d *Definition) readSort(n *node) error {
	all, err := n.list(0, DimensionsMost)
	if err != nil {
		return err
	}
	for i := range all {
		key, err := all[i].word(titleMost)
		if err != nil {
			return err
		}
		name, descending := strings.CutPrefix(key, "-")
		o := order{descending: descending}
		if at := slices.IndexFunc(d.columns, func(c column) bool { return c.key() == name }); at >= 0 {
			if o.column = at; d.columns[at].as == change {
				return refuse(all[i].place, fault.NotOneOf, key)
			}
		} else if at := slices.IndexFunc(d.by, func(b *dimension) bool { return b.key == name }); at >= 0 {
			o.column = -1 - at
		} else {
			return refuse(all[i].place, fault.Unknown, key)
		}
		if slices.ContainsFunc(d.sorts, func(other order) bool { return other.column == o.column }) {
			return refuse(all[i].place, fault.Duplicate, key)
		}
		d.sorts = append(d.sorts, o)
	}
	return nil
}

func (d *Definition) readLimit(n *node) error {
	if n.is != '0' {
		return refuse(n.place, fault.WrongType, n.text)
	}
	limit, err := strconv.Atoi(n.text)
	switch {
	case err != nil:
		return refuse(n.place, fault.WrongFormat, n.text)
	case limit < 1:
		return refuse(n.place, fault.TooSmall, n.text)
	case limit > RowsMost:
		return refuse(n.place, fault.TooBig, n.text)
	}
	d.limit, d.limited = limit, true
	return nil
}

func (d *Definition) readColumns(n *node) error {
	keys := []string{}
	for _, c := range d.columns {
		keys = append(keys, c.key())
	}
	for _, b := range d.by {
		keys = append(keys, b.key)
	}
	found, err := n.object(keys...)
	if err != nil {
		return err
	}
	for _, key := range n.names {
		inner, err := found[key].object("title")
		if err != nil {
			return err
		}
		if inner["title"] == nil {
			return refuse(found[key].place+".title", fault.Required, "")
		}
		if d.named[key], err = readTitles(inner["title"]); err != nil {
			return err
		}
	}
	return nil
}

// check is what only the whole says.
func (d *Definition) check() error {
	for _, name := range []string{from, to} {
		if d.subject.day != "" && !slices.ContainsFunc(d.asks, func(a ask) bool { return a.name == name }) {
			return refuse("ask", fault.Required, name)
		}
	}
	for _, a := range d.asks {
		if a.of != nil && !slices.ContainsFunc(d.filters, func(f filter) bool { return f.ask == a.name }) {
			return refuse("filter", fault.Required, "$"+a.name)
		}
	}
	// figures of several sorts add up to nothing that anybody is paid
	one := slices.ContainsFunc(d.filters, func(f filter) bool { return f.key == "figure" && len(f.values) == 1 })
	split := slices.ContainsFunc(d.by, func(b *dimension) bool { return b.key == "figure" })
	for i, c := range d.columns {
		switch place := "measures[" + strconv.Itoa(i) + "]"; {
		case !c.figures || one:
		case !split:
			return refuse(place, fault.NotOneOf, c.key())
		case c.as == share:
			return refuse(place, fault.NotOneOf, c.key())
		case d.total:
			return refuse("total", fault.NotOneOf, c.key())
		}
	}
	return nil
}

// TitleIn is the title in a language, else in one that it has.
func (d *Definition) TitleIn(l i18n.Language) string { return d.titles.in(l) }

// Dated says whether the report is about a span of days.
func (d *Definition) Dated() bool { return d.subject.day != "" }

// Asks are what somebody is asked for before the report is run, its days first.
func (d *Definition) Asks(l i18n.Language) []Term {
	list := []Term{}
	for _, a := range d.asks {
		t := Term{Key: a.name, Kind: Day, Many: a.many, Required: a.required}
		if a.of != nil {
			t = a.of.term(l)
			t.Key, t.Many, t.Required = a.name, a.many, a.required
		} else {
			t.Title = i18n.Of(l, "report-model:ask_"+a.name)
		}
		if title := a.titles.in(l); title != "" {
			t.Title = title
		}
		list = append(list, t)
	}
	return list
}
