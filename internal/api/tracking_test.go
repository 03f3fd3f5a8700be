package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
	"saldo/internal/tracking"
)

// photoForm is the upload of a photo.
func photoForm(content []byte) formed {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("photo", "photo.jpg")
	if err == nil {
		_, err = part.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return formed{w.FormDataContentType(), b.Bytes()}
}

func tripOf(more ...any) map[string]any {
	return with(map[string]any{"occurredOn": "2026-11-03", "startAt": "14:05", "endAt": "14:31", "startPlace": "Wolska 12", "endPlace": "Lotnisko",
		"amount": 45_00, "payment": "cash"}, more...)
}

func workOf(more ...any) map[string]any {
	return with(map[string]any{"startedAt": "2026-11-03T08:00", "endedAt": "2026-11-03T16:30", "breakMinutes": 30, "mileageStart": 120_000,
		"mileageEnd": 120_180, "plate": "wx 12345"}, more...)
}

type trackedSeen struct {
	ID, RefuseReason, SettlementID, Source, Device, Plate, EndedAt string
	Version, Amount, Minutes                                       int64
	Photo, PhotoStart, Deleted                                     bool
	Warnings                                                       []string
}

// linkedDriver is the driver of north who signs in.
func (w *world) linkedDriver(t *testing.T) (id string) {
	t.Helper()
	testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		ids, err := db.Select[string](tx, `SELECT id FROM drivers WHERE tenant_id = $1 AND account_id <> ''`)
		if err == nil && len(ids) > 0 {
			id = ids[0]
		}
		return err
	})
	if id == "" {
		id = w.silentDriver(t, "partner", canary+"north")
		w.linked(t, id)
	}
	return id
}

// tracked is the id of a new entry of the driver of north who signs in, with a photo.
func (w *world) tracked(t *testing.T, path, photo string, body map[string]any) string {
	t.Helper()
	w.linkedDriver(t)
	id := uuid.NewString()
	w.must(t, 200, "driver", "POST", "/api/"+path, with(body, "id", id))
	w.must(t, 200, "driver", "PUT", "/api/"+path+"/"+id+photo, photoForm(w.pictured()))
	return id
}

// trackingBodies are what operations of trackers are sent, for the matrix.
func (w *world) trackingBodies(t *testing.T, bodies map[string]func() any, ids map[string]func() string, queries map[string]string) {
	trip := func() string { return w.tracked(t, "trips", "/photo", tripOf("startPlace", canary+"north")) }
	work := func() string { return w.tracked(t, "time-entries", "/photos/start", workOf("note", canary+"north")) }
	for _, name := range []string{"save-trip", "remove-trip", "refuse-trip", "trip-history", "trip-photo", "set-trip-photo", "remove-trip-photo"} {
		ids[name] = trip
	}
	for _, name := range []string{"save-time-entry", "remove-time-entry", "refuse-time-entry", "time-entry-history", "time-photo",
		"set-time-photo", "remove-time-photo"} {
		ids[name] = work
	}
	bodies["add-trip"] = func() any { w.linkedDriver(t); return tripOf("id", uuid.NewString(), "startPlace", canary+"north") }
	bodies["add-time-entry"] = func() any { return workOf("id", uuid.NewString()) }
	bodies["save-trip"] = func() any { return tripOf("version", 1, "amount", 50_00, "reason", "typed wrong") }
	bodies["save-time-entry"] = func() any { return workOf("version", 1, "breakMinutes", 15, "reason", "typed wrong") }
	for _, name := range []string{"refuse-trip", "refuse-time-entry"} {
		bodies[name] = func() any { return map[string]any{"version": 1, "reason": "not ours"} }
	}
	for _, name := range []string{"set-trip-photo", "set-time-photo"} {
		bodies[name] = func() any { return photoForm(w.pictured()) }
	}
	for _, name := range []string{"remove-trip", "remove-time-entry"} {
		queries[name] = "?version=1"
	}
	bodies["send-tracking"] = func() any {
		return map[string]any{"entries": []any{map[string]any{"id": uuid.NewString(), "kind": "trip", "trip": tripOf()}}}
	}
	queries["tracking-checks"] = "?from=2026-11-01&to=2026-11-30"
	queries["export-tracking"] = "?kind=trip&format=csv"
}

type batchSeen struct {
	ServerTime time.Time
	Answers    []struct {
		ID, Result, Code string
		Trip, Time       *trackedSeen
		Fields           []struct{ Name, Code string }
	}
}

func (b batchSeen) results() (all string) {
	for _, a := range b.Answers {
		all += strings.TrimSpace(a.Result+" "+a.Code) + "; "
	}
	return all
}

// A phone comes back after a week without a line: what it wrote down arrives once, whatever is sent again; two devices change the same
// trip; a settlement comes between; the partner refuses; the driver leaves.
func TestTracking_AWeekWithoutALine(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		w.linkOnly(t, driver)
		trip, work, other := uuid.NewString(), uuid.NewString(), uuid.NewString()
		item := func(id, kind string, version int64, more ...any) map[string]any {
			return with(map[string]any{"id": id, "kind": kind, "version": version, "enteredAt": "2026-11-08T20:00:00Z"}, more...)
		}
		send := func(items ...any) (b batchSeen) {
			t.Helper()
			status, text := w.call(t, "driver", "POST", "/api/tracking/batch", map[string]any{"partner": "north", "device": "phone a",
				"sentAt": "2026-11-15T12:20:00Z", "entries": items}, &b)
			if status != 200 || b.ServerTime.IsZero() {
				t.Fatal(status, text)
			}
			return b
		}
		first := []any{item(trip, "trip", 0, "trip", tripOf()), item(work, "time", 0, "time", workOf()), item(other, "trip", 0, "trip", tripOf("amount", 0)),
			item("not an id", "trip", 0, "trip", tripOf())}
		if got := send(first...).results(); got != "done; done; refused tracking.invalid; refused tracking.invalid; " {
			t.Errorf("first: %s", got)
		}
		again := send(first...)
		if got := again.results(); got != "same; same; refused tracking.invalid; refused tracking.invalid; " || again.Answers[0].Trip.Version != 1 ||
			again.Answers[1].Time.Minutes != 8*60 || again.Answers[1].Time.Plate != "WX12345" || again.Answers[2].Fields[0].Name != "amount" {
			t.Errorf("again: %s %+v", got, again)
		}
		// the other device has seen version 1 too, and is later
		if got := send(item(trip, "trip", 1, "trip", tripOf("amount", 50_00))).results(); got != "done; " {
			t.Error(got)
		}
		conflict := send(item(trip, "trip", 1, "trip", tripOf("amount", 55_00)), item(trip, "trip", 1), item(trip, "trip", 1, "trip", tripOf("amount", 50_00)))
		if got := conflict.results(); got != "conflict tracking.changed; conflict tracking.changed; same; " || conflict.Answers[0].Trip.Amount != 50_00 ||
			conflict.Answers[0].Trip.Device != "phone a" || !slices.Contains(conflict.Answers[0].Trip.Warnings, "clock") {
			t.Errorf("%s %+v", got, conflict.Answers[0].Trip)
		}
		status, text := w.call(t, "driver", "PUT", "/api/trips/"+trip, tripOf("version", 1, "amount", 55_00), nil)
		var problem struct {
			Code   string
			Params map[string]string
		}
		if json.Unmarshal([]byte(text), &problem); status != 409 || problem.Code != "tracking.changed" || !strings.Contains(problem.Params["current"], `"amount":5000`) {
			t.Errorf("%d %s", status, text)
		}
		// a deletion loses against a change of somebody who had not seen it
		if got := send(item(trip, "trip", 2), item(trip, "trip", 2), item(trip, "trip", 2, "trip", tripOf("amount", 48_00))).results(); got != "done; done; done; " {
			t.Error(got)
		}
		// one that runs, and a second one
		running := uuid.NewString()
		if got := send(item(running, "time", 0, "time", workOf("startedAt", "2026-11-15T06:00", "endedAt", "", "breakMinutes", 0)),
			item(uuid.NewString(), "time", 0, "time", workOf("startedAt", "2026-11-15T07:00", "endedAt", "")),
			item(running, "time", 1, "time", workOf("startedAt", "2026-11-15T06:00", "endedAt", "2026-11-15T10:00", "breakMinutes", 0, "mileageStart", 120_100))).results(); got != "done; refused tracking.running; done; " {
			t.Error(got)
		}
		w.must(t, 200, "driver", "PUT", "/api/trips/"+trip+"/photo", photoForm(w.pictured()))

		var trips struct {
			Items  []trackedSeen
			Totals struct{ Count, Cash, Card, WithoutPhoto int64 }
		}
		w.call(t, "driver", "GET", "/api/trips?from=2026-11-01&to=2026-11-30", nil, &trips)
		if trips.Totals.Count != 1 || trips.Totals.Cash != 48_00 || trips.Totals.WithoutPhoto != 0 || len(trips.Items) != 1 || !trips.Items[0].Photo {
			t.Errorf("%+v", trips)
		}
		var times struct {
			Items  []trackedSeen
			Totals struct{ Count, Minutes, Kilometres int64 }
		}
		w.call(t, "partner", "GET", "/api/time-entries?driverUUID="+driver, nil, &times)
		if times.Totals.Minutes != 12*60 || times.Totals.Kilometres != 180+80 || fmt.Sprint(times.Items[0].Warnings) != "[no_photo clock odometer]" {
			t.Errorf("%+v", times)
		}
		var checks struct {
			Items []struct {
				DriverUUID                                      string
				Trips, TripsWithoutPhoto, Odometer, TimeEntries int64
			}
		}
		if w.call(t, "partner", "GET", "/api/tracking/checks?from=2026-11-01&to=2026-11-30", nil, &checks); len(checks.Items) != 1 ||
			checks.Items[0].DriverUUID != driver || checks.Items[0].Odometer != 1 || checks.Items[0].TimeEntries != 2 || checks.Items[0].TripsWithoutPhoto != 0 {
			t.Errorf("%+v", checks)
		}

		// the partner refuses, the driver reads why and corrects it
		var seen trackedSeen
		w.call(t, "partner", "POST", "/api/trips/"+trip+"/refuse", map[string]any{"version": trips.Items[0].Version, "reason": "Paid by the app."}, &seen)
		if seen.RefuseReason != "Paid by the app." || seen.Version != trips.Items[0].Version+1 {
			t.Errorf("%+v", seen)
		}
		if b := w.board(t, ""); !strings.Contains(fmt.Sprint(b), "Paid by the app.") {
			t.Errorf("the board says nothing of it: %+v", b)
		}
		if got := send(item(trip, "trip", seen.Version, "trip", tripOf("amount", 47_00))).results(); got != "done; " {
			t.Error(got)
		}
		if b := w.board(t, ""); strings.Contains(fmt.Sprint(b), "Paid by the app.") {
			t.Error("the refusal stays on the board")
		}

		// settled: the server's stands, sent again it is the same, the photo stays
		settled := w.settledIn(t, driver, "2026-W45")
		stands := send(item(trip, "trip", 6, "trip", tripOf("amount", 47_00)), item(trip, "trip", 6, "trip", tripOf("amount", 99_00)), item(trip, "trip", 7))
		if got := stands.results(); got != "same; conflict tracking.settled; conflict tracking.settled; " || stands.Answers[1].Trip.SettlementID != settled {
			t.Errorf("%s %+v", got, stands.Answers[1].Trip)
		}
		if status, text := w.call(t, "driver", "DELETE", "/api/trips/"+trip+"/photo", nil, nil); status != 409 {
			t.Error(status, text)
		}
		if status, text := w.call(t, "partner", "POST", "/api/trips/"+trip+"/refuse", map[string]any{"version": 7, "reason": "late"}, nil); status != 409 || !strings.Contains(text, "tracking.settled") {
			t.Error(status, text)
		}
		rows := w.explainedRows(t, "driver", "/api/driver-accounts/settlements/"+settled)
		if at := slices.IndexFunc(rows, func(r rowSeen) bool { return r.ID == trip }); at < 0 || rows[at].Source != "trip" || rows[at].Amount != 47_00 {
			t.Errorf("the explanation does not lead to the trip: %+v", rows)
		}
		w.must(t, 200, "partner", "POST", "/api/settlements/revoke", map[string]any{"ids": []string{settled}, "reason": "wrong"})
		w.call(t, "driver", "GET", "/api/trips", nil, &trips)
		if trips.Items[0].SettlementID != "" {
			t.Error("revoking does not free the trip")
		}

		// what the fleet has switched off is refused, and so is what was made for another fleet
		var functions map[string]any
		w.call(t, "partner", "GET", "/api/partners/driver-functions", nil, &functions)
		w.must(t, 204, "partner", "PUT", "/api/partners/driver-functions", with(functions, "1", false))
		if got := send(item(uuid.NewString(), "trip", 0, "trip", tripOf()), item(uuid.NewString(), "time", 0, "time", workOf())).results(); got != "refused tracking.switched_off; done; " {
			t.Error(got)
		}
		w.must(t, 204, "driver", "POST", "/api/driver-accounts/partners/invites", map[string]any{"partnerUuid": "south", "consentToSendContactDetails": true})
		for partner, code := range map[string]string{"north": "tracking.partner_changed", "south": "tracking.not_linked"} {
			if status, text := w.call(t, "driver", "POST", "/api/tracking/batch", map[string]any{"partner": partner,
				"entries": []any{item(uuid.NewString(), "trip", 0, "trip", tripOf())}}, nil); status != 409 || !strings.Contains(text, code) {
				t.Error(status, text)
			}
		}
	})
}

// settledIn settles a driver's period and gives the settlement.
func (w *world) settledIn(t *testing.T, driver, period string) string {
	t.Helper()
	// what a driver has in cash is no reason to be paid
	w.brings(t, driver, []workedRow{{Provider: "BOLT", Type: "TRIP", Date: calendar.Period(period).Monday(), Amount: 500_00}})
	var made struct{ ID string }
	if status, text := w.call(t, "partner", "POST", "/api/settlement-runs", map[string]any{"period": period, "drivers": []string{driver}}, &made); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	w.must(t, 202, "partner", "POST", "/api/settlement-runs/"+made.ID+"/start", map[string]any{"share": true})
	all := w.settledNow(t, driver)
	return slices.MaxFunc(all, func(a, b settlements.Settlement) int { return int(a.Number - b.Number) }).ID
}

// Who closes the account takes places, vehicles and photos along; a settled trip keeps its photo.
func TestTracking_IsErasedWithTheAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		w.linkOnly(t, driver)
		settled := w.tracked(t, "trips", "/photo", tripOf("startPlace", "Polna 77"))
		w.settledIn(t, driver, "2026-W45")
		w.tracked(t, "trips", "/photo", tripOf("startPlace", "Leśna 88", "occurredOn", "2026-11-12"))
		w.tracked(t, "time-entries", "/photos/start", workOf("plate", "KR99999", "note", "bolid"))
		before := len(w.blobs(t))
		w.sign(t, "driver", w.clock.Now())
		w.must(t, 204, "driver", "DELETE", "/api/driver-accounts", nil)
		testkit.Work(t, w.app.DB(), tracking.SweepKind, (&tracking.Service{DB: w.app.DB(), Blobs: w.files(t)}).Sweep)
		if left := len(w.blobs(t)); left != before-2 {
			t.Errorf("%d of %d files are left", left, before)
		}
		testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			places, err := db.Select[string](tx, `SELECT start_place || end_place FROM trips WHERE tenant_id = $1 AND id <> $2
				UNION ALL SELECT plate || note || CAST(mileage_end AS TEXT) FROM time_entries WHERE tenant_id = $1`, settled)
			if fmt.Sprint(places) != "[ 0]" {
				t.Errorf("%q is left", places)
			}
			return err
		})
	})
}

// The worked cases that have trips come out the same when a driver writes them down by the calls.
func TestTracking_GivesTheFiguresOfTheWorkedCases(t *testing.T) {
	text, err := os.ReadFile("../settlements/engine/testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		workedCase
		Trips []struct {
			Date          calendar.Date
			Amount        money.Amount
			PaymentMethod string
		}
		Expected struct{ Figures map[string]money.Amount }
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, w *world) {
		entered := 0
		for _, one := range all {
			if len(one.Trips) == 0 {
				continue
			}
			driver := w.workedDriver(t, one.workedCase, func(*rules.Rules) {})
			w.brings(t, driver, one.Transactions)
			for _, trip := range one.Trips {
				entered++
				w.must(t, 200, "driver", "POST", "/api/trips", tripOf("id", uuid.NewString(), "occurredOn", trip.Date, "amount", trip.Amount, "payment", trip.PaymentMethod))
			}
			var pending struct{ Figures map[string]money.Amount }
			if status, text := w.call(t, "partner", "GET", "/api/drivers/"+driver+"/pending-settlement?period="+string(one.Period), nil, &pending); status != 200 {
				t.Fatal(status, text)
			}
			for name, want := range one.Expected.Figures {
				if got := pending.Figures[name]; got != want {
					t.Errorf("%s: %s is %v, not %v", one.Name, name, got, want)
				}
			}
		}
		if entered != 3 {
			t.Errorf("%d trips were entered", entered)
		}
	})
}

// What is not a photo is refused, and nothing of it stays; a photo is drawn anew and comes without what the camera wrote.
func TestTracking_Photos(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.linkOnly(t, w.earner(t))
		id := uuid.NewString()
		w.must(t, 200, "driver", "POST", "/api/trips", tripOf("id", id))
		path := "/api/trips/" + id + "/photo"
		before := len(w.blobs(t))
		for want, content := range map[int][]byte{http.StatusUnsupportedMediaType: []byte("<html>"), http.StatusRequestEntityTooLarge: bytes.Repeat([]byte{1}, tracking.PhotoMax+1)} {
			if status, text := w.call(t, "driver", "PUT", path, photoForm(content), nil); status != want {
				t.Error(want, status, text)
			}
		}
		if left := len(w.blobs(t)); left != before {
			t.Errorf("%d refused files stay", left-before)
		}
		photo := withPlace(t)
		if !bytes.Contains(photo, []byte("Exif")) {
			t.Fatal("the photo has no EXIF")
		}
		for range 2 {
			w.must(t, 200, "driver", "PUT", path, photoForm(photo))
		}
		if left := len(w.blobs(t)); left != before+1 {
			t.Errorf("%d files for one photo", left-before)
		}
		_, got, err := w.download(t, path)
		if err != nil || len(got) == 0 || bytes.Contains(got, []byte("Exif")) {
			t.Errorf("%d bytes, with EXIF: %v", len(got), bytes.Contains(got, []byte("Exif")))
		}
		w.must(t, 204, "driver", "DELETE", path, nil)
		w.must(t, 404, "partner", "GET", path, nil)
	})
}
