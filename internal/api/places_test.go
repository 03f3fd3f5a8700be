package api_test

import (
	"fmt"
	"strings"
	"testing"

	"saldo/internal/kernel/money"
)

type placeSeen struct {
	Previous, Next  *struct{ ID, DriverID, FirstName, LastName string }
	Position, Total int64
}

// String is the place in short: who is before, the position of how many, who is after.
func (p placeSeen) String() string {
	before, after := "-", "-"
	if p.Previous != nil {
		before = p.Previous.LastName
	}
	if p.Next != nil {
		after = p.Next.LastName
	}
	return fmt.Sprintf("%s %d/%d %s", before, p.Position, p.Total, after)
}

func (w *world) place(t *testing.T, path string) (p placeSeen) {
	t.Helper()
	if status, text := w.call(t, "partner", "GET", path, nil, &p); status != 200 {
		t.Fatalf("%s: %d %s", path, status, text)
	}
	return p
}

// Going on through a list reaches exactly what the list shows, in its order, whatever filter and order it has.
func TestAPlaceInAListAgreesWithTheList(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		settled := map[string]string{}
		// equal amounts and equal names, so that the second column of the order decides
		for i, name := range []string{"Ba", "Ab", "Ca", "Ab", "Da"} {
			driver := w.silentDriver(t, "partner", name)
			w.earns(t, driver, money.Amount(1000_00+i%2*500_00))
			w.must(t, 202, "partner", "POST", "/api/settlement-runs/"+w.shownRun(t, driver)+"/start", map[string]any{"share": true})
			settled[name] = driver
		}
		for _, query := range []string{"state=settled", "state=settled&sort=number&descending=true", "sort=name", "sort=name&descending=true", "sort=payout",
			"sort=payout&descending=true", "sort=revenue&descending=true", "query=ab", "state=paid", "state=settled&query=a&sort=payout"} {
			var list struct {
				Items []struct{ ID, DriverID, LastName string }
			}
			w.call(t, "partner", "GET", "/api/settlements?"+query, nil, &list)
			for i, one := range list.Items {
				p := w.place(t, "/api/settlements/"+one.ID+"/place?"+query)
				if p.Position != int64(i+1) || p.Total != int64(len(list.Items)) || (p.Previous == nil) != (i == 0) || (p.Next == nil) != (i == len(list.Items)-1) ||
					p.Previous != nil && p.Previous.ID != list.Items[i-1].ID ||
					p.Next != nil && (p.Next.ID != list.Items[i+1].ID || p.Next.DriverID != list.Items[i+1].DriverID) {
					t.Errorf("%s: %d is at %s", query, i, p)
				}
			}
		}
		for _, query := range []string{"", "sort=-name", "sort=createdAt", "sort=-createdAt", "q=ab", "state=inactive", "missing=iban"} {
			list, _ := w.listed(t, "?"+query)
			for i, one := range list.Drivers {
				p := w.place(t, driversPath+"/"+one.ID+"/place?"+query)
				if p.Position != int64(i+1) || p.Total != list.Total || (p.Previous == nil) != (i == 0) || (p.Next == nil) != (i == len(list.Drivers)-1) ||
					p.Previous != nil && p.Previous.ID != list.Drivers[i-1].ID || p.Next != nil && p.Next.ID != list.Drivers[i+1].ID {
					t.Errorf("%s: %d is at %s", query, i, p)
				}
			}
		}
	})
}

// What leaves a list while it is open keeps its neighbours: revoked, paid, blocked, merged, or out of a search.
func TestWhatLeftAListStillHasItsNeighbours(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ids := map[string]string{}
		for _, name := range []string{"Ab", "Ba", "Ca"} {
			ids[name] = w.silentDriver(t, "partner", name)
			w.earns(t, ids[name], 1000_00)
			w.must(t, 202, "partner", "POST", "/api/settlement-runs/"+w.shownRun(t, ids[name])+"/start", map[string]any{"share": true})
		}
		var list struct {
			Items []struct{ ID, LastName string }
		}
		w.call(t, "partner", "GET", "/api/settlements?state=settled&sort=name", nil, &list)
		middle := "/api/settlements/" + list.Items[1].ID + "/place?state=settled&sort=name"
		if p := w.place(t, middle).String(); p != "Ab 2/3 Ca" {
			t.Errorf("before: %s", p)
		}
		w.must(t, 200, "partner", "POST", "/api/settlements/revoke", map[string]any{"ids": []string{list.Items[1].ID}, "reason": "wrong file"})
		if p := w.place(t, middle).String(); p != "Ab 0/2 Ca" {
			t.Errorf("revoked: %s", p)
		}
		driver := driversPath + "/" + ids["Ba"] + "/place"
		if p := w.place(t, driver).String(); p != "Ab 2/3 Ca" {
			t.Errorf("driver: %s", p)
		}
		if p := w.place(t, driver+"?q=ca").String(); p != "- 0/1 Ca" {
			t.Errorf("out of the search: %s", p)
		}
		w.merge(t, ids["Ca"], ids["Ba"])
		if p := w.place(t, driver).String(); p != "Ab 0/2 Ca" {
			t.Errorf("merged: %s", p)
		}
		for _, nobody := range []string{"/api/settlements/nobody/place", driversPath + "/nobody/place"} {
			if text := w.must(t, 404, "partner", "GET", nobody, nil); !strings.Contains(text, "not_found") {
				t.Error(text)
			}
		}
	})
}
