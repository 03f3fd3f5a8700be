package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

// former stores files as former versions did: as they come.
type former struct{ *vault.Vault }

func (former) SealFile(_ string, plain io.Reader) (io.Reader, error) { return plain, nil }
func (former) FileKey([]byte) string                                 { return "" }

// kept opens a store twice: as it is, and as a former version did.
func kept(t *testing.T, where string, v *vault.Vault) (now, before blob.Store) {
	t.Helper()
	address, folder := "", t.TempDir()
	if where == "bucket" {
		backend := s3mem.New()
		if err := backend.CreateBucket("files"); err != nil {
			t.Fatal(err)
		}
		srv := httptest.NewServer(gofakes3.New(backend, gofakes3.WithLogger(gofakes3.StdLog(log.New(io.Discard, "", 0)))).Server())
		t.Cleanup(srv.Close)
		address = "s3://KEY:SECRET@" + strings.TrimPrefix(srv.URL, "http://") + "/files?region=x&tls=false"
	}
	now, err := blob.Open(address, folder, v)
	if err != nil {
		t.Fatal(err)
	}
	if before, err = blob.Open(address, folder, former{v}); err != nil {
		t.Fatal(err)
	}
	return now, before
}

func content(t *testing.T, s blob.Store, key string) []byte {
	t.Helper()
	r, _, err := s.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	all, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// watched counts what is asked of a store, and can stop the program in the middle.
type watched struct {
	blob.Store
	lists, seals atomic.Int64
	die          func(seals int64) bool
}

func (w *watched) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	w.lists.Add(1)
	return w.Store.List(ctx, prefix)
}

func (w *watched) Seal(ctx context.Context, key string) (bool, error) {
	if w.die != nil && w.die(w.seals.Add(1)) {
		<-ctx.Done()
	}
	return w.Store.Seal(ctx, key)
}

// works runs a queue with the job until it is told to stop.
func works(d *db.DB, store blob.Store, keyID string) (stop func()) {
	queue := jobs.NewQueue(d, slog.New(slog.DiscardHandler))
	queue.Poll, queue.Grace = 5*time.Millisecond, 0
	queue.Handle(sealKind, sealing{store, keyID, slog.New(slog.DiscardHandler)}.handle)
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() { queue.Run(ctx, 2) })
	return func() { cancel(); working.Wait() }
}

func order(t *testing.T, d *db.DB) {
	t.Helper()
	testkit.Write(t, d, access.Program("test"), func(tx *db.Tx) error { return jobs.Enqueue(tx, jobs.Order{Kind: sealKind, Key: "seal"}) })
}

func idle(t *testing.T, d *db.DB) {
	t.Helper()
	testkit.Eventually(t, "the job ends", func() bool {
		var counts map[jobs.State]int64
		testkit.Read(t, d, access.Program("test"), func(tx *db.Tx) (err error) { counts, err = jobs.Counts(tx); return err })
		return counts[jobs.Waiting]+counts[jobs.Running] == 0
	})
}

func ended(t *testing.T, d *db.DB) (n int64) {
	t.Helper()
	testkit.Read(t, d, access.Program("test"), func(tx *db.Tx) (err error) {
		n, err = db.One[int64](tx.Across(), `SELECT COUNT(*) FROM file_sealings`)
		return err
	})
	return n
}

// onEvery runs a test on each engine with each kind of store.
func onEvery(t *testing.T, test func(t *testing.T, d *db.DB, v *vault.Vault, now, before blob.Store)) {
	t.Helper()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		for _, where := range []string{"folder", "bucket"} {
			t.Run(where, func(t *testing.T) {
				v, err := vault.Open(testkit.Key)
				if err != nil {
					t.Fatal(err)
				}
				testkit.Write(t, d, access.Program("test"), func(tx *db.Tx) error {
					_, err := tx.Across().Exec(`DELETE FROM file_sealings WHERE key_id <> $1`, "")
					return err
				})
				now, before := kept(t, where, v)
				test(t, d, v, now, before)
			})
		}
	})
}

func TestFilesOfFormerVersionsAreSealedWhateverIsKilledMeanwhile(t *testing.T) {
	onEvery(t, func(t *testing.T, d *db.DB, v *vault.Vault, now, before blob.Store) {
		files := map[string][]byte{}
		for i := range 20 {
			key := fmt.Sprintf("north/imports/%02d", i)
			files[key] = bytes.Repeat([]byte("2026-11-09;Jan Kowalski;-12,50\n"), 1+i*500)
			if _, err := before.Put(t.Context(), key, bytes.NewReader(files[key]), -1); err != nil {
				t.Fatal(err)
			}
		}
		open := func() (n int) {
			for key := range files {
				if bytes.Contains(content(t, before, key), []byte("Kowalski")) {
					n++
				}
			}
			return n
		}
		died := make(chan struct{})
		dying := &watched{Store: now, die: func(seals int64) bool {
			if seals == 8 {
				close(died)
			}
			return seals >= 8
		}}
		stop := works(d, dying, v.Current())
		order(t, d)
		<-died
		stop()
		if left := open(); left != 13 || ended(t, d) != 0 {
			t.Errorf("%d files are open after seven were sealed, ended %d", left, ended(t, d))
		}
		downloads, enough := sync.WaitGroup{}, make(chan struct{})
		downloads.Go(func() {
			for going := true; going; {
				for key, want := range files {
					r, _, err := now.Get(context.Background(), key)
					if err != nil {
						t.Error(err)
						return
					}
					got, err := io.ReadAll(r)
					if err = errors.Join(err, r.Close()); err != nil || !bytes.Equal(got, want) {
						t.Errorf("%s: %d of %d bytes, %v", key, len(got), len(want), err)
					}
				}
				select {
				case <-enough:
					going = false
				default:
				}
			}
		})
		watching := &watched{Store: now}
		stop, second := works(d, watching, v.Current()), works(d, watching, v.Current())
		defer second()
		defer stop()
		idle(t, d)
		if left := open(); left != 0 || ended(t, d) != 0 {
			t.Errorf("%d files are open, ended %d", left, ended(t, d))
		}
		order(t, d)
		idle(t, d)
		close(enough)
		downloads.Wait()
		lists := watching.lists.Load()
		order(t, d)
		idle(t, d)
		if ended(t, d) != 1 || watching.lists.Load() != lists {
			t.Errorf("ended %d, and files were looked through %d times after", ended(t, d), watching.lists.Load()-lists)
		}
		for key, want := range files {
			if !bytes.Equal(content(t, now, key), want) {
				t.Errorf("%s is not what it was", key)
			}
		}
	})
}

func TestAFileThatCannotBeReadHoldsUpNoOther(t *testing.T) {
	onEvery(t, func(t *testing.T, d *db.DB, v *vault.Vault, now, before blob.Store) {
		other, err := vault.Open([]byte("another invented key, 32 bytes.."))
		if err != nil {
			t.Fatal(err)
		}
		strange, err := other.SealFile("north/b", strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		for key, r := range map[string]io.Reader{"north/a": strings.NewReader("old"), "north/b": strange, "north/c": strings.NewReader("")} {
			if _, err := before.Put(t.Context(), key, r, -1); err != nil {
				t.Fatal(err)
			}
		}
		stop := works(d, now, v.Current())
		defer stop()
		for range 2 {
			order(t, d)
			idle(t, d)
		}
		if ended(t, d) != 1 || string(content(t, now, "north/a")) != "old" || len(content(t, now, "north/c")) != 0 ||
			v.FileKey(content(t, before, "north/a")) == "" {
			t.Errorf("ended %d", ended(t, d))
		}
		if _, _, err := now.Get(t.Context(), "north/b"); !errors.Is(err, vault.ErrFileKey) {
			t.Errorf("a file of another key gives %v", err)
		}
	})
}

// failing cannot read one of its blobs for now.
type failing struct {
	blob.Store
	key string
}

func (f failing) Seal(ctx context.Context, key string) (bool, error) {
	if key == f.key {
		return false, errors.New("the disk fails")
	}
	return f.Store.Seal(ctx, key)
}

func TestAFileThatIsOutOfReachForNowHoldsUpNoOther(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		v, err := vault.Open(testkit.Key)
		if err != nil {
			t.Fatal(err)
		}
		now, before := kept(t, "folder", v)
		for i := range 5 {
			if _, err := before.Put(t.Context(), fmt.Sprintf("north/imports/%d", i), strings.NewReader("Kowalski"), -1); err != nil {
				t.Fatal(err)
			}
		}
		var keys []string
		for key, err := range now.List(t.Context(), "") {
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, key)
		}
		stop := works(d, failing{now, keys[0]}, v.Current())
		defer stop()
		order(t, d)
		testkit.Eventually(t, "the others are sealed", func() bool {
			for _, key := range keys[1:] {
				if v.FileKey(content(t, before, key)) == "" {
					return false
				}
			}
			return true
		})
		if string(content(t, now, keys[0])) != "Kowalski" || ended(t, d) != 0 {
			t.Errorf("%d times all are called sealed", ended(t, d))
		}
	})
}
