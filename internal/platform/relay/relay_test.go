package relay

import (
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

// side by side, and in turns.
func side() bool    { return false }
func inTurns() bool { return true }

func TestBlocksComeWholeAndInOrder(t *testing.T) {
	for _, n := range []int{0, 1, 9, 10, 11, 1000} {
		var got []int
		err := Blocks(side, 2+n%3, 10, func(add func(int) error) error {
			for i := range n {
				if err := add(i); err != nil {
					return err
				}
			}
			return nil
		}, func(block []int) error { got = append(got, block...); return nil })
		if err != nil || len(got) != n || !slices.IsSorted(got) {
			t.Error(n, len(got), err)
		}
	}
}

func TestWhoeverFailsFirstEndsBlocksForBoth(t *testing.T) {
	broken, full := errors.New("broken"), errors.New("full")
	forever := func(add func(int) error) error {
		for i := 0; ; i++ {
			if err := add(i); err != nil {
				return err
			}
		}
	}
	taken := 0
	if err := Blocks(side, 2, 3, forever, func([]int) error { taken++; return full }); !errors.Is(err, full) || taken != 1 {
		t.Error(err, taken)
	}
	got := 0
	if err := Blocks(side, 2, 3, func(add func(int) error) error { return errors.Join(add(1), add(2), add(3), add(4), broken) }, func(b []int) error { got += len(b); return nil }); !errors.Is(err, broken) || got != 3 {
		t.Error(err, got)
	}
	defer func() {
		if recover() != "a hole in the road" {
			t.Error("a panic beside is not one of the caller")
		}
	}()
	_ = Blocks(side, 2, 3, func(func(int) error) error { panic("a hole in the road") }, func([]int) error { return nil })
}

func TestPanicOfAReader_LeavesNoWriterWaiting(t *testing.T) {
	ended := make(chan error, 1)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is gone")
			}
		}()
		_ = Blocks(side, 2, 2, func(add func(int) error) (err error) {
			for i := 0; err == nil; i++ {
				err = add(i)
			}
			ended <- err
			return err
		}, func([]int) error { panic("broken") })
	}()
	if err := <-ended; !errors.Is(err, errNoMore) {
		t.Error(err)
	}
}

func TestInTurnsOneWorksAtATime(t *testing.T) {
	const n = 1000
	var busy, got atomic.Int64
	work := func() {
		if busy.Add(1) > 1 {
			t.Error("both work")
		}
		runtime.Gosched()
		busy.Add(-1)
	}
	if err := Blocks(inTurns, 4, 10, func(add func(int64) error) error {
		for range n {
			work()
			if err := add(1); err != nil {
				return err
			}
		}
		return nil
	}, func(block []int64) error {
		for _, one := range block {
			work()
			got.Add(one)
		}
		return nil
	}); err != nil || got.Load() != n {
		t.Error(err, got.Load())
	}
}
