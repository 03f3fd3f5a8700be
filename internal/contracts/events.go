package contracts

import (
	"saldo/internal/contracts/chain"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/db"
)

// Event is something that happened around a signature.
type Event = chain.Event

// Kinds lists what can happen.
var Kinds = []string{"step_saved", "shown", "declared", "signed", "consented", "submitted", "printed", "scanned", "sealed", "stamped",
	"countersigned", "downloaded", "withdrawn", "ended", "replaced", "removed", "deleted"}

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

// storeEvents writes down what was added to a chain.
func storeEvents(tx *db.Tx, c *chain.Chain) error {
	for _, e := range c.All {
		if err := db.Insert(tx, "signing_events", storedEvent{c.Contract, e}); err != nil {
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
func continued(tx *db.Tx, contract string) (*chain.Chain, error) {
	all, err := EventsOf(tx, contract)
	c := chain.New(contract)
	if len(all) > 0 {
		c.N, c.Last = all[len(all)-1].N, all[len(all)-1].Sum
	}
	return c, err
}

// note adds one event to a contract.
func note(tx *db.Tx, contract, kind string, by Event, detail any) error {
	c, err := continued(tx, contract)
	if err != nil {
		return err
	}
	c.Add(tx.Now, kind, by, detail)
	return storeEvents(tx, c)
}

// Broken says which event of a chain is not as it was written, from 1; 0: all are. Events that are missing at the end are found by the
// sum that stands in the trail and on the pages.
func Broken(contract string, all []Event) int64 { return chain.Broken(contract, all) }
