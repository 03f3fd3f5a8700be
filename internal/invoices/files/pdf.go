package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"github.com/klippa-app/go-pdfium"
	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"

	"saldo/internal/invoices/layout"
)

const (
	sandboxMost = 3072            // pages of 64 KB that the sandbox may take: 192 MB; while it grows it takes twice as much
	keptIdle    = 2 * time.Minute // a sandbox that nobody used for so long is closed
	charsMost   = 50_000          // of a page that are read
	attachedMax = 20              // attachments that are looked at
)

// sandbox runs pdfium inside WebAssembly: without files, network or clock, with a limit of memory. It is made when the first PDF comes,
// since compiling it takes memory, and closed when no more come.
type sandbox struct {
	cache string
	alone bool       // the process has nothing else to do
	one   sync.Mutex // held by whoever reads
	pool  pdfium.Pool
	idle  *time.Timer
}

// pdfEngine is what the text of PDFs is read with.
const pdfEngine = "PDFium"

// job is what is wanted of a PDF.
type job struct {
	Text bool // words, sizes and attached XML of the first pages
	Draw []drawing

	Sheets  bool          // its pages as parts of other PDFs
	Most    int           // pages that it may have; 0: PagesMost
	Longest time.Duration // that it may take, once pdfium runs
}

// drawing is a page as a picture that fits into a width and a height.
type drawing struct{ Page, Width, Height int }

// answer is what a PDF gave.
type answer struct {
	Count    int // of all pages
	Words    []layout.Word
	Pages    []layout.Size
	Attached [][]byte
	Pictures []*image.RGBA
	Sheets   Sheets
	Took     time.Duration // of the time that it was given
}

// pdfs opens PDFs.
type pdfs interface {
	do(ctx context.Context, content []byte, j job) (answer, error)
	close()
}

// do opens a PDF in a fresh instance.
func (s *sandbox) do(ctx context.Context, content []byte, j job) (found answer, err error) {
	var took time.Duration
	took, err = s.use(ctx, j.Longest, func(in pdfium.Pdfium) error {
		d, err := openPDF(in, content, cmp.Or(j.Most, PagesMost))
		if err != nil {
			return err
		}
		found.Count = d.pages
		if j.Sheets {
			found.Sheets, err = d.sheets()
			return err
		}
		if j.Text {
			found.Attached = d.attached()
			for i := range min(d.pages, pagesRead) {
				size, err := d.size(i)
				if err != nil {
					return err
				}
				words, err := d.words(i)
				if err != nil {
					return err
				}
				found.Words, found.Pages = append(found.Words, words...), append(found.Pages, size)
			}
		}
		for _, wanted := range j.Draw {
			if wanted.Page < 0 || wanted.Page >= d.pages {
				return Refused{Broken}
			}
			picture, err := d.picture(wanted.Page, wanted.Width, wanted.Height)
			if err != nil {
				return err
			}
			found.Pictures = append(found.Pictures, picture)
		}
		return nil
	})
	if err != nil {
		return answer{}, err
	}
	found.Took = took
	return found, nil
}

// use runs work with a fresh instance, and says how long that took. When ctx ends, what runs inside the sandbox ends too.
func (s *sandbox) use(ctx context.Context, longest time.Duration, work func(pdfium.Pdfium) error) (took time.Duration, err error) {
	s.one.Lock()
	defer s.one.Unlock()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if s.idle != nil {
		s.idle.Stop()
	}
	if s.pool == nil {
		if s.pool, err = s.start(); err != nil {
			return 0, fmt.Errorf("pdf sandbox: %w", err)
		}
	}
	s.idle = time.AfterFunc(keptIdle, s.close)
	ctx, cancel := s.limited(ctx, longest) // what it took to start is not the file's fault
	defer cancel()
	began := s.clock()
	defer func() { took = s.clock() - began }()
	instance, err := s.pool.GetInstanceWithContext(ctx)
	if err != nil {
		return 0, fmt.Errorf("pdf sandbox: %w", err)
	}
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- Refused{Broken}
			}
		}()
		done <- work(instance)
	}()
	select {
	case err = <-done:
		if instance.Close() != nil {
			s.drop()
		}
	case <-ctx.Done():
		killed := instance.Kill()
		<-done // its code ends at the next check of its context
		if killed != nil {
			s.drop()
		}
		return 0, context.Cause(ctx)
	}
	return 0, err
}

// clock is what the time of a PDF is counted by.
func (s *sandbox) clock() time.Duration {
	if s.alone {
		return processorTime()
	}
	return time.Since(started)
}

var started = time.Now()

// errEndless is why a file was given up that took all its time.
var errEndless = errors.New("it does not end")

// busy is how many times longer something may take on a machine that does other things too.
const busy = 4

// limited ends what takes too long: in a process of its own by the processor's time, so that a busy machine does not make a good file
// unreadable, else by the clock.
func (s *sandbox) limited(ctx context.Context, longest time.Duration) (context.Context, context.CancelFunc) {
	if !s.alone {
		return context.WithTimeoutCause(ctx, longest, errEndless)
	}
	ctx, late := context.WithTimeout(ctx, busy*longest)
	ctx, end := context.WithCancelCause(ctx)
	began := processorTime()
	watch := time.NewTicker(100 * time.Millisecond)
	go func() {
		defer watch.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-watch.C:
				if processorTime()-began > longest {
					end(errEndless)
				}
			}
		}
	}()
	return ctx, func() { end(nil); late() }
}

// processorTime is what this process has had of the processor.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// start compiles pdfium, or takes it from the cache: without it the compiler takes four seconds and 300 MB.
func (s *sandbox) start() (pdfium.Pool, error) {
	settings := wazero.NewRuntimeConfig().WithMemoryLimitPages(sandboxMost).WithCloseOnContextDone(true)
	if s.cache != "" && os.MkdirAll(s.cache, 0o700) == nil {
		if cache, err := wazero.NewCompilationCacheWithDir(s.cache); err == nil {
			settings = settings.WithCompilationCache(cache)
		}
	}
	return webassembly.Init(webassembly.Config{MinIdle: 0, MaxIdle: 0, MaxTotal: 1, Stdout: io.Discard, Stderr: io.Discard,
		FSConfig: wazero.NewFSConfig(), RuntimeConfig: settings})
}

// drop closes a sandbox that may be damaged. The lock is held.
func (s *sandbox) drop() {
	if s.pool != nil {
		_ = s.pool.Close()
		s.pool = nil
	}
}

func (s *sandbox) close() {
	s.one.Lock()
	defer s.one.Unlock()
	if s.idle != nil {
		s.idle.Stop()
	}
	s.drop()
}

// document is an open PDF.
type document struct {
	in    pdfium.Pdfium
	ref   references.FPDF_DOCUMENT
	pages int
}

// openPDF opens a PDF or says why it is refused.
func openPDF(in pdfium.Pdfium, content []byte, most int) (document, error) {
	opened, err := in.OpenDocument(&requests.OpenDocument{File: &content})
	switch {
	case errors.Is(err, pdferrors.ErrPassword), errors.Is(err, pdferrors.ErrSecurity):
		return document{}, Refused{Encrypted}
	case err != nil:
		return document{}, Refused{Broken}
	}
	count, err := in.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: opened.Document})
	switch {
	case err != nil || count.PageCount < 1:
		return document{}, Refused{Broken}
	case count.PageCount > most:
		return document{}, Refused{TooManyPages}
	}
	return document{in, opened.Document, count.PageCount}, nil
}

func (d document) page(index int) requests.Page {
	return requests.Page{ByIndex: &requests.PageByIndex{Document: d.ref, Index: index}}
}

// size is the size of a page in points, turned as it is shown.
func (d document) size(index int) (layout.Size, error) {
	size, err := d.in.FPDF_GetPageSizeByIndex(&requests.FPDF_GetPageSizeByIndex{Document: d.ref, Index: index})
	if err != nil || size.Width <= 0 || size.Height <= 0 || math.IsInf(size.Width*size.Height, 0) {
		return layout.Size{}, Refused{Broken}
	}
	return layout.Size{Width: size.Width, Height: size.Height}, nil
}

// letter is a character with its place in the coordinates of the page, where y grows upwards.
type letter struct {
	char                     rune
	left, right, bottom, top float64
}

// words are the words of a page. A word ends at a blank, where the next letter stands apart, and where the line changes.
func (d document) words(index int) ([]layout.Word, error) {
	loaded, err := d.in.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d.ref, Index: index})
	if err != nil {
		return nil, Refused{Broken}
	}
	defer func() { _, _ = d.in.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page}) }()
	page := requests.Page{ByReference: &loaded.Page}
	text, err := d.in.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: page})
	if err != nil {
		return nil, Refused{Broken}
	}
	defer func() { _, _ = d.in.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: text.TextPage}) }()
	count, err := d.in.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: text.TextPage})
	if err != nil {
		return nil, Refused{Broken}
	}
	var found []layout.Word
	var open []letter
	end := func() error {
		if len(open) == 0 {
			return nil
		}
		w, err := d.word(page, open)
		open = open[:0]
		if err == nil && w.Text != "" {
			w.Page = index + 1
			found = append(found, w)
		}
		return err
	}
	for i := range min(count.Count, charsMost) {
		c, err := d.in.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{TextPage: text.TextPage, Index: i})
		if err != nil {
			return nil, Refused{Broken}
		}
		char := rune(c.Unicode)
		if unicode.IsSpace(char) || char == 0 || unicode.IsControl(char) {
			if err := end(); err != nil {
				return nil, err
			}
			continue
		}
		// The loose box covers the whole advance of the character; with tight ones the words of monospaced and bold fonts fall apart.
		box, err := d.in.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: text.TextPage, Index: i})
		if err != nil {
			continue
		}
		l := letter{char, float64(box.Rect.Left), float64(box.Rect.Right), float64(box.Rect.Bottom), float64(box.Rect.Top)}
		if n := len(open); n > 0 && apart(open[n-1], l) {
			if err := end(); err != nil {
				return nil, err
			}
		}
		open = append(open, l)
	}
	return found, end()
}

// apart says whether two letters that follow each other belong to two words. Both directions of writing on a page are taken, as a
// page may be turned.
func apart(a, b letter) bool {
	height := math.Max(a.top-a.bottom, a.right-a.left)
	acrossY := math.Min(a.top, b.top) - math.Max(a.bottom, b.bottom)
	acrossX := math.Min(a.right, b.right) - math.Max(a.left, b.left)
	gap := math.Max(b.left-a.right, a.left-b.right)
	if acrossY <= 0 || acrossX > -acrossY && gap < 0 && acrossX > 0.8*(a.right-a.left) { // another line, or upright text
		gap = math.Max(b.bottom-a.top, a.bottom-b.top)
		if acrossX <= 0 {
			return true
		}
	}
	if unicode.IsLetter(a.char) && unicode.IsDigit(b.char) { // cells of a table may stand close: a label and its amount
		return gap > 0.12*height
	}
	return gap > 0.3*height
}

// word joins letters; its place is counted from the top left of the page as it is shown.
func (d document) word(page requests.Page, letters []letter) (layout.Word, error) {
	var text strings.Builder
	left, right, bottom, top := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, l := range letters {
		text.WriteRune(l.char)
		left, right = math.Min(left, l.left), math.Max(right, l.right)
		bottom, top = math.Min(bottom, l.bottom), math.Max(top, l.top)
	}
	box, err := d.box(page, left, top, right, bottom)
	return layout.Word{Text: strings.ToValidUTF8(text.String(), ""), Sure: 1, Box: box}, err
}

// box is a place on a page as fractions of the page as it is shown, from its left upper corner.
func (d document) box(page requests.Page, left, top, right, bottom float64) (b layout.Box, err error) {
	const fine = 100_000
	var at [2][2]float64
	for i, corner := range [2][2]float64{{left, top}, {right, bottom}} {
		p, err := d.in.FPDF_PageToDevice(&requests.FPDF_PageToDevice{Page: page, SizeX: fine, SizeY: fine, PageX: corner[0], PageY: corner[1]})
		if err != nil {
			return b, Refused{Broken}
		}
		at[i] = [2]float64{float64(p.DeviceX) / fine, float64(p.DeviceY) / fine}
	}
	return layout.Box{X0: math.Min(at[0][0], at[1][0]), Y0: math.Min(at[0][1], at[1][1]), X1: math.Max(at[0][0], at[1][0]),
		Y1: math.Max(at[0][1], at[1][1])}, nil
}

// attached are the attachments that may be an invoice as XML.
func (d document) attached() (found [][]byte) {
	count, err := d.in.FPDFDoc_GetAttachmentCount(&requests.FPDFDoc_GetAttachmentCount{Document: d.ref})
	if err != nil {
		return nil
	}
	for i := range min(count.AttachmentCount, attachedMax) {
		a, err := d.in.FPDFDoc_GetAttachment(&requests.FPDFDoc_GetAttachment{Document: d.ref, Index: i})
		if err != nil {
			continue
		}
		name, err := d.in.FPDFAttachment_GetName(&requests.FPDFAttachment_GetName{Attachment: a.Attachment})
		if err != nil || !strings.HasSuffix(strings.ToLower(strings.TrimSpace(name.Name)), ".xml") {
			continue
		}
		file, err := d.in.FPDFAttachment_GetFile(&requests.FPDFAttachment_GetFile{Attachment: a.Attachment})
		if err == nil && len(file.Contents) > 0 && len(file.Contents) <= XMLMost {
			found = append(found, file.Contents)
		}
	}
	return found
}

// picture draws a page into a picture of at most that width and height.
func (d document) picture(index, width, height int) (*image.RGBA, error) {
	drawn, err := d.in.RenderPageInPixels(&requests.RenderPageInPixels{Page: d.page(index), Width: width, Height: height})
	if err != nil {
		return nil, Refused{Broken}
	}
	defer drawn.Cleanup()
	inside := drawn.Result.Image // its memory belongs to the sandbox
	out := image.NewRGBA(inside.Bounds())
	for y := range inside.Bounds().Dy() {
		copy(out.Pix[y*out.Stride:(y+1)*out.Stride], inside.Pix[y*inside.Stride:])
	}
	return out, nil
}
