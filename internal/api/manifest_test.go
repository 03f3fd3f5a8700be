package api_test

import (
	"encoding/json"
	"testing"
)

// What a driver installs has the name and the colour of the fleet, icons of every purpose, and the shortcuts that were asked for alone.
func TestManifest_IsInThePartnersColours(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var own struct{ Name, Color string }
		w.call(t, "partner", "GET", "/api/partners", nil, &own)
		type manifest struct {
			ID, Name, Lang, Scope, Display string
			Theme                          string `json:"theme_color"`
			Icons                          []struct{ Src, Sizes, Purpose string }
			Shortcuts                      []struct{ Name, URL string }
		}
		read := func(path string) (m manifest) {
			t.Helper()
			kind, content := w.shown(t, path)
			if kind != "application/manifest+json" {
				t.Error(kind)
			}
			if err := json.Unmarshal(content, &m); err != nil {
				t.Fatal(err)
			}
			return m
		}
		m := read("/identification/north/manifest?lang=uk&shortcuts=trip,time")
		if m.Name != own.Name || m.Theme != own.Color || m.ID != "/app/" || m.Scope != "/app/" || m.Display != "standalone" || m.Lang != "uk" {
			t.Errorf("%+v %+v", m, own)
		}
		if len(m.Icons) != 3 || m.Icons[1].Sizes != "512x512" || m.Icons[2].Purpose != "maskable" {
			t.Errorf("%+v", m.Icons)
		}
		if len(m.Shortcuts) != 2 || m.Shortcuts[0].Name != "Додати поїздку" || m.Shortcuts[0].URL != "/app/trip-tracker/add" ||
			m.Shortcuts[1].Name != "Почати роботу" {
			t.Errorf("%+v", m.Shortcuts)
		}
		if m = read("/identification/north/manifest?lang=xx&shortcuts=time,admin"); len(m.Shortcuts) != 1 || m.Shortcuts[0].Name != "Start pracy" {
			t.Errorf("%+v", m)
		}
		if m = read("/identification/nobody/manifest?shortcuts="); m.Name != "Saldo" || len(m.Shortcuts) != 0 {
			t.Errorf("%+v", m)
		}
	})
}
