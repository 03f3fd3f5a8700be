package backup

import (
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
)

// source remembers what the disk did: that is no damage of the backup.
type source struct {
	io.Reader
	failed error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && err != io.EOF {
		s.failed = fmt.Errorf("the backup cannot be read: nothing was restored; read it from a place that can be: %w", err)
	}
	return n, err
}

// explaining says of what cannot be read that the backup is damaged, unless its disk failed.
type explaining struct {
	io.Reader
	from *source
}

func (e explaining) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	return n, explained(err, e.from)
}

func explained(err error, from *source) error {
	switch {
	case err == nil || err == io.EOF || errors.Is(err, ErrDamaged):
		return err
	case from.failed != nil:
		return from.failed
	}
	return fmt.Errorf("%w (%w)", ErrDamaged, err)
}

// counted sums up an entry while it is read.
type counted struct {
	io.Reader
	of   *Reader
	name string
	hash hash.Hash
	n    int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.hash.Write(p[:n])
	c.n += int64(n)
	if err == io.EOF {
		c.of.seen[c.name] = sum{c.n, hex.EncodeToString(c.hash.Sum(nil))}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%w (%s ends early)", ErrDamaged, c.name)
	}
	return n, err
}
