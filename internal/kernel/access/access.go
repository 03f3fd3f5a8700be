// Package access says who acts and what each role may do. It decides nothing
// about rows: whose rows an actor sees is decided by the unit of work.
package access

import (
	"slices"
	"time"
)

// Role is one of the two roles of the identity provider, or one of the two
// roles that no token can carry.
type Role string

const (
	Partner   Role = "partner"
	Driver    Role = "driver"
	Anonymous Role = "anonymous" // a request without a token
	System    Role = "system"    // the program itself: jobs, migrations, sign-in
)

// Permission names one thing that may be done. Every route carries exactly one.
type Permission string

const (
	// Public marks a route that needs no token.
	Public Permission = "public"

	SessionRead Permission = "session.read"
	TagsRead    Permission = "tags.read"
	TagsWrite   Permission = "tags.write"
	JobsRead    Permission = "jobs.read"
	JobsWrite   Permission = "jobs.write"
	LimitsRead  Permission = "limits.read"
	// Licences are bought by partners.
	LicencesRead  Permission = "licences.read"
	LicencesWrite Permission = "licences.write"
	TermsRead     Permission = "terms.read"
	TermsWrite    Permission = "terms.write"

	PartnerRead  Permission = "partner.read"
	PartnerWrite Permission = "partner.write"
	AccountRead  Permission = "account.read"
	AccountWrite Permission = "account.write"
	LookupsRead  Permission = "lookups.read"

	DriversRead       Permission = "drivers.read"
	DriversWrite      Permission = "drivers.write"
	SchemasRead       Permission = "schemas.read"
	SchemasWrite      Permission = "schemas.write"
	TransactionsRead  Permission = "transactions.read"
	TransactionsWrite Permission = "transactions.write"
	ImportsRead       Permission = "imports.read"
	ImportsWrite      Permission = "imports.write"
	SettlementsRead   Permission = "settlements.read"
	SettlementsWrite  Permission = "settlements.write"
	PayoutsRead       Permission = "payouts.read"
	PayoutsWrite      Permission = "payouts.write"
	MessagesRead      Permission = "messages.read"
	MessagesWrite     Permission = "messages.write"
	// MessagesOpen is for what both do with messages: a partner with those that it wrote, a driver with their own board.
	MessagesOpen Permission = "messages.open"
	// Invoices are read and described by both: a partner all of its drivers', a driver their own.
	InvoicesRead   Permission = "invoices.read"
	InvoicesWrite  Permission = "invoices.write"
	InvoicesDecide Permission = "invoices.decide" // the partner alone: approve, reject, send back
	// Contracts are read and signed by both: a partner with all of its drivers, a driver their own.
	ContractsRead   Permission = "contracts.read"
	ContractsWrite  Permission = "contracts.write"
	ContractsDecide Permission = "contracts.decide" // the partner alone: texts, countersignatures, ending
	// Documents of drivers are read and uploaded by both as invoices are.
	DocumentsRead   Permission = "documents.read"
	DocumentsWrite  Permission = "documents.write"
	DocumentsDecide Permission = "documents.decide" // the partner alone: accept, reject, see those of all
	// Trips and working time are read and changed by both; that they are added is the driver's.
	TrackingRead   Permission = "tracking.read"
	TrackingWrite  Permission = "tracking.write"
	TrackingDecide Permission = "tracking.decide" // the partner alone: refuse, look through those of all
)

// granted is the whole table of who may what.
var granted = map[Role][]Permission{
	Anonymous: {Public},
	Driver: {Public, SessionRead, LookupsRead, AccountRead, AccountWrite, MessagesOpen, InvoicesRead, InvoicesWrite,
		DocumentsRead, DocumentsWrite, ContractsRead, ContractsWrite, TrackingRead, TrackingWrite},
	Partner: {Public, SessionRead, LookupsRead, TagsRead, TagsWrite, JobsRead, JobsWrite, LimitsRead, LicencesRead, LicencesWrite, TermsRead,
		TermsWrite,
		PartnerRead, PartnerWrite, DriversRead, DriversWrite, SchemasRead, SchemasWrite, TransactionsRead, TransactionsWrite,
		ImportsRead, ImportsWrite, SettlementsRead, SettlementsWrite, PayoutsRead, PayoutsWrite, MessagesRead, MessagesWrite, MessagesOpen,
		InvoicesRead, InvoicesWrite, InvoicesDecide, DocumentsRead, DocumentsWrite, DocumentsDecide, ContractsRead,
		ContractsWrite, ContractsDecide, TrackingRead, TrackingWrite, TrackingDecide},
}

// Permissions lists every permission that a role can hold, in the order of the table.
func Permissions() []Permission {
	return []Permission{SessionRead, LookupsRead, TagsRead, TagsWrite, JobsRead, JobsWrite, LimitsRead, LicencesRead, LicencesWrite, TermsRead,
		TermsWrite,
		PartnerRead, PartnerWrite, AccountRead, AccountWrite, DriversRead, DriversWrite, SchemasRead, SchemasWrite, TransactionsRead,
		TransactionsWrite,
		ImportsRead, ImportsWrite, SettlementsRead, SettlementsWrite, PayoutsRead, PayoutsWrite, MessagesRead, MessagesWrite,
		MessagesOpen, InvoicesRead, InvoicesWrite, InvoicesDecide, DocumentsRead, DocumentsWrite, DocumentsDecide, ContractsRead,
		ContractsWrite, ContractsDecide, TrackingRead, TrackingWrite, TrackingDecide}
}

// Known says whether a permission stands in the table.
func Known(p Permission) bool {
	return p == Public || slices.Contains(Permissions(), p)
}

// Actor is who acts: one person, or the program, in one tenant.
type Actor struct {
	Role Role
	// the partner whose rows are seen; empty for anonymous, for a driver without a partner, and for the system outside any tenant
	Tenant string
	Person string // the tenant of what is a driver's alone, whichever partner they choose; empty for everybody else
	ID     string // the member, or the name of the part of the program
	Name   string
	Proof  Proof
}

// Proof is what the identity provider said of a person when they came in.
type Proof struct {
	Issuer, Subject            string
	Email                      string
	Verified                   bool // the address is theirs
	FirstName, LastName        string
	SignedInAt                 time.Time
	ReferenceID, ReferenceLink string // who brought them; never a right
}

// AsDriver is the driver acting in their own tenant.
func (a Actor) AsDriver() Actor {
	a.Tenant = a.Person
	return a
}

// In is the driver acting in the tenant of a partner.
func (a Actor) In(tenant string) Actor {
	a.Tenant = tenant
	return a
}

// Nobody is the actor of a request without a token.
func Nobody() Actor { return Actor{Role: Anonymous, ID: "anonymous"} }

// Program is the system acting outside any tenant, under the name of its part.
func Program(part string) Actor { return Actor{Role: System, ID: part} }

// ProgramFor is the system acting for one tenant.
func ProgramFor(tenant, part string) Actor { return Actor{Role: System, Tenant: tenant, ID: part} }

// May says whether the actor's role holds the permission. The system holds none:
// it does not come through routes.
func (a Actor) May(p Permission) bool { return slices.Contains(granted[a.Role], p) }

// Permissions lists what the actor may do, without Public.
func (a Actor) Permissions() []Permission {
	held := []Permission{}
	for _, p := range granted[a.Role] {
		if p != Public {
			held = append(held, p)
		}
	}
	return held
}
