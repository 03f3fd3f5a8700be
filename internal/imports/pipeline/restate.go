package pipeline

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/imports/unmatched"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
)

// ErrRestated is the answer to confirming, without a word on it, a file that says weeks anew which stand already.
var ErrRestated = fault.Declare(fault.Conflict, "imports.restated")

// ErrSameMoney is the answer to confirming, without a word on it, money that another file has brought in another form.
var ErrSameMoney = fault.Declare(fault.Conflict, "imports.same_money")

// ErrPartlyCovered is the answer to replacing what a file covers only a part of, as a week of a month that stands as one sum: the
// other days would be lost.
var ErrPartlyCovered = fault.Declare(fault.Conflict, "imports.partly_covered")

// What a person says about weeks that stand already and that a file says anew.
const (
	Replace = "replace" // what the file does not contain any more goes, or is corrected where it is settled
	Beside  = "beside"  // both are booked
)

// daysMax is how many days an import may cover to be compared day by day.
const daysMax = 3 * 366

// comparison finds out what a file says anew. It is for one unit of work.
type comparison struct {
	tx     *db.Tx
	self   string // the import
	off    bool   // the person allowed the same content to come twice
	kinds  map[string]*comparedKind
	seen   map[string]bool // keys of rows that stand and that the file contains
	people map[string]*compared
	rows   []RowChange
	force  ledger.Force
}

func newComparison(tx *db.Tx, f File) *comparison {
	return &comparison{tx: tx, self: f.ImportID, off: f.DuplicateOf != "", kinds: map[string]*comparedKind{}, seen: map[string]bool{},
		people: map[string]*compared{}}
}

// comparedKind is what stands of one kind of files of a provider.
type comparedKind struct {
	key     string
	ours    bool // sheets that people fill in add to each other: only one that has rows in common with another is a new form of it
	imports []comparedImport
	days    map[calendar.Date]bool // that they cover
	first   calendar.Date          // days of this file's rows
	last    calendar.Date
}

type comparedImport struct {
	ID                   string
	PeriodFrom, PeriodTo calendar.Date
}

// signature is what makes two rows the same where their texts differ, as in two languages.
type signature struct {
	typ          string
	amount       money.Amount
	at           string
	on, from, to calendar.Date
}

// telling says whether a signature can mean only one movement: two that the provider names are not the same for being of one day.
func (s signature) telling(external string) bool { return external == "" || s.at != "" || s.from != "" }

// compared is one person's part of a kind.
type compared struct {
	kind          *comparedKind
	provider      string
	who           *unmatched.Match // nil: the fleet's own
	shared, fresh int64
	sharedSum     money.Amount
	freshSum      money.Amount
	from, to      calendar.Date // that the rows of the file cover
	summary       bool          // they sum up days
	signs         map[signature]int64
	missing       []bookedRow // stand and are not in the file
	hidden        []bookedRow // were replaced before
	versions      []bookedRow // of movements that the file has otherwise
	missingSum    money.Amount
	same          []bookedRow            // stand in other words
	revived       map[signature][]string // keys of replaced rows that the file contains
	swapped       []swap
	missingOf     map[string]bool
}

// partly says whether something that stands sums up days of which the file covers only some.
func (p *compared) partly() bool {
	return slices.ContainsFunc(p.missing, func(r bookedRow) bool { return r.SpanFrom != "" && (r.SpanFrom < p.from || r.SpanTo > p.to) })
}

// bookedRow is a row as it stands.
type bookedRow struct {
	ID, RowKey, DriverID, IdentityID, Type string
	ExternalID                             string
	Amount                                 money.Amount
	OccurredAt                             time.Time
	OccurredOn, SpanFrom, SpanTo           calendar.Date
	SettlementID, Corrects                 string
	Hidden                                 bool
}

// weigh gives a row the amount that its file says, and the place of what was replaced where it counts no more but is settled.
func (r *bookedRow) weigh(f ledger.Force) {
	if full, corrects := f.Full[r.ID]; corrects {
		r.Amount = full
	}
	r.Hidden = r.Hidden || f.Replaced[r.RowKey] && r.RowKey != ""
}

func (r bookedRow) sign() signature {
	return signOf(r.Type, r.Amount, r.OccurredAt, r.OccurredOn, r.SpanFrom, r.SpanTo)
}

func (e *Entry) sign() signature { return signOf(e.Booked, e.Amount, e.At, e.On, e.From, e.To) }

func signOf(typ string, amount money.Amount, at time.Time, on, from, to calendar.Date) signature {
	s := signature{typ: typ, amount: amount, on: on, from: from, to: to}
	if !at.IsZero() {
		s.at = db.Instant(at)
	}
	return s
}

func (c *comparison) kind(p *Part) (*comparedKind, error) {
	key := p.Provider + "\x00" + p.Kind
	if k, ok := c.kinds[key]; ok {
		return k, nil
	}
	k := &comparedKind{key: key, ours: p.layout.Provider == "", days: map[calendar.Date]bool{}}
	c.kinds[key] = k
	// what is settled stays where it is when its file is removed
	found, err := db.Select[comparedImport](c.tx, `SELECT i.id, i.period_from, i.period_to FROM imports i WHERE i.tenant_id = $1
		AND i.id <> $2 AND i.provider = $3 AND i.kind = $4
		AND i.booked_as <> 'detail' AND i.period_to <> '' AND (i.status = 'success' OR i.status = 'removed' AND EXISTS (SELECT 1
		FROM transactions t
		WHERE t.tenant_id = i.tenant_id AND t.import_id = i.id AND t.import_id <> '')) ORDER BY i.id`, c.self, p.Provider, p.Kind)
	if err != nil {
		return nil, err
	}
	k.imports = found
	for _, i := range found {
		for day := i.PeriodFrom; day <= i.PeriodTo && i.PeriodTo.DaysSince(i.PeriodFrom) < daysMax; day = day.AddDays(1) {
			k.days[day] = true
		}
	}
	return k, nil
}

func (k *comparedKind) covers(e *Entry) bool {
	if e.From == "" {
		return k.days[e.On]
	}
	for day := e.From; day <= e.To; day = day.AddDays(1) {
		if k.days[day] {
			return true
		}
	}
	return false
}

// take takes a row of the file, with where it stands and in which other versions.
func (c *comparison) take(e *Entry, known place, versions []bookedRow) error {
	if len(versions) > 0 {
		if err := c.otherwise(e, versions); err != nil {
			return err
		}
	}
	return c.add(e, known.key, known.hidden)
}

// add takes a row of the file: one that stands (key is its key there), or one that is new or comes back.
func (c *comparison) add(e *Entry, key string, hidden bool) error {
	if c.off {
		return nil
	}
	if key != "" && !hidden {
		c.seen[key] = true
	}
	k, err := c.kind(e.Part)
	if err != nil || len(k.imports) == 0 {
		return err
	}
	k.first, k.last = earlier(k.first, cmp.Or(e.From, e.On)), max(k.last, e.On)
	if !k.covers(e) {
		return nil
	}
	p, err := c.person(k, e)
	if p == nil || err != nil {
		return err
	}
	p.from, p.to, p.summary = earlier(p.from, cmp.Or(e.From, e.On)), max(p.to, e.On), p.summary || e.From != ""
	counted := money.Amount(0)
	if kinds.Counted(e.Booked) {
		counted = e.Amount
	}
	if key != "" && !hidden {
		p.shared++
		return total(&p.sharedSum, counted)
	}
	p.fresh++
	switch sign := e.sign(); {
	case key != "":
		p.revived[sign] = append(p.revived[sign], key)
	case sign.telling(e.ExternalID):
		p.signs[sign]++
	}
	return total(&p.freshSum, counted)
}

func (c *comparison) person(k *comparedKind, e *Entry) (p *compared, err error) {
	found := e.Who.Names()
	if len(found) == 0 {
		return nil, nil // nobody has met them before
	}
	for _, name := range found {
		if p = c.people[k.key+"\x00"+name]; p != nil {
			break
		}
	}
	if p == nil {
		p = &compared{kind: k, provider: e.Provider, who: e.Who, signs: map[signature]int64{}, revived: map[signature][]string{},
			missingOf: map[string]bool{}}
	}
	for _, name := range found {
		c.people[k.key+"\x00"+name] = p
	}
	return p, nil
}

// otherwise takes a movement that stands in other versions.
func (c *comparison) otherwise(e *Entry, versions []bookedRow) error {
	if c.off {
		return nil
	}
	k, err := c.kind(e.Part)
	if err != nil {
		return err
	}
	p, err := c.person(k, e)
	if p == nil {
		p = &compared{kind: k, provider: e.Provider, who: e.Who, signs: map[signature]int64{}, revived: map[signature][]string{},
			missingOf: map[string]bool{}}
		c.people[fmt.Sprint(k.key, "\x00line ", e.Line)] = p
	}
	if err != nil {
		return err
	}
	p.from, p.to = earlier(p.from, cmp.Or(e.From, e.On)), max(p.to, e.On)
	p.versions = append(p.versions, versions...)
	for _, v := range versions {
		if len(c.rows) < previewFirst && !v.Hidden {
			name := ""
			if e.Who != nil {
				name = cut(e.Who.Person.FullName())
			}
			c.rows = append(c.rows, RowChange{e.Line, name, e.Booked, v.Amount, e.Amount, v.OccurredOn, e.On, v.SettlementID != ""})
			break
		}
	}
	return nil
}

// finding is what a comparison came to.
type finding struct {
	changed []*compared
	same    []*compared // of whom rows stand in other words
	hidden  []bookedRow
}

// replaceable says whether the file covers all days of what it would replace.
func (f finding) replaceable() error {
	count := 0
	for _, p := range f.changed {
		if p.partly() {
			count++
		}
	}
	if count > 0 {
		return ErrPartlyCovered.With("count", count)
	}
	return nil
}

// conclude looks for what stands and is not in the file.
func (c *comparison) conclude() (f finding, err error) {
	for _, key := range slices.Sorted(maps.Keys(c.kinds)) {
		if err := c.miss(c.kinds[key]); err != nil {
			return f, err
		}
	}
	done := map[*compared]bool{}
	for _, key := range slices.Sorted(maps.Keys(c.people)) {
		p := c.people[key]
		if done[p] {
			continue
		}
		done[p] = true
		p.alias()
		if len(p.same)+len(p.swapped) > 0 {
			f.same = append(f.same, p)
		}
		f.hidden = append(f.hidden, p.hidden...)
		visible := slices.ContainsFunc(p.versions, func(v bookedRow) bool { return !v.Hidden })
		differs := len(p.missing) > 0 && (p.fresh > 0 || p.summary) && (!p.kind.ours || p.shared > 0 && p.fresh > 0)
		if !differs {
			p.missing, p.missingSum = nil, 0
		}
		if differs || visible {
			f.changed = append(f.changed, p)
		}
	}
	return f, nil
}

// swap is a row that was replaced and is in the file, where another one counts that says the same.
type swap struct{ from, to string }

// alias finds rows that the file has in other words.
func (p *compared) alias() {
	if !p.kind.ours {
		p.missing = slices.DeleteFunc(p.missing, p.contains)
	}
	back := map[string]bool{}
	for _, keys := range p.revived {
		for _, key := range keys {
			back[key] = true
		}
	}
	p.hidden = slices.DeleteFunc(p.hidden, func(h bookedRow) bool {
		if back[h.RowKey] {
			return true
		}
		sign := h.sign()
		if p.kind.ours || p.signs[sign] == 0 || !sign.telling(h.ExternalID) {
			return false
		}
		p.signs[sign]-- // it comes back, which is as new as a new row
		p.same = append(p.same, h)
		return true
	})
}

// contains says whether the file has a row that stands in other words.
func (p *compared) contains(m bookedRow) bool {
	sign := m.sign()
	switch again := p.revived[sign]; {
	case !sign.telling(m.ExternalID):
		return false
	case p.signs[sign] > 0:
		p.signs[sign]--
		p.same = append(p.same, m)
	case len(again) > 0:
		p.swapped = append(p.swapped, swap{again[0], m.RowKey})
		p.revived[sign] = again[1:]
	default:
		return false
	}
	p.fresh--
	p.shared++
	if kinds.Counted(m.Type) {
		p.missingSum -= m.Amount
		p.freshSum -= m.Amount
		p.sharedSum += m.Amount
	}
	return true
}

const missedColumns = `r.id, r.row_key, r.external_id, r.identity_id, r.type, r.amount, r.occurred_at, r.occurred_on, r.span_from,
	r.span_to`

// miss gives the people of a kind what stands of their days and is not in the file.
func (c *comparison) miss(k *comparedKind) error {
	if len(k.imports) == 0 || !slices.ContainsFunc(slices.Collect(maps.Values(c.people)), func(p *compared) bool { return p.kind == k }) {
		return nil
	}
	var err error
	if c.force, err = ledger.ForceOf(c.tx); err != nil {
		return err
	}
	for _, i := range k.imports {
		if i.PeriodTo < k.first || i.PeriodFrom > k.last {
			continue
		}
		for _, text := range []string{
			`SELECT ` + missedColumns + `, ` + drivers.CanonicalID("d") + ` AS driver_id, r.settlement_id, r.corrects,
				FALSE AS hidden FROM transactions r
				JOIN drivers d ON d.tenant_id = r.tenant_id AND d.id = r.driver_id WHERE r.tenant_id = $1 AND r.import_id = $2 AND r.import_id <> ''`,
			`SELECT ` + missedColumns + `, '' AS driver_id, '' AS settlement_id, '' AS corrects, FALSE AS hidden FROM unmatched_rows r
				WHERE r.tenant_id = $1 AND r.import_id = $2`,
			`SELECT ` + missedColumns + `, COALESCE(` + drivers.CanonicalID("d") + `, '') AS driver_id, '' AS
				settlement_id, '' AS corrects, TRUE AS hidden
				FROM replaced_rows r LEFT JOIN drivers d ON d.tenant_id = r.tenant_id AND d.id = r.driver_id WHERE r.tenant_id = $1
				AND r.import_id = $2`,
		} {
			if err := db.Each(c.tx, func(r *bookedRow) error { return c.missed(k, *r) }, text, i.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *comparison) missed(k *comparedKind, r bookedRow) error {
	if r.weigh(c.force); r.Corrects != "" && r.RowKey == "" {
		return nil // it only takes an amount off
	}
	if c.seen[r.RowKey] && r.RowKey != "" {
		return nil
	}
	p := c.people[k.key+"\x00"+unmatched.NameOf(r.DriverID, r.IdentityID)]
	if p == nil || p.missingOf[r.ID] {
		return nil
	}
	// a row that sums up days is said anew by one of the same days; a movement by a file of its day
	if r.SpanFrom != "" && (!p.summary || r.SpanTo < p.from || r.SpanFrom > p.to) || r.SpanFrom == "" &&
		(p.summary || r.OccurredOn < k.first || r.OccurredOn > k.last) {
		return nil
	}
	p.missingOf[r.ID] = true
	if r.Hidden {
		p.hidden = append(p.hidden, r)
		return nil
	}
	p.missing = append(p.missing, r)
	if kinds.Counted(r.Type) {
		return total(&p.missingSum, r.Amount)
	}
	return nil
}

// replaced are the rows that the file takes the force of.
func (f finding) replaced(all bool) []string {
	ids := map[string]bool{}
	for _, r := range f.hidden {
		ids[r.ID] = true
	}
	if all {
		for _, p := range f.changed {
			for _, r := range slices.Concat(p.missing, p.versions) {
				ids[r.ID] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(ids))
}
