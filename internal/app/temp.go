package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
)

// tempKept is longer than any request takes: an older file was left behind by a process that died.
const tempKept = 24 * time.Hour

// UseTemp lets this process keep what it is receiving in the data folder, where nobody else can read it, and removes what
// processes that died have left there.
func UseTemp(s config.Settings, now time.Time) error {
	folder := filepath.Join(s.Data, "temp")
	if err := db.MakeFolder(folder); err != nil {
		return err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || now.Sub(info.ModTime()) < tempKept {
			continue // a process that shares the folder may be using it, or has just removed it
		}
		if err := os.RemoveAll(filepath.Join(folder, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return os.Setenv("TMPDIR", folder)
}
