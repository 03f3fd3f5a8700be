package api

import (
	"time"

	"saldo/internal/drivers"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

// Tag is a tag in JSON.
type Tag struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"createdAt"`
}

// TagList is all tags of a partner.
type TagList struct {
	Tags []Tag `json:"tags" nullable:"false"`
}

func tags(tx *db.Tx, _ *nothing) (list TagList, err error) {
	found, err := drivers.Tags(tx)
	list.Tags = make([]Tag, len(found))
	for i, t := range found {
		list.Tags[i] = Tag(t)
	}
	return list, err
}

// NewTag is what a tag is made of.
type NewTag struct {
	Name string `json:"name" minLength:"1" maxLength:"50"`
}

func addTag(tx *db.Tx, in *struct{ Body NewTag }) (Tag, error) {
	t, err := drivers.AddTag(tx, in.Body.Name)
	return Tag(t), err
}

func removeTag(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, drivers.RemoveTag(tx, in.ID)
}
