package feeds

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"saldo/internal/connections"
	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
	"saldo/internal/platform/drive"
	"saldo/internal/platform/jobs"
)

const (
	againDays = 10 // that are asked for once more: issuers book late
	daysMost  = 92 // that are asked for at once, after a connection stood still
)

// fetch asks one of the partner's connections and uploads what it has.
func (s *Service) fetch(ctx context.Context, run *jobs.Run) error {
	var kind connections.Kind
	if err := run.Into(&kind); err != nil {
		return jobs.Permanent(err)
	}
	var o connections.Open
	var from, to calendar.Date
	if err := run.Read(ctx, func(tx *db.Tx) (err error) {
		if o, err = s.Connections.Use(tx, kind); err != nil {
			return err
		}
		to = calendar.DateOf(tx.Now, s.Instance.Location(), 0)
		from, err = since(tx, o.ID, to)
		return err
	}); errors.Is(err, connections.ErrNotFound) { // it was removed or stopped meanwhile
		return nil
	} else if err != nil {
		return err
	}
	var got fetched
	var err error
	if kind == connections.Mailbox {
		got, err = s.mails(ctx, run, o)
	} else {
		var content []byte
		if content, err = s.Connections.Transactions(ctx, o, from, to); err == nil {
			got, err = s.upload(ctx, run.TenantID, o, file{fmt.Sprintf("orlen-%s-%s.csv", from, to), content, from})
		}
	}
	return s.note(ctx, run, o, to, got, err)
}

// note keeps how a fetch went. What is no problem of the other side is an error of the job, which is done again.
func (s *Service) note(ctx context.Context, run *jobs.Run, o connections.Open, to calendar.Date, got fetched, err error) error {
	problem := drive.Problem("")
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && !errors.As(err, &problem) {
		return err
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		if err := s.Connections.Report(tx, o, problem, drive.Unknown); err != nil {
			return err
		}
		for _, id := range got.files {
			if err := s.decide(tx, id); err != nil {
				return err
			}
		}
		if problem != "" {
			return run.Finish(tx)
		}
		if _, err := tx.Exec(`INSERT INTO fetches (tenant_id, connection_id, night, fetched_to, row_count, new_count)
			VALUES ($1, $2, '', $3, $4, $5) ON CONFLICT (tenant_id, connection_id) DO UPDATE SET fetched_to = excluded.fetched_to,
			row_count = excluded.row_count, new_count = excluded.new_count`, o.ID, string(to), got.rows, got.fresh); err != nil {
			return err
		}
		return run.Finish(tx)
	})
}

// since is the first day that is asked for: the last days again, what was missed while the connection stood still, and the days of files
// that nobody confirmed, so that the new file replaces them.
func since(tx *db.Tx, connection string, to calendar.Date) (calendar.Date, error) {
	first := to.AddDays(-daysMost)
	done, err := db.Select[calendar.Date](tx, `SELECT fetched_to FROM fetches WHERE tenant_id = $1 AND connection_id = $2`, connection)
	from := to.AddDays(-againDays)
	if err == nil && len(done) > 0 && done[0] != "" {
		from = max(min(from, done[0].AddDays(-againDays)), first)
	}
	if err != nil {
		return from, err
	}
	waiting, err := db.Select[calendar.Date](tx, `SELECT f.asked_from FROM fetched_files f
		JOIN imports i ON i.tenant_id = f.tenant_id AND i.id = f.import_id
		WHERE f.tenant_id = $1 AND f.connection_id = $2 AND f.asked_from >= $3 AND i.status = 'preview'
		ORDER BY f.asked_from LIMIT 1`, connection, string(first))
	if err == nil && len(waiting) > 0 {
		from = min(from, waiting[0])
	}
	return from, err
}

// file is what a connection had.
type file struct {
	name    string
	content []byte
	from    calendar.Date // first day that was asked for; empty: it was not asked for by days
}

// fetched are the files of a fetch.
type fetched struct {
	rows, fresh int64 // amounts, and those of them that no import has brought
	files       []string
	removed     bool // the connection, meanwhile
}

// upload hands a content to the imports, unless the same was fetched by this connection before or nothing in it is new.
func (s *Service) upload(ctx context.Context, tenant string, o connections.Open, f file) (got fetched, err error) {
	if len(bytes.TrimSpace(f.content)) == 0 {
		return got, nil
	}
	_, err = s.Imports.Upload(ctx, access.ProgramFor(tenant, "feeds"), imports.Upload{Name: f.name, Content: bytes.NewReader(f.content),
		Size: int64(len(f.content)), Source: string(o.Kind), Once: func(tx *db.Tx, i imports.Import, accept func() error) (string, error) {
			got = fetched{rows: i.Counts.Transactions.All}
			c, err := connections.Of(tx, o.Kind)
			if errors.Is(err, connections.ErrNotFound) || err == nil && c.ID != o.ID {
				got.removed = true // nothing is brought any more
				return "", nil
			}
			if err != nil {
				return "", err
			}
			file := struct{ ID, ConnectionID, Kind, ContentHash, ImportID, Decision string }{tx.NewID(), o.ID, string(o.Kind), i.ContentHash,
				i.ID, "open"}
			if nothingNew(i) {
				file.ImportID, file.Decision = "", "nothing"
			}
			// What was cancelled or removed since, or lacks rows since another import was removed, is brought again.
			n, err := tx.Exec(`INSERT INTO fetched_files (tenant_id, id, connection_id, kind, content_hash, import_id, decision, reason,
				fetched_at, asked_from) VALUES ($1, $2, $3, $4, $5, $6, $7, '', $8, $9)
				ON CONFLICT (tenant_id, connection_id, content_hash) DO UPDATE SET id = excluded.id, import_id = excluded.import_id,
				decision = excluded.decision, reason = '', fetched_at = excluded.fetched_at, asked_from = excluded.asked_from
				WHERE NOT EXISTS (SELECT 1 FROM imports i WHERE i.tenant_id = fetched_files.tenant_id AND i.id = fetched_files.import_id
				AND i.status IN ('analyzing', 'preview', 'running', 'success') AND NOT i.removing)`, file.ID, file.ConnectionID, file.Kind,
				file.ContentHash, file.ImportID, file.Decision, tx.Now, string(f.from))
			if err != nil || n == 0 || file.ImportID == "" {
				return "", err
			}
			got.fresh, got.files = i.Counts.Transactions.All-i.Counts.Transactions.Existing, []string{file.ID}
			return i.ID, accept()
		}})
	return got, err
}

// nothingNew says whether every row of a file that was read stands already.
func nothingNew(i imports.Import) bool {
	c := i.Counts.Transactions
	return i.Status == imports.Duplicated || i.Status == imports.InPreview && c.All == c.Existing
}
