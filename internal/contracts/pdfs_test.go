package contracts_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/contracts"
	"saldo/internal/contracts/pdfs"
	"saldo/internal/contracts/template"
	"saldo/internal/drivers/merge"
	"saldo/internal/invoices/files"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// reader is one for all tests.
var reader = sync.OnceValue(func() *files.Reader { return files.New(files.Options{NoOCR: true, Cache: testkit.Compiled()}) })

// ownPDF is a partner's PDF: upright, turned and cropped pages whose objects are packed.
func ownPDF() []byte {
	return testkit.PDF(true,
		testkit.PDFPage{Lines: []string{"Umowa floty", "Strona pierwsza"}, Fields: []testkit.PDFField{
			{Name: "PESEL", Kind: "Tx", Box: [4]float64{100, 500, 300, 520}}, {Name: "Podpis", Kind: "Sig", Box: [4]float64{100, 100, 300, 160}}}},
		testkit.PDFPage{Rotate: 90, Lines: []string{"Strona druga"}},
		testkit.PDFPage{Width: 612, Height: 1008, Crop: [4]float64{100, 200, 500, 900}, Lines: []string{"Strona trzecia"}})
}

func placements() []template.Placement {
	return []template.Placement{
		{Name: "driver.name", Kind: "text", Page: 1, X: 40, Y: 60, W: 90, H: 8, Size: 11},
		{Name: "driver.address", Kind: "text", Page: 2, X: 40, Y: 60, W: 90, H: 12},
		{Name: "sickness", Kind: "check", Page: 2, X: 40, Y: 80, W: 5, H: 5},
		{Name: "driver", Kind: "signature", Page: 3, X: 10, Y: 150, W: 50, H: 25},
		{Name: "partner", Kind: "signature", Page: 3, X: 70, Y: 150, W: 50, H: 25}}
}

func (w *fixture) uploaded(t testing.TB, content []byte) (f pdfs.File) {
	t.Helper()
	id := fmt.Sprint("pdf-", w.clock.Now().UnixNano(), "-", len(content))
	g, err := w.PDFs().Receive(ctx, "north", id, `C:\umowy\Umowa.pdf`, bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) (err error) { f, err = pdfs.Add(tx, g); return err })
	return f
}

// onlyPDF leaves one document for a contract: the partner's PDF.
func (w *fixture) onlyPDF(t testing.TB, form template.Form) (made contracts.Template, file pdfs.File) {
	t.Helper()
	file = w.uploaded(t, ownPDF())
	testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) error {
		all, err := w.Templates(tx)
		if err != nil {
			return err
		}
		for _, one := range all {
			one.Active = false
			if _, err := w.SaveTemplate(tx, one); err != nil {
				return err
			}
		}
		made, err = w.AddTemplate(tx, contracts.Template{Name: "Umowa floty", Language: "pl", Kind: "contract", Form: form, Position: 1, Active: true,
			Required: true, FileID: file.ID, Placements: placements()})
		return err
	})
	return made, file
}

func words(t testing.TB, content []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	says, err := exec.Command("pdftotext", "-layout", name, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(says)
}

func TestAPDF_IsFilledSignedSealedAndCountersigned(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		made, file := w.onlyPDF(t, template.Simple)
		if len(file.Pages) != 3 || file.Name != "Umowa.pdf" || file.Pages[1] != (pdfs.SheetSize{Width: 297, Height: 210}) || len(file.Fields) != 2 ||
			file.Fields[0].Name != "driver.pesel" || file.Fields[1].Name != "driver" {
			t.Errorf("%+v", file)
		}
		if made.Version != 1 || made.Placements[1].Size != 10 || len(made.Placeholders) != 2 {
			t.Errorf("%+v", made)
		}
		d := polish()
		d.Personal.LastName = "Żółć-Ґалаган"
		c, err := w.sign(t, w.driver(), w.self(), w.submission(t, d, 0))
		if err != nil {
			t.Fatal(err)
		}
		w.sealed(t, c.ID)
		if c, err = w.countersign(t, c); err != nil || c.State != contracts.Active {
			t.Fatalf("%+v, %v", c, err)
		}
		w.sealed(t, c.ID)
		documents := w.documents(t, c.ID)
		if len(documents) != 1 || documents[0].Edition != 2 || documents[0].Pages != 3 {
			t.Fatalf("%+v", documents)
		}
		content, err := w.Content(ctx, documents[0])
		if err != nil {
			t.Fatal(err)
		}
		w.look(t, "own-pdf.pdf", content)
		text := words(t, content)
		for _, want := range []string{"Umowa floty", "Strona druga", "Strona trzecia", "Żółć-Ґалаган", "Piotrkowska 12/3", "X", "Mozilla"} {
			if !strings.Contains(text, want) {
				t.Errorf("the file does not say %s: %s", want, text)
			}
		}
		if found := w.problems(t); len(found) > 0 {
			t.Errorf("%v", found)
		}
		// a damaged PDF of a template is named
		kept := w.stored(t, file.ID)
		whole, err := os.ReadFile(kept[0])
		if err != nil || len(kept) != 1 {
			t.Fatal(kept, err)
		}
		whole[len(whole)/2] ^= 1
		if err := os.WriteFile(kept[0], whole, 0o600); err != nil {
			t.Fatal(err)
		}
		if found := w.problems(t); len(found) != 1 || !strings.Contains(found[0].What, file.ID) {
			t.Errorf("%v", found)
		}
	})
}

// What was shown is what is signed: another place, another file, another name or data that changed refuse the signature.
func TestAPDFThatWasShown_IsWhatIsSigned(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		made, _ := w.onlyPDF(t, template.Simple)
		changes := []func(n int){
			func(int) {
				testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) (err error) {
					made.Placements[0].X += 0.1
					made, err = w.SaveTemplate(tx, made)
					return err
				})
			},
			func(n int) {
				w.clock.Pass(time.Second)
				file := w.uploaded(t, append(ownPDF(), "% another\n"...))
				made.FileID = file.ID
				made.Placements[0].Y += 1
				testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) (err error) { made, err = w.SaveTemplate(tx, made); return err })
			},
			func(n int) {
				testkit.Write(t, w.db, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
					_, err := tx.Exec(`UPDATE partners SET name = $2 WHERE tenant_id = $1`, fmt.Sprint("Wrzos ", n))
					return err
				})
			},
		}
		prepare := func(sub contracts.Submission) (*contracts.Signing, error) {
			return w.Prepare(ctx, func(do func(*db.Tx, contracts.Person) error) error {
				return w.db.Read(ctx, w.driver(), func(tx *db.Tx) error { return do(tx, w.self()) })
			}, sub)
		}
		for n, change := range changes {
			sub := w.submission(t, polish(), 0)
			change(2 * n)
			_, err := w.sign(t, w.driver(), w.self(), sub)
			isFault(t, err, contracts.ErrDocumentChanged, fmt.Sprint("change ", n))
			// and between the making of the files and the unit that signs
			g, err := prepare(w.submission(t, polish(), 0))
			if err != nil {
				t.Fatal(err)
			}
			change(2*n + 1)
			err = w.db.Write(ctx, w.driver(), func(tx *db.Tx) error { _, err := w.Sign(tx, w.self(), g); return err })
			isFault(t, err, contracts.ErrDocumentChanged, fmt.Sprint("late change ", n))
			w.Drop(ctx, g)
		}
		sub := w.submission(t, polish(), 0)
		sub.Data.Personal.FirstNames = "Jan"
		_, err := w.sign(t, w.driver(), w.self(), sub)
		isFault(t, err, contracts.ErrDocumentChanged, "other data")
		if files := w.stored(t, "1-"); len(files) > 0 {
			t.Errorf("files are left: %v", files)
		}
		if c, err := w.sign(t, w.driver(), w.self(), w.submission(t, polish(), 0)); err != nil || c.State != contracts.SignedByDriver {
			t.Errorf("%+v, %v", c, err)
		}
	})
}

// Two people save one PDF at once: one of them is told.
func TestAPDF_IsSavedByTwoAtOnce(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		made, _ := w.onlyPDF(t, template.Simple)
		var all sync.WaitGroup
		var lock sync.Mutex
		saved, told := 0, 0
		for n := range 8 {
			all.Go(func() {
				mine := made
				mine.Placements = append([]template.Placement{}, made.Placements...)
				mine.Placements[0].X = float64(20 + n)
				err := w.db.Write(ctx, w.clerk, func(tx *db.Tx) error { _, err := w.SaveTemplate(tx, mine); return err })
				lock.Lock()
				defer lock.Unlock()
				switch {
				case err == nil:
					saved++
				case errors.Is(err, contracts.ErrChanged) || db.Unique(err):
					told++
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if saved != 1 || told != 7 {
			t.Errorf("%d saved, %d told", saved, told)
		}
		testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) error {
			now, err := w.TemplateOf(tx, made.ID)
			if err != nil || now.Version != 2 {
				t.Errorf("%+v", now)
			}
			old, err := w.TextOf(tx, now, 1, false)
			if err != nil || old.Placements[0] != made.Placements[0] {
				t.Errorf("the first version: %+v, %v", old.Placements, err)
			}
			// the same again is no version
			return err
		})
		testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) error {
			now, err := w.TemplateOf(tx, made.ID)
			if err == nil {
				now, err = w.SaveTemplate(tx, now)
			}
			if now.Version != 2 {
				t.Errorf("the same placements are version %d", now.Version)
			}
			return err
		})
	})
}

func TestPlacements_AreRefused(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		made, _ := w.onlyPDF(t, template.Simple)
		for what, change := range map[string]func(*contracts.Template){
			"beside the page": func(m *contracts.Template) { m.Placements[0].X = 180 }, "no signature": func(m *contracts.Template) { m.Placements = m.Placements[:3] },
			"an unknown value": func(m *contracts.Template) { m.Placements[0].Name = "driver.shoes" }, "a text too": func(m *contracts.Template) { m.Body = "# x" },
			"too many": func(m *contracts.Template) {
				for range 300 {
					m.Placements = append(m.Placements, m.Placements[0])
				}
			},
		} {
			mine := made
			mine.Placements = append([]template.Placement{}, made.Placements...)
			change(&mine)
			err := w.db.Write(ctx, w.clerk, func(tx *db.Tx) error { _, err := w.SaveTemplate(tx, mine); return err })
			isFault(t, err, contracts.ErrInvalid, what)
		}
		mine := made
		mine.FileID = "none"
		err := w.db.Write(ctx, w.clerk, func(tx *db.Tx) error { _, err := w.SaveTemplate(tx, mine); return err })
		isFault(t, err, contracts.ErrNotFound, "no such PDF")

		// a value that does not fit is named, and nothing is shown or signed
		narrow := made
		narrow.Placements = append([]template.Placement{}, made.Placements...)
		narrow.Placements[0].W = 2
		testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) (err error) { made, err = w.SaveTemplate(tx, narrow); return err })
		var g contracts.Trying
		testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) (err error) { g, err = w.Try(tx, made, polish()); return err })
		_, _, err = w.Tried(ctx, g)
		isFault(t, err, contracts.ErrNoRoom, "a narrow box")
		testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) (err error) { g, err = w.Try(tx, made, contracts.Data{}); return err })
		content, pages, err := w.Tried(ctx, g)
		if err != nil || pages != 3 || len(g.Missing) != 2 || !strings.Contains(words(t, content), "Strona druga") || !bytes.Contains(content, []byte("/BM/Multiply")) {
			t.Errorf("with nobody's data: %d pages, %v, %v", pages, g.Missing, err)
		}
	})
}

// A driver who was merged into another signed before: the PDF is countersigned after the merge with the pages that were signed.
func TestAPDF_OfAMergedDriver(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		w.onlyPDF(t, template.Simple)
		c := w.signed(t)
		w.sealed(t, c.ID)
		testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) (err error) {
			o := merge.Order{Kept: w.drivers[1], Other: w.drivers[0], Choices: map[string]string{"firstName": "other", "lastName": "other", "email": "other"}}
			for id, to := range map[string]*int64{o.Kept: &o.KeptVersion, o.Other: &o.OtherVersion} {
				if *to, err = db.One[int64](tx, `SELECT version FROM drivers WHERE tenant_id = $1 AND id = $2`, id); err != nil {
					return err
				}
			}
			_, err = merge.Drivers(tx, w.Drivers, o)
			return err
		})
		c, err := w.countersign(t, c)
		if err != nil || c.State != contracts.Active {
			t.Fatalf("%+v, %v", c, err)
		}
		w.sealed(t, c.ID)
		if d := w.documents(t, c.ID); d[0].Edition != 2 {
			t.Errorf("no file with both signatures: %+v", d)
		}
		tried, err := w.TryCountersign(ctx, func(do func(*db.Tx, contracts.Person) error) error {
			return w.db.Write(ctx, w.clerk, func(tx *db.Tx) error { return do(tx, w.boss()) })
		}, c.ID)
		if err != nil || tried.Refused == nil {
			t.Errorf("tried again: %+v, %v", tried, err)
		}
		if found := w.problems(t); len(found) > 0 {
			t.Errorf("%v", found)
		}
	})
}

// A PDF for handwriting is printed, and not signed on the screen.
func TestAPDF_ForHandwriting(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		w.onlyPDF(t, template.Written)
		sub := w.submission(t, polish(), 0)
		_, err := w.sign(t, w.driver(), w.self(), sub)
		isFault(t, err, contracts.ErrWritten, "a signature on the screen")
		sub.Picture = nil
		c, err := w.sign(t, w.driver(), w.self(), sub)
		if err != nil || c.State != contracts.Printed {
			t.Fatalf("%+v, %v", c, err)
		}
		content, err := w.Content(ctx, w.documents(t, c.ID)[0])
		if err != nil || !strings.Contains(words(t, content), "Paweł Żak") {
			t.Error(err)
		}
	})
}

// A PDF that nothing uses goes after two days; from the second on nothing begins to use it. What is used never goes, and no row changes.
func TestPDFs_ThatNothingUsesGo(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		made, used := w.onlyPDF(t, template.Simple)
		w.clock.Pass(time.Second)
		unused := w.uploaded(t, ownPDF())
		w.clock.Pass(25 * time.Hour)
		mine := made
		mine.FileID = unused.ID
		err := w.db.Write(ctx, w.clerk, func(tx *db.Tx) error { _, err := w.SaveTemplate(tx, mine); return err })
		isFault(t, err, contracts.ErrNotFound, "an old PDF")
		mine.FileID = used.ID
		mine.Placements = append([]template.Placement{}, made.Placements...)
		mine.Placements[0].X++
		testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) error { _, err := w.SaveTemplate(tx, mine); return err })
		w.sweep(t)
		if len(w.stored(t, unused.ID)) != 1 {
			t.Error("it is gone after a day")
		}
		w.clock.Pass(24 * time.Hour)
		w.sweep(t)
		if len(w.stored(t, unused.ID)) != 0 || len(w.stored(t, used.ID)) != 1 {
			t.Errorf("stored: %v, %v", w.stored(t, unused.ID), w.stored(t, used.ID))
		}
		w.sweep(t)
		for _, text := range []string{`UPDATE template_files SET name = 'x' WHERE tenant_id = $1`, `DELETE FROM template_files WHERE tenant_id = $1`,
			`UPDATE template_versions SET placements = '[]' WHERE tenant_id = $1`} {
			err := w.db.Write(ctx, access.ProgramFor("north", "test"), func(tx *db.Tx) error { _, err := tx.Exec(text); return err })
			if !db.Guarded(err) {
				t.Errorf("%s: %v", text, err)
			}
		}
		c := w.signed(t)
		err = w.db.Write(ctx, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE contract_documents SET placements = '[]' WHERE tenant_id = $1 AND contract_id = $2`, c.ID)
			return err
		})
		if !db.Guarded(err) {
			t.Errorf("placements of what was signed: %v", err)
		}
	})
}

// What cannot be written on is refused when it is uploaded, in words.
func TestPDFs_AreRefusedAtUpload(t *testing.T) {
	w := newFixture(t, testkit.Engines[0], "pl")
	many := make([]testkit.PDFPage, pdfs.Pages+1)
	for name, c := range map[string]struct {
		content []byte
		want    error
	}{
		"41 pages": {testkit.PDF(true, many...), pdfs.ErrLimits}, "11 MB": {append([]byte("%PDF-1.7\n"), make([]byte, 11<<20)...), pdfs.ErrLimits},
		"no PDF": {[]byte("<html>"), pdfs.ErrRefused}, "broken": {ownPDF()[:300], pdfs.ErrRefused}, "nothing": {nil, pdfs.ErrRefused},
	} {
		_, err := w.PDFs().Receive(ctx, "north", "x", "a.pdf", bytes.NewReader(c.content))
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(w.stored(t, "templates")) > 0 {
		t.Error("something is kept")
	}
}
