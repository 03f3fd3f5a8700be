package api

import (
	"bufio"
	"context"
	"io"
	"mime"
	"os"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/db"
	"saldo/internal/fleet"
	"saldo/internal/sheet"
	"saldo/internal/texts"
	"saldo/internal/web"
)

// exportDrivers hands out all drivers of a filter as a file. It is made whole
// before its first byte is sent: what fails is an answer and not half a list,
// and nothing leaves before the trail says so.
func (s Settings) exportDrivers(ctx context.Context, c web.Call, in *struct {
	DriverQuery
	Format   string   `query:"format" enum:"csv,xlsx" default:"csv"`
	Language Language `query:"lang"`
}) (write func(huma.Context), err error) {
	language, ok := texts.Parse(string(in.Language))
	if !ok {
		language = texts.Language(s.Instance.Language)
	}
	format := sheet.Format(in.Format)
	export := fleet.DriverExport{Filter: s.driverFilter(in.DriverQuery), Language: language, Zone: s.Instance.Location()}
	file, err := unnamedFile()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	count, err := s.writeDrivers(ctx, c, export, format, file)
	if err != nil {
		return nil, err
	}
	var name string
	if err := s.DB.Write(ctx, c.Actor, func(tx *db.Tx) error {
		name = export.FileName(tx.Now, format)
		return export.Record(tx, format, count)
	}); err != nil {
		return nil, err
	}
	size, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return func(hc huma.Context) {
		defer file.Close()
		hc.SetHeader("Content-Type", format.MediaType())
		hc.SetHeader("Content-Length", strconv.FormatInt(size, 10))
		hc.SetHeader("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
		hc.SetHeader("Cache-Control", "no-store")
		_, _ = io.Copy(hc.BodyWriter(), file) // who went away needs no answer
	}, nil
}

// writeDrivers writes the file from its beginning, as often as the unit of
// work runs.
func (s Settings) writeDrivers(ctx context.Context, c web.Call, export fleet.DriverExport, format sheet.Format, file *os.File) (count int64, err error) {
	err = s.DB.Read(ctx, c.Actor, func(tx *db.Tx) error {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if err := file.Truncate(0); err != nil {
			return err
		}
		to := bufio.NewWriter(file)
		table, err := sheet.New(format, to, export.Name(), export.Heads())
		if err != nil {
			return err
		}
		if count, err = export.Write(tx, s.Vault, table); err != nil {
			return err
		}
		if err := table.Close(); err != nil {
			return err
		}
		return to.Flush()
	})
	return count, err
}

// unnamedFile is a file without a name: it is gone with its last use, however
// that comes, and nobody else can open it.
func unnamedFile() (*os.File, error) {
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
