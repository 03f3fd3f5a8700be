package contract

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the contract that is kept from the published one")

// used are the operations that Saldo calls, or that its tests call.
var used = []string{
	"DELETE /auth/sessions/current", "DELETE /permissions/authorizations/grants/{permissionId}", "GET /auth/{referenceNumber}",
	"GET /certificates/enrollments/data", "GET /certificates/enrollments/{referenceNumber}", "GET /certificates/limits",
	"GET /invoices/exports/{referenceNumber}", "GET /invoices/ksef/{ksefNumber}", "GET /limits/context", "GET /permissions/operations/{referenceNumber}",
	"GET /rate-limits", "GET /security/public-key-certificates", "GET /sessions/{referenceNumber}", "GET /sessions/{referenceNumber}/invoices",
	"GET /sessions/{referenceNumber}/invoices/{invoiceReferenceNumber}", "GET /sessions/{referenceNumber}/invoices/{invoiceReferenceNumber}/upo",
	"POST /auth/challenge", "POST /auth/ksef-token", "POST /auth/token/redeem", "POST /auth/token/refresh", "POST /auth/xades-signature",
	"POST /certificates/enrollments", "POST /certificates/query", "POST /certificates/retrieve", "POST /collective-identifiers",
	"POST /invoices/exports", "POST /invoices/query/metadata", "POST /permissions/authorizations/grants",
	"POST /permissions/query/authorizations/grants", "POST /permissions/query/personal/grants", "POST /sessions/batch",
	"POST /sessions/batch/{referenceNumber}/close", "POST /sessions/online", "POST /sessions/online/{referenceNumber}/close",
	"POST /sessions/online/{referenceNumber}/invoices", "POST /testdata/person", "POST /testdata/rate-limits/production",
}

var (
	codeRow  = regexp.MustCompile(`(?m)^\| *(\d{4,5}) *\|`)
	groupRow = regexp.MustCompile(`(?m)^\| \*\*[^|]+\*\* \|[^|]+\|[^|]+\|[^|]+\| (\w+)`)
)

// kept is what Saldo keeps of a published contract: the operations that it uses, without words and examples, each on a line of its own.
func kept(t *testing.T, content []byte) []byte {
	t.Helper()
	var whole struct {
		Info       map[string]any
		Paths      map[string]map[string]map[string]any
		Components struct{ Schemas map[string]any }
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	if err := decoder.Decode(&whole); err != nil {
		t.Fatal(err)
	}
	schemas := map[string]any{}
	var bare func(value any, names bool) any
	bare = func(value any, names bool) any {
		switch value := value.(type) {
		case []any:
			for n := range value {
				value[n] = bare(value[n], false)
			}
		case map[string]any:
			if ref, is := value["$ref"].(string); is && !names {
				if name := strings.TrimPrefix(ref, "#/components/schemas/"); schemas[name] == nil {
					schemas[name] = true
					schemas[name] = bare(whole.Components.Schemas[name], false)
				}
			}
			for key := range value {
				if !names && slices.Contains([]string{"description", "summary", "example", "examples", "tags", "x-summary", "x-sort"}, key) {
					delete(value, key)
				} else {
					value[key] = bare(value[key], key == "properties" && !names)
				}
			}
		}
		return value
	}
	paths := map[string]map[string]any{}
	for path, all := range whole.Paths {
		for method, o := range all {
			if !slices.Contains(used, strings.ToUpper(method)+" "+path) {
				continue
			}
			for status, a := range o["responses"].(map[string]any) {
				a := a.(map[string]any)
				words, _ := a["description"].(string)
				if status == "400" {
					codes := []int{}
					for _, m := range codeRow.FindAllStringSubmatch(words, -1) {
						code, _ := strconv.Atoi(m[1])
						codes = append(codes, code)
					}
					a["x-codes"] = codes
				}
				if m := groupRow.FindStringSubmatch(words); m != nil && status == "429" {
					a["x-group"] = m[1]
				}
			}
			if paths[path] == nil {
				paths[path] = map[string]any{}
			}
			paths[path][method] = bare(o, false)
		}
	}
	version, _, _ := strings.Cut(whole.Info["description"].(string), "<br>")
	var out bytes.Buffer
	lines := func(of any) {
		value := reflect.ValueOf(of)
		keys := value.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for n, key := range keys {
			var one bytes.Buffer
			encoder := json.NewEncoder(&one)
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(value.MapIndex(key).Interface()); err != nil {
				t.Fatal(err)
			}
			name, _ := json.Marshal(key.String())
			out.Write(append(append(name, ':'), bytes.TrimSpace(one.Bytes())...))
			if n < len(keys)-1 {
				out.WriteByte(',')
			}
			out.WriteByte('\n')
		}
	}
	info, _ := json.Marshal(version)
	out.WriteString(`{"info":` + string(info) + `,"paths":{` + "\n")
	lines(paths)
	out.WriteString(`},"components":{"schemas":{` + "\n")
	lines(schemas)
	out.WriteString("}}}\n")
	return out.Bytes()
}

// The published contract is in SALDO_KSEF_CONTRACT or in ../shared/openapi beside the repository. A newer one shows here what it changes.
func TestPublished_IsWhatIsKept(t *testing.T) {
	path := os.Getenv("SALDO_KSEF_CONTRACT")
	if path == "" {
		path = filepath.Join("..", "..", "..", "..", "..", "shared", "openapi", "ksef-2.7.0.json")
	}
	t.Run("AgainstTheSchema", func(t *testing.T) {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Skip("the published contract is not here: set SALDO_KSEF_CONTRACT to the file")
		}
		now := kept(t, whole)
		if *update {
			if err := os.WriteFile("ksef-2.7.0.json", now, 0o600); err != nil {
				t.Fatal(err)
			}
			return
		}
		for _, change := range changes(published, now) {
			t.Error(change)
		}
	})
}

// changes lists the lines that one of two contracts has and the other has not.
func changes(before, after []byte) (found []string) {
	old, now := strings.Split(string(before), "\n"), strings.Split(string(after), "\n")
	head := func(line string) string { return line[:min(len(line), 300)] }
	for _, line := range old {
		if !slices.Contains(now, line) {
			found = append(found, "was: "+head(line))
		}
	}
	for _, line := range now {
		if !slices.Contains(old, line) {
			found = append(found, "is: "+head(line))
		}
	}
	return found
}

func TestChanges_AreNamed(t *testing.T) {
	newer := bytes.Replace(published, []byte(`"clientIp":{"type":"string"}`), []byte(`"clientIp":{"type":"string"},"country":{"type":"string"}`), 1)
	if found := changes(published, newer); len(found) != 2 || !strings.Contains(found[1], "AuthenticationChallengeResponse") {
		t.Errorf("%q", found)
	}
}

func TestPublished_HasWhatIsUsed(t *testing.T) {
	if len(used) != 37 {
		t.Errorf("%d operations", len(used))
	}
	if got := slices.Sorted(maps.Keys(Published().Operations)); !slices.Equal(got, used) {
		t.Errorf("%q", got)
	}
	for name, o := range Published().Operations {
		if method, path, _ := strings.Cut(name, " "); o.Limits.PerSecond == 0 || o.Responses["400"] == nil {
			t.Errorf("%s %s has no limits or no errors", method, path)
		}
	}
	o, values := Published().Find("GET", "/certificates/enrollments/data")
	if o == nil || o.Name != "GET /certificates/enrollments/data" || len(values) > 0 {
		t.Errorf("%+v %v", o, values)
	}
	if o, values = Published().Find("GET", "/sessions/A/invoices/B"); o == nil || values["referenceNumber"] != "A" || values["invoiceReferenceNumber"] != "B" {
		t.Errorf("%+v %v", o, values)
	}
	if o, _ = Published().Find("GET", "/sessions/A/B/C"); o != nil {
		t.Error(o.Name)
	}
}

// Each word of the contract refuses what breaks it.
func TestCheck_RefusesWhatBreaksAWord(t *testing.T) {
	for word, c := range map[string]struct{ schema, right, wrong string }{
		"type text":         {`{"type":"string"}`, `"a"`, `1`},
		"type integer":      {`{"type":"integer"}`, `1`, `1.5`},
		"type number":       {`{"type":"number"}`, `1.5`, `"1.5"`},
		"type boolean":      {`{"type":"boolean"}`, `true`, `"true"`},
		"type list":         {`{"type":"array","items":{"type":"string"}}`, `["a"]`, `"a"`},
		"type object":       {`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"a":"b"}`, `["a"]`},
		"$ref":              {`{"$ref":"#/components/schemas/Nip"}`, `"5260250274"`, `"0260250274"`},
		"allOf":             {`{"allOf":[{"$ref":"#/components/schemas/Nip"}]}`, `"5260250274"`, `"52602"`},
		"nullable":          {`{"allOf":[{"$ref":"#/components/schemas/Nip"}],"nullable":true}`, `null`, `"x"`},
		"not nullable":      {`{"type":"string"}`, `""`, `null`},
		"enum":              {`{"type":"string","enum":["A","B"]}`, `"A"`, `"C"`},
		"required":          {`{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}`, `{"a":""}`, `{}`},
		"unknown":           {`{"allOf":[{"$ref":"#/components/schemas/TokenInfo"}]}`, `{"token":"a","validUntil":"2026-11-19T10:00:00Z"}`, `{"token":"a","validUntil":"2026-11-19T10:00:00Z","more":1}`},
		"additional":        {`{"type":"object","additionalProperties":{"type":"string"}}`, `{"a":"b"}`, `{"a":1}`},
		"minLength":         {`{"type":"string","minLength":2}`, `"ąć"`, `"ą"`},
		"maxLength":         {`{"type":"string","maxLength":2}`, `"ąć"`, `"abc"`},
		"pattern":           {`{"type":"string","pattern":"^[0-9]+$"}`, `"12"`, `"1a"`},
		"minimum":           {`{"type":"integer","minimum":1}`, `1`, `0`},
		"exclusiveMinimum":  {`{"type":"integer","minimum":1,"exclusiveMinimum":true}`, `2`, `1`},
		"maximum":           {`{"type":"integer","maximum":5000000000}`, `5000000000`, `5000000001`},
		"int32":             {`{"type":"integer","format":"int32"}`, `2147483647`, `2147483648`},
		"int64":             {`{"type":"integer","format":"int64"}`, `9223372036854775807`, `9223372036854775808`},
		"items":             {`{"type":"array","items":{"type":"integer"}}`, `[1,2]`, `[1,"2"]`},
		"minItems":          {`{"type":"array","minItems":1}`, `[1]`, `[]`},
		"maxItems":          {`{"type":"array","maxItems":1}`, `[1]`, `[1,2]`},
		"maximum of a list": {`{"type":"array","maximum":1}`, `[1]`, `[1,2]`},
		"date-time":         {`{"type":"string","format":"date-time"}`, `"2025-07-11T12:23:56.0154302+00:00"`, `"2025-07-11 12:23:56"`},
		"date":              {`{"type":"string","format":"date"}`, `"2025-07-11"`, `"11.07.2025"`},
		"byte":              {`{"type":"string","format":"byte"}`, `"YQ=="`, `"YQ"`},
		"uri":               {`{"type":"string","format":"uri"}`, `"https://example.com/a"`, `"/a"`},
	} {
		var s schema
		if err := json.Unmarshal([]byte(c.schema), &s); err != nil {
			t.Fatal(word, err)
		}
		for text, broken := range map[string]bool{c.right: false, c.wrong: true} {
			value, err := decoded([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if got := Published().check(&s, value, ""); (len(got) > 0) != broken {
				t.Errorf("%s: %s: %q", word, text, got)
			}
		}
	}
	if _, err := Parse([]byte(`{"components":{"schemas":{"A":{"oneOf":[]}}}}`)); err == nil {
		t.Error("a word that is not checked is read")
	}
}

func TestOperation_ChecksCallsAndAnswers(t *testing.T) {
	o, path := Published().Find("POST", "/invoices/query/metadata")
	call := func(query, content, kind, token string) []string {
		r := httptest.NewRequest(http.MethodPost, "/invoices/query/metadata"+query, nil)
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Authorization", token)
		return o.Request(r, []byte(content), path)
	}
	const good = `{"subjectType":"Subject1","dateRange":{"dateType":"Issue","from":"2026-11-01T00:00:00Z"}}`
	if got := call("?pageSize=10&sortOrder=Asc", good, "application/json", "Bearer x"); len(got) > 0 {
		t.Errorf("%q", got)
	}
	for why, got := range map[string][]string{
		"page": call("?pageSize=5", good, "application/json", "Bearer x"), "words": call("?pageSize=ten", good, "application/json", "Bearer x"),
		"unknown": call("?size=10", good, "application/json", "Bearer x"), "token": call("", good, "application/json", ""),
		"type": call("", good, "text/plain", "Bearer x"), "twice": call("?pageSize=10&pageSize=11", good, "application/json", "Bearer x"),
		"body": call("", `{"subjectType":"Subject9"}`, "application/json", "Bearer x"), "JSON": call("", `{`, "application/json", "Bearer x"),
	} {
		if len(got) == 0 {
			t.Errorf("%s is let through", why)
		}
	}
	kind := http.Header{"Content-Type": {"application/json"}}
	for status, content := range map[int]string{418: "", 200: `{"hasMore":false}`, 429: `{"status":{"code":429,"description":"","details":[]}}`,
		400: `{"exception":{"exceptionDetailList":[{"exceptionCode":25001}]}}`} {
		if len(o.Answer(status, kind, []byte(content))) == 0 {
			t.Errorf("%d is let through", status)
		}
	}
	if got := o.Answer(400, kind, []byte(`{"exception":{"exceptionDetailList":[{"exceptionCode":21183}]}}`)); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

func TestUnread_NamesFieldsThatAreGone(t *testing.T) {
	type answer struct {
		Challenge string `json:"challenge"`
		Millis    int64  `json:"timestampMs"`
	}
	shape := reflect.TypeFor[answer]()
	if gone := Published().Unread("POST /auth/challenge", 200, shape); len(gone) > 0 {
		t.Errorf("%q", gone)
	}
	without, err := Parse(bytes.ReplaceAll(published, []byte(`"timestampMs":`), []byte(`"timestampMilliseconds":`)))
	if err != nil {
		t.Fatal(err)
	}
	if gone := without.Unread("POST /auth/challenge", 200, shape); len(gone) != 1 {
		t.Errorf("%q", gone)
	}
	if gone := without.Unread("POST /auth/former", 200, shape); len(gone) != 1 {
		t.Errorf("%q", gone)
	}
}
