package connections

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/drive"
	"saldo/internal/platform/outbound"
)

func rowOf(tx *db.Tx, k Kind) (row, error) {
	r, err := db.One[row](tx, query+` AND kind = $2`, string(k))
	if errors.Is(err, db.ErrNone) {
		return row{}, ErrNotFound
	}
	return r, err
}

// Change is what a person sets. Without a password the one that is there stays.
type Change struct {
	Version  int64 // that the change was made from; 0: of none
	Public   Public
	Password string
}

var (
	fleetForm  = regexp.MustCompile(`^[0-9A-Za-z/-]{1,40}$`)
	serverForm = regexp.MustCompile(`^([a-z0-9.-]{1,200}|\[[0-9a-f:.]{2,40}\])(:[0-9]{1,5})?$`)
	regionForm = regexp.MustCompile(`^[a-z0-9-]{0,40}$`)
)

// passwordMost is how long a password may be: access tokens of some services are long.
const passwordMost = 2000

func (c Change) checked(k Kind, before *row) (Change, error) {
	f := validate.New(ErrInvalid)
	p := Public{}
	if k != Google {
		p.Account = f.Text("account", c.Public.Account, 200, true)
	} else if before != nil { // Google says whose drive it is
		p.Account = before.Public.Account
	}
	switch k {
	case Orlen:
		if p.FleetNumber = validate.Line(c.Public.FleetNumber); p.FleetNumber == "" {
			f.Wrong("fleetNumber", fault.Required)
		} else if !fleetForm.MatchString(p.FleetNumber) {
			f.Wrong("fleetNumber", fault.WrongFormat)
		}
	case Mailbox:
		if p.Address = strings.ToLower(validate.Line(c.Public.Address)); p.Address == "" {
			f.Wrong("address", fault.Required)
		} else if !serverForm.MatchString(p.Address) {
			f.Wrong("address", fault.WrongFormat)
		}
		if p.Folder = f.Text("folder", c.Public.Folder, 200, false); p.Folder == "" {
			p.Folder = "INBOX"
		}
	case WebDAV, S3:
		u, err := outbound.Address(c.Public.Address)
		switch {
		case strings.TrimSpace(c.Public.Address) == "":
			f.Wrong("address", fault.Required)
		case err != nil || k == S3 && strings.Trim(u.Path, "/") == "":
			f.Wrong("address", fault.WrongFormat)
		default:
			p.Address = u.String()
		}
		if p.Region = validate.Line(c.Public.Region); k == S3 && !regionForm.MatchString(p.Region) {
			f.Wrong("region", fault.WrongFormat)
		}
	}
	p.Confirm = k.Fuel() && c.Public.Confirm
	if k.Drive() {
		p.Deliver = []Delivery{}
		for _, d := range Deliveries() { // each once, in one order
			if c.Public.Delivers(d) {
				p.Deliver = append(p.Deliver, d)
			}
		}
	}
	switch {
	// A password that is there goes nowhere but where it went before.
	case c.Password == "" && (before == nil || before.Public.Address != p.Address || before.Public.Account != p.Account):
		f.Wrong("password", fault.Required)
	case len(c.Password) > passwordMost:
		f.Wrong("password", fault.TooLong, "max", "2000")
	case strings.ContainsAny(c.Password, "\r\n\x00"):
		f.Wrong("password", fault.WrongFormat)
	}
	c.Public = p
	return c, f.Err()
}

// Prepared is a connection that works and can be kept.
type Prepared struct {
	kind     Kind
	change   Change
	password string
	free     int64
}

// Prepare tries a connection that a person sets. Of one that does not work it is the refusal, and nothing is kept.
func (s *Service) Prepare(ctx context.Context, who access.Actor, k Kind, c Change) (Prepared, error) {
	p := Prepared{kind: k, password: c.Password, free: drive.Unknown}
	if !slices.Contains(Kinds(), k) {
		return p, ErrNotFound
	}
	var now time.Time
	if err := s.DB.Read(ctx, who, func(tx *db.Tx) error {
		now = tx.Now
		before, err := s.before(tx, k, c.Version)
		if err != nil {
			return err
		}
		if p.change, err = c.checked(k, before); err != nil || before == nil || p.password != "" {
			return err
		}
		p.password, err = s.unsealed(tx, before)
		return err
	}); err != nil {
		return p, err
	}
	if k == Google && !s.Available(k) {
		return p, ErrOff
	}
	if k == Google && c.Password != "" {
		var err error
		if p.password, p.change.Public.Account, err = s.letIn(ctx, who, c.Password, now); err != nil {
			return p, err
		}
	}
	if s.Available(k) {
		var problem drive.Problem
		if p.free, problem = s.try(ctx, who.Tenant, k, &p.change.Public, p.password, now); problem != "" {
			return p, Refusal(problem)
		}
	}
	return p, nil
}

// before is the connection that a change was made from; nil: none.
func (s *Service) before(tx *db.Tx, k Kind, version int64) (*row, error) {
	r, err := rowOf(tx, k)
	switch {
	case errors.Is(err, ErrNotFound) && version == 0:
		return nil, nil
	case errors.Is(err, ErrNotFound) || err == nil && r.Version != version:
		return nil, ErrChanged
	}
	return &r, err
}

// Keep keeps what was prepared, unless somebody changed the connection meanwhile.
func (s *Service) Keep(tx *db.Tx, p Prepared) (Connection, error) {
	k, c := p.kind, p.change
	before, err := s.before(tx, k, c.Version)
	if err != nil {
		return Connection{}, err
	}
	next := row{Connection: Connection{ID: tx.NewID(), Kind: k, State: Untested, Since: tx.Now, Free: drive.Unknown,
		DeliverFrom: calendar.DateOf(tx.Now, s.Instance.Location(), 0)}}
	change := audit.Change{Action: "connections.connect", Kind: "partner", ID: tx.Actor.Tenant}
	if before != nil {
		next = *before
		change.Before = map[string]any{"kind": k, "service": before.Public}
	}
	if s.Available(k) {
		next.after("", p.free, tx.Now)
	}
	next.Version, next.Public, next.MadeBy, next.ChangedAt = c.Version+1, c.Public, tx.Actor.ID, tx.Now
	next.Sealed = s.Vault.Seal(tx.Actor.Tenant, purpose+" "+next.ID, []byte(p.password))
	if err := s.write(tx, &next, before); err != nil {
		return Connection{}, err
	}
	change.After = map[string]any{"kind": k, "service": next.Public, "new_password": c.Password != ""}
	return next.Connection, audit.Record(tx, change)
}

func (s *Service) write(tx *db.Tx, next, before *row) error {
	if before == nil {
		return db.Insert(tx, "service_connections", *next)
	}
	n, err := tx.Exec(`UPDATE service_connections SET version = $3, public = $4, sealed = $5, state = $6, reason = $7, since = $8,
		last_try_at = $9, last_ok_at = $10, failures = $11, next_at = $12, free = $13, made_by = $14, changed_at = $15
		WHERE tenant_id = $1 AND id = $2 AND version = $16`, next.ID, next.Version, next.Public.Stored(), next.Sealed, string(next.State),
		string(next.Reason), next.Since, next.LastTryAt, next.LastOKAt, next.Failures, next.NextAt, next.Free, next.MadeBy, next.ChangedAt,
		before.Version)
	if err == nil && n == 0 {
		return ErrChanged
	}
	return err
}

func (s *Service) unsealed(tx *db.Tx, r *row) (string, error) {
	content, err := s.Vault.Unseal(tx.Actor.Tenant, purpose+" "+r.ID, r.Sealed)
	return string(content), err
}

// Remove forgets a connection and its password. What was delivered stays where it is.
func Remove(tx *db.Tx, k Kind) error {
	r, err := rowOf(tx, k)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM service_connections WHERE tenant_id = $1 AND id = $2`, r.ID); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "connections.remove", Kind: "partner", ID: tx.Actor.Tenant,
		Before: map[string]any{"kind": k, "service": r.Public}})
}

// DeliverFrom lets a drive get what was made from a day on. Later than now makes no sense, and a later day takes nothing back.
func DeliverFrom(tx *db.Tx, k Kind, from calendar.Date) error {
	if !k.Drive() || !from.Exists() {
		return ErrInvalid
	}
	r, err := rowOf(tx, k)
	if err != nil || r.DeliverFrom <= from {
		return err
	}
	_, err = tx.Exec(`UPDATE service_connections SET deliver_from = $3 WHERE tenant_id = $1 AND id = $2`, r.ID, string(from))
	if err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "connections.deliver_from", Kind: "partner", ID: tx.Actor.Tenant,
		Before: map[string]any{"kind": k, "from": r.DeliverFrom}, After: map[string]any{"kind": k, "from": from}})
}

// Open is a connection with its password, for whoever uses it now.
type Open struct {
	Connection
	password string
}

// Use opens the partner's connection of a kind; a stopped one is ErrNotFound: a person must try it first.
func (s *Service) Use(tx *db.Tx, k Kind) (Open, error) {
	r, err := rowOf(tx, k)
	if err != nil {
		return Open{}, err
	}
	if r.State == Stopped || !s.Available(k) {
		return Open{}, ErrNotFound
	}
	password, err := s.unsealed(tx, &r)
	return Open{r.Connection, password}, err
}

// Report keeps what became of a connection that was used; no problem: it worked. Of one that was changed or removed meanwhile nothing is
// kept. Whoever connected it is told by mail when it stops.
func (s *Service) Report(tx *db.Tx, o Open, p drive.Problem, free int64) error {
	before, err := rowOf(tx, o.Kind)
	if errors.Is(err, ErrNotFound) || err == nil && (before.ID != o.ID || before.Version != o.Version) {
		return nil
	}
	if err != nil {
		return err
	}
	next := before
	tell := next.after(p, free, tx.Now)
	if err := s.write(tx, &next, &before); err != nil || !tell {
		return err
	}
	if err := audit.Record(tx, audit.Change{Action: "connections.stop", Kind: "partner", ID: tx.Actor.Tenant,
		After: map[string]any{"kind": o.Kind, "reason": p}}); err != nil {
		return err
	}
	return s.tell(tx, &next.Connection)
}

// Tried is what became of a connection that a person tried.
type Tried struct {
	open    Open
	problem drive.Problem
	free    int64
}

// Try tries the partner's connection as a person asks for it, in any state.
func (s *Service) Try(ctx context.Context, who access.Actor, k Kind) (t Tried, err error) {
	var now time.Time
	if err := s.DB.Read(ctx, who, func(tx *db.Tx) error {
		r, err := rowOf(tx, k)
		if err != nil {
			return err
		}
		if !s.Available(k) {
			return ErrOff
		}
		now, t.open.Connection = tx.Now, r.Connection
		t.open.password, err = s.unsealed(tx, &r)
		return err
	}); err != nil {
		return t, err
	}
	t.free, t.problem = s.try(ctx, who.Tenant, k, &t.open.Public, t.open.password, now)
	return t, nil
}

// Note keeps what became of it, and gives the connection as it is now.
func (s *Service) Note(tx *db.Tx, t Tried) (Connection, error) {
	if err := s.Report(tx, t.open, t.problem, t.free); err != nil {
		return Connection{}, err
	}
	return Of(tx, t.open.Kind)
}
