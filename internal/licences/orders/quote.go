package orders

import (
	"fmt"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/licences"
	"saldo/internal/platform/db"
)

// Quote is what so many pieces of a package cost a buyer.
type Quote struct {
	Package         Package
	Quantity, Units int64
	VATRate         money.Rate // 0 where the buyer owes the VAT
	ReverseCharge   bool
	Net, VAT, Gross money.Amount
	WeeklyUse       int64 // units of a week; 0: nothing is known
	Weeks           int64 // how long what is left and what is bought lasts at that; 0: nobody knows
}

// reverseFrom are the days from which services for companies in other countries of the European Union are taxed there, by country of the
// seller (article 196 of directive 2006/112/EC; Poland: art. 28b of the VAT act, Germany: § 13b UStG in mirror image).
var reverseFrom = map[string]calendar.Date{"PL": "2011-07-01", "DE": "2010-01-01"}

// reverse says whether the buyer owes the VAT. Their number was checked with the rest of the form.
func (s *Service) reverse(country string, day calendar.Date) bool {
	from, known := reverseFrom[s.country()]
	return known && country != "" && country != s.country() && day >= from
}

// Quote computes what an order would cost. VAT is the share of the net amount of it all, rounded once.
func (s *Service) Quote(tx *db.Tx, code string, quantity int64, country string) (q Quote, err error) {
	if q.Package, err = s.packageOf(tx, code); err != nil {
		return q, err
	}
	p := &q.Package
	switch {
	case quantity < p.MinQuantity:
		return q, ErrInvalid.Field("quantity", fault.TooSmall, "min", fmt.Sprint(p.MinQuantity))
	case quantity > p.MaxQuantity:
		return q, ErrInvalid.Field("quantity", fault.TooBig, "max", fmt.Sprint(p.MaxQuantity))
	}
	q.Quantity, q.Units, q.VATRate = quantity, quantity*p.Units, p.VATRate
	q.Net = p.NetPrice * money.Amount(quantity) // bounded when the package was checked
	if q.ReverseCharge = s.reverse(country, calendar.Date(s.today(tx.Now))); q.ReverseCharge {
		q.VATRate = 0
	}
	if q.VAT, err = money.Share(q.Net, q.VATRate); err != nil {
		return q, err
	}
	q.Gross = q.Net + q.VAT
	if q.WeeklyUse, err = licences.WeeklyUse(tx); err != nil || q.WeeklyUse == 0 {
		return q, err
	}
	left, err := licences.Left(tx)
	q.Weeks = (left + q.Units) / q.WeeklyUse
	return q, err
}
