package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"saldo/internal/app"
	"saldo/internal/app/backups"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/backup"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
)

func backupKey(_ context.Context, _ config.Settings, args []string) error {
	recipient, err := backup.CreateKeyFile(args[0])
	if err != nil {
		return err
	}
	fmt.Println(recipient)
	fmt.Fprintf(os.Stderr, "made %s: take it away from this machine and keep a second copy; without it no backup can be read\n"+
		"set SALDO_BACKUP_RECIPIENT to the line above\n", args[0])
	return nil
}

// keyOf is the key of the instance.
func keyOf(s config.Settings) (*vault.Vault, error) {
	key, err := vault.LoadKey(s.Key, app.KeyFile(s))
	if err != nil {
		return nil, fmt.Errorf("the key of the instance cannot be read: nothing was done; put it at %s, or set SALDO_KEY or SALDO_KEY_FILE: %w",
			app.KeyFile(s), err)
	}
	return vault.Open(key)
}

func makeBackup(ctx context.Context, s config.Settings, args []string) (err error) {
	if s.BackupRecipient == "" {
		return errors.New("SALDO_BACKUP_RECIPIENT is not set, for which backups are encrypted: no backup was made; run saldo backup-key FILE")
	}
	recipient, err := backup.ParseRecipient(s.BackupRecipient)
	if err != nil {
		return err
	}
	v, err := keyOf(s)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(s.Data, db.File)); s.DatabaseURL == "" && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no database in %s: no backup was made; set SALDO_DATA to the data folder of the instance", s.Data)
	}
	d, err := db.Open(ctx, db.Settings{URL: s.DatabaseURL, Folder: s.Data, AsIs: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	blobs, err := blob.Open(s.BlobURL, filepath.Join(s.Data, "files"), v)
	if err != nil {
		return fmt.Errorf("SALDO_BLOB_URL: %w", err)
	}
	made, err := backups.Instance{DB: d, Blobs: blobs, KeyID: v.Current(), Version: app.Version, Temp: filepath.Join(s.Data, "temp")}.
		Make(ctx, args[0], recipient)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes, the database and %d files; the key of the instance is not in it, its id is %s\n", made.Path, made.Bytes,
		made.Files, v.Current())
	tellMissing(made.Missing)
	return nil
}

func tellMissing(keys []string) {
	for _, key := range keys {
		fmt.Println("  not there, though the database names it:", key)
	}
}

func restore(ctx context.Context, s config.Settings, args []string) error {
	key, err := backup.LoadKey(args[1])
	if err != nil {
		return err
	}
	v, err := keyOf(s)
	if err != nil {
		return err
	}
	done, err := backups.Restore(ctx, backups.Place{Data: s.Data, DatabaseURL: s.DatabaseURL, BlobURL: s.BlobURL, Sealer: v,
		Kept: []string{filepath.Base(app.KeyFile(s)), "lost+found"}}, args[0], key)
	if err != nil {
		return err
	}
	fmt.Printf("restored: the state of %s, made by Saldo %s, with %d files\n", done.MadeAt.Format(time.RFC3339), done.Version, done.Files)
	tellMissing(done.Missing)
	if err := verify(ctx, s, nil); err != nil {
		return err
	}
	fmt.Println("it does not serve yet: look at what waits with saldo resume")
	return nil
}

func resume(ctx context.Context, s config.Settings, args []string) error {
	if len(args) == 1 && args[0] != "send-mails" && args[0] != "hold-mails" {
		return errors.New("usage: saldo resume [send-mails|hold-mails]")
	}
	a, err := open(ctx, s)
	if err != nil {
		return err
	}
	defer a.Close()
	var w backups.Waiting
	who := access.Program("resume")
	if err := a.DB().Read(ctx, who, func(tx *db.Tx) (err error) { w, err = backups.WaitingIn(tx); return err }); err != nil {
		return err
	}
	if len(args) == 1 {
		if err := a.DB().Write(ctx, who, func(tx *db.Tx) error { return backups.Resume(tx, args[0] == "send-mails") }); err != nil {
			return err
		}
		fmt.Println("it goes on with the next saldo serve")
		return nil
	}
	fmt.Printf("The state is that of %s. What was done since is not in it: it may be done again.\n", w.MadeAt.Format(time.RFC3339))
	for _, j := range w.Jobs {
		fmt.Printf("%6d jobs wait: %s\n", j.N, j.Kind)
	}
	for _, n := range w.Settlements {
		fmt.Printf("the last settlement of %s is %d: later numbers may have been given out\n", n.Partner, n.Number)
	}
	fmt.Println("Go on with saldo resume hold-mails (mails that waited count as failed, and people can send each again) " +
		"or saldo resume send-mails.")
	return nil
}
