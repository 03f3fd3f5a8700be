package table

import (
	"bufio"
	"bytes"
	"io"
)

// newlines makes new lines of carriage returns, in texts that have no others.
type newlines struct{ from io.Reader }

func (l newlines) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	for i, b := range p[:n] {
		if b == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// mender doubles quotes that stand inside a cell where it is certain that they belong to it: in a cell without quotes around it, and in
// one with quotes
// that ends in the same line without a delimiter behind the stray one. Everything else is left as it is, and refused with its place by
// whoever reads it.
type mender struct {
	from      *bufio.Reader
	delimiter byte
	open      bool // a cell with quotes goes on in the next line
	raw       bool // a line was too long to look at: nothing is changed from there on
	made      []byte
	left      []byte // of the line at hand
	err       error
}

func newMender(from io.Reader, delimiter byte) *mender {
	return &mender{from: bufio.NewReaderSize(from, sampled), delimiter: delimiter}
}

// Read gives as many lines as fit: files may have millions of short ones.
func (m *mender) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(m.left) == 0 {
			if n > 0 && (m.err != nil || m.from.Buffered() == 0) {
				return n, nil
			}
			if m.err != nil {
				return 0, m.err
			}
			line, err := m.from.ReadSlice('\n')
			if err == bufio.ErrBufferFull {
				m.raw, err = true, nil
			}
			m.left, m.err = m.mended(line), err
		}
		copied := copy(p[n:], m.left)
		m.left, n = m.left[copied:], n+copied
	}
	return n, nil
}

// mended is a line whose stray quotes are doubled.
func (m *mender) mended(line []byte) []byte {
	if m.raw || !m.open && bytes.IndexByte(line, '"') < 0 {
		return line
	}
	end := len(bytes.TrimRight(line, "\r\n"))
	m.made = m.made[:0]
	changed, at := false, 0
	if m.open {
		if at = closing(line[:end], 0); at < 0 {
			return line
		}
		m.made, m.open = append(m.made, line[:at]...), false
		if at < end && line[at] != m.delimiter {
			m.raw = true // what closed there?
			return line
		}
		if at < end {
			m.made = append(m.made, m.delimiter)
			at++
		}
	}
	for at < end || at == end && end > 0 && line[end-1] == m.delimiter {
		cell, next, stray, ok := m.cell(line[:end], at)
		if !ok {
			return line
		}
		changed = changed || stray
		m.made = append(m.made, cell...)
		if m.open || next >= end {
			break
		}
		m.made = append(m.made, m.delimiter)
		at = next + 1
	}
	if !changed {
		return line
	}
	return append(m.made, line[end:]...)
}

// closing is the place behind the quote that closes a cell, from a place inside it on; below zero: it does not close in this line.
func closing(line []byte, at int) int {
	for at < len(line) {
		i := bytes.IndexByte(line[at:], '"')
		if i < 0 {
			return -1
		}
		if at += i + 1; at == len(line) || line[at] != '"' {
			return at
		}
		at++
	}
	return -1
}

// cell is the cell that starts at a place, well formed, and where its delimiter stands. It is not ok where nobody can tell where it ends.
func (m *mender) cell(line []byte, at int) (cell []byte, next int, stray, ok bool) {
	if at >= len(line) || line[at] != '"' {
		next = len(line)
		if i := bytes.IndexByte(line[at:], m.delimiter); i >= 0 {
			next = at + i
		}
		cell = line[at:next]
		if bytes.IndexByte(cell, '"') < 0 {
			return cell, next, false, true
		}
		return quoted(bytes.ReplaceAll(cell, []byte{'"'}, []byte{'"', '"'})), next, true, true
	}
	inside := make([]byte, 0, len(line)-at)
	for i := at + 1; i < len(line); i++ {
		switch {
		case line[i] == m.delimiter && stray:
			return nil, 0, false, false
		case line[i] != '"':
			inside = append(inside, line[i])
		case i+1 == len(line) || line[i+1] == m.delimiter:
			return quoted(inside), i + 1, stray, true
		default:
			inside = append(inside, '"', '"')
			if line[i+1] == '"' {
				i++
			} else {
				stray = true
			}
		}
	}
	m.open = !stray // without a stray quote it goes on in the next line
	return line[at:], len(line), false, !stray
}

func quoted(inside []byte) []byte { return append(append([]byte{'"'}, inside...), '"') }
