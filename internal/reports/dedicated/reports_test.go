package dedicated

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/reports"
	"saldo/internal/reports/query"
	"saldo/internal/testkit"
)

// run runs a report of north.
func (w *world) runs(t *testing.T, a Asking) (shown *Shown, err error) {
	t.Helper()
	a.Page, a.Size = max(a.Page, 1), 1000
	failed := w.DB.Read(background, Scope("north"), func(tx *db.Tx) error { shown, err = w.Run(tx, a); return nil })
	if failed != nil {
		t.Fatal(failed)
	}
	return shown, err
}

func TestReadyReports_RunInEveryLanguageAndFormat(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		entries, err := os.ReadDir("ready")
		if err != nil || len(entries) != 12 || len(Ready(i18n.Polish)) != 12 {
			t.Fatalf("%d ready reports: %v", len(entries), err)
		}
		for _, r := range Ready(i18n.English) {
			w.add(t, r.Code, r.Audience, r.Definition)
			for _, l := range i18n.Languages {
				if twin := r.Title(i18n.Polish); l != i18n.Polish && r.Title(l) == twin {
					t.Errorf("%s has no title of its own in %s", r.Code, l)
				}
				for _, f := range []Format{CSV, XLSX, PDF} {
					if l != i18n.Polish && f == XLSX {
						continue // the same texts as in CSV
					}
					a := Asking{Report: r.Code, Audience: r.Audience, Parameters: wholeSpan, Language: l, Driver: w.drivers[0].id}
					var file bytes.Buffer
					testkit.Read(t, w.DB, Scope("north"), func(tx *db.Tx) error {
						made, err := w.Write(tx, a, f, &file)
						if err == nil && (made.Rows == 0 || made.FileName() != fmt.Sprintf("%s-%s-%s.%s", r.Code, wholeSpan.From, wholeSpan.To, f)) {
							t.Errorf("%s: %+v", r.Code, made)
						}
						return err
					})
					if want := map[Format]string{CSV: "\ufeff", XLSX: "PK", PDF: "%PDF"}[f]; !strings.HasPrefix(file.String(), want) {
						t.Errorf("%s as %s begins with %.10q", r.Code, f, file.String())
					}
				}
			}
		}
		testkit.Read(t, w.DB, north, func(tx *db.Tx) error {
			partner, err := w.Runnable(tx, query.ForPartner, i18n.English)
			if err != nil {
				return err
			}
			driver, err := w.Runnable(tx, query.ForDriver, i18n.English)
			if len(partner) != 11 || len(driver) != 1 {
				t.Errorf("%d and %d reports", len(partner), len(driver))
			}
			return err
		})
		testkit.Read(t, w.DB, Scope("south"), func(tx *db.Tx) error {
			list, err := w.Runnable(tx, query.ForPartner, i18n.English)
			if len(list) != 0 {
				t.Error("a partner that configured nothing has reports")
			}
			return err
		})
	})
}

func TestReports_SayWhatIsMissing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.add(t, "payouts", query.ForPartner, payoutsByTag)
		w.add(t, "mine", query.ForDriver, strings.Replace(payoutsByTag, `["tag"]`, `["month"]`, 1))
		w.add(t, "by-state", query.ForPartner, `{"subject":"settlements","title":{"en":"x"},"measures":["count"],"filter":[{"field":"state","is":["$state"]}],
			"ask":[{"name":"from","kind":"day"},{"name":"to","kind":"day"},{"name":"state","kind":"state","required":true}]}`)
		for _, c := range []struct {
			report string
			p      query.Parameters
			want   error
		}{
			{"payouts", query.Parameters{}, reports.ErrDays}, {"payouts", query.Parameters{From: firstDay}, reports.ErrDays}, {"payouts", query.Parameters{Days: "next_week"}, reports.ErrDays},
			{"payouts", query.Parameters{From: firstDay, Days: query.LastWeek}, reports.ErrDays}, {"payouts", query.Parameters{From: "2026-02-30", To: "2026-03-01"}, reports.ErrDays},
			{"payouts", query.Parameters{From: "2026-03-02", To: "2026-03-01"}, reports.ErrReversed}, {"payouts", query.Parameters{From: "2024-03-02", To: "2026-03-01"}, reports.ErrTooLong},
			{"payouts", query.Parameters{From: firstDay, To: firstDay, Values: map[string][]string{"x": {"y"}}}, ErrParameters},
			{"payouts", query.Parameters{From: firstDay, To: firstDay, Values: map[string][]string{"from": {"y"}}}, ErrParameters}, {"by-state", wholeSpan, ErrParameters},
			{"by-state", query.Parameters{From: firstDay, To: firstDay, Values: map[string][]string{"state": {"revoked"}}}, ErrParameters},
			{"by-state", query.Parameters{From: firstDay, To: firstDay, Values: map[string][]string{"state": {"paid", "settled"}}}, ErrParameters},
			{"mine", wholeSpan, ErrNotFound}, {"nothing", wholeSpan, ErrNotFound}, {"", wholeSpan, ErrNotFound},
			{"payouts", query.Parameters{From: firstDay, To: firstDay.AddDays(query.DaysMost - 1)}, nil},
		} {
			if _, err := w.runs(t, Asking{Report: c.report, Audience: query.ForPartner, Parameters: c.p, Language: i18n.English}); !errors.Is(err, c.want) {
				t.Errorf("%s %+v: %v, not %v", c.report, c.p, err, c.want)
			}
		}
		for _, broken := range []string{`{"subject":"settlements"}`, `{}`, strings.Replace(payoutsByTag, `"payout"`, `"salary"`, 1)} {
			testkit.Write(t, w.DB, north, func(tx *db.Tx) error {
				var f *fault.Fault
				if _, err := w.Add(tx, Entry{Code: "x", Audience: query.ForPartner, Definition: broken}); !errors.As(err, &f) || f.Code != ErrDefinition.Code ||
					f.Params["place"] == "" || len(f.Fields) != 1 {
					t.Errorf("%s: %v", broken, err)
				}
				return nil
			})
		}
		for _, code := range []string{"", "A", "a b", "-a", strings.Repeat("a", 61), "ż", "a/b", "../x"} {
			testkit.Write(t, w.DB, north, func(tx *db.Tx) error {
				if _, err := w.Add(tx, Entry{Code: code, Audience: query.ForPartner, Definition: payoutsByTag}); !errors.Is(err, ErrInvalid) {
					t.Errorf("%q: %v", code, err)
				}
				return nil
			})
		}
	})
}

// The total counts a driver once, however many tags they have, and says so.
func TestTags_DoubleRowsAndNotTheTotal(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.add(t, "payouts", query.ForPartner, payoutsByTag)
		shown, err := w.runs(t, Asking{Report: "payouts", Audience: query.ForPartner, Parameters: wholeSpan, Language: i18n.Polish})
		if err != nil {
			t.Fatal(err)
		}
		sum, want := int64(0), int64(0)
		for _, r := range shown.Rows {
			sum += r[2].(int64)
		}
		for _, s := range w.settlements {
			if s.state != "revoked" {
				want += s.payout
			}
		}
		if shown.Totals[2] != want || sum <= want || !shown.Once || len(shown.Rows) != 4 || shown.Rows[0][0] != "(brak)" {
			t.Errorf("the rows add up to %d, the total is %v, not %d: %+v", sum, shown.Totals[2], want, shown.Rows)
		}
		var file bytes.Buffer
		testkit.Read(t, w.DB, Scope("north"), func(tx *db.Tx) error {
			_, err := w.Write(tx, Asking{Report: "payouts", Audience: query.ForPartner, Parameters: wholeSpan, Language: i18n.Polish}, CSV, &file)
			return err
		})
		if !strings.Contains(file.String(), "Suma bez powtórzeń kierowców;") || !strings.Contains(file.String(), "Do wypłaty, PLN") {
			t.Errorf("%s", file.String())
		}
	})
}

// A share is of the total, a change against as many days before.
func TestSharesAndChanges_AreOfWholeNumbers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.add(t, "ranking", query.ForPartner, `{"subject":"settlements","title":{"en":"x"},"measures":["payout","share:payout","change:payout"],"by":["driver"],"total":true,`+asksDays+`}`)
		ask := func(p query.Parameters) (*Shown, map[string][]any) {
			shown, err := w.runs(t, Asking{Report: "ranking", Audience: query.ForPartner, Parameters: p, Language: i18n.English})
			if err != nil {
				t.Fatal(err)
			}
			rows := map[string][]any{}
			for i, r := range shown.Rows {
				rows[shown.Drivers[i]] = r
			}
			return shown, rows
		}
		_, before := ask(query.Parameters{From: firstDay, To: firstDay.AddDays(59)})
		now, rows := ask(query.Parameters{From: firstDay.AddDays(60), To: firstDay.AddDays(119)})
		compared := 0
		for id, r := range rows {
			part := r[1].(int64)
			if want := (2000*part + now.Totals[1].(int64)) / (2 * now.Totals[1].(int64)); r[2] != want {
				t.Errorf("%v of %v is %v, not %d", part, now.Totals[1], r[2], want)
			}
			if before[id] == nil {
				if r[3] != nil {
					t.Errorf("%v changed from nothing", r)
				}
				continue
			}
			old := before[id][1].(int64)
			if old == 0 {
				continue
			}
			compared++
			difference, want := 2000*(part-old), int64(0)
			if want = (difference + old) / (2 * old); difference < 0 {
				want = -((-difference + old) / (2 * old))
			}
			if r[3] != want {
				t.Errorf("from %d to %d is %v, not %d", old, part, r[3], want)
			}
		}
		if compared < 5 || now.Totals[2] != int64(1000) || now.Totals[3] == nil {
			t.Errorf("%d compared, totals %v", compared, now.Totals)
		}
	})
}

// A driver has their own rows that were shared with them, whatever the definition, the parameters and the file say.
func TestADriversReport_HasTheirOwnRowsAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, s := range query.Model(i18n.English) {
			if !s.Drivers {
				continue
			}
			measure, filter := `"count"`, ``
			if s.Key == "settlement_figures" {
				filter = `,"filter":[{"field":"figure","is":["costs"]}]`
			}
			code := strings.ReplaceAll(s.Key, "_", "-")
			w.add(t, code, query.ForDriver, fmt.Sprintf(`{"subject":%q,"title":{"en":"x"},"measures":[%s],"by":["driver"],"total":true%s,%s}`, s.Key, measure, filter, asksDays))
			for _, d := range []string{w.drivers[0].id, w.drivers[5].id, "south-d00", "", "' OR '1'='1"} {
				shown, err := w.runs(t, Asking{Report: code, Audience: query.ForDriver, Parameters: wholeSpan, Language: i18n.English, Driver: d})
				if err != nil {
					t.Fatal(err)
				}
				for _, id := range shown.Drivers {
					if id != d {
						t.Errorf("%s shows %q a row of %q", code, d, id)
					}
				}
				if strings.HasPrefix(d, "north") != (len(shown.Rows) == 1) && !slices.Contains([]string{"payouts", "trips", "invoices", "time-entries"}, code) {
					t.Errorf("%s shows %q %v", code, d, shown.Rows)
				}
			}
		}
		var f *fault.Fault
		testkit.Write(t, w.DB, north, func(tx *db.Tx) error {
			for definition, place := range map[string]string{
				`{"subject":"settlements","title":{"en":"x"},"measures":["earned"],` + asksDays + `}`:                                                 "measures[0]",
				`{"subject":"drivers","title":{"en":"x"},"measures":["count"]}`:                                                                       "subject",
				`{"subject":"settlements","title":{"en":"x"},"measures":["count"],"filter":[{"field":"driver","is":["north-d01"]}],` + asksDays + `}`: "filter[0].field",
			} {
				if _, err := w.Add(tx, Entry{Code: "x", Audience: query.ForDriver, Definition: definition}); !errors.As(err, &f) || f.Params["place"] != place {
					t.Errorf("%s: %v", definition, err)
				}
			}
			return nil
		})
	})
}

// Ids of another partner find nothing, in a definition as in parameters.
func TestIdsOfAnotherPartner_FindNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for field, values := range map[string][]string{"driver": {"south-d00", "south-d05"}, "tag": {"south-red", "south-blue"}} {
			for _, filter := range []string{fmt.Sprintf(`"is":%s}],%s`, db.JSON(values), asksDays),
				fmt.Sprintf(`"is":["$it"]}],"ask":[{"name":"from","kind":"day"},{"name":"to","kind":"day"},{"name":"it","kind":%q,"many":true}]`, field)} {
				for _, by := range []string{"driver", "tag"} {
					p := wholeSpan
					if strings.Contains(filter, "$it") {
						p.Values = map[string][]string{"it": values}
					}
					definition := fmt.Sprintf(`{"subject":"settlements","title":{"en":"x"},"measures":["payout"],"by":[%q],"total":true,"filter":[{"field":%q,%s}`, by, field, filter)
					testkit.Read(t, w.DB, north, func(tx *db.Tx) error {
						shown, err := w.Preview(tx, definition, Asking{Audience: query.ForPartner, Parameters: p, Language: i18n.English})
						if err == nil && (len(shown.Rows) != 0 || shown.Totals[1] != int64(0)) {
							t.Errorf("%s shows %v", definition, shown.Rows)
						}
						return err
					})
				}
			}
		}
	})
}

// Amounts of two currencies are never added up.
func TestAnotherCurrency_IsNoReport(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.add(t, "payouts", query.ForPartner, payoutsByTag)
		testkit.Write(t, w.DB, Scope("north"), func(tx *db.Tx) error {
			_, err := tx.Exec(`INSERT INTO settlements (tenant_id, id, number, driver_id, run_id, period, ordinal, weeks, first_on, last_on, state, absorbed_into,
				terms_id, currency, transactions, carry_in, revenue, cash_collected, fee, due, payout, next_period_transfer, tax_excess, figures, apps,
				transfers, settled_at, settled_by, shared_at, paid_on, paid_at, paid_by, revoked_at, revoked_by, revoke_reason)
				VALUES ($1, 'eur', 9999, $2, '', '2026-W01', 9999, 1, $3, $3, 'settled', '', 't1', 'EUR', 0, 0, 1, 0, 0, 1, 1, 0, 0, '{}', '[]', '[]', '', '', '',
				'', '', '', '', '', '')`, w.drivers[0].id, string(firstDay))
			return err
		})
		if _, err := w.runs(t, Asking{Report: "payouts", Audience: query.ForPartner, Parameters: wholeSpan, Language: i18n.English}); err == nil {
			t.Error("złoty and euro were added up")
		}
	})
}

// Reports of the operator reach the partners that they are for, and none can change them.
func TestOperatorsReports_AreForThoseThatTheyName(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		publish := func(code string, partners ...string) (version int64, err error) {
			failed := w.DB.Write(background, access.Program("operator"), func(tx *db.Tx) error {
				version, err = w.Publish(tx, File{Code: code, Audience: query.ForPartner, Partners: partners, Definition: json.RawMessage(payoutsByTag)})
				return nil
			})
			return version, errors.Join(err, failed)
		}
		for code, partners := range map[string][]string{"for-all": nil, "for-south": {"south"}, "taken": nil} {
			if v, err := publish(code, partners...); err != nil || v != 1 {
				t.Fatal(v, err)
			}
		}
		if _, err := publish("wrong", "west"); err == nil {
			t.Error("a report for a partner that is not there")
		}
		if v, err := publish("for-all"); err != nil || v != 2 {
			t.Errorf("version %d: %v", v, err)
		}
		own := w.add(t, "taken", query.ForPartner, payoutsByTag)
		testkit.Write(t, w.DB, north, func(tx *db.Tx) error {
			list, err := w.Definitions(tx, i18n.English)
			codes := []string{}
			for _, r := range list {
				codes = append(codes, fmt.Sprint(r.Code, " ", r.Own))
				if r.Own {
					continue
				}
				e := Entry{Code: r.Code, Audience: r.Audience, Version: r.Version, Definition: r.Definition}
				if err := w.Save(tx, r.ID, e); !errors.Is(err, ErrShared) {
					t.Errorf("saving the operator's: %v", err)
				}
				if err := w.Remove(tx, r.ID, r.Version); !errors.Is(err, ErrShared) {
					t.Errorf("removing the operator's: %v", err)
				}
			}
			slices.Sort(codes)
			if got := strings.Join(codes, ", "); got != "for-all false, taken true" {
				t.Error(got)
			}
			if found, err := find(tx, "taken"); err != nil || found.ID != own {
				t.Errorf("%+v %v", found, err)
			}
			return err
		})
		testkit.Read(t, w.DB, access.Program("operator"), func(tx *db.Tx) error {
			all, err := All(tx)
			if len(all) != 4 || all[0].TenantID != "" || all[3].TenantID != "north" {
				t.Errorf("%+v", all)
			}
			return err
		})
	})
}

// What a person typed is text in every file, also where it looks like a formula.
func TestFiles_HoldNoFormulas(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.add(t, "plates", query.ForPartner, `{"subject":"time_entries","title":{"en":"=1+1 [x]/:*?"},"measures":["minutes"],"by":["plate"],"columns":{"plate":{"title":{"en":"=cmd()"}}},`+asksDays+`}`)
		a := Asking{Report: "plates", Audience: query.ForPartner, Parameters: wholeSpan, Language: i18n.English}
		files := map[Format]*bytes.Buffer{CSV: {}, XLSX: {}}
		for f, to := range files {
			testkit.Read(t, w.DB, Scope("north"), func(tx *db.Tx) error { _, err := w.Write(tx, a, f, to); return err })
		}
		if text := files[CSV].String(); !strings.Contains(text, "'=WW 1") || !strings.Contains(text, "'=cmd()") {
			t.Errorf("%q", text)
		}
		book, err := excelize.OpenReader(files[XLSX])
		if err != nil {
			t.Fatal(err)
		}
		name := book.GetSheetName(0)
		if cell, err := book.GetCellValue(name, "A2"); err != nil || cell != "=WW 1" {
			t.Errorf("%q %v", cell, err)
		}
		if formula, err := book.GetCellFormula(name, "A2"); err != nil || formula != "" || strings.ContainsAny(name, "[]/:*?") {
			t.Errorf("%q %q %v", name, formula, err)
		}
	})
}

// A report that takes too long is refused as that, and no more than two of a partner run at a time.
func TestReports_AreBounded(t *testing.T) {
	w := newWorld(t, testkit.Engine)
	w.Limit = time.Millisecond
	err := w.Limited(background, north, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
	if !errors.Is(err, ErrTooSlow) {
		t.Error(err)
	}
	w.Limit = time.Hour
	release, started := make(chan struct{}), make(chan struct{})
	for range runningMost {
		go func() {
			_ = w.Limited(background, north, func(context.Context) error { started <- struct{}{}; <-release; return nil })
		}()
		<-started
	}
	var f *fault.Fault
	if err := w.Limited(background, north, func(context.Context) error { return nil }); !errors.As(err, &f) || f.Code != ErrRunning.Code || f.Retry == 0 {
		t.Error(err)
	}
	if err := w.Limited(background, access.Actor{Role: access.Partner, Tenant: "south"}, func(context.Context) error { return nil }); err != nil {
		t.Error(err)
	}
	close(release)
	testkit.Eventually(t, "a turn", func() bool { return w.Limited(background, north, func(context.Context) error { return nil }) == nil })
}
