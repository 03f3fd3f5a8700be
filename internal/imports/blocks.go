package imports

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
	"sync"
)

// errNoMore tells who fills blocks that nobody takes them any more.
var errNoMore = errors.New("imports: nobody takes the blocks any more")

// inBlocks has fill work beside take: what fill adds is taken block by block by
// the goroutine that called, which owns the unit of work. A taken block is
// filled again, so take keeps nothing of it. A panic of fill is one of the
// caller.
func inBlocks[T any](size int, fill func(add func(T) error) error, take func([]T) error) error {
	type end struct {
		err      error
		panicked any
	}
	full, empty, stop, ended := make(chan []T, 1), make(chan []T, 3), make(chan struct{}), make(chan end, 1)
	empty <- nil // with the first there are two: one is filled while one is taken
	give := func(block []T) ([]T, error) {
		select {
		case full <- block:
		case <-stop:
			return nil, errNoMore
		}
		select {
		case block = <-empty:
			return block[:0], nil
		case <-stop:
			return nil, errNoMore
		}
	}
	go func() {
		var e end
		defer func() {
			e.panicked = recover()
			ended <- e
			close(full)
		}()
		var block []T
		e.err = fill(func(one T) (err error) {
			if len(block) == cap(block) { // a small file takes little room, a large one no more than it needs
				block = slices.Grow(block, min(max(100, 3*len(block)), size-len(block)))
			}
			if block = append(block, one); len(block) == size {
				block, err = give(block)
			}
			return err
		})
		if e.err == nil && len(block) > 0 {
			_, e.err = give(block)
		}
	}()
	over := sync.OnceFunc(func() { close(stop) })
	defer over() // also on a panic of take: who fills would wait for good
	var err error
	for block := range full {
		if err != nil {
			continue
		}
		if err = take(block); err != nil {
			over()
			continue
		}
		clear(block) // what it pointed to may go
		empty <- block
	}
	made := <-ended
	if made.panicked != nil {
		panic(made.panicked)
	}
	if err != nil {
		return err
	}
	return made.err
}

// keySet remembers keys, and how often those that came again came. It is made
// for a million keys: they stand in it side by side.
type keySet struct {
	slots []rowKey // nothing: free
	used  int
	again map[rowKey]uint32
}

// roomFor is a set with room for so many keys and no more than a million: it
// need not grow where that many come.
func roomFor(keys int64) keySet {
	return keySet{slots: make([]rowKey, max(1024, min(keys, 1_000_000)*4/3+1))}
}

// add says how often the key has come, this time included.
func (s *keySet) add(key rowKey) uint32 {
	if 4*s.used >= 3*len(s.slots) {
		s.grow()
	}
	at := s.find(key)
	if *at == key {
		if s.again == nil {
			s.again = map[rowKey]uint32{}
		}
		s.again[key]++
		return 1 + s.again[key]
	}
	*at = key
	s.used++
	return 1
}

// find is where the key stands or would stand: the place of its last half
// among all there are, or the next free one.
func (s *keySet) find(key rowKey) *rowKey {
	n, _ := bits.Mul64(binary.LittleEndian.Uint64(key[8:]), uint64(len(s.slots)))
	for ; ; n++ {
		if n == uint64(len(s.slots)) {
			n = 0
		}
		if at := &s.slots[n]; *at == key || *at == (rowKey{}) {
			return at
		}
	}
}

func (s *keySet) grow() {
	former := s.slots
	s.slots = make([]rowKey, max(1024, 2*len(former)))
	for _, key := range former {
		if key != (rowKey{}) {
			*s.find(key) = key
		}
	}
}
