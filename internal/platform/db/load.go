package db

import (
	"context"
	"sync/atomic"
	"time"
)

type background struct{}

// Background marks what is done under a context as the work of jobs, for which
// no person waits.
func Background(ctx context.Context) context.Context {
	return context.WithValue(ctx, background{}, true)
}

// interactive counts the units of work that people wait for. Units of jobs do
// not count: on PostgreSQL the one that keeps the lease of an import waits for
// the import.
type interactive struct {
	going atomic.Int64            // units that run now
	ended atomic.Int64            // units that have ended
	when  [loadUnits]atomic.Int64 // when the last of them ended, in nanoseconds
}

// So many units of work within the window are interactive load: a person who
// watches an import asks four times a second, and should not slow it down.
const (
	loadUnits  = 4
	loadWindow = 250 * time.Millisecond
)

func (p *interactive) begin() { p.going.Add(1) }

func (p *interactive) end() {
	p.when[p.ended.Add(1)%loadUnits].Store(time.Now().UnixNano())
	p.going.Add(-1)
}

// HasInteractiveLoad says that this is a unit of work of a job and that people send
// requests to this process all the time: the job should leave a core to them.
func (tx *Tx) HasInteractiveLoad() bool {
	if !tx.background {
		return false
	}
	oldest := &tx.interactive.when[(tx.interactive.ended.Load()+1)%loadUnits]
	return tx.interactive.going.Load() > 0 || time.Now().UnixNano()-oldest.Load() < int64(loadWindow)
}

// Yield is called every few milliseconds by a unit of work of a job that takes
// long: it pauses while units of people are going on, but no longer than it
// worked since the last time. So who looks something up while a large file
// comes in waits little, and the file goes on at half its speed at least.
func (tx *Tx) Yield() {
	if !tx.background {
		return
	}
	if now := time.Now(); !tx.at.IsZero() {
		for until := now.Add(now.Sub(tx.at)); tx.interactive.going.Load() > 0 && time.Now().Before(until); {
			time.Sleep(time.Millisecond)
		}
	}
	tx.at = time.Now()
}
