package feeds_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/connections"
	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/drive"
	"saldo/internal/platform/outbound"
	"saldo/internal/testkit"
)

func TestFetch_TenOverlappingDaysBringEachRowOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for d := range 10 {
			w.refuel(today.AddDays(-d), 3)
		}
		w.connect(t, 0, false)
		w.fetch(t, connections.Orlen)
		same(t, "first night", w.states(t), "preview")
		file := w.files(t)[0]
		same(t, "marked", file.Source+" "+file.FileName+" "+file.Provider, "fuel.orlen orlen-2026-11-05-2026-11-15.csv ORLEN")
		same(t, "told", w.last(t, connections.Orlen).RowCount, 30)
		w.confirm(t, 0)
		same(t, "booked", w.booked(t), 30)

		w.fetch(t, connections.Orlen) // the very same bytes
		w.night(t)                    // other bytes, the same rows
		same(t, "second night", w.states(t), "success")
		same(t, "booked", w.booked(t), 30)
		same(t, "new", w.last(t, connections.Orlen).NewCount, 0)

		w.connector.Book(testkit.Refuelling{Card: cardOf(1), On: today.AddDays(-5), Gross: 77_00, Bill: "WZ/late"}) // booked late
		w.night(t)
		same(t, "third night", w.states(t), "success preview")
		same(t, "new", w.last(t, connections.Orlen).NewCount, 1)
		w.confirm(t, 1)
		w.night(t)
		same(t, "booked once", w.booked(t), 31)
		same(t, "files", w.states(t), "success success")
	})
}

func TestFetch_BringsAgainWhatWasRemovedOrCancelled(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.refuel(today, 3)
		w.connect(t, 0, false)
		w.fetch(t, connections.Orlen)
		w.confirm(t, 0)
		removed := w.files(t)[0].ID
		testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { _, err := imports.Remove(tx, removed); return err })
		w.fetch(t, connections.Orlen)
		same(t, "after its import was removed", w.states(t), "removed preview")
		cancelled := w.files(t)[1].ID
		testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { return imports.Cancel(tx, cancelled) })
		w.fetch(t, connections.Orlen)
		same(t, "after its preview was cancelled", w.states(t), "removed cancelled preview")
		w.fetch(t, connections.Orlen)
		same(t, "while it waits", w.states(t), "removed cancelled preview")
		w.confirm(t, 2)
		w.fetch(t, connections.Orlen)
		same(t, "once it is booked", w.states(t), "removed cancelled success")
		same(t, "booked", w.booked(t), 3)
	})
}

// A partner who is away for a month finds one file that waits, with everything in it, not thirty.
func TestFetch_ALaterFileReplacesTheOnesThatNobodyConfirmed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.refuel(today, 1)
		w.connect(t, 0, false)
		w.fetch(t, connections.Orlen)
		for n := range 30 {
			w.refuel(today.AddDays(n+1), 1)
			w.night(t)
		}
		w.night(t) // nothing new since
		same(t, "files", w.states(t), strings.Repeat("cancelled ", 31)+"preview")
		same(t, "reasons", w.reasons(t), strings.Repeat("waits:replaced ", 31)+"waits:not_allowed")
		asked := w.connector.Asked()
		same(t, "asked", asked[len(asked)-1], "2026-11-05/2026-12-16")
		w.confirm(t, 31)
		same(t, "booked", w.booked(t), 31)
		w.night(t)
		asked = w.connector.Asked()
		same(t, "asked once it is confirmed", asked[len(asked)-1], "2026-12-06/2026-12-17")
	})
}

func TestFetch_AFileThatSomebodyReadAnewIsNotReplaced(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.refuel(today, 1)
		w.connect(t, 0, false)
		w.fetch(t, connections.Orlen)
		touched := w.files(t)[0].ID
		testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
			_, err := imports.ReadAgain(tx, touched, &imports.Order{Chosen: "ORLEN", MergeByName: true})
			return err
		})
		w.settle(t)
		w.refuel(today.AddDays(1), 1)
		w.night(t)
		same(t, "files", w.states(t), "preview preview")
		w.confirm(t, 0)
		w.confirm(t, 1)
		same(t, "booked", w.booked(t), 2)
	})
}

// Of two people one confirms the file before, as the next one comes: it counts once.
func TestFetch_AFileThatIsConfirmedMeanwhileIsNotReplaced(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.refuel(today, 2)
		w.connect(t, 0, false)
		w.fetch(t, connections.Orlen)
		w.refuel(today.AddDays(1), 1)
		w.Clock.Pass(24 * time.Hour)
		first := w.files(t)[0].ID
		w.enqueueLook(t)
		err := w.Fleet.DB.Write(t.Context(), anna, func(tx *db.Tx) error {
			_, err := w.Imports.Confirm(tx, first, imports.ConfirmOptions{})
			return err
		})
		w.settle(t)
		left := len(w.files(t)) - 1
		if i := w.files(t)[left]; i.Status == imports.InPreview {
			w.confirm(t, left)
		}
		if err != nil && w.files(t)[0].Status != imports.Cancelled {
			t.Error(err, w.states(t))
		}
		same(t, "booked", w.booked(t), 3)
	})
}

func TestFetch_AsksForTheDaysThatWereMissed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, 0, false)
		w.look(t)
		w.Clock.Pass(30 * 24 * time.Hour)
		w.look(t)
		w.Clock.Pass(200 * 24 * time.Hour)
		w.look(t)
		asked := strings.Join(w.connector.Asked()[1:], " ")
		same(t, "asked", asked, "2026-11-05/2026-11-15 2026-11-05/2026-12-15 2027-04-02/2027-07-03")
	})
}

func TestFetch_OnceANightByTheClockOnTheWall(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, 0, false)
		w.look(t)
		start := w.Clock.Now()
		// A year of quarters of an hour has both changes of the clock; the week around each is enough.
		for _, around := range []time.Time{time.Date(2027, 3, 27, 0, 0, 0, 0, time.UTC), time.Date(2027, 10, 30, 0, 0, 0, 0, time.UTC)} {
			w.Clock.Pass(around.Sub(w.Clock.Now()))
			w.look(t)
			before := len(w.connector.Asked())
			var at []string
			for range 3 * 24 * 4 {
				w.Clock.Pass(15 * time.Minute)
				asked := len(w.connector.Asked())
				w.look(t)
				if len(w.connector.Asked()) > asked {
					at = append(at, w.Clock.Now().In(w.Fleet.Instance.Location()).Format("15"))
				}
			}
			if n := len(w.connector.Asked()) - before; n != 3 || strings.Trim(strings.Join(at, ""), "045") != "" {
				t.Errorf("three nights from %v: asked %d times, at %v", around, n, at)
			}
		}
		if !w.Clock.Now().After(start) {
			t.Error("the clock stood still")
		}
	})
}

func TestFetch_AWrongPasswordIsTriedOnceAndTold(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		wrong := connections.Change{Password: "hunter3", Public: connections.Public{FleetNumber: w.connector.Fleet, Account: "anna"}}
		if _, err := w.Connections.Prepare(t.Context(), anna, connections.Orlen, wrong); err == nil {
			t.Error("a wrong password was kept")
		}
		same(t, "logins with the wrong one", w.connector.Logins("hunter3"), 1)
		w.connect(t, 0, false)
		w.connector.SetPassword("changed at the other side")
		before := w.connector.Logins(testkit.DrivePassword)
		for range 3 {
			w.night(t)
		}
		same(t, "logins", w.connector.Logins(testkit.DrivePassword)-before, 1)
		if c := w.connection(t, connections.Orlen); c.State != connections.Stopped || c.Reason != drive.Denied {
			t.Errorf("%+v", c)
		}
		same(t, "mails", w.count(t, `SELECT COUNT(*) FROM mails WHERE tenant_id = $1`), 1)
		if err := w.Fleet.DB.Write(t.Context(), anna, func(tx *db.Tx) error { return w.Ask(tx, connections.Orlen) }); err == nil {
			t.Error("a stopped connection was asked")
		}
	})
}

func TestFetch_TwoInstancesFetchOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.refuel(today, 3)
		w.connect(t, 0, false)
		before := len(w.connector.Asked())
		second := testkit.Open(t, w.Fleet.Settings)
		other := w.service(second)
		w.work(t, second, other)
		var both sync.WaitGroup
		for _, d := range []*db.DB{w.Fleet.DB, second} {
			both.Go(func() {
				for range 5 {
					if err := d.Write(t.Context(), access.Program("test"), lookNow); err != nil {
						t.Error(err)
					}
				}
			})
		}
		both.Wait()
		w.settle(t)
		same(t, "asked", len(w.connector.Asked())-before, 1)
		same(t, "files", w.states(t), "preview")
	})
}

func TestFetch_BringsNothingOfARemovedConnection(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.refuel(today, 3)
		w.connect(t, 0, false)
		w.connector.When(func(http.ResponseWriter, *http.Request) bool {
			if err := w.Fleet.DB.Write(t.Context(), anna, func(tx *db.Tx) error { return connections.Remove(tx, connections.Orlen) }); err != nil {
				t.Error(err)
			}
			return false
		})
		w.fetch(t, connections.Orlen)
		same(t, "files", w.states(t), "")
		w.connector.When(nil)
		w.night(t)
		same(t, "files", w.states(t), "")
		w.connect(t, 0, false) // it is connected anew, and brings what is new
		w.fetch(t, connections.Orlen)
		same(t, "files", w.states(t), "preview")
	})
}

func TestFetch_FaultsOfTheOtherSide(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		elsewhere := testkit.NewConnector(t)
		w.refuel(today, 3)
		w.connect(t, 0, false)
		for _, c := range []struct {
			name    string
			answer  func(rw http.ResponseWriter, r *http.Request)
			problem drive.Problem
			state   connections.State
		}{
			{"redirect to another host", func(rw http.ResponseWriter, r *http.Request) {
				http.Redirect(rw, r, elsewhere.URL+r.URL.String(), http.StatusTemporaryRedirect)
			}, drive.Unexpected, connections.Failing},
			{"page for people", func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Content-Type", "text/html")
				_, _ = io.WriteString(rw, "<h1>Zaloguj się</h1>")
			}, drive.Unexpected, connections.Failing},
			{"out of order", func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusBadGateway) }, drive.Away, connections.Failing},
			{"too often", func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusTooManyRequests) }, drive.Busy, connections.Failing},
			{"cut in the middle", func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Content-Length", "1000")
				_, _ = io.WriteString(rw, "Zestawienie")
				panic(http.ErrAbortHandler)
			}, drive.Away, connections.Failing},
			{"20 MB and a byte", func(rw http.ResponseWriter, _ *http.Request) {
				_, _ = io.CopyN(rw, zeros{}, connections.FileMost+1)
			}, drive.TooLarge, connections.Stopped},
		} {
			w.connector.When(func(rw http.ResponseWriter, r *http.Request) bool { c.answer(rw, r); return true })
			w.fetch(t, connections.Orlen)
			if found := w.connection(t, connections.Orlen); found.Reason != c.problem || found.State != c.state {
				t.Errorf("%s: %s %s", c.name, found.State, found.Reason)
			}
			same(t, c.name, w.states(t), "")
		}
		same(t, "asked elsewhere", elsewhere.Logins(testkit.DrivePassword), 0)
		w.connector.When(nil)
		w.connect(t, 1, false)
		w.fetch(t, connections.Orlen)
		same(t, "then", w.states(t), "preview")
	})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestFetch_ReachesNoPrivateNetwork(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, 0, false)
		before := w.connector.Logins(testkit.DrivePassword)
		w.Connections.Allowed = outbound.Public
		w.fetch(t, connections.Orlen)
		if c := w.connection(t, connections.Orlen); c.State != connections.Stopped || c.Reason != drive.Private {
			t.Errorf("%+v", c)
		}
		same(t, "logins", w.connector.Logins(testkit.DrivePassword), before)
	})
}

// A slow issuer holds up the answer to a trial no longer than a person waits, and nobody else at all.
func TestFetch_ASlowIssuerHoldsUpNobody(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.refuel(today, 3)
		w.connect(t, 0, false)
		arrived, open := make(chan struct{}), make(chan struct{})
		w.connector.When(func(http.ResponseWriter, *http.Request) bool { close(arrived); <-open; return false })
		testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { return w.Ask(tx, connections.Orlen) })
		<-arrived
		same(t, "asked", w.last(t, connections.Orlen).Asked, true)
		w.driver(t, "Nowak", fmt.Sprint("70", 1)) // while the other side is silent
		close(open)
		w.connector.When(nil)
		w.settle(t)
		same(t, "then", w.states(t), "preview")
	})
}
