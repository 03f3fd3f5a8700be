package app

import (
	"context"
	"errors"
	"log/slog"

	"saldo/internal/platform/blob"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/vault"
)

const (
	sealKind = "program.seal_files"
	// sealedAtOnce is after how many files the job says how far it is.
	sealedAtOnce = 50
)

// sealing seals the files that former versions, or a former key, have left. New files are sealed when they are stored.
type sealing struct {
	blobs blob.Store
	keyID string
	log   *slog.Logger
}

// handle looks at every file once and seals what is to be sealed. It needs no memory of how far it came: a sealed file is
// known by its start, so whoever is interrupted goes on where others left off. Done it is when nothing was to be sealed:
// an instance of a former version may have stored a file beside the first look.
func (s sealing) handle(ctx context.Context, run *jobs.Run) error {
	var ended int64
	err := run.Read(ctx, func(tx *db.Tx) (err error) {
		ended, err = db.One[int64](tx.Across(), `SELECT COUNT(*) FROM file_sealings WHERE key_id = $1`, s.keyID)
		return err
	})
	if err != nil || ended > 0 {
		return err
	}
	sealed, failed := int64(0), error(nil)
	for key, err := range s.blobs.List(ctx, "") {
		if err != nil {
			return err
		}
		done, err := s.blobs.Seal(ctx, key)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, vault.ErrFileDamaged) || errors.Is(err, vault.ErrFileKey):
			s.log.Warn("a file cannot be read and stays as it is", "error", err) // nor would it be the next time
		case err != nil:
			failed = err // the others need not wait for it
		case done:
			if sealed++; sealed%sealedAtOnce == 0 {
				if err := run.Progress(ctx, sealed, 0); err != nil {
					return err
				}
			}
		}
	}
	if sealed > 0 {
		s.log.Info("files of before are sealed", "files", sealed)
	}
	if failed != nil || sealed > 0 {
		return failed
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		if _, err := tx.Across().Exec(`INSERT INTO file_sealings (key_id, ended_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
			s.keyID, tx.Now); err != nil {
			return err
		}
		return run.Finish(tx)
	})
}
