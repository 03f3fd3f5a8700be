package imports

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"

	"saldo/internal/calendar"
	"saldo/internal/db"
	"saldo/internal/fleet"
	"saldo/internal/imports/providers"
	"saldo/internal/imports/statement"
	"saldo/internal/imports/table"
	"saldo/internal/ledger"
	"saldo/internal/money"
)

// Shown is what a person sees of a file before confirming it.
type Shown struct {
	Parts    []Part        `json:"parts"`
	Rows     []ShownRow    `json:"rows"` // the first below the head
	Counts   Counts        `json:"counts"`
	Sums     Sums          `json:"sums"`
	Doubts   Doubts        `json:"doubts"`
	Troubles []TroubleKind `json:"troubles"`
	Matches  Matches       `json:"matches"`
	Warnings []Warning     `json:"warnings"`
	Standing string        `json:"standing"` // what was imported when it was made
	// Mappings are those by which it was read: it is booked by these, whatever becomes of them.
	Mappings []Mapping `json:"mappings,omitempty"`
}

// ShownRow is a row as the file has it, its cells cut.
type ShownRow struct {
	Part  string   `json:"part"`
	Line  int64    `json:"line"`
	Cells []string `json:"cells"`
}

// Doubts are rows whose total is not what their parts add up to.
type Doubts struct {
	Count int64             `json:"count"`
	First []statement.Doubt `json:"first"`
}

// TroubleKind is all trouble of one code.
type TroubleKind struct {
	Code  string              `json:"code"`
	Count int64               `json:"count"`
	First []statement.Trouble `json:"first"`
}

// Matches say how the people of a file were recognised.
type Matches struct {
	By         map[string]int64 `json:"by"` // how → people
	Pairs      []Pair           `json:"pairs"`
	Unassigned []Stranger       `json:"unassigned"` // the first of them
}

// Pair is somebody whom a file names and a driver of the same name.
type Pair struct {
	Provider string        `json:"provider"`
	Key      statement.Key `json:"key"`
	Name     string        `json:"name"`
	DriverID string        `json:"driverId"`
	Driver   string        `json:"driver"`
	Rows     int64         `json:"rows"`
}

// Stranger is somebody whom a file names and nobody knows.
type Stranger struct {
	Provider string          `json:"provider"`
	Keys     []statement.Key `json:"keys"`
	Name     string          `json:"name"`
	Rows     int64           `json:"rows"`
	Sum      money.Amount    `json:"sum"`
}

// Warning is something to look at before confirming.
type Warning struct {
	Code     string `json:"code"`
	Count    int64  `json:"count"`
	ImportID string `json:"importId"` // that it is about; empty: none
	Found    string `json:"found"`
	Expected string `json:"expected"`
}

// The codes of warnings.
const (
	WarnFuture        = "future_dates"
	WarnPeriod        = "period_differs" // from the days that were chosen
	WarnDuplicate     = "same_content"   // as another import
	WarnSameMoney     = "same_money"     // as another import, in another form
	WarnOverlap       = "same_period"    // as another import of the same kind, whose rows are other ones
	WarnOtherProvider = "other_provider" // than was chosen
	WarnPart          = "part_not_read"  // a table of the file that no layout has
	WarnNothing       = "nothing_new"
	WarnMoney         = "money_differs" // by more than half from the file of the days before
)

// Warnings lists the codes, for the contract.
func Warnings() []string {
	return []string{WarnFuture, WarnPeriod, WarnDuplicate, WarnSameMoney, WarnOverlap, WarnOtherProvider, WarnPart, WarnNothing, WarnMoney}
}

// Troubles lists the codes of trouble, for the contract.
func Troubles() []string {
	return []string{statement.WrongAmount, statement.WrongDate, statement.NoDate, statement.NoDriver, statement.WrongType, statement.WrongCurrency,
		statement.WrongPayment, statement.TooFewCells, statement.TooManyCells, statement.NotInFile}
}

// Insteads lists the files that can be named instead of a wrong one, for the contract.
func Insteads() []string { return providers.Insteads() }

// How much of a preview is kept.
const (
	shownRows    = 20
	shownColumns = 60
	shownLetters = 120
	shownFirst   = 100 // of troubles of a code, doubts, strangers
)

func cut(text string) string {
	letters := []rune(text)
	return string(letters[:min(len(letters), shownLetters)])
}

// lookup is how many keys are asked for at once.
const lookup = 400

// judging is what one way through a file found.
type judging struct {
	tx      *db.Tx
	people  *people
	shown   Shown
	sums    map[string]*Sum
	trouble map[string]*TroubleKind
	fleet   int64
	today   calendar.Date
	future  int64
	first   calendar.Date // of the rows that say their own day
	last    calendar.Date
	undated statement.Span // of those that do not
	rows    int64
	ticked  func(rows int64)
}

// weighed is an amount that is not counted yet.
type weighed struct {
	key    rowKey
	again  bool
	typ    string
	amount money.Amount
	who    *whose // nil: the fleet's own
}

// reading prepares the way through the file of an import.
func (d *Desk) reading(tx *db.Tx, i Import, file *localFile, salt string) (*reading, error) {
	remembered, err := fleet.RememberedTypes(tx)
	if err != nil {
		return nil, err
	}
	mappings, err := mappingsFor(tx, i)
	if err != nil {
		return nil, err
	}
	layouts := slices.Clip(d.Layouts)
	for _, m := range mappings {
		layouts = append(layouts, m.Rules.Remembered(m.Head))
	}
	return &reading{name: i.FileName, content: file, size: file.size, order: i.Order, salt: salt, layouts: layouts, mappings: mappings, remembered: remembered,
		given: statement.Given{Zone: d.Instance.Location(), Currency: d.Instance.Currency, Provider: i.Chosen}}, nil
}

// judge reads a file and says what importing it would do.
func (d *Desk) judge(ctx context.Context, tx *db.Tx, i Import, file *localFile, ticked func(rows int64)) (Import, Shown, error) {
	ppl, err := loadPeople(tx, d.Drivers.Country, i.MergeByName)
	if err != nil {
		return i, Shown{}, err
	}
	j := &judging{tx: tx, people: ppl, sums: map[string]*Sum{}, trouble: map[string]*TroubleKind{}, today: calendar.DateOf(tx.Now, d.Instance.Location(), 0), ticked: ticked}
	j.shown = Shown{Parts: []Part{}, Rows: []ShownRow{}, Doubts: Doubts{First: []statement.Doubt{}}, Troubles: []TroubleKind{}, Warnings: []Warning{},
		Matches: Matches{By: map[string]int64{}, Pairs: []Pair{}, Unassigned: []Stranger{}}}
	salt := ""
	if i.DuplicateOf != "" {
		salt = i.ID
	}
	rd, err := d.reading(tx, i, file, salt)
	if err != nil {
		return i, Shown{}, err
	}
	rd.found = func(p *Part) { j.shown.Parts = append(j.shown.Parts, p.told()) }
	rd.doubt, rd.skipped = j.doubt, func() { j.shown.Counts.Skipped++ }
	if err := inBlocks(lookup, func(add func(weighed) error) error {
		rd.row = func(p *Part, r table.Row, entries []entry, troubles []statement.Trouble) error {
			return j.row(p, r, entries, troubles, add)
		}
		return rd.run(ctx)
	}, j.count); errors.Is(err, ErrNotRecognised) {
		sample, failed := sampleOf(i, file)
		return i, sample, cmp.Or(failed, err)
	} else if err != nil {
		return i, Shown{}, err
	}
	j.shown.Mappings = rd.usedMappings()
	i.describe(rd, j)
	j.conclude()
	if err := j.warn(d, i, rd); err != nil {
		return i, Shown{}, err
	}
	if j.shown.Standing, err = standing(tx); err != nil {
		return i, Shown{}, err
	}
	i.Counts, i.Sums = j.shown.Counts, j.shown.Sums
	return i, j.shown, nil
}

// told is a part as it is shown.
func (p *Part) told() Part {
	shown := *p
	shown.Head = make([]string, min(len(p.Head), shownColumns))
	for n := range shown.Head {
		shown.Head[n] = cut(p.Head[n])
	}
	return shown
}

func (j *judging) row(p *Part, r table.Row, entries []entry, troubles []statement.Trouble, add func(weighed) error) error {
	if j.rows++; j.rows%2000 == 0 && j.ticked != nil {
		j.ticked(j.rows)
	}
	if len(j.shown.Rows) < shownRows {
		cells := make([]string, min(len(r.Cells), shownColumns))
		for n := range cells {
			cells[n] = cut(r.Cells[n])
		}
		j.shown.Rows = append(j.shown.Rows, ShownRow{p.Name, r.Line, cells})
	}
	if len(troubles) > 0 {
		j.shown.Counts.Transactions.Failed++
		for _, t := range troubles {
			j.troubled(t, r.Line)
		}
		return nil
	}
	for _, e := range entries {
		w := weighed{key: e.key, again: e.again, typ: e.typ, amount: e.Amount}
		if !e.Person.Nobody() {
			var err error
			if w.who, err = j.people.of(e.Provider, e.Person, p.layout.Provider == ""); err != nil {
				return err
			}
		}
		j.dated(&e)
		if err := add(w); err != nil {
			return err
		}
	}
	return nil
}

func (j *judging) troubled(t statement.Trouble, line int64) {
	kind := j.trouble[t.Code]
	if kind == nil {
		kind = &TroubleKind{Code: t.Code, First: []statement.Trouble{}}
		j.trouble[t.Code] = kind
	}
	if kind.Count++; kind.Count <= shownFirst {
		t.Line, t.Found, t.Expected, t.Column = cmp.Or(t.Line, line), cut(t.Found), cut(t.Expected), cut(t.Column)
		kind.First = append(kind.First, t)
	}
}

func (j *judging) doubt(d statement.Doubt) {
	if j.shown.Doubts.Count++; j.shown.Doubts.Count <= shownFirst {
		d.Column = cut(d.Column)
		j.shown.Doubts.First = append(j.shown.Doubts.First, d)
	}
}

// dated notes the days that the file covers.
func (j *judging) dated(e *entry) {
	if e.on > j.today {
		j.future++
	}
	from := cmp.Or(e.from, e.on)
	if !e.dated {
		j.undated.From, j.undated.To = earlier(j.undated.From, from), max(j.undated.To, e.on)
		return
	}
	j.first, j.last = earlier(j.first, from), max(j.last, e.on)
}

func earlier(a, b calendar.Date) calendar.Date {
	if a == "" {
		return b
	}
	return min(a, b)
}

// count counts amounts, with what other imports have brought.
func (j *judging) count(block []weighed) error {
	keys := make([]rowKey, len(block))
	for n := range block {
		keys[n] = block[n].key
	}
	known, err := knownRows(j.tx, keys)
	if err != nil {
		return err
	}
	for n := range block {
		w := &block[n]
		sum := j.sums[w.typ]
		if sum == nil {
			sum = &Sum{Type: w.typ}
			j.sums[w.typ] = sum
		}
		sum.Count++
		if err := total(&sum.Sum, w.amount); err != nil {
			return err
		}
		if w.again || known[w.key] {
			j.shown.Counts.Transactions.Existing++
			if w.who != nil {
				w.who.tally.existing++
			}
			continue
		}
		sum.NewCount++
		if err := total(&sum.NewSum, w.amount); err != nil {
			return err
		}
		if w.who == nil {
			j.fleet++
			continue
		}
		w.who.tally.fresh++
		if err := total(&w.who.tally.sum, w.amount); err != nil {
			return err
		}
	}
	return nil
}

// conclude makes the counts of the file out of those of its people. A name
// that two people of the file share makes a pair of neither.
func (j *judging) conclude() {
	claimed := map[string]int{}
	for _, w := range j.people.canon {
		if w.how == ByName {
			claimed[w.provider+"\x00"+w.driver]++
		}
	}
	c := &j.shown.Counts
	c.Transactions.Fleet = j.fleet
	for _, key := range slices.Sorted(maps.Keys(j.people.canon)) {
		w := j.people.canon[key]
		if w.how == ByName && claimed[w.provider+"\x00"+w.driver] > 1 {
			w.driver, w.how = "", ""
		}
		c.Drivers.All++
		switch {
		case w.driver != "":
			c.Drivers.Existing++
			c.Transactions.New += w.tally.fresh
			j.shown.Matches.By[w.how]++
		case w.state == Ignored:
			c.Drivers.Ignored++
			c.Transactions.Ignored += w.tally.fresh
			continue
		default:
			if w.identity == "" {
				c.Drivers.New++
			} else {
				c.Drivers.Unassigned++
			}
			c.Transactions.Unassigned += w.tally.fresh
			if len(j.shown.Matches.Unassigned) < shownFirst {
				j.shown.Matches.Unassigned = append(j.shown.Matches.Unassigned, Stranger{w.provider, w.person.Keys, cut(fullName(w.person)), w.tally.fresh + w.tally.existing, w.tally.sum})
			}
		}
		if w.how == ByName {
			d := j.people.drivers[w.driver]
			j.shown.Matches.Pairs = append(j.shown.Matches.Pairs, Pair{w.provider, w.surest, cut(fullName(w.person)), w.driver, d.FirstName + " " + d.LastName, w.tally.fresh + w.tally.existing})
		}
	}
	c.Transactions.add()
	j.shown.Sums = inOrder(j.sums)
	for _, code := range Troubles() {
		if kind, ok := j.trouble[code]; ok {
			j.shown.Troubles = append(j.shown.Troubles, *kind)
		}
	}
}

func inOrder(sums map[string]*Sum) Sums {
	ordered := Sums{}
	for _, t := range ledger.Types() {
		if s, ok := sums[t.Name]; ok {
			ordered = append(ordered, *s)
		}
	}
	return ordered
}

// describe says what the file was recognised as and which days it covers: those
// of its name, those of its rows, or those that were chosen.
func (i *Import) describe(rd *reading, j *judging) {
	for _, p := range rd.parts {
		if p.Role != RoleMoney {
			continue
		}
		if i.Kind == "" {
			i.Provider, i.Kind, i.Encoding, i.Delimiter = p.Provider, p.Kind, p.Encoding, p.Delimiter
		}
		if p.span.To != "" {
			i.PeriodFrom, i.PeriodTo, i.PeriodSource = earlier(i.PeriodFrom, p.span.From), max(i.PeriodTo, p.span.To), "name"
		}
	}
	switch {
	case i.PeriodTo != "":
	case j.last != "":
		i.PeriodFrom, i.PeriodTo, i.PeriodSource = j.first, j.last, "rows"
	case j.undated.To != "":
		i.PeriodFrom, i.PeriodTo, i.PeriodSource = j.undated.From, j.undated.To, "picker"
	}
}

func (j *judging) warn(d *Desk, i Import, rd *reading) error {
	warn := func(w Warning) { j.shown.Warnings = append(j.shown.Warnings, w) }
	if j.future > 0 {
		warn(Warning{Code: WarnFuture, Count: j.future})
	}
	if i.DatesTo != "" && i.PeriodTo != "" && i.PeriodSource != "picker" && (i.PeriodFrom < i.DatesFrom || i.PeriodTo > i.DatesTo) {
		warn(Warning{Code: WarnPeriod, Found: string(i.PeriodFrom + "–" + i.PeriodTo), Expected: string(i.DatesFrom + "–" + i.DatesTo)})
	}
	if i.DuplicateOf != "" {
		warn(Warning{Code: WarnDuplicate, ImportID: i.DuplicateOf})
	}
	if i.Chosen != "" && i.Chosen != i.Provider {
		warn(Warning{Code: WarnOtherProvider, Found: i.Provider, Expected: i.Chosen})
	}
	for _, p := range rd.parts {
		if p.Role == RoleUnknown || p.Role == RoleInstead {
			warn(Warning{Code: WarnPart, Found: cut(p.Name)})
		}
	}
	others, err := d.sameMoneyAs(j.tx, i, rd.parts)
	if err != nil {
		return err
	}
	for _, id := range others {
		warn(Warning{Code: WarnSameMoney, ImportID: id})
	}
	c := j.shown.Counts.Transactions
	if c.Existing == c.All && c.All > 0 {
		warn(Warning{Code: WarnNothing})
	}
	if i.DuplicateOf == "" && c.Existing == 0 {
		same, err := overlapping(j.tx, i, d.kindsBeside(i))
		if err != nil {
			return err
		}
		for _, id := range same {
			warn(Warning{Code: WarnOverlap, ImportID: id})
		}
	}
	if before, money, err := moneyBefore(j.tx, i); err != nil {
		return err
	} else if now := j.shown.Sums.counted(); before != "" && differs(now, money) {
		warn(Warning{Code: WarnMoney, ImportID: before, Found: strconv.FormatInt(int64(now), 10), Expected: strconv.FormatInt(int64(money), 10)})
	}
	return nil
}

// counted is what the sums hold of the money that drivers are due.
func (s Sums) counted() (all money.Amount) {
	for _, one := range s {
		if ledger.Counted(one.Type) {
			all += one.Sum // the parts of a file were added up with care: see total
		}
	}
	return all
}

// differs says whether one amount is more than half away from another.
func differs(now, before money.Amount) bool {
	half := max(before, -before) / 2
	return before != 0 && (now > before+half || now < before-half)
}

// moneyBefore is the last standing import of the same provider and kind that
// ended before this one begins and covers as many days, and what it held. A
// week is not compared with a month.
func moneyBefore(tx *db.Tx, i Import) (id string, held money.Amount, err error) {
	if i.PeriodTo == "" || i.Provider == "" {
		return "", 0, nil
	}
	others, err := db.Select[struct {
		ID                   string
		PeriodFrom, PeriodTo calendar.Date
		Sums                 Sums
	}](tx, `SELECT id, period_from, period_to, sums FROM imports WHERE tenant_id = $1 AND provider = $2 AND kind = $3 AND status = 'success' AND booked_as <> 'detail'
		AND period_to <> '' AND period_to < $4 ORDER BY period_to DESC, id DESC LIMIT 20`, i.Provider, i.Kind, string(i.PeriodFrom))
	for _, o := range others {
		if o.PeriodTo.DaysSince(o.PeriodFrom) == i.PeriodTo.DaysSince(i.PeriodFrom) {
			return o.ID, o.Sums.counted(), err
		}
	}
	return "", 0, err
}

// sameMoneyAs are the imports that brought the same money in another form.
func (d *Desk) sameMoneyAs(tx *db.Tx, i Import, parts []*Part) ([]string, error) {
	kinds := []string{}
	for _, p := range parts {
		if p.Role != RoleMoney {
			continue
		}
		kinds = append(kinds, p.layout.Details...)
		for _, l := range d.Layouts {
			if l.Provider == p.layout.Provider && slices.Contains(l.Details, p.Kind) {
				kinds = append(kinds, l.Kind)
			}
		}
	}
	return overlapping(tx, i, kinds)
}

// overlapping are the standing imports of the same provider and of these kinds
// whose days overlap, apart from those that brought no money.
func overlapping(tx *db.Tx, i Import, kinds []string) ([]string, error) {
	found := []string{}
	if i.PeriodTo == "" || i.Provider == "" {
		return found, nil
	}
	others, err := db.Select[struct{ ID, Kind string }](tx, `SELECT id, kind FROM imports WHERE tenant_id = $1 AND id <> $2 AND provider = $3 AND status = 'success' AND booked_as <> 'detail'
		AND period_to <> '' AND period_from <= $4 AND period_to >= $5 ORDER BY id`, i.ID, i.Provider, string(i.PeriodTo), string(i.PeriodFrom))
	for _, o := range others {
		if slices.Contains(kinds, o.Kind) {
			found = append(found, o.ID)
		}
	}
	return found, err
}
