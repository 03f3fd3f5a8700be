package blob

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestWhatACrashLeftBehindIsSweptAtTheNextStart(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open("", dir, newVault(t)); err != nil {
		t.Fatal(err)
	}
	fresh, stale := filepath.Join(dir, incoming, "fresh"), filepath.Join(dir, incoming, "stale")
	for _, name := range []string{fresh, stale} {
		if err := os.WriteFile(name, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-abandonedAfter - time.Minute)
	if err := os.Chtimes(stale, old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := Open("", dir, newVault(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stale); err == nil {
		t.Error("the stale file is still there")
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Error("a file that may still be written was removed")
	}
}

func TestNothingOfATornWriteStaysOnDisk(t *testing.T) {
	dir := t.TempDir()
	s, err := Open("", dir, newVault(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(t.Context(), "t/a", strings.NewReader("abc"), 4); err == nil {
		t.Fatal("a short content is stored")
	}
	err = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			t.Errorf("%s is left", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestBlobsAreSpreadOverFoldersAndPrivate(t *testing.T) {
	dir := t.TempDir()
	s, err := Open("", dir, newVault(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"t/1", "t/2", "t/3", "t/4", "t/5"} {
		put(t, s, key, []byte("x"))
	}
	shards, err := os.ReadDir(dir)
	if err != nil || len(shards) < 4 {
		t.Errorf("%d shards, %v", len(shards), err)
	}
	err = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		if info, err := entry.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v, %v", name, info.Mode(), err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestALinkOutOfTheFolderIsNotFollowed(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	s, err := Open("", dir, newVault(t))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.FromSlash(place("t/a"))
	if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(filepath.Dir(name))), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, filepath.Base(name)), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, filepath.Dir(name))); err != nil {
		t.Fatal(err)
	}
	if r, _, err := s.Get(t.Context(), "t/a"); err == nil {
		r.Close()
		t.Error("a file outside can be read")
	}
	if _, err := s.Put(t.Context(), "t/a", strings.NewReader("x"), 1); err == nil {
		t.Error("a file outside can be written")
	}
}

func TestAStoreNeedsAPlace(t *testing.T) {
	if _, err := Open("", "", nil); err == nil {
		t.Error("no address and no folder is accepted")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open("", file, nil); err == nil {
		t.Error("a file is accepted as a folder")
	}
}

func FuzzEveryKeyHasAPlaceOfItsOwn(f *testing.F) {
	f.Add("t/a", "t/a.blob")
	f.Add(strings.Repeat("ż", 200), strings.Repeat("ż", 199)+"/ż")
	f.Fuzz(func(t *testing.T, a, b string) {
		if checkKey(a) != nil || checkKey(b) != nil {
			return
		}
		placed := place(a)
		if key, ok := keyAt(placed); !ok || key != a {
			t.Fatalf("%q is placed at %q, which is %q", a, placed, key)
		}
		if a != b && (placed == place(b) || strings.HasPrefix(place(b), placed+"/")) {
			t.Fatalf("%q and %q share %q", a, b, placed)
		}
		for part := range strings.SplitSeq(placed, "/") {
			if len(part) > 255 || part == "" || part == "." || part == ".." {
				t.Fatalf("%q gives the part %q", a, part)
			}
		}
		if strings.HasPrefix(a, b) && !within(placed[:strings.LastIndexByte(placed, '/')], b) {
			t.Fatalf("%q would not be listed under %q", a, b)
		}
	})
}
