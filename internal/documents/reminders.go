package documents

import (
	"context"
	"strconv"
	"strings"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/messages"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
)

// The jobs of this package.
const (
	RemindKind = "documents.remind"
	SweepKind  = "documents.sweep"
)

const (
	remindHour   = 8 // of the day in the instance's zone
	remindAtOnce = 100
)

// searched are the words of a search as search keys have them.
func searched(query string) []string { return strings.Fields(i18n.Fold(query)) }

func (d *fleetDriver) matches(words []string) bool {
	for _, word := range words {
		if !strings.Contains(d.SearchKey, word) {
			return false
		}
	}
	return true
}

// Remind reminds drivers of documents whose last day comes near or is over: from 8 in the morning on, each reminder once.
func (s *Service) Remind(ctx context.Context, run *jobs.Run) error {
	var tenants []string
	if err := run.Read(ctx, func(tx *db.Tx) (err error) {
		if tx.Now.In(s.Instance.Location()).Hour() < remindHour {
			return nil
		}
		tenants, err = db.Select[string](tx.Across(), `SELECT DISTINCT tenant_id FROM driver_documents WHERE state = 'accepted' AND valid_to <> ''
			ORDER BY tenant_id`)
		return err
	}); err != nil {
		return err
	}
	for _, tenant := range tenants {
		for more := true; more; {
			if err := run.Write(ctx, func(tx *db.Tx) error {
				return tx.As(access.ProgramFor(tenant, "documents"), func() (err error) { more, err = s.remindSome(tx); return err })
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// remindSome gives the reminders that are due in one tenant; there are more where it could not give all at once.
func (s *Service) remindSome(tx *db.Tx) (more bool, err error) {
	due, err := s.Expiring(tx, 366)
	if err != nil {
		return false, err
	}
	before, err := db.Select[given](tx, `SELECT driver_id, type_id, vehicle, valid_to, slot FROM document_reminders WHERE tenant_id = $1`)
	if err != nil {
		return false, err
	}
	known := make(map[given]bool, len(before))
	for _, g := range before {
		known[g] = true
	}
	reminded := 0
	for i := range due {
		d := &due[i]
		if d.Group == "missing" || d.Slot.State == Waiting || !d.Linked {
			continue
		}
		slot := slotName(d.Slot.Type.RemindDays, d.Days)
		if slot == "" || known[d.given(slot)] {
			continue
		}
		if reminded == remindAtOnce {
			return true, nil
		}
		fresh, err := s.remind(tx, d, slot)
		if err != nil {
			return false, err
		}
		if fresh {
			reminded++
		}
	}
	return false, nil
}

// given is a reminder, which is given once.
type given struct {
	DriverID, TypeID, Vehicle string
	ValidTo                   calendar.Date // empty: the document is missing
	Slot                      string
}

func (d *Due) given(slot string) given {
	g := given{DriverID: d.ID, TypeID: d.Slot.Type.ID, Vehicle: d.Slot.Vehicle, Slot: slot}
	if d.Group != "missing" {
		g.ValidTo = d.Slot.Current.ValidTo
	}
	return g
}

// slotName is the reminder that is due so many days before the last one: the nearest, so that whoever was not reminded in time is
// reminded once and not three times.
func slotName(days Days, left int) string {
	if left < 0 && len(days) > 0 {
		return "expired"
	}
	nearest := int64(0)
	for _, n := range days {
		if int64(left) <= n && (nearest == 0 || n < nearest) {
			nearest = n
		}
	}
	if nearest == 0 {
		return ""
	}
	return strconv.FormatInt(nearest, 10)
}

// remind tells a driver of a slot, unless this reminder was given before.
func (s *Service) remind(tx *db.Tx, d *Due, slot string) (fresh bool, err error) {
	g := d.given(slot)
	n, err := tx.Exec(`INSERT INTO document_reminders (tenant_id, driver_id, type_id, vehicle, valid_to, slot, reminded_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`, g.DriverID, g.TypeID, g.Vehicle, string(g.ValidTo), slot, tx.Now)
	if err != nil || n == 0 {
		return false, err
	}
	kind, params := messages.DocumentExpires, map[string]string{"until": string(g.ValidTo), "vehicle": g.Vehicle}
	switch {
	case d.Group == "missing":
		kind = messages.DocumentMissing
	case d.Days < 0:
		kind = messages.DocumentExpired
	}
	return true, tell(tx, kind, d.ID, slotID(d.ID, d.Slot.Type.ID, d.Slot.Vehicle), d.Slot.Type, params)
}

// slotID names the place of a document, which reminders are about.
func slotID(driver, documentType, vehicle string) string {
	return driver + "|" + documentType + "|" + vehicle
}

// done takes reminders back: the driver has uploaded something.
func (d *Document) done(tx *db.Tx) error {
	return messages.TakeBack(tx, slotID(d.DriverID, d.TypeID, d.Vehicle), messages.DocumentExpires, messages.DocumentExpired,
		messages.DocumentMissing)
}

// Chosen names a slot of a driver.
type Chosen struct{ DriverID, TypeID, Vehicle string }

// RemindChosen reminds drivers of what the partner chose on the board, at most once a day each. Who was reminded today already, has
// no account or has uploaded it meanwhile is left out.
func (s *Service) RemindChosen(tx *db.Tx, chosen []Chosen) (reminded int, err error) {
	due, err := s.Expiring(tx, 366)
	if err != nil {
		return 0, err
	}
	wanted := map[Chosen]bool{}
	for _, c := range chosen {
		wanted[c] = true
	}
	for i := range due {
		d := &due[i]
		if !wanted[Chosen{d.ID, d.Slot.Type.ID, d.Slot.Vehicle}] || !d.Linked || d.Slot.State == Waiting {
			continue
		}
		fresh, err := s.remind(tx, d, "on "+string(s.Today(tx)))
		if err != nil {
			return reminded, err
		}
		if fresh {
			reminded++
		}
	}
	return reminded, audit.Record(tx, audit.Change{Action: "documents.remind", Kind: kindOfType, ID: "all",
		After: map[string]any{"reminded": reminded}})
}

// Sweep erases the pictures and numbers of documents that nobody needs any more: rejected or replaced a month ago, or of drivers who
// left. That a document is erased is written down first; files that are left then are found by the next run.
func (s *Service) Sweep(ctx context.Context, run *jobs.Run) error {
	type due struct{ TenantID, ID string }
	if err := run.Write(ctx, func(tx *db.Tx) error {
		documents, err := db.Select[due](tx.Across(), `SELECT tenant_id, id FROM driver_documents WHERE erase_at <> '' AND erase_at <= $1
			AND erased_at = '' AND kept_for = '' ORDER BY erase_at LIMIT $2`, tx.Now, erasedAtOnce)
		for _, d := range documents {
			if err == nil {
				err = tx.As(access.ProgramFor(d.TenantID, "documents"), func() error { return erase(tx, d.ID) })
			}
		}
		return err
	}); err != nil {
		return err
	}
	type file struct{ TenantID, ID, BlobKey string }
	var files []file
	if err := run.Read(ctx, func(tx *db.Tx) (err error) {
		files, err = db.Select[file](tx.Across(), `SELECT i.tenant_id, i.id, i.blob_key FROM driver_document_images i JOIN driver_documents d
			ON d.tenant_id = i.tenant_id AND d.id = i.document_id WHERE d.erased_at <> ''`)
		return err
	}); err != nil {
		return err
	}
	for _, f := range files {
		if err := s.Blobs.Delete(ctx, f.BlobKey); err != nil {
			return err
		}
		if err := run.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Across().Exec(`DELETE FROM driver_document_images WHERE tenant_id = $1 AND id = $2`, f.TenantID, f.ID)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// erasedAtOnce is how many documents one run erases; the next one comes within an hour.
const erasedAtOnce = 500

func erase(tx *db.Tx, id string) error {
	if _, err := tx.Exec(`UPDATE driver_documents SET number_sealed = '', erased_at = $3, version = version + 1
		WHERE tenant_id = $1 AND id = $2`, id, tx.Now); err != nil {
		return err
	}
	return Looked(tx, "documents.erase", id)
}
