package summaries

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
)

// mostAttached is what every mail server takes, also as text, which is a third more. The link gives a larger file too.
const mostAttached = 5 << 20

// Attach makes the statement that a mail of a summary carries, as its link gives it. A mail whose link opens nothing any more is not sent:
// its settlement was revoked, a newer mail stands for it, or its link was ended. A statement that cannot be made keeps no mail back.
func (d *Service) Attach(ctx context.Context, run *jobs.Run, summary string) (*mail.Attachment, error) {
	var printed func(context.Context) (mail.Attachment, error)
	var unprinted error
	err := run.Read(ctx, func(tx *db.Tx) error {
		link, err := db.One[struct{ SettlementID, Language string }](tx, `SELECT x.settlement_id, x.language FROM summaries x`+tied+
			` WHERE x.tenant_id = $1 AND x.id = $2 AND x.expires_at > $3 AND `+works, summary, tx.Now)
		if errors.Is(err, db.ErrNone) {
			return mail.ErrWithdrawn
		}
		if err == nil {
			printed, unprinted = d.Statement(tx, link.SettlementID, i18n.Language(link.Language))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	file, err := mail.Attachment{}, unprinted
	if err == nil {
		file, err = attempted(ctx, printed)
	}
	if err == nil && len(file.Data) > mostAttached {
		err = fmt.Errorf("summaries: a statement of %d bytes is too large for a mail", len(file.Data))
	}
	if ctx.Err() != nil {
		return nil, ctx.Err() // the program stops: the mail waits for the next one
	}
	if err != nil {
		d.Log.Error("the mail of a settlement goes without its statement", "summary", summary, "error", err)
		return nil, nil
	}
	return &file, nil
}

// attempted makes a file, and an error of whatever stops that.
func attempted(ctx context.Context, printed func(context.Context) (mail.Attachment, error)) (file mail.Attachment, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("summaries: a statement cannot be made: %v", p)
		}
	}()
	return printed(ctx)
}

// languageOf is the driver's own, else that of the instance.
func (d *Service) languageOf(c *candidate) i18n.Language {
	return i18n.ParseOr(c.SummaryLanguage, i18n.Language(d.Instance.Language))
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
