package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

var anna = testkit.Anna

var poland = func() config.Instance {
	i, err := config.InstanceOf("pl")
	if err != nil {
		panic(err)
	}
	return i
}()

// driver writes a driver of the partner by hand.
func driver(t *testing.T, d *db.DB, id string) {
	t.Helper()
	testkit.Write(t, d, anna, func(tx *db.Tx) error {
		_, err := tx.Insert("drivers", []string{"id", "first_name", "last_name", "search_key", "email", "phone", "iban_sealed", "iban_sum", "iban_changed_at", "account_holder", "tax_id",
			"schema_number", "contract_number", "bailiff", "summary_language", "settlement_frequency", "active", "blocked", "account_id", "verified_at",
			"activation_sent_at", "settled_on", "merged_into", "version", "created_at", "updated_at"},
			slices.Values([][]any{{id, "Oleh", "Babiak", "babiak oleh", "", "", "", "", "", "", "", 0, "", false, "", 0, true, false, "", "", "", "", "", 1, tx.Now, tx.Now}}))
		return err
	})
}

func entry(kind string, amount money.Amount, payment string) ledger.Entry {
	return ledger.Entry{Kind: kind, Amount: amount, Payment: payment, OccurredOn: "2026-11-04", Name: "Mandat", Reason: "Zdjęcie z fotoradaru"}
}

func enter(t *testing.T, d *db.DB, e ledger.Entry) (added ledger.Transaction) {
	t.Helper()
	testkit.Write(t, d, anna, func(tx *db.Tx) (err error) {
		added, _, err = ledger.Add(tx, poland, "d1", e)
		return err
	})
	return added
}

// book is a driver's rows, oldest first, as "provider type amount date".
func book(t *testing.T, d *db.DB, f ledger.Filter) (lines []string, page ledger.Page) {
	t.Helper()
	f.DriverID = "d1"
	testkit.Read(t, d, anna, func(tx *db.Tx) (err error) { page, err = ledger.List(tx, f); return err })
	for _, x := range page.Transactions {
		lines = append(lines, fmt.Sprintf("%s %s %s %s", x.Provider, x.Type, x.Amount, x.OccurredOn))
	}
	slices.Sort(lines)
	return lines, page
}

func want(t *testing.T, d *db.DB, lines ...string) {
	t.Helper()
	if got, _ := book(t, d, ledger.Filter{}); !slices.Equal(got, lines) {
		t.Errorf("the book is %q, not %q", got, lines)
	}
}

func refuses(t *testing.T, d *db.DB, fault error, fn func(tx *db.Tx) error) {
	t.Helper()
	if err := d.Write(context.Background(), anna, fn); !errors.Is(err, fault) {
		t.Errorf("got %v, not %v", err, fault)
	}
}

func TestEachKindIsBookedAsTheRulesSayAndCashGetsItsTwin(t *testing.T) {
	for _, c := range []struct {
		kind    string
		amount  money.Amount
		payment string
		book    []string
		due     money.Amount
	}{
		{"cost", 50_00, "card", []string{"PARTNER COST -50.00 2026-11-04"}, -50_00},
		{"cost", 50_00, "cash", []string{"PARTNER CASH_COLLECTED 50.00 2026-11-04", "PARTNER COST -50.00 2026-11-04"}, 0},
		{"internal", 80_00, "card", []string{"INTERNAL TRIP 80.00 2026-11-04"}, 80_00},
		{"internal", 80_00, "cash", []string{"INTERNAL CASH_COLLECTED -80.00 2026-11-04", "INTERNAL TRIP 80.00 2026-11-04"}, 0},
		{"internal", -80_00, "card", []string{"INTERNAL TRIP -80.00 2026-11-04"}, -80_00},
		{"internal", -80_00, "cash", []string{"INTERNAL CASH_COLLECTED 80.00 2026-11-04", "INTERNAL TRIP -80.00 2026-11-04"}, 0},
		{"invoice", 1, "card", []string{"PARTNER INVOICE 0.01 2026-11-04"}, 1},
		{"invoice", ledger.EntryAmountMax, "cash", []string{"PARTNER CASH_COLLECTED -1000000.00 2026-11-04", "PARTNER INVOICE 1000000.00 2026-11-04"}, 0},
	} {
		t.Run(fmt.Sprint(c.kind, c.amount, c.payment), func(t *testing.T) {
			testkit.Each(t, func(t *testing.T, d *db.DB) {
				testkit.Found(t, d)
				driver(t, d, "d1")
				added := enter(t, d, entry(c.kind, c.amount, c.payment))
				want(t, d, c.book...)
				_, page := book(t, d, ledger.Filter{})
				if page.Sum != c.due || added.Kind() != c.kind || added.Currency != "PLN" {
					t.Errorf("the driver is due %v; %+v", page.Sum, added)
				}
			})
		})
	}
}

func TestWhatIsWrongWithAnEntryIsNamed(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		driver(t, d, "d1")
		for name, c := range map[string]struct {
			change func(*ledger.Entry)
			field  string
			code   fault.FieldCode
		}{
			"another kind":             {func(e *ledger.Entry) { e.Kind = "TRIP" }, "kind", fault.NotOneOf},
			"nothing":                  {func(e *ledger.Entry) { e.Amount = 0 }, "amount", fault.Required},
			"a cost below nothing":     {func(e *ledger.Entry) { e.Amount = -1 }, "amount", fault.TooSmall},
			"an invoice below nothing": {func(e *ledger.Entry) { e.Kind, e.Amount = "invoice", -1 }, "amount", fault.TooSmall},
			"too much":                 {func(e *ledger.Entry) { e.Amount = ledger.EntryAmountMax + 1 }, "amount", fault.TooBig},
			"far too much":             {func(e *ledger.Entry) { e.Amount = 1<<63 - 1 }, "amount", fault.TooBig},
			"too little":               {func(e *ledger.Entry) { e.Kind, e.Amount = "internal", -ledger.EntryAmountMax-1 }, "amount", fault.TooSmall},
			"the least number":         {func(e *ledger.Entry) { e.Kind, e.Amount = "internal", -1<<63 }, "amount", fault.TooSmall},
			"no name":                  {func(e *ledger.Entry) { e.Name = " \t " }, "name", fault.Required},
			"a long name":              {func(e *ledger.Entry) { e.Name = strings.Repeat("ż", 101) }, "name", fault.TooLong},
			"a bell in the name":       {func(e *ledger.Entry) { e.Name = "a\ab" }, "name", fault.WrongFormat},
			"a long description":       {func(e *ledger.Entry) { e.Description = strings.Repeat("ż", 501) }, "description", fault.TooLong},
			"a cost without a reason":  {func(e *ledger.Entry) { e.Reason = " " }, "reason", fault.Required},
			"another payment":          {func(e *ledger.Entry) { e.Payment = "blik" }, "payment", fault.NotOneOf},
			"no payment":               {func(e *ledger.Entry) { e.Payment = "" }, "payment", fault.NotOneOf},
			"no day":                   {func(e *ledger.Entry) { e.OccurredOn = "" }, "occurredOn", fault.WrongFormat},
			"a day that is none":       {func(e *ledger.Entry) { e.OccurredOn = "2026-02-29" }, "occurredOn", fault.WrongFormat},
			"a day long ago":           {func(e *ledger.Entry) { e.OccurredOn = "0206-11-04" }, "occurredOn", fault.TooSmall},
		} {
			e := entry("cost", 50_00, "cash")
			c.change(&e)
			err := d.Write(context.Background(), anna, func(tx *db.Tx) error { _, _, err := ledger.Add(tx, poland, "d1", e); return err })
			var f *fault.Fault
			if !errors.As(err, &f) || f.Code != "transactions.invalid" || len(f.Fields) != 1 || f.Fields[0].Name != c.field || f.Fields[0].Code != c.code {
				t.Errorf("%s: %v", name, err)
			}
		}
		want(t, d)
	})
}

func TestADayToComeWarnsAndPasses(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		driver(t, d, "d1")
		for days, warned := range map[int]bool{0: false, 1: true, 400: true, -1: false} {
			e := entry("cost", 1, "card")
			testkit.Write(t, d, anna, func(tx *db.Tx) error {
				e.OccurredOn = tx.Now.In(poland.Location()).AddDate(0, 0, days).Format("2006-01-02")
				_, warnings, err := ledger.Add(tx, poland, "d1", e)
				if (len(warnings) == 1 && warnings[0] == ledger.FutureDate) != warned {
					t.Errorf("%d days from today: %v", days, warnings)
				}
				return err
			})
		}
		if lines, _ := book(t, d, ledger.Filter{}); len(lines) != 4 {
			t.Errorf("%q", lines)
		}
	})
}

func TestTheTwinMovesWithItsTransaction(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		driver(t, d, "d1")
		x := enter(t, d, entry("internal", 80_00, "cash"))
		save := func(e ledger.Entry) {
			testkit.Write(t, d, anna, func(tx *db.Tx) (err error) {
				x, _, err = ledger.Save(tx, poland, x.ID, x.Version, e)
				return err
			})
		}
		e := entry("invoice", 95_50, "cash") // the kind stays what it was
		e.OccurredOn = "2026-11-06"
		save(e)
		want(t, d, "INTERNAL CASH_COLLECTED -95.50 2026-11-06", "INTERNAL TRIP 95.50 2026-11-06")
		save(entry("", 95_50, "card"))
		want(t, d, "INTERNAL TRIP 95.50 2026-11-04")
		save(entry("", -10, "cash"))
		want(t, d, "INTERNAL CASH_COLLECTED 0.10 2026-11-04", "INTERNAL TRIP -0.10 2026-11-04")
		testkit.Write(t, d, anna, func(tx *db.Tx) error { return ledger.Remove(tx, x.ID, x.Version) })
		want(t, d)
		testkit.Write(t, d, anna, func(tx *db.Tx) error { return ledger.Restore(tx, x.ID) })
		want(t, d, "INTERNAL CASH_COLLECTED 0.10 2026-11-04", "INTERNAL TRIP -0.10 2026-11-04")
		refuses(t, d, ledger.ErrNotDeleted, func(tx *db.Tx) error { return ledger.Restore(tx, x.ID) })
		testkit.Read(t, d, anna, func(tx *db.Tx) error {
			trail, err := ledger.History(tx, x.ID)
			var actions []string
			for _, line := range trail {
				actions = append(actions, strings.TrimPrefix(line.Action, "transactions."))
			}
			if strings.Join(actions, " ") != "add save save save remove restore" || !strings.Contains(trail[1].BeforeState, `"amount":8000`) ||
				!strings.Contains(trail[1].AfterState, `"amount":9550`) || trail[0].Reason != "Zdjęcie z fotoradaru" {
				t.Errorf("%+v", trail)
			}
			return err
		})
	})
}

func TestWhatIsSettledOrNotByHandCannotChange(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		driver(t, d, "d1")
		testkit.Imported(t, d, "d1", []any{"row", "2026-11-03", "UBER", "TRIP", 100, "Fare"})
		x := enter(t, d, entry("cost", 50_00, "cash"))
		before, _ := book(t, d, ledger.Filter{})
		for _, c := range []struct {
			id      string
			version int64
			fault   error
		}{{"row", 1, ledger.ErrNotByHand}, {x.TwinID, 1, ledger.ErrNotByHand}, {x.ID, 2, ledger.ErrChanged}, {"nobody", 1, ledger.ErrNotFound}} {
			refuses(t, d, c.fault, func(tx *db.Tx) error {
				_, _, err := ledger.Save(tx, poland, c.id, c.version, entry("", 1, "card"))
				return err
			})
			refuses(t, d, c.fault, func(tx *db.Tx) error { return ledger.Remove(tx, c.id, c.version) })
		}
		testkit.Settled(t, d, x.ID)
		refuses(t, d, ledger.ErrSettled, func(tx *db.Tx) error {
			_, _, err := ledger.Save(tx, poland, x.ID, 1, entry("", 1, "card"))
			return err
		})
		refuses(t, d, ledger.ErrSettled, func(tx *db.Tx) error { return ledger.Remove(tx, x.ID, 1) })
		refuses(t, d, ledger.ErrSettled, func(tx *db.Tx) error { _, err := ledger.SetEvidence(tx, x.ID, ledger.Evidence{Key: "k"}); return err })
		want(t, d, before...)
	})
}

func TestPagesAndTotalsAreOfTheFilter(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		driver(t, d, "d1")
		driver(t, d, "d2")
		testkit.Imported(t, d, "d2", []any{"z", "2026-11-03", "UBER", "TRIP", 999_99, "other"})
		testkit.Imported(t, d, "d1",
			[]any{"a", "2026-11-02", "UBER", "TRIP", 842_50, "Fare"}, []any{"b", "2026-11-03", "UBER", "FEE", -364_07, "Service 100%"},
			[]any{"c", "2026-11-03", "UBER", "CASH_COLLECTED", -220_00, "Cash"}, []any{"d", "2026-11-04", "ORLEN", "CARD_FEE", -5_00, "Card"},
			[]any{"e", "2026-11-04", "PARTNER", "ADJUSTMENT", -10_00, "Down"}, []any{"f", "2026-11-04", "PARTNER", "ADJUSTMENT", 30_00, "Up"},
			[]any{"g", "2026-11-05", "UBER", "PAYOUT", 500_00, "Bank"}, []any{"h", "2026-11-06", "UBER", "UNKNOWN", 7_00, "Surprise"})
		testkit.Settled(t, d, "a")
		_, page := book(t, d, ledger.Filter{})
		var totals []string
		for _, x := range page.Totals {
			totals = append(totals, fmt.Sprint(x.Category, " ", x.Count, " ", x.Sum))
		}
		if got := strings.Join(totals, "; "); got != "income 1 842.50; cash 1 -220.00; fee 1 -364.07; fuel 1 -5.00; cost 1 -10.00; credit 1 30.00; "+
			"informational 1 500.00; unknown 1 7.00" || page.Sum != 273_43 || page.Count != 8 {
			t.Errorf("%s; sum %s of %d", got, page.Sum, page.Count)
		}
		for _, c := range []struct {
			filter ledger.Filter
			ids    string
		}{
			{ledger.Filter{Type: "FEE"}, "b"}, {ledger.Filter{Provider: "PARTNER"}, "f e"},
			{ledger.Filter{From: "2026-11-03", To: "2026-11-04"}, "f e d c b"}, {ledger.Filter{State: "settled"}, "a"},
			{ledger.Filter{State: "unsettled", To: "2026-11-03"}, "c b"}, {ledger.Filter{SettlementID: "s1"}, "a"},
			{ledger.Filter{Query: " 100% SERV"}, "b"}, {ledger.Filter{Query: "1_0"}, ""}, {ledger.Filter{Query: "%"}, "b"},
			{ledger.Filter{}, "h g f e d c b a"},
		} {
			for _, limit := range []int{1, 3, 200} {
				var ids []string
				f := c.filter
				for f.Limit = limit; ; {
					_, page := book(t, d, f)
					for _, x := range page.Transactions {
						ids = append(ids, x.ID)
					}
					if want := int64(len(strings.Fields(c.ids))); page.Count != want {
						t.Errorf("%+v counts %d, not %d", f, page.Count, want)
					}
					if f.After = page.Next; f.After == "" {
						break
					}
				}
				if strings.Join(ids, " ") != c.ids {
					t.Errorf("%+v gives %v, not %s", c.filter, ids, c.ids)
				}
			}
		}
		for field, f := range map[string]ledger.Filter{"from": {From: "yesterday"}, "to": {To: "2026-13-01"}, "after": {After: "x"}} {
			f.DriverID = "d1"
			err := d.Read(context.Background(), anna, func(tx *db.Tx) error { _, err := ledger.List(tx, f); return err })
			if !errors.Is(err, ledger.ErrFilter) || !strings.Contains(err.Error(), field) {
				t.Errorf("%s: %v", field, err)
			}
		}
	})
}

func TestRowsWithoutATypeAreGivenOneAndItIsRemembered(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		driver(t, d, "d1")
		testkit.Imported(t, d, "d1", []any{"u1", "2026-11-02", "UBER", "UNKNOWN", 10_00, "Airport  Surcharge"}, []any{"u2", "2026-11-03", "UBER", "UNKNOWN", 20_00, "airport surcharge"},
			[]any{"u3", "2026-11-03", "UBER", "UNKNOWN", 5_00, "Other"}, []any{"t1", "2026-11-03", "UBER", "TRIP", 5_00, "Fare"})
		testkit.Settled(t, d, "u3")
		var outcomes []ledger.Outcome
		retype := func(typ string, rows ...ledger.Seen) string {
			testkit.Write(t, d, anna, func(tx *db.Tx) (err error) { outcomes, err = ledger.Retype(tx, rows, typ); return err })
			var all []string
			for _, o := range outcomes {
				code := "done"
				if o.Fault != nil {
					code = strings.TrimPrefix(o.Fault.Code, "transactions.")
				}
				all = append(all, o.ID+" "+code)
			}
			return strings.Join(all, ", ")
		}
		if got := retype("TRIP", ledger.Seen{ID: "u1", Version: 1}, ledger.Seen{ID: "u2", Version: 7}, ledger.Seen{ID: "u3", Version: 1}, ledger.Seen{ID: "t1", Version: 1}); got !=
			"u1 done, u2 changed, u3 settled, t1 not_unknown" {
			t.Error(got)
		}
		want(t, d, "UBER TRIP 10.00 2026-11-02", "UBER TRIP 5.00 2026-11-03", "UBER UNKNOWN 20.00 2026-11-03", "UBER UNKNOWN 5.00 2026-11-03")
		remembered := func() (types []string) {
			testkit.Read(t, d, anna, func(tx *db.Tx) error {
				all, err := ledger.RememberedTypes(tx)
				for _, r := range all {
					types = append(types, fmt.Sprint(r.TypeRule, r.Seen, " ", r.Type))
				}
				return err
			})
			return types
		}
		if got := remembered(); !slices.Equal(got, []string{"{UBER payments airport surcharge}Airport  Surcharge TRIP"}) {
			t.Errorf("%q", got)
		}
		if got := retype("INVOICE", ledger.Seen{ID: "u2", Version: 1}); got != "u2 type_refused" {
			t.Error(got)
		}
		if got := retype("BONUS", ledger.Seen{ID: "u1", Version: 2}); got != "u1 done" ||
			!slices.Equal(remembered(), []string{"{UBER payments airport surcharge}Airport  Surcharge BONUS"}) {
			t.Error(got, remembered())
		}
		if got := retype("UNKNOWN", ledger.Seen{ID: "u1", Version: 3}); got != "u1 done" || len(remembered()) != 0 {
			t.Error(got, remembered())
		}
		refuses(t, d, ledger.ErrNotFound, func(tx *db.Tx) error {
			_, err := ledger.Retype(tx, []ledger.Seen{{ID: "u2", Version: 1}, {ID: "nobody", Version: 1}}, "TRIP")
			return err
		})
		refuses(t, d, ledger.ErrRetype, func(tx *db.Tx) error {
			_, err := ledger.Retype(tx, []ledger.Seen{{ID: "u2", Version: 1}, {ID: "u2", Version: 1}}, "TRIP")
			return err
		})
		refuses(t, d, ledger.ErrRetype, func(tx *db.Tx) error {
			_, err := ledger.Retype(tx, []ledger.Seen{{ID: "u2", Version: 1}}, "GIFT")
			return err
		})
		refuses(t, d, ledger.ErrRetype, func(tx *db.Tx) error { _, err := ledger.Retype(tx, nil, "TRIP"); return err })
		want(t, d, "UBER TRIP 5.00 2026-11-03", "UBER UNKNOWN 10.00 2026-11-02", "UBER UNKNOWN 20.00 2026-11-03", "UBER UNKNOWN 5.00 2026-11-03")
	})
}

func TestAFilesNameLosesWhatIsNoName(t *testing.T) {
	for name, want := range map[string]string{"mandat.pdf": "mandat.pdf", `C:\Users\x\zdjęcie 1.JPG`: "zdjęcie 1.pdf", "../../etc/passwd": "passwd.pdf", "": "evidence.pdf",
		"a\r\nb\"c.exe": "abc.pdf", "/": "evidence.pdf", "\u202efdp.exe": "fdp.pdf"} {
		if got := ledger.EvidenceName(name, ".pdf"); got != want {
			t.Errorf("%q becomes %q, not %q", name, got, want)
		}
	}
}
