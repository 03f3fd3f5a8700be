package invoices_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/drivers/merge"
	"saldo/internal/imports"
	"saldo/internal/invoices"
	"saldo/internal/invoices/files"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/messages"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/testkit"
)

var anna, ctx = testkit.Anna, context.Background()

// own is the tax id of the partner in the public samples.
const own = "8789328790"

// reader is one for all tests.
var reader = sync.OnceValue(func() *files.Reader { return files.New(files.Options{NoOCR: true, Cache: testkit.Compiled()}) })

// fixture is a partner with two drivers who worked a week, and a program that reads invoices.
type fixture struct {
	*invoices.Service
	db       *db.DB
	settings db.Settings
	clock    *testkit.Clock
	book     drivers.Service
	settling *settlements.Service
	drivers  []string
	seen     atomic.Int64
}

func each(t *testing.T, test func(t *testing.T, w *fixture)) {
	t.Helper()
	testkit.EachFleet(t, newFixture, test)
}

func newFixture(t *testing.T, engine string) *fixture {
	t.Helper()
	f := testkit.NewFleet(t, engine)
	w := &fixture{db: f.DB, settings: f.Settings, clock: f.Clock, book: drivers.Service{Vault: f.Vault, Country: "PL"}}
	w.Service = &invoices.Service{DB: w.db, Blobs: f.Blobs, Instance: f.Instance, Reader: reader()}
	w.settling = &settlements.Service{Instance: f.Instance, Imports: &imports.Service{DB: w.db, Instance: f.Instance}}
	testkit.Write(t, w.db, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE partner_profiles SET tax_id = $2, commission = 1000 WHERE tenant_id = $1`, own)
		return err
	})
	w.write(t, func(tx *db.Tx) (err error) {
		w.drivers, err = w.book.AddMany(tx, []drivers.NewDriver{
			{Details: drivers.Details{FirstName: "Paweł", LastName: "Żak", Email: "pawel@drivers.example"}},
			{Details: drivers.Details{FirstName: "Oleh", LastName: "Bondar", Email: "oleh@drivers.example"}}})
		return err
	})
	return w
}

func (w *fixture) write(t testing.TB, fn func(tx *db.Tx) error) {
	t.Helper()
	testkit.Write(t, w.db, anna, fn)
}

// worked books a row for a driver.
func (w *fixture) worked(t *testing.T, driver string, on calendar.Date, amount money.Amount) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error {
		_, err := ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
			yield(&ledger.Transaction{ID: tx.NewID(), DriverID: driver, Provider: "UBER", Type: "TRIP", OccurredOn: on, Amount: amount,
				Currency: "PLN", Source: "import"})
		})
		return err
	})
}

// picture is a file that no other is.
func (w *fixture) picture() []byte {
	n := w.seen.Add(1)
	m := image.NewGray(image.Rect(0, 0, 64, 64))
	for x := range 64 {
		m.SetGray(x, int(n)%64, color.Gray{uint8(n / 64)})
	}
	m.SetGray(int(n)%64, 1, color.Gray{uint8(n)})
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func sample(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("files", "testdata", "samples", name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func (w *fixture) received(t testing.TB, content []byte) invoices.Received {
	t.Helper()
	r, err := w.Receive(ctx, "north", "faktura.png", bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (w *fixture) added(t testing.TB, who invoices.Person, driver string, content []byte, details *invoices.Details) (i invoices.Invoice) {
	t.Helper()
	r := w.received(t, content)
	var form *invoices.Form
	if details != nil {
		form = &invoices.Form{Details: *details}
	}
	w.write(t, func(tx *db.Tx) (err error) {
		i, err = w.Add(tx, who, driver, r, form)
		return err
	})
	return i
}

// fuel are details without a finding.
func (w *fixture) fuel(number string) invoices.Details {
	return invoices.Details{Number: number, IssuedOn: "2026-10-28", SoldOn: "2026-10-28", IssuerTaxID: "4269910234", IssuerName: "Stacja",
		BuyerTaxID: own, Net: 100_00, Gross: 123_00, VATStandard: 23_00, Category: "fuel", KsefNumber: ""}
}

// read works off the jobs that read files.
func (w *fixture) read(t testing.TB) {
	t.Helper()
	q := jobs.NewQueue(w.db, slog.New(slog.DiscardHandler))
	q.Poll = 5 * time.Millisecond
	q.Handle(invoices.ReadKind, w.Read)
	q.OnFailure(invoices.ReadKind, w.OnReadFailure)
	q.Handle(messages.PushKind, func(context.Context, *jobs.Run) error { return nil })
	running, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { defer close(ended); q.Run(running, 2) }()
	testkit.Eventually(t, "read", func() bool {
		left := int64(1)
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
			left, err = db.One[int64](tx, `SELECT COUNT(*) FROM invoice_readings WHERE tenant_id = $1 AND state = 'waiting'`)
			return err
		})
		return left == 0
	})
	stop()
	<-ended
}

func (w *fixture) of(t testing.TB, id string) (i invoices.Invoice) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
		i, err = invoices.Of(tx, id, "")
		return err
	})
	return i
}

func (w *fixture) describe(t testing.TB, who invoices.Person, i invoices.Invoice, d invoices.Details, action invoices.Action) invoices.Invoice {
	t.Helper()
	w.write(t, func(tx *db.Tx) (err error) {
		i, err = w.Describe(tx, who, i.ID, invoices.Change{Version: i.Version, Details: d, Action: action})
		return err
	})
	return i
}

func (w *fixture) refused(t *testing.T, want error, fn func(tx *db.Tx) error) {
	t.Helper()
	if err := w.db.Write(ctx, anna, fn); !errors.Is(err, want) {
		t.Fatalf("%v, not %v", err, want)
	}
}

func (w *fixture) figures(t *testing.T, driver string, period calendar.Period) (f engine.Figures) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		page, err := w.settling.PendingPage(tx, settlements.PendingFilter{Period: period, Page: 1, Size: 100})
		for i := range page.Items {
			if page.Items[i].Driver.ID == driver {
				f = page.Items[i].Figures
			}
		}
		return err
	})
	return f
}

func (w *fixture) settle(t *testing.T, period calendar.Period, who ...string) (id string) {
	t.Helper()
	var p settlements.Preview
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
		p, err = w.settling.Preview(tx, settlements.Selection{Filter: settlements.PendingFilter{Period: period}, Drivers: who})
		return err
	})
	w.write(t, func(tx *db.Tx) error {
		if err := p.Keep(tx); err != nil {
			return err
		}
		if _, err := w.settling.Start(tx, p.ID, settlements.StartOptions{Share: true}); err != nil {
			return err
		}
		page, err := settlements.List(tx, settlements.Filter{DriverID: who[0], Page: 1, Size: 1})
		if err == nil && len(page.Items) > 0 {
			id = page.Items[0].ID
		}
		return err
	})
	return id
}

func (w *fixture) verified(t *testing.T) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		problems, err := w.settling.Verify(tx)
		for _, p := range problems {
			t.Error(p)
		}
		return err
	})
}

func TestInvoice_GoesFromTheUploadIntoASettlementAndBack(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		driver := w.drivers[0]
		w.worked(t, driver, "2026-10-28", 1000_00)
		before := w.figures(t, driver, "2026-W44")
		i := w.added(t, invoices.Driver(driver), "", w.picture(), nil)
		if i.State != invoices.Uploaded || i.WaitsFor != invoices.ByDriver {
			t.Fatalf("uploaded as %s, waiting for %q", i.State, i.WaitsFor)
		}
		w.read(t)
		if i = w.of(t, i.ID); i.State != invoices.ToDescribe || i.Source != "none" {
			t.Fatalf("a picture that nobody can read is %s from %q", i.State, i.Source)
		}
		i = w.describe(t, invoices.Driver(driver), i, w.fuel("FV/1/2026"), invoices.Submit)
		if i.State != invoices.ToVerify || i.DescribedBy != invoices.ByDriver {
			t.Fatalf("%s by %s", i.State, i.DescribedBy)
		}
		if w.figures(t, driver, "2026-W44") != before {
			t.Fatal("an invoice that nobody approved counts")
		}
		w.refused(t, invoices.ErrState, func(tx *db.Tx) error {
			_, err := w.Describe(tx, invoices.Driver(driver), i.ID, invoices.Change{Version: i.Version, Details: i.Details, Action: invoices.Approve})
			return err
		})
		i = w.describe(t, invoices.Partner, i, i.Details, invoices.Approve)
		after := w.figures(t, driver, "2026-W44")
		if after[engine.InvoicesGross] != 123_00 || after[engine.VATReturn] != 23_00 || after[engine.Provision] != 2_30 ||
			after[engine.Due]-before[engine.Due] != 20_70 {
			t.Errorf("gross %v, back %v, provision %v, due from %v to %v", after[engine.InvoicesGross], after[engine.VATReturn],
				after[engine.Provision], before[engine.Due], after[engine.Due])
		}
		settlement := w.settle(t, "2026-W44", driver)
		i = w.of(t, i.ID)
		if i.SettlementID != settlement {
			t.Fatalf("taken by %q, not %q", i.SettlementID, settlement)
		}
		for _, action := range []invoices.Action{invoices.Save, invoices.Reopen, invoices.Approve} {
			w.refused(t, invoices.ErrSettled, func(tx *db.Tx) error {
				_, err := w.Describe(tx, invoices.Partner, i.ID, invoices.Change{Version: i.Version, Details: i.Details, Action: action})
				return err
			})
		}
		w.refused(t, invoices.ErrSettled, func(tx *db.Tx) error { _, err := w.Reject(tx, i.ID, "other", "no"); return err })
		w.refused(t, invoices.ErrSettled, func(tx *db.Tx) error { return w.Delete(tx, invoices.Partner, i.ID) })
		if err := w.db.Write(ctx, anna, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE invoice_images SET gross = gross + 1, net = net + 1 WHERE tenant_id = $1 AND id = $2`, i.ID)
			return err
		}); err == nil {
			t.Error("the database lets a settled invoice change")
		}
		w.verified(t)
		w.write(t, func(tx *db.Tx) error { return w.settling.Revoke(tx, settlement, "wrong week") })
		if again := w.figures(t, driver, "2026-W44"); again != after {
			t.Errorf("revoked, the figures are others: %v, not %v", again, after)
		}
		i = w.describe(t, invoices.Partner, w.of(t, i.ID), i.Details, invoices.Reopen)
		if i.State != invoices.ToVerify || w.figures(t, driver, "2026-W44") != before {
			t.Error("a reopened invoice counts")
		}
		w.verified(t)
	})
}

// Where the partner describes, or corrects an amount, the provision is taken; where it is taken for described ones alone, a driver who
// describes gets all of the VAT back.
func TestProvision_DependsOnWhoDescribed(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		driver := w.drivers[0]
		w.worked(t, driver, "2026-10-28", 1000_00)
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE partner_profiles SET provision_charge = 'when_described' WHERE tenant_id = $1`)
			return err
		})
		details := w.fuel("A/1")
		own := w.added(t, invoices.Driver(driver), "", w.picture(), &details)
		if own.State != invoices.ToVerify {
			t.Fatalf("with all fields it is %s", own.State)
		}
		own = w.describe(t, invoices.Partner, own, own.Details, invoices.Approve)
		if f := w.figures(t, driver, "2026-W44"); own.DescribedBy != invoices.ByDriver || f[engine.Provision] != 0 || f[engine.VATReturn] != 23_00 {
			t.Errorf("described by %s: provision %v of %v", own.DescribedBy, f[engine.Provision], f[engine.VATReturn])
		}
		other := w.fuel("A/2")
		other.IssuedOn, other.SoldOn = "2026-10-27", "2026-10-27"
		corrected := w.added(t, invoices.Driver(driver), "", w.picture(), &other)
		other.Net, other.VATStandard, other.Gross = 200_00, 46_00, 246_00
		corrected = w.describe(t, invoices.Partner, corrected, other, invoices.Approve)
		if f := w.figures(t, driver, "2026-W44"); corrected.DescribedBy != invoices.ByPartner || f[engine.Provision] != 4_60 {
			t.Errorf("described by %s: provision %v", corrected.DescribedBy, f[engine.Provision])
		}
	})
}

func TestInvoice_ThatRepeatsAnotherIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		first, file := w.fuel("FV 1/2026"), w.picture()
		kept := w.added(t, invoices.Partner, w.drivers[0], file, &first)
		add := func(content []byte, d invoices.Details) func(tx *db.Tx) error {
			r := w.received(t, content)
			return func(tx *db.Tx) error {
				_, err := w.Add(tx, invoices.Partner, w.drivers[1], r, &invoices.Form{Details: d})
				return err
			}
		}
		again := w.fuel("fv 1/2026 ")
		again.IssuedOn, again.Net, again.VATStandard, again.Gross = "2026-10-20", 50_00, 11_50, 61_50
		w.refused(t, invoices.ErrSameNumber, add(w.picture(), again))
		w.refused(t, invoices.ErrSameAmount, add(w.picture(), w.fuel("FV 2/2026")))
		w.refused(t, invoices.ErrSameFile, add(file, w.fuel("FV 3/2026")))
		another := again
		another.Number, another.IssuerTaxID = "FV 1/2026", "5260250274"
		if err := w.db.Write(ctx, anna, add(w.picture(), another)); err != nil {
			t.Errorf("another issuer's number: %v", err)
		}
		// two fills of a tank for the same money on one day: the partner says so, with a reason
		draft := w.added(t, invoices.Partner, w.drivers[1], w.picture(), nil)
		change := invoices.Change{Version: draft.Version, Details: w.fuel("FV 9/2026"), Action: invoices.Approve, NotTheSame: kept.ID}
		w.refused(t, invoices.ErrInvalid, func(tx *db.Tx) error { _, err := w.Describe(tx, invoices.Partner, draft.ID, change); return err })
		change.Reason, change.Accept = "two cars", []string{"LOOKS_LIKE"}
		elsewhere := change // one that it does not look like
		elsewhere.Details.Net, elsewhere.Details.VATStandard, elsewhere.Details.Gross = 200_00, 46_00, 246_00
		w.refused(t, invoices.ErrInvalid, func(tx *db.Tx) error { _, err := w.Describe(tx, invoices.Partner, draft.ID, elsewhere); return err })
		own := w.added(t, invoices.Driver(w.drivers[0]), "", w.picture(), nil)
		change.Version, change.Action = own.Version, invoices.Submit
		w.refused(t, invoices.ErrInvalid, func(tx *db.Tx) error {
			_, err := w.Describe(tx, invoices.Driver(w.drivers[0]), own.ID, change)
			return err
		})
		change.Version, change.Action = draft.Version, invoices.Approve
		w.write(t, func(tx *db.Tx) error { _, err := w.Describe(tx, invoices.Partner, draft.ID, change); return err })
		// that holds for this amount: changed to another and back, the two are asked about again
		w.describe(t, invoices.Partner, w.of(t, draft.ID), invoices.Details{}, invoices.Reopen)
		w.describe(t, invoices.Partner, w.of(t, draft.ID), elsewhere.Details, invoices.Save)
		back := invoices.Change{Version: w.of(t, draft.ID).Version, Details: change.Details, Action: invoices.Approve}
		w.refused(t, invoices.ErrSameAmount, func(tx *db.Tx) error { _, err := w.Describe(tx, invoices.Partner, draft.ID, back); return err })
		// what is rejected or deleted stands in nobody's way
		w.write(t, func(tx *db.Tx) error { _, err := w.Reject(tx, kept.ID, "unreadable", ""); return err })
		if err := w.db.Write(ctx, anna, add(file, again)); err != nil {
			t.Errorf("after the first was rejected: %v", err)
		}
	})
}

// What a person typed while a file was being read is not changed by what was read; what they left empty is filled in.
func TestLateReading_LeavesAloneWhatWasTyped(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		i := w.added(t, invoices.Driver(w.drivers[0]), "", sample(t, "pl_classic-01.pdf"), nil)
		i = w.describe(t, invoices.Driver(w.drivers[0]), i, invoices.Details{Number: "typed/1", Gross: 99_00}, invoices.Save)
		if i.State != invoices.ToDescribe {
			t.Fatalf("saved it is %s", i.State)
		}
		w.read(t)
		i = w.of(t, i.ID)
		if i.Number != "typed/1" || i.Gross != 99_00 {
			t.Errorf("%q over %v was read over what was typed", i.Number, i.Gross)
		}
		if i.IssuerTaxID != "4269910234" || i.IssuedOn != "2026-01-10" || i.Source != "text" || i.DescribedBy != invoices.ByDriver {
			t.Errorf("what was left empty: issuer %q on %s from %q", i.IssuerTaxID, i.IssuedOn, i.Source)
		}
		// another, that nobody touched, is filled in whole; the same file for a form was read once
		r := w.received(t, sample(t, "pl_fuel-01.pdf"))
		var reading invoices.Reading
		w.write(t, func(tx *db.Tx) (err error) {
			reading, err = w.ReadForForm(tx, invoices.Driver(w.drivers[0]), r)
			return err
		})
		w.read(t)
		next := w.added(t, invoices.Driver(w.drivers[0]), "", sample(t, "pl_fuel-01.pdf"), nil)
		if next.State != invoices.ToDescribe || next.Gross == 0 || next.DescribedBy != "" {
			t.Errorf("read for a form before, it is %s over %v, described by %q", next.State, next.Gross, next.DescribedBy)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			if _, err := invoices.ReadingByID(tx, invoices.Driver(w.drivers[1]), reading.ID); !errors.Is(err, invoices.ErrNotFound) {
				t.Errorf("another driver sees what was read: %v", err)
			}
			return nil
		})
	})
}

func TestRejected_IsToldAndSentAgain(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		driver := invoices.Driver(w.drivers[0])
		d := w.fuel("R/1")
		i := w.added(t, driver, "", w.picture(), &d)
		w.write(t, func(tx *db.Tx) error { _, err := w.Reject(tx, i.ID, "unreadable", "Za ciemno."); return err })
		if i = w.of(t, i.ID); i.State != invoices.Rejected || i.Feedback != "Za ciemno." {
			t.Fatalf("%s: %q", i.State, i.Feedback)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			notes, err := messages.OnBoard(tx, w.drivers[0], "pl", time.Time{})
			if err == nil && (len(notes) != 1 || notes[0].Kind != messages.InvoiceRejected) {
				t.Errorf("%d notes", len(notes))
			}
			return err
		})
		w.refused(t, invoices.ErrState, func(tx *db.Tx) error {
			_, err := w.Describe(tx, invoices.Partner, i.ID, invoices.Change{Version: i.Version, Details: d, Action: invoices.Approve})
			return err
		})
		better := w.received(t, w.picture())
		w.write(t, func(tx *db.Tx) (err error) { i, err = w.Replace(tx, driver, i.ID, i.Version, better); return err })
		if i.State != invoices.Uploaded || i.FileVersion != 2 || i.RejectReason != "" || i.Number != "R/1" {
			t.Errorf("with a better file it is %s, version %d, %q, number %q", i.State, i.FileVersion, i.RejectReason, i.Number)
		}
		w.read(t)
		i = w.describe(t, driver, w.of(t, i.ID), d, invoices.Submit)
		w.write(t, func(tx *db.Tx) error { _, err := w.Feedback(tx, i.ID, "Który samochód?", true); return err })
		if i = w.of(t, i.ID); i.State != invoices.ToDescribe || i.WaitsFor != invoices.ByDriver {
			t.Errorf("sent back it is %s", i.State)
		}
		d.Registration = "WX 12345"
		if i = w.describe(t, driver, i, d, invoices.Submit); i.Registration != "WX12345" {
			t.Errorf("registration %q", i.Registration)
		}
		// whoever was slower is told, and nothing is written
		w.refused(t, invoices.ErrChanged, func(tx *db.Tx) error {
			_, err := w.Describe(tx, invoices.Partner, i.ID, invoices.Change{Version: i.Version - 1, Details: d, Action: invoices.Approve})
			return err
		})
	})
}

// What was confirmed holds for what was approved; opened again, it is confirmed again.
func TestReopened_IsConfirmedAnew(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		d := w.fuel("C/1")
		d.BuyerTaxID = "5260250274"
		i := w.added(t, invoices.Partner, w.drivers[0], w.picture(), &d)
		approve := func(accept ...string) error {
			return w.db.Write(ctx, anna, func(tx *db.Tx) (err error) {
				now := w.of(t, i.ID)
				_, err = w.Describe(tx, invoices.Partner, i.ID, invoices.Change{Version: now.Version, Details: d, Action: invoices.Approve, Accept: accept})
				return err
			})
		}
		if err := approve(); !errors.Is(err, invoices.ErrConfirm) {
			t.Fatal(err)
		}
		if err := approve("BUYER_NOT_PARTNER"); err != nil {
			t.Fatal(err)
		}
		w.describe(t, invoices.Partner, w.of(t, i.ID), d, invoices.Reopen)
		d.BuyerTaxID = "1132191233"
		if err := approve(); !errors.Is(err, invoices.ErrConfirm) {
			t.Errorf("another buyer is not asked about: %v", err)
		}
	})
}

func TestPartnerDescribes_WhereDriversMayNot(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE partner_profiles SET drivers_describe = FALSE WHERE tenant_id = $1`)
			return err
		})
		d := w.fuel("P/1")
		i := w.added(t, invoices.Driver(w.drivers[0]), "", w.picture(), &d)
		if i.State != invoices.Uploaded || i.WaitsFor != invoices.ByPartner {
			t.Fatalf("%s, waits for %s", i.State, i.WaitsFor)
		}
		w.read(t)
		i = w.of(t, i.ID)
		w.refused(t, invoices.ErrNotDriver, func(tx *db.Tx) error {
			_, err := w.Describe(tx, invoices.Driver(w.drivers[0]), i.ID, invoices.Change{Version: i.Version, Details: d, Action: invoices.Submit})
			return err
		})
		w.refused(t, invoices.ErrNotFound, func(tx *db.Tx) error {
			_, err := invoices.Of(tx, i.ID, w.drivers[1])
			return err
		})
		w.write(t, func(tx *db.Tx) error { _, err := w.Feedback(tx, i.ID, "Opisz sam.", true); return err })
		w.describe(t, invoices.Driver(w.drivers[0]), w.of(t, i.ID), d, invoices.Submit)
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE partner_profiles SET function2 = FALSE, function3 = FALSE WHERE tenant_id = $1`)
			return err
		})
		r := w.received(t, w.picture())
		w.refused(t, invoices.ErrOff, func(tx *db.Tx) error { _, err := w.Add(tx, invoices.Driver(w.drivers[0]), "", r, nil); return err })
	})
}

// An invoice of a week without work goes with the next week that has some, whichever week is looked at.
func TestInvoice_OfAQuietWeekStandsInOneWeekOnly(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		driver := w.drivers[0]
		d := w.fuel("Q/1")
		d.IssuedOn, d.SoldOn = "2026-10-21", "2026-10-21"
		i := w.added(t, invoices.Partner, driver, w.picture(), &d)
		w.describe(t, invoices.Partner, i, i.Details, invoices.Approve)
		if f := w.figures(t, driver, "2026-W43"); f[engine.VATReturn] != 23_00 {
			t.Errorf("alone it brings %v in its own week", f[engine.VATReturn])
		}
		w.worked(t, driver, "2026-10-28", 1000_00)
		if f := w.figures(t, driver, "2026-W43"); f[engine.VATReturn] != 0 {
			t.Errorf("it stands in two weeks: %v", f[engine.VATReturn])
		}
		if f := w.figures(t, driver, "2026-W44"); f[engine.VATReturn] != 23_00 {
			t.Errorf("it brings %v with the next week", f[engine.VATReturn])
		}
		w.settle(t, "2026-W44", driver)
		// a late invoice of a settled week makes a supplementary settlement
		late := w.fuel("LATE/77")
		next := w.added(t, invoices.Partner, driver, w.picture(), &late)
		w.describe(t, invoices.Partner, next, next.Details, invoices.Approve)
		w.settle(t, "2026-W44", driver)
		if got := w.of(t, next.ID); got.SettlementID == "" {
			t.Error("a late invoice was not settled")
		}
		w.verified(t)
	})
}

// Merged, the invoices of both are settled with who was kept; undone, what is not settled is everybody's own again.
func TestMergedDrivers_AreSettledWithTheirInvoices(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		kept, other := w.drivers[0], w.drivers[1]
		w.worked(t, kept, "2026-10-28", 1000_00)
		d := w.fuel("M/1")
		i := w.added(t, invoices.Partner, other, w.picture(), &d)
		w.describe(t, invoices.Partner, i, i.Details, invoices.Approve)
		id := ""
		w.write(t, func(tx *db.Tx) (err error) {
			id, err = merge.Drivers(tx, w.book, merge.Order{Kept: kept, Other: other, KeptVersion: 1, OtherVersion: 1})
			return err
		})
		if f := w.figures(t, kept, "2026-W44"); f[engine.VATReturn] != 23_00 {
			t.Errorf("merged, the kept driver gets %v back", f[engine.VATReturn])
		}
		settlement := w.settle(t, "2026-W44", kept)
		if got := w.of(t, i.ID); got.SettlementID != settlement {
			t.Fatalf("taken by %q", got.SettlementID)
		}
		w.verified(t)
		w.write(t, func(tx *db.Tx) error { return w.settling.Revoke(tx, settlement, "again") })
		w.write(t, func(tx *db.Tx) error { return merge.Undo(tx, w.book, id) })
		if f := w.figures(t, kept, "2026-W44"); f[engine.VATReturn] != 0 {
			t.Errorf("undone, the kept driver still gets %v back", f[engine.VATReturn])
		}
		if f := w.figures(t, other, "2026-W44"); f[engine.VATReturn] != 23_00 {
			t.Errorf("undone, the other gets %v back", f[engine.VATReturn])
		}
	})
}

func TestThirtyTwoClients_WithOneNumberMakeOneInvoice(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		var made, refused atomic.Int64
		var together sync.WaitGroup
		for n := range 32 { // half of them upload with the number, half describe what is there
			d := w.fuel("RACE/1")
			d.IssuedOn = calendar.Date(fmt.Sprintf("2026-10-%02d", n%28+1)) // no two of one day and amount
			d.SoldOn = ""
			var act func(tx *db.Tx) error
			if n%2 == 0 {
				r := w.received(t, w.picture())
				act = func(tx *db.Tx) error {
					_, err := w.Add(tx, invoices.Partner, w.drivers[n/2%2], r, &invoices.Form{Details: d})
					return err
				}
			} else {
				i := w.added(t, invoices.Partner, w.drivers[n/2%2], w.picture(), nil)
				act = func(tx *db.Tx) error {
					_, err := w.Describe(tx, invoices.Partner, i.ID, invoices.Change{Version: i.Version, Details: d, Action: invoices.Submit})
					return err
				}
			}
			together.Go(func() {
				for {
					err := w.db.Write(ctx, anna, act)
					var f *fault.Fault
					switch {
					case err == nil:
						made.Add(1)
					case errors.Is(err, invoices.ErrSameNumber):
						refused.Add(1)
					case errors.Is(err, invoices.ErrChanged), errors.As(err, &f) && f.Kind == fault.Busy:
						continue // asked again, the answer says what
					default:
						t.Error(err)
					}
					return
				}
			})
		}
		together.Wait()
		if made.Load() != 1 || refused.Load() != 31 {
			t.Errorf("%d stand, %d were refused", made.Load(), refused.Load())
		}
	})
}

// Two instances take 200 uploads at once: none is lost, and each file is read once.
func TestTwoHundredUploads_AreEachReadOnce(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		count := 200
		var stop []func()
		for range 2 {
			d := testkit.Open(t, w.settings)
			one := &invoices.Service{DB: d, Blobs: w.Blobs, Instance: w.Instance, Reader: w.Reader}
			q := jobs.NewQueue(d, slog.New(slog.DiscardHandler))
			q.Poll = 10 * time.Millisecond
			q.Handle(invoices.ReadKind, one.Read)
			q.OnFailure(invoices.ReadKind, one.OnReadFailure)
			q.Alone(invoices.ReadKind)
			running, cancel := context.WithCancel(ctx)
			ended := make(chan struct{})
			go func() { defer close(ended); q.Run(running, 3) }()
			stop = append(stop, func() { cancel(); <-ended })
		}
		var together sync.WaitGroup
		for client := range 8 {
			together.Go(func() {
				for range count / 8 {
					r := w.received(t, w.picture())
					if err := w.db.Write(ctx, anna, func(tx *db.Tx) error {
						_, err := w.Add(tx, invoices.Partner, w.drivers[client%2], r, nil)
						return err
					}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		together.Wait()
		testkit.Eventually(t, "everything read", func() bool {
			left := int64(1)
			testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
				left, err = db.One[int64](tx, `SELECT COUNT(*) FROM invoice_images WHERE tenant_id = $1 AND state = 'uploaded'`)
				return err
			})
			return left == 0
		})
		for _, end := range stop {
			end()
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			all, err := db.One[int64](tx, `SELECT COUNT(*) FROM invoice_images WHERE tenant_id = $1 AND state = 'to_describe'`)
			if err != nil {
				return err
			}
			read, err := db.One[int64](tx, `SELECT COUNT(*) FROM invoice_readings WHERE tenant_id = $1 AND state = 'done'`)
			if all != int64(count) || read != int64(count) {
				t.Errorf("%d invoices, %d readings", all, read)
			}
			return err
		})
	})
}

// What the form is told before saving is what saving says, for whatever is typed.
func TestVerify_RefusesWhatSavingRefuses(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		standing := w.fuel("STAND/1")
		w.added(t, invoices.Partner, w.drivers[0], w.picture(), &standing)
		numbers := []string{"", "STAND/1", "stand/1", "N/1", strings.Repeat("9", 41), "N-2"}
		issuers := []string{"", "4269910234", "4269910235", own, "DE781453845", "PL4269910234", "5260250274"}
		days := []calendar.Date{"", "2026-10-28", "2026-02-30", "2027-01-01", "2020-01-01"}
		amounts := [][4]money.Amount{{100_00, 23_00, 0, 123_00}, {100_00, 23_00, 0, 124_00}, {0, 0, 0, 0}, {100_00, 8_00, 0, 108_00},
			{-100_00, -23_00, 0, -123_00}, {200_00, 23_00, 8_00, 231_00}, {1 << 40, 0, 0, 1 << 40}}
		random := 0
		for range testkit.Times(500, 5000) {
			random = (random*1103515245 + 12345) & 0x7fffffff
			pick := func(n, of int) int { return random >> (3 * n) % of }
			a := amounts[pick(4, len(amounts))]
			d := invoices.Details{Number: numbers[pick(1, len(numbers))], IssuerTaxID: issuers[pick(2, len(issuers))],
				IssuedOn: days[pick(3, len(days))], Net: a[0], VATStandard: a[1], VATReduced: a[2], Gross: a[3], BuyerTaxID: own}
			if pick(5, 7) == 0 {
				d.CorrectedNumber = "OLD/1"
			}
			if pick(6, 11) == 0 {
				d.Currency = "EUR"
			}
			err := w.db.Write(ctx, anna, func(tx *db.Tx) error {
				found, err := w.Verify(tx, invoices.Partner, d, "")
				if err != nil {
					return err
				}
				refuses := slices.ContainsFunc(found, func(f invoices.Finding) bool { return f.Severity == "refuse" })
				r := invoices.Received{ID: tx.NewID(), File: invoices.File{FileVersion: 1, ContentHash: tx.NewID(), FileName: "x", FileType: "image/png"}}
				i, err := w.Add(tx, invoices.Partner, w.drivers[0], r, nil)
				if err != nil {
					return err
				}
				_, saved := w.Describe(tx, invoices.Partner, i.ID, invoices.Change{Version: i.Version, Details: d, Action: invoices.Submit})
				if refuses != (saved != nil) {
					t.Errorf("%+v: the form says %v, saving says %v", d, found, saved)
				}
				return errUndone
			})
			if !errors.Is(err, errUndone) {
				t.Fatal(err)
			}
			if t.Failed() {
				return
			}
		}
	})
}

var errUndone = errors.New("nothing is kept")
