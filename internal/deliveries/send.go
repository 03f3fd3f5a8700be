package deliveries

import (
	"context"

	"encoding/hex"
	"errors"

	"sync"
	"time"

	"saldo/internal/connections"

	"saldo/internal/platform/db"
	"saldo/internal/platform/drive"
	"saldo/internal/platform/jobs"
)

// State is where a file stands.
type State string

// The states.
const (
	Waiting State = "waiting"
	Stored  State = "stored"
	GivenUp State = "given_up"
)

const (
	atOnce  = 4  // files on their way to one drive
	batch   = 64 // files between two reports
	tryMost = 14
	copies  = 50 // files of one name
)

// The pauses between tries of one file: each twice the one before.
const (
	pauseFirst = time.Minute
	pauseMost  = 2 * time.Hour
)

// item is a file that waits.
type item struct {
	ID, Object, Part, Path string
	Sort                   connections.Delivery
	Copy, Tries            int64
}

// outcome is what became of one.
type outcome struct {
	item
	problem drive.Problem // of the drive; empty: none
	unmade  bool          // the file could not be made
	gone    bool          // what it is made of holds no longer
	sum     string
	bytes   int64
}

// stops says whether the drive takes no other file either.
func (o *outcome) stops() bool { return o.problem != "" && o.problem != drive.Busy }

// send delivers what waits for a drive until nothing does, or the drive takes no more.
func (s *Service) send(ctx context.Context, run *jobs.Run) error {
	var kind connections.Kind
	if err := run.Into(&kind); err != nil {
		return jobs.Permanent(err)
	}
	if err := s.gather(ctx, run, kind); err != nil {
		return err
	}
	var done, total int64
	var d drive.Drive
	for opened := (connections.Open{}); ; {
		var waiting []item
		var left int64
		stopped := false
		if err := run.Read(ctx, func(tx *db.Tx) error {
			o, err := s.Connections.Use(tx, kind)
			if errors.Is(err, connections.ErrNotFound) || err == nil && o.NextAt.After(tx.Now) {
				stopped = true
				return nil
			}
			if err != nil {
				return err
			}
			if o.ID != opened.ID || o.Version != opened.Version { // somebody changed it meanwhile
				if d, err = s.Connections.Drive(o); err != nil {
					return err
				}
			}
			opened = o
			if left, err = db.One[int64](tx, `SELECT COUNT(*) FROM drive_items WHERE tenant_id = $1 AND connection_id = $2 AND state = 'waiting'
				AND next_at <= $3`, o.ID, tx.Now); err != nil {
				return err
			}
			waiting, err = db.Select[item](tx, `SELECT id, sort, object, part, path, copy, tries FROM drive_items WHERE tenant_id = $1
				AND connection_id = $2 AND state = 'waiting' AND next_at <= $3 ORDER BY made_at, id LIMIT $4`, o.ID, tx.Now, batch)
			return err
		}); err != nil || stopped || len(waiting) == 0 {
			return err
		}
		if total == 0 {
			total = left
		}
		outcomes := s.deliver(ctx, run, d, waiting, done == 0)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := run.Write(ctx, func(tx *db.Tx) error { return s.note(tx, opened, outcomes) }); err != nil {
			return err
		}
		done += int64(len(outcomes))
		if err := run.Progress(ctx, done, max(total, done)); err != nil {
			return err
		}
	}
}

// gather writes down what waits to be delivered, a part in each unit of work.
func (s *Service) gather(ctx context.Context, run *jobs.Run, kind connections.Kind) error {
	for more := true; more; {
		if err := run.Write(ctx, func(tx *db.Tx) error {
			c, err := connections.Of(tx, kind)
			if errors.Is(err, connections.ErrNotFound) { // it was removed meanwhile
				more = false
				return nil
			}
			if err == nil {
				more, err = s.collect(tx, &c)
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// deliver brings files to a drive, the first of a run alone: a wrong password is tried once. It ends with the first problem that concerns
// every file; what it did not try is in no outcome.
func (s *Service) deliver(ctx context.Context, run *jobs.Run, d drive.Drive, waiting []item, first bool) (outcomes []outcome) {
	var mu sync.Mutex
	stopped := false
	one := func(it item) {
		mu.Lock()
		skip := stopped
		mu.Unlock()
		if skip || ctx.Err() != nil {
			return
		}
		o := s.put(ctx, run, d, it)
		mu.Lock()
		defer mu.Unlock()
		outcomes, stopped = append(outcomes, o), stopped || o.stops()
	}
	if first {
		one(waiting[0])
		waiting = waiting[1:]
	}
	next := make(chan item)
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() {
			for it := range next {
				one(it)
			}
		})
	}
	for _, it := range waiting {
		next <- it
	}
	close(next)
	all.Wait()
	return outcomes
}

// put makes one file and brings it to its path, or to the next one where another file stands there.
func (s *Service) put(ctx context.Context, run *jobs.Run, d drive.Drive, it item) outcome {
	o := outcome{item: it}
	f, err := s.politely(ctx, run, it)
	if errors.Is(err, errGone) {
		o.gone = true
		return o
	}
	if err != nil {
		if ctx.Err() == nil {
			s.Log.Error("a file for a drive could not be made", "item", it.ID, "error", err)
		}
		o.unmade = true
		return o
	}
	o.sum, o.bytes = hex.EncodeToString(f.Sum[:]), f.Size
	for err = drive.ErrOther; errors.Is(err, drive.ErrOther) && o.Copy <= copies; {
		f.Path = drive.Numbered(it.Path, int(o.Copy))
		if err = d.Put(ctx, f); errors.Is(err, drive.ErrOther) {
			o.Copy++
		}
	}
	if err != nil {
		if o.problem = drive.ProblemOf(err); errors.Is(err, drive.ErrOther) {
			o.problem = drive.Busy // a folder full of files of this name
		}
	}
	return o
}

// note keeps what became of files, and tells the connection.
func (s *Service) note(tx *db.Tx, c connections.Open, outcomes []outcome) error {
	var stop drive.Problem
	for _, o := range outcomes {
		switch {
		case o.stops():
			stop = o.problem // the file is not at fault: it waits
		case o.gone:
			if _, err := tx.Exec(`DELETE FROM drive_items WHERE tenant_id = $1 AND id = $2 AND state = 'waiting'`, o.ID); err != nil {
				return err
			}
		case o.problem == "" && !o.unmade:
			if _, err := tx.Exec(`UPDATE drive_items SET state = 'stored', reason = '', copy = $3, sum = $4, bytes = $5, stored_at = $6
				WHERE tenant_id = $1 AND id = $2 AND state = 'waiting'`, o.ID, o.Copy, o.sum, o.bytes, tx.Now); err != nil {
				return err
			}
		default:
			state, reason := Waiting, string(o.problem)
			if o.unmade {
				reason = "unmade"
			}
			if o.Tries+1 >= tryMost {
				state = GivenUp
			}
			if _, err := tx.Exec(`UPDATE drive_items SET state = $3, reason = $4, tries = $5, next_at = $6 WHERE tenant_id = $1 AND id = $2
				AND state = 'waiting'`, o.ID, string(state), reason, o.Tries+1,
				tx.Now.Add(min(pauseFirst<<min(o.Tries, 20), pauseMost))); err != nil {
				return err
			}
		}
	}
	return s.Connections.Report(tx, c, stop, drive.Unknown)
}
