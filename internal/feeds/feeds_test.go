package feeds_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/connections"
	"saldo/internal/drivers"
	"saldo/internal/feeds"
	"saldo/internal/identity"
	"saldo/internal/imports"
	"saldo/internal/imports/providers"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/testkit"
)

var anna = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna Mazurek"}

// today is the day of the clock of tests.
const today = calendar.Date("2026-11-15")

type world struct {
	testkit.Fleet
	*feeds.Service
	connector *testkit.Connector
	box       *testkit.Mailbox
	stop      func()
}

func newWorld(t *testing.T, engine string) *world {
	w := &world{Fleet: testkit.NewFleet(t, engine), connector: testkit.NewConnector(t), box: testkit.NewMailbox(t)}
	w.Service = w.service(w.Fleet.DB)
	testkit.Write(t, w.Fleet.DB, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		return identity.AddMember(tx, identity.Member{ID: "anna", Issuer: identity.Embedded, Subject: "anna", Role: access.Partner, Name: anna.Name,
			Email: "anna@north.example"})
	})
	for i := range 4 {
		w.driver(t, fmt.Sprint("Żuraw ", i), cardOf(i))
	}
	w.stop = w.work(t, w.Fleet.DB, w.Service)
	return w
}

// service is one over a database, which another instance may have open too.
func (w *world) service(d *db.DB) *feeds.Service {
	return &feeds.Service{DB: d, Instance: w.Fleet.Instance, Log: slog.New(slog.DiscardHandler),
		Imports: &imports.Service{DB: d, Blobs: w.Fleet.Blobs, Instance: w.Fleet.Instance, Layouts: providers.Layouts()},
		Connections: &connections.Service{DB: d, Vault: w.Vault, Mails: mail.NewQueue(w.Vault, nil, mail.Address{Address: "saldo@saldo.example"}),
			PublicURL: "https://saldo.example", Instance: w.Fleet.Instance, Allowed: testkit.Nearby, Trust: w.connector.Trust(),
			FuelURL: w.connector.Address()}}
}

// work does jobs until the test ends, but looks for nothing by itself.
func (w *world) work(t *testing.T, d *db.DB, s *feeds.Service) (stop func()) {
	t.Helper()
	return testkit.RunJobs(t, d, func(q *jobs.Queue) {
		q.Lease = 10_000 * time.Hour // tests pass months
		s.Handle(q)
		q.Handle(imports.AnalyzeKind, s.Imports.Analyze)
		q.Handle(imports.ConfirmKind, s.Imports.Import)
	})
}

func each(t *testing.T, test func(t *testing.T, w *world)) { testkit.EachFleet(t, newWorld, test) }

func cardOf(i int) string { return fmt.Sprintf("70178300000%d1234", i) }

func (w *world) driver(t *testing.T, last, card string) {
	t.Helper()
	testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
		_, err := (drivers.Service{Vault: w.Vault, Country: "PL"}).AddMany(tx, []drivers.NewDriver{{
			Details:    drivers.Details{FirstName: "Łukasz", LastName: last, SummaryLanguage: "pl"},
			Identities: []drivers.Identity{{Provider: "ORLEN", Value: card}}}})
		return err
	})
}

// connect connects the fuel cards; confirm lets files be confirmed by themselves.
func (w *world) connect(t *testing.T, version int64, confirm bool) {
	t.Helper()
	w.save(t, connections.Orlen, connections.Change{Version: version, Password: testkit.DrivePassword,
		Public: connections.Public{FleetNumber: w.connector.Fleet, Account: "anna", Confirm: confirm}})
}

func (w *world) save(t *testing.T, k connections.Kind, c connections.Change) {
	t.Helper()
	p, err := w.Connections.Prepare(t.Context(), anna, k, c)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { _, err := w.Connections.Keep(tx, p); return err })
}

// fetch asks as a person does, and waits.
func (w *world) fetch(t *testing.T, k connections.Kind) {
	t.Helper()
	testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { return w.Ask(tx, k) })
	w.settle(t)
}

// night passes a day and looks, as the schedule does.
func (w *world) night(t *testing.T) {
	t.Helper()
	w.Clock.Pass(24 * time.Hour)
	w.look(t)
}

func (w *world) look(t *testing.T) {
	t.Helper()
	w.enqueueLook(t)
	w.settle(t)
}

func (w *world) enqueueLook(t *testing.T) {
	t.Helper()
	testkit.Write(t, w.Fleet.DB, access.Program("test"), lookNow)
}

func lookNow(tx *db.Tx) error { return jobs.Enqueue(tx, jobs.Order{Kind: feeds.LookKind}) }

// settle waits until no job of files is left.
func (w *world) settle(t *testing.T) {
	t.Helper()
	testkit.Eventually(t, "the end of the jobs", func() bool { return w.jobs(t, "waiting', 'running") == 0 })
	if w.jobs(t, "failed") > 0 {
		t.Fatal("a job failed")
	}
}

func (w *world) jobs(t *testing.T, states string) (n int64) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, access.Program("test"), func(tx *db.Tx) (err error) {
		n, err = db.One[int64](tx.Across(), `SELECT COUNT(*) FROM jobs WHERE state IN ('`+states+`') AND (kind LIKE 'feeds%' OR kind LIKE 'imports%')`)
		return err
	})
	return n
}

func (w *world) files(t *testing.T) (all []imports.Import) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
		p, err := imports.All(tx, imports.Filter{Limit: 100})
		all = p.Imports
		return err
	})
	slices.Reverse(all)
	return all
}

// states are those of all files, oldest first.
func (w *world) states(t *testing.T) string {
	t.Helper()
	var all []string
	for _, i := range w.files(t) {
		all = append(all, string(i.Status))
	}
	return strings.Join(all, " ")
}

// reasons are why files wait, oldest first.
func (w *world) reasons(t *testing.T) string {
	t.Helper()
	var all []string
	testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) (err error) {
		all, err = db.Select[string](tx, `SELECT decision || CASE reason WHEN '' THEN '' ELSE ':' || reason END FROM fetched_files
			WHERE tenant_id = $1 ORDER BY id`)
		return err
	})
	return strings.Join(all, " ")
}

func (w *world) confirm(t *testing.T, n int) {
	t.Helper()
	id := w.files(t)[n].ID
	testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { _, err := w.Imports.Confirm(tx, id, imports.ConfirmOptions{}); return err })
	w.settle(t)
}

func (w *world) count(t *testing.T, text string) (n int64) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) (err error) { n, err = db.One[int64](tx, text); return err })
	return n
}

func (w *world) booked(t *testing.T) int64 {
	t.Helper()
	return w.count(t, `SELECT COUNT(*) FROM transactions WHERE tenant_id = $1 AND deleted_at = ''`)
}

func (w *world) connection(t *testing.T, k connections.Kind) (c connections.Connection) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) (err error) { c, err = connections.Of(tx, k); return err })
	return c
}

func (w *world) last(t *testing.T, k connections.Kind) (l feeds.Last) {
	t.Helper()
	c := w.connection(t, k)
	testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) (err error) { l, err = feeds.LastOf(tx, &c); return err })
	return l
}

// refuel books so many refuellings of a day, of 100.00 each.
func (w *world) refuel(on calendar.Date, n int) {
	rows := make([]testkit.Refuelling, n)
	for i := range rows {
		rows[i] = testkit.Refuelling{Card: cardOf(i % 4), On: on, Gross: 100_00, Bill: fmt.Sprint("WZ/", on, "/", i)}
	}
	w.connector.Book(rows...) // at once: the schedule may ask at any moment
}

func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, not %v", what, got, want)
	}
}
