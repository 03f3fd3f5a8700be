package query

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// Both engines put every day of forty years into the ISO week that the library of Go puts it into.
func TestWeeks_AreISOWeeksOnBothEngines(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Read(t, d, access.Program("test"), func(tx *db.Tx) error {
			for day := time.Date(1999, 12, 20, 0, 0, 0, 0, time.UTC); day.Year() < 2040; {
				marks, days := []string{}, []any{}
				for range 1000 {
					days, day = append(days, day.Format(time.DateOnly)), day.AddDate(0, 0, 1)
					marks = append(marks, fmt.Sprintf("($%d)", len(days)))
				}
				found, err := db.Select[struct {
					Day   string
					Weeks int64
				}](tx.Across(), `SELECT v.column1 AS day, `+weekOf("v.column1")+` AS weeks FROM (VALUES `+strings.Join(marks, ", ")+`) v`, days...)
				if err != nil {
					return err
				}
				for _, f := range found {
					at, err := time.Parse(time.DateOnly, f.Day)
					if err != nil {
						return err
					}
					year, week := at.ISOWeek()
					if got, want := weekCode(f.Weeks), fmt.Sprintf("%d-W%02d", year, week); got != want {
						t.Fatalf("%s is in %s, not %s", f.Day, got, want)
					}
				}
			}
			return nil
		})
	})
}
