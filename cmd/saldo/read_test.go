package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What read prints is documented and stays as it is. It needs no settings, even wrong ones do not stop it.
func TestRead_PrintsWhatAnInvoiceSays(t *testing.T) {
	const samples = "../../internal/invoices/files/testdata/samples/"
	c := program(t, []string{"SALDO_COUNTRY=nowhere", "SALDO_WORKERS=many"}, "read", "--json", samples+"pl_fuel-01.pdf", "--tax-id", "8789328790")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err, string(out))
	}
	var got struct {
		Source, Engine string
		TookMs, Pages  int
		Fields         map[string]struct {
			Value      any
			Confidence float64
			Page       int
			Box        []float64
			Source     string
		}
		Findings []string
		KSeF     struct{ Number, Code string }
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err, string(out))
	}
	for name, want := range map[string]any{"number": "FVS/36079/10/2026/WA2", "issueDate": "2026-10-13", "saleDate": "2026-10-13",
		"issuerTaxId": "8913788484", "buyerTaxId": "8789328790", "net": 25223.0, "gross": 31024.0, "vatStandard": 5801.0, "vatReduced": 0.0,
		"registration": "WA919CH", "mileage": 371967.0, "currency": "PLN"} {
		if f := got.Fields[name]; f.Value != want || f.Confidence < 0.9 || f.Source != "text" || len(f.Box) != 4 {
			t.Errorf("%s is %+v, want %v", name, f, want)
		}
	}
	if got.Source != "text" || got.Engine != "PDFium" || got.Pages != 1 || got.TookMs == 0 || got.Findings == nil {
		t.Errorf("printed %+v", got)
	}
}

func TestRead_SaysWhyAFileIsRefused(t *testing.T) {
	name := filepath.Join(t.TempDir(), "invoice.pdf")
	if err := os.WriteFile(name, []byte("no invoice"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := program(t, nil, "read", "--json", name).Output()
	if err != nil || !strings.Contains(string(out), `"refused": "unknown_type"`) || !strings.Contains(string(out), `"source": "none"`) {
		t.Errorf("%v: %s", err, out)
	}
	for _, args := range [][]string{{"read"}, {"read", "--json"}, {"read", "--json", name, "--country", "FR"}, {"read", "--json", name, "--tax-id"},
		{"read", "--json", name, "more"}} {
		if out, err := program(t, nil, args...).CombinedOutput(); err == nil || !strings.Contains(string(out), "usage: saldo read") {
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
}
