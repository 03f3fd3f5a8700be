// Package glovo reads Glovo's workbooks of a week, old and new, and its Polish settlement of fourteen days.
package glovo

import (
	"regexp"
	"strings"

	"saldo/internal/imports/grid"
	"saldo/internal/imports/statement"
	"saldo/internal/kernel/calendar"
	"saldo/internal/ledger/kinds"
)

const provider = "GLOVO"

// Layouts are what this package reads. All of them tell of the same deliveries.
var Layouts = []statement.Layout{
	{
		Provider: provider, Kind: "payment", Details: []string{"payment_old", "settlement"},
		Recognise: func(h statement.Head) bool { return h.Has("COURIER ID", "TOTAL COURIER EARNINGS") },
		Span:      fromTitle, Open: payment.Open,
	},
	{
		Provider: provider, Kind: "payment_old", Details: []string{"payment", "settlement"},
		Recognise: func(h statement.Head) bool { return h.Has("Courier ID", "Total earned") },
		Span:      fromTitle, Open: paymentOld.Open,
	},
	{
		Provider: provider, Kind: "settlement", Details: []string{"payment", "payment_old"},
		Recognise: func(h statement.Head) bool { return h.Has("ID kuriera", "Opłata za zamówienia", "Kwota do zapłaty") },
		Span:      grid.FromName, Open: settlement.Open,
	},
}

// payment is the workbook since August 2026: a sheet for each week. The commission is what Glovo takes from the partner, so
// it is the fleet's.
var payment = grid.Sheet{
	Keys: []grid.Key{
		{Kind: statement.ByID, Names: []string{"COURIER ID"}},
		{Kind: statement.ByID, Names: []string{"RIDER ID"}},
		{Kind: statement.ByEmail, Names: []string{"EMAIL"}},
		{Kind: statement.ByPhone, Names: []string{"PHONE"}},
	},
	Name: []string{"COMPLETE NAME"},
	Money: []grid.Money{
		{ID: "earned", Type: "DELIVERY", Names: []string{"TOTAL COURIER EARNINGS"}},
		{ID: "tips", Type: "TIP", Names: []string{"TIPS"}},
		{ID: "commission", Type: "FEE", Minus: true, Fleet: true, Names: []string{"COMMISSION"}},
	},
	Totals: []grid.Total{{Names: []string{"NET PARTNER EARNINGS"}, Of: []string{"earned", "commission"}}},
	Plain:  []string{"CITY", "DELIVERED ORDERS"},
	Blanks: true,
}

// paymentOld is the workbook before. Its earnings are without the tips.
var paymentOld = grid.Sheet{
	Keys: []grid.Key{
		{Kind: statement.ByID, Names: []string{"Courier ID"}},
		{Kind: statement.ByEmail, Names: []string{"Email"}},
		{Kind: statement.ByPhone, Names: []string{"Phone"}},
	},
	First: []string{"First Name"},
	Last:  []string{"Name"},
	Money: []grid.Money{
		{Type: "DELIVERY", Names: []string{"Total earned"}},
		{Type: "TIP", Names: []string{"Tips"}},
	},
	Plain:  []string{"Orders", "City"},
	Blanks: true,
}

// settlement has one row for each courier and its period. Amounts have the courier's signs already.
var settlement = grid.Sheet{
	Keys: []grid.Key{
		{Kind: statement.ByID, Names: []string{"ID kuriera"}},
		{Kind: statement.ByEmail, Names: []string{"E-mail"}},
		{Kind: statement.ByPhone, Names: []string{"Telefon"}},
	},
	Name: []string{"Imię i nazwisko"},
	From: []string{"Okres od"},
	To:   []string{"Okres do"},
	Money: []grid.Money{
		{ID: "orders", Type: "DELIVERY", Names: []string{"Opłata za zamówienia"}},
		{ID: "guaranteed", Type: "INCREASE", Names: []string{"Stawka gwarantowana"}},
		{ID: "bonus", Type: "BONUS", Names: []string{"Bonus"}},
		{ID: "tips", Type: "TIP", Names: []string{"Napiwki"}},
		{ID: "advance", Type: kinds.CashCollected, Names: []string{"Zaliczka w gotówce"}},
		{ID: "cash", Type: kinds.CashCollected, Names: []string{"Wypłata w gotówce"}},
		{ID: "card", Type: "BANKABLE", Names: []string{"Różnica na karcie Bankable"}},
		{ID: "material", Type: "CHARGE", Names: []string{"Opłata za materiał"}},
		{ID: "platform", Type: "FEE", Names: []string{"Opłata za platformę"}},
		{ID: "other", Type: "ADJUSTMENT", Names: []string{"Inne wyrównania"}},
	},
	Totals: []grid.Total{{
		Names: []string{"Kwota do zapłaty"},
		Of:    []string{"orders", "guaranteed", "bonus", "tips", "advance", "cash", "card", "material", "platform", "other"},
	}},
	Plain: []string{"Miasto", "Liczba zamówień"},
}

// title is a period such as 29.06-05.07.2026.
var title = regexp.MustCompile(`(\d{1,2})\.(\d{1,2})(?:\.(\d{4}))?\.?\s*[-–—]\s*(\d{1,2})\.(\d{1,2})\.(\d{4})`)

// fromTitle reads the week above the head. People type it, so what is no week is not believed: then nobody says when.
func fromTitle(_ string, above [][]string) (statement.Span, bool) {
	for _, row := range above {
		for _, cell := range row {
			m := title.FindStringSubmatch(cell)
			if m == nil {
				continue
			}
			to, ok := statement.Date(m[4] + "." + m[5] + "." + m[6])
			from, okFrom := fromDay(m, to)
			if ok && okFrom && from <= to && to.DaysSince(from) < 7 {
				return statement.Span{From: from, To: to}, true
			}
		}
	}
	return statement.Span{}, false
}

// fromDay is the first day, whose year is that of the last one unless the week crosses it.
func fromDay(m []string, to calendar.Date) (calendar.Date, bool) {
	if m[3] != "" || to == "" {
		return statement.Date(m[1] + "." + m[2] + "." + m[3])
	}
	from, ok := statement.Date(m[1] + "." + m[2] + "." + m[6])
	if ok && from > to && strings.TrimLeft(m[5], "0") == "1" {
		return statement.Date(m[1] + "." + m[2] + "." + string(to.AddDays(-31)[:4]))
	}
	return from, ok
}
