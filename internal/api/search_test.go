package api_test

import (
	"fmt"
	"net/url"
	"testing"
)

type foundSeen struct {
	Drivers     []struct{ ID, FirstName, LastName string }
	Settlements []struct {
		ID, DriverID, State string
		Number              int64
	}
	Files []struct{ ID, FileName string }
}

// A search finds drivers by their names, settlements by number and by driver, and nothing of another partner.
func TestSearch_FindsDriversAndSettlements(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.addDriver(t, "partner", driverOf("Żółkiewski"))
		w.earns(t, driver, 900_00)
		settlement := w.settledOf(t, driver)
		asked := func(who, query string) (f foundSeen) {
			t.Helper()
			if status, text := w.call(t, who, "GET", "/api/search?q="+url.QueryEscape(query), nil, &f); status != 200 {
				t.Fatalf("%d %s", status, text)
			}
			if f.Drivers == nil || f.Settlements == nil || f.Files == nil {
				t.Errorf("%q: a list is null", query)
			}
			return f
		}
		byName := asked("partner", "zolkiew")
		if len(byName.Drivers) != 1 || byName.Drivers[0].ID != driver || len(byName.Settlements) != 1 || byName.Settlements[0].ID != settlement {
			t.Errorf("by name: %+v", byName)
		}
		if byNumber := asked("partner", fmt.Sprint("#", byName.Settlements[0].Number)); len(byNumber.Settlements) != 1 ||
			byNumber.Settlements[0].ID != settlement {
			t.Errorf("by number: %+v", byNumber)
		}
		if none := asked("partner", "  "); len(none.Drivers)+len(none.Settlements)+len(none.Files) != 0 {
			t.Errorf("spaces: %+v", none)
		}
		if sign := asked("partner", "%"); len(sign.Drivers)+len(sign.Settlements)+len(sign.Files) != 0 {
			t.Errorf("a sign of SQL is a sign like any other: %+v", sign)
		}
		if other := asked("other", "zolkiew"); len(other.Drivers)+len(other.Settlements) != 0 {
			t.Errorf("another partner's: %+v", other)
		}
	})
}
