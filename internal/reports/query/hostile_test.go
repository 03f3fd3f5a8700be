package query

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"saldo/internal/kernel/fault"
	"saldo/internal/testkit"
)

const good = `{"subject":"settlements","title":{"pl":"Wypłaty"},"measures":["count","payout"],"by":["week","tag"],
	"filter":[{"field":"state","is":["paid"]},{"field":"tag","is":["$tag"]}],
	"ask":[{"name":"from","kind":"day"},{"name":"to","kind":"day"},{"name":"tag","kind":"tag","many":true}],
	"sort":["-payout"],"limit":5000,"total":true,"columns":{"payout":{"title":{"pl":"Do wypłaty"}}}}`

// Each is refused, with the place.
func TestDefinitions_AreRefusedWithThePlace(t *testing.T) {
	replaced := func(old, now string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("there is no %s", old)
		}
		return strings.Replace(good, old, now, 1)
	}
	cases := []struct {
		text, place string
		code        fault.FieldCode
	}{
		{``, "$0", fault.WrongFormat}, {`[]`, "$", fault.WrongType}, {`null`, "$", fault.WrongType}, {`"x"`, "$", fault.WrongType}, {`{}`, "subject", fault.Required},
		{good + `{}`, "$", fault.WrongFormat}, {good[:len(good)-1], "$", fault.WrongFormat}, {`{"a" 1}`, "$", fault.WrongFormat}, {"{\"subject\":\"a\xff\"}", "$", fault.WrongFormat},
		{replaced(`"subject":"settlements"`, `"subject":"settlements; DROP TABLE settlements"`), "subject", fault.Unknown},
		{replaced(`"subject":"settlements"`, `"subject":"members"`), "subject", fault.Unknown},
		{replaced(`"subject":"settlements"`, `"subject":7`), "subject", fault.WrongType},
		{replaced(`"subject":"settlements"`, `"subject":"settlements","subject":"drivers"`), "subject", fault.Duplicate},
		{replaced(`{"pl":"Wypłaty"}`, `{}`), "title", fault.Required}, {replaced(`{"pl":"Wypłaty"}`, `{"fr":"x"}`), "title.fr", fault.Unknown},
		{replaced(`{"pl":"Wypłaty"}`, `{"pl":"`+strings.Repeat("x", 121)+`"}`), "title.pl", fault.TooLong},
		{replaced(`{"pl":"Wypłaty"}`, `{"pl":"a\u0000b"}`), "title.pl", fault.WrongFormat},
		{replaced(`{"pl":"Wypłaty"}`, `{"pl":"x","pl":"y"}`), "title.pl", fault.Duplicate},
		{replaced(`["count","payout"]`, `[]`), "measures", fault.Required}, {replaced(`["count","payout"]`, `["SUM(payout)"]`), "measures[0]", fault.Unknown},
		{replaced(`["count","payout"]`, `["count","payout","count"]`), "measures[2]", fault.Duplicate},
		{replaced(`["count","payout"]`, `["count","payout","iban_sealed"]`), "measures[2]", fault.Unknown},
		{replaced(`["count","payout"]`, `["change:payout"]`), "measures[0]", fault.NotOneOf}, {replaced(`["count","payout"]`, `["avg:payout"]`), "measures[0]", fault.Unknown},
		{replaced(`["count","payout"]`, `["share:drivers"]`), "measures[0]", fault.NotOneOf}, {replaced(`["count","payout"]`, `"count"`), "measures", fault.WrongType},
		{replaced(`["count","payout"]`, `["`+strings.Join([]string{"count", "drivers", "revenue", "fee", "payout", "income", "bonus", "tips", "costs", "credits", "earned", "provision",
			"fuelCost"}, `","`)+`"]`), "measures[12]", fault.TooBig},
		{replaced(`["week","tag"]`, `["tenant_id"]`), "by[0]", fault.Unknown}, {replaced(`["week","tag"]`, `["week","week"]`), "by[1]", fault.Duplicate},
		{replaced(`["week","tag"]`, `["week","tag","driver","month","day"]`), "by[4]", fault.TooBig}, {replaced(`["week","tag"]`, `["week) UNION SELECT"]`), "by[0]", fault.Unknown},
		{replaced(`"limit":5000`, `"limit":1000000`), "limit", fault.TooBig}, {replaced(`"limit":5000`, `"limit":0`), "limit", fault.TooSmall},
		{replaced(`"limit":5000`, `"limit":"5000; DROP"`), "limit", fault.WrongType}, {replaced(`"limit":5000`, `"limit":1e99`), "limit", fault.WrongFormat},
		{replaced(`"limit":5000`, `"where":"1=1"`), "where", fault.Unknown}, {replaced(`"sort":["-payout"]`, `"sort":["payout; DROP"]`), "sort[0]", fault.Unknown},
		{replaced(`"sort":["-payout"]`, `"sort":["-payout","payout"]`), "sort[1]", fault.Duplicate}, {replaced(`"total":true`, `"total":"yes"`), "total", fault.WrongType},
		{replaced(`{"field":"state","is":["paid"]}`, `{"field":"tenant_id","is":["south"]}`), "filter[0].field", fault.Unknown},
		{replaced(`{"field":"state","is":["paid"]}`, `{"field":"state","is":["revoked"]}`), "filter[0].is[0]", fault.NotOneOf},
		{replaced(`{"field":"state","is":["paid"]}`, `{"field":"state","is":[]}`), "filter[0].is", fault.Required},
		{replaced(`{"field":"state","is":["paid"]}`, `{"field":"state","is":["paid"],"or":1}`), "filter[0].or", fault.Unknown},
		{replaced(`{"field":"state","is":["paid"]}`, `{"field":"week","is":["x"]}`), "filter[0].field", fault.NotOneOf},
		{replaced(`{"field":"state","is":["paid"]}`, `{"is":["paid"]}`), "filter[0].field", fault.Required},
		{replaced(`"is":["$tag"]`, `"is":["$from"]`), "filter[1].is[0]", fault.NotOneOf}, {replaced(`"is":["$tag"]`, `"is":["$nobody"]`), "filter[1].is[0]", fault.Unknown},
		{replaced(`"is":["$tag"]`, `"is":["`+strings.Repeat("x", 65)+`"]`), "filter[1].is[0]", fault.TooLong},
		{replaced(`{"name":"from","kind":"day"},`, ``), "ask", fault.Required}, {replaced(`"name":"from"`, `"name":"from day"`), "ask[0].name", fault.WrongFormat},
		{replaced(`"kind":"tag"`, `"kind":"day"`), "ask[2].kind", fault.NotOneOf}, {replaced(`"name":"to"`, `"name":"from"`), "ask[1].name", fault.Duplicate},
		{replaced(`"kind":"tag","many":true`, `"kind":"tag","many":1`), "ask[2].many", fault.WrongType}, {replaced(`"is":["$tag"]`, `"is":["x"]`), "filter", fault.Required},
		{replaced(`"columns":{"payout":`, `"columns":{"fee":`), "columns.fee", fault.Unknown},
		{replaced(`{"title":{"pl":"Do wypłaty"}}`, `{}`), "columns.payout.title", fault.Required}, {strings.Repeat("[", 5000), strings.Repeat("[0]", 9), fault.TooBig},
		{`{"title":` + strings.Repeat(`{"pl":`, 20) + `1` + strings.Repeat("}", 21), "title" + strings.Repeat(".pl", 8), fault.TooBig}, {`"` + strings.Repeat("x", bytesMost) + `"`, "$", fault.TooBig},
	}
	for _, c := range cases {
		_, err := Parse(c.text, ForPartner)
		var r *Refusal
		if !errors.As(err, &r) || r.Code != c.code || r.Place != c.place && (c.code != fault.WrongFormat || !strings.HasPrefix(r.Place, "$")) {
			t.Errorf("%.200s: %v, not %s at %s", c.text, err, c.code, c.place)
		}
	}
	for _, c := range []struct{ text, place string }{{strings.Replace(good, `"settlements"`, `"licences"`, 1), "subject"}, {good, "by[1]"},
		{strings.Replace(good, `["week","tag"]`, `["schema"]`, 1), "by[0]"}, {strings.Replace(good, `["count","payout"]`, `["earned"]`, 1), "by[1]"}} {
		var r *Refusal
		if _, err := Parse(c.text, ForDriver); !errors.As(err, &r) || r.Place != c.place {
			t.Errorf("for drivers: %v, not at %s", err, c.place)
		}
	}
	if _, err := Parse(good, ForPartner); err != nil {
		t.Error(err)
	}
}

var words = regexp.MustCompile(`"[^"]*"|[0-9]+|true`)

// 300 definitions and more, in which something stands that should not: each is refused at a place of its own, or makes a statement of
// fixed texts alone, in which nothing of what was written stands.
func TestHostileDefinitions_AreRefusedOrHarmless(t *testing.T) {
	random := rand.New(rand.NewPCG(11, uint64(testkit.Soak())))
	evil := []string{`"' OR '1'='1"`, `"x'; DROP TABLE settlements; --"`, `"south-d01"`, `"payout\") UNION SELECT iban_sealed FROM drivers --"`, `"$1"`, `"tenant_id"`, `"s.tenant_id"`,
		`"{json_number s.figures x}"`, `"{skip_locked}"`, `"\u202epayout"`, `"count\u0000"`, `1000000`, `99999999999999999999`, `-1`, `null`, `true`, `{}`, `[]`, `[["count"]]`, `{"$ne":1}`,
		`"` + strings.Repeat("A", 3000) + `"`, `"share:share:payout"`, `"change:"`, `":"`, `"-"`, `"--payout"`, `"%"`, `"_"`, `""`, `" "`, `"PAYOUT"`, `"раyout"`, `"$tag"`, `"$"`, `1.5`, `"1e309"`}
	refused, harmless := 0, 0
	for range testkit.Times(600, 20_000) {
		text := good
		for range 1 + random.IntN(2) {
			places := words.FindAllStringIndex(text, -1)
			at := places[random.IntN(len(places))]
			text = text[:at[0]] + evil[random.IntN(len(evil))] + text[at[1]:]
		}
		d, err := Parse(text, ForPartner)
		var r *Refusal
		if err != nil {
			if !errors.As(err, &r) || r.Place == "" || r.Code == "" || len(r.Found) > 4*foundMost+3 {
				t.Fatalf("%s: %v", text, err)
			}
			refused++
			continue
		}
		harmless++
		q := Question{From: "2026-01-01", To: "2026-02-01", Values: map[string][]string{"tag": {`' OR '1'='1`}}, Currency: "PLN", Limit: 10}
		for _, totals := range []bool{false, true} {
			s := d.compile(q, totals)
			for _, word := range []string{"DROP", "UNION", "OR '1'", "south", "iban", "--", ";"} {
				if strings.Contains(s.text, word) {
					t.Fatalf("%s makes %s", text, s.text)
				}
			}
			if !strings.Contains(s.text, `tenant_id = $1`) || len(s.args)+1 < strings.Count(s.text, "$")-strings.Count(s.text, "$1 ") {
				t.Fatalf("%s makes %s with %v", text, s.text, s.args)
			}
		}
	}
	if refused < 300 || harmless < 5 {
		t.Errorf("%d are refused, %d harmless", refused, harmless)
	}
}

// Whatever a definition names, its statement is of the same few fragments: nothing that somebody wrote is in it.
func TestStatements_HaveWhatWasWrittenAsArgumentsAlone(t *testing.T) {
	text := strings.Replace(strings.Replace(good, `"is":["$tag"]`, `"is":["MARK'1","MARK2"]`, 1), `,{"name":"tag","kind":"tag","many":true}`, ``, 1)
	d, err := Parse(strings.Replace(text, "Wypłaty", "MARK", 1), ForPartner)
	if err != nil {
		t.Fatal(err)
	}
	s := d.compile(Question{From: "MARK3", To: "MARK4", Currency: "PLN"}, false)
	if strings.Contains(s.text, "MARK") {
		t.Error(s.text)
	}
	for _, want := range []string{"MARK'1", "MARK2", "MARK3", "MARK4"} {
		if !slices.Contains(s.args, any(want)) {
			t.Errorf("%v lack %s", s.args, want)
		}
	}
	for n := range s.args {
		if !strings.Contains(s.text, fmt.Sprintf("$%d", n+2)) {
			t.Errorf("$%d is not used", n+2)
		}
	}
}

func TestTenths_AreRoundedFromWholeNumbers(t *testing.T) {
	for _, c := range []struct {
		part, whole int64
		want        any
	}{{1, 3, int64(333)}, {2, 3, int64(667)}, {-2, 3, int64(-667)}, {2, -3, int64(667)}, {1, 2000, int64(1)}, {1, 2001, int64(0)}, {-1, 2000, int64(-1)}, {5, 0, nil},
		{9_000_000_000_000_000_000, 9_000_000_000_000_000_000, int64(1000)}, {9_000_000_000_000_000_000, 1, nil}} {
		if got := tenths(big.NewInt(c.part), c.whole); got != c.want {
			t.Errorf("%d of %d: %v, not %v", c.part, c.whole, got, c.want)
		}
	}
}
