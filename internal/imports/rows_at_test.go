package imports_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"saldo/internal/imports"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

func (w *fixture) rowsFrom(t testing.TB, id string, from imports.RowsFrom, limit int) (page imports.RowPage) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { page, err = imports.RowsOf(tx, id, from, limit); return err })
	return page
}

// Every row of a file, whose ever it is, is on the page that is asked for at it, with the rows around it in the order of the file.
func TestRowsOf_AtARowContainTheRow(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		var content strings.Builder
		content.WriteString(head)
		for n := range 40 {
			who := "oleh@example.com"
			if n%3 == 1 {
				who = "ghost"
			}
			content.WriteString(row("2026-11-02", who, "", "TRIP", fmt.Sprint(n+1), ""))
		}
		i := w.bring(t, "1.csv", content.String(), imports.Order{})
		all := w.rowsFrom(t, i.ID, imports.RowsFrom{}, 200)
		if len(all.Rows) != 40 || all.Before || all.Next != "" {
			t.Fatalf("%d rows, before %v, next %q", len(all.Rows), all.Before, all.Next)
		}
		for _, limit := range []int{1, 3, 10, 200} {
			for n, one := range all.Rows {
				page := w.rowsFrom(t, i.ID, imports.RowsFrom{At: one.ID}, limit)
				above := min(n, 5, limit-1)
				first := n - above
				if want := all.Rows[first:min(first+limit, 40)]; !slices.Equal(page.Rows, want) || page.Before != (first > 0) {
					t.Fatalf("%d at row %d, which is %d: before %v, %+v", limit, n, one.SourceRow, page.Before, page.Rows)
				}
				if next := w.rowsFrom(t, i.ID, imports.RowsFrom{After: page.Next}, limit); page.Next != "" && next.Rows[0].ID != all.Rows[first+limit].ID {
					t.Errorf("%d at row %d goes on with %+v", limit, n, next.Rows[0])
				}
			}
		}
		if page := w.rowsFrom(t, i.ID, imports.RowsFrom{At: "of another file"}, 10); !slices.Equal(page.Rows, all.Rows[:10]) || page.Before {
			t.Errorf("at a row that is not there: %+v", page)
		}
	})
}

// A settled row keeps the file that brought it: its page lists the row also after the file was removed.
func TestRowsOf_ARemovedFileListsWhatIsSettled(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		content := head + row("2026-11-02", "oleh@example.com", "", "TRIP", "1", "")
		first := w.bring(t, "1.csv", content, imports.Order{})
		w.bring(t, "2.csv", content+"\n", imports.Order{})
		w.settleAll(t, "s-1")
		id := w.rowsFrom(t, first.ID, imports.RowsFrom{}, 10).Rows[0].ID
		w.remove(t, first.ID)
		if page := w.rowsFrom(t, first.ID, imports.RowsFrom{At: id}, 10); len(page.Rows) != 1 || page.Rows[0].ID != id {
			t.Errorf("%+v", page)
		}
	})
}
