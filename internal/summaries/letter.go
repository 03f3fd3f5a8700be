package summaries

import (
	"strings"
	"time"

	"saldo/internal/calendar"
	"saldo/internal/mail"
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

func (d *Desk) letter(c *candidate, partner string, l texts.Language, token string, expires time.Time) outbox.Letter {
	days := day(l, c.FirstOn) + "–" + day(l, c.LastOn)
	return outbox.Letter{
		To:      mail.Address{Name: c.FirstName + " " + c.LastName, Address: c.Email},
		Subject: texts.Of(l, "mail.summary.subject", "partner", partner, "days", days),
		Text: texts.Of(l, "mail.summary.body", "driver", c.FirstName, "partner", partner, "days", days, "amount", texts.Amount(l, c.Payout)+"\u00a0"+c.Currency.Sign(),
			"link", d.PublicURL+"/app/driver-summary/"+token, "pdf", d.PublicURL+"/api/driver-summaries/"+token+"/statement", "until", day(l, calendar.DateOf(expires, d.Instance.Location(), 0))),
		Language: string(l),
	}
}

// day is a day in a subject, where every space is a plain one.
func day(l texts.Language, d calendar.Date) string {
	return strings.ReplaceAll(texts.Day(l, d), "\u00a0", " ")
}
