package billing_test

import (
	"fmt"
	"strings"
	"testing"

	"saldo/internal/billing"
	"saldo/internal/drivers"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/testkit"
)

var berlin = billing.Seller{Street: "Polna 1", Place: "10115 Berlin"}

// german is a fixture of the German instance for each engine, whose documents are all right at the end.
func german(t *testing.T, test func(t *testing.T, w *fixture)) {
	t.Helper()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			w := newFixture(t, engine, "de")
			test(t, w)
			w.sound(t)
		})
	}
}

func (w *fixture) sound(t testing.TB) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		problems, err := w.Verify(tx)
		for _, p := range problems {
			t.Error(p)
		}
		return err
	})
}

func rated(vat rules.InvoiceVAT) func(*rules.Rules) {
	return func(r *rules.Rules) { b2b(rules.B2BVAT)(r); r.InvoiceVAT = vat }
}

// TestAGermanInvoice_HasTheRateOfItsSchema has a taxi, a Mietwagen and a Kleinunternehmer, by the schema and by the driver.
func TestAGermanInvoice_HasTheRateOfItsSchema(t *testing.T) {
	german(t, func(t *testing.T, w *fixture) {
		for _, c := range []struct {
			vat      rules.InvoiceVAT
			small    bool
			rate     int64
			category string
		}{{rules.Reduced, false, 7, "S"}, {rules.Standard, false, 19, "S"}, {rules.Exempt, false, 0, "E"}, {rules.Standard, true, 0, "E"}, {rules.Reduced, true, 0, "E"}} {
			w.rules(t, rated(c.vat))
			details := w.details("de")
			details.SmallBusiness = c.small
			doc := w.issue(t, w.settled(t, details), berlin)
			if want := money.Amount((int64(doc.Gross)*c.rate*2 + 100 + c.rate) / (2 * (100 + c.rate))); doc.VAT != want || doc.Net+doc.VAT != doc.Gross {
				t.Errorf("%v: VAT %s of %s, not %s", c, doc.VAT, doc.Gross, want)
			}
			file := w.file(t, doc.ID)
			testkit.Valid(t, "facturx/Factur-X_EN16931.xsd", file)
			testkit.EN16931(t, file)
			mustSay(t, string(file), "<ram:CategoryCode>"+c.category+"<", "<ram:RateApplicablePercent>"+fmt.Sprint(c.rate)+"<")
			text := w.printed(t, "rate", doc.ID)
			for _, parts := range []string{string(file), text} {
				if strings.Contains(parts, "§ 19 UStG") != (c.rate == 0) {
					t.Errorf("%v: %s", c, parts)
				}
			}
		}
	})
}

// TestTheRateOfAnInvoice_IsThatOfWhenItWasSettled changes the schema and the driver between settling, issuing and revoking.
func TestTheRateOfAnInvoice_IsThatOfWhenItWasSettled(t *testing.T) {
	german(t, func(t *testing.T, w *fixture) {
		w.rules(t, rated(rules.Standard))
		id := w.settled(t, w.details("de"))
		w.rules(t, rated(rules.Reduced))
		driver := w.kept(t, id).DriverID
		w.write(t, func(tx *db.Tx) error {
			d, err := drivers.Get(tx, w.Vault, driver)
			if err != nil {
				return err
			}
			d.SmallBusiness = true
			return w.book.Save(tx, driver, d.Details, d.Version)
		})
		doc := w.issue(t, id, berlin)
		if !strings.Contains(string(w.file(t, doc.ID)), "<ram:RateApplicablePercent>19<") {
			t.Error("an invoice follows the settlement's own terms")
		}
		w.rules(t, rated(rules.Exempt))
		w.revoke(t, id)
		storno := w.offered(t, id).Documents[1]
		file := w.file(t, storno.ID)
		testkit.Valid(t, "facturx/Factur-X_EN16931.xsd", file)
		testkit.EN16931(t, file)
		if storno.VAT != -doc.VAT || storno.Net != -doc.Net || !strings.Contains(string(file), "<ram:RateApplicablePercent>19<") || strings.Contains(string(file), "§ 19") {
			t.Errorf("%+v %s", storno, file)
		}
		again := w.issue(t, w.settle(t, driver), berlin)
		if again.VAT != 0 || !strings.Contains(w.printed(t, "again", again.ID), "§ 19 UStG") {
			t.Errorf("settled anew: %+v", again)
		}
	})
}

func TestAKleinunternehmer_IsKnownInGermanyOnly(t *testing.T) {
	w := newFixture(t, testkit.Engines[0], "pl")
	details := w.details("pl")
	details.SmallBusiness = true
	err := w.db.Write(ctx, anna, func(tx *db.Tx) error {
		_, err := w.book.AddMany(tx, []drivers.NewDriver{{Details: details}})
		return err
	})
	if err == nil {
		t.Error("a Polish driver has no § 19 UStG")
	}
}
