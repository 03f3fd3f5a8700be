package api_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/licences"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

type licenceOrder struct {
	ID, Number, State, URL, Reason string
	Gross, Units, Refunded         int64
	Buyer                          struct{ Name, TaxID, Email string }
	Documents                      []struct {
		ID, Kind, Number string
		Gross            int64
		HasXML           bool
	}
}

func licenceWanted(name string) map[string]any {
	return map[string]any{"package": "start", "quantity": 2, "expectsGross": 243_54, "language": "pl", "buyer": map[string]any{"name": name,
		"taxId": "5260250274", "street": "Prosta", "houseNumber": "1", "apartmentNumber": "", "postCode": "00-838", "city": "Warszawa",
		"country": "PL", "email": "buyer@north.example"}}
}

// ordered is an order of north that nobody has paid.
func (w *world) ordered(t *testing.T) string {
	t.Helper()
	var made licenceOrder
	if status, text := w.call(t, "partner", "POST", "/api/licences/orders", licenceWanted(canary+"north"), &made); status != 201 {
		t.Fatal(status, text)
	}
	return made.ID
}

// bought is an order of north that is paid.
func (w *world) bought(t *testing.T) (o licenceOrder) {
	t.Helper()
	id := w.ordered(t)
	var paying struct{ State, RedirectURL string }
	if status, text := w.call(t, "partner", "POST", "/api/licences/orders/"+id+"/pay", map[string]any{}, &paying); status != 202 || paying.State != "started" {
		t.Fatal(status, text)
	}
	w.decide(t, paying.RedirectURL, "silent")
	if _, err := w.app.Reconcile(context.Background()); err != nil {
		t.Fatal(err)
	}
	if status, text := w.call(t, "partner", "GET", "/api/licences/orders/"+id, nil, &o); status != 200 || o.State != "success" {
		t.Fatal(status, text)
	}
	return o
}

// decide does something on the page of the sandbox.
func (w *world) decide(t *testing.T, address, what string) {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Post(strings.Replace(address, "http://localhost", w.URL, 1), "application/x-www-form-urlencoded", strings.NewReader("do="+what))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusSeeOther || !strings.Contains(response.Header.Get("Location"), "/app/payment-service/") {
		t.Fatal(response.Status, response.Header)
	}
}

func (w *world) licenceBodies(t *testing.T, bodies map[string]func() any, ids map[string]func() string) {
	bodies["quote-licence"] = func() any { return map[string]any{"package": "start", "quantity": 1} }
	bodies["order-licence"] = func() any { return licenceWanted(canary + "someone") }
	for _, name := range []string{"licence-order", "pay-licence-order", "retry-licence-order", "cancel-licence-order"} {
		ids[name] = func() string { return w.ordered(t) }
		bodies[name] = func() any { return map[string]any{} }
	}
	delete(bodies, "licence-order")
	for _, name := range []string{"licence-document-pdf", "licence-document-xml"} {
		ids[name] = func() string { return w.bought(t).Documents[0].ID }
	}
}

// TestLicences_BuyingEndToEnd goes from few units over a note to a paid order with its invoice.
func TestLicences_BuyingEndToEnd(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		use := func(units int64) {
			testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
				taken, err := licences.Use(tx, units)
				if err == nil && !taken {
					t.Errorf("%d units were not there", units)
				}
				return err
			})
		}
		var state struct {
			Limit, Usage, Remaining, WeeklyUse int64
			WeeksLeft                          *int64
			Note                               *struct {
				Kind string
				Left int64
				Seen bool
			}
		}
		see := func() {
			state.Note, state.WeeksLeft = nil, nil
			if status, text := w.call(t, "partner", "GET", "/api/licences", nil, &state); status != 200 {
				t.Fatal(status, text)
			}
		}
		if see(); state.Note != nil || state.WeeksLeft != nil || state.Remaining != 10 {
			t.Errorf("%+v", state)
		}
		use(7)
		if see(); state.Note != nil || state.WeeklyUse != 7 || state.WeeksLeft == nil || *state.WeeksLeft != 0 {
			t.Errorf("%+v", state)
		}
		use(1)
		if see(); state.Note == nil || state.Note.Kind != "low" || state.Note.Left != 2 || state.Note.Seen {
			t.Errorf("%+v", state.Note)
		}
		w.must(t, 204, "partner", "POST", "/api/licences/seen", nil)
		use(1)
		if see(); state.Note == nil || state.Note.Kind != "low" || state.Note.Left != 2 || !state.Note.Seen {
			t.Errorf("told again: %+v", state.Note)
		}
		use(1)
		if see(); state.Note == nil || state.Note.Kind != "empty" || state.Note.Seen {
			t.Errorf("%+v", state.Note)
		}

		var packages struct {
			Closed    string
			Providers []string
			Packages  []struct{ Code string }
			Buyer     struct{ Name, Country string }
		}
		if status, text := w.call(t, "partner", "GET", "/api/licences/packages", nil, &packages); status != 200 || packages.Closed != "" ||
			len(packages.Packages) != 3 || packages.Packages[0].Code != "start" || packages.Buyer.Name != canary+"north" || packages.Buyer.Country != "PL" ||
			len(packages.Providers) != 1 {
			t.Errorf("%d %s", status, text)
		}
		var quote struct {
			Units, Net, VATRate, VAT, Gross int64
			ReverseCharge                   bool
			Weeks                           *int64
		}
		w.call(t, "partner", "POST", "/api/licences/orders/quote", map[string]any{"package": "start", "quantity": 2}, &quote)
		if quote.Units != 200 || quote.Net != 198_00 || quote.VAT != 45_54 || quote.Gross != 243_54 || quote.Weeks == nil || *quote.Weeks != 20 {
			t.Errorf("%+v", quote)
		}
		w.call(t, "partner", "POST", "/api/licences/orders/quote", map[string]any{"package": "start", "quantity": 2, "country": "DE"}, &quote)
		if quote.Gross != 198_00 || quote.VATRate != 0 || !quote.ReverseCharge {
			t.Errorf("%+v", quote)
		}
		for what, change := range map[string]map[string]any{"price_changed": {"expectsGross": 243_53}, "order_invalid": {"quantity": 21}, "no_package": {"package": "gone"}} {
			body := licenceWanted("x")
			for name, value := range change {
				body[name] = value
			}
			if status, text := w.call(t, "partner", "POST", "/api/licences/orders", body, nil); status < 400 || !strings.Contains(text, "licences."+what) {
				t.Errorf("%s: %d %s", what, status, text)
			}
		}
		body := licenceWanted("x")
		body["buyer"].(map[string]any)["taxId"], body["buyer"].(map[string]any)["postCode"] = "5260250275", "00838"
		if status, text := w.call(t, "partner", "POST", "/api/licences/orders", body, nil); status != 422 || !strings.Contains(text, "buyer.taxId") || !strings.Contains(text, "buyer.postCode") {
			t.Errorf("%d %s", status, text)
		}

		o := w.bought(t)
		if o.Number != "L/NORTH/1" || o.Units != 200 || o.Gross != 243_54 || o.Buyer.Name != canary+"north" || len(o.Documents) != 1 || !o.Documents[0].HasXML {
			t.Errorf("%+v", o)
		}
		if see(); state.Note != nil || state.Remaining != 200 || state.Limit != 210 || state.Usage != 10 {
			t.Errorf("after buying: %+v", state)
		}
		use(1) // settles again
		if status, text := w.call(t, "partner", "GET", "/api/licences/packages", nil, &packages); packages.Buyer.Name != canary+"north" {
			t.Errorf("%d %s", status, text)
		}
		for kind, begin := range map[string]string{"pdf": "%PDF-1.7", "xml": "<?xml"} {
			if status, text := w.call(t, "partner", "GET", "/api/licences/documents/"+o.Documents[0].ID+"/"+kind, nil, nil); status != 200 || !strings.HasPrefix(text, begin) {
				t.Errorf("%s: %d %.100q", kind, status, text)
			}
		}
		second := w.ordered(t)
		var history struct {
			Items               []licenceOrder
			Total, Units, Gross int64
		}
		w.call(t, "partner", "GET", "/api/licences/orders?from=2026-11-15&to=2026-11-15", nil, &history)
		if history.Total != 2 || history.Units != 200 || history.Gross != 243_54 || history.Items[0].ID != second {
			t.Errorf("%+v", history)
		}
		w.call(t, "partner", "GET", "/api/licences/orders?state=success", nil, &history)
		if history.Total != 1 || history.Items[0].ID != o.ID || len(history.Items[0].Documents) != 1 {
			t.Errorf("%+v", history)
		}
		w.call(t, "partner", "GET", "/api/licences/orders?state=failed&state=success", nil, &history)
		if history.Total != 1 {
			t.Errorf("two states: %+v", history)
		}
		w.call(t, "partner", "GET", "/api/licences/orders?to=2026-11-14", nil, &history)
		if history.Total != 0 || history.Gross != 0 {
			t.Errorf("%+v", history)
		}
		if status, text := w.call(t, "partner", "GET", "/api/licences/orders?from=yesterday", nil, nil); status != 422 {
			t.Errorf("%d %s", status, text)
		}
		if status, text := w.call(t, "partner", "GET", "/api/licences/orders/export?lang=en", nil, nil); status != 200 || strings.Count(text, "\n") != 3 ||
			!strings.Contains(text, "FL/2026/1") || !strings.Contains(text, "243,54") || strings.Contains(text, canary) {
			t.Errorf("%d %s", status, text)
		}
		if status, text := w.call(t, "partner", "GET", "/api/licences/orders/export?format=xlsx", nil, nil); status != 200 || !strings.HasPrefix(text, "PK") {
			t.Errorf("%d %.50q", status, text)
		}
	})
}

// TestLicences_EventsOfProviders has what an address that anybody may post to must refuse.
func TestLicences_EventsOfProviders(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for what, c := range map[string]struct {
			path string
			body []byte
			want int
		}{
			"unsigned":         {"/api/payments/sandbox/events", []byte(`{"id":"e","payment":"p"}`), 403},
			"no JSON":          {"/api/payments/sandbox/events", []byte("\x00\xff"), 403},
			"too large":        {"/api/payments/sandbox/events", bytes.Repeat([]byte("x"), 64<<10+1), 413},
			"another provider": {"/api/payments/stripe/events", nil, 404},
		} {
			response, err := http.Post(w.URL+c.path, "application/json", bytes.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(response.Body)
			response.Body.Close()
			if response.StatusCode != c.want {
				t.Errorf("%s: %s %s", what, response.Status, text)
			}
		}
		testkit.Read(t, w.app.DB(), access.Program("test"), func(tx *db.Tx) error {
			n, err := db.One[int64](tx.Across(), `SELECT COUNT(*) FROM payment_events`)
			if n != 0 {
				t.Errorf("%d events", n)
			}
			return err
		})
	})
}
