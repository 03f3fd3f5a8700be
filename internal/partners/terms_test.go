package partners_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/testkit"
)

var (
	ctx      = context.Background()
	anna     = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna Mazurek"}
	bernd    = access.Actor{Role: access.Partner, Tenant: "south", ID: "bernd", Name: "Bernd"}
	operator = access.Program("operator")
)

type world struct {
	db    *db.DB
	clock *testkit.Clock
}

func each(t *testing.T, test func(t *testing.T, w world)) {
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			w := world{clock: testkit.NewClock()}
			s := testkit.Settings(t, engine)
			s.Clock = w.clock.Now
			w.db = testkit.Open(t, s)
			for _, who := range []access.Actor{anna, bernd} {
				testkit.Write(t, w.db, who, func(tx *db.Tx) error {
					return partners.Found(tx, partners.Partner{Code: who.Tenant, Name: who.Tenant, Color: "#0B5D68"}, 0)
				})
			}
			test(t, w)
		})
	}
}

func (w world) publish(version string) error {
	all := map[i18n.Language]partners.Text{}
	for _, l := range i18n.Languages {
		all[l] = partners.Text{Title: "Terms " + version + " " + string(l), Body: "…"}
	}
	return w.db.Write(ctx, operator, func(tx *db.Tx) error { return partners.PublishTerms(tx, version, all) })
}

func (w world) newest(t *testing.T, who access.Actor, l i18n.Language) (terms partners.Terms) {
	t.Helper()
	testkit.Read(t, w.db, who, func(tx *db.Tx) (err error) { terms, err = partners.NewestTerms(tx, l); return err })
	return terms
}

func (w world) accept(who access.Actor, version string) error {
	return w.db.Write(ctx, who, func(tx *db.Tx) error { return partners.AcceptTerms(tx, version) })
}

func TestTermsAreAcceptedByOnePartnerAndOneVersionAtATime(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		if err := w.accept(anna, ""); !errors.Is(err, partners.ErrNoTerms) {
			t.Errorf("accepted terms that do not exist: %v", err)
		}
		if err := w.publish("1"); err != nil {
			t.Fatal(err)
		}
		if got := w.newest(t, anna, i18n.Ukrainian); got.Title != "Terms 1 uk" || !got.AcceptedAt.IsZero() {
			t.Errorf("%+v", got)
		}
		w.clock.Pass(time.Hour)
		if err := w.accept(anna, "1"); err != nil {
			t.Fatal(err)
		}
		if got := w.newest(t, anna, i18n.Polish); !got.AcceptedAt.Equal(w.clock.Now()) || got.MemberName != "Anna Mazurek" {
			t.Errorf("%+v", got)
		}
		if got := w.newest(t, bernd, i18n.Polish); !got.AcceptedAt.IsZero() {
			t.Errorf("another partner accepted too: %+v", got)
		}
		first := w.clock.Now()
		w.clock.Pass(time.Hour)
		if err := w.accept(anna, "1"); err != nil || !w.newest(t, anna, i18n.Polish).AcceptedAt.Equal(first) {
			t.Errorf("the second time counts: %v", err)
		}
		if err := w.publish("2"); err != nil {
			t.Fatal(err)
		}
		if got := w.newest(t, anna, i18n.Polish); got.Version != "2" || !got.AcceptedAt.IsZero() {
			t.Errorf("new terms count as accepted: %+v", got)
		}
		if err := w.accept(anna, "1"); !errors.Is(err, partners.ErrTermsChanged) {
			t.Errorf("accepted unseen terms: %v", err)
		}
	})
}

func TestAPublishedVersionNeverChanges(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		if err := w.publish("1"); err != nil {
			t.Fatal(err)
		}
		if err := w.publish("1"); err == nil {
			t.Error("published twice")
		}
		err := w.db.Write(ctx, operator, func(tx *db.Tx) error {
			return partners.PublishTerms(tx, "2", map[i18n.Language]partners.Text{i18n.Polish: {Title: "Regulamin", Body: "…"}})
		})
		if err == nil || w.newest(t, anna, i18n.Polish).Version != "1" {
			t.Errorf("published in one language: %v", err)
		}
	})
}

func TestAcceptingAtTheSameMomentIsRecordedOnce(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		if err := w.publish("1"); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := w.accept(anna, "1"); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			n, err := db.One[int64](tx, `SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1 AND action = 'terms.accept'`)
			if n != 1 {
				t.Errorf("%d lines in the trail", n)
			}
			return err
		})
	})
}

func TestTwoPartnersCannotHaveOneCode(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		err := w.db.Write(ctx, access.ProgramFor("third", "operator"), func(tx *db.Tx) error {
			return partners.Found(tx, partners.Partner{Code: "north", Name: "Third", Color: "#0B5D68"}, 0)
		})
		if !errors.Is(err, partners.ErrCodeTaken) {
			t.Errorf("%v", err)
		}
	})
}
