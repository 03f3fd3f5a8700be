package pdf

import (
	"bytes"
	"compress/zlib"
	"crypto/md5"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
)

// Numbers of objects that every file has; those of its pictures and pages follow.
const (
	catalog = 1 + iota
	pagesNode
	info
	resources
	metadata
	colourProfile
	tree
	toUnicode
	fontsFrom
)

const (
	fontObjects = 5
	freeFrom    = fontsFrom + 2*fontObjects
)

// packer packs streams, again and again: making one costs more than packing a page.
type packer struct {
	out bytes.Buffer
	to  *zlib.Writer
}

type packers struct{ sync.Pool }

func packersOf(level int) *packers {
	return &packers{sync.Pool{New: func() any {
		p := &packer{}
		p.to, _ = zlib.NewWriterLevel(&p.out, level) // the levels are constants
		return p
	}}}
}

var (
	quick = packersOf(zlib.BestSpeed)       // for what is in one document
	best  = packersOf(zlib.BestCompression) // for what is packed once
)

// pack makes bytes smaller.
func pack(content []byte, by *packers) []byte {
	p := by.Get().(*packer)
	defer by.Put(p)
	p.out.Reset()
	p.to.Reset(&p.out)
	_, _ = p.to.Write(content) // into memory
	_ = p.to.Close()
	return bytes.Clone(p.out.Bytes())
}

// stream is an object that holds packed bytes; about is what else its dictionary says.
func stream(about string, packed []byte) []byte {
	b := make([]byte, 0, len(packed)+len(about)+64)
	b = append(append(b, "<<"...), about...)
	b = append(strconv.AppendInt(append(b, "/Filter/FlateDecode/Length "...), int64(len(packed)), 10), ">>stream\n"...)
	return append(append(b, packed...), "\nendstream"...)
}

// letters says what each code is when text is copied out: itself, and unknown what stands for missing letters.
var letters = sync.OnceValue(func() []byte {
	b := []byte(
		"/CIDInit/ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def\n" +
			"/CMapName/Adobe-Identity-UCS def\n/CMapType 2 def\n" +
			"1 begincodespacerange\n<0000><FFFF>\nendcodespacerange\n")
	b = fmt.Appendf(b, "1 beginbfchar\n<%04X><FFFD>\nendbfchar\n", unknown)
	b = fmt.Appendf(b, "%d beginbfrange\n<%04X><00FF><%04[2]X>\n", last>>8+1, unknown+1)
	for high := 1; high <= last>>8; high++ { // no range goes over the first byte of its codes
		b = fmt.Appendf(b, "<%02X00><%02XFF><%02X00>\n", high, high, high)
	}
	return stream("", pack(append(b, "endbfrange\nendcmap\nCMapName currentdict/CMap defineresource pop\nend\nend"...), best))
})

// file is a document as bytes, with the place of each object.
type file struct {
	content []byte
	own     int // where begins what is not in other documents too
	at      []place
}

// place is where an object is: so many bytes from the beginning, or the number of the object that holds it with others.
type place struct {
	at   int
	held bool
	nth  int // among those that are held together
}

func (f *file) object(number int, body []byte) {
	f.at[number] = place{at: len(f.content)}
	f.content = append(strconv.AppendInt(f.content, int64(number), 10), " 0 obj\n"...)
	f.content = append(append(f.content, body...), "\nendobj\n"...)
}

// together writes objects from a number on that are no streams, all in one: there are many of them, and alike.
func (f *file) together(number, from, count int, write func(b []byte, i int) []byte) {
	places, bodies := make([]byte, 0, 10*count), make([]byte, 0, 64*count)
	for i := range count {
		places = append(strconv.AppendInt(places, int64(from+i), 10), ' ')
		places = append(strconv.AppendInt(places, int64(len(bodies)), 10), ' ')
		bodies = append(write(bodies, i), '\n')
		f.at[from+i] = place{number, true, i}
	}
	f.object(number, stream(fmt.Sprintf("/Type/ObjStm/N %d/First %d", count, len(places)), pack(append(places, bodies...), quick)))
}

// said is a text that a document says of itself: UTF-16 in hexadecimal.
func pdfString(text string) []byte {
	const digits = "0123456789ABCDEF"
	b := []byte("<FEFF")
	for _, u := range utf16.Encode([]rune(Clean(text))) {
		b = append(b, digits[u>>12], digits[u>>8&15], digits[u>>4&15], digits[u&15])
	}
	return append(b, '>')
}

// colours is the profile as an object of a file.
var colours = sync.OnceValue(func() []byte { return stream("/N 3", pack(profile(), best)) })

func (d *Document) file() []byte {
	attachedFrom := freeFrom
	picturesFrom := attachedFrom
	if d.head.Attached != nil {
		picturesFrom += 2
	}
	pagesFrom := picturesFrom + 2*len(d.pictures)
	elementsFrom := pagesFrom + 2*len(d.pages)
	sheetsFrom := elementsFrom + len(d.elements) + 1
	last := sheetsFrom
	for _, s := range d.sheets {
		last += len(s.objects)
	}
	f := &file{content: append(make([]byte, 0, 96<<10), "%PDF-1.7\n%\xC2\xB5\xC2\xB6\n"...), at: make([]place, last+1)}
	f.object(colourProfile, colours())
	f.object(toUnicode, letters())
	for i, face := range faces() {
		for j, body := range face.cuts[d.needs[i]]() {
			f.object(face.first+j, body)
		}
	}
	f.own = len(f.content)
	at := d.head.At.UTC().Format("20060102150405Z")
	f.object(catalog, d.catalog(attachedFrom))
	f.object(info, fmt.Appendf(nil, "<</Producer(Saldo)/Title%s/Author%s/CreationDate(D:%s)/ModDate(D:%s)>>", pdfString(d.head.Title),
		pdfString(d.head.Author), at, at))
	about := d.head.metadata(len(d.sheets) == 0)
	f.object(metadata, fmt.Appendf(nil, "<</Type/Metadata/Subtype/XML/Length %d>>stream\n%s\nendstream", len(about), about))
	d.attachment(f, attachedFrom, at)
	d.drawn(f, picturesFrom, pagesFrom, sheetsFrom)
	f.object(tree, fmt.Appendf(nil, "<</Type/StructTreeRoot/K %d 0 R/ParentTreeNextKey %d/ParentTree%s>>",
		elementsFrom, len(d.pages), d.owners(elementsFrom)))
	f.together(elementsFrom+len(d.elements), elementsFrom, len(d.elements), func(b []byte, i int) []byte {
		return d.element(b, &d.elements[i], pagesFrom, elementsFrom)
	})
	before := sheetsFrom - 1
	for _, s := range d.sheets {
		for i := range s.objects {
			f.object(before+1+i, s.objects[i].write(nil, before))
		}
		before += len(s.objects)
	}
	return f.end()
}

// catalog is where readers begin.
func (d *Document) catalog(attached int) []byte {
	b := fmt.Appendf(nil, "<</Type/Catalog/Pages %d 0 R/Metadata %d 0 R/MarkInfo<</Marked true>>/StructTreeRoot %d 0 R"+
		"/ViewerPreferences<</DisplayDocTitle true>>/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)"+
		"/Info(sRGB)/DestOutputProfile %d 0 R>>]", pagesNode, metadata, tree, colourProfile)
	if d.head.Language != "" {
		b = fmt.Appendf(b, "/Lang(%s)", d.head.Language)
	}
	if a := d.head.Attached; a != nil {
		b = fmt.Appendf(b, "/AF[%d 0 R]/Names<</EmbeddedFiles<</Names[(%s) %[1]d 0 R]>>>>", attached, a.Name)
	}
	return append(b, ">>"...)
}

// attachment writes the file that is inside of the document, where there is one.
func (d *Document) attachment(f *file, number int, at string) {
	a := d.head.Attached
	if a == nil {
		return
	}
	f.object(number, fmt.Appendf(nil, "<</Type/Filespec/F(%s)/UF(%[1]s)/Desc%s/AFRelationship/%s/EF<</F %d 0 R/UF %[4]d 0 R>>>>",
		a.Name, pdfString(a.About), a.Relation, number+1))
	about := fmt.Sprintf("/Type/EmbeddedFile/Subtype/%s/Params<</ModDate(D:%s)/Size %d/CheckSum<%X>>>",
		strings.ReplaceAll(a.Type, "/", "#2F"), at, len(a.Content), md5.Sum(a.Content))
	f.object(number+1, stream(about, pack(a.Content, quick)))
}

// drawn writes the pictures and the pages. A page with that of somebody else below it names its objects, and its own size.
func (d *Document) drawn(f *file, picturesFrom, pagesFrom, sheetsFrom int) {
	var names []byte
	for i, p := range d.pictures {
		n := picturesFrom + 2*i
		names = fmt.Appendf(names, "/I%d %d 0 R", i, n)
		f.object(n, stream(fmt.Sprintf("%s/ColorSpace/DeviceRGB/SMask %d 0 R", p.about, n+1), p.pixels))
		f.object(n+1, stream(p.about+"/ColorSpace/DeviceGray", p.mask))
	}
	for i, s := range d.sheets {
		for n := range s.sheets {
			names = fmt.Appendf(names, "/S%d_%d %d 0 R", i, n, sheetsFrom-1+s.sheets[n].object)
		}
		sheetsFrom += len(s.objects)
	}
	multiply := ""
	if len(d.sheets) > 0 {
		multiply = "/ExtGState<</M<</BM/Multiply>>>>"
	}
	f.object(resources, fmt.Appendf(nil, "<</Font<</R %d 0 R/B %d 0 R>>/XObject<<%s>>%s>>", fontsFrom, fontsFrom+fontObjects, names, multiply))
	var kids []byte
	for i, p := range d.pages {
		n := pagesFrom + 2*i
		kids = fmt.Appendf(kids, "%d 0 R ", n)
		size := ""
		if p.under != nil {
			own := p.under.sheets[p.sheet].size
			size = "/MediaBox[0 0 " + own[0] + " " + own[1] + "]"
		}
		f.object(n, fmt.Appendf(nil, "<</Type/Page/Parent %d 0 R%s/Resources %d 0 R/StructParents %d"+
			"/Group<</Type/Group/S/Transparency/CS/DeviceRGB>>/Contents %d 0 R>>", pagesNode, size, resources, i, n+1))
		f.object(n+1, stream("", pack(p.content, quick)))
	}
	f.object(pagesNode, fmt.Appendf(nil, "<</Type/Pages/Kids[%s]/Count %d/MediaBox[0 0 %.2f %.2f]>>", kids, len(d.pages), paperWidth,
		paperHeight))
}

// end writes where each object is, itself as the last, and not packed: that takes longer than it saves. What the file is called
// by those who compare is a sum of what it says.
func (f *file) end() []byte {
	start, self := len(f.content), len(f.at)-1
	f.at[self] = place{at: start}
	b := make([]byte, 0, 7*len(f.at))
	b = append(b, 0, 0, 0, 0, 0, 0xFF, 0xFF)
	for _, p := range f.at[1:] {
		kind := byte(1)
		if p.held {
			kind = 2
		}
		b = append(binary.BigEndian.AppendUint32(append(b, kind), uint32(p.at)), byte(p.nth>>8), byte(p.nth))
	}
	sum := sha256.Sum256(f.content[f.own:])
	f.object(self, fmt.Appendf(nil, "<</Type/XRef/Size %d/W[1 4 2]/Root %d 0 R/Info %d 0 R/ID[<%X><%[4]X>]/Length %d>>stream\n%s\nendstream",
		len(f.at), catalog, info, sum[:16], len(b), b))
	return fmt.Appendf(f.content, "startxref\n%d\n%%%%EOF\n", start)
}
