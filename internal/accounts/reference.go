package accounts

import (
	"slices"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/official"
	"saldo/internal/kernel/validate"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
)

// ErrAddresses is the answer to addresses that are none, or too many.
var ErrAddresses = fault.Declare(fault.Invalid, "accounts.addresses_invalid")

// ReferredMax is how many addresses one invitation names.
const ReferredMax = 50

const referencePurpose = "invited driver"

// Referral invites drivers to a partner.
type Referral struct {
	Addresses []string
	By        string // the first name of a driver who invites; empty: the partner does
	Code      string // remembered through registration; never a right
	Language  i18n.Language
}

// InviteDrivers mails each address a link that leads through registration to the partner in whose tenant it acts. An address is mailed
// once a day. Nothing tells whether somebody has an account.
func InviteDrivers(tx *db.Tx, v *vault.Vault, post *mail.Queue, publicURL string, r Referral) error {
	f := validate.New(ErrAddresses)
	if len(r.Addresses) == 0 {
		f.Wrong("mails", fault.Required)
	}
	if len(r.Addresses) > ReferredMax {
		f.Wrong("mails", fault.TooLong, "max", "50")
	}
	addresses := make([]string, len(r.Addresses))
	for i, typed := range r.Addresses {
		addresses[i] = validate.Number(f, "mails", typed, true, official.ParseEmail)
	}
	if err := f.Err(); err != nil {
		return err
	}
	slices.Sort(addresses)
	p, err := partners.Own(tx)
	if err != nil {
		return err
	}
	brand, err := partners.MailBrand(tx)
	if err != nil {
		return err
	}
	link := publicURL + "/app/?partner=" + p.Code + "&reference_id=" + r.Code
	say := func(key string, params ...any) string { return i18n.Of(r.Language, key, params...) }
	subject, body := say("mail:reference.subject", "partner", p.Name), say("mail:reference.body", "partner", p.Name, "link", link)
	if r.By != "" {
		subject = say("mail:referred.subject", "driver", r.By, "partner", p.Name)
		body = say("mail:referred.body", "driver", r.By, "partner", p.Name, "link", link)
	}
	for _, address := range slices.Compact(addresses) {
		if _, err := post.Enqueue(tx, mail.Message{To: mail.Address{Address: address}, Brand: brand, Subject: subject, Text: body,
			Actions:  []mail.Action{{Address: link, Label: say("mail:reference.open")}},
			Language: string(r.Language),
			Key:      "reference|" + tx.Now.UTC().Format(time.DateOnly) + "|" + v.Fingerprint(p.TenantID, referencePurpose, []byte(address)),
		}); err != nil {
			return err
		}
	}
	return audit.Record(tx, audit.Change{Action: "drivers.invite", Kind: "partner", ID: p.TenantID,
		After: map[string]any{"addresses": len(addresses)}})
}

// AskPartner reminds the partner whom a driver chose, by mail and once a day, that the driver waits to be accepted. Whoever is accepted
// already waits for nothing. The system acts.
func AskPartner(tx *db.Tx, who access.Actor, post *mail.Queue, publicURL string, language i18n.Language, partner string) error {
	a, err := accountOf(tx, who)
	if err != nil {
		return err
	}
	if a.PartnerID == "" || a.PartnerID != partner {
		return ErrPartnerNotFound
	}
	b, err := BondOf(tx, who, a)
	if err != nil || b.Linked || b.Blocked {
		return err
	}
	return tx.As(who.In(partner), func() error {
		card, err := partners.OwnCard(tx)
		if err != nil || card.Email == "" {
			return err
		}
		link, d := publicURL+"/app/drivers-profiles", a.Details
		_, err = post.Enqueue(tx, mail.Message{To: mail.Address{Name: b.Partner.Name, Address: card.Email},
			Brand:   mail.Brand{ReplyTo: d.Email},
			Subject: i18n.Of(language, "mail:register.subject", "driver", d.fullName()),
			Text: i18n.Of(language, "mail:register.body", "driver", d.fullName(), "phone", official.Phone(d.Phone).Display(), "email", d.Email,
				"link", link),
			Actions:  []mail.Action{{Address: link, Label: i18n.Of(language, "mail:register.open")}},
			Language: string(language),
			Key:      "register|" + tx.Now.UTC().Format(time.DateOnly) + "|" + who.Person,
		})
		return err
	})
}
