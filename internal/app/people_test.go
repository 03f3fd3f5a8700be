package app

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// staffed is the whole program with people, whatever lets them in.
type staffed struct {
	*App
	t      *testing.T
	public string
	mails  func(to string) []string    // what was mailed so far
	set    func(link, password string) // follows a mailed link to its end
	anna   access.Actor
}

// newStaffed serves the program with the embedded provider.
func newStaffed(t *testing.T, engine string) *staffed {
	t.Helper()
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	public := "http://localhost:" + listener.Addr().String()[strings.LastIndex(listener.Addr().String(), ":")+1:]
	s := &staffed{App: program(t, map[string]string{"SALDO_PUBLIC_URL": public, "SALDO_DATABASE_URL": testkit.Settings(t, engine).URL}), t: t, public: public}
	router, err := s.Router()
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: router.Handler(), ReadHeaderTimeout: time.Second}
	go func() { _ = server.Serve(listener) }() // ends with Close
	t.Cleanup(func() { _ = server.Close() })
	s.mails = s.written
	s.set = func(link, password string) {
		browser := testkit.NewBrowser(t, public, "saldo")
		form := testkit.FormOf(t, browser.Open(t, link), "kc-passwd-update-form")
		form.Fields.Set("password-new", password)
		form.Fields.Set("password-confirm", password)
		testkit.Text(t, browser.Submit(t, form))
	}
	s.open("north")
	return s
}

// open founds the partner.
func (s *staffed) open(code string) {
	s.t.Helper()
	if _, err := s.AddPartner(context.Background(), code, code, "Anna Mazurek", "anna@"+code+".example"); err != nil {
		s.t.Fatal(err)
	}
	s.anna = access.Actor{Role: access.Partner, Name: "Anna Mazurek"}
	testkit.Read(s.t, s.db, access.Program("test"), func(tx *db.Tx) error {
		found, err := identity.ByEmail(tx, "anna@"+code+".example")
		s.anna.Tenant, s.anna.ID = found[0].TenantID, found[0].ID
		return err
	})
}

// works starts the work in the background.
func (s *staffed) works() *staffed {
	s.queue.Poll = 10 * time.Millisecond
	ctx, stop := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() { s.queue.Run(ctx, 2) })
	s.t.Cleanup(func() { stop(); working.Wait() })
	return s
}

func (s *staffed) written(to string) (mails []string) {
	names, err := filepath.Glob(filepath.Join(s.settings.MailFolder(), "*.eml"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			s.t.Fatal(err)
		}
		if strings.Contains(string(data), to) {
			mails = append(mails, string(data))
		}
	}
	return mails
}

func (s *staffed) invite(email string) (id string) {
	s.t.Helper()
	testkit.Write(s.t, s.db, access.ProgramFor(s.anna.Tenant, "test"), func(tx *db.Tx) (err error) {
		id, err = identity.Invite(tx, s.anna, identity.Invitation{FirstName: "Ewa Maria", LastName: "Lis", Email: email, Language: "de"})
		return err
	})
	return id
}

func (s *staffed) as(fn func(*db.Tx) error) {
	s.t.Helper()
	testkit.Write(s.t, s.db, s.anna, fn)
}

func (s *staffed) person(id string) (p identity.Person) {
	s.t.Helper()
	testkit.Read(s.t, s.db, s.anna, func(tx *db.Tx) (err error) { p, err = identity.PersonByID(tx, id); return err })
	return p
}

// idle says whether every job is done.
func (s *staffed) idle() bool {
	left := int64(1)
	testkit.Read(s.t, s.db, access.Program("test"), func(tx *db.Tx) (err error) {
		left, err = db.One[int64](tx.Across(), `SELECT COUNT(*) FROM jobs WHERE state IN ('waiting', 'running') AND kind = $1`, identity.PersonKind)
		return err
	})
	return left == 0
}

// link waits for so many mails to an address and gives the link of the newest.
func (s *staffed) link(email string, mails int) string {
	s.t.Helper()
	testkit.Eventually(s.t, "the invitation", func() bool { return len(s.mails(email)) >= mails })
	return testkit.Links(s.t, s.mails(email)[mails-1])[0]
}

// status is what the program answers to whoever has a token.
func (s *staffed) status(token string) int {
	s.t.Helper()
	rq, err := http.NewRequest(http.MethodGet, s.public+"/api/session", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	rq.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(rq)
	if err != nil {
		s.t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

const chosen = "vier Pferde im Galopp"

// comesAndGoes is the life of a person of an office at any identity provider.
func (s *staffed) comesAndGoes() {
	t, email := s.t, testkit.NewAddress()
	id := s.invite(email)
	s.set(s.link(email, 1), chosen)
	browser := testkit.NewBrowser(t, s.public, "saldo")
	tokens := browser.Login(t, email, chosen)
	if status := s.status(tokens.Access); status != http.StatusOK || s.person(id).State != identity.Active {
		t.Fatalf("%d %+v", status, s.person(id))
	}
	s.as(func(tx *db.Tx) error { return identity.BlockPerson(tx, id, 1) })
	testkit.Eventually(t, "the session ends", func() bool { status, _ := browser.Refresh(t, tokens.Refresh); return status == http.StatusBadRequest })
	if status := s.status(testkit.Login(t, s.public, "saldo", email, chosen).Access); status == http.StatusOK {
		t.Error("a blocked person signs in anew")
	}
	s.as(func(tx *db.Tx) error { return identity.UnblockPerson(tx, id) })
	// tokens carry whole seconds: one of the second in which the sessions ended is refused too
	testkit.Eventually(t, "in again", func() bool {
		return s.status(testkit.Login(t, s.public, "saldo", email, chosen).Access) == http.StatusOK
	})
}

// isWithdrawn is an invitation that is taken back, and one that follows it.
func (s *staffed) isWithdrawn() {
	t, email := s.t, testkit.NewAddress()
	id := s.invite(email)
	dead := s.link(email, 1)
	s.as(func(tx *db.Tx) error { return identity.Withdraw(tx, id) })
	gone := func() bool {
		_, err := s.provider.admin.FindByEmail(context.Background(), email)
		return err == identity.ErrNoUser
	}
	testkit.Eventually(t, "the user is gone", gone)
	if text := testkit.Text(t, testkit.NewBrowser(t, s.public, "saldo").Open(t, dead)); strings.Contains(text, "kc-passwd-update-form") {
		t.Error("the link still sets a password")
	}
	s.invite(email)
	s.set(s.link(email, 2), chosen)
	if status := s.status(testkit.Login(t, s.public, "saldo", email, chosen).Access); status != http.StatusOK {
		t.Errorf("invited again: %d", status)
	}
}

// isSomebodyElses is an invitation of an address that the provider knows.
func (s *staffed) isSomebodyElses() {
	t, email := s.t, testkit.NewAddress()
	if _, _, err := s.provider.admin.EnsureUser(context.Background(), identity.NewUser{Email: email, FirstName: "Dan", LastName: "Driver", Role: access.Driver}); err != nil {
		t.Fatal(err)
	}
	id := s.invite(email)
	testkit.Eventually(t, "the invitation says so", func() bool { return s.person(id).Problem == identity.AddressTaken })
	u, err := s.provider.admin.FindByEmail(context.Background(), email)
	if err != nil || slices.Contains(u.Roles, access.Partner) || u.FirstName != "Dan" || len(s.mails(email)) != 0 {
		t.Errorf("%+v %v", u, err)
	}
	s.as(func(tx *db.Tx) error { return identity.Withdraw(tx, id) }) // and leaves the driver alone
	testkit.Eventually(t, "nothing is left to do", s.idle)
	if _, err := s.provider.admin.FindByEmail(context.Background(), email); err != nil {
		t.Error(err)
	}
}

func TestAPersonIsInvitedComesInAndIsBlocked(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) { newStaffed(t, engine).works().comesAndGoes() })
	}
}

func TestAWithdrawnInvitationHasADeadLink(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) { newStaffed(t, engine).works().isWithdrawn() })
	}
}

func TestAnInvitationLeavesSomebodyElsesAccountAlone(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) { newStaffed(t, engine).works().isSomebodyElses() })
	}
}

// away is an identity provider that does what a test says at each call.
type away struct {
	identity.Admin
	at func(what string) error
}

func (a away) EnsureUser(ctx context.Context, u identity.NewUser) (id string, created bool, err error) {
	if id, created, err = a.Admin.EnsureUser(ctx, u); err != nil {
		return id, created, err
	}
	return id, created, a.at("ensured")
}

func (a away) SendActivation(ctx context.Context, id, redirect string, life time.Duration) error {
	if err := a.at("sending"); err != nil {
		return err
	}
	return a.Admin.SendActivation(ctx, id, redirect, life)
}

// The provider fails after each of its steps once, and the invitation is withdrawn at the worst moment: whatever happens, one
// user with one invitation is there in the end, or none at all.
func TestAnInvitationSurvivesAProviderThatFails(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			s := newStaffed(t, engine)
			var mu sync.Mutex
			var id string
			failed, ending := map[string]bool{}, false
			s.queue.Handle(identity.PersonKind, people{away{s.provider.admin, func(what string) error {
				mu.Lock()
				defer mu.Unlock()
				if what == "ensured" && ending {
					return s.db.Write(context.Background(), s.anna, func(tx *db.Tx) error { return identity.Withdraw(tx, id) })
				}
				if failed[what] {
					return nil
				}
				failed[what] = true
				return context.DeadlineExceeded
			}}, s.provider.verifier.Provider, "pl", toApp}.handle)
			s.works()
			first := testkit.NewAddress()
			s.invite(first)
			s.set(s.link(first, 1), chosen)
			if status := s.status(testkit.Login(t, s.public, "saldo", first, chosen).Access); status != http.StatusOK || len(failed) != 2 {
				t.Fatalf("%d %v", status, failed)
			}
			second := testkit.NewAddress()
			mu.Lock()
			id, ending = s.invite(second), true
			mu.Unlock()
			testkit.Eventually(t, "withdrawn and gone", func() bool {
				_, err := s.provider.admin.FindByEmail(context.Background(), second)
				return s.person(id).State == identity.Withdrawn && err == identity.ErrNoUser
			})
			if len(s.mails(second)) != 0 {
				t.Error("a withdrawn invitation was mailed")
			}
		})
	}
}
