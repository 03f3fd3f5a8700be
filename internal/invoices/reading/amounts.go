package reading

import (
	"regexp"
	"strconv"
	"strings"

	"saldo/internal/invoices/layout"
)

// amount is an amount of money on the page.
type amount struct {
	layout.Span
	minor           int64
	gross, net, vat float64 // what labels say
	top             float64
	whole           bool // without decimals
	part            bool // the tail of a longer amount: only where that fits nowhere
}

var (
	amountWord = regexp.MustCompile(`^[*=~(|]*([-+]?)(\d{1,3}(?:[.' ]\d{3})+|\d{1,7}|\d{1,3}(?:,\d{3})+)[.,](\d{2})(-?)[*|` +
		`)A-Ga-g]*[.,;]?$`)
	dashWord   = regexp.MustCompile(`^(\d{1,3}(?:[.' ]\d{3})*|\d{1,7}),[-–]{1,2}$`)
	wholeWord  = regexp.MustCompile(`^\d{1,6}$`)
	leadGroup  = regexp.MustCompile(`^[-+]?\d{1,3}$`)
	midGroup   = regexp.MustCompile(`^\d{3}$`)
	tailGroup  = regexp.MustCompile(`^\d{3}[.,]\d{2}-?$`)
	signWord   = regexp.MustCompile(`^[-–−]$`)
	moneySigns = strings.NewReplacer("€", "", "$", "", "EUR", "", "PLN", "", "zł", "", "Zł", "", "ZŁ", "", "zl", "", "−", "-", "–",
		"-", "\u00a0", " ", "’", "'")
)

// minorOf reads an amount with two decimals as minor units.
func minorOf(text string) (int64, bool) {
	text = strings.TrimSpace(moneySigns.Replace(text))
	if m := dashWord.FindStringSubmatch(text); m != nil {
		return digitsToMinor(m[1], "00", false)
	}
	m := amountWord.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	return digitsToMinor(m[2], m[3], m[1] == "-" || m[4] == "-")
}

func digitsToMinor(whole, decimals string, negative bool) (int64, bool) {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, whole) + decimals
	minor, err := strconv.ParseInt(digits, 10, 64)
	if negative {
		minor = -minor
	}
	return minor, err == nil
}

// amounts finds all amounts and marks them.
func (s *sheet) amounts() (found []amount) {
	add := func(p layout.Span, minor int64, part bool) {
		found = append(found, amount{Span: p, minor: minor, part: part, top: float64(s.Tokens[p.From].Page) + s.Tokens[p.From].Box.Y0})
	}
	for i := 0; i < len(s.Tokens); i++ {
		if s.Tokens[i].Value {
			continue
		}
		end := s.Cells[s.Tokens[i].Cell].To
		// groups of thousands with blanks between them
		if leadGroup.MatchString(s.Tokens[i].Raw) {
			to := i + 1
			for to < end && s.closeAmount(to) && midGroup.MatchString(s.Tokens[to].Raw) {
				to++
			}
			if to < end && s.closeAmount(to) && tailGroup.MatchString(moneySigns.Replace(s.Tokens[to].Raw)) {
				p := layout.Between(i, to+1)
				if minor, ok := minorOf(s.Raw(p)); ok {
					add(p, minor, false)
					if tail, ok := minorOf(s.Tokens[to].Raw); ok {
						add(layout.Between(to, to+1), tail, true)
					}
					s.Mark(p)
					i = to
					continue
				}
			}
		}
		if minor, ok := minorOf(s.Tokens[i].Raw); ok && !s.isRate(i, end) {
			if i > s.Cells[s.Tokens[i].Cell].From && signWord.MatchString(s.Tokens[i-1].Raw) && minor > 0 && s.closeAmount(i) {
				minor = -minor
			}
			add(layout.Between(i, i+1), minor, false)
			s.Mark(layout.Between(i, i+1))
			continue
		}
		if wholeWord.MatchString(s.Tokens[i].Raw) && (i+1 < end && layout.UnitWord.MatchString(s.Tokens[i+1].Norm)) && s.closeAmount(i+1) {
			if minor, ok := digitsToMinor(s.Tokens[i].Raw, "00", false); ok {
				add(layout.Between(i, i+1), minor, false)
				found[len(found)-1].whole = true
				s.Mark(layout.Between(i, i+1))
			}
		}
	}
	for i := range found {
		s.weigh(&found[i])
	}
	return found
}

func (s *sheet) closeAmount(i int) bool {
	return s.Tokens[i].X0-s.Tokens[i-1].X1 < 0.65*s.Tokens[i].Height()
}

// isRate says whether a number with decimals is a rate: 19,00 %.
func (s *sheet) isRate(i, end int) bool {
	return strings.HasSuffix(s.Tokens[i].Raw, "%") || i+1 < end && strings.HasPrefix(s.Tokens[i+1].Raw, "%")
}

// The labels of amounts.
var (
	payLabel = regexp.MustCompile(`do\s*zaplaty|naleznosc|naleznosci\s*ogolem|gesamtbetrag|rechnungsbetrag|bruttobetrag|endbetrag|` +
		`zu\s*zahlen|zahlbetrag|` +
		`rechnungssumme|gesamtsumme|endsumme|brutto\s*(?:razem|gesamt|summe)|(?:suma|razem|wartosc|kwota|summe|gesamt|total)\s*brutto|` +
		`rechnungs-?endbetrag|` +
		`amount\s*due|total\s*due|grand\s*total|zaplacono|kwota\s*faktury|zahlungsbetrag|gesamtpreis|fakturabetrag|faellig|` +
		`falliger\s*betrag|` +
		`gesamt\s*inkl|summe\s*inkl|gesamt\s*\(?brutto|do\s*zaplacenia`)
	sumLabel = regexp.MustCompile(`razem|suma|ogolem|lacznie|summe|gesamt|total|brutto|\bsum\b|wartosc\s*z\s*vat|inkl\.?\s*(?:mwst|` +
		`ust)|betrag`)
	paidLabel = regexp.MustCompile(`karta|gotowka|przelew|kartenzahlung|\bbar\b|ec-?karte|girocard`)
	netLabel  = regexp.MustCompile(`netto|zwischensumme|\bnet\b|podstawa|bemessung|warenwert|exkl|ohne\s*(?:mwst|ust)|bez\s*vat|` +
		`steuerbasis|auf\s*:?$|` +
		`(?:ust|mwst|vat)\.?\s*(?:auf|von|od)\s*:?$|steuerbetrag\s*auf`)
	vatWordOf = regexp.MustCompile(`\bvat\b|\bptu\b|mwst|\bust\b|\bust\.|umsatzsteuer|mehrwertsteuer|podat|steuer|\btax\b|m\.?w\.?st|` +
		`u\.?st\.`)
	grossWord = regexp.MustCompile(`brutto|inkl|z\s*vat`)
	notTotal  = regexp.MustCompile(`pozosta|rabat|cena|einzelpreis|reszta|gegeben|ruckgeld|saldo|poprzedn|zaliczk|kaucj|pfand|upust|` +
		`nachlas|rest\b|jedn|e-?preis|` +
		`stuckpreis|zaleg|przedplat|anzahlung|offen|wplat|kapital|grundpreis|otrzyman|erhalten|gesamtkapital|skonto`)
)

// weigh notes what the texts around an amount say: its row, what stands right before it, and the head of its column.
func (s *sheet) weigh(a *amount) {
	row := s.Before(a.Span)
	direct := true
	if strings.Trim(row, " :.-=*") == "" || layout.UnitWord.MatchString(strings.TrimSpace(row)) {
		row = s.Left(a.Span, true) + " " + row
		direct = s.aloneInRow(a.Span)
	}
	head := s.Over(a.Span, 60, true)
	near := strings.TrimSpace(row)
	rowVAT, rowNet := lastIn(vatWordOf, near), lastIn(netLabel, near)
	pay, sum := payLabel.MatchString(near), sumLabel.MatchString(near)
	switch {
	case notTotal.MatchString(near) && !pay:
	case rowNet >= 0 && rowNet > rowVAT && !grossWord.MatchString(near):
		a.net += 2
		if sum {
			a.net++
		}
	case rowVAT >= 0 && !grossWord.MatchString(near) && !pay:
		a.vat += 2
		if sum {
			a.vat++
		}
	case pay:
		a.gross += 3
	case sum:
		a.gross += 2
	case paidLabel.MatchString(near):
		a.gross++
	}
	headVAT, headNet := lastIn(vatWordOf, head), lastIn(netLabel, head)
	switch {
	case head == "" || notTotal.MatchString(head) && !payLabel.MatchString(head):
	case grossWord.MatchString(head):
		a.gross++
	case headNet >= 0 && headNet > headVAT:
		a.net += 1.5
		if a.gross > 0 && !(pay && direct) {
			a.gross = 0.5
		}
	case headVAT >= 0:
		a.vat += 1.5
		if a.gross > 0 && !(pay && direct) {
			a.gross = 0.5
		}
	case payLabel.MatchString(head):
		a.gross += 2.5
	case sumLabel.MatchString(head):
		a.gross += 0.5
	}
}

// aloneInRow says whether this is the only amount of its row: then the label of the row is its own.
func (s *sheet) aloneInRow(p layout.Span) bool {
	for i := s.Rows[p.Row(s.Sheet)].From; i < p.From; i++ {
		if s.Tokens[i].Value {
			return false
		}
	}
	for i := p.To; i < s.Rows[p.Row(s.Sheet)].To; i++ {
		if s.Tokens[i].Value {
			return false
		}
	}
	return true
}
