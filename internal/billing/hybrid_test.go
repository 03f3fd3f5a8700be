package billing_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"saldo/internal/billing"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/schemas/rules"
	"saldo/internal/testkit"
)

// printedPDF is a document as it is printed.
func (w *fixture) printedPDF(t testing.TB, name, id string) []byte {
	t.Helper()
	var p *billing.PDFDocument
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { p, err = w.PDFDocument(tx, id); return err })
	content, err := p.PDF(logo(t))
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := p.PDF(logo(t)); !bytes.Equal(content, again) {
		t.Error("the same document has other bytes")
	}
	textOf(t, name, content)
	return content
}

// inside are the files in a document by their names, as a reader takes them out.
func inside(t testing.TB, content []byte) map[string]string {
	t.Helper()
	folder := t.TempDir()
	document := filepath.Join(t.TempDir(), "x.pdf")
	if err := os.WriteFile(document, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("pdfdetach", "-saveall", "-o", folder, document).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	found := map[string]string{}
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		held, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found[f.Name()] = string(held)
	}
	return found
}

// tree is a document as it is read to whoever does not see it.
func tree(t testing.TB, content []byte) string {
	t.Helper()
	document := filepath.Join(t.TempDir(), "x.pdf")
	if err := os.WriteFile(document, content, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pdfinfo", "-struct-text", document).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// isTagged looks for a title, headings, a table and the language in a document.
func isTagged(t testing.TB, content []byte, language, title string) (parts string) {
	t.Helper()
	parts = tree(t, content)
	if !strings.Contains(parts, "H1 (block)\n    \""+title+"\"") || strings.Count(parts, "H1 (") != 1 || strings.Count(parts, "H2 (") < 3 ||
		!strings.Contains(parts, "/Scope /Column") ||
		!strings.Contains(parts, "/Scope /Row") || !bytes.Contains(content, []byte("/Lang("+language+")")) || !bytes.Contains(content,
		[]byte("<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A<")) {
		t.Errorf("%s in %s is %s", title, language, parts)
	}
	return parts
}

// TestAGermanInvoiceHoldsItsFile has two invoices of one driver and the Storno of one of them: each holds the file that is downloaded,
// and no other.
func TestAGermanInvoiceHoldsItsFile(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			w := newFixture(t, engine, "de")
			w.rules(t, b2b(rules.B2BVAT))
			first := w.settled(t, w.details("de"))
			seller := billing.Seller{Name: `Oleg & Söhne <"Taxi"> GmbH`, Street: "Polna 1", Place: "10115 Berlin"}
			invoice := w.issue(t, first, seller)
			w.revoke(t, first)
			storno := w.offered(t, first).Documents[1]
			next := w.issue(t, w.settle(t, w.kept(t, first).DriverID), billing.Seller{})
			for name, doc := range map[string]billing.Document{"hybrid-389-storniert": invoice, "hybrid-384": storno, "hybrid-389": next} {
				content := w.printedPDF(t, name, doc.ID)
				if held := inside(t, content); len(held) != 1 || held["factur-x.xml"] != string(w.file(t, doc.ID)) {
					t.Errorf("%s holds %v", doc.Number, held)
				}
				mustSay(t, string(content), "/AFRelationship/Alternative", "<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>",
					"<fx:DocumentType>INVOICE</fx:DocumentType>", "<fx:Version>1.0</fx:Version>",
					"<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>",
					"<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>", doc.Number+"</rdf:li>")
				isTagged(t, content, "de", map[billing.Kind]string{billing.Invoice: "Gutschrift",
					billing.Correction: "Storno der Gutschrift"}[doc.Kind])
			}
			archived(t, w)
		})
	}
}

// archived compares the PDFs of an archive with the files beside them.
func archived(t testing.TB, w *fixture) {
	t.Helper()
	var content bytes.Buffer
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		a, err := w.Archive(tx, billing.Filter{})
		if err != nil {
			return err
		}
		return a.Write(&content, nil)
	})
	z, err := zip.NewReader(bytes.NewReader(content.Bytes()), int64(content.Len()))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	compared := 0
	for name, file := range files {
		if beside, ok := strings.CutSuffix(name, ".xml"); ok {
			compared++
			if held := inside(t, files[beside+".pdf"]); held["factur-x.xml"] != string(file) {
				t.Errorf("%s is not inside of its paper: %v", name, held)
			}
		}
	}
	if compared != 3 {
		t.Error(compared, "are compared")
	}
}

// TestAPolishInvoiceHoldsItsFileOnceKSeFTookIt follows one that waits and is taken, and one that is refused.
func TestAPolishInvoiceHoldsItsFileOnceKSeFTookIt(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		o := newAuthority(billing.Answer{Number: ksefNumber}, billing.Answer{Refused: "no"})
		w.at(t)
		id := w.settled(t, w.details("pl"))
		doc := w.issue(t, id, company)
		content := w.printedPDF(t, "fa-waiting", doc.ID)
		if held := inside(t, content); len(held) != 0 {
			t.Error("what nobody took is inside:", held)
		}
		isTagged(t, content, "pl", "Faktura")
		w.work(t, o)
		testkit.Eventually(t, "it is taken", func() bool { return w.document(t, id).AuthorityState == billing.Accepted })
		content = w.printedPDF(t, "fa-accepted", doc.ID)
		if held := inside(t, content); len(held) != 1 || held[ksefNumber+".xml"] != string(w.file(t, doc.ID)) {
			t.Error(held)
		}
		mustSay(t, string(content), "/AFRelationship/Source")
		if strings.Contains(string(content), "factur-x") {
			t.Error("FA(3) is no Factur-X")
		}
		refused := w.settled(t, w.details("pl"))
		doc = w.issue(t, refused, company)
		testkit.Eventually(t, "it is refused", func() bool { return w.document(t, refused).AuthorityState == billing.Refused })
		if held := inside(t, w.printedPDF(t, "fa-refused", doc.ID)); len(held) != 0 {
			t.Error("what is refused is inside:", held)
		}
	})
}

func TestEveryPDFIsTaggedInItsLanguage(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, rich)
		// The pages do not depend on the engine, and reading their structure takes seconds: one language on either, of each script; all
		// on SQLite in a longer run.
		languages := []i18n.Language{i18n.Ukrainian}
		if w.db.Engine() == "postgres" {
			languages = []i18n.Language{i18n.Polish}
		} else if testkit.Soak() > 1 {
			languages = i18n.Languages
		}
		for _, language := range languages {
			id := w.settled(t, w.details(string(language)))
			content := w.statement(t, id, nil)
			textOf(t, "tagged-"+string(language), content)
			parts := isTagged(t, content, string(language), i18n.Of(language, "billing:statement.title", "number", fmt.Sprint(w.kept(t, id).Number)))
			if held := inside(t, content); len(held) != 0 {
				t.Error(held)
			}
			at := 0
			for _, key := range []string{"billing:statement.apps", "billing:statement.chain", "statement:group_earnings", "statement:group_deductions", "statement:transfers",
				"billing:statement.figures", "billing:statement.formula"} {
				next := strings.Index(parts[at:], `"`+i18n.Of(language, key)+`"`)
				if next < 0 {
					t.Fatalf("%s: %s is not read after what stands above it: %s", language, key, parts)
				}
				at += next
			}
		}
		bill := w.issue(t, w.settled(t, w.details("uk")), company)
		content := w.printedPDF(t, "tagged-bill", bill.ID)
		isTagged(t, content, "pl", i18n.Of(i18n.Polish, "billing:document.bill"))
		if held := inside(t, content); len(held) != 0 {
			t.Error(held)
		}
	})
}
