package api_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// rulesOf is a whole schema as a partner sends it.
func rulesOf(name string) map[string]any {
	return map[string]any{"name": name, "contractType": "CIVIL_CONTRACT", "weeklyContractCost": 4500, "monthlyContractCost": 0, "settlementCost": 5000,
		"additionalCosts": []any{map[string]any{"name": "phone", "amount": 990}}, "dailyFee": map[string]any{"UBER": 700, "BOLT": 650, "FREENOW": 0},
		"maxFee1": 3500, "maxFee2": nil, "maxFee3": nil, "tripSettlementCost": 0, "tripFee": 0, "maxTripSettlementCost": nil, "minContractIncome": 40000,
		"vatMethod": "INSIDE", "invoiceVat": "REDUCED", "vatSplit": false, "deductionRateBp": 5000, "depreciationRateBp": 0, "payoutRateBp": 10000, "payoutOf": "INCOME",
		"payoutIncludesCash": true, "weekStartDay": 1, "minTransfer": 1000, "autoNextPeriod": true,
		"costRates": []any{map[string]any{"type": "PERCENT", "incomeFrom": 0, "incomeTo": nil, "rate": 800}}}
}

func (w *world) addSchema(t *testing.T, who, name string) (number int64) {
	t.Helper()
	var made struct{ SchemaNumber int64 }
	if status, text := w.call(t, who, "POST", "/api/settlement-schemas", rulesOf(name), &made); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	return made.SchemaNumber
}

func schemaPath(number int64, rest ...string) string {
	return fmt.Sprint("/api/settlement-schemas/", number) + strings.Join(rest, "")
}

// attach gives a partner a driver who is settled by a schema.
func (w *world) attach(t *testing.T, tenant, id string, schema int64) {
	t.Helper()
	testkit.Write(t, w.app.DB(), access.ProgramFor(tenant, "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO drivers (tenant_id, id, first_name, last_name, search_key, email, phone, iban_sealed, iban_sum, iban_changed_at, account_holder, tax_id,
			schema_number, contract_number, bailiff, summary_language, settlement_frequency, active, blocked, account_id, verified_at, activation_sent_at,
			settled_on, merged_into, version, created_at, updated_at)
			VALUES ($1, $2, 'Jan', $2, $2, '', '', '', '', '', '', '', $3, '', FALSE, '', 0, TRUE, FALSE, '', '', '', '', '', 1, $4, $4)`, id, schema, tx.Now)
		return err
	})
}

func TestSchemasAreMadeEditedCopiedChosenAndDeleted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		number := w.addSchema(t, "partner", "Kurierzy")
		var s map[string]any
		w.call(t, "partner", "GET", schemaPath(number), nil, &s)
		if s["name"] != "Kurierzy" || s["schemaNumber"] != 2.0 || s["version"] != 1.0 || s["isDefault"] != false || s["drivers"] != 0.0 || s["maxFee2"] != nil ||
			s["maxFee1"] != 3500.0 || fmt.Sprint(s["dailyFee"]) != "map[BOLT:650 FREENOW:0 UBER:700]" || s["updatedBy"] != canary+"north partner" {
			t.Errorf("%v", s)
		}
		edit := with(with(rulesOf("Kurierzy"), "settlementCost", 6000), "version", 1)
		if status, text := w.call(t, "partner", "PUT", schemaPath(number), edit, &s); status != 200 || s["version"] != 2.0 || s["settlementCost"] != 6000.0 {
			t.Errorf("%d %s", status, text)
		}
		if status, text := w.call(t, "partner", "PUT", schemaPath(number), edit, nil); status != 409 || !strings.Contains(text, "schemas.changed") {
			t.Errorf("a stale edit: %d %s", status, text)
		}
		var past struct {
			Versions []struct{ Version, SettlementCost int64 }
		}
		if w.call(t, "partner", "GET", schemaPath(number, "/history"), nil, &past); fmt.Sprint(past.Versions) != "[{2 6000} {1 5000}]" {
			t.Errorf("%v", past)
		}
		if status, text := w.call(t, "partner", "POST", schemaPath(number, "/copy"), map[string]any{"name": "Kurierzy 2"}, &s); status != 201 || s["schemaNumber"] != 3.0 ||
			s["settlementCost"] != 6000.0 || s["version"] != 1.0 {
			t.Errorf("%d %s", status, text)
		}
		if status, text := w.call(t, "partner", "POST", schemaPath(number, "/copy"), map[string]any{"name": "STANDARD"}, nil); status != 409 || !strings.Contains(text, "schemas.name_taken") {
			t.Errorf("%d %s", status, text)
		}
		if status, text := w.call(t, "partner", "DELETE", schemaPath(1), nil, nil); status != 409 || !strings.Contains(text, "schemas.is_default") {
			t.Errorf("%d %s", status, text)
		}
		if status, text := w.call(t, "partner", "POST", schemaPath(3, "/default"), nil, nil); status != 204 {
			t.Errorf("%d %s", status, text)
		}
		if status, text := w.call(t, "partner", "DELETE", schemaPath(1), nil, nil); status != 204 {
			t.Errorf("%d %s", status, text)
		}
		w.attach(t, "north", "Kowalski", number)
		if status, text := w.call(t, "partner", "DELETE", schemaPath(number), nil, nil); status != 409 || !strings.Contains(text, "schemas.attached") || !strings.Contains(text, `"drivers":"1"`) {
			t.Errorf("%d %s", status, text)
		}
		if _, text := w.call(t, "partner", "GET", schemaPath(number, "/drivers"), nil, nil); !strings.Contains(text, `"lastName":"Kowalski"`) || !strings.Contains(text, `"total":1`) {
			t.Errorf("%s", text)
		}
		var list struct {
			Schemas []struct {
				Name      string
				IsDefault bool
				Drivers   int64
			}
		}
		if w.call(t, "partner", "GET", "/api/settlement-schemas", nil, &list); fmt.Sprint(list.Schemas) != "[{Kurierzy 2 true 0} {Kurierzy false 1}]" {
			t.Errorf("%v", list.Schemas)
		}
	})
}

// Both partners have a schema with the number 2; each only ever meets its own.
func TestANumberThatTwoPartnersHaveIsTheCallersOwn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		number := w.addSchema(t, "partner", canary+"north")
		if w.addSchema(t, "other", "South") != number {
			t.Fatal("the numbers differ")
		}
		w.attach(t, "north", canary+"north", number)
		var before, after string
		_, before = w.call(t, "partner", "GET", schemaPath(number), nil, nil)
		for _, rest := range []string{"", "/drivers", "/history"} {
			if status, text := w.call(t, "other", "GET", schemaPath(number, rest), nil, nil); status != 200 || strings.Contains(text, canary+"north") || strings.Contains(text, "total\":1") {
				t.Errorf("%s: %d %s", rest, status, text)
			}
		}
		for _, c := range []struct {
			method, rest string
			body         any
			status       int
		}{
			{"PUT", "", with(with(rulesOf("Changed"), "settlementCost", 1), "version", 1), 200},
			{"POST", "/copy", map[string]any{"name": "Copy"}, 201},
			{"POST", "/default", nil, 204},
			{"DELETE", "", nil, 409}, // its own is the default now; north's has a driver and is not
		} {
			if status, text := w.call(t, "other", c.method, schemaPath(number, c.rest), c.body, nil); status != c.status || strings.Contains(text, "attached") {
				t.Errorf("%s %s: %d %s", c.method, c.rest, status, text)
			}
		}
		if _, after = w.call(t, "partner", "GET", schemaPath(number), nil, nil); after != before || !strings.Contains(after, canary+"north") {
			t.Errorf("north's schema was %s and is %s", before, after)
		}
	})
}

func TestEveryWrongFieldOfASchemaIsNamed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		number := w.addSchema(t, "partner", "Kurierzy")
		_, before := w.call(t, "partner", "GET", "/api/settlement-schemas", nil, nil)
		band := func(from, to, rate any) map[string]any {
			return map[string]any{"type": "PERCENT", "incomeFrom": from, "incomeTo": to, "rate": rate}
		}
		for _, c := range []struct {
			field string
			value any
			want  string // the field as it is named in the answer, and the code
		}{
			{"name", " ", `"name":"name","code":"required"`},
			{"name", strings.Repeat("ż", 101), `"name":"name","code":"too_long","params":{"max":"100"}`},
			{"contractType", "B2B", `"name":"contractType","code":"not_allowed"`},
			{"weeklyContractCost", -1, `"name":"weeklyContractCost","code":"too_small","params":{"min":"0"}`},
			{"monthlyContractCost", 100000001, `"name":"monthlyContractCost","code":"too_large","params":{"max":"100000000"}`},
			{"settlementCost", 1.5, `"name":"settlementCost","code":"wrong_type"`},
			{"settlementCost", "12", `"name":"settlementCost","code":"wrong_type"`},
			{"settlementCost", nil, `"name":"settlementCost","code":"wrong_type"`},
			{"additionalCosts", []any{map[string]any{"name": "", "amount": 1}}, `"name":"additionalCosts[0].name","code":"required"`},
			{"additionalCosts", []any{map[string]any{"name": "a", "amount": -1}}, `"name":"additionalCosts[0].amount","code":"too_small"`},
			{"dailyFee", map[string]any{"UBER": 0, "BOLT": -5, "FREENOW": 0}, `"name":"dailyFee.BOLT","code":"too_small"`},
			{"dailyFee", map[string]any{"UBER": 0, "BOLT": 0, "FREENOW": 0, "GLOVO": 1}, `"name":"dailyFee.GLOVO","code":"unknown"`},
			{"maxFee1", -1, `"name":"maxFee1","code":"too_small"`},
			{"minContractIncome", 100000001, `"name":"minContractIncome","code":"too_large"`},
			{"vatMethod", "BESIDE", `"name":"vatMethod","code":"not_allowed"`},
			{"deductionRateBp", 10001, `"name":"deductionRateBp","code":"too_large","params":{"max":"10000"}`},
			{"payoutOf", "", `"name":"payoutOf","code":"not_allowed"`},
			{"weekStartDay", 0, `"name":"weekStartDay","code":"too_small","params":{"min":"1"}`},
			{"weekStartDay", 8, `"name":"weekStartDay","code":"too_large","params":{"max":"7"}`},
			{"costRates", []any{band(0, 100, 1), band(99, nil, 1)}, `"name":"costRates[1].incomeFrom","code":"overlaps"`},
			{"costRates", []any{band(100, 100, 1)}, `"name":"costRates[0].incomeTo","code":"too_small","params":{"min":"101"}`},
			{"costRates", []any{band(0, nil, 10001)}, `"name":"costRates[0].rate","code":"too_large"`},
			{"autoNextPeriod", "yes", `"name":"autoNextPeriod","code":"wrong_type"`},
		} {
			for _, to := range []struct{ method, path string }{{"POST", "/api/settlement-schemas"}, {"PUT", schemaPath(number)}} {
				body := with(rulesOf("Other"), c.field, c.value)
				if to.method == "PUT" {
					body["version"] = 1
				}
				if status, text := w.call(t, "partner", to.method, to.path, body, nil); status != 422 || !strings.Contains(text, c.want) {
					t.Errorf("%s %s %v: %d %s", to.method, c.field, c.value, status, text)
				}
			}
		}
		if _, after := w.call(t, "partner", "GET", "/api/settlement-schemas", nil, nil); after != before {
			t.Errorf("a refused schema changed something: %s", after)
		}
	})
}

// The rate on invoices is the partner's choice in Germany; in Poland it is none.
func TestTheVATOfInvoicesIsChosenOnTheGermanInstanceOnly(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		number := w.addSchema(t, "partner", "Firmy")
		for _, c := range []struct {
			value string
			wants int
		}{{"STANDARD", 422}, {"EXEMPT", 422}, {"NONE", 422}, {"REDUCED", 200}} {
			edit := with(with(rulesOf("Firmy"), "invoiceVat", c.value), "version", 1)
			status, text := w.call(t, "partner", "PUT", schemaPath(number), edit, nil)
			if status != c.wants || status == 422 && !strings.Contains(text, "invoiceVat") {
				t.Errorf("%s: %d %s", c.value, status, text)
			}
		}
		if status, text := w.call(t, "partner", "POST", "/api/settlement-schemas", with(rulesOf("Inne"), "invoiceVat", "STANDARD"), nil); status != 422 {
			t.Errorf("%d %s", status, text)
		}
	})
}

func TestAFieldOfASchemaThatAPartnerMayNotSetIsRefusedByName(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		number := w.addSchema(t, "partner", "Kurierzy")
		_, before := w.call(t, "partner", "GET", "/api/settlement-schemas", nil, nil)
		own := with(rulesOf("Other"), "version", 1)
		for _, column := range append(append(w.columns(t, "schemas"), w.columns(t, "schema_versions")...), "drivers", "updated_at", "id") {
			for _, name := range []string{column, camel(column)} {
				if _, mine := own[name]; mine {
					continue
				}
				body := maps.Clone(own)
				body[name] = 1
				w.refusedByName(t, schemaPath(number), body, name)
				delete(body, "version")
				if status, text := w.call(t, "partner", "POST", "/api/settlement-schemas", body, nil); status != 422 || !strings.Contains(text, `"name":"`+name+`","code":"unknown"`) {
					t.Errorf("%s: %d %s", name, status, text)
				}
			}
		}
		for name := range own { // and each that it may set, it must
			body := maps.Clone(own)
			delete(body, name)
			if status, text := w.call(t, "partner", "PUT", schemaPath(number), body, nil); status != 422 || !strings.Contains(text, `"name":"`+name+`","code":"required"`) {
				t.Errorf("without %s: %d %s", name, status, text)
			}
		}
		if _, after := w.call(t, "partner", "GET", "/api/settlement-schemas", nil, nil); after != before {
			t.Errorf("something changed: %s", after)
		}
	})
}
