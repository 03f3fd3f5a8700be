package accounts

import (
	"errors"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/mail"
)

// Close forgets a driver: everything personal that no law keeps is
// erased here and in the profiles of every partner, their tokens are worthless
// at once, and a job deletes them at the identity provider. What partners
// settled stays, under an id that leads to nobody. The system acts.
func Close(tx *db.Tx, who access.Actor) error {
	who.Name = "" // the trail of the closing must not bring the name back
	if err := forgetProfiles(tx, who); err != nil {
		return err
	}
	if err := identity.LeaveDriver(tx, who); err != nil {
		return err
	}
	if err := tx.As(who.AsDriver(), func() error { return erase(tx) }); err != nil {
		return err
	}
	return identity.ForgetUser(tx, who.Proof.Issuer, who.Proof.Subject)
}

// forgetProfiles takes name, address and phone out of what partners see, the
// name out of their trails, and the account from the drivers it was linked with.
func forgetProfiles(tx *db.Tx, who access.Actor) error {
	profiles, err := db.Select[struct{ TenantID, ID string }](tx.Across(),
		`SELECT tenant_id, id FROM driver_profiles WHERE account_id = $1 ORDER BY tenant_id`, who.Person)
	if err != nil {
		return err
	}
	for _, p := range profiles {
		err := tx.As(who.In(p.TenantID), func() error {
			if _, err := tx.Exec(`UPDATE invoice_images SET registration = '', mileage = 0, version = version + 1 WHERE tenant_id = $1
				AND settlement_id = '' AND driver_id IN (SELECT id FROM drivers WHERE tenant_id = $1 AND account_id = $2 AND account_id <> '')`,
				who.Person); err != nil {
				return err
			}
			if err := eraseDocuments(tx, who.Person, tx.Now); err != nil {
				return err
			}
			if err := eraseTracking(tx, who.Person); err != nil {
				return err
			}
			if _, err := tx.Exec(`DELETE FROM contract_drafts WHERE tenant_id = $1 AND driver_id IN (SELECT id FROM drivers WHERE tenant_id = $1
				AND account_id = $2 AND account_id <> '')`, who.Person); err != nil {
				return err
			}
			if _, err := unlink(tx, who.Person); err != nil {
				return err
			}
			if _, err := tx.Exec(`UPDATE driver_profiles SET first_name = '', last_name = '', email = '', phone = '', search_key = '',
				email_confirmed = FALSE, updated_at = $3,
				left_at = CASE WHEN left_at = '' THEN $3 ELSE left_at END WHERE tenant_id = $1 AND id = $2`, p.ID, tx.Now); err != nil {
				return err
			}
			if err := unname(tx); err != nil {
				return err
			}
			return audit.Record(tx, audit.Change{Action: "driver_profiles.forget", Kind: drivers.ProfileKind, ID: p.ID})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// documentsKept is how long a partner keeps the documents of a driver who has left, unless there is a reason to keep one.
const documentsKept = 30 * 24 * time.Hour

// eraseDocuments says when the documents of a driver are erased; a driver who comes back before that keeps them.
func eraseDocuments(tx *db.Tx, account string, at time.Time) error {
	_, err := tx.Exec(`UPDATE driver_documents SET erase_at = $3, version = version + 1 WHERE tenant_id = $1 AND erased_at = ''
		AND (erase_at = '' OR erase_at > $3) AND driver_id IN (SELECT d.id FROM drivers d WHERE d.tenant_id = $1 AND d.account_id = $2
		AND d.account_id <> '' UNION ALL SELECT m.id FROM drivers m JOIN drivers d ON d.tenant_id = m.tenant_id AND d.id = m.merged_into
		WHERE m.tenant_id = $1 AND m.merged_into <> '' AND d.account_id = $2 AND d.account_id <> '')`, account, at)
	return err
}

// eraseTracking takes places, vehicles and photos out of what a driver tracked. A settled trip stays as it was settled, with its photo: it
// is the receipt of money that was paid.
func eraseTracking(tx *db.Tx, account string) error {
	const those = `driver_id IN (SELECT d.id FROM drivers d WHERE d.tenant_id = $1 AND d.account_id = $2
		AND d.account_id <> '' UNION ALL SELECT m.id FROM drivers m JOIN drivers d ON d.tenant_id = m.tenant_id AND d.id = m.merged_into
		WHERE m.tenant_id = $1 AND m.merged_into <> '' AND d.account_id = $2 AND d.account_id <> '')`
	if _, err := tx.Exec(`UPDATE trips SET start_place = '', end_place = '', device = '', version = version + 1 WHERE tenant_id = $1
		AND settlement_id = '' AND `+those, account); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE time_entries SET plate = '', note = '', mileage_start = 0, mileage_end = 0, device = '', version = version + 1
		WHERE tenant_id = $1 AND `+those, account); err != nil {
		return err
	}
	_, err := tx.Exec(`UPDATE tracking_photos SET gone_at = $3 WHERE tenant_id = $1 AND gone_at = '' AND `+those+` AND NOT EXISTS (SELECT 1
		FROM trips t WHERE t.tenant_id = $1 AND tracking_photos.kind = 'trip' AND t.id = tracking_photos.entry_id AND t.settlement_id <> '')`,
		account, tx.Now)
	return err
}

// unname takes the name of whoever acts out of the tenant's trail; their id stays.
func unname(tx *db.Tx) error {
	_, err := tx.Exec(`UPDATE audit_entries SET actor_name = '' WHERE tenant_id = $1 AND actor_id = $2`, tx.Actor.Person)
	return err
}

// erase empties the account of the driver who acts, and what they wrote.
func erase(tx *db.Tx) error {
	for _, text := range []string{
		`DELETE FROM partner_invitations WHERE tenant_id = $1`,
		`DELETE FROM push_subscriptions WHERE tenant_id = $1`,
		`DELETE FROM mails WHERE tenant_id = $1`,
		`DELETE FROM jobs WHERE tenant_id = $1 AND kind = '` + mail.SendKind + `' AND state <> 'running'`,
	} {
		if _, err := tx.Exec(text); err != nil {
			return err
		}
	}
	if _, err := Own(tx); errors.Is(err, ErrNoAccount) {
		return nil
	}
	if _, err := tx.Exec(`UPDATE driver_accounts SET issuer = '', subject = '', email = '', first_name = '', last_name = '', phone = '',
		cities = '[]', tax_id = '',
		newsletter = FALSE, car_status = '', activity = 'unknown', street = '', house_number = '', apartment_number = '', city = '', post_code =
		'', country = '',
		pesel_sealed = '', settlement_frequency = 0, summary_language = '', bailiff = FALSE, reference_id = '', reference_link = '', partner_id =
		'',
		version = version + 1, updated_at = $2, deleted_at = $2 WHERE tenant_id = $1`, tx.Now); err != nil {
		return err
	}
	if err := unname(tx); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "accounts.close", Kind: "account", ID: tx.Actor.Person})
}
