package ksefd

import (
	"net/http"
	"strings"
	"testing"
)

// answered gives the status of an answer and how often the contract was broken.
func answered(t *testing.T, s *Server, method, address, body string) (status, breaches int) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, len(s.Breaches())
}

func TestServer_NamesWhatBreaksTheContract(t *testing.T) {
	s := New(t)
	for _, c := range []struct {
		method, address, body string
		status, breaches      int
	}{
		{"POST", API + "/auth/challenge", "", 200, 0},
		{"POST", API + "/auth/challenge", "{}", 400, 2}, // and the answer has a code that this call cannot have
		{"GET", API + "/rate-limits", "", 401, 1},
		{"GET", API + "/unknown", "", 404, 1},
		{"PATCH", API + "/auth/challenge", "", 404, 1},
		{"POST", API + "/testdata/person", `{"nip":"5260250274"}`, 400, 3},
		{"POST", API + "/testdata/person", `{"nip":"5260250274","pesel":"44051401359","isBailiff":false,"description":"Kierowca"}`, 200, 0},
		{"POST", API + "/testdata/person", `{"nip":"5260250274","pesel":"44051401359","isBailiff":false,"description":"Kierowca"}`, 400, 0},
		{"GET", "https://elsewhere.example.com/", "", 404, 1},
		{"GET", "https://" + storageHost + "/storage/unknown", "", 403, 0},
		{"GET", Lighthouse + "/status", "", 200, 0},
		{"GET", Lighthouse + "/unknown", "", 404, 0},
	} {
		if status, breaches := answered(t, s, c.method, c.address, c.body); status != c.status || breaches != c.breaches {
			t.Errorf("%s %s %s: %d with %d breaches", c.method, c.address, c.body, status, breaches)
		}
	}
}

func TestWithSum_IsThatOfKSeF(t *testing.T) {
	for _, number := range []string{"5265877635-20250826-0100001AF629-AF"} {
		if got := withSum(number[:32]); got != number {
			t.Error(got)
		}
	}
}
