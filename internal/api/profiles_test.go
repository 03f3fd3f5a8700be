package api_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/accounts"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

const profilesPath = "/api/driver-profiles"

type proposedSeen struct {
	ID, Email       string
	Version         int64
	Blocked, Linked bool
	Evidence        []string
}

type profileSeen struct {
	ID, ProfileID, DriverID, FirstName, LastName, Email, Phone, State string
	EmailConfirmed, Blocked, Verified, Registered                     bool
	ActivationSentAt, ChosenAt, LinkedAt                              *time.Time
	UpdatedAt                                                         string
	Proposals                                                         []proposedSeen
}

type profilesSeen struct {
	Profiles []profileSeen
	Total    int64
	Counts   struct{ Email, New, Blocked int64 }
}

func (w *world) profiles(t *testing.T, query string) (list profilesSeen, names string) {
	t.Helper()
	if status, text := w.call(t, "partner", "GET", profilesPath+query, nil, &list); status != 200 {
		t.Fatalf("%s: %d %s", query, status, text)
	}
	for _, p := range list.Profiles {
		names += p.LastName + " "
	}
	return list, strings.TrimSpace(names)
}

func (w *world) profile(t *testing.T, id string) (p profileSeen) {
	t.Helper()
	if status, text := w.call(t, "partner", "GET", profilesPath+"/"+id, nil, &p); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	return p
}

// registered is somebody who registers with an address, proven or only typed,
// and chooses north; the id is that of their profile there.
func (w *world) registered(t *testing.T, name, email string, proven bool) (id string) {
	t.Helper()
	w.signUp(t, name, email, proven)
	w.choose(t, name, "north")
	return w.profileID(t, name)
}

func (w *world) signUp(t *testing.T, name, email string, proven bool) {
	t.Helper()
	w.tokens[name] = w.mint.Token(t, name, access.Driver, time.Hour,
		map[string]any{"auth_time": w.clock.Now().Unix(), "email": email, "email_verified": proven})
	w.must(t, 201, name, "POST", accountsPath, with(filledIn(name), "email", email))
}

func (w *world) choose(t *testing.T, name, partner string) {
	t.Helper()
	w.must(t, 204, name, "POST", accountsPath+"/partners/invites", map[string]any{"partnerUuid": partner, "consentToSendContactDetails": true})
}

func (w *world) profileID(t *testing.T, name string) (id string) {
	t.Helper()
	testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) (err error) {
		id, err = db.One[string](tx, `SELECT id FROM driver_profiles WHERE tenant_id = $1 AND account_id = $2`, identity.PersonOf(identity.Embedded, name))
		return err
	})
	return id
}

// link is what a partner sends who ties a profile to a driver as both are now.
func (w *world) linkOf(t *testing.T, profile, driver string, take ...string) map[string]any {
	t.Helper()
	body := map[string]any{"driverId": driver, "profileAt": w.profile(t, profile).UpdatedAt, "take": take}
	if driver != "" {
		body["version"] = w.driver(t, "partner", driver).Version
	}
	return body
}

func (w *world) linkProfile(t *testing.T, profile, driver string, take ...string) {
	t.Helper()
	w.must(t, 200, "partner", "POST", profilesPath+"/"+profile+"/link", w.linkOf(t, profile, driver, take...))
}

// many asks for something to be done to many, and says what became of each.
func (w *world) many(t *testing.T, who, what string, ids ...string) (outcomes string) {
	t.Helper()
	var out struct {
		Outcomes []struct{ ID, Outcome, ProfileID, DriverID string }
	}
	if status, text := w.call(t, who, "POST", profilesPath+"/"+what, map[string]any{"ids": ids}, &out); status != 200 {
		t.Fatalf("%s: %d %s", what, status, text)
	}
	for i, o := range out.Outcomes {
		if o.ID != ids[i] {
			t.Errorf("%s: %s stands for %s", what, o.ID, ids[i])
		}
		outcomes += o.Outcome + " "
	}
	return strings.TrimSpace(outcomes)
}

func (w *world) trail(t *testing.T, kind, id string) (actions string) {
	t.Helper()
	testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		all, err := db.Select[string](tx, `SELECT action FROM audit_entries WHERE tenant_id = $1 AND object_kind = $2 AND object_id = $3 ORDER BY id`, kind, id)
		actions = strings.Join(all, " ")
		return err
	})
	return actions
}

func TestAPartnerLinksVerifiesAndUnlinksADriverWhoChoseIt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.addDriver(t, "partner", with(driverOf("Babiak"), "email", "old@example.com", "phone", "601 234 567", "contractNumber", "K/7"))
		w.addDriver(t, "partner", with(driverOf("Nowak"), "email", "oleh@example.com"))
		w.addDriver(t, "partner", with(driverOf("Babiak"), "firstName", "Petro"))
		id := w.registered(t, "Babiak", "oleh@example.com", true)
		p := w.profile(t, id)
		why := []string{}
		for _, one := range p.Proposals {
			why = append(why, strings.Join(one.Evidence, "+"))
		}
		if strings.Join(why, " ") != "email phone+name" || p.State != "new" || !p.EmailConfirmed || p.Email != "oleh@example.com" {
			t.Errorf("%v %+v", why, p)
		}
		if w.account(t, "Babiak").IsLinked {
			t.Error("linked before anybody linked them")
		}
		w.linkProfile(t, id, driver, "email")
		d := w.driver(t, "partner", driver)
		if !w.account(t, "Babiak").IsLinked || d.Email != "oleh@example.com" || d.Phone != "+48601234567" || d.ContractNumber != "K/7" || d.FirstName != "Oleh" {
			t.Errorf("%+v", d)
		}
		bond := w.bond(t, driver)
		if bond.Linked == nil || bond.Linked.ID != id || bond.Linked.LinkedAt == nil || bond.VerifiedAt != nil || !bond.Registered {
			t.Errorf("%+v", bond)
		}
		w.must(t, 204, "partner", "POST", driversPath+"/"+driver+"/verify", nil)
		w.must(t, 204, "partner", "POST", driversPath+"/"+driver+"/verify", nil)
		if list, _ := w.profiles(t, "?tab=email&linked=yes"); list.Total != 1 || !list.Profiles[0].Verified || list.Profiles[0].State != "linked" || list.Profiles[0].LinkedAt == nil {
			t.Errorf("%+v", list)
		}
		if reply := w.many(t, "partner", "unlink", driver); reply != "unlinked" {
			t.Error(reply)
		}
		if w.account(t, "Babiak").IsLinked || w.profile(t, id).State != "new" || w.driver(t, "partner", driver).ContractNumber != "K/7" || w.bond(t, driver).VerifiedAt == nil {
			t.Error("unlinking lost something, or did not unlink")
		}
		w.must(t, 204, "partner", "POST", driversPath+"/"+driver+"/unverify", nil)
		want := "drivers.add drivers.activation drivers.save drivers.link drivers.verify drivers.unlink drivers.unverify"
		if reply := w.trail(t, "driver", driver); reply != want {
			t.Error(reply)
		}
		if reply := w.trail(t, "driver_profile", id); reply != "driver_profiles.enter driver_profiles.link driver_profiles.unlink" {
			t.Error(reply)
		}
		if n := w.counted(t, `SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1 AND object_kind = 'driver_profile'
			AND (before_state || after_state LIKE '%example.com%' OR before_state || after_state LIKE '%601234567%')`); n != 0 {
			t.Errorf("%d lines of the profile's trail name somebody", n)
		}
		if kept := w.keptAnswers(t); strings.Contains(kept, "example.com") || strings.Contains(kept, "601234567") {
			t.Errorf("answers kept: %s", kept)
		}
	})
}

type bondSeen struct {
	Linked                       *profileSeen
	Candidates                   []struct{ ID string }
	VerifiedAt, ActivationSentAt *time.Time
	Registered                   bool
}

func (w *world) bond(t *testing.T, driver string) (b bondSeen) {
	t.Helper()
	if status, text := w.call(t, "partner", "GET", driversPath+"/"+driver+"/account", nil, &b); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	return b
}

func TestANewDriverIsMadeFromAProfileAndNotMailed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.registered(t, "Babiak", "oleh@example.com", true)
		w.linkProfile(t, id, "")
		list, _ := w.listed(t, "")
		if list.Total != 1 || list.Drivers[0].Email != "oleh@example.com" || list.Drivers[0].ActivationSent || !w.account(t, "Babiak").IsLinked {
			t.Errorf("%+v", list)
		}
		if n := w.counted(t, `SELECT COUNT(*) FROM jobs WHERE tenant_id = $1 AND kind = $2`, identity.ActivateKind); n != 0 {
			t.Errorf("%d activations for somebody who has an account", n)
		}
		if text := w.must(t, 409, "partner", "POST", profilesPath+"/"+id+"/link", w.linkOf(t, id, "")); !strings.Contains(text, "driver_profiles.linked") {
			t.Error(text)
		}
		if list, _ := w.listed(t, ""); list.Total != 1 {
			t.Errorf("a refused link left a driver: %+v", list)
		}
	})
}

func TestALinkIsDecidedOverWhatWasShown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.addDriver(t, "partner", with(driverOf("Babiak"), "phone", "700 800 900"))
		id := w.registered(t, "Babiak", "oleh@example.com", true)
		shown := w.linkOf(t, id, driver, "phone")
		w.clock.Pass(time.Minute)
		w.must(t, 204, "Babiak", "PUT", accountsPath, with(filledIn("Babiak"), "version", w.account(t, "Babiak").Version, "phone", "602 000 000"))
		if text := w.must(t, 409, "partner", "POST", profilesPath+"/"+id+"/link", shown); !strings.Contains(text, "driver_profiles.changed") {
			t.Error(text)
		}
		shown = w.linkOf(t, id, driver, "phone")
		w.must(t, 204, "partner", "PUT", driversPath+"/"+driver, with(driverOf("Babiak"), "version", 1, "phone", "700 800 901"))
		if text := w.must(t, 409, "partner", "POST", profilesPath+"/"+id+"/link", shown); !strings.Contains(text, "drivers.changed") {
			t.Error(text)
		}
		if d := w.driver(t, "partner", driver); d.Phone != "+48700800901" || w.account(t, "Babiak").IsLinked {
			t.Errorf("%+v", d)
		}
		w.must(t, 422, "partner", "POST", profilesPath+"/"+id+"/link", with(w.linkOf(t, id, driver), "take", []string{"iban"}))
		w.must(t, 422, "partner", "POST", profilesPath+"/"+id+"/link", with(w.linkOf(t, id, ""), "take", []string{"name"}))
		w.must(t, 422, "partner", "POST", profilesPath+"/"+id+"/link", with(w.linkOf(t, id, driver), "accountId", "x"))
		w.linkProfile(t, id, driver) // nothing taken: what the partner wrote stays
		if d := w.driver(t, "partner", driver); d.Phone != "+48700800901" || d.Email != "" || d.Version != 2 {
			t.Errorf("%+v", d)
		}
	})
}

func TestSixteenLinksAtOnceLeaveOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.addDriver(t, "partner", driverOf("Babiak"))
		second := w.addDriver(t, "partner", driverOf("Second"))
		one, two := w.registered(t, "One", "one@example.com", true), w.registered(t, "Two", "two@example.com", true)
		tries := []struct{ profile, driver string }{{one, driver}, {two, driver}, {one, second}, {two, driver}}
		bodies := make([]map[string]any, len(tries))
		for i, try := range tries {
			bodies[i] = w.linkOf(t, try.profile, try.driver)
		}
		var linking sync.WaitGroup
		for i := range 16 {
			linking.Go(func() {
				status, text := 503, ""
				for status == 503 {
					status, text = w.call(t, "partner", "POST", profilesPath+"/"+tries[i%4].profile+"/link", bodies[i%4], nil)
				}
				if status != 200 && status != 409 {
					t.Errorf("%d %s", status, text)
				}
			})
		}
		linking.Wait()
		accountsOf := `SELECT COUNT(*) FROM drivers WHERE tenant_id = $1 AND account_id <> ''`
		linked := `SELECT COUNT(*) FROM driver_profiles p JOIN drivers d ON d.tenant_id = p.tenant_id AND d.account_id = p.account_id WHERE p.tenant_id = $1 AND p.state = 'linked'`
		lines := `SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1 AND action = 'drivers.link'`
		n, m, l, states := w.counted(t, accountsOf), w.counted(t, linked), w.counted(t, lines), w.counted(t, `SELECT COUNT(*) FROM driver_profiles WHERE tenant_id = $1 AND state = 'linked'`)
		if n == 0 || n != m || n != l || n != states || w.counted(t, accountsOf+` AND id = $2`, driver) != 1 {
			t.Errorf("%d drivers with accounts, %d pairs, %d lines, %d profiles", n, m, l, states)
		}
	})
}

func TestManyAreLinkedOnlyByTheOneSameConfirmedAddress(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		email := func(lastName, address string) string {
			return w.addDriver(t, "partner", with(driverOf(lastName), "email", address))
		}
		email("Good", "good@example.com")
		email("Twice", "twice@example.com")
		email("Twice", "twice@example.com")
		typed := email("Typed", "typed@example.com")
		out := email("Out", "out@example.com")
		w.must(t, 204, "partner", "POST", driversPath+"/"+out+"/block", nil)
		silent := email("Silent", "silent@example.com")
		good, twice := w.registered(t, "Good", "good@example.com", true), w.registered(t, "Twice", "twice@example.com", true)
		faked := w.registered(t, "Faked", "typed@example.com", false) // typed somebody else's address
		anonymous, kept := w.registered(t, "Nobody", "nobody@example.com", true), w.registered(t, "Kept", "out@example.com", true)
		blocked, left := w.registered(t, "Blocked", "b@example.com", true), w.registered(t, "Left", "l@example.com", true)
		w.many(t, "partner", "block", blocked)
		w.must(t, 204, "Left", "DELETE", accountsPath+"/partners", nil)
		reply := w.many(t, "partner", "link", good, twice, faked, anonymous, kept, blocked, left, silent, typed, "nothing")
		if reply != "linked several_matches email_not_confirmed no_match driver_blocked already_blocked left no_match email_not_confirmed not_found" {
			t.Error(reply)
		}
		if reply := w.many(t, "partner", "link", good); reply != "already_linked" {
			t.Error(reply)
		}
		if !w.account(t, "Good").IsLinked || w.account(t, "Faked").IsLinked {
			t.Error("the wrong ones are linked")
		}
		if reply := w.many(t, "partner", "unlink", good, twice, "nothing"); reply != "unlinked not_linked not_found" {
			t.Error(reply)
		}
		list, _ := w.profiles(t, "?tab=email&q=good")
		if reply := w.many(t, "partner", "link", list.Profiles[0].ID); reply != "linked" { // from the driver's side
			t.Error(reply)
		}
		for _, ids := range [][]string{{}, {good, good}, slices.Repeat([]string{"x"}, 501)} {
			w.must(t, 422, "partner", "POST", profilesPath+"/link", map[string]any{"ids": ids})
		}
	})
}

func TestBlocking_CoversDriverAndProfileAndIsUndoneForBoth(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.addDriver(t, "partner", driverOf("Linked"))
		linked, fresh := w.registered(t, "Linked", "linked@example.com", true), w.registered(t, "Fresh", "fresh@example.com", true)
		w.linkProfile(t, linked, driver)
		w.must(t, 204, "partner", "PUT", "/api/partners/driver-functions", map[string]any{"version": 1, "1": true, "2": false, "3": false, "4": false})
		if reply := w.many(t, "partner", "block", linked, fresh); reply != "blocked blocked" {
			t.Error(reply)
		}
		a := w.account(t, "Linked")
		if !w.driver(t, "partner", driver).Blocked || a.IsLinked || len(a.DriverFunctions) != 0 {
			t.Errorf("%+v", a)
		}
		if _, card := w.call(t, "Linked", "GET", accountsPath+"/partner-profile", nil, nil); strings.Contains(card, "@") || !strings.Contains(card, `"code":""`) {
			t.Errorf("whoever is kept out sees %s", card)
		}
		if reply := w.many(t, "partner", "block", driver); reply != "already_blocked" {
			t.Error(reply)
		}
		if reply := w.many(t, "partner", "unlink", linked); reply != "already_blocked" {
			t.Error(reply)
		}
		if text := w.must(t, 409, "partner", "POST", profilesPath+"/"+fresh+"/link", w.linkOf(t, fresh, "")); !strings.Contains(text, "driver_profiles.blocked") {
			t.Error(text)
		}
		w.must(t, 204, "Fresh", "DELETE", accountsPath+"/partners", nil)
		if text := w.must(t, 409, "Fresh", "POST", accountsPath+"/partners/invites", map[string]any{"partnerUuid": "north", "consentToSendContactDetails": true}); !strings.Contains(text, "accounts.blocked") {
			t.Error(text)
		}
		w.must(t, 204, "partner", "POST", driversPath+"/"+driver+"/unblock", nil) // from the driver's side
		if w.profile(t, linked).State != "linked" || !w.account(t, "Linked").IsLinked {
			t.Error("unblocked and not linked as before")
		}
		w.must(t, 204, "partner", "POST", driversPath+"/"+driver+"/block", nil)
		if w.profile(t, linked).State != "blocked" {
			t.Error("the profile of a blocked driver is not blocked")
		}
		alone := w.addDriver(t, "partner", driverOf("Alone"))
		w.must(t, 204, "partner", "POST", driversPath+"/"+alone+"/block", nil)
		if list, names := w.profiles(t, "?tab=blocked"); names != "Alone Fresh Linked" || list.Counts.Blocked != 3 {
			t.Errorf("%s %+v", names, list.Counts)
		}
		if reply := w.many(t, "partner", "unblock", linked, fresh, alone, "nothing"); reply != "unblocked unblocked unblocked not_found" {
			t.Error(reply)
		}
		if reply := w.many(t, "partner", "unblock", linked); reply != "not_blocked" || w.profile(t, linked).State != "linked" || w.profile(t, fresh).State != "new" {
			t.Error(reply)
		}
		w.choose(t, "Fresh", "north")
		if reply := w.trail(t, "driver_profile", fresh); reply != "driver_profiles.enter driver_profiles.block driver_profiles.leave driver_profiles.unblock driver_profiles.enter" {
			t.Error(reply)
		}
	})
}

func TestAMergeWithSomebodyBlockedKeepsTheirProfileOutUntilItIsUndone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		profile := w.registered(t, "Olga", "olga@example.com", true)
		linked, blocked := w.addDriver(t, "partner", driverOf("Olga")), w.addDriver(t, "partner", driverOf("Olha"))
		w.linkProfile(t, profile, linked)
		w.must(t, 204, "partner", "POST", driversPath+"/"+blocked+"/block", nil)
		merge := w.merge(t, blocked, linked)
		if state := w.profile(t, profile).State; state != "blocked" {
			t.Errorf("after the merge the profile is %s", state)
		}
		w.must(t, 204, "partner", "POST", "/api/driver-merges/"+merge+"/undo", nil)
		if state := w.profile(t, profile).State; state != "linked" {
			t.Errorf("after undoing it the profile is %s", state)
		}
	})
}

func TestLeavingAPartnerAndClosingTheAccountUnlink(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.addDriver(t, "partner", with(driverOf("Babiak"), "email", "written@example.com"))
		id := w.registered(t, "Babiak", "oleh@example.com", true)
		ofNobody := func() bool {
			return w.counted(t, `SELECT COUNT(*) FROM drivers WHERE tenant_id = $1 AND account_id <> ''`) == 0 &&
				w.counted(t, `SELECT COUNT(*) FROM driver_profiles WHERE tenant_id = $1 AND id = $2 AND state = 'new' AND linked_at = '' AND left_at <> ''`, id) == 1
		}
		w.linkProfile(t, id, driver)
		w.must(t, 204, "Babiak", "DELETE", accountsPath+"/partners", nil)
		if !ofNobody() || w.driver(t, "partner", driver).Email != "written@example.com" {
			t.Error("a driver who left is still linked")
		}
		w.choose(t, "Babiak", "north") // and back: nobody is linked by coming back
		if w.account(t, "Babiak").IsLinked || w.profile(t, id).State != "new" {
			t.Error("linked by coming back")
		}
		w.linkProfile(t, id, driver)
		w.choose(t, "Babiak", "south") // choosing another is leaving
		if !ofNobody() {
			t.Error("a driver who chose another partner is still linked")
		}
		w.choose(t, "Babiak", "north")
		w.linkProfile(t, id, driver)
		w.must(t, 204, "Babiak", "DELETE", accountsPath, nil)
		d := w.driver(t, "partner", driver)
		if !ofNobody() || d.LastName != "Babiak" || d.Email != "written@example.com" {
			t.Errorf("%+v", d)
		}
		if text := w.must(t, 404, "partner", "GET", profilesPath+"/"+id, nil); !strings.Contains(text, "driver_profiles.not_found") {
			t.Error(text)
		}
		if reply := w.trail(t, "driver", driver); strings.Count(reply, "drivers.unlink") != 3 {
			t.Error(reply)
		}
	})
}

func TestTheTabsSayWhoWasMailedWhoChoseAndWhoIsKeptOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.must(t, 204, "driver", "DELETE", accountsPath+"/partners", nil)
		mailed := w.addDriver(t, "partner", with(driverOf("Żak"), "email", "zak@example.com"))
		known := w.addDriver(t, "partner", with(driverOf("Łoś"), "email", "los@example.com"))
		w.addDriver(t, "partner", driverOf("Unmailed"))
		w.signUp(t, "before", "los@example.com", true)
		w.clock.Pass(time.Minute)
		expect := func(driver, subject string) { // what the job does when it mails the activation
			testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
				_, err := tx.Exec(`UPDATE drivers SET activated_account = $3, activation_sent_at = $4 WHERE tenant_id = $1 AND id = $2`, driver,
					identity.PersonOf(identity.Embedded, subject), tx.Now)
				return err
			})
		}
		expect(mailed, "zak")
		expect(known, "before")
		list, names := w.profiles(t, "?tab=email")
		if names != "Łoś Żak" || list.Counts.Email != 2 || list.Profiles[0].Registered || list.Profiles[1].Registered || list.Profiles[1].ActivationSentAt == nil {
			t.Errorf("an address that was typed tells who is known: %s %+v", names, list)
		}
		w.clock.Pass(time.Minute)
		w.signUp(t, "zak", "zak@example.com", true)
		if list, _ := w.profiles(t, "?tab=email&q=ZAK"); list.Total != 1 || !list.Profiles[0].Registered || list.Profiles[0].ProfileID != "" {
			t.Errorf("%+v", list)
		}
		w.choose(t, "zak", "north")
		w.registered(t, "Babiak", "self@example.com", true) // registered by themselves
		list, names = w.profiles(t, "")
		if names != "Babiak zak" || list.Counts.New != 2 || list.Profiles[1].Proposals[0].ID != mailed || list.Profiles[1].Proposals[0].Evidence[0] != "email" || len(list.Profiles[0].Proposals) != 0 {
			t.Errorf("%s %+v", names, list)
		}
		if list, _ = w.profiles(t, "?tab=email&q=zak"); list.Profiles[0].ProfileID == "" || list.Profiles[0].State != "new" || list.Counts.New != 1 {
			t.Errorf("%+v", list)
		}
		// profiles from before there was a search key get one at the next start
		testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE driver_profiles SET search_key = '' WHERE tenant_id = $1`)
			return err
		})
		testkit.Write(t, w.app.DB(), access.Program("test"), accounts.KeyProfiles)
		for query, want := range map[string]string{"?tab=new&q=self%40": "Babiak", "?tab=new&q=nobody": "", "?tab=new&size=1&page=2": "zak", "?tab=new&size=1&page=9": "",
			"?tab=email&linked=yes": "", "?tab=email&linked=no": "Łoś Żak", "?tab=blocked": "", "?tab=new&q=%25": ""} {
			if list, names := w.profiles(t, query); names != want || list.Profiles == nil {
				t.Errorf("%s: %q, want %q", query, names, want)
			}
		}
		for _, query := range []string{"tab=all", "size=101", "page=0", "linked=maybe", "what=1"} {
			w.must(t, 422, "partner", "GET", profilesPath+"?"+query, nil)
		}
		if bond := w.bond(t, mailed); len(bond.Candidates) != 1 || bond.Linked != nil || !bond.Registered {
			t.Errorf("%+v", bond)
		}
	})
}

func TestProfiles_OfAnotherPartnerCannotBeTouched(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver, south := w.addDriver(t, "partner", with(driverOf("Babiak"), "email", "oleh@example.com")), w.addDriver(t, "other", driverOf("South"))
		linked, fresh := w.registered(t, "Babiak", "other@example.com", true), w.registered(t, "Fresh", "oleh@example.com", true)
		w.linkProfile(t, linked, driver)
		before := w.profilesState(t)
		for _, what := range []string{"link", "unlink", "block", "unblock"} {
			if reply := w.many(t, "other", what, linked, fresh, driver); reply != "not_found not_found not_found" {
				t.Errorf("%s: %s", what, reply)
			}
		}
		body := map[string]any{"driverId": south, "profileAt": w.profile(t, fresh).UpdatedAt, "version": 1, "take": []string{"name"}}
		w.must(t, 404, "other", "POST", profilesPath+"/"+fresh+"/link", body)
		w.must(t, 404, "partner", "POST", profilesPath+"/"+fresh+"/link", body) // its own profile, another's driver
		w.must(t, 404, "partner", "POST", profilesPath+"/"+fresh+"/link", with(body, "take", []string{}))
		w.must(t, 404, "other", "POST", driversPath+"/"+driver+"/verify", nil)
		if after := w.profilesState(t); after != before {
			t.Errorf("%s became %s", before, after)
		}
		if d := w.driver(t, "other", south); d.LastName != "South" || d.Version != 1 {
			t.Errorf("%+v", d)
		}
	})
}

func (w *world) profilesState(t *testing.T) (sum string) {
	t.Helper()
	testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		all, err := db.Select[string](tx, `SELECT id || state || linked_at || updated_at FROM driver_profiles WHERE tenant_id = $1
			UNION ALL SELECT id || account_id || verified_at || updated_at FROM drivers WHERE tenant_id = $1
			UNION ALL SELECT id || action FROM audit_entries WHERE tenant_id = $1 ORDER BY 1`)
		sum = fmt.Sprint(all)
		return err
	})
	return sum
}
