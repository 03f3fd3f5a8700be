package api_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"saldo/internal/platform/blob"
)

// files is the store that the program keeps its files in.
func (w *world) files(t *testing.T) blob.Store {
	t.Helper()
	store, err := blob.Open("", w.data+"/files", w.vault)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// atRest is where the kept files stand on disk.
func (w *world) atRest(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir(w.data+"/files", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestUploadedFilesAndEvidenceAreSealedAtRest(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		large := bytes.Repeat([]byte("2026-11-02;"+canary+"person;x;TRIP;1;x\n"), 50_000)
		small := w.freshSheet()
		imported := w.send(t, "partner", "large.csv", large, "provider", "PARTNER").ID
		short := w.send(t, "partner", "small.csv", small, "provider", "PARTNER").ID
		document := w.evidenced(t)
		names := w.atRest(t)
		if len(names) != 3 {
			t.Fatalf("%d files are kept", len(names))
		}
		for _, name := range names {
			kept, err := os.ReadFile(name)
			if err != nil || bytes.Contains(kept, []byte(canary)) || bytes.Contains(kept, []byte("%PDF")) || w.vault.FileKey(kept) == "" {
				t.Errorf("%s holds %.60q, %v", name, kept, err)
			}
		}
		for path, want := range map[string][]byte{
			"/api/imports/" + imported + "/file": large, "/api/imports/" + short + "/file": small, "/api/transactions/" + document + "/evidence": pdf,
		} {
			if text := w.must(t, 200, "partner", "GET", path, nil); text != string(want) {
				t.Errorf("%s gives %d bytes instead of %d", path, len(text), len(want))
			}
		}
	})
}

// download is the status of an answer, what came of it, and how it ended.
func (w *world) download(t *testing.T, path string) (status int, got []byte, err error) {
	t.Helper()
	rq, err := http.NewRequest("GET", w.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	rq.Header.Set("Authorization", "Bearer "+w.tokens["partner"])
	resp, err := http.DefaultClient.Do(rq)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err = io.ReadAll(resp.Body)
	return resp.StatusCode, got, err
}

func TestAFileThatWasChangedAtRestIsNotHandedOut(t *testing.T) {
	w := newWorld(t, "sqlite")
	small, large := w.freshSheet(), bytes.Repeat([]byte("2026-11-02;somebody;x;TRIP;1;x\n"), 10_000)
	ids := map[string][]byte{}
	for _, content := range [][]byte{small, large} {
		ids[w.send(t, "partner", "a.csv", content, "provider", "PARTNER").ID] = content
	}
	foreign := w.send(t, "other", "b.csv", sheetOf("2026-11-02;anybody;x;TRIP;1;x"), "provider", "PARTNER").ID
	place := func(id string) string {
		names := w.atRest(t)
		i := slices.IndexFunc(names, func(name string) bool { return strings.Contains(name, id) })
		if i < 0 {
			t.Fatal("no file of ", id)
		}
		return names[i]
	}
	theirs, err := os.ReadFile(place(foreign))
	if err != nil {
		t.Fatal(err)
	}
	for id, content := range ids {
		kept, err := os.ReadFile(place(id))
		if err != nil {
			t.Fatal(err)
		}
		flipped := slices.Clone(kept)
		flipped[len(kept)-100] ^= 1
		first := slices.Clone(kept)
		first[len(kept)-len(content)+100-16*5] ^= 1
		for what, damaged := range map[string][]byte{
			"a flipped bit": flipped, "one in the first block": first, "a cut tail": kept[:len(kept)-3], "another partner's file": theirs,
		} {
			if err := os.WriteFile(place(id), damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			status, got, err := w.download(t, "/api/imports/"+id+"/file")
			if status != 500 || err != nil || !bytes.Contains(got, []byte(`"files.damaged"`)) {
				t.Errorf("%d bytes, %s: %d %.100s %v", len(content), what, status, got, err)
			}
			if text := w.must(t, 409, "partner", "GET", "/api/imports/"+id+"/refused", nil); !strings.Contains(text, "imports.file_changed") {
				t.Errorf("%d bytes, %s: %s", len(content), what, text)
			}
		}
		if len(content) > 200_000 {
			middle := slices.Clone(kept)
			middle[len(kept)/2] ^= 1
			if err := os.WriteFile(place(id), middle, 0o600); err != nil {
				t.Fatal(err)
			}
			status, got, err := w.download(t, "/api/imports/"+id+"/file")
			if status != 200 || err == nil || !bytes.HasPrefix(content, got) || len(got) == len(content) {
				t.Errorf("a bit in the middle: %d, %d of %d bytes, %v", status, len(got), len(content), err)
			}
		}
	}
}

func TestFilesOfFormerVersionsAreStillHandedOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		content := w.freshSheet()
		id := w.send(t, "partner", "a.csv", content, "provider", "PARTNER").ID
		if err := os.WriteFile(w.atRest(t)[0], content, 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if text := w.must(t, 200, "partner", "GET", "/api/imports/"+id+"/file", nil); text != string(content) {
				t.Errorf("it gives %q", text)
			}
			for key, err := range w.files(t).List(context.Background(), "") {
				if err != nil {
					t.Fatal(err)
				}
				if _, err := w.files(t).Seal(context.Background(), key); err != nil {
					t.Error(err)
				}
			}
		}
	})
}
