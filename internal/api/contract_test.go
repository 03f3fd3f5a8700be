package api_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/prometheus/client_golang/prometheus"

	"saldo/internal/api"
	"saldo/internal/app"
	"saldo/internal/platform/web"
)

// contract is what openapi.json is written from.
var contract = sync.OnceValues(func() (reply map[string]any, err error) {
	text, err := app.Routes(web.Settings{Log: slog.Default(), Metrics: prometheus.NewRegistry()}, api.Settings{}).Contract()
	if err != nil {
		return nil, err
	}
	return reply, json.Unmarshal(text, &reply)
})

// asPromised checks an answer against the contract: its status, its kind of content and its shape. Addresses that the contract does not
// have are not answers of operations.
func asPromised(t *testing.T, method, path string, status int, kind, text string) {
	t.Helper()
	reply, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	path, _, _ = strings.Cut(path, "?")
	operation := operationAt(reply, method, path)
	if operation == nil {
		return
	}
	answers := operation["responses"].(map[string]any)
	answer, ok := answers[fmt.Sprint(status)].(map[string]any)
	if !ok && status >= 400 && status != http.StatusTooManyRequests { // which only some operations answer, and these name it
		answer, ok = answers["default"].(map[string]any)
	}
	if !ok {
		t.Errorf("%s %s: %d is not in the contract", method, path, status)
		return
	}
	if ref, ok := answer["$ref"].(string); ok {
		answer = reply["components"].(map[string]any)["responses"].(map[string]any)[strings.TrimPrefix(ref, "#/components/responses/")].(map[string]any)
	}
	content, _ := answer["content"].(map[string]any)
	kind, _, _ = strings.Cut(kind, ";")
	described, ok := content[kind].(map[string]any)
	switch {
	case ok:
	case len(content) > 0 || text != "" && status == 204:
		t.Errorf("%s %s: %d as %q is not in the contract", method, path, status, kind)
		return
	default:
		return // a file, whose kind is its own
	}
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Errorf("%s %s: %d %v", method, path, status, err)
		return
	}
	schema, _ := described["schema"].(map[string]any)
	if wrong := breach(reply, schema, value, ""); wrong != "" {
		t.Errorf("%s %s: %d is not what the contract says: %s\n%s", method, path, status, wrong, text)
	}
}

// operationAt finds the operation of an address; one without a parameter goes first, as it does at the router.
func operationAt(reply map[string]any, method, path string) (found map[string]any) {
	parts, fewest := strings.Split(path, "/"), len(path)
	for pattern, operations := range reply["paths"].(map[string]any) {
		of := strings.Split(pattern, "/")
		open := 0
		alike := len(of) == len(parts)
		for i := 0; alike && i < len(of); i++ {
			if strings.HasPrefix(of[i], "{") {
				open++
			} else {
				alike = of[i] == parts[i]
			}
		}
		operation, ok := operations.(map[string]any)[strings.ToLower(method)].(map[string]any)
		if alike && ok && open < fewest {
			found, fewest = operation, open
		}
	}
	return found
}

// breach is where a value is not what a schema says; empty: nowhere. It knows the words that our contract uses of answers.
func breach(reply, schema map[string]any, value any, at string) string {
	if ref, ok := schema["$ref"].(string); ok {
		schemas := reply["components"].(map[string]any)["schemas"].(map[string]any)
		schema = schemas[strings.TrimPrefix(ref, "#/components/schemas/")].(map[string]any)
		return breach(reply, schema, value, at)
	}
	if choices, ok := schema["anyOf"].([]any); ok {
		for _, c := range choices {
			if breach(reply, c.(map[string]any), value, at) == "" {
				return ""
			}
		}
		return at + " is none of its kinds"
	}
	if kinds := kindsOf(schema["type"]); len(kinds) > 0 && !slices.ContainsFunc(kinds, func(k string) bool { return isKind(value, k) }) {
		return fmt.Sprintf("%s is %v, not %v", at, value, kinds)
	}
	if allowed, ok := schema["enum"].([]any); ok && value != nil && !slices.Contains(allowed, value) {
		return fmt.Sprintf("%s is %v, not one of %v", at, value, allowed)
	}
	switch v := value.(type) {
	case string:
		if maximum, ok := schema["maxLength"].(float64); ok && utf8.RuneCountInString(v) > int(maximum) {
			return fmt.Sprintf("%s is longer than %v", at, maximum)
		}
	case []any:
		items, _ := schema["items"].(map[string]any)
		for i, item := range v {
			if wrong := breach(reply, items, item, fmt.Sprintf("%s[%d]", at, i)); wrong != "" {
				return wrong
			}
		}
	case map[string]any:
		return breachOf(reply, schema, v, at)
	}
	return ""
}

func breachOf(reply, schema map[string]any, object map[string]any, at string) string {
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := object[name.(string)]; !ok {
			return fmt.Sprintf("%s.%s is missing", at, name)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, inner := range object {
		described, ok := properties[name].(map[string]any)
		if !ok {
			if described, ok = schema["additionalProperties"].(map[string]any); !ok {
				if schema["additionalProperties"] == false {
					return fmt.Sprintf("%s.%s is not there", at, name)
				}
				continue
			}
		}
		if wrong := breach(reply, described, inner, at+"."+name); wrong != "" {
			return wrong
		}
	}
	return ""
}

func kindsOf(kind any) (kinds []string) {
	switch k := kind.(type) {
	case string:
		return []string{k}
	case []any:
		for _, one := range k {
			kinds = append(kinds, one.(string))
		}
	}
	return kinds
}

func isKind(value any, kind string) bool {
	switch v := value.(type) {
	case nil:
		return kind == "null"
	case bool:
		return kind == "boolean"
	case string:
		return kind == "string"
	case float64:
		return kind == "number" || kind == "integer" && v == float64(int64(v))
	case []any:
		return kind == "array"
	case map[string]any:
		return kind == "object"
	}
	return false
}
