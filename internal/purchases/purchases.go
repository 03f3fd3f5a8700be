// Package purchases fetches the invoices that KSeF has for a partner, as the buyer and as a third party, and keeps them as they came.
// What is fetched decides nothing. Nothing of it was tried at KSeF itself.
//
// KSeF is asked by a plan, never because a person clicks, and not more often than every quarter of an hour for a role.
package purchases

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/ksef/login"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
)

// ErrNotFound is the answer to a number that is not there.
var ErrNotFound = fault.Declare(fault.NotFound, "purchases.not_found")

// The kinds of jobs.
const (
	LookKind   = "purchases.look"   // for whose time it is
	FetchKind  = "purchases.fetch"  // asks KSeF for a package
	ParcelKind = "purchases.parcel" // takes a package in
)

// Role is what the partner is on an invoice.
type Role string

// The roles.
const (
	Buyer Role = "buyer"
	Third Role = "third" // neither seller nor buyer, such as who pays
)

// subjects are the roles as KSeF names them.
var subjects = map[Role]wire.Role{Buyer: wire.Buyer, Third: wire.Third}

// Problem is what stands in the way of fetching.
type Problem string

// The problems.
const (
	Away    Problem = "away"    // KSeF does not answer, or not with what it promised
	Denied  Problem = "denied"  // whom the certificate names may not read invoices
	Refused Problem = "refused" // KSeF does not take what Saldo asks
)

// Problems are all there are.
func Problems() []Problem { return []Problem{Away, Denied, Refused} }

// Service fetches.
type Service struct {
	DB       *db.DB
	Blobs    blob.Store
	Vault    *vault.Vault
	KSeF     *login.Service
	Instance config.Instance
	Log      *slog.Logger

	Mails     *mail.Queue
	PublicURL string // what links in mails begin with

	keys wire.Keyring
}

// Handle gives the jobs their handlers.
func (s *Service) Handle(q *jobs.Queue) {
	q.Handle(LookKind, s.look)
	q.Handle(FetchKind, s.fetch)
	q.Handle(ParcelKind, s.parcel)
	q.Every(5*time.Minute, LookKind, jobs.Order{Kind: LookKind, Key: "look"})
}

// Checked is what is known of a self-billed invoice in the partner's name.
type Checked string

// What is known.
const (
	notSelfBilled Checked = ""
	unchecked     Checked = "open"
	Ours          Checked = "ours"    // Saldo issued it
	Strange       Checked = "strange" // Saldo did not
	Known         Checked = "known"   // a person said that it is right
)

// Purchase is an invoice that KSeF has for the partner. Amounts are those of its file.
type Purchase struct {
	KsefNumber              string
	Role                    Role
	SellerTaxID, SellerName string
	BuyerTaxID              string
	Number                  string
	IssuedOn                calendar.Date
	StoredAt                time.Time
	Form                    string
	Unread                  string // why nothing was taken from the file; empty: it was read
	Kind                    string
	SelfBilled              bool
	Currency                money.Currency
	Net, VAT, Gross         money.Amount
	Sum                     string // SHA-256 of the file in base64 for addresses
	Size                    int64
	Corrects                []string
	Checked                 Checked
	FetchedAt               time.Time
}

// row is a purchase as it is kept.
type row struct {
	Environment string
	Purchase
	NumberKey, BlobKey string
}

var columns = strings.Join(db.ColumnsOf[Purchase](), ", ")

var rowColumns = strings.Join(db.ColumnsOf[row](), ", ")

// cursor is how far a role has been fetched.
type cursor struct {
	Environment, NIP        string
	Role                    Role
	FromAt, AskedAt, DoneAt time.Time
	Slot                    string
	Problem                 Problem
}

const cursorColumns = `environment, nip, role, from_at, asked_at, done_at, slot, problem`

func (s *Service) cursor(tx *db.Tx, nip string, r Role) (cursor, error) {
	return db.One[cursor](tx, `SELECT `+cursorColumns+` FROM ksef_fetches WHERE tenant_id = $1 AND environment = $2 AND nip = $3
		AND role = $4`,
		s.KSeF.Environment, nip, string(r))
}

// State is how fetching fares as people see it.
type State struct {
	LastAt  time.Time // everything that KSeF had then is there; zero: it was never reached
	NextAt  time.Time // zero: nothing is planned until a person connects KSeF
	Problem Problem
	Count   int64
	Strange int64
}

// StateOf is how fetching what the partner bought fares.
func (s *Service) StateOf(tx *db.Tx) (out State, err error) {
	if s.KSeF.Environment == "" {
		return out, nil
	}
	counts, err := db.One[struct{ Count, Strange int64 }](tx, `SELECT COUNT(*) AS count,
		CAST(COALESCE(SUM(CASE WHEN checked = 'strange' THEN 1 ELSE 0 END), 0) AS BIGINT) AS strange FROM purchases
		WHERE tenant_id = $1 AND environment = $2`, s.KSeF.Environment)
	if err != nil {
		return out, err
	}
	out.Count, out.Strange = counts.Count, counts.Strange
	a, err := s.KSeF.Of(tx)
	if errors.Is(err, login.ErrNone) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	c, err := s.cursor(tx, string(a.NIP), Buyer)
	if errors.Is(err, db.ErrNone) {
		c, err = cursor{}, nil
	}
	out.LastAt, out.Problem = c.DoneAt, c.Problem
	if err == nil && fetchable(a.State) {
		out.NextAt, err = s.nextAt(tx, &c)
	}
	return out, err
}

// CountStrange is how many self-billed invoices in the partner's name nobody knows.
func (s *Service) CountStrange(tx *db.Tx) (int64, error) {
	return db.One[int64](tx, `SELECT COUNT(*) FROM purchases WHERE tenant_id = $1 AND environment = $2 AND checked = 'strange'`,
		s.KSeF.Environment)
}

// Of is one of the partner's purchases, and where its file is.
func (s *Service) Of(tx *db.Tx, number string) (p Purchase, blobKey string, err error) {
	r, err := db.One[row](tx, `SELECT `+rowColumns+` FROM purchases WHERE tenant_id = $1 AND environment = $2 AND ksef_number = $3`,
		s.KSeF.Environment, number)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	return r.Purchase, r.BlobKey, err
}

func (s *Service) actor(tenant string) access.Actor { return access.ProgramFor(tenant, "purchases") }

// fetchable says whether invoices are fetched in a state of the access.
func fetchable(state login.State) bool { return state == login.Working || state == login.Away }

// spread is the minute of the hour at which a partner's invoices are fetched, so that KSeF is not asked for all at once.
func spread(tenant string) time.Duration {
	sum := 0
	for _, b := range []byte(tenant) {
		sum = sum*31 + int(b)
	}
	return time.Duration(uint(sum)%50) * time.Minute
}

// The hours of the day, by the clock of the instance, in which purchases are fetched each hour, and the hour of the night for the rest.
const (
	firstHour, lastHour = 6, 21
	nightHour           = 3
)

// slot names the hour, or the night, whose fetch was due last. Its text grows with time.
func (s *Service) slot(now time.Time, tenant string, r Role) string {
	local := now.Add(-spread(tenant)).In(s.Instance.Location())
	if r == Third {
		return local.Add(-nightHour * time.Hour).Format(time.DateOnly)
	}
	hour := local.Hour()
	switch {
	case hour < firstHour:
		return fmt.Sprintf("%s %d", local.AddDate(0, 0, -1).Format(time.DateOnly), lastHour)
	case hour > lastHour:
		hour = lastHour
	}
	return fmt.Sprintf("%s %02d", local.Format(time.DateOnly), hour)
}

// nextAt is when the next fetch begins: what is left in the queue, else the next hour by day.
func (s *Service) nextAt(tx *db.Tx, c *cursor) (time.Time, error) {
	left, err := db.Select[time.Time](tx, `SELECT run_at FROM jobs WHERE tenant_id = $1 AND kind = $2 AND unique_key = $3
		AND state IN ('waiting', 'running')`, FetchKind, string(Buyer))
	if err != nil {
		return time.Time{}, err
	}
	if len(left) > 0 {
		return left[0], nil
	}
	at := tx.Now.Truncate(time.Minute)
	for was := cmp.Or(c.Slot, "-"); s.slot(at, tx.Actor.Tenant, Buyer) <= was; at = at.Add(5 * time.Minute) {
	}
	return at, nil
}
