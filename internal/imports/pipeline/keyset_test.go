package pipeline

import (
	"math/rand/v2"
	"testing"
)

func TestAKeySetCountsLikeAMap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	keys := make([]rowKey, 3000)
	for n := range keys {
		for i := range keys[n] {
			keys[n][i] = byte(random.Uint32())
		}
		if n%3 == 0 && n > 0 {
			copy(keys[n][8:], keys[n-1][8:]) // some share a place
		}
	}
	var set keySet
	counted := map[rowKey]uint32{}
	for range 10_000 {
		key := keys[random.IntN(len(keys))]
		counted[key]++
		if got := set.add(key); got != counted[key] {
			t.Fatalf("%x came %d times, not %d", key, counted[key], got)
		}
	}
}
