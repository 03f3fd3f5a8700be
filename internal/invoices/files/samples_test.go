package files

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"saldo/internal/invoices/reading"
	"saldo/internal/testkit"
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

// leastOfKind is how much of the fields of pictures saldo-reader reads: what was printed and copied well, and what was not.
var leastOfKind = map[string]float64{"scan": 0.95, "photo": 0.95, "hard": 0.70}

// Pictures are read by saldo-reader, of which two of each kind are tried and all by make soak, and nothing that is wrong is sure.
// SALDO_SAMPLES names another folder of samples with truth.json; SALDO_TEST_KIND some kinds.
func TestPictures_WithTheReader(t *testing.T) {
	program, err := filepath.Abs("../../../bin/reader/saldo-reader")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("bin/reader is not here: make reader builds it")
	}
	r := New(Options{Reader: program, Alone: true, Cache: compiled})
	defer r.Close()
	folder := cmp.Or(os.Getenv("SALDO_SAMPLES"), invented)
	own, all := samples(t, folder)
	byKind := map[string]*marks{}
	files, took := map[string]int{}, map[string]time.Duration{}
	only := os.Getenv("SALDO_TEST_KIND")
	for _, s := range all {
		if only != "" && !strings.Contains(only, s.Kind) || only == "" && s.Kind == "digital" ||
			testkit.Soak() == 1 && folder == invented && files[s.Kind] == 2 {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, s.File))
		if err != nil {
			t.Fatal(err)
		}
		country := s.Truth["country"].(string)
		began := time.Now()
		var result reading.Result
		for range 3 { // as the job does where the machine has no time
			result, err = r.Read(context.Background(), content, reading.Hints{Country: country, OwnTaxID: own[country], Today: "2026-11-18"})
			if !errors.Is(err, ErrBusy) {
				break
			}
		}
		if err != nil {
			t.Log(s.File, err)
		}
		took[s.Kind] += time.Since(began)
		files[s.Kind]++
		if byKind[s.Kind] == nil {
			byKind[s.Kind] = &marks{}
		}
		byKind[s.Kind].add(t, s, result, true)
	}
	var together marks
	for kind, m := range byKind {
		t.Logf("%s: %s; %s a file", kind, *m, (took[kind] / time.Duration(files[kind])).Round(time.Millisecond))
		if m.share() < leastOfKind[kind] {
			t.Errorf("%s: %s; want %.0f %%", kind, *m, 100*leastOfKind[kind])
		}
		together.all += m.all
		together.wrongAndSure += m.wrongAndSure
	}
	if 200*together.wrongAndSure >= together.all && together.wrongAndSure > 0 {
		t.Errorf("%d of %d fields are wrong and sure", together.wrongAndSure, together.all)
	}
}
