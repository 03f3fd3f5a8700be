package feeds

import (
	"context"
	"errors"
	"slices"

	"saldo/internal/connections"
	"saldo/internal/imports"
	"saldo/internal/imports/counts"
	"saldo/internal/imports/pipeline"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
)

// Why a file waits for a person.
const (
	ReasonNotAllowed = "not_allowed" // the partner did not let files of this connection be confirmed by themselves
	ReasonUnread     = "unread"      // it could not be read
	ReasonUnclear    = "unclear"     // rows were refused, or there is something to look at
	ReasonUnknown    = "unknown"     // a card that belongs to no driver
	ReasonNoHistory  = "no_history"  // no file of this source was confirmed yet
	ReasonUnusual    = "unusual"     // far more or less fuel than usual
	ReasonReplaced   = "replaced"    // it waits no longer: a later file has its days
)

// decide confirms a fetched file that was read, or leaves it to a person; once.
func (s *Service) decide(tx *db.Tx, file string) error {
	found, err := db.Select[struct{ ConnectionID, Kind, ImportID, AskedFrom string }](tx, `SELECT connection_id, kind, import_id, asked_from
		FROM fetched_files
		WHERE tenant_id = $1 AND id = $2 AND decision = 'open'`, file)
	if err != nil || len(found) == 0 {
		return err
	}
	i, err := imports.Of(tx, found[0].ImportID)
	if err != nil || i.Status == imports.Analyzing {
		return err
	}
	decision, reason := "waits", ""
	switch i.Status {
	case imports.InPreview:
		if err = replace(tx, found[0].ConnectionID, i.ID, found[0].AskedFrom); err != nil {
			return err
		}
		if nothingNew(i) { // of a large file this is known only now
			decision = "nothing"
			err = imports.Cancel(tx, i.ID)
			break
		}
		if reason, err = s.why(tx, i, found[0].ConnectionID, connections.Kind(found[0].Kind)); err == nil && reason == "" {
			decision = "confirmed"
			_, err = s.Imports.Confirm(tx, i.ID, imports.ConfirmOptions{Reading: i.Readings})
		}
	case imports.Failed:
		reason = ReasonUnread
	}
	if err != nil {
		return err
	}
	return keep(tx, file, decision, reason)
}

// replace cancels the files before that still wait and whose days a new one has as well: they would show the same rows to a person once for
// every night. A file that somebody read anew with other settings is left alone.
func replace(tx *db.Tx, connection, by, from string) error {
	if from == "" {
		return nil
	}
	before, err := db.Select[string](tx, `SELECT f.import_id FROM fetched_files f
		JOIN imports i ON i.tenant_id = f.tenant_id AND i.id = f.import_id
		WHERE f.tenant_id = $1 AND f.connection_id = $2 AND f.asked_from >= $3 AND f.import_id < $4 AND i.status = 'preview' AND i.readings <= 1
		ORDER BY f.import_id`, connection, from, by)
	for _, id := range before {
		if err := imports.Cancel(tx, id); err != nil {
			return err
		}
		if _, err := tx.Exec(`UPDATE fetched_files SET decision = 'waits', reason = $3 WHERE tenant_id = $1 AND import_id = $2`, id,
			ReasonReplaced); err != nil {
			return err
		}
	}
	return err
}

// WhyOf says why a fetched file waits for a person; empty: it does not, or a person uploaded it.
func WhyOf(tx *db.Tx, importID string) (string, error) {
	found, err := db.Select[string](tx, `SELECT reason FROM fetched_files WHERE tenant_id = $1 AND import_id = $2`, importID)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0], nil
}

func keep(tx *db.Tx, file, decision, reason string) error {
	_, err := tx.Exec(`UPDATE fetched_files SET decision = $3, reason = $4 WHERE tenant_id = $1 AND id = $2 AND decision = 'open'`, file,
		decision, reason)
	return err
}

// decided decides in a unit of work of its own. What the imports refuse to confirm is left to a person.
func (s *Service) decided(ctx context.Context, who access.Actor, file string) error {
	err := s.DB.Write(ctx, who, func(tx *db.Tx) error { return s.decide(tx, file) })
	if refused := new(fault.Fault); errors.As(err, &refused) {
		return s.DB.Write(ctx, who, func(tx *db.Tx) error { return keep(tx, file, "waits", ReasonUnclear) })
	}
	return err
}

// why says why a preview waits for a person; empty: it need not.
func (s *Service) why(tx *db.Tx, i imports.Import, connection string, k connections.Kind) (string, error) {
	c, err := connections.Of(tx, k)
	if errors.Is(err, connections.ErrNotFound) || err == nil && (c.ID != connection || !c.Public.Confirm) {
		return ReasonNotAllowed, nil
	}
	if err != nil {
		return "", err
	}
	p, err := imports.PreviewOf(tx, i.ID)
	if err != nil {
		return "", err
	}
	rows, people := p.Counts.Transactions, p.Counts.Drivers
	switch {
	case len(p.RowErrors) > 0 || rows.Failed > 0 || p.RowWarnings.Count > 0 || warned(p.Warnings) || unclear(p.Changes) ||
		len(p.Matches.Pairs) > 0 || len(p.Guessed) > 0:
		return ReasonUnclear, nil
	case people.New > 0 || people.Unassigned > 0 || rows.Unassigned > 0:
		return ReasonUnknown, nil
	}
	mean, err := usual(tx, i, k)
	switch {
	case err != nil:
		return "", err
	case mean == nil:
		return ReasonNoHistory, nil
	case !mean.near(fuelOf(i.Totals)):
		return ReasonUnusual, nil
	}
	return "", nil
}

// warned says whether there is something to look at. That drivers are settled for some of the days is nothing: ten days are asked for again
// each night, and what is booked late makes a supplementary settlement, which a person starts.
func warned(warnings []pipeline.Warning) bool {
	return slices.ContainsFunc(warnings, func(w pipeline.Warning) bool { return w.Code != pipeline.WarnSettled })
}

func unclear(c pipeline.Changes) bool { return c.Count > 0 || c.Partly > 0 }

func fuelOf(totals counts.Totals) (all money.Amount) {
	for _, t := range totals {
		if t.Type == "FUEL" {
			all += t.Sum
		}
	}
	return all
}

// history is what the last confirmed files of a source held.
type history struct {
	sum   money.Amount
	files int64
}

// historyMost is how many files say what is usual.
const historyMost = 4

// usual is what the last confirmed files held that came from the same place and tell of the same provider; nil: there is none.
func usual(tx *db.Tx, i imports.Import, k connections.Kind) (*history, error) {
	found, err := db.Select[counts.Totals](tx, `SELECT totals FROM imports WHERE tenant_id = $1 AND source = $2 AND provider = $3
		AND status = 'success' AND NOT removing AND booked_as <> 'detail' AND id <> $4 ORDER BY finished_at DESC, id DESC LIMIT $5`,
		string(k), i.Provider, i.ID, historyMost)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	h := &history{files: int64(len(found))}
	for _, totals := range found {
		h.sum += fuelOf(totals)
	}
	return h, nil
}

// near says whether an amount is within half of the mean, to the last unit.
func (h *history) near(amount money.Amount) bool {
	n := money.Amount(h.files)
	away, whole := 2*(n*amount-h.sum), max(h.sum, -h.sum)
	return whole > 0 && away <= whole && -away <= whole
}
