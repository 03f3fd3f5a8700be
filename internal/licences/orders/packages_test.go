package orders_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/licences/orders"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/testkit"
)

const goodPackage = `{"code": "a", "units": 10, "minQuantity": 1, "maxQuantity": 5, "netPrice": 1000, "vatRate": 2300,
	"names": {"pl": "A", "en": "A", "de": "A", "uk": "A", "ru": "A"}}`

// TestPackages_WrongFilesAreRefusedWithOneSentence has what operators get wrong.
func TestPackages_WrongFilesAreRefusedWithOneSentence(t *testing.T) {
	pl, err := config.InstanceOf("pl")
	if err != nil {
		t.Fatal(err)
	}
	read := func(content string) error {
		path := filepath.Join(t.TempDir(), "packages.json")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := orders.ReadPackages(path, pl)
		return err
	}
	if err := read("[" + goodPackage + "]"); err != nil {
		t.Error(err)
	}
	if err := read("[]"); err != nil { // nothing is sold
		t.Error(err)
	}
	for what, c := range map[string]struct{ from, to, says string }{
		"no JSON":             {goodPackage, "{", "no list of packages"},
		"an unknown field":    {`"units"`, `"unit"`, `unknown field "unit"`},
		"no code":             {`"code": "a"`, `"code": "A B"`, "package 1 has the code"},
		"no units":            {`"units": 10`, `"units": 0`, "has 0 units"},
		"quantities reversed": {`"maxQuantity": 5`, `"maxQuantity": 0`, "quantities 1 to 0"},
		"too many units":      {`"units": 10`, `"units": 9000000`, "more than 10000000 units"},
		"a price below zero":  {`"netPrice": 1000`, `"netPrice": -1`, "costs -1"},
		"a price too high":    {`"netPrice": 1000`, `"netPrice": 9223372036854775807`, "costs"},
		"a strange rate":      {`"vatRate": 2300`, `"vatRate": 1900`, "VAT rate 1900"},
		"a name missing":      {`"uk": "A", `, ``, "no name in uk"},
		"a language too many": {`"uk": "A"`, `"uk": "A", "fr": "A"`, "names in 6 languages"},
		"days reversed":       {`"units": 10`, `"units": 10, "validFrom": "2026-02-01", "validTo": "2026-01-01"`, "is valid from"},
		"no day":              {`"units": 10`, `"units": 10, "validFrom": "2026-02-30"`, "is valid from"},
		"twice":               {goodPackage, goodPackage + "," + goodPackage, "is there twice"},
	} {
		err := read("[" + strings.Replace(goodPackage, c.from, c.to, 1) + "]")
		if what == "no JSON" || what == "twice" {
			err = read("[" + c.to + "]")
		}
		if err == nil || !strings.HasPrefix(err.Error(), "SALDO_PACKAGES: ") || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := orders.ReadPackages("/nowhere/packages.json", pl); err == nil || !strings.Contains(err.Error(), "/nowhere/packages.json") {
		t.Error(err)
	}
	for _, code := range []string{"pl", "de"} {
		instance, err := config.InstanceOf(code)
		if err != nil {
			t.Fatal(err)
		}
		if list, err := orders.ReadPackages("", instance); err != nil || len(list) != 3 {
			t.Errorf("%s: %v %v", code, list, err)
		}
	}
}

func (w *world) offer(t testing.TB, list ...orders.Package) {
	t.Helper()
	testkit.Write(t, w.DB, access.Program("test"), func(tx *db.Tx) error { return orders.Offer(tx, list) })
}

func (w *world) offered(t testing.TB) (codes string) {
	t.Helper()
	testkit.Read(t, w.DB, anna, func(tx *db.Tx) error {
		list, err := w.Packages(tx)
		for _, p := range list {
			codes += fmt.Sprintf("%s v%d %s; ", p.Code, p.Version, p.NetPrice)
		}
		return err
	})
	return codes
}

// TestPackages_AreFollowedNeverEdited changes the file between starts, while an order is open.
func TestPackages_AreFollowedNeverEdited(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *world) {
		names := map[i18n.Language]string{"pl": "Pakiet", "en": "Package", "de": "Paket", "uk": "Пакет", "ru": "Пакет"}
		a := orders.Package{Code: "a", Names: names, Units: 10, MinQuantity: 1, MaxQuantity: 9, NetPrice: 100_00, VATRate: 2300, Currency: money.PLN}
		b := a
		b.Code = "b"
		w.offer(t, a, b)
		if got := w.offered(t); got != "a v1 100.00; b v1 100.00; " {
			t.Error(got)
		}
		w.offer(t, b, a) // another order of the file is no other version
		if got := w.offered(t); got != "b v1 100.00; a v1 100.00; " {
			t.Error(got)
		}
		open := w.place(t, orders.Wanted{Package: "a", Quantity: 3, Buyer: buyer(), Expects: 369_00, Language: "pl"})
		dearer := a
		dearer.NetPrice = 200_00
		w.offer(t, dearer)
		if got := w.offered(t); got != "a v2 200.00; " {
			t.Error(got)
		}
		err := w.DB.Write(ctx, anna, func(tx *db.Tx) error {
			_, err := w.Place(tx, orders.Wanted{Package: "a", Quantity: 3, Buyer: buyer(), Expects: 369_00, Language: "pl"})
			return err
		})
		if !errors.Is(err, orders.ErrPrice) {
			t.Error(err)
		}
		// the open order keeps its price, until it is paid
		if _, err := w.Pay(ctx, anna, w.key(), open.ID, ""); err != nil {
			t.Fatal(err)
		}
		w.provider.Pay(w.ref(t, open.ID))
		w.deliver(t)
		w.holds(t)
		if o := w.order(t, open.ID); o.State != orders.Success || o.Gross != 369_00 || o.NetPrice != 100_00 || w.left(t) != 130 {
			t.Errorf("%+v", o)
		}
		w.offer(t)
		if got := w.offered(t); got != "" {
			t.Error(got)
		}
		w.offer(t, a)
		if got := w.offered(t); got != "a v3 100.00; " {
			t.Error(got)
		}
		later := a
		later.ValidFrom = "2026-11-16"
		w.offer(t, later)
		if got := w.offered(t); got != "" {
			t.Error(got)
		}
		w.clock.Pass(24 * 3600e9)
		if got := w.offered(t); got != "a v4 100.00; " {
			t.Error(got)
		}
		err = w.DB.Write(ctx, access.Program("test"), func(tx *db.Tx) error {
			_, err := tx.Across().Exec(`UPDATE licence_packages SET net_price = 1`)
			return err
		})
		if !db.Guarded(err) {
			t.Errorf("a package was edited: %v", err)
		}
		err = w.DB.Write(ctx, anna, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE licence_orders SET gross = gross + 1, net = net + 1 WHERE tenant_id = $1`)
			return err
		})
		if !db.Guarded(err) {
			t.Errorf("an order was edited: %v", err)
		}
	})
}

// TestQuote_VATIsRoundedOnce has amounts whose VAT by the piece would differ.
func TestQuote_VATIsRoundedOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *world) {
		names := map[i18n.Language]string{"pl": "P", "en": "P", "de": "P", "uk": "P", "ru": "P"}
		for _, c := range []struct {
			price    money.Amount
			quantity int64
			vat      money.Amount
		}{{10, 1, 2}, {10, 3, 7}, {2, 1, 0}, {50, 1, 12}, {33_33, 7, 53_66}, {0, 4, 0}} {
			w.offer(t, orders.Package{Code: "p", Names: names, Units: 1, MinQuantity: 1, MaxQuantity: 9, NetPrice: c.price, VATRate: 2300, Currency: money.PLN})
			testkit.Read(t, w.DB, anna, func(tx *db.Tx) error {
				q, err := w.Quote(tx, "p", c.quantity, "PL")
				if q.VAT != c.vat || q.Gross != q.Net+q.VAT || q.Net != c.price*money.Amount(c.quantity) {
					t.Errorf("%d x %s: %+v", c.quantity, c.price, q)
				}
				return err
			})
		}
	})
}

// TestFree_AnOrderOfNothingIsASuccessWithoutAnInvoice pays nothing to nobody.
func TestFree_AnOrderOfNothingIsASuccessWithoutAnInvoice(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *world) {
		names := map[i18n.Language]string{"pl": "P", "en": "P", "de": "P", "uk": "P", "ru": "P"}
		w.offer(t, orders.Package{Code: "gift", Names: names, Units: 7, MinQuantity: 1, MaxQuantity: 1, VATRate: 2300, Currency: money.PLN})
		o := w.place(t, orders.Wanted{Package: "gift", Quantity: 1, Buyer: buyer(), Language: "pl"})
		p, err := w.Pay(ctx, anna, w.key(), o.ID, "")
		if err != nil || p.State != orders.Success || p.URL != "" {
			t.Errorf("%+v %v", p, err)
		}
		w.holds(t)
		if w.left(t) != 107 || len(w.documents(t, o.ID)) != 0 || w.provider.Payments() != 0 {
			t.Error("not given, or billed")
		}
	})
}
