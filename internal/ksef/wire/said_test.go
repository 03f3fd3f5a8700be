package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"saldo/internal/testkit/ksefd"
	"saldo/internal/testkit/ksefd/contract"
)

func TestSaid_HasItsKind(t *testing.T) {
	for _, c := range []struct {
		said Said
		want Kind
	}{
		{Said{}, Again}, {Said{HTTP: 500}, Again}, {Said{HTTP: 502}, Again}, {Said{HTTP: 302}, Again}, {Said{HTTP: 410}, Again},
		{Said{HTTP: 408}, Again}, {Said{HTTP: 200, Reason: reasonUnreadable}, Again}, {Said{HTTP: 200, Reason: reasonHash}, Again},
		{Said{HTTP: 200, Reason: reasonTooLarge}, Refused},
		{Said{HTTP: 429, After: time.Minute}, Later}, {Said{HTTP: 503, After: time.Minute}, Later},
		{Said{HTTP: 401}, SignIn}, {Said{HTTP: 403, Reason: "missing-permissions"}, People}, {Said{HTTP: 403}, People},
		{Said{HTTP: 404}, Refused}, {Said{HTTP: 400}, Refused}, {Said{HTTP: 400, Codes: []int{99999}}, Refused}, {Said{HTTP: 413}, Refused},
		{Said{HTTP: 400, Codes: []int{99999, 21470}}, Keys},
	} {
		if got := c.said.Kind(); got != c.want {
			t.Errorf("%v is %s, not %s", &c.said, got, c.want)
		}
	}
	for want, all := range map[Kind][]int{
		Refused: {9101, 9102, 9103, 21001, 21157, 21161, 21164, 21166, 21167, 21181, 21217, 21401, 21402, 21403, 21405, 21418, 25003, 25004, 25010,
			25011, 30001, 71001, 71002},
		People: {9105, 21115, 21117, 21308, 21406, 25001, 25002, 25006, 25007},
		SignIn: {21111, 21301, 21304},
		Keys:   {21470},
		Again:  {21155, 21173, 21175, 21180, 21205, 21208, 25005},
		Later:  {21165, 21182, 21183},
	} {
		for _, code := range all {
			if got := (&Said{HTTP: 400, Codes: []int{code}}).Kind(); got != want {
				t.Errorf("%d is %s, not %s", code, got, want)
			}
		}
	}
}

// Each code that the contract names for what Saldo calls was thought of.
func TestCodes_AreAllOfTheContract(t *testing.T) {
	named := map[int]bool{}
	for _, o := range contract.Published().Operations {
		for _, code := range o.Responses["400"].Codes {
			if named[code] = true; codes[code] == "" {
				t.Errorf("%s answers %d", o.Name, code)
			}
		}
	}
	for code := range codes {
		if !named[code] {
			t.Errorf("the contract does not have %d", code)
		}
	}
	if len(codes) < 30 {
		t.Errorf("%d codes", len(codes))
	}
}

func TestStatus_HasItsKind(t *testing.T) {
	for thing, all := range map[Thing]map[Kind][]int{
		OfSignIn:     {running: {100}, done: {200}, People: {415, 450, 460, 470, 480}, SignIn: {425}, Again: {500, 550}},
		OfOnline:     {running: {100, 170}, done: {200}, Keys: {415}, Again: {440, 500}, Refused: {445}},
		OfBatch:      {running: {100, 150}, done: {200}, Keys: {415}, Again: {405, 435, 440, 500, 550}, Refused: {420, 430, 445}},
		OfInvoice:    {running: {100, 150}, done: {200}, People: {410, 415}, Again: {405, 500, 550}, Refused: {430, 435, 440, 450, 999}},
		OfExport:     {running: {100}, done: {200}, Keys: {415}, Later: {420}, Again: {210, 500, 550}},
		OfPermission: {running: {100}, done: {200}, People: {420, 430}, Refused: {400, 410, 440, 450}, Again: {500, 550}},
		OfEnrolment:  {running: {100}, done: {200}, Refused: {400}, Again: {500, 550}},
	} {
		for want, some := range all {
			for _, code := range some {
				s := Status{Code: code}
				if got := s.kind(thing); got != want {
					t.Errorf("%s %d is %s, not %s", thing, code, got, want)
				}
				if err := s.Err(thing); want == running || want == done {
					if err != nil || s.Running(thing) != (want == running) {
						t.Errorf("%s %d: %v", thing, code, err)
					}
				} else if KindOf(err) != want || !Has(err, code) || s.Running(thing) {
					t.Errorf("%s %d: %v", thing, code, err)
				}
			}
		}
	}
	if KindOf(errors.New("x")) != "" || Has(errors.New("x"), 100) {
		t.Error("what is not KSeF's has a kind")
	}
}

// What KSeF says may name people; its codes do not.
func TestErrors_NameNobody(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	for _, f := range []ksefd.Fault{{Status: 400, Codes: []int{21405}}, {Status: 401}, {Status: 403, Reason: "missing-permissions"},
		{Status: 403, Reason: "Jan Kowalski"}, {Status: 429, Retry: 50 * time.Minute}, {Status: 500}, {Status: 410}, {Cut: true},
		{Status: 302, Location: "https://elsewhere.example.com/?pesel=44051401359"}} {
		s.Script(f)
		_, err := of.Rights(ctx)
		got := answered(t, err)
		for _, text := range []string{err.Error(), fmt.Sprintf("%v %s", err, err)} {
			for _, never := range []string{"Kowalski", "44051401359", of.Access, "example.com", string(fleet)} {
				if strings.Contains(text, never) {
					t.Errorf("%s has %s", text, never)
				}
			}
		}
		if f.Status == 400 && (len(got.Words) == 0 || got.Trace == "" || !Has(err, 21405)) {
			t.Errorf("%+v", got)
		}
		if f.Status == 429 && (got.After != 50*time.Minute || got.Kind() != Later) {
			t.Errorf("%+v", got)
		}
		if f.Reason == "missing-permissions" && got.Reason != f.Reason {
			t.Errorf("%+v", got)
		}
	}
	s.Script(ksefd.Fault{On: "POST /auth/challenge", Cut: true})
	if _, err := c.Challenge(ctx); strings.Contains(err.Error(), "http") && !strings.HasPrefix(err.Error(), "ksef: no answer") {
		t.Error(err)
	}
}

func TestRetryAfter(t *testing.T) {
	for text, want := range map[string]time.Duration{"30": 30 * time.Second, "": time.Minute, "-1": time.Minute, "soon": time.Minute, "999999999": 24 * time.Hour} {
		if got := retryAfter(text); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// An error that KSeF writes in its former form is read too.
func TestFailure_IsReadInEitherForm(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	err := of.call(ctx, request{method: http.MethodGet, path: at("sessions", strings.Repeat("x", 36)), group: "sessionMisc",
		header: map[string]string{"X-Error-Format": "former"}}, nil)
	if !Has(err, 21173) || len(answered(t, err).Words) == 0 {
		t.Error(err)
	}
	if b := s.Breaches(); len(b) > 0 {
		t.Errorf("%q", b)
	}
}

// shapes are what is read of answers (by their status) and written in calls (0).
var shapes = map[string]map[int]any{
	"POST /auth/challenge":                                              {200: Challenge{}},
	"POST /auth/xades-signature":                                        {202: begun{}},
	"POST /auth/ksef-token":                                             {0: tokenSignIn{}, 202: begun{}},
	"GET /auth/{referenceNumber}":                                       {200: stated{}},
	"POST /auth/token/redeem":                                           {200: redeemed{}},
	"POST /auth/token/refresh":                                          {200: refreshed{}},
	"GET /security/public-key-certificates":                             {200: []publicKey{}},
	"POST /sessions/online":                                             {0: onlineOpening{}, 201: opened{}},
	"POST /sessions/online/{referenceNumber}/invoices":                  {0: invoiceSending{}, 202: referenced{}},
	"POST /sessions/batch":                                              {0: batchOpening{}, 201: batchOpened{}},
	"GET /sessions/{referenceNumber}":                                   {200: sessionAnswer{}},
	"GET /sessions/{referenceNumber}/invoices":                          {200: invoicesAnswer{}},
	"GET /sessions/{referenceNumber}/invoices/{invoiceReferenceNumber}": {200: Sent{}},
	"POST /invoices/exports":                                            {0: exportRequest{}, 201: referenced{}},
	"GET /invoices/exports/{referenceNumber}":                           {200: exportAnswer{}},
	"POST /invoices/query/metadata":                                     {0: exportFilters{}, 200: metadataAnswer{}},
	"POST /collective-identifiers":                                      {0: collectRequest{}, 201: collectAnswer{}},
	"POST /permissions/query/authorizations/grants":                     {0: grantsRequest{}, 200: grantsAnswer{}},
	"POST /permissions/query/personal/grants":                           {0: rightsRequest{}, 200: rightsAnswer{}},
	"GET /certificates/limits":                                          {200: certificateLimits{}},
	"GET /certificates/enrollments/data":                                {200: Owner{}},
	"POST /certificates/enrollments":                                    {0: enrolRequest{}, 202: referenced{}},
	"GET /certificates/enrollments/{referenceNumber}":                   {200: enrolmentAnswer{}},
	"POST /certificates/retrieve":                                       {0: retrieveRequest{}, 200: retrieveAnswer{}},
	"POST /certificates/query":                                          {0: certificatesRequest{}, 200: certificatesAnswer{}},
}

// unshaped are calls without JSON to read, and those that tests alone make.
var unshaped = []string{"DELETE /auth/sessions/current", "POST /sessions/online/{referenceNumber}/close", "POST /sessions/batch/{referenceNumber}/close",
	"GET /sessions/{referenceNumber}/invoices/{invoiceReferenceNumber}/upo", "GET /invoices/ksef/{ksefNumber}", "GET /rate-limits", "GET /limits/context",
	"POST /testdata/person", "POST /testdata/rate-limits/production", "POST /permissions/authorizations/grants",
	"DELETE /permissions/authorizations/grants/{permissionId}", "GET /permissions/operations/{referenceNumber}"}

func TestShapes_AreInTheContract(t *testing.T) {
	for name, all := range shapes {
		for status, shape := range all {
			for _, gone := range contract.Published().Unread(name, status, reflect.TypeOf(shape)) {
				t.Error(gone)
			}
		}
	}
	for _, form := range []string{"POST /sessions/online", "GET /sessions/{referenceNumber}"} {
		for _, gone := range contract.Published().Unread(form, 400, reflect.TypeFor[struct {
			Exception *struct {
				List []struct {
					Code        int      `json:"exceptionCode"`
					Description string   `json:"exceptionDescription"`
					Details     []string `json:"details"`
				} `json:"exceptionDetailList"`
			} `json:"exception"`
		}]()) {
			t.Error(gone)
		}
	}
	if n := len(shapes) + len(unshaped); n != len(contract.Published().Operations) {
		t.Errorf("%d of %d operations are looked at", n, len(contract.Published().Operations))
	}
}

// Whatever field leaves the contract, the test above fails.
func TestShapes_MissEachFieldThatIsGone(t *testing.T) {
	kept, err := os.ReadFile(filepath.Join("..", "..", "testkit", "ksefd", "contract", "ksef-2.7.0.json"))
	good(t, err)
	type place struct {
		name   string
		status int
	}
	read := map[string][]place{}
	for name, all := range shapes {
		for status, shape := range all {
			for _, field := range fields(reflect.TypeOf(shape)) {
				read[field] = append(read[field], place{name, status})
			}
		}
	}
	for field, places := range read {
		var file any
		good(t, json.Unmarshal(kept, &file))
		forget(file, field)
		changed, err := json.Marshal(file)
		good(t, err)
		without, err := contract.Parse(changed)
		good(t, err)
		for _, p := range places {
			if gone := without.Unread(p.name, p.status, reflect.TypeOf(shapes[p.name][p.status])); len(gone) == 0 {
				t.Errorf("%s %d is read without %s", p.name, p.status, field)
			}
		}
	}
	if len(read) < 50 {
		t.Errorf("%d fields", len(read))
	}
}

// forget takes a field away from all objects of a contract.
func forget(part any, field string) {
	switch part := part.(type) {
	case []any:
		for _, one := range part {
			forget(one, field)
		}
	case map[string]any:
		if properties, is := part["properties"].(map[string]any); is {
			delete(properties, field)
		}
		for _, one := range part {
			forget(one, field)
		}
	}
}

// fields are the names of all fields that a type has in JSON.
func fields(shape reflect.Type) (names []string) {
	switch {
	case shape == reflect.TypeFor[time.Time](), shape.Kind() != reflect.Struct && shape.Kind() != reflect.Slice && shape.Kind() != reflect.Pointer:
		return nil
	case shape.Kind() != reflect.Struct:
		return fields(shape.Elem())
	}
	for n := range shape.NumField() {
		field := shape.Field(n)
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "-" && name != "" {
			names = append(names, name)
		}
		names = append(names, fields(field.Type)...)
	}
	return names
}

// An answer without what KSeF must give is none.
func TestClient_NeedsWhatKSeFMustGive(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	e := envelope(t, s, of)
	for name, call := range map[string]func() error{
		"POST /auth/challenge":       func() error { _, err := c.Challenge(ctx); return err },
		"POST /sessions/online":      func() error { _, _, err := of.OpenOnline(ctx, e); return err },
		"POST /invoices/exports":     func() error { _, err := of.Export(ctx, e, Range{Role: Buyer, From: s.Now()}); return err },
		"POST /auth/token/redeem":    func() error { _, err := c.SignIn(ctx, fleet, seal(t, fleet)); return err },
		"POST /auth/xades-signature": func() error { _, err := c.SignIn(ctx, fleet, seal(t, fleet)); return err },
		"POST /auth/token/refresh":   func() error { _, err := c.Refresh(ctx, Tokens{Refresh: "a"}); return err },
	} {
		s.Script(ksefd.Fault{On: name, Empty: true})
		if err := call(); KindOf(err) != Again || answered(t, err).Reason != reasonUnreadable {
			t.Errorf("%s: %v", name, err)
		}
	}
	of.API = "http://" + strings.TrimPrefix(of.API, "https://")
	if _, err := of.Rights(ctx); !errors.Is(err, errAddress) {
		t.Error(err)
	}
}
