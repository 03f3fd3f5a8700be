// Package einvoice writes invoices as machines of tax offices and buyers read them. It decides about no amount: what it
// is given is what it writes, and what does not add up is refused.
package einvoice

import (
	"fmt"
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
)

// Invoice is what one company bills to another: a driver's to a fleet, written by the fleet, or that of whoever runs Saldo, written by
// itself.
type Invoice struct {
	Number   string
	IssuedOn calendar.Date
	From, To calendar.Date // first and last day that is billed
	MadeAt   time.Time     // when the file is made
	Currency money.Currency
	Seller   Party
	Buyer    Party
	Lines    []Line
	Exempt   string           // the law by which lines without VAT have none
	PayBy    calendar.Date    // empty: it says none
	Account  official.Account // of the seller; empty: it names none
	Split    bool             // must be paid by split payment
	BySeller bool             // the seller writes it; else the buyer does (self-billed)
	PaidOn   calendar.Date    // it was paid online on that day; empty: it is to be paid
	Corrects *Corrected       // nil: it corrects none. A correction takes all lines of the corrected invoice back.
	Reason   string           // of a correction
}

// Corrected names the invoice that a correction takes back.
type Corrected struct {
	Number     string
	IssuedOn   calendar.Date
	KSeFNumber string // empty: KSeF does not have it
	Left       []Line // what is left of each line, in their order; none: nothing is
}

// Party is whoever sells or buys.
type Party struct {
	Name, TaxID   string
	Street, Place string
	Country       string
}

// Line is one service.
type Line struct {
	Text string
	Net  money.Amount
	VAT  money.Amount
	Rate Rate
	// Quantity of pieces that cost Price each without VAT; 0: the line is one service.
	Quantity int64
	Price    money.Amount
}

// Rate is a rate of VAT in whole percent, or Free.
type Rate int

// Free is the rate of who is exempt from VAT; Reversed that of a service to a company in another country of the European Union, which
// owes the VAT there.
const (
	Free     Rate = -1
	Reversed Rate = -2
)

// quantity is how many pieces a line has.
func (l Line) quantity() int64 { return max(l.Quantity, 1) }

// price is what a piece costs.
func (l Line) price() money.Amount {
	if l.Quantity > 0 {
		return l.Price
	}
	return l.Net
}

// Reason is why an invoice cannot be written.
type Reason string

// The reasons.
const (
	NoNumber     Reason = "no_number"
	WrongDate    Reason = "wrong_date"
	NoLines      Reason = "no_lines"
	NoName       Reason = "no_name"
	WrongTaxID   Reason = "wrong_tax_id"
	NoAddress    Reason = "no_address"
	WrongRate    Reason = "wrong_rate"
	WrongVAT     Reason = "wrong_vat" // not the rate's share of the net amount
	NoExemption  Reason = "no_exemption"
	WrongAccount Reason = "wrong_account"
	TooLarge     Reason = "too_large"
	TooLong      Reason = "too_long"
)

// Refusal says why nothing was written.
type Refusal struct {
	Reason Reason
	Found  string
}

func (r Refusal) Error() string { return fmt.Sprintf("e-invoice: %s %q", r.Reason, r.Found) }

// totals are the sums of an invoice by rate, and of it all.
type totals struct {
	net, vat map[Rate]money.Amount
	gross    money.Amount
}

// checked adds the invoice up and refuses what no invoice may have.
func (i Invoice) checked(rates []Rate, tax func(Party) error) (totals, error) {
	sums := totals{net: map[Rate]money.Amount{}, vat: map[Rate]money.Amount{}}
	switch {
	case strings.TrimSpace(i.Number) == "":
		return sums, Refusal{NoNumber, ""}
	case !i.IssuedOn.Exists() || !i.From.Exists() || !i.To.Exists() || i.From > i.To || i.PayBy != "" && !i.PayBy.Exists() ||
		i.PaidOn != "" && !i.PaidOn.Exists():
		return sums, Refusal{WrongDate, string(i.IssuedOn)}
	case len(i.Lines) == 0:
		return sums, Refusal{NoLines, ""}
	case i.Corrects != nil && (strings.TrimSpace(i.Corrects.Number) == "" || strings.TrimSpace(i.Reason) == ""):
		return sums, Refusal{NoNumber, i.Reason}
	case i.Corrects != nil && (!i.Corrects.IssuedOn.Exists() || i.Corrects.IssuedOn > i.IssuedOn):
		return sums, Refusal{WrongDate, string(i.Corrects.IssuedOn)}
	}
	for _, p := range []Party{i.Seller, i.Buyer} {
		switch {
		case strings.TrimSpace(p.Name) == "":
			return sums, Refusal{NoName, ""}
		case strings.TrimSpace(p.Street+p.Place) == "" || len(p.Country) != 2:
			return sums, Refusal{NoAddress, p.Name}
		}
		if err := tax(p); err != nil {
			return sums, Refusal{WrongTaxID, p.Name}
		}
	}
	if i.Account != "" {
		if parsed, err := official.ParseAccount(string(i.Account)); err != nil || parsed != i.Account {
			return sums, Refusal{WrongAccount, ""}
		}
	}
	for _, line := range i.Lines {
		if err := sums.add(i, line, rates); err != nil {
			return sums, err
		}
	}
	if i.Corrects != nil {
		left := totals{net: map[Rate]money.Amount{}, vat: map[Rate]money.Amount{}}
		if len(i.Corrects.Left) != 0 && len(i.Corrects.Left) != len(i.Lines) {
			return sums, Refusal{NoLines, ""}
		}
		for _, line := range i.Corrects.Left {
			if err := left.add(i, line, rates); err != nil {
				return sums, err
			}
		}
		sums.negate(left)
	}
	return sums, nil
}

// negate makes the sums those of a correction: the difference between what is left and what was there.
func (s *totals) negate(left totals) {
	for rate := range s.net {
		s.net[rate], s.vat[rate] = left.net[rate]-s.net[rate], left.vat[rate]-s.vat[rate]
	}
	s.gross = left.gross - s.gross
}

func (s *totals) add(i Invoice, line Line, rates []Rate) error {
	known := false
	for _, rate := range rates {
		known = known || rate == line.Rate
	}
	share := 100 * int64(line.VAT) // against net x rate: apart by half a unit at most, either way of rounding
	exact := int64(line.Net) * int64(max(line.Rate, 0))
	switch {
	case !known:
		return Refusal{WrongRate, fmt.Sprint(int(line.Rate))}
	case strings.TrimSpace(line.Text) == "":
		return Refusal{NoLines, ""}
	case line.Net > maximum || line.Net < -maximum:
		return Refusal{TooLarge, line.Net.String()}
	case line.Quantity < 0 || line.Quantity > 0 && line.Net != line.Price*money.Amount(line.Quantity):
		return Refusal{TooLarge, line.Net.String()}
	case line.Rate < 0 && i.Exempt == "":
		return Refusal{NoExemption, ""}
	case share-exact > 100 || exact-share > 100: // VAT taken out of a gross amount may be a unit off
		return Refusal{WrongVAT, line.VAT.String()}
	}
	s.net[line.Rate] += line.Net
	s.vat[line.Rate] += line.VAT
	s.gross += line.Net + line.VAT
	return nil
}

// maximum is more than anybody bills in a line; what is less can be added up a million times.
const maximum money.Amount = 100_000_000_00
