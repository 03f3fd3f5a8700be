package api

import (
	"errors"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
)

func (Settings) termsRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/partners/terms", Name: "terms", Permission: access.TermsRead,
		Summary: "The newest terms and whether the partner accepted them"}, terms)
	web.Write(r, web.Route{Method: put, Path: "/api/partners/terms/acceptNewTerms", Name: "accept-terms", Permission: access.TermsWrite,
		Summary: "Accept the newest terms"}, acceptTerms)
}

// Terms are the newest terms in JSON.
type Terms struct {
	Version     string     `json:"version" doc:"empty while none are published"`
	Title       string     `json:"title"`
	Body        string     `json:"body" doc:"paragraphs, divided by empty lines"`
	PublishedAt *time.Time `json:"publishedAt"`
	Accepted    bool       `json:"accepted" doc:"also true while none are published"`
	AcceptedAt  *time.Time `json:"acceptedAt"`
	AcceptedBy  string     `json:"acceptedBy"`
}

func terms(tx *db.Tx, in *struct {
	Language Language `query:"lang"`
}) (Terms, error) {
	language, ok := i18n.Parse(string(in.Language))
	if !ok {
		language = i18n.Default
	}
	t, err := partners.NewestTerms(tx, language)
	if errors.Is(err, partners.ErrNoTerms) {
		return Terms{Accepted: true}, nil
	}
	if err != nil {
		return Terms{}, err
	}
	out := Terms{Version: t.Version, Title: t.Title, Body: t.Body, PublishedAt: &t.PublishedAt, AcceptedBy: t.MemberName}
	if !t.AcceptedAt.IsZero() {
		out.Accepted, out.AcceptedAt = true, &t.AcceptedAt
	}
	return out, nil
}

func acceptTerms(tx *db.Tx, in *struct {
	Version string `query:"version" maxLength:"50" doc:"what was shown; accepting is refused when newer terms exist"`
}) (web.None, error) {
	return web.None{}, partners.AcceptTerms(tx, in.Version)
}
