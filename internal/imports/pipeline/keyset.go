package pipeline

import (
	"encoding/binary"
	"math/bits"
)

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
