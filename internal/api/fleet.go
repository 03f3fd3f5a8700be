package api

import (
	"net/http"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (Settings) fleetRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/tags", Name: "tags", Permission: access.TagsRead,
		Summary: "All tags of the partner by name"}, tags)
	web.Write(r, web.Route{Method: post, Path: "/api/tags", Name: "add-tag", Permission: access.TagsWrite, Status: http.StatusCreated,
		Summary: "Make a tag"}, addTag)
	web.Write(r, web.Route{Method: del, Path: "/api/tags/{id}", Name: "remove-tag", Permission: access.TagsWrite,
		Summary: "Remove a tag"}, removeTag)
}

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
