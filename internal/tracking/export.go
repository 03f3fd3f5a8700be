package tracking

import (
	"fmt"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/spreadsheet"
)

// Export is a list as a file, in somebody's words.
type Export struct {
	Filter   Filter
	Kind     Kind
	Language i18n.Language
	Zone     *time.Location
}

var heads = map[Kind][]string{
	OfTrip: {"day", "from", "to", "startPlace", "endPlace", "amount", "payment", "photo", "settlement", "refused"},
	OfTime: {"start", "end", "breakMinutes", "minutes", "mileageStart", "mileageEnd", "plate", "note", "photos", "refused"},
}

// Heads are the heads of the columns.
func (e Export) Heads() []string {
	list := []string{i18n.Of(e.Language, "driver-fields:lastName"), i18n.Of(e.Language, "driver-fields:firstName")}
	for _, head := range heads[e.Kind] {
		list = append(list, i18n.Of(e.Language, "exports:tracking."+head))
	}
	return list
}

// Name is the name of the sheet.
func (e Export) Name() string { return i18n.Of(e.Language, "exports:tracking.name_"+string(e.Kind)) }

// FileName is what the file is saved as.
func (e Export) FileName(now time.Time, format spreadsheet.Format) string {
	return fmt.Sprintf("%s-%s.%s", tableOf(e.Kind), calendar.DateOf(now, e.Zone, 0), format)
}

// Write writes all rows, the newest first.
func (e Export) Write(tx *db.Tx, to spreadsheet.Sheet) error {
	for f := e.Filter; ; f.Page++ {
		f.Page = max(1, f.Page)
		n, err := e.page(tx, f, to)
		if err != nil || n < PageMax {
			return err
		}
	}
}

func (e Export) page(tx *db.Tx, f Filter, to spreadsheet.Sheet) (int, error) {
	yes := func(on bool) spreadsheet.Cell {
		return spreadsheet.Text(i18n.Of(e.Language, map[bool]string{true: "exports:tracking.yes", false: "exports:tracking.no"}[on]))
	}
	if e.Kind == OfTrip {
		items, _, err := Trips(tx, f)
		for i := range items {
			t := &items[i]
			number := ""
			if t.SettlementNumber > 0 {
				number = fmt.Sprint(t.SettlementNumber)
			}
			if err := to.Row([]spreadsheet.Cell{spreadsheet.Text(t.LastName), spreadsheet.Text(t.FirstName), spreadsheet.Day(t.OccurredOn),
				spreadsheet.Text(t.StartAt), spreadsheet.Text(t.EndAt), spreadsheet.Text(t.StartPlace), spreadsheet.Text(t.EndPlace),
				spreadsheet.Amount(t.Amount), spreadsheet.Text(i18n.Of(e.Language, "exports:tracking."+string(t.Payment))), yes(t.Photo),
				spreadsheet.Text(number), spreadsheet.Text(t.RefuseReason)}); err != nil {
				return 0, err
			}
		}
		return len(items), err
	}
	items, _, err := Times(tx, f)
	for i := range items {
		t := &items[i]
		if err := to.Row([]spreadsheet.Cell{spreadsheet.Text(t.LastName), spreadsheet.Text(t.FirstName), spreadsheet.Text(spaced(t.StartedAt)),
			spreadsheet.Text(spaced(t.EndedAt)), spreadsheet.Count(t.BreakMinutes), spreadsheet.Count(t.Minutes),
			spreadsheet.Count(t.MileageStart), spreadsheet.Count(t.MileageEnd), spreadsheet.Text(t.Plate), spreadsheet.Text(t.Note),
			yes(t.PhotoStart && (t.PhotoEnd || t.Running())), spreadsheet.Text(t.RefuseReason)}); err != nil {
			return 0, err
		}
	}
	return len(items), err
}

// spaced is a local minute as people write it.
func spaced(minute string) string {
	if len(minute) != len(minuteForm) {
		return minute
	}
	return minute[:10] + " " + minute[11:]
}

// Record leaves in the trail that the file was handed out.
func (e Export) Record(tx *db.Tx) error {
	return audit.Record(tx, audit.Change{Action: tableOf(e.Kind) + ".export", Kind: e.Kind.auditKind(), ID: "all",
		After: map[string]any{"driver": e.Filter.Driver, "from": e.Filter.From, "to": e.Filter.To}})
}
