// Package files reads the files that invoices come as: their type by content, limits before anything is decoded, words, pages as
// pictures, attached XML and QR codes. Every file may be hostile.
package files

import (
	"errors"
	"os/exec"
	"time"

	"saldo/internal/invoices/ocr"
	"saldo/internal/kernel/fault"
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

// Faults are the answers to refused files, by the codes of refusals; Broken is in it, for those that are not.
type Faults map[string]*fault.Fault

// Of is the answer to what a file was refused for; other errors stay as they are.
func (f Faults) Of(err error) error {
	var refused Refused
	if !errors.As(err, &refused) {
		return err
	}
	if known := f[refused.Code]; known != nil {
		return known.Because(err)
	}
	return f[Broken].Because(err)
}

// The limits of files.
const (
	PDFMost     = 10 << 20
	PictureMost = 1 << 20
	XMLMost     = 1 << 20
	PagesMost   = 20
	PixelsMost  = 40_000_000
	pagesRead   = 3 // the first ones
)

// Options say what is there.
type Options struct {
	Reader    string // path of saldo-reader; empty: it is looked for
	Tesseract string // path of tesseract; empty: it is looked for
	NoOCR     bool   // pictures are not read
	Self      string // path of saldo, which then opens PDFs and pictures in a process of its own; empty: in this one
	Alone     bool   // this process does nothing else: what a PDF may take is counted by the processor's time
	Cache     string // folder for compiled code, which only this program may write; empty: it is compiled each time
}

// Reader reads files, one at a time.
type Reader struct {
	pdfs    pdfs
	engines []ocr.Engine
	longest time.Duration // that a PDF may take
}

// New makes a reader. What it needs is started when the first file comes.
func New(options Options) *Reader {
	r := &Reader{longest: longestOpen}
	r.pdfs = &sandbox{cache: options.Cache, alone: options.Alone}
	if options.Self != "" {
		r.pdfs = child{options.Self, options.Cache}
	}
	if options.NoOCR {
		return r
	}
	if program, ok := ocr.FindProgram(options.Reader); ok {
		r.engines = append(r.engines, program)
	}
	path := options.Tesseract
	if path == "" {
		path, _ = exec.LookPath("tesseract")
	}
	if path != "" {
		r.engines = append(r.engines, &tesseract{path: path})
	}
	return r
}

// Engines names what pictures are read with, best first.
func (r *Reader) Engines() (names []string) {
	for _, e := range r.engines {
		names = append(names, e.Name())
	}
	return names
}

// Close ends what was started.
func (r *Reader) Close() { r.pdfs.close() }
