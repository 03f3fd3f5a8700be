package summaries

import (
	"strconv"
	"strings"
	"time"

	"saldo/internal/calendar"
	"saldo/internal/mail"
	"saldo/internal/money"
	"saldo/internal/outbox"
	"saldo/internal/texts"
)

// languageOf is the driver's own, else that of the instance.
func (d *Desk) languageOf(c *candidate) texts.Language {
	if own, ok := texts.Parse(c.SummaryLanguage); ok {
		return own
	}
	return texts.Language(d.Instance.Language)
}

func (d *Desk) letter(c *candidate, partner string, l texts.Language, link string, expires time.Time) outbox.Letter {
	days := day(l, c.FirstOn) + "–" + day(l, c.LastOn)
	return outbox.Letter{
		To:      mail.Address{Name: c.FirstName + " " + c.LastName, Address: c.Email},
		Subject: texts.Of(l, "mail.summary.subject", "partner", partner, "days", days),
		Text: texts.Of(l, "mail.summary.body", "driver", c.FirstName, "partner", partner, "days", days, "amount", amount(l, c.Payout)+"\u00a0"+c.Currency.Sign(),
			"link", link, "until", day(l, calendar.DateOf(expires, d.Instance.Location(), 0))),
		Language: string(l),
	}
}

// amount writes money as the language does.
func amount(l texts.Language, a money.Amount) string {
	group, point := "\u00a0", ","
	switch l {
	case texts.English:
		group, point = ",", "."
	case texts.German:
		group = "."
	}
	whole, cents, _ := strings.Cut(strings.TrimPrefix(a.String(), "-"), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + group + whole[i:]
	}
	if a < 0 {
		whole = "−" + whole
	}
	return whole + point + cents
}

// day writes a day so that nobody takes the month for it.
func day(l texts.Language, d calendar.Date) string {
	year, month, of := string(d[:4]), string(d[5:7]), string(d[8:])
	if l == texts.English {
		n, _ := strconv.Atoi(month)
		return strings.TrimPrefix(of, "0") + " " + time.Month(n).String()[:3] + " " + year
	}
	return of + "." + month + "." + year
}
