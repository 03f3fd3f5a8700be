package web

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// How many requests of people who have not signed in may wait for their turn, and for how long. The rest are told to come later.
const (
	mostWaiting = 256
	longestWait = 10 * time.Second
)

// turns let few requests of people who have not signed in be worked on at a time, on half of the processors: however many come,
// those who have signed in find a processor free.
type turns struct {
	places  chan struct{}
	waiting atomic.Int64
}

func newTurns() *turns { return &turns{places: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))} }

// take waits for a turn of a request. It ends when the answer begins to be written, and whoever reads slowly holds none.
func (t *turns) take(ctx context.Context, rq *request) error {
	if t == nil || rq.leave != nil {
		return nil
	}
	defer t.waiting.Add(-1)
	if t.waiting.Add(1) > mostWaiting {
		return ErrBusy
	}
	limit := time.NewTimer(longestWait)
	defer limit.Stop()
	select {
	case t.places <- struct{}{}:
		rq.leave = sync.OnceFunc(func() { <-t.places })
		return nil
	case <-limit.C:
		return ErrBusy
	case <-ctx.Done():
		return ctx.Err()
	}
}

// EndTurn gives back the turn of a request: what follows has a limit of its own, as the checking of passwords has.
func EndTurn(ctx context.Context) { requestOf(ctx).endTurn() }

func (rq *request) endTurn() {
	if rq.leave != nil {
		rq.leave()
	}
}

// received is a request whose body is in memory, so that whoever sends slowly holds no turn. A body that could not be read says so
// to whoever reads it.
func received(rq *http.Request) {
	if rq.Body == nil || rq.Body == http.NoBody {
		return
	}
	content, err := io.ReadAll(rq.Body)
	read := io.Reader(bytes.NewReader(content))
	if err != nil {
		read = io.MultiReader(read, failing{err})
	}
	rq.Body = io.NopCloser(read)
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }
