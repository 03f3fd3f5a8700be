package reading

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"

	"saldo/internal/invoices/layout"
)

// rates are the two rates of a country that a settlement knows, in percent.
func (s *sheet) rates() (standard, reduced int64) {
	if s.german() {
		return 19, 7
	}
	return 23, 8
}

// solution is a way in which amounts of the page make up the invoice.
type solution struct {
	gross, net          int64
	standard, reduced   int64 // VAT
	zero                int64 // without VAT
	other               bool  // has VAT of a rate that no field holds
	score, sure         float64
	rule                string
	netAt, vatAt, redAt *amount
	zeroAt              *amount
}

// triple is an amount with its VAT: net + VAT = gross, and VAT is the rate's share.
type triple struct {
	net, vat, gross       int64
	netAt, vatAt, grossAt *amount
	rate                  int64
	row                   bool    // all in one row
	rowLabel              float64 // what says there that it is the total
}

func (t triple) printed() int {
	n := 0
	for _, a := range []*amount{t.netAt, t.vatAt, t.grossAt} {
		if a != nil {
			n++
		}
	}
	return n
}

var (
	rateText   = regexp.MustCompile(`(?:^|[^\d.,])(\d{1,2})(?:[.,]0{1,2})?\s?%`)
	exemptText = regexp.MustCompile(`\bzw\b|\bzw\.|zwoln|\bnp\b|nie\s*podlega|steuerfrei|umsatzsteuerbefreit|kleinunternehmer|§\s*19|` +
		`§\s*4\b|ohne\s*umsatzsteuer|` +
		`\b0\s*%|0[.,]00\s*%|befreit|differenzbesteuer|reverse|odwrotne|nicht\s*steuerbar|durchlaufend|bez\s*vat`)
	reverseText = regexp.MustCompile(`reverse\s*-?\s*charge|odwrotne\s*obciaz|steuerschuldnerschaft|oo\b.*odwrot`)
	marginText  = regexp.MustCompile(`procedura\s*marzy|differenzbesteuerung|vat\s*-?\s*marza|§\s*25\s*a`)
)

// printedRates are the rates that stand anywhere.
func (s *sheet) printedRates() map[int64]bool {
	found := map[int64]bool{}
	for _, m := range rateText.FindAllStringSubmatch(s.All, -1) {
		if n, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			found[n] = true
		}
	}
	standard, reduced := s.rates()
	for i, t := range s.Tokens { // without a sign of percent, below a head that speaks of rates
		for _, rate := range []int64{standard, reduced} {
			text := strconv.FormatInt(rate, 10)
			bare := t.Raw == text || t.Raw == text+",00" || t.Raw == text+".00"
			if !found[rate] && bare && rateHead.MatchString(s.Over(layout.Between(i, i+1), 60, true)) {
				found[rate] = true
			}
		}
	}
	return found
}

var rateHead = regexp.MustCompile(`%|stawka|\bst\.|satz|\bvat\b|\bust\b|mwst|\bptu\b`)

// close says whether VAT is the rate's share of a net amount, with that many tenths of a minor unit of difference.
func rateFits(net, vat, rate, tenths int64) bool {
	d := 100*vat - rate*net
	return 10*d <= 100*tenths && -10*d <= 100*tenths
}

// pick is the occurrence of a value that its labels fit best; in a row where one is wanted.
func pick(all map[int64][]*amount, value int64, label func(*amount) float64, row int, s *sheet) *amount {
	var best *amount
	most := math.Inf(-1)
	for _, a := range all[value] {
		n := label(a)
		if row >= 0 && a.Row(s.Sheet) == row {
			n += 0.7
		}
		if n > most {
			best, most = a, n
		}
	}
	return best
}

func asNet(a *amount) float64   { return a.net - 0.5*a.gross - 0.5*a.vat }
func asVAT(a *amount) float64   { return a.vat - 0.5*a.gross - 0.5*a.net }
func asGross(a *amount) float64 { return a.gross - 0.5*a.net - 0.5*a.vat }

// solve finds the solutions, best first.
func (s *sheet) solve(found []amount) []solution {
	values := map[int64][]*amount{}
	for i := range found {
		if a := &found[i]; a.minor != 0 && a.minor < 100_000_000_00 && a.minor > -100_000_000_00 {
			values[a.minor] = append(values[a.minor], a)
		}
	}
	list := make([]int64, 0, len(values))
	for v := range values {
		list = append(list, v)
	}
	slices.Sort(list)
	if len(list) > 160 {
		list = list[len(list)-160:] // the largest: sums are among them
	}
	standard, reduced := s.rates()
	printed := s.printedRates()
	exempt := exemptText.MatchString(s.All)
	st, rt := s.triples(list, values, standard), s.triples(list, values, reduced)
	var all []solution
	add := func(sol solution, base float64, at *amount) {
		sol.score = base + s.grossScore(values, sol.gross, at)
		all = append(all, sol)
	}
	penalty := func(rate int64) float64 {
		if printed[rate] {
			return 0
		}
		if len(printed) == 0 {
			return -0.5
		}
		return -1.5
	}
	for _, one := range []struct {
		triples []triple
		rate    int64
	}{{st, standard}, {rt, reduced}} {
		for _, t := range one.triples {
			sol := solution{gross: t.gross, net: t.net, rule: "one-rate", netAt: t.netAt}
			if one.rate == standard {
				sol.standard, sol.vatAt = t.vat, t.vatAt
			} else {
				sol.reduced, sol.redAt = t.vat, t.vatAt
			}
			sol.sure = map[int]float64{3: 0.985, 2: 0.95}[t.printed()]
			if t.grossAt != nil {
				add(sol, t.base()+penalty(one.rate), t.grossAt)
			}
			if exempt { // beside amounts without VAT
				for _, z := range list {
					if total := t.gross + z; z > 0 && len(values[total]) > 0 && t.vatAt != nil {
						with := sol
						with.gross, with.zero, with.net = total, z, t.net+z
						with.zeroAt = pick(values, z, asNet, -1, s)
						if at := pick(values, with.net, asNet, -1, s); at != nil {
							with.netAt = at
						}
						with.sure, with.rule = 0.93, "with-exempt"
						add(with, t.base()-0.8+penalty(one.rate), pick(values, total, asGross, -1, s))
					}
				}
			}
		}
	}
	all = append(all, s.twoRates(values, st, rt, penalty)...)
	all = append(all, s.otherRates(list, values, printed, st, rt)...)
	all = append(all, s.rowSums(list, values, st, rt)...)
	all = append(all, s.twoSums(list, values, penalty)...)
	all = append(all, s.fromLines(list, values, penalty)...)
	if len(all) == 0 || exempt {
		all = append(all, s.withoutVAT(list, values, exempt)...)
	}
	if len(all) > 0 {
		most := slices.MaxFunc(all, func(a, b solution) int { return cmp.Compare(a.gross, b.gross) }).gross
		for i := range all {
			if most > 0 {
				all[i].score += 2 * float64(all[i].gross) / float64(most)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b solution) int { return cmp.Compare(b.score, a.score) })
	return all
}

// base is how much a triple is worth: all three printed is nearly a proof, more so in one row.
func (t triple) base() float64 {
	n := map[int]float64{3: 5, 2: 3.2}[t.printed()]
	if t.row {
		n += 0.5 + 0.15*t.rowLabel
	}
	if t.netAt != nil {
		n += 0.3 * min(2, max(0, asNet(t.netAt)))
	}
	if t.vatAt != nil {
		n += 0.3 * min(2, max(0, asVAT(t.vatAt)))
	}
	return n
}

// grossScore weighs an amount as the total: its label and how often it is printed.
func (s *sheet) grossScore(values map[int64][]*amount, gross int64, at *amount) float64 {
	n := 0.0
	for _, a := range values[gross] {
		n = max(n, asGross(a))
	}
	if at != nil && at.part {
		n -= 1.5
	}
	return n + 0.3*float64(min(len(values[gross])-1, 3))
}

// triples are the amounts of which one is the rate's share of another. Two of three must be printed.
func (s *sheet) triples(list []int64, values map[int64][]*amount, rate int64) (found []triple) {
	seen := map[[2]int64]bool{}
	add := func(net, vat int64, netThere, vatThere bool) {
		if seen[[2]int64{net, vat}] {
			return
		}
		t := triple{net: net, vat: vat, gross: net + vat, rate: rate}
		row := -1
		if vatThere {
			t.vatAt = pick(values, vat, asVAT, -1, s)
			row = t.vatAt.Row(s.Sheet)
		}
		t.grossAt = pick(values, t.gross, asGross, row, s)
		if netThere {
			t.netAt = pick(values, net, asNet, row, s)
		}
		if t.printed() < 2 {
			return
		}
		seen[[2]int64{net, vat}] = true
		if t.printed() == 3 {
			t.row, t.rowLabel = s.oneRow(values, t)
		}
		found = append(found, t)
	}
	for _, net := range list {
		if net < 0 {
			continue
		}
		exact := net * rate
		low, high := (exact-150)/100, (exact+150)/100+1
		for vat := max(low, 1); vat <= high; vat++ {
			if len(values[vat]) > 0 && rateFits(net, vat, rate, tolerance(net)) {
				add(net, vat, true, true)
			}
		}
		gross := net + (exact+50)/100 // net and gross printed, VAT not
		for d := int64(-1); d <= 1; d++ {
			if len(values[gross+d]) > 0 && gross+d > net && rateFits(net, gross+d-net, rate, 10) {
				add(net, gross+d-net, true, len(values[gross+d-net]) > 0)
			}
		}
		// this one is gross, and its VAT is printed
		share := (net*rate*2 + (100 + rate)) / (2 * (100 + rate))
		for d := int64(-1); d <= 1; d++ {
			vat := share + d
			if vat > 0 && vat < net && len(values[vat]) > 0 && rateFits(net-vat, vat, rate, 10) {
				add(net-vat, vat, len(values[net-vat]) > 0, true)
			}
		}
	}
	return found
}

func tolerance(net int64) int64 {
	if net < 10_00 {
		return 10
	}
	return 15
}

// oneRow says whether net, VAT and gross stand beside each other somewhere, and how much that row looks like the total.
func (s *sheet) oneRow(values map[int64][]*amount, t triple) (found bool, label float64) {
	for _, n := range values[t.net] {
		for _, v := range values[t.vat] {
			for _, g := range values[t.gross] {
				if n.Row(s.Sheet) == v.Row(s.Sheet) && v.Row(s.Sheet) == g.Row(s.Sheet) {
					found, label = true, max(label, asGross(g))
				}
			}
		}
	}
	return found, label
}
