package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"saldo/internal/invoices/files"
	"saldo/internal/invoices/reading"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/config"
)

// readUsage is what a wrong call of read is answered with.
const readUsage = "usage: saldo read --json FILE [--tax-id ID] [--country PL|DE]"

// readField is a field as read prints it. The form is documented in docs/operate/invoices.md and stays as it is.
type readField struct {
	Value      any            `json:"value"` // amounts and mileage are whole numbers, the others text
	Confidence float64        `json:"confidence"`
	Page       int            `json:"page"`
	Box        [4]float64     `json:"box"`
	Source     reading.Source `json:"source"`
}

type readResult struct {
	Source   reading.Source       `json:"source"`
	Engine   string               `json:"engine"`
	TookMs   int64                `json:"tookMs"`
	Pages    int                  `json:"pages"`
	Fields   map[string]readField `json:"fields"`
	Findings []string             `json:"findings"`
	KSeF     struct {
		Number string `json:"number"`
		Code   string `json:"code"`
	} `json:"ksef"`
	Refused string `json:"refused,omitempty"`
}

// read prints what a file of an invoice says. It needs no settings and no database.
func read(ctx context.Context, s config.Settings, args []string) error {
	hints := reading.Hints{Today: calendar.DateOf(time.Now(), time.Local, 0)}
	name := ""
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "--json": // the only form there is
		case "--tax-id", "--country":
			if i+1 == len(args) {
				return errors.New(readUsage)
			}
			if args[i] == "--tax-id" {
				hints.OwnTaxID = args[i+1]
			} else {
				hints.Country = args[i+1]
			}
			i++
		default:
			if name != "" {
				return errors.New(readUsage)
			}
			name = args[i]
		}
	}
	if name == "" || hints.Country != "" && hints.Country != "PL" && hints.Country != "DE" {
		return errors.New(readUsage)
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, files.PDFMost+1))
	if err != nil {
		return err
	}
	reader := files.New(files.Options{Reader: cmp.Or(s.Reader, os.Getenv("SALDO_READER")), Alone: true, Cache: compiled()})
	defer reader.Close()
	began := time.Now()
	result, err := reader.Read(ctx, content, hints)
	out := printed(result)
	out.TookMs = time.Since(began).Milliseconds()
	var refused files.Refused
	switch {
	case errors.As(err, &refused):
		out.Refused = refused.Code
	case err != nil:
		return err
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
}

// compiled is where compiled code is kept between calls, or nothing.
func compiled() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	folder = filepath.Join(folder, "saldo")
	if os.MkdirAll(folder, 0o700) != nil {
		return ""
	}
	return folder
}

var wholeNumbers = []string{reading.Net, reading.Gross, reading.VATStandard, reading.VATReduced, reading.VATZeroBase, reading.Mileage}

func printed(r reading.Result) readResult {
	out := readResult{Source: r.Source, Engine: r.Engine, Pages: r.Pages, Fields: map[string]readField{}, Findings: []string{}}
	out.Findings = append(out.Findings, r.Findings...)
	out.KSeF.Number, out.KSeF.Code = r.KSeFNumber, r.KSeFCode
	for _, f := range r.Fields {
		var value any = f.Value
		if slices.Contains(wholeNumbers, f.Name) {
			n, err := strconv.ParseInt(f.Value, 10, 64)
			if err != nil {
				continue
			}
			value = n
		}
		out.Fields[f.Name] = readField{value, f.Sure, f.Page, [4]float64{f.Box.X0, f.Box.Y0, f.Box.X1, f.Box.Y1}, f.Source}
	}
	return out
}

// takes says whether a command takes so many arguments: those that it needs, and of each group in brackets all or none.
func (c command) takes(given int) bool {
	fits := map[int]bool{0: true}
	inside, size := false, 0
	for _, word := range strings.Fields(c.args) {
		if word[0] == '[' {
			inside, size = true, 0
		}
		size++
		optional := inside
		if inside && word[len(word)-1] != ']' {
			continue
		}
		next := map[int]bool{}
		for n := range fits {
			next[n+size] = true
			if optional {
				next[n] = true
			}
		}
		fits, inside, size = next, false, 0
	}
	return fits[given]
}
