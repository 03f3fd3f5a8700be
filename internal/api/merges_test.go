package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// mergeOf is what a partner sends to merge with a driver whom nobody edited.
func mergeOf(other string) map[string]any {
	return map[string]any{"with": other, "version": 1, "withVersion": 1}
}

func (w *world) merge(t *testing.T, kept, other string) (id string) {
	t.Helper()
	var made struct{ ID string }
	if status, text := w.call(t, "partner", "POST", driversPath+"/"+kept+"/merge", mergeOf(other), &made); status != 201 || made.ID == "" {
		t.Fatalf("%d %s", status, text)
	}
	return made.ID
}

// alike is a pair of possible duplicates of north.
func (w *world) alike(t *testing.T) map[string]any {
	t.Helper()
	return map[string]any{"one": w.addDriver(t, "partner", driverOf(canary+"north")), "two": w.addDriver(t, "partner", driverOf(canary+"north"))}
}

type mergesSeen struct {
	Merges []struct {
		ID, OtherID, FirstName, LastName, Refusal, Reason string
		Transactions                                      int64
		Stays                                             []string
		FreshLogin                                        bool
	}
}

func (w *world) merges(t *testing.T, id string) (seen mergesSeen) {
	t.Helper()
	if status, text := w.call(t, "partner", "GET", driversPath+"/"+id+"/merges", nil, &seen); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	return seen
}

type previewSeen struct {
	Kept, Other struct {
		FirstName, LastName string
		Version             int64
		Totals              totalsSeen
	}
	Fields []struct {
		Name, Kept, Other, Stays string
		Same, Choosable          bool
	}
	Transactions int64
	Tags         []struct{ Name string }
	After        totalsSeen
	Warnings     []string
	FreshLogin   bool
	Refusal      string
}

type totalsSeen struct {
	Unsettled []struct {
		Currency   string
		Count, Sum int64
	}
	Settled int64
}

func TestAPreviewShowsBothSidesWhatMovesAndTheTotalsAfter(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		kept := w.addDriver(t, "partner", with(driverOf("Nowak"), "phone", "601 234 567", "iban", polishIBAN, "taxId", "5260250274"))
		other := w.addDriver(t, "partner", with(driverOf("Nowak"), "email", "o@example.com", "phone", "602 234 567", "iban", germanIBAN, "bailiffSeizure", true))
		w.must(t, 204, "partner", "POST", driversPath+"/"+other+"/block", nil)
		w.must(t, 204, "partner", "PUT", driversPath+"/"+other+"/tags", map[string]any{"tags": []string{w.addTag(t, "partner", "night")}})
		w.must(t, 201, "partner", "POST", "/api/transactions", newEntry(kept))
		w.must(t, 201, "partner", "POST", "/api/transactions", newEntry(other))
		before := w.changes(t)
		var p previewSeen
		status, text := w.call(t, "partner", "GET", driversPath+"/"+kept+"/merge-preview?with="+other, nil, &p)
		if status != 200 || strings.Contains(text, germanIBAN) || w.changes(t) != before {
			t.Fatalf("%d %s", status, text)
		}
		if fmt.Sprint(p.Warnings) != "[iban bailiff blocked]" || !p.FreshLogin || p.Refusal != "" || p.Transactions != p.Other.Totals.Unsettled[0].Count ||
			p.After.Unsettled[0].Sum != p.Kept.Totals.Unsettled[0].Sum+p.Other.Totals.Unsettled[0].Sum || p.After.Unsettled[0].Count != 2*p.Transactions || p.Tags[0].Name != "night" {
			t.Errorf("%+v", p)
		}
		reply := map[string]string{}
		for _, f := range p.Fields {
			reply[f.Name] = fmt.Sprint(f.Kept, "|", f.Other, "|", f.Stays)
		}
		for field, want := range map[string]string{"phone": "+48601234567|+48602234567|kept", "email": "|o@example.com|other", "iban": "PL…2874|DE…3000|kept",
			"taxId": "5260250274||kept", "bailiffSeizure": "|true|other", "blocked": "|true|other", "schemaNumber": "Standard|Standard|kept"} {
			if reply[field] != want {
				t.Errorf("%s: %s, want %s", field, reply[field], want)
			}
		}
	})
}

func TestTwoDriversBecomeOneAndTwoAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		kept := w.addDriver(t, "partner", with(driverOf("Nowak"), "phone", "601 234 567", "taxId", "5260250274"))
		other := w.addDriver(t, "partner", with(driverOf("Nowák"), "phone", "602 234 567", "contractNumber", "K/7"))
		night := w.addTag(t, "partner", "night")
		w.must(t, 204, "partner", "PUT", driversPath+"/"+other+"/tags", map[string]any{"tags": []string{night}})
		w.must(t, 204, "partner", "PUT", driversPath+"/"+other+"/identities",
			map[string]any{"version": 1, "identities": []any{map[string]string{"provider": "UBER", "value": "u-1"}}})
		w.must(t, 201, "partner", "POST", "/api/transactions", newEntry(other))
		rows := func(id string) int64 {
			var page struct{ Count int64 }
			w.call(t, "partner", "GET", "/api/transactions?driverUUID="+id, nil, &page)
			return page.Count
		}
		moving := rows(other)
		order := with(mergeOf(other), "withVersion", 2, "choices", map[string]string{"phone": "other"}, "reason", "Ta sama osoba")
		w.must(t, 201, "partner", "POST", driversPath+"/"+kept+"/merge", order)
		d := w.driver(t, "partner", kept)
		if d.Phone != "+48602234567" || d.LastName != "Nowak" || d.ContractNumber != "K/7" || d.TaxID != "5260250274" || len(d.Identities) != 1 || len(d.Tags) != 1 || rows(kept) != moving {
			t.Errorf("%+v", d)
		}
		w.must(t, 404, "partner", "GET", driversPath+"/"+other, nil)
		if list, names := w.listed(t, ""); list.Total != 1 || names != "Nowak" {
			t.Errorf("%s", names)
		}
		var history struct {
			Events []struct {
				Action, About string
				Changes       []struct{ Field, Before, After string }
			}
		}
		w.call(t, "partner", "GET", driversPath+"/"+kept+"/history", nil, &history)
		if text := fmt.Sprint(history); !strings.Contains(text, "drivers.merge ") || !strings.Contains(text, "{drivers.identities Oleh Nowák") || !strings.Contains(text, "{mergedWith  Oleh Nowák}") {
			t.Error(text)
		}
		seen := w.merges(t, kept)
		if len(seen.Merges) != 1 || seen.Merges[0].OtherID != other || seen.Merges[0].Refusal != "" || seen.Merges[0].Transactions != moving || seen.Merges[0].Reason != "Ta sama osoba" {
			t.Fatalf("%+v", seen)
		}
		// what somebody changes by hand meanwhile stays, and is said before
		w.must(t, 204, "partner", "PUT", driversPath+"/"+kept, with(driverOf("Nowak"), "version", d.Version, "phone", "603 234 567", "contractNumber", "K/7", "taxId", "5260250274"))
		if seen = w.merges(t, kept); fmt.Sprint(seen.Merges[0].Stays) != "[phone]" {
			t.Errorf("%+v", seen)
		}
		w.must(t, 204, "partner", "POST", "/api/driver-merges/"+seen.Merges[0].ID+"/undo", nil)
		d = w.driver(t, "partner", kept)
		o := w.driver(t, "partner", other)
		if d.Phone != "+48603234567" || d.ContractNumber != "" || len(d.Identities) != 0 || len(d.Tags) != 0 || rows(kept) != 0 {
			t.Errorf("%+v", d)
		}
		if o.Phone != "+48602234567" || o.ContractNumber != "K/7" || len(o.Identities) != 1 || len(o.Tags) != 1 || rows(other) != moving {
			t.Errorf("%+v", o)
		}
		if text := w.must(t, 409, "partner", "POST", "/api/driver-merges/"+seen.Merges[0].ID+"/undo", nil); !strings.Contains(text, "drivers.merge_undone") {
			t.Error(text)
		}
		if kept := w.keptAnswers(t); strings.Contains(kept, "Now") {
			t.Errorf("answers kept: %s", kept)
		}
	})
}

func TestAMergeThatCannotBeDoneSaysWhyAndChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		kept, other := w.addDriver(t, "partner", driverOf("Kept")), w.addDriver(t, "partner", driverOf("Other"))
		one, two, gone := w.addDriver(t, "partner", driverOf("One")), w.addDriver(t, "partner", driverOf("Two")), w.addDriver(t, "partner", driverOf("Gone"))
		south := w.addDriver(t, "other", driverOf("South"))
		w.merge(t, kept, gone)
		testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE drivers SET account_id = 'account of ' || id WHERE tenant_id = $1 AND id IN ($2, $3)`, one, two)
			return err
		})
		fresh := func(other string) map[string]any { return with(mergeOf(other), "version", 2) }
		for name, c := range map[string]struct {
			kept   string
			body   map[string]any
			status int
			says   string
		}{
			"oneself":                 {kept, with(fresh(kept), "withVersion", 2), 422, "drivers.merge_self"},
			"another partner's":       {kept, fresh(south), 404, "drivers.not_found"},
			"into another partner's":  {south, mergeOf(kept), 404, "drivers.not_found"},
			"nobody":                  {kept, fresh("nobody"), 404, "drivers.not_found"},
			"no id":                   {kept, fresh(""), 422, `"name":"with"`},
			"somebody who gave way":   {kept, fresh(gone), 409, "drivers.already_merged"},
			"into who gave way":       {gone, mergeOf(other), 409, "drivers.already_merged"},
			"an old version":          {kept, mergeOf(other), 409, "drivers.changed"},
			"an old version of other": {kept, with(fresh(other), "withVersion", 7), 409, "drivers.changed"},
			"two with accounts":       {one, mergeOf(two), 409, "drivers.merge_both_linked"},
			"a third side":            {kept, with(fresh(other), "choices", map[string]string{"phone": "both"}), 422, `"name":"choices.phone"`},
			"a field that is ruled":   {kept, with(fresh(other), "choices", map[string]string{"blocked": "kept"}), 422, `"name":"choices.blocked"`},
			"no such field":           {kept, with(fresh(other), "choices", map[string]string{"hair": "kept"}), 422, `"name":"choices.hair"`},
			"a long reason":           {kept, with(fresh(other), "reason", strings.Repeat("ż", 501)), 422, `"name":"reason"`},
			"something else":          {kept, with(fresh(other), "mergedInto", "x"), 422, "mergedInto"},
		} {
			before := w.changes(t)
			if text := w.must(t, c.status, "partner", "POST", driversPath+"/"+c.kept+"/merge", c.body); !strings.Contains(text, c.says) {
				t.Errorf("%s: %s", name, text)
			}
			if w.changes(t) != before {
				t.Errorf("%s was refused and changed something", name)
			}
		}
		for path, status := range map[string]int{kept + "/merge-preview": 422, kept + "/merge-preview?with=" + south: 404, south + "/merge-preview?with=" + kept: 404,
			kept + "/merge-preview?with=" + kept: 422, gone + "/merges": 404, "possible-duplicates?size=51": 422, "possible-duplicates?page=0": 422} {
			w.must(t, status, "partner", "GET", driversPath+"/"+path, nil)
		}
		for _, pair := range []map[string]any{{"one": kept, "two": south}, {"one": south, "two": kept}, {"one": kept, "two": gone}} {
			w.must(t, 404, "partner", "POST", driversPath+"/possible-duplicates/dismiss", pair)
			w.must(t, 404, "partner", "POST", driversPath+"/possible-duplicates/propose-again", pair)
		}
		w.must(t, 422, "partner", "POST", driversPath+"/possible-duplicates/dismiss", map[string]any{"one": kept, "two": kept})
		w.must(t, 409, "partner", "POST", driversPath+"/possible-duplicates/propose-again", map[string]any{"one": kept, "two": other})
		var p previewSeen
		if w.call(t, "partner", "GET", driversPath+"/"+one+"/merge-preview?with="+two, nil, &p); p.Refusal != "drivers.merge_both_linked" {
			t.Errorf("%+v", p)
		}
	})
}

func TestMoneyGoesToAnotherAccountByAMergeOnlyAfterASignIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		kept := w.addDriver(t, "partner", with(driverOf("Nowak"), "email", "kept@example.com", "iban", polishIBAN))
		other := w.addDriver(t, "partner", with(driverOf("Nowak"), "email", "other@example.com", "iban", germanIBAN))
		mails := func() int64 { return w.counted(t, `SELECT COUNT(*) FROM mails WHERE tenant_id = $1`) }
		taking := with(mergeOf(other), "choices", map[string]string{"iban": "other"})
		w.sign(t, "partner", w.clock.Now().Add(-time.Hour))
		for _, body := range []map[string]any{taking, mergeOf(other)} {
			if text := w.must(t, 401, "partner", "POST", driversPath+"/"+kept+"/merge", body); !strings.Contains(text, "identity.fresh_login_needed") || mails() != 0 {
				t.Error(text)
			}
		}
		w.freshly(t)
		w.must(t, 201, "partner", "POST", driversPath+"/"+kept+"/merge", taking)
		if d := w.driver(t, "partner", kept); d.IBAN != germanIBAN || d.IBANChangedAt == nil || mails() != 1 {
			t.Errorf("%+v, %d mails", d, mails())
		}
		m := w.merges(t, kept).Merges[0]
		w.sign(t, "partner", w.clock.Now().Add(-time.Hour))
		text := w.must(t, 401, "partner", "POST", "/api/driver-merges/"+m.ID+"/undo", nil)
		if !strings.Contains(text, "identity.fresh_login_needed") || mails() != 1 {
			t.Error(text)
		}
		if d := w.driver(t, "partner", kept); d.IBAN != germanIBAN {
			t.Errorf("%+v", d)
		}
		w.freshly(t)
		w.must(t, 204, "partner", "POST", "/api/driver-merges/"+m.ID+"/undo", nil)
		if d := w.driver(t, "partner", kept); d.IBAN != "PL61109010140000071219812874" || d.IBANChangedAt != nil || !m.FreshLogin || mails() != 2 {
			t.Errorf("%+v, %d mails", d, mails())
		}
		testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			all, err := db.Select[string](tx, `SELECT before_state || after_state FROM audit_entries WHERE tenant_id = $1 UNION ALL SELECT state_sealed FROM driver_merges WHERE tenant_id = $1`)
			if text := strings.Join(all, " "); strings.Contains(text, germanIBAN) || strings.Contains(text, "PL6110901014") {
				t.Errorf("an account is kept in the clear: %s", text)
			}
			return err
		})
	})
}

func TestHoweverManyMergeOnePairItIsMergedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a, b := w.addDriver(t, "partner", driverOf("A")), w.addDriver(t, "partner", driverOf("B"))
		w.must(t, 201, "partner", "POST", "/api/transactions", newEntry(a))
		w.must(t, 201, "partner", "POST", "/api/transactions", newEntry(b))
		rows := w.counted(t, `SELECT COUNT(*) FROM transactions WHERE tenant_id = $1`)
		var all sync.WaitGroup
		answers := make(chan int, 16)
		for i := range 16 {
			all.Go(func() {
				kept, other := a, b
				if i%2 == 1 {
					kept, other = b, a
				}
				status := 503
				for status == 503 { // too many at once is nobody's answer
					status, _ = w.call(t, "partner", "POST", driversPath+"/"+kept+"/merge", mergeOf(other), nil)
				}
				answers <- status
			})
		}
		all.Wait()
		close(answers)
		seen := map[int]int{}
		for status := range answers {
			seen[status]++
		}
		if seen[201] != 1 || seen[409] != 15 || w.counted(t, `SELECT COUNT(*) FROM drivers WHERE tenant_id = $1 AND merged_into = ''`) != 1 ||
			w.counted(t, `SELECT COUNT(*) FROM transactions t JOIN drivers d ON d.tenant_id = t.tenant_id AND d.id = t.driver_id AND d.merged_into = '' WHERE t.tenant_id = $1`) != rows {
			t.Errorf("answers %v", seen)
		}
	})
}

func TestPossibleDuplicates_AreProposedWithEvidence(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.addDriver(t, "partner", with(driverOf("Łoś-Żak"), "firstName", "Łukasz", "phone", "601 234 567", "iban", polishIBAN))
		second := w.addDriver(t, "partner", with(driverOf("Lukasz"), "firstName", "zak los", "phone", "601234567", "iban", polishIBAN))
		w.addDriver(t, "partner", with(driverOf("Adamski"), "email", "same@example.com", "taxId", "5260250274"))
		w.addDriver(t, "partner", with(driverOf("Babiak"), "email", "SAME@example.com", "taxId", "7740001454"))
		w.addDriver(t, "partner", driverOf("Nobody"))
		w.addDriver(t, "other", with(driverOf("Nobody"), "phone", "601234567"))
		list := func(query string) (text string, total int64) {
			var seen struct {
				Total int64
				Pairs []struct {
					One, Two       struct{ ID, LastName string }
					Evidence       []string
					DifferentTaxID bool
				}
			}
			w.call(t, "partner", "GET", driversPath+"/possible-duplicates"+query, nil, &seen)
			for _, p := range seen.Pairs {
				text += fmt.Sprintln(p.One.LastName, p.Two.LastName, p.Evidence, p.DifferentTaxID)
			}
			return text, seen.Total
		}
		if text, total := list(""); total != 2 || text != "Łoś-Żak Lukasz [account name phone] false\nAdamski Babiak [email] true\n" {
			t.Errorf("%d %s", total, text)
		}
		if text, total := list("?size=1&page=2"); total != 2 || !strings.HasPrefix(text, "Adamski") {
			t.Errorf("%d %s", total, text)
		}
		pair := map[string]any{"one": second, "two": first}
		w.must(t, 204, "partner", "POST", driversPath+"/possible-duplicates/dismiss", pair)
		w.must(t, 204, "partner", "POST", driversPath+"/possible-duplicates/dismiss", pair)
		if text, total := list(""); total != 1 || strings.Contains(text, "Lukasz") {
			t.Errorf("%d %s", total, text)
		}
		if text, total := list("?dismissed=true"); total != 1 || !strings.Contains(text, "Lukasz") {
			t.Errorf("%d %s", total, text)
		}
		var lines []string
		testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) (err error) {
			lines, err = db.Select[string](tx, `SELECT object_id FROM audit_entries WHERE tenant_id = $1 AND action = 'drivers.tell_apart'`)
			return err
		})
		if text, _ := json.Marshal(lines); len(lines) != 2 || !strings.Contains(string(text), first) || !strings.Contains(string(text), second) {
			t.Errorf("%s", text)
		}
		w.must(t, 204, "partner", "POST", driversPath+"/possible-duplicates/propose-again", pair)
		if _, total := list(""); total != 2 {
			t.Errorf("%d", total)
		}
		w.freshly(t)
		w.merge(t, first, second)
		if _, total := list(""); total != 1 {
			t.Errorf("who gave way is still proposed: %d", total)
		}
	})
}
