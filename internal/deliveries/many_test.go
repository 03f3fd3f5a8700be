package deliveries_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/connections"
	"saldo/internal/deliveries"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/pack"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/reports/dedicated"
	"saldo/internal/reports/query"
	"saldo/internal/testkit"
)

// quick is a drive in memory: of ten thousand files a real server would be what is measured.
type quick struct {
	mu    sync.Mutex
	files map[string]string
	puts  int
}

func (q *quick) serve(w http.ResponseWriter, r *http.Request) bool {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return true
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	switch _, there := q.files[r.URL.Path]; r.Method {
	case http.MethodGet:
		if !there {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = io.WriteString(w, q.files[r.URL.Path])
	case "MKCOL":
		w.WriteHeader(http.StatusMethodNotAllowed)
	case http.MethodPut:
		q.puts++
		q.files[r.URL.Path] = string(body)
		w.WriteHeader(http.StatusCreated)
	case "MOVE":
		rq, err := http.NewRequest("GET", r.Header.Get("Destination"), nil)
		if _, there := q.files[rq.URL.Path]; err != nil || there {
			w.WriteHeader(http.StatusPreconditionFailed)
			return true
		}
		q.files[rq.URL.Path] = q.files[r.URL.Path]
		delete(q.files, r.URL.Path)
		w.WriteHeader(http.StatusCreated)
	case http.MethodDelete:
		delete(q.files, r.URL.Path)
	}
	return true
}

func TestTenThousandFilesGoOnceThoughTheProgramIsKilled(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, 0, testkit.DrivePassword)
		files := testkit.Times(1_000, 10_000/testkit.Soak())
		testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
			c, err := connections.Of(tx, connections.WebDAV)
			if err != nil {
				return err
			}
			_, err = tx.Insert("drive_items", db.Columns(`id, connection_id, sort, object, part, path, copy, sum, bytes, state, reason, tries, next_at, made_at, stored_at`),
				func(yield func([]any) bool) {
					for i := range files {
						id := fmt.Sprintf("p%05d", i)
						if !yield([]any{tx.NewID(), c.ID, "packs", id, "zip", "Saldo/" + id + ".zip", 1, "", 0, "waiting", "", 0, tx.Now, tx.Now, ""}) {
							return
						}
					}
				})
			if err != nil {
				return err
			}
			_, err = tx.Insert("accountant_packs", db.Columns(`id, month, version, state, fingerprint, figures, changes, sum, bytes, files, asked_by, asked_at, made_at`),
				func(yield func([]any) bool) {
					for i := range files {
						id := fmt.Sprintf("p%05d", i)
						sum, err := w.Fleet.Blobs.Put(t.Context(), "north/packs/"+id+".zip", strings.NewReader(id), int64(len(id)))
						if err != nil || !yield([]any{id, "2026-10", i + 1, "ready", "", "{}", "{}", sum, len(id), 1, "", tx.Now, "2026-01-01T00:00:00.000000Z"}) {
							return
						}
					}
				})
			return err
		})
		q := &quick{files: map[string]string{}}
		killed, kill := context.WithCancel(t.Context())
		w.drive.When(func(rw http.ResponseWriter, r *http.Request) bool {
			q.mu.Lock()
			half := q.puts == files/2
			q.mu.Unlock()
			if half {
				kill()
			}
			return q.serve(rw, r)
		})
		w.queue.Grace = 0
		w.ask(t)
		w.queue.Run(killed, 1)
		w.Clock.Pass(time.Hour)
		w.run(t)
		if n := w.count(t, deliveries.Stored); n != int64(files) || len(q.files) != files {
			t.Errorf("%d are said to be there, %d are", n, len(q.files))
		}
		for path, content := range q.files {
			if path != "/files/Saldo/"+content+".zip" {
				t.Errorf("%s holds %s", path, content)
			}
		}
		if again := q.puts - files; again > 4 { // those that were on their way
			t.Errorf("%d files came again", again)
		}
	})
}

func TestAPackGoesThereAsItIsKept(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		packs := &pack.Service{DB: w.Fleet.DB, Blobs: w.Fleet.Blobs, Billing: w.Billing, Instance: w.Fleet.Instance, Log: slog.New(slog.DiscardHandler)}
		packs.Handle(w.queue)
		w.connect(t, 0, testkit.DrivePassword)
		w.settled(t, 2)
		w.Clock.Pass(30 * 24 * time.Hour)
		var p pack.Pack
		testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) (err error) { p, err = packs.Ask(tx, "2026-11"); return err })
		stop := testkit.RunJobs(t, w.Fleet.DB, func(q *jobs.Queue) { packs.Handle(q); w.Handle(q) })
		testkit.Eventually(t, "the pack", func() bool {
			testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) (err error) { p, err = pack.Of(tx, p.ID); return err })
			return p.State == pack.Ready
		})
		stop()
		w.run(t)
		kept, _, err := w.Fleet.Blobs.Get(t.Context(), p.Key("north"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := io.ReadAll(kept)
		if err != nil {
			t.Fatal(err)
		}
		const path = "Saldo/Wrzos Mobility/2026/11/Paczki dla księgowości/saldo-2026-11-v1.zip"
		if got := w.drive.File(t, "/files/"+path); !bytes.Equal(got, want) || int64(len(want)) != p.Bytes {
			t.Errorf("%d bytes, not %d", len(got), len(want))
		}
		before := w.uploads.Load()
		if w.run(t); w.uploads.Load() != before {
			t.Error("it came twice")
		}
	})
}

func TestAScheduledReportGoesThereToo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Reports = &dedicated.Service{DB: w.Fleet.DB, Instance: w.Fleet.Instance, Mails: w.Connections.Mails, PublicURL: "https://saldo.example",
			Delivered: w.Report}
		w.connect(t, 0, testkit.DrivePassword)
		var schedule string
		testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
			if err := identity.AddMember(tx, identity.Member{ID: "anna", Issuer: identity.Embedded, Subject: "anna", Role: access.Partner, Name: "Anna",
				Email: "anna@north.example"}); err != nil {
				return err
			}
			report, err := w.Reports.Add(tx, dedicated.Entry{Code: "payouts", Audience: query.ForPartner, Enabled: true,
				Definition: `{"subject":"settlements","title":{"pl":"Wypłaty/tydzień"},"measures":["count","payout"],"by":["tag"],"total":true,"ask":[{"name":"from","kind":"day"},{"name":"to","kind":"day"}]}`})
			if err != nil {
				return err
			}
			schedule, err = w.Reports.AddSchedule(tx, dedicated.Plan{ReportID: report, Parameters: query.Parameters{Days: query.LastWeek}, Every: dedicated.Weekly,
				Weekday: 1, Hour: 7, Format: dedicated.CSV, Recipients: []string{"anna"}})
			return err
		})
		pass := func() {
			testkit.Write(t, w.Fleet.DB, access.Program("test"), func(tx *db.Tx) error { return jobs.Enqueue(tx, jobs.Order{Kind: dedicated.DueKind}) })
			stop := testkit.RunJobs(t, w.Fleet.DB, func(q *jobs.Queue) {
				q.Lease = 10_000 * time.Hour
				q.Handle(dedicated.DueKind, w.Reports.Due)
				q.Handle(dedicated.SendKind, w.Reports.Send)
			})
			testkit.Eventually(t, "the reports", func() bool {
				open := int64(0)
				testkit.Read(t, w.Fleet.DB, access.Program("test"), func(tx *db.Tx) (err error) {
					open, err = db.One[int64](tx.Across(), `SELECT COUNT(*) FROM jobs WHERE state IN ('waiting', 'running') AND kind LIKE 'reports.%'`)
					return err
				})
				return open == 0
			})
			stop()
			w.run(t)
		}
		w.Clock.Pass(18 * time.Hour) // Monday, 07:00 in Warsaw
		pass()
		pass()
		files := w.drive.Files(t, "/files")
		if len(files) != 1 || files[0] != "Saldo/Wrzos Mobility/2026/W47/Raporty/Wypłaty_tydzień 2026-11-09 2026-11-15.csv" {
			t.Fatalf("%v", files)
		}
		if text := string(w.drive.File(t, "/files/"+files[0])); !strings.HasPrefix(text, "\ufeff") {
			t.Errorf("%q", text)
		}
		w.drive.Fail(http.StatusLocked)
		w.Clock.Pass(7 * 24 * time.Hour)
		pass()
		testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { return w.Reports.RemoveSchedule(tx, schedule, 1) })
		w.drive.When(nil)
		w.Clock.Pass(time.Hour)
		w.run(t) // what is gone goes nowhere
		if files := w.drive.Files(t, "/files"); len(files) != 1 || w.count(t, deliveries.Waiting) != 0 {
			t.Errorf("%v", files)
		}
	})
}
