package invoices_test

import (
	"slices"
	"testing"

	"saldo/internal/invoices"
	"saldo/internal/invoices/reading"
	"saldo/internal/platform/db"
)

// poor is a file that was read, better one of the same invoice that says something else.
const poor, better = "pl_classic-01.pdf", "pl_repair-02.pdf"

// readOf is what a form shows after a file was read for it.
func (w *fixture) readOf(t *testing.T, name string) invoices.Details {
	t.Helper()
	i := w.added(t, invoices.Partner, w.drivers[0], sample(t, name), nil)
	w.read(t)
	i = w.of(t, i.ID)
	w.write(t, func(tx *db.Tx) error { return w.Delete(tx, invoices.Partner, i.ID) })
	return i.Details
}

func (w *fixture) replaced(t *testing.T, who invoices.Person, i invoices.Invoice, name string) invoices.Invoice {
	t.Helper()
	r := w.received(t, sample(t, name))
	w.write(t, func(tx *db.Tx) (err error) { i, err = w.Replace(tx, who, i.ID, i.Version, r); return err })
	w.read(t)
	return w.of(t, i.ID)
}

// eachClient runs a test as a program that says which fields a person typed, and as an older one that does not.
func eachClient(t *testing.T, test func(t *testing.T, w *fixture, typed func(fields ...string) []string)) {
	t.Helper()
	for name, typed := range map[string]func(...string) []string{
		"says what was typed": func(fields ...string) []string { return append([]string{}, fields...) },
		"says only values":    func(...string) []string { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *fixture) { test(t, w, typed) })
		})
	}
}

// A form is sent with everything that was read, and one field that the driver corrected. A better file brings its own values; the
// corrected field stays.
func TestBetterFile_ReplacesWhatNobodyTyped(t *testing.T) {
	eachClient(t, func(t *testing.T, w *fixture, typed func(...string) []string) {
		driver := invoices.Driver(w.drivers[0])
		want := w.readOf(t, better)
		d := w.readOf(t, poor)
		d.IssuerName, d.Category = "Stacja Zielona", "fuel"
		r := w.received(t, sample(t, poor))
		var i invoices.Invoice
		w.write(t, func(tx *db.Tx) (err error) {
			i, err = w.Add(tx, driver, "", r, &invoices.Form{Details: d, Typed: typed(reading.IssuerName, "category")})
			return err
		})
		if i.State != invoices.ToVerify || !slices.Equal(i.Touched, []string{"category", reading.IssuerName}) {
			t.Fatalf("sent it is %s, typed %v", i.State, i.Touched)
		}
		w.write(t, func(tx *db.Tx) error { _, err := w.Reject(tx, i.ID, "unreadable", ""); return err })
		i = w.replaced(t, driver, w.of(t, i.ID), better)
		if i.IssuerName != "Stacja Zielona" || i.Category != "fuel" {
			t.Errorf("what was typed became %q, %q", i.IssuerName, i.Category)
		}
		want.IssuerName, want.Category = i.IssuerName, i.Category
		if i.Details != want {
			t.Errorf("with a better file\n%+v, not\n%+v", i.Details, want)
		}
	})
}

// A partner saves a form with what was read in it. Amounts belong together: beside one that was corrected none is read.
func TestBetterFile_KeepsWhatThePartnerCorrected(t *testing.T) {
	eachClient(t, func(t *testing.T, w *fixture, typed func(...string) []string) {
		want := w.readOf(t, better)
		i := w.added(t, invoices.Driver(w.drivers[0]), "", sample(t, poor), nil)
		w.read(t)
		i = w.of(t, i.ID)
		d := i.Details
		d.Gross += 1_00
		d.SoldOn = ""
		w.write(t, func(tx *db.Tx) (err error) {
			i, err = w.Describe(tx, invoices.Partner, i.ID, invoices.Change{Version: i.Version, Action: invoices.Save,
				Details: d, Typed: typed(reading.Gross, reading.SaleDate)})
			return err
		})
		i = w.replaced(t, invoices.Partner, i, better)
		if i.Gross != d.Gross || i.Net != 0 || i.VATStandard != 0 {
			t.Errorf("gross %v with net %v and VAT %v, typed was %v alone", i.Gross, i.Net, i.VATStandard, d.Gross)
		}
		if i.Number != want.Number || i.IssuerTaxID != want.IssuerTaxID || i.IssuedOn != want.IssuedOn {
			t.Errorf("what nobody typed is %q by %q of %s", i.Number, i.IssuerTaxID, i.IssuedOn)
		}
		if want.SoldOn == "" || i.SoldOn != want.SoldOn {
			t.Errorf("what was emptied on the old file is %q, the better one says %q", i.SoldOn, want.SoldOn)
		}
	})
}

// A better file may come with the form that still shows what was read from the old one, and may have been read before.
func TestBetterFile_SentWithTheOldForm(t *testing.T) {
	eachClient(t, func(t *testing.T, w *fixture, typed func(...string) []string) {
		driver := invoices.Driver(w.drivers[0])
		want := w.readOf(t, better)
		i := w.added(t, driver, "", sample(t, poor), nil)
		w.read(t)
		i = w.of(t, i.ID)
		d := i.Details
		d.Description = "Paliwo"
		r := w.received(t, sample(t, better))
		w.write(t, func(tx *db.Tx) (err error) {
			i, err = w.Describe(tx, driver, i.ID, invoices.Change{Version: i.Version, Action: invoices.Save, File: &r,
				Details: d, Typed: typed("description")})
			return err
		})
		want.Description = "Paliwo"
		if i.Details != want || !slices.Equal(i.Touched, []string{"description"}) {
			t.Errorf("typed %v:\n%+v, not\n%+v", i.Touched, i.Details, want)
		}
	})
}

// What is emptied stays empty, however late the file is read; what a person typed as it was read is theirs where the form says so.
func TestTyped_HoldsAgainstALateReading(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		driver := invoices.Driver(w.drivers[0])
		d := w.readOf(t, poor)
		i := w.added(t, driver, "", sample(t, better), nil)
		w.write(t, func(tx *db.Tx) (err error) {
			i, err = w.Describe(tx, driver, i.ID, invoices.Change{Version: i.Version, Action: invoices.Save,
				Details: invoices.Details{Number: d.Number}, Typed: []string{reading.Number, reading.Registration}})
			return err
		})
		w.read(t)
		i = w.of(t, i.ID)
		if i.Number != d.Number || i.Registration != "" || i.Gross == 0 || i.IssuerTaxID == "" {
			t.Errorf("number %q, plate %q, gross %v by %q", i.Number, i.Registration, i.Gross, i.IssuerTaxID)
		}
		// looked at and typed again as it stands: it is the person's from now on
		w.write(t, func(tx *db.Tx) (err error) {
			i, err = w.Describe(tx, driver, i.ID, invoices.Change{Version: i.Version, Action: invoices.Save,
				Details: i.Details, Typed: []string{reading.IssuerTaxID, "no such field"}})
			return err
		})
		typed, issuer := []string{reading.IssuerTaxID, reading.Number, reading.Registration}, i.IssuerTaxID
		if !slices.Equal(i.Touched, typed) {
			t.Errorf("typed %v, not %v", i.Touched, typed)
		}
		if i = w.replaced(t, driver, i, poor); i.IssuerTaxID != issuer {
			t.Errorf("issuer %q was typed, a better file made it %q", issuer, i.IssuerTaxID)
		}
	})
}
