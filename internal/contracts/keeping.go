package contracts

import (
	"context"
	"time"

	"saldo/internal/contracts/pdfs"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
)

const (
	// SweepKind is the job that ends contracts after their last day and erases what is kept long enough.
	SweepKind = "contracts.sweep"

	sweptAtOnce = 200
	// draftsKept is how long a form that nobody touches is kept.
	draftsKept = 180 * 24 * time.Hour
	// erasedData stands where a contract was made of something that is erased.
	erasedData = "erased"
)

type due struct {
	TenantID, ID string
	Kinds        []string
	EndedAt      time.Time
}

// Sweep ends contracts whose last day is over, erases those that were kept long enough, and forgets forms that nobody touched for half
// a year and PDFs that nobody used. Each run does some; the next one comes within an hour.
func (s *Service) Sweep(ctx context.Context, run *jobs.Run) error {
	for _, work := range []func(*db.Tx) error{s.endSome, s.eraseSome, forgetDrafts, dropUnused} {
		if err := run.Write(ctx, work); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) endSome(tx *db.Tx) error {
	over, err := db.Select[due](tx.Across(), `SELECT tenant_id, id, kinds, ended_at FROM contracts WHERE state = 'active' AND to_on <> ''
		AND to_on < $1 ORDER BY to_on LIMIT $2`, string(s.today(tx.Now)), sweptAtOnce)
	if err != nil {
		return err
	}
	for _, d := range over {
		if err := tx.As(access.ProgramFor(d.TenantID, SweepKind), func() error {
			c, _, err := s.Open(tx, OfPartner(), d.ID)
			if err == nil {
				_, err = s.end(tx, OfPartner(), &c, Ended, "ended", i18n.Of(s.language(), "contract-pages:last_day_over"))
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) eraseSome(tx *db.Tx) error {
	// none is kept for less than five years
	before := tx.Now.AddDate(-5, 0, 0)
	ended, err := db.Select[due](tx.Across(), `SELECT tenant_id, id, kinds, ended_at FROM contracts WHERE ended_at <> '' AND ended_at < $1
		AND erased_at = '' AND state <> 'deleted' ORDER BY ended_at`, before)
	if err != nil {
		return err
	}
	erased := 0
	for _, d := range ended {
		if erased >= sweptAtOnce {
			break
		}
		if s.today(tx.Now) <= keptUntil(s.country(), d.Kinds, d.EndedAt, s.Instance.Location()) {
			continue
		}
		erased++
		if err := tx.As(access.ProgramFor(d.TenantID, SweepKind), func() error { return erase(tx, d.ID) }); err != nil {
			return err
		}
	}
	return nil
}

// erase takes everything personal out of a contract. That there was one, with its number, days and documents by name, stays.
func erase(tx *db.Tx, id string) error {
	if _, err := tx.Exec(`UPDATE contracts SET erased_at = $3, data_sealed = '`+erasedData+`', ended_why = '', version = version + 1
		WHERE tenant_id = $1 AND id = $2`, id, tx.Now); err != nil {
		return err
	}
	for _, text := range []string{
		`UPDATE contract_signatures SET signature_sealed = '' WHERE tenant_id = $1 AND contract_id = $2`,
		`DELETE FROM signing_events WHERE tenant_id = $1 AND contract_id = $2`,
	} {
		if _, err := tx.Exec(text, id); err != nil {
			return err
		}
	}
	if err := jobs.Enqueue(tx, jobs.Order{Kind: EraseKind, Key: id, Payload: sealTicket{Contract: id}}); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "contracts.erase", Kind: kindOfContract, ID: id})
}

func forgetDrafts(tx *db.Tx) error {
	_, err := tx.Across().Exec(`DELETE FROM contract_drafts WHERE updated_at < $1`, tx.Now.Add(-draftsKept))
	return err
}

// dropUnused forgets PDFs that were uploaded and never used.
func dropUnused(tx *db.Tx) error {
	keys, err := pdfs.DeleteUnused(tx)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if err := jobs.Enqueue(tx, jobs.Order{Kind: EraseKind, Key: key, Payload: sealTicket{File: key}}); err != nil {
			return err
		}
	}
	return nil
}
