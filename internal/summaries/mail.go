package summaries

import (
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
)

// languageOf is the driver's own, else that of the instance.
func (d *Service) languageOf(c *candidate) i18n.Language {
	if own, ok := i18n.Parse(c.SummaryLanguage); ok {
		return own
	}
	return i18n.Language(d.Instance.Language)
}

func (d *Service) mail(c *candidate, partner string, l i18n.Language, token string, expires time.Time) mail.Message {
	days := day(l, c.FirstOn) + "–" + day(l, c.LastOn)
	return mail.Message{
		To:      mail.Address{Name: c.FirstName + " " + c.LastName, Address: c.Email},
		Subject: i18n.Of(l, "mail:summary.subject", "partner", partner, "days", days),
		Text: i18n.Of(l, "mail:summary.body", "driver", c.FirstName, "partner", partner, "days", days, "amount",
			i18n.Amount(l, c.Payout)+"\u00a0"+c.Currency.Sign(),
			"link", d.PublicURL+"/app/driver-summary/"+token, "pdf", d.PublicURL+"/api/driver-summaries/"+token+"/statement", "until",
			day(l, calendar.DateOf(expires, d.Instance.Location(), 0))),
		Language: string(l),
	}
}

// day is a day in a subject, where every space is a plain one.
func day(l i18n.Language, d calendar.Date) string {
	return strings.ReplaceAll(i18n.Day(l, d), "\u00a0", " ")
}
