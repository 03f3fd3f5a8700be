package fleet

import (
	"errors"
	"slices"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/schemas"
)

var (
	ErrMergeSelf     = fault.Declare(fault.Invalid, "drivers.merge_self")
	ErrAlreadyMerged = fault.Declare(fault.Conflict, "drivers.already_merged")
	// ErrBothLinked is the answer to merging two who both have an account of their own: two people sign in.
	ErrBothLinked = fault.Declare(fault.Conflict, "drivers.merge_both_linked")
	// ErrMergeIdentities is the answer to a merge after which the identities could not be edited any more.
	ErrMergeIdentities = fault.Declare(fault.Conflict, "drivers.merge_identities")
)

// What a person should look at before two drivers become one.
const (
	WarnIBAN    = "iban"
	WarnTaxID   = "tax_id"
	WarnSchema  = "schema"
	WarnBailiff = "bailiff"
	WarnBlocked = "blocked"
)

// MergeTotals are the transactions of a driver.
type MergeTotals struct {
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

// MergeField is one thing of two drivers: how it reads on either side and
// whose stays.
type MergeField struct {
	Name, Kept, Other string
	Same, Choosable   bool
	Stays             string // kept or other
}

// MergePreview is what a merge would do.
type MergePreview struct {
	Kept, Other             Driver
	KeptTotals, OtherTotals MergeTotals
	After                   MergeTotals
	Fields                  []MergeField
	Transactions            int64 // that would move
	Tags                    []Tag // that the kept one would get
	Warnings                []string
	NeedsFreshLogin         bool         // somebody's money would go to another account
	Refusal                 *fault.Fault // why it cannot be done; nil: it can
}

// PreviewMerge shows both sides, what would move and the totals after.
func (b DriverBook) PreviewMerge(tx *db.Tx, keptID, otherID string) (p MergePreview, err error) {
	kept, other, err := b.pair(tx, keptID, otherID)
	if err != nil {
		return p, err
	}
	if p.Kept, err = DriverOf(tx, b.Vault, keptID); err != nil {
		return p, err
	}
	if p.Other, err = DriverOf(tx, b.Vault, otherID); err != nil {
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
	p.Fields, err = b.fieldsOf(tx, kept, other)
	return p, err
}

// pair reads two drivers who may become one.
func (b DriverBook) pair(tx *db.Tx, keptID, otherID string) (kept, other mergeSide, err error) {
	if kept, err = sideOf(tx, b.Vault, keptID); err != nil {
		return kept, other, err
	}
	if other, err = sideOf(tx, b.Vault, otherID); err != nil {
		return kept, other, err
	}
	switch {
	case keptID == otherID:
		err = ErrMergeSelf
	case kept.MergedInto != "" || other.MergedInto != "":
		err = ErrAlreadyMerged
	}
	return kept, other, err
}

func refusesMerge(kept, other Driver) *fault.Fault {
	switch {
	case kept.AccountID != "" && other.AccountID != "":
		return ErrBothLinked
	case len(kept.Identities)+len(other.Identities) > identitiesMax:
		return ErrMergeIdentities.With("max", identitiesMax)
	}
	return nil
}

func newTags(kept, other Driver) []Tag {
	return slices.DeleteFunc(slices.Clone(other.Tags), func(t Tag) bool { return slices.Contains(kept.Tags, t) })
}

func warnOf(kept, other mergeSide) []string {
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
func (b DriverBook) fieldsOf(tx *db.Tx, kept, other mergeSide) ([]MergeField, error) {
	schemas, err := schemas.List(tx)
	if err != nil {
		return nil, err
	}
	named := func(number int64) string {
		for _, s := range schemas {
			if s.Number == number || number == 0 && s.IsDefault {
				return s.Rules.Name
			}
		}
		return ""
	}
	fields := make([]MergeField, 0, len(mergeFields))
	for _, f := range mergeFields {
		m := MergeField{f.name, f.shown(&kept), f.shown(&other), f.same(&kept, &other), f.chosen, keptSide}
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
func holding(iban, holder, beside string) string {
	text := Covered(official.Account(iban))
	if text != "" && iban != beside && text == Covered(official.Account(beside)) {
		text += " (2)"
	}
	if holder != "" {
		text += ", " + holder
	}
	return text
}

// totalsOf adds up what is a driver's, with the settled rows of those who gave
// way to them.
func totalsOf(tx *db.Tx, s mergeSide) (t MergeTotals, err error) {
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

func (t MergeTotals) with(other MergeTotals) (_ MergeTotals, err error) {
	t.Settled, t.SettledOn = t.Settled+other.Settled, max(t.SettledOn, other.SettledOn)
	for _, c := range other.Unsettled {
		if t.Unsettled, err = added(t.Unsettled, c); err != nil {
			return t, err
		}
	}
	return t, nil
}

// MergeOrder says which drivers become one, in the versions that a person saw.
type MergeOrder struct {
	Kept, Other               string
	KeptVersion, OtherVersion int64
	Choices                   map[string]string // field → kept or other; what is not here is as proposed
	Reason                    string
}

// Merge makes two drivers one. What describes the other goes to the kept one,
// and so does every transaction that no settlement has taken; the other gives
// way and keeps only what was settled, since a settlement and its rows never
// change: it is read through the kept driver. Who was paid to another account
// is told, and only somebody who has just signed in may do that.
func (b DriverBook) Merge(tx *db.Tx, o MergeOrder) (id string, err error) {
	kept, other, err := b.pair(tx, o.Kept, o.Other)
	if err != nil {
		return "", err
	}
	if kept.Version != o.KeptVersion || other.Version != o.OtherVersion {
		return "", ErrDriverChanged
	}
	c := checker{refusal: ErrDriverInvalid}
	if o.Reason = c.text("reason", o.Reason, EntryTextMax, false); c.found != nil {
		return "", c.found
	}
	after, err := union(tx, kept, other, o.Choices)
	if err != nil {
		return "", err
	}
	whole, err := DriverOf(tx, b.Vault, o.Kept)
	if err != nil {
		return "", err
	}
	gone, err := DriverOf(tx, b.Vault, o.Other)
	if err != nil {
		return "", err
	}
	if refusal := refusesMerge(whole, gone); refusal != nil {
		return "", refusal
	}
	if err := b.redirect(tx, kept, after.IBAN, other, after.IBAN); err != nil {
		return "", err
	}
	state := mergeState{Before: kept, After: after, Identities: gone.Identities, Tags: []string{}}
	if after.AccountID == other.AccountID {
		state.AccountID = other.AccountID
	}
	for _, t := range newTags(whole, gone) {
		state.Tags = append(state.Tags, t.ID)
	}
	if id, err = b.giveWay(tx, o, state); err != nil {
		return "", err
	}
	if err := b.write(tx, after); err != nil {
		return "", err
	}
	if err := blockProfiles(tx, after.AccountID, after.Blocked); err != nil {
		return "", err
	}
	if err := takeOver(tx, id, o, state.Tags); err != nil {
		return "", err
	}
	return id, recordBoth(tx,
		audit.Change{Action: "drivers.merge", ID: kept.ID, Before: kept.told(kept, ""), After: after.told(kept, other.name()), Reason: o.Reason},
		audit.Change{Action: "drivers.merge_away", ID: other.ID, After: map[string]string{"mergedInto": after.name()}, Reason: o.Reason})
}

// redirect lets only somebody who has just signed in send money to another
// account, and tells each whose account it was where they were reached so far.
func (b DriverBook) redirect(tx *db.Tx, kept mergeSide, keptTo string, other mergeSide, otherTo string) error {
	if kept.IBAN == keptTo && other.IBAN == otherTo {
		return nil
	}
	if err := web.FreshLogin(tx.Actor, tx.Now); err != nil {
		return err
	}
	if kept.IBAN != keptTo {
		if err := b.tellOfMerge(tx, kept); err != nil {
			return err
		}
	}
	if other.IBAN != otherTo && other.IBAN != "" {
		return b.tellOfMerge(tx, other)
	}
	return nil
}

// giveWay writes the merge down and takes the other driver out of every list.
// Whoever had given way to them gives way to the kept one from now on, so that
// nobody leads to somebody who is not there.
func (b DriverBook) giveWay(tx *db.Tx, o MergeOrder, state mergeState) (id string, err error) {
	state.Followers, err = db.Select[string](tx, `SELECT id FROM drivers WHERE tenant_id = $1 AND merged_into = $2 AND merged_into <> ''
		ORDER BY id`, o.Other)
	if err != nil {
		return "", err
	}
	sealed, err := b.sealState(tx, state)
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
		return "", ErrDriverChanged
	}
	if _, err := tx.Exec(`UPDATE drivers SET merged_into = $3 WHERE tenant_id = $1 AND merged_into = $2 AND merged_into <> ''`, o.Other,
		o.Kept); err != nil {
		return "", err
	}
	n, err = tx.Exec(`UPDATE drivers SET merged_into = $3, account_id = CASE WHEN account_id = $4 THEN '' ELSE account_id END, version =
		version + 1, updated_at = $5
		WHERE tenant_id = $1 AND id = $2 AND version = $6 AND merged_into = ''`, o.Other, o.Kept, state.AccountID, tx.Now, o.OtherVersion)
	if err == nil && n == 0 {
		err = ErrDriverChanged
	}
	return id, err
}

// takeOver gives the kept driver the identities, the tags and the unsettled
// transactions of the other one.
func takeOver(tx *db.Tx, id string, o MergeOrder, tags []string) error {
	if _, err := tx.Exec(`UPDATE driver_identities SET driver_id = $3 WHERE tenant_id = $1 AND driver_id = $2`, o.Other, o.Kept); err != nil {
		return err
	}
	for _, tag := range tags {
		if _, err := tx.Exec(`INSERT INTO driver_tags (tenant_id, driver_id, tag_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, o.Kept,
			tag); err != nil {
			return err
		}
	}
	return moveUnsettled(tx, id, o.Other, o.Kept)
}

// moveUnsettled notes which transactions go over, and moves them. Deleted ones
// go too: somebody may bring them back.
func moveUnsettled(tx *db.Tx, mergeID, from, to string) error {
	if _, err := tx.Exec(`INSERT INTO driver_merge_transactions (tenant_id, merge_id, transaction_id)
		SELECT $1, $2, id FROM transactions WHERE tenant_id = $1 AND driver_id = $3 AND settlement_id = '' ON CONFLICT DO NOTHING`, mergeID,
		from); err != nil {
		return err
	}
	_, err := tx.Exec(`UPDATE transactions SET driver_id = $3, updated_at = $4 WHERE tenant_id = $1 AND driver_id = $2 AND settlement_id = ''`,
		from, to, tx.Now)
	return err
}

// FollowMerge gives what became unsettled of somebody who gave way to whoever
// stands for them, as the merge itself would have. Whatever frees settled
// transactions of a driver calls it, or they would be in nobody's settlement.
func FollowMerge(tx *db.Tx, driverID string) error {
	for {
		m, err := db.One[struct{ ID, KeptID string }](tx, `SELECT id, kept_id FROM driver_merges WHERE tenant_id = $1 AND merged_id = $2
			AND undone_at = ''`, driverID)
		if errors.Is(err, db.ErrNone) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := moveUnsettled(tx, m.ID, driverID, m.KeptID); err != nil {
			return err
		}
		driverID = m.KeptID
	}
}

// mergeTold is a driver as the trail of a merge keeps them.
type mergeTold struct {
	driverTold
	Active  bool   `json:"active"`
	Blocked bool   `json:"blocked"`
	Linked  bool   `json:"linked"`
	With    string `json:"mergedWith"`
}

func (s mergeSide) told(before mergeSide, with string) mergeTold {
	return mergeTold{s.details().told(before.details()), s.Active, s.Blocked, s.AccountID != "", with}
}

// recordBoth leaves one line on each of the two.
func recordBoth(tx *db.Tx, kept, other audit.Change) error {
	kept.Kind, other.Kind = driverKind, driverKind
	return errors.Join(audit.Record(tx, kept), audit.Record(tx, other))
}
