package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strconv"
	"sync"
	"unicode/utf16"
)

// Numbers of objects that every file has; those of its pictures and pages follow.
const (
	catalog = 1 + iota
	pagesNode
	info
	resources
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

// letters says what each code is when text is copied out: itself, and 0 what stands for missing letters.
var letters = sync.OnceValue(func() []byte {
	b := []byte("/CIDInit/ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def\n/CMapName/Adobe-Identity-UCS def\n/CMapType 2 def\n" +
		"1 begincodespacerange\n<0000><FFFF>\nendcodespacerange\n1 beginbfchar\n<0000><FFFD>\nendbfchar\n")
	b = fmt.Appendf(b, "%d beginbfrange\n<0001><00FF><0001>\n", last>>8+1)
	for high := 1; high <= last>>8; high++ { // no range goes over the first byte of its codes
		b = fmt.Appendf(b, "<%02X00><%02XFF><%02X00>\n", high, high, high)
	}
	return stream("", pack(append(b, "endbfrange\nendcmap\nCMapName currentdict/CMap defineresource pop\nend\nend"...), best))
})

// file is a document as bytes, with the place of each object.
type file struct {
	content []byte
	at      []int
}

func (f *file) object(number int, body []byte) {
	f.at[number] = len(f.content)
	f.content = append(strconv.AppendInt(f.content, int64(number), 10), " 0 obj\n"...)
	f.content = append(append(f.content, body...), "\nendobj\n"...)
}

// said is a text that a document says of itself: UTF-16 in hexadecimal.
func said(text string) []byte {
	b := []byte("<FEFF")
	for _, u := range utf16.Encode([]rune(Clean(text))) {
		b = fmt.Appendf(b, "%04X", u)
	}
	return append(b, '>')
}

func (d *Document) file() []byte {
	picturesFrom := freeFrom
	pagesFrom := picturesFrom + 2*len(d.pictures)
	f := &file{content: append(make([]byte, 0, 96<<10), "%PDF-1.4\n%\xC2\xB5\xC2\xB6\n"...), at: make([]int, pagesFrom+2*len(d.pages))}
	language := ""
	if d.head.Language != "" {
		language = fmt.Sprintf("/Lang(%s)", d.head.Language)
	}
	f.object(catalog, fmt.Appendf(nil, "<</Type/Catalog/Pages %d 0 R%s>>", pagesNode, language))
	at := d.head.At.UTC().Format("20060102150405Z")
	f.object(info, fmt.Appendf(nil, "<</Producer(Saldo)/Title%s/Author%s/CreationDate(D:%s)/ModDate(D:%s)>>", said(d.head.Title), said(d.head.Author), at, at))
	f.object(toUnicode, letters())
	for i, face := range faces() {
		for j, body := range face.cuts[d.needs[i]]() {
			f.object(face.first+j, body)
		}
	}
	var names []byte
	for i, p := range d.pictures {
		n := picturesFrom + 2*i
		names = fmt.Appendf(names, "/I%d %d 0 R", i, n)
		f.object(n, stream(fmt.Sprintf("%s/ColorSpace/DeviceRGB/SMask %d 0 R", p.about, n+1), p.pixels))
		f.object(n+1, stream(p.about+"/ColorSpace/DeviceGray", p.mask))
	}
	f.object(resources, fmt.Appendf(nil, "<</Font<</R %d 0 R/B %d 0 R>>/XObject<<%s>>>>", fontsFrom, fontsFrom+fontObjects, names))
	var kids []byte
	for i, p := range d.pages {
		n := pagesFrom + 2*i
		kids = fmt.Appendf(kids, "%d 0 R ", n)
		f.object(n, fmt.Appendf(nil, "<</Type/Page/Parent %d 0 R/Resources %d 0 R/Group<</Type/Group/S/Transparency/CS/DeviceRGB>>/Contents %d 0 R>>", pagesNode, resources, n+1))
		f.object(n+1, stream("", pack(p.content, quick)))
	}
	f.object(pagesNode, fmt.Appendf(nil, "<</Type/Pages/Kids[%s]/Count %d/MediaBox[0 0 %.2f %.2f]>>", kids, len(d.pages), paperWidth, paperHeight))
	return f.end()
}

// end writes where each object is.
func (f *file) end() []byte {
	start := len(f.content)
	b := fmt.Appendf(f.content, "xref\n0 %d\n0000000000 65535 f \n", len(f.at))
	for _, at := range f.at[1:] {
		b = fmt.Appendf(b, "%010d 00000 n \n", at)
	}
	return fmt.Appendf(b, "trailer\n<</Size %d/Root %d 0 R/Info %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(f.at), catalog, info, start)
}
