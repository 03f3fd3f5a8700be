package files

import (
	"bytes"
	"compress/zlib"
	"image"
	_ "image/jpeg" // the formats that pictures come in
	_ "image/png"
	"io"
	"regexp"
	"strconv"

	_ "golang.org/x/image/webp"

	"saldo/internal/invoices/reading/xmlinvoice"
)

// The types that are taken.
const (
	PDF  = "application/pdf"
	JPEG = "image/jpeg"
	PNG  = "image/png"
	WebP = "image/webp"
	XML  = "application/xml"
)

// typeOf is the type of a file by its content; what it calls itself does not count.
func typeOf(content []byte) string {
	head := content[:min(len(content), 1024)]
	switch {
	case bytes.HasPrefix(head, []byte("\xFF\xD8\xFF")):
		return JPEG
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		return PNG
	case len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP":
		return WebP
	case bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n"), []byte("%PDF-")):
		return PDF
	case xmlinvoice.Is(content):
		return XML
	}
	return ""
}

// Check looks at a file inside a request: its type and its limits. Nothing is decoded but headers. What only shows when a PDF is opened,
// such as pages in a tree that lies about its count, is refused by Read.
func Check(content []byte) (Info, error) { return checked(content, PagesMost) }

func checked(content []byte, pages int) (Info, error) {
	info := Info{Type: typeOf(content), Pages: 1}
	switch info.Type {
	case PDF:
		return checkPDF(content, pages)
	case XML:
		if len(content) > XMLMost {
			return info, Refused{TooLarge}
		}
		return info, nil
	case JPEG, PNG, WebP:
		if len(content) > PictureMost {
			return info, Refused{TooLarge}
		}
		config, _, err := image.DecodeConfig(bytes.NewReader(content))
		if err != nil || config.Width < 1 || config.Height < 1 {
			return info, Refused{Broken}
		}
		if config.Width > PixelsMost/config.Height {
			return info, Refused{TooManyPixels}
		}
		info.Pixels = config.Width * config.Height
		return info, nil
	}
	return info, Refused{UnknownType}
}

var (
	// A dictionary that ends a file names its encryption in plain text, also where the table of objects is a stream.
	encryptedBy = regexp.MustCompile(`/Encrypt[\s]*(\d+[\s]+\d+[\s]+R|<<)`)
	pageTree    = regexp.MustCompile(`/Type[\s]*/Pages\b`)
	pageCount   = regexp.MustCompile(`/Count[\s]+(\d{1,9})`)
	packed      = regexp.MustCompile(`/Type[\s]*/ObjStm\b`)
	streamStart = regexp.MustCompile(`stream\r?\n`)
)

// checkPDF looks for encryption and the number of pages without a reader of PDF.
func checkPDF(content []byte, pages int) (Info, error) {
	info := Info{Type: PDF}
	switch {
	case len(content) > max(PDFMost, pages*PDFMost/PagesMost):
		return info, Refused{TooLarge}
	case encryptedBy.Match(content):
		return info, Refused{Encrypted}
	}
	info.Pages = countPages(content)
	unpacked := 0
	for _, at := range packed.FindAllIndex(content, 200) {
		begin := streamStart.FindIndex(content[at[1]:])
		if begin == nil || unpacked > unpackMost {
			break
		}
		z, err := zlib.NewReader(bytes.NewReader(content[at[1]+begin[1]:]))
		if err != nil {
			continue
		}
		objects, _ := io.ReadAll(io.LimitReader(z, 1<<20)) // what was unpacked before an error counts
		unpacked += len(objects)
		info.Pages = max(info.Pages, countPages(objects))
	}
	if info.Pages > pages {
		return info, Refused{TooManyPages}
	}
	info.Pages = max(info.Pages, 1)
	return info, nil
}

// unpackMost is how much of packed objects is searched for the tree of pages.
const unpackMost = 8 << 20

// countPages is the highest count that a tree of pages names.
func countPages(objects []byte) (pages int) {
	for _, at := range pageTree.FindAllIndex(objects, 100) {
		begin := max(0, bytes.LastIndex(objects[:at[0]], []byte("obj"))) // its object, or all that were packed with it
		end := len(objects)
		if n := bytes.Index(objects[at[1]:], []byte("endobj")); n >= 0 {
			end = at[1] + n
		}
		around := objects[begin:end]
		for _, count := range pageCount.FindAllSubmatch(around, 4) {
			if n, err := strconv.Atoi(string(count[1])); err == nil {
				pages = max(pages, n)
			}
		}
	}
	return pages
}
