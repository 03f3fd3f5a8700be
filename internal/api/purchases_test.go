package api_test

import (
	"net/http"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// purchase is an invoice of others that the partner north has from KSeF. It gives its number.
func (w *world) purchase(t *testing.T, checked string) (number string) {
	t.Helper()
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		number = "5260250274-20261119-" + strings.ToUpper(strings.ReplaceAll(tx.NewID(), "-", ""))[20:32] + "-AB"
		key := "north/purchases/" + number + ".xml"
		if _, err := w.files(t).Put(t.Context(), key, strings.NewReader("<Faktura/>"), -1); err != nil {
			return err
		}
		_, err := tx.Exec(`INSERT INTO purchases (tenant_id, environment, ksef_number, role, seller_tax_id, seller_name, buyer_tax_id, number,
			number_key, issued_on, stored_at, form, unread, kind, self_billed, currency, net, vat, gross, sum, size, blob_key, corrects, checked,
			fetched_at) VALUES ($1, '', $2, 'buyer', '5260250274', 'Warsztat Żuraw', '', 'FV/1', 'FV/1', '2026-11-19', '', 'FA (3)', '', 'VAT', FALSE,
			'PLN', 10000, 2300, 12300, $2, 10, $3, '[]', $4, $5)`, number, key, checked, tx.Now)
		return err
	})
	return number
}

func TestPurchases_AreListedDecidedAndHandedOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const path = "/api/purchases"
		var page struct {
			Count int64
			Items []struct {
				ID, Number, Seller, Currency string
				Gross                        int64
				Strange                      bool
				Match                        []string
			}
			LastAt, NextAt *string
		}
		w.into(t, 200, "partner", "GET", path, nil, &page)
		if page.Count != 0 || page.NextAt != nil || page.LastAt != nil {
			t.Errorf("%+v", page)
		}
		number := w.purchase(t, "strange")
		var overview struct{ Strange int64 }
		w.into(t, 200, "partner", "GET", "/api/overview", nil, &overview)
		w.into(t, 200, "partner", "GET", path+"?show=strange&q=warsztat", nil, &page)
		if overview.Strange != 1 || page.Count != 1 || page.Items[0].ID != number || page.Items[0].Gross != 123_00 || !page.Items[0].Strange ||
			len(page.Items[0].Match) != 0 {
			t.Errorf("%+v %+v", overview, page)
		}
		if text := w.must(t, 200, "partner", "GET", path+"/"+number, nil); text != "<Faktura/>" {
			t.Error(text)
		}
		w.must(t, 204, "partner", "POST", path+"/"+number+"?known=true", nil)
		w.into(t, 200, "partner", "GET", "/api/overview", nil, &overview)
		if overview.Strange != 0 {
			t.Errorf("%+v", overview)
		}
		w.must(t, 204, "partner", "POST", path+"/"+number, nil) // backs none, as before
		w.must(t, http.StatusNotFound, "partner", "POST", path+"/"+number+"?invoice=none", nil)
		w.must(t, http.StatusNotFound, "other", "POST", path+"/"+number, nil)
		w.must(t, http.StatusForbidden, "driver", "GET", path, nil)
	})
}
