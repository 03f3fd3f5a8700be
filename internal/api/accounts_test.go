package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/accounts"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/testkit"
)

// person is the actor that a driver's token stands for.
func person(who string) access.Actor {
	m := principals[who]
	id := identity.PersonOf(identity.Embedded, m.Subject)
	return access.Actor{Role: access.Driver, Person: id, ID: id, Name: who, Proof: access.Proof{Issuer: identity.Embedded, Subject: m.Subject}}
}

// system is the system acting for a driver.
func system(who string) access.Actor { return access.ProgramFor(person(who).Person, "test") }

// settleDriver puts a driver where the tests expect them: with their partner,
// or alone.
func (w *world) settleDriver(t *testing.T, who string) {
	t.Helper()
	m, actor := principals[who], person(who)
	testkit.Write(t, w.app.DB(), system(who), func(tx *db.Tx) error {
		if m.TenantID == "" {
			if err := accounts.LeavePartner(tx, actor); err != nil && !errors.Is(err, accounts.ErrNoAccount) && !errors.Is(err, accounts.ErrNoPartner) {
				return err
			}
			return nil
		}
		err := tx.As(actor.AsDriver(), func() error {
			return accounts.Open(tx, nil, "PL", accounts.Details{FirstName: canary + m.TenantID, LastName: who, Email: who + "@" + canary + m.TenantID + ".example",
				Phone: "601234567", Cities: []string{"Łódź"}})
		})
		if err != nil && !errors.Is(err, accounts.ErrExists) {
			return err
		}
		return accounts.ChoosePartner(tx, actor, m.TenantID, accounts.Consent{Given: true, Language: i18n.Polish})
	})
}

// filledIn is what a driver sends to fill in their account.
func filledIn(lastName string) map[string]any {
	return map[string]any{"firstName": "Oleh", "lastName": lastName, "email": "Oleh@Example.com", "phone": "601 234 567", "cities": []string{"Warszawa"}}
}

func with(body map[string]any, more ...any) map[string]any {
	all := maps.Clone(body)
	for i := 0; i < len(more); i += 2 {
		all[more[i].(string)] = more[i+1]
	}
	return all
}

const accountsPath = "/api/driver-accounts"

type account struct {
	ID, FirstName, LastName, Email, Phone, TaxID, Pesel, Activity, CarStatus string
	PartnerUUID, PartnerDescription, ReferenceID, SummaryLanguage            string
	Cities                                                                   []string
	Address                                                                  struct{ PostCode, City, Street string }
	DriverFunctions                                                          []int
	HasPesel, IsLinked, Completed, BailiffSeizure, Newsletter                bool
	Version, SettlementFrequency                                             int64
}

func (w *world) account(t *testing.T, who string) (a account) {
	t.Helper()
	if status, text := w.call(t, who, "GET", accountsPath, nil, &a); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	return a
}

func (w *world) must(t *testing.T, want int, who, method, path string, body any) string {
	t.Helper()
	status, text := w.call(t, who, method, path, body, nil)
	if status != want {
		t.Errorf("%s %s as %s: %d %s, want %d", method, path, who, status, text, want)
	}
	return text
}

func TestADriverFillsInAndChangesTheirAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if text := w.must(t, 404, "lone", "GET", accountsPath, nil); !strings.Contains(text, "accounts.none") {
			t.Error(text)
		}
		body := with(filledIn("Babiak"), "pesel", "44051401359", "taxId", "526-025-02-74", "carStatus", "own", "activity", "with_partner", "summaryLanguage", "uk",
			"newsletter", true, "bailiffSeizure", true, "address", map[string]any{"street": "Prosta", "houseNumber": "1", "postCode": "00-001", "city": "Warszawa"})
		if text := w.must(t, 201, "lone", "POST", accountsPath, body); strings.Contains(text, "Babiak") || strings.Contains(text, "44051401359") {
			t.Errorf("the kept answer is personal: %s", text)
		}
		a := w.account(t, "lone")
		if a.FirstName != "Oleh" || a.Email != "oleh@example.com" || a.Phone != "+48601234567" || a.TaxID != "5260250274" || a.Pesel != "•••••••1359" || !a.HasPesel ||
			a.Address.PostCode != "00-001" || a.CarStatus != "own" || a.SummaryLanguage != "uk" || !a.Newsletter || !a.BailiffSeizure || !a.Completed || a.PartnerUUID != "" ||
			a.DriverFunctions == nil {
			t.Errorf("%+v", a)
		}
		if text := w.must(t, 409, "lone", "POST", accountsPath, body); !strings.Contains(text, "accounts.exists") {
			t.Error(text)
		}
		edit := with(filledIn("Babiak-Nowy"), "version", a.Version, "taxId", "5260250274")
		w.must(t, 204, "lone", "PUT", accountsPath, edit)
		after := w.account(t, "lone")
		if after.LastName != "Babiak-Nowy" || !after.HasPesel || after.Version == a.Version || after.CarStatus != "" {
			t.Errorf("%+v", after)
		}
		if text := w.must(t, 409, "lone", "PUT", accountsPath, edit); !strings.Contains(text, "accounts.changed") {
			t.Errorf("a stale edit: %s", text)
		}
		w.must(t, 204, "lone", "PUT", accountsPath, with(edit, "version", after.Version, "pesel", ""))
		if w.account(t, "lone").HasPesel {
			t.Error("the PESEL stayed")
		}
	})
}

func TestEveryWrongFieldIsNamed(t *testing.T) {
	w := newWorld(t, "sqlite")
	address := func(name, value string) map[string]any { return map[string]any{name: value} }
	for name, c := range map[string]struct {
		field string
		value any
		wrong string
	}{
		"no first name":          {"firstName", "  ", "firstName"},
		"a long first name":      {"firstName", strings.Repeat("ż", 51), "firstName"},
		"no last name":           {"lastName", "", "lastName"},
		"a long last name":       {"lastName", strings.Repeat("ż", 51), "lastName"},
		"no city":                {"cities", []string{" "}, "cities"},
		"no cities":              {"cities", []string{}, "cities"},
		"no phone":               {"phone", "", "phone"},
		"half a phone":           {"phone", "601 234", "phone"},
		"a Ukrainian phone":      {"phone", "050 123 45 67", "phone"}, // never +48
		"no e-mail":              {"email", "", "email"},
		"a wrong e-mail":         {"email", "oleh@", "email"},
		"nine digits of a NIP":   {"taxId", "526025027", "taxId"},
		"a wrong NIP":            {"taxId", "5260250275", "taxId"},
		"ten digits of a PESEL":  {"pesel", "4405140135", "pesel"},
		"a wrong PESEL":          {"pesel", "44051401358", "pesel"},
		"an unknown car":         {"carStatus", "stolen", "carStatus"},
		"an unknown activity":    {"activity", "sleeping", "activity"},
		"an unknown language":    {"summaryLanguage", "fr", "summaryLanguage"},
		"a post code of Germany": {"address", address("postCode", "10115"), "address.postCode"},
		"a country of one":       {"address", address("country", "1x"), "address.country"},
		"a long street":          {"address", address("street", strings.Repeat("a", 101)), "address.street"},
	} {
		t.Run(name, func(t *testing.T) {
			status, text := w.call(t, "lone", "POST", accountsPath, with(filledIn("Babiak"), c.field, c.value), nil)
			if status != 422 || !strings.Contains(text, fmt.Sprintf(`"name":%q`, c.wrong)) {
				t.Errorf("%d %s", status, text)
			}
		})
	}
	if text := w.must(t, 422, "lone", "POST", accountsPath, with(filledIn(""), "firstName", "", "phone", "x")); strings.Count(text, `"code"`) < 4 {
		t.Errorf("only the first is named: %s", text)
	}
	w.must(t, 404, "lone", "GET", accountsPath, nil)
	w.must(t, 201, "lone", "POST", accountsPath, with(filledIn(strings.Repeat("ż", 50)), "pesel", "", "taxId", ""))
}

// What a driver may not set cannot be slipped in: every column, in every
// spelling of its name, beside fields that are allowed.
func TestNothingElseOfAnAccountCanBeSet(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		migration, err := os.ReadFile(testkit.Root(t) + "/internal/platform/db/migrations/0005_driver_accounts.sql")
		if err != nil {
			t.Fatal(err)
		}
		table, _, _ := strings.Cut(string(migration), ");")
		before := w.account(t, "driver")
		allowed := filledIn("Babiak")
		for _, more := range []string{"taxId", "newsletter", "carStatus", "activity", "address", "pesel", "summaryLanguage", "version"} {
			allowed[more] = nil
		}
		tried := 0
		for line := range strings.Lines(table) {
			column, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			if !strings.HasPrefix(line, "\t") {
				continue
			}
			words := strings.Split(column, "_")
			for i := range words[1:] {
				words[i+1] = strings.ToUpper(words[i+1][:1]) + words[i+1][1:]
			}
			for _, name := range []string{column, strings.Join(words, ""), "isLinked", "driverFunctions", "partnerUuid", "partnerDescription"} {
				if _, ok := allowed[name]; ok {
					continue
				}
				tried++
				for _, method := range []string{"POST", "PUT"} {
					w.must(t, 422, "driver", method, accountsPath, with(filledIn("Evil"), "version", before.Version, name, "1"))
				}
			}
		}
		if after := w.account(t, "driver"); tried < 40 || fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("%d tried; %+v became %+v", tried, before, after)
		}
	})
}

// keptAnswers are what repeats of a driver's changes would be told.
func (w *world) keptAnswers(t *testing.T) (all string) {
	t.Helper()
	testkit.Read(t, w.app.DB(), access.Program("test"), func(tx *db.Tx) error {
		answers, err := db.Select[string](tx.Across(), `SELECT answer FROM idempotency_keys`)
		all = strings.Join(answers, "\n")
		return err
	})
	return all
}

func TestNothingPersonalIsKeptInTheClear(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.must(t, 201, "lone", "POST", accountsPath, with(filledIn("Tajny"), "pesel", "44051401359"))
		w.must(t, 204, "lone", "PUT", accountsPath, with(filledIn("Tajniejszy"), "version", 1))
		w.must(t, 204, "lone", "POST", accountsPath+"/partners/invites", map[string]any{"partnerUuid": "north", "consentToSendContactDetails": true})
		if kept := w.keptAnswers(t); strings.Contains(kept, "Tajn") || strings.Contains(kept, "601") || kept == "" {
			t.Errorf("answers kept: %s", kept)
		}
		testkit.Read(t, w.app.DB(), access.Program("test"), func(tx *db.Tx) error {
			sealed, err := db.One[string](tx.Across(), `SELECT pesel_sealed FROM driver_accounts WHERE tenant_id = $1`, person("lone").Person)
			if strings.Contains(sealed, "44051401359") || sealed == "" {
				t.Errorf("the PESEL is kept as %q", sealed)
			}
			return err
		})
	})
}

func TestAChosenPartnerActsAtOnceAndSeesTheContactAsItChanges(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		invites := accountsPath + "/partners/invites"
		choose := map[string]any{"partnerUuid": "north", "consentToSendContactDetails": true, "language": "uk"}
		if text := w.must(t, 404, "lone", "POST", invites, choose); !strings.Contains(text, "accounts.none") {
			t.Error(text)
		}
		w.must(t, 201, "lone", "POST", accountsPath, filledIn("Babiak"))
		for _, consent := range []any{false, nil} {
			if text := w.must(t, 422, "lone", "POST", invites, with(choose, "consentToSendContactDetails", consent)); !strings.Contains(text, "consentToSendContactDetails") {
				t.Error(text)
			}
		}
		if text := w.must(t, 404, "lone", "POST", invites, with(choose, "partnerUuid", "nowhere")); !strings.Contains(text, "accounts.partner_not_found") {
			t.Error(text)
		}
		w.must(t, 204, "lone", "POST", invites, choose)
		a := w.account(t, "lone")
		if a.PartnerUUID != "north" || a.PartnerDescription != canary+"north" || a.IsLinked || fmt.Sprint(a.DriverFunctions) != "[1 2 3 4]" {
			t.Errorf("%+v", a)
		}
		w.must(t, 204, "lone", "PUT", accountsPath, with(filledIn("Babiak-Nowy"), "version", a.Version, "phone", "602 345 678"))
		testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			p, err := db.One[struct{ State, LastName, Phone, ConsentText string }](tx,
				`SELECT state, last_name, phone, consent_text FROM driver_profiles WHERE tenant_id = $1 AND account_id = $2`, person("lone").Person)
			if p.State != "new" || p.LastName != "Babiak-Nowy" || p.Phone != "+48602345678" || p.ConsentText != accounts.ConsentText(i18n.Ukrainian, canary+"north") {
				t.Errorf("%+v", p)
			}
			return err
		})
		var session struct {
			Partner *struct{ Code string }
			Driver  struct {
				Account, PartnerChosen, Linked bool
				Functions                      []int
			}
		}
		w.call(t, "lone", "GET", "/api/session", nil, &session)
		if session.Partner == nil || session.Partner.Code != "north" || !session.Driver.Account || !session.Driver.PartnerChosen || len(session.Driver.Functions) != 4 {
			t.Errorf("%+v", session)
		}
		w.must(t, 204, "lone", "DELETE", accountsPath+"/partners", nil)
		if text := w.must(t, 404, "lone", "GET", accountsPath+"/partner-profile", nil); !strings.Contains(text, "accounts.no_partner") {
			t.Error(text)
		}
		if _, text := w.call(t, "lone", "GET", "/api/session", nil, nil); !strings.Contains(text, `"partner":null`) {
			t.Error(text)
		}
	})
}

func TestARepeatedChoiceChangesNothingTwice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.must(t, 201, "lone", "POST", accountsPath, filledIn("Babiak"))
		send := func(body string) int {
			rq, err := http.NewRequest("POST", w.URL+accountsPath+"/partners/invites", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			rq.Header.Set("Authorization", "Bearer "+w.tokens["lone"])
			rq.Header.Set("Idempotency-Key", "one")
			resp, err := http.DefaultClient.Do(rq)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			return resp.StatusCode
		}
		const toNorth = `{"partnerUuid":"north","consentToSendContactDetails":true}`
		if status := send(toNorth); status != 204 {
			t.Fatal(status)
		}
		w.must(t, 204, "lone", "DELETE", accountsPath+"/partners", nil)
		before := w.changes(t)
		if status := send(toNorth); status != 204 || w.changes(t) != before || w.account(t, "lone").PartnerUUID != "" {
			t.Errorf("the repeat answered %d and did it again", status)
		}
		if status := send(`{"partnerUuid":"south","consentToSendContactDetails":true}`); status != 422 {
			t.Errorf("the key for something else: %d", status)
		}
	})
}

func TestAnInvitationIsMailedOnceADayToAnAddress(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.must(t, 201, "lone", "POST", accountsPath, filledIn("Babiak"))
		invites := accountsPath + "/partners/invites"
		invite := map[string]any{"partnerName": "Nowa Flota", "partnerEmail": "Biuro@nowaflota.example", "consentToSendContactDetails": true, "language": "uk"}
		w.must(t, 422, "lone", "POST", invites, with(invite, "consentToSendContactDetails", false))
		if text := w.must(t, 422, "lone", "POST", invites, with(invite, "partnerEmail", "biuro", "partnerName", "")); !strings.Contains(text, "partnerEmail") || !strings.Contains(text, "partnerName") {
			t.Error(text)
		}
		w.must(t, 204, "lone", "POST", invites, invite)
		if text := w.must(t, 409, "lone", "POST", invites, with(invite, "partnerEmail", "biuro@nowaflota.example")); !strings.Contains(text, "accounts.invited_already") {
			t.Error(text)
		}
		for i := range accounts.InvitesMax - 1 {
			w.must(t, 204, "lone", "POST", invites, with(invite, "partnerEmail", fmt.Sprintf("biuro%d@nowaflota.example", i)))
		}
		if text := w.must(t, 409, "lone", "POST", invites, with(invite, "partnerEmail", "one@more.example")); !strings.Contains(text, "accounts.too_many_invites") {
			t.Error(text)
		}
		w.clock.Pass(24*time.Hour + time.Minute)
		w.sign(t, "lone", time.Time{})
		w.must(t, 204, "lone", "POST", invites, invite)
		testkit.Read(t, w.app.DB(), system("lone"), func(tx *db.Tx) error {
			n, err := db.One[int64](tx, `SELECT COUNT(*) FROM mails WHERE tenant_id = $1`)
			if n != accounts.InvitesMax+1 {
				t.Errorf("%d mails", n)
			}
			if err != nil {
				return err
			}
			// a company reads the language of its country, and is led to what Saldo is
			texts, err := db.Select[string](tx, `SELECT message FROM partner_invitations WHERE tenant_id = $1`)
			for _, text := range texts {
				if !strings.Contains(text, "chce rozliczać się") || !strings.Contains(text, "/about?lang=pl\n") {
					t.Error(text)
				}
			}
			return err
		})
	})
}

// sign gives a principal a new token; a zero instant leaves the sign-in out of it.
func (w *world) sign(t *testing.T, who string, signedInAt time.Time) {
	t.Helper()
	changes := map[string]any{}
	if signedInAt.IsZero() {
		changes["auth_time"] = 0
	} else {
		changes["auth_time"] = signedInAt.Unix()
	}
	w.tokens[who] = w.mint.Token(t, principals[who].Subject, principals[who].Role, time.Hour, changes)
}

func TestOnlyAFreshSignInDeletesAnAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, old := range []time.Time{{}, w.clock.Now().Add(-301 * time.Second)} {
			w.sign(t, "driver", old)
			rq, err := http.NewRequest("DELETE", w.URL+accountsPath, nil)
			if err != nil {
				t.Fatal(err)
			}
			rq.Header.Set("Authorization", "Bearer "+w.tokens["driver"])
			rq.Header.Set("Idempotency-Key", fmt.Sprint("old", old))
			resp, err := http.DefaultClient.Do(rq)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if resp.StatusCode != 401 || resp.Header.Get("WWW-Authenticate") != `Bearer error="insufficient_user_authentication"` || !strings.Contains(string(text), "identity.fresh_login_needed") {
				t.Errorf("%d %v %s", resp.StatusCode, resp.Header, text)
			}
		}
		w.sign(t, "driver", w.clock.Now().Add(-299*time.Second))
		w.must(t, 204, "driver", "DELETE", accountsPath, nil)
		if text := w.must(t, 401, "driver", "GET", accountsPath, nil); !strings.Contains(text, "identity.token_refused") {
			t.Errorf("the token still works: %s", text)
		}
		w.nothingLeftOf(t, "driver", canary+"north driver", "driver@"+canary, "+48601234567")
	})
}

// nothingLeftOf looks for texts in every table that a driver's data could be in.
func (w *world) nothingLeftOf(t *testing.T, who string, personal ...string) {
	t.Helper()
	testkit.Read(t, w.app.DB(), access.Program("test"), func(tx *db.Tx) error {
		id := person(who).Person
		for table, text := range map[string]string{
			"driver_accounts":     `SELECT first_name || ' ' || last_name || email || phone || cities || subject || pesel_sealed FROM driver_accounts WHERE tenant_id = $1`,
			"driver_profiles":     `SELECT first_name || ' ' || last_name || email || phone FROM driver_profiles WHERE account_id = $1`,
			"members":             `SELECT name || email FROM members WHERE id = $1`,
			"audit_entries":       `SELECT actor_name || before_state || after_state FROM audit_entries WHERE actor_id = $1`,
			"partner_invitations": `SELECT email || message FROM partner_invitations WHERE tenant_id = $1`,
			"push_subscriptions":  `SELECT id FROM push_subscriptions WHERE tenant_id = $1`,
			"mails":               `SELECT id FROM mails WHERE tenant_id = $1`,
		} {
			rows, err := db.Select[string](tx.Across(), text, id)
			if err != nil {
				return err
			}
			left := strings.Join(rows, "\n")
			for _, p := range personal {
				if strings.Contains(left, p) {
					t.Errorf("%s still holds %q: %s", table, p, left)
				}
			}
			if (table == "members" || table == "mails" || table == "partner_invitations" || table == "push_subscriptions") && len(rows) > 0 {
				t.Errorf("%s still has %d rows", table, len(rows))
			}
		}
		profile, err := db.One[struct{ LeftAt time.Time }](tx.Across(), `SELECT left_at FROM driver_profiles WHERE account_id = $1`, id)
		if profile.LeftAt.IsZero() {
			t.Error("the partner still has the driver")
		}
		if err != nil {
			return err
		}
		order, err := db.One[string](tx.Across(), `SELECT payload FROM jobs WHERE tenant_id = $1 AND kind = 'identity.forget'`, id)
		if !strings.Contains(order, principals[who].Subject) {
			t.Errorf("the identity provider is asked to forget %s", order)
		}
		return err
	})
}

func TestWhoBroughtADriverIsRememberedFromTheClaimThenTheCookie(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		link := func(subject, id, link string) int {
			rq, err := http.NewRequest("POST", w.URL+accountsPath+"/keycloak/"+subject, nil)
			if err != nil {
				t.Fatal(err)
			}
			rq.Header.Set("Authorization", "Bearer "+w.tokens["lone"])
			rq.Header.Set("Idempotency-Key", fmt.Sprint("link-", w.keys.Add(1)))
			rq.AddCookie(&http.Cookie{Name: "reference_id", Value: id})
			rq.AddCookie(&http.Cookie{Name: "reference_link", Value: link})
			resp, err := http.DefaultClient.Do(rq)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			return resp.StatusCode
		}
		if status := link("nd", "R-1", ""); status != 404 {
			t.Errorf("somebody else was linked: %d", status)
		}
		w.must(t, 404, "lone", "GET", accountsPath, nil)
		for _, wrong := range []string{"a b", "<script>", strings.Repeat("x", 65)} {
			if status := link("ld", wrong, "http://example.com/"); status != 204 || w.account(t, "lone").ReferenceID != "" {
				t.Errorf("%q: %d, kept %q", wrong, status, w.account(t, "lone").ReferenceID)
			}
		}
		if status := link("ld", "R-1", "https://example.com/r/1"); status != 204 || w.account(t, "lone").ReferenceID != "R-1" {
			t.Errorf("%d %+v", status, w.account(t, "lone"))
		}
		if status := link("ld", "R-2", ""); status != 204 || w.account(t, "lone").ReferenceID != "R-1" {
			t.Errorf("the first one was overwritten: %d", status)
		}
		if w.account(t, "lone").Completed {
			t.Error("linking filled the account in")
		}
		w.must(t, 201, "lone", "POST", accountsPath, filledIn("Babiak"))
		if a := w.account(t, "lone"); !a.Completed || a.ReferenceID != "R-1" {
			t.Errorf("%+v", a)
		}
	})
}

func TestAClaimCountsMoreThanACookie(t *testing.T) {
	w := newWorld(t, "sqlite")
	w.tokens["lone"] = w.mint.Token(t, principals["lone"].Subject, access.Driver, time.Hour, map[string]any{"reference_id": "from-token"})
	w.must(t, 204, "lone", "POST", accountsPath+"/keycloak/ld", nil)
	if a := w.account(t, "lone"); a.ReferenceID != "from-token" {
		t.Errorf("%+v", a)
	}
}

func TestADriverChoosesHowOftenToBeSettled(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path := accountsPath + "/settlement-frequency"
		var f struct {
			Frequency         int
			Chosen, MayChoose bool
		}
		w.call(t, "driver", "GET", path, nil, &f)
		if f.Frequency != 1 || f.Chosen || !f.MayChoose {
			t.Errorf("%+v", f)
		}
		for _, weeks := range []int{0, 3, 5, -1} {
			if text := w.must(t, 422, "driver", "PUT", path, map[string]any{"frequency": weeks}); !strings.Contains(text, `"name":"frequency"`) {
				t.Error(text)
			}
		}
		w.must(t, 204, "driver", "PUT", path, map[string]any{"frequency": 4})
		if w.call(t, "driver", "GET", path, nil, &f); f.Frequency != 4 || !f.Chosen {
			t.Errorf("%+v", f)
		}
		var partner struct {
			Frequency     int
			DriversChoose bool
		}
		if w.call(t, "driver", "GET", accountsPath+"/partner-settlement-frequency", nil, &partner); partner.Frequency != 1 || !partner.DriversChoose {
			t.Errorf("%+v", partner)
		}
		w.must(t, 204, "driver", "POST", accountsPath+"/partners/invites", map[string]any{"partnerUuid": "south", "consentToSendContactDetails": true})
		if w.call(t, "driver", "GET", path, nil, &f); f.Frequency != 1 || f.Chosen {
			t.Errorf("with another partner: %+v", f)
		}
	})
}

func TestWhatThePartnerSetsHoldsForItsDriversAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path := accountsPath + "/settlement-frequency"
		w.must(t, 204, "driver", "PUT", path, map[string]any{"frequency": 4})
		w.must(t, 204, "partner", "PUT", "/api/partners", profileOf("Flota")) // two weeks, and drivers do not choose
		w.must(t, 204, "partner", "PUT", "/api/partners/driver-functions", map[string]any{"version": 1, "1": false, "2": true, "3": false, "4": true})
		var f struct {
			Frequency         int
			Chosen, MayChoose bool
		}
		if w.call(t, "driver", "GET", path, nil, &f); f.Frequency != 2 || f.Chosen || f.MayChoose {
			t.Errorf("%+v", f)
		}
		if text := w.must(t, 409, "driver", "PUT", path, map[string]any{"frequency": 1}); !strings.Contains(text, "accounts.frequency_fixed") {
			t.Error(text)
		}
		var session struct{ Driver struct{ Functions []int } }
		if w.call(t, "driver", "GET", "/api/session", nil, &session); fmt.Sprint(session.Driver.Functions) != "[2 4]" {
			t.Errorf("%+v", session)
		}
		var card struct {
			Name, Phone string
			Cities      []string
		}
		if w.call(t, "driver", "GET", accountsPath+"/partner-profile", nil, &card); card.Phone != "+48601234567" || fmt.Sprint(card.Cities) != "[Łódź]" {
			t.Errorf("%+v", card)
		}
	})
}

func TestPartnersAreFoundByNameWithoutAccents(t *testing.T) {
	w := newWorld(t, "sqlite")
	testkit.Write(t, w.app.DB(), access.ProgramFor("south", "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE partners SET name = 'Żółty Kurier' WHERE tenant_id = $1`)
		return err
	})
	var list struct {
		Partners []struct{ UUID, Name, Consent string }
	}
	for query, want := range map[string]int{"": 2, "zolty": 1, "KURIER": 1, "south": 1, "nobody": 0} {
		if w.call(t, "lone", "GET", accountsPath+"/partners?lang=de&q="+query, nil, &list); len(list.Partners) != want || list.Partners == nil {
			t.Errorf("%q finds %v", query, list.Partners)
		}
	}
	_, text := w.call(t, "lone", "GET", accountsPath+"/partners?lang=de", nil, &list)
	for _, secret := range []string{"limit", "usage", "@", "phone", "color"} {
		if strings.Contains(text, secret) {
			t.Errorf("shows %s: %s", secret, text)
		}
	}
	if consent := list.Partners[1].Consent; consent != accounts.ConsentText(i18n.German, "Żółty Kurier") {
		t.Error(consent)
	}
}

func TestLookups(t *testing.T) {
	w := newWorld(t, "sqlite")
	var cities struct{ Cities []string }
	for typed, want := range map[string]string{"LODZ": "Łódź", "gora": "Zielona Góra", "bielsko": "Bielsko-Biała", "xyz": ""} {
		w.call(t, "driver", "GET", "/api/suggestions/cities?name="+typed, nil, &cities)
		if cities.Cities == nil || len(cities.Cities) > 10 || (want != "") != strings.Contains(strings.Join(cities.Cities, "|"), want) && want != "" {
			t.Errorf("%q: %v", typed, cities.Cities)
		}
	}
	var providers struct{ Providers []struct{ Code, Name string } }
	for query, wanted := range map[string]func(kinds.Provider) bool{"": func(kinds.Provider) bool { return true },
		"?hasDriverApp=true": func(p kinds.Provider) bool { return p.HasDriverApp }, "?hasDriverApp=false": func(p kinds.Provider) bool { return !p.HasDriverApp }} {
		var want []struct{ Code, Name string }
		for _, p := range kinds.Providers {
			if wanted(p) {
				want = append(want, struct{ Code, Name string }{p.Code, p.Name})
			}
		}
		if w.call(t, "partner", "GET", "/api/providers"+query, nil, &providers); !slices.Equal(providers.Providers, want) {
			t.Errorf("%q: %v", query, providers.Providers)
		}
	}
	for pesel, want := range map[string]string{"44051401359": `{"valid":true,"reason":""}`, "44051401358": `{"valid":false,"reason":"check_digit"}`, "1": `{"valid":false,"reason":"length"}`} {
		_, asked := w.call(t, "driver", "GET", "/api/validate/pesel?pesel="+pesel, nil, nil)
		_, sent := w.call(t, "driver", "POST", "/api/validate/pesel", map[string]string{"pesel": pesel}, nil)
		if strings.TrimSpace(asked) != want || strings.TrimSpace(sent) != want {
			t.Errorf("%s: %s and %s", pesel, asked, sent)
		}
	}
	var d struct {
		CarStatuses, Activities, Languages, Services []string
		Frequencies                                  []int
	}
	_, text := w.call(t, "driver", "GET", "/api/suggestions/dictionary", nil, &d)
	if len(d.CarStatuses) != 3 || len(d.Activities) != 5 || len(d.Languages) != 5 || fmt.Sprint(d.Frequencies) != "[1 2 4]" || len(d.Services) == 0 {
		t.Error(text)
	}
}

func TestASessionOfADriverWithoutAnythingSaysSo(t *testing.T) {
	w := newWorld(t, "sqlite")
	var session map[string]json.RawMessage
	if status, text := w.call(t, "lone", "GET", "/api/session", nil, &session); status != 200 || string(session["partner"]) != "null" ||
		!strings.Contains(string(session["driver"]), `"account":false`) || !strings.Contains(string(session["driver"]), `"functions":[]`) {
		t.Errorf("%d %s", status, text)
	}
	if _, text := w.call(t, "partner", "GET", "/api/session", nil, nil); !strings.Contains(text, `"driver":null`) {
		t.Error(text)
	}
}
