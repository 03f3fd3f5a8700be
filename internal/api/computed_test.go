package api_test

import (
	"fmt"
	"regexp"
	"sync"
	"testing"
)

// openRows is the statement that reads the rows of which pending settlements are computed: of the drivers among its arguments.
var openRows = regexp.MustCompile(`t\.span_to FROM drivers d\s`)

// From settling all drivers to the bank's file each driver is computed at most twice: for the preview and for the settlement.
func TestSettleAllToTheBankFile_ComputesEachDriverTwice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.pays(t)
		drivers := []string{}
		for i := range 12 {
			driver := w.addDriver(t, "partner", with(driverOf(fmt.Sprint("Computed", i)), "iban", polishIBAN, "taxId", "1132191233"))
			w.earns(t, driver, 1_800_00)
			drivers = append(drivers, driver)
		}
		var mutex sync.Mutex
		computed := map[string]int{}
		w.app.DB().Observe(func(text string, args []any) {
			if !openRows.MatchString(text) {
				return
			}
			mutex.Lock()
			defer mutex.Unlock()
			seen := map[string]bool{} // a list is filled up with its last member
			for _, arg := range args {
				if driver, ok := arg.(string); ok && !seen[driver] {
					seen[driver] = true
					computed[driver]++
				}
			}
		})
		var run struct{ ID string }
		if status, text := w.call(t, "partner", "POST", "/api/settlement-runs", map[string]any{"period": "2026-W44"}, &run); status != 201 {
			t.Fatalf("%d %s", status, text)
		}
		var started struct{ State string }
		if status, text := w.call(t, "partner", "POST", "/api/settlement-runs/"+run.ID+"/start", map[string]any{"share": true}, &started); status != 202 ||
			started.State != "done" {
			t.Fatalf("%d %s", status, text)
		}
		n := w.batched(t)
		w.must(t, 200, "partner", "GET", fmt.Sprint(batchesPath, "/", n, "/file"), nil)
		w.app.DB().Observe(func(string, []any) {})
		for _, driver := range drivers {
			if computed[driver] != 2 {
				t.Errorf("driver %s was computed %d times", driver, computed[driver])
			}
		}
	})
}
