// Package audit keeps who changed what, when and why, in the unit of work that
// changed it.
package audit

import (
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"time"

	"saldo/internal/platform/db"
)

// Change is one change of one object. Before and After are kept as JSON and
// must hold nothing that is sealed elsewhere.
type Change struct {
	Action        string // package.verb, as in tags.add
	Kind, ID      string // of the object
	Before, After any    // nil: it did not exist
	Reason        string
}

// Record adds the change to the trail.
func Record(tx *db.Tx, c Change) error {
	before, err := json.Marshal(c.Before)
	if err != nil {
		return err
	}
	after, err := json.Marshal(c.After)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO audit_entries (tenant_id, id, at, actor_role, actor_id, actor_name, action, object_kind, object_id,
		before_state, after_state, reason)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		tx.NewID(), tx.Now, string(tx.Actor.Role), tx.Actor.ID, tx.Actor.Name, c.Action, c.Kind, c.ID, string(before), string(after), c.Reason)
	return err
}

// RecordAll adds many changes to the trail.
func RecordAll(tx *db.Tx, changes iter.Seq[Change]) (failed error) {
	_, err := tx.Insert("audit_entries", []string{"id", "at", "actor_role", "actor_id", "actor_name", "action", "object_kind", "object_id",
		"before_state", "after_state", "reason"}, func(yield func([]any) bool) {
		for c := range changes {
			before, err := json.Marshal(c.Before)
			if err != nil {
				failed = err
				return
			}
			after, err := json.Marshal(c.After)
			if err != nil {
				failed = err
				return
			}
			if !yield([]any{tx.NewID(), tx.Now, string(tx.Actor.Role), tx.Actor.ID, tx.Actor.Name, c.Action, c.Kind, c.ID, string(before),
				string(after), c.Reason}) {
				return
			}
		}
	})
	return errors.Join(failed, err)
}

// Entry is one line of the trail.
type Entry struct {
	At                           time.Time
	ActorRole, ActorID           string
	ActorName, Action            string
	BeforeState, AfterState      string
	Reason, ObjectKind, ObjectID string
}

// authorsAtOnce is how many objects are asked for at once.
const authorsAtOnce = 200

// Authors are the names of those who did something with objects, by the id of the object; of several the newest.
func Authors(tx *db.Tx, kind, action string, ids []string) (map[string]string, error) {
	names := make(map[string]string, len(ids))
	for some := range slices.Chunk(ids, authorsAtOnce) {
		in, args := db.Among(4, some)
		found, err := db.Select[Entry](tx, `SELECT object_id, actor_name FROM audit_entries WHERE tenant_id = $1
			AND object_kind = $2 AND action = $3 AND object_id`+in+` ORDER BY id`, append([]any{kind, action}, args...)...)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			names[e.ObjectID] = e.ActorName
		}
	}
	return names, nil
}

// Of is the trail of one object, oldest first.
func Of(tx *db.Tx, kind, id string) ([]Entry, error) {
	return db.Select[Entry](tx, `SELECT at, actor_role, actor_id, actor_name, action, before_state, after_state, reason, object_kind, object_id
		FROM audit_entries WHERE tenant_id = $1 AND object_kind = $2 AND object_id = $3 ORDER BY id`, kind, id)
}

// Newest is the id of the newest entry of the trail; empty: there is none.
func Newest(tx *db.Tx) (string, error) {
	return db.One[string](tx, `SELECT COALESCE(MAX(id), '') FROM audit_entries WHERE tenant_id = $1`)
}

// OnlyOf says whether all entries after one are about one object. Every unit of work that changes something of a partner leaves an
// entry. One that was under way when the entry after which is asked was written may have an older id and is missed.
func OnlyOf(tx *db.Tx, after, kind, id string) (bool, error) {
	others, err := db.One[int64](tx, `SELECT COUNT(*) FROM (SELECT 1 AS one FROM audit_entries WHERE tenant_id = $1 AND id > $2
		AND NOT (object_kind = $3 AND object_id = $4) LIMIT 1) AS other`, after, kind, id)
	return others == 0, err
}
