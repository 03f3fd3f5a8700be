package files

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"math"
	"strings"
	"time"
	"unicode"

	"saldo/internal/invoices/layout"
	"saldo/internal/invoices/ocr"
	"saldo/internal/invoices/reading"
	"saldo/internal/invoices/reading/xmlinvoice"
)

// longestOpen is how long a PDF may take to open, to read and to draw, all together; longestStart is what is added where a process must
// be started and pdfium compiled.
const (
	longestOpen  = 8 * time.Second
	longestStart = 40 * time.Second
)

// Read finds the fields of a file: in XML, else in the text of a PDF, else in its picture. An error says that the file is refused or that
// nothing could be read; the file itself is never touched. Where nothing can read pictures the source is none.
func (r *Reader) Read(ctx context.Context, content []byte, hints reading.Hints) (result reading.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = reading.Result{Source: reading.None}, fmt.Errorf("reading an invoice: %v", p)
		}
	}()
	none := reading.Result{Source: reading.None}
	info, err := Check(content)
	if err != nil {
		return none, err
	}
	none.Pages = info.Pages
	switch info.Type {
	case XML:
		result, err := xmlinvoice.Read(content)
		if err != nil {
			return none, Refused{Broken}
		}
		result.Engine = "XML"
		return result, nil
	case PDF:
		return r.readPDF(ctx, content, hints)
	}
	picture, err := decode(content)
	if err != nil {
		return none, err
	}
	return r.readPictures(ctx, []image.Image{picture}, hints, none)
}

// readPDF reads attached XML, else the text, else the pages as pictures.
func (r *Reader) readPDF(ctx context.Context, content []byte, hints reading.Hints) (reading.Result, error) {
	none := reading.Result{Source: reading.None}
	opened, err := r.tried(ctx, content, job{Text: true, Longest: r.longest})
	if err != nil {
		return none, err
	}
	left := r.longest - opened.Took
	none.Pages = opened.Count
	text := none
	if enough(opened.Words) {
		text = reading.FromWords(opened.Words, opened.Pages, hints)
		text.Pages, text.Engine = opened.Count, pdfEngine
	}
	for _, attached := range opened.Attached {
		if found, err := xmlinvoice.Read(attached); err == nil {
			found.Pages, found.Engine = opened.Count, "XML"
			return reading.Merge(found, text), nil
		}
	}
	if text.Source != reading.None {
		if reading.MentionsKSeF(opened.Words) {
			left -= r.code(ctx, content, opened, left, &text)
		}
		if _, ok := text.Field(reading.Gross); ok || len(r.engines) == 0 {
			return text, nil
		}
	}
	drawn, err := r.tried(ctx, content, job{Draw: sizes(opened.Pages), Longest: left})
	if err != nil {
		if text.Source != reading.None {
			return text, nil
		}
		return none, err
	}
	pictures := make([]image.Image, 0, len(drawn.Pictures))
	for _, p := range drawn.Pictures {
		pictures = append(pictures, p)
	}
	read, err := r.readPictures(ctx, pictures, hints, none)
	if text.Source != reading.None && (err != nil || reading.Better(text, read)) {
		return text, nil
	}
	return read, err
}

// ErrBusy is the answer where the machine had no time for a file that may be good: it can be read later.
var ErrBusy = errors.New("files: the machine had no time for it")

// open opens a PDF within its time.
func (r *Reader) open(ctx context.Context, content []byte, j job) (answer, error) {
	opened, err := r.tried(ctx, content, j)
	if errors.Is(err, ErrBusy) {
		return opened, Refused{Broken} // somebody waits for the answer
	}
	return opened, err
}

// tried is as open, but says where the machine had no time.
func (r *Reader) tried(ctx context.Context, content []byte, j job) (answer, error) {
	if j.Longest <= 0 {
		return answer{}, Refused{Broken} // it had all its time
	}
	opened, err := r.pdfs.do(ctx, content, j)
	switch {
	case errors.Is(err, errEndless):
		return opened, Refused{Broken}
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return opened, ErrBusy
	}
	return opened, err
}

// enough says whether the words of a PDF are its content: a scanned page may carry a few of its own.
func enough(words []layout.Word) bool {
	digits := 0
	for _, w := range words {
		if n := strings.Count(strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return '9'
			}
			return -1
		}, w.Text), "9"); n >= 2 {
			digits++
		}
	}
	return len(words) >= 40 && digits >= 2
}

// sizes are the sizes in which pages are drawn to be read: 200 dots an inch, with a limit for large pages.
func sizes(pages []layout.Size) (all []drawing) {
	const most = 8_000_000
	for i, p := range pages {
		scale := 200.0 / 72
		if pixels := p.Width * p.Height * scale * scale; pixels > most {
			scale *= math.Sqrt(most / pixels)
		}
		all = append(all, drawing{Page: i, Width: clamp(p.Width * scale), Height: clamp(p.Height * scale)})
	}
	return all
}

func clamp(n float64) int { return int(math.Max(1, math.Min(n, 12_000))) }

// readPictures reads pages as pictures: codes on each of them, then words by the first engine that works.
func (r *Reader) readPictures(ctx context.Context, pictures []image.Image, hints reading.Hints,
	none reading.Result) (reading.Result, error) {
	var codes []string
	for _, p := range pictures {
		codes = append(codes, qrCodes(p)...)
	}
	if len(pictures) > 0 {
		none.Sharp = ocr.Sharpness(pictures[0])
	}
	var failed error
	for _, engine := range r.engines {
		result, err := readWith(ctx, engine, pictures, hints)
		if err != nil {
			failed = errors.Join(failed, err)
			if ctx.Err() != nil {
				break
			}
			continue
		}
		result.Pages, result.Sharp = max(none.Pages, len(pictures)), none.Sharp
		reading.TakeCodes(&result, codes)
		return result, nil
	}
	reading.TakeCodes(&none, codes)
	return none, failed
}

func readWith(ctx context.Context, engine ocr.Engine, pictures []image.Image, hints reading.Hints) (reading.Result, error) {
	if t, ok := engine.(*tesseract); ok {
		engine = t.in(hints.Country)
	}
	var words []layout.Word
	var pages []layout.Size
	var read []ocr.Page
	for i, picture := range pictures {
		page, err := ocr.Read(ctx, engine, picture)
		if err != nil {
			return reading.Result{}, err
		}
		for _, w := range page.Words {
			w.Page = i + 1
			w.Sure = math.Min(w.Sure, 0.999)
			words = append(words, w)
		}
		pages, read = append(pages, page.Size), append(read, page)
	}
	result := reading.FromWords(words, pages, hints)
	result.Engine = engine.Name()
	for i := range result.Fields {
		if f := &result.Fields[i]; f.Page >= 1 && f.Page <= len(read) {
			f.Box = read[f.Page-1].OnPicture(f.Box)
		}
	}
	return result, nil
}

// code looks for the code of KSeF on the pages of a digital PDF, and says what that took of the time that is left.
func (r *Reader) code(ctx context.Context, content []byte, opened answer, left time.Duration, result *reading.Result) time.Duration {
	drawn, err := r.open(ctx, content, job{Draw: sizes(opened.Pages), Longest: left})
	if err != nil {
		return left // the text is enough
	}
	var codes []string
	for _, p := range drawn.Pictures {
		codes = append(codes, qrCodes(p)...)
	}
	reading.TakeCodes(result, codes)
	return drawn.Took
}

// Preview draws a page as a picture of at most that width. It is made here: nothing of the file's own bytes reaches a browser.
func (r *Reader) Preview(ctx context.Context, content []byte, page, width int) (picture []byte, contentType string, err error) {
	return r.PreviewOf(ctx, content, page, width, PagesMost)
}

// PreviewOf is Preview of a file that may have so many pages.
func (r *Reader) PreviewOf(ctx context.Context, content []byte, page, width, most int) (picture []byte, contentType string, err error) {
	defer func() {
		if p := recover(); p != nil {
			picture, contentType, err = nil, "", fmt.Errorf("drawing an invoice: %v", p)
		}
	}()
	info, err := checked(content, most)
	if err != nil {
		return nil, "", err
	}
	width = max(16, min(cmp.Or(width, 1200), 2400))
	var drawn image.Image
	switch info.Type {
	case XML:
		return nil, "", Refused{UnknownType}
	case PDF:
		wanted := []drawing{{Page: page - 1, Width: width, Height: 3 * width}}
		answer, err := r.open(ctx, content, job{Draw: wanted, Most: most, Longest: r.longest})
		if err != nil {
			return nil, "", err
		}
		if len(answer.Pictures) == 0 {
			return nil, "", Refused{Broken}
		}
		drawn = answer.Pictures[0]
	default:
		whole, err := decode(content)
		if err != nil {
			return nil, "", err
		}
		drawn = shrunk(whole, width)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, drawn, &jpeg.Options{Quality: 80}); err != nil {
		return nil, "", err
	}
	return out.Bytes(), JPEG, nil
}
