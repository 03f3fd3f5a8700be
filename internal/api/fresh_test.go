package api_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/testkit"
)

// asksForAFreshSignIn are the operations that change where money goes, or who decides on it. Those with a body ask only when it says so:
// an account that is new or another one.
var asksForAFreshSignIn = map[string]string{
	"invite-person":            "always",
	"unblock-person":           "always",
	"save-payout-settings":     "always",
	"turn-on-two-person":       "always",
	"request-two-person-off":   "always",
	"confirm-two-person-off":   "always",
	"save-billing-certificate": "always",
	"save-sms-settings":        "always",
	"connect-service":          "always",
	"close-driver-account":     "always",
	"save-contract-settings":   "always",
	"fill-documents":           "never: it saves nothing",
	"fill-documents-with-data": "never: as above",
	"contract-pages":           "never: as above",
	"save-contract-draft":      "never: the account goes to the driver with the countersignature",
	"countersign-contract":     "iban",
	"add-driver":               "iban",
	"save-driver":              "iban",
	"save-partner":             "account",
	"merge-drivers":            "choices",
	"undo-merge":               "what stands",
}

func TestEveryOperationThatMovesMoneyAsksForAFreshSignIn(t *testing.T) {
	w := newWorld(t, "sqlite")
	for _, route := range w.router.Routes() {
		if (asksForAFreshSignIn[route.Name] == "always") != route.Fresh {
			t.Errorf("%s: Fresh is %v, the list says %q", route.Name, route.Fresh, asksForAFreshSignIn[route.Name])
		}
	}
	// whatever takes an account number is on the list, also when it is added later
	for name, fields := range w.bodies(t) {
		for _, field := range fields {
			if accountNumber.MatchString(field) && asksForAFreshSignIn[name] == "" {
				t.Errorf("%s takes %s and asks for no fresh sign-in", name, field)
			}
		}
	}
}

var accountNumber = regexp.MustCompile(`(?i)iban|^account$|bank.?account|credential|secret|certificate`)

// bodies are the names of all fields that each operation takes, however deep.
func (w *world) bodies(t *testing.T) map[string][]string {
	t.Helper()
	text, err := w.router.Contract()
	if err != nil {
		t.Fatal(err)
	}
	var contract struct {
		Paths      map[string]map[string]map[string]any
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(text, &contract); err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for _, operations := range contract.Paths {
		for _, operation := range operations {
			fields := map[string]bool{}
			seen := map[string]bool{}
			var walk func(any)
			walk = func(part any) {
				switch part := part.(type) {
				case []any:
					for _, one := range part {
						walk(one)
					}
				case map[string]any:
					if properties, ok := part["properties"].(map[string]any); ok {
						for name := range properties {
							fields[name] = true
						}
					}
					if ref, ok := part["$ref"].(string); ok && !seen[ref] {
						seen[ref] = true
						walk(contract.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")])
					}
					for _, one := range part {
						walk(one)
					}
				}
			}
			walk(operation["requestBody"])
			found[operation["operationId"].(string)] = slices.Sorted(maps.Keys(fields))
		}
	}
	if !slices.Contains(found["add-driver"], "iban") || !slices.Contains(found["save-partner"], "account") {
		t.Fatal("the fields of bodies are not found")
	}
	return found
}

func TestAnOldSignInMovesNoMoney(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		plain := with(driverOf("Nowak"), "email", "")
		known := w.addDriver(t, "partner", with(plain, "iban", polishIBAN))
		blocked, request := w.blockedColleague(t), w.offRequest(t, secondOfNorth)
		profile := profileOf("Flota")
		w.must(t, http.StatusNoContent, "partner", "PUT", "/api/partners", profile)
		profile["version"] = 2
		settings := map[string]any{"profile": "elixir", "foreignProfile": "", "secondPerson": true, "version": 1}
		old := map[string]struct {
			method, path string
			body         any
		}{
			"invite-person":            {"POST", "/api/partners/people", w.invitation()},
			"unblock-person":           {"POST", "/api/partners/people/" + blocked + "/unblock", nil},
			"save-payout-settings":     {"PUT", "/api/payout-settings", settings},
			"turn-on-two-person":       {"POST", "/api/payout-settings/two-person/turn-on", nil},
			"request-two-person-off":   {"POST", "/api/payout-settings/two-person/requests", nil},
			"confirm-two-person-off":   {"POST", "/api/payout-settings/two-person/requests/" + request + "/confirm", nil},
			"save-billing-certificate": {"PUT", "/api/billing-certificate", map[string]any{"certificate": "none", "key": "none"}},
			"save-sms-settings":        {"PUT", "/api/sms-settings", smsAPISettings},
			"connect-service":          {"PUT", webDAVPath, w.driveChange(t, 0, testkit.DrivePassword)},
			"add-driver":               {"POST", driversPath, with(driverOf("Nowa"), "iban", germanIBAN)},
			"save-driver":              {"PUT", driversPath + "/" + known, with(plain, "iban", germanIBAN, "version", 1)},
			"save-partner":             {"PUT", "/api/partners", with(profile, "account", "PL27114020040000300201355387")},
			"save-partner, none":       {"PUT", "/api/partners", with(profile, "account", "")},
		}
		for _, ago := range []time.Duration{301 * time.Second, 24 * time.Hour} {
			w.sign(t, "partner", w.clock.Now().Add(-ago))
			for name, rq := range old {
				before := w.changes(t)
				text := w.must(t, http.StatusUnauthorized, "partner", rq.method, rq.path, rq.body)
				if !strings.Contains(text, "identity.fresh_login_needed") {
					t.Errorf("%s: %s", name, text)
				}
				if w.changes(t) != before {
					t.Errorf("%s was refused and changed something", name)
				}
			}
		}
		// what moves nothing is taken as before
		w.must(t, http.StatusCreated, "partner", "POST", driversPath, with(driverOf("Bez"), "iban", ""))
		moved := with(plain, "iban", polishIBAN, "phone", "+48601000111", "version", 1)
		w.must(t, http.StatusNoContent, "partner", "PUT", driversPath+"/"+known, moved)
		w.must(t, http.StatusNoContent, "partner", "PUT", "/api/partners", with(profile, "notes", "other"))
		w.sign(t, "partner", w.clock.Now().Add(-299*time.Second))
		w.must(t, http.StatusCreated, "partner", "POST", driversPath, with(driverOf("Nowa"), "iban", germanIBAN))
		w.must(t, http.StatusNoContent, "partner", "PUT", "/api/partners", with(profile, "version", 3, "account", "PL27114020040000300201355387"))
	})
}
