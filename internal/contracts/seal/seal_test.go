package seal_test

import (
	"bytes"
	"encoding/pem"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"saldo/internal/contracts/seal"
	"saldo/internal/contracts/template"
	"saldo/internal/platform/pdf"
	"saldo/internal/testkit"
)

var now = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

type fixture struct {
	authority, partner seal.Key
}

func newFixture(t testing.TB) fixture {
	t.Helper()
	authority, err := seal.NewAuthority("Saldo saldo.example.com", now)
	if err != nil {
		t.Fatal(err)
	}
	partner, err := authority.Issue("Flota Żółta sp. z o.o.", "5260250274", now)
	if err != nil {
		t.Fatal(err)
	}
	return fixture{authority, partner}
}

func (f fixture) sealed(t testing.TB, content []byte) []byte {
	t.Helper()
	sealed, err := seal.Seal(content, seal.Order{Key: f.partner, Authority: f.authority.Certificate, Name: "Flota Żółta",
		Reason: "Podpisano", At: now})
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

// document is one of the ready texts with a name, or a PDF on which the name is placed.
func document(t testing.TB, n int, name string) []byte {
	t.Helper()
	if n%2 == 1 {
		sheets, err := pdf.ReadSheets(testkit.Sheets(1 + n%4))
		if err != nil {
			t.Fatal(err)
		}
		content, _ := template.Make(template.File{Author: "Flota", At: now}, template.Document{Base: &template.Base{Sheets: sheets}, Title: "PDF",
			Language: "pl", Values: template.Values{Texts: map[string]string{"driver.name": name}},
			Placed: []template.Placement{{Name: "driver.name", Kind: "text", Page: 1, X: 30, Y: 40, W: 80, H: 8, Size: 10}}})
		return content
	}
	all := append(template.ReadyFor("pl"), template.ReadyFor("de")...)
	ready := all[n%len(all)]
	parsed, err := template.Parse(ready.Body)
	if err != nil {
		t.Fatal(err)
	}
	content, _ := template.Make(template.File{Author: "Flota", At: now}, template.Document{Template: parsed, Title: ready.Name,
		Language: ready.Language, Values: template.Values{Texts: map[string]string{"driver.name": name}}})
	return content
}

// pdfsig is what poppler says of the seal of a file.
func pdfsig(t testing.TB, content []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command("pdfsig", "-nocert", name).CombinedOutput() // it fails where a seal does not hold
	return string(out)
}

// otherReaders asks qpdf and pyHanko about a sealed file, where they are installed.
func (f fixture) otherReaders(t testing.TB, sealed []byte) {
	t.Helper()
	folder := t.TempDir()
	name, root := filepath.Join(folder, "a.pdf"), filepath.Join(folder, "root.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: f.authority.Certificate})
	if err := errors.Join(os.WriteFile(name, sealed, 0o600), os.WriteFile(root, certificate, 0o600)); err != nil {
		t.Fatal(err)
	}
	for program, args := range map[string][]string{"qpdf": {"--check", name},
		"pyhanko": {"sign", "validate", "--no-revocation-check", "--trust", root, "--trust-replace", "--pretty-print", name}} {
		if _, err := exec.LookPath(program); err != nil {
			t.Logf("%s is not installed and was not asked", program)
			continue
		}
		says, err := exec.Command(program, args...).CombinedOutput()
		if err != nil || program == "pyhanko" && !strings.Contains(string(says), "The signature is judged VALID") {
			t.Fatalf("%s: %v: %s", program, err, says)
		}
	}
}

func TestSealedFiles_AreValid(t *testing.T) {
	f, files := newFixture(t), 13
	if testkit.Soak() > 1 {
		files = 500
	}
	for n := range files {
		sealed := f.sealed(t, document(t, n, "Олександр Żółć"))
		if s, err := seal.Check(sealed, f.authority.Certificate); err != nil || s.Name != "Flota Żółta sp. z o.o." || s.Stamped {
			t.Fatalf("%d: %+v, %v", n, s, err)
		}
		if says := pdfsig(t, sealed); !strings.Contains(says, "Signature is Valid") || !strings.Contains(says, "Total document signed") {
			t.Fatalf("%d: %s", n, says)
		}
		if testkit.Soak() > 1 {
			f.otherReaders(t, sealed)
		}
	}
}

// Every changed byte is found by us. pdfsig, whose word counts for others, is asked about some of them.
func TestSealedFiles_ShowEveryChange(t *testing.T) {
	f := newFixture(t)
	sealed := f.sealed(t, document(t, 0, "Anna Kowalska"))
	gap := bytes.Index(sealed, []byte("/Contents<"))
	if gap < 0 {
		gap = bytes.Index(sealed, []byte("/Contents <"))
	}
	end := gap + bytes.IndexByte(sealed[gap:], '>')
	asked := 200
	if testkit.Soak() == 1 {
		asked = 10
	}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		at := r.IntN(len(sealed))
		if at >= gap && at <= end { // the seal itself: its end is filled with zeros, which others do not look at
			at = r.IntN(gap)
		}
		changed := bytes.Clone(sealed)
		changed[at] ^= 1 << r.IntN(8)
		if _, err := seal.Check(changed, f.authority.Certificate); err == nil {
			t.Errorf("the change of byte %d is not found", at)
		}
		if n < asked {
			if says := pdfsig(t, changed); strings.Contains(says, "Signature is Valid") && strings.Contains(says, "Total document signed") {
				t.Errorf("pdfsig does not find the change of byte %d", at)
			}
		}
	}
	if _, err := seal.Check(append(bytes.Clone(sealed), "\n%more"...), f.authority.Certificate); !errors.Is(err, seal.ErrPart) {
		t.Errorf("what was added is not found: %v", err)
	}
	if _, err := seal.Check(sealed, newFixture(t).authority.Certificate); !errors.Is(err, seal.ErrStranger) {
		t.Errorf("the seal of another instance is taken: %v", err)
	}
	if _, err := seal.Check(document(t, 0, "A"), f.authority.Certificate); !errors.Is(err, seal.ErrNone) {
		t.Errorf("a file without a seal: %v", err)
	}
}

func TestWhatIsNoPDF_IsRefused(t *testing.T) {
	f := newFixture(t)
	for _, content := range [][]byte{nil, []byte("x"), []byte("%PDF-1.7\n%%EOF"), bytes.Repeat([]byte("%PDF-1.7 0 obj "), 1000)} {
		if _, err := seal.Seal(content, seal.Order{Key: f.partner, Authority: f.authority.Certificate, At: now}); err == nil {
			t.Errorf("%.20q is sealed", content)
		}
	}
}

// A time stamping authority that is down, silent or answers something else gives no file; without it the file is sealed.
func TestTimeStamps_ThatDoNotCome(t *testing.T) {
	f, content := newFixture(t), document(t, 0, "Anna")
	end := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-end }))
	wrong := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("no stamp")) }))
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	defer silent.Close()
	defer close(end)
	defer wrong.Close()
	for _, at := range []string{silent.URL, wrong.URL, down.URL} {
		sealed, err := seal.Seal(content, seal.Order{Key: f.partner, Authority: f.authority.Certificate, At: now, Stamp: at, Wait: 200 * time.Millisecond})
		if err == nil || sealed != nil {
			t.Errorf("%s: %d bytes, %v", at, len(sealed), err)
		}
	}
	f.sealed(t, content)
}

func TestTimeStamps_AreInTheSeal(t *testing.T) {
	f, stamps := newFixture(t), testkit.NewStamps(t)
	order := seal.Order{Key: f.partner, Authority: f.authority.Certificate, At: now, Stamp: stamps.URL}
	sealed, err := seal.Seal(document(t, 0, "Anna"), order)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := seal.Check(sealed, f.authority.Certificate); err != nil || !s.Stamped {
		t.Errorf("%+v, %v", s, err)
	}
	if says := pdfsig(t, sealed); !strings.Contains(says, "Signature is Valid") || !strings.Contains(says, "Total document signed") {
		t.Error(says)
	}
	stamps.Broken.Store(true)
	if sealed, err := seal.Seal(document(t, 0, "Anna"), order); err == nil || sealed != nil {
		t.Errorf("%d bytes of an authority that refuses, %v", len(sealed), err)
	}
}

func BenchmarkSeal(b *testing.B) {
	f := newFixture(b)
	content := document(b, 0, "Anna")
	for b.Loop() {
		f.sealed(b, content)
	}
}
