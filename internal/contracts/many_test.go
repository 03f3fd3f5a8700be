package contracts_test

import (
	"testing"
	"time"

	"saldo/internal/contracts"
	"saldo/internal/drivers"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/testkit"
)

func (w *fixture) trial(t testing.TB, id string) contracts.Trial {
	t.Helper()
	tried, err := w.TryCountersign(ctx, func(do func(*db.Tx, contracts.Person) error) error {
		return w.db.Write(ctx, w.clerk, func(tx *db.Tx) error { return do(tx, w.boss()) })
	}, id)
	if err != nil {
		t.Fatal(err)
	}
	return tried
}

func TestTrials_SayWhatSigningWouldAndKeepNothing(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		c := w.signed(t)
		files := len(w.stored(t, c.ID))
		w.clerk.Proof.SignedInAt = w.clock.Now()
		tried := w.trial(t, c.ID)
		if tried.Refused != nil || !tried.AccountChanges || tried.AccountBefore != "" || tried.Account != "PL…2874" {
			t.Fatalf("%+v", tried)
		}
		if again := w.trial(t, c.ID); again.Refused != nil || again.Contract.Version != c.Version {
			t.Errorf("a second trial says %+v", again)
		}
		testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) error {
			d, err := drivers.Get(tx, w.Vault, w.drivers[0])
			if d.IBAN != "" || d.ContractNumber != "" {
				t.Errorf("a trial left %s %s", d.IBAN, d.ContractNumber)
			}
			return err
		})
		if now := len(w.stored(t, c.ID)); now != files {
			t.Errorf("%d files, before %d", now, files)
		}
		// whoever signed in long ago is told so, as signing would
		w.clock.Pass(10 * time.Minute)
		if late := w.trial(t, c.ID); late.Refused == nil || late.Refused.Code != web.ErrFreshLogin.Code {
			t.Errorf("%+v", late)
		}
		c, err := w.countersign(t, c)
		if err != nil || c.Number != "1/2026" {
			t.Fatalf("%v %s: a trial took a number", err, c.Number)
		}
		if done := w.trial(t, c.ID); done.Refused == nil || done.Refused.Code != contracts.ErrState.Code {
			t.Errorf("%+v", done)
		}
	})
}

func TestThePartnersList_HasGroupsAndWords(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		c := w.signed(t)
		list := func(f contracts.Filter) (p contracts.Page) {
			testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) (err error) { p, err = contracts.List(tx, f); return err })
			return p
		}
		if p := list(contracts.Filter{Group: "waiting", Query: "zak paw"}); p.Total != 1 || len(p.Contracts) != 1 || p.Counts["waiting"] != 1 {
			t.Errorf("%+v", p)
		}
		if p := list(contracts.Filter{Query: "bondar"}); p.Total != 0 || len(p.Contracts) != 0 {
			t.Errorf("%+v", p)
		}
		if _, err := w.countersign(t, c); err != nil {
			t.Fatal(err)
		}
		if p := list(contracts.Filter{Group: "waiting"}); p.Total != 0 || p.Counts["active"] != 1 {
			t.Errorf("%+v", p)
		}
		if p := list(contracts.Filter{Page: 2}); p.Total != 1 || len(p.Contracts) != 0 {
			t.Errorf("%+v", p)
		}
	})
}
