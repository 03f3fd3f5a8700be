package reading

import (
	"math"
	"regexp"
	"strings"
	"unicode"

	"saldo/internal/invoices/layout"
)

// numbered is what may be the number of the invoice.
type numbered struct {
	layout.Span
	text string
	sure float64
	rule string
	top  float64
}

// Words that name an invoice, and what may stand between them and the number.
const (
	invoiceWord = `(?:faktur[ay]?|fakture|rachun(?:ek|ku)|rechnungs?|re|rg|rng|beleg|bon|kassenbon|quittungs?|invoice|gutschrift|` +
		`dokument(?:u)?|dok|fv|vat)`
	numberWord = `(?:numer|nummer|number|nr|no|n°|№|num)`
)

var (
	// The label ends right before the number.
	strongLabel = regexp.MustCompile(`(?:^|[\s(/])(?:` +
		invoiceWord + `[\s./:-]*(?:vat|koryguj[a-z]*|korekta|uproszczona|zaliczkowa|koncowa|elektroniczna|wewnetrzna|pro\s*-?\s*forma|` +
		`proforma|mp|vat-?mp|sprzedazy|` +
		`z\s*nip|/\s*invoice|podstawowa|ust)?[\s./:-]*` + numberWord + `\s*[.:#-]*|` +
		numberWord + `\s*\.?\s*` + invoiceWord + `(?:\s*vat)?\s*[.:#/-]*|` +
		`rechnungs-?\s*(?:nummer|nr|no)\s*[.:#]*|rechnungsnummer\s*[.:#]*|beleg-?(?:nummer|nr)\s*[.:#]*|bon-?(?:nummer|nr)\s*[.:#]*|` +
		`(?:re|rg|rech)\.?-?\s*(?:nr|nummer|no)\s*[.:#]*|invoice\s*(?:number|no|id|#)\s*[.:#]*|faktura\s*#)\s*$`)
	// The document is named, no word for a number follows.
	namedLabel = regexp.MustCompile(`(?:^|\s)(?:faktura|rechnung|rachunek|invoice|gutschrift|quittung|beleg|kassenbeleg)` +
		`(?:\s*(?:vat|koryguj[a-z]*|korekta|uproszczona|zaliczkowa|koncowa|elektroniczna|podstawowa|pro\s*-?\s*forma|proforma|mp|` +
		`/\s*invoice|/\s*rechnung|` +
		`wewnetrzna))*\s*[:#-]*\s*$`)
	// A word for a number stands alone.
	bareLabel = regexp.MustCompile(`^` + numberWord + `\s*[.:#-]*\s*$`)
	endsInNr  = regexp.MustCompile(`(?:^|\s)` + numberWord + `\s*[.:#-]*\s*$`)
	wrongNr   = regexp.MustCompile(`paragon|zlecen|umow|klient|konto|kont[a-z]*\b|kontrahent|zamowien|ostatni|poprzedn|kunde|auftrag|` +
		`steuer|stacj|dystryb|` +
		`telef|tel\.|lieferschein|bestell|vertrag|\bwz\b|korygowan|pierwotn|fahrgestell|\bfin\b|\bvin\b|kart[ay]|karte|mandat|ksef|` +
		`terminal|rej\b|rej\.|` +
		`rejestr|tse|kasse|kasj|kasa|rachunku\s*bank|rachunek\s*bank|nr\s*rachunku|bdo|krs|regon|hrb|ident|projekt|polis|versicherung|` +
		`mitglied|` +
		`order|delivery|customer|filial|pojazd|seri|nip|ust-?id|ean|art|pos|lp|sygnatura|referen|glaubiger|station|saule|zapfs|stan\s|` +
		`anzahlung|` +
		`angebot|uid|handelsreg|drukark|unikat|kennzeichen|zleceni|mpk|licznik|umsatz`)
	notNumber = regexp.MustCompile(`^(?:\d{2}-\d{3}|[+(]?\d{2,3}\)?[ -]\d{3}[ -]\d{3}[ -]\d{3}|\d{1,2}:\d{2}(?::\d{2})?|\d{1,3}%|` +
		`\d{1,2}[.,]\d{1,2}%)$`)
	numberChar = regexp.MustCompile(`^[\p{L}\d][\p{L}\d/\\_.,:*#()-]*$`)
	prefixWord = regexp.MustCompile(`^\p{Lu}{1,6}[/.-]?$`)
	joins      = regexp.MustCompile(`^[/\\_-]$`)
)

// number finds the number of the invoice.
func (s *sheet) number() (Field, bool) {
	var chosen *numbered
	for i := range s.Tokens {
		n, ok := s.numberAt(i)
		if !ok {
			continue
		}
		if chosen == nil || n.sure > chosen.sure+1e-9 || math.Abs(n.sure-chosen.sure) < 1e-9 && n.top < chosen.top {
			chosen = &n
		}
	}
	if chosen == nil {
		return Field{}, false
	}
	return s.field(Number, chosen.text, chosen.Span, s.numberSure(chosen.text, chosen.sure), chosen.rule), true
}

// numberAt reads a number that begins with a token, where a label stands before or above it.
func (s *sheet) numberAt(i int) (numbered, bool) {
	p, text, ok := s.numberRun(i)
	if !ok {
		return numbered{}, false
	}
	n := numbered{Span: p, text: text, top: float64(s.Tokens[i].Page) + s.Tokens[i].Box.Y0}
	before := s.Before(layout.Between(i, i))
	switch kind := s.labelKind(before); {
	case kind == "wrong":
		return n, false
	case kind == "strong":
		n.sure, n.rule = 0.96, "label"
		return n, true
	case kind == "named":
		n.sure, n.rule = 0.94, "named"
		return n, true
	case kind == "bare":
		n.sure, n.rule = s.underHeadline(i), "bare"
		if n.sure > 0 {
			return n, true
		}
		return n, false
	case strings.Trim(before, " :.#-") != "":
		return n, false
	}
	left := s.Left(layout.Between(i, i+1), false)
	switch s.labelKind(left) {
	case "strong":
		n.sure, n.rule = 0.95, "left"
		return n, true
	case "named":
		n.sure, n.rule = 0.9, "left-named"
		return n, true
	case "bare":
		if n.sure, n.rule = s.underHeadline(i), "left-bare"; n.sure > 0 {
			return n, true
		}
	case "wrong":
		return n, false
	}
	over := s.Over(p, 2, false)
	switch s.labelKind(over) {
	case "strong":
		n.sure, n.rule = 0.945, "above"
		return n, true
	case "bare":
		if n.sure, n.rule = s.underHeadline(i), "above-bare"; n.sure > 0 {
			n.sure = min(n.sure, 0.93)
			return n, true
		}
	case "named":
		if strings.ContainsAny(text, "/-") || len(text) >= 5 {
			n.sure, n.rule = 0.85, "above-named"
			return n, true
		}
	}
	return n, false
}

// labelKind says what a text before a number is.
func (s *sheet) labelKind(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	// only the last words count: a row may hold several labels
	words := strings.Fields(text)
	short := strings.Join(words[max(0, len(words)-5):], " ")
	strong := strongLabel.FindStringIndex(short)
	if strong != nil {
		if wrongNr.MatchString(short[strong[0]:]) || corrected.MatchString(short[:strong[0]]) {
			return "wrong"
		}
		return "strong"
	}
	if wrongNr.MatchString(short) {
		return "wrong"
	}
	if namedLabel.MatchString(short) {
		return "named"
	}
	if bareLabel.MatchString(short) {
		return "bare"
	}
	if endsInNr.MatchString(short) && len(words) > 1 {
		return "wrong" // the number of something else
	}
	return ""
}

var corrected = regexp.MustCompile(`(?:\bdo|dotyczy|zu|zur|koryguj[a-z]*)\s*$`)

var headline = regexp.MustCompile(`(?:^|\s)(?:faktura|rechnung|rachunek|invoice|gutschrift|quittung|kassenbeleg|fakturavat)(?:\s|$|:)`)

// underHeadline is how sure a bare "nr" means the invoice: its row or one of the rows above, which stand close, names the document.
func (s *sheet) underHeadline(i int) float64 {
	me := s.Tokens[i]
	for r := me.Row; r >= 0 && r > me.Row-8; r-- {
		row := s.Rows[r]
		if s.Tokens[row.From].Page != me.Page {
			break
		}
		if headline.MatchString(s.Text(row)) {
			if apart := me.Row - r; apart <= 3 {
				return 0.94
			}
			return 0.91
		}
	}
	for r := me.Row + 1; r < len(s.Rows) && r < me.Row+8; r++ {
		if row := s.Rows[r]; s.Tokens[row.From].Page == me.Page && headline.MatchString(s.Text(row)) {
			return 0.9
		}
	}
	return 0.7
}

// numberRun is the run of tokens that may be a number: a prefix such as FV and what follows, parts with strokes between them.
func (s *sheet) numberRun(i int) (p layout.Span, text string, ok bool) {
	cell := s.Cells[s.Tokens[i].Cell]
	to := i
	digits := false
	if s.Tokens[i].Value {
		return p, "", false
	}
	raw := s.Tokens[i].Raw
	if !numberChar.MatchString(strings.Trim(raw, ".,;:()")) {
		return p, "", false
	}
	digits = strings.ContainsAny(raw, "0123456789")
	to = i + 1
	if !digits {
		if !prefixWord.MatchString(raw) || notPrefix[layout.Fold(strings.TrimRight(raw, "/.-"))] || !s.close(i) {
			return p, "", false
		}
	} else if s.plainWord(raw) {
		return p, "", false
	}
	for to < cell.To {
		next := s.Tokens[to]
		last := s.Tokens[to-1].Raw
		switch {
		case next.Value:
		case !s.closeTo(to):
		case joins.MatchString(next.Raw) && to+1 < cell.To && strings.ContainsAny(s.Tokens[to+1].Raw, "0123456789"):
			to++
			continue
		case !digits && strings.ContainsAny(next.Raw, "0123456789") && numberChar.MatchString(strings.Trim(next.Raw, ".,;")):
			digits = true
			to++
			continue
		case !digits && prefixWord.MatchString(next.Raw) && to-i < 2 && !notPrefix[layout.Fold(next.Raw)] && s.close(to):
			to++
			continue
		case digits && (strings.HasPrefix(next.Raw, "/") && len(next.Raw) > 1 || strings.HasSuffix(last, "/") || joins.MatchString(last)) &&
			numberChar.MatchString(strings.TrimLeft(next.Raw, "/-")):
			to++
			continue
		}
		break
	}
	if onlyDigits.MatchString(raw) && to == i+1 { // groups of digits: 77 2290 1145
		for to < cell.To && s.closeTo(to) && !s.Tokens[to].Value && onlyDigits.MatchString(s.Tokens[to].Raw) {
			to++
		}
	}
	p = layout.Between(i, to)
	text = strings.Trim(s.Raw(p), " .,;:")
	text = strings.TrimRight(text, "/-_\\ ")
	if !digits || len([]rune(text)) > 40 || notNumber.MatchString(text) || amountOnly.MatchString(text) {
		return p, "", false
	}
	return p, text, true
}

var onlyDigits = regexp.MustCompile(`^\d{1,12}$`)

var amountOnly = regexp.MustCompile(`^-?\d{1,3}(?:[ .']?\d{3})*[.,]\d{2}$`)

var notPrefix = map[string]bool{"vat": true, "nr": true, "no": true, "nip": true, "pln": true, "eur": true, "ul": true,
	"tel": true, "ust": true,
	"z": true, "do": true, "od": true, "am": true, "vom": true, "den": true, "dn": true, "dnia": true, "km": true, "szt": true, "rej": true,
	"numer": true, "data": true, "datum": true, "oryg": true, "kopia": true, "vin": true, "krs": true, "bdo": true, "regon": true,
	"iban": true}

// plainWord says whether a token with digits is a part of speech or of a product, not of a number: 12szt, 5W30.
func (s *sheet) plainWord(raw string) bool {
	letters, digits := 0, 0
	for _, r := range raw {
		switch {
		case unicode.IsLower(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		}
	}
	return letters > 3 && letters > digits
}

func (s *sheet) close(i int) bool {
	return i+1 < len(s.Tokens) && s.Tokens[i+1].Cell == s.Tokens[i].Cell && s.closeTo(i+1)
}

func (s *sheet) closeTo(i int) bool {
	return s.Tokens[i].X0-s.Tokens[i-1].X1 < 0.8*s.Tokens[i].Height()
}

var longRun = regexp.MustCompile(`\d{7,}`)

// numberSure lowers the confidence where a stroke may have been read as a digit, and compares with earlier numbers of the issuer.
func (s *sheet) numberSure(text string, sure float64) float64 {
	if strings.Contains(text, " ") && strings.Trim(text, "0123456789 ") == "" {
		sure = min(sure, 0.88)
	}
	if len([]rune(text)) > 30 || len([]rune(text)) < 2 {
		sure = min(sure, 0.8)
	}
	if s.OCR && (longRun.MatchString(text) || strings.ContainsAny(text, "OIl|")) {
		sure = min(sure, 0.89)
	}
	return sure
}

// shape is a number with its letters as A and its digits as 9, groups of digits as one: what numbers of an issuer have in common.
func shape(number string) string {
	var b strings.Builder
	last := ' '
	for _, r := range number {
		switch {
		case unicode.IsDigit(r):
			r = '9'
		case unicode.IsLetter(r):
			r = 'A'
		}
		if r == last && r == '9' {
			continue
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// shaped compares a number with earlier ones of the same issuer.
func shaped(f Field, issuer string, hints Hints) Field {
	earlier := hints.Shapes[issuer]
	if issuer == "" || len(earlier) == 0 {
		return f
	}
	for _, number := range earlier {
		if shape(number) == shape(f.Value) {
			if f.Sure >= 0.8 && f.Sure < 0.95 {
				f.Sure = 0.95
			}
			f.Rule += "+shape"
			return f
		}
	}
	f.Sure = min(f.Sure, 0.8)
	f.Rule += "+other-shape"
	return f
}
