package api

import (
	"bufio"
	"context"
	"errors"
	"io"

	"saldo/internal/kernel/fault"
	"saldo/internal/platform/vault"
	"saldo/internal/platform/web"
)

// ErrFileDamaged is the answer to asking for a kept file that is not as it was put there.
var ErrFileDamaged = fault.Declare(fault.Internal, "files.damaged")

// kept opens a file of the store to be handed out. Its first block is read before anything is answered: most files are no
// longer, so that damage is told in words.
func kept(content io.ReadCloser, size int64, err error) (io.ReadCloser, int64, error) {
	if err != nil {
		return nil, 0, damage(err)
	}
	ahead := bufio.NewReaderSize(content, 64<<10)
	if _, err := ahead.Peek(ahead.Size()); err != nil && err != io.EOF {
		return nil, 0, damage(errors.Join(err, content.Close()))
	}
	return struct {
		io.Reader
		io.Closer
	}{ahead, content}, size, nil
}

func damage(err error) error {
	if errors.Is(err, vault.ErrFileDamaged) {
		return ErrFileDamaged.Because(err)
	}
	return err
}

// hand writes a file into an answer that has promised its size. Where damage is found further on the answer breaks off:
// whoever asked has less than was promised, and knows it.
func hand(ctx context.Context, to io.Writer, content io.Reader) {
	if _, err := io.Copy(to, content); errors.Is(err, vault.ErrFileDamaged) {
		web.Report(ctx, err)
	}
}
