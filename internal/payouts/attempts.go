package payouts

import (
	"cmp"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/official"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
)

// Attempt is a batch that a settlement is in, or one that it left because money came back. A cancelled batch is none.
type Attempt struct {
	Number                int64
	Way                   Way
	State                 State
	PayOn                 calendar.Date
	CreatedAt, ReleasedAt time.Time
	CreatedBy, ReleasedBy string
	Account               official.Account // as the bank was told; empty: cash
	Here                  bool             // the settlement is in it now
	ReturnedOn            calendar.Date    // when something came back, as the bank says; empty: nothing did
	BankSays              string           // why, in the bank's words
	GivenUpAt             time.Time        // when a person, and no bank, said that something came back; zero: nobody did
	GivenUpBy             string
}

// AttemptsOf are the attempts to pay a settlement, the first one first.
func (d *Service) AttemptsOf(tx *db.Tx, settlementID string) ([]Attempt, error) {
	rows, err := db.Select[struct {
		Attempt
		PayeeSealed, ReasonSealed string
		GivenUp                   bool
		RemovedAt                 time.Time
		RemovedBy                 string
	}](tx, `SELECT b.number, b.way, b.state, b.pay_on, b.created_at, b.released_at, b.created_by, b.released_by, s.batch = b.number AS here,
		t.payee_sealed, COALESCE(r.reason_sealed, '') AS reason_sealed, COALESCE(r.day, '') AS returned_on,
		COALESCE(x.returned, FALSE) AS given_up, COALESCE(x.removed_at, '') AS removed_at, COALESCE(x.removed_by, '') AS removed_by
		FROM payout_transfers t JOIN payout_batches b ON b.tenant_id = t.tenant_id AND b.number = t.batch
		JOIN settlements s ON s.tenant_id = t.tenant_id AND s.id = t.settlement_id
		LEFT JOIN payout_outcomes r ON r.tenant_id = t.tenant_id AND r.batch = t.batch AND r.place = t.place AND r.outcome = 'returned'
		LEFT JOIN payout_removals x ON x.tenant_id = t.tenant_id AND x.batch = t.batch AND x.place = t.place
		WHERE t.tenant_id = $1 AND t.settlement_id = $2 AND b.state <> 'cancelled' ORDER BY t.batch, t.place`, settlementID)
	if err != nil {
		return nil, err
	}
	list := []Attempt{}
	for _, r := range rows {
		if len(list) == 0 || list[len(list)-1].Number != r.Number {
			payee, err := d.payeeOf(tx, r.PayeeSealed)
			if err != nil {
				return nil, err
			}
			r.Account = payee.Account
			list = append(list, r.Attempt)
		}
		a := &list[len(list)-1]
		switch {
		case r.ReturnedOn != "":
			says, err := d.Vault.Unseal(tx.Actor.Tenant, outcomePurpose, r.ReasonSealed)
			if r.ReasonSealed != "" && err != nil {
				return nil, err
			}
			a.ReturnedOn = max(a.ReturnedOn, r.ReturnedOn)
			a.BankSays = cmp.Or(a.BankSays, string(says))
		case r.GivenUp:
			a.GivenUpAt, a.GivenUpBy = r.RemovedAt, r.RemovedBy
		}
	}
	return list, nil
}

// PayerIncomplete is why nobody is paid: the partner's own account or tax id is missing.
const PayerIncomplete Reason = "payer"

// HindranceReasons are the reasons why a settlement that is to be paid is left out.
func HindranceReasons() []Reason {
	return []Reason{Blocked, Bailiff, NoTaxID, NoAccount, AccountChanged, ForeignAccount, Unwritable, NoInvoice, InvoiceRefused, NoSplit,
		OutsideSEPA, PayerIncomplete}
}

// HindranceOf says why the next batch, made by the partner's settings, would leave a settlement out; empty: nothing would.
func (d *Service) HindranceOf(tx *db.Tx, s *settlements.Settlement) (Reason, error) {
	set, err := d.SettingsOf(tx)
	if err != nil {
		return "", err
	}
	p, err := d.Plan(tx, PayoutRequest{Settlements: []string{s.ID}, Profile: set.Profile, ForeignProfile: set.ForeignProfile})
	switch {
	case err != nil:
		return "", err
	case len(p.Excluded) > 0:
		return p.Excluded[0].Reason, nil
	case len(p.Payer) > 0:
		return PayerIncomplete, nil
	}
	return "", nil
}
