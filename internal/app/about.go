package app

import (
	"bytes"
	"cmp"
	_ "embed"
	"html/template"
	"net/http"
	"strings"

	"saldo/internal/kernel/colour"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
)

//go:embed about.html
var aboutPage string

// headOfPage is what the head of every page that the server draws by itself has.
//
//go:embed head.html
var headOfPage string

// about says what Saldo is to companies that a driver has invited. It is the same for everybody and needs no script.
func about(fallback i18n.Language, contact mail.Address) (http.Handler, error) {
	day, night := template.CSS(colour.Variables(colour.Petrol, false)), template.CSS(colour.Variables(colour.Petrol, true))
	pages := map[i18n.Language][]byte{}
	for _, l := range i18n.Languages {
		say := template.FuncMap{"t": func(key string, params ...any) string { return i18n.Of(l, key, params...) }}
		page, err := template.New("about").Funcs(say).Parse(headOfPage + aboutPage)
		if err != nil {
			return nil, err
		}
		var content bytes.Buffer
		if err := page.Execute(&content, map[string]any{"Language": l, "Languages": i18n.Languages, "Names": i18n.Names,
			"Contact": contact.Address, "Name": cmp.Or(contact.Name, "Saldo"), "Day": day, "Night": night}); err != nil {
			return nil, err
		}
		pages[l] = content.Bytes()
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l, ok := i18n.Preferred(strings.Join([]string{r.URL.Query().Get("lang"), r.Header.Get("Accept-Language")}, ","))
		if !ok {
			l = fallback
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Language", string(l))
		h.Set("Cache-Control", "no-cache")
		h.Set("Vary", "Accept-Language")
		_, _ = w.Write(pages[l])
	}), nil
}
