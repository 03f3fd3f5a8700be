package backups_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"saldo/internal/app/backups"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/backup"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

var ctx = context.Background()

// world is an instance that is backed up, and the key that opens its backups.
type world struct {
	testkit.Fleet
	made      backups.Instance
	recipient backup.Recipient
	key       backup.Key
}

func newWorld(t *testing.T, engine string) *world {
	w := &world{Fleet: testkit.NewFleet(t, engine)}
	w.recipient, w.key = newKey(t)
	w.made = backups.Instance{DB: w.DB, Blobs: w.Blobs, KeyID: w.Vault.Current(), Version: "test", Temp: t.TempDir()}
	return w
}

func newKey(t *testing.T) (backup.Recipient, backup.Key) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "backup.key")
	text, err := backup.CreateKeyFile(path)
	if err != nil {
		t.Fatal(err)
	}
	recipient, err := backup.ParseRecipient(text)
	if err != nil {
		t.Fatal(err)
	}
	key, err := backup.LoadKey(path)
	if err != nil {
		t.Fatal(err)
	}
	return recipient, key
}

// pair writes two rows in one unit of work.
func (w *world) pair(t testing.TB, n int64) {
	testkit.Write(t, w.DB, testkit.Anna, func(tx *db.Tx) error {
		for _, half := range []string{"a", "b"} {
			if _, err := tx.Exec(`INSERT INTO tags (tenant_id, id, name, search_key, created_at) VALUES ($1, $2, $3, $3, $4)`,
				tx.NewID(), fmt.Sprint(half, n), tx.Now); err != nil {
				return err
			}
		}
		return nil
	})
}

// logo gives the partner another picture, as the program does: the file first, then the row, and the file before is deleted after.
func (w *world) logo(t testing.TB) (key string) {
	key = "north/logo/" + uuid.NewString() + ".png"
	if _, err := w.Blobs.Put(ctx, key, strings.NewReader("picture "+key), -1); err != nil {
		t.Error(err)
	}
	var before string
	testkit.Write(t, w.DB, testkit.Anna, func(tx *db.Tx) (err error) {
		if before, err = db.One[string](tx, `SELECT logo FROM partners WHERE tenant_id = $1`); err != nil {
			return err
		}
		_, err = tx.Exec(`UPDATE partners SET logo = $2 WHERE tenant_id = $1`, key)
		return err
	})
	if before != "" {
		if err := w.Blobs.Delete(ctx, before); err != nil {
			t.Error(err)
		}
	}
	return key
}

func (w *world) make(t *testing.T) backups.Made {
	t.Helper()
	made, err := w.made.Make(ctx, t.TempDir(), w.recipient)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func (w *world) place(t *testing.T) backups.Place {
	p := backups.Place{Data: t.TempDir(), Sealer: w.Vault, Kept: []string{"saldo.key"}}
	if w.DB.Engine() == "postgres" {
		p.DatabaseURL = testkit.Empty(t, "postgres").URL
	}
	return p
}

func (w *world) restore(t *testing.T, from string) (p backups.Place, done backups.Restored) {
	t.Helper()
	p = w.place(t)
	done, err := backups.Restore(ctx, p, from, w.key)
	if err != nil {
		t.Fatal(err)
	}
	return p, done
}

// tags are the names of the pairs in a restored instance, whose logo must be there.
func (w *world) tags(t *testing.T, p backups.Place) (names []string) {
	t.Helper()
	d := testkit.Open(t, db.Settings{URL: p.DatabaseURL, Folder: p.Data})
	blobs, err := blob.Open(p.BlobURL, filepath.Join(p.Data, "files"), w.Vault)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Read(t, d, testkit.Anna, func(tx *db.Tx) (err error) {
		if names, err = db.Select[string](tx, `SELECT name FROM tags WHERE tenant_id = $1 ORDER BY name`); err != nil {
			return err
		}
		key, err := db.One[string](tx, `SELECT logo FROM partners WHERE tenant_id = $1`)
		if err != nil || key == "" {
			return err
		}
		content, err := blob.Whole(ctx, blobs, key, 1000)
		if err == nil && string(content) != "picture "+key {
			t.Errorf("%s is %q", key, content)
		}
		return err
	})
	return names
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	testkit.EachFleet(t, newWorld, test)
}

func TestBackup_HasAllThatWasWrittenBeforeItAndNothingInPart(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var written atomic.Int64
		stop, ended := make(chan struct{}), make(chan struct{})
		w.logo(t)
		go func() {
			defer close(ended)
			for n := int64(1); ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				w.pair(t, n)
				if n%40 == 0 { // which deletes a file, on SQLite during every copy
					w.logo(t)
				}
				written.Store(n)
			}
		}()
		defer func() { close(stop); <-ended }()
		for range 3 {
			testkit.Eventually(t, "something is written", func() bool { return written.Load() > 5 })
			before := written.Load()
			made := w.make(t)
			if len(made.Missing) > 0 {
				t.Errorf("missing: %v", made.Missing)
			}
			p, done := w.restore(t, made.Path)
			if done.Files != 1 || done.KeyID != w.Vault.Current() || done.Version != "test" {
				t.Errorf("restored %+v", done)
			}
			names := w.tags(t, p)
			half := len(names) / 2
			if int64(half) < before || len(names)%2 != 0 {
				t.Fatalf("%d of %d pairs", half, before)
			}
			for i := range half {
				if names[i][1:] != names[half+i][1:] {
					t.Fatalf("%s without its other half", names[i])
				}
			}
		}
	})
}

// Mails that waited in a backup may have been sent since: nothing goes on before somebody has looked.
func TestRestore_WaitsForAPersonAndHoldsMails(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		testkit.Write(t, w.DB, testkit.Anna, func(tx *db.Tx) error {
			if _, err := tx.Exec(`INSERT INTO mails (tenant_id, id, unique_key, sealed, state, reason, created_at, decided_at)
				VALUES ($1, 'm1', '', '', 'queued', '', $2, '')`, tx.Now); err != nil {
				return err
			}
			return jobs.Enqueue(tx, jobs.Order{Kind: mail.SendKind, Key: "m1"})
		})
		made := w.make(t)
		testkit.Read(t, w.DB, access.Program("test"), backups.Running) // whoever is backed up goes on
		p, _ := w.restore(t, made.Path)
		d := testkit.Open(t, db.Settings{URL: p.DatabaseURL, Folder: p.Data})
		testkit.Write(t, d, access.Program("test"), func(tx *db.Tx) error {
			if err := backups.Running(tx); err == nil || !strings.Contains(err.Error(), "saldo resume") {
				t.Errorf("it says %v", err)
			}
			waiting, err := backups.WaitingIn(tx)
			if err != nil || !slices.Contains(waiting.Jobs, jobs.Backlog{Kind: mail.SendKind, N: 1}) || !waiting.MadeAt.Equal(made.At) {
				t.Errorf("waiting %+v %v", waiting, err)
			}
			return backups.Resume(tx, false)
		})
		testkit.Write(t, d, testkit.Anna, func(tx *db.Tx) error {
			state, err := db.One[string](tx, `SELECT state FROM mails WHERE tenant_id = $1`)
			if err != nil || state != "failed" {
				t.Errorf("%s %v", state, err)
			}
			if again, err := mail.Retry(tx, "m1"); err != nil || !again {
				t.Errorf("not tried again: %v", err)
			}
			return nil
		})
		testkit.Read(t, d, access.Program("test"), backups.Running)
	})
}

// A file that is lost is told in the backup and after the restore.
func TestBackup_TellsOfFilesThatAreLost(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		key := w.logo(t)
		if err := w.Blobs.Delete(ctx, key); err != nil {
			t.Fatal(err)
		}
		made := w.make(t)
		if !slices.Equal(made.Missing, []string{key}) || made.Files != 0 {
			t.Errorf("made %+v", made)
		}
		if _, done := w.restore(t, made.Path); !slices.Equal(done.Missing, []string{key}) {
			t.Errorf("restored %+v", done)
		}
	})
}

// Nobody can make of the backup what the key of the instance protects.
func TestBackup_HoldsFilesSealed(t *testing.T) {
	w := newWorld(t, "sqlite")
	key := w.logo(t)
	made := w.make(t)
	file, err := os.Open(made.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := backup.Read(ctx, file, w.key)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		name, content, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(content)
		if err != nil || name == key && strings.Contains(string(all), "picture") || strings.Contains(string(all), string(testkit.Key)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if info, err := os.Stat(made.Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

func TestBackup_NeverReplacesAFile(t *testing.T) {
	w := newWorld(t, "sqlite")
	folder := t.TempDir()
	to := filepath.Join(folder, "mine")
	if err := os.WriteFile(to, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.made.Make(ctx, to, w.recipient); err == nil || !strings.Contains(err.Error(), "nothing was written") {
		t.Error(err)
	}
	ended, end := context.WithCancel(ctx)
	end()
	if _, err := w.made.Make(ended, folder, w.recipient); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left := listed(t, folder); !slices.Equal(left, []string{"mine"}) {
		t.Errorf("left behind: %v", left)
	}
	if left := listed(t, w.made.Temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func listed(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestRestore_RefusesAndLeavesNothingBehind(t *testing.T) {
	w := newWorld(t, "sqlite")
	w.logo(t)
	good := w.make(t).Path
	content, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	_, otherKey := newKey(t)
	otherVault, err := vault.Open(slices.Concat(testkit.Key[1:], testkit.Key[:1]))
	if err != nil {
		t.Fatal(err)
	}
	changed := func(at int) []byte {
		c := slices.Clone(content)
		c[at] ^= 1
		return c
	}
	newer := func(h backup.Head) []byte {
		var b strings.Builder
		wr, err := backup.Write(ctx, &b, w.recipient, h)
		if err == nil {
			err = errors.Join(wr.Database(strings.NewReader("x"), 1), wr.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		return []byte(b.String())
	}
	type attempt struct {
		content []byte
		says    string
		change  func(p *backups.Place, key *backup.Key)
	}
	cases := map[string]attempt{
		"wrong key":   {content, "another key", func(_ *backups.Place, k *backup.Key) { *k = otherKey }},
		"other vault": {content, "instance with another key", func(p *backups.Place, _ *backup.Key) { p.Sealer = otherVault }},
		"in use": {content, "is not empty", func(p *backups.Place, _ *backup.Key) {
			if err := os.WriteFile(filepath.Join(p.Data, "saldo.db"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		"other engine":      {content, "SALDO_DATABASE_URL", func(p *backups.Place, _ *backup.Key) { p.DatabaseURL = "postgres://nowhere/x" }},
		"no backup":         {[]byte("hello"), "no backup of Saldo", nil},
		"empty":             {nil, "no backup of Saldo", nil},
		"start changed":     {changed(3), "no backup of Saldo", nil},
		"last byte changed": {changed(len(content) - 1), "cut off or changed", nil},
		"newer":             {newer(backup.Head{Engine: "sqlite", Schema: "9999_later", KeyID: w.Vault.Current()}), "newer Saldo", nil},
		"no database":       {newer(backup.Head{Engine: "sqlite", Schema: latest(t, w), KeyID: w.Vault.Current()}), "cut off or changed", nil},
	}
	for i := 1; i < 8; i++ {
		at := 300 + (len(content)-300)*i/8
		cases[fmt.Sprint("changed at ", i)] = attempt{changed(at), "cut off or changed", nil}
		cases[fmt.Sprint("cut at ", i)] = attempt{content[:at], "cut off or changed", nil}
	}
	cases["cut by a byte"] = attempt{content[:len(content)-1], "cut off or changed", nil}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			from, p, key := filepath.Join(t.TempDir(), "given"), w.place(t), w.key
			if err := os.WriteFile(from, c.content, 0o600); err != nil {
				t.Fatal(err)
			}
			if c.change != nil {
				c.change(&p, &key)
			}
			before := listed(t, p.Data)
			_, err := backups.Restore(ctx, p, from, key)
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "nothing") {
				t.Errorf("it says %v", err)
			}
			if left := listed(t, p.Data); !slices.Equal(left, before) {
				t.Errorf("left behind: %v", left)
			}
		})
	}
	t.Run("a folder that was not there", func(t *testing.T) {
		p, from := w.place(t), filepath.Join(t.TempDir(), "given")
		p.Data = filepath.Join(p.Data, "new")
		if err := os.WriteFile(from, changed(len(content)-1), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := backups.Restore(ctx, p, from, w.key); err == nil {
			t.Error("restored")
		}
		if _, err := os.Stat(p.Data); !errors.Is(err, fs.ErrNotExist) {
			t.Error("the folder is left behind")
		}
		if _, err := backups.Restore(ctx, p, good, w.key); err != nil {
			t.Error(err)
		}
	})
}

func latest(t *testing.T, w *world) string {
	t.Helper()
	newest, err := w.DB.Schema(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return newest
}

// A place that the backup does not fit into stays empty on PostgreSQL too.
func TestRestore_LeavesPostgreSQLAsItWas(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if w.DB.Engine() != "postgres" {
			return
		}
		w.logo(t)
		good := w.make(t).Path
		p, _ := w.restore(t, good)
		p.Data = t.TempDir()
		if _, err := backups.Restore(ctx, p, good, w.key); err == nil || !strings.Contains(err.Error(), "not empty") {
			t.Errorf("it says %v", err)
		}
		var b strings.Builder
		wr, err := backup.Write(ctx, &b, w.recipient, backup.Head{Engine: "postgres", Schema: latest(t, w), KeyID: w.Vault.Current()})
		if err == nil {
			err = errors.Join(wr.Database(strings.NewReader("no dump"), 7), wr.Close())
		}
		from := filepath.Join(t.TempDir(), "given")
		if err = errors.Join(err, os.WriteFile(from, []byte(b.String()), 0o600)); err != nil {
			t.Fatal(err)
		}
		p = w.place(t)
		if _, err := backups.Restore(ctx, p, from, w.key); err == nil || !strings.Contains(err.Error(), "pg_restore failed") {
			t.Errorf("it says %v", err)
		}
		if left := listed(t, p.Data); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		if _, err := backups.Restore(ctx, p, good, w.key); err != nil {
			t.Error(err)
		}
		if err := db.Clear(ctx, p.DatabaseURL); err != nil {
			t.Fatal(err)
		}
		if empty, err := db.IsEmpty(ctx, p.DatabaseURL); err != nil || !empty {
			t.Errorf("something is left: %v", err)
		}
	})
}

// A column that names files and is not backed up would be found when it is too late.
func TestBackup_KnowsEveryColumnThatNamesFiles(t *testing.T) {
	w := newWorld(t, "sqlite")
	testkit.Read(t, w.DB, access.Program("test"), func(tx *db.Tx) error {
		found, err := db.Select[string](tx.Across(), `SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c
			WHERE m.type = 'table' AND (c.name LIKE '%blob%' OR c.name IN ('logo', 'evidence', 'sealed_key', 'upo_key')) ORDER BY 1`)
		if err != nil {
			return err
		}
		for _, column := range found {
			if !slices.Contains(backups.Named(), column) {
				t.Errorf("%s names files and is not backed up", column)
			}
		}
		if len(found) < 10 {
			t.Errorf("found %v", found)
		}
		return nil
	})
}
