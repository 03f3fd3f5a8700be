package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/testkit"
)

// forgetKeys lets all idempotency keys end, as after weeks.
func (w *world) forgetKeys(t *testing.T) {
	t.Helper()
	testkit.Write(t, w.app.DB(), access.Program("test"), func(tx *db.Tx) error {
		return web.SweepKeys(tx, tx.Now.AddDate(1, 0, 0))
	})
}

// An invoice whose answer was lost comes again from the phone, after any time and whatever became of it: it is one invoice.
func TestPhoneUploads_AnInvoiceThatComesLateAndOftenIsOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.linked(t, w.earner(t))
		id, file := uuid.NewString(), w.pictured()
		sent := form("foto.png", file, "id", id, "partner", "north", "data", asText(w.invoiceFields()))
		var made struct {
			ID, State string
			Version   int64
		}
		send := func(want int, code string) {
			t.Helper()
			w.forgetKeys(t)
			if status, text := w.call(t, "driver", "POST", "/api/invoice-images", sent, &made); status != want || !strings.Contains(text, code) {
				t.Error(status, text)
			}
		}
		send(http.StatusCreated, id)
		send(http.StatusCreated, id)
		if made.ID != id || made.State != "to_verify" {
			t.Errorf("%+v", made)
		}
		if status, _ := w.call(t, "driver", "GET", "/api/invoice-images/"+id+"/file", nil, nil); status != 200 {
			t.Error("the file went with the repeat:", status)
		}
		// rejected, the same file may come again as another invoice, and this one still does not
		w.must(t, 200, "partner", "POST", "/api/invoice-images/reject/"+id, map[string]any{"reason": "unreadable"})
		send(http.StatusCreated, `"state":"rejected"`)
		w.must(t, 204, "partner", "DELETE", "/api/invoice-images/"+id, nil)
		send(http.StatusConflict, "invoices.same_file")

		var list struct{ Items []struct{ ID string } }
		if w.call(t, "driver", "GET", "/api/invoice-images", nil, &list); len(list.Items) != 0 {
			t.Errorf("%+v", list)
		}
	})
}

// A document is one too, also after it was accepted and after another took its place.
func TestPhoneUploads_ADocumentThatComesLateAndOftenIsOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.linked(t, w.earner(t))
		first, second := uuid.NewString(), uuid.NewString()
		send := func(id string, content []byte, state string) {
			t.Helper()
			w.forgetKeys(t)
			var made shownDocument
			status, text := w.call(t, "driver", "POST", "/api/driver-documents",
				documentForm(content, "type", "driving_licence", "validTo", "2030-01-01", "id", id, "partner", "north"), &made)
			if status != http.StatusCreated || made.ID != id || made.State != state || len(made.Images) != 2 {
				t.Error(status, text)
			}
		}
		one, other := w.pictured(), w.pictured()
		send(first, one, "waiting")
		send(first, one, "waiting")
		w.must(t, 200, "partner", "POST", "/api/driver-documents/"+first+"/accept", map[string]any{"version": 1, "validTo": "2030-01-01"})
		send(first, one, "accepted")
		send(second, other, "waiting")
		send(first, one, "accepted")
		var places documentPlaces
		w.call(t, "driver", "GET", "/api/driver-documents", nil, &places)
		for _, p := range places.Places {
			if p.TypeID == "driving_licence" && (p.Current == nil || p.Current.ID != first || p.Waiting == nil || p.Waiting.ID != second) {
				t.Errorf("%+v", p)
			}
		}
	})
}

// What a phone kept for one fleet goes to no other, and waits where no fleet has accepted the driver.
func TestPhoneUploads_AreForTheFleetThatTheyWereMadeFor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.linked(t, w.earner(t))
		refused := func(path, code string, sent formed) {
			t.Helper()
			if status, text := w.call(t, "driver", "POST", path, sent, nil); status < 400 || !strings.Contains(text, code) {
				t.Error(path, status, text)
			}
		}
		both := func(code, id, partner string) {
			t.Helper()
			refused("/api/invoice-images", code, form("foto.png", w.pictured(), "id", id, "partner", partner))
			refused("/api/driver-documents", code,
				documentForm(w.pictured(), "type", "driving_licence", "validTo", "2030-01-01", "id", id, "partner", partner))
		}
		both("tracking.invalid", "no id", "north")
		both("tracking.invalid", strings.ToUpper(uuid.NewString()), "north")
		w.must(t, 204, "driver", "POST", "/api/driver-accounts/partners/invites",
			map[string]any{"partnerUuid": "south", "consentToSendContactDetails": true})
		both("tracking.partner_changed", uuid.NewString(), "north")
		both("tracking.not_linked", uuid.NewString(), "south")
		both("tracking.not_linked", uuid.NewString(), "")
	})
}
