package bankstatement

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strings"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
)

// The parts of CAMT.053 that are read, of the versions 001.02 to 001.08 and
// later ones, which differ in where a party has its name and a state its code.
type camtDocument struct {
	XMLName    xml.Name   `xml:"Document"`
	Statements []camtStmt `xml:"BkToCstmrStmt>Stmt"`
}

type camtStmt struct {
	ID       string      `xml:"Id"`
	Account  camtAccount `xml:"Acct"`
	Balances []struct {
		Code   string     `xml:"Tp>CdOrPrtry>Cd"`
		Amount camtAmount `xml:"Amt"`
		Way    string     `xml:"CdtDbtInd"`
	} `xml:"Bal"`
	Entries []camtEntry `xml:"Ntry"`
}

type camtAmount struct {
	Currency string `xml:"Ccy,attr"`
	Text     string `xml:",chardata"`
}

type camtAccount struct {
	IBAN  string `xml:"Id>IBAN"`
	Other string `xml:"Id>Othr>Id"`
}

func (a camtAccount) number() string {
	if iban := account(a.IBAN); iban != "" {
		return iban
	}
	return account(a.Other)
}

type camtEntry struct {
	Amount   camtAmount `xml:"Amt"`
	Way      string     `xml:"CdtDbtInd"`
	Reversal string     `xml:"RvslInd"`
	State    struct {
		Text string `xml:",chardata"`
		Code string `xml:"Cd"`
	} `xml:"Sts"`
	Booked    camtDay      `xml:"BookgDt"`
	Value     camtDay      `xml:"ValDt"`
	Reference string       `xml:"AcctSvcrRef"`
	Details   []camtDetail `xml:"NtryDtls>TxDtls"`
	More      string       `xml:"AddtlNtryInf"`
}

type camtDay struct {
	Date string `xml:"Dt"`
	Time string `xml:"DtTm"`
}

type camtDetail struct {
	EndToEnd        string      `xml:"Refs>EndToEndId"`
	Reference       string      `xml:"Refs>AcctSvcrRef"`
	Amount          camtAmount  `xml:"Amt"`
	Instructed      camtAmount  `xml:"AmtDtls>TxAmt>Amt"`
	Way             string      `xml:"CdtDbtInd"`
	Debtor          camtParty   `xml:"RltdPties>Dbtr"`
	DebtorAccount   camtAccount `xml:"RltdPties>DbtrAcct"`
	Creditor        camtParty   `xml:"RltdPties>Cdtr"`
	CreditorAccount camtAccount `xml:"RltdPties>CdtrAcct"`
	Words           []string    `xml:"RmtInf>Ustrd"`
	Structured      []string    `xml:"RmtInf>Strd>CdtrRefInf>Ref"`
	Return          *struct {
		Code  string   `xml:"Rsn>Cd"`
		Own   string   `xml:"Rsn>Prtry"`
		Words []string `xml:"AddtlInf"`
	} `xml:"RtrInf"`
}

type camtParty struct {
	Name  string `xml:"Nm"`
	Party string `xml:"Pty>Nm"`
}

func (p camtParty) name() string { return tidy(p.Name + " " + p.Party) }

var decimalOf = regexp.MustCompile(`^[0-9]{1,13}(\.[0-9]{1,5})?$`)

// elementOf is the beginning of an element that is kept in memory while a file is read.
var elementOf = regexp.MustCompile(`<(?:[^\s<>/:]+:)?(?:Stmt|Bal|Ntry|TxDtls)[\s/>]`)

func readCAMT(file []byte) ([]Statement, error) {
	const maximum = 2*EntriesMost + 1000
	if len(elementOf.FindAllIndex(file, maximum+1)) > maximum {
		return nil, refuse(TooLarge, "the XML")
	}
	var doc camtDocument
	if err := xml.Unmarshal(file, &doc); err != nil {
		return nil, refuse(Malformed, "the XML")
	}
	if !strings.Contains(doc.XMLName.Space, ":camt.053.001.") || len(doc.Statements) == 0 {
		return nil, refuse(Unknown, "Document")
	}
	var done []Statement
	entries := 0
	for i := range doc.Statements {
		c := &doc.Statements[i]
		place := fmt.Sprintf("Stmt[%d]", i+1)
		s, err := c.balances(place)
		if err != nil {
			return nil, err
		}
		for j := range c.Entries {
			made, err := c.Entries[j].entries(&s, fmt.Sprintf("%s/Ntry[%d]", place, j+1))
			if err != nil {
				return nil, err
			}
			if entries += len(made); entries > EntriesMost {
				return nil, refuse(TooLarge, place)
			}
			s.Entries = append(s.Entries, made...)
		}
		for j := range s.Entries {
			if e := &s.Entries[j]; e.Returned && e.Reason == "" {
				e.Reason = e.Title
			}
		}
		if err := s.check(place); err != nil {
			return nil, err
		}
		done = append(done, s)
	}
	return done, nil
}

// balances gives a statement with its balances and without entries. Pages of a
// statement in the middle have interim balances.
func (c *camtStmt) balances(place string) (s Statement, err error) {
	s = Statement{Account: c.Account.number(), Number: tidy(c.ID)}
	first, last := -1, -1
	for i, b := range c.Balances {
		switch strings.TrimSpace(b.Code) {
		case "OPBD", "PRCD":
			first = i
		case "CLBD":
			last = i
		}
	}
	for i, b := range c.Balances {
		if strings.TrimSpace(b.Code) != "ITBD" {
			continue
		}
		if first < 0 {
			first = i
		} else if last < 0 || strings.TrimSpace(c.Balances[last].Code) == "ITBD" {
			last = i
		}
	}
	if first < 0 || last < 0 {
		return s, refuse(NoBalance, place)
	}
	opening, closing := c.Balances[first], c.Balances[last]
	s.Currency = money.Currency(strings.TrimSpace(opening.Amount.Currency))
	if s.Opening, err = opening.Amount.signed(opening.Way, s.Currency, place+"/Bal"); err != nil {
		return s, err
	}
	s.Closing, err = closing.Amount.signed(closing.Way, s.Currency, place+"/Bal")
	return s, err
}

// signed is an amount in its direction.
func (a camtAmount) signed(way string, currency money.Currency, place string) (money.Amount, error) {
	text := strings.TrimSpace(a.Text)
	if !decimalOf.MatchString(text) {
		return 0, refuse(Malformed, place)
	}
	amount, err := money.Parse(text, money.DotDecimal)
	if err != nil {
		return 0, refuse(Malformed, place)
	}
	if own := strings.TrimSpace(a.Currency); own == "" || money.Currency(own) != currency {
		return 0, refuse(Currency, place)
	}
	switch strings.TrimSpace(way) {
	case "CRDT":
		return amount, nil
	case "DBIT":
		return -amount, nil
	}
	return 0, refuse(Malformed, place)
}

func (d camtDay) day() (calendar.Date, bool) {
	text := strings.TrimSpace(d.Date)
	if text == "" {
		text = strings.TrimSpace(d.Time)
	}
	if len(text) > 10 {
		text = text[:10]
	}
	date, err := calendar.ParseDate(text)
	return date, err == nil
}

// entries are what one entry of the file is about: its details where they have
// amounts of their own, which must be its amount together. What is not booked
// is in no balance and gives none.
func (c *camtEntry) entries(s *Statement, place string) ([]Entry, error) {
	state := strings.TrimSpace(c.State.Code + c.State.Text)
	if state == "PDNG" || state == "INFO" || state == "FUTR" {
		return nil, nil
	}
	amount, err := c.Amount.signed(c.Way, s.Currency, place)
	if err != nil {
		return nil, err
	}
	on, ok := c.Booked.day()
	if !ok {
		if on, ok = c.Value.day(); !ok {
			return nil, refuse(Malformed, place)
		}
	}
	base := Entry{Day: on, Amount: amount, Currency: s.Currency, Title: tidy(c.More), Reference: reference(c.Reference),
		Returned: truth(c.Reversal), Place: place}
	switch len(c.Details) {
	case 0:
		return []Entry{base}, nil
	case 1:
		c.Details[0].describe(&base, s.Account)
		return []Entry{base}, nil
	}
	return c.divided(s, base)
}

// divided are the details of an entry as entries. Where none has an amount the
// entry stays one sum.
func (c *camtEntry) divided(s *Statement, base Entry) ([]Entry, error) {
	var list []Entry
	sum, amounts := money.Amount(0), 0
	for i := range c.Details {
		d := &c.Details[i]
		one := base
		one.Place = fmt.Sprintf("%s/TxDtls[%d]", base.Place, i+1)
		value := d.Amount
		if strings.TrimSpace(value.Text) == "" {
			value = d.Instructed
		}
		if strings.TrimSpace(value.Text) == "" {
			continue
		}
		amounts++
		way := c.Way
		if strings.TrimSpace(d.Way) != "" {
			way = d.Way
		}
		var err error
		if one.Amount, err = value.signed(way, s.Currency, one.Place); err != nil {
			return nil, err
		}
		if sum, err = sum.Add(one.Amount); err != nil {
			return nil, refuse(Malformed, one.Place)
		}
		d.describe(&one, s.Account)
		list = append(list, one)
	}
	switch {
	case amounts == 0:
		return []Entry{base}, nil
	case amounts != len(c.Details) || sum != base.Amount:
		return nil, refuse(Divided, base.Place)
	}
	return list, nil
}

// describe adds what a detail says. The other side is the one whose account is
// not the statement's; of a return it is often still the payee of the original.
func (d *camtDetail) describe(e *Entry, own string) {
	if title := tidy(strings.Join(append(d.Words, d.Structured...), " ")); title != "" {
		e.Title = title
	}
	e.EndToEnd = reference(d.EndToEnd)
	if value := reference(d.Reference); value != "" {
		e.Reference = value
	}
	if r := d.Return; r != nil {
		e.Returned, e.Reason = true, tidy(r.Code+" "+r.Own+" "+strings.Join(r.Words, " "))
	}
	payee := e.Amount < 0 || e.Returned
	if payee && own != "" && d.CreditorAccount.number() == own {
		payee = false
	} else if !payee && own != "" && d.DebtorAccount.number() == own {
		payee = true
	}
	if payee {
		e.Account, e.Name = d.CreditorAccount.number(), d.Creditor.name()
	} else {
		e.Account, e.Name = d.DebtorAccount.number(), d.Debtor.name()
	}
}

// reference is an id, or nothing where it says that there is none.
func reference(text string) string {
	if text = tidy(text); text == "NOTPROVIDED" || text == "NONREF" {
		return ""
	}
	return text
}

func truth(text string) bool {
	text = strings.TrimSpace(text)
	return text == "true" || text == "1"
}
