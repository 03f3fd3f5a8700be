package payouts

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/partners"
	"saldo/internal/payouts/bankfile"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
)

// PayoutRequest says what to pay and how.
type PayoutRequest struct {
	Settlements    []string        // empty: all that are settled and in no batch
	Period         calendar.Period // of these; empty: of any
	Profile        string          // of the bank whose file is made
	ForeignProfile string          // for accounts abroad; empty: they are left out, unless the other file holds them too
	Cash           bool            // who has no account gets cash
	Accept         []string        // settlements that are paid to an account that changed lately
	PayRefused     []string        // settlements that are paid although KSeF refused the invoice
	PayOn          calendar.Date
}

// daysAhead is how far ahead a bank may be told of transfers.
const daysAhead = 60

// lately is how long ago an account may have changed to be looked at again.
const lately = 7 * 24 * time.Hour

// Way is how money reaches a driver.
type Way string

// The ways.
const (
	Domestic Way = "domestic"
	Foreign  Way = "foreign"
	Cash     Way = "cash"
)

// Reason is why a settlement is left out of every batch.
type Reason string

// The reasons, in the order in which they are found.
const (
	NotThere       Reason = "not_there" // no settlement of the partner
	Revoked        Reason = "revoked"
	Absorbed       Reason = "absorbed"
	AlreadyPaid    Reason = "paid"
	NothingToPay   Reason = "nothing"
	InBatch        Reason = "in_batch"
	Blocked        Reason = "blocked" // the driver is: paid when they are unblocked
	Bailiff        Reason = "bailiff"
	NoTaxID        Reason = "no_tax_id" // where an invoice is due
	NoAccount      Reason = "no_account"
	AccountChanged Reason = "account_changed" // in the last days
	ForeignAccount Reason = "foreign_account" // and no file that holds it was chosen
	Unwritable     Reason = "unwritable"      // a name that the bank's file cannot hold
)

// Excluded is a settlement that is not paid, and why.
type Excluded struct {
	SettlementID, DriverID string
	FirstName, LastName    string
	Number                 int64
	FirstOn, LastOn        calendar.Date
	Payout                 money.Amount
	Reason                 Reason
	Batch                  int64     // that has it
	ChangedAt              time.Time // of the account
	Found                  string    // the sign that cannot be written, or the country of the account
}

func excluded(s *settlements.Settlement) Excluded {
	return Excluded{SettlementID: s.ID, DriverID: s.CanonicalDriver(), FirstName: s.FirstName, LastName: s.LastName, Number: s.Number,
		FirstOn: s.FirstOn, LastOn: s.LastOn, Payout: s.Payout}
}

// Payee is whom a bank pays and why, by value.
type Payee struct {
	Name    string           `json:"name"`
	Account official.Account `json:"account"`
	TaxID   string           `json:"taxId"`
	Title   string           `json:"title"`
	Invoice string           `json:"invoice"` // of a split payment
}

// Transfer is one payment of a batch.
type Transfer struct {
	Place                  int64
	SettlementID, DriverID string
	Number                 int64 // of the settlement
	FirstName, LastName    string
	Purpose                engine.Purpose
	Amount, VAT            money.Amount
	Reference              string
	Payee
}

// Payer is the partner as the bank knows it, by value.
type Payer struct {
	Name    string           `json:"name"`
	Street  string           `json:"street"`
	Place   string           `json:"place"`
	Account official.Account `json:"account"`
}

// Draft is a batch that would be made.
type Draft struct {
	Way         Way
	Profile     string
	Settlements int64
	Sum         money.Amount
	Transfers   []Transfer
	Changes     []bankfile.Change // texts that the file holds otherwise
}

// Plan is what a request would do.
type Plan struct {
	Drafts   []Draft
	Excluded []Excluded
	Payer    []Reason // what the partner lacks: an account, a tax id
	Warnings []Warning
	PayOn    calendar.Date // the day that was wanted, or the first one after it on which banks work
	Token    string        // another one means that something changed

	payer Payer
}

// Plan is a dry run: it changes nothing.
func (d *Service) Plan(tx *db.Tx, w PayoutRequest) (p Plan, err error) {
	main, err := d.checked(tx, &w)
	if err != nil {
		return p, err
	}
	if p.PayOn = calendar.NextBusinessDay(w.PayOn, strings.ToUpper(d.Instance.Code)); p.PayOn != w.PayOn {
		p.Warnings = append(p.Warnings, Warning{Code: PayDateMoved})
	}
	if err := p.paidBy(tx, d, main); err != nil {
		return p, err
	}
	candidates, err := d.candidates(tx, w, &p)
	if err != nil {
		return p, err
	}
	ids := make([]string, len(candidates))
	for i := range candidates {
		ids[i] = candidates[i].CanonicalDriver()
	}
	payees, err := drivers.Payees(tx, d.Vault, ids)
	if err != nil {
		return p, err
	}
	before, err := paidBefore(tx)
	if err != nil {
		return p, err
	}
	invoices, err := d.invoices(tx)
	if err != nil {
		return p, err
	}
	home := strings.ToUpper(d.Instance.Code)
	groups, unnamed := map[Way][]Transfer{}, map[string]bool{}
	for i := range candidates {
		s := &candidates[i]
		payee := payees[s.CanonicalDriver()]
		transfers, err := d.transfers(s, payee, before[s.ID], func(t snapshot.Transfer) string {
			text, missing := d.named(invoices[s.ID], t, p.PayOn)
			unnamed[s.ID] = unnamed[s.ID] || missing
			return text
		})
		if err != nil {
			return p, err
		}
		out := excluded(s)
		out.DriverID, out.FirstName, out.LastName = payee.ID, payee.FirstName, payee.LastName
		way := Domestic
		switch invoiced := slices.ContainsFunc(transfers, func(t Transfer) bool { return t.Purpose == engine.InvoicePaid }); {
		case payee.Blocked:
			out.Reason = Blocked
		case payee.Bailiff:
			out.Reason = Bailiff
		case invoiced && payee.TaxID == "":
			out.Reason = NoTaxID
		case payee.Account == "" && w.Cash:
			way = Cash
		case payee.Account == "":
			out.Reason = NoAccount
		case tx.Now.Sub(payee.AccountChangedAt) < lately && !slices.Contains(w.Accept, s.ID):
			out.Reason, out.ChangedAt = AccountChanged, payee.AccountChangedAt
		case payee.Account.Domestic(home) || main.Foreign() && w.ForeignProfile == "":
		case w.ForeignProfile != "":
			way = Foreign
		default:
			out.Reason, out.Found = ForeignAccount, payee.Account.Country()
		}
		if out.Reason == "" {
			if out.Reason = d.invoiced(&w, way, s.ID, transfers, invoices[s.ID]); out.Reason == OutsideSEPA {
				out.Found = payee.Account.Country()
			}
		}
		if out.Reason != "" {
			p.Excluded = append(p.Excluded, out)
			continue
		}
		groups[way] = append(groups[way], transfers...)
	}
	if len(p.Payer) == 0 {
		if err := p.files(tx, d, Domestic, w.Profile, groups[Domestic]); err != nil {
			return p, err
		}
		if err := p.files(tx, d, Foreign, w.ForeignProfile, groups[Foreign]); err != nil {
			return p, err
		}
	}
	if len(groups[Cash]) > 0 {
		p.add(Draft{Way: Cash, Transfers: groups[Cash]})
	}
	slices.SortStableFunc(p.Excluded, func(a, b Excluded) int { return int(b.Number - a.Number) })
	p.warnOfAccounts()
	p.warnOfTitles(unnamed)
	p.Token, err = p.token()
	return p, err
}

// Hindrances are why drivers cannot be paid as they are now, by driver; whoever can is not in it. Plan finds further reasons.
func Hindrances(tx *db.Tx, driverIDs []string) (map[string]Reason, error) {
	found := map[string]Reason{}
	for some := range slices.Chunk(driverIDs, 200) {
		in, args := db.Among(2, some)
		rows, err := db.Select[struct {
			ID                          string
			Blocked, Bailiff, NoAccount bool
		}](tx, `SELECT id, blocked, bailiff, iban_sealed = '' AS no_account FROM drivers WHERE tenant_id = $1 AND id`+in+`
			AND (blocked OR bailiff OR iban_sealed = '')`, args...)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			switch {
			case r.Blocked:
				found[r.ID] = Blocked
			case r.Bailiff:
				found[r.ID] = Bailiff
			default:
				found[r.ID] = NoAccount
			}
		}
	}
	return found, nil
}

// checked refuses what cannot be requested, and gives the bank's profile.
func (d *Service) checked(tx *db.Tx, w *PayoutRequest) (bankfile.Profile, error) {
	invalid := ErrInvalid
	main, ok := d.profile(w.Profile)
	if !ok {
		invalid = invalid.Field("profile", fault.WrongFormat)
	}
	if other, ok := d.profile(w.ForeignProfile); w.ForeignProfile != "" && (!ok || !other.Foreign()) {
		invalid = invalid.Field("foreignProfile", fault.WrongFormat)
	}
	today := calendar.DateOf(tx.Now, d.Instance.Location(), 0)
	if w.PayOn == "" {
		w.PayOn = today
	}
	if !w.PayOn.Exists() || w.PayOn < today || w.PayOn > today.AddDays(daysAhead) {
		invalid = invalid.Field("payOn", fault.WrongFormat)
	}
	if len(invalid.Fields) > 0 {
		return main, invalid
	}
	return main, nil
}

// paidBy finds who pays, and what they lack for a file.
func (p *Plan) paidBy(tx *db.Tx, d *Service, main bankfile.Profile) error {
	own, err := partners.OwnProfile(tx, d.Vault)
	if err != nil {
		return err
	}
	a := own.Address
	street := strings.TrimSpace(a.Street + " " + a.HouseNumber)
	if a.ApartmentNumber != "" {
		street += "/" + a.ApartmentNumber
	}
	p.payer = Payer{own.Name, street, strings.TrimSpace(a.PostCode + " " + a.City), own.Account}
	switch {
	case own.Account == "":
		p.Payer = append(p.Payer, NoAccount)
	case main.Country != "" && !own.Account.Domestic(main.Country):
		p.Payer = append(p.Payer, ForeignAccount)
	}
	if own.TaxID == "" {
		p.Payer = append(p.Payer, NoTaxID)
	}
	return nil
}

// candidates are the settlements of a request that can be paid as far as they
// themselves say. Of a named one that cannot it is said why.
func (d *Service) candidates(tx *db.Tx, w PayoutRequest, p *Plan) (found []settlements.Settlement, err error) {
	var all []settlements.Settlement
	missing := map[string]bool{}
	if len(w.Settlements) > 0 {
		for _, id := range w.Settlements {
			missing[id] = true
		}
		all, err = settlements.Some(tx, slices.Collect(maps.Keys(missing)))
	} else {
		var page settlements.Page
		page, err = settlements.List(tx, settlements.Filter{State: settlements.Settled, Period: w.Period, Page: 1, Size: 1_000_000})
		all = page.Items
	}
	if err != nil {
		return nil, err
	}
	for i := range all {
		s := &all[i]
		delete(missing, s.ID)
		out := excluded(s)
		switch {
		case s.State == settlements.Revoked:
			out.Reason = Revoked
		case s.AbsorbedInto != "":
			out.Reason = Absorbed
		case s.State == settlements.Paid:
			out.Reason = AlreadyPaid
		case s.Payout <= 0:
			out.Reason = NothingToPay
		case s.Batch > 0:
			out.Reason, out.Batch = InBatch, s.Batch
		default:
			found = append(found, *s)
			continue
		}
		if len(w.Settlements) > 0 || out.Reason == InBatch {
			p.Excluded = append(p.Excluded, out)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(missing)) {
		p.Excluded = append(p.Excluded, Excluded{SettlementID: id, Reason: NotThere})
	}
	slices.SortFunc(found, func(one, other settlements.Settlement) int { return cmp.Compare(one.Number, other.Number) })
	return found, nil
}

// transfers are what a settlement pays, one for each purpose, less those that
// an earlier batch paid. Named is how each names its invoice; empty: there is none.
func (d *Service) transfers(s *settlements.Settlement, payee drivers.Payee, paid map[string]money.Amount,
	named func(snapshot.Transfer) string) ([]Transfer, error) {
	kept, err := s.KeptTransfers()
	if err != nil {
		return nil, err
	}
	language := i18n.Language(d.Instance.Language)
	transfers := make([]Transfer, 0, len(kept))
	sum := money.Amount(0)
	for _, k := range kept {
		if sum += k.Amount; paid[string(k.Purpose)] == k.Amount {
			continue
		}
		t := Transfer{SettlementID: s.ID, DriverID: payee.ID, Number: s.Number, FirstName: payee.FirstName, LastName: payee.LastName,
			Purpose: k.Purpose, Amount: k.Amount,
			Payee: Payee{Name: payee.Holder, Account: payee.Account, Title: s.Title(language, k.Purpose)}}
		if invoice := named(k); d.splits(k) {
			t.VAT, t.TaxID, t.Invoice = k.VAT, payee.TaxID, invoice
		} else if invoice != "" {
			t.Title = invoice + " " + t.Title
		}
		transfers = append(transfers, t)
	}
	if sum != s.Payout {
		return nil, fmt.Errorf("payouts: the transfers of settlement %s are %v and its payout is %v", s.ID, sum, s.Payout)
	}
	return transfers, nil
}

// files makes a draft of each file that a bank needs for transfers of one way.
func (p *Plan) files(tx *db.Tx, d *Service, way Way, profile string, transfers []Transfer) error {
	known, _ := d.profile(profile)
	for _, piece := range pieces(transfers, known.Most) {
		if err := p.file(tx, d, way, profile, transfers[piece[0]:piece[1]]); err != nil {
			return err
		}
	}
	return nil
}

// file makes the draft of one file. Whose name cannot be written is left out,
// with all transfers of the settlement, and the others are tried again.
func (p *Plan) file(tx *db.Tx, d *Service, way Way, profile string, transfers []Transfer) error {
	for len(transfers) > 0 {
		b := Draft{Way: way, Profile: profile, Transfers: transfers}
		file, err := b.write(p.payer, trialID, tx.Now, p.PayOn, d.Instance.Currency)
		refusal := bankfile.Refusal{}
		switch {
		case err == nil:
			b.Changes = file.Changes
			p.add(b)
			return nil
		case !errors.As(err, &refusal):
			return err
		case refusal.Payment < 0:
			p.Payer = append(p.Payer, Unwritable)
			return nil
		}
		out := transfers[refusal.Payment]
		p.Excluded = append(p.Excluded, Excluded{SettlementID: out.SettlementID, DriverID: out.DriverID, FirstName: out.FirstName,
			LastName: out.LastName, Number: out.Number,
			Payout: sumOf(transfers, out.SettlementID), Reason: Unwritable, Found: refusal.Found})
		transfers = slices.DeleteFunc(slices.Clone(transfers), func(t Transfer) bool { return t.SettlementID == out.SettlementID })
	}
	return nil
}

// pieces cuts transfers into pieces of at most so many, none through a
// settlement; 0: one piece.
func pieces(transfers []Transfer, maximum int) (cut [][2]int) {
	from, first := 0, 0 // of the piece, and of the settlement
	for n := range transfers {
		if transfers[n].SettlementID != transfers[first].SettlementID {
			first = n
		}
		if maximum > 0 && n-from >= maximum && first > from {
			cut = append(cut, [2]int{from, first})
			from = first
		}
	}
	if len(transfers) > 0 {
		cut = append(cut, [2]int{from, len(transfers)})
	}
	return cut
}

func sumOf(transfers []Transfer, settlementID string) (sum money.Amount) {
	for _, t := range transfers {
		if t.SettlementID == settlementID {
			sum += t.Amount
		}
	}
	return sum
}

// add counts a draft and takes it up.
func (p *Plan) add(b Draft) {
	seen := map[string]bool{}
	for n := range b.Transfers {
		b.Transfers[n].Place = int64(n + 1)
		b.Sum += b.Transfers[n].Amount
		seen[b.Transfers[n].SettlementID] = true
	}
	b.Settlements = int64(len(seen))
	p.Drafts = append(p.Drafts, b)
}

// trialID stands in the file of a dry run, which nobody gets.
const trialID = "trial"

// write makes the file of a draft.
func (b *Draft) write(from Payer, id string, at time.Time, on calendar.Date, currency money.Currency) (bankfile.File, error) {
	profile, _ := bankfile.Of(b.Profile)
	o := bankfile.Order{ID: id, MadeAt: at, On: on, Currency: currency, From: bankfile.Party(from),
		Payments: make([]bankfile.Payment, len(b.Transfers))}
	for n, t := range b.Transfers {
		one := bankfile.Payment{Reference: t.Reference, Amount: t.Amount, To: bankfile.Party{Name: t.Name, Account: t.Account}, Title: t.Title}
		if one.Reference == "" {
			one.Reference = fmt.Sprint(trialID, n)
		}
		if nip, err := official.ParseNIP(t.TaxID); err == nil && t.VAT > 0 && profile.Splits {
			one.Split = &bankfile.Split{VAT: t.VAT, TaxID: nip, Invoice: t.Invoice}
		}
		o.Payments[n] = one
	}
	return bankfile.Write(b.Profile, o)
}

// token is a sum of everything that would be done.
func (p *Plan) token() (string, error) {
	content, err := json.Marshal(struct {
		Payer  Payer
		On     calendar.Date
		Drafts []Draft
	}{p.payer, p.PayOn, p.Drafts})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:16]), nil
}
