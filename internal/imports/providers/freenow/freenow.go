// Package freenow reads FreeNow's files: earnings of each driver, bookings, and bonuses.
package freenow

import (
	"regexp"
	"strings"

	"saldo/internal/imports/grid"
	"saldo/internal/imports/statement"
	"saldo/internal/ledger/kinds"
)

const provider = "FREENOW"

// WithVAT is what to download in the place of the same file without VAT.
const WithVAT = "freenow.earnings_with_vat"

// Layouts are what this package reads.
var Layouts = []statement.Layout{
	{
		Provider: provider, Kind: "earnings", Details: []string{"trips", "bonus"},
		Recognise: func(h statement.Head) bool { return h.Find(idColumn...) >= 0 && h.Find(sumColumn...) >= 0 },
		Refuses:   withoutVAT, SuggestedReport: WithVAT,
		Span: grid.FromName, Open: earnings.Open,
	},
	{
		Provider: provider, Kind: "trips", Details: []string{"earnings"},
		Recognise: func(h statement.Head) bool {
			return h.Has("BOOKING ID", "BOOKING STATE", "TOUR VALUE", "PAYMENT METHOD")
		},
		Span: grid.FromName, Open: openTrips,
	},
	{
		Provider: provider, Kind: "bonus", Details: []string{"earnings"},
		Recognise: func(h statement.Head) bool { return h.Has("id_driver", "bonus_name", "bonus_gross_value") },
		Span:      grid.FromName, Open: openBonus,
	},
}

// withoutVAT tells the file without VAT by its name: both files of one archive have the same columns, drivers and rides, and
// the amounts of either add up.
func withoutVAT(name string) bool {
	plain := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-.", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
	return strings.Contains(plain, "withoutvat")
}

// Names of columns. The portal writes them in the language of its user: Polish and the first Ukrainian ones were seen, the others are what
// the
// portal calls the same figures elsewhere.
var (
	idColumn  = []string{"ID kierowcy", "ID водія", "Driver ID", "Fahrer-ID", "Fahrer ID", "ID водителя"}
	sumColumn = []string{"Suma zarobków", "Загальний дохід", "Загальний заробіток", "Total earnings", "Gesamteinnahmen", "Gesamtverdienst",
		"Общий доход", "Общий заработок"}
)

// earnings has one row for each driver. Of its columns these are known; the others stay UNKNOWN until someone knows them.
var earnings = grid.Sheet{
	Keys: []grid.Key{{Kind: statement.ByID, Names: idColumn}},
	Name: []string{"Kierowca", "Водій", "Driver", "Fahrer", "Fahrer:in", "Водитель"},
	Money: []grid.Money{
		{ID: "fares", Type: kinds.Trip, Names: []string{"Zarobki przed odliczeniem prowizji", "Дохід до вирахування комісії",
			"Заробіток до вирахування комісії",
			"Дохід до комісії", "Earnings before commission", "Einnahmen vor Provision", "Einnahmen vor Abzug der Provision",
			"Доход до вычета комиссии"}},
		{ID: "commission", Type: "FEE", Minus: true, Names: []string{"Prowizja", "Комісія", "Commission", "Provision", "Комиссия"}},
		{ID: "collected", Type: kinds.CashCollected, Minus: true,
			Names: []string{"Płatności gotówką/kartą", "Оплата готівкою/карткою", "Платежі готівкою/карткою",
				"Оплати готівкою/карткою", "Готівка/картка", "Cash/card payments", "Bar-/Kartenzahlungen", "Zahlungen bar/mit Karte",
				"Оплата наличными/картой"}},
		{ID: "tips", Type: "TIP", Names: []string{"Napiwki", "Чайові", "Tips", "Trinkgelder", "Trinkgeld", "Чаевые"}},
		{ID: "bonuses", Type: "BONUS", Names: []string{"Bonusy", "Бонуси", "Bonuses", "Boni", "Бонусы"}},
	},
	Totals: []grid.Total{{Names: sumColumn, Of: []string{"fares", "commission", "tips", "bonuses"}}},
	Info: []grid.Info{{About: []string{"fares"},
		Names: []string{"Kursy z FREENOW", "Замовлення від Freenow", "FREENOW tours", "FREENOW-Touren", "Заказы от Freenow"}}},
	Plain: []string{"Liczba kursów", "Усього поїздок", "Number of tours", "Anzahl Touren", "Всего поездок"},
}

// bookings has one row for each ride. FreeNow's commission is not in it.
var bookings = grid.Sheet{
	Keys: []grid.Key{
		{Kind: statement.ByID, Names: []string{"DRIVER ID"}},
		{Kind: statement.ByPlate, Names: []string{"LICENCE PLATE", "LICENSE PLATE"}},
	},
	First:   []string{"DRIVER FIRST NAME"},
	Last:    []string{"DRIVER LAST NAME"},
	Instant: []string{"PICKUP DATE"},
	Money: []grid.Money{
		{ID: "fare", Type: kinds.Trip, Names: []string{"TOUR VALUE"}},
		{ID: "tip", Type: "TIP", Names: []string{"TOUR TIP"}},
		{ID: "toll", Type: "REFUND", Names: []string{"TOLL VALUE"}},
	},
	Plain: []string{"BOOKING ID", "BOOKING STATE", "CLOSED DATE", "TAX PERCENTAGE", "PAYMENT METHOD", "FARE TYPE", "PICKUP LOCATION",
		"DROPOFF LOCATION"},
}

// openTrips reads bookings. What was paid in cash makes an entry more: the driver has fare and toll already. Ways to pay
// that are not known are not cash, and stand in the text.
func openTrips(h statement.Head, given statement.Given) statement.Reader {
	rows := bookings.Rows(h, given)
	id, state, payment, closed := h.Find("BOOKING ID"), h.Find("BOOKING STATE"), h.Find("PAYMENT METHOD"), h.Find("CLOSED DATE")
	return func(r statement.Row, out statement.Out) {
		entries, ok := rows.Read(r, out)
		switch {
		case !ok:
			return
		case len(entries) == 0:
			out.Skipped(r.Line, statement.SkippedCancelled)
			return
		}
		at := entries[0].At
		if at.IsZero() {
			if at, ok = statement.Instant(r.At(closed), given.Zone); !ok {
				out.Errors(statement.RowError{Code: statement.WrongDate, Line: r.Line, Column: h.Names[max(closed, 0)], Found: r.At(closed),
					Expected: "2026-09-21T06:00:00+02:00"})
				return
			}
		}
		how := strings.ToUpper(r.At(payment))
		var cash statement.Entry
		for _, e := range entries {
			e.At = at
			if e.Column == h.Names[h.Find("TOUR VALUE")] {
				if e.Type = fareIn(r.At(state)); e.Type == kinds.Unknown {
					e.Label = e.Column + ": " + r.At(state)
				}
			}
			if how != "APP" && how != "CASH" {
				e.Text = how
			}
			if id := r.At(id); id != "" {
				e.ExternalID = id + "/" + statement.Fold(e.Column)
			}
			if taken := e.Type != "TIP" && e.Type != kinds.Unknown; taken {
				amount := cash.Amount - e.Amount
				if cash.Amount == 0 {
					cash = e
				}
				cash.Amount = amount
			}
			out.Entries(e)
		}
		if how == "CASH" && cash.Amount != 0 {
			cash.Type = kinds.CashCollected
			if id := r.At(id); id != "" {
				cash.ExternalID = id + "/cash"
			}
			out.Entries(cash)
		}
	}
}

// fareIn is what the fare of a booking in this state is.
func fareIn(state string) string {
	switch state = strings.ToUpper(state); {
	case state == "ACCOMPLISHED":
		return kinds.Trip
	case strings.HasPrefix(state, "CANCEL"):
		return "CANCELLATION"
	}
	return kinds.Unknown
}

// bonuses has one row for each bonus. Net and tax are contained.
var bonuses = grid.Sheet{
	Keys:  []grid.Key{{Kind: statement.ByID, Names: []string{"id_driver"}}},
	Fleet: []string{"Partner"},
	Name:  []string{"driver_name"},
	Day:   []string{"bonus_date"},
	Text:  []string{"bonus_name"},
	Money: []grid.Money{{ID: "bonus", Type: "BONUS", Names: []string{"bonus_gross_value"}}},
	Info: []grid.Info{
		{About: []string{"bonus"}, Names: []string{"bonus_net_value"}},
		{About: []string{"bonus"}, Names: []string{"bonus_tax_value"}},
	},
}

// register is what FreeNow takes for the cash register in the app, among the bonuses.
var register = regexp.MustCompile(`(?i)op[łl]ata e-?kasa`)

func openBonus(h statement.Head, given statement.Given) statement.Reader {
	rows, name := bonuses.Rows(h, given), h.Find("bonus_name")
	return func(r statement.Row, out statement.Out) {
		entries, ok := rows.Read(r, out)
		if ok && len(entries) == 0 {
			out.Skipped(r.Line, statement.SkippedEmpty)
		}
		for _, e := range entries {
			if e.Type == "BONUS" && register.MatchString(r.At(name)) {
				e.Type = "CHARGE"
			}
			out.Entries(e)
		}
	}
}
