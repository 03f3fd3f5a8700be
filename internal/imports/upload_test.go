package imports_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"saldo/internal/imports"
	"saldo/internal/imports/pipeline"
	"saldo/internal/platform/db"
)

// blobs are the keys of the files that are kept.
func (w *fixture) blobs(t *testing.T) (keys []string) {
	t.Helper()
	for key, err := range w.Blobs.List(ctx, "north/imports/") {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	return keys
}

func TestUpload_AsksWhatAPersonMustAnswer(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		upload := func(content string) imports.Uploaded {
			t.Helper()
			up, err := w.Upload(ctx, anna, imports.Upload{Name: "C:\\reports\\week.csv", Content: strings.NewReader(content), Size: -1,
				Order: imports.Order{Chosen: "PARTNER"}})
			if err != nil {
				t.Fatal(err)
			}
			return up
		}
		one := head + row("2026-11-02", "+48500000101", "Jan", "TRIP", "50", "")
		up := upload(one)
		same(t, "file", up.FileName+" "+up.Kind+" "+string(up.Status), "week.csv template preview")
		same(t, "size", up.Size, len(one))
		w.confirm(t, up.ID, "")
		again := upload(one)
		same(t, "again", string(again.Status)+" "+again.DuplicateOf, "duplicated "+up.ID)
		empty := upload(head)
		refusedWith(t, w.change(func(tx *db.Tx) error { _, err := w.Confirm(tx, empty.ID, imports.ConfirmOptions{}); return err }), imports.ErrNothingToBook)
		refusedWith(t, upload("a;b\n1;2\n").Refused, pipeline.ErrNotRecognised)
	})
}

func TestUpload_KeepsNoFileThatNoImportNames(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		content := head + row("2026-11-02", "+48500000101", "Jan", "TRIP", "50", "")
		first := w.upload(t, "a.csv", content, imports.Order{})
		again := imports.Upload{Name: "a.csv", Content: strings.NewReader(content), Size: -1,
			Once: func(*db.Tx, imports.Import, func() error) (string, error) { return first.ID, nil }}
		if _, err := w.Upload(ctx, anna, again); err != nil {
			t.Error(err)
		}
		_, err := w.Upload(ctx, anna, imports.Upload{Name: "b.csv", Content: strings.NewReader(content), Size: -1, Order: imports.Order{Chosen: "X"}})
		refusedWith(t, err, imports.ErrInvalid)
		_, err = w.Upload(ctx, anna, imports.Upload{Name: "c.csv", Content: strings.NewReader(content), Size: imports.FileMax + 1})
		refusedWith(t, err, pipeline.ErrTooLarge)
		_, err = w.Upload(ctx, anna, imports.Upload{Name: "d.csv", Content: io.MultiReader(strings.NewReader(content), broken{}), Size: -1})
		if !errors.Is(err, errBroken) {
			t.Error(err)
		}
		same(t, "kept", w.blobs(t), []string{imports.BlobKey("north", first.ID)})
		same(t, "imports", w.count(t, `SELECT COUNT(*) FROM imports WHERE tenant_id = $1`), 1)
	})
}

var errBroken = errors.New("the line is broken")

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errBroken }

func TestIntake_RefusesWhatIsLongerThanItMayBe(t *testing.T) {
	for _, c := range []struct {
		content string
		refused bool
		start   string
	}{{"", false, ""}, {"1234", false, "1234"}, {"12345678", false, "1234"}, {"123456789", true, "1234"}} {
		source, start := imports.Intake(strings.NewReader(c.content), 8, 4)
		_, err := io.Copy(io.Discard, source)
		if errors.Is(err, pipeline.ErrTooLarge) != c.refused || string(start()) != c.start {
			t.Errorf("%q: %v, starts with %q", c.content, err, start())
		}
	}
}
