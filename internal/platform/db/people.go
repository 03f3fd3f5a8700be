package db

import (
	"context"
	"sync/atomic"
	"time"
)

type unhurried struct{}

// Unhurried marks what is done under a context as the work of jobs: nobody
// waits for it.
func Unhurried(ctx context.Context) context.Context {
	return context.WithValue(ctx, unhurried{}, true)
}

// people are those for whom this process works just now, as units of work of
// jobs see them. Units of other jobs do not count: on PostgreSQL the one that
// keeps the lease of an import waits for the import.
type people struct {
	going atomic.Int64        // units of work
	ended atomic.Int64        // how many
	when  [crowd]atomic.Int64 // the last of them did, in nanoseconds
}

// So many units of work in so short a time are a crowd: somebody who watches
// an import asks four times a second, and should not slow it down.
const (
	crowd  = 4
	lately = 250 * time.Millisecond
)

func (p *people) came() { p.going.Add(1) }

func (p *people) went() {
	p.when[p.ended.Add(1)%crowd].Store(time.Now().UnixNano())
	p.going.Add(-1)
}

// Crowded says that this is a unit of work of a job and that people want
// something of this process all the time: it should leave a core to them.
func (tx *Tx) Crowded() bool {
	if !tx.unhurried {
		return false
	}
	oldest := &tx.people.when[(tx.people.ended.Load()+1)%crowd]
	return tx.people.going.Load() > 0 || time.Now().UnixNano()-oldest.Load() < int64(lately)
}

// GiveWay is called every few milliseconds by a unit of work of a job that takes
// long: it pauses while units of people are going on, but no longer than it
// worked since the last time. So who looks something up while a large file
// comes in waits little, and the file goes on at half its speed at least.
func (tx *Tx) GiveWay() {
	if !tx.unhurried {
		return
	}
	if now := time.Now(); !tx.at.IsZero() {
		for least := now.Add(now.Sub(tx.at)); tx.people.going.Load() > 0 && time.Now().Before(least); {
			time.Sleep(time.Millisecond)
		}
	}
	tx.at = time.Now()
}
