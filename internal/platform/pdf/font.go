package pdf

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
)

//go:embed font/NotoSans-Regular.ttf
var regular []byte

//go:embed font/NotoSans-Bold.ttf
var bold []byte

const (
	last    = 0x2212   // the last letter that the fonts have, but for the next
	missing = '\ufffd' // stands for every letter that they do not have
	unknown = 1        // its code: no letter has it, and 0 would mean to readers that nothing is drawn
)

// A letter is written as its number in Unicode, so that it is copied out as what it was: a space that must not be broken and
// one that may have the same picture.
func code(r rune) rune {
	if r > last {
		return unknown
	}
	return r
}

// face is one of the two fonts, read once.
type face struct {
	name    string
	first   int // number of its first object in a file
	flags   int // of its descriptor: symbolic, and bold where it is
	stem    int // how thick it is
	tables  map[string][]byte
	glyph   [last + 1]uint16 // the picture of each letter by its code; 0: none
	advance [last + 1]uint16 // how far it goes, in thousandths of the size
	wider   [last + 1]alphabet
	cuts    [all + 1]func() *cut
}

// alphabet is a set of letters that a document embeds pictures of. Each holds those before it.
type alphabet uint8

// What most documents need is cut out of the fonts and packed once, and not for each of them. Who has a name beyond it gets
// the whole font: no letter is left out.
const (
	latin    alphabet = iota // English, Polish, German, figures and signs
	cyrillic                 // and Ukrainian and Russian
	all
)

const polish = "ĄąĆćĘęŁłŃńŚśŹźŻż"

func alphabetOf(r rune) alphabet {
	switch {
	case r < 0x100 || r >= 0x2000 || strings.ContainsRune(polish, r):
		return latin
	case r >= 0x400 && r < 0x460 || r == 'Ґ' || r == 'ґ':
		return cyrillic
	}
	return all
}

var faces = sync.OnceValue(func() *[2]*face {
	return &[2]*face{readFace("NotoSans-Regular", fontsFrom, regular, 4, 87),
		readFace("NotoSans-Bold", fontsFrom+fontObjects, bold, 4|1<<18, 165)}
})

func faceOf(s Style) *face { return faces()[s.face()] }

// has says whether the fonts have a letter that people see.
func has(r rune) bool {
	return r == missing || r > unknown && r <= last && faces()[0].glyph[r] != 0
}

var (
	u16 = binary.BigEndian.Uint16
	u32 = binary.BigEndian.Uint32
)

// readFace reads a TrueType font whose tables are as font/make.py leaves them.
func readFace(name string, first int, content []byte, flags, stem int) *face {
	f := &face{name: name, first: first, flags: flags, stem: stem, tables: map[string][]byte{}}
	for i := range int(u16(content[4:])) {
		entry := content[12+16*i:]
		f.tables[string(entry[:4])] = content[u32(entry[8:]):][:u32(entry[12:])]
	}
	f.readLetters()
	widths, maximum := f.tables["hmtx"], u16(f.tables["hhea"][34:])
	for c, g := range f.glyph {
		f.advance[c] = u16(widths[4*min(g, maximum-1):])
		f.wider[c] = alphabetOf(rune(c))
	}
	for a := range f.cuts {
		f.cuts[a] = sync.OnceValue(func() *cut { return f.cut(alphabet(a)) })
	}
	return f
}

// readLetters finds the picture of each letter in a table of segments (format 4).
func (f *face) readLetters() {
	cmap := f.tables["cmap"]
	var t []byte
	for i := range int(u16(cmap[2:])) {
		if at := cmap[u32(cmap[4+8*i+4:]):]; u16(at) == 4 {
			t = at
		}
	}
	n := int(u16(t[6:]))
	ends, starts, deltas, offsets := t[14:], t[16+n:], t[16+2*n:], t[16+3*n:]
	for i := 0; i < n; i += 2 {
		for r := rune(u16(starts[i:])); r <= rune(u16(ends[i:])) && r < 0xFFFF; r++ {
			g := uint16(r)
			if o := int(u16(offsets[i:])); o != 0 {
				g = u16(offsets[i+o+2*int(r-rune(u16(starts[i:]))):])
			}
			if g += u16(deltas[i:]); r == missing || r <= last && !unicode.Is(unicode.Cf, r) && !unicode.IsControl(r) {
				f.glyph[code(r)] = g
			}
		}
	}
}

// cut is a font with the pictures of an alphabet: the objects of a file, ready to be copied into it.
type cut [fontObjects][]byte

func (f *face) cut(a alphabet) *cut {
	kept := map[uint16]bool{0: true}
	places := make([]byte, 2*(last+1))
	widths := []byte{}
	for c, before := 0, -2; c <= last; c++ {
		g := f.glyph[c]
		if g == 0 || f.wider[c] > a {
			continue
		}
		f.keep(g, kept)
		binary.BigEndian.PutUint16(places[2*c:], g)
		if c != before+1 {
			widths = fmt.Appendf(widths, "]%d[", c)
		}
		widths = fmt.Appendf(widths, "%d ", f.advance[c])
		before = c
	}
	program := f.program(kept)
	head, hhea, os2 := f.tables["head"], f.tables["hhea"], f.tables["OS/2"]
	i16 := func(b []byte) int16 { return int16(u16(b)) }
	name := "SALDO" + string(rune('A'+a)) + "+" + f.name
	return &cut{
		fmt.Appendf(nil, "<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/DescendantFonts[%d 0 R]/ToUnicode %d 0 R>>", name, f.first+1,
			toUnicode),
		fmt.Appendf(nil,
			"<</Type/Font/Subtype/CIDFontType2/BaseFont/%s/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"+
				"/FontDescriptor %d 0 R/CIDToGIDMap %d 0 R/DW %d/W[%s]]>>",
			name, f.first+2, f.first+3, f.advance[unknown], widths[1:]),
		fmt.Appendf(nil,
			"<</Type/FontDescriptor/FontName/%s/Flags %d/FontBBox[%d %d %d %d]/ItalicAngle 0"+
				"/Ascent %d/Descent %d/CapHeight %d/StemV %d/FontFile2 %d 0 R>>", name, f.flags,
			i16(head[36:]), i16(head[38:]), i16(head[40:]), i16(head[42:]), i16(hhea[4:]), i16(hhea[6:]), i16(os2[88:]), f.stem, f.first+4),
		stream("", pack(places, best)),
		stream(fmt.Sprintf("/Length1 %d", len(program)), pack(program, best)),
	}
}

// outline is the picture of a glyph.
func (f *face) outline(g uint16) []byte {
	loca, glyf := f.tables["loca"], f.tables["glyf"]
	if u16(f.tables["head"][50:]) == 0 {
		return glyf[2*int(u16(loca[2*int(g):])) : 2*int(u16(loca[2*int(g)+2:]))]
	}
	return glyf[u32(loca[4*int(g):]):u32(loca[4*int(g)+4:])]
}

// keep notes a glyph and those that it is put together of.
func (f *face) keep(g uint16, kept map[uint16]bool) {
	kept[g] = true
	o := f.outline(g)
	if len(o) == 0 || int16(u16(o)) >= 0 {
		return
	}
	const words, scale, more, both, matrix = 1, 8, 0x20, 0x40, 0x80
	for at := 10; ; {
		flags := u16(o[at:])
		f.keep(u16(o[at+2:]), kept)
		at += 6
		if flags&words != 0 {
			at += 2
		}
		switch {
		case flags&scale != 0:
			at += 2
		case flags&both != 0:
			at += 4
		case flags&matrix != 0:
			at += 8
		}
		if flags&more == 0 {
			return
		}
	}
}

// program is a font with the pictures of some glyphs: the others keep their numbers and are empty.
func (f *face) program(kept map[uint16]bool) []byte {
	count := int(u16(f.tables["maxp"][4:]))
	var glyf, loca []byte
	hmtx := slices.Clone(f.tables["hmtx"])
	for g := range count {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		if kept[uint16(g)] {
			glyf = append(glyf, f.outline(uint16(g))...)
			glyf = append(glyf, make([]byte, -len(glyf)&3)...)
		} else if 4*g+4 < len(hmtx) {
			clear(hmtx[4*g : 4*g+4])
		}
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	head := slices.Clone(f.tables["head"])
	binary.BigEndian.PutUint32(head[8:], 0)  // its own sum, filled in below
	binary.BigEndian.PutUint16(head[50:], 1) // places of four bytes
	tables := map[string][]byte{"glyf": glyf, "loca": loca, "head": head, "hhea": f.tables["hhea"], "hmtx": hmtx, "maxp": f.tables["maxp"]}
	names := slices.Sorted(maps.Keys(tables))
	out := binary.BigEndian.AppendUint32(nil, 0x00010000)
	for _, n := range []int{len(names), 64, 2, 16*len(names) - 64} { // what a search in a directory of four to seven begins with
		out = binary.BigEndian.AppendUint16(out, uint16(n))
	}
	at := len(out) + 16*len(names)
	for _, name := range names {
		t := tables[name]
		out = append(out, name...)
		for _, n := range []uint32{checksum(t), uint32(at), uint32(len(t))} {
			out = binary.BigEndian.AppendUint32(out, n)
		}
		at += (len(t) + 3) &^ 3
	}
	headAt := 0
	for _, name := range names {
		if name == "head" {
			headAt = len(out)
		}
		out = append(out, tables[name]...)
		out = append(out, make([]byte, -len(tables[name])&3)...)
	}
	binary.BigEndian.PutUint32(out[headAt+8:], 0xB1B0AFBA-checksum(out))
	return out
}

// checksum adds up words of four bytes, as TrueType wants it.
func checksum(b []byte) (sum uint32) {
	for ; len(b) >= 4; b = b[4:] {
		sum += u32(b)
	}
	if len(b) > 0 {
		sum += u32(append(slices.Clone(b), 0, 0, 0))
	}
	return sum
}
