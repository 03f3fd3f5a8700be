package api

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/accounts"
	"saldo/internal/identity"
	"saldo/internal/invoices"
	"saldo/internal/kernel/access"
	"saldo/internal/licences"
	"saldo/internal/messages"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
	"saldo/internal/questions"
)

func (s Settings) tenancyRoutes(r *web.Router) {
	web.Plain(r, web.Route{Method: get, Path: "/api/config", Name: "config", Permission: access.Public,
		Summary: "What the interface must know before anybody signs in"}, s.config)
	web.Plain(r, web.Route{Method: get, Path: "/api/session", Name: "session", Permission: access.SessionRead,
		Summary: "Who is signed in, for which partner, and what they may do"}, s.session)
	web.Read(r, web.Route{Method: get, Path: "/api/settlements/limits", Name: "settlement-limits", Permission: access.LimitsRead,
		Summary: "How many settlements the partner may still make"}, limits)
}

// Language is a language of the interface.
type Language string

// Schema lists the languages.
func (Language) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, l := range i18n.Languages {
		s.Enum = append(s.Enum, string(l))
	}
	return s
}

// Permission is a permission in JSON.
type Permission string

// Schema lists the permissions.
func (Permission) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, p := range access.Permissions() {
		s.Enum = append(s.Enum, string(p))
	}
	return s
}

// Config is what the interface must know before anybody signs in.
type Config struct {
	Instance        string     `json:"instance" enum:"pl,de"`
	Currency        string     `json:"currency" enum:"PLN,EUR"`
	TimeZone        string     `json:"timeZone"`
	DefaultLanguage Language   `json:"defaultLanguage"`
	Languages       []Language `json:"languages" nullable:"false"`
	Version         string     `json:"version"`
	AuthURL         string     `json:"authUrl" doc:"where the identity provider is"`
	Realm           string     `json:"realm"`
	ClientID        string     `json:"clientId"`
	// Partner dresses what people see before they are signed in.
	Partner *ConfigPartner `json:"partner,omitempty" doc:"the one that was asked for; absent: none"`
}

// ConfigPartner is what anybody may know of a partner: its sign-in pages show the same.
type ConfigPartner struct {
	Code  string `json:"code"`
	Name  string `json:"name"`
	Color string `json:"color" doc:"primary colour as #RRGGBB"`
	Logo  string `json:"logo" doc:"address of the picture; empty: none"`
}

func (s Settings) config(ctx context.Context, _ web.Call, in *struct {
	Partner string `query:"partner" maxLength:"64" doc:"code of the partner whose link somebody opened, or whose this browser was last"`
}) (Config, error) {
	c := Config{Instance: s.Instance.Code, Currency: string(s.Instance.Currency), TimeZone: s.Instance.Zone,
		DefaultLanguage: Language(s.Instance.Language), Version: s.Version, AuthURL: s.Identity.AuthURL(), Realm: s.Identity.Realm,
		ClientID: identity.Client}
	for _, l := range i18n.Languages {
		c.Languages = append(c.Languages, Language(l))
	}
	if in.Partner == "" {
		return c, nil
	}
	err := s.DB.Read(ctx, access.Program("identification"), func(tx *db.Tx) error {
		p, err := partners.ByCode(tx, in.Partner)
		if errors.Is(err, db.ErrNone) {
			return nil
		}
		c.Partner = &ConfigPartner{p.Code, p.Name, p.Color, logoAddress(p)}
		return err
	})
	return c, err
}

// Session is who is signed in.
type Session struct {
	User        User            `json:"user"`
	Role        string          `json:"role" enum:"partner,driver"`
	Permissions []Permission    `json:"permissions" nullable:"false"`
	Partner     *SessionPartner `json:"partner" doc:"null for a driver who has chosen none"`
	Driver      *SessionDriver  `json:"driver" doc:"null for a partner's person"`
}

// User is a person.
type User struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email"`
}

// SessionPartner is what the frame of the interface shows of a partner.
type SessionPartner struct {
	_     struct{} `nullable:"true"`
	ID    string   `json:"id"`
	Code  string   `json:"code"`
	Name  string   `json:"name"`
	Color string   `json:"color" doc:"primary colour as #RRGGBB"`
	Logo  string   `json:"logo" doc:"address of the picture; another one after each change; empty: none"`
	Demo  bool     `json:"demo"`

	Features []PartnerFeature `json:"features" nullable:"false" doc:"what the operator has switched on for this partner"`

	OpenQuestions int64 `json:"openQuestions" doc:"in which a driver waits for an answer, told to the partner"`
	OpenInvoices  int64 `json:"openInvoices" doc:"that the partner has to describe or verify, told to the partner"`
}

// SessionDriver is what the frame of the interface knows of a driver.
type SessionDriver struct {
	_             struct{} `nullable:"true"`
	Account       bool     `json:"account" doc:"whether the driver has filled in who they are"`
	PartnerChosen bool     `json:"partnerChosen"`
	Linked        bool     `json:"linked" doc:"whether the partner has accepted the driver"`
	Functions     []int64  `json:"functions" nullable:"false" doc:"the numbers of what the partner shows, of 1 to 4"`
	UnreadNotes   int64    `json:"unreadNotes" doc:"100: as many or more"`
	Notes         bool     `json:"notes" doc:"whether anything stands on the board"`
	FirstName     string   `json:"firstName" doc:"as the identity provider or the account has it"`
	LastName      string   `json:"lastName"`
}

func (s Settings) session(ctx context.Context, c web.Call, _ *nothing) (out Session, err error) {
	out = Session{Role: string(c.Actor.Role), Permissions: []Permission{}}
	for _, held := range c.Actor.Permissions() {
		out.Permissions = append(out.Permissions, Permission(held))
	}
	if c.Actor.Role == access.Driver {
		err = s.DB.Read(ctx, web.DriverScope(c.Actor), func(tx *db.Tx) error { return out.ofDriver(tx, c.Actor) })
	} else {
		err = s.DB.Read(ctx, c.Actor, out.ofMember)
	}
	return out, err
}

func (s *Session) ofMember(tx *db.Tx) error {
	m, err := identity.Self(tx)
	if err != nil {
		return err
	}
	p, err := partners.Own(tx)
	s.User, s.Partner = User{m.ID, m.Name, m.Email}, shownPartner(p)
	if err != nil {
		return err
	}
	if s.Partner.OpenQuestions, err = questions.CountOpen(tx); err != nil {
		return err
	}
	if s.Partner.Features, err = features(tx); err != nil {
		return err
	}
	s.Partner.OpenInvoices, err = invoices.CountOpen(tx)
	return err
}

func (s *Session) ofDriver(tx *db.Tx, who access.Actor) error {
	proof := who.Proof
	s.User, s.Partner = User{who.Person, cmp.Or(who.Name, proof.Email), proof.Email}, nil
	s.Driver = &SessionDriver{FirstName: proof.FirstName, LastName: proof.LastName, Functions: []int64{}}
	var a accounts.Account
	err := tx.As(who.AsDriver(), func() (err error) { a, err = accounts.Own(tx); return err })
	if errors.Is(err, accounts.ErrNoAccount) || (err == nil && !a.Completed()) {
		return nil
	}
	if err != nil {
		return err
	}
	d := a.Details
	s.User = User{who.Person, d.FirstName + " " + d.LastName, d.Email}
	s.Driver.Account, s.Driver.FirstName, s.Driver.LastName = true, d.FirstName, d.LastName
	b, err := accounts.BondOf(tx, who, a)
	if errors.Is(err, accounts.ErrNoPartner) {
		return nil
	}
	s.Partner = shownPartner(b.Partner)
	s.Driver.PartnerChosen, s.Driver.Linked, s.Driver.Functions = true, b.Linked, b.Functions
	if err != nil {
		return err
	}
	_, driver, err := accounts.OwnDriver(tx, who)
	if err != nil {
		return err
	}
	return tx.As(who.In(b.Partner.TenantID), func() (err error) {
		if s.Partner.Features, err = features(tx); err != nil || driver == "" {
			return err
		}
		if s.Driver.UnreadNotes, err = messages.Unread(tx, driver); err != nil {
			return err
		}
		s.Driver.Notes, err = messages.HasNotes(tx, driver)
		return err
	})
}

func shownPartner(p partners.Partner) *SessionPartner {
	return &SessionPartner{ID: p.TenantID, Code: p.Code, Name: p.Name, Color: p.Color, Logo: logoAddress(p), Demo: p.Demo,
		Features: []PartnerFeature{}}
}

// PartnerFeature is something that the operator has switched on for a partner.
type PartnerFeature string

// Schema lists the features.
func (PartnerFeature) Schema(huma.Registry) *huma.Schema { return listed(partners.Features()) }

func features(tx *db.Tx) ([]PartnerFeature, error) {
	list, err := partners.FeaturesOf(tx)
	shown := make([]PartnerFeature, len(list))
	for i, one := range list {
		shown[i] = PartnerFeature(one)
	}
	return shown, err
}

// Limits are the settlements of the partner's licences.
type Limits struct {
	Limit     int64 `json:"limit"`
	Usage     int64 `json:"usage"`
	Remaining int64 `json:"remaining"`
}

func limits(tx *db.Tx, _ *nothing) (Limits, error) {
	b, err := licences.Of(tx)
	return Limits{b.Granted, b.Used, b.Left()}, err
}

// defaultLogo is shown for a partner without a picture and for an unknown
// code alike, so that codes cannot be guessed by it.
const defaultLogo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0B5D68"/>` +
	`<path d="M9 12h10M9 20h14" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>`

// logo serves a partner's picture. The sandbox keeps a picture that is more
// than a picture from doing anything.
func (s Settings) logo() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		var key string
		err := s.DB.Read(rq.Context(), access.Program("identification"), func(tx *db.Tx) error {
			p, err := partners.ByCode(tx, rq.PathValue("code"))
			key = p.Logo
			return err
		})
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
		h.Set("Cache-Control", "public, max-age=300")
		if err == nil && key != "" {
			if picture, size, err := kept(s.Blobs.Get(rq.Context(), key)); err == nil {
				defer picture.Close()
				h.Set("Content-Type", "image/png")
				h.Set("Content-Length", strconv.FormatInt(size, 10))
				hand(rq.Context(), w, picture)
				return
			}
		}
		if err != nil && !errors.Is(err, db.ErrNone) {
			http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
			return
		}
		h.Set("Content-Type", "image/svg+xml")
		_, _ = io.WriteString(w, defaultLogo)
	})
}
