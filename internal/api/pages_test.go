package api_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
)

// A page or a size so far away that counting to it overflows is a wrong field of the request, whichever list is asked for.
func TestNoPageIsTooFarAway(t *testing.T) {
	w := newWorld(t, "sqlite")
	text, err := w.router.Contract()
	if err != nil {
		t.Fatal(err)
	}
	type parameter struct {
		Ref      string `json:"$ref"`
		Name, In string
	}
	var contract struct {
		Paths      map[string]map[string]struct{ Parameters []parameter }
		Components struct{ Parameters map[string]parameter }
	}
	if err := json.Unmarshal(text, &contract); err != nil {
		t.Fatal(err)
	}
	asked := 0
	for path, operations := range contract.Paths {
		for _, p := range operations["get"].Parameters {
			if p.Ref != "" {
				p = contract.Components.Parameters[strings.TrimPrefix(p.Ref, "#/components/parameters/")]
			}
			if p.In != "query" || p.Name != "page" && p.Name != "size" && p.Name != "limit" {
				continue
			}
			asked++
			path := strings.ReplaceAll(path, "{id}", "nobody")
			for _, number := range []int64{math.MaxInt64, math.MaxInt64 - 1, math.MaxInt64 / 50, 0, -1, math.MinInt64} {
				status, answer := w.call(t, "partner", "GET", fmt.Sprintf("%s?%s=%d", path, p.Name, number), nil, nil)
				if status != http.StatusUnprocessableEntity || !strings.Contains(answer, fmt.Sprintf(`"name":%q`, p.Name)) {
					t.Errorf("%s, %s %d: %d %s", path, p.Name, number, status, answer)
				}
			}
		}
	}
	if asked < 16 {
		t.Errorf("%d lists were asked for", asked)
	}
}
