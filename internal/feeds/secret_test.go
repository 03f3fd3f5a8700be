package feeds_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"saldo/internal/connections"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/testkit"
)

// written keeps what is written to it, from any goroutine.
type written struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

// Passwords are in no log, trail, row and file, whether they work or not.
func TestFeeds_TheSecretIsNowhere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.stop()
		log := &written{}
		logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		w.Log = logger
		q := jobs.NewQueue(w.Fleet.DB, logger)
		w.Handle(q)
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() { defer close(ended); q.Run(ctx, 2) }()
		defer func() { stop(); <-ended }()

		w.refuel(today, 3)
		w.box.Deliver(t, statement("1", "paliwo.csv", today, 2))
		w.connect(t, 0, true)
		w.connectBox(t, true)
		w.look(t)
		w.connector.SetPassword("other")
		w.box.SetPassword("other")
		w.night(t)
		for _, k := range []connections.Kind{connections.Orlen, connections.Mailbox} {
			if c := w.connection(t, k); c.State != connections.Stopped {
				t.Errorf("%+v", c)
			}
		}
		same(t, "files", len(w.files(t)), 2)

		control := false // the name of a file stands open in the database: what is searched is all there
		search := func(where string, content []byte) {
			control = control || bytes.Contains(content, []byte("paliwo.csv"))
			for _, secret := range []string{"hunter2", "aHVudGVyMi", "h1bnRlcjI", "odW50ZXIyL", "YW5uYTpodW50ZXIy"} {
				if bytes.Contains(content, []byte(secret)) {
					t.Errorf("%s has the password", where)
				}
			}
		}
		log.mu.Lock()
		search("the log", log.text.Bytes())
		log.mu.Unlock()
		testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
			lines, err := audit.Of(tx, "partner", "north")
			if len(lines) < 4 {
				t.Error(lines)
			}
			for _, l := range lines {
				search("the trail", []byte(db.JSON(l)))
			}
			return err
		})
		for _, text := range w.everything(t) {
			search("the database", []byte(text))
		}
		for _, folder := range []string{w.Fleet.Settings.Folder, w.Files} {
			if folder == "" {
				continue
			}
			if err := filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
				if err != nil || info.IsDir() {
					return err
				}
				content, err := os.ReadFile(path)
				search(path, content)
				return err
			}); err != nil {
				t.Error(err)
			}
		}
		if !control {
			t.Error("the database was not searched")
		}
	})
}

// everything is the whole database as text, as a backup has it. That of SQLite are its files.
func (w *world) everything(t *testing.T) (all []string) {
	t.Helper()
	if w.Fleet.Settings.Folder != "" {
		return nil
	}
	testkit.Read(t, w.Fleet.DB, access.Program("test"), func(tx *db.Tx) error {
		tables, err := db.Select[string](tx.Across(), `SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()`)
		if err != nil {
			return err
		}
		for _, table := range tables {
			rows, err := db.Select[string](tx.Across(), `SELECT CAST(x AS TEXT) FROM `+table+` x`)
			if err != nil {
				return err
			}
			all = append(all, rows...)
		}
		return nil
	})
	return all
}
