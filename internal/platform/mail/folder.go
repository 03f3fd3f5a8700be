package mail

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Folder keeps each mail as a file <ID>.eml instead of sending it, readable with Mailbox. A repeat replaces its mail.
type Folder struct{ path string }

// OpenFolder makes the folder, readable by its owner only, if it does not exist yet.
func OpenFolder(path string) (*Folder, error) {
	if path == "" {
		return nil, errors.New("there is no folder to put mails into: set the data folder or the address of a mail server")
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("the mail folder cannot be made, check the rights of the data folder: %w", err)
	}
	return &Folder{path: path}, nil
}

// Send writes the mail to the disk; nobody ever sees half of it, and after a nil error it survives a power cut.
func (f *Folder) Send(ctx context.Context, m Delivery) error {
	e, err := compose(m)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return postpone(err, "sending was stopped")
	}
	if err := f.write(m.ID+".eml", e.content); err != nil {
		return postpone(err, "the mail cannot be put into the mail folder: %v", err)
	}
	return nil
}

func (f *Folder) write(name string, content []byte) error {
	tmp, err := os.CreateTemp(f.path, ".new-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(content)
	err = errors.Join(err, tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), filepath.Join(f.path, name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	dir, err := os.Open(f.path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
