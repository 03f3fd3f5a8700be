package tracking_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"saldo/internal/drivers"
	"saldo/internal/drivers/merge"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
	"saldo/internal/tracking"
)

var anna, ctx = testkit.Anna, context.Background()

// fixture is a partner with two drivers.
type fixture struct {
	*tracking.Service
	testkit.Fleet
	book    drivers.Service
	drivers []string
}

func each(t *testing.T, test func(t *testing.T, w *fixture)) {
	t.Helper()
	testkit.EachFleet(t, newFixture, test)
}

func newFixture(t *testing.T, engine string) *fixture {
	t.Helper()
	f := testkit.NewFleet(t, engine)
	w := &fixture{Service: &tracking.Service{DB: f.DB, Blobs: f.Blobs, Instance: f.Instance}, Fleet: f, book: drivers.Service{Vault: f.Vault, Country: "PL"}}
	w.write(t, func(tx *db.Tx) (err error) {
		w.drivers, err = w.book.AddMany(tx, []drivers.NewDriver{{Details: drivers.Details{FirstName: "Paweł", LastName: "Żak"}},
			{Details: drivers.Details{FirstName: "Oleh", LastName: "Бондар"}}})
		return err
	})
	return w
}

func (w *fixture) write(t testing.TB, fn func(tx *db.Tx) error) {
	t.Helper()
	testkit.Write(t, w.Fleet.DB, anna, fn)
}

// saved is what saving a trip gives, without an error that a person can act on.
func (w *fixture) saved(t testing.TB, who tracking.Person, id string, d tracking.TripDetails, version int64) (trip tracking.Trip, same bool, refusal error) {
	t.Helper()
	w.write(t, func(tx *db.Tx) (err error) {
		trip, same, refusal = w.SaveTrip(tx, who, id, d, tracking.Said{Version: version, Reason: "typed wrong"})
		return unexpected(refusal)
	})
	return trip, same, refusal
}

func unexpected(err error) error {
	if known := new(fault.Fault); errors.As(err, &known) {
		return nil
	}
	return err
}

func fields(err error) (names []string) {
	known := new(fault.Fault)
	if errors.As(err, &known) {
		for _, f := range known.Fields {
			names = append(names, f.Name+" "+string(f.Code))
		}
	}
	slices.Sort(names)
	return names
}

func fare(amount int) tracking.TripDetails {
	return tracking.TripDetails{OccurredOn: "2026-11-03", Payment: tracking.Cash, StartPlace: "Wolska", Amount: money.Amount(amount)}
}

func TestTrips_WhatIsWrongIsNamed(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		zak := tracking.Driver(w.drivers[0])
		for want, wrong := range map[string]tracking.TripDetails{
			"amount too_small, occurredOn required, payment not_allowed":                          {},
			"amount too_large, endAt wrong_format, occurredOn wrong_format, startAt wrong_format": {OccurredOn: "3.11.2026", StartAt: "24:00", EndAt: "7:5", Amount: 1_000_000_01, Payment: "card"},
			"endPlace too_long, occurredOn too_small":                                             {OccurredOn: "1999-01-01", Amount: 1, Payment: "cash", EndPlace: strings.Repeat("ż", 201)},
			"occurredOn too_large": {OccurredOn: "2028-01-01", Amount: 1, Payment: "cash"},
		} {
			if _, _, err := w.saved(t, zak, uuid.NewString(), wrong, 0); strings.Join(fields(err), ", ") != want {
				t.Errorf("%q, not %q", fields(err), want)
			}
		}
		if _, _, err := w.saved(t, zak, "A1B2C3D4-0000-4000-8000-000000000000", fare(1), 0); fmt.Sprint(fields(err)) != "[id wrong_format]" {
			t.Error(err)
		}
		id := uuid.NewString()
		if _, _, err := w.saved(t, zak, id, fare(1), 0); err != nil {
			t.Error(err)
		}
		// another driver neither sees nor takes the id
		bondar := tracking.Driver(w.drivers[1])
		if _, _, err := w.saved(t, bondar, id, fare(2), 0); fmt.Sprint(fields(err)) != "[id duplicate]" {
			t.Error(err)
		}
		if _, _, err := w.saved(t, bondar, id, fare(2), 1); !errors.Is(err, tracking.ErrNotFound) {
			t.Error(err)
		}
	})
}

func TestTimes_AreCountedAsTheyWereWorked(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		zak := tracking.Driver(w.drivers[0])
		for _, c := range []struct {
			from, to string
			pause    int64
			minutes  int64
			wrong    string
		}{
			{"2026-11-03T08:00", "2026-11-03T16:00", 30, 450, ""},
			{"2026-11-03T22:00", "2026-11-04T06:00", 0, 480, ""},
			{"2026-10-24T22:00", "2026-10-25T06:00", 0, 540, ""}, // clocks go back: nine hours
			{"2026-03-28T22:00", "2026-03-29T06:00", 0, 420, ""}, // clocks go forward
			{"2026-11-03T08:00", "2026-11-04T08:00", 0, 1440, ""},
			{"2026-11-03T08:00", "2026-11-04T08:01", 0, 0, "endedAt too_large"},
			{"2026-11-03T08:00", "2026-11-03T07:59", 0, 0, "endedAt too_small"},
			{"2026-11-03T08:00", "2026-11-03T08:30", 31, 0, "breakMinutes too_large"},
			{"2026-11-03 08:00", "", 0, 0, "startedAt wrong_format"},
			{"", "", 0, 0, "startedAt required"},
		} {
			w.write(t, func(tx *db.Tx) error {
				entry, _, err := w.SaveTime(tx, zak, uuid.NewString(), tracking.TimeDetails{StartedAt: c.from, EndedAt: c.to, BreakMinutes: c.pause}, tracking.Said{})
				if strings.Join(fields(err), ", ") != c.wrong || err == nil && entry.Minutes != c.minutes {
					t.Errorf("%+v: %d %v", c, entry.Minutes, err)
				}
				return unexpected(err)
			})
		}
		w.write(t, func(tx *db.Tx) error {
			_, _, err := w.SaveTime(tx, zak, uuid.NewString(), tracking.TimeDetails{StartedAt: "2026-11-03T08:00", MileageStart: 100, MileageEnd: 99}, tracking.Said{})
			if fmt.Sprint(fields(err)) != "[mileageEnd too_small]" {
				t.Error(err)
			}
			return unexpected(err)
		})
	})
}

// Guards hold whoever writes: what is settled neither changes nor goes, one entry runs, an end is not before its start.
func TestGuards_HoldAgainstSQLByHand(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		zak := w.drivers[0]
		settled, open, work := uuid.NewString(), uuid.NewString(), uuid.NewString()
		for _, id := range []string{settled, open} {
			if _, _, err := w.saved(t, tracking.Driver(zak), id, fare(100), 0); err != nil {
				t.Fatal(err)
			}
		}
		w.write(t, func(tx *db.Tx) error {
			_, _, err := w.SaveTime(tx, tracking.Driver(zak), work, tracking.TimeDetails{StartedAt: "2026-11-03T08:00"}, tracking.Said{})
			return errors.Join(err, tracking.Take(tx, "s", []string{settled}))
		})
		for _, text := range []string{
			`UPDATE trips SET amount = 1 WHERE tenant_id = $1 AND id = '` + settled + `'`,
			`UPDATE trips SET settlement_id = '' WHERE tenant_id = $1 AND id = '` + settled + `'`, // its settlement is not revoked
			`UPDATE trips SET deleted_at = 'now' WHERE tenant_id = $1 AND id = '` + settled + `'`,
			`DELETE FROM trips WHERE tenant_id = $1 AND id = '` + settled + `'`,
			`DELETE FROM trips WHERE tenant_id = $1 AND id = '` + open + `'`,
			`UPDATE trips SET amount = 0 WHERE tenant_id = $1 AND id = '` + open + `'`,
			`UPDATE trips SET refused_at = 'now' WHERE tenant_id = $1 AND id = '` + open + `'`,
			`DELETE FROM time_entries WHERE tenant_id = $1 AND id = '` + work + `'`,
			`UPDATE time_entries SET ended_at = '2026-11-03T07:00' WHERE tenant_id = $1 AND id = '` + work + `'`,
			`UPDATE time_entries SET ended_at = '2026-11-03T09:00', minutes = 1441 WHERE tenant_id = $1 AND id = '` + work + `'`,
			`UPDATE time_entries SET mileage_start = 2, mileage_end = 1 WHERE tenant_id = $1 AND id = '` + work + `'`,
			`INSERT INTO time_entries (tenant_id, id, driver_id, started_at, ended_at, minutes, break_minutes, mileage_start, mileage_end, plate, note, version, source, device, entered_at, clock_off, received_at, changed_at, refused_at, refuse_reason, deleted_at)
				SELECT $1, 'second', driver_id, started_at, ended_at, minutes, break_minutes, mileage_start, mileage_end, plate, note, version, source, device, entered_at, clock_off, received_at, changed_at, refused_at, refuse_reason, deleted_at FROM time_entries WHERE tenant_id = $1`,
		} {
			if err := w.Fleet.DB.Write(ctx, anna, func(tx *db.Tx) error { _, err := tx.Exec(text); return err }); err == nil {
				t.Errorf("nobody refused %s", text)
			}
		}
		if _, _, err := w.saved(t, tracking.Driver(zak), settled, fare(200), 2); !errors.Is(err, tracking.ErrSettled) {
			t.Error(err)
		}
	})
}

// Two devices and the partner change the same trips for five hundred steps, with answers that are lost and requests that come again. What
// is stored is always what a model says: nothing is lost, nothing is there twice, and nobody writes over what they have not seen.
func TestTwoDevices_LoseAndDoubleNothing(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		type stored struct {
			details tracking.TripDetails
			version int64
			deleted bool
		}
		random := rand.New(rand.NewPCG(7, 20261118))
		zak := tracking.Driver(w.drivers[0])
		model, seen := map[string]*stored{}, [2]map[string]int64{{}, {}}
		conflicts := 0
		ids := []string{}
		for range 500 {
			device := seen[random.IntN(2)]
			switch {
			case len(ids) == 0 || len(ids) < 25 && random.IntN(6) == 0:
				id, d := uuid.NewString(), fare(1+random.IntN(90))
				for range 1 + random.IntN(3) { // the answer is lost
					if _, _, err := w.saved(t, zak, id, d, 0); err != nil {
						t.Fatal(err)
					}
				}
				ids, model[id] = append(ids, id), &stored{d, 1, false}
				device[id] = 1
			case random.IntN(12) == 0: // a device hears of everything
				for id, s := range model {
					device[id] = s.version
				}
			default:
				id := ids[random.IntN(len(ids))]
				s, version := model[id], device[id]
				if version == 0 {
					continue
				}
				if random.IntN(4) == 0 {
					w.write(t, func(tx *db.Tx) error {
						_, err := tracking.DeleteTrip(tx, zak, id, version)
						if stays := !s.deleted && version != s.version; errors.Is(err, tracking.ErrChanged) != stays {
							t.Fatalf("deleting %d of %+v: %v", version, s, err)
						}
						if !s.deleted && version == s.version {
							s.deleted, s.version = true, s.version+1
						}
						return unexpected(err)
					})
					continue
				}
				d := fare(1 + random.IntN(90))
				_, same, err := w.saved(t, zak, id, d, version)
				switch {
				case d == s.details && (!s.deleted || version != s.version):
					if !same || err != nil {
						t.Fatal("the same content is not the same", err)
					}
				case s.deleted || version == s.version:
					if same || err != nil {
						t.Fatal(same, err)
					}
					s.details, s.deleted, s.version = d, false, s.version+1
					device[id] = s.version
				default:
					if conflicts++; !errors.Is(err, tracking.ErrChanged) {
						t.Fatal(err)
					}
				}
			}
		}
		if conflicts < 20 {
			t.Errorf("only %d conflicts", conflicts)
		}
		testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
			n, err := db.One[int](tx, `SELECT COUNT(*) FROM trips WHERE tenant_id = $1`)
			if n != len(model) {
				t.Errorf("%d trips, not %d", n, len(model))
			}
			for id, s := range model {
				got, err := tracking.TripOf(tx, zak, id)
				if err != nil || got.TripDetails != s.details || got.Version != s.version || got.Deleted() != s.deleted {
					t.Errorf("%+v, not %+v: %v", got, s, err)
				}
			}
			return err
		})
	})
}

// At the same moment two devices start work, and send the same trip: one runs, the trip is there once.
func TestTogether_OneRunsAndOneIsStored(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		zak, id := tracking.Driver(w.drivers[0]), uuid.NewString()
		var working sync.WaitGroup
		results := make([]error, 8)
		for n := range results {
			working.Go(func() {
				results[n] = w.Fleet.DB.Write(ctx, anna, func(tx *db.Tx) error {
					if n%2 == 0 {
						_, _, err := w.SaveTrip(tx, zak, id, fare(50), tracking.Said{})
						return err
					}
					_, _, err := w.SaveTime(tx, zak, uuid.NewString(), tracking.TimeDetails{StartedAt: fmt.Sprintf("2026-11-03T0%d:00", n)}, tracking.Said{})
					return err
				})
			})
		}
		working.Wait()
		refused := 0
		for n, err := range results {
			if errors.Is(err, tracking.ErrRunning) && n%2 == 1 {
				refused++
			} else if err != nil {
				t.Errorf("%d: %v", n, err)
			}
		}
		if refused != 3 {
			t.Errorf("%d were refused", refused)
		}
	})
}

// Merged drivers have one list; what was begun for either is found by the one who stays, and undoing gives everybody their own.
func TestMerging_ListsAndSettlesTogether(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		zak, bondar := w.drivers[0], w.drivers[1]
		ids := []string{uuid.NewString(), uuid.NewString()}
		for n, driver := range w.drivers {
			if _, _, err := w.saved(t, tracking.Driver(driver), ids[n], fare(10+n), 0); err != nil {
				t.Fatal(err)
			}
		}
		order := merge.Order{Kept: zak, Other: bondar, KeptVersion: 1, OtherVersion: 1}
		merged := ""
		w.write(t, func(tx *db.Tx) (err error) { merged, err = merge.Drivers(tx, w.book, order); return err })
		open := func() map[string]int {
			counts := map[string]int{}
			testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
				all, err := tracking.Open(tx, nil)
				for driver, list := range all {
					some, failed := tracking.Open(tx, []string{driver})
					if counts[driver] = len(list); failed != nil || !reflect.DeepEqual(some[driver], list) {
						t.Errorf("%v, not %v: %v", some, list, failed)
					}
				}
				return err
			})
			return counts
		}
		if got := open(); got[zak] != 2 || len(got) != 1 {
			t.Errorf("merged: %v", got)
		}
		trip, _, err := w.saved(t, tracking.Driver(zak), ids[1], fare(30), 1)
		if err != nil || trip.DriverID != bondar {
			t.Errorf("%+v, %v", trip, err)
		}
		testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
			items, totals, err := tracking.Trips(tx, tracking.Filter{Driver: zak})
			if len(items) != 2 || totals.Cash != 40 || items[0].Canonical != zak {
				t.Errorf("%+v, %+v", items, totals)
			}
			return err
		})
		w.write(t, func(tx *db.Tx) error { return merge.Undo(tx, w.book, merged) })
		if got := open(); got[zak] != 1 || got[bondar] != 1 {
			t.Errorf("undone: %v", got)
		}
	})
}

// A partner changes with a reason and refuses; either is undone by the next word. A driver may not where the partner uses no tracker.
func TestPartner_RefusesAndCorrects(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		zak, id := tracking.Driver(w.drivers[0]), uuid.NewString()
		if _, _, err := w.saved(t, tracking.Partner, id, fare(1), 0); !errors.Is(err, tracking.ErrNotFound) {
			t.Error("a partner added a trip", err)
		}
		if _, _, err := w.saved(t, zak, id, fare(10), 0); err != nil {
			t.Fatal(err)
		}
		refuse := func(version int64, reason string) (refusal error) {
			w.write(t, func(tx *db.Tx) error {
				_, refusal = tracking.RefuseTrip(tx, id, version, reason)
				return unexpected(refusal)
			})
			return refusal
		}
		counts := func() (open int, notes int64) {
			testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
				all, err := tracking.Open(tx, nil)
				open = len(all[w.drivers[0]])
				if err == nil {
					notes, err = db.One[int64](tx, `SELECT COUNT(*) FROM notes WHERE tenant_id = $1 AND hidden_at = ''`)
				}
				return err
			})
			return open, notes
		}
		for _, step := range []struct {
			version     int64
			reason      string
			refused     error
			open, notes int
		}{{1, "not ours", nil, 0, 1}, {1, "not ours", nil, 0, 1}, {1, "another reason", tracking.ErrChanged, 0, 1}, {2, "", nil, 1, 0}, {3, "not ours", nil, 0, 1}} {
			if err := refuse(step.version, step.reason); !errors.Is(err, step.refused) {
				t.Error(step, err)
			}
			if open, notes := counts(); open != step.open || int(notes) != step.notes {
				t.Errorf("%+v: %d open, %d notes", step, open, notes)
			}
		}
		if trip, _, err := w.saved(t, tracking.Partner, id, fare(12), 4); err != nil || trip.Source != tracking.FromPartner || trip.Refused() {
			t.Errorf("%+v %v", trip, err)
		}
		if open, notes := counts(); open != 1 || notes != 1 { // that it was corrected
			t.Errorf("%d open, %d notes", open, notes)
		}
		w.write(t, func(tx *db.Tx) error {
			f, err := partners.OwnDriverFunctions(tx)
			f.Function1 = false
			return errors.Join(err, partners.SetDriverFunctions(tx, f))
		})
		if _, _, err := w.saved(t, zak, id, fare(13), 5); !errors.Is(err, tracking.ErrOff) {
			t.Error(err)
		}
		if _, _, err := w.saved(t, tracking.Partner, id, fare(13), 5); err != nil {
			t.Error(err)
		}
	})
}

// The photo of a deleted entry stays a month, for whoever wants it back; then its file goes.
func TestSweep_DeletesPhotosOfDeletedEntries(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		zak, id, key := tracking.Driver(w.drivers[0]), uuid.NewString(), "north/tracking/photo"
		if _, _, err := w.saved(t, zak, id, fare(10), 0); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Service.Blobs.Put(ctx, key, strings.NewReader("photo"), 5); err != nil {
			t.Fatal(err)
		}
		w.write(t, func(tx *db.Tx) error {
			_, _, err := tracking.AddPhoto(tx, zak, tracking.OfTrip, id, tracking.OfPayment, tracking.Photo{ID: tx.NewID(), FileType: "image/jpeg", FileSize: 5,
				ReceivedHash: "hash", BlobKey: key})
			if err == nil {
				_, err = tracking.DeleteTrip(tx, zak, id, 1)
			}
			return err
		})
		sweep := func() (there bool) {
			testkit.Work(t, w.Fleet.DB, tracking.SweepKind, w.Sweep)
			content, err := w.Content(ctx, tracking.Photo{BlobKey: key, FileSize: 5})
			return err == nil && string(content) == "photo"
		}
		if w.Clock.Pass(29 * 24 * time.Hour); !sweep() {
			t.Error("the photo went too early")
		}
		if w.Clock.Pass(2 * 24 * time.Hour); sweep() {
			t.Error("the photo stays")
		}
	})
}
