package api_test

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"saldo/internal/platform/i18n"
)

// opened is the page behind a link, as a browser without scripts reads it.
func (w *world) opened(t *testing.T, path, languages string) (*http.Response, string) {
	t.Helper()
	rq, err := http.NewRequest("GET", w.URL+"/app/driver-summary/"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	rq.Header.Set("Accept-Language", languages)
	resp, err := http.DefaultClient.Do(rq)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

var givenData = regexp.MustCompile(`(?s)<script type="application/json" id="summary">(.*?)</script>`)

func TestSummaryPage_ShowsTheFiguresWithoutAScript(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bill := w.sentSummary(t)
		w.relink(t, bill, "token")
		var summary struct {
			Name, Language string
			Figures        map[string]int64
			Lines          []struct {
				Amount int64
				Name   string
			}
		}
		raw := w.must(t, 200, "anonymous", "GET", "/api/driver-summaries/token", nil)
		if err := json.Unmarshal([]byte(raw), &summary); err != nil {
			t.Fatal(err)
		}
		for _, language := range i18n.Languages {
			resp, text := w.opened(t, "token?lang="+string(language), "fr")
			if resp.StatusCode != 200 || resp.Header.Get("Cache-Control") != "no-store" || resp.Header.Get("X-Robots-Tag") != "noindex, nofollow" ||
				resp.Header.Get("Content-Language") != string(language) {
				t.Errorf("%d %v", resp.StatusCode, resp.Header)
			}
			plain := strings.ReplaceAll(text, "&#43;", "+")
			if !strings.Contains(plain, `<html lang="`+string(language)+`">`) || !strings.Contains(plain, summary.Name) || strings.Contains(plain, "ZgotmplZ") {
				t.Fatalf("%s: %s", language, text)
			}
			if n := strings.Count(plain, "<dt>"); n != len(summary.Lines)+2 {
				t.Errorf("%d lines, of %d", n, len(summary.Lines))
			}
			given := givenData.FindStringSubmatch(text)
			var written, answered any // what the script takes over is what it would have been answered
			if given == nil || json.Unmarshal([]byte(given[1]), &written) != nil || json.Unmarshal([]byte(raw), &answered) != nil {
				t.Fatalf("no data in %s", text)
			}
			delete(answered.(map[string]any), "$schema")
			a, _ := json.Marshal(written)
			b, _ := json.Marshal(answered)
			if string(a) != string(b) {
				t.Errorf("%s\n%s", a, b)
			}
			for _, secret := range []string{"mail.example", "token_sum", "PL61"} {
				if strings.Contains(text, secret) {
					t.Errorf("the page shows %s", secret)
				}
			}
		}
		if _, text := w.opened(t, "token", "fr"); !strings.Contains(text, `<html lang="`+summary.Language+`">`) {
			t.Error("not in the driver's language")
		}
		// reading it is no proof that a person did: programs that look through mail read it too
		if text := w.must(t, 200, "partner", "GET", "/api/summaries/"+bill, nil); !strings.Contains(text, `"openedAt":null`) {
			t.Error(text)
		}
	})
}

func TestSummaryPage_SaysOneThingOfEveryLinkThatOpensNothingAndLimitsGuesses(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		resp, text := w.opened(t, "unknown", "uk-UA")
		if resp.StatusCode != 404 || !strings.Contains(text, i18n.Of(i18n.Ukrainian, "summary:invalidTitle")) || strings.Contains(text, "<script") {
			t.Errorf("%d %s", resp.StatusCode, text)
		}
		limited := false
		for range 50 { // a minute may end between them
			resp, text := w.opened(t, "guess", "pl")
			limited = limited || resp.StatusCode == 429 && resp.Header.Get("Retry-After") == "60" && strings.Contains(text, i18n.Of(i18n.Polish, "summary:waitBody"))
		}
		if !limited {
			t.Error("guessing goes on and on")
		}
	})
}
