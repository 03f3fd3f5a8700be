package purchases

import (
	"context"
	"strconv"

	"saldo/internal/billing"
	"saldo/internal/identity"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
)

const (
	kindOfPurchase = "purchase"
	registerPage   = 500
)

// check compares the self-billed invoices in the partner's name with what Saldo issued, and tells the office of those that nobody knows.
// What was strange is looked at again: it may have been issued since the last copy of the database.
func (s *Service) check(ctx context.Context, run *jobs.Run) error {
	var days []calendar.Date
	if err := run.Read(ctx, func(tx *db.Tx) (err error) {
		days, err = db.Select[calendar.Date](tx, `SELECT DISTINCT issued_on FROM purchases WHERE tenant_id = $1 AND environment = $2
			AND checked IN ('open', 'strange') ORDER BY issued_on`, s.KSeF.Environment)
		return err
	}); err != nil {
		return err
	}
	for _, day := range days {
		var found map[string]Checked
		if err := run.Read(ctx, func(tx *db.Tx) (err error) { found, err = s.compared(tx, day); return err }); err != nil {
			return err
		}
		if err := run.Write(ctx, func(tx *db.Tx) error { return s.noteChecked(tx, found) }); err != nil {
			return err
		}
	}
	return nil
}

// issued is a document as far as it is compared.
type issued struct {
	ksefNumber string
	gross      money.Amount
}

// compared says of the self-billed invoices of a day that are not known whether Saldo issued them.
func (s *Service) compared(tx *db.Tx, day calendar.Date) (map[string]Checked, error) {
	open, err := db.Select[Purchase](tx, `SELECT `+columns+` FROM purchases WHERE tenant_id = $1 AND environment = $2 AND issued_on = $3
		AND checked IN ('open', 'strange')`, s.KSeF.Environment, string(day))
	if err != nil || len(open) == 0 {
		return nil, err
	}
	byNumber, numbers := map[string]issued{}, map[string]bool{}
	for page := int64(1); day != ""; page++ {
		r, err := billing.Issuances(tx, billing.Filter{From: day, To: day}, page, registerPage)
		if err != nil {
			return nil, err
		}
		for _, d := range r.Items {
			byNumber[d.Number] = issued{d.AuthorityNumber, d.Gross}
			numbers[d.AuthorityNumber] = true
		}
		if len(r.Items) < registerPage {
			break
		}
	}
	found := map[string]Checked{}
	for _, p := range open {
		one, there := byNumber[p.Number]
		ours := numbers[p.KsefNumber] || there && one.ksefNumber == "" && (one.gross == p.Gross || p.Unread != "")
		if now := map[bool]Checked{true: Ours, false: Strange}[ours]; now != p.Checked {
			found[p.KsefNumber] = now
		}
	}
	return found, nil
}

// noteChecked keeps what was found, and tells of what is strange.
func (s *Service) noteChecked(tx *db.Tx, found map[string]Checked) error {
	strange := int64(0)
	for number, now := range found {
		n, err := tx.Exec(`UPDATE purchases SET checked = $4 WHERE tenant_id = $1 AND environment = $2 AND ksef_number = $3
			AND checked IN ('open', 'strange') AND checked <> $4`, s.KSeF.Environment, number, string(now))
		if err != nil {
			return err
		}
		if now == Strange && n > 0 {
			strange++
			if err := audit.Record(tx, audit.Change{Action: "purchases.strange", Kind: kindOfPurchase, ID: number}); err != nil {
				return err
			}
		}
	}
	if strange == 0 {
		return nil
	}
	return s.tell(tx)
}

// tell writes to everybody in the office, once a day, that there are invoices in the partner's name that nobody knows.
func (s *Service) tell(tx *db.Tx) error {
	number, err := s.CountStrange(tx)
	if err != nil || s.Mails == nil {
		return err
	}
	people, err := identity.People(tx)
	if err != nil {
		return err
	}
	partner, err := partners.Own(tx)
	if err != nil {
		return err
	}
	today := calendar.DateOf(tx.Now, s.Instance.Location(), 0)
	link := s.PublicURL + "/app/purchases?show=strange"
	for _, p := range people {
		if p.State != identity.Active || p.Email == "" {
			continue
		}
		language := i18n.Language(p.Language)
		if p.Language == "" {
			language = i18n.Language(s.Instance.Language)
		}
		if _, err := s.Mails.Enqueue(tx, mail.Message{To: mail.Address{Name: p.Name, Address: p.Email},
			Subject: i18n.Of(language, "purchase-mails:subject", "partner", partner.Name),
			Text: i18n.Of(language, "purchase-mails:body", "name", p.Name, "partner", partner.Name, "number", strconv.FormatInt(number, 10),
				"link", link),
			Actions:  []mail.Action{{Address: link, Label: i18n.Of(language, "purchase-mails:open")}},
			Language: string(language), Counted: true, Key: "purchases.strange " + p.ID + " " + string(today)}); err != nil {
			return err
		}
	}
	return nil
}

// Know keeps that a person says of a self-billed invoice in the partner's name that it is right.
func (s *Service) Know(tx *db.Tx, number string) error {
	n, err := tx.Exec(`UPDATE purchases SET checked = 'known' WHERE tenant_id = $1 AND environment = $2 AND ksef_number = $3
		AND checked = 'strange'`, s.KSeF.Environment, number)
	if err != nil {
		return err
	}
	if n == 0 { // somebody said so before, or there is none
		_, _, err = s.Of(tx, number)
		return err
	}
	return audit.Record(tx, audit.Change{Action: "purchases.known", Kind: kindOfPurchase, ID: number})
}
