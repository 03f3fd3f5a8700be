package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"saldo/internal/platform/config"
)

func TestWhatADeadProcessWasReceivingIsRemoved(t *testing.T) {
	t.Setenv("TMPDIR", os.TempDir()) // as it was, afterwards
	s := config.Settings{Data: t.TempDir()}
	if err := UseTemp(s, time.Now()); err != nil {
		t.Fatal(err)
	}
	file, err := os.CreateTemp("", "multipart-*")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if folder := filepath.Dir(file.Name()); folder != filepath.Join(s.Data, "temp") {
		t.Errorf("it is received in %s", folder)
	}
	if info, err := os.Stat(filepath.Dir(file.Name())); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	for _, c := range []struct {
		later time.Duration
		there bool
	}{{23 * time.Hour, true}, {25 * time.Hour, false}} {
		if err := UseTemp(s, time.Now().Add(c.later)); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(file.Name()); (err == nil) != c.there {
			t.Errorf("after %s: %v", c.later, err)
		}
	}
}
