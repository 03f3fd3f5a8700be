package reading

import (
	"math"
	"regexp"
	"strings"

	"saldo/internal/invoices/layout"
	"saldo/internal/kernel/official"
)

// taxed is a valid tax id on the page.
type taxed struct {
	layout.Span
	id            string
	office        bool    // the number of a tax office, not of VAT
	labelled      bool    // NIP or USt-IdNr stands before it
	repaired      bool    // letters were read as digits
	seller, buyer float64 // what labels say
	top           float64
	rest          layout.Span // its second part, where a line ends within it
}

var (
	accountStart = regexp.MustCompile(`^(?:iban:?)?(?:pl|de)\d{2}(?:\d{4})*$`)
	accountPart  = regexp.MustCompile(`^\d{1,4}$`)
	accountWhole = regexp.MustCompile(`^(?:iban:?)?(?:pl\d{26}|de\d{20}|\d{26})$`)
	phoneLabel   = regexp.MustCompile(`^\(?(?:tel|telefon|telefax|fax|mobil|kom|tel\./fax|infolinia|phone|hotline|handy)[.:)]*$`)
	phonePart    = regexp.MustCompile(`^[+(]?[\d()/-]+[,;.]?$`)
	otherNumber  = regexp.MustCompile(`^(?:krs|regon|bdo|pesel|hrb|hra|vin|swift|bic|gln|duns|tse|kid)[.:]*(?:nr\.?:?)?$`)
)

// markOther marks what looks like a value of ours and is none: bank accounts, phones, numbers of registers.
func (s *sheet) markOther() {
	for i := 0; i < len(s.Tokens); i++ {
		t := s.Tokens[i]
		end := s.Cells[t.Cell].To
		to := i
		switch {
		case accountWhole.MatchString(t.Norm):
			to = i + 1
		case accountStart.MatchString(t.Norm) || len(t.Norm) == 2 && accountPart.MatchString(t.Norm):
			for to = i + 1; to < end && accountPart.MatchString(s.Tokens[to].Norm); to++ {
			}
			digits := 0
			for _, p := range s.Tokens[i:to] {
				digits += len(p.Norm)
			}
			if digits < 20 {
				continue
			}
		case phoneLabel.MatchString(t.Norm):
			for to = i + 1; to < end && phonePart.MatchString(s.Tokens[to].Norm); to++ {
			}
			i++
			if to <= i {
				i--
				continue
			}
		case otherNumber.MatchString(t.Norm) && i+1 < end:
			i, to = i+1, i+2
			if s.Tokens[i].Norm == "nr" || s.Tokens[i].Norm == "nr." || s.Tokens[i].Norm == "nr:" {
				to = min(to+1, end)
			}
		default:
			continue
		}
		s.Mark(layout.Between(i, to))
		i = max(i, to-1)
	}
}

var (
	nipWord  = regexp.MustCompile(`^(?:pl)?[-\s]*\d[\d-]*\d[.,;]?$`)
	nipLoose = regexp.MustCompile(`^(?:pl)?[-\s]*[\dolisbz|][\dolisbz|-]*[\dolisbz|][.,;]?$`)
	nipLabel = regexp.MustCompile(`\bn\.?i\.?p\b|nip\s*(?:nabywcy|sprzedawcy|ue)?\s*[:.]?\s*$|vat\s*(?:id|ue|no|nr)|` +
		`identyfikacji\s*podatk`)
	vatWord    = regexp.MustCompile(`^de[-\s]?[\d ]*$`)
	vatLoose   = regexp.MustCompile(`^de[\dolisbz| ]*$`)
	vatLabel   = regexp.MustCompile(`ust|umsatzsteuer|vat|steuer-?id|uid`)
	officeWord = regexp.MustCompile(`^\d{2,3}/\d{3,4}/\d{4,5}$`)
	officeHead = regexp.MustCompile(`st(?:euer)?[.-]*\s*-?(?:nr|nummer)|steuernummer`)
	sellerWord = regexp.MustCompile(`sprzedaw|wystawc|dostawc|sprzedaj|uslugodaw|verkauf|aussteller|rechnungssteller|lieferant|` +
		`leistungserbringer|` +
		`auftragnehmer|seller|supplier|rechnung\s*von`)
	buyerWord = regexp.MustCompile(`nabywc|kupuj|odbiorc|platnik|zamawiaj|uslugobior|\bkunde|\bkunden\b|kaufer|ihre?\s*(?:ust|umsatz|` +
		`steuer|nip|vat|uid)|` +
		`rechnungsempf|leistungsempf|` +
		`empfanger|auftraggeber|rechnung\s*an\b|buyer|customer|bill\s*to|rechnungsadresse|klient|\bdla\b`)
)

var asDigits = strings.NewReplacer("o", "0", "l", "1", "i", "1", "|", "1", "s", "5", "b", "8", "z", "2")

// taxIDs finds the valid tax ids and marks them.
func (s *sheet) taxIDs() (found []taxed) {
	for i := 0; i < len(s.Tokens); i++ {
		if s.Tokens[i].Value {
			continue
		}
		t, ok := s.taxID(i)
		if !ok {
			continue
		}
		t.top = float64(s.Tokens[i].Page) + s.Tokens[i].Box.Y0
		s.Mark(t.Span)
		s.Mark(t.rest)
		found = append(found, t)
		i = t.To - 1
	}
	for i := range found {
		s.role(&found[i])
	}
	return found
}

// taxID reads a tax id that begins with a token: whole, or in groups.
func (s *sheet) taxID(i int) (taxed, bool) {
	end := s.Cells[s.Tokens[i].Cell].To
	text := s.Before(layout.Between(i, i))
	if strings.TrimSpace(text) == "" {
		text = s.Left(layout.Between(i, i+1), false)
	}
	if strings.TrimSpace(text) == "" {
		text = s.Over(layout.Between(i, i+1), 1, false)
	}
	for n := 1; n <= 6 && i+n <= end; n++ {
		if n > 1 && s.Tokens[i+n-1].Value {
			break
		}
		run := strings.Trim(strings.ReplaceAll(s.Text(layout.Between(i, i+n)), " ", ""), ".,;:")
		german := strings.HasPrefix(run, "de")
		if len(run) > 16 || n == 1 && len(run) < 1 {
			break
		}
		t := taxed{Span: layout.Between(i, i+n)}
		if german {
			t.labelled = true
			if vatWord.MatchString(run) && len(run) == 11 || s.OCR && vatLoose.MatchString(run) && len(run) == 11 {
				digits := asDigits.Replace(run[2:])
				t.repaired = digits != run[2:]
				if id, err := official.ParseUStIdNr("DE" + digits); err == nil {
					t.id = string(id)
					return t, true
				}
			}
			continue
		}
		t.labelled = nipLabel.MatchString(text) || strings.HasPrefix(run, "pl")
		exact := nipWord.MatchString(run)
		if !exact && !(s.OCR && t.labelled && nipLoose.MatchString(run)) {
			if officeWord.MatchString(run) && officeHead.MatchString(text) {
				t.id, t.office = run, true
				return t, true
			}
			if n == 1 && run != "pl" {
				break
			}
			continue
		}
		digits := strings.TrimPrefix(run, "pl")
		if !exact {
			digits = asDigits.Replace(digits)
			t.repaired = true
		}
		if n > 1 && !t.labelled {
			continue // ten digits in several words may be anything
		}
		if len(strings.ReplaceAll(digits, "-", "")) != 10 || strings.HasPrefix(digits, "-") {
			continue
		}
		if !t.labelled && strings.Count(digits, "-") != 0 && strings.Count(digits, "-") != 3 {
			continue
		}
		if id, err := official.ParseNIP(digits); err == nil && !notTax.MatchString(text) {
			t.id = string(id)
			return t, true
		}
	}
	return s.brokenTaxID(i, text)
}

var (
	brokenNIP  = regexp.MustCompile(`^(?:pl)?\d[\d-]*$`)
	brokenVAT  = regexp.MustCompile(`^de\d*$`)
	brokenRest = regexp.MustCompile(`^[\d-]+$`)
)

// brokenTaxID reads a tax id that goes on in the next line. It has its label, ends its cell, and nothing but its other digits stands
// below it.
func (s *sheet) brokenTaxID(i int, text string) (taxed, bool) {
	cell := s.Cells[s.Tokens[i].Cell]
	head := strings.ReplaceAll(s.Text(layout.Between(i, cell.To)), " ", "")
	german := brokenVAT.MatchString(head)
	if !german && !(brokenNIP.MatchString(head) && nipLabel.MatchString(text)) || notTax.MatchString(text) {
		return taxed{}, false
	}
	last := s.Tokens[cell.To-1]
	for c := s.Tokens[i].Cell + 1; c < len(s.Cells); c++ {
		rest := s.Cells[c]
		t := s.Tokens[rest.From]
		if t.Page != last.Page || t.Y0-last.Y1 > last.Height() {
			break
		}
		beside := math.Min(math.Abs(t.X0-s.Tokens[cell.From].X0), math.Abs(t.X0-s.Tokens[i].X0))
		tail := strings.ReplaceAll(s.Text(rest), " ", "")
		if t.Row == last.Row || beside > 2*t.Height() || !brokenRest.MatchString(tail) {
			continue
		}
		whole := taxed{Span: layout.Between(i, cell.To), rest: rest, labelled: true}
		if german {
			id, err := official.ParseUStIdNr("DE" + head[2:] + tail)
			whole.id = string(id)
			return whole, err == nil
		}
		digits := strings.ReplaceAll(strings.TrimPrefix(head, "pl")+tail, "-", "")
		id, err := official.ParseNIP(digits)
		whole.id = string(id)
		return whole, err == nil && len(digits) == 10
	}
	return taxed{}, false
}

var notTax = regexp.MustCompile(`(?:krs|regon|bdo|tel|fax|konto|rachun|klient|kundennr|nr\s*rej|paragon|faktur\w*\s*(?:nr|vat)|` +
	`numer\s*fakt|nr\s*fakt|karta|zamow)\D*$`)

// role weighs what labels say about whose tax id it is.
func (s *sheet) role(t *taxed) {
	weigh := func(text string, weight float64) bool {
		a, b := lastIn(sellerWord, text), lastIn(buyerWord, text)
		switch {
		case a >= 0 && a > b:
			t.seller += weight
		case b >= 0:
			t.buyer += weight
		}
		return a >= 0 || b >= 0
	}
	if weigh(s.Before(t.Span), 3) || weigh(s.Left(t.Span, false), 2) {
		return
	}
	// the nearest label above, in the same column or to the left, with nothing but its own lines between
	me := s.Tokens[t.From]
	start := s.Tokens[s.Cells[me.Cell].From]
	near, weight := math.Inf(1), 0.0
	for c, cell := range s.Cells {
		head := s.Tokens[cell.From]
		if head.Page != me.Page || head.Y0 >= me.Y0-0.3*me.Height() || c == me.Cell {
			continue
		}
		text := s.label(cell)
		a, b := sellerWord.MatchString(text), buyerWord.MatchString(text)
		if a == b {
			continue
		}
		across, down := head.X0-start.X0, me.Y0-head.Y1
		if across > 2*me.Height() || down > 16*me.Height() || s.hole(head, start, me) {
			continue // to the right, far away, or of another block
		}
		apart := down + 0.5*math.Abs(across)
		if apart < near {
			near, weight = apart, 1
			if b {
				weight = -1
			}
		}
	}
	switch {
	case weight > 0:
		t.seller += 1.5 - near/(32*me.Height())
	case weight < 0:
		t.buyer += 1.5 - near/(32*me.Height()) // of two the nearer one
	}
}

// label is the text of a cell that may head a block: all of a short one, else its first words; nothing where it holds a tax id.
func (s *sheet) label(cell layout.Span) string {
	to := min(cell.To, cell.From+5)
	for i := cell.From; i < to; i++ {
		if strings.HasSuffix(s.Tokens[i].Raw, ":") {
			to = i + 1
			break
		}
	}
	if cell.To-cell.From > 5 && to == cell.From+5 {
		to = cell.From + 1
	}
	if to < cell.To && strings.Trim(s.Tokens[to].Raw, "0123456789") == "" {
		return "" // the number of a customer
	}
	for i := cell.From; i < cell.To; i++ {
		if s.Tokens[i].Value && i > cell.From && nipLabel.MatchString(s.Tokens[i-1].Norm) || vatLabel.MatchString(s.Tokens[i].Norm) {
			return ""
		}
	}
	return s.Text(layout.Between(cell.From, to))
}

// hole says whether a blank strip lies between a label and what stands below it in its column.
func (s *sheet) hole(head, start, me layout.Token) bool {
	left, right := math.Min(head.X0, start.X0)-me.Height(), start.X0+20*me.Height()
	lowest, most := head.Y1, 0.0
	for _, t := range s.Tokens {
		if t.Page == me.Page && t.X0 >= left && t.X0 <= right && t.Y0 > head.Y0 && t.Y0 <= me.Y0 {
			most = math.Max(most, t.Y0-lowest)
			lowest = math.Max(lowest, t.Y1)
		}
	}
	return most > 2.2*me.Height()
}

// taxFields chooses issuer and buyer.
func (s *sheet) taxFields(found []taxed) (fields []Field) {
	own := strings.ToUpper(strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' {
			return -1
		}
		return r
	}, s.hints.OwnTaxID))
	same := func(id string) bool { return own != "" && (id == own || "PL"+id == own || id == "DE"+own) }
	var issuer, buyer *taxed
	issuerSure, buyerSure := 0.0, 0.0
	for i := range found {
		if t := &found[i]; same(t.id) && (buyer == nil || t.labelled && !buyer.labelled) {
			buyer, buyerSure = t, 0.995
		}
	}
	var others []*taxed
	for i := range found {
		if t := &found[i]; !same(t.id) && !t.office {
			others = append(others, t)
		}
	}
	distinct := map[string]bool{}
	for _, t := range others {
		distinct[t.id] = true
	}
	pick := func(score func(*taxed) float64, not string, least float64) (chosen *taxed) {
		most := least
		for _, t := range others {
			if n := score(t); t.id != not && n > most {
				chosen, most = t, n
			}
		}
		return chosen
	}
	if buyer == nil {
		least := 0.0
		if len(distinct) == 1 && (own != "" || s.german()) {
			least = 1.6 // the buyer should be the partner, or has none: only a label right before it says otherwise
		}
		if buyer = pick(func(t *taxed) float64 { return t.buyer - t.seller }, "", least); buyer != nil {
			buyerSure = 0.95
			if buyer.buyer < 2 {
				buyerSure = 0.92
			}
		}
	}
	not := ""
	if buyer != nil {
		not = buyer.id
	}
	issuer = pick(func(t *taxed) float64 { return t.seller - t.buyer }, not, math.Inf(-1))
	switch {
	case issuer == nil:
	case issuer.seller > 0:
		issuerSure = 0.98
	case buyer != nil && (len(distinct) == 1 || len(distinct) == 2 && distinct[buyer.id]):
		issuerSure = 0.97 // the only other one
		if issuer.buyer > 0 && own == "" {
			issuerSure = 0.88
		}
	case len(distinct) == 1 && own != "":
		issuerSure = 0.93 // the only one, and not the partner's
	case len(distinct) == 1:
		issuerSure = 0.91
	default:
		issuerSure = 0.6
	}
	if issuer != nil && buyer == nil && len(distinct) == 2 && issuer.seller > 0 {
		if buyer = pick(func(t *taxed) float64 { return -t.seller }, issuer.id, math.Inf(-1)); buyer != nil {
			buyerSure = 0.85
		}
	}
	if issuer != nil && buyer == nil && own == "" && len(distinct) == 2 {
		if buyer = pick(func(*taxed) float64 { return 1 }, issuer.id, 0); buyer != nil {
			buyerSure = 0.6 // the second of two without labels
		}
	}
	if issuer == nil { // the number of a tax office, where no other stands
		for i := range found {
			if t := &found[i]; t.office && t.buyer == 0 {
				issuer, issuerSure = t, 0.92
				break
			}
		}
	}
	add := func(name string, t *taxed, sure float64) {
		if t == nil {
			return
		}
		if t.repaired {
			sure *= 0.9
		}
		if !t.labelled && !same(t.id) && !t.office {
			sure = math.Min(sure, 0.88)
		}
		f := s.field(name, t.id, t.Span, sure, "tax-id")
		if t.rest.From < t.rest.To {
			_, box, _ := s.Place(t.rest)
			f.Box = layout.Box{X0: min(f.Box.X0, box.X0), Y0: min(f.Box.Y0, box.Y0), X1: max(f.Box.X1, box.X1), Y1: max(f.Box.Y1, box.Y1)}
		}
		fields = append(fields, f)
	}
	add(IssuerTaxID, issuer, issuerSure)
	add(BuyerTaxID, buyer, buyerSure)
	return fields
}
