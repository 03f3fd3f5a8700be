// Package files reads the files that invoices come as: their type by content, limits before anything is decoded, words, pages as
// pictures, attached XML and QR codes. Every file may be hostile.
package files

import (
	"context"
	"image"

	"saldo/internal/invoices/reading"
)

// Info is what is known of a file before it is read.
type Info struct {
	Type   string // application/pdf, image/jpeg, image/png, image/webp, application/xml
	Pages  int
	Pixels int // of a picture
}

// Refused says why a file is not taken.
type Refused struct{ Code string }

func (r Refused) Error() string { return "invoice file refused: " + r.Code }

// The codes of refusals.
const (
	UnknownType   = "unknown_type"
	TooLarge      = "too_large"
	TooManyPages  = "too_many_pages"
	TooManyPixels = "too_many_pixels"
	Encrypted     = "encrypted"
	Broken        = "broken"
)

// OCR finds words in the picture of a page.
type OCR interface {
	Words(ctx context.Context, page image.Image) ([]reading.Word, error)
	Name() string
}

// Options say what is there.
type Options struct {
	Reader    string // path of saldo-reader; empty: not there
	Tesseract string // path of tesseract; empty: not there
}

// Reader reads files, one at a time.
type Reader struct {
	options Options
}

// New makes a reader. What it needs is started when the first file comes.
func New(options Options) *Reader { return &Reader{options: options} }

// Check looks at a file inside a request: its type and its limits.
func Check(content []byte) (Info, error) { return Info{}, Refused{UnknownType} }

// Read finds the fields. An error means that nothing was read, never that the file is lost.
func (r *Reader) Read(ctx context.Context, content []byte, hints reading.Hints) (reading.Result, error) {
	return reading.Result{Source: reading.None}, nil
}

// Preview draws a page as a picture of that width.
func (r *Reader) Preview(ctx context.Context, content []byte, page, width int) (picture []byte, contentType string, err error) {
	return nil, "", Refused{UnknownType}
}

// Engines names what pictures are read with, best first.
func (r *Reader) Engines() []string { return nil }

// Close ends what was started.
func (r *Reader) Close() {}
