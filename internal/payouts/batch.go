package payouts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/identity"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/payouts/bankfile"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
)

// State is where a batch stands.
type State string

// The states. A proposed and a released batch are live: their settlements are in no other.
const (
	Proposed  State = "proposed" // waits for a second person
	Released  State = "released"
	Cancelled State = "cancelled"
)

// Batch is transfers that a bank is told of together, or cash.
type Batch struct {
	Number                    int64
	ID                        string
	Way                       Way
	State                     State
	Profile                   string
	PayOn                     calendar.Date
	Currency                  money.Currency
	Settlements, Transfers    int64
	Sum                       money.Amount
	ContentHash               string
	CreatedAt                 time.Time
	CreatedBy, CreatedByID    string
	ReleasedAt                time.Time
	ReleasedBy                string
	CancelledAt               time.Time
	CancelledBy, CancelReason string
	Paid                      int64 `db:"-"` // settlements of it that are marked as paid
	Returned                  int64 `db:"-"` // settlements of it whose money came back, all or in part
	PayerSealed               string
}

var batchQuery = `SELECT b.` + strings.Join(db.ColumnsOf[Batch](), ", b.") + `,
	(SELECT COUNT(*) FROM settlements s WHERE s.tenant_id = b.tenant_id AND s.batch = b.number AND s.batch > 0 AND s.state = 'paid') AS paid,
	(SELECT COUNT(DISTINCT t.settlement_id) FROM payout_outcomes o JOIN payout_transfers t ON t.tenant_id = o.tenant_id AND t.batch = o.batch
	AND t.place = o.place
		WHERE o.tenant_id = b.tenant_id AND o.batch = b.number AND o.outcome = 'returned') AS returned
	FROM payout_batches b WHERE b.tenant_id = $1`

// Of is one batch.
func Of(tx *db.Tx, number int64) (Batch, error) {
	b, err := db.One[Batch](tx, batchQuery+` AND b.number = $2`, number)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	return b, err
}

// List is a page of the partner's batches, newest first, and how many there are.
func List(tx *db.Tx, page, size int64) (batches []Batch, total int64, err error) {
	if total, err = db.One[int64](tx, `SELECT COUNT(*) FROM payout_batches WHERE tenant_id = $1`); err != nil {
		return nil, 0, err
	}
	batches, err = db.Select[Batch](tx, batchQuery+` ORDER BY b.number DESC LIMIT $2 OFFSET $3`, size, (page-1)*size)
	return batches, total, err
}

// Open is what is left to do with batches.
type Open struct {
	Unpaid    int64 // settlements with a payout that are neither paid nor in a batch
	UnpaidSum money.Amount
	Proposed  int64 // batches that wait for a second person
	Released  int64 // batches with settlements that are not marked as paid
	Returned  int64 // settlements that are not paid and of which money came back
}

// OpenOf is what is left to do now.
func OpenOf(tx *db.Tx) (Open, error) {
	return db.One[Open](tx, `SELECT
		(SELECT COUNT(*) FROM settlements WHERE tenant_id = $1 AND state = 'settled' AND batch = 0 AND payout > 0) AS unpaid,
		(SELECT CAST(COALESCE(SUM(payout), 0) AS BIGINT) FROM settlements WHERE tenant_id = $1 AND state = 'settled' AND batch = 0
		AND payout > 0) AS unpaid_sum,
		(SELECT COUNT(*) FROM payout_batches b WHERE b.tenant_id = $1 AND b.state = 'proposed') AS proposed,
		(SELECT COUNT(DISTINCT s.batch) FROM settlements s JOIN payout_batches b ON b.tenant_id = s.tenant_id AND b.number = s.batch
		WHERE s.tenant_id = $1 AND s.state = 'settled' AND s.batch > 0 AND b.state = 'released') AS released,
		(SELECT COUNT(*) FROM settlements s WHERE s.tenant_id = $1 AND s.state = 'settled' AND s.payout > 0 AND EXISTS (SELECT 1
		FROM payout_transfers t WHERE t.tenant_id = s.tenant_id AND t.settlement_id = s.id AND (EXISTS (SELECT 1 FROM payout_outcomes o
		WHERE o.tenant_id = t.tenant_id AND o.batch = t.batch AND o.place = t.place AND o.outcome = 'returned')
		OR EXISTS (SELECT 1 FROM payout_removals x WHERE x.tenant_id = t.tenant_id AND x.batch = t.batch AND x.place = t.place
		AND x.returned)))) AS returned`)
}

// Make makes the batches of a plan, if it still is what was shown under the
// token; otherwise nothing is made.
func (d *Service) Make(tx *db.Tx, w PayoutRequest, token string) (numbers []int64, err error) {
	p, err := d.Plan(tx, w)
	if err != nil {
		return nil, err
	}
	switch {
	case p.Token != token:
		return nil, ErrChanged
	case len(p.Drafts) == 0 && len(p.Payer) > 0:
		return nil, ErrPayer
	case len(p.Drafts) == 0:
		return nil, ErrNothing
	}
	s, err := d.SettingsOf(tx)
	if err != nil {
		return nil, err
	}
	for n := range p.Drafts {
		number, err := d.make(tx, &p, &p.Drafts[n], s.SecondPerson)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, number)
	}
	return numbers, nil
}

func (d *Service) make(tx *db.Tx, p *Plan, b *Draft, secondPerson bool) (number int64, err error) {
	if number, err = db.One[int64](tx, `INSERT INTO payout_numbers (tenant_id, last) VALUES ($1, 1) ON CONFLICT (tenant_id) DO UPDATE
		SET last = payout_numbers.last + 1 RETURNING last`); err != nil {
		return 0, err
	}
	kinds := map[string]int{}
	for n := range b.Transfers {
		t := &b.Transfers[n]
		kinds[t.SettlementID]++
		if kinds[t.SettlementID] == 1 {
			if err := settlements.Batch(tx, t.SettlementID, number); err != nil {
				return 0, err
			}
		}
		t.Reference = fmt.Sprintf("P%d-%d-%d", number, t.Number, kinds[t.SettlementID])
	}
	id := strings.ReplaceAll(tx.NewID(), "-", "")
	contentHash := ""
	if b.Way != Cash {
		file, err := b.write(p.payer, id, tx.Now, p.PayOn, d.Instance.Currency)
		if err != nil {
			return 0, err
		}
		contentHash = digest(file.Content)
	}
	payer, err := json.Marshal(p.payer)
	if err != nil {
		return 0, err
	}
	state, releasedAt, releasedBy := Released, tx.Now, tx.Actor.Name
	if secondPerson {
		state, releasedAt, releasedBy = Proposed, time.Time{}, ""
	}
	if err := db.Insert(tx, "payout_batches", Batch{Number: number, ID: id, Way: b.Way, State: state, Profile: b.Profile, PayOn: p.PayOn,
		Currency: d.Instance.Currency, Settlements: b.Settlements, Transfers: int64(len(b.Transfers)), Sum: b.Sum,
		PayerSealed: d.Vault.Seal(tx.Actor.Tenant, payerPurpose, payer), ContentHash: contentHash, CreatedAt: tx.Now, CreatedBy: tx.Actor.Name,
		CreatedByID: tx.Actor.ID, ReleasedAt: releasedAt, ReleasedBy: releasedBy}); err != nil {
		return 0, err
	}
	var sealing error
	if _, err := tx.Insert("payout_transfers",
		[]string{"batch", "place", "settlement_id", "driver_id", "purpose", "amount", "vat", "reference", "payee_sealed"},
		func(yield func([]any) bool) {
			for n := range b.Transfers {
				t := &b.Transfers[n]
				var payee []byte
				if payee, sealing = json.Marshal(t.Payee); sealing != nil {
					return
				}
				if !yield([]any{number, t.Place, t.SettlementID, t.DriverID, string(t.Purpose), int64(t.Amount), int64(t.VAT), t.Reference,
					d.Vault.Seal(tx.Actor.Tenant, payeePurpose, payee)}) {
					return
				}
			}
		}); err != nil || sealing != nil {
		return 0, errors.Join(err, sealing)
	}
	return number, audit.Record(tx, audit.Change{Action: "payouts.make", Kind: kindOfBatch, ID: fmt.Sprint(number),
		After: map[string]any{"way": b.Way, "profile": b.Profile, "payOn": p.PayOn, "settlements": b.Settlements, "transfers": len(b.Transfers),
			"sum": b.Sum, "contentHash": contentHash, "state": state}})
}

// digest tells a file from every other.
func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Kept is a transfer of a batch with what became of it.
type Kept struct {
	Transfer
	State      settlements.State // of its settlement
	PaidOn     calendar.Date     // when this batch paid its settlement; empty: not yet
	BookedOn   calendar.Date     // as the bank says; empty: nothing yet
	ReturnedOn calendar.Date     // when it came back
	Reason     string            // why, in the bank's words
	Here       bool              // its settlement is in the batch now
	GivenUp    bool              // a person said that it came back: it is paid anew
	Changed    bool              // the driver has another account now
}

type transferRow struct {
	Place                  int64
	SettlementID, DriverID string
	Number                 int64
	FirstName, LastName    string
	Purpose                string
	Amount, VAT            money.Amount
	Reference, PayeeSealed string
	State                  settlements.State
	PaidOn                 calendar.Date
	BookedOn, ReturnedOn   calendar.Date
	ReasonSealed           string
	GivenUp, Here          bool
}

// outcomes are what statements said of a transfer t: p that it was paid, r that
// it came back.
const outcomes = `
	LEFT JOIN payout_outcomes p ON p.tenant_id = t.tenant_id AND p.batch = t.batch AND p.place = t.place AND p.outcome = 'paid'
	LEFT JOIN payout_outcomes r ON r.tenant_id = t.tenant_id AND r.batch = t.batch AND r.place = t.place AND r.outcome = 'returned'`

// givenUp says of a transfer t that a person, and no bank, said that it came back.
const givenUp = `r.day IS NULL AND EXISTS (SELECT 1 FROM payout_removals x WHERE x.tenant_id = t.tenant_id AND x.batch = t.batch
	AND x.place = t.place AND x.returned) AS given_up`

// TransfersOf are the transfers of a batch as the bank was told.
func (d *Service) TransfersOf(tx *db.Tx, number int64) ([]Kept, error) {
	rows, err := db.Select[transferRow](tx, `SELECT t.place, t.settlement_id, t.driver_id, s.number, v.first_name, v.last_name, t.purpose,
		t.amount, t.vat, t.reference, t.payee_sealed, s.state,
		CASE WHEN s.batch = t.batch THEN s.paid_on ELSE '' END AS paid_on, COALESCE(p.day, '') AS booked_on, COALESCE(r.day, '') AS returned_on,
		COALESCE(r.reason_sealed, '') AS reason_sealed,
		s.batch = t.batch AS here, `+givenUp+`
		FROM payout_transfers t JOIN settlements s ON s.tenant_id = t.tenant_id AND s.id = t.settlement_id
		JOIN drivers v ON v.tenant_id = t.tenant_id AND v.id = t.driver_id`+outcomes+`
		WHERE t.tenant_id = $1 AND t.batch = $2 ORDER BY t.place`, number)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(rows))
	for n, r := range rows {
		ids[n] = r.DriverID
	}
	payees, err := drivers.Payees(tx, d.Vault, ids)
	if err != nil {
		return nil, err
	}
	list := make([]Kept, len(rows))
	for n, r := range rows {
		k := Kept{Transfer: Transfer{Place: r.Place, SettlementID: r.SettlementID, DriverID: r.DriverID, Number: r.Number, FirstName: r.FirstName,
			LastName: r.LastName, Amount: r.Amount, VAT: r.VAT,
			Reference: r.Reference}, State: r.State, PaidOn: r.PaidOn, BookedOn: r.BookedOn, ReturnedOn: r.ReturnedOn, GivenUp: r.GivenUp,
			Here: r.Here}
		k.Purpose = engine.Purpose(r.Purpose)
		if k.Payee, err = d.payeeOf(tx, r.PayeeSealed); err != nil {
			return nil, err
		}
		if r.ReasonSealed != "" {
			reason, err := d.Vault.Unseal(tx.Actor.Tenant, outcomePurpose, r.ReasonSealed)
			if err != nil {
				return nil, err
			}
			k.Reason = string(reason)
		}
		now, there := payees[r.DriverID]
		k.Changed = there && now.Account != k.Account
		list[n] = k
	}
	return list, nil
}

// File is the file of a released batch: the same bytes each time.
func (d *Service) File(tx *db.Tx, number int64) (bankfile.File, error) {
	b, err := Of(tx, number)
	if err != nil {
		return bankfile.File{}, err
	}
	switch {
	case b.State == Cancelled:
		return bankfile.File{}, ErrCancelled.With("number", number)
	case b.State == Proposed:
		return bankfile.File{}, ErrNotReleased.With("number", number)
	case b.Way == Cash:
		return bankfile.File{}, ErrNoFile.With("number", number)
	}
	kept, err := d.TransfersOf(tx, number)
	if err != nil {
		return bankfile.File{}, err
	}
	payer, err := d.payerOf(tx, b)
	if err != nil {
		return bankfile.File{}, err
	}
	draft := Draft{Way: b.Way, Profile: b.Profile, Transfers: make([]Transfer, len(kept))}
	for n := range kept {
		draft.Transfers[n] = kept[n].Transfer
	}
	file, err := draft.write(payer, b.ID, b.CreatedAt, b.PayOn, b.Currency)
	if err != nil {
		return file, err
	}
	if digest(file.Content) != b.ContentHash {
		return bankfile.File{}, fmt.Errorf("payouts: the file of batch %d is not the one that was made", number)
	}
	file.Name = fmt.Sprintf("saldo-%d-%s%s", b.Number, b.PayOn, file.Name[len(b.ID):])
	return file, nil
}

func (d *Service) payeeOf(tx *db.Tx, sealed string) (p Payee, err error) {
	payee, err := d.Vault.Unseal(tx.Actor.Tenant, payeePurpose, sealed)
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(payee, &p)
}

func (d *Service) payerOf(tx *db.Tx, b Batch) (p Payer, err error) {
	payer, err := d.Vault.Unseal(tx.Actor.Tenant, payerPurpose, b.PayerSealed)
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(payer, &p)
}

// unpayable are the settlements s of batch $2 that may not be paid by it: paid
// or revoked, not held by it, or of a blocked driver.
var unpayable = ` FROM payout_transfers t JOIN settlements s ON s.tenant_id = t.tenant_id AND s.id = t.settlement_id
	JOIN drivers v ON v.tenant_id = t.tenant_id AND v.id = t.driver_id
	JOIN drivers k ON k.tenant_id = v.tenant_id AND k.id = ` + drivers.CanonicalID("v") + `
	WHERE t.tenant_id = $1 AND t.batch = $2 AND (s.batch <> t.batch OR s.state <> 'settled' OR k.blocked)`

// Release lets a proposed batch go to the bank. Whoever made it cannot.
func Release(tx *db.Tx, number int64) error {
	b, err := Of(tx, number)
	if err != nil {
		return err
	}
	switch {
	case b.State == Cancelled:
		return ErrCancelled.With("number", number)
	case b.State == Released:
		return ErrReleased.With("number", number)
	case b.CreatedByID == tx.Actor.ID:
		return ErrSamePerson.With("number", number)
	}
	if err := identity.ActsStill(tx); err != nil {
		return err
	}
	n, err := tx.Exec(`UPDATE payout_batches SET state = 'released', released_at = $3, released_by = $4 WHERE tenant_id = $1 AND number = $2
		AND state = 'proposed'
		AND NOT EXISTS (SELECT 1`+unpayable+`)`, number, tx.Now, tx.Actor.Name)
	if err != nil {
		return err
	}
	if n == 0 {
		found, err := db.Select[int64](tx, `SELECT DISTINCT s.number`+unpayable+` ORDER BY s.number LIMIT 20`, number)
		if err != nil {
			return err
		}
		return ErrUnpayable.With("number", number).With("settlements", strings.Trim(strings.ReplaceAll(fmt.Sprint(found), " ", ", "), "[]"))
	}
	return audit.Record(tx, audit.Change{Action: "payouts.release", Kind: kindOfBatch, ID: fmt.Sprint(number)})
}

// ReasonMax is how long the reason of a cancellation may be, in characters.
const ReasonMax = 500

// Cancel frees the settlements of a batch, while none of them is paid. Whether
// the bank got its file nobody knows but people, so they say why.
func Cancel(tx *db.Tx, number int64, reason string) error {
	reason = strings.TrimSpace(reason)
	switch {
	case reason == "":
		return ErrInvalid.Field("reason", fault.Required)
	case len([]rune(reason)) > ReasonMax:
		return ErrInvalid.Field("reason", fault.TooLong)
	}
	b, err := Of(tx, number)
	if err != nil {
		return err
	}
	switch {
	case b.State == Cancelled:
		return ErrCancelled.With("number", number)
	case b.Paid > 0:
		return ErrPaid.With("number", number).With("count", b.Paid)
	}
	if err := settlements.Unbatch(tx, number); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE payout_batches SET state = 'cancelled', cancelled_at = $3, cancelled_by = $4, cancel_reason = $5
		WHERE tenant_id = $1 AND number = $2`, number, tx.Now, tx.Actor.Name, reason); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "payouts.cancel", Kind: kindOfBatch, ID: fmt.Sprint(number),
		After: map[string]any{"reason": reason, "sum": b.Sum}})
}

// Pay marks everything in a released batch that is not paid yet as paid on a
// day, and says how many that were. What came back in part is left to people.
func (d *Service) Pay(tx *db.Tx, number int64, on calendar.Date) (n int64, err error) {
	b, err := Of(tx, number)
	if err != nil {
		return 0, err
	}
	switch b.State {
	case Cancelled:
		return 0, ErrCancelled.With("number", number)
	case Proposed:
		return 0, ErrNotReleased.With("number", number)
	}
	ids, err := db.Select[string](tx, `SELECT s.id FROM settlements s WHERE s.tenant_id = $1 AND s.batch = $2 AND s.batch > 0
		AND s.state = 'settled'
		AND s.payout = (SELECT SUM(t.amount)`+standingTransfers+` AND t.settlement_id = s.id) ORDER BY s.number`, number)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := d.Settlements.MarkPaid(tx, id, number, on); err != nil {
			return 0, err
		}
	}
	return int64(len(ids)), nil
}
