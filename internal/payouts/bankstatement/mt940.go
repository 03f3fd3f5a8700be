package bankstatement

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
)

var (
	fieldOf   = regexp.MustCompile(`^:([0-9]{2}[A-Z]?|NS):`)
	balanceOf = regexp.MustCompile(`^([CD])([0-9]{6})([A-Z]{3})([0-9]{1,13})[,.]([0-9]{0,2})$`)
	// value date, day of booking, direction, third letter of the currency, amount, kind, references
	lineOf   = regexp.MustCompile(`^([0-9]{6})([0-9]{4})?(R?[CD])([A-Z])?([0-9]{1,13})[,.]([0-9]{0,2})([NFS][A-Z0-9]{3})(.*)$`)
	headerOf = regexp.MustCompile(`^(\{[1-35]:.*\})*\{4:`)
)

// field is one with all of its lines.
type field struct {
	tag   string
	lines []string
	at    int // line of the file, from 1
}

func (f field) place() string { return fmt.Sprintf("line %d :%s:", f.at, f.tag) }

func readMT940(text string) ([]Statement, error) {
	var m messages
	if err := eachField(text, m.take); err != nil {
		return nil, err
	}
	if m.open != nil {
		return nil, refuse(Cut, m.begun.place())
	}
	return m.done, nil
}

// eachField hands over the fields of all messages, one after the other.
func eachField(text string, take func(field) error) error {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	at := 0
	var f field
	for line := range strings.SplitSeq(text, "\n") {
		at++
		line = strings.Trim(line, "\x00\x01\x02\x03\x1a")
		line = strings.TrimRight(headerOf.ReplaceAllString(line, ""), " \t")
		if line == "" || line == "-" || strings.HasPrefix(line, "-}") {
			continue
		}
		if found := fieldOf.FindStringSubmatch(line); found != nil {
			if f.tag != "" {
				if err := take(f); err != nil {
					return err
				}
			} else if found[1] != "20" {
				return refuse(Unknown, fmt.Sprintf("line %d", at))
			}
			f = field{found[1], []string{line[len(found[0]):]}, at}
			continue
		}
		if f.tag == "" {
			return refuse(Unknown, fmt.Sprintf("line %d", at))
		}
		if f.lines = append(f.lines, line); len(f.lines) > linesMost {
			return refuse(TooLarge, f.place())
		}
	}
	if f.tag == "" {
		return refuse(Empty, "the file")
	}
	return take(f)
}

// messages are statements on their way.
type messages struct {
	done    []Statement
	open    *Statement
	begun   field
	opened  bool   // the opening balance was read
	goes    bool   // the last statement goes on in the next message
	before  string // the tag of the field before
	entries int
}

func (m *messages) take(f field) error {
	before := m.before
	m.before = f.tag
	if f.tag == "20" {
		if m.open != nil {
			return refuse(Cut, m.begun.place())
		}
		if len(m.done) >= EntriesMost {
			return refuse(TooLarge, f.place())
		}
		m.open, m.begun, m.opened = &Statement{}, f, false
		return nil
	}
	if m.open == nil { // what follows the closing balance
		if f.tag == "61" || f.tag == "60F" || f.tag == "60M" || f.tag == "62F" || f.tag == "62M" {
			return refuse(Malformed, f.place())
		}
		return nil
	}
	s := m.open
	switch f.tag {
	case "25":
		s.Account = account(f.lines[0])
	case "28", "28C":
		s.Number = tidy(f.lines[0])
	case "60F", "60M":
		return m.opening(f)
	case "61":
		if !m.opened {
			return refuse(NoBalance, f.place())
		}
		if m.entries++; m.entries > EntriesMost {
			return refuse(TooLarge, f.place())
		}
		e, err := entryOf(f)
		e.Currency = s.Currency
		s.Entries = append(s.Entries, e)
		return err
	case "86":
		if before == "61" {
			s.Entries[len(s.Entries)-1].describe(f.lines)
		}
	case "62F", "62M":
		return m.closing(f)
	}
	return nil
}

func (m *messages) opening(f field) (err error) {
	s := m.open
	if m.opened {
		return refuse(Malformed, f.place())
	}
	if s.Opening, s.Currency, err = balance(f); err != nil {
		return err
	}
	m.opened = true
	if goes := m.goes && f.tag == "60M"; goes {
		if last := m.done[len(m.done)-1]; last.Account == s.Account && last.Currency == s.Currency && last.Closing != s.Opening {
			return refuse(Unequal, f.place())
		}
	}
	return nil
}

func (m *messages) closing(f field) error {
	s := m.open
	if !m.opened {
		return refuse(NoBalance, f.place())
	}
	closing, currency, err := balance(f)
	if err != nil {
		return err
	}
	if currency != s.Currency {
		return refuse(Currency, f.place())
	}
	s.Closing = closing
	if err := s.check(f.place()); err != nil {
		return err
	}
	m.done, m.open, m.goes = append(m.done, *s), nil, f.tag == "62M"
	return nil
}

func balance(f field) (money.Amount, money.Currency, error) {
	found := balanceOf.FindStringSubmatch(strings.TrimSpace(f.lines[0]))
	if found == nil {
		return 0, "", refuse(Malformed, f.place())
	}
	if _, ok := day(found[2], ""); !ok {
		return 0, "", refuse(Malformed, f.place())
	}
	amount, err := minor(found[4], found[5])
	if err != nil {
		return 0, "", refuse(Malformed, f.place())
	}
	if found[1] == "D" {
		amount = -amount
	}
	return amount, money.Currency(found[3]), nil
}

// minor is an amount of at most 13 digits and two decimals.
func minor(whole, decimals string) (money.Amount, error) {
	n, err := strconv.ParseInt(whole+(decimals + "00")[:2], 10, 64)
	return money.Amount(n), err
}

// day is the day of booking, whose year is that of the value date or, around
// New Year, the one beside it; the value date itself where there is none.
func day(value, booked string) (calendar.Date, bool) {
	year, _ := strconv.Atoi(value[:2])
	if year += 2000; year >= 2080 {
		year -= 100
	}
	month := value[2:4]
	if booked != "" {
		switch {
		case month == "12" && booked[:2] == "01":
			year++
		case month == "01" && booked[:2] == "12":
			year--
		}
		value = value[:2] + booked
	}
	date, err := calendar.ParseDate(fmt.Sprintf("%04d-%s-%s", year, value[2:4], value[4:6]))
	return date, err == nil
}

func entryOf(f field) (e Entry, err error) {
	e.Place = f.place()
	found := lineOf.FindStringSubmatch(strings.TrimSpace(f.lines[0]))
	if found == nil {
		return e, refuse(Malformed, e.Place)
	}
	var ok bool
	if _, ok = day(found[1], ""); ok {
		e.Day, ok = day(found[1], found[2])
	}
	if !ok {
		return e, refuse(Malformed, e.Place)
	}
	if e.Amount, err = minor(found[5], found[6]); err != nil {
		return e, refuse(Malformed, e.Place)
	}
	if found[3] == "D" || found[3] == "RC" {
		e.Amount = -e.Amount
	}
	e.Returned = strings.HasPrefix(found[3], "R") || found[7] == "NRTI"
	payers, banks, _ := strings.Cut(found[8], "//")
	if payers = tidy(payers); payers != "NONREF" && payers != "NOREF" {
		e.EndToEnd = payers
	}
	e.Reference = tidy(banks)
	return e, nil
}
