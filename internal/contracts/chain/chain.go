// Package chain links events by their sums: none can be changed, taken out or moved without being found.
package chain

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

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

// Chain adds events to those of a contract.
type Chain struct {
	Contract string
	All      []Event // that were added
	N        int64   // of the last
	Last     string  // its sum
}

// New begins with the id of the contract: the events of one contract are not those of another.
func New(contract string) *Chain {
	sum := sha256.Sum256([]byte("contract " + contract))
	return &Chain{Contract: contract, Last: hex.EncodeToString(sum[:])}
}

// Add adds an event.
func (c *Chain) Add(at time.Time, kind string, by Event, detail any) {
	e := by
	e.At, e.Kind, e.Detail, e.Previous = at.UTC(), kind, db.JSON(detail), c.Last
	c.N++
	e.N = c.N
	e.Sum = e.sumOf()
	c.Last = e.Sum
	c.All = append(c.All, e)
}

// Broken says which event of a chain is not as it was written, from 1; 0: all are. Events that are missing at the end are found by the
// sum that stands in the trail and on the pages.
func Broken(contract string, all []Event) int64 {
	previous := New(contract).Last
	for i, e := range all {
		if e.N != int64(i+1) || e.Previous != previous || e.Sum != e.sumOf() {
			return int64(i + 1)
		}
		previous = e.Sum
	}
	return 0
}

// Lost says whether events are missing that must be there: those that the trail and the files tell of.
func Lost(tx *db.Tx, id string, events []Event) (string, error) {
	trail, err := db.Select[string](tx, `SELECT after_state FROM audit_entries WHERE tenant_id = $1 AND object_kind = 'contract'
		AND object_id = $2 AND action = 'contracts.sign'`, id)
	if err != nil {
		return "", err
	}
	sums := map[string]bool{}
	seals := int64(0)
	for _, e := range events {
		sums[e.Sum] = true
		if e.Kind == "sealed" {
			seals++
		}
	}
	for _, line := range trail {
		var was struct {
			Sum string `json:"sum"`
		}
		if json.Unmarshal([]byte(line), &was) != nil || !sums[was.Sum] {
			return "events are missing that the trail names", nil
		}
	}
	sealed, err := db.One[int64](tx, `SELECT COUNT(*) FROM contract_files WHERE tenant_id = $1 AND contract_id = $2 AND sealed_key <> ''`, id)
	if err == nil && seals != sealed {
		return fmt.Sprintf("%d files are sealed and %d events tell of it", sealed, seals), nil
	}
	return "", err
}
