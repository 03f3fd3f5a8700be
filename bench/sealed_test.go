//go:build bench

package bench

import (
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"saldo/internal/platform/blob"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

// numbered is a file of so many bytes that hold rows.
type numbered struct{ left int64 }

func (n *numbered) Read(p []byte) (int, error) {
	if n.left == 0 {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), n.left)]
	for i := range p {
		p[i] = "2026-11-02;Jan Nowak;trip;12,34\n"[(n.left-int64(i))%32]
	}
	n.left -= int64(len(p))
	return len(p), nil
}

// TestSealedFiles measures what sealing adds to an import of 1,000,000 rows: a file of 200 MB is kept once and read twice, for the preview
// and for booking. The anchor keeps and reads the same bytes as they are, with their checksum and synced as ours.
func TestSealedFiles(t *testing.T) {
	const size = 200 << 20
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	store, err := blob.Open("", folder, v)
	if err != nil {
		t.Fatal(err)
	}
	sealed := func() float64 {
		from := time.Now()
		if _, err := store.Put(ctx, "north/imports/large", &numbered{size}, size); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			file, err := store.Fetch(ctx, "north/imports/large")
			if err != nil {
				t.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, io.NewSectionReader(file, 0, size)); err != nil || n != size {
				t.Fatal(n, err)
			}
			file.Close()
		}
		took := time.Since(from).Seconds()
		if err := store.Delete(ctx, "north/imports/large"); err != nil {
			t.Fatal(err)
		}
		return took
	}
	plain := func() float64 {
		from := time.Now()
		name := filepath.Join(folder, "plain")
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.MultiWriter(f, sha256.New()), &numbered{size}); err != nil {
			t.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
		f.Close()
		for range 2 {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, io.NewSectionReader(f, 0, size)); err != nil || n != size {
				t.Fatal(n, err)
			}
			f.Close()
		}
		return time.Since(from).Seconds()
	}
	compare(t, "file of 200 MB kept and read twice, sealed; anchor: as it is", "s", sealed, plain)
}
