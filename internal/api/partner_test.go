package api_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

const transferAccount = "PL61109010140000071219812874"

// profileOf is a whole change of a new partner's profile.
func profileOf(name string) map[string]any {
	return map[string]any{"version": 1, "name": name, "color": "#7A4DDE", "email": "biuro@flota.example", "phone": "601234567", "www": "https://flota.example",
		"taxId": "5260250274", "cities": []string{"Łódź"}, "services": []string{"Uber", "Bolt"}, "commission": 850, "provisionCharge": "when_described",
		"driversDescribe": false, "settlementFrequency": 2, "driversChooseFrequency": false, "account": transferAccount, "notes": "n", "referral": "r",
		"address": map[string]any{"street": "Prosta", "houseNumber": "1", "apartmentNumber": "2", "city": "Łódź", "postCode": "90-001", "country": "PL"}}
}

func logo(t *testing.T, w, h int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// columns are those of a table; each engine tells them in its own way.
func (w *world) columns(t *testing.T, table string) (names []string) {
	t.Helper()
	ask := func(text string) error {
		return w.app.DB().Read(context.Background(), access.Program("test"), func(tx *db.Tx) (err error) {
			names, err = db.Select[string](tx.Across(), text, table)
			return err
		})
	}
	if ask(`SELECT name FROM pragma_table_info($1)`) == nil {
		return names
	}
	if err := ask(`SELECT column_name FROM information_schema.columns WHERE table_name = $1`); err != nil {
		t.Fatal(err)
	}
	return names
}

// rows are all columns of the partners' two tables with all their values.
func (w *world) rows(t *testing.T) (columns []string, values string) {
	t.Helper()
	for _, table := range []string{"partners", "partner_profiles"} {
		names := w.columns(t, table)
		columns = append(columns, names...)
		testkit.Read(t, w.app.DB(), access.Program("test"), func(tx *db.Tx) error {
			for _, name := range names {
				all, err := db.Select[string](tx.Across(), `SELECT CAST(`+name+` AS TEXT) FROM `+table+` ORDER BY tenant_id`)
				if err != nil {
					return err
				}
				values += fmt.Sprintln(name, all)
			}
			return nil
		})
	}
	return columns, values
}

func camel(column string) string {
	parts := strings.Split(column, "_")
	for i, p := range parts[1:] {
		parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
	}
	return strings.Join(parts, "")
}

func TestAPartnerReadsAndReplacesItsProfile(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var p map[string]any
		if status, text := w.call(t, "partner", "GET", "/api/partners", nil, &p); status != 200 {
			t.Fatalf("%d %s", status, text)
		}
		if p["uuid"] != "north" || p["code"] != "north" || p["settlementLimit"] != 10.0 || p["settlementUsage"] != 0.0 || p["remaining"] != 10.0 || p["version"] != 1.0 || p["logo"] != "" {
			t.Errorf("%v", p)
		}
		if status, text := w.call(t, "partner", "PUT", "/api/partners", profileOf("Flota"), nil); status != 204 {
			t.Fatalf("%d %s", status, text)
		}
		w.call(t, "partner", "GET", "/api/partners", nil, &p)
		if p["name"] != "Flota" || p["phone"] != "+48601234567" || p["account"] != transferAccount || p["version"] != 2.0 || p["settlementLimit"] != 10.0 ||
			p["address"].(map[string]any)["postCode"] != "90-001" || fmt.Sprint(p["services"]) != "[Uber Bolt]" {
			t.Errorf("%v", p)
		}
		var f struct {
			Frequency     int
			DriversChoose bool
		}
		if w.call(t, "partner", "GET", "/api/partners/partner-settlement-frequency", nil, &f); f.Frequency != 2 || f.DriversChoose {
			t.Errorf("%+v", f)
		}
		var session struct{ Partner struct{ Name, Color string } }
		if w.call(t, "partner", "GET", "/api/session", nil, &session); session.Partner.Name != "Flota" || session.Partner.Color != "#7A4DDE" {
			t.Errorf("the frame shows %+v", session)
		}
		if status, text := w.call(t, "partner", "PUT", "/api/partners", profileOf("Too late"), nil); status != 409 || !strings.Contains(text, "partner.changed") {
			t.Errorf("%d %s", status, text)
		}
		wrong := profileOf("Flota")
		wrong["version"], wrong["taxId"] = 2, "5260250275"
		wrong["address"].(map[string]any)["postCode"] = "90001"
		if status, text := w.call(t, "partner", "PUT", "/api/partners", wrong, nil); status != 422 || !strings.Contains(text, `"taxId"`) || !strings.Contains(text, `"address.postCode"`) {
			t.Errorf("%d %s", status, text)
		}
		if other, text := w.call(t, "other", "GET", "/api/partners", nil, nil); other != 200 || strings.Contains(text, transferAccount) || strings.Contains(text, "Flota") {
			t.Errorf("%s", text)
		}
	})
}

func TestTheAccountIsNowhereInTheDatabaseInPlain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.call(t, "partner", "PUT", "/api/partners", profileOf("Flota"), nil)
		_, values := w.rows(t)
		testkit.Read(t, w.app.DB(), access.Program("test"), func(tx *db.Tx) error {
			for _, text := range []string{`SELECT before_state || after_state FROM audit_entries`, `SELECT answer || request_sum FROM idempotency_keys`} {
				found, err := db.Select[string](tx.Across(), text)
				if err != nil {
					return err
				}
				values += fmt.Sprint(found)
			}
			return nil
		})
		if !strings.Contains(values, "Flota") || strings.Contains(values, transferAccount[4:]) {
			t.Error("the account can be read")
		}
	})
}

func TestAFieldThatAPartnerMayNotSetIsRefusedByName(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		columns, before := w.rows(t)
		if len(columns) < 30 {
			t.Fatalf("columns: %v", columns)
		}
		own := profileOf("Flota")
		address := own["address"].(map[string]any)
		sent := 0
		for _, column := range append(columns, "uuid", "remaining", "id") {
			for _, name := range []string{column, camel(column)} {
				for _, value := range []any{"south", 999999, true} {
					if _, mine := own[name]; !mine {
						body := maps.Clone(own)
						body[name] = value
						w.refusedByName(t, "/api/partners", body, name)
						sent++
					}
					if _, mine := address[name]; !mine {
						body, inner := maps.Clone(own), maps.Clone(address)
						inner[name] = value
						body["address"] = inner
						w.refusedByName(t, "/api/partners", body, "address."+name)
					}
					if name != "version" {
						w.refusedByName(t, "/api/partners/driver-functions", map[string]any{"version": 1, "1": false, "2": false, "3": false, "4": false, name: value}, name)
					}
				}
			}
		}
		if _, after := w.rows(t); after != before || sent < 60 {
			t.Errorf("%d were sent, and something changed:\n%s\n%s", sent, before, after)
		}
		// What a partner may set changes that, and nothing that it may not.
		if status, text := w.call(t, "partner", "PUT", "/api/partners", own, nil); status != 204 {
			t.Fatalf("%d %s", status, text)
		}
		_, after := w.rows(t)
		for _, column := range []string{"tenant_id", "code", "demo", "created_at", "logo", "functions_version", "function1"} {
			if lineOf(before, column) != lineOf(after, column) || lineOf(after, column) == "" {
				t.Errorf("changed: %s", lineOf(after, column))
			}
		}
	})
}

func (w *world) refusedByName(t *testing.T, path string, body map[string]any, name string) {
	t.Helper()
	status, text := w.call(t, "partner", "PUT", path, body, nil)
	if status != 422 || !strings.Contains(text, `"name":"`+name+`","code":"unknown"`) {
		t.Errorf("%s with %s: %d %s", path, name, status, text)
	}
}

func lineOf(values, column string) string {
	for line := range strings.Lines(values) {
		if strings.HasPrefix(line, column+" ") {
			return line
		}
	}
	return ""
}

func TestDriverFunctionsAreReadAndSet(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		set := map[string]any{"version": 1, "1": false, "2": true, "3": false, "4": true}
		if status, text := w.call(t, "partner", "PUT", "/api/partners/driver-functions", set, nil); status != 204 {
			t.Fatalf("%d %s", status, text)
		}
		var got map[string]any
		w.call(t, "partner", "GET", "/api/partners/driver-functions", nil, &got)
		if fmt.Sprint(got) != fmt.Sprint(map[string]any{"version": 2, "1": false, "2": true, "3": false, "4": true}) {
			t.Errorf("%v", got)
		}
		if status, text := w.call(t, "partner", "PUT", "/api/partners/driver-functions", set, nil); status != 409 || !strings.Contains(text, "partner.changed") {
			t.Errorf("%d %s", status, text)
		}
		if w.call(t, "other", "GET", "/api/partners/driver-functions", nil, &got); got["1"] != true {
			t.Errorf("another partner has %v", got)
		}
	})
}

// shown is the partner's picture as everybody gets it, and its kind.
func (w *world) shown(t *testing.T, address string) (kind string, content []byte) {
	t.Helper()
	resp, err := http.Get(w.URL + address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if content, err = io.ReadAll(resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.Header.Get("Content-Type"), content
}

// blobs are the files that the partners keep.
func (w *world) blobs(t *testing.T) (keys []string) {
	t.Helper()
	store := w.files(t)
	for key, err := range store.List(context.Background(), "") {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	return keys
}

func TestALogoIsReplacedAndRemovedAndLeavesNoFileBehind(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var addresses []string
		for _, size := range []int{600, 20} {
			if status, text := w.call(t, "partner", "PUT", "/api/partners/logo", logo(t, size, size), nil); status != 204 {
				t.Fatalf("%d %s", status, text)
			}
			var p struct{ Logo string }
			w.call(t, "partner", "GET", "/api/partners", nil, &p)
			kind, content := w.shown(t, p.Logo)
			picture, err := png.Decode(bytes.NewReader(content))
			if err != nil || kind != "image/png" || picture.Bounds().Dx() != min(size, 512) {
				t.Errorf("%s %v", kind, err)
			}
			addresses = append(addresses, p.Logo)
		}
		if addresses[0] == addresses[1] {
			t.Error("a browser would show the old picture from memory")
		}
		if keys := w.blobs(t); len(keys) != 1 || !strings.HasPrefix(keys[0], "north/logo/") {
			t.Errorf("files: %v", keys)
		}
		for range 2 {
			if status, text := w.call(t, "partner", "DELETE", "/api/partners/logo", nil, nil); status != 204 {
				t.Errorf("%d %s", status, text)
			}
		}
		if kind, _ := w.shown(t, addresses[1]); kind != "image/svg+xml" || len(w.blobs(t)) != 0 {
			t.Errorf("after its removal: %s, %v", kind, w.blobs(t))
		}
	})
}

func TestARepeatedUploadChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		send := func(key string, content []byte) int {
			rq := httptest.NewRequest("PUT", "/api/partners/logo", bytes.NewReader(content))
			rq.Header.Set("Authorization", "Bearer "+w.tokens["partner"])
			rq.Header.Set("Idempotency-Key", key)
			answer := httptest.NewRecorder()
			w.router.Handler().ServeHTTP(answer, rq)
			return answer.Code
		}
		one, two := logo(t, 10, 10), logo(t, 20, 20)
		for _, step := range []struct {
			key     string
			content []byte
			status  int
		}{{"a", one, 204}, {"b", two, 204}, {"a", one, 204}, {"a", two, 422}} {
			if status := send(step.key, step.content); status != step.status {
				t.Errorf("%s: %d", step.key, status)
			}
		}
		_, content := w.shown(t, "/identification/north/logo")
		if picture, err := png.Decode(bytes.NewReader(content)); err != nil || picture.Bounds().Dx() != 20 {
			t.Errorf("the repeat brought the old picture back: %v", err)
		}
	})
}

func TestWhatIsNoPictureIsNotKept(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for name, upload := range map[string][]byte{"svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), "text": []byte("hello"), "wide": logo(t, 3001, 2)} {
			if status, text := w.call(t, "partner", "PUT", "/api/partners/logo", upload, nil); status != 422 || !strings.Contains(text, "partner.picture_refused") {
				t.Errorf("%s: %d %s", name, status, text)
			}
		}
		if status, text := w.call(t, "partner", "PUT", "/api/partners/logo", make([]byte, 1<<20+1), nil); status != 413 || !strings.Contains(text, "request.too_large") {
			t.Errorf("%d %s", status, text)
		}
		if keys := w.blobs(t); len(keys) != 0 {
			t.Errorf("files: %v", keys)
		}
	})
}

func TestTheGermanInstanceChecksByGermanRules(t *testing.T) {
	german, err := config.InstanceOf("de")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorldOf(t, "sqlite", german)
	body := profileOf("Flotte")
	if status, text := w.call(t, "partner", "PUT", "/api/partners", body, nil); status != 422 || !strings.Contains(text, `"taxId"`) {
		t.Errorf("a Polish tax id: %d %s", status, text)
	}
	body["taxId"], body["phone"], body["account"] = "DE136695976", "030 1234567", "DE89370400440532013000"
	if status, text := w.call(t, "partner", "PUT", "/api/partners", body, nil); status != 204 {
		t.Errorf("%d %s", status, text)
	}
}
