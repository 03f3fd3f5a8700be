package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// manifestColour is that of the program, where no partner is known by the code.
const manifestColour = "#0B5D68"

// manifestIcon is a picture of the application, or one on a shortcut.
type manifestIcon struct {
	Src     string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose,omitempty"`
}

// manifestShortcut leads from the icon of the installed application to a screen.
type manifestShortcut struct {
	Name  string         `json:"name"`
	URL   string         `json:"url"`
	Icons []manifestIcon `json:"icons"`
}

// manifest describes the application that a driver installs, in the colours of a partner. Browsers fetch it without saying who asks, so the
// page names the language and the shortcuts that this driver may use; both change nothing for anybody else.
func (s Settings) manifest() http.Handler {
	icon := manifestIcon{Src: "/app/icon-192.png", Sizes: "192x192", Type: "image/png"}
	return http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		name, colour := "Saldo", manifestColour
		err := s.DB.Read(rq.Context(), access.Program("identification"), func(tx *db.Tx) error {
			p, err := partners.ByCode(tx, rq.PathValue("code"))
			if err == nil {
				name, colour = p.Name, p.Color
			}
			return err
		})
		if err != nil && !errors.Is(err, db.ErrNone) {
			http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
			return
		}
		language := i18n.ParseOr(rq.URL.Query().Get("lang"), i18n.ParseOr(s.Instance.Language, i18n.Language("pl")))
		shortcuts := []manifestShortcut{}
		for _, one := range strings.Split(rq.URL.Query().Get("shortcuts"), ",") {
			switch one {
			case "trip":
				shortcuts = append(shortcuts, manifestShortcut{i18n.Of(language, "manifest:trip"), "/app/trip-tracker/add", []manifestIcon{icon}})
			case "time":
				shortcuts = append(shortcuts, manifestShortcut{i18n.Of(language, "manifest:time"), "/app/time-tracker", []manifestIcon{icon}})
			}
		}
		w.Header().Set("Content-Type", "application/manifest+json")
		w.Header().Set("Cache-Control", "public, max-age=300")
		_ = json.NewEncoder(w).Encode(map[string]any{"id": "/app/", "name": name, "short_name": name, "lang": language, "start_url": "/app/",
			"scope": "/app/", "display": "standalone", "background_color": "#F6F7F8", "theme_color": colour, "shortcuts": shortcuts,
			"icons": []manifestIcon{icon, {"/app/icon-512.png", "512x512", "image/png", ""},
				{"/app/icon-maskable-512.png", "512x512", "image/png", "maskable"}}})
	})
}
