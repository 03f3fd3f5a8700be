package invoices_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"saldo/internal/invoices"
	"saldo/internal/invoices/files"
	"saldo/internal/invoices/reading"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/testkit"
)

// A reader that never answers is killed at its time, as often as the job tries. Then the form is a person's: the file is there, what was
// typed meanwhile stands, and no process is left.
func TestAReaderThatHangs_IsKilledAndAPersonTypes(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		mark := "87654.3" + strconv.Itoa(os.Getpid()) + strconv.Itoa(len(t.Name())) // seconds that no other process sleeps
		program := filepath.Join(t.TempDir(), "saldo-reader")
		if err := os.WriteFile(program, []byte("#!/bin/sh\nsleep "+mark+" & sleep "+mark+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		w.Reader, w.Longest = files.New(files.Options{Reader: program, Tesseract: "/nowhere"}), 300*time.Millisecond
		var picture bytes.Buffer
		if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 900, 1200))); err != nil {
			t.Fatal(err)
		}
		i := w.added(t, invoices.Partner, w.drivers[0], picture.Bytes(), nil)
		typed := w.fuel("A/1")
		i = w.describe(t, invoices.Partner, i, typed, invoices.Save)

		q := jobs.NewQueue(w.db, slog.New(slog.DiscardHandler))
		q.Poll = 5 * time.Millisecond
		tries := 0
		q.Handle(invoices.ReadKind, func(ctx context.Context, run *jobs.Run) error {
			tries++
			return w.Read(ctx, run)
		})
		q.OnFailure(invoices.ReadKind, w.OnReadFailure)
		running, stop := context.WithCancel(ctx)
		ended := make(chan struct{})
		go func() { defer close(ended); q.Run(running, 1) }()
		var source, key string
		testkit.Eventually(t, "the job gave up", func() bool {
			w.clock.Pass(time.Minute) // the time between its tries
			var state string
			testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
				r, err := invoices.ReadingOf(tx, &i)
				state, source, key = string(r.State), string(r.Result.Source), r.BlobKey
				return err
			})
			return state == string(invoices.Done)
		})
		stop()
		<-ended
		if tries != 3 || source != string(reading.None) {
			t.Errorf("%d tries, source %q", tries, source)
		}
		after := w.of(t, i.ID)
		if content, err := w.Content(ctx, key); err != nil || !bytes.Equal(content, picture.Bytes()) {
			t.Errorf("the file: %d bytes, %v", len(content), err)
		}
		if after.State != invoices.ToDescribe {
			t.Errorf("it is %s", after.State)
		}
		if after.Number != typed.Number || after.Gross != typed.Gross {
			t.Errorf("what was typed: %+v", after.Details)
		}
		names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, name := range names {
			if line, err := os.ReadFile(name); err == nil && strings.Contains(string(line), mark) {
				t.Errorf("left: %q", line)
			}
		}
	})
}
