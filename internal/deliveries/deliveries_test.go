package deliveries_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"saldo/internal/billing"
	"saldo/internal/connections"
	"saldo/internal/deliveries"
	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
)

var anna = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna Mazurek"}

const week = calendar.Period("2026-W45")

type world struct {
	testkit.Fleet
	*deliveries.Service
	settlements *settlements.Service
	drive       *testkit.WebDAV
	queue       *jobs.Queue
	uploads     atomic.Int64
}

func newWorld(t *testing.T, engine string) *world {
	w := &world{Fleet: testkit.NewFleet(t, engine), drive: testkit.NewWebDAV(t)}
	w.drive.MakeFolder(t, "/files")
	w.settlements = &settlements.Service{Instance: w.Fleet.Instance, Imports: &imports.Service{DB: w.Fleet.DB, Instance: w.Fleet.Instance}}
	w.Service = &deliveries.Service{DB: w.Fleet.DB, Blobs: w.Fleet.Blobs, Instance: w.Fleet.Instance, Log: slog.New(slog.DiscardHandler),
		Billing: &billing.Service{Instance: w.Fleet.Instance, Vault: w.Vault, Settlements: w.settlements},
		Connections: &connections.Service{DB: w.Fleet.DB, Vault: w.Vault, Mails: mail.NewQueue(w.Vault, nil, mail.Address{Address: "saldo@saldo.example"}),
			PublicURL: "https://saldo.example", Instance: w.Fleet.Instance, Allowed: testkit.Nearby, Trust: w.drive.Trust()}}
	w.queue = jobs.NewQueue(w.Fleet.DB, slog.New(slog.DiscardHandler))
	w.queue.Poll = time.Millisecond
	w.Handle(w.queue)
	w.counted(nil)
	return w
}

func each(t *testing.T, test func(t *testing.T, w *world)) { testkit.EachFleet(t, newWorld, test) }

// counted counts uploads, which something may happen to.
func (w *world) counted(also func(rw http.ResponseWriter, r *http.Request) bool) {
	w.drive.When(func(rw http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut && !strings.HasSuffix(r.URL.Path, ".saldo-test.part") {
			w.uploads.Add(1)
		}
		return also != nil && also(rw, r)
	})
}

func (w *world) connect(t *testing.T, version int64, password string) {
	t.Helper()
	p, err := w.Connections.Prepare(t.Context(), anna, connections.WebDAV, connections.Change{Version: version, Password: password, Public: connections.Public{
		Address: w.drive.Address(), Account: "anna", Deliver: connections.Deliveries()}})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { _, err := w.Connections.Keep(tx, p); return err })
}

// settled settles so many new drivers and shares it.
func (w *world) settled(t *testing.T, n int) {
	t.Helper()
	testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
		var added []drivers.NewDriver
		for i := range n {
			added = append(added, drivers.NewDriver{Details: drivers.Details{FirstName: "Łukasz", LastName: fmt.Sprint("Żuraw ", i), SummaryLanguage: "pl"}})
		}
		ids, err := drivers.Service{Vault: w.Vault, Country: "PL"}.AddMany(tx, added)
		if err != nil {
			return err
		}
		if _, err := ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
			for _, id := range ids {
				if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: id, Provider: "UBER", Type: "TRIP", OccurredOn: week.Monday(), Amount: 1000_00,
					Currency: w.Fleet.Instance.Currency, Source: "import"}) {
					return
				}
			}
		}); err != nil {
			return err
		}
		if err := licences.Grant(tx, int64(n), "enough"); err != nil {
			return err
		}
		p, err := w.settlements.Preview(tx, settlements.Selection{Filter: settlements.PendingFilter{Period: week}, Drivers: ids})
		if err != nil {
			return err
		}
		if err := p.Keep(tx); err != nil {
			return err
		}
		_, err = w.settlements.Start(tx, p.ID, settlements.StartOptions{Share: true})
		return err
	})
}

// run delivers until no job is left.
func (w *world) run(t *testing.T) {
	t.Helper()
	w.ask(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); w.queue.Run(ctx, 1) }()
	testkit.Eventually(t, "the end of the deliveries", func() bool { return w.unfinished(t) == 0 })
	stop()
	<-ended
}

func (w *world) ask(t *testing.T) {
	t.Helper()
	testkit.Write(t, w.Fleet.DB, access.ProgramFor("north", "test"), func(tx *db.Tx) error { return deliveries.Ask(tx, connections.WebDAV) })
}

func (w *world) unfinished(t *testing.T) (n int64) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, access.ProgramFor("north", "test"), func(tx *db.Tx) (err error) {
		n, err = db.One[int64](tx, `SELECT COUNT(*) FROM jobs WHERE tenant_id = $1 AND kind = 'deliveries.send' AND state IN ('waiting', 'running')`)
		return err
	})
	return n
}

func (w *world) count(t *testing.T, state deliveries.State) (n int64) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) (err error) {
		n, err = db.One[int64](tx, `SELECT COUNT(*) FROM drive_items WHERE tenant_id = $1 AND state = $2`, string(state))
		return err
	})
	return n
}

func (w *world) state(t *testing.T) (c connections.Connection) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) (err error) { c, err = connections.Of(tx, connections.WebDAV); return err })
	return c
}

func TestAStatementThatWasRevokedMeanwhileIsNotDelivered(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, 0, testkit.DrivePassword)
		w.settled(t, 3)
		w.drive.Fail(http.StatusServiceUnavailable)
		w.run(t) // all of them wait
		revoke := func() {
			testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
				id, err := db.One[string](tx, `SELECT MIN(id) FROM settlements WHERE tenant_id = $1 AND revoked_at = ''`)
				if err != nil {
					return err
				}
				return w.settlements.Revoke(tx, id, "a wrong file")
			})
		}
		revoke()
		w.Clock.Pass(time.Hour)
		w.counted(func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodPut && w.uploads.Load() == 1 {
				revoke() // while they are on their way: whichever it is, it is not made after this
			}
			return false
		})
		w.run(t)
		if waiting := w.count(t, deliveries.Waiting); waiting != 0 {
			t.Errorf("%d still wait", waiting)
		}
		stored := w.count(t, deliveries.Stored)
		if n := len(w.drive.Files(t, "/files")); n > 2 || int64(n) != stored {
			t.Errorf("%d files, %d are said to be there", n, stored)
		}
	})
}

func TestFilesGoToADriveOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.settled(t, 3) // before anything is connected: they go there when somebody asks for it
		w.Clock.Pass(24 * time.Hour)
		w.connect(t, 0, testkit.DrivePassword)
		w.run(t)
		if files := w.drive.Files(t, "/files"); len(files) != 0 {
			t.Errorf("delivered unasked: %v", files)
		}
		w.settled(t, 2)
		for range 2 {
			w.run(t)
		}
		files := w.drive.Files(t, "/files")
		if len(files) != 2 || w.uploads.Load() != 2 || w.count(t, deliveries.Stored) != 2 {
			t.Errorf("%d uploads, %v", w.uploads.Load(), files)
		}
		for _, name := range files {
			if !strings.HasPrefix(name, "Saldo/Wrzos Mobility/2026/W45/Rozliczenia/") || !strings.Contains(name, " Ł.Ż.") || strings.Contains(name, "Żuraw") {
				t.Errorf("%s", name)
			}
			if content := w.drive.File(t, "/files/"+name); !bytes.HasPrefix(content, []byte("%PDF-")) {
				t.Errorf("%s is no PDF", name)
			}
		}
		testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { return deliveries.Since(tx, connections.WebDAV, week.Monday()) })
		w.run(t)
		if files := w.drive.Files(t, "/files"); len(files) != 5 || w.uploads.Load() != 5 {
			t.Errorf("%d uploads, %v", w.uploads.Load(), files)
		}
	})
}

func TestAWrongPasswordIsTriedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, 0, testkit.DrivePassword)
		w.settled(t, 12)
		w.drive.SetPassword("another")
		before := w.drive.Logins(testkit.DrivePassword)
		for range 3 {
			w.run(t)
		}
		if n := w.drive.Logins(testkit.DrivePassword) - before; n != 1 {
			t.Errorf("%d requests with a wrong password", n)
		}
		if c := w.state(t); c.State != connections.Stopped || w.count(t, deliveries.Waiting) != 12 {
			t.Errorf("%+v", c)
		}
		w.connect(t, 1, "another")
		w.run(t)
		if n := w.count(t, deliveries.Stored); n != 12 {
			t.Errorf("%d are there", n)
		}
	})
}

func TestAFullDriveStopsAndNothingIsLost(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, 0, testkit.DrivePassword)
		w.settled(t, 20)
		w.counted(func(rw http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodPut && w.uploads.Load() > 7 {
				rw.WriteHeader(http.StatusInsufficientStorage)
				return true
			}
			return false
		})
		w.run(t)
		stored := w.count(t, deliveries.Stored)
		if c := w.state(t); c.State != connections.Stopped || c.Reason != "no_space" || stored < 1 || stored > 7 || w.count(t, deliveries.Waiting) != 20-stored {
			t.Errorf("%+v, %d stored", c, stored)
		}
		if n := len(w.drive.Files(t, "/files")); int64(n) != stored {
			t.Errorf("%d files, %d are said to be there", n, stored)
		}
		if refused := w.uploads.Load() - 7; refused > 4 {
			t.Errorf("%d files were tried on a full drive", refused)
		}
		w.counted(nil)
		tried, err := w.Connections.Try(t.Context(), anna, connections.WebDAV)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { _, err := w.Connections.Note(tx, tried); return err })
		w.run(t)
		if n := w.count(t, deliveries.Stored); n != 20 || len(w.drive.Files(t, "/files")) != 20 {
			t.Errorf("%d are there", n)
		}
	})
}

func TestAFileThatIsLockedWaitsAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, 0, testkit.DrivePassword)
		w.settled(t, 3)
		var locked atomic.Value
		w.counted(func(rw http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPut || !locked.CompareAndSwap(nil, r.URL.Path) && locked.Load() != r.URL.Path {
				return false
			}
			rw.WriteHeader(http.StatusLocked)
			return true
		})
		w.run(t)
		if c := w.state(t); c.State != connections.Working || w.count(t, deliveries.Stored) != 2 {
			t.Errorf("%+v, %d", c, w.count(t, deliveries.Stored))
		}
		for range 14 {
			w.Clock.Pass(2 * time.Hour)
			w.run(t)
		}
		if n := w.count(t, deliveries.GivenUp); n != 1 {
			t.Errorf("%d were given up", n)
		}
	})
}

func TestAnInterruptedDeliveryBringsEachFileOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, 0, testkit.DrivePassword)
		w.settled(t, 45) // so many are settled at once
		ctx, stop := context.WithCancel(t.Context())
		w.counted(func(http.ResponseWriter, *http.Request) bool {
			if w.uploads.Load() >= 20 {
				stop()
			}
			return false
		})
		w.queue.Grace = 0
		w.ask(t)
		w.queue.Run(ctx, 1) // killed in the middle: nothing of it was noted
		w.counted(nil)
		w.Clock.Pass(time.Hour)
		w.run(t)
		files := w.drive.Files(t, "/files")
		if len(files) != 45 || w.count(t, deliveries.Stored) != 45 || slices.ContainsFunc(files, func(n string) bool { return strings.Contains(n, "(2)") }) {
			t.Errorf("%d files: %v", len(files), files)
		}
	})
}

func TestAFileOfSomebodyElseStays(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, 0, testkit.DrivePassword)
		w.settled(t, 1)
		w.run(t)
		path := "/files/" + w.drive.Files(t, "/files")[0]
		other := testkit.NewWebDAV(t) // the same partner connects another drive, where a file of that name is
		for i := range strings.Count(path, "/") - 1 {
			other.MakeFolder(t, strings.Join(strings.SplitAfterN(path, "/", i+3)[:i+2], ""))
		}
		other.Put(t, path, []byte("theirs"))
		w.drive = other
		w.connect(t, 1, testkit.DrivePassword)
		testkit.Write(t, w.Fleet.DB, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE drive_items SET state = 'waiting' WHERE tenant_id = $1`)
			return err
		})
		w.run(t)
		if files := other.Files(t, "/files"); len(files) != 2 || string(other.File(t, path)) != "theirs" {
			t.Errorf("%v, %q", files, other.File(t, path))
		}
	})
}

func TestOneDriveForEachPartner(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, 0, testkit.DrivePassword)
		testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { return connections.Remove(tx, connections.WebDAV) })
		w.settled(t, 1)
		w.run(t)
		if files := w.drive.Files(t, "/files"); len(files) != 0 {
			t.Errorf("a removed drive got %v", files)
		}
	})
}
