package idp

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/colour"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/ui"
)

//go:embed pages/*.html pages/style.css pages/show.js
var files embed.FS

// pages are the templates, made once for each language. Their fields have Keycloak's names and ids, so that
// one suite of browser tests drives both.
type pages struct {
	all   map[i18n.Language]map[string]*template.Template
	style []byte
	// script lets people see the password that they type. The policy names its hash, so that no other script runs beside a password.
	script template.HTML
	policy string
}

// readPages is done once for all providers of the program.
var readPages = sync.OnceValues(func() (*pages, error) {
	p := &pages{all: map[i18n.Language]map[string]*template.Template{}}
	names, err := files.ReadDir("pages")
	if err != nil {
		return nil, err
	}
	for _, l := range i18n.Languages {
		p.all[l] = map[string]*template.Template{}
		say := template.FuncMap{"t": func(key string, params ...any) string { return i18n.Of(l, key, params...) }}
		for _, n := range names {
			name, ok := strings.CutSuffix(n.Name(), ".html")
			if !ok || name == "frame" {
				continue
			}
			if p.all[l][name], err = template.New("frame.html").Funcs(say).ParseFS(files, "pages/frame.html", "pages/"+n.Name()); err != nil {
				return nil, err
			}
		}
	}
	if p.style, err = files.ReadFile("pages/style.css"); err != nil {
		return nil, err
	}
	script, err := files.ReadFile("pages/show.js")
	sum := sha256.Sum256(script)
	p.script = template.HTML("<script>" + string(script) + "</script>")
	p.policy = strict + "; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	return p, err
})

// page is what is shown.
type page struct {
	Name                   string            // of the template
	Base                   string            // where its form goes
	Title, Text            string            // of a message, by key
	Notice, Problem        string            // above the form, by key
	Wait                   time.Duration     // until the next try
	Values, Wrong          map[string]string // of the fields; what is wrong with them, by key
	Address                string
	Mailed                 string // code of the partner of the mail that led here
	Resend                 string // where the mail that the page speaks of is asked for again
	Back, Again, Forgotten bool   // ways on

	// filled in by show
	Language  i18n.Language
	Languages []choice
	Partner   partners.Partner
	Initial   string
	Style     string
	Path, App string
	Currency  string
	Minutes   int
	Script    template.HTML
}

type choice struct {
	Code, Name, Address string
	Current             bool
}

// Reason says what is wrong, in the language of the page.
func (pg page) Reason(key string) string {
	switch key {
	case "idp:login.wait":
		return i18n.Of(pg.Language, key, "count", pg.Minutes)
	case "idp:password.short":
		return i18n.Of(pg.Language, key, "count", shortest)
	case "idp:password.long":
		return i18n.Of(pg.Language, key, "count", longest)
	case "idp:field.long":
		return i18n.Of(pg.Language, key, "count", longestName)
	}
	return i18n.Of(pg.Language, key)
}

const (
	localeCookie  = "KEYCLOAK_LOCALE"
	partnerCookie = "partner_code" // set by the web application when somebody came through a partner's link
)

// languageOf is the language of a visitor: what they just chose, what they
// chose before, what the application speaks, what their browser asks for.
func (p *Provider) languageOf(w http.ResponseWriter, r *http.Request) i18n.Language {
	if l, ok := i18n.Preferred(r.URL.Query().Get("kc_locale") + " " + r.URL.Query().Get("ui_locales")); ok {
		http.SetCookie(w, p.cookie(localeCookie, string(l), 365*24*time.Hour))
		return l
	}
	kept := ""
	if c, err := r.Cookie(localeCookie); err == nil {
		kept = c.Value
	}
	if l, ok := i18n.Preferred(kept + "," + r.Header.Get("Accept-Language")); ok {
		return l
	}
	return p.settings.Language
}

// partnerCode is the code of the partner through whose link a visitor came.
func partnerCode(r *http.Request) string {
	if c, err := r.Cookie(partnerCookie); err == nil && plainWord(c.Value) {
		return c.Value
	}
	return ""
}

// partnerOf is the partner in whose colours a visitor is met: the one that their
// mail was sent for, else the one through whose link this browser came last.
func (p *Provider) partnerOf(ctx context.Context, r *http.Request, mailed string) partners.Partner {
	var found partners.Partner
	if code := cmp.Or(mailed, partnerCode(r)); code != "" {
		err := p.db.Read(ctx, access.Program("idp"), func(tx *db.Tx) (err error) {
			found, err = partners.ByCode(tx, code)
			return err
		})
		if err != nil && !errors.Is(err, db.ErrNone) {
			p.settings.Log.Warn("the partner's colours were not found", "error", err)
		}
	}
	return found
}

// appIn is the way into the application, in the language that a person has
// before them and, after a mail, with the partner that they came for.
func (p *Provider) appIn(l i18n.Language, partner string) string {
	at := p.settings.PublicURL + "/app/?lang=" + string(l)
	if plainWord(partner) {
		at += "&partner=" + partner
	}
	return at
}

// show writes a page.
func (p *Provider) show(w http.ResponseWriter, r *http.Request, status int, pg page) {
	pg.Language = p.languageOf(w, r)
	tmpl, ok := p.pages.all[pg.Language][pg.Name]
	if !ok {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	pg.Partner = p.partnerOf(r.Context(), r, pg.Mailed)
	pg.Path, pg.App = p.path, p.appIn(pg.Language, pg.Mailed)
	pg.Style = "/auth/resources/saldo/style.css?color=" + url.QueryEscape(strings.TrimPrefix(pg.Partner.Color, "#"))
	if name := []rune(strings.TrimSpace(pg.Partner.Name)); len(name) > 0 {
		pg.Initial = strings.ToUpper(string(name[0]))
	}
	pg.Currency, pg.Script = p.settings.Currency, p.pages.script
	pg.Minutes = int((pg.Wait + time.Minute - 1) / time.Minute)
	for _, l := range i18n.Languages {
		pg.Languages = append(pg.Languages, choice{string(l), i18n.Names[l], p.sameIn(r, pg, l), l == pg.Language})
	}
	var content bytes.Buffer
	err := tmpl.Execute(&content, pg)
	if err != nil {
		p.settings.Log.Error("a page could not be made", "page", pg.Name, "error", err)
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	if pg.Wait > 0 {
		h.Set("Retry-After", strconv.Itoa(pg.Minutes*60))
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", string(pg.Language))
	w.WriteHeader(status)
	_, _ = w.Write(content.Bytes())
}

// sameIn is the address of the page in another language. A page that answers
// a form is asked for anew.
func (p *Provider) sameIn(r *http.Request, pg page, l i18n.Language) string {
	at := pg.Base
	if at == "" {
		at = r.URL.Path
		if !strings.HasPrefix(at, p.path) {
			at = p.path + at // within the protocol's handler the realm is cut off
		}
	}
	if pg.Name == "login" || pg.Name == "register" {
		at += "/" + pg.Name
	}
	sign := "?"
	if strings.Contains(at, "?") {
		sign = "&"
	}
	return at + sign + "kc_locale=" + string(l)
}

// style serves the colours of a partner and the rest of the style.
func (p *Provider) style(w http.ResponseWriter, r *http.Request) {
	brand := "#" + r.URL.Query().Get("color")
	if !colour.Valid(brand) {
		brand = colour.Petrol
	}
	h := w.Header()
	h.Set("Content-Type", "text/css; charset=utf-8")
	h.Set("Cache-Control", "public, max-age=3600")
	fmt.Fprintf(w, ":root{%s}\n@media (prefers-color-scheme: dark){:root{%s}}\n", colour.Variables(brand, false),
		colour.Variables(brand, true))
	_, _ = w.Write(p.pages.style)
}

// font serves a file of the typeface, the same that the web application has.
func font(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "public, max-age=86400")
	http.ServeFileFS(w, r, ui.Fonts, "src/fonts/"+r.PathValue("file"))
}
