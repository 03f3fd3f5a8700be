package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"saldo/internal/platform/vault"
)

func newVault(t *testing.T) *vault.Vault {
	t.Helper()
	v, err := vault.Open(key)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

var key, olderKey = noise(vault.KeySize), noise(vault.KeySize + 1)[1:]

func openS3(t *testing.T) Store {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("files"); err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(gofakes3.New(backend, gofakes3.WithLogger(gofakes3.StdLog(log.New(io.Discard, "", 0)))).Server())
	t.Cleanup(srv.Close)
	s, err := Open("s3://KEY:hush%2Fhush@"+strings.TrimPrefix(srv.URL, "http://")+"/files?region=eu-central-1&tls=false", "", newVault(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func openDisk(t *testing.T) Store {
	t.Helper()
	s, err := Open("", t.TempDir(), newVault(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// onBoth runs a test of the contract on each kind of store.
func onBoth(t *testing.T, test func(t *testing.T, s Store)) {
	t.Helper()
	t.Run("folder", func(t *testing.T) { test(t, openDisk(t)) })
	t.Run("bucket", func(t *testing.T) { test(t, openS3(t)) })
}

func put(t *testing.T, s Store, key string, content []byte) string {
	t.Helper()
	sum, err := s.Put(t.Context(), key, bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func get(t *testing.T, s Store, key string) []byte {
	t.Helper()
	r, size, err := s.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if size != int64(len(content)) {
		t.Fatalf("%s: size %d, but %d bytes", key, size, len(content))
	}
	return content
}

func list(t *testing.T, s Store, prefix string) []string {
	t.Helper()
	var keys []string
	for key, err := range s.List(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func noise(n int) []byte {
	random := rand.NewChaCha8([32]byte{1})
	content := make([]byte, n)
	random.Read(content)
	return content
}

func TestABlobComesBackAsItWasPut(t *testing.T) {
	onBoth(t, func(t *testing.T, s Store) {
		for _, n := range []int{0, 1, 1000, chunk - 1, chunk, chunk + 1, 2*chunk + 12345} {
			content := noise(n)
			want := sha256.Sum256(content)
			for _, size := range []int64{int64(n), -1} {
				key := fmt.Sprintf("t/%d/%d", n, size)
				// Half a buffer at a time: networks deliver in pieces.
				sum, err := s.Put(t.Context(), key, iotest.HalfReader(bytes.NewReader(content)), size)
				if err != nil {
					t.Fatal(err)
				}
				if sum != hex.EncodeToString(want[:]) {
					t.Errorf("%s: sum %s", key, sum)
				}
				if !bytes.Equal(get(t, s, key), content) {
					t.Errorf("%s came back changed", key)
				}
			}
		}
	})
}

func TestKeysMayLookLikePeoplesFiles(t *testing.T) {
	keys := []string{
		"a", "a/b", "a/b/c", "a.blob", "a.blob/b", "A", "incoming", "incoming/x", "t/rozliczenie za tydzień 45 – Żółć.pdf",
		"t/Абрис ґанку.xlsx", "t/100% +1 a=b&c?d#e;~*'(){}[]", "t/.hidden", "t/...", "t/con", "日本", strings.Repeat("x", maxKey),
		strings.Repeat("ż", maxKey/2), strings.Repeat("a/", maxKey/2-1) + "bc", strings.Repeat("y", maxPart), strings.Repeat("y", maxPart+1),
		strings.Repeat("y", maxPart) + "/z",
	}
	onBoth(t, func(t *testing.T, s Store) {
		for _, key := range keys {
			put(t, s, key, []byte("content of "+key))
		}
		for _, key := range keys {
			if got := string(get(t, s, key)); got != "content of "+key {
				t.Errorf("%q holds %q", key, got)
			}
		}
		slices.Sort(keys)
		if got := list(t, s, ""); !slices.Equal(got, keys) {
			t.Errorf("listed %q", got)
		}
	})
}

func TestKeysThatLeaveTheirPlaceAreRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, s Store) {
		for _, key := range []string{
			"", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/..", "./a", "a/.", `a\b`, `..\a`, "a\x00b", "a\nb", "a\u202eb",
			"a\xffb", "a\u00a0b", strings.Repeat("x", maxKey+1),
		} {
			if _, err := s.Put(t.Context(), key, strings.NewReader("x"), 1); err == nil {
				t.Errorf("%q can be put", key)
			}
			if _, _, err := s.Get(t.Context(), key); err == nil || errors.Is(err, ErrNotFound) {
				t.Errorf("%q can be asked for: %v", key, err)
			}
			if err := s.Delete(t.Context(), key); err == nil {
				t.Errorf("%q can be deleted", key)
			}
		}
		if got := list(t, s, ""); len(got) != 0 {
			t.Errorf("there is %q", got)
		}
		for _, err := range s.List(t.Context(), "a\nb") {
			if err == nil {
				t.Error("a prefix that no key can have is listed")
			}
		}
	})
}

func TestAMissingBlobIsNotFoundAndMayBeDeleted(t *testing.T) {
	onBoth(t, func(t *testing.T, s Store) {
		for range 2 {
			if _, _, err := s.Get(t.Context(), "t/a"); !errors.Is(err, ErrNotFound) {
				t.Errorf("a missing blob gives %v", err)
			}
			if err := s.Delete(t.Context(), "t/a"); err != nil {
				t.Error(err)
			}
		}
		put(t, s, "t/a", []byte("x"))
		put(t, s, "t/ab", []byte("y"))
		if err := s.Delete(t.Context(), "t/a"); err != nil {
			t.Error(err)
		}
		if got := list(t, s, "t/"); !slices.Equal(got, []string{"t/ab"}) {
			t.Errorf("left are %q", got)
		}
	})
}

func TestATornWriteLeavesTheOldBlobOrNone(t *testing.T) {
	torn := func(n int, err error) io.Reader {
		return io.MultiReader(bytes.NewReader(noise(n)), iotest.ErrReader(err))
	}
	onBoth(t, func(t *testing.T, s Store) {
		put(t, s, "t/old", []byte("old"))
		for name, c := range map[string]struct {
			content io.Reader
			size    int64
		}{
			"source fails":                     {torn(100, errors.New("cable pulled")), -1},
			"upload breaks off":                {torn(100, io.ErrUnexpectedEOF), -1},
			"upload breaks off, size known":    {torn(100, io.ErrUnexpectedEOF), 200},
			"large upload breaks off":          {torn(chunk+100, io.ErrUnexpectedEOF), -1},
			"large upload breaks off at chunk": {torn(2*chunk, io.ErrUnexpectedEOF), 3 * chunk},
			"shorter than announced":           {strings.NewReader("abc"), 4},
			"longer than announced":            {strings.NewReader("abc"), 2},
			"empty, but announced":             {strings.NewReader(""), 1},
			"large and shorter":                {bytes.NewReader(noise(chunk + 100)), chunk + 101},
			"large and longer":                 {bytes.NewReader(noise(2*chunk + 100)), 2 * chunk},
		} {
			whole, err := io.ReadAll(c.content)
			again := func() io.Reader {
				if err != nil {
					return io.MultiReader(bytes.NewReader(whole), iotest.ErrReader(err))
				}
				return bytes.NewReader(whole)
			}
			for _, key := range []string{"t/old", "t/new"} {
				if _, err := s.Put(t.Context(), key, again(), c.size); err == nil {
					t.Errorf("%s: no error for %s", name, key)
				}
			}
			if got := list(t, s, ""); !slices.Equal(got, []string{"t/old"}) || string(get(t, s, "t/old")) != "old" {
				t.Fatalf("%s: it left %q", name, got)
			}
		}
	})
}

func TestReadersSeeOneWholeContentWhileWritersReplaceIt(t *testing.T) {
	onBoth(t, func(t *testing.T, s Store) {
		content := func(i int) []byte { return bytes.Repeat([]byte{byte('a' + i)}, 100_000+i) }
		put(t, s, "t/x", content(0))
		var group sync.WaitGroup
		for i := range 4 {
			group.Go(func() {
				for range 5 {
					if _, err := s.Put(t.Context(), "t/x", bytes.NewReader(content(i)), -1); err != nil {
						t.Error(err)
					}
				}
			})
			group.Go(func() {
				for range 10 {
					r, size, err := s.Get(t.Context(), "t/x")
					if err != nil {
						t.Error(err)
						return
					}
					got, err := io.ReadAll(r)
					r.Close()
					if err != nil || int64(len(got)) != size || !bytes.Equal(got, content(int(got[0]-'a'))) {
						t.Errorf("%d of %d bytes, %v", len(got), size, err)
					}
				}
			})
		}
		group.Wait()
	})
}

func TestListingKeepsToThePrefix(t *testing.T) {
	onBoth(t, func(t *testing.T, s Store) {
		all := map[string]bool{}
		for tenant := range 3 {
			for i := range 12 {
				key := fmt.Sprintf("tenant%d/żółw %d/%s.pdf", tenant, i%3, strings.Repeat("ł", i*12+1))
				put(t, s, key, []byte(key))
				all[key] = true
			}
		}
		for _, prefix := range []string{
			"", "t", "tenant1", "tenant1/", "tenant1/żół", "tenant1/żółw 2/", "tenant1/żółw 2/łł", "tenant1/żółw 0/" + strings.Repeat("ł", 80),
			"tenant2/żółw 2/ł.pdf", "x", "tenant1/żółw 2", "/", "tenant1//",
		} {
			want := slices.Sorted(maps.Keys(all))
			want = slices.DeleteFunc(want, func(key string) bool { return !strings.HasPrefix(key, prefix) })
			if got := list(t, s, prefix); !slices.Equal(got, want) {
				t.Errorf("%q lists %q instead of %q", prefix, got, want)
			}
		}
		for range s.List(t.Context(), "") {
			break // a listing may be left early
		}
	})
}

func TestACancelledContextStopsTheStore(t *testing.T) {
	onBoth(t, func(t *testing.T, s Store) {
		put(t, s, "t/a", []byte("x"))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.Put(ctx, "t/a", strings.NewReader("y"), 1); !errors.Is(err, context.Canceled) {
			t.Errorf("put gives %v", err)
		}
		if _, _, err := s.Get(ctx, "t/a"); !errors.Is(err, context.Canceled) {
			t.Errorf("get gives %v", err)
		}
		if err := s.Delete(ctx, "t/a"); !errors.Is(err, context.Canceled) {
			t.Errorf("delete gives %v", err)
		}
		var last error
		for _, err := range s.List(ctx, "") {
			last = err
		}
		if !errors.Is(last, context.Canceled) {
			t.Errorf("list gives %v", last)
		}
		if string(get(t, s, "t/a")) != "x" {
			t.Error("the blob was changed")
		}
	})
}
