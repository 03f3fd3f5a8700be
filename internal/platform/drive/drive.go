// Package drive puts files into folders that belong to somebody else, by WebDAV or S3. A file is there as a whole or not at all, and what
// stands at a path is never replaced by other content.
package drive

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Problem is why a drive took nothing. Its text tells no address, no name and no secret.
type Problem string

// The problems.
const (
	Denied     Problem = "denied"         // the account or the password is wrong, or may not write there
	Away       Problem = "away"           // nobody answers, or the service says that it is out of order
	NoSpace    Problem = "no_space"       // the drive is full
	NoFolder   Problem = "folder_missing" // the folder or bucket that was named is not there
	Busy       Problem = "busy"           // the place is locked, or too much was asked; later it may work
	Unexpected Problem = "unexpected"     // an answer that no such service gives
	Private    Problem = "private"        // the address leads into the program's own network
	TooLarge   Problem = "too_large"      // what it gives is more than is taken
)

func (p Problem) Error() string { return "drive: " + string(p) }

// Passing says whether the same may work later without anybody doing something.
func (p Problem) Passing() bool { return p == Away || p == Busy }

// ProblemOf is the problem that an error is.
func ProblemOf(err error) Problem {
	var p Problem
	if errors.As(err, &p) {
		return p
	}
	return Unexpected
}

// ErrOther is the error of a file at whose path there is another one.
var ErrOther = errors.New("drive: another file has this path")

// Unknown is the free space of a drive that does not tell it.
const Unknown int64 = -1

// File is what is put. Open may be called more than once, and gives the same bytes each time.
type File struct {
	Path string // below the folder of the connection, with slashes; see Clean
	Size int64
	Sum  [sha256.Size]byte
	Type string // of its content
	Open func() (io.ReadCloser, error)
}

// Drive is a folder at a service.
type Drive interface {
	// Put stores a file. One that is there already with the same bytes is left alone; with other bytes it is ErrOther.
	Put(ctx context.Context, f File) error
	// Free is how many bytes there is room for, or Unknown.
	Free(ctx context.Context) (int64, error)
	// Test says whether the folder can be written to, with one sign-in.
	Test(ctx context.Context) error
}

// partMost is how many bytes the name of a folder or file has at most.
const partMost = 180

// Clean makes a name that every service and every computer takes: composed letters, none of \/:*?"<>| and no control characters, no dots
// or spaces at its ends, and not too long. The ending of a file is kept.
func Clean(name string) string {
	name = norm.NFC.String(strings.ToValidUTF8(name, "_"))
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`\/:*?"<>|`, r) {
			return '_'
		}
		return r
	}, name)
	name = strings.Trim(name, " .")
	if len(name) > partMost {
		ending := ""
		if i := strings.LastIndexByte(name, '.'); i > 0 && len(name)-i <= 10 {
			ending = name[i:]
		}
		name = strings.TrimRight(cut(name, partMost-len(ending)), " .") + ending
	}
	if name == "" {
		return "_"
	}
	return name
}

// cut gives the first bytes of a text, and no half letter.
func cut(text string, most int) string {
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// Numbered is the path of the nth file of this name, from 2 on.
func Numbered(path string, n int) string {
	if n < 2 {
		return path
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	i := strings.LastIndexByte(name, '.')
	if i < 1 {
		i = len(name)
	}
	stem := path[:len(path)-len(name)+i]
	return fmt.Sprintf("%s (%d)%s", stem, n, name[i:])
}

// same says whether content is that of a file.
func (f File) same(content io.Reader) (bool, error) {
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(content, f.Size+1))
	return err == nil && n == f.Size && [sha256.Size]byte(sum.Sum(nil)) == f.Sum, err
}
