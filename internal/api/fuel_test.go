package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

const fullCard = "7017830000004821"

// orlenFile is a statement of fuel cards: rows of card, day, time, town, product, litres, price, gross and odometer.
func orlenFile(rows ...string) []byte {
	text := "Okres: 2026-10-16 - 2026-10-31\n\nNumer karty;Typ karty;Numer rejestracyjny / Użytkownik;Data transakcji;Godzina;Data księgowania;" +
		"Numer stacji;Miejscowość;Produkt;Ilość;J.m.;Cena jedn. brutto;Rabat brutto;Wartość netto;Stawka VAT;Kwota VAT;Wartość brutto;Stan licznika;Numer WZ\n"
	for i, row := range rows {
		c := strings.Split(row, ";")
		text += fmt.Sprintf("%s;S;WX 1001A;%s;%s;%s;nr %d;%s;%s;%s;l;%s;0,00;;23;;%s;%s;WZ/%s%s\n", c[0], c[1], c[2], c[1], 100+i, c[3], c[4], c[5], c[6], c[7], c[8], c[1], c[2])
	}
	return []byte(text)
}

type fuelSeen struct {
	Millilitres int64
	Gross       money.Amount
	Next        *struct {
		Period       string
		Cost, Refund money.Amount
	}
	Cards []struct {
		ID, Provider, Number, Kind string
		UsedDay, UsedMonth         int64
		UsedAmount                 money.Amount
		Limits                     map[string]any
	}
	Refuellings []struct {
		ID, On, Card, Station, Town, Product, Period, SettlementID string
		Millilitres, UnitPrice, Odometer                           int64
		Gross                                                      money.Amount
		Correction                                                 bool
		Odd                                                        []string
	}
}

func (w *world) feature(t *testing.T, tenant string, on bool) {
	t.Helper()
	testkit.Write(t, w.app.DB(), access.ProgramFor(tenant, "test"), func(tx *db.Tx) error { return partners.SetFeature(tx, partners.Fuel, on) })
}

// fuelled is the driver of north who signs in, with a fuel card.
func (w *world) fuelled(t *testing.T) (driver string) {
	t.Helper()
	w.feature(t, "north", true)
	driver = w.linkedDriver(t)
	w.must(t, 204, "partner", "PUT", driversPath+"/"+driver+"/identities", map[string]any{"version": w.driver(t, "partner", driver).Version,
		"identities": []any{map[string]string{"provider": "ORLEN", "value": "00" + fullCard}}})
	return driver
}

// fuel reads the fuel of a driver, and finds no full card number in it.
func (w *world) fuel(t *testing.T, who, path string) (f fuelSeen) {
	t.Helper()
	text := w.must(t, 200, who, "GET", path, nil)
	if strings.Contains(text, fullCard) || strings.Contains(text, fullCard[:8]) {
		t.Errorf("a full number: %s", text)
	}
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		t.Fatal(err)
	}
	return f
}

const ownFuel = "/api/driver-accounts/fuel"

func driverFuel(driver string) string { return driversPath + "/" + driver + "/fuel" }

// brought is an import of fuel that was confirmed and written.
func (w *world) brought(t *testing.T, name string, content []byte, restated string) string {
	t.Helper()
	id := w.send(t, "partner", name, content, "provider", "ORLEN").ID
	w.must(t, 202, "partner", "POST", "/api/imports/"+id+"/confirm", map[string]any{"restated": restated})
	if one := w.drain(t, id); one.Import.Status != "success" {
		t.Fatalf("%+v", one.Import)
	}
	return id
}

func (f fuelSeen) lines() string {
	lines := []string{}
	for _, r := range f.Refuellings {
		lines = append(lines, fmt.Sprint(r.On, " ", r.Town, " ", r.Product, " ", r.Millilitres, " ", r.UnitPrice, " ", r.Gross, " ", r.Odometer, " ", r.Period))
	}
	return strings.Join(lines, "; ")
}

const (
	firstFuel  = fullCard + ";27.10.2026;06:10;Warszawa;Verva ON;30,50;6,59;201,00;88411"
	secondFuel = fullCard + ";28.10.2026;18:00;Łódź;Efecta 95;20,25;6,299;127,55;88700"
	thirdFuel  = fullCard + ";29.10.2026;09:00;Łódź;Myjnia bezdotykowa;1;25,00;25,00;0"
)

func TestFuel_FollowsItsFiles(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.fuelled(t)
		if f := w.fuel(t, "driver", ownFuel); len(f.Refuellings) != 0 || len(f.Cards) != 1 || f.Cards[0].Number != "•••• 4821" || f.Next != nil {
			t.Errorf("nothing is %+v", f)
		}
		first := w.brought(t, "1.csv", orlenFile(firstFuel), "")
		const one = "2026-10-27 Warszawa Verva ON 30500 659000 201.00 88411 "
		f := w.fuel(t, "driver", ownFuel)
		if f.lines() != one || f.Millilitres != 30_500 || f.Gross != 201_00 || f.Refuellings[0].Station != "nr 100" ||
			f.Refuellings[0].Card != f.Cards[0].ID || f.Cards[0].Kind != "S" || f.Cards[0].Limits["plate"] != "WX 1001A" || len(f.Cards) != 1 {
			t.Errorf("%s %+v", f.lines(), f)
		}
		if f.Next == nil || f.Next.Period != "2026-W44" || f.Next.Cost != 201_00 || f.Next.Refund <= 0 {
			t.Errorf("next is %+v", f.Next)
		}
		// a file that overlaps adds what is new, and says it of the same rows
		second := w.brought(t, "2.csv", orlenFile(firstFuel, secondFuel, thirdFuel), "beside")
		const two = "2026-10-29 Łódź Myjnia bezdotykowa 0 0 25.00 0 ; 2026-10-28 Łódź Efecta 95 20250 629900 127.55 88700 ; "
		if f := w.fuel(t, "driver", ownFuel); f.lines() != two+one || f.Millilitres != 50_750 || f.Gross != 328_55 {
			t.Errorf("overlapping: %s %d %s", f.lines(), f.Millilitres, f.Gross)
		}
		// the same row with other details: the last file speaks, and removed it speaks no more
		third := w.brought(t, "3.csv", orlenFile(strings.NewReplacer("30,50", "30,60", "88411", "88412").Replace(firstFuel), secondFuel, thirdFuel), "beside")
		if f := w.fuel(t, "driver", ownFuel); f.lines() != two+"2026-10-27 Warszawa Verva ON 30600 659000 201.00 88412 " {
			t.Errorf("other details: %s", f.lines())
		}
		w.must(t, 204, "partner", "DELETE", "/api/imports/"+third, nil)
		w.must(t, 204, "partner", "DELETE", "/api/imports/"+first, nil)
		if f := w.fuel(t, "driver", ownFuel); f.lines() != two+one {
			t.Errorf("removed: %s", f.lines())
		}
		// a corrected file takes the place of the rows and of what was said of them
		corrected := w.brought(t, "4.csv", orlenFile(strings.Replace(firstFuel, "30,50;6,59;201,00", "31,50;6,59;207,59", 1), secondFuel, thirdFuel), "replace")
		if f := w.fuel(t, "driver", ownFuel); f.lines() != two+"2026-10-27 Warszawa Verva ON 31500 659000 207.59 88411 " {
			t.Errorf("corrected: %s", f.lines())
		}
		w.must(t, 204, "partner", "DELETE", "/api/imports/"+corrected, nil)
		if f := w.fuel(t, "driver", ownFuel); f.lines() != two+one {
			t.Errorf("not corrected any more: %s", f.lines())
		}
		w.must(t, 204, "partner", "DELETE", "/api/imports/"+second, nil)
		if f := w.fuel(t, "driver", ownFuel); len(f.Refuellings) != 0 || f.Millilitres != 0 {
			t.Errorf("all removed: %+v", f)
		}
		if n := w.counted(t, `SELECT COUNT(*) FROM refuellings WHERE tenant_id = $1`); n != 0 {
			t.Errorf("%d rows are left", n)
		}
		if f := w.fuel(t, "partner", driverFuel(driver)); len(f.Cards) != 1 {
			t.Errorf("%+v", f)
		}
	})
}

func TestFuel_IsSettledRevokedAndCorrected(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.fuelled(t)
		w.brought(t, "1.csv", orlenFile(firstFuel), "")
		w.earns(t, driver, 1_000_00)
		settled := w.settledOf(t, driver)
		f := w.fuel(t, "driver", ownFuel)
		if r := f.Refuellings[0]; r.Period != "2026-W44" || r.SettlementID != settled || f.Next != nil {
			t.Errorf("settled: %+v", f)
		}
		// what is settled stays, and its amount and litres are taken off
		w.brought(t, "2.csv", orlenFile(strings.Replace(firstFuel, "30,50;6,59;201,00", "31,50;6,59;207,59", 1)), "replace")
		if f := w.fuel(t, "driver", ownFuel); f.Millilitres != 31_500 || f.Gross != 207_59 || len(f.Refuellings) != 3 || f.Next == nil || f.Next.Cost != 6_59 {
			t.Errorf("corrected: %s %+v", f.lines(), f.Next)
		}
		w.must(t, 200, "partner", "POST", "/api/settlements/revoke", map[string]any{"ids": []string{settled}, "reason": "once more"})
		if f := w.fuel(t, "driver", ownFuel); f.lines() != "2026-10-27 Warszawa Verva ON 31500 659000 207.59 88411 " || f.Next == nil || f.Next.Cost != 207_59 {
			t.Errorf("revoked: %s %+v", f.lines(), f.Next)
		}
	})
}

func TestFuel_OfASettlementThatIsNotSharedIsOpenForTheDriver(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.fuelled(t)
		w.brought(t, "1.csv", orlenFile(firstFuel), "")
		w.earns(t, driver, 1_000_00)
		w.must(t, 202, "partner", "POST", "/api/settlement-runs/"+w.shownRun(t, driver)+"/start", map[string]any{"share": false})
		if f := w.fuel(t, "driver", ownFuel); f.Refuellings[0].Period != "" || f.Refuellings[0].SettlementID != "" {
			t.Errorf("%+v", f.Refuellings)
		}
		if f := w.fuel(t, "partner", driverFuel(driver)); f.Refuellings[0].Period != "2026-W44" {
			t.Errorf("%+v", f.Refuellings)
		}
	})
}

func TestFuel_FollowsAMerge(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.fuelled(t)
		w.brought(t, "1.csv", orlenFile(firstFuel), "")
		kept := w.addDriver(t, "partner", driverOf("Kept"))
		var made struct{ ID string }
		w.call(t, "partner", "POST", driversPath+"/"+kept+"/merge", with(mergeOf(driver), "withVersion", w.driver(t, "partner", driver).Version), &made)
		merged := made.ID
		if f := w.fuel(t, "driver", ownFuel); len(f.Refuellings) != 1 || len(f.Cards) != 1 || f.Next == nil || f.Next.Cost != 201_00 {
			t.Errorf("%+v", f)
		}
		if f := w.fuel(t, "partner", driverFuel(kept)); len(f.Refuellings) != 1 || f.Refuellings[0].Millilitres != 30_500 {
			t.Errorf("%+v", f)
		}
		w.must(t, 204, "partner", "POST", "/api/driver-merges/"+merged+"/undo", nil)
		if f := w.fuel(t, "partner", driverFuel(kept)); len(f.Refuellings) != 0 || len(f.Cards) != 0 {
			t.Errorf("undone: %+v", f)
		}
	})
}

func TestFuel_OfAnUnknownCardComesWithItsDriver(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.fuelled(t)
		w.brought(t, "1.csv", orlenFile(strings.Replace(firstFuel, fullCard, "7017830000009999", 1)), "")
		if f := w.fuel(t, "partner", driverFuel(driver)); len(f.Refuellings) != 0 {
			t.Errorf("%+v", f)
		}
		var box struct{ Identities []struct{ ID string } }
		w.call(t, "partner", "GET", "/api/unmatched-drivers?state=waiting", nil, &box)
		path := "/api/unmatched-drivers/" + box.Identities[0].ID
		w.must(t, 200, "partner", "POST", path+"/assign", map[string]any{"driverUUID": driver})
		if f := w.fuel(t, "partner", driverFuel(driver)); len(f.Refuellings) != 1 || f.Millilitres != 30_500 || len(f.Cards) != 2 || f.Cards[1].Number != "•••• 9999" {
			t.Errorf("%+v", f)
		}
		w.must(t, 200, "partner", "POST", path+"/undo", nil)
		if f := w.fuel(t, "partner", driverFuel(driver)); len(f.Refuellings) != 0 || len(f.Cards) != 1 {
			t.Errorf("undone: %+v", f)
		}
	})
}

func TestFuel_OddRefuellingsAreToldToThePartnerAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.fuelled(t)
		w.brought(t, "1.csv", orlenFile(firstFuel, strings.Replace(firstFuel, "06:10;Warszawa", "06:30;Gdynia", 1)), "")
		if f := w.fuel(t, "partner", driverFuel(driver)); len(f.Refuellings) != 2 || fmt.Sprint(f.Refuellings[0].Odd, f.Refuellings[1].Odd) != "[two_towns] [two_towns]" {
			t.Errorf("%+v", f.Refuellings)
		}
		if f := w.fuel(t, "driver", ownFuel); len(f.Refuellings) != 2 || len(f.Refuellings[0].Odd)+len(f.Refuellings[1].Odd) != 0 {
			t.Errorf("%+v", f.Refuellings)
		}
	})
}

func limitsOf(version int64) map[string]any {
	return map[string]any{"version": version, "plate": "WX 2", "tank": 30_000, "day": 40_000, "month": 300_000, "monthAmount": 2_000_00, "discount": 20,
		"validFrom": "2026-01-01", "validTo": ""}
}

func TestFuelCards_AreSetByOneAtATime(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.fuelled(t)
		w.brought(t, "1.csv", orlenFile(firstFuel), "")
		card := w.fuel(t, "partner", driverFuel(driver)).Cards[0].ID
		path := driverFuel(driver) + "/cards/" + card
		w.must(t, 204, "partner", "PUT", path, limitsOf(0))
		for _, version := range []int64{0, 2} { // a colleague had the card open
			if text := w.must(t, 409, "partner", "PUT", path, limitsOf(version)); !strings.Contains(text, "fuel.changed") {
				t.Error(text)
			}
		}
		f := w.fuel(t, "partner", driverFuel(driver))
		if got, want := asText(f.Cards[0].Limits), asText(limitsOf(1)); got != want || fmt.Sprint(f.Refuellings[0].Odd) != "[over_tank]" {
			t.Errorf("%s %+v", got, f.Refuellings)
		}
		if f := w.fuel(t, "driver", ownFuel); asText(f.Cards[0].Limits) != asText(limitsOf(1)) {
			t.Errorf("%+v", f.Cards)
		}
		for field, value := range map[string]any{"tank": -1, "day": 1_000_001, "month": 100_000_001, "monthAmount": -1, "discount": 10_001,
			"validTo": "2025-12-31", "validFrom": "soon", "plate": strings.Repeat("W", 21)} {
			if text := w.must(t, 422, "partner", "PUT", path, with(limitsOf(1), field, value)); !strings.Contains(text, field) || !strings.Contains(text, "fuel.invalid") {
				t.Errorf("%s: %s", field, text)
			}
		}
		if text := w.must(t, 404, "partner", "PUT", driverFuel(driver)+"/cards/none", limitsOf(0)); !strings.Contains(text, "fuel.card_not_found") {
			t.Error(text)
		}
		another := w.addDriver(t, "partner", driverOf("Another"))
		w.must(t, 404, "partner", "PUT", driverFuel(another)+"/cards/"+card, limitsOf(1))
		w.must(t, 204, "partner", "PUT", path, with(limitsOf(1), "tank", 0))
		if n := w.counted(t, `SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1 AND (before_state LIKE $2 OR after_state LIKE $2) AND action = 'fuel.save_card'`, "%"+fullCard+"%"); n != 0 {
			t.Error("the trail has the full number")
		}
	})
}

// What is used today and this month begins at midnight where the business is, also on days of 23 and 25 hours.
func TestFuelCards_LimitsAreOfLocalDaysAndMonths(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.fuelled(t)
		at := func(moment string) (day, month int64, amount money.Amount) {
			t.Helper()
			now, err := time.Parse(time.RFC3339, moment)
			if err != nil {
				t.Fatal(err)
			}
			w.clock.Pass(now.Sub(w.clock.Now()))
			w.sign(t, "driver", w.clock.Now())
			card := w.fuel(t, "driver", ownFuel).Cards[0]
			return card.UsedDay, card.UsedMonth, card.UsedAmount
		}
		says := func(moment string, wantDay, wantMonth int64, wantAmount money.Amount) {
			t.Helper()
			if day, month, amount := at(moment); day != wantDay || month != wantMonth || amount != wantAmount {
				t.Errorf("%s: %d %d %s", moment, day, month, amount)
			}
		}
		row := func(day, clock, litres, gross string) string {
			return fullCard + ";" + day + ";" + clock + ";Warszawa;Verva ON;" + litres + ";6,00;" + gross + ";0"
		}
		wash := fullCard + ";30.11.2026;12:00;Warszawa;Myjnia bezdotykowa;1;25,00;25,00;0"
		w.brought(t, "1.csv", orlenFile(row("30.11.2026", "23:50", "10,00", "60,00"), row("01.12.2026", "00:10", "20,00", "120,00"), wash,
			row("28.03.2027", "00:30", "1,00", "6,00"), row("28.03.2027", "03:30", "2,00", "12,00"), row("28.03.2027", "23:30", "4,00", "24,00"),
			row("29.03.2027", "00:30", "8,00", "48,00"), row("31.03.2027", "23:59", "-4,00", "-24,00")), "")
		says("2026-11-30T22:59:00Z", 10_000, 10_000, 85_00)
		says("2026-11-30T23:00:00Z", 20_000, 20_000, 120_00)
		says("2027-03-28T00:00:00Z", 7_000, 7_000, 42_00) // 01:00, before the hour that is skipped
		says("2027-03-28T21:59:00Z", 7_000, 7_000, 42_00)
		says("2027-03-28T22:00:00Z", 8_000, 15_000, 90_00)
		says("2027-03-31T21:00:00Z", 0, 11_000, 66_00) // given back today
		says("2027-03-31T22:00:00Z", 0, 0, 0)
	})
}

func TestFuel_IsThereForWhoMaySeeIt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.fuelled(t)
		w.brought(t, "1.csv", orlenFile(firstFuel), "")
		off := func(who, path string) {
			t.Helper()
			if text := w.must(t, 404, who, "GET", path, nil); !strings.Contains(text, "fuel.off") && !strings.Contains(text, "accounts.no_partner") {
				t.Error(text)
			}
		}
		off("stranger", ownFuel) // whose partner has not switched it on
		off("other", driverFuel(driver))
		w.feature(t, "south", true)
		off("stranger", ownFuel) // whom the partner has not accepted
		w.must(t, 404, "other", "GET", driverFuel(driver), nil)
		w.must(t, 404, "other", "PUT", driverFuel(driver)+"/cards/x", limitsOf(0))
		w.must(t, 403, "driver", "GET", driverFuel(driver), nil)
		w.must(t, 403, "partner", "GET", ownFuel, nil)
		if text := w.must(t, 200, "driver", "GET", "/api/session", nil); !strings.Contains(text, `"fuel"`) {
			t.Error(text)
		}
		for query, want := range map[string]int{"?from=2026-10-28&to=2026-10-28": 0, "?from=2026-10-27&to=2026-10-27": 1} {
			if f := w.fuel(t, "driver", ownFuel+query); len(f.Refuellings) != want || f.Next == nil {
				t.Errorf("%s: %+v", query, f)
			}
		}
		for _, query := range []string{"?from=2026-10-28&to=2026-10-27", "?from=2026-10-28", "?to=x", "?from=2025-01-01&to=2026-10-27"} {
			if text := w.must(t, 422, "driver", "GET", ownFuel+query, nil); !strings.Contains(text, "fuel.invalid") {
				t.Errorf("%s: %s", query, text)
			}
		}
		w.feature(t, "north", false)
		off("driver", ownFuel)
		off("partner", driverFuel(driver))
		w.must(t, 404, "partner", "PUT", driverFuel(driver)+"/cards/x", limitsOf(0))
		w.feature(t, "north", true)
		w.must(t, 204, "partner", "POST", driversPath+"/"+driver+"/block", nil)
		w.must(t, 404, "driver", "GET", ownFuel, nil)
	})
}

// fuelBodies are what operations of fuel are sent, for the matrix.
func (w *world) fuelBodies(t *testing.T, bodies map[string]func() any, ids map[string]func() string) {
	w.feature(t, "north", true)
	w.feature(t, "south", true)
	bodies["own-fuel"] = func() any { w.linkedDriver(t); return nil }
	ids["driver-fuel"] = func() string { return w.silentDriver(t, "partner", canary+"north") }
	ids["save-fuel-card"] = func() string {
		driver, number := w.silentDriver(t, "partner", canary+"north"), fmt.Sprint(7_000_000+w.keys.Load())
		w.must(t, 204, "partner", "PUT", driversPath+"/"+driver+"/identities", map[string]any{"version": w.driver(t, "partner", driver).Version,
			"identities": []any{map[string]string{"provider": "ORLEN", "value": number}}})
		return driver + " " + w.fuel(t, "partner", driverFuel(driver)).Cards[0].ID
	}
	bodies["save-fuel-card"] = func() any { return limitsOf(0) }
}
