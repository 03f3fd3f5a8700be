package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// sampled is how much of a CSV its encoding and delimiter are told from.
const sampled = 64 << 10

// openCSV looks at the start of a CSV and makes its table.
func openCSV(part string, open func() (io.ReadCloser, error)) (Table, error) {
	content, err := open()
	if err != nil {
		return Table{}, err
	}
	sample, err := io.ReadAll(io.LimitReader(content, sampled))
	if err := errors.Join(err, content.Close()); err != nil {
		return Table{}, err
	}
	name, decoder := encodingOf(sample)
	if name == "" {
		return Table{}, Refusal{ErrNotATable, part, 0}
	}
	text := sample
	if decoder != nil {
		if text, err = decoder.NewDecoder().Bytes(sample); err != nil && len(text) == 0 {
			return Table{}, Refusal{ErrEncoding, part, 0}
		}
	}
	delimiter := delimiterOf(strings.ReplaceAll(string(text), "\r", "\n"))
	if delimiter == 0 {
		return Table{}, Refusal{ErrNotATable, part, 0}
	}
	t := Table{Part: part, Encoding: name, Delimiter: delimiter, returns: !strings.Contains(string(text), "\n")}
	t.rows = func(yield func(Row, error) bool) {
		content, err := open()
		if err != nil {
			yield(Row{}, err)
			return
		}
		defer content.Close()
		t.read(content, decoder, yield)
	}
	return t, nil
}

// read yields the records. A record has only so many bytes: a quote that never closes must not swallow the file into memory.
func (t Table) read(content io.Reader, decoder encoding.Encoding, yield func(Row, error) bool) {
	if decoder != nil {
		content = transform.NewReader(content, decoder.NewDecoder())
	} else {
		marked := bufio.NewReaderSize(content, sampled)
		if mark, err := marked.Peek(3); err == nil && string(mark) == "\uFEFF" {
			_, _ = marked.Discard(3)
		}
		content = marked
	}
	if t.returns {
		content = newlines{content}
	}
	fuse := &fuse{from: newMender(content, byte(t.Delimiter))}
	records := csv.NewReader(fuse)
	records.Comma, records.FieldsPerRecord, records.ReuseRecord = t.Delimiter, -1, true
	for {
		fuse.left = RecordMax + sampled
		cells, err := records.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			yield(Row{}, t.refused(err))
			return
		}
		line, _ := records.FieldPos(0)
		if len(cells) > ColumnsMax {
			yield(Row{}, Refusal{ErrTooWide, t.Part, int64(line)})
			return
		}
		for i, cell := range cells {
			if !utf8.ValidString(cell) || strings.Contains(cell, "\x00") {
				yield(Row{}, Refusal{ErrEncoding, t.Part, int64(line)})
				return
			}
			cells[i] = cleaned(cell)
		}
		if !yield(Row{int64(line), cells}, nil) {
			return
		}
	}
}

func (t Table) refused(err error) error {
	var place *csv.ParseError
	switch {
	case errors.Is(err, errFuse):
		return Refusal{ErrTooLong, t.Part, 0}
	case errors.As(err, &place):
		return Refusal{ErrBroken, t.Part, int64(place.Line)}
	}
	return err
}

var errFuse = errors.New("table: a record without end")

// fuse stops a reader that is asked for more than one record may have.
type fuse struct {
	from io.Reader
	left int
}

func (f *fuse) Read(p []byte) (int, error) {
	if f.left <= 0 {
		return 0, errFuse
	}
	n, err := f.from.Read(p[:min(len(p), f.left)])
	f.left -= n
	return n, err
}

// encodingOf tells the encoding of a text by its mark, by being good UTF-8, or by which of the encodings of Polish and German
// programs makes words of it. Nothing: it is no text.
func encodingOf(sample []byte) (name string, decoder encoding.Encoding) {
	switch {
	case bytes.HasPrefix(sample, []byte{0xEF, 0xBB, 0xBF}):
		return "UTF-8", nil
	case bytes.HasPrefix(sample, []byte{0xFF, 0xFE}):
		return "UTF-16", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case bytes.HasPrefix(sample, []byte{0xFE, 0xFF}):
		return "UTF-16", unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	case bytes.IndexByte(sample, 0) >= 0:
		return "", nil
	case utf8.Valid(withoutCut(sample)):
		return "UTF-8", nil
	}
	best := 0
	for _, c := range []struct {
		name string
		as   encoding.Encoding
	}{{"windows-1250", charmap.Windows1250}, {"ISO-8859-2", charmap.ISO8859_2}, {"windows-1251", charmap.Windows1251}} {
		text, err := c.as.NewDecoder().Bytes(sample)
		if err != nil {
			continue
		}
		if score := likeWords(string(text)); decoder == nil || score > best {
			name, decoder, best = c.name, c.as, score
		}
	}
	return name, decoder
}

// withoutCut drops a letter that the end of the sample cut in two.
func withoutCut(sample []byte) []byte {
	for i := 1; i <= 3 && i <= len(sample); i++ {
		if last := sample[len(sample)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return sample[:len(sample)-i]
			}
			break
		}
	}
	return sample
}

const (
	latin    = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻäöüßÄÖÜ"
	cyrillic = "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЇЄҐ"
)

// likeWords scores a text by letters of our languages. Cyrillic counts only beside Cyrillic: single Cyrillic letters in Latin
// words are the wrong decoding.
func likeWords(text string) (score int) {
	var before rune
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
		case strings.ContainsRune(latin, r):
			score += 2
		case strings.ContainsRune(cyrillic, r):
			if before >= utf8.RuneSelf && strings.ContainsRune(cyrillic, before) {
				score += 2
			} else if before == 0 || before >= 'A' && before < utf8.RuneSelf {
				score--
			}
		default:
			score--
		}
		before = r
	}
	return score
}

// delimiterOf is the sign that divides the widest of the first lines; none: it is one column.
func delimiterOf(text string) rune {
	best, delimiter := 0, rune(0)
	lines := 0
	for line := range strings.Lines(text) {
		if lines++; lines > 40 {
			break
		}
		for _, d := range []rune{';', '\t', ','} {
			if n := outsideQuotes(line, d); n > best {
				best, delimiter = n, d
			}
		}
	}
	return delimiter
}

func outsideQuotes(line string, sign rune) (n int) {
	quoted := false
	for _, r := range line {
		switch {
		case r == '"':
			quoted = !quoted
		case r == sign && !quoted:
			n++
		}
	}
	return n
}
