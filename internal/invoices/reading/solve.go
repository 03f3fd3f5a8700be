package reading

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
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
	row                   bool // all in one row
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
	for _, m := range rateText.FindAllStringSubmatch(s.all, -1) {
		if n, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			found[n] = true
		}
	}
	standard, reduced := s.rates()
	for i, t := range s.toks { // without a sign of percent, below a head that speaks of rates
		for _, rate := range []int64{standard, reduced} {
			text := strconv.FormatInt(rate, 10)
			if !found[rate] && (t.raw == text || t.raw == text+",00" || t.raw == text+".00") && rateHead.MatchString(s.over(span{i, i + 1}, 60, true)) {
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
		if row >= 0 && a.row(s) == row {
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
	exempt := exemptText.MatchString(s.all)
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
		n += 0.5
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
			row = t.vatAt.row(s)
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
			t.row = s.oneRow(values, t)
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

// oneRow says whether net, VAT and gross stand beside each other somewhere.
func (s *sheet) oneRow(values map[int64][]*amount, t triple) bool {
	for _, n := range values[t.net] {
		for _, v := range values[t.vat] {
			for _, g := range values[t.gross] {
				if n.row(s) == v.row(s) && v.row(s) == g.row(s) {
					return true
				}
			}
		}
	}
	return false
}

// twoRates joins amounts of both rates to a total that is printed.
func (s *sheet) twoRates(values map[int64][]*amount, st, rt []triple, penalty func(int64) float64) (all []solution) {
	standard, reduced := s.rates()
	for _, a := range st {
		for _, b := range rt {
			total := a.gross + b.gross
			if len(values[total]) == 0 || a.vatAt == nil || b.vatAt == nil || a.vat == b.gross || b.vat == a.gross {
				continue
			}
			net, vat := a.net+b.net, a.vat+b.vat
			sol := solution{gross: total, net: net, standard: a.vat, reduced: b.vat, vatAt: a.vatAt, redAt: b.vatAt, rule: "two-rates"}
			sol.netAt = pick(values, net, asNet, -1, s)
			base := (a.base()+b.base())/2 + 0.5
			sol.sure = 0.95
			if sol.netAt != nil {
				base += 0.7
				sol.sure = 0.97
			}
			if len(values[vat]) > 0 {
				base += 0.7
				sol.sure = 0.97
			}
			sol.score = base + penalty(standard) + penalty(reduced) + s.grossScore(values, total, nil)
			all = append(all, sol)
		}
	}
	return all
}

// otherRates finds totals with VAT of a rate that no field holds, alone or beside the usual ones.
func (s *sheet) otherRates(list []int64, values map[int64][]*amount, printed map[int64]bool, st, rt []triple) (all []solution) {
	standard, reduced := s.rates()
	for rate := range printed {
		if rate == standard || rate == reduced || rate < 3 || rate > 27 {
			continue
		}
		for _, t := range s.triples(list, values, rate) {
			if t.vatAt == nil || t.printed() < 3 || asVAT(t.vatAt) <= 0 {
				continue
			}
			if t.grossAt != nil {
				sol := solution{gross: t.gross, net: t.net, netAt: t.netAt, other: true, rule: "other-rate", sure: 0.92}
				sol.score = t.base() - 0.5 + s.grossScore(values, t.gross, t.grossAt)
				all = append(all, sol)
			}
			for _, u := range append(slices.Clone(st), rt...) {
				if total := t.gross + u.gross; len(values[total]) > 0 && u.vatAt != nil && u.printed() == 3 {
					sol := solution{gross: total, net: t.net + u.net, other: true, rule: "other-rate", sure: 0.92}
					sol.netAt = pick(values, sol.net, asNet, -1, s)
					sol.score = (t.base()+u.base())/2 + s.grossScore(values, total, nil)
					all = append(all, sol)
				}
			}
		}
	}
	return all
}

// rowSums adds up rows that have net, VAT and gross each, where the total is printed as gross alone.
func (s *sheet) rowSums(list []int64, values map[int64][]*amount, st, rt []triple) (all []solution) {
	type item struct {
		net, vat, gross int64
		reduced         bool
	}
	rows := map[int]item{}
	for n, triples := range [][]triple{st, rt} {
		for _, t := range triples {
			if t.printed() < 3 {
				continue
			}
			for _, v := range values[t.vat] {
				row := v.row(s)
				if s.rowHas(values[t.net], row) && s.rowHas(values[t.gross], row) && !sumLabel.MatchString(s.rowText(row)) && t.gross > rows[row].gross {
					rows[row] = item{t.net, t.vat, t.gross, n == 1}
				}
			}
		}
	}
	if len(rows) < 2 {
		return nil
	}
	sol := solution{rule: "row-sums", sure: 0.93}
	for _, i := range rows {
		sol.gross, sol.net = sol.gross+i.gross, sol.net+i.net
		if i.reduced {
			sol.reduced += i.vat
		} else {
			sol.standard += i.vat
		}
	}
	at := pick(values, sol.gross, asGross, -1, s)
	if at == nil || asGross(at) <= 0 {
		return nil
	}
	sol.netAt = pick(values, sol.net, asNet, -1, s)
	sol.score = 5.5 + s.grossScore(values, sol.gross, at)
	return append(all, sol)
}

func (s *sheet) rowHas(all []*amount, row int) bool {
	return slices.ContainsFunc(all, func(a *amount) bool { return a.row(s) == row })
}

// rowText is what a row says in words.
func (s *sheet) rowText(row int) string {
	var words []string
	for i := s.rows[row][0]; i < s.rows[row][1]; i++ {
		if !s.toks[i].value {
			words = append(words, s.toks[i].norm)
		}
	}
	return strings.Join(words, " ")
}

// twoSums finds net + VAT + VAT = gross where the bases of the two rates are not printed: they must make up the net amount.
func (s *sheet) twoSums(list []int64, values map[int64][]*amount, penalty func(int64) float64) (all []solution) {
	standard, reduced := s.rates()
	var vats []int64
	for _, v := range list {
		if at := pick(values, v, asVAT, -1, s); v > 0 && asVAT(at) > 0 {
			vats = append(vats, v)
		}
	}
	for _, a := range vats {
		for _, b := range vats {
			if a == b {
				continue
			}
			for _, gross := range list {
				net := gross - a - b
				// a/standard + b/reduced = net, each rounded
				apart := 100*(a*reduced+b*standard) - net*standard*reduced
				if room := 60*(standard+reduced) + 100*standard; net <= a+b || apart > room || -apart > room {
					continue
				}
				netAt := pick(values, net, asNet, -1, s)
				at := pick(values, gross, asGross, -1, s)
				if asGross(at) <= 0 || netAt == nil && asGross(at) < 2 {
					continue
				}
				sol := solution{gross: gross, net: net, standard: a, reduced: b, netAt: netAt, rule: "two-sums", sure: 0.95,
					vatAt: pick(values, a, asVAT, -1, s), redAt: pick(values, b, asVAT, -1, s)}
				base := 4.0
				if netAt == nil {
					base, sol.sure = 3, 0.92
				}
				sol.score = base + penalty(standard) + penalty(reduced) + s.grossScore(values, gross, at)
				all = append(all, sol)
			}
		}
	}
	return all
}

// withoutVAT takes the amount that is labelled as the total, where the invoice says that it has no VAT; else that amount alone.
func (s *sheet) withoutVAT(list []int64, values map[int64][]*amount, exempt bool) (all []solution) {
	for _, gross := range list {
		label := 0.0
		var at *amount
		for _, a := range values[gross] {
			if n := asGross(a); at == nil || n > label {
				at, label = a, n
			}
		}
		if label < 1 || gross < 0 {
			continue
		}
		if exempt {
			sol := solution{gross: gross, net: gross, zero: gross, netAt: pick(values, gross, asNet, -1, s), zeroAt: at, sure: 0.92,
				rule: "exempt"}
			sol.score = 1.5 + s.grossScore(values, gross, at)
			all = append(all, sol)
		} else {
			sol := solution{gross: gross, net: -1, sure: 0.6, rule: "total-alone"}
			sol.score = s.grossScore(values, gross, at)
			all = append(all, sol)
		}
	}
	return all
}

// lineRate is a rate that stands in a row of items: with a percent sign, or alone in its column.
var lineRate = regexp.MustCompile(`^(\d{1,2})(?:[.,]0{1,2})?\s?%?$`)

// fromLines finds net + VAT = gross that is printed but rounded line by line, or whose VAT is of two rates and only the lines say how
// much is of which.
func (s *sheet) fromLines(list []int64, values map[int64][]*amount, penalty func(int64) float64) (all []solution) {
	standard, reduced := s.rates()
	printed := s.printedRates()
	nets := map[int64]int64{} // of the lines, by rate
	lines := 0
	for r := range s.rows {
		rate, ok := s.rateOf(r)
		if !ok {
			continue
		}
		if net, ok := s.lineNet(r, rate, values); ok {
			nets[rate] += net
			lines++
		}
	}
	for _, gross := range list {
		if gross < 0 {
			continue
		}
		for _, net := range list {
			vat := gross - net
			if net >= gross || net <= 0 || len(values[vat]) == 0 || vat >= net {
				continue
			}
			g, n, v := pick(values, gross, asGross, -1, s), pick(values, net, asNet, -1, s), pick(values, vat, asVAT, -1, s)
			labels := min(2, max(0, asGross(g))) + min(2, max(0, asNet(n))) + min(2, max(0, asVAT(v)))
			if labels < 3 {
				continue
			}
			sol := solution{gross: gross, net: net, netAt: n, rule: "lines", sure: 0.92}
			many := int64(10 * (max(lines, 2) + 1) / 2)
			switch {
			case printed[standard] && !printed[reduced] && rateFits(net, vat, standard, many):
				sol.standard, sol.vatAt = vat, v
			case printed[reduced] && !printed[standard] && rateFits(net, vat, reduced, many):
				sol.reduced, sol.redAt = vat, v
			case printed[standard] && printed[reduced] && nets[standard]+nets[reduced] == net && nets[reduced] > 0:
				sol.reduced = (nets[reduced]*reduced + 50) / 100
				sol.standard = vat - sol.reduced
				if !rateFits(nets[standard], sol.standard, standard, many) {
					continue
				}
				sol.sure = 0.85
			default:
				continue
			}
			sol.score = 3 + 0.3*labels + s.grossScore(values, gross, g)
			all = append(all, sol)
		}
	}
	return all
}

// rateOf is the only rate that stands in a row.
func (s *sheet) rateOf(row int) (rate int64, ok bool) {
	standard, reduced := s.rates()
	for i := s.rows[row][0]; i < s.rows[row][1]; i++ {
		m := lineRate.FindStringSubmatch(strings.ReplaceAll(s.toks[i].raw, " ", ""))
		if m == nil {
			continue
		}
		n, err := strconv.ParseInt(m[1], 10, 64)
		percent := strings.HasSuffix(s.toks[i].raw, "%") || i+1 < s.rows[row][1] && s.toks[i+1].raw == "%"
		if err != nil || n != standard && n != reduced || !percent {
			continue
		}
		if ok && n != rate {
			return 0, false
		}
		rate, ok = n, true
	}
	return rate, ok
}

// lineNet is the net amount of a row of items: the one whose head says so, else the last.
func (s *sheet) lineNet(row int, rate int64, values map[int64][]*amount) (int64, bool) {
	var last, labelled *amount
	for _, all := range values {
		for _, a := range all {
			if a.row(s) != row || a.part {
				continue
			}
			if last == nil || a.from > last.from {
				last = a
			}
			if a.net > 0 && (labelled == nil || a.from > labelled.from) {
				labelled = a
			}
		}
	}
	if labelled != nil {
		return labelled.minor, true
	}
	if last != nil {
		return last.minor, true
	}
	return 0, false
}
