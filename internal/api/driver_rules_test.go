package api_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"saldo/internal/testkit"
)

// rule is one rule of what may be typed: what is sent, and which field is
// refused with which code. The screen has the same table: each row must have
// its words at its field in five languages.
type rule struct {
	Name  string `json:"name"`
	Path  string `json:"path"`  // of the form: driver, identities, tag
	Value any    `json:"value"` // of the field; of identities all of them
	Long  int    `json:"long"`  // the value is this many letters instead
	Field string `json:"field"`
	Code  string `json:"code"`
}

func driverRules(t *testing.T) (all []rule) {
	t.Helper()
	content, err := os.ReadFile("testdata/driver-rules.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &all); err != nil {
		t.Fatal(err)
	}
	for i, r := range all {
		if r.Long > 0 {
			all[i].Value = strings.Repeat("ż", r.Long)
		}
	}
	return all
}

func TestEveryRuleOfDriversTagsAndIdentitiesNamesItsFieldAndCode(t *testing.T) {
	w := newWorld(t, testkit.Engines[0])
	id := w.addDriver(t, "partner", driverOf("Nowak"))
	one := driversPath + "/" + id
	w.addTag(t, "partner", "night")
	south := w.addSchema(t, "other", "South") // number 2, which north does not have
	for _, r := range driverRules(t) {
		t.Run(r.Name, func(t *testing.T) {
			var answers []string
			switch r.Path {
			case "driver":
				body := with(driverOf("Nowak"), r.Field, r.Value)
				answers = []string{w.must(t, 422, "partner", "POST", driversPath, body), w.must(t, 422, "partner", "PUT", one, with(body, "version", 1))}
			case "identities":
				answers = []string{w.must(t, 422, "partner", "PUT", one+"/identities", map[string]any{"version": 1, "identities": r.Value})}
			case "tag":
				status := map[bool]int{true: 409, false: 422}[r.Code == "duplicate"]
				answers = []string{w.must(t, status, "partner", "POST", "/api/tags", map[string]any{"name": r.Value})}
			default:
				t.Fatalf("no form %q", r.Path)
			}
			for _, text := range answers {
				var problem struct{ Fields []struct{ Name, Code string } }
				if err := json.Unmarshal([]byte(text), &problem); err != nil {
					t.Fatal(err)
				}
				if reply := fmt.Sprint(problem.Fields); reply != fmt.Sprintf("[{%s %s}]", r.Field, r.Code) {
					t.Errorf("%s, want %s %s", text, r.Field, r.Code)
				}
			}
		})
	}
	for _, number := range []int64{south, -1} {
		if text := w.must(t, 422, "partner", "POST", driversPath, with(driverOf("Nowak"), "schemaNumber", number)); !strings.Contains(text, `"name":"schemaNumber"`) {
			t.Error(text)
		}
	}
	if text := w.must(t, 422, "partner", "POST", driversPath, with(driverOf(""), "firstName", "", "iban", "x", "taxId", "y", "schemaNumber", 7)); strings.Count(text, `"code"`) != 6 {
		t.Errorf("not every wrong field is named: %s", text)
	}
	foreign := w.addTag(t, "other", "south")
	for _, tag := range []string{foreign, "nothing"} {
		if text := w.must(t, 422, "partner", "PUT", one+"/tags", map[string]any{"tags": []string{tag}}); !strings.Contains(text, `"name":"tags[0]"`) {
			t.Error(text)
		}
	}
	if list, _ := w.listed(t, ""); list.Total != 1 || list.Drivers[0].LastName != "Nowak" {
		t.Errorf("what was refused left something behind: %+v", list)
	}
	// what is just allowed
	w.addDriver(t, "partner", with(driverOf(strings.Repeat("ż", 150)), "iban", germanIBAN, "contractNumber", strings.Repeat("1", 50), "settlementFrequency", 4))
	for _, weeks := range []int{0, 1, 2} {
		w.addDriver(t, "partner", with(driverOf("Nowak"), "settlementFrequency", weeks))
	}
	w.must(t, 204, "partner", "PUT", one+"/identities", map[string]any{"version": 1, "identities": []any{map[string]string{"provider": "UBER", "value": strings.Repeat("1", 100)}}})
}
