package contracts_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/contracts"
	"saldo/internal/contracts/answers"
	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/partners"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

var ctx = context.Background()

// fixture is a partner with two drivers.
type fixture struct {
	*contracts.Service
	db       *db.DB
	clock    *testkit.Clock
	files    string
	clerk    access.Actor
	drivers  []string
	settings db.Settings
}

func each(t *testing.T, country string, test func(t *testing.T, w *fixture)) {
	t.Helper()
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			test(t, newFixture(t, engine, country))
		})
	}
}

func newFixture(t *testing.T, engine, country string) *fixture {
	t.Helper()
	w := &fixture{settings: testkit.Settings(t, engine), clock: testkit.NewClock(), files: t.TempDir()}
	w.settings.Clock = w.clock.Now
	instance, err := config.InstanceOf(country)
	if err != nil {
		t.Fatal(err)
	}
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	blobs, err := blob.Open("", w.files, v)
	if err != nil {
		t.Fatal(err)
	}
	w.db = testkit.Open(t, w.settings)
	book := drivers.Service{Vault: v, Country: strings.ToUpper(country), Language: "pl",
		Post: mail.NewQueue(v, nil, mail.Address{Address: "saldo@example.com"})}
	w.Service = &contracts.Service{DB: w.db, Blobs: blobs, Vault: v, Instance: instance, PublicURL: "https://saldo.example.com", Drivers: book,
		Reader: reader()}
	w.clerk = access.Actor{Role: access.Partner, Tenant: "north", ID: "clerk", Name: "Anna Kot",
		Proof: access.Proof{Email: "anna@north.example", SignedInAt: w.clock.Now()}}
	testkit.Write(t, w.db, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		if err := partners.Found(tx, partners.Partner{Code: "north", Name: "Wrzos Mobility", Color: "#0B5D68"}, 1000); err != nil {
			return err
		}
		_, err := tx.Exec(`UPDATE partner_profiles SET tax_id = $2, street = 'Długa', house_number = '7', city = 'Gdańsk', post_code = '80-831'
			WHERE tenant_id = $1`, "8789328790")
		return err
	})
	testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) (err error) {
		w.drivers, err = book.AddMany(tx, []drivers.NewDriver{
			{Details: drivers.Details{FirstName: "Paweł", LastName: "Żak", Email: "pawel@drivers.example"}},
			{Details: drivers.Details{FirstName: "Oleh", LastName: "Bondar", Email: "oleh@drivers.example"}}})
		return err
	})
	return w
}

// driver is the first driver acting in the tenant of the partner.
func (w *fixture) driver() access.Actor {
	return access.Actor{Role: access.Driver, Tenant: "north", Person: "account-1", ID: "account-1", Name: "Paweł Żak",
		Proof: access.Proof{Email: "pawel@drivers.example", SignedInAt: w.clock.Now()}}
}

func (w *fixture) self() contracts.Person {
	return contracts.OfDriver(w.drivers[0]).From("203.0.113.77", "Mozilla/5.0 (Android 15)")
}

func (w *fixture) boss() contracts.Person {
	return contracts.OfPartner().From("198.51.100.4", "Firefox")
}

const (
	pesel   = "44051401359"
	account = "PL61109010140000071219812874"
	number  = "ABC123456"
)

func polish() contracts.Data {
	home := answers.HomeAddress{Street: "Piotrkowska", House: "12", Apartment: "3", PostCode: "90-001", City: "Łódź"}
	return contracts.Data{
		Personal: answers.PersonalAnswers{FirstNames: "Paweł", LastName: "Żak", BirthDate: "1944-05-14", Citizenship: "PL", PESEL: pesel,
			IDKind: "identity_card", IDNumber: number, Registered: home, Phone: "+48 600 100 200", Email: "pawel@drivers.example"},
		Contract: answers.TermsAnswers{Kinds: []string{"civil_contract", "rent_from_driver"}, Date: "2026-11-15", Place: "Łódź", From: "2026-11-16",
			Frequency: 2, IBANPayout: account, IBANRental: account, RentWeekly: 30000,
			Vehicle: answers.VehicleAnswers{Kind: "car", Make: "Toyota", Model: "Corolla", Registration: "EL 12345", Year: 2021, Owner: "driver"}},
		Statements: answers.StatementAnswers{TaxOffice: "Łódź-Bałuty", NFZ: "05", TaxResidence: "PL", Disability: "light", HealthConsent: true, Sickness: true},
	}
}

func german() contracts.Data {
	d := polish()
	d.Personal.PESEL, d.Personal.TaxNumber, d.Personal.SocialNumber = "", "65929970489", "15070649C103"
	d.Personal.Registered = answers.HomeAddress{Street: "Lange Straße", House: "5", PostCode: "10115", City: "Berlin"}
	d.Contract.Kinds = []string{"employment"}
	d.Contract.RentWeekly, d.Contract.IBANRental, d.Contract.Vehicle = 0, "", answers.VehicleAnswers{}
	d.Statements = answers.StatementAnswers{HealthInsurer: "AOK", TaxClass: 1}
	return d
}

// strokes is a drawn signature.
func strokes() []byte {
	m := image.NewNRGBA(image.Rect(0, 0, 400, 200))
	for x := 20; x < 380; x++ {
		for y := range 4 {
			m.SetNRGBA(x, 60+y+(x*x/700)%80, color.NRGBA{0, 0, 0x60, 0xFF})
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// submission is what a wizard sends for the data as they are shown now.
func (w *fixture) submission(t testing.TB, d contracts.Data, version int64) contracts.Submission {
	t.Helper()
	sub := contracts.Submission{Driver: w.drivers[0], Data: d, Version: version, Language: "uk", Hashes: map[int64]string{}, Picture: strokes(),
		Declarations: map[string]string{}, Consent: contracts.TextHash(contracts.ConsentText("uk"))}
	for _, id := range contracts.Declarations {
		sub.Declarations[id] = contracts.TextHash(contracts.DeclarationText("uk", id))
	}
	checked, err := d.Checked(strings.ToUpper(w.Instance.Code), contracts.ErrInvalid)
	if err != nil {
		t.Fatalf("%+v", err.(*fault.Fault).Fields)
	}
	var made []contracts.Made
	finish := func() error { return nil }
	testkit.Read(t, w.db, w.driver(), func(tx *db.Tx) error {
		all, k, err := w.Make(tx, checked, "uk", nil)
		made, finish = all, func() error { return w.Finish(ctx, all, k) }
		return err
	})
	if err := finish(); err != nil {
		t.Fatal(err)
	}
	for _, m := range made {
		sub.Hashes[m.Order] = m.Hash
		sub.Shown = append(sub.Shown, contracts.Shown{Order: m.Order, Pages: m.Pages, Milliseconds: 1200})
	}
	return sub
}

// sign signs as the driver, or as a partner on its device.
func (w *fixture) sign(t testing.TB, who access.Actor, as contracts.Person, sub contracts.Submission) (c contracts.Contract, err error) {
	t.Helper()
	g, err := w.Prepare(ctx, func(do func(*db.Tx, contracts.Person) error) error {
		return w.db.Read(ctx, who, func(tx *db.Tx) error { return do(tx, as) })
	}, sub)
	if err != nil {
		return c, err
	}
	if err = w.db.Write(ctx, who, func(tx *db.Tx) (err error) { c, err = w.Sign(tx, as, g); return err }); err != nil {
		w.Drop(ctx, g)
	}
	return c, err
}

func (w *fixture) signed(t testing.TB) contracts.Contract {
	t.Helper()
	c, err := w.sign(t, w.driver(), w.self(), w.submission(t, polish(), 0))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (w *fixture) countersign(t testing.TB, c contracts.Contract) (contracts.Contract, error) {
	t.Helper()
	w.clerk.Proof.SignedInAt = w.clock.Now()
	g, err := w.PrepareCountersign(ctx, func(do func(*db.Tx, contracts.Person) error) error {
		return w.db.Read(ctx, w.clerk, func(tx *db.Tx) error { return do(tx, w.boss()) })
	}, c.ID, contracts.Countersign{Version: c.Version})
	if err != nil {
		return c, err
	}
	err = w.db.Write(ctx, w.clerk, func(tx *db.Tx) (err error) { c, err = w.CountersignNow(tx, w.boss(), g); return err })
	return c, err
}

// work runs the jobs until the files of a contract are sealed.
func (w *fixture) work(t testing.TB, done func() bool) {
	t.Helper()
	q := jobs.NewQueue(w.db, slog.New(slog.DiscardHandler))
	q.Handle(contracts.SealKind, w.Seal)
	q.Handle(contracts.EraseKind, w.Erase)
	q.Handle(contracts.SweepKind, w.Sweep)
	run, stop := context.WithCancel(ctx)
	var ended sync.WaitGroup
	ended.Go(func() { q.Run(run, 1) })
	testkit.Eventually(t, "the jobs are done", done)
	stop()
	ended.Wait()
}

func (w *fixture) documents(t testing.TB, id string) (all []contracts.Document) {
	t.Helper()
	testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) (err error) { all, err = contracts.DocumentsOf(tx, id); return err })
	return all
}

func (w *fixture) sealed(t testing.TB, id string) {
	t.Helper()
	w.work(t, func() bool {
		for _, d := range w.documents(t, id) {
			if d.FileKind == "signed" && d.SealedKey == "" {
				return false
			}
		}
		return true
	})
}

func (w *fixture) problems(t testing.TB) (found []contracts.Problem) {
	t.Helper()
	testkit.Read(t, w.db, access.ProgramFor("north", "verify"), func(tx *db.Tx) (err error) { found, _, err = w.Verify(ctx, tx); return err })
	return found
}

// stored lists the files in the store whose name has a part.
func (w *fixture) stored(t testing.TB, part string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(w.files, func(name string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.Contains(name, part) && strings.Contains(name, "contracts") {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func isFault(t testing.TB, err error, want *fault.Fault, what string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, not %v", what, err, want)
	}
}

func TestAContract_IsSignedSealedAndCountersigned(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		c := w.signed(t)
		w.sealed(t, c.ID)
		if c.State != contracts.SignedByDriver || c.Number != "" {
			t.Fatalf("%+v", c)
		}
		documents := w.documents(t, c.ID)
		if len(documents) != 4 {
			t.Fatalf("%d documents", len(documents))
		}
		c, err := w.countersign(t, c)
		if err != nil {
			t.Fatal(err)
		}
		w.sealed(t, c.ID)
		if c.State != contracts.Active || c.Number != "1/2026" {
			t.Errorf("%+v", c)
		}
		testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) error {
			d, err := drivers.Get(tx, w.Vault, w.drivers[0])
			if d.IBAN != account || d.SettlementFrequency != 2 || d.ContractNumber != "1/2026" {
				t.Errorf("the driver got %s %d %s", d.IBAN, d.SettlementFrequency, d.ContractNumber)
			}
			mails, err2 := db.One[int64](tx, `SELECT COUNT(*) FROM mails WHERE tenant_id = $1`)
			if mails != 1 {
				t.Errorf("%d mails about the changed account", mails)
			}
			return errors.Join(err, err2)
		})
		if found := w.problems(t); len(found) > 0 {
			t.Errorf("%v", found)
		}
		for _, d := range w.documents(t, c.ID) {
			content, err := w.Content(ctx, d)
			if err != nil || d.Edition != 2 {
				t.Fatalf("%v, edition %d", err, d.Edition)
			}
			w.look(t, fmt.Sprintf("signed-%d.pdf", d.Position), content)
		}
	})
}

// look checks a sealed file with poppler, and leaves it where SALDO_PAPERS says.
func (w *fixture) look(t testing.TB, name string, content []byte) {
	t.Helper()
	folder := os.Getenv("SALDO_PAPERS")
	if folder == "" {
		folder = t.TempDir()
	}
	file := filepath.Join(folder, name)
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	says, _ := exec.Command("pdfsig", "-nocert", file).CombinedOutput()
	if !strings.Contains(string(says), "Signature is Valid") || !strings.Contains(string(says), "Total document signed") {
		t.Errorf("%s: %s", name, says)
	}
}

func TestWhatWasShown_IsWhatIsSigned(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		for n := range 100 {
			sub := w.submission(t, polish(), 0)
			switch n % 4 {
			case 0: // the partner has another name
				testkit.Write(t, w.db, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
					_, err := tx.Exec(`UPDATE partners SET name = $2 WHERE tenant_id = $1`, fmt.Sprint("Wrzos ", n))
					return err
				})
			case 1: // a text is another one
				testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) error {
					one, err := w.TemplateOf(tx, "pl-rodo")
					if err != nil {
						return err
					}
					one.Body += fmt.Sprint("\n\nWersja ", n, ".\n")
					_, err = w.SaveTemplate(tx, one)
					return err
				})
			case 2: // the data are others
				sub.Data.Contract.Place = fmt.Sprint("Kutno ", n)
			case 3: // a document more, or one less
				testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) error {
					one, err := w.TemplateOf(tx, "pl-oswiadczenie")
					if err != nil {
						return err
					}
					one.Active = !one.Active
					_, err = w.SaveTemplate(tx, one)
					return err
				})
			}
			_, err := w.sign(t, w.driver(), w.self(), sub)
			isFault(t, err, contracts.ErrDocumentChanged, fmt.Sprint("change ", n))
		}
		// what changes between the making of the files and the unit that signs is found too
		sub := w.submission(t, polish(), 0)
		g, err := w.Prepare(ctx, func(do func(*db.Tx, contracts.Person) error) error {
			return w.db.Read(ctx, w.driver(), func(tx *db.Tx) error { return do(tx, w.self()) })
		}, sub)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Write(t, w.db, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE partners SET name = 'Another' WHERE tenant_id = $1`)
			return err
		})
		err = w.db.Write(ctx, w.driver(), func(tx *db.Tx) error { _, err := w.Sign(tx, w.self(), g); return err })
		isFault(t, err, contracts.ErrDocumentChanged, "a change before the unit")
	})
}

func TestManySubmits_MakeOneContract(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		for _, version := range []int64{0, 1} {
			if version == 1 {
				w.clock.Pass(time.Hour)
				testkit.Write(t, w.db, w.driver(), func(tx *db.Tx) error {
					_, err := w.SaveDraft(tx, w.self(), "", 3, polish(), 0)
					return err
				})
			}
			sub := w.submission(t, polish(), version)
			var all sync.WaitGroup
			var lock sync.Mutex
			made := 0
			for range 32 {
				all.Go(func() {
					_, err := w.sign(t, w.driver(), w.self(), sub)
					lock.Lock()
					defer lock.Unlock()
					if err == nil {
						made++
					} else if !errors.Is(err, contracts.ErrChanged) {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if made != 1 {
				t.Errorf("draft %d: %d contracts", version, made)
			}
		}
	})
}

func TestDrafts_KeepWhatWasTyped(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		half := contracts.Data{Personal: answers.PersonalAnswers{FirstNames: "Paweł", PESEL: "123"}}
		var filled contracts.Filled
		testkit.Write(t, w.db, w.driver(), func(tx *db.Tx) (err error) {
			filled, err = w.SaveDraft(tx, w.self(), "", 1, half, 0)
			return err
		})
		missing := w.Missing(filled.Data)
		if filled.Version != 1 || len(missing) < 5 {
			t.Errorf("%+v, %d fields missing", filled, len(missing))
		}
		err := w.db.Write(ctx, w.driver(), func(tx *db.Tx) error { _, err := w.SaveDraft(tx, w.self(), "", 1, half, 0); return err })
		isFault(t, err, contracts.ErrChanged, "an older version")
		testkit.Read(t, w.db, w.driver(), func(tx *db.Tx) error {
			got, _, err := w.FilledFor(tx, w.self(), "")
			if got.Data.Personal.PESEL != "123" || got.Source != "draft" || got.Step != 1 {
				t.Errorf("read back %+v", got)
			}
			return err
		})
		testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) error {
			got, _, err := w.FilledFor(tx, w.boss(), w.drivers[0])
			if got.Source != "profile" || got.Data.Personal.PESEL != "" || got.Data.Personal.LastName != "Żak" {
				t.Errorf("the partner reads the driver's draft: %+v", got)
			}
			return err
		})
	})
}

func TestADriverBeginsWithWhatThePartnerFilledIn(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		begins := func(source, city string) {
			t.Helper()
			testkit.Read(t, w.db, w.driver(), func(tx *db.Tx) error {
				got, _, err := w.FilledFor(tx, w.self(), "")
				if got.Source != source || got.Data.Contract.Place != city {
					t.Errorf("begins with %s, %q; want %s, %q", got.Source, got.Data.Contract.Place, source, city)
				}
				return err
			})
		}
		begins("profile", "")
		data := polish()
		data.Contract.Place = "Radom"
		testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) error { _, err := w.SaveDraft(tx, w.boss(), w.drivers[0], 3, data, 0); return err })
		begins("partner", "Radom")
		data.Contract.Place = "Sopot"
		testkit.Write(t, w.db, w.driver(), func(tx *db.Tx) error { _, err := w.SaveDraft(tx, w.self(), "", 1, data, 0); return err })
		begins("draft", "Sopot")
		if _, err := w.sign(t, w.driver(), w.self(), w.submission(t, data, 1)); err != nil {
			t.Fatal(err)
		}
		begins("contract", "Sopot") // what the partner filled in does not come back
	})
}

func TestSigning_IsRefused(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		good := w.submission(t, polish(), 0)
		for what, c := range map[string]struct {
			change func(*contracts.Submission)
			want   *fault.Fault
		}{
			"no signature":         {func(s *contracts.Submission) { s.Picture = nil }, contracts.ErrSignature},
			"two letters":          {func(s *contracts.Submission) { s.Picture, s.Typed = nil, "Ab" }, contracts.ErrSignature},
			"an empty box":         {func(s *contracts.Submission) { s.Picture = emptyBox() }, contracts.ErrSignature},
			"no picture":           {func(s *contracts.Submission) { s.Picture = []byte("x") }, contracts.ErrSignature},
			"a document unread":    {func(s *contracts.Submission) { s.Shown = s.Shown[1:] }, contracts.ErrNotRead},
			"a box not ticked":     {func(s *contracts.Submission) { s.Declarations = map[string]string{} }, contracts.ErrConsent},
			"another consent":      {func(s *contracts.Submission) { s.Consent = contracts.TextHash("x") }, contracts.ErrConsent},
			"a wrong PESEL":        {func(s *contracts.Submission) { s.Data.Personal.PESEL = "44051401358" }, contracts.ErrInvalid},
			"letters without font": {func(s *contracts.Submission) { s.Data.Personal.LastName = "გიორგი" }, contracts.ErrInvalid},
			"no consent to health": {func(s *contracts.Submission) { s.Data.Statements.HealthConsent = false }, contracts.ErrInvalid},
			"an unknown draft":     {func(s *contracts.Submission) { s.Version = 4 }, contracts.ErrChanged},
			"another driver's old": {func(s *contracts.Submission) { s.Hashes = nil }, contracts.ErrDocumentChanged},
		} {
			sub := good
			c.change(&sub)
			_, err := w.sign(t, w.driver(), w.self(), sub)
			isFault(t, err, c.want, what)
		}
		late := w.driver()
		late.Proof.SignedInAt = w.clock.Now().Add(-31 * time.Minute)
		if _, err := w.sign(t, late, w.self(), good); err == nil {
			t.Error("who signed in long ago signs")
		}
		if files := w.stored(t, ""); len(files) > 0 {
			t.Errorf("files are left: %v", files)
		}
	})
}

func emptyBox() []byte {
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewNRGBA(image.Rect(0, 0, 400, 200))); err != nil {
		panic(err)
	}
	return out.Bytes()
}

func TestStandingCountersignature_MakesItActiveAtOnce(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) error {
			_, err := contracts.SaveSettings(tx, contracts.Settings{Standing: true, Signatory: "Anna Kot", Prefix: "WM/"})
			return err
		})
		sub := w.submission(t, polish(), 0)
		sub.Picture, sub.Typed = nil, "Павло Жак"
		c, err := w.sign(t, w.driver(), w.self(), sub)
		if err != nil || c.State != contracts.Active || c.Number != "WM/1/2026" {
			t.Fatalf("%+v, %v", c, err)
		}
		w.sealed(t, c.ID)
		again := w.submission(t, polish(), 0)
		again.Replaces = c.ID
		w.clock.Pass(time.Hour)
		next, err := w.sign(t, w.driver(), w.self(), again)
		if err != nil || next.Number != "WM/2/2026" {
			t.Fatalf("%+v, %v", next, err)
		}
		testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) error {
			old, _, err := w.Open(tx, w.boss(), c.ID)
			if old.State != contracts.Replaced {
				t.Errorf("the old one is %s", old.State)
			}
			return err
		})
		w.sealed(t, next.ID)
		if found := w.problems(t); len(found) > 0 {
			t.Errorf("%v", found)
		}
	})
}

// The German employment contract is printed, signed by hand and scanned.
func TestWrittenForm_IsNotSignedOnTheScreen(t *testing.T) {
	each(t, "de", func(t *testing.T, w *fixture) {
		testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) error { return w.RemoveTemplate(tx, "de-datenschutz") })
		sub := w.submission(t, german(), 0)
		_, err := w.sign(t, w.driver(), w.self(), sub)
		isFault(t, err, contracts.ErrWritten, "a signature on the screen")
		sub.Picture = nil
		c, err := w.sign(t, w.driver(), w.self(), sub)
		if err != nil || c.State != contracts.Printed || !c.SignedAt.IsZero() {
			t.Fatalf("%+v, %v", c, err)
		}
		_, err = w.countersign(t, c)
		isFault(t, err, contracts.ErrState, "countersigned before it was signed")
		printed := w.documents(t, c.ID)
		if content, err := w.Content(ctx, printed[0]); err != nil || printed[0].FileKind != "print" || !bytes.HasPrefix(content, []byte("%PDF")) {
			t.Fatalf("%+v, %v", printed, err)
		}
		_, err = w.ReceiveScan(ctx, "north", "a", strings.NewReader("not a scan"))
		isFault(t, err, contracts.ErrFile, "what is no scan")
		scan, err := w.ReceiveScan(ctx, "north", "b", bytes.NewReader(strokes()))
		if err != nil {
			t.Fatal(err)
		}
		testkit.Write(t, w.db, w.driver(), func(tx *db.Tx) (err error) { c, err = w.AddScan(tx, w.self(), c.ID, 1, c.Version, scan); return err })
		if c.State != contracts.ScanUploaded {
			t.Fatalf("%+v", c)
		}
		if c, err = w.countersign(t, c); err != nil || c.State != contracts.Active {
			t.Fatalf("%+v, %v", c, err)
		}
		if found := w.problems(t); len(found) > 0 {
			t.Errorf("%v", found)
		}
	})
}

func TestContracts_AreWithdrawnEndedAndDeleted(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		c := w.signed(t)
		err := w.db.Write(ctx, w.driver(), func(tx *db.Tx) error { _, err := w.Withdraw(tx, w.self(), c.ID, " ", c.Version); return err })
		isFault(t, err, contracts.ErrInvalid, "withdrawn without a reason")
		testkit.Write(t, w.db, w.driver(), func(tx *db.Tx) (err error) {
			c, err = w.Withdraw(tx, w.self(), c.ID, "Pomyłka w adresie", c.Version)
			return err
		})
		_, err = w.countersign(t, c)
		isFault(t, err, contracts.ErrState, "countersigned after it was withdrawn")
		err = w.db.Write(ctx, w.driver(), func(tx *db.Tx) error { return w.Delete(tx, w.self(), c.ID, 0, "x") })
		isFault(t, err, contracts.ErrState, "a withdrawn one deleted")

		w.clock.Pass(time.Hour)
		c = w.signed(t)
		err = w.db.Write(ctx, w.driver(), func(tx *db.Tx) error {
			return w.Delete(tx, contracts.OfDriver(w.drivers[1]), c.ID, 0, "x")
		})
		isFault(t, err, contracts.ErrNotFound, "another driver deletes")
		if len(w.stored(t, c.ID)) == 0 {
			t.Fatal("no file of the contract is found")
		}
		testkit.Write(t, w.db, w.driver(), func(tx *db.Tx) error { return w.Delete(tx, w.self(), c.ID, 0, "Pomyłka") })
		w.work(t, func() bool { return len(w.stored(t, c.ID)) == 0 })
		w.clock.Pass(time.Hour)
		c = w.signed(t)
		if c, err = w.countersign(t, c); err != nil {
			t.Fatal(err)
		}
		err = w.db.Write(ctx, w.driver(), func(tx *db.Tx) error { return w.Delete(tx, w.self(), c.ID, 0, "x") })
		isFault(t, err, contracts.ErrState, "an active one deleted")
		testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) (err error) {
			c, err = w.End(tx, w.boss(), c.ID, "Wypowiedzenie", c.Version)
			return err
		})
		if c.State != contracts.Ended {
			t.Errorf("%+v", c)
		}
		w.sealed(t, c.ID)
		if found := w.problems(t); len(found) > 0 {
			t.Errorf("%v", found)
		}
	})
}

func TestTheDatabase_KeepsWhatWasSigned(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		c := w.signed(t)
		w.sealed(t, c.ID)
		for _, text := range []string{
			`UPDATE contracts SET data_sealed = 'x' WHERE tenant_id = $1`, `UPDATE contracts SET driver_id = '` + w.drivers[1] + `' WHERE tenant_id = $1`,
			`UPDATE contract_documents SET body = 'x' WHERE tenant_id = $1`, `UPDATE contract_files SET content_hash = 'x' WHERE tenant_id = $1`,
			`UPDATE contract_files SET sealed_key = 'x' WHERE tenant_id = $1`, `UPDATE signing_events SET detail = '{}' WHERE tenant_id = $1`,
			`DELETE FROM signing_events WHERE tenant_id = $1`, `DELETE FROM contract_files WHERE tenant_id = $1`,
			`DELETE FROM contracts WHERE tenant_id = $1`, `UPDATE contract_signatures SET consent_hash = 'x' WHERE tenant_id = $1`,
			`DELETE FROM contract_signatures WHERE tenant_id = $1`,
		} {
			err := w.db.Write(ctx, access.ProgramFor("north", "test"), func(tx *db.Tx) error { _, err := tx.Exec(text); return err })
			if !db.Guarded(err) {
				t.Errorf("%s: %v", text, err)
			}
		}
	})
}

func TestEvents_ShowEveryChange(t *testing.T) {
	w := newFixture(t, testkit.Engines[0], "pl")
	c := w.signed(t)
	var all []contracts.Event
	testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) (err error) { all, err = contracts.EventsOf(tx, c.ID); return err })
	if len(all) < 8 || contracts.Broken(c.ID, all) != 0 {
		t.Fatalf("%d events, %d is broken", len(all), contracts.Broken(c.ID, all))
	}
	if contracts.Broken("another", all) != 1 {
		t.Error("the events of one contract pass for another's")
	}
	for n := range all {
		for what, change := range map[string]func([]contracts.Event) []contracts.Event{
			"changed":   func(e []contracts.Event) []contracts.Event { e[n].Detail += " "; return e },
			"later":     func(e []contracts.Event) []contracts.Event { e[n].At = e[n].At.Add(time.Second); return e },
			"elsewhere": func(e []contracts.Event) []contracts.Event { e[n].Address = "x"; return e },
			"removed": func(e []contracts.Event) []contracts.Event {
				if n == len(e)-1 {
					e[n].Sum = "" // a missing end is found by the trail
					return e
				}
				return append(e[:n], e[n+1:]...)
			},
			"reordered": func(e []contracts.Event) []contracts.Event {
				m := (n + 1) % len(e)
				e[n], e[m] = e[m], e[n]
				return e
			},
		} {
			if contracts.Broken(c.ID, change(append([]contracts.Event(nil), all...))) == 0 {
				t.Errorf("event %d %s is not found", n+1, what)
			}
		}
	}
}

func TestVerify_FindsChangedFiles(t *testing.T) {
	w := newFixture(t, testkit.Engines[0], "pl")
	c := w.signed(t)
	w.sealed(t, c.ID)
	if found := w.problems(t); len(found) > 0 {
		t.Fatal(found)
	}
	files := w.stored(t, c.ID)
	if len(files) != 8 {
		t.Fatalf("%d files", len(files))
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Clone(content)
		changed[len(changed)/2] ^= 1
		if err := os.WriteFile(file, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if found := w.problems(t); len(found) != 1 || found[0].Contract != c.ID {
			t.Errorf("%s: %v", file, found)
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Each flipped byte of a stored file is found, wherever it is.
func TestVerify_FindsEveryFlippedByte(t *testing.T) {
	flips := 200
	if testkit.Soak() == 1 {
		flips = 20
	}
	w := newFixture(t, testkit.Engines[0], "pl")
	c := w.signed(t)
	w.sealed(t, c.ID)
	files := w.stored(t, c.ID)
	r := rand.New(rand.NewPCG(3, 4))
	for range flips {
		file := files[r.IntN(len(files))]
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		at, bit := r.IntN(len(content)), byte(1)<<r.IntN(8)
		content[at] ^= bit
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if found := w.problems(t); len(found) != 1 || found[0].Contract != c.ID {
			t.Errorf("byte %d of %s: %v", at, file, found)
		}
		content[at] ^= bit
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Nothing personal stands open in the database, in the files or in the trail.
func TestPersonalData_AreSealedEverywhere(t *testing.T) {
	w := newFixture(t, "sqlite", "pl")
	testkit.Write(t, w.db, w.driver(), func(tx *db.Tx) error { _, err := w.SaveDraft(tx, w.self(), "", 3, polish(), 0); return err })
	c, err := w.sign(t, w.driver(), w.self(), w.submission(t, polish(), 1))
	if err != nil {
		t.Fatal(err)
	}
	if c, err = w.countersign(t, c); err != nil {
		t.Fatal(err)
	}
	w.sealed(t, c.ID)
	testkit.Write(t, w.db, w.driver(), func(tx *db.Tx) error { _, err := w.SaveDraft(tx, w.self(), "", 3, polish(), 0); return err })
	searched := 0
	for _, folder := range []string{w.files, w.settings.Folder} {
		err := filepath.WalkDir(folder, func(name string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			content, err := os.ReadFile(name)
			searched++
			for _, secret := range []string{pesel, account, number, account[4:], "Piotrkowska"} {
				if bytes.Contains(content, []byte(secret)) {
					t.Errorf("%s holds %s", name, secret)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if searched < 8 {
		t.Errorf("only %d files were searched", searched)
	}
}

// A store that stops at a write, as a killed program does.
type brokenStore struct {
	blob.Store
	puts int
}

func (b *brokenStore) Put(ctx context.Context, key string, content io.Reader, size int64) (string, error) {
	if b.puts--; b.puts < 0 {
		return "", errors.New("the store is gone")
	}
	return b.Store.Put(ctx, key, content, size)
}

// Whichever write of sealing is the last, every file is sealed or it is not, and the next try goes on.
func TestSealing_IsCutOffAnywhere(t *testing.T) {
	w := newFixture(t, testkit.Engines[0], "pl")
	c := w.signed(t)
	whole := w.Blobs
	for puts := range 3 {
		broken := &brokenStore{whole, 1}
		w.Blobs = broken
		w.work(t, func() bool { return broken.puts < 0 })
		w.Blobs = whole
		sealed := 0
		for _, d := range w.documents(t, c.ID) {
			if d.SealedKey != "" {
				sealed++
			}
		}
		if sealed != puts+1 {
			t.Errorf("%d files are sealed after %d tries", sealed, puts+1)
		}
		if found := w.problems(t); len(found) > 0 {
			t.Errorf("after %d writes: %v", puts, found)
		}
		w.clock.Pass(time.Hour)
	}
	w.sealed(t, c.ID)
}
