package billing_test

import (
	"strings"
	"testing"

	"saldo/internal/billing"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/testkit"
)

func TestADriverPaidInCash_GetsABill(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, rich)
		details := w.details("pl")
		details.IBAN = ""
		doc := w.issue(t, w.settled(t, details), company)
		text := w.printed(t, "cash-bill", doc.ID)
		mustSay(t, text, "Rachunek", "Zapłata gotówką", "Polna 1", "00-001 Warszawa")
		if strings.Contains(text, "przelewem") {
			t.Error(text)
		}
	})
}

// TestSplitPayment_IsNamedOnlyAboveTheThreshold has the same rules with more and with less than 15,000 PLN.
func TestSplitPayment_IsNamedOnlyAboveTheThreshold(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		for _, c := range []struct {
			chosen bool
			trip   int64
			want   string
		}{{true, 0, "<P_18A>2</P_18A>"}, {true, 20_000_00, "<P_18A>1</P_18A>"}, {false, 20_000_00, "<P_18A>2</P_18A>"}} {
			w.rules(t, func(r *rules.Rules) { b2b(rules.B2BVAT)(r); r.VATSplit = c.chosen })
			id := w.settled(t, w.details("pl"))
			if c.trip > 0 {
				driver := w.kept(t, id).DriverID
				w.revoke(t, id)
				w.write(t, func(tx *db.Tx) error {
					_, err := ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
						yield(&ledger.Transaction{ID: tx.NewID(), DriverID: driver, Provider: "UBER", Type: "TRIP", OccurredOn: week.Monday(), Amount: 20_000_00, Currency: "PLN", Source: "import"})
					})
					return err
				})
				id = w.settle(t, driver)
			}
			doc := w.issue(t, id, company)
			mustSay(t, string(w.file(t, doc.ID)), c.want)
			if parts := strings.Contains(w.printed(t, "split", doc.ID), "Mechanizm podzielonej płatności"); parts != strings.Contains(c.want, ">1<") {
				t.Errorf("%s: %v %v", doc.Gross, c, parts)
			}
		}
	})
}

// TestAGermanSeller_HasASteuernummerOrAUStIdNr has both, and a person's Steuer-ID, which may not stand on an invoice.
func TestAGermanSeller_HasASteuernummerOrAUStIdNr(t *testing.T) {
	berlin := billing.Seller{Street: "Polna 1", Place: "10115 Berlin"}
	for _, engine := range testkit.Engines {
		w := newFixture(t, engine, "de")
		w.rules(t, b2b(rules.B2BNoVAT))
		details := w.details("de")
		details.TaxID = "21/815/08150"
		doc := w.issue(t, w.settled(t, details), berlin)
		file := w.file(t, doc.ID)
		mustSay(t, string(file), `schemeID="FC">21/815/08150<`, "§ 19 UStG", "20261129")
		testkit.Valid(t, "facturx/Factur-X_EN16931.xsd", file)
		testkit.EN16931(t, file)
		mustSay(t, w.printed(t, "kleinunternehmer", doc.ID), "Steuernummer 21/815/08150", "Kleinunternehmer, steuerfrei nach § 19 UStG", "Zahlbar bis 29.11.2026")
		details.TaxID = "86095742719"
		w.refused(t, billing.ErrRefused, w.settled(t, details), berlin)
	}
}
