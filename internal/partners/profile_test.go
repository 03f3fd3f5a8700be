package partners_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

const iban = "PL61109010140000071219812874"

func safe(t *testing.T) *vault.Vault {
	t.Helper()
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (w world) profile(t *testing.T, who access.Actor) (p partners.Profile) {
	t.Helper()
	testkit.Read(t, w.db, who, func(tx *db.Tx) (err error) { p, err = partners.OwnProfile(tx, safe(t)); return err })
	return p
}

func (w world) save(t *testing.T, who access.Actor, country string, p partners.Profile) error {
	t.Helper()
	who.Proof.SignedInAt = w.clock.Now()
	return w.db.Write(ctx, who, func(tx *db.Tx) error { return partners.SaveProfile(tx, safe(t), country, p) })
}

// trail is what was recorded of the partner, in one text.
func (w world) trail(t *testing.T, who access.Actor, action string) (lines []audit.Entry) {
	t.Helper()
	testkit.Read(t, w.db, who, func(tx *db.Tx) error {
		all, err := audit.Of(tx, "partner", who.Tenant)
		for _, e := range all {
			if e.Action == action {
				lines = append(lines, e)
			}
		}
		return err
	})
	return lines
}

func TestAProfileIsKeptInCanonicalFormAndTheTrailNeverHoldsTheAccount(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		p := w.profile(t, anna)
		if p.Version != 1 || p.SettlementFrequency != 1 || p.ProvisionCharge != partners.ChargeAlways || p.Cities == nil {
			t.Fatalf("a new partner has %+v", p)
		}
		p.Name, p.Color, p.Email, p.Phone, p.WWW = "  Flota   Północ ", "#7a4dde", "Biuro@Flota.example", "601 234 567", "https://flota.example/o-nas"
		p.TaxID, p.Account = "526-025-02-74", "61 1090 1014 0000 0712 1981 2874"
		p.Cities, p.Services, p.Commission = []string{"Łódź", " Nowy  Sącz "}, []string{"Uber"}, 850
		p.ProvisionCharge, p.DriversDescribe, p.SettlementFrequency, p.DriversChooseFrequency = partners.ChargeWhenDescribed, false, 4, false
		p.Address = partners.Address{Street: "Prosta", HouseNumber: "1a", City: "Łódź", PostCode: "90–001", Country: "pl"}
		p.Notes, p.Referral = "one\ntwo", "Jan"
		if err := w.save(t, anna, "PL", p); err != nil {
			t.Fatal(err)
		}
		got := w.profile(t, anna)
		want := p
		want.Version, want.Name, want.Color, want.Email, want.Phone, want.TaxID = 2, "Flota Północ", "#7A4DDE", "biuro@flota.example", "+48601234567", "5260250274"
		want.Account, want.Cities, want.Address.PostCode, want.Address.Country = iban, []string{"Łódź", "Nowy Sącz"}, "90-001", "PL"
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("kept\n%+v, want\n%+v", got, want)
		}
		lines := w.trail(t, anna, "partners.save")
		if len(lines) != 1 || !strings.Contains(lines[0].AfterState, "Flota Północ") || !strings.Contains(lines[0].AfterState, "PL…2874") || !strings.Contains(lines[0].BeforeState, `"north"`) {
			t.Errorf("%+v", lines)
		}
		if reported := fmt.Sprint(lines); strings.Contains(reported, iban) || strings.Contains(reported, iban[4:20]) {
			t.Error("the trail tells the account")
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			sealed, err := db.One[string](tx, `SELECT account_sealed FROM partner_profiles WHERE tenant_id = $1`)
			if sealed == "" || strings.Contains(sealed, iban[4:]) {
				t.Errorf("stored as %q", sealed)
			}
			return err
		})
		if other := w.profile(t, bernd); other.Version != 1 || other.Account != "" {
			t.Errorf("another partner changed: %+v", other)
		}
	})
}

func TestSavingWhatIsThereLeavesNoTrace(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		p := w.profile(t, anna)
		p.Account = iban
		for range 2 {
			if err := w.save(t, anna, "PL", p); err != nil {
				t.Fatal(err)
			}
			p = w.profile(t, anna)
		}
		if lines := w.trail(t, anna, "partners.save"); p.Version != 2 || len(lines) != 1 {
			t.Errorf("version %d, %d lines", p.Version, len(lines))
		}
	})
}

func TestAChangeMadeFromAnOlderProfileIsRefusedWhole(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		mine, theirs := w.profile(t, anna), w.profile(t, anna)
		theirs.Email = "theirs@example.com"
		if err := w.save(t, anna, "PL", theirs); err != nil {
			t.Fatal(err)
		}
		mine.Name, mine.Phone = "Mine", "601234567"
		if err := w.save(t, anna, "PL", mine); !errors.Is(err, partners.ErrProfileChanged) {
			t.Errorf("%v", err)
		}
		if got := w.profile(t, anna); got.Name != "north" || got.Phone != "" || got.Email != "theirs@example.com" || got.Version != 2 {
			t.Errorf("%+v", got)
		}
	})
}

func TestOfSeveralChangesAtTheSameMomentOneIsKept(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		p := w.profile(t, anna)
		results := make([]error, 6)
		var all sync.WaitGroup
		for i := range results {
			all.Go(func() {
				mine := p
				mine.Notes = fmt.Sprint("note ", i)
				results[i] = w.save(t, anna, "PL", mine)
			})
		}
		all.Wait()
		saved := 0
		for _, err := range results {
			switch {
			case err == nil:
				saved++
			case !errors.Is(err, partners.ErrProfileChanged):
				t.Error(err)
			}
		}
		if got := w.profile(t, anna); saved != 1 || got.Version != 2 || len(w.trail(t, anna, "partners.save")) != 1 {
			t.Errorf("%d saved, version %d", saved, got.Version)
		}
	})
}

func TestEveryWrongFieldOfAProfileIsNamedAndNothingIsKept(t *testing.T) {
	long := func(n int) string { return strings.Repeat("ż", n) }
	many := make([]string, 51)
	for i := range many {
		many[i] = fmt.Sprint("city ", i)
	}
	type edit = func(*partners.Profile)
	cases := []struct {
		field string
		code  fault.FieldCode
		edit  edit
	}{
		{"name", fault.Required, func(p *partners.Profile) { p.Name = " \u00a0 " }},
		{"name", fault.TooLong, func(p *partners.Profile) { p.Name = long(151) }},
		{"name", fault.WrongFormat, func(p *partners.Profile) { p.Name = "a\x00b" }},
		{"color", fault.WrongFormat, func(p *partners.Profile) { p.Color = "red" }},
		{"color", fault.WrongFormat, func(p *partners.Profile) { p.Color = "#12345" }},
		{"email", fault.WrongFormat, func(p *partners.Profile) { p.Email = "anna" }},
		{"phone", fault.WrongFormat, func(p *partners.Profile) { p.Phone = "12" }},
		{"taxId", fault.WrongFormat, func(p *partners.Profile) { p.TaxID = "12345" }},
		{"taxId", fault.Wrong, func(p *partners.Profile) { p.TaxID = "5260250275" }},
		{"taxId", fault.WrongFormat, func(p *partners.Profile) { p.TaxID = "DE136695976" }},
		{"account", fault.Wrong, func(p *partners.Profile) { p.Account = "PL61109010140000071219812875" }},
		{"account", fault.Wrong, func(p *partners.Profile) { p.Account = "XX61109010140000071219812874" }},
		{"account", fault.WrongFormat, func(p *partners.Profile) { p.Account = "PL6110901014" }},
		{"www", fault.WrongFormat, func(p *partners.Profile) { p.WWW = "flota.example" }},
		{"www", fault.WrongFormat, func(p *partners.Profile) { p.WWW = "javascript:alert(1)" }},
		{"www", fault.WrongFormat, func(p *partners.Profile) { p.WWW = "https://" }},
		{"www", fault.WrongFormat, func(p *partners.Profile) { p.WWW = "https://anna:secret@flota.example" }},
		{"www", fault.TooLong, func(p *partners.Profile) { p.WWW = "https://flota.example/" + long(200) }},
		{"cities", fault.TooLong, func(p *partners.Profile) { p.Cities = many }},
		{"cities[1]", fault.Duplicate, func(p *partners.Profile) { p.Cities = []string{"Łódź", "łódź"} }},
		{"services[0]", fault.Required, func(p *partners.Profile) { p.Services = []string{" "} }},
		{"services[0]", fault.TooLong, func(p *partners.Profile) { p.Services = []string{long(101)} }},
		{"commission", fault.TooSmall, func(p *partners.Profile) { p.Commission = -1 }},
		{"commission", fault.TooBig, func(p *partners.Profile) { p.Commission = 10001 }},
		{"provisionCharge", fault.NotOneOf, func(p *partners.Profile) { p.ProvisionCharge = "never" }},
		{"settlementFrequency", fault.NotOneOf, func(p *partners.Profile) { p.SettlementFrequency = 3 }},
		{"address.postCode", fault.WrongFormat, func(p *partners.Profile) { p.Address = partners.Address{PostCode: "00001", Country: "PL"} }},
		{"address.postCode", fault.WrongFormat, func(p *partners.Profile) { p.Address = partners.Address{PostCode: "?", Country: "CZ"} }},
		{"address.country", fault.Required, func(p *partners.Profile) { p.Address.PostCode = "00-001" }},
		{"address.country", fault.NotOneOf, func(p *partners.Profile) { p.Address.Country = "ZZ" }},
		{"address.street", fault.TooLong, func(p *partners.Profile) { p.Address.Street = long(101) }},
		{"address.houseNumber", fault.TooLong, func(p *partners.Profile) { p.Address.HouseNumber = long(21) }},
		{"notes", fault.TooLong, func(p *partners.Profile) { p.Notes = long(5001) }},
		{"referral", fault.TooLong, func(p *partners.Profile) { p.Referral = long(301) }},
	}
	each(t, func(t *testing.T, w world) {
		for _, c := range cases {
			p := w.profile(t, anna)
			c.edit(&p)
			err := w.save(t, anna, "PL", p)
			var f *fault.Fault
			if !errors.As(err, &f) || !errors.Is(err, partners.ErrProfileInvalid) || len(f.Fields) != 1 || f.Fields[0].Name != c.field || f.Fields[0].Code != c.code {
				t.Errorf("%s %s: %v", c.field, c.code, err)
			}
		}
		p := w.profile(t, anna)
		if p.Version != 1 || len(w.trail(t, anna, "partners.save")) != 0 {
			t.Errorf("something was kept: %+v", p)
		}
		p.Name, p.Email, p.Address.Country = "", "x", "ZZ"
		var f *fault.Fault
		if err := w.save(t, anna, "PL", p); !errors.As(err, &f) || len(f.Fields) != 3 {
			t.Errorf("not all three are named: %v", f)
		}
		p = w.profile(t, anna)
		p.Name, p.Commission, p.Notes = long(150), 10000, long(5000)
		if err := w.save(t, anna, "PL", p); err != nil {
			t.Errorf("the limits themselves: %v", err)
		}
	})
}

func TestTheGermanInstanceTakesGermanNumbers(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		for typed, kept := range map[string]string{"DE 136 695 976": "DE136695976", "36 574 261 809": "36574261809", "181/815/08155": "181/815/08155",
			"2893081508152": "2893081508152"} {
			p := w.profile(t, anna)
			p.TaxID, p.Phone, p.Account, p.Address = typed, "0170 1234567", "DE89 3704 0044 0532 0130 00", partners.Address{PostCode: "10115", Country: "DE"}
			if err := w.save(t, anna, "DE", p); err != nil {
				t.Errorf("%s: %v", typed, err)
			}
			if got := w.profile(t, anna); got.TaxID != kept || got.Phone != "+491701234567" || got.Account != "DE89370400440532013000" {
				t.Errorf("%s: %+v", typed, got)
			}
		}
		for _, wrong := range []string{"5260250274", "DE136695977", "181/815", "36574261808"} {
			p := w.profile(t, anna)
			p.TaxID = wrong
			if err := w.save(t, anna, "DE", p); !errors.Is(err, partners.ErrProfileInvalid) {
				t.Errorf("%s: %v", wrong, err)
			}
		}
	})
}

func TestDriverFunctions_AreFourAuditedSwitches(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		own := func() (f partners.DriverFunctions) {
			testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { f, err = partners.OwnDriverFunctions(tx); return err })
			return f
		}
		set := func(f partners.DriverFunctions) error {
			return w.db.Write(ctx, anna, func(tx *db.Tx) error { return partners.SetDriverFunctions(tx, f) })
		}
		f := own()
		if !f.Function1 || !f.Function2 || !f.Function3 || !f.Function4 {
			t.Fatalf("a new partner has %+v", f)
		}
		f.Function1, f.Function3 = false, false
		if err := set(f); err != nil {
			t.Fatal(err)
		}
		got := own()
		if got.Trips() || !got.TimeTracker() || !got.Invoices() || !got.Settlements() || got.FunctionsVersion != 2 {
			t.Errorf("%+v", got)
		}
		if err := set(f); !errors.Is(err, partners.ErrProfileChanged) || own() != got {
			t.Errorf("an old version: %v", err)
		}
		if err := set(got); err != nil || len(w.trail(t, anna, "partners.set_driver_functions")) != 1 {
			t.Errorf("setting what is set: %v", err)
		}
		if p := w.profile(t, anna); p.Version != 1 {
			t.Errorf("an open profile would count as changed: %d", p.Version)
		}
	})
}

func TestWhatDriversSeeFollowsTheNumbersOfTheSwitches(t *testing.T) {
	for _, c := range []struct {
		f                                     partners.DriverFunctions
		trips, tracker, invoices, settlements bool
	}{
		{f: partners.DriverFunctions{}},
		{f: partners.DriverFunctions{Function1: true}, trips: true},
		{f: partners.DriverFunctions{Function2: true}, tracker: true, invoices: true},
		{f: partners.DriverFunctions{Function3: true}, invoices: true, settlements: true},
		{f: partners.DriverFunctions{Function4: true}, settlements: true},
	} {
		if c.f.Trips() != c.trips || c.f.TimeTracker() != c.tracker || c.f.Invoices() != c.invoices || c.f.Settlements() != c.settlements {
			t.Errorf("%+v", c.f)
		}
	}
}

func TestSixtyCodesLeadToTheirPartnersAndBack(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		ids := map[string]string{}
		for i := range 60 {
			id, code := uuid.Must(uuid.NewV7()).String(), fmt.Sprintf("fleet-%02d", i)
			ids[code] = id
			testkit.Write(t, w.db, access.ProgramFor(id, "operator"), func(tx *db.Tx) error {
				return partners.Found(tx, partners.Partner{Code: code, Name: "Fleet", Color: "#0B5D68"}, 0)
			})
		}
		testkit.Read(t, w.db, operator, func(tx *db.Tx) error {
			for code, id := range ids {
				there, err := partners.ByCode(tx, code)
				if err != nil || there.TenantID != id {
					t.Errorf("%s leads to %s, %v", code, there.TenantID, err)
				}
				back, err := partners.ByID(tx, id)
				if err != nil || back.Code != code {
					t.Errorf("%s leads back to %s, %v", id, back.Code, err)
				}
			}
			for _, unknown := range []string{"fleet-60", "FLEET-01", ""} {
				if p, err := partners.ByCode(tx, unknown); !errors.Is(err, db.ErrNone) {
					t.Errorf("%q is %+v, %v", unknown, p, err)
				}
				if p, err := partners.ByID(tx, unknown); !errors.Is(err, db.ErrNone) {
					t.Errorf("%q is %+v, %v", unknown, p, err)
				}
			}
			return nil
		})
		for code := range ids {
			err := w.db.Write(ctx, access.ProgramFor(uuid.NewString(), "operator"), func(tx *db.Tx) error {
				return partners.Found(tx, partners.Partner{Code: code, Name: "Again", Color: "#0B5D68"}, 0)
			})
			if !errors.Is(err, partners.ErrCodeTaken) {
				t.Errorf("%s twice: %v", code, err)
			}
		}
	})
}

func TestTheFrequencyIsThatOfTheProfile(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		p := w.profile(t, anna)
		p.SettlementFrequency, p.DriversChooseFrequency = 2, false
		if err := w.save(t, anna, "PL", p); err != nil {
			t.Fatal(err)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			f, err := partners.OwnFrequency(tx)
			if f != (partners.Frequency{SettlementFrequency: 2}) {
				t.Errorf("%+v", f)
			}
			return err
		})
	})
}

func picture(w, h int) image.Image {
	p := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			p.Set(x, y, color.NRGBA{R: 200, G: 20, B: 40, A: 255})
		}
	}
	return p
}

func TestALogoBecomesAPNGOfItsPixelsAlone(t *testing.T) {
	var tall, photo bytes.Buffer
	if err := errors.Join(png.Encode(&tall, picture(300, 1500)), jpeg.Encode(&photo, picture(40, 20), nil)); err != nil {
		t.Fatal(err)
	}
	// a comment segment right behind the start of the file, as cameras write it
	commented := append([]byte("\xff\xd8\xff\xfe\x00\x22<script>alert(document)</script>"), photo.Bytes()[2:]...)
	for name, c := range map[string]struct {
		upload []byte
		w, h   int
	}{"tall": {tall.Bytes(), 102, 512}, "photo": {photo.Bytes(), 40, 20}, "comment": {commented, 40, 20}, "tail": {append(photo.Bytes(), "<?php evil ?>"...), 40, 20}} {
		out, err := partners.Logo(c.upload)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		shown, err := png.Decode(bytes.NewReader(out))
		if err != nil || shown.Bounds().Dx() != c.w || shown.Bounds().Dy() != c.h {
			t.Errorf("%s: %v, %v", name, shown.Bounds(), err)
		}
		if bytes.Contains(out, []byte("script")) || bytes.Contains(out, []byte("php")) {
			t.Errorf("%s: more than pixels is left", name)
		}
		if r, g, b, a := shown.At(1, 1).RGBA(); r>>8 < 190 || g>>8 > 40 || b>>8 > 60 || a>>8 != 255 {
			t.Errorf("%s: another colour %d %d %d %d", name, r>>8, g>>8, b>>8, a>>8)
		}
	}
}

func TestWhatIsNoPictureOrTooManyPixelsIsRefused(t *testing.T) {
	var huge, whole bytes.Buffer
	if err := errors.Join(png.Encode(&huge, image.NewGray(image.Rect(0, 0, 3001, 1))), png.Encode(&whole, picture(50, 50))); err != nil {
		t.Fatal(err)
	}
	for name, upload := range map[string][]byte{"nothing": nil, "svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
		"gif": []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"), "huge": huge.Bytes(), "half": whole.Bytes()[:whole.Len()/2]} {
		if _, err := partners.Logo(upload); !errors.Is(err, partners.ErrPictureRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestALogoTellsWhichBlobItReplaces(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		for _, step := range []struct{ key, former string }{{"north/a", ""}, {"north/b", "north/a"}, {"north/b", ""}, {"", "north/b"}, {"", ""}} {
			w.clock.Pass(time.Second)
			testkit.Write(t, w.db, anna, func(tx *db.Tx) error {
				former, err := partners.SetLogo(tx, step.key)
				if former != step.former {
					t.Errorf("%q replaces %q, want %q", step.key, former, step.former)
				}
				return err
			})
		}
		if lines := w.trail(t, anna, "partners.set_logo"); len(lines) != 3 {
			t.Errorf("%d lines", len(lines))
		}
	})
}
