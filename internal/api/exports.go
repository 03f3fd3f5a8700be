package api

import (
	"bufio"
	"context"
	"io"
	"os"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
)

// export is a file that is made for the person who asks.
type export struct {
	mediaType string
	scope     access.Actor // of both units of work; zero: whoever asks
	// write writes the file from its beginning, as often as the unit of work runs.
	write func(tx *db.Tx, to io.Writer) error
	// record leaves in the trail that the file was handed out, and names it.
	record func(tx *db.Tx) (name string, err error)
}

// serveExport makes a file whole before its first byte is sent: what fails is an
// answer and not half a list, and nothing leaves before the trail says so.
func (s Settings) serveExport(ctx context.Context, c web.Call, e export) (send func(huma.Context), err error) {
	if e.scope.Role == "" {
		e.scope = c.Actor
	}
	file, err := tempFile()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	if err := s.DB.Read(ctx, e.scope, func(tx *db.Tx) error {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if err := file.Truncate(0); err != nil {
			return err
		}
		to := bufio.NewWriter(file)
		if err := e.write(tx, to); err != nil {
			return err
		}
		return to.Flush()
	}); err != nil {
		return nil, err
	}
	var name string
	if err := s.DB.Write(ctx, e.scope, func(tx *db.Tx) (err error) { name, err = e.record(tx); return err }); err != nil {
		return nil, err
	}
	size, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return download(file, size, e.mediaType, name), nil
}

// wordsOf is the language that somebody asks for, or that of the instance.
func (s Settings) wordsOf(asked Language) i18n.Language {
	if language, ok := i18n.Parse(string(asked)); ok {
		return language
	}
	return i18n.Language(s.Instance.Language)
}

// tempFile is a file without a name: it is gone with its last use, however
// that comes, and nobody else can open it.
func tempFile() (*os.File, error) {
	file, err := os.CreateTemp("", "saldo-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
