// Package merge makes two drivers one, undoes that, and finds drivers who may be the same person.
package merge

import (
	"errors"
	"slices"

	"saldo/internal/drivers"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/kernel/validate"
	"saldo/internal/ledger"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/schemas"
)

var (
	ErrSelf          = fault.Declare(fault.Invalid, "drivers.merge_self")
	ErrAlreadyMerged = fault.Declare(fault.Conflict, "drivers.already_merged")
	// ErrBothLinked is the answer to merging two who both have an account of their own: two people sign in.
	ErrBothLinked = fault.Declare(fault.Conflict, "drivers.merge_both_linked")
	// ErrIdentities is the answer to a merge after which the identities could not be edited any more.
	ErrIdentities = fault.Declare(fault.Conflict, "drivers.merge_identities")
)

// What a person should look at before two drivers become one.
const (
	WarnIBAN    = "iban"
	WarnTaxID   = "tax_id"
	WarnSchema  = "schema"
	WarnBailiff = "bailiff"
	WarnBlocked = "blocked"
)

// Totals are the transactions of a driver.
type Totals struct {
	Unsettled []CurrencyTotal
	Settled   int64 // how many
	SettledOn string
}

// CurrencyTotal is what is unsettled in one currency: of Count transactions
// Sum is what settlements will count.
type CurrencyTotal struct {
	Currency money.Currency
	Count    int64
	Sum      money.Amount
}

// Field is one thing of two drivers: how it reads on either side and
// whose stays.
type Field struct {
	Name, Kept, Other string
	Same, Choosable   bool
	Stays             string // kept or other
}

// Preview is what a merge would do.
type Preview struct {
	Kept, Other             drivers.Driver
	KeptTotals, OtherTotals Totals
	After                   Totals
	Fields                  []Field
	Transactions            int64         // that would move
	Tags                    []drivers.Tag // that the kept one would get
	Warnings                []string
	NeedsFreshLogin         bool         // somebody's money would go to another account
	Refusal                 *fault.Fault // why it cannot be done; nil: it can
}

// PreviewOf shows both sides, what would move and the totals after.
func PreviewOf(tx *db.Tx, b drivers.Service, keptID, otherID string) (p Preview, err error) {
	kept, other, err := pair(tx, b, keptID, otherID)
	if err != nil {
		return p, err
	}
	if p.Kept, err = drivers.Get(tx, b.Vault, keptID); err != nil {
		return p, err
	}
	if p.Other, err = drivers.Get(tx, b.Vault, otherID); err != nil {
		return p, err
	}
	if p.KeptTotals, err = totalsOf(tx, kept); err != nil {
		return p, err
	}
	if p.OtherTotals, err = totalsOf(tx, other); err != nil {
		return p, err
	}
	if p.After, err = p.KeptTotals.with(p.OtherTotals); err != nil {
		return p, err
	}
	for _, c := range p.OtherTotals.Unsettled {
		p.Transactions += c.Count
	}
	p.Tags = newTags(p.Kept, p.Other)
	p.NeedsFreshLogin = kept.IBAN != other.IBAN
	p.Refusal = refusesMerge(p.Kept, p.Other)
	p.Warnings = warnOf(kept, other)
	p.Fields, err = fieldsOf(tx, b, kept, other)
	return p, err
}

// pair reads two drivers who may become one.
func pair(tx *db.Tx, b drivers.Service, keptID, otherID string) (kept, other side, err error) {
	if kept, err = sideOf(tx, b.Vault, keptID); err != nil {
		return kept, other, err
	}
	if other, err = sideOf(tx, b.Vault, otherID); err != nil {
		return kept, other, err
	}
	switch {
	case keptID == otherID:
		err = ErrSelf
	case kept.MergedInto != "" || other.MergedInto != "":
		err = ErrAlreadyMerged
	}
	return kept, other, err
}

func refusesMerge(kept, other drivers.Driver) *fault.Fault {
	switch {
	case kept.AccountID != "" && other.AccountID != "":
		return ErrBothLinked
	case len(kept.Identities)+len(other.Identities) > drivers.IdentitiesMax:
		return ErrIdentities.With("max", drivers.IdentitiesMax)
	}
	return nil
}

func newTags(kept, other drivers.Driver) []drivers.Tag {
	return slices.DeleteFunc(slices.Clone(other.Tags), func(t drivers.Tag) bool { return slices.Contains(kept.Tags, t) })
}

func warnOf(kept, other side) []string {
	warnings := []string{}
	for _, w := range []struct {
		what string
		when bool
	}{
		{WarnIBAN, kept.IBAN != other.IBAN && kept.IBAN != "" && other.IBAN != ""},
		{WarnTaxID, kept.TaxID != other.TaxID && kept.TaxID != "" && other.TaxID != ""},
		{WarnSchema, kept.SchemaNumber != other.SchemaNumber}, {WarnBailiff, kept.Bailiff != other.Bailiff},
		{WarnBlocked, kept.Blocked != other.Blocked},
	} {
		if w.when {
			warnings = append(warnings, w.what)
		}
	}
	return warnings
}

// fieldsOf is how the fields read. A schema is told by its name, and of an
// account only what tells it from the other.
func fieldsOf(tx *db.Tx, b drivers.Service, kept, other side) ([]Field, error) {
	all, err := schemas.List(tx)
	if err != nil {
		return nil, err
	}
	named := func(number int64) string {
		for _, s := range all {
			if s.Number == number || number == 0 && s.IsDefault {
				return s.Rules.Name
			}
		}
		return ""
	}
	fields := make([]Field, 0, len(mergeFields))
	for _, f := range mergeFields {
		m := Field{f.name, f.shown(&kept), f.shown(&other), f.same(&kept, &other), f.chosen, keptSide}
		if f.chosen {
			m.Stays = f.proposed(&kept, &other)
		} else if f.takes(&kept, &other) {
			m.Stays = otherSide
		}
		switch f.name {
		case "schemaNumber":
			m.Kept, m.Other = named(kept.SchemaNumber), named(other.SchemaNumber)
		case "iban":
			m.Kept, m.Other = holding(kept.IBAN, kept.AccountHolder, ""), holding(other.IBAN, other.AccountHolder, kept.IBAN)
		}
		fields = append(fields, m)
	}
	return fields, nil
}

// holding is an account with its holder; beside another one with the same end it is marked.
func holding(iban official.Account, holder string, beside official.Account) string {
	text := drivers.MaskIBAN(iban)
	if text != "" && iban != beside && text == drivers.MaskIBAN(beside) {
		text += " (2)"
	}
	if holder != "" {
		text += ", " + holder
	}
	return text
}

// totalsOf adds up what is a driver's, with the settled rows of those who gave
// way to them.
func totalsOf(tx *db.Tx, s side) (t Totals, err error) {
	t.SettledOn, t.Unsettled = s.SettledOn, []CurrencyTotal{}
	parts, err := db.Select[struct {
		Currency                money.Currency
		Type, Provider          string
		Settled, Negative, Rows int64
		Sum                     money.Amount
	}](tx, `SELECT currency, type, provider, CASE WHEN settlement_id = '' THEN 0 ELSE 1 END AS settled, CASE WHEN amount < 0 THEN 1 ELSE 0 END
		AS negative,
		COUNT(*) AS rows, CAST(SUM(amount) AS BIGINT) AS sum FROM transactions
		WHERE tenant_id = $1 AND deleted_at = '' AND driver_id IN (SELECT id FROM drivers WHERE tenant_id = $1 AND (id = $2 OR merged_into = $2
		AND merged_into <> ''))
		GROUP BY currency, type, provider, CASE WHEN settlement_id = '' THEN 0 ELSE 1 END, CASE WHEN amount < 0 THEN 1 ELSE 0 END
		ORDER BY currency`, s.ID)
	for _, part := range parts {
		if part.Settled == 1 {
			t.Settled += part.Rows
			continue
		}
		sum := part.Sum
		if !kinds.CategoryOf(part.Type, part.Provider, 1-2*part.Negative).Counted() {
			sum = 0
		}
		if t.Unsettled, err = added(t.Unsettled, CurrencyTotal{part.Currency, part.Rows, sum}); err != nil {
			return t, err
		}
	}
	return t, err
}

func added(totals []CurrencyTotal, c CurrencyTotal) (_ []CurrencyTotal, err error) {
	i := slices.IndexFunc(totals, func(t CurrencyTotal) bool { return t.Currency == c.Currency })
	if i < 0 {
		return append(slices.Clone(totals), c), nil
	}
	totals = slices.Clone(totals)
	totals[i].Count += c.Count
	totals[i].Sum, err = totals[i].Sum.Add(c.Sum)
	return totals, err
}

func (t Totals) with(other Totals) (_ Totals, err error) {
	t.Settled, t.SettledOn = t.Settled+other.Settled, max(t.SettledOn, other.SettledOn)
	for _, c := range other.Unsettled {
		if t.Unsettled, err = added(t.Unsettled, c); err != nil {
			return t, err
		}
	}
	return t, nil
}

// Order says which drivers become one, in the versions that a person saw.
type Order struct {
	Kept, Other               string
	KeptVersion, OtherVersion int64
	Choices                   map[string]string // field → kept or other; what is not here is as proposed
	Reason                    string
}

// Drivers makes two drivers one. What describes the other goes to the kept one,
// and so does every transaction that no settlement has taken; the other gives
// way and keeps only what was settled, since a settlement and its rows never
// change: it is read through the kept driver. Who was paid to another account
// is told, and only somebody who has just signed in may do that.
func Drivers(tx *db.Tx, b drivers.Service, o Order) (id string, err error) {
	kept, other, err := pair(tx, b, o.Kept, o.Other)
	if err != nil {
		return "", err
	}
	if kept.Version != o.KeptVersion || other.Version != o.OtherVersion {
		return "", drivers.ErrChanged
	}
	c := validate.New(drivers.ErrInvalid)
	o.Reason = c.Text("reason", o.Reason, ledger.EntryTextMax, false)
	if err := c.Err(); err != nil {
		return "", err
	}
	after, err := union(tx, kept, other, o.Choices)
	if err != nil {
		return "", err
	}
	whole, err := drivers.Get(tx, b.Vault, o.Kept)
	if err != nil {
		return "", err
	}
	gone, err := drivers.Get(tx, b.Vault, o.Other)
	if err != nil {
		return "", err
	}
	if refusal := refusesMerge(whole, gone); refusal != nil {
		return "", refusal
	}
	if err := redirect(tx, b, kept, after.IBAN, other, after.IBAN); err != nil {
		return "", err
	}
	state := state{Before: kept, After: after, Identities: gone.Identities, Tags: []string{}}
	if after.AccountID == other.AccountID {
		state.AccountID = other.AccountID
	}
	for _, t := range newTags(whole, gone) {
		state.Tags = append(state.Tags, t.ID)
	}
	if id, err = mergeInto(tx, b, o, state); err != nil {
		return "", err
	}
	if err := write(tx, b, after); err != nil {
		return "", err
	}
	if err := drivers.BlockProfile(tx, after.AccountID, after.Blocked); err != nil {
		return "", err
	}
	if err := takeOver(tx, id, o, state.Tags); err != nil {
		return "", err
	}
	return id, recordBoth(tx,
		audit.Change{Action: "drivers.merge", ID: kept.ID, Before: kept.auditView(kept, ""), After: after.auditView(kept, other.name()),
			Reason: o.Reason},
		audit.Change{Action: "drivers.merge_away", ID: other.ID, After: map[string]string{"mergedInto": after.name()}, Reason: o.Reason})
}

// redirect lets only somebody who has just signed in send money to another
// account, and tells each whose account it was where they were reached so far.
func redirect(tx *db.Tx, b drivers.Service, kept side, keptTo official.Account, other side, otherTo official.Account) error {
	if kept.IBAN == keptTo && other.IBAN == otherTo {
		return nil
	}
	if err := web.FreshLogin(tx.Actor, tx.Now); err != nil {
		return err
	}
	if kept.IBAN != keptTo {
		if err := tellOfMerge(tx, b, kept); err != nil {
			return err
		}
	}
	if other.IBAN != otherTo && other.IBAN != "" {
		return tellOfMerge(tx, b, other)
	}
	return nil
}

// mergeInto writes the merge down and takes the other driver out of every list.
// Whoever had been merged into them is merged into the kept one from now on, so that
// nobody leads to somebody who is not there.
func mergeInto(tx *db.Tx, b drivers.Service, o Order, state state) (id string, err error) {
	state.Followers, err = db.Select[string](tx, `SELECT id FROM drivers WHERE tenant_id = $1 AND merged_into = $2 AND merged_into <> ''
		ORDER BY id`, o.Other)
	if err != nil {
		return "", err
	}
	sealed, err := sealState(tx, b, state)
	if err != nil {
		return "", err
	}
	id = tx.NewID()
	// whoever finds the pair merged meanwhile is told so: without ON CONFLICT the index would speak before the race is noticed
	n, err := tx.Exec(`INSERT INTO driver_merges (tenant_id, id, kept_id, merged_id, kept_version, merged_at, merged_by, reason, state_sealed,
		undone_at, undone_by)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '', '') ON CONFLICT DO NOTHING`, id, o.Kept, o.Other, o.KeptVersion+1, tx.Now, tx.Actor.Name,
		o.Reason, sealed)
	if err != nil {
		return "", err
	}
	if n == 0 {
		return "", drivers.ErrChanged
	}
	if _, err := tx.Exec(`UPDATE drivers SET merged_into = $3 WHERE tenant_id = $1 AND merged_into = $2 AND merged_into <> ''`, o.Other,
		o.Kept); err != nil {
		return "", err
	}
	n, err = tx.Exec(`UPDATE drivers SET merged_into = $3, account_id = CASE WHEN account_id = $4 THEN '' ELSE account_id END, version =
		version + 1, updated_at = $5
		WHERE tenant_id = $1 AND id = $2 AND version = $6 AND merged_into = ''`, o.Other, o.Kept, state.AccountID, tx.Now, o.OtherVersion)
	if err == nil && n == 0 {
		err = drivers.ErrChanged
	}
	return id, err
}

// takeOver gives the kept driver the identities, the tags and the unsettled
// transactions of the other one.
func takeOver(tx *db.Tx, id string, o Order, tags []string) error {
	if _, err := tx.Exec(`UPDATE driver_identities SET driver_id = $3 WHERE tenant_id = $1 AND driver_id = $2`, o.Other, o.Kept); err != nil {
		return err
	}
	for _, tag := range tags {
		if _, err := tx.Exec(`INSERT INTO driver_tags (tenant_id, driver_id, tag_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, o.Kept,
			tag); err != nil {
			return err
		}
	}
	return ledger.MoveUnsettled(tx, id, o.Other, o.Kept)
}

// auditView is a driver as the trail of a merge keeps them.
type auditView struct {
	drivers.Details
	Active  bool   `json:"active"`
	Blocked bool   `json:"blocked"`
	Linked  bool   `json:"linked"`
	With    string `json:"mergedWith"`
}

func (s side) auditView(before side, with string) auditView {
	return auditView{s.AuditView(before.Details), s.Active, s.Blocked, s.AccountID != "", with}
}

// recordBoth leaves one line on each of the two.
func recordBoth(tx *db.Tx, kept, other audit.Change) error {
	kept.Kind, other.Kind = drivers.AuditKind, drivers.AuditKind
	return errors.Join(audit.Record(tx, kept), audit.Record(tx, other))
}
