package reading

import (
	"regexp"
	"strconv"
	"strings"

	"saldo/internal/invoices/layout"
)

var (
	plateLabel = regexp.MustCompile(`(?:nr\.?|numer)\s*\.?\s*rej|rejestr|rejestracyjn|\brej\.|tablic|pojazd|samoch|auto\b|` +
		`kennzeichen|kfz|kz\.?:|fahrzeug|` +
		`vehicle|plate|reg\.?\s*no|wagen|pol\.\s*kennz|amtl`)
	notPlate = regexp.MustCompile(`dowod|typ|marka|model|vin|fahrgestell|fin\b|hsn|tsn|identnr|nadwoz`)
	plPlate  = regexp.MustCompile(`^[A-Z]{1,3}[ -]?[A-Z0-9]{3,5}$`)
	dePlate  = regexp.MustCompile(`^[A-ZÄÖÜ]{1,3}[- :.]?[ ]?[A-Z]{1,2}[- ]?\d{1,4}[EH]?$`)
	kmLabel  = regexp.MustCompile(`przebieg|licznik|km-?\s*stand|kilometer-?\s*stand|tacho|mileage|odometer|laufleistung|stan\s*km|` +
		`kilometr|stand\s*km|` +
		`\bkm\s*:|drogomierz|fahrleistung`)
	notKm = regexp.MustCompile(`gwaran|nastepn|nachst|garant|interwal|intervall|\bdo\b|\bco\b|alle|bis|max|wymian|nach\b|limit|` +
		`spalan|/100`)
	kmRun  = regexp.MustCompile(`^\d{1,3}(?:[ .,' ]?\d{3})*$`)
	kmDigs = regexp.MustCompile(`^[\d .,']+$`)
)

// labelled is how much the texts around a value say that it is what the label names: in its cell, to its left, above it.
func (s *sheet) labelled(p layout.Span, label, not *regexp.Regexp) (weight float64) {
	for n, text := range []string{s.Before(p), s.Left(p, false), s.Over(p, 2, false)} {
		if text == "" {
			continue
		}
		if at := lastIn(label, text); at >= 0 {
			if wrong := lastIn(not, text); wrong >= 0 && (wrong > at || n == 0) && !(wrong < at && n > 0) {
				return 0
			}
			return [...]float64{3, 2, 2.2}[n]
		}
		if n == 0 && len(strings.Fields(text)) > 0 && strings.Trim(text, " :.-/") != "" && !fillers.MatchString(text) {
			return 0 // words of another kind stand right before it
		}
	}
	return 0
}

var fillers = regexp.MustCompile(`^(?:[:.#/-]|nr\.?:?|no\.?|numer:?|pl|d|ca\.?|km|auto|marki?)(?:\s|$)`)

// plate finds the registration of the vehicle.
func (s *sheet) plate() (Field, bool) {
	german := s.german()
	var chosen Field
	different := map[string]bool{}
	for i := range s.Tokens {
		cell := s.Cells[s.Tokens[i].Cell]
		for n := 3; n >= 1; n-- {
			if i+n > cell.To || s.AnyValue(layout.Between(i, i+n)) {
				continue
			}
			raw := strings.ToUpper(strings.Trim(s.Raw(layout.Between(i, i+n)), " ,;.()"))
			fits, ok := plateOf(raw, german)
			if !ok || n > 1 && !s.Near(layout.Between(i, i+n)) || n == 1 && len([]rune(fits)) < 4 {
				continue
			}
			weight := s.labelled(layout.Between(i, i+n), plateLabel, notPlate)
			if weight == 0 {
				continue
			}
			sure := 0.95
			if weight < 3 {
				sure = 0.93
			}
			if s.OCR && strings.ContainsAny(fits[min(2, len(fits)):], "OIQ") {
				sure *= 0.9
			}
			f := s.field(Registration, fits, layout.Between(i, i+n), sure, "label")
			f = s.known(f)
			different[f.Value] = true
			if f.Sure > chosen.Sure {
				chosen = f
			}
			break
		}
	}
	switch {
	case len(different) > 1 && chosen.Rule != "known" && !s.OCR:
		return Field{}, false // an invoice for several vehicles
	case len(different) > 1:
		chosen.Sure = min(chosen.Sure, 0.85)
	case chosen.Name == "":
		chosen = s.knownPlate()
	}
	return chosen, chosen.Name != ""
}

// plateOf is the registration without blanks, where the text is one.
func plateOf(text string, german bool) (string, bool) {
	text = strings.NewReplacer("–", "-", "—", "-", ":", "-", ".", "-", "*", "-").Replace(text)
	if !strings.ContainsAny(text, "0123456789") || text == "" || text[0] >= '0' && text[0] <= '9' {
		return "", false
	}
	joined := strings.NewReplacer(" ", "", "-", "").Replace(text)
	if german && dePlate.MatchString(text) || !german && plPlate.MatchString(text) && len(joined) >= 5 && len(joined) <= 8 {
		return joined, len([]rune(joined)) <= 9
	}
	// a vehicle of the other country
	if !german && strings.Contains(text, "-") && dePlate.MatchString(text) {
		return joined, true
	}
	return "", false
}

// known compares a registration with the vehicles of the driver: one that differs by a letter is offered as theirs, and marked.
func (s *sheet) known(f Field) Field {
	for _, p := range s.hints.Plates {
		p = strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(p))
		switch layout.Edits([]rune(p), []rune(f.Value), 1) {
		case 0:
			f.Sure, f.Rule = max(f.Sure, 0.98), "known"
			return f
		case 1:
			if s.OCR {
				f.Value, f.Sure, f.Rule = p, min(f.Sure, 0.85), "near-known"
			}
		}
	}
	return f
}

// knownPlate finds a vehicle of the driver that stands anywhere without a label.
func (s *sheet) knownPlate() Field {
	for _, p := range s.hints.Plates {
		p = strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(p))
		if len(p) < 5 {
			continue
		}
		for i := range s.Tokens {
			for n := 1; n <= 3 && i+n <= s.Cells[s.Tokens[i].Cell].To; n++ {
				if strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(s.Raw(layout.Between(i, i+n)))) == p {
					return s.field(Registration, p, layout.Between(i, i+n), 0.9, "known")
				}
			}
		}
	}
	return Field{}
}

// mileage finds what the odometer showed.
func (s *sheet) mileage() (Field, bool) {
	var chosen Field
	for i := range s.Tokens {
		cell := s.Cells[s.Tokens[i].Cell]
		for n := 3; n >= 1; n-- {
			if i+n > cell.To {
				continue
			}
			p := layout.Between(i, i+n)
			raw := strings.TrimRight(strings.ReplaceAll(s.Raw(p), "\u00a0", " "), " .,;")
			if !kmDigs.MatchString(raw) || !kmRun.MatchString(raw) || n > 1 && !s.Near(p) {
				if m := plainKm.FindStringSubmatch(s.Text(p)); n != 1 || m == nil {
					continue
				} else {
					raw = m[1]
				}
			}
			digits := strings.Map(func(r rune) rune {
				if r < '0' || r > '9' {
					return -1
				}
				return r
			}, raw)
			if len(digits) < 3 || len(digits) > 7 || digits[0] == '0' && len(digits) > 1 {
				continue
			}
			if s.AnyValue(p) {
				continue
			}
			weight := s.labelled(p, kmLabel, notKm)
			if weight == 0 {
				continue
			}
			km, err := strconv.Atoi(digits)
			if err != nil || km < 100 || km > 2_000_000 {
				continue
			}
			f := s.field(Mileage, strconv.Itoa(km), p, 0.95, "label")
			if weight < 3 {
				f.Sure *= 0.98
			}
			if km < 1000 {
				f.Sure *= 0.9
			}
			if f.Sure > chosen.Sure {
				chosen = f
			}
			break
		}
	}
	return chosen, chosen.Name != ""
}

var plainKm = regexp.MustCompile(`^(\d{4,6})(?:km)?[.,;]?$`)
