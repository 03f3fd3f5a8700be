package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

const (
	driversPath = "/api/drivers"
	polishIBAN  = "PL61 1090 1014 0000 0712 1981 2874"
	germanIBAN  = "DE89370400440532013000"
)

// driverOf is what a partner sends to write a driver down.
func driverOf(lastName string) map[string]any {
	return map[string]any{"firstName": "Oleh", "lastName": lastName}
}

func (w *world) addDriver(t *testing.T, who string, body map[string]any) (id string) {
	t.Helper()
	var made struct{ ID string }
	if status, text := w.call(t, who, "POST", driversPath, body, &made); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	return made.ID
}

// silentDriver is a driver with an address who was not written to yet.
func (w *world) silentDriver(t *testing.T, who, lastName string) (id string) {
	t.Helper()
	id = w.addDriver(t, who, driverOf(lastName))
	testkit.Write(t, w.app.DB(), access.ProgramFor(principals[who].TenantID, "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE drivers SET email = 'silent@example.com' WHERE tenant_id = $1 AND id = $2`, id)
		return err
	})
	return id
}

type driverSeen struct {
	ID, FirstName, LastName, Email, Phone, IBAN, AccountHolder, TaxID, ContractNumber, SummaryLanguage, IBANEnd string
	Active, Blocked, ActivationSent, BailiffSeizure                                                             bool
	Version, SettlementFrequency, SchemaNumber                                                                  int64
	Tags                                                                                                        []struct{ ID, Name string }
	Identities                                                                                                  []struct{ Provider, Value string }
	IBANChangedAt                                                                                               *time.Time
}

func (w *world) driver(t *testing.T, who, id string) (d driverSeen) {
	t.Helper()
	if status, text := w.call(t, who, "GET", driversPath+"/"+id, nil, &d); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	return d
}

type driverListSeen struct {
	Drivers []driverSeen
	Total   int64
	Counts  struct{ All, Active, Inactive, Blocked, WithoutIban, WithoutTaxID, WithoutSchema int64 }
}

func (w *world) listed(t *testing.T, query string) (list driverListSeen, names string) {
	t.Helper()
	if status, text := w.call(t, "partner", "GET", driversPath+query, nil, &list); status != 200 {
		t.Fatalf("%s: %d %s", query, status, text)
	}
	for _, d := range list.Drivers {
		names += d.LastName + " "
	}
	return list, strings.TrimSpace(names)
}

// freshly makes the partner's sign-in one of just now.
func (w *world) freshly(t *testing.T) {
	t.Helper()
	w.tokens["partner"] = w.mint.Token(t, principals["partner"].Subject, access.Partner, time.Hour, map[string]any{"auth_time": w.clock.Now().Unix()})
}

func (w *world) counted(t *testing.T, text string, args ...any) (n int64) {
	t.Helper()
	testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) (err error) { n, err = db.One[int64](tx, text, args...); return err })
	return n
}

// Every field that a partner writes down comes back as it was sent, when added and when changed.
func TestEveryField_OfADriverIsInTheContract(t *testing.T) {
	instance, err := config.InstanceOf("de")
	if err != nil {
		t.Fatal(err)
	}
	for _, engine := range testkit.Engines {
		w := newWorldOf(t, engine, instance)
		one, other := testkit.TwoDrivers(t, w.addSchema(t, "partner", "second"))
		of := func(d drivers.Details) (body map[string]any) {
			text, err := json.Marshal(d)
			if err == nil {
				err = json.Unmarshal(text, &body)
			}
			if err != nil {
				t.Fatal(err)
			}
			return body
		}
		id := w.addDriver(t, "partner", of(one))
		same := func(want drivers.Details) {
			t.Helper()
			var got map[string]any
			w.into(t, 200, "partner", "GET", driversPath+"/"+id, nil, &got)
			for name, value := range of(want) {
				if !reflect.DeepEqual(got[name], value) {
					t.Errorf("%s is %v, want %v", name, got[name], value)
				}
			}
		}
		same(one)
		w.must(t, 204, "partner", "PUT", driversPath+"/"+id, with(of(other), "version", 1))
		same(other)
	}
}

func TestADriverIsWrittenDownChangedAndFound(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.addDriver(t, "partner", with(driverOf("Wójcik"), "firstName", " Łukasz ", "email", "Lukasz@Example.com", "phone", "601 234 567", "iban", polishIBAN,
			"accountHolder", "Anna Wójcik", "taxId", "526-025-02-74", "contractNumber", "K/7/2026", "bailiffSeizure", true, "summaryLanguage", "uk", "settlementFrequency", 2))
		d := w.driver(t, "partner", id)
		if d.FirstName != "Łukasz" || d.Email != "lukasz@example.com" || d.Phone != "+48601234567" || d.IBAN != "PL61109010140000071219812874" || d.TaxID != "5260250274" ||
			d.AccountHolder != "Anna Wójcik" || d.ContractNumber != "K/7/2026" || !d.BailiffSeizure || d.SummaryLanguage != "uk" || d.SettlementFrequency != 2 ||
			!d.Active || d.Blocked || !d.ActivationSent || d.IBANChangedAt != nil || d.Tags == nil || d.Identities == nil {
			t.Errorf("%+v", d)
		}
		list, _ := w.listed(t, "")
		if one := list.Drivers[0]; one.IBANEnd != "2874" || one.IBAN != "" || one.TaxID != "5260250274" || one.ContractNumber != "K/7/2026" || one.SettlementFrequency != 2 || one.SummaryLanguage != "uk" {
			t.Errorf("%+v", one)
		}
		w.must(t, 204, "partner", "PUT", driversPath+"/"+id, with(driverOf("Wójcik-Nowak"), "version", d.Version, "iban", d.IBAN))
		if d = w.driver(t, "partner", id); d.LastName != "Wójcik-Nowak" || d.Email != "" || d.IBAN == "" || d.Version != 2 {
			t.Errorf("%+v", d)
		}
		w.must(t, 204, "partner", "PUT", driversPath+"/"+id, with(driverOf("Wójcik-Nowak"), "version", d.Version, "iban", d.IBAN))
		if w.driver(t, "partner", id).Version != 2 || w.counted(t, `SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1 AND action = 'drivers.save'`) != 1 {
			t.Error("saving what is there already left a trace")
		}
	})
}

func TestDriversAreSearchedFilteredAndPaged(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ids := map[string]string{}
		for _, d := range []map[string]any{
			with(driverOf("Żak"), "taxId", "5260250274"), with(driverOf("Łoś"), "iban", polishIBAN), driverOf("Adamski"),
			with(driverOf("Babiak"), "phone", "+49 30 901820", "contractNumber", "100%_sure"),
		} {
			ids[fmt.Sprint(d["lastName"])] = w.addDriver(t, "partner", d)
			w.clock.Pass(time.Minute)
		}
		w.addDriver(t, "other", driverOf("Adamczyk"))
		night := w.addTag(t, "partner", "night")
		w.must(t, 204, "partner", "PUT", driversPath+"/"+ids["Żak"]+"/tags", map[string]any{"tags": []string{night}})
		w.must(t, 204, "partner", "POST", driversPath+"/"+ids["Żak"]+"/block", nil)
		w.must(t, 204, "partner", "POST", driversPath+"/"+ids["Babiak"]+"/deactivate", nil)
		for query, want := range map[string]string{
			"": "Adamski Babiak Łoś Żak", "?sort=-name": "Żak Łoś Babiak Adamski", "?sort=-createdAt": "Babiak Adamski Łoś Żak",
			"?q=zak": "Żak", "?q=LOS": "Łoś", "?q=oleh+ad": "Adamski", "?q=901820": "Babiak", "?q=52602": "Żak", "?q=zak+5260250274": "Żak", "?q=%25_s": "Babiak", "?q=_": "Babiak", "?q=!": "", "?q=nobody": "",
			"?state=active": "Adamski Łoś Żak", "?state=inactive": "Babiak", "?blocked=true": "Żak", "?tag=" + night: "Żak", "?tag=nothing": "",
			"?missing=iban": "Adamski Babiak Żak", "?missing=tax_id&state=active": "Adamski Łoś", "?missing=schema": "Adamski Babiak Łoś Żak",
			"?missing=account": "Adamski Babiak Łoś Żak", "?size=3": "Adamski Babiak Łoś", "?size=3&page=2": "Żak", "?size=3&page=9": "",
		} {
			if list, names := w.listed(t, query); names != want || list.Drivers == nil {
				t.Errorf("%s: %q, want %q", query, names, want)
			}
		}
		list, _ := w.listed(t, "?size=1&blocked=true")
		if c := list.Counts; list.Total != 1 || c.All != 4 || c.Active != 3 || c.Inactive != 1 || c.Blocked != 1 || c.WithoutIban != 3 || c.WithoutTaxID != 3 {
			t.Errorf("%+v", list)
		}
		if list, _ = w.listed(t, "?q=zak&state=inactive"); list.Total != 0 || list.Counts.All != 1 || list.Counts.Blocked != 1 {
			t.Errorf("%+v", list)
		}
		for _, query := range []string{"size=101", "page=0", "state=dead", "missing=hair", "sort=iban", "q=" + url.QueryEscape(strings.Repeat("a", 101)), "what=1"} {
			w.must(t, 422, "partner", "GET", driversPath+"?"+query, nil)
		}
		w.must(t, 204, "partner", "DELETE", "/api/tags/"+night, nil)
		if d := w.driver(t, "partner", ids["Żak"]); len(d.Tags) != 0 {
			t.Errorf("a removed tag is still there: %+v", d.Tags)
		}
	})
}

func TestTwoPeopleWhoEditOneDriverDoNotOverwriteEachOther(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path := driversPath + "/" + w.addDriver(t, "partner", driverOf("Nowak"))
		w.must(t, 204, "partner", "PUT", path, with(driverOf("First"), "version", 1))
		for _, late := range []struct {
			path string
			body map[string]any
		}{{path, with(driverOf("Second"), "version", 1)}, {path + "/identities", map[string]any{"version": 1, "identities": []any{}}}} {
			if text := w.must(t, 409, "partner", "PUT", late.path, late.body); !strings.Contains(text, "drivers.changed") {
				t.Error(text)
			}
		}
		d := w.driver(t, "partner", path[len(driversPath)+1:])
		if d.LastName != "First" || d.Version != 2 {
			t.Errorf("%+v", d)
		}
		// a flag is nobody's text: it neither stops an edit nor is undone by one
		w.must(t, 204, "partner", "POST", path+"/block", nil)
		w.must(t, 204, "partner", "PUT", path, with(driverOf("Third"), "version", 2))
		if d = w.driver(t, "partner", d.ID); d.LastName != "Third" || !d.Blocked {
			t.Errorf("%+v", d)
		}
	})
}

// What a partner may not set cannot be slipped in: every column, in every
// spelling of its name, beside fields that are allowed.
func TestNothingElseOfADriverCanBeSet(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.addDriver(t, "partner", driverOf("Nowak"))
		before := w.driver(t, "partner", id)
		allowed := map[string]bool{"version": true}
		for _, f := range reflect.VisibleFields(reflect.TypeFor[drivers.Details]()) {
			allowed[f.Tag.Get("json")] = true
		}
		names := strings.Fields("linked verified activationSent tags identities schema")
		for _, column := range testkit.Columns(t, w.app.DB(), "drivers") {
			words := strings.Split(column, "_")
			for i := range words[1:] {
				words[i+1] = strings.ToUpper(words[i+1][:1]) + words[i+1][1:]
			}
			names = append(names, column, strings.Join(words, ""))
		}
		tried := 0
		for _, name := range names {
			if allowed[name] {
				continue
			}
			tried++
			w.must(t, 422, "partner", "POST", driversPath, with(driverOf("Evil"), name, "1"))
			w.must(t, 422, "partner", "PUT", driversPath+"/"+id, with(driverOf("Evil"), "version", 1, name, "1"))
			w.must(t, 422, "partner", "PUT", driversPath+"/"+id+"/tags", map[string]any{"tags": []string{}, name + "x": "1"})
		}
		w.must(t, 422, "partner", "POST", driversPath, with(driverOf("Evil"), "version", 1))
		if after := w.driver(t, "partner", id); tried < 30 || fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("%d tried; %+v became %+v", tried, before, after)
		}
	})
}

func TestMailQuota_IsAClearRefusal(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		body := with(driverOf("Nowak"), "email", "victim@example.com")
		for range 60 {
			w.must(t, 201, "partner", "POST", driversPath, body)
		}
		drivers := w.counted(t, `SELECT COUNT(*) FROM drivers WHERE tenant_id = $1`)
		content, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		rq, err := http.NewRequest("POST", w.URL+driversPath, bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		rq.Header.Set("Authorization", "Bearer "+w.tokens["partner"])
		rq.Header.Set("Content-Type", "application/json")
		rq.Header.Set("Idempotency-Key", "the sixty-first")
		answer, err := http.DefaultClient.Do(rq)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != 429 || answer.Header.Get("Retry-After") != "3600" || !strings.Contains(string(text), `"mails.address_quota"`) ||
			!strings.Contains(string(text), `"minutes":"60"`) || strings.Contains(string(text), "victim") {
			t.Errorf("%d %v %s", answer.StatusCode, answer.Header, text)
		}
		if n := w.counted(t, `SELECT COUNT(*) FROM drivers WHERE tenant_id = $1`); n != drivers {
			t.Errorf("%d drivers of %d: a refusal wrote one", n, drivers)
		}
		w.must(t, 201, "other", "POST", driversPath, body)
	})
}

func TestMailQuota_CountsInvitations(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		used := func() int64 {
			return w.counted(t, `SELECT CAST(SUM(used) AS BIGINT) FROM mail_quotas WHERE tenant_id = $1 AND subject = 'day'`)
		}
		w.addDriver(t, "partner", with(driverOf("Nowak"), "email", "jan@example.com"))
		w.freshly(t)
		var made struct{ ID string }
		w.into(t, 201, "partner", "POST", peoplePath, w.invitation(), &made)
		w.clock.Pass(2 * time.Minute)
		w.must(t, 204, "partner", "POST", peoplePath+"/"+made.ID+"/resend", nil)
		w.refused(t, 409, "people.sent_lately", "partner", peoplePath+"/"+made.ID+"/resend", nil)
		if n := used(); n != 3 {
			t.Errorf("%d mails counted", n)
		}
	})
}

func TestOnlySomebodyWhoJustSignedInSendsADriversMoneyElsewhere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.addDriver(t, "partner", with(driverOf("Nowak"), "email", "old@example.com", "iban", polishIBAN, "summaryLanguage", "de"))
		w.sign(t, "partner", w.clock.Now().Add(-301*time.Second))
		elsewhere := with(driverOf("Nowak"), "email", "new@example.com", "iban", germanIBAN, "summaryLanguage", "de", "version", 1)
		for _, iban := range []string{germanIBAN, ""} {
			if text := w.must(t, 401, "partner", "PUT", driversPath+"/"+id, with(elsewhere, "iban", iban)); !strings.Contains(text, "identity.fresh_login_needed") {
				t.Error(text)
			}
		}
		mails := `SELECT COUNT(*) FROM jobs WHERE tenant_id = $1 AND kind = 'mail.send'`
		if d := w.driver(t, "partner", id); d.Version != 1 || d.Email != "old@example.com" || w.counted(t, mails) != 0 {
			t.Errorf("%+v", d)
		}
		w.freshly(t)
		w.must(t, 204, "partner", "PUT", driversPath+"/"+id, elsewhere)
		if d := w.driver(t, "partner", id); d.IBAN != germanIBAN || d.IBANChangedAt == nil || w.counted(t, mails) != 1 {
			t.Errorf("%+v", d)
		}
		_, history := w.call(t, "partner", "GET", driversPath+"/"+id+"/history", nil, nil)
		if !strings.Contains(history, "PL…2874") || !strings.Contains(history, "DE…3000") || strings.Contains(history, germanIBAN) {
			t.Error(history)
		}
		testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			kept, err := db.Select[string](tx, `SELECT before_state || after_state FROM audit_entries WHERE tenant_id = $1
				UNION ALL SELECT iban_sealed || iban_sum || search_key FROM drivers WHERE tenant_id = $1 UNION ALL SELECT payload FROM jobs WHERE tenant_id = $1`)
			all := strings.Join(kept, " ") + w.keptAnswers(t)
			if strings.Contains(all, germanIBAN) || strings.Contains(all, "PL6110901014") {
				t.Errorf("an account is kept in the clear: %s", all)
			}
			return err
		})
		if kept := w.keptAnswers(t); strings.Contains(kept, "Nowak") || strings.Contains(kept, "example.com") || kept == "" {
			t.Errorf("answers kept: %s", kept)
		}
	})
}

func TestAnIdentityBelongsToOneDriver(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		one, two := w.addDriver(t, "partner", driverOf("One")), w.addDriver(t, "partner", driverOf("Two"))
		uber := func(version int, values ...string) map[string]any {
			list := []any{}
			for _, v := range values {
				list = append(list, map[string]string{"provider": "UBER", "value": v})
			}
			return map[string]any{"version": version, "identities": list}
		}
		w.must(t, 204, "partner", "PUT", driversPath+"/"+one+"/identities", uber(1, " u-1 ", "u-2"))
		text := w.must(t, 409, "partner", "PUT", driversPath+"/"+two+"/identities", uber(1, "u-3", "u-2"))
		if !strings.Contains(text, "drivers.identity_taken") || !strings.Contains(text, `"name":"identities[1].value"`) {
			t.Error(text)
		}
		if d := w.driver(t, "partner", two); len(d.Identities) != 0 || d.Version != 1 {
			t.Errorf("%+v", d)
		}
		w.must(t, 204, "partner", "PUT", driversPath+"/"+one+"/identities", uber(2, "u-1"))
		w.must(t, 204, "partner", "PUT", driversPath+"/"+two+"/identities", uber(1, "u-2"))
		south := w.addDriver(t, "other", driverOf("South")) // another partner's drivers have their own
		w.must(t, 204, "other", "PUT", driversPath+"/"+south+"/identities", uber(1, "u-1"))
		if d := w.driver(t, "partner", one); fmt.Sprint(d.Identities) != "[{UBER u-1}]" {
			t.Errorf("%+v", d.Identities)
		}
	})
}

func TestAnActivationIsSentOnceHoweverManyAsk(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		jobsLeft := func() int64 {
			return w.counted(t, `SELECT COUNT(*) FROM jobs WHERE tenant_id = $1 AND kind = $2`, identity.ActivateKind)
		}
		anonymous := w.addDriver(t, "partner", driverOf("Nobody"))
		if text := w.must(t, 409, "partner", "POST", driversPath+"/"+anonymous+"/activation", nil); !strings.Contains(text, "drivers.no_email") || jobsLeft() != 0 {
			t.Error(text)
		}
		id := w.silentDriver(t, "partner", "Nowak")
		var asking sync.WaitGroup
		answers := make(chan int, 32)
		for range 32 {
			asking.Go(func() {
				status := 503
				for status == 503 { // too many at once is nobody's answer
					status, _ = w.call(t, "partner", "POST", driversPath+"/"+id+"/activation", nil, nil)
				}
				answers <- status
			})
		}
		asking.Wait()
		close(answers)
		seen := map[int]int{}
		for status := range answers {
			seen[status]++
		}
		if seen[204] != 1 || seen[409] != 31 || jobsLeft() != 1 {
			t.Errorf("answers %v, jobs %d", seen, jobsLeft())
		}
		known := w.addDriver(t, "partner", with(driverOf("Known"), "email", "known@example.com"))
		if text := w.must(t, 409, "partner", "POST", driversPath+"/"+known+"/activation", nil); !strings.Contains(text, "drivers.activation_sent") || jobsLeft() != 2 {
			t.Error(text)
		}
	})
}

func TestTheHistoryOfADriverSaysWhoChangedWhat(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path := driversPath + "/" + w.addDriver(t, "partner", driverOf("Nowak"))
		w.must(t, 204, "partner", "PUT", path, with(driverOf("Kowalski"), "version", 1))
		w.must(t, 204, "partner", "POST", path+"/block", nil)
		w.must(t, 204, "partner", "POST", path+"/block", nil)
		w.must(t, 204, "partner", "PUT", path+"/tags", map[string]any{"tags": []string{w.addTag(t, "partner", "night")}})
		var history struct {
			Events []struct {
				Who, Action string
				Changes     []struct{ Field, Before, After string }
			}
		}
		w.call(t, "partner", "GET", path+"/history", nil, &history)
		reply := ""
		for _, e := range history.Events {
			reply += fmt.Sprintln(e.Action, e.Changes)
			if !strings.Contains(e.Who, "partner") {
				t.Errorf("%+v", e)
			}
		}
		want := "drivers.tags [{tags  night}]\ndrivers.block [{blocked  true}]\ndrivers.save [{lastName Nowak Kowalski}]\ndrivers.add [{firstName  Oleh} {lastName  Nowak}]\n"
		if reply != want {
			t.Errorf("%s", reply)
		}
	})
}

func TestADriverOfTheGermanInstanceHasGermanNumbers(t *testing.T) {
	instance, err := config.InstanceOf("de")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorldOf(t, testkit.Engines[0], instance)
	for id, status := range map[string]int{"DE136695976": 201, "86095742719": 201, "5260250274": 422, "DE136695977": 422} {
		if text := w.must(t, status, "partner", "POST", driversPath, with(driverOf("Schmidt"), "taxId", id)); status == 422 && !strings.Contains(text, `"name":"taxId"`) {
			t.Error(text)
		}
	}
}
