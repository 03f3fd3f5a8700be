package billing

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/invoices/reading/xmlinvoice"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/config"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
	"saldo/internal/testkit"
)

// randomSettlement is one of a driver's company, with its terms.
func randomSettlement(t *testing.T, random *rand.Rand, n int) (engine.Settlement, snapshot.Terms) {
	t.Helper()
	terms := snapshot.Terms{Rules: rules.Default(), Weeks: 1, VAT: engine.VAT{Standard: 2300, Reduced: 800}, SmallBusiness: random.IntN(10) == 0}
	r := &terms.Rules
	r.ContractType = []rules.ContractType{rules.B2BVAT, rules.B2BVAT, rules.B2BNoVAT}[random.IntN(3)]
	r.InvoiceVAT = []rules.InvoiceVAT{rules.Reduced, rules.Standard, rules.Exempt}[random.IntN(3)]
	r.VATSplit, r.DeductionRate, r.PayoutRate = random.IntN(2) == 0, money.Rate(random.IntN(10_001)), money.Rate(1+random.IntN(10_000))
	in := engine.Input{Terms: terms.Engine(), Period: "2026-W46"}
	highest := []int64{100, 10_000, 1_000_000, 100_000_000}[random.IntN(4)]
	for row := range 1 + random.IntN(4) {
		in.Transactions = append(in.Transactions, engine.Transaction{ID: fmt.Sprint("t", row), Provider: "UBER", Type: "TRIP", On: "2026-11-10",
			Amount: money.Amount(1 + random.Int64N(highest))})
	}
	if random.IntN(2) == 0 {
		in.Invoices = []engine.Invoice{{ID: "i", On: "2026-11-10", Gross: 123_00, VATStandard: 23_00}}
	}
	s, err := engine.Compute(in)
	if err != nil {
		t.Fatal(n, err)
	}
	return s, terms
}

// TestAnInvoiceAndItsCorrection_AreZero issues the invoices of 10,000 random settlements and takes them back, as files that KSeF gets.
func TestAnInvoiceAndItsCorrection_AreZero(t *testing.T) {
	polish, err := config.InstanceOf("pl")
	if err != nil {
		t.Fatal(err)
	}
	d := &Service{Instance: polish}
	random := rand.New(rand.NewPCG(2026, 11))
	made, exempt, split := 0, 0, 0
	for n := 0; made < testkit.Times(1_000, 10_000); n++ {
		s, terms := randomSettlement(t, random, n)
		r := readiness{kind: Invoice, terms: &terms, partner: Party{"Flota Sp. z o.o.", "5213017228", "ul. Flotowa 2", "00-002 Warszawa"},
			settled: &settlements.Settlement{Number: int64(n), FirstOn: s.First, LastOn: s.Last}, driver: drivers.Driver{}}
		for _, transfer := range snapshot.Transfers(s.Transfers) {
			if transfer.Purpose != engine.DeductionCost {
				r.transfers = append(r.transfers, transfer)
			}
		}
		if len(r.transfers) == 0 {
			continue
		}
		made++
		c := d.contentOf(&r, Party{"Jan Kowalski", "5260250274", "Polna 1", "00-001 Warszawa"}, "2026-11-16")
		invoice := Document{Kind: Invoice, Number: "SF/P1/2026/11/1", IssuedOn: "2026-11-16", Currency: money.PLN,
			IssuedAt: time.Date(2026, 11, 16, 8, 0, 0, 0, time.UTC)}
		correction := invoice
		correction.Kind, correction.Number, correction.IssuedOn = Correction, "SFK/P1/2026/12/1", "2026-12-01"
		taken := c
		taken.PayBy, taken.Reason, taken.Corrects = "", "Wycofanie rozliczenia", &corrected{invoice.Number, invoice.IssuedOn}
		ksef := []string{"", "5265877635-20250826-0100001AF629-AF"}[random.IntN(2)]
		whole, back := d.fileOf(t, &invoice, &c, ""), d.fileOf(t, &correction, &taken, ksef)
		if made <= 20 {
			testkit.Valid(t, "ksef/FA3.xsd", back)
		}
		a, err := xmlinvoice.ReadFA(whole)
		if err != nil {
			t.Fatal(n, err)
		}
		b, err := xmlinvoice.ReadFA(back)
		if err != nil {
			t.Fatal(n, err)
		}
		if a.Net+b.Net != 0 || a.VAT+b.VAT != 0 || a.Gross+b.Gross != 0 || a.Standard+b.Standard != 0 || a.Reduced+b.Reduced != 0 ||
			a.OtherVAT+b.OtherVAT != 0 || a.Untaxed+b.Untaxed != 0 || !a.AddsUp() || !b.AddsUp() || a.Gross <= 0 {
			t.Fatalf("%d: %+v and %+v", n, a, b)
		}
		want := xmlinvoice.FACorrected{IssuedOn: invoice.IssuedOn, Number: invoice.Number, KSeFNumber: ksef}
		if b.Kind != "KOR" || len(b.Corrects) != 1 || b.Corrects[0] != want || !a.SelfBilled || !b.SelfBilled {
			t.Fatalf("%d: %+v", n, b)
		}
		paid := money.Amount(0)
		for _, transfer := range r.transfers {
			paid += transfer.Amount
		}
		if a.Gross != paid {
			t.Fatalf("%d: %s is billed and %s is paid", n, a.Gross, paid)
		}
		if c.Exempt != "" {
			exempt++
		}
		if c.Split {
			split++
		}
	}
	if exempt == 0 || split == 0 || exempt == made {
		t.Errorf("of %d %d are exempt and %d are split", made, exempt, split)
	}
}

func (d *Service) fileOf(t *testing.T, doc *Document, c *content, ksef string) []byte {
	t.Helper()
	file, err := d.file(doc, c, ksef)
	if err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	return file
}
