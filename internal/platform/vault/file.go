package vault

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"filippo.io/age"
)

// A sealed file is one of the age format (age-encryption.org/v1): a key of its own, sealed by the vault for the file's
// name and standing in its head, and behind it blocks of 64 KiB, each sealed with its place and whether it is the last.
// So nothing of it can be changed, cut off, reordered or put under another name unnoticed, and no file needs memory.
const (
	fileStart   = "age-encryption.org/v1\n-> " + fileMark + " "
	fileMark    = "saldo"
	filePurpose = "file "
	fileNonce   = 16
	fileBlock   = 64 << 10
	fileTag     = 16
)

// FileHead is how many bytes of a file tell whether and by which key it is sealed.
const FileHead = len(fileStart) + 2*keyIDSize + 1

// ErrFileDamaged tells that a sealed file is not as it was sealed, or not under the name that it was sealed for.
var ErrFileDamaged = errors.New("the sealed file is damaged or was put in another file's place")

// ErrFileKey tells that a file was sealed with a key that the vault does not have.
var ErrFileKey = errors.New("this instance does not have the key that sealed the file: add it as an older key")

// Current is the id of the key that seals; it tells nothing about the key.
func (v *Vault) Current() string { return v.current }

// FileKey is the id of the key that sealed the file that starts so; empty: it is not sealed.
func (v *Vault) FileKey(head []byte) string {
	rest, sealed := strings.CutPrefix(string(head), fileStart)
	id, _, whole := strings.Cut(rest, "\n")
	if !sealed || !whole || len(id) != 2*keyIDSize {
		return ""
	}
	return id
}

// SealFile gives what a file of that name is at rest, while it reads its content.
func (v *Vault) SealFile(name string, plain io.Reader) (io.Reader, error) {
	return age.EncryptReader(plain, named{v, name})
}

// OpenFile gives the content of a sealed file to be read anywhere, by many goroutines, and its size. That its end is
// there is checked first.
func (v *Vault) OpenFile(name string, sealed io.ReaderAt, size int64) (io.ReaderAt, int64, error) {
	content, size, err := age.DecryptReaderAt(source{at: sealed}, size, named{v, name})
	if err != nil {
		return nil, 0, explain(name, err)
	}
	return &fileAt{name: name, content: content, size: size}, size, nil
}

// ReadFile gives the content of a sealed file from its start to its end, and its size. Nothing is given of a block that
// was changed; a file that was cut off ends with an error.
func (v *Vault) ReadFile(name string, sealed io.Reader, size int64) (io.Reader, int64, error) {
	from := source{stream: sealed}
	var read bytes.Buffer
	head, err := age.ExtractHeader(io.TeeReader(from, &read))
	if err != nil {
		return nil, 0, explain(name, err)
	}
	content, err := age.Decrypt(io.MultiReader(&read, from), named{v, name})
	if err != nil {
		return nil, 0, explain(name, err)
	}
	left := size - int64(len(head)) - fileNonce
	blocks := (left + fileBlock + fileTag - 1) / (fileBlock + fileTag)
	if blocks < 1 || left < blocks*fileTag {
		return nil, 0, fmt.Errorf("%s: %w", name, ErrFileDamaged)
	}
	return fileStream{name, content}, left - blocks*fileTag, nil
}

// named seals and unseals the key of the file with that name.
type named struct {
	vault *Vault
	name  string
}

// Wrap seals a file's key.
func (n named) Wrap(fileKey []byte) ([]*age.Stanza, error) {
	sealed := n.vault.Seal("", filePurpose+n.name, fileKey)
	return []*age.Stanza{{Type: fileMark, Args: []string{n.vault.current}, Body: []byte(sealed)}}, nil
}

// Unwrap unseals a file's key.
func (n named) Unwrap(stanzas []*age.Stanza) ([]byte, error) {
	if len(stanzas) != 1 || stanzas[0].Type != fileMark || len(stanzas[0].Args) != 1 {
		return nil, ErrFileDamaged
	}
	id := stanzas[0].Args[0]
	if _, known := n.vault.keys[id]; !known {
		return nil, fmt.Errorf("%w (its id is %.8q)", ErrFileKey, id)
	}
	return n.vault.Unseal("", filePurpose+n.name, string(stanzas[0].Body))
}

// source marks what the disk or the network did: that is no damage of the file.
type source struct {
	stream io.Reader
	at     io.ReaderAt
}

type unreadable struct{ error }

func (s source) Read(p []byte) (int, error) {
	n, err := s.stream.Read(p)
	return n, mark(err)
}

func (s source) ReadAt(p []byte, at int64) (int, error) {
	n, err := s.at.ReadAt(p, at)
	return n, mark(err)
}

func mark(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return unreadable{err}
}

// explain tells damage from what is none.
func explain(name string, err error) error {
	var failed unreadable
	switch {
	case err == nil || err == io.EOF:
		return err
	case errors.As(err, &failed):
		return fmt.Errorf("%s cannot be read: %w", name, failed.error)
	case errors.Is(err, ErrFileKey):
		return fmt.Errorf("%s: %w", name, err)
	}
	return fmt.Errorf("%s: %w (%w)", name, ErrFileDamaged, err)
}

// fileStream is the content of a sealed file, once.
type fileStream struct {
	name    string
	content io.Reader
}

func (f fileStream) Read(p []byte) (int, error) {
	n, err := f.content.Read(p)
	return n, explain(f.name, err)
}

// fileAt is the content of a sealed file, anywhere. It keeps the block that was read last: a workbook is read in small
// pieces, and each would cost a whole block.
type fileAt struct {
	name    string
	content io.ReaderAt
	size    int64

	mutex sync.Mutex
	start int64 // of what is kept
	block []byte
}

func (f *fileAt) ReadAt(p []byte, at int64) (n int, err error) {
	if at < 0 {
		return 0, fmt.Errorf("%s cannot be read before its start", f.name)
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for n < len(p) {
		if at >= f.size {
			return n, io.EOF
		}
		if at < f.start || at >= f.start+int64(len(f.block)) {
			if err := f.fill(at - at%fileBlock); err != nil {
				return n, err
			}
		}
		copied := copy(p[n:], f.block[at-f.start:])
		n, at = n+copied, at+int64(copied)
	}
	return n, nil
}

func (f *fileAt) fill(start int64) error {
	f.start, f.block = start, slices.Grow(f.block[:0], fileBlock)[:min(fileBlock, f.size-start)]
	got, err := f.content.ReadAt(f.block, start)
	if got == len(f.block) && (err == nil || err == io.EOF) {
		return nil
	}
	f.block = f.block[:0]
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return explain(f.name, err)
}
