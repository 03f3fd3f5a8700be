package billing_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"saldo/internal/billing"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/testkit"
)

// register is what a filter of the register finds.
func (w *fixture) register(t testing.TB, f billing.Filter) (r billing.Register, numbers string) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { r, err = billing.Issuances(tx, f, 1, 50); return err })
	parts := []string{}
	for _, d := range r.Items {
		parts = append(parts, fmt.Sprint(d.Number, " ", d.State))
	}
	slices.Sort(parts)
	return r, strings.Join(parts, ", ")
}

func TestRegister_FindsByDayKindStateAndDriver(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		first, second := w.settled(t, w.details("pl")), w.settled(t, w.details("pl"))
		kept := w.issue(t, first, company)
		w.issue(t, second, company)
		w.clock.Pass(24 * 60 * 60 * 1e9)
		w.revoke(t, second)
		const one, two, three = "SF/NORTH/2026/11/1 issued", "SF/NORTH/2026/11/2 corrected", "SFK/NORTH/2026/11/1 issued"
		for _, c := range []struct {
			billing.Filter
			want string
		}{
			{billing.Filter{}, one + ", " + two + ", " + three},
			{billing.Filter{To: "2026-11-15"}, one + ", " + two},
			{billing.Filter{From: "2026-11-16"}, three},
			{billing.Filter{Kind: billing.Correction}, three},
			{billing.Filter{State: billing.CorrectedDoc}, two},
			{billing.Filter{State: billing.Issued}, one + ", " + three},
			{billing.Filter{Driver: w.kept(t, first).DriverID}, one},
			{billing.Filter{IDs: []string{kept.ID, "nothing"}}, one},
			{billing.Filter{IDs: []string{kept.ID, "nothing"}, Kind: billing.Invoice, State: billing.Issued, From: "2026-11-01", To: "2026-11-30"}, one},
			{billing.Filter{State: billing.RefusedState}, ""},
		} {
			if _, got := w.register(t, c.Filter); got != c.want {
				t.Errorf("%+v: %s", c.Filter, got)
			}
		}
		if r, _ := w.register(t, billing.Filter{}); r.Total != 3 || r.Gross != kept.Gross || r.VAT != kept.VAT || r.Net != kept.Net {
			t.Errorf("%+v", r)
		}
	})
}

// TestArchive_HasANameForEveryDocument has bills of several drivers, who count for themselves: number 1 each.
func TestArchive_HasANameForEveryDocument(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, rich)
		for range 3 {
			w.issue(t, w.settled(t, w.details("pl")), company)
		}
		w.rules(t, b2b(rules.B2BVAT))
		id := w.settled(t, w.details("pl"))
		w.issue(t, id, company)
		w.revoke(t, id)
		archived := func(f billing.Filter) ([]byte, error) {
			var content bytes.Buffer
			err := w.db.Read(ctx, anna, func(tx *db.Tx) error {
				a, err := w.Archive(tx, f)
				if err != nil {
					return err
				}
				content.Reset()
				return a.Write(&content, nil)
			})
			return content.Bytes(), err
		}
		content, err := archived(billing.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			t.Fatal(err)
		}
		names := []string{}
		for _, f := range z.File {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != "R-NORTH-2026-11-1-1.pdf R-NORTH-2026-11-1-2.pdf R-NORTH-2026-11-1-3.pdf SF-NORTH-2026-11-1-4.pdf SF-NORTH-2026-11-1-4.xml SFK-NORTH-2026-11-1-4.pdf SFK-NORTH-2026-11-1-4.xml" {
			t.Error(got)
		}
		if again, _ := archived(billing.Filter{}); !bytes.Equal(content, again) {
			t.Error("the same archive has other bytes")
		}
		if _, err := archived(billing.Filter{Driver: "nobody"}); !errors.Is(err, billing.ErrNotFound) {
			t.Error(err)
		}
	})
}
