package files

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"saldo/internal/invoices/reading"
)

// sample is an invented invoice with what it says.
type sample struct {
	File, Kind, Layout string
	Truth              map[string]any
}

func samples(t testing.TB, folder string) (own map[string]string, all []sample) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(folder, "truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var truth struct {
		PartnerTaxID map[string]string
		Documents    []sample
	}
	if err := json.Unmarshal(content, &truth); err != nil {
		t.Fatal(err)
	}
	return truth.PartnerTaxID, truth.Documents
}

var compared = []string{reading.Number, reading.IssueDate, reading.SaleDate, reading.IssuerTaxID, reading.BuyerTaxID, reading.Net, reading.Gross,
	reading.VATStandard, reading.VATReduced, reading.Registration, reading.Mileage}

// wanted is the value that a field must have; nothing where the invoice does not say it.
func wanted(s sample, name string) string {
	switch v := s.Truth[name].(type) {
	case nil:
		return ""
	case float64:
		return fmt.Sprintf("%.0f", v)
	default:
		return v.(string)
	}
}

// marks count how well files were read.
type marks struct{ all, right, missing, wrong, wrongAndSure int }

func (m *marks) add(t *testing.T, s sample, r reading.Result, own bool) {
	for _, name := range compared {
		f, _ := r.Field(name)
		want := wanted(s, name)
		m.all++
		switch {
		case f.Value == want:
			m.right++
			continue
		case f.Value == "":
			m.missing++
			if want == "0" {
				continue
			}
		default:
			m.wrong++
			if f.Sure >= reading.SureFrom {
				m.wrongAndSure++
			}
		}
		t.Logf("%s, own %v, %s: %q, want %q (%.3f %s)", s.File, own, name, f.Value, want, f.Sure, f.Rule)
	}
}

func (m marks) share() float64 { return float64(m.right) / float64(max(m.all, 1)) }

func (m marks) String() string {
	return fmt.Sprintf("%d of %d right (%.1f %%), %d missing, %d wrong, %d of them sure", m.right, m.all, 100*m.share(), m.missing, m.wrong, m.wrongAndSure)
}

const invented = "testdata/samples"

// Digital invoices are read without an error, with the partner's tax id and without any hint.
func TestReader_ReadsDigitalSamples(t *testing.T) {
	own, all := samples(t, invented)
	r := New(Options{NoOCR: true, Cache: compiled})
	defer r.Close()
	var m marks
	for _, s := range all {
		if s.Kind != "digital" {
			continue
		}
		content, err := os.ReadFile(filepath.Join(invented, s.File))
		if err != nil {
			t.Fatal(err)
		}
		country := s.Truth["country"].(string)
		for _, hints := range []reading.Hints{{Country: country, OwnTaxID: own[country], Today: "2026-11-18"}, {Today: "2026-11-18"}} {
			result, err := r.Read(context.Background(), content, hints)
			if err != nil {
				t.Fatal(s.File, err)
			}
			m.add(t, s, result, hints.OwnTaxID != "")
			if s.Layout == "de_zugferd" && result.Source != reading.XML || s.Layout != "de_zugferd" && result.Source != reading.Text {
				t.Errorf("%s was read from %s", s.File, result.Source)
			}
			if code, _ := s.Truth["qr"].(string); result.KSeFCode != code {
				t.Errorf("%s has the code %q, want %q", s.File, result.KSeFCode, code)
			}
			if number, _ := s.Truth["ksefNumber"].(string); result.KSeFNumber != number {
				t.Errorf("%s has the KSeF number %q, want %q", s.File, result.KSeFNumber, number)
			}
		}
	}
	t.Log(m)
	if m.right != m.all {
		t.Errorf("%s; want all", m)
	}
}

// Pictures are read as well as the engine that is there can: SALDO_SAMPLES names a folder of samples with truth.json.
func TestPictures_WithTheReader(t *testing.T) {
	folder := os.Getenv("SALDO_SAMPLES")
	if folder == "" {
		t.Skip("left to make soak: SALDO_SAMPLES names no folder of samples")
	}
	r := New(Options{Reader: os.Getenv("SALDO_TEST_READER"), Tesseract: os.Getenv("SALDO_TEST_TESSERACT"), Cache: compiled})
	defer r.Close()
	if len(r.Engines()) == 0 {
		t.Skip("neither saldo-reader nor tesseract is here")
	}
	if os.Getenv("SALDO_TEST_ENGINE_OCR") == "tesseract" {
		r.engines = r.engines[len(r.engines)-1:]
	}
	own, all := samples(t, folder)
	byKind := map[string]*marks{}
	took := map[string][]time.Duration{}
	only := os.Getenv("SALDO_TEST_KIND")
	for _, s := range all {
		if only != "" && !strings.Contains(only, s.Kind) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, s.File))
		if err != nil {
			t.Fatal(err)
		}
		country := s.Truth["country"].(string)
		began := time.Now()
		result, err := r.Read(context.Background(), content, reading.Hints{Country: country, OwnTaxID: own[country], Today: "2026-11-18"})
		if err != nil {
			t.Log(s.File, err)
		}
		took[s.Kind] = append(took[s.Kind], time.Since(began))
		if byKind[s.Kind] == nil {
			byKind[s.Kind] = &marks{}
		}
		byKind[s.Kind].add(t, s, result, true)
	}
	for kind, m := range byKind {
		sum := time.Duration(0)
		for _, d := range took[kind] {
			sum += d
		}
		t.Logf("%s with %s: %s; %s a file", kind, r.Engines()[0], *m, (sum / time.Duration(len(took[kind]))).Round(time.Millisecond))
	}
}
