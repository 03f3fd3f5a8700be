package api_test

import (
	"fmt"
	"strings"
	"testing"
)

type timelineSeen struct {
	Steps []struct {
		Code, Reason, By, ExpectedOn, PayOn string
		Done                                bool
		Batch                               int64
	}
	Account  string
	UsualDay int
}

// short is a timeline as one text.
func (t timelineSeen) short() string {
	parts := []string{}
	for _, s := range t.Steps {
		mark := ""
		if !s.Done {
			mark = "?"
		}
		parts = append(parts, s.Code+mark+s.Reason)
	}
	return strings.Join(parts, " ")
}

func TestTimeline_SaysWhereTheMoneyIs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.pays(t)
		driver := w.addDriver(t, "partner", with(driverOf(canary+"north"), "iban", polishIBAN, "taxId", "1132191233"))
		w.linked(t, driver)
		var next struct {
			SettlementID, FirstOn string
			Amount                int64
			Timeline              timelineSeen
		}
		w.call(t, "driver", "GET", "/api/driver-accounts/next-payout", nil, &next)
		if next.SettlementID != "" || next.FirstOn == "" || next.Amount != 0 || next.Timeline.short() != "settled?nothing_due" {
			t.Errorf("%+v", next)
		}
		w.earns(t, driver, 10_800_00)
		id := w.settledOf(t, driver)
		of := func(who, path string) (seen timelineSeen) {
			if status, text := w.call(t, who, "GET", path, nil, &seen); status != 200 {
				t.Fatalf("%d %s", status, text)
			}
			return seen
		}
		own, whole := "/api/driver-accounts/settlements/"+id+"/timeline", "/api/settlements/"+id+"/timeline"
		seen := of("partner", whole)
		if seen.short() != "calculated settled shared paid?to_order" || seen.Account != polishIBAN[len(polishIBAN)-4:] || seen.Steps[1].By == "" {
			t.Errorf("%+v", seen)
		}
		if seen := of("driver", own); seen.short() != "calculated settled shared paid?to_order" || seen.Steps[1].By != "" {
			t.Errorf("%+v", seen)
		}
		w.must(t, 404, "stranger", "GET", own, nil)
		number := w.batched(t, id)
		if seen := of("driver", own); seen.short() != "calculated settled shared batched paid?at_bank" || seen.Steps[3].Batch != 0 ||
			seen.Steps[4].ExpectedOn == "" {
			t.Errorf("%+v", seen)
		}
		if w.call(t, "driver", "GET", "/api/driver-accounts/next-payout", nil, &next); next.SettlementID != id || next.Amount == 0 {
			t.Errorf("%+v", next)
		}
		w.must(t, 204, "partner", "POST", fmt.Sprint(batchesPath, "/", number, "/cancel"), map[string]any{"reason": "wrong"})
		w.must(t, 204, "partner", "POST", "/api/drivers/"+driver+"/block", nil)
		if seen := of("partner", whole); seen.short() != "calculated settled shared paid?blocked" {
			t.Errorf("%+v", seen)
		}
		w.must(t, 200, "partner", "POST", "/api/settlements/revoke", map[string]any{"ids": []string{id}, "reason": "wrong file"})
		if seen := of("partner", whole); seen.short() != "calculated settled shared revoked" || seen.Account != "" {
			t.Errorf("%+v", seen)
		}
		w.must(t, 404, "driver", "GET", own, nil)
	})
}
