package connections_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/connections"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/drive"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/outbound"
	"saldo/internal/testkit"
)

var (
	anna = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna Mazurek"}
	ola  = access.Actor{Role: access.Partner, Tenant: "north", ID: "ola", Name: "Ola"}
)

type world struct {
	testkit.Fleet
	*connections.Service
	drive *testkit.WebDAV
}

func newWorld(t *testing.T, engine string) *world {
	w := &world{Fleet: testkit.NewFleet(t, engine), drive: testkit.NewWebDAV(t)}
	w.drive.MakeFolder(t, "/files")
	w.Service = &connections.Service{DB: w.Fleet.DB, Vault: w.Fleet.Vault, Mails: mail.NewQueue(w.Fleet.Vault, nil, mail.Address{Address: "saldo@saldo.example"}),
		PublicURL: "https://saldo.example", Instance: w.Fleet.Instance, Allowed: testkit.Nearby, Trust: w.drive.Trust()}
	testkit.Write(t, w.Fleet.DB, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		for _, a := range []access.Actor{anna, ola} {
			if err := identity.AddMember(tx, identity.Member{ID: a.ID, Issuer: identity.Embedded, Subject: a.ID, Role: access.Partner, Name: a.Name,
				Email: a.ID + "@north.example"}); err != nil {
				return err
			}
		}
		return nil
	})
	return w
}

func each(t *testing.T, test func(t *testing.T, w *world)) { testkit.EachFleet(t, newWorld, test) }

func (w *world) change(version int64, password string) connections.Change {
	return connections.Change{Version: version, Password: password,
		Public: connections.Public{Address: w.drive.Address(), Account: "anna", Deliver: []connections.Delivery{connections.Invoices, connections.Invoices, connections.Statements}}}
}

func (w *world) connected(t *testing.T) connections.Connection {
	t.Helper()
	c, err := w.Save(t.Context(), anna, connections.WebDAV, w.change(0, testkit.DrivePassword))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Save is what a person does.
func (w *world) Save(ctx context.Context, who access.Actor, k connections.Kind, c connections.Change) (made connections.Connection, err error) {
	p, err := w.Prepare(ctx, who, k, c)
	if err != nil {
		return made, err
	}
	err = w.Fleet.DB.Write(context.WithoutCancel(ctx), who, func(tx *db.Tx) error { made, err = w.Keep(tx, p); return err })
	return made, err
}

// Try is what a person does.
func (w *world) Try(ctx context.Context, who access.Actor, k connections.Kind) (c connections.Connection, err error) {
	tried, err := w.Service.Try(ctx, who, k)
	if err != nil {
		return c, err
	}
	err = w.Fleet.DB.Write(ctx, who, func(tx *db.Tx) error { c, err = w.Note(tx, tried); return err })
	return c, err
}

func (w *world) list(t *testing.T) (list []connections.Connection) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) (err error) { list, err = connections.List(tx); return err })
	return list
}

// used opens the drive, if it may be used.
func (w *world) used(t *testing.T) (o connections.Open, err error) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, access.ProgramFor("north", "test"), func(tx *db.Tx) error { o, err = w.Use(tx, connections.WebDAV); return nil })
	return o, err
}

func (w *world) report(t *testing.T, o connections.Open, p drive.Problem) {
	t.Helper()
	testkit.Write(t, w.Fleet.DB, access.ProgramFor("north", "test"), func(tx *db.Tx) error { return w.Report(tx, o, p, drive.Unknown) })
}

func (w *world) mails(t *testing.T) int64 {
	t.Helper()
	var n int64
	testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) (err error) {
		n, err = db.One[int64](tx, `SELECT COUNT(*) FROM mails WHERE tenant_id = $1`)
		return err
	})
	return n
}

func isFault(err error, code string) bool {
	var f *fault.Fault
	return errors.As(err, &f) && f.Code == code
}

func TestConnection_IsTriedBeforeItIsKept(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for name, c := range map[string]struct {
			change func(c *connections.Change)
			code   string
		}{
			"wrong password": {func(c *connections.Change) { c.Password = "hunter3" }, "connections.denied"},
			"no folder":      {func(c *connections.Change) { c.Public.Address = w.drive.URL + "/other" }, "connections.folder_missing"},
			"nobody there":   {func(c *connections.Change) { c.Public.Address = "https://127.0.0.1:1/files" }, "connections.away"},
			"no password":    {func(c *connections.Change) { c.Password = "" }, "connections.invalid"},
			"no account":     {func(c *connections.Change) { c.Public.Account = " " }, "connections.invalid"},
			"no address":     {func(c *connections.Change) { c.Public.Address = "ftp://x" }, "connections.invalid"},
		} {
			change := w.change(0, testkit.DrivePassword)
			c.change(&change)
			if _, err := w.Save(t.Context(), anna, connections.WebDAV, change); !isFault(err, c.code) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if n := w.drive.Logins("hunter3"); n != 1 {
			t.Errorf("a wrong password was tried %d times", n)
		}
		w.drive.Fail(http.StatusInsufficientStorage)
		if _, err := w.Save(t.Context(), anna, connections.WebDAV, w.change(0, testkit.DrivePassword)); !isFault(err, "connections.no_space") {
			t.Error(err)
		}
		w.drive.Fail(0)
		if len(w.list(t)) != 0 {
			t.Fatal("something was kept")
		}
		c := w.connected(t)
		if c.State != connections.Working || c.Version != 1 || !slices.Equal(c.Public.Deliver, []connections.Delivery{connections.Statements, connections.Invoices}) {
			t.Errorf("%+v", c)
		}
		if files := w.drive.Files(t, "/files"); len(files) != 0 {
			t.Errorf("trying left %v", files)
		}
	})
}

func TestConnection_ReachesNoPrivateNetwork(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Allowed = outbound.Public
		for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1", "172.16.0.1", "192.168.0.1", "169.254.169.254",
			"100.64.0.1", "0.0.0.0", "[fd00::1]", "[fe80::1]", "[64:ff9b::a00:1]"} {
			change := w.change(0, testkit.DrivePassword)
			change.Public.Address = "https://" + host + strings.TrimPrefix(w.drive.Address(), "https://127.0.0.1")
			if _, err := w.Save(t.Context(), anna, connections.WebDAV, change); !isFault(err, "connections.private") {
				t.Errorf("%s: %v", host, err)
			}
		}
		if w.drive.Logins(testkit.DrivePassword) != 0 {
			t.Error("a private address was reached")
		}
	})
}

func TestConnection_APasswordGoesNowhereElse(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connected(t)
		other := testkit.NewWebDAV(t)
		for name, change := range map[string]func(p *connections.Public){
			"address": func(p *connections.Public) { p.Address = other.Address() },
			"account": func(p *connections.Public) { p.Account = "eve" },
		} {
			c := w.change(1, "")
			change(&c.Public)
			if _, err := w.Save(t.Context(), anna, connections.WebDAV, c); !isFault(err, "connections.invalid") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if other.Logins(testkit.DrivePassword) != 0 {
			t.Error("the password went elsewhere")
		}
		c := w.change(1, "") // what is delivered may change without it
		c.Public.Deliver = nil
		if kept, err := w.Save(t.Context(), anna, connections.WebDAV, c); err != nil || kept.Version != 2 || len(kept.Public.Deliver) != 0 {
			t.Error(kept, err)
		}
	})
}

func TestConnection_OneOfTwoChangesHolds(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.connected(t)
		for _, version := range []int64{0, 7} {
			if _, err := w.Save(t.Context(), ola, connections.WebDAV, w.change(version, testkit.DrivePassword)); !isFault(err, "connections.changed") {
				t.Errorf("from version %d: %v", version, err)
			}
		}
		testkit.Write(t, w.Fleet.DB, ola, func(tx *db.Tx) error { return connections.Remove(tx, connections.WebDAV) })
		if _, err := w.Save(t.Context(), anna, connections.WebDAV, w.change(first.Version, testkit.DrivePassword)); !isFault(err, "connections.changed") {
			t.Errorf("a change of what was removed: %v", err)
		}
		if again := w.connected(t); again.ID == first.ID {
			t.Error("a new connection has the id of the removed one")
		}
	})
}

func TestConnection_AWrongPasswordStopsItAtOnceAndIsToldOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connected(t)
		w.drive.SetPassword("changed at the other side")
		o, err := w.used(t)
		if err != nil {
			t.Fatal(err)
		}
		d, err := w.Drive(o)
		if err != nil {
			t.Fatal(err)
		}
		before := w.drive.Logins(testkit.DrivePassword)
		w.report(t, o, drive.ProblemOf(d.Test(t.Context())))
		w.report(t, o, drive.Denied) // somebody else tried at the same moment
		if n := w.drive.Logins(testkit.DrivePassword) - before; n != 1 {
			t.Errorf("a wrong password was tried %d times", n)
		}
		if c := w.list(t)[0]; c.State != connections.Stopped || c.Reason != drive.Denied || !c.NextAt.IsZero() {
			t.Errorf("%+v", c)
		}
		if _, err := w.used(t); !errors.Is(err, connections.ErrNotFound) {
			t.Errorf("a stopped connection is used: %v", err)
		}
		if n := w.mails(t); n != 1 {
			t.Errorf("%d mails", n)
		}
		// A person tries it: still wrong, and nobody is told again; then with the new password.
		if c, err := w.Try(t.Context(), anna, connections.WebDAV); err != nil || c.State != connections.Stopped {
			t.Error(c, err)
		}
		if c, err := w.Save(t.Context(), anna, connections.WebDAV, w.change(1, "changed at the other side")); err != nil || c.State != connections.Working || c.Reason != "" {
			t.Error(c, err)
		}
		w.report(t, o, drive.Denied) // somebody used the old password until now: it says nothing of the new one
		if c := w.list(t)[0]; c.State != connections.Working {
			t.Errorf("%+v", c)
		}
		if n := w.mails(t); n != 1 {
			t.Errorf("%d mails", n)
		}
	})
}

func TestConnection_IsTriedForFiveDaysWhereNobodyAnswers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connected(t)
		start := w.Clock.Now()
		var tries int
		for {
			o, err := w.used(t)
			if err != nil {
				break
			}
			if tries++; tries > 100 {
				t.Fatal("it is tried for ever")
			}
			w.report(t, o, drive.Away)
			c := w.list(t)[0]
			if c.State == connections.Stopped {
				continue
			}
			if wait := c.NextAt.Sub(w.Clock.Now()); wait < time.Minute || wait > 4*time.Hour {
				t.Fatalf("the next try is after %v", wait)
			}
			w.Clock.Pass(c.NextAt.Sub(w.Clock.Now()))
		}
		if lasted := w.Clock.Now().Sub(start); lasted < 5*24*time.Hour || lasted > 5*24*time.Hour+4*time.Hour {
			t.Errorf("it was tried for %v, %d times", lasted, tries)
		}
		if n := w.mails(t); n != 1 {
			t.Errorf("%d mails", n)
		}
		if c, err := w.Try(t.Context(), anna, connections.WebDAV); err != nil || c.State != connections.Working || c.Failures != 0 {
			t.Error(c, err)
		}
	})
}

func TestConnection_WhoLeftTheOfficeIsToldNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connected(t)
		testkit.Write(t, w.Fleet.DB, ola, func(tx *db.Tx) error { return identity.BlockPerson(tx, "anna", 1) })
		o, err := w.used(t)
		if err != nil {
			t.Fatal(err)
		}
		w.report(t, o, drive.NoSpace)
		if n := w.mails(t); n != 0 {
			t.Errorf("%d mails", n)
		}
	})
}

func TestConnection_TheSecretIsNowhere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connected(t)
		if _, err := w.Save(t.Context(), anna, connections.WebDAV, w.change(1, testkit.DrivePassword)); err != nil {
			t.Fatal(err)
		}
		testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { return connections.Remove(tx, connections.WebDAV) })
		w.connected(t)
		testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
			rows, err := db.Select[struct{ Public, Sealed string }](tx, `SELECT public, sealed FROM service_connections WHERE tenant_id = $1`)
			if err != nil || len(rows) != 1 || strings.Contains(rows[0].Public+rows[0].Sealed, "hunter2") {
				t.Error(rows, err)
			}
			lines, err := audit.Of(tx, "partner", "north")
			if err != nil || len(lines) < 4 {
				t.Error(lines, err)
			}
			for _, l := range lines {
				if strings.Contains(db.JSON(l), "hunter2") {
					t.Errorf("the trail has the password: %v", l)
				}
			}
			return nil
		})
	})
}

func TestConnection_ASlowServiceKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testkit.Engines[0])
	open := make(chan struct{})
	t.Cleanup(func() { close(open) })
	w.drive.When(func(_ http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body)
		<-open
		return true
	})
	ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	if _, err := w.Save(ctx, anna, connections.WebDAV, w.change(0, testkit.DrivePassword)); !isFault(err, "connections.away") {
		t.Error(err)
	}
}
