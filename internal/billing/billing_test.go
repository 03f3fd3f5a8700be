package billing_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"saldo/internal/billing"
	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/partners"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
	"saldo/internal/schemas"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
)

var (
	ctx  = context.Background()
	anna = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna"}
)

// week is the last complete one of the clock.
const week calendar.Period = "2026-W45"

// fixture is a partner with a billing service.
type fixture struct {
	*billing.Service
	db    *db.DB
	clock *testkit.Clock
	book  drivers.Service
}

func newFixture(t testing.TB, engine, instance string) *fixture {
	t.Helper()
	settings, clock := testkit.Settings(t, engine), testkit.NewClock()
	settings.Clock = clock.Now
	d, err := db.Open(ctx, settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	in, err := config.InstanceOf(instance)
	if err != nil {
		t.Fatal(err)
	}
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	country := strings.ToUpper(instance)
	w := &fixture{Service: &billing.Service{Instance: in, Vault: v, Settlements: &settlements.Service{Instance: in, Imports: &imports.Service{DB: d, Instance: in}}},
		db: d, clock: clock, book: drivers.Service{Vault: v, Country: country}}
	w.Settlements.AfterRevoke = w.CorrectRevoked
	p := partners.Profile{Version: 1, Name: "Północ Flota Sp. z o.o.", Color: "#0B5D68", ProvisionCharge: partners.ChargeAlways, SettlementFrequency: 1, TaxID: "5213017228",
		Address: partners.Address{Street: "Towarowa", HouseNumber: "7", ApartmentNumber: "2", City: "Warszawa", PostCode: "00-839", Country: "PL"}}
	if instance == "de" {
		p.TaxID, p.Address = "DE136695976", partners.Address{Street: "Hauptstraße", HouseNumber: "7", City: "Berlin", PostCode: "10115", Country: "DE"}
	}
	testkit.Write(t, d, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		if err := partners.Found(tx, partners.Partner{Code: "north", Name: "North", Color: "#0B5D68"}, 1000); err != nil {
			return err
		}
		tx.Actor.Proof.SignedInAt = tx.Now
		return partners.SaveProfile(tx, v, country, p)
	})
	return w
}

func each(t *testing.T, test func(t *testing.T, w *fixture)) {
	t.Helper()
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t, engine, "pl")
			test(t, w)
			testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
				problems, err := w.Verify(tx)
				for _, p := range problems {
					t.Error(p)
				}
				return err
			})
		})
	}
}

func (w *fixture) write(t testing.TB, fn func(tx *db.Tx) error) {
	t.Helper()
	testkit.Write(t, w.db, anna, fn)
}

// rules changes the default schema.
func (w *fixture) rules(t testing.TB, change func(*rules.Rules)) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error {
		s, err := schemas.Get(tx, 1)
		if err != nil {
			return err
		}
		change(&s.Rules)
		_, err = schemas.Save(tx, 1, s.Version, s.Rules)
		return err
	})
}

// details are of a driver who has everything.
func (w *fixture) details(language string) drivers.Details {
	d := drivers.Details{FirstName: "Олег", LastName: "Żółkiewski", SummaryLanguage: language, ContractNumber: "U/7", TaxID: "5260250274", IBAN: "PL61109010140000071219812874"}
	if w.Instance.Code == "de" {
		d.TaxID, d.IBAN = "DE111111125", "DE89370400440532013000"
	}
	return d
}

// settled is a settlement of a new driver with something of everything.
func (w *fixture) settled(t testing.TB, details drivers.Details) (id string) {
	t.Helper()
	var driver string
	w.write(t, func(tx *db.Tx) error {
		ids, err := w.book.AddMany(tx, []drivers.NewDriver{{Details: details}})
		if err != nil {
			return err
		}
		driver = ids[0]
		_, err = ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
			for i, r := range []struct {
				provider, typ string
				amount        money.Amount
			}{{"UBER", "TRIP", 1512_37}, {"UBER", "FEE", -378_09}, {"UBER", "TIP", 23_50}, {"UBER", "CASH_COLLECTED", -410_20}, {"BOLT", "TRIP", 903_11}, {"BOLT", "BONUS", 55_00},
				{"BOLT", "FEE", -201_77}, {"BOLT", "CASH_COLLECTED", -88_40}, {"ORLEN", "FUEL", -231_45}, {"PARTNER", "COST", -50_00}, {"PARTNER", "INVOICE", 12_30}} {
				if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: driver, Provider: r.provider, Type: r.typ, OccurredOn: week.Monday().AddDays(i % 7), Amount: r.amount, Currency: w.Instance.Currency, Source: "import"}) {
					return
				}
			}
		})
		return err
	})
	return w.settle(t, driver)
}

func (w *fixture) settle(t testing.TB, driver string) (id string) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error {
		p, err := w.Settlements.Preview(tx, settlements.Selection{Filter: settlements.PendingFilter{Period: week}, Drivers: []string{driver}})
		if err != nil {
			return err
		}
		if err := p.Keep(tx); err != nil {
			return err
		}
		if _, err := w.Settlements.Start(tx, p.ID, settlements.StartOptions{Share: true}); err != nil {
			return err
		}
		list, err := settlements.List(tx, settlements.Filter{DriverID: driver, Page: 1, Size: 1})
		if err == nil {
			id = list.Items[0].ID
		}
		return err
	})
	return id
}

func (w *fixture) kept(t testing.TB, id string) (s settlements.Settlement) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { s, err = settlements.Of(tx, id); return err })
	return s
}

func (w *fixture) statement(t testing.TB, id string, logo []byte) []byte {
	t.Helper()
	var s *billing.Statement
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { s, err = w.Statement(tx, id); return err })
	content, err := s.PDF(logo)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// textOf is what a reader copies out of a document, and leaves it in the folder of SALDO_PAPERS for whoever wants to look at it.
func textOf(t testing.TB, name string, content []byte) string {
	t.Helper()
	folder := os.Getenv("SALDO_PAPERS")
	if folder == "" {
		folder = t.TempDir()
	}
	file := filepath.Join(folder, name+".pdf")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pdftotext", "-layout", file, "-").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

func logo(t testing.TB) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 300, 90))
	for x := range 300 {
		for y := range 90 {
			if (x/30+y/30)%2 == 0 {
				picture.Set(x, y, color.RGBA{R: 11, G: 93, B: 104, A: 255})
			}
		}
	}
	var content bytes.Buffer
	if err := png.Encode(&content, picture); err != nil {
		t.Fatal(err)
	}
	return content.Bytes()
}
