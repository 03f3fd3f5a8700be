package reading

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

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
				row := v.Row(s.Sheet)
				whole := s.rowHas(values[t.net], row) && s.rowHas(values[t.gross], row)
				if whole && t.gross > rows[row].gross && !sumLabel.MatchString(s.rowText(row)) {
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
	return slices.ContainsFunc(all, func(a *amount) bool { return a.Row(s.Sheet) == row })
}

// rowText is what a row says in words.
func (s *sheet) rowText(row int) string {
	var words []string
	for i := s.Rows[row].From; i < s.Rows[row].To; i++ {
		if !s.Tokens[i].Value {
			words = append(words, s.Tokens[i].Norm)
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
				base := 5.5 // four amounts that are printed fit together
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
			if rate := s.onlyRate(); rate > 0 && label >= 2 && includedText.MatchString(s.All) {
				vat := (gross*rate*2 + 100 + rate) / (2 * (100 + rate)) // rounded
				sol.net, sol.sure, sol.rule = gross-vat, 0.85, "included"
				if standard, _ := s.rates(); rate == standard {
					sol.standard = vat
				} else {
					sol.reduced = vat
				}
				sol.score += 0.5
				all = append(all, sol)
			}
		}
	}
	return all
}

var includedText = regexp.MustCompile(`enthalt|enthielt|inkl|incl|w\s*tym|zawiera|darin`)

// onlyRate is the rate where one alone is printed, or 0.
func (s *sheet) onlyRate() (rate int64) {
	standard, reduced := s.rates()
	for n := range s.printedRates() {
		switch {
		case n != standard && n != reduced:
		case rate != 0:
			return 0
		default:
			rate = n
		}
	}
	return rate
}

// lineRate is a rate that stands in a row of items: with a percent sign, or alone in its column.
var lineRate = regexp.MustCompile(`^(\d{1,2})(?:[.,]0{1,2})?\s?%?$`)

// fromLines finds net + VAT = gross that is printed but rounded line by line, or whose VAT is of two rates and only the lines say how
// much is of which.
func (s *sheet) fromLines(list []int64, values map[int64][]*amount, penalty func(int64) float64) (all []solution) {
	standard, reduced := s.rates()
	printed := s.printedRates()
	exempt := exemptText.MatchString(s.All)
	nets := map[int64]int64{} // of the lines, by rate
	lines := 0
	for r := range s.Rows {
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
			case exempt && printed[standard] != printed[reduced] && 100*vat < net*max(standard, reduced):
				// a part of the net amount has no VAT, and only the lines say which
				sol.sure, sol.rule = 0.91, "lines-with-exempt"
				if printed[standard] {
					sol.standard, sol.vatAt = vat, v
				} else {
					sol.reduced, sol.redAt = vat, v
				}
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
	for i := s.Rows[row].From; i < s.Rows[row].To; i++ {
		m := lineRate.FindStringSubmatch(strings.ReplaceAll(s.Tokens[i].Raw, " ", ""))
		if m == nil {
			continue
		}
		n, err := strconv.ParseInt(m[1], 10, 64)
		percent := strings.HasSuffix(s.Tokens[i].Raw, "%") || i+1 < s.Rows[row].To && s.Tokens[i+1].Raw == "%"
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
			if a.Row(s.Sheet) != row || a.part {
				continue
			}
			if last == nil || a.From > last.From {
				last = a
			}
			if a.net > 0 && (labelled == nil || a.From > labelled.From) {
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
