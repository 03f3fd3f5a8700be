package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"saldo/internal/kernel/money"
)

const batchesPath = "/api/payout-batches"

type planSeen struct {
	Drafts []struct {
		Way, Profile           string
		Settlements, Transfers int64
		Sum                    money.Amount
	}
	Excluded []struct {
		SettlementID, Reason string
		Batch                int64
	}
	Payer []string
	Token string
}

// pays gives north what paying needs.
func (w *world) pays(t *testing.T) {
	t.Helper()
	w.paysFrom(t, "5260250274", "PL49114020040000330200112177")
}

func (w *world) paysFrom(t *testing.T, taxID, account string) {
	t.Helper()
	var p map[string]any
	w.call(t, "partner", "GET", "/api/partners", nil, &p)
	if p["account"] != "" {
		return
	}
	p["taxId"], p["account"] = taxID, account
	for _, name := range []string{"code", "settlementLimit", "settlementUsage", "uuid", "logo", "remaining", "demo"} {
		delete(p, name)
	}
	if status, text := w.call(t, "partner", "PUT", "/api/partners", p, nil); status != 204 {
		t.Fatalf("%d %s", status, text)
	}
}

// payable is a settlement of somebody who has an account.
func (w *world) payable(t *testing.T) (settlement string) {
	t.Helper()
	w.pays(t)
	driver := w.addDriver(t, "partner", with(driverOf(canary+"north"), "iban", polishIBAN, "taxId", "1132191233"))
	w.earns(t, driver, 10_800_00)
	return w.settledOf(t, driver)
}

func (w *world) planned(t *testing.T, body map[string]any) (p planSeen) {
	t.Helper()
	if status, text := w.call(t, "partner", "POST", batchesPath+"/plan", body, &p); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	return p
}

// batched is the number of a new batch.
func (w *world) batched(t *testing.T, settlements ...string) int64 {
	t.Helper()
	body := map[string]any{"profile": "elixir", "settlements": settlements}
	body["token"] = w.planned(t, body).Token
	var made struct{ Numbers []int64 }
	if status, text := w.call(t, "partner", "POST", batchesPath, body, &made); status != 201 || len(made.Numbers) != 1 {
		t.Fatalf("%d %s", status, text)
	}
	return made.Numbers[0]
}

func TestSettlementsArePaidInABatchOverHTTP(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		one, two := w.payable(t), w.payable(t)
		without := w.settled(t) // no account
		request := map[string]any{"profile": "elixir", "settlements": []string{one, two, without}}
		p := w.planned(t, request)
		if len(p.Drafts) != 1 || p.Drafts[0].Settlements != 2 || len(p.Excluded) != 1 || p.Excluded[0].Reason != "no_account" || len(p.Payer) != 0 {
			t.Fatalf("%+v", p)
		}
		if status, text := w.call(t, "partner", "POST", batchesPath, with(request, "token", "another"), nil); status != 409 || !strings.Contains(text, "payouts.changed") {
			t.Fatal(status, text)
		}
		n := w.batched(t, one, two, without)
		path := fmt.Sprint(batchesPath, "/", n)
		var batch struct {
			Batch struct {
				State, ContentHash string
				Sum                money.Amount
				Paid               int64
			}
			Transfers []struct {
				SettlementID, Account, Reference string
				Amount                           money.Amount
				Paid                             bool
			}
		}
		text := w.must(t, 200, "partner", "GET", path, nil)
		if strings.Contains(text, "61109010140000071219812874") {
			t.Error("the account is not covered")
		}
		w.call(t, "partner", "GET", path, nil, &batch)
		if batch.Batch.State != "released" || batch.Batch.Sum != p.Drafts[0].Sum || len(batch.Transfers) != int(p.Drafts[0].Transfers) {
			t.Errorf("%+v", batch)
		}
		first := w.must(t, 200, "partner", "GET", path+"/file", nil)
		if first != w.must(t, 200, "partner", "GET", path+"/file", nil) || !strings.HasPrefix(first, "110,") || strings.Count(first, "\r\n") != len(batch.Transfers) {
			t.Errorf("%q", first)
		}
		// what a bank may have been told of is not revoked
		if text := w.must(t, 200, "partner", "POST", "/api/settlements/revoke", map[string]any{"ids": []string{one}, "reason": "no"}); !strings.Contains(text, "settlements.in_batch") {
			t.Error(text)
		}
		if text := w.must(t, 200, "partner", "POST", path+"/pay", map[string]any{"paidOn": "2026-11-15"}); !strings.Contains(text, `"paid":2`) {
			t.Error(text)
		}
		if text := w.must(t, 409, "partner", "POST", path+"/cancel", map[string]any{"reason": "late"}); !strings.Contains(text, "payouts.paid") {
			t.Error(text)
		}
		w.must(t, 200, "partner", "POST", "/api/settlements/unpay", map[string]any{"ids": []string{one, two}})
		w.must(t, 422, "partner", "POST", path+"/cancel", map[string]any{"reason": ""})
		w.must(t, 204, "partner", "POST", path+"/cancel", map[string]any{"reason": "late"})
		p = w.planned(t, request)
		if len(p.Drafts) != 1 || slices.ContainsFunc(p.Excluded, func(e struct {
			SettlementID, Reason string
			Batch                int64
		}) bool {
			return e.Reason == "in_batch"
		}) {
			t.Errorf("%+v", p)
		}
	})
}
