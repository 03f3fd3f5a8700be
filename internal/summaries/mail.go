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

func (d *Service) mail(c *candidate, brand mail.Brand, l i18n.Language, token string, expires time.Time) mail.Message {
	days := day(l, c.FirstOn) + "–" + day(l, c.LastOn)
	amount := i18n.Amount(l, c.Payout) + "\u00a0" + c.Currency.Sign()
	link, pdf := d.PublicURL+"/app/driver-summary/"+token, d.PublicURL+"/api/driver-summaries/"+token+"/statement"
	return mail.Message{
		To:     mail.Address{Name: c.FirstName + " " + c.LastName, Address: c.Email},
		Brand:  brand,
		Strong: amount,
		Actions: []mail.Action{{Address: link, Label: i18n.Of(l, "mail:summary.open")},
			{Address: pdf, Label: i18n.Of(l, "mail:summary.pdf"), Second: true}},
		Subject: i18n.Of(l, "mail:summary.subject", "partner", brand.Name, "days", days),
		Text: i18n.Of(l, "mail:summary.body", "driver", c.FirstName, "partner", brand.Name, "days", days, "amount", amount, "link", link,
			"pdf", pdf, "until", day(l, calendar.DateOf(expires, d.Instance.Location(), 0))),
		Language: string(l),
	}
}

// day is a day in a subject, where every space is a plain one.
func day(l i18n.Language, d calendar.Date) string {
	return strings.ReplaceAll(i18n.Day(l, d), "\u00a0", " ")
}
