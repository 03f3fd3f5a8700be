package imports_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/imports"
	"saldo/internal/imports/pipeline"
	"saldo/internal/imports/providers/mapped"
	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/testkit"
)

// cards is a file of a fuel card that no layout knows.
func cards(rows ...string) string {
	return "Zestawienie kart;;;\nNr;Dzień;Kwota;Stacja\n" + strings.Join(rows, "\n") + "\n"
}

func fuelCard() mapped.Mapping {
	return mapped.Mapping{Provider: "FLOTEX", Decimal: ",", DateForm: "DD.MM.YYYY", Sign: mapped.Negated, Type: "FUEL",
		Columns: []mapped.Column{{Header: "Nr", Role: mapped.Card}, {Header: "Dzień", Role: mapped.Date}, {Header: "Kwota", Role: mapped.Amount}}}
}

// describe remembers a mapping for a file.
func (w *fixture) describe(t *testing.T, importID string, rules mapped.Mapping) (id string) {
	t.Helper()
	testkit.Write(t, w.db, anna, func(tx *db.Tx) (err error) {
		id, err = w.AddMapping(tx, imports.NewMapping{Name: "Cards", ImportID: importID, HeadLine: 2, Rules: rules})
		return err
	})
	return id
}

func (w *fixture) mapping(t *testing.T, id string) (m pipeline.Mapping) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { m, err = imports.MappingOf(tx, id); return err })
	return m
}

func (w *fixture) rewrite(t *testing.T, id string, change func(*pipeline.Mapping)) {
	t.Helper()
	m := w.mapping(t, id)
	change(&m)
	testkit.Write(t, w.db, anna, func(tx *db.Tx) error { return w.SaveMapping(tx, id, m.Version, m.Name, m.Rules.Mapping) })
}

// flotex is an order for a file whose provider its mapping knows.
var flotex = imports.Order{Chosen: "FLOTEX"}

func TestAMappingIsMadeOnceAndReadsEveryFileWithItsHead(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		first := w.upload(t, "a.csv", cards("7001;21.09.2026;100,50;A"), flotex)
		twin := w.upload(t, "b.csv", cards("7001;22.09.2026;1,00;A"), flotex)
		preview := w.preview(t, first.ID)
		if first.Status != imports.Failed || first.Fault != "imports.not_recognised" || len(preview.Parts) != 1 || preview.Parts[0].HeadLine != 2 || len(preview.Rows) != 3 {
			t.Fatalf("%s %s, kept %+v", first.Status, first.Fault, preview)
		}
		id := w.describe(t, first.ID, fuelCard())
		for _, one := range []string{first.ID, twin.ID} { // both had this head
			if i := w.until(t, one, imports.Analyzing); i.Status != imports.InPreview || i.Provider != "FLOTEX" || i.Kind != "mapped" || i.Fault != "" {
				t.Fatalf("it is %+v", i)
			}
		}
		if i := w.confirm(t, first.ID, ""); i.Status != imports.Success || i.Counts.Transactions.Unassigned != 1 || i.Totals[0].Sum != -10050 || i.Totals[0].Type != "FUEL" {
			t.Fatalf("it is %+v", i)
		}
		if i := w.upload(t, "c.csv", cards("7001;21.09.2026;100,50;A", "7002;23.09.2026;5,00;B"), flotex); i.Status != imports.InPreview || i.Counts.Transactions.Existing != 1 ||
			i.Counts.Transactions.Unassigned != 1 {
			t.Errorf("the next file is %+v", i)
		}
		if i := w.upload(t, "d.csv", strings.ReplaceAll(cards("7001;21.09.2026;100,50;A;1"), "Stacja", "Stacja;Rabat"), flotex); i.Status != imports.Failed {
			t.Errorf("a file with a column that nobody has seen is %s", i.Status)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			trail, err := audit.Of(tx, "import_mapping", id)
			if len(trail) != 1 || trail[0].Action != "mappings.add" || trail[0].ActorName != "Anna" {
				t.Errorf("the trail is %+v", trail)
			}
			return err
		})
	})
}

func TestAMappingIsItsPartnersAlone(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		first := w.upload(t, "a.csv", cards("7001;21.09.2026;100,50;A"), flotex)
		id := w.describe(t, first.ID, fuelCard())
		w.until(t, first.ID, imports.Analyzing)
		testkit.Write(t, w.db, access.ProgramFor("south", "test"), func(tx *db.Tx) error {
			return partners.Found(tx, partners.Partner{Code: "south", Name: "South", Color: "#0B5D68"}, 10)
		})
		bob := access.Actor{Role: access.Partner, Tenant: "south", ID: "bob", Name: "Bob"}
		content := cards("7001;21.09.2026;100,50;A")
		if i, err := w.Upload(ctx, bob, imports.Upload{Name: "a.csv", Content: strings.NewReader(content), Size: -1, Order: flotex}); err != nil || i.Status != imports.Failed {
			t.Errorf("the other's file is %s, %v", i.Status, err)
		}
		for what, do := range map[string]func(tx *db.Tx) error{
			"save":   func(tx *db.Tx) error { return w.SaveMapping(tx, id, 1, "x", fuelCard()) },
			"remove": func(tx *db.Tx) error { return imports.RemoveMapping(tx, id) },
			"read":   func(tx *db.Tx) error { _, err := imports.MappingOf(tx, id); return err },
		} {
			if err := w.db.Write(ctx, bob, do); !errors.Is(err, imports.ErrMappingNotFound) {
				t.Errorf("%s: %v", what, err)
			}
		}
		for what, do := range map[string]func(tx *db.Tx) error{
			"add": func(tx *db.Tx) error {
				_, err := w.AddMapping(tx, imports.NewMapping{Name: "x", ImportID: first.ID, HeadLine: 2, Rules: fuelCard()})
				return err
			},
			"try": func(tx *db.Tx) error {
				_, err := w.Try(tx, imports.NewMapping{ImportID: first.ID, HeadLine: 2, Rules: fuelCard()})
				return err
			},
			"read again": func(tx *db.Tx) error { _, err := imports.ReadAgain(tx, first.ID, nil); return err },
		} {
			if err := w.db.Write(ctx, bob, do); !errors.Is(err, imports.ErrNotFound) {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}

// What waits for confirmation is read again by the corrected mapping; what is imported stays.
func TestACorrectedMappingReadsAgainWhatIsNotImportedYet(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		first := w.upload(t, "a.csv", cards("7001;21.09.2026;100,50;A"), flotex)
		wrong := fuelCard()
		wrong.Sign = mapped.AsIs
		id := w.describe(t, first.ID, wrong)
		if i := w.until(t, first.ID, imports.Analyzing); i.Totals[0].Sum != 10050 {
			t.Fatalf("%+v", i)
		}
		w.confirm(t, first.ID, "")
		waits := w.upload(t, "b.csv", cards("7002;22.09.2026;1,00;A"), flotex)
		w.rewrite(t, id, func(m *pipeline.Mapping) { m.Name, m.Rules.Mapping = " Fuel  cards ", fuelCard() })
		if i := w.until(t, waits.ID, imports.Analyzing); i.Status != imports.InPreview || i.Totals[0].Sum != -100 || i.PeriodFrom != "2026-09-22" {
			t.Errorf("what waited is %+v", i)
		}
		if i := w.one(t, first.ID); i.Status != imports.Success || i.Totals[0].Sum != 10050 {
			t.Errorf("what was imported is %+v", i)
		}
		if m := w.mapping(t, id); m.Version != 2 || m.Name != "Fuel cards" {
			t.Errorf("the mapping is %+v", m)
		}
		if err := w.db.Write(ctx, anna, func(tx *db.Tx) error { return w.SaveMapping(tx, id, 1, "x", wrong) }); !errors.Is(err, imports.ErrMappingChanged) {
			t.Errorf("an edit of the first version: %v", err)
		}
	})
}

// A confirmed file is booked as it was shown, whatever became of its mapping meanwhile.
func TestAFileIsBookedAsItWasShown(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			w := newFixture(t, engine)
			stop := w.work(t)
			first := w.upload(t, "a.csv", cards("7001;21.09.2026;100,50;A", "7001;21.09.2026;x;A"), flotex)
			id := w.describe(t, first.ID, fuelCard())
			w.until(t, first.ID, imports.Analyzing)
			stop()
			testkit.Write(t, w.db, anna, func(tx *db.Tx) error { _, err := w.Confirm(tx, first.ID, imports.ConfirmOptions{}); return err })
			w.rewrite(t, id, func(m *pipeline.Mapping) { m.Rules.Sign, m.Rules.Type = mapped.AsIs, "COST" })
			testkit.Write(t, w.db, anna, func(tx *db.Tx) error { return imports.RemoveMapping(tx, id) })
			w.work(t)
			if i := w.until(t, first.ID, imports.Running); i.Status != imports.Success || len(i.Totals) != 1 || i.Totals[0].Type != "FUEL" || i.Totals[0].Sum != -10050 {
				t.Errorf("it is %+v", i)
			}
			var refused strings.Builder
			if err := w.Refused(ctx, anna, first.ID, "csv", "en", &refused); err != nil || !strings.Contains(refused.String(), "The amount is not a number") {
				t.Errorf("the refused rows are %q, %v", refused.String(), err)
			}
			if i := w.upload(t, "b.csv", cards("7002;22.09.2026;1,00;A"), flotex); i.Status != imports.Failed {
				t.Errorf("after the mapping was forgotten a file is %s", i.Status)
			}
		})
	}
}

func TestAMappingThatSaysTooLittleIsRefusedByField(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		first := w.upload(t, "a.csv", cards("7001;21.09.2026;100,50;A"), flotex)
		for n, want := range []string{"driver required", "date required", "amount required"} {
			rules := fuelCard()
			rules.Columns = slices.Delete(rules.Columns, n, n+1)
			err := w.db.Write(ctx, anna, func(tx *db.Tx) error {
				_, err := w.AddMapping(tx, imports.NewMapping{Name: "x", ImportID: first.ID, HeadLine: 2, Rules: rules})
				return err
			})
			if !errors.Is(err, imports.ErrMappingInvalid) || !strings.HasSuffix(fmt.Sprint(err), "; "+want) {
				t.Errorf("%v instead of %s", err, want)
			}
		}
		if i := w.one(t, first.ID); i.Status != imports.Failed {
			t.Errorf("a refused mapping has the file %s", i.Status)
		}
		known := w.upload(t, "own.csv", "date;driver_identifier;driver_name;type;amount;description\n2026-09-21;7;Jan;TRIP;1;x\n", imports.Order{})
		rules := mapped.Mapping{Provider: "PARTNER", Sign: mapped.AsIs, Type: "COST",
			Columns: []mapped.Column{{Header: "driver_identifier", Role: mapped.DriverID}, {Header: "date", Role: mapped.Date}, {Header: "amount", Role: mapped.Amount}}}
		if err := w.db.Write(ctx, anna, func(tx *db.Tx) error {
			_, err := w.AddMapping(tx, imports.NewMapping{Name: "x", ImportID: known.ID, HeadLine: 1, Rules: rules})
			return err
		}); known.Status != imports.InPreview || !errors.Is(err, imports.ErrMappingInvalid) || !strings.Contains(fmt.Sprint(err), "headLine") {
			t.Errorf("a file that a layout reads, which is %s, is described: %v", known.Status, err)
		}
	})
}

func TestAFileIsReadAgainOnlyWhileNothingOfItIsBooked(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		again := func(id string) error {
			return w.db.Write(ctx, anna, func(tx *db.Tx) error { _, err := imports.ReadAgain(tx, id, nil); return err })
		}
		first := w.upload(t, "a.csv", cards("7001;21.09.2026;100,50;A"), flotex)
		if err := again(first.ID); err != nil {
			t.Fatal(err)
		}
		if i := w.until(t, first.ID, imports.Analyzing); i.Status != imports.Failed || len(w.preview(t, first.ID).Rows) != 3 {
			t.Errorf("what nobody knows still is %s", i.Status)
		}
		w.clock.Pass(48 * time.Hour) // older ones are read again only when somebody asks
		other := w.upload(t, "b.csv", cards("7001;22.09.2026;100,50;A"), flotex)
		w.describe(t, other.ID, fuelCard())
		w.until(t, other.ID, imports.Analyzing)
		if i := w.one(t, first.ID); i.Status != imports.Failed {
			t.Errorf("an old file is %s", i.Status)
		}
		if err := again(first.ID); err != nil {
			t.Fatal(err)
		}
		w.until(t, first.ID, imports.Analyzing)
		w.confirm(t, first.ID, "")
		if err := again(first.ID); !errors.Is(err, imports.ErrOver) {
			t.Errorf("what is imported: %v", err)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			job, err := jobs.Latest(tx, imports.AnalyzeKind, first.ID)
			if job.State != jobs.Done {
				t.Errorf("its job is %s", job.State)
			}
			return err
		})
	})
}

// A trial says of every row what it would become, and writes nothing.
func TestATrialSaysWhatEveryRowWouldBecome(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		first := w.upload(t, "a.csv", cards("7001;21.09.2026 06:10;100,50;A", "7001;31.02.2026;1;A", "Razem;;100,50;"), flotex)
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			tried, err := w.Try(tx, imports.NewMapping{ImportID: first.ID, HeadLine: 2, Rules: fuelCard()})
			got := []string{}
			for _, row := range tried {
				line := fmt.Sprint(row.Line, " ", row.On, " ", row.Clock, " ", row.Type, " ", row.Amount, " ", row.Skipped)
				for _, rowError := range row.RowErrors {
					line += rowError.Code
				}
				got = append(got, line)
			}
			if want := []string{"3 2026-09-21 06:10 FUEL -100.50 ", "4    0.00 wrong_date", "5    0.00 total"}; !slices.Equal(got, want) {
				t.Errorf("%q", got)
			}
			return err
		})
	})
}
