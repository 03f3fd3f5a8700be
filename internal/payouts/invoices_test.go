package payouts_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"saldo/internal/billing"
	"saldo/internal/drivers"
	"saldo/internal/ksef"
	"saldo/internal/payouts"
	"saldo/internal/payouts/bankfile"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/testkit"
)

// billed gives the service invoices as the program does.
func (w *fixture) billed() *billing.Service {
	b := &billing.Service{Instance: w.Instance, Vault: w.Vault, Settlements: w.Settlements, KSeF: ksef.Test} // documents wait for an answer, which the tests give
	w.Settlements.AfterRevoke, w.Invoices = b.CorrectRevoked, billing.UnpaidInvoices
	return b
}

// issued issues the invoice of a settlement.
func (w *fixture) issued(t testing.TB, b *billing.Service, id string) (doc billing.Document) {
	t.Helper()
	w.write(t, func(tx *db.Tx) (err error) {
		doc, err = b.Issue(tx, id, billing.Seller{Street: "Polna 1", Place: "00-001 Warszawa"})
		return err
	})
	return doc
}

// left are the settlements that a plan leaves out, by what it says of them.
func left(p payouts.Plan) (confirmed []string) {
	for _, e := range p.Excluded {
		confirmed = append(confirmed, fmt.Sprint(e.LastName, " ", e.Reason))
	}
	slices.Sort(confirmed)
	return confirmed
}

// TestSplitPayments_WaitForTheirInvoice has one settlement with an invoice and one without, paid by a file that knows split payments and by one that does not.
func TestSplitPayments_WaitForTheirInvoice(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		b := w.billed()
		w.rules(t, func(r *rules.Rules) { r.ContractType, r.VATSplit = rules.B2BVAT, true })
		_, ids := w.settled(t, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(1), TaxID: "5213017228"},
			drivers.Details{FirstName: "Ewa", LastName: "Lis", IBAN: testkit.Account(2), TaxID: "1132191233"})
		request := payouts.PayoutRequest{Profile: "elixir", PayOn: "2026-11-16"}
		if p := w.plan(t, request); len(p.Drafts) != 0 || fmt.Sprint(left(p)) != "[Lis no_invoice Nowak no_invoice]" {
			t.Fatalf("%+v", p)
		}
		doc := w.issued(t, b, ids[0])
		p := w.plan(t, request)
		if len(p.Drafts) != 1 || p.Drafts[0].Settlements != 1 || fmt.Sprint(left(p)) != "[Lis no_invoice]" {
			t.Fatalf("%+v", p)
		}
		if p := w.plan(t, payouts.PayoutRequest{Profile: "pain09", PayOn: "2026-11-16"}); len(p.Drafts) != 0 || fmt.Sprint(left(p)) != "[Lis no_invoice Nowak no_split]" {
			t.Fatalf("a plain transfer instead of a split payment: %+v", left(p))
		}
		file := string(w.file(t, w.made(t, request)[0]))
		if want := "/IDC/5213017228/INV/" + doc.Number; !bytes.Contains([]byte(flat(file)), []byte(want)) {
			t.Errorf("%q is not in %s", want, file)
		}
	})
}

// flat is a title of Elixir without the bars between its lines.
func flat(file string) string { return string(bytes.ReplaceAll([]byte(file), []byte("|"), nil)) }

func TestATransfer_NamesItsInvoiceAndFrom2027ItsKSeFNumber(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		b := w.billed()
		w.rules(t, func(r *rules.Rules) { r.ContractType = rules.B2BVAT })
		_, ids := w.settled(t, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(1), TaxID: "5213017228"})
		title := func(day string) string {
			t.Helper()
			p := w.plan(t, payouts.PayoutRequest{Profile: "pain09", PayOn: "2026-12-31"})
			if day > "2026-12-31" {
				w.clock.Pass(20 * 24 * 60 * 60 * 1e9)
				p = w.plan(t, payouts.PayoutRequest{Profile: "pain09", PayOn: "2027-01-04"})
			}
			if len(p.Drafts) != 1 {
				t.Fatalf("%+v", p)
			}
			return p.Drafts[0].Transfers[0].Title
		}
		before := title("2026-12-31")
		doc := w.issued(t, b, ids[0])
		if got := title("2026-12-31"); got != doc.Number+" "+before {
			t.Error(got)
		}
		const ksef = "5265877635-20250826-0100001AF629-AF"
		w.answered(t, doc.ID, "accepted", ksef)
		if got := title("2026-12-31"); got != doc.Number+" "+before {
			t.Error(got)
		}
		if got := title("2027-01-04"); got != ksef+" "+before {
			t.Error(got)
		}
	})
}

// titleWarned are the drivers of whom a plan says that their transfers lack the number at KSeF.
func titleWarned(p payouts.Plan) (found []string) {
	for _, warning := range p.Warnings {
		for _, driver := range warning.Drivers {
			if warning.Code == payouts.NoKSeFNumber {
				found = append(found, driver.LastName)
			}
		}
	}
	return found
}

// TestTransfersFrom2027_WarnOfWhoHasNoKSeFNumber has an invoice with a number, one without, and a settlement without an invoice.
func TestTransfersFrom2027_WarnOfWhoHasNoKSeFNumber(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		b := w.billed()
		w.rules(t, func(r *rules.Rules) { r.ContractType = rules.B2BVAT })
		_, ids := w.settled(t, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(1), TaxID: "5213017228"},
			drivers.Details{FirstName: "Ewa", LastName: "Lis", IBAN: testkit.Account(2), TaxID: "1132191233"},
			drivers.Details{FirstName: "Iga", LastName: "Bąk", IBAN: testkit.Account(3), TaxID: "5260250274"})
		number := w.issued(t, b, ids[1]).Number
		w.answered(t, w.issued(t, b, ids[0]).ID, "accepted", "5265877635-20250826-0100001AF629-AF")
		w.clock.Pass(20 * 24 * 60 * 60 * 1e9)
		if p := w.plan(t, payouts.PayoutRequest{Profile: "pain09", PayOn: "2026-12-31"}); len(titleWarned(p)) != 0 || len(p.Drafts) != 1 {
			t.Errorf("before 2027: %+v", p)
		}
		p := w.plan(t, payouts.PayoutRequest{Profile: "pain09", PayOn: "2027-01-01"}) // which is a holiday
		if fmt.Sprint(titleWarned(p)) != "[Bąk Lis]" || len(p.Drafts) != 1 || p.Drafts[0].Settlements != 3 {
			t.Errorf("from 2027: %+v", p)
		}
		for _, transfer := range p.Drafts[0].Transfers {
			if transfer.LastName == "Lis" && transfer.Title[:len(number)] != number {
				t.Errorf("without the number at KSeF it has its own: %s", transfer.Title)
			}
		}
	})
}

// TestTransfersFrom2027_OfOthersNeedNoKSeFNumber has drivers without VAT, and one who is paid in cash.
func TestTransfersFrom2027_OfOthersNeedNoKSeFNumber(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		b := w.billed()
		w.rules(t, func(r *rules.Rules) { r.ContractType = rules.B2BNoVAT })
		_, ids := w.settled(t, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(1), TaxID: "5213017228"})
		doc := w.issued(t, b, ids[0])
		w.answered(t, doc.ID, "accepted", "5265877635-20250826-0100001AF629-AF")
		w.rules(t, func(r *rules.Rules) { r.ContractType = rules.B2BVAT })
		w.settled(t, drivers.Details{FirstName: "Ewa", LastName: "Lis", TaxID: "1132191233"})
		w.clock.Pass(20 * 24 * 60 * 60 * 1e9)
		p := w.plan(t, payouts.PayoutRequest{Profile: "pain09", PayOn: "2027-01-04", Cash: true})
		if len(titleWarned(p)) != 0 || len(p.Drafts) != 2 {
			t.Fatalf("%+v", p)
		}
		if title := p.Drafts[0].Transfers[0].Title; title[:len(doc.Number)] != doc.Number {
			t.Error(title)
		}
	})
}

// TestSplitPaymentsFrom2027_NameTheKSeFNumber has it whole in the field of the invoice, which is as long.
func TestSplitPaymentsFrom2027_NameTheKSeFNumber(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		b := w.billed()
		w.rules(t, func(r *rules.Rules) { r.ContractType, r.VATSplit = rules.B2BVAT, true })
		_, ids := w.settled(t, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(1), TaxID: "5213017228"})
		const ksef = "5265877635-20250826-0100001AF629-AF"
		w.answered(t, w.issued(t, b, ids[0]).ID, "accepted", ksef)
		w.clock.Pass(20 * 24 * 60 * 60 * 1e9)
		file := string(w.file(t, w.made(t, payouts.PayoutRequest{Profile: "elixir", PayOn: "2027-01-04"})[0]))
		if want := "/IDC/5213017228/INV/" + ksef + "/TXT/"; !bytes.Contains([]byte(flat(file)), []byte(want)) {
			t.Errorf("%q is not in %s", want, file)
		}
	})
}

// answered writes what KSeF says of a document.
func (w *fixture) answered(t testing.TB, id, state, number string) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE billing_documents SET authority_state = $3, authority_number = $4 WHERE tenant_id = $1 AND id = $2`, id, state, number)
		return err
	})
}

func TestARefusedInvoice_IsPaidOnlyWhenAPersonSaysSo(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		b := w.billed()
		w.rules(t, func(r *rules.Rules) { r.ContractType = rules.B2BVAT })
		_, ids := w.settled(t, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(1), TaxID: "5213017228"})
		w.answered(t, w.issued(t, b, ids[0]).ID, "refused", "")
		request := payouts.PayoutRequest{Profile: "elixir", PayOn: "2026-11-16"}
		if p := w.plan(t, request); len(p.Drafts) != 0 || fmt.Sprint(left(p)) != "[Nowak invoice_refused]" {
			t.Fatalf("%+v", p)
		}
		request.PayRefused = []string{ids[0]}
		if p := w.plan(t, request); len(p.Drafts) != 1 || len(p.Excluded) != 0 {
			t.Fatalf("%+v", p)
		}
	})
}

// TestARefusedInvoice_IsPaidInCashOnlyWhenAPersonSaysSo has a driver whose account went after the invoice was issued.
func TestARefusedInvoice_IsPaidInCashOnlyWhenAPersonSaysSo(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		b := w.billed()
		w.rules(t, func(r *rules.Rules) { r.ContractType = rules.B2BVAT })
		drivers, ids := w.settled(t, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(1), TaxID: "5213017228"})
		w.answered(t, w.issued(t, b, ids[0]).ID, "refused", "")
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE drivers SET iban_sealed = '', iban_sum = '' WHERE tenant_id = $1 AND id = $2`, drivers[0])
			return err
		})
		request := payouts.PayoutRequest{Profile: "elixir", PayOn: "2026-11-16", Cash: true}
		if p := w.plan(t, request); len(p.Drafts) != 0 || fmt.Sprint(left(p)) != "[Nowak invoice_refused]" {
			t.Fatalf("%+v", p)
		}
		request.PayRefused = []string{ids[0]}
		if p := w.plan(t, request); len(p.Drafts) != 1 || p.Drafts[0].Way != payouts.Cash || len(p.Excluded) != 0 {
			t.Fatalf("%+v", p)
		}
	})
}

// TestGermany_OffersNoOldPainAndPaysInsideSEPAOnly has drivers with accounts in Germany, Lithuania and Ukraine.
func TestGermany_OffersNoOldPainAndPaysInsideSEPAOnly(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		german, err := config.InstanceOf("de")
		if err != nil {
			t.Fatal(err)
		}
		_, ids := w.settled(t, drivers.Details{FirstName: "Max", LastName: "Muster", IBAN: "DE89370400440532013000"}, drivers.Details{FirstName: "Jonas", LastName: "Lit", IBAN: "LT121000011101001000"},
			drivers.Details{FirstName: "Oleh", LastName: "Bank", IBAN: "UA213223130000026007233566001"})
		w.Instance = german
		for _, profile := range w.Profiles() {
			if profile.Standard == bankfile.Pain03 {
				t.Error(profile.Key)
			}
		}
		p := w.plan(t, payouts.PayoutRequest{Profile: "sepa", PayOn: "2026-11-16"})
		if len(p.Drafts) != 1 || p.Drafts[0].Settlements != 2 || fmt.Sprint(left(p)) != "[Bank outside_sepa]" || p.Excluded[0].Found != "UA" || p.Excluded[0].SettlementID != ids[2] {
			t.Fatalf("%+v", p)
		}
	})
}
