package settlements_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
)

// TestManyClientsNeverSettleTwiceNorPassTheLicence has 32 clients settle the same drivers, all of them, some or one, with units for half of them:
// exactly as many are settled as there are units, nobody twice, and every run tells exactly what it did.
func TestManyClientsNeverSettleTwiceNorPassTheLicence(t *testing.T) {
	const clients = 32
	drivers, rounds := 200, 1
	if testkit.Soak() > 1 {
		drivers, rounds = 2000, testkit.Soak()
	}
	for _, c := range []struct {
		name, engine string
		instances    int
	}{{"sqlite", "sqlite", 1}, {"postgres", "postgres", 1}, {"postgres, two instances", "postgres", 2}} {
		t.Run(c.name, func(t *testing.T) {
			fixtures := []*fixture{newFixture(t, c.engine)}
			for len(fixtures) < c.instances {
				other := *fixtures[0]
				other.db = testkit.Open(t, other.settings)
				fixtures = append(fixtures, &other)
			}
			for _, w := range fixtures {
				w.work(t)
			}
			for round := range rounds {
				r := &rush{tenant: fmt.Sprint("fleet-", round), fixtures: fixtures, settled: map[string]int64{}}
				r.found(t, drivers)
				var working sync.WaitGroup
				for n := range clients {
					working.Go(func() { r.client(t, n) })
				}
				working.Wait()
				r.check(t, drivers)
			}
		})
	}
}

// rush is one fleet that everybody settles at once.
type rush struct {
	tenant   string
	fixtures []*fixture
	ids      []string

	mutex   sync.Mutex
	settled map[string]int64 // what every run said of itself
}

func (r *rush) clerk(n int) access.Actor {
	return access.Actor{Role: access.Partner, Tenant: r.tenant, ID: fmt.Sprint("clerk-", n), Name: fmt.Sprint("Clerk ", n)}
}

func (r *rush) found(t *testing.T, count int) {
	t.Helper()
	w := r.fixtures[0]
	testkit.Write(t, w.db, access.ProgramFor(r.tenant, "test"), func(tx *db.Tx) (err error) {
		if err := partners.Found(tx, partners.Partner{Code: r.tenant, Name: r.tenant, Color: "#0B5D68"}, int64(count/2)); err != nil {
			return err
		}
		added := make([]drivers.NewDriver, count)
		for i := range added {
			added[i].Details = drivers.Details{FirstName: fmt.Sprintf("Jan %04d", i), LastName: "Nowak", SummaryLanguage: "pl"}
		}
		if r.ids, err = w.book.AddMany(tx, added); err != nil {
			return err
		}
		_, err = ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
			for i, id := range r.ids {
				for day := range 3 {
					if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: id, Provider: "UBER", Type: "TRIP", OccurredOn: w45.Monday().AddDays(day), Amount: 100_00, Currency: "PLN", Source: "import", SourceRow: int64(i)}) {
						return
					}
				}
			}
		})
		return err
	})
	w.counted(t)
}

// client settles until no unit is left, in every way there is.
func (r *rush) client(t *testing.T, n int) {
	random := rand.New(rand.NewPCG(32, uint64(n)))
	w, who := r.fixtures[n%len(r.fixtures)], r.clerk(n)
	for range 400 {
		selection := of(w45)
		switch random.IntN(8) {
		case 0: // all
		case 1, 2, 3:
			from := random.IntN(len(r.ids))
			selection.Drivers = r.ids[from:min(from+1+random.IntN(60), len(r.ids))]
		default:
			selection.Drivers = []string{r.ids[random.IntN(len(r.ids))]}
		}
		left, err := r.attempt(w, who, selection)
		if err != nil {
			t.Errorf("client %d: %v", n, err)
			return
		}
		if left == 0 {
			return
		}
	}
}

// attempt is one dry run that is started and ends.
func (r *rush) attempt(w *fixture, who access.Actor, selection settlements.Selection) (left int64, err error) {
	var p settlements.Preview
	err = w.db.Read(ctx, who, func(tx *db.Tx) (err error) {
		if left, err = licences.Left(tx); err != nil {
			return err
		}
		p, err = w.Preview(tx, selection)
		return err
	})
	if errors.Is(err, settlements.ErrNothing) {
		return left, nil
	}
	if err != nil {
		return 0, err
	}
	var run settlements.Run
	if err := again(func() error { return w.db.Write(ctx, who, func(tx *db.Tx) error { return p.Keep(tx) }) }); err != nil {
		return 0, err
	}
	if err := again(func() error {
		return w.db.Write(ctx, who, func(tx *db.Tx) (err error) {
			run, err = w.Start(tx, p.ID, settlements.StartOptions{Partial: true})
			return err
		})
	}); err != nil {
		return 0, err
	}
	for ended := time.Now().Add(5 * time.Minute); run.State == settlements.RunRunning; time.Sleep(20 * time.Millisecond) {
		if err := w.db.Read(ctx, who, func(tx *db.Tx) (err error) { run, err = settlements.RunOf(tx, p.ID); return err }); err != nil {
			return 0, err
		}
		if time.Now().After(ended) {
			return 0, context.DeadlineExceeded
		}
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.settled[p.ID] = run.Settled
	return left, nil
}

// again tries what lost against others too often, as a client does that was told so.
func again(do func() error) (err error) {
	for range 50 {
		if err = do(); !errors.Is(err, db.ErrContended) {
			return err
		}
	}
	return err
}

func (r *rush) check(t *testing.T, drivers int) {
	t.Helper()
	w := r.fixtures[0]
	var answers int64
	for _, n := range r.settled {
		answers += n
	}
	testkit.Read(t, w.db, r.clerk(0), func(tx *db.Tx) error {
		made, err := db.Select[struct {
			RunID string
			N     int64
		}](tx, `SELECT run_id, COUNT(*) AS n FROM settlements WHERE tenant_id = $1 GROUP BY run_id`)
		if err != nil {
			return err
		}
		for _, m := range made {
			if r.settled[m.RunID] != m.N {
				t.Errorf("a run said %d and made %d", r.settled[m.RunID], m.N)
			}
		}
		twice, err := db.One[int64](tx, `SELECT COUNT(*) FROM (SELECT driver_id FROM settlements WHERE tenant_id = $1 GROUP BY driver_id HAVING COUNT(*) > 1) AS x`)
		if err != nil {
			return err
		}
		left, err := licences.Left(tx)
		if answers != int64(drivers/2) || twice != 0 || left != 0 {
			t.Errorf("%d settled, %d twice, %d units left", answers, twice, left)
		}
		problems, verifying := w.Verify(tx)
		for _, p := range problems {
			t.Error(p)
		}
		return errors.Join(err, verifying)
	})
}
