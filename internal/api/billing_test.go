package api_test

import (
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"saldo/internal/access"
	"saldo/internal/db"
	"saldo/internal/testkit"
)

// paper downloads a file and gives its text as a reader copies it out.
func (w *world) paper(t *testing.T, who, path string) (text string, head http.Header) {
	t.Helper()
	rq, err := http.NewRequest("GET", w.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	rq.Header.Set("Authorization", "Bearer "+w.tokens[who])
	resp, err := http.DefaultClient.Do(rq)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	file, err := os.Create(t.TempDir() + "/x.pdf")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.ReadFrom(resp.Body); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pdftotext", "-layout", file.Name(), "-").CombinedOutput()
	if resp.StatusCode != 200 || err != nil {
		t.Fatalf("%d %v %s", resp.StatusCode, err, out)
	}
	return strings.Join(strings.Fields(string(out)), " "), resp.Header
}

// linked makes the driver who signs in the one who is settled.
func (w *world) linked(t *testing.T, driver string) {
	t.Helper()
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE drivers SET account_id = (SELECT account_id FROM driver_profiles WHERE tenant_id = $1 AND left_at = '' LIMIT 1) WHERE tenant_id = $1 AND id = $2`, driver)
		return err
	})
}

func TestAStatementIsDownloadedByThePartnerAndByItsDriverOnceItIsShared(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		w.linked(t, driver)
		id := w.settledOf(t, driver)
		text, head := w.paper(t, "partner", "/api/settlements/"+id+"/statement")
		if !strings.Contains(text, "10 000,00 zł") || !strings.Contains(text, canary+"north") || head.Get("Content-Type") != "application/pdf" ||
			!strings.HasPrefix(head.Get("Content-Disposition"), "attachment; filename=rozliczenie-1-2026-W44.pdf") || !strings.Contains(head.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%v %s", head, text)
		}
		if own, _ := w.paper(t, "driver", "/api/driver-accounts/settlements/"+id+"/statement"); own != text {
			t.Error("the driver gets another paper")
		}
		w.must(t, 404, "stranger", "GET", "/api/driver-accounts/settlements/"+id+"/statement", nil)
		w.must(t, 200, "partner", "POST", "/api/settlements/revoke", map[string]any{"ids": []string{id}, "reason": "wrong file"})
		w.must(t, 404, "driver", "GET", "/api/driver-accounts/settlements/"+id+"/statement", nil)
		if text, _ := w.paper(t, "partner", "/api/settlements/"+id+"/statement"); !strings.Contains(text, "WYCOFANE") {
			t.Error(text)
		}
	})
}
