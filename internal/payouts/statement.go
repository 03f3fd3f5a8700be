package payouts

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/payouts/bankstatement"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
)

var (
	// ErrStatement is the answer to a file that is no whole statement; it says why and where.
	ErrStatement = fault.Declare(fault.Invalid, "payouts.statement")
	// ErrOtherAccount is the answer to a statement of an account from which nothing was paid.
	ErrOtherAccount = fault.Declare(fault.Conflict, "payouts.other_account")
	// ErrNothingSaid is the answer to confirming a statement that says nothing new.
	ErrNothingSaid = fault.Declare(fault.Conflict, "payouts.nothing_said")
)

const (
	kindOfStatement = "bank_statement"
	outcomePurpose  = "payout outcome"
	// lookBack is for how many days before a statement batches are looked at: money comes back within days.
	lookBack = 60
	nameMost = 200
)

// Saying is what a bank's statement says of one transfer.
type Saying struct {
	Batch, Place           int64
	SettlementID, DriverID string
	Number                 int64 // of the settlement
	FirstName, LastName    string
	Holder                 string
	Account                official.Account
	Title                  string
	Amount                 money.Amount
	Outcome                bankstatement.Outcome
	Why                    bankstatement.Why
	Day                    calendar.Date // on which it was paid or came back
	Reason                 string        // why it came back
	Cancelled              bool          // its batch was given up, and yet the bank paid: nothing can be confirmed

	paidOn calendar.Date // of one that came back, where the statement says it
}

// StatementPlan is what confirming a statement would do.
type StatementPlan struct {
	Accounts    []string // covered
	First, Last calendar.Date
	Entries     int64
	Sayings     []Saying
	Known       int64 // transfers of which an earlier statement said the same
	Missing     int64 // transfers of which no statement says anything yet
	// ConfirmedAt and ConfirmedBy say when the same file was confirmed before; nobody: it was not.
	ConfirmedAt time.Time
	ConfirmedBy string
	Token       string // another one means that something changed

	contentHash string
}

// waiting is a transfer that a bank was told of.
type waiting struct {
	Batch, Place           int64
	SettlementID, DriverID string
	Number                 int64
	FirstName, LastName    string
	Amount                 money.Amount
	Reference, PayeeSealed string
	PaidOn, ReturnedOn     calendar.Date
	GivenUp                bool // a person said that it came back, and it may be paid anew

	Payee
}

// PlanStatement reads a bank's statement and says what it says of the
// transfers of the partner. It changes nothing.
func (d *Service) PlanStatement(tx *db.Tx, file []byte) (p StatementPlan, err error) {
	statements, err := bankstatement.Read(file)
	if refused := new(bankstatement.Refused); errors.As(err, &refused) {
		return p, ErrStatement.With("why", string(refused.Code)).With("place", refused.Place)
	}
	if err != nil {
		return p, err
	}
	p.contentHash, p.Sayings = digest(file), []Saying{}
	foreign := func(s bankstatement.Statement) bool { return s.Currency != d.Instance.Currency }
	if slices.IndexFunc(statements, func(s bankstatement.Statement) bool { return !foreign(s) }) < 0 {
		return p, ErrStatement.With("why", "other_currency").With("place", string(statements[0].Currency))
	}
	statements = slices.DeleteFunc(statements, foreign)
	for _, s := range statements {
		if covered := drivers.MaskIBAN(official.Account(s.Account)); !slices.Contains(p.Accounts, covered) {
			p.Accounts = append(p.Accounts, covered)
		}
		for _, e := range s.Entries {
			p.Entries++
			p.First, p.Last = min(cmp.Or(p.First, e.Day), e.Day), max(p.Last, e.Day)
		}
	}
	if today := calendar.DateOf(tx.Now, d.Instance.Location(), 0); p.Last > today {
		return p, ErrStatement.With("why", "future").With("place", string(p.Last))
	}
	batches, err := db.Select[Batch](tx, batchQuery+` AND b.way <> 'cash' AND b.state <> 'proposed' AND b.pay_on >= $2 ORDER BY b.number`,
		string(p.First.AddDays(-lookBack)))
	if err != nil {
		return p, err
	}
	if err := p.match(tx, d, statements, batches); err != nil {
		return p, err
	}
	before, err := db.Select[struct {
		ConfirmedAt time.Time
		ConfirmedBy string
	}](tx, `SELECT confirmed_at, confirmed_by FROM bank_statements WHERE tenant_id = $1 AND content_hash = $2
		ORDER BY confirmed_at DESC LIMIT 1`,
		p.contentHash)
	if err != nil {
		return p, err
	}
	if len(before) > 0 {
		p.ConfirmedAt, p.ConfirmedBy = before[0].ConfirmedAt, before[0].ConfirmedBy
	}
	encoded, err := json.Marshal(struct {
		File    string
		Sayings []Saying
	}{p.contentHash, p.Sayings})
	p.Token = digest(encoded)
	return p, err
}

// match says what the entries of each account say of the transfers from it.
// What is left is held against batches that were given up: the bank may have
// got their file all the same.
func (p *StatementPlan) match(tx *db.Tx, d *Service, statements []bankstatement.Statement, batches []Batch) error {
	ours := false
	entries := map[string][]bankstatement.Entry{}
	for _, s := range statements {
		entries[s.Account] = append(entries[s.Account], s.Entries...)
	}
	for account, entries := range entries {
		var live, cancelled []waiting
		since := map[int64]calendar.Date{}
		for _, b := range batches {
			payer, err := d.payerOf(tx, b)
			if err != nil {
				return err
			}
			if !sameAccount(string(payer.Account), account) {
				continue
			}
			ours = true
			since[b.Number] = calendar.DateOf(b.CreatedAt, d.Instance.Location(), 0)
			list, err := d.waitingOf(tx, b.Number)
			if err != nil {
				return err
			}
			for _, t := range list {
				if b.State == Cancelled || t.GivenUp {
					cancelled = append(cancelled, t)
				} else {
					live = append(live, t)
				}
			}
		}
		left := p.say(live, since, entries, false)
		p.say(cancelled, since, left, true)
	}
	if !ours {
		return ErrOtherAccount.With("account", strings.Join(p.Accounts, ", "))
	}
	slices.SortFunc(p.Sayings, func(one, other Saying) int {
		return cmp.Or(cmp.Compare(one.Batch, other.Batch), cmp.Compare(one.Place, other.Place))
	})
	return nil
}

// say adds what entries say of transfers, and gives those that say nothing.
func (p *StatementPlan) say(transfers []waiting, since map[int64]calendar.Date, entries []bankstatement.Entry,
	cancelled bool) (left []bankstatement.Entry) {
	asked := make([]bankstatement.Transfer, len(transfers))
	for n, t := range transfers {
		asked[n] = bankstatement.Transfer{ID: t.Reference, File: t.Batch, Since: since[t.Batch], PaidOn: t.PaidOn, ReturnedOn: t.ReturnedOn,
			Account: string(t.Account), Amount: t.Amount,
			Title: t.Title, EndToEnd: t.Reference}
	}
	used := map[int]bool{}
	for n, m := range bankstatement.Match(asked, entries) {
		used[m.Entry], used[m.Return] = true, true
		t := transfers[n]
		s := Saying{Batch: t.Batch, Place: t.Place, SettlementID: t.SettlementID, DriverID: t.DriverID, Number: t.Number, FirstName: t.FirstName,
			LastName: t.LastName, Holder: t.Name,
			Account: t.Account, Title: t.Title, Amount: t.Amount, Outcome: m.Outcome, Why: m.Why, Cancelled: cancelled}
		if m.Entry >= 0 {
			s.Day = entries[m.Entry].Day
		}
		switch {
		case m.Why == bankstatement.Known:
			p.Known++
			continue
		case m.Why == bankstatement.NotFound && cancelled:
			continue
		case m.Why == bankstatement.NotFound:
			p.Missing++
			continue
		case m.Outcome == bankstatement.Returned:
			s.paidOn, s.Day, s.Reason = s.Day, entries[m.Return].Day, entries[m.Return].Reason
		}
		p.Sayings = append(p.Sayings, s)
	}
	for n, e := range entries {
		if !used[n] {
			left = append(left, e)
		}
	}
	return left
}

// sameAccount says whether a statement is of the account that pays. German
// banks name it by bank and number instead of as an IBAN.
func sameAccount(iban, named string) bool {
	if named == "" || iban == named {
		return named != ""
	}
	if strings.HasPrefix(iban, "DE") && len(iban) == 22 && len(named) > 8 && len(named) <= 18 && strings.Trim(named, "0123456789") == "" {
		return iban[4:] == named[:8]+strings.Repeat("0", 18-len(named))+named[8:]
	}
	return false
}

// waitingOf are the transfers of a batch with what is known of them.
func (d *Service) waitingOf(tx *db.Tx, number int64) ([]waiting, error) {
	list, err := db.Select[waiting](tx, `SELECT t.batch, t.place, t.settlement_id, t.driver_id, s.number, v.first_name, v.last_name, t.amount,
		t.reference, t.payee_sealed,
		COALESCE(p.day, '') AS paid_on, COALESCE(r.day, '') AS returned_on,
		`+givenUp+`
		FROM payout_transfers t JOIN settlements s ON s.tenant_id = t.tenant_id AND s.id = t.settlement_id
		JOIN drivers v ON v.tenant_id = t.tenant_id AND v.id = t.driver_id`+outcomes+`
		WHERE t.tenant_id = $1 AND t.batch = $2 ORDER BY t.place`, number)
	for n := range list {
		if list[n].Payee, err = d.payeeOf(tx, list[n].PayeeSealed); err != nil {
			return nil, err
		}
	}
	return list, err
}

// Place is a transfer by where it stands.
type Place struct{ Batch, Place int64 }

// Confirmed is what a confirmed statement did.
type Confirmed struct {
	Paid     int64 // settlements that are paid now
	Returned int64 // settlements whose money came back
}

// ConfirmStatement notes what a statement says, if that still is what was shown
// under the token, except of some transfers. A settlement is paid when all its
// transfers are; when they all came back, it can be paid anew.
func (d *Service) ConfirmStatement(tx *db.Tx, name string, file []byte, token string, except []Place) (done Confirmed, err error) {
	p, err := d.PlanStatement(tx, file)
	switch {
	case err != nil:
		return done, err
	case p.Token != token:
		return done, ErrChanged
	case utf8.RuneCountInString(name) > nameMost:
		return done, ErrInvalid.Field("name", fault.TooLong)
	}
	confirmed := slices.DeleteFunc(p.Sayings, func(s Saying) bool {
		return s.Cancelled || s.Outcome == bankstatement.Unclear || slices.Contains(except, Place{s.Batch, s.Place})
	})
	if len(confirmed) == 0 {
		return done, ErrNothingSaid
	}
	id, paid, returned := tx.NewID(), int64(0), int64(0)
	for _, s := range confirmed {
		if s.Outcome == bankstatement.Paid {
			paid++
		} else {
			returned++
		}
	}
	if _, err := tx.Exec(`INSERT INTO bank_statements (tenant_id, id, file_name, content_hash, first_day, last_day, entries, paid, returned,
		confirmed_at, confirmed_by)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`, id, name, p.contentHash, string(p.First), string(p.Last), p.Entries, paid,
		returned,
		tx.Now, tx.Actor.Name); err != nil {
		return done, err
	}
	for _, s := range confirmed {
		if err := d.note(tx, id, s); err != nil {
			return done, err
		}
	}
	// the transfers of a settlement stand side by side
	for _, s := range slices.CompactFunc(confirmed, func(one, other Saying) bool {
		return one.Batch == other.Batch && one.SettlementID == other.SettlementID
	}) {
		if err := d.follow(tx, s.Batch, s.SettlementID, &done); err != nil {
			return done, err
		}
	}
	return done, audit.Record(tx, audit.Change{Action: "payouts.statement", Kind: kindOfStatement, ID: id,
		After: map[string]any{"contentHash": p.contentHash, "firstDay": p.First, "lastDay": p.Last, "paid": paid, "returned": returned,
			"settlementsPaid": done.Paid, "settlementsReturned": done.Returned}})
}

// note keeps what a statement says of a transfer.
func (d *Service) note(tx *db.Tx, statement string, s Saying) error {
	keep := func(outcome bankstatement.Outcome, day calendar.Date, reason string) error {
		if reason != "" {
			reason = d.Vault.Seal(tx.Actor.Tenant, outcomePurpose, []byte(reason))
		}
		_, err := tx.Exec(`INSERT INTO payout_outcomes (tenant_id, batch, place, outcome, day, reason_sealed, statement_id)
			VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
			s.Batch, s.Place, string(outcome), string(day), reason, statement)
		return err
	}
	if s.Outcome == bankstatement.Returned && s.paidOn != "" {
		if err := keep(bankstatement.Paid, s.paidOn, ""); err != nil {
			return err
		}
	}
	return keep(s.Outcome, s.Day, s.Reason)
}

// follow has a settlement be what its transfers are.
func (d *Service) follow(tx *db.Tx, batch int64, id string, done *Confirmed) error {
	became, err := db.One[struct {
		Transfers, Paid, Returned int64
		Last                      calendar.Date
	}](tx, `SELECT COUNT(*) AS transfers, COUNT(p.day) AS paid, COUNT(r.day) AS returned, COALESCE(MAX(p.day), '') AS last
		FROM payout_transfers t`+outcomes+`
		WHERE t.tenant_id = $1 AND t.batch = $2 AND t.settlement_id = $3`, batch, id)
	if err != nil {
		return err
	}
	s, err := settlements.Of(tx, id)
	if err != nil {
		return err
	}
	if s.Batch != batch {
		return d.followOther(tx, &s, became.Returned, done)
	}
	stands, err := standingOf(tx, id)
	if err != nil {
		return err
	}
	switch {
	case became.Returned > 0:
		done.Returned++
		if s.State == settlements.Paid {
			if err := settlements.Unmark(tx, id); err != nil {
				return err
			}
		}
		if err := s.TellReturned(tx); err != nil {
			return err
		}
		if became.Returned == became.Transfers {
			return settlements.GiveBack(tx, id)
		}
	case became.Paid == became.Transfers && s.State == settlements.Settled && stands == s.Payout:
		done.Paid++
		return d.Settlements.MarkPaid(tx, id, batch, became.Last)
	}
	return nil
}

// followOther is for a settlement that has left the batch: a part that was paid
// by it came back after all, so it is not paid in whole any more.
func (d *Service) followOther(tx *db.Tx, s *settlements.Settlement, returned int64, done *Confirmed) error {
	if returned == 0 || s.State != settlements.Paid {
		return nil
	}
	stands, err := standingOf(tx, s.ID)
	if err != nil || stands == s.Payout {
		return err
	}
	done.Returned++
	if err := s.TellReturned(tx); err != nil {
		return err
	}
	return settlements.Unmark(tx, s.ID)
}

// Statement is one that was confirmed.
type Statement struct {
	ID, FileName      string
	FirstDay, LastDay calendar.Date
	Entries           int64
	Paid, Returned    int64 // transfers
	ConfirmedAt       time.Time
	ConfirmedBy       string
}

// Statements are the newest of those that were confirmed.
func Statements(tx *db.Tx, limit int64) ([]Statement, error) {
	return db.Select[Statement](tx, `SELECT id, file_name, first_day, last_day, entries, paid, returned, confirmed_at, confirmed_by
		FROM bank_statements WHERE tenant_id = $1
		ORDER BY confirmed_at DESC, id DESC LIMIT $2`, limit)
}
