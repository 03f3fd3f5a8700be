package contracts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/db"
)

// Event is something that happened around a signature.
type Event struct {
	N              int64
	At             time.Time
	Role           string // driver, partner or system
	Who            string
	Kind           string
	Address, Agent string
	Detail         string // JSON without values of fields
	Previous, Sum  string
}

// Kinds lists what can happen.
var Kinds = []string{"step_saved", "shown", "declared", "signed", "consented", "submitted", "printed", "scanned", "sealed", "stamped",
	"countersigned", "downloaded", "withdrawn", "ended", "replaced", "removed", "deleted"}

// sumOf is the sum of an event over the one before it.
func (e *Event) sumOf() string {
	canonical, err := json.Marshal(struct {
		N       int64  `json:"n"`
		At      string `json:"at"`
		Role    string `json:"role"`
		Who     string `json:"who"`
		Kind    string `json:"kind"`
		Address string `json:"address"`
		Agent   string `json:"agent"`
		Detail  string `json:"detail"`
	}{e.N, e.At.UTC().Format(time.RFC3339Nano), e.Role, e.Who, e.Kind, e.Address, e.Agent, e.Detail})
	if err != nil {
		panic(err) // numbers and texts only
	}
	sum := sha256.Sum256(append([]byte(e.Previous), canonical...))
	return hex.EncodeToString(sum[:])
}

// chain adds events to those of a contract.
type chain struct {
	contract string
	all      []Event
	n        int64
	last     string
}

// newChain begins with the id of the contract: the events of one contract are not those of another.
func newChain(contract string) *chain {
	sum := sha256.Sum256([]byte("contract " + contract))
	return &chain{contract: contract, last: hex.EncodeToString(sum[:])}
}

func (c *chain) add(at time.Time, kind string, by Event, detail any) {
	e := by
	e.At, e.Kind, e.Detail, e.Previous = at.UTC(), kind, db.JSON(detail), c.last
	c.n++
	e.N = c.n
	e.Sum = e.sumOf()
	c.last = e.Sum
	c.all = append(c.all, e)
}

// by is who acts, as events name them.
func (p Person) by(who access.Actor) Event {
	role := string(p.Side)
	id := who.ID
	if who.Role == access.System {
		role = "system"
	} else if who.Role == access.Driver {
		id = who.Person
	}
	return Event{Role: role, Who: id, Address: validate.Cut(p.Address, 64), Agent: validate.Cut(p.Agent, 200)}
}

type storedEvent struct {
	ContractID string
	Event
}

func (c *chain) store(tx *db.Tx) error {
	for _, e := range c.all {
		if err := db.Insert(tx, "signing_events", storedEvent{c.contract, e}); err != nil {
			if db.Unique(err) {
				err = ErrChanged
			}
			return err
		}
	}
	return nil
}

// EventsOf are the events of a contract in their order.
func EventsOf(tx *db.Tx, contract string) ([]Event, error) {
	return db.Select[Event](tx, `SELECT n, at, role, who, kind, address, agent, detail, previous, sum FROM signing_events WHERE tenant_id = $1
		AND contract_id = $2 ORDER BY n`, contract)
}

// continued is the chain of a contract, to go on with.
func continued(tx *db.Tx, contract string) (*chain, error) {
	all, err := EventsOf(tx, contract)
	c := newChain(contract)
	if len(all) > 0 {
		c.n, c.last = all[len(all)-1].N, all[len(all)-1].Sum
	}
	return c, err
}

// note adds one event to a contract.
func note(tx *db.Tx, contract, kind string, by Event, detail any) error {
	c, err := continued(tx, contract)
	if err != nil {
		return err
	}
	c.add(tx.Now, kind, by, detail)
	return c.store(tx)
}

// Broken says which event of a chain is not as it was written, from 1; 0: all are. Events that are missing at the end are found by the
// sum that stands in the trail and on the pages.
func Broken(contract string, all []Event) int64 {
	previous := newChain(contract).last
	for i, e := range all {
		if e.N != int64(i+1) || e.Previous != previous || e.Sum != e.sumOf() {
			return int64(i + 1)
		}
		previous = e.Sum
	}
	return 0
}
