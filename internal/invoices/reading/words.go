package reading

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"saldo/internal/invoices/layout"
	"saldo/internal/kernel/official"
	"saldo/internal/ksef/numbers"
)

// sheet is a document that is laid out, with what is known before it is read.
type sheet struct {
	*layout.Sheet
	hints Hints
}

// FromWords reads an invoice from the words on its pages. Words whose confidence is 1 are text; others are of a picture.
func FromWords(words []layout.Word, pages []layout.Size, hints Hints) Result {
	s := &sheet{layout.Of(words, pages), hints}
	result := Result{Source: s.source(), Pages: max(len(pages), 1)}
	if len(s.Tokens) == 0 {
		result.Source = None
		return result
	}
	ksef := s.ksefNumber()
	s.markOther()
	dates := s.dates()
	ids := s.taxIDs()
	number, numbered := s.number()
	if numbered {
		s.markBox(number)
	}
	mileage, driven := s.mileage()
	found := s.amounts()
	if numbered {
		result.Fields = append(result.Fields, number)
	}
	result.Fields = append(result.Fields, s.dateFields(dates)...)
	result.Fields = append(result.Fields, s.taxFields(ids)...)
	currency := s.currency(found)
	foreign := currency.Value != s.homeCurrency() && currency.Sure >= LookFrom
	money, otherRate := s.amountFields(found, foreign)
	result.Fields = append(result.Fields, money...)
	if plate, ok := s.plate(); ok {
		result.Fields = append(result.Fields, plate)
	}
	if driven {
		result.Fields = append(result.Fields, mileage)
	}
	result.Fields = append(result.Fields, currency)
	if ksef.Name != "" {
		result.KSeFNumber = ksef.Value
		result.Fields = append(result.Fields, ksef)
	}
	if issuer, ok := result.Field(IssuerTaxID); ok {
		if name, ok := s.issuerName(ids, issuer.Value); ok {
			result.Fields = append(result.Fields, name)
		}
		for i := range result.Fields {
			if result.Fields[i].Name == Number {
				result.Fields[i] = shaped(result.Fields[i], issuer.Value, hints)
			}
		}
	}
	result.Findings = s.findings(foreign, otherRate)
	slices.SortStableFunc(result.Fields, func(a, b Field) int { return slices.Index(Names, a.Name) - slices.Index(Names, b.Name) })
	return result
}

func (s *sheet) source() Source {
	if s.OCR {
		return OCR
	}
	return Text
}

// field makes a field of tokens. What a picture gave lowers its confidence.
func (s *sheet) field(name, value string, p layout.Span, sure float64, rule string) Field {
	page, box, read := s.Place(p)
	if s.OCR {
		sure *= 0.7 + 0.3*read
	}
	return Field{Name: name, Value: value, Sure: math.Round(sure*1000) / 1000, Page: page, Box: box, Source: s.source(), Rule: rule}
}

// markBox marks the tokens of a field, so that amounts are not looked for in it.
func (s *sheet) markBox(f Field) {
	for i, t := range s.Tokens {
		if t.Page == f.Page && t.Box.X0 >= f.Box.X0 && t.Box.X1 <= f.Box.X1 && t.Box.Y0 >= f.Box.Y0 && t.Box.Y1 <= f.Box.Y1 {
			s.Tokens[i].Value = true
		}
	}
}

var (
	polishText = regexp.MustCompile(`\b(?:nip|faktura|sprzedawca|nabywca|data|razem|zaplaty|ptu|zl|pln|wystawienia|sprzedazy|suma)\b`)
	germanText = regexp.MustCompile(`\b(?:rechnung|ust-?idnr|mwst|datum|gesamtbetrag|summe|betrag|rechnungsnummer|netto|eur|` +
		`steuernummer|umsatzsteuer|gmbh)\b`)
)

// german says whether the invoice is a German one: by the hint, else by its words.
func (s *sheet) german() bool {
	switch s.hints.Country {
	case "DE":
		return true
	case "PL":
		return false
	}
	return len(germanText.FindAllString(s.All, -1)) > len(polishText.FindAllString(s.All, -1))
}

func (s *sheet) homeCurrency() string {
	if s.german() {
		return "EUR"
	}
	return "PLN"
}

var currencyWord = map[string]string{"zl": "PLN", "zl.": "PLN", "pln": "PLN", "eur": "EUR", "€": "EUR", "euro": "EUR",
	"usd": "USD", "$": "USD",
	"chf": "CHF", "czk": "CZK", "gbp": "GBP", "£": "GBP"}

// currency is what stands beside the amounts, counted; that of the country where nothing stands.
func (s *sheet) currency(found []amount) Field {
	count, at := map[string]int{}, map[string]layout.Span{}
	note := func(i int, weight int) {
		if i < 0 || i >= len(s.Tokens) {
			return
		}
		word := strings.Trim(s.Tokens[i].Norm, "()[],;:")
		code, known := currencyWord[word]
		if !known {
			return
		}
		count[code] += weight
		if _, there := at[code]; !there {
			at[code] = layout.Between(i, i+1)
		}
	}
	for i := range s.Tokens {
		note(i, 1)
		if strings.Contains(s.Tokens[i].Raw, "€") && len(s.Tokens[i].Raw) > 3 {
			count["EUR"]++
			if _, there := at["EUR"]; !there {
				at["EUR"] = layout.Between(i, i+1)
			}
		}
	}
	for _, a := range found {
		if a.gross >= 2.5 {
			note(a.To, 5)
			note(a.From-1, 5)
		}
	}
	home := s.homeCurrency()
	best := home
	for code, n := range count {
		if n > count[best] || n == count[best] && code < best && best != home {
			best = code
		}
	}
	if count[best] == 0 {
		return Field{Name: Currency, Value: home, Sure: 0.8, Source: s.source(), Rule: "country"}
	}
	return s.field(Currency, best, at[best], 0.97, "unit")
}

// amountFields gives the amounts of the best solution.
func (s *sheet) amountFields(found []amount, foreign bool) (fields []Field, otherRate bool) {
	solutions := s.solve(found)
	if len(solutions) == 0 {
		return nil, false
	}
	best := solutions[0]
	if due := s.unsolved(found, best); due != nil {
		best = solution{gross: due.minor, net: -1, sure: 0.6, rule: "total-alone"}
	}
	sure := best.sure
	for _, other := range solutions[1:] {
		same := other.gross == best.gross && other.net == best.net && other.standard == best.standard && other.reduced == best.reduced
		switch apart := best.score - other.score; {
		case same || best.net < 0:
		case other.gross != best.gross && apart < 0.8:
			sure = min(sure, 0.8)
		case other.gross == best.gross && other.net >= 0 && other.rule == best.rule && apart < 1.5:
			sure = min(sure, 0.85)
		}
	}
	var total *amount
	for i := range found {
		if a := &found[i]; a.minor == best.gross && (total == nil || asGross(a) > asGross(total)) {
			total = a
		}
	}
	if total != nil && asGross(total) < 1 {
		sure = min(sure, 0.85) // nothing says that it is the total
	}
	if s.other(correctionText) {
		sure = min(sure, 0.85)
	}
	add := func(name string, minor int64, at *amount, sure float64) {
		value := strconv.FormatInt(minor, 10)
		if at != nil {
			fields = append(fields, s.field(name, value, at.Span, sure, best.rule))
			return
		}
		f := Field{Name: name, Value: value, Sure: sure, Source: s.source(), Rule: best.rule}
		if total != nil { // computed: as sure as what it was computed from
			f = s.field(name, value, total.Span, sure, best.rule)
			f.Page, f.Box = 0, layout.Box{}
		}
		fields = append(fields, f)
	}
	add(Gross, best.gross, total, sure)
	if best.net < 0 || foreign {
		return fields, best.other
	}
	add(Net, best.net, best.netAt, sure)
	if best.other || s.other(reverseText) {
		return fields, best.other
	}
	add(VATStandard, best.standard, best.vatAt, sure)
	add(VATReduced, best.reduced, best.redAt, sure)
	if best.zero != 0 {
		add(VATZeroBase, best.zero, best.zeroAt, sure)
	}
	return fields, false
}

// unsolved is an amount that is called the total, where the best solution is smaller and nothing calls it so: it is a part of the invoice.
func (s *sheet) unsolved(found []amount, best solution) (due *amount) {
	label := 0.0
	for i := range found {
		switch a := &found[i]; {
		case a.minor == best.gross:
			label = max(label, asGross(a))
		case a.minor > best.gross && asGross(a) >= 3 && (due == nil || a.minor > due.minor):
			due = a
		}
	}
	if label >= 2 {
		return nil
	}
	return due
}

func (s *sheet) other(text *regexp.Regexp) bool { return text.MatchString(s.All) }

var (
	correctionText = regexp.MustCompile(`faktura\s*(?:vat\s*)?koryguj|korekta\s*faktury|rechnungskorrektur|stornorechnung|` +
		`korrekturrechnung|faktura\s*korekta`)
	proFormaText = regexp.MustCompile(`pro\s?-?\s?forma|(?:^|\n)\s*(?:oferta|angebot|kostenvoranschlag|zamowienie)\b`)
	ksefText     = regexp.MustCompile(`\d{10}-20\d{6}-[0-9A-F]{12}-[0-9A-F]{2}`)
)

// findings are what a person should know.
func (s *sheet) findings(foreign, otherRate bool) (found []string) {
	if otherRate {
		found = append(found, OtherRate)
	}
	if foreign {
		found = append(found, Foreign)
	}
	if s.other(proFormaText) {
		found = append(found, ProForma)
	}
	if s.other(correctionText) {
		found = append(found, Correction)
	}
	if s.other(reverseText) {
		found = append(found, Reversed)
	}
	if s.other(marginText) {
		found = append(found, Margin)
	}
	return found
}

// ksefNumber finds the number that KSeF gave, which carries a sum of its own.
func (s *sheet) ksefNumber() (chosen Field) {
	for i := range s.Tokens {
		for n := 1; n <= 4 && i+n <= s.Cells[s.Tokens[i].Cell].To; n++ {
			text := strings.ToUpper(strings.ReplaceAll(s.Raw(layout.Between(i, i+n)), " ", ""))
			found := ksefText.FindString(text)
			if found == "" {
				continue
			}
			s.Mark(layout.Between(i, i+n))
			if numbers.IsInvoice(found) {
				return s.field(KSeFNumber, found, layout.Between(i, i+n), 0.995, "sum")
			}
			if _, err := official.ParseNIP(found[:10]); err == nil && chosen.Name == "" {
				chosen = s.field(KSeFNumber, found, layout.Between(i, i+n), 0.6, "form") // its own sum is wrong: a digit may be
			}
		}
	}
	return chosen
}

var notName = regexp.MustCompile(`\b(?:nip|ul\.|al\.|tel|sprzedawca|wystawca|nabywca|faktura|rechnung|data|datum|seller|strona|` +
	`seite|oryginal|kopia)\b|krajowy\s*system|\d{2}-\d{3}`)

// issuerName is the line above the issuer's tax id or address that reads like a name. It is a guess.
func (s *sheet) issuerName(ids []taxed, id string) (Field, bool) {
	for _, t := range ids {
		if t.id != id {
			continue
		}
		me := s.Tokens[s.Cells[t.Cell(s.Sheet)].From]
		for r := me.Row - 1; r >= 0 && r >= me.Row-6; r-- {
			p, ok := s.InColumn(s.Rows[r], me.X0, me.X0+0.1, me.Height())
			if !ok || s.Tokens[p.From].Page != me.Page {
				continue
			}
			text := s.Text(p)
			if sellerWord.MatchString(text) {
				// the name stands right below its label
				if p, ok := s.InColumn(s.Rows[r+1], me.X0, me.X0+0.1, me.Height()); ok && r+1 < me.Row {
					f := s.field(IssuerName, nameOf(s.Raw(p)), p, 0.85, "below-label")
					return f, f.Value != ""
				}
				break
			}
		}
	}
	row := s.Rows[0]
	cell := s.Cells[s.Tokens[row.From].Cell]
	p := cell
	if name := nameOf(s.Raw(p)); name != "" && !notName.MatchString(s.Text(p)) && len([]rune(name)) > 3 {
		return s.field(IssuerName, name, p, 0.6, "first-line"), true
	}
	return Field{}, false
}

func nameOf(text string) string {
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(text, "Nazwa:"), "Firma:"))
	if runes := []rune(text); len(runes) > 120 {
		text = string(runes[:120])
	}
	return text
}
