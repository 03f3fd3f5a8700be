package purchases_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/identity"
	"saldo/internal/invoices"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/purchases"
	"saldo/internal/testkit"
)

func (w *world) driver(t *testing.T, last string) (id string) {
	t.Helper()
	testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
		ids, err := (drivers.Service{Vault: w.Fleet.Vault, Country: "PL"}).AddMany(tx, []drivers.NewDriver{{
			Details: drivers.Details{FirstName: "Łukasz", LastName: last, SummaryLanguage: "pl"}}})
		if err == nil {
			id = ids[0]
		}
		return err
	})
	return id
}

// upload is an invoice of a driver, as a person described it.
func (w *world) upload(t *testing.T, driver string, d invoices.Details) (id string) {
	t.Helper()
	testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
		id = tx.NewID()
		d.Currency, d.BuyerTaxID, d.VATStandard = money.PLN, fleet, d.Gross-d.Net
		i, err := (&invoices.Service{Instance: w.Fleet.Instance}).Add(tx, invoices.Partner, driver, invoices.Received{ID: id, BlobKey: "x/" + id,
			File: invoices.File{FileVersion: 1, FileName: "faktura.jpg", FileType: "image/jpeg", FileSize: 1, ContentHash: strings.Repeat("0", 28) +
				strings.ReplaceAll(id, "-", "")[:32] + "0000", Pages: 1}}, &invoices.Form{Details: d})
		if err == nil && i.State != invoices.ToVerify {
			err = fmt.Errorf("it is %s", i.State)
		}
		return err
	})
	return id
}

// photographed is what was read of the code in an invoice's picture.
func (w *world) photographed(t *testing.T, id, code string) {
	t.Helper()
	testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE invoice_readings SET state = 'done', result = $2, done_at = $3 WHERE tenant_id = $1 AND content_hash = (SELECT
			content_hash FROM invoice_images i WHERE i.tenant_id = $1 AND i.id = $4)`, fmt.Sprintf(`{"ksefCode":%q}`, code), tx.Now, id)
		return err
	})
}

func (w *world) list(t *testing.T, f purchases.Filter) (all []purchases.Listed) {
	t.Helper()
	for f.Page = 1; ; f.Page++ {
		var page []purchases.Listed
		var n int64
		testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) (err error) { page, n, err = w.List(tx, f); return err })
		if all = append(all, page...); len(page) < purchases.PageMax {
			if int(n) != len(all) {
				t.Errorf("%d are counted, %d are listed", n, len(all))
			}
			return all
		}
	}
}

func (w *world) match(t *testing.T, number, invoice string) error {
	t.Helper()
	return w.Fleet.DB.Write(t.Context(), anna, func(tx *db.Tx) error { return w.Match(tx, number, invoice) })
}

// Nothing is matched by itself, and of what drivers upload in many ways nearly all is proposed rightly.
func TestMatch_ProposesAndDecidesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := testkit.Times(60, 250)
		w.connect(t, fleet, 0)
		driver := w.driver(t, "Żuraw")
		right := map[string]string{}
		for i := range n {
			net := money.Amount(100_00 + i/2) // of two each the amounts are the same
			number := fmt.Sprintf("FV %d/11/2026", i)
			ksefNumber := w.receive(t, []string{seller, other}[i%2], fleet, number, net)
			on := calendar.Date(w.ksef.Now().Add(time.Hour).Format(time.DateOnly))
			d := invoices.Details{Number: number, IssuedOn: on, SoldOn: on, IssuerTaxID: []string{seller, other}[i%2], IssuerName: "Warsztat",
				Net: net, Gross: net + net*23/100, Category: "repair"}
			switch i % 5 {
			case 0:
				d.KsefNumber, d.Number = ksefNumber, "other "+number // the number was typed otherwise
			case 1:
				d.Number = fmt.Sprintf("fv %d/11/2026", i) // another way of writing it
			case 2:
				d.Number = fmt.Sprintf("FV%d-11-26", i) // it cannot be known by it, but its picture has a code
			case 3:
				d.Number += "x" // wrong, and no code
				if i%20 != 3 {
					d.Number = number
				}
			}
			id := w.upload(t, driver, d)
			right[ksefNumber] = id
		}
		w.look(t)
		for number, p := range w.all(t) {
			if strings.HasPrefix(p.Number, "FV ") {
				var i int
				if _, err := fmt.Sscanf(p.Number, "FV %d/", &i); err == nil && i%5 == 2 {
					w.photographed(t, right[number], "https://qr-ksef.example.gov.pl/invoice/"+p.SellerTaxID+"/19-11-2026/"+p.Sum)
				}
			}
		}
		good, wrong := 0, 0
		for _, p := range w.list(t, purchases.Filter{Show: purchases.Unmatched}) {
			switch {
			case p.Match == nil:
			case p.Match.ID == right[p.KsefNumber] && p.Match.How != "" && p.Match.MatchedBy == "":
				good++
			default:
				wrong++
			}
		}
		if good*100 < n*95 || wrong > 0 {
			t.Errorf("of %d, %d are proposed rightly and %d wrongly", n, good, wrong)
		}
		same(t, "matched by itself", len(w.list(t, purchases.Filter{Show: purchases.Matched})), 0)
	})
}

func is(err error, f *fault.Fault) bool {
	var got *fault.Fault
	return errors.As(err, &got) && got.Code == f.Code
}

func TestMatch_OneBacksOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, fleet, 0)
		one, two := w.receive(t, seller, fleet, "FV/1", 100_00), w.receive(t, seller, fleet, "FV/2", 200_00)
		w.look(t)
		driver, on := w.driver(t, "Żuraw"), calendar.Date(w.ksef.Now().Format(time.DateOnly))
		d := invoices.Details{Number: "FV/1", IssuedOn: on, SoldOn: on, IssuerTaxID: seller, IssuerName: "Warsztat", Net: 100_00, Gross: 123_00}
		a := w.upload(t, driver, d)
		d.Number, d.Net, d.Gross = "FV/9", 900_00, 1107_00
		b := w.upload(t, driver, d)

		var won, lost int
		var mu sync.Mutex
		var all sync.WaitGroup
		for n := range 8 { // people who match the same purchase with two invoices at the same moment
			all.Go(func() {
				err := w.match(t, one, []string{a, b}[n%2])
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					won++
				case is(err, purchases.ErrMatched):
					lost++
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if won != 4 || lost != 4 { // the same again is no error
			t.Errorf("%d, %d", won, lost)
		}
		list := w.list(t, purchases.Filter{Show: purchases.Matched})
		if len(list) != 1 || list[0].KsefNumber != one || list[0].Match.MatchedBy != anna.Name || list[0].Match.LastName != "Żuraw" {
			t.Fatalf("%+v", list)
		}
		backed := list[0].Match.ID
		if err := w.match(t, two, backed); !is(err, purchases.ErrMatched) {
			t.Error("an invoice is backed by two:", err)
		}
		for _, p := range w.list(t, purchases.Filter{Show: purchases.Unmatched}) {
			if p.Match != nil && p.Match.ID == backed {
				t.Error("what backs one is proposed for another")
			}
		}
		for range 2 { // undone, by two
			testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { return w.Unmatch(tx, one) })
		}
		if err := w.match(t, two, backed); err != nil {
			t.Error(err)
		}
		testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { // the driver's invoice is rejected: it backs nothing any more
			_, err := tx.Exec(`UPDATE invoice_images SET state = 'rejected', reject_reason = 'other' WHERE tenant_id = $1 AND id = $2`, backed)
			return err
		})
		same(t, "after it was rejected", len(w.list(t, purchases.Filter{Show: purchases.Matched})), 0)
		if err := w.match(t, two, backed); !is(err, invoices.ErrState) {
			t.Error(err)
		}
		if err := w.match(t, two, map[string]string{a: b, b: a}[backed]); err != nil {
			t.Error(err)
		}
		if err := w.match(t, "none", a); !is(err, purchases.ErrNotFound) {
			t.Error(err)
		}
		if err := w.match(t, one, "none"); !is(err, invoices.ErrNotFound) {
			t.Error(err)
		}
	})
}

func TestList_Finds(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, fleet, 0)
		number := w.receive(t, seller, fleet, "FV/1%", 100_00)
		w.receive(t, other, fleet, "FV/2", 100_00)
		w.look(t)
		for query, n := range map[string]int{"": 2, "warsztat": 2, "fv/1%": 1, "%": 1, other: 1, number: 1, "none": 0, "fv warsztat": 2} {
			same(t, query, len(w.list(t, purchases.Filter{Query: query})), n)
		}
		today := calendar.Date(w.ksef.Now().Add(time.Hour).Format(time.DateOnly))
		same(t, "from", len(w.list(t, purchases.Filter{From: today, To: today})), 2)
		same(t, "to", len(w.list(t, purchases.Filter{To: today.AddDays(-1)})), 0)
	})
}

// A self-billed invoice in the partner's name that Saldo did not issue is an alarm, until a person knows it.
func TestStrange_IsToldOfOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, fleet, 0)
		selfBilled := func(from, number string, net money.Amount) string {
			file := bytes.Replace(w.file(t, from, fleet, number, net), []byte("<P_17>2</P_17>"), []byte("<P_17>1</P_17>"), 1)
			return w.ksef.Receive(file)
		}
		w.person(t)
		today := calendar.Date(w.ksef.Now().Add(time.Hour).Format(time.DateOnly))
		w.issued(t, today, "SF/1", 100_00, "")
		w.issued(t, today, "SF/2", 200_00, "")
		ours, strange := selfBilled(seller, "SF/1", 100_00), selfBilled(seller, "XX/1", 100_00)
		other := selfBilled(other, "SF/2", 999_00) // our number with another amount
		byNumber := selfBilled(seller, "YY/1", 300_00)
		w.issued(t, today, "SF/3", 300_00, byNumber)
		w.receive(t, seller, fleet, "FV/1", 100_00)
		w.look(t)
		found := w.all(t)
		same(t, "ours", found[ours].Checked, purchases.Ours)
		same(t, "by the number of KSeF", found[byNumber].Checked, purchases.Ours)
		same(t, "strange", found[strange].Checked, purchases.Strange)
		same(t, "another amount", found[other].Checked, purchases.Strange)
		same(t, "home", w.state(t).Strange, 2)
		same(t, "listed", len(w.list(t, purchases.Filter{Show: purchases.Unknown})), 2)
		same(t, "mails", w.mails(t), 1)
		w.day(t)
		same(t, "mails of nothing new", w.mails(t), 1)
		today = calendar.Date(w.ksef.Now().Add(time.Hour).Format(time.DateOnly))
		selfBilled(seller, "XX/2", 100_00)
		w.day(t)
		same(t, "mails of another", w.mails(t), 2)
		for range 2 {
			testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
				return errors.Join(w.Know(tx, strange), w.Know(tx, other), w.Know(tx, ours))
			})
		}
		w.issued(t, today, "XX/2", 100_00, "") // out of another copy
		w.receiveMany(t, 1)
		w.day(t)
		same(t, "in the end", w.state(t).Strange, 0)
		same(t, "known", w.all(t)[strange].Checked, purchases.Known)
		same(t, "still ours", w.all(t)[ours].Checked, purchases.Ours)
		if err := w.Fleet.DB.Write(t.Context(), anna, func(tx *db.Tx) error { return w.Know(tx, "none") }); !is(err, purchases.ErrNotFound) {
			t.Error(err)
		}
	})
}

// person is somebody of the office.
func (w *world) person(t *testing.T) {
	t.Helper()
	testkit.Write(t, w.Fleet.DB, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		return identity.AddMember(tx, identity.Member{ID: "anna", Issuer: identity.Embedded, Subject: "anna", Role: access.Partner, Name: anna.Name,
			Email: "anna@north.example"})
	})
}

// issued is an invoice that Saldo issued on a day.
func (w *world) issued(t *testing.T, on calendar.Date, number string, net money.Amount, ksefNumber string) {
	t.Helper()
	driver := w.driver(t, "of "+number)
	testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
		if _, err := tx.Exec(`INSERT INTO settlement_terms (tenant_id, id, terms) VALUES ($1, 'test', '{}') ON CONFLICT DO NOTHING`); err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO settlements (tenant_id, id, number, driver_id, run_id, period, ordinal, weeks, first_on, last_on, state,
			absorbed_into, terms_id, currency, transactions, carry_in, revenue, cash_collected, fee, due, payout, next_period_transfer, tax_excess,
			figures, apps, transfers, settled_at, settled_by, shared_at, paid_on, paid_at, paid_by, revoked_at, revoked_by, revoke_reason)
			VALUES ($1, $2, (SELECT COUNT(*) + 1 FROM settlements WHERE tenant_id = $1), $3, '', '2026-W45', 0, 1, '', '', 'settled', '', 'test',
			'PLN', 0, 0, 0, 0, 0, 0, 0, 0, 0, '{}', '[]', '[]', '', '', '', '', '', '', '', '', '')`, number, driver); err != nil {
			return err
		}
		state := ""
		if ksefNumber != "" {
			state = "accepted"
		}
		_, err := tx.Exec(`INSERT INTO billing_documents (tenant_id, id, settlement_id, kind, corrects, edition, series, place, number, issued_on,
			currency, net, vat, gross, content_sealed, file_sealed, issued_at, issued_by, authority_state, authority_number, authority_reason,
			authority_at) VALUES ($1, $2, $2, 'invoice', '', 1, $2, 1, $2, $3, 'PLN', $4, $5, $6, 'x', 'x', $7, 'Anna', $8, $9, '', '')`,
			number, string(on), int64(net), int64(net*23/100), int64(net+net*23/100), tx.Now, state, ksefNumber)
		return err
	})
}

// mails are those that are written.
func (w *world) mails(t *testing.T) (n int64) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, access.Program("test"), func(tx *db.Tx) (err error) {
		n, err = db.One[int64](tx.Across(), `SELECT COUNT(*) FROM mails`)
		return err
	})
	return n
}
