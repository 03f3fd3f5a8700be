package files

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klippa-app/go-pdfium"

	"saldo/internal/invoices/reading"
)

type sample struct {
	File, Kind, Layout string
	Truth              map[string]any
}

func samples(t testing.TB) (own map[string]string, all []sample) {
	t.Helper()
	content, err := os.ReadFile(os.Getenv("SAMPLES") + "/truth.json")
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

var compared = []string{"number", "issueDate", "saleDate", "issuerTaxId", "buyerTaxId", "net", "gross", "vatStandard",
	"vatReduced", "registration", "mileage"}

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

func TestSamplesTry(t *testing.T) {
	own, all := samples(t)
	box := &sandbox{}
	right, total := 0, 0
	for _, s := range all {
		if s.Kind != "digital" {
			continue
		}
		content, err := os.ReadFile(filepath.Join(os.Getenv("SAMPLES"), s.File))
		if err != nil {
			t.Fatal(err)
		}
		var words []reading.Word
		var pages []reading.Page
		err = box.use(context.Background(), func(in pdfium.Pdfium) error {
			d, err := openPDF(in, content)
			if err != nil {
				return err
			}
			for i := range d.pages {
				w, err := d.words(i)
				if err != nil {
					return err
				}
				words = append(words, w...)
				p, err := d.size(i)
				if err != nil {
					return err
				}
				pages = append(pages, p)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if dir := os.Getenv("WORDS"); dir != "" {
			b, _ := json.Marshal(map[string]any{"words": words, "pages": pages})
			os.WriteFile(dir+"/"+strings.TrimSuffix(s.File, ".pdf")+".json", b, 0o644)
		}
		for _, id := range []string{own[s.Truth["country"].(string)], ""} {
			r := reading.FromWords(words, pages, reading.Hints{Country: map[bool]string{true: s.Truth["country"].(string)}[id != ""],
				OwnTaxID: id, Today: "2026-11-18"})
			for _, name := range compared {
				f, _ := r.Field(name)
				total++
				if f.Value == wanted(s, name) {
					right++
					if f.Value != "" && f.Sure < 0.9 {
						t.Logf("%s %s %q unsure %.3f %s", s.File, name, f.Value, f.Sure, f.Rule)
					}
				} else {
					t.Errorf("%s own=%v %s: %q, want %q (%.3f %s)", s.File, id != "", name, f.Value, wanted(s, name), f.Sure, f.Rule)
				}
			}
		}
	}
	t.Logf("%d of %d", right, total)
}
