package api_test

import (
	"fmt"
	"testing"

	"saldo/internal/kernel/money"
)

type overviewSeen struct {
	Period                                                                      struct{ Code, FirstOn, LastOn string }
	MissingFiles                                                                []struct{ Provider, State string }
	ToConfirm, Unmatched, Unsent, FailedMails, Unpaid, Proposed, Released, Left int64
	Returned                                                                    int64
	UnpaidSum                                                                   money.Amount
}

// The overview follows two settlements from settling to the bank's statement, and sees nothing of another partner's.
func TestOverview_FollowsWhatIsLeftToDo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		asked := func(who string) (o overviewSeen) {
			t.Helper()
			if status, text := w.call(t, who, "GET", "/api/overview", nil, &o); status != 200 {
				t.Fatalf("%d %s", status, text)
			}
			return o
		}
		before := asked("partner")
		if before.Period.Code == "" || before.Unpaid != 0 || before.Unsent != 0 || before.MissingFiles == nil {
			t.Fatalf("%+v", before)
		}
		w.pays(t)
		reachable := func() string {
			driver := w.addDriver(t, "partner", with(driverOf("Reachable"), "iban", polishIBAN, "taxId", "1132191233", "email", fmt.Sprintf("reachable%d@example.com", w.keys.Add(1))))
			w.earns(t, driver, 10_800_00)
			return w.settledOf(t, driver)
		}
		one, two := reachable(), reachable()
		settled := asked("partner")
		if settled.Unpaid != 2 || settled.UnpaidSum <= 0 || settled.Unsent != 2 || settled.Released != 0 {
			t.Errorf("settled: %+v", settled)
		}
		w.must(t, 200, "partner", "POST", "/api/settlements/revoke", map[string]any{"ids": []string{two}, "reason": "again"})
		if revoked := asked("partner"); revoked.Unpaid != 1 || revoked.Unsent != 1 || revoked.UnpaidSum*2 != settled.UnpaidSum {
			t.Errorf("revoked: %+v", revoked)
		}
		n := w.batched(t, one)
		if batched := asked("partner"); batched.Unpaid != 0 || batched.UnpaidSum != 0 || batched.Released != 1 || batched.Unsent != 1 {
			t.Errorf("in a batch: %+v", batched)
		}
		file := map[string]any{"name": "wyciag.xml", "content": w.statement(t, true, w.transfersOf(t, n)...)}
		var plan struct{ Token string }
		w.call(t, "partner", "POST", statementsPath+"/plan", file, &plan)
		w.must(t, 201, "partner", "POST", statementsPath, with(file, "token", plan.Token))
		if back := asked("partner"); back.Returned != 1 || back.Released != 0 || back.Unpaid != 1 {
			t.Errorf("returned: %+v", back)
		}
		if other := asked("other"); other.Unpaid+other.Unsent+other.Released+other.Returned != 0 {
			t.Errorf("another partner's: %+v", other)
		}
	})
}
