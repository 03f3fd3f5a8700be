package licences

import (
	"errors"
	"time"

	"saldo/internal/platform/db"
)

// NoteKind is what a note about units says.
type NoteKind string

// The kinds of notes.
const (
	Low   NoteKind = "low"   // a fifth or less is left of what there was after the last top-up
	Empty NoteKind = "empty" // nothing is left
)

// lowShare: a partner is told when one in so many units is left.
const lowShare = 5

// Note tells the people of a partner that units run out. Each kind is told once until units are given or bought.
type Note struct {
	Kind      NoteKind
	UnitsLeft int64 // when it was told
	ToldAt    time.Time
	SeenAt    time.Time // zero: nobody has
}

// tell says that few or no units are left, unless it was said since the last top-up. Whoever was told that nothing is left is not told
// that little is, when some come back.
func tell(tx *db.Tx, after Balance) error {
	kind := Low
	switch left := after.Left(); {
	case left == 0:
		kind = Empty
	case left*lowShare > after.FullUnits:
		return nil
	}
	_, err := tx.Exec(`INSERT INTO licence_notes (tenant_id, id, kind, units_left, told_at, seen_at, ended_at)
		SELECT $1, $2, $3, $4, $5, '', '' WHERE NOT EXISTS (SELECT 1 FROM licence_notes WHERE tenant_id = $1 AND ended_at = ''
		AND kind IN ($3, 'empty'))`, tx.NewID(), string(kind), after.Left(), tx.Now)
	return err
}

// endNotes takes notes away: there are more units.
func endNotes(tx *db.Tx) error {
	_, err := tx.Exec(`UPDATE licence_notes SET ended_at = $2 WHERE tenant_id = $1 AND ended_at = ''`, tx.Now)
	return err
}

// NewestNote is what the people of the partner are told now; nil: nothing.
func NewestNote(tx *db.Tx) (*Note, error) {
	n, err := db.One[Note](tx, `SELECT kind, units_left, told_at, seen_at FROM licence_notes WHERE tenant_id = $1 AND ended_at = ''
		ORDER BY told_at DESC, id DESC LIMIT 1`)
	if errors.Is(err, db.ErrNone) {
		return nil, nil
	}
	return &n, err
}

// SeeNotes marks what is told as seen.
func SeeNotes(tx *db.Tx) error {
	_, err := tx.Exec(`UPDATE licence_notes SET seen_at = $2 WHERE tenant_id = $1 AND ended_at = '' AND seen_at = ''`, tx.Now)
	return err
}
