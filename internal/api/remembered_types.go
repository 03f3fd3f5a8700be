package api

import (
	"strings"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (Settings) rememberedTypesRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/remembered-types", Name: "remembered-types", Permission: access.ImportsRead,
		Summary: "Types that people gave to rows that came without one, as later files take them"}, rememberedTypes)
	web.Write(r, web.Route{Method: del, Path: "/api/remembered-types/{id}", Name: "remove-remembered-type",
		Permission: access.ImportsWrite,
		Summary:    "Forget a remembered type; rows that have taken it keep it"}, removeRememberedType)
}

// RememberedType is a type that a person gave to rows that came without one; later files of the same layout take it.
type RememberedType struct {
	ID        string    `json:"id"`
	Provider  string    `json:"provider"`
	Layout    string    `json:"layout" doc:"kind of the file"`
	MappingID string    `json:"mappingId" doc:"of a described file; empty: a layout that Saldo knows"`
	Seen      string    `json:"seen" doc:"column or description"`
	Type      string    `json:"type"`
	UpdatedAt time.Time `json:"updatedAt"`
	UpdatedBy string    `json:"updatedBy"`
}

// RememberedTypeList lists all of them.
type RememberedTypeList struct {
	Types []RememberedType `json:"types" nullable:"false"`
}

func rememberedTypes(tx *db.Tx, _ *nothing) (list RememberedTypeList, err error) {
	found, err := ledger.RememberedTypes(tx)
	list.Types = []RememberedType{}
	for _, r := range found {
		kind, mapping, _ := strings.Cut(r.Layout, ":")
		list.Types = append(list.Types, RememberedType{r.ID(), r.Provider, kind, mapping, r.Seen, r.Type, r.UpdatedAt, r.UpdatedBy})
	}
	return list, err
}

func removeRememberedType(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, ledger.RemoveTypeRule(tx, in.ID)
}
