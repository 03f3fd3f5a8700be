package connector_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"saldo/internal/licences/invoicing/connector"
)

// number is one that KSeF could have given.
const number = "5265877635-20250826-0100001AF629-AF"

// TestAnswersOfAConnector: one that KSeF has already gets its number, a refusal its reason, and what is no answer is an error, after which
// the same bytes are sent again.
func TestAnswersOfAConnector(t *testing.T) {
	for _, c := range []struct {
		status                int
		body, number, refused string
		wrong                 bool
	}{
		{201, `{"number":"` + number + `"}`, number, "", false},
		{409, `{"number":"` + number + `"}`, number, "", false},
		{200, `{"number":"made up"}`, "", "", true},
		{422, `{"reason":"Brak uprawnienia"}`, "", "Brak uprawnienia", false},
		{400, `{}`, "", "Bad Request", false},
		{503, `away`, "", "", true},
		{500, `{}`, "", "", true},
	} {
		got := ""
		o := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil || r.Method != http.MethodPost || r.URL.Path != "/invoices" || r.Header.Get("Content-Type") != "application/xml" {
				t.Errorf("%s %s %v", r.Method, r.URL, err)
			}
			got = string(body)
			w.WriteHeader(c.status)
			_, _ = io.Copy(w, strings.NewReader(c.body))
		}))
		receipt, err := connector.Client{URL: o.URL + "/", HTTP: o.Client()}.Send(t.Context(), []byte("<Faktura/>"))
		o.Close()
		if receipt.Number != c.number || receipt.Refused != c.refused || (err != nil) != c.wrong || got != "<Faktura/>" {
			t.Errorf("%d %s: %+v %v, sent %q", c.status, c.body, receipt, err, got)
		}
	}
}
