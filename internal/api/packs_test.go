package api_test

import (
	"archive/zip"
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"saldo/internal/billing"
	"saldo/internal/pack"
	"saldo/internal/platform/config"
	"saldo/internal/testkit"
)

type packShown struct {
	ID, Month, State string
	Version          int64
	Settlements      int64
}

// packed is the pack of a month, made.
func (w *world) packed(t *testing.T, month string) (p packShown) {
	t.Helper()
	w.must(t, 204, "partner", "POST", "/api/accountant-packs/"+month, nil)
	instance, err := config.InstanceOf("pl")
	if err != nil {
		t.Fatal(err)
	}
	service := &pack.Service{DB: w.app.DB(), Blobs: w.files(t), Instance: instance, Log: slog.New(slog.DiscardHandler),
		Billing: &billing.Service{Instance: instance, Vault: w.vault}}
	defer testkit.RunJobs(t, w.app.DB(), service.Handle)()
	testkit.Eventually(t, "the pack", func() bool {
		var list struct{ Packs []packShown }
		w.into(t, 200, "partner", "GET", "/api/accountant-packs", nil, &list)
		at := slices.IndexFunc(list.Packs, func(one packShown) bool { return one.Month == month }) // the newest
		p = list.Packs[at]
		return p.State == "ready"
	})
	return p
}

func TestPacks_AreMadeAndDownloaded(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if text := w.must(t, http.StatusConflict, "partner", "POST", "/api/accountant-packs/2026-11", nil); !strings.Contains(text, "packs.month_not_over") {
			t.Error(text)
		}
		w.must(t, http.StatusUnprocessableEntity, "partner", "POST", "/api/accountant-packs/yesterday", nil)
		p := w.packed(t, "2026-10")
		if again := w.packed(t, "2026-10"); again != p || p.Version != 1 {
			t.Errorf("%+v, %+v", p, again)
		}
		get := func(who, known string) *http.Response {
			rq, err := http.NewRequest("GET", w.URL+"/api/accountant-packs/"+p.ID, nil)
			if err != nil {
				t.Fatal(err)
			}
			rq.Header.Set("Authorization", "Bearer "+w.tokens[who])
			if known != "" {
				rq.Header.Set("If-None-Match", known)
			}
			answer, err := http.DefaultClient.Do(rq)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = answer.Body.Close() })
			return answer
		}
		answer := get("partner", "")
		content, err := io.ReadAll(answer.Body)
		if err != nil || answer.Header.Get("Content-Type") != "application/zip" || !strings.Contains(answer.Header.Get("Content-Disposition"), "saldo-2026-10-v1.zip") {
			t.Error(err, answer.Header)
		}
		if _, err := zip.NewReader(bytes.NewReader(content), int64(len(content))); err != nil {
			t.Error(err)
		}
		if status := get("partner", answer.Header.Get("ETag")).StatusCode; status != http.StatusNotModified {
			t.Errorf("%d for what is known", status)
		}
		if status := get("other", "").StatusCode; status != http.StatusNotFound {
			t.Errorf("%d for another partner", status)
		}
	})
}
