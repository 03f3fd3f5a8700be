package reading

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"saldo/internal/invoices/layout"
	"saldo/internal/kernel/calendar"
)

// dated is a date on the page.
type dated struct {
	layout.Span
	on                      calendar.Date
	short                   bool // the year has two digits
	issue, sale, due, other float64
	period                  bool // it ends a period
	top                     float64
}

var (
	isoDate   = regexp.MustCompile(`^\(?(20\d\d)[-./](\d{1,2})[-./](\d{1,2})r?[.,;)]*$`)
	dayFirst  = regexp.MustCompile(`^\(?(\d{1,2})[-./](\d{1,2})[-./](20\d\d|\d\d)r?[.,;)]*$`)
	dayNumber = regexp.MustCompile(`^(\d{1,2})\.?$`)
	yearWord  = regexp.MustCompile(`^(20\d\d)r?[.,;)]*$`)
	gluedDate = regexp.MustCompile(`^(\d{1,2})\.?([a-z]{3,12})\.?(20\d\d)r?[.,;]*$`)
	romanDate = regexp.MustCompile(`^(\d{1,2})[-./ ](i{1,3}|iv|v|vi{1,3}|ix|x|xi|xii)[-./ ](20\d\d)r?[.,;]*$`)
)

var monthNames = map[string]int{"stycznia": 1, "lutego": 2, "marca": 3, "kwietnia": 4, "maja": 5, "czerwca": 6, "lipca": 7, "sierpnia": 8,
	"wrzesnia": 9, "pazdziernika": 10, "listopada": 11, "grudnia": 12,
	"styczen": 1, "luty": 2, "marzec": 3, "kwiecien": 4, "maj": 5, "czerwiec": 6, "lipiec": 7, "sierpien": 8, "wrzesien": 9,
	"pazdziernik": 10,
	"listopad":    11, "grudzien": 12,
	"sty": 1, "lut": 2, "mar": 3, "kwi": 4, "cze": 6, "lip": 7, "sie": 8, "wrz": 9, "paz": 10, "lis": 11, "gru": 12,
	"januar": 1, "janner": 1, "februar": 2, "marz": 3, "april": 4, "mai": 5, "juni": 6, "juli": 7, "august": 8, "september": 9,
	"oktober":  10,
	"november": 11, "dezember": 12, "jan": 1, "feb": 2, "mrz": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9,
	"okt": 10, "nov": 11,
	"dez": 12, "january": 1, "february": 2, "march": 3, "may": 5, "june": 6, "july": 7, "october": 10, "december": 12, "oct": 10, "dec": 12}

var romans = map[string]int{"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10, "xi": 11,
	"xii": 12}

func dateOf(year, month, day string) (calendar.Date, bool) {
	y, _ := strconv.Atoi(year)
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	if len(year) == 2 {
		y += 2000
	}
	on := calendar.Date(fmt.Sprintf("%04d-%02d-%02d", y, m, d))
	return on, on.Exists()
}

// monthOf is a month by its name, where a picture was read also with one letter wrong.
func (s *sheet) monthOf(word string) (int, bool) {
	word = strings.Trim(word, ".,")
	if m, ok := monthNames[word]; ok || !s.OCR || len(word) < 5 {
		return m, ok
	}
	for name, m := range monthNames {
		if len(name) >= 5 && layout.Edits([]rune(word), []rune(name), 1) <= 1 {
			return m, true
		}
	}
	return 0, false
}

// dates finds all dates and marks them as values.
func (s *sheet) dates() (found []dated) {
	add := func(from, to int, on calendar.Date, short bool) {
		d := dated{Span: layout.Between(from, to), on: on, short: short, top: float64(s.Tokens[from].Page) + s.Tokens[from].Box.Y0}
		s.Mark(d.Span)
		found = append(found, d)
	}
	for i := 0; i < len(s.Tokens); i++ {
		if s.Tokens[i].Value {
			continue
		}
		text := s.Tokens[i].Norm
		if strings.ContainsAny(text, "/-") && s.afterNumberLabel(i) {
			continue // 7/11/2026 is how many invoices are numbered
		}
		if m := isoDate.FindStringSubmatch(text); m != nil {
			if on, ok := dateOf(m[1], m[2], m[3]); ok {
				add(i, i+1, on, false)
			}
			continue
		}
		if m := dayFirst.FindStringSubmatch(text); m != nil {
			if on, ok := dateOf(m[3], m[2], m[1]); ok {
				add(i, i+1, on, len(m[3]) == 2)
			}
			continue
		}
		if m := gluedDate.FindStringSubmatch(text); m != nil {
			if month, ok := s.monthOf(m[2]); ok {
				if on, ok := dateOf(m[3], strconv.Itoa(month), m[1]); ok {
					add(i, i+1, on, false)
				}
			}
			continue
		}
		if m := romanDate.FindStringSubmatch(text); m != nil {
			if on, ok := dateOf(m[3], strconv.Itoa(romans[m[2]]), m[1]); ok {
				add(i, i+1, on, false)
			}
			continue
		}
		if on, to, ok := s.spelled(i); ok {
			add(i, to, on, false)
			i = to - 1
		}
	}
	return found
}

// afterNumberLabel says whether what stands here is called the number of the invoice.
func (s *sheet) afterNumberLabel(i int) bool {
	from := i
	if from > s.Cells[s.Tokens[i].Cell].From && prefixWord.MatchString(s.Tokens[i-1].Raw) && !notPrefix[layout.Fold(s.Tokens[i-1].Raw)] &&
		!endsInNr.MatchString(s.Tokens[i-1].Norm) {
		from--
	}
	text := s.Before(layout.Between(from, from))
	if strings.Trim(text, " :.#-") == "" {
		if text = s.Left(layout.Between(from, i+1), false); strings.TrimSpace(text) == "" {
			text = s.Over(layout.Between(from, i+1), 1, false)
		}
	}
	kind := s.labelKind(text)
	return kind == "strong" || kind == "bare" || kind == "named" && strings.Contains(s.Tokens[i].Norm, "/")
}

var apartDate = regexp.MustCompile(`^(?:(\d{1,2}) ?[-./] ?(\d{1,2}) ?[-./] ?(20\d\d)|` +
	`(20\d\d) ?[-./] ?(\d{1,2}) ?[-./] ?(\d{1,2}))r?[.,;]?$`)

// spelled reads a date of several words: 7 listopada 2026, 7. Oktober 2026, March 7, 2026, and 10. 01. 2026.
func (s *sheet) spelled(i int) (on calendar.Date, to int, ok bool) {
	end := s.Cells[s.Tokens[i].Cell].To
	if i+2 < end {
		day, year := dayNumber.FindStringSubmatch(s.Tokens[i].Norm), yearWord.FindStringSubmatch(s.Tokens[i+2].Norm)
		if month, named := s.monthOf(s.Tokens[i+1].Norm); named && day != nil && year != nil {
			on, ok = dateOf(year[1], strconv.Itoa(month), day[1])
			return on, i + 3, ok
		}
		month, named := s.monthOf(s.Tokens[i].Norm)
		day = dayNumber.FindStringSubmatch(strings.Trim(s.Tokens[i+1].Norm, ","))
		if named && day != nil && year != nil {
			on, ok = dateOf(year[1], strconv.Itoa(month), day[1])
			return on, i + 3, ok
		}
	}
	if i+1 < end {
		day, year := dayNumber.FindStringSubmatch(s.Tokens[i].Norm), s.Tokens[i+1].Norm
		if day != nil && len(year) > 6 { // 7 Oktober2026
			if month, named := s.monthOf(year[:len(year)-4]); named && yearWord.MatchString(year[len(year)-4:]) {
				on, ok = dateOf(year[len(year)-4:], strconv.Itoa(month), day[1])
				return on, i + 2, ok
			}
		}
	}
	for n := 2; n <= 5 && i+n <= end; n++ {
		if m := apartDate.FindStringSubmatch(s.Text(layout.Between(i, i+n))); m != nil {
			if m[1] != "" {
				on, ok = dateOf(m[3], m[2], m[1])
			} else {
				on, ok = dateOf(m[4], m[5], m[6])
			}
			return on, i + n, ok
		}
	}
	return "", 0, false
}

// The labels of dates. Blanks may be lost.
var (
	issueLabel = regexp.MustCompile(`wystawi|wystaw\.|data\s*wyst|data\s*(?:faktury|dokumentu|rachunku)|rechnungs-?\s*datum|` +
		`beleg-?\s*datum|` +
		`rechnungs-?tag|ausstellungs|ausgestellt|datum\s*der\s*(?:rechnung|ausstellung)|rg\.?-?\s*datum|re\.?-?\s*datum|bon-?datum|` +
		`invoice\s*date|date\s*of\s*issue|issue\s*date|erstellt\s*am|dokumentdatum`)
	saleLabel = regexp.MustCompile(`sprzed|sprz\.|data\s*sprz|data\s*dokonania|dokonania|data\s*dost|dostaw[ay]|zakonczenia|wykonan|` +
		`data\s*uslugi|` +
		`leistung|liefer|` +
		`data\s*tankowania|tankdatum|data\s*wydania|sale\s*date|date\s*of\s*(?:supply|sale|delivery)|supply\s*date|ausgefuhrt|leist\.|` +
		`abgabedatum|` +
		`data\s*realizacji|kaufdatum|data\s*zakupu`)
	dueLabel = regexp.MustCompile(`termin|platn|platno|zaplat[ayn]|zaplaty|zahlbar|fallig|zahlung|zahlen\s*bis|bezahl|due|payable|` +
		`valuta|skonto|` +
		`do\s*dnia|platne\s*do|uberweis|spatestens|abbuch|einzug|lastschrift|naleznosc.*do\b|przelew`)
	otherLabel = regexp.MustCompile(`zamowien|umow|wydruk|drukow|bestell|auftrag|vertrag|lieferschein|gultig|wazn[aey]|przyjec|` +
		`odbioru|badani|przeglad|` +
		`nastepn|nachst|urodz|geburt|geboren|gedruckt|druck|paragon|korygowan|pierwotn|erstzulassung|rejestracji|wplyw|ksef|zaliczk|` +
		`order|period|` +
		`gwarancj|garantie|angebot|mahnung|stand\s*vom|storn|hu\s*bis|tuv|ubezp|polis|wejsci|beginn|` +
		`kurs|tabel|vorauszahlung|anzahlung|buchung|rozpocz|ostatni|letzte`)
	periodLabel = regexp.MustCompile(`okres|zeitraum|period|miesiac`)
	issueVom    = regexp.MustCompile(`(?:rechnung|faktura|beleg)\b.*\b(?:vom|z\s*dnia|von|dated)\s*:?$`)
	placeDate   = regexp.MustCompile(`(?:^|\s)(?:den|dn\.?|dnia|z\s*dnia)\s*:?$|^[a-z][a-z .-]{2,30},$`)
	plainDate   = regexp.MustCompile(`^(?:data|datum|date|z\s*dnia|dnia|vom|tag)\s*:?$`)
)

// lastIn is where a label ends in the text, or -1.
func lastIn(label *regexp.Regexp, text string) int {
	all := label.FindAllStringIndex(text, -1)
	if all == nil {
		return -1
	}
	return all[len(all)-1][1]
}

// weigh adds what a text beside a date says about its kind.
func (d *dated) weigh(text string, weight float64) bool {
	if strings.TrimSpace(text) == "" {
		return false
	}
	issue, sale, due, other := lastIn(issueLabel, text), lastIn(saleLabel, text), lastIn(dueLabel, text), lastIn(otherLabel, text)
	switch {
	case due >= 0 && due > max(issue, sale) && !(issue >= 0 && sale >= 0):
		d.due += weight
	case other >= 0 && other > max(issue, sale):
		d.other += weight
	case issue >= 0 && sale >= 0: // one date for both: data wystawienia i sprzedaży
		d.issue += weight
		d.sale += weight
	case issue >= 0:
		d.issue += weight
	case sale >= 0:
		d.sale += weight
	case issueVom.MatchString(text):
		d.issue += weight
	case placeDate.MatchString(text):
		d.issue += 0.6 * weight
	case plainDate.MatchString(strings.TrimSpace(text)):
		d.issue += 0.5 * weight
	case periodLabel.MatchString(text):
		d.sale += 0.5 * weight
	default:
		return false
	}
	return true
}

var sameDay = regexp.MustCompile(`(?:rechnungsdatum\s*(?:=|gleich|entspricht|ist\s*(?:gleich)?|auch)\s*(?:dem\s*|` +
	`das\s*)?(?:liefer|leistung)|` +
	`(?:liefer|leistung)[a-z]*(?:\s*[-/u][a-z]*\.?\s*[-/]?\s*leistungs?[a-z]*)?\s*(?:=|gleich|entspricht|` +
	`ist\s*(?:gleich)?)\s*(?:dem\s*|das\s*)?` +
	`rechnungsdatum|leistungsdatum\s*:?\s*(?:wie|s\.|siehe)\s*rechnungsdatum|data\s*sprzedazy\s*:?\s*(?:jak|zgodna\s*z|=|` +
	`taka\s*jak)\s*dat)`)

// dateFields chooses the dates of issue and of sale.
func (s *sheet) dateFields(found []dated) (fields []Field) {
	for i := range found {
		d := &found[i]
		text := s.Before(d.Span)
		// the second date of a period: its label stands before the first
		if between := strings.Trim(text, " :"); between == "-" || between == "do" || between == "bis" {
			if i > 0 && found[i-1].Row(s.Sheet) == d.Row(s.Sheet) {
				p := &found[i-1]
				d.issue, d.sale, d.due, d.other, d.period = p.issue, p.sale, p.due, p.other, true
				p.sale *= 0.5
				continue
			}
		}
		if d.weigh(text, 3) {
			continue
		}
		leftText := ""
		if strings.TrimSpace(text) == "" || plainWords(text) {
			leftText = s.Left(d.Span, false)
		}
		a := d.weigh(leftText, 2)
		if !a || d.issue+d.sale+d.due+d.other < 1.5 {
			a = d.weigh(s.Over(d.Span, 3, false), 2.2) || a
		}
		if !a {
			d.weigh(s.LineBefore(d.Span), 1.5)
		}
	}
	issue := best(found, func(d dated) float64 {
		if d.period {
			return d.issue - 1.5
		}
		return d.issue - max(d.due, d.other)
	}, func(a, b dated) bool { return a.top < b.top })
	sale := best(found, func(d dated) float64 {
		more := 0.0
		if d.period {
			more = 0.1
		}
		return d.sale - max(d.due, d.other) + more
	}, func(a, b dated) bool { return a.top < b.top })
	issueSure, issueRule := 0.97, "label"
	if issue == nil {
		// without a label: the only date that is nothing else, else the first one
		var free []dated
		for _, d := range found {
			if d.due == 0 && d.other == 0 && d.sale == 0 {
				free = append(free, d)
			}
		}
		issueRule = "first"
		switch {
		case len(free) == 1:
			issue, issueSure = &free[0], 0.9
		case len(free) > 1:
			issue, issueSure = &free[0], 0.55
		case sale != nil:
			issue, issueSure = sale, 0.55
		default:
			return nil
		}
	} else if issue.issue < 1.2 {
		issueSure = 0.93
	}
	saleSure, saleRule := 0.96, "label"
	switch {
	case sale != nil && sale.period:
		saleSure, saleRule = 0.8, "period"
	case sale == nil && sameDay.MatchString(strings.ReplaceAll(s.All, "\n", " ")):
		sale, saleSure, saleRule = issue, 0.92, "same-day"
	}
	if sale != nil {
		days := daysBetween(sale.on, issue.on)
		switch {
		case days > 62 || days < -62:
			issueSure, saleSure = min(issueSure, 0.6), min(saleSure, 0.6)
		case days < 0: // sold after it was issued
			issueSure, saleSure = issueSure*0.8, saleSure*0.7
		}
	}
	fields = append(fields, s.dateField(IssueDate, *issue, issueSure, issueRule))
	if sale != nil {
		fields = append(fields, s.dateField(SaleDate, *sale, saleSure, saleRule))
	}
	return fields
}

func plainWords(text string) bool {
	text = strings.Trim(text, " :.")
	return plainDate.MatchString(text)
}

// best is the element with the highest score above 0; of equal ones the first.
func best(all []dated, score func(dated) float64, first func(a, b dated) bool) *dated {
	var found *dated
	most := 0.0
	for i := range all {
		n := score(all[i])
		if n > 0 && (n > most || n == most && first(all[i], *found)) {
			found, most = &all[i], n
		}
	}
	return found
}

func daysBetween(from, to calendar.Date) int {
	return to.DaysSince(from)
}

func (s *sheet) dateField(name string, d dated, sure float64, rule string) Field {
	if d.short {
		sure *= 0.96
	}
	if s.hints.Today != "" && (d.on > s.hints.Today.AddDays(1) || d.on < s.hints.Today.AddDays(-731)) {
		sure = min(sure, 0.7)
	}
	return s.field(name, string(d.on), d.Span, sure, rule)
}
