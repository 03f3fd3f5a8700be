package messages

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// Note is what stands on the board of a driver.
type Note struct {
	ID, MessageID                 string
	Kind                          Kind
	ObjectID                      string
	Params                        map[string]string // of a note of the program
	Text                          Text              // in the language of whoever reads it, where it is written in it
	Pinned, Confirm               bool
	PlacedAt, ReadAt, ConfirmedAt time.Time
}

type noteRow struct {
	ID, DriverID, MessageID, Kind, ObjectID, Params string
	Pinned, Confirm                                 bool
	Language, Topic, Content                        string
	PlacedAt, ReadAt, ConfirmedAt                   time.Time
}

// noteQuery reads the notes of the drivers whom a condition names.
const noteQuery = `SELECT n.id, n.driver_id, n.message_id, n.kind, n.object_id, n.params, n.pinned, COALESCE(m.confirm, FALSE) AS confirm,
	COALESCE(m.language, '') AS language, COALESCE(m.topic, '') AS topic, COALESCE(m.content, '') AS content, n.placed_at, n.read_at,
	n.confirmed_at FROM notes n LEFT JOIN messages m ON m.tenant_id = n.tenant_id AND m.id = n.message_id
	WHERE n.tenant_id = $1 AND n.driver_id%s`

// BoardMax is the most notes that are given at once.
const BoardMax = 200

// mine is the ids of a driver and of everybody who was merged into them, as a condition and its arguments, which begin with $2.
// Whoever was merged keeps their notes, and the kept driver reads them; copies of one message count as one.
func mine(tx *db.Tx, driver string) (in string, args []any, err error) {
	names, err := drivers.WithMerged(tx, driver)
	if err != nil {
		return "", nil, err
	}
	ids := []string{driver}
	for _, n := range names {
		if n.ID != driver {
			ids = append(ids, n.ID)
		}
	}
	in, args = db.Among(2, ids)
	return in, args, nil
}

// twin is true of a note n of which another copy, of somebody merged into the same driver, meets a condition.
func twin(in, when string) string {
	return `EXISTS (SELECT 1 FROM notes w WHERE w.tenant_id = n.tenant_id AND w.message_id = n.message_id AND w.message_id <> ''
		AND w.driver_id` + in + ` AND ` + when + `)`
}

// OnBoard are the notes of a driver, pinned ones first, then the newest; those placed before an instant, where one is given.
func OnBoard(tx *db.Tx, driver string, language i18n.Language, before time.Time) ([]Note, error) {
	in, args, err := mine(tx, driver)
	if err != nil {
		return nil, err
	}
	condition := ""
	if !before.IsZero() {
		args = append(args, before)
		condition = fmt.Sprintf(` AND n.placed_at < $%d AND NOT n.pinned`, len(args)+1)
	}
	args = append(args, BoardMax)
	limit := len(args) + 1
	rows, err := db.Select[noteRow](tx, fmt.Sprintf(noteQuery+` AND n.hidden_at = '' AND NOT %s%s
		ORDER BY n.pinned DESC, n.placed_at DESC, n.id DESC LIMIT $%d`, in, twin(in, `w.hidden_at <> ''`), condition, limit), args...)
	if err != nil {
		return nil, err
	}
	return notesOf(tx, rows, language)
}

// NoteOf is one note of a driver.
func NoteOf(tx *db.Tx, driver, id string, language i18n.Language) (Note, error) {
	in, args, err := mine(tx, driver)
	if err != nil {
		return Note{}, err
	}
	row, err := db.One[noteRow](tx, fmt.Sprintf(noteQuery+` AND n.id = $%d AND n.hidden_at = ''`, in, len(args)+2), append(args, id)...)
	if errors.Is(err, db.ErrNone) {
		return Note{}, ErrNotFound
	}
	if err != nil {
		return Note{}, err
	}
	notes, err := notesOf(tx, []noteRow{row}, language)
	if err != nil {
		return Note{}, err
	}
	return notes[0], nil
}

// notesOf makes notes of rows: of the copies of one message the first, and each in the language of whoever reads it.
func notesOf(tx *db.Tx, rows []noteRow, language i18n.Language) ([]Note, error) {
	notes, at, ids := []Note{}, map[string]int{}, []string{}
	for _, r := range rows {
		if had, ok := at[r.MessageID]; ok {
			n := &notes[had] // what was read or confirmed in one copy is so in all
			n.ReadAt, n.ConfirmedAt = earlier(n.ReadAt, r.ReadAt), earlier(n.ConfirmedAt, r.ConfirmedAt)
			continue
		}
		n := Note{ID: r.ID, MessageID: r.MessageID, Kind: Kind(r.Kind), ObjectID: r.ObjectID, Pinned: r.Pinned, Confirm: r.Confirm,
			Text: Text{i18n.Language(r.Language), r.Topic, r.Content}, PlacedAt: r.PlacedAt, ReadAt: r.ReadAt, ConfirmedAt: r.ConfirmedAt}
		if r.Params != "" {
			if err := json.Unmarshal([]byte(r.Params), &n.Params); err != nil {
				return nil, err
			}
		}
		if r.MessageID != "" {
			at[r.MessageID] = len(notes)
			ids = append(ids, r.MessageID)
		}
		notes = append(notes, n)
	}
	if len(ids) < len(notes) {
		if err := addTexts(tx, notes, language); err != nil {
			return nil, err
		}
	}
	for some := range slices.Chunk(ids, chunk) {
		in, args := db.Among(3, some)
		texts, err := db.Select[struct {
			MessageID string
			Text
		}](tx, `SELECT message_id, language, topic, content FROM message_texts WHERE tenant_id = $1 AND language = $2 AND message_id`+in,
			append([]any{string(language)}, args...)...)
		if err != nil {
			return nil, err
		}
		for _, t := range texts {
			notes[at[t.MessageID]].Text = t.Text
		}
	}
	return notes, nil
}

// addTexts gives notes of the program their texts, as they were when each was told.
func addTexts(tx *db.Tx, notes []Note, language i18n.Language) error {
	own, err := wordings(tx, language)
	for i := range notes {
		if n := &notes[i]; n.MessageID == "" {
			n.Text, _ = textAt(own, n.Kind, language, n.PlacedAt)
		}
	}
	return err
}

// earlier is the earlier of two instants, of which a zero one has not come.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return cmp.Or(b, a)
	}
	return a
}

// UnreadMax is the most that Unread counts: a bell shows no more, and counting thousands takes time on every request for the session.
const UnreadMax = 100

// Unread counts the notes that a driver has not read, up to UnreadMax.
func Unread(tx *db.Tx, driver string) (int64, error) {
	in, args, err := mine(tx, driver)
	if err != nil {
		return 0, err
	}
	if len(args) == 1 { // nobody was merged: the index alone answers
		return db.One[int64](tx, fmt.Sprintf(`SELECT COUNT(*) FROM (SELECT id FROM notes WHERE tenant_id = $1 AND driver_id = $2 AND read_at = ''
			AND hidden_at = '' LIMIT %d) AS counted`, UnreadMax), driver)
	}
	return db.One[int64](tx, fmt.Sprintf(`SELECT COUNT(*) FROM (SELECT DISTINCT CASE WHEN n.message_id = '' THEN n.id ELSE n.message_id END
		FROM notes n WHERE n.tenant_id = $1 AND n.driver_id%s AND n.read_at = '' AND n.hidden_at = '' AND NOT %s LIMIT %d) AS counted`, in,
		twin(in, `(w.hidden_at <> '' OR w.read_at <> '')`), UnreadMax), args...)
}

// HasNotes says whether anything stands on the board of a driver.
func HasNotes(tx *db.Tx, driver string) (bool, error) {
	in, args, err := mine(tx, driver)
	if err != nil {
		return false, err
	}
	found, err := db.Select[string](tx, `SELECT id FROM notes WHERE tenant_id = $1 AND driver_id`+in+` AND hidden_at = '' LIMIT 1`, args...)
	return len(found) > 0, err
}

// touch changes a note on the board of a driver and its copies, and says whether there is one.
func touch(tx *db.Tx, driver, id, set string, value any) error {
	return touchWhere(tx, driver, id, `hidden_at = ''`, set, value)
}

func touchWhere(tx *db.Tx, driver, id, where, set string, value any) error {
	in, args, err := mine(tx, driver)
	if err != nil {
		return err
	}
	note := len(args) + 2
	n, err := tx.Exec(fmt.Sprintf(`UPDATE notes SET %[2]s WHERE tenant_id = $1 AND driver_id%[1]s AND %[4]s AND (id = $%[3]d
		OR message_id <> '' AND message_id = (SELECT n.message_id FROM notes n WHERE n.tenant_id = $1 AND n.id = $%[3]d AND n.driver_id%[1]s))`,
		in, fmt.Sprintf(set, note+1), note, where), append(args, id, value)...)
	if err == nil && n == 0 {
		err = ErrNotFound
	}
	return err
}

// Read marks a note as read, once.
func Read(tx *db.Tx, driver, id string) error {
	return touch(tx, driver, id, `read_at = CASE WHEN read_at = '' THEN $%[1]d ELSE read_at END`, tx.Now)
}

// ReadAll marks every note of a driver as read.
func ReadAll(tx *db.Tx, driver string) error {
	in, args, err := mine(tx, driver)
	if err != nil {
		return err
	}
	_, err = tx.Exec(fmt.Sprintf(`UPDATE notes SET read_at = $%d WHERE tenant_id = $1 AND driver_id%s AND read_at = '' AND hidden_at = ''`,
		len(args)+2, in), append(args, tx.Now)...)
	return err
}

// Hide takes a note off the driver's board.
func Hide(tx *db.Tx, driver, id string) error {
	return touch(tx, driver, id, `hidden_at = $%[1]d`, tx.Now)
}

// Restore puts a note that the driver deleted back on their board, as it was. What holds no longer stays away.
func Restore(tx *db.Tx, driver, id string) error {
	return touchWhere(tx, driver, id, `hidden_at <> '' AND NOT taken_back`, `hidden_at = $%[1]d`, "")
}

// PinNote puts a note first on the driver's own board, or back.
func PinNote(tx *db.Tx, driver, id string, pinned bool) error {
	return touch(tx, driver, id, `pinned = $%[1]d`, pinned)
}

// Confirm is the driver's word that they have read a note, where the partner asks for it.
func Confirm(tx *db.Tx, driver, id string) error {
	n, err := NoteOf(tx, driver, id, i18n.Default)
	if err != nil {
		return err
	}
	if !n.Confirm {
		return ErrNothingToConfirm
	}
	if err := Read(tx, driver, id); err != nil {
		return err
	}
	return touch(tx, driver, id, `confirmed_at = CASE WHEN confirmed_at = '' THEN $%[1]d ELSE confirmed_at END`, tx.Now)
}
