// Package pack makes the accountant's pack of a month: its settlements, what was paid, and the documents that were issued, in one file. It
// is made once and kept as it was; where something of the month changed since, another version says what.
package pack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"saldo/internal/billing"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

var (
	// ErrMonth is the answer to what is no month.
	ErrMonth = fault.Declare(fault.Invalid, "packs.month_invalid")
	// ErrNotOver is the answer to a month that is not over: what is in a pack is what an office books.
	ErrNotOver = fault.Declare(fault.Conflict, "packs.month_not_over")
	// ErrNotFound is the answer about a pack that is not there, or not made yet.
	ErrNotFound = fault.Declare(fault.NotFound, "packs.not_found")
)

// MakeKind is the job that makes a pack.
const MakeKind = "packs.make"

// State is how far a pack is.
type State string

// The states.
const (
	Making State = "making"
	Ready  State = "ready"
	Failed State = "failed"
)

// States are all there are.
func States() []State { return []State{Making, Ready, Failed} }

// Pack is a version of a month.
type Pack struct {
	ID          string
	Month       string // as 2026-11
	Version     int64
	State       State
	Fingerprint string // of what the month held
	Figures     Figures
	Changes     Changes // against the version before
	Sum         string  // SHA-256 of the file
	Bytes       int64
	Files       int64
	AskedBy     string
	AskedAt     time.Time
	MadeAt      time.Time
}

const query = `SELECT id, month, version, state, fingerprint, figures, changes, sum, bytes, files, asked_by, asked_at, made_at
	FROM accountant_packs WHERE tenant_id = $1`

// FileName is what the pack is saved as.
func (p *Pack) FileName() string { return fmt.Sprintf("saldo-%s-v%d.zip", p.Month, p.Version) }

// Figures are the sums of a month, as the screens show them.
type Figures struct {
	Settlements, Revoked                int64 // the first counts the second too, amounts leave it out
	Revenue, CashCollected, Due, Payout money.Amount
	Payments                            int64
	Paid                                money.Amount
	Documents                           int64
	Net, VAT, Gross                     money.Amount
}

// Stored is the JSON of the column.
func (f Figures) Stored() string { return db.JSON(f) }

// Scan reads the column.
func (f *Figures) Scan(value any) error { return db.ScanJSON(value, f) }

// Changes are how a version differs from the one before.
type Changes struct {
	Count int64    // of all
	First []Change // at most listed of them; the file has all
	// Before are the figures of the version before.
	Before Figures
}

// Stored is the JSON of the column.
func (c Changes) Stored() string { return db.JSON(c) }

// Scan reads the column.
func (c *Changes) Scan(value any) error { return db.ScanJSON(value, c) }

// listed is how many changes stand beside a version.
const listed = 100

// Service makes packs.
type Service struct {
	DB       *db.DB
	Blobs    blob.Store
	Billing  *billing.Service
	Instance config.Instance
	Log      *slog.Logger
}

// Handle gives the job its handler. Packs are made one after the other: each prints many pages.
func (s *Service) Handle(q *jobs.Queue) {
	q.Handle(MakeKind, s.run)
	q.Alone(MakeKind)
	q.OnFailure(MakeKind, onFailure)
}

// days are the first and the last of a month.
func days(month string) (first, last calendar.Date, err error) {
	if first = calendar.Date(month + "-01"); len(month) != len("2026-11") || !first.Exists() {
		return "", "", ErrMonth.Field("month", fault.WrongFormat)
	}
	for last = first.AddDays(27); last.AddDays(1)[:7] == first[:7]; {
		last = last.AddDays(1)
	}
	return first, last, nil
}

// List are the packs of a partner: newest months first, and of a month the newest version.
func List(tx *db.Tx) ([]Pack, error) {
	return db.Select[Pack](tx, query+` ORDER BY month DESC, version DESC LIMIT 200`)
}

// Undelivered are packs that were made from a day on and are no file of a drive, the oldest first.
func Undelivered(tx *db.Tx, connection string, from calendar.Date, most int) ([]Pack, error) {
	return db.Select[Pack](tx, query+` AND state = 'ready' AND made_at >= $2 AND NOT EXISTS (SELECT 1 FROM drive_items i
		WHERE i.tenant_id = accountant_packs.tenant_id AND i.connection_id = $3 AND i.sort = 'packs' AND i.object = accountant_packs.id)
		ORDER BY made_at, id LIMIT $4`, string(from), connection, most)
}

// Of is one.
func Of(tx *db.Tx, id string) (Pack, error) {
	p, err := db.One[Pack](tx, query+` AND id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	return p, err
}

// newest is the last version of a month; without one its version is 0.
func newest(tx *db.Tx, month string) (Pack, error) {
	found, err := db.Select[Pack](tx, query+` AND month = $2 ORDER BY version DESC LIMIT 1`, month)
	if err != nil || len(found) == 0 {
		return Pack{Month: month}, err
	}
	return found[0], nil
}

// Ask gives the pack of a month as it is now: the newest version, where nothing changed since, or one that is being made from here on.
// Whoever asks while it is made gets the same.
func (s *Service) Ask(tx *db.Tx, month string) (Pack, error) {
	_, last, err := days(month)
	if err != nil {
		return Pack{}, err
	}
	if last >= calendar.DateOf(tx.Now, s.Instance.Location(), 0) {
		return Pack{}, ErrNotOver.With("day", last.AddDays(1))
	}
	p, err := newest(tx, month)
	if err != nil || p.State == Making {
		return p, err
	}
	if p.State == Ready {
		now, err := gather(tx, month)
		if err != nil || now.fingerprint() == p.Fingerprint {
			return p, err
		}
	}
	if p.State == Failed {
		if _, err := tx.Exec(`UPDATE accountant_packs SET state = 'making', asked_by = $3, asked_at = $4 WHERE tenant_id = $1 AND id = $2
			AND state = 'failed'`, p.ID, tx.Actor.Name, tx.Now); err != nil {
			return p, err
		}
	} else {
		n, err := db.InsertNew(tx, "accountant_packs", Pack{ID: tx.NewID(), Month: month, Version: p.Version + 1, State: Making,
			AskedBy: tx.Actor.Name, AskedAt: tx.Now})
		if err != nil || n == 0 { // somebody else asked at the same moment
			return p, errors.Join(err, s.again(tx, month, &p))
		}
	}
	if p, err = newest(tx, month); err != nil {
		return p, err
	}
	if err := jobs.Enqueue(tx, jobs.Order{Kind: MakeKind, Payload: p.ID, Key: p.ID, Attempts: 5}); err != nil {
		return p, err
	}
	return p, audit.Record(tx, audit.Change{Action: "packs.make", Kind: kindOfPack, ID: p.ID,
		After: map[string]any{"month": month, "version": p.Version}})
}

func (s *Service) again(tx *db.Tx, month string, p *Pack) (err error) {
	*p, err = newest(tx, month)
	return err
}

const kindOfPack = "accountant_pack"

// Record leaves in the trail that a pack was handed out.
func (p *Pack) Record(tx *db.Tx) error {
	return audit.Record(tx, audit.Change{Action: "packs.download", Kind: kindOfPack, ID: p.ID,
		After: map[string]any{"month": p.Month, "version": p.Version, "sum": p.Sum}})
}

// Key is where the file of a pack is kept.
func (p *Pack) Key(tenant string) string { return tenant + "/packs/" + p.ID + ".zip" }

// contentsKey is where what the month held is kept, for the next version to be compared with.
func (p *Pack) contentsKey(tenant string) string { return tenant + "/packs/" + p.ID + ".json" }

func onFailure(tx *db.Tx, run *jobs.Run, _ error) error {
	var id string
	if err := run.Into(&id); err != nil {
		return err
	}
	_, err := tx.Exec(`UPDATE accountant_packs SET state = 'failed' WHERE tenant_id = $1 AND id = $2 AND state = 'making'`, id)
	return err
}

// contentsOf is what the month held in a version that was made.
func (s *Service) contentsOf(ctx context.Context, tenant string, p *Pack) (c contents, err error) {
	text, err := blob.Whole(ctx, s.Blobs, p.contentsKey(tenant), contentsMost)
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(text, &c)
}

// contentsMost is more than a month of the largest fleets needs.
const contentsMost = 256 << 20
