package dedicated

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/reports/query"
	"saldo/internal/testkit"
)

// oracle computes a report without the database: what rows there are, what they are grouped by, and what of them is added up.
type oracle struct {
	w        *world
	subject  string
	measures []string
	by       []string
	from, to calendar.Date
	filters  map[string][]string
	self     string
}

// canonical is whom a driver stands for now.
func (w *world) canonical(id string) driver {
	for _, d := range w.drivers {
		if d.id == id && d.into != "" {
			return w.canonical(d.into)
		} else if d.id == id {
			return d
		}
	}
	panic(id)
}

// item is a row with everything that can be asked of it.
type item struct {
	driver driver
	keys   map[string]string
	sums   map[string]int64
}

func (o *oracle) items() (list []item) {
	if o.subject == "settlements" {
		for _, s := range o.w.settlements {
			if s.state == "revoked" || s.lastOn < o.from || s.lastOn > o.to || o.self != "" && !s.shared {
				continue
			}
			fees := s.figures["settlementCost"] + s.figures["additionalSettlementCost"] + s.figures["rateCost"]
			earned := fees + s.figures["provision"]
			if s.rate < 10_000 {
				earned += s.revenue - s.fee - s.figures["payoutBase"]
			}
			it := item{driver: o.w.canonical(s.driver), keys: map[string]string{"period": s.period, "week": s.period, "day": string(s.lastOn),
				"month": string(s.lastOn[:7]), "schema": fmt.Sprint(s.schema), "contract": s.contract, "state": s.state},
				sums: map[string]int64{"count": 1, "transactions": s.transactions, "partnerFees": fees, "earned": earned}}
			maps.Copy(it.sums, s.figures)
			maps.Copy(it.sums, map[string]int64{"revenue": s.revenue, "fee": s.fee, "cashCollected": s.cash, "payout": s.payout, "nextPeriodTransfer": s.next})
			list = append(list, it)
		}
		return list
	}
	for _, r := range o.w.rows {
		if r.on < o.from || r.on > o.to || o.self != "" && !o.w.shared(r.settlement) {
			continue
		}
		category := kinds.CategoryOf(r.kind, r.provider, r.amount)
		at, _ := time.Parse(time.DateOnly, string(r.on))
		year, week := at.ISOWeek()
		it := item{driver: o.w.canonical(r.driver), keys: map[string]string{"day": string(r.on), "month": string(r.on[:7]), "week": fmt.Sprintf("%d-W%02d", year, week),
			"app": r.provider, "type": r.kind, "category": string(category), "payment": r.payment, "source": r.source, "schema": "1",
			"settled": map[bool]string{true: "taken", false: "open"}[r.settlement != ""]},
			sums: map[string]int64{"count": 1, "amount": r.amount}}
		switch category {
		case kinds.Income, kinds.Bonus, kinds.Tips:
			it.sums["revenue"] = r.amount
		case kinds.Fee:
			it.sums["fee"] = -r.amount
		}
		if category.Counted() {
			it.sums["counted"] = r.amount
		}
		list = append(list, it)
	}
	return list
}

func (w *world) shared(id string) bool {
	return slices.ContainsFunc(w.settlements, func(s settlement) bool { return s.id == id && s.shared && s.state != "revoked" })
}

// groups are the sums by what rows are grouped by, and in "" the totals.
func (o *oracle) groups() map[string][]int64 {
	sums, people := map[string][]int64{}, map[string]map[string]bool{}
	totals := "totals"
	sums[totals], people[totals] = make([]int64, len(o.measures)), map[string]bool{}
	for _, it := range o.items() {
		if o.self != "" && it.driver.id != o.self {
			continue
		}
		it.keys["driver"] = it.driver.id
		passes := true
		for field, values := range o.filters {
			if field == "tag" {
				passes = passes && slices.ContainsFunc(it.driver.tags, func(tag string) bool { return slices.Contains(values, tag) })
			} else {
				passes = passes && slices.Contains(values, it.keys[field])
			}
		}
		if !passes {
			continue
		}
		tags := []string{""}
		if slices.Contains(o.by, "tag") && len(it.driver.tags) > 0 {
			tags = it.driver.tags
		}
		keys := []string{totals}
		for _, tag := range tags {
			if asked := o.filters["tag"]; slices.Contains(o.by, "tag") && len(asked) > 0 && !slices.Contains(asked, tag) {
				continue
			}
			it.keys["tag"] = tag
			key := []string{}
			for _, b := range o.by {
				key = append(key, it.keys[b])
			}
			keys = append(keys, strings.Join(key, "|"))
		}
		for _, key := range keys {
			if sums[key] == nil {
				sums[key], people[key] = make([]int64, len(o.measures)), map[string]bool{}
			}
			people[key][it.driver.id] = true
			for i, m := range o.measures {
				sums[key][i] += it.sums[m]
			}
		}
	}
	for key := range sums {
		for i, m := range o.measures {
			if m == "drivers" {
				sums[key][i] = int64(len(people[key]))
			}
		}
	}
	return sums
}

var choices = map[string][]string{"state": {"settled", "paid"}, "contract": {"B2B_NO_VAT", "B2B_VAT", "CIVIL_CONTRACT"}, "schema": {"1", "2"},
	"app": {"UBER", "BOLT", "ORLEN", "PARTNER", "REVOLUT"}, "payment": {"", "cash", "card"}, "settled": {"open", "taken"}, "source": {"hand", "import"},
	"category": {"income", "fee", "cost", "credit", "fuel", "unknown"}, "type": {"TRIP", "FEE", "ADJUSTMENT", "CARD_FEE", "TIP"}}

// definition draws a definition, and the oracle that knows what it shows.
func (w *world) definition(random *rand.Rand, self string) (text string, o *oracle, values map[string][]string) {
	o = &oracle{w: w, self: self, filters: map[string][]string{}, subject: []string{"settlements", "transactions"}[random.IntN(2)]}
	measures := []string{"count", "drivers", "transactions", "revenue", "fee", "cashCollected", "payout", "nextPeriodTransfer", "income", "tips", "costs", "credits",
		"fuelCost", "taxAfterOptimisation", "settlementCost", "partnerFees", "earned", "provision"}
	by := []string{"driver", "tag", "week", "month", "day", "period", "schema", "contract", "state"}
	if o.subject == "transactions" {
		measures = []string{"count", "drivers", "amount", "revenue", "fee", "counted"}
		by = []string{"driver", "tag", "week", "month", "day", "schema", "app", "type", "category", "payment", "settled", "source"}
	}
	if self != "" {
		closed := func(key string) bool { return slices.Contains([]string{"partnerFees", "earned", "tag", "schema"}, key) }
		measures, by = slices.DeleteFunc(measures, closed), slices.DeleteFunc(by, closed)
	}
	random.Shuffle(len(measures), func(i, j int) { measures[i], measures[j] = measures[j], measures[i] })
	random.Shuffle(len(by), func(i, j int) { by[i], by[j] = by[j], by[i] })
	o.measures = measures[:1+random.IntN(min(len(measures), query.MeasuresMost))]
	o.by = by[:random.IntN(query.DimensionsMost+1)]
	o.from = firstDay.AddDays(random.IntN(spanDays))
	o.to = o.from.AddDays(random.IntN(query.DaysMost))
	asks := []string{`{"name":"from","kind":"day"}`, `{"name":"to","kind":"day"}`}
	filters, values := []string{}, map[string][]string{}
	for _, field := range by[:random.IntN(min(4, len(by)))] {
		all := choices[field]
		switch {
		case field == "tag":
			all = w.tags
		case field == "driver" && self == "":
			all = []string{w.drivers[0].id, w.drivers[1].id, w.drivers[2].id, w.drivers[9].id}
		}
		if len(all) == 0 {
			continue
		}
		some := slices.Clone(all)[:1+random.IntN(len(all))]
		if random.IntN(2) == 0 {
			asks = append(asks, fmt.Sprintf(`{"name":"a_%s","kind":%q,"many":true}`, field, field))
			filters = append(filters, fmt.Sprintf(`{"field":%q,"is":["$a_%s"]}`, field, field))
			if random.IntN(4) == 0 {
				continue // asked and not said: no filter
			}
			values["a_"+field] = some
		} else {
			filters = append(filters, fmt.Sprintf(`{"field":%q,"is":%s}`, field, db.JSON(some)))
		}
		o.filters[field] = some
	}
	sorts := []string{}
	if random.IntN(2) == 0 {
		sorts = append(sorts, "-"+o.measures[0])
	}
	return fmt.Sprintf(`{"subject":%q,"title":{"en":"x"},"measures":%s,"by":%s,"ask":[%s],"filter":[%s],"sort":%s,"total":true}`, o.subject, db.JSON(o.measures),
		db.JSON(o.by), strings.Join(asks, ","), strings.Join(filters, ","), db.JSON(sorts)), o, values
}

// key is a row as the oracle calls it.
func (w *world) key(o *oracle, shown *query.Result, row []any, at int) string {
	cells := []string{}
	for i, b := range o.by {
		text := ""
		if row[i] != nil {
			text = fmt.Sprint(row[i])
		}
		switch b {
		case "driver":
			text = shown.Drivers[at]
		case "tag":
			text = strings.TrimSuffix(text, "(none)")
		case "schema":
			text = map[string]string{"Standard": "1", "2": "2"}[text]
		default:
			if code, known := codes()[o.subject+" "+b+" "+text]; known {
				text = code
			}
		}
		cells = append(cells, text)
	}
	return strings.Join(cells, "|")
}

// codes are the values of the model by how English reports write them.
var codes = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, s := range query.Model(i18n.English) {
		for _, d := range s.Dimensions {
			for _, v := range d.Values {
				all[s.Key+" "+d.Key+" "+v.Title] = v.Key
			}
		}
	}
	return all
})

// 200 random definitions: what the screen shows page by page is what the file has, and both are the sums of the rows.
func TestScreenAndFile_AreTheSumsOfTheRows(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		random := rand.New(rand.NewPCG(7, uint64(testkit.Soak())))
		found := 0
		for n := range testkit.Times(200, 3000) {
			self, audience := "", query.ForPartner
			if n%5 == 0 {
				self, audience = w.drivers[random.IntN(21)].id, query.ForDriver
			}
			text, o, values := w.definition(random, self)
			want := o.groups()
			if w.compare(t, text, audience, o, want, values); t.Failed() {
				return
			}
			if len(want) > 1 {
				found++
			}
		}
		if found < 100 {
			t.Errorf("only %d reports show anything", found)
		}
	})
}

func (w *world) compare(t *testing.T, text string, audience query.Audience, o *oracle, want map[string][]int64, values map[string][]string) {
	t.Helper()
	d, err := query.Parse(text, audience)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	a := Asking{Audience: audience, Parameters: query.Parameters{From: o.from, To: o.to, Values: values}, Language: i18n.English, Driver: o.self, Size: 190}
	r := Report{Code: "x", Enabled: true, Audience: audience, Parsed: d}
	testkit.Read(t, w.DB, Scope("north"), func(tx *db.Tx) error {
		var all [][]any
		got := map[string][]int64{}
		for a.Page = 1; ; a.Page++ {
			shown, err := w.ask(tx, d, a, w.today(tx))
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			for i, row := range shown.Rows {
				key := w.key(o, shown.Result, row, i)
				if len(o.by) == 0 {
					key = "only"
				}
				if got[key] != nil {
					t.Errorf("%s: %s is there twice", text, key)
				}
				got[key] = numbers(row[len(o.by):])
			}
			all = append(all, shown.Rows...)
			got["totals"] = numbers(shown.Totals[len(o.by):])
			if shown.LeftOut == 0 {
				break
			}
		}
		if len(o.by) == 0 {
			want = map[string][]int64{"only": want["totals"], "totals": want["totals"]}
		}
		if !maps.EqualFunc(got, want, slices.Equal[[]int64]) {
			t.Errorf("%s from %s to %s with %v shows\n%v, not\n%v", text, o.from, o.to, values, got, want)
		}
		var file bytes.Buffer
		if _, err := w.write(tx, &r, a, CSV, &file, w.today(tx)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		w.sameFile(t, text, o, file.String(), append(all, append(make([]any, len(o.by)), asCells(got["totals"])...)))
		return nil
	})
}

func numbers(cells []any) []int64 {
	list := make([]int64, len(cells))
	for i, c := range cells {
		list[i] = c.(int64)
	}
	return list
}

func asCells(list []int64) []any {
	cells := make([]any, len(list))
	for i, n := range list {
		cells[i] = n
	}
	return cells
}

// sameFile compares the numbers of a file with those of the screen.
func (w *world) sameFile(t *testing.T, text string, o *oracle, file string, rows [][]any) {
	t.Helper()
	body, marked := strings.CutPrefix(file, "\ufeff")
	lines := csv.NewReader(strings.NewReader(body))
	lines.Comma = ';'
	cells, err := lines.ReadAll()
	if err != nil || !marked || len(cells) != len(rows)+1 {
		t.Fatalf("%s: %d lines for %d rows: %v", text, len(cells), len(rows), err)
	}
	for i, row := range rows {
		for j := len(o.by); j < len(row); j++ {
			cell := cells[i+1][j]
			if whole, cents, money := strings.Cut(cell, ","); money {
				cell = whole + cents
			}
			if n, err := strconv.ParseInt(cell, 10, 64); err != nil || n != row[j] {
				t.Errorf("%s: line %d has %q, the screen %v", text, i+2, cells[i+1][j], row[j])
			}
		}
	}
}
