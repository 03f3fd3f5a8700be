package testkit

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"strings"
)

// PDFPage is a page of a PDF that somebody else could have made.
type PDFPage struct {
	Width, Height float64    // points; 0: A4
	Rotate        int        // degrees
	Crop          [4]float64 // left, low, right and upper edge of what is shown; zero: all
	Lines         []string   // letters of ASCII
	Fields        []PDFField
}

// PDFField is a field of a form.
type PDFField struct {
	Name, Kind string // Tx, Btn or Sig
	Box        [4]float64
}

// PDF is a PDF of such pages, with Helvetica that is not in it. Packed: its objects are packed in streams, as most programs write it.
func PDF(packed bool, pages ...PDFPage) []byte {
	objects := []string{"", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"}
	streams := map[int]bool{}
	add := func(body string) int { objects = append(objects, body); return len(objects) }
	var kids, fields strings.Builder
	for _, p := range pages {
		if p.Width == 0 {
			p.Width, p.Height = 595.28, 841.89
		}
		left, low, top := 0.0, 0.0, p.Height
		crop := ""
		if p.Crop != [4]float64{} {
			left, low, top = p.Crop[0], p.Crop[1], p.Crop[3]
			crop = fmt.Sprintf("/CropBox[%g %g %g %g]", p.Crop[0], p.Crop[1], p.Crop[2], p.Crop[3])
		}
		var content strings.Builder
		for i, line := range p.Lines {
			fmt.Fprintf(&content, "BT /F 12 Tf %g %g Td (%s) Tj ET\n", left+30, top-40-float64(i)*20, line)
		}
		fmt.Fprintf(&content, "0.5 w %g %g 20 20 re S\n", left+5, low+5)
		stream := add(fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", content.Len(), content.String()))
		streams[stream] = true
		page := len(objects) + len(p.Fields) + 1
		var annots strings.Builder
		for _, f := range p.Fields {
			n := add(fmt.Sprintf("<</Type/Annot/Subtype/Widget/FT/%s/T(%s)/Rect[%g %g %g %g]/F 4/P %d 0 R>>", f.Kind, f.Name, f.Box[0], f.Box[1],
				f.Box[2], f.Box[3], page))
			fmt.Fprintf(&annots, "%d 0 R ", n)
			fmt.Fprintf(&fields, "%d 0 R ", n)
		}
		add(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 %g %g]%s/Rotate %d/Resources<</Font<</F 3 0 R>>>>/Contents %d 0 R/Annots[%s]>>",
			p.Width, p.Height, crop, p.Rotate, stream, annots.String()))
		fmt.Fprintf(&kids, "%d 0 R ", page)
	}
	objects[0] = "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[" + fields.String() + "]>>>>"
	objects[1] = fmt.Sprintf("<</Type/Pages/Kids[%s]/Count %d>>", kids.String(), len(pages))
	if packed {
		return packedPDF(objects, streams)
	}
	return PlainPDF("", objects...)
}

// PlainPDF writes a PDF of objects with a table at its end; the first is the catalogue.
func PlainPDF(trailer string, objects ...string) []byte {
	var out bytes.Buffer
	out.WriteString("%PDF-1.7\n")
	var places []int
	for i, o := range objects {
		places = append(places, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, p := range places {
		fmt.Fprintf(&out, "%010d 00000 n \n", p)
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, trailer, start)
	return out.Bytes()
}

// packedPDF writes objects into one packed stream, and where they are into another.
func packedPDF(objects []string, streams map[int]bool) []byte {
	deflated := func(content []byte) string {
		var out bytes.Buffer
		z := zlib.NewWriter(&out)
		_, _ = z.Write(content) // into memory
		_ = z.Close()
		return out.String()
	}
	var out, heads, bodies bytes.Buffer
	out.WriteString("%PDF-1.7\n")
	holder, table := len(objects)+1, len(objects)+2
	entries := make([][3]int, table+1)
	held := 0
	for i, o := range objects {
		n := i + 1
		if streams[n] {
			entries[n] = [3]int{1, out.Len(), 0}
			fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", n, o)
			continue
		}
		entries[n] = [3]int{2, holder, held}
		held++
		fmt.Fprintf(&heads, "%d %d ", n, bodies.Len())
		bodies.WriteString(o + "\n")
	}
	entries[holder] = [3]int{1, out.Len(), 0}
	packed := deflated(append(bytes.Clone(heads.Bytes()), bodies.Bytes()...))
	fmt.Fprintf(&out, "%d 0 obj\n<</Type/ObjStm/N %d/First %d/Filter/FlateDecode/Length %d>>stream\n%s\nendstream\nendobj\n", holder, held,
		heads.Len(), len(packed), packed)
	start := out.Len()
	entries[table] = [3]int{1, start, 0}
	var rows []byte
	for _, e := range entries {
		rows = append(rows, byte(e[0]))
		rows = binary.BigEndian.AppendUint32(rows, uint32(e[1]))
		rows = binary.BigEndian.AppendUint16(rows, uint16(e[2]))
	}
	packed = deflated(rows)
	fmt.Fprintf(&out, "%d 0 obj\n<</Type/XRef/Size %d/W[1 4 2]/Root 1 0 R/Filter/FlateDecode/Length %d>>stream\n%s\nendstream\nendobj\n"+
		"startxref\n%d\n%%%%EOF\n", table, table+1, len(packed), packed, start)
	return out.Bytes()
}

// Sheets are so many A4 pages with a line of text each, in the form in which the program keeps partners' PDFs.
func Sheets(pages int) []byte {
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"}
	var kids strings.Builder
	for n := range pages {
		content := fmt.Sprintf("BT /F 12 Tf 30 800 Td (Page %d) Tj ET", n+1)
		form := "<</Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Length %d>>stream\n%s\nendstream"
		page := "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</XObject<</S %d 0 R>>>>>>"
		objects = append(objects, fmt.Sprintf(form, len(content), content), fmt.Sprintf(page, len(objects)+1))
		fmt.Fprintf(&kids, "%d 0 R ", len(objects))
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Kids[%s]/Count %d>>", kids.String(), pages)
	return PlainPDF("", objects...)
}
