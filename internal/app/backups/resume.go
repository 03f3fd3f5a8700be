package backups

import (
	"errors"
	"fmt"
	"time"

	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
)

// paused notes that an instance was made of a backup, and that nobody has looked at it yet.
func paused(tx *db.Tx, madeAt time.Time) error {
	_, err := tx.Across().Exec(`INSERT INTO restores (id, made_at, restored_at, resumed_at) VALUES ($1, $2, $3, '')`, tx.NewID(), madeAt,
		tx.Now)
	return err
}

// Running refuses an instance that was restored and that nobody has looked at: it would mail, and let banks and others have, what
// waited when the backup was made and was done since.
func Running(tx *db.Tx) error {
	madeAt, err := madeAt(tx)
	if errors.Is(err, db.ErrNone) {
		return nil
	}
	if err == nil {
		err = fmt.Errorf("this instance was restored from a backup of %s: nothing was served, sent or run; "+
			"look at what waits with saldo resume, which also starts it again", madeAt.Format(time.RFC3339))
	}
	return err
}

func madeAt(tx *db.Tx) (time.Time, error) {
	return db.One[time.Time](tx.Across(), `SELECT made_at FROM restores WHERE resumed_at = '' ORDER BY id DESC LIMIT 1`)
}

// Waiting is what a person must look at before a restored instance goes on.
type Waiting struct {
	MadeAt      time.Time
	Jobs        []jobs.Backlog
	Settlements []LastNumber
}

// LastNumber is the number that a partner's last settlement in the backup has: the ones after it may have been given out since.
type LastNumber struct {
	Partner string
	Number  int64
}

// WaitingIn lists what waits, or says that nothing is paused.
func WaitingIn(tx *db.Tx) (w Waiting, err error) {
	if w.MadeAt, err = madeAt(tx); errors.Is(err, db.ErrNone) {
		return w, errors.New("nothing is paused: this instance was not restored, or goes on already")
	}
	if err != nil {
		return w, err
	}
	if w.Jobs, err = jobs.Backlogs(tx); err != nil {
		return w, err
	}
	w.Settlements, err = db.Select[LastNumber](tx.Across(), `SELECT p.code AS partner, n.last AS number FROM settlement_numbers n
		JOIN partners p ON p.tenant_id = n.tenant_id ORDER BY p.code`)
	return w, err
}

// Resume lets a restored instance go on. Mails that waited are sent, or held: then they have failed, and people can send each again.
func Resume(tx *db.Tx, sendMails bool) error {
	if _, err := madeAt(tx); err != nil {
		return err
	}
	if !sendMails {
		if err := mail.Hold(tx, "it waited in a backup that was restored: send it again if it was not sent before"); err != nil {
			return err
		}
	}
	_, err := tx.Across().Exec(`UPDATE restores SET resumed_at = $1 WHERE resumed_at = ''`, tx.Now)
	return err
}
