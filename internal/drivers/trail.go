package drivers

import (
	"slices"

	"saldo/internal/kernel/official"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
)

// AuditKind is what the trail calls a driver.
const AuditKind = "driver"

// MaskIBAN is an account of which only the country and the last four digits can be read.
func MaskIBAN(a official.Account) string {
	if len(a) < 6 {
		return ""
	}
	return string(a[:2]) + "…" + string(a[len(a)-4:])
}

// AuditView are the details as the trail may keep them: of the account only what tells it from the one before.
func (d Details) AuditView(before Details) Details {
	masked := MaskIBAN(d.IBAN)
	if d.IBAN != before.IBAN && masked != "" && masked == MaskIBAN(before.IBAN) {
		masked += " (2)" // another account with the same end
	}
	d.IBAN = official.Account(masked)
	return d
}

// History is who changed what of a driver and of those who were merged into
// them, oldest first; each line names whom it is about.
func History(tx *db.Tx, v *vault.Vault, id string) ([]audit.Entry, error) {
	if _, err := Get(tx, v, id); err != nil {
		return nil, err
	}
	whose, err := WithMerged(tx, id)
	if err != nil {
		return nil, err
	}
	var trail []audit.Entry
	for _, d := range whose {
		lines, err := audit.Of(tx, AuditKind, d.ID)
		if err != nil {
			return nil, err
		}
		trail = append(trail, lines...)
	}
	slices.SortStableFunc(trail, func(a, b audit.Entry) int { return a.At.Compare(b.At) })
	return trail, nil
}

// MailAccountChanged mails a driver that their account was changed, without the
// number of either account.
func (b Service) MailAccountChanged(tx *db.Tx, before Driver) error {
	if before.Email == "" {
		return nil
	}
	brand, err := partners.MailBrand(tx)
	if err != nil {
		return err
	}
	language := b.Language
	if own, ok := i18n.Parse(before.SummaryLanguage); ok {
		language = own
	}
	_, err = b.Post.Enqueue(tx, mail.Message{To: mail.Address{Name: before.FullName(), Address: before.Email}, Language: string(language),
		Brand:   brand,
		Subject: i18n.Of(language, "mail:iban.subject"),
		Text:    i18n.Of(language, "mail:iban.body", "driver", before.FullName(), "partner", brand.Name)})
	return err
}
