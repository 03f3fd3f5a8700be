package pipeline

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"math/bits"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/calendar"
)

// rowKey is what makes a row the same row in another file.
type rowKey [16]byte

// How much of a key is the movement where the provider names it: whole signs of its text.
const (
	namedBytes   = 9
	namedLetters = namedBytes * 4 / 3
)

func (k rowKey) String() string { return base64.RawURLEncoding.EncodeToString(k[:]) }

// keyMaker gives each entry its key. All that it remembers of a row is one key.
type keyMaker struct {
	salt string
	seen keySet
	// line is the row that is being read, and how often each movement and type stood in it.
	line    int64
	inLine  map[string]int
	buffer  []byte
	day     calendar.Date // that was last numbered
	dayNo   uint16
	columns map[string]string // folded
}

// of is the key of an entry: what the provider calls the movement, or else
// everything that the row says and how often the file said it before. So two
// equal rows both count, and a file that overlaps another adds what is new.
// again says that the same movement stood in this file before.
// A row may hold several amounts of one movement: they are distinguished by their
// type and their order in the row. A key made of the content starts with its
// day: rows of a week then stand side by side in an index of years.
func (k *keyMaker) of(e *Entry) (key rowKey, again bool) {
	k.buffer = k.buffer[:0]
	k.add(k.salt, e.Provider)
	if e.ExternalID != "" {
		if k.line != e.Line || k.inLine == nil {
			k.line, k.inLine = e.Line, map[string]int{}
		}
		name := e.ExternalID + "\x00" + e.Type
		k.inLine[name]++
		k.add("id", e.ExternalID, e.Type)
		k.number(int64(k.inLine[name]))
		key = k.done()
		again = k.seen.add(key) > 1
		// its start is the movement, its end the version: what the provider changed since is found by the start
		k.buffer = append(k.buffer[:0], key[:]...)
		k.number(int64(e.Amount))
		k.add(string(e.On))
		if len(e.Person.Keys) > 0 {
			k.add(e.Person.Keys[0].Compared())
		} else {
			k.add(e.Person.FullName())
		}
		version := k.done()
		copy(key[namedBytes:], version[:])
		return key, again
	}
	k.add("row", e.Part.Kind)
	for _, one := range e.Person.Keys {
		k.add(one.Kind, one.Compared())
	}
	if len(e.Person.Keys) == 0 {
		k.add("name", e.Person.FullName())
	}
	k.add(e.Type, k.folded(e.Column), string(e.Currency), string(e.On), string(e.From), string(e.To), e.Payment, e.Name, e.Text)
	k.number(int64(e.Amount))
	if !e.At.IsZero() {
		k.number(e.At.UnixMicro())
	}
	content := k.done()
	k.buffer = append(k.buffer[:0], content[:]...)
	k.number(int64(k.seen.add(content)))
	key = k.done()
	if k.day != e.On {
		k.day, k.dayNo = e.On, uint16(e.On.DaysSince(statement.FirstDay))
	}
	binary.BigEndian.PutUint16(key[:], k.dayNo)
	return key, false
}

func (k *keyMaker) folded(column string) string {
	folded, ok := k.columns[column]
	if !ok {
		if k.columns == nil {
			k.columns = map[string]string{}
		}
		folded = statement.Fold(column)
		k.columns[column] = folded
	}
	return folded
}

func (k *keyMaker) add(texts ...string) {
	for _, text := range texts {
		k.number(int64(len(text)))
		k.buffer = append(k.buffer, text...)
	}
}

func (k *keyMaker) number(n int64) { k.buffer = binary.AppendVarint(k.buffer, n) }

func (k *keyMaker) done() (key rowKey) {
	whole := sha256.Sum256(k.buffer)
	copy(key[:], whole[:])
	return key
}

// keySet remembers keys, and how often those that came again came. It is made
// for a million keys: they stand in it side by side.
type keySet struct {
	slots []rowKey // nothing: free
	used  int
	again map[rowKey]uint32
}

// roomFor is a set with room for so many keys and no more than a million: it
// need not grow where that many come.
func roomFor(keys int64) keySet {
	return keySet{slots: make([]rowKey, max(1024, min(keys, 1_000_000)*4/3+1))}
}

// add says how often the key has come, this time included.
func (s *keySet) add(key rowKey) uint32 {
	if 4*s.used >= 3*len(s.slots) {
		s.grow()
	}
	at := s.find(key)
	if *at == key {
		if s.again == nil {
			s.again = map[rowKey]uint32{}
		}
		s.again[key]++
		return 1 + s.again[key]
	}
	*at = key
	s.used++
	return 1
}

// find is where the key stands or would stand: the place of its last half
// among all there are, or the next free one.
func (s *keySet) find(key rowKey) *rowKey {
	n, _ := bits.Mul64(binary.LittleEndian.Uint64(key[8:]), uint64(len(s.slots)))
	for ; ; n++ {
		if n == uint64(len(s.slots)) {
			n = 0
		}
		if at := &s.slots[n]; *at == key || *at == (rowKey{}) {
			return at
		}
	}
}

func (s *keySet) grow() {
	former := s.slots
	s.slots = make([]rowKey, max(1024, 2*len(former)))
	for _, key := range former {
		if key != (rowKey{}) {
			*s.find(key) = key
		}
	}
}
