package app

import (
	"net/http/httptest"
	"strings"
	"testing"

	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
)

func TestAbout_ExplainsSaldoInTheLanguageAskedFor(t *testing.T) {
	page, err := about(i18n.German, mail.Address{Name: "Saldo", Address: "hello@saldo.example"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ at, browser, language string }{
		{"/about?lang=uk", "pl", "uk"}, {"/about", "ru-RU, pl;q=0.5", "ru"}, {"/about", "fr", "de"}, {"/about?lang=xx", "", "de"},
	} {
		w, rq := httptest.NewRecorder(), httptest.NewRequest("GET", c.at, nil)
		rq.Header.Set("Accept-Language", c.browser)
		page.ServeHTTP(w, rq)
		text := w.Body.String()
		if !strings.Contains(text, `<html lang="`+c.language+`">`) || !strings.Contains(text, i18n.Of(i18n.Language(c.language), "introduction:settle.title")) ||
			!strings.Contains(text, `href="mailto:hello@saldo.example"`) || strings.Contains(text, "<script") || strings.Contains(text, "ZgotmplZ") {
			t.Errorf("%+v: %s", c, text)
		}
	}
}
