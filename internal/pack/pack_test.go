package pack_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/billing"
	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/pack"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/schemas"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
)

var anna = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna Mazurek"}

type world struct {
	testkit.Fleet
	*pack.Service
	settlements *settlements.Service
	random      *rand.Rand
	drivers     []string
}

func newWorld(t *testing.T, engine string) *world {
	w := &world{Fleet: testkit.NewFleet(t, engine), random: rand.New(rand.NewPCG(7, 9))}
	w.settlements = &settlements.Service{Instance: w.Fleet.Instance, Imports: &imports.Service{DB: w.Fleet.DB, Instance: w.Fleet.Instance}}
	w.Service = &pack.Service{DB: w.Fleet.DB, Blobs: w.Fleet.Blobs, Instance: w.Fleet.Instance, Log: slog.New(slog.DiscardHandler),
		Billing: &billing.Service{Instance: w.Fleet.Instance, Vault: w.Vault, Settlements: w.settlements}}
	w.settlements.AfterRevoke = w.Billing.CorrectRevoked
	testkit.Write(t, w.Fleet.DB, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		tx.Actor.Proof.SignedInAt = tx.Now
		p := partners.Profile{Version: 1, Name: "Wrzos Mobility", Color: "#0B5D68", ProvisionCharge: partners.ChargeAlways, SettlementFrequency: 1, TaxID: "5213017228",
			Address: partners.Address{Street: "Towarowa", HouseNumber: "7", City: "Warszawa", PostCode: "00-839", Country: "PL"}}
		return errors.Join(partners.SaveProfile(tx, w.Vault, "PL", p), licences.Grant(tx, 10_000, "enough"))
	})
	w.write(t, func(tx *db.Tx) error {
		s, err := schemas.Get(tx, 1)
		if err != nil {
			return err
		}
		s.Rules.ContractType = rules.B2BVAT
		if _, err = schemas.Save(tx, 1, s.Version, s.Rules); err != nil {
			return err
		}
		var added []drivers.NewDriver
		for i := range 5 {
			added = append(added, drivers.NewDriver{Details: drivers.Details{FirstName: "Łukasz", LastName: fmt.Sprint("Żuraw ", i), SummaryLanguage: "pl",
				ContractNumber: "U/7", TaxID: "5260250274", IBAN: "PL61109010140000071219812874"}})
		}
		w.drivers, err = drivers.Service{Vault: w.Vault, Country: "PL"}.AddMany(tx, added)
		return err
	})
	return w
}

func each(t *testing.T, test func(t *testing.T, w *world)) { testkit.EachFleet(t, newWorld, test) }

func (w *world) write(t *testing.T, do func(tx *db.Tx) error) {
	t.Helper()
	testkit.Write(t, w.Fleet.DB, anna, do)
}

func (w *world) read(t *testing.T, do func(tx *db.Tx) error) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, anna, do)
}

// week settles a week for some drivers, and gives the settlements.
func (w *world) week(t *testing.T, week calendar.Period, who ...string) (ids []string) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error {
		if _, err := ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
			for i, id := range who {
				for _, r := range []struct {
					kind   string
					amount money.Amount
				}{{"TRIP", money.Amount(900_00 + w.random.IntN(900_00))}, {"CASH_COLLECTED", -money.Amount(w.random.IntN(400_00))}} {
					if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: id, Provider: "UBER", Type: r.kind, OccurredOn: week.Monday().AddDays(i % 7),
						Amount: r.amount, Currency: w.Fleet.Instance.Currency, Source: "import"}) {
						return
					}
				}
			}
		}); err != nil {
			return err
		}
		p, err := w.settlements.Preview(tx, settlements.Selection{Filter: settlements.PendingFilter{Period: week}, Drivers: who})
		if err != nil {
			return err
		}
		if err := p.Keep(tx); err != nil {
			return err
		}
		if _, err = w.settlements.Start(tx, p.ID, settlements.StartOptions{Share: true}); err != nil {
			return err
		}
		ids, err = db.Select[string](tx, `SELECT id FROM settlements WHERE tenant_id = $1 AND run_id = $2 ORDER BY number`, p.ID)
		return err
	})
	return ids
}

func (w *world) issue(t *testing.T, id string) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error {
		_, err := w.Billing.Issue(tx, id, billing.Seller{Street: "Polna 1", Place: "00-001 Warszawa"})
		return err
	})
}

func (w *world) today() calendar.Date {
	return calendar.DateOf(w.Clock.Now(), w.Fleet.Instance.Location(), 0)
}

func (w *world) passTo(day calendar.Date) {
	w.Clock.Pass(time.Duration(day.DaysSince(w.today())) * 24 * time.Hour)
}

// ask asks for a pack and lets it be made.
func (w *world) ask(t *testing.T, month string) (p pack.Pack) {
	t.Helper()
	w.write(t, func(tx *db.Tx) (err error) { p, err = w.Ask(tx, month); return err })
	if p.State == pack.Ready {
		return p
	}
	stop := testkit.RunJobs(t, w.Fleet.DB, func(q *jobs.Queue) { q.Lease = 10_000 * time.Hour; w.Handle(q) })
	defer stop()
	testkit.Eventually(t, "the pack", func() bool {
		w.read(t, func(tx *db.Tx) (err error) { p, err = pack.Of(tx, p.ID); return err })
		return p.State != pack.Making
	})
	if p.State != pack.Ready {
		t.Fatalf("%+v", p)
	}
	return p
}

// file is the file of a pack, which must be what its sum says, with its content by name.
func (w *world) file(t *testing.T, p pack.Pack) (whole []byte, files map[string][]byte) {
	t.Helper()
	content, _, err := w.Fleet.Blobs.Get(t.Context(), p.Key("north"))
	if err != nil {
		t.Fatal(err)
	}
	if whole, err = io.ReadAll(content); err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(whole); hex.EncodeToString(sum[:]) != p.Sum || int64(len(whole)) != p.Bytes {
		t.Errorf("another sum or size: %+v", p)
	}
	z, err := zip.NewReader(bytes.NewReader(whole), p.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	files = map[string][]byte{}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		from, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(from); err != nil {
			t.Fatal(err)
		}
		if end := f.Modified.UTC().Format(time.DateOnly); end[:7] != p.Month || f.Modified.AddDate(0, 0, 1).UTC().Format("2006-01") == p.Month {
			t.Errorf("%s is of %s", f.Name, end)
		}
	}
	if !slices.IsSorted(names) || int64(len(names)) != p.Files {
		t.Errorf("%v", names)
	}
	sums := strings.Split(strings.TrimSpace(string(files["sums.sha256"])), "\n")
	if len(sums) != len(names)-1 {
		t.Errorf("%d sums of %d files", len(sums), len(names))
	}
	for _, line := range sums {
		want, name, _ := strings.Cut(line, "  ")
		if got := sha256.Sum256(files[name]); hex.EncodeToString(got[:]) != want {
			t.Errorf("%s has another sum", name)
		}
	}
	return whole, files
}

// column adds up a column of a CSV, by its head; rows that begin with the word are left out.
func column(t *testing.T, file []byte, head string, without func(row map[string]string) bool) (sum money.Amount, rows int) {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(file, []byte("\ufeff"))))
	r.Comma, r.FieldsPerRecord = ';', -1
	all, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(all[0], head)
	if at < 0 {
		t.Fatalf("no column %s in %v", head, all[0])
	}
	for _, row := range all[1:] {
		named := map[string]string{}
		for i, cell := range row {
			named[all[0][i]] = cell
		}
		if without(named) {
			continue
		}
		var whole, part int64
		text, sign := strings.TrimPrefix(row[at], "-"), int64(1)
		if text != row[at] {
			sign = -1
		}
		if _, err := fmt.Sscanf(text, "%d,%d", &whole, &part); err != nil {
			t.Fatalf("%q: %v", row[at], err)
		}
		sum += money.Amount(sign * (whole*100 + part))
		rows++
	}
	return sum, rows
}

// screens are the sums of a month as people see them: pages of the lists, filtered by hand.
func (w *world) screens(t *testing.T, month string) (f pack.Figures, files map[string]bool) {
	t.Helper()
	files = map[string]bool{}
	w.read(t, func(tx *db.Tx) error {
		for page := int64(1); ; page++ {
			list, err := settlements.List(tx, settlements.Filter{Page: page, Size: 50})
			if err != nil {
				return err
			}
			for _, s := range list.Items {
				if strings.HasPrefix(string(s.PaidOn), month) && s.State == settlements.Paid {
					f.Payments, f.Paid = f.Payments+1, f.Paid+s.Payout
				}
				if !strings.HasPrefix(string(s.LastOn), month) {
					continue
				}
				if f.Settlements++; s.State == settlements.Revoked {
					f.Revoked++
					continue
				}
				f.Revenue, f.CashCollected, f.Due, f.Payout = f.Revenue+s.Revenue, f.CashCollected+s.CashCollected, f.Due+s.Due, f.Payout+s.Payout
			}
			if page*50 >= list.Sums.Count {
				break
			}
		}
		last := calendar.Date(month + "-28")
		for strings.HasPrefix(string(last.AddDays(1)), month) {
			last = last.AddDays(1)
		}
		r, err := billing.Issuances(tx, billing.Filter{From: calendar.Date(month + "-01"), To: last}, 1, 200)
		f.Documents, f.Net, f.VAT, f.Gross = r.Total, r.Net, r.VAT, r.Gross
		for _, d := range r.Items {
			files["documents/"+d.FileName("pdf")] = true
			if d.HasFile() {
				files["documents/"+d.FileName("xml")] = true
			}
		}
		return err
	})
	return f, files
}

// same says whether a pack holds what the screens show.
func (w *world) same(t *testing.T, p pack.Pack) {
	t.Helper()
	want, documents := w.screens(t, p.Month)
	if p.Figures != want {
		t.Errorf("%s: the pack says\n%+v, the screens\n%+v", p.Month, p.Figures, want)
	}
	_, files := w.file(t, p)
	for name := range files {
		if strings.HasPrefix(name, "documents/") && !documents[name] {
			t.Errorf("%s: %s is on no screen", p.Month, name)
		}
		delete(documents, name)
	}
	if len(documents) > 0 {
		t.Errorf("%s lacks %v", p.Month, slices.Collect(maps.Keys(documents)))
	}
	revoked := func(row map[string]string) bool { return row["Powód wycofania"] != "" }
	if payout, rows := column(t, files["settlements.csv"], "Do wypłaty", revoked); payout != want.Payout || int64(rows) != want.Settlements-want.Revoked {
		t.Errorf("%s: settlements.csv has %d rows of %s", p.Month, rows, payout)
	}
	total := func(row map[string]string) bool { return row["Rodzaj"] == "" }
	if gross, rows := column(t, files["documents.csv"], "Brutto", total); gross != want.Gross || int64(rows) != want.Documents {
		t.Errorf("%s: documents.csv has %d rows of %s", p.Month, rows, gross)
	}
}

func TestPacks_AreWhatTheScreensShow(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var months []string
		var unpaid, unissued []string
		for range testkit.Times(8, 24) {
			month := string(w.today()[:7])
			months = append(months, month)
			for range w.random.IntN(3) { // some months are empty
				who := slices.Clone(w.drivers)
				w.random.Shuffle(len(who), func(i, j int) { who[i], who[j] = who[j], who[i] })
				ids := w.week(t, calendar.PeriodOf(w.today(), 1).Prev(), who[:1+w.random.IntN(4)]...)
				unpaid, unissued = append(unpaid, ids...), append(unissued, ids...)
				w.Clock.Pass(7 * 24 * time.Hour)
			}
			take := func(from *[]string, chance int, do func(id string)) {
				*from = slices.DeleteFunc(*from, func(id string) bool {
					if w.random.IntN(10) >= chance {
						return false
					}
					do(id)
					return true
				})
			}
			take(&unissued, 4, func(id string) { w.issue(t, id) })
			take(&unpaid, 1, func(id string) {
				unissued = slices.DeleteFunc(unissued, func(other string) bool { return other == id })
				if err := w.Fleet.DB.Write(t.Context(), anna, func(tx *db.Tx) error { return w.settlements.Revoke(tx, id, "a wrong file") }); err != nil && !errors.Is(err, settlements.ErrCarried) {
					t.Fatal(err)
				}
			})
			take(&unpaid, 4, func(id string) {
				w.write(t, func(tx *db.Tx) error { return w.settlements.MarkPaid(tx, id, 0, w.today()) })
			})
			next := calendar.Date(month + "-28")
			for strings.HasPrefix(string(next), month) {
				next = next.AddDays(1)
			}
			if next = next.AddDays(14); next > w.today() {
				w.passTo(next)
			}
		}
		for _, month := range months {
			if month < string(w.today()[:7]) {
				w.same(t, w.ask(t, month))
			}
		}
	})
}

func TestPack_IsMadeOnceAndAgainAfterAChange(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ids := w.week(t, "2026-W44", w.drivers[:3]...) // until the first of November
		ids = append(ids, w.week(t, "2026-W43", w.drivers[3:]...)...)
		w.write(t, func(tx *db.Tx) error { return w.settlements.MarkPaid(tx, ids[3], 0, w.today()) })
		first := w.ask(t, "2026-10")
		w.same(t, first)
		whole, files := w.file(t, first)
		if first.Version != 1 || files["changes.csv"] != nil || !strings.Contains(string(files["contents.txt"]), "Wrzos Mobility") {
			t.Errorf("%+v, %v", first, slices.Collect(maps.Keys(files)))
		}
		w.Clock.Pass(48 * time.Hour)
		if again := w.ask(t, "2026-10"); again.ID != first.ID {
			t.Errorf("a version %d of what did not change", again.Version)
		}
		w.write(t, func(tx *db.Tx) error { // made anew it has the same bytes
			_, err := tx.Exec(`DELETE FROM accountant_packs WHERE tenant_id = $1`)
			return err
		})
		anew := w.ask(t, "2026-10")
		if other, its := w.file(t, anew); !bytes.Equal(whole, other) {
			for name, content := range files {
				if !bytes.Equal(content, its[name]) {
					t.Errorf("the same month has another %s", name)
				}
			}
		}
		w.write(t, func(tx *db.Tx) error { return w.settlements.Revoke(tx, ids[4], "a wrong file") })
		w.week(t, "2026-W42", w.drivers[0])
		second := w.ask(t, "2026-10")
		w.same(t, second)
		kinds := map[string]int{}
		for i := range second.Changes.First {
			kinds[string(second.Changes.First[i].Sort)+" "+second.Changes.First[i].Kind()]++
		}
		if second.Version != 2 || second.Changes.Count != 2 || kinds["settlement changed"] != 1 || kinds["settlement added"] != 1 || second.Changes.Before != first.Figures {
			t.Errorf("%+v", second.Changes)
		}
		_, files = w.file(t, second)
		if lines := strings.Count(strings.TrimSpace(string(files["changes.csv"])), "\n"); lines != 2 || !strings.Contains(string(files["changes.csv"]), "Wycofane") {
			t.Errorf("%s", files["changes.csv"])
		}
		if before, _ := w.file(t, anew); !bytes.Equal(before, whole) {
			t.Error("the first version is another one")
		}
		w.write(t, func(tx *db.Tx) error { return w.settlements.MarkPaid(tx, ids[0], 0, w.today()) }) // counts in its own month
		if third := w.ask(t, "2026-10"); third.ID != second.ID {
			t.Errorf("%+v", third.Changes)
		}
	})
}

func TestPack_OfAMonthThatIsNotOverOrNone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for month, want := range map[string]error{"2026-11": pack.ErrNotOver, "2027-01": pack.ErrNotOver, "2026-13": pack.ErrMonth, "2026-1": pack.ErrMonth,
			"2026-100": pack.ErrMonth, "": pack.ErrMonth} {
			if err := w.Fleet.DB.Write(t.Context(), anna, func(tx *db.Tx) error { _, err := w.Ask(tx, month); return err }); !errors.Is(err, want) {
				t.Errorf("%q: %v", month, err)
			}
		}
		empty := w.ask(t, "2026-09")
		w.same(t, empty)
		w.passTo("2026-11-30")
		w.Clock.Pass(13 * time.Hour) // it is the first of December in Warsaw
		w.ask(t, "2026-11")
	})
}

func TestPack_TwoPeopleAtOnceGetOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.week(t, "2026-W43", w.drivers...)
		var all sync.WaitGroup
		ids := make([]string, 6)
		for i := range ids {
			all.Go(func() {
				if err := w.Fleet.DB.Write(context.Background(), anna, func(tx *db.Tx) error {
					p, err := w.Ask(tx, "2026-10")
					ids[i] = p.ID
					return err
				}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if slices.Sort(ids); ids[0] == "" || ids[0] != ids[len(ids)-1] {
			t.Errorf("%v", ids)
		}
		w.ask(t, "2026-10")
		var list []pack.Pack
		w.read(t, func(tx *db.Tx) (err error) { list, err = pack.List(tx); return err })
		if len(list) != 1 || list[0].Version != 1 {
			t.Errorf("%+v", list)
		}
	})
}

func TestPack_WordsOfEverySort(t *testing.T) {
	for _, s := range pack.Sorts() {
		testkit.HasText(t, "pack:sort_"+string(s))
	}
	for _, kind := range []string{"added", "removed", "changed"} {
		testkit.HasText(t, "pack:change_"+kind)
	}
	for _, state := range []string{"issued", "waiting", "accepted", "refused", "corrected", "cancelled", "revoked"} {
		testkit.HasText(t, "pack:state_"+state)
	}
	for _, kind := range []string{"bill", "invoice", "correction"} {
		testkit.HasText(t, "pack:kind_"+kind)
	}
	for _, sum := range []string{"revenue", "due", "payout", "paid", "gross"} {
		testkit.HasText(t, "pack:sum_"+sum)
	}
}
