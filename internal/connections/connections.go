// Package connections keeps how a partner is connected to services of others: fuel cards, and drives that files are delivered to.
// Passwords are sealed, tried before they are kept, and never shown again. Whoever uses a connection reports what became of it, and Saldo
// stops in time: a wrong password is tried once, so that no account at the other side is locked.
package connections

import (
	"crypto/tls"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/drive"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
)

var (
	// ErrInvalid names the fields of a connection that cannot be kept.
	ErrInvalid = fault.Declare(fault.Invalid, "connections.invalid")
	// ErrNotFound is the answer about a connection that is not there.
	ErrNotFound = fault.Declare(fault.NotFound, "connections.not_found")
	// ErrChanged is the answer to a change of what somebody else changed meanwhile.
	ErrChanged = fault.Declare(fault.Conflict, "connections.changed")
	// ErrOff is the answer where the operator has set up no way to a service.
	ErrOff = fault.Declare(fault.Conflict, "connections.off")

	errDenied     = fault.Declare(fault.Conflict, "connections.denied")
	errAway       = fault.Declare(fault.Conflict, "connections.away")
	errNoSpace    = fault.Declare(fault.Conflict, "connections.no_space")
	errNoFolder   = fault.Declare(fault.Conflict, "connections.folder_missing")
	errUnexpected = fault.Declare(fault.Conflict, "connections.unexpected")
	errPrivate    = fault.Declare(fault.Conflict, "connections.private")
	errTooLarge   = fault.Declare(fault.Conflict, "connections.too_large")
)

// Refusal is what a person is told of a problem.
func Refusal(p drive.Problem) *fault.Fault {
	switch p {
	case drive.Denied:
		return errDenied
	case drive.Away, drive.Busy:
		return errAway
	case drive.NoSpace:
		return errNoSpace
	case drive.NoFolder:
		return errNoFolder
	case drive.Private:
		return errPrivate
	case drive.TooLarge:
		return errTooLarge
	case drive.Unexpected:
	}
	return errUnexpected
}

// Kind is a service that a partner can be connected to, once.
type Kind string

// The kinds.
const (
	Orlen   Kind = "fuel.orlen"   // fuel cards, through the connector that the operator set
	Mailbox Kind = "fuel.mailbox" // that issuers of fuel cards send statements to
	WebDAV  Kind = "drive.webdav"
	S3      Kind = "drive.s3"
	Google  Kind = "drive.google" // where the operator registered Saldo there
)

// Kinds are all there are.
func Kinds() []Kind { return []Kind{Orlen, Mailbox, WebDAV, S3, Google} }

// Fuel says whether transactions of fuel cards are fetched from there.
func (k Kind) Fuel() bool { return strings.HasPrefix(string(k), "fuel.") }

// Drive says whether files are delivered there.
func (k Kind) Drive() bool { return strings.HasPrefix(string(k), "drive.") }

// State is how a connection fares.
type State string

// The states.
const (
	Untested State = "untested" // nobody could try it yet
	Working  State = "working"
	Failing  State = "failing" // it is tried again by itself
	Stopped  State = "stopped" // a person must do something
)

// States are all there are.
func States() []State { return []State{Untested, Working, Failing, Stopped} }

// Problems are the reasons why a connection fails, in the order in which people meet them.
func Problems() []drive.Problem {
	return []drive.Problem{drive.Denied, drive.Away, drive.Busy, drive.NoSpace, drive.NoFolder, drive.Private, drive.TooLarge,
		drive.Unexpected}
}

// Delivery is a sort of file that goes to a drive by itself.
type Delivery string

// The deliveries.
const (
	Statements Delivery = "statements" // of settlements, when they are shared
	Invoices   Delivery = "invoices"   // bills, invoices and corrections as issued, with their XML
	Reports    Delivery = "reports"    // by their schedules
	Packs      Delivery = "packs"      // for the accountant, when they are made
)

// Deliveries are all there are.
func Deliveries() []Delivery { return []Delivery{Statements, Invoices, Reports, Packs} }

// Public is what of a connection is shown again.
type Public struct {
	Address     string // of a drive; server of a mailbox
	Account     string // user name or key
	FleetNumber string // of fuel cards
	Region      string // of a bucket
	Folder      string // of a mailbox
	Deliver     []Delivery
	Confirm     bool // files that were fetched are confirmed by themselves where nothing is to be looked at
}

// Stored is the JSON of the column.
func (p Public) Stored() string { return db.JSON(p) }

// Scan reads the column.
func (p *Public) Scan(value any) error { return db.ScanJSON(value, p) }

// Delivers says whether a sort of file goes there.
func (p *Public) Delivers(d Delivery) bool { return slices.Contains(p.Deliver, d) }

// Connection is one as people see it.
type Connection struct {
	ID        string
	Kind      Kind
	Version   int64
	Public    Public
	State     State
	Reason    drive.Problem // why it fails; empty: it does not
	Since     time.Time     // in this state
	LastTryAt time.Time
	LastOKAt  time.Time
	Failures  int64
	NextAt    time.Time // of the next try by itself; zero: none
	Free      int64     // bytes; drive.Unknown: nobody told
	MadeBy    string    // member
	ChangedAt time.Time

	DeliverFrom calendar.Date // what is older is delivered only where a partner asks for it
}

type row struct {
	Connection
	Sealed string
}

const query = `SELECT id, kind, version, public, sealed, state, reason, since, last_try_at, last_ok_at, failures, next_at, free,
	made_by, changed_at, deliver_from FROM service_connections WHERE tenant_id = $1`

// purpose is what passwords are sealed for.
const purpose = "service"

// Service keeps connections and connects.
type Service struct {
	DB        *db.DB
	Vault     *vault.Vault
	Mails     *mail.Queue
	PublicURL string
	Instance  config.Instance
	Allowed   func(netip.AddrPort) bool // which addresses may be connected to; outbound.Public but where the operator decided otherwise
	Trust     *tls.Config               // of the other sides; nil: the certificates of the system
	Google    drive.GoogleApp           // without an id: not offered
	FuelURL   *url.URL                  // of the connector to issuers of fuel cards; nil: there is none
}

// Available says whether a connection of a kind can be used.
func (s *Service) Available(k Kind) bool {
	return (k != Orlen || s.FuelURL != nil) && (k != Google || s.Google.ID != "")
}

// List are the partner's connections, by kind.
func List(tx *db.Tx) ([]Connection, error) {
	rows, err := db.Select[row](tx, query+` ORDER BY kind`)
	list := make([]Connection, len(rows))
	for i, r := range rows {
		list[i] = r.Connection
	}
	return list, err
}

// Of is the partner's connection of a kind, or ErrNotFound.
func Of(tx *db.Tx, k Kind) (Connection, error) {
	r, err := rowOf(tx, k)
	return r.Connection, err
}
