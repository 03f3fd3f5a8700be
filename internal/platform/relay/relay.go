// Package relay has one goroutine fill blocks while another takes them.
package relay

import (
	"errors"
	"slices"
	"sync"
)

// errNoMore tells who fills blocks that nobody takes them any more.
var errNoMore = errors.New("relay: nobody takes the blocks any more")

// Blocks has fill work beside take: what fill adds is taken block by block by
// the goroutine that called, which owns the unit of work. A taken block is
// filled again, so take keeps nothing of it. Two blocks will do where each is
// worth waking somebody for; of small ones there should be more, or the two
// wait for each other all the time. While turns says so, they work in turns and
// take one core. A panic of fill is one of the caller.
func Blocks[T any](turns func() bool, blocks, size int, fill func(add func(T) error) error, take func([]T) error) error {
	type end struct {
		err      error
		panicked any
	}
	full, empty, stop, ended := make(chan []T, blocks), make(chan []T, blocks), make(chan struct{}), make(chan end, 1)
	spare, away := make([][]T, blocks-1), 0 // the first is being filled
	give := func(block []T) ([]T, error) {
		select {
		case full <- block:
			away++
		case <-stop:
			return nil, errNoMore
		}
		for len(spare) == 0 || away > 0 && turns() {
			select {
			case block = <-empty:
				spare, away = append(spare, block[:0]), away-1
			case <-stop:
				return nil, errNoMore
			}
		}
		block, spare = spare[len(spare)-1], spare[:len(spare)-1]
		return block, nil
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
