package files

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"saldo/internal/invoices/reading"
	"saldo/internal/testkit"
)

// The test binary is also the process that opens PDFs.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == SandboxCommand {
		if err := Sandbox(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var compiled = testkit.Compiled()

// pdf writes a PDF of objects; the first is the catalogue.
func pdf(trailer string, objects ...string) []byte {
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
	fmt.Fprintf(&out, "trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, trailer, start)
	return out.Bytes()
}

func packedBytes(content io.Reader) string {
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	if _, err := io.Copy(z, content); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return out.String()
}

const onePage = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"

func page(content string) []byte {
	return pdf("", "<< /Type /Catalog /Pages 2 0 R >>", onePage, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "+
		"/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>", content)
}

// zeros are so many bytes.
type zeros struct{ left int }

func (z *zeros) Read(into []byte) (int, error) {
	n := min(len(into), z.left)
	if n == 0 {
		return 0, io.EOF
	}
	clear(into[:n])
	z.left -= n
	return n, nil
}

// pngOf is a picture whose head promises that size.
func pngOf(width, height uint32) []byte {
	var out bytes.Buffer
	out.WriteString("\x89PNG\r\n\x1a\n")
	head := binary.BigEndian.AppendUint32(nil, width)
	head = binary.BigEndian.AppendUint32(head, height)
	head = append(append([]byte("IHDR"), head...), 8, 2, 0, 0, 0)
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(head)-4))
	chunk = append(chunk, head...)
	out.Write(binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(head)))
	return out.Bytes()
}

func codeOf(err error) string {
	var refused Refused
	if errors.As(err, &refused) {
		return refused.Code
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func kids(n int) string { return strings.Repeat("3 0 R ", n) }

// What is hostile or no invoice is refused before it is decoded.
func TestCheck_Refuses(t *testing.T) {
	hidden := packedBytes(strings.NewReader("2 0 << /Type /Pages /Kids [3 0 R] /Count 10000 >>"))
	for name, c := range map[string]struct {
		content []byte
		code    string
	}{
		"nothing":               {nil, UnknownType},
		"text":                  {[]byte("Faktura 1/2026"), UnknownType},
		"a program":             {[]byte("\x7fELF\x02\x01\x01"), UnknownType},
		"a zip":                 {[]byte("PK\x03\x04invoice.pdf"), UnknownType},
		"html with a PDF name":  {[]byte("<!doctype html><script>1</script>%PDF-1.7"), UnknownType},
		"an SVG":                {[]byte("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"), UnknownType},
		"a GIF":                 {[]byte("GIF89a\x01\x00\x01\x00"), UnknownType},
		"a PDF of 11 MB":        {append([]byte("%PDF-1.7\n"), make([]byte, 11<<20)...), TooLarge},
		"a JPEG of 2 MB":        {append([]byte("\xff\xd8\xff\xe0"), make([]byte, 2<<20)...), TooLarge},
		"a PNG of 50 MP":        {pngOf(10_000, 5_000), TooManyPixels},
		"a PNG of 2^62 pixels":  {pngOf(1<<31-1, 1<<31-1), Broken},
		"a PNG without pixels":  {pngOf(0, 10), Broken},
		"a JPEG without a head": {[]byte("\xff\xd8\xff\xd9"), Broken},
		"10,000 pages": {pdf("", "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids ["+kids(10_000)+"] /Count 10000 >>",
			"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>"), TooManyPages},
		"10,000 pages that are packed": {pdf("", "<< /Type /Catalog >>",
			fmt.Sprintf("<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream", len(hidden), hidden)), TooManyPages},
		"encrypted": {pdf("/Encrypt 4 0 R", "<< /Type /Catalog /Pages 2 0 R >>", onePage, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>",
			"<< /Filter /Standard /V 1 /R 2 /O (0123456789012345678901234567890a) /U (0123456789012345678901234567890b) /P -4 >>"), Encrypted},
	} {
		began := time.Now()
		info, err := Check(c.content)
		if code := codeOf(err); code != c.code {
			t.Errorf("%s: %q, want %q (%+v)", name, code, c.code, info)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func TestCheck_Takes(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	sample, err := os.ReadFile(filepath.Join(invented, "pl_classic-01.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	for want, content := range map[Info][]byte{
		{PDF, 1, 0}: sample, {PNG, 1, 600}: picture.Bytes(), {XML, 1, 0}: []byte("<?xml version='1.0'?><Faktura/>"),
	} {
		if info, err := Check(content); err != nil || info != want {
			t.Errorf("%+v, %v, want %+v", info, err, want)
		}
	}
}

// readers are the two ways to open PDFs: in this process and in one of its own.
func readers(t *testing.T) map[string]*Reader {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*Reader{"here": New(Options{NoOCR: true, Cache: compiled}), "apart": New(Options{NoOCR: true, Self: self, Cache: compiled})}
	t.Cleanup(func() {
		for _, r := range all {
			r.Close()
		}
	})
	return all
}

// Hostile PDFs are refused or give nothing, and the next file is read as if nothing had been. What they take is in bench.
func TestReader_SurvivesHostileFiles(t *testing.T) {
	bomb := packedBytes(&zeros{300 << 20})
	wide := packedBytes(strings.NewReader(strings.Repeat("q 1 0 0 1 0 0 cm BT /F 9 Tf (x) Tj ET Q\n", 400_000)))
	stream := func(packed string) string {
		return fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", len(packed), packed)
	}
	loop := pdf("", "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>")
	script := pdf("", "<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\); while\\(true\\){}) >> >>", onePage,
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /AA << /O << /S /JavaScript /JS (while\\(1\\){}) >> >> >>")
	huge := pdf("", "<< /Type /Catalog /Pages 2 0 R >>", onePage, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 14400000 14400000] >>")
	sample, err := os.ReadFile(filepath.Join(invented, "pl_fuel-01.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"a stream that unpacks to 300 MB": page(stream(bomb)), "a page of 400,000 texts": page(stream(wide)),
		"a tree of pages that holds itself": loop, "scripts": script, "a page of 5 km": huge, "a head alone": []byte("%PDF-1.7\n"),
		"a picture behind a PDF": append(bytes.Clone(sample), pngOf(10, 10)...), "more pages than it says": pdf("",
			"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids ["+kids(500)+"] /Count 500 >>", "<< /Type /Page /Parent 2 0 R >>")}
	for way, r := range readers(t) {
		if _, err := r.Read(context.Background(), sample, reading.Hints{}); err != nil { // compiles
			t.Fatal(way, err)
		}
		r.longest = 500 * time.Millisecond // some take it all
		for name, content := range files {
			result, err := r.Read(context.Background(), content, reading.Hints{})
			if _, _, err := r.Preview(context.Background(), content, 1, 600); err != nil && codeOf(err) == "" {
				t.Errorf("%s, %s: the preview gave %v", way, name, err)
			}
			t.Logf("%s, %s: %s, %q", way, name, result.Source, codeOf(err))
		}
		r.longest = longestOpen
		if result, err := r.Read(context.Background(), sample, reading.Hints{}); err != nil || result.Source != reading.Text {
			t.Errorf("%s: a good file afterwards gave %s, %v", way, result.Source, err)
		}
	}
}

// A file that was cut off anywhere is refused, gives nothing, or gives what it has.
func TestReader_TakesCutOffFiles(t *testing.T) {
	r := New(Options{NoOCR: true, Cache: compiled})
	defer r.Close()
	for _, name := range []string{"pl_fuel-01.pdf", "de_zugferd-01.pdf"} {
		whole, err := os.ReadFile(filepath.Join(invented, name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Read(context.Background(), whole, reading.Hints{}); err != nil { // compiles
			t.Fatal(err)
		}
		for size := 0; size < len(whole); size += 1 << 10 {
			began := time.Now()
			_, err := r.Read(context.Background(), whole[:size], reading.Hints{})
			var refused Refused
			if err != nil && !errors.As(err, &refused) {
				t.Errorf("%s cut off at %d: %v", name, size, err)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("%s cut off at %d took %v", name, size, took)
			}
		}
	}
}

// What ends its context ends the reading, and the next file is read.
func TestReader_EndsInTime(t *testing.T) {
	sample, err := os.ReadFile(filepath.Join(invented, "pl_fuel-01.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	for way, r := range readers(t) {
		if _, err := r.Read(context.Background(), sample, reading.Hints{}); err != nil {
			t.Fatal(way, err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
		_, err := r.Read(ctx, sample, reading.Hints{})
		cancel()
		if err == nil {
			t.Errorf("%s: read within 5 ms", way)
		}
		if result, err := r.Read(context.Background(), sample, reading.Hints{}); err != nil || len(result.Fields) < 9 {
			t.Errorf("%s: %d fields afterwards, %v", way, len(result.Fields), err)
		}
	}
}

// A good file is not called broken where the machine has no time for it: it can be read later. One that takes all its time is.
func TestReader_TellsABusyMachineFromAnEndlessFile(t *testing.T) {
	sample, err := os.ReadFile(filepath.Join(invented, "pl_fuel-01.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	lines := packedBytes(strings.NewReader(strings.Repeat("0 0 m 595 842 l S\n", 4_000_000)))
	endless := page(fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", len(lines), lines))
	for alone, given := range map[bool]time.Duration{true: 100 * time.Microsecond, false: 200 * time.Millisecond} {
		r := New(Options{NoOCR: true, Alone: alone, Cache: compiled})
		defer r.Close()
		if _, err := r.Read(context.Background(), sample, reading.Hints{}); err != nil { // compiles
			t.Fatal(err)
		}
		r.longest = given
		if _, err := r.Read(context.Background(), sample, reading.Hints{}); alone && !errors.Is(err, ErrBusy) {
			t.Errorf("without time: %v", err)
		}
		// by the clock there is no telling
		if _, err := r.Read(context.Background(), endless, reading.Hints{}); !alone && codeOf(err) != Broken {
			t.Errorf("an endless file: %v", err)
		}
		r.longest = longestOpen
		if result, err := r.Read(context.Background(), sample, reading.Hints{}); err != nil || result.Source != reading.Text {
			t.Errorf("afterwards: %s, %v", result.Source, err)
		}
	}
}

// marked is a picture with a black corner at the top left, as a camera that was turned stores it.
func marked(t *testing.T, orientation byte) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 80, 40))
	for y := range 40 {
		for x := range 80 {
			picture.Set(x, y, color.White)
			if x < 20 && y < 10 {
				picture.Set(x, y, color.Black)
			}
		}
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, picture, nil); err != nil {
		t.Fatal(err)
	}
	exif := []byte("Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00" + string(orientation) + "\x00\x00\x00\x00\x00\x00\x00")
	segment := append([]byte{0xff, 0xe1, 0, byte(len(exif) + 2)}, exif...)
	return append(append(bytes.Clone(out.Bytes()[:2]), segment...), out.Bytes()[2:]...)
}

func TestPreview_IsTurnedAsItWasTaken(t *testing.T) {
	r := New(Options{NoOCR: true})
	defer r.Close()
	for orientation, corner := range map[byte]image.Point{1: {2, 2}, 2: {77, 2}, 3: {77, 37}, 4: {2, 37}, 5: {2, 2}, 6: {37, 2}, 7: {37, 77}, 8: {2, 77}} {
		content, kind, err := r.Preview(context.Background(), marked(t, orientation), 1, 2000)
		if err != nil || kind != JPEG {
			t.Fatal(kind, err)
		}
		picture, err := jpeg.Decode(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		if grey := color.GrayModel.Convert(picture.At(corner.X, corner.Y)).(color.Gray); grey.Y > 100 {
			t.Errorf("orientation %d: %v of %v is not black", orientation, corner, picture.Bounds())
		}
		if bytes.Contains(content, []byte("Exif")) {
			t.Error("the preview carries what the camera noted")
		}
	}
}

func TestPreview_DrawsPages(t *testing.T) {
	sample, err := os.ReadFile(filepath.Join(invented, "pl_classic-01.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	for way, r := range readers(t) {
		content, kind, err := r.Preview(context.Background(), sample, 1, 600)
		if err != nil || kind != JPEG {
			t.Fatal(way, kind, err)
		}
		if config, err := jpeg.DecodeConfig(bytes.NewReader(content)); err != nil || config.Width != 600 {
			t.Errorf("%s: %+v, %v", way, config, err)
		}
		for _, page := range []int{-1, 0, 2, 1 << 30} {
			if _, _, err := r.Preview(context.Background(), sample, page, 600); codeOf(err) != Broken {
				t.Errorf("%s: page %d gave %v", way, page, err)
			}
		}
	}
}
