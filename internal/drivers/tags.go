package drivers

import (
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

var (
	ErrTagNotFound  = fault.Declare(fault.NotFound, "tags.not_found")
	ErrTagNameTaken = fault.Declare(fault.Conflict, "tags.name_taken")
	ErrTooManyTags  = fault.Declare(fault.Conflict, "tags.too_many")
	ErrTagName      = fault.Declare(fault.Invalid, "tags.name_invalid")
)

// Limits of tags. The list is short enough to be shown whole.
const (
	TagNameMax = 50
	TagsMax    = 500
)

// Tag is a word that a partner sorts its drivers by.
type Tag struct {
	ID        string
	Name      string
	CreatedAt time.Time
}

// Tags lists the partner's tags by name.
func Tags(tx *db.Tx) ([]Tag, error) {
	return db.Select[Tag](tx, `SELECT id, name, created_at FROM tags WHERE tenant_id = $1 ORDER BY search_key, id`)
}

// AddTag makes a tag. Two names that differ only in case or in spaces are the
// same name.
func AddTag(tx *db.Tx, name string) (Tag, error) {
	name = strings.Join(strings.Fields(norm.NFC.String(name)), " ")
	switch n := len([]rune(name)); {
	case n == 0:
		return Tag{}, ErrTagName.Field("name", fault.Required)
	case n > TagNameMax:
		return Tag{}, ErrTagName.Field("name", fault.TooLong, "max", "50")
	}
	count, err := db.One[int64](tx, `SELECT COUNT(*) FROM tags WHERE tenant_id = $1`)
	if err != nil {
		return Tag{}, err
	}
	if count >= TagsMax {
		return Tag{}, ErrTooManyTags.With("max", TagsMax)
	}
	tag := Tag{ID: tx.NewID(), Name: name, CreatedAt: tx.Now}
	n, err := tx.Exec(`INSERT INTO tags (tenant_id, id, name, search_key, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
		tag.ID, tag.Name, strings.ToLower(name), tag.CreatedAt)
	if err != nil {
		return Tag{}, err
	}
	if n == 0 {
		return Tag{}, ErrTagNameTaken.With("name", name).Field("name", fault.Duplicate)
	}
	return tag, audit.Record(tx, audit.Change{Action: "tags.add", Kind: "tag", ID: tag.ID, After: tag})
}

// RemoveTag forgets a tag.
func RemoveTag(tx *db.Tx, id string) error {
	gone, err := db.Select[Tag](tx, `DELETE FROM tags WHERE tenant_id = $1 AND id = $2 RETURNING id, name, created_at`, id)
	if err != nil {
		return err
	}
	if len(gone) == 0 {
		return ErrTagNotFound
	}
	return audit.Record(tx, audit.Change{Action: "tags.remove", Kind: "tag", ID: id, Before: gone[0]})
}
