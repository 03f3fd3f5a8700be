// Package api is the HTTP surface: the table of all operations and, one file
// for each business package, their shapes in JSON.
package api

import (
	"net/http"

	"saldo/internal/access"
	"saldo/internal/blob"
	"saldo/internal/config"
	"saldo/internal/db"
	"saldo/internal/vault"
	"saldo/internal/web"
)

// Settings are what the operations need besides the unit of work.
type Settings struct {
	DB       *db.DB
	Blobs    blob.Store
	Vault    *vault.Vault
	Instance config.Instance
	Identity config.Identity
	Version  string
}

// Register adds every operation to the router. This is the route table.
func Register(r *web.Router, s Settings) {
	const get, post, put, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete

	web.Plain(r, web.Route{Method: get, Path: "/api/config", Name: "config", Permission: access.Public,
		Summary: "What the interface must know before anybody signs in"}, s.config)
	web.Read(r, web.Route{Method: get, Path: "/api/session", Name: "session", Permission: access.SessionRead,
		Summary: "Who is signed in, for which partner, and what they may do"}, session)
	web.Read(r, web.Route{Method: get, Path: "/api/settlements/limits", Name: "settlement-limits", Permission: access.LimitsRead,
		Summary: "How many settlements the partner may still make"}, limits)

	web.Read(r, web.Route{Method: get, Path: "/api/partners/terms", Name: "terms", Permission: access.TermsRead,
		Summary: "The newest terms and whether the partner accepted them"}, terms)
	web.Write(r, web.Route{Method: put, Path: "/api/partners/terms/acceptNewTerms", Name: "accept-terms", Permission: access.TermsWrite,
		Summary: "Accept the newest terms"}, acceptTerms)

	web.Read(r, web.Route{Method: get, Path: "/api/partners", Name: "partner", Permission: access.PartnerRead,
		Summary: "The partner's own profile"}, s.partner)
	web.Write(r, web.Route{Method: put, Path: "/api/partners", Name: "save-partner", Permission: access.PartnerWrite,
		Summary: "Replace the partner's own profile"}, s.savePartner)
	web.Read(r, web.Route{Method: get, Path: "/api/partners/driver-functions", Name: "driver-functions", Permission: access.PartnerRead,
		Summary: "What the partner's drivers see"}, driverFunctions)
	web.Write(r, web.Route{Method: put, Path: "/api/partners/driver-functions", Name: "set-driver-functions", Permission: access.PartnerWrite,
		Summary: "Choose what the partner's drivers see"}, setDriverFunctions)
	web.Read(r, web.Route{Method: get, Path: "/api/partners/partner-settlement-frequency", Name: "partner-settlement-frequency", Permission: access.PartnerRead,
		Summary: "How often the partner's drivers are settled"}, settlementFrequency)
	web.Plain(r, web.Route{Method: put, Path: "/api/partners/logo", Name: "set-logo", Permission: access.PartnerWrite,
		Summary: "Replace the partner's logo"}, s.setLogo)
	web.Plain(r, web.Route{Method: del, Path: "/api/partners/logo", Name: "remove-logo", Permission: access.PartnerWrite,
		Summary: "Take the partner's logo away"}, s.removeLogo)

	web.Read(r, web.Route{Method: get, Path: "/api/tags", Name: "tags", Permission: access.TagsRead,
		Summary: "All tags of the partner by name"}, tags)
	web.Write(r, web.Route{Method: post, Path: "/api/tags", Name: "add-tag", Permission: access.TagsWrite, Status: http.StatusCreated,
		Summary: "Make a tag"}, addTag)
	web.Write(r, web.Route{Method: del, Path: "/api/tags/{id}", Name: "remove-tag", Permission: access.TagsWrite,
		Summary: "Remove a tag"}, removeTag)

	web.Read(r, web.Route{Method: get, Path: "/api/jobs", Name: "jobs", Permission: access.JobsRead,
		Summary: "Work in the background: running, failed and lately done"}, recentJobs)
	web.Write(r, web.Route{Method: post, Path: "/api/jobs/{id}/retry", Name: "retry-job", Permission: access.JobsWrite,
		Summary: "Give a failed job new tries"}, retryJob)

	r.Handle("GET /identification/{code}/logo", s.logo())
}

// nothing is the input of an operation that asks for nothing.
type nothing struct{}

// named is the input of an operation on one object.
type named struct {
	ID string `path:"id" maxLength:"64"`
}
