package api_test

import (
	"fmt"
	"strings"
	"testing"

	"saldo/internal/kernel/money"
)

const statementsPath = "/api/bank-statements"

type transferSeen struct {
	Reference, SettlementID, ReturnedOn, BookedOn, Reason string
	Amount                                                money.Amount
	Paid                                                  bool
}

func (w *world) transfersOf(t *testing.T, batch int64) []transferSeen {
	t.Helper()
	var seen struct{ Transfers []transferSeen }
	if status, text := w.call(t, "partner", "GET", fmt.Sprint(batchesPath, "/", batch), nil, &seen); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	return seen.Transfers
}

// statement is a file of the bank that says that transfers were made, and that the last of them came back.
func (w *world) statement(t *testing.T, back bool, transfers ...transferSeen) []byte {
	t.Helper()
	var partner struct{ Account string }
	w.call(t, "partner", "GET", "/api/partners", nil, &partner)
	entry := `<Ntry><Amt Ccy="PLN">%s</Amt><CdtDbtInd>%s</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-15</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>%s</EndToEndId></Refs>%s</TxDtls></NtryDtls></Ntry>`
	balance := `<Bal><Tp><CdOrPrtry><Cd>%s</Cd></CdOrPrtry></Tp><Amt Ccy="PLN">%s</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-15</Dt></Dt></Bal>`
	entries, closing := "", money.Amount(900_000_00)
	for n, one := range transfers {
		entries += fmt.Sprintf(entry, one.Amount, "DBIT", one.Reference, "")
		closing -= one.Amount
		if back && n == len(transfers)-1 {
			entries += fmt.Sprintf(entry, one.Amount, "CRDT", one.Reference, `<RtrInf><AddtlInf>Rachunek zamknięty</AddtlInf></RtrInf>`)
			closing += one.Amount
		}
	}
	return []byte(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><IBAN>` + partner.Account + `</IBAN></Id></Acct>` +
		fmt.Sprintf(balance, "OPBD", "900000.00") + fmt.Sprintf(balance, "CLBD", closing) + entries + `</Stmt></BkToCstmrStmt></Document>`)
}

func TestABanksStatementIsConfirmedOverHTTP(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.batched(t, w.payable(t), w.payable(t))
		sent := w.transfersOf(t, n)
		file := map[string]any{"name": "wyciag.xml", "content": w.statement(t, true, sent...)}
		var plan struct {
			Token    string
			Accounts []string
			Outcomes []struct{ Outcome, Account, Reason string }
		}
		text := w.must(t, 200, "partner", "POST", statementsPath+"/plan", file)
		if strings.Contains(text, "61109010140000071219812874") {
			t.Error("the account is not covered")
		}
		w.call(t, "partner", "POST", statementsPath+"/plan", file, &plan)
		if len(plan.Outcomes) != len(sent) || plan.Outcomes[0].Outcome != "paid" || plan.Outcomes[len(sent)-1].Outcome != "returned" || plan.Outcomes[len(sent)-1].Reason != "Rachunek zamknięty" {
			t.Fatalf("%+v", plan)
		}
		if text := w.must(t, 409, "partner", "POST", statementsPath, with(file, "token", "another")); !strings.Contains(text, "payouts.changed") {
			t.Error(text)
		}
		if text := w.must(t, 201, "partner", "POST", statementsPath, with(file, "token", plan.Token)); !strings.Contains(text, `"paid":1,"returned":1`) {
			t.Error(text)
		}
		after := w.transfersOf(t, n)
		if !after[0].Paid || after[0].BookedOn != "2026-11-15" || after[len(sent)-1].Paid || after[len(sent)-1].ReturnedOn != "2026-11-15" || after[len(sent)-1].Reason != "Rachunek zamknięty" {
			t.Errorf("%+v", after)
		}
		if text := w.must(t, 200, "partner", "GET", statementsPath, nil); !strings.Contains(text, "wyciag.xml") {
			t.Error(text)
		}
		if text := w.must(t, 422, "partner", "POST", statementsPath+"/plan", map[string]any{"name": "x", "content": []byte("no statement")}); !strings.Contains(text, `"why":"unknown_format"`) {
			t.Error(text)
		}
		// another partner has paid nothing from any account
		if text := w.must(t, 409, "other", "POST", statementsPath+"/plan", file); !strings.Contains(text, "payouts.other_account") {
			t.Error(text)
		}
	})
}
