package blob

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"saldo/internal/platform/vault"
)

const row = "2026-11-09;+48601100000;Jan Kowalski;PARTNER;COST;-12,50;PLN"

// atRest is what the disk or the service has under a key.
func atRest(t *testing.T, s Store, key string) []byte {
	t.Helper()
	raw, err := s.(*store).get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	content, err := io.ReadAll(raw)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// lay puts bytes at rest as they are, as former versions did.
func lay(t *testing.T, s Store, key string, content []byte) {
	t.Helper()
	if err := s.(*store).put(t.Context(), key, bytes.NewReader(content)); err != nil {
		t.Fatal(err)
	}
}

func fetch(t *testing.T, s Store, key string) ([]byte, error) {
	t.Helper()
	file, err := s.Fetch(t.Context(), key)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.NewSectionReader(file, 0, file.Size))
}

func sealed(t *testing.T, s Store, key string) bool {
	t.Helper()
	done, err := s.Seal(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// table is a file of that size with a known row in every line.
func table(size int) []byte { return bytes.Repeat([]byte(row+"\n"), size/len(row)+1)[:size] }

var sizes = []int{0, 1, 1000, 64 << 10, chunk + 1, 2*chunk + 12345}

func TestNothingThatWasPutCanBeReadAtRest(t *testing.T) {
	onBoth(t, func(t *testing.T, s Store) {
		for _, n := range sizes {
			key := fmt.Sprint("north/imports/", n)
			content := table(n)
			put(t, s, key, content)
			kept := atRest(t, s, key)
			if bytes.Contains(kept, []byte("Kowalski")) || bytes.Contains(kept, []byte(row[:16])) || newVault(t).FileKey(kept) == "" {
				t.Errorf("%d bytes are kept as %.60q", n, kept)
			}
			if got, err := fetch(t, s, key); err != nil || !bytes.Equal(got, content) || !bytes.Equal(get(t, s, key), content) {
				t.Errorf("%d bytes came back as %d, %v", n, len(got), err)
			}
		}
	})
}

func TestWhatFormerVersionsKeptIsReadAndCanBeSealed(t *testing.T) {
	onBoth(t, func(t *testing.T, s Store) {
		for _, n := range sizes {
			key := fmt.Sprint("north/evidence/", n)
			content := table(n)
			lay(t, s, key, content)
			for _, first := range []bool{true, false} {
				if got, err := fetch(t, s, key); err != nil || !bytes.Equal(got, content) || !bytes.Equal(get(t, s, key), content) {
					t.Errorf("%d bytes came back as %d, %v", n, len(got), err)
				}
				if sealed(t, s, key) != first {
					t.Errorf("%d bytes are sealed twice or not at all", n)
				}
			}
			if bytes.Contains(atRest(t, s, key), []byte("Kowalski")) {
				t.Errorf("%d bytes stand in the open", n)
			}
		}
		if sealed(t, s, "north/missing") {
			t.Error("a missing blob is sealed")
		}
	})
}

func TestAnotherKeySealsAnew(t *testing.T) {
	onBoth(t, func(t *testing.T, s Store) {
		content := table(chunk + 5)
		put(t, s, "north/a", content)
		both, err := vault.Open(olderKey, key)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := vault.Open(olderKey)
		if err != nil {
			t.Fatal(err)
		}
		other := &store{s.(*store).shelf, alone}
		if _, err := other.Seal(t.Context(), "north/a"); err == nil || !strings.Contains(err.Error(), "older key") {
			t.Errorf("without the key it is sealed: %v", err)
		}
		if !bytes.Equal(get(t, s, "north/a"), content) {
			t.Error("it was changed")
		}
		next := &store{s.(*store).shelf, both}
		if !sealed(t, next, "north/a") || sealed(t, next, "north/a") {
			t.Error("it is not sealed anew once")
		}
		if !bytes.Equal(get(t, other, "north/a"), content) {
			t.Error("it came back changed")
		}
	})
}

func TestWhatWasChangedAtRestIsNeverGivenOut(t *testing.T) {
	onBoth(t, func(t *testing.T, s Store) {
		content := table(chunk + 300_000)
		put(t, s, "north/a", content)
		put(t, s, "south/a", content)
		mine, theirs := atRest(t, s, "north/a"), atRest(t, s, "south/a")
		const block = 64<<10 + 16
		head := len(mine) - len(content) - 16*((len(content)+64<<10-1)/(64<<10))
		flipped := slices.Clone(mine)
		flipped[len(mine)/2] ^= 1
		swapped := slices.Concat(mine[:head+block], mine[head+2*block:head+3*block], mine[head+block:head+2*block], mine[head+3*block:])
		for what, kept := range map[string][]byte{
			"a flipped bit": flipped, "a cut tail": mine[:len(mine)-1], "a cut block": mine[:head+3*block], "swapped blocks": swapped,
			"another partner's file": theirs, "half a head": mine[:100],
		} {
			lay(t, s, "north/a", kept)
			r, _, err := s.Get(t.Context(), "north/a")
			var got []byte
			if err == nil {
				got, err = io.ReadAll(r)
				r.Close()
			}
			if !errors.Is(err, vault.ErrFileDamaged) || !bytes.HasPrefix(content, got) {
				t.Errorf("%s: %d bytes and %v", what, len(got), err)
			}
			if got, err := fetch(t, s, "north/a"); !errors.Is(err, vault.ErrFileDamaged) || !bytes.HasPrefix(content, got) {
				t.Errorf("%s, fetched: %d bytes and %v", what, len(got), err)
			}
			if !bytes.Equal(atRest(t, s, "north/a"), kept) {
				t.Errorf("%s: it was changed", what)
			}
		}
	})
}

// meanwhile does something after a content was opened to be sealed.
type meanwhile struct {
	Sealer
	do func()
}

func (m meanwhile) SealFile(name string, plain io.Reader) (io.Reader, error) {
	m.do()
	return m.Sealer.SealFile(name, plain)
}

func TestSealingDoesNotUndoWhatHappenedMeanwhile(t *testing.T) {
	onBoth(t, func(t *testing.T, s Store) {
		for _, n := range []int{1000, 2 * chunk} {
			key := fmt.Sprint("north/", n)
			lay(t, s, key, table(n))
			deleting := &store{s.(*store).shelf, meanwhile{newVault(t), func() {
				if err := s.Delete(t.Context(), key); err != nil {
					t.Error(err)
				}
			}}}
			if sealed(t, deleting, key) || len(list(t, s, "")) != 0 {
				t.Errorf("%d bytes came back after they were deleted", n)
			}
			lay(t, s, key, table(n))
			replacing := &store{s.(*store).shelf, meanwhile{newVault(t), func() { put(t, s, key, []byte("new")) }}}
			if sealed(t, replacing, key) || string(get(t, s, key)) != "new" {
				t.Errorf("%d bytes took the place of what replaced them", n)
			}
			if err := s.Delete(t.Context(), key); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestOldBlobsAreSealedByManyWhileTheyAreRead(t *testing.T) {
	onBoth(t, func(t *testing.T, s Store) {
		content := map[string][]byte{}
		for i := range 12 {
			key := fmt.Sprint("north/", i)
			content[key] = table(1000 + i*60_000)
			lay(t, s, key, content[key])
		}
		open, size, err := s.Get(t.Context(), "north/11")
		if err != nil {
			t.Fatal(err)
		}
		defer open.Close()
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				for key := range content {
					if _, err := s.Seal(t.Context(), key); err != nil {
						t.Error(err)
					}
				}
			})
			group.Go(func() {
				for key, want := range content {
					r, _, err := s.Get(t.Context(), key)
					if err != nil {
						t.Error(err)
						return
					}
					got, err := io.ReadAll(r)
					r.Close()
					if err != nil || !bytes.Equal(got, want) {
						t.Errorf("%s: %d of %d bytes, %v", key, len(got), len(want), err)
					}
				}
			})
		}
		group.Wait()
		if got, err := io.ReadAll(open); err != nil || int64(len(got)) != size || !bytes.Equal(got, content["north/11"]) {
			t.Errorf("what was open before gave %d of %d bytes, %v", len(got), size, err)
		}
		for key, want := range content {
			if sealed(t, s, key) || !bytes.Equal(get(t, s, key), want) {
				t.Errorf("%s is not sealed, or not what it was", key)
			}
		}
	})
}

func TestInterruptedSealing_LeavesFilesReadable(t *testing.T) {
	onBoth(t, func(t *testing.T, s Store) {
		lay(t, s, "north/a", table(3*chunk))
		died := errors.New("killed")
		dying := &store{s.(*store).shelf, dies{newVault(t), died}}
		if _, err := dying.Seal(t.Context(), "north/a"); !errors.Is(err, died) {
			t.Fatalf("it gives %v", err)
		}
		if !bytes.Equal(atRest(t, s, "north/a"), table(3*chunk)) {
			t.Error("half of it is sealed")
		}
		if !sealed(t, s, "north/a") || !bytes.Equal(get(t, s, "north/a"), table(3*chunk)) {
			t.Error("the next one does not seal it")
		}
	})
}

// dies breaks off in the middle of sealing.
type dies struct {
	Sealer
	why error
}

func (d dies) SealFile(name string, plain io.Reader) (io.Reader, error) {
	sealed, err := d.Sealer.SealFile(name, plain)
	return io.MultiReader(io.LimitReader(sealed, 2*chunk), &failing{d.why}), err
}

type failing struct{ why error }

func (f *failing) Read([]byte) (int, error) { return 0, f.why }

// measured notes the most memory in use while it is read.
type measured struct {
	left    int64
	maximum uint64
}

func (m *measured) Read(p []byte) (int, error) {
	if m.left == 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), m.left))
	if m.left -= int64(n); m.left%(32<<20) < int64(n) {
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		m.maximum = max(m.maximum, memory.HeapAlloc)
	}
	return n, nil
}

// In vault a file of 256 MB is sealed and read.
func TestALargeFileIsKeptAndSealedWithoutMemory(t *testing.T) {
	s := openDisk(t)
	const size = 64 << 20
	source := &measured{left: size}
	if _, err := s.Put(t.Context(), "north/new", source, size); err != nil {
		t.Fatal(err)
	}
	if err := s.(*store).put(t.Context(), "north/old", &measured{left: size}); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if !sealed(t, s, "north/old") {
		t.Error("it was not sealed")
	}
	runtime.ReadMemStats(&after)
	if maximum := max(source.maximum, after.HeapSys-min(before.HeapSys, after.HeapSys)); maximum > 32<<20 {
		t.Errorf("%d MB are in use", maximum>>20)
	}
	for _, key := range []string{"north/new", "north/old"} {
		file, err := s.Fetch(t.Context(), key)
		if err != nil || file.Size != size {
			t.Fatal(file, err)
		}
		file.Close()
	}
}
