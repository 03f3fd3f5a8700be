package api_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"saldo/internal/kernel/money"
)

type statsSeen struct {
	From, To string
	Equation struct{ Settlements, Revenue, Left, Payouts money.Amount }
	Weeks    []struct {
		Week    string
		Revenue money.Amount
		Active  int
	}
	Top          []struct{ ID, LastName string }
	Completeness []struct{ Provider string }
	Licence      struct{ Left, PerWeek int64 }
}

// stats asks with the ETag of what is known.
func (w *world) stats(t *testing.T, who, path, known string) (status int, tag, text string) {
	t.Helper()
	rq, err := http.NewRequestWithContext(t.Context(), "GET", w.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	rq.Header.Set("Authorization", "Bearer "+w.tokens[who])
	if known != "" {
		rq.Header.Set("If-None-Match", known)
	}
	resp, err := http.DefaultClient.Do(rq)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var body strings.Builder
	if _, err := io.Copy(&body, resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header.Get("ETag"), body.String()
}

// A fleet's statistics have what is settled at once and nothing of other fleets; unchanged they are not sent again, and no write is missed.
func TestPartnerStats_AreSentAgainOnlyWhenChanged(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const path = "/api/stats/partner?from=2026-10-26&to=2026-11-08"
		status, tag, text := w.stats(t, "partner", path, "")
		if status != 200 || tag == "" || !strings.HasPrefix(tag, `"`) {
			t.Fatalf("%d %q %s", status, tag, text)
		}
		if status, again, text := w.stats(t, "partner", path, `"other", W/`+tag); status != 304 || again != tag || text != "" {
			t.Errorf("%d %q %s", status, again, text)
		}
		driver := w.addDriver(t, "partner", with(driverOf("Counted"), "iban", polishIBAN))
		w.earns(t, driver, 1_000_00)
		changed := func(what string) (s statsSeen) {
			t.Helper()
			status, now, text := w.stats(t, "partner", path, tag)
			if status != 200 || now == tag {
				t.Errorf("%s: %d %q", what, status, now)
			}
			if err := json.Unmarshal([]byte(text), &s); err != nil {
				t.Fatalf("%s %v", text, err)
			}
			tag = now
			return s
		}
		if s := changed("rows came"); s.From != "2026-10-26" || len(s.Weeks) != 2 || s.Weeks[0].Revenue != 1_000_00 || s.Weeks[0].Active != 1 ||
			len(s.Top) != 1 || s.Top[0].ID != driver || s.Equation.Settlements != 0 {
			t.Errorf("%+v", s)
		}
		one := w.settledOf(t, driver)
		if s := changed("they were settled"); s.Equation.Settlements != 1 || s.Equation.Revenue != 1_000_00 || s.Equation.Payouts <= 0 || s.Licence.PerWeek != 1 {
			t.Errorf("%+v", s)
		}
		w.must(t, 200, "partner", "POST", "/api/settlements/revoke", map[string]any{"ids": []string{one}, "reason": "once more"})
		if s := changed("it was revoked"); s.Equation.Settlements != 0 || s.Equation.Payouts != 0 {
			t.Errorf("%+v", s)
		}
		if status, other, text := w.stats(t, "other", path, tag); status != 200 || other == tag || strings.Contains(text, driver) || strings.Contains(text, `"revenue":100000`) {
			t.Errorf("%d %s", status, text)
		}
		for query, code := range map[string]string{"?from=2026-10-26": "reports.days_invalid", "?from=2026-10-26&to=x": "reports.days_invalid",
			"?from=2026-10-26&to=2026-10-25": "reports.days_reversed", "?from=2024-10-26&to=2026-10-25": "reports.too_long"} {
			if text := w.must(t, 422, "partner", "GET", "/api/stats/partner"+query, nil); !strings.Contains(text, code) {
				t.Errorf("%s: %s", query, text)
			}
		}
		if text := w.must(t, 200, "driver", "GET", "/api/stats/driver", nil); !strings.Contains(text, `"settledPeriods":0`) || !strings.Contains(text, `"weeks":[]`) {
			t.Error(text)
		}
		for _, weeks := range []string{"1", "54"} {
			w.must(t, 422, "driver", "GET", "/api/stats/driver?weeks="+weeks, nil)
		}
	})
}
