package feeds_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
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

		search := func(where string, content []byte) {
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
	})
}

// everything are the rows of all tables of the feature as text, as a backup has them.
func (w *world) everything(t *testing.T) (all []string) {
	t.Helper()
	for table, columns := range map[string]string{
		"service_connections": "public, sealed, reason", "fetched_files": "kind, content_hash, reason", "fetched_mails": "place, message_id, state",
		"fetches": "connection_id, night, fetched_to", "imports": "file_name, source, fault", "audit_entries": "before_state, after_state, action",
		"mails": "sealed, reason, unique_key", "jobs": "payload, error, unique_key",
	} {
		parts := strings.Split(columns, ", ")
		testkit.Read(t, w.Fleet.DB, access.Program("test"), func(tx *db.Tx) error {
			rows, err := db.Select[string](tx.Across(), `SELECT `+strings.Join(parts, ` || ' ' || `)+` FROM `+table)
			if err != nil {
				t.Error(table, err)
			}
			all = append(all, rows...)
			return nil
		})
	}
	return all
}
