package documents_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"saldo/internal/documents"
	"saldo/internal/drivers"
	"saldo/internal/drivers/merge"
	"saldo/internal/invoices/files"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/testkit"
)

var anna, ctx = testkit.Anna, context.Background()

// fixture is a partner with two drivers who have accounts.
type fixture struct {
	*documents.Service
	db       *db.DB
	settings db.Settings
	clock    *testkit.Clock
	book     drivers.Service
	drivers  []string
	seen     int
}

func each(t *testing.T, test func(t *testing.T, w *fixture)) {
	t.Helper()
	testkit.EachFleet(t, newFixture, test)
}

func newFixture(t *testing.T, engine string) *fixture {
	t.Helper()
	f := testkit.NewFleet(t, engine)
	w := &fixture{db: f.DB, settings: f.Settings, clock: f.Clock, book: drivers.Service{Vault: f.Vault, Country: "PL"}}
	w.Service = &documents.Service{DB: w.db, Blobs: f.Blobs, Vault: f.Vault, Instance: f.Instance, Reader: files.New(files.Options{NoOCR: true})}
	w.write(t, func(tx *db.Tx) (err error) {
		w.drivers, err = w.book.AddMany(tx, []drivers.NewDriver{
			{Details: drivers.Details{FirstName: "Paweł", LastName: "Żak", Email: "pawel@drivers.example"}},
			{Details: drivers.Details{FirstName: "Oleh", LastName: "Бондар", Email: "oleh@drivers.example"}}})
		for _, id := range w.drivers {
			if err == nil {
				_, err = tx.Exec(`UPDATE drivers SET account_id = $2 WHERE tenant_id = $1 AND id = $2`, id)
			}
		}
		return err
	})
	return w
}

func (w *fixture) write(t testing.TB, fn func(tx *db.Tx) error) {
	t.Helper()
	testkit.Write(t, w.db, anna, fn)
}

func (w *fixture) refused(t testing.TB, want error, fn func(tx *db.Tx) error) {
	t.Helper()
	if err := w.db.Write(ctx, anna, fn); !errors.Is(err, want) {
		t.Errorf("%v, want %v", err, want)
	}
}

// picture is a file that no other is.
func (w *fixture) picture(side int) []byte {
	w.seen++
	m := image.NewGray(image.Rect(0, 0, side, side))
	m.SetGray(w.seen%side, w.seen/side%side, color.Gray{uint8(w.seen)})
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// received are the sides of a document in the store.
func (w *fixture) received(t testing.TB, sides ...string) (r documents.Received) {
	t.Helper()
	for _, side := range sides {
		if err := w.Receive(ctx, "north", side, bytes.NewReader(w.picture(64)), &r); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// licence adds a driving licence.
func (w *fixture) licence(t testing.TB, who documents.Person, driver string, until calendar.Date) (d documents.Document) {
	t.Helper()
	r := w.received(t, documents.Front, documents.Back)
	w.write(t, func(tx *db.Tx) (err error) {
		d, err = w.Add(tx, who, driver, documents.Details{TypeID: "driving_licence", ValidTo: until}, r)
		return err
	})
	return d
}

// slot is the place of a driver's driving licence.
func (w *fixture) slot(t testing.TB, driver string) (slot documents.Slot) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error {
		slots, err := w.OfDriver(tx, driver)
		slot = slots[0]
		return err
	})
	return slot
}

// Sent again, accepted, rejected after all, accepted again: one document is current, one waits, and nothing is lost on the way.
func TestDocument_IsSentAgain(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		zak := w.drivers[0]
		first := w.licence(t, documents.Driver(zak), "", "2030-01-01")
		second := w.licence(t, documents.Driver(zak), "", "2031-01-01")
		if s := w.slot(t, zak); s.State != documents.Waiting || s.Waiting.ID != second.ID || s.Current != nil {
			t.Errorf("%+v", s)
		}
		w.refused(t, documents.ErrState, func(tx *db.Tx) error {
			_, err := w.Accept(tx, first.ID, documents.Acceptance{Version: 2, ValidTo: "2030-01-01"})
			return err
		})
		accept := documents.Acceptance{Version: 1, ValidTo: "2031-01-01"}
		w.write(t, func(tx *db.Tx) error { _, err := w.Accept(tx, second.ID, accept); return err })
		third := w.licence(t, documents.Driver(zak), "", "2032-01-01")
		if s := w.slot(t, zak); s.State != documents.Accepted || s.Waiting.ID != third.ID || s.Current.ID != second.ID {
			t.Errorf("%+v", s)
		}
		w.clock.Pass(time.Minute)
		w.write(t, func(tx *db.Tx) error { _, err := w.Reject(tx, third.ID, 1, "blurred"); return err })
		if s := w.slot(t, zak); s.State != documents.Accepted || s.Refused.ID != third.ID || s.Current.ID != second.ID {
			t.Errorf("%+v", s)
		}
		w.clock.Pass(time.Minute)
		w.write(t, func(tx *db.Tx) error {
			_, err := w.Accept(tx, third.ID, documents.Acceptance{Version: 2, NoEnd: true})
			return err
		})
		if s := w.slot(t, zak); s.Current.ID != third.ID || s.Current.ValidTo != "" || s.Refused != nil {
			t.Errorf("%+v", s)
		}
		w.refused(t, documents.ErrNotFound, func(tx *db.Tx) error { return w.Remove(tx, documents.Driver(w.drivers[1]), third.ID, 3) })
		w.refused(t, documents.ErrState, func(tx *db.Tx) error { return w.Remove(tx, documents.Driver(zak), third.ID, 3) })
		w.write(t, func(tx *db.Tx) error { return w.Remove(tx, documents.Partner, third.ID, 3) })
		if s := w.slot(t, zak); s.State != documents.Missing {
			t.Errorf("%+v", s)
		}
	})
}

// Many upload the same document at once and two decide at once: one waits, one decision stands.
func TestDocument_ByTwoAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		zak := w.drivers[0]
		var all []documents.Received
		for range 12 {
			all = append(all, w.received(t, documents.Front, documents.Back))
		}
		var ended sync.WaitGroup
		for _, r := range all {
			ended.Go(func() {
				err := w.db.Write(ctx, anna, func(tx *db.Tx) error {
					_, err := w.Add(tx, documents.Driver(zak), "", documents.Details{TypeID: "driving_licence", ValidTo: "2030-01-01"}, r)
					return err
				})
				if err != nil && !errors.Is(err, documents.ErrChanged) {
					t.Error(err)
				}
			})
		}
		ended.Wait()
		waiting := w.slot(t, zak).Waiting
		decided := make([]error, 2)
		for i := range decided {
			ended.Go(func() {
				decided[i] = w.db.Write(ctx, anna, func(tx *db.Tx) error {
					if i == 0 {
						_, err := w.Reject(tx, waiting.ID, waiting.Version, "no")
						return err
					}
					_, err := w.Accept(tx, waiting.ID, documents.Acceptance{Version: waiting.Version, ValidTo: "2030-01-01"})
					return err
				})
			})
		}
		ended.Wait()
		if (decided[0] == nil) == (decided[1] == nil) {
			t.Errorf("both or none: %v", decided)
		}
		w.write(t, func(tx *db.Tx) error {
			n, err := db.One[int64](tx, `SELECT COUNT(*) FROM driver_documents WHERE tenant_id = $1 AND state IN ('waiting', 'accepted', 'rejected')`)
			if n != 1 {
				t.Errorf("%d stand", n)
			}
			return err
		})
	})
}

// Documents of a driver who was merged are those of whoever they became, and go back when the merge is undone.
func TestDocument_FollowsAMerge(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		zak, bondar := w.drivers[0], w.drivers[1]
		w.licence(t, documents.Partner, bondar, "2030-01-01")
		var m string
		w.write(t, func(tx *db.Tx) (err error) {
			if _, err := tx.Exec(`UPDATE drivers SET account_id = '' WHERE tenant_id = $1 AND id = $2`, bondar); err != nil {
				return err
			}
			m, err = merge.Drivers(tx, w.book, merge.Order{Kept: zak, Other: bondar, KeptVersion: 1, OtherVersion: 1, Reason: "the same"})
			return err
		})
		if s := w.slot(t, zak); s.State != documents.Accepted {
			t.Errorf("%+v", s)
		}
		w.licence(t, documents.Partner, zak, "2033-01-01")
		if s := w.slot(t, zak); s.Current.ValidTo != "2033-01-01" {
			t.Errorf("%+v", s)
		}
		w.write(t, func(tx *db.Tx) error { return merge.Undo(tx, w.book, m) })
		for driver, until := range map[string]calendar.Date{zak: "2033-01-01", bondar: "2030-01-01"} {
			if s := w.slot(t, driver); s.Current == nil || s.Current.ValidTo != until {
				t.Errorf("%+v", s)
			}
		}
	})
}

// Types can be changed by two people, once each; one that is not used any more keeps what is there.
func TestTypes_AreChangedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		licence := w.licence(t, documents.Partner, w.drivers[0], "2030-01-01")
		change := func(version int64, active bool, days ...int64) error {
			return w.db.Write(ctx, anna, func(tx *db.Tx) error {
				_, err := w.SaveType(tx, documents.Type{ID: "driving_licence", Subject: "driver", Sides: 2, Expires: true, Active: active, RemindDays: days,
					Version: version})
				return err
			})
		}
		if err := errors.Join(change(0, true, 7, 60, 7), change(1, false)); err != nil {
			t.Fatal(err)
		}
		if err := change(1, true); !errors.Is(err, documents.ErrChanged) {
			t.Error(err)
		}
		if err := change(2, true, 400); !errors.Is(err, documents.ErrInvalid) {
			t.Error(err)
		}
		if s := w.slot(t, w.drivers[0]); s.Current == nil || s.Current.ID != licence.ID || s.Type.Active {
			t.Errorf("%+v", s)
		}
		w.write(t, func(tx *db.Tx) error {
			own, err := w.SaveType(tx, documents.Type{Names: documents.Names{"pl": "Karta"}, Subject: "vehicle", Sides: 1, Active: true})
			if err == nil && (own.Ready || own.Named("uk") != "Karta") {
				t.Errorf("%+v", own)
			}
			return err
		})
		w.refused(t, documents.ErrInvalid, func(tx *db.Tx) error {
			_, err := w.SaveType(tx, documents.Type{Subject: "driver", Sides: 1, Active: true})
			return err
		})
	})
}

// Whoever has no valid document of a type that warns is named before settling, once the fleet keeps such documents here at all.
func TestWarned_BeforeSettling(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		warned := func(some ...string) (found map[string]int) {
			w.write(t, func(tx *db.Tx) (err error) { found, err = w.Warned(tx, some); return err })
			return found
		}
		if found := warned(); len(found) != 0 {
			t.Errorf("a fleet without documents: %v", found)
		}
		zak, bondar := w.drivers[0], w.drivers[1]
		w.licence(t, documents.Partner, zak, "2026-11-20")
		if found := warned(); found[zak] != 0 || found[bondar] != 1 {
			t.Errorf("%v", found)
		}
		w.clock.Pass(6 * 24 * time.Hour)
		w.licence(t, documents.Driver(zak), "", "2030-01-01") // waits: nobody has looked at it
		if found := warned(zak); found[zak] != 1 || len(found) != 1 {
			t.Errorf("%v", found)
		}
		if found := warned(); found[zak] != 1 || found[bondar] != 1 {
			t.Errorf("%v", found)
		}
	})
}

// Over 400 days each reminder comes once, on its morning, on two instances that work at the same time, also when clocks change.
func TestReminders_ComeOnceOverAYear(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		zak, bondar := w.drivers[0], w.drivers[1]
		w.licence(t, documents.Partner, zak, "2027-03-29")    // the day after clocks change
		w.licence(t, documents.Partner, bondar, "2027-11-02") // two days after they change back
		other := *w.Service
		other.DB = testkit.Open(t, w.settings)
		running, cancel := context.WithCancel(ctx)
		var ended sync.WaitGroup
		for _, s := range []*documents.Service{w.Service, &other} {
			q := jobs.NewQueue(s.DB, slog.New(slog.DiscardHandler))
			q.Poll = 2 * time.Millisecond
			q.Lease = 10_000 * time.Hour
			q.Handle(documents.RemindKind, s.Remind)
			ended.Go(func() { q.Run(running, 1) })
		}
		t.Cleanup(func() { cancel(); ended.Wait() })
		jobsDone := 0
		for day := range 400 {
			if testkit.Soak() == 1 && !near(w.clock.Now(), "2027-03-29", "2027-11-02") {
				w.clock.Pass(24 * time.Hour)
				continue
			}
			for _, hour := range []int{6, 9} { // in the zone of the instance: too early, and in time
				zone := w.Instance.Location()
				at := w.clock.Now().In(zone)
				w.clock.Pass(time.Date(at.Year(), at.Month(), at.Day(), hour, 30, 0, 0, zone).Sub(at))
				testkit.Write(t, w.db, access.Program("test"), func(tx *db.Tx) error {
					return errors.Join(jobs.Enqueue(tx, jobs.Order{Kind: documents.RemindKind}), jobs.Enqueue(tx, jobs.Order{Kind: documents.RemindKind}))
				})
				jobsDone += 2
				testkit.Eventually(t, fmt.Sprint("day ", day), func() bool {
					var n int
					testkit.Write(t, w.db, access.Program("test"), func(tx *db.Tx) (err error) {
						n, err = db.One[int](tx.Across(), `SELECT COUNT(*) FROM jobs WHERE kind = $1 AND state = 'done'`, documents.RemindKind)
						return err
					})
					return n == jobsDone
				})
			}
			w.clock.Pass(20 * time.Hour)
		}
		w.write(t, func(tx *db.Tx) error {
			all, err := db.Select[struct {
				DriverID, Slot string
				RemindedAt     time.Time
			}](tx, `SELECT driver_id, slot, reminded_at FROM document_reminders WHERE tenant_id = $1 ORDER BY reminded_at`)
			var got string
			for _, r := range all {
				got += fmt.Sprintln(r.Slot, r.RemindedAt.In(w.Instance.Location()).Format("2006-01-02 15:04"))
			}
			const want = "30 2027-02-27 09:30\n14 2027-03-15 09:30\n7 2027-03-22 09:30\n1 2027-03-28 09:30\nexpired 2027-03-30 09:30\n" +
				"30 2027-10-03 09:30\n14 2027-10-19 09:30\n7 2027-10-26 09:30\n1 2027-11-01 09:30\nexpired 2027-11-03 09:30\n"
			if got != want {
				t.Errorf("reminders:\n%s", got)
			}
			notes, err2 := db.One[int64](tx, `SELECT COUNT(*) FROM notes WHERE tenant_id = $1 AND kind LIKE 'document_%'`)
			if notes != 4 {
				t.Errorf("%d notes", notes)
			}
			return errors.Join(err, err2)
		})
	})
}

// near says whether a time is within 32 days of one of the days.
func near(now time.Time, days ...string) bool {
	for _, day := range days {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			panic(err)
		}
		if d := now.Sub(at); d > -32*24*time.Hour && d < 4*24*time.Hour {
			return true
		}
	}
	return false
}

// What the partner reminds of by hand comes once a day, and not to whoever has uploaded it meanwhile.
func TestReminders_ByHand(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		zak, bondar := w.drivers[0], w.drivers[1]
		remind := func() (n int) {
			w.write(t, func(tx *db.Tx) (err error) {
				n, err = w.RemindChosen(tx, []documents.Chosen{{DriverID: zak, TypeID: "driving_licence"}, {DriverID: bondar, TypeID: "driving_licence"},
					{DriverID: "nobody", TypeID: "driving_licence"}})
				return err
			})
			return n
		}
		if n := remind(); n != 2 {
			t.Errorf("%d are reminded", n)
		}
		if n := remind(); n != 0 {
			t.Errorf("again on the same day: %d", n)
		}
		w.clock.Pass(24 * time.Hour)
		w.licence(t, documents.Driver(zak), "", "2030-01-01")
		if n := remind(); n != 1 {
			t.Errorf("after one has uploaded: %d", n)
		}
		w.write(t, func(tx *db.Tx) error {
			n, err := db.One[int64](tx, `SELECT COUNT(*) FROM notes WHERE tenant_id = $1 AND driver_id = $2 AND hidden_at = ''`, zak)
			if n != 0 {
				t.Errorf("the note stays when the document is there")
			}
			return err
		})
	})
}

// Forty pictures go into one archive in little memory, with names that every system can write.
func TestPack_FortyPictures(t *testing.T) {
	w := newFixture(t, testkit.Engines[0])
	bondar := w.drivers[1]
	for i := range 20 {
		var r documents.Received
		for _, side := range []string{documents.Front, documents.Back} {
			if err := w.Receive(ctx, "north", side, bytes.NewReader(w.picture(400)), &r); err != nil {
				t.Fatal(err)
			}
		}
		w.write(t, func(tx *db.Tx) error {
			_, err := w.Add(tx, documents.Partner, bondar, documents.Details{TypeID: "registration_certificate", Vehicle: fmt.Sprintf("WX 10%02d", i)}, r)
			return err
		})
	}
	var packed []documents.Packed
	w.write(t, func(tx *db.Tx) (err error) { packed, err = w.ToPack(tx, bondar); return err })
	if len(packed) != 40 || packed[0].Name != "bondar_vehicle-registration-certificate_wx1000_front.jpg" {
		t.Errorf("%d, %+v", len(packed), packed[0])
	}
	if err := w.Pack(ctx, io.Discard, packed); err != nil {
		t.Error(err)
	}
}
