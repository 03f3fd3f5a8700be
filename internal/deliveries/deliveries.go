// Package deliveries brings files of partners to their drives: statements, invoices as issued, scheduled reports and packs for the
// accountant. Each goes to a drive once, whatever is interrupted, and no file there is ever replaced.
package deliveries

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"saldo/internal/billing"
	"saldo/internal/connections"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/pack"
	"saldo/internal/partners"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/drive"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/reports/dedicated"
)

// The kinds of jobs.
const (
	LookKind = "deliveries.look" // for what every partner has to deliver
	SendKind = "deliveries.send" // what one partner has
)

// Service delivers.
type Service struct {
	DB          *db.DB
	Blobs       blob.Store
	Connections *connections.Service
	Billing     *billing.Service
	Reports     *dedicated.Service
	Instance    config.Instance
	Log         *slog.Logger

	making sync.Mutex // of files: while others are on their way, one is made, and the other cores are people's
}

// Handle gives the jobs their handlers. Somebody looks every few minutes: what is issued need not know of drives.
func (s *Service) Handle(q *jobs.Queue) {
	q.Handle(LookKind, s.look)
	q.Handle(SendKind, s.send)
	q.Every(5*time.Minute, LookKind, jobs.Order{Kind: LookKind, Key: "look"})
}

// look leaves a job for every drive that may be used.
func (s *Service) look(ctx context.Context, _ *jobs.Run) error {
	var found []struct{ TenantID, Kind string }
	if err := s.DB.Read(ctx, access.Program("deliveries"), func(tx *db.Tx) (err error) {
		found, err = db.Select[struct{ TenantID, Kind string }](tx.Across(), `SELECT tenant_id, kind FROM service_connections
			WHERE kind LIKE 'drive.%' AND state <> 'stopped' AND next_at <= $1 ORDER BY tenant_id, kind`, tx.Now)
		return err
	}); err != nil {
		return err
	}
	for _, one := range found {
		if err := s.DB.Write(ctx, access.ProgramFor(one.TenantID, "deliveries"), func(tx *db.Tx) error {
			return Ask(tx, connections.Kind(one.Kind))
		}); err != nil {
			return err
		}
	}
	return nil
}

// Ask leaves the job that delivers what waits for one of the partner's drives.
func Ask(tx *db.Tx, k connections.Kind) error {
	return jobs.Enqueue(tx, jobs.Order{Kind: SendKind, Payload: k, Key: string(k)})
}

// Since delivers what was made from a day on, also what was made before the drive was connected.
func Since(tx *db.Tx, k connections.Kind, from calendar.Date) error {
	if err := connections.DeliverFrom(tx, k, from); err != nil {
		return err
	}
	return Ask(tx, k)
}

// Counts are the files of a drive.
type Counts struct{ Stored, Waiting, GivenUp int64 }

// Count counts those of a connection.
func Count(tx *db.Tx, connection string) (n Counts, err error) {
	return db.One[Counts](tx, `SELECT COUNT(CASE WHEN state = 'stored' THEN 1 END) AS stored,
		COUNT(CASE WHEN state = 'waiting' THEN 1 END) AS waiting,
		COUNT(CASE WHEN state = 'given_up' THEN 1 END) AS given_up FROM drive_items WHERE tenant_id = $1 AND connection_id = $2`, connection)
}

// candidate is what may become an item.
type candidate struct {
	Sort   connections.Delivery
	Object string
	Part   string // ending of its name
	Period string // in whose folder it goes: year and week or month
	Name   string // without the ending
}

// most is how many objects are written down in one unit of work.
const most = 500

// collect writes down what a drive should have and no item stands for yet, and says whether there may be more.
func (s *Service) collect(tx *db.Tx, c *connections.Connection) (more bool, err error) {
	partner, err := partners.Own(tx)
	if err != nil {
		return false, err
	}
	if err := dropRevoked(tx, c.ID); err != nil {
		return false, err
	}
	for sort, find := range map[connections.Delivery]func(*db.Tx, *connections.Connection) ([]candidate, int, error){
		connections.Statements: statements, connections.Invoices: documents, connections.Packs: packs,
	} {
		if !c.Public.Delivers(sort) {
			continue
		}
		found, objects, err := find(tx, c)
		if err != nil {
			return false, err
		}
		for _, one := range found {
			one.Sort = sort
			if err := s.add(tx, c.ID, partner.Name, one); err != nil {
				return false, err
			}
		}
		more = more || objects == most
	}
	return more, nil
}

func (s *Service) add(tx *db.Tx, connection, partner string, c candidate) error {
	_, err := tx.Exec(`INSERT INTO drive_items (tenant_id, id, connection_id, sort, object, part, path, copy, sum, bytes, state, reason, tries,
		next_at, made_at, stored_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 1, '', 0, 'waiting', '', 0, $8, $8, '') ON CONFLICT DO NOTHING`,
		tx.NewID(), connection, string(c.Sort), c.Object, c.Part, s.pathOf(partner, c), tx.Now)
	return err
}

// dropRevoked forgets statements that wait for a drive and hold no longer.
func dropRevoked(tx *db.Tx, connection string) error {
	_, err := tx.Exec(`DELETE FROM drive_items WHERE tenant_id = $1 AND connection_id = $2 AND sort = 'statements' AND state = 'waiting'
		AND object IN (SELECT id FROM settlements WHERE tenant_id = $1 AND revoked_at <> '')`, connection)
	return err
}

// pathOf is where a file goes: by partner, year, week or month, and sort.
func (s *Service) pathOf(partner string, c candidate) string {
	year, week, _ := strings.Cut(c.Period, "-")
	folder := i18n.Of(i18n.Language(s.Instance.Language), "connections:folder_"+string(c.Sort))
	parts := []string{"Saldo", partner, year, week, folder, c.Name + "." + c.Part}
	for i, p := range parts {
		parts[i] = drive.Clean(p)
	}
	return strings.Join(parts, "/")
}

// initials stand in names of files; whole names stand in the files alone.
func initials(first, last string) string {
	var out strings.Builder
	for _, word := range strings.Fields(first + " " + last) {
		out.WriteString(strings.ToUpper(string([]rune(word)[:1])) + ".")
	}
	return out.String()
}

// statements are those of shared settlements.
func statements(tx *db.Tx, c *connections.Connection) ([]candidate, int, error) {
	found, err := db.Select[struct {
		ID, FirstName, LastName string
		Number                  int64
		Period                  calendar.Period
	}](tx, `SELECT s.id, s.number, s.period, d.first_name, d.last_name FROM settlements s
		JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id
		WHERE s.tenant_id = $1 AND s.shared_at >= $2 AND s.revoked_at = '' AND NOT EXISTS (SELECT 1 FROM drive_items i
		WHERE i.tenant_id = s.tenant_id AND i.connection_id = $3 AND i.sort = 'statements' AND i.object = s.id)
		ORDER BY s.shared_at, s.id LIMIT $4`, string(c.DeliverFrom), c.ID, most)
	list := make([]candidate, len(found))
	for i, f := range found {
		list[i] = candidate{Object: f.ID, Part: "pdf", Period: string(f.Period),
			Name: fmt.Sprintf("%d %s", f.Number, initials(f.FirstName, f.LastName))}
	}
	return list, len(found), err
}

// documents are issued ones of which the office has said its word, where it is asked. What it says later, and another edition, is another
// file beside the first.
func documents(tx *db.Tx, c *connections.Connection) (list []candidate, objects int, err error) {
	found, err := db.Select[struct {
		Object, Number, FirstName, LastName string
		Period                              calendar.Period
		File                                bool
	}](tx, `SELECT b.id || '/' || CAST(b.edition AS TEXT) || b.authority_state AS object, b.number, s.period, d.first_name, d.last_name,
		b.file_sealed <> '' AS file FROM billing_documents b
		JOIN settlements s ON s.tenant_id = b.tenant_id AND s.id = b.settlement_id
		JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id
		WHERE b.tenant_id = $1 AND b.issued_on >= $2 AND b.authority_state NOT IN ('pending', 'waiting')
		AND NOT EXISTS (SELECT 1 FROM drive_items i WHERE i.tenant_id = b.tenant_id AND i.connection_id = $3 AND i.sort = 'invoices'
		AND i.object = b.id || '/' || CAST(b.edition AS TEXT) || b.authority_state)
		ORDER BY b.issued_on, b.id LIMIT $4`, string(c.DeliverFrom), c.ID, most)
	for _, f := range found {
		one := candidate{Object: f.Object, Part: "pdf", Period: string(f.Period), Name: f.Number + " " + initials(f.FirstName, f.LastName)}
		list = append(list, one)
		if f.File {
			one.Part = "xml"
			list = append(list, one)
		}
	}
	return list, len(found), err
}

// packs are those that were made.
func packs(tx *db.Tx, c *connections.Connection) ([]candidate, int, error) {
	found, err := pack.Undelivered(tx, c.ID, c.DeliverFrom, most)
	list := make([]candidate, len(found))
	for i := range found {
		list[i] = candidate{Object: found[i].ID, Part: "zip", Period: found[i].Month, Name: strings.TrimSuffix(found[i].FileName(), ".zip")}
	}
	return list, len(found), err
}

// Report writes down the report of a slot for the drives that get reports, in the unit of work that mails it.
func (s *Service) Report(tx *db.Tx, f dedicated.SlotFile) error {
	partner, err := partners.Own(tx)
	if err != nil {
		return err
	}
	list, err := connections.List(tx)
	if err != nil {
		return err
	}
	for _, c := range list {
		if !c.Kind.Drive() || !c.Public.Delivers(connections.Reports) {
			continue
		}
		if err := s.add(tx, c.ID, partner.Name, candidate{Sort: connections.Reports, Object: f.Schedule + "@" + db.Instant(f.Slot),
			Part: string(f.Format), Period: string(calendar.PeriodOf(f.Day, 1)), Name: f.Name}); err != nil {
			return err
		}
	}
	return nil
}
