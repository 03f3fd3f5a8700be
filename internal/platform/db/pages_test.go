package db

import (
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"

	"modernc.org/libc"
)

// TestMemoryOfPages_IsNotShared asks for memory of all sizes beside each other, gives back and changes it: nobody writes into what another has.
func TestMemoryOfPages_IsNotShared(t *testing.T) {
	if err := ownPages(); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for one := range byte(4) {
		all.Go(func() {
			tls := libc.NewTLS()
			defer tls.Close()
			random := rand.New(rand.NewPCG(uint64(one), 1))
			type had struct {
				memory uintptr
				n      int32
				sign   byte
			}
			bytes := func(h had) []byte { return unsafe.Slice(at[byte](h.memory), h.n) }
			fill := func(h had) {
				for i := range bytes(h) {
					bytes(h)[i] = h.sign
				}
			}
			holds := func(h had, n int32) {
				for i, b := range bytes(h)[:n] {
					if b != h.sign {
						t.Errorf("at %d of %d stands %d, not %d", i, h.n, b, h.sign)
						return
					}
				}
			}
			sizes := []int32{1, 4096, 4097, int32(pages.size) - 8, int32(pages.size), int32(pages.size) + 1, 9000}
			var list []had
			for step := range 2_000 {
				n := sizes[random.IntN(len(sizes))]
				switch {
				case len(list) < 200 || random.IntN(3) == 0:
					h := had{give(tls, n), n, byte(step)*4 + one}
					if h.memory == 0 || h.memory%8 != 0 || size(tls, h.memory) < n {
						t.Errorf("%d bytes at %x of size %d", n, h.memory, size(tls, h.memory))
						return
					}
					fill(h)
					list = append(list, h)
				case random.IntN(2) == 0:
					h := &list[random.IntN(len(list))]
					kept := min(h.n, n)
					h.memory, h.n = change(tls, h.memory, n), n
					holds(*h, kept)
					fill(*h)
				default:
					i := random.IntN(len(list))
					holds(list[i], list[i].n)
					take(tls, list[i].memory)
					list[i] = list[len(list)-1]
					list = list[:len(list)-1]
				}
			}
			for _, h := range list {
				holds(h, h.n)
				take(tls, h.memory)
			}
		})
	}
	all.Wait()
}
