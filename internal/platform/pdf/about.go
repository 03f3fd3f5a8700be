package pdf

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Attachment is a file inside of a document.
type Attachment struct {
	Name     string // letters and digits of ASCII, points and dashes
	About    string // what it is, for people
	Type     string // as in application/xml
	Relation string // to the document, as in Alternative
	Content  []byte
}

// Schema is what a document says of itself in words of a trade.
type Schema struct {
	Title, Namespace, Prefix string
	Fields                   []Field
}

// Field is one of these words with its value.
type Field struct {
	Name, Value string
	About       string // what the word means
	is          string // empty: Text
}

// accessible says that the document can be read by who does not see it (ISO 14289-1).
var accessible = Schema{Title: "PDF/UA identification", Namespace: "http://www.aiim.org/pdfua/ns/id/", Prefix: "pdfuaid",
	Fields: []Field{{Name: "part", Value: "1", About: "Part of ISO 14289", is: "Integer"}}}

// escaped is a text within XML.
func escaped(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune("<>&'\"", r) }) {
		return text
	}
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // into memory
	return b.String()
}

// The words of XMP, and of PDF/A for what XMP does not know.
const (
	xmpBegins = "<?xpacket begin=\"\ufeff\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n" +
		"<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
	xmpEnds       = "</rdf:RDF></x:xmpmeta>\n<?xpacket end=\"w\"?>"
	explainBegins = "<rdf:Description rdf:about=\"\" xmlns:pdfaExtension=\"http://www.aiim.org/pdfa/ns/extension/\" " +
		"xmlns:pdfaSchema=\"http://www.aiim.org/pdfa/ns/schema#\" xmlns:pdfaProperty=\"http://www.aiim.org/pdfa/ns/property#\">" +
		"<pdfaExtension:schemas><rdf:Bag>\n"
	explainEnds = "</rdf:Bag></pdfaExtension:schemas></rdf:Description>\n"
)

// metadata is what the document says of itself as XMP: that it is PDF/A-3 of level A and PDF/UA where all of it is ours, its title and
// author, and the words of a trade.
func (h *Heading) metadata(ours bool) []byte {
	b := append(make([]byte, 0, 6<<10), xmpBegins...)
	describe := func(prefix, namespace, body string) {
		b = fmt.Appendf(b, "<rdf:Description rdf:about=\"\" xmlns:%s=\"%s\">%s</rdf:Description>\n", prefix, namespace, body)
	}
	if ours {
		describe("pdfaid", "http://www.aiim.org/pdfa/ns/id/", "<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>")
	}
	dc := "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">" + escaped(Clean(h.Title)) + "</rdf:li></rdf:Alt></dc:title>"
	if h.Author != "" {
		dc += "<dc:creator><rdf:Seq><rdf:li>" + escaped(Clean(h.Author)) + "</rdf:li></rdf:Seq></dc:creator>"
	}
	describe("dc", "http://purl.org/dc/elements/1.1/", dc)
	describe("pdf", "http://ns.adobe.com/pdf/1.3/", "<pdf:Producer>Saldo</pdf:Producer>")
	at := h.At.UTC().Format(time.RFC3339)
	describe("xmp", "http://ns.adobe.com/xap/1.0/", "<xmp:CreateDate>"+at+"</xmp:CreateDate><xmp:ModifyDate>"+at+"</xmp:ModifyDate>")
	if ours {
		b = append(b, saysAccessible()...)
	}
	b = append(b, explainBegins...)
	b = append(b, explainsAccessible()...)
	if h.Schema != nil {
		b = h.Schema.explained(b)
	}
	b = append(b, explainEnds...)
	if h.Schema != nil {
		b = h.Schema.values(b)
	}
	return append(b, xmpEnds...)
}

var (
	saysAccessible     = sync.OnceValue(func() []byte { return accessible.values(nil) })
	explainsAccessible = sync.OnceValue(func() []byte { return accessible.explained(nil) })
)

// values says the words of a schema.
func (s *Schema) values(b []byte) []byte {
	b = fmt.Appendf(b, "<rdf:Description rdf:about=\"\" xmlns:%s=\"%s\">", s.Prefix, escaped(s.Namespace))
	for _, f := range s.Fields {
		b = fmt.Appendf(b, "<%s:%s>%s</%[1]s:%[2]s>", s.Prefix, f.Name, escaped(f.Value))
	}
	return append(b, "</rdf:Description>\n"...)
}

// explained says what the words of a schema are: PDF/A wants it of those that XMP does not know.
func (s *Schema) explained(b []byte) []byte {
	b = fmt.Appendf(b, "<rdf:li rdf:parseType=\"Resource\"><pdfaSchema:schema>%s</pdfaSchema:schema>"+
		"<pdfaSchema:namespaceURI>%s</pdfaSchema:namespaceURI><pdfaSchema:prefix>%s</pdfaSchema:prefix>"+
		"<pdfaSchema:property><rdf:Seq>\n", escaped(s.Title), escaped(s.Namespace), s.Prefix)
	for _, f := range s.Fields {
		is, category := "Text", "external"
		if f.is != "" {
			is, category = f.is, "internal"
		}
		b = fmt.Appendf(b, "<rdf:li rdf:parseType=\"Resource\"><pdfaProperty:name>%s</pdfaProperty:name>"+
			"<pdfaProperty:valueType>%s</pdfaProperty:valueType><pdfaProperty:category>%s</pdfaProperty:category>"+
			"<pdfaProperty:description>%s</pdfaProperty:description></rdf:li>\n", f.Name, is, category, escaped(f.About))
	}
	return append(b, "</rdf:Seq></pdfaSchema:property></rdf:li>\n"...)
}
