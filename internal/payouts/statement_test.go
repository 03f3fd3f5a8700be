package payouts_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/payouts"
	"saldo/internal/payouts/bankstatement"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
)

// movement is an entry of a statement that a test has its bank write.
type movement struct {
	day       string
	amount    money.Amount // minus: it left
	reference string
	reason    string // why it came back
}

// camt is a statement of an account as a bank writes it.
func camt(account official.Account, moves ...movement) []byte {
	var entries strings.Builder
	closing := money.Amount(10_000_00)
	for _, m := range moves {
		closing += m.amount
		amount, way, back := m.amount, "CRDT", ""
		if amount < 0 {
			amount, way = -amount, "DBIT"
		}
		if m.reason != "" {
			back = `<RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>` + m.reason + `</AddtlInf></RtrInf>`
		}
		fmt.Fprintf(&entries, `<Ntry><Amt Ccy="PLN">%s</Amt><CdtDbtInd>%s</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>%s</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>%s</EndToEndId></Refs>%s</TxDtls></NtryDtls></Ntry>`,
			amount, way, m.day, m.reference, back)
	}
	balance := `<Bal><Tp><CdOrPrtry><Cd>%s</Cd></CdOrPrtry></Tp><Amt Ccy="PLN">%s</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-16</Dt></Dt></Bal>`
	return fmt.Appendf(nil, `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><IBAN>%s</IBAN></Id></Acct>`+balance+balance+`%s</Stmt></BkToCstmrStmt></Document>`,
		account, "OPBD", "10000.00", "CLBD", closing, entries.String())
}

func (w *fixture) planned(t testing.TB, file []byte) (p payouts.StatementPlan) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { p, err = w.PlanStatement(tx, file); return err })
	return p
}

func (w *fixture) confirmed(t testing.TB, file []byte, except ...payouts.Place) (done payouts.Confirmed) {
	t.Helper()
	p := w.planned(t, file)
	w.write(t, func(tx *db.Tx) (err error) {
		done, err = w.ConfirmStatement(tx, "wyciag.xml", file, p.Token, except)
		return err
	})
	return done
}

func (w *fixture) transfers(t testing.TB, number int64) (list []payouts.Kept) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { list, err = w.TransfersOf(tx, number); return err })
	return list
}

func (w *fixture) one(t testing.TB, id string) (s settlements.Settlement) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { s, err = settlements.Of(tx, id); return err })
	return s
}

func (w *fixture) today() calendar.Date {
	return calendar.DateOf(w.clock.Now(), w.Instance.Location(), 0)
}

// split is a settlement of several transfers, and the batch that pays it.
func (w *fixture) split(t testing.TB) (id string, number int64) {
	t.Helper()
	w.rules(t, func(r *rules.Rules) { r.ContractType, r.DepreciationRate = rules.CivilContract, 2000 })
	_, ids := w.settled(t, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(2)})
	return ids[0], w.made(t, payouts.PayoutRequest{Profile: "pko"})[0]
}

func TestAStatementSaysWhatWasPaidAndWhatCameBack(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.settled(t, drivers.Details{FirstName: "Łukasz", LastName: "Żółć", IBAN: testkit.Account(1)}, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(2)},
			drivers.Details{FirstName: "Ewa", LastName: "Bąk", IBAN: testkit.Account(3)}, drivers.Details{FirstName: "Ola", LastName: "Lis", IBAN: testkit.Account(4)})
		number := w.made(t, payouts.PayoutRequest{Profile: "pko"})[0]
		sent := w.transfers(t, number)
		driverIDs, ids := []string{}, []string{}
		for _, s := range sent {
			driverIDs, ids = append(driverIDs, s.DriverID), append(ids, s.SettlementID)
		}
		day := string(w.today())
		file := camt(own, movement{day, -sent[0].Amount, sent[0].Reference, ""}, movement{day, -sent[1].Amount, sent[1].Reference, ""}, movement{day, sent[1].Amount, sent[1].Reference, "Rachunek zamknięty"},
			movement{day, -sent[2].Amount - 1, sent[2].Reference, ""}, movement{day, 77_00, "", ""})
		p := w.planned(t, file)
		outcomes := []string{}
		for _, s := range p.Sayings {
			outcomes = append(outcomes, fmt.Sprint(s.Number, " ", s.Outcome, " ", s.Why, " ", s.Day == w.today(), " ", s.Reason))
		}
		if want := []string{"1 paid id true ", "2 returned id true AC04 Rachunek zamknięty", "3 unclear other_amount true "}; !slices.Equal(outcomes, want) || p.Missing != 1 || p.Known != 0 || p.Entries != 5 || !slices.Equal(p.Accounts, []string{"PL…2177"}) {
			t.Fatalf("%q %+v", outcomes, p)
		}
		for _, id := range ids { // nothing is written before it is confirmed
			if s := w.one(t, id); s.State != settlements.Settled || s.Batch != number {
				t.Fatalf("%+v", s)
			}
		}
		w.refused(t, payouts.ErrChanged, func(tx *db.Tx) error { _, err := w.ConfirmStatement(tx, "x", file, "other", nil); return err })
		if done := w.confirmed(t, file); done != (payouts.Confirmed{Paid: 1, Returned: 1}) {
			t.Errorf("%+v", done)
		}
		if s := w.one(t, ids[0]); s.State != settlements.Paid || s.PaidOn != w.today() || s.Batch != number {
			t.Errorf("paid: %+v", s)
		}
		if s := w.one(t, ids[1]); s.State != settlements.Settled || s.Batch != 0 {
			t.Errorf("returned: %+v", s)
		}
		after := w.transfers(t, number)
		if after[0].BookedOn != w.today() || after[1].ReturnedOn != w.today() || after[1].Reason != "AC04 Rachunek zamknięty" || after[2].BookedOn != "" || after[3].BookedOn != "" {
			t.Errorf("%+v", after)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			b, err := payouts.Of(tx, number)
			if b.Paid != 1 || b.Returned != 1 {
				t.Errorf("%+v", b)
			}
			list, other := payouts.Statements(tx, 10)
			if len(list) != 1 || list[0].Paid != 1 || list[0].Returned != 1 || list[0].FileName != "wyciag.xml" || list[0].ConfirmedBy != "Anna" {
				t.Errorf("%+v", list)
			}
			if err == nil {
				err = other
			}
			return err
		})
		// the same file again says nothing new
		p = w.planned(t, file)
		if p.Known != 2 || len(p.Sayings) != 1 || p.ConfirmedBy != "Anna" {
			t.Errorf("%+v", p)
		}
		w.refused(t, payouts.ErrNothingSaid, func(tx *db.Tx) error { _, err := w.ConfirmStatement(tx, "x", file, p.Token, nil); return err })
		// what came back is paid anew, to the account that the driver has now
		w.clock.Pass(8 * 24 * time.Hour)
		fresh := anna
		fresh.Proof.SignedInAt = w.clock.Now()
		testkit.Write(t, w.db, fresh, func(tx *db.Tx) error {
			d, err := drivers.Get(tx, w.Vault, driverIDs[1])
			if err != nil {
				return err
			}
			d.IBAN = testkit.Account(9)
			return w.book.Save(tx, d.ID, d.Details, d.Version)
		})
		w.clock.Pass(8 * 24 * time.Hour)
		next := w.made(t, payouts.PayoutRequest{Profile: "pko"})
		again := w.transfers(t, next[0])
		if len(next) != 1 || len(again) != 1 || again[0].SettlementID != ids[1] || again[0].Account != testkit.Account(9) {
			t.Fatalf("%+v", again)
		}
		if done := w.confirmed(t, camt(own, movement{string(w.today()), -again[0].Amount, again[0].Reference, ""})); done != (payouts.Confirmed{Paid: 1}) {
			t.Errorf("%+v", done)
		}
		if s := w.one(t, ids[1]); s.State != settlements.Paid || s.Batch != next[0] {
			t.Errorf("%+v", s)
		}
		if after := w.transfers(t, number); after[1].PaidOn != "" {
			t.Errorf("the first batch did not pay it: %+v", after[1])
		}
		// what was paid comes back later
		if done := w.confirmed(t, camt(own, movement{string(w.today()), again[0].Amount, again[0].Reference, "No such account"})); done != (payouts.Confirmed{Returned: 1}) {
			t.Errorf("%+v", done)
		}
		if s := w.one(t, ids[1]); s.State != settlements.Settled || s.Batch != 0 {
			t.Errorf("%+v", s)
		}
	})
}

func TestASettlementOfSeveralTransfersIsPaidWhenTheyAllAre(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		id, number := w.split(t)
		sent := w.transfers(t, number)
		if len(sent) < 2 {
			t.Fatalf("%+v", sent)
		}
		day := string(w.today())
		if done := w.confirmed(t, camt(own, movement{day, -sent[0].Amount, sent[0].Reference, ""})); done != (payouts.Confirmed{}) || w.one(t, id).State != settlements.Settled {
			t.Errorf("%+v", done)
		}
		rest := []movement{}
		for _, s := range sent[1:] {
			rest = append(rest, movement{day, -s.Amount, s.Reference, ""})
		}
		if done := w.confirmed(t, camt(own, rest...)); done != (payouts.Confirmed{Paid: 1}) || w.one(t, id).State != settlements.Paid {
			t.Errorf("%+v", done)
		}
		// one of them comes back: it is not paid, and is not paid anew as a whole either
		if done := w.confirmed(t, camt(own, movement{day, sent[0].Amount, sent[0].Reference, "Closed"})); done != (payouts.Confirmed{Returned: 1}) {
			t.Errorf("%+v", done)
		}
		if s := w.one(t, id); s.State != settlements.Settled || s.Batch != number {
			t.Errorf("%+v", s)
		}
		w.write(t, func(tx *db.Tx) error {
			n, err := w.Pay(tx, number, w.today())
			if n != 0 {
				t.Errorf("%d were marked", n)
			}
			return err
		})
	})
}

func TestAStatementOfSomethingElseIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.settled(t, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(2)}, drivers.Details{FirstName: "Ewa", LastName: "Bąk", IBAN: testkit.Account(3)})
		refused := func(file []byte, want error) {
			t.Helper()
			w.refused(t, want, func(tx *db.Tx) error { _, err := w.PlanStatement(tx, file); return err })
		}
		day := string(w.today())
		refused(camt(own, movement{day, -1, "x", ""}), payouts.ErrOtherAccount) // nothing was ever paid
		number := w.made(t, payouts.PayoutRequest{Profile: "pko"})[0]
		sent := w.transfers(t, number)
		refused([]byte("Data;Kwota"), payouts.ErrStatement)
		refused(camt(testkit.Account(77), movement{day, -sent[0].Amount, sent[0].Reference, ""}), payouts.ErrOtherAccount)
		refused(camt(own, movement{string(w.today().AddDays(1)), -sent[0].Amount, sent[0].Reference, ""}), payouts.ErrStatement)
		// what people leave out stays as it is
		file := camt(own, movement{day, -sent[0].Amount, sent[0].Reference, ""}, movement{day, -sent[1].Amount, sent[1].Reference, ""})
		if done := w.confirmed(t, file, payouts.Place{Batch: number, Place: sent[1].Place}); done != (payouts.Confirmed{Paid: 1}) || w.one(t, sent[1].SettlementID).State != settlements.Settled {
			t.Errorf("%+v", done)
		}
		// a batch that was given up, and the bank paid it all the same
		w.settled(t, drivers.Details{FirstName: "Ola", LastName: "Lis", IBAN: testkit.Account(4)})
		second := w.made(t, payouts.PayoutRequest{Profile: "pko"})[0]
		lost := w.transfers(t, second)
		w.write(t, func(tx *db.Tx) error { return payouts.Cancel(tx, second, "by mistake") })
		p := w.planned(t, camt(own, movement{day, -lost[0].Amount, lost[0].Reference, ""}))
		if len(p.Sayings) != 1 || !p.Sayings[0].Cancelled || p.Sayings[0].Outcome != bankstatement.Paid {
			t.Errorf("%+v", p)
		}
	})
}

func TestOneStatementIsConfirmedOnceByMany(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		_, ids := w.settled(t, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(2)})
		number := w.made(t, payouts.PayoutRequest{Profile: "pko"})[0]
		sent := w.transfers(t, number)
		file := camt(own, movement{string(w.today()), -sent[0].Amount, sent[0].Reference, ""})
		p := w.planned(t, file)
		var all sync.WaitGroup
		results := make([]error, 8)
		for n := range results {
			all.Go(func() {
				results[n] = w.db.Write(ctx, anna, func(tx *db.Tx) error { _, err := w.ConfirmStatement(tx, "x", file, p.Token, nil); return err })
			})
		}
		all.Wait()
		done := 0
		for _, err := range results {
			if err == nil {
				done++
			}
		}
		if done != 1 || w.one(t, ids[0]).State != settlements.Paid {
			t.Errorf("%d of %v", done, results)
		}
	})
}

func TestStatement_OfAnotherCurrencyDayOrAccountPaysNothing(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.clock.Pass(5 * 24 * time.Hour)
		w.settled(t, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(2)})
		number := w.made(t, payouts.PayoutRequest{Profile: "pko"})[0]
		sent := w.transfers(t, number)[0]
		day := string(w.today())
		booked := camt(own, movement{day, -sent.Amount, sent.Reference, ""})

		euro := []byte(strings.ReplaceAll(string(booked), `Ccy="PLN"`, `Ccy="EUR"`))
		err := w.db.Read(ctx, anna, func(tx *db.Tx) error { _, err := w.PlanStatement(tx, euro); return err })
		if !errors.Is(err, payouts.ErrStatement) {
			t.Errorf("in euros: %v", err)
		}
		early := camt(own, movement{string(w.today().AddDays(-3)), -sent.Amount, sent.Reference, ""})
		if p := w.planned(t, early); len(p.Sayings) != 0 || p.Missing != 1 {
			t.Errorf("before the batch: %+v", p.Sayings)
		}
		elsewhere := []byte(strings.Replace(string(booked), "</Refs>", "</Refs><RltdPties><CdtrAcct><Id><IBAN>"+string(testkit.Account(9))+"</IBAN></Id></CdtrAcct></RltdPties>", 1))
		if p := w.planned(t, elsewhere); len(p.Sayings) != 1 || p.Sayings[0].Outcome != bankstatement.Unclear || p.Sayings[0].Why != bankstatement.OtherAccount {
			t.Errorf("to another account: %+v", p.Sayings)
		}
		if p := w.planned(t, booked); len(p.Sayings) != 1 || p.Sayings[0].Outcome != bankstatement.Paid {
			t.Errorf("%+v", p.Sayings)
		}
	})
}

func TestPlan_WarnsOfAccountsAndOfDaysWithoutBanks(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.settled(t, drivers.Details{FirstName: "Jan", LastName: "Nowak", IBAN: testkit.Account(1)}, drivers.Details{FirstName: "Ewa", LastName: "Lis", IBAN: testkit.Account(1)},
			drivers.Details{FirstName: "Ola", LastName: "Bąk", IBAN: own})
		request := payouts.PayoutRequest{Profile: "pko", PayOn: "2026-12-24"}
		p := w.plan(t, request)
		if p.PayOn != "2026-12-28" || len(p.Warnings) != 3 || p.Warnings[0].Code != payouts.PayDateMoved || p.Warnings[1].Code != payouts.OwnAccount || p.Warnings[1].Drivers[0].LastName != "Bąk" ||
			p.Warnings[2].Code != payouts.SharedAccount || len(p.Warnings[2].Drivers) != 2 || p.Warnings[2].Drivers[0].LastName != "Lis" {
			t.Errorf("%s %+v", p.PayOn, p.Warnings)
		}
		number := w.made(t, request)[0]
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			b, err := payouts.Of(tx, number)
			if b.PayOn != "2026-12-28" {
				t.Error(b.PayOn)
			}
			return err
		})
		request.PayOn = "2026-11-17"
		if p := w.plan(t, request); len(p.Warnings) != 0 || p.PayOn != "2026-11-17" {
			t.Errorf("%s %+v", p.PayOn, p.Warnings)
		}
	})
}
