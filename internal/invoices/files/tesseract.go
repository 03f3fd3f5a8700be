package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"saldo/internal/invoices/layout"
	"saldo/internal/invoices/ocr"
)

// tesseract is the program of that name: it is in every distribution, and loses more of a photo than saldo-reader does.
type tesseract struct {
	path      string
	languages string
}

const longestTesseract = 40 * time.Second

// Name names it.
func (t *tesseract) Name() string { return "Tesseract" }

// in is the program with the language of a country.
func (t *tesseract) in(country string) *tesseract {
	languages := map[string]string{"PL": "pol", "DE": "deu"}[country]
	if languages == "" {
		languages = "pol+deu"
	}
	return &tesseract{t.path, languages}
}

// Words reads a page twice: as it is, and at 0.6 of its size, which keeps large headlines together. A page of which hardly anything is
// read is turned as the program says and read again.
func (t *tesseract) Words(ctx context.Context, page *image.Gray) ([]layout.Word, int, error) {
	ctx, cancel := context.WithTimeout(ctx, longestTesseract)
	defer cancel()
	folder, err := os.MkdirTemp("", "saldo-tesseract-") // a name of its own: two pages never share a file
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(folder)
	page = ocr.Stark(page)
	words, err := t.pass(ctx, folder, page)
	if err != nil {
		return nil, 0, err
	}
	turned := 0
	if len(words) < 25 || mean(words) < 0.62 {
		for _, quarters := range t.turns(ctx, folder) {
			if again, err := t.pass(ctx, folder, ocr.Turn(page, quarters)); err == nil && total(again) > total(words) {
				words, turned = again, quarters
			}
		}
	}
	upright := page
	if turned != 0 {
		upright = ocr.Turn(page, turned)
	}
	small := ocr.Resize(upright, upright.Rect.Dx()*6/10, upright.Rect.Dy()*6/10)
	second, err := t.pass(ctx, folder, small)
	if err != nil {
		return words, turned, nil
	}
	return joined(words, second), turned, nil
}

// turns are the quarter turns that may make the page upright.
func (t *tesseract) turns(ctx context.Context, folder string) []int {
	out, err := t.run(ctx, folder, "page.png", "-", "--psm", "0", "-l", "osd")
	if err == nil {
		for line := range strings.Lines(out) {
			if degrees, ok := strings.CutPrefix(line, "Rotate:"); ok {
				if n, err := strconv.Atoi(strings.TrimSpace(degrees)); err == nil && n%90 == 0 && n > 0 {
					return []int{n / 90 % 4}
				}
			}
		}
	}
	return []int{1, 2, 3}
}

// pass reads a page once.
func (t *tesseract) pass(ctx context.Context, folder string, page *image.Gray) ([]layout.Word, error) {
	var encoded bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&encoded, page); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "page.png"), encoded.Bytes(), 0o600); err != nil {
		return nil, err
	}
	out, err := t.run(ctx, folder, "page.png", "-", "--psm", "4", "--dpi", "200", "-l", t.languages, "tsv")
	if err != nil && t.languages != "eng" {
		out, err = t.run(ctx, folder, "page.png", "-", "--psm", "4", "--dpi", "200", "tsv") // the language is not installed
	}
	if err != nil {
		return nil, err
	}
	return tsvWords(out, float64(page.Rect.Dx()), float64(page.Rect.Dy())), nil
}

func (t *tesseract) run(ctx context.Context, folder string, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, t.path, arguments...)
	command.Dir = folder
	command.Env = []string{"OMP_THREAD_LIMIT=1", "TMPDIR=" + folder, "LC_ALL=C"}
	if prefix := os.Getenv("TESSDATA_PREFIX"); prefix != "" {
		command.Env = append(command.Env, "TESSDATA_PREFIX="+prefix)
	}
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.WaitDelay = time.Second
	out, err := command.Output()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			return "", fmt.Errorf("tesseract: %w", err)
		}
		return "", err
	}
	return string(out), nil
}

// tsvWords reads the table that the program prints: twelve columns, words on level 5.
func tsvWords(table string, width, height float64) (words []layout.Word) {
	for line := range strings.Lines(table) {
		c := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(c) != 12 || c[0] != "5" || strings.TrimSpace(c[11]) == "" {
			continue
		}
		var n [4]float64
		bad := false
		for i := range n {
			v, err := strconv.ParseFloat(c[6+i], 64)
			bad = bad || err != nil
			n[i] = v
		}
		sure, err := strconv.ParseFloat(c[10], 64)
		if bad || err != nil || n[2] <= 0 || n[3] <= 0 {
			continue
		}
		words = append(words, layout.Word{Text: strings.TrimSpace(c[11]), Sure: math.Max(0, math.Min(sure/100, 0.999)),
			Box: layout.Box{X0: n[0] / width, Y0: n[1] / height, X1: (n[0] + n[2]) / width, Y1: (n[1] + n[3]) / height}})
	}
	return words
}

func total(words []layout.Word) (sum float64) {
	for _, w := range words {
		sum += w.Sure
	}
	return sum
}

func mean(words []layout.Word) float64 { return total(words) / math.Max(1, float64(len(words))) }

// joined takes a word of the second pass where it covers several of the first, or where the first found nothing.
func joined(first, second []layout.Word) (all []layout.Word) {
	gone := make([]bool, len(first))
	for _, w := range second {
		var under []int
		covered, sure := 0.0, 0.0
		for i, f := range first {
			if overlap(f.Box, w.Box) > 0.5*area(f.Box) {
				under = append(under, i)
				covered += area(f.Box)
				sure += f.Sure
			}
		}
		touches := false
		for _, f := range first {
			touches = touches || overlap(f.Box, w.Box) > 0
		}
		switch {
		case len(under) == 0 && !touches && w.Sure > 0.5:
			all = append(all, w)
		case len(under) >= 2 && w.Sure > 0.6 && w.Sure > sure/float64(len(under)):
			for _, i := range under {
				gone[i] = true
			}
			all = append(all, w)
		}
	}
	for i, f := range first {
		if !gone[i] {
			all = append(all, f)
		}
	}
	return all
}

func area(b layout.Box) float64 { return math.Max(0, b.X1-b.X0) * math.Max(0, b.Y1-b.Y0) }

func overlap(a, b layout.Box) float64 {
	return area(layout.Box{X0: math.Max(a.X0, b.X0), Y0: math.Max(a.Y0, b.Y0), X1: math.Min(a.X1, b.X1), Y1: math.Min(a.Y1, b.Y1)})
}
